// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The stretch limit and tethers in small steps: as behind a solve (method/limit.h), in each
// substep, on top of the limit of single edges that they have by themselves (small_steps/levels.h).
// Contact comes behind.

#include <string.h>

#include "base/vec.h"
#include "sim/small.h"

static void take_points(const WfSmallCloth* cloth, const WfPoint4* from, double* x) {
    WfVec origin = wf_load(cloth->origin, 0);
    for (int i = 0; i < cloth->form->vertex_count; i++) {
        const WfPoint4* p = &from[i];
        WfVec at = {(double)p->x, (double)p->y, (double)p->z};
        wf_store(x, i, wf_add(origin, at));
    }
}

void wf_keep_limit(WeftState* state, const WfStep* step) {
    const WfLimit* limit = &state->model->limit;
    WfSmallCloth* cloth = &state->scratch->small;
    WfStep now = *step;
    if (limit->edge_count + limit->tether_count == 0) return;
    now.motion.x = state->scratch->work.base;
    take_points(cloth, cloth->before, state->scratch->work.base);
    take_points(cloth, cloth->x, state->scratch->work.x);
    state->report.limited_edges = wf_limit_apply(limit, &now, &state->scratch->limit);
    for (int i = 0; i < cloth->form->vertex_count && state->scratch->limit.moved; i++)
        if (cloth->x[i].w > 0) wf_small_put(cloth, i, state->scratch->work.x + 3 * (size_t)i);
}

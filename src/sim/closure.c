// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sim/closure.h"

#include "base/vec.h"

static const double HAIR = 1e-5;  // m, before the plane: in it, cloth would lie in its image

void wf_close_rows(WeftState* state) {
    const WeftModel* m = state->model;
    const WfPlane* mirror = &m->system.mirror;
    if (m->shown.closure != WEFT_CLOSURE_ZIP) return;
    for (int i = 0; i < m->system.vertex_count; i++) {
        WfVec x = wf_load(state->x, i);
        bool free_row = !state->pinned[i] && !wf_plane_holds(mirror, i);
        if (!free_row || wf_plane_height(mirror, x) >= 0) continue;
        wf_store(state->x, i, wf_madd(wf_plane_nearest(mirror, x), HAIR, mirror->normal));
        wf_set_velocity(state, i, wf_plane_flatten(mirror, wf_load(state->v, i)));
    }
}

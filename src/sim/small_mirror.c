// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Vertices in the plane of a mirror in small steps: whatever moves them, they are put back into it,
// and have no velocity across.

#include "base/vec.h"
#include "sim/small.h"

static WfVec vector_of(const WfPoint4* p) {
    return (WfVec){(double)p->x, (double)p->y, (double)p->z};
}

static void put(WfVec x, WfPoint4* p) { p->x = (float)x.x, p->y = (float)x.y, p->z = (float)x.z; }

void wf_settle_small(WeftState* state, double rate) {
    const WfPlane* mirror = &state->model->system.mirror;
    WfSmallCloth* cloth = &state->scratch->small;
    WfPlane seen = *mirror;
    seen.point = wf_sub(mirror->point, wf_load(cloth->origin, 0));
    for (int k = 0; k < mirror->count; k++) {
        int i = mirror->rows[k];
        WfPoint4 *x = &cloth->x[i], *v = &cloth->v[i];
        WfVec from = vector_of(x), to = wf_plane_nearest(&seen, from);
        put(to, x);
        WfVec across = wf_along(mirror->normal, vector_of(v));
        put(wf_sub(vector_of(v), across), v);
        if (!state->forces.balances) continue;
        WfVec change = wf_sub(wf_mul(rate, wf_sub(to, from)), across);
        wf_give_push(state, i, wf_mul(state->model->system.masses[i], change));
    }
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sim/layout.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"

static const double POINT = 1e-3;  // of their lengths at rest: edges of cloth at a point
static const double APART = 4;     // thicknesses that a mean edge has when laid out

// Three numbers per piece, at the vertex that names it: lengths of its edges now and at rest, and
// how many. Returns whether any piece is at a point.
static bool measure_edges(const WeftState* state, double* lengths) {
    const WeftModel* m = state->model;
    bool any = false;
    memset(lengths, 0, 3 * (size_t)m->system.vertex_count * sizeof *lengths);
    for (int e = 0; e < m->edge_count; e++) {
        int a = m->edges[2 * (long)e], b = m->edges[2 * (long)e + 1];
        double now = wf_length(wf_sub(wf_load(state->x, b), wf_load(state->x, a)));
        wf_accumulate(lengths, m->surface.piece[a], 1, (WfVec){now, m->edge_lengths[e], 1});
    }
    for (int i = 0; i < m->system.vertex_count; i++) {
        WfVec of = wf_load(lengths, i);
        any = any || of.x < POINT * of.y;
    }
    return any;
}

// Per piece what stays where it is: u and v of its middle, or of its pins, weighted; and the
// weight.
static void find_middles(const WeftState* state, double* middles) {
    const WeftModel* m = state->model;
    const double* flat = m->flat;
    memset(middles, 0, 3 * (size_t)m->system.vertex_count * sizeof *middles);
    for (int i = 0; i < m->system.vertex_count; i++) {
        double weight = state->pinned[i] ? m->system.vertex_count : 1;
        wf_accumulate(middles, m->surface.piece[i], weight,
                      (WfVec){flat[2 * (long)i], flat[2 * (long)i + 1], 1});
    }
}

void wf_lay_out(WeftState* state) {
    const WeftModel* m = state->model;
    double *lengths = state->work.r, *middles = state->work.z;
    if (!measure_edges(state, lengths)) return;
    find_middles(state, middles);
    for (int i = 0; i < m->system.vertex_count; i++) {
        WfVec edges = wf_load(lengths, m->surface.piece[i]);
        WfVec middle = wf_load(middles, m->surface.piece[i]);
        if (!(edges.x < POINT * edges.y) || state->pinned[i]) continue;
        double part = fmin(1, APART * m->thickness[i] * edges.z / edges.y);
        double u = m->flat[2 * (long)i] - middle.x / middle.z;
        double v = m->flat[2 * (long)i + 1] - middle.y / middle.z;
        wf_accumulate(state->x, i, part, (WfVec){u, 0, -v});
    }
}

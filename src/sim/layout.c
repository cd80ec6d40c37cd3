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

static WfVec flat_of(const WeftModel* m, int i) {
    return (WfVec){m->flat[2 * (long)i], m->flat[2 * (long)i + 1], 0};
}

// ---------------------------------------------------------------------------------------------
// Pieces that are one with their image in a mirror are laid out beside it: what is in the plane
// along a line of it, and the rest along its normal.

typedef struct Lines {
    double* middles;     // per piece: u and v of the mean of what is in the plane, and how much,
    double* directions;  // u and v from there to the furthest of it,
    double* sides;       // and across that to the rest of the piece
} Lines;

// How far a point of the flat shape is across the line.
static double across(const Lines* lines, int piece, WfVec flat) {
    WfVec d = wf_load(lines->directions, piece), from = wf_load(lines->middles, piece);
    return (d.x * (flat.y - from.y) - d.y * (flat.x - from.x)) / wf_length(d);
}

static void find_lines(const WeftState* state, const Lines* lines) {
    const WeftModel* m = state->model;
    const WfPlane* mirror = &m->system.mirror;
    const int* piece = m->surface.piece;
    size_t bytes = 3 * (size_t)m->system.vertex_count * sizeof(double);
    memset(lines->middles, 0, bytes);
    memset(lines->directions, 0, bytes);
    memset(lines->sides, 0, bytes / 3);
    for (int k = 0; k < mirror->count; k++) {
        double* middle = lines->middles + 3 * (long)piece[mirror->rows[k]];
        WfVec flat = flat_of(m, mirror->rows[k]);
        middle[2]++;
        middle[0] += (flat.x - middle[0]) / middle[2];
        middle[1] += (flat.y - middle[1]) / middle[2];
    }
    for (int k = 0; k < mirror->count; k++) {
        int p = piece[mirror->rows[k]];
        WfVec way = wf_sub(flat_of(m, mirror->rows[k]), wf_load(lines->middles, p));
        way.z = 0;
        if (wf_length(way) > wf_length(wf_load(lines->directions, p)))
            wf_store(lines->directions, p, way);
    }
    for (int i = 0; i < m->system.vertex_count; i++)
        if (wf_length(wf_load(lines->directions, piece[i])) > 0)
            lines->sides[piece[i]] += across(lines, piece[i], flat_of(m, i));
}

// From where a vertex of the flat shape is beside the middle, u and v, to where it is laid out.
static WfVec lay_beside(const WeftState* state, const Lines* lines, int i, WfVec middle) {
    const WfSystem* s = &state->model->system;
    int piece = state->model->surface.piece[i];
    WfVec d = wf_unit(wf_load(lines->directions, piece)), flat = flat_of(state->model, i);
    double out = across(lines, piece, flat) * (lines->sides[piece] < 0 ? -1 : 1);
    double along = wf_dot(d, wf_sub(flat, middle));
    if (wf_plane_holds(&s->mirror, i)) out = 0;
    return wf_madd(wf_mul(out, s->mirror.normal), along, wf_load(s->mirror_frame, 1));
}

// ---------------------------------------------------------------------------------------------

void wf_lay_out(WeftState* state) {
    const WeftModel* m = state->model;
    double *lengths = state->scratch->work.r, *middles = state->scratch->work.z;
    Lines lines = {state->scratch->work.direction, state->scratch->work.gradient,
                   state->scratch->work.t};
    if (!measure_edges(state, lengths)) return;
    find_middles(state, middles);
    if (m->system.mirror.count > 0) find_lines(state, &lines);
    for (int i = 0; i < m->system.vertex_count; i++) {
        WfVec edges = wf_load(lengths, m->surface.piece[i]);
        WfVec middle = wf_load(middles, m->surface.piece[i]);
        if (!(edges.x < POINT * edges.y) || state->pinned[i]) continue;
        double part = fmin(1, APART * m->thickness[i] * edges.z / edges.y);
        WfVec mean = {middle.x / middle.z, middle.y / middle.z, 0}, at = flat_of(m, i);
        bool beside = m->system.mirror.count > 0 &&
                      wf_length(wf_load(lines.directions, m->surface.piece[i])) > 0;
        WfVec way = beside ? lay_beside(state, &lines, i, mean)
                           : (WfVec){at.x - mean.x, 0, -(at.y - mean.y)};
        wf_accumulate(state->x, i, part, way);
    }
}

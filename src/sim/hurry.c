// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Cloth that moves fast within itself. The stiffness that a step can follow is enough for what
// weighs on the cloth, and one linearisation for neighbours that hardly turn about each other. A
// body that starts or stops in a frame asks for more of both: softened cloth lags behind and is
// stretched, and what turns by a part of its length is thrown off. Shorter substeps are the answer
// to either, and stiffer ones to the first, since what they can follow grows with their number.
//
// Means over a cloth, of a step at quality 4:
//
//     strain over that of its weight: up to 0.6 swinging, 1.5 collapsing, 6 where corners are
//         pulled at 8 m/s
//     motion of an edge's ends against each other, over its length: 0.04 swinging, 0.18
//         collapsing, 0.2 pulled, 0.6 of a cape on a body at 5 turns/s
//
// Corners pulled at 8 m/s for a quarter of a second: 226 mm from the motion itself, stretched up to
// 2.1 times; with this 186 mm and 1.8, for a quarter more substeps. (By the motion alone: 185 mm
// for nine tenths more.) Swings, collapses and drapes of the quality's own bench stay as they are.

#include <math.h>

#include "base/parallel.h"
#include "method/quality.h"
#include "sim/parts.h"

enum { MOST_PARTS = 4 };
static const double MOVES = 0.05;        // of its length, by which an edge moves in a step
static const double MOST_MOTION = 0.25;  // the same in a part
static const double MOST_STRAIN = 1.6;   // over that of its weight
static const double GRAVITY = 9.81;      // m/s^2

// Means over the edges of a cloth.
typedef struct Hurry {
    double length;  // m, of all edges
    double strain;  // of what is longer than at rest
    double motion;  // m/s, of the ends against each other, over the length
} Hurry;

enum { PARTS = 32, WORTH_PARTS = 20000 };  // edges of a cloth from which they are worth it

// The edges of a cloth, and sums over parts of them.
typedef struct Edges {
    const WeftState* state;
    int first, end, part_count;
    Hurry sums[PARTS];
} Edges;

static void sum_part(void* context, int part) {
    Edges* edges = context;
    const WeftState* state = edges->state;
    const WeftModel* m = state->model;
    Hurry sum = {0};
    long count = edges->end - edges->first;
    long end = edges->first + count * (part + 1) / edges->part_count;
    for (long e = edges->first + count * part / edges->part_count; e < end; e++) {
        int a = m->edges[2 * e], b = m->edges[2 * e + 1];
        WfVec motion = wf_sub(wf_load(state->v, a), wf_load(state->v, b));
        double now = wf_length(wf_sub(wf_load(state->x, a), wf_load(state->x, b)));
        sum.length += m->edge_lengths[e];
        sum.strain += fmax(0, now - m->edge_lengths[e]);
        sum.motion += wf_length(motion);
    }
    edges->sums[part] = sum;
}

static Hurry hurry_of(const WeftState* state, int first, int end) {
    Edges edges = {state, first, end, end - first < WORTH_PARTS ? 1 : PARTS, {{0, 0, 0}}};
    Hurry hurry = {0};
    wf_parallel(&state->model->system.jobs, edges.part_count, sum_part, &edges);
    for (int p = 0; p < edges.part_count; p++) {
        hurry.length += edges.sums[p].length;
        hurry.strain += edges.sums[p].strain;
        hurry.motion += edges.sums[p].motion;
    }
    if (hurry.length > 0) {
        hurry.strain /= hurry.length;
        hurry.motion /= hurry.length;
    }
    return hurry;
}

// The first edge from `low` on that belongs to another cloth than those that end before `vertex`:
// edges come in the order of their first vertices.
static int end_of_edges(const WeftModel* m, int low, int vertex) {
    int high = m->edge_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (m->edges[2 * (long)middle] < vertex)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Mean strain of a cloth that hangs, as soft as these steps have it; of one that is not softened
// none is too much, since shorter steps would not be stiffer.
static double strain_of_weight(const WfClothSize* size, const WeftStepDef* def) {
    double scale = wf_stiffness_scale(size, def);
    if (scale == 1) return HUGE_VAL;
    return size->density * GRAVITY * size->length / (2 * scale * size->stiffness);
}

int wf_hurry_parts(const WeftState* state, const WeftStepDef* def) {
    const WeftModel* m = state->model;
    int parts = 1, first = 0;
    if (def->scheme == WEFT_SCHEME_REPEAT) return parts;  // single solves cost what they cost
    for (int c = 0; c < m->cloth_count; c++) {
        int end = end_of_edges(m, first, m->first_vertex[c + 1]);
        Hurry hurry = hurry_of(state, first, end);
        double most = HUGE_VAL;
        for (int p = m->first_portion[c]; p < m->first_portion[c + 1]; p++)
            most = fmin(most, MOST_STRAIN * strain_of_weight(&m->sizes[p], def));
        double motion = hurry.motion * def->dt;
        while (parts < MOST_PARTS && motion > MOST_MOTION * def->substeps * parts) parts *= 2;
        while (parts < MOST_PARTS && motion > MOVES && hurry.strain > most * parts * parts)
            parts *= 2;
        first = end;
    }
    return parts;
}

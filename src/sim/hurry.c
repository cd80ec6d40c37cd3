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
// Corners pulled at 8 m/s for a quarter of a second, mean distance from the motion of the same mesh
// in 32 substeps: 277 mm, and with this 126 mm for two fifths more substeps; of 17 x 17 vertices
// 195 and 89 mm. Swings, collapses and drapes of the quality's own bench stay as they are.
//
// Of cloth that contacts hold, a tenth of it or more, strain counts as far as it is new: beyond
// twice what has lasted, a mean that follows in a second. Worn cloth is strained for good where it
// is tight, up to 7 times that of its weight. Its steps were cut in most frames of a walk, and silk
// jittered, since every cut makes it stiffer and every whole step softer. Walks of 1.5 s, substeps:
//
//                        T-shirt of silk   dress of wool   trousers of denim
//     never cut                194              186               194
//     by all strain            266              322               358
//     by what is new           196              186               194
//
// The stretch that 99 % stay below is the same within 0.005. (Tried and dropped: its rate alone, by
// which cuts ask for more cuts; strain off contacts, as what is tight bridges from one to another;
// what is new of all cloth, since one that swings wildly is strained all the time, and gained
// energy where its steps vary in length.)

#include <math.h>

#include "base/parallel.h"
#include "method/quality.h"
#include "sim/contact.h"
#include "sim/parts.h"
#include "weft/weft_study.h"

enum { MOST_PARTS = 4 };
static const double MOVES = 0.05;        // of its length, by which an edge moves in a step
static const double MOST_MOTION = 0.25;  // the same in a part
static const double MOST_STRAIN = 1.6;   // over that of its weight
static const double NEW = 2;             // times what has lasted
static const double LASTS = 1;           // s
static const double WORN = 0.1;          // of a cloth, that contacts hold

// Means over the edges of a cloth.
typedef struct Hurry {
    double length;  // m, of all edges
    double strain;  // of what is longer than at rest
    double motion;  // m/s, of the ends against each other, over the length
    double held;    // part of the length that contacts hold
} Hurry;

enum { PARTS = 32, WORTH_PARTS = 20000 };  // edges of a cloth from which they are worth it

// The edges of a cloth, and sums over parts of them.
typedef struct Edges {
    const WeftState* state;
    int first, end, part_count;
    Hurry sums[PARTS];
} Edges;

static bool is_held(const WeftState* state, int vertex) {
    return state->loads && wf_is_loaded(state->loads + 4 * (long)vertex);
}

// What of an edge belongs to a half in a mirror.
static double share_of(const WeftModel* m, int a, int b) {
    const WfPlane* mirror = &m->system.mirror;
    return wf_plane_holds(mirror, a) && wf_plane_holds(mirror, b) ? 0.5 : 1;
}

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
        double share = share_of(m, a, b);
        sum.length += share * m->edge_lengths[e];
        sum.strain += share * fmax(0, now - m->edge_lengths[e]);
        sum.motion += share * wf_length(motion);
        if (is_held(state, a) || is_held(state, b)) sum.held += share * m->edge_lengths[e];
    }
    edges->sums[part] = sum;
}

static Hurry hurry_of(const WeftState* state, int first, int end) {
    Edges edges = {state, first, end, end - first < WORTH_PARTS ? 1 : PARTS, {{0, 0, 0, 0}}};
    Hurry hurry = {0};
    wf_parallel(&state->model->system.jobs, edges.part_count, sum_part, &edges);
    for (int p = 0; p < edges.part_count; p++) {
        hurry.length += edges.sums[p].length;
        hurry.strain += edges.sums[p].strain;
        hurry.motion += edges.sums[p].motion;
        hurry.held += edges.sums[p].held;
    }
    if (hurry.length > 0) {
        hurry.strain /= hurry.length;
        hurry.motion /= hurry.length;
        hurry.held /= hurry.length;
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

// Mean strain of a cloth that hangs, or bears what it is rated for, as soft as these steps have it;
// of one that is not softened none is too much, since shorter steps would not be stiffer.
static double strain_of_weight(const WfClothSize* size, double rating, const WeftStepDef* def) {
    double scale = wf_stiffness_scale(size, rating, def);
    if (scale == 1) return HUGE_VAL;
    return wf_cloth_tension(size, rating) / (2 * scale * size->stiffness);
}

// What is beyond the strain that has lasted, of cloth that is worn.
static double new_strain(const WeftState* state, int cloth, const Hurry* hurry) {
    return hurry->held < WORN ? hurry->strain : hurry->strain - NEW * state->lasting[cloth].strain;
}

int wf_hurry_parts(WeftState* state, const WeftStepDef* def) {
    const WeftModel* m = state->model;
    int parts = 1, first = 0;
    bool may = wf_method(def)->has_ladder && def->scheme != WEFT_SCHEME_REPEAT;
    for (int c = 0; c < m->cloth_count; c++) {
        state->strains[c] = -1;
        if (!may) continue;  // single solves cost what they cost
        int end = end_of_edges(m, first, m->first_vertex[c + 1]);
        Hurry hurry = hurry_of(state, first, end);
        double most = HUGE_VAL;
        for (int p = m->first_portion[c]; p < m->first_portion[c + 1]; p++)
            most = fmin(most, MOST_STRAIN * strain_of_weight(&m->sizes[p], state->ratings[c], def));
        double motion = hurry.motion * def->dt, strain = new_strain(state, c, &hurry);
        while (parts < MOST_PARTS && motion > MOST_MOTION * def->substeps * parts) parts *= 2;
        while (parts < MOST_PARTS && motion > MOVES && strain > most * parts * parts) parts *= 2;
        state->strains[c] = hurry.strain;
        first = end;
    }
    return parts;
}

void wf_hurry_end(WeftState* state, double dt) {
    for (int c = 0; c < state->model->cloth_count && state->loads; c++) {
        double strain = state->strains[c], *lasting = &state->lasting[c].strain;
        if (strain >= 0) *lasting += (strain - *lasting) * dt / (LASTS + dt);
    }
}

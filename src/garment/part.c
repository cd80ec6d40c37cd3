// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Skinned bodies cross themselves, in armpits and between thighs, and cloth that is caught there
// has nowhere to go. Flesh gives way instead: where two parts of the surface that face each other
// come nearer than the gap, or have gone through one another, both move back along their normals,
// and what is beside them a little less.
//
//          torso |   . . |arm          i and j face each other where each lies in front of the
//             n_i|-> . <-|n_j          other's surface at rest; so the far side of the same limb,
//                |<- s ->|             which lies behind it, is none of i's business. s < 0:
//                crossed
//
// Only vertices are compared, the one straight ahead of each other; the mesh is that fine.

#include "garment/part.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "mesh/hilbert.h"
#include "mesh/normals.h"

#define DEEPEST 0.06  // m, that limbs may have gone into each other
#define OF_REST 0.6   // of the distance at rest: creases close
#define FACING -0.2   // cosine between normals
#define AHEAD -0.25   // of the distance at rest: how far behind i's surface j may have been
#define ASIDE 1.2     // edges: how far from straight ahead
#define ENOUGH 5e-4   // m
enum { ROUNDS = 6, SPREAD = 4 };

typedef struct Parting {
    const WeftFigure* figure;
    int n;
    double* x;               // posed
    double *normals, *rest;  // 3 per vertex: posed, and at rest
    double* retreat;         // per vertex, m
    double* mean;            // scratch
    int* degree;             // per vertex: triangles
    double spacing;          // mean edge
    double cell;
    WfKey *keys, *spare;  // vertices by cell
} Parting;

static void find_normals(const WeftFigure* f, const double* x, double* normals) {
    wf_find_normals(f->vertex_count, x, f->triangle_count, f->triangles, normals);
}

static double mean_edge(const WeftFigure* f) {
    double sum = 0;
    for (long t = 0; t < f->triangle_count; t++) {
        const int* v = f->triangles + 3 * t;
        sum += wf_length(wf_sub(wf_load(f->positions, v[0]), wf_load(f->positions, v[1])));
    }
    return f->triangle_count > 0 ? sum / f->triangle_count : 1;
}

// ---------------------------------------------------------------------------------------------
// Cells of space: a key of 21 bits per axis, so that cells side by side along x are neighbours

static uint64_t cell_key(const Parting* p, WfVec at, int dx, int dy, int dz) {
    const double half = 1 << 20;
    uint64_t x = (uint64_t)(int64_t)(floor(at.x / p->cell) + dx + half);
    uint64_t y = (uint64_t)(int64_t)(floor(at.y / p->cell) + dy + half);
    uint64_t z = (uint64_t)(int64_t)(floor(at.z / p->cell) + dz + half);
    return (z & 0x1fffff) << 42 | (y & 0x1fffff) << 21 | (x & 0x1fffff);
}

static void sort_cells(Parting* p) {
    for (int i = 0; i < p->n; i++) p->keys[i] = (WfKey){cell_key(p, wf_load(p->x, i), 0, 0, 0), i};
    wf_sort_keys(p->keys, p->spare, p->n);
}

// ---------------------------------------------------------------------------------------------
// What is straight ahead

typedef struct Sight {
    double aside;  // of the nearest to straight ahead so far
    double lack;   // what is missing of the gap there
} Sight;

// Whether each lay ahead of the other's surface at rest, and how far j ahead of i.
static bool were_facing(const Parting* p, int i, int j, double* ahead) {
    WfVec d = wf_sub(wf_load(p->figure->positions, j), wf_load(p->figure->positions, i));
    double least = AHEAD * wf_length(d);
    *ahead = wf_dot(d, wf_load(p->rest, i));
    return *ahead > least && -wf_dot(d, wf_load(p->rest, j)) > least;
}

static void look_at(const Parting* p, int i, int j, Sight* sight) {
    WfVec n = wf_load(p->normals, i), d = wf_sub(wf_load(p->x, j), wf_load(p->x, i));
    if (!(wf_dot(n, wf_load(p->normals, j)) < FACING)) return;
    double s = wf_dot(d, n), ahead;
    if (s > p->figure->gap || s < -DEEPEST) return;
    double aside = wf_length(wf_madd(d, -s, n));
    if (aside > sight->aside || !were_facing(p, i, j, &ahead)) return;
    sight->aside = aside;
    sight->lack = fmin(p->figure->gap, ahead > 0 ? OF_REST * ahead : ahead) - s;
}

static double look_ahead(const Parting* p, int i) {
    Sight sight = {.aside = ASIDE * p->spacing};
    // the middle of where something may be
    WfVec at = wf_madd(wf_load(p->x, i), (p->figure->gap - DEEPEST) / 2, wf_load(p->normals, i));
    for (int dz = -1; dz <= 1; dz++) {
        for (int dy = -1; dy <= 1; dy++) {
            uint64_t last = cell_key(p, at, 1, dy, dz);
            for (int k = wf_first_key(p->keys, p->n, cell_key(p, at, -1, dy, dz));
                 k < p->n && p->keys[k].key <= last; k++)
                look_at(p, i, p->keys[k].index, &sight);
        }
    }
    return sight.lack;
}

// ---------------------------------------------------------------------------------------------
// Giving way

// No vertex gives way much less than those around it.
static void spread(Parting* p) {
    const WeftFigure* f = p->figure;
    memset(p->mean, 0, (size_t)p->n * sizeof *p->mean);
    for (long t = 0; t < f->triangle_count; t++) {
        const int* v = f->triangles + 3 * t;
        double sum = p->retreat[v[0]] + p->retreat[v[1]] + p->retreat[v[2]];
        for (int k = 0; k < 3; k++) p->mean[v[k]] += (sum - p->retreat[v[k]]) / 2;
    }
    for (int i = 0; i < p->n; i++)
        if (p->degree[i] > 0) p->retreat[i] = fmax(p->retreat[i], p->mean[i] / p->degree[i]);
}

// One round; returns the most that was missing.
static double give_way(Parting* p, bool first) {
    double most = 0;
    find_normals(p->figure, p->x, p->normals);
    sort_cells(p);
    for (int i = 0; i < p->n; i++) {
        // what was not near in the first round does not become so in the next
        double lack = first || p->retreat[i] > 0 ? fmax(look_ahead(p, i), 0) : 0;
        p->retreat[i] = lack / 2;
        most = fmax(most, lack);
    }
    if (most < ENOUGH) return most;
    for (int k = 0; k < SPREAD; k++) spread(p);
    for (int i = 0; i < p->n; i++) wf_accumulate(p->x, i, -p->retreat[i], wf_load(p->normals, i));
    return most;
}

WeftResult wf_part_limbs(const WeftFigure* figure, double* positions) {
    const WeftAllocator* a = &figure->allocator;
    size_t n = (size_t)figure->vertex_count;
    Parting p = {.figure = figure, .n = figure->vertex_count, .x = positions};
    p.normals = wf_alloc(a, 3 * n, sizeof(double));
    p.rest = wf_alloc(a, 3 * n, sizeof(double));
    p.retreat = wf_alloc(a, n, sizeof(double));
    p.mean = wf_alloc(a, n, sizeof(double));
    p.degree = wf_alloc(a, n, sizeof(int));
    p.keys = wf_alloc(a, n, sizeof(WfKey));
    p.spare = wf_alloc(a, n, sizeof(WfKey));
    bool good = p.normals && p.rest && p.retreat && p.mean && p.degree && p.keys && p.spare;
    if (good) {
        find_normals(figure, figure->positions, p.rest);
        for (long c = 0; c < 3L * figure->triangle_count; c++) p.degree[figure->triangles[c]]++;
        p.spacing = mean_edge(figure);
        p.cell = (DEEPEST + figure->gap) / 2 + ASIDE * p.spacing;
        for (int round = 0; round < ROUNDS && give_way(&p, round == 0) >= ENOUGH; round++) continue;
    }
    wf_free(a, p.normals);
    wf_free(a, p.rest);
    wf_free(a, p.retreat);
    wf_free(a, p.mean);
    wf_free(a, p.degree);
    wf_free(a, p.keys);
    wf_free(a, p.spare);
    return good ? WEFT_OK : WEFT_ERROR_MEMORY;
}

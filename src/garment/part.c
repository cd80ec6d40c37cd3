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
// Mannequins that are mirrored to the bit stay so: see the order of their vertices and triangles,
// mannequin.c.

#include "garment/part.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "mesh/normals.h"

#define DEEPEST 0.06  // m, that limbs may have gone into each other
#define OF_REST 0.6   // of the distance at rest: creases close
#define FACING -0.2   // cosine between normals
#define AHEAD -0.25   // of the distance at rest: how far behind i's surface j may have been
#define ASIDE 1.2     // edges: how far from straight ahead
#define ENOUGH 5e-4   // m
#define CELL 1.2      // edges
enum { ROUNDS = 6, SPREAD = 4, MOST_GROWTHS = 60 };

typedef struct Parting {
    const WeftFigure* figure;
    int n;
    double* x;               // posed
    double *normals, *rest;  // 3 per vertex: posed, and at rest
    double* retreat;         // per vertex, m
    double* mean;            // scratch
    int* degree;             // per vertex: triangles
    double spacing;          // mean edge
    double cell;             // of a grid around x: vertices by cell, those along x side by side
    double corner[3];
    int counts[3], *starts, *vertices;
    double* looks;  // normals, in the order of `vertices`
} Parting;

static double most_cells(int vertex_count) { return 8.0 * vertex_count + 64; }

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
// Cells of space

static int cell_of(const Parting* p, double at, int axis) {
    double cell = floor((at - p->corner[axis]) / p->cell);
    return (int)fmax(0, fmin(cell, p->counts[axis] - 1));
}

static int row_of(const Parting* p, int y, int z) { return (z * p->counts[1] + y) * p->counts[0]; }

static int cell_at(const Parting* p, int vertex) {
    WfVec x = wf_load(p->x, vertex);
    return row_of(p, cell_of(p, x.y, 1), cell_of(p, x.z, 2)) + cell_of(p, x.x, 0);
}

// The grid around x: cells of some edges, larger where there would be too many of them; a single
// one, where x is no body.
static void lay_grid(Parting* p) {
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (long i = 0; i < 3L * p->n; i++) {
        low[i % 3] = fmin(low[i % 3], p->x[i]);
        high[i % 3] = fmax(high[i % 3], p->x[i]);
    }
    memcpy(p->corner, low, sizeof low);
    p->cell = CELL * p->spacing;
    for (int k = 0; k < MOST_GROWTHS; k++, p->cell *= 1.3) {
        double counts[3], all = 1;
        for (int axis = 0; axis < 3; axis++)
            all *= counts[axis] = floor((high[axis] - low[axis]) / p->cell) + 1;
        if (!(all >= 1 && all <= most_cells(p->n))) continue;
        for (int axis = 0; axis < 3; axis++) p->counts[axis] = (int)counts[axis];
        return;
    }
    for (int axis = 0; axis < 3; axis++) p->counts[axis] = 1;
}

static void sort_cells(Parting* p) {
    int count = row_of(p, 0, p->counts[2]);
    memset(p->starts, 0, ((size_t)count + 2) * sizeof *p->starts);
    for (int i = 0; i < p->n; i++) p->starts[cell_at(p, i) + 2]++;
    for (int c = 2; c < count + 2; c++) p->starts[c] += p->starts[c - 1];
    for (int i = 0; i < p->n; i++) {
        int k = p->starts[cell_at(p, i) + 1]++;
        p->vertices[k] = i;
        wf_store(p->looks, k, wf_load(p->normals, i));
    }
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

// j's normal faces i's.
static void look_at(const Parting* p, int i, int j, Sight* sight) {
    WfVec n = wf_load(p->normals, i), d = wf_sub(wf_load(p->x, j), wf_load(p->x, i));
    double s = wf_dot(d, n), ahead;
    if (s > p->figure->gap || s < -DEEPEST) return;
    double aside = wf_length(wf_madd(d, -s, n));
    if (aside > sight->aside || !were_facing(p, i, j, &ahead)) return;
    sight->aside = aside;
    sight->lack = fmin(p->figure->gap, ahead > 0 ? OF_REST * ahead : ahead) - s;
}

// What may be ahead of i is in the cells around the line from DEEPEST behind it to the gap ahead.
static double look_ahead(const Parting* p, int i) {
    double aside = ASIDE * p->spacing;
    Sight sight = {.aside = aside};
    WfVec x = wf_load(p->x, i), n = wf_load(p->normals, i);
    WfVec a = wf_madd(x, -DEEPEST, n), b = wf_madd(x, p->figure->gap, n);
    int left = cell_of(p, fmin(a.x, b.x) - aside, 0), right = cell_of(p, fmax(a.x, b.x) + aside, 0);
    int top = cell_of(p, fmax(a.y, b.y) + aside, 1), back = cell_of(p, fmax(a.z, b.z) + aside, 2);
    for (int z = cell_of(p, fmin(a.z, b.z) - aside, 2); z <= back; z++) {
        for (int y = cell_of(p, fmin(a.y, b.y) - aside, 1); y <= top; y++) {
            int row = row_of(p, y, z), end = p->starts[row + right + 1];
            for (int k = p->starts[row + left]; k < end; k++)
                if (wf_dot(n, wf_load(p->looks, k)) < FACING) look_at(p, i, p->vertices[k], &sight);
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
        for (int k = 0; k < 3; k++)
            p->mean[v[k]] += (p->retreat[v[(k + 1) % 3]] + p->retreat[v[(k + 2) % 3]]) / 2;
    }
    for (int i = 0; i < p->n; i++)
        if (p->degree[i] > 0) p->retreat[i] = fmax(p->retreat[i], p->mean[i] / p->degree[i]);
}

// One round; returns the most that was missing.
static double give_way(Parting* p, bool first) {
    double most = 0;
    find_normals(p->figure, p->x, p->normals);
    lay_grid(p);
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
    p.starts = wf_alloc(a, (size_t)most_cells(p.n) + 2, sizeof(int));
    p.vertices = wf_alloc(a, n, sizeof(int));
    p.looks = wf_alloc(a, 3 * n, sizeof(double));
    bool good =
        p.normals && p.rest && p.retreat && p.mean && p.degree && p.starts && p.vertices && p.looks;
    if (good) {
        find_normals(figure, figure->positions, p.rest);
        for (long c = 0; c < 3L * figure->triangle_count; c++) p.degree[figure->triangles[c]]++;
        p.spacing = mean_edge(figure);
        for (int round = 0; round < ROUNDS && give_way(&p, round == 0) >= ENOUGH; round++) continue;
    }
    wf_free(a, p.normals);
    wf_free(a, p.rest);
    wf_free(a, p.retreat);
    wf_free(a, p.mean);
    wf_free(a, p.degree);
    wf_free(a, p.starts);
    wf_free(a, p.vertices);
    wf_free(a, p.looks);
    return good ? WEFT_OK : WEFT_ERROR_MEMORY;
}

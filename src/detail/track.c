// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// With S from coarse vertices to dense ones, the coarse cloth sees of a dense y what is left of it
// by S^T M: of all S c the nearest to y, by mass, has S^T M S c = S^T M y. A push a = S c / h^2
// with
//
//     S^T M S c = S^T M (S x - y - h v)
//
// takes a dense cloth that would go on with v to where the coarse one sees it at x; whatever is
// finer than the coarse mesh is free, and so are contacts and stiffness to take it elsewhere, which
// the next step then sees. (Bergou et al. 2007 constrain to such test functions; a push leaves the
// step as it is, with bodies in the way.)
//
// What is finer is dragged along by the coarse cloth where that has a velocity: left to itself, it
// would swing on for a second, by motions that are gone from the coarse cloth, and could not be
// told from what that does now.
//
// The matrix is that of masses of linear triangles, scaled by its diagonal: conjugate gradients
// take some ten iterations.

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/vec.h"
#include "sim/state.h"
#include "sparse/pattern.h"
#include "weft/weft_detail.h"

static const double TOLERANCE = 1e-6;  // of the right-hand side
static const double DRAG = 120;        // 1/s
enum { MOST_ITERATIONS = 100 };

struct WeftTracker {
    WeftAllocator allocator;
    const WeftModel* model;  // dense
    int coarse_count, count;
    int* corners;
    double *weights, *masses;
    WfPattern pattern;  // of the coarse vertices
    double *values, *diagonal;
    double *right, *found, *direction, *image;  // 3 per coarse vertex
    double* pushes;                             // 3 per dense vertex
};

// ---------------------------------------------------------------------------------------------
// From coarse to dense and back

static WfVec mix(const WeftTracker* t, const double* coarse, int i) {
    WfVec sum = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        sum =
            wf_madd(sum, t->weights[3 * (long)i + k], wf_load(coarse, t->corners[3 * (long)i + k]));
    return sum;
}

static void gather(const WeftTracker* t, int i, WfVec v, double* coarse) {
    for (int k = 0; k < 3; k++)
        wf_accumulate(coarse, t->corners[3 * (long)i + k], t->weights[3 * (long)i + k], v);
}

// ---------------------------------------------------------------------------------------------
// The masses of coarse vertices

static WeftResult make_pattern(WeftTracker* t) {
    int count = 3 * t->count;
    int* pairs = wf_alloc(&t->allocator, 2 * (size_t)count, sizeof(int));
    if (!pairs) return WEFT_ERROR_MEMORY;
    for (int c = 0; c < count; c++) {
        int next = c % 3 == 2 ? c - 2 : c + 1;
        pairs[2 * (long)c] = t->corners[c];
        pairs[2 * (long)c + 1] = t->corners[next];
    }
    WeftResult result =
        wf_pattern_create(&t->allocator, t->coarse_count, count, pairs, &t->pattern);
    wf_free(&t->allocator, pairs);
    return result;
}

static void fill_values(WeftTracker* t) {
    for (int i = 0; i < t->count; i++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) {
                const int* v = t->corners + 3 * (long)i;
                const double* w = t->weights + 3 * (long)i;
                if (w[a] == 0 || w[b] == 0) continue;
                t->values[wf_pattern_find(&t->pattern, v[a], v[b])] += t->masses[i] * w[a] * w[b];
            }
    for (int i = 0; i < t->coarse_count; i++)
        t->diagonal[i] = t->values[wf_pattern_find(&t->pattern, i, i)];
}

static void multiply(const WeftTracker* t, const double* x, double* y) {
    for (int i = 0; i < t->coarse_count; i++) {
        WfVec sum = {0, 0, 0};
        for (int k = t->pattern.start[i]; k < t->pattern.start[i + 1]; k++)
            sum = wf_madd(sum, t->values[k], wf_load(x, t->pattern.index[k]));
        wf_store(y, i, sum);
    }
}

static double dot(const WeftTracker* t, const double* a, const double* b, bool scaled) {
    double sum = 0;
    for (int i = 0; i < t->coarse_count; i++) {
        double part = wf_dot(wf_load(a, i), wf_load(b, i)), d = scaled ? t->diagonal[i] : 1;
        if (d > 0) sum += part / d;
    }
    return sum;
}

// found: what solves with `right`, which becomes what is left of it.
static void solve(const WeftTracker* t) {
    int n = 3 * t->coarse_count;
    double *r = t->right, *x = t->found, *p = t->direction, *q = t->image;
    memset(x, 0, (size_t)n * sizeof *x);
    memset(p, 0, (size_t)n * sizeof *p);
    double before = 1, start = dot(t, r, r, true), now = start;
    for (int k = 0; k < MOST_ITERATIONS && now > TOLERANCE * TOLERANCE * start; k++) {
        for (int i = 0; i < n; i++) {
            double d = t->diagonal[i / 3];
            p[i] = (d > 0 ? r[i] / d : 0) + (k > 0 ? now / before : 0) * p[i];
        }
        multiply(t, p, q);
        double step = now / dot(t, p, q, false);
        for (int i = 0; i < n; i++) x[i] += step * p[i], r[i] -= step * q[i];
        before = now;
        now = dot(t, r, r, true);
    }
}

// ---------------------------------------------------------------------------------------------
// Life

static bool allocate(WeftTracker* t) {
    size_t coarse = 3 * (size_t)t->coarse_count, dense = (size_t)t->count;
    t->corners = wf_alloc(&t->allocator, 3 * dense, sizeof(int));
    t->weights = wf_alloc(&t->allocator, 3 * dense, sizeof(double));
    t->masses = wf_alloc(&t->allocator, dense, sizeof(double));
    t->pushes = wf_alloc(&t->allocator, 3 * dense, sizeof(double));
    t->diagonal = wf_alloc(&t->allocator, (size_t)t->coarse_count, sizeof(double));
    double** arrays[] = {&t->right, &t->found, &t->direction, &t->image};
    bool good = t->corners && t->weights && t->masses && t->pushes && t->diagonal;
    for (int k = 0; k < 4; k++) {
        *arrays[k] = wf_alloc(&t->allocator, coarse, sizeof(double));
        good = good && *arrays[k];
    }
    return good;
}

static WeftResult check_map(const WeftModel* model, int coarse_count, const WeftRefinement* map,
                            WeftError* error) {
    if (map->vertex_count != model->shown.vertex_count)
        return wf_fail(error, WEFT_ERROR_INPUT, "the map is of %d vertices, the model has %d",
                       map->vertex_count, model->shown.vertex_count);
    for (long k = 0; k < 3L * map->vertex_count; k++)
        if (map->corners[k] < 0 || map->corners[k] >= coarse_count)
            return wf_fail(error, WEFT_ERROR_INPUT, "the map names vertex %d of %d",
                           map->corners[k], coarse_count);
    return WEFT_OK;
}

WeftResult weft_create_tracker(const WeftModel* model, int coarse_count, const WeftRefinement* map,
                               const WeftAllocator* allocator, WeftTracker** tracker,
                               WeftError* error) {
    WeftAllocator own = wf_allocator(allocator);
    *tracker = NULL;
    WeftResult result = check_map(model, coarse_count, map, error);
    if (result) return result;
    WeftTracker* t = wf_alloc(&own, 1, sizeof *t);
    if (!t) return wf_fail_memory(error);
    *t = (WeftTracker){
        .allocator = own, .model = model, .coarse_count = coarse_count, .count = map->vertex_count};
    result = allocate(t) ? WEFT_OK : WEFT_ERROR_MEMORY;
    if (!result) {
        size_t numbers = 3 * (size_t)t->count;
        memcpy(t->corners, map->corners, numbers * sizeof(int));
        memcpy(t->weights, map->weights, numbers * sizeof(double));
        memcpy(t->masses, model->shown.masses, (size_t)t->count * sizeof(double));
        result = make_pattern(t);
    }
    if (!result) t->values = wf_alloc(&own, (size_t)t->pattern.start[coarse_count], sizeof(double));
    if (!result && !t->values) result = WEFT_ERROR_MEMORY;
    if (result) {
        weft_destroy_tracker(t);
        return wf_fail_memory(error);
    }
    fill_values(t);
    *tracker = t;
    return WEFT_OK;
}

void weft_destroy_tracker(WeftTracker* t) {
    if (!t) return;
    WeftAllocator allocator = t->allocator;
    void* all[] = {t->corners, t->weights, t->masses,    t->values, t->diagonal,
                   t->right,   t->found,   t->direction, t->image,  t->pushes};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) wf_free(&allocator, all[k]);
    wf_pattern_destroy(&allocator, &t->pattern);
    wf_free(&allocator, t);
}

const double* weft_track(WeftTracker* t, const WeftState* state, const double* goals,
                         const double* velocities, double dt) {
    double drag = velocities ? DRAG / (1 + DRAG * dt) : 0;
    memset(t->right, 0, 3 * (size_t)t->coarse_count * sizeof(double));
    for (int i = 0; i < t->count; i++) {
        if (weft_is_pinned(state, i)) continue;
        WfVec ahead = wf_madd(wf_load(state->shown_x, i), dt, wf_load(state->shown_v, i));
        gather(t, i, wf_mul(t->masses[i], wf_sub(mix(t, goals, i), ahead)), t->right);
    }
    solve(t);
    for (int i = 0; i < t->count; i++) {
        WfVec push = wf_mul(1 / (dt * dt), mix(t, t->found, i));
        if (drag > 0) {
            WfVec slower = wf_sub(mix(t, velocities, i), wf_load(state->shown_v, i));
            push = wf_madd(push, drag, slower);
        }
        wf_store(t->pushes, i, push);
    }
    return t->pushes;
}

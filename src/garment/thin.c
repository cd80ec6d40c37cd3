// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// One implicit step of diffusion of the coordinates over the surface:
//
//     (M + reach^2 L) x' = M x        M: area of each vertex, L: cotangent Laplacian
//
// which takes away what is shorter than `reach`: around a limb all points go to its axis, along it
// they stay. Garments are closed around such a body, and it grows inside of them.

#include "garment/thin.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "sparse/pattern.h"

#define LEAST_WEIGHT 1e-3  // of an edge, for triangles with blunt corners
#define TOLERANCE 1e-6     // of what conjugate gradients leave
enum { MOST_ITERATIONS = 2000 };

typedef struct Heat {
    WfPattern pattern;
    double* values;     // of the matrix, as the pattern has them
    double* areas;      // per vertex
    double *r, *p, *q;  // 3 per vertex
    int n;
} Heat;

static WeftResult lay_pattern(const WeftAllocator* allocator, int n, int triangle_count,
                              const int* triangles, Heat* heat) {
    int* pairs = wf_alloc(allocator, 6 * (size_t)triangle_count, sizeof *pairs);
    if (!pairs) return WEFT_ERROR_MEMORY;
    for (long t = 0; t < triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            pairs[6 * t + 2 * k] = triangles[3 * t + k];
            pairs[6 * t + 2 * k + 1] = triangles[3 * t + (k + 1) % 3];
        }
    }
    WeftResult result = wf_pattern_create(allocator, n, 3 * triangle_count, pairs, &heat->pattern);
    wf_free(allocator, pairs);
    return result;
}

static void add_weight(Heat* heat, int a, int b, double weight) {
    heat->values[wf_pattern_find(&heat->pattern, a, b)] += weight;
}

// A triangle adds one number to each sum, the same where its second and third corner change places:
// so what is mirrored to the bit stays so.
static void add_triangle(Heat* heat, const double* positions, const int* corner, double strength) {
    WfVec x[3];
    double weights[3];  // of the edge opposite to each corner: its cotangent
    for (int k = 0; k < 3; k++) x[k] = wf_load(positions, corner[k]);
    double twice = wf_length(wf_cross(wf_sub(x[1], x[0]), wf_sub(x[2], x[0])));
    for (int k = 0; k < 3; k++) {
        WfVec a = wf_sub(x[(k + 1) % 3], x[k]), b = wf_sub(x[(k + 2) % 3], x[k]);
        double weight = twice > 0 ? wf_dot(a, b) / (2 * twice) : 0;
        weights[k] = strength * fmin(fmax(weight, LEAST_WEIGHT), 1 / LEAST_WEIGHT);
        heat->areas[corner[k]] += twice / 6;
    }
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3, last = (k + 2) % 3;
        add_weight(heat, corner[next], corner[last], -weights[k]);
        add_weight(heat, corner[last], corner[next], -weights[k]);
        add_weight(heat, corner[k], corner[k], weights[next] + weights[last]);
    }
}

static void build(Heat* heat, const double* positions, int triangle_count, const int* triangles,
                  double reach) {
    for (int t = 0; t < triangle_count; t++)
        add_triangle(heat, positions, triangles + 3 * (long)t, reach * reach);
    for (int i = 0; i < heat->n; i++) {
        if (!(heat->areas[i] > 0)) heat->areas[i] = 1e-12;  // in no triangle: it stays
        heat->values[wf_pattern_find(&heat->pattern, i, i)] += heat->areas[i];
    }
}

// q = A p
static void multiply(const Heat* heat, const double* p, double* q) {
    for (int i = 0; i < heat->n; i++) {
        WfVec sum = {0, 0, 0};
        for (int e = heat->pattern.start[i]; e < heat->pattern.start[i + 1]; e++)
            sum = wf_madd(sum, heat->values[e], wf_load(p, heat->pattern.index[e]));
        wf_store(q, i, sum);
    }
}

static double dot(const double* a, const double* b, int n) {
    double sum = 0;
    for (long i = 0; i < 3L * n; i++) sum += a[i] * b[i];
    return sum;
}

static double diagonal(const Heat* heat, int i) {
    return heat->values[wf_pattern_find(&heat->pattern, i, i)];
}

// p = r / diagonal + beta p; returns r . (r / diagonal)
static double precondition(const Heat* heat, double* q) {
    for (int i = 0; i < heat->n; i++)
        wf_store(q, i, wf_mul(1 / diagonal(heat, i), wf_load(heat->r, i)));
    return dot(heat->r, q, heat->n);
}

// Conjugate gradients for x, from where it is; b = M x at the start.
static void solve(Heat* heat, double* x) {
    size_t size = 3 * (size_t)heat->n;
    multiply(heat, x, heat->q);
    for (int i = 0; i < heat->n; i++)
        wf_store(heat->r, i, wf_sub(wf_mul(heat->areas[i], wf_load(x, i)), wf_load(heat->q, i)));
    double rho = precondition(heat, heat->q), first = rho;
    memcpy(heat->p, heat->q, size * sizeof(double));
    for (int it = 0; it < MOST_ITERATIONS && rho > TOLERANCE * TOLERANCE * first; it++) {
        multiply(heat, heat->p, heat->q);
        double alpha = rho / dot(heat->p, heat->q, heat->n);
        for (size_t i = 0; i < size; i++) x[i] += alpha * heat->p[i];
        for (size_t i = 0; i < size; i++) heat->r[i] -= alpha * heat->q[i];
        double next = precondition(heat, heat->q), beta = next / rho;
        for (size_t i = 0; i < size; i++) heat->p[i] = heat->q[i] + beta * heat->p[i];
        rho = next;
    }
}

WeftResult wf_thin_body(const WeftAllocator* allocator, int vertex_count, const double* positions,
                        int triangle_count, const int* triangles, double reach, double* thin) {
    size_t n = (size_t)vertex_count;
    Heat heat = {.n = vertex_count};
    WeftResult result = lay_pattern(allocator, vertex_count, triangle_count, triangles, &heat);
    if (result) return result;
    heat.values = wf_alloc(allocator, (size_t)heat.pattern.start[n], sizeof(double));
    heat.areas = wf_alloc(allocator, n, sizeof(double));
    heat.r = wf_alloc(allocator, 3 * n, sizeof(double));
    heat.p = wf_alloc(allocator, 3 * n, sizeof(double));
    heat.q = wf_alloc(allocator, 3 * n, sizeof(double));
    if (heat.values && heat.areas && heat.r && heat.p && heat.q) {
        build(&heat, positions, triangle_count, triangles, reach);
        memcpy(thin, positions, 3 * n * sizeof(double));
        solve(&heat, thin);
    } else {
        result = WEFT_ERROR_MEMORY;
    }
    wf_pattern_destroy(allocator, &heat.pattern);
    wf_free(allocator, heat.values);
    wf_free(allocator, heat.areas);
    wf_free(allocator, heat.r);
    wf_free(allocator, heat.p);
    wf_free(allocator, heat.q);
    return result;
}

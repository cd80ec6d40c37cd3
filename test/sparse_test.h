// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the tests of sparse matrices share, in C and C++: an allocator that fails on demand, numbers
// at random, and matrices of cloth as a grid.

#ifndef WEFT_SPARSE_TEST_H
#define WEFT_SPARSE_TEST_H

#ifdef __cplusplus
extern "C" {
#endif
#include "base/memory.h"
#include "sparse/cholesky.h"
#include "sparse/order.h"
#ifdef __cplusplus
}
#endif
#include "test.h"

// Fails when `left` allocations have been made; `out` counts what was not given back.
typedef struct TestMemory {
    int left, out;
} TestMemory;

static inline void* test_allocate(void* user, size_t bytes) {
    TestMemory* memory = (TestMemory*)user;
    if (memory->left-- <= 0) return NULL;
    memory->out++;
    return malloc(bytes);
}

static inline void test_release(void* user, void* block) {
    ((TestMemory*)user)->out--;
    free(block);
}

static inline WeftAllocator test_allocator(TestMemory* memory) {
    WeftAllocator allocator = {test_allocate, test_release, memory};
    return allocator;
}

static inline int random_below(int n) {
    static unsigned state = 1;
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (unsigned)n);
}

static inline double random_unit(void) { return random_below(1 << 20) / (double)(1 << 19) - 1; }

// A random permutation of 0 to n - 1; free it.
static inline int* random_names(int n) {
    int* name = (int*)malloc(((size_t)n + 1) * sizeof(int));
    for (int i = 0; i < n; i++) name[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int j = random_below(i + 1), swap = name[i];
        name[i] = name[j];
        name[j] = swap;
    }
    return name;
}

static inline WfPattern pattern_of(int n, int pair_count, const int* pairs) {
    WeftAllocator allocator = wf_allocator(NULL);
    WfPattern pattern;
    CHECK(wf_pattern_create(&allocator, n, pair_count, pairs, &pattern) == WEFT_OK);
    return pattern;
}

// A grid of w x h vertices, each joined to those at the steps (di, dj): two springs, three with
// the diagonal, six with both diagonals and second neighbours. Names: NULL, or vertex -> row.
enum { GRID_FOUR = 2, GRID_SIX = 3, GRID_TWELVE = 6 };
static inline WfPattern grid_pattern(int w, int h, int step_count, const int* names) {
    static const int step[6][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}, {2, 0}, {0, 2}};
    int* pairs = (int*)malloc(((size_t)w * (size_t)h * 12 + 1) * sizeof(int));
    int count = 0;
    for (int v = 0; v < w * h; v++) {
        for (int s = 0; s < step_count; s++) {
            int i = v % w + step[s][0], j = v / w + step[s][1], u = j * w + i;
            if (i < 0 || i >= w || j >= h) continue;
            pairs[2 * count] = names ? names[v] : v;
            pairs[2 * count + 1] = names ? names[u] : u;
            count++;
        }
    }
    WfPattern pattern = pattern_of(w * h, count, pairs);
    free(pairs);
    return pattern;
}

// Masses of about 1 and springs of about beta along every entry, as an implicit step has them;
// free it.
static inline double* cloth_values(const WfPattern* pattern, double beta) {
    int n = pattern->n;
    double* values = (double*)calloc((size_t)pattern->start[n] + 1, sizeof(double));
    for (int i = 0; i < n; i++) {
        values[wf_pattern_find(pattern, i, i)] += 1 + 0.5 * random_unit();
        for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++) {
            int j = pattern->index[e];
            if (j >= i) continue;
            double k = beta * (1 + 0.5 * random_unit());
            values[e] = values[wf_pattern_find(pattern, j, i)] = -k;
            values[wf_pattern_find(pattern, i, i)] += k;
            values[wf_pattern_find(pattern, j, j)] += k;
        }
    }
    return values;
}

// Three right-hand sides; free them.
static inline double* random_sides(int n) {
    double* b = (double*)malloc((3 * (size_t)n + 1) * sizeof(double));
    for (int i = 0; i < 3 * n; i++) b[i] = random_unit();
    return b;
}

// An order, its shape and room for a factor; release_system frees all of it but the pattern.
typedef struct TestSystem {
    const WfPattern* pattern;
    int* order;
    WfCholesky cholesky;
    double* factor;
    double* scratch;
} TestSystem;

static inline TestSystem system_of(const WfPattern* pattern) {
    WeftAllocator allocator = wf_allocator(NULL);
    TestSystem s;
    s.pattern = pattern;
    s.order = (int*)malloc(((size_t)pattern->n + 1) * sizeof(int));
    CHECK(wf_order_rcm(&allocator, pattern, s.order) == WEFT_OK);
    CHECK(wf_cholesky_create(&allocator, pattern, s.order, &s.cholesky) == WEFT_OK);
    s.factor = (double*)malloc(wf_cholesky_value_count(&s.cholesky) * sizeof(double) + 1);
    s.scratch = (double*)malloc(3 * (size_t)pattern->n * sizeof(double) + 1);
    return s;
}

static inline void release_system(TestSystem* s) {
    WeftAllocator allocator = wf_allocator(NULL);
    wf_cholesky_destroy(&allocator, &s->cholesky);
    free(s->order);
    free(s->factor);
    free(s->scratch);
}

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the tests of sparse matrices share, in C and C++: an allocator that fails on demand, numbers
// at random, matrices of cloth as a grid, elimination as one would do it by hand, and a factor with
// all that it takes.

#ifndef WEFT_SPARSE_TEST_H
#define WEFT_SPARSE_TEST_H

#ifdef __cplusplus
extern "C" {
#endif
#include "base/memory.h"
#include "sparse/order.h"
#include "sparse/solve.h"
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

static unsigned random_state = 1;

static inline int random_below(int n) {
    random_state = random_state * 1664525u + 1013904223u;
    return (int)((random_state >> 8) % (unsigned)n);
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
// With twelve neighbours this is large enough for threads: 16 subtrees and more.
enum { LARGE_W = 100, LARGE_H = 95, LARGE_N = LARGE_W * LARGE_H };
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

// Any graph: so many pairs at random.
static inline WfPattern scattered_pattern(int n, int pair_count) {
    int* pairs = (int*)malloc(((size_t)pair_count * 2 + 1) * sizeof(int));
    for (int i = 0; i < 2 * pair_count; i++) pairs[i] = random_below(n);
    WfPattern pattern = pattern_of(n, pair_count, pairs);
    free(pairs);
    return pattern;
}

// Two blocks of `width` rows hang from one of `height`; all rows of a block are joined.
static inline WfPattern blocks_pattern(int width, int height) {
    int n = 2 * width + height, count = 0;
    int* pairs = (int*)malloc((size_t)(n * n) * sizeof(int) + 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (i >= 2 * width || (i < width) == (j < width)) {
                pairs[2 * count] = i;
                pairs[2 * count++ + 1] = j;
            }
    WfPattern pattern = pattern_of(n, count, pairs);
    free(pairs);
    return pattern;
}

// Where L has entries, by eliminating row after row: full[i * n + j] for row i and column j <= i,
// in the numbers of the order (NULL: as it is). Free it.
static inline unsigned char* symbolic_factor(const WfPattern* pattern, const int* order) {
    int n = pattern->n;
    unsigned char* full = (unsigned char*)calloc((size_t)n * (size_t)n + 1, 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            full[i * n + j] =
                wf_pattern_find(pattern, order ? order[i] : i, order ? order[j] : j) >= 0;
    for (int j = 0; j < n; j++)
        for (int i = j + 1; i < n; i++)
            for (int k = i; full[i * n + j] && k < n; k++)
                if (full[k * n + j]) full[k * n + i] = 1;
    return full;
}

static inline int count_entries(const unsigned char* full, int n) {
    int count = 0;
    for (int i = 0; i < n * n; i++) count += full[i];
    return count;
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

// x = A^-1 b by a dense L L^T in double; fixed rows (or NULL) are rows of the identity.
static inline void dense_solve(const WfPattern* pattern, const double* values,
                               const unsigned char* fixed, const double* b, double* x) {
    int n = pattern->n;
    double* L = (double*)calloc((size_t)n * (size_t)n + 1, sizeof(double));
    for (int i = 0; i < n; i++)
        for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++) {
            int j = pattern->index[e];
            L[i * n + j] = fixed && (fixed[i] || fixed[j]) ? i == j : values[e];
        }
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double sum = L[i * n + j];
            for (int k = 0; k < j; k++) sum -= L[i * n + k] * L[j * n + k];
            L[i * n + j] = i == j ? sqrt(sum) : sum / L[j * n + j];
        }
    for (int d = 0; d < 3; d++) {
        for (int i = 0; i < n; i++) {
            double sum = b[3 * i + d];
            for (int k = 0; k < i; k++) sum -= L[i * n + k] * x[3 * k + d];
            x[3 * i + d] = sum / L[i * n + i];
        }
        for (int i = n - 1; i >= 0; i--) {
            double sum = x[3 * i + d];
            for (int k = i + 1; k < n; k++) sum -= L[k * n + i] * x[3 * k + d];
            x[3 * i + d] = sum / L[i * n + i];
        }
    }
    free(L);
}

// |x - y| / |y|
static inline double difference_of(int n, const double* x, const double* y) {
    double error = 0, size = 0;
    for (int i = 0; i < 3 * n; i++) {
        error += (x[i] - y[i]) * (x[i] - y[i]);
        size += y[i] * y[i];
    }
    return size > 0 ? sqrt(error / size) : sqrt(error);
}

// Three right-hand sides; free them.
static inline double* random_sides(int n) {
    double* b = (double*)calloc(3 * (size_t)n + 1, sizeof(double));
    for (int i = 0; i < 3 * n; i++) b[i] = random_unit();
    return b;
}

// An analysed order, and room for a factor; release_system frees all of it but the pattern.
typedef struct TestSystem {
    const WfPattern* pattern;
    int* order;
    WfCholesky cholesky;
    WfCholeskyWork work;
    WeftJobs jobs;                // one thread
    const WfSolveKernel* kernel;  // the plain one
    float* factor;
    float* slots;
} TestSystem;

// differs: rows in which a normal matrix does; or NULL
static inline TestSystem system_with(const WfPattern* pattern, const int* order,
                                     const unsigned char* differs) {
    WeftAllocator allocator = wf_allocator(NULL);
    TestSystem s;
    memset(&s, 0, sizeof s);
    s.pattern = pattern;
    s.jobs.thread_count = 1;
    s.kernel = &wf_solve_plain;
    s.order = (int*)malloc(((size_t)pattern->n + 1) * sizeof(int));
    if (order)
        memcpy(s.order, order, (size_t)pattern->n * sizeof(int));
    else
        CHECK(wf_order_minimum_degree(&allocator, pattern, s.order) == WEFT_OK);
    CHECK(wf_cholesky_create(&allocator, pattern, s.order, differs, &s.cholesky) == WEFT_OK);
    CHECK(wf_cholesky_create_work(&allocator, &s.cholesky, &s.work) == WEFT_OK);
    s.factor = (float*)malloc(wf_cholesky_value_count(&s.cholesky) * sizeof(float) + 1);
    s.slots = (float*)malloc(wf_solve_scratch_count(&s.cholesky) * sizeof(float) + 1);
    return s;
}

static inline TestSystem system_in_order(const WfPattern* pattern, const int* order) {
    return system_with(pattern, order, NULL);
}

static inline TestSystem system_of(const WfPattern* pattern) {
    return system_in_order(pattern, NULL);
}

static inline void release_system(TestSystem* s) {
    WeftAllocator allocator = wf_allocator(NULL);
    wf_cholesky_destroy_work(&allocator, &s->work);
    wf_cholesky_destroy(&allocator, &s->cholesky);
    free(s->order);
    free(s->factor);
    free(s->slots);
}

static inline int factor_system(const TestSystem* s, const double* values,
                                const unsigned char* fixed) {
    WfCholeskyInput input = {values, fixed, NULL, NULL};
    return wf_cholesky_factor(&s->cholesky, &s->jobs, &input, &s->work, s->factor);
}

static inline WfSolve solve_of(const TestSystem* s) {
    WfSolve solve = {&s->cholesky, s->kernel, &s->jobs, s->factor, s->slots, false, NULL};
    return solve;
}

static inline void solve_system(const TestSystem* s, const double* b, double* x) {
    WfSolve solve = solve_of(s);
    wf_solve(&solve, b, x);
}

// r = b - A x, with fixed rows as rows of the identity; returns |r| / |b|.
static inline double residual_of(const WfPattern* pattern, const double* values,
                                 const unsigned char* fixed, const double* b, const double* x,
                                 double* r) {
    double rr = 0, bb = 0;
    for (int i = 0; i < pattern->n; i++)
        for (int d = 0; d < 3; d++) {
            double sum = b[3 * i + d];
            for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++) {
                int j = pattern->index[e];
                if (fixed && (fixed[i] || fixed[j])) continue;
                sum -= values[e] * x[3 * j + d];
            }
            if (fixed && fixed[i]) sum -= x[3 * i + d];
            r[3 * i + d] = sum;
            rr += sum * sum;
            bb += b[3 * i + d] * b[3 * i + d];
        }
    return bb > 0 ? sqrt(rr / bb) : sqrt(rr);
}

// x <- x + A^-1 (b - A x), so many times; returns the residual left.
static inline double refine(const TestSystem* s, const double* values, const unsigned char* fixed,
                            int times, const double* b, double* x) {
    int n = s->pattern->n;
    double* r = (double*)malloc((3 * (size_t)n + 1) * sizeof(double));
    double left = residual_of(s->pattern, values, fixed, b, x, r);
    for (int k = 0; k < times; k++) {
        solve_system(s, r, r);
        for (int i = 0; i < 3 * n; i++) x[i] += r[i];
        left = residual_of(s->pattern, values, fixed, b, x, r);
    }
    free(r);
    return left;
}

#endif

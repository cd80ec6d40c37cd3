// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards sparse/cholesky.c: factors solve, fixed rows are exact, what is not positive is named.

#include "base/hash.h"
#include "sparse_test.h"

typedef struct Errors {
    double residual;  // |A x - b| / |b|
    double backward;  // |A x - b| / (|A| |x| + |b|): how far the system that x solves is from ours
} Errors;

// Norms over the three right-hand sides; |A| is the largest sum of a row.
static Errors errors_of(const WfPattern* pattern, const double* values, const double* x,
                        const double* b) {
    double r2 = 0, b2 = 0, x2 = 0, A = 0;
    for (int i = 0; i < pattern->n; i++) {
        double sum = 0;
        for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++) sum += fabs(values[e]);
        A = fmax(A, sum);
        for (int d = 0; d < 3; d++) {
            double r = -b[3 * i + d];
            for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++)
                r += values[e] * x[3 * pattern->index[e] + d];
            r2 += r * r;
            b2 += b[3 * i + d] * b[3 * i + d];
            x2 += x[3 * i + d] * x[3 * i + d];
        }
    }
    return (Errors){sqrt(r2 / b2), sqrt(r2) / (A * sqrt(x2) + sqrt(b2))};
}

// Rounding x alone leaves a residual of 1e-16 |A| |x|, and |x| is about |b| where masses are 1:
// that is 1e-16 beta times the number of neighbours.
static void check_errors(const WfPattern* pattern, const double* values, const double* x,
                         const double* b, double beta) {
    Errors errors = errors_of(pattern, values, x, b);
    CHECK_BELOW(errors.backward, 1e-15);
    CHECK_BELOW(errors.residual, beta <= 1e3 ? 1e-12 : 1e-15 * beta);
}

// Factors and solves once, in place; destroys the pattern.
static void check_solve(WfPattern pattern, double beta) {
    WeftAllocator allocator = wf_allocator(NULL);
    TestSystem s = system_of(&pattern);
    double* values = cloth_values(&pattern, beta);
    double* b = random_sides(pattern.n);
    double* x = malloc(3 * (size_t)pattern.n * sizeof(double) + 1);
    memcpy(x, b, 3 * (size_t)pattern.n * sizeof(double));
    CHECK(wf_cholesky_factor(&s.cholesky, values, NULL, s.factor) == -1);
    wf_cholesky_solve(&s.cholesky, s.factor, x, x, s.scratch);
    check_errors(&pattern, values, x, b, beta);
    free(x);
    free(b);
    free(values);
    release_system(&s);
    wf_pattern_destroy(&allocator, &pattern);
}

static void check_pairs(int n, int pair_count, const int* pairs, double beta) {
    check_solve(pattern_of(n, pair_count, pairs), beta);
}

static void check_grid(int w, int h, int steps, double beta) {
    int* names = random_names(w * h);
    check_solve(grid_pattern(w, h, steps, names), beta);
    free(names);
}

static void no_vertex(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    WfPattern pattern = pattern_of(0, 0, NULL);
    TestSystem s = system_of(&pattern);
    double none[1] = {0};
    CHECK(wf_cholesky_value_count(&s.cholesky) == 0);
    CHECK(wf_cholesky_factor(&s.cholesky, none, NULL, s.factor) == -1);
    wf_cholesky_solve(&s.cholesky, s.factor, none, none, s.scratch);
    release_system(&s);
    wf_pattern_destroy(&allocator, &pattern);
}

static void one_vertex(void) { check_pairs(1, 0, NULL, 1); }

static void two_vertices(void) { check_pairs(2, 1, (int[]){0, 1}, 1e5); }

static void disconnected(void) { check_pairs(11, 4, (int[]){0, 7, 3, 4, 9, 10, 4, 8}, 100); }

static void dense(void) {
    int pairs[2 * 30 * 30], count = 0;
    for (int n = 3; n <= 30; n++) {  // all heights of the last panel
        count = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++) pairs[2 * count] = i, pairs[2 * count++ + 1] = j;
        check_pairs(n, count, pairs, 10);
    }
}

static void grids_from_soft_to_stiff(void) {
    static const int size[][2] = {{3, 3}, {13, 13}, {33, 33}, {50, 21}};
    for (int k = 0; k < 4; k++)
        for (double beta = 1; beta <= 1e5; beta *= 10) {
            check_grid(size[k][0], size[k][1], GRID_SIX, beta);
            check_grid(size[k][0], size[k][1], GRID_TWELVE, beta);
        }
}

static void large_grid(void) { check_grid(120, 110, GRID_TWELVE, 1e4); }

// The identity gives back what it is given, to the bit.
static void identity(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    WfPattern pattern = grid_pattern(9, 7, GRID_SIX, NULL);
    TestSystem s = system_of(&pattern);
    double* values = calloc((size_t)pattern.start[63], sizeof(double));
    for (int i = 0; i < 63; i++) values[wf_pattern_find(&pattern, i, i)] = 1;
    double* b = random_sides(63);
    double x[3 * 63];
    CHECK(wf_cholesky_factor(&s.cholesky, values, NULL, s.factor) == -1);
    wf_cholesky_solve(&s.cholesky, s.factor, b, x, s.scratch);
    CHECK(memcmp(x, b, sizeof x) == 0);
    free(b);
    free(values);
    release_system(&s);
    wf_pattern_destroy(&allocator, &pattern);
}

// The part of a matrix that is left without the fixed rows: `left` is row -> row left, or -1.
static WfPattern rows_left(const WfPattern* pattern, const double* values, const int* left,
                           int count, double* values_left) {
    int* pairs = malloc(2 * (size_t)pattern->start[pattern->n] * sizeof(int));
    int pair_count = 0;
    for (int i = 0; i < pattern->n; i++)
        for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++) {
            int j = pattern->index[e];
            if (left[i] < 0 || left[j] < 0) continue;
            pairs[2 * pair_count] = left[i];
            pairs[2 * pair_count++ + 1] = left[j];
        }
    WfPattern part = pattern_of(count, pair_count, pairs);
    for (int i = 0; i < pattern->n; i++)
        for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++) {
            int j = pattern->index[e];
            if (left[i] < 0 || left[j] < 0) continue;
            values_left[wf_pattern_find(&part, left[i], left[j])] = values[e];
        }
    free(pairs);
    return part;
}

static void fixed_rows_are_as_if_removed(void) {
    enum { W = 14, N = W * W };
    WeftAllocator allocator = wf_allocator(NULL);
    int* names = random_names(N);
    WfPattern pattern = grid_pattern(W, W, GRID_TWELVE, names), part;
    double* values = cloth_values(&pattern, 1000);
    double* values_left = calloc((size_t)pattern.start[N], sizeof(double));
    double *b = random_sides(N), *x = random_sides(N), *b_left = random_sides(N);
    unsigned char fixed[N];
    int left[N], count = 0;
    for (int i = 0; i < N; i++) {
        fixed[i] = random_below(5) == 0;
        left[i] = fixed[i] ? -1 : count++;
    }
    for (int i = 0; i < N; i++)
        for (int d = 0; d < 3 && !fixed[i]; d++) b_left[3 * left[i] + d] = b[3 * i + d];
    part = rows_left(&pattern, values, left, count, values_left);

    TestSystem whole = system_of(&pattern), rest = system_of(&part);
    CHECK(wf_cholesky_factor(&whole.cholesky, values, fixed, whole.factor) == -1);
    CHECK(wf_cholesky_factor(&rest.cholesky, values_left, NULL, rest.factor) == -1);
    wf_cholesky_solve(&whole.cholesky, whole.factor, b, x, whole.scratch);
    wf_cholesky_solve(&rest.cholesky, rest.factor, b_left, b_left, rest.scratch);
    for (int i = 0; i < N; i++)
        for (int d = 0; d < 3; d++) {
            if (fixed[i])
                CHECK(x[3 * i + d] == b[3 * i + d]);
            else
                CHECK_NEAR(x[3 * i + d], b_left[3 * left[i] + d], 1e-12);
        }
    release_system(&whole);
    release_system(&rest);
    wf_pattern_destroy(&allocator, &pattern);
    wf_pattern_destroy(&allocator, &part);
    free(names);
    free(values);
    free(values_left);
    free(b);
    free(x);
    free(b_left);
}

static void all_rows_fixed(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    WfPattern pattern = grid_pattern(3, 3, GRID_SIX, NULL);
    TestSystem s = system_of(&pattern);
    double values[81], *b = random_sides(9), x[27];
    unsigned char fixed[9];
    memset(fixed, 1, sizeof fixed);
    for (int e = 0; e < 81; e++) values[e] = NAN;  // of no consequence
    CHECK(wf_cholesky_factor(&s.cholesky, values, fixed, s.factor) == -1);
    wf_cholesky_solve(&s.cholesky, s.factor, b, x, s.scratch);
    CHECK(memcmp(x, b, sizeof x) == 0);
    free(b);
    release_system(&s);
    wf_pattern_destroy(&allocator, &pattern);
}

// Each row in turn gets a diagonal that no factor takes, and is named.
static void bad_pivots_are_named(void) {
    static const double bad[] = {-1, 0, NAN, INFINITY, -INFINITY};
    WeftAllocator allocator = wf_allocator(NULL);
    int* names = random_names(30);
    WfPattern pattern = grid_pattern(6, 5, GRID_TWELVE, names);
    TestSystem s = system_of(&pattern);
    double* values = cloth_values(&pattern, 10);
    for (int i = 0; i < 30; i++) {
        double* diagonal = values + wf_pattern_find(&pattern, i, i);
        double good = *diagonal;
        for (int k = 0; k < 5; k++) {
            *diagonal = bad[k];
            CHECK(wf_cholesky_factor(&s.cholesky, values, NULL, s.factor) == i);
        }
        *diagonal = good;
        CHECK(wf_cholesky_factor(&s.cholesky, values, NULL, s.factor) == -1);
    }
    free(values);
    release_system(&s);
    wf_pattern_destroy(&allocator, &pattern);
    free(names);
}

// An entry beside the diagonal that is not a number shows in the later of its two rows.
static void bad_entries_are_named(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    WfPattern pattern = grid_pattern(6, 5, GRID_SIX, NULL);
    TestSystem s = system_of(&pattern);
    double* values = cloth_values(&pattern, 10);
    const int* place = s.cholesky.place;
    for (int j = 1; j < 30; j++) {
        int i = j - 1, e = wf_pattern_find(&pattern, i, j);
        if (e < 0) continue;
        int mirror = wf_pattern_find(&pattern, j, i);
        double good = values[e];
        values[e] = values[mirror] = NAN;
        int later = place[i] > place[j] ? i : j;
        CHECK(wf_cholesky_factor(&s.cholesky, values, NULL, s.factor) == later);
        values[e] = values[mirror] = good;
    }
    free(values);
    release_system(&s);
    wf_pattern_destroy(&allocator, &pattern);
}

// One shape takes many factors, and nothing of the last one is left.
static void refactor_is_as_new(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    WfPattern pattern = grid_pattern(17, 12, GRID_TWELVE, NULL);
    TestSystem s = system_of(&pattern);
    size_t bytes = wf_cholesky_value_count(&s.cholesky) * sizeof(double);
    double *soft = cloth_values(&pattern, 1), *stiff = cloth_values(&pattern, 1e4);
    double *first = malloc(bytes), *b = random_sides(17 * 12), *x = random_sides(17 * 12);
    memset(first, 0xff, bytes);  // NaN
    CHECK(wf_cholesky_factor(&s.cholesky, soft, NULL, first) == -1);
    CHECK(wf_cholesky_factor(&s.cholesky, stiff, NULL, s.factor) == -1);
    wf_cholesky_solve(&s.cholesky, s.factor, b, x, s.scratch);
    check_errors(&pattern, stiff, x, b, 1e4);
    CHECK(wf_cholesky_factor(&s.cholesky, soft, NULL, s.factor) == -1);
    CHECK(memcmp(first, s.factor, bytes) == 0);
    wf_cholesky_solve(&s.cholesky, s.factor, b, x, s.scratch);
    check_errors(&pattern, soft, x, b, 1);
    free(soft);
    free(stiff);
    free(first);
    free(b);
    free(x);
    release_system(&s);
    wf_pattern_destroy(&allocator, &pattern);
}

// The values that are stored: zeros above the diagonal, the identity beyond the last row.
static void stored_as_the_header_says(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    WfPattern pattern = pattern_of(2, 1, (int[]){0, 1});
    WfCholesky cholesky;
    CHECK(wf_cholesky_create(&allocator, &pattern, (int[]){1, 0}, &cholesky) == WEFT_OK);
    CHECK(wf_cholesky_value_count(&cholesky) == 16 && cholesky.panel_count == 1);
    double factor[16];
    // A = [5 2; 2 4] in the matrix' order: row 1 first, L = [2 0; 1 2]
    CHECK(wf_cholesky_factor(&cholesky, (double[]){5, 2, 2, 4}, NULL, factor) == -1);
    static const double expected[16] = {0.5, 0, 0, 0, 1, 0.5, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    CHECK(memcmp(factor, expected, sizeof factor) == 0);
    wf_cholesky_destroy(&allocator, &cholesky);
    wf_pattern_destroy(&allocator, &pattern);
}

// Bits of a solution, the same on every machine and compiler.
static void same_bits_everywhere(void) {
    enum { N = 19 * 23 };
    WeftAllocator allocator = wf_allocator(NULL);
    WfPattern pattern = grid_pattern(19, 23, GRID_TWELVE, NULL);
    TestSystem s = system_of(&pattern);
    double* values = calloc((size_t)pattern.start[N], sizeof(double));
    for (int i = 0; i < N; i++)
        for (int e = pattern.start[i]; e < pattern.start[i + 1]; e++)
            values[e] = pattern.index[e] == i ? 1000 + i % 7 : -(1 + (i + pattern.index[e]) % 5);
    double x[3 * N];
    for (int i = 0; i < 3 * N; i++) x[i] = i % 11 - 5;
    CHECK(wf_cholesky_factor(&s.cholesky, values, NULL, s.factor) == -1);
    wf_cholesky_solve(&s.cholesky, s.factor, x, x, s.scratch);
    CHECK(wf_hash(WF_HASH_START, x, sizeof x) == UINT64_C(0x1fea0240b6ef2c97));
    free(values);
    release_system(&s);
    wf_pattern_destroy(&allocator, &pattern);
}

static void nth_allocation_fails(void) {
    WfPattern pattern = grid_pattern(4, 5, GRID_SIX, NULL);
    int order[20], n = 0;
    for (int i = 0; i < 20; i++) order[i] = i;
    WeftResult result = WEFT_ERROR_MEMORY;
    for (; result && n < 100; n++) {
        TestMemory memory = {.left = n};
        WeftAllocator allocator = test_allocator(&memory);
        WfCholesky cholesky;
        result = wf_cholesky_create(&allocator, &pattern, order, &cholesky);
        CHECK(result == WEFT_OK || (result == WEFT_ERROR_MEMORY && memory.out == 0));
        CHECK(!result || (cholesky.order == NULL && cholesky.start == NULL));
        wf_cholesky_destroy(&allocator, &cholesky);
        CHECK(memory.out == 0);
    }
    CHECK(result == WEFT_OK && n > 4);
    WeftAllocator allocator = wf_allocator(NULL);
    wf_pattern_destroy(&allocator, &pattern);
}

TEST_MAIN(CASE(no_vertex), CASE(one_vertex), CASE(two_vertices), CASE(disconnected), CASE(dense),
          CASE(grids_from_soft_to_stiff), SLOW_CASE(large_grid), CASE(identity),
          CASE(fixed_rows_are_as_if_removed), CASE(all_rows_fixed), CASE(bad_pivots_are_named),
          CASE(bad_entries_are_named), CASE(refactor_is_as_new), CASE(stored_as_the_header_says),
          CASE(same_bits_everywhere), CASE(nth_allocation_fails))

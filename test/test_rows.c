// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards sparse/rows.c: blocks begun with the scalar matrix and packed products, both against dense
// matrices, however the rows are run.

#include "sparse/rows.h"

#include "energy_test.h"

typedef struct Sample {
    WfBlockPattern blocks;
    WfPattern linear;
    WfRowsPattern pattern;
    WfBlockMatrix matrix;
    double* scalars;  // on the linear pattern
    WfRows rows;
} Sample;

static void open_sample(Sample* s, int n, int block_pairs, int linear_pairs, const int* pairs) {
    WeftAllocator allocator = wf_allocator(NULL);
    CHECK(wf_block_pattern_create(&allocator, n, block_pairs, pairs, &s->blocks) == WEFT_OK);
    CHECK(wf_pattern_create(&allocator, n, linear_pairs, pairs + 2 * block_pairs, &s->linear) ==
          WEFT_OK);
    CHECK(wf_rows_create(&allocator, &s->blocks, &s->linear, &s->pattern) == WEFT_OK);
    s->matrix =
        (WfBlockMatrix){&s->blocks, new_doubles(6L * n), new_doubles(9L * s->blocks.start[n])};
    s->scalars = new_doubles(s->linear.start[n]);
    s->rows = (WfRows){&s->pattern, new_doubles(9L * s->pattern.block_start[n]),
                       new_doubles(s->pattern.scalar_start[n])};
    for (int i = 0; i < 6 * n; i++) s->matrix.diagonal[i] = random_unit();
    for (int i = 0; i < 9 * s->blocks.start[n]; i++) s->matrix.upper[i] = random_unit();
    for (int i = 0; i < n; i++)
        for (int e = s->linear.start[i]; e < s->linear.start[i + 1]; e++)
            s->scalars[e] = s->scalars[wf_pattern_find(&s->linear, s->linear.index[e], i)] =
                random_unit();
}

// Blocks begin with the scalar matrix, whatever they held; then nonlinear terms add to them.
static void fill_sample(Sample* s, const WeftJobs* jobs) {
    int n = s->pattern.n, diagonals = 6 * n, uppers = 9 * s->blocks.start[n];
    wf_rows_start(&s->pattern, jobs, s->scalars, &s->matrix);
    for (int i = 0; i < diagonals; i++) s->matrix.diagonal[i] += 0.125 * (i % 7);
    for (int i = 0; i < uppers; i++) s->matrix.upper[i] += 0.125 * (i % 11);
    wf_rows_fill(&s->rows, jobs, &s->matrix, s->scalars);
}

static void close_sample(Sample* s) {
    WeftAllocator allocator = wf_allocator(NULL);
    double* buffers[] = {s->matrix.diagonal, s->matrix.upper, s->scalars, s->rows.blocks,
                         s->rows.scalars};
    for (int i = 0; i < 5; i++) free(buffers[i]);
    wf_block_pattern_destroy(&allocator, &s->blocks);
    wf_pattern_destroy(&allocator, &s->linear);
    wf_rows_destroy(&allocator, &s->pattern);
    CHECK(s->pattern.block_index == NULL);
}

// every entry once: off the diagonal a block or a scalar, never both
static void check_pattern(const Sample* s) {
    int n = s->pattern.n;
    CHECK(s->pattern.block_start[n] == n + 2 * s->blocks.start[n]);
    for (int i = 0; i < n; i++) {
        CHECK(s->pattern.block_index[s->pattern.block_start[i]] == i);
        for (int e = s->pattern.scalar_start[i]; e < s->pattern.scalar_start[i + 1]; e++) {
            int j = s->pattern.scalar_index[e];
            CHECK(j != i && wf_block_find(&s->blocks, i < j ? i : j, i < j ? j : i) < 0);
        }
    }
}

// What blocks begin with, and nothing else: the scalar matrix where they stand.
static void check_start(Sample* s) {
    static const WeftJobs jobs = {.thread_count = 1};
    int n = s->pattern.n;
    wf_rows_start(&s->pattern, &jobs, s->scalars, &s->matrix);
    double *K = dense_blocks(&s->matrix), *A = dense_scalar(&s->linear, s->scalars);
    for (int i = 0; i < n; i++)
        for (int e = s->pattern.scalar_start[i]; e < s->pattern.scalar_start[i + 1]; e++)
            for (int a = 0; a < 3; a++)
                K[(3L * i + a) * 3 * n + 3 * s->pattern.scalar_index[e] + a] =
                    s->scalars[s->pattern.scalar_source[e]];
    CHECK(largest_difference(K, A, 9L * n * n) == 0);
    free(K);
    free(A);
}

static void check_product(int n, int block_pairs, int linear_pairs, const int* pairs) {
    static const WeftJobs jobs = {.thread_count = 1};
    Sample s;
    open_sample(&s, n, block_pairs, linear_pairs, pairs);
    check_pattern(&s);
    check_start(&s);
    fill_sample(&s, &jobs);
    double *K = dense_blocks(&s.matrix), *x = random_sides(n), *q = random_sides(n);
    double* expected = new_doubles(3L * n);
    for (int i = 0; i < n; i++)
        for (int e = s.linear.start[i]; e < s.linear.start[i + 1]; e++) {
            int j = s.linear.index[e];
            if (i == j || wf_block_find(&s.blocks, i < j ? i : j, i < j ? j : i) >= 0) continue;
            for (int a = 0; a < 3; a++) K[(3L * i + a) * 3 * n + 3 * j + a] += s.scalars[e];
        }
    for (int i = 0; i < 3 * n; i++)
        for (int j = 0; j < 3 * n; j++) expected[i] += K[(long)i * 3 * n + j] * x[j];
    wf_rows_product(&s.rows, &jobs, x, q);  // q is overwritten
    CHECK_BELOW(largest_difference(q, expected, 3L * n), 1e-12);
    double* buffers[] = {K, x, q, expected};
    for (int i = 0; i < 4; i++) free(buffers[i]);
    close_sample(&s);
}

static void no_row(void) { check_product(0, 0, 0, NULL); }
static void one_row(void) { check_product(1, 0, 0, NULL); }
static void two_rows(void) { check_product(2, 1, 1, (int[]){0, 1, 0, 1}); }
static void scalars_only(void) { check_product(4, 0, 3, (int[]){0, 1, 1, 2, 3, 0}); }
static void blocks_only(void) { check_product(4, 3, 0, (int[]){0, 1, 1, 2, 3, 0}); }

static void random_matrices(void) {
    int pairs[600];
    for (int round = 0; round < 60; round++) {
        int n = 1 + random_below(40), blocks = random_below(150), linear = random_below(150);
        for (int i = 0; i < 2 * (blocks + linear); i++) pairs[i] = random_below(n);
        check_product(n, blocks, linear, pairs);
    }
}

static void backwards(void* user, int count, void (*block)(void*, int), void* context) {
    *(int*)user += 1;
    for (int i = count - 1; i >= 0; i--) block(context, i);
}

// Many chunks of rows: the same bits however they are run.
static void any_runner(void) {
    enum { ROWS = 20000 };
    int used = 0, *pairs = malloc(2 * 2 * 2 * ROWS * sizeof(int));
    const WeftJobs jobs[] = {{0, 0, 1}, {0, 0, 4}, {backwards, &used, 0}};
    for (int i = 0; i < 2 * ROWS; i++) {
        pairs[4 * i] = pairs[4 * i + 2] = i % ROWS;
        pairs[4 * i + 1] = (i + 1 + random_below(300)) % ROWS;
        pairs[4 * i + 3] = random_below(ROWS);
    }
    Sample s;
    open_sample(&s, ROWS, ROWS, 3 * ROWS, pairs);
    double *x = random_sides(ROWS), *q[3];
    for (int j = 0; j < 3; j++) {
        q[j] = new_doubles(3L * ROWS);
        fill_sample(&s, &jobs[j]);
        wf_rows_product(&s.rows, &jobs[j], x, q[j]);
        CHECK(memcmp(q[j], q[0], 3 * ROWS * sizeof(double)) == 0);
    }
    CHECK(used == 3);
    double* buffers[] = {x, q[0], q[1], q[2]};
    for (int i = 0; i < 4; i++) free(buffers[i]);
    free(pairs);
    close_sample(&s);
}

TEST_MAIN(CASE(no_row), CASE(one_row), CASE(two_rows), CASE(scalars_only), CASE(blocks_only),
          CASE(random_matrices), CASE(any_runner))

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards sparse/cholesky.c: factors are those of a dense matrix and stored as the header says, in
// one go or in pieces, by any number of threads; fixed rows are as if removed; what is not positive
// is named.

#include "base/hash.h"
#include "sparse_test.h"

// Bytes of all numbers of a factor: what lies behind them may be read, and holds anything.
static size_t factor_bytes(const TestSystem* s) {
    return s->cholesky.nodes.panel[s->cholesky.nodes.count] * sizeof(float);
}

// ---------------------------------------------------------------------------------------------
// Against a dense matrix

// L of the matrix in the order of elimination, in double: n x n. Free it.
static double* dense_factor(const TestSystem* s, const double* values, const unsigned char* fixed) {
    int n = s->pattern->n;
    const int *order = s->cholesky.nodes.order, *place = s->cholesky.nodes.place;
    double* L = calloc((size_t)n * (size_t)n + 1, sizeof(double));
    for (int i = 0; i < n; i++) {
        int row = order[i];
        for (int e = s->pattern->start[row]; e < s->pattern->start[row + 1]; e++) {
            int column = s->pattern->index[e];
            bool out = fixed && (fixed[row] || fixed[column]);
            L[i * n + place[column]] = out ? row == column : values[e];
        }
    }
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double sum = L[i * n + j];
            for (int k = 0; k < j; k++) sum -= L[i * n + k] * L[j * n + k];
            L[i * n + j] = i == j ? sqrt(sum) : sum / L[j * n + j];
        }
    return L;
}

// The triangle of a group of columns, of which the inverse X is stored row by row, each filled up
// to fours: X L must be the identity. Returns the end of it.
static const float* check_triangle(int n, const double* L, int first, int columns,
                                   const float* value) {
    for (int r = 0; r < 4 * wf_fours(columns); value += 4 * (r / 4 + 1), r++) {
        for (int c = 0; c < 4 * (r / 4 + 1); c++) {
            if (c > r || r >= columns) CHECK(value[c] == (float)(r == c));
            double sum = 0, size = 1;
            for (int k = c; k <= r && r < columns; k++) {
                double product = (double)value[k] * L[(first + k) * n + first + c];
                sum += product;
                size += fabs(product);
            }
            if (r < columns) CHECK_NEAR(sum, r == c, 1e-6 * size);
        }
    }
    return value;
}

// A row below the group: one number per column.
static const float* check_row(int n, const double* L, int row, int first, int columns,
                              const float* value) {
    for (int c = 0; c < columns; c++, value++) {
        double expected = L[row * n + first + c];
        CHECK_NEAR(*value, expected, 2e-7 * fabs(expected) + 1e-9);
    }
    return value;
}

static void check_panel(const WfSupernodes* s, const double* L, int node, const float* value) {
    const float* end_of_panel = value + s->panel[node + 1] - s->panel[node];
    int end = s->first[node + 1];
    for (int first = s->first[node]; first < end; first += WF_GROUP) {
        int columns = end - first < WF_GROUP ? end - first : WF_GROUP;
        value = check_triangle(s->n, L, first, columns, value);
        for (int row = first + columns; row < end; row++)
            value = check_row(s->n, L, row, first, columns, value);
        for (size_t r = s->row_start[node]; r < s->row_start[node + 1]; r++)
            value = check_row(s->n, L, s->rows[r], first, columns, value);
    }
    CHECK(value == end_of_panel);
}

// Every stored number; destroys the pattern.
static void check_factor(WfPattern pattern, const unsigned char* fixed) {
    WeftAllocator allocator = wf_allocator(NULL);
    TestSystem s = system_of(&pattern);
    double* values = cloth_values(&pattern, 10);
    CHECK(factor_system(&s, values, fixed) == -1);
    double* L = dense_factor(&s, values, fixed);
    const WfSupernodes* nodes = &s.cholesky.nodes;
    for (int k = 0; k < nodes->count; k++) check_panel(nodes, L, k, s.factor + nodes->panel[k]);
    CHECK(wf_cholesky_value_count(&s.cholesky) >= nodes->panel[nodes->count]);
    free(L);
    free(values);
    release_system(&s);
    wf_pattern_destroy(&allocator, &pattern);
}

static void no_row(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    WfPattern pattern = pattern_of(0, 0, NULL);
    TestSystem s = system_of(&pattern);
    double none[1] = {0};
    CHECK(s.cholesky.nodes.panel[0] == 0);
    CHECK(factor_system(&s, none, NULL) == -1);
    WfCholeskyInput input = {.values = none};
    int end = -1;
    CHECK(wf_cholesky_factor_some(&s.cholesky, &input, 0, 1, &s.work, s.factor, &end) == -1);
    CHECK(end == 0);
    release_system(&s);
    wf_pattern_destroy(&allocator, &pattern);
}

static void one_row(void) { check_factor(pattern_of(1, 0, NULL), NULL); }

static void no_pair(void) { check_factor(pattern_of(7, 0, NULL), NULL); }

static void several_components(void) {
    check_factor(pattern_of(11, 4, (int[]){0, 7, 3, 4, 9, 10, 4, 8}), NULL);
}

// Single nodes, then two that share what is below: every tail of strips and of groups.
static void all_widths(void) {
    static bool met[41][41];
    for (int width = 1; width <= 40; width++)
        for (int height = 0; height <= 40; height += height < 9 ? 1 : 7) {
            WfPattern pattern = blocks_pattern(width, height);
            TestSystem s = system_of(&pattern);
            for (int k = 0; k < s.cholesky.nodes.count; k++) {
                int w = wf_node_width(&s.cholesky.nodes, k);
                int h = wf_node_height(&s.cholesky.nodes, k);
                if (w <= 40 && h <= 40) met[w][h] = true;
            }
            release_system(&s);
            check_factor(pattern, NULL);
        }
    // all numbers of columns in the last group, with and without rows below
    for (int width = 1; width <= 40; width++) {
        int heights = 0;
        for (int height = 1; height <= 40; height++) heights += met[width][height];
        CHECK(met[width][0]);
        CHECK(heights > 0 || width < 4);  // narrow ones are merged
    }
}

static void graphs_at_random(void) {
    for (int n = 1; n <= 60; n++)
        for (int trial = 0; trial < 3; trial++)
            check_factor(scattered_pattern(n, random_below(3 * n + 1)), NULL);
}

static void grids(void) {
    check_factor(grid_pattern(3, 3, GRID_FOUR, NULL), NULL);
    check_factor(grid_pattern(13, 9, GRID_SIX, NULL), NULL);
    check_factor(grid_pattern(15, 14, GRID_TWELVE, NULL), NULL);
}

// The example in full: A = [5 2; 2 4] in the order 1, 0 is L = [2 0; 1 2]; its inverse is kept.
static void stored_as_the_header_says(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    WfPattern pattern = pattern_of(2, 1, (int[]){0, 1});
    TestSystem s = system_in_order(&pattern, (int[]){1, 0});
    CHECK(s.cholesky.nodes.panel[1] == 16 && s.cholesky.nodes.count == 1);
    CHECK(factor_system(&s, (double[]){5, 2, 2, 4}, NULL) == -1);
    static const float expected[16] = {0.5f, 0, 0, 0, -0.25f, 0.5f, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    for (int k = 0; k < 16; k++) CHECK(s.factor[k] == expected[k]);
    release_system(&s);
    wf_pattern_destroy(&allocator, &pattern);
}

// ---------------------------------------------------------------------------------------------
// Fixed rows

static void fixed_rows_are_rows_of_the_identity(void) {
    unsigned char fixed[150];
    for (int trial = 0; trial < 12; trial++) {
        for (int i = 0; i < 150; i++) fixed[i] = random_below(12) < trial;
        check_factor(grid_pattern(15, 10, GRID_TWELVE, NULL), fixed);
    }
}

// What stands in fixed rows and columns is of no consequence.
static void fixed_rows_are_not_read(void) {
    enum { N = 14 * 12 };
    WeftAllocator allocator = wf_allocator(NULL);
    WfPattern pattern = grid_pattern(14, 12, GRID_TWELVE, NULL);
    TestSystem s = system_of(&pattern);
    double* values = cloth_values(&pattern, 1000);
    size_t bytes = factor_bytes(&s);
    float* good = malloc(bytes);
    unsigned char fixed[N];
    for (int trial = 0; trial < 4; trial++) {
        for (int i = 0; i < N; i++) fixed[i] = trial == 0 || random_below(5) == 0;
        CHECK(factor_system(&s, values, fixed) == -1);
        memcpy(good, s.factor, bytes);
        for (int i = 0; i < N; i++)
            for (int e = pattern.start[i]; e < pattern.start[i + 1]; e++)
                if (fixed[i] || fixed[pattern.index[e]]) values[e] = NAN;
        CHECK(factor_system(&s, values, fixed) == -1);
        CHECK(memcmp(s.factor, good, bytes) == 0);
        free(values);
        values = cloth_values(&pattern, 1000);
    }
    free(good);
    free(values);
    release_system(&s);
    wf_pattern_destroy(&allocator, &pattern);
}

// ---------------------------------------------------------------------------------------------
// What cannot be factored

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
            CHECK(factor_system(&s, values, NULL) == i);
        }
        *diagonal = good;
        CHECK(factor_system(&s, values, NULL) == -1);
    }
    free(values);
    release_system(&s);
    wf_pattern_destroy(&allocator, &pattern);
    free(names);
}

// An entry beside the diagonal that is not a number shows in the later of its two rows.
static void bad_entries_are_named(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    WfPattern pattern = grid_pattern(9, 8, GRID_TWELVE, NULL);
    TestSystem s = system_of(&pattern);
    double* values = cloth_values(&pattern, 10);
    const int* place = s.cholesky.nodes.place;
    for (int j = 0; j < pattern.n; j++)
        for (int e = pattern.start[j]; e < pattern.start[j + 1]; e++) {
            int i = pattern.index[e], mirror = wf_pattern_find(&pattern, i, j);
            if (i >= j) continue;
            double good = values[e];
            values[e] = values[mirror] = NAN;
            int later = place[i] > place[j] ? i : j;
            CHECK(factor_system(&s, values, NULL) == later);
            values[e] = values[mirror] = good;
        }
    free(values);
    release_system(&s);
    wf_pattern_destroy(&allocator, &pattern);
}

// In subtrees and above them, by threads and in pieces.
static void named_in_large_grids(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    WfPattern pattern = grid_pattern(LARGE_W, LARGE_H, GRID_TWELVE, NULL);
    TestSystem s = system_of(&pattern);
    const WfSupernodes* nodes = &s.cholesky.nodes;
    double* values = cloth_values(&pattern, 10);
    CHECK(nodes->subtree_count > 1);
    s.jobs.thread_count = 2;
    for (int k = 0; k < test_rounds(24); k++) {
        // one from everywhere, the last one of all among them
        int row = nodes->order[pattern.n - 1 - k * (pattern.n / 24)];
        double* diagonal = values + wf_pattern_find(&pattern, row, row);
        double good = *diagonal;
        *diagonal = -1;
        CHECK(factor_system(&s, values, NULL) == row);
        WfCholeskyInput input = {.values = values};
        int failed = -1;
        for (int end = 0; end < nodes->count && failed < 0;)
            failed = wf_cholesky_factor_some(&s.cholesky, &input, end, s.cholesky.flops / 9,
                                             &s.work, s.factor, &end);
        CHECK(failed == row);
        *diagonal = good;
    }
    CHECK(factor_system(&s, values, NULL) == -1);
    free(values);
    release_system(&s);
    wf_pattern_destroy(&allocator, &pattern);
}

// ---------------------------------------------------------------------------------------------
// The same bits

// One shape takes many factors, and nothing of the last one is left.
static void refactor_is_as_new(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    WfPattern pattern = grid_pattern(17, 12, GRID_TWELVE, NULL);
    TestSystem s = system_of(&pattern), fresh = system_of(&pattern);
    size_t bytes = factor_bytes(&s);
    double *soft = cloth_values(&pattern, 1), *stiff = cloth_values(&pattern, 1e4);
    memset(s.factor, 0xff, bytes);  // NaN
    memset(s.work.numbers, 0xff, s.cholesky.work_count * sizeof(double));
    CHECK(factor_system(&s, soft, NULL) == -1);
    CHECK(factor_system(&fresh, soft, NULL) == -1);
    CHECK(memcmp(s.factor, fresh.factor, bytes) == 0);
    CHECK(factor_system(&s, stiff, NULL) == -1);
    CHECK(memcmp(s.factor, fresh.factor, bytes) != 0);
    double* diagonal = stiff + wf_pattern_find(&pattern, 100, 100);
    *diagonal = -*diagonal;
    CHECK(factor_system(&s, stiff, NULL) == 100);  // a failure leaves nothing either
    CHECK(factor_system(&s, soft, NULL) == -1);
    CHECK(memcmp(s.factor, fresh.factor, bytes) == 0);
    free(soft);
    free(stiff);
    release_system(&s);
    release_system(&fresh);
    wf_pattern_destroy(&allocator, &pattern);
}

static void check_pieces(WfPattern pattern, bool fixes) {
    WeftAllocator allocator = wf_allocator(NULL);
    TestSystem whole = system_of(&pattern), parts = system_of(&pattern);
    size_t bytes = factor_bytes(&whole);
    double* values = cloth_values(&pattern, 100);
    unsigned char* fixed = malloc((size_t)pattern.n);
    for (int i = 0; i < pattern.n; i++) fixed[i] = fixes && random_below(9) == 0;
    CHECK(factor_system(&whole, values, fixed) == -1);
    WfCholeskyInput input = {.values = values, .fixed = fixed};
    int count = parts.cholesky.nodes.count;
    static const double pieces[] = {0.5, 1, 2, 7, 32, 1e3, 1e12};
    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        double flops = parts.cholesky.flops / pieces[p];
        int end = 0, calls = 0;
        memset(parts.factor, 0xff, bytes);
        while (end < count) {
            int begin = end;
            CHECK(wf_cholesky_factor_some(&parts.cholesky, &input, begin, flops, &parts.work,
                                          parts.factor, &end) == -1);
            if (!CHECK(end > begin && end <= count)) break;
            calls++;
        }
        CHECK(memcmp(parts.factor, whole.factor, bytes) == 0);
        CHECK(pieces[p] >= 1 || calls == 1);
        CHECK(pieces[p] < 1e12 || calls == count);
        CHECK(calls <= (int)fmin(pieces[p], count) + 1);
    }
    free(fixed);
    free(values);
    release_system(&whole);
    release_system(&parts);
    wf_pattern_destroy(&allocator, &pattern);
}

static void pieces_are_the_whole(void) {
    check_pieces(pattern_of(1, 0, NULL), false);
    check_pieces(pattern_of(50, 0, NULL), false);
    check_pieces(grid_pattern(20, 13, GRID_SIX, NULL), true);
    check_pieces(scattered_pattern(200, 300), true);
    check_pieces(grid_pattern(LARGE_W, LARGE_H, GRID_TWELVE, NULL), true);  // with subtrees
}

static void run_backwards(void* user, int block_count, void (*block)(void* context, int index),
                          void* context) {
    ++*(int*)user;
    for (int i = block_count - 1; i >= 0; i--) block(context, i);
}

static void any_number_of_threads(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    WfPattern pattern = grid_pattern(LARGE_W, LARGE_H, GRID_TWELVE, NULL);
    TestSystem s = system_of(&pattern);
    size_t bytes = factor_bytes(&s);
    float* alone = malloc(bytes);
    double* values = cloth_values(&pattern, 100);
    int used = 0;
    CHECK(s.cholesky.nodes.subtree_count >= 16);  // fewer are not worth threads
    CHECK(factor_system(&s, values, NULL) == -1);
    memcpy(alone, s.factor, bytes);
    const WeftJobs runners[] = {{.thread_count = 2},
                                {.thread_count = 8},
                                {.thread_count = WEFT_ALL_THREADS},
                                {.run = run_backwards, .user = &used}};
    for (size_t r = 0; r < sizeof runners / sizeof *runners; r++) {
        s.jobs = runners[r];
        memset(s.factor, 0xff, bytes);
        CHECK(factor_system(&s, values, NULL) == -1);
        CHECK(memcmp(s.factor, alone, bytes) == 0);
    }
    CHECK(used == 1);
    free(alone);
    free(values);
    release_system(&s);
    wf_pattern_destroy(&allocator, &pattern);
}

// Bits of a factor and of a solution, the same on every machine and compiler. When a change of the
// sources changes them on purpose, WEFT_GOLDEN=1 in the environment prints the new ones.
static void same_bits_everywhere(void) {
    enum { N = 19 * 23 };
    WeftAllocator allocator = wf_allocator(NULL);
    WfPattern pattern = grid_pattern(19, 23, GRID_TWELVE, NULL);
    int order[N];
    for (int i = 0; i < N; i++) order[i] = i * 101 % N;
    TestSystem s = system_in_order(&pattern, order);
    double* values = calloc((size_t)pattern.start[N], sizeof(double));
    for (int i = 0; i < N; i++)
        for (int e = pattern.start[i]; e < pattern.start[i + 1]; e++)
            values[e] = pattern.index[e] == i ? 1000 + i % 7 : -(1 + (i + pattern.index[e]) % 5);
    double x[3 * N];
    for (int i = 0; i < 3 * N; i++) x[i] = i % 11 - 5;
    CHECK(factor_system(&s, values, NULL) == -1);
    solve_system(&s, x, x);
    uint64_t factor = wf_hash(WF_HASH_START, s.factor, factor_bytes(&s));
    uint64_t solution = wf_hash(WF_HASH_START, x, sizeof x);
    if (getenv("WEFT_GOLDEN"))
        printf("factor 0x%016llx, solution 0x%016llx\n", (unsigned long long)factor,
               (unsigned long long)solution);
    else
        CHECK(factor == UINT64_C(0x593a8bb3e309490b) && solution == UINT64_C(0xa2acaddea7adda34));
    free(values);
    release_system(&s);
    wf_pattern_destroy(&allocator, &pattern);
}

// ---------------------------------------------------------------------------------------------
// Memory

static void nth_allocation_fails(void) {
    WfPattern pattern = grid_pattern(4, 5, GRID_SIX, NULL);
    int order[20], n = 0;
    for (int i = 0; i < 20; i++) order[i] = i;
    WeftResult result = WEFT_ERROR_MEMORY;
    for (; result && n < 100; n++) {
        TestMemory memory = {.left = n};
        WeftAllocator allocator = test_allocator(&memory);
        WfCholesky cholesky;
        WfCholeskyWork work = {0};
        result = wf_cholesky_create(&allocator, &pattern, order, NULL, &cholesky);
        CHECK(result == WEFT_OK || (result == WEFT_ERROR_MEMORY && memory.out == 0));
        CHECK(!result || (cholesky.update == NULL && cholesky.nodes.order == NULL));
        if (!result) {
            int before = memory.out;
            result = wf_cholesky_create_work(&allocator, &cholesky, &work);
            CHECK(result == WEFT_OK || (result == WEFT_ERROR_MEMORY && memory.out == before));
            CHECK(!result || (work.numbers == NULL && work.index == NULL));
            wf_cholesky_destroy_work(&allocator, &work);
        }
        wf_cholesky_destroy(&allocator, &cholesky);
        CHECK(memory.out == 0);
    }
    CHECK(result == WEFT_OK && n > 10);
    WeftAllocator allocator = wf_allocator(NULL);
    wf_pattern_destroy(&allocator, &pattern);
}

TEST_MAIN(CASE(no_row), CASE(one_row), CASE(no_pair), CASE(several_components), CASE(all_widths),
          CASE(graphs_at_random), CASE(grids), CASE(stored_as_the_header_says),
          CASE(fixed_rows_are_rows_of_the_identity), CASE(fixed_rows_are_not_read),
          CASE(bad_pivots_are_named), CASE(bad_entries_are_named), CASE(named_in_large_grids),
          CASE(refactor_is_as_new), CASE(pieces_are_the_whole), CASE(any_number_of_threads),
          CASE(same_bits_everywhere), CASE(nth_allocation_fails))

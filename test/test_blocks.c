// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards sparse/blocks.c: where 3x3 blocks stand, and products of scalar matrices.

#include "sparse/blocks.h"

#include "base/vec.h"
#include "energy_test.h"

static WfBlockPattern blocks_of(int n, int pair_count, const int* pairs) {
    WeftAllocator allocator = wf_allocator(NULL);
    WfBlockPattern pattern;
    CHECK(wf_block_pattern_create(&allocator, n, pair_count, pairs, &pattern) == WEFT_OK);
    return pattern;
}

static void destroy(WfBlockPattern* pattern) {
    WeftAllocator allocator = wf_allocator(NULL);
    wf_block_pattern_destroy(&allocator, pattern);
    CHECK(pattern->start == NULL && pattern->index == NULL);
}

// Every pair is there once, above the diagonal, and nothing else is.
static void check_places(int n, int pair_count, const int* pairs) {
    WfBlockPattern p = blocks_of(n, pair_count, pairs);
    bool* table = calloc((size_t)n * (size_t)n + 1, 1);
    int count = 0;
    for (int i = 0; i < pair_count; i++) {
        int a = pairs[2 * i], b = pairs[2 * i + 1];
        if (a == b) continue;
        bool* there = &table[(a < b ? a : b) * n + (a < b ? b : a)];
        count += !*there;
        *there = true;
    }
    CHECK(p.n == n && p.start[0] == 0 && p.start[n] == count);
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++) {
            int place = wf_block_find(&p, a, b);
            CHECK((place >= 0) == table[a * n + b]);
            if (place >= 0)
                CHECK(place >= p.start[a] && place < p.start[a + 1] && p.index[place] == b);
        }
    free(table);
    destroy(&p);
}

static void no_row(void) { check_places(0, 0, NULL); }
static void no_pair(void) { check_places(4, 0, NULL); }
static void one_row(void) { check_places(1, 1, (int[]){0, 0}); }
static void repeats_and_diagonals(void) {
    check_places(5, 6, (int[]){1, 2, 2, 1, 3, 3, 0, 4, 4, 0, 2, 4});
}

static void random_places(void) {
    int pairs[400];
    for (int round = 0; round < 50; round++) {
        int n = 1 + random_below(30), count = random_below(200);
        for (int i = 0; i < 2 * count; i++) pairs[i] = random_below(n);
        check_places(n, count, pairs);
    }
}

// Pairs of an element in the order (0,1) (0,2) .. (1,2) .., whichever way the vertices go.
static void places_of_elements(void) {
    static const int rows[8] = {4, 1, 3, 0, 0, 1, 2, 3};
    int pairs[24], count = 0;
    for (int e = 0; e < 2; e++)
        for (int a = 0; a < 4; a++)
            for (int b = a + 1; b < 4; b++) {
                pairs[2 * count] = rows[4 * e + a];
                pairs[2 * count++ + 1] = rows[4 * e + b];
            }
    WfBlockPattern p = blocks_of(5, count, pairs);
    int places[12];
    wf_block_places(&p, 2, 4, rows, places);
    for (int i = 0; i < 12; i++) {
        int a = pairs[2 * i], b = pairs[2 * i + 1];
        CHECK(places[i] == wf_block_find(&p, a < b ? a : b, a < b ? b : a));
        CHECK(places[i] >= 0);
    }
    destroy(&p);
}

// ---------------------------------------------------------------------------------------------

static void backwards(void* user, int count, void (*block)(void*, int), void* context) {
    (void)user;
    for (int i = count - 1; i >= 0; i--) block(context, i);
}

static void scalar_products(void) {
    static const int sizes[][2] = {{1, 1}, {3, 5}, {20, 30}, {100, 103}};
    static const WeftJobs jobs[] = {{0, 0, 1}, {0, 0, 4}, {backwards, 0, 0}};
    for (int s = 0; s < 4; s++) {
        WfPattern p = grid_pattern(sizes[s][0], sizes[s][1], GRID_TWELVE, NULL);
        double *values = cloth_values(&p, 5), *x = random_sides(p.n), *q = random_sides(p.n);
        for (int j = 0; j < 3; j++) {
            double most = 0;
            for (int i = 0; i < 3 * p.n; i++) q[i] = 1e9;  // overwritten
            wf_scalar_product(&p, values, &jobs[j], x, q);
            for (int i = 0; i < p.n; i++) {
                WfVec sum = wf_load(q, i);
                for (int e = p.start[i]; e < p.start[i + 1]; e++)
                    sum = wf_madd(sum, -values[e], wf_load(x, p.index[e]));
                most = fmax(most, wf_length(sum));
            }
            CHECK_BELOW(most, 1e-12);
        }
        free(values), free(x), free(q);
        WeftAllocator allocator = wf_allocator(NULL);
        wf_pattern_destroy(&allocator, &p);
    }
}

static void nth_allocation_fails(void) {
    int pairs[] = {0, 1, 1, 2, 2, 3, 0, 3}, n = 0;
    WeftResult result = WEFT_ERROR_MEMORY;
    for (; result && n < 100; n++) {
        TestMemory memory = {.left = n};
        WeftAllocator allocator = test_allocator(&memory);
        WfBlockPattern p;
        result = wf_block_pattern_create(&allocator, 4, 4, pairs, &p);
        CHECK(result == WEFT_OK || (result == WEFT_ERROR_MEMORY && memory.out == 0));
        CHECK(!result || (p.start == NULL && p.index == NULL));
        wf_block_pattern_destroy(&allocator, &p);
        CHECK(memory.out == 0);
    }
    CHECK(result == WEFT_OK && n > 8);
}

TEST_MAIN(CASE(no_row), CASE(no_pair), CASE(one_row), CASE(repeats_and_diagonals),
          CASE(random_places), CASE(places_of_elements), CASE(scalar_products),
          CASE(nth_allocation_fails))

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards sparse/order.c: an order is a permutation, narrow on grids, and the same every time.

#include "sparse_test.h"

// `copies` grids of w x h, not connected with each other, each vertex joined to its four nearest,
// with all vertices renamed at random.
static WfPattern shuffled_grids(int w, int h, int copies) {
    int n = w * h * copies, count = 0;
    int* name = random_names(n);
    int* pairs = malloc((size_t)n * 4 * sizeof(int) + 1);
    for (int v = 0; v < n; v++) {
        int i = v % w, j = v / w % h;
        if (i + 1 < w) pairs[2 * count] = name[v], pairs[2 * count++ + 1] = name[v + 1];
        if (j + 1 < h) pairs[2 * count] = name[v], pairs[2 * count++ + 1] = name[v + w];
    }
    WfPattern pattern = pattern_of(n, count, pairs);
    free(pairs);
    free(name);
    return pattern;
}

// The largest |i - j| of an entry in the new numbering, or -1 where the order is no permutation.
static int bandwidth(const WfPattern* pattern, const int* order) {
    int n = pattern->n, widest = 0;
    int* place = malloc(((size_t)n + 1) * sizeof(int));
    for (int i = 0; i < n; i++) place[i] = -1;
    for (int i = 0; i < n; i++)
        if (order[i] >= 0 && order[i] < n) place[order[i]] = i;
    for (int i = 0; i < n; i++) {
        if (place[i] < 0) widest = -1;
        for (int e = pattern->start[i]; widest >= 0 && e < pattern->start[i + 1]; e++) {
            int width = abs(place[i] - place[pattern->index[e]]);
            if (width > widest) widest = width;
        }
    }
    free(place);
    return widest;
}

// The bandwidth after reverse Cuthill-McKee; destroys the pattern.
static int ordered_bandwidth(WfPattern pattern) {
    WeftAllocator allocator = wf_allocator(NULL);
    int* order = malloc(((size_t)pattern.n + 1) * sizeof(int));
    CHECK(wf_order_rcm(&allocator, &pattern, order) == WEFT_OK);
    int width = bandwidth(&pattern, order);
    free(order);
    wf_pattern_destroy(&allocator, &pattern);
    return width;
}

static void no_row(void) { CHECK(ordered_bandwidth(pattern_of(0, 0, NULL)) == 0); }

static void one_row(void) { CHECK(ordered_bandwidth(pattern_of(1, 0, NULL)) == 0); }

static void isolated_vertices(void) {
    CHECK(ordered_bandwidth(pattern_of(9, 0, NULL)) == 0);
    CHECK(ordered_bandwidth(pattern_of(9, 2, (int[]){0, 8, 3, 5})) == 1);
}

// The best possible: a path has bandwidth 1 and a w x h grid min(w, h).
static void path_is_tridiagonal(void) { CHECK(ordered_bandwidth(shuffled_grids(500, 1, 1)) == 1); }

static void grids_shrink_to_the_optimum(void) {
    static const int size[][2] = {{20, 20}, {40, 10}, {7, 90}, {33, 32}};
    for (int k = 0; k < 4; k++) {
        int w = size[k][0], h = size[k][1], best = w < h ? w : h;
        int width = ordered_bandwidth(shuffled_grids(w, h, 1));
        CHECK(width >= best);
        CHECK_BELOW(width, best + 2);
    }
}

static void components_stay_apart(void) {
    WfPattern pattern = shuffled_grids(12, 9, 5);
    int width = ordered_bandwidth(pattern);
    CHECK(width >= 9);
    CHECK_BELOW(width, 11);
}

// A hub with 20,000 spokes: sorting neighbours pair by pair would take minutes.
static void star(void) {
    int n = 20001;
    int* pairs = malloc(2 * (size_t)n * sizeof(int));
    for (int i = 1; i < n; i++) pairs[2 * i - 2] = 0, pairs[2 * i - 1] = i;
    CHECK(ordered_bandwidth(pattern_of(n, n - 1, pairs)) == n - 2);
    free(pairs);
}

static void same_every_time(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    WfPattern pattern = shuffled_grids(15, 14, 2);
    int first[420], second[420];
    CHECK(wf_order_rcm(&allocator, &pattern, first) == WEFT_OK);
    memset(second, 0x55, sizeof second);
    CHECK(wf_order_rcm(&allocator, &pattern, second) == WEFT_OK);
    CHECK(memcmp(first, second, sizeof first) == 0);
    wf_pattern_destroy(&allocator, &pattern);
}

// Ties go to the smaller index: the walk starts at 2, the far end of 0, and is reversed.
static void ties_are_decided(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    WfPattern pattern = pattern_of(4, 3, (int[]){0, 1, 1, 2, 1, 3});
    int order[4];
    CHECK(wf_order_rcm(&allocator, &pattern, order) == WEFT_OK);
    CHECK(order[3] == 2 && order[2] == 1 && order[1] == 0 && order[0] == 3);
    wf_pattern_destroy(&allocator, &pattern);
}

static void nth_allocation_fails(void) {
    WfPattern pattern = shuffled_grids(4, 4, 1);
    int order[16], n = 0;
    WeftResult result = WEFT_ERROR_MEMORY;
    for (; result && n < 100; n++) {
        TestMemory memory = {.left = n};
        WeftAllocator allocator = test_allocator(&memory);
        result = wf_order_rcm(&allocator, &pattern, order);
        CHECK(result == WEFT_OK || result == WEFT_ERROR_MEMORY);
        CHECK(memory.out == 0);
    }
    CHECK(result == WEFT_OK && n > 3);
    WeftAllocator allocator = wf_allocator(NULL);
    wf_pattern_destroy(&allocator, &pattern);
}

TEST_MAIN(CASE(no_row), CASE(one_row), CASE(isolated_vertices), CASE(path_is_tridiagonal),
          CASE(grids_shrink_to_the_optimum), CASE(components_stay_apart), CASE(star),
          CASE(same_every_time), CASE(ties_are_decided), CASE(nth_allocation_fails))

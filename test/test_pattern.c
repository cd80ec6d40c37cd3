// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards sparse/pattern.c: every pair is there once, both ways, sorted, and nothing else is.

#include "sparse_test.h"

// Against a full table of n x n flags.
static void check_pattern(int n, int pair_count, const int* pairs) {
    WeftAllocator allocator = wf_allocator(NULL);
    WfPattern pattern;
    if (!CHECK(wf_pattern_create(&allocator, n, pair_count, pairs, &pattern) == WEFT_OK)) return;
    bool* table = calloc((size_t)n * (size_t)n + 1, 1);
    int count = n;
    for (int i = 0; i < n; i++) table[i * n + i] = true;
    for (int p = 0; p < pair_count; p++) {
        int i = pairs[2 * p], j = pairs[2 * p + 1];
        if (!table[i * n + j]) count += 2;
        table[i * n + j] = table[j * n + i] = true;
    }
    CHECK(pattern.n == n && pattern.start[0] == 0 && pattern.start[n] == count);
    for (int i = 0; i < n; i++) {
        for (int e = pattern.start[i] + 1; e < pattern.start[i + 1]; e++)
            CHECK(pattern.index[e - 1] < pattern.index[e]);
        for (int j = 0; j < n; j++) {
            int e = wf_pattern_find(&pattern, i, j);
            CHECK(table[i * n + j] == (e >= 0));
            if (e >= 0)
                CHECK(e >= pattern.start[i] && e < pattern.start[i + 1] && pattern.index[e] == j);
        }
    }
    free(table);
    wf_pattern_destroy(&allocator, &pattern);
    CHECK(pattern.start == NULL && pattern.index == NULL);
}

static void no_row(void) { check_pattern(0, 0, NULL); }

static void no_pair(void) { check_pattern(5, 0, NULL); }

static void one_row(void) { check_pattern(1, 2, (int[]){0, 0, 0, 0}); }

static void repeats_and_diagonals(void) {
    check_pattern(4, 7, (int[]){1, 2, 2, 1, 1, 2, 3, 3, 0, 3, 3, 0, 2, 2});
}

static void random_pairs(void) {
    int pairs[2 * 300];
    for (int round = 0; round < 60; round++) {
        int n = 1 + random_below(40), count = random_below(300);
        for (int p = 0; p < 2 * count; p++) pairs[p] = random_below(n);
        check_pattern(n, count, pairs);
    }
}

static void find_beyond_the_ends(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    WfPattern pattern;
    CHECK(wf_pattern_create(&allocator, 3, 1, (int[]){0, 1}, &pattern) == WEFT_OK);
    CHECK(wf_pattern_find(&pattern, 2, -1) == -1);
    CHECK(wf_pattern_find(&pattern, 2, 3) == -1);
    CHECK(wf_pattern_find(&pattern, 2, 2) == pattern.start[2]);
    wf_pattern_destroy(&allocator, &pattern);
}

static void too_many_pairs_are_refused(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    WfPattern pattern;
    int pair[2] = {0, 1};  // not read: the count alone is too large for int indices
    CHECK(wf_pattern_create(&allocator, 2, 0x7fffffff / 2 + 1, pair, &pattern) == WEFT_ERROR_INPUT);
    CHECK(pattern.start == NULL && pattern.index == NULL);
}

static void nth_allocation_fails(void) {
    int pairs[] = {0, 1, 1, 2, 2, 3, 0, 1}, n = 0;
    WeftResult result = WEFT_ERROR_MEMORY;
    for (; result && n < 100; n++) {
        TestMemory memory = {.left = n};
        WeftAllocator allocator = test_allocator(&memory);
        WfPattern pattern;
        result = wf_pattern_create(&allocator, 4, 4, pairs, &pattern);
        CHECK(result == WEFT_OK || (result == WEFT_ERROR_MEMORY && memory.out == 0));
        CHECK(!result || (pattern.start == NULL && pattern.index == NULL));
        wf_pattern_destroy(&allocator, &pattern);
        CHECK(memory.out == 0);
    }
    CHECK(result == WEFT_OK && n > 5);
}

TEST_MAIN(CASE(no_row), CASE(no_pair), CASE(one_row), CASE(repeats_and_diagonals),
          CASE(random_pairs), CASE(find_beyond_the_ends), CASE(too_many_pairs_are_refused),
          CASE(nth_allocation_fails))

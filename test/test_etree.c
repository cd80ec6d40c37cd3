// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards sparse/etree.c: parents and counts are those of an elimination by hand, the postorder
// keeps subtrees together, and moving into it changes nothing else.

#include "sparse/etree.h"

#include "sparse_test.h"

// The first entry below the diagonal in column j of L, or -1.
static int first_below(const unsigned char* full, int n, int j) {
    for (int i = j + 1; i < n; i++)
        if (full[i * n + j]) return i;
    return -1;
}

static void check_postorder(const WfEtree* tree) {
    int n = tree->n, *size = calloc((size_t)n + 1, sizeof(int));
    for (int j = 0; j < n; j++) {
        size[j]++;
        CHECK(tree->parent[j] == -1 || (tree->parent[j] > j && tree->parent[j] < n));
        if (tree->parent[j] >= 0) size[tree->parent[j]] += size[j];
        // as many descendants as the node has stand right before it, and none of them leaves
        for (int k = j - size[j] + 1; k < j; k++)
            CHECK(k >= 0 && tree->parent[k] > k && tree->parent[k] <= j);
    }
    free(size);
}

// Against the elimination by hand, in the order of the tree and in the one that was given.
static void check_tree(const WfPattern* pattern, const int* order) {
    int n = pattern->n;
    WeftAllocator allocator = wf_allocator(NULL);
    WfEtree tree;
    CHECK(wf_etree_create(&allocator, pattern, order, &tree) == WEFT_OK);
    CHECK(tree.n == n);
    unsigned char* given = symbolic_factor(pattern, order);
    unsigned char* full = symbolic_factor(pattern, tree.order);
    unsigned char* seen = calloc((size_t)n + 1, 1);
    for (int k = 0; k < n; k++) {
        CHECK(tree.order[k] >= 0 && tree.order[k] < n && !seen[tree.order[k]]);
        seen[tree.order[k]] = 1;
        CHECK(tree.place[tree.order[k]] == k);
    }
    for (int j = 0; j < n; j++) {
        int count = 0;
        for (int i = j; i < n; i++) count += full[i * n + j];
        CHECK(tree.parent[j] == first_below(full, n, j));
        CHECK(tree.count[j] == count);
        // rows hang from the same rows as before
        int was = first_below(given, n, j), is = tree.parent[tree.place[order[j]]];
        CHECK((was < 0) == (is < 0) && (was < 0 || order[was] == tree.order[is]));
    }
    check_postorder(&tree);
    CHECK(wf_etree_fill(&tree) == count_entries(full, n));
    CHECK(wf_etree_fill(&tree) == count_entries(given, n));
    free(seen);
    free(full);
    free(given);
    wf_etree_destroy(&allocator, &tree);
    CHECK(tree.order == NULL && tree.parent == NULL);
}

// In the natural order, the reverse, and some at random; destroys the pattern.
static void check_orders(WfPattern pattern, int trials) {
    WeftAllocator allocator = wf_allocator(NULL);
    int n = pattern.n, *order = malloc(((size_t)n + 1) * sizeof(int));
    for (int i = 0; i < n; i++) order[i] = i;
    check_tree(&pattern, order);
    for (int i = 0; i < n; i++) order[i] = n - 1 - i;
    check_tree(&pattern, order);
    for (int k = 0; k < trials; k++) {
        int* names = random_names(n);
        check_tree(&pattern, names);
        free(names);
    }
    free(order);
    wf_pattern_destroy(&allocator, &pattern);
}

static void no_row(void) { check_orders(pattern_of(0, 0, NULL), 1); }

static void one_row(void) { check_orders(pattern_of(1, 0, NULL), 1); }

static void no_pair(void) { check_orders(pattern_of(9, 0, NULL), 3); }

static void path(void) { check_orders(grid_pattern(40, 1, GRID_FOUR, NULL), 10); }

static void star(void) {
    int pairs[2 * 19];
    for (int i = 0; i < 19; i++) pairs[2 * i] = 7, pairs[2 * i + 1] = i < 7 ? i : i + 1;
    check_orders(pattern_of(20, 19, pairs), 10);
}

static void complete(void) {
    int pairs[2 * 12 * 12], count = 0;
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < i; j++) pairs[2 * count] = i, pairs[2 * count++ + 1] = j;
    check_orders(pattern_of(12, count, pairs), 5);
}

static void grids(void) {
    check_orders(grid_pattern(2, 2, GRID_FOUR, NULL), 5);
    check_orders(grid_pattern(9, 7, GRID_FOUR, NULL), 5);
    check_orders(grid_pattern(11, 5, GRID_SIX, NULL), 5);
    check_orders(grid_pattern(14, 12, GRID_TWELVE, NULL), 5);
}

// In an order that is meant for it, with branches all over.
static void grid_in_minimum_degree(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    WfPattern pattern = grid_pattern(16, 15, GRID_TWELVE, NULL);
    int order[240];
    CHECK(wf_order_minimum_degree(&allocator, &pattern, order) == WEFT_OK);
    check_tree(&pattern, order);
    wf_pattern_destroy(&allocator, &pattern);
}

static void several_components(void) {
    // a path, a triangle, two alone, a star
    static const int pairs[] = {0, 5, 5, 3, 3, 8, 1, 2, 2, 6, 6, 1, 9, 10, 9, 11, 9, 12, 9, 13};
    check_orders(pattern_of(15, 10, pairs), 20);
}

static void graphs_at_random(void) {
    for (int n = 1; n <= 30; n++)
        for (int trial = 0; trial < 12; trial++)
            check_orders(scattered_pattern(n, random_below(2 * n + 1)), 1);
    for (int trial = 0; trial < 6; trial++) check_orders(scattered_pattern(120, 60 * trial), 1);
}

static void nth_allocation_fails(void) {
    WfPattern pattern = grid_pattern(4, 5, GRID_SIX, NULL);
    int order[20], n = 0;
    for (int i = 0; i < 20; i++) order[i] = i;
    WeftResult result = WEFT_ERROR_MEMORY;
    for (; result && n < 100; n++) {
        TestMemory memory = {.left = n};
        WeftAllocator allocator = test_allocator(&memory);
        WfEtree tree;
        result = wf_etree_create(&allocator, &pattern, order, &tree);
        CHECK(result == WEFT_OK || (result == WEFT_ERROR_MEMORY && memory.out == 0));
        CHECK(!result || (tree.order == NULL && tree.count == NULL));
        wf_etree_destroy(&allocator, &tree);
        CHECK(memory.out == 0);
    }
    CHECK(result == WEFT_OK && n > 4);
    WeftAllocator allocator = wf_allocator(NULL);
    wf_pattern_destroy(&allocator, &pattern);
}

TEST_MAIN(CASE(no_row), CASE(one_row), CASE(no_pair), CASE(path), CASE(star), CASE(complete),
          CASE(grids), CASE(grid_in_minimum_degree), CASE(several_components),
          CASE(graphs_at_random), CASE(nth_allocation_fails))

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards sparse/supernode.c: nodes cover L and not a row more, slots of subtrees are apart from
// each other, and the order moves within what changes no fill.

#include "sparse/supernode.h"

#include "sparse_test.h"

static WfSupernodes nodes_of(const WfPattern* pattern, const int* order) {
    WeftAllocator allocator = wf_allocator(NULL);
    WfSupernodes s;
    CHECK(wf_supernodes_create(&allocator, pattern, order, NULL, &s) == WEFT_OK);
    return s;
}

static void release_nodes(WfSupernodes* s) {
    WeftAllocator allocator = wf_allocator(NULL);
    wf_supernodes_destroy(&allocator, s);
    CHECK(s->order == NULL && s->subtrees == NULL && s->count == 0);
}

// ---------------------------------------------------------------------------------------------
// Columns and rows

static void check_columns(const WfSupernodes* s) {
    int n = s->n;
    unsigned char* seen = calloc((size_t)n + 1, 1);
    CHECK((s->count == 0) == (n == 0) && s->first[0] == 0 && s->first[s->count] == n);
    for (int k = 0; k < s->count; k++) {
        CHECK(wf_node_width(s, k) > 0);
        for (int j = s->first[k]; j < s->first[k + 1]; j++) CHECK(s->node[j] == k);
    }
    for (int j = 0; j < n; j++) {
        CHECK(s->order[j] >= 0 && s->order[j] < n && !seen[s->order[j]]);
        seen[s->order[j]] = 1;
        CHECK(s->place[s->order[j]] == j);
    }
    free(seen);
}

// Parents, lists of children, and each node's descendants right before it.
static void check_tree(const WfSupernodes* s) {
    int* size = calloc((size_t)s->count + 1, sizeof(int));
    for (int k = 0; k < s->count; k++) {
        int children = 0, listed = 0;
        size[k]++;
        for (int c = 0; c < k; c++) children += s->parent[c] == k;
        for (int c = s->child[k]; c >= 0 && listed <= k; c = s->sibling[c], listed++)
            CHECK(c < k && s->parent[c] == k);
        CHECK(listed == children);
        CHECK(s->parent[k] == -1 || (s->parent[k] > k && s->parent[k] < s->count));
        if (s->parent[k] >= 0) size[s->parent[k]] += size[k];
        for (int c = k - size[k] + 1; c < k; c++) CHECK(c >= 0 && s->parent[c] <= k);
    }
    free(size);
}

// 1: among the columns of the node; 2: among its rows below
static int where(const WfSupernodes* s, int node, int row) {
    if (s->node[row] == node) return 1;
    for (size_t r = s->row_start[node]; r < s->row_start[node + 1]; r++)
        if (s->rows[r] == row) return 2;
    return 0;
}

static void check_rows(const WfSupernodes* s) {
    CHECK(s->row_start[0] == 0);
    for (int k = 0; k < s->count; k++) {
        const int* rows = s->rows + s->row_start[k];
        int height = wf_node_height(s, k), parent = s->parent[k];
        CHECK(height >= 0 && (height == 0) == (parent == -1));
        if (height > 0) CHECK(rows[0] >= s->first[k + 1] && s->node[rows[0]] == parent);
        for (int r = 0; r < height; r++) {
            CHECK(r == 0 || rows[r] > rows[r - 1]);
            CHECK(rows[r] < s->n && where(s, parent, rows[r]));
        }
    }
}

// Every entry of L has a place, and every row of a node an entry in its last column at least.
static void check_cover(const WfSupernodes* s, const int* order) {
    int n = s->n;
    unsigned char* given = symbolic_factor(s->pattern, order);
    unsigned char* full = symbolic_factor(s->pattern, s->order);
    CHECK(s->fill == count_entries(given, n));
    CHECK(s->fill == count_entries(full, n));
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++)
            if (full[i * n + j]) CHECK(where(s, s->node[j], i));
    for (int k = 0; k < s->count; k++)
        for (size_t r = s->row_start[k]; r < s->row_start[k + 1]; r++)
            CHECK(full[s->rows[r] * n + s->first[k + 1] - 1]);
    free(given);
    free(full);
}

// ---------------------------------------------------------------------------------------------
// Subtrees and slots

// No higher than the place that is made for it.
static bool fits(const WfSupernodes* s, int node, int height) {
    return 4 * wf_fours(wf_node_width(s, node)) + wf_node_height(s, node) <= height;
}

static void check_subtrees(const WfSupernodes* s) {
    int top = 0, node = 0;
    CHECK(s->subtree_count >= 0 && s->subtree_count <= WF_MAX_SUBTREES);
    for (int t = 0; t <= s->subtree_count; t++) {
        const WfSubtree* subtree = t < s->subtree_count ? &s->subtrees[t] : NULL;
        // those between are on top
        for (; node < (subtree ? subtree->begin : s->count); node++, top++) {
            if (CHECK(top < s->top_count)) CHECK(s->top[top] == node);
            CHECK(fits(s, node, s->top_height));
        }
        if (!subtree) break;
        int root = subtree->end - 1;
        CHECK(node == subtree->begin && subtree->begin < subtree->end);
        for (int k = 0; k < s->count; k++) {
            // all below the root and nobody else
            bool inside = k >= subtree->begin && k < subtree->end;
            bool below = k == root || (s->parent[k] >= subtree->begin && s->parent[k] <= root);
            CHECK(inside == below);
        }
        for (; node <= root; node++) CHECK(fits(s, node, subtree->height));
    }
    CHECK(top == s->top_count);
}

// Every node of the top once, after all that are below it; none of a stage is below another.
static void check_stages(const WfSupernodes* s) {
    int* stage_of = malloc((size_t)s->count * sizeof *stage_of);
    CHECK(s->stage_count >= 1 && s->stage_start[0] == 0);
    CHECK(s->stage_start[s->stage_count] == s->top_count);
    for (int k = 0; k < s->count; k++) stage_of[k] = -1;
    for (int stage = 0; stage < s->stage_count; stage++)
        for (int t = s->stage_start[stage]; t < s->stage_start[stage + 1]; t++) {
            const WfSubtree* one = &s->staged[t];
            bool several = s->stage_start[stage + 1] - s->stage_start[stage] > 1;
            CHECK(one->end == one->begin + 1 && stage_of[one->begin] < 0);
            CHECK(several || one->first_slot < 0);
            stage_of[one->begin] = stage;
        }
    for (int k = 0; k < s->top_count; k++) {
        int node = s->top[k], parent = s->parent[node];
        CHECK(stage_of[node] >= 0);
        bool apart = parent < 0 || stage_of[parent] > stage_of[node];
        CHECK(apart || (s->stage_count == 1 && parent > node));
    }
    free(stage_of);
}

// The slot in which a node of a subtree finds a row.
static int expected_slot(const WfSupernodes* s, const WfSubtree* subtree, int row) {
    int k = s->node[row], own = s->own_slot[k] + row - s->first[k];
    if (subtree->first_slot < 0 || k < subtree->end) return own;
    int root = subtree->end - 1;
    const int* outside = s->rows + s->row_start[root];
    for (int r = 0; r < wf_node_height(s, root); r++)
        if (outside[r] == row) return subtree->first_slot + r;
    CHECK(!"a row of the root");
    return -1;
}

static void check_node_slots(const WfSupernodes* s, const WfSubtree* t, int node) {
    int width = wf_node_width(s, node), height = wf_node_height(s, node);
    const int *slots = s->slots + s->slot_start[node], *rows = s->rows + s->row_start[node];
    for (int j = 0; j < width; j++) CHECK(slots[j] == s->own_slot[node] + j);
    for (int r = 0; r < height; r++) CHECK(slots[width + r] == expected_slot(s, t, rows[r]));
}

static void check_slots(const WfSupernodes* s) {
    CHECK(s->own_slot[0] == 0 && s->slot_start[0] == 0 && s->panel[0] == 0);
    for (int k = 0; k < s->count; k++) {
        int width = wf_node_width(s, k), height = wf_node_height(s, k);
        CHECK(s->own_slot[k + 1] == s->own_slot[k] + 4 * wf_fours(width));
        CHECK(s->slot_start[k + 1] == s->slot_start[k] + (size_t)(width + height));
        CHECK(s->panel[k + 1] >= s->panel[k] + (size_t)(width * (width + 1) / 2 + width * height));
        for (int j = s->first[k]; j < s->first[k + 1]; j++)
            CHECK(s->slot[j] == s->own_slot[k] + j - s->first[k]);
    }
    // behind the columns each subtree has slots for what it adds to rows above, and nobody else
    int next = s->own_slot[s->count];
    for (int t = 0; t < s->subtree_count + s->top_count; t++) {
        bool below = t < s->subtree_count;
        const WfSubtree* subtree = below ? &s->subtrees[t] : &s->staged[t - s->subtree_count];
        CHECK(subtree->first_slot == next || (!below && subtree->first_slot < 0));
        if (subtree->first_slot >= 0) next += wf_node_height(s, subtree->end - 1);
        for (int k = subtree->begin; k < subtree->end; k++) check_node_slots(s, subtree, k);
    }
    CHECK(s->slot_count == next);
}

// ---------------------------------------------------------------------------------------------

static void check_nodes(const WfPattern* pattern, const int* order) {
    WfSupernodes s = nodes_of(pattern, order);
    CHECK(s.n == pattern->n && s.pattern == pattern);
    check_columns(&s);
    check_tree(&s);
    check_rows(&s);
    check_cover(&s, order);
    check_subtrees(&s);
    check_stages(&s);
    check_slots(&s);
    release_nodes(&s);
}

// In the natural order, by minimum degree, and some at random; destroys the pattern.
static void check_orders(WfPattern pattern, int trials) {
    WeftAllocator allocator = wf_allocator(NULL);
    int n = pattern.n, *order = malloc(((size_t)n + 1) * sizeof(int));
    for (int i = 0; i < n; i++) order[i] = i;
    check_nodes(&pattern, order);
    CHECK(wf_order_minimum_degree(&allocator, &pattern, order) == WEFT_OK);
    check_nodes(&pattern, order);
    for (int k = 0; k < trials; k++) {
        int* names = random_names(n);
        check_nodes(&pattern, names);
        free(names);
    }
    free(order);
    wf_pattern_destroy(&allocator, &pattern);
}

static void no_row(void) { check_orders(pattern_of(0, 0, NULL), 1); }

static void one_row(void) { check_orders(pattern_of(1, 0, NULL), 1); }

static void no_pair(void) { check_orders(pattern_of(9, 0, NULL), 3); }

static void path(void) { check_orders(grid_pattern(60, 1, GRID_FOUR, NULL), 10); }

static void star(void) {
    int pairs[2 * 29];
    for (int i = 0; i < 29; i++) pairs[2 * i] = 7, pairs[2 * i + 1] = i < 7 ? i : i + 1;
    check_orders(pattern_of(30, 29, pairs), 10);
}

// One node, whatever its width.
static void complete(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    int pairs[2 * 40 * 20], order[40];
    for (int i = 0; i < 40; i++) order[i] = i;
    for (int n = 1; n <= 40; n++) {
        int count = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++) pairs[2 * count] = i, pairs[2 * count++ + 1] = j;
        WfPattern pattern = pattern_of(n, count, pairs);
        WfSupernodes s = nodes_of(&pattern, order);
        CHECK(s.count == 1 && wf_node_height(&s, 0) == 0 && s.fill == n * (n + 1) / 2);
        check_nodes(&pattern, order);
        release_nodes(&s);
        wf_pattern_destroy(&allocator, &pattern);
    }
}

static void grids(void) {
    check_orders(grid_pattern(2, 2, GRID_FOUR, NULL), 5);
    check_orders(grid_pattern(9, 7, GRID_FOUR, NULL), 5);
    check_orders(grid_pattern(11, 5, GRID_SIX, NULL), 5);
    check_orders(grid_pattern(17, 16, GRID_TWELVE, NULL), 3);
}

static void several_components(void) {
    static const int pairs[] = {0, 5, 5, 3, 3, 8, 1, 2, 2, 6, 6, 1, 9, 10, 9, 11, 9, 12, 9, 13};
    check_orders(pattern_of(15, 10, pairs), 20);
}

static void graphs_at_random(void) {
    for (int n = 1; n <= 30; n++)
        for (int trial = 0; trial < 8; trial++)
            check_orders(scattered_pattern(n, random_below(2 * n + 1)), 1);
    for (int trial = 0; trial < 6; trial++) check_orders(scattered_pattern(120, 60 * trial), 1);
}

// Large enough to be cut; too large to be eliminated by hand.
static void large_grids_are_cut(void) {
    static const struct {
        int w, h, copies, least, most;  // of subtrees
    } grids[] = {{20, 20, 1, 0, 0},
                 {LARGE_W, LARGE_H, 1, 16, WF_MAX_SUBTREES},
                 {400, 40, 1, 16, WF_MAX_SUBTREES},
                 {30, 30, 40, 16, WF_MAX_SUBTREES},
                 {10, 10, 300, 0, WF_MAX_SUBTREES}};
    WeftAllocator allocator = wf_allocator(NULL);
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
        // pieces of cloth beside each other, named at random
        int w = grids[g].w, h = grids[g].h, n = w * h * grids[g].copies, count = 0;
        WfPattern one = grid_pattern(w, h, GRID_TWELVE, NULL);
        int* pairs = malloc(2 * (size_t)one.start[w * h] * (size_t)grids[g].copies * sizeof(int));
        int *names = random_names(n), *order = malloc((size_t)n * sizeof(int));
        for (int c = 0; c < grids[g].copies; c++)
            for (int i = 0; i < w * h; i++)
                for (int e = one.start[i]; e < one.start[i + 1]; e++) {
                    pairs[2 * count] = names[c * w * h + i];
                    pairs[2 * count++ + 1] = names[c * w * h + one.index[e]];
                }
        WfPattern pattern = pattern_of(n, count, pairs);
        CHECK(wf_order_minimum_degree(&allocator, &pattern, order) == WEFT_OK);
        WfSupernodes s = nodes_of(&pattern, order);
        CHECK(s.subtree_count >= grids[g].least && s.subtree_count <= grids[g].most);
        check_columns(&s);
        check_rows(&s);
        check_subtrees(&s);
        check_stages(&s);
        CHECK(s.stage_count > 2 || g != 1);
        check_slots(&s);
        release_nodes(&s);
        free(order);
        free(names);
        free(pairs);
        wf_pattern_destroy(&allocator, &pattern);
        wf_pattern_destroy(&allocator, &one);
    }
}

#define SAME(field, length) CHECK(memcmp(a.field, b.field, (size_t)(length) * sizeof *a.field) == 0)

static void same_every_time(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    WfPattern pattern = grid_pattern(LARGE_W, LARGE_H, GRID_TWELVE, NULL);
    int order[LARGE_N];
    CHECK(wf_order_minimum_degree(&allocator, &pattern, order) == WEFT_OK);
    WfSupernodes a = nodes_of(&pattern, order), b = nodes_of(&pattern, order);
    CHECK(a.count == b.count && a.subtree_count == b.subtree_count && a.subtree_count > 0);
    CHECK(a.slot_count == b.slot_count && a.top_count == b.top_count && a.fill == b.fill);
    SAME(order, a.n);
    SAME(first, a.count + 1);
    SAME(parent, a.count);
    SAME(row_start, a.count + 1);
    SAME(rows, a.row_start[a.count]);
    SAME(slots, a.slot_start[a.count]);
    SAME(subtrees, a.subtree_count);
    SAME(top, a.top_count);
    SAME(staged, a.top_count);
    release_nodes(&a);
    release_nodes(&b);
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
        WfSupernodes s;
        result = wf_supernodes_create(&allocator, &pattern, order, NULL, &s);
        CHECK(result == WEFT_OK || (result == WEFT_ERROR_MEMORY && memory.out == 0));
        CHECK(!result || (s.order == NULL && s.rows == NULL && s.top == NULL));
        wf_supernodes_destroy(&allocator, &s);
        CHECK(memory.out == 0);
    }
    CHECK(result == WEFT_OK && n > 10);
    WeftAllocator allocator = wf_allocator(NULL);
    wf_pattern_destroy(&allocator, &pattern);
}

TEST_MAIN(CASE(no_row), CASE(one_row), CASE(no_pair), CASE(path), CASE(star), CASE(complete),
          CASE(grids), CASE(several_components), CASE(graphs_at_random), CASE(large_grids_are_cut),
          CASE(same_every_time), CASE(nth_allocation_fails))

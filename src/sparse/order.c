// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Cuthill-McKee (Cuthill and McKee 1969; reversed, George 1971). Rows are numbered level by
// level, walking outwards from one end of the mesh; a row then meets only rows of its own level and
// the two beside it, so that the matrix is a band as wide as the mesh is narrow.
//
//     o-o-o-o        0-2-5-9       level  0 | 1 2 | 3 4 5 | 6 7 8 9 | ...
//     | | | |   ->   | | | |
//     o-o-o-o        1-4-8-         a good end is far away from something: a long, thin walk
//     | | | |        | | | |
//
// The end is found by walking (George and Liu 1979): from any vertex to the far level, on from the
// vertex of least degree there, again and again while the walk gets longer. Its last walk is the
// order. Ties go to the smaller index, so the order depends on nothing but the pattern.

#include "sparse/order.h"

#include "base/memory.h"

typedef struct Walk {
    const WfPattern* pattern;
    int* neighbour;  // the pattern's rows by increasing degree, then index
    int* level;      // steps from the root, -1: not reached
    int* queue;      // vertices in the order in which they were reached
    int count;
} Walk;

static int degree(const WfPattern* pattern, int i) {
    return pattern->start[i + 1] - pattern->start[i];
}

// Vertices by increasing degree, then index: a counting sort. Degrees are 1 to n; next: n + 1.
static void sort_by_degree(const WfPattern* pattern, int* next, int* sorted) {
    int n = pattern->n;
    for (int i = 0; i < n; i++) next[degree(pattern, i)]++;
    int sum = 0;
    for (int d = 0; d <= n; d++) {
        int count = next[d];
        next[d] = sum;
        sum += count;
    }
    for (int i = 0; i < n; i++) sorted[next[degree(pattern, i)]++] = i;
}

// Each vertex, taken by degree, enters itself in the rows of its neighbours: these are then sorted.
static void sort_neighbours(const WfPattern* pattern, const int* sorted, int* next,
                            int* neighbour) {
    for (int i = 0; i < pattern->n; i++) next[i] = pattern->start[i];
    for (int k = 0; k < pattern->n; k++) {
        int i = sorted[k];
        for (int p = pattern->start[i]; p < pattern->start[i + 1]; p++)
            neighbour[next[pattern->index[p]]++] = i;
    }
}

// Breadth first from the root; returns the number of the last level.
static int walk_from(Walk* walk, int root) {
    const int* start = walk->pattern->start;
    walk->queue[0] = root;
    walk->level[root] = 0;
    walk->count = 1;
    for (int head = 0; head < walk->count; head++) {
        int i = walk->queue[head];
        for (int p = start[i]; p < start[i + 1]; p++) {
            int j = walk->neighbour[p];
            if (walk->level[j] >= 0) continue;
            walk->level[j] = walk->level[i] + 1;
            walk->queue[walk->count++] = j;
        }
    }
    return walk->level[walk->queue[walk->count - 1]];
}

// The vertex of least degree in the last level of the walk, the smallest index among equals.
static int far_end(const Walk* walk) {
    int best = walk->queue[walk->count - 1], last = walk->level[best];
    for (int k = walk->count - 1; k >= 0 && walk->level[walk->queue[k]] == last; k--) {
        int i = walk->queue[k], more = degree(walk->pattern, i) - degree(walk->pattern, best);
        if (more < 0 || (more == 0 && i < best)) best = i;
    }
    return best;
}

// Walk the root's component from end to end, until the walk gets no longer.
static void walk_component(Walk* walk, int root) {
    int length = walk_from(walk, root), before;
    do {
        before = length;
        int end = far_end(walk);
        for (int k = 0; k < walk->count; k++) walk->level[walk->queue[k]] = -1;
        length = walk_from(walk, end);
    } while (length > before);
}

static void reverse(int n, int* order) {
    for (int i = 0, j = n - 1; i < j; i++, j--) {
        int swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
}

WeftResult wf_order_cm(const WeftAllocator* allocator, const WfPattern* pattern, int* order) {
    int n = pattern->n;
    WeftResult result = WEFT_ERROR_MEMORY;
    int* next = wf_alloc(allocator, (size_t)n + 1, sizeof(int));
    int* level = wf_alloc(allocator, (size_t)n, sizeof(int));
    int* neighbour = wf_alloc(allocator, (size_t)pattern->start[n], sizeof(int));
    if (!next || !level || !neighbour) goto done;

    sort_by_degree(pattern, next, order);
    sort_neighbours(pattern, order, next, neighbour);
    for (int i = 0; i < n; i++) level[i] = -1;
    Walk walk = {.pattern = pattern, .neighbour = neighbour, .level = level, .queue = order};
    for (int i = 0; i < n; i++) {
        if (level[i] >= 0) continue;
        walk_component(&walk, i);
        walk.queue += walk.count;  // the next component follows
    }
    result = WEFT_OK;

done:
    wf_free(allocator, neighbour);
    wf_free(allocator, level);
    wf_free(allocator, next);
    return result;
}

WeftResult wf_order_rcm(const WeftAllocator* allocator, const WfPattern* pattern, int* order) {
    WeftResult result = wf_order_cm(allocator, pattern, order);
    if (!result) reverse(pattern->n, order);
    return result;
}

WeftResult wf_order_natural(const WeftAllocator* allocator, const WfPattern* pattern, int* order) {
    (void)allocator;
    for (int i = 0; i < pattern->n; i++) order[i] = i;
    return WEFT_OK;
}

// All others keep their order.
static WeftResult move_to_end(const WeftAllocator* allocator, int n, const unsigned char* last,
                              int* order) {
    int *tail = wf_alloc(allocator, (size_t)n, sizeof(int)), count = 0, moved = 0;
    if (!tail) return WEFT_ERROR_MEMORY;
    for (int k = 0; k < n; k++) {
        if (last[order[k]])
            tail[moved++] = order[k];
        else
            order[count++] = order[k];
    }
    for (int k = 0; k < moved; k++) order[count + k] = tail[k];
    wf_free(allocator, tail);
    return WEFT_OK;
}

static WeftResult order_freely(const WeftAllocator* allocator, WfOrdering kind,
                               const WfPattern* pattern, int* order) {
    switch (kind) {
        case WF_ORDER_NATURAL:
            return wf_order_natural(allocator, pattern, order);
        case WF_ORDER_CUTHILL_MCKEE:
            return wf_order_cm(allocator, pattern, order);
        case WF_ORDER_REVERSE_CUTHILL_MCKEE:
            return wf_order_rcm(allocator, pattern, order);
        case WF_ORDER_MINIMUM_DEGREE:
            return wf_order_minimum_degree(allocator, pattern, order);
        case WF_ORDER_NESTED_DISSECTION:
            break;
    }
    return WEFT_ERROR_INPUT;
}

WeftResult wf_order(const WeftAllocator* allocator, WfOrdering kind, const WfPattern* pattern,
                    const double* coordinates, const unsigned char* last, int* order) {
    if (kind == WF_ORDER_NESTED_DISSECTION)
        return wf_order_nested(allocator, pattern, coordinates, last, order);
    WeftResult result = order_freely(allocator, kind, pattern, order);
    if (!result && last) result = move_to_end(allocator, pattern->n, last, order);
    return result;
}

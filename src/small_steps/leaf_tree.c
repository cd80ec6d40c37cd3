// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "small_steps/leaf_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

// ---------------------------------------------------------------------------------------------
// Which triangles lie together

typedef struct Item {
    double at[6];  // middle, and the normal times FACING
    double key;
    int triangle;
} Item;

static const double FACING = 0.05;  // m: as far apart as what faces other ways counts

static int by_key(const void* a, const void* b) {
    const Item *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->triangle - y->triangle;
}

static int widest_axis(const Item* items, int count) {
    int best = 0;
    double most = -1;
    for (int k = 0; k < 6; k++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int i = 0; i < count; i++) {
            low = fmin(low, items[i].at[k]);
            high = fmax(high, items[i].at[k]);
        }
        if (high - low > most) most = high - low, best = k;
    }
    return best;
}

// In halves of whole nodes, then of whole leaves, across the axis along which they are furthest.
static void order_items(Item* items, int count) {
    if (count <= WF_OCT) return;
    int axis = widest_axis(items, count), unit = count > WF_OCT * WF_OCT ? WF_OCT * WF_OCT : WF_OCT;
    for (int i = 0; i < count; i++) items[i].key = items[i].at[axis];
    qsort(items, (size_t)count, sizeof *items, by_key);
    int half = (count / 2 + unit - 1) / unit * unit;
    if (half >= count) half = count / unit * unit;
    if (half >= count) half -= unit;
    order_items(items, half);
    order_items(items + half, count - half);
}

static Item item_of(const WfSurface* surface, const double* positions, int triangle) {
    const int* v = surface->triangles + 3 * (long)triangle;
    WfVec a = wf_load(positions, v[0]), b = wf_load(positions, v[1]), c = wf_load(positions, v[2]);
    WfVec middle = wf_mul(1.0 / 3, wf_add(a, wf_add(b, c)));
    WfVec n = wf_mul(FACING, wf_unit(wf_cross(wf_sub(b, a), wf_sub(c, a))));
    return (Item){{middle.x, middle.y, middle.z, n.x, n.y, n.z}, 0, triangle};
}

// ---------------------------------------------------------------------------------------------
// Leaves

typedef struct Builder {
    const WfSurface* surface;
    const int* groups;
    int first, capacity;
    WfLeafTree* tree;
} Builder;

static int group_of(const Builder* b, int vertex) { return b->groups ? b->groups[vertex] : 0; }

static int popcount(unsigned bits) {
    int count = 0;
    for (; bits; bits &= bits - 1) count++;
    return count;
}

// Into the leaf of `triangles` that has the fewest, or into the last one; false where both are
// full.
static int pick_leaf(const Builder* b, const int* triangles, int count, bool edges) {
    const WfLeafTree* t = b->tree;
    int best = -1, least = edges ? WF_LEAF_EDGES : WF_OCT;
    for (int k = 0; k < count; k++) {
        int leaf = b->tree->leaf_of[triangles[k]];
        int taken = popcount(edges ? t->has_edges[leaf] : t->has_vertices[leaf]);
        if (taken < least) least = taken, best = leaf;
    }
    return best;
}

// A leaf for what has found no room, of this group.
static int spare_leaf(Builder* b, int vertex, bool edges) {
    WfLeafTree* t = b->tree;
    int last = t->leaf_count - 1;
    bool is_spare = last >= 0 && !t->has_triangles[last] && t->group[last] == group_of(b, vertex);
    int taken = is_spare ? popcount(edges ? t->has_edges[last] : t->has_vertices[last]) : 0;
    if (is_spare && taken < WF_OCT) return last;  // all of their ends are among 24 corners
    t->group[t->leaf_count] = group_of(b, vertex);
    return t->leaf_count++;
}

static void add_vertex(Builder* b, int vertex) {
    const WfSurface* s = b->surface;
    WfLeafTree* t = b->tree;
    int start = s->around_start[vertex], end = s->around_start[vertex + 1];
    if (start == end) return;  // of no triangle and no rope
    int leaf = pick_leaf(b, s->around + start, end - start, false);
    if (leaf < 0) leaf = spare_leaf(b, vertex, false);
    int lane = popcount(t->has_vertices[leaf]);
    t->vertices[WF_OCT * leaf + lane] = b->first + vertex;
    t->has_vertices[leaf] |= (unsigned char)(1 << lane);
}

static void add_edge(Builder* b, int edge) {
    const WfSurface* s = b->surface;
    WfLeafTree* t = b->tree;
    const int* of = s->edge_triangles + 2 * (long)edge;
    const int* ends = s->edges + 2 * (long)edge;
    int leaf = of[0] < 0 ? -1 : pick_leaf(b, of, of[1] < 0 ? 1 : 2, true);
    if (leaf < 0) leaf = spare_leaf(b, ends[0], true);
    int lane = popcount(t->has_edges[leaf]);
    for (int k = 0; k < 2; k++)
        t->edges[2 * WF_LEAF_EDGES * (long)leaf + WF_LEAF_EDGES * k + lane] = b->first + ends[k];
    t->has_edges[leaf] |= (unsigned short)(1 << lane);
}

static void add_triangles(Builder* b, const Item* items, int count) {
    WfLeafTree* t = b->tree;
    for (int i = 0; i < count; i++) {
        int lane = i % WF_OCT;
        if (lane == 0) t->leaf_count++;
        int leaf = t->leaf_count - 1, triangle = items[i].triangle;
        const int* v = b->surface->triangles + 3 * (long)triangle;
        for (int k = 0; k < 3; k++)
            t->corners[3 * WF_OCT * (long)leaf + WF_OCT * k + lane] = b->first + v[k];
        t->triangles[WF_OCT * leaf + lane] = triangle;
        t->has_triangles[leaf] |= (unsigned char)(1 << lane);
        t->group[leaf] = group_of(b, v[0]);
        b->tree->leaf_of[triangle] = leaf;
    }
}

// A point of the leaf.
static int any_point(const WfLeafTree* t, int leaf) {
    if (t->has_triangles[leaf]) return t->corners[3 * WF_OCT * (long)leaf];
    if (t->has_vertices[leaf]) return t->vertices[WF_OCT * leaf];
    return t->edges[2 * WF_LEAF_EDGES * (long)leaf];
}

static void fill_lanes(WfLeafTree* t, int leaf) {
    int point = any_point(t, leaf), *corners = t->corners + 3 * WF_OCT * (long)leaf;
    int *vertices = t->vertices + WF_OCT * leaf, *ends = t->edges + 2 * WF_LEAF_EDGES * (long)leaf;
    for (int lane = 0; lane < WF_OCT; lane++) {
        for (int k = 0; k < 3 && !(t->has_triangles[leaf] >> lane & 1); k++)
            corners[WF_OCT * k + lane] = point;
        if (!(t->has_vertices[leaf] >> lane & 1)) vertices[lane] = point;
    }
    for (int lane = 0; lane < WF_LEAF_EDGES; lane++)
        for (int k = 0; k < 2 && !(t->has_edges[leaf] >> lane & 1); k++)
            ends[WF_LEAF_EDGES * k + lane] = point;
    for (int lane = 0; lane < WF_OCT && !t->has_triangles[leaf]; lane++) {
        corners[lane] = vertices[lane];
        for (int k = 0; k < 2; k++)
            corners[WF_OCT * (k + 1) + lane] = ends[WF_LEAF_EDGES * k + lane];
    }
}

// ---------------------------------------------------------------------------------------------
// Which leaves have sharp edges

static const double SHARP = 0.8;  // cosine between normals: 37 degrees

static bool is_sharp(const WfSurface* s, const double* positions, int edge) {
    const int* of = s->edge_triangles + 2 * (long)edge;
    if (of[1] < 0) return true;
    Item a = item_of(s, positions, of[0]), b = item_of(s, positions, of[1]);
    return wf_dot(wf_load(a.at, 1), wf_load(b.at, 1)) < SHARP * FACING * FACING;
}

static void mark_sharp(Builder* b, const double* positions) {
    const WfSurface* s = b->surface;
    for (int e = 0; e < s->edge_count; e++)
        for (int k = 0; k < 2 && is_sharp(s, positions, e); k++) {
            int triangle = s->edge_triangles[2 * (long)e + k];
            if (triangle >= 0) b->tree->sharp[b->tree->leaf_of[triangle]] = 1;
        }
}

// ---------------------------------------------------------------------------------------------
// Which leaves share a vertex

// All points of a leaf: 8 x 3 corners, 8 vertices, 2 x 16 ends.
enum { LEAF_POINTS = 3 * WF_OCT + WF_OCT + 2 * WF_LEAF_EDGES };

static int leaf_point(const WfLeafTree* t, int leaf, int k) {
    if (k < 3 * WF_OCT) return t->corners[3 * WF_OCT * (long)leaf + k];
    if (k < 4 * WF_OCT) return t->vertices[WF_OCT * leaf + k - 3 * WF_OCT];
    return t->edges[2 * WF_LEAF_EDGES * (long)leaf + k - 4 * WF_OCT];
}

// Leaves of each vertex, then of each leaf those of its vertices; `seen` marks what is listed.
// Counts where `beside` is NULL.
static int list_beside(const WfLeafTree* t, int first, const int* start, const int* leaves,
                       int leaf, int* seen, int* beside) {
    int count = 0;
    for (int k = 0; k < LEAF_POINTS; k++) {
        int vertex = leaf_point(t, leaf, k) - first;
        for (int j = start[vertex]; j < start[vertex + 1]; j++) {
            if (seen[leaves[j]] == leaf + 1) continue;
            seen[leaves[j]] = leaf + 1;
            if (beside) beside[count] = leaves[j];
            count++;
        }
    }
    return count;
}

static WeftResult find_beside(const WeftAllocator* allocator, int first, int vertex_count,
                              WfLeafTree* t) {
    size_t room = (size_t)t->leaf_count * LEAF_POINTS;
    WeftResult result = WEFT_ERROR_MEMORY;
    int* start = wf_alloc(allocator, (size_t)vertex_count + 2, sizeof *start);
    int* leaves = wf_alloc(allocator, room, sizeof *leaves);
    int* seen = wf_alloc(allocator, (size_t)t->leaf_count, sizeof *seen);
    t->beside_start = wf_alloc(allocator, (size_t)t->leaf_count + 1, sizeof(int));
    if (!start || !leaves || !seen || !t->beside_start) goto done;
    for (int l = 0; l < t->leaf_count; l++)
        for (int k = 0; k < LEAF_POINTS; k++) start[leaf_point(t, l, k) - first + 2]++;
    for (int i = 0; i < vertex_count; i++) start[i + 2] += start[i + 1];
    for (int l = 0; l < t->leaf_count; l++)
        for (int k = 0; k < LEAF_POINTS; k++) leaves[start[leaf_point(t, l, k) - first + 1]++] = l;
    for (int l = 0; l < t->leaf_count; l++)
        t->beside_start[l + 1] =
            t->beside_start[l] + list_beside(t, first, start, leaves, l, seen, NULL);
    t->beside = wf_alloc(allocator, (size_t)t->beside_start[t->leaf_count], sizeof(int));
    if (!t->beside) goto done;
    memset(seen, 0, (size_t)t->leaf_count * sizeof *seen);
    for (int l = 0; l < t->leaf_count; l++)
        list_beside(t, first, start, leaves, l, seen, t->beside + t->beside_start[l]);
    result = WEFT_OK;
done:
    wf_free(allocator, start);
    wf_free(allocator, leaves);
    wf_free(allocator, seen);
    return result;
}

// ---------------------------------------------------------------------------------------------

// Leaves at most: those of triangles of each group, and spare ones.
static int most_leaves(const WfSurface* s, const int* groups) {
    int groups_count = 1;
    for (int i = 0; i < s->vertex_count && groups; i++)
        groups_count = groups[i] + 1 > groups_count ? groups[i] + 1 : groups_count;
    return s->triangle_count / WF_OCT + s->vertex_count / WF_OCT + s->edge_count / WF_OCT +
           3 * groups_count + 3;
}

static bool allocate(const WeftAllocator* allocator, int capacity, WfLeafTree* t) {
    size_t n = ((size_t)capacity + WF_OCT - 1) / WF_OCT * WF_OCT;
    t->corners = wf_alloc(allocator, 3 * WF_OCT * n, sizeof(int));
    t->triangles = wf_alloc(allocator, WF_OCT * n, sizeof(int));
    t->vertices = wf_alloc(allocator, WF_OCT * n, sizeof(int));
    t->edges = wf_alloc(allocator, 2 * WF_LEAF_EDGES * n, sizeof(int));
    t->has_triangles = wf_alloc(allocator, n, 1);
    t->has_vertices = wf_alloc(allocator, n, 1);
    t->has_edges = wf_alloc(allocator, n, sizeof *t->has_edges);
    t->sharp = wf_alloc(allocator, n, 1);
    t->group = wf_alloc(allocator, n, sizeof(int));
    return t->corners && t->triangles && t->vertices && t->edges && t->has_triangles &&
           t->has_vertices && t->has_edges && t->sharp && t->group;
}

// Group after group.
static void build(Builder* b, const double* positions, Item* items) {
    const WfSurface* s = b->surface;
    int left = s->triangle_count;
    for (int group = 0; left > 0; group++) {
        int count = 0;
        for (int t = 0; t < s->triangle_count; t++)
            if (group_of(b, s->triangles[3 * (long)t]) == group)
                items[count++] = item_of(s, positions, t);
        order_items(items, count);
        add_triangles(b, items, count);
        left -= count;
    }
    for (int i = 0; i < s->vertex_count; i++) add_vertex(b, i);
    for (int e = 0; e < s->edge_count; e++) add_edge(b, e);
    for (int l = 0; l < b->tree->leaf_count; l++) fill_lanes(b->tree, l);
    mark_sharp(b, positions);
    b->tree->node_count = (b->tree->leaf_count + WF_OCT - 1) / WF_OCT;
}

WeftResult wf_leaf_tree_create(const WeftAllocator* allocator, const WfSurface* surface, int first,
                               const double* positions, const int* groups, WfLeafTree* tree) {
    *tree = (WfLeafTree){0};
    Builder b = {.surface = surface, .groups = groups, .first = first, .tree = tree};
    b.capacity = most_leaves(surface, groups);
    tree->leaf_of = wf_alloc(allocator, (size_t)surface->triangle_count, sizeof(int));
    Item* items = wf_alloc(allocator, (size_t)surface->triangle_count, sizeof *items);
    WeftResult result = WEFT_ERROR_MEMORY;
    if (tree->leaf_of && items && allocate(allocator, b.capacity, tree)) {
        build(&b, positions, items);
        result = find_beside(allocator, first, surface->vertex_count, tree);
    }
    wf_free(allocator, items);
    if (result) wf_leaf_tree_destroy(allocator, tree);
    return result;
}

void wf_leaf_tree_destroy(const WeftAllocator* allocator, WfLeafTree* t) {
    wf_free(allocator, t->corners);
    wf_free(allocator, t->triangles);
    wf_free(allocator, t->vertices);
    wf_free(allocator, t->edges);
    wf_free(allocator, t->has_triangles);
    wf_free(allocator, t->has_vertices);
    wf_free(allocator, t->has_edges);
    wf_free(allocator, t->sharp);
    wf_free(allocator, t->group);
    wf_free(allocator, t->leaf_of);
    wf_free(allocator, t->beside_start);
    wf_free(allocator, t->beside);
    *t = (WfLeafTree){0};
}

size_t wf_leaf_tree_bytes(const WfLeafTree* t) {
    size_t leaf = (LEAF_POINTS + WF_OCT + 2) * sizeof(int) + 4;
    size_t beside = t->beside_start ? (size_t)t->beside_start[t->leaf_count] : 0;
    return (size_t)t->leaf_count * leaf + beside * sizeof(int);
}

void wf_leaf_boxes_layout(const WfLeafTree* t, bool places, WfArena* arena, WfLeafBoxes* b) {
    size_t nodes = (size_t)t->node_count, leaves = WF_OCT * nodes;
    b->width = (t->node_count + WF_OCT - 1) / WF_OCT * WF_OCT;
    b->triangles = wf_arena_push(arena, 6 * WF_OCT * leaves, sizeof(float));
    b->edges = wf_arena_push(arena, 6 * WF_LEAF_EDGES * leaves, sizeof(float));
    b->vertices = wf_arena_push(arena, 3 * WF_OCT * leaves, sizeof(float));
    if (places) b->places = wf_arena_push(arena, 9 * WF_OCT * leaves, sizeof(float));
    b->leaves = wf_arena_push(arena, 6 * WF_OCT * nodes, sizeof(float));
    b->nodes = wf_arena_push(arena, 6 * (size_t)b->width, sizeof(float));
    b->cone = wf_arena_push(arena, leaves, sizeof *b->cone);
    b->bend = wf_arena_push(arena, leaves, sizeof(float));
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A build halves the triangles at the median of their centres, along the longer side of the box of
// those, down to the leaves; so the shape of the tree depends on the number of triangles alone, and
// a rebuild moves into the same arrays. A fit goes through all arrays once, backwards over nodes.

#include "contact/tree.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "base/simd.h"

// Build anew where the cost has grown by this much: a search takes as much longer, and a build
// costs about one search.
#define SLACK 1.5

enum { LEAF_SIZE = WF_LANES, MOST_LEVELS = 40 };

// What a split looks at.
typedef struct WfCentre {
    float x[3];
    int triangle;
} Centre;

void wf_tree_layout(const WfSurface* surface, WfArena* arena, WfTree* tree) {
    size_t triangles = (size_t)surface->triangle_count, vertices = (size_t)surface->vertex_count;
    size_t leaves = (triangles + LEAF_SIZE - 1) / LEAF_SIZE, nodes = leaves ? 2 * leaves - 1 : 0;
    // of the blocks of a leaf all are full but one; edges have them by twos
    size_t point_blocks = vertices / WF_LANES + leaves;
    size_t edge_blocks = 2 * ((size_t)surface->edge_count / (2 * WF_LANES) + leaves);
    *tree = (WfTree){
        .surface = surface,
        .node_count = (int)nodes,
        .leaf_count = (int)leaves,
        .boxes = wf_arena_push(arena, nodes, sizeof *tree->boxes),
        .child = wf_arena_push(arena, nodes, sizeof *tree->child),
        .fresh = wf_arena_push(arena, nodes, 1),
        .drifts = wf_arena_push(arena, nodes, sizeof *tree->drifts),
        .leaves = wf_arena_push(arena, leaves, sizeof *tree->leaves),
        .points = wf_arena_push(arena, point_blocks, sizeof *tree->points),
        .edges = wf_arena_push(arena, edge_blocks, sizeof *tree->edges),
        .vertices = wf_arena_push(arena, vertices, sizeof *tree->vertices),
        .places = wf_arena_push(arena, 8 * vertices, sizeof *tree->places),
        .rects = wf_arena_push(arena, nodes, sizeof *tree->rects),
        .leaf_node = wf_arena_push(arena, leaves, sizeof *tree->leaf_node),
        .sums = wf_arena_push(arena, (vertices + leaves) / WF_ITEM_BLOCK + 2, sizeof *tree->sums),
        .centres = wf_arena_push(arena, triangles, sizeof *tree->centres),
    };
}

void wf_tree_forget(WfTree* tree) { tree->built = false; }

// ---------------------------------------------------------------------------------------------
// Boxes

static inline void join(WfSpan* to, const WfSpan* a, const WfSpan* b) {
    wf_quad_store(to->minus_low,
                  wf_quad_max(wf_quad_load(a->minus_low), wf_quad_load(b->minus_low)));
    wf_quad_store(to->high, wf_quad_max(wf_quad_load(a->high), wf_quad_load(b->high)));
    wf_quad_store(to->minus_least,
                  wf_quad_max(wf_quad_load(a->minus_least), wf_quad_load(b->minus_least)));
    wf_quad_store(to->most, wf_quad_max(wf_quad_load(a->most), wf_quad_load(b->most)));
}

// Half of its surface.
static inline double area(const WfSpan* span) {
    float x = span->high[0] + span->minus_low[0], y = span->high[1] + span->minus_low[1];
    float z = span->high[2] + span->minus_low[2];
    return (double)(x * y + y * z + z * x);
}

// A fit under way.
typedef struct Fit {
    WfTree* tree;
    const double *x0, *x1;
    WfReach reach;
    const WfWays* ways;
    bool only_places;
} Fit;

static const double ZERO[3] = {0, 0, 0};

static const double* origin_of(const WfTree* tree) { return tree->origin ? tree->origin : ZERO; }

WfVec wf_tree_seen(const WfTree* tree, WfVec p) { return wf_sub(p, wf_load(origin_of(tree), 0)); }

// Returns the largest coordinate.
static double place_vertex(const Fit* fit, int v) {
    const double *a = fit->x0 + 3 * (long)v, *b = fit->x1 + 3 * (long)v;
    const double *thickness = fit->tree->thickness, *origin = origin_of(fit->tree);
    float* to = fit->tree->places + 8 * (long)v;
    double size = 0;
    for (int k = 0; k < 3; k++) {
        double start = a[k] - origin[k], end = b[k] - origin[k];
        size = fmax(size, fmax(fabs(start), fabs(end)));
        to[k] = (float)start;
        to[4 + k] = (float)end;
    }
    to[3] = thickness ? (float)(thickness[v] / 2) : FLT_MAX / 2;
    to[7] = 0;
    return size;
}

// To float, outwards: some units in the last place cover the rounding to float, all before it, and
// that of sums of a place and a displacement later on.
static void fit_vertex(const Fit* fit, int v) {
    WfSpan* span = &fit->tree->vertices[v];
    const double *x = fit->x0 + 3 * (long)v, *x1 = fit->x1 + 3 * (long)v;
    const double* origin = origin_of(fit->tree);
    double reach = fit->reach.points;
    for (int k = 0; k < 3; k++) {
        double a = x[k] - origin[k], way = x1[k] - x[k];
        double least = fit->ways ? fmin(way, fit->ways[v].low[k]) : way;
        double most = fit->ways ? fmax(way, fit->ways[v].high[k]) : way;
        double size = fabs(a) + fmax(fabs(least), fabs(most)) + reach;
        double half = reach + 4 * (double)FLT_EPSILON * size;
        half += (double)FLT_MIN;
        span->minus_low[k] = (float)(half - a);
        span->high[k] = (float)(half + a);
        span->minus_least[k] = (float)-least;
        span->most[k] = (float)most;
    }
    span->minus_low[3] = span->high[3] = span->minus_least[3] = span->most[3] = 0;
}

static void vertex_block(void* context, int block) {
    const Fit* fit = context;
    int end = wf_item_end(fit->tree->surface->vertex_count, block);
    double size = 0;
    for (int v = block * WF_ITEM_BLOCK; v < end; v++) {
        if (!fit->only_places) fit_vertex(fit, v);
        size = fmax(size, place_vertex(fit, v));
    }
    fit->tree->sums[block] = size;
}

static void fit_vertices(Fit* fit) {
    WfTree* tree = fit->tree;
    int count = tree->surface->vertex_count;
    wf_parallel(tree->jobs, wf_item_blocks(count), vertex_block, fit);
    tree->size = 0;
    for (int b = 0; b < wf_item_blocks(count); b++) tree->size = fmax(tree->size, tree->sums[b]);
}

static inline void put_lane(WfLanes* lanes, int lane, const WfSpan* span) {
    for (int k = 0; k < 3; k++) {
        lanes->low[k][lane] = -span->minus_low[k];
        lanes->high[k][lane] = span->high[k];
    }
}

static void clear_lanes(WfLanes* lanes) {
    static const WfSpan none = {.minus_low = {-FLT_MAX, -FLT_MAX, -FLT_MAX, 0},
                                .high = {-FLT_MAX, -FLT_MAX, -FLT_MAX, 0}};
    for (int lane = 0; lane < WF_LANES; lane++) {
        put_lane(lanes, lane, &none);
        lanes->id[lane] = -1;
        for (int k = 0; k < 3; k++) lanes->vertex[k][lane] = -1;
    }
}

// ---------------------------------------------------------------------------------------------
// Build

static Centre centre_of(const WfSpan* span, int triangle) {
    Centre centre = {.triangle = triangle};
    for (int k = 0; k < 3; k++) {
        float x = 0.5f * span->high[k] - 0.5f * span->minus_low[k];
        centre.x[k] = isfinite(x) ? x : 0;  // what has no place goes anywhere
    }
    return centre;
}

static void find_centres(WfTree* tree) {
    const WfSpan* v = tree->vertices;
    const int* corner = tree->surface->triangles;
    WfSpan span;
    for (int t = 0; t < tree->surface->triangle_count; t++, corner += 3) {
        join(&span, &v[corner[0]], &v[corner[1]]);
        join(&span, &span, &v[corner[2]]);
        tree->centres[t] = centre_of(&span, t);
    }
}

static int longest_axis(const Centre* centres, int count) {
    float low[3], high[3], longest = -1;
    int axis = 0;
    for (int k = 0; k < 3; k++) {
        low[k] = high[k] = centres[0].x[k];
        for (int i = 1; i < count; i++) {
            float x = centres[i].x[k];
            low[k] = x < low[k] ? x : low[k];
            high[k] = x > high[k] ? x : high[k];
        }
        if (high[k] - low[k] > longest) longest = high[k] - low[k], axis = k;
    }
    return axis;
}

static float middle_of_three(float a, float b, float c) {
    float low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

// Reorder so that none of the first `left` lies beyond any of the others (Hoare's selection).
static void split(Centre* centres, int count, int left, int axis) {
    int low = 0, high = count - 1;
    while (low < high) {
        float pivot = middle_of_three(centres[low].x[axis], centres[(low + high) / 2].x[axis],
                                      centres[high].x[axis]);
        int i = low, j = high;
        while (i <= j) {
            while (centres[i].x[axis] < pivot) i++;
            while (centres[j].x[axis] > pivot) j--;
            if (i > j) break;
            Centre other = centres[i];
            centres[i++] = centres[j];
            centres[j--] = other;
        }
        if (left <= j)
            high = j;
        else if (left >= i)
            low = i;
        else
            return;
    }
}

typedef struct Part {
    int node, leaf, leaves;
} Part;

// Nodes from the root down; the leaves of the left child come first and are full.
static void build_nodes(WfTree* tree) {
    Part stack[MOST_LEVELS];
    int depth = 0, node_count = 1;
    stack[depth++] = (Part){0, 0, tree->leaf_count};
    while (depth > 0) {
        Part part = stack[--depth];
        tree->child[part.node] = -1 - part.leaf;
        tree->leaf_node[part.leaf] = part.node;
        if (part.leaves == 1) continue;
        int start = part.leaf * LEAF_SIZE, left = (part.leaves + 1) / 2;
        int end = (part.leaf + part.leaves) * LEAF_SIZE;
        if (end > tree->surface->triangle_count) end = tree->surface->triangle_count;
        Centre* centres = tree->centres + start;
        split(centres, end - start, left * LEAF_SIZE, longest_axis(centres, end - start));
        tree->child[part.node] = node_count;
        stack[depth++] = (Part){node_count + 1, part.leaf + left, part.leaves - left};
        stack[depth++] = (Part){node_count, part.leaf, left};
        node_count += 2;
    }
}

static void add_point(WfTree* tree, WfLeaf* leaf, int vertex) {
    WfLanes* lanes = &tree->points[leaf->points + leaf->point_count / WF_LANES];
    int lane = leaf->point_count++ % WF_LANES;
    if (lane == 0) clear_lanes(lanes);
    lanes->id[lane] = lanes->vertex[0][lane] = vertex;
}

static void add_edge(WfTree* tree, WfLeaf* leaf, int edge) {
    WfLanes* lanes = &tree->edges[leaf->edges + leaf->edge_count / WF_LANES];
    int lane = leaf->edge_count % WF_LANES;
    if (leaf->edge_count++ % (2 * WF_LANES) == 0) {
        clear_lanes(lanes);
        clear_lanes(lanes + 1);
    }
    lanes->id[lane] = edge;
    for (int k = 0; k < 2; k++) lanes->vertex[k][lane] = tree->surface->edges[2 * (long)edge + k];
}

// A triangle and what it owns.
static void add_triangle(WfTree* tree, WfLeaf* leaf, int t) {
    const WfSurface* s = tree->surface;
    int lane = leaf->triangle_count++;
    leaf->triangles.id[lane] = t;
    for (int k = 0; k < 3; k++) {
        int corner = s->triangles[3 * (long)t + k];
        leaf->triangles.vertex[k][lane] = corner;
        if (s->owns[t] >> k & 1) add_point(tree, leaf, corner);
        if (s->owns[t] >> k & 8) add_edge(tree, leaf, s->triangle_edges[3 * (long)t + k]);
    }
}

static void build_leaves(WfTree* tree) {
    int points = 0, edges = 0, t = 0;
    for (int l = 0; l < tree->leaf_count; l++) {
        WfLeaf* leaf = &tree->leaves[l];
        *leaf = (WfLeaf){.points = points, .edges = edges};
        clear_lanes(&leaf->triangles);
        for (int end = t + LEAF_SIZE; t < end && t < tree->surface->triangle_count; t++)
            add_triangle(tree, leaf, tree->centres[t].triangle);
        points += (leaf->point_count + WF_LANES - 1) / WF_LANES;
        edges += (leaf->edge_count + 2 * WF_LANES - 1) / (2 * WF_LANES) * 2;
    }
}

static WfRect rect_of(const WfTree* tree, const WfLeaf* leaf) {
    WfRect rect = {{FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX}};
    for (int lane = 0; lane < leaf->triangle_count; lane++) {
        if (!tree->chart->lies[leaf->triangles.id[lane]])
            return (WfRect){{-FLT_MAX, -FLT_MAX}, {FLT_MAX, FLT_MAX}};
        for (int k = 0; k < 3; k++)
            for (int d = 0; d < 2; d++) {
                float x = tree->chart->places[2 * (long)leaf->triangles.vertex[k][lane] + d];
                rect.low[d] = fminf(rect.low[d], x);
                rect.high[d] = fmaxf(rect.high[d], x);
            }
    }
    return rect;
}

static void find_rects(WfTree* tree) {
    for (int i = tree->node_count - 1; i >= 0; i--) {
        int child = tree->child[i];
        WfRect* rect = &tree->rects[i];
        *rect = child < 0 ? rect_of(tree, &tree->leaves[-1 - child]) : tree->rects[child];
        for (int d = 0; d < 2 && child >= 0; d++) {
            rect->low[d] = fminf(rect->low[d], tree->rects[child + 1].low[d]);
            rect->high[d] = fmaxf(rect->high[d], tree->rects[child + 1].high[d]);
        }
    }
}

static void build(WfTree* tree) {
    find_centres(tree);
    build_nodes(tree);
    build_leaves(tree);
    if (tree->chart) find_rects(tree);
    tree->built = true;
    tree->builds++;
}

// ---------------------------------------------------------------------------------------------
// Fit

static void fit_points(WfTree* tree, const WfLeaf* leaf) {
    for (int i = 0; i < leaf->point_count; i++) {
        WfLanes* lanes = &tree->points[leaf->points + i / WF_LANES];
        put_lane(lanes, i % WF_LANES, &tree->vertices[lanes->id[i % WF_LANES]]);
    }
}

static void fit_edges(WfTree* tree, const WfLeaf* leaf, float less) {
    const WfSpan* v = tree->vertices;
    WfSpan span;
    for (int i = 0; i < leaf->edge_count; i++) {
        WfLanes* lanes = &tree->edges[leaf->edges + i / WF_LANES];
        int lane = i % WF_LANES;
        join(&span, &v[lanes->vertex[0][lane]], &v[lanes->vertex[1][lane]]);
        for (int k = 0; k < 3; k++) {
            span.minus_low[k] -= less;
            span.high[k] -= less;
        }
        put_lane(lanes, lane, &span);
    }
}

// Into `all`, the box of them: segments count there, though they are no triangles. Returns the sum
// of their areas.
static double fit_triangles(const WfTree* tree, WfLeaf* leaf, WfSpan* all) {
    const WfSpan* v = tree->vertices;
    WfLanes* lanes = &leaf->triangles;
    WfSpan span;
    double sum = 0;
    *all = v[lanes->vertex[0][0]];
    for (int lane = 0; lane < leaf->triangle_count; lane++) {
        int a = lanes->vertex[0][lane], b = lanes->vertex[1][lane], c = lanes->vertex[2][lane];
        join(&span, &v[a], &v[b]);
        join(&span, &span, &v[c]);
        if (b != c) put_lane(lanes, lane, &span);
        sum += area(&span);
        join(all, all, &span);
    }
    return sum;
}

static void leaf_block(void* context, int block) {
    const Fit* fit = context;
    WfTree* tree = fit->tree;
    float less = (float)(fit->reach.points - fit->reach.edges);
    double sum = 0;
    for (int l = block * WF_ITEM_BLOCK; l < wf_item_end(tree->leaf_count, block); l++) {
        WfLeaf* leaf = &tree->leaves[l];
        fit_points(tree, leaf);
        fit_edges(tree, leaf, less);
        sum += fit_triangles(tree, leaf, &tree->boxes[tree->leaf_node[l]]);
    }
    tree->sums[block] = sum;
}

// Returns the cost of a search: how large nodes are beside triangles. Both grow with the reach, but
// only nodes grow as their triangles spread.
static double fit_nodes(Fit* fit) {
    WfTree* tree = fit->tree;
    double triangles = 0, nodes = 0;
    wf_parallel(tree->jobs, wf_item_blocks(tree->leaf_count), leaf_block, fit);
    for (int b = 0; b < wf_item_blocks(tree->leaf_count); b++) triangles += tree->sums[b];
    for (int i = tree->node_count - 1; i >= 0; i--) {
        int child = tree->child[i];
        if (child >= 0) join(&tree->boxes[i], &tree->boxes[child], &tree->boxes[child + 1]);
        nodes += area(&tree->boxes[i]);
    }
    return triangles > 0 ? nodes / triangles : 0;
}

void wf_tree_fit(WfTree* tree, const double* x0, const double* x1, WfReach reach,
                 const WfWays* ways) {
    Fit fit = {tree, x0, x1, reach, ways, false};
    fit_vertices(&fit);
    if (tree->node_count == 0) return;
    bool fresh = !tree->built;
    if (fresh) build(tree);
    double cost = fit_nodes(&fit);
    if (!fresh && cost > SLACK * tree->built_cost) {
        build(tree);
        cost = fit_nodes(&fit);
        fresh = true;
    }
    if (fresh) tree->built_cost = cost;
    memset(tree->fresh, 1, (size_t)tree->node_count);
}

void wf_tree_place(WfTree* tree, const double* x0, const double* x1) {
    Fit fit = {.tree = tree, .x0 = x0, .x1 = x1, .only_places = true};
    fit_vertices(&fit);
}

// ---------------------------------------------------------------------------------------------
// Drifts

static const WfDrift NO_DRIFT = {{-FLT_MAX, -FLT_MAX, -FLT_MAX, 0},
                                 {-FLT_MAX, -FLT_MAX, -FLT_MAX, 0}};

static void widen_drift(WfDrift* drift, const double* x, const double* expected) {
    for (int k = 0; k < 3; k++) {
        float by = (float)(x[k] - expected[k]);
        drift->minus_least[k] = fmaxf(drift->minus_least[k], -by);
        drift->most[k] = fmaxf(drift->most[k], by);
    }
}

static void drift_block(void* context, int block) {
    const Fit* fit = context;
    WfTree* tree = fit->tree;
    for (int l = block * WF_ITEM_BLOCK; l < wf_item_end(tree->leaf_count, block); l++) {
        const WfLeaf* leaf = &tree->leaves[l];
        WfDrift* drift = &tree->drifts[tree->leaf_node[l]];
        *drift = NO_DRIFT;
        for (int lane = 0; lane < leaf->triangle_count; lane++)
            for (int k = 0; k < 3; k++) {
                long v = 3 * (long)leaf->triangles.vertex[k][lane];
                widen_drift(drift, fit->x1 + v, fit->x0 + v);
            }
    }
}

void wf_tree_fit_drifts(WfTree* tree, const double* x, const double* expected) {
    if (!x) {
        memset(tree->drifts, 0, (size_t)tree->node_count * sizeof *tree->drifts);
        return;
    }
    Fit fit = {.tree = tree, .x0 = expected, .x1 = x};
    wf_parallel(tree->jobs, wf_item_blocks(tree->leaf_count), drift_block, &fit);
    for (int i = tree->node_count - 1; i >= 0; i--) {
        if (tree->child[i] < 0) continue;
        const WfDrift *a = &tree->drifts[tree->child[i]], *b = a + 1;
        wf_quad_store(tree->drifts[i].minus_least,
                      wf_quad_max(wf_quad_load(a->minus_least), wf_quad_load(b->minus_least)));
        wf_quad_store(tree->drifts[i].most,
                      wf_quad_max(wf_quad_load(a->most), wf_quad_load(b->most)));
    }
}

static bool has_mark(const WfLeaf* leaf, const unsigned char* marks) {
    bool marked = false;
    for (int lane = 0; lane < leaf->triangle_count; lane++)
        for (int k = 0; k < 3; k++) marked = marked || marks[leaf->triangles.vertex[k][lane]];
    return marked;
}

void wf_tree_mark(WfTree* tree, const unsigned char* marks) {
    memset(tree->fresh, 0, (size_t)tree->node_count);
    for (int i = tree->node_count - 1; i >= 0 && marks; i--) {
        int child = tree->child[i];
        tree->fresh[i] = child < 0 ? has_mark(&tree->leaves[-1 - child], marks)
                                   : tree->fresh[child] | tree->fresh[child + 1];
    }
}

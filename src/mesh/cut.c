// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Cutting a mesh at a plane. Vertices near it come onto it first (cut_move.c); what still crosses
// is split, and of a triangle three or four corners are left:
//
//          a                  a-----b
//         / \                  \  .' \         an edge is cut once, at a vertex that all its
//     ---x---y---            ---x-----y---     triangles share; its flat edges are cut at the same
//       .     .                  .   .         part, one by one where a seam has two
//
// What comes out with nearly no area is dropped.

#include "mesh/cut.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "mesh/cutter.h"

#define SPECK 1e-3  // of the mean area: what cutting leaves below it is dropped
// ---------------------------------------------------------------------------------------------
// Splitting. Until the end vertices have their old numbers, cuts the numbers after them.

typedef struct Corner {
    int vertex;
    WfVec rest;
} Corner;

static void find_cuts(WfCutter* h, WfCutHalf* half) {
    int count = 0;
    for (int e = 0; e < h->edge_count; e++) {
        const int* v = wf_edge_ends(h, e);
        if (wf_crosses(h, v[0], v[1])) h->keys[count++] = (WfKey){wf_pair_key(v[0], v[1]), 0};
    }
    wf_sort_keys(h->keys, h->spare, count);
    for (int i = 0; i < count; i++) {
        if (i > 0 && h->keys[i].key == h->keys[i - 1].key) continue;
        half->cuts[half->cut_count] = (WfKey){h->keys[i].key, half->cut_count};
        half->cut_count++;
    }
    for (int i = 0; i < half->cut_count; i++) {
        int a = (int)(half->cuts[i].key >> 32), b = (int)(half->cuts[i].key & 0xffffffff);
        double part = h->heights[a] / (h->heights[a] - h->heights[b]);
        WfVec x = wf_mix_points(wf_load(h->positions, a), wf_load(h->positions, b), part);
        h->cut_parts[i] = part;
        wf_store(h->cut_positions, i, wf_plane_nearest(h->mirror, x));
    }
}

static Corner cut_corner(const WfCutter* h, const WfCutHalf* half, int t, int k) {
    int j = (k + 1) % 3;
    int a = h->cloth->triangles[3 * (long)t + k], b = h->cloth->triangles[3 * (long)t + j];
    int cut = wf_cut_vertex(half, a, b);
    if (!h->flat) return (Corner){h->cloth->vertex_count + cut, wf_load(h->cut_positions, cut)};
    WfVec low = wf_moved_rest(h, t, a < b ? k : j), high = wf_moved_rest(h, t, a < b ? j : k);
    return (Corner){h->cloth->vertex_count + cut, wf_mix_points(low, high, h->cut_parts[cut])};
}

// The part of a triangle before the plane, with its front: 0, 3 or 4 corners.
static int find_part(const WfCutter* h, const WfCutHalf* half, int t, Corner corners[4]) {
    const int* v = h->cloth->triangles + 3 * (long)t;
    int count = 0;
    for (int k = 0; k < 3 && wf_is_before(h, t); k++) {
        if (h->heights[v[k]] >= 0) corners[count++] = (Corner){v[k], wf_moved_rest(h, t, k)};
        if (wf_crosses(h, v[k], v[(k + 1) % 3])) corners[count++] = cut_corner(h, half, t, k);
    }
    return count;
}

static bool is_on_plane(const WfCutter* h, int vertex) {
    return vertex >= h->cloth->vertex_count || h->heights[vertex] == 0;
}

static void add_triangle(WfCutter* h, WfCutHalf* half, int t, Corner a, Corner b, Corner c) {
    Corner corners[3] = {a, b, c};
    WfVec x[3] = {a.rest, b.rest, c.rest};
    bool changed = false;
    for (int k = 0; k < 3; k++)
        changed =
            changed || corners[k].vertex >= h->cloth->vertex_count || h->moved[corners[k].vertex];
    if (changed && wf_area_along(h, t, x) < SPECK * h->mean_area) return;
    long at = 3 * (long)half->triangle_count;
    for (int k = 0; k < 3; k++) {
        half->triangles[at + k] = corners[k].vertex;
        h->used[corners[k].vertex] = 1;
        if (!half->flat) continue;
        half->flat[2 * (at + k)] = x[k].x;
        half->flat[2 * (at + k) + 1] = x[k].y;
    }
    half->sources[half->triangle_count++] = t;
}

static double square_between(Corner a, Corner b) {
    WfVec d = wf_sub(a.rest, b.rest);
    return wf_dot(d, d);
}

// Edges that were none before: of neighbours in the part on the plane, of which one is a cut.
static void note_edges(const WfCutter* h, WfCutHalf* half, const Corner* corners, int count) {
    for (int i = 0; i < count; i++) {
        int a = corners[i].vertex, b = corners[(i + 1) % count].vertex;
        int old = h->cloth->vertex_count;
        if ((a >= old || b >= old) && is_on_plane(h, a) && is_on_plane(h, b))
            half->made[half->made_count++] = (WeftSpring){a, b, WEFT_SPRING_STRETCH};
    }
}

static void add_part(WfCutter* h, WfCutHalf* half, int t) {
    Corner c[4];
    int count = find_part(h, half, t, c);
    if (count == 0) return;
    note_edges(h, half, c, count);
    if (count == 3) {
        add_triangle(h, half, t, c[0], c[1], c[2]);
        return;
    }
    int i = square_between(c[0], c[2]) <= square_between(c[1], c[3]) ? 0 : 1;
    half->made[half->made_count++] = (WeftSpring){c[i].vertex, c[i + 2].vertex, WEFT_SPRING_SHEAR};
    add_triangle(h, half, t, c[i], c[i + 1], c[i + 2]);
    add_triangle(h, half, t, c[i], c[i + 2], c[(i + 3) % 4]);
}

// Segments of ropes that have nothing beyond the plane, or are cut.
static void use_ropes(WfCutter* h, const WfCutHalf* half) {
    for (int e = h->topology.edge_count; e < h->edge_count; e++) {
        const int* v = wf_edge_ends(h, e);
        bool cut = wf_crosses(h, v[0], v[1]);
        if (cut) h->used[h->cloth->vertex_count + wf_cut_vertex(half, v[0], v[1])] = 1;
        for (int end = 0; end < 2; end++)
            if (cut ? h->heights[v[end]] > 0 : h->heights[v[0]] >= 0 && h->heights[v[1]] >= 0)
                h->used[v[end]] = 1;
    }
}

// ---------------------------------------------------------------------------------------------
// Numbers

static void add_vertex(WfCutHalf* half, WfVec x, bool on_plane, int a, int b, double part) {
    int i = half->vertex_count++;
    wf_store(half->positions, i, x);
    half->on_plane[i] = on_plane;
    half->origins[2 * (long)i] = a;
    half->origins[2 * (long)i + 1] = b;
    half->parts[i] = part;
}

static int new_number(const WfCutter* h, const WfCutHalf* half, int vertex) {
    int old = h->cloth->vertex_count;
    return vertex < old ? half->numbers[vertex] : half->cuts[vertex - old].index;
}

static void number_vertices(WfCutter* h, WfCutHalf* half) {
    int old = h->cloth->vertex_count;
    for (int v = 0; v < old; v++) {
        half->numbers[v] = h->used[v] ? half->vertex_count : -1;
        if (h->used[v])
            add_vertex(half, wf_load(h->positions, v), h->heights[v] == 0, v, h->toward[v],
                       h->parts[v]);
    }
    for (int i = 0; i < half->cut_count; i++) {
        int a = (int)(half->cuts[i].key >> 32), b = (int)(half->cuts[i].key & 0xffffffff);
        half->cuts[i].index = h->used[old + i] ? half->vertex_count : -1;
        if (h->used[old + i])
            add_vertex(half, wf_load(h->cut_positions, i), true, a, b, h->cut_parts[i]);
    }
    for (long c = 0; c < 3L * half->triangle_count; c++)
        half->triangles[c] = new_number(h, half, half->triangles[c]);
    int made = 0;
    for (int i = 0; i < half->made_count; i++) {
        WeftSpring s = half->made[i];
        s.a = new_number(h, half, s.a), s.b = new_number(h, half, s.b);
        if (s.a >= 0 && s.b >= 0) half->made[made++] = s;
    }
    half->made_count = made;
}

// ---------------------------------------------------------------------------------------------
// What cannot be mirrored

static WeftResult fail_behind(WeftError* error) {
    return wf_fail(error, WEFT_ERROR_INPUT,
                   "nothing lies before the plane of the mirror: turn its normal, or move it");
}

static WeftResult check_sides(const WfCutter* h, WeftError* error) {
    bool before = false;
    for (int t = 0; t < h->cloth->triangle_count; t++) {
        const int* v = h->cloth->triangles + 3 * (long)t;
        if (h->heights[v[0]] == 0 && h->heights[v[1]] == 0 && h->heights[v[2]] == 0)
            return wf_fail(error, WEFT_ERROR_INPUT, "triangle %d lies in the plane of the mirror",
                           t);
    }
    for (int v = 0; v < h->cloth->vertex_count; v++) before = before || h->heights[v] > 0;
    return before ? WEFT_OK : fail_behind(error);
}

// An edge on the plane has one triangle before it: with the image, it has two.
static WeftResult check_folds(WfCutter* h, const WfCutHalf* half, WeftError* error) {
    int count = 0;
    if (half->vertex_count == 0) return fail_behind(error);
    for (int c = 0; c < 3 * half->triangle_count; c++) {
        int a = half->triangles[c], b = half->triangles[c % 3 == 2 ? c - 2 : c + 1];
        if (half->on_plane[a] && half->on_plane[b])
            h->keys[count++] = (WfKey){wf_pair_key(a, b), half->sources[c / 3]};
    }
    wf_sort_keys(h->keys, h->spare, count);
    for (int i = 1; i < count; i++)
        if (h->keys[i].key == h->keys[i - 1].key)
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "triangles %d and %d have an edge on the plane of the mirror, and are "
                           "both before it",
                           h->keys[i - 1].index, h->keys[i].index);
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------

static int list_ropes(const WeftClothDef* cloth, int* ropes) {
    int count = 0;
    for (int t = 0; t < cloth->thread_count; t++) {
        const int* v = cloth->thread_vertices + cloth->threads[t].first;
        for (int i = 0; i + 1 < cloth->threads[t].count; i++) {
            if (cloth->threads[t].kind != WEFT_THREAD_ROPE) break;
            if (ropes) memcpy(ropes + 2 * (long)count, v + i, 2 * sizeof *v);
            count++;
        }
    }
    return count;
}

static WeftResult open_cutter(WfCutter* h, WeftError* error) {
    const WeftClothDef* cloth = h->cloth;
    size_t n = (size_t)cloth->vertex_count, triangles = (size_t)cloth->triangle_count;
    WeftResult result = wf_topology_create(h->allocator, cloth->vertex_count, cloth->triangle_count,
                                           cloth->triangles, &h->topology, error);
    if (result) return result;
    int ropes = list_ropes(cloth, NULL);
    h->edge_count = h->topology.edge_count + ropes;
    size_t edges = (size_t)h->edge_count;
    // edges to sort; later, half edges of parts of triangles
    size_t keys = 2 * edges > 6 * triangles ? 2 * edges : 6 * triangles;
    h->ropes = wf_alloc(h->allocator, 2 * (size_t)ropes, sizeof(int));
    h->heights = wf_alloc(h->allocator, n, sizeof(double));
    h->positions = wf_alloc(h->allocator, 3 * n, sizeof(double));
    h->flat = cloth->material ? wf_alloc(h->allocator, 6 * triangles, sizeof(double)) : NULL;
    h->toward = wf_alloc(h->allocator, n, sizeof(int));
    h->parts = wf_alloc(h->allocator, n, sizeof(double));
    h->moved = wf_alloc(h->allocator, n, 1);
    h->keys = wf_alloc(h->allocator, keys, sizeof(WfKey));
    h->spare = wf_alloc(h->allocator, keys, sizeof(WfKey));
    h->used = wf_alloc(h->allocator, n + edges, 1);
    h->cut_parts = wf_alloc(h->allocator, edges, sizeof(double));
    h->cut_positions = wf_alloc(h->allocator, 3 * edges, sizeof(double));
    bool good = h->ropes && h->heights && h->positions && (h->flat || !cloth->material) &&
                h->toward && h->parts && h->moved && h->keys && h->spare && h->used &&
                h->cut_parts && h->cut_positions;
    return good ? WEFT_OK : wf_fail_memory(error);
}

static void close_cutter(WfCutter* h) {
    wf_topology_destroy(h->allocator, &h->topology);
    wf_free(h->allocator, h->ropes);
    wf_free(h->allocator, h->heights);
    wf_free(h->allocator, h->positions);
    wf_free(h->allocator, h->flat);
    wf_free(h->allocator, h->toward);
    wf_free(h->allocator, h->parts);
    wf_free(h->allocator, h->moved);
    wf_free(h->allocator, h->keys);
    wf_free(h->allocator, h->spare);
    wf_free(h->allocator, h->used);
    wf_free(h->allocator, h->cut_parts);
    wf_free(h->allocator, h->cut_positions);
}

// Vertices, as they are; those within rounding of the plane come onto it.
static void fill_cutter(WfCutter* h) {
    const WeftClothDef* cloth = h->cloth;
    double sum = 0;
    list_ropes(cloth, h->ropes);
    for (int e = 0; e < h->edge_count; e++) {
        const int* v = wf_edge_ends(h, e);
        sum += wf_length(wf_sub(wf_load(cloth->positions, v[0]), wf_load(cloth->positions, v[1])));
    }
    double near = h->edge_count > 0 ? WF_ON_PLANE * sum / h->edge_count : 0;
    for (int v = 0; v < cloth->vertex_count; v++) {
        WfVec x = wf_load(cloth->positions, v);
        double height = wf_plane_height(h->mirror, x);
        bool on = fabs(height) <= near;
        h->heights[v] = on ? 0 : height;
        wf_store(h->positions, v, on ? wf_plane_nearest(h->mirror, x) : x);
        h->toward[v] = v;
    }
    for (int t = 0; t < cloth->triangle_count; t++) {
        for (int k = 0; k < 3; k++) wf_set_rest(h, t, k, wf_rest_corner(h->cloth, t, k));
        h->mean_area += wf_length(wf_old_normal(h, t)) / 2 / cloth->triangle_count;
    }
}

static WeftResult open_half(const WfCutter* h, WfCutHalf* half, WeftError* error) {
    size_t old = (size_t)h->cloth->vertex_count, edges = (size_t)h->edge_count;
    size_t n = old + edges, triangles = 2 * (size_t)h->cloth->triangle_count;
    half->positions = wf_alloc(h->allocator, 3 * n, sizeof(double));
    half->on_plane = wf_alloc(h->allocator, n, 1);
    half->origins = wf_alloc(h->allocator, 2 * n, sizeof(int));
    half->parts = wf_alloc(h->allocator, n, sizeof(double));
    half->triangles = wf_alloc(h->allocator, 3 * triangles, sizeof(int));
    half->sources = wf_alloc(h->allocator, triangles, sizeof(int));
    half->flat = h->flat ? wf_alloc(h->allocator, 6 * triangles, sizeof(double)) : NULL;
    half->numbers = wf_alloc(h->allocator, old, sizeof(int));
    half->cuts = wf_alloc(h->allocator, edges, sizeof(WfKey));
    half->made = wf_alloc(h->allocator, triangles, sizeof(WeftSpring));
    bool good = half->positions && half->on_plane && half->origins && half->parts &&
                half->triangles && half->sources && (half->flat || !h->flat) && half->numbers &&
                half->cuts && half->made;
    return good ? WEFT_OK : wf_fail_memory(error);
}

WeftResult wf_cut_mesh(const WeftAllocator* allocator, const WeftClothDef* cloth,
                       const WfPlane* mirror, WeftHalving halving, WfCutHalf* half,
                       WeftError* error) {
    *half = (WfCutHalf){0};
    WfCutter h = {.allocator = allocator, .cloth = cloth, .mirror = mirror};
    WeftResult result = open_cutter(&h, error);
    if (!result) result = open_half(&h, half, error);
    if (result) goto done;
    fill_cutter(&h);
    result = check_sides(&h, error);
    if (result) goto done;
    wf_move_onto_plane(&h, halving);
    find_cuts(&h, half);
    for (int t = 0; t < cloth->triangle_count; t++) add_part(&h, half, t);
    use_ropes(&h, half);
    number_vertices(&h, half);
    result = check_folds(&h, half, error);

done:
    close_cutter(&h);
    if (result) wf_cut_half_destroy(allocator, half);
    return result;
}

void wf_cut_half_destroy(const WeftAllocator* allocator, WfCutHalf* half) {
    wf_free(allocator, half->positions);
    wf_free(allocator, half->on_plane);
    wf_free(allocator, half->origins);
    wf_free(allocator, half->parts);
    wf_free(allocator, half->triangles);
    wf_free(allocator, half->sources);
    wf_free(allocator, half->flat);
    wf_free(allocator, half->numbers);
    wf_free(allocator, half->cuts);
    wf_free(allocator, half->made);
    *half = (WfCutHalf){0};
}

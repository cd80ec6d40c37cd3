// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A triangle in k^2 parts. Point (i, j) of it, 0 <= i, j and i + j <= k, has the weights
// (k - i - j, i, j)/k of its corners:
//
//       c        points of corners and edges are those of its neighbours, too: an edge is walked
//      / \       from the smaller to the larger of its two numbers
//     o---o
//    / \ / \     The flat shape is refined in the same way, triangle by triangle, by the numbers
//   a---o---b    of its own points: at a seam it has two edges where space has one.

#include "detail/refine.h"

#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "mesh/hilbert.h"
#include "mesh/mesh.h"

typedef struct Net {
    const WeftAllocator* allocator;
    int parts;
    // coarse
    int count, triangle_count;
    const int* triangles;
    int edge_count;
    int* edges;  // per side of a triangle, from corner k to the next: its edge
    // fine
    int fine_count;
    int *fine_triangles, *corners;
    double* weights;
} Net;

static void destroy_net(Net* net) {
    wf_free(net->allocator, net->edges);
    wf_free(net->allocator, net->fine_triangles);
    wf_free(net->allocator, net->corners);
    wf_free(net->allocator, net->weights);
}

// ---------------------------------------------------------------------------------------------
// Edges

static WeftResult number_edges(Net* net) {
    int sides = 3 * net->triangle_count;
    WfKey* keys = wf_alloc(net->allocator, (size_t)sides, sizeof *keys);
    WfKey* spare = wf_alloc(net->allocator, (size_t)sides, sizeof *spare);
    net->edges = wf_alloc(net->allocator, (size_t)sides, sizeof(int));
    bool good = keys && spare && net->edges;
    for (int s = 0; s < sides && good; s++) {
        int next = s % 3 == 2 ? s - 2 : s + 1;
        keys[s] = (WfKey){wf_pair_key(net->triangles[s], net->triangles[next]), s};
    }
    if (good) wf_sort_keys(keys, spare, sides);
    for (int i = 0; i < sides && good; i++) {
        if (i == 0 || keys[i].key != keys[i - 1].key) net->edge_count++;
        net->edges[keys[i].index] = net->edge_count - 1;
    }
    wf_free(net->allocator, keys);
    wf_free(net->allocator, spare);
    return good ? WEFT_OK : WEFT_ERROR_MEMORY;
}

// ---------------------------------------------------------------------------------------------
// Points

static int inner_count(const Net* net) { return (net->parts - 1) * (net->parts - 2) / 2; }

// The point at distance `at` of side s, counted from its first corner.
static int side_point(const Net* net, int s, int at) {
    int k = net->parts, next = s % 3 == 2 ? s - 2 : s + 1;
    if (at == 0) return net->triangles[s];
    if (at == k) return net->triangles[next];
    if (net->triangles[s] > net->triangles[next]) at = k - at;
    return net->count + net->edges[s] * (k - 1) + at - 1;
}

// Point (i, j) of triangle t.
static int point_of(const Net* net, int t, int i, int j) {
    int k = net->parts;
    if (j == 0) return side_point(net, 3 * t, i);
    if (i == 0) return side_point(net, 3 * t + 2, k - j);
    if (i + j == k) return side_point(net, 3 * t + 1, j);
    // those inside, row by row: row j has k - 1 - j of them
    int before = (j - 1) * (k - 1) - (j - 1) * j / 2;
    int first = net->count + net->edge_count * (k - 1) + t * inner_count(net);
    return first + before + i - 1;
}

static void place_points(const Net* net, int t) {
    int k = net->parts;
    const int* v = net->triangles + 3 * (long)t;
    for (int j = 0; j <= k; j++)
        for (int i = 0; i + j <= k; i++) {
            int p = point_of(net, t, i, j);
            double w[3] = {(double)(k - i - j) / k, (double)i / k, (double)j / k};
            memcpy(net->corners + 3 * (long)p, v, 3 * sizeof *v);
            memcpy(net->weights + 3 * (long)p, w, sizeof w);
        }
}

static void add_triangle(const Net* net, int a, int b, int c, long* count) {
    int v[3] = {a, b, c};
    memcpy(net->fine_triangles + 3 * *count, v, sizeof v);
    ++*count;
}

static void cut_triangle(const Net* net, int t, long* count) {
    int k = net->parts;
    for (int j = 0; j < k; j++)
        for (int i = 0; i + j < k; i++) {
            int right = point_of(net, t, i + 1, j), up = point_of(net, t, i, j + 1);
            add_triangle(net, point_of(net, t, i, j), right, up, count);
            if (i + j + 2 <= k) add_triangle(net, right, point_of(net, t, i + 1, j + 1), up, count);
        }
}

static WeftResult refine_net(Net* net) {
    size_t parts = (size_t)net->parts, triangles = parts * parts * (size_t)net->triangle_count;
    WeftResult result = number_edges(net);
    if (result) return result;
    size_t points = (size_t)net->count + (size_t)net->edge_count * (parts - 1) +
                    (size_t)net->triangle_count * (size_t)inner_count(net);
    if (points > WF_MAX_MESH_VERTICES) return WEFT_ERROR_INPUT;
    net->fine_count = (int)points;
    net->fine_triangles = wf_alloc(net->allocator, 3 * triangles, sizeof(int));
    net->corners = wf_alloc(net->allocator, 3 * points, sizeof(int));
    net->weights = wf_alloc(net->allocator, 3 * points, sizeof(double));
    if (!net->fine_triangles || !net->corners || !net->weights) return WEFT_ERROR_MEMORY;
    for (int i = 0; i < net->count; i++) {  // those of no triangle are where they are
        for (int k = 0; k < 3; k++) net->corners[3 * (long)i + k] = i;
        net->weights[3 * (long)i] = 1;
    }
    long count = 0;
    for (int t = 0; t < net->triangle_count; t++) {
        place_points(net, t);
        cut_triangle(net, t, &count);
    }
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// Meshes

// Places of `size` numbers each, by corners and weights; a corner itself has the same bits.
static void mix(const Net* net, int size, const double* from, double* to) {
    for (int i = 0; i < net->fine_count; i++) {
        const int* v = net->corners + 3 * (long)i;
        const double* w = net->weights + 3 * (long)i;
        for (int k = 0; k < size; k++) {
            double sum = 0;
            for (int c = 0; c < 3; c++)
                if (w[c] != 0) sum += w[c] * from[(long)size * v[c] + k];
            to[(long)size * i + k] = sum;
        }
    }
}

static WeftResult take_ropes(const WeftMesh* coarse, WeftMesh* fine) {
    size_t threads = (size_t)coarse->thread_count, vertices = (size_t)coarse->thread_vertex_count;
    int ropes = 0;
    for (int t = 0; t < coarse->thread_count; t++)
        ropes += coarse->threads[t].kind == WEFT_THREAD_ROPE;
    if (ropes == 0) return WEFT_OK;
    fine->threads = wf_alloc(&fine->allocator, threads, sizeof *fine->threads);
    fine->thread_vertices = wf_alloc(&fine->allocator, vertices, sizeof(int));
    if (!fine->threads || !fine->thread_vertices) return WEFT_ERROR_MEMORY;
    for (int t = 0; t < coarse->thread_count; t++) {
        WeftThread thread = coarse->threads[t];
        if (thread.kind != WEFT_THREAD_ROPE) continue;
        memcpy(fine->thread_vertices + fine->thread_vertex_count,
               coarse->thread_vertices + thread.first, (size_t)thread.count * sizeof(int));
        thread.first = fine->thread_vertex_count;
        fine->thread_vertex_count += thread.count;
        fine->threads[fine->thread_count++] = thread;
    }
    return WEFT_OK;
}

// The arrays of a net become those of the mesh and the map.
static WeftResult take_space(const WeftMesh* coarse, Net* net, WeftMesh* fine,
                             WeftRefinement* map) {
    int parts = net->parts, count = parts * parts * net->triangle_count;
    fine->vertex_count = map->vertex_count = net->fine_count;
    fine->triangle_count = map->triangle_count = count;
    fine->positions = wf_alloc(net->allocator, 3 * (size_t)net->fine_count, sizeof(double));
    map->triangles = wf_alloc(net->allocator, (size_t)count, sizeof(int));
    if (!fine->positions || !map->triangles) return WEFT_ERROR_MEMORY;
    mix(net, 3, coarse->positions, fine->positions);
    for (int t = 0; t < count; t++) map->triangles[t] = t / (parts * parts);
    fine->triangles = net->fine_triangles;
    map->corners = net->corners;
    map->weights = net->weights;
    net->fine_triangles = net->corners = NULL;
    net->weights = NULL;
    return take_ropes(coarse, fine);
}

static WeftResult take_flat(const WeftMesh* coarse, Net* net, WeftMesh* fine) {
    fine->material_count = net->fine_count;
    fine->material = wf_alloc(net->allocator, 2 * (size_t)net->fine_count, sizeof(double));
    if (!fine->material) return WEFT_ERROR_MEMORY;
    mix(net, 2, coarse->material, fine->material);
    if (!coarse->triangle_material) return WEFT_OK;
    fine->triangle_material = net->fine_triangles;
    net->fine_triangles = NULL;
    return WEFT_OK;
}

static WeftResult refine(const WeftMesh* coarse, int parts, WeftMesh* fine, WeftRefinement* map) {
    Net space = {.allocator = &fine->allocator,
                 .parts = parts,
                 .count = coarse->vertex_count,
                 .triangle_count = coarse->triangle_count,
                 .triangles = coarse->triangles};
    Net flat = space;
    WeftResult result = refine_net(&space);
    if (!result && coarse->material) {
        flat.count = coarse->material_count;
        if (coarse->triangle_material) flat.triangles = coarse->triangle_material;
        result = refine_net(&flat);
        if (!result) result = take_flat(coarse, &flat, fine);
    }
    if (!result) result = take_space(coarse, &space, fine, map);
    destroy_net(&space);
    destroy_net(&flat);
    return result;
}

WeftResult wf_check_corners(const WeftMesh* coarse, WeftError* error) {
    for (int c = 0; c < 3 * coarse->triangle_count; c++) {
        int v = coarse->triangles[c],
            m = coarse->triangle_material ? coarse->triangle_material[c] : 0;
        if (v < 0 || v >= coarse->vertex_count)
            return wf_fail(error, WEFT_ERROR_INPUT, "triangle %d names vertex %d of %d", c / 3, v,
                           coarse->vertex_count);
        if (coarse->material && (m < 0 || m >= coarse->material_count))
            return wf_fail(error, WEFT_ERROR_INPUT, "triangle %d names material point %d of %d",
                           c / 3, m, coarse->material_count);
    }
    return WEFT_OK;
}

WeftResult weft_refine_mesh(const WeftMesh* coarse, int parts, const WeftAllocator* allocator,
                            WeftMesh* fine, WeftRefinement* map, WeftError* error) {
    WeftAllocator own = wf_allocator(allocator);
    WeftRefinement kept = {.allocator = own};
    *fine = (WeftMesh){.allocator = own};
    if (map) *map = kept;
    if (parts < 1 || parts > WEFT_MAX_PARTS)
        return wf_fail(error, WEFT_ERROR_INPUT, "an edge in %d parts; 1 to %d can be made", parts,
                       WEFT_MAX_PARTS);
    WeftResult result = wf_check_corners(coarse, error);
    if (result) return result;
    double most = (double)coarse->triangle_count * parts * parts;
    result =
        most > 2.0 * WF_MAX_MESH_VERTICES ? WEFT_ERROR_INPUT : refine(coarse, parts, fine, &kept);
    if (result) {
        weft_destroy_mesh(fine);
        weft_destroy_refinement(&kept);
        *fine = (WeftMesh){.allocator = own};
        if (result == WEFT_ERROR_MEMORY) return wf_fail_memory(error);
        return wf_fail(error, result,
                       "%d triangles in %d x %d parts each are more than %d vertices",
                       coarse->triangle_count, parts, parts, WF_MAX_MESH_VERTICES);
    }
    if (map)
        *map = kept;
    else
        weft_destroy_refinement(&kept);
    return WEFT_OK;
}

void weft_destroy_refinement(WeftRefinement* map) {
    if (!map) return;
    wf_free(&map->allocator, map->corners);
    wf_free(&map->allocator, map->weights);
    wf_free(&map->allocator, map->triangles);
    wf_free(&map->allocator, map->heights);
    *map = (WeftRefinement){.allocator = map->allocator};
}

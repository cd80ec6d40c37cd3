// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Every triangle has three half edges, h = 3 t + k, from its corner k to the next one. Sorted by
// their two vertices (two stable counting sorts, larger vertex first: linear, no comparison, the
// same order everywhere), those of one edge stand side by side: one at the boundary, two inside.

#include "mesh/topology.h"

#include <limits.h>

#include "base/error.h"
#include "base/memory.h"

typedef struct Sorter {
    int vertex_count, half_count;
    const int* triangles;
    int* order;  // half edges by (smaller vertex, larger vertex, half edge)
    int* other;  // scratch, as long as order
    int* start;  // scratch, vertex_count + 1
} Sorter;

static int half_from(const int* triangles, int h) { return triangles[h]; }
static int half_to(const int* triangles, int h) { return triangles[h % 3 == 2 ? h - 2 : h + 1]; }
static int half_opposite(const int* triangles, int h) {
    return triangles[h % 3 == 0 ? h + 2 : h - 1];
}

static int half_end(const int* triangles, int h, bool larger) {
    int a = half_from(triangles, h), b = half_to(triangles, h);
    return (a > b) == larger ? a : b;
}

// One stable counting sort by the smaller or the larger vertex.
static void sort_halves(const Sorter* s, const int* from, int* to, bool larger) {
    for (int v = 0; v <= s->vertex_count; v++) s->start[v] = 0;
    for (int i = 0; i < s->half_count; i++) s->start[half_end(s->triangles, i, larger) + 1]++;
    for (int v = 0; v < s->vertex_count; v++) s->start[v + 1] += s->start[v];
    for (int i = 0; i < s->half_count; i++)
        to[s->start[half_end(s->triangles, from[i], larger)]++] = from[i];
}

static bool same_edge(const int* triangles, int g, int h) {
    return half_end(triangles, g, false) == half_end(triangles, h, false) &&
           half_end(triangles, g, true) == half_end(triangles, h, true);
}

static int group_size(const Sorter* s, int first) {
    int i = first + 1;
    while (i < s->half_count && same_edge(s->triangles, s->order[first], s->order[i])) i++;
    return i - first;
}

static WeftResult check_corners(int vertex_count, int triangle_count, const int* triangles,
                                WeftError* error) {
    for (int t = 0; t < triangle_count; t++) {
        const int* corner = triangles + 3 * (long)t;
        for (int k = 0; k < 3; k++) {
            if (corner[k] < 0 || corner[k] >= vertex_count)
                return wf_fail(error, WEFT_ERROR_INPUT,
                               "triangle %d names vertex %d, but there are %d", t, corner[k],
                               vertex_count);
            if (corner[k] == corner[(k + 1) % 3])
                return wf_fail(error, WEFT_ERROR_INPUT, "triangle %d has vertex %d twice", t,
                               corner[k]);
        }
    }
    return WEFT_OK;
}

// The half edges of one edge: at most two, of different triangles, in opposite directions.
static WeftResult check_group(const Sorter* s, int first, int size, WeftError* error) {
    const int *h = s->order + first, *t = s->triangles;
    int seen = size < 3 ? size : 3;
    for (int i = 0; i < seen; i++)
        for (int j = 0; j < i; j++)
            if (half_opposite(t, h[i]) == half_opposite(t, h[j]))
                return wf_fail(error, WEFT_ERROR_INPUT,
                               "triangles %d and %d have the same three vertices", h[j] / 3,
                               h[i] / 3);
    int a = half_end(t, h[0], false), b = half_end(t, h[0], true);
    if (size > 2)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "the edge of vertices %d and %d has more than two triangles: %d, %d and %d",
                       a, b, h[0] / 3, h[1] / 3, h[2] / 3);
    if (size == 2 && half_from(t, h[0]) == half_from(t, h[1]))
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "triangles %d and %d face opposite ways across the edge of vertices %d and "
                       "%d",
                       h[0] / 3, h[1] / 3, a, b);
    return WEFT_OK;
}

static WeftResult count_edges(const Sorter* s, WfTopology* topology, WeftError* error) {
    for (int i = 0, size; i < s->half_count; i += size) {
        size = group_size(s, i);
        WeftResult result = check_group(s, i, size, error);
        if (result) return result;
        topology->edge_count++;
        topology->hinge_count += size == 2;
    }
    return WEFT_OK;
}

static WfHinge make_hinge(const int* triangles, int g, int h) {
    bool forward = half_from(triangles, g) < half_to(triangles, g);
    int up = forward ? g : h, down = forward ? h : g;
    return (WfHinge){.edge = {half_from(triangles, up), half_to(triangles, up)},
                     .opposite = {half_opposite(triangles, up), half_opposite(triangles, down)},
                     .triangles = {up / 3, down / 3}};
}

static void fill_edges(const Sorter* s, WfTopology* topology) {
    int edge = 0, hinge = 0;
    for (int i = 0, size; i < s->half_count; i += size, edge++) {
        size = group_size(s, i);
        const int* h = s->order + i;
        int* ends = topology->edges + 2 * (long)edge;
        ends[0] = half_end(s->triangles, h[0], false);
        ends[1] = half_end(s->triangles, h[0], true);
        topology->edge_triangles[2 * (long)edge] = h[0] / 3;
        topology->edge_triangles[2 * (long)edge + 1] = size == 2 ? h[1] / 3 : -1;
        if (size == 2)
            topology->hinges[hinge++] = make_hinge(s->triangles, h[0], h[1]);
        else
            topology->boundary[ends[0]] = topology->boundary[ends[1]] = 1;
    }
}

static void fill_stars(const int* triangles, WfTopology* topology) {
    int *start = topology->star_start, n = topology->vertex_count;
    int half_count = 3 * topology->triangle_count;
    for (int h = 0; h < half_count; h++) start[triangles[h] + 1]++;
    for (int v = 0; v < n; v++) start[v + 1] += start[v];
    // every start moves to the next one while its star fills, then back
    for (int h = 0; h < half_count; h++) topology->star[start[triangles[h]]++] = h / 3;
    for (int v = n; v > 0; v--) start[v] = start[v - 1];
    start[0] = 0;
}

static WeftResult sort_edges(Sorter* s, const WeftAllocator* allocator, WeftError* error) {
    s->order = wf_alloc(allocator, (size_t)s->half_count, sizeof *s->order);
    s->other = wf_alloc(allocator, (size_t)s->half_count, sizeof *s->other);
    s->start = wf_alloc(allocator, (size_t)s->vertex_count + 1, sizeof *s->start);
    if (!s->order || !s->other || !s->start) return wf_fail_memory(error);
    for (int h = 0; h < s->half_count; h++) s->order[h] = h;
    sort_halves(s, s->order, s->other, true);
    sort_halves(s, s->other, s->order, false);
    return WEFT_OK;
}

static WeftResult allocate(const WeftAllocator* allocator, WfTopology* topology, WeftError* error) {
    size_t edges = (size_t)topology->edge_count, vertices = (size_t)topology->vertex_count;
    topology->edges = wf_alloc(allocator, 2 * edges, sizeof *topology->edges);
    topology->edge_triangles = wf_alloc(allocator, 2 * edges, sizeof *topology->edge_triangles);
    topology->hinges = wf_alloc(allocator, (size_t)topology->hinge_count, sizeof *topology->hinges);
    topology->star_start = wf_alloc(allocator, vertices + 1, sizeof *topology->star_start);
    topology->star =
        wf_alloc(allocator, 3 * (size_t)topology->triangle_count, sizeof *topology->star);
    topology->boundary = wf_alloc(allocator, vertices, sizeof *topology->boundary);
    bool good = topology->edges && topology->edge_triangles && topology->hinges &&
                topology->star_start && topology->star && topology->boundary;
    return good ? WEFT_OK : wf_fail_memory(error);
}

WeftResult wf_topology_create(const WeftAllocator* allocator, int vertex_count, int triangle_count,
                              const int* triangles, WfTopology* topology, WeftError* error) {
    *topology = (WfTopology){.vertex_count = vertex_count, .triangle_count = triangle_count};
    Sorter sorter = {.vertex_count = vertex_count, .triangles = triangles};
    if (triangle_count > INT_MAX / 3)
        return wf_fail(error, WEFT_ERROR_INPUT, "%d triangles are too many", triangle_count);
    WeftResult result = check_corners(vertex_count, triangle_count, triangles, error);
    if (result) goto done;
    sorter.half_count = 3 * triangle_count;
    result = sort_edges(&sorter, allocator, error);
    if (result) goto done;
    result = count_edges(&sorter, topology, error);
    if (result) goto done;
    result = allocate(allocator, topology, error);
    if (result) goto done;
    fill_edges(&sorter, topology);
    fill_stars(triangles, topology);

done:
    wf_free(allocator, sorter.order);
    wf_free(allocator, sorter.other);
    wf_free(allocator, sorter.start);
    if (result) wf_topology_destroy(allocator, topology);
    return result;
}

// Pairs of vertices, each `stride` bytes after the last, are in the order of their smaller
// vertices, and of the larger ones where those are equal; the one of a and b, or -1.
static int find_pair(const int* pairs, size_t stride, int count, int a, int b) {
    int low = 0, high = count, first = a < b ? a : b, second = a < b ? b : a;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const int* e = (const int*)((const char*)pairs + (size_t)middle * stride);
        int e0 = e[0] < e[1] ? e[0] : e[1], e1 = e[0] < e[1] ? e[1] : e[0];
        if (e0 == first && e1 == second) return middle;
        if (e0 < first || (e0 == first && e1 < second))
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

int wf_topology_edge(const WfTopology* topology, int a, int b) {
    return find_pair(topology->edges, 2 * sizeof(int), topology->edge_count, a, b);
}

int wf_topology_hinge(const WfTopology* topology, int a, int b) {
    if (topology->hinge_count == 0) return -1;
    return find_pair(topology->hinges->edge, sizeof(WfHinge), topology->hinge_count, a, b);
}

void wf_topology_destroy(const WeftAllocator* allocator, WfTopology* topology) {
    wf_free(allocator, topology->edges);
    wf_free(allocator, topology->edge_triangles);
    wf_free(allocator, topology->hinges);
    wf_free(allocator, topology->star_start);
    wf_free(allocator, topology->star);
    wf_free(allocator, topology->boundary);
    *topology = (WfTopology){0};
}

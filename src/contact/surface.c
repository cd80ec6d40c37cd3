// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Every triangle has three half edges, h = 3 t + k, from its corner k to the next one. Sorted by
// their vertices, those of one edge stand side by side, and the first of them owns it.

#include "contact/surface.h"

#include "base/links.h"
#include "base/memory.h"
#include "base/simd.h"
#include "mesh/hilbert.h"

static int next_corner(int h) { return h % 3 == 2 ? h - 2 : h + 1; }

// A triangle that names a vertex twice is a segment; its last two corners are made equal.
static void put_triangle(int* to, const int* from) {
    bool turn = from[0] == from[1];
    to[0] = from[0];
    to[1] = from[turn ? 2 : 1];
    to[2] = from[0] == from[2] ? to[1] : from[2];
}

static void put_triangles(WfSurface* s, int count, const int* triangles, const int* segments) {
    for (int t = 0; t < count; t++)
        put_triangle(s->triangles + 3 * (long)t, triangles + 3 * (long)t);
    for (int t = count; t < s->triangle_count; t++) {
        const int* ends = segments + 2 * (long)(t - count);
        put_triangle(s->triangles + 3 * (long)t, (int[]){ends[0], ends[1], ends[1]});
    }
}

// Half edges that are edges: all of a triangle, the first of a segment, none of a single point.
static int list_half_edges(const WfSurface* s, WfKey* keys) {
    int count = 0;
    for (int h = 0; h < 3 * s->triangle_count; h++) {
        const int* corner = s->triangles + h / 3 * 3L;
        int a = s->triangles[h], b = s->triangles[next_corner(h)];
        s->triangle_edges[h] = -1;
        if (a == b || (h % 3 > 0 && corner[1] == corner[2])) continue;
        uint64_t low = (uint64_t)(a < b ? a : b), high = (uint64_t)(a < b ? b : a);
        keys[count++] = (WfKey){low << 32 | high, h};
    }
    return count;
}

// One edge for all half edges with the same key. Returns whether it has two triangles which run
// along it in opposite ways.
static bool put_edge(WfSurface* s, const WfKey* keys, int count) {
    int* ends = s->edges + 2 * (long)s->edge_count;
    ends[0] = (int)(keys[0].key >> 32);
    ends[1] = (int)(keys[0].key & 0xffffffff);
    int ways[2] = {0, 0};
    for (int i = 0; i < 2; i++)
        s->edge_triangles[2 * (long)s->edge_count + i] = i < count ? keys[i].index / 3 : -1;
    for (int i = 0; i < count; i++) {
        int h = keys[i].index;
        bool segment = s->triangles[h / 3 * 3 + 1] == s->triangles[h / 3 * 3 + 2];
        s->triangle_edges[h] = s->edge_count;
        ways[s->triangles[h] == ends[1]] += segment ? 2 : 1;
    }
    s->owns[keys[0].index / 3] |= (unsigned char)(8 << keys[0].index % 3);
    s->edge_count++;
    return ways[0] == 1 && ways[1] == 1;
}

static void put_edges(WfSurface* s, const WfKey* keys, int count) {
    s->closed = count > 0;
    for (int i = 0, size; i < count; i += size) {
        for (size = 1; i + size < count && keys[i + size].key == keys[i].key;) size++;
        if (!put_edge(s, keys + i, size)) s->closed = false;
    }
}

static void own_vertices(WfSurface* s, unsigned char* taken) {
    for (int h = 0; h < 3 * s->triangle_count; h++) {
        int v = s->triangles[h];
        if (!taken[v]) s->owns[h / 3] |= (unsigned char)(1 << h % 3);
        taken[v] = 1;
    }
}

static void find_pieces(WfSurface* s) {
    for (int i = 0; i < s->vertex_count; i++) s->piece[i] = i;
    for (int e = 0; e < s->edge_count; e++)
        wf_link(s->piece, s->edges[2 * (long)e], s->edges[2 * (long)e + 1]);
    for (int i = 0; i < s->vertex_count; i++) s->piece[i] = wf_first_linked(s->piece, i);
    s->piece_count = 0;
    for (int i = 0; i < s->vertex_count; i++) {
        bool first = s->piece[i] == i;
        if (first) s->piece_first[s->piece_count] = i;
        s->piece[i] = first ? s->piece_count++ : s->piece[s->piece[i]];
    }
}

static void add_neighbour(WfSurface* s, int v, int other) {
    int* list = s->neighbours + WF_NEIGHBOURS * (long)v;
    int count = 0;
    while (count < WF_NEIGHBOURS && list[count] >= 0) count++;
    if (count < WF_NEIGHBOURS) list[count] = other;
}

static void list_neighbours(WfSurface* s) {
    for (long k = 0; k < WF_NEIGHBOURS * (long)s->vertex_count; k++) s->neighbours[k] = -1;
    for (int e = 0; e < s->edge_count; e++) {
        const int* v = s->edges + 2 * (long)e;
        const int* corner = s->triangles + 3 * (long)s->edge_triangles[2 * (long)e];
        if (corner[1] == corner[2]) continue;
        add_neighbour(s, v[0], v[1]);
        add_neighbour(s, v[1], v[0]);
    }
}

// A segment is around its second vertex twice.
static void list_triangles_around(WfSurface* s) {
    int n = s->vertex_count, *start = s->around_start;
    for (int i = 0; i <= n; i++) start[i] = 0;
    for (long h = 0; h < 3L * s->triangle_count; h++) start[s->triangles[h] + 1]++;
    for (int i = 0; i < n; i++) start[i + 1] += start[i];
    for (long h = 0; h < 3L * s->triangle_count; h++)
        s->around[start[s->triangles[h]]++] = (int)(h / 3);
    for (int i = n; i > 0; i--) start[i] = start[i - 1];
    start[0] = 0;
}

WeftResult wf_surface_create(const WeftAllocator* allocator, int vertex_count, int triangle_count,
                             const int* triangles, int segment_count, const int* segments,
                             WfSurface* surface) {
    WfSurface* s = surface;
    *s =
        (WfSurface){.vertex_count = vertex_count, .triangle_count = triangle_count + segment_count};
    size_t halves = 3 * (size_t)s->triangle_count;
    s->triangles = wf_alloc(allocator, halves, sizeof *s->triangles);
    s->triangle_edges = wf_alloc(allocator, halves, sizeof *s->triangle_edges);
    s->owns = wf_alloc(allocator, (size_t)s->triangle_count, sizeof *s->owns);
    s->piece = wf_alloc(allocator, (size_t)vertex_count, sizeof *s->piece);
    s->piece_first = wf_alloc(allocator, (size_t)vertex_count, sizeof *s->piece_first);
    s->neighbours =
        wf_alloc(allocator, WF_NEIGHBOURS * (size_t)vertex_count, sizeof *s->neighbours);
    s->around_start = wf_alloc(allocator, (size_t)vertex_count + 1, sizeof *s->around_start);
    s->around = wf_alloc(allocator, halves, sizeof *s->around);
    WfKey* keys = wf_alloc(allocator, halves, sizeof *keys);
    WfKey* scratch = wf_alloc(allocator, halves, sizeof *scratch);
    unsigned char* taken = wf_alloc(allocator, (size_t)vertex_count, sizeof *taken);
    WeftResult result = WEFT_ERROR_MEMORY;
    if (!s->triangles || !s->triangle_edges || !s->owns || !s->piece || !s->piece_first) goto done;
    if (!s->neighbours || !s->around_start || !s->around) goto done;
    if (!keys || !scratch || !taken) goto done;
    put_triangles(s, triangle_count, triangles, segments);
    int count = list_half_edges(s, keys);
    s->edges = wf_alloc(allocator, 2 * (size_t)count, sizeof *s->edges);
    s->edge_triangles = wf_alloc(allocator, 2 * (size_t)count, sizeof *s->edge_triangles);
    if (!s->edges || !s->edge_triangles) goto done;
    wf_sort_keys(keys, scratch, count);
    put_edges(s, keys, count);
    own_vertices(s, taken);
    find_pieces(s);
    list_neighbours(s);
    list_triangles_around(s);
    result = WEFT_OK;

done:
    wf_free(allocator, keys);
    wf_free(allocator, scratch);
    wf_free(allocator, taken);
    if (result) wf_surface_destroy(allocator, s);
    return result;
}

void wf_surface_destroy(const WeftAllocator* allocator, WfSurface* surface) {
    wf_free(allocator, surface->triangles);
    wf_free(allocator, surface->edges);
    wf_free(allocator, surface->edge_triangles);
    wf_free(allocator, surface->triangle_edges);
    wf_free(allocator, surface->owns);
    wf_free(allocator, surface->piece);
    wf_free(allocator, surface->piece_first);
    wf_free(allocator, surface->neighbours);
    wf_free(allocator, surface->around_start);
    wf_free(allocator, surface->around);
    *surface = (WfSurface){0};
}

bool wf_are_joined(const WfSurface* surface, const int* u, int u_count, const int* v, int v_count) {
    for (int i = 0; i < u_count; i++) {
        const int* list = surface->neighbours + WF_NEIGHBOURS * (long)u[i];
        WfInts low = wf_ints_load(list), high = wf_ints_load(list + 4);
        for (int k = 0; k < v_count; k++) {
            WfInts other = wf_ints_set(v[k]);
            WfMask mask = wf_mask_or(wf_ints_equal(low, other), wf_ints_equal(high, other));
            if (wf_mask_bits(mask) != 0) return true;
        }
    }
    return false;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "mesh/geodesic.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

// ---------------------------------------------------------------------------------------------
// What is next to a vertex

// Of counts[v], of each v: where its items end; filled from there down, where they begin.
static void sum_up(int count, int* counts) {
    for (int v = 0; v < count; v++) counts[v + 1] += counts[v];
}

static void list_neighbours(WfGeodesic* g, const WfWayMesh* m) {
    for (long i = 0; i < 2L * m->edge_count; i++) g->start[m->edges[i]]++;
    sum_up(g->vertex_count, g->start);
    for (long i = 2L * m->edge_count - 1; i >= 0; i--) {
        int slot = --g->start[m->edges[i]];
        g->near[slot] = m->edges[i ^ 1];
        g->near_lengths[slot] = m->lengths[i / 2];
    }
}

static double edge_length(const WfGeodesic* g, int a, int b) {
    for (int i = g->start[a]; i < g->start[a + 1]; i++)
        if (g->near[i] == b) return g->near_lengths[i];
    return HUGE_VAL;
}

static void list_stars(WfGeodesic* g, const WfWayMesh* m) {
    for (long i = 0; i < 3L * m->triangle_count; i++) g->star_start[m->triangles[i]]++;
    sum_up(g->vertex_count, g->star_start);
    for (long i = 3L * m->triangle_count - 1; i >= 0; i--) {
        const int* t = m->triangles + i / 3 * 3;
        int v = t[i % 3], b = t[(i + 1) % 3], c = t[(i + 2) % 3];
        g->star[--g->star_start[v]] =
            (WfWedge){b, c, edge_length(g, v, b), edge_length(g, v, c), edge_length(g, b, c)};
    }
}

// ---------------------------------------------------------------------------------------------
// A heap of vertices. Equal distances in the order of vertices.

static bool is_nearer(const WfGeodesic* g, int a, int b) {
    return g->distance[a] < g->distance[b] || (g->distance[a] == g->distance[b] && a < b);
}

static void set_place(WfGeodesic* g, int place, int vertex) {
    g->heap[place] = vertex;
    g->place[vertex] = place;
}

static void rise(WfGeodesic* g, int vertex) {
    int i = g->place[vertex];
    for (; i > 0 && is_nearer(g, vertex, g->heap[(i - 1) / 2]); i = (i - 1) / 2)
        set_place(g, i, g->heap[(i - 1) / 2]);
    set_place(g, i, vertex);
}

static int pop(WfGeodesic* g) {
    int top = g->heap[0], last = g->heap[--g->heap_count], i = 0;
    for (;;) {
        int child = 2 * i + 1;
        if (child >= g->heap_count) break;
        if (child + 1 < g->heap_count && is_nearer(g, g->heap[child + 1], g->heap[child])) child++;
        if (!is_nearer(g, g->heap[child], last)) break;
        set_place(g, i, g->heap[child]);
        i = child;
    }
    if (g->heap_count > 0) set_place(g, i, last);
    return top;
}

// ---------------------------------------------------------------------------------------------
// Marching

static void offer(WfGeodesic* g, int vertex, double distance) {
    if (g->done[vertex] || !(distance < g->distance[vertex])) return;
    if (g->distance[vertex] == HUGE_VAL) {
        g->touch[g->touched++] = vertex;
        set_place(g, g->heap_count++, vertex);
    }
    g->distance[vertex] = distance;
    rise(g, vertex);
}

// v is final: reach c across the side vb, where b is, too.
static void reach_across(WfGeodesic* g, int v, int b, int c, double vb, double vc, double bc) {
    if (!g->done[b] || g->done[c]) return;
    offer(g, c, wf_straight_way(vb, vc, bc, g->distance[v], g->distance[b]));
}

static void spread(WfGeodesic* g, int v) {
    for (int i = g->start[v]; i < g->start[v + 1]; i++)
        offer(g, g->near[i], g->distance[v] + g->near_lengths[i]);
    for (int i = g->star_start[v]; i < g->star_start[v + 1]; i++) {
        const WfWedge* w = &g->star[i];
        reach_across(g, v, w->b, w->c, w->vb, w->vc, w->bc);
        reach_across(g, v, w->c, w->b, w->vc, w->vb, w->bc);
    }
}

static void forget(WfGeodesic* g) {
    for (int i = 0; i < g->touched; i++) {
        g->distance[g->touch[i]] = HUGE_VAL;
        g->done[g->touch[i]] = 0;
    }
    g->touched = g->heap_count = g->reached = 0;
}

void wf_geodesic_march(WfGeodesic* g, int from, double radius, const double* limits) {
    forget(g);
    offer(g, from, 0);
    while (g->heap_count > 0) {
        int v = pop(g);
        g->done[v] = 1;
        if (g->distance[v] > radius) break;
        if (limits && g->distance[v] >= limits[v]) continue;
        g->order[g->reached++] = v;
        spread(g, v);
    }
}

// ---------------------------------------------------------------------------------------------

WeftResult wf_geodesic_create(const WeftAllocator* allocator, const WfWayMesh* mesh,
                              WfGeodesic* g) {
    size_t n = (size_t)mesh->vertex_count, ends = 2 * (size_t)mesh->edge_count;
    *g = (WfGeodesic){.vertex_count = mesh->vertex_count};
    g->start = wf_alloc(allocator, n + 1, sizeof(int));
    g->near = wf_alloc(allocator, ends, sizeof(int));
    g->near_lengths = wf_alloc(allocator, ends, sizeof(double));
    g->star_start = wf_alloc(allocator, n + 1, sizeof(int));
    g->star = wf_alloc(allocator, 3 * (size_t)mesh->triangle_count, sizeof *g->star);
    g->distance = wf_alloc(allocator, n, sizeof(double));
    g->done = wf_alloc(allocator, n, 1);
    g->order = wf_alloc(allocator, 4 * n, sizeof(int));
    if (!g->start || !g->near || !g->near_lengths || !g->star_start || !g->star || !g->distance ||
        !g->done || !g->order) {
        wf_geodesic_destroy(allocator, g);
        return WEFT_ERROR_MEMORY;
    }
    g->touch = g->order + n, g->heap = g->order + 2 * n, g->place = g->order + 3 * n;
    for (size_t v = 0; v < n; v++) g->distance[v] = HUGE_VAL;
    list_neighbours(g, mesh);
    list_stars(g, mesh);
    return WEFT_OK;
}

void wf_geodesic_destroy(const WeftAllocator* allocator, WfGeodesic* g) {
    wf_free(allocator, g->start);
    wf_free(allocator, g->near);
    wf_free(allocator, g->near_lengths);
    wf_free(allocator, g->star_start);
    wf_free(allocator, g->star);
    wf_free(allocator, g->distance);
    wf_free(allocator, g->done);
    wf_free(allocator, g->order);
    *g = (WfGeodesic){0};
}

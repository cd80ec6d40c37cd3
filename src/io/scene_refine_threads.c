// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Bands and folds of a garment run along edges of its cloth. In the refined cloth they run along
// the parts of these edges, so that elastic holds all of a waist, and not every third vertex.

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "io/scene_refine.h"
#include "mesh/hilbert.h"

// Dense vertices inside of coarse edges, by their edge.
typedef struct Edges {
    const WeftRefinement* map;
    int parts, count;
    WfKey* keys;
} Edges;

static bool runs_along_edges(const WeftThread* thread) {
    return thread->kind == WEFT_THREAD_BAND || thread->kind == WEFT_THREAD_FOLD;
}

// The two corners of a vertex that lies inside of an edge; false for all others.
static bool find_ends(const WeftRefinement* map, int vertex, int ends[2], double weights[2]) {
    int count = 0;
    for (int k = 0; k < 3; k++) {
        double weight = map->weights[3 * (long)vertex + k];
        if (weight == 0) continue;
        if (count < 2) ends[count] = map->corners[3 * (long)vertex + k], weights[count] = weight;
        count++;
    }
    return count == 2;
}

static WeftResult list_edges(const WeftAllocator* allocator, Edges* edges) {
    size_t room = (size_t)edges->map->vertex_count;
    WfKey* spare = wf_alloc(allocator, room, sizeof *spare);
    edges->keys = wf_alloc(allocator, room, sizeof *edges->keys);
    int ends[2];
    double weights[2];
    bool good = spare && edges->keys;
    for (int i = 0; i < edges->map->vertex_count && good; i++)
        if (find_ends(edges->map, i, ends, weights))
            edges->keys[edges->count++] = (WfKey){wf_pair_key(ends[0], ends[1]), i};
    if (good) wf_sort_keys(edges->keys, spare, edges->count);
    wf_free(allocator, spare);
    return good ? WEFT_OK : WEFT_ERROR_MEMORY;
}

// From a to b without both: parts - 1 vertices, or none where no edge of a triangle is there.
// `inner` may be NULL.
static int walk_edge(const Edges* edges, int a, int b, int* inner) {
    uint64_t key = wf_pair_key(a, b);
    int low = wf_first_key(edges->keys, edges->count, key);
    if (low == edges->count || edges->keys[low].key != key) return 0;
    for (int i = low; i < low + edges->parts - 1 && inner; i++) {
        int ends[2];
        double weights[2];
        find_ends(edges->map, edges->keys[i].index, ends, weights);
        double along = ends[0] == b ? weights[0] : weights[1];
        inner[(int)lround(along * edges->parts) - 1] = edges->keys[i].index;
    }
    return edges->parts - 1;
}

// All vertices of a thread, along the parts of its edges; returns how many. `to` may be NULL.
static int walk_thread(const Edges* edges, const WeftThread* thread, const int* vertices, int* to) {
    int count = 0;
    for (int i = 0; i < thread->count; i++) {
        int here = vertices[thread->first + i];
        if (i > 0)
            count +=
                walk_edge(edges, vertices[thread->first + i - 1], here, to ? to + count : NULL);
        if (to) to[count] = here;
        count++;
    }
    return count;
}

// Behind the ropes that the refined mesh has already; without room they are only counted.
static void lay_threads(const Edges* edges, const WeftMesh* coarse, WeftMesh* fine) {
    for (int t = 0; t < coarse->thread_count; t++) {
        WeftThread thread = coarse->threads[t];
        if (!runs_along_edges(&thread)) continue;
        int* to = fine->threads ? fine->thread_vertices + fine->thread_vertex_count : NULL;
        thread.count = walk_thread(edges, &coarse->threads[t], coarse->thread_vertices, to);
        thread.first = fine->thread_vertex_count;
        if (fine->threads) fine->threads[fine->thread_count] = thread;
        fine->thread_count++;
        fine->thread_vertex_count += thread.count;
    }
}

static WeftResult add_threads(const Edges* edges, const WeftMesh* coarse, WeftMesh* fine) {
    WeftMesh more = {.thread_count = fine->thread_count,
                     .thread_vertex_count = fine->thread_vertex_count};
    lay_threads(edges, coarse, &more);
    WeftThread* threads = wf_alloc(&fine->allocator, (size_t)more.thread_count, sizeof *threads);
    int* vertices = wf_alloc(&fine->allocator, (size_t)more.thread_vertex_count, sizeof *vertices);
    if (!threads || !vertices) {
        wf_free(&fine->allocator, threads);
        wf_free(&fine->allocator, vertices);
        return WEFT_ERROR_MEMORY;
    }
    for (int t = 0; t < fine->thread_count; t++) threads[t] = fine->threads[t];
    for (int i = 0; i < fine->thread_vertex_count; i++) vertices[i] = fine->thread_vertices[i];
    wf_free(&fine->allocator, fine->threads);
    wf_free(&fine->allocator, fine->thread_vertices);
    fine->threads = threads;
    fine->thread_vertices = vertices;
    lay_threads(edges, coarse, fine);
    return WEFT_OK;
}

WeftResult wf_refine_threads(const WeftMesh* coarse, const WeftRefinement* map, int parts,
                             WeftMesh* fine) {
    Edges edges = {.map = map, .parts = parts};
    bool any = false;
    for (int t = 0; t < coarse->thread_count; t++)
        any = any || runs_along_edges(&coarse->threads[t]);
    if (!any) return WEFT_OK;
    WeftResult result = list_edges(&fine->allocator, &edges);
    if (!result) result = add_threads(&edges, coarse, fine);
    wf_free(&fine->allocator, edges.keys);
    return result;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// An edge of the shown mesh agrees where the places of its ends are as near to each other along the
// coarse mesh as they are in space, more or less. What hangs together by edges that agree is a
// group. In every piece of the shown mesh the largest group is right, and others of about its size.
// From there on, neighbour by neighbour, vertices that do not agree were bound to another layer
// because it happens to be nearer, and are bound again, beside what their neighbour is bound to.

#include <math.h>

#include "base/memory.h"
#include "detail/embed.h"
#include "detail/smooth.h"
#include "mesh/stars.h"

static const double LONGER = 3;     // than an edge of the shown mesh: a path that still agrees,
static const double EDGES = 2;      // and so many coarse edges more
static const double LARGE = 0.5;    // of the largest group of a piece: one that is right, too
static const double FARTHER = 3;    // than the place before: the new one at most,
static const double BESIDE = 0.25;  // and so much of a coarse edge more
enum { MOST_VISITED = 400 };        // triangles of a search; beyond it nothing is known

typedef struct Layers {
    const WfEmbedding* e;
    WfStars coarse, shown;
    WfPlace* places;
    double edge;  // m, mean of the coarse mesh
    // a search along the coarse mesh
    int round, *seen;  // per coarse triangle: the round in which it was visited last
    int visited_count, visited[MOST_VISITED];
    double lengths[MOST_VISITED];
    // of shown vertices
    int *group, *piece;
    int* sizes;  // of groups, then per piece that of its largest
    bool* settled;
    int* queue;
} Layers;

static WfVec middle_of(const Layers* l, int t) {
    WfVec c[3];
    wf_bins_corners(&l->e->bins, t, c);
    return wf_mul(1.0 / 3, wf_add(wf_add(c[0], c[1]), c[2]));
}

static WfVec point_of(const Layers* l, const WfPlace* place) {
    WfVec c[3];
    wf_bins_corners(&l->e->bins, place->triangle, c);
    return wf_blend(c, place->w);
}

static void visit(Layers* l, int t, double length) {
    if (l->seen[t] == l->round || l->visited_count == MOST_VISITED) return;
    l->seen[t] = l->round;
    l->visited[l->visited_count] = t;
    l->lengths[l->visited_count++] = length;
}

// All triangles that a path of at most `reach` leads to, from middle to middle. Returns whether
// `wanted` is among them, as soon as it is.
static bool search(Layers* l, int from, double reach, int wanted) {
    l->round++;
    l->visited_count = 0;
    visit(l, from, 0);
    for (int at = 0; at < l->visited_count; at++) {
        int t = l->visited[at];
        if (t == wanted) return true;
        const int* v = l->e->coarse->triangles + 3 * (long)t;
        for (int k = 0; k < 3; k++)
            for (int s = l->coarse.start[v[k]]; s < l->coarse.start[v[k] + 1]; s++) {
                int next = l->coarse.halves[s] / 3;
                if (l->seen[next] == l->round) continue;
                double step = wf_length(wf_sub(middle_of(l, next), middle_of(l, t)));
                if (l->lengths[at] + step <= reach) visit(l, next, l->lengths[at] + step);
            }
    }
    return false;
}

static bool are_beside(const Layers* l, int a, int b) {
    const int *v = l->e->coarse->triangles + 3 * (long)a,
              *w = l->e->coarse->triangles + 3 * (long)b;
    for (int k = 0; k < 9; k++)
        if (v[k / 3] == w[k % 3]) return true;
    return false;
}

static double reach_of(const Layers* l, int i, int j) {
    const double* x = l->e->shown->positions;
    return LONGER * wf_length(wf_sub(wf_load(x, i), wf_load(x, j))) + EDGES * l->edge;
}

static bool do_agree(Layers* l, int i, int j) {
    int a = l->places[i].triangle, b = l->places[j].triangle;
    if (a == b || are_beside(l, a, b)) return true;
    return search(l, a, reach_of(l, i, j), b) || l->visited_count == MOST_VISITED;
}

// ---------------------------------------------------------------------------------------------
// Groups

static int root_of(int* parents, int i) {
    while (parents[i] != i) i = parents[i] = parents[parents[i]];
    return i;
}

static void join(int* parents, int i, int j) {
    int a = root_of(parents, i), b = root_of(parents, j);
    if (a < b) parents[b] = a;
    if (b < a) parents[a] = b;
}

// Sets `settled` of all vertices in large groups; returns whether that are all.
static bool find_groups(Layers* l) {
    const WeftMesh* shown = l->e->shown;
    int n = shown->vertex_count;
    bool all = true;
    for (int i = 0; i < n; i++) l->group[i] = l->piece[i] = i;
    for (long c = 0; c < 3L * shown->triangle_count; c++) {
        int i = shown->triangles[c], j = wf_half_to(&l->shown, (int)c);
        join(l->piece, i, j);
        if (root_of(l->group, i) != root_of(l->group, j) && do_agree(l, i, j)) join(l->group, i, j);
    }
    int *sizes = l->sizes, *largest = l->sizes + n;
    for (int i = 0; i < n; i++) sizes[root_of(l->group, i)]++;
    for (int i = 0; i < n; i++) {
        int size = sizes[root_of(l->group, i)], *most = &largest[root_of(l->piece, i)];
        *most = size > *most ? size : *most;
    }
    for (int i = 0; i < n; i++) {
        l->settled[i] = sizes[root_of(l->group, i)] >= LARGE * largest[root_of(l->piece, i)];
        all = all && l->settled[i];
    }
    return all;
}

// ---------------------------------------------------------------------------------------------
// Binding again

static double distance_of(const Layers* l, int i, const WfPlace* place) {
    return wf_length(wf_sub(wf_load(l->e->shown->positions, i), point_of(l, place)));
}

// Near to what a neighbour is bound to, unless that is much farther away.
static void bind_beside(Layers* l, int i, int neighbour) {
    WfVec p = wf_load(l->e->shown->positions, i), n = wf_load(l->e->shown_normals, i);
    WfPlace best = {.triangle = -1, .far = HUGE_VAL, .w = {1, 0, 0}};
    search(l, l->places[neighbour].triangle, reach_of(l, i, neighbour), -1);
    for (int k = 0; k < l->visited_count; k++)
        wf_try_triangle(l->e, l->e->facing, l->visited[k], p, n, &best);
    double most = FARTHER * distance_of(l, i, &l->places[i]) + BESIDE * l->edge;
    if (distance_of(l, i, &best) <= most) l->places[i] = best;
}

// From what is settled to its neighbours, and on from there.
static void settle(Layers* l) {
    int n = l->e->shown->vertex_count, count = 0;
    for (int i = 0; i < n; i++)
        if (l->settled[i]) l->queue[count++] = i;
    for (int at = 0; at < count; at++) {
        int i = l->queue[at];
        for (int s = l->shown.start[i]; s < l->shown.start[i + 1]; s++) {
            int next[2] = {wf_half_to(&l->shown, l->shown.halves[s]),
                           wf_half_opposite(&l->shown, l->shown.halves[s])};
            for (int k = 0; k < 2; k++) {
                if (l->settled[next[k]]) continue;
                if (!do_agree(l, i, next[k])) bind_beside(l, next[k], i);
                l->settled[next[k]] = true;
                l->queue[count++] = next[k];
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------

static double mean_edge(const WeftMesh* mesh) {
    double sum = 0;
    for (long c = 0; c < 3L * mesh->triangle_count; c++) {
        long next = c % 3 == 2 ? c - 2 : c + 1;
        sum += wf_length(wf_sub(wf_load(mesh->positions, mesh->triangles[next]),
                                wf_load(mesh->positions, mesh->triangles[c])));
    }
    return sum / (3.0 * mesh->triangle_count);
}

static bool allocate(const WeftAllocator* allocator, Layers* l) {
    const WeftMesh *coarse = l->e->coarse, *shown = l->e->shown;
    size_t n = (size_t)shown->vertex_count;
    l->seen = wf_alloc(allocator, (size_t)coarse->triangle_count, sizeof(int));
    l->group = wf_alloc(allocator, n, sizeof(int));
    l->piece = wf_alloc(allocator, n, sizeof(int));
    l->sizes = wf_alloc(allocator, 2 * n, sizeof(int));
    l->queue = wf_alloc(allocator, n, sizeof(int));
    l->settled = wf_alloc(allocator, n, sizeof(bool));
    return l->seen && l->group && l->piece && l->sizes && l->queue && l->settled &&
           wf_stars_create(allocator, coarse->vertex_count, coarse->triangle_count,
                           coarse->triangles, &l->coarse) &&
           wf_stars_create(allocator, shown->vertex_count, shown->triangle_count, shown->triangles,
                           &l->shown);
}

bool wf_sort_layers(const WeftAllocator* allocator, const WfEmbedding* e, WfPlace* places) {
    Layers* l = wf_alloc(allocator, 1, sizeof *l);
    if (!l) return false;
    *l = (Layers){.e = e, .places = places, .edge = mean_edge(e->coarse)};
    bool good = allocate(allocator, l);
    if (good && !find_groups(l)) settle(l);
    void* all[] = {l->seen, l->group, l->piece, l->sizes, l->queue, l->settled};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) wf_free(allocator, all[k]);
    wf_stars_destroy(allocator, &l->coarse);
    wf_stars_destroy(allocator, &l->shown);
    wf_free(allocator, l);
    return good;
}

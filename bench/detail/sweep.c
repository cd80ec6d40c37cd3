// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

// Two vertices and their distance at rest.
typedef struct Link {
    int ends[2];
    double rest;
} Link;

struct Sweeper {
    SweepDef def;
    int count;  // of vertices
    int edge_count, bend_count;
    Link *edges, *bends;
    double *base, *offsets;  // 3 per vertex: of this frame, and of the last one
    bool* held;
};

// ---------------------------------------------------------------------------------------------
// Links

// An edge of a triangle: the corner that is opposite, and where that lies beside it.
typedef struct Side {
    int ends[2];  // the lesser first
    int opposite;
    double length, along, height;
} Side;

static void corner_place(const WeftMesh* mesh, int triangle, int k, double place[3]) {
    long at = 3L * triangle + k % 3;
    int vertex = mesh->triangles[at];
    int point = mesh->triangle_material ? mesh->triangle_material[at] : vertex;
    place[2] = 0;
    if (mesh->material_count > 0)
        memcpy(place, mesh->material + 2L * point, 2 * sizeof *place);
    else
        memcpy(place, mesh->positions + 3L * vertex, 3 * sizeof *place);
}

static Side measure_side(const WeftMesh* mesh, int triangle, int k) {
    const int* corners = mesh->triangles + 3L * triangle;
    Side side = {.ends = {corners[k], corners[(k + 1) % 3]}, .opposite = corners[(k + 2) % 3]};
    bool turned = side.ends[0] > side.ends[1];
    double from[3], to[3], other[3], square = 0, dot = 0, far = 0;
    corner_place(mesh, triangle, turned ? k + 1 : k, from);
    corner_place(mesh, triangle, turned ? k : k + 1, to);
    corner_place(mesh, triangle, k + 2, other);
    for (int d = 0; d < 3; d++) {
        square += (to[d] - from[d]) * (to[d] - from[d]);
        dot += (to[d] - from[d]) * (other[d] - from[d]);
        far += (other[d] - from[d]) * (other[d] - from[d]);
    }
    if (turned) side.ends[0] = corners[(k + 1) % 3], side.ends[1] = corners[k];
    side.length = sqrt(square);
    side.along = dot / side.length;
    side.height = sqrt(fmax(far - side.along * side.along, 0));
    return side;
}

static int compare_sides(const void* a, const void* b) {
    const Side *p = a, *q = b;
    for (int k = 0; k < 2; k++)
        if (p->ends[k] != q->ends[k]) return p->ends[k] < q->ends[k] ? -1 : 1;
    return (p->opposite > q->opposite) - (p->opposite < q->opposite);
}

static void link_mesh(Sweeper* s, const WeftMesh* mesh) {
    int count = 3 * mesh->triangle_count;
    Side* sides = need((size_t)count + 1, sizeof *sides);
    for (int c = 0; c < count; c++) sides[c] = measure_side(mesh, c / 3, c % 3);
    qsort(sides, (size_t)count, sizeof *sides, compare_sides);
    s->edges = need((size_t)count + 1, sizeof *s->edges);
    s->bends = need((size_t)count + 1, sizeof *s->bends);
    for (int c = 0; c < count; c++) {
        const Side *side = &sides[c], *next = side + 1;
        bool paired = c + 1 < count && memcmp(side->ends, next->ends, sizeof side->ends) == 0;
        s->edges[s->edge_count++] = (Link){{side->ends[0], side->ends[1]}, side->length};
        if (!paired) continue;
        // both triangles laid flat
        double across = hypot(side->along - next->along, side->height + next->height);
        s->bends[s->bend_count++] = (Link){{side->opposite, next->opposite}, across};
        c++;
    }
    free(sides);
}

// ---------------------------------------------------------------------------------------------

Sweeper* create_sweeper(const WeftMesh* mesh, const SweepDef* def) {
    Sweeper* s = need(1, sizeof *s);
    s->def = *def;
    s->count = mesh->vertex_count;
    s->base = need(3 * (size_t)s->count, sizeof(double));
    s->offsets = need(3 * (size_t)s->count, sizeof(double));
    s->held = need((size_t)s->count, sizeof(bool));
    link_mesh(s, mesh);
    return s;
}

void destroy_sweeper(Sweeper* s) {
    if (!s) return;
    void* all[] = {s->edges, s->bends, s->base, s->offsets, s->held, s};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
}

void restart_sweeper(Sweeper* s, const bool* held) {
    memcpy(s->held, held, (size_t)s->count * sizeof *held);
    memset(s->offsets, 0, 3 * (size_t)s->count * sizeof *s->offsets);
}

static void keep_lengths(const Sweeper* s, const Link* links, int count, double part, double* x) {
    for (int k = 0; k < count; k++) {
        double *a = x + 3L * links[k].ends[0], *b = x + 3L * links[k].ends[1];
        double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
        double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        double free_a = !s->held[links[k].ends[0]], free_b = !s->held[links[k].ends[1]];
        if (length == 0 || free_a + free_b == 0) continue;
        double move = part * (1 - links[k].rest / length) / (free_a + free_b);
        for (int c = 0; c < 3; c++) a[c] += free_a * move * d[c], b[c] -= free_b * move * d[c];
    }
}

void sweep(Sweeper* s, double* x) {
    size_t size = 3 * (size_t)s->count;
    memcpy(s->base, x, size * sizeof *x);
    if (s->def.resumes)
        for (size_t i = 0; i < size; i++) x[i] += s->offsets[i];
    for (int k = 0; k < s->def.sweeps; k++) {
        if (s->def.bend > 0) keep_lengths(s, s->bends, s->bend_count, s->def.bend, x);
        keep_lengths(s, s->edges, s->edge_count, 1, x);
        for (size_t i = 0; i < size; i++) x[i] += s->def.pull * (s->base[i] - x[i]);
    }
    for (size_t i = 0; i < size; i++) s->offsets[i] = x[i] - s->base[i];
}

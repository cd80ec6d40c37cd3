// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The disc of the drape test: rings of vertices, one of them on the edge of the support. A mesh
// whose vertices lie anywhere holds the cloth by an edge that is jagged, and folds, which run
// outwards, against its grain: light cloth then covered 71 % with edges of 10 mm and 54 % with 5.
// A second ring lies closely inside: hinges between what is held and what hangs would else be as
// soft as those further out, though half of their width cannot bend (fleece: 57 instead of 66 %).

#include <math.h>
#include <stdlib.h>

#include "lab.h"

typedef struct Ring {
    double radius, phase;  // phase: of the first vertex, in steps around
    int first, size;
} Ring;

static int ring_count(double width, double edge) {
    return (int)fmax(1, round(width / (edge * sqrt(3) / 2)));
}

// Ring `inner` is the one on the edge; the one before it is its twin.
static Ring ring_at(int k, int inner, int outer, double edge) {
    const double width = drape_radius - drape_support, golden = 0.6180339887498949, gap = 0.1;
    bool twin = k == inner - 1;
    double r =
        k < inner ? drape_support * k / (inner - 1) : drape_support + width * (k - inner) / outer;
    int size = k > 0 ? (int)fmax(6, round(2 * PI * r / edge)) : 1;
    return (Ring){.radius = twin ? r - gap * edge : r,
                  .phase = fmod(golden * (twin ? inner : k), 1),
                  .size = size};
}

static void place(WeftMesh* mesh, const Ring* ring, double turn) {
    for (int i = 0; i < ring->size; i++) {
        double angle = turn + 2 * PI * (i + ring->phase) / ring->size;
        double* u = mesh->material + 2 * (long)(ring->first + i);
        double* x = mesh->positions + 3 * (long)(ring->first + i);
        u[0] = ring->radius * cos(angle);
        u[1] = ring->radius * sin(angle);
        x[0] = u[0];
        x[1] = 0;
        x[2] = -u[1];
    }
}

static double next_around(const Ring* ring, int i) {
    return i < ring->size ? (i + 1 + ring->phase) / ring->size : HUGE_VAL;
}

// Once around, always on to the vertex that comes first. The middle is a ring of one.
static void join(WeftMesh* mesh, const Ring* in, const Ring* out) {
    for (int i = in->size > 1 ? 0 : 1, j = 0; i < in->size || j < out->size;) {
        int* t = mesh->triangles + 3 * (long)mesh->triangle_count++;
        t[0] = in->first + i % in->size;
        t[1] = out->first + j % out->size;
        if (next_around(out, j) <= next_around(in, i))
            t[2] = out->first + ++j % out->size;
        else
            t[2] = in->first + ++i % in->size;
    }
}

WeftResult make_drape_disc(double edge, double turn, WeftMesh* mesh) {
    int inner = ring_count(drape_support, edge) + 1;
    int outer = ring_count(drape_radius - drape_support, edge), n = 0;
    *mesh = (WeftMesh){0};
    for (int k = 0; k <= inner + outer; k++) n += ring_at(k, inner, outer, edge).size;
    mesh->vertex_count = mesh->material_count = n;
    mesh->positions = malloc(3 * (size_t)n * sizeof(double));
    mesh->material = malloc(2 * (size_t)n * sizeof(double));
    mesh->triangles = malloc(6 * (size_t)n * sizeof(int));  // two for each vertex at most
    if (!mesh->positions || !mesh->material || !mesh->triangles) return WEFT_ERROR_MEMORY;
    Ring last = {0};
    for (int k = 0; k <= inner + outer; k++) {
        Ring ring = ring_at(k, inner, outer, edge);
        ring.first = last.first + last.size;
        place(mesh, &ring, turn);
        if (k > 0) join(mesh, &last, &ring);
        last = ring;
    }
    return WEFT_OK;
}

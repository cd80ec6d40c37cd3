// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "thesis_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

// ---------------------------------------------------------------------------------------------
// Outlines, in metres: u to the right, v up

// clang-format off
#define LINE(u, v) {.end = {u, v}}
#define CURVE(cu, cv, u, v) {.end = {u, v}, .control_count = 1, .control = {{cu, cv}}}
#define CUBIC(cu, cv, du, dv, u, v) \
    {.end = {u, v}, .control_count = 2, .control = {{cu, cv}, {du, dv}}}
// clang-format on

static const WeftSide square[] = {LINE(1, 0), LINE(1, 1), LINE(0, 1), LINE(0, 0)};

static const WeftSide front[] = {
    LINE(-0.11, 0),  // waist, a dart
    LINE(-0.097, 0.13),
    LINE(-0.084, 0),
    CURVE(0, -0.012, 0.084, 0),
    LINE(0.097, 0.13),
    LINE(0.11, 0),
    LINE(0.2, 0.01),
    CURVE(0.215, 0.12, 0.24, 0.22),                // side
    CURVE(0.15, 0.25, 0.18, 0.42),                 // armhole
    LINE(0.085, 0.46),                             // shoulder
    CUBIC(0.07, 0.33, -0.07, 0.33, -0.085, 0.46),  // neck
    LINE(-0.18, 0.42),
    CURVE(-0.15, 0.25, -0.24, 0.22),
    CURVE(-0.215, 0.12, -0.2, 0.01),
};

static const WeftSide back[] = {
    CURVE(0.1, -0.006, 0.18, 0.005),  // waist
    CURVE(0.19, 0.12, 0.21, 0.22),    // side
    CURVE(0.15, 0.26, 0.175, 0.42),   // armhole
    LINE(0.07, 0.455),                // shoulder
    CURVE(0.06, 0.425, 0, 0.42),      // neck
    LINE(0, 0),                       // centre
};

static const WeftSide skirt[] = {
    CURVE(0, -0.06, 0.36, 0),                // hem
    CUBIC(0.3, 0.24, 0.27, 0.4, 0.17, 0.6),  // side, over the hip
    CURVE(0, 0.57, -0.17, 0.6),              // waist
    CUBIC(-0.27, 0.4, -0.3, 0.24, -0.36, 0),
};

static const struct {
    const char* name;
    WeftLoop loop;
} shapes[] = {
    [SHAPE_SQUARE] = {"square", {sizeof square / sizeof *square, square}},
    [SHAPE_FRONT] = {"front", {sizeof front / sizeof *front, front}},
    [SHAPE_BACK] = {"back", {sizeof back / sizeof *back, back}},
    [SHAPE_SKIRT] = {"skirt", {sizeof skirt / sizeof *skirt, skirt}},
};

const char* shape_name(ThesisShape shape) { return shapes[shape].name; }

// ---------------------------------------------------------------------------------------------

enum { TRIES = 12 };

int make_shape(ThesisShape shape, int vertex_count, WeftMesh* mesh) {
    WeftOutlineDef def = weft_default_outline_def();
    WeftError error;
    int nearest = -1;
    double best = def.edge;
    def.loops = &shapes[shape].loop;
    def.loop_count = 1;
    for (int i = 0; i <= TRIES; i++) {
        if (i == TRIES) def.edge = best;
        if (weft_make_outline(&def, NULL, mesh, &error))
            return complain(EXIT_FAILED, "%s: %s", shape_name(shape), error.message);
        int count = mesh->vertex_count, away = abs(count - vertex_count);
        if (nearest < 0 || away < nearest) nearest = away, best = def.edge;
        if (i == TRIES || away == 0) break;
        def.edge *= sqrt((double)count / vertex_count);
        weft_destroy_mesh(mesh);
    }
    return EXIT_GOOD;
}

// Around a vertex inside, every neighbour comes after it in one triangle and before it in another;
// on the boundary the first and the last do not.
static void find_boundary(const WeftMesh* mesh, long* open) {
    for (int t = 0; t < mesh->triangle_count; t++)
        for (int c = 0; c < 3; c++) {
            const int* corners = mesh->triangles + 3 * (long)t;
            open[corners[c]] += corners[(c + 1) % 3] - corners[(c + 2) % 3];
        }
}

static void move_vectors(int count, const int* rank, int size, double* vectors) {
    size_t bytes = (size_t)size * sizeof(double);
    double* moved = need((size_t)count, bytes);
    for (int i = 0; i < count; i++) memcpy(moved + size * rank[i], vectors + size * i, bytes);
    memcpy(vectors, moved, (size_t)count * bytes);
    free(moved);
}

void number_boundary_first(WeftMesh* mesh) {
    int n = mesh->vertex_count, next = 0;
    long* open = need((size_t)n, sizeof *open);
    int* rank = need((size_t)n, sizeof *rank);
    find_boundary(mesh, open);
    for (int i = 0; i < n; i++)
        if (open[i] != 0) rank[i] = next++;
    for (int i = 0; i < n; i++)
        if (open[i] == 0) rank[i] = next++;
    move_vectors(n, rank, 3, mesh->positions);
    move_vectors(n, rank, 2, mesh->material);
    for (int i = 0; i < 3 * mesh->triangle_count; i++)
        mesh->triangles[i] = rank[mesh->triangles[i]];
    free(open);
    free(rank);
}

int nearest_vertex(const WeftMesh* mesh, double u, double v) {
    int best = 0;
    double least = (double)INFINITY;
    for (int i = 0; i < mesh->vertex_count; i++) {
        double distance = hypot(mesh->material[2 * i] - u, mesh->material[2 * i + 1] - v);
        if (distance < least) least = distance, best = i;
    }
    return best;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the tests of mirrors share: meshes, planes, and what must hold of a mirrored mesh.

#ifndef WEFT_MIRROR_TEST_H
#define WEFT_MIRROR_TEST_H

#include "mesh_test.h"

static const WeftPlane x_plane = {{0, 0, 0}, {1, 0, 0}};

static inline WeftPlane plane_at(double x, double y, double z, double nx, double ny, double nz) {
    return (WeftPlane){{x, y, z}, {nx, ny, nz}};
}

// A grid of 1 x 1 about the origin.
static inline WeftMesh centred_grid(int columns, int rows, WeftGridKind kind) {
    WeftGridDef def = {1, 1, columns, rows, kind};
    WeftMesh mesh;
    CHECK(weft_make_grid(&def, NULL, &mesh, NULL) == WEFT_OK);
    for (int i = 0; i < mesh.vertex_count; i++) {
        mesh.positions[3 * i] -= 0.5;
        mesh.positions[3 * i + 2] += 0.5;
    }
    return mesh;
}

static inline WeftMesh disc(double radius, double edge) {
    WeftMesh mesh;
    CHECK(weft_make_disc(radius, edge, NULL, &mesh, NULL) == WEFT_OK);
    return mesh;
}

static inline void mirror(WeftMesh* mesh, WeftPlane plane, WeftHalving halving) {
    WeftError error = {0};
    CHECK(weft_mirror_mesh(mesh, &plane, halving, NULL, &error) == WEFT_OK);
    CHECK_TEXT(error.message, "");
}

static inline WeftSymmetry symmetry_of(const WeftMesh* mesh, WeftPlane plane, int* images) {
    WeftClothDef cloth = weft_default_cloth_def();
    WeftError error = {0};
    WeftSymmetry symmetry = {0};
    weft_use_mesh(&cloth, mesh);
    if (images) cloth.images = NULL;  // find them
    CHECK(weft_find_images(&cloth, &plane, 0, images, &symmetry, &error) == WEFT_OK);
    CHECK_TEXT(error.message, "");
    return symmetry;
}

static inline const double* corner_flat(const WeftMesh* mesh, int t, int k) {
    const int* named = mesh->triangle_material ? mesh->triangle_material : mesh->triangles;
    return mesh->material + 2 * (long)named[3 * (long)t + k];
}

static inline double corner_area(const WeftMesh* mesh, int t) {
    const double *a = corner_flat(mesh, t, 0), *b = corner_flat(mesh, t, 1);
    const double* c = corner_flat(mesh, t, 2);
    return ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
}

static inline double total_area(const WeftMesh* mesh) {
    double sum = 0;
    for (int t = 0; t < mesh->triangle_count; t++) sum += corner_area(mesh, t);
    return sum;
}

static inline double space_between(const WeftMesh* mesh, int a, int b) {
    const double *x = mesh->positions + 3 * (long)a, *y = mesh->positions + 3 * (long)b;
    return sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) +
                (x[2] - y[2]) * (x[2] - y[2]));
}

// How much longer or shorter edges are in space than in the flat shape, at most.
static inline double strain_of(const WeftMesh* mesh) {
    double worst = 0;
    for (int t = 0; t < mesh->triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            int next = (k + 1) % 3;
            const double *a = corner_flat(mesh, t, k), *b = corner_flat(mesh, t, next);
            double flat = hypot(b[0] - a[0], b[1] - a[1]);
            double space =
                space_between(mesh, mesh->triangles[3 * t + k], mesh->triangles[3 * t + next]);
            worst = fmax(worst, fabs(space / flat - 1));
        }
    }
    return worst;
}

static inline bool is_on_plane(const WeftMesh* mesh, int v) { return mesh->images[v] == v; }

// The smallest height of a triangle at the plane.
static inline double least_height(const WeftMesh* mesh) {
    double least = HUGE_VAL;
    for (int t = 0; t < mesh->triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            const double *a = corner_flat(mesh, t, k), *b = corner_flat(mesh, t, (k + 1) % 3);
            least = fmin(least, 2 * corner_area(mesh, t) / hypot(b[0] - a[0], b[1] - a[1]));
        }
    }
    return least;
}

#endif

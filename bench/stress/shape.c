// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "shape.h"

#include <stdlib.h>

const char* const shape_names[SHAPE_COUNT] = {"grid", "regular", "rectangle", "disc", "outline",
                                              "rope", "tube",    "ball",      "soup"};

void* stress_memory(size_t count, size_t size) {
    void* memory = calloc(count > 0 ? count : 1, size);
    if (!memory) abort();
    return memory;
}

static void start_mesh(WeftMesh* mesh, int vertex_count, int triangle_count) {
    *mesh = (WeftMesh){.vertex_count = vertex_count, .triangle_count = triangle_count};
    mesh->positions = stress_memory(3 * (size_t)vertex_count, sizeof(double));
    mesh->triangles = stress_memory(3 * (size_t)triangle_count, sizeof(int));
}

static void set_point(WeftMesh* mesh, int vertex, double x, double y, double z) {
    double* p = mesh->positions + 3 * (size_t)vertex;
    p[0] = x, p[1] = y, p[2] = z;
}

static void set_triangle(WeftMesh* mesh, int triangle, int a, int b, int c) {
    int* t = mesh->triangles + 3 * (size_t)triangle;
    t[0] = a, t[1] = b, t[2] = c;
}

// ---------------------------------------------------------------------------------------------
// What the library has no maker for

// Corner i of a regular polygon of `count` corners on the unit circle.
static void polygon_corner(int i, int count, double corner[2]) {
    const double turn = 6.283185307179586;
    corner[0] = cos(turn * i / count);
    corner[1] = sin(turn * i / count);
}

// A cylinder along y, open at both ends.
static void make_tube(double size, int vertex_count, Chance* chance, WeftMesh* mesh) {
    int around = 4 + pick(chance, 13);
    int rings = vertex_count / around > 2 ? vertex_count / around : 2;
    double radius = size * between(chance, 0.05, 0.4);
    start_mesh(mesh, around * rings, 2 * around * (rings - 1));
    for (int j = 0; j < rings; j++)
        for (int i = 0; i < around; i++) {
            double corner[2];
            polygon_corner(i, around, corner);
            set_point(mesh, j * around + i, radius * corner[0], size * (j / (rings - 1.0) - 0.5),
                      radius * corner[1]);
        }
    for (int j = 0, t = 0; j + 1 < rings; j++)
        for (int i = 0; i < around; i++) {
            int a = j * around + i, b = j * around + (i + 1) % around;
            set_triangle(mesh, t++, a, a + around, b);
            set_triangle(mesh, t++, b, a + around, b + around);
        }
}

// A closed ball of rings and two poles.
static void make_ball(double size, int vertex_count, Chance* chance, WeftMesh* mesh) {
    int around = 4 + pick(chance, 9);
    int rings = vertex_count / around > 1 ? vertex_count / around : 1;
    int south = around * rings, north = south + 1, t = 0;
    double flat = happens(chance, 0.2) ? between(chance, 0.01, 0.3) : 1;
    start_mesh(mesh, around * rings + 2, 2 * around * rings);
    for (int j = 0; j < rings; j++)
        for (int i = 0; i < around; i++) {
            double corner[2], y = 2 * (j + 1.0) / (rings + 1.0) - 1, r = sqrt(1 - y * y);
            polygon_corner(i, around, corner);
            set_point(mesh, j * around + i, 0.5 * size * r * corner[0], 0.5 * size * flat * y,
                      0.5 * size * r * corner[1]);
        }
    set_point(mesh, south, 0, -0.5 * size * flat, 0);
    set_point(mesh, north, 0, 0.5 * size * flat, 0);
    for (int i = 0; i < around; i++) {
        int next = (i + 1) % around, top = around * (rings - 1);
        set_triangle(mesh, t++, south, i, next);
        set_triangle(mesh, t++, north, top + next, top + i);
        for (int j = 0; j + 1 < rings; j++) {
            int a = j * around + i, b = j * around + next;
            set_triangle(mesh, t++, a, a + around, b);
            set_triangle(mesh, t++, b, a + around, b + around);
        }
    }
}

// Triangles by chance, none of which shares a vertex with another; the corners of some lie exactly
// on corners of the one before.
static void make_soup(double size, int vertex_count, Chance* chance, WeftMesh* mesh) {
    int count = vertex_count / 3 > 1 ? vertex_count / 3 : 1;
    double edge = size * between(chance, 0.1, 0.5);
    start_mesh(mesh, 3 * count, count);
    for (int t = 0; t < count; t++) {
        double centre[3] = {between(chance, -0.5, 0.5), between(chance, -0.5, 0.5),
                            between(chance, -0.5, 0.5)};
        int shared = t > 0 && happens(chance, 0.5) ? 1 + pick(chance, 2) : 0;
        for (int c = 0; c < 3; c++) {
            const double* last = mesh->positions + 9 * (size_t)(t > 0 ? t - 1 : 0) + 3 * c;
            double near[3] = {size * centre[0], size * centre[1], size * centre[2]};
            double offset[3];
            in_ball(chance, 3, offset);
            for (int k = 0; k < 3; k++) near[k] += edge * offset[k];
            if (c < shared) near[0] = last[0], near[1] = last[1], near[2] = last[2];
            set_point(mesh, 3 * t + c, near[0], near[1], near[2]);
        }
        set_triangle(mesh, t, 3 * t, 3 * t + 1, 3 * t + 2);
    }
}

// ---------------------------------------------------------------------------------------------
// What it has one for

// A rounded quadrilateral, sometimes with a hole.
static WeftResult make_curved(double size, double edge, Chance* chance, WeftMesh* mesh,
                              WeftError* error) {
    WeftSide sides[4], hole[3];
    static const double corners[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
    static const double inner[3][2] = {{-0.15, -0.1}, {0.15, -0.1}, {0, 0.15}};
    for (int i = 0; i < 4; i++)
        sides[i] = (WeftSide){.end = {size * corners[i][0] * between(chance, 0.6, 1),
                                      size * corners[i][1] * between(chance, 0.6, 1)},
                              .bulge = between(chance, -0.1, 0.4)};
    for (int i = 0; i < 3; i++)
        hole[i] = (WeftSide){.end = {size * inner[i][0], size * inner[i][1]}};
    WeftLoop loops[2] = {{4, sides}, {3, hole}};
    WeftOutlineDef def = weft_default_outline_def();
    def.loops = loops;
    def.loop_count = 1 + pick(chance, 2);
    def.edge = edge;
    def.seed = 1 + (uint32_t)pick(chance, 1000);
    return weft_make_outline(&def, NULL, mesh, error);
}

static WeftResult make_any_grid(double size, int vertex_count, Chance* chance, WeftMesh* mesh,
                                WeftGridKind* kind, WeftError* error) {
    double ratio = happens(chance, 0.5) ? 1 : octaves(chance, 0.1, 1);
    int columns = (int)sqrt(vertex_count / ratio);
    if (columns > vertex_count / 2) columns = vertex_count / 2;
    if (columns < 1) columns = 1;
    int rows = vertex_count / (columns + 1) - 1;
    WeftGridDef def = weft_default_grid_def();
    def.width = size;
    def.height = size * ratio;
    def.columns = columns;
    def.rows = rows > 1 ? rows : 1;
    def.kind = *kind = (WeftGridKind)pick(chance, 5);
    return weft_make_grid(&def, NULL, mesh, error);
}

// Around the origin: makers begin at a corner.
static void centre_mesh(WeftMesh* mesh) {
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < mesh->vertex_count; i++)
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], mesh->positions[3 * i + k]);
            high[k] = fmax(high[k], mesh->positions[3 * i + k]);
        }
    for (int i = 0; i < mesh->vertex_count; i++)
        for (int k = 0; k < 3; k++) mesh->positions[3 * i + k] -= 0.5 * (low[k] + high[k]);
}

WeftResult make_stress_shape(ShapeKind kind, double size, int vertex_count, Chance* chance,
                             WeftMesh* mesh, WeftGridKind* grid_kind, WeftError* error) {
    double edge = size / sqrt(0.8 * vertex_count);
    WeftResult result = WEFT_OK;
    WeftRegularDef regular = {size, size, edge};
    WeftRopeDef rope = {size, vertex_count > 2 ? vertex_count / 2 : 1};
    *mesh = (WeftMesh){0};
    switch (kind) {
        case SHAPE_GRID:
            result = make_any_grid(size, vertex_count, chance, mesh, grid_kind, error);
            break;
        case SHAPE_REGULAR:
            result = weft_make_regular(&regular, NULL, mesh, error);
            break;
        case SHAPE_RECTANGLE:
            result = weft_make_rectangle(size, 0.7 * size, edge, NULL, mesh, error);
            break;
        case SHAPE_DISC:
            result = weft_make_disc(0.5 * size, edge, NULL, mesh, error);
            break;
        case SHAPE_OUTLINE:
            result = make_curved(size, edge, chance, mesh, error);
            break;
        case SHAPE_ROPE:
            result = weft_make_rope(&rope, NULL, mesh, error);
            break;
        case SHAPE_TUBE:
            make_tube(size, vertex_count, chance, mesh);
            break;
        case SHAPE_BALL:
            make_ball(size, vertex_count, chance, mesh);
            break;
        default:
            make_soup(size, vertex_count, chance, mesh);
    }
    if (!result && kind != SHAPE_SOUP) centre_mesh(mesh);
    return result;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Rectangles in rows: grids of quads cut in two, with springs or threads of their own where wanted,
// and rows of equilateral triangles.

#include <math.h>

#include "base/error.h"
#include "mesh/mesh.h"

WeftGridDef weft_default_grid_def(void) {
    return (WeftGridDef){
        .width = 1, .height = 1, .columns = 32, .rows = 32, .kind = WEFT_GRID_ALTERNATING};
}

WeftRegularDef weft_default_regular_def(void) {
    return (WeftRegularDef){.width = 1, .height = 1, .edge = 0.03};
}

static bool positive(double x) { return x > 0 && isfinite(x); }

static void add_triangle(WeftMesh* mesh, int* count, int a, int b, int c) {
    int* corner = mesh->triangles + 3 * (long)(*count)++;
    corner[0] = a;
    corner[1] = b;
    corner[2] = c;
}

// ---------------------------------------------------------------------------------------------
// Grids

//   c o---o d      v
//     |   |        ^        even quads and ONE_WAY: diagonal a d
//   a o---o b      +-> u    odd quads: diagonal b c
static void fill_quads(const WeftGridDef* def, WeftMesh* mesh) {
    int count = 0, across = def->columns + 1;
    for (int j = 0; j < def->rows; j++) {
        for (int i = 0; i < def->columns; i++) {
            int a = j * across + i, b = a + 1, c = a + across, d = c + 1;
            bool even = (i + j) % 2 == 0 || def->kind == WEFT_GRID_ONE_WAY;
            add_triangle(mesh, &count, a, b, even ? d : c);
            add_triangle(mesh, &count, even ? a : b, d, c);
        }
    }
}

static void add_spring(WeftMesh* mesh, int* count, int a, int b, WeftSpringKind kind) {
    mesh->springs[(*count)++] = (WeftSpring){a, b, kind};
}

// The springs over `reach` cells that start at each vertex: right, up, and the two diagonals of the
// square up right.
static void add_springs(const WeftGridDef* def, WeftMesh* mesh, int* count, int reach,
                        WeftSpringKind straight, WeftSpringKind diagonal) {
    int across = def->columns + 1, step = reach * across;
    for (int j = 0; j <= def->rows; j++) {
        for (int i = 0; i <= def->columns; i++) {
            int a = j * across + i;
            bool right = i + reach <= def->columns, up = j + reach <= def->rows;
            if (right) add_spring(mesh, count, a, a + reach, straight);
            if (up) add_spring(mesh, count, a, a + step, straight);
            if (right && up) {
                add_spring(mesh, count, a, a + step + reach, diagonal);
                add_spring(mesh, count, a + reach, a + step, diagonal);
            }
        }
    }
}

static void fill_springs(const WeftGridDef* def, WeftMesh* mesh) {
    int count = 0;
    add_springs(def, mesh, &count, 1, WEFT_SPRING_STRETCH, WEFT_SPRING_SHEAR);
    if (def->kind == WEFT_GRID_CROSSED_TWICE)
        add_springs(def, mesh, &count, 2, WEFT_SPRING_BEND, WEFT_SPRING_BEND);
}

// springs over `reach` cells: right, up, and two diagonals
static int count_springs(const WeftGridDef* def, int reach) {
    int right = def->columns + 1 - reach, up = def->rows + 1 - reach;
    if (right < 0) right = 0;
    if (up < 0) up = 0;
    return right * (def->rows + 1) + up * (def->columns + 1) + 2 * right * up;
}

static int grid_spring_count(const WeftGridDef* def) {
    bool twice = def->kind == WEFT_GRID_CROSSED_TWICE;
    if (def->kind != WEFT_GRID_CROSSED && !twice) return 0;
    return count_springs(def, 1) + (twice ? count_springs(def, 2) : 0);
}

// Threads along the rows, then along the columns. Each stands for the cloth half way to its
// neighbours; at the two sides for as much, as the springs of a crossed grid do.
static void fill_threads(const WeftGridDef* def, WeftMesh* mesh) {
    int across = def->columns + 1, along = def->rows + 1, *vertex = mesh->thread_vertices;
    for (int j = 0; j < along; j++) {
        mesh->threads[j] = (WeftThread){.kind = WEFT_THREAD_WARP,
                                        .first = j * across,
                                        .count = across,
                                        .width = def->height / def->rows};
        for (int i = 0; i < across; i++) *vertex++ = j * across + i;
    }
    for (int i = 0; i < across; i++) {
        mesh->threads[along + i] = (WeftThread){.kind = WEFT_THREAD_WEFT,
                                                .first = across * along + i * along,
                                                .count = along,
                                                .width = def->width / def->columns};
        for (int j = 0; j < along; j++) *vertex++ = j * across + i;
    }
}

static WeftResult check_grid(const WeftGridDef* def, WeftError* error) {
    if (!positive(def->width) || !positive(def->height))
        return wf_fail(error, WEFT_ERROR_INPUT, "a grid of %g x %g m has no area", def->width,
                       def->height);
    if (def->columns < 1 || def->rows < 1)
        return wf_fail(error, WEFT_ERROR_INPUT, "a grid of %d x %d cells has no triangle",
                       def->columns, def->rows);
    if ((def->columns + 1.0) * (def->rows + 1.0) > WF_MAX_MESH_VERTICES)
        return wf_fail(error, WEFT_ERROR_INPUT, "a grid of %d x %d cells has more than %d vertices",
                       def->columns, def->rows, WF_MAX_MESH_VERTICES);
    return WEFT_OK;
}

WeftResult weft_make_grid(const WeftGridDef* def, const WeftAllocator* allocator, WeftMesh* mesh,
                          WeftError* error) {
    *mesh = (WeftMesh){0};
    WeftResult result = check_grid(def, error);
    if (result) return result;
    int columns = def->columns, rows = def->rows, vertices = (columns + 1) * (rows + 1);
    bool woven = def->kind == WEFT_GRID_WOVEN;
    result = wf_mesh_create(mesh, allocator, vertices, 2 * columns * rows, grid_spring_count(def),
                            error);
    if (!result && woven)
        result = wf_mesh_add_threads(mesh, columns + rows + 2, 2 * vertices, error);
    if (result) return result;
    for (int j = 0; j <= rows; j++)
        for (int i = 0; i <= columns; i++)
            wf_mesh_place(mesh, j * (columns + 1) + i, def->width * i / columns,
                          def->height * j / rows);
    fill_quads(def, mesh);
    if (mesh->springs) fill_springs(def, mesh);
    if (woven) fill_threads(def, mesh);
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// Rows of equilateral triangles
//
//   a o-----o-----o      even rows have columns + 1 vertices,
//    / \   / \   / \     odd rows one more, half an edge apart at the two ends
//   o---o-----o-----o
//    \ / \   / \   /
//   b o---o-...

static int row_start(int columns, int row) {
    return row / 2 * (2 * columns + 3) + (row % 2) * (columns + 1);
}

static void place_row(const WeftRegularDef* def, WeftMesh* mesh, int columns, int rows, int row) {
    int odd = row % 2, last = columns + odd, start = row_start(columns, row);
    double v = def->height * row / rows;
    for (int i = 0; i <= last; i++) {
        double u = def->width * (i - 0.5 * odd) / columns;
        if (i == 0) u = 0;
        if (i == last) u = def->width;
        wf_mesh_place(mesh, start + i, u, v);
    }
}

// The strip above a row: a triangle stands on every segment below and hangs from every one above.
static void fill_strip(WeftMesh* mesh, int* count, int columns, int row) {
    int odd = row % 2, below = columns + odd, above = columns + 1 - odd;
    int a = row_start(columns, row), b = row_start(columns, row + 1);
    for (int i = 0; i < below || i < above; i++) {
        if (odd) {
            add_triangle(mesh, count, a + i, a + i + 1, b + i);
            if (i < above) add_triangle(mesh, count, a + i + 1, b + i + 1, b + i);
        } else {
            add_triangle(mesh, count, a + i, b + i + 1, b + i);
            if (i < below) add_triangle(mesh, count, a + i, a + i + 1, b + i + 1);
        }
    }
}

WeftResult weft_make_regular(const WeftRegularDef* def, const WeftAllocator* allocator,
                             WeftMesh* mesh, WeftError* error) {
    *mesh = (WeftMesh){0};
    if (!positive(def->width) || !positive(def->height))
        return wf_fail(error, WEFT_ERROR_INPUT, "a rectangle of %g x %g m has no area", def->width,
                       def->height);
    if (!positive(def->edge))
        return wf_fail(error, WEFT_ERROR_INPUT, "an edge of %g m is not a length", def->edge);
    double across = fmax(1, floor(def->width / def->edge + 0.5));
    double up = fmax(1, floor(def->height / (def->edge * sqrt(0.75)) + 0.5));
    if (!((across + 2) * (up + 1) <= WF_MAX_MESH_VERTICES))
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "edges of %g m in a rectangle of %g x %g m make more than %d vertices",
                       def->edge, def->width, def->height, WF_MAX_MESH_VERTICES);
    int columns = (int)across, rows = (int)up, count = 0;
    WeftResult result = wf_mesh_create(mesh, allocator, row_start(columns, rows + 1),
                                       rows * (2 * columns + 1), 0, error);
    if (result) return result;
    for (int j = 0; j <= rows; j++) place_row(def, mesh, columns, rows, j);
    for (int j = 0; j < rows; j++) fill_strip(mesh, &count, columns, j);
    return WEFT_OK;
}

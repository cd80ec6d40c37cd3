// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Every material point of the new mesh is looked up in the triangles of its panel in the old one:
// inside of one of them, or beside the nearest one where a curved side is cut otherwise. Triangles
// are found by cells of a grid over the panel.
//
// Points on the flat triangles would not do: where the old mesh is bent around a body, new
// triangles would take short cuts through it from one old triangle to the next. So points are
// lifted towards the tangent planes of the corners (Phong tessellation, Boubekeur and Alexa 2008),
// and layers that lie on each other are lifted alike.

#include "garment/refine.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "mesh/normals.h"

enum { MOST_CELLS = 1 << 20 };
#define LIFT 0.75    // of the way to the tangent planes
#define BESIDE 0.75  // of a cell: how far beyond a triangle its cells reach

typedef struct Grid {
    double low[2], cell;
    int size[2];
    int* start;      // per cell, and one more
    int* triangles;  // of the old mesh
} Grid;

static const double* flat_corner(const WeftGarment* g, int triangle, int k) {
    return g->material_flat + 2 * (long)g->mesh.triangle_material[3 * (long)triangle + k];
}

// The bounds of a panel, and the mean edge of its triangles.
static void measure_panel(const WeftGarment* g, int panel, double low[2], double high[2],
                          double* edge) {
    double sum = 0;
    int count = 0;
    low[0] = low[1] = HUGE_VAL, high[0] = high[1] = -HUGE_VAL;
    for (int t = 0; t < g->mesh.triangle_count; t++) {
        if (g->panels[t] != panel) continue;
        for (int k = 0; k < 3; k++) {
            const double *a = flat_corner(g, t, k), *b = flat_corner(g, t, (k + 1) % 3);
            sum += wf_flat_length(a[0] - b[0], a[1] - b[1]), count++;
            for (int i = 0; i < 2; i++) {
                low[i] = fmin(low[i], a[i]);
                high[i] = fmax(high[i], a[i]);
            }
        }
    }
    *edge = count > 0 ? sum / count : 1;
}

static int clamp_cell(const Grid* grid, int axis, double x) {
    double at = floor((x - grid->low[axis]) / grid->cell);
    return at < 0 ? 0 : at > grid->size[axis] - 1 ? grid->size[axis] - 1 : (int)at;
}

// The cells of a triangle and what is beside it: first and last, along both axes.
static void triangle_cells(const WeftGarment* g, const Grid* grid, int t, int cells[4]) {
    for (int i = 0; i < 2; i++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int k = 0; k < 3; k++) {
            low = fmin(low, flat_corner(g, t, k)[i]);
            high = fmax(high, flat_corner(g, t, k)[i]);
        }
        cells[2 * i] = clamp_cell(grid, i, low - BESIDE * grid->cell);
        cells[2 * i + 1] = clamp_cell(grid, i, high + BESIDE * grid->cell);
    }
}

static void lay_cells(const double high[2], Grid* grid) {
    double cells = HUGE_VAL;
    while (cells > MOST_CELLS) {
        for (int i = 0; i < 2; i++)
            grid->size[i] = 1 + (int)fmin((high[i] - grid->low[i]) / grid->cell, MOST_CELLS);
        cells = (double)grid->size[0] * grid->size[1];
        if (cells > MOST_CELLS) grid->cell *= 2;
    }
}

// Counts the triangles of each cell, or where there is room lists them.
static void visit_cells(const WeftGarment* g, int panel, Grid* grid, int* fill) {
    for (int t = 0; t < g->mesh.triangle_count; t++) {
        if (g->panels[t] != panel) continue;
        int cells[4];
        triangle_cells(g, grid, t, cells);
        for (int y = cells[2]; y <= cells[3]; y++) {
            for (int x = cells[0]; x <= cells[1]; x++) {
                int cell = y * grid->size[0] + x;
                if (fill)
                    grid->triangles[fill[cell]++] = t;
                else
                    grid->start[cell + 1]++;
            }
        }
    }
}

static WeftResult create_grid(const WeftGarment* g, int panel, Grid* grid) {
    double high[2];
    *grid = (Grid){0};
    measure_panel(g, panel, grid->low, high, &grid->cell);
    lay_cells(high, grid);
    int cells = grid->size[0] * grid->size[1];
    grid->start = wf_alloc(&g->allocator, (size_t)cells + 1, sizeof(int));
    int* fill = wf_alloc(&g->allocator, (size_t)cells, sizeof(int));
    WeftResult result = grid->start && fill ? WEFT_OK : WEFT_ERROR_MEMORY;
    if (!result) {
        visit_cells(g, panel, grid, NULL);
        for (int i = 0; i < cells; i++) grid->start[i + 1] += grid->start[i];
        memcpy(fill, grid->start, (size_t)cells * sizeof(int));
        grid->triangles = wf_alloc(&g->allocator, (size_t)grid->start[cells], sizeof(int));
        if (grid->triangles)
            visit_cells(g, panel, grid, fill);
        else
            result = WEFT_ERROR_MEMORY;
    }
    wf_free(&g->allocator, fill);
    return result;
}

static void destroy_grid(const WeftGarment* g, Grid* grid) {
    wf_free(&g->allocator, grid->start);
    wf_free(&g->allocator, grid->triangles);
}

// Barycentric coordinates; returns the smallest: 0 or more inside.
static double find_weights(const WeftGarment* g, int t, const double p[2], double w[3]) {
    const double *a = flat_corner(g, t, 0), *b = flat_corner(g, t, 1), *c = flat_corner(g, t, 2);
    double area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    w[1] = ((p[0] - a[0]) * (c[1] - a[1]) - (p[1] - a[1]) * (c[0] - a[0])) / area;
    w[2] = ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])) / area;
    w[0] = 1 - w[1] - w[2];
    return fmin(w[0], fmin(w[1], w[2]));
}

// The triangle that a point is in, or least outside of; -1 where its cell has none.
static int find_triangle(const WeftGarment* g, const Grid* grid, const double p[2], double w[3]) {
    int cell = clamp_cell(grid, 1, p[1]) * grid->size[0] + clamp_cell(grid, 0, p[0]), best = -1;
    double least = -HUGE_VAL;
    for (int i = grid->start[cell]; i < grid->start[cell + 1]; i++) {
        double weights[3], inside = find_weights(g, grid->triangles[i], p, weights);
        if (!(inside > least)) continue;
        least = inside;
        best = grid->triangles[i];
        memcpy(w, weights, sizeof weights);
    }
    return best;
}

// The old mesh in space.
typedef struct Shape {
    const double* positions;
    double* normals;
} Shape;

static WfVec blend_corners(const WeftGarment* g, const Shape* shape, int t, const double* w) {
    const int* v = g->mesh.triangles + 3 * (long)t;
    WfVec flat = {0, 0, 0}, lift = {0, 0, 0};
    for (int k = 0; k < 3; k++) flat = wf_madd(flat, w[k], wf_load(shape->positions, v[k]));
    for (int k = 0; k < 3; k++) {
        WfVec n = wf_load(shape->normals, v[k]);
        WfVec below = wf_along(n, wf_sub(wf_load(shape->positions, v[k]), flat));
        lift = wf_madd(lift, w[k], below);
    }
    return wf_madd(flat, LIFT, lift);
}

// Add what the material points of a panel say to their vertices; `corner` has a vertex of each.
static WeftResult refine_panel(const WeftGarment* from, const Shape* shape, WeftGarment* to,
                               int panel, const int* corner, int* shares) {
    Grid grid;
    WeftResult result = create_grid(from, panel, &grid);
    for (int i = 0; i < to->mesh.material_count && !result; i++) {
        double w[3] = {0};
        if (to->material_panel[i] != panel || corner[i] < 0) continue;
        int t = find_triangle(from, &grid, to->material_flat + 2 * (long)i, w);
        if (t < 0) continue;
        wf_accumulate(to->mesh.positions, corner[i], 1, blend_corners(from, shape, t, w));
        shares[corner[i]]++;
    }
    destroy_grid(from, &grid);
    return result;
}

WeftResult wf_refine_garment(const WeftGarment* from, const double* positions, WeftGarment* to) {
    size_t n = (size_t)to->mesh.vertex_count, points = (size_t)to->mesh.material_count;
    int* corner = wf_alloc(&to->allocator, points, sizeof *corner);
    int* shares = wf_alloc(&to->allocator, n, sizeof *shares);
    Shape shape = {positions,
                   wf_alloc(&to->allocator, 3 * (size_t)from->mesh.vertex_count, sizeof(double))};
    WeftResult result = corner && shares && shape.normals ? WEFT_OK : WEFT_ERROR_MEMORY;
    if (!result) {
        wf_find_normals(from->mesh.vertex_count, positions, from->mesh.triangle_count,
                        from->mesh.triangles, shape.normals);
        for (size_t i = 0; i < points; i++) corner[i] = -1;
        for (long c = 0; c < 3L * to->mesh.triangle_count; c++)
            corner[to->mesh.triangle_material[c]] = to->mesh.triangles[c];
        memset(to->mesh.positions, 0, 3 * n * sizeof(double));
    }
    for (int p = 0; p < to->panel_count && !result; p++)
        result = refine_panel(from, &shape, to, p, corner, shares);
    for (size_t v = 0; v < n && !result; v++)
        if (shares[v] > 0)
            wf_store(to->mesh.positions, (int)v,
                     wf_mul(1.0 / shares[v], wf_load(to->mesh.positions, (int)v)));
    wf_free(&to->allocator, corner);
    wf_free(&to->allocator, shares);
    wf_free(&to->allocator, shape.normals);
    return result;
}

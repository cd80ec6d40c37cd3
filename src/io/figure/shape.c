// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Unit and upright axis of a body from a file, and its mesh made whole: files for renderers have a
// vertex several times where normals or textures differ.

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/figure/figure_parts.h"

// ---------------------------------------------------------------------------------------------
// Unit and axis

static const double SMALLEST = 0.3, LARGEST = 3;  // metres, of a body from hand to hand or upright

// What makes the body as large as bodies are; what the file says, where it does and that is near
// enough to be true of anything.
static double choose_scale(const WfFileSays* says, double size) {
    static const double units[] = {1, 0.01, 0.001, 0.0254, 0.1, 100, 1000};
    double told = says->unit_known ? says->unit : 1;
    if (says->unit_known && size * told > 0.1 * SMALLEST && size * told < 10 * LARGEST) return told;
    if (size * told > SMALLEST && size * told < LARGEST) return told;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (size * units[i] > SMALLEST && size * units[i] < LARGEST) return units[i];
    return told;
}

static WeftResult tell_turn(WfFigureReader* r, double scale, double size, bool guessed_scale,
                            bool z_up, bool guessed_up) {
    WeftResult result = WEFT_OK;
    if (guessed_scale && scale != 1)
        result = wf_figure_tell(r, "%s is %.4g units large: scaled by %g to %.3g m", r->path, size,
                                scale, size * scale);
    if (!result && guessed_up && z_up)
        result = wf_figure_tell(r, "%s is longer along z than along y: taken as z up", r->path);
    return result;
}

WeftResult wf_choose_turn(WfFigureReader* r, const WfFileSays* says, const double* positions,
                          int vertex_count) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, size[3], largest = 0;
    double high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (long i = 0; i < 3L * vertex_count; i++) {
        if (!isfinite(positions[i]))
            return wf_fail(r->error, WEFT_ERROR_INPUT, "%s: vertex %ld is not a number", r->path,
                           i / 3);
        low[i % 3] = fmin(low[i % 3], positions[i]);
        high[i % 3] = fmax(high[i % 3], positions[i]);
    }
    for (int k = 0; k < 3; k++) size[k] = high[k] - low[k], largest = fmax(largest, size[k]);
    bool guess_up = !r->def->up && !says->up_known, guess_scale = !(r->def->scale > 0);
    bool z_up = r->def->up       ? r->def->up == 'z'
                : says->up_known ? says->z_up
                                 : size[2] > 1.3 * size[1];
    double scale = guess_scale ? choose_scale(says, largest) : r->def->scale;
    r->turn = wf_affine_identity();
    if (z_up) r->turn.column[1] = (WfVec){0, 0, -1}, r->turn.column[2] = (WfVec){0, 1, 0};
    for (int k = 0; k < 3; k++) r->turn.column[k] = wf_mul(scale, r->turn.column[k]);
    bool by_file = says->unit_known && scale == says->unit;
    return tell_turn(r, scale, largest, guess_scale && !by_file, z_up, guess_up);
}

void wf_turn_positions(const WfAffine* turn, double* positions, size_t count) {
    for (size_t i = 0; i < count; i++) {
        WfVec x = {positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]};
        x = wf_affine_apply(turn, x);
        positions[3 * i] = x.x, positions[3 * i + 1] = x.y, positions[3 * i + 2] = x.z;
    }
}

// ---------------------------------------------------------------------------------------------
// Joining

typedef struct Corner {
    double x[3], weights[4];
    int bones[4];
    int vertex;
} Corner;

static int compare_numbers(const double* a, const double* b, int count) {
    for (int k = 0; k < count; k++)
        if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
    return 0;
}

static int compare_what(const Corner* a, const Corner* b) {
    int order = compare_numbers(a->x, b->x, 3);
    if (!order) order = compare_numbers(a->weights, b->weights, 4);
    for (int k = 0; k < 4 && !order; k++)
        order = (a->bones[k] > b->bones[k]) - (a->bones[k] < b->bones[k]);
    return order;
}

static int compare_corners(const void* left, const void* right) {
    const Corner *a = left, *b = right;
    int order = compare_what(a, b);
    return order ? order : (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

static void fill_corner(const WeftFigure* figure, int v, Corner* corner) {
    *corner = (Corner){.vertex = v};
    memcpy(corner->x, figure->positions + 3 * (long)v, sizeof corner->x);
    if (!figure->skin_bones) return;
    memcpy(corner->bones, figure->skin_bones + 4 * (long)v, sizeof corner->bones);
    memcpy(corner->weights, figure->skin_weights + 4 * (long)v, sizeof corner->weights);
}

// roots[v]: the lowest vertex that is the same
static bool find_roots(const WfFigureReader* r, int* roots) {
    const WeftFigure* figure = r->figure;
    size_t count = (size_t)figure->vertex_count;
    Corner* corners = wf_alloc(&r->allocator, count, sizeof *corners);
    if (!corners) return false;
    for (int v = 0; v < figure->vertex_count; v++) fill_corner(figure, v, &corners[v]);
    qsort(corners, count, sizeof *corners, compare_corners);
    for (int i = 0, first = 0; i < figure->vertex_count; i++) {
        if (compare_what(&corners[first], &corners[i]) != 0) first = i;
        roots[corners[i].vertex] = corners[first].vertex;
    }
    wf_free(&r->allocator, corners);
    return true;
}

static bool has_area(const WeftFigure* figure, const int* v) {
    if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) return false;
    WfVec a = wf_load(figure->positions, v[0]);
    WfVec e = wf_sub(wf_load(figure->positions, v[1]), a);
    WfVec f = wf_sub(wf_load(figure->positions, v[2]), a);
    double longest = fmax(wf_dot(e, e), wf_dot(f, f));
    return wf_length(wf_cross(e, f)) > 1e-12 * longest;
}

static void drop_flat(WeftFigure* figure, const int* roots) {
    int kept = 0;
    for (int t = 0; t < figure->triangle_count; t++) {
        int v[3];
        for (int k = 0; k < 3; k++) v[k] = roots[figure->triangles[3 * (long)t + k]];
        if (has_area(figure, v)) memcpy(figure->triangles + 3 * (long)kept++, v, sizeof v);
    }
    figure->triangle_count = kept;
}

// What no triangle uses goes; the others keep their order.
static void drop_unused(WeftFigure* figure, int* numbers) {
    int kept = 0;
    for (int v = 0; v < figure->vertex_count; v++) numbers[v] = -1;
    for (long i = 0; i < 3L * figure->triangle_count; i++) numbers[figure->triangles[i]] = 0;
    for (int v = 0; v < figure->vertex_count; v++) {
        if (numbers[v] < 0) continue;
        size_t from = (size_t)v, to = (size_t)kept;
        memmove(figure->positions + 3 * to, figure->positions + 3 * from, 3 * sizeof(double));
        if (figure->skin_bones) {
            memmove(figure->skin_bones + 4 * to, figure->skin_bones + 4 * from, 4 * sizeof(int));
            memmove(figure->skin_weights + 4 * to, figure->skin_weights + 4 * from,
                    4 * sizeof(double));
        }
        numbers[v] = kept++;
    }
    figure->vertex_count = kept;
    for (long i = 0; i < 3L * figure->triangle_count; i++)
        figure->triangles[i] = numbers[figure->triangles[i]];
}

WeftResult wf_tidy_figure(WfFigureReader* r) {
    WeftFigure* figure = r->figure;
    int* roots = wf_alloc(&r->allocator, (size_t)figure->vertex_count, sizeof *roots);
    bool good = roots != NULL;
    for (int v = 0; good && v < figure->vertex_count; v++) roots[v] = v;
    if (good && !r->keep_vertices) good = find_roots(r, roots);
    if (good) drop_flat(figure, roots);
    if (good && !r->keep_vertices) drop_unused(figure, roots);
    wf_free(&r->allocator, roots);
    if (!good) return wf_fail_memory(r->error);
    if (figure->triangle_count == 0)
        return wf_fail(r->error, WEFT_ERROR_INPUT, "%s: no triangles with an area are in it",
                       r->path);
    return WEFT_OK;
}

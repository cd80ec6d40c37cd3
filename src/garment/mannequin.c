// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The mannequin: measures are completed and checked, the shape is built from them, meshed, and
// given bones, a skin and clips.

#include <math.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/memory.h"
#include "garment/mannequin_mesh.h"
#include "garment/mannequin_motion.h"
#include "garment/mannequin_shape.h"

// What is possible. Girths are over the height.
typedef struct Limit {
    const char* name;
    double least, most;
} Limit;

static const Limit height_limits[3] = {{"height of a woman", 1.40, 2.00},
                                       {"height of a man", 1.45, 2.15},
                                       {"height of a child", 0.85, 1.65}};
static const Limit girth_limits[3] = {
    {"chest", 0.44, 0.72}, {"waist", 0.34, 0.68}, {"hips", 0.46, 0.72}};

// Cells of the net over edges of the triangles that replace it.
#define CELL 0.62
#define FINEST 0.0062  // of the height: a third of a hand

WeftMannequinDef weft_default_mannequin_def(WeftMannequinKind kind) {
    return (WeftMannequinDef){.kind = kind, .edge = 0.019};
}

// What is 0 becomes as large as it is usual beside the others: girths go with the girths that are
// given, or else with the height; the height of children with their girths.
static WeftMannequinDef complete(const WeftMannequinDef* def) {
    WeftMannequinDef usual = wf_mannequin_measures(def->kind), full = *def;
    double ratios[3] = {def->chest / usual.chest, def->waist / usual.waist, def->hips / usual.hips};
    double sum = 0;
    int given = 0;
    for (int i = 0; i < 3; i++) {
        sum += ratios[i];
        given += ratios[i] != 0;
    }
    double girth = given ? sum / given : 1;
    if (full.height == 0)
        full.height = usual.height * (def->kind == WEFT_MANNEQUIN_CHILD ? girth : 1);
    if (!given) girth = full.height / usual.height;
    if (full.chest == 0) full.chest = girth * usual.chest;
    if (full.waist == 0) full.waist = girth * usual.waist;
    if (full.hips == 0) full.hips = girth * usual.hips;
    if (full.edge == 0) full.edge = usual.edge;
    return full;
}

static WeftResult check_limit(const Limit* limit, double value, double unit, WeftError* error) {
    if (value >= limit->least * unit && value <= limit->most * unit) return WEFT_OK;
    return wf_fail(error, WEFT_ERROR_INPUT,
                   "mannequin: %s is %.3g m, not between %.2f and %.2f m%s", limit->name, value,
                   limit->least * unit, limit->most * unit, unit == 1 ? "" : " at this height");
}

// `given` is what `def` was completed from: the culprit is sought there first.
static WeftResult check_measures(const WeftMannequinDef* given, const WeftMannequinDef* def,
                                 WeftError* error) {
    const double girths[3] = {def->chest, def->waist, def->hips};
    const double asked[3] = {given->chest, given->waist, given->hips};
    WeftResult result = check_limit(&height_limits[def->kind], def->height, 1, error);
    for (int i = 0; i < 3 && !result; i++)
        if (asked[i] != 0) result = check_limit(&girth_limits[i], asked[i], def->height, error);
    for (int i = 0; i < 3 && !result; i++)
        result = check_limit(&girth_limits[i], girths[i], def->height, error);
    if (result) return result;
    if (def->waist > 1.05 * def->hips)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "mannequin: waist of %.3g m is too large for hips of %.3g m", def->waist,
                       def->hips);
    if (def->waist > 1.05 * def->chest)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "mannequin: waist of %.3g m is too large for a chest of %.3g m", def->waist,
                       def->chest);
    const Limit edge = {"edge", 0.006, 0.04};
    return check_limit(&edge, def->edge, 1, error);
}

static WeftResult check_kind(const WeftMannequinDef* def, WeftError* error) {
    if (def->kind >= WEFT_MANNEQUIN_FEMALE && def->kind <= WEFT_MANNEQUIN_CHILD) return WEFT_OK;
    return wf_fail(error, WEFT_ERROR_INPUT, "mannequin: kind %d is not known", (int)def->kind);
}

WeftResult weft_check_mannequin(const WeftMannequinDef* def, WeftError* error) {
    WeftResult result = check_kind(def, error);
    if (result) return result;
    WeftMannequinDef full = complete(def);
    return check_measures(def, &full, error);
}

// Number the vertices of a half for the whole, and store them with their images.
static void mirror_vertices(const WfSkinMesh* half, int middle, int* numbers, double* positions) {
    for (int v = 0, on_plane = 0, beside = middle; v < half->vertex_count; v++) {
        WfVec p = wf_load(half->positions, v);
        numbers[v] = p.x == 0 ? on_plane++ : beside;
        wf_store(positions, numbers[v], p);
        if (p.x == 0) continue;
        wf_store(positions, beside + 1, (WfVec){-p.x, p.y, p.z});
        beside += 2;
    }
}

static void mirror_triangles(const WfSkinMesh* half, int middle, const int* numbers,
                             int* triangles) {
    static const int turned[3] = {0, 2, 1};
    for (int t = 0; t < half->triangle_count; t++) {
        int *to = triangles + 6 * (long)t, *image = to + 3;
        for (int i = 0; i < 3; i++) {
            int v = numbers[half->triangles[3 * (long)t + i]];
            to[i] = v;
            image[turned[i]] = v < middle ? v : v + 1;
        }
    }
}

// A half and its mirror image: first the vertices on the plane, then those with x > 0, each with
// its image after it; every triangle with its image after it, which begins at the image of its
// first corner. So sums around a vertex and around its image go in the same order, and around a
// vertex on the plane what is to the left and to the right cancels pair by pair: normals, and all
// that follows from such sums, are mirrored to the bit.
static WeftResult mirror(const WfSkinMesh* half, const WeftAllocator* allocator, WfSkinMesh* whole,
                         WeftError* error) {
    int middle = 0, count = half->vertex_count;
    for (int v = 0; v < count; v++) middle += half->positions[3 * (long)v] == 0;
    whole->vertex_count = 2 * count - middle;
    whole->triangle_count = 2 * half->triangle_count;
    size_t vertices = (size_t)whole->vertex_count, triangles = (size_t)whole->triangle_count;
    int* numbers = wf_alloc(allocator, (size_t)count, sizeof *numbers);
    whole->positions = wf_alloc(allocator, 3 * vertices, sizeof *whole->positions);
    whole->triangles = wf_alloc(allocator, 3 * triangles, sizeof *whole->triangles);
    bool good = numbers && whole->positions && whole->triangles;
    if (good) {
        mirror_vertices(half, middle, numbers, whole->positions);
        mirror_triangles(half, middle, numbers, whole->triangles);
    }
    wf_free(allocator, numbers);
    return good ? WEFT_OK : wf_fail_memory(error);
}

// Whether a half is in one piece, without holes but for its one border: V - E + F = 1. Its border
// has as many edges as vertices, all of them at x = 0.
static bool is_disc(const WfSkinMesh* half) {
    int border = 0;
    for (int v = 0; v < half->vertex_count; v++) border += half->positions[3 * (long)v] == 0;
    return 2 * half->vertex_count - half->triangle_count - border == 2;
}

// The net of the left half. Where cells are too coarse for what is between thumb and hand, or for
// the armpit, they are made finer.
static WeftResult make_net(const WfMannequinShape* shape, double cell,
                           const WeftAllocator* allocator, WfSkinMesh* half, WeftError* error) {
    enum { TRIES = 4 };
    for (int i = 0; i < TRIES; i++, cell *= 0.8) {
        WeftResult result = wf_mannequin_net(shape, cell, allocator, half, error);
        if (result || is_disc(half)) return result;
        wf_free(allocator, half->positions);
        wf_free(allocator, half->triangles);
        *half = (WfSkinMesh){0};
    }
    return wf_fail(error, WEFT_ERROR_INPUT, "mannequin: parts of such a body grow into each other");
}

static WeftResult make_mesh(const WfMannequinShape* shape, double edge, WeftFigure* figure,
                            WeftError* error) {
    const WeftAllocator* allocator = &figure->allocator;
    WfSkinMesh half = {0}, whole = {0};
    double cell = fmin(CELL * edge, FINEST * shape->height);
    WeftResult result = make_net(shape, cell, allocator, &half, error);
    if (result) goto done;
    result = wf_mannequin_even(shape, edge, allocator, &half, error);
    if (result) goto done;
    result = mirror(&half, allocator, &whole, error);
    figure->positions = whole.positions;
    figure->triangles = whole.triangles;
    figure->vertex_count = whole.vertex_count;
    figure->triangle_count = whole.triangle_count;
done:
    wf_free(allocator, half.positions);
    wf_free(allocator, half.triangles);
    return result;
}

// The soles touch the floor.
static void stand_on_floor(WeftFigure* figure) {
    double low = figure->positions[1];
    for (int v = 1; v < figure->vertex_count; v++)
        low = fmin(low, figure->positions[3 * (long)v + 1]);
    for (int v = 0; v < figure->vertex_count; v++) figure->positions[3 * (long)v + 1] -= low;
}

static const double GAP = 0.012;  // m: room for some layers of cloth

WeftResult weft_make_mannequin(const WeftMannequinDef* def, const WeftAllocator* user,
                               WeftFigure* figure, WeftError* error) {
    WfMannequinShape shape;
    *figure = (WeftFigure){.gap = GAP, .allocator = wf_allocator(user)};
    WeftResult result = weft_check_mannequin(def, error);
    if (result) return result;
    WeftMannequinDef full = complete(def);
    wf_mannequin_shape(&full, &shape);
    result = make_mesh(&shape, full.edge, figure, error);
    if (result) goto done;
    stand_on_floor(figure);
    result = wf_mannequin_skin(&shape, figure, error);
    if (result) goto done;
    result = wf_mannequin_clips(&shape, figure, error);
done:
    if (result) weft_destroy_figure(figure);
    return result;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A shown vertex p is bound to the nearest coarse triangle, by weights w and a height h with
//
//     p = sum of w[k] (x[k] + h n[k])        a prism over the triangle, along the normals n of its
//                                            corners: prisms of neighbours share their sides
//
// which is cubic in the two weights and the height; Newton's method takes a few steps from the
// nearest point. Where it fails, normals lean so far that prisms turn over: then the nearest point
// is kept, with the height that is best there.
//
// Distances alone would bind a vertex to the wrong layer of cloth where layers are nearer to each
// other than a coarse triangle is to the curved surface that it stands for. So those that face
// wrongly count as some times as far; and layers.c tells those apart that face alike.

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "contact/near.h"
#include "contact/solid.h"
#include "detail/embed.h"
#include "detail/refine.h"
#include "detail/smooth.h"
#include "mesh/normals.h"

static const double WRONG = 4;      // times as far
static const double LEAST = 1e-3;   // of a cell: what is nearer counts as so far
static const double SAME = 1e-9;    // of a distance: differences that are rounding
static const double EXACT = 1e-11;  // m, what Newton's method may leave,
static const double BITS = 1e-14;   // and of the distance from zero
static const double THIN = 1e-6;    // of a prism's sides: its volume, where it has none
static const double SHORT = 0.1;    // of a normal, mixed: where it has no direction
static const double FAR = 2;        // distances from the nearest point that a root is within
enum { MOST_STEPS = 16, MOST_SAMPLES = 4096 };

// ---------------------------------------------------------------------------------------------
// The nearest triangle

// `away`: from the coarse point to the shown one.
static bool is_wrong(WfFacing facing, WfVec away, WfVec coarse_normal, WfVec normal) {
    if (facing == WF_FACING_BEHIND) return wf_dot(away, normal) < 0;
    double agree = wf_dot(coarse_normal, normal);
    return (facing == WF_FACING_ALONG && agree < 0) || (facing == WF_FACING_AGAINST && agree > 0);
}

void wf_try_triangle(const WfEmbedding* e, WfFacing facing, int t, WfVec p, WfVec normal,
                     WfPlace* best) {
    WfVec c[3], n = wf_bins_normal(&e->bins, t);
    double w[3];
    if (fabs(wf_bins_height(&e->bins, t, p)) > best->far) return;
    wf_bins_corners(&e->bins, t, c);
    double square = wf_near_point_triangle(p, c[0], c[1], c[2], w);
    WfVec away = wf_sub(p, wf_blend(c, w));
    double far = sqrt(square) + LEAST * e->bins.cell, front = fabs(wf_dot(away, n));
    if (is_wrong(facing, away, n, normal)) far *= WRONG;
    bool same = fabs(far - best->far) <= SAME * far, nearer = far < best->far && !same;
    // above an edge, of its two triangles the one that is more below
    if (same) nearer = front > best->facing || (front == best->facing && t < best->triangle);
    if (!nearer) return;
    *best = (WfPlace){t, far, front, {w[0], w[1], w[2]}};
}

// In cells around p, until nothing that is farther can be better.
static WfPlace find_place(const WfEmbedding* e, WfFacing facing, int vertex) {
    const WfBins* bins = &e->bins;
    WfVec p = wf_load(e->shown->positions, vertex), normal = wf_load(e->shown_normals, vertex);
    WfPlace best = {.triangle = -1, .far = HUGE_VAL, .w = {1, 0, 0}};
    for (double reach = bins->cell / 2; best.far > reach; reach *= 2) {
        int range[6], k, end;
        if (!wf_bins_range(bins, p, reach, range)) continue;
        for (int row = 0; wf_bins_row(bins, range, row, &k, &end); row++)
            for (; k < end; k++) wf_try_triangle(e, facing, bins->list[k], p, normal, &best);
    }
    return best;
}

// Closed meshes have a lining; of others, most vertices face as the coarse mesh does, or none.
static WeftResult find_facing(const WeftAllocator* allocator, WfEmbedding* e) {
    const WeftMesh* shown = e->shown;
    WfSurface surface = {0};
    bool closed = false;
    WeftResult result = wf_surface_create(allocator, shown->vertex_count, shown->triangle_count,
                                          shown->triangles, 0, NULL, &surface);
    if (!result) result = wf_find_solid(allocator, &surface, shown->positions, &closed);
    wf_surface_destroy(allocator, &surface);
    int step = 1 + shown->vertex_count / MOST_SAMPLES, along = 0, against = 0;
    for (int i = 0; i < shown->vertex_count && !closed && !result; i += step) {
        WfVec n = wf_bins_normal(&e->bins, find_place(e, WF_FACING_ANY, i).triangle);
        double agree = wf_dot(n, wf_load(e->shown_normals, i));
        along += agree > 0;
        against += agree < 0;
    }
    e->facing = closed ? WF_FACING_BEHIND : along >= against ? WF_FACING_ALONG : WF_FACING_AGAINST;
    return result;
}

// ---------------------------------------------------------------------------------------------
// Weights and heights

static WfVec prism_point(const WfVec x[3], const WfVec n[3], const double w[3], double h) {
    return wf_madd(wf_blend(x, w), h, wf_blend(n, w));
}

// One step of Newton's method towards p; false where the prism has no volume.
static bool improve(const WfVec x[3], const WfVec n[3], WfVec left, double w[3], double* h) {
    WfVec a = wf_madd(wf_sub(x[1], x[0]), *h, wf_sub(n[1], n[0]));
    WfVec b = wf_madd(wf_sub(x[2], x[0]), *h, wf_sub(n[2], n[0])), c = wf_blend(n, w);
    WfVec ab = wf_cross(a, b);
    double volume = wf_dot(ab, c);
    if (!(fabs(volume) > THIN * wf_length(a) * wf_length(b) * wf_length(c))) return false;
    w[1] += wf_dot(left, wf_cross(b, c)) / volume;
    w[2] += wf_dot(left, wf_cross(c, a)) / volume;
    *h += wf_dot(left, ab) / volume;
    w[0] = 1 - w[1] - w[2];
    return true;
}

static double best_height(WfVec away, WfVec n) {
    double square = wf_dot(n, n);
    return square > SHORT * SHORT ? wf_dot(away, n) / square : 0;
}

// From the nearest point. False where there is no root near it.
static bool invert_prism(const WfVec x[3], const WfVec n[3], WfVec p, double w[3], double* h) {
    WfVec nearest = wf_blend(x, w);
    double last = EXACT + BITS * wf_length(p), far = FAR * wf_length(wf_sub(p, nearest)) + last;
    for (int k = 0; k < MOST_STEPS; k++) {
        WfVec left = wf_sub(p, prism_point(x, n, w, *h));
        // a last step for the last bits
        bool exact = wf_length(left) < last;
        if (!improve(x, n, left, w, h)) return false;
        if (exact) return wf_length(wf_sub(wf_blend(x, w), nearest)) <= far && fabs(*h) <= far;
    }
    return false;
}

static void bind_vertex(const WfEmbedding* e, int i, const WfPlace* place, WeftRefinement* map) {
    const int* v = e->coarse->triangles + 3 * (long)place->triangle;
    WfVec p = wf_load(e->shown->positions, i), x[3], n[3];
    for (int k = 0; k < 3; k++) {
        x[k] = wf_load(e->coarse->positions, v[k]);
        n[k] = wf_load(e->normals, v[k]);
    }
    double w[3], start = best_height(wf_sub(p, wf_blend(x, place->w)), wf_blend(n, place->w));
    double h = start;
    memcpy(w, place->w, sizeof w);
    if (!invert_prism(x, n, p, w, &h)) {
        memcpy(w, place->w, sizeof w);
        h = start;
    }
    memcpy(map->corners + 3 * (long)i, v, 3 * sizeof *v);
    memcpy(map->weights + 3 * (long)i, w, sizeof w);
    map->heights[i] = h;
}

// ---------------------------------------------------------------------------------------------

static WeftResult check_mesh(const WeftMesh* mesh, const char* name, WeftError* error) {
    for (long i = 0; i < 3L * mesh->vertex_count; i++)
        if (!(fabs(mesh->positions[i]) < 1e6))
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "%s: vertex %ld is at %g; it must be within 1e6 m", name, i / 3,
                           mesh->positions[i]);
    WeftResult result = wf_check_corners(mesh, error);
    return result ? wf_fail_prefix(error, result, "%s: ", name) : WEFT_OK;
}

// Of the triangles that corners are in: the one of two, or else of the first.
static void place_triangles(const WeftMesh* shown, const int* of, WeftRefinement* map) {
    for (int t = 0; t < shown->triangle_count; t++) {
        const int* v = shown->triangles + 3 * (long)t;
        map->triangles[t] = of[v[1]] == of[v[2]] ? of[v[1]] : of[v[0]];
    }
}

static bool allocate(WfEmbedding* e, WeftRefinement* map) {
    const WeftMesh *coarse = e->coarse, *shown = e->shown;
    const WeftAllocator* allocator = &map->allocator;
    size_t n = (size_t)shown->vertex_count;
    map->vertex_count = shown->vertex_count;
    map->triangle_count = shown->triangle_count;
    map->corners = wf_alloc(allocator, 3 * n, sizeof(int));
    map->weights = wf_alloc(allocator, 3 * n, sizeof(double));
    map->heights = wf_alloc(allocator, n, sizeof(double));
    map->triangles = wf_alloc(allocator, (size_t)shown->triangle_count, sizeof(int));
    e->normals = wf_alloc(allocator, 3 * (size_t)coarse->vertex_count, sizeof(double));
    e->shown_normals = wf_alloc(allocator, 3 * n, sizeof(double));
    return map->corners && map->weights && map->heights && map->triangles && e->normals &&
           e->shown_normals &&
           wf_bins_create(allocator, coarse->triangle_count, coarse->triangles, coarse->positions,
                          &e->bins);
}

static WeftResult embed(WfEmbedding* e, WeftRefinement* map) {
    const WeftMesh *coarse = e->coarse, *shown = e->shown;
    size_t n = (size_t)shown->vertex_count;
    int* of = wf_alloc(&map->allocator, n, sizeof *of);
    WfPlace* places = wf_alloc(&map->allocator, n, sizeof *places);
    WeftResult result = of && places && allocate(e, map) ? WEFT_OK : WEFT_ERROR_MEMORY;
    if (!result) {
        wf_find_normals(coarse->vertex_count, coarse->positions, coarse->triangle_count,
                        coarse->triangles, e->normals);
        wf_find_normals(shown->vertex_count, shown->positions, shown->triangle_count,
                        shown->triangles, e->shown_normals);
        result = find_facing(&map->allocator, e);
    }
    for (int i = 0; i < shown->vertex_count && !result; i++)
        places[i] = find_place(e, e->facing, i);
    if (!result && !wf_sort_layers(&map->allocator, e, places)) result = WEFT_ERROR_MEMORY;
    for (int i = 0; i < shown->vertex_count && !result; i++) {
        of[i] = places[i].triangle;
        bind_vertex(e, i, &places[i], map);
    }
    if (!result) place_triangles(shown, of, map);
    wf_bins_destroy(&map->allocator, &e->bins);
    wf_free(&map->allocator, e->normals);
    wf_free(&map->allocator, e->shown_normals);
    wf_free(&map->allocator, of);
    wf_free(&map->allocator, places);
    return result;
}

WeftResult weft_embed_mesh(const WeftMesh* coarse, const WeftMesh* shown,
                           const WeftAllocator* allocator, WeftRefinement* map, WeftError* error) {
    WfEmbedding e = {.coarse = coarse, .shown = shown};
    *map = (WeftRefinement){.allocator = wf_allocator(allocator)};
    if (coarse->triangle_count < 1)
        return wf_fail(error, WEFT_ERROR_INPUT, "the coarse mesh has no triangles");
    WeftResult result = check_mesh(coarse, "the coarse mesh", error);
    if (!result) result = check_mesh(shown, "the shown mesh", error);
    if (result) return result;
    if (!embed(&e, map)) return WEFT_OK;
    weft_destroy_refinement(map);
    return wf_fail_memory(error);
}

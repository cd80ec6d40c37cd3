// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A half and its image, as one mesh.
//
// In space, the image is a reflection at the plane. In the flat shape there is no plane: every flat
// piece of the half is reflected by itself, at a line along the weft or the warp, so that warp and
// weft stay what they are. Where the piece ends at the plane along such a line, that is the line,
// and the cloth goes on across it without a seam; where nearly so, the line is where the piece
// ends. Else the plane is a seam, and the flat image lies beside all others, further along u. So
// no image lies on what it is the image of.
//
//        v ^    plane                 image | piece      u -> 2 u0 - u
//          |      +-----+          +-----+-----+
//          |      |piece|          |     |     |         winding swapped: areas stay positive
//          +--->  +-----+          +-----+-----+
//            u    u0                     u0

#include "mesh/mirror.h"

#include <limits.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/links.h"
#include "base/memory.h"
#include "mesh/check.h"

#define ALONG 0.0874886635  // tan 5 degrees: lines that are nearer to an axis run along it
#define ROUNDING 1e-9       // of the mean edge: flat points that are nearer are one

// Where a flat piece is reflected: coordinate `axis` becomes 2 at - itself.
typedef struct Fold {
    int axis;
    double at;
} Fold;

typedef struct Piece {
    double low[2], high[2];    // u and v
    double length, extent[2];  // of its edges on the plane, sums: of lengths, of extents along u, v
    double start[2], mean[2];  // a point of them, and the mean of the others from there
    Fold fold;
} Piece;

typedef struct Flat {
    const WfCutHalf* half;
    int* pieces;      // per triangle: the first of its piece
    Piece* measures;  // per piece, at that triangle
    double mean_edge;
    WfKey *keys, *spare;  // per corner of both halves
    double* corners;      // 2 per corner of both halves
} Flat;

// ---------------------------------------------------------------------------------------------
// Flat pieces

static int next_corner(int c) { return c % 3 == 2 ? c - 2 : c + 1; }

static bool same_flat(const double* flat, int c, int d) {
    return flat[2 * c] == flat[2 * d] && flat[2 * c + 1] == flat[2 * d + 1];
}

// Triangles are of one piece that have an edge in common in space and in the flat shape.
static void find_pieces(Flat* f) {
    const WfCutHalf* half = f->half;
    const int* v = half->triangles;
    int count = 3 * half->triangle_count;
    for (int t = 0; t < half->triangle_count; t++) f->pieces[t] = t;
    for (int c = 0; c < count; c++) f->keys[c] = (WfKey){wf_pair_key(v[c], v[next_corner(c)]), c};
    wf_sort_keys(f->keys, f->spare, count);
    for (int i = 1; i < count; i++) {
        int c = f->keys[i - 1].index, d = f->keys[i].index;
        if (f->keys[i - 1].key != f->keys[i].key) continue;
        if (same_flat(half->flat, c, next_corner(d)) && same_flat(half->flat, next_corner(c), d))
            wf_link(f->pieces, c / 3, d / 3);
    }
    for (int t = 0; t < half->triangle_count; t++) f->pieces[t] = wf_first_linked(f->pieces, t);
}

static void measure_plane_edge(Piece* piece, const double a[2], const double b[2], double length) {
    if (piece->length == 0) memcpy(piece->start, a, sizeof piece->start);
    piece->length += length;
    for (int k = 0; k < 2; k++) {
        piece->extent[k] += fabs(b[k] - a[k]);
        // differences, so that a line along an axis is met exactly
        piece->mean[k] += length * ((a[k] - piece->start[k]) + (b[k] - piece->start[k])) / 2;
    }
}

static void measure_pieces(Flat* f) {
    const WfCutHalf* half = f->half;
    int count = 3 * half->triangle_count;
    for (int t = 0; t < half->triangle_count; t++)
        f->measures[t] =
            (Piece){.low = {HUGE_VAL, HUGE_VAL}, .high = {-HUGE_VAL, -HUGE_VAL}, .fold = {-1, 0}};
    for (int c = 0; c < count; c++) {
        int d = next_corner(c);
        Piece* piece = &f->measures[f->pieces[c / 3]];
        const double *a = half->flat + 2 * (long)c, *b = half->flat + 2 * (long)d;
        double length = wf_flat_length(b[0] - a[0], b[1] - a[1]);
        f->mean_edge += length / count;
        for (int k = 0; k < 2; k++) {
            piece->low[k] = fmin(piece->low[k], a[k]);
            piece->high[k] = fmax(piece->high[k], a[k]);
        }
        if (half->on_plane[half->triangles[c]] && half->on_plane[half->triangles[d]])
            measure_plane_edge(piece, a, b, length);
    }
}

// Across the line along which a piece ends at the plane, or -1 where that is not along an axis.
static int find_axis(const Piece* piece) {
    const double* extent = piece->extent;
    if (piece->length == 0) return -1;
    return extent[0] <= ALONG * extent[1] ? 0 : extent[1] <= ALONG * extent[0] ? 1 : -1;
}

// At the end of the piece that is nearer to its edges on the plane; at these, where they are there.
static Fold fold_at_end(const Flat* f, const Piece* piece, int axis) {
    double mean = piece->start[axis] + piece->mean[axis] / piece->length;
    double low = piece->low[axis], high = piece->high[axis];
    double end = mean - low < high - mean ? low : high;
    return (Fold){axis, fabs(mean - end) <= ROUNDING * f->mean_edge ? mean : end};
}

// Images that are joined to their pieces first; the others in a row beyond all of these.
static void choose_folds(Flat* f) {
    double row = -HUGE_VAL;
    for (int t = 0; t < f->half->triangle_count; t++) {
        Piece* piece = &f->measures[t];
        int axis = find_axis(piece);
        if (f->pieces[t] != t) continue;
        if (axis >= 0) piece->fold = fold_at_end(f, piece, axis);
        row = fmax(row, piece->high[0]);
        if (axis == 0) row = fmax(row, 2 * piece->fold.at - piece->low[0]);
    }
    for (int t = 0; t < f->half->triangle_count; t++) {
        Piece* piece = &f->measures[t];
        if (f->pieces[t] != t || piece->fold.axis >= 0) continue;
        piece->fold = (Fold){0, (row + piece->high[0]) / 2};
        row += piece->high[0] - piece->low[0];
    }
}

// ---------------------------------------------------------------------------------------------
// The flat shape of both halves, corner by corner, and then point by point

// The corner that corner c of the half becomes in the image.
static int image_corner(int c) { return c % 3 == 0 ? c : c % 3 == 1 ? c + 1 : c - 1; }

static void fill_corners(Flat* f) {
    const WfCutHalf* half = f->half;
    int count = 3 * half->triangle_count;
    memcpy(f->corners, half->flat, 2 * (size_t)count * sizeof(double));
    for (int c = 0; c < count; c++) {
        Fold fold = f->measures[f->pieces[c / 3]].fold;
        const double* from = half->flat + 2 * (long)c;
        double* to = f->corners + 2 * (long)(count + image_corner(c));
        double reflected = 2 * fold.at - from[fold.axis];
        bool same = half->on_plane[half->triangles[c]] &&
                    fabs(reflected - from[fold.axis]) <= ROUNDING * f->mean_edge;
        memcpy(to, from, 2 * sizeof *to);
        if (!same) to[fold.axis] = reflected;
    }
}

// A vertex has as many points in the flat shape as its corners have different ones, numbered vertex
// by vertex.
static int number_points(Flat* f, const int* triangles, int corners, double* material,
                         int* points) {
    int count = 0, first = 0;
    for (int c = 0; c < corners; c++) f->keys[c] = (WfKey){(uint64_t)triangles[c], c};
    wf_sort_keys(f->keys, f->spare, corners);
    for (int i = 0; i < corners; i++) {
        if (i > 0 && f->keys[i].key != f->keys[i - 1].key) first = count;
        const double* from = f->corners + 2 * (long)f->keys[i].index;
        int p = first;
        while (p < count &&
               (material[2 * (long)p] != from[0] || material[2 * (long)p + 1] != from[1]))
            p++;
        if (p == count) memcpy(material + 2 * (long)count++, from, 2 * sizeof *from);
        points[f->keys[i].index] = p;
    }
    return count;
}

static bool points_are_vertices(const WeftMesh* mesh) {
    if (mesh->material_count != mesh->vertex_count) return false;
    return memcmp(mesh->triangle_material, mesh->triangles,
                  3 * (size_t)mesh->triangle_count * sizeof(int)) == 0;
}

static WeftResult mirror_flat_shape(const WeftAllocator* allocator, const WfCutHalf* half,
                                    WeftMesh* made) {
    if (!half->flat || half->triangle_count == 0) return WEFT_OK;
    size_t triangles = (size_t)half->triangle_count, corners = 6 * triangles;
    Flat f = {.half = half,
              .pieces = wf_alloc(allocator, triangles, sizeof(int)),
              .measures = wf_alloc(allocator, triangles, sizeof(Piece)),
              .keys = wf_alloc(allocator, corners, sizeof(WfKey)),
              .spare = wf_alloc(allocator, corners, sizeof(WfKey)),
              .corners = wf_alloc(allocator, 2 * corners, sizeof(double))};
    made->material = wf_alloc(allocator, 2 * corners, sizeof(double));
    made->triangle_material = wf_alloc(allocator, corners, sizeof(int));
    bool good = f.pieces && f.measures && f.keys && f.spare && f.corners && made->material &&
                made->triangle_material;
    if (good) {
        find_pieces(&f);
        measure_pieces(&f);
        choose_folds(&f);
        fill_corners(&f);
        made->material_count = number_points(&f, made->triangles, (int)corners, made->material,
                                             made->triangle_material);
    }
    if (good && points_are_vertices(made)) {
        wf_free(allocator, made->triangle_material);
        made->triangle_material = NULL;
    }
    wf_free(allocator, f.pieces);
    wf_free(allocator, f.measures);
    wf_free(allocator, f.keys);
    wf_free(allocator, f.spare);
    wf_free(allocator, f.corners);
    return good ? WEFT_OK : WEFT_ERROR_MEMORY;
}

// ---------------------------------------------------------------------------------------------
// Vertices and triangles

static WeftResult mirror_triangles(const WeftAllocator* allocator, const WfPlane* mirror,
                                   const WfCutHalf* half, WeftMesh* made) {
    int n = half->vertex_count, on = 0, corners = 3 * half->triangle_count;
    for (int i = 0; i < n; i++) on += half->on_plane[i];
    made->vertex_count = 2 * n - on;
    made->triangle_count = 2 * half->triangle_count;
    made->positions = wf_alloc(allocator, 3 * (size_t)made->vertex_count, sizeof(double));
    made->images = wf_alloc(allocator, (size_t)made->vertex_count, sizeof(int));
    if (corners > 0) made->triangles = wf_alloc(allocator, 2 * (size_t)corners, sizeof(int));
    if (!made->positions || !made->images || (!made->triangles && corners > 0))
        return WEFT_ERROR_MEMORY;
    memcpy(made->positions, half->positions, 3 * (size_t)n * sizeof(double));
    for (int i = 0, image = n; i < n; i++) {
        made->images[i] = half->on_plane[i] ? i : image;
        if (half->on_plane[i]) continue;
        made->images[image] = i;
        wf_store(made->positions, image++, wf_plane_image(mirror, wf_load(half->positions, i)));
    }
    for (int c = 0; c < corners; c++) {
        made->triangles[c] = half->triangles[c];
        made->triangles[corners + image_corner(c)] = made->images[half->triangles[c]];
    }
    return WEFT_OK;
}

static WeftResult make_map(const WeftAllocator* allocator, const WfCutHalf* half,
                           const WeftMesh* made, WeftMirrorMap* map) {
    size_t n = (size_t)made->vertex_count, triangles = (size_t)made->triangle_count;
    *map = (WeftMirrorMap){.vertex_count = made->vertex_count,
                           .vertices = wf_alloc(allocator, 2 * n, sizeof(int)),
                           .parts = wf_alloc(allocator, n, sizeof(double)),
                           .triangle_count = made->triangle_count,
                           .triangles = wf_alloc(allocator, triangles, sizeof(int)),
                           .allocator = *allocator};
    if (!map->vertices || !map->parts || !map->triangles) return WEFT_ERROR_MEMORY;
    for (int i = 0; i < made->vertex_count; i++) {
        int from = i < half->vertex_count ? i : made->images[i];
        memcpy(map->vertices + 2 * (long)i, half->origins + 2 * (long)from, 2 * sizeof(int));
        map->parts[i] = half->parts[from];
    }
    for (int t = 0; t < made->triangle_count; t++)
        map->triangles[t] = half->sources[t % half->triangle_count];
    return WEFT_OK;
}

void weft_destroy_mirror_map(WeftMirrorMap* map) {
    if (!map) return;
    WeftAllocator memory = wf_allocator(&map->allocator);
    wf_free(&memory, map->vertices);
    wf_free(&memory, map->parts);
    wf_free(&memory, map->triangles);
    *map = (WeftMirrorMap){0};
}

// ---------------------------------------------------------------------------------------------

static WeftResult check_input(const WeftAllocator* allocator, const WeftClothDef* cloth,
                              const WeftPlane* plane, WeftHalving halving, WfPlane* mirror,
                              WeftError* error) {
    if (!wf_make_plane(plane, mirror))
        return wf_fail(error, WEFT_ERROR_INPUT, "the plane of the mirror %s",
                       wf_plane_fault(plane));
    if ((int)halving < 0 || halving > WEFT_HALVING_PROJECT)
        return wf_fail(error, WEFT_ERROR_INPUT, "the halving is %d; it must be 0 to %d",
                       (int)halving, WEFT_HALVING_PROJECT);
    if (cloth->triangle_count > INT_MAX / 12 || cloth->vertex_count > INT_MAX / 12)
        return wf_fail(error, WEFT_ERROR_INPUT, "%d triangles are too many to mirror",
                       cloth->triangle_count);
    return wf_check_cloth(allocator, cloth, error);
}

WeftResult weft_mirror_mesh(WeftMesh* mesh, const WeftPlane* plane, WeftHalving halving,
                            WeftMirrorMap* map, WeftError* error) {
    wf_assert(mesh && plane);
    WeftAllocator memory = wf_allocator(&mesh->allocator);
    WeftMesh made = {.allocator = memory};
    WeftMirrorMap origin = {.allocator = memory};
    WfCutHalf half = {0};
    WfPlane mirror;
    WeftClothDef cloth = {0};
    weft_use_mesh(&cloth, mesh);
    if (map) *map = (WeftMirrorMap){0};
    WeftResult result = check_input(&memory, &cloth, plane, halving, &mirror, error);
    if (!result) result = wf_cut_mesh(&memory, &cloth, &mirror, halving, &half, error);
    if (result) return result;
    result = mirror_triangles(&memory, &mirror, &half, &made);
    if (!result) result = mirror_flat_shape(&memory, &half, &made);
    if (!result) result = wf_mirror_springs(&memory, mesh, plane, &half, &made);
    if (!result) result = wf_mirror_threads(&memory, mesh, &half, &made);
    if (!result && map) result = make_map(&memory, &half, &made, &origin);
    wf_cut_half_destroy(&memory, &half);
    if (result) {
        weft_destroy_mesh(&made);
        weft_destroy_mirror_map(&origin);
        return wf_fail_memory(error);
    }
    weft_destroy_mesh(mesh);
    *mesh = made;
    if (map) *map = origin;
    return WEFT_OK;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "detail/patch.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

// What makes numbers as large as distances between vertices, some centimetres.
static const double VELOCITY = 0.05;  // s
static const double SPEED = 0.01;     // s
static const double DOWN = 0.02;      // m

// ---------------------------------------------------------------------------------------------
// Making

// The vertices of a triangle, then those of the triangles at its corners. Returns their number.
static int list_around(const WeftMesh* mesh, const WfStars* stars, int t, int* marks, int* list) {
    const int* own = mesh->triangles + 3 * (long)t;
    int count = 0;
    for (int k = 0; k < 3; k++) list[count++] = own[k], marks[own[k]] = t + 1;
    for (int k = 0; k < 3; k++)
        for (int s = stars->start[own[k]]; s < stars->start[own[k] + 1]; s++)
            for (int c = 0; c < 3 && count < WF_MOST_AROUND; c++) {
                int v = mesh->triangles[stars->halves[s] / 3 * 3 + c];
                if (marks[v] == t + 1) continue;
                marks[v] = t + 1;
                list[count++] = v;
            }
    return count;
}

static bool find_around(const WeftAllocator* allocator, const WeftMesh* mesh, WfPatches* p) {
    int* marks = wf_alloc(allocator, (size_t)mesh->vertex_count, sizeof(int));
    if (!marks) return false;
    for (int t = 0; t < p->count; t++) {
        int* list = p->around + p->around_start[t];
        p->around_start[t + 1] = p->around_start[t] + list_around(mesh, &p->stars, t, marks, list);
    }
    wf_free(allocator, marks);
    return true;
}

// How much a vertex that has `part` of `of` has of a triangle's corners; false where it lies
// elsewhere.
static bool weigh_corners(const int triangle[3], const int of[3], const double part[3],
                          double weights[3]) {
    weights[0] = weights[1] = weights[2] = 0;
    for (int k = 0; k < 3; k++) {
        int at = of[k] == triangle[0] ? 0 : of[k] == triangle[1] ? 1 : 2;
        if (part[k] == 0) continue;
        if (of[k] != triangle[at]) return false;
        weights[at] += part[k];
    }
    return true;
}

// The first triangle that a vertex lies in; -1: none.
static int triangle_of(const WfPatches* p, const int of[3], const double part[3],
                       double weights[3]) {
    int corner = part[0] != 0 ? of[0] : part[1] != 0 ? of[1] : of[2];
    for (int s = p->stars.start[corner]; s < p->stars.start[corner + 1]; s++)
        if (weigh_corners(p->triangles + p->stars.halves[s] / 3 * 3, of, part, weights))
            return p->stars.halves[s] / 3;
    return -1;
}

static bool find_own(const WeftAllocator* allocator, const WeftRefinement* map, WfPatches* p) {
    int* in = wf_alloc(allocator, (size_t)map->vertex_count, sizeof(int));
    if (!in) return false;
    double w[3];
    for (int i = 0; i < map->vertex_count; i++) {
        in[i] = triangle_of(p, map->corners + 3 * (long)i, map->weights + 3 * (long)i, w);
        if (in[i] >= 0) p->own_start[in[i] + 2]++;
    }
    for (int t = 0; t < p->count; t++) p->own_start[t + 2] += p->own_start[t + 1];
    for (int i = 0; i < map->vertex_count; i++) {
        const int* of = map->corners + 3 * (long)i;
        const double* part = map->weights + 3 * (long)i;
        if (in[i] < 0) {
            int at = p->loose_count++;
            p->loose[4 * (long)at] = i;
            memcpy(p->loose + 4 * (long)at + 1, of, 3 * sizeof *of);
            memcpy(p->loose_weights + 3 * (long)at, part, 3 * sizeof *part);
            continue;
        }
        int at = p->own_start[in[i] + 1]++;
        p->own[at] = i;
        weigh_corners(p->triangles + 3 * (long)in[i], of, part, p->weights + 3 * (long)at);
    }
    wf_free(allocator, in);
    return true;
}

// The edges of a triangle at rest: in the flat shape, or without one as it stands.
static void rest_edges(const WeftMesh* mesh, int t, double edges[4]) {
    const int* points = mesh->triangle_material ? mesh->triangle_material : mesh->triangles;
    const int* v = (mesh->material ? points : mesh->triangles) + 3 * (long)t;
    if (mesh->material) {
        for (int k = 0; k < 4; k++)
            edges[k] = mesh->material[2 * (long)v[1 + k / 2] + k % 2] -
                       mesh->material[2 * (long)v[0] + k % 2];
        return;
    }
    WfVec a = wf_load(mesh->positions, v[0]);
    WfVec ab = wf_sub(wf_load(mesh->positions, v[1]), a);
    WfVec ac = wf_sub(wf_load(mesh->positions, v[2]), a), along = wf_unit(ab);
    edges[0] = wf_dot(ab, along);
    edges[1] = 0;
    edges[2] = wf_dot(ac, along);
    edges[3] = wf_length(wf_cross(along, ac));
}

// From edges in space to warp and weft; nothing where the triangle has no area.
static void flatten(const WeftMesh* mesh, int t, double flat[4]) {
    double e[4];
    rest_edges(mesh, t, e);
    double area = e[0] * e[3] - e[1] * e[2];
    if (area == 0) return;
    double inverse[4] = {e[3] / area, -e[1] / area, -e[2] / area, e[0] / area};
    memcpy(flat, inverse, sizeof inverse);
}

WeftResult wf_patches_create(const WeftAllocator* allocator, const WeftMesh* coarse,
                             const WeftRefinement* map, WfPatches* p) {
    size_t n = (size_t)coarse->triangle_count, shown = (size_t)map->vertex_count;
    *p = (WfPatches){.count = coarse->triangle_count};
    p->triangles = wf_alloc(allocator, 3 * n, sizeof(int));
    p->flat = wf_alloc(allocator, 4 * n, sizeof(double));
    p->around_start = wf_alloc(allocator, n + 1, sizeof(int));
    p->around = wf_alloc(allocator, WF_MOST_AROUND * n, sizeof(int));
    p->own_start = wf_alloc(allocator, n + 2, sizeof(int));
    p->own = wf_alloc(allocator, shown, sizeof(int));
    p->weights = wf_alloc(allocator, 3 * shown, sizeof(double));
    p->loose = wf_alloc(allocator, 4 * shown, sizeof(int));
    p->loose_weights = wf_alloc(allocator, 3 * shown, sizeof(double));
    bool good = p->triangles && p->flat && p->around_start && p->around && p->own_start && p->own &&
                p->weights && p->loose && p->loose_weights;
    if (good) memcpy(p->triangles, coarse->triangles, 3 * n * sizeof(int));
    good = good &&
           wf_stars_create(allocator, coarse->vertex_count, p->count, p->triangles, &p->stars) &&
           find_around(allocator, coarse, p) && find_own(allocator, map, p);
    if (!good) {
        wf_patches_destroy(allocator, p);
        return WEFT_ERROR_MEMORY;
    }
    for (int t = 0; t < p->count; t++) flatten(coarse, t, p->flat + 4 * (long)t);
    return WEFT_OK;
}

void wf_patches_destroy(const WeftAllocator* allocator, WfPatches* p) {
    void* all[] = {p->triangles, p->flat,    p->around_start, p->around,       p->own_start,
                   p->own,       p->weights, p->loose,        p->loose_weights};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) wf_free(allocator, all[k]);
    wf_stars_destroy(allocator, &p->stars);
    *p = (WfPatches){0};
}

double wf_patch_area(const WfPatches* p, int patch) {
    const double* flat = p->flat + 4 * (long)patch;
    double inverse = fabs(flat[0] * flat[3] - flat[1] * flat[2]);
    return inverse > 0 ? 0.5 / inverse : 0;
}

// ---------------------------------------------------------------------------------------------
// Seeing

WfPatchFrame wf_patch_frame(const WfPatches* p, int patch, const double* positions) {
    const int* v = p->triangles + 3 * (long)patch;
    const double* flat = p->flat + 4 * (long)patch;
    WfVec a = wf_load(positions, v[0]), b = wf_load(positions, v[1]), c = wf_load(positions, v[2]);
    WfVec ab = wf_sub(b, a), ac = wf_sub(c, a);
    WfVec warp = wf_unit(wf_madd(wf_mul(flat[0], ab), flat[1], ac));
    WfVec weft = wf_unit(wf_madd(wf_mul(flat[2], ab), flat[3], ac));
    WfPatchFrame frame = {.origin = wf_mul(1.0 / 3, wf_add(wf_add(a, b), c))};
    frame.n = wf_unit(wf_cross(warp, weft));
    frame.u = wf_unit(wf_add(warp, wf_cross(weft, frame.n)));
    frame.v = wf_cross(frame.n, frame.u);
    return frame;
}

static const WfVec nothing = {0, 0, 0};

static WfVec mean_velocity(const WfPatches* p, int patch, const double* velocities) {
    const int* v = p->triangles + 3 * (long)patch;
    if (!velocities) return nothing;
    WfVec sum = wf_add(wf_load(velocities, v[0]), wf_load(velocities, v[1]));
    return wf_mul(1.0 / 3, wf_add(sum, wf_load(velocities, v[2])));
}

typedef struct Vectors {
    int count;
    float x[WF_MOST_VECTORS], y[WF_MOST_VECTORS], z[WF_MOST_VECTORS];
} Vectors;

static void add_vector(Vectors* vectors, WfVec v) {
    int at = vectors->count++;
    vectors->x[at] = (float)v.x;
    vectors->y[at] = (float)v.y;
    vectors->z[at] = (float)v.z;
}

static void see_along(const Vectors* vectors, WfVec axis, float* restrict features) {
    float x = (float)axis.x, y = (float)axis.y, z = (float)axis.z;
    for (int k = 0; k < vectors->count; k++)
        features[k] = x * vectors->x[k] + y * vectors->y[k] + z * vectors->z[k];
}

void wf_patch_features(const WfPatches* p, int patch, const WfCoarse* coarse,
                       const WfPatchFrame* frame, float* features) {
    const int *around = p->around + p->around_start[patch], count = wf_around_count(p, patch);
    WfVec mean = mean_velocity(p, patch, coarse->velocities);
    Vectors vectors;
    vectors.count = 0;
    for (int k = 0; k < count; k++)
        add_vector(&vectors, wf_sub(wf_load(coarse->positions, around[k]), frame->origin));
    for (int k = 0; k < count; k++) {
        WfVec v =
            coarse->velocities ? wf_sub(wf_load(coarse->velocities, around[k]), mean) : nothing;
        add_vector(&vectors, wf_mul(VELOCITY, v));
    }
    add_vector(&vectors, wf_mul(SPEED, mean));
    add_vector(&vectors, wf_mul(DOWN, coarse->down));
    see_along(&vectors, frame->u, features);
    see_along(&vectors, frame->v, features + vectors.count);
    see_along(&vectors, frame->n, features + 2 * (long)vectors.count);
}

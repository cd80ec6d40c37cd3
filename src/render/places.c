// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Flat shapes become meshes in space, u along x and v along y, with panels far from each other
// along z; so that flat shapes and those in space are embedded by the same code.

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "render/binding.h"
#include "render/transfer.h"

static const double APART = 2;      // extents of the pattern, between panels
static const double FAR = 0.05;     // of the size of a cloth: where another one is, on average,
static const double BEYOND = -0.5;  // and a weight that is below it is beyond the border

// A cloth as it is embedded.
typedef struct Sheet {
    WeftMesh mesh;
    int* of;  // per vertex of the mesh: of the cloth; -1: of no triangle
} Sheet;

static bool allocate_sheet(const WeftAllocator* allocator, Sheet* sheet) {
    size_t n = (size_t)sheet->mesh.vertex_count;
    sheet->mesh.positions = wf_alloc(allocator, 3 * n, sizeof(double));
    sheet->mesh.triangles =
        wf_alloc(allocator, 3 * (size_t)sheet->mesh.triangle_count, sizeof(int));
    sheet->of = wf_alloc(allocator, n, sizeof(int));
    return sheet->mesh.positions && sheet->mesh.triangles && sheet->of;
}

static void free_sheet(const WeftAllocator* allocator, Sheet* sheet) {
    wf_free(allocator, sheet->mesh.positions);
    wf_free(allocator, sheet->mesh.triangles);
    wf_free(allocator, sheet->of);
}

static bool take_space(const WeftAllocator* allocator, const WfPlacing* p, Sheet* sheet) {
    const WfShown* shown = &p->model->shown;
    int first, from = shown->first_vertex[p->cloth];
    sheet->mesh.vertex_count = shown->first_vertex[p->cloth + 1] - from;
    sheet->mesh.triangle_count = wf_cloth_triangles(p->model, p->cloth, &first);
    if (!allocate_sheet(allocator, sheet)) return false;
    for (int i = 0; i < sheet->mesh.vertex_count; i++) {
        wf_store(sheet->mesh.positions, i, wf_model_place(p->model, from + i));
        sheet->of[i] = -1;
    }
    for (long c = 0; c < 3L * sheet->mesh.triangle_count; c++) {
        int v = shown->triangles[3L * first + c] - from;
        sheet->mesh.triangles[c] = v;
        sheet->of[v] = v;
    }
    return true;
}

// apart: m, between panels.
static bool take_flat(const WeftAllocator* allocator, const WfPlacing* p, double apart,
                      Sheet* sheet) {
    const WeftMesh* mesh = p->mesh;
    const int* flat = mesh->triangle_material ? mesh->triangle_material : mesh->triangles;
    sheet->mesh.vertex_count = mesh->triangle_material ? mesh->material_count : mesh->vertex_count;
    sheet->mesh.triangle_count = mesh->triangle_count;
    if (!allocate_sheet(allocator, sheet)) return false;
    for (int i = 0; i < sheet->mesh.vertex_count; i++) {
        const double* u = mesh->material + 2 * (long)i;
        wf_store(sheet->mesh.positions, i, (WfVec){u[0], u[1], 0});
        sheet->of[i] = -1;
    }
    for (long c = 0; c < 3L * mesh->triangle_count; c++) {
        sheet->mesh.triangles[c] = flat[c];
        sheet->of[flat[c]] = mesh->triangles[c];
        if (p->panels) sheet->mesh.positions[3L * flat[c] + 2] = apart * p->panels[c / 3];
    }
    return true;
}

// From corner to corner of the box around a flat shape.
static double extent_of(const WeftMesh* mesh) {
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (long i = 0; i < 2L * mesh->material_count; i++) {
        low[i % 2] = fmin(low[i % 2], mesh->material[i]);
        high[i % 2] = fmax(high[i % 2], mesh->material[i]);
    }
    return wf_flat_length(high[0] - low[0], high[1] - low[1]);
}

static bool take_sheet(const WeftAllocator* allocator, const WfPlacing* p, double apart,
                       Sheet* sheet) {
    *sheet = (Sheet){0};
    return p->mesh ? take_flat(allocator, p, apart, sheet) : take_space(allocator, p, sheet);
}

// ---------------------------------------------------------------------------------------------

static double size_of(const WeftMesh* mesh) {
    WfVec low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = wf_mul(-1, low);
    for (int i = 0; i < mesh->vertex_count; i++) {
        WfVec x = wf_load(mesh->positions, i);
        low = (WfVec){fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z)};
        high = (WfVec){fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z)};
    }
    return wf_length(wf_sub(high, low));
}

// Cloths of other shapes, or elsewhere.
static WeftResult check_map(const WeftRefinement* map, const Sheet* from, const Sheet* to,
                            bool flat, WeftError* error) {
    double far = 0, size = size_of(&from->mesh);
    int beyond = 0;
    for (int i = 0; i < map->vertex_count; i++) {
        const double* w = map->weights + 3 * (long)i;
        if (to->of[i] < 0) continue;
        far += fabs(map->heights[i]);
        beyond += w[0] < BEYOND || w[1] < BEYOND || w[2] < BEYOND;
    }
    if (!flat && far > FAR * size * map->vertex_count)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "the cloths do not lie on each other where they start: they are %.3g m "
                       "apart on average",
                       far / map->vertex_count);
    return beyond <= FAR * map->vertex_count
               ? WEFT_OK
               : wf_fail(error, WEFT_ERROR_INPUT,
                         "the cloths are not of one shape%s: %d of %d vertices of one are beyond "
                         "the border of the other",
                         flat ? " when flat" : "", beyond, map->vertex_count);
}

// Vertices along seams have several places, which are the same in space: the first one counts.
static bool take_map(const WeftAllocator* allocator, const WeftRefinement* map, const Sheet* from,
                     const Sheet* to, int count, WfPlaces* places) {
    size_t n = (size_t)count;
    places->count = count;
    places->corners = wf_alloc(allocator, 3 * n, sizeof(int));
    places->weights = wf_alloc(allocator, 3 * n, sizeof(double));
    places->heights = wf_alloc(allocator, n, sizeof(double));
    if (!places->corners || !places->weights || !places->heights) return false;
    for (int i = map->vertex_count - 1; i >= 0; i--) {
        long at = 3 * (long)to->of[i];
        if (at < 0) continue;
        for (int k = 0; k < 3; k++)
            places->corners[at + k] = from->of[map->corners[3 * (long)i + k]];
        memcpy(places->weights + at, map->weights + 3 * (long)i, 3 * sizeof(double));
        places->heights[to->of[i]] = map->heights[i];
    }
    return true;
}

// Weights of a place have the sum 1.
static WeftResult check_places(const WfPlaces* places, WeftError* error) {
    for (int i = 0; i < places->count; i++) {
        const double* w = places->weights + 3 * (long)i;
        if (!(w[0] + w[1] + w[2] > 0))
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "vertex %d of the cloth lies in no triangle: ropes do not go on in "
                           "another mesh",
                           i);
    }
    return WEFT_OK;
}

WeftResult wf_places_create(const WeftAllocator* allocator, const WfPlacing* from,
                            const WfPlacing* to, WfPlaces* places, WeftError* error) {
    Sheet sheets[2] = {{.of = NULL}, {.of = NULL}};
    WeftRefinement map = {.allocator = *allocator};
    double apart = from->mesh ? APART * extent_of(from->mesh) : 0;
    const int* first = to->model->shown.first_vertex + to->cloth;
    *places = (WfPlaces){0};
    WeftResult result = WEFT_OK;
    if (!take_sheet(allocator, from, apart, &sheets[0]) ||
        !take_sheet(allocator, to, apart, &sheets[1]))
        result = wf_fail_memory(error);
    if (!result) result = weft_embed_mesh(&sheets[0].mesh, &sheets[1].mesh, allocator, &map, error);
    if (!result) result = check_map(&map, &sheets[0], &sheets[1], from->mesh, error);
    if (!result && !take_map(allocator, &map, &sheets[0], &sheets[1], first[1] - first[0], places))
        result = wf_fail_memory(error);
    if (!result) result = check_places(places, error);
    for (int k = 0; k < 2; k++) free_sheet(allocator, &sheets[k]);
    weft_destroy_refinement(&map);
    return result;
}

void wf_places_destroy(const WeftAllocator* allocator, WfPlaces* places) {
    wf_free(allocator, places->corners);
    wf_free(allocator, places->weights);
    wf_free(allocator, places->heights);
    *places = (WfPlaces){0};
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Vertices at one place are made one, and these are embedded (detail/embed.c), with the middles of
// rigid parts as vertices of their own behind them.

#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "detail/smooth.h"
#include "mesh/normals.h"
#include "render/binding.h"
#include "render/weld.h"
#include "sim/model.h"

// Of the length of what is written in them: how long its parts along the axes of a frame may be.
// Those of a thin triangle, or of a fold whose normals lean far, would be longer, and go anywhere
// once the cloth moves.
static const double MOST_PART = 4;
static const double LARGEST = 1e6;  // m

WeftBindingDef weft_default_binding_def(void) {
    return (WeftBindingDef){.surface = WEFT_SURFACE_SMOOTH};
}

// ---------------------------------------------------------------------------------------------
// Checks

// The first of `count` numbers that is none, or too large; -1.
static long find_bad(const float* values, long count, double most) {
    for (long i = 0; i < count && values; i++)
        if (!(fabs((double)values[i]) <= most)) return i;
    return -1;
}

static WeftResult check_numbers(const WeftBindingDef* def, WeftError* error) {
    const struct {
        const char* name;
        const float* values;
        int size;
        double most;
    } all[] = {{"position", def->positions, 3, LARGEST},
               {"normal", def->normals, 3, LARGEST},
               {"tangent", def->tangents, 4, LARGEST},
               {"uv", def->uvs, 2, 1e30}};
    for (int k = 0; k < 4; k++) {
        long bad = find_bad(all[k].values, all[k].size * (long)def->vertex_count, all[k].most);
        if (bad >= 0)
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "render vertex %ld: its %s has %g; it must be within %g",
                           bad / all[k].size, all[k].name, (double)all[k].values[bad], all[k].most);
    }
    return WEFT_OK;
}

static WeftResult check_corners(const WeftBindingDef* def, WeftError* error) {
    for (long c = 0; c < 3L * def->triangle_count; c++)
        if (def->triangles[c] < 0 || def->triangles[c] >= def->vertex_count)
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "render triangle %ld: there is no vertex %d among %d", c / 3,
                           def->triangles[c], def->vertex_count);
    for (int i = 0; i < def->vertex_count && def->rigid; i++)
        if (def->rigid[i] < -1 || def->rigid[i] >= def->vertex_count)
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "render vertex %d: rigid part %d is not between -1 and %d", i,
                           def->rigid[i], def->vertex_count - 1);
    return WEFT_OK;
}

WeftResult wf_check_binding(const WeftBindingDef* def, WeftError* error) {
    int first;
    wf_assert(def->model);
    if (def->cloth < 0 || def->cloth >= def->model->cloth_count)
        return wf_fail(error, WEFT_ERROR_INPUT, "there is no cloth %d in a model of %d", def->cloth,
                       def->model->cloth_count);
    if (wf_cloth_triangles(def->model, def->cloth, &first) < 1)
        return wf_fail(error, WEFT_ERROR_INPUT, "cloth %d has no triangles", def->cloth);
    if (def->vertex_count < 1 || !def->positions)
        return wf_fail(error, WEFT_ERROR_INPUT, "the render mesh has no vertices");
    if (def->triangle_count < 0 || (def->triangle_count > 0 && !def->triangles))
        return wf_fail(error, WEFT_ERROR_INPUT, "the render mesh has no triangles");
    WeftResult result = check_numbers(def, error);
    return result ? result : check_corners(def, error);
}

int wf_cloth_triangles(const WeftModel* model, int cloth, int* first) {
    const WfShown* shown = &model->shown;
    int low = shown->first_vertex[cloth], high = shown->first_vertex[cloth + 1], count = 0;
    *first = 0;
    for (int t = 0; t < shown->triangle_count; t++) {
        int v = shown->triangles[3 * (long)t];
        if (v < low || v >= high) continue;
        if (count++ == 0) *first = t;
    }
    return count;
}

// ---------------------------------------------------------------------------------------------
// Memory and fingerprints

static uint64_t print_cloth(const WeftBindingDef* def) {
    int first, count = wf_cloth_triangles(def->model, def->cloth, &first);
    int from = def->model->shown.first_vertex[def->cloth];
    const int* corners = def->model->shown.triangles + 3 * (long)first;
    uint64_t hash = wf_hash_word(WF_HASH_START, (uint64_t)count);
    for (long c = 0; c < 3L * count; c++) hash = wf_hash_word(hash, (uint64_t)(corners[c] - from));
    return hash;
}

static uint64_t print_floats(uint64_t hash, const float* values, long count) {
    for (long i = 0; i < count && values; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        hash = wf_hash_word(hash, bits);
    }
    return hash;
}

static uint64_t print_mesh(const WeftBindingDef* def) {
    long n = def->vertex_count;
    uint64_t hash = wf_hash_word(WF_HASH_START, (uint64_t)def->surface);
    hash = print_floats(hash, def->positions, 3 * n);
    for (long c = 0; c < 3L * def->triangle_count; c++)
        hash = wf_hash_word(hash, (uint64_t)def->triangles[c]);
    return hash;
}

WeftBinding* wf_binding_allocate(const WeftBindingDef* def) {
    WeftAllocator from = wf_allocator(&def->allocator);
    WeftBinding* b = wf_alloc(&from, 1, sizeof *b);
    if (!b) return NULL;
    *b = (WeftBinding){.allocator = from,
                       .model = def->model,
                       .first_vertex = def->model->shown.first_vertex[def->cloth],
                       .surface = def->surface,
                       .count = def->vertex_count,
                       .triangle_count = def->triangle_count,
                       .cloth_print = print_cloth(def),
                       .mesh_print = print_mesh(def)};
    size_t corners = 3 * (size_t)def->triangle_count;
    b->bound = wf_alloc(&from, (size_t)def->vertex_count + WF_BOUND_LANES, sizeof *b->bound);
    b->triangles = wf_alloc(&from, corners, sizeof(int));
    if (!b->bound || !b->triangles) {
        weft_destroy_binding(b);
        return NULL;
    }
    if (corners > 0) memcpy(b->triangles, def->triangles, corners * sizeof(int));
    return b;
}

void weft_destroy_binding(WeftBinding* b) {
    if (!b) return;
    WeftAllocator from = b->allocator;
    wf_free(&from, b->bound);
    wf_free(&from, b->triangles);
    wf_free(&from, b);
}

void wf_binding_pad(WeftBinding* b) {
    for (int k = 0; k < WF_BOUND_LANES; k++) b->bound[b->count + k] = b->bound[b->count - 1];
}

int weft_binding_vertex_count(const WeftBinding* b) { return b->count; }
int weft_binding_triangle_count(const WeftBinding* b) { return b->triangle_count; }
const int* weft_binding_triangles(const WeftBinding* b) { return b->triangles; }
double weft_binding_reach(const WeftBinding* b) { return b->reach; }

// ---------------------------------------------------------------------------------------------
// Frames, as render/write.c has them

typedef struct Frame {
    WfVec at, axes[3], duals[3];
} Frame;

// Square to a unit vector, some way or other.
static WfVec beside(WfVec n) {
    return wf_unit(fabs(n.z) > 0.7 ? (WfVec){n.z, 0, -n.x} : (WfVec){n.y, -n.x, 0});
}

static WfVec unit_or(WfVec v, WfVec other) { return wf_dot(v, v) > 0 ? wf_unit(v) : other; }

static Frame find_frame(const WfVec x[3], const WfVec n[3], const double w[3], bool smooth,
                        bool rigid) {
    WfVec up = {0, 1, 0}, a = wf_sub(x[1], x[0]), b = wf_sub(x[2], x[0]), c = wf_blend(n, w);
    WfVec unit = unit_or(c, up);
    Frame f = {.at = smooth ? wf_smooth_point(x, n, w) : wf_blend(x, w),
               .axes = {a, b, c},
               .duals = {wf_cross(b, c), wf_cross(c, a), wf_mul(wf_length(wf_cross(a, b)), unit)}};
    if (!rigid) return f;
    WfVec t = unit_or(wf_sub(a, wf_along(unit, a)), beside(unit));
    WfVec own[3] = {t, wf_cross(unit, t), unit};
    memcpy(f.axes, own, sizeof own);
    memcpy(f.duals, own, sizeof own);
    return f;
}

// v by the axes of a frame. False where they cannot hold it well.
static bool resolve(const WfVec axes[3], WfVec v, double parts[3]) {
    WfVec crossed[3] = {wf_cross(axes[1], axes[2]), wf_cross(axes[2], axes[0]),
                        wf_cross(axes[0], axes[1])};
    double volume = wf_dot(axes[0], crossed[0]), most = MOST_PART * wf_length(v);
    if (!(fabs(volume) > 0)) return false;
    bool good = true;
    for (int k = 0; k < 3; k++) {
        parts[k] = wf_dot(v, crossed[k]) / volume;
        good = good && fabs(parts[k]) * wf_length(axes[k]) <= most;
    }
    return good;
}

// The same, or along the last axis as far as v is.
static void resolve_or_along(const WfVec axes[3], WfVec v, float to[3]) {
    double parts[3], square = wf_dot(axes[2], axes[2]);
    if (!resolve(axes, v, parts)) {
        parts[0] = parts[1] = 0;
        parts[2] = square > 0 ? wf_dot(v, axes[2]) / square : 0;
    }
    for (int k = 0; k < 3; k++) to[k] = (float)parts[k];
}

// ---------------------------------------------------------------------------------------------
// Directions of the render mesh

typedef struct Binder {
    const WeftBindingDef* def;
    WeftAllocator allocator;
    WeftMesh coarse;         // the cloth
    WfWeld weld;             // the render mesh, of which vertices at one place are one
    double* normals;         // of the cloth
    double* shown;           // normals of the welded mesh
    double *along, *across;  // 3 per render vertex: where u and v go
    WeftRefinement map;
} Binder;

// Triangles add where texture coordinates go, by their area.
static void find_directions(Binder* b) {
    const WeftBindingDef* def = b->def;
    for (int t = 0; t < def->triangle_count && def->uvs; t++) {
        const int* v = def->triangles + 3 * (long)t;
        WfVec x[3];
        double u[3][2];
        for (int k = 0; k < 3; k++) {
            const float* uv = def->uvs + 2 * (long)v[k];
            x[k] = wf_load_floats(def->positions, v[k]);
            for (int c = 0; c < 2; c++) u[k][c] = (double)uv[c];
        }
        WfVec e = wf_sub(x[1], x[0]), f = wf_sub(x[2], x[0]);
        double eu = u[1][0] - u[0][0], ev = u[1][1] - u[0][1];
        double fu = u[2][0] - u[0][0], fv = u[2][1] - u[0][1], det = eu * fv - fu * ev;
        double area = wf_length(wf_cross(e, f)), sign = det < 0 ? -area : area;
        if (!(fabs(det) > 0)) continue;
        WfVec along = wf_unit(wf_sub(wf_mul(fv, e), wf_mul(ev, f)));
        WfVec across = wf_unit(wf_sub(wf_mul(eu, f), wf_mul(fu, e)));
        for (int k = 0; k < 3; k++) {
            wf_accumulate(b->along, v[k], sign, along);
            wf_accumulate(b->across, v[k], sign, across);
        }
    }
}

static WfVec normal_of(const Binder* b, int i, WfVec other) {
    const float* normals = b->def->normals;
    return unit_or(normals ? wf_load_floats(normals, i) : wf_load(b->shown, b->weld.of[i]), other);
}

// Its direction and its handedness.
static WfVec tangent_of(const Binder* b, int i, WfVec n, WfVec other, float* handedness) {
    *handedness = 1;
    if (b->def->tangents) {
        const float* t = b->def->tangents + 4 * (long)i;
        if (t[3] < 0) *handedness = -1;
        return unit_or(wf_load_floats(t, 0), other);
    }
    WfVec along = wf_load(b->along, i), across = wf_load(b->across, i);
    if (wf_dot(wf_cross(n, along), across) < 0) *handedness = -1;
    return unit_or(wf_sub(along, wf_along(n, along)), other);
}

// ---------------------------------------------------------------------------------------------
// Vertices

static void bind_vertex(const Binder* b, WeftBinding* binding, int i) {
    const WeftBindingDef* def = b->def;
    int part = def->rigid ? def->rigid[i] : -1;
    int at = part >= 0 ? b->weld.count + part : b->weld.of[i];
    const int* v = b->map.corners + 3 * (long)at;
    const double* w = b->map.weights + 3 * (long)at;
    WfVec x[3], n[3], place = wf_load_floats(def->positions, i);
    WfBound* bound = &binding->bound[i];
    for (int k = 0; k < 3; k++) {
        x[k] = wf_load(b->coarse.positions, v[k]);
        n[k] = wf_load(b->normals, v[k]);
        bound->corners[k] = v[k] + def->model->shown.first_vertex[def->cloth];
    }
    Frame f = find_frame(x, n, w, def->surface == WEFT_SURFACE_SMOOTH, part >= 0);
    bound->rigid = part >= 0;
    bound->w[0] = (float)w[1];
    bound->w[1] = (float)w[2];
    resolve_or_along(f.axes, wf_sub(place, f.at), bound->offset);
    binding->reach = fmax(binding->reach, wf_length(wf_sub(place, f.at)));
    WfVec normal = normal_of(b, i, f.duals[2]);
    WfVec tangent = tangent_of(b, i, normal, f.axes[0], &bound->handedness);
    resolve_or_along(f.duals, normal, bound->normal);
    double parts[3] = {1, 0, 0};
    if (!resolve(f.axes, tangent, parts)) parts[0] = 1, parts[1] = parts[2] = 0;
    for (int k = 0; k < 3; k++) bound->tangent[k] = (float)parts[k];
}

// ---------------------------------------------------------------------------------------------
// The whole

// The cloth alone, with vertices from 0.
static bool take_cloth(Binder* b) {
    const WeftBindingDef* def = b->def;
    const WfShown* shown = &def->model->shown;
    int first, from = shown->first_vertex[def->cloth];
    WeftMesh* mesh = &b->coarse;
    mesh->vertex_count = shown->first_vertex[def->cloth + 1] - from;
    mesh->triangle_count = wf_cloth_triangles(def->model, def->cloth, &first);
    size_t n = (size_t)mesh->vertex_count;
    mesh->positions = wf_alloc(&b->allocator, 3 * n, sizeof(double));
    mesh->triangles = wf_alloc(&b->allocator, 3 * (size_t)mesh->triangle_count, sizeof(int));
    b->normals = wf_alloc(&b->allocator, 3 * n, sizeof(double));
    if (!mesh->positions || !mesh->triangles || !b->normals) return false;
    for (long c = 0; c < 3L * mesh->triangle_count; c++)
        mesh->triangles[c] = shown->triangles[3L * first + c] - from;
    for (int i = 0; i < mesh->vertex_count; i++)
        wf_store(mesh->positions, i,
                 def->cloth_positions ? wf_load(def->cloth_positions, from + i)
                                      : wf_model_place(def->model, from + i));
    wf_find_normals(mesh->vertex_count, mesh->positions, mesh->triangle_count, mesh->triangles,
                    b->normals);
    return true;
}

static WeftResult make_map(Binder* b, WeftError* error) {
    const WfWeld* weld = &b->weld;
    WeftMesh shown = {.vertex_count = weld->count + weld->part_count,
                      .positions = weld->positions,
                      .triangle_count = weld->triangle_count,
                      .triangles = weld->triangles};
    size_t n = 3 * (size_t)b->def->vertex_count;
    b->shown = wf_alloc(&b->allocator, 3 * (size_t)shown.vertex_count, sizeof(double));
    b->along = wf_alloc(&b->allocator, n, sizeof(double));
    b->across = wf_alloc(&b->allocator, n, sizeof(double));
    if (!b->shown || !b->along || !b->across) return wf_fail_memory(error);
    wf_find_normals(shown.vertex_count, shown.positions, shown.triangle_count, shown.triangles,
                    b->shown);
    find_directions(b);
    return weft_embed_mesh(&b->coarse, &shown, &b->allocator, &b->map, error);
}

static void free_binder(Binder* b) {
    void* all[] = {
        b->coarse.positions, b->coarse.triangles, b->normals, b->shown, b->along, b->across};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) wf_free(&b->allocator, all[k]);
    wf_weld_destroy(&b->allocator, &b->weld);
    weft_destroy_refinement(&b->map);
}

WeftResult weft_create_binding(const WeftBindingDef* def, WeftBinding** out, WeftError* error) {
    *out = NULL;
    WeftResult result = wf_check_binding(def, error);
    if (result) return result;
    Binder b = {.def = def, .allocator = wf_allocator(&def->allocator)};
    b.map.allocator = b.allocator;
    WeftBinding* binding = wf_binding_allocate(def);
    if (!binding || !take_cloth(&b) || !wf_weld_create(&b.allocator, def, &b.weld))
        result = wf_fail_memory(error);
    else
        result = make_map(&b, error);
    if (!result) {
        for (int i = 0; i < def->vertex_count; i++) bind_vertex(&b, binding, i);
        wf_binding_pad(binding);
        *out = binding;
    } else {
        weft_destroy_binding(binding);
    }
    free_binder(&b);
    return result;
}

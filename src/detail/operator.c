// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "detail/operator.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/simd.h"
#include "detail/smooth.h"
#include "mesh/normals.h"

// ---------------------------------------------------------------------------------------------
// Life

static WeftResult check_map(const WeftMesh* coarse, const WeftMesh* shown,
                            const WeftRefinement* map, WeftError* error) {
    if (map->vertex_count != shown->vertex_count || map->triangle_count != shown->triangle_count)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "the map is of %d vertices and %d triangles, the mesh has %d and %d",
                       map->vertex_count, map->triangle_count, shown->vertex_count,
                       shown->triangle_count);
    for (long k = 0; k < 3L * map->vertex_count; k++)
        if (map->corners[k] < 0 || map->corners[k] >= coarse->vertex_count)
            return wf_fail(error, WEFT_ERROR_INPUT, "the map names vertex %d of %d",
                           map->corners[k], coarse->vertex_count);
    for (long k = 0; k < 3L * map->vertex_count; k++)
        if (!isfinite(map->weights[k]))
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "the weights of shown vertex %ld are no numbers", k / 3);
    for (long c = 0; c < 3L * shown->triangle_count; c++)
        if (shown->triangles[c] < 0 || shown->triangles[c] >= shown->vertex_count)
            return wf_fail(error, WEFT_ERROR_INPUT, "shown triangle %ld names vertex %d of %d",
                           c / 3, shown->triangles[c], shown->vertex_count);
    for (long c = 0; c < 3L * coarse->triangle_count; c++)
        if (coarse->triangles[c] < 0 || coarse->triangles[c] >= coarse->vertex_count)
            return wf_fail(error, WEFT_ERROR_INPUT, "triangle %ld names vertex %d of %d", c / 3,
                           coarse->triangles[c], coarse->vertex_count);
    return WEFT_OK;
}

// A coarse triangle as it is, with the curved one through its corners.
typedef struct Corners {
    WfVec x[3], n[3];
    WfSmoothTriangle smooth;
} Corners;

static Corners corners_of(const WfPatches* p, int patch, const double* positions) {
    Corners corners;
    for (int c = 0; c < 3; c++) {
        int v = p->triangles[3 * (long)patch + c];
        corners.x[c] = wf_load(positions, v);
        corners.n[c] = wf_star_normal(&p->stars, positions, v);
    }
    corners.smooth = wf_smooth_triangle(corners.x, corners.n);
    return corners;
}

// How far the curved triangle is above the flat one, along the mixed normals.
static double rise_of(const Corners* corners, const double w[3]) {
    WfVec n = wf_blend(corners->n, w);
    WfVec up = wf_sub(wf_smooth_at(&corners->smooth, w), wf_blend(corners->x, w));
    double square = wf_dot(n, n);
    return square > 0 ? wf_dot(up, n) / square : 0;
}

// Heights by own vertices, as the patches have them, above the surface that is shown: what was
// embedded starts where it was.
static bool take_heights(WeftDetail* d, const WeftMesh* coarse, const WeftRefinement* map) {
    const WfPatches* p = &d->patches;
    if (!map->heights) return true;
    d->heights = wf_alloc(&d->allocator, (size_t)d->count, sizeof(double));
    if (!d->heights) return false;
    for (int t = 0; t < p->count; t++) {
        if (wf_own_count(p, t) == 0) continue;
        Corners corners = corners_of(p, t, coarse->positions);
        for (int k = p->own_start[t]; k < p->own_start[t + 1]; k++) {
            d->heights[k] = map->heights[p->own[k]];
            if (d->surface == WEFT_SURFACE_SMOOTH)
                d->heights[k] -= rise_of(&corners, p->weights + 3 * (long)k);
        }
    }
    return true;
}

static bool fill(WeftDetail* d, const WeftMesh* coarse, const WeftMesh* shown,
                 const WeftRefinement* map) {
    size_t corners = 3 * (size_t)d->triangle_count;
    d->triangles = wf_alloc(&d->allocator, corners, sizeof(int));
    if (!d->triangles) return false;
    memcpy(d->triangles, shown->triangles, corners * sizeof(int));
    return wf_stars_create(&d->allocator, d->count, d->triangle_count, d->triangles, &d->stars) &&
           !wf_patches_create(&d->allocator, coarse, map, &d->patches) &&
           take_heights(d, coarse, map);
}

WeftResult weft_create_detail(const WeftMesh* coarse, const WeftMesh* shown,
                              const WeftRefinement* map, WeftDetailSurface surface,
                              const WeftAllocator* allocator, WeftDetail** detail,
                              WeftError* error) {
    WeftAllocator own = wf_allocator(allocator);
    *detail = NULL;
    WeftResult result = check_map(coarse, shown, map, error);
    if (result) return result;
    WeftDetail* d = wf_alloc(&own, 1, sizeof *d);
    if (!d) return wf_fail_memory(error);
    *d = (WeftDetail){.allocator = own,
                      .surface = surface,
                      .coarse_count = coarse->vertex_count,
                      .count = shown->vertex_count,
                      .triangle_count = shown->triangle_count};
    if (!fill(d, coarse, shown, map)) {
        weft_destroy_detail(d);
        return wf_fail_memory(error);
    }
    *detail = d;
    return WEFT_OK;
}

WeftResult wf_detail_refined(const WeftMesh* coarse, int parts, const WeftAllocator* allocator,
                             WeftDetail** detail, WeftError* error) {
    WeftMesh shown;
    WeftRefinement map;
    *detail = NULL;
    WeftResult result = weft_refine_mesh(coarse, parts, allocator, &shown, &map, error);
    if (result) return result;
    result = weft_create_detail(coarse, &shown, &map, WEFT_SURFACE_FLAT, allocator, detail, error);
    weft_destroy_mesh(&shown);
    weft_destroy_refinement(&map);
    return result;
}

bool wf_detail_add_rows(WeftDetail* d) {
    const WfPatches* p = &d->patches;
    size_t patches = (size_t)p->count, numbers = 3 * (size_t)p->own_start[p->count];
    d->row_start = wf_alloc(&d->allocator, patches + 1, sizeof(size_t));
    if (!d->row_start) return false;
    for (int t = 0; t < p->count; t++)
        d->row_start[t + 1] =
            d->row_start[t] + 3 * (size_t)wf_own_count(p, t) * (size_t)wf_row_length(p, t);
    d->rows = wf_alloc(&d->allocator, d->row_start[patches], sizeof(int8_t));
    d->scales = wf_alloc(&d->allocator, numbers, sizeof(float));
    d->biases = wf_alloc(&d->allocator, numbers, sizeof(float));
    d->limits = wf_alloc(&d->allocator, patches, sizeof(float));
    return d->rows && d->scales && d->biases && d->limits;
}

bool wf_detail_add_modes(WeftDetail* d, int count) {
    size_t modes = (size_t)count, numbers = 3 * (size_t)d->patches.own_start[d->patches.count];
    d->modes.count = count;
    d->modes.frequencies = wf_alloc(&d->allocator, modes, sizeof(float));
    d->modes.phases = wf_alloc(&d->allocator, modes, sizeof(float));
    d->modes.strengths = wf_alloc(&d->allocator, modes, sizeof(float));
    d->modes.shapes = wf_alloc(&d->allocator, modes * numbers, sizeof(float));
    return d->modes.frequencies && d->modes.phases && d->modes.strengths && d->modes.shapes;
}

void weft_destroy_detail(WeftDetail* d) {
    if (!d) return;
    WeftAllocator allocator = d->allocator;
    wf_patches_destroy(&allocator, &d->patches);
    wf_stars_destroy(&allocator, &d->stars);
    void* all[] = {d->triangles,    d->heights,         d->row_start,   d->rows,
                   d->scales,       d->biases,          d->limits,      d->modes.frequencies,
                   d->modes.phases, d->modes.strengths, d->modes.shapes};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) wf_free(&allocator, all[k]);
    wf_free(&allocator, d);
}

int weft_detail_vertex_count(const WeftDetail* detail) { return detail->count; }
int weft_detail_triangle_count(const WeftDetail* detail) { return detail->triangle_count; }
const int* weft_detail_triangles(const WeftDetail* detail) { return detail->triangles; }
const char* weft_detail_name(const WeftDetail* detail) { return detail->learned.name; }
int weft_detail_parts(const WeftDetail* detail) { return detail->learned.parts; }

// ---------------------------------------------------------------------------------------------
// Applying

enum { LEAST_BLOCKS = 4 };  // of some 100 microseconds, for more than one thread

typedef struct Apply {
    const WeftDetail* detail;
    WfCoarse coarse;
    double amounts[WEFT_MAX_MODES];  // of modes, now
    double* positions;
} Apply;

// Features in 16 bits; returns what one is worth. Those that are no numbers count as nothing.
static double round_features(const float* features, int count, int length, int16_t* rounded) {
    static const float shift = 12582912;  // beside it, floats are whole numbers
    int32_t most = 0, start;
    for (int k = 0; k < count; k++) {
        int32_t bits;
        memcpy(&bits, &features[k], sizeof bits);
        bits &= INT32_MAX;  // ordered as sizes are, and what is no number comes last
        most = bits > most ? bits : most;
    }
    float largest;
    memcpy(&largest, &most, sizeof largest);
    bool good = largest > FLT_MIN && largest < FLT_MAX;
    float by = good ? INT16_MAX / largest : 0;
    memcpy(&start, &shift, sizeof start);
    for (int k = 0; k < count; k++) {
        float scaled = by * features[k] + shift;
        int32_t bits;
        memcpy(&bits, &scaled, sizeof bits);
        rounded[k] = (int16_t)(bits - start);
    }
    for (int k = good ? count : 0; k < length; k++) rounded[k] = 0;
    return good ? (double)(largest / INT16_MAX) : 0;
}

// Three rows at once.
static void multiply(const int8_t* rows, const int16_t* features, int length, int sums[3]) {
    const int8_t *second = rows + length, *third = second + length;
    WfInts x = wf_ints_set(0), y = x, z = x;
    for (int k = 0; k < length; k += WF_ROW_BLOCK) {
        x = wf_ints_add_products(x, rows + k, features + k);
        y = wf_ints_add_products(y, second + k, features + k);
        z = wf_ints_add_products(z, third + k, features + k);
    }
    sums[0] = wf_ints_sum(x), sums[1] = wf_ints_sum(y), sums[2] = wf_ints_sum(z);
}

static WfVec load_floats(const float* numbers) {
    return (WfVec){(double)numbers[0], (double)numbers[1], (double)numbers[2]};
}

// Where own vertex `at` of the patch is moved, in its frame.
static WfVec move_of(const Apply* a, int patch, long at, double unit, const int sums[3]) {
    const WeftDetail* d = a->detail;
    WfVec bias = load_floats(d->biases + 3 * at), scale = load_floats(d->scales + 3 * at);
    WfVec move = {bias.x + unit * scale.x * sums[0], bias.y + unit * scale.y * sums[1],
                  bias.z + unit * scale.z * sums[2]};
    for (int m = 0; m < d->modes.count; m++) {
        long number = 3 * (m * (long)d->patches.own_start[d->patches.count] + at);
        move = wf_madd(move, a->amounts[m], load_floats(d->modes.shapes + number));
    }
    double most = (double)d->limits[patch], square = wf_dot(move, move);
    return square > most * most ? wf_mul(most / sqrt(square), move) : move;
}

enum { RUN = 16 };  // vertices whose sums are taken before any of them is moved: none waits

static void show_learned(const Apply* a, int patch) {
    const WfPatches* p = &a->detail->patches;
    const int* v = p->triangles + 3 * (long)patch;
    const int8_t* rows = a->detail->rows + a->detail->row_start[patch];
    int length = wf_row_length(p, patch), sums[3 * RUN];
    const WfVec x[3] = {wf_load(a->coarse.positions, v[0]), wf_load(a->coarse.positions, v[1]),
                        wf_load(a->coarse.positions, v[2])};
    float features[WF_MOST_FEATURES];
    int16_t rounded[WF_MOST_FEATURES + WF_ROW_BLOCK];
    WfPatchFrame frame = wf_patch_frame(p, patch, a->coarse.positions);
    wf_patch_features(p, patch, &a->coarse, &frame, features);
    double unit = round_features(features, wf_feature_count(p, patch), length, rounded);
    long end = p->own_start[patch + 1];
    for (long first = p->own_start[patch]; first < end; first += RUN) {
        int count = end - first < RUN ? (int)(end - first) : RUN;
        for (int k = 0; k < count; k++, rows += 3 * (long)length)
            multiply(rows, rounded, length, sums + 3 * (long)k);
        for (int k = 0; k < count; k++) {
            WfVec move = move_of(a, patch, first + k, unit, sums + 3 * (long)k);
            WfVec lies = wf_blend(x, p->weights + 3 * (first + k));
            wf_store(a->positions, p->own[first + k], wf_add(lies, wf_out_of_frame(&frame, move)));
        }
    }
}

static void show_flat(const Apply* a, int patch) {
    const WfPatches* p = &a->detail->patches;
    for (int k = 0; k < wf_own_count(p, patch); k++)
        wf_store(a->positions, p->own[p->own_start[patch] + k],
                 wf_lies_at(p, patch, k, a->coarse.positions));
}

// On the curved triangle, or as high above the flat one as it was embedded, or both.
static void show_surface(const Apply* a, int patch) {
    const WeftDetail* d = a->detail;
    const WfPatches* p = &d->patches;
    Corners corners = corners_of(p, patch, a->coarse.positions);
    for (int k = p->own_start[patch]; k < p->own_start[patch + 1]; k++) {
        const double* w = p->weights + 3 * (long)k;
        bool curved = d->surface == WEFT_SURFACE_SMOOTH;
        WfVec at = curved ? wf_smooth_at(&corners.smooth, w) : wf_blend(corners.x, w);
        if (d->heights) at = wf_madd(at, d->heights[k], wf_blend(corners.n, w));
        wf_store(a->positions, p->own[k], at);
    }
}

static void show_patch(const Apply* a, int patch) {
    const WeftDetail* d = a->detail;
    if (wf_own_count(&d->patches, patch) == 0) return;
    if (d->learned.parts > 0)
        show_learned(a, patch);
    else if (d->heights || d->surface == WEFT_SURFACE_SMOOTH)
        show_surface(a, patch);
    else
        show_flat(a, patch);
}

static void show_patches(void* context, int block) {
    const Apply* a = context;
    int end = wf_item_end(a->detail->patches.count, block);
    for (int t = block * WF_ITEM_BLOCK; t < end; t++) show_patch(a, t);
}

static void show_loose(const Apply* a) {
    const WfPatches* p = &a->detail->patches;
    for (int i = 0; i < p->loose_count; i++) {
        WfVec sum = {0, 0, 0};
        for (int k = 0; k < 3; k++)
            sum = wf_madd(sum, p->loose_weights[3 * (long)i + k],
                          wf_load(a->coarse.positions, p->loose[4 * (long)i + 1 + k]));
        wf_store(a->positions, p->loose[4 * (long)i], sum);
    }
}

double wf_coarse_speed(const WeftDetail* d, const double* velocities) {
    double sum = 0;
    for (long k = 0; k < 3L * d->coarse_count && velocities; k++)
        sum += velocities[k] * velocities[k];
    return sqrt(sum / d->coarse_count);
}

static void swing_modes(Apply* a, double time) {
    const WfModes* modes = &a->detail->modes;
    if (modes->count == 0) return;
    double speed = wf_coarse_speed(a->detail, a->coarse.velocities);
    for (int m = 0; m < modes->count; m++) {
        double sine, cosine, turn = (double)modes->frequencies[m] * time;
        wf_sine_cosine(fmod(turn, 2 * WF_PI) + (double)modes->phases[m], &sine, &cosine);
        a->amounts[m] = speed * (double)modes->strengths[m] * sine;
    }
}

void weft_apply_detail(const WeftDetail* detail, const WeftDetailFrame* frame, const WeftJobs* jobs,
                       double* positions) {
    Apply apply = {
        .detail = detail,
        .coarse = {frame->positions, frame->velocities, wf_unit(wf_load(frame->gravity, 0))},
        .positions = positions};
    swing_modes(&apply, frame->time);
    int blocks = wf_item_blocks(detail->patches.count);
    wf_parallel_from(jobs, LEAST_BLOCKS, blocks, show_patches, &apply);
    show_loose(&apply);
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "contact/flat.h"

#include <float.h>
#include <math.h>

#include "base/parallel.h"
#include "base/simd.h"

enum { FOUR = 4, MOST_GROUPS = 64, MOST_ACROSS = 3 };  // cells
// By which floats may have F wrong: a part of it, and by places, so many units in the last place
// over an altitude.
#define ROUNDING 1e-5f
#define PLACES (8 * FLT_EPSILON)

typedef struct Vec {
    WfQuad x, y, z;
} Vec;

// Of four triangles: how they map the two axes of the plane.
typedef struct Maps {
    Vec u, v;
} Maps;

void wf_flat_layout(const WfChart* chart, WfArena* arena, WfFlat* flat) {
    flat->chart = chart;
    flat->cells = wf_arena_push(arena, (size_t)chart->sure_count, sizeof *flat->cells);
}

static WF_INLINE Vec sub(Vec a, Vec b) {
    return (Vec){wf_quad_sub(a.x, b.x), wf_quad_sub(a.y, b.y), wf_quad_sub(a.z, b.z)};
}

static WF_INLINE Vec add_two(WfQuad s, Vec a, WfQuad t, Vec b) {
    return (Vec){wf_quad_add(wf_quad_mul(s, a.x), wf_quad_mul(t, b.x)),
                 wf_quad_add(wf_quad_mul(s, a.y), wf_quad_mul(t, b.y)),
                 wf_quad_add(wf_quad_mul(s, a.z), wf_quad_mul(t, b.z))};
}

static WF_INLINE WfQuad dot(Vec a, Vec b) {
    return wf_quad_add(wf_quad_add(wf_quad_mul(a.x, b.x), wf_quad_mul(a.y, b.y)),
                       wf_quad_mul(a.z, b.z));
}

static WF_INLINE Vec gather(const float* places, const WfSurface* s, const int t[FOUR], int k) {
    WfQuad r[FOUR];
    for (int l = 0; l < FOUR; l++)
        r[l] = wf_quad_load(places + 8 * (long)s->triangles[3 * (long)t[l] + k]);
    wf_quad_transpose(r);
    return (Vec){r[0], r[1], r[2]};
}

static WF_INLINE Maps maps_of(const WfChart* c, const WfTree* tree, const int t[FOUR], int end) {
    const float* places = tree->places + 4 * end;
    WfQuad inverse[FOUR];
    for (int l = 0; l < FOUR; l++) inverse[l] = wf_quad_load(c->inverses + 4 * (long)t[l]);
    wf_quad_transpose(inverse);
    Vec a = gather(places, tree->surface, t, 0);
    Vec b = sub(gather(places, tree->surface, t, 1), a);
    Vec d = sub(gather(places, tree->surface, t, 2), a);
    return (Maps){add_two(inverse[0], b, inverse[2], d), add_two(inverse[1], b, inverse[3], d)};
}

static float sum_lanes(WfQuad q) {
    float v[FOUR];
    wf_quad_store(v, q);
    return (v[0] + v[1]) + (v[2] + v[3]);
}

static float least_lane(WfQuad q) {
    float v[FOUR];
    wf_quad_store(v, q);
    return fminf(fminf(v[0], v[1]), fminf(v[2], v[3]));
}

static float length_of(const float a[3]) { return sqrtf(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

// The frame that turns as the mean map does: its columns made square, then turned in their plane.
static void find_frame(const float mean_u[3], const float mean_v[3], WfFlatCell* cell) {
    float *u = cell->u, *v = cell->v, length = length_of(mean_u), along = 0;
    for (int k = 0; k < 3; k++) u[k] = length > 0 ? mean_u[k] / length : 0;
    for (int k = 0; k < 3; k++) along += u[k] * mean_v[k];
    for (int k = 0; k < 3; k++) v[k] = mean_v[k] - along * u[k];
    float across = length_of(v), cosine = length + across,
          size = sqrtf(cosine * cosine + along * along);
    for (int k = 0; k < 3; k++) v[k] = across > 0 ? v[k] / across : 0;
    // R^T F = (length along; 0 across): turned so that it is symmetric
    float c = size > 0 ? cosine / size : 1, s = size > 0 ? along / size : 0;
    for (int k = 0; k < 3; k++) {
        float a = u[k], b = v[k];
        u[k] = c * a - s * b;
        v[k] = s * a + c * b;
    }
}

// The least eigenvalue of the symmetric part of R^T F.
static WF_INLINE WfQuad least_stretch(const Maps* m, Vec u, Vec v) {
    WfQuad half = wf_quad_set(0.5f);
    WfQuad a = dot(u, m->u), d = dot(v, m->v);
    WfQuad b = wf_quad_mul(half, wf_quad_add(dot(u, m->v), dot(v, m->u)));
    WfQuad mean = wf_quad_mul(half, wf_quad_add(a, d)), e = wf_quad_mul(half, wf_quad_sub(a, d));
    return wf_quad_sub(mean, wf_quad_sqrt(wf_quad_add(wf_quad_mul(e, e), wf_quad_mul(b, b))));
}

typedef struct Fit {
    WfFlat* flat;
    const WfTree* tree;
} Fit;

static void fit_cell(const Fit* fit, int index) {
    const WfChart* c = fit->flat->chart;
    WfFlatCell* cell = &fit->flat->cells[index];
    const int* t = c->triangles + c->start[index];
    int groups = (c->start[index + 1] - c->start[index]) / FOUR;
    Maps maps[2 * MOST_GROUPS];
    Vec zero = {wf_quad_set(0), wf_quad_set(0), wf_quad_set(0)};
    Maps sum = {zero, zero};
    if (groups > MOST_GROUPS) {
        cell->u[3] = -1;
        return;
    }
    WfQuad one = wf_quad_set(1), most = wf_quad_set(0);
    for (int k = 0; k < 2 * groups; k++) {
        maps[k] = maps_of(c, fit->tree, t + FOUR * (k / 2), k % 2);
        sum = (Maps){add_two(one, sum.u, one, maps[k].u), add_two(one, sum.v, one, maps[k].v)};
        most = wf_quad_max(most, wf_quad_add(dot(maps[k].u, maps[k].u), dot(maps[k].v, maps[k].v)));
    }
    float u[3] = {sum_lanes(sum.u.x), sum_lanes(sum.u.y), sum_lanes(sum.u.z)};
    float v[3] = {sum_lanes(sum.v.x), sum_lanes(sum.v.y), sum_lanes(sum.v.z)};
    find_frame(u, v, cell);
    Vec frame_u = {wf_quad_set(cell->u[0]), wf_quad_set(cell->u[1]), wf_quad_set(cell->u[2])};
    Vec frame_v = {wf_quad_set(cell->v[0]), wf_quad_set(cell->v[1]), wf_quad_set(cell->v[2])};
    WfQuad least = wf_quad_set(FLT_MAX);
    for (int k = 0; k < 2 * groups; k++)
        least = wf_quad_min(least, least_stretch(&maps[k], frame_u, frame_v));
    float size = sqrtf(-least_lane(wf_quad_sub(wf_quad_set(0), most)));
    float places = PLACES * (float)fit->tree->size / c->altitudes[index];
    cell->u[3] = least_lane(least) - ROUNDING * size - places;
    cell->v[3] = size;
}

static void fit_cells(void* context, int first, int end) {
    for (int k = first; k < end; k++) fit_cell(context, k);
}

void wf_flat_fit(WfFlat* flat, const WfTree* tree) {
    Fit fit = {flat, tree};
    wf_parallel_items(tree->jobs, flat->chart->sure_count, fit_cells, &fit);
}

// How far apart two frames are, as maps.
static float differ(const WfFlatCell* a, const WfFlatCell* b) {
    float sum = 0;
    for (int k = 0; k < 3; k++) {
        float u = a->u[k] - b->u[k], v = a->v[k] - b->v[k];
        sum += u * u + v * v;
    }
    return sqrtf(sum);
}

bool wf_is_flat(const WfFlat* flat, const WfRect* rect, float apart, float apart_points) {
    const WfChart* c = flat->chart;
    float over = (float)(1 / c->cell), most = MOST_ACROSS * (float)c->cell;
    if (!(rect->high[0] - rect->low[0] < most) || !(rect->high[1] - rect->low[1] < most))
        return false;
    int left = (int)(rect->low[0] * over), right = (int)(rect->high[0] * over);
    int low = (int)(rect->low[1] * over), high = (int)(rect->high[1] * over);
    if (right >= c->columns || high >= c->rows) return false;
    int middle = c->number[(low + high) / 2 * c->columns + (left + right) / 2];
    if (middle < 0) return false;
    const WfFlatCell* frame = &flat->cells[middle];
    for (int row = low; row <= high; row++)
        for (int column = left; column <= right; column++) {
            int cell = c->number[row * c->columns + column];
            if (cell < 0) return false;
            const WfFlatCell* of = &flat->cells[cell];
            float s = of->u[3] - (cell == middle ? 0 : differ(of, frame) * of->v[3]);
            if (!(s * c->altitudes[cell] > apart && s * c->gaps[cell] > apart_points)) return false;
        }
    return true;
}

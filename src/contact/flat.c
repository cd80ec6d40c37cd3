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

static float most_lane(WfQuad q) {
    float v[FOUR];
    wf_quad_store(v, q);
    return fmaxf(fmaxf(v[0], v[1]), fmaxf(v[2], v[3]));
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
    for (int k = 0; k < 3; k++)
        cell->n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
}

static WF_INLINE Vec spread(const float a[3]) {
    return (Vec){wf_quad_set(a[0]), wf_quad_set(a[1]), wf_quad_set(a[2])};
}

static WF_INLINE WfQuad sum_squares(WfQuad a, WfQuad b) {
    return wf_quad_add(wf_quad_mul(a, a), wf_quad_mul(b, b));
}

// Of four maps as a frame sees them: the least eigenvalue of the symmetric part of R^T F; squares
// of R^T F and n^T F.
typedef struct Sizes {
    WfQuad least, within, beyond;
} Sizes;

static WF_INLINE Sizes measure(const Maps* m, Vec u, Vec v, Vec n) {
    WfQuad half = wf_quad_set(0.5f);
    WfQuad a = dot(u, m->u), b = dot(u, m->v), c = dot(v, m->u), d = dot(v, m->v);
    WfQuad side = wf_quad_mul(half, wf_quad_add(b, c));
    WfQuad mean = wf_quad_mul(half, wf_quad_add(a, d)), e = wf_quad_mul(half, wf_quad_sub(a, d));
    return (Sizes){wf_quad_sub(mean, wf_quad_sqrt(sum_squares(e, side))),
                   wf_quad_add(sum_squares(a, b), sum_squares(c, d)),
                   sum_squares(dot(n, m->u), dot(n, m->v))};
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
        cell->s = -1;
        return;
    }
    WfQuad one = wf_quad_set(1);
    for (int k = 0; k < 2 * groups; k++) {
        maps[k] = maps_of(c, fit->tree, t + FOUR * (k / 2), k % 2);
        sum = (Maps){add_two(one, sum.u, one, maps[k].u), add_two(one, sum.v, one, maps[k].v)};
    }
    float u[3] = {sum_lanes(sum.u.x), sum_lanes(sum.u.y), sum_lanes(sum.u.z)};
    float v[3] = {sum_lanes(sum.v.x), sum_lanes(sum.v.y), sum_lanes(sum.v.z)};
    find_frame(u, v, cell);
    Vec frame_u = spread(cell->u), frame_v = spread(cell->v), normal = spread(cell->n);
    Sizes all = {wf_quad_set(FLT_MAX), wf_quad_set(0), wf_quad_set(0)};
    for (int k = 0; k < 2 * groups; k++) {
        Sizes some = measure(&maps[k], frame_u, frame_v, normal);
        all = (Sizes){wf_quad_min(all.least, some.least), wf_quad_max(all.within, some.within),
                      wf_quad_max(all.beyond, some.beyond)};
    }
    cell->within = sqrtf(most_lane(all.within));
    cell->beyond = sqrtf(most_lane(all.beyond));
    float places = PLACES * (float)fit->tree->size / c->altitudes[index];
    cell->s = -most_lane(wf_quad_sub(wf_quad_set(0), all.least)) -
              ROUNDING * (cell->within + cell->beyond) - places;
}

enum { BLOCK = 32 };  // cells, which take some 20 us

static void fit_block(void* context, int block) {
    const Fit* fit = context;
    int end = (block + 1) * BLOCK, count = fit->flat->chart->sure_count;
    for (int k = block * BLOCK; k < end && k < count; k++) fit_cell(fit, k);
}

void wf_flat_fit(WfFlat* flat, const WfTree* tree) {
    Fit fit = {flat, tree};
    wf_parallel(tree->jobs, (flat->chart->sure_count + BLOCK - 1) / BLOCK, fit_block, &fit);
}

static float dot_floats(const float a[3], const float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// s of a cell as the frame Q of another sees it: Q^T F = (Q^T R) (R^T F) + (Q^T n) (n^T F). Cloth
// that only bends from cell to cell loses little: R^T Q is short of one by the square of the angle.
static float seen_by(const WfFlatCell* cell, const WfFlatCell* frame) {
    float uu = 1 - dot_floats(frame->u, cell->u), uv = dot_floats(frame->u, cell->v);
    float vu = dot_floats(frame->v, cell->u), vv = 1 - dot_floats(frame->v, cell->v);
    float un = dot_floats(frame->u, cell->n), vn = dot_floats(frame->v, cell->n);
    return cell->s - sqrtf(uu * uu + uv * uv + vu * vu + vv * vv) * cell->within -
           sqrtf(un * un + vn * vn) * cell->beyond;
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
            float s = cell == middle ? of->s : seen_by(of, frame);
            if (!(s * c->altitudes[cell] > apart && s * c->gaps[cell] > apart_points)) return false;
        }
    return true;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Turbulence is a sum of plane waves that shear the air:
//
//     u(x, t) = sum_j a_j wave(k_j.(x - U t) + w_j t + p_j),    a_j square to k_j
//
// so that each is free of divergence, whatever the wave, and so is their sum; no potential has to
// be differentiated. Wave numbers are spread evenly in their logarithm, from 1/length to 16 times
// as much; Kolmogorov's spectrum E ~ k^(-5/3) gives each a square of k^(-2/3), as the waves stand
// for ranges of k as wide as k itself. A wave changes as fast as eddies of its size turn round, w ~
// k^(2/3). Gusts are the same along one line, with fronts instead of eddies, and longer waves as
// well, for it is these that are felt as gusts.
//
// The same bits everywhere: a wave is no sine of the C library, but a polynomial.

#include "energy/wind.h"

#include <math.h>
#include <stdint.h>

#include "base/angle.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/vec.h"

// ---------------------------------------------------------------------------------------------
// Waves

// The sine of so many turns, to 1e-6: the series of sin(2 pi r) / (r (1 - 4 r^2)), which has its
// zeros where the sine has them, for r from -1/2 to 1/2.
static double wave(double turns) {
    static const double MAGIC = 0x1.8p52;  // what is added to it is rounded to a whole number
    double whole = turns + MAGIC;
    double r = turns - (whole - MAGIC), z = r * r;
    double sum = 3.5457386 - z * 0.911688168;
    sum = -9.62823884 + z * sum;
    sum = 16.7694052 + z * sum;
    sum = -16.208961 + z * sum;
    sum = 6.283185307179586 + z * sum;
    return r * (1 - 4 * z) * sum;
}

// 0 to 1, the k-th of a seed
static double draw(unsigned seed, int k) {
    uint64_t hash = wf_hash_word(wf_hash_word(WF_HASH_START, seed), (uint64_t)k + 1);
    hash = wf_hash_word(wf_hash_word(hash, hash >> 29), (uint64_t)k);
    return (double)(hash >> 11) / (double)(UINT64_C(1) << 53);
}

// A direction, all of them as likely: the first draw of a few that is in the ball.
static WfVec draw_direction(unsigned seed, int k) {
    WfVec v = {1, 0, 0};
    for (int try = 0; try < 16; try++) {
        int at = 1000 * k + 3 * try;
        v = (WfVec){2 * draw(seed, at) - 1, 2 * draw(seed, at + 1) - 1, 2 * draw(seed, at + 2) - 1};
        double square = wf_dot(v, v);
        if (square < 1 && square > 0.01) break;
    }
    return wf_unit(v);
}

enum { WAVES = 32, GUSTS = 8 };

typedef struct Waves {
    double kx[WAVES], ky[WAVES], kz[WAVES], phase[WAVES];  // turns per m, turns
    double ax[WAVES], ay[WAVES], az[WAVES];                // m/s
} Waves;

static const double SMALLEST = 16;   // times smaller than `length` are the smallest eddies
static const double TURNOVER = 0.5;  // turns of a wave while its eddies pass it once

// x^(1/3) for x from 1/1000 to 1000: Newton's method, as cbrt has other bits elsewhere.
static double cube_root(double x) {
    double r = x < 1 ? 1 : x;
    for (int k = 0; k < 40; k++) r -= (r - x / (r * r)) / 3;
    return r;
}

// SMALLEST to the power of part
static double times_smaller(double part) {
    double size = 1, step = SMALLEST;
    for (int bit = 0; bit < 24; bit++) {
        step = sqrt(step);
        part *= 2;
        if (part >= 1) size *= step;
        if (part >= 1) part -= 1;
    }
    return size;
}

static void make_waves(const WeftWind* w, double time, Waves* waves) {
    double squares = 0;
    for (int j = 0; j < WAVES; j++) {
        double finer = times_smaller((j + draw(w->seed, j)) / WAVES);
        double third = cube_root(finer), size = 1 / third;  // of a^2 ~ k^(-2/3)
        WfVec k = wf_mul(finer / w->length, draw_direction(w->seed, 10 + j));
        WfVec a = wf_cross(k, draw_direction(w->seed, 100 + j));
        if (wf_dot(a, a) == 0) a = wf_cross(k, (WfVec){k.y, k.z, -k.x});
        a = wf_mul(size, wf_unit(a));
        double changes = TURNOVER * w->strength / w->length * third * third;
        double phase = draw(w->seed, 200 + j) + changes * (draw(w->seed, 300 + j) - 0.5) * 2 * time;
        waves->kx[j] = k.x, waves->ky[j] = k.y, waves->kz[j] = k.z;
        waves->ax[j] = a.x, waves->ay[j] = a.y, waves->az[j] = a.z;
        waves->phase[j] = phase - time * wf_dot(k, wf_load(w->velocity, 0));
        squares += wf_dot(a, a) / 2;
    }
    double scale = w->strength / sqrt(squares);
    for (int j = 0; j < WAVES; j++)
        waves->ax[j] *= scale, waves->ay[j] *= scale, waves->az[j] *= scale;
}

static WfVec sum_waves(const Waves* waves, WfVec x) {
    double sx = 0, sy = 0, sz = 0, value[WAVES];
    for (int j = 0; j < WAVES; j++)
        value[j] =
            wave(waves->kx[j] * x.x + waves->ky[j] * x.y + waves->kz[j] * x.z + waves->phase[j]);
    for (int j = 0; j < WAVES; j++) {
        sx += value[j] * waves->ax[j];
        sy += value[j] * waves->ay[j];
        sz += value[j] * waves->az[j];
    }
    return (WfVec){sx, sy, sz};
}

// Waves of 4 lengths to a quarter of one, along the wind.
static void make_gusts(const WeftWind* w, double time, Waves* waves) {
    double speed = wf_length(wf_load(w->velocity, 0));
    WfVec along = wf_unit(wf_load(w->velocity, 0));
    for (int j = 0; j < GUSTS; j++) {
        double finer = 0.25 * times_smaller((j + draw(w->seed, j)) / GUSTS);
        WfVec k = wf_mul(finer / w->length, along);
        waves->kx[j] = k.x, waves->ky[j] = k.y, waves->kz[j] = k.z;
        waves->ax[j] = w->strength * sqrt(2.0 / GUSTS);
        waves->phase[j] = draw(w->seed, 200 + j) - time * speed * finer / w->length;
    }
}

static WfVec gust_at(const WeftWind* w, const Waves* waves, WfVec x) {
    double sum = 1;
    for (int j = 0; j < GUSTS; j++)
        sum += waves->ax[j] *
               wave(waves->kx[j] * x.x + waves->ky[j] * x.y + waves->kz[j] * x.z + waves->phase[j]);
    return wf_mul(sum > 0 ? sum : 0, wf_load(w->velocity, 0));
}

// ---------------------------------------------------------------------------------------------
// Sources, vortices, grids

static WfVec source_at(const WeftWind* w, WfVec x) {
    WfVec away = wf_sub(x, wf_load(w->position, 0));
    double r = wf_length(away), core = w->length;
    double speed = r < core ? r / core : core * core / (r * r);
    return r > 0 ? wf_mul(w->strength * speed / r, away) : away;
}

static WfVec vortex_at(const WeftWind* w, WfVec x) {
    WfVec axis = wf_unit(wf_load(w->axis, 0));
    WfVec around = wf_cross(axis, wf_sub(x, wf_load(w->position, 0)));  // as long as r
    double square = wf_dot(around, around) + w->length * w->length;
    return wf_mul(w->strength / (2 * WF_PI * square), around);
}

// A node, those around the grid 0 or again from its start.
static WfVec node_at(const WeftWind* w, const long at[3]) {
    long index = 0;
    for (int d = 2; d >= 0; d--) {
        long count = w->counts[d], k = at[d];
        if (w->repeats) k = (k % count + count) % count;
        if (k < 0 || k >= count) return (WfVec){0, 0, 0};
        index = index * count + k;
    }
    const float* node = w->grid + 3 * index;
    return (WfVec){(double)node[0], (double)node[1], (double)node[2]};
}

static const double FAR = 1e15;  // cells: nothing is known there

static WfVec grid_at(const WeftWind* w, WfVec x) {
    const double place[3] = {x.x, x.y, x.z};
    double part[3];
    long low[3];
    WfVec sum = {0, 0, 0};
    for (int d = 0; d < 3; d++) {
        double at = (place[d] - w->origin[d]) / w->cell[d];
        if (!(fabs(at) < FAR)) return sum;
        low[d] = (long)floor(at);
        part[d] = at - floor(at);
    }
    for (int c = 0; c < 8; c++) {
        long at[3];
        double share = 1;
        for (int d = 0; d < 3; d++) {
            bool high = c >> d & 1;
            at[d] = low[d] + high;
            share *= high ? part[d] : 1 - part[d];
        }
        sum = wf_madd(sum, share, node_at(w, at));
    }
    return sum;
}

// ---------------------------------------------------------------------------------------------
// The sum

typedef struct Blow {
    const WeftWind* part;
    Waves waves;
    const double* positions;
    double* velocities;
} Blow;

static WfVec wind_at(const Blow* b, WfVec x) {
    switch (b->part->kind) {
        case WEFT_WIND_GUSTS:
            return gust_at(b->part, &b->waves, x);
        case WEFT_WIND_TURBULENCE:
            return sum_waves(&b->waves, x);
        case WEFT_WIND_SOURCE:
            return source_at(b->part, x);
        case WEFT_WIND_VORTEX:
            return vortex_at(b->part, x);
        case WEFT_WIND_GRID:
            return grid_at(b->part, x);
        case WEFT_WIND_UNIFORM:
        case WEFT_WIND_CALLBACK:
            break;
    }
    return wf_load(b->part->velocity, 0);
}

static void blow_items(void* context, int first, int end) {
    const Blow* b = context;
    for (int i = first; i < end; i++)
        wf_accumulate(b->velocities, i, 1, wind_at(b, wf_load(b->positions, i)));
}

// What a callback says comes after all others: its room is that of a few places at a time.
enum { ROOM = 256 };

static void call_back(const WeftWind* w, double time, int count, const double* positions,
                      double* velocities) {
    double own[3 * ROOM];
    for (int first = 0; first < count; first += ROOM) {
        int some = count - first < ROOM ? count - first : ROOM;
        for (int i = 0; i < 3 * some; i++) own[i] = 0;
        w->function(w->user, some, positions + 3 * (long)first, time, own);
        for (int i = 0; i < 3 * some; i++) velocities[3 * (long)first + i] += own[i];
    }
}

// Sums and fields that are faster than wind can be keep their direction.
static void bound_items(void* context, int first, int end) {
    double* velocities = ((const Blow*)context)->velocities;
    for (int i = first; i < end; i++) {
        WfVec v = wf_load(velocities, i);
        double speed = wf_length(v);
        if (speed > WF_FASTEST_WIND)
            wf_store(velocities, i, wf_mul(WF_FASTEST_WIND, wf_mul(1 / speed, v)));
    }
}

void wf_blow(const WeftJobs* jobs, int part_count, const WeftWind* parts, double time, int count,
             const double* positions, double* velocities) {
    for (int p = 0; p < part_count; p++) {
        Blow blow = {.part = &parts[p], .positions = positions, .velocities = velocities};
        if (parts[p].kind == WEFT_WIND_CALLBACK) {
            call_back(&parts[p], time, count, positions, velocities);
            continue;
        }
        if (parts[p].kind == WEFT_WIND_TURBULENCE) make_waves(&parts[p], time, &blow.waves);
        if (parts[p].kind == WEFT_WIND_GUSTS) make_gusts(&parts[p], time, &blow.waves);
        wf_parallel_items(jobs, count, blow_items, &blow);
    }
    Blow all = {.velocities = velocities};
    wf_parallel_items(jobs, count, bound_items, &all);
}

WeftWind weft_default_wind(void) {
    return (WeftWind){
        .kind = WEFT_WIND_UNIFORM, .length = 1, .axis = {0, 1, 0}, .seed = 1, .cell = {1, 1, 1}};
}

void weft_copy_wind(int part_count, const WeftWind* parts, double time, int count,
                    const double* positions, double* velocities) {
    WeftJobs alone = {.thread_count = 1};
    for (long i = 0; i < 3L * count; i++) velocities[i] = 0;
    wf_blow(&alone, part_count, parts, time, count, positions, velocities);
}

// ---------------------------------------------------------------------------------------------
// Checks

static bool are_finite(const double* values, int count) {
    for (int i = 0; i < count; i++)
        if (!isfinite(values[i])) return false;
    return true;
}

static WeftResult check_grid(const WeftWind* w, WeftError* error) {
    double nodes = 1;
    for (int d = 0; d < 3; d++) {
        nodes *= w->counts[d];
        if (w->counts[d] < 2)
            return wf_fail(error, WEFT_ERROR_INPUT, "%d nodes along %c; at least 2", w->counts[d],
                           "xyz"[d]);
        if (!(w->cell[d] > 0) || !isfinite(w->cell[d]))
            return wf_fail(error, WEFT_ERROR_INPUT, "cells of %g m", w->cell[d]);
    }
    if (nodes > 1e9) return wf_fail(error, WEFT_ERROR_INPUT, "%g nodes are too many", nodes);
    if (!w->grid) return wf_fail(error, WEFT_ERROR_INPUT, "there is no grid");
    return WEFT_OK;
}

// The fastest that a part says it is by its own numbers; gusts, grids and callbacks may be more.
static double speed_of(const WeftWind* w) {
    double speed = wf_length(wf_load(w->velocity, 0)), strength = fabs(w->strength);
    if (w->kind == WEFT_WIND_TURBULENCE || w->kind == WEFT_WIND_SOURCE)
        return fmax(speed, strength);
    if (w->kind == WEFT_WIND_VORTEX) return fmax(speed, strength / (4 * WF_PI * w->length));
    return speed;
}

static WeftResult check_part(const WeftWind* w, WeftError* error) {
    bool sized = w->kind != WEFT_WIND_UNIFORM && w->kind < WEFT_WIND_GRID;
    WfVec axis = wf_load(w->axis, 0);
    if ((int)w->kind < 0 || w->kind > WEFT_WIND_CALLBACK)
        return wf_fail(error, WEFT_ERROR_INPUT, "kind is %d; it must be 0 to %d", (int)w->kind,
                       (int)WEFT_WIND_CALLBACK);
    if (!are_finite(w->velocity, 3) || !are_finite(w->position, 3) || !are_finite(w->origin, 3) ||
        !isfinite(w->strength))
        return wf_fail(error, WEFT_ERROR_INPUT, "a value is not a number");
    if (sized && (!(w->length > 0) || !isfinite(w->length)))
        return wf_fail(error, WEFT_ERROR_INPUT, "length is %g m; it must be above 0", w->length);
    if (w->kind == WEFT_WIND_VORTEX && !(wf_dot(axis, axis) > 0))
        return wf_fail(error, WEFT_ERROR_INPUT, "its axis has no direction");
    if (speed_of(w) > WF_FASTEST_WIND)
        return wf_fail(error, WEFT_ERROR_INPUT, "it blows at %g m/s; at most %g", speed_of(w),
                       WF_FASTEST_WIND);
    if (w->kind == WEFT_WIND_CALLBACK && !w->function)
        return wf_fail(error, WEFT_ERROR_INPUT, "there is no function");
    return w->kind == WEFT_WIND_GRID ? check_grid(w, error) : WEFT_OK;
}

WeftResult wf_check_winds(int part_count, const WeftWind* parts, WeftError* error) {
    if (part_count < 0 || (part_count > 0 && !parts))
        return wf_fail(error, WEFT_ERROR_INPUT, "%d parts of wind, and no list of them",
                       part_count);
    for (int p = 0; p < part_count; p++) {
        WeftResult result = check_part(&parts[p], error);
        if (result) return wf_fail_prefix(error, result, "part %d of the wind: ", p);
    }
    return WEFT_OK;
}

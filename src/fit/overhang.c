// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Joint j lies before segment j and stands for the cloth around it: half of both segments, at the
// edge half of one. With curvatures k_j = (a_j - a_(j-1))/d_j and moments M(k) = B(k) k, segment j
// is in balance when
//
//     M(k_j) - M(k_(j+1)) + q (n - j - 1/2) cos a_j = 0,      q = density gravity D^2, M(k_n) = 0
//
// where D is a segment's length and n - j - 1/2 counts the segments that hang on it, and half of
// it. Added up from the free end, this is the moment of all that hangs beyond a joint. The
// derivative is symmetric, has three diagonals, and is positive while moments grow with curvature
// and the strip hangs down.

#include "fit/overhang.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "base/band.h"
#include "material/elastic.h"

enum { N = WF_OVERHANG_SEGMENTS, MAX_STEPS = 200 };
static const double gravity = 9.81;
static const double longest_step = 0.3;  // of an angle: a flat strip hardly feels how steep it gets
static const double tolerance = 1e-13;   // over the moment at the edge of a strip that stays flat

void wf_overhang_init(WfOverhang* overhang, double length, double density, double degrees) {
    *overhang = (WfOverhang){.length = length, .density = density};
    wf_sine_cosine(degrees * (WF_PI / 180), &overhang->direction[1], &overhang->direction[0]);
}

static double curvature_at(const WfOverhang* o, const double* angles, int joint) {
    double segment = o->length / N;
    return joint == 0 ? 2 * angles[0] / segment : (angles[joint] - angles[joint - 1]) / segment;
}

// The moment of a joint, and its slope over the angle between its segments.
static double moment_at(const WfOverhang* o, const double row[WF_CURVATURES], const double* angles,
                        int joint, double* slope) {
    static const double difference = 1e-7;  // 1/m
    double curvature = curvature_at(o, angles, joint), stiffness = wf_row_bend(row, curvature);
    double more = fabs(curvature) + difference;
    double rise = wf_row_bend(row, more) * more - stiffness * fabs(curvature);
    *slope = fmax(rise / difference, 1e-3 * stiffness) * N / o->length * (joint == 0 ? 2 : 1);
    return stiffness * curvature;
}

typedef struct Balance {
    double rest[N];        // what is out of balance, per segment
    double matrix[2 * N];  // its derivative
    double length;         // of `rest`
    double energy;         // whose derivative `rest` is
} Balance;

static void find_balance(const WfOverhang* o, const double row[WF_CURVATURES], const double* angles,
                         Balance* b) {
    double segment = o->length / N, load = o->density * gravity * segment * segment, square = 0;
    *b = (Balance){.energy = 0};
    for (int j = 0; j < N; j++) {
        double sine, cosine, slope, moment = moment_at(o, row, angles, j, &slope);
        double hanging = load * (N - j - 0.5), bent = j == 0 ? segment / 2 : segment;
        wf_sine_cosine(angles[j], &sine, &cosine);
        b->energy += hanging * sine + bent * wf_row_energy(row, curvature_at(o, angles, j));
        b->rest[j] += moment + hanging * cosine;
        b->matrix[wf_band_at(1, j, j)] += slope + fmax(-hanging * sine, 0);
        if (j == 0) continue;
        b->rest[j - 1] -= moment;
        b->matrix[wf_band_at(1, j - 1, j - 1)] += slope;
        b->matrix[wf_band_at(1, j, j - 1)] = -slope;
    }
    for (int j = 0; j < N; j++) square += b->rest[j] * b->rest[j];
    b->length = sqrt(square);
}

// Go along the step until less is out of balance or, where the table has a kink in between, until
// the energy has fallen. False: neither.
static bool search_line(const WfOverhang* o, const double row[WF_CURVATURES], const double* step,
                        double* angles, Balance* b) {
    double largest = 0, slope = 0, trial[N];
    for (int j = 0; j < N; j++) {
        largest = fmax(largest, fabs(step[j]));
        slope += step[j] * b->rest[j];
    }
    for (double part = fmin(1, longest_step / largest); part > 1e-6; part /= 2) {
        Balance now;
        for (int j = 0; j < N; j++) trial[j] = angles[j] - part * step[j];
        find_balance(o, row, trial, &now);
        if (now.length < (1 - 1e-4 * part) * b->length ||
            now.energy < b->energy - 1e-4 * part * slope) {
            memcpy(angles, trial, sizeof trial);
            *b = now;
            return true;
        }
    }
    return false;
}

bool wf_overhang_drop(const WfOverhang* o, const WeftMeasured* measured, double angles[N]) {
    double row[WF_CURVATURES], step[N];
    double most = tolerance * o->density * gravity * o->length * o->length / 2;
    Balance b;
    wf_bend_row(measured, o->direction, row);
    find_balance(o, row, angles, &b);
    for (int i = 0; i < MAX_STEPS && b.length > most; i++) {
        memcpy(step, b.rest, sizeof step);
        if (!wf_band_factor(N, 1, b.matrix)) return false;
        wf_band_solve(N, 1, b.matrix, step);
        // where neither falls, rounding is all that is left
        if (!search_line(o, row, step, angles, &b)) return b.length < 1e3 * most;
    }
    return b.length <= most;
}

bool wf_overhang_shift(const WfOverhang* o, const WeftMeasured* measured, double angles[N]) {
    double row[WF_CURVATURES];
    Balance b;
    wf_bend_row(measured, o->direction, row);
    find_balance(o, row, angles, &b);
    if (!wf_band_factor(N, 1, b.matrix)) return false;
    wf_band_solve(N, 1, b.matrix, b.rest);
    for (int j = 0; j < N; j++) angles[j] -= b.rest[j];
    return true;
}

void wf_overhang_point(const WfOverhang* o, const double angles[N], double s, double point[2]) {
    double segment = o->length / N, left = fmin(fmax(s, 0), o->length);
    point[0] = point[1] = 0;
    for (int j = 0; j < N && left > 0; j++, left -= segment) {
        double sine, cosine, length = fmin(left, segment);
        wf_sine_cosine(angles[j], &sine, &cosine);
        point[0] += length * cosine;
        point[1] += length * sine;
    }
}

double wf_overhang_curvature(const WfOverhang* o, const double angles[N]) {
    double most = 0;
    for (int j = 0; j < N; j++) most = fmax(most, fabs(curvature_at(o, angles, j)));
    return most;
}

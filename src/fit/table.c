// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "fit/table.h"

#include <math.h>
#include <stdio.h>

#include "base/logarithm.h"

enum { POINTS = 6, CONSTANTS = 4, DIRECTIONS = 3, CURVATURES = 5 };

// A factor that is always above zero, and nearly e^d: (1 + d/2)/(1 - d/2).
static double factor_of(double d) {
    double half = fmin(fmax(d, -1), 1) / 2;
    return (1 + half) / (1 - half);
}

static double difference(double a, double b) { return wf_logarithm(a / b); }

// ---------------------------------------------------------------------------------------------
// Stretch: rows of c11, c12, c22, c33

// Of the root of c11 c22, the most that c12 may be: that of elastic.c.
static const double coupling = 0.95;

static double* stretch_values(WeftMeasured* m) { return &m->stretch[0][0]; }

static double root_of(const double* row) { return sqrt(row[0] * row[2]); }

// Like a sheet with Poisson's ratio 0.3.
static void fill_stretch(double stiffness, double* values) {
    double across = stiffness / (1 - 0.3 * 0.3);
    for (int i = 0; i < POINTS; i++) {
        double* row = values + CONSTANTS * i;
        row[0] = row[2] = across;
        row[1] = 0.3 * across;
        row[3] = 0.7 * across;
    }
}

// c12 is a fraction f of its bound, -1 < f < 1: t = f/sqrt(1 - f^2) may be anything, and moves.
static void move_stretch(const double* values, const double* step, double* to) {
    for (int i = 0; i < POINTS * CONSTANTS; i++) to[i] = values[i] * factor_of(step[i]);
    for (int i = 0; i < POINTS; i++) {
        const double* row = values + CONSTANTS * i;
        double f = fmin(fmax(row[1] / (coupling * root_of(row)), -0.999), 0.999);
        double t = f / sqrt(1 - f * f) + step[CONSTANTS * i + 1];
        to[CONSTANTS * i + 1] = coupling * root_of(to + CONSTANTS * i) * t / sqrt(1 + t * t);
    }
}

static double* tie_rows(const double* a, const double* b, double variation, double* ties) {
    for (int k = 0; k < CONSTANTS; k++)
        *ties++ =
            (k == 1 ? a[1] / root_of(a) - b[1] / root_of(b) : difference(a[k], b[k])) / variation;
    return ties;
}

// Rows of neighbouring directions are alike; to the row without strain less so. That one is tied,
// very loosely, to a sheet that is the same in all directions, so that something holds what no test
// moves.
static void tie_stretch(const double* values, double variation, double* ties) {
    const double* rest = values;
    for (int i = 1; i < POINTS; i++) {
        const double* row = values + CONSTANTS * i;
        if (i + 1 < POINTS) ties = tie_rows(row, row + CONSTANTS, variation, ties);
        ties = tie_rows(row, rest, 2 * variation, ties);
    }
    *ties++ = difference(rest[0], rest[2]) / (10 * variation);
    *ties++ = difference(rest[3], root_of(rest)) / (10 * variation);
    *ties++ = (rest[1] / root_of(rest) - 0.3) / (10 * variation);
}

static double scale_stretch(const double* values, int k) {
    return k % CONSTANTS == 1 ? root_of(values + k - 1) : values[k];
}

static void name_stretch(int k, char name[WF_VALUE_NAME]) {
    static const char* const constants[CONSTANTS] = {"c11", "c12", "c22", "c33"};
    const char* constant = constants[k % CONSTANTS];
    if (k < CONSTANTS)
        snprintf(name, WF_VALUE_NAME, "stretch[no strain].%s", constant);
    else
        snprintf(name, WF_VALUE_NAME, "stretch[%g degrees].%s", 22.5 * (k / CONSTANTS - 1),
                 constant);
}

const WfTable wf_stretch_values = {
    .count = POINTS * CONSTANTS,
    .tie_count = CONSTANTS * 9 + 3,
    .least = 1,
    .most = 1e6,
    .values = stretch_values,
    .fill = fill_stretch,
    .move = move_stretch,
    .tie = tie_stretch,
    .scale = scale_stretch,
    .name = name_stretch,
};

// ---------------------------------------------------------------------------------------------
// Bending: rows of directions, columns of curvatures

static double* bend_values(WeftMeasured* m) { return &m->bend[0][0]; }

static void fill_bend(double stiffness, double* values) {
    for (int i = 0; i < DIRECTIONS * CURVATURES; i++) values[i] = stiffness;
}

// The moment B z does not fall between the curvatures j and j + 1 while B(j+1)/B(j) is at least
// (j + 1)/(j + 2): what it is above that moves by factors.
static void move_bend(const double* values, const double* step, double* to) {
    for (int i = 0; i < DIRECTIONS; i++) {
        const double *row = values + CURVATURES * i, *d = step + CURVATURES * i;
        double* moved = to + CURVATURES * i;
        moved[0] = row[0] * factor_of(d[0]);
        for (int j = 0; j + 1 < CURVATURES; j++) {
            double bound = (j + 1.0) / (j + 2), above = fmax(row[j + 1] / row[j] - bound, 1e-6);
            moved[j + 1] = moved[j] * (bound + above * factor_of(d[j + 1]));
        }
    }
}

// Neighbours in direction and in curvature are alike.
static void tie_bend(const double* values, double variation, double* ties) {
    for (int i = 0; i < DIRECTIONS; i++)
        for (int j = 0; j < CURVATURES; j++) {
            const double* value = values + CURVATURES * i + j;
            if (i + 1 < DIRECTIONS)
                *ties++ = difference(value[0], value[CURVATURES]) / (2 * variation);
            if (j + 1 < CURVATURES) *ties++ = difference(value[0], value[1]) / variation;
        }
}

static double scale_bend(const double* values, int k) { return values[k]; }

static void name_bend(int k, char name[WF_VALUE_NAME]) {
    snprintf(name, WF_VALUE_NAME, "bend[%d degrees][%d /m]", 45 * (k / CURVATURES),
             10 * (k % CURVATURES));
}

const WfTable wf_bend_values = {
    .count = DIRECTIONS * CURVATURES,
    .tie_count = (DIRECTIONS - 1) * CURVATURES + DIRECTIONS * (CURVATURES - 1),
    .least = 1e-9,
    .most = 1,
    .values = bend_values,
    .fill = fill_bend,
    .move = move_bend,
    .tie = tie_bend,
    .scale = scale_bend,
    .name = name_bend,
};

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "material/elastic.h"

#include <math.h>

#include "base/angle.h"
#include "base/error.h"

enum { POINTS = 6, CONSTANTS = 4, DIRECTIONS = 3, CURVATURES = WF_CURVATURES };
static const double CURVATURE_STEP = 10;  // 1/m
// Least stiffness, over the largest of the table.
static const double LEAST = 1e-3;
// Largest |c12| over the root of c11 c22: 1 would let the cloth change shape for nothing.
static const double COUPLING = 0.95;

WfElastic wf_fabric_elastic(const WeftFabric* f) {
    double nu = f->poisson, across = 1 / (1 - nu * nu);
    return (WfElastic){.c11 = f->stretch_warp * across,
                       .c12 = nu * sqrt(f->stretch_warp * f->stretch_weft) * across,
                       .c22 = f->stretch_weft * across,
                       .c33 = 2 * f->shear};
}

WfElastic wf_scaled_elastic(WfElastic c, double scale) {
    return (WfElastic){scale * c.c11, scale * c.c12, scale * c.c22, scale * c.c33};
}

// ---------------------------------------------------------------------------------------------
// Stretch

static double largest_entry(const WeftMeasured* m) {
    double largest = 0;
    for (int i = 0; i < POINTS; i++)
        for (int k = 0; k < CONSTANTS; k++) largest = fmax(largest, fabs(m->stretch[i][k]));
    return largest;
}

static WfElastic make_positive(const double c[CONSTANTS], double least) {
    WfElastic e = {.c11 = fmax(c[0], least), .c22 = fmax(c[2], least), .c33 = fmax(c[3], least)};
    double most = COUPLING * sqrt(e.c11 * e.c22);
    e.c12 = fmin(fmax(c[1], -most), most);
    return e;
}

// How far the cloth is stretched, 0 to 1 at the reference strain, and in which of the four sectors
// of 22.5 degrees, and where in it.
static double find_place(const WeftMeasured* m, const double e[3], int* sector, double* within) {
    double difference = e[0] - e[1], half = difference / 2;
    double principal = (e[0] + e[1]) / 2 + sqrt(half * half + e[2] * e[2]);
    double stretch = sqrt(fmax(1 + 2 * principal, 0)) - 1;
    double angle = fabs(wf_angle_of(2 * e[2], difference)) / 2;  // 0 to 90 degrees
    double place = angle * (8 / WF_PI);
    *sector = place < 3 ? (int)place : 3;
    *within = fmin(place - *sector, 1);
    return fmin(fmax(stretch / m->reference_strain, 0), 1);
}

WfElastic wf_measured_elastic(const WeftMeasured* m, const double strain[3]) {
    int sector;
    double within, s = find_place(m, strain, &sector, &within), c[CONSTANTS];
    const double *at_rest = m->stretch[0], *a = m->stretch[1 + sector], *b = m->stretch[2 + sector];
    for (int k = 0; k < CONSTANTS; k++) {
        double ring = (1 - within) * a[k] + within * b[k];
        c[k] = (1 - s) * at_rest[k] + s * ring;
    }
    return make_positive(c, LEAST * largest_entry(m));
}

// With stress of 1 along the strip, strain along it is the compliance.
double wf_strip_stiffness(WfElastic e, const double direction[2]) {
    double uu = direction[0] * direction[0], vv = direction[1] * direction[1], l = uu + vv;
    uu /= l, vv /= l;
    double det = e.c11 * e.c22 - e.c12 * e.c12;
    double threads = (uu * uu * e.c22 + vv * vv * e.c11 - 2 * uu * vv * e.c12) / det;
    return 1 / (threads + 2 * uu * vv / e.c33);
}

// ---------------------------------------------------------------------------------------------
// Bending

void wf_bend_row(const WeftMeasured* m, const double direction[2], double row[CURVATURES]) {
    double place = wf_angle_of(fabs(direction[1]), fabs(direction[0])) * (4 / WF_PI);
    int first = place < 1 ? 0 : 1;  // between 0 and 45, or 45 and 90 degrees
    double w = fmin(place - first, 1);
    for (int k = 0; k < CURVATURES; k++)
        row[k] = (1 - w) * m->bend[first][k] + w * m->bend[first + 1][k];
}

double wf_row_bend(const double row[CURVATURES], double curvature) {
    double place = fmin(fabs(curvature) / CURVATURE_STEP, CURVATURES - 1);
    int k = place < CURVATURES - 2 ? (int)place : CURVATURES - 2;
    return row[k] + (place - k) * (row[k + 1] - row[k]);
}

// B = p + q z between two nodes, z the curvature: the integral of B z is p z^2/2 + q z^3/3.
double wf_row_energy(const double row[CURVATURES], double curvature) {
    double end = fabs(curvature), last = (CURVATURES - 1) * CURVATURE_STEP, energy = 0;
    for (int k = 0; k + 1 < CURVATURES; k++) {
        double z0 = k * CURVATURE_STEP, z1 = fmin(z0 + CURVATURE_STEP, end);
        if (z1 <= z0) return energy;
        double q = (row[k + 1] - row[k]) / CURVATURE_STEP, p = row[k] - q * z0;
        energy += p / 2 * (z1 * z1 - z0 * z0) + q / 3 * (z1 * z1 * z1 - z0 * z0 * z0);
    }
    if (end > last) energy += row[CURVATURES - 1] / 2 * (end * end - last * last);
    return energy;
}

double wf_measured_bend(const WeftMeasured* m, const double direction[2], double curvature) {
    double row[CURVATURES];
    wf_bend_row(m, direction, row);
    return wf_row_bend(row, curvature);
}

// Between the nodes k and k + 1 the moment B z has its least slope at one of them; where B falls,
// at the second. It is not below zero there while B(k+1) >= B(k) (k + 1)/(k + 2).
void wf_repair_measured(WeftMeasured* m) {
    for (int d = 0; d < DIRECTIONS; d++)
        for (int k = 0; k + 1 < CURVATURES; k++)
            m->bend[d][k + 1] = fmax(m->bend[d][k + 1], m->bend[d][k] * (k + 1) / (k + 2));
}

// ---------------------------------------------------------------------------------------------
// Refusals

static bool any_entry(const double* row, int count) {
    for (int k = 0; k < count; k++)
        if (row[k] != 0) return true;
    return false;
}

bool wf_has_measured_stretch(const WeftMeasured* m) {
    return any_entry(m->stretch[0], POINTS * CONSTANTS);
}
bool wf_has_measured_bend(const WeftMeasured* m) {
    return any_entry(m->bend[0], DIRECTIONS * CURVATURES);
}

static WeftResult check_rows(const char* table, const double* rows, int row_count, int count,
                             double low, double high, WeftError* error) {
    for (int r = 0; r < row_count; r++) {
        const double* row = rows + r * count;
        for (int k = 0; k < count; k++)
            if (!(row[k] >= low && row[k] <= high))
                return wf_fail(error, WEFT_ERROR_INPUT,
                               "the fabric's measured %s has %g in row %d, column %d; it must be "
                               "%g to %g",
                               table, row[k], r, k, low, high);
        if (!any_entry(row, count))
            return wf_fail(error, WEFT_ERROR_INPUT, "the fabric's measured %s has zeros in row %d",
                           table, r);
    }
    return WEFT_OK;
}

WeftResult wf_check_measured(const WeftMeasured* m, WeftError* error) {
    WeftResult result = WEFT_OK;
    if (wf_has_measured_stretch(m)) {
        if (!(m->reference_strain > 0 && m->reference_strain <= 2))
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "the fabric's reference_strain is %g; it must be above 0, up to 2",
                           m->reference_strain);
        result = check_rows("stretch", m->stretch[0], POINTS, CONSTANTS, -1e9, 1e9, error);
    }
    if (!result && wf_has_measured_bend(m))
        result = check_rows("bend", m->bend[0], DIRECTIONS, CURVATURES, 0, 1e6, error);
    return result;
}

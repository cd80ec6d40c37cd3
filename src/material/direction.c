// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What a fabric answers in a direction: for plots and lists.

#include "base/angle.h"
#include "material/elastic.h"

static void find_direction(double degrees, double direction[2]) {
    wf_sine_cosine(degrees * (WF_PI / 180), &direction[1], &direction[0]);
}

// Strain of a strip that is pulled along `n` until it is strained by `along` there: what a stress
// of 1 along n does, times as much.
static void find_strain(WfElastic c, const double n[2], double along, double strain[3]) {
    double det = c.c11 * c.c22 - c.c12 * c.c12, s = along * wf_strip_stiffness(c, n);
    double uu = s * n[0] * n[0], vv = s * n[1] * n[1];
    strain[0] = (c.c22 * uu - c.c12 * vv) / det;
    strain[1] = (c.c11 * vv - c.c12 * uu) / det;
    strain[2] = s * n[0] * n[1] / c.c33;
}

double weft_fabric_stiffness(const WeftFabric* fabric, double degrees, double strain) {
    double n[2], e[3] = {0, 0, 0}, along = strain + strain * strain / 2;  // Green's
    find_direction(degrees, n);
    if (!wf_has_measured_stretch(&fabric->measured))
        return wf_strip_stiffness(wf_fabric_elastic(fabric), n);
    // stiffness depends on all of the strain, and how the strip contracts on stiffness
    WfElastic c = wf_measured_elastic(&fabric->measured, e);
    for (int i = 0; i < 50; i++) {
        double next[3];
        find_strain(c, n, along, next);
        for (int k = 0; k < 3; k++) e[k] = (e[k] + next[k]) / 2;
        c = wf_measured_elastic(&fabric->measured, e);
    }
    return wf_strip_stiffness(c, n);
}

double weft_fabric_bending(const WeftFabric* fabric, double degrees, double curvature) {
    double n[2];
    find_direction(degrees, n);
    return wf_has_measured_bend(&fabric->measured)
               ? wf_measured_bend(&fabric->measured, n, curvature)
               : fabric->bend;
}

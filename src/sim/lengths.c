// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sim/lengths.h"

#include <math.h>

#include "base/assert.h"

static const double HALF_OCTAVE = 0.70710678118654752;     // 2^(-1/2)
static const double QUARTER_OCTAVE = 0.84089641525371454;  // 2^(-1/4)

// The bits of a member do not depend on h: halving and doubling are exact.
double wf_nearest_length(double member, double h) {
    wf_assert(member > 0 && h > 0 && isfinite(h));
    while (member < h) member *= 2;
    while (member / 2 >= h) member /= 2;
    if (h > QUARTER_OCTAVE * member) return member;
    return h > QUARTER_OCTAVE * HALF_OCTAVE * member ? HALF_OCTAVE * member : member / 2;
}

static const double MOST_GROWTH = 1.3660254037844386;  // (1 + sqrt 3)/2: b is 1/2 there

bool wf_length_grows(double old, double h) { return old > 0 && h > MOST_GROWTH * old; }

WfChange wf_change_length(double r) {
    wf_assert(r > 0);
    if (r == 1) return (WfChange){1, 1.0 / 3, 1.0 / 3};
    double p = r <= MOST_GROWTH ? r : 1 / (2 * (r - 1));
    return (WfChange){1.5 * (1 + p) / (1 + 2 * p), p * r / (1 + 2 * p), p / (1 + 2 * p)};
}

WeftStepDef wf_with_length(const WeftStepDef* def, double h) {
    WeftStepDef out = *def;
    if (def->dt / def->substeps != h) out.dt = h * def->substeps;
    return out;
}

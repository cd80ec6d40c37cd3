// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What sweeps have in common. Included by kernel_plain.c and kernel_wide.c, which say how functions
// are declared:
//
//     KERNEL    inlined
//     BODY      not inlined

#include "base/oct.h"
#include "small_steps/local.h"

// An element without a length has no direction, and stays.
static const float LEAST_SQUARE = 1e-16f;  // m^2, or of ratios to the rest length

// x, y and z of v, with the inverse masses of p
KERNEL void put(WfOct3 v, WfOct p[4]) { p[0] = v.x, p[1] = v.y, p[2] = v.z; }

// 1/(k h^2), of the stiffness that one sweep has
KERNEL WfOct compliance_of(const WfLocalJob* job, const float* inverse_stiffness) {
    float share = (float)job->sweeps / (job->h * job->h);
    return wf_oct_mul(wf_oct_load(inverse_stiffness), wf_oct_set(share));
}

// Damping by r, of a fibre that was `before` long: its rest length and compliance.
KERNEL void damp(WfOct r, WfOct before, WfOct* rest, WfOct* alpha) {
    WfOct share = wf_oct_div(wf_oct_set(1), wf_oct_add(wf_oct_set(1), r));
    *rest = wf_oct_mul(wf_oct_madd(r, before, *rest), share);
    *alpha = wf_oct_mul(*alpha, share);
}

// lambda over the length of a fibre: its ends move along it by w c times this. Fibres are `square`
// long, squared; W: sum w c^2. length: at rest, without damping.
KERNEL WfOct pull_of(const WfLocal* t, WfOct square, WfOct rest, WfOct length, WfOct r, WfOct W,
                     WfOct alpha) {
    WfOct l = wf_oct_sqrt(wf_oct_max(square, wf_oct_set(LEAST_SQUARE)));
    WfOct s = wf_oct_sub(l, rest);
    if (t->one_sided) s = wf_oct_max(s, wf_oct_zero());
    if (t->give > 0) {
        WfOct c = wf_oct_mul(wf_oct_set(t->give), length);
        WfOct u =
            wf_oct_div(wf_oct_mul(wf_oct_min(s, wf_oct_zero()), wf_oct_add(wf_oct_set(1), r)), c);
        alpha = wf_oct_mul(alpha, wf_oct_sqrt(wf_oct_madd(u, u, wf_oct_set(1))));
    }
    return wf_oct_div(s, wf_oct_mul(wf_oct_max(wf_oct_add(W, alpha), wf_oct_set(FLT_MIN)), l));
}

// The body of a sweep: batches from first to last, either way; `each` is told whether there is
// damping as a constant. (No macro makes the function itself: tools/single.pl must see its name.)
#define SWEEP(each)                                                                  \
    do {                                                                             \
        int step = first <= last ? 1 : -1;                                           \
        if (t->zeta > 0)                                                             \
            for (int b = first; b != last + step; b += step) each(t, job, b, true);  \
        else                                                                         \
            for (int b = first; b != last + step; b += step) each(t, job, b, false); \
    } while (0)

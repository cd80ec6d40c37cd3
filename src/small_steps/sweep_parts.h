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

// What is the same for all elements of a term in a sweep. With damping by r = zeta/h a fibre has the
// rest length (L + r l)/(1 + r), l as long as it was, and the compliance is less by 1 + r.
typedef struct Rates {
    WfOct softer;     // 1/h^2 of the stiffness that the sweep has, with damping: 1/s^2
    WfOct rest, old;  // 1/(1 + r) and r/(1 + r)
    WfOct press;      // (1 + r)/give
    bool gives, one_sided;
} Rates;

KERNEL Rates rates_of(const WfLocal* t, const WfLocalJob* job) {
    float r = t->zeta / job->h, share = 1 / (1 + r);
    return (Rates){.softer = wf_oct_set(share * (float)job->sweeps / (job->h * job->h)),
                   .rest = wf_oct_set(share),
                   .old = wf_oct_set(share * r),
                   .press = wf_oct_set(t->give > 0 ? (1 + r) / t->give : 0),
                   .gives = t->give > 0,
                   .one_sided = t->one_sided};
}

// 1/(k h^2)
KERNEL WfOct compliance_of(const Rates* rates, const float* inverse_stiffness) {
    return wf_oct_mul(wf_oct_load(inverse_stiffness), rates->softer);
}

KERNEL WfOct damped_rest(const Rates* rates, WfOct length, WfOct old) {
    return wf_oct_madd(rates->rest, length, wf_oct_mul(rates->old, old));
}

// lambda over the length of a fibre sum c x, which is `square` long, squared: its vertices go along
// it by w c times this. W: sum w c^2; press: that of the sweep, over the rest length.
KERNEL WfOct pull_of(const Rates* rates, WfOct square, WfOct rest, WfOct press, WfOct W,
                     WfOct alpha) {
    WfOct zero = wf_oct_zero();
    WfOct l = wf_oct_sqrt(wf_oct_max(square, wf_oct_set(LEAST_SQUARE)));
    WfOct s = wf_oct_sub(rest, l);
    alpha = wf_oct_mul(alpha, l);
    if (rates->one_sided) s = wf_oct_min(s, zero);
    if (rates->gives) {
        WfOct u = wf_oct_mul(wf_oct_max(s, zero), press);
        alpha = wf_oct_mul(alpha, wf_oct_sqrt(wf_oct_madd(u, u, wf_oct_set(1))));
    }
    return wf_oct_div(s, wf_oct_madd(wf_oct_max(W, wf_oct_set(FLT_MIN)), l, alpha));
}

// The body of a sweep over the batches of a colour; `each` is told whether there is damping as a
// constant. (No macro makes the function itself: tools/single.pl must see its name.)
#define SWEEP(each)                                                                    \
    do {                                                                               \
        const Rates rates = rates_of(t, job);                                          \
        if (t->zeta > 0)                                                               \
            for (int b = first; b < end; b++) each(t, job, &rates, b, true);           \
        else                                                                           \
            for (int b = first; b < end; b++) each(t, job, &rates, b, false);          \
    } while (0)

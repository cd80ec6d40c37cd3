// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Where will this vector point after the step? The estimators of the linear models, for one fibre.
//
//     previous   the direction of w(n)                                        (Desbrun 1999)
//     rotation   w(n) turned on by a omega(n) + b omega(n-1)                  (Choi 2013, 3.5-3.10)
//     vertex     the vector between vertices that move on freely              (Choi
//     2013, 3.15-3.17)
//
// To first order all of them but `previous` act on motion across the fibre like extra inertia: by
// h^2 kappa at weights (1, 0) and (2, -1, 0), by half of that at (1.5, -0.5) and (2.5, -2, 0.5).
// Full extrapolation, (2, -1) and (3, -3, 1), adds none but is excited by every nonlinearity and
// gains energy without bound. `previous` is a viscosity of h kappa: it brakes all turning.

#ifndef WF_ENERGY_ESTIMATOR_H
#define WF_ENERGY_ESTIMATOR_H

#include "base/vec.h"

// The rotation from a to b as a vector: axis times angle. Zero where a and b are parallel or
// opposite, which leaves the axis open.
static inline WfVec wf_rotation_between(WfVec a, WfVec b) {
    WfVec cross = wf_cross(a, b);
    double sine = wf_length(cross), product = sqrt(wf_dot(a, a) * wf_dot(b, b));
    if (!(sine > 1e-9 * product)) return (WfVec){0, 0, 0};
    return wf_mul(atan2(sine, wf_dot(a, b)) / sine, cross);
}

// Rodrigues: w turned by the rotation vector r.
static inline WfVec wf_rotate(WfVec r, WfVec w) {
    double angle = wf_length(r);
    if (angle < 1e-12) return w;
    WfVec axis = wf_mul(1 / angle, r);
    double c = cos(angle), s = sin(angle);
    WfVec turned = wf_madd(wf_mul(c, w), s, wf_cross(axis, w));
    return wf_madd(turned, (1 - c) * wf_dot(axis, w), axis);
}

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// PN triangles (Vlachos and others 2001): a cubic Bezier triangle. Between corners a and b,
//
//     a ---- (2a + b - s n_a)/3 ---- (a + 2b - t n_b)/3 ---- b     s = (b - a).n_a, t = (a - b).n_b
//
// so that a side depends on its two ends alone, and neighbours meet in it. The point in the middle
// is one that makes quadratic surfaces exact.

#include "detail/smooth.h"

// Of the length of a side: how steeply it leaves a corner at most, 30 degrees. Where cloth is
// folded, the normal of a corner says little of the triangles around it, and they would bulge.
static const double STEEP = 0.5;

static WfVec near_corner(WfVec a, WfVec n, WfVec b) {
    WfVec side = wf_sub(b, a);
    double rise = wf_dot(side, n), most = STEEP * wf_length(side);
    rise = rise > most ? most : rise < -most ? -most : rise;
    return wf_madd(wf_madd(a, 1.0 / 3, side), -rise / 3, n);
}

WfSmoothTriangle wf_smooth_triangle(const WfVec x[3], const WfVec n[3]) {
    WfSmoothTriangle s;
    WfVec edges = {0, 0, 0}, flat = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        s.corners[k] = x[k];
        s.sides[2 * k] = near_corner(x[k], n[k], x[(k + 1) % 3]);
        s.sides[2 * k + 1] = near_corner(x[k], n[k], x[(k + 2) % 3]);
        edges = wf_madd(wf_madd(edges, 1.0 / 6, s.sides[2 * k]), 1.0 / 6, s.sides[2 * k + 1]);
        flat = wf_madd(flat, 1.0 / 3, x[k]);
    }
    s.middle = wf_madd(edges, 0.5, wf_sub(edges, flat));
    return s;
}

static WfVec evaluate(const WfSmoothTriangle* s, const double w[3]) {
    WfVec sum = wf_mul(6 * w[0] * w[1] * w[2], s->middle);
    for (int k = 0; k < 3; k++) {
        double own = w[k], next = w[(k + 1) % 3], before = w[(k + 2) % 3];
        sum = wf_madd(sum, own * own * own, s->corners[k]);
        sum = wf_madd(sum, 3 * own * own * next, s->sides[2 * k]);
        sum = wf_madd(sum, 3 * own * own * before, s->sides[2 * k + 1]);
    }
    return sum;
}

WfVec wf_smooth_at(const WfSmoothTriangle* s, const double w[3]) {
    if (w[0] >= 0 && w[1] >= 0 && w[2] >= 0) return evaluate(s, w);
    double within[3], beyond[3], sum = 0;
    for (int k = 0; k < 3; k++) sum += w[k] > 0 ? w[k] : 0;
    for (int k = 0; k < 3; k++) {
        within[k] = w[k] > 0 ? w[k] / sum : 0;
        beyond[k] = w[k] - within[k];
    }
    return wf_add(evaluate(s, within), wf_blend(s->corners, beyond));
}

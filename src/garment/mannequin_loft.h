// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Parts of the mannequin's field, and how they flow into each other.
//
// A loft has the section r(u, v) = 1 at each place t of its axis: an ellipse, or somewhere between
// one and a curve of fourth order, that reaches as far as the stations say, by cubic pieces between
// them. (r - 1) / |grad r| is its distance to first order. The gradient is that on the surface, on
// the line from the middle of the section; it knows how the section changes along the axis, so
// slopes of shoulders are as far away as they look.

#ifndef WF_GARMENT_MANNEQUIN_LOFT_H
#define WF_GARMENT_MANNEQUIN_LOFT_H

#include <math.h>
#include <stdbool.h>

#include "garment/mannequin_shape.h"

// fmin() and fmax() of what is a number, without a call.
static inline double wf_less_of(double a, double b) { return a < b ? a : b; }
static inline double wf_more_of(double a, double b) { return a > b ? a : b; }

// Both flow into each other where their distances differ by less than k.
static inline double wf_join_smoothly(double a, double b, double k) {
    double overlap = wf_more_of(k - fabs(a - b), 0);
    return wf_less_of(a, b) - 0.25 * overlap * overlap / k;
}

// 0 up to low, 1 from high on
static inline double wf_rise(double low, double high, double x) {
    double t = wf_less_of(wf_more_of((x - low) / (high - low), 0), 1);
    return t * t * (3 - 2 * t);
}

// Slopes at the stations: of the parabola through a station and its neighbours.
static inline void wf_loft_finish(WfLoft* loft) {
    for (int k = 0; k < WF_STATION_VALUES; k++) {
        for (int i = 0; i < loft->count; i++) {
            int a = i > 0 ? i - 1 : i, c = i + 1 < loft->count ? i + 1 : i;
            double left =
                a < i ? (loft->value[i][k] - loft->value[a][k]) / (loft->at[i] - loft->at[a]) : 0;
            double right =
                i < c ? (loft->value[c][k] - loft->value[i][k]) / (loft->at[c] - loft->at[i]) : 0;
            double w = a < i && i < c ? (loft->at[c] - loft->at[i]) / (loft->at[c] - loft->at[a])
                       : a < i        ? 1
                                      : 0;
            loft->slope[i][k] = w * left + (1 - w) * right;
        }
    }
}

// The section at t between the first and the last station, and how it changes along t.
static inline void wf_loft_section(const WfLoft* loft, double t, double* value, double* change) {
    int low = 0, high = loft->count - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (loft->at[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    double h = loft->at[high] - loft->at[low], s = (t - loft->at[low]) / h;
    double h00 = (1 + 2 * s) * (1 - s) * (1 - s), h10 = s * (1 - s) * (1 - s) * h;
    double h01 = s * s * (3 - 2 * s), h11 = s * s * (s - 1) * h;
    double d00 = 6 * s * (s - 1) / h, d10 = (1 - s) * (1 - 3 * s), d11 = s * (3 * s - 2);
    for (int k = 0; k < WF_STATION_VALUES; k++) {
        double a = loft->value[low][k], b = loft->value[high][k];
        double p = loft->slope[low][k], q = loft->slope[high][k];
        value[k] = h00 * a + h10 * p + h01 * b + h11 * q;
        change[k] = d00 * (a - b) + d10 * p + d11 * q;
    }
}

static inline double wf_loft_distance(const WfLoft* loft, WfVec p) {
    double value[WF_STATION_VALUES], change[WF_STATION_VALUES];
    WfVec from = wf_sub(p, loft->origin);
    double t = wf_dot(from, loft->axis), first = loft->at[0], last = loft->at[loft->count - 1];
    double inner = wf_less_of(wf_more_of(t, first), last),
           cap = t < first ? loft->cap[0] : loft->cap[1];
    double over = (t - inner) / cap;
    wf_loft_section(loft, inner, value, change);
    double u = wf_dot(from, loft->across) - value[WF_ACROSS];
    double v = wf_dot(from, loft->deep) - value[WF_DEEP];
    int reach_u = u > 0 ? WF_ACROSS_MORE : WF_ACROSS_LESS;
    int reach_v = v > 0 ? WF_DEEP_MORE : WF_DEEP_LESS;
    double a = value[reach_u], b = value[reach_v], square = value[WF_SQUARE];
    u /= a;
    v /= b;
    double uu = u * u, vv = v * v, ww = over * over;
    double r2 = sqrt(uu + vv + ww) + 1e-12, r4 = sqrt(sqrt(uu * uu + vv * vv + ww * ww)) + 1e-12;
    double r = (1 - square) * r2 + square * r4;
    double c2 = (1 - square) / r2, c4 = square / (r4 * r4 * r4);
    double by_u = u * (c2 + c4 * uu), by_v = v * (c2 + c4 * vv), by_w = over * (c2 + c4 * ww);
    double by_t = by_w / cap;
    if (over == 0)
        by_t = -by_u * (change[WF_ACROSS] + u / r * change[reach_u]) / a -
               by_v * (change[WF_DEEP] + v / r * change[reach_v]) / b;
    double slope = sqrt(by_u * by_u / (a * a) + by_v * by_v / (b * b) + by_t * by_t);
    return (r - 1) / (slope + 1e-9);
}

// The hull of two balls, neither of which holds the other (Quilez, "distance functions").
static inline double wf_swell_distance(const WfSwell* swell, WfVec p) {
    WfVec along = wf_sub(swell->to, swell->from), from = wf_sub(p, swell->from);
    double length2 = wf_dot(along, along), less = swell->from_radius - swell->to_radius;
    double a2 = length2 - less * less, inverse = 1 / length2;
    double y = wf_dot(from, along), z = y - length2;
    WfVec side = wf_sub(wf_mul(length2, from), wf_mul(y, along));
    double x2 = wf_dot(side, side), y2 = y * y * length2, z2 = z * z * length2;
    double sign = less < 0 ? -1 : 1, k = sign * less * less * x2;
    if ((z < 0 ? -1 : 1) * a2 * z2 > k) return sqrt(x2 + z2) * inverse - swell->to_radius;
    if ((y < 0 ? -1 : 1) * a2 * y2 < k) return sqrt(x2 + y2) * inverse - swell->from_radius;
    return (sqrt(x2 * a2 * inverse) + y * less) * inverse - swell->from_radius;
}

// Whether a swell is farther than d from p for sure.
static inline bool wf_is_swell_beyond(const WfSwell* swell, WfVec p, double d) {
    WfVec along = wf_sub(swell->to, swell->from);
    double half = 0.5 * (fabs(along.x) + fabs(along.y) + fabs(along.z));  // or less
    double reach = d + half + wf_more_of(swell->from_radius, swell->to_radius);
    WfVec from = wf_sub(p, wf_madd(swell->from, 0.5, along));
    return reach > 0 && wf_dot(from, from) > reach * reach;
}

#endif

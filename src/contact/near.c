// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Point and triangle: the foot of the perpendicular where it lies in the triangle. Where not, the
// nearest point is on one of the edges beyond which the point lies.
//
// Edges a + s u and c + t v, with r = a - c: what joins the nearest points of their lines stands on
// both, along n = u x v, so s = n.(v x r) / n.n; by cross products it keeps its digits where edges
// are nearly parallel. Clamped to [0, 1], then the t that suits it, (u.v s + v.r) / v.v; and where
// that has to be clamped, the s that suits t (Ericson, Real-Time Collision Detection, 2005, 5.1.9).

#include "contact/near.h"

#include <stdbool.h>

// Squares of sines. A triangle that is as thin as this is taken as its edges: the weights would
// have lost as many digits as its height is short of its length.
#define THIN_TRIANGLE 1e-16
// Edges as parallel as this are as near anywhere where they lie side by side.
#define PARALLEL_EDGES 1e-24

// To [0, 1]; 0 for NaN.
static double clamp(double s) { return s > 0 ? (s < 1 ? s : 1) : 0; }

// Where on the way u is nearest to r, both from the same point.
static double along(WfVec u, WfVec r) {
    double square = wf_dot(u, u);
    return square > 0 ? clamp(wf_dot(u, r) / square) : 0;
}

typedef struct Nearest {
    double square, w[3];
} Nearest;

// The edge from corner i to corner k, if that is nearer than what is known.
static void try_edge(const WfVec corner[3], WfVec p, int i, int k, Nearest* best) {
    WfVec u = wf_sub(corner[k], corner[i]), r = wf_sub(p, corner[i]);
    double s = along(u, r);
    WfVec off = wf_madd(r, -s, u);
    double square = wf_dot(off, off);
    if (square >= best->square) return;
    *best = (Nearest){.square = square};
    best->w[i] = 1 - s;
    best->w[k] = s;
}

double wf_near_point_triangle(WfVec p, WfVec a, WfVec b, WfVec c, double w[3]) {
    WfVec u = wf_sub(b, a), v = wf_sub(c, a), r = wf_sub(p, a);
    WfVec n = wf_cross(u, v);
    double nn = wf_dot(n, n);
    bool thin = !(nn > THIN_TRIANGLE * wf_dot(u, u) * wf_dot(v, v));
    double wb = wf_dot(n, wf_cross(r, v)), wc = wf_dot(n, wf_cross(u, r)), wa = nn - (wb + wc);
    if (!thin && wa >= 0 && wb >= 0 && wc >= 0) {
        w[1] = wb / nn;
        w[2] = wc / nn;
        if (w[2] > 1 - w[1]) w[2] = 1 - w[1];
        w[0] = 1 - (w[1] + w[2]);
        WfVec off = wf_madd(wf_madd(r, -w[1], u), -w[2], v);
        return wf_dot(off, off);
    }
    const WfVec corner[3] = {a, b, c};
    Nearest best = {HUGE_VAL, {1, 0, 0}};
    if (thin || wc < 0) try_edge(corner, p, 0, 1, &best);
    if (thin || wa < 0) try_edge(corner, p, 1, 2, &best);
    if (thin || wb < 0) try_edge(corner, p, 2, 0, &best);
    for (int k = 0; k < 3; k++) w[k] = best.w[k];
    return best.square;
}

double wf_near_edge_edge(WfVec a, WfVec b, WfVec c, WfVec d, double w[2]) {
    WfVec u = wf_sub(b, a), v = wf_sub(d, c), r = wf_sub(a, c);
    double uu = wf_dot(u, u), uv = wf_dot(u, v), vv = wf_dot(v, v);
    double ur = wf_dot(u, r), vr = wf_dot(v, r), s = 0, t = 0;
    WfVec n = wf_cross(u, v);
    double nn = wf_dot(n, n);
    if (nn > PARALLEL_EDGES * uu * vv)
        s = clamp(wf_dot(n, wf_cross(v, r)) / nn);
    else if (uu > 0)  // the middle of where they are side by side
        s = 0.5 * (clamp(-ur / uu) + clamp((uv - ur) / uu));
    if (vv > 0) t = (uv * s + vr) / vv;
    if (!(t >= 0 && t <= 1)) {
        t = clamp(t);
        if (uu > 0) s = clamp((uv * t - ur) / uu);
    }
    w[0] = s;
    w[1] = t;
    WfVec off = wf_madd(wf_madd(r, s, u), -t, v);
    return wf_dot(off, off);
}

// ---------------------------------------------------------------------------------------------
// Balls along an axis

// Seen in the plane of the axis and p, at the height y and the distance q from it, the line from
// the nearest centre to p is square to the cone around all balls: from the foot of p it starts
// further on, towards the larger balls, by q tan(angle), where sin(angle) = taper / length. Where
// balls grow faster than the axis is long, the larger end holds all others.
double wf_near_point_tapered(WfVec p, WfVec a, WfVec b, double taper) {
    WfVec axis = wf_sub(b, a), from = wf_sub(p, a);
    double square = wf_dot(axis, axis), along = wf_dot(from, axis);
    if (!(square > taper * taper)) return taper > 0 ? 1 : 0;
    WfVec across = wf_madd(from, -along / square, axis);
    double on = taper * wf_length(across) / sqrt(square - taper * taper);
    return fmax(0, fmin(1, (along / sqrt(square) + on) / sqrt(square)));
}

static WfVec square_to(WfVec v, WfVec e, double square) {
    return wf_madd(v, -wf_dot(v, e) / square, e);
}

// An endless edge is a point, looked at along it. Where its place next to the nearest ball is
// beyond an end, that end is nearest: what is left of the distance, as a function of the place on
// the edge, is convex.
double wf_near_edge_tapered(WfVec a, WfVec b, double taper, WfVec c, WfVec d, double w[2]) {
    WfVec axis = wf_sub(b, a), edge = wf_sub(d, c), none = {0, 0, 0};
    double square = wf_dot(edge, edge), place = 0;
    if (square > 0) {
        WfVec seen = square_to(wf_sub(c, a), edge, square);
        w[0] = wf_near_point_tapered(seen, none, square_to(axis, edge, square), taper);
        place = wf_dot(wf_sub(wf_madd(a, w[0], axis), c), edge) / square;
    }
    w[1] = fmax(0, fmin(1, place));
    if (!(square > 0) || w[1] != place)
        w[0] = wf_near_point_tapered(wf_madd(c, w[1], edge), a, b, taper);
    WfVec apart = wf_sub(wf_madd(c, w[1], edge), wf_madd(a, w[0], axis));
    return wf_dot(apart, apart);
}

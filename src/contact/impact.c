// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Let n be any direction, and f_ij(t) = n.(x_j - x_i) for a vertex i of the first and j of the
// second feature. What lies between vertices moves evenly between them, so the distance is at least
// the least of the f_ij, all of them linear in t: up to the first moment at which one of them falls
// to `keep`, nothing can happen.
//
//        second  ----o j--------
//                    :               n: from the nearest point of the first to that of the second;
//                  f :  n ^             then the least f_ij is the distance itself, and the bound
//                    :    |             is the tangent of the distance over time
//        first   ----o i--------
//
// Go there, take the new n, look again: Newton's method, from the safe side. It takes one look for
// features that rest, slide or part, however near, and about three to come to an impact. Whatever
// is wrong with n, by rounding or as features have no extent, the bound holds; it is then weak, and
// at worst the time is too early.
//
// Features that turn together while they are near would take thousands: their far ends soon cross
// any fixed plane between them. After a few looks n turns along, n + s n' at the time s from here,
// with n' such that it stays at a right angle to both. Then (n + s n').(x_j - x_i) is quadratic in
// s, and the distance is at least the least of them over |n + s n'| <= 1 + s^2 |n'|^2/2.
//
// Balls along the first edge have a radius that is linear along it, as all else is: what is kept
// from its second vertex is more by `taper`.

#include "contact/impact.h"

#include <float.h>
#include <stdbool.h>

#include "contact/near.h"

enum { LEAST_LOOKS = 3, FEW_LOOKS = 6 };

// Close enough to an impact: this part of what was more than the distance to keep at the start, or
// `close`, whichever is less.
#define CLOSE_TO_START 0.25
// A start distance up to this much of what must be kept leaves no room: what rests at the distance
// to keep is not an impact, though it may not be known to the last digit.
#define NO_MORE (1 + 1e-6)
// Rounding of the f_ij, in units of the last place of all coordinates together: sums of three
// products of differences; and of the positions that are made of the time we return.
#define ROUNDING (8 * DBL_EPSILON)

typedef struct Motion {
    int first_count;  // vertices of the first feature: 1 or 2, of four
    WfVec start[4];   // from the vertex 0, so that what all have in common is gone
    WfVec way[4];     // from start to end, of those
    double slack;     // by which distances may be wrong
    double taper;     // more than `keep` is kept from vertex 1
} Motion;

static double size_of(WfVec v) { return fabs(v.x) + fabs(v.y) + fabs(v.z); }

static Motion relative_motion(const WfVec x0[4], const WfVec x1[4], int first_count) {
    Motion m = {.first_count = first_count};
    double size = size_of(x0[0]) + size_of(x1[0]);
    for (int i = 1; i < 4; i++) {
        WfVec end = wf_sub(x1[i], x1[0]);
        m.start[i] = wf_sub(x0[i], x0[0]);
        m.way[i] = wf_sub(end, m.start[i]);
        size += size_of(m.start[i]) + size_of(end);
    }
    m.slack = ROUNDING * size;
    return m;
}

// The distance at time t, less what the taper takes of it there, and the direction from the first
// to the second.
static double look(const Motion* m, double t, WfVec x[4], WfVec* n) {
    for (int i = 0; i < 4; i++) x[i] = wf_madd(m->start[i], t, m->way[i]);
    double w[3], square, more = 0;
    WfVec p, q;
    if (m->first_count == 1) {
        square = wf_near_point_triangle(x[0], x[1], x[2], x[3], w);
        p = x[0];
        q = wf_madd(wf_madd(wf_mul(w[0], x[1]), w[1], x[2]), w[2], x[3]);
    } else {
        square = m->taper != 0 ? wf_near_edge_tapered(x[0], x[1], m->taper, x[2], x[3], w)
                               : wf_near_edge_edge(x[0], x[1], x[2], x[3], w);
        more = m->taper * w[0];
        p = wf_madd(wf_mul(1 - w[0], x[0]), w[0], x[1]);
        q = wf_madd(wf_mul(1 - w[1], x[2]), w[1], x[3]);
    }
    double distance = sqrt(square);
    *n = wf_mul(1 / distance, wf_sub(q, p));
    return distance - more;
}

// For how long after x the distance surely stays above `keep`, seen along n.
static double safe_time(const Motion* m, const WfVec x[4], WfVec n, double keep) {
    double height[4], rate[4], time = HUGE_VAL;
    for (int i = 0; i < 4; i++) {
        height[i] = wf_dot(n, x[i]);
        rate[i] = wf_dot(n, m->way[i]);
    }
    height[1] += m->taper;
    for (int i = 0; i < m->first_count; i++) {
        for (int j = m->first_count; j < 4; j++) {
            double room = height[j] - height[i] - keep, speed = rate[i] - rate[j];
            if (!(room > 0 && speed < HUGE_VAL)) return 0;  // or not a number
            if (room < time * speed) time = room / speed;
        }
    }
    return time;
}

// The first time after 0 at which c[0] + c[1] s + c[2] s^2 is zero. c[0] > 0
static double first_root(const double c[3]) {
    double square = c[1] * c[1] - 4 * c[0] * c[2];
    double below = square >= 0 ? sqrt(square) - c[1] : 0;
    return below > 0 ? 2 * c[0] / below : HUGE_VAL;
}

// By how much n turns in all of the time, so that it stays at a right angle to both features. Not a
// number where these are parallel.
static WfVec turn_of(const Motion* m, const WfVec x[4], WfVec n) {
    int a = m->first_count == 1 ? 2 : 1;  // the vertex at the end of one edge, the other ends at 3
    WfVec edge = wf_sub(x[a], x[a - 1]), other = wf_sub(x[3], x[2]);
    double lift = wf_dot(n, wf_sub(m->way[a], m->way[a - 1]));
    double other_lift = wf_dot(n, wf_sub(m->way[3], m->way[2]));
    WfVec turn = wf_madd(wf_mul(lift, wf_cross(n, other)), other_lift, wf_cross(edge, n));
    return wf_mul(1 / wf_dot(n, wf_cross(edge, other)), turn);
}

// The same as safe_time, with n that turns along; 0 where it cannot.
static double turning_time(const Motion* m, const WfVec x[4], WfVec n, double keep) {
    WfVec turn = turn_of(m, x, n);
    double square = wf_dot(turn, turn), time = 1 / sqrt(square);
    if (!(square < HUGE_VAL)) return 0;
    for (int i = 0; i < m->first_count; i++) {
        keep += i * m->taper;
        for (int j = m->first_count; j < 4; j++) {
            WfVec apart = wf_sub(x[j], x[i]), way = wf_sub(m->way[j], m->way[i]);
            const double c[3] = {wf_dot(n, apart) - keep, wf_dot(n, way) + wf_dot(turn, apart),
                                 wf_dot(turn, way) - keep * square / 2};
            if (!(c[0] > 0)) return 0;
            time = fmin(time, first_root(c));
        }
    }
    return time;
}

static double find_impact(const Motion* m, double keep, double close, long* left) {
    WfVec x[4], n;
    double t = 0, distance = look(m, t, x, &n);
    long most = *left < LEAST_LOOKS ? LEAST_LOOKS : *left < WF_MOST_LOOKS ? *left : WF_MOST_LOOKS;
    --*left;
    if (!(distance > 2 * m->slack)) return 0;
    if (distance < NO_MORE * keep + 2 * m->slack) {
        close *= 0.5 * distance / keep;
        keep = 0.5 * distance;
    }
    double more = CLOSE_TO_START * (distance - keep), near = keep + (more < close ? more : close);
    for (long looks = 1; looks < most; looks++) {
        double time = safe_time(m, x, n, keep + m->slack);
        if (looks > FEW_LOOKS) time = fmax(time, turning_time(m, x, n, keep + m->slack));
        if (time > 1 - t) return 2;
        if (!(time > 0)) return t;
        t += time;
        distance = look(m, t, x, &n);
        --*left;
        if (!(distance > near)) return t;
    }
    return t;
}

double wf_impact_point_triangle(const WfVec x0[4], const WfVec x1[4], double keep, double close,
                                long* looks) {
    Motion m = relative_motion(x0, x1, 1);
    return find_impact(&m, keep, close, looks);
}

double wf_impact_edge_edge(const WfVec x0[4], const WfVec x1[4], double keep, double close,
                           long* looks) {
    Motion m = relative_motion(x0, x1, 2);
    return find_impact(&m, keep, close, looks);
}

double wf_impact_tapered(const WfVec x0[4], const WfVec x1[4], double taper, double keep,
                         double close, long* looks) {
    Motion m = relative_motion(x0, x1, 2);
    m.taper = taper;
    return find_impact(&m, keep, close, looks);
}

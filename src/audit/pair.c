// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Two triangles meet exactly where an edge of one meets the other, in space as in a plane.
//
//     share nothing   6 edges against triangles
//     a corner        the way from it to any other common point goes on, in both triangles, up to
//                     where it leaves one of them through the edge opposite: 2 edges
//     an edge         they are in one plane, and on the same side of it
//
// Most pairs are neighbours in nearly flat cloth, where all signs in space are close to zero and
// must be found the long way. Seen along an axis they lie side by side: what a line separates there
// does not meet in space, and signs in the plane are cheap.

#include "audit/pair.h"

#include <math.h>

#include "audit/side.h"

typedef const double* const Corners[3];

// ---------------------------------------------------------------------------------------------
// Side by side, seen along an axis

static int flattest_axis(Corners t) {
    double e[3], f[3], n[3];
    for (int k = 0; k < 3; k++) e[k] = t[1][k] - t[0][k], f[k] = t[2][k] - t[0][k];
    for (int k = 0; k < 3; k++)
        n[k] = fabs(e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3]);
    return n[0] > n[1] ? (n[0] > n[2] ? 0 : 2) : (n[1] > n[2] ? 1 : 2);
}

// All of b on the other side of an edge of a than a itself.
static bool edge_separates(Corners a, Corners b, int drop) {
    for (int i = 0; i < 3; i++) {
        const double *from = a[i], *to = a[(i + 1) % 3];
        int own = wf_line_side(from, to, a[(i + 2) % 3], drop);
        if (own != 0 && wf_line_side(from, to, b[0], drop) == -own &&
            wf_line_side(from, to, b[1], drop) == -own &&
            wf_line_side(from, to, b[2], drop) == -own)
            return true;
    }
    return false;
}

static int compare(double a, double b) { return (a > b) - (a < b); }

// Whether p and q, on a line with `middle`, are on different sides of it.
static bool opposite(const double* p, const double* middle, const double* q, int drop) {
    for (int i = 1; i < 3; i++) {
        int k = (drop + i) % 3, side = compare(p[k], middle[k]);
        if (side != 0) return compare(q[k], middle[k]) == -side;
    }
    return false;
}

// The same of two triangles with the same first corner: by an edge of a from there.
static bool corner_separates(Corners a, Corners b, int drop) {
    for (int i = 1; i < 3; i++) {
        int own = wf_line_side(a[0], a[i], a[3 - i], drop);
        if (own == 0) continue;
        int first = wf_line_side(a[0], a[i], b[1], drop);
        int second = wf_line_side(a[0], a[i], b[2], drop);
        if (first == -own && second == -own) return true;
        // an edge of b may go straight on where that of a ends
        if (first == 0 && second == -own && opposite(a[i], a[0], b[1], drop)) return true;
        if (second == 0 && first == -own && opposite(a[i], a[0], b[2], drop)) return true;
    }
    return false;
}

static bool side_by_side(Corners a, Corners b, int shared) {
    int drop = flattest_axis(a);
    if (shared == 0) return edge_separates(a, b, drop) || edge_separates(b, a, drop);
    if (shared == 1) return corner_separates(a, b, drop) || corner_separates(b, a, drop);
    return wf_line_side(a[0], a[1], a[2], drop) * wf_line_side(a[0], a[1], b[2], drop) < 0;
}

// ---------------------------------------------------------------------------------------------
// All in one plane, seen along an axis

static bool ranges_meet(double a, double b, double c, double d) {
    return fmax(a, b) >= fmin(c, d) && fmax(c, d) >= fmin(a, b);
}

static bool flat_segments_meet(const double* p, const double* q, const double* a, const double* b,
                               int drop) {
    int x = (drop + 1) % 3, y = (drop + 2) % 3;
    return ranges_meet(p[x], q[x], a[x], b[x]) && ranges_meet(p[y], q[y], a[y], b[y]) &&
           wf_line_side(a, b, p, drop) * wf_line_side(a, b, q, drop) <= 0 &&
           wf_line_side(p, q, a, drop) * wf_line_side(p, q, b, drop) <= 0;
}

static bool flat_inside(const double* p, Corners t, int drop) {
    int own = wf_line_side(t[0], t[1], t[2], drop);
    if (own == 0) return false;  // then its edges are all there is
    for (int i = 0; i < 3; i++)
        if (wf_line_side(t[i], t[(i + 1) % 3], p, drop) == -own) return false;
    return true;
}

static bool flat_segment_meets(const double* p, const double* q, Corners t, int drop) {
    if (flat_inside(p, t, drop)) return true;
    for (int i = 0; i < 3; i++)
        if (flat_segments_meet(p, q, t[i], t[(i + 1) % 3], drop)) return true;
    return false;
}

// ---------------------------------------------------------------------------------------------
// In space

// p and q are on these sides of the triangle's plane.
static bool segment_meets(const double* p, const double* q, int p_side, int q_side, Corners t) {
    if (p_side * q_side > 0) return false;
    // which way the line from p to q passes each edge
    bool left = false, right = false;
    for (int i = 0; i < 3; i++) {
        int side = wf_plane_side(p, q, t[i], t[(i + 1) % 3]);
        left = left || side > 0, right = right || side < 0;
    }
    if (p_side != 0 || q_side != 0) return !(left && right);
    // In one plane, or the triangle has no area, and the line must be in one plane with that.
    if (left || right) return false;
    // Seen along at least one axis no two points of the plane coincide.
    for (int drop = 0; drop < 3; drop++)
        if (!flat_segment_meets(p, q, t, drop)) return false;
    return true;
}

static bool edge_meets(Corners a, const int sides[3], int i, Corners b) {
    int j = (i + 1) % 3;
    return segment_meets(a[i], a[j], sides[i], sides[j], b);
}

static void find_sides(Corners a, Corners b, int sides[3]) {
    for (int i = 0; i < 3; i++) sides[i] = wf_plane_side(b[0], b[1], b[2], a[i]);
}

static bool all_beside(const int sides[3]) {
    return sides[0] != 0 && sides[0] == sides[1] && sides[1] == sides[2];
}

static bool cross_apart(Corners a, Corners b) {
    int a_sides[3], b_sides[3];
    find_sides(a, b, a_sides);
    if (all_beside(a_sides)) return false;
    find_sides(b, a, b_sides);
    if (all_beside(b_sides)) return false;
    for (int i = 0; i < 3; i++)
        if (edge_meets(a, a_sides, i, b) || edge_meets(b, b_sides, i, a)) return true;
    return false;
}

static bool cross_at_corner(Corners a, Corners b) {
    int a_sides[3], b_sides[3];
    find_sides(a, b, a_sides);
    if (edge_meets(a, a_sides, 1, b)) return true;
    find_sides(b, a, b_sides);
    return edge_meets(b, b_sides, 1, a);
}

static bool folded_flat(Corners a, Corners b) {
    if (wf_plane_side(a[0], a[1], a[2], b[2]) != 0) return false;
    for (int drop = 0; drop < 3; drop++)
        if (wf_line_side(a[0], a[1], a[2], drop) * wf_line_side(a[0], a[1], b[2], drop) > 0)
            return true;
    return false;
}

bool wf_triangles_cross(Corners a, Corners b, int shared) {
    if (shared == 3 || side_by_side(a, b, shared)) return false;
    return shared == 0   ? cross_apart(a, b)
           : shared == 1 ? cross_at_corner(a, b)
                         : folded_flat(a, b);
}

static bool on_one_side(const int sides[3]) {
    bool left = false, right = false;
    for (int i = 0; i < 3; i++) left = left || sides[i] > 0, right = right || sides[i] < 0;
    return !(left && right);
}

bool wf_triangles_touch(Corners a, Corners b) {
    int a_sides[3], b_sides[3];
    find_sides(a, b, a_sides);
    find_sides(b, a, b_sides);
    return on_one_side(a_sides) || on_one_side(b_sides);
}

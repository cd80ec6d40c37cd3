// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Vertices onto the plane, so that good triangles come out of the cut.
//
// A cut through a triangle close to one of its corners leaves a sliver. So vertices come onto the
// plane first, along an edge that crosses it, where that is a short way:
//
//          w                     w
//         / \                   / \          v is nearer to the plane than NEAR of the edge to w:
//        /   \                 /   \         it moves along that edge, in space and in the flat
//   ----/-----\----       ----v-----\----    shape, and the edge is cut
//      v       \             /       \        by it
//
// Nearest ones go first, and a vertex stays where it is when a triangle before the plane would lose
// most of its area, or lie in the plane, or meet another one there. A vertex of the outline or of a
// seam moves along it, if at all, where that is straight: outlines and seams keep their shape, and
// both flat edges of a seam are cut at the same part of their length. Where that is not enough, it
// may leave them by VERY_NEAR of an edge: else cuts of several edges would be at one place, and
// what is between them would have no area.
//
// The price is corners near the plane, and outlines that run along it: thin triangles are left
// there. Which NEAR, by 60 planes through each of four discs, three grids and a regular mesh;
// triangles at the plane, smallest angle in degrees and smallest height over the edge, away from
// corners and without VERY_NEAR:
//
//     NEAR              0      0.1    0.2    0.25   0.3    0.35   0.4    0.45
//     worst angle       0.06   2.4    7.0    7.0    9.5    12.6   13.6   11.1
//     worst in 100      0.4    6.3    11.8   14.1   15.4   17.6   19.5   19.7
//     least height      0.001  0.04   0.08   0.08   0.11   0.13   0.13   0.15
//
// Projecting is simpler: what has a vertex before the plane is kept, and vertices beyond it are
// moved straight onto it. (Vertices closer than TOUCHING of an edge are on it: their triangles
// would have no area.) Their points in the flat shape follow by the linear maps from space to the
// flat shape of their triangles, so that the cloth is not strained by it. One triangle in a hundred
// at the plane has an angle of a degree or less then, one in ten of 7 or less.

#include "mesh/cutter.h"

#include <string.h>

#define NEAR 0.4             // part of an edge along which a vertex may move
#define VERY_NEAR 0.05       // part of an edge along which it may move from its outline or seam
#define TOUCHING 0.005       // the same before vertices are projected
#define LEAST_SHARE 0.3      // of its area that a triangle keeps when its vertices move
#define STRAIGHT 0.86602540  // cos 30 degrees: lines that turn by less are straight

static int corner_at(const WfCutter* h, int t, int v) {
    const int* corners = h->cloth->triangles + 3 * (long)t;
    for (int k = 0; k < 3; k++)
        if (corners[k] == v) return k;
    return -1;
}

static bool same_point(WfVec a, WfVec b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// ---------------------------------------------------------------------------------------------
// What a displacement in space is in the flat shape

// Where the flat shape of triangle t has a displacement of its corner k: in the plane of the
// triangle, displacement = s e + r f with its edges e and f, and the same s and r in the flat
// shape.
static WfVec flat_displacement(const WfCutter* h, int t, int k, WfVec displacement) {
    const int* v = h->cloth->triangles + 3 * (long)t;
    int i = (k + 1) % 3, j = (k + 2) % 3;
    WfVec x = wf_load(h->cloth->positions, v[k]), o = wf_rest_corner(h->cloth, t, k);
    WfVec e = wf_sub(wf_load(h->cloth->positions, v[i]), x);
    WfVec f = wf_sub(wf_load(h->cloth->positions, v[j]), x);
    double ee = wf_dot(e, e), ef = wf_dot(e, f), ff = wf_dot(f, f), det = ee * ff - ef * ef;
    double de = wf_dot(displacement, e), df = wf_dot(displacement, f);
    if (!(det > 0)) return (WfVec){0, 0, 0};
    double s = (de * ff - df * ef) / det, r = (df * ee - de * ef) / det;
    return wf_madd(wf_mul(s, wf_sub(wf_rest_corner(h->cloth, t, i), o)), r,
                   wf_sub(wf_rest_corner(h->cloth, t, j), o));
}

// Where a point of the flat shape goes when its vertex v is displaced: the mean of what its
// triangles before the plane say.
static WfVec displaced(const WfCutter* h, int v, WfVec point, WfVec displacement) {
    const WfTopology* topology = &h->topology;
    WfVec sum = {0, 0, 0};
    int count = 0;
    for (int i = topology->star_start[v]; i < topology->star_start[v + 1]; i++) {
        int t = topology->star[i], k = corner_at(h, t, v);
        if (!wf_is_before(h, t) || !same_point(wf_rest_corner(h->cloth, t, k), point)) continue;
        sum = wf_add(sum, flat_displacement(h, t, k, displacement));
        count++;
    }
    return count > 0 ? wf_madd(point, 1.0 / count, sum) : point;
}

static void project_flat(WfCutter* h, int v, WfVec displacement) {
    const WfTopology* topology = &h->topology;
    for (int i = topology->star_start[v]; i < topology->star_start[v + 1]; i++) {
        int t = topology->star[i], k = corner_at(h, t, v);
        wf_set_rest(h, t, k, displaced(h, v, wf_rest_corner(h->cloth, t, k), displacement));
    }
}

// ---------------------------------------------------------------------------------------------
// Onto the plane along edges

// Edges of the boundary, and those with two flat edges.
static bool is_line(const WfCutter* h, int a, int b) {
    int e = wf_topology_edge(&h->topology, a, b);
    const int* t = h->topology.edge_triangles + 2 * (long)e;
    if (t[1] < 0) return true;
    return !same_point(wf_rest_corner(h->cloth, t[0], corner_at(h, t[0], a)),
                       wf_rest_corner(h->cloth, t[1], corner_at(h, t[1], a))) ||
           !same_point(wf_rest_corner(h->cloth, t[0], corner_at(h, t[0], b)),
                       wf_rest_corner(h->cloth, t[1], corner_at(h, t[1], b)));
}

// The other ends of lines at v, three at most.
static int find_lines(const WfCutter* h, int v, int ends[3]) {
    const WfTopology* topology = &h->topology;
    int count = 0;
    for (int i = topology->star_start[v]; i < topology->star_start[v + 1]; i++) {
        for (int k = 0; k < 3; k++) {
            int w = h->cloth->triangles[3 * (long)topology->star[i] + k];
            if (w == v || (count > 0 && w == ends[0]) || (count > 1 && w == ends[1])) continue;
            if (is_line(h, v, w)) ends[count++] = w;
            if (count == 3) return count;
        }
    }
    return count;
}

// Whether the line through v is straight in the flat shape, on either side of a seam.
static bool is_straight(const WfCutter* h, int v, const int ends[2]) {
    const int* edges[2];
    for (int i = 0; i < 2; i++)
        edges[i] =
            h->topology.edge_triangles + 2 * (long)wf_topology_edge(&h->topology, v, ends[i]);
    for (int i = 0; i < 4; i++) {
        int s = edges[0][i / 2], t = edges[1][i % 2];
        if (s < 0 || t < 0) continue;
        WfVec p = wf_rest_corner(h->cloth, s, corner_at(h, s, v));
        if (!same_point(p, wf_rest_corner(h->cloth, t, corner_at(h, t, v)))) continue;
        WfVec a = wf_unit(wf_sub(wf_rest_corner(h->cloth, s, corner_at(h, s, ends[0])), p));
        WfVec b = wf_unit(wf_sub(wf_rest_corner(h->cloth, t, corner_at(h, t, ends[1])), p));
        if (wf_dot(a, b) > -STRAIGHT) return false;
    }
    return true;
}

static bool may_move(const WfCutter* h, int v, int w) {
    int ends[3], count = find_lines(h, v, ends);
    if (count == 0) return true;
    return count == 2 && (ends[0] == w || ends[1] == w) && is_straight(h, v, ends);
}

// A triangle of v and w that has v at this point of the flat shape, or -1.
static int triangle_along(const WfCutter* h, int v, int w, WfVec point) {
    const WfTopology* topology = &h->topology;
    for (int i = topology->star_start[v]; i < topology->star_start[v + 1]; i++) {
        int t = topology->star[i];
        if (corner_at(h, t, w) < 0) continue;
        if (same_point(wf_rest_corner(h->cloth, t, corner_at(h, t, v)), point)) return t;
    }
    return -1;
}

// Corners at v to where they are at this part of the edge to w: each in its own flat edge, or by
// its triangles where it has none.
static void move_flat(WfCutter* h, int v, int w, double part) {
    const WfTopology* topology = &h->topology;
    const double* x = h->cloth->positions;
    WfVec displacement = wf_mul(part, wf_sub(wf_load(x, w), wf_load(x, v)));
    for (int i = topology->star_start[v]; i < topology->star_start[v + 1]; i++) {
        int t = topology->star[i], k = corner_at(h, t, v);
        WfVec from = wf_rest_corner(h->cloth, t, k);
        int along = triangle_along(h, v, w, from);
        if (along >= 0)
            wf_set_rest(
                h, t, k,
                wf_mix_points(from, wf_rest_corner(h->cloth, along, corner_at(h, along, w)), part));
        else
            wf_set_rest(h, t, k, displaced(h, v, from, displacement));
    }
}

// Whether triangle t, which is before the plane, has enough left of its area, at rest and in space.
static bool is_large(const WfCutter* h, int t) {
    const int* v = h->cloth->triangles + 3 * (long)t;
    const double *old = h->cloth->positions, *now = h->positions;
    WfVec x[3] = {wf_moved_rest(h, t, 0), wf_moved_rest(h, t, 1), wf_moved_rest(h, t, 2)};
    WfVec n = wf_normal_of(wf_load(old, v[0]), wf_load(old, v[1]), wf_load(old, v[2]));
    WfVec m = wf_normal_of(wf_load(now, v[0]), wf_load(now, v[1]), wf_load(now, v[2]));
    return wf_area_along(h, t, x) >= LEAST_SHARE * wf_length(wf_old_normal(h, t)) / 2 &&
           wf_dot(m, n) >= LEAST_SHARE * wf_dot(n, n);
}

// Whether an edge would be in the plane with both its triangles before it: cloth that dips through
// the plane is cut there, and not pressed onto it.
static bool is_fold(const WfCutter* h, int v, int w) {
    int e = wf_topology_hinge(&h->topology, v, w);
    if (e < 0 || h->heights[w] != 0) return false;
    const int* opposite = h->topology.hinges[e].opposite;
    return h->heights[opposite[0]] > 0 && h->heights[opposite[1]] > 0;
}

// Whether what lies before the plane around v, which is on it now, is as it should be.
static bool is_star_good(const WfCutter* h, int v) {
    const WfTopology* topology = &h->topology;
    for (int i = topology->star_start[v]; i < topology->star_start[v + 1]; i++) {
        int t = topology->star[i], on = 0;
        for (int k = 0; k < 3; k++) {
            int w = h->cloth->triangles[3 * (long)t + k];
            if (w != v && is_fold(h, v, w)) return false;
            on += h->heights[w] == 0;
        }
        if (on == 3 || (wf_is_before(h, t) && !is_large(h, t))) return false;
    }
    return true;
}

static void move_along(WfCutter* h, int v, int w, double part) {
    const double* x = h->cloth->positions;
    double height = h->heights[v];
    move_flat(h, v, w, part);
    wf_store(h->positions, v,
             wf_plane_nearest(h->mirror, wf_mix_points(wf_load(x, v), wf_load(x, w), part)));
    h->heights[v] = 0;
    h->moved[v] = is_star_good(h, v);
    if (h->moved[v]) {
        h->toward[v] = w;
        h->parts[v] = part;
        return;
    }
    move_flat(h, v, w, 0);
    wf_store(h->positions, v, wf_load(x, v));
    h->heights[v] = height;
}

// Directed edges along which a vertex is near the plane, the nearest first: 2 edge + end.
static int list_near(WfCutter* h, double near) {
    int count = 0;
    for (int e = 0; e < h->edge_count; e++) {
        const int* v = wf_edge_ends(h, e);
        if (!wf_crosses(h, v[0], v[1])) continue;
        for (int end = 0; end < 2; end++) {
            double here = fabs(h->heights[v[end]]), there = fabs(h->heights[v[1 - end]]);
            double part = here / (here + there);
            WfKey* key = &h->keys[count];
            if (part >= near) continue;
            memcpy(&key->key, &part, sizeof part);  // positive numbers sort by their bits
            key->index = 2 * e + end;
            count++;
        }
    }
    wf_sort_keys(h->keys, h->spare, count);
    return count;
}

// Vertices nearer to the plane than a part of an edge move onto it; outlines and seams keep their
// shape, or not.
static void move_near(WfCutter* h, double near, bool keep_lines) {
    int count = list_near(h, near);
    for (int i = 0; i < count; i++) {
        const int* ends = wf_edge_ends(h, h->keys[i].index / 2);
        int end = h->keys[i].index % 2, v = ends[end], w = ends[1 - end];
        double part;
        memcpy(&part, &h->keys[i].key, sizeof part);
        if (wf_crosses(h, v, w) && (!keep_lines || may_move(h, v, w))) move_along(h, v, w, part);
    }
}

// ---------------------------------------------------------------------------------------------
// Straight onto the plane

static void project(WfCutter* h, int v) {
    WfVec x = wf_load(h->cloth->positions, v), y = wf_plane_nearest(h->mirror, x);
    project_flat(h, v, wf_sub(y, x));
    wf_store(h->positions, v, y);
    h->moved[v] = 1;
}

static void project_beyond(WfCutter* h) {
    for (int t = 0; t < h->cloth->triangle_count; t++) {
        const int* v = h->cloth->triangles + 3 * (long)t;
        for (int k = 0; k < 3 && wf_is_before(h, t); k++)
            if (h->heights[v[k]] < 0 && !h->moved[v[k]]) project(h, v[k]);
    }
    for (int e = h->topology.edge_count; e < h->edge_count; e++) {
        const int* v = wf_edge_ends(h, e);
        int beyond = h->heights[v[0]] < 0 ? v[0] : v[1];
        if (wf_crosses(h, v[0], v[1]) && !h->moved[beyond]) project(h, beyond);
    }
    for (int v = 0; v < h->cloth->vertex_count; v++)
        if (h->moved[v]) h->heights[v] = 0;
}

// ---------------------------------------------------------------------------------------------

void wf_move_onto_plane(WfCutter* h, WeftHalving halving) {
    if (halving == WEFT_HALVING_SPLIT) {
        move_near(h, NEAR, true);
        move_near(h, VERY_NEAR, false);
    } else {
        move_near(h, TOUCHING, false);
        project_beyond(h);
    }
}

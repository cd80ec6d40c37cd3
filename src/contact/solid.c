// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The generalised winding number of a point (Jacobson and others 2013) is the sum of the solid
// angles under which it sees the triangles, over 4 pi: 1 inside, 0 outside, and not far from these
// where the surface has small holes. Half of such an angle is that of a complex number,
//
//     tan(angle / 2) = a.(b x c) / (|a||b||c| + (a.b)|c| + (b.c)|a| + (c.a)|b|)
//
// for corners a, b, c seen from the point (van Oosterom and Strackee 1983). The product of these
// numbers has the sum of the angles; how often it goes around zero is the winding number, rounded,
// without any arc tangent.

#include "contact/solid.h"

#include <stdlib.h>

#include "base/hash.h"
#include "contact/near.h"
#include "mesh/hilbert.h"

static const double HOLES = 0.002;  // of the surface may be missing: a coin's size on a person
static const double FLAT = 1e-12;   // of a direction: it does not go along this axis
static const double ON_IT = 1e-9;   // m, nearer to the surface a point has no direction to it
static const double FOUR_PI = 12.566370614359172;

enum { MOST_NODES = 96 };  // that wait, of a tree of 40 levels

// ---------------------------------------------------------------------------------------------
// Whether it has an inside

static uint64_t place_key(const double* positions, int i) {
    const double* p = positions + 3 * (long)i;
    const double place[3] = {p[0] + 0.0, p[1] + 0.0, p[2] + 0.0};  // -0 is 0
    return wf_hash(WF_HASH_START, place, sizeof place);
}

static bool is_same_place(const double* positions, int i, int j) {
    const double *p = positions + 3 * (long)i, *q = positions + 3 * (long)j;
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

// One vertex for all at its place.
static void join_places(const WfSurface* s, const double* positions, WfKey* keys, WfKey* scratch,
                        int* place) {
    int n = s->vertex_count;
    for (int i = 0; i < n; i++) keys[i] = (WfKey){place_key(positions, i), i};
    wf_sort_keys(keys, scratch, n);
    for (int k = 0; k < n; k++) {
        int i = keys[k].index, last = k > 0 ? place[keys[k - 1].index] : i;
        place[i] = is_same_place(positions, i, last) ? last : i;
    }
}

// The length of all edges along which triangles do not run both ways as often.
static double border_length(const WfSurface* s, const double* positions, const int* place,
                            WfKey* keys, WfKey* scratch) {
    int count = 0;
    double length = 0;
    for (int h = 0; h < 3 * s->triangle_count; h++) {
        int a = place[s->triangles[h]], b = place[s->triangles[h % 3 == 2 ? h - 2 : h + 1]];
        uint64_t low = (uint64_t)(a < b ? a : b), high = (uint64_t)(a < b ? b : a);
        if (a != b) keys[count++] = (WfKey){low << 32 | high, a < b ? 1 : -1};
    }
    wf_sort_keys(keys, scratch, count);
    for (int i = 0, end; i < count; i = end) {
        int sum = 0;
        for (end = i; end < count && keys[end].key == keys[i].key; end++) sum += keys[end].index;
        if (sum == 0) continue;
        WfVec a = wf_load(positions, (int)(keys[i].key >> 32));
        length += abs(sum) * wf_length(wf_sub(wf_load(positions, (int)(uint32_t)keys[i].key), a));
    }
    return length;
}

static double surface_area(const WfSurface* s, const double* x) {
    double sum = 0;
    for (int t = 0; t < s->triangle_count; t++) {
        const int* v = s->triangles + 3 * (long)t;
        WfVec a = wf_load(x, v[0]);
        sum += wf_length(wf_cross(wf_sub(wf_load(x, v[1]), a), wf_sub(wf_load(x, v[2]), a))) / 2;
    }
    return sum;
}

WeftResult wf_find_solid(const WeftAllocator* allocator, const WfSurface* surface,
                         const double* positions, bool* solid) {
    *solid = surface->closed;
    if (surface->closed || surface->triangle_count == 0) return WEFT_OK;
    size_t n = (size_t)surface->vertex_count, most = 3 * (size_t)surface->triangle_count;
    if (most < n) most = n;
    int* place = wf_alloc(allocator, n, sizeof *place);
    WfKey* keys = wf_alloc(allocator, most, sizeof *keys);
    WfKey* scratch = wf_alloc(allocator, most, sizeof *scratch);
    bool good = place && keys && scratch;
    if (good) {
        join_places(surface, positions, keys, scratch, place);
        double border = border_length(surface, positions, place, keys, scratch);
        // the area of a hole is at most that of a circle
        *solid = border * border <= FOUR_PI * HOLES * surface_area(surface, positions);
    }
    wf_free(allocator, place);
    wf_free(allocator, keys);
    wf_free(allocator, scratch);
    return good ? WEFT_OK : WEFT_ERROR_MEMORY;
}

// ---------------------------------------------------------------------------------------------
// Whether points are inside

int wf_winding(const WfSurface* surface, const double* x, WfVec p) {
    double real = 1, imaginary = 0;
    int turns = 0;
    for (int t = 0; t < surface->triangle_count; t++) {
        const int* v = surface->triangles + 3 * (long)t;
        WfVec a = wf_sub(wf_load(x, v[0]), p), b = wf_sub(wf_load(x, v[1]), p);
        WfVec c = wf_sub(wf_load(x, v[2]), p);
        double la = wf_length(a), lb = wf_length(b), lc = wf_length(c);
        double sine = wf_dot(a, wf_cross(b, c));
        double cosine = la * lb * lc + wf_dot(a, b) * lc + wf_dot(b, c) * la + wf_dot(c, a) * lb;
        double size = wf_flat_length(sine, cosine);
        if (!(size > 0)) continue;  // at a corner
        double last = imaginary, before = real;
        real = (before * cosine - last * sine) / size;
        imaginary = (before * sine + last * cosine) / size;
        if (last >= 0 && sine > 0 && imaginary < 0) turns++;
        if (last < 0 && sine < 0 && imaginary >= 0) turns--;
    }
    return turns;
}

// ---------------------------------------------------------------------------------------------
// How far from its surface

static double box_square(const WfSpan* box, WfVec p) {
    const double at[3] = {p.x, p.y, p.z};
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double far =
            fmax(fmax(-(double)box->minus_low[k] - at[k], at[k] - (double)box->high[k]), 0);
        sum += far * far;
    }
    return sum;
}

static bool load_triangle(const WfTree* tree, const WfLeaf* leaf, int lane, const double* x,
                          WfVec corners[3]) {
    int t = leaf->triangles.id[lane];
    if (t < 0) return false;
    const int* v = tree->surface->triangles + 3 * (long)t;
    for (int k = 0; k < 3; k++) corners[k] = wf_load(x, v[k]);
    return v[1] != v[2];
}

static void near_leaf(const WfTree* tree, const WfLeaf* leaf, const double* x, WfVec p,
                      double* least, WfVec* direction) {
    for (int lane = 0; lane < leaf->triangle_count; lane++) {
        WfVec c[3];
        double w[3];
        if (!load_triangle(tree, leaf, lane, x, c)) continue;
        double square = wf_near_point_triangle(p, c[0], c[1], c[2], w);
        if (!(square < *least)) continue;
        *least = square;
        WfVec place = wf_madd(wf_madd(wf_mul(w[0], c[0]), w[1], c[1]), w[2], c[2]);
        *direction = square > ON_IT * ON_IT ? wf_sub(place, p)
                                            : wf_cross(wf_sub(c[1], c[0]), wf_sub(c[2], c[0]));
    }
}

double wf_solid_depth(const WfTree* tree, const double* x, WfVec p, WfVec* direction) {
    int waiting[MOST_NODES], count = 0;
    double least = HUGE_VAL;
    *direction = (WfVec){0, 0, 0};
    if (tree->node_count > 0) waiting[count++] = 0;
    WfVec seen = wf_tree_seen(tree, p);
    while (count > 0) {
        int node = waiting[--count], child = tree->child[node];
        if (!(box_square(&tree->boxes[node], seen) < least)) continue;
        if (child < 0) {
            near_leaf(tree, &tree->leaves[-1 - child], x, p, &least, direction);
            continue;
        }
        const WfSpan* box = &tree->boxes[child];
        bool second = box_square(box, seen) > box_square(box + 1, seen);
        waiting[count++] = child + !second;
        waiting[count++] = child + second;
    }
    *direction = wf_unit(*direction);
    return sqrt(least);
}

// Whether the way from p along d comes through the box before `end`.
static bool meets_box(const WfSpan* box, WfVec p, WfVec d, double end) {
    const double at[3] = {p.x, p.y, p.z}, way[3] = {d.x, d.y, d.z};
    double start = 0;
    for (int k = 0; k < 3; k++) {
        double low = -(double)box->minus_low[k] - at[k], high = (double)box->high[k] - at[k];
        if (fabs(way[k]) < FLAT) {
            if (low > 0 || high < 0) return false;
            continue;
        }
        double to_low = low / way[k], to_high = high / way[k];
        start = fmax(start, fmin(to_low, to_high));
        end = fmin(end, fmax(to_low, to_high));
    }
    return start <= end;
}

// Where the way from p along d leaves through the back of a triangle, or HUGE_VAL.
static double leave(WfVec p, WfVec d, const WfVec c[3]) {
    WfVec e = wf_sub(c[1], c[0]), f = wf_sub(c[2], c[0]), from = wf_sub(p, c[0]);
    WfVec n = wf_cross(e, f), turn = wf_cross(from, d);
    double steep = wf_dot(n, d);
    if (!(steep > 0)) return HUGE_VAL;
    double u = -wf_dot(f, turn) / steep, v = wf_dot(e, turn) / steep;
    double far = -wf_dot(from, n) / steep;
    return far >= 0 && fmin(u, v) >= 0 && u + v <= 1 ? far : HUGE_VAL;
}

double wf_solid_exit(const WfTree* tree, const double* x, WfVec p, WfVec d) {
    int waiting[MOST_NODES], count = 0;
    double least = HUGE_VAL;
    if (tree->node_count > 0) waiting[count++] = 0;
    WfVec seen = wf_tree_seen(tree, p);
    while (count > 0) {
        int node = waiting[--count], child = tree->child[node];
        if (!meets_box(&tree->boxes[node], seen, d, least)) continue;
        if (child >= 0) {
            waiting[count++] = child + 1;
            waiting[count++] = child;
            continue;
        }
        const WfLeaf* leaf = &tree->leaves[-1 - child];
        WfVec c[3];
        for (int lane = 0; lane < leaf->triangle_count; lane++)
            if (load_triangle(tree, leaf, lane, x, c)) least = fmin(least, leave(p, d, c));
    }
    return least;
}

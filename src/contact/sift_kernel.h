// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Two features cannot meet where there is an axis along which one stays beyond the other, at the
// start and at the end, and so all the way between: any axis will do, hence rounding may spoil it,
// but not what it proves. Those of the boxes first, so that what stays does not depend on how boxes
// were grouped; the normal of both, as most that boxes find lies above or below; and the way
// between the closest points, for what lies beside.
//
// Included by sift.c and sift_wide.c, which say how functions are declared: KERNEL (inlined) and
// BODY.

#include <float.h>

#include "base/many.h"
#include "contact/sift.h"

// Of floats with the size of all places: those of four corners at two times, and sums of products
// of their differences.
#define ROUNDING (16 * (double)FLT_EPSILON)

typedef struct Vec {
    WfMany x, y, z;
} Vec;

KERNEL Vec add(Vec a, Vec b) {
    return (Vec){wf_many_add(a.x, b.x), wf_many_add(a.y, b.y), wf_many_add(a.z, b.z)};
}

KERNEL Vec sub(Vec a, Vec b) {
    return (Vec){wf_many_sub(a.x, b.x), wf_many_sub(a.y, b.y), wf_many_sub(a.z, b.z)};
}

KERNEL Vec mul(WfMany s, Vec a) {
    return (Vec){wf_many_mul(s, a.x), wf_many_mul(s, a.y), wf_many_mul(s, a.z)};
}

KERNEL WfMany dot(Vec a, Vec b) {
    return wf_many_add(wf_many_add(wf_many_mul(a.x, b.x), wf_many_mul(a.y, b.y)),
                       wf_many_mul(a.z, b.z));
}

KERNEL Vec cross(Vec a, Vec b) {
    return (Vec){wf_many_sub(wf_many_mul(a.y, b.z), wf_many_mul(a.z, b.y)),
                 wf_many_sub(wf_many_mul(a.z, b.x), wf_many_mul(a.x, b.z)),
                 wf_many_sub(wf_many_mul(a.x, b.y), wf_many_mul(a.y, b.x))};
}

// a/b in [0, 1]; b >= 0
KERNEL WfMany part_of(WfMany a, WfMany b) {
    WfMany s = wf_many_div(a, wf_many_add(b, wf_many_set(FLT_MIN)));
    return wf_many_min(wf_many_max(s, wf_many_set(0)), wf_many_set(1));
}

// Some pairs: where corners 1 to 3 are, as corner 0 sees them, at the start and at the end; and how
// far apart the two features are to be then, with what each axis adds to that.
typedef struct Ways {
    Vec start[4], end[4];
    WfMany keep[2], stray[2];
} Ways;

typedef struct Range {
    WfMany low, high;
} Range;

// How far the second feature is beyond the first along an axis, where corners 1 to 3 are so high,
// and the first beyond the second.
KERNEL Range gaps(WfMany a, WfMany b, WfMany c, int split) {
    WfMany none = wf_many_set(0);
    Range other = {wf_many_min(b, c), wf_many_max(b, c)};
    if (split == 2)
        return (Range){wf_many_sub(other.low, wf_many_max(a, none)),
                       wf_many_sub(wf_many_min(a, none), other.high)};
    return (Range){wf_many_min(a, other.low), wf_many_sub(none, wf_many_max(a, other.high))};
}

KERNEL Range gaps_along(Vec n, const Vec x[4], int split) {
    return gaps(dot(n, x[1]), dot(n, x[2]), dot(n, x[3]), split);
}

KERNEL WfManyMask are_beyond(Range start, Range end, WfMany least, WfMany last) {
    return wf_many_or(wf_many_and(wf_many_above(start.low, least), wf_many_above(end.low, last)),
                      wf_many_and(wf_many_above(start.high, least), wf_many_above(end.high, last)));
}

KERNEL WfManyMask stay_apart(const Ways* w, Vec n, int split) {
    WfMany length = wf_many_sqrt(dot(n, n));
    WfMany size = wf_many_add(wf_many_add(wf_many_abs(n.x), wf_many_abs(n.y)), wf_many_abs(n.z));
    WfMany least = wf_many_add(wf_many_mul(w->keep[0], length), wf_many_mul(w->stray[0], size));
    WfMany last = wf_many_add(wf_many_mul(w->keep[1], length), wf_many_mul(w->stray[1], size));
    return are_beyond(gaps_along(n, w->start, split), gaps_along(n, w->end, split), least, last);
}

// Along x, y or z.
KERNEL WfManyMask boxes_miss(const Ways* w, int split) {
    const Vec *a = w->start, *b = w->end;
    WfMany least = wf_many_add(w->keep[0], w->stray[0]);
    WfMany last = wf_many_add(w->keep[1], w->stray[1]);
    WfManyMask x = are_beyond(gaps(a[1].x, a[2].x, a[3].x, split),
                              gaps(b[1].x, b[2].x, b[3].x, split), least, last);
    WfManyMask y = are_beyond(gaps(a[1].y, a[2].y, a[3].y, split),
                              gaps(b[1].y, b[2].y, b[3].y, split), least, last);
    WfManyMask z = are_beyond(gaps(a[1].z, a[2].z, a[3].z, split),
                              gaps(b[1].z, b[2].z, b[3].z, split), least, last);
    return wf_many_or(wf_many_or(x, y), z);
}

// The way from p = 0 to the nearest point of the edge from a to b, if it is shorter than `best`.
KERNEL void try_edge(Vec a, Vec b, Vec* best, WfMany* square) {
    Vec u = sub(b, a), zero = {wf_many_set(0), wf_many_set(0), wf_many_set(0)};
    Vec way = add(a, mul(part_of(dot(sub(zero, a), u), dot(u, u)), u));
    WfMany other = dot(way, way);
    WfManyMask nearer = wf_many_above(*square, other);
    best->x = wf_many_choose(nearer, way.x, best->x);
    best->y = wf_many_choose(nearer, way.y, best->y);
    best->z = wf_many_choose(nearer, way.z, best->z);
    *square = wf_many_min(*square, other);
}

// Over the triangle itself the nearest way is along its normal, which has been looked along.
KERNEL WfManyMask point_misses(const Ways* w) {
    const Vec* x = w->start;
    WfManyMask apart = stay_apart(w, cross(sub(x[2], x[1]), sub(x[3], x[1])), 1);
    Vec way = x[1];
    WfMany square = dot(way, way);
    try_edge(x[1], x[2], &way, &square);
    try_edge(x[2], x[3], &way, &square);
    try_edge(x[3], x[1], &way, &square);
    return wf_many_or(apart, stay_apart(w, way, 1));
}

// As near.c does it.
KERNEL WfManyMask edges_miss(const Ways* w) {
    const Vec* x = w->start;
    Vec u = x[1], v = sub(x[3], x[2]), n = cross(u, v);
    WfManyMask apart = stay_apart(w, n, 2);
    // r = -x[2], from the second edge to the first
    WfMany uv = dot(u, v), ux = dot(u, x[2]), vx = dot(v, x[2]);
    WfMany s = part_of(dot(n, cross(x[2], v)), dot(n, n));
    WfMany t = part_of(wf_many_sub(wf_many_mul(uv, s), vx), dot(v, v));
    s = part_of(wf_many_add(wf_many_mul(uv, t), ux), dot(u, u));
    Vec way = sub(add(x[2], mul(t, v)), mul(s, u));
    return wf_many_or(apart, stay_apart(w, way, 2));
}

// ---------------------------------------------------------------------------------------------
// Pairs of a list

// Vertex v[l] of lane l.
KERNEL void gather(const float* places, const int v[WF_MANY], Vec* start, Vec* end, WfMany* half) {
    WfMany r[4], q[4];
    wf_many_gather(places, 8, v, r);
    wf_many_gather(places + 4, 8, v, q);
    *start = (Vec){r[0], r[1], r[2]};
    *end = (Vec){q[0], q[1], q[2]};
    *half = r[3];
}

// Corner `k` of the pairs: vertex `index` of feature `feature[l]`, which has `count`.
KERNEL void gather_corner(const WfTree* tree, const int* corners, int count, int index,
                          const int feature[WF_MANY], Vec* start, Vec* end, WfMany* half) {
    int v[WF_MANY];
    for (int l = 0; l < WF_MANY; l++)
        v[l] = corners ? corners[count * (long)feature[l] + index] : feature[l];
    gather(tree->places, v, start, end, half);
}

typedef struct Side {
    const WfTree* tree;
    const int* corners;
    int count;
} Side;

// `part` of their thickness counts.
KERNEL WfManyMask miss_many(const WfSift* sift, const WfBound* bound, const Side* a, const Side* b,
                            const int first[WF_MANY], const int second[WF_MANY], float part) {
    Ways w;
    WfMany half[4];
    int split = a->count;
    for (int k = 0; k < 4; k++) {
        const Side* side = k < split ? a : b;
        gather_corner(side->tree, side->corners, side->count, k < split ? k : k - split,
                      k < split ? first : second, &w.start[k], &w.end[k], &half[k]);
    }
    WfMany thickness =
        wf_many_min(wf_many_add(half[0], half[split]), wf_many_set((float)sift->most));
    double rounding = ROUNDING * (sift->first->size + sift->second->size);
    const WfNearness* near[2] = {&bound->start, &bound->end};
    for (int k = 0; k < 2; k++) {
        w.keep[k] = wf_many_add(wf_many_mul(wf_many_set(part * (float)near[k]->part), thickness),
                                wf_many_set((float)near[k]->margin));
        w.stray[k] = wf_many_set((float)(sift->cloths * near[k]->stray + rounding));
    }
    for (int k = 1; k < 4; k++) {
        w.start[k] = sub(w.start[k], w.start[0]);
        w.end[k] = sub(w.end[k], w.end[0]);
    }
    return wf_many_or(boxes_miss(&w, split), split == 1 ? point_misses(&w) : edges_miss(&w));
}

// Of some pairs, those of these that an edge joins.
KERNEL int find_joined(const Side* a, const Side* b, const int first[WF_MANY],
                       const int second[WF_MANY], int among) {
    int joined = 0;
    for (int l = 0; l < WF_MANY; l++) {
        if (!(among >> l & 1)) continue;
        const int* u = a->corners ? a->corners + a->count * (long)first[l] : &first[l];
        const int* v = b->corners + b->count * (long)second[l];
        joined |= wf_are_joined(a->tree->surface, u, a->count, v, b->count) << l;
    }
    return joined;
}

// Two surfaces, as pairs of a kind see them. `turned`: the second of a pair is the first feature.
typedef struct Kind {
    Side a, b;
    bool turned;
    const WfBound* bound;
} Kind;

// Of up to WF_MANY pairs, those that miss.
KERNEL int find_missed(const WfSift* sift, const Kind* kind, const WfPair* pairs, int count) {
    int first[WF_MANY], second[WF_MANY];
    for (int l = 0; l < WF_MANY; l++) {
        WfPair pair = pairs[l < count ? l : 0];
        first[l] = kind->turned ? pair.b : pair.a;
        second[l] = kind->turned ? pair.a : pair.b;
    }
    int missed = wf_many_bits(miss_many(sift, kind->bound, &kind->a, &kind->b, first, second, 1));
    int joined = sift->own ? find_joined(&kind->a, &kind->b, first, second, ~missed) : 0;
    if (joined)
        missed |= joined & wf_many_bits(miss_many(sift, kind->bound, &kind->a, &kind->b, first,
                                                  second, (float)WF_JOINED));
    return missed;
}

KERNEL void sift_list(const WfSift* sift, Kind kind, WfPairList* list, int start) {
    int kept = start;
    for (int k = start; k < list->count; k += WF_MANY) {
        int count = list->count - k < WF_MANY ? list->count - k : WF_MANY;
        WfPair pairs[WF_MANY];
        for (int l = 0; l < count; l++) pairs[l] = list->pairs[k + l];
        int missed = find_missed(sift, &kind, pairs, count);
        for (int l = 0; l < count; l++) {
            list->pairs[kept] = pairs[l];
            kept += ~missed >> l & 1;
        }
    }
    list->count = kept;
}

KERNEL void flag_pairs(const WfSift* sift, Kind kind, const WfPair* pairs, int total,
                       unsigned char* flags) {
    for (int k = 0; k < total; k += WF_MANY) {
        int count = total - k < WF_MANY ? total - k : WF_MANY, any = 0;
        for (int l = 0; l < count; l++) any |= flags[k + l];
        if (!any) continue;
        int missed = find_missed(sift, &kind, pairs + k, count);
        for (int l = 0; l < count; l++) flags[k + l] &= ~missed >> l & 1;
    }
}

KERNEL Kind points_of(const WfSift* s) {
    const WfSurface* second = s->second->surface;
    return (Kind){{s->first, NULL, 1}, {s->second, second->triangles, 3}, false, &s->points};
}

KERNEL Kind corners_of(const WfSift* s) {
    const WfSurface* first = s->first->surface;
    return (Kind){{s->second, NULL, 1}, {s->first, first->triangles, 3}, true, &s->points};
}

KERNEL Kind edges_of(const WfSift* s) {
    const WfSurface *first = s->first->surface, *second = s->second->surface;
    return (Kind){{s->first, first->edges, 2}, {s->second, second->edges, 2}, false, &s->edges};
}

BODY void sift_pairs(const WfSift* sift, WfPairKind kind, WfPairList* list, int start) {
    if (kind == WF_POINTS) sift_list(sift, points_of(sift), list, start);
    if (kind == WF_CORNERS) sift_list(sift, corners_of(sift), list, start);
    if (kind == WF_EDGES) sift_list(sift, edges_of(sift), list, start);
}

BODY void sift_flags(const WfSift* sift, WfPairKind kind, const WfPair* pairs, int count,
                     unsigned char* flags) {
    if (kind == WF_POINTS) flag_pairs(sift, points_of(sift), pairs, count, flags);
    if (kind == WF_CORNERS) flag_pairs(sift, corners_of(sift), pairs, count, flags);
    if (kind == WF_EDGES) flag_pairs(sift, edges_of(sift), pairs, count, flags);
}

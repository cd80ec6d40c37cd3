// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Two features cannot meet where there is an axis along which one stays beyond the other, at the
// start and at the end, and so all the way between: any axis will do, hence rounding may spoil it,
// but not what it proves. Those of the boxes first, so that what stays does not depend on how boxes
// were grouped; the normal of both, as most that boxes find lies above or below; and the way
// between the closest points, for what lies beside.

#include "contact/sift.h"

#include <float.h>
#include <math.h>

#include "base/simd.h"

// Of floats with the size of all places: those of four corners at two times, and sums of products
// of their differences.
#define ROUNDING (16 * (double)FLT_EPSILON)

typedef struct Vec {
    WfQuad x, y, z;
} Vec;

static WF_INLINE Vec add(Vec a, Vec b) {
    return (Vec){wf_quad_add(a.x, b.x), wf_quad_add(a.y, b.y), wf_quad_add(a.z, b.z)};
}

static WF_INLINE Vec sub(Vec a, Vec b) {
    return (Vec){wf_quad_sub(a.x, b.x), wf_quad_sub(a.y, b.y), wf_quad_sub(a.z, b.z)};
}

static WF_INLINE Vec mul(WfQuad s, Vec a) {
    return (Vec){wf_quad_mul(s, a.x), wf_quad_mul(s, a.y), wf_quad_mul(s, a.z)};
}

static WF_INLINE WfQuad dot(Vec a, Vec b) {
    return wf_quad_add(wf_quad_add(wf_quad_mul(a.x, b.x), wf_quad_mul(a.y, b.y)),
                       wf_quad_mul(a.z, b.z));
}

static WF_INLINE Vec cross(Vec a, Vec b) {
    return (Vec){wf_quad_sub(wf_quad_mul(a.y, b.z), wf_quad_mul(a.z, b.y)),
                 wf_quad_sub(wf_quad_mul(a.z, b.x), wf_quad_mul(a.x, b.z)),
                 wf_quad_sub(wf_quad_mul(a.x, b.y), wf_quad_mul(a.y, b.x))};
}

// a/b in [0, 1]; b >= 0
static WF_INLINE WfQuad part_of(WfQuad a, WfQuad b) {
    WfQuad s = wf_quad_div(a, wf_quad_add(b, wf_quad_set(FLT_MIN)));
    return wf_quad_min(wf_quad_max(s, wf_quad_set(0)), wf_quad_set(1));
}

// Four pairs: where corners 1 to 3 are, as corner 0 sees them, at the start and at the end; and how
// far apart the two features are to be then, with what each axis adds to that.
typedef struct Ways {
    Vec start[4], end[4];
    WfQuad keep[2], stray[2];
} Ways;

typedef struct Range {
    WfQuad low, high;
} Range;

// How far the second feature is beyond the first along an axis, where corners 1 to 3 are so high,
// and the first beyond the second.
static WF_INLINE Range gaps(WfQuad a, WfQuad b, WfQuad c, int split) {
    WfQuad none = wf_quad_set(0);
    Range other = {wf_quad_min(b, c), wf_quad_max(b, c)};
    if (split == 2)
        return (Range){wf_quad_sub(other.low, wf_quad_max(a, none)),
                       wf_quad_sub(wf_quad_min(a, none), other.high)};
    return (Range){wf_quad_min(a, other.low), wf_quad_sub(none, wf_quad_max(a, other.high))};
}

static WF_INLINE Range gaps_along(Vec n, const Vec x[4], int split) {
    return gaps(dot(n, x[1]), dot(n, x[2]), dot(n, x[3]), split);
}

static WF_INLINE WfMask are_beyond(Range start, Range end, WfQuad least, WfQuad last) {
    return wf_mask_or(wf_mask_and(wf_quad_above(start.low, least), wf_quad_above(end.low, last)),
                      wf_mask_and(wf_quad_above(start.high, least), wf_quad_above(end.high, last)));
}

static WF_INLINE WfMask stay_apart(const Ways* w, Vec n, int split) {
    WfQuad length = wf_quad_sqrt(dot(n, n));
    WfQuad size = wf_quad_add(wf_quad_add(wf_quad_abs(n.x), wf_quad_abs(n.y)), wf_quad_abs(n.z));
    WfQuad least = wf_quad_add(wf_quad_mul(w->keep[0], length), wf_quad_mul(w->stray[0], size));
    WfQuad last = wf_quad_add(wf_quad_mul(w->keep[1], length), wf_quad_mul(w->stray[1], size));
    return are_beyond(gaps_along(n, w->start, split), gaps_along(n, w->end, split), least, last);
}

// Along x, y or z.
static WF_INLINE WfMask boxes_miss(const Ways* w, int split) {
    const Vec *a = w->start, *b = w->end;
    WfQuad least = wf_quad_add(w->keep[0], w->stray[0]);
    WfQuad last = wf_quad_add(w->keep[1], w->stray[1]);
    WfMask x = are_beyond(gaps(a[1].x, a[2].x, a[3].x, split), gaps(b[1].x, b[2].x, b[3].x, split),
                          least, last);
    WfMask y = are_beyond(gaps(a[1].y, a[2].y, a[3].y, split), gaps(b[1].y, b[2].y, b[3].y, split),
                          least, last);
    WfMask z = are_beyond(gaps(a[1].z, a[2].z, a[3].z, split), gaps(b[1].z, b[2].z, b[3].z, split),
                          least, last);
    return wf_mask_or(wf_mask_or(x, y), z);
}

// The way from p = 0 to the nearest point of the edge from a to b, if it is shorter than `best`.
static WF_INLINE void try_edge(Vec a, Vec b, Vec* best, WfQuad* square) {
    Vec u = sub(b, a), zero = {wf_quad_set(0), wf_quad_set(0), wf_quad_set(0)};
    Vec way = add(a, mul(part_of(dot(sub(zero, a), u), dot(u, u)), u));
    WfQuad other = dot(way, way);
    WfMask nearer = wf_quad_above(*square, other);
    best->x = wf_quad_choose(nearer, way.x, best->x);
    best->y = wf_quad_choose(nearer, way.y, best->y);
    best->z = wf_quad_choose(nearer, way.z, best->z);
    *square = wf_quad_min(*square, other);
}

// Over the triangle itself the nearest way is along its normal, which has been looked along.
static WF_INLINE WfMask point_misses(const Ways* w) {
    const Vec* x = w->start;
    WfMask apart = stay_apart(w, cross(sub(x[2], x[1]), sub(x[3], x[1])), 1);
    Vec way = x[1];
    WfQuad square = dot(way, way);
    try_edge(x[1], x[2], &way, &square);
    try_edge(x[2], x[3], &way, &square);
    try_edge(x[3], x[1], &way, &square);
    return wf_mask_or(apart, stay_apart(w, way, 1));
}

// As near.c does it.
static WF_INLINE WfMask edges_miss(const Ways* w) {
    const Vec* x = w->start;
    Vec u = x[1], v = sub(x[3], x[2]), n = cross(u, v);
    WfMask apart = stay_apart(w, n, 2);
    // r = -x[2], from the second edge to the first
    WfQuad uv = dot(u, v), ux = dot(u, x[2]), vx = dot(v, x[2]);
    WfQuad s = part_of(dot(n, cross(x[2], v)), dot(n, n));
    WfQuad t = part_of(wf_quad_sub(wf_quad_mul(uv, s), vx), dot(v, v));
    s = part_of(wf_quad_add(wf_quad_mul(uv, t), ux), dot(u, u));
    Vec way = sub(add(x[2], mul(t, v)), mul(s, u));
    return wf_mask_or(apart, stay_apart(w, way, 2));
}

// ---------------------------------------------------------------------------------------------
// Four pairs of a list

enum { FOUR = 4 };

// Vertex v[l] of lane l.
static WF_INLINE void gather(const float* places, const int v[FOUR], Vec* start, Vec* end,
                             WfQuad* half) {
    WfQuad r[4], q[4];
    for (int l = 0; l < FOUR; l++) {
        r[l] = wf_quad_load(places + 8 * (long)v[l]);
        q[l] = wf_quad_load(places + 8 * (long)v[l] + 4);
    }
    wf_quad_transpose(r);
    wf_quad_transpose(q);
    *start = (Vec){r[0], r[1], r[2]};
    *end = (Vec){q[0], q[1], q[2]};
    *half = r[3];
}

// Corner `k` of the pairs: vertex `index` of feature `feature[l]`, which has `count`.
static WF_INLINE void gather_corner(const WfTree* tree, const int* corners, int count, int index,
                                    const int feature[FOUR], Vec* start, Vec* end, WfQuad* half) {
    int v[FOUR];
    for (int l = 0; l < FOUR; l++)
        v[l] = corners ? corners[count * (long)feature[l] + index] : feature[l];
    gather(tree->places, v, start, end, half);
}

typedef struct Side {
    const WfTree* tree;
    const int* corners;
    int count;
} Side;

// `part` of their thickness counts.
static WF_INLINE WfMask miss_four(const WfSift* sift, const WfBound* bound, const Side* a,
                                  const Side* b, const int first[FOUR], const int second[FOUR],
                                  float part) {
    Ways w;
    WfQuad half[4];
    int split = a->count;
    for (int k = 0; k < 4; k++) {
        const Side* side = k < split ? a : b;
        gather_corner(side->tree, side->corners, side->count, k < split ? k : k - split,
                      k < split ? first : second, &w.start[k], &w.end[k], &half[k]);
    }
    WfQuad thickness =
        wf_quad_min(wf_quad_add(half[0], half[split]), wf_quad_set((float)sift->most));
    double rounding = ROUNDING * (sift->first->size + sift->second->size);
    const WfNearness* near[2] = {&bound->start, &bound->end};
    for (int k = 0; k < 2; k++) {
        w.keep[k] = wf_quad_add(wf_quad_mul(wf_quad_set(part * (float)near[k]->part), thickness),
                                wf_quad_set((float)near[k]->margin));
        w.stray[k] = wf_quad_set((float)(sift->cloths * near[k]->stray + rounding));
    }
    for (int k = 1; k < 4; k++) {
        w.start[k] = sub(w.start[k], w.start[0]);
        w.end[k] = sub(w.end[k], w.end[0]);
    }
    return wf_mask_or(boxes_miss(&w, split), split == 1 ? point_misses(&w) : edges_miss(&w));
}

// Of four pairs, those of these that an edge joins.
static int find_joined(const Side* a, const Side* b, const int first[FOUR], const int second[FOUR],
                       int among) {
    int joined = 0;
    for (int l = 0; l < FOUR; l++) {
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

// Of up to four pairs, those that miss.
static WF_INLINE int find_missed(const WfSift* sift, const Kind* kind, const WfPair* pairs,
                                 int count) {
    int first[FOUR], second[FOUR];
    for (int l = 0; l < FOUR; l++) {
        WfPair pair = pairs[l < count ? l : 0];
        first[l] = kind->turned ? pair.b : pair.a;
        second[l] = kind->turned ? pair.a : pair.b;
    }
    int missed = wf_mask_bits(miss_four(sift, kind->bound, &kind->a, &kind->b, first, second, 1));
    int joined = sift->own ? find_joined(&kind->a, &kind->b, first, second, ~missed) : 0;
    if (joined)
        missed |= joined & wf_mask_bits(miss_four(sift, kind->bound, &kind->a, &kind->b, first,
                                                  second, (float)WF_JOINED));
    return missed;
}

static WF_INLINE void sift_list(const WfSift* sift, Kind kind, WfPairList* list, int start) {
    int kept = start;
    for (int k = start; k < list->count; k += FOUR) {
        int count = list->count - k < FOUR ? list->count - k : FOUR;
        WfPair pairs[FOUR];
        for (int l = 0; l < count; l++) pairs[l] = list->pairs[k + l];
        int missed = find_missed(sift, &kind, pairs, count);
        for (int l = 0; l < count; l++) {
            list->pairs[kept] = pairs[l];
            kept += ~missed >> l & 1;
        }
    }
    list->count = kept;
}

static WF_INLINE void sift_flags(const WfSift* sift, Kind kind, const WfPair* pairs, int total,
                                 unsigned char* flags) {
    for (int k = 0; k < total; k += FOUR) {
        int count = total - k < FOUR ? total - k : FOUR, any = 0;
        for (int l = 0; l < count; l++) any |= flags[k + l];
        if (!any) continue;
        int missed = find_missed(sift, &kind, pairs + k, count);
        for (int l = 0; l < count; l++) flags[k + l] &= ~missed >> l & 1;
    }
}

static WF_INLINE Kind points_of(const WfSift* s) {
    const WfSurface* second = s->second->surface;
    return (Kind){{s->first, NULL, 1}, {s->second, second->triangles, 3}, false, &s->points};
}

static WF_INLINE Kind corners_of(const WfSift* s) {
    const WfSurface* first = s->first->surface;
    return (Kind){{s->second, NULL, 1}, {s->first, first->triangles, 3}, true, &s->points};
}

static WF_INLINE Kind edges_of(const WfSift* s) {
    const WfSurface *first = s->first->surface, *second = s->second->surface;
    return (Kind){{s->first, first->edges, 2}, {s->second, second->edges, 2}, false, &s->edges};
}

void wf_sift(const WfSift* sift, WfPairKind kind, WfPairList* list, int start) {
    if (kind == WF_POINTS) sift_list(sift, points_of(sift), list, start);
    if (kind == WF_CORNERS) sift_list(sift, corners_of(sift), list, start);
    if (kind == WF_EDGES) sift_list(sift, edges_of(sift), list, start);
}

void wf_sift_flags(const WfSift* sift, WfPairKind kind, const WfPair* pairs, int count,
                   unsigned char* flags) {
    if (kind == WF_POINTS) sift_flags(sift, points_of(sift), pairs, count, flags);
    if (kind == WF_CORNERS) sift_flags(sift, corners_of(sift), pairs, count, flags);
    if (kind == WF_EDGES) sift_flags(sift, edges_of(sift), pairs, count, flags);
}

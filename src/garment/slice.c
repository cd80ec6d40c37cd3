// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Where a plane cuts a triangle there is a segment; segments of triangles that share an edge hang
// together, and what hangs together is a loop, or a curve where the mesh has a hole. Two open ends
// that are each other's nearest hang together too. Bodies from the wild are made of pieces: eyes in
// the head, arms as tubes that are stuck into the torso. So loops whose convex hulls overlap are
// taken as one ring:
//
//      .--.
//     ( a( )b     hulls, not outlines, since a tape goes around hulls anyway;
//      `--'       by more than `join`, so that thighs that touch stay two legs
//
// A vertex counts as above the plane or below it, never as on it: every triangle has one segment or
// none. Vertices at one place are one, so that seams of texture do not cut loops open.

#include "garment/slice.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/links.h"
#include "base/memory.h"

typedef struct Spot {
    double x[3];
    int vertex;
} Spot;

// An end of a segment, on the edge of the mesh that `edge` names.
typedef struct End {
    uint64_t edge;
    int point;  // 2 * segment, or 1 more
} End;

struct WfSlicer {
    WeftAllocator allocator;
    const double* positions;
    const int* triangles;
    int vertex_count, triangle_count;
    double join;
    int* same;         // per vertex: the lowest one at its place
    double* distance;  // per vertex: above the plane
    // per segment; room for `capacity` of them
    int capacity, segment_count;
    End* ends;       // 2
    WfFlat* points;  // 2
    WfFlat* sorted;  // 2: the points, loop after loop; then hulls
    WfFlat* hulls;   // 4: hulls need one point more than they have, for a moment
    int* loop;       // of what loop it is: union-find, then a number
    int* number;     // of its loop, where it is the root of one
    int* start;      // per loop: its first segment in `sorted`
    WfRing *rings, *merged;
    int* loose;    // ends that are alone on their edge, by their point
    int* nearest;  // per such end: another one
    int* joined;   // per ring: union-find
    int ring_count;
};

// ---------------------------------------------------------------------------------------------
// Making

static int compare_spots(const void* left, const void* right) {
    const Spot *a = left, *b = right;
    for (int k = 0; k < 3; k++)
        if (a->x[k] != b->x[k]) return a->x[k] < b->x[k] ? -1 : 1;
    return (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

static bool find_same(WfSlicer* s) {
    size_t count = (size_t)s->vertex_count;
    Spot* spots = wf_alloc(&s->allocator, count, sizeof *spots);
    if (!spots) return false;
    for (int v = 0; v < s->vertex_count; v++) {
        memcpy(spots[v].x, s->positions + 3 * (long)v, sizeof spots[v].x);
        spots[v].vertex = v;
    }
    qsort(spots, count, sizeof *spots, compare_spots);
    for (int i = 0, first = 0; i < s->vertex_count; i++) {
        const double *a = spots[first].x, *b = spots[i].x;
        if (a[0] != b[0] || a[1] != b[1] || a[2] != b[2]) first = i;
        s->same[spots[i].vertex] = spots[first].vertex;
    }
    wf_free(&s->allocator, spots);
    return true;
}

WeftResult wf_create_slicer(const double* positions, int vertex_count, const int* triangles,
                            int triangle_count, double join, const WeftAllocator* allocator,
                            WfSlicer** slicer, WeftError* error) {
    WeftAllocator memory = wf_allocator(allocator);
    WfSlicer* s = wf_alloc(&memory, 1, sizeof *s);
    if (!s) return wf_fail_memory(error);
    *s = (WfSlicer){.allocator = memory,
                    .positions = positions,
                    .vertex_count = vertex_count,
                    .triangles = triangles,
                    .triangle_count = triangle_count,
                    .join = join};
    s->same = wf_alloc(&memory, (size_t)vertex_count, sizeof *s->same);
    s->distance = wf_alloc(&memory, (size_t)vertex_count, sizeof *s->distance);
    if (!s->same || !s->distance || !find_same(s)) {
        wf_destroy_slicer(s);
        return wf_fail_memory(error);
    }
    *slicer = s;
    return WEFT_OK;
}

static void free_scratch(WfSlicer* s) {
    void* const arrays[] = {s->ends,  s->points, s->sorted, s->hulls, s->loop,    s->number,
                            s->start, s->rings,  s->merged, s->loose, s->nearest, s->joined};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) wf_free(&s->allocator, arrays[i]);
    s->ends = NULL, s->points = s->sorted = s->hulls = NULL;
    s->loop = s->number = s->start = s->joined = s->loose = s->nearest = NULL;
    s->rings = s->merged = NULL;
    s->capacity = 0;
}

void wf_destroy_slicer(WfSlicer* s) {
    if (!s) return;
    WeftAllocator allocator = s->allocator;
    free_scratch(s);
    wf_free(&allocator, s->same);
    wf_free(&allocator, s->distance);
    wf_free(&allocator, s);
}

static bool make_room(WfSlicer* s, int segments) {
    if (segments <= s->capacity) return true;
    free_scratch(s);
    size_t room = 2 * (size_t)segments;  // the next slice has more
    s->ends = wf_alloc(&s->allocator, 2 * room, sizeof *s->ends);
    s->points = wf_alloc(&s->allocator, 2 * room, sizeof *s->points);
    s->sorted = wf_alloc(&s->allocator, 2 * room, sizeof *s->sorted);
    s->hulls = wf_alloc(&s->allocator, 4 * room + 2, sizeof *s->hulls);
    s->loop = wf_alloc(&s->allocator, room, sizeof *s->loop);
    s->number = wf_alloc(&s->allocator, room, sizeof *s->number);
    s->start = wf_alloc(&s->allocator, room, sizeof *s->start);
    s->rings = wf_alloc(&s->allocator, room, sizeof *s->rings);
    s->merged = wf_alloc(&s->allocator, room, sizeof *s->merged);
    s->loose = wf_alloc(&s->allocator, 2 * room, sizeof *s->loose);
    s->nearest = wf_alloc(&s->allocator, 2 * room, sizeof *s->nearest);
    s->joined = wf_alloc(&s->allocator, room, sizeof *s->joined);
    bool good = s->ends && s->points && s->sorted && s->hulls && s->loop && s->number && s->start &&
                s->rings && s->merged && s->loose && s->nearest && s->joined;
    s->capacity = good ? (int)room : 0;
    return good;
}

// ---------------------------------------------------------------------------------------------
// Segments

static bool is_cut(const WfSlicer* s, const int* corners) {
    bool a = s->distance[corners[0]] >= 0;
    return a != (s->distance[corners[1]] >= 0) || a != (s->distance[corners[2]] >= 0);
}

// Where the edge from a to b meets the plane: the same point from both of its triangles.
static WfFlat cross_edge(const WfSlicer* s, const WfPlane* plane, int a, int b) {
    double da = s->distance[a], db = s->distance[b], t = da / (da - db);
    WfVec x = wf_load(s->positions, a), y = wf_load(s->positions, b);
    WfVec from = wf_sub(wf_madd(x, t, wf_sub(y, x)), plane->origin);
    return (WfFlat){wf_dot(from, plane->across), wf_dot(from, plane->up)};
}

static void add_segment(WfSlicer* s, const WfPlane* plane, const int* corners) {
    int segment = s->segment_count++, end = 2 * segment;
    for (int k = 0; k < 3; k++) {
        int a = s->same[corners[k]], b = s->same[corners[(k + 1) % 3]];
        if ((s->distance[a] >= 0) == (s->distance[b] >= 0)) continue;
        int low = a < b ? a : b, high = a < b ? b : a;
        s->ends[end] = (End){(uint64_t)low << 32 | (uint64_t)high, end};
        s->points[end++] = cross_edge(s, plane, low, high);
    }
    wf_assert(end == 2 * segment + 2);
    s->loop[segment] = segment;
}

static bool cut(WfSlicer* s, const WfPlane* plane) {
    WfVec normal = wf_cross(plane->across, plane->up);
    int count = 0;
    for (int v = 0; v < s->vertex_count; v++)
        s->distance[v] = wf_dot(normal, wf_sub(wf_load(s->positions, v), plane->origin));
    for (int t = 0; t < s->triangle_count; t++) count += is_cut(s, s->triangles + 3 * (long)t);
    if (!make_room(s, count)) return false;
    s->segment_count = 0;
    for (int t = 0; t < s->triangle_count; t++)
        if (is_cut(s, s->triangles + 3 * (long)t))
            add_segment(s, plane, s->triangles + 3 * (long)t);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Loops

static int compare_ends(const void* left, const void* right) {
    const End *a = left, *b = right;
    if (a->edge != b->edge) return a->edge < b->edge ? -1 : 1;
    return (a->point > b->point) - (a->point < b->point);
}

// Returns how many ends are alone on their edge.
static int join_ends(WfSlicer* s) {
    int count = 2 * s->segment_count, loose = 0;
    qsort(s->ends, (size_t)count, sizeof *s->ends, compare_ends);
    for (int i = 0; i < count; i++) {
        bool before = i > 0 && s->ends[i - 1].edge == s->ends[i].edge;
        bool after = i + 1 < count && s->ends[i + 1].edge == s->ends[i].edge;
        if (before) wf_link(s->loop, s->ends[i - 1].point / 2, s->ends[i].point / 2);
        if (!before && !after) s->loose[loose++] = s->ends[i].point;
    }
    return loose;
}

static int find_nearest(const WfSlicer* s, int loose, int end) {
    double least = INFINITY;
    int nearest = -1;
    WfFlat here = s->points[s->loose[end]];
    for (int i = 0; i < loose; i++) {
        WfFlat there = s->points[s->loose[i]];
        double distance = wf_flat_length(there.u - here.u, there.v - here.v);
        if (i == end || distance >= least) continue;
        least = distance;
        nearest = i;
    }
    return nearest;
}

// Over gaps: ends that are each other's nearest.
static void join_loose(WfSlicer* s, int loose) {
    for (int i = 0; i < loose; i++) s->nearest[i] = find_nearest(s, loose, i);
    for (int i = 0; i < loose; i++)
        if (s->nearest[i] > i && s->nearest[s->nearest[i]] == i)
            wf_link(s->loop, s->loose[i] / 2, s->loose[s->nearest[i]] / 2);
}

static void find_loops(WfSlicer* s) {
    join_loose(s, join_ends(s));
    s->ring_count = 0;
    for (int i = 0; i < s->segment_count; i++)
        if (wf_first_linked(s->loop, i) == i) s->number[i] = s->ring_count++;
    // from the end: roots come first
    for (int i = s->segment_count - 1; i >= 0; i--)
        s->loop[i] = s->number[wf_first_linked(s->loop, i)];
}

// ---------------------------------------------------------------------------------------------
// Hulls

static int compare_points(const void* left, const void* right) {
    const WfFlat *a = left, *b = right;
    if (a->u != b->u) return a->u < b->u ? -1 : 1;
    return (a->v > b->v) - (a->v < b->v);
}

static double turn(WfFlat a, WfFlat b, WfFlat c) {
    return (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
}

// Andrew's chains: from left to right below, and back above. Returns how many points; sorts them.
static int make_hull(WfFlat* points, int count, WfFlat* hull) {
    int made = 0;
    qsort(points, (size_t)count, sizeof *points, compare_points);
    for (int i = 0; i < count; i++) {
        while (made >= 2 && turn(hull[made - 2], hull[made - 1], points[i]) <= 0) made--;
        hull[made++] = points[i];
    }
    for (int i = count - 2, floor = made + 1; i >= 0; i--) {
        while (made >= floor && turn(hull[made - 2], hull[made - 1], points[i]) <= 0) made--;
        hull[made++] = points[i];
    }
    return made > 1 ? made - 1 : made;
}

static WfRing measure_hull(const WfFlat* hull, int start, int count) {
    WfRing ring = {.hull_start = start, .hull_count = count, .low = hull[0], .high = hull[0]};
    WfFlat sum = {0, 0};
    double weight = 0;
    for (int i = 0; i < count; i++) {
        WfFlat a = hull[i], b = hull[(i + 1) % count];
        double twice = turn(hull[0], a, b);
        ring.girth += wf_flat_length(b.u - a.u, b.v - a.v);
        weight += twice;
        sum.u += twice * (hull[0].u + a.u + b.u) / 3;
        sum.v += twice * (hull[0].v + a.v + b.v) / 3;
        ring.low.u = fmin(ring.low.u, a.u), ring.low.v = fmin(ring.low.v, a.v);
        ring.high.u = fmax(ring.high.u, a.u), ring.high.v = fmax(ring.high.v, a.v);
    }
    ring.area = weight / 2;
    ring.centre = (WfFlat){(ring.low.u + ring.high.u) / 2, (ring.low.v + ring.high.v) / 2};
    if (weight > 0) ring.centre = (WfFlat){sum.u / weight, sum.v / weight};
    return ring;
}

// One ring per loop.
static void make_rings(WfSlicer* s) {
    int at = 0, hull_at = 0;
    // counting sort of the segments by loop; `start` ends where the next loop begins
    memset(s->start, 0, (size_t)s->ring_count * sizeof *s->start);
    for (int i = 0; i < s->segment_count; i++) s->start[s->loop[i]]++;
    for (int r = 0; r < s->ring_count; r++) {
        int count = s->start[r];
        s->start[r] = at;
        at += count;
    }
    for (int i = 0; i < s->segment_count; i++) {
        int place = s->start[s->loop[i]]++;
        memcpy(s->sorted + 2 * place, s->points + 2 * i, 2 * sizeof *s->points);
    }
    for (int r = 0, first = 0; r < s->ring_count; first = s->start[r++]) {
        int points = 2 * (s->start[r] - first);
        int made = make_hull(s->sorted + 2 * first, points, s->hulls + hull_at);
        s->rings[r] = measure_hull(s->hulls + hull_at, hull_at, made);
        hull_at += made;
    }
}

// ---------------------------------------------------------------------------------------------
// Joining

// How deep b reaches behind the sides of a, where it does so least; negative: a gap.
static double reach(const WfFlat* a, int a_count, const WfFlat* b, int b_count) {
    double least = INFINITY;
    for (int i = 0; i < a_count; i++) {
        WfFlat p = a[i], q = a[(i + 1) % a_count];
        double length = wf_flat_length(q.u - p.u, q.v - p.v), deepest = -INFINITY;
        if (!(length > 0)) continue;
        for (int k = 0; k < b_count; k++) deepest = fmax(deepest, turn(p, q, b[k]) / length);
        least = fmin(least, deepest);
    }
    return least;
}

static double smaller_side(const WfRing* ring) {
    return fmin(ring->high.u - ring->low.u, ring->high.v - ring->low.v);
}

static bool belong_together(const WfSlicer* s, int i, int k) {
    const WfRing *a = &s->rings[i], *b = &s->rings[k];
    double wanted = fmin(s->join, 0.5 * fmin(smaller_side(a), smaller_side(b)));
    if (b->low.u - a->high.u > -wanted || a->low.u - b->high.u > -wanted ||
        b->low.v - a->high.v > -wanted || a->low.v - b->high.v > -wanted)
        return false;
    const WfFlat *p = wf_ring_hull(s, a), *q = wf_ring_hull(s, b);
    double depth =
        fmin(reach(p, a->hull_count, q, b->hull_count), reach(q, b->hull_count, p, a->hull_count));
    return depth < HUGE_VAL && depth > wanted;
}

// What was joined is larger, and may meet more.
static bool join_rings(WfSlicer* s) {
    bool any = false;
    for (int i = 0; i < s->ring_count; i++) s->joined[i] = i;
    for (int i = 0; i < s->ring_count; i++)
        for (int k = i + 1; k < s->ring_count; k++)
            if (wf_first_linked(s->joined, i) != wf_first_linked(s->joined, k) &&
                belong_together(s, i, k)) {
                wf_link(s->joined, i, k);
                any = true;
            }
    return any;
}

// The points of the hulls of all rings of a root, into `sorted`.
static int gather(WfSlicer* s, int root) {
    int count = 0;
    for (int i = 0; i < s->ring_count; i++) {
        if (wf_first_linked(s->joined, i) != root) continue;
        const WfRing* ring = &s->rings[i];
        memcpy(s->sorted + count, wf_ring_hull(s, ring),
               (size_t)ring->hull_count * sizeof *s->sorted);
        count += ring->hull_count;
    }
    return count;
}

// Hulls of what belongs together; they come behind those they are made of, and then take their
// place.
static void merge_rings(WfSlicer* s) {
    int old_end = 0, made = 0;
    for (int i = 0; i < s->ring_count; i++) old_end += s->rings[i].hull_count;
    int at = old_end;
    for (int root = 0; root < s->ring_count; root++) {
        if (wf_first_linked(s->joined, root) != root) continue;
        int count = make_hull(s->sorted, gather(s, root), s->hulls + at);
        s->merged[made++] = measure_hull(s->hulls + at, at - old_end, count);
        at += count;
    }
    memmove(s->hulls, s->hulls + old_end, (size_t)(at - old_end) * sizeof *s->hulls);
    memcpy(s->rings, s->merged, (size_t)made * sizeof *s->rings);
    s->ring_count = made;
}

static int compare_rings(const void* left, const void* right) {
    const WfRing *a = left, *b = right;
    if (a->area != b->area) return a->area > b->area ? -1 : 1;
    return (a->hull_start > b->hull_start) - (a->hull_start < b->hull_start);
}

// ---------------------------------------------------------------------------------------------

WeftResult wf_slice(WfSlicer* s, const WfPlane* plane, WeftError* error) {
    s->ring_count = 0;
    if (!cut(s, plane)) return wf_fail_memory(error);
    if (s->segment_count == 0) return WEFT_OK;
    find_loops(s);
    make_rings(s);
    while (join_rings(s)) merge_rings(s);
    qsort(s->rings, (size_t)s->ring_count, sizeof *s->rings, compare_rings);
    return WEFT_OK;
}

int wf_ring_count(const WfSlicer* s) { return s->ring_count; }

const WfRing* wf_ring(const WfSlicer* s, int index) {
    wf_assert(index >= 0 && index < s->ring_count);
    return &s->rings[index];
}

const WfFlat* wf_ring_hull(const WfSlicer* s, const WfRing* ring) {
    return s->hulls + ring->hull_start;
}

WfRing wf_tape(WfSlicer* s, const bool* chosen) {
    int count = 0, start = 0;
    for (int i = 0; i < s->ring_count; i++) {
        const WfRing* ring = &s->rings[i];
        start += ring->hull_count;
        if (!chosen[i]) continue;
        memcpy(s->sorted + count, wf_ring_hull(s, ring),
               (size_t)ring->hull_count * sizeof *s->sorted);
        count += ring->hull_count;
    }
    if (count == 0) return (WfRing){0};
    int made = make_hull(s->sorted, count, s->hulls + start);
    return measure_hull(s->hulls + start, start, made);
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Incremental insertion (Lawson 1977): walk to the triangle that holds the new point, cut it in
// three, flip what is no longer Delaunay. The walk starts where the last point went in, so the
// order decides the cost: see hilbert.c. A square around all points spares every case of a point
// outside the hull. Edges that must exist are made afterwards by flipping what crosses them
// (Sloan 1993). All decisions are exact (exact.h), so nothing here depends on tolerances.

#include "mesh/delaunay.h"

#include "base/error.h"
#include "base/memory.h"

static void put(WfDelaunay* d, int t, const int vertex[3], const int next[3]) {
    for (int k = 0; k < 3; k++) {
        d->triangles[t].vertex[k] = vertex[k];
        d->triangles[t].next[k] = next[k];
        d->star[vertex[k]] = t;
    }
}

static int corner_facing(const WfTriangle* t, int neighbour) {
    return t->next[0] == neighbour ? 0 : t->next[1] == neighbour ? 1 : 2;
}

// What was next to `old` is now next to `now`.
static void relink(WfDelaunay* d, int t, int old, int now) {
    if (t >= 0) d->triangles[t].next[corner_facing(&d->triangles[t], old)] = now;
}

//        b               b
//      / | \           / u \         before: t = p a b, u = apex b a
//    p t | u apex    p-----apex      after:  t = p a apex, u = p apex b
//      \ | /           \ t /
//        a               a
static void flip(WfDelaunay* d, int t, int k) {
    WfTriangle left = d->triangles[t];
    int u = left.next[k];
    WfTriangle right = d->triangles[u];
    int j = corner_facing(&right, t);
    int p = left.vertex[k], a = left.vertex[(k + 1) % 3], b = left.vertex[(k + 2) % 3];
    int apex = right.vertex[j];
    int at_a = left.next[(k + 1) % 3], at_b = left.next[(k + 2) % 3];      // opposite to a, b in t
    int far_b = right.next[(j + 1) % 3], far_a = right.next[(j + 2) % 3];  // opposite to b, a in u
    put(d, t, (int[]){p, a, apex}, (int[]){far_b, u, at_b});
    put(d, u, (int[]){p, apex, b}, (int[]){far_a, at_a, t});
    relink(d, far_b, u, t);
    relink(d, at_a, t, u);
}

static bool is_illegal(const WfDelaunay* d, int t, int k) {
    const WfTriangle* here = &d->triangles[t];
    if (here->next[k] < 0) return false;
    const WfTriangle* there = &d->triangles[here->next[k]];
    const WfPoint* x = d->points;
    return wf_in_circle(x[here->vertex[0]], x[here->vertex[1]], x[here->vertex[2]],
                        x[there->vertex[corner_facing(there, t)]]) > 0;
}

// ---------------------------------------------------------------------------------------------
// Insertion

// Walk from triangle t to the one that holds the point; *edge is the corner opposite to the edge
// it lies on, or -1. Returns -1 where it lies on a vertex, which is then *edge.
static int locate(const WfDelaunay* d, int t, WfPoint p, int* edge) {
    for (;;) {
        const WfTriangle* here = &d->triangles[t];
        int on[2], on_count = 0, out = -1;
        for (int k = 0; k < 3 && out < 0; k++) {
            int64_t side = wf_orient(d->points[here->vertex[(k + 1) % 3]],
                                     d->points[here->vertex[(k + 2) % 3]], p);
            if (side < 0) out = here->next[k];
            if (side == 0) on[on_count++] = k;
        }
        if (out >= 0) {
            t = out;
            continue;
        }
        *edge = on_count == 1 ? on[0] : -1;
        if (on_count < 2) return t;
        *edge = here->vertex[3 - on[0] - on[1]];
        return -1;
    }
}

// The three triangles of point p in triangle t each have p as their corner 0.
static void split(WfDelaunay* d, int t, int p) {
    WfTriangle old = d->triangles[t];
    const int *v = old.vertex, *n = old.next;
    int second = d->triangle_count++, third = d->triangle_count++;
    put(d, t, (int[]){p, v[1], v[2]}, (int[]){n[0], second, third});
    put(d, second, (int[]){p, v[2], v[0]}, (int[]){n[1], third, t});
    put(d, third, (int[]){p, v[0], v[1]}, (int[]){n[2], t, second});
    relink(d, n[1], t, second);
    relink(d, n[2], t, third);
}

// Flip edges opposite to the new point, which is corner 0 of every triangle at hand.
static void legalise(WfDelaunay* d, int count) {
    while (count > 0) {
        int t = d->work[--count];
        if (!is_illegal(d, t, 0)) continue;
        int u = d->triangles[t].next[0];
        flip(d, t, 0);
        d->work[count++] = t;
        d->work[count++] = u;
    }
}

// Returns the vertex that is already there, or -1.
static int insert(WfDelaunay* d, int p, int* hint) {
    int edge, t = locate(d, *hint, d->points[p], &edge), count = 0;
    if (t < 0) return edge;
    int parts[] = {t, d->triangle_count, d->triangle_count + 1};
    split(d, t, p);
    for (int k = 0; k < 3; k++) d->work[count++] = parts[k];
    if (edge >= 0) {
        // a point on an edge leaves one part flat, and the flip gives it room
        int u = d->triangles[parts[edge]].next[0];
        flip(d, parts[edge], 0);
        d->work[count++] = u;
    }
    legalise(d, count);
    *hint = d->star[p];
    return -1;
}

static void start_with_square(WfDelaunay* d) {
    int a = d->point_count - 4;
    d->triangle_count = 2;
    put(d, 0, (int[]){a, a + 1, a + 2}, (int[]){-1, 1, -1});
    put(d, 1, (int[]){a, a + 2, a + 3}, (int[]){-1, -1, 0});
}

WeftResult wf_delaunay_create(const WeftAllocator* allocator, WfPoint* points, int point_count,
                              const int* successor, const int* order, WfDelaunay* delaunay,
                              int* twins, WeftError* error) {
    WfDelaunay* d = delaunay;
    *d = (WfDelaunay){.points = points, .point_count = point_count, .successor = successor};
    size_t most = 2 * (size_t)point_count;  // 2 at first, 2 more with each point
    d->triangles = wf_alloc(allocator, most, sizeof *d->triangles);
    d->star = wf_alloc(allocator, (size_t)point_count, sizeof *d->star);
    d->work = wf_alloc(allocator, 2 * most, sizeof *d->work);
    d->queued = wf_alloc(allocator, most, sizeof *d->queued);
    if (!d->triangles || !d->star || !d->work || !d->queued) {
        wf_delaunay_destroy(allocator, d);
        return wf_fail_memory(error);
    }
    for (int v = 0; v < point_count; v++) d->star[v] = -1;
    start_with_square(d);
    twins[0] = twins[1] = -1;
    for (int i = 0, hint = 0; i < point_count - 4; i++) {
        int there = insert(d, order[i], &hint);
        if (there < 0 || successor[there] < 0 || successor[order[i]] < 0) continue;
        twins[0] = there;
        twins[1] = order[i];
    }
    return WEFT_OK;
}

void wf_delaunay_destroy(const WeftAllocator* allocator, WfDelaunay* delaunay) {
    wf_free(allocator, delaunay->triangles);
    wf_free(allocator, delaunay->star);
    wf_free(allocator, delaunay->work);
    wf_free(allocator, delaunay->queued);
    *delaunay = (WfDelaunay){0};
}

// ---------------------------------------------------------------------------------------------
// Bound edges

static int64_t side_of(const WfDelaunay* d, int a, int b, int c) {
    return wf_orient(d->points[a], d->points[b], d->points[c]);
}

static bool is_ahead(const WfDelaunay* d, int a, int b, int c) {
    const WfPoint *x = d->points, o = x[a];
    return (int64_t)(x[b].x - o.x) * (x[c].x - o.x) + (int64_t)(x[b].y - o.y) * (x[c].y - o.y) > 0;
}

// Around a: the triangle through which the way to b leaves. -1: b is a neighbour of a, or the way
// runs along an edge to the vertex *on.
static int find_exit(const WfDelaunay* d, int a, int b, int* on) {
    int t = d->star[a];
    *on = -1;
    for (;;) {
        const WfTriangle* here = &d->triangles[t];
        int k = wf_corner_of(here, a), p = here->vertex[(k + 1) % 3], q = here->vertex[(k + 2) % 3];
        if (p == b || q == b) return -1;
        int64_t side = side_of(d, a, b, p);
        if (side == 0 && is_ahead(d, a, b, p)) {
            *on = p;
            return -1;
        }
        if (side < 0 && side_of(d, a, b, q) > 0) return t;
        t = here->next[(k + 1) % 3];
    }
}

// The triangle left of the edge from p to q, which exists. Around a corner of the square triangles
// do not close: from any of them, some are this way and some the other.
static int find_edge(const WfDelaunay* d, int p, int q, int* corner) {
    for (int way = 1;; way = 2) {
        for (int t = d->star[p]; t >= 0;) {
            const WfTriangle* here = &d->triangles[t];
            int k = wf_corner_of(here, p);
            *corner = (k + 2) % 3;
            if (here->vertex[(k + 1) % 3] == q) return t;
            t = here->next[(k + way) % 3];
        }
    }
}

// Collect the edges between a and b as pairs of vertices, right one first; -1 where blocked.
static int collect_crossed(WfDelaunay* d, int t, int a, int b, int* blocked) {
    int count = 0, k = wf_corner_of(&d->triangles[t], a);
    for (;;) {
        const WfTriangle* here = &d->triangles[t];
        int p = here->vertex[(k + 1) % 3], q = here->vertex[(k + 2) % 3];
        blocked[0] = p;
        blocked[1] = q;
        if (wf_delaunay_bound(d, p, q)) return -1;
        d->work[2 * (long)count] = p;
        d->work[2 * (long)count++ + 1] = q;
        int u = here->next[k], j = corner_facing(&d->triangles[u], t);
        int apex = d->triangles[u].vertex[j];
        if (apex == b) return count;
        int64_t side = side_of(d, a, b, apex);
        blocked[0] = apex;
        blocked[1] = -1;
        if (side == 0) return -1;
        // leave u across its edge from the apex to the vertex on the other side
        t = u;
        k = (j + (side > 0 ? 1 : 2)) % 3;
    }
}

// Flip the edge from p to q, if it lies in a convex quadrilateral; the new edge is then in ends.
static bool flip_crossed(WfDelaunay* d, int* ends) {
    int k, t = find_edge(d, ends[0], ends[1], &k), u = d->triangles[t].next[k];
    int c = d->triangles[t].vertex[k];
    int apex = d->triangles[u].vertex[corner_facing(&d->triangles[u], t)];
    if (side_of(d, c, ends[0], apex) <= 0 || side_of(d, c, apex, ends[1]) <= 0) return false;
    flip(d, t, k);
    ends[0] = c;
    ends[1] = apex;
    return true;
}

static bool is_crossed(const WfDelaunay* d, int a, int b, const int* ends) {
    if (ends[0] == a || ends[0] == b || ends[1] == a || ends[1] == b) return false;
    return (side_of(d, a, b, ends[0]) > 0) != (side_of(d, a, b, ends[1]) > 0);
}

bool wf_delaunay_bind(WfDelaunay* d, int a, int b, int* blocked) {
    blocked[1] = -1;
    int t = find_exit(d, a, b, &blocked[0]);
    if (t < 0) return blocked[0] < 0;
    int count = collect_crossed(d, t, a, b, blocked), capacity = count;
    if (count < 0) return false;
    // a ring of edges that still cross; one that cannot be flipped yet waits for another round
    for (int first = 0; count > 0; first = (first + 1) % capacity) {
        int* ends = d->work + 2 * (long)first;
        int edge[2] = {ends[0], ends[1]};
        bool flipped = flip_crossed(d, edge);
        count--;
        if (flipped && !is_crossed(d, a, b, edge)) continue;
        int last = (first + 1 + count) % capacity;
        d->work[2 * (long)last] = edge[0];
        d->work[2 * (long)last + 1] = edge[1];
        count++;
    }
    return true;
}

static void enqueue(WfDelaunay* d, int* count, int t) {
    if (d->queued[t]) return;
    d->queued[t] = 1;
    d->work[(*count)++] = t;
}

void wf_delaunay_restore(WfDelaunay* d) {
    int count = 0;
    for (int t = d->triangle_count - 1; t >= 0; t--) enqueue(d, &count, t);
    while (count > 0) {
        int t = d->work[--count];
        d->queued[t] = 0;
        for (int k = 0; k < 3; k++) {
            const WfTriangle* here = &d->triangles[t];
            if (wf_delaunay_bound(d, here->vertex[(k + 1) % 3], here->vertex[(k + 2) % 3]) ||
                !is_illegal(d, t, k))
                continue;
            int u = here->next[k];
            flip(d, t, k);
            enqueue(d, &count, u);
            enqueue(d, &count, t);
            break;
        }
    }
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A crossing is an edge through a triangle. Where two triangles cross, they do so along a segment
// that has a crossing at either end, and the triangles beside these edges continue it: so crossings
// that have a pair of triangles in common lie on one contour.
//
//            A' / e   T             e crosses T: a contour runs through A and T, then A' and T.
//       ------ x ------x---         Where edges of both sides take turns, as here, the contour
//          A  /      e'             goes on with sides exchanged.

#include "contact/tangle.h"

#include <string.h>

#include "contact/world.h"

enum { FIRST_CAPACITY = 256 };
static const double ROPE = 1e-3;  // m: ropes count as strips of this width

void wf_tangles_layout(const WfSurface* cloth, const WfBody* bodies, int body_count, WfArena* arena,
                       WfTangles* t) {
    size_t n = (size_t)cloth->vertex_count, all = n, edges = (size_t)cloth->edge_count;
    for (int i = 0; i < body_count; i++) {
        if (bodies[i].exact) continue;
        all += (size_t)bodies[i].vertex_count;
        edges += (size_t)bodies[i].surface.edge_count;
    }
    t->areas = wf_arena_push(arena, all, sizeof *t->areas);
    t->start = wf_arena_push(arena, all + (size_t)body_count + 1, sizeof *t->start);
    t->beside = wf_arena_push(arena, 2 * edges, sizeof *t->beside);
    t->label = wf_arena_push(arena, all, sizeof *t->label);
    t->queue = wf_arena_push(arena, all, sizeof *t->queue);
    t->in_mesh = wf_arena_push(arena, n, sizeof *t->in_mesh);
    t->inside = wf_arena_push(arena, n, sizeof *t->inside);
    t->patch_of = wf_arena_push(arena, n, sizeof *t->patch_of);
    t->patches = wf_arena_push(arena, n, sizeof *t->patches);
    t->outward = wf_arena_push(arena, n, sizeof *t->outward);
    t->piece_of = wf_arena_push(arena, n, sizeof *t->piece_of);
    t->piece_placed = wf_arena_push(arena, n, sizeof *t->piece_placed);
}

static void release(WfTangles* t) {
    wf_free(&t->allocator, t->all);
    wf_free(&t->allocator, t->keys);
    wf_free(&t->allocator, t->scratch);
    wf_free(&t->allocator, t->order);
}

void wf_tangles_destroy(WfTangles* t) {
    release(t);
    wf_pairs_destroy(&t->pairs);
}

static bool grow(WfTangles* t) {
    size_t capacity = t->capacity ? 2 * (size_t)t->capacity : FIRST_CAPACITY;
    WfTangles more = {.allocator = t->allocator};
    more.all = wf_alloc(&t->allocator, capacity, sizeof *more.all);
    more.keys = wf_alloc(&t->allocator, 2 * capacity, sizeof *more.keys);
    more.scratch = wf_alloc(&t->allocator, 2 * capacity, sizeof *more.scratch);
    more.order = wf_alloc(&t->allocator, capacity, sizeof *more.order);
    t->failed = !more.all || !more.keys || !more.scratch || !more.order;
    if (t->failed) {
        release(&more);
        return false;
    }
    if (t->count) memcpy(more.all, t->all, (size_t)t->count * sizeof *more.all);
    release(t);
    t->all = more.all;
    t->keys = more.keys;
    t->scratch = more.scratch;
    t->order = more.order;
    t->capacity = (int)capacity;
    return true;
}

WfSheet wf_sheet(const WfWorld* w, int mover) {
    const WfTangles* t = &w->tangles;
    WfSheet sheet = {w->cloth, w->x, t->areas, t->start, t->beside, t->label};
    for (int m = 0; m <= mover; m++) {
        if (w->movers[m].body->exact) continue;
        sheet.areas += sheet.surface->vertex_count;
        sheet.start += sheet.surface->vertex_count + 1;
        sheet.beside += 2 * (long)sheet.surface->edge_count;
        sheet.label += sheet.surface->vertex_count;
        sheet.surface = &w->movers[m].body->surface;
        sheet.x = w->movers[m].x0;
    }
    return sheet;
}

WfSheet wf_edge_sheet(const WfWorld* w, const WfCrossing* c) {
    return wf_sheet(w, c->body_edge ? c->mover : -1);
}

WfSheet wf_triangle_sheet(const WfWorld* w, const WfCrossing* c) {
    return wf_sheet(w, c->body_edge ? -1 : c->mover);
}

// ---------------------------------------------------------------------------------------------
// Crossings

// Does the way from p to q pass through the triangle x? On which side of the plane both ends are,
// and on which sides of the edges the line passes; what touches but does not pass does not count.
static bool pierces(WfVec p, WfVec q, const WfVec x[3], WfCrossing* c) {
    WfVec normal = wf_cross(wf_sub(x[1], x[0]), wf_sub(x[2], x[0])), way = wf_sub(q, p);
    double from = wf_dot(normal, wf_sub(p, x[0])), to = wf_dot(normal, wf_sub(q, x[0]));
    if (!((from > 0 && to < 0) || (from < 0 && to > 0))) return false;
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        WfVec a = wf_sub(x[(k + 1) % 3], p), b = wf_sub(x[(k + 2) % 3], p);
        c->weights[k] = wf_dot(way, wf_cross(a, b)) * (from > 0 ? -1 : 1);
        if (c->weights[k] < 0) return false;
        sum += c->weights[k];
    }
    if (!(sum > 0)) return false;
    for (int k = 0; k < 3; k++) c->weights[k] /= sum;
    c->along = from / (from - to);
    return true;
}

static void try_pair(WfWorld* w, int mover, bool body_edge, int edge, int triangle) {
    WfTangles* t = &w->tangles;
    WfCrossing c = {.mover = mover, .body_edge = body_edge, .edge = edge, .triangle = triangle};
    WfSheet of = wf_edge_sheet(w, &c), other = wf_triangle_sheet(w, &c);
    const int* ends = of.surface->edges + 2 * (long)edge;
    const int* corners = other.surface->triangles + 3 * (long)triangle;
    WfVec x[3];
    if (mover < 0 ? !wf_layers_meet(w, ends[0], corners[0])
                  : !wf_meets(w, &w->movers[mover], body_edge ? corners[0] : ends[0]))
        return;
    for (int k = 0; k < 3; k++) x[k] = wf_load(other.x, corners[k]);
    if (!pierces(wf_load(of.x, ends[0]), wf_load(of.x, ends[1]), x, &c)) return;
    if (t->failed || (t->count == t->capacity && !grow(t))) return;
    c.contour = t->count;
    t->all[t->count++] = c;
}

static void find_crossings(WfWorld* w) {
    WfTangles* t = &w->tangles;
    const WfReach none = {0, 0};
    wf_tree_fit(&w->tree, w->x, w->x, none, NULL);
    if (w->self) wf_pairs_pierce_self(&w->tree, &t->pairs);
    if (w->self) wf_pairs_sort(&t->pairs, &t->pairs.points);
    t->failed = w->self && t->pairs.failed;
    for (int k = 0; w->self && k < t->pairs.points.count; k++)
        try_pair(w, -1, false, t->pairs.points.pairs[k].a, t->pairs.points.pairs[k].b);
    for (int m = 0; m < w->mover_count; m++) {
        WfMover* mover = &w->movers[m];
        if (!wf_is_surface(mover)) continue;
        wf_tree_fit(&mover->tree, mover->x0, mover->x0, none, NULL);
        mover->fitted = false;
        wf_pairs_pierce_between(&w->tree, &mover->tree, &t->pairs);
        wf_pairs_sort(&t->pairs, &t->pairs.points);
        wf_pairs_sort(&t->pairs, &t->pairs.corners);
        t->failed = t->failed || t->pairs.failed;
        for (int k = 0; k < t->pairs.points.count; k++)
            try_pair(w, m, false, t->pairs.points.pairs[k].a, t->pairs.points.pairs[k].b);
        for (int k = 0; k < t->pairs.corners.count; k++)
            try_pair(w, m, true, t->pairs.corners.pairs[k].b, t->pairs.corners.pairs[k].a);
    }
}

// ---------------------------------------------------------------------------------------------
// Sheets

// The edges of a sheet that are crossed, sorted, into the keys.
static int list_crossed(const WfWorld* w, int mover) {
    const WfTangles* t = &w->tangles;
    int count = 0;
    for (int k = 0; k < t->count; k++)
        if ((t->all[k].body_edge ? t->all[k].mover : -1) == mover)
            t->keys[count++] = (WfKey){(uint64_t)t->all[k].edge, k};
    if (count > 0) wf_sort_keys(t->keys, t->scratch, count);
    return count;
}

// Both ways along every edge that is not crossed; counted, or put in place.
static void go_over_edges(const WfWorld* w, const WfSheet* sheet, int crossed_count, bool put) {
    const WfKey *crossed = w->tangles.keys, *end = crossed + crossed_count;
    for (int e = 0; e < sheet->surface->edge_count; e++) {
        const int* ends = sheet->surface->edges + 2 * (long)e;
        bool cut = crossed < end && crossed->key == (uint64_t)e;
        while (crossed < end && crossed->key == (uint64_t)e) crossed++;
        for (int k = 0; k < 2 && !cut; k++) {
            if (put) sheet->beside[sheet->start[ends[k] + 1]] = ends[1 - k];
            sheet->start[ends[k] + 1]++;
        }
    }
}

static void join_sheet(const WfWorld* w, int mover) {
    WfSheet sheet = wf_sheet(w, mover);
    int n = sheet.surface->vertex_count, count = list_crossed(w, mover), *start = sheet.start;
    memset(start, 0, ((size_t)n + 1) * sizeof *start);
    go_over_edges(w, &sheet, count, false);
    for (int i = 1, sum = 0; i <= n; i++) {  // where each begins, one further on
        int own = start[i];
        start[i] = sum;
        sum += own;
    }
    go_over_edges(w, &sheet, count, true);  // ends where the next begins
    memset(sheet.label, 0, (size_t)n);
}

static void measure_sheet(const WfSheet* sheet) {
    const WfSurface* s = sheet->surface;
    memset(sheet->areas, 0, (size_t)s->vertex_count * sizeof *sheet->areas);
    for (int t = 0; t < s->triangle_count; t++) {
        const int* v = s->triangles + 3 * (long)t;
        WfVec a = wf_load(sheet->x, v[0]);
        WfVec b = wf_sub(wf_load(sheet->x, v[1]), a), c = wf_sub(wf_load(sheet->x, v[2]), a);
        double area = wf_length(wf_cross(b, c)) / 6;
        if (v[1] == v[2]) area = ROPE * wf_length(b) / 3;
        for (int k = 0; k < 3; k++) sheet->areas[v[k]] += area;
    }
}

static void find_sheets(WfWorld* w) {
    for (int m = -1; m < w->mover_count; m++) {
        if (m >= 0 && !wf_is_surface(&w->movers[m])) continue;
        WfSheet sheet = wf_sheet(w, m);
        join_sheet(w, m);
        measure_sheet(&sheet);
    }
}

// ---------------------------------------------------------------------------------------------
// Contours

int wf_contour_of(WfTangles* t, int i, bool* turned) {
    *turned = false;
    while (t->all[i].contour != i) {
        WfCrossing* c = &t->all[i];
        const WfCrossing* next = &t->all[c->contour];
        c->turned = c->turned != next->turned;
        c->contour = next->contour;
        *turned = *turned != c->turned;
        i = c->contour;
    }
    return i;
}

static void join_contours(WfTangles* t, int i, int j, bool turn) {
    bool first, second;
    int a = wf_contour_of(t, i, &first), b = wf_contour_of(t, j, &second);
    if (a == b) return;
    WfCrossing* high = &t->all[a < b ? b : a];
    high->contour = a < b ? a : b;
    high->turned = (first != second) != turn;
}

// A crossing stands under each pair of triangles that has it; whether its edge is that of the
// second triangle is the last bit of the index.
static int list_pairs(const WfWorld* w, int mover) {
    const WfTangles* t = &w->tangles;
    int count = 0;
    for (int k = 0; k < t->count; k++) {
        const WfCrossing* c = &t->all[k];
        const int* beside = wf_edge_sheet(w, c).surface->edge_triangles + 2 * (long)c->edge;
        for (int s = 0; s < 2 && c->mover == mover; s++) {
            if (beside[s] < 0) continue;
            bool second = mover < 0 ? beside[s] > c->triangle : c->body_edge;
            uint64_t a = (uint64_t)(second ? c->triangle : beside[s]);
            uint64_t b = (uint64_t)(second ? beside[s] : c->triangle);
            t->keys[count++] = (WfKey){a << 32 | b, 2 * k + second};
        }
    }
    return count;
}

static void find_contours(WfWorld* w) {
    WfTangles* t = &w->tangles;
    for (int m = -1; m < w->mover_count; m++) {
        int count = list_pairs(w, m);
        if (count == 0) continue;
        wf_sort_keys(t->keys, t->scratch, count);
        for (int k = 1; k < count; k++) {
            int a = t->keys[k - 1].index, b = t->keys[k].index;
            if (t->keys[k - 1].key == t->keys[k].key)
                join_contours(t, a / 2, b / 2, (a & 1) != (b & 1));
        }
    }
}

static void sort_by_contour(WfTangles* t) {
    bool turned;
    for (int k = 0; k < t->count; k++)
        t->keys[k] = (WfKey){(uint64_t)wf_contour_of(t, k, &turned), k};
    wf_sort_keys(t->keys, t->scratch, t->count);
    for (int k = 0; k < t->count; k++) t->order[k] = t->keys[k].index;
}

// ---------------------------------------------------------------------------------------------

void wf_find_tangles(WfWorld* w) {
    w->tangles.count = 0;
    w->tangles.failed = false;
    find_crossings(w);
    if (w->tangles.count == 0) return;
    find_sheets(w);
    find_contours(w);
    sort_by_contour(&w->tangles);
}

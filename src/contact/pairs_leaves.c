// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Two leaves that meet: what the triangles of each own is tried, its vertices with the triangles of
// the other, its edges with those of the other. Without branches on what overlaps, as in pairs.c.

#include "base/simd.h"
#include "contact/pairs_parts.h"

enum {
    ALL_LANES = (1 << WF_LANES) - 1,  // of one block, of two
    BOTH_LANES = (1 << 2 * WF_LANES) - 1,
    MOST_HITS = 2 * WF_MOST_OWNED + 1,  // each with two blocks; and what is written last
};

// Room for all that two leaves may give.
static inline bool make_room(WfPairs* out, WfPairList* list) {
    if (list->capacity - list->count < WF_MOST_FOUND) wf_pairs_grow(out, list);
    return !out->failed;
}

WfMeeting wf_meeting_of(const WfTree* first, int node, const WfTree* second, int other) {
    const WfSpan *a = &first->boxes[node], *b = &second->boxes[other];
    WfMeeting m = {&first->leaves[-1 - first->child[node]],
                   &second->leaves[-1 - second->child[other]],
                   {0},
                   {0}};
    for (int k = 0; k < 3; k++) {
        float up = a->most[k] + b->minus_least[k], down = b->most[k] + a->minus_least[k];
        m.up[k] = up > 0 ? up : 0;
        m.down[k] = down > 0 ? down : 0;
    }
    return m;
}

static WfMeeting turned(const WfMeeting* m) {
    return (WfMeeting){
        m->b, m->a, {m->down[0], m->down[1], m->down[2]}, {m->up[0], m->up[1], m->up[2]}};
}

// Lanes of b whose boxes one of a does not reach, as far as it moves against them; nor they it.
static inline WfMask miss(const WfMeeting* m, const WfLanes* a, int lane, const WfLanes* b) {
    WfMask below[3], above[3];
    for (int k = 0; k < 3; k++) {
        below[k] = wf_quad_above(wf_quad_load(b->low[k]), wf_quad_set(a->high[k][lane] + m->up[k]));
        above[k] =
            wf_quad_above(wf_quad_set(a->low[k][lane] - m->down[k]), wf_quad_load(b->high[k]));
    }
    return wf_mask_or(wf_mask_or(wf_mask_or(below[0], above[0]), wf_mask_or(below[1], above[1])),
                      wf_mask_or(below[2], above[2]));
}

// Lanes of b that have the vertex too.
static inline WfMask share(int vertex, const WfLanes* b, int k) {
    return wf_ints_equal(wf_ints_set(vertex), wf_ints_load(b->vertex[k]));
}

// One feature, and a block of which it does not miss all.
typedef struct Hit {
    const WfLanes* lanes;
    int id, missed;
} Hit;

typedef struct Hits {
    int count;
    Hit hit[MOST_HITS];
} Hits;

// The vertices of one leaf with the triangles of another. `swapped`: the triangle first.
static inline void try_points(WfPairList* list, const WfTree* tree, const WfMeeting* m, bool self,
                              bool swapped) {
    Hits hits;
    hits.count = 0;
    const WfLeaf* a = m->a;
    const WfLanes* t = &m->b->triangles;
    for (int i = 0; i < a->point_count; i++) {
        const WfLanes* p = &tree->points[a->points + i / WF_LANES];
        int v = p->id[i % WF_LANES];
        WfMask mask = miss(m, p, i % WF_LANES, t);
        if (self)
            mask = wf_mask_or(wf_mask_or(mask, share(v, t, 0)),
                              wf_mask_or(share(v, t, 1), share(v, t, 2)));
        int missed = wf_mask_bits(mask);
        hits.hit[hits.count] = (Hit){t, v, missed};
        hits.count += missed != ALL_LANES;
    }
    WfPair* end = list->pairs + list->count;
    for (const Hit* hit = hits.hit; hit < hits.hit + hits.count; hit++) {
        for (int l = 0; l < WF_LANES; l++) {
            int id = t->id[l];
            *end = swapped ? (WfPair){id, hit->id} : (WfPair){hit->id, id};
            end += (~hit->missed >> l & 1) & (id >= 0);
        }
    }
    list->count = (int)(end - list->pairs);
}

// Lanes of a block of edges which edge `lane` of e misses, or with which it shares a vertex.
static inline int miss_edges(const WfMeeting* m, const WfLanes* e, int lane, const WfLanes* f,
                             bool self) {
    WfMask mask = miss(m, e, lane, f);
    int v = e->vertex[0][lane], w = e->vertex[1][lane];
    if (self)
        mask = wf_mask_or(mask, wf_mask_or(wf_mask_or(share(v, f, 0), share(v, f, 1)),
                                           wf_mask_or(share(w, f, 0), share(w, f, 1))));
    return wf_mask_bits(mask);
}

// The edges of one leaf with those of another, or of the same: then each pair once.
static inline void try_edges(WfPairList* list, const WfTree* first, const WfTree* second,
                             const WfMeeting* m, bool self) {
    Hits hits;
    hits.count = 0;
    const WfLeaf *a = m->a, *b = m->b;
    for (int j = 0; j < b->edge_count; j += 2 * WF_LANES) {
        const WfLanes* f = &second->edges[b->edges + j / WF_LANES];
        for (int i = 0; i < a->edge_count; i++) {
            const WfLanes* e = &first->edges[a->edges + i / WF_LANES];
            int lane = i % WF_LANES, missed = miss_edges(m, e, lane, f, self);
            missed |= miss_edges(m, e, lane, f + 1, self) << WF_LANES;
            hits.hit[hits.count] = (Hit){f, e->id[lane], missed};
            hits.count += missed != BOTH_LANES;
        }
    }
    WfPair* end = list->pairs + list->count;
    for (const Hit* hit = hits.hit; hit < hits.hit + hits.count; hit++) {
        int e = hit->id, after = self && a == b ? e : -1;  // nor empty lanes
        for (int l = 0; l < 2 * WF_LANES; l++) {
            int f = hit->lanes[l / WF_LANES].id[l % WF_LANES];
            *end = self && f < e ? (WfPair){f, e} : (WfPair){e, f};
            end += (~hit->missed >> l & 1) & (f > after);
        }
    }
    list->count = (int)(end - list->pairs);
}

// The edges of one leaf with the triangles of another. `swapped`: the triangle first.
static void try_piercing(WfPairList* list, const WfTree* tree, const WfMeeting* m, bool self,
                         bool swapped) {
    const WfLeaf* a = m->a;
    const WfLanes* t = &m->b->triangles;
    for (int i = 0; i < a->edge_count; i++) {
        const WfLanes* e = &tree->edges[a->edges + i / WF_LANES];
        int lane = i % WF_LANES, id = e->id[lane];
        WfMask mask = miss(m, e, lane, t);
        for (int k = 0; k < 3 && self; k++)
            mask = wf_mask_or(
                mask, wf_mask_or(share(e->vertex[0][lane], t, k), share(e->vertex[1][lane], t, k)));
        int missed = wf_mask_bits(mask);
        for (int l = 0; l < WF_LANES; l++) {
            list->pairs[list->count] = swapped ? (WfPair){t->id[l], id} : (WfPair){id, t->id[l]};
            list->count += (~missed >> l & 1) & (t->id[l] >= 0);
        }
    }
}

// Two leaves of one surface, or one with itself.
void wf_meet_itself(const WfTree* tree, const WfMeeting* m, bool piercing, WfPairs* out) {
    WfMeeting back = turned(m);
    if (!make_room(out, &out->points) || !make_room(out, &out->edges)) return;
    if (piercing) {
        try_piercing(&out->points, tree, m, true, false);
        if (m->a != m->b) try_piercing(&out->points, tree, &back, true, false);
        return;
    }
    try_points(&out->points, tree, m, true, false);
    if (m->a != m->b) try_points(&out->points, tree, &back, true, false);
    try_edges(&out->edges, tree, tree, m, true);
}

// Of two surfaces.
void wf_meet(const WfTree* first, const WfTree* second, const WfMeeting* m, bool piercing,
             WfPairs* out) {
    WfMeeting back = turned(m);
    if (!make_room(out, &out->points) || !make_room(out, &out->corners)) return;
    if (!make_room(out, &out->edges)) return;
    if (piercing) {
        try_piercing(&out->points, first, m, false, false);
        try_piercing(&out->corners, second, &back, false, true);
        return;
    }
    try_points(&out->points, first, m, false, false);
    try_points(&out->corners, second, &back, false, true);
    try_edges(&out->edges, first, second, m, false);
}

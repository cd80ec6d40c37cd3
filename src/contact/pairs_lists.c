// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Lists of pairs: how they grow, are put together, kept in part, ordered and picked from.

#include <string.h>

#include "contact/pairs_parts.h"

enum { FIRST_CAPACITY = 4 * WF_MOST_FOUND };

WfPairList* wf_list_of(WfPairs* pairs, WfPairKind kind) {
    return kind == WF_POINTS    ? &pairs->points
           : kind == WF_CORNERS ? &pairs->corners
                                : &pairs->edges;
}

void wf_pairs_grow(WfPairs* out, WfPairList* list) {
    int capacity = list->capacity ? 2 * list->capacity : FIRST_CAPACITY;
    WfPair* more = out->fixed ? NULL : wf_alloc(&out->allocator, (size_t)capacity, sizeof *more);
    if (!more) {
        out->failed = true;
        return;
    }
    if (list->count) memcpy(more, list->pairs, (size_t)list->count * sizeof *more);
    wf_free(&out->allocator, list->pairs);
    list->pairs = more;
    list->capacity = capacity;
}

bool wf_pairs_reserve_flags(WfPairs* pairs, int count) {
    pairs->flags = wf_renew(&pairs->allocator, pairs->flags, &pairs->flag_capacity, count, 1);
    bool made = pairs->flag_capacity >= count;
    pairs->failed = pairs->failed || !made;
    return made;
}

void wf_pairs_clear(WfPairs* pairs) {
    pairs->points.count = pairs->corners.count = pairs->edges.count = 0;
    pairs->points.fresh = pairs->corners.fresh = pairs->edges.fresh = 0;
    pairs->failed = false;
}

static void append(WfPairs* out, WfPairList* list, const WfPairList* part) {
    while (list->capacity - list->count < part->count && !out->failed) wf_pairs_grow(out, list);
    if (out->failed || part->count == 0) return;
    memcpy(list->pairs + list->count, part->pairs, (size_t)part->count * sizeof *part->pairs);
    list->count += part->count;
    list->sifted = list->count;
}

void wf_pairs_add(WfPairs* pairs, const WfPairs* more) {
    append(pairs, &pairs->points, &more->points);
    append(pairs, &pairs->corners, &more->corners);
    append(pairs, &pairs->edges, &more->edges);
}

// ---------------------------------------------------------------------------------------------
// Lists that are renewed in part

// Which corners of either surface make up a pair of a list.
typedef struct Corners {
    const int *a, *b;  // NULL: a vertex is its own
    int a_count, b_count;
} Corners;

static bool is_marked(const unsigned char* marks, const int* corners, int count, int i) {
    if (!marks || count == 0) return marks && marks[i];
    bool marked = false;
    for (int k = 0; k < count; k++) marked = marked || marks[corners[count * (long)i + k]];
    return marked;
}

// Of the pairs from `start` on those that have a mark, or have none.
static void keep_pairs(WfPairList* list, int start, const Corners* c, const unsigned char* first,
                       const unsigned char* second, bool marked) {
    int kept = start;
    for (int k = start; k < list->count; k++) {
        WfPair pair = list->pairs[k];
        bool is = is_marked(first, c->a, c->a_count, pair.a) ||
                  is_marked(second, c->b, c->b_count, pair.b);
        list->pairs[kept] = pair;
        kept += is == marked;
    }
    list->count = kept;
}

void wf_pairs_keep(WfPairs* pairs, const WfSurface* a, const WfSurface* b,
                   const unsigned char* first, const unsigned char* second, bool marked) {
    const Corners points = {NULL, b->triangles, 0, 3}, corners = {a->triangles, NULL, 3, 0};
    const Corners edges = {a->edges, b->edges, 2, 2};
    WfPairList* lists[3] = {&pairs->points, &pairs->corners, &pairs->edges};
    const Corners* of[3] = {&points, &corners, &edges};
    for (int k = 0; k < 3; k++) {
        if (!marked) lists[k]->fresh = 0;
        keep_pairs(lists[k], lists[k]->fresh, of[k], first, second, marked);
        if (!marked) lists[k]->fresh = lists[k]->count;
    }
}

// ---------------------------------------------------------------------------------------------
// Sorting, by digits from the lowest

enum { DIGIT = 11, DIGITS = 1 << DIGIT };

static int digit_of(WfPair pair, int place) {
    int key = place < 3 ? pair.b : pair.a;
    return key >> DIGIT * (place % 3) & (DIGITS - 1);
}

static int largest_of(const WfPairList* list) {
    int most = 0;
    for (int k = 0; k < list->count; k++) {
        most = list->pairs[k].a > most ? list->pairs[k].a : most;
        most = list->pairs[k].b > most ? list->pairs[k].b : most;
    }
    return most;
}

void wf_pairs_sort(WfPairs* out, WfPairList* list) {
    if (list->count < 2) return;
    if (out->scratch_capacity < list->count) {
        wf_free(&out->allocator, out->scratch);
        out->scratch = wf_alloc(&out->allocator, (size_t)list->capacity, sizeof *out->scratch);
        out->scratch_capacity = out->scratch ? list->capacity : 0;
        out->failed = out->failed || !out->scratch;
    }
    if (!out->scratch) return;
    int most = largest_of(list);
    WfPair *from = list->pairs, *to = out->scratch;
    for (int place = 0; place < 6; place++) {
        int counts[DIGITS + 1] = {0};
        if (place % 3 > 0 && most >> DIGIT * (place % 3) == 0) continue;
        for (int k = 0; k < list->count; k++) counts[digit_of(from[k], place) + 1]++;
        for (int k = 0; k < DIGITS; k++) counts[k + 1] += counts[k];
        for (int k = 0; k < list->count; k++) to[counts[digit_of(from[k], place)]++] = from[k];
        WfPair* swap = from;
        from = to;
        to = swap;
    }
    if (from != list->pairs) memcpy(list->pairs, from, (size_t)list->count * sizeof *from);
}

// Of a list that is in order.
static void drop_doubles(WfPairList* list) {
    int kept = 0;
    for (int k = 0; k < list->count; k++) {
        const WfPair* last = &list->pairs[kept > 0 ? kept - 1 : 0];
        bool again = kept > 0 && list->pairs[k].a == last->a && list->pairs[k].b == last->b;
        list->pairs[kept] = list->pairs[k];
        kept += !again;
    }
    list->count = kept;
}

const WfPairList* wf_pairs_pick(WfPairs* pairs, const WfPairList* list) {
    WfPairList* near = &pairs->near;
    near->count = 0;
    while (near->capacity < list->count && !pairs->failed) wf_pairs_grow(pairs, near);
    if (pairs->failed) return near;
    for (int k = 0; k < list->count; k++) {
        near->pairs[near->count] = list->pairs[k];
        near->count += pairs->flags[k];
    }
    wf_pairs_sort(pairs, near);
    drop_doubles(near);
    return near;
}

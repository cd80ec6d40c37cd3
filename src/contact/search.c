// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The lists of pairs that a substep looks at: by boxes first (pairs.h), then without what cannot
// meet, which is most of it. Contacts are made of those that are near on the way that is expected;
// the last defence looks at all of them, on the way that the solve has found.
//
// For every vertex it is known where it was (`seen`) and where it was to end (`covered`) when its
// pairs were searched for. Lists have all that may meet as long as vertices start near the one and
// end within a reach of the other. Where one does not, its pairs are searched for anew, and only
// its: cloth that lies still costs no search, and a part that is hit does not make all others pay.
// What is made of the lists does not depend on what else is in them, hence not on the past.

#include <math.h>
#include <string.h>

#include "contact/check.h"
#include "contact/feature.h"

// m, along each axis: by which vertices may move before their pairs are searched for anew
static const double SEEN = 1.7e-4;
#define LEAST_SEEN 0.25  // of the thickness, where there are too many pairs
// Of all vertices: where more strayed, all pairs are searched for.
static const double MOST_STRAYS = 0.5;

bool wf_has_surfaces(const WfWorld* w) {
    bool meshes = false;
    for (int m = 0; m < w->mover_count; m++) meshes = meshes || !w->movers[m].body->exact;
    return meshes || w->self;
}

static double largest(const double* thickness, int count) {
    double most = 0;
    for (int i = 0; i < count; i++) most = fmax(most, thickness[i]);
    return most;
}

// Half of how far pairs are searched for that keep `part` of this.
static double half_reach(const WfWorld* w, const double* thickness, double part) {
    return (part * largest(thickness, w->vertex_count) + w->margin) / 2 + 2 * SEEN;
}

// What the cloth's boxes lack for its whole thickness, those of bodies have.
static void find_all_between(WfWorld* w, WfMover* mover, double part) {
    double reach = 2 * half_reach(w, w->thickness, part) - w->reach;
    wf_tree_fit(&mover->tree, mover->x0, mover->x1, reach, NULL);
    wf_pairs_between(&w->tree, &mover->tree, &mover->pairs);
    mover->swept = mover->moves;
}

// Trees and pairs for ways from x to x1: half of the reach on either side. `part` of the thickness
// is seen.
static bool find_pairs(WfWorld* w, double part, const double* x1, const WfWays* ways) {
    double reach = half_reach(w, w->layer, part);
    w->listed = false;
    w->reach = reach;
    memcpy(w->seen, w->x, 3 * (size_t)w->vertex_count * sizeof(double));
    memcpy(w->covered, x1, 3 * (size_t)w->vertex_count * sizeof(double));
    if (!wf_has_surfaces(w)) return true;
    wf_tree_fit(&w->tree, w->x, x1, reach, ways);
    for (int m = 0; m < w->mover_count; m++)
        if (!w->movers[m].body->exact) find_all_between(w, &w->movers[m], part);
    if (w->self) wf_pairs_self(&w->tree, &w->pairs);
    wf_check_spans(w);
    wf_check_pairs(w);
    return !wf_lists_are_full(w);
}

bool wf_find_pairs(WfWorld* w, const double* x1, const WfWays* ways) {
    return find_pairs(w, 1, x1, ways);
}

bool wf_search_failed(const WfWorld* w) {
    bool failed = w->pairs.failed || w->impulses.failed;
    for (int m = 0; m < w->mover_count; m++) failed = failed || w->movers[m].pairs.failed;
    return failed;
}

// The last defence keeps less than this, of the thickness.
static const double KEPT = 0.25;

WfBound wf_list_bound(const WfWorld* w) {
    return (WfBound){{1, w->margin, 0}, {KEPT, 0, w->reach - SEEN}};
}

// Of what was found last, without what cannot meet; and what is near at the start stays, for
// contacts.
static void sift_pairs(const WfSides* sides, WfPairs* pairs) {
    const WfWorld* w = sides->world;
    WfBound bound = wf_list_bound(w);
    bound.start.stray += SEEN;
    bound.end.stray += SEEN;
    for (WfPairKind kind = WF_POINTS; kind <= WF_EDGES; kind++) {
        WfPairList* list = wf_list_of(pairs, kind);
        int kept = list->fresh;
        for (int k = list->fresh; k < list->count; k++)
            if (wf_may_meet(sides, kind, list->pairs[k], &bound))
                list->pairs[kept++] = list->pairs[k];
        list->count = kept;
    }
}

static void sift_lists(WfWorld* w) {
    WfSide cloth = wf_cloth_side(w, w->covered);
    cloth.x0 = w->seen;
    WfSides sides = {w, cloth, cloth};
    if (w->self) sift_pairs(&sides, &w->pairs);
    for (int m = 0; m < w->mover_count; m++) {
        if (w->movers[m].body->exact) continue;
        sides.second = wf_body_side(&w->movers[m]);
        sift_pairs(&sides, &w->movers[m].pairs);
    }
}

static void sort_pairs(WfPairs* pairs) {
    wf_pairs_sort(pairs, &pairs->points);
    wf_pairs_sort(pairs, &pairs->corners);
    wf_pairs_sort(pairs, &pairs->edges);
}

void wf_sort_lists(WfWorld* w) {
    for (int m = 0; m < w->mover_count; m++) sort_pairs(&w->movers[m].pairs);
    sort_pairs(&w->pairs);
}

bool wf_lists_are_full(const WfWorld* w) {
    bool full = w->self && w->pairs.full;
    for (int m = 0; m < w->mover_count; m++)
        full = full || (!w->movers[m].body->exact && w->movers[m].pairs.full);
    return full;
}

// Every vertex on `part` of its way beside the motion of its piece.
static void slow_down(const WfWorld* w, double part, double* x1) {
    const WfSurface* cloth = w->cloth;
    WfFrame* frames = w->zones.frames;
    wf_find_frames(cloth, w->x, x1, w->masses, w->pinned, frames);
    for (int i = 0; i < w->vertex_count; i++) {
        if (w->pinned[i]) continue;
        WfVec x = wf_load(w->x, i), way = wf_frame_way(&frames[cloth->piece[i]], x);
        WfVec own = wf_sub(wf_sub(wf_load(x1, i), x), way);
        wf_store(x1, i, wf_add(wf_add(x, way), wf_mul(part, own)));
    }
}

bool wf_find_pairs_within(WfWorld* w, double* x1, const WfWays* ways) {
    static const struct {
        double motion, seen;
    } tries[] = {{0.2, 1}, {1, LEAST_SEEN}, {0, LEAST_SEEN}};
    enum { TRIES = sizeof tries / sizeof *tries };
    if (wf_find_pairs(w, x1, ways)) return true;
    for (int k = 0; k < TRIES; k++) {
        slow_down(w, tries[k].motion, x1);
        if (k == TRIES - 1) wf_tree_forget(&w->tree);  // what is found may not depend on the past
        if (find_pairs(w, tries[k].seen, x1, ways)) break;
    }
    return false;
}

// What has left the places for which its pairs are known gets new ones. Returns how many.
static int mark_strays(WfWorld* w, const double* x1, double slack) {
    int count = 0;
    for (int i = 0; i < w->vertex_count; i++) {
        bool strays = false;
        for (long k = 3 * (long)i; k < 3 * (long)i + 3; k++)
            strays = strays || !(fabs(w->x[k] - w->seen[k]) <= SEEN) ||
                     !(fabs(x1[k] - w->covered[k]) <= slack);
        w->strayed[i] = strays;
        count += strays;
        if (!strays) continue;
        wf_store(w->seen, i, wf_load(w->x, i));
        wf_store(w->covered, i, wf_load(x1, i));
    }
    return count;
}

static bool has_new_way(const WfMover* mover) {
    return !mover->body->exact && (mover->moves || mover->swept);
}

// Pairs of what strayed, and of bodies on a new way: all of such a body is looked for, whatever is
// marked of the cloth.
static void renew_pairs(WfWorld* w, bool moved) {
    wf_tree_fit(&w->tree, w->seen, w->covered, w->reach, NULL);
    wf_tree_mark(&w->tree, w->strayed);
    for (int m = 0; m < w->mover_count; m++) {
        WfMover* mover = &w->movers[m];
        if (mover->body->exact) continue;
        if (moved && has_new_way(mover)) {
            find_all_between(w, mover, 1);
            continue;
        }
        wf_tree_mark(&mover->tree, NULL);
        wf_pairs_renew_between(&w->tree, &mover->tree, w->strayed, &mover->pairs);
    }
    if (w->self) wf_pairs_renew_self(&w->tree, w->strayed, &w->pairs);
    wf_check_spans(w);
    wf_check_pairs(w);
}

// Lists for ways to x1. `moved`: bodies are on other ways than those that lists were made for.
static bool renew_lists(WfWorld* w, double* x1, double slack, bool moved) {
    bool within = true, moves = false;
    if (!wf_has_surfaces(w)) return true;
    for (int m = 0; m < w->mover_count; m++) moves = moves || has_new_way(&w->movers[m]);
    int strays = w->listed ? mark_strays(w, x1, slack) : w->vertex_count;
    if (strays == 0 && !(moved && moves)) return true;
    bool all = strays > MOST_STRAYS * w->vertex_count;
    if (!all) renew_pairs(w, moved);
    if (all || wf_lists_are_full(w)) {
        memset(w->strayed, 1, (size_t)w->vertex_count);
        within = wf_find_pairs_within(w, x1, NULL);
    }
    sift_lists(w);
    wf_sort_lists(w);
    w->listed = within && !wf_search_failed(w);
    return within;
}

void wf_search(WfWorld* w) { renew_lists(w, w->expected, SEEN, true); }

bool wf_search_again(WfWorld* w, double* x1) { return renew_lists(w, x1, w->reach / 2, false); }

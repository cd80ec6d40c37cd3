// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The lists of pairs that a substep looks at: by boxes first (pairs.h), then without what cannot
// meet (sift.h), which is most of it. There are two sets of them. Contacts are made of what is near
// on the way that is expected; the last defence looks at what may pass on the way that the solve
// has found, which is less: it keeps a part of the thickness only.
//
// For every vertex it is known where it was (`seen`) and where it was to end (`covered`) when its
// pairs were searched for. Lists have all that may meet as long as vertices start near the one and
// end near the other. Where one does not, its pairs are searched for anew, and only its: cloth that
// lies still costs no search, and a part that is hit does not make all others pay. (Where most of
// it moves, lists for contacts are good for one substep, and shorter.) What is made of the lists
// does not depend on what else is in them, hence not on the past.

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "contact/check.h"
#include "contact/defend.h"
#include "contact/feature.h"
#include "contact/flat.h"

// m, along each axis: by which vertices may move before their pairs are searched for anew
static const double SEEN = 1.7e-4;
#define LEAST_SEEN 0.25  // of the thickness, where there are too many pairs
// Of all vertices: where more strayed, all pairs are searched for.
static const double MOST_STRAYS = 0.5;
// Of the thickness, along each axis: how far from where it was looked for the defence may take a
// vertex before it has to look again.
static const double SLACK = 0.25;
static const double SAFELY = 0.99;  // of a drift, rounding apart
// Of a drift, along each axis: how far from there, where only what drifts was looked for.
static const double DRIFT_SLACK = 0.1;

bool wf_has_surfaces(const WfWorld* w) {
    bool meshes = false;
    for (int m = 0; m < w->mover_count; m++) meshes = meshes || wf_is_surface(&w->movers[m]);
    return meshes || w->self;
}

// How near pairs come that are in the lists, for vertices that start and end where these were made
// for.
static WfNearness nearness(const WfWorld* w, WfPurpose purpose, bool own, bool edges) {
    if (purpose == WF_FOR_DEFENCE) return (WfNearness){WF_HIT, 0, 0};
    return edges ? (WfNearness){WF_NEAR_EDGES, 0, 0}
                 : (WfNearness){1, own ? w->layer_margin : w->margin, 0};
}

// m: how far vertices may start and end from where their pairs were searched for
static double start_slack(const WfWorld* w, WfPurpose purpose) {
    return purpose == WF_FOR_DEFENCE || w->calm ? SEEN : 0;
}
static double slack_of(const WfWorld* w, WfPurpose purpose) {
    return purpose == WF_FOR_DEFENCE ? SLACK * w->most_layer : start_slack(w, purpose);
}

// Half of how far pairs are searched for that keep `part` of the thickness, of cloth with cloth
// (`own`) or with bodies.
static WfReach half_reach(const WfWorld* w, WfPurpose purpose, bool own, double part) {
    double thickness = own ? w->most_layer : w->most_thickness;
    WfNearness points = nearness(w, purpose, own, false), edges = nearness(w, purpose, own, true);
    double slack = slack_of(w, purpose);
    return (WfReach){(part * points.part * thickness + points.margin) / 2 + slack,
                     (part * edges.part * thickness + edges.margin) / 2 + slack};
}

static WfReach cloth_reach(const WfWorld* w, WfPurpose purpose, double part) {
    return half_reach(w, purpose, true, part);
}

WfSift wf_sift_of(const WfWorld* w, WfPurpose purpose, const WfMover* mover) {
    const WfTree* tree = &w->tree;
    WfNearness points = nearness(w, purpose, !mover, false);
    WfNearness edges = nearness(w, purpose, !mover, true);
    return (WfSift){tree,
                    mover ? &mover->tree : tree,
                    {points, points},
                    {edges, edges},
                    mover ? w->most_thickness : w->most_layer,
                    mover ? 1 : 2,
                    !mover};
}

// Where vertices may start and end so far from where they are seen, along each axis.
static WfSift loosened(WfSift sift, double start, double end) {
    sift.points.start.stray = sift.edges.start.stray = start;
    sift.points.end.stray = sift.edges.end.stray = end;
    return sift;
}

static WfSift sift_of(const WfWorld* w, WfPurpose purpose, const WfMover* mover) {
    return loosened(wf_sift_of(w, purpose, mover), start_slack(w, purpose), slack_of(w, purpose));
}

void wf_place_trees(WfWorld* w, const double* x1) {
    if (!wf_has_surfaces(w)) return;
    wf_tree_place(&w->tree, w->x, x1);
    for (int m = 0; m < w->mover_count; m++) {
        WfMover* mover = &w->movers[m];
        if (wf_is_surface(mover)) wf_tree_place(&mover->tree, mover->x0, mover->x1);
    }
}

// What the cloth's boxes lack for its whole thickness, those of bodies have: for contacts, and so
// for the defence.
static void fit_body(const WfWorld* w, WfMover* mover, double part) {
    if (mover->fitted && part == 1) return;
    WfReach own = cloth_reach(w, WF_FOR_CONTACTS, part);
    WfReach all = half_reach(w, WF_FOR_CONTACTS, false, part);
    WfReach reach = {2 * all.points - own.points, 2 * all.edges - own.edges};
    wf_tree_fit(&mover->tree, mover->x0, mover->x1, reach, NULL);
    mover->fitted = part == 1;
}

// ---------------------------------------------------------------------------------------------
// Pairs of what does not touch, by its layers

// A vertex of either side.
static bool pair_meets(const WfWorld* w, const WfMover* mover, WfPairKind kind, WfPair pair) {
    const WfSurface* cloth = w->cloth;
    int i = kind == WF_POINTS    ? pair.a
            : kind == WF_CORNERS ? cloth->triangles[3 * (long)pair.a]
                                 : cloth->edges[2 * (long)pair.a];
    if (mover) return wf_meets(w, mover, i);
    int j = kind == WF_EDGES ? cloth->edges[2 * (long)pair.b] : cloth->triangles[3 * (long)pair.b];
    return wf_layers_meet(w, i, j);
}

static void leave_out_apart(const WfWorld* w, const WfMover* mover, WfPairs* pairs) {
    if (mover ? !mover->meets : !w->layers_meet) return;
    for (WfPairKind kind = WF_POINTS; kind <= WF_EDGES; kind++) {
        WfPairList* list = wf_list_of(pairs, kind);
        int kept = 0;
        for (int k = 0; k < list->count && (mover || kind != WF_CORNERS); k++) {
            list->pairs[kept] = list->pairs[k];
            kept += pair_meets(w, mover, kind, list->pairs[k]);
        }
        list->count = list->fresh = list->sifted = kept;
    }
}

// ---------------------------------------------------------------------------------------------

static void find_all_between(WfWorld* w, WfMover* mover, WfPurpose purpose, double part,
                             bool sifted) {
    WfPairs* pairs = &mover->pairs[purpose];
    WfSift sift = sift_of(w, purpose, mover);
    fit_body(w, mover, part);
    pairs->sift = sifted ? &sift : NULL;
    wf_pairs_between(&w->tree, &mover->tree, pairs);
    pairs->sift = NULL;
    leave_out_apart(w, mover, pairs);
    mover->swept[purpose] = mover->moves;
}

// Flat parts of the cloth are not looked at, as far as vertices start and end no further than
// `slack` from where they were to.
static void leave_out_flat(WfWorld* w, WfPurpose purpose, double slack, WfPairs* pairs) {
    WfNearness points = nearness(w, purpose, true, false);
    WfNearness edges = nearness(w, purpose, true, true);
    double stray = 2 * sqrt(3) * slack;
    double joined = WF_JOINED * points.part * w->most_layer + points.margin;
    if (!w->flat.chart) return;
    wf_flat_fit(&w->flat, &w->tree);
    pairs->flat = &w->flat;
    pairs->apart = (float)(fmax(joined, edges.part * w->most_layer) + stray);
    pairs->apart_points = (float)(points.part * w->most_layer + points.margin + stray);
}

static void find_all_self(WfWorld* w, WfPurpose purpose, bool sifted) {
    WfPairs* pairs = &w->lists[purpose].pairs;
    WfSift sift = sift_of(w, purpose, NULL);
    if (!w->self) return;
    pairs->sift = sifted ? &sift : NULL;
    if (sifted)
        leave_out_flat(w, purpose, fmax(start_slack(w, purpose), slack_of(w, purpose)), pairs);
    wf_pairs_self(&w->tree, pairs);
    pairs->sift = NULL;
    pairs->flat = NULL;
    leave_out_apart(w, NULL, pairs);
}

// Trees and pairs for ways from x to x1. `part` of the thickness is seen.
static bool find_pairs(WfWorld* w, WfPurpose purpose, double part, const double* x1,
                       const WfWays* ways) {
    WfLists* lists = &w->lists[purpose];
    lists->listed = false;
    lists->slack = slack_of(w, purpose);
    memcpy(lists->seen, w->x, 3 * (size_t)w->vertex_count * sizeof(double));
    memcpy(lists->covered, x1, 3 * (size_t)w->vertex_count * sizeof(double));
    if (!wf_has_surfaces(w)) return true;
    wf_tree_fit(&w->tree, w->x, x1, cloth_reach(w, purpose, part), ways);
    for (int m = 0; m < w->mover_count; m++)
        if (wf_is_surface(&w->movers[m])) find_all_between(w, &w->movers[m], purpose, part, !ways);
    find_all_self(w, purpose, !ways);
    wf_check_spans(w);
    wf_check_pairs(w);
    return !wf_lists_are_full(w, purpose);
}

bool wf_find_pairs(WfWorld* w, WfPurpose purpose, const double* x1, const WfWays* ways) {
    return find_pairs(w, purpose, 1, x1, ways);
}

void wf_forget_lists(WfWorld* w) {
    for (int p = 0; p < WF_PURPOSES; p++) w->lists[p].listed = false;
}

bool wf_search_failed(const WfWorld* w) {
    bool failed = w->impulses.failed;
    for (int p = 0; p < WF_PURPOSES; p++) {
        failed = failed || w->lists[p].pairs.failed;
        for (int m = 0; m < w->mover_count; m++) failed = failed || w->movers[m].pairs[p].failed;
    }
    return failed;
}

bool wf_lists_are_full(const WfWorld* w, WfPurpose purpose) {
    bool full = w->self && w->lists[purpose].pairs.full;
    for (int m = 0; m < w->mover_count; m++)
        full = full || (wf_is_surface(&w->movers[m]) && w->movers[m].pairs[purpose].full);
    return full;
}

// Every vertex on `part` of its way beside the motion of its piece.
static void slow_down(const WfWorld* w, double part, double* x1) {
    const WfSurface* cloth = w->cloth;
    WfFrame* frames = w->zones.frames;
    wf_find_frames(cloth, &w->mirror, w->x, x1, w->masses, w->pinned, frames);
    for (int i = 0; i < w->vertex_count; i++) {
        if (w->pinned[i]) continue;
        WfVec x = wf_load(w->x, i), way = wf_frame_way(&frames[cloth->piece[i]], x);
        WfVec own = wf_sub(wf_sub(wf_load(x1, i), x), way);
        wf_store(x1, i, wf_add(wf_add(x, way), wf_mul(part, own)));
    }
}

bool wf_find_pairs_within(WfWorld* w, WfPurpose purpose, double* x1, const WfWays* ways) {
    static const struct {
        double motion, seen;
    } tries[] = {{0.2, 1}, {1, LEAST_SEEN}, {0, LEAST_SEEN}};
    enum { TRIES = sizeof tries / sizeof *tries };
    if (wf_find_pairs(w, purpose, x1, ways)) return true;
    for (int k = 0; k < TRIES; k++) {
        slow_down(w, tries[k].motion, x1);
        if (k == TRIES - 1) wf_tree_forget(&w->tree);  // what is found may not depend on the past
        if (find_pairs(w, purpose, tries[k].seen, x1, ways)) break;
    }
    return false;
}

typedef struct Strays {
    WfWorld* world;
    WfLists* lists;
    const double* x1;
    double slack;
} Strays;

// Their number goes to where the block begins.
static void mark_block(void* context, int first, int end) {
    const Strays* s = context;
    WfWorld* w = s->world;
    WfLists* lists = s->lists;
    int count = 0;
    for (int i = first; i < end; i++) {
        bool strays = false;
        for (long k = 3 * (long)i; k < 3 * (long)i + 3; k++)
            strays = strays || !(fabs(w->x[k] - lists->seen[k]) <= SEEN) ||
                     !(fabs(s->x1[k] - lists->covered[k]) <= s->slack);
        w->strayed[i] = strays;
        count += strays;
        if (!strays) continue;
        wf_store(lists->seen, i, wf_load(w->x, i));
        wf_store(lists->covered, i, wf_load(s->x1, i));
    }
    w->nearest_triangle[first] = count;
}

// What has left the places for which its pairs are known gets new ones. Returns how many.
static int mark_strays(WfWorld* w, WfLists* lists, const double* x1, double slack) {
    Strays strays = {w, lists, x1, slack};
    int count = 0;
    wf_parallel_items(w->jobs, w->vertex_count, mark_block, &strays);
    for (int i = 0; i < w->vertex_count; i += WF_ITEM_BLOCK) count += w->nearest_triangle[i];
    return count;
}

static bool has_new_way(const WfMover* mover, WfPurpose purpose) {
    return wf_is_surface(mover) && (mover->moves || mover->swept[purpose]);
}

static void renew_between(WfWorld* w, WfMover* mover, WfPurpose purpose) {
    WfPairs* pairs = &mover->pairs[purpose];
    WfSift sift = sift_of(w, purpose, mover);
    fit_body(w, mover, 1);
    wf_tree_mark(&mover->tree, NULL);
    pairs->sift = &sift;
    wf_pairs_renew_between(&w->tree, &mover->tree, w->strayed, pairs);
    pairs->sift = NULL;
    leave_out_apart(w, mover, pairs);
}

static void renew_self(WfWorld* w, WfPurpose purpose) {
    WfPairs* pairs = &w->lists[purpose].pairs;
    WfSift sift = sift_of(w, purpose, NULL);
    if (!w->self) return;
    pairs->sift = &sift;
    wf_pairs_renew_self(&w->tree, w->strayed, pairs);
    pairs->sift = NULL;
    leave_out_apart(w, NULL, pairs);
}

// Pairs of what strayed, and of bodies on a new way: all of such a body is looked for, whatever is
// marked of the cloth.
static void renew_pairs(WfWorld* w, WfPurpose purpose, bool moved) {
    WfLists* lists = &w->lists[purpose];
    wf_tree_fit(&w->tree, lists->seen, lists->covered, cloth_reach(w, purpose, 1), NULL);
    wf_tree_mark(&w->tree, w->strayed);
    for (int m = 0; m < w->mover_count; m++) {
        WfMover* mover = &w->movers[m];
        if (!wf_is_surface(mover)) continue;
        if (moved && has_new_way(mover, purpose))
            find_all_between(w, mover, purpose, 1, true);
        else
            renew_between(w, mover, purpose);
    }
    renew_self(w, purpose);
    wf_check_spans(w);
    wf_check_pairs(w);
}

static void count_list(WfWorld* w, const WfPairs* pairs) {
    w->pairs_found += (int)pairs->found;
    w->pairs_kept += pairs->points.count + pairs->corners.count + pairs->edges.count;
}

static void count_pairs(WfWorld* w, WfPurpose purpose) {
    if (w->self) count_list(w, &w->lists[purpose].pairs);
    for (int m = 0; m < w->mover_count; m++)
        if (wf_is_surface(&w->movers[m])) count_list(w, &w->movers[m].pairs[purpose]);
}

// Lists for ways to x1, where so many strayed. `moved`: bodies are on other ways than those that
// lists were made for.
static bool renew_lists(WfWorld* w, WfPurpose purpose, double* x1, int strays, bool moved) {
    WfLists* lists = &w->lists[purpose];
    bool within = true, moves = false;
    for (int m = 0; m < w->mover_count; m++) moves = moves || has_new_way(&w->movers[m], purpose);
    if (!lists->listed) strays = w->vertex_count;
    if (strays == 0 && !(moved && moves)) return true;
    bool all = strays > MOST_STRAYS * w->vertex_count;
    if (!all) renew_pairs(w, purpose, moved);
    if (all || wf_lists_are_full(w, purpose)) {
        memset(w->strayed, 1, (size_t)w->vertex_count);
        within = wf_find_pairs_within(w, purpose, x1, NULL);
    }
    count_pairs(w, purpose);
    lists->listed = within && !wf_search_failed(w);
    return within;
}

void wf_search(WfWorld* w) {
    WfLists* lists = &w->lists[WF_FOR_CONTACTS];
    bool was_calm = w->calm && lists->listed;
    memcpy(w->sought, w->ahead, 3 * (size_t)w->vertex_count * sizeof(double));
    if (!wf_has_surfaces(w)) return;
    int strays = mark_strays(w, lists, w->sought, SEEN);
    w->calm = strays <= MOST_STRAYS * w->vertex_count;
    lists->listed = lists->listed && was_calm && w->calm;
    renew_lists(w, WF_FOR_CONTACTS, w->sought, strays, true);
    if (w->calm) wf_place_trees(w, w->ahead);
}

// Of all vertices, how far their ends may have drifted against each other at most, m.
static double largest_drift(const WfWorld* w, const double* x1, const double* covered) {
    double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};  // bodies do not drift
    for (long i = 0; i < 3L * w->vertex_count; i++) {
        low[i % 3] = fmin(low[i % 3], x1[i] - covered[i]);
        high[i % 3] = fmax(high[i % 3], x1[i] - covered[i]);
    }
    return wf_length((WfVec){high[0] - low[0], high[1] - low[1], high[2] - low[2]});
}

// Lists for the defence, of what drifts against each other by more than this alone. Vertices may
// end so far, along each axis, from where they were to.
static void find_drifted(WfWorld* w, WfMover* mover, double drift, double slack) {
    WfPairs* pairs = mover ? &mover->pairs[WF_FOR_DEFENCE] : &w->lists[WF_FOR_DEFENCE].pairs;
    WfSift sift = loosened(wf_sift_of(w, WF_FOR_DEFENCE, mover), 0, slack);
    pairs->sift = &sift;
    pairs->drift = drift;
    if (mover) {
        fit_body(w, mover, 1);
        wf_tree_fit_drifts(&mover->tree, NULL, NULL);
        wf_pairs_between(&w->tree, &mover->tree, pairs);
    } else {
        leave_out_flat(w, WF_FOR_DEFENCE, slack, pairs);
        wf_pairs_self(&w->tree, pairs);
    }
    pairs->drift = 0;
    pairs->sift = NULL;
    pairs->flat = NULL;
    leave_out_apart(w, mover, pairs);
}

static void clear_drifted(WfWorld* w) {
    wf_pairs_clear(&w->lists[WF_FOR_DEFENCE].pairs);
    for (int m = 0; m < w->mover_count; m++) wf_pairs_clear(&w->movers[m].pairs[WF_FOR_DEFENCE]);
}

// Pairs that are not in the lists for contacts keep more than what the defence keeps, on the ways
// ahead. So they do on the ways that the solve has found, unless they have drifted by more than the
// difference against each other.
bool wf_search_drifted(WfWorld* w, const double* x1) {
    WfLists *near = &w->lists[WF_FOR_CONTACTS], *last = &w->lists[WF_FOR_DEFENCE];
    double most = SAFELY * (WF_NEAR_EDGES * WF_JOINED - WF_HIT) * w->least_layer;
    double slack = DRIFT_SLACK * most, drift = most - 2 * sqrt(3) * slack;
    if (!near->listed) return false;
    last->listed = false;
    last->slack = slack;
    wf_parallel_copy(w->jobs, w->x, 3 * (size_t)w->vertex_count, last->seen);
    wf_parallel_copy(w->jobs, x1, 3 * (size_t)w->vertex_count, last->covered);
    clear_drifted(w);
    if (largest_drift(w, x1, near->covered) <= drift) return true;
    double half = WF_HIT * w->most_layer / 2 + slack;
    WfReach reach = {half, half};
    wf_tree_fit(&w->tree, w->x, x1, reach, NULL);
    wf_tree_fit_drifts(&w->tree, x1, near->covered);
    for (int m = 0; m < w->mover_count; m++)
        if (wf_is_surface(&w->movers[m])) find_drifted(w, &w->movers[m], drift, slack);
    if (w->self) find_drifted(w, NULL, drift, slack);
    count_pairs(w, WF_FOR_DEFENCE);
    return !wf_lists_are_full(w, WF_FOR_DEFENCE) && !wf_search_failed(w);
}

// From what has drifted to all that the defence may need: with the pairs that contacts were made
// of.
void wf_complete_drifted(WfWorld* w) {
    WfLists *near = &w->lists[WF_FOR_CONTACTS], *last = &w->lists[WF_FOR_DEFENCE];
    for (int m = 0; m < w->mover_count; m++) {
        WfMover* mover = &w->movers[m];
        if (!wf_is_surface(mover)) continue;
        wf_pairs_add(&mover->pairs[WF_FOR_DEFENCE], &mover->pairs[WF_FOR_CONTACTS]);
        mover->swept[WF_FOR_DEFENCE] = mover->moves;
    }
    if (w->self) wf_pairs_add(&last->pairs, &near->pairs);
    last->listed = !wf_search_failed(w);
}

bool wf_search_again(WfWorld* w, double* x1, bool first) {
    WfLists* lists = &w->lists[WF_FOR_DEFENCE];
    double slack = slack_of(w, WF_FOR_DEFENCE);
    if (!wf_has_surfaces(w)) return true;
    int strays = lists->listed ? mark_strays(w, lists, x1, first ? slack / 2 : slack) : 0;
    return renew_lists(w, WF_FOR_DEFENCE, x1, strays, first);
}

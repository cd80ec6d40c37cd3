// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Continuous collision over all pairs that were near, from where vertices were to where the solve
// has put them, in passes. Pairs that would meet become impulses (impulse.h), which are applied
// together; the next pass looks at what they have moved. What still meets after some passes goes to
// zones (zone.h), which grow by what they hit and keep less of their own motion every time, hence
// come to an end. Last of all cloth stays where it was; beside bodies that deform, it goes by the
// flow around them (flow.h), pushed by the little that this is short of.
//
// Pairs are searched for along the way that the solve has found. Where impulses take a vertex
// further from that, they are searched for anew, a few times; after that it is held where its pairs
// are known. So the work has a bound, whatever happens.

#include "contact/defend.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "contact/check.h"
#include "contact/defender.h"

enum { IMPULSE_PASSES = 8, ZONE_PASSES = 12, LAST_PASSES = 3, NEVER = -2 };
enum { MOST_SEARCHES = IMPULSE_PASSES + 1 };
// Per vertex at most: looks at pairs on their way, in all passes, and impulses. A heap takes 15
// looks, a washing machine 40. (A bound on zones as well made cloth stand still where all of it is
// near all of it, for many steps: longer in the end.)
enum { LOOKS = 1000, IMPULSES_EACH = 32, SMALL = 100 };
static const double SLACK = 0.01;  // of what must be kept: impulses end
static const double USEFUL = 0.9;  // of the impacts: a pass of impulses that leaves more is not

// ---------------------------------------------------------------------------------------------
// What the solve has left

// Whether pairs of the lists would be stopped.
static bool any_meet(WfDefender* d, WfPurpose purpose) {
    WfWorld* w = d->world;
    WfSide cloth = wf_cloth_side(w, d->x1);
    d->looks_only = true;
    wf_place_trees(w, d->x1);
    for (int m = 0; m < w->mover_count; m++) {
        WfSides sides = {w, cloth, wf_body_side(&w->movers[m])};
        if (wf_is_surface(&w->movers[m])) wf_stop_pairs(d, &w->movers[m].pairs[purpose], &sides, m);
    }
    WfSides sides = {w, cloth, cloth};
    if (w->self) wf_stop_pairs(d, &w->lists[purpose].pairs, &sides, -1);
    bool meet = d->hits > 0;
    d->looks_only = false;
    d->hits = 0;
    return meet;
}

enum { FEW = 500 };  // vertices, for which a check takes no time

// A whole search finds no more than short ones.
static bool is_surely_clear(WfDefender* d) {
    WfWorld* w = d->world;
    if (w->vertex_count > FEW || !wf_find_pairs(w, WF_FOR_DEFENCE, d->x1, NULL)) return true;
    return !any_meet(d, WF_FOR_DEFENCE);
}

// Whether the solve has left nothing to stop, of pairs: most of the time.
static bool pairs_are_clear(WfDefender* d) {
    d->known = wf_has_surfaces(d->world) && wf_search_drifted(d->world, d->x1);
    return d->known && !any_meet(d, WF_FOR_CONTACTS) && !any_meet(d, WF_FOR_DEFENCE);
}

// ---------------------------------------------------------------------------------------------
// Passes

// There were too many pairs.
static void tell_slowed(WfDefender* d) {
    memset(d->world->moved, 1, (size_t)d->world->vertex_count);
    d->result.slowed = true;
    d->result.left += wf_lists_are_full(d->world, WF_FOR_DEFENCE);  // some are still not known
}

// Pairs for the ways to x1, which get shorter where there are too many.
static void search(WfDefender* d) {
    WfWorld* w = d->world;
    d->searches++;
    if (!wf_search_again(w, d->x1, d->searches == 1)) tell_slowed(d);
    for (int i = 0; i < w->vertex_count; i++)
        if (w->strayed[i]) w->dirty[i] = d->pass;
}

// The place nearest to p for which the pairs of a vertex are known.
static WfVec confine(const WfLists* lists, int i, WfVec p) {
    const double* middle = lists->covered + 3 * (long)i;
    double x[3] = {p.x, p.y, p.z};
    for (int k = 0; k < 3; k++)
        x[k] = fmin(fmax(x[k], middle[k] - lists->slack), middle[k] + lists->slack);
    return wf_load(x, 0);
}

// Every vertex where its pairs are known: by a search, or else by force.
static void cover(WfDefender* d) {
    WfWorld* w = d->world;
    if (!wf_has_surfaces(w) || d->stage != IMPULSES) return;
    if (d->pass == 0 && d->clear) return;
    if (d->searches == 0 && d->known) {
        wf_complete_drifted(w);
        d->searches = 1;
    }
    if (d->searches == 0) search(d);
    for (int i = 0; i < w->vertex_count; i++) {
        WfVec at = wf_load(d->x1, i), inside = confine(&w->lists[WF_FOR_DEFENCE], i, at);
        if (inside.x == at.x && inside.y == at.y && inside.z == at.z) continue;
        if (d->searches < MOST_SEARCHES) {
            search(d);
            return;
        }
        if (w->pinned[i]) continue;
        wf_store(d->x1, i, inside);
        w->dirty[i] = d->pass;
        w->moved[i] = 1;
    }
}

static void mark_moved(WfWorld* w) {
    for (int j = 0; j < w->impulses.count; j++) {
        const WfImpulse* p = &w->impulses.all[j];
        for (int k = 0; k < p->count && p->size > 0; k++) {
            w->moved[p->vertices[k]] = 1;
            if (p->by > 0) w->moved_by[p->vertices[k]] = p->by;
        }
    }
    for (int i = 0; i < w->vertex_count && w->zones.count > 0; i++) {
        w->moved[i] |= w->zones.inside[i];
        int body = w->zones.inside[i] ? wf_zones_body(&w->zones, i) : -1;
        if (body >= 0) w->moved_by[i] = body + 1;
    }
}

// Zones, and all pairs of whatever they may do.
static void begin_zones(WfDefender* d) {
    WfWorld* w = d->world;
    WfZoned of = {.cloth = w->cloth,
                  .mirror = &w->mirror,
                  .x0 = w->x,
                  .masses = w->masses,
                  .thickness = w->thickness,
                  .spans = w->spans,
                  .pinned = w->pinned,
                  .mover_count = w->mover_count,
                  .movers = w->movers,
                  .x1 = d->x1};
    mark_moved(w);
    w->impulses.count = 0;  // those of zones start where these have ended
    wf_zones_begin(&w->zones, &of);
    w->zones.tears = w->stray;
    if (!wf_has_surfaces(w)) return;
    wf_tree_forget(&w->tree);
    if (!wf_find_pairs_within(w, WF_FOR_DEFENCE, d->x1, w->zones.ways)) tell_slowed(d);
    for (int i = 0; i < w->vertex_count; i++) w->dirty[i] = d->pass;
}

static void pass_over(WfDefender* d) {
    WfWorld* w = d->world;
    WfSide cloth = wf_cloth_side(w, d->x1);
    d->hits = d->torn = 0;
    if (wf_touches_between(w)) {
        wf_measure_spans(w, d->x1, w->end_spans);
        wf_box_runs(w, d->x1);
    }
    bool clear = d->pass == 0 && d->clear;
    if (!clear) wf_place_trees(w, d->x1);
    for (int m = 0; m < w->mover_count; m++) {
        WfMover* mover = &w->movers[m];
        if (wf_is_exact(mover)) wf_stop_exact(d, m);
        if (!wf_is_surface(mover) || clear) continue;
        WfSides sides = {w, cloth, wf_body_side(mover)};
        wf_stop_pairs(d, &mover->pairs[WF_FOR_DEFENCE], &sides, m);
    }
    WfSides sides = {w, cloth, cloth};
    if (w->self && !clear) wf_stop_pairs(d, &w->lists[WF_FOR_DEFENCE].pairs, &sides, -1);
}

// All of the cloth that could not be told apart goes with what carries it, piece by piece. (Zones
// in the flow around bodies gain nothing by others that join them.)
static void stand_still(WfDefender* d) {
    WfWorld* w = d->world;
    const int* piece = w->cloth->piece;
    int* last = w->nearest_triangle;  // of a piece: the last vertex seen, -1: it is told apart
    for (int p = 0; p < w->cloth->piece_count; p++) last[p] = -1;
    for (int i = w->vertex_count - 1; i >= 0; i--)
        if (last[piece[i]] >= 0 || (w->dirty[i] == d->pass && !wf_zones_flow(&w->zones, i)))
            last[piece[i]] = i;
    for (int i = 0; i < w->vertex_count; i++) {
        if (last[piece[i]] < 0) continue;
        wf_defender_enters(d, i);
        wf_zones_join(&w->zones, last[piece[i]], i);
        last[piece[i]] = i;
        wf_zones_slow(&w->zones, i, 0, true);
    }
}

static void answer(WfDefender* d) {
    WfWorld* w = d->world;
    if (d->stage == STANDSTILL) stand_still(d);
    if (d->stage != IMPULSES) wf_zones_move(&w->zones, d->pass, w->dirty);
    wf_apply_impulses(&w->impulses, w->masses, SLACK * d->keep, d->x1, d->pass, w->dirty);
    if (d->stage != IMPULSES) wf_zones_confine(&w->zones);
}

static WfDefenceStage stage_of(int pass) {
    if (pass < IMPULSE_PASSES) return IMPULSES;
    return pass < IMPULSE_PASSES + ZONE_PASSES ? ZONES : STANDSTILL;
}

// More pairs meet than there are vertices, and another pass of impulses was of no use.
static bool is_hopeless(const WfDefender* d, int before) {
    return d->stage == IMPULSES && d->hits > d->world->vertex_count && d->hits > USEFUL * before;
}

// Impulses take more time than a step has.
static bool is_late(const WfDefender* d) {
    bool many = d->world->impulses.count > IMPULSES_EACH * (d->world->vertex_count + SMALL);
    return d->stage == IMPULSES && (many || d->looks <= 0);
}

WfDefence wf_defend(WfWorld* w, double* x1) {
    WfDefender d = {.world = w, .x1 = x1, .looks = LOOKS * ((long)w->vertex_count + SMALL)};
    wf_check_places(w, x1);
    memset(w->moved, 0, (size_t)w->vertex_count);
    memset(w->moved_by, 0, (size_t)w->vertex_count * sizeof *w->moved_by);
    w->impulses.count = w->zones.count = 0;
    w->impulses.failed = false;
    for (int i = 0; i < w->vertex_count; i++) w->dirty[i] = NEVER;
    int most = IMPULSE_PASSES + ZONE_PASSES + LAST_PASSES;
    d.clear = pairs_are_clear(&d);
    if (wf_search_failed(w)) return d.result;
    for (d.pass = 0; d.pass < most; d.pass++) {
        WfDefenceStage before = d.stage;
        d.stage = stage_of(d.pass);
        d.stops = d.pass >= IMPULSE_PASSES + ZONE_PASSES / 2;
        d.keep = HUGE_VAL;
        if (before == IMPULSES && d.stage != IMPULSES) begin_zones(&d);
        cover(&d);
        if (wf_search_failed(w)) break;
        int hits_before = d.hits;
        pass_over(&d);
        if (d.pass == 0) d.result.impacts = d.hits + d.result.left;
        if (d.hits == 0 || wf_search_failed(w)) break;
        bool late = is_late(&d);
        if (!late) answer(&d);
        wf_check_places(w, x1);
        if (late || (d.pass > 0 && is_hopeless(&d, hits_before))) d.pass = IMPULSE_PASSES - 1;
    }
    // (a search that has failed is not tried again: that would forget the failure)
    wf_assert(wf_search_failed(w) || d.stage != IMPULSES || d.hits > 0 || d.result.left > 0 ||
              d.looks <= 0 || is_surely_clear(&d));
    (void)is_surely_clear;
    d.result.left += d.torn;
    d.counts = d.pass == most;
    if (d.counts) pass_over(&d);
    d.result.zones = w->zones.count;
    mark_moved(w);
    return d.result;
}

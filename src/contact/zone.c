// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A zone in which nothing moves against its carrier has no pair that meets. Seen by one who goes
// along with the carrier, its vertices go `part` of their own ways: as far as they had come, all of
// them, at the time `part` of the step; so a zone whose first pair meets at the time t may keep the
// part t of its motion, and slides on as far as that. Its energy, as its carrier sees it, is no
// more than what it had.
//
// What carries is known before there are zones: the bodies, the pins, and the frame of every piece
// of cloth. So one search finds all pairs of whatever zones will do. (Zones that went by their own
// means needed a new one in every pass.) Pins take their zones along as their frame turns: between
// pins that turn, what only went with one of them would be met by the others.
//
// Beside a body that deforms nothing rests that goes as one: a zone that went by one place of it
// was met by all others, took in what lay there, and in the end a whole shirt, which stood still on
// a body that walked on (silk: 1909 vertices, 742 crossings). Such zones go by the flow around
// bodies, which is the same for all of them and known everywhere; they have no need to grow.
// Between corners the flow is not what triangles do, by some micrometres: vertices that have
// settled in it are pushed apart from there (defend.c).

#include "contact/zone.h"

#include <math.h>
#include <string.h>

#include "base/links.h"
#include "contact/flow.h"

static const double SAFELY = 0.9;       // of the time until something is met
static const double LEAST_PART = 0.02;  // of its own motion: less is none
static const double SMOOTH = 2;         // of what tears, a mean edge: flows are, over that

void wf_zones_layout(const WfSurface* cloth, int body_count, WfArena* arena, WfZones* z) {
    size_t n = (size_t)cloth->vertex_count;
    z->inside = wf_arena_push(arena, n, 1);
    z->own = wf_arena_push(arena, 3 * n, sizeof(double));
    z->links = wf_arena_push(arena, n, sizeof(int));
    z->frames = wf_arena_push(arena, (size_t)cloth->piece_count, sizeof *z->frames);
    z->ways = wf_arena_push(arena, n, sizeof *z->ways);
    z->carries = wf_arena_push(arena, (size_t)body_count, 1);
    z->carrier = wf_arena_push(arena, n, sizeof(int));
    z->piece = wf_arena_push(arena, n, sizeof(int));
    z->carried = wf_arena_push(arena, 3 * n, sizeof(double));
    z->part = wf_arena_push(arena, n, sizeof(double));
    z->flow = wf_arena_push(arena, 3 * n, sizeof(double));
    z->has_flow = wf_arena_push(arena, n, 1);
    z->settled = wf_arena_push(arena, n, 1);
}

static int first_of(WfZones* z, int i) { return wf_first_linked(z->links, i); }

static void widen(WfWays* ways, WfVec way) {
    const double x[3] = {way.x, way.y, way.z};
    for (int k = 0; k < 3; k++) {
        ways->low[k] = fmin(ways->low[k], x[k]);
        ways->high[k] = fmax(ways->high[k], x[k]);
    }
}

static WfVec way_of(const WfZoned* of, int i) {
    return wf_sub(wf_load(of->x1, i), wf_load(of->x0, i));
}

// By how much a pin goes beside the frame of its piece.
static WfVec beside_frame(const WfZones* z, int i) {
    const WfZoned* of = &z->of;
    WfVec framed = wf_frame_way(&z->frames[of->cloth->piece[i]], wf_load(of->x0, i));
    return wf_sub(way_of(of, i), framed);
}

// Any frame may carry any cloth, with a pin's own way beside it.
static void widen_by_frame(WfZones* z, const WfFrame* frame, const WfWays* beside) {
    for (int i = 0; i < z->of.cloth->vertex_count; i++) {
        WfVec way = wf_frame_way(frame, wf_load(z->of.x0, i));
        widen(&z->ways[i], wf_add(way, wf_load(beside->low, 0)));
        widen(&z->ways[i], wf_add(way, wf_load(beside->high, 0)));
    }
}

// The longest of some ways, as one sees it who goes by `frame`.
static double longest_beside(const WfWays* ways, WfVec frame) {
    WfVec low = wf_sub(wf_load(ways->low, 0), frame), high = wf_sub(wf_load(ways->high, 0), frame);
    return wf_length((WfVec){fmax(-low.x, high.x), fmax(-low.y, high.y), fmax(-low.z, high.z)});
}

// Can cloth get there, whatever carries it?
static bool is_in_reach(const WfZones* z, const WfMover* mover) {
    const WfZoned* of = &z->of;
    const WfPairs* pairs = &mover->pairs[WF_FOR_DEFENCE];
    bool near = pairs->points.count + pairs->corners.count + pairs->edges.count > 0;
    if (mover->off) return false;
    for (int i = 0; i < of->cloth->vertex_count && mover->body->exact && !near; i++) {
        WfVec x = wf_load(of->x0, i), n;
        double far = wf_body_local_distance(mover->body, wf_pose_local(&mover->from, x), &n);
        near = far <= longest_beside(&z->ways[i], wf_body_carry(mover, x)) + of->spans[i] +
                          2 * of->thickness[i];
    }
    return near;
}

static void widen_by_body(WfZones* z, const WfMover* mover) {
    WfWays all = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (int i = 0; i < mover->body->vertex_count && mover->deforms; i++)
        widen(&all, wf_sub(wf_load(mover->x1, i), wf_load(mover->x0, i)));
    for (int i = 0; i < z->of.cloth->vertex_count; i++) {
        if (!mover->deforms) {
            widen(&z->ways[i], wf_body_carry(mover, wf_load(z->of.x0, i)));
            continue;
        }
        double more = z->of.thickness[i];  // for pushes
        widen(&z->ways[i], wf_sub(wf_load(all.low, 0), (WfVec){more, more, more}));
        widen(&z->ways[i], wf_add(wf_load(all.high, 0), (WfVec){more, more, more}));
    }
}

// Bodies that carry may bring cloth to others.
static void widen_by_bodies(WfZones* z) {
    memset(z->carries, 0, (size_t)z->of.mover_count);
    for (bool more = true; more;) {
        more = false;
        for (int m = 0; m < z->of.mover_count; m++) {
            if (z->carries[m] || !is_in_reach(z, &z->of.movers[m])) continue;
            z->carries[m] = more = true;
            widen_by_body(z, &z->of.movers[m]);
        }
    }
}

// Ways are those at the place of each vertex: where all that carries turns as one, as a character
// does with what it wears, none goes against another.
static void find_ways(WfZones* z) {
    const WfZoned* of = &z->of;
    WfWays beside = {0};
    for (int i = 0; i < of->cloth->vertex_count; i++) {
        if (of->pinned[i]) widen(&beside, beside_frame(z, i));
        wf_store(z->ways[i].low, 0, way_of(of, i));
        wf_store(z->ways[i].high, 0, way_of(of, i));
    }
    for (int p = 0; p < of->cloth->piece_count; p++) widen_by_frame(z, &z->frames[p], &beside);
    widen_by_bodies(z);
}

void wf_zones_begin(WfZones* z, const WfZoned* of) {
    int n = of->cloth->vertex_count;
    z->of = *of;
    z->count = 0;
    memset(z->inside, 0, (size_t)n);
    memset(z->has_flow, 0, (size_t)n);
    memset(z->settled, 0, (size_t)n);
    wf_find_frames(of->cloth, of->mirror, of->x0, of->x1, of->masses, of->pinned, z->frames);
    for (int i = 0; i < n; i++) {
        z->links[i] = i;
        z->carrier[i] = WF_CARRIED_BY_FRAME;
        z->piece[i] = of->cloth->piece[i];
        z->part[i] = 1;
        wf_store(z->carried, i, (WfVec){0, 0, 0});
    }
    find_ways(z);
}

void wf_zones_enter(WfZones* z, int i, WfVec x1) {
    if (z->inside[i]) return;
    z->count++;
    z->inside[i] = 1;
    wf_store(z->own, i, x1);
}

// By which bodies that deform take a vertex along: found when it is asked for.
static WfVec flow_at(WfZones* z, int i) {
    const WfZoned* of = &z->of;
    if (!z->has_flow[i])
        wf_store(z->flow, i,
                 wf_flow(of->movers, of->mover_count, z->carries, SMOOTH * z->tears,
                         wf_load(of->x0, i)));
    z->has_flow[i] = 1;
    return wf_load(z->flow, i);
}

// By which a vertex goes with the carrier of a zone.
static WfVec carried_by(WfZones* z, int zone, int i) {
    int carrier = z->carrier[zone];
    WfVec x = wf_load(z->of.x0, i);
    if (carrier >= WF_CARRIED_BY_BODY)
        return wf_body_carry(&z->of.movers[carrier - WF_CARRIED_BY_BODY], x);
    if (carrier == WF_CARRIED_BY_FLOW) return flow_at(z, i);
    return wf_add(wf_load(z->carried, zone), wf_frame_way(&z->frames[z->piece[zone]], x));
}

void wf_zones_join(WfZones* z, int i, int j) {
    int a = first_of(z, i), b = first_of(z, j);
    if (a == b) return;
    int low = a < b ? a : b, high = a < b ? b : a, *by = &z->carrier[low];
    bool pins = *by == WF_CARRIED_BY_PIN && z->carrier[high] == WF_CARRIED_BY_PIN;
    bool parts =
        pins && wf_length(wf_sub(carried_by(z, low, high), carried_by(z, high, high))) > z->tears;
    z->links[high] = low;
    z->part[low] = fmin(z->part[low], z->part[high]);
    if (*by == WF_CARRIED_BY_FRAME) {
        *by = z->carrier[high];
        if (*by != WF_CARRIED_BY_FRAME) z->piece[low] = z->piece[high];
        wf_store(z->carried, low, wf_load(z->carried, high));
    }
    if (z->carrier[high] == WF_CARRIED_BY_FLOW) *by = WF_CARRIED_BY_FLOW;
    if (parts || z->carrier[high] == WF_TORN) *by = WF_TORN;
}

void wf_zones_carry(WfZones* z, int i, int mover) {
    int* by = &z->carrier[first_of(z, i)];
    if (z->of.movers[mover].deforms) {
        z->carries[mover] = 1;
        if (*by != WF_TORN) *by = WF_CARRIED_BY_FLOW;
    } else if (*by == WF_CARRIED_BY_FRAME) {
        *by = WF_CARRIED_BY_BODY + mover;
    }
}

void wf_zones_carry_by_pin(WfZones* z, int i) {
    int zone = first_of(z, i);
    WfVec way = way_of(&z->of, i);
    if (z->carrier[zone] == WF_CARRIED_BY_PIN &&
        wf_length(wf_sub(way, carried_by(z, zone, i))) > z->tears)
        z->carrier[zone] = WF_TORN;
    if (z->carrier[zone] != WF_CARRIED_BY_FRAME) return;
    z->carrier[zone] = WF_CARRIED_BY_PIN;
    z->piece[zone] = z->of.cloth->piece[i];
    wf_store(z->carried, zone, beside_frame(z, i));
}

bool wf_zones_flow(WfZones* z, int i) { return z->carrier[first_of(z, i)] == WF_CARRIED_BY_FLOW; }

void wf_zones_confine(WfZones* z) {
    for (int i = 0; i < z->of.cloth->vertex_count; i++) {
        double* x1 = z->of.x1 + 3 * (long)i;
        const double* x0 = z->of.x0 + 3 * (long)i;
        for (int k = 0; k < 3 && z->settled[i]; k++)
            x1[k] = fmin(fmax(x1[k], x0[k] + z->ways[i].low[k]), x0[k] + z->ways[i].high[k]);
    }
}

int wf_zones_body(WfZones* z, int i) {
    int carrier = z->carrier[first_of(z, i)];
    return carrier >= WF_CARRIED_BY_BODY ? carrier - WF_CARRIED_BY_BODY : -1;
}

bool wf_zones_is_torn(WfZones* z, int i) { return z->carrier[first_of(z, i)] == WF_TORN; }

void wf_zones_slow(WfZones* z, int i, double t, bool stop) {
    double* part = &z->part[first_of(z, i)];
    *part *= SAFELY * fmin(t, 1);
    if (stop || *part < LEAST_PART) *part = 0;
}

void wf_zones_move(WfZones* z, int mark, int* marks) {
    const WfZoned* of = &z->of;
    for (int i = 0; i < of->cloth->vertex_count; i++) {
        if (!z->inside[i] || z->settled[i] || of->pinned[i]) continue;
        int zone = first_of(z, i);
        if (z->carrier[zone] == WF_TORN) {
            wf_store(of->x1, i, wf_load(z->own, i));
            marks[i] = mark;  // in every pass: what passes is counted in the last
            continue;
        }
        WfVec x = wf_load(of->x0, i), at = wf_load(of->x1, i), way = carried_by(z, zone, i);
        WfVec own = wf_sub(wf_sub(wf_load(z->own, i), x), way);
        WfVec to = wf_add(wf_add(x, way), wf_mul(z->part[zone], own));
        to = wf_plane_place(of->mirror, i, to);
        z->settled[i] = z->carrier[zone] == WF_CARRIED_BY_FLOW && z->part[zone] == 0;
        if (to.x == at.x && to.y == at.y && to.z == at.z) continue;
        wf_store(of->x1, i, to);
        marks[i] = mark;
    }
}

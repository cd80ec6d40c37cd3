// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A zone in which nothing moves against its carrier has no pair that meets. Seen by one who goes
// along with the carrier, its vertices go `part` of their own ways: as far as they had come, all of
// them, at the time `part` of the step; so a zone whose first pair meets at the time t may keep the
// part t of its motion, and slides on as far as that. Its energy, as its carrier sees it, is no
// more than what it had.
//
// What carries is known before there are zones: the bodies, the pins, and for every piece of cloth
// the mean of its pins, or its own where it has none. So one search finds all pairs of whatever
// zones will do. (Zones that went by their own means needed a new one in every pass.)

#include "contact/zone.h"

#include <math.h>
#include <string.h>

static const double SAFELY = 0.9;       // of the time until something is met
static const double LEAST_PART = 0.02;  // of its own motion: less is none

void wf_zones_layout(int vertex_count, WfArena* arena, WfZones* z) {
    size_t n = (size_t)vertex_count;
    z->inside = wf_arena_push(arena, n, 1);
    z->own = wf_arena_push(arena, 3 * n, sizeof(double));
    z->link = wf_arena_push(arena, n, sizeof(int));
    z->frame = wf_arena_push(arena, 3 * n, sizeof(double));
    z->weight = wf_arena_push(arena, n, sizeof(double));
    z->carrier = wf_arena_push(arena, n, sizeof(int));
    z->carried = wf_arena_push(arena, 3 * n, sizeof(double));
    z->part = wf_arena_push(arena, n, sizeof(double));
}

static int first_of(WfZones* z, int i) {
    while (z->link[i] != i) i = z->link[i] = z->link[z->link[i]];
    return i;
}

// Pins alone count where a piece has any: they weigh more than all else together.
static const double PIN_WEIGHT = 1e9;  // kg

void wf_find_frames(const WfSurface* cloth, const double* x0, const double* x1,
                    const double* masses, const unsigned char* pinned, double* frame,
                    double* weight) {
    int n = cloth->vertex_count;
    memset(frame, 0, 3 * (size_t)n * sizeof *frame);
    memset(weight, 0, (size_t)n * sizeof *weight);
    for (int i = 0; i < n; i++) {
        int piece = cloth->piece[i];
        double own = pinned[i] ? PIN_WEIGHT : masses[i];
        wf_accumulate(frame, piece, own, wf_sub(wf_load(x1, i), wf_load(x0, i)));
        weight[piece] += own;
    }
    for (int i = 0; i < n; i++)
        if (weight[i] > 0) wf_store(frame, i, wf_mul(1 / weight[i], wf_load(frame, i)));
}

static void widen(double low[3], double high[3], WfVec way, double by) {
    const double x[3] = {way.x, way.y, way.z};
    for (int k = 0; k < 3; k++) {
        low[k] = fmin(low[k], x[k] - by);
        high[k] = fmax(high[k], x[k] + by);
    }
}

static bool is_far(const WfMover* mover) {
    const WfPairs* pairs = &mover->pairs;
    return !mover->body->exact &&
           pairs->points.count + pairs->corners.count + pairs->edges.count == 0;
}

// What a body may carry lies around it: by how much it moves there.
static void widen_by_body(double low[3], double high[3], const WfMover* mover) {
    if (is_far(mover)) return;
    int corners = mover->body->exact ? 0 : mover->body->vertex_count;
    for (int i = 0; i < corners; i++)
        widen(low, high, wf_sub(wf_load(mover->x1, i), wf_load(mover->x0, i)), 0);
    if (corners > 0 || memcmp(&mover->from, &mover->to, sizeof mover->from) == 0) return;
    WfVec way = wf_sub(wf_load(mover->to.position, 0), wf_load(mover->from.position, 0));
    double length, chord, reach = mover->body->reach;
    wf_pose_travel(&mover->from, &mover->to, &length, &chord);
    widen(low, high, way, chord > 0 && reach < HUGE_VAL ? chord * reach : 0);
}

void wf_zones_begin(WfZones* z, const WfZoned* of, double low[3], double high[3]) {
    int n = of->cloth->vertex_count;
    z->count = 0;
    memset(z->inside, 0, (size_t)n);
    wf_find_frames(of->cloth, of->x0, of->x1, of->masses, of->pinned, z->frame, z->weight);
    for (int k = 0; k < 3; k++) low[k] = high[k] = 0;
    for (int i = 0; i < n; i++) {
        z->link[i] = i;
        z->carrier[i] = WF_CARRIED_BY_FRAME;
        z->part[i] = 1;
        if (z->weight[i] > 0) widen(low, high, wf_load(z->frame, i), 0);
        if (of->pinned[i]) widen(low, high, wf_sub(wf_load(of->x1, i), wf_load(of->x0, i)), 0);
    }
    for (int m = 0; m < of->mover_count; m++) widen_by_body(low, high, &of->movers[m]);
}

void wf_zones_enter(WfZones* z, int i, WfVec x1) {
    if (z->inside[i]) return;
    z->count++;
    z->inside[i] = 1;
    wf_store(z->own, i, x1);
}

void wf_zones_join(WfZones* z, int i, int j) {
    int a = first_of(z, i), b = first_of(z, j);
    if (a == b) return;
    int low = a < b ? a : b, high = a < b ? b : a;
    z->link[high] = low;
    z->part[low] = fmin(z->part[low], z->part[high]);
    if (z->carrier[high] != WF_CARRIED_BY_FRAME)
        wf_zones_carry(z, low, z->carrier[high], wf_load(z->carried, high));
}

void wf_zones_carry(WfZones* z, int i, int carrier, WfVec way) {
    int zone = first_of(z, i), *by = &z->carrier[zone];
    bool parts = *by == WF_CARRIED_BY_PIN && carrier == WF_CARRIED_BY_PIN &&
                 wf_length(wf_sub(way, wf_load(z->carried, zone))) > z->tears;
    if (parts || carrier == WF_TORN) *by = WF_TORN;
    if (*by != WF_CARRIED_BY_FRAME) return;
    *by = carrier;
    wf_store(z->carried, zone, way);
}

bool wf_zones_is_torn(WfZones* z, int i) { return z->carrier[first_of(z, i)] == WF_TORN; }

void wf_zones_slow(WfZones* z, int i, double t, bool stop) {
    double* part = &z->part[first_of(z, i)];
    *part *= SAFELY * fmin(t, 1);
    if (stop || *part < LEAST_PART) *part = 0;
}

static WfVec carried_by(WfZones* z, const WfZoned* of, int zone, WfVec x) {
    int carrier = z->carrier[zone];
    if (carrier == WF_CARRIED_BY_FRAME) return wf_load(z->frame, of->cloth->piece[zone]);
    if (carrier < WF_CARRIED_BY_BODY) return wf_load(z->carried, zone);
    return wf_body_carry(&of->movers[carrier - WF_CARRIED_BY_BODY], x);
}

void wf_zones_move(WfZones* z, const WfZoned* of, int mark, int* marks) {
    for (int i = 0; i < of->cloth->vertex_count; i++) {
        if (!z->inside[i] || of->pinned[i]) continue;
        int zone = first_of(z, i);
        if (z->carrier[zone] == WF_TORN) {
            wf_store(of->x1, i, wf_load(z->own, i));
            continue;
        }
        WfVec x = wf_load(of->x0, i), at = wf_load(of->x1, i), way = carried_by(z, of, zone, x);
        WfVec own = wf_sub(wf_sub(wf_load(z->own, i), x), way);
        WfVec to = wf_add(wf_add(x, way), wf_mul(z->part[zone], own));
        if (to.x == at.x && to.y == at.y && to.z == at.z) continue;
        wf_store(of->x1, i, to);
        marks[i] = mark;
    }
}

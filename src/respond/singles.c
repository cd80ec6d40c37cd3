// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "respond/singles.h"

#include <math.h>

#include "base/vec.h"

// ---------------------------------------------------------------------------------------------
// Loops

enum { BLOCK = 128 };  // contacts, or vertices that they hold

// What is done with vertex i, its contacts from `first` to before `end`.
typedef void VertexLoop(const WfContacts* contacts, void* context, int i, int first, int end);

typedef struct TouchedJob {
    const WfContacts* contacts;
    VertexLoop* loop;
    void* context;
} TouchedJob;

// Vertices whose first contacts are in the block.
static void touched_block(void* context, int block) {
    const TouchedJob* job = context;
    const WfContacts* contacts = job->contacts;
    int count = contacts->single_count, last = (block + 1) * BLOCK;
    for (int k = block * BLOCK; k < last && k < count; k++) {
        int i = contacts->all[k].vertices[0], first;
        if (contacts->first[i] == k)
            job->loop(contacts, job->context, i, k, wf_singles_of(contacts, i, &first));
    }
}

static void for_touched(const WfContacts* contacts, const WeftJobs* jobs, VertexLoop* loop,
                        void* context) {
    TouchedJob job = {contacts, loop, context};
    wf_parallel(jobs, (contacts->single_count + BLOCK - 1) / BLOCK, touched_block, &job);
}

typedef struct Vectors {
    const double* u;
    double* to;
} Vectors;

// ---------------------------------------------------------------------------------------------
// Places

static bool are_same(WfVec a, WfVec b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// Each against what the others have moved, until nothing moves any more.
WfVec wf_singles_place_several(WfContact* all, int first, int end, WfVec u, bool decides) {
    bool moves = true;
    for (int k = first; k < end; k++) all[k].push = (WfVec){0, 0, 0};
    for (int pass = 0; pass < WF_SINGLE_PASSES && moves; pass++) {
        moves = false;
        for (int k = first; k < end; k++) {
            WfContactState state;
            WfVec without = wf_sub(u, all[k].push), before = all[k].push;
            if (decides && all[k].ball > 0) wf_aim_ball(&all[k], without);
            u = wf_single_place(&all[k], without, &state);
            all[k].push = wf_sub(u, without);
            moves = moves || !are_same(before, all[k].push);
            if (decides) all[k].state = state;
        }
    }
    return u;
}

static WfVec clip_vertex(const WfContacts* contacts, int first, int end, WfVec u) {
    const WfContact* all = contacts->all;
    for (int pass = 0; pass < (end - first > 1 ? WF_SINGLE_PASSES : 1); pass++)
        for (int k = first; k < end; k++) {
            WfContactState unused;
            double depth = wf_dot(wf_add(u, wf_contact_offset(&all[k])), all[k].normal);
            if (all[k].ball > 0)
                u = wf_ball_place(&all[k], u, &unused);
            else if (depth < 0)
                u = wf_madd(u, -depth, all[k].normal);
        }
    return u;
}

static void clip_loop(const WfContacts* contacts, void* context, int i, int first, int end) {
    double* u = context;
    wf_store(u, i, clip_vertex(contacts, first, end, wf_load(u, i)));
}

void wf_singles_clip(const WfContacts* contacts, const WeftJobs* jobs, double* u) {
    for_touched(contacts, jobs, clip_loop, u);
}

// Displacements from u.
static void admit_loop(const WfContacts* contacts, void* context, int i, int first, int end) {
    const Vectors* vectors = context;
    WfVec start = wf_load(vectors->u, i), u = wf_sub(wf_load(vectors->to, i), start);
    wf_store(vectors->to, i, wf_add(start, clip_vertex(contacts, first, end, u)));
}

void wf_singles_admit(const WfContacts* contacts, const WeftJobs* jobs, const double* from,
                      double* x) {
    Vectors vectors = {from, x};
    for_touched(contacts, jobs, admit_loop, &vectors);
}

// ---------------------------------------------------------------------------------------------
// Directions

static const double SAME_NORMAL = 1e-3;  // what is left of a normal beside others: no new one

// The directions that contacts of a vertex hold: 3 where one of them sticks.
static WfHold hold_of(const WfContact* all, int i, int first, int end) {
    WfHold hold = {.vertex = i};
    for (int c = first; c < end && hold.count < 3; c++) {
        if (all[c].state == WF_CONTACT_STICK) hold.count = 3;
        if (all[c].state != WF_CONTACT_SLIP || hold.count == 3) continue;
        WfVec n = all[c].normal;
        for (int j = 0; j < hold.count; j++) n = wf_sub(n, wf_along(hold.normals[j], n));
        double length = wf_length(n);
        if (length < SAME_NORMAL) continue;  // the same half-space twice
        if (hold.count < 2) hold.normals[hold.count] = wf_mul(1 / length, n);
        hold.count++;
    }
    return hold;
}

int wf_singles_hold(const WfContacts* contacts, WfHold* holds) {
    int count = 0;
    WF_FOR_TOUCHED(contacts, k, i) {
        int first, end = wf_singles_of(contacts, i, &first);
        WfHold hold = hold_of(contacts->all, i, first, end);
        if (hold.count > 0) holds[count++] = hold;
    }
    return count;
}

typedef struct FilterJob {
    const WfHold* holds;
    int count;
    double* v;
} FilterJob;

static void filter_block(void* context, int block) {
    const FilterJob* job = context;
    int last = (block + 1) * BLOCK;
    for (int k = block * BLOCK; k < last && k < job->count; k++) {
        const WfHold* hold = &job->holds[k];
        WfVec v = hold->count < 3 ? wf_load(job->v, hold->vertex) : (WfVec){0, 0, 0};
        for (int j = 0; j < hold->count && hold->count < 3; j++)
            v = wf_sub(v, wf_along(hold->normals[j], v));
        wf_store(job->v, hold->vertex, v);
    }
}

void wf_holds_filter(const WfHold* holds, int count, const WeftJobs* jobs, double* v) {
    FilterJob job = {holds, count, v};
    wf_parallel(jobs, (count + BLOCK - 1) / BLOCK, filter_block, &job);
}

// What contacts of a vertex that slip press, where they hold `left` together. Were each to take all
// of it, cloth in a groove would have the friction of both of its sides.
static void share_pressure(WfContact* all, int first, int end, WfVec left) {
    for (int k = first; k < end; k++) all[k].pressure = (WfVec){0, 0, 0};
    for (int pass = 0; pass < (end - first > 1 ? WF_SINGLE_PASSES : 1); pass++)
        for (int k = first; k < end; k++) {
            WfContact* c = &all[k];
            if (c->state != WF_CONTACT_SLIP) continue;
            double old = wf_dot(c->pressure, c->normal);
            double now = fmax(0, old + wf_dot(left, c->normal));
            left = wf_madd(left, old - now, c->normal);
            c->pressure = wf_mul(now, c->normal);
        }
}

static void slip_loop(const WfContacts* contacts, void* context, int i, int first, int end) {
    const Vectors* vectors = context;
    share_pressure(contacts->all, first, end, wf_mul(-1, wf_load(vectors->to, i)));
    for (int j = first; j < end; j++) {
        WfContact* c = &contacts->all[j];
        if (c->state != WF_CONTACT_SLIP) continue;
        WfVec w = wf_add(wf_load(vectors->u, i), wf_contact_offset(c));
        c->slip = wf_sub(w, wf_along(c->normal, w));
        double length = wf_length(c->slip), normal = wf_dot(c->pressure, c->normal);
        if (length > 0 && normal > 0)
            wf_accumulate(vectors->to, i, -c->friction * normal / length, c->slip);
    }
}

void wf_singles_add_slip(const WfContacts* contacts, const WeftJobs* jobs, const double* u,
                         double* r) {
    Vectors vectors = {u, r};
    for_touched(contacts, jobs, slip_loop, &vectors);
}

// Sweeps see what pushes a vertex by its neighbours, and not what moves all of them at once; were
// such contacts only clipped, the line search would stop all other motion, too.
bool wf_singles_close(const WfContacts* contacts, const double* d, double* u, double* moved) {
    bool closed = false;
    for (int k = 0; k < contacts->single_count; k++) {
        WfContact* c = &contacts->all[k];
        int i = c->vertices[0];
        WfVec from = wf_load(u, i), to = wf_add(from, wf_load(d, i));
        if (c->state != WF_CONTACT_OPEN) continue;
        if (c->ball > 0) wf_aim_ball(c, to);
        WfVec offset = wf_contact_offset(c);
        if (wf_dot(wf_add(to, offset), c->normal) >= 0) continue;
        c->state = WF_CONTACT_SLIP;
        double depth = wf_dot(wf_add(from, offset), c->normal);
        wf_accumulate(u, i, -depth, c->normal);
        wf_accumulate(moved, i, -depth, c->normal);
        closed = true;
    }
    return closed;
}

// `to`, or at rest where slip has turned back and there is friction to stop it.
static WfVec stop_vertex(const WfContact* all, int first, int end, WfVec to) {
    for (int k = first; k < end; k++) {
        if (all[k].state != WF_CONTACT_SLIP || all[k].friction == 0) continue;
        WfVec offset = wf_contact_offset(&all[k]), w = wf_add(to, offset);
        w = wf_sub(w, wf_along(all[k].normal, w));
        if (wf_dot(w, all[k].slip) <= 0) to = wf_mul(-1, offset);
    }
    return to;
}

static void bound_loop(const WfContacts* contacts, void* context, int i, int first, int end) {
    const Vectors* vectors = context;
    WfVec u = wf_load(vectors->u, i), to = wf_add(u, wf_load(vectors->to, i));
    to = clip_vertex(contacts, first, end, to);
    wf_store(vectors->to, i, wf_sub(stop_vertex(contacts->all, first, end, to), u));
}

void wf_singles_bound(const WfContacts* contacts, const WeftJobs* jobs, const double* u,
                      double* d) {
    Vectors vectors = {u, d};
    for_touched(contacts, jobs, bound_loop, &vectors);
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "respond/singles.h"

#include <math.h>

#include "base/vec.h"

// ---------------------------------------------------------------------------------------------
// Places

// Each against what the others have moved.
WfVec wf_singles_place_several(WfContact* all, int first, int end, WfVec u, bool decides) {
    for (int k = first; k < end; k++) all[k].push = (WfVec){0, 0, 0};
    for (int pass = 0; pass < WF_SINGLE_PASSES; pass++)
        for (int k = first; k < end; k++) {
            WfContactState state;
            WfVec without = wf_sub(u, all[k].push);
            u = wf_single_place(&all[k], without, &state);
            all[k].push = wf_sub(u, without);
            if (decides) all[k].state = state;
        }
    return u;
}

static WfVec clip_vertex(const WfContacts* contacts, int i, WfVec u) {
    const WfContact* all = contacts->all;
    int first, end = wf_singles_of(contacts, i, &first);
    for (int pass = 0; pass < (end - first > 1 ? WF_SINGLE_PASSES : 1); pass++)
        for (int k = first; k < end; k++) {
            double depth = wf_dot(wf_add(u, wf_contact_offset(&all[k])), all[k].normal);
            if (depth < 0) u = wf_madd(u, -depth, all[k].normal);
        }
    return u;
}

void wf_singles_clip(const WfContacts* contacts, double* u) {
    WF_FOR_TOUCHED(contacts, k, i) wf_store(u, i, clip_vertex(contacts, i, wf_load(u, i)));
}

void wf_singles_admit(const WfContacts* contacts, const double* from, double* x) {
    WF_FOR_TOUCHED(contacts, k, i) {
        WfVec start = wf_load(from, i), u = wf_sub(wf_load(x, i), start);
        wf_store(x, i, wf_add(start, clip_vertex(contacts, i, u)));
    }
}

// ---------------------------------------------------------------------------------------------
// Directions

static const double SAME_NORMAL = 1e-3;  // what is left of a normal beside others: no new one

void wf_singles_filter(const WfContacts* contacts, double* v) {
    const WfContact* all = contacts->all;
    WF_FOR_TOUCHED(contacts, k, i) {
        int first, end = wf_singles_of(contacts, i, &first), held = 0;
        WfVec u = wf_load(v, i), normals[3];
        for (int c = first; c < end && held < 3; c++) {
            if (all[c].state == WF_CONTACT_STICK) held = 3;
            if (all[c].state != WF_CONTACT_SLIP || held == 3) continue;
            WfVec n = all[c].normal;
            for (int j = 0; j < held; j++) n = wf_sub(n, wf_along(normals[j], n));
            double length = wf_length(n);
            if (length < SAME_NORMAL) continue;  // the same half-space twice
            normals[held++] = wf_mul(1 / length, n);
        }
        for (int j = 0; j < held && held < 3; j++) u = wf_sub(u, wf_along(normals[j], u));
        wf_store(v, i, held < 3 ? u : (WfVec){0, 0, 0});
    }
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

void wf_singles_add_slip(const WfContacts* contacts, const double* u, double* r) {
    WF_FOR_TOUCHED(contacts, k, i) {
        int first, end = wf_singles_of(contacts, i, &first);
        share_pressure(contacts->all, first, end, wf_mul(-1, wf_load(r, i)));
        for (int j = first; j < end; j++) {
            WfContact* c = &contacts->all[j];
            if (c->state != WF_CONTACT_SLIP) continue;
            WfVec w = wf_add(wf_load(u, i), wf_contact_offset(c));
            c->slip = wf_sub(w, wf_along(c->normal, w));
            double length = wf_length(c->slip), normal = wf_dot(c->pressure, c->normal);
            if (length > 0 && normal > 0)
                wf_accumulate(r, i, -c->friction * normal / length, c->slip);
        }
    }
}

// Sweeps see what pushes a vertex by its neighbours, and not what moves all of them at once; were
// such contacts only clipped, the line search would stop all other motion, too.
bool wf_singles_close(const WfContacts* contacts, const double* d, double* u) {
    bool closed = false;
    for (int k = 0; k < contacts->single_count; k++) {
        WfContact* c = &contacts->all[k];
        int i = c->vertices[0];
        WfVec from = wf_load(u, i), to = wf_add(from, wf_load(d, i)), offset = wf_contact_offset(c);
        if (c->state != WF_CONTACT_OPEN || wf_dot(wf_add(to, offset), c->normal) >= 0) continue;
        c->state = WF_CONTACT_SLIP;
        wf_accumulate(u, i, -wf_dot(wf_add(from, offset), c->normal), c->normal);
        closed = true;
    }
    return closed;
}

void wf_singles_stop(const WfContacts* contacts, double* to) {
    for (int k = 0; k < contacts->single_count; k++) {
        const WfContact* c = &contacts->all[k];
        if (c->state != WF_CONTACT_SLIP) continue;
        WfVec offset = wf_contact_offset(c), w = wf_add(wf_load(to, c->vertices[0]), offset);
        w = wf_sub(w, wf_along(c->normal, w));
        if (wf_dot(w, c->slip) <= 0) wf_store(to, c->vertices[0], wf_mul(-1, offset));
    }
}

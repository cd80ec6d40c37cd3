// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Contacts of one vertex. They are hard: u_i never leaves its half-space. At the least of a vertex,
// w = u_i + o with w.n < 0 goes to w = max(0, 1 + mu w.n/|w_t|) w_t.
//
// Balls (contact.h) are hard likewise, and round: whatever places a vertex puts it into the ball
// itself. Only directions of conjugate gradients know the half-space alone, and each vertex that
// settles renews it. (By one half-space for a substep, vertices on leashes that are shorter than
// what they move in it end beside the ball, by as much as they slide along it.)

#ifndef WF_RESPOND_SINGLES_H
#define WF_RESPOND_SINGLES_H

#include "base/vec.h"
#include "contact/contact.h"
#include "respond/touch.h"

// The contacts of vertex i: *first to the return value; *first is negative where there are none.
static inline int wf_singles_of(const WfContacts* contacts, int i, int* first) {
    int k = *first = contacts->first[i];
    if (k < 0) return k;
    while (k < contacts->single_count && contacts->all[k].vertices[0] == i) k++;
    return k;
}

// Every vertex i with contacts of its own, the first of which is k.
#define WF_FOR_TOUCHED(contacts, k, i)                        \
    for (int k = 0, i = 0; k < (contacts)->single_count; k++) \
        if (i = (contacts)->all[k].vertices[0], (contacts)->first[i] == k)

enum { WF_SINGLE_PASSES = 4 };  // over the contacts of a vertex that has several

// The place in a ball that is nearest to u.
static inline WfVec wf_ball_place(const WfContact* c, WfVec u, WfContactState* state) {
    WfVec w = wf_from_centre(c, u);
    double length = wf_length(w);
    *state = length > c->ball ? WF_CONTACT_SLIP : WF_CONTACT_OPEN;
    return length > c->ball ? wf_madd(u, c->ball / length - 1, w) : u;
}

// The admissible place nearest to u in the sense of Coulomb, where H is isotropic; says whether the
// contact sticks, slips or is open there.
static inline WfVec wf_single_place(const WfContact* c, WfVec u, WfContactState* state) {
    if (c->ball > 0) return wf_ball_place(c, u, state);
    WfVec offset = wf_contact_offset(c), w = wf_add(u, offset);
    double normal = wf_dot(w, c->normal);
    if (normal >= 0) {
        *state = WF_CONTACT_OPEN;
        return u;
    }
    WfVec slip = wf_madd(w, -normal, c->normal);
    double length = wf_length(slip), friction = -c->friction * normal;
    *state = length > friction ? WF_CONTACT_SLIP : WF_CONTACT_STICK;
    double part = length > friction ? 1 - friction / length : 0;
    return wf_sub(wf_mul(part, slip), offset);
}

// The same of several contacts of a vertex; each gets its state where they decide.
WfVec wf_singles_place_several(WfContact* all, int first, int end, WfVec u, bool decides);

// The same of all contacts of a vertex, one or several. Sweeps do it for every vertex: inline.
static inline WfVec wf_singles_settle(WfContact* all, int first, int end, WfVec u) {
    if (end - first > 1) return wf_singles_place_several(all, first, end, u, true);
    if (all[first].ball > 0) wf_aim_ball(&all[first], u);
    return wf_single_place(&all[first], u, &all[first].state);
}

// The same place, and the contacts stay as they are.
static inline WfVec wf_singles_place(WfContact* all, int first, int end, WfVec u) {
    WfContactState state;
    if (end - first == 1) return wf_single_place(&all[first], u, &state);
    return wf_singles_place_several(all, first, end, u, false);
}

// What follows goes over contacts in blocks, in parallel where there are jobs and many of them.

// Move displacements out of the half-spaces; and positions, by their way from `from`.
void wf_singles_clip(const WfContacts* contacts, const WeftJobs* jobs, double* u);
void wf_singles_admit(const WfContacts* contacts, const WeftJobs* jobs, const double* from,
                      double* x);
// Friction of what slips at u, as a force: r -= mu |r_n| w_t/|w_t|. Keeps the slip of each.
void wf_singles_add_slip(const WfContacts* contacts, const WeftJobs* jobs, const double* u,
                         double* r);
// Open contacts that u + d would violate: u onto their surface, which adds to what has moved.
// Whether there was one.
bool wf_singles_close(const WfContacts* contacts, const double* d, double* u, double* moved);
// d becomes such that u + d is admissible: clipped, and at rest where slip has turned back since it
// was kept.
void wf_singles_bound(const WfContacts* contacts, const WeftJobs* jobs, const double* u, double* d);

// The directions that contacts hold as they are now: how many vertices have such.
int wf_singles_hold(const WfContacts* contacts, WfHold* holds);
// Take them out.
void wf_holds_filter(const WfHold* holds, int count, const WeftJobs* jobs, double* v);

#endif

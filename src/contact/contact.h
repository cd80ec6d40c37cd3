// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What detection hands to a method: pairs that are near, or will be within the substep. For
// positions x' at its end a contact asks for
//
//     s = W (x' - x) - carry + n gap,    n.s >= 0,    W x = sum weights[k] x[vertices[k]]
//
// with a force along n that is zero where n.s > 0, and Coulomb's friction against the rest of s.

#ifndef WF_CONTACT_CONTACT_H
#define WF_CONTACT_CONTACT_H

#include "base/vec.h"
#include "weft/weft.h"

typedef enum WfContactState { WF_CONTACT_OPEN, WF_CONTACT_SLIP, WF_CONTACT_STICK } WfContactState;

typedef struct WfContact {
    int count;  // vertices of cloth: 1 a vertex on a body; 2, 3 an edge or a triangle on an
                // edge or a corner of a body; 4 cloth on cloth
    int vertices[4];
    double weights[4];  // 1 of a vertex on a body
    WfVec normal;
    double gap;   // m, along the normal at the start of the substep, less the thickness
    WfVec carry;  // m, how far the body moves there during the substep
    double friction;
    int by;        // 1 + the body that it is with; 0: cloth
    bool soft;     // gives way: its force stays below some times the weight of its vertices
    bool of_skin;  // with no body: a leash or a backstop
    // Of a vertex that stays in a ball: its radius, m, and its centre at the start of the substep,
    // seen from the vertex. The half-space then is that which touches the ball where the vertex was
    // last held; without friction. 0: no ball.
    double ball;
    WfVec middle;

    // of the solve
    WfContactState state;    // of others than those of one vertex: open, or not
    double stiffness, grip;  // of the others: along the normal, and across it
    WfVec force;             // N, as found
    // of those of one vertex, inside of the solve
    WfVec push;      // m, how far it moved its vertex beside the others there
    WfVec pressure;  // along the normal: its part of what slipping contacts there hold
    WfVec slip;      // m, across the normal, when its friction was last found
} WfContact;

// Of a vertex: a contact of several vertices, counted from the first of them, and its weight there.
typedef struct WfSlot {
    int layer;
    double weight;
} WfSlot;

typedef struct WfContacts {
    WfContact* all;  // those of one vertex first, by vertex; then the others
    int count, capacity;
    int single_count;  // contacts of one vertex
    int* first;        // per vertex: its first contact of one vertex, or -1; the others follow
    // vertices that have contacts of several vertices; the slots of each, and the end
    int *layered, *slot_start, layered_count;
    WfSlot* slots;
    WfVec* pulls;  // per contact of several vertices: what it pulls at, the last time it was asked
    int slot_capacity, pull_capacity;
    WfContact* found;  // scratch: in the order of detection
    int found_capacity;
    bool failed;  // lack of memory
    WeftAllocator allocator;
} WfContacts;

// What u + offset has along the normal is how far apart the contact is at the end, less thickness.
static inline WfVec wf_contact_offset(const WfContact* c) {
    return wf_sub(wf_mul(c->gap, c->normal), c->carry);
}

// How far a displacement is from the centre of the ball, at the end of the substep.
static inline WfVec wf_from_centre(const WfContact* c, WfVec u) {
    return wf_sub(u, wf_add(c->middle, c->carry));
}

// The half-space of a ball: that which touches it where u would leave it. With w from the centre to
// u it asks for n.w + ball >= 0, n = -w/|w|.
static inline void wf_aim_ball(WfContact* c, WfVec u) {
    WfVec w = wf_from_centre(c, u);
    double length = wf_length(w);
    if (length > 0) c->normal = wf_mul(-1 / length, w);
    c->gap = c->ball - wf_dot(c->normal, c->middle);
}

void wf_contacts_destroy(WfContacts* contacts);
// Room for so many, for those who know that there may be; false for lack of memory.
bool wf_reserve_contacts(WfContacts* contacts, int count);
// One more, empty; NULL for lack of memory.
WfContact* wf_add_contact(WfContacts* contacts);

#endif

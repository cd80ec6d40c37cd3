// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Contacts of one vertex. They are hard: u_i never leaves its half-space. At the least of a vertex,
// w = u_i + o with w.n < 0 goes to w = max(0, 1 + mu w.n/|w_t|) w_t.

#ifndef WF_RESPOND_SINGLES_H
#define WF_RESPOND_SINGLES_H

#include "contact/contact.h"

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

// The admissible place nearest to u in the sense of Coulomb, where H is isotropic; says which of
// the contacts stick, slip and are open.
WfVec wf_singles_settle(WfContact* all, int first, int end, WfVec u);
// The same place, and they stay as they are.
WfVec wf_singles_place(WfContact* all, int first, int end, WfVec u);
// Move displacements out of the half-spaces; and positions, by their way from `from`.
void wf_singles_clip(const WfContacts* contacts, double* u);
void wf_singles_admit(const WfContacts* contacts, const double* from, double* x);
// Take out the directions that contacts hold.
void wf_singles_filter(const WfContacts* contacts, double* v);
// Friction of what slips at u, as a force: r -= mu |r_n| w_t/|w_t|. Keeps the slip of each.
void wf_singles_add_slip(const WfContacts* contacts, const double* u, double* r);
// Open contacts that u + d would violate: u onto their surface. Whether there was one.
bool wf_singles_close(const WfContacts* contacts, const double* d, double* u);
// `to` is at rest where its slip has turned back since it was kept.
void wf_singles_stop(const WfContacts* contacts, double* to);

#endif

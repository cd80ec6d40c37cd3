// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What must hold wherever the stages of contact hand something on, as asserts; nothing where these
// are off.

#ifndef WF_CONTACT_CHECK_H
#define WF_CONTACT_CHECK_H

#include "contact/world.h"

#ifdef NDEBUG

static inline void wf_check_spans(const WfWorld* world) { (void)world; }
static inline void wf_check_pairs(const WfWorld* world) { (void)world; }
static inline void wf_check_contacts(const WfWorld* world) { (void)world; }
static inline void wf_check_places(const WfWorld* world, const double* x) { (void)world, (void)x; }

#else

// Boxes of vertices are made of numbers. They may be infinite.
void wf_check_spans(const WfWorld* world);
// All pairs are of features that there are, of no vertex with itself.
void wf_check_pairs(const WfWorld* world);
// Contacts have unit normals, finite numbers, vertices that there are, each once, one of them free;
// they are sorted.
void wf_check_contacts(const WfWorld* world);
// Vertices are at places, 3 finite numbers each.
void wf_check_places(const WfWorld* world, const double* x);

#endif

#endif

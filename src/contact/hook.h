// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Contacts at sharp edges and corners of bodies that stretched cloth would hook at.

#ifndef WF_CONTACT_HOOK_H
#define WF_CONTACT_HOOK_H

#include "contact/world.h"

// A contact of a pair of the cloth and a body that has sharp edges, as it was found: turned, and
// with less friction, where it is at such an edge or corner and its cloth is stretched.
void wf_unhook(const WfWorld* world, const WfMover* mover, WfPairKind kind, WfPair pair,
               WfContact* contact);

#endif

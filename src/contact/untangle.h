// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Recovery: cloth that begins crossed, or inside a body, is brought apart over some steps.

#ifndef WF_CONTACT_UNTANGLE_H
#define WF_CONTACT_UNTANGLE_H

#include "contact/tangle.h"

typedef struct WfTangleCount {
    int crossings;  // edges that pierce a triangle, and vertices inside boxes and meshes
    int inside;     // vertices inside planes, spheres and capsules, and triangles that cut these
} WfTangleCount;

// Look for what is crossed or inside at the start of the substep; mark its vertices in
// world->tangled, and add contacts that bring it apart. Comes after wf_world_begin, before contacts
// are found. crossings: look for these; else there are none, and only exact bodies are looked at.
WfTangleCount wf_untangle(WfWorld* world, bool crossings);

#endif

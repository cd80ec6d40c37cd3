// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Recovery: cloth that begins crossed, or inside a body, is brought apart over some steps.

#ifndef WF_CONTACT_UNTANGLE_H
#define WF_CONTACT_UNTANGLE_H

#include "contact/contact.h"
#include "contact/tangle.h"

typedef struct WfTangleCount {
    int crossings;  // edges that pierce a triangle, and vertices inside boxes and meshes
    int inside;     // vertices inside exact bodies, and triangles that cut these
} WfTangleCount;

// Look for what is crossed or inside at the start of the substep; mark its vertices in
// world->tangled, and add contacts that bring it apart. Comes after wf_world_begin, before contacts
// are found. crossings: look for these; else there are none, and only exact bodies are looked at.
WfTangleCount wf_untangle(WfWorld* world, bool crossings);

// A soft contact: the weighted vertices move by `reach` m along `way`, or as far as is safe in a
// substep, against what carries them. NULL where all are pinned, or `way` is zero.
WfContact* wf_pull(WfWorld* world, const int* vertices, const double* weights, int count, WfVec way,
                   double reach);
// How far the vertices of an edge of the cloth may be moved in a substep.
double wf_pull_reach(const WfWorld* world, int edge);
// Find cloth that is wholly inside of a mesh, after crossings are found: it has none.
void wf_find_enclosed(WfWorld* world);
// Bring out what is inside of one body, after crossings have their ways. Returns how many vertices,
// and triangles of a round body that have none, are inside.
int wf_pull_inside(WfWorld* world, int mover);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Starts that have no sides: pairs that touch exactly, as sheets that lie in one plane, vertices on
// edges, cloth in the plane of a body's face. They get a normal by a rule, and are moved apart by a
// thousandth of the thickness; from there on they are like all others.

#ifndef WF_CONTACT_APART_H
#define WF_CONTACT_APART_H

#include "contact/world.h"

// Look at the start of the substep, world->x, which is `x`; move what touches. Comes after
// wf_world_begin, before contacts are found. `new`: the cloth was put there, and pairs of cloth
// that all but touch have no sides yet. Else they have one each, and stay there. Returns how many
// pairs still touch; -1 for lack of memory.
int wf_tell_apart(WfWorld* world, double* x, bool new);

#endif

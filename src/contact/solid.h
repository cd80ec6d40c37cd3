// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A mesh as a solid: whether it has an inside, whether points are in there, and how far from its
// surface.

#ifndef WF_CONTACT_SOLID_H
#define WF_CONTACT_SOLID_H

#include "base/vec.h"
#include "contact/tree.h"

// Whether a surface has an inside: it is closed, but for small holes, where vertices at one place
// count as one. Fails for lack of memory only.
WeftResult wf_find_solid(const WeftAllocator* allocator, const WfSurface* surface,
                         const double* positions, bool* solid);

// How many times the surface surrounds p, rounded: 1 inside, 0 outside, -1 inside of one that is
// inside out.
int wf_winding(const WfSurface* surface, const double* x, WfVec p);

// The distance from p to the surface, and the direction to its nearest place. The tree is fitted to
// x.
double wf_solid_depth(const WfTree* tree, const double* x, WfVec p, WfVec* direction);
// How far p goes along the unit vector d until it leaves through the back of a triangle; HUGE_VAL
// where it never does.
double wf_solid_exit(const WfTree* tree, const double* x, WfVec p, WfVec d);

#endif

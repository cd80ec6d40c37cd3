// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Halves of a cloth that lie over each other at the plane of their mirror (WEFT_CLOSURE_BUTTON).
//
// What is free of the fold goes on to the other side, and so does its image: both are at the same
// place, seen from the front. So the image is shown in front of this half, by what it takes:
//
//      front          images are moved along the front by lift(u, v), a function of where they are
//        |  ___       seen and of nothing else: what did not cross itself, does not. It falls off
//     ___|_/___\__    by a constant slope beside what has to be moved, so that nothing is torn; and
//        |     /      it begins before the halves meet, so that nothing jumps.
//        | \__/__     This half, which lies on the body, stays where it is.
//
// After Jang 2019, whose overlap moves single vertices of the image behind the triangle whose box
// they are in: that leaves triangles that reach through, and is inside of the body.

#ifndef WF_SIM_OVERLAP_H
#define WF_SIM_OVERLAP_H

#include "sim/state.h"

// How far along the cloth a row must be from the fold, the rows in the plane, to go to the other
// side: 1 or more. Of a half whose closure is a button; NULL else.
WeftResult wf_measure_folds(const WeftAllocator* allocator, const WeftModel* model, double** folds);

void wf_overlap_layout(WfArena* arena, WeftState* state);
void wf_show_overlap(WeftState* state);

#endif

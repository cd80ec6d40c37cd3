// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Pieces of cloth that touch each other, as one group. What is in different groups shares neither
// an edge nor a layer: these are different systems of equations, each with scalars of its own in
// conjugate gradients and in the line search. (With common ones, a sheet that was hit spoilt the
// fall of another one far away.)
//
// Loops over all vertices go by sections: vertices that follow each other in one group and in one
// block of vertices. Blocks run in parallel and a sum is taken section by section, so that its bits
// do not depend on the number of threads.

#ifndef WF_RESPOND_GROUPS_H
#define WF_RESPOND_GROUPS_H

#include "respond/touch.h"

enum { WF_SECTION_BLOCK = WF_VECTOR_BLOCK / 3 };  // vertices

// Groups, which of them touch something, their sections and work->links.
void wf_groups_find(const WfTouch* touch);

static inline WfGroup* wf_group_of(const WfTouch* touch, int i) {
    return &touch->work->groups[touch->work->group[i]];
}

// What is done with a section; `partial` is for sums, WF_SECTION_SUMS of them.
typedef void WfSectionLoop(const WfTouch* touch, void* context, const WfSection* section,
                           double* partial);

// For every section, in parallel.
void wf_for_sections(const WfTouch* touch, WfSectionLoop* loop, void* context);

// group->sums[0] = a.b of each
void wf_groups_dot(const WfTouch* touch, const double* a, const double* b);
// y += group->factor x
void wf_groups_axpy(const WfTouch* touch, const double* x, double* y);

// What `partial` of all sections adds up to, into group->sums; the last one is the largest instead.
void wf_groups_sum(const WfTouch* touch);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The sharp edges of a body: cloth that slides over them may hook at their corners.

#ifndef WF_CONTACT_SHARP_H
#define WF_CONTACT_SHARP_H

#include "contact/body.h"

// Finds those of a box or a mesh, as edges of its surface; none where there are very many. Fails
// for lack of memory.
WeftResult wf_find_sharp_edges(const WeftAllocator* allocator, WfBody* body);
// Whether an edge of a surface with its vertices at x is one.
bool wf_is_sharp_edge(const WfSurface* surface, const double* x, int edge);
// How far a point is from what lies between a and b.
double wf_segment_distance(WfVec p, WfVec a, WfVec b);
// Whether one of them, with the body's vertices at x, comes within `reach` m of a point in its
// frame.
bool wf_is_near_sharp_edge(const WfBody* body, const double* x, WfVec p, double reach);

#endif

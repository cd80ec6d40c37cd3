// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The convex hull of points, as triangles.

#ifndef WF_CONTACT_HULL_H
#define WF_CONTACT_HULL_H

#include "contact/shape.h"

enum { WF_MOST_HULL_POINTS = 10000 };

// Refuses what has no hull with an inside: too few points, or points in a plane.
WeftResult wf_hull_check(const double* points, int count, WeftError* error);
// Counter-clockwise from outside; only points that are corners stay, in their order. Of points that
// were checked; fails for lack of memory.
WeftResult wf_hull_shape(const WeftAllocator* allocator, const double* points, int count,
                         WfShape* shape);

#endif

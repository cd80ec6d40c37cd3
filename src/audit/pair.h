// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Two triangles: do they meet? Exact.

#ifndef WF_AUDIT_PAIR_H
#define WF_AUDIT_PAIR_H

#include <stdbool.h>

// Whether two triangles, with their edges and corners, have a point in common that is not part of
// what they share. The first `shared` corners (0 to 3) of both are the same: a corner, an edge, or
// all. Triangles without area count as the lines or points they are; where one has its shared
// corner on its opposite edge, it meets the other there.
bool wf_triangles_cross(const double* const a[3], const double* const b[3], int shared);

// Of two that meet: whether all of one is on one side of the other's plane, or in it. Neither then
// goes through the other.
bool wf_triangles_touch(const double* const a[3], const double* const b[3]);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// On which side: exact answers about points with double coordinates. Exact for coordinates that are
// zero or of size 1e-60 to 1e60, whatever their differences are: nothing then over- or underflows.

#ifndef WF_AUDIT_SIDE_H
#define WF_AUDIT_SIDE_H

// The sign of (a - d) . ((b - d) x (c - d)): 1 where d is below the plane of a, b and c, which are
// counter-clockwise from above; -1 above it; 0 in it, and everywhere where a, b, c lie on a line.
int wf_plane_side(const double* a, const double* b, const double* c, const double* d);

// The same of three points in a plane, seen along axis `drop` (0 is x): 1 where c is to the left of
// the way from a to b, -1 to the right, 0 on the line.
int wf_line_side(const double* a, const double* b, const double* c, int drop);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Closest points of a point and a triangle, and of two edges.

#ifndef WF_CONTACT_NEAR_H
#define WF_CONTACT_NEAR_H

#include "base/vec.h"

// The point w[0] a + w[1] b + w[2] c of the triangle that is nearest to p; weights are not negative
// and add up to 1, also where the triangle has no area. Returns the square of the distance.
double wf_near_point_triangle(WfVec p, WfVec a, WfVec b, WfVec c, double w[3]);

// The nearest points (1 - w[0]) a + w[0] b and (1 - w[1]) c + w[1] d. Any edge may have no length,
// and edges may be parallel. Returns the square of the distance.
double wf_near_edge_edge(WfVec a, WfVec b, WfVec c, WfVec d, double w[2]);

// Of balls along the axis from a to b, whose radius grows by `taper` on the way: which one is
// nearest to p, from 0 at a to 1 at b. That is the least of |p - c(t)| - taper t.
double wf_near_point_tapered(WfVec p, WfVec a, WfVec b, double taper);
// The same for the edge from c to d: the least of |e(w[1]) - c(w[0])| - taper w[0]. Returns |e - c|
// there, squared.
double wf_near_edge_tapered(WfVec a, WfVec b, double taper, WfVec c, WfVec d, double w[2]);

#endif

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

#endif

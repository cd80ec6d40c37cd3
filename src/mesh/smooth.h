// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Better triangles by moving the vertices inside.

#ifndef WF_MESH_SMOOTH_H
#define WF_MESH_SMOOTH_H

#include "mesh/delaunay.h"

// Move free vertices towards even triangles, flipping edges as they go; `spacing` is the wanted
// edge length in steps of the grid. Every triangle stays counter-clockwise.
void wf_smooth(WfDelaunay* delaunay, double spacing);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Polygons cut into triangles.

#ifndef WF_IO_POLYGON_H
#define WF_IO_POLYGON_H

enum { WF_POLYGON_CORNERS = 1024 };  // at most: the work grows with the square and more

// Cut the polygon of `count` points (3 to WF_POLYGON_CORNERS; 3 doubles each, about in one plane)
// into count - 2 triangles of its corners, 3 numbers each, turning the way the polygon turns.
// Always gives triangles; sensible ones where the polygon does not cross itself.
void wf_cut_polygon(const double* points, int count, int* triangles);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Which fabric is where in a cloth of several.

#ifndef WF_MESH_FABRICS_H
#define WF_MESH_FABRICS_H

#include "mesh/topology.h"

static inline const WeftFabric* wf_fabric_of_triangle(const WeftClothDef* cloth, int triangle) {
    int f = cloth->triangle_fabric ? cloth->triangle_fabric[triangle] : -1;
    return f < 0 ? &cloth->fabric : &cloth->fabrics[f];
}

static inline double wf_number_of_fabric(const WeftFabric* fabric, size_t offset) {
    return *(const double*)((const char*)fabric + offset);
}

// A number of the fabric, by its offset in WeftFabric, at a vertex: the mean of its triangles,
// exactly what they have where they are equal.
static inline double wf_fabric_at_vertex(const WeftClothDef* cloth, const WfTopology* topology,
                                         int vertex, size_t offset) {
    int first = topology->star_start[vertex], end = topology->star_start[vertex + 1];
    if (!cloth->triangle_fabric || first == end) return wf_number_of_fabric(&cloth->fabric, offset);
    const int* star = topology->star;
    double own = wf_number_of_fabric(wf_fabric_of_triangle(cloth, star[first]), offset), more = 0;
    for (int k = first + 1; k < end; k++)
        more += wf_number_of_fabric(wf_fabric_of_triangle(cloth, star[k]), offset) - own;
    return own + more / (end - first);
}

#endif

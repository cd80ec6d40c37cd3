// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The flat shape of a cloth: what its triangles, springs, hinges and threads are when nothing
// pulls.

#ifndef WF_MESH_REST_H
#define WF_MESH_REST_H

#include "base/vec.h"
#include "mesh/topology.h"

// A corner at rest: in the flat shape, or in space where there is none.
static inline WfVec wf_rest_corner(const WeftClothDef* cloth, int t, int k) {
    long c = 3 * (long)t + k;
    if (!cloth->material) return wf_load(cloth->positions, cloth->triangles[c]);
    long p = cloth->triangle_material ? cloth->triangle_material[c] : cloth->triangles[c];
    return (WfVec){cloth->material[2 * p], cloth->material[2 * p + 1], 0};
}

typedef struct WfRestSpring {
    int a, b;
    WeftSpringKind kind;
    double length;
    double warp;  // how much of it runs along the warp: cos^2 of its angle to u
} WfRestSpring;

// The two triangles of a hinge laid flat: the edge along the first axis from (0, 0) to (length, 0),
// opposite[0] above it, opposite[1] below.
typedef struct WfRestHinge {
    double length;
    double opposite[2][2];
    double along[2][2];  // the edge's direction in u and v, of either triangle: a seam has two
    double bend;         // factor of its stiffness: 0 along a fold, else 1
} WfRestHinge;

typedef struct WfRest {
    double* corners;  // 6 per triangle: u v of its three corners
    double* areas;    // per triangle
    int spring_count;
    WfRestSpring* springs;
    WfRestHinge* hinges;  // as in the topology
    int* segment_start;   // per thread, and one more: where its segments begin in
    double* segments;     // their lengths, thread after thread
    double size[2];       // extent of the flat shape along u and v; of ropes, their extent in space
} WfRest;

// `cloth` has passed wf_check_cloth.
WeftResult wf_rest_create(const WeftAllocator* allocator, const WeftClothDef* cloth,
                          const WfTopology* topology, WfRest* rest);
void wf_rest_destroy(const WeftAllocator* allocator, WfRest* rest);
// Mass of each vertex: a third of its triangles' mass, and half of its segments of rope. With
// `uniform_mass`, the mean for all.
void wf_rest_masses(const WfRest* rest, const WeftClothDef* cloth, double* masses);
// How far each vertex is from the rest of the cloth: from the sides opposite to it in its
// triangles, and from the next vertices of its ropes.
void wf_rest_room(const WfRest* rest, const WeftClothDef* cloth, double* room);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A tree of boxes over triangles that may move: for what is near to a piece of cloth. Made once,
// fitted to where vertices are without taking memory. Four boxes, and four triangles, are looked at
// at once, as floats: what is found may be a little too far away.

#ifndef WF_DETAIL_BOXES_H
#define WF_DETAIL_BOXES_H

#include "base/vec.h"
#include "weft/weft.h"

enum { WF_BOX_LANES = 4 };

// Boxes side by side. Lanes that hold none have one that nothing reaches.
typedef struct WfBoxNode {
    float low[3][WF_BOX_LANES], high[3][WF_BOX_LANES];
    int child[WF_BOX_LANES];  // a node, which comes after this one; of a leaf -1 - its number
} WfBoxNode;

// Corners of triangles side by side: of each corner x, y and z. Lanes that hold none are -1.
typedef struct WfBoxLeaf {
    float corners[3][3][WF_BOX_LANES];
    int triangles[WF_BOX_LANES];
} WfBoxLeaf;

typedef struct WfBoxes {
    int triangle_count;
    const int* triangles;  // borrowed, 3 per triangle
    int node_count, leaf_count;
    WfBoxNode* nodes;  // the root first
    WfBoxLeaf* leaves;
    double size;  // m: no number is larger
} WfBoxes;

// A part of a ball between two planes: of points c + r with |r| <= radius and low <= n.r <= high.
typedef struct WfRegion {
    WfVec centre, normal;  // a normal of 0 is no plane at all
    double radius, low, high;
} WfRegion;

// Not fitted as yet; x: 3 numbers per vertex, by which triangles are put together. False for lack
// of memory; then there is nothing to destroy.
bool wf_boxes_create(const WeftAllocator* allocator, int triangle_count, const int* triangles,
                     const double* x, WfBoxes* boxes);
void wf_boxes_destroy(const WeftAllocator* allocator, WfBoxes* boxes);
void wf_boxes_fit(WfBoxes* boxes, const WeftJobs* jobs, const double* x);

// The leaves that may reach into a region, four to a node: to look at parts of it.
enum { WF_NEAR_NODES = 16 };
typedef struct WfNearLeaves {
    int count;
    bool all;  // there are more: take the whole tree
    WfBoxNode nodes[WF_NEAR_NODES];
} WfNearLeaves;
void wf_boxes_near(const WfBoxes* boxes, const WfRegion* region, WfNearLeaves* near);

// visit(context, t) for every triangle that may reach into the region, once, until it says false.
// near: of a region around it, or NULL.
typedef bool WfVisit(void* context, int triangle);
void wf_boxes_visit(const WfBoxes* boxes, const WfNearLeaves* near, const WfRegion* region,
                    WfVisit* visit, void* context);

// A line from a point, as far as `reach` times its direction.
typedef struct WfRay {
    WfVec from, along;
    double reach;
} WfRay;
// The same for triangles that a ray may meet.
void wf_boxes_visit_ray(const WfBoxes* boxes, const WfRay* ray, WfVisit* visit, void* context);

#endif

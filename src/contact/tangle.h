// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Where cloth crosses itself, other cloth or a body: edges that pierce triangles, and the contours
// that they lie on.

#ifndef WF_CONTACT_TANGLE_H
#define WF_CONTACT_TANGLE_H

#include "base/vec.h"
#include "contact/body.h"
#include "mesh/hilbert.h"

typedef struct WfWorld WfWorld;

// What WfWorld.tangled says of a vertex. Pairs there are neither contacts nor impacts: they would
// keep what is crossed crossed. Of two pieces of cloth, those that are crossed with each other: a
// rope through a sheet does not let the sheet through itself.
enum {
    WF_TANGLED_CLOTH = 1,  // it is a corner of what cloth crosses (WfWorld.crossed_with)
    WF_TANGLED_BODY = 2,   // of what a mesh crosses; or inside a body, on its way out
};

typedef struct WfCrossing {
    int mover;       // the body that it is with, or -1: of cloth with cloth
    bool body_edge;  // the edge is the body's, and the triangle the cloth's
    int edge, triangle;
    double along;       // on the edge, 0 to 1
    double weights[3];  // in the triangle
    int contour;        // another one of its contour; of the last, itself
    bool turned;        // the edges of the two are on different sides of the contour
    WfVec way;          // in which direction its edge shall move past its triangle
} WfCrossing;

// A patch of cloth inside a body.
typedef struct WfPatch {
    WfVec normal, outward, way;  // sums: over triangles, vertices, crossings
    WfVec exit;                  // the direction in which it is out soonest; zero: not looked for
    double depth;                // m, of its deepest vertex
    int vertex_count, cell_count, way_count;
    int edge_count, torn_count;  // edges; those whose ends go out in opposite directions
    int blocked_count;           // vertices whose nearest way out ends in another body
} WfPatch;

// How a piece of cloth lies to a mesh.
typedef enum WfPlaced { WF_PLACED_APART, WF_PLACED_CROSSED, WF_PLACED_INSIDE } WfPlaced;

typedef struct WfTangles {
    WfCrossing* all;  // those of cloth with cloth first, then body by body
    WfKey *keys, *scratch;
    int* order;  // contour after contour
    int count, capacity;
    WfPairs pairs;
    bool failed;  // lack of memory
    WeftAllocator allocator;

    // Sheets: the cloth, then all meshes. Per vertex
    double* areas;         // m^2
    int *start, *beside;   // those that uncrossed edges join it to: beside[start[i]] and on
    unsigned char* label;  // on which side of a contour, while that is looked at
    int* queue;

    // per vertex of cloth
    int* in_mesh;           // 0, or 1 + the mesh in which it is
    unsigned char* inside;  // of the body that is looked at
    WfVec* outward;         // where that is nearest: the direction to its surface
    int* patch_of;          // another vertex of its patch; of the last, itself
    WfPatch* patches;
    int* piece_of;                // another vertex of what is joined; of the last, itself
    unsigned char* piece_placed;  // of the last: WfPlaced, against the mesh that is looked at
} WfTangles;

void wf_tangles_layout(const WfSurface* cloth, const WfBody* bodies, int body_count, WfArena* arena,
                       WfTangles* tangles);
void wf_tangles_destroy(WfTangles* tangles);

// One of the surfaces: the cloth (mover -1) or a mesh, where it is at the start of the substep.
typedef struct WfSheet {
    const WfSurface* surface;
    const double* x;
    double* areas;
    int *start, *beside;
    unsigned char* label;
} WfSheet;

WfSheet wf_sheet(const WfWorld* world, int mover);
// Those of a crossing: of its edge, and of its triangle.
WfSheet wf_edge_sheet(const WfWorld* world, const WfCrossing* crossing);
WfSheet wf_triangle_sheet(const WfWorld* world, const WfCrossing* crossing);

// Find all crossings and contours at the start of the substep, and what the former leave joined.
void wf_find_tangles(WfWorld* world);
// The last crossing of the contour of crossing i, and whether i is turned against it.
int wf_contour_of(WfTangles* tangles, int i, bool* turned);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft, detail: a coarse simulation that is shown as a dense mesh.

#ifndef WEFT_WEFT_DETAIL_H
#define WEFT_WEFT_DETAIL_H

#include "weft/weft.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WEFT_MAX_PARTS = 64 };

// Where the vertices and triangles of a dense mesh lie in a coarse one.
typedef struct WeftRefinement {
    int vertex_count;
    int* corners;     // 3 per vertex: of the coarse triangle that it lies in,
    double* weights;  // 3 per vertex: and how much it has of each; they sum to 1
    int triangle_count;
    int* triangles;  // per triangle: the coarse one that it is a part of
    WeftAllocator allocator;
} WeftRefinement;

// The same surface with every edge in `parts` (1 to WEFT_MAX_PARTS) and every triangle in parts^2
// that are like it, in space and in the flat shape. The vertices of the coarse mesh come first and
// keep their numbers, and so do ropes, which stay as they are. Springs, woven threads and images
// are not taken over: edges are springs, and images can be found (weft_find_images).
//
// Destroy the mesh with weft_destroy_mesh, the map with weft_destroy_refinement. map may be NULL.
WEFT_API WeftResult weft_refine_mesh(const WeftMesh* coarse, int parts,
                                     const WeftAllocator* allocator, WeftMesh* fine,
                                     WeftRefinement* map, WeftError* error);
WEFT_API void weft_destroy_refinement(WeftRefinement* map);

// Keeps a dense simulation where a coarse one is, as far as the coarse mesh can say where that is:
// what is finer is left to the dense one. For pairs of both to learn from, and for coarse motions
// that are given, as those of an animator.
//
//     weft_step(coarse_model, coarse, &step);
//     step.accelerations = weft_track(tracker, dense, weft_positions(coarse), step.dt);
//     weft_step(dense_model, dense, &step);
typedef struct WeftTracker WeftTracker;

// The model must outlive it; the map is of its vertices, and copied.
WEFT_API WeftResult weft_create_tracker(const WeftModel* dense, int coarse_count,
                                        const WeftRefinement* map, const WeftAllocator* allocator,
                                        WeftTracker** tracker, WeftError* error);
WEFT_API void weft_destroy_tracker(WeftTracker* tracker);
// Accelerations, 3 per dense vertex, for a step of length dt (s) that shall end where the coarse
// vertices are at `goals`. They are the tracker's, until the next call.
WEFT_API const double* weft_track(WeftTracker* tracker, const WeftState* dense, const double* goals,
                                  double dt);

#ifdef __cplusplus
}
#endif

#endif

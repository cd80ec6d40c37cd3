// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft, detail: a coarse simulation that is shown as a dense mesh.

#ifndef WEFT_WEFT_DETAIL_H
#define WEFT_WEFT_DETAIL_H

#include "weft/weft_mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WEFT_MAX_PARTS = 64, WEFT_MAX_MODES = 16 };

// Where the vertices and triangles of a dense mesh lie in a coarse one.
typedef struct WeftRefinement {
    int vertex_count;
    int* corners;     // 3 per vertex: of the coarse triangle that it lies in,
    double* weights;  // 3 per vertex: and how much it has of each; they sum to 1
    int triangle_count;
    int* triangles;   // per triangle: the coarse one that it is a part of
    double* heights;  // per vertex, m, along the normals of its corners, mixed; NULL: all 0
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
// Where the vertices of any other mesh lie in the coarse one, both as they stand in space: render
// meshes with a thickness, with trims beyond the hem, with other or more triangles. Each is bound
// to the triangle nearest to it; beyond a border, its weights go on in the plane of that triangle,
// and some are negative. Weights and heights give back where it is now, to 1e-9 m or so, but where
// the coarse mesh is folded too sharply for that: there it is put to the nearest place and height.
//
// Where layers lie close to each other, as the front and the back of a flat garment, the one that
// faces as the shown mesh does is taken, or all but faces away from it, as most of the mesh says;
// of a closed mesh, which has an outside and a lining, the one that lies behind it. Refuses coarse
// meshes without triangles, and vertices that are not within 1e6 m. Only positions and triangles
// are read.
WEFT_API WeftResult weft_embed_mesh(const WeftMesh* coarse, const WeftMesh* shown,
                                    const WeftAllocator* allocator, WeftRefinement* map,
                                    WeftError* error);
WEFT_API void weft_destroy_refinement(WeftRefinement* map);  // NULL is fine, as with all of these

// Keeps a dense simulation where a coarse one is, as far as the coarse mesh can say where that is:
// what is finer is left to the dense one. For pairs of both to learn from, and for coarse motions
// that are given, as those of an animator.
//
//     weft_step(coarse, &step);
//     step.accelerations = weft_track(tracker, dense, weft_positions(coarse),
//                                     weft_velocities(coarse), step.dt);
//     weft_step(dense, &step);
typedef struct WeftTracker WeftTracker;

// The model must outlive it; the map is of its vertices, and copied.
WEFT_API WeftResult weft_create_tracker(const WeftModel* dense, int coarse_count,
                                        const WeftRefinement* map, const WeftAllocator* allocator,
                                        WeftTracker** tracker, WeftError* error);
WEFT_API void weft_destroy_tracker(WeftTracker* tracker);
// Accelerations, 3 per dense vertex, for a step of length dt (s) that shall end where the coarse
// vertices are at `goals`. With their velocities (or NULL), what is finer comes to rest beside them
// within some steps. They are the tracker's, until the next call.
WEFT_API const double* weft_track(WeftTracker* tracker, const WeftState* dense, const double* goals,
                                  const double* velocities, double dt);

// ---------------------------------------------------------------------------------------------
// What is shown

// A coarse cloth as it is now.
typedef struct WeftDetailFrame {
    const double* positions;   // 3 per coarse vertex
    const double* velocities;  // likewise; NULL: it rests
    double gravity[3];         // where it goes; its size does not matter
    double time;               // s, of modes that oscillate
} WeftDetailFrame;

// How a dense mesh, or any other, is shown by a coarse one. Learned (below): what a dense
// simulation has beside the coarse one, by where that is and how it moves; linear, around every
// coarse triangle in its own frame, so that it does not matter where the cloth is and how it is
// turned. Else: flat in the coarse triangles, or on a smooth surface through their corners.
typedef struct WeftDetail WeftDetail;

typedef enum WeftDetailSurface {
    WEFT_SURFACE_FLAT,    // as flat as the coarse triangles
    WEFT_SURFACE_SMOOTH,  // curved by the normals at their corners (PN triangles)
} WeftDetailSurface;

// Without anything learned. `shown` is the mesh whose vertices the map is of: a refinement of the
// coarse one, or what weft_embed_mesh has been given.
WEFT_API WeftResult weft_create_detail(const WeftMesh* coarse, const WeftMesh* shown,
                                       const WeftRefinement* map, WeftDetailSurface surface,
                                       const WeftAllocator* allocator, WeftDetail** detail,
                                       WeftError* error);
WEFT_API void weft_destroy_detail(WeftDetail* detail);

WEFT_API int weft_detail_vertex_count(const WeftDetail* detail);
WEFT_API int weft_detail_triangle_count(const WeftDetail* detail);
WEFT_API const int* weft_detail_triangles(const WeftDetail* detail);  // 3 per triangle

// positions: 3 per shown vertex. No memory is taken, and jobs (or NULL) change no bit.
WEFT_API void weft_apply_detail(const WeftDetail* detail, const WeftDetailFrame* frame,
                                const WeftJobs* jobs, double* positions);

// Keeps what is shown outside of bodies, as they stand at the end of the last step of a state:
// shown vertices that are inside of one, or too near to it, are moved out, and the others stay as
// they are, bit for bit. Too near is half of the fabric's thickness, or 0.5 mm, and what edges of
// the length of shown ones cut into a cylinder of 25 mm, 2 mm at most: so that bodies do not show
// through between vertices either. Cloth is kept out of bodies by its contacts; what is shown
// follows the coarse cloth, and stays on its side. Meshes that are open have no inside, but two
// sides. A model without contacts has bodies that are not in the way.
typedef struct WeftKeeper WeftKeeper;

// The cloth that is shown is the one whose vertices in the model begin with `first`. Model and
// detail must outlive the keeper, which holds all memory that it ever takes.
WEFT_API WeftResult weft_create_keeper(const WeftModel* model, const WeftDetail* detail, int first,
                                       const WeftAllocator* allocator, WeftKeeper** keeper,
                                       WeftError* error);
WEFT_API void weft_destroy_keeper(WeftKeeper* keeper);
// For any state of its model, one call at a time. Returns how many vertices were moved; jobs (or
// NULL) change no bit. Loose vertices, as those of ropes, are left where they are.
WEFT_API int weft_keep_outside(WeftKeeper* keeper, const WeftState* state, const WeftJobs* jobs,
                               double* positions);

// For renderers: positions as floats, and the normals of vertices; 3 per shown vertex, and either
// may be NULL. No memory is taken.
WEFT_API void weft_copy_detail(const WeftDetail* detail, const double* positions,
                               const WeftJobs* jobs, float* floats, float* normals);

// Learned detail as bytes: written where `size` holds them all; returns how many there are.
// What is shown is remade from the coarse mesh, which must be the one that was learned of.
WEFT_API size_t weft_save_detail(const WeftDetail* detail, void* bytes, size_t size);
WEFT_API WeftResult weft_load_detail(const void* bytes, size_t size, const WeftMesh* coarse,
                                     const WeftAllocator* allocator, WeftDetail** detail,
                                     WeftError* error);
// What such bytes say of themselves; damaged ones are refused.
typedef struct WeftDetailInfo {
    char name[128];  // what it was called when it was learned, as the name of a scene
    int coarse_vertices, coarse_triangles, vertices;
    int parts;  // of every coarse edge
    int modes;
    double ridge, error;  // see WeftLearnReport
    uint64_t mesh;        // a fingerprint of the coarse triangles
    unsigned version[3];  // of the weft that learned it
} WeftDetailInfo;
WEFT_API WeftResult weft_inspect_detail(const void* bytes, size_t size, WeftDetailInfo* info,
                                        WeftError* error);
// The name, and the parts that edges are in; "" and 0 where nothing was learned.
WEFT_API const char* weft_detail_name(const WeftDetail* detail);
WEFT_API int weft_detail_parts(const WeftDetail* detail);

// ---------------------------------------------------------------------------------------------
// Learning

// Learns it from frames of both: a coarse simulation, and a dense one that tracks it.
typedef struct WeftLearner WeftLearner;
enum { WEFT_MAX_RIDGES = 16 };
typedef struct WeftLearnReport {
    int64_t frames, held_out;
    double ridge;     // how much large numbers are held down; of the mean square of what is seen
    double error;     // what is left of held-out offsets: 1, nothing was learned; 0, all; -1: none
                      // were held out
    int ridge_count;  // those that it was chosen from, and what each leaves; 0 where it was set
    double ridges[WEFT_MAX_RIDGES], errors[WEFT_MAX_RIDGES];
} WeftLearnReport;

typedef struct WeftLearnerDef {
    const WeftMesh* coarse;
    int parts;         // of every edge: the dense mesh is weft_refine_mesh(coarse, parts)
    const char* name;  // kept with what is learned: of the scene, say; default ""
    // Modes that oscillate: so many of what the rest has are taken, and swing with the speed of the
    // cloth. They give back texture, not places. Default 0, at most WEFT_MAX_MODES
    int modes;
    WeftAllocator allocator;
} WeftLearnerDef;

WEFT_API WeftLearnerDef weft_default_learner_def(void);
WEFT_API WeftResult weft_create_learner(const WeftLearnerDef* def, WeftLearner** learner,
                                        WeftError* error);
WEFT_API void weft_destroy_learner(WeftLearner* learner);
// dense: 3 per dense vertex. held_out: not to learn from, but to choose the ridge by. Frames with
// what is no number are passed over.
WEFT_API void weft_learn(WeftLearner* learner, const WeftDetailFrame* frame, const double* dense,
                         bool held_out, const WeftJobs* jobs);
// What it has seen so far as bytes, to go on later: written where `size` holds them all; returns
// how many there are. A learner of the same def reads them back.
WEFT_API size_t weft_save_learner(const WeftLearner* learner, void* bytes, size_t size);
WEFT_API WeftResult weft_load_learner(WeftLearner* learner, const void* bytes, size_t size,
                                      WeftError* error);
// ridge: 0, the one that leaves least of the frames that were held out. The learner has learned,
// and is good for nothing but to be destroyed. report may be NULL.
WEFT_API WeftResult weft_finish_learning(WeftLearner* learner, double ridge,
                                         WeftLearnReport* report, WeftDetail** detail,
                                         WeftError* error);

#ifdef __cplusplus
}
#endif

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What is shown of a scene. Cloths follow one another, in vertices, triangles and points of the
// texture. Room for a frame is made with the show.

#ifndef WF_IO_SHOW_H
#define WF_IO_SHOW_H

#include "weft/weft_io.h"

// One cloth, in the show and in the model.
typedef struct WfShownCloth {
    WeftDetail* detail;           // NULL: as it is simulated
    WeftKeeper* keeper;           // of its detail; NULL without a model
    bool embedded;                // by a mesh of its own
    int vertex, triangle, point;  // the first of each, in the show
    int coarse_vertex, coarse_triangle, coarse_point;
} WfShownCloth;

struct WeftShow {
    WeftAllocator allocator;
    const WeftScene* scene;
    const WeftModel* model;
    int cloth_count;
    WfShownCloth* cloths;  // and one more, with the ends of all
    bool plain;            // one of them has no detail
    // of all that is shown
    int *triangles, *parts, *corners;
    double *weights, *positions;
    float* texture;         // 2 per point
    int* triangle_texture;  // 3 per triangle
    // of all that is simulated: room for a frame
    float *floats, *normals;
};

// While a show is made: the mesh that shows a cloth, with its texture as the flat shape, and where
// it lies in the coarse one. No vertices: the coarse one is shown as it is.
typedef struct WfShownMesh {
    WeftMesh mesh;
    WeftRefinement map;
    bool borrowed;  // from the scene, all but `material` where that is another
} WfShownMesh;

// show_material.c
// The texture of the scene as weft_scene_material has it.
typedef struct WfSceneTexture {
    float* points;
    int* corners;
} WfSceneTexture;

// Points of the texture of a mesh; without a flat shape, it has one for all.
int wf_texture_count(const WeftMesh* mesh);
// The mesh of a cloth with its texture as the flat shape: a copy that points into the scene, but
// for its material, which is to be freed. NULL there where memory is lacking, or the cloth has
// none.
WeftMesh wf_textured_mesh(const WeftShow* show, int cloth, const WfSceneTexture* texture);
// A render mesh without a texture takes that of a cloth of one piece. False: memory is lacking.
bool wf_take_texture(const WeftAllocator* allocator, const WeftMesh* textured, WfShownMesh* shown);
void wf_fill_texture(WeftShow* show, int cloth, const WfShownMesh* shown,
                     const WfSceneTexture* texture);

// show_torn.c
// Whether its vertices may be split while the scene runs.
bool wf_show_tears(const WeftShow* show);

// show_world.c
// From the space of the state to the world: what a frame has filled.
void wf_show_in_world(const WeftShow* show, const WeftState* state, float* positions,
                      float* normals);
// The gravity of a scene, in the axes of the space.
void wf_show_gravity(const WeftScene* scene, const WeftState* state, double gravity[3]);

#endif

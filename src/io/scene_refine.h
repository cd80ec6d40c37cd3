// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A scene with one of its cloths refined: what is pinned between pins is pinned, what is held
// between holds is held, and all else is as it was.

#ifndef WF_IO_SCENE_REFINE_H
#define WF_IO_SCENE_REFINE_H

#include "weft/weft_io.h"

enum { WF_REFINED_MAPS = 8 };

typedef struct WfRefinedScene {
    WeftAllocator allocator;
    const WeftScene* scene;
    int cloth;
    int first;           // vertex of the cloth, in both models
    WeftMesh mesh;       // of the refined cloth
    WeftRefinement map;  // all vertices of the refined model, in those of the scene's
    // in place of those of the scene
    WeftClothDef* cloths;
    WeftMesh* meshes;
    int pin_count;
    WeftScenePin* pins;
    WeftSceneWear* wears;
    // of the refined cloth
    double* skin_now;                 // room for a skin,
    int skin_room;                    // so many vertices
    double* scales[WF_REFINED_MAPS];  // stretch, bend, density, then those of animation; or NULL
    WeftFabric* fabrics;
    int* triangle_fabric;
    int* cloth_pins;
    int hold_count;
    int* holds;  // vertices of the model that are held by a body, between others
} WfRefinedScene;

// The scene must outlive it.
WeftResult wf_refine_scene(const WeftScene* scene, int cloth, int parts,
                           const WeftAllocator* allocator, WfRefinedScene* refined,
                           WeftError* error);
// scene_refine_threads.c: bands and folds of the coarse mesh, into the fine one.
WeftResult wf_refine_threads(const WeftMesh* coarse, const WeftRefinement* map, int parts,
                             WeftMesh* fine);
void wf_destroy_refined_scene(WfRefinedScene* refined);
// The scene as it is now, to be directed: borrowed, and without a mirror.
WeftScene wf_whole_view(const WeftScene* scene);
WeftScene wf_refined_view(const WfRefinedScene* refined);
// A number of 3 per vertex of the scene's model, at vertex i of the refined one.
void wf_refined_mix(const WfRefinedScene* refined, const double* coarse, int i, double mixed[3]);

#endif

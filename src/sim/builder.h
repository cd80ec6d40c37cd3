// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How a model is made: model.c in stages, model_cloth.c cloth by cloth, model_contact.c as contact
// sees it, model_half.c what one with a mirror has beside that.

#ifndef WF_SIM_BUILDER_H
#define WF_SIM_BUILDER_H

#include "energy/across.h"
#include "energy/portion.h"
#include "sim/model.h"

// A model in the making.
typedef struct WfBuilder {
    WeftModel* model;
    const WeftAllocator* allocator;
    const WeftModelDef* def;
    const WeftClothDef* cloths;   // as they are simulated
    const WfHalf* halves;         // of a mirror: per cloth; NULL: none
    unsigned without;             // corrections of the half that are left out
    const WfHalf* symmetry;       // of a whole with the flaws of its half: likewise,
    WfPlane plane;                // and the plane
    struct WfClothBuild* meshes;  // per cloth, until its terms are made
    WfTerm** terms;
    int term_count;
    double* masses;
    const WeftModel* root;  // of a torn model: the one that was whole, whose bodies it borrows,
    const int* order;       // its order of elimination; NULL: none
    const unsigned char* let_go;  // and per vertex, whether its skin lets it go; NULL: none
    WeftError* error;
} WfBuilder;

typedef struct WfEdgeList {
    int* ends;
    double* lengths;
    int count;
} WfEdgeList;

// model.c
// A model is made in stages, of which a step bears one at least: all at once, or of a torn cloth
// beside the steps. The builder knows the cloths, and the model has what it takes of the def.
// A stage that fails leaves what wf_drop_build frees.
typedef enum WfBuildStage {
    WF_BUILD_MESHES,  // topology, lengths at rest
    WF_BUILD_CLOTHS,  // geometry, masses
    WF_BUILD_TERMS,
    WF_BUILD_SURFACE,  // as contact sees it, bodies, limits
    WF_BUILD_CHART,    // of it, where cloth is kept from itself
    WF_BUILD_SYSTEM,   // and on: the parts of a system (method/system.h)
    WF_BUILD_STIFFNESS,
    WF_BUILD_DAMPING,
    WF_BUILD_BLOCKS,
    WF_BUILD_PATTERN,
    WF_BUILD_ANALYSIS,
    WF_BUILD_STIFFNESS_BOUND,
    WF_BUILD_DAMPING_BOUND,
    WF_BUILD_STAGES,
} WfBuildStage;
WeftResult wf_build_stage(WfBuilder* b, WfBuildStage stage);
void wf_drop_build(WfBuilder* b);
// A model with what all others take of a def: memory, jobs, a clock. NULL without memory.
WeftModel* wf_empty_model(const WeftModelDef* def, const WeftAllocator* allocator);

// model_cloth.c
WeftResult wf_build_meshes(WfBuilder* b);
WeftResult wf_build_cloths(WfBuilder* b);
WeftResult wf_build_terms(WfBuilder* b);
void wf_drop_meshes(WfBuilder* b);
size_t wf_rope_segment_count(const WeftClothDef* cloth);
// Edges and their lengths at rest, for measuring: the conventional springs of the triangle net, and
// the segments of ropes. first: vertex of the cloth.
void wf_list_edges(const WeftClothDef* cloth, const WfRest* net, int first, WfEdgeList* list);
// The conventional terms of stretch and bending. Those of the system serve where they are
// conventional; a linear stretch gets a conventional twin. across: what wraps the twin, or NULL.
WeftResult wf_add_measured(WfBuilder* b, const WfClothParts* parts, const WfAcross* across,
                           int first_term);

// model_contact.c
WeftResult wf_build_surface(WfBuilder* b);
WeftResult wf_build_chart(WfBuilder* b);

// skinned.c: which rows have a skin, by the maps of the cloths.
WeftResult wf_add_skins(WfBuilder* b);

// model_half.c
// The cloths are these halves.
void wf_start_half(WfBuilder* b, const WfHalves* halves);
WeftResult wf_allocate_whole(WfBuilder* b);
// What the half of cloth c has of the whole: its masses, those in the plane by a half, and its
// size.
WeftResult wf_take_whole(WfBuilder* b, int c, WfRest* rest, double* masses);
// Terms of what reaches across the plane. own_bend_springs: the mesh brings springs for bending.
WeftResult wf_add_across(WfBuilder* b, int c, const WfPortions* of_half, bool own_bend_springs);
// Which rows are in the plane, and which ones differ along its normal.
WeftResult wf_list_plane(WfBuilder* b);
// The plane stands for the other half, where cloth is kept from cloth; as the last of the bodies.
WeftResult wf_add_mirror_plane(WfBuilder* b);
// Of a half, ways to pins are those of the whole, and to images of pins.
WfTetherMesh wf_whole_ways(const WeftModel* m, unsigned char* pinned);
// Users see both halves.
void wf_show_whole(WeftModel* m, const WeftMirror* mirror);

#endif

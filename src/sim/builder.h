// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How a model is made: model.c cloth by cloth, model_half.c what one with a mirror has beside that.

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
    const WeftClothDef* cloths;  // as they are simulated
    const WfHalf* halves;        // of a mirror: per cloth; NULL: none
    unsigned without;            // corrections of the half that are left out
    const WfHalf* symmetry;      // of a whole with the flaws of its half: likewise,
    WfPlane plane;               // and the plane
    WfTerm** terms;
    int term_count;
    double* masses;
    const WeftModel* root;  // of a torn model: the one that was whole, whose bodies it borrows,
    const int* order;       // and its order of elimination; NULL: none
    WeftError* error;
} WfBuilder;

typedef struct WfEdgeList {
    int* ends;
    double* lengths;
    int count;
} WfEdgeList;

// model.c
// A model is made in stages, each of which takes about as long as a step: all at once, or of a torn
// cloth beside the steps. The builder knows the cloths, and the model has what it takes of the def.
// A stage that fails leaves what wf_drop_build frees.
enum { WF_BUILD_STAGES = 6 };
WeftResult wf_build_stage(WfBuilder* b, int stage);
void wf_drop_build(WfBuilder* b);
// A model with what all others take of a def: memory, jobs, a clock. NULL without memory.
WeftModel* wf_empty_model(const WeftModelDef* def, const WeftAllocator* allocator);

size_t wf_rope_segment_count(const WeftClothDef* cloth);
// Edges and their lengths at rest, for measuring: the conventional springs of the triangle net, and
// the segments of ropes. first: vertex of the cloth.
void wf_list_edges(const WeftClothDef* cloth, const WfRest* net, int first, WfEdgeList* list);
// The conventional terms of stretch and bending. Those of the system serve where they are
// conventional; a linear stretch gets a conventional twin. across: what wraps the twin, or NULL.
WeftResult wf_add_measured(WfBuilder* b, const WfClothParts* parts, const WfAcross* across,
                           int first_term);

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

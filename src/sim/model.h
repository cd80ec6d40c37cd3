// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What a model holds. Constant while simulating; states borrow it.

#ifndef WF_SIM_MODEL_H
#define WF_SIM_MODEL_H

#include "contact/body.h"
#include "method/factor.h"
#include "method/limit.h"
#include "method/method.h"
#include "method/quality.h"
#include "sim/mirror.h"
#include "small_steps/small_steps.h"

enum { WF_MAX_FACTORS = 64 };

// The bones of a cloth, and how its vertices, as users have them, go along.
typedef struct WfBones {
    int bone_count, per_vertex, vertex_count;  // bone_count 0: there are none
    double* inverses;   // 12 per bone: from where the skin starts into its frame
    double* positions;  // 3 per vertex: where the skin starts
    int* which;
    double* weights;
} WfBones;

// Rows that have a skin: those of cloths with maps of animation, or with bones.
typedef struct WfSkinned {
    int count, *rows;
    int* of_rows;    // per row: its number among them, or -1
    int* first;      // per cloth, and one more: its first
    double* maps;    // 3 each: max distance, distance and radius of the backstop
    WfBones* bones;  // per cloth
    bool is_driven;  // by a term
    // per row of them: it is of a piece that was cut off from all that is held, and keeps to its
    // skin no longer; NULL: none is
    unsigned char* let_go;
} WfSkinned;

static inline bool wf_is_let_go(const WfSkinned* s, int k) { return s->let_go && s->let_go[k]; }

struct WeftModel {
    WfSystem system;
    int cloth_count;
    int* first_vertex;  // cloth_count + 1

    // portions of cloths, of one fabric each (energy/portion.h)
    int portion_count;
    int* first_portion;   // per cloth, and one more
    int* vertex_portion;  // per vertex: the first that its triangles have
    WfClothSize* sizes;   // per portion
    bool* nets;           // per portion: of springs, which give way
    double* gives;        // per portion: strain by which it gives way when pressed; 0: never
    double* ratings;      // per cloth, Pa: the load that states start with (rating.h)

    WfShown shown;  // the cloth as users see it
    // of a mirror: what `shown` has of its own
    int *whole_first, *whole_triangles, *whole_edges;
    double *whole_lengths, *whole_masses, *whole_layer;
    double* folds;  // per row, of buttons (overlap.h), or NULL
    double share;   // of energies of the whole that are simulated, 1 or 1/2

    double* positions;   // where states start
    double* velocities;  // 3 per cloth: how fast
    unsigned char* pinned;
    int triangle_count;
    int* triangles;
    int edge_count;
    int* edges;
    double* edge_lengths;    // at rest
    int *star_start, *star;  // per vertex: its edges, in their order
    double mean_edge;        // m, of them; 1 where there are none
    double stray;            // m, half of it: no linearisation is good for further
    int* unwelded;           // per cloth: vertices on others that they are not one with
    WfLimit limit;

    WfSkinned skinned;  // count 0: nothing of it is there
    int attachment_count;
    WeftAttachmentDef* attachments;  // that states start with

    // contact
    WeftContact contact;
    int body_count, shown_body_count;  // the last one may stand for a mirror, which nobody sees
    WfBody* bodies;
    bool borrows_bodies;      // those of the model that this one is a torn one of
    struct WfOrigin* origin;  // what it was made from, where it can be torn (origin.h), or NULL
    WfSurface surface;        // of all cloths and ropes
    WfChart chart;            // of it, where it is kept from itself
    double *thickness, *friction;          // per vertex
    double* frictions;                     // of pairs (world.h), or NULL
    uint32_t *cloth_layers, *cloth_masks;  // per cloth, where states start
    double* layer;    // per vertex: the thickness, or what its mesh has room for
    bool is_thinned;  // somewhere that is less
    double* flat;     // 2 per vertex: u v in one of its triangles; of ropes 0
    double* order;    // per vertex: a linear function of its flat coordinates

    // conventional terms at the fabric's real stiffness, for measuring; those that are not also
    // terms of the system are ours to free
    int measured_count, owned_count;
    WfTerm** measured;  // the owned ones first

    // factors for the model's own pins, made by weft_prepare_model
    double dt;  // s, of the step that the model was made with
    int factor_count;
    WfFactor factors[WF_MAX_FACTORS];
    double* scales;                   // scratch for preparing, per portion
    WfSmallForm small;                // for small steps, likewise; without vertices: none
    struct WfScratchPool* scratches;  // of its states' steps (scratch.h)
};

// The cloth along which ways are measured, from rows that are marked.
WfWayMesh wf_way_mesh(const WeftModel* model, const unsigned char* pinned);
// How many numbers of a state move.
size_t wf_moving_count(const WeftModel* model);
// Whether steps look for contact.
bool wf_model_touches(const WeftModel* model);
// How many bodies cloth is kept from.
int wf_touched_bodies(const WeftModel* model);

// The stiffness scale of every portion for a resolved def. ratings: Pa per cloth, that it is for.
void wf_model_scales(const WeftModel* model, const double* ratings, const WeftStepDef* def,
                     double* scales);
// gamma of a resolved def.
double wf_step_gamma(const WeftStepDef* def);

#endif

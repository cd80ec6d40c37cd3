// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Small steps: a step is cut into n substeps, and each of them does little, once:
//
//     x~ = x + h v~, v~ = B (v + h a)   gravity and other forces that last for the step; B: what
//                                       holds a vertex, and air (wf_small_hold)
//     sweep                             every spring, triangle and hinge in its turn (local.h)
//     coarse levels                     carry tension further than to the next vertex (levels.h)
//     contact                           pairs, then planes of bodies
//     the limit                         of single edges, and planes again
//     v = v~ + (x - x~)/h
//
// Where more sweeps are asked for, each has contact behind it.
//
// Positions are floats relative to an origin that goes along with the cloth; outside of a step they
// are doubles. What is found once per step, or a few times in it, is searched for there.

#ifndef WF_SMALL_STEPS_SMALL_STEPS_H
#define WF_SMALL_STEPS_SMALL_STEPS_H

#include "base/memory.h"
#include "small_steps/contact.h"
#include "small_steps/levels.h"
#include "small_steps/local.h"

// What a model is made of, for small steps; constant.
typedef struct WfSmallForm {
    int vertex_count;
    int local_count;
    long begun_count;       // numbers that terms have for a step
    bool follows;           // what pushes or holds it changes in each substep
    bool holds, brakes;     // it has terms that do so (energy/term.h)
    WfLocal* locals;        // stretch first, then bending
    size_t across_points;   // scratch of those across a mirror
    float* inverse_masses;  // 1/kg
    WfLevels levels;

    // of what touches: trees of the cloth and of bodies, and per vertex its cloth and half of its
    // longest edge, m
    bool touches;
    WfLeafTree tree;
    int body_count;
    WfLeafTree* body_trees;
    int* cloth_of;
    float* span;
} WfSmallForm;

// The form of these terms; gives: per portion. WEFT_ERROR_MEMORY without memory.
WeftResult wf_small_form_create(const WeftAllocator* allocator, int vertex_count,
                                const double* masses, int term_count, WfTerm* const* terms,
                                const double* gives, WfSmallForm* form);
// And what contact takes of it. cloth_of: per vertex.
typedef struct WfSmallTouchDef {
    const WfSurface* surface;
    const double* positions;  // 3 per vertex, where it starts
    int cloth_count;
    const int* first_vertex;  // per cloth, and one more
    int edge_count;
    const int* edges;
    const double* edge_lengths;
    int body_count;
    const WfBody* bodies;
} WfSmallTouchDef;
WeftResult wf_small_form_touch(const WeftAllocator* allocator, const WfSmallTouchDef* def,
                               WfSmallForm* form);
void wf_small_form_destroy(const WeftAllocator* allocator, WfSmallForm* form);
size_t wf_small_form_bytes(const WfSmallForm* form);

// What moves in a step. Arrays of points have idle ones behind the vertices.
typedef struct WfSmallCloth {
    const WfSmallForm* form;
    WfArena arena;
    double origin[3];
    WfPoint4* x;       // relative to it; w: inverse mass, 0 where it is pinned
    WfPoint4* before;  // where the substep began
    WfPoint4* v;       // m/s
    WfPoint4* a;       // m/s^2, of forces that last for the step
    float* begun;      // numbers that terms have for the step
    WfPoint4* across;  // scratch
    // Of vertices that are held or braked: the columns of (1 + h D + h^2 K)^-1, by their mass, and
    // K in the first. NULL: none are.
    WfPoint4* response;
    // The same as doubles: what lasts for the step, and all of a substep, N; what holds and brakes;
    // positions and velocities as they are now, where forces follow. NULL: of no use.
    double *forces, *total, *brake, *now;
    WfRestraint* holds;
    WfLevelsWork levels;
    WfSmallContact contact;
} WfSmallCloth;

// point_count: idle ones and those of bodies too.
WeftResult wf_small_cloth_create(const WeftAllocator* allocator, const WfSmallForm* form,
                                 int point_count, WfSmallCloth* cloth);
void wf_small_cloth_destroy(const WeftAllocator* allocator, WfSmallCloth* cloth);
// But for lists, which grow.
size_t wf_small_cloth_bytes(const WfSmallCloth* cloth);
// A step begins: positions and velocities, 3 doubles per vertex, and forces, N, 3 per vertex.
void wf_small_begin(WfSmallCloth* cloth, const double* x, const double* v, const double* forces,
                    const unsigned char* pinned);
// In a step of substeps of h seconds: `holds` and `brake` as they are become part of it, implicit
// in every vertex. As much more inertia as what holds it has a vertex in the sweeps, so that a hold
// is in balance with them, not each of them by itself.
void wf_small_hold(WfSmallCloth* cloth, float h);
// Forces, N, instead of those it began with.
void wf_small_push(WfSmallCloth* cloth, const double* forces);
// Terms begin the step at x; spaces: of all of them.
void wf_small_begin_terms(WfSmallCloth* cloth, const WfTermSpace* spaces, const double* x);
// x~, of a substep of h seconds. Pinned vertices stay; they are put where they go by
// `wf_small_put`.
void wf_small_predict(WfSmallCloth* cloth, float h);
void wf_small_put(WfSmallCloth* cloth, int vertex, const double* x);
// One sweep, of so many in a substep, over all elements.
void wf_small_sweep(WfSmallCloth* cloth, float h, int sweeps);
// Coarse levels and the limit, in front of planes as they are when a round begins; index: of the
// substep in the round, 1 and on.
void wf_small_begin_levels(WfSmallCloth* cloth);
void wf_small_move_levels(WfSmallCloth* cloth, float h, int index);
void wf_small_limit(WfSmallCloth* cloth, float h);
// Velocities; those below `rest` lose `loss` of it, m/s.
void wf_small_update(WfSmallCloth* cloth, float h, float rest, float loss);
// A step ends: positions and velocities.
void wf_small_end(const WfSmallCloth* cloth, double* x, double* v);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Small steps: a step is cut into n substeps, and each of them does little, once:
//
//     x~ = x + h v + h^2 a              gravity, air and other forces that last for the step
//     sweep                             every spring, triangle and hinge in its turn (local.h)
//     contact                           pairs, then planes of bodies
//     sweep again                       contacts spoil what the first sweep settled
//     v = (x - x before)/h
//
// Positions are floats relative to an origin that goes along with the cloth; outside of a step they
// are doubles. What is found once per step, or a few times in it, is searched for there.

#ifndef WF_SMALL_STEPS_SMALL_STEPS_H
#define WF_SMALL_STEPS_SMALL_STEPS_H

#include "base/memory.h"
#include "small_steps/local.h"

// What a model is made of, for small steps; constant.
typedef struct WfSmallForm {
    int vertex_count;
    int local_count;
    WfLocal* locals;        // stretch first, then bending
    float* inverse_masses;  // 1/kg
} WfSmallForm;

// The form of these terms; gives: per portion. WEFT_ERROR_MEMORY without memory.
WeftResult wf_small_form_create(const WeftAllocator* allocator, int vertex_count,
                                const double* masses, int term_count, WfTerm* const* terms,
                                const double* gives, WfSmallForm* form);
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
} WfSmallCloth;

WeftResult wf_small_cloth_create(const WeftAllocator* allocator, const WfSmallForm* form,
                                 WfSmallCloth* cloth);
void wf_small_cloth_destroy(const WeftAllocator* allocator, WfSmallCloth* cloth);
// A step begins: positions and velocities, 3 doubles per vertex, and forces, N, 3 per vertex.
void wf_small_begin(WfSmallCloth* cloth, const double* x, const double* v, const double* forces,
                    const unsigned char* pinned);
// x~, of a substep of h seconds. Pinned vertices stay; they are put where they go by
// `wf_small_put`.
void wf_small_predict(WfSmallCloth* cloth, float h);
void wf_small_put(WfSmallCloth* cloth, int vertex, const double* x);
// One sweep, of so many in a substep, over all elements.
void wf_small_sweep(WfSmallCloth* cloth, float h, int sweeps, bool backwards);
// Velocities.
void wf_small_update(WfSmallCloth* cloth, float h);
// A step ends: positions and velocities.
void wf_small_end(const WfSmallCloth* cloth, double* x, double* v);

#endif

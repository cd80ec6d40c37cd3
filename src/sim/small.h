// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Small steps of a state (small_steps/).

#ifndef WF_SIM_SMALL_H
#define WF_SIM_SMALL_H

#include "sim/state.h"

// The form of a model for small steps, where it has none yet.
WeftResult wf_model_small(const WeftModel* model, WfSmallForm* form);
// Whether they can take such a model; else what they have no form for, by name.
WeftResult wf_check_small(const WeftModel* model, WeftError* error);
// Memory for them; allocates where no step had it before.
WeftResult wf_ready_small(const WeftModel* model, WfScratch* scratch);
void wf_destroy_small(const WeftAllocator* allocator, WfScratch* scratch);
// A step of substeps of h begins: vertices that ties hold for good are pins of it.
void wf_hold_ties(WeftState* state, double h);
// Ends of substep `index` of `count`, behind its prediction; ties, as often as vertices have moved;
// and what they pulled, behind all sweeps and the limit.
void wf_begin_small_ties(WeftState* state, int index, int count, double h);
void wf_pull_ties(WeftState* state, double h);
void wf_end_small_ties(WeftState* state, double h);
// The stretch limit and tethers, behind all that stretches in a substep.
void wf_keep_limit(WeftState* state, const WfStep* step);
// Behind all that moves vertices in a substep but planes of bodies: they are brought within their
// max distances, and out of their backstops. Counts these in the report.
void wf_keep_leashes(WeftState* state, const WfStep* step, int index);
// Behind those planes: what was brought back has no velocity by that.
void wf_settle_leashes(WeftState* state, const WfStep* step, int index);
// Forces of pins and contacts (forces.h), and of ties that are pins of the step. It begins;
void wf_begin_reactions(WeftState* state);
// behind the prediction, with motion `solved` marked in front of it: what acted in it;
void wf_give_outside(WeftState* state, double h);
// an impulse on a vertex;
void wf_give_push(WeftState* state, int vertex, WfVec impulse);
// before and behind what changes the motion of vertices: of positions in a substep, or `solved`, of
// velocities behind it;
void wf_mark_motion(WeftState* state, bool solved);
void wf_give_motion(WeftState* state, double h, bool solved, bool by_contact);
// and it ends, which began with velocities v.
void wf_end_reactions(WeftState* state, const WfStep* step, const double* v);
// Vertices in the plane of a mirror are put back into it. rate: velocity by distance, 1/s.
void wf_settle_small(WeftState* state, double rate);
// All substeps of a step.
WeftResult wf_take_small_steps(WeftState* state, const WfStep* step);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Attachments of a state, and the ties (energy/tie.h) that they are in a step.

#ifndef WF_SIM_ATTACH_H
#define WF_SIM_ATTACH_H

#include "sim/state.h"

// Whether a state of this model can have it.
WeftResult wf_check_attachment(const WeftModel* model, const WeftAttachmentDef* def,
                               WeftError* error);
int wf_count_attachments(const WeftState* state);
// How many a state has room for: none, before it has had any.
int wf_attachment_room(const WeftState* state);
WeftResult wf_own_attachments(WeftState* state);
void wf_clear_attachments(WeftState* state);
// No others than those that the model has.
void wf_reset_attachments(WeftState* state);
// Before the factor is asked for: list the ties of a step of length dt, and where their ends go.
void wf_ready_ties(WeftState* state, double dt);
// Whether an end moves in this step.
bool wf_ends_move(const WeftState* state);
// Where ends get to in substep `index` of `count`;
void wf_place_ends(WeftState* state, int index, int count);
// and targets and stiffnesses for substep `index` of `count`.
void wf_place_ties(WeftState* state, const WfStep* step, int index, int count);
// Behind the solve of a substep: let lines go that push, catch those that are too long. Whether
// there were such, and the substep is to be solved again.
bool wf_turn_lines(WeftState* state, const WfStep* step);
// Behind the last one: what they pull. What pulls too hard breaks.
void wf_read_ties(WeftState* state, const WfStep* step);
// The same of one tie, which pulled with this force for h.
void wf_read_tie(WeftState* state, int t, WfVec force, double h);
// The step was taken: ends have arrived, forces are kept, what broke is broken.
void wf_end_ties(WeftState* state, double dt);
// The same ties for the exchange, of stiffness 1.
int wf_list_exchange_ties(const WeftState* state, WfExchangeTie* ties);

// Into another model (weft_continue_state): those that it takes.
void wf_continue_attachments(WeftState* to, const WeftState* from);
// The same from number `first` on, beside what `to` has, into a model with other vertices: `map`
// puts these into the def, and says whether it can. They keep their numbers where these are free.
typedef bool WfMapAttachment(void* context, WeftAttachmentDef* def);
void wf_copy_attachments(WeftState* to, const WeftState* from, int first, WfMapAttachment* map,
                         void* context);
// Whether a saved one is sound.
bool wf_attachment_is_sound(const WeftState* state, const WfAttachment* attachment);

#endif

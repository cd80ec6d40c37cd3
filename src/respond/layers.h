// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Contacts of several vertices inside a solve (respond.c): stiff springs
//
//     W^T (a n n^T + f (I - n n^T)) W
//
// that push and never pull. a comes from the force that the contact had in the last step, so that
// it gives by a few hundredths of a millimetre; f is friction over slip. Which of them act is
// decided anew whenever they are pressed.

#ifndef WF_RESPOND_LAYERS_H
#define WF_RESPOND_LAYERS_H

#include "respond/touch.h"

// Before a response: which layers act at u, and how stiffly; then q += (what they add to H) u.
void wf_layers_set(const WfTouch* touch, const double* u);
void wf_layers_add(const WfTouch* touch, const double* u, double* q);
// q += factor (the pull of those that are pressed at u); from now on, they act. anew: whatever q
// was at their vertices.
void wf_layers_press(const WfTouch* touch, const double* u, double factor, bool anew, double* q);
// Grip by the forces and the slip of u.
void wf_layers_renew(const WfTouch* touch, const double* u);
// group->value[which] += what those of the group have at u.
void wf_layers_energy(const WfTouch* touch, const double* u, int which);

// W u, and what a layer pulls at u, pressed or not.
WfVec wf_layer_gather(const WfContact* contact, const double* u);
WfVec wf_layer_pull(const WfContact* contact, const double* u);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Contacts of several vertices inside a solve (respond.h): stiff springs
//
//     W^T (a n n^T + f (I - n n^T)) W
//
// that push and never pull. a comes from the force that the contact had in the last step, so that
// it gives by a few hundredths of a millimetre; f is friction over slip. Which of them act is
// decided anew whenever they are pressed.

#ifndef WF_METHOD_LAYERS_H
#define WF_METHOD_LAYERS_H

#include "contact/world.h"
#include "method/step.h"

// Before a response: which layers act at u, and how stiffly; then q += (what they add to H) u.
void wf_layers_set(const WfStep* step, const double* u);
void wf_layers_add(const WfStep* step, const double* u, double* q);
// q += the pull of those that are pressed at u; from now on, they act.
void wf_layers_press(const WfStep* step, const double* u, double* q);
// Grip by the forces and the slip of u.
void wf_layers_renew(const WfStep* step, const double* u);
double wf_layers_energy(const WfStep* step, const double* u);

// gamma^2, by which a force is part of H u - b.
double wf_force_scale(const WfStep* step);
// W u, and what a layer pulls at u, pressed or not.
WfVec wf_layer_gather(const WfContact* contact, const double* u);
WfVec wf_layer_pull(const WfContact* contact, const double* u);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Fabrics: constants in real units.

#ifndef WF_MATERIAL_FABRIC_H
#define WF_MATERIAL_FABRIC_H

#include "weft/weft.h"

// Refuses values that no fabric has, naming the field.
WeftResult wf_check_fabric(const WeftFabric* fabric, WeftError* error);
// The same for the factors of a cloth's vertices, where it has some.
WeftResult wf_check_scales(const WeftClothDef* cloth, WeftError* error);

// The strain of its own stiffness by which cloth, or a rope, gives way under compression; 0: never.
double wf_give_strain(const WeftFabric* fabric, bool rope);
bool wf_ropes_give(const WeftFabric* fabric);

#endif

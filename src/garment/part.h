// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Limbs of a posed figure that are kept apart.

#ifndef WF_GARMENT_PART_H
#define WF_GARMENT_PART_H

#include "weft/weft_garment.h"

// Where the surface of the figure at `positions` comes nearer to itself than its gap, or crosses
// itself, move it back. Fails for lack of memory only.
WeftResult wf_part_limbs(const WeftFigure* figure, double* positions);

#endif

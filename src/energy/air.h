// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What air does to cloth, as a load.

#ifndef WF_ENERGY_AIR_H
#define WF_ENERGY_AIR_H

#include "energy/term.h"

typedef struct WfAirLoad {
    double force;  // N, the sum of its sizes over all triangles, in the last substep
    double area;   // m^2, at rest
} WfAirLoad;

bool wf_is_air(const WfTerm* term);
// Of a term that is one.
WfAirLoad wf_air_load(const WfTerm* term, const WfTermSpace* space);

#endif

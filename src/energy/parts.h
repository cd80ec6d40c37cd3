// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What a cloth hands to its terms when they are made.

#ifndef WF_ENERGY_PARTS_H
#define WF_ENERGY_PARTS_H

#include "energy/term.h"
#include "mesh/rest.h"
#include "mesh/topology.h"

struct WfClothParts {
    const WeftClothDef* def;
    int cloth;         // its number
    int first_vertex;  // its first vertex in the model's numbering, which terms use
    int row_count;     // vertices of the model
    const WfTopology* topology;
    const WfRest* rest;
    const double* masses;  // of the cloth's vertices
};

#endif

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

// The factor of an element whose vertices (numbered in the cloth) have factors `scale`, or NULL.
static inline double wf_mean_scale(const double* scale, const int* vertices, int count) {
    if (!scale) return 1;
    double sum = 0;
    for (int i = 0; i < count; i++) sum += scale[vertices[i]];
    return sum / count;
}

#endif

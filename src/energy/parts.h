// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What a cloth hands to its terms when they are made.

#ifndef WF_ENERGY_PARTS_H
#define WF_ENERGY_PARTS_H

#include "base/plane.h"
#include "energy/term.h"
#include "mesh/fabrics.h"
#include "mesh/half.h"
#include "mesh/rest.h"
#include "mesh/topology.h"

struct WfClothParts {
    const WeftClothDef* def;
    int cloth;         // its number
    int portion;       // of it, among those of all cloths (portion.h)
    int first_vertex;  // its first vertex in the model's numbering, which terms use
    int row_count;     // vertices of the model
    const WfTopology* topology;
    const WfRest* rest;
    const double* masses;  // of the cloth's vertices

    // Of cloth that is made of several fabrics (portion.h), all of it; else NULL. Hinges have their
    // triangles numbered in it.
    const WeftClothDef* whole;
    bool is_further;  // not the first of its portions: without what belongs to the whole cloth

    // Of the half of a symmetric cloth (mesh/half.h), which of its vertices are in the plane; else
    // NULL. Of what reaches across the plane, the sides of vertices; else NULL.
    const unsigned char* on_plane;
    const signed char* sides;
    // Of a whole that is to have the flaws of its half: how it is cut, and the plane; else NULL.
    const WfHalf* halved;
    const WfPlane* mirror;
};

// The fabric of a triangle that a hinge names.
static inline const WeftFabric* wf_hinge_fabric(const WfClothParts* parts, int triangle) {
    return parts->whole ? wf_fabric_of_triangle(parts->whole, triangle) : &parts->def->fabric;
}

// The factor of an element whose vertices (numbered in the cloth) have factors `scale`, or NULL.
static inline double wf_mean_scale(const double* scale, const int* vertices, int count) {
    if (!scale) return 1;
    double sum = 0;
    for (int i = 0; i < count; i++) sum += scale[vertices[i]];
    return sum / count;
}

// The same, by how much of the element belongs to this half: all of it, but a half where it lies in
// the plane.
static inline double wf_share_scale(const WfClothParts* parts, const double* scale,
                                    const int* vertices, int count) {
    bool lies = parts->on_plane;
    for (int i = 0; i < count && lies; i++) lies = parts->on_plane[vertices[i]];
    return (lies ? 0.5 : 1) * wf_mean_scale(scale, vertices, count);
}

// Whether an element is one of these: of what reaches across, those that do.
static inline bool wf_takes(const WfClothParts* parts, const int* vertices, int count) {
    return !parts->sides || wf_reaches_across(parts->sides, vertices, count);
}

#endif

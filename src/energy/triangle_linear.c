// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Linear triangle stretch and shear: E = A/2 sum k |S - S*|^2 over warp, weft and both diagonals,
// S* the axis as the cloth's estimator expects it after the step, at unit length. With the rotation
// estimator this is "inertial axes rotation", each axis turned by its own rotation so far; with the
// vertex estimator the axes of the predicted triangle, normalised. Without the normalisation
// (unnormalised_targets) the model has no rest size: a stretched sheet never contracts.

#include "energy/fibre.h"

static const WfTermClass linear_triangle_class = {
    .name = "linear triangle", .role = WF_ROLE_STRETCH, WF_FIBRE_LINEAR};

WfTerm* wf_linear_triangle_create(const WeftAllocator* allocator, const WfClothParts* parts) {
    WfTerm* term = wf_fibre_triangles(allocator, &linear_triangle_class, parts);
    if (term) wf_fibre_use_estimator((WfFibreTerm*)term, parts->def);
    if (term) ((WfFibreTerm*)term)->gives = true;
    return term;
}

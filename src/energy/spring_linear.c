// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Linear springs: E = k/2 |x_ij - x*_ij|^2, x* the edge as the cloth's estimator expects it after
// the step, at rest length. The matrix is the k-weighted graph Laplacian: scalar and constant.

#include "energy/fibre.h"

static const WfTermClass linear_spring_class = {
    .name = "linear spring", .role = WF_ROLE_STRETCH, WF_FIBRE_LINEAR};

WfTerm* wf_linear_spring_create(const WeftAllocator* allocator, const WfClothParts* parts) {
    WfTerm* term = wf_fibre_springs(allocator, &linear_spring_class, parts);
    if (term) wf_fibre_use_estimator((WfFibreTerm*)term, parts->def);
    if (term) ((WfFibreTerm*)term)->gives = true;
    return term;
}

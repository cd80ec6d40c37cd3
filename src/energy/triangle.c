// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Conventional triangle stretch and shear. [Su Sv] = [x_j - x_i, x_k - x_i] [u_j - u_i, u_k -
// u_i]^-1 is how warp and weft lie in space; at rest both are unit vectors at right angles.
//
//     E = A/2 { k_u (|Su| - 1)^2 + k_v (|Sv| - 1)^2 + k_s (|S+| - 1)^2 + k_s (|S-| - 1)^2 }
//
// with the diagonals S+- = (Su +- Sv)/sqrt 2, the axes turned by 45 degrees (not by 90, at which
// pure shear costs nothing). For small shear g the diagonals cost A k_s g^2/4. The other form of
// the shear is in shear.c; this term then has the first two parts only.

#include "energy/fibre.h"
#include "weft/weft_study.h"

static const WfTermClass triangle_class = {
    .name = "triangle", .role = WF_ROLE_STRETCH, WF_FIBRE_CONVENTIONAL};

void wf_triangle_axes(const double corners[6], double cu[3], double cv[3]) {
    double u1 = corners[2] - corners[0], v1 = corners[3] - corners[1];
    double u2 = corners[4] - corners[0], v2 = corners[5] - corners[1];
    double s = 1 / (u1 * v2 - u2 * v1);
    cu[1] = s * v2;
    cu[2] = -s * v1;
    cu[0] = -cu[1] - cu[2];
    cv[1] = -s * u2;
    cv[2] = s * u1;
    cv[0] = -cv[1] - cv[2];
}

static void fill_triangle(const WfClothParts* parts, WfFibreTerm* t, int e) {
    const WeftFabric* fabric = &parts->def->fabric;
    const double k[4] = {fabric->stretch_warp, fabric->stretch_weft, fabric->shear, fabric->shear};
    const int* v = parts->def->triangles + 3 * (long)e;
    double c[4][3], scale = wf_mean_scale(parts->def->stretch_scale, v, 3);
    wf_triangle_axes(parts->rest->corners + 6 * (long)e, c[0], c[1]);
    for (int a = 0; a < 3; a++) {
        c[2][a] = (c[0][a] + c[1][a]) * 0.70710678118654752;  // 1/sqrt 2
        c[3][a] = (c[0][a] - c[1][a]) * 0.70710678118654752;
        t->vertices[3 * (long)e + a] = parts->first_vertex + v[a];
    }
    for (int f = 0; f < t->fibres; f++) {
        long i = (long)e * t->fibres + f;
        t->stiffness[i] = parts->rest->areas[e] * k[f] * scale;
        t->length[i] = 1;
        for (int a = 0; a < 3; a++) t->coefficients[3 * i + a] = c[f][a];
    }
}

WfTerm* wf_fibre_triangles(const WeftAllocator* allocator, const WfTermClass* type,
                           const WfClothParts* parts) {
    bool diagonals = parts->def->shear == WEFT_SHEAR_DIAGONALS;
    WfFibreTerm* t =
        wf_fibre_create(allocator, type, parts, diagonals ? WF_FIBRE_TRIANGLE : WF_FIBRE_AXES,
                        parts->def->triangle_count, parts->def->fabric.stretch_damping);
    if (!t) return NULL;
    for (int e = 0; e < t->element_count; e++) fill_triangle(parts, t, e);
    t->term.softens = true;
    return wf_fibre_finish(allocator, parts, t);
}

WfTerm* wf_triangle_create(const WeftAllocator* allocator, const WfClothParts* parts) {
    WfTerm* term = wf_fibre_triangles(allocator, &triangle_class, parts);
    if (term) ((WfFibreTerm*)term)->gives = true;
    return term;
}

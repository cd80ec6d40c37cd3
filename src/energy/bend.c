// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Linear bending (after Volino and Magnenat-Thalmann 2006). A hinge of two triangles has a bending
// vector R = sum alpha_a x_a that vanishes when the pair is flat, and E = lambda/2 |R|^2.
//
//            i              N_i = (x_i - x_k) x (x_i - x_l), N_j, N_k, N_l alike, at rest and
//           / \             signed by the common rest normal, so that pairs that are not convex
//        k o---o l          have R = 0 at rest, too;
//           \ /             alpha_i = n_j/(n_i + n_j)    alpha_k = -n_l/(n_k + n_l)
//            j              alpha_j = n_i/(n_i + n_j)    alpha_l = -n_k/(n_k + n_l)
//
//     lambda = 2 (|N_i| + |N_j|)/(|N_i| |N_j|)^2 l^4 mu,   mu in N m
//
// The power of l follows from the dimension, the factor 2 from calibration: a right-angled grid
// bent to a cylinder about a grid axis has exactly mu kappa^2/2 per area. Across the grid it is up
// to 1.5 times (alternating diagonals), 3 times (parallel ones), 1.1 to 1.4 on irregular meshes.
//
// A rope has the same at every inner vertex: between segments of rest lengths L1 and L2 its
// direction changes by c, and E = lambda/2 |c|^2 is rope_bend kappa^2/2 per length, kappa = c/D.
//
//     x-  L1   x   L2  x+       c = (x+ - x)/L2 - (x - x-)/L1
//     o--------o-------o        D = (L1 + L2)/2,    lambda = rope_bend/D

#include <math.h>

#include "energy/fibre.h"
#include "energy/joint.h"

static const double CALIBRATION = 2;

static const WfTermClass bend_class = {.name = "bend", .role = WF_ROLE_BEND, .local = WF_LOCAL_FIBRES, WF_FIBRE_LINEAR};
static const WfTermClass rope_bend_class = {
    .name = "rope bend", .role = WF_ROLE_BEND, .local = WF_LOCAL_FIBRES, WF_FIBRE_LINEAR};

static double cross2(const double* a, const double* b, const double* from) {
    return (a[0] - from[0]) * (b[1] - from[1]) - (b[0] - from[0]) * (a[1] - from[1]);
}

static void fill_hinge(const WfClothParts* parts, WfFibreTerm* t, int e) {
    const WfHinge* hinge = &parts->topology->hinges[e];
    const WfRestHinge* flat = &parts->rest->hinges[e];
    const double *i = flat->opposite[0], *j = flat->opposite[1];
    const double k[2] = {0, 0}, l[2] = {flat->length, 0};
    // (x_i - x_k) x (x_i - x_l) is twice the signed area of k, l, i, and so on
    double ni = cross2(k, l, i), nj = cross2(l, k, j), nk = cross2(j, i, k), nl = cross2(i, j, l);
    double* alpha = t->coefficients + 4 * (long)e;
    alpha[0] = nj / (ni + nj);
    alpha[1] = ni / (ni + nj);
    alpha[2] = -nl / (nk + nl);
    alpha[3] = -nk / (nk + nl);
    const int v[4] = {hinge->opposite[0], hinge->opposite[1], hinge->edge[0], hinge->edge[1]};
    for (int a = 0; a < 4; a++) t->vertices[4 * (long)e + a] = parts->first_vertex + v[a];
    double areas = fabs(ni) * fabs(nj), l2 = flat->length * flat->length;
    t->stiffness[e] = CALIBRATION * (fabs(ni) + fabs(nj)) / (areas * areas) * l2 * l2 *
                      parts->def->fabric.bend * flat->bend *
                      wf_mean_scale(parts->def->bend_scale, v, 4);
    t->length[e] = 0;
}

WfTerm* wf_bend_create(const WeftAllocator* allocator, const WfClothParts* parts) {
    WfFibreTerm* t = wf_fibre_create(allocator, &bend_class, parts, WF_FIBRE_HINGE,
                                     parts->topology->hinge_count, parts->def->fabric.bend_damping);
    if (!t) return NULL;
    for (int e = 0; e < t->element_count; e++) fill_hinge(parts, t, e);
    t->term.is_explicit = parts->def->bend == WEFT_BEND_EXPLICIT;
    return wf_fibre_finish(allocator, parts, t);
}

WfTerm* wf_rope_bend_create(const WeftAllocator* allocator, const WfClothParts* parts) {
    WfFibreTerm* t =
        wf_fibre_create(allocator, &rope_bend_class, parts, WF_FIBRE_ROPE_HINGE,
                        wf_joint_count(parts, WF_ROPES), parts->def->fabric.bend_damping);
    if (!t) return NULL;
    WfJoint joint = {0};
    for (long e = 0; wf_joint_next(parts, WF_ROPES, &joint); e++) {
        double* c = t->coefficients + 3 * e;
        c[0] = 1 / joint.before;
        c[2] = 1 / joint.after;
        c[1] = -c[0] - c[2];
        for (int a = 0; a < 3; a++)
            t->vertices[3 * e + a] = parts->first_vertex + joint.vertices[a];
        t->stiffness[e] = parts->def->fabric.rope_bend / ((joint.before + joint.after) / 2) *
                          wf_share_scale(parts, parts->def->bend_scale, joint.vertices, 3);
        t->length[e] = 0;
    }
    t->term.is_explicit = parts->def->bend == WEFT_BEND_EXPLICIT;
    return wf_fibre_finish(allocator, parts, t);
}

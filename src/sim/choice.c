// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Everything a user can choose, by name. Within a group the order is that of the enumeration.

#include "weft/weft.h"

static const WeftChoice choices[] = {
    {"method", "symplectic", "explicit Euler; substeps are chosen for stability"},
    {"method", "implicit", "Newton, 3x3 blocks, conjugate gradients; the reference"},
    {"method", "prefactored", "constant matrix factored once; a ladder of quality per solve"},
    {"stretch", "springs", "edges as springs; on any triangle mesh, no shear springs needed"},
    {"stretch", "triangles", "warp, weft and shear of every triangle"},
    {"shear", "diagonals", "shear of triangles by the length of both diagonals"},
    {"shear", "product", "shear of triangles by the product of warp and weft (not prefactored)"},
    {"bend", "implicit", "linear bending inside the matrix; doubles the factor's fill"},
    {"bend", "explicit", "linear bending as a force at the start of the step"},
    {"bend", "none", "no bending"},
    {"estimator", "none", "conventional stretch; the method predicts by itself"},
    {"estimator", "previous", "linear stretch, direction of the last step; brakes all turning"},
    {"estimator", "rotation", "linear stretch, inertial rotation of edges or axes"},
    {"estimator", "vertex", "linear stretch, inertial translation of vertices"},
    {"scheme", "auto", "as the quality says; implicit: jaj for stiff cloth, else j"},
    {"scheme", "repeat", "constant solves, repeated; once is the linear model"},
    {"scheme", "a", "Newton at the predicted positions, preconditioned by the factor"},
    {"scheme", "jaj", "the same with block-Jacobi smoothing; at least 3 iterations"},
    {"scheme", "j", "block-Jacobi alone (implicit only)"},
    {"start", "predicted", "Newton begins where the motion points"},
    {"start", "previous", "Newton begins at the last positions"},
    {"ordering", "auto", "nested dissection"},
    {"ordering", "natural", "rows as the vertices are numbered"},
    {"ordering", "cuthill_mckee", "breadth first; a narrow band"},
    {"ordering", "reverse_cuthill_mckee", "the same backwards; less fill"},
    {"ordering", "minimum_degree", "always the row that joins the fewest others"},
    {"ordering", "nested_dissection", "cuts in halves, the cuts last"},
    {"grid", "crossed", "threads and both diagonals as springs"},
    {"grid", "alternating", "triangles with alternating diagonals"},
    {"grid", "one_way", "triangles with parallel diagonals"},
};

const WeftChoice* weft_choice(int index) {
    int count = (int)(sizeof choices / sizeof *choices);
    return index >= 0 && index < count ? &choices[index] : 0;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Everything a user can choose, by name. Within a group the order is that of the enumeration.

#include "weft/weft.h"

static const WeftChoice choices[] = {
    {"method", "symplectic", "explicit Euler; substeps are chosen for stability"},
    {"method", "implicit", "Newton, 3x3 blocks, conjugate gradients; the reference"},
    {"method", "prefactored", "constant matrix factored once; a ladder of quality per solve"},
    {"method", "relaxation", "a few sweeps over the vertices: from nearly explicit to implicit"},
    {"method", "matrix_free", "implicit with no matrix stored; for ropes, threads, little memory"},
    {"preset", "scalable", "Kim 2006: relaxation, Gauss-Seidel, smoothed Jacobian"},
    {"preset", "kang_1", "Kang 2000: relaxation, two Jacobi sweeps, scalar Jacobian"},
    {"preset", "kang_2", "Kang and Cho 2002: relaxation, Jacobi, axial Jacobian, 2 sweeps"},
    {"preset", "desbrun", "Desbrun 1999: scalar Jacobian, solved exactly by the constant factor"},
    {"preset", "choi_ko", "Choi and Ko 2002: implicit, block-Jacobi; with one_sided springs"},
    {"stretch", "springs", "edges as springs; on any triangle mesh, no shear springs needed"},
    {"stretch", "triangles", "warp, weft and shear of every triangle"},
    {"stretch", "one_sided", "springs that pull and never push (Choi and Ko)"},
    {"stretch", "threads", "springs along the threads of a woven mesh"},
    {"shear", "diagonals", "shear of triangles by the length of both diagonals"},
    {"shear", "product", "shear of triangles by the product of warp and weft (not prefactored)"},
    {"shear", "area", "threads keep the area between them (not prefactored)"},
    {"bend", "implicit", "linear bending inside the matrix; doubles the factor's fill"},
    {"bend", "explicit", "linear bending as a force at the start of the step"},
    {"bend", "none", "no bending"},
    {"bend_by", "hinges", "pairs of triangles; inner vertices of ropes"},
    {"bend_by", "springs", "springs between next neighbours, or across pairs of triangles"},
    {"bend_by", "threads", "curvature of threads and ropes (not prefactored)"},
    {"estimator", "none", "conventional stretch; the method predicts by itself"},
    {"estimator", "previous", "linear stretch, direction of the last step; brakes all turning"},
    {"estimator", "rotation", "linear stretch, inertial rotation of edges or axes"},
    {"estimator", "vertex", "linear stretch, inertial translation of vertices"},
    {"scheme", "auto", "as the quality says; implicit: jaj for stiff cloth, else j"},
    {"scheme", "repeat", "constant solves, repeated; once is the linear model"},
    {"scheme", "a", "Newton at the predicted positions, preconditioned by the factor"},
    {"scheme", "jaj", "the same with block-Jacobi smoothing; at least 3 iterations"},
    {"scheme", "j", "block-Jacobi alone (implicit and matrix_free)"},
    {"scheme", "plain", "no preconditioner (implicit and matrix_free)"},
    {"sweep", "gauss_seidel", "in place, every vertex sees what went before"},
    {"sweep", "jacobi", "all vertices at once"},
    {"jacobian", "clamped", "of a spring: exact, made positive"},
    {"jacobian", "exact", "negative across pressed springs"},
    {"jacobian", "one_sided", "zero for pressed springs (Choi and Ko)"},
    {"jacobian", "smoothed", "fading out between 100 and 80 % of the rest length (Kim)"},
    {"jacobian", "axial", "along the spring only (Kang)"},
    {"jacobian", "scalar", "the same in all directions (Desbrun)"},
    {"start", "auto", "previous for relaxation, else predicted"},
    {"start", "predicted", "Newton begins where the motion points"},
    {"start", "previous", "Newton begins at the last positions"},
    {"matrices", "all", "the model is made for every method"},
    {"matrices", "blocks", "no constant factor"},
    {"matrices", "none", "no matrix at all: symplectic and matrix_free"},
    {"ordering", "auto", "nested dissection"},
    {"ordering", "natural", "rows as the vertices are numbered"},
    {"ordering", "cuthill_mckee", "breadth first; a narrow band"},
    {"ordering", "reverse_cuthill_mckee", "the same backwards; less fill"},
    {"ordering", "minimum_degree", "always the row that joins the fewest others"},
    {"ordering", "nested_dissection", "cuts in halves, the cuts last"},
    {"grid", "crossed", "threads and both diagonals as springs"},
    {"grid", "alternating", "triangles with alternating diagonals"},
    {"grid", "one_way", "triangles with parallel diagonals"},
    {"grid", "crossed_twice", "crossed, and the same springs over two cells, for bending"},
    {"grid", "woven", "alternating triangles; a thread along every row and column"},
};

const WeftChoice* weft_choice(int index) {
    int count = (int)(sizeof choices / sizeof *choices);
    return index >= 0 && index < count ? &choices[index] : 0;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// All kernels, for kernel_plain.c and kernel_wide.c; TABLE is what they call their table.

#include "small_steps/kernel.h"

#include "small_steps/sweep_parts.h"

#include "small_steps/hinge_sweep.h"
#include "small_steps/near_kernel.h"
#include "small_steps/planes_kernel.h"
#include "small_steps/pull_sweep.h"
#include "small_steps/search_kernel.h"
#include "small_steps/spring_sweep.h"
// behind the search, whose leaves pairs are of
#include "small_steps/pairs_kernel.h"
// behind the sweep whose fibres they have
#include "small_steps/triangle_sweep.h"

#include "small_steps/angle_sweep.h"
#include "small_steps/membrane_sweep.h"
#include "small_steps/shear_sweep.h"

#define TABLE                                                                                      \
    {                                                                                              \
        .springs = sweep_springs, .axes = sweep_axes, .triangles = sweep_triangles,                \
        .hinges = sweep_hinges, .joints = sweep_joints, .strains = sweep_strains,                  \
        .products = sweep_products, .angles = sweep_angles, .pulls = sweep_pulls, .fit = fit_tree, \
        .measure = measure_leaves, .search_self = search_self, .search_body = search_body,         \
        .narrow = narrow_pairs, .refresh = refresh_pairs, .divide = divide_pairs,                  \
        .join = join_pairs, .find_planes = find_planes, .solve_planes = solve_planes               \
    }

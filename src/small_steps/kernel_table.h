// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// All kernels, for kernel_plain.c and kernel_wide.c; TABLE is what they call their table.

#include "small_steps/kernel.h"

#include "small_steps/sweep_parts.h"

#include "small_steps/hinge_sweep.h"
#include "small_steps/spring_sweep.h"
#include "small_steps/triangle_sweep.h"

#define TABLE                                                                       \
    {                                                                               \
        .springs = sweep_springs, .axes = sweep_axes, .triangles = sweep_triangles, \
        .hinges = sweep_hinges, .joints = sweep_joints                              \
    }

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The kernels with separate multiplications and additions: the same bits on every machine.

#include "base/simd.h"

#define KERNEL static WF_INLINE
#define NODE static
#define PRODUCT(x, u, l, lane) wf_quad_mul_lane(x, u, lane)
#define ADD_PRODUCT(sum, x, u, l, lane) wf_quad_add(sum, wf_quad_mul_lane(x, u, lane))

#include "sparse/solve_kernel.h"

const WfSolveKernel wf_solve_plain_narrow = {forward_node, backward_node};

#ifdef WF_WIDE

static const WfSolveKernel* chosen(void) {
    return WF_WIDE_HERE ? wf_solve_plain_wide() : &wf_solve_plain_narrow;
}
static void forward(const WfSupernodes* s, const float* panel, int node, float* slots) {
    chosen()->forward(s, panel, node, slots);
}
static void backward(const WfSupernodes* s, const float* panel, int node, float* slots) {
    chosen()->backward(s, panel, node, slots);
}

const WfSolveKernel wf_solve_plain = {forward, backward};

#else

const WfSolveKernel wf_solve_plain = {forward_node, backward_node};

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The kernels of solve_fused.c with eight lanes.

#include "base/simd.h"
#include "sparse/solve.h"

#ifdef WF_WIDE

#define WIDE
#define FUSED
#define KERNEL static WF_INLINE WF_FUSED_WIDE
#define NODE static WF_FUSED_WIDE
#define WIDE_PRODUCT _mm256_mul_ps
#define WIDE_ADD_PRODUCT(sum, x, l) _mm256_fmadd_ps(x, l, sum)

#include "sparse/solve_kernel.h"

static const WfSolveKernel wide = {forward_node, backward_node};

const WfSolveKernel* wf_solve_fused_wide(void) {
    return WF_WIDE_HERE && WF_FUSED_HERE ? &wide : NULL;
}

#else

const WfSolveKernel* wf_solve_fused_wide(void) { return NULL; }

#endif

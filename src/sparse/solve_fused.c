// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The kernels with fused multiply-add, where the machine has it: 64-bit ARM, and x86-64 that says
// so when the program runs (nearly all since 2013). The same bits on all of these, others than of
// the plain kernels.

#include "base/simd.h"
#include "sparse/solve.h"

#ifdef WF_FUSED

#define FUSED
#define KERNEL static WF_INLINE WF_FUSED
#define NODE static WF_FUSED
#define PRODUCT wf_fused_product
#define ADD_PRODUCT wf_fused_add

#include "sparse/solve_kernel.h"

static const WfSolveKernel fused = {forward_node, backward_node};

const WfSolveKernel* wf_solve_fused_narrow(void) { return WF_FUSED_HERE ? &fused : NULL; }

#else

const WfSolveKernel* wf_solve_fused_narrow(void) { return NULL; }

#endif

const WfSolveKernel* wf_solve_fused(void) {
    const WfSolveKernel *wide = wf_solve_fused_wide(), *narrow = wf_solve_fused_narrow();
    return wide ? wide : narrow ? narrow : &wf_solve_plain;
}

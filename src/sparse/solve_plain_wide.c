// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The kernels of solve_plain.c with eight lanes.

#include "base/simd.h"
#include "sparse/solve.h"

#ifdef WF_WIDE

#define WIDE
#define KERNEL static WF_INLINE WF_WIDE
#define NODE static WF_WIDE
#define WIDE_PRODUCT _mm256_mul_ps
#define WIDE_ADD_PRODUCT(sum, x, l) _mm256_add_ps(sum, _mm256_mul_ps(x, l))

#include "sparse/solve_kernel.h"

static const WfSolveKernel wide = {forward_node, backward_node};

const WfSolveKernel* wf_solve_plain_wide(void) { return WF_WIDE_HERE ? &wide : NULL; }

#else

const WfSolveKernel* wf_solve_plain_wide(void) { return NULL; }

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The kernels of small steps with vectors of eight floats, where the machine has them.

#include "base/simd.h"

#ifdef WF_WIDE

#define WIDE
#define KERNEL static WF_INLINE WF_WIDE
#define BODY static WF_WIDE

#include "small_steps/kernel_table.h"

static const WfSmallKernel wide = TABLE;

const WfSmallKernel* wf_small_wide(void) { return WF_WIDE_HERE ? &wide : &wf_small_plain; }

#else

#include "small_steps/kernel.h"

const WfSmallKernel* wf_small_wide(void) { return &wf_small_plain; }

#endif

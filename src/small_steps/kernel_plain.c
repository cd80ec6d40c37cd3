// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The kernels of small steps for every machine.

#define KERNEL static WF_INLINE
#define BODY static

#include "small_steps/kernel_table.h"

const WfSmallKernel wf_small_plain = TABLE;

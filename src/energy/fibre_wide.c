// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The kernels of fibres with vectors of four doubles, where the machine has them.

#include "base/simd.h"
#include "energy/fibre_job.h"

#ifdef WF_WIDE

#define WIDE
#define KERNEL static WF_INLINE WF_WIDE
#define BODY static WF_WIDE

#include "energy/fibre_kernel.h"

static const WfFibreKernel wide = {evaluate_chunk, product_chunk};

const WfFibreKernel* wf_fibre_wide(void) { return WF_WIDE_HERE ? &wide : &wf_fibre_plain; }

#else

const WfFibreKernel* wf_fibre_wide(void) { return &wf_fibre_plain; }

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The kernels of fibres for every machine.

#include "base/simd.h"

#define KERNEL static WF_INLINE
#define BODY static

#include "energy/fibre_kernel.h"

const WfFibreKernel wf_fibre_plain = {evaluate_chunk, product_chunk};

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The kernels of products for every machine.

#include "base/simd.h"

#define KERNEL static WF_INLINE
#define BODY static

#include "sparse/product_kernel.h"

const WfProductKernel wf_product_plain = {scalar_rows};

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The kernels of products with vectors of four doubles, where the machine has them.

#include "base/simd.h"
#include "sparse/product.h"

#ifdef WF_WIDE

#define WIDE
#define KERNEL static WF_INLINE WF_WIDE
#define BODY static WF_WIDE

#include "sparse/product_kernel.h"

static const WfProductKernel wide = {scalar_rows};

const WfProductKernel* wf_product_wide(void) { return WF_WIDE_HERE ? &wide : &wf_product_plain; }

#else

const WfProductKernel* wf_product_wide(void) { return &wf_product_plain; }

#endif

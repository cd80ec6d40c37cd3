// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The sift in eight lanes, where the machine has them.

#include "base/simd.h"
#include "contact/sift.h"

#ifdef WF_WIDE

#define WIDE
#define KERNEL static WF_INLINE WF_WIDE
#define BODY static WF_WIDE

#include "contact/sift_kernel.h"

static const WfSiftKernel wide = {sift_pairs, sift_flags};

const WfSiftKernel* wf_sift_wide(void) { return WF_WIDE_HERE ? &wide : &wf_sift_plain; }

#else

const WfSiftKernel* wf_sift_wide(void) { return &wf_sift_plain; }

#endif

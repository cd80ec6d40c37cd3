// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "contact/sift.h"

#include "base/simd.h"

#define KERNEL static WF_INLINE
#define BODY static

#include "contact/sift_kernel.h"

const WfSiftKernel wf_sift_plain = {sift_pairs, sift_flags};

void wf_sift(const WfSift* sift, WfPairKind kind, WfPairList* list, int start) {
    wf_sift_wide()->pairs(sift, kind, list, start);
}

void wf_sift_flags(const WfSift* sift, WfPairKind kind, const WfPair* pairs, int count,
                   unsigned char* flags) {
    wf_sift_wide()->flags(sift, kind, pairs, count, flags);
}

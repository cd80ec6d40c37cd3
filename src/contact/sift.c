// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "contact/sift.h"

#include "base/parallel.h"
#include "base/simd.h"

#define KERNEL static WF_INLINE
#define BODY static

#include "contact/sift_kernel.h"

const WfSiftKernel wf_sift_plain = {sift_pairs, sift_flags};

void wf_sift(const WfSift* sift, WfPairKind kind, WfPairList* list, int start) {
    wf_sift_wide()->pairs(sift, kind, list, start);
}

enum { WORTH_THREADS = 4 };  // blocks: each takes some 10 us

typedef struct FlagJob {
    const WfSift* sift;
    WfPairKind kind;
    const WfPairList* list;
    unsigned char* flags;
} FlagJob;

static void flag_block(void* context, int block) {
    const FlagJob* job = context;
    int first = block * WF_ITEM_BLOCK, end = wf_item_end(job->list->count, block);
    wf_sift_wide()->flags(job->sift, job->kind, job->list->pairs + first, end - first,
                          job->flags + first);
}

void wf_sift_flags(const WfSift* sift, const WeftJobs* jobs, WfPairKind kind,
                   const WfPairList* list, unsigned char* flags) {
    FlagJob job = {sift, kind, list, flags};
    wf_parallel_from(jobs, WORTH_THREADS, wf_item_blocks(list->count), flag_block, &job);
}

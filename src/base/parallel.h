// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Parallel loops over fixed blocks: what a block does never depends on how many threads there are,
// and sums are taken block by block, so the bits of a result do not either.

#ifndef WF_BASE_PARALLEL_H
#define WF_BASE_PARALLEL_H

#include "weft/weft.h"

typedef void WfBlock(void* context, int index);

// Call block(context, i) for every i in [0, block_count), in parallel where that pays. Without
// jobs, NULL, one after the other.
void wf_parallel(const WeftJobs* jobs, int block_count, WfBlock* block, void* context);

// The same where blocks are worth more, from `least` of them on.
void wf_parallel_from(const WeftJobs* jobs, int least, int block_count, WfBlock* block,
                      void* context);

// Work on items is cut into blocks of this many.
enum { WF_ITEM_BLOCK = 256 };
static inline int wf_item_blocks(int count) { return (count + WF_ITEM_BLOCK - 1) / WF_ITEM_BLOCK; }
static inline int wf_item_end(int count, int block) {
    return count - block * WF_ITEM_BLOCK < WF_ITEM_BLOCK ? count : (block + 1) * WF_ITEM_BLOCK;
}

// items(context, first, end) for all of [0, count), in such blocks.
typedef void WfItems(void* context, int first, int end);
void wf_parallel_items(const WeftJobs* jobs, int count, WfItems* items, void* context);
// to = from
void wf_parallel_copy(const WeftJobs* jobs, const double* from, size_t count, double* to);

// Vector work is cut into blocks of this many numbers (three per vertex).
enum { WF_VECTOR_BLOCK = 6144 };

// Flat vectors of n doubles.
typedef struct WfVectors {
    const WeftJobs* jobs;
    int n;
    double* partial;  // one double per block, scratch for dot products
} WfVectors;

int wf_vector_blocks(int n);
double wf_vector_dot(const WfVectors* v, const double* a, const double* b);
// y = y + s x
void wf_vector_axpy(const WfVectors* v, double s, const double* x, double* y);
// r = r - s q; returns r.r
double wf_vector_reduce(const WfVectors* v, double s, const double* q, double* r);
// y = y + s x, then x = z + t x, at once
void wf_vector_turn(const WfVectors* v, double s, double* y, const double* z, double t, double* x);
// y = x + s y
void wf_vector_xpay(const WfVectors* v, const double* x, double s, double* y);

#endif

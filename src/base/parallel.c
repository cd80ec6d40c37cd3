// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "base/parallel.h"

#include <string.h>

#include "base/simd.h"

// A block is a few microseconds of work; starting threads for fewer costs more than it gains, far
// more where other programs keep the cores busy. Cloth of 10,000 vertices and more gets threads.
enum { WORTH_THREADS = 16 };

void wf_parallel_from(const WeftJobs* jobs, int least, int block_count, WfBlock* block,
                      void* context) {
    bool worth = jobs && block_count >= least;
    if (worth && jobs->run) {
        jobs->run(jobs->user, block_count, block, context);
        return;
    }
#ifdef _OPENMP
    if (worth && jobs->thread_count > 1) {
#pragma omp parallel for schedule(dynamic) num_threads(jobs->thread_count)
        for (int i = 0; i < block_count; i++) block(context, i);
        return;
    }
    if (worth && jobs->thread_count == WEFT_ALL_THREADS) {
#pragma omp parallel for schedule(dynamic)
        for (int i = 0; i < block_count; i++) block(context, i);
        return;
    }
#endif
    for (int i = 0; i < block_count; i++) block(context, i);
}

void wf_parallel(const WeftJobs* jobs, int block_count, WfBlock* block, void* context) {
    wf_parallel_from(jobs, WORTH_THREADS, block_count, block, context);
}

typedef struct ItemJob {
    int count;
    WfItems* items;
    void* context;
} ItemJob;

static void item_block(void* context, int block) {
    const ItemJob* job = context;
    job->items(job->context, block * WF_ITEM_BLOCK, wf_item_end(job->count, block));
}

void wf_parallel_items(const WeftJobs* jobs, int count, WfItems* items, void* context) {
    ItemJob job = {count, items, context};
    wf_parallel(jobs, wf_item_blocks(count), item_block, &job);
}

typedef struct CopyJob {
    const double* from;
    size_t count;
    double* to;
} CopyJob;

static void copy_block(void* context, int block) {
    const CopyJob* job = context;
    size_t first = (size_t)block * WF_VECTOR_BLOCK, left = job->count - first;
    size_t count = left < WF_VECTOR_BLOCK ? left : WF_VECTOR_BLOCK;
    memcpy(job->to + first, job->from + first, count * sizeof(double));
}

void wf_parallel_copy(const WeftJobs* jobs, const double* from, size_t count, double* to) {
    CopyJob job = {from, count, to};
    wf_parallel(jobs, (int)((count + WF_VECTOR_BLOCK - 1) / WF_VECTOR_BLOCK), copy_block, &job);
}

int wf_vector_blocks(int n) { return (n + WF_VECTOR_BLOCK - 1) / WF_VECTOR_BLOCK; }

typedef struct VectorJob {
    const WfVectors* v;
    double s, t;
    const double *a, *b;
    double* restrict y, * restrict r;
} VectorJob;

static int block_length(const WfVectors* v, int block) {
    int left = v->n - block * WF_VECTOR_BLOCK;
    return left < WF_VECTOR_BLOCK ? left : WF_VECTOR_BLOCK;
}

static void dot_block(void* context, int block) {
    const VectorJob* job = context;
    const double* a = job->a + (long)block * WF_VECTOR_BLOCK;
    const double* b = job->b + (long)block * WF_VECTOR_BLOCK;
    job->v->partial[block] = wf_simd_dot(a, b, block_length(job->v, block));
}

// run the blocks, then add up what each left in `partial`, in order
static double sum_blocks(const WfVectors* v, WfBlock* block, VectorJob* job) {
    int blocks = wf_vector_blocks(v->n);
    wf_parallel(v->jobs, blocks, block, job);
    double sum = 0;
    for (int i = 0; i < blocks; i++) sum += v->partial[i];
    return sum;
}

double wf_vector_dot(const WfVectors* v, const double* a, const double* b) {
    VectorJob job = {.v = v, .a = a, .b = b};
    return sum_blocks(v, dot_block, &job);
}

static void axpy_block(void* context, int block) {
    const VectorJob* job = context;
    const double* x = job->a + (long)block * WF_VECTOR_BLOCK;
    double* y = job->y + (long)block * WF_VECTOR_BLOCK;
    int n = block_length(job->v, block);
    double s = job->s;
    for (int i = 0; i < n; i++) y[i] += s * x[i];
}

void wf_vector_axpy(const WfVectors* v, double s, const double* x, double* y) {
    VectorJob job = {.v = v, .s = s, .a = x, .y = y};
    wf_parallel(v->jobs, wf_vector_blocks(v->n), axpy_block, &job);
}

static void reduce_block(void* context, int block) {
    const VectorJob* job = context;
    long first = (long)block * WF_VECTOR_BLOCK;
    const double* q = job->b + first;
    double *r = job->r + first, s = job->s;
    int n = block_length(job->v, block);
    for (int i = 0; i < n; i++) r[i] -= s * q[i];
    job->v->partial[block] = wf_simd_dot(r, r, n);
}

double wf_vector_reduce(const WfVectors* v, double s, const double* q, double* r) {
    VectorJob job = {.v = v, .s = s, .b = q, .r = r};
    return sum_blocks(v, reduce_block, &job);
}

static void turn_block(void* context, int block) {
    const VectorJob* job = context;
    long first = (long)block * WF_VECTOR_BLOCK;
    const double* z = job->a + first;
    double *x = job->r + first, *y = job->y + first, s = job->s, t = job->t;
    int n = block_length(job->v, block);
    for (int i = 0; i < n; i++) {
        double old = x[i];
        y[i] += s * old;
        x[i] = z[i] + t * old;
    }
}

void wf_vector_turn(const WfVectors* v, double s, double* y, const double* z, double t, double* x) {
    VectorJob job = {.v = v, .s = s, .t = t, .a = z, .y = y, .r = x};
    wf_parallel(v->jobs, wf_vector_blocks(v->n), turn_block, &job);
}

static void xpay_block(void* context, int block) {
    const VectorJob* job = context;
    const double* x = job->a + (long)block * WF_VECTOR_BLOCK;
    double* y = job->y + (long)block * WF_VECTOR_BLOCK;
    int n = block_length(job->v, block);
    double s = job->s;
    for (int i = 0; i < n; i++) y[i] = x[i] + s * y[i];
}

void wf_vector_xpay(const WfVectors* v, const double* x, double s, double* y) {
    VectorJob job = {.v = v, .s = s, .a = x, .y = y};
    wf_parallel(v->jobs, wf_vector_blocks(v->n), xpay_block, &job);
}

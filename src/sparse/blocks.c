// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sparse/blocks.h"

#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/vec.h"

enum { MIN_CHUNK = 512 };

// A chunk of rows adds to its own rows and, if it is at least as long as the matrix is wide, to no
// others but those of the next chunk: two colours then. A matrix without such an order is one
// chunk.
static WeftResult colour_rows(const WeftAllocator* allocator, WfBlockPattern* pattern) {
    int chunk = MIN_CHUNK;
    for (int i = 0; i < pattern->n; i++)
        for (int p = pattern->start[i]; p < pattern->start[i + 1]; p++)
            if (pattern->index[p] - i > chunk) chunk = pattern->index[p] - i;
    pattern->chunk = chunk;
    int count = (pattern->n + chunk - 1) / chunk;
    int* touched = wf_alloc(allocator, (size_t)count * 2, sizeof *touched);
    if (!touched) return WEFT_ERROR_MEMORY;
    for (int c = 0; c < count; c++) {
        touched[2 * c] = c;
        touched[2 * c + 1] = c + 1 < count ? c + 1 : c;
    }
    WeftResult result =
        wf_scatter_create(allocator, count, count, 2, touched, 1, &pattern->scatter);
    wf_free(allocator, touched);
    return result;
}

WeftResult wf_block_pattern_create(const WeftAllocator* allocator, int n, int pair_count,
                                   const int* pairs, WfBlockPattern* pattern) {
    *pattern = (WfBlockPattern){.n = n};
    WfPattern full = {0};
    WeftResult result = wf_pattern_create(allocator, n, pair_count, pairs, &full);
    if (result) return result;
    pattern->start = wf_alloc(allocator, (size_t)n + 1, sizeof(int));
    pattern->index = wf_alloc(allocator, (size_t)(full.start[n] - n) / 2, sizeof(int));
    result = WEFT_ERROR_MEMORY;
    if (!pattern->start || !pattern->index) goto done;
    int count = 0;
    for (int i = 0; i < n; i++) {
        pattern->start[i] = count;
        for (int p = full.start[i]; p < full.start[i + 1]; p++)
            if (full.index[p] > i) pattern->index[count++] = full.index[p];
    }
    pattern->start[n] = count;
    result = colour_rows(allocator, pattern);
done:
    wf_pattern_destroy(allocator, &full);
    if (result) wf_block_pattern_destroy(allocator, pattern);
    return result;
}

void wf_block_pattern_destroy(const WeftAllocator* allocator, WfBlockPattern* pattern) {
    wf_free(allocator, pattern->start);
    wf_free(allocator, pattern->index);
    wf_scatter_destroy(allocator, &pattern->scatter);
    *pattern = (WfBlockPattern){0};
}

int wf_block_find(const WfBlockPattern* pattern, int a, int b) {
    int low = pattern->start[a], high = pattern->start[a + 1];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (pattern->index[middle] < b)
            low = middle + 1;
        else
            high = middle;
    }
    return low < pattern->start[a + 1] && pattern->index[low] == b ? low : -1;
}

void wf_block_places(const WfBlockPattern* pattern, int element_count, int arity, const int* rows,
                     int* places) {
    for (int e = 0; e < element_count; e++, rows += arity)
        for (int a = 0; a < arity; a++)
            for (int b = a + 1; b < arity; b++)
                *places++ = rows[a] < rows[b] ? wf_block_find(pattern, rows[a], rows[b])
                                              : wf_block_find(pattern, rows[b], rows[a]);
}

void wf_blocks_clear(const WfBlockMatrix* matrix) {
    const WfBlockPattern* pattern = matrix->pattern;
    memset(matrix->diagonal, 0, (size_t)pattern->n * 6 * sizeof(double));
    memset(matrix->upper, 0, (size_t)pattern->start[pattern->n] * 9 * sizeof(double));
}

typedef struct ProductJob {
    const WfBlockMatrix* matrix;
    const WfPattern* pattern;
    const double *values, *p;
    double* q;
} ProductJob;

static void multiply_row(const WfBlockMatrix* matrix, int i, const double* p, double* q) {
    const WfBlockPattern* pattern = matrix->pattern;
    WfVec pi = wf_load(p, i), sum = wf_sym_mul(matrix->diagonal + 6 * (long)i, pi);
    for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++) {
        int j = pattern->index[e];
        const double* b = matrix->upper + 9 * (long)e;
        WfVec pj = wf_load(p, j);
        sum.x += b[0] * pj.x + b[1] * pj.y + b[2] * pj.z;
        sum.y += b[3] * pj.x + b[4] * pj.y + b[5] * pj.z;
        sum.z += b[6] * pj.x + b[7] * pj.y + b[8] * pj.z;
        q[3 * (long)j] += b[0] * pi.x + b[3] * pi.y + b[6] * pi.z;
        q[3 * (long)j + 1] += b[1] * pi.x + b[4] * pi.y + b[7] * pi.z;
        q[3 * (long)j + 2] += b[2] * pi.x + b[5] * pi.y + b[8] * pi.z;
    }
    wf_accumulate(q, i, 1, sum);
}

// elements of the scatter are chunks of rows
static void blocks_chunk(void* context, int chunk, int first, int end) {
    const ProductJob* job = context;
    const WfBlockPattern* pattern = job->matrix->pattern;
    long last = (long)end * pattern->chunk < pattern->n ? (long)end * pattern->chunk : pattern->n;
    (void)chunk;
    for (int i = first * pattern->chunk; i < last; i++)
        multiply_row(job->matrix, i, job->p, job->q);
}

void wf_blocks_product(const WfBlockMatrix* matrix, const WeftJobs* jobs, const double* p,
                       double* q) {
    ProductJob job = {.matrix = matrix, .p = p, .q = q};
    wf_scatter_run(&matrix->pattern->scatter, jobs, blocks_chunk, &job);
}

static void scalar_chunk(void* context, int chunk) {
    const ProductJob* job = context;
    const WfPattern* pattern = job->pattern;
    int first = chunk * MIN_CHUNK;
    int end = first + MIN_CHUNK < pattern->n ? first + MIN_CHUNK : pattern->n;
    for (int i = first; i < end; i++) {
        WfVec sum = {0, 0, 0};
        for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++)
            sum = wf_madd(sum, job->values[e], wf_load(job->p, pattern->index[e]));
        wf_store(job->q, i, sum);
    }
}

void wf_scalar_product(const WfPattern* pattern, const double* values, const WeftJobs* jobs,
                       const double* p, double* q) {
    ProductJob job = {.pattern = pattern, .values = values, .p = p, .q = q};
    wf_parallel(jobs, (pattern->n + MIN_CHUNK - 1) / MIN_CHUNK, scalar_chunk, &job);
}

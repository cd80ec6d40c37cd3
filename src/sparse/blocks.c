// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sparse/blocks.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "sparse/product.h"

enum { CHUNK = 512 };

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
    result = WEFT_OK;
done:
    wf_pattern_destroy(allocator, &full);
    if (result) wf_block_pattern_destroy(allocator, pattern);
    return result;
}

void wf_block_pattern_destroy(const WeftAllocator* allocator, WfBlockPattern* pattern) {
    wf_free(allocator, pattern->start);
    wf_free(allocator, pattern->index);
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

static void scalar_chunk(void* context, int chunk) {
    const WfScalarJob* job = context;
    int first = chunk * CHUNK, n = job->pattern->n;
    wf_product_wide()->scalar_rows(job, first, first + CHUNK < n ? first + CHUNK : n);
}

void wf_scalar_product(const WfPattern* pattern, const double* values, const WeftJobs* jobs,
                       const double* p, double* q) {
    WfScalarJob job = {pattern, values, p, q};
    wf_parallel(jobs, (pattern->n + CHUNK - 1) / CHUNK, scalar_chunk, &job);
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sparse/rows.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/simd.h"

enum { CHUNK = 256 };

// ---------------------------------------------------------------------------------------------
// The pattern

static bool allocate(const WeftAllocator* allocator, const WfBlockPattern* blocks,
                     const WfPattern* linear, WfRowsPattern* p) {
    size_t n = (size_t)blocks->n, count = n + 2 * (size_t)blocks->start[n];
    size_t scalars = (size_t)linear->start[n];
    p->block_start = wf_alloc(allocator, n + 1, sizeof(int));
    p->block_index = wf_alloc(allocator, count, sizeof(int));
    p->block_source = wf_alloc(allocator, count, sizeof(int));
    p->scalar_start = wf_alloc(allocator, n + 1, sizeof(int));
    p->scalar_index = wf_alloc(allocator, scalars, sizeof(int));
    p->scalar_source = wf_alloc(allocator, scalars, sizeof(int));
    p->diagonal_linear = wf_alloc(allocator, n, sizeof(int));
    p->upper_linear = wf_alloc(allocator, (size_t)blocks->start[n], sizeof(int));
    return p->block_start && p->block_index && p->block_source && p->scalar_start &&
           p->scalar_index && p->scalar_source && p->diagonal_linear && p->upper_linear;
}

static void put_block(WfRowsPattern* p, int* next, int row, int column, int source) {
    int at = next[row]++;
    p->block_index[at] = column;
    p->block_source[at] = source;
}

// The upper blocks by row give each row its later columns in order; visited by row they give each
// column its earlier rows in order.
static void place_blocks(const WfBlockPattern* blocks, int* next, WfRowsPattern* p) {
    int n = blocks->n, *start = p->block_start;
    for (int i = 0; i < n; i++) {
        start[i + 1] += 1 + blocks->start[i + 1] - blocks->start[i];
        for (int e = blocks->start[i]; e < blocks->start[i + 1]; e++) start[blocks->index[e] + 1]++;
    }
    for (int i = 0; i < n; i++) start[i + 1] += start[i];
    for (int i = 0; i < n; i++) next[i] = start[i];
    for (int i = 0; i < n; i++) put_block(p, next, i, i, i);
    for (int i = 0; i < n; i++)
        for (int e = blocks->start[i]; e < blocks->start[i + 1]; e++)
            put_block(p, next, blocks->index[e], i, 2 * e + 1);
    for (int i = 0; i < n; i++)
        for (int e = blocks->start[i]; e < blocks->start[i + 1]; e++)
            put_block(p, next, i, blocks->index[e], 2 * e);
}

static void place_linear(const WfBlockPattern* blocks, const WfPattern* linear, WfRowsPattern* p) {
    for (int i = 0; i < blocks->n; i++) {
        p->diagonal_linear[i] = wf_pattern_find(linear, i, i);
        for (int e = blocks->start[i]; e < blocks->start[i + 1]; e++)
            p->upper_linear[e] = wf_pattern_find(linear, i, blocks->index[e]);
    }
}

static void place_scalars(const WfBlockPattern* blocks, const WfPattern* linear, WfRowsPattern* p) {
    int count = 0;
    for (int i = 0; i < linear->n; i++) {
        p->scalar_start[i] = count;
        for (int e = linear->start[i]; e < linear->start[i + 1]; e++) {
            int j = linear->index[e], low = i < j ? i : j, high = i < j ? j : i;
            if (i == j || wf_block_find(blocks, low, high) >= 0) continue;
            p->scalar_index[count] = j;
            p->scalar_source[count++] = e;
        }
    }
    p->scalar_start[linear->n] = count;
}

WeftResult wf_rows_create(const WeftAllocator* allocator, const WfBlockPattern* blocks,
                          const WfPattern* linear, WfRowsPattern* pattern) {
    *pattern = (WfRowsPattern){.n = blocks->n, .upper_start = blocks->start};
    int* next = wf_alloc(allocator, (size_t)blocks->n, sizeof *next);
    bool good = next && allocate(allocator, blocks, linear, pattern);
    if (good) {
        place_blocks(blocks, next, pattern);
        place_linear(blocks, linear, pattern);
        place_scalars(blocks, linear, pattern);
    } else {
        wf_rows_destroy(allocator, pattern);
    }
    wf_free(allocator, next);
    return good ? WEFT_OK : WEFT_ERROR_MEMORY;
}

void wf_rows_destroy(const WeftAllocator* allocator, WfRowsPattern* pattern) {
    wf_free(allocator, pattern->block_start);
    wf_free(allocator, pattern->block_index);
    wf_free(allocator, pattern->block_source);
    wf_free(allocator, pattern->scalar_start);
    wf_free(allocator, pattern->scalar_index);
    wf_free(allocator, pattern->scalar_source);
    wf_free(allocator, pattern->diagonal_linear);
    wf_free(allocator, pattern->upper_linear);
    *pattern = (WfRowsPattern){0};
}

// ---------------------------------------------------------------------------------------------
// Values

typedef struct RowsJob {
    const WfRows* rows;
    const WfRowsPattern* pattern;
    const WfBlockMatrix* matrix;
    const double *linear, *p;
    double* q;
} RowsJob;

static void start_block(double* block, double scalar) {
    for (int k = 0; k < 9; k++) block[k] = 0;
    block[0] = block[4] = block[8] = scalar;
}

static void start_chunk(void* context, int chunk) {
    const RowsJob* job = context;
    const WfRowsPattern* p = job->pattern;
    const int* start = job->matrix->pattern->start;
    int first = chunk * CHUNK, end = first + CHUNK < p->n ? first + CHUNK : p->n;
    for (int i = first; i < end; i++) {
        double *diagonal = job->matrix->diagonal + 6 * (long)i,
               s = job->linear[p->diagonal_linear[i]];
        diagonal[0] = diagonal[3] = diagonal[5] = s;
        diagonal[1] = diagonal[2] = diagonal[4] = 0;
    }
    for (int e = start[first]; e < start[end]; e++) {
        int at = p->upper_linear[e];
        start_block(job->matrix->upper + 9 * (long)e, at >= 0 ? job->linear[at] : 0);
    }
}

void wf_rows_start(const WfRowsPattern* pattern, const WeftJobs* jobs, const double* linear,
                   const WfBlockMatrix* matrix) {
    RowsJob job = {.pattern = pattern, .matrix = matrix, .linear = linear};
    wf_parallel(jobs, (pattern->n + CHUNK - 1) / CHUNK, start_chunk, &job);
}

// b: row by row (or its transpose); out: xx yx, xy yy, xz yz, zx zy, zz
static void pack(const double* b, bool transposed, double* out) {
    double xy = transposed ? b[3] : b[1], yx = transposed ? b[1] : b[3];
    double xz = transposed ? b[6] : b[2], zx = transposed ? b[2] : b[6];
    double yz = transposed ? b[7] : b[5], zy = transposed ? b[5] : b[7];
    out[0] = b[0];
    out[1] = yx;
    out[2] = xy;
    out[3] = b[4];
    out[4] = xz;
    out[5] = yz;
    out[6] = zx;
    out[7] = zy;
    out[8] = b[8];
}

static void fill_row(const RowsJob* job, int i) {
    const WfRowsPattern* p = job->rows->pattern;
    const double* d = job->matrix->diagonal + 6 * (long)i;
    const double diagonal[9] = {d[0], d[1], d[2], d[1], d[3], d[4], d[2], d[4], d[5]};
    for (int e = p->block_start[i]; e < p->block_start[i + 1]; e++) {
        int source = p->block_source[e];
        const double* from =
            e == p->block_start[i] ? diagonal : job->matrix->upper + 9 * (long)(source / 2);
        pack(from, e > p->block_start[i] && source % 2, job->rows->blocks + 9 * (long)e);
    }
    for (int e = p->scalar_start[i]; e < p->scalar_start[i + 1]; e++)
        job->rows->scalars[e] = job->linear[p->scalar_source[e]];
}

static void fill_chunk(void* context, int chunk) {
    const RowsJob* job = context;
    int first = chunk * CHUNK, n = job->rows->pattern->n;
    for (int i = first; i < first + CHUNK && i < n; i++) fill_row(job, i);
}

void wf_rows_fill(const WfRows* rows, const WeftJobs* jobs, const WfBlockMatrix* matrix,
                  const double* linear) {
    RowsJob job = {.rows = rows, .matrix = matrix, .linear = linear};
    wf_parallel(jobs, (rows->pattern->n + CHUNK - 1) / CHUNK, fill_chunk, &job);
}

static void product_chunk(void* context, int chunk) {
    const RowsJob* job = context;
    int first = chunk * CHUNK, n = job->rows->pattern->n;
    for (int i = first; i < first + CHUNK && i < n; i++)
        wf_store(job->q, i, wf_rows_row(job->rows, i, job->p));
}

void wf_rows_product(const WfRows* rows, const WeftJobs* jobs, const double* p, double* q) {
    RowsJob job = {.rows = rows, .p = p, .q = q};
    wf_parallel(jobs, (rows->pattern->n + CHUNK - 1) / CHUNK, product_chunk, &job);
}

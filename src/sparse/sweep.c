// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sparse/sweep.h"

#include <string.h>

#include "base/parallel.h"
#include "base/scatter.h"
#include "base/simd.h"

enum { CHUNK = 256 };

// ---------------------------------------------------------------------------------------------
// Colours

static int chunk_count(int n) { return (n + CHUNK - 1) / CHUNK; }

// marks[k] = chunk + 1 for every colour k that a neighbour of the chunk has
static void mark_neighbours(const WfRowsPattern* p, const int* colours, int chunk, int* marks) {
    for (int i = chunk * CHUNK; i < p->n && i < (chunk + 1) * CHUNK; i++) {
        for (int e = p->block_start[i]; e < p->block_start[i + 1]; e++) {
            int other = p->block_index[e] / CHUNK;
            if (other < chunk) marks[colours[other]] = chunk + 1;
        }
        for (int e = p->scalar_start[i]; e < p->scalar_start[i + 1]; e++) {
            int other = p->scalar_index[e] / CHUNK;
            if (other < chunk) marks[colours[other]] = chunk + 1;
        }
    }
}

// Each chunk gets the lowest colour that no earlier neighbour has.
static void pick_colours(const WfRowsPattern* p, int* colours, int* marks, WfSweepOrder* order) {
    for (int c = 0; c < chunk_count(p->n); c++) {
        mark_neighbours(p, colours, c, marks);
        int colour = 0;
        while (marks[colour] == c + 1) colour++;
        colours[c] = colour;
        if (colour >= order->colour_count) order->colour_count = colour + 1;
    }
}

// Where the rows are kept that a row's blocks are for: of its own blocks first, then of those it
// shares with earlier rows, so that the row just done is asked for last.
static void list_slots(const WfRowsPattern* p, int* slots) {
    for (int i = 0; i < p->n; i++) {
        int first = p->block_start[i] + 1, end = p->block_start[i + 1];
        int middle = end - (p->upper_start[i + 1] - p->upper_start[i]);
        for (int e = middle; e < end; e++) *slots++ = 4 * p->block_index[e];
        for (int e = first; e < middle; e++) *slots++ = 4 * p->block_index[e];
    }
}

WeftResult wf_sweep_create(const WeftAllocator* allocator, const WfRowsPattern* pattern,
                           WfSweepOrder* order) {
    *order = (WfSweepOrder){0};
    size_t count = (size_t)chunk_count(pattern->n);
    int* colours = wf_alloc(allocator, count, sizeof(int));
    int* marks = wf_alloc(allocator, count + 1, sizeof(int));
    order->colour_start = wf_alloc(allocator, count + 2, sizeof(int));
    order->chunks = wf_alloc(allocator, count, sizeof(int));
    size_t blocks = (size_t)pattern->block_start[pattern->n] - (size_t)pattern->n;
    order->slots = wf_alloc(allocator, blocks, sizeof(int));
    bool good = colours && marks && order->colour_start && order->chunks && order->slots;
    if (good) {
        list_slots(pattern, order->slots);
        pick_colours(pattern, colours, marks, order);
        wf_list_colours((int)count, colours, order->colour_count, order->colour_start,
                        order->chunks);
    } else {
        wf_sweep_destroy(allocator, order);
    }
    wf_free(allocator, colours);
    wf_free(allocator, marks);
    return good ? WEFT_OK : WEFT_ERROR_MEMORY;
}

void wf_sweep_destroy(const WeftAllocator* allocator, WfSweepOrder* order) {
    wf_free(allocator, order->colour_start);
    wf_free(allocator, order->chunks);
    wf_free(allocator, order->slots);
    *order = (WfSweepOrder){0};
}

// ---------------------------------------------------------------------------------------------
// In and out

enum { SPARE = 3 };  // numbers that are read behind the last block, and not used

void wf_sweep_layout(const WfRowsPattern* p, WfArena* arena, WfSweep* sweep) {
    size_t n = (size_t)p->n, blocks = (size_t)p->block_start[n] - n;
    sweep->pattern = p;
    sweep->blocks = wf_arena_push(arena, 9 * blocks + SPARE, sizeof(float));
    sweep->inverses = wf_arena_push(arena, 9 * n + SPARE, sizeof(float));
    sweep->scalars = wf_arena_push(arena, (size_t)p->scalar_start[n], sizeof(float));
    sweep->b = wf_arena_push(arena, 4 * n, sizeof(float));
    sweep->d = wf_arena_push(arena, 4 * n, sizeof(float));
    sweep->other = wf_arena_push(arena, 4 * n, sizeof(float));
}

typedef struct SweepJob {
    const WfSweep* sweep;
    const WfBlockMatrix* matrix;
    const double* linear;
    const float* inverses;
    const float* from;
    float* to;
    const int* chunks;  // NULL: all of them, in order
} SweepJob;

// Where the blocks of row i begin, but for its diagonal.
static long first_block(const WfRowsPattern* p, int i) { return p->block_start[i] - (long)i; }

// The columns of a block that is kept row by row, as floats: of its transpose, as they stand.
static WF_INLINE void pack_transposed(const double* b, float* to) {
    for (int k = 0; k < 6; k += 3) wf_quad_store(to + k, wf_quad_narrow(b + k));
    for (int k = 6; k < 9; k++) to[k] = (float)b[k];
}

static WF_INLINE void pack(const double* b, float* to) {
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++) to[3 * k + j] = (float)b[3 * j + k];
}

static void fill_row(const SweepJob* job, int i) {
    const WfSweep* sweep = job->sweep;
    const WfRowsPattern* p = sweep->pattern;
    float* to = sweep->blocks + 9 * first_block(p, i);
    int own = p->upper_start[i], count = p->upper_start[i + 1] - own;
    for (int e = 0; e < count; e++, to += 9) pack(job->matrix->upper + 9 * (long)(own + e), to);
    for (int e = p->block_start[i] + 1; e < p->block_start[i + 1] - count; e++, to += 9)
        pack_transposed(job->matrix->upper + 9 * (long)(p->block_source[e] / 2), to);
    for (int e = p->scalar_start[i]; e < p->scalar_start[i + 1]; e++)
        sweep->scalars[e] = (float)job->linear[p->scalar_source[e]];
    static const int at[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    const float* inverse = job->inverses + 6 * (long)i;
    for (int k = 0; k < 9; k++) sweep->inverses[9 * (long)i + k] = inverse[at[k]];
}

static void fill_chunk(void* context, int chunk) {
    const SweepJob* job = context;
    int n = job->sweep->pattern->n;
    for (int i = chunk * CHUNK; i < n && i < (chunk + 1) * CHUNK; i++) fill_row(job, i);
}

void wf_sweep_fill(const WfSweep* sweep, const WfBlockMatrix* matrix, const double* linear,
                   const float* inverses) {
    SweepJob job = {.sweep = sweep, .matrix = matrix, .linear = linear, .inverses = inverses};
    wf_parallel(sweep->jobs, chunk_count(sweep->pattern->n), fill_chunk, &job);
}

void wf_sweep_begin(const WfSweep* sweep, double sign, const double* b, const double* d) {
    for (long i = 0; i < sweep->pattern->n; i++) {
        for (int k = 0; k < 3; k++) sweep->b[4 * i + k] = (float)(sign * b[3 * i + k]);
        for (int k = 0; k < 3; k++) sweep->d[4 * i + k] = d ? (float)d[3 * i + k] : 0;
        sweep->b[4 * i + 3] = sweep->d[4 * i + 3] = 0;
    }
}

void wf_sweep_end(const WfSweep* sweep, double* d) {
    for (long i = 0; i < sweep->pattern->n; i++)
        for (int k = 0; k < 3; k++) d[3 * i + k] = (double)sweep->d[4 * i + k];
}

// ---------------------------------------------------------------------------------------------
// Sweeps

// B w, B by its columns
static WF_INLINE WfQuad multiply(const float* b, WfQuad w) {
    WfQuad sum = wf_quad_add(wf_quad_mul_lane(wf_quad_load(b), w, 0),
                             wf_quad_mul_lane(wf_quad_load(b + 3), w, 1));
    return wf_quad_add(sum, wf_quad_mul_lane(wf_quad_load(b + 6), w, 2));
}

// The rows of a chunk. What is read in every row stands in local names: the compiler cannot know
// that the numbers that are written are none of these.
static void sweep_chunk(void* context, int index) {
    const SweepJob* job = context;
    const WfSweep* sweep = job->sweep;
    const WfRowsPattern* p = sweep->pattern;
    const int *start = p->block_start, *scalar_start = p->scalar_start,
              *slots = sweep->order->slots;
    const float *blocks = sweep->blocks, *inverses = sweep->inverses, *b = sweep->b, *d = job->from;
    float* to = job->to;
    int chunk = job->chunks ? job->chunks[index] : index, first = chunk * CHUNK;
    int end = first + CHUNK < p->n ? first + CHUNK : p->n;
    for (long i = first; i < end; i++) {
        WfQuad s = wf_quad_load(b + 4 * i);
        for (int e = scalar_start[i]; e < scalar_start[i + 1]; e++)
            s = wf_quad_sub(s, wf_quad_mul(wf_quad_set(sweep->scalars[e]),
                                           wf_quad_load(d + 4 * (long)p->scalar_index[e])));
        long e = start[i] - i, last = start[i + 1] - (i + 1);
        for (const float* block = blocks + 9 * e; e < last; e++, block += 9)
            s = wf_quad_sub(s, multiply(block, wf_quad_load(d + slots[e])));
        wf_quad_store(to + 4 * i, multiply(inverses + 9 * i, s));
    }
}

void wf_sweep_gauss_seidel(const WfSweep* sweep) {
    const WfSweepOrder* order = sweep->order;
    for (int k = 0; k < order->colour_count; k++) {
        int first = order->colour_start[k], count = order->colour_start[k + 1] - first;
        SweepJob job = {.sweep = sweep, .from = sweep->d, .to = sweep->d};
        job.chunks = order->chunks + first;
        wf_parallel(sweep->jobs, count, sweep_chunk, &job);
    }
}

void wf_sweep_jacobi(WfSweep* sweep) {
    SweepJob job = {.sweep = sweep, .from = sweep->d, .to = sweep->other};
    wf_parallel(sweep->jobs, chunk_count(sweep->pattern->n), sweep_chunk, &job);
    sweep->other = sweep->d;
    sweep->d = job.to;
}

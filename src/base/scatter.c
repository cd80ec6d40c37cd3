// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "base/scatter.h"

#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"

// Colours are kept as bits per row; meshes that need more go on sequentially, one chunk per colour.
enum { MAX_COLOURS = 64 };

// the lowest colour that none of the chunk's rows has yet, or MAX_COLOURS
static int pick_colour(const uint64_t* used, const int* rows, long first, long end) {
    uint64_t taken = 0;
    for (long r = first; r < end; r++) taken |= used[rows[r]];
    int colour = 0;
    while (colour < MAX_COLOURS && (taken >> colour & 1)) colour++;
    return colour;
}

void wf_list_colours(int count, const int* colours, int colour_count, int* start, int* items) {
    for (int i = 0; i < count; i++) start[colours[i] + 1]++;
    for (int k = 0; k < colour_count; k++) start[k + 1] += start[k];
    for (int i = 0; i < count; i++) items[start[colours[i]]++] = i;
    for (int k = colour_count; k > 0; k--) start[k] = start[k - 1];
    start[0] = 0;
}

WeftResult wf_scatter_create(const WeftAllocator* allocator, int row_count, int element_count,
                             int arity, const int* rows, int chunk_size, WfScatter* scatter) {
    *scatter = (WfScatter){.element_count = element_count, .chunk_size = chunk_size};
    int chunk_count = (element_count + chunk_size - 1) / chunk_size;
    scatter->chunk_count = chunk_count;
    uint64_t* used = wf_alloc(allocator, (size_t)row_count, sizeof *used);
    int* colour_of = wf_alloc(allocator, (size_t)chunk_count, sizeof *colour_of);
    scatter->chunks = wf_alloc(allocator, (size_t)chunk_count, sizeof(int));
    scatter->colour_start = wf_alloc(allocator, (size_t)chunk_count + 2, sizeof(int));
    WeftResult result = WEFT_ERROR_MEMORY;
    if (!used || !colour_of || !scatter->chunks || !scatter->colour_start) goto done;

    int colour_count = 0, overflow = 0;
    for (int c = 0; c < chunk_count; c++) {
        long first = (long)c * chunk_size * arity, end = first + (long)chunk_size * arity;
        if (end > (long)element_count * arity) end = (long)element_count * arity;
        int colour = pick_colour(used, rows, first, end);
        // once one chunk found no colour, all later ones run alone after it, in their order
        if (overflow || colour == MAX_COLOURS)
            colour = MAX_COLOURS + overflow++;
        else
            for (long r = first; r < end; r++) used[rows[r]] |= UINT64_C(1) << colour;
        colour_of[c] = colour;
        if (colour < MAX_COLOURS && colour + 1 > colour_count) colour_count = colour + 1;
    }
    // colours past the last used one move down to close the gap
    int gap = MAX_COLOURS - colour_count;
    scatter->colour_count = colour_count + overflow;
    for (int c = 0; c < chunk_count; c++)
        if (colour_of[c] >= MAX_COLOURS) colour_of[c] -= gap;
    wf_list_colours(chunk_count, colour_of, scatter->colour_count, scatter->colour_start,
                    scatter->chunks);
    result = WEFT_OK;
done:
    wf_free(allocator, used);
    wf_free(allocator, colour_of);
    if (result) wf_scatter_destroy(allocator, scatter);
    return result;
}

void wf_scatter_destroy(const WeftAllocator* allocator, WfScatter* scatter) {
    wf_free(allocator, scatter->chunks);
    wf_free(allocator, scatter->colour_start);
    *scatter = (WfScatter){0};
}

typedef struct ScatterJob {
    const WfScatter* scatter;
    WfScatterBody* body;
    void* context;
    int first;
} ScatterJob;

static void run_chunk(void* context, int index) {
    const ScatterJob* job = context;
    const WfScatter* s = job->scatter;
    int chunk = s->chunks[job->first + index];
    int first = chunk * s->chunk_size, end = first + s->chunk_size;
    job->body(job->context, chunk, first, end < s->element_count ? end : s->element_count);
}

void wf_scatter_run(const WfScatter* scatter, const WeftJobs* jobs, WfScatterBody* body,
                    void* context) {
    for (int colour = 0; colour < scatter->colour_count; colour++) {
        ScatterJob job = {scatter, body, context, scatter->colour_start[colour]};
        int count = scatter->colour_start[colour + 1] - job.first;
        wf_parallel(jobs, count, run_chunk, &job);
    }
}

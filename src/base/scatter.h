// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Loops over elements that add to shared rows (springs to vertices, blocks to a matrix), in
// parallel and with the same bits for any number of threads.
//
// Elements are cut into chunks in the order they come. Chunks that touch a common row get different
// colours; a loop runs colour after colour, the chunks of one colour in parallel. Every row thus
// receives its sums in one fixed order. Elements numbered along the mesh need three or four
// colours; elements in random order need as many as chunks, and the loop is then simply sequential.

#ifndef WF_BASE_SCATTER_H
#define WF_BASE_SCATTER_H

#include "weft/weft.h"

typedef struct WfScatter {
    int element_count, chunk_size, chunk_count, colour_count;
    int* colour_start;  // colour_count + 1
    int* chunks;        // chunk numbers, colour after colour
} WfScatter;

// Lists of items by colour, those of one colour in their order: items[start[k]] up to start[k + 1].
// start has room for colour_count + 1 numbers, all zero.
void wf_list_colours(int count, const int* colours, int colour_count, int* start, int* items);

// rows: `arity` rows per element.
WeftResult wf_scatter_create(const WeftAllocator* allocator, int row_count, int element_count,
                             int arity, const int* rows, int chunk_size, WfScatter* scatter);
void wf_scatter_destroy(const WeftAllocator* allocator, WfScatter* scatter);

// Call body(context, chunk, first, end) for every chunk of elements [first, end).
typedef void WfScatterBody(void* context, int chunk, int first, int end);
void wf_scatter_run(const WfScatter* scatter, const WeftJobs* jobs, WfScatterBody* body,
                    void* context);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "respond/swept.h"

#include <string.h>

#include "base/scatter.h"
#include "respond/singles.h"

// ---------------------------------------------------------------------------------------------
// Rows

enum { BLOCKS = 8, SCALARS = 8, SPARE = 3 };  // room, per vertex; and behind the last block

void wf_swept_layout(int vertex_count, WfArena* arena, WfSwept* swept) {
    size_t n = (size_t)vertex_count, chunks = (size_t)wf_swept_chunks(vertex_count);
    swept->block_room = BLOCKS * vertex_count;
    swept->scalar_room = SCALARS * vertex_count;
    swept->places = wf_arena_push(arena, n, sizeof(int));
    swept->block_start = wf_arena_push(arena, n + 1, sizeof(int));
    swept->scalar_start = wf_arena_push(arena, n + 1, sizeof(int));
    swept->blocks = wf_arena_push(arena, 9 * BLOCKS * n + SPARE, sizeof(float));
    swept->block_slots = wf_arena_push(arena, BLOCKS * n, sizeof(int));
    swept->scalars = wf_arena_push(arena, SCALARS * n, sizeof(float));
    swept->scalar_slots = wf_arena_push(arena, SCALARS * n, sizeof(int));
    swept->inverses = wf_arena_push(arena, n, sizeof(double));
    swept->first = wf_arena_push(arena, n, sizeof(int));
    swept->end = wf_arena_push(arena, n, sizeof(int));
    swept->moved = wf_arena_push(arena, 4 * n, sizeof(float));
    swept->colours = wf_arena_push(arena, chunks, sizeof(int));
    swept->marks = wf_arena_push(arena, chunks + 1, sizeof(int));
    swept->colour_start = wf_arena_push(arena, chunks + 2, sizeof(int));
    swept->chunks = wf_arena_push(arena, chunks, sizeof(int));
}

static void count_block(void* context, int block) {
    const WfRun* run = context;
    const WfTouchWork* work = run->touch->work;
    const WfRowsPattern* p = run->model->rows->pattern;
    const WfSwept* swept = &work->packed;
    for (int k = block * WF_ITEM_BLOCK; k < wf_item_end(work->swept_count, block); k++) {
        int i = work->swept[k], blocks = 0, scalars = 0;
        for (int e = p->block_start[i]; e < p->block_start[i + 1]; e++)
            blocks += swept->places[p->block_index[e]] >= 0;
        for (int e = p->scalar_start[i]; e < p->scalar_start[i + 1]; e++)
            scalars += swept->places[p->scalar_index[e]] >= 0;
        swept->block_start[k + 1] = blocks;
        swept->scalar_start[k + 1] = scalars;
    }
}

// b: xx yx, xy yy, xz yz, zx zy, zz; to: its columns
static void pack_block(const double* b, float* to) {
    static const int from[9] = {0, 1, 6, 2, 3, 7, 4, 5, 8};
    for (int k = 0; k < 9; k++) to[k] = (float)b[from[k]];
}

static void fill_row(const WfRun* run, int k) {
    const WfTouchWork* work = run->touch->work;
    const WfRows* rows = run->model->rows;
    const WfRowsPattern* p = rows->pattern;
    const WfSwept* swept = &work->packed;
    int i = work->swept[k], block = swept->block_start[k], scalar = swept->scalar_start[k];
    for (int e = p->block_start[i]; e < p->block_start[i + 1]; e++) {
        int place = swept->places[p->block_index[e]];
        if (place < 0) continue;
        pack_block(rows->blocks + 9 * (long)e, swept->blocks + 9 * (long)block);
        swept->block_slots[block++] = 4 * place;
    }
    for (int e = p->scalar_start[i]; e < p->scalar_start[i + 1]; e++) {
        int place = swept->places[p->scalar_index[e]];
        if (place < 0) continue;
        swept->scalars[scalar] = (float)rows->scalars[e];
        swept->scalar_slots[scalar++] = 4 * place;
    }
}

static void fill_block(void* context, int block) {
    const WfRun* run = context;
    int count = run->touch->work->swept_count;
    for (int k = block * WF_ITEM_BLOCK; k < wf_item_end(count, block); k++) fill_row(run, k);
}

// ---------------------------------------------------------------------------------------------
// Colours

// marks[colour] = chunk + 1 for every colour that an earlier neighbour of the chunk has
static void mark_neighbours(const WfSwept* swept, const int* slots, int first, int end, int chunk) {
    for (int e = first; e < end; e++) {
        int other = slots[e] / (4 * WF_SWEPT_CHUNK);
        if (other < chunk) swept->marks[swept->colours[other]] = chunk + 1;
    }
}

// Each chunk gets the lowest colour that no earlier neighbour has.
static void pick_colours(WfSwept* swept, int count) {
    int chunks = wf_swept_chunks(count);
    memset(swept->marks, 0, ((size_t)chunks + 1) * sizeof(int));
    swept->colour_count = 0;
    for (int c = 0; c < chunks; c++) {
        int first = c * WF_SWEPT_CHUNK;
        int end = first + WF_SWEPT_CHUNK < count ? first + WF_SWEPT_CHUNK : count, colour = 0;
        mark_neighbours(swept, swept->block_slots, swept->block_start[first],
                        swept->block_start[end], c);
        mark_neighbours(swept, swept->scalar_slots, swept->scalar_start[first],
                        swept->scalar_start[end], c);
        while (swept->marks[colour] == c + 1) colour++;
        swept->colours[c] = colour;
        if (colour >= swept->colour_count) swept->colour_count = colour + 1;
    }
    memset(swept->colour_start, 0, ((size_t)swept->colour_count + 1) * sizeof(int));
    wf_list_colours(chunks, swept->colours, swept->colour_count, swept->colour_start,
                    swept->chunks);
}

bool wf_swept_pack(const WfRun* run) {
    const WfTouch* touch = run->touch;
    const WeftJobs* jobs = touch->vectors.jobs;
    WfTouchWork* work = touch->work;
    WfSwept* swept = &work->packed;
    int count = work->swept_count, blocks = wf_item_blocks(count);
    memset(swept->places, -1, (size_t)touch->vertex_count * sizeof(int));
    for (int k = 0; k < count; k++) swept->places[work->swept[k]] = k;
    wf_parallel(jobs, blocks, count_block, (void*)run);
    swept->block_start[0] = swept->scalar_start[0] = 0;
    for (int k = 0; k < count; k++) {
        swept->block_start[k + 1] += swept->block_start[k];
        swept->scalar_start[k + 1] += swept->scalar_start[k];
        if (swept->block_start[k + 1] > swept->block_room) return false;
        if (swept->scalar_start[k + 1] > swept->scalar_room) return false;
    }
    wf_parallel(jobs, blocks, fill_block, (void*)run);
    pick_colours(swept, count);
    return true;
}

static void begin_block(void* context, int block) {
    const WfTouch* touch = context;
    const WfTouchWork* work = touch->work;
    const WfSwept* swept = &work->packed;
    for (int k = block * WF_ITEM_BLOCK; k < wf_item_end(work->swept_count, block); k++) {
        int i = work->swept[k];
        swept->end[k] = wf_singles_of(touch->contacts, i, &swept->first[k]);
        swept->inverses[k] = 1 / (work->diagonal[i] + work->layers[i]);
        wf_swept_move(swept, k, wf_load(work->moved, i));
    }
}

void wf_swept_begin(const WfRun* run) {
    const WfTouch* touch = run->touch;
    wf_parallel(touch->vectors.jobs, wf_item_blocks(touch->work->swept_count), begin_block,
                (void*)touch);
}

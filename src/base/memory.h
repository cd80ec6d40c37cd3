// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Memory from the user's allocator, and an arena that carves one block into arrays.

#ifndef WF_BASE_MEMORY_H
#define WF_BASE_MEMORY_H

#include "weft/weft.h"

// malloc and free where the user named nothing (or passed NULL).
WeftAllocator wf_allocator(const WeftAllocator* user);

// count zeroed items, or NULL. A count of zero gives memory too, so that NULL always means failure.
void* wf_alloc(const WeftAllocator* allocator, size_t count, size_t size);
void wf_free(const WeftAllocator* allocator, void* memory);
// Scratch for `count` items: what there was, or new memory for twice as many (256 at least),
// without what was in it. *capacity is 0 where memory is lacking.
void* wf_renew(const WeftAllocator* allocator, void* memory, int* capacity, int count, size_t size);

// An arena is laid out twice by the same function: first with no memory, which only measures, then
// with a block of that size. Everything in it is freed at once.
//
//     WfArena arena = {0};
//     layout(&arena, &arrays);                        // base is NULL: counts bytes
//     arena = wf_arena_create(allocator, arena.used);
//     layout(&arena, &arrays);                        // hands out the arrays
typedef struct WfArena {
    unsigned char* base;
    size_t used, size;
} WfArena;

bool wf_arena_create(WfArena* arena, const WeftAllocator* allocator, size_t size);
void wf_arena_destroy(WfArena* arena, const WeftAllocator* allocator);
// The next count items, aligned to 64 bytes, not zeroed. NULL while measuring.
void* wf_arena_push(WfArena* arena, size_t count, size_t size);

#endif

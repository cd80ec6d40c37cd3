// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

static void* default_allocate(void* user, size_t bytes) {
    (void)user;
    return malloc(bytes);
}

static void default_release(void* user, void* memory) {
    (void)user;
    free(memory);
}

WeftAllocator wf_allocator(const WeftAllocator* user) {
    if (user && user->allocate) return *user;
    return (WeftAllocator){default_allocate, default_release, NULL};
}

void* wf_alloc(const WeftAllocator* allocator, size_t count, size_t size) {
    if (count > 0 && size > SIZE_MAX / 2 / count) return NULL;
    size_t bytes = count * size > 0 ? count * size : 1;
    void* memory = allocator->allocate(allocator->user, bytes);
    if (memory) memset(memory, 0, bytes);
    return memory;
}

void wf_free(const WeftAllocator* allocator, void* memory) {
    if (memory) allocator->release(allocator->user, memory);
}

enum { LEAST_RENEWED = 256 };

void* wf_renew(const WeftAllocator* allocator, void* memory, int* capacity, int count,
               size_t size) {
    if (*capacity >= count) return memory;
    int wanted = count < LEAST_RENEWED / 2 ? LEAST_RENEWED : 2 * count;
    wf_free(allocator, memory);
    memory = wf_alloc(allocator, (size_t)wanted, size);
    *capacity = memory ? wanted : 0;
    return memory;
}

enum { ARENA_ALIGNMENT = 64 };

bool wf_arena_create(WfArena* arena, const WeftAllocator* allocator, size_t size) {
    // room to align the block itself
    unsigned char* base = wf_alloc(allocator, size + ARENA_ALIGNMENT, 1);
    *arena = (WfArena){.base = base, .size = base ? size + ARENA_ALIGNMENT : 0};
    return base != NULL;
}

void wf_arena_destroy(WfArena* arena, const WeftAllocator* allocator) {
    wf_free(allocator, arena->base);
    *arena = (WfArena){0};
}

void* wf_arena_push(WfArena* arena, size_t count, size_t size) {
    size_t bytes = (count * size + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
    if (!arena->base) {
        arena->used += bytes;
        return NULL;
    }
    size_t skew = (size_t)((uintptr_t)arena->base % ARENA_ALIGNMENT);
    size_t start = (skew ? ARENA_ALIGNMENT - skew : 0) + arena->used;
    wf_assert(start + bytes <= arena->size);
    arena->used += bytes;
    return arena->base + start;
}

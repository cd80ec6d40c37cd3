// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// An allocator that counts calls, blocks and bytes, and fails on demand. Not for several threads.

#ifndef WEFT_TEST_COUNTING_H
#define WEFT_TEST_COUNTING_H

#include <stddef.h>
#include <stdlib.h>

#include "weft/weft.h"

typedef struct Counting {
    long calls;          // allocations asked for
    long live;           // blocks not given back
    size_t bytes, peak;  // in those blocks, now and at most
    long fail_at;        // the call that fails, counted from 1; 0: none
} Counting;

// every block begins with its size; 16 bytes keep the alignment that allocators promise
enum { COUNTING_HEADER = 16 };

static inline void* counting_allocate(void* user, size_t bytes) {
    Counting* c = (Counting*)user;
    if (++c->calls == c->fail_at) return NULL;
    unsigned char* block = (unsigned char*)malloc(bytes + COUNTING_HEADER);
    if (!block) return NULL;
    *(size_t*)(void*)block = bytes;
    c->live++;
    c->bytes += bytes;
    if (c->bytes > c->peak) c->peak = c->bytes;
    return block + COUNTING_HEADER;
}

static inline void counting_release(void* user, void* memory) {
    Counting* c = (Counting*)user;
    unsigned char* block = (unsigned char*)memory - COUNTING_HEADER;
    c->live--;
    c->bytes -= *(size_t*)(void*)block;
    free(block);
}

static inline WeftAllocator counting_allocator(Counting* c) {
    WeftAllocator allocator = {counting_allocate, counting_release, c};
    return allocator;
}

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The pairs of vertices that terms join, as patterns of matrices are made of them: visited once to
// be counted, and again to be kept.

#ifndef WF_ENERGY_JOINS_H
#define WF_ENERGY_JOINS_H

#include "base/memory.h"

typedef struct WfJoins {
    int* pairs;  // two vertices each; NULL: they are counted
    int count;
} WfJoins;

static inline void wf_visit_join(void* joins, int a, int b) {
    WfJoins* list = joins;
    if (list->pairs) {
        list->pairs[2 * (long)list->count] = a;
        list->pairs[2 * (long)list->count + 1] = b;
    }
    list->count++;
}

// Between the two visits; false for lack of memory.
static inline bool wf_keep_joins(const WeftAllocator* allocator, WfJoins* list) {
    list->pairs = wf_alloc(allocator, 2 * (size_t)list->count, sizeof(int));
    list->count = 0;
    return list->pairs != NULL;
}

#endif

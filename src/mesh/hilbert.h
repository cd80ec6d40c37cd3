// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Orders of points in which neighbours come close together.

#ifndef WF_MESH_HILBERT_H
#define WF_MESH_HILBERT_H

#include <stdint.h>

#include "mesh/exact.h"

typedef struct WfKey {
    uint64_t key;
    int index;
} WfKey;

// Sort by key, keeping the order of equals; `scratch` is as long as `keys`.
void wf_sort_keys(WfKey* keys, WfKey* scratch, int count);
// The first of sorted keys that is not smaller; `count` past the last.
int wf_first_key(const WfKey* keys, int count, uint64_t key);

// Two vertices, in either order.
static inline uint64_t wf_pair_key(int a, int b) {
    uint64_t low = (uint64_t)(a < b ? a : b), high = (uint64_t)(a < b ? b : a);
    return low << 32 | high;
}

// A number without pattern for every input (the finaliser of splitmix64, Steele 2014).
static inline uint64_t wf_mix(uint64_t x) {
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

// The order in which to insert points into a triangulation: order[i] is a point.
void wf_insertion_order(const WfPoint* points, int count, WfKey* keys, WfKey* scratch, int* order);

#endif

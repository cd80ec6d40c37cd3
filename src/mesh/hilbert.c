// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A Hilbert curve fills the square so that points close on the curve are close in the square: the
// walk from one to the next is short. Taken alone it would grow long thin triangles towards what
// is still empty, so the points go in by rounds, each about twice as many as all before it, drawn
// by lot (biased randomised insertion, Amenta, Choi and Rote 2003): the first rounds are sparse
// and cover everything.

#include "mesh/hilbert.h"

#include <string.h>

enum { GRID_BITS = 27, LAST_ROUND = 20 };

// Eight passes by one byte each, least first; passes in which all keys agree are left out.
void wf_sort_keys(WfKey* keys, WfKey* scratch, int count) {
    WfKey *from = keys, *to = scratch;
    for (int shift = 0; shift < 64; shift += 8) {
        int start[257] = {0};
        for (int i = 0; i < count; i++) start[(from[i].key >> shift & 255) + 1]++;
        if (count == 0 || start[(from[0].key >> shift & 255) + 1] == count) continue;
        for (int b = 0; b < 256; b++) start[b + 1] += start[b];
        for (int i = 0; i < count; i++) to[start[from[i].key >> shift & 255]++] = from[i];
        WfKey* other = from;
        from = to;
        to = other;
    }
    if (from != keys) memcpy(keys, from, (size_t)count * sizeof *keys);
}

int wf_first_key(const WfKey* keys, int count, uint64_t key) {
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (keys[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// How far along the curve the point lies: two bits per level, coarse to fine.
static uint64_t hilbert_distance(WfPoint p) {
    uint32_t x = (uint32_t)p.x, y = (uint32_t)p.y, mask = (UINT32_C(1) << GRID_BITS) - 1;
    uint64_t distance = 0;
    for (int bit = GRID_BITS - 1; bit >= 0; bit--) {
        uint32_t right = x >> bit & 1, up = y >> bit & 1;
        distance = distance << 2 | (3 * right ^ up);
        if (up) continue;
        // the two lower quarters run turned, the right one backwards too
        uint32_t turned = right ? mask - x : x;
        x = right ? mask - y : y;
        y = turned;
    }
    return distance;
}

// Half of the points in the last round, a quarter in the one before, ...
static uint64_t draw_round(int point) {
    uint64_t lot = wf_mix((uint64_t)point), round = LAST_ROUND;
    while (round > 0 && lot & 1) lot >>= 1, round--;
    return round;
}

void wf_insertion_order(const WfPoint* points, int count, WfKey* keys, WfKey* scratch, int* order) {
    for (int i = 0; i < count; i++)
        keys[i] = (WfKey){draw_round(i) << 2 * GRID_BITS | hilbert_distance(points[i]), i};
    wf_sort_keys(keys, scratch, count);
    for (int i = 0; i < count; i++) order[i] = keys[i].index;
}

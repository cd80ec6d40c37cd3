// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "render/weld.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

static uint64_t print_place(const float* p) {
    uint64_t hash = WF_HASH_START;
    for (int k = 0; k < 3; k++) {
        float value = p[k] + 0.0f;  // of two zeros one
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        hash = wf_hash_word(hash, bits);
    }
    return hash;
}

static bool is_same(const float* a, const float* b) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

// A table of the first vertex of every place, by its fingerprint.
static void find_places(const WeftBindingDef* def, int* table, size_t size, WfWeld* weld) {
    for (size_t k = 0; k < size; k++) table[k] = -1;
    for (int i = 0; i < def->vertex_count; i++) {
        const float* p = def->positions + 3 * (long)i;
        size_t at = (size_t)print_place(p) & (size - 1);
        while (table[at] >= 0 && !is_same(def->positions + 3 * (long)table[at], p))
            at = (at + 1) & (size - 1);
        if (table[at] >= 0) {
            weld->of[i] = weld->of[table[at]];
            continue;
        }
        table[at] = i;
        weld->of[i] = weld->count;
        wf_store(weld->positions, weld->count++, wf_load_floats(def->positions, i));
    }
}

static void take_triangles(const WeftBindingDef* def, WfWeld* weld) {
    for (int t = 0; t < def->triangle_count; t++) {
        int* to = weld->triangles + 3 * (long)weld->triangle_count;
        for (int k = 0; k < 3; k++) to[k] = weld->of[def->triangles[3 * (long)t + k]];
        weld->triangle_count += to[0] != to[1] && to[1] != to[2] && to[2] != to[0];
    }
}

// Parts that no vertex is of stay at 0.
static void find_middles(const WeftBindingDef* def, int* counts, WfWeld* weld) {
    double* middles = weld->positions + 3 * (long)weld->count;
    for (int i = 0; i < def->vertex_count && def->rigid; i++) {
        if (def->rigid[i] < 0) continue;
        wf_accumulate(middles, def->rigid[i], 1, wf_load_floats(def->positions, i));
        counts[def->rigid[i]]++;
    }
    for (int k = 0; k < weld->part_count; k++)
        if (counts[k] > 0) wf_store(middles, k, wf_mul(1.0 / counts[k], wf_load(middles, k)));
}

bool wf_weld_create(const WeftAllocator* allocator, const WeftBindingDef* def, WfWeld* weld) {
    size_t n = (size_t)def->vertex_count, size = 16;
    *weld = (WfWeld){0};
    while (size < 2 * n) size *= 2;
    for (size_t i = 0; i < n && def->rigid; i++)
        if (def->rigid[i] >= weld->part_count) weld->part_count = def->rigid[i] + 1;
    int* table = wf_alloc(allocator, size, sizeof *table);
    int* counts = wf_alloc(allocator, n, sizeof *counts);
    weld->of = wf_alloc(allocator, n, sizeof(int));
    weld->positions = wf_alloc(allocator, 3 * (n + (size_t)weld->part_count), sizeof(double));
    weld->triangles = wf_alloc(allocator, 3 * (size_t)def->triangle_count, sizeof(int));
    bool good = table && counts && weld->of && weld->positions && weld->triangles;
    if (good) {
        find_places(def, table, size, weld);
        take_triangles(def, weld);
        find_middles(def, counts, weld);
    }
    wf_free(allocator, table);
    wf_free(allocator, counts);
    return good;
}

void wf_weld_destroy(const WeftAllocator* allocator, WfWeld* weld) {
    wf_free(allocator, weld->of);
    wf_free(allocator, weld->positions);
    wf_free(allocator, weld->triangles);
    *weld = (WfWeld){0};
}

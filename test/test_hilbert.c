// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards mesh/hilbert.c: the sort, and an insertion order that is complete and local.

#include "mesh/hilbert.h"

#include "test.h"

enum { COUNT = 20000 };

static WfKey keys[COUNT], scratch[COUNT];

static void sorts_and_keeps_equals(void) {
    for (int i = 0; i < COUNT; i++)
        keys[i] = (WfKey){wf_mix((uint64_t)(i % 5000)) & ~UINT64_C(0xff00), i};
    wf_sort_keys(keys, scratch, COUNT);
    int wrong = 0;
    for (int i = 1; i < COUNT; i++)
        wrong += keys[i - 1].key > keys[i].key ||
                 (keys[i - 1].key == keys[i].key && keys[i - 1].index >= keys[i].index);
    CHECK(wrong == 0);
    wf_sort_keys(keys, scratch, 0);
}

static void first_keys(void) {
    static const WfKey sorted[5] = {{2, 0}, {4, 1}, {4, 2}, {4, 3}, {9, 4}};
    static const int first[11] = {0, 0, 0, 1, 1, 4, 4, 4, 4, 4, 5};
    for (int key = 0; key <= 10; key++) CHECK(wf_first_key(sorted, 5, (uint64_t)key) == first[key]);
    CHECK(wf_first_key(sorted, 0, 3) == 0);
}

static void insertion_order(void) {
    static WfPoint points[COUNT];
    static int order[COUNT], seen[COUNT];
    for (int i = 0; i < COUNT; i++) {
        uint64_t bits = wf_mix((uint64_t)i);
        points[i] =
            (WfPoint){(int32_t)(bits % WF_GRID_SIZE), (int32_t)((bits >> 32) % WF_GRID_SIZE)};
    }
    wf_insertion_order(points, COUNT, keys, scratch, order);
    double way = 0;
    for (int i = 0; i < COUNT; i++) {
        seen[order[i]]++;
        if (i > 0)
            way += hypot(points[order[i]].x - points[order[i - 1]].x,
                         points[order[i]].y - points[order[i - 1]].y) /
                   WF_GRID_SIZE;
    }
    int once = 0;
    for (int i = 0; i < COUNT; i++) once += seen[i] == 1;
    CHECK(once == COUNT);
    // rounds of n, n/2, n/4 ... points, each a walk of about 0.92 sqrt(n): 3.1 sqrt(n) in all
    CHECK_BELOW(way, 4 * sqrt(COUNT));
    // the first points are spread over all four quarters
    int quarters = 0;
    for (int i = 0; i < 64; i++)
        quarters |= 1 << (points[order[i]].x / (WF_GRID_SIZE / 2) +
                          points[order[i]].y / (WF_GRID_SIZE / 2) * 2);
    CHECK(quarters == 15);
}

TEST_MAIN(CASE(sorts_and_keeps_equals), CASE(first_keys), CASE(insertion_order))

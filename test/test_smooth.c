// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards mesh/smooth.c: angles grow, bound vertices stay, triangles stay counter-clockwise.

#include "mesh/smooth.h"

#include "mesh/hilbert.h"
#include "mesh_test.h"

enum { SIDE = 30, STEP = 1000000, LOW = 10000000, BOUND = 4 * SIDE, INSIDE = 1000 };
enum { COUNT = BOUND + INSIDE + 4 };

static WfPoint points[COUNT];
static int successor[COUNT], order[COUNT];
static WfKey keys[COUNT], scratch[COUNT];

// A square with points thrown in at random: slivers everywhere.
static void make_points(void) {
    static const int way[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    WfPoint p = {LOW, LOW};
    for (int i = 0; i < BOUND; i++) {
        points[i] = p;
        successor[i] = (i + 1) % BOUND;
        p.x += STEP * way[i / SIDE][0];
        p.y += STEP * way[i / SIDE][1];
    }
    for (int i = BOUND; i < BOUND + INSIDE; i++) {
        uint64_t lot = wf_mix((uint64_t)i);
        int room = SIDE * STEP - 2;
        points[i] = (WfPoint){LOW + 1 + (int)(lot % (uint64_t)room),
                              LOW + 1 + (int)((lot >> 32) % (uint64_t)room)};
        successor[i] = -1;
    }
    static const WfPoint corners[] = {
        {0, 0}, {WF_GRID_SIZE, 0}, {WF_GRID_SIZE, WF_GRID_SIZE}, {0, WF_GRID_SIZE}};
    for (int i = 0; i < 4; i++) {
        points[COUNT - 4 + i] = corners[i];
        successor[COUNT - 4 + i] = i < 3 ? COUNT - 3 + i : COUNT - 4;  // so that they stay, too
    }
    wf_insertion_order(points, COUNT - 4, keys, scratch, order);
}

static int count_sharp(const WfDelaunay* d, double degrees, int* flat) {
    int sharp = 0;
    for (int t = 0; t < d->triangle_count; t++) {
        const int* v = d->triangles[t].vertex;
        double area = (double)wf_orient(points[v[0]], points[v[1]], points[v[2]]), least = 180;
        *flat += area <= 0;
        for (int k = 0; k < 3; k++) {
            WfPoint o = points[v[k]], p = points[v[(k + 1) % 3]], q = points[v[(k + 2) % 3]];
            double dot = (double)(p.x - o.x) * (q.x - o.x) + (double)(p.y - o.y) * (q.y - o.y);
            least = fmin(least, atan2(area, dot) * 57.29577951308232);
        }
        bool inside = true;
        for (int k = 0; k < 3; k++) inside &= v[k] < COUNT - 4;
        sharp += inside && least < degrees;
    }
    return sharp;
}

static void random_points_become_even(void) {
    make_points();
    TestMemory memory = {.fail_at = -1};
    WeftAllocator allocator = test_allocator(&memory);
    WfDelaunay d;
    int twins[2], flat = 0;
    CHECK(wf_delaunay_create(&allocator, points, COUNT, successor, order, &d, twins, NULL) ==
          WEFT_OK);
    CHECK(twins[0] == -1);
    WfPoint before[BOUND];
    memcpy(before, points, sizeof before);
    CHECK(count_sharp(&d, 25, &flat) > 500);
    wf_smooth(&d, STEP);
    CHECK(memcmp(before, points, sizeof before) == 0);
    CHECK_BELOW(count_sharp(&d, 25, &flat), 5);
    CHECK(flat == 0);
    wf_delaunay_destroy(&allocator, &d);
    CHECK(memory.live == 0);
}

TEST_MAIN(CASE(random_points_become_even))

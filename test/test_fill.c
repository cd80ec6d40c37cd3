// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards mesh/fill.c: as many points as fit, clear of the boundary, the same for the same seed.

#include "mesh/fill.h"

#include "mesh_test.h"

enum { SIDE = 100, STEP = 200000, LOW = 5000000 };

static WfPoint boundary[4 * SIDE];
static int successor[4 * SIDE];

// a square of SIDE x SIDE spacings
static WfShape make_square(void) {
    static const int way[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    WfPoint p = {LOW, LOW};
    for (int i = 0; i < 4 * SIDE; i++) {
        boundary[i] = p;
        successor[i] = (i + 1) % (4 * SIDE);
        p.x += STEP * way[i / SIDE][0];
        p.y += STEP * way[i / SIDE][1];
    }
    return (WfShape){boundary, successor, 4 * SIDE, STEP, 1, 1000000};
}

static void fills_a_square(void) {
    WfShape shape = make_square();
    TestMemory memory = {.fail_at = -1};
    WeftAllocator allocator = test_allocator(&memory);
    WfPoint *points = NULL, *other = NULL;
    int count = 0, other_count = 0;
    CHECK(wf_fill_shape(&allocator, &shape, 3, 4, &points, &count, NULL) == WEFT_OK);
    double wanted = (SIDE - 0.866) * (SIDE - 0.866) / 0.866;
    CHECK_NEAR(count / wanted, 1, 0.01);
    int clear = 0;
    for (int i = 0; i < count; i++) {
        WfPoint p = points[3 + i];
        int x = p.x - LOW, y = p.y - LOW, far = SIDE * STEP;
        int gap = x < y ? x : y;
        if (far - x < gap) gap = far - x;
        if (far - y < gap) gap = far - y;
        clear += gap >= 0.5 * STEP - 1;
    }
    CHECK(clear == count);
    CHECK(wf_fill_shape(&allocator, &shape, 3, 4, &other, &other_count, NULL) == WEFT_OK);
    CHECK(other_count == count && !memcmp(points + 3, other + 3, (size_t)count * sizeof *points));
    allocator.release(&memory, other);
    shape.seed = 2;
    CHECK(wf_fill_shape(&allocator, &shape, 3, 4, &other, &other_count, NULL) == WEFT_OK);
    CHECK(memcmp(points + 3, other + 3, (size_t)100 * sizeof *points) != 0);
    allocator.release(&memory, other);
    allocator.release(&memory, points);
    CHECK(memory.live == 0);
}

static void too_many(void) {
    WfShape shape = make_square();
    shape.most = 5000;
    TestMemory memory = {.fail_at = -1};
    WeftAllocator allocator = test_allocator(&memory);
    WfPoint* points = NULL;
    int count;
    WeftError error;
    CHECK(wf_fill_shape(&allocator, &shape, 0, 0, &points, &count, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "more than 5000 vertices");
    CHECK(points == NULL && memory.live == 0);
}

// Spacings about as large as the shape once threw points out of the grid.
static void large_spacing(void) {
    WfShape shape = make_square();
    TestMemory memory = {.fail_at = -1};
    WeftAllocator allocator = test_allocator(&memory);
    for (double spacing = STEP; spacing < 1e15; spacing *= 1.3) {
        shape.spacing = spacing;
        WfPoint* points = NULL;
        int count = 0, out = 0;
        CHECK(wf_fill_shape(&allocator, &shape, 0, 0, &points, &count, NULL) == WEFT_OK);
        for (int i = 0; i < count; i++)
            out += points[i].x < LOW || points[i].x > LOW + SIDE * STEP || points[i].y < LOW ||
                   points[i].y > LOW + SIDE * STEP;
        CHECK(out == 0);
        allocator.release(&memory, points);
    }
}

TEST_MAIN(CASE(fills_a_square), CASE(too_many), CASE(large_spacing))

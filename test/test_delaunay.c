// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards mesh/delaunay.c: a Delaunay triangulation of anything, with the edges it was told to have.

#include "mesh/delaunay.h"

#include "mesh/hilbert.h"
#include "mesh_test.h"

enum { MOST = 4004 };

static WfPoint points[MOST];
static int successor[MOST], order[MOST];
static WfKey keys[MOST], scratch[MOST];
static WfDelaunay delaunay;
static TestMemory memory;

static WeftResult create(int count, int* twins) {
    WeftAllocator allocator = test_allocator(&memory);
    points[count] = (WfPoint){0, 0};
    points[count + 1] = (WfPoint){WF_GRID_SIZE, 0};
    points[count + 2] = (WfPoint){WF_GRID_SIZE, WF_GRID_SIZE};
    points[count + 3] = (WfPoint){0, WF_GRID_SIZE};
    wf_insertion_order(points, count, keys, scratch, order);
    return wf_delaunay_create(&allocator, points, count + 4, successor, order, &delaunay, twins,
                              NULL);
}

static void start(void) {
    memory = (TestMemory){.fail_at = -1};
    for (int i = 0; i < MOST; i++) successor[i] = -1;
}

static void finish(void) {
    WeftAllocator allocator = test_allocator(&memory);
    wf_delaunay_destroy(&allocator, &delaunay);
    CHECK(memory.live == 0);
}

static int random_step(uint64_t i, int most) { return 1 + (int)(wf_mix(i) % (uint64_t)(most - 1)); }

// Links that agree, positive areas that add up to the square, and no vertex inside the circle
// of a triangle next door, but across bound edges.
static void check_triangulation(int in) {
    const WfDelaunay* d = &delaunay;
    CHECK(d->triangle_count == 2 + 2 * in);
    int64_t area = 0;
    int bad_links = 0, bad_circles = 0, flat = 0;
    for (int t = 0; t < d->triangle_count; t++) {
        const WfTriangle* here = &d->triangles[t];
        const int* v = here->vertex;
        int64_t twice = wf_orient(points[v[0]], points[v[1]], points[v[2]]);
        area += twice;
        flat += twice <= 0;
        for (int k = 0; k < 3; k++) {
            if (here->next[k] < 0) continue;
            const WfTriangle* there = &d->triangles[here->next[k]];
            int j = there->next[0] == t ? 0 : there->next[1] == t ? 1 : 2;
            int a = v[(k + 1) % 3], b = v[(k + 2) % 3];
            bad_links += there->next[j] != t || there->vertex[(j + 1) % 3] != b ||
                         there->vertex[(j + 2) % 3] != a;
            bad_circles += !wf_delaunay_bound(d, a, b) &&
                           wf_in_circle(points[v[0]], points[v[1]], points[v[2]],
                                        points[there->vertex[j]]) > 0;
        }
    }
    for (int v = 0; v < d->point_count; v++)
        bad_links +=
            d->star[v] >= 0 &&
            d->triangles[d->star[v]].vertex[wf_corner_of(&d->triangles[d->star[v]], v)] != v;
    CHECK(flat == 0 && bad_links == 0 && bad_circles == 0);
    CHECK(area == 2 * (int64_t)WF_GRID_SIZE * WF_GRID_SIZE);
}

static void random_points(void) {
    start();
    for (int i = 0; i < 4000; i++)
        points[i] = (WfPoint){random_step((uint64_t)i, WF_GRID_SIZE),
                              random_step((uint64_t)i + 10000, WF_GRID_SIZE)};
    int twins[2];
    CHECK(create(4000, twins) == WEFT_OK);
    check_triangulation(4000);
    finish();
}

// every point on many lines and circles
static void square_lattice(void) {
    start();
    for (int i = 0; i < 3600; i++)
        points[i] =
            (WfPoint){(1 + i % 60) * (WF_GRID_SIZE / 64), (1 + i / 60) * (WF_GRID_SIZE / 64)};
    int twins[2];
    CHECK(create(3600, twins) == WEFT_OK);
    check_triangulation(3600);
    finish();
}

static void on_one_line(void) {
    start();
    for (int i = 0; i < 500; i++) points[i] = (WfPoint){(i + 1) * 1000, (i + 1) * 2000};
    int twins[2];
    CHECK(create(500, twins) == WEFT_OK);
    check_triangulation(500);
    finish();
}

static void coincident_points(void) {
    start();
    for (int i = 0; i < 600; i++) points[i] = (WfPoint){random_step((uint64_t)i % 300, 4096), 77};
    int twins[2], in = 0;
    CHECK(create(600, twins) == WEFT_OK);
    CHECK(twins[0] == -1);
    for (int i = 0; i < 600; i++) in += delaunay.star[i] >= 0;
    CHECK(in <= 300 && in > 200);
    check_triangulation(in);
    finish();
    successor[5] = 6, successor[305] = 306;
    CHECK(create(600, twins) == WEFT_OK);
    CHECK(twins[0] + twins[1] == 310 && (twins[0] == 5 || twins[0] == 305));
    finish();
}

static bool has_edge(int a, int b) {
    int t = delaunay.star[a];
    for (int turns = 0; turns < MOST; turns++) {
        const WfTriangle* here = &delaunay.triangles[t];
        int k = wf_corner_of(here, a);
        if (here->vertex[(k + 1) % 3] == b) return true;
        t = here->next[(k + 1) % 3];
        if (t == delaunay.star[a]) return false;
    }
    return false;
}

// A comb of long edges through a crowd of points.
static void bound_edges(void) {
    start();
    for (int i = 0; i < 3000; i++)
        points[i] = (WfPoint){random_step((uint64_t)i, WF_GRID_SIZE),
                              random_step((uint64_t)i + 50000, WF_GRID_SIZE)};
    int twins[2], blocked[2], last = 3000 - 40;
    for (int i = 0; i < 20; i++) {
        // nearly parallel, so that none cross
        points[last + 2 * i] = (WfPoint){1000 + i, (i + 1) * (WF_GRID_SIZE / 23) + i * i};
        points[last + 2 * i + 1] = (WfPoint){WF_GRID_SIZE - 999 - i, (i + 2) * (WF_GRID_SIZE / 23)};
        successor[last + 2 * i] = last + 2 * i + 1;
    }
    CHECK(create(3000, twins) == WEFT_OK);
    for (int i = 0; i < 20; i++) {
        CHECK(wf_delaunay_bind(&delaunay, last + 2 * i, last + 2 * i + 1, blocked));
        CHECK(has_edge(last + 2 * i, last + 2 * i + 1));
    }
    wf_delaunay_restore(&delaunay);
    for (int i = 0; i < 20; i++) CHECK(has_edge(last + 2 * i, last + 2 * i + 1));
    check_triangulation(3000);
    finish();
}

static void blocked_edges(void) {
    start();
    static const WfPoint cross[] = {{100, 100}, {300, 300}, {100, 300}, {300, 100}, {200, 200}};
    memcpy(points, cross, sizeof cross);
    int twins[2], blocked[2];
    successor[0] = 1, successor[2] = 3;
    CHECK(create(4, twins) == WEFT_OK);
    CHECK(wf_delaunay_bind(&delaunay, 0, 1, blocked));
    CHECK(!wf_delaunay_bind(&delaunay, 2, 3, blocked));
    CHECK(blocked[0] + blocked[1] == 1 && blocked[0] * blocked[1] == 0);
    finish();
    // a point in the way of both
    memcpy(points, cross, sizeof cross);
    CHECK(create(5, twins) == WEFT_OK);
    CHECK(!wf_delaunay_bind(&delaunay, 0, 1, blocked));
    CHECK(blocked[0] == 4 && blocked[1] == -1);
    finish();
}

static void every_allocation(void) {
    start();
    points[0] = (WfPoint){5, 5};
    for (int n = 0; n < 4; n++) {
        memory = (TestMemory){.fail_at = n};
        int twins[2];
        CHECK(create(1, twins) == WEFT_ERROR_MEMORY);
        CHECK(memory.live == 0 && delaunay.triangles == NULL);
    }
}

TEST_MAIN(CASE(random_points), CASE(square_lattice), CASE(on_one_line), CASE(coincident_points),
          CASE(bound_edges), CASE(blocked_edges), CASE(every_allocation))

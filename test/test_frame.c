// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards contact/frame.c: a piece goes and turns with its pins, whatever else of it does; pins that
// say nothing of a turn give none.

#include "contact/frame.h"

#include "contact_test.h"
#include "mesh_test.h"

static TestMemory memory = {.fail_at = -1};

enum { COUNT = 6, PIECES = 2 };

// Two triangles that nothing joins: 0 1 2 and 3 4 5.
typedef struct Cloth {
    WfSurface surface;
    double x0[3 * COUNT], x1[3 * COUNT], masses[COUNT];
    unsigned char pinned[COUNT];
    WfFrame frames[PIECES];
} Cloth;

static void open_cloth(Cloth* c) {
    static const int triangles[] = {0, 1, 2, 3, 4, 5};
    WeftAllocator allocator = test_allocator(&memory);
    *c = (Cloth){0};
    CHECK(wf_surface_create(&allocator, COUNT, 2, triangles, 0, NULL, &c->surface) == WEFT_OK);
    CHECK(c->surface.piece_count == PIECES);
    for (int i = 0; i < COUNT; i++) {
        CHECK(c->surface.piece[i] == i / 3);
        c->masses[i] = 1 + i;
        wf_store(c->x0, i, random_vec(0.3));
        wf_store(c->x1, i, random_vec(0.3));
    }
}

static void close_cloth(Cloth* c) {
    WeftAllocator allocator = test_allocator(&memory);
    wf_surface_destroy(&allocator, &c->surface);
}

static void find(Cloth* c) {
    wf_find_frames(&c->surface, &(WfPlane){.count = 0}, c->x0, c->x1, c->masses, c->pinned,
                   c->frames);
}

static WfPose any_turn(double angle) {
    WfVec axis = random_vec(1);
    axis = wf_mul(sin(angle / 2) / wf_length(axis), axis);
    return (WfPose){{0.4, -0.2, 0.1}, {axis.x, axis.y, axis.z, cos(angle / 2)}};
}

static double miss(const Cloth* c, int piece, const WfPose* pose, WfVec x) {
    WfVec way = wf_sub(wf_pose_point(pose, x), x);
    return wf_length(wf_sub(wf_frame_way(&c->frames[piece], x), way));
}

static void turns_with_pins(void) {
    Cloth c;
    open_cloth(&c);
    for (int trial = 0; trial < 100; trial++) {
        WfPose pose = any_turn(trial % 2 ? 0.2 : 1);
        for (int i = 0; i < 3; i++) {
            wf_store(c.x0, i, random_vec(0.3));
            wf_store(c.x1, i, wf_pose_point(&pose, wf_load(c.x0, i)));
            c.pinned[i] = 1;
        }
        // nearly a line is left out: it says too little
        WfVec a = wf_sub(wf_load(c.x0, 1), wf_load(c.x0, 0));
        WfVec b = wf_sub(wf_load(c.x0, 2), wf_load(c.x0, 0));
        if (wf_length(wf_cross(a, b)) < 0.02) continue;
        find(&c);
        CHECK_BELOW(miss(&c, 0, &pose, random_vec(0.3)), trial % 2 ? 1e-3 : 1e-2);
    }
    close_cloth(&c);
}

static WfVec mean_way(const Cloth* c, int first, int end) {
    WfVec sum = {0, 0, 0};
    double weight = 0;
    for (int i = first; i < end; i++) {
        sum = wf_madd(sum, c->masses[i], wf_sub(wf_load(c->x1, i), wf_load(c->x0, i)));
        weight += c->masses[i];
    }
    return wf_mul(1 / weight, sum);
}

// Without pins by its mean, and so with one, which may be jerked: no turn.
static void goes_without_a_turn(void) {
    Cloth c;
    open_cloth(&c);
    c.pinned[1] = 1;
    find(&c);
    WfVec x = random_vec(1);
    CHECK_BELOW(wf_length(wf_sub(wf_frame_way(&c.frames[0], x), mean_way(&c, 0, 3))), 1e-15);
    CHECK_BELOW(wf_length(wf_sub(wf_frame_way(&c.frames[1], x), mean_way(&c, 3, 6))), 1e-15);
    CHECK(c.frames[0].to.rotation[3] == 1 && c.frames[1].to.rotation[3] == 1);
    close_cloth(&c);
}

// Pins in a line turn as it does, and not about it; pins at one place do not.
static void takes_the_smallest_turn(void) {
    Cloth c;
    open_cloth(&c);
    for (int i = 0; i < COUNT; i++) {
        c.pinned[i] = 1;
        WfVec from = {i < 3 ? 0.1 * i : 0.5, 0.7, 0.2}, to = {0.6, 0.7, i < 3 ? 0.1 * i : 0.5};
        wf_store(c.x0, i, from);
        wf_store(c.x1, i, to);
    }
    find(&c);
    const double* turn = c.frames[0].to.rotation;
    CHECK_BELOW(fabs(turn[0]) + fabs(turn[2]), 1e-12);
    CHECK_BELOW(fabs(turn[1] + sqrt(0.5)), 1e-3);
    CHECK_BELOW(fabs(c.frames[1].to.rotation[3] - 1), 1e-12);
    close_cloth(&c);
}

TEST_MAIN(CASE(turns_with_pins), CASE(goes_without_a_turn), CASE(takes_the_smallest_turn))

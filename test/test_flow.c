// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards contact/flow.c: on a body that deforms it is the displacement of the surface, between its
// parts it changes little by little, and it is never more than what the bodies do.

#include "contact/flow.h"

#include <math.h>
#include <string.h>

#include "contact_test.h"

// Two upright walls of two triangles each, 4 cm apart; the second one moves by `way`.
enum { CORNERS = 8 };
static const double GAP = 0.04;

typedef struct Walls {
    WfBody body;
    WfMover mover;
    double x0[3 * CORNERS], x1[3 * CORNERS];
    int triangles[12];
} Walls;

static void make_walls(Walls* w, WfVec way) {
    static const int triangles[] = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7};
    memset(w, 0, sizeof *w);
    for (int i = 0; i < CORNERS; i++) {
        bool second = i >= 4;
        WfVec x = {second ? GAP : 0, i % 4 / 2 ? 0.3 : 0, i % 4 == 1 || i % 4 == 2 ? 0.3 : 0};
        wf_store(w->x0, i, x);
        wf_store(w->x1, i, second ? wf_add(x, way) : x);
    }
    w->body.vertex_count = CORNERS;
    memcpy(w->triangles, triangles, sizeof triangles);
    w->body.surface.triangle_count = 4;
    w->body.surface.triangles = w->triangles;
    w->mover =
        (WfMover){.body = &w->body, .x0 = w->x0, .x1 = w->x1, .moves = true, .deforms = true};
}

static WfVec flow_between(Walls* w, double x) {
    static const unsigned char carries[] = {1};
    return wf_flow(&w->mover, 1, carries, 0.01, (WfVec){x, 0.15, 0.14});
}

static void goes_with_the_surface(void) {
    Walls w;
    make_walls(&w, (WfVec){-0.01, 0.02, 0});
    CHECK_BELOW(wf_length(flow_between(&w, 0)), 1e-12);
    CHECK_BELOW(wf_length(wf_sub(flow_between(&w, GAP), (WfVec){-0.01, 0.02, 0})), 1e-12);
    CHECK_BELOW(wf_length(flow_between(&w, 0.002)), 1e-5);
}

// What lies between the walls keeps its order, and a distance that is a part of what it was.
static void changes_little_by_little(void) {
    Walls w;
    make_walls(&w, (WfVec){-0.01, 0, 0});
    double last = 0;
    for (int k = 1; k <= 400; k++) {
        double x = GAP * k / 400, way = flow_between(&w, x).x;
        CHECK(way <= 1e-12 && way >= -0.01 - 1e-12);
        CHECK(way <= last + 1e-12);
        CHECK_BELOW(last - way, 0.75 * GAP / 400);
        last = way;
    }
    CHECK_BELOW(fabs(flow_between(&w, GAP / 2).x + 0.005), 1e-6);
}

// A ball beside them turns, and carries as it does; what does not count has no part.
static void others_count_as_one(void) {
    Walls w;
    make_walls(&w, (WfVec){-0.01, 0, 0});
    WfBody ball = {.kind = WEFT_BODY_SPHERE, .radius = 0.01, .exact = true};
    WfMover movers[2] = {w.mover, {.body = &ball}};
    movers[1].from = movers[1].to = (WfPose){{-0.03, 0.15, 0.15}, {0, 0, 0, 1}};
    movers[1].to.rotation[2] = sin(0.05), movers[1].to.rotation[3] = cos(0.05);
    WfVec x = {-0.02 + 1e-7, 0.15, 0.15}, along = wf_body_carry(&movers[1], x);
    WfVec flow = wf_flow(movers, 2, (const unsigned char[]){1, 1}, 0.01, x);
    CHECK_BELOW(1e-4, wf_length(along));
    CHECK_BELOW(wf_length(wf_sub(flow, along)), 1e-6);
    flow = wf_flow(movers, 2, (const unsigned char[]){1, 0}, 0.01, x);
    CHECK_BELOW(fabs(flow.y), 1e-12);
}

TEST_MAIN(CASE(goes_with_the_surface), CASE(changes_little_by_little), CASE(others_count_as_one))

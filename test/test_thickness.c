// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards what thickness does beside small triangles: cloth keeps no more from cloth than its rest
// shape has room for, and all of it from bodies.

#include "touch.h"

static const double EDGE = 5e-3;

static Touch thick_sheet(double edges) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    touch_sheet(&t, 8 * EDGE, 8, 0, 0, 0)->fabric.thickness = edges * EDGE;
    return t;
}

// A flat sheet that only fell was blown up to 2.2 times its size where it was four edges thick.
static void nothing_inflates(void) {
    static const double edges[] = {0.7, 1, 4, 20};
    for (int k = 0; k < 4; k++) {
        Touch t = thick_sheet(edges[k]);
        touch_open(&t);
        for (int i = 0; i < 10 && touch_step(&t); i++)
            CHECK(weft_report(t.state)->self_contacts == 0);
        CHECK_BELOW(touch_measure(&t).max_stretch, 1.0001);
        touch_close(&t);
    }
}

static void only_what_is_too_thick_is_limited(void) {
    for (int k = 0; k < 2; k++) {
        Touch t = thick_sheet(k ? 2 : 0.2);
        touch_open(&t);
        const double* layer = weft_layer_thickness(t.model);
        double least = HUGE_VAL, most = 0;
        for (int i = 0; i < weft_vertex_count(t.model); i++) {
            least = fmin(least, layer[i]);
            most = fmax(most, layer[i]);
        }
        // the height of a triangle over its long side, and over a short one
        CHECK_NEAR(least, k ? 0.6 * EDGE / sqrt(2) : 0.2 * EDGE, 1e-12);
        CHECK_NEAR(most, k ? 0.6 * EDGE : 0.2 * EDGE, 1e-12);
        touch_close(&t);
    }
}

// A rope has room for its segments.
static void ropes(void) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    touch_rope(&t, 10 * EDGE, 10, 0, 0, 0)->fabric.thickness = 0.02;
    touch_open(&t);
    CHECK_NEAR(weft_layer_thickness(t.model)[5], 0.6 * EDGE, 1e-12);
    for (int i = 0; i < 5 && touch_step(&t); i++) CHECK(weft_report(t.state)->self_contacts == 0);
    CHECK_BELOW(touch_measure(&t).max_stretch, 1.0001);
    touch_close(&t);
}

static double lowest(const Touch* t) {
    double low = HUGE_VAL;
    for (int i = 0; i < weft_vertex_count(t->model); i++)
        low = fmin(low, weft_positions(t->state)[3 * i + 1]);
    return low;
}

// On a plane, and on a box, whose pairs are searched for with boxes of both.
static void bodies_get_all_of_it(void) {
    for (int k = 0; k < 2; k++) {
        Touch t = thick_sheet(4);
        WeftBodyDef* body = touch_body(&t, k ? WEFT_BODY_BOX : WEFT_BODY_PLANE, 0, -0.021, 0);
        body->size[0] = body->size[1] = body->size[2] = 0.2;
        if (k) body->position[1] -= 0.1;
        touch_open(&t);
        for (int i = 0; i < 30 && touch_step(&t); i++) continue;
        CHECK(weft_report(t.state)->body_contacts > 0);
        CHECK_NEAR(lowest(&t), -0.001, 1e-4);
        CHECK_BELOW(touch_measure(&t).max_stretch, 1.01);
        touch_close(&t);
    }
}

static void without_contact(void) {
    Touch t = touch_def(WEFT_CONTACT_BODIES);
    touch_sheet(&t, 0.1, 2, 0, 0, 0);
    touch_open(&t);
    CHECK(weft_layer_thickness(t.model) == NULL);
    touch_close(&t);
}

TEST_MAIN(CASE(nothing_inflates), CASE(only_what_is_too_thick_is_limited), CASE(ropes),
          CASE(bodies_get_all_of_it), CASE(without_contact))

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Zones let go: thin obstacles are passed, what cannot be stopped is not thrown.

#include "touch.h"

// Drag a sheet by a corner over a floor, past a standing needle. Returns the largest stretch.
static double drag_past(double radius, double friction) {
    enum { CELLS = 24, FRAMES = 84, CORNER = CELLS };
    Touch t = touch_def(WEFT_CONTACT_ALL);
    touch_sheet(&t, 0.8, CELLS, 0, 0.003, 0)->fabric.friction = friction;
    touch_pin(&t, 0, CORNER);
    touch_body(&t, WEFT_BODY_PLANE, 0, 0, 0)->friction = friction;
    WeftBodyDef* needle = touch_body(&t, WEFT_BODY_CAPSULE, 0.6, 0.2, 0.1);
    needle->radius = radius;
    needle->length = 0.4;
    needle->friction = friction;
    touch_open(&t);
    double start[3], stretch = 0;
    int crossings = 0;
    memcpy(start, weft_positions(t.state) + 3L * CORNER, sizeof start);
    for (int i = 1; i <= FRAMES && touch_step(&t); i++) {
        const double p[3] = {start[0] + i / 60.0, start[1] + 0.05 * fmin(1, i / 10.0), start[2]};
        weft_move_pin(t.state, CORNER, p);
        stretch = fmax(stretch, touch_measure(&t).max_stretch);
        crossings += i % 12 == 0 ? touch_crossings(&t) : 0;
        CHECK(weft_report(t.state)->unstopped == 0);
    }
    CHECK(crossings == 0);
    CHECK_BELOW(touch_measure(&t).max_stretch, 1.4);
    CHECK_BELOW(touch_measure(&t).total, 2);
    touch_close(&t);
    return stretch;
}

// It hooked for good, to a stretch of 32: half-spaces drew vertices past the needle, and vertices
// were held further off than edges.
static void needle_is_passed(void) {
    CHECK_BELOW(drag_past(0.003, 0.3), 2.2);
    CHECK_BELOW(drag_past(0.003, 0), 1.6);
}

TEST_MAIN(CASE(needle_is_passed))

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards many layers that are pressed together: a pile that a box lifts, a strip that is twisted
// into a rope. Nothing ever crosses. (Ten sheets once crossed in 254 of 361 frames, the strip from
// its third turn to the end.)

#include "touch.h"

// Sheets fall onto a box, which rises by half a metre in half a second and stops.
static void lift(int sheets, double size, int cells, int frames, int rest) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    for (int k = 0; k < sheets; k++) touch_sheet(&t, size, cells, 0, 0.2 + 0.003 * k, 0);
    WeftBodyDef* box = touch_body(&t, WEFT_BODY_BOX, 0, 0.1, 0);
    box->size[0] = box->size[2] = 0.6 * size;
    box->size[1] = 0.1;
    touch_open(&t);
    int crossed = 0;
    double most = 0;
    for (int k = 0; k < frames; k++) {
        double up = fmin(fmax(0, (k - rest) / 60.0), 0.5);
        touch_move(&t, 0, 0, 0.1 + up, 0, TOUCH_LEVEL);
        touch_step(&t);
        crossed += touch_crossings(&t) > 0;
        most = fmax(most, touch_measure(&t).max_stretch);
    }
    CHECK(crossed == 0);
    CHECK_BELOW(most, 2);
    // they were lifted: their middle lies on the box
    for (int k = 0; k < sheets; k++) {
        int middle = weft_first_vertex(t.model, k) + cells / 2 * (cells + 2);
        CHECK_BELOW(0.15 + 0.5, weft_positions(t.state)[3 * middle + 1]);
    }
    touch_close(&t);
}

static void three_sheets_lifted(void) { lift(3, 0.3, 6, 50, 15); }
static void ten_sheets_lifted(void) { lift(10, 0.3, 6, 60, 20); }

// Both ends turn against each other by `turns`, and come nearer by a third.
static void twist(double turns, int columns, int rows, int frames) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    WeftGridDef grid = {1, 0.25, columns, rows, WEFT_GRID_ALTERNATING};
    WeftMesh* mesh = &t.meshes[t.def.cloth_count++];
    CHECK(weft_make_grid(&grid, NULL, mesh, NULL) == WEFT_OK);
    t.cloths[0] = weft_default_cloth_def();
    weft_use_mesh(&t.cloths[0], mesh);
    int row = columns + 1;
    for (int j = 0; j <= rows; j++) {
        touch_pin(&t, 0, j * row);
        touch_pin(&t, 0, j * row + columns);
    }
    touch_open(&t);
    int crossed = 0;
    for (int k = 0; k < frames + 20; k++) {
        double part = fmin(1, (k + 1.0) / frames);
        for (int i = 0; i < t.cloths[0].pin_count; i++) {
            double side = i % 2 ? 1 : -1, angle = side * part * turns * TOUCH_PI;
            double v = 0.25 * ((double)(i / 2) / rows - 0.5),
                   end = i % 2 ? 1 - 0.15 * part : 0.15 * part;
            double to[3] = {end, v * sin(angle), -0.125 - v * cos(angle)};
            double turn[4];
            touch_turn(turn, 0, side * turns * TOUCH_PI / frames * (k < frames));
            weft_turn_pin(t.state, t.pins[0][i], to, turn);
        }
        touch_step(&t);
        crossed += touch_crossings(&t) > 0;
    }
    CHECK(crossed == 0);
    touch_close(&t);
}

static void twisted_twice(void) { twist(2, 24, 6, 120); }
static void twisted_four_times(void) { twist(4, 36, 9, 360); }

TEST_MAIN(CASE(three_sheets_lifted), SLOW_CASE(ten_sheets_lifted), SLOW_CASE(twisted_twice),
          SLOW_CASE(twisted_four_times))

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards cloths and ropes that hit each other in the air: what the last defence does to them hardly
// shows as motion, and as some stretch only. (Two ropes that crossed at 10 m/s had 0.6 J, and 76 J
// in the step in which they met, 1762 J with the matrix-free method; a rope and a sheet 34 J.)

#include "touch.h"

typedef enum Pair { ROPES, ROPE_AND_SHEET, SHEETS } Pair;

static void turn_along_z(WeftMesh* mesh) {
    for (int i = 0; i < mesh->vertex_count; i++) {
        double* p = mesh->positions + 3 * i;
        p[2] = p[0];
        p[0] = 0.003;
    }
}

static Touch flyers(Pair pair) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    t.step.air_density = t.step.rest_speed = t.step.gravity[1] = 0;
    if (pair == SHEETS)
        touch_sheet(&t, 0.4, 12, 0, 0.05, 0);
    else
        touch_rope(&t, 1, 40, 0, 0.05, 0);
    if (pair == ROPES)
        touch_rope(&t, 1, 40, 0.002, 0, 0);
    else
        touch_sheet(&t, 0.4, 12, 0.013, 0, 0.021);
    if (pair == ROPES) turn_along_z(&t.meshes[1]);
    return t;
}

static void let_fly(Touch* t, double speed) {
    int n = weft_vertex_count(t->model), second = weft_first_vertex(t->model, 1);
    double* v = calloc(3 * (size_t)n, sizeof *v);
    for (int i = 0; i < n; i++) v[3 * i + 1] = i < second ? -speed / 2 : speed / 2;
    weft_set_velocities(t->state, v);
    free(v);
}

static void hit(Pair pair, const TouchWay* way) {
    static const char* const names[] = {"ropes", "a rope and a sheet", "sheets"};
    int before = test_failures;
    Touch t = flyers(pair);
    touch_use(&t, way);
    touch_open(&t);
    let_fly(&t, 10);
    double start = touch_measure(&t).total, most = 0, moves = 0;
    for (int k = 0; k < 40; k++) {
        if (!touch_step(&t)) break;
        WeftMeasure now = touch_measure(&t);
        most = fmax(most, now.total);
        moves = fmax(moves, now.kinetic);
    }
    CHECK_BELOW(moves, 1.5 * start);
    CHECK_BELOW(most, 15 * start);
    CHECK(touch_crossings(&t) == 0);
    touch_say(before, way->name, names[pair]);
    touch_close(&t);
}

static void hits_gain_little(void) {
    for (int pair = ROPES; pair <= SHEETS; pair++) hit((Pair)pair, &touch_ways[0]);
}

// But for single solves, which leave most to the last defence.
static void hits_gain_little_by_any_method(void) {
    for (int w = 1; w < TOUCH_METHODS; w++)
        for (int pair = ROPES; pair <= SHEETS; pair++) hit((Pair)pair, &touch_ways[w]);
}

TEST_MAIN(CASE(hits_gain_little), SLOW_CASE(hits_gain_little_by_any_method))

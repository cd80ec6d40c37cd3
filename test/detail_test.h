// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A coarse sheet that swings, and a dense one that tracks it, to learn from.

#ifndef WEFT_TEST_DETAIL_TEST_H
#define WEFT_TEST_DETAIL_TEST_H

#include <math.h>

#include "mesh_test.h"
#include "weft/weft_detail.h"

enum { COLUMNS = 8, PARTS = 3, SETTLED = 40 };

static const int pins[2] = {0, COLUMNS};

typedef struct Pair {
    WeftMesh coarse, dense;
    WeftRefinement map;
    WeftClothDef cloths[2];
    WeftModel* models[2];
    WeftTracker* tracker;
} Pair;

static inline void open_pair(Pair* pair) {
    WeftGridDef grid = {1, 1, COLUMNS, COLUMNS, WEFT_GRID_ALTERNATING};
    CHECK(!weft_make_grid(&grid, NULL, &pair->coarse, NULL));
    CHECK(!weft_refine_mesh(&pair->coarse, PARTS, NULL, &pair->dense, &pair->map, NULL));
    for (int k = 0; k < 2; k++) {
        pair->cloths[k] = weft_default_cloth_def();
        weft_use_mesh(&pair->cloths[k], k ? &pair->dense : &pair->coarse);
        pair->cloths[k].pins = pins;
        pair->cloths[k].pin_count = 2;
        WeftModelDef def = weft_default_model_def();
        def.cloths = &pair->cloths[k];
        def.cloth_count = 1;
        CHECK(!weft_create_model(&def, &pair->models[k], NULL));
    }
    CHECK(!weft_create_tracker(pair->models[1], pair->coarse.vertex_count, &pair->map, NULL,
                               &pair->tracker, NULL));
}

static inline void close_pair(Pair* pair) {
    weft_destroy_tracker(pair->tracker);
    for (int k = 0; k < 2; k++) weft_destroy_model(pair->models[k]);
    weft_destroy_refinement(&pair->map);
    weft_destroy_mesh(&pair->coarse);
    weft_destroy_mesh(&pair->dense);
}

typedef void Look(void* user, const WeftDetailFrame* frame, const double* dense);

// The two corners come near to each other and sway, each motion in its own way.
static inline void swing(Pair* pair, int motion, int steps, Look* look, void* user) {
    WeftState* states[2] = {NULL, NULL};
    WeftStepDef step = weft_default_step_def();
    double near = 0.08 + 0.02 * (motion % 4), sway = 0.1 + 0.03 * (motion % 3);
    double rate = 1 + 0.15 * (motion % 5);
    for (int k = 0; k < 2; k++) CHECK(!weft_create_state(pair->models[k], &states[k], NULL));
    for (int i = 0; i < steps; i++) {
        double t = (i + 1) * step.dt, in = near * (1 - cos(rate * t));
        double side = sway * sin(0.7 * rate * t + 0.1 * motion) - sway * sin(0.1 * motion);
        for (int p = 0; p < 2; p++) {
            const double* x = pair->coarse.positions + 3 * (long)pins[p];
            double to[3] = {x[0] + (p ? -in : in), x[1], x[2] + side};
            for (int k = 0; k < 2; k++) weft_move_pin(states[k], pins[p], to);
        }
        step.accelerations = NULL;
        CHECK(!weft_step(states[0], &step));
        WeftDetailFrame frame = {.positions = weft_positions(states[0]),
                                 .velocities = weft_velocities(states[0]),
                                 .gravity = {0, -1, 0},
                                 .time = t};
        step.accelerations =
            weft_track(pair->tracker, states[1], frame.positions, frame.velocities, step.dt);
        CHECK(!weft_step(states[1], &step));
        if (i >= SETTLED) look(user, &frame, weft_positions(states[1]));
    }
    for (int k = 0; k < 2; k++) weft_destroy_state(states[k]);
}

typedef struct Lesson {
    WeftLearner* learner;
    bool held_out;
} Lesson;

static inline void learn(void* user, const WeftDetailFrame* frame, const double* dense) {
    const Lesson* lesson = user;
    weft_learn(lesson->learner, frame, dense, lesson->held_out, NULL);
}

static inline WeftLearner* open_learner(const Pair* pair, int modes) {
    WeftLearnerDef def = weft_default_learner_def();
    WeftLearner* learner = NULL;
    def.coarse = &pair->coarse;
    def.parts = PARTS;
    def.name = "swing";
    def.modes = modes;
    CHECK(!weft_create_learner(&def, &learner, NULL));
    return learner;
}

// The last of the motions is held out.
static inline WeftDetail* teach(Pair* pair, int motions, int steps, double ridge, int modes,
                                WeftLearnReport* report) {
    Lesson lesson = {.learner = open_learner(pair, modes)};
    WeftDetail* detail = NULL;
    for (int k = 0; k < motions; k++) {
        lesson.held_out = k == motions - 1;
        swing(pair, k, steps, learn, &lesson);
    }
    CHECK(!weft_finish_learning(lesson.learner, ridge, report, &detail, NULL));
    weft_destroy_learner(lesson.learner);
    return detail;
}

#endif

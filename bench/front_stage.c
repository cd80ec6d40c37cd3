// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "front_stage.h"

#include <math.h>

#include "bench.h"

static int create_comparators(Stage* stage) {
    WeftStepDef step = still_air_step();
    bool good = create_net(stage->model, stage->start, &stage->square.cloth.fabric, &stage->net);
    for (int i = 0; i < PROJECTIVE_COUNT && good; i++) {
        double h = step.dt / (1 << i);
        stage->projective[i] = create_projective(&stage->net, h, step.gravity, thread_time);
        good = stage->projective[i];
    }
    if (good) stage->bullet = create_bullet_cloth(&stage->net, step.gravity, thread_time);
    return good && stage->bullet ? EXIT_GOOD : complain(EXIT_FAILED, "out of memory");
}

int create_stage(int columns, int rows, Stage* stage) {
    WeftStepDef step = still_air_step();
    WeftError error;
    *stage = (Stage){.vertex_count = columns * rows};
    int code = make_square(columns, rows, &stage->square);
    if (!code)
        code = create_square(&stage->square, &step, 1, thread_time, &stage->model, &stage->start);
    if (!code && weft_create_state(stage->model, &stage->state, &error))
        code = complain(EXIT_FAILED, "%s", error.message);
    return code ? code : create_comparators(stage);
}

void destroy_stage(Stage* stage) {
    destroy_bullet_cloth(stage->bullet);
    for (int i = 0; i < PROJECTIVE_COUNT; i++) destroy_projective(stage->projective[i]);
    destroy_net(&stage->net);
    weft_destroy_state(stage->state);
    weft_destroy_state(stage->start);
    weft_destroy_model(stage->model);
    destroy_square(&stage->square);
    *stage = (Stage){0};
}

// By the number of substeps, a power of two.
static Projective* projective_of(const Stage* stage, const Method* method) {
    int index = 0;
    while (1 << index < method->step.substeps) index++;
    return stage->projective[index];
}

static int take_our_frame(Stage* stage, const Method* method, double* time) {
    double start = thread_time(NULL);
    if (weft_step(stage->state, &method->step))
        return complain(EXIT_FAILED, "%s: %s", method->name,
                        weft_state_error(stage->state)->message);
    *time = thread_time(NULL) - start;
    return EXIT_GOOD;
}

// Ours takes a step for nothing, in which it makes the factor that this method needs.
int reset_stage(Stage* stage, const Method* method) {
    int code = EXIT_GOOD;
    double time;
    if (method->role == ROLE_PROJECTIVE) {
        reset_projective(projective_of(stage, method));
    } else if (method->role == ROLE_BULLET) {
        place_bullet_cloth(stage->bullet, NULL);
    } else {
        code = take_our_frame(stage, method, &time);
        weft_copy_state(stage->state, stage->start);
    }
    return code;
}

int take_frame(Stage* stage, const Method* method, double* time, const double** positions) {
    const WeftStepDef* step = &method->step;
    int code = EXIT_GOOD;
    if (method->role == ROLE_PROJECTIVE) {
        Projective* projective = projective_of(stage, method);
        *time = take_projective_steps(projective, step->substeps, step->iterations[0]);
        *positions = projective_positions(projective);
    } else if (method->role == ROLE_BULLET) {
        *time = take_bullet_step(stage->bullet, step->dt, step->iterations[0], 0);
        *positions = bullet_positions(stage->bullet);
    } else {
        code = take_our_frame(stage, method, time);
        *positions = weft_positions(stage->state);
    }
    return code;
}

// ---------------------------------------------------------------------------------------------
// Bullet at rest

enum { REST_FRAMES = 60 };                // twice as many change the stretch by 0.2 % at most
static const double REST_DAMPING = 0.05;  // of the velocity, per step

static double longest_stretch(const Net* net, const double* x) {
    double longest = 0;
    for (int e = 0; e < net->spring_count; e++) {
        const Spring* spring = &net->springs[e];
        const double *a = x + 3 * (long)spring->vertices[0], *b = x + 3 * (long)spring->vertices[1];
        double dx = b[0] - a[0], dy = b[1] - a[1], dz = b[2] - a[2];
        longest = fmax(longest, sqrt(dx * dx + dy * dy + dz * dz) / spring->length);
    }
    return longest;
}

double bullet_rest_stretch(Stage* stage, const double* rest, int iterations) {
    WeftStepDef step = still_air_step();
    place_bullet_cloth(stage->bullet, rest);
    for (int frame = 0; frame < REST_FRAMES; frame++)
        take_bullet_step(stage->bullet, step.dt, iterations, REST_DAMPING);
    return longest_stretch(&stage->net, bullet_positions(stage->bullet));
}

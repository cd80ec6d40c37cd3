// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Starts that are crossed, or inside of something: sheets, ropes and bodies, steps until they are
// apart, and what the checker says of them.

#ifndef WEFT_UNTANGLE_TEST_H
#define WEFT_UNTANGLE_TEST_H

#include "contact_test.h"
#include "weft/weft_io.h"

static const double PI = 3.14159265358979323846;
enum { MOST_CLOTHS = 2, MOST_BODIES = 2, MOST_PINS = 64 };

typedef struct Start {
    int cloth_count, body_count;
    WeftMesh meshes[MOST_CLOTHS];
    WeftClothDef cloths[MOST_CLOTHS];
    int pins[MOST_CLOTHS][MOST_PINS];
    WeftBodyDef bodies[MOST_BODIES];
    double corners[3 * 160];  // of a mesh
    int triangles[3 * 256];
    WeftStepDef step;
    WeftModel* model;
    WeftState* state;
    double most_speed, most_stretch;  // that are allowed
    double top_speed, top_stretch;    // so far
} Start;

// ---------------------------------------------------------------------------------------------
// Things to start with

static inline Start empty(void) {
    Start s = {.step = weft_default_step_def(), .most_speed = 3, .most_stretch = 1.3};
    return s;
}

// A grid about the origin, in the plane y = 0.
static inline double* add_sheet(Start* s, double width, double height, int columns, int rows) {
    WeftGridDef grid = {width, height, columns, rows, WEFT_GRID_ALTERNATING};
    int k = s->cloth_count++;
    CHECK(weft_make_grid(&grid, NULL, &s->meshes[k], NULL) == WEFT_OK);
    for (int i = 0; i < s->meshes[k].vertex_count; i++) {
        s->meshes[k].positions[3 * i] -= width / 2;
        s->meshes[k].positions[3 * i + 2] += height / 2;
    }
    s->cloths[k] = weft_default_cloth_def();
    s->cloths[k].fabric.stretch_damping = 1e-3;
    s->cloths[k].fabric.bend_damping = 1e-2;
    weft_use_mesh(&s->cloths[k], &s->meshes[k]);
    return s->meshes[k].positions;
}

// Turn the last sheet about an axis, then move it.
static inline void place(Start* s, int axis, double degrees, double x, double y, double z) {
    const WeftMesh* mesh = &s->meshes[s->cloth_count - 1];
    double c = cos(degrees * PI / 180), sine = sin(degrees * PI / 180);
    const double move[3] = {x, y, z};
    for (int i = 0; i < mesh->vertex_count; i++) {
        double *p = mesh->positions + 3 * i, *u = p + (axis + 1) % 3, *v = p + (axis + 2) % 3;
        double from = *u;
        *u = c * from - sine * *v;
        *v = sine * from + c * *v;
        for (int k = 0; k < 3; k++) p[k] += move[k];
    }
}

static inline WeftBodyDef* add_body(Start* s, WeftBodyKind kind, double height) {
    WeftBodyDef* body = &s->bodies[s->body_count++];
    *body = weft_default_body_def();
    body->kind = kind;
    body->position[1] = height;
    return body;
}

static inline void open_start(Start* s) {
    WeftModelDef def = weft_default_model_def();
    def.cloths = s->cloths;
    def.cloth_count = s->cloth_count;
    def.bodies = s->bodies;
    def.body_count = s->body_count;
    def.contact = WEFT_CONTACT_ALL;
    def.step = s->step;
    def.jobs.thread_count = 1;
    WeftError error = {0};
    if (weft_create_model(&def, &s->model, &error) ||
        weft_create_state(s->model, &s->state, &error)) {
        printf("untangle: %s\n", error.message);
        exit(1);
    }
}

static inline void close_start(Start* s) {
    weft_destroy_state(s->state);
    weft_destroy_model(s->model);
    for (int k = 0; k < s->cloth_count; k++) weft_destroy_mesh(&s->meshes[k]);
}

// ---------------------------------------------------------------------------------------------
// Steps

// Crossings by the checker, and vertices of cloth inside, of all but the bodies that are round.
static inline int judged(const Start* s) {
    WeftSurface surfaces[1 + MOST_BODIES] = {{weft_vertex_count(s->model), weft_positions(s->state),
                                              weft_triangle_count(s->model),
                                              weft_triangles(s->model), false}};
    double* places[MOST_BODIES] = {NULL};
    int surface_count = 1, count = 0, bodies = 0;
    WeftInside inside[MOST_BODIES];
    for (int b = 0; b < s->body_count; b++) {
        if (s->bodies[b].kind < WEFT_BODY_BOX) continue;
        int vertices = weft_body_vertex_count(s->model, b);
        places[b] = malloc(3 * (size_t)vertices * sizeof(double));
        weft_copy_body(s->state, b, places[b]);
        surfaces[surface_count++] =
            (WeftSurface){vertices, places[b], weft_body_triangle_count(s->model, b),
                          weft_body_triangles(s->model, b), true};
    }
    CHECK(weft_find_crossings(surfaces, surface_count, NULL, 0, NULL, &count, NULL) == WEFT_OK);
    CHECK(weft_find_inside(surfaces, surface_count, NULL, NULL, MOST_BODIES, inside, &bodies,
                           NULL) == WEFT_OK);
    for (int b = 0; b < bodies; b++) count += inside[b].vertex_count;
    for (int b = 0; b < s->body_count; b++) free(places[b]);
    return count;
}

static inline int take_step(Start* s) {
    WeftMeasure measure = {0};
    if (!CHECK(weft_step(s->state, &s->step) == WEFT_OK)) exit(1);
    CHECK(weft_measure(s->state, s->step.gravity, &measure) == WEFT_OK);
    s->top_speed = fmax(s->top_speed, measure.max_speed);
    s->top_stretch = fmax(s->top_stretch, measure.max_stretch);
    return weft_report(s->state)->tangles;
}

// Begins crossed and is apart before `seconds`; then steps look no more.
static inline void comes_apart(Start* s, double seconds) {
    open_start(s);
    int tangles = take_step(s), steps = (int)(seconds / s->step.dt);
    CHECK(tangles > 0);
    for (int k = 0; k < steps && tangles > 0; k++) tangles = take_step(s);
    CHECK(tangles == 0);
    CHECK(judged(s) == 0);
    CHECK(take_step(s) == -1);
    // no faster than what fell for so long, or is pulled out; no explosion
    CHECK_BELOW(s->top_speed, s->most_speed);
    CHECK_BELOW(s->top_stretch, s->most_stretch);
    for (int k = 0; k < 30; k++) CHECK(take_step(s) == -1);
    CHECK(judged(s) == 0);
    close_start(s);
}

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What tests of attachments share: the swing by every method, points of it, and a small cloth above
// a floor and a ball.

#ifndef WEFT_TEST_ATTACH_TEST_H
#define WEFT_TEST_ATTACH_TEST_H

#include "swing.h"
#include "test.h"

enum { N = 9, VERTICES = N * N };

static inline void symplectic(Swing* s) { s->step.method = WEFT_METHOD_SYMPLECTIC; }
static inline void implicit(Swing* s) {
    s->step.method = WEFT_METHOD_IMPLICIT;
    s->step.tolerance = 1e-10;
}
static inline void implicit_jaj(Swing* s) {
    implicit(s);
    s->step.scheme = WEFT_SCHEME_JAJ;
}
static inline void matrix_free(Swing* s) {
    implicit(s);
    s->step.method = WEFT_METHOD_MATRIX_FREE;
}
static inline void relaxation(Swing* s) {
    s->step.method = WEFT_METHOD_RELAXATION;
    s->step.iterations[0] = 30;
}
static inline void one_solve(Swing* s) { s->step.quality = 1; }
static inline void four_solves(Swing* s) { s->step.quality = 4; }
static inline void jaj(Swing* s) { s->step.quality = 7; }
static inline void linear(Swing* s) {
    weft_set_estimator(&s->cloth, WEFT_ESTIMATOR_VERTEX, 2);
    s->step.quality = 1;
}

static inline void small_steps(Swing* s) { s->step.method = WEFT_METHOD_SMALL_STEPS; }

static const struct {
    const char* name;
    void (*set)(Swing*);
    double apart;  // m: from the same with pins, after some steps
} ways[] = {
    {"symplectic", symplectic, 0.03},
    {"implicit", implicit, 2e-4},
    {"implicit, jaj", implicit_jaj, 2e-4},
    {"matrix free", matrix_free, 2e-4},
    {"relaxation", relaxation, 0.03},
    {"one solve", one_solve, 2e-3},
    {"four solves", four_solves, 2e-3},
    {"jaj", jaj, 1e-3},
    {"linear", linear, 1e-3},
    {"small steps", small_steps, 2e-3},
};
enum { WAY_COUNT = sizeof ways / sizeof *ways };

static inline Swing open_way(int w) {
    Swing s = swing_def(N, 100);
    ways[w].set(&s);
    swing_open(&s);
    return s;
}

static inline void let_go(Swing* s) {
    for (int p = 0; p < 2; p++) weft_unpin(s->state, s->pins[p]);
}

static inline void take_steps(Swing* s, int count) {
    for (int k = 0; k < count; k++) CHECK(swing_step(s));
}

static inline const double* place(const Swing* s, int vertex) {
    return weft_positions(s->state) + 3 * vertex;
}

static inline double distance(const double* a, const double* b) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static inline double apart(const Swing* a, const Swing* b) {
    double most = 0;
    for (int i = 0; i < VERTICES; i++) most = fmax(most, distance(place(a, i), place(b, i)));
    return most;
}

static inline int attach(Swing* s, const WeftAttachmentDef* def) {
    WeftError error = {0};
    int made = -1;
    CHECK(weft_attach(s->state, def, &made, &error) == WEFT_OK);
    CHECK_TEXT(error.message, "");
    return made;
}

static inline WeftAttachmentDef at_vertex(int vertex) {
    WeftAttachmentDef def = weft_default_attachment_def();
    def.vertices[0] = vertex;
    return def;
}

static inline WeftAttachmentDef in_triangle(const Swing* s, int triangle) {
    WeftAttachmentDef def = weft_default_attachment_def();
    const double weights[3] = {0.5, 0.3, 0.2};
    memcpy(def.vertices, s->mesh.triangles + 3 * triangle, sizeof def.vertices);
    memcpy(def.weights, weights, sizeof weights);
    return def;
}

static inline void point_of(const Swing* s, const WeftAttachmentDef* def, double point[3]) {
    for (int d = 0; d < 3; d++) {
        point[d] = 0;
        for (int k = 0; k < 3 && def->vertices[k] >= 0; k++)
            point[d] += def->weights[k] * place(s, def->vertices[k])[d];
    }
}

static inline void check_way(int w, int before) {
    if (test_failures != before) printf("... with %s\n", ways[w].name);
}

static inline double weight_of(const Swing* s) {
    double sum = 0;
    for (int i = 0; i < VERTICES; i++) sum += weft_masses(s->model)[i];
    return 9.81 * sum;
}

// ---------------------------------------------------------------------------------------------
// Above a floor

typedef struct Carried {
    WeftMesh mesh;
    WeftModel* model;
    WeftState* state;
    WeftStepDef step;
} Carried;

static inline Carried open_carried(WeftContact contact) {
    Carried c = {.step = weft_default_step_def()};
    WeftGridDef grid = weft_default_grid_def();
    grid.columns = grid.rows = 8;
    grid.width = grid.height = 0.4;
    CHECK(weft_make_grid(&grid, NULL, &c.mesh, NULL) == WEFT_OK);
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &c.mesh);
    WeftBodyDef bodies[2] = {weft_default_body_def(), weft_default_body_def()};
    bodies[0].radius = 0.05;
    bodies[0].position[1] = 0.3;
    bodies[1].kind = WEFT_BODY_PLANE;
    bodies[1].position[1] = -0.6;
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth, def.cloth_count = 1;
    def.bodies = bodies, def.body_count = 2;
    def.contact = contact;
    CHECK(weft_create_model(&def, &c.model, NULL) == WEFT_OK);
    CHECK(weft_create_state(c.model, &c.state, NULL) == WEFT_OK);
    return c;
}

static inline void close_carried(Carried* c) {
    weft_destroy_state(c->state);
    weft_destroy_model(c->model);
    weft_destroy_mesh(&c->mesh);
}

// A grid of 1 m about the plane x = 0, which is its mirror.
static inline WeftMesh mirrored_grid(int columns, int rows) {
    WeftGridDef grid = weft_default_grid_def();
    grid.columns = columns, grid.rows = rows;
    WeftMesh mesh;
    CHECK(weft_make_grid(&grid, NULL, &mesh, NULL) == WEFT_OK);
    for (int i = 0; i < mesh.vertex_count; i++) mesh.positions[3 * i] -= 0.5;
    WeftPlane plane = {{0, 0, 0}, {1, 0, 0}};
    CHECK(weft_mirror_mesh(&mesh, &plane, WEFT_HALVING_SPLIT, NULL, NULL) == WEFT_OK);
    return mesh;
}

#endif

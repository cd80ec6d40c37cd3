// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The scenes of the acceptance tests of contact: SWING sheets (swing.h), mostly without pins, of
// which one or two touch one body. One solve of implicit Euler with the vertex estimator and the
// contacts of that, thickness 1 mm.

#ifndef WEFT_TEST_DRAPE_H
#define WEFT_TEST_DRAPE_H

#include "swing.h"
#include "test.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

typedef struct Drape {
    int n, vertex_count;  // vertices along a side; in all sheets together
    int sheet_count;
    WeftClothDef sheets[2];
    WeftMesh meshes[2];
    int pins[2];  // of the first sheet, as many as it has
    WeftBodyDef body;
    WeftContact contact;
    WeftStepDef step;
    WeftModel* model;
    WeftState* state;
    double along[3];  // down the slope

    // of the steps so far
    double start, top;  // energy at the start, and the largest since
    int solve_count, most_solves, step_count;
} Drape;

static const double DRAPE_PI = 3.14159265358979323846;

// Sheets level and in one place; the caller moves them and says what they touch, then opens.
static SWING_UNUSED Drape drape_def(int n, double beta, double friction, int sheet_count) {
    Swing s = swing_def(n, beta);
    Drape d = {.n = n,
               .vertex_count = sheet_count * n * n,
               .sheet_count = sheet_count,
               .body = weft_default_body_def(),
               .contact = sheet_count > 1 ? WEFT_CONTACT_ALL : WEFT_CONTACT_BODIES,
               .step = s.step,
               .along = {1, 0, 0}};
    weft_set_estimator(&s.cloth, WEFT_ESTIMATOR_VERTEX, 2);
    s.cloth.fabric.thickness = 1e-3;
    s.cloth.fabric.friction = d.body.friction = friction;
    d.step.quality = d.step.order = 1;
    d.step.rest_speed = 0;
    for (int k = 0; k < sheet_count; k++) {
        swing_make_mesh(&s);
        d.meshes[k] = s.mesh;
        d.sheets[k] = s.cloth;
        d.sheets[k].pins = NULL;
        d.sheets[k].pin_count = 0;
    }
    return d;
}

static SWING_UNUSED Drape drape_sphere(int n, double beta, double friction) {
    Drape d = drape_def(n, beta, friction, 1);
    const double centre[3] = {0.5, -0.27, -0.5};
    d.body.kind = WEFT_BODY_SPHERE;
    d.body.radius = 0.25;
    memcpy(d.body.position, centre, sizeof centre);
    return d;
}

static inline uint64_t drape_random(uint64_t* seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 11;
}

// Every vertex from gap to gap + rough above the thickness, on a plane that falls towards x.
static SWING_UNUSED void drape_on_slope(Drape* d, int sheet, double degrees, double gap,
                                        double rough) {
    double angle = degrees * DRAPE_PI / 180, c = cos(angle), s = sin(angle);
    double* x = d->meshes[sheet].positions;
    uint64_t seed = 1;
    for (int i = 0; i < d->n * d->n; i++, x += 3) {
        double u = x[0], height = gap + 1e-3 + rough * (double)drape_random(&seed) * 0x1p-53;
        x[0] = c * u + s * height;
        x[1] = -s * u + c * height;
    }
    const double along[3] = {c, -s, 0}, rotation[4] = {0, 0, -sin(angle / 2), cos(angle / 2)};
    d->body.kind = WEFT_BODY_PLANE;
    memcpy(d->along, along, sizeof along);
    memcpy(d->body.rotation, rotation, sizeof rotation);
}

static SWING_UNUSED Drape drape_slope(int n, double beta, double friction, double degrees) {
    Drape d = drape_def(n, beta, friction, 1);
    drape_on_slope(&d, 0, degrees, 3e-3, 3e-3);
    return d;
}

// Held by its upper corners, in the plane z = 0; drape_strike moves a sphere through it.
static SWING_UNUSED Drape drape_curtain(int n, double beta, double friction) {
    Drape d = drape_def(n, beta, friction, 1);
    const double centre[3] = {0.5, 0.4, 0.5};
    double* x = d.meshes[0].positions;
    for (int i = 0; i < n * n; i++, x += 3) {
        x[1] = -x[2];
        x[2] = 0;
    }
    d.pins[0] = n * (n - 1);
    d.pins[1] = n * n - 1;
    d.sheets[0].pin_count = 2;
    d.body.kind = WEFT_BODY_SPHERE;
    d.body.radius = 0.2;
    memcpy(d.body.position, centre, sizeof centre);
    return d;
}

// The sphere goes at 3 m/s; where it will be after the next step.
static SWING_UNUSED void drape_strike(const Drape* d, double centre[3]) {
    memcpy(centre, d->body.position, sizeof d->body.position);
    centre[2] -= 3 * d->step.dt * (d->step_count + 1);
    weft_move_body(d->state, 0, centre, d->body.rotation);
}

static SWING_UNUSED double drape_energy(const Drape* d) {
    WeftMeasure measure;
    weft_measure(d->state, d->step.gravity, &measure);
    return measure.total;
}

static SWING_UNUSED void drape_open(Drape* d) {
    WeftModelDef def = weft_default_model_def();
    d->sheets[0].pins = d->pins;
    def.cloths = d->sheets;
    def.cloth_count = d->sheet_count;
    def.bodies = &d->body;
    def.body_count = 1;
    def.contact = d->contact;
    def.step = d->step;
    def.jobs.thread_count = 1;
    WeftError error = {0};
    if (weft_create_model(&def, &d->model, &error) ||
        weft_create_state(d->model, &d->state, &error)) {
        printf("drape: %s\n", error.message);
        exit(1);
    }
    d->start = d->top = drape_energy(d);
}

static SWING_UNUSED void drape_close(Drape* d) {
    weft_destroy_state(d->state);
    weft_destroy_model(d->model);
    for (int k = 0; k < d->sheet_count; k++) weft_destroy_mesh(&d->meshes[k]);
}

static SWING_UNUSED bool drape_step(Drape* d) {
    if (weft_step(d->state, &d->step)) {
        printf("drape: %s\n", weft_state_error(d->state)->message);
        return false;
    }
    int solves = weft_report(d->state)->solve_count;
    d->solve_count += solves;
    d->most_solves = solves > d->most_solves ? solves : d->most_solves;
    d->step_count++;
    d->top = fmax(d->top, drape_energy(d));
    return true;
}

// ---------------------------------------------------------------------------------------------
// Measures

// The smallest distance of a vertex from a sphere.
static SWING_UNUSED double drape_distance(const Drape* d, const double centre[3]) {
    const double* x = weft_positions(d->state);
    double least = INFINITY;
    for (int i = 0; i < d->vertex_count; i++) {
        double a = x[3 * i] - centre[0], b = x[3 * i + 1] - centre[1], c = x[3 * i + 2] - centre[2];
        least = fmin(least, sqrt(a * a + b * b + c * c) - d->body.radius);
    }
    return least;
}

// The smallest height of a vertex above the plane through the origin that falls along `along`.
static SWING_UNUSED double drape_height(const Drape* d) {
    const double* x = weft_positions(d->state);
    double least = INFINITY;
    for (int i = 0; i < d->vertex_count; i++)
        least = fmin(least, d->along[0] * x[3 * i + 1] - d->along[1] * x[3 * i]);
    return least;
}

// The largest length of an edge over that at rest.
static SWING_UNUSED double drape_stretch(const Drape* d) {
    WeftMeasure measure;
    weft_measure(d->state, d->step.gravity, &measure);
    return measure.max_stretch;
}

// The mean of a sheet's positions along `direction`.
static SWING_UNUSED double drape_mean(const Drape* d, int sheet, const double direction[3]) {
    int count = d->n * d->n;
    const double* x = weft_positions(d->state) + 3L * sheet * count;
    double sum = 0;
    for (int i = 0; i < 3 * count; i++) sum += x[i] * direction[i % 3];
    return sum / count;
}

// sqrt of the mean of |a|^2 over the vertices, or |a - b|^2 where b is not NULL
static SWING_UNUSED double drape_rms(const Drape* d, const double* a, const double* b) {
    double sum = 0;
    for (int i = 0; i < 3 * d->vertex_count; i++) {
        double difference = a[i] - (b ? b[i] : 0);
        sum += difference * difference;
    }
    return sqrt(sum / d->vertex_count);
}

// The acceleration of y, given every h: twice the square term of the parabola nearest to it. Around
// the middle of the times, sums over odd powers vanish.
static SWING_UNUSED double drape_acceleration(const double* y, int count, double h) {
    double s2 = 0, s4 = 0, sy = 0, sty = 0;
    for (int k = 0; k < count; k++) {
        double t = (k - (count - 1) / 2.0) * h;
        s2 += t * t;
        s4 += t * t * t * t;
        sy += y[k];
        sty += t * t * y[k];
    }
    return 2 * (count * sty - s2 * sy) / (count * s4 - s2 * s2);
}

#endif

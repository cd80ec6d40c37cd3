// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The reference scene of many tests, SWING(n, beta): a unit square of n x n vertices with
// alternating diagonals, 0.15 kg/m^2 spread evenly, bending 1e-5 N m, starting level and at rest,
// held at two corners of one side; steps of 1/60 s, no damping, no air. beta = k h^2/m at 1/60 s.

#ifndef WEFT_TEST_SWING_H
#define WEFT_TEST_SWING_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

#ifdef __GNUC__
#define SWING_UNUSED __attribute__((unused))
#else
#define SWING_UNUSED
#endif

typedef struct Swing {
    int n;
    WeftClothDef cloth;
    WeftStepDef step;
    WeftGridKind grid;
    bool same_bits;
    WeftOrdering ordering;
    WeftAllocator allocator;
    WeftJobs jobs;
    WeftMesh mesh;
    int pins[2];
    WeftModel* model;
    WeftState* state;
} Swing;

// Fill in everything; the caller changes what it likes, then calls swing_open.
static SWING_UNUSED Swing swing_def(int n, double beta) {
    Swing s = {.n = n,
               .cloth = weft_default_cloth_def(),
               .step = weft_default_step_def(),
               .grid = WEFT_GRID_ALTERNATING,
               .jobs = {.thread_count = 1}};
    double h = 1.0 / 60, m = 0.15 / (n * n), k = beta * m / (h * h);
    s.cloth.fabric.density = 0.15;
    s.cloth.fabric.stretch_warp = s.cloth.fabric.stretch_weft = k;
    s.cloth.fabric.bend = 1e-5;
    s.cloth.fabric.compression = WEFT_UNYIELDING;  // as in what its numbers were computed with
    s.cloth.uniform_mass = true;
    s.step.air_density = 0;
    s.step.stretch_tolerance = 0;
    return s;
}

// The triangle model at a stiffness comparable with springs of the same beta.
static SWING_UNUSED void swing_triangles(Swing* s) {
    double k = s->cloth.fabric.stretch_warp;
    s->cloth.stretch = WEFT_STRETCH_TRIANGLES;
    s->cloth.fabric.stretch_warp = s->cloth.fabric.stretch_weft = 2 * k;
    s->cloth.fabric.shear = k / 2;
}

// Mesh and pins into the cloth, which then points into *s; swing_open does it, too.
static SWING_UNUSED void swing_make_mesh(Swing* s) {
    WeftGridDef grid = weft_default_grid_def();
    grid.columns = grid.rows = s->n - 1;
    grid.kind = s->grid;
    WeftError error = {0};
    if (weft_make_grid(&grid, NULL, &s->mesh, &error)) {
        printf("swing: %s\n", error.message);
        exit(1);
    }
    weft_use_mesh(&s->cloth, &s->mesh);
    s->pins[0] = s->n * (s->n - 1);
    s->pins[1] = s->n * s->n - 1;
    if (!s->cloth.pins) {
        s->cloth.pins = s->pins;
        s->cloth.pin_count = 2;
    }
}

static SWING_UNUSED WeftModelDef swing_model_def(const Swing* s) {
    WeftModelDef def = weft_default_model_def();
    def.cloths = &s->cloth;
    def.cloth_count = 1;
    def.step = s->step;
    def.same_bits = s->same_bits;
    def.ordering = s->ordering;
    def.allocator = s->allocator;
    def.jobs = s->jobs;
    return def;
}

static SWING_UNUSED void swing_open(Swing* s) {
    swing_make_mesh(s);
    WeftModelDef def = swing_model_def(s);
    WeftError error = {0};
    if (!weft_create_model(&def, &s->model, &error) &&
        !weft_create_state(s->model, &s->state, &error))
        return;
    printf("swing: %s\n", error.message);
    exit(1);
}

static SWING_UNUSED void swing_close(Swing* s) {
    weft_destroy_state(s->state);
    weft_destroy_model(s->model);
    weft_destroy_mesh(&s->mesh);
}

static SWING_UNUSED bool swing_step(Swing* s) {
    if (!weft_step(s->state, &s->step)) return true;
    printf("swing: %s\n", weft_state_error(s->state)->message);
    return false;
}

static SWING_UNUSED double swing_energy(const Swing* s) {
    WeftMeasure measure;
    weft_measure(s->state, s->step.gravity, &measure);
    return measure.total;
}

static SWING_UNUSED double swing_height(const Swing* s) {
    const double* x = weft_positions(s->state);
    double sum = 0;
    for (int i = 0; i < s->n * s->n; i++) sum += x[3 * i + 1];
    return sum / (s->n * s->n);
}

// A recorded motion: positions of every step.
typedef struct Track {
    int count, size;  // steps; numbers per step
    double* x;
} Track;

static SWING_UNUSED Track swing_record(Swing* s, int steps) {
    Track t = {steps, 3 * s->n * s->n, malloc((size_t)steps * 3 * (size_t)(s->n * s->n) * 8)};
    for (int k = 0; k < steps; k++) {
        if (!swing_step(s)) {
            t.count = k;
            break;
        }
        memcpy(t.x + (size_t)k * (size_t)t.size, weft_positions(s->state), (size_t)t.size * 8);
    }
    return t;
}

// Root mean square distance of vertices over all steps of `a`, in millimetres; `b` may have more
// steps in the same time. Pinned vertices count too; they are where they are in both.
static SWING_UNUSED double track_distance(const Track* a, const Track* b) {
    int stride = b->count / a->count;
    double sum = 0;
    for (int k = 0; k < a->count; k++) {
        const double* p = a->x + (size_t)k * (size_t)a->size;
        const double* q = b->x + ((size_t)(k + 1) * (size_t)stride - 1) * (size_t)b->size;
        for (int i = 0; i < a->size; i++) sum += (p[i] - q[i]) * (p[i] - q[i]);
    }
    // the two pinned vertices are not counted
    return 1e3 * sqrt(sum / ((double)a->count * (a->size / 3 - 2)));
}

static SWING_UNUSED void track_free(Track* t) { free(t->x); }

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A stress scene from a seed: how steps are taken, then pieces and bodies.

#define _POSIX_C_SOURCE 200809L

#include "scene.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

void describe(StressScene* scene, const char* format, ...) {
    size_t length = strlen(scene->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(scene->text + length, sizeof scene->text - length, format, arguments);
    va_end(arguments);
}

// ---------------------------------------------------------------------------------------------
// Clocks

static double machine_clock(void* user) {
    struct timespec time;
    (void)user;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// Every look takes some microseconds, now and then some milliseconds: runs with a budget that
// are the same each time.
static double made_up_clock(void* user) {
    StressScene* scene = user;
    Chance* chance = &scene->clock_chance;
    scene->clock_seconds += happens(chance, 0.002) ? 4e-3 : between(chance, 5e-6, 100e-6);
    return scene->clock_seconds;
}

// ---------------------------------------------------------------------------------------------
// Steps

static void choose_solver(StressScene* scene, WeftStepDef* step) {
    Chance* chance = &scene->chance;
    step->quality = 1 + pick(chance, WEFT_MAX_QUALITY);
    if (happens(chance, 0.3)) step->order = 1 + pick(chance, 2);
    if (happens(chance, 0.2)) step->substeps = 1 + pick(chance, 4);
    if (step->method == WEFT_METHOD_SYMPLECTIC) step->substeps = 0;
    if (step->method == WEFT_METHOD_PREFACTORED && happens(chance, 0.2)) {
        static const WeftScheme schemes[] = {WEFT_SCHEME_REPEAT, WEFT_SCHEME_A, WEFT_SCHEME_JAJ};
        step->scheme = schemes[pick(chance, 3)];
        step->iterations[0] = 3 + pick(chance, 6);
    }
    if (step->method == WEFT_METHOD_IMPLICIT || step->method == WEFT_METHOD_MATRIX_FREE) {
        step->scheme = happens(chance, 0.5) ? WEFT_SCHEME_AUTO : WEFT_SCHEME_J;
        step->newton_steps = 1 + pick(chance, 3);
        step->max_iterations = happens(chance, 0.2) ? 1 + pick(chance, 20) : 1000;
    }
    if (step->method == WEFT_METHOD_RELAXATION) {
        step->iterations[0] = 1 + pick(chance, 12);
        step->sweep = (WeftSweep)pick(chance, 2);
    }
}

static void choose_budget(StressScene* scene, bool real_clocks) {
    Chance* chance = &scene->chance;
    WeftModelDef* def = &scene->def;
    bool has_one = happens(chance, 0.3), real = happens(chance, 0.5);
    double budget = octaves(chance, 0.5, 16);
    if (!has_one) return;
    scene->real_clock = real && real_clocks;
    scene->clock_chance = (Chance){scene->seed ^ 0x5eed};
    def->step.budget_ms = budget;
    def->clock.now = scene->real_clock ? machine_clock : made_up_clock;
    def->clock.user = scene;
    describe(scene, ", budget %.2g ms of a %s clock", budget,
             scene->real_clock ? "real" : "made-up");
}

static void choose_air(StressScene* scene, WeftStepDef* step) {
    Chance* chance = &scene->chance;
    double direction[3], speed = octaves(chance, 0.5, 30);
    any_direction(chance, direction);
    if (happens(chance, 0.15))
        for (int k = 0; k < 3; k++) step->gravity[k] = 9.81 * direction[k];
    if (happens(chance, 0.1)) step->gravity[1] *= 10;
    any_direction(chance, direction);
    if (happens(chance, 0.2))
        for (int k = 0; k < 3; k++) step->wind[k] = speed * direction[k];
}

void choose_steps(StressScene* scene, bool real_clocks) {
    static const WeftMethod methods[] = {WEFT_METHOD_PREFACTORED, WEFT_METHOD_PREFACTORED,
                                         WEFT_METHOD_PREFACTORED, WEFT_METHOD_IMPLICIT,
                                         WEFT_METHOD_RELAXATION,  WEFT_METHOD_MATRIX_FREE,
                                         WEFT_METHOD_SYMPLECTIC};
    static const char* const names[] = {"symplectic", "implicit", "prefactored", "relaxation",
                                        "matrix_free"};
    Chance* chance = &scene->chance;
    WeftStepDef* step = &scene->def.step;
    step->method = methods[pick(chance, sizeof methods / sizeof *methods)];
    bool explicit = step->method == WEFT_METHOD_SYMPLECTIC;
    step->dt = happens(chance, 0.5) ? 1.0 / 60 : between(chance, 1.0 / 600, 1.0 / 15);
    if (explicit) step->dt = 1.0 / 600;  // it takes as many substeps as it needs
    scene->dt_varies = happens(chance, 0.2) && !explicit;
    scene->edits = happens(chance, 0.2);
    scene->step_count = 20 + (happens(chance, 0.2) ? pick(chance, 41) : pick(chance, 11));
    scene->def.contact = happens(chance, 0.7) ? WEFT_CONTACT_ALL : WEFT_CONTACT_BODIES;
    choose_solver(scene, step);
    choose_air(scene, step);
    if (happens(chance, 0.1)) scene->start_speed = octaves(chance, 10, 1000);
    if (happens(chance, 0.02)) scene->start_speed = 1e30;
    describe(scene, "%s, quality %d, order %d, substeps %d, scheme %d, %.3g ms%s",
             names[step->method], step->quality, step->order, step->substeps, (int)step->scheme,
             1000 * step->dt, scene->dt_varies ? " varying" : "");
    if (step->method == WEFT_METHOD_IMPLICIT || step->method == WEFT_METHOD_MATRIX_FREE)
        describe(scene, ", newton %d, at most %d", step->newton_steps, step->max_iterations);
    choose_budget(scene, real_clocks);
    describe(scene, ", contact %s%s, start speed %.2g m/s, %d steps\n",
             scene->def.contact == WEFT_CONTACT_ALL ? "all" : "bodies",
             scene->edits ? ", edits" : "", scene->start_speed, scene->step_count);
}

// ---------------------------------------------------------------------------------------------
// The whole

WeftResult create_stress_scene(uint64_t seed, bool real_clocks, bool first_kinds,
                               StressScene* scene, WeftError* error) {
    memset(scene, 0, sizeof *scene);
    scene->seed = seed;
    scene->chance = (Chance){seed};
    scene->kind_chance = (Chance){~seed};
    scene->first_kinds = first_kinds;
    scene->def = weft_default_model_def();
    scene->def.jobs.thread_count = 1;
    choose_steps(scene, real_clocks);
    WeftResult result = add_pieces(scene, error);
    if (!result) result = add_bodies(scene, error);
    return result;
}

void destroy_stress_scene(StressScene* scene) {
    for (int i = 0; i < MOST_PIECES; i++) weft_destroy_mesh(&scene->meshes[i]);
    for (int i = 0; i < MOST_BODIES; i++) {
        weft_destroy_mesh(&scene->bodies[i].mesh);
        free(scene->bodies[i].values);
    }
}

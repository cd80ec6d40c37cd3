// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "method.h"

#include <stdio.h>
#include <string.h>

#include "square.h"
#include "weft/weft_study.h"

typedef struct List {
    Method* methods;
    int count;
} List;

static Method* add(List* list, MethodRole role, const char* name, WeftStepDef step) {
    Method* method = &list->methods[list->count++];
    *method = (Method){.role = role, .step = step};
    snprintf(method->name, sizeof method->name, "%s", name);
    return method;
}

static WeftStepDef implicit_step(int order, WeftStart start) {
    WeftStepDef step = still_air_step();
    step.method = WEFT_METHOD_IMPLICIT;
    step.order = order;
    step.start = start;
    step.tolerance = 1e-4;
    return step;
}

// Newton to a gradient of 1e-7 of the weight's. Solving its systems only to a tenth on the way
// takes less than half the time for the same gradient (4 s instead of 10 at 1260 vertices).
static WeftStepDef converged_step(int order) {
    WeftStepDef step = implicit_step(order, WEFT_START_PREDICTED);
    step.scheme = WEFT_SCHEME_JAJ;
    step.newton_steps = 100;
    step.newton_tolerance = 1e-7;
    step.tolerance = 0.1;
    return step;
}

Method converged_method(int order) {
    Method method = {.role = ROLE_CONVERGED, .step = converged_step(order)};
    snprintf(method.name, sizeof method.name, "converged order %d", order);
    return method;
}

static WeftStepDef fine_step(int substeps) {
    WeftStepDef step = implicit_step(2, WEFT_START_PREDICTED);
    step.scheme = WEFT_SCHEME_JAJ;
    step.substeps = substeps;
    return step;
}

static void add_references(List* list) {
    add(list, ROLE_FINE, "fine, 32 substeps", fine_step(32));
    add(list, ROLE_FLOOR, "fine, 64 substeps", fine_step(64));
    for (int order = 1; order <= 2; order++) list->methods[list->count++] = converged_method(order);
}

static void add_conventional(List* list) {
    WeftStepDef step = still_air_step();
    step.method = WEFT_METHOD_SYMPLECTIC;
    add(list, ROLE_ROW, "symplectic", step);
    step = implicit_step(1, WEFT_START_PREVIOUS);
    add(list, ROLE_ROW, "conventional", step);
    WeftStepDef jacobi = step;
    jacobi.scheme = WEFT_SCHEME_J;
    add(list, ROLE_ROW, "conventional j", jacobi);
    add(list, ROLE_EIGEN, "eigen", step)->fill = EIGEN_FILL_IN_PLACE;
    add(list, ROLE_EIGEN, "eigen triplets", step)->fill = EIGEN_FILL_TRIPLETS;
    add(list, ROLE_EIGEN, "eigen upper", step)->fill = EIGEN_FILL_UPPER;
    add(list, ROLE_ROW, "implicit 2 predicted", implicit_step(2, WEFT_START_PREDICTED));
}

static void add_linear(List* list) {
    WeftStepDef step = still_air_step();
    step.order = 1;
    step.quality = 1;
    step.stretch_tolerance = 0;
    add(list, ROLE_ROW, "linear previous", step)->estimator = WEFT_ESTIMATOR_PREVIOUS;
    add(list, ROLE_ROW, "linear ier", step)->estimator = WEFT_ESTIMATOR_ROTATION;
    add(list, ROLE_ROW, "linear ivt", step)->estimator = WEFT_ESTIMATOR_VERTEX;
}

static void add_prefactored(List* list, const char* name, double stretch_tolerance) {
    for (int quality = 1; quality <= WEFT_MAX_QUALITY; quality++) {
        WeftStepDef step = still_air_step();
        char text[32];
        step.method = WEFT_METHOD_PREFACTORED;
        step.quality = quality;
        step.stretch_tolerance = stretch_tolerance;
        snprintf(text, sizeof text, "%s %d", name, quality);
        add(list, ROLE_ROW, text, step);
    }
}

int list_methods(Method methods[MAX_METHODS]) {
    List list = {methods, 0};
    add_references(&list);
    add_conventional(&list);
    add_linear(&list);
    add_prefactored(&list, "prefactored", 0);
    add_prefactored(&list, "softened", weft_default_step_def().stretch_tolerance);
    return list.count;
}

// ---------------------------------------------------------------------------------------------
// The front

typedef struct Rung {
    const char* name;
    WeftScheme scheme;
    int iterations[WEFT_MAX_NEWTON];
} Rung;

static const Rung ladder[] = {
    {"repeat 1", WEFT_SCHEME_REPEAT, {1}}, {"repeat 2", WEFT_SCHEME_REPEAT, {2}},
    {"repeat 4", WEFT_SCHEME_REPEAT, {4}}, {"A 2", WEFT_SCHEME_A, {2}},
    {"A 4", WEFT_SCHEME_A, {4}},           {"A 8", WEFT_SCHEME_A, {8}},
    {"JAJ 4", WEFT_SCHEME_JAJ, {4}},       {"JAJ 4+4", WEFT_SCHEME_JAJ, {4, 4}},
    {"A 4+12", WEFT_SCHEME_A, {4, 12}},
};
enum { RUNG_COUNT = sizeof ladder / sizeof *ladder };

// The step that textbooks have, to the tolerance that programs use.
static void add_textbook_steps(List* list) {
    WeftStepDef step = implicit_step(1, WEFT_START_PREVIOUS);
    step.scheme = WEFT_SCHEME_J;
    step.tolerance = 1e-3;
    for (step.substeps = 1; step.substeps <= 4; step.substeps *= 2) {
        Method* method = add(list, ROLE_ROW, "", step);
        snprintf(method->name, sizeof method->name, "%d x conventional, J to 1e-3", step.substeps);
    }
    step = implicit_step(2, WEFT_START_PREDICTED);
    for (step.substeps = 1; step.substeps <= 4; step.substeps *= 2) {
        Method* method = add(list, ROLE_ROW, "", step);
        snprintf(method->name, sizeof method->name, "%d x implicit, predicted, order 2",
                 step.substeps);
    }
}

static void add_rungs(List* list, int order, double stretch_tolerance) {
    for (int i = 0; i < RUNG_COUNT; i++)
        for (int substeps = 1; substeps <= 16; substeps *= 2) {
            WeftStepDef step = still_air_step();
            step.method = WEFT_METHOD_PREFACTORED;
            step.order = order;
            step.substeps = substeps;
            step.scheme = ladder[i].scheme;
            memcpy(step.iterations, ladder[i].iterations, sizeof step.iterations);
            step.stretch_tolerance = stretch_tolerance;
            Method* method = add(list, ROLE_ROW, "", step);
            snprintf(method->name, sizeof method->name, "%d x %s, order %d%s", substeps,
                     ladder[i].name, order, stretch_tolerance > 0 ? ", softened" : "");
        }
}

static void add_projective(List* list) {
    static const int iterations[] = {1, 2, 5, 10, 20, 50, 100};
    for (size_t i = 0; i < sizeof iterations / sizeof *iterations; i++)
        for (int substeps = 1; substeps <= 8; substeps *= 2) {
            WeftStepDef step = still_air_step();
            step.order = 1;
            step.substeps = substeps;
            step.iterations[0] = iterations[i];
            Method* method = add(list, ROLE_PROJECTIVE, "", step);
            snprintf(method->name, sizeof method->name, "%d x projective %d", substeps,
                     iterations[i]);
        }
}

int list_front_methods(Method methods[MAX_FRONT_METHODS]) {
    List list = {methods, 0};
    add_textbook_steps(&list);
    for (int order = 1; order <= 2; order++) {
        add_rungs(&list, order, weft_default_step_def().stretch_tolerance);
        add_rungs(&list, order, 0);
    }
    add_projective(&list);
    return list.count;
}

// As short as these, steps are solved by block-Jacobi alone as fast as by any other.
Method motion_itself(int substeps) {
    Method method = converged_method(2);
    method.role = ROLE_FINE;
    method.step.scheme = WEFT_SCHEME_J;
    method.step.newton_tolerance = 1e-6;
    method.step.substeps = substeps;
    snprintf(method.name, sizeof method.name, "%d x converged, order 2", substeps);
    return method;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "method.h"

#include <stdio.h>

#include "square.h"

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

static WeftStepDef fine_step(int substeps) {
    WeftStepDef step = implicit_step(2, WEFT_START_PREDICTED);
    step.scheme = WEFT_SCHEME_JAJ;
    step.substeps = substeps;
    return step;
}

static void add_references(List* list) {
    add(list, ROLE_FINE, "fine, 32 substeps", fine_step(32));
    add(list, ROLE_FLOOR, "fine, 64 substeps", fine_step(64));
    add(list, ROLE_CONVERGED, "converged order 1", converged_step(1));
    add(list, ROLE_CONVERGED, "converged order 2", converged_step(2));
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

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include <stdarg.h>
#include <stdio.h>

#include "bench.h"
#include "quality.h"
#include "weft/weft_study.h"

const char* const quality_families[FAMILY_COUNT] = {
    [FAMILY_LEVELS] = "quality",
    [FAMILY_SMALL_STEPS] = "small steps",
    [FAMILY_SYMPLECTIC] = "symplectic",
    [FAMILY_IMPLICIT] = "implicit",
    [FAMILY_IMPLICIT_PREDICTED] = "implicit, predicted",
    [FAMILY_MATRIX_FREE] = "matrix-free",
    [FAMILY_LINEAR] = "linear models",
    [FAMILY_PREFACTORED] = "prefactored",
    [FAMILY_SOFTENED] = "prefactored, softened",
    [FAMILY_BUDGET] = "by budget, softened",
    [FAMILY_GAUSS_SEIDEL] = "Gauss-Seidel",
    [FAMILY_GAUSS_SEIDEL_PREDICTED] = "Gauss-Seidel, predicted",
    [FAMILY_JACOBI] = "Jacobi",
    [FAMILY_PRESETS] = "presets",
    [FAMILY_XPBD] = "XPBD, small steps",
};

typedef struct List {
    QualityMethod* methods;
    int count;
} List;

static Method* add(List* list, Family family, WeftStepDef step, const char* format, ...)
    PRINTF_LIKE(4, 5);

static Method* add(List* list, Family family, WeftStepDef step, const char* format, ...) {
    QualityMethod* added = &list->methods[list->count++];
    *added = (QualityMethod){family, {.role = ROLE_ROW, .step = step}, 1};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(added->method.name, sizeof added->method.name, format, arguments);
    va_end(arguments);
    return &added->method;
}

static WeftStepDef real_step(WeftMethod method) {
    WeftStepDef step = weft_default_step_def();
    step.method = method;
    step.stretch_tolerance = 0;
    return step;
}

// As users have them: the conventional ones softened.
static void add_levels(List* list, Family family, WeftMethod method, const char* name) {
    WeftStepDef step = weft_default_step_def();
    step.method = method;
    for (step.quality = 1; step.quality <= WEFT_MAX_QUALITY; step.quality++)
        add(list, family, step, "%s %d", name, step.quality);
}

// As many substeps as it needs.
static void add_symplectic(List* list) {
    add(list, FAMILY_SYMPLECTIC, real_step(WEFT_METHOD_SYMPLECTIC), "symplectic");
}

// To 1e-4, one Newton step.
static void add_implicit(List* list, WeftStart start) {
    bool predicted = start == WEFT_START_PREDICTED;
    WeftStepDef step = real_step(WEFT_METHOD_IMPLICIT);
    step.start = start;
    step.scheme = WEFT_SCHEME_JAJ;
    for (step.order = 1; step.order <= 2; step.order++)
        for (step.substeps = 1; step.substeps <= 4; step.substeps *= 4)
            add(list, predicted ? FAMILY_IMPLICIT_PREDICTED : FAMILY_IMPLICIT, step,
                "%d x implicit%s, order %d, JAJ", step.substeps, predicted ? " predicted" : "",
                step.order);
}

static void add_matrix_free(List* list) {
    WeftStepDef step = real_step(WEFT_METHOD_MATRIX_FREE);
    step.order = 2;
    step.scheme = WEFT_SCHEME_J;
    for (step.substeps = 1; step.substeps <= 4; step.substeps *= 4)
        add(list, FAMILY_MATRIX_FREE, step, "%d x matrix-free, order 2, J", step.substeps);
}

static void add_linear(List* list) {
    WeftStepDef step = real_step(WEFT_METHOD_PREFACTORED);
    step.order = 2;
    step.quality = 1;
    for (step.substeps = 1; step.substeps <= 8; step.substeps *= 2)
        add(list, FAMILY_LINEAR, step, "%d x linear, vertex", step.substeps)->estimator =
            WEFT_ESTIMATOR_VERTEX;
}

// A scheme of the prefactored method, and the most substeps that it is tried with.
typedef struct Rung {
    WeftScheme scheme;
    int iterations[2], most_substeps;
} Rung;

static const Rung rungs[] = {
    {WEFT_SCHEME_REPEAT, {1}, 4}, {WEFT_SCHEME_REPEAT, {2}, 4}, {WEFT_SCHEME_A, {2}, 4},
    {WEFT_SCHEME_A, {3}, 2},      {WEFT_SCHEME_A, {4}, 4},      {WEFT_SCHEME_A, {5}, 1},
    {WEFT_SCHEME_A, {6}, 4},      {WEFT_SCHEME_A, {8}, 4},      {WEFT_SCHEME_A, {10}, 1},
    {WEFT_SCHEME_A, {2, 2}, 4},   {WEFT_SCHEME_A, {4, 2}, 2},   {WEFT_SCHEME_A, {4, 4}, 4},
    {WEFT_SCHEME_A, {4, 12}, 4},  {WEFT_SCHEME_JAJ, {3}, 4},    {WEFT_SCHEME_JAJ, {4}, 8},
    {WEFT_SCHEME_JAJ, {4, 4}, 8},
};

static const char* scheme_name(WeftScheme scheme) {
    return scheme == WEFT_SCHEME_REPEAT ? "repeat" : scheme == WEFT_SCHEME_A ? "A" : "JAJ";
}

// What the front of the method, and with it the ladder, is made of.
static void add_prefactored(List* list, Family family, double stretch_tolerance) {
    const char* text = stretch_tolerance > 0 ? ", softened" : "";
    WeftStepDef step = real_step(WEFT_METHOD_PREFACTORED);
    step.stretch_tolerance = stretch_tolerance;
    step.order = 2;
    for (size_t i = 0; i < sizeof rungs / sizeof *rungs; i++)
        for (step.substeps = 1; step.substeps <= rungs[i].most_substeps; step.substeps *= 2) {
            char second[16] = "";
            step.scheme = rungs[i].scheme;
            for (int k = 0; k < 2; k++) step.iterations[k] = rungs[i].iterations[k];
            if (step.iterations[1]) snprintf(second, sizeof second, "+%d", step.iterations[1]);
            add(list, family, step, "%d x %s %d%s%s", step.substeps, scheme_name(step.scheme),
                step.iterations[0], second, text);
        }
}

static void add_budgets(List* list) {
    WeftStepDef step = weft_default_step_def();
    for (step.budget_ms = 0.5; step.budget_ms <= 16; step.budget_ms *= 2)
        add(list, FAMILY_BUDGET, step, "budget %g ms", step.budget_ms);
}

// At x(n) by implicit Euler, as its inventors have it; at the predicted positions by BDF2.
static void add_sweeps(List* list, WeftSweep sweep, WeftStart start, Family family) {
    bool predicted = start == WEFT_START_PREDICTED, jacobi = sweep == WEFT_SWEEP_JACOBI;
    WeftStepDef step = real_step(WEFT_METHOD_RELAXATION);
    step.sweep = sweep;
    step.start = start;
    step.order = predicted ? 2 : 1;
    for (step.substeps = 1; step.substeps <= 8; step.substeps *= 8)
        for (int k = jacobi ? 4 : 2; k <= (jacobi ? 4 : 32); k *= 4) {
            step.iterations[0] = k;
            add(list, family, step, "%d x %s %d%s", step.substeps, jacobi ? "Jacobi" : "GS", k,
                predicted ? " predicted" : "");
        }
}

// Kim's is on springs that never push, which move otherwise.
static void add_presets(List* list) {
    static const struct {
        const char* name;
        WeftPreset preset;
        int sweeps;
    } presets[] = {{"kang_2 4", WEFT_PRESET_KANG_2, 4},
                   {"desbrun", WEFT_PRESET_DESBRUN, 0},
                   {"scalable 6", WEFT_PRESET_SCALABLE, 6}};
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++)
        for (int substeps = 1; substeps <= 4; substeps *= 4) {
            WeftStepDef step = real_step(WEFT_METHOD_RELAXATION);
            step.iterations[0] = presets[i].sweeps;
            weft_use_preset(&step, presets[i].preset);
            step.substeps = substeps;
            bool kim = presets[i].preset == WEFT_PRESET_SCALABLE;
            Method* method = add(list, FAMILY_PRESETS, step, "%d x %s%s", substeps, presets[i].name,
                                 kim ? ", one-sided" : "");
            if (kim) method->stretch = WEFT_STRETCH_ONE_SIDED;
        }
}

// As published, and a little over-relaxed, which is the most that it bears.
static void add_xpbd(List* list) {
    static const double relaxations[] = {1, 1.2};
    WeftStepDef step = real_step(WEFT_METHOD_SYMPLECTIC);
    for (int i = 0; i < 2; i++)
        for (step.substeps = 4; step.substeps <= 256; step.substeps *= 2) {
            add(list, FAMILY_XPBD, step, "%d x XPBD%s", step.substeps, i ? ", 1.2" : "");
            list->methods[list->count - 1].relaxation = relaxations[i];
        }
}

int list_quality_methods(bool few, QualityMethod methods[MAX_QUALITY_METHODS]) {
    List list = {methods, 0};
    add_levels(&list, FAMILY_LEVELS, WEFT_METHOD_PREFACTORED, "quality");
    add_levels(&list, FAMILY_SMALL_STEPS, WEFT_METHOD_SMALL_STEPS, "small steps");
    add_xpbd(&list);
    if (few) return list.count;
    add_symplectic(&list);
    add_implicit(&list, WEFT_START_PREVIOUS);
    add_implicit(&list, WEFT_START_PREDICTED);
    add_matrix_free(&list);
    add_linear(&list);
    add_prefactored(&list, FAMILY_PREFACTORED, 0);
    add_prefactored(&list, FAMILY_SOFTENED, weft_default_step_def().stretch_tolerance);
    add_budgets(&list);
    add_sweeps(&list, WEFT_SWEEP_GAUSS_SEIDEL, WEFT_START_PREVIOUS, FAMILY_GAUSS_SEIDEL);
    add_sweeps(&list, WEFT_SWEEP_GAUSS_SEIDEL, WEFT_START_PREDICTED, FAMILY_GAUSS_SEIDEL_PREDICTED);
    add_sweeps(&list, WEFT_SWEEP_JACOBI, WEFT_START_PREDICTED, FAMILY_JACOBI);
    add_presets(&list);
    return list.count;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Steps of the thesis' six models on a square that swings by two corners: tables 7.3, 7.4 and 7.5.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "thesis.h"
#include "trial.h"
#include "weft/weft_study.h"

// In the order of the thesis' columns.
typedef enum Kind { KIND_CONVENTIONAL, KIND_ROTATION, KIND_VERTEX, KIND_COUNT } Kind;

static const char* const kind_names[FAMILY_COUNT][KIND_COUNT] = {{"conventional", "ier", "ivt"},
                                                                 {"conventional", "iar", "ivt"}};

enum { QUICK_FRAMES = 12, LEAST_REPEATS = 3, MAX_REPEATS = 20 };
static const double ENOUGH = 1;  // s of repeats for one model

typedef struct ThesisStep {
    int vertex_count;
    double ms[FAMILY_COUNT][KIND_COUNT];
} ThesisStep;

static const ThesisStep thesis_steps[] = {
    {1245, {{5.75, 2.17, 1.11}, {7.18, 2.73, 1.40}}},
    {2485, {{14.74, 4.97, 2.72}, {16.79, 6.25, 3.18}}},
    {4219, {{29.81, 9.08, 5.39}, {33.68, 11.39, 6.26}}},
};
enum { STEP_COUNT = sizeof thesis_steps / sizeof *thesis_steps };

static const ThesisStep thesis_large = {5472, {{49.579, 12.586, 7.793}, {51.896, 15.098, 8.17}}};

// force, build, solve: ms at 5472 vertices
static const double thesis_phases[FAMILY_COUNT][KIND_COUNT][3] = {
    {{0.983, 23.249, 25.346}, {5.722, 0, 6.863}, {0.887, 0, 6.905}},
    {{1.71, 28.028, 22.157}, {8.928, 0, 6.169}, {1.944, 0, 6.225}},
};

// ---------------------------------------------------------------------------------------------
// Taking steps

// All that is measured on one square.
typedef struct Runs {
    Square square, squares[SOFTNESS_COUNT][FAMILY_COUNT];  // those share the first one's mesh
    Method methods[KIND_COUNT];
    Trial trials[SOFTNESS_COUNT][FAMILY_COUNT][KIND_COUNT];
} Runs;

// Conjugate gradients as the thesis has them, and weft's own: block-Jacobi, to 1e-4.
static void list_kinds(Method methods[KIND_COUNT]) {
    WeftStepDef conventional = still_air_step();
    conventional.method = WEFT_METHOD_IMPLICIT;
    conventional.scheme = WEFT_SCHEME_J;
    conventional.order = 1;
    conventional.newton_steps = 1;
    conventional.start = WEFT_START_PREVIOUS;
    conventional.tolerance = 1e-4;
    methods[KIND_CONVENTIONAL] = (Method){.role = ROLE_ROW, .step = conventional};
    methods[KIND_ROTATION] =
        (Method){.role = ROLE_ROW, .step = linear_step(), .estimator = WEFT_ESTIMATOR_ROTATION};
    methods[KIND_VERTEX] =
        (Method){.role = ROLE_ROW, .step = linear_step(), .estimator = WEFT_ESTIMATOR_VERTEX};
    for (int k = 0; k < KIND_COUNT; k++)
        snprintf(methods[k].name, sizeof methods[k].name, "%s", kind_names[FAMILY_EDGE][k]);
}

static void destroy_runs(Runs* runs) {
    for (int s = 0; s < SOFTNESS_COUNT; s++)
        for (int f = 0; f < FAMILY_COUNT; f++)
            for (int k = 0; k < KIND_COUNT; k++) destroy_trial(&runs->trials[s][f][k]);
    destroy_square(&runs->square);
    free(runs);
}

static int create_runs(int vertex_count, Runs* runs) {
    int code = make_thesis_square(vertex_count, false, &runs->square);
    list_kinds(runs->methods);
    for (int s = 0; s < SOFTNESS_COUNT; s++)
        for (int f = 0; f < FAMILY_COUNT && !code; f++) {
            Square* square = &runs->squares[s][f];
            *square = runs->square;
            code = set_cloth((Family)f, (Softness)s, &square->cloth);
            for (int k = 0; k < KIND_COUNT && !code; k++)
                code = create_trial(&runs->methods[k], square, 1, &runs->trials[s][f][k]);
        }
    return code;
}

static bool wants_repeat(const BenchOptions* options, const Trial* trial, int repeat) {
    if (repeat == 0) return true;
    return !options->quick && (repeat < LEAST_REPEATS || trial->spent < ENOUGH);
}

static int run_all(const BenchOptions* options, int vertex_count, Runs* runs) {
    int frames = options->quick ? QUICK_FRAMES : MAX_FRAMES, code = EXIT_GOOD;
    for (int repeat = 0; repeat < MAX_REPEATS; repeat++)
        for (int i = 0; i < SOFTNESS_COUNT * FAMILY_COUNT * KIND_COUNT && !code; i++) {
            int s = i / (FAMILY_COUNT * KIND_COUNT), f = i / KIND_COUNT % FAMILY_COUNT;
            Trial* trial = &runs->trials[s][f][i % KIND_COUNT];
            if (!wants_repeat(options, trial, repeat)) continue;
            show_progress("steps: %d vertices, %s, %s %s", vertex_count, softness_names[s],
                          family_names[f], kind_names[f][i % KIND_COUNT]);
            code = run_trial(trial, frames);
        }
    return code;
}

// Six models, two stiffnesses, in turn. Free the runs in any case.
static int measure(const BenchOptions* options, int vertex_count, Runs** runs) {
    *runs = need(1, sizeof **runs);
    show_progress("steps: %d vertices", vertex_count);
    int code = create_runs(vertex_count, *runs);
    return code ? code : run_all(options, vertex_count, *runs);
}

// ---------------------------------------------------------------------------------------------
// Rows

static double total_ms(const Runs* runs, int s, int f, int k) {
    return 1000 * mean_times(&runs->trials[s][f][k]).total;
}

static double speedup(const Runs* runs, int s, int f, int k) {
    return total_ms(runs, s, f, KIND_CONVENTIONAL) / total_ms(runs, s, f, k);
}

// Length over rest length after the last step.
static double last_stretch(const Trial* trial) {
    WeftMeasure measure;
    if (weft_measure(trial->state, trial->method->step.gravity, &measure)) return (double)NAN;
    return measure.max_stretch;
}

static void add_row(const Runs* runs, const ThesisStep* thesis, const char* table, int s, int f,
                    int k, Report* report) {
    const Trial* trial = &runs->trials[s][f][k];
    const WeftFabric* fabric = &trial->square.cloth.fabric;
    char model[32];
    snprintf(model, sizeof model, "%s %s", family_names[f], kind_names[f][k]);
    start_row(report);
    add_text(report, "table", table);
    add_number(report, "vertices", runs->square.mesh.vertex_count);
    add_number(report, "thesis_vertices", thesis->vertex_count);
    add_text(report, "cloth", softness_names[s]);
    add_number(report, "stretch", fabric->stretch_warp);
    add_text(report, "model", model);
    add_number(report, "max_stretch", last_stretch(trial));
    add_number(report, "iterations", (double)trial->iterations / trial->frame_count);
    add_number(report, "ms", total_ms(runs, s, f, k));
    add_number(report, "thesis_ms", thesis->ms[f][k]);
    add_number(report, "speedup", speedup(runs, s, f, k));
    add_number(report, "thesis_speedup", thesis->ms[f][KIND_CONVENTIONAL] / thesis->ms[f][k]);
}

static void add_phases(const Runs* runs, int s, int f, int k, Report* report) {
    const Trial* trial = &runs->trials[s][f][k];
    WeftTimes times = mean_times(trial);
    const double* thesis = thesis_phases[f][k];
    add_number(report, "predict_ms", 1000 * times.predict);
    add_number(report, "force_ms", 1000 * times.force);
    add_number(report, "thesis_force_ms", thesis[0]);
    add_number(report, "build_ms", 1000 * times.build);
    add_number(report, "thesis_build_ms", thesis[1]);
    add_number(report, "solve_ms", 1000 * times.solve);
    add_number(report, "thesis_solve_ms", thesis[2]);
    add_number(report, "update_ms", 1000 * times.update);
    add_number(report, "solves", (double)trial->solves / trial->frame_count);
    add_number(report, "unconverged_steps", trial->unconverged);
}

int add_step_rows(const BenchOptions* options, Report* report) {
    int code = EXIT_GOOD;
    start_table(report, "ms per step, by resolution");
    for (int i = 0; i < STEP_COUNT && !code; i++) {
        if (options->quick && i > 0) continue;
        Runs* runs;
        code = measure(options, thesis_steps[i].vertex_count, &runs);
        for (int s = 0; s < SOFTNESS_COUNT && !code; s++)
            for (int f = 0; f < FAMILY_COUNT; f++)
                for (int k = 0; k < KIND_COUNT; k++)
                    add_row(runs, &thesis_steps[i], "7.3", s, f, k, report);
        destroy_runs(runs);
    }
    return code;
}

static void add_ratios(const Runs* runs, Report* report) {
    static const char* const names[SOFTNESS_COUNT][FAMILY_COUNT][KIND_COUNT] = {
        {{NULL, "edge_ier", "edge_ivt"}, {NULL, "tri_iar", "tri_ivt"}},
        {{NULL, "edge_ier_stiff", "edge_ivt_stiff"}, {NULL, "tri_iar_stiff", "tri_ivt_stiff"}}};
    for (int s = 0; s < SOFTNESS_COUNT; s++)
        for (int f = 0; f < FAMILY_COUNT; f++)
            for (int k = KIND_COUNT - 1; k > KIND_CONVENTIONAL; k--)
                add_ratio(report, names[s][f][k], speedup(runs, s, f, k));
}

int add_phase_rows(const BenchOptions* options, Report* report) {
    static const char* const titles[] = {"ms of a step by phase, edge models",
                                         "ms of a step by phase, triangle models"};
    Runs* runs;
    int code = measure(options, thesis_large.vertex_count, &runs);
    for (int f = 0; f < FAMILY_COUNT && !code; f++) {
        start_table(report, titles[f]);
        for (int s = 0; s < SOFTNESS_COUNT; s++)
            for (int k = 0; k < KIND_COUNT; k++) {
                add_row(runs, &thesis_large, f == FAMILY_EDGE ? "7.4" : "7.5", s, f, k, report);
                add_phases(runs, s, f, k, report);
            }
    }
    if (!code) add_ratios(runs, report);
    destroy_runs(runs);
    return code;
}

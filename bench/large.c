// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// large: the square of 100,000 vertices: what it takes to build, to factor and to step it.

#include <math.h>

#include "bench.h"
#include "machine.h"
#include "square.h"
#include "weft/weft_study.h"

typedef struct LargeStep {
    const char* name;
    WeftMethod method;
    int quality, threads, step_count;  // threads: of WeftJobs
} LargeStep;

static const LargeStep steps[] = {
    {"prefactored 1", WEFT_METHOD_PREFACTORED, 1, 1, 10},
    {"prefactored 4", WEFT_METHOD_PREFACTORED, 4, 1, 10},
    {"prefactored 4, all cores", WEFT_METHOD_PREFACTORED, 4, WEFT_ALL_THREADS, 10},
    {"conventional", WEFT_METHOD_IMPLICIT, 1, 1, 2},
};
enum { STEP_COUNT = sizeof steps / sizeof *steps, QUICK_COUNT = 2 };

static WeftStepDef step_def(const LargeStep* large) {
    WeftStepDef step = still_air_step();
    step.method = large->method;
    step.quality = large->quality;
    if (large->method == WEFT_METHOD_IMPLICIT) {
        step.order = 1;
        step.start = WEFT_START_PREVIOUS;
        step.scheme = WEFT_SCHEME_JAJ;
    }
    return step;
}

static int take_steps(const LargeStep* large, WeftState* state, bool quick, Report* report) {
    WeftStepDef step = step_def(large);
    int count = quick ? 2 : large->step_count, iterations = 0;
    double fastest = (double)INFINITY;
    for (int i = 0; i < count + 1; i++) {  // the first warms up
        if (weft_step(state, &step))
            return complain(EXIT_FAILED, "%s", weft_state_error(state)->message);
        const WeftStepReport* last = weft_report(state);
        if (i > 0) fastest = fmin(fastest, last->times.total);
        if (i > 0) iterations += last->cg_iterations;
    }
    add_number(report, "ms", 1000 * fastest);
    add_number(report, "iterations", (double)iterations / count);
    return EXIT_GOOD;
}

static int run_step(const Square* square, const LargeStep* large, bool quick, Report* report) {
    WeftStepDef plain = still_air_step(), step = step_def(large);
    WeftModel* model;
    WeftState* state;
    WeftError error;
    double (*now)(void*) = large->threads == 1 ? thread_time : wall_time;
    plain.method = WEFT_METHOD_SYMPLECTIC;  // needs no factor
    show_progress("%d vertices: %s", square->mesh.vertex_count, large->name);
    double start = now(NULL);
    int code = create_square(square, &plain, large->threads, now, &model, &state);
    if (code) return code;
    double built = now(NULL);
    if (weft_prepare_model(model, &step, &error)) code = complain(EXIT_FAILED, "%s", error.message);
    double factored = now(NULL);
    start_row(report);
    add_number(report, "vertices", square->mesh.vertex_count);
    add_text(report, "method", large->name);
    add_number(report, "build_s", built - start);
    add_number(report, "factor_s", factored - built);
    if (!code) code = take_steps(large, state, quick, report);
    add_number(report, "model_mb", (double)weft_model_bytes(model) / 1e6);
    add_number(report, "peak_mb", peak_memory());
    weft_destroy_state(state);
    weft_destroy_model(model);
    return code;
}

static int run_large(const BenchOptions* options, Report* report) {
    Square square;
    int code = make_square(250, 400, &square);
    if (code) return code;
    for (int i = 0; i < STEP_COUNT && !code; i++)
        if (!options->quick || i < QUICK_COUNT)
            code = run_step(&square, &steps[i], options->quick, report);
    destroy_square(&square);
    add_note(report,
             "ms: the fastest step; processor time on one thread, time on the wall on all cores.");
    add_note(report, "peak_mb: of the program so far; the first row's is its own.");
    return code;
}

const Bench large_bench = {
    .name = "large",
    .text = "100,000 vertices: time to build, to factor and to step, and memory",
    .details =
        "The square of the bench swing with 250 x 400 vertices. build_s: mesh to model without a\n"
        "factor, with ordering and symbolic analysis; factor_s: the first factor; ms: one step.",
    .run = run_large,
};

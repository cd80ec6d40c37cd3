// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// shock: the cloth and the ball of the README, and the ball is moved far in a single step. What
// does the worst step take, against the usual one, and what is left of the cloth?

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "weft/weft_io.h"

static const double jumps[] = {0.1, 0.3, 0.6, 1, 3, 10};  // m
static const double budgets[] = {0, 4};                   // ms; 0: none
enum { JUMP_COUNT = sizeof jumps / sizeof *jumps, BUDGET_COUNT = 2 };
enum { BEFORE = 60, AFTER = 60, QUICK_BEFORE = 30, QUICK_AFTER = 10 };
static const double CENTRE[3] = {0.5, -0.4, -0.4};  // of the ball

typedef struct Shock {
    WeftModel* model;
    WeftState* state;
    double* ball;  // where its vertices are
    WeftSurface surfaces[2];
} Shock;

typedef struct Outcome {
    double usual_ms, worst_ms;
    int worst_step;      // after the jump: 0 is the step of the jump itself
    int crossings;       // of all frames
    int frames;          // that have any
    int unstopped;       // the most of a step
    double max_stretch;  // the most after the jump
    double end_stretch;  // at the end
} Outcome;

static int open_shock(Shock* shock) {
    WeftError error;
    WeftMesh mesh;
    WeftGridDef grid = weft_default_grid_def();
    *shock = (Shock){0};
    if (weft_make_grid(&grid, NULL, &mesh, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    int pins[] = {0, grid.columns};
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &mesh);
    cloth.pins = pins, cloth.pin_count = 2;
    WeftBodyDef ball = weft_default_body_def();
    ball.kind = WEFT_BODY_SPHERE, ball.radius = 0.2;
    memcpy(ball.position, CENTRE, sizeof CENTRE);
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth, def.cloth_count = 1;
    def.bodies = &ball, def.body_count = 1;
    def.contact = WEFT_CONTACT_ALL;
    def.jobs.thread_count = 1;
    def.clock.now = thread_time;
    def.step.budget_ms = 4;
    WeftResult result = weft_create_model(&def, &shock->model, &error);
    if (!result) result = weft_create_state(shock->model, &shock->state, &error);
    weft_destroy_mesh(&mesh);
    return result ? complain(EXIT_FAILED, "%s", error.message) : EXIT_GOOD;
}

static void make_surfaces(Shock* shock) {
    int vertex_count = weft_body_vertex_count(shock->model, 0);
    shock->ball = need(3 * (size_t)vertex_count, sizeof *shock->ball);
    shock->surfaces[0] =
        (WeftSurface){weft_vertex_count(shock->model), NULL, weft_triangle_count(shock->model),
                      weft_triangles(shock->model), false};
    shock->surfaces[1] =
        (WeftSurface){vertex_count, shock->ball, weft_body_triangle_count(shock->model, 0),
                      weft_body_triangles(shock->model, 0), true};
}

static void close_shock(Shock* shock) {
    free(shock->ball);
    weft_destroy_state(shock->state);
    weft_destroy_model(shock->model);
}

// A step, and the milliseconds that it took.
static int take_step(Shock* shock, const WeftStepDef* step, double* ms) {
    double start = thread_time(NULL);
    WeftResult result = weft_step(shock->state, step);
    *ms = 1000 * (thread_time(NULL) - start);
    if (result) return complain(EXIT_FAILED, "%s", weft_state_error(shock->state)->message);
    return EXIT_GOOD;
}

static int judge_frame(Shock* shock, Outcome* outcome) {
    WeftError error;
    WeftMeasure measure;
    double gravity[3] = {0, -9.81, 0};
    int count = 0, unstopped = weft_report(shock->state)->unstopped;
    shock->surfaces[0].positions = weft_positions(shock->state);
    weft_copy_body(shock->state, 0, shock->ball);
    if (weft_find_crossings(shock->surfaces, 2, NULL, 0, NULL, &count, &error) ||
        weft_measure(shock->state, gravity, &measure))
        return complain(EXIT_FAILED, "%s", error.message);
    outcome->crossings += count;
    outcome->frames += count > 0;
    outcome->max_stretch = fmax(outcome->max_stretch, measure.max_stretch);
    outcome->end_stretch = measure.max_stretch;
    if (unstopped > outcome->unstopped) outcome->unstopped = unstopped;
    return EXIT_GOOD;
}

// Usual steps, then the ball is moved within one step to where it has not been, and stays.
static int take_shock(Shock* shock, const WeftStepDef* step, double jump, bool quick,
                      Outcome* outcome) {
    static const double still[4] = {0, 0, 0, 1};
    int before = quick ? QUICK_BEFORE : BEFORE, after = quick ? QUICK_AFTER : AFTER;
    double times[BEFORE], ms, target[3] = {CENTRE[0], CENTRE[1] + jump, CENTRE[2]};
    int code = EXIT_GOOD;
    *outcome = (Outcome){0};
    for (int i = 0; i < before && !code; i++) code = take_step(shock, step, &times[i]);
    if (code) return code;
    sort_numbers(times, before);
    outcome->usual_ms = times[before / 2];
    weft_move_body(shock->state, 0, target, still);
    for (int i = 0; i < after && !code; i++) {
        code = take_step(shock, step, &ms);
        if (ms > outcome->worst_ms) outcome->worst_ms = ms, outcome->worst_step = i;
        if (!code) code = judge_frame(shock, outcome);
    }
    return code;
}

static void add_outcome(Report* report, double budget, double jump, const Outcome* outcome) {
    start_row(report);
    add_number(report, "budget_ms", budget);
    add_number(report, "jump_m", jump);
    add_number(report, "usual_ms", outcome->usual_ms);
    add_number(report, "worst_ms", outcome->worst_ms);
    add_number(report, "worst_over_usual", outcome->worst_ms / outcome->usual_ms);
    add_number(report, "worst_step", outcome->worst_step);
    add_number(report, "crossings", outcome->crossings);
    add_number(report, "crossed_frames", outcome->frames);
    add_number(report, "unstopped", outcome->unstopped);
    add_number(report, "max_stretch", outcome->max_stretch);
    add_number(report, "end_stretch", outcome->end_stretch);
}

static int run_row(double budget, double jump, bool quick, Outcome* outcome) {
    Shock shock;
    WeftStepDef step = weft_default_step_def();
    step.budget_ms = budget;
    int code = open_shock(&shock);
    if (!code) make_surfaces(&shock);
    if (!code) code = take_shock(&shock, &step, jump, quick, outcome);
    close_shock(&shock);
    return code;
}

static int run_shock(const BenchOptions* options, Report* report) {
    double worst = 0, stretch = 0, crossings = 0;
    for (int b = 0; b < BUDGET_COUNT; b++)
        for (int j = 0; j < JUMP_COUNT; j++) {
            Outcome outcome;
            show_progress("budget %g ms, the ball moved by %g m", budgets[b], jumps[j]);
            int code = run_row(budgets[b], jumps[j], options->quick, &outcome);
            if (code) return code;
            add_outcome(report, budgets[b], jumps[j], &outcome);
            worst = fmax(worst, outcome.worst_ms / outcome.usual_ms);
            stretch = fmax(stretch, outcome.end_stretch);
            crossings += outcome.crossings;
        }
    add_ratio(report, "worst_over_usual", worst);
    add_ratio(report, "end_stretch", stretch);
    add_ratio(report, "crossings", crossings);
    add_note(report,
             "usual_ms: the median of the steps before the jump; worst_ms: the longest of those "
             "from the jump on, worst_step which one, 0 the jump itself. Processor time.");
    return EXIT_GOOD;
}

const Bench shock_bench = {
    .name = "shock",
    .text = "the README's cloth and ball, the ball moved by 0.1 to 10 m in one step",
    .details =
        "A second of usual steps, then the ball is moved up through the cloth in one step\n"
        "(weft_move_body), and a second after it. Without a budget and with one of 4 ms.",
    .run = run_shock,
};

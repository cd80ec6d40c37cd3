// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the response as methods use it: the report tells the truth of what was reached, smoothing
// sees layers with and without a matrix, no step depends on what scratch was left by another,
// cloth does not feel what other cloth far away lies on, no bit depends on who runs its blocks, and
// the documentation has the plans.

#include "respond/plan.h"
#include "runners.h"
#include "touch.h"
#include "weft/weft_study.h"

// A sheet over a ball, its sides hanging.
static Touch sheet_on_ball(void) {
    Touch t = touch_def(WEFT_CONTACT_BODIES);
    touch_sheet(&t, 0.4, 10, 0, 0.202, 0);
    touch_body(&t, WEFT_BODY_SPHERE, 0, 0, 0)->radius = 0.2;
    t.step.rest_speed = 0;
    return t;
}

// Three sheets on the floor.
static Touch three_sheets(void) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    for (int k = 0; k < 3; k++) touch_sheet(&t, 0.3, 8, 0.01 * k, 0.002 + 0.002 * k, 0.02 * k);
    touch_body(&t, WEFT_BODY_PLANE, 0, 0, 0);
    t.step.rest_speed = 0;
    return t;
}

// ---------------------------------------------------------------------------------------------
// The report

// Steps that did not converge, of `count`; with the largest residual of all.
static int take_steps(Touch* t, int count, double* residual) {
    int unconverged = 0;
    touch_open(t);
    *residual = 0;
    for (int k = 0; k < count; k++) {
        CHECK(touch_step(t));
        const WeftStepReport* report = weft_report(t->state);
        CHECK(report->active_contacts > 0 || k < 2);
        CHECK(isfinite(report->residual) && report->residual >= 0);
        bool within = report->residual <= t->step.tolerance;
        bool fixed =
            t->step.method != WEFT_METHOD_IMPLICIT && t->step.method != WEFT_METHOD_MATRIX_FREE;
        CHECK(report->converged == (fixed || within));
        *residual = fmax(*residual, report->residual);
        unconverged += !report->converged;
    }
    touch_close(t);
    return unconverged;
}

// Such steps were called converged, with a residual of 0.
static void one_iteration_is_not_enough(void) {
    for (int free = 0; free < 2; free++) {
        Touch t = sheet_on_ball();
        double residual;
        t.step.method = free ? WEFT_METHOD_MATRIX_FREE : WEFT_METHOD_IMPLICIT;
        t.step.max_iterations = 1;
        t.step.tolerance = 1e-10;
        CHECK(take_steps(&t, 8, &residual) == 8);
        CHECK_BELOW(1e-10, residual);
    }
}

// But for where it lands, within its four rounds.
static void enough_iterations_converge(void) {
    for (int few = 0; few < 2; few++) {
        Touch t = sheet_on_ball();
        double residual;
        t.step.method = WEFT_METHOD_IMPLICIT;
        t.step.scheme = WEFT_SCHEME_J;
        t.step.tolerance = 0.02;
        if (few) t.step.max_iterations = 1;
        int unconverged = take_steps(&t, 20, &residual);
        CHECK(few ? unconverged == 20 : unconverged <= 6);
    }
}

// They promise no tolerance, and tell what is left.
static void fixed_schedules_tell_their_residual(void) {
    static const int qualities[] = {1, 4, 7};
    for (int k = 0; k < 4; k++) {
        Touch t = sheet_on_ball();
        double residual;
        if (k < 3)
            t.step.quality = qualities[k];
        else
            t.step.method = WEFT_METHOD_RELAXATION;
        CHECK(take_steps(&t, 8, &residual) == 0);
        CHECK_BELOW(0, residual);
    }
}

// ---------------------------------------------------------------------------------------------

// Without a matrix the smoothing of JAJ did not see layers: it was no preconditioner any more, and
// conjugate gradients gave up at once.
static void smoothing_sees_layers(void) {
    int iterations[2];
    for (int free = 0; free < 2; free++) {
        Touch t = three_sheets();
        t.step.method = free ? WEFT_METHOD_MATRIX_FREE : WEFT_METHOD_IMPLICIT;
        t.step.scheme = WEFT_SCHEME_JAJ;
        touch_open(&t);
        iterations[free] = 0;
        for (int k = 0; k < 30; k++) {
            CHECK(touch_step(&t));
            iterations[free] += weft_report(t.state)->cg_iterations;
        }
        CHECK(weft_report(t.state)->self_contacts > 0);
        touch_close(&t);
    }
    CHECK(4 * iterations[1] > iterations[0]);
}

// Steps with scheme A used inverse blocks that a step before had left, of whatever matrix, for
// vertices near others that they do not touch. Two sheets that fall together have such.
static void nothing_is_left_behind(void) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    WeftState* fresh = NULL;
    for (int k = 0; k < 2; k++) touch_sheet(&t, 0.3, 8, 0.01 * k, 0.003 * k, 0.02 * k);
    touch_pin(&t, 0, 0);
    touch_open(&t);
    t.step.quality = 7;
    for (int k = 0; k < 4; k++) CHECK(touch_step(&t));
    CHECK(weft_report(t.state)->self_contacts > 0);
    CHECK(weft_create_state(t.model, &fresh, NULL) == WEFT_OK);
    weft_copy_state(fresh, t.state);
    t.step.quality = 4;
    for (int k = 0; k < 6; k++) {
        CHECK(touch_step(&t));
        CHECK(weft_step(fresh, &t.step) == WEFT_OK);
        CHECK(weft_hash_state(t.state) == weft_hash_state(fresh));
    }
    weft_destroy_state(fresh);
    touch_close(&t);
}

// ---------------------------------------------------------------------------------------------
// Groups

// A sheet that swings from a corner, beside a sheet on a ball, or without that.
static Touch swinging(bool beside) {
    Touch t = touch_def(WEFT_CONTACT_BODIES);
    if (beside) touch_sheet(&t, 0.4, 10, 0, 0.2005, 0);
    touch_sheet(&t, 0.4, 10, 5, 0.202, 0);
    touch_body(&t, WEFT_BODY_SPHERE, 0, 0, 0)->radius = 0.2;
    touch_pin(&t, t.def.cloth_count - 1, 0);
    // what looks at all cloth at once: a probe before the first step, the energy of all of it
    t.step.order = 1;
    t.step.guard = false;
    t.step.rest_speed = 0;
    return t;
}

// Conjugate gradients had one step length for all cloth, so that one sheet felt what the other lay
// on: by 14 mm within half a second.
static void apart_as_if_alone(void) {
    Touch pair = swinging(true), alone = swinging(false);
    touch_open(&pair);
    touch_open(&alone);
    for (int k = 0; k < 30; k++) {
        CHECK(touch_step(&pair) && touch_step(&alone));
        CHECK(weft_report(pair.state)->active_contacts > 0);
    }
    int first = weft_first_vertex(pair.model, 1), n = weft_vertex_count(alone.model);
    const double *x = weft_positions(pair.state) + 3 * first, *y = weft_positions(alone.state);
    double most = 0;
    for (int i = 0; i < 3 * n; i++) most = fmax(most, fabs(x[i] - y[i]));
    CHECK_BELOW(most, 1e-6);  // the factor is one of single precision
    touch_close(&pair);
    touch_close(&alone);
}

// ---------------------------------------------------------------------------------------------
// Blocks

// Two sheets of 7,000 vertices on the floor, one on the other: all of them are swept, in chunks of
// several colours, and there are layers.
static uint64_t hash_of_pile(WeftJobs jobs) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    for (int k = 0; k < 2; k++) touch_sheet(&t, 0.5, 83, 0.003 * k, 0.0015 + 0.0016 * k, 0.002 * k);
    touch_body(&t, WEFT_BODY_PLANE, 0, 0, 0);
    t.def.jobs = jobs;
    touch_open(&t);
    CHECK(touch_step(&t));
    CHECK(weft_report(t.state)->active_contacts > 5000 && weft_report(t.state)->self_contacts > 0);
    uint64_t hash = weft_hash_state(t.state);
    touch_close(&t);
    return hash;
}

static void blocks_run_in_any_order(void) {
    uint64_t alone = hash_of_pile((WeftJobs){.thread_count = 1});
    if (test_slow()) CHECK(hash_of_pile((WeftJobs){.run = run_backwards}) == alone);
    CHECK(hash_of_pile((WeftJobs){.run = run_on_threads}) == alone);
}

// ---------------------------------------------------------------------------------------------
// Plans

static void print_pair(const int pair[2], char* text, size_t size) {
    if (pair[0] == pair[1])
        snprintf(text, size, "%d", pair[0]);
    else
        snprintf(text, size, "%d (%d)", pair[0], pair[1]);
}

// The end of its row in docs/method.md.
static void print_plan(const WfPlan* plan, char* text, size_t size) {
    char sweeps[32], last[32], rounds[32], iterations[64];
    print_pair(plan->sweeps, sweeps, sizeof sweeps);
    print_pair(plan->last_sweeps, last, sizeof last);
    if (plan->own_sweeps) strcpy(last, "its own");
    snprintf(rounds, sizeof rounds, "%d%s", plan->rounds, plan->for_layers ? ", of layers" : "");
    snprintf(iterations, sizeof iterations, plan->scheduled ? "the step's, %d at least" : "%d",
             plan->iterations);
    snprintf(text, size, "| %s | %s | %s | %s | %s | %g | %d |",
             plan->local ? "of contacts" : "all", sweeps, last, rounds, iterations, plan->drop,
             plan->closings);
}

static bool line_is(const char* line, const char* start, const char* end) {
    size_t length = strlen(line), room = strlen(end);
    return strncmp(line, start, strlen(start)) == 0 && length >= room &&
           strcmp(line + length - room, end) == 0;
}

static void documentation_has_the_plans(void) {
    for (int kind = 0; kind < WF_PLAN_COUNT; kind++) {
        const WfPlan* plan = wf_plan((WfPlanKind)kind);
        char start[64], end[256], line[1024];
        bool found = false;
        snprintf(start, sizeof start, "| %s |", plan->name);
        print_plan(plan, end, sizeof end);
        FILE* file = fopen(WEFT_SOURCE "/docs/method.md", "r");
        if (!CHECK(file != NULL)) return;
        while (!found && fgets(line, sizeof line, file)) {
            line[strcspn(line, "\n")] = 0;
            found = line_is(line, start, end);
        }
        fclose(file);
        if (!found) printf("docs/method.md has no row \"%s ... %s\"\n", start, end);
        CHECK(found);
    }
}

static void plans_make_sense(void) {
    for (int kind = 0; kind < WF_PLAN_COUNT; kind++) {
        const WfPlan* plan = wf_plan((WfPlanKind)kind);
        CHECK(plan->name && plan->rounds >= 0 && plan->closings >= 0);
        CHECK(plan->rounds == 0 || (plan->iterations > 0 && plan->drop > 0 && plan->drop < 1));
        // contacts are settled by sweeps: there is always a last one
        CHECK(plan->own_sweeps || (plan->last_sweeps[0] > 0 && plan->last_sweeps[1] > 0));
        for (int stiff = 0; stiff < 2; stiff++) CHECK(plan->rounds == 0 || plan->sweeps[stiff] > 0);
    }
}

TEST_MAIN(CASE(one_iteration_is_not_enough), CASE(enough_iterations_converge),
          CASE(fixed_schedules_tell_their_residual), SLOW_CASE(smoothing_sees_layers),
          CASE(nothing_is_left_behind), CASE(apart_as_if_alone), CASE(blocks_run_in_any_order),
          CASE(documentation_has_the_plans), CASE(plans_make_sense))

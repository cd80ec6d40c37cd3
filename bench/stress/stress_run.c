// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#define _POSIX_C_SOURCE 200809L

#include "stress_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "judge.h"
#include "shape.h"

const char* const stress_fault_names[STRESS_FAULT_COUNT] = {
    "good",         "refused", "failed", "broken_promise", "not_finite",
    "new_crossing", "flew",    "worse",  "over_bound",     "crash"};

static const double TOO_FAST = 100;  // m/s
enum { CLEAN_STEPS = 3 };            // what began crossed and was clean for so many is mended
enum { SQUEEZE_STEPS = 3 };          // a squeeze excuses what passes in so many steps

typedef struct Course {
    StressScene scene;
    StressJudge judge;
    WeftModel* model;
    WeftState* state;
    Passed passed;     // after the last step
    int allowed;       // what had passed at the start, or after the last edit
    bool clean;        // nothing had passed at the start, or in some steps in a row since then:
    int clean_steps;   // of them, the last ones
    int squeezed;      // steps for which a squeeze still excuses
    double times[64];  // ms per step
} Course;

static double processor_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return 1e3 * (double)time.tv_sec + 1e-6 * (double)time.tv_nsec;
}

static int compare_doubles(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static void set_fault(StressRun* run, StressFault fault, int step, const char* message) {
    run->fault = fault;
    run->step = step;
    snprintf(run->message, sizeof run->message, "%.199s", message);
}

// ---------------------------------------------------------------------------------------------
// Judging

static void start_over(Course* course) {
    course->passed = find_passed(&course->judge, course->state);
    course->allowed = course->passed.all;
    course->clean = course->passed.all == 0;
    course->clean_steps = 0;
    course->squeezed = 0;
}

static void judge_failure(Course* course, StressRun* run, int step, uint64_t hash) {
    const char* message = weft_state_error(course->state)->message;
    bool kept = weft_hash_state(course->state) == hash;
    set_fault(run, kept && message[0] ? STRESS_FAILED : STRESS_BROKEN_PROMISE, step, message);
    if (!kept) set_fault(run, STRESS_BROKEN_PROMISE, step, "the failed step changed the state");
}

// Whether nothing but gravity and what is stretched or crossed at the start can move the cloth.
static bool is_quiet(const StressScene* scene) {
    bool quiet = scene->placement != PLACE_ON_LINE && scene->placement != PLACE_ON_POINT &&
                 !scene->edits && scene->start_speed == 0;
    for (int k = 0; k < 3; k++) quiet = quiet && scene->def.step.wind[k] == 0;
    for (int b = 0; b < scene->def.body_count; b++)
        quiet = quiet && scene->bodies[b].motion == BODY_STILL;
    for (int i = 0; i < scene->piece_count; i++)
        quiet = quiet && (scene->cloths[i].pin_count == 0 || scene->pin_motion == PINS_HOLD);
    return quiet;
}

// Faster than by a fall and some.
static bool flies(const Course* course) {
    const double *v = weft_velocities(course->state), *g = course->scene.def.step.gravity;
    double fall = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) * weft_time(course->state);
    bool fast = false;
    for (int i = 0; i < weft_vertex_count(course->model) && !fast; i++, v += 3)
        fast = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) > TOO_FAST + fall;
    return fast && is_quiet(&course->scene);
}

static void judge_step(Course* course, StressRun* run, int step) {
    if (!is_finite(course->model, course->state)) {
        set_fault(run, STRESS_NOT_FINITE, step, "");
        return;
    }
    int before = course->passed.all;
    course->passed = find_passed(&course->judge, course->state);
    if (course->passed.all < 0) {
        set_fault(run, STRESS_NOT_FINITE, step, "positions beyond judging");
        return;
    }
    // pins inside of a body, or on each other: it cannot but cross
    bool held = course->passed.pinned > 0 || course->passed.stacked;
    const WeftStepReport* report = weft_report(course->state);
    // what jumps is placed, into cloth too: that is brought apart afterwards
    if (report->unstopped > 0 || report->jumps > 0 || held) course->squeezed = SQUEEZE_STEPS;
    bool excused = course->squeezed > 0, any = course->passed.all != 0;
    if (excused) course->squeezed--;
    if (course->clean && any && !excused) {
        run->before = before;
        run->after = course->passed.all;
        set_fault(run, STRESS_NEW_CROSSING, step, "");
    } else if (course->clean && any) {
        run->squeezed = true;
        course->clean = false;
        course->allowed = 1 << 30;
    }
    course->clean_steps = any ? 0 : course->clean_steps + 1;
    if (course->clean_steps >= CLEAN_STEPS) course->clean = true;
    if (!run->fault && flies(course)) set_fault(run, STRESS_FLEW, step, "");
}

static void judge_end(Course* course, StressRun* run) {
    if (run->fault || course->clean || course->passed.all <= course->allowed) return;
    run->before = course->allowed;
    run->after = course->passed.all;
    set_fault(run, STRESS_WORSE, course->scene.step_count, "");
}

static void find_times(const Course* course, int count, StressRun* run) {
    double sorted[64];
    for (int i = 0; i < count; i++)
        if (course->times[i] > run->longest_ms)
            run->longest_ms = course->times[i], run->longest_step = i;
    memcpy(sorted, course->times, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_doubles);
    if (count > 0) run->median_ms = sorted[count / 2];
}

// ---------------------------------------------------------------------------------------------
// Running

static void tell_step(const Course* course, int step, FILE* file) {
    const WeftStepReport* r = weft_report(course->state);
    const Passed* passed = &course->passed;
    WeftMeasure measure = {0};
    double gravity[3] = {0};
    weft_measure(course->state, gravity, &measure);
    fprintf(file,
            "step %2d: %7.2f ms, crossings %d, inside %d %d %d (%.2g mm), pinned inside %d, "
            "contacts %d + %d, tangles %d, impacts %d, zones %d, "
            "unstopped %d, stretch %.3g, speed %.3g%s\n",
            step, course->times[step], passed->crossings, passed->inside[0], passed->inside[1],
            passed->inside[2], 1000 * passed->depth, passed->pinned, r->body_contacts,
            r->self_contacts, r->tangles, r->impacts, r->zones, r->unstopped, measure.max_stretch,
            measure.max_speed, r->asleep ? ", asleep" : "");
}

static void take_steps(Course* course, const StressOptions* options, StressRun* run) {
    WeftStepDef def = course->scene.def.step;
    int step = 0;
    start_over(course);
    if (options->verbose) fprintf(options->verbose, "start: passed %d\n", course->passed.all);
    for (; step < course->scene.step_count && !run->fault; step++) {
        bool edited;
        direct_stress_scene(&course->scene, course->model, course->state, step, &def, &edited);
        if (edited) start_over(course);
        uint64_t hash = weft_hash_state(course->state);
        double start = processor_ms();
        WeftResult result = weft_step(course->state, &def);
        course->times[step] = processor_ms() - start;
        if (result)
            judge_failure(course, run, step, hash);
        else
            judge_step(course, run, step);
        if (!run->fault && options->bound_ms > 0 && course->times[step] > options->bound_ms)
            set_fault(run, STRESS_OVER_BOUND, step, "");
        if (options->verbose) tell_step(course, step, options->verbose);
    }
    judge_end(course, run);
    find_times(course, step, run);
    run->hash = weft_hash_state(course->state);
}

static void tell_end(const StressRun* run, FILE* file) {
    fprintf(file, "%s at step %d, passed %d -> %d; longest step %.1f ms (%d), median %.2f ms. %s\n",
            stress_fault_names[run->fault], run->step, run->before, run->after, run->longest_ms,
            run->longest_step, run->median_ms, run->message);
}

StressRun run_stress(uint64_t seed, const StressOptions* options) {
    Course* course = stress_memory(1, sizeof *course);
    StressRun run = {.seed = seed};
    WeftError error = {0};
    WeftResult result = create_stress_scene(seed, options->real_clocks, options->first_kinds,
                                            &course->scene, &error);
    run.method = course->scene.def.step.method;
    if (options->verbose)
        fprintf(options->verbose, "seed %llu: %s\n", (unsigned long long)seed, course->scene.text);
    if (options->verbose) fflush(options->verbose);
    if (!result) result = weft_create_model(&course->scene.def, &course->model, &error);
    if (!result) result = weft_create_state(course->model, &course->state, &error);
    if (result) {
        set_fault(&run, error.message[0] ? STRESS_REFUSED : STRESS_BROKEN_PROMISE, 0,
                  error.message);
    } else {
        create_judge(&course->judge, &course->scene, course->model);
        take_steps(course, options, &run);
        destroy_judge(&course->judge);
    }
    if (options->verbose) tell_end(&run, options->verbose);
    weft_destroy_state(course->state);
    weft_destroy_model(course->model);
    destroy_stress_scene(&course->scene);
    free(course);
    return run;
}

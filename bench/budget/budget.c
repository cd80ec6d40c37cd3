// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// budget: does a budget hold while the load changes, and is it well spent? The scene of gusts.h at
// 1, 2 and 4 ms per frame, which the cloths that are present share by their vertices. Scenes with
// contact are in budget_contact.c.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "budget_contact.h"
#include "gusts.h"
#include "weft/weft_study.h"

static const double budgets[] = {1, 2, 4};   // ms
static const double SLACK = 1.1;             // a frame within ten per cent over the budget is good
static const double NEXT_TO_NOTHING = 1e-6;  // ms: what is taken then is the cheapest step
enum { BUDGET_COUNT = 3, CHEAPEST_PASSES = 3, WARM_UP = 3, MAX_CHOICES = 24 };
enum { ERROR_FRAMES = 300, QUICK_FRAMES = 90, QUICK_ERROR_FRAMES = 30 };
enum { MOTION_SUBSTEPS = 8, QUICK_SUBSTEPS = 4 };

static const struct {
    int columns, rows;  // vertices
} sizes[GUST_CLOTHS] = {{36, 36}, {25, 25}, {29, 30}};

// What the main cloth is moved by, a second each; the guests are prefactored.
static const WeftMethod methods[] = {WEFT_METHOD_PREFACTORED, WEFT_METHOD_RELAXATION,
                                     WEFT_METHOD_MATRIX_FREE, WEFT_METHOD_IMPLICIT};
enum { METHOD_COUNT = sizeof methods / sizeof *methods, METHOD_FRAMES = 60 };

typedef struct Part {
    const char* name;
    bool switches;
    const char* clock;
    double (*now)(void* user);
} Part;

static const Part parts[] = {{"steady", false, "processor", thread_time},
                             {"switch", true, "processor", thread_time},
                             {"wall", false, "wall", wall_time}};
enum { PART_COUNT = sizeof parts / sizeof *parts };

// One way to take the steps of the main cloth, and how often it was taken.
typedef struct Choice {
    WeftMethod method;
    int substeps, planned, steps;
    WeftScheme scheme;
    double iterations;  // per substep, summed
} Choice;

// What one run through the scene gave.
typedef struct Course {
    int frame_count;
    double* seconds;      // per frame
    WeftStepDef* repeat;  // per frame: the same step of the main cloth without a clock
    Choice choices[MAX_CHOICES], last;
    int choice_count, changes;  // changes: of substeps or scheme while the method stays
    double error;               // mm, summed over its frames
    int error_frames;
} Course;

typedef struct Scene {
    const BenchOptions* options;
    Report* report;
    const Part* part;
    GustCloth cloths[GUST_CLOTHS];
    Trajectory motion;
    double* cheapest;  // s, per frame
} Scene;

// ---------------------------------------------------------------------------------------------
// Frames

static WeftStepDef step_of(const Part* part, int cloth, int frame) {
    WeftStepDef step = weft_default_step_def();
    if (part->switches && cloth == 0) step.method = methods[frame / METHOD_FRAMES % METHOD_COUNT];
    set_gust(frame, &step);
    return step;
}

// The part of what is left of a frame's budget that is a cloth's: it and those after it share that
// by their vertices.
static double share_of(int cloth, int frame) {
    int all = 0;
    for (int c = cloth; c < GUST_CLOTHS; c++)
        if (gust_cloth_is_present(c, frame)) all += sizes[c].columns * sizes[c].rows;
    return (double)(sizes[cloth].columns * sizes[cloth].rows) / all;
}

static int take_step(WeftState* state, const WeftStepDef* step) {
    return weft_step(state, step) ? complain(EXIT_FAILED, "%s", weft_state_error(state)->message)
                                  : EXIT_GOOD;
}

// Returns an exit code; `main_step`: as asked of the main cloth.
static int take_frame(Scene* scene, double budget, int frame, WeftStepDef* main_step,
                      double* seconds) {
    int code = EXIT_GOOD;
    for (int c = 1; c < GUST_CLOTHS; c++)
        if (gust_cloth_is_present(c, frame) && !gust_cloth_is_present(c, frame - 1))
            reset_gust_cloth(&scene->cloths[c]);
    double start = scene->part->now(NULL);
    play_hands(&scene->cloths[0], frame, scene->cloths[0].state);
    for (int c = 0; c < GUST_CLOTHS && !code; c++) {
        if (!gust_cloth_is_present(c, frame)) continue;
        WeftStepDef step = step_of(scene->part, c, frame);
        double left = budget - 1000 * (scene->part->now(NULL) - start);
        step.budget_ms = fmax(left * share_of(c, frame), NEXT_TO_NOTHING);
        code = take_step(scene->cloths[c].state, &step);
        if (c == 0) *main_step = step;
    }
    *seconds = scene->part->now(NULL) - start;
    return code;
}

// States that know nothing of any time, but have taken steps by every method: what they allocate is
// allocated.
static int ready_states(Scene* scene, double budget) {
    int code = EXIT_GOOD;
    for (int c = 0; c < GUST_CLOTHS && !code; c++) {
        GustCloth* cloth = &scene->cloths[c];
        WeftError error;
        weft_destroy_state(cloth->state);
        if (weft_create_state(cloth->model, &cloth->state, &error))
            return complain(EXIT_FAILED, "%s", error.message);
        for (int m = 0; m < METHOD_COUNT && !code; m++) {
            WeftStepDef step = step_of(scene->part, c, m * METHOD_FRAMES);
            step.budget_ms = budget;
            for (int i = 0; i < WARM_UP && !code; i++) code = take_step(cloth->state, &step);
        }
        reset_gust_cloth(cloth);
    }
    return code;
}

// ---------------------------------------------------------------------------------------------
// What was chosen

static bool same_choice(const Choice* a, const Choice* b) {
    return a->method == b->method && a->substeps == b->substeps && a->scheme == b->scheme &&
           a->planned == b->planned;
}

static void count_choice(Course* course, const WeftStepReport* done) {
    Choice choice = {done->method, done->substeps, done->iterations[0], 1, done->scheme, 0};
    for (int i = 0; i < done->substeps && i < WEFT_MAX_LIMITS; i++)
        choice.iterations += (double)done->limits[i] / done->substeps;
    if (course->last.method == choice.method && !same_choice(&course->last, &choice))
        course->changes++;
    course->last = choice;
    int i = 0;
    while (i < course->choice_count && !same_choice(&course->choices[i], &choice)) i++;
    if (i == MAX_CHOICES) return;
    if (i == course->choice_count) {
        course->choices[course->choice_count++] = choice;
        return;
    }
    course->choices[i].steps++;
    course->choices[i].iterations += choice.iterations;
}

// "2 x A 8", "relaxation", "matrix-free J"
static void name_choice(const Choice* choice, char text[48]) {
    static const char* const schemes[] = {"", " repeat", " A", " JAJ", " J", " plain"};
    static const char* const names[] = {"symplectic", "implicit", "prefactored", "relaxation",
                                        "matrix-free"};
    if (choice->method != WEFT_METHOD_PREFACTORED)
        snprintf(text, 48, "%s%s", names[choice->method], schemes[choice->scheme]);
    else
        snprintf(text, 48, "%d x%s %d", choice->substeps, schemes[choice->scheme], choice->planned);
}

// ---------------------------------------------------------------------------------------------
// Courses

static void add_error(const Scene* scene, int frame, Course* course) {
    if (frame >= scene->motion.frame_count) return;
    Distance distance = {.from = &scene->motion};
    add_frame(&distance, frame, weft_positions(scene->cloths[0].state));
    course->error += 1000 * rms_distance(&distance);
    course->error_frames++;
}

static int run_course(Scene* scene, double budget, Course* course) {
    WeftStepDef step;
    int code = ready_states(scene, budget);
    for (int frame = 0; frame < course->frame_count && !code; frame++) {
        code = take_frame(scene, budget, frame, &step, &course->seconds[frame]);
        if (code) return code;
        const WeftStepReport* done = weft_report(scene->cloths[0].state);
        course->repeat[frame] = weft_repeat_step(&step, done);
        count_choice(course, done);
        add_error(scene, frame, course);
    }
    return code;
}

// Whether another state of the main cloth, told what was done, ends at the same bits.
static int replay(Scene* scene, const Course* course, bool* same) {
    GustCloth* cloth = &scene->cloths[0];
    WeftState* state = NULL;
    WeftError error;
    if (weft_create_state(cloth->model, &state, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    int code = EXIT_GOOD;
    for (int frame = 0; frame < course->frame_count && !code; frame++) {
        play_hands(cloth, frame, state);
        code = take_step(state, &course->repeat[frame]);
    }
    *same = weft_hash_state(state) == weft_hash_state(cloth->state);
    weft_destroy_state(state);
    return code;
}

// The least time of each frame with the cheapest step of the method in use, everyone's.
static int find_cheapest(Scene* scene, int frame_count) {
    WeftStepDef step;
    int code = EXIT_GOOD;
    for (int pass = 0; pass < CHEAPEST_PASSES && !code; pass++) {
        code = ready_states(scene, NEXT_TO_NOTHING);
        for (int frame = 0; frame < frame_count && !code; frame++) {
            double seconds;
            code = take_frame(scene, NEXT_TO_NOTHING, frame, &step, &seconds);
            if (pass == 0 || seconds < scene->cheapest[frame]) scene->cheapest[frame] = seconds;
        }
    }
    return code;
}

// ---------------------------------------------------------------------------------------------
// Telling

// Returns the share of good frames among those into which the cheapest steps fit.
static double tell_course(Scene* scene, double budget, const Course* course, bool same) {
    Report* report = scene->report;
    int count = course->frame_count, fitting = 0, good = 0;
    double *sorted = need((size_t)count, sizeof *sorted), used = 0, cheapest = 0;
    for (int i = 0; i < count; i++) {
        bool fits = 1000 * scene->cheapest[i] <= budget;
        sorted[i] = 1000 * course->seconds[i];
        fitting += fits;
        good += fits && sorted[i] <= SLACK * budget;
        used += sorted[i] / budget / count;
        cheapest = fmax(cheapest, 1000 * scene->cheapest[i]);
    }
    sort_numbers(sorted, count);
    double within = fitting > 0 ? (double)good / fitting : (double)NAN;
    start_row(report);
    add_text(report, "part", scene->part->name);
    add_number(report, "budget_ms", budget);
    add_text(report, "clock", scene->part->clock);
    add_number(report, "frames", count);
    add_number(report, "too_small", count - fitting);
    add_number(report, "within", within);
    add_number(report, "median_ms", sorted[count / 2]);
    add_number(report, "p99_ms", sorted[(int)(0.99 * (count - 1))]);
    add_number(report, "longest_over_budget", sorted[count - 1] / budget);
    add_number(report, "used", used);
    add_number(report, "cheapest_ms", cheapest);
    add_number(report, "changes", course->changes);
    add_number(report, "error_mm", course->error / course->error_frames);
    add_text(report, "replayed", same ? "yes" : "no");
    free(sorted);
    return within;
}

static void tell_choices(Scene* scene, double budget, const Course* course) {
    for (int i = 0; i < course->choice_count; i++) {
        const Choice* choice = &course->choices[i];
        char text[48];
        name_choice(choice, text);
        start_row(scene->report);
        add_text(scene->report, "part", scene->part->name);
        add_number(scene->report, "budget_ms", budget);
        add_text(scene->report, "choice", text);
        add_number(scene->report, "share", (double)choice->steps / course->frame_count);
        add_number(scene->report, "iterations", choice->iterations / choice->steps);
    }
}

// ---------------------------------------------------------------------------------------------
// Parts

static int create_cloths(Scene* scene) {
    WeftStepDef steps[METHOD_COUNT];
    const WeftStepDef* list[METHOD_COUNT + 1] = {0};
    for (int m = 0; m < METHOD_COUNT; m++) {
        steps[m] = weft_default_step_def();
        steps[m].method = methods[m];
        steps[m].budget_ms = 1;
        list[m] = &steps[m];
    }
    int code = EXIT_GOOD;
    for (int c = 0; c < GUST_CLOTHS && !code; c++)
        code = create_gust_cloth(sizes[c].columns, sizes[c].rows, scene->part->now, list,
                                 &scene->cloths[c]);
    return code;
}

// The motion itself, and how well it is known.
static int find_motion(Scene* scene) {
    const BenchOptions* options = scene->options;
    Report* report = scene->report;
    GustCloth cloth;
    WeftStepDef step = weft_default_step_def();
    const WeftStepDef* list[] = {&step, NULL};
    Trajectory finer = {0};
    int frames = options->quick ? QUICK_ERROR_FRAMES : ERROR_FRAMES;
    int substeps = options->quick ? QUICK_SUBSTEPS : MOTION_SUBSTEPS;
    int code = create_gust_cloth(sizes[0].columns, sizes[0].rows, NULL, list, &cloth);
    create_trajectory(&scene->motion, frames, sizes[0].columns * sizes[0].rows);
    create_trajectory(&finer, frames, scene->motion.vertex_count);
    if (!code) code = find_gust_motion(&cloth, substeps, options->fresh, &scene->motion);
    if (!code && !options->quick) {
        code = find_gust_motion(&cloth, 2 * substeps, options->fresh, &finer);
        Distance distance = {.from = &finer};
        for (int frame = 0; frame < frames; frame++)
            add_frame(&distance, frame, trajectory_frame(&scene->motion, frame));
        add_ratio(report, "motion_known_mm", 1000 * rms_distance(&distance));
    }
    destroy_trajectory(&finer);
    destroy_gust_cloth(&cloth);
    return code;
}

typedef struct Results {
    double within[PART_COUNT][BUDGET_COUNT], error[PART_COUNT][BUDGET_COUNT];
    Course courses[PART_COUNT][BUDGET_COUNT];
} Results;

static int run_part(Scene* scene, int part, int frame_count, Results* results) {
    scene->part = &parts[part];
    show_progress("%s: the cheapest steps", scene->part->name);
    int code = create_cloths(scene);
    if (!code) code = find_cheapest(scene, frame_count);
    for (int b = 0; b < BUDGET_COUNT && !code; b++) {
        Course* course = &results->courses[part][b];
        bool same = false;
        show_progress("%s: %g ms", scene->part->name, budgets[b]);
        course->frame_count = frame_count;
        course->seconds = need((size_t)frame_count, sizeof *course->seconds);
        course->repeat = need((size_t)frame_count, sizeof *course->repeat);
        code = run_course(scene, budgets[b], course);
        if (!code) code = replay(scene, course, &same);
        if (code) break;
        results->within[part][b] = tell_course(scene, budgets[b], course, same);
        results->error[part][b] = course->error / course->error_frames;
    }
    for (int c = 0; c < GUST_CLOTHS; c++) destroy_gust_cloth(&scene->cloths[c]);
    return code;
}

static void tell_ratios(Report* report, const Results* results) {
    static const char* const within[] = {"within_1ms", "within_2ms", "within_4ms"};
    static const char* const error[] = {"error_1ms", "error_2ms", "error_4ms"};
    bool falls = true;
    for (int b = 0; b < BUDGET_COUNT; b++) {
        add_ratio(report, within[b], fmin(results->within[0][b], results->within[1][b]));
        falls = falls && (b == 0 || results->error[0][b] < results->error[0][b - 1]);
    }
    for (int b = 0; b < BUDGET_COUNT; b++) add_ratio(report, error[b], results->error[0][b]);
    add_ratio(report, "error_falls", falls);
}

static bool is_asked(const BenchOptions* options, int part) {
    return !options->part || strcmp(options->part, parts[part].name) == 0;
}

static int run_gusts(const BenchOptions* options, Report* report) {
    Scene scene = {.options = options, .report = report};
    int frame_count = options->quick ? QUICK_FRAMES : GUST_FRAMES;
    Results* results = need(1, sizeof *results);
    scene.cheapest = need((size_t)frame_count, sizeof *scene.cheapest);
    int code = find_motion(&scene);
    start_table(report, "frames");
    for (int part = 0; part < PART_COUNT && !code; part++)
        if (is_asked(options, part)) code = run_part(&scene, part, frame_count, results);
    start_table(report, "what was chosen for the main cloth");
    for (int part = 0; part < PART_COUNT && !code; part++)
        for (int b = 0; b < BUDGET_COUNT; b++) {
            scene.part = &parts[part];
            tell_choices(&scene, budgets[b], &results->courses[part][b]);
        }
    if (!code && !options->part) tell_ratios(report, results);
    for (int part = 0; part < PART_COUNT; part++)
        for (int b = 0; b < BUDGET_COUNT; b++) {
            free(results->courses[part][b].seconds);
            free(results->courses[part][b].repeat);
        }
    free(results);
    free(scene.cheapest);
    destroy_trajectory(&scene.motion);
    add_note(report,
             "within: frames that took at most 1.1 times their budget, of those in which the "
             "cheapest steps of everyone present would have fitted; too_small counts the others. "
             "Of both parts on the processor's clock the smaller is the ratio.");
    add_note(report,
             "error_mm: rms distance over all vertices of the main cloth from the motion itself "
             "(BDF2 solved to the end, 8 substeps), the mean of the first 5 s. They were chosen so "
             "that it is well defined: motion_known_mm is its distance from 16 substeps.");
    add_note(report,
             "replayed: a second state, told by weft_repeat_step what was done, ended at the same "
             "bits. The clock on the wall counts what other processes take, too: for information.");
    return code;
}

static int run_budget(const BenchOptions* options, Report* report) {
    bool contact = !options->part || strcmp(options->part, "contact") == 0, gusts = false;
    int code = EXIT_GOOD;
    for (int part = 0; part < PART_COUNT; part++) gusts = gusts || is_asked(options, part);
    if (!gusts && !contact) return complain(EXIT_USAGE, "budget has no part %s", options->part);
    if (gusts) code = run_gusts(options, report);
    if (!code && contact) code = run_budget_contact(options, report);
    return code;
}

const Bench budget_bench = {
    .name = "budget",
    .text = "1, 2 and 4 ms per frame while the load changes: what is kept, what is chosen, errors",
    .details =
        "A cloth of 36 x 36 vertices hangs by a side in gusts of wind, rows and single vertices "
        "of\n"
        "it are grabbed, led and let go; two others, of 625 and 870 vertices, come and go; all\n"
        "share 1, 2 or 4 ms per frame of 1/60 s by their vertices. Parts: steady, always\n"
        "prefactored; switch, another method every second; wall, steady by the clock on the wall;\n"
        "contact, the scenes funnel, heap, cape and capsule at 4, 8 and 16 ms per step.",
    .has_parts = true,
    .run = run_budget,
};

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// quality: every method over its settings, as points of one picture: milliseconds per frame against
// distance from the motion itself. What is a good method for the time that one has?
//
// The square of `swing` with 2500 vertices, its first second, 60 frames. A point's time is the mean
// over the frames of the fastest of several runs, all settings in turn, on one thread; its error is
// the rms distance over vertices and frames.

#include "quality.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motion.h"

enum { SIDE = 50, QUICK_SIDE = 14, QUICK_FRAMES = 12 };
enum { LEAST_ROUNDS = 2, MOST_ROUNDS = 5 };
static const double ENOUGH = 1;        // s of runs for one setting
static const double SPEED_LIMIT = 50;  // m/s: the fastest vertex of the motion itself reaches 12

static const double budgets[] = {0.5, 1, 2, 4, 8, 16};
static const char* const budget_ratios[] = {"best_error_0.5ms", "best_error_1ms",
                                            "best_error_2ms",   "best_error_4ms",
                                            "best_error_8ms",   "best_error_16ms"};
enum { BUDGET_COUNT = sizeof budgets / sizeof *budgets };

typedef struct Setting {
    Family family;
    Method method;
    double times[MAX_FRAMES];  // s, of each frame, the fastest of the rounds
    double spent;              // s, over all rounds
    int rounds, unstable_frame;
    double ms, error;  // per frame; m
    double iterations, scale;
    bool best, best_of_all;  // no other (of its family) is cheaper and as close
} Setting;

typedef struct Picture {
    const BenchOptions* options;
    Report* report;
    Square square;
    int frame_count;
    Trajectory motion;
    double floor;
    Setting settings[MAX_QUALITY_METHODS];
    int setting_count;
} Picture;

// ---------------------------------------------------------------------------------------------
// Measuring

static int count_explicit(const Picture* picture, int* substeps) {
    WeftStepDef step = still_air_step();
    WeftModel* model;
    WeftState* state;
    step.method = WEFT_METHOD_SYMPLECTIC;
    int code = create_square(&picture->square, &step, 1, NULL, &model, &state);
    if (code) return code;
    if (weft_step(model, state, &step))
        code = complain(EXIT_FAILED, "%s", weft_state_error(state)->message);
    *substeps = weft_report(state)->substeps;
    weft_destroy_state(state);
    weft_destroy_model(model);
    return code;
}

static int list_settings(Picture* picture) {
    QualityMethod* methods = need(MAX_QUALITY_METHODS, sizeof *methods);
    int substeps, code = count_explicit(picture, &substeps);
    if (!code) picture->setting_count = list_quality_methods(substeps, methods);
    for (int i = 0; i < picture->setting_count; i++)
        picture->settings[i] = (Setting){.family = methods[i].family, .method = methods[i].method};
    free(methods);
    return code;
}

// The first round tells the error.
static int run_setting(Picture* picture, Setting* setting) {
    Trial trial;
    int code = create_trial(&setting->method, &picture->square, 1, &trial);
    if (code) return code;
    bool first = setting->rounds == 0;
    trial.speed_limit = SPEED_LIMIT;
    // with a budget, a run before tells the state what steps cost
    if (setting->method.step.budget_ms > 0) code = run_trial(&trial, picture->frame_count);
    trial.repeat_count = 0;
    trial.fine.from = first ? &picture->motion : NULL;
    if (!code) code = run_trial(&trial, picture->frame_count);
    for (int frame = 0; frame < picture->frame_count && !trial.unstable_frame; frame++) {
        double time = trial.times[frame].total;
        if (first || time < setting->times[frame]) setting->times[frame] = time;
    }
    if (first) {
        setting->error = rms_distance(&trial.fine);
        setting->iterations = (double)trial.iterations / picture->frame_count;
        setting->scale = trial.stiffness_scale;
        setting->unstable_frame = trial.unstable_frame;
    }
    setting->spent += trial.spent;
    setting->rounds++;
    destroy_trial(&trial);
    return code;
}

static bool wants_round(const Setting* setting, int round) {
    if (setting->unstable_frame) return round == 0;
    return round < LEAST_ROUNDS || setting->spent < ENOUGH;
}

static int run_rounds(Picture* picture) {
    int rounds = picture->options->quick ? 1 : MOST_ROUNDS;
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < picture->setting_count; i++) {
            Setting* setting = &picture->settings[i];
            if (!wants_round(setting, round)) continue;
            show_progress("%d vertices: round %d, %s", picture->square.mesh.vertex_count, round + 1,
                          setting->method.name);
            int code = run_setting(picture, setting);
            if (code) return code;
        }
    for (int i = 0; i < picture->setting_count; i++) {
        Setting* setting = &picture->settings[i];
        for (int frame = 0; frame < picture->frame_count; frame++)
            setting->ms += 1000 * setting->times[frame] / picture->frame_count;
    }
    return EXIT_GOOD;
}

// ---------------------------------------------------------------------------------------------
// The front

static bool beats(const Setting* a, const Setting* b) {
    if (a->unstable_frame || a->ms > b->ms || a->error > b->error) return false;
    return a->ms < b->ms || a->error < b->error;
}

static void find_fronts(Picture* picture) {
    for (int i = 0; i < picture->setting_count; i++) {
        Setting* setting = &picture->settings[i];
        setting->best = setting->best_of_all = !setting->unstable_frame;
        for (int j = 0; j < picture->setting_count; j++) {
            const Setting* other = &picture->settings[j];
            if (!beats(other, setting)) continue;
            setting->best_of_all = false;
            if (other->family == setting->family) setting->best = false;
        }
    }
}

// Softened cloth stretches more than the fabric does, and one-sided springs do not push.
static bool is_same_model(const Setting* setting) {
    return setting->scale == 1 && !setting->method.stretch;
}

// The closest within so many milliseconds, of all or of those with the fabric's own springs and
// stiffness; NULL: none.
static const Setting* find_closest(const Picture* picture, double ms, bool same_model) {
    const Setting* closest = NULL;
    for (int i = 0; i < picture->setting_count; i++) {
        const Setting* setting = &picture->settings[i];
        if (setting->unstable_frame || setting->ms > ms) continue;
        if (same_model && !is_same_model(setting)) continue;
        if (!closest || setting->error < closest->error) closest = setting;
    }
    return closest;
}

// ---------------------------------------------------------------------------------------------
// Rows

static void add_setting_row(const Picture* picture, const Setting* setting) {
    Report* report = picture->report;
    char stable[32];
    snprintf(stable, sizeof stable, "no, frame %d", setting->unstable_frame);
    start_row(report);
    add_text(report, "part", "points");
    add_number(report, "vertices", picture->square.mesh.vertex_count);
    add_text(report, "family", quality_families[setting->family]);
    add_text(report, "method", setting->method.name);
    add_text(report, "stable", setting->unstable_frame ? stable : "yes");
    if (setting->unstable_frame) return;
    add_number(report, "ms", setting->ms);
    add_number(report, "error_mm", 1000 * setting->error);
    add_number(report, "iterations", setting->iterations);
    add_number(report, "stiffness_scale", setting->scale);
    add_text(report, "front",
             setting->best_of_all ? "of all"
             : setting->best      ? "of its family"
                                  : "no");
}

static void add_budget_row(const Picture* picture, int index) {
    Report* report = picture->report;
    const Setting* best = find_closest(picture, budgets[index], false);
    const Setting* same = find_closest(picture, budgets[index], true);
    start_row(report);
    add_text(report, "part", "budgets");
    add_number(report, "vertices", picture->square.mesh.vertex_count);
    add_number(report, "at_most_ms", budgets[index]);
    if (best) {
        add_text(report, "best_family", quality_families[best->family]);
        add_text(report, "best", best->method.name);
        add_number(report, "best_ms", best->ms);
        add_number(report, "best_mm", 1000 * best->error);
        add_ratio(report, budget_ratios[index], 1000 * best->error);
    }
    if (same) {
        add_text(report, "same_stiffness_family", quality_families[same->family]);
        add_text(report, "same_stiffness", same->method.name);
        add_number(report, "same_stiffness_ms", same->ms);
        add_number(report, "same_stiffness_mm", 1000 * same->error);
    }
}

static void add_results(Picture* picture) {
    Report* report = picture->report;
    find_fronts(picture);
    start_table(report, "points");
    for (int i = 0; i < picture->setting_count; i++)
        add_setting_row(picture, &picture->settings[i]);
    start_table(report, "the closest within a budget");
    for (int i = 0; i < BUDGET_COUNT; i++) add_budget_row(picture, i);
    add_ratio(report, "floor_mm", 1000 * picture->floor);
    add_note(
        report,
        "ms: per frame of 1/60 s, one thread, mean over the frames of the fastest round;"
        " error_mm: rms over vertices and frames of the first second, from the motion itself.");
    add_note(report,
             "floor_mm: how well that is known, its distance from the same with half as many"
             " substeps.");
    add_note(report,
             "softened: to a stretch tolerance of 1 %; one-sided: springs that never push. Both"
             " are compared with the motion of the fabric as it is.");
    if (picture->options->quick) add_note(report, "quick: 196 vertices, 12 frames, one round.");
}

static int run_quality(const BenchOptions* options, Report* report) {
    Picture* picture = need(1, sizeof *picture);
    int side = options->quick ? QUICK_SIDE : SIDE;
    picture->options = options;
    picture->report = report;
    picture->frame_count = options->quick ? QUICK_FRAMES : MAX_FRAMES;
    int code = make_square(side, side, &picture->square);
    if (!code)
        code = find_motion(options, &picture->square, picture->frame_count, &picture->motion,
                           &picture->floor);
    if (!code) code = list_settings(picture);
    if (!code) code = run_rounds(picture);
    if (!code) add_results(picture);
    destroy_trajectory(&picture->motion);
    destroy_square(&picture->square);
    free(picture);
    return code;
}

const Bench quality_bench = {
    .name = "quality",
    .text = "every method over its settings: error against time, as one picture",
    .details =
        "The square of the bench swing with 50 x 50 vertices: ms per frame and rms distance from\n"
        "the motion itself over the first second, for every method of the tool over its settings\n"
        "and substeps; and which is closest within 0.5, 1, 2, 4, 8 and 16 ms. --plot draws it, by\n"
        "gnuplot. The motion itself is kept between runs, in the user's cache.",
    .run = run_quality,
    .plot = plot_quality,
};

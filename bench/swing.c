// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// swing: every way to take a step, on one square that swings down by two corners. Its second part,
// what closeness to the motion costs, is front.c.
//
// Times are of one thread: the same steps are taken several times over, all methods in turn, each
// step counts with its fastest time, and the mean over the steps is told. Distances are rms over
// all vertices and all steps of the first second.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "front.h"
#include "trial.h"

typedef struct Size {
    int columns, rows;  // vertices
} Size;

static const Size sizes[] = {{35, 36}, {50, 50}, {65, 65}, {72, 76}, {80, 80}};
enum { SIZE_COUNT = sizeof sizes / sizeof *sizes, RATIO_SIZE = 5472 };
enum { RATIO_REPEATS = 3, MAX_REPEATS = 5, QUICK_FRAMES = 12, SAME_FRAMES = 10 };
static const double ENOUGH = 1;  // s of repeats for one method at one size

// What the trials of one size share.
typedef struct Scene {
    const BenchOptions* options;
    Report* report;
    Square square;
    int vertex_count, frame_count;
    Trajectory converged[2], fine, ours;
    double* rest;
    Trial references[4], trials[MAX_METHODS];
    int reference_count, trial_count;
} Scene;

// ---------------------------------------------------------------------------------------------
// References. Solving to the end takes minutes on the larger squares.

static bool is_reference(const Method* method) {
    return method->role == ROLE_CONVERGED || method->role == ROLE_FINE ||
           method->role == ROLE_FLOOR;
}

// The steps that Eigen's is compared with.
static bool is_conventional(const Method* method) {
    return method->role == ROLE_ROW && method->step.method == WEFT_METHOD_IMPLICIT &&
           method->step.order == 1;
}

static bool is_due(const Scene* scene, const Method* method) {
    int n = scene->vertex_count;
    bool full = scene->options->full, quick = scene->options->quick, first = n < 2000;
    switch (method->role) {
        case ROLE_CONVERGED:
            return full || first;
        case ROLE_FINE:
            return full || first || (!quick && n == RATIO_SIZE);
        case ROLE_FLOOR:
            return full || (!quick && first);
        case ROLE_EIGEN:
            return full || n == RATIO_SIZE || method->fill != EIGEN_FILL_TRIPLETS;
        default:
            return !quick || first || is_conventional(method);
    }
}

static void add_reference_row(Scene* scene, const Trial* trial) {
    Report* report = scene->report;
    start_row(report);
    add_number(report, "vertices", scene->vertex_count);
    add_text(report, "method", trial->method->name);
    add_number(report, "iterations", (double)trial->iterations / trial->frame_count);
    if (trial->fine.frames) add_number(report, "error_fine_mm", 1000 * rms_distance(&trial->fine));
    add_number(report, "newton_steps", (double)trial->newton_steps / trial->frame_count);
    add_number(report, "unconverged_steps", trial->unconverged);
}

static int run_reference(Scene* scene, const Method* method) {
    Trial* trial = &scene->references[scene->reference_count];
    Trajectory* record = method->role == ROLE_CONVERGED ? &scene->converged[method->step.order - 1]
                         : method->role == ROLE_FINE    ? &scene->fine
                                                        : NULL;
    show_progress("%d vertices: %s", scene->vertex_count, method->name);
    int code = create_trial(method, &scene->square, 1, trial);
    if (code) return code;
    scene->reference_count++;
    trial->record = record;
    trial->fine.from = method->role == ROLE_FINE ? NULL : &scene->fine;
    if (record) create_trajectory(record, scene->frame_count, scene->vertex_count);
    return run_trial(trial, scene->frame_count);
}

// ---------------------------------------------------------------------------------------------
// Rows

static int start_trials(Scene* scene, const Method* methods, int count) {
    for (int i = 0; i < count; i++) {
        const Method* method = &methods[i];
        if (is_reference(method) || !is_due(scene, method)) continue;
        Trial* trial = &scene->trials[scene->trial_count];
        int code = create_trial(method, &scene->square, 1, trial);
        if (code) return code;
        scene->trial_count++;
        bool first_order = method->step.order == 1 || method->step.method == WEFT_METHOD_SYMPLECTIC;
        trial->converged.from = &scene->converged[first_order ? 0 : 1];
        trial->fine.from = &scene->fine;
        if (method->role == ROLE_EIGEN) trial->other.from = &scene->ours;
        if (is_conventional(method) && !scene->ours.positions) {
            create_trajectory(&scene->ours, SAME_FRAMES, scene->vertex_count);
            trial->record = &scene->ours;
        }
    }
    return EXIT_GOOD;
}

// Those that the ratio of our step to Eigen's is made from are measured well in any case.
static bool wants_repeat(const Scene* scene, const Trial* trial, int repeat) {
    bool ratio = trial->method->role == ROLE_EIGEN || is_conventional(trial->method);
    if (repeat == 0) return true;
    if (ratio && scene->vertex_count == RATIO_SIZE) return repeat < RATIO_REPEATS;
    return !scene->options->quick && repeat < MAX_REPEATS && trial->spent < ENOUGH;
}

static int run_trials(Scene* scene) {
    for (int repeat = 0; repeat < MAX_REPEATS; repeat++)
        for (int i = 0; i < scene->trial_count; i++) {
            Trial* trial = &scene->trials[i];
            if (!wants_repeat(scene, trial, repeat)) continue;
            show_progress("%d vertices: %s", scene->vertex_count, trial->method->name);
            int code = run_trial(trial, scene->frame_count);
            if (code) return code;
        }
    return EXIT_GOOD;
}

static int settle_trials(Scene* scene) {
    scene->rest = need(3 * (size_t)scene->vertex_count, sizeof(double));
    show_progress("%d vertices: the shape at rest", scene->vertex_count);
    int code = find_rest(&scene->square, scene->rest);
    for (int i = 0; i < scene->trial_count && !code; i++) {
        Trial* trial = &scene->trials[i];
        if (trial->method->role == ROLE_EIGEN) continue;
        show_progress("%d vertices: %s at rest", scene->vertex_count, trial->method->name);
        code = settle_trial(trial, scene->rest);
    }
    return code;
}

static void add_row(Scene* scene, const Trial* trial) {
    Report* report = scene->report;
    WeftTimes times = mean_times(trial);
    double frames = trial->frame_count;
    start_row(report);
    add_number(report, "vertices", scene->vertex_count);
    add_text(report, "method", trial->method->name);
    add_number(report, "ms", 1000 * times.total);
    add_number(report, "predict_ms", 1000 * times.predict);
    add_number(report, "force_ms", 1000 * times.force);
    add_number(report, "build_ms", 1000 * times.build);
    add_number(report, "factor_ms", 1000 * times.factor);
    add_number(report, "solve_ms", 1000 * times.solve);
    add_number(report, "update_ms", 1000 * times.update);
    add_number(report, "iterations", trial->iterations / frames);
    add_number(report, "stiffness_scale", trial->stiffness_scale);
    if (isfinite(trial->rest_max)) {
        add_number(report, "rest_max_stretch", trial->rest_max);
        add_number(report, "rest_p99_stretch", trial->rest_p99);
        add_number(report, "rest_speed", trial->rest_speed);
    }
    if (trial->converged.frames)
        add_number(report, "error_converged_mm", 1000 * rms_distance(&trial->converged));
    if (trial->fine.frames) add_number(report, "error_fine_mm", 1000 * rms_distance(&trial->fine));
    if (trial->other.frames) add_number(report, "difference_mm", 1000 * trial->other.largest);
    add_number(report, "unconverged_steps", trial->unconverged);
}

// ---------------------------------------------------------------------------------------------

static void destroy_scene(Scene* scene) {
    for (int i = 0; i < scene->reference_count; i++) destroy_trial(&scene->references[i]);
    for (int i = 0; i < scene->trial_count; i++) destroy_trial(&scene->trials[i]);
    for (int i = 0; i < 2; i++) destroy_trajectory(&scene->converged[i]);
    destroy_trajectory(&scene->fine);
    destroy_trajectory(&scene->ours);
    destroy_square(&scene->square);
    free(scene->rest);
    free(scene);
}

static int run_size(const BenchOptions* options, const Size* size, const Method* methods,
                    int method_count, Report* report) {
    Scene* scene = need(1, sizeof *scene);
    scene->options = options;
    scene->report = report;
    scene->vertex_count = size->columns * size->rows;
    scene->frame_count = options->quick ? QUICK_FRAMES : MAX_FRAMES;
    int code = make_square(size->columns, size->rows, &scene->square);
    for (int i = 0; i < method_count && !code; i++)
        if (is_reference(&methods[i]) && is_due(scene, &methods[i]))
            code = run_reference(scene, &methods[i]);
    if (!code) code = start_trials(scene, methods, method_count);
    if (!code) code = run_trials(scene);
    if (!code && !options->quick) code = settle_trials(scene);
    for (int i = 0; i < scene->trial_count && !code; i++) add_row(scene, &scene->trials[i]);
    for (int i = 0; i < scene->reference_count && !code; i++)
        if (scene->references[i].method->role != ROLE_FINE)
            add_reference_row(scene, &scene->references[i]);
    destroy_scene(scene);
    return code;
}

static void add_ratios(Report* report) {
    double ours = find_number(report, RATIO_SIZE, "conventional", "ms");
    double jacobi = find_number(report, RATIO_SIZE, "conventional j", "ms");
    double in_place = find_number(report, RATIO_SIZE, "eigen", "ms");
    double triplets = find_number(report, RATIO_SIZE, "eigen triplets", "ms");
    double upper = find_number(report, RATIO_SIZE, "eigen upper", "ms");
    double eigen = fmin(fmin(in_place, triplets), upper);
    double linear = find_number(report, RATIO_SIZE, "linear ivt", "ms");
    double quality = find_number(report, RATIO_SIZE, "prefactored 4", "ms");
    add_ratio(report, "conventional_vs_eigen", eigen / ours);
    add_ratio(report, "conventional_j_vs_eigen", eigen / jacobi);
    if (isfinite(linear)) add_ratio(report, "linear_vs_conventional", ours / linear);
    if (isfinite(quality)) add_ratio(report, "quality_4_vs_conventional", ours / quality);
}

static void add_notes(const BenchOptions* options, Report* report) {
    add_note(report,
             "ms: per step of 1/60 s, one thread, mean over the steps of the fastest repeat.");
    add_note(report,
             "errors: rms over vertices and steps of the first second; softened: against the"
             " stiff motion.");
    if (options->quick) add_note(report, "quick: 12 steps, few sizes, no stretch at rest.");
    if (!options->quick && !options->full)
        add_note(report,
                 "error_converged_mm at 1260 vertices only, error_fine_mm at 1260 and 5472;"
                 " --full: at all.");
}

static int run_methods(const BenchOptions* options, Report* report) {
    Method methods[MAX_METHODS];
    int method_count = list_methods(methods), code = EXIT_GOOD;
    start_table(report, "methods");
    for (int i = 0; i < SIZE_COUNT && !code; i++) {
        bool wanted = i == 0 || sizes[i].columns * sizes[i].rows == RATIO_SIZE;
        if (options->quick && !wanted) continue;
        code = run_size(options, &sizes[i], methods, method_count, report);
    }
    if (!code) {
        add_ratios(report);
        add_notes(options, report);
    }
    return code;
}

static int run_swing(const BenchOptions* options, Report* report) {
    const char* part = options->part;
    bool methods = !part || strcmp(part, "methods") == 0;
    bool front = !part || strcmp(part, "front") == 0;
    if (!methods && !front)
        return complain(EXIT_USAGE, "swing has no part \"%s\"; methods and front it has", part);
    int code = methods ? run_methods(options, report) : EXIT_GOOD;
    if (!code && front) code = run_front(options, report);
    return code;
}

const Bench swing_bench = {
    .name = "swing",
    .text = "every method on a square that swings by two corners: time, stretch, error",
    .details =
        "A cloth of 1 m x 1 m and 0.187 kg/m^2, springs of 2000 N/m, is released level, two "
        "corners\n"
        "held, steps of 1/60 s. Rows: ms per step by phase, stretch at rest, distance over the\n"
        "first second from the converged step of the same order and length and from the motion of\n"
        "short steps. Ratio conventional_vs_eigen: a step by Eigen's conjugate gradients over "
        "ours.\n"
        "\n"
        "Parts: methods, and front: what closeness to the motion costs at 2500 vertices, for all\n"
        "settings of ours, the conventional step, projective dynamics on CHOLMOD and Bullet's "
        "soft\n"
        "body. Ratios at equal error: pd_cholmod, implicit_speedup. The motion itself is kept\n"
        "between runs, in the user's cache.",
    .has_parts = true,
    .run = run_swing,
};

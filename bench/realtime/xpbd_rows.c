// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Small-step XPBD (bench/rival) against ours, at equal error and with stretch that is not seen: the
// three motions of `quality`, each setting its mean time in them and the worst of its errors. A
// setting counts where 99 % of the edges of every frame are stretched by FIRM at most.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quality/quality.h"
#include "realtime.h"
#include "rival/xpbd_motion.h"
#include "three.h"

static const MotionKind kinds[] = {MOTION_SWING, MOTION_COLLAPSE, MOTION_DRAPE};
static const int sizes[] = {32, 64, 128}, quick_sizes[] = {8};  // cells
enum { KINDS = 3, SIZES = 3, MOST_POINTS = 96, ROUNDS = 2 };
static const double FIRM = 1.04, LOST = 3;        // length over rest length; m
static const double SHARES[] = {1.05, 1.5, 2.5};  // of the best error of XPBD
static const double ENOUGH = 4;                   // s: what took longer has one round
enum { SHARE_COUNT = 3, RIVAL = -1 };

typedef struct Point {
    char name[64];
    int method;  // of realtime_methods, or RIVAL
    WeftStepDef step;
    double relaxation;  // of XPBD
    double errors[KINDS], ms[KINDS], p99, most, stiffness;
    bool stable;
} Point;

typedef struct Field {
    const BenchOptions* options;
    Report* report;
    Truth truths[KINDS];
    MotionScene scenes[KINDS];
    Point points[MOST_POINTS];
    int count;
} Field;

// ---------------------------------------------------------------------------------------------
// Settings

static Point* add_point(Field* field, int method) {
    Point* point = &field->points[field->count++];
    *point = (Point){.method = method, .step = weft_default_step_def(), .stable = true};
    return point;
}

// The levels, and numbers of substeps at the default level. A method that is not there has none.
static void add_own_points(Field* field, int index) {
    const RealtimeMethod* method = &realtime_methods[index];
    WeftMethod choice;
    WeftError error;
    if (!find_method(method, &choice, &error)) {
        note_refusal(field->report, method->name, error.message);
        return;
    }
    for (int quality = 1; quality <= WEFT_MAX_QUALITY; quality++) {
        Point* point = add_point(field, index);
        point->step.method = choice;
        point->step.quality = quality;
        snprintf(point->name, sizeof point->name, "%s, quality %d", method->name, quality);
    }
    for (int i = 0; method->substeps[i]; i++) {
        Point* point = add_point(field, index);
        point->step.method = choice;
        point->step.substeps = method->substeps[i];
        snprintf(point->name, sizeof point->name, "%s, %d", method->name, method->substeps[i]);
    }
}

static void add_rivals(Field* field) {
    QualityMethod* list = need(MAX_QUALITY_METHODS, sizeof *list);
    int count = list_quality_methods(true, list);
    for (int i = 0; i < count; i++) {
        if (list[i].family != FAMILY_XPBD) continue;
        Point* point = add_point(field, RIVAL);
        point->step = list[i].method.step;
        point->relaxation = list[i].relaxation;
        snprintf(point->name, sizeof point->name, "%s", list[i].method.name);
    }
    free(list);
}

static void list_points(Field* field) {
    field->count = 0;
    for (int m = 0; m < REALTIME_METHODS; m++) add_own_points(field, m);
    add_rivals(field);
}

// ---------------------------------------------------------------------------------------------
// Measuring

static int run_once(const MotionScene* scene, const Point* point, MotionRun* run) {
    if (point->method == RIVAL)
        return run_xpbd_motion(scene, point->step.substeps, point->relaxation, run);
    run->may_fail = true;
    return run_motion(scene, &point->step, run);
}

// As many rounds as are cheap: each frame counts with its fastest.
static int run_kind(Field* field, int kind, Point* point) {
    MotionRun run = {0};
    const MotionScene* scene = &field->scenes[kind];
    double start = thread_time(NULL);
    int code = run_once(scene, point, &run), rounds = field->options->quick ? 1 : ROUNDS;
    if (!code) point->errors[kind] = distance_from(&field->truths[kind], &run.lattice);
    // (not a number is not below it, either)
    point->stable = point->stable && !run.unstable_frame && point->errors[kind] < LOST;
    for (int i = 1; i < rounds && !code && point->stable && thread_time(NULL) - start < ENOUGH; i++)
        code = run_once(scene, point, &run);
    point->ms[kind] = run_ms(&run);
    point->p99 = fmax(point->p99, run.p99);
    point->most = fmax(point->most, run.stretch);
    point->stiffness = run.stiffness_scale;
    destroy_run(&run);
    return code;
}

static double ms_of(const Point* point) {
    return (point->ms[0] + point->ms[1] + point->ms[2]) / KINDS;
}

static double error_of(const Point* point) {
    return fmax(point->errors[0], fmax(point->errors[1], point->errors[2]));
}

static void add_point_row(const Field* field, const Point* point) {
    Report* report = field->report;
    start_row(report);
    add_text(report, "part", "xpbd");
    add_number(report, "vertices", field->scenes[0].mesh.vertex_count);
    add_text(report, "setting", point->name);
    add_text(report, "stable", point->stable ? "yes" : "no");
    if (!point->stable) return;
    add_number(report, "ms", ms_of(point));
    add_number(report, "error_mm", 1000 * error_of(point));
    add_number(report, "stretch_p99", point->p99);
    add_number(report, "most_stretch", point->most);
    add_number(report, "swing_mm", 1000 * point->errors[0]);
    add_number(report, "collapse_mm", 1000 * point->errors[1]);
    add_number(report, "drape_mm", 1000 * point->errors[2]);
    add_number(report, "swing_ms", point->ms[0]);
    add_number(report, "collapse_ms", point->ms[1]);
    add_number(report, "drape_ms", point->ms[2]);
    add_number(report, "stiffness_scale", point->stiffness);
}

static int run_points(Field* field, int cells) {
    int code = EXIT_GOOD;
    for (int i = 0; i < field->count && !code; i++) {
        Point* point = &field->points[i];
        show_progress("%d cells: %s", cells, point->name);
        for (int k = 0; k < KINDS && !code && point->stable; k++) code = run_kind(field, k, point);
        if (!code) add_point_row(field, point);
    }
    return code;
}

// ---------------------------------------------------------------------------------------------
// At equal error

static bool is_firm(const Point* point) { return point->stable && point->p99 <= FIRM; }

// The cheapest of a method that is firm and as close; NULL: none.
static const Point* find_cheapest(const Field* field, int method, double error) {
    const Point* best = NULL;
    for (int i = 0; i < field->count; i++) {
        const Point* point = &field->points[i];
        if (point->method != method || !is_firm(point) || error_of(point) > error) continue;
        if (!best || ms_of(point) < ms_of(best)) best = point;
    }
    return best;
}

// Of XPBD: the least error of those that are firm; where none is, that of the one that is stretched
// least.
static const Point* find_best_rival(const Field* field) {
    const Point *best = NULL, *firmest = NULL;
    for (int i = 0; i < field->count; i++) {
        const Point* point = &field->points[i];
        if (point->method != RIVAL || !point->stable) continue;
        if (!firmest || point->p99 < firmest->p99) firmest = point;
        if (is_firm(point) && (!best || error_of(point) < error_of(best))) best = point;
    }
    return best ? best : firmest;
}

static double compare(Field* field, int method, double error, const Point* fallback) {
    const Point *ours = find_cheapest(field, method, error),
                *theirs = find_cheapest(field, RIVAL, error);
    Report* report = field->report;
    bool reached = theirs != NULL;
    if (!theirs) theirs = fallback;
    start_row(report);
    add_text(report, "part", "xpbd, equal error");
    add_number(report, "vertices", field->scenes[0].mesh.vertex_count);
    add_text(report, "method", realtime_methods[method].name);
    add_number(report, "at_most_mm", 1000 * error);
    add_text(report, "ours", ours ? ours->name : "none");
    add_text(report, "theirs", theirs->name);
    add_text(report, "firm", reached ? "yes" : "no: a lower bound");
    add_number(report, "theirs_ms", ms_of(theirs));
    if (!ours) return (double)NAN;
    add_number(report, "ours_ms", ms_of(ours));
    add_number(report, "xpbd_over_ours", ms_of(theirs) / ms_of(ours));
    return ms_of(theirs) / ms_of(ours);
}

// The smallest of the ratios counts; none of ours as close and firm: not a number.
static void compare_all(Field* field, int size) {
    const Point* best = find_best_rival(field);
    for (int m = 0; m < REALTIME_METHODS && best; m++) {
        double least = HUGE_VAL;
        if (find_choice("method", realtime_methods[m].choice) < 0) continue;
        for (int i = 0; i < SHARE_COUNT; i++) {
            double ratio = compare(field, m, SHARES[i] * error_of(best), best);
            if (!(ratio >= least)) least = ratio;
        }
        if (!field->options->quick)
            add_ratio(field->report, realtime_methods[m].over_xpbd[size], least);
    }
}

// ---------------------------------------------------------------------------------------------

static int run_size(Field* field, int size, int cells) {
    int code = EXIT_GOOD;
    for (int k = 0; k < KINDS && !code; k++) {
        MotionDef def = default_motion(kinds[k], cells);
        code = make_motion(&def, &field->scenes[k]);
    }
    list_points(field);
    start_table(field->report, "settings");
    if (!code) code = run_points(field, cells);
    start_table(field->report, "at equal error");
    if (!code) compare_all(field, size);
    for (int k = 0; k < KINDS; k++) destroy_motion(&field->scenes[k]);
    return code;
}

int run_realtime_xpbd(const BenchOptions* options, Report* report) {
    Field* field = need(1, sizeof *field);
    int code = EXIT_GOOD, count = options->quick ? 1 : SIZES;
    field->options = options, field->report = report;
    for (int k = 0; k < KINDS && !code; k++) {
        MotionDef def = default_motion(kinds[k], sizes[0]);
        code = find_truth(options, &def, &field->truths[k]);
    }
    for (int s = 0; s < count && !code; s++)
        code = run_size(field, s, options->quick ? quick_sizes[s] : sizes[s]);
    for (int k = 0; k < KINDS; k++) destroy_truth(&field->truths[k]);
    free(field);
    add_note(report,
             "xpbd: swing, collapse and drape of a square metre, as in `quality`: ms, the mean of "
             "the three, on one thread; error_mm, the worst of the three; stretch_p99, of 99 % of "
             "the edges in the worst frame of all.");
    add_note(report,
             "over_xpbd: XPBD's time over ours, the cheapest of each that is as close and has a "
             "stretch_p99 of 1.04 at most, at 1.05, 1.5 and 2.5 times the best error of XPBD; the "
             "smallest counts. Where no XPBD is as firm, the firmest counts: a lower bound.");
    return code;
}

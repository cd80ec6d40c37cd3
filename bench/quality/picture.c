// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Every method over its settings, as points of one picture: milliseconds per frame against distance
// from the motion itself. What is a good method for the time that one has?
//
// Three motions at 32 x 32 and 64 x 64 cells, a second each, 60 frames: a swing, a collapse, and a
// drape over a sphere. A point's error is the worst of the three, the rms distance from the truth
// over a lattice and all frames. Its time is the mean over the frames of the swing and the
// collapse, each the fastest of several rounds, all settings in turn, on one thread; contact has a
// time of its own.

#include "quality.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rival/xpbd_motion.h"
#include "three.h"

static const MotionKind kinds[] = {MOTION_SWING, MOTION_COLLAPSE, MOTION_DRAPE};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds, FREE_COUNT = 2 };  // the first are without bodies
static const int sizes[] = {32, 64}, quick_sizes[] = {8};            // cells
enum { MAX_SIZES = 2, MOST_ROUNDS = 3 };
static const double ENOUGH = 0.5;  // s of runs for one point in one motion
static const double LOST = 3;      // m from the truth: a cloth of a metre is not there any more

static const double budgets[] = {0.5, 1, 2, 4, 8, 16};
static const char* const budget_ratios[] = {"best_error_0.5ms", "best_error_1ms",
                                            "best_error_2ms",   "best_error_4ms",
                                            "best_error_8ms",   "best_error_16ms"};
enum { BUDGET_COUNT = sizeof budgets / sizeof *budgets };

// A setting at one size.
typedef struct Point {
    const QualityMethod* setting;
    MotionRun runs[KIND_COUNT];
    double errors[KIND_COUNT];  // m
    const char* unstable;       // the motion in which it was; or NULL
    double spent[KIND_COUNT];   // s, over all rounds
    double ms, worst;           // without contact, per frame; m
    bool best, best_of_all;     // no other (of its family) is cheaper and as close
} Point;

typedef struct Stage {
    int vertex_count;
    MotionScene scenes[KIND_COUNT];
    Point points[MAX_QUALITY_METHODS];
} Stage;

typedef struct Picture {
    const BenchOptions* options;
    bool few;  // settings
    Report* report;
    QualityMethod settings[MAX_QUALITY_METHODS];
    int setting_count;
    Truth truths[KIND_COUNT];
    Stage stages[MAX_SIZES];
    int stage_count;
} Picture;

// ---------------------------------------------------------------------------------------------
// Measuring

static int start_picture(Picture* picture) {
    bool quick = picture->options->quick;
    int code = EXIT_GOOD;
    picture->stage_count = quick ? 1 : MAX_SIZES;
    picture->setting_count = list_quality_methods(picture->few, picture->settings);
    for (int k = 0; k < KIND_COUNT && !code; k++) {
        MotionDef def = default_motion(kinds[k], sizes[0]);
        code = find_truth(picture->options, &def, &picture->truths[k]);
    }
    for (int s = 0; s < picture->stage_count; s++) {
        Stage* stage = &picture->stages[s];
        for (int k = 0; k < KIND_COUNT && !code; k++) {
            MotionDef def = default_motion(kinds[k], quick ? quick_sizes[s] : sizes[s]);
            code = make_motion(&def, &stage->scenes[k]);
        }
        stage->vertex_count = stage->scenes[0].mesh.vertex_count;
        for (int i = 0; i < picture->setting_count; i++)
            stage->points[i].setting = &picture->settings[i];
    }
    return code;
}

static int run_setting(const MotionScene* scene, const QualityMethod* setting, MotionRun* run) {
    const Method* method = &setting->method;
    MotionScene own = *scene;  // shares the mesh
    if (setting->family == FAMILY_XPBD)
        return run_xpbd_motion(scene, method->step.substeps, setting->relaxation, run);
    if (method->stretch) own.def.stretch = method->stretch;
    own.def.estimator = method->estimator;
    run->may_fail = true;
    return run_motion(&own, &method->step, run);
}

// The first round tells the errors.
static int run_point(const Picture* picture, const Stage* stage, int kind, Point* point) {
    MotionRun* run = &point->runs[kind];
    double start = thread_time(NULL);
    int code = run_setting(&stage->scenes[kind], point->setting, run);
    point->spent[kind] += thread_time(NULL) - start;
    if (run->run_count == 1)
        point->errors[kind] = distance_from(&picture->truths[kind], &run->lattice);
    // (not a number is not below it, either)
    if (run->unstable_frame || !(point->errors[kind] < LOST))
        point->unstable = motion_names[kinds[kind]];
    destroy_run(run);
    return code;
}

// Every setting once more, those that were not measured enough.
static int run_round(const Picture* picture, Stage* stage, int round) {
    int code = EXIT_GOOD;
    for (int i = 0; i < picture->setting_count; i++) {
        Point* point = &stage->points[i];
        show_progress("%d vertices: round %d, %s", stage->vertex_count, round + 1,
                      point->setting->method.name);
        for (int k = 0; k < KIND_COUNT && !code && !point->unstable; k++)
            if (round == 0 || point->spent[k] < ENOUGH) code = run_point(picture, stage, k, point);
    }
    return code;
}

static void finish_point(Point* point) {
    for (int k = 0; k < FREE_COUNT; k++) point->ms += run_ms(&point->runs[k]) / FREE_COUNT;
    for (int k = 0; k < KIND_COUNT; k++) point->worst = fmax(point->worst, point->errors[k]);
}

static int run_rounds(Picture* picture) {
    int rounds = picture->options->quick ? 1 : MOST_ROUNDS, code = EXIT_GOOD;
    for (int round = 0; round < rounds; round++)
        for (int s = 0; s < picture->stage_count && !code; s++)
            code = run_round(picture, &picture->stages[s], round);
    for (int s = 0; s < picture->stage_count; s++)
        for (int i = 0; i < picture->setting_count; i++)
            finish_point(&picture->stages[s].points[i]);
    return code;
}

// ---------------------------------------------------------------------------------------------
// The front

static bool beats(const Point* a, const Point* b) {
    if (a->unstable || a->ms > b->ms || a->worst > b->worst) return false;
    return a->ms < b->ms || a->worst < b->worst;
}

static void find_fronts(const Picture* picture, Stage* stage) {
    for (int i = 0; i < picture->setting_count; i++) {
        Point* point = &stage->points[i];
        point->best = point->best_of_all = !point->unstable;
        for (int j = 0; j < picture->setting_count; j++) {
            const Point* other = &stage->points[j];
            if (!beats(other, point)) continue;
            point->best_of_all = false;
            if (other->setting->family == point->setting->family) point->best = false;
        }
    }
}

// Softened cloth stretches more than the fabric does, and one-sided springs do not push.
static bool is_same_model(const Point* point) {
    return point->runs[0].stiffness_scale == 1 && !point->setting->method.stretch;
}

// The closest within so many milliseconds, of all or of those with the fabric's own springs and
// stiffness; NULL: none.
static const Point* find_closest(const Picture* picture, const Stage* stage, double ms,
                                 bool same_model) {
    const Point* closest = NULL;
    for (int i = 0; i < picture->setting_count; i++) {
        const Point* point = &stage->points[i];
        if (point->unstable || point->ms > ms) continue;
        if (same_model && !is_same_model(point)) continue;
        if (!closest || point->worst < closest->worst) closest = point;
    }
    return closest;
}

// The cheapest XPBD that is as close as a level, and where `firm` stretches no more in the swing;
// `reached` false: none does, it is the dearest one.
static const Point* find_rival(const Picture* picture, const Stage* stage, const Point* level,
                               bool firm, bool* reached) {
    const Point *cheapest = NULL, *dearest = NULL;
    for (int i = 0; i < picture->setting_count; i++) {
        const Point* point = &stage->points[i];
        if (point->setting->family != FAMILY_XPBD || point->unstable) continue;
        if (!dearest || point->ms > dearest->ms) dearest = point;
        if (point->worst > level->worst) continue;
        if (firm && point->runs[0].stretch > level->runs[0].stretch) continue;
        if (!cheapest || point->ms < cheapest->ms) cheapest = point;
    }
    *reached = cheapest != NULL;
    return cheapest ? cheapest : dearest;
}

// ---------------------------------------------------------------------------------------------
// Rows

static void add_point_row(Report* report, const Stage* stage, const Point* point) {
    static const char* const columns[] = {"swing_mm", "collapse_mm", "drape_mm"};
    char stable[32];
    snprintf(stable, sizeof stable, "no, %s", point->unstable ? point->unstable : "");
    start_row(report);
    add_text(report, "part", "points");
    add_number(report, "vertices", stage->vertex_count);
    add_text(report, "family", quality_families[point->setting->family]);
    add_text(report, "method", point->setting->method.name);
    add_text(report, "stable", point->unstable ? stable : "yes");
    if (point->unstable) return;
    add_number(report, "ms", point->ms);
    add_number(report, "error_mm", 1000 * point->worst);
    for (int k = 0; k < KIND_COUNT; k++) add_number(report, columns[k], 1000 * point->errors[k]);
    add_number(report, "drape_ms", run_ms(&point->runs[KIND_COUNT - 1]));
    add_number(report, "swing_stretch", point->runs[0].stretch);
    add_number(report, "stiffness_scale", point->runs[0].stiffness_scale);
    add_text(report, "front", point->best_of_all ? "of all" : point->best ? "of its family" : "no");
}

static void add_budget_row(const Picture* picture, const Stage* stage, int index) {
    Report* report = picture->report;
    const Point* best = find_closest(picture, stage, budgets[index], false);
    const Point* same = find_closest(picture, stage, budgets[index], true);
    bool last = stage == &picture->stages[picture->stage_count - 1];
    start_row(report);
    add_text(report, "part", "budgets");
    add_number(report, "vertices", stage->vertex_count);
    add_number(report, "at_most_ms", budgets[index]);
    if (best) {
        add_text(report, "best_family", quality_families[best->setting->family]);
        add_text(report, "best", best->setting->method.name);
        add_number(report, "best_ms", best->ms);
        add_number(report, "best_mm", 1000 * best->worst);
        if (last) add_ratio(report, budget_ratios[index], 1000 * best->worst);
    }
    if (same) {
        add_text(report, "same_stiffness_family", quality_families[same->setting->family]);
        add_text(report, "same_stiffness", same->setting->method.name);
        add_number(report, "same_stiffness_ms", same->ms);
        add_number(report, "same_stiffness_mm", 1000 * same->worst);
    }
}

// Of the default quality.
static void add_rival_ratio(Report* report, const Stage* stage, bool firm, double ratio,
                            bool reached) {
    static const char* const names[2][2] = {{"xpbd_4k", "xpbd_4k_firm"},
                                            {"xpbd_1k", "xpbd_1k_firm"}};
    static const char* const notes[2][2] = {
        {"xpbd_4k is a lower bound: no XPBD is as close as quality 4, the dearest counts.",
         "xpbd_4k_firm is a lower bound: no XPBD is as close and as firm, the dearest counts."},
        {"xpbd_1k is a lower bound: no XPBD is as close as quality 4, the dearest counts.",
         "xpbd_1k_firm is a lower bound: no XPBD is as close and as firm, the dearest counts."}};
    bool small = stage->scenes[0].def.cells == sizes[0];
    add_ratio(report, names[small][firm], ratio);
    if (!reached) add_note(report, notes[small][firm]);
}

static void add_rival_row(const Picture* picture, const Stage* stage, const Point* level,
                          bool firm) {
    Report* report = picture->report;
    bool reached;
    const Point* rival = find_rival(picture, stage, level, firm, &reached);
    if (!rival || level->unstable) return;
    start_row(report);
    add_text(report, "part", "xpbd");
    add_number(report, "vertices", stage->vertex_count);
    add_text(report, "level", level->setting->method.name);
    add_number(report, "level_ms", level->ms);
    add_number(report, "level_mm", 1000 * level->worst);
    add_number(report, "level_stretch", level->runs[0].stretch);
    add_text(report, "asked", firm ? "as close, as firm" : "as close");
    add_text(report, "rival", rival->setting->method.name);
    add_number(report, "rival_ms", rival->ms);
    add_number(report, "rival_mm", 1000 * rival->worst);
    add_number(report, "rival_stretch", rival->runs[0].stretch);
    add_text(report, "reached", reached ? "yes" : "no");
    add_number(report, "xpbd_over_level", rival->ms / level->ms);
    bool is_default = level->setting->method.step.quality == weft_default_step_def().quality;
    if (is_default && !picture->options->quick)
        add_rival_ratio(report, stage, firm, rival->ms / level->ms, reached);
}

static void add_rival_rows(const Picture* picture, const Stage* stage) {
    for (int firm = 0; firm < 2; firm++)
        for (int i = 0; i < picture->setting_count; i++)
            if (stage->points[i].setting->family == FAMILY_LEVELS)
                add_rival_row(picture, stage, &stage->points[i], firm);
}

static void add_notes(const Picture* picture) {
    Report* report = picture->report;
    double floor = 0;
    for (int k = 0; k < KIND_COUNT; k++) floor = fmax(floor, picture->truths[k].floor);
    add_ratio(report, "floor_mm", 1000 * floor);
    add_note(report,
             "ms: per frame of 1/60 s, one thread, mean over the frames of swing and collapse, the"
             " fastest round; drape_ms: with contact.");
    add_note(report,
             "error_mm: the worst of the three motions, each the rms distance from 128 x 128 cells"
             " with short steps over a lattice and all frames of the first second.");
    add_note(report,
             "floor_mm: how well that is known, the largest distance of the three from the same"
             " with half as many substeps.");
    add_note(report,
             "softened: to a stretch tolerance of 1 %; one-sided: springs that never push. Both"
             " are compared with the motion of the fabric as it is.");
    if (picture->options->quick) add_note(report, "quick: 81 vertices, a coarse truth, one round.");
}

static void add_results(Picture* picture) {
    Report* report = picture->report;
    start_table(report, "points");
    for (int s = 0; s < picture->stage_count; s++) {
        Stage* stage = &picture->stages[s];
        find_fronts(picture, stage);
        for (int i = 0; i < picture->setting_count; i++)
            add_point_row(report, stage, &stage->points[i]);
    }
    start_table(report, "the closest within a budget");
    for (int s = 0; s < picture->stage_count; s++)
        for (int i = 0; i < BUDGET_COUNT; i++) add_budget_row(picture, &picture->stages[s], i);
    start_table(report, "XPBD that is as close");
    for (int s = 0; s < picture->stage_count; s++) add_rival_rows(picture, &picture->stages[s]);
    add_notes(picture);
}

static void destroy_picture(Picture* picture) {
    for (int k = 0; k < KIND_COUNT; k++) destroy_truth(&picture->truths[k]);
    for (int s = 0; s < picture->stage_count; s++)
        for (int k = 0; k < KIND_COUNT; k++) destroy_motion(&picture->stages[s].scenes[k]);
    free(picture);
}

int run_quality_picture(const BenchOptions* options, bool few, Report* report) {
    Picture* picture = need(1, sizeof *picture);
    picture->options = options;
    picture->few = few;
    picture->report = report;
    int code = start_picture(picture);
    if (!code) code = run_rounds(picture);
    if (!code) add_results(picture);
    destroy_picture(picture);
    return code;
}

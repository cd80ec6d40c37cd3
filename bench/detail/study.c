// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What was learned from the first motions of many, for coarse sheets of several sizes under about
// the same dense one, and for motions that are twice as fast.

#include "study.h"

#include <math.h>
#include <stdlib.h>

#include "lesson.h"
#include "tune.h"

enum { MAX_UNSEEN = 4, STUDY_FRAMES = 240, QUICK_STUDY_FRAMES = 45 };

typedef struct Study {
    Stage stage;
    WeftDetail* subdivided[2];
    Record unseen[PACE_COUNT][MAX_UNSEEN];
    int unseen_count;
    double flat[PACE_COUNT][2];  // the better subdivision: mm, degrees
    WeftLearner* learner;
} Study;

static void close_study(Study* study) {
    for (int k = 0; k < 2; k++) weft_destroy_detail(study->subdivided[k]);
    for (int pace = 0; pace < PACE_COUNT; pace++)
        for (int i = 0; i < study->unseen_count; i++) destroy_record(&study->unseen[pace][i]);
    weft_destroy_learner(study->learner);
    close_stage(&study->stage);
    free(study);
}

static void judge_detail(const Study* study, const WeftDetail* detail, Pace pace, double error[2]) {
    Way way;
    open_way(&way, "", detail, NULL);
    for (int i = 0; i < study->unseen_count; i++)
        replay(&way, &study->unseen[pace][i], study->stage.frames);
    error[0] = vertex_error(&way.score);
    error[1] = normal_error(&way.score);
    close_way(&way);
}

static int open_subdivided(Study* study) {
    const WeftMesh* coarse = &study->stage.scene->meshes[0];
    WeftMesh dense = {0};
    WeftRefinement map = {0};
    WeftError error = {0};
    WeftResult result = weft_refine_mesh(coarse, study->stage.parts, NULL, &dense, &map, &error);
    for (int k = 0; k < 2 && !result; k++)
        result =
            weft_create_detail(coarse, &dense, &map, k ? WEFT_SURFACE_SMOOTH : WEFT_SURFACE_FLAT,
                               NULL, &study->subdivided[k], &error);
    weft_destroy_refinement(&map);
    weft_destroy_mesh(&dense);
    return result ? complain(EXIT_FAILED, "%s", error.message) : EXIT_GOOD;
}

static int run_unseen(Study* study) {
    int code = EXIT_GOOD;
    for (Pace pace = 0; pace < PACE_COUNT; pace++)
        for (int i = 0; i < study->unseen_count && !code; i++) {
            Motion motion = unseen_motion(study->stage.kind, pace, i);
            show_progress("unseen motion");
            code = run_pair(&study->stage, &motion, NULL, false, &study->unseen[pace][i]);
        }
    if (!code) code = open_subdivided(study);
    for (Pace pace = 0; pace < PACE_COUNT && !code; pace++) {
        double other[2];
        judge_detail(study, study->subdivided[0], pace, study->flat[pace]);
        judge_detail(study, study->subdivided[1], pace, other);
        for (int k = 0; k < 2; k++) study->flat[pace][k] = fmin(study->flat[pace][k], other[k]);
    }
    return code;
}

// By what the learner knows so far, which goes on from there.
static int add_step(Study* study, int motions, Report* report) {
    size_t size = weft_save_learner(study->learner, NULL, 0);
    void* bytes = need(size, 1);
    WeftLearner* copy = NULL;
    WeftDetail* detail = NULL;
    WeftLearnReport learned;
    WeftError error = {0};
    double errors[PACE_COUNT][2];
    weft_save_learner(study->learner, bytes, size);
    int code = open_learner(&study->stage, &copy);
    if (!code && (weft_load_learner(copy, bytes, size, &error) ||
                  weft_finish_learning(copy, 0, &learned, &detail, &error)))
        code = complain(EXIT_FAILED, "%s", error.message);
    free(bytes);
    weft_destroy_learner(copy);
    if (code) return code;
    for (Pace pace = 0; pace < PACE_COUNT; pace++) judge_detail(study, detail, pace, errors[pace]);
    weft_destroy_detail(detail);
    start_row(report);
    add_number(report, "coarse", study->stage.scene->meshes[0].vertex_count);
    add_number(report, "parts", study->stage.parts);
    add_number(report, "period_s", study->stage.period);
    add_number(report, "motions", motions);
    add_number(report, "ridge", learned.ridge);
    add_number(report, "left", learned.error);
    add_number(report, "slow_mm", errors[0][0]);
    add_number(report, "slow_vertex", errors[0][0] / study->flat[0][0]);
    add_number(report, "slow_normal", errors[0][1] / study->flat[0][1]);
    add_number(report, "fast_mm", errors[1][0]);
    add_number(report, "fast_vertex", errors[1][0] / study->flat[1][0]);
    add_number(report, "fast_normal", errors[1][1] / study->flat[1][1]);
    tell_row(report, stderr);
    return code;
}

typedef struct Size {
    int cells, parts;
    double period;
} Size;

static int run_size(const BenchOptions* options, const Size* size, Report* report) {
    Study* study = need(1, sizeof *study);
    int most = options->has_runs ? (int)options->runs : 24;
    study->stage = (Stage){.kind = STAGE_SHEET,
                           .edge = 1.0 / size->cells,
                           .period = size->period,
                           .parts = size->parts,
                           .frames = options->quick ? QUICK_STUDY_FRAMES : STUDY_FRAMES};
    study->unseen_count = unseen_count(STAGE_SHEET, options->quick);
    int code = run_unseen(study);
    if (!code) code = open_learner(&study->stage, &study->learner);
    for (int k = 0; k < most && !code; k++) {
        Motion motion = training_motion(STAGE_SHEET, k);
        show_progress("%d x %d cells, period %g s, motion %d of %d", size->cells, size->cells,
                      size->period, k + 1, most);
        code = run_pair(&study->stage, &motion, study->learner, is_held_out(k, 8), NULL);
        bool tells = k % 8 == 7 || k + 1 == most;
        if (!code && tells) code = add_step(study, k + 1, report);
    }
    close_study(study);
    return code;
}

int run_study(const BenchOptions* options, Report* report) {
    static const Size sizes[] = {{16, 4, 3}, {16, 4, 1.5}, {8, 8, 3}};
    int code = EXIT_GOOD;
    start_table(report, "study");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && !code; i++)
        code = run_size(options, &sizes[i], report);
    return code;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The time of an apply does not depend on what was learned: a sheet that was bent in a few ways
// has all features that any other has.

#include "apply.h"

#include <math.h>
#include <stdlib.h>

#include "way.h"

enum { COLUMNS = 36, ROWS = 35, APPLY_PARTS = 4, POSES = 12, REPEATS = 400, QUICK_REPEATS = 20 };
static const double PAPER_MS = 0.8;  // Kavan and others 2011, 20,000 vertices

static void bend_sheet(const double* flat, int count, int pose, double* bent) {
    for (long i = 0; i < count; i++) {
        const double* x = flat + 3 * i;
        bent[3 * i] = x[0], bent[3 * i + 2] = x[2];
        bent[3 * i + 1] = 0.05 * sin((3 + pose) * x[0] + pose) + 0.03 * cos(5 * x[2] - 2 * pose);
    }
}

static WeftResult learn_bends(const WeftMesh* coarse, const WeftMesh* dense, WeftDetail** detail,
                              WeftError* error) {
    WeftLearnerDef def = weft_default_learner_def();
    WeftLearner* learner = NULL;
    WeftLearnReport report;
    double* x = need(3 * (size_t)coarse->vertex_count, sizeof *x);
    double* y = need(3 * (size_t)dense->vertex_count, sizeof *y);
    def.coarse = coarse;
    def.parts = APPLY_PARTS;
    WeftResult result = weft_create_learner(&def, &learner, error);
    for (int pose = 0; pose < POSES && !result; pose++) {
        WeftDetailFrame frame = {.positions = x, .velocities = x, .gravity = {0, -1, 0}};
        bend_sheet(coarse->positions, coarse->vertex_count, pose, x);
        bend_sheet(dense->positions, dense->vertex_count, pose, y);
        weft_learn(learner, &frame, y, false, NULL);
    }
    if (!result) result = weft_finish_learning(learner, 0.01, &report, detail, error);
    weft_destroy_learner(learner);
    free(x);
    free(y);
    return result;
}

static void time_apply(const WeftDetail* detail, const WeftMesh* coarse, int repeats,
                       Times* times) {
    static const WeftJobs one = {.thread_count = 1};
    double* x = need(3 * (size_t)coarse->vertex_count, sizeof *x);
    double* shown = need(3 * (size_t)weft_detail_vertex_count(detail), sizeof *shown);
    WeftDetailFrame frame = {.positions = x, .velocities = x, .gravity = {0, -1, 0}};
    bend_sheet(coarse->positions, coarse->vertex_count, POSES, x);
    for (int i = 0; i < repeats; i++) {
        double start = thread_time(NULL);
        weft_apply_detail(detail, &frame, &one, shown);
        add_time(times, thread_time(NULL) - start);
    }
    free(x);
    free(shown);
}

static void add_apply_row(Report* report, const char* way, int vertices, const Times* times) {
    start_row(report);
    add_text(report, "way", way);
    add_number(report, "vertices", vertices);
    add_number(report, "ms", 1000 * median_time(times));
    add_number(report, "least_ms", 1000 * least_time(times));
}

int run_apply(const BenchOptions* options, Report* report) {
    static const char* const names[] = {"flat", "smooth", "learned"};
    WeftGridDef grid = {1, 1, COLUMNS, ROWS, WEFT_GRID_ALTERNATING};
    WeftMesh coarse = {0}, dense = {0};
    WeftRefinement map = {0};
    WeftDetail* details[3] = {NULL};
    WeftError error = {0};
    show_progress("20,000 vertices");
    WeftResult result = weft_make_grid(&grid, NULL, &coarse, &error);
    if (!result) result = weft_refine_mesh(&coarse, APPLY_PARTS, NULL, &dense, &map, &error);
    for (int k = 0; k < 2 && !result; k++)
        result =
            weft_create_detail(&coarse, &dense, &map, k ? WEFT_SURFACE_SMOOTH : WEFT_SURFACE_FLAT,
                               NULL, &details[k], &error);
    if (!result) result = learn_bends(&coarse, &dense, &details[2], &error);
    if (!result) start_table(report, "apply");
    for (int k = 0; k < 3 && !result; k++) {
        Times times = {0};
        time_apply(details[k], &coarse, options->quick ? QUICK_REPEATS : REPEATS, &times);
        add_apply_row(report, names[k], dense.vertex_count, &times);
        if (k == 2) add_ratio(report, "apply_20k_ms", 1000 * least_time(&times));
        free(times.seconds);
    }
    if (!result) {
        start_row(report);
        add_text(report, "way", "Kavan and others 2011");
        add_number(report, "vertices", 20000);
        add_number(report, "ms", PAPER_MS);
    }
    for (int k = 0; k < 3; k++) weft_destroy_detail(details[k]);
    weft_destroy_refinement(&map);
    weft_destroy_mesh(&coarse);
    weft_destroy_mesh(&dense);
    return result ? complain(EXIT_FAILED, "%s", error.message) : EXIT_GOOD;
}

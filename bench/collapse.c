// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// collapse: upright sheets that should buckle and fall at once, held at the lower edge or standing
// on a floor; by fabric, stretch model, mesh and quality, how far they are from the truth of the
// same fabric. A swing beside them, so that one is not bought with the other.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "three.h"

enum { MAX_LEVELS = 9, MAX_SIZES = 5, MAX_FABRICS = 5, MAX_RESULTS = 512, JUDGED_QUALITY = 4 };

// Ends of lists are 0 and NULL.
typedef struct Size {
    int cells, qualities[MAX_LEVELS];
} Size;

typedef struct Part {
    const char* name;
    MotionKind kind;
    const char* fabrics[MAX_FABRICS];
    Size sizes[MAX_SIZES];
} Part;

#define FABRICS "default", "silk_chiffon", "cotton_poplin", "canvas"

// Fine meshes at the quality that is judged. With contact 1 and 2 are as 3.
static const Part parts[] = {
    {"held",
     MOTION_COLLAPSE,
     {FABRICS},
     {{25, {1, 2, 3, 4, 5, 6, 7, 8}},
      {50, {1, 2, 3, 4, 5, 6, 7, 8}},
      {100, {4}},
      {150, {4}}}},
    {"floor",
     MOTION_STAND,
     {FABRICS},
     {{25, {3, 4, 5, 6, 7, 8}}, {50, {3, 4, 5, 6}}, {100, {4}}, {150, {4}}}},
    {"swing",
     MOTION_SWING,
     {"default"},
     {{32, {1, 2, 3, 4, 5, 6, 7, 8}}, {64, {1, 2, 3, 4, 5, 6, 7, 8}}}},
};

static const Part quick_parts[] = {
    {"held", MOTION_COLLAPSE, {"default", "canvas"}, {{12, {4, 5}}, {24, {4, 5}}}},
    {"floor", MOTION_STAND, {"default"}, {{12, {4, 5}}, {24, {4}}}},
    {"swing", MOTION_SWING, {"default"}, {{16, {4, 5}}, {32, {4}}}},
};
enum { PART_COUNT = sizeof parts / sizeof *parts };

static const struct {
    WeftStretch stretch;
    const char* name;
} models[] = {{WEFT_STRETCH_SPRINGS, "springs"}, {WEFT_STRETCH_TRIANGLES, "triangles"}};
enum { MODEL_COUNT = sizeof models / sizeof *models };

// What the ratios are made of.
typedef struct Result {
    const Part* part;
    const char *fabric, *model;
    int cells, quality;
    double distance;  // m
    bool slept;       // while the truth moved
} Result;

typedef struct Results {
    Result list[MAX_RESULTS];
    int count;
} Results;

// ---------------------------------------------------------------------------------------------
// Rows

static void add_result_row(const Result* result, const MotionRun* run, const Truth* truth,
                           Report* report) {
    start_row(report);
    add_text(report, "fabric", result->fabric);
    add_text(report, "model", result->model);
    add_number(report, "cells", result->cells);
    add_number(report, "quality", result->quality);
    add_text(report, "part", result->part->name);
    add_number(report, "ms", run_ms(run));
    add_number(report, "error_mm", 1000 * result->distance);
    add_number(report, "known_mm", 1000 * truth->floor);
    add_number(report, "max_stretch", run->stretch);
    add_number(report, "stiffness_scale", run->stiffness_scale);
    add_number(report, "asleep_frames", frames_asleep(truth, run));
}

static int run_row(const MotionScene* scene, const Truth* truth, Result* result, Report* report) {
    WeftStepDef step = weft_default_step_def();
    MotionRun run = {0};
    step.quality = result->quality;
    show_progress("%s, %s, %s, %d cells, quality %d", result->part->name, result->fabric,
                  result->model, result->cells, result->quality);
    int code = run_motion(scene, &step, &run);
    if (!code) {
        result->distance = distance_from(truth, &run.lattice);
        result->slept = frames_asleep(truth, &run) > 0;
        add_result_row(result, &run, truth, report);
    }
    destroy_run(&run);
    return code;
}

static int run_size(const MotionDef* def, const Size* size, const Truth* truth, Result result,
                    Results* results, Report* report) {
    MotionDef sized = *def;
    MotionScene scene;
    sized.cells = result.cells = size->cells;
    int code = make_motion(&sized, &scene);
    for (int i = 0; size->qualities[i] && !code; i++) {
        result.quality = size->qualities[i];
        code = run_row(&scene, truth, &result, report);
        results->list[results->count++] = result;
    }
    destroy_motion(&scene);
    return code;
}

// The truth of a fabric is that of its triangles, for springs as well. The edges of a grid are
// springs in all directions, which know nothing of the fabric's shear: folds of silk chiffon lock,
// and the truth of its springs is 215 mm from that of its triangles (default fabric: 81 mm).
static int find_fabric_truth(const BenchOptions* options, const MotionDef* def, Truth* truth) {
    MotionDef fine = *def;
    fine.stretch = WEFT_STRETCH_TRIANGLES;
    return find_truth(options, &fine, truth);
}

static int run_fabric(const BenchOptions* options, const Part* part, const char* fabric,
                      Results* results, Report* report) {
    MotionDef def = default_motion(part->kind, 0);
    Truth truth = {0};
    int code = find_preset(fabric, &def.fabric);
    if (!code) code = find_fabric_truth(options, &def, &truth);
    for (int m = 0; m < MODEL_COUNT; m++) {
        Result result = {.part = part, .fabric = fabric, .model = models[m].name};
        def.stretch = models[m].stretch;
        for (int i = 0; part->sizes[i].cells && !code; i++)
            code = run_size(&def, &part->sizes[i], &truth, result, results, report);
    }
    destroy_truth(&truth);
    return code;
}

static int run_part(const BenchOptions* options, const Part* part, Results* results,
                    Report* report) {
    int code = EXIT_GOOD;
    start_table(report, part->name);
    for (int f = 0; part->fabrics[f] && !code; f++)
        code = run_fabric(options, part, part->fabrics[f], results, report);
    return code;
}

// ---------------------------------------------------------------------------------------------
// Ratios

static bool is_judged(const Result* result, bool upright) {
    return result->quality == JUDGED_QUALITY && upright == (result->part->kind != MOTION_SWING);
}

// The farthest at the judged quality; NULL where there is none.
static const Result* find_worst(const Results* results, bool upright) {
    const Result* worst = NULL;
    for (int i = 0; i < results->count; i++) {
        const Result* result = &results->list[i];
        if (is_judged(result, upright) && (!worst || result->distance > worst->distance))
            worst = result;
    }
    return worst;
}

static bool is_same_but_cells(const Result* a, const Result* b) {
    return a->part == b->part && a->fabric == b->fabric && a->model == b->model;
}

// The worst over the best mesh of a fabric, model and part; the largest of all.
static double find_spread(const Results* results) {
    double spread = 1;
    for (int i = 0; i < results->count; i++)
        for (int k = 0; k < results->count; k++) {
            const Result *a = &results->list[i], *b = &results->list[k];
            if (is_judged(a, true) && is_judged(b, true) && is_same_but_cells(a, b))
                spread = fmax(spread, a->distance / b->distance);
        }
    return spread;
}

static int count_slept(const Results* results) {
    int count = 0;
    for (int i = 0; i < results->count; i++) count += results->list[i].slept;
    return count;
}

static void add_ratios(const Results* results, Report* report) {
    static char note[160];
    const Result *upright = find_worst(results, true), *swing = find_worst(results, false);
    if (upright) {
        add_ratio(report, "upright_4", upright->distance);
        add_ratio(report, "upright_spread", find_spread(results));
        snprintf(note, sizeof note, "The worst upright sheet at quality 4: %s, %s, %s, %d cells.",
                 upright->part->name, upright->fabric, upright->model, upright->cells);
        add_note(report, note);
    }
    if (swing) add_ratio(report, "swing_4_mm", 1000 * swing->distance);
    add_ratio(report, "asleep_while_falling", count_slept(results));
}

// ---------------------------------------------------------------------------------------------

static int run_collapse(const BenchOptions* options, Report* report) {
    static Results results;
    int code = EXIT_GOOD, count = 0;
    results.count = 0;
    for (int i = 0; i < PART_COUNT && !code; i++) {
        const Part* part = options->quick ? &quick_parts[i] : &parts[i];
        if (options->part && strcmp(options->part, part->name) != 0) continue;
        code = run_part(options, part, &results, report);
        count++;
    }
    if (count == 0)
        return complain(EXIT_USAGE, "collapse has no part \"%s\"; held, floor and swing it has",
                        options->part);
    add_ratios(&results, report);
    add_note(report,
             "error_mm: rms distance over the first second from the truth of the same fabric, "
             "on a lattice of 81 points; known_mm: that of a truth with half the substeps.");
    add_note(report, "floor: contact with the floor only, cloth passes through itself.");
    return code;
}

const Bench collapse_bench = {
    .name = "collapse",
    .text = "upright sheets that should buckle and fall, against a fine mesh with short steps",
    .details =
        "Parts: held, upright with the lower edge held; floor, the same standing on a floor with\n"
        "contact; by fabric, stretch model, mesh (25 to 150 cells) and quality. swing: released\n"
        "level, two corners held. Distance from the truth of the same fabric.",
    .has_parts = true,
    .run = run_collapse,
};

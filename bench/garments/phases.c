// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What a step takes, phase by phase: a garment of 10,000 vertices on a body of 20,000 triangles
// that walks, on one thread and on two.

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cover.h"
#include "files.h"
#include "fitting.h"
#include "garments.h"
#include "three.h"

enum { VERTICES = 10000, BODY_TRIANGLES = 20000, STEPS = 120 };
enum { QUICK_VERTICES = 2000, QUICK_BODY_TRIANGLES = 10000, QUICK_STEPS = 12 };
enum { PHASES = sizeof(WeftTimes) / sizeof(double) };

static int compare_totals(const void* a, const void* b) {
    double x = ((const WeftTimes*)a)->total, y = ((const WeftTimes*)b)->total;
    return (x > y) - (x < y);
}

// Of each phase by itself.
static WeftTimes median_times(const WeftTimes* times, int count) {
    WeftTimes median;
    double* numbers = need((size_t)count, sizeof *numbers);
    for (size_t p = 0; p < PHASES; p++) {
        size_t at = p * sizeof(double);
        for (int i = 0; i < count; i++)
            memcpy(&numbers[i], (const char*)&times[i] + at, sizeof(double));
        sort_numbers(numbers, count);
        memcpy((char*)&median + at, &numbers[count / 2], sizeof(double));
    }
    free(numbers);
    return median;
}

static void add_times_row(const Fitting* fitting, const char* of, const WeftTimes* times,
                          double scale, Report* report) {
    start_row(report);
    add_number(report, "vertices", weft_vertex_count(fitting->model));
    add_number(report, "body_triangles", weft_body_triangle_count(fitting->model, 0));
    add_number(report, "threads", fitting->def.threads);
    add_text(report, "of", of);
    add_phase_cells(report, times, scale);
}

// The first step builds trees, and does not count.
static int walk(Fitting* fitting, int threads, int count, double* median, Report* report) {
    WeftTimes *times = need((size_t)count, sizeof *times), sum = {0};
    double seconds, *wall = need((size_t)count, sizeof *wall);
    show_progress("walking on %d thread%s", threads, threads > 1 ? "s" : "");
    WeftResult result = restart_fitting(fitting, threads, threads > 1 ? wall_time : thread_time);
    if (!result) result = take_walk_step(fitting, &seconds);
    for (int i = 0; i < count && !result; i++) {
        result = take_walk_step(fitting, &seconds);
        times[i] = weft_report(fitting->state)->times;
        wall[i] = fitting->wall;
        add_times(&sum, &times[i]);
    }
    if (!result) {
        WeftTimes middle = median_times(times, count);
        sort_numbers(wall, count);
        *median = wall[count / 2];
        add_times_row(fitting, "median", &middle, 1000, report);
        add_times_row(fitting, "mean", &sum, 1000.0 / count, report);
        qsort(times, (size_t)count, sizeof *times, compare_totals);
        add_times_row(fitting, "worst", &times[count - 1], 1000, report);
    }
    free(times);
    free(wall);
    return result ? complain(EXIT_FAILED, "%s", fitting->error.message) : EXIT_GOOD;
}

static int walk_twice(const FittingDef* def, int count, Report* report) {
    Fitting fitting;
    Judgement judgement;
    double median[2] = {0};
    int code = EXIT_GOOD;
    if (open_fitting(def, &fitting)) code = complain(EXIT_FAILED, "%s", fitting.error.message);
    for (int i = 0; i < 2 && !code; i++) code = walk(&fitting, i + 1, count, &median[i], report);
    if (!code && judge_fitting(&fitting, &judgement))
        code = complain(EXIT_FAILED, "%s", fitting.error.message);
    if (!code) {
        add_ratio(report, "dress_s", fitting.dress_seconds);
        add_ratio(report, "threads_2", median[0] / median[1]);
        add_ratio(report, "intersections", judgement.crossings + judgement.inside);
    }
    close_fitting(&fitting);
    return code;
}

// The mannequin with so many triangles, about.
static int make_fine_wearer(int triangles, Wearer* wearer) {
    WeftMannequinDef def = weft_default_mannequin_def(WEFT_MANNEQUIN_FEMALE);
    int code = make_wearer(&def, "female medium", wearer);
    if (code) return code;
    def.edge *= sqrt((double)wearer->figure.triangle_count / triangles);
    destroy_wearer(wearer);
    return make_wearer(&def, "female medium", wearer);
}

// The dress, or the garment of --only; without both, the first.
static int choose_garment(const BenchOptions* options, char path[FILE_SIZE]) {
    FileList* list = need(1, sizeof *list);
    int code = list_garments(options, list), chosen = 0;
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->names[i], "dress") == 0) chosen = i;
    if (!code) file_path(list, chosen, ".json", path);
    free(list);
    return code;
}

int run_step_phases(const BenchOptions* options, Report* report) {
    char path[FILE_SIZE];
    Wearer wearer = {.clip = -1};
    WeftPattern pattern = {0};
    WeftError error;
    FittingDef def = {.wearer = &wearer, .pattern = &pattern, .threads = 1, .clock = thread_time};
    int code = choose_garment(options, path);
    if (!code) code = find_preset("wool_tropical", &def.fabric);
    show_progress("dressing");
    if (!code)
        code = make_fine_wearer(options->quick ? QUICK_BODY_TRIANGLES : BODY_TRIANGLES, &wearer);
    if (!code && load_pattern_for(&wearer, path, &pattern, &error))
        code = complain(EXIT_FAILED, "%s", error.message);
    if (!code) {
        def.edge = edge_for(&pattern, options->quick ? QUICK_VERTICES : VERTICES);
        code = walk_twice(&def, options->quick ? QUICK_STEPS : STEPS, report);
    }
    weft_destroy_pattern(&pattern);
    destroy_wearer(&wearer);
    add_note(report,
             "ms per step, phases as in WeftTimes; the median is that of each phase by itself, the "
             "worst is one step. One thread: processor time; two: the clock on the wall, as is "
             "threads_2, the "
             "median on one thread over that on two.");
    return code;
}

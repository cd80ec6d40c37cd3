// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// fabrics: every preset and every measured fabric over a sphere, and how near the constants of the
// real-time path come to the tables.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "contact_stage.h"

enum { NAME_SIZE = 64, MOST_FABRICS = 200, TEXT_SIZE = 1024, RATE = 60 };

// ---------------------------------------------------------------------------------------------
// Which fabrics

typedef struct Names {
    char list[MOST_FABRICS][NAME_SIZE];
    int count;
} Names;

// Quick: two presets and two others.
static void list_fabrics(Names* names, bool quick) {
    int all = weft_fabric_names(getenv("WEFT_FABRICS"), names->list, MOST_FABRICS), presets = 0;
    while (weft_fabric_preset(presets)) presets++;
    names->count = 0;
    for (int i = 0; i < all; i++) {
        bool first = i < 2 || (i >= presets && i < presets + 2);
        if (quick && !first) continue;
        memmove(names->list[names->count++], names->list[i], NAME_SIZE);
    }
}

static bool is_measured(const char* name) {
    WeftFabricFile file;
    WeftError error;
    return !weft_find_fabric(name, NULL, getenv("WEFT_FABRICS"), &file, &error) &&
           file.fabric.measured.stretch[0][0] > 0;
}

// ---------------------------------------------------------------------------------------------
// Scenes: bodies, cells both ways, where and how the sheet begins, fabric, models, steps

static const char SHEET[] =
    "{\"weft\":1,\"duration\":5,\"contact\":\"%s\",\"bodies\":[%s],\"cloths\":[{\"mesh\":{"
    "\"kind\":\"grid\",\"columns\":%d,\"rows\":%d},\"place\":{%s},\"fabric\":{\"base\":\"%s\","
    "\"stretch_damping\":0.002,\"bend_damping\":0.01},%s%s}],\"step\":{\"substeps\":2,%s}}";

typedef struct Way {
    const char *name, *models, *step;
} Way;

static const Way measured_way = {"measured", "\"stretch\":\"measured\",\"bend_by\":\"angles\"",
                                 "\"method\":\"implicit\""};
static const Way membrane_way = {"membrane", "\"stretch\":\"biquadratic\",\"bend_by\":\"angles\"",
                                 "\"method\":\"implicit\""};
static const Way real_time_way = {"real time", "\"stretch\":\"triangles\"", "\"quality\":5"};

typedef struct Place {
    const char *contact, *bodies, *place, *pins;
    int cells;
} Place;

static const Place sphere = {"all",
                             "{\"kind\":\"sphere\",\"radius\":0.25,\"place\":{\"move\":[0,0.6,0]}}",
                             "\"move\":[-0.5,0.87,0.5]", "", 32};
static const Place line = {"none", "", "\"move\":[-0.5,0,0.5]",
                           ",\"pins\":[{\"corner\":\"top left\"},{\"corner\":\"top right\"}]", 24};

static int open_sheet(const char* fabric, const Place* place, const Way* way, ContactStage* stage) {
    char text[TEXT_SIZE];
    snprintf(text, sizeof text, SHEET, place->contact, place->bodies, place->cells, place->cells,
             place->place, fabric, way->models, place->pins, way->step);
    return open_contact_stage(fabric, text, -1, stage);
}

// ---------------------------------------------------------------------------------------------
// Over the sphere

typedef struct Fall {
    int crossing_frames;
    double seconds, most_stretch, speed;  // of all steps; at the end
    char failure[64];
} Fall;

static int fall(ContactStage* stage, int step_count, Fall* result) {
    WeftMeasure measure;
    Passed passed;
    for (int i = 0; i < step_count; i++) {
        if (take_contact_step(stage)) {
            snprintf(result->failure, sizeof result->failure, "step %d: %.30s", i + 1,
                     weft_state_error(stage->state)->message);
            return EXIT_GOOD;
        }
        result->seconds += weft_report(stage->state)->times.total;
        int code = judge_contact(stage, &passed);
        if (code) return code;
        result->crossing_frames += passed.crossings > 0;
        if (weft_measure(stage->state, stage->step.gravity, &measure))
            return complain(EXIT_FAILED, "out of memory");
        result->most_stretch = fmax(result->most_stretch, measure.max_stretch);
    }
    result->speed = rms_speed(stage);
    return EXIT_GOOD;
}

static int run_fall(const char* fabric, const Way* way, int step_count, Report* report,
                    Fall* result) {
    ContactStage stage = {0};
    *result = (Fall){0};
    show_progress("%s, %s, over the sphere", fabric, way->name);
    int code = open_sheet(fabric, &sphere, way, &stage);
    if (!code) code = fall(&stage, step_count, result);
    close_contact_stage(&stage);
    if (code) return code;
    start_row(report);
    add_text(report, "fabric", fabric);
    add_text(report, "model", way->name);
    if (*result->failure) add_text(report, "failure", result->failure);
    add_number(report, "crossing_frames", result->crossing_frames);
    add_number(report, "max_stretch", result->most_stretch);
    add_number(report, "end_speed_mm_s", 1000 * result->speed);
    add_number(report, "ms", 1000 * result->seconds / step_count);
    return EXIT_GOOD;
}

static int run_falls(const BenchOptions* options, const Names* names, Report* report) {
    int step_count = options->quick ? 30 : 5 * RATE, failures = 0, crossings = 0;
    double stretch = 0;
    start_table(report, "sphere");
    for (int i = 0; i < names->count; i++) {
        const Way* ways[2] = {is_measured(names->list[i]) ? &measured_way : &membrane_way,
                              &real_time_way};
        for (int w = 0; w < 2; w++) {
            Fall result;
            int code = run_fall(names->list[i], ways[w], step_count, report, &result);
            if (code) return code;
            failures += *result.failure != 0;
            crossings += result.crossing_frames;
            stretch = fmax(stretch, result.most_stretch);
        }
    }
    add_ratio(report, "fabrics", names->count);
    add_ratio(report, "fabric_failures", failures);
    add_ratio(report, "fabric_crossing_frames", crossings);
    add_ratio(report, "fabric_max_stretch", stretch);
    add_note(report,
             "sphere: a sheet of 1 m falls on a sphere of 0.25 m, 5 s of steps of 1/60 s "
             "with two substeps, self-contact.");
    return EXIT_GOOD;
}

// ---------------------------------------------------------------------------------------------
// Tables against constants, hung by two corners

static double distance(const ContactStage* a, const ContactStage* b) {
    const double *x = weft_positions(a->state), *y = weft_positions(b->state);
    int n = 3 * weft_vertex_count(a->model);
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (x[i] - y[i]) * (x[i] - y[i]);
    return sqrt(3 * sum / n);
}

static double mean_height(const ContactStage* stage) {
    const double* x = weft_positions(stage->state);
    int n = weft_vertex_count(stage->model);
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[3 * i + 1] / n;
    return sum;
}

static int compare(ContactStage* stages, int step_count, Report* report) {
    double motion = 0;
    for (int i = 0; i < step_count; i++) {
        for (int k = 0; k < 2; k++)
            if (take_contact_step(&stages[k]))
                return complain(EXIT_FAILED, "%s", weft_state_error(stages[k].state)->message);
        if (i < RATE) motion += pow(distance(&stages[0], &stages[1]), 2) / RATE;
    }
    add_number(report, "motion_mm", 1000 * sqrt(motion));
    add_number(report, "rest_mm", 1000 * distance(&stages[0], &stages[1]));
    add_number(report, "height_mm", 1000 * mean_height(&stages[0]));
    add_number(report, "height_real_time_mm", 1000 * mean_height(&stages[1]));
    return EXIT_GOOD;
}

static int run_comparisons(const BenchOptions* options, const Names* names, Report* report) {
    int step_count = options->quick ? RATE : 8 * RATE, code = EXIT_GOOD;
    start_table(report, "line");
    for (int i = 0; i < names->count && !code; i++) {
        ContactStage stages[2] = {{0}, {0}};
        const char* name = names->list[i];
        if (!is_measured(name)) continue;
        show_progress("%s, hung by two corners", name);
        code = open_sheet(name, &line, &measured_way, &stages[0]);
        if (!code) code = open_sheet(name, &line, &real_time_way, &stages[1]);
        if (!code) {
            start_row(report);
            add_text(report, "fabric", name);
            code = compare(stages, step_count, report);
        }
        for (int k = 0; k < 2; k++) close_contact_stage(&stages[k]);
    }
    add_note(report,
             "line: a sheet of 1 m swings down from level, held by two corners; how far the "
             "constants of the real-time path are from the tables, rms over the vertices: "
             "in the first second, and after 8 s; mean height.");
    return code;
}

// ---------------------------------------------------------------------------------------------

static int run_fabrics(const BenchOptions* options, Report* report) {
    static Names names;
    bool falls = !options->part || strcmp(options->part, "sphere") == 0;
    bool lines = !options->part || strcmp(options->part, "line") == 0;
    if (!falls && !lines)
        return complain(EXIT_USAGE, "fabrics has no part \"%s\"; sphere and line it has",
                        options->part);
    list_fabrics(&names, options->quick);
    int code = falls ? run_falls(options, &names, report) : EXIT_GOOD;
    return code || !lines ? code : run_comparisons(options, &names, report);
}

const Bench fabrics_bench = {
    .name = "fabrics",
    .text = "every fabric over a sphere; measured tables against constants",
    .details =
        "Parts: sphere, every preset and every measured fabric draped over a sphere, by its "
        "tables\n"
        "or as a membrane, and by the constants of the real-time path: crossings in every frame,\n"
        "stretch, ms per step. line: hung by two corners, how far the two are apart.",
    .has_parts = true,
    .run = run_fabrics,
};

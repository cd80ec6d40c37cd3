// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft fit: from measurements to a fabric; and, to plan them, from a fabric to measurements.

#define _POSIX_C_SOURCE 200809L

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chart.h"
#include "commands.h"
#include "place.h"
#include "weft/weft_io.h"

typedef struct FitOptions {
    const char *out, *plot, *simulate, *tests;  // or NULL
    double noise;                               // mm
    int seed;
    bool json;
} FitOptions;

typedef struct Study {
    const char* path;
    WeftMeasurements* measurements;
    WeftFit* fit;
    WeftFabricFile fabric;
} Study;

static int fail(const char* path, const WeftError* error) {
    bool placed = strncmp(error->message, path, strlen(path)) == 0;
    fprintf(stderr, "%s%s%s\n", placed ? "" : path, placed ? "" : ": ", error->message);
    bool input = error->result == WEFT_ERROR_INPUT || error->result == WEFT_ERROR_FILE;
    return input ? EXIT_USAGE : EXIT_FAILED;
}

static bool is_stretch(const WeftTest* test) { return test->kind == WEFT_TEST_STRETCH; }

static int count_marks(const WeftMeasurements* m) {
    int count = 0;
    for (int i = 0; i < m->test_count; i++) count += m->tests[i].mark_count;
    return count;
}

static int count_unknown(const WeftFit* fit) {
    int count = 0;
    for (int i = 0; i < fit->parameter_count; i++) count += !fit->parameters[i].known;
    return count;
}

// ---------------------------------------------------------------------------------------------
// Fitting

// On a terminal, one line that is written over; an empty one ends it.
static bool show_progress_line(void* user, int iteration, double residual) {
    (void)user;
    if (!isatty(STDERR_FILENO)) return true;
    fprintf(stderr, "\r\x1b[K");
    if (iteration > 0) fprintf(stderr, "iteration %d: %.4g mm", iteration, 1000 * residual);
    return true;
}

static int fit_fabric(Study* study) {
    WeftFitDef def = weft_default_fit_def();
    WeftError error;
    def.progress = show_progress_line;
    WeftResult result = weft_fit_fabric(study->measurements, &def, &study->fit, &error);
    show_progress_line(NULL, 0, 0);
    return result ? fail(study->path, &error) : GO_ON;
}

// "jersey" of "measurements/jersey.json", for measurements that do not name their fabric.
static void name_fabric(const Study* study, char* name, size_t size) {
    const char* file = base_name(study->path);
    if (study->measurements->name[0])
        snprintf(name, size, "%s", study->measurements->name);
    else
        snprintf(name, size, "%.*s", (int)strcspn(file, "."), file);
}

static int save_fabric(Study* study, const char* path) {
    WeftFabricFile* file = &study->fabric;
    WeftError error;
    name_fabric(study, file->name, sizeof file->name);
    snprintf(file->source, sizeof file->source, "fitted to the measurements %.200s",
             base_name(study->path));
    file->fit_error = study->fit->residual;
    file->fabric = weft_default_fabric();
    file->fabric.density = study->measurements->density;
    file->fabric.measured = study->fit->measured;
    weft_fit_constants(&file->fabric);
    return weft_save_fabric(path, file, &error) ? fail(path, &error) : GO_ON;
}

// ---------------------------------------------------------------------------------------------
// Tables

static void print_tests(const Study* study) {
    const WeftMeasurements* m = study->measurements;
    printf("  %-8s %8s %12s %6s %12s\n", "test", "degrees", "load", "marks", "residual mm");
    for (int i = 0; i < m->test_count; i++) {
        const WeftTest* test = &m->tests[i];
        printf("  %-8s %8g %9.4g %-2s %6d %12.3g\n", is_stretch(test) ? "stretch" : "bend",
               test->angle, is_stretch(test) ? test->weight : 1000 * test->overhang,
               is_stretch(test) ? "N" : "mm", test->mark_count, 1000 * study->fit->residuals[i]);
    }
}

// Row after row of a table whose parameters begin at `first`.
static void print_rows(const WeftFit* fit, int first, int rows, int columns, double unit,
                       const char* const* names) {
    for (int i = 0; i < rows; i++) {
        printf("  %-14s", names[i]);
        for (int k = 0; k < columns; k++) {
            const WeftFitParameter* p = &fit->parameters[first + columns * i + k];
            char text[48];
            snprintf(text, sizeof text, "%.4g +- %.2g", p->value / unit, p->deviation / unit);
            printf(" %18s%c", text, p->known ? ' ' : '?');
        }
        putchar('\n');
    }
}

// Both tables, as far as they were fitted: parameters of stretch come first.
static void print_parameters(const WeftFit* fit) {
    static const char* const stretch[] = {"no strain",  "0 degrees",    "22.5 degrees",
                                          "45 degrees", "67.5 degrees", "90 degrees"};
    static const char* const bend[] = {"0 degrees", "45 degrees", "90 degrees"};
    bool has_stretch = fit->parameter_count >= 24, has_bend = fit->parameter_count != 24;
    if (has_stretch) {
        printf("\n  %-14s %18s  %18s  %18s  %18s\n", "stretch, N/m", "c11", "c12", "c22", "c33");
        print_rows(fit, 0, 6, 4, 1, stretch);
    }
    if (has_bend) {
        printf("\n  %-14s %18s  %18s  %18s  %18s  %18s\n", "bend, uN m", "0 /m", "10 /m", "20 /m",
               "30 /m", "40 /m");
        print_rows(fit, has_stretch ? 24 : 0, 3, 5, 1e-6, bend);
    }
}

static void print_unknown(const WeftFit* fit) {
    int count = count_unknown(fit), column = 0;
    if (count == 0) return;
    printf("\n? these tests do not tell; by neighbours, or with a large deviation (%d):\n", count);
    for (int i = 0; i < fit->parameter_count; i++) {
        if (fit->parameters[i].known) continue;
        column += printf("  %s", fit->parameters[i].name);
        if (column > 70) column = 0, putchar('\n');
    }
    if (column > 0) putchar('\n');
}

static void print_study(const Study* study, const char* out) {
    const WeftMeasurements* m = study->measurements;
    const WeftFit* fit = study->fit;
    printf("%s: %s, %d tests, %d marks\n\n", study->path, study->fabric.name, m->test_count,
           count_marks(m));
    print_tests(study);
    print_parameters(fit);
    print_unknown(fit);
    printf("\n  residual  %.3g mm, noise %.3g mm, %d iterations\n", 1000 * fit->residual,
           1000 * fit->noise, fit->iterations);
    printf("  wrote     %s\n", out);
}

static json_t* tests_json(const Study* study) {
    json_t* rows = json_array();
    for (int i = 0; i < study->measurements->test_count; i++) {
        const WeftTest* test = &study->measurements->tests[i];
        json_array_append_new(
            rows, json_pack("{s:s,s:f,s:f,s:i,s:f}", "kind", is_stretch(test) ? "stretch" : "bend",
                            "angle", test->angle, is_stretch(test) ? "weight" : "overhang",
                            is_stretch(test) ? test->weight : test->overhang, "marks",
                            test->mark_count, "residual_mm", 1000 * study->fit->residuals[i]));
    }
    return rows;
}

static json_t* parameters_json(const WeftFit* fit) {
    json_t* rows = json_array();
    for (int i = 0; i < fit->parameter_count; i++) {
        const WeftFitParameter* p = &fit->parameters[i];
        json_array_append_new(
            rows, json_pack("{s:s,s:f,s:f,s:f,s:b}", "name", p->name, "value", p->value,
                            "deviation", p->deviation, "share", p->share, "known", p->known));
    }
    return rows;
}

static int print_json(const Study* study, const char* out) {
    const WeftFit* fit = study->fit;
    json_t* root = json_pack("{s:s,s:s,s:s,s:b,s:i,s:i,s:f,s:f,s:i,s:o,s:o}", "file", study->path,
                             "fabric", study->fabric.name, "out", out, "converged", fit->converged,
                             "iterations", fit->iterations, "marks",
                             count_marks(study->measurements), "noise_mm", 1000 * fit->noise,
                             "residual_mm", 1000 * fit->residual, "unknown", count_unknown(fit),
                             "tests", tests_json(study), "parameters", parameters_json(fit));
    if (!root) return complain(EXIT_FAILED, "the findings cannot be written as data");
    json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    putchar('\n');
    json_decref(root);
    return GO_ON;
}

// ---------------------------------------------------------------------------------------------
// Pictures: what was measured as dots, what was fitted as lines, a colour per angle

enum { MOST_ANGLES = CHART_SERIES / 2 };

typedef struct Curve {
    double angle;
    char name[32];
    int count;                               // of points
    double *x, *measured_y, *fitted_y, *by;  // `by`: x of the fitted ones
} Curve;

typedef struct Curves {
    int count;
    Curve curves[MOST_ANGLES];
} Curves;

static void free_curves(Curves* curves) {
    for (int i = 0; i < curves->count; i++) free(curves->curves[i].x);
}

// The curve of an angle, with room for `room` points; NULL where there are too many, or no memory.
static Curve* find_curve(Curves* curves, double angle, int room) {
    for (int i = 0; i < curves->count; i++)
        if (curves->curves[i].angle == angle) return &curves->curves[i];
    if (curves->count == MOST_ANGLES) return NULL;
    Curve* curve = &curves->curves[curves->count];
    double* block = calloc((size_t)room, 4 * sizeof *block);
    if (!block) return NULL;
    *curve = (Curve){angle, "", 0, block, block + room, block + 2 * room, block + 3 * room};
    snprintf(curve->name, sizeof curve->name, "%g degrees", angle);
    curves->count++;
    return curve;
}

static void add_point(Curve* curve, double x, double y, double by, double fitted) {
    int i = curve->count++;
    curve->x[i] = x;
    curve->measured_y[i] = y;
    curve->by[i] = by;
    curve->fitted_y[i] = fitted;
}

// Mean stretch, in per cent, of the marks that are farthest from the clamp.
static double stretch_of(const WeftTest* test, const WeftMark* marks) {
    double farthest = 0, sum = 0;
    int count = 0;
    for (int k = 0; k < test->mark_count; k++) farthest = fmax(farthest, marks[k].along);
    for (int k = 0; k < test->mark_count; k++) {
        if (marks[k].along < farthest * (1 - 1e-9)) continue;
        sum += 100 * (marks[k].x / farthest - 1);
        count++;
    }
    return sum / count;
}

// Points by load: insert where it belongs.
static void add_load(Curve* curve, double load, double measured, double fitted) {
    add_point(curve, load, measured, load, fitted);
    for (int i = curve->count - 1; i > 0 && curve->x[i] < curve->x[i - 1]; i--) {
        double* lists[] = {curve->x, curve->measured_y, curve->by, curve->fitted_y};
        for (int k = 0; k < 4; k++) {
            double value = lists[k][i];
            lists[k][i] = lists[k][i - 1];
            lists[k][i - 1] = value;
        }
    }
}

// Shapes one after the other, with a gap between them.
static void add_shape(Curve* curve, const WeftTest* test, const WeftMark* fitted) {
    double none = (double)NAN;
    add_point(curve, none, none, 0, 0);
    for (int k = 0; k < test->mark_count; k++)
        add_point(curve, 1000 * test->marks[k].x, 1000 * test->marks[k].y, 1000 * fitted[k].x,
                  1000 * fitted[k].y);
    add_point(curve, none, none, none, none);
}

static void collect_curves(const Study* study, WeftTestKind kind, Curves* curves) {
    const WeftMeasurements* m = study->measurements;
    int room = count_marks(m) + 2 * m->test_count;
    for (int i = 0; i < m->test_count; i++) {
        const WeftTest* test = &m->tests[i];
        const WeftMark* fitted = study->fit->fitted[i];
        Curve* curve = test->kind == kind ? find_curve(curves, test->angle, room) : NULL;
        if (curve && is_stretch(test))
            add_load(curve, test->weight, stretch_of(test, test->marks), stretch_of(test, fitted));
        else if (curve)
            add_shape(curve, test, fitted);
    }
}

static int draw_curves(const Study* study, WeftTestKind kind, const char* path) {
    bool stretch = kind == WEFT_TEST_STRETCH;
    char name[PATH_SIZE], title[128];
    Curves curves = {0};
    collect_curves(study, kind, &curves);
    name_chart(path, stretch ? "stretch" : "bend", name, sizeof name);
    snprintf(title, sizeof title, "%s: measured (dots) and fitted (lines)", study->fabric.name);
    Chart chart = {.title = title,
                   .x_name = stretch ? "weight, N" : "mm from the edge",
                   .y_name = stretch ? "stretch, %" : "mm up",
                   .from_zero = stretch};
    for (int i = 0; i < curves.count; i++) {
        const Curve* c = &curves.curves[i];
        add_series(&chart, (Series){c->name, chart_colour(i), false, c->count, c->by, c->fitted_y});
        add_series(&chart, (Series){NULL, chart_colour(i), true, c->count, c->x, c->measured_y});
    }
    int code = curves.count > 0 ? write_chart(&chart, name) : GO_ON;
    free_curves(&curves);
    return code;
}

static int draw_study(const Study* study, const char* path) {
    int code = draw_curves(study, WEFT_TEST_STRETCH, path);
    return code == GO_ON ? draw_curves(study, WEFT_TEST_BEND, path) : code;
}

// ---------------------------------------------------------------------------------------------
// Planning

static int simulate(const FitOptions* options) {
    WeftMeasurements* m = NULL;
    WeftFabricFile file;
    WeftError error;
    int code = GO_ON;
    if (weft_find_fabric(options->simulate, NULL, fabric_folders(), &file, &error))
        return fail(options->simulate, &error);
    WeftResult result = options->tests ? weft_load_measurements(options->tests, NULL, &m, &error)
                                       : weft_plan_measurements(&file.fabric, NULL, &m, &error);
    if (result) return fail(options->tests ? options->tests : options->simulate, &error);
    snprintf(m->name, sizeof m->name, "%s", file.name);
    m->density = file.fabric.density;
    m->reference_strain = file.fabric.measured.reference_strain;
    if (weft_simulate_measurements(&file.fabric.measured, options->noise / 1000,
                                   (unsigned long long)options->seed, m, &error))
        code = fail(options->simulate, &error);
    if (code == GO_ON && weft_save_measurements(options->out, m, &error))
        code = fail(options->out, &error);
    if (code == GO_ON)
        printf("%s: %d tests, %d marks, noise %g mm\n", options->out, m->test_count, count_marks(m),
               options->noise);
    weft_destroy_measurements(m);
    return code == GO_ON ? EXIT_GOOD : code;
}

// ---------------------------------------------------------------------------------------------

static int fit_file(const FitOptions* options, const char* path) {
    Study study = {.path = path};
    WeftError error;
    int code = GO_ON;
    if (weft_load_measurements(path, NULL, &study.measurements, &error)) return fail(path, &error);
    code = fit_fabric(&study);
    if (code == GO_ON) code = save_fabric(&study, options->out);
    if (code == GO_ON && options->plot) code = draw_study(&study, options->plot);
    if (code == GO_ON && options->json) code = print_json(&study, options->out);
    if (code == GO_ON && !options->json) print_study(&study, options->out);
    if (code == GO_ON)
        code = study.fit->converged
                   ? EXIT_GOOD
                   : complain(EXIT_FAILED, "the fit has come to no end after %d iterations",
                              study.fit->iterations);
    weft_destroy_fit(study.fit);
    weft_destroy_measurements(study.measurements);
    return code;
}

static int check_options(const FitOptions* options, const TextList* arguments) {
    if (arguments->count != (options->simulate ? 0 : 1))
        return complain(EXIT_USAGE,
                        "fit takes one file of measurements, or --simulate and a fabric; see "
                        "`weft fit --help`");
    if (!options->out)
        return complain(EXIT_USAGE, "fit needs a name for what it writes: --out %s",
                        options->simulate ? "MEASUREMENTS.json" : "FABRIC.json");
    if (options->simulate && (options->plot || options->json))
        return complain(EXIT_USAGE, "--plot and --json show a fit, and --simulate is none");
    if (!options->simulate && (options->tests || options->noise > 0))
        return complain(EXIT_USAGE, "--tests and --noise go with --simulate");
    if (options->plot && !has_ending(options->plot, ".png") && !has_ending(options->plot, ".svg"))
        return complain(EXIT_USAGE, "%s: a chart is a .png or an .svg", options->plot);
    return GO_ON;
}

static int run_fit(const Command* command, int argc, char** argv) {
    FitOptions options = {.seed = 1};
    const Option rows[] = {
        {"out", OPTION_TEXT, "FILE", "the fabric, or the measurements, to write", &options.out, 0,
         0},
        {"plot", OPTION_TEXT, "FILE", "draw FILE_stretch and FILE_bend, each a .png or .svg",
         &options.plot, 0, 0},
        {"json", OPTION_FLAG, NULL, "print the findings as data", &options.json, 0, 0},
        {"simulate", OPTION_TEXT, "FABRIC", "write what tests of this fabric would show",
         &options.simulate, 0, 0},
        {"tests", OPTION_TEXT, "FILE", "simulate the tests of these measurements", &options.tests,
         0, 0},
        {"noise", OPTION_NUMBER, "MM", "move simulated marks by so much, default 0", &options.noise,
         0, 100},
        {"seed", OPTION_COUNT, "N", "another noise, default 1", &options.seed, 0, 1e9},
    };
    TextList arguments = {0};
    int code = parse_options(command, rows, 7, argc, argv, &arguments);
    if (code == GO_ON) code = check_options(&options, &arguments);
    if (code == GO_ON)
        code = options.simulate ? simulate(&options) : fit_file(&options, arguments.texts[0]);
    free_list(&arguments);
    return code;
}

const Command fit_command = {
    .name = "fit",
    .arguments = "MEASUREMENTS",
    .summary = "Find a fabric's tables from measured strips, and how well each is known.",
    .details =
        "Strips are stretched by weights, and bend under their own weight; MEASUREMENTS is a\n"
        ".json with the marks that were seen on them. The fabric is that whose simulated strips\n"
        "come nearest. Each number comes with its standard deviation, and with a ? where the "
        "tests\n"
        "do not tell it. With --simulate, tests that would tell, and what they would show.\n"
        "docs/fit.md tells more.",
    .run = run_fit,
};

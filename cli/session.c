// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#define _POSIX_C_SOURCE 200809L

#include "session.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "place.h"

double now(void* unused) {
    (void)unused;
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

StepOptions default_step_options(void) {
    return (StepOptions){.preset = -1,
                         .method = -1,
                         .quality = -1,
                         .order = -1,
                         .substeps = -1,
                         .scheme = -1,
                         .sweep = -1,
                         .jacobian = -1,
                         .start = -1,
                         .dt = -1,
                         .stretch_tolerance = -1,
                         .rest_speed = -1,
                         .budget = -1,
                         .contact = -1,
                         .threads = WEFT_ALL_THREADS};
}

// What the library allows, by the name of the field.
static WeftRange range_of(const char* field) {
    const WeftRange* range = NULL;
    for (int i = 0; (range = weft_step_range(i)) && strcmp(range->name, field) != 0; i++) continue;
    return *range;
}

void list_step_options(StepOptions* options, Option rows[STEP_OPTION_COUNT]) {
    WeftRange quality = range_of("quality"), budget = range_of("budget_ms"), dt = range_of("dt");
    WeftRange stretch = range_of("stretch_tolerance"), rest = range_of("rest_speed");
    const Option list[STEP_OPTION_COUNT] = {
        {"preset", OPTION_CHOICE, "preset", "a method of the literature; other options win",
         &options->preset, 0, 0},
        {"method", OPTION_CHOICE, "method", "how steps are taken", &options->method, 0, 0},
        {"quality", OPTION_COUNT, "Q", "how much to spend, 1 to 8, whatever the scene says",
         &options->quality, quality.low, quality.high},
        {"budget", OPTION_NUMBER, "MS", "milliseconds that a step may take; 0: as many as it takes",
         &options->budget, budget.low, budget.high},
        {"order", OPTION_COUNT, "N", "1: implicit Euler, 2: BDF2", &options->order, 1,
         range_of("order").high},
        {"substeps", OPTION_COUNT, "N", "parts that a step is cut into", &options->substeps, 1,
         range_of("substeps").high},
        {"scheme", OPTION_CHOICE, "scheme", "how solves are spent", &options->scheme, 0, 0},
        {"iterations", OPTION_TEXT, "N,N", "iterations of each Newton step", &options->iterations,
         0, 0},
        {"sweep", OPTION_CHOICE, "sweep", "of relaxation", &options->sweep, 0, 0},
        {"jacobian", OPTION_CHOICE, "jacobian", "derivative of spring forces", &options->jacobian,
         0, 0},
        {"start", OPTION_CHOICE, "start", "where Newton begins", &options->start, 0, 0},
        {"dt", OPTION_NUMBER, "S", "length of a step in seconds, such as 1/60", &options->dt, 1e-6,
         dt.high},
        {"stretch-tolerance", OPTION_NUMBER, "X", "stretch that may remain visible; 0: none",
         &options->stretch_tolerance, stretch.low, stretch.high},
        {"contact", OPTION_CHOICE, "contact", "what is kept from passing through what",
         &options->contact, 0, 0},
        {"rest-speed", OPTION_NUMBER, "V",
         "m/s, below which touching cloth comes to rest; 0: never", &options->rest_speed, rest.low,
         rest.high},
        {"same-bits", OPTION_FLAG, NULL, "the same bits on every machine; a little slower",
         &options->same_bits, 0, 0},
        {"threads", OPTION_COUNT, "N",
         "how many at most, default all cores; the result is the same", &options->threads, 1, 1024},
    };
    memcpy(rows, list, sizeof list);
}

static int read_iterations(const char* text, int iterations[WEFT_MAX_NEWTON]) {
    const char* start = text;
    memset(iterations, 0, WEFT_MAX_NEWTON * sizeof *iterations);
    for (int i = 0; i < WEFT_MAX_NEWTON; i++) {
        char* end;
        long number = strtol(text, &end, 10);
        if (end == text || number < 1 || number > 1000) break;
        iterations[i] = (int)number;
        if (*end == 0) return GO_ON;
        if (*end != ',') break;
        text = end + 1;
    }
    return complain(EXIT_USAGE, "--iterations must be up to %d numbers such as 4,12, not \"%s\"",
                    WEFT_MAX_NEWTON, start);
}

static int apply_step_options(const StepOptions* options, WeftStepDef* step) {
    if (options->quality >= 0 && options->budget > 0)
        return complain(EXIT_USAGE, "give --quality or --budget, not both: a budget chooses");
    if (options->quality >= 0) {
        // a quality asked for here is all of it, whatever the scene sets by hand
        step->order = step->substeps = 0;
        step->scheme = WEFT_SCHEME_AUTO;
        memset(step->iterations, 0, sizeof step->iterations);
        step->budget_ms = 0;
        step->quality = options->quality;
    }
    if (options->preset >= 0) weft_use_preset(step, (WeftPreset)options->preset);
    if (options->method >= 0) step->method = (WeftMethod)options->method;
    if (options->order >= 0) step->order = options->order;
    if (options->substeps >= 0) step->substeps = options->substeps;
    if (options->scheme >= 0) step->scheme = (WeftScheme)options->scheme;
    if (options->sweep >= 0) step->sweep = (WeftSweep)options->sweep;
    if (options->jacobian >= 0) step->jacobian = (WeftJacobian)options->jacobian;
    if (options->start >= 0) step->start = (WeftStart)options->start;
    if (options->dt >= 0) step->dt = options->dt;
    if (options->stretch_tolerance >= 0) step->stretch_tolerance = options->stretch_tolerance;
    if (options->rest_speed >= 0) step->rest_speed = options->rest_speed;
    if (options->budget >= 0) step->budget_ms = options->budget;
    return options->iterations ? read_iterations(options->iterations, step->iterations) : GO_ON;
}

// Messages about the scene's text begin with its place; others get the file's name before them.
static int fail_scene(const char* path, const WeftError* error) {
    bool placed = strncmp(error->message, path, strlen(path)) == 0;
    fprintf(stderr, "%s%s%s\n", placed ? "" : path, placed ? "" : ": ", error->message);
    return error->result == WEFT_ERROR_MEMORY ? EXIT_FAILED : EXIT_USAGE;
}

// How far it is: on a terminal a line that is written over, elsewhere one for every quarter.
typedef struct Dressing {
    bool quiet, terminal;
    int quarters;  // told
} Dressing;

static bool tell_dressing(void* user, double part, const char* stage) {
    Dressing* dressing = user;
    if (dressing->quiet) return true;
    if (dressing->terminal) {
        fprintf(stderr, "\rdressing: %3.0f %%  %-20s", 100 * part, stage);
    } else if ((int)(4 * part) >= dressing->quarters && part < 1) {
        dressing->quarters = (int)(4 * part) + 1;
        fprintf(stderr, "dressing: %3.0f %%  %s\n", 100 * part, stage);
    }
    return true;
}

void tell_reading(const StepOptions* options, bool done) {
    if (options->quiet || !isatty(STDERR_FILENO)) return;
    fputs(done ? "\r\x1b[K" : "dressing:   0 %  reading", stderr);
}

static void tell_findings(const char* path, WeftFindings* findings, bool quiet) {
    for (int i = 0; i < findings->count && !quiet; i++)
        fprintf(stderr, "%s: %s\n", path, findings->lines[i]);
    weft_destroy_findings(findings);
}

int dress_scene(WeftScene* scene, const char* path, const StepOptions* options) {
    WeftFindings findings = {0};
    WeftError error;
    bool due = scene->wear_count > 0 && !scene->dressed;
    Dressing dressing = {options->quiet, isatty(STDERR_FILENO), 0};
    WeftResult result = weft_dress_scene(scene, tell_dressing, &dressing, &findings, &error);
    if (due && !dressing.quiet && dressing.terminal) fputs("\r\x1b[K", stderr);
    tell_findings(path, &scene->findings, options->quiet);
    tell_findings(path, &findings, options->quiet);
    return result ? fail_scene(path, &error) : GO_ON;
}

int open_session(Session* session, const char* path, const StepOptions* options) {
    WeftError error;
    WeftScene* scene = NULL;
    *session = (Session){0};
    if (weft_load_scene(path, fabric_folders(), NULL, &scene, &error))
        return fail_scene(path, &error);
    return open_scene(session, scene, path, options);
}

int open_scene(Session* session, WeftScene* scene, const char* path, const StepOptions* options) {
    WeftError error;
    *session = (Session){.scene = scene};
    folder_name(path, session->folder);
    WeftModelDef* def = &session->scene->model;
    int code = apply_step_options(options, &def->step);
    if (code != GO_ON) return code;
    def->clock.now = now;
    def->jobs.thread_count = options->threads;
    if (options->same_bits) def->same_bits = true;
    if (options->contact >= 0) def->contact = (WeftContact)options->contact;
    code = dress_scene(session->scene, path, options);
    if (code != GO_ON) return code;
    if (weft_create_model(def, &session->model, &error)) return fail_scene(path, &error);
    if (weft_create_state(session->model, &session->state, &error)) return fail_scene(path, &error);
    return GO_ON;
}

int open_show(Session* session, const char* path) {
    WeftError error;
    WeftResult result =
        weft_create_show(session->scene, session->model, NULL, &session->show, &error);
    return result ? fail_scene(path, &error) : GO_ON;
}

bool may_tear(const WeftScene* scene) {
    bool tears = scene->model.tearable;
    for (int c = 0; c < scene->model.cloth_count; c++)
        tears = tears || scene->model.cloths[c].tear_load > 0;
    return tears;
}

int follow_tears(Session* session) {
    if (!weft_report(session->state)->torn || !session->show) return GO_ON;
    if (!weft_update_show(session->show, session->state, NULL)) return GO_ON;
    return complain(EXIT_FAILED, "out of memory");
}

int split_vertices(const Session* session) {
    return weft_vertex_count(weft_state_model(session->state)) - weft_vertex_count(session->model);
}

void close_session(Session* session) {
    weft_destroy_show(session->show);
    weft_destroy_state(session->state);
    weft_destroy_model(session->model);
    weft_destroy_scene(session->scene);
}

void print_welds(const Session* session, const char* indent) {
    for (int c = 0; c < session->scene->model.cloth_count; c++) {
        WeftWeld weld = session->scene->welds[c];
        int left = weft_unwelded_count(session->model, c);
        if (weld.vertex_count > 0)
            printf("%scloth %d: welded %d vertices at %d place%s\n", indent, c, weld.vertex_count,
                   weld.place_count, weld.place_count == 1 ? "" : "s");
        if (left > 0)
            printf(
                "%scloth %d: %d vertices lie on others and are not welded: it comes apart there\n",
                indent, c, left);
    }
}

// Of cloth of several fabrics, that of the thinnest.
static double thickness_of(const WeftClothDef* cloth) {
    double least = cloth->fabric.thickness;
    for (int f = 0; f < cloth->fabric_count; f++)
        if (cloth->fabrics[f].thickness < least) least = cloth->fabrics[f].thickness;
    return least;
}

Thinning find_thinning(const Session* session, int cloth) {
    const double* layer = weft_layer_thickness(session->model);
    double thickness = thickness_of(&session->scene->model.cloths[cloth]);
    int end = weft_first_vertex(session->model, cloth + 1);
    Thinning thinning = {0, thickness};
    if (session->scene->model.contact != WEFT_CONTACT_ALL || !layer) return thinning;
    for (int i = weft_first_vertex(session->model, cloth); i < end; i++) {
        thinning.vertices += layer[i] < thickness;
        // not fmin, which gcc 12 fails on for ARM, in a loop such as this
        if (layer[i] < thinning.least) thinning.least = layer[i];
    }
    return thinning;
}

void print_thinning(const Session* session, const char* indent) {
    const WeftModelDef* def = &session->scene->model;
    for (int c = 0; c < def->cloth_count; c++) {
        Thinning thinning = find_thinning(session, c);
        if (thinning.vertices > 0)
            printf(
                "%scloth %d: of its thickness, %.3g mm, cloth keeps only %.3g mm or more from "
                "cloth at %d vertices, whose triangles are too small for it\n",
                indent, c, 1000 * thickness_of(&def->cloths[c]), 1000 * thinning.least,
                thinning.vertices);
    }
}

// ---------------------------------------------------------------------------------------------
// What was done, in words

const char* choice_name(const char* group, int index) {
    const char* names[CHOICE_LIMIT];
    int count = choices(group, names);
    return index >= 0 && index < count ? names[index] : "";
}

enum { TEXT_SIZE = 256 };

static void append(char text[TEXT_SIZE], const char* format, ...) PRINTF_LIKE(2, 3);
static void append(char text[TEXT_SIZE], const char* format, ...) {
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, TEXT_SIZE - used, format, arguments);
    va_end(arguments);
}

static const char* plural(int count) { return count == 1 ? "" : "s"; }

// The preset that has all these settings, or "".
static const char* preset_of(const WeftStepDef* step) {
    for (int i = 0; *choice_name("preset", i); i++) {
        WeftStepDef by = *step;
        weft_use_preset(&by, (WeftPreset)i);
        bool same = by.method == step->method && by.order == step->order &&
                    by.substeps == step->substeps && by.scheme == step->scheme &&
                    by.sweep == step->sweep && by.jacobian == step->jacobian &&
                    by.start == step->start && by.stretch_tolerance == step->stretch_tolerance &&
                    by.newton_steps == step->newton_steps &&
                    by.newton_tolerance == step->newton_tolerance &&
                    memcmp(by.iterations, step->iterations, sizeof by.iterations) == 0;
        if (same) return choice_name("preset", i);
    }
    return "";
}

static void append_iterations(char text[TEXT_SIZE], const int iterations[WEFT_MAX_NEWTON]) {
    for (int i = 0; i < WEFT_MAX_NEWTON && iterations[i] > 0; i++)
        append(text, "%s%d", i == 0 ? " " : "+", iterations[i]);
}

// "order 1, 1 substep, repeat 1"
static void append_schedule(char text[TEXT_SIZE], const WeftStepReport* report) {
    append(text, "order %d, %d substep%s, %s", report->order, report->substeps,
           plural(report->substeps), choice_name("scheme", (int)report->scheme));
    append_iterations(text, report->iterations);
}

// Sweeps are not told where the clock counts them.
static void append_relaxation(char text[TEXT_SIZE], const WeftStepDef* step,
                              const WeftStepReport* report) {
    bool clocked = step->budget_ms > 0 || step->limits[0] > 0;
    append(text, ", %s, %s", choice_name("sweep", (int)step->sweep),
           choice_name("jacobian", (int)step->jacobian));
    if (!report || clocked) return;
    append(text, ",");
    append_iterations(text, report->iterations);
    append(text, " sweep%s", plural(report->iterations[1] ? 2 : report->iterations[0]));
}

static void append_implicit(char text[TEXT_SIZE], const WeftStepDef* step,
                            const WeftStepReport* report) {
    append(text, ", %s", choice_name("scheme", (int)(report ? report->scheme : step->scheme)));
    if (step->jacobian != WEFT_JACOBIAN_CLAMPED)
        append(text, ", %s", choice_name("jacobian", (int)step->jacobian));
}

// What the others have beside their own.
static void append_rest(char text[TEXT_SIZE], const WeftStepDef* step,
                        const WeftStepReport* report) {
    if (report && report->substeps > 1) append(text, ", %d substeps", report->substeps);
    if (step->budget_ms > 0) append(text, ", budget %g ms", step->budget_ms);
}

// The lowest levels are the third where there is contact.
static void append_quality(char text[TEXT_SIZE], int quality, const WeftStepReport* report) {
    bool raised = quality < 3 && report && report->scheme != WEFT_SCHEME_REPEAT;
    append(text, ", quality %d%s: %s", quality, raised ? ", with contact as 3" : "",
           weft_quality_text(raised ? 3 : quality));
}

static void append_prefactored(char text[TEXT_SIZE], const WeftStepDef* step,
                               const WeftStepReport* report) {
    bool by_hand = step->order || step->substeps || step->scheme || step->iterations[0];
    if (step->budget_ms > 0) append(text, ", budget %g ms", step->budget_ms);
    if (step->budget_ms <= 0 && !by_hand) {
        append_quality(text, step->quality, report);
    } else if (report) {
        append(text, ": ");
        append_schedule(text, report);
    }
}

const char* method_text(const Session* session, const WeftStepReport* report) {
    static char text[TEXT_SIZE];
    const WeftStepDef* step = &session->scene->model.step;
    const char* preset = preset_of(step);
    text[0] = 0;
    append(text, "%s%s%s", preset, *preset ? ": " : "", choice_name("method", (int)step->method));
    if (step->method == WEFT_METHOD_PREFACTORED) {
        append_prefactored(text, step, report);
        return text;
    }
    if (step->method == WEFT_METHOD_RELAXATION) append_relaxation(text, step, report);
    if (step->method == WEFT_METHOD_IMPLICIT || step->method == WEFT_METHOD_MATRIX_FREE)
        append_implicit(text, step, report);
    append_rest(text, step, report);
    return text;
}

int choose_cloth(const WeftScene* scene, const char* path, const char* text, int* cloth) {
    int count = scene->model.cloth_count;
    char* end;
    *cloth = 0;
    if (!text && count == 1) return GO_ON;
    if (!text)
        return complain(EXIT_USAGE, "%s has %d cloths: say which by --cloth 0 to --cloth %d", path,
                        count, count - 1);
    for (int w = 0; w < scene->wear_count; w++) {
        if (strcmp(scene->wears[w].pattern.name, text) != 0) continue;
        *cloth = scene->wears[w].cloth;
        return GO_ON;
    }
    long number = strtol(text, &end, 10);
    if (end == text || *end || number < 0 || number >= count)
        return complain(EXIT_USAGE,
                        "%s has no cloth \"%s\": there are 0 to %d, or garments by name", path,
                        text, count - 1);
    *cloth = (int)number;
    return GO_ON;
}

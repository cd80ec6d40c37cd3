// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#define _POSIX_C_SOURCE 200809L

#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double now(void* unused) {
    (void)unused;
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

StepOptions default_step_options(void) {
    return (StepOptions){.method = -1,
                         .quality = -1,
                         .order = -1,
                         .substeps = -1,
                         .scheme = -1,
                         .dt = -1,
                         .stretch_tolerance = -1};
}

void list_step_options(StepOptions* options, Option rows[STEP_OPTION_COUNT]) {
    const Option list[STEP_OPTION_COUNT] = {
        {"method", OPTION_CHOICE, "method", "how steps are taken", &options->method, 0, 0},
        {"quality", OPTION_COUNT, "Q", "how much to spend, 1 to 8, whatever the scene says",
         &options->quality, 1, WEFT_MAX_QUALITY},
        {"order", OPTION_COUNT, "N", "1: implicit Euler, 2: BDF2", &options->order, 1, 2},
        {"substeps", OPTION_COUNT, "N", "parts that a step is cut into", &options->substeps, 1,
         1000},
        {"scheme", OPTION_CHOICE, "scheme", "how solves are spent", &options->scheme, 0, 0},
        {"iterations", OPTION_TEXT, "N,N", "iterations of each Newton step", &options->iterations,
         0, 0},
        {"dt", OPTION_NUMBER, "S", "length of a step in seconds", &options->dt, 1e-6, 1},
        {"stretch-tolerance", OPTION_NUMBER, "X", "stretch that may remain visible; 0: none",
         &options->stretch_tolerance, 0, 1},
        {"same-bits", OPTION_FLAG, NULL, "the same bits on every machine; a little slower",
         &options->same_bits, 0, 0},
        {"threads", OPTION_COUNT, "N", "how many at most; the result is the same",
         &options->threads, 1, 1024},
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
    if (options->quality >= 0) {
        // a quality asked for here is all of it, whatever the scene sets by hand
        step->order = step->substeps = 0;
        step->scheme = WEFT_SCHEME_AUTO;
        memset(step->iterations, 0, sizeof step->iterations);
        step->quality = options->quality;
    }
    if (options->method >= 0) step->method = (WeftMethod)options->method;
    if (options->order >= 0) step->order = options->order;
    if (options->substeps >= 0) step->substeps = options->substeps;
    if (options->scheme >= 0) step->scheme = (WeftScheme)options->scheme;
    if (options->dt >= 0) step->dt = options->dt;
    if (options->stretch_tolerance >= 0) step->stretch_tolerance = options->stretch_tolerance;
    return options->iterations ? read_iterations(options->iterations, step->iterations) : GO_ON;
}

// Messages about the scene's text begin with its place; others get the file's name before them.
static int fail_scene(const char* path, const WeftError* error) {
    bool placed = strncmp(error->message, path, strlen(path)) == 0;
    fprintf(stderr, "%s%s%s\n", placed ? "" : path, placed ? "" : ": ", error->message);
    return error->result == WEFT_ERROR_MEMORY ? EXIT_FAILED : EXIT_USAGE;
}

int open_session(Session* session, const char* path, const StepOptions* options) {
    WeftError error;
    *session = (Session){0};
    if (weft_load_scene(path, NULL, &session->scene, &error)) return fail_scene(path, &error);
    WeftModelDef* def = &session->scene->model;
    int code = apply_step_options(options, &def->step);
    if (code != GO_ON) return code;
    def->clock.now = now;
    def->jobs.thread_count = options->threads;
    if (options->same_bits) def->same_bits = true;
    if (weft_create_model(def, &session->model, &error)) return fail_scene(path, &error);
    if (weft_create_state(session->model, &session->state, &error)) return fail_scene(path, &error);
    return GO_ON;
}

void close_session(Session* session) {
    weft_destroy_state(session->state);
    weft_destroy_model(session->model);
    weft_destroy_scene(session->scene);
}

// What the last step did: "order 1, 1 substep, repeat 1".
static void print_schedule(const WeftStepReport* report, char* text, size_t size) {
    const char* names[CHOICE_LIMIT];
    int count = choices("scheme", names);
    int used = snprintf(text, size, "order %d, %d substep%s", report->order, report->substeps,
                        report->substeps == 1 ? "" : "s");
    if ((int)report->scheme < count)
        used += snprintf(text + used, size - (size_t)used, ", %s", names[report->scheme]);
    for (int i = 0; i < WEFT_MAX_NEWTON && report->iterations[i] > 0; i++)
        used += snprintf(text + used, size - (size_t)used, "%s%d", i == 0 ? " " : "+",
                         report->iterations[i]);
}

const char* method_text(const Session* session) {
    static char text[256], schedule[128];
    const char* names[CHOICE_LIMIT];
    const WeftStepDef* step = &session->scene->model.step;
    int count = choices("method", names);
    const char* name = (int)step->method < count ? names[step->method] : "";
    bool by_hand = step->order || step->substeps || step->scheme || step->iterations[0];
    snprintf(text, sizeof text, "%s", name);
    if (step->method != WEFT_METHOD_PREFACTORED) return text;
    print_schedule(weft_report(session->state), schedule, sizeof schedule);
    if (by_hand)
        snprintf(text, sizeof text, "%s: %s", name, schedule);
    else
        snprintf(text, sizeof text, "%s, quality %d: %s", name, step->quality,
                 weft_quality_text(step->quality));
    return text;
}

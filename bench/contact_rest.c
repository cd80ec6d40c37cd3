// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A sheet of the default fabric, 1 m x 1 m, falls on a sphere or on a plane: does it come to rest,
// and what does it cost?

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact.h"
#include "contact_stage.h"

enum { TEXT_SIZE = 1024, RATE = 60, REST_CELLS = 40, REST_SECONDS = 5, QUICK_REST_SECONDS = 2 };

// The body and where the sheet begins are filled in; cells both ways, quality.
static const char SHEET[] =
    "{\"weft\":1,\"duration\":6,\"contact\":\"all\",\"bodies\":[%s],\"cloths\":[{\"mesh\":{"
    "\"kind\":\"grid\",\"columns\":%d,\"rows\":%d},\"place\":{%s}}],\"step\":{\"quality\":%d}}";

typedef struct Ground {
    const char *name, *body, *place;
} Ground;

static const Ground grounds[] = {
    {"sphere", "{\"kind\":\"sphere\",\"radius\":0.25,\"place\":{\"move\":[0,0.6,0]}}",
     "\"move\":[-0.5,0.87,0.5]"},
    {"plane", "{\"kind\":\"plane\"}",
     "\"turn\":{\"axis\":[1,0,1],\"degrees\":4},\"move\":[-0.5,0.08,0.5]"},
};
enum { GROUND_COUNT = sizeof grounds / sizeof *grounds };

static int open_sheet(const Ground* ground, int cells, int quality, ContactStage* stage) {
    char text[TEXT_SIZE];
    snprintf(text, sizeof text, SHEET, ground->body, cells, cells, ground->place, quality);
    return open_contact_stage(ground->name, text, -1, stage);
}

static int fail_step(const ContactStage* stage) {
    return complain(EXIT_FAILED, "%s", weft_state_error(stage->state)->message);
}

// ---------------------------------------------------------------------------------------------
// Rest

typedef struct Rest {
    int slept;            // step at which it fell asleep, from 1; 0: never
    double before_sleep;  // m/s, rms speed one step before
    double rms, moved;    // m/s and m, over the second after the time to come to rest
    double energy_rise;   // J, the most it was above the start of that second
    int crossings;        // of all frames
} Rest;

static int measure_energy(const ContactStage* stage, double* energy) {
    WeftMeasure measure;
    if (weft_measure(stage->state, stage->step.gravity, &measure))
        return complain(EXIT_FAILED, "out of memory");
    *energy = measure.total;
    return EXIT_GOOD;
}

static double farthest(const double* from, const double* to, int vertex_count) {
    double most = 0;
    for (int i = 0; i < vertex_count; i++) {
        const double *a = from + 3 * (size_t)i, *b = to + 3 * (size_t)i;
        double x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
        most = fmax(most, sqrt(x * x + y * y + z * z));
    }
    return most;
}

static int settle(ContactStage* stage, int step_count, Rest* rest) {
    double speed = 0;
    int code = EXIT_GOOD;
    Passed passed;
    for (int i = 0; i < step_count && !code; i++) {
        if (take_contact_step(stage)) return fail_step(stage);
        bool asleep = weft_report(stage->state)->asleep;
        if (asleep && rest->slept == 0) rest->slept = i + 1, rest->before_sleep = speed;
        if (!asleep) rest->slept = 0;
        speed = rms_speed(stage);
        code = judge_contact(stage, &passed);
        if (!code) rest->crossings += passed.crossings;
    }
    return code;
}

// The second after.
static int watch(ContactStage* stage, Rest* rest) {
    int count = weft_vertex_count(stage->model), code;
    double first = 0, now = 0, squares = 0;
    double* start = need(3 * (size_t)count, sizeof *start);
    memcpy(start, weft_positions(stage->state), 3 * (size_t)count * sizeof *start);
    code = measure_energy(stage, &first);
    for (int i = 0; i < RATE && !code; i++) {
        code = take_contact_step(stage) ? fail_step(stage) : measure_energy(stage, &now);
        if (code) break;
        squares += rms_speed(stage) * rms_speed(stage);
        rest->moved = fmax(rest->moved, farthest(start, weft_positions(stage->state), count));
        rest->energy_rise = fmax(rest->energy_rise, now - first);
    }
    rest->rms = sqrt(squares / RATE);
    free(start);
    return code;
}

static void add_rest(const Ground* ground, int quality, const Rest* rest, Report* report) {
    start_row(report);
    add_text(report, "ground", ground->name);
    add_number(report, "quality", quality);
    add_number(report, "rms_mm_s", 1000 * rest->rms);
    add_number(report, "moved_mm", 1000 * rest->moved);
    add_number(report, "energy_rise_mj", 1000 * rest->energy_rise);
    add_number(report, "asleep_at_s", rest->slept > 0 ? (double)rest->slept / RATE : (double)NAN);
    add_number(report, "rms_before_mm_s",
               rest->slept > 0 ? 1000 * rest->before_sleep : (double)NAN);
    add_number(report, "crossings", rest->crossings);
}

static int run_rest(const Ground* ground, int quality, int seconds, Rest* worst, Report* report) {
    ContactStage stage;
    Rest rest = {0};
    show_progress("rest on the %s, quality %d", ground->name, quality);
    int code = open_sheet(ground, REST_CELLS, quality, &stage);
    if (!code) code = settle(&stage, RATE * seconds, &rest);
    if (!code) code = watch(&stage, &rest);
    close_contact_stage(&stage);
    if (code) return code;
    add_rest(ground, quality, &rest, report);
    worst->rms = fmax(worst->rms, rest.rms);
    worst->moved = fmax(worst->moved, rest.moved);
    worst->energy_rise = fmax(worst->energy_rise, rest.energy_rise);
    return EXIT_GOOD;
}

int run_contact_rest(const BenchOptions* options, Report* report) {
    int first = weft_default_step_def().quality, last = options->quick ? first : WEFT_MAX_QUALITY;
    int seconds = options->quick ? QUICK_REST_SECONDS : REST_SECONDS, code = EXIT_GOOD;
    Rest worst = {0};
    start_table(report, "rest");
    for (int g = 0; g < GROUND_COUNT; g++)
        for (int quality = first; quality <= last && !code; quality++)
            code = run_rest(&grounds[g], quality, seconds, &worst, report);
    if (code) return code;
    add_ratio(report, "rest_rms_mm_s", 1000 * worst.rms);
    add_ratio(report, "rest_moved_mm", 1000 * worst.moved);
    add_ratio(report, "rest_energy_rise_mj", 1000 * worst.energy_rise);
    add_note(report,
             "rest: the default fabric, 1681 vertices; over the second after 5 s (quick: 2 s) rms "
             "speed, how far the farthest vertex went, how far the energy rose.");
    return EXIT_GOOD;
}

// ---------------------------------------------------------------------------------------------
// Drape

// What ARCSim takes for a sphere drape of as many vertices, ms per step: measured by this project,
// on the machine that docs/bench.md names.
static const struct {
    int side;  // vertices
    double arcsim_ms;
} drapes[] = {{65, 272}, {80, 447}};
enum { DRAPE_COUNT = 2, DRAPE_STEPS = 120, QUICK_DRAPE_STEPS = 30, DRAPE_PASSES = 3 };

typedef struct Drape {
    int step_count;
    WeftTimes* steps;  // of each, the fastest pass
    int contacts, crossings;
} Drape;

static int take_drape(ContactStage* stage, int pass, Drape* drape) {
    int code = reset_contact_stage(stage);
    Passed passed;
    for (int i = 0; i < drape->step_count && !code; i++) {
        if (take_contact_step(stage)) return fail_step(stage);
        const WeftStepReport* done = weft_report(stage->state);
        if (pass == 0 || done->times.total < drape->steps[i].total) drape->steps[i] = done->times;
        if (pass > 0) continue;
        drape->contacts += done->body_contacts + done->self_contacts;
        code = judge_contact(stage, &passed);
        if (!code) drape->crossings += passed.crossings;
    }
    return code;
}

static double add_drape(const Drape* drape, int which, Report* report) {
    WeftTimes sum = {0};
    double ms = 1000.0 / drape->step_count, slowest = 0;
    for (int i = 0; i < drape->step_count; i++) {
        const WeftTimes* step = &drape->steps[i];
        sum.body += step->body, sum.self += step->self, sum.respond += step->respond;
        sum.solve += step->solve, sum.defend += step->defend, sum.total += step->total;
        slowest = fmax(slowest, step->total);
    }
    double known = sum.body + sum.self + sum.respond + sum.solve + sum.defend;
    start_row(report);
    add_number(report, "vertices", drapes[which].side * drapes[which].side);
    add_number(report, "body_ms", ms * sum.body);
    add_number(report, "self_ms", ms * sum.self);
    add_number(report, "respond_ms", ms * sum.respond);
    add_number(report, "solve_ms", ms * sum.solve);
    add_number(report, "defend_ms", ms * sum.defend);
    add_number(report, "other_ms", ms * (sum.total - known));
    add_number(report, "ms", ms * sum.total);
    add_number(report, "slowest_ms", 1000 * slowest);
    add_number(report, "contacts", (double)drape->contacts / drape->step_count);
    add_number(report, "crossings", drape->crossings);
    add_number(report, "arcsim_ms", drapes[which].arcsim_ms);
    add_number(report, "arcsim_over_weft", drapes[which].arcsim_ms / (ms * sum.total));
    return drapes[which].arcsim_ms / (ms * sum.total);
}

int add_contact_drape(const BenchOptions* options, int which, double* ratio, Report* report) {
    ContactStage stage;
    Drape drape = {.step_count = options->quick ? QUICK_DRAPE_STEPS : DRAPE_STEPS};
    int passes = options->quick ? 1 : DRAPE_PASSES;
    drape.steps = need((size_t)drape.step_count, sizeof *drape.steps);
    int code =
        open_sheet(&grounds[0], drapes[which].side - 1, weft_default_step_def().quality, &stage);
    for (int pass = 0; pass < passes && !code; pass++) {
        show_progress("drape, %d x %d vertices, pass %d of %d", drapes[which].side,
                      drapes[which].side, pass + 1, passes);
        code = take_drape(&stage, pass, &drape);
    }
    if (!code) *ratio = add_drape(&drape, which, report);
    close_contact_stage(&stage);
    free(drape.steps);
    return code;
}

int run_contact_drape(const BenchOptions* options, Report* report) {
    double ratios[DRAPE_COUNT];
    int code = EXIT_GOOD;
    start_table(report, "drape");
    for (int i = 0; i < DRAPE_COUNT && !code; i++)
        code = add_contact_drape(options, i, &ratios[i], report);
    if (code) return code;
    add_ratio(report, "arcsim_over_weft", fmin(ratios[0], ratios[1]));
    add_note(report,
             "drape: 2 s of steps of 1/60 s (quick: 0.5 s), one thread, default quality, self-"
             "contact; ARCSim 0.2.1 as measured on the machine of docs/bench.md.");
    return EXIT_GOOD;
}

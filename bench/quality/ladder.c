// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The levels of quality in six motions, three without and three with contact: error, stretch and
// milliseconds of each, by which levels are chosen. Each should cost more than the one before, and
// be better in all six.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact_motion.h"
#include "quality.h"
#include "three.h"

enum { CELLS = 64, QUICK_CELLS = 8, ROUNDS = 2, SIX = 6, METHODS = 2, MOST_SETTINGS = 64 };
static const double ENOUGH = 4;  // s: what took longer has one round
static const double LOST = 3;    // m from the truth

// The cape turns from frame 120 to 138; the sheets of the heap lie after 50.
static const struct {
    const char* name;
    MotionKind kind;    // without a scene
    const char* scene;  // with contact
    int frames;
    bool quick;
} motions[SIX] = {
    {"swing", MOTION_SWING, NULL, THREE_FRAMES, true},
    {"collapse", MOTION_COLLAPSE, NULL, THREE_FRAMES, true},
    {"drape", MOTION_DRAPE, NULL, THREE_FRAMES, true},
    {"dress", MOTION_COUNT, "dress", 60, false},
    {"cape", MOTION_COUNT, "cape", 150, true},
    {"heap", MOTION_COUNT, "heap", 60, true},
};

static const struct {
    const char* name;
    WeftMethod method;
    const char *closer, *firmer, *dearer, *crossings;  // ratios
} methods[METHODS] = {
    {"prefactored", WEFT_METHOD_PREFACTORED, "prefactored_closer", "prefactored_firmer",
     "prefactored_dearer", "prefactored_crossings"},
    {"small steps", WEFT_METHOD_SMALL_STEPS, "small_steps_closer", "small_steps_firmer",
     "small_steps_dearer", "small_steps_crossings"},
};

// How a setting did in a motion.
typedef struct Outcome {
    bool known;
    double error, own, ms, p99, most;  // m, m, ms, length over rest length
    long crossings;                    // -1: not counted
    char failure[200];                 // empty: none
} Outcome;

typedef struct Rung {
    char name[48];
    int method;  // of methods
    WeftStepDef step;
    Outcome outcomes[SIX];
} Rung;

typedef struct Ladder {
    const BenchOptions* options;
    Report* report;
    Rung settings[MOST_SETTINGS];
    int count;
    double floors[SIX];  // m; NAN: not asked
} Ladder;

// ---------------------------------------------------------------------------------------------
// Settings

static Rung* add_setting(Ladder* ladder, int method) {
    Rung* setting = &ladder->settings[ladder->count++];
    *setting = (Rung){.method = method, .step = weft_default_step_def()};
    setting->step.method = methods[method].method;
    return setting;
}

static void list_levels(Ladder* ladder) {
    int by = ladder->options->quick ? 3 : 1;
    for (int m = 0; m < METHODS; m++)
        for (int quality = 1; quality <= WEFT_MAX_QUALITY; quality += by) {
            Rung* setting = add_setting(ladder, m);
            setting->step.quality = quality;
            snprintf(setting->name, sizeof setting->name, "quality %d", quality);
        }
}

// What levels of small steps are chosen from.
static void list_pairs(Ladder* ladder) {
    static const int substeps[] = {6, 8, 12, 16, 20, 28, 40, 60};
    int count = ladder->options->quick ? 2 : sizeof substeps / sizeof *substeps;
    for (int sweeps = 1; sweeps <= 3; sweeps++)
        for (int i = 0; i < count; i++) {
            Rung* setting = add_setting(ladder, METHODS - 1);
            setting->step.substeps = substeps[i];
            setting->step.iterations[0] = sweeps;
            snprintf(setting->name, sizeof setting->name, "%d x %d", substeps[i], sweeps);
        }
}

// ---------------------------------------------------------------------------------------------
// Without contact, but for the drape

static int run_free(const Ladder* ladder, const MotionScene* scene, const Truth* truth,
                    const WeftStepDef* step, Outcome* outcome) {
    MotionRun run = {.may_fail = true};
    int code = EXIT_GOOD, rounds = ladder->options->quick ? 1 : ROUNDS;
    double start = thread_time(NULL);
    for (int i = 0; i < rounds && !code && (i == 0 || thread_time(NULL) - start < ENOUGH); i++)
        if (!run.unstable_frame) code = run_motion(scene, step, &run);
    double error = distance_from(truth, &run.lattice);
    *outcome = (Outcome){true, error, (double)NAN, run_ms(&run), run.p99, run.stretch, -1, ""};
    // (not a number is not below it, either)
    if (run.unstable_frame)
        snprintf(outcome->failure, sizeof outcome->failure, "step %d failed", run.unstable_frame);
    else if (!(error < LOST))
        snprintf(outcome->failure, sizeof outcome->failure, "flew away");
    destroy_run(&run);
    return code;
}

static int run_free_motion(Ladder* ladder, int motion) {
    MotionScene scene = {0};
    Truth truth = {0};
    MotionDef def =
        default_motion(motions[motion].kind, ladder->options->quick ? QUICK_CELLS : CELLS);
    int code = find_truth(ladder->options, &def, &truth);
    if (!code) code = make_motion(&def, &scene);
    ladder->floors[motion] = truth.floor;
    for (int i = 0; i < ladder->count && !code; i++) {
        Rung* setting = &ladder->settings[i];
        show_progress("%s: %s, %s", motions[motion].name, methods[setting->method].name,
                      setting->name);
        code = run_free(ladder, &scene, &truth, &setting->step, &setting->outcomes[motion]);
    }
    destroy_motion(&scene);
    destroy_truth(&truth);
    return code;
}

// ---------------------------------------------------------------------------------------------
// With contact

static int run_touching(const Ladder* ladder, const char* what, const WeftStepDef* step,
                        ContactMotion* motion, Outcome* outcome) {
    ContactRun run;
    int code = run_contact_motion(ladder->options, what, step, motion, &run);
    const Course* course = &run.course;
    const Judgement* judgement = &course->judgement;
    double ms = mean_ms(course, 0, course->done);
    *outcome = (Outcome){
        true, run.error, run.own, ms, judgement->p99, judgement->most, judgement->crossings, ""};
    snprintf(outcome->failure, sizeof outcome->failure, "%s", course->failure);
    destroy_course(&run.course);
    return code;
}

static int run_contact_motions(Ladder* ladder, int index) {
    ContactMotion motion;
    char what[120];
    int code =
        open_contact_motion(ladder->options, motions[index].scene, motions[index].frames, &motion);
    ladder->floors[index] = motion.floor;
    for (int i = 0; i < ladder->count && !code; i++) {
        Rung* setting = &ladder->settings[i];
        snprintf(what, sizeof what, "%s: %s, %s", motions[index].name,
                 methods[setting->method].name, setting->name);
        code = run_touching(ladder, what, &setting->step, &motion, &setting->outcomes[index]);
    }
    close_contact_motion(&motion);
    return code;
}

// ---------------------------------------------------------------------------------------------
// Rows

static void start_setting_row(Report* report, const char* motion, const Rung* setting) {
    start_row(report);
    add_text(report, "part", "ladder");
    add_text(report, "motion", motion);
    add_text(report, "method", methods[setting->method].name);
    add_text(report, "setting", setting->name);
}

static void add_outcome_row(Report* report, int motion, const Rung* setting) {
    const Outcome* outcome = &setting->outcomes[motion];
    start_setting_row(report, motions[motion].name, setting);
    if (*outcome->failure) add_text(report, "failure", outcome->failure);
    add_number(report, "error_mm", 1000 * outcome->error);
    if (isfinite(outcome->own)) add_number(report, "own_mm", 1000 * outcome->own);
    add_number(report, "stretch_p99", outcome->p99);
    add_number(report, "most_stretch", outcome->most);
    add_number(report, "mean_ms", outcome->ms);
    if (outcome->crossings >= 0) add_number(report, "crossings", (double)outcome->crossings);
    tell_row(report, stderr);
}

static void add_motion_rows(const Ladder* ladder, int motion) {
    end_progress();
    start_table(ladder->report, motions[motion].name);
    for (int i = 0; i < ladder->count; i++)
        add_outcome_row(ladder->report, motion, &ladder->settings[i]);
}

// The worst of all motions, and the mean time of those with a scene and of those without.
static void add_worst_row(Report* report, const Rung* setting) {
    double error = 0, p99 = 0, most = 0, crossings = 0, ms[2] = {0, 0};
    int counts[2] = {0, 0}, failures = 0;
    for (int k = 0; k < SIX; k++) {
        const Outcome* outcome = &setting->outcomes[k];
        if (!outcome->known) continue;
        bool touches = motions[k].scene != NULL;
        error = fmax(error, outcome->error), p99 = fmax(p99, outcome->p99);
        most = fmax(most, outcome->most), crossings += fmax(0, (double)outcome->crossings);
        ms[touches] += outcome->ms, counts[touches]++;
        failures += *outcome->failure != 0;
    }
    start_setting_row(report, "worst", setting);
    if (failures) add_number(report, "failures", failures);
    add_number(report, "error_mm", 1000 * error);
    add_number(report, "stretch_p99", p99);
    add_number(report, "most_stretch", most);
    if (counts[0]) add_number(report, "free_ms", ms[0] / counts[0]);
    if (counts[1]) add_number(report, "contact_ms", ms[1] / counts[1]);
    add_number(report, "crossings", crossings);
}

// ---------------------------------------------------------------------------------------------
// Ratios

// Of the steps from a level to the next in all motions, the share in which it is closer, firmer and
// dearer.
static void compare_levels(const Ladder* ladder, int method) {
    double closer = 0, firmer = 0, dearer = 0, crossings = 0;
    int count = 0;
    for (int i = 0; i < ladder->count; i++) {
        const Rung *next = &ladder->settings[i], *last = next - 1;
        if (next->method != method) continue;
        for (int k = 0; k < SIX; k++) {
            const Outcome* outcome = &next->outcomes[k];
            if (!outcome->known) continue;
            crossings += fmax(0, (double)outcome->crossings);
            if (i == 0 || last->method != method) continue;
            closer += outcome->error <= last->outcomes[k].error;
            firmer += outcome->p99 <= last->outcomes[k].p99;
            dearer += outcome->ms > last->outcomes[k].ms;
            count++;
        }
    }
    if (count == 0) return;
    add_ratio(ladder->report, methods[method].closer, closer / count);
    add_ratio(ladder->report, methods[method].firmer, firmer / count);
    add_ratio(ladder->report, methods[method].dearer, dearer / count);
    add_ratio(ladder->report, methods[method].crossings, crossings);
}

static void add_floors(const Ladder* ladder) {
    static const char* const names[SIX] = {"floor_swing_mm", "floor_collapse_mm", "floor_drape_mm",
                                           "floor_dress_mm", "floor_cape_mm",     "floor_heap_mm"};
    for (int k = 0; k < SIX; k++)
        if (isfinite(ladder->floors[k]))
            add_ratio(ladder->report, names[k], 1000 * ladder->floors[k]);
}

static void add_notes(Report* report) {
    add_note(report,
             "ladder: error_mm, rms distance from the motion itself: without contact over a "
             "lattice, with contact over means of patches of 0.2 m; own_mm, from 64 small steps. "
             "floor: how well it is known, the truth with half as many substeps.");
    add_note(report,
             "stretch_p99: 99 % of the edges in the worst frame. mean_ms: processor time of a step "
             "of 1/60 s on one thread. crossings: pairs of triangles in all frames.");
    add_note(report,
             "closer, firmer, dearer: the share of the steps from a level to the next, in all "
             "motions, in which the error is no larger, stretch_p99 no larger, the time larger.");
}

// ---------------------------------------------------------------------------------------------

static bool is_asked(const BenchOptions* options, int motion) {
    if (options->only) return strcmp(options->only, motions[motion].name) == 0;
    return !options->quick || motions[motion].quick;
}

static int run_motions(Ladder* ladder) {
    int code = EXIT_GOOD, count = 0;
    for (int k = 0; k < SIX && !code; k++) {
        if (!is_asked(ladder->options, k)) continue;
        code = motions[k].scene ? run_contact_motions(ladder, k) : run_free_motion(ladder, k);
        if (!code) add_motion_rows(ladder, k);
        count++;
    }
    if (count == 0)
        return complain(EXIT_USAGE,
                        "quality has no motion \"%s\"; swing, collapse, drape, dress, cape and "
                        "heap it has",
                        ladder->options->only);
    return code;
}

int run_quality_ladder(const BenchOptions* options, bool pairs, Report* report) {
    Ladder* ladder = need(1, sizeof *ladder);
    ladder->options = options, ladder->report = report;
    for (int k = 0; k < SIX; k++) ladder->floors[k] = (double)NAN;
    if (pairs)
        list_pairs(ladder);
    else
        list_levels(ladder);
    int code = run_motions(ladder);
    if (!code) {
        start_table(report, "worst of all motions");
        for (int i = 0; i < ladder->count; i++) add_worst_row(report, &ladder->settings[i]);
        for (int m = 0; m < METHODS && !pairs; m++) compare_levels(ladder, m);
        add_floors(ladder);
        add_notes(report);
    }
    free(ladder);
    return code;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// scalable: the comparison of "A Scalable Semi-Implicit Method for Realtime Cloth Simulation" (Kim
// 2006) on its own cloth (sheet.h), with its own settings, and with methods of ours beside. The
// paper asks how much a few sweeps of Gauss-Seidel save over a solve; the part `explicit`
// (scalable_explicit.c) asks what they save over not solving at all.
//
// All methods fall in turn, several times over; each step counts with its least time. The motion
// itself is symplectic Euler with steps so short that halving them changes nothing that counts.

#include "scalable.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "weft/weft_study.h"

enum { SAMPLES = 60, QUICK_SAMPLES = 6, MAX_FALLS = 48 };
enum { LEAST_ROUNDS = 2, MOST_ROUNDS = 4 };
static const double ENOUGH = 2;  // s of rounds for one method
// 64 and 256 substeps per frame end 0.001 units apart at k1 = 50, 0.003 at 1000, of a drop of 20.
enum { FINE_SUBSTEPS = 64 };

typedef struct Part {
    const char *name, *title;
    double stiffness;
} Part;

static const Part parts[] = {{"fall", "fall, k1 = 50", 50}, {"drape", "drape, k1 = 1000", 1000}};
enum { PART_COUNT = sizeof parts / sizeof *parts };

typedef struct Scene {
    const BenchOptions* options;
    Report* report;
    const Part* part;
    Sheet sheet;
    Trajectory implicit;
    Trajectory fine[2];  // of springs that push and of those that do not
    double floor;        // how well the latter is known
    Fall falls[MAX_FALLS];
    int fall_count;
} Scene;

// ---------------------------------------------------------------------------------------------
// Methods

Fall preset_fall(const char* name, WeftPreset preset, int sweeps) {
    Fall fall = {.stretch = WEFT_STRETCH_ONE_SIDED, .step = sheet_step()};
    fall.step.iterations[0] = sweeps;
    weft_use_preset(&fall.step, preset);
    if (sweeps > 0)
        snprintf(fall.name, sizeof fall.name, "%s %d", name, sweeps);
    else
        snprintf(fall.name, sizeof fall.name, "%s", name);
    return fall;
}

Fall symplectic_fall(int substeps) {
    Fall fall = {.stretch = WEFT_STRETCH_ONE_SIDED, .step = sheet_step()};
    fall.step.method = WEFT_METHOD_SYMPLECTIC;
    fall.step.substeps = substeps;
    snprintf(fall.name, sizeof fall.name, "symplectic, %d substeps", substeps);
    return fall;
}

Fall quality_fall(int quality) {
    Fall fall = {.stretch = WEFT_STRETCH_ONE_SIDED, .step = sheet_step()};
    fall.step.quality = quality;
    snprintf(fall.name, sizeof fall.name, "prefactored %d", quality);
    return fall;
}

static Fall* add_fall(Scene* scene, Fall fall) {
    Fall* added = &scene->falls[scene->fall_count++];
    *added = fall;
    return added;
}

static void name_fall(Fall* fall, const char* name) {
    snprintf(fall->name, sizeof fall->name, "%s", name);
}

// Kim's methods: on springs that never push.
static void add_kim(Scene* scene) {
    static const int sweeps[] = {1, 2, 4, 6, 10, 40};
    add_fall(scene, preset_fall("implicit", WEFT_PRESET_CHOI_KO, 0));
    for (int predicted = 0; predicted < 2; predicted++)
        for (size_t i = 0; i < sizeof sweeps / sizeof *sweeps; i++) {
            Fall* fall = add_fall(scene, preset_fall("GS", WEFT_PRESET_SCALABLE, sweeps[i]));
            if (!predicted) continue;
            fall->step.start = WEFT_START_PREDICTED;
            snprintf(fall->name, sizeof fall->name, "GS %d predicted", sweeps[i]);
        }
    add_fall(scene, preset_fall("GS 1, Jacobian not smoothed", WEFT_PRESET_SCALABLE, 0))
        ->step.jacobian = WEFT_JACOBIAN_ONE_SIDED;
    for (int count = 1; count <= 2; count++)
        add_fall(scene, preset_fall("Jacobi", WEFT_PRESET_SCALABLE, count))->step.sweep =
            WEFT_SWEEP_JACOBI;
}

// Those before him: on springs that push and pull, as published.
static void add_others(Scene* scene) {
    int first = scene->fall_count;
    for (int count = 1; count <= 4; count++)
        add_fall(scene, preset_fall("Kang 2,", WEFT_PRESET_KANG_2, count));
    add_fall(scene, preset_fall("Kang 1", WEFT_PRESET_KANG_1, 0));
    add_fall(scene, preset_fall("Desbrun", WEFT_PRESET_DESBRUN, 0));
    for (int i = first; i < scene->fall_count; i++) scene->falls[i].stretch = WEFT_STRETCH_SPRINGS;
}

static void add_symplectic(Scene* scene) {
    static const double lengths[] = {0.25, 0.12, 0.10};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        Fall* fall = add_fall(scene, symplectic_fall(1));
        fall->step.dt = lengths[i];
        snprintf(fall->name, sizeof fall->name, "symplectic, %.2f", lengths[i]);
    }
    name_fall(add_fall(scene, symplectic_fall(0)), "symplectic, substeps chosen");
}

static void add_ours(Scene* scene) {
    static const int qualities[] = {1, 2, 4, 6};
    for (int pushing = 0; pushing < 2; pushing++)
        for (size_t i = 0; i < sizeof qualities / sizeof *qualities; i++) {
            Fall* fall = add_fall(scene, quality_fall(qualities[i]));
            if (!pushing) continue;
            fall->stretch = WEFT_STRETCH_SPRINGS;
            snprintf(fall->name, sizeof fall->name, "prefactored %d, pushing", qualities[i]);
        }
    Fall* fall = add_fall(scene, preset_fall("matrix-free", WEFT_PRESET_CHOI_KO, 0));
    fall->step.method = WEFT_METHOD_MATRIX_FREE;
}

static const Fall* find_fall(const Scene* scene, const char* name) {
    for (int i = 0; i < scene->fall_count; i++)
        if (strcmp(scene->falls[i].name, name) == 0) return &scene->falls[i];
    return NULL;
}

// ---------------------------------------------------------------------------------------------
// Measuring

int take_falls(const Sheet* sheet, Fall* falls, int count, int least, int most) {
    for (int round = 0; round < most; round++)
        for (int i = 0; i < count; i++) {
            Fall* fall = &falls[i];
            if (fall->unstable_step || (round >= least && fall->spent > ENOUGH)) continue;
            show_progress("k1 %g: round %d, %s", sheet->stiffness, round + 1, fall->name);
            int code = take_fall(sheet, fall);
            if (code) return code;
        }
    return EXIT_GOOD;
}

static int find_references(Scene* scene) {
    const BenchOptions* options = scene->options;
    static const WeftStretch kinds[] = {WEFT_STRETCH_SPRINGS, WEFT_STRETCH_ONE_SIDED};
    int code = EXIT_GOOD;
    for (int i = 0; i < 2 && !code; i++)
        code = find_sheet_motion(&scene->sheet, kinds[i], FINE_SUBSTEPS, !options->quick,
                                 options->fresh, &scene->fine[i], &scene->floor);
    return code;
}

static void list_falls(Scene* scene) {
    add_kim(scene);
    add_others(scene);
    add_symplectic(scene);
    add_ours(scene);
    create_trajectory(&scene->implicit, scene->sheet.sample_count, scene->sheet.mesh.vertex_count);
    scene->falls[0].record = &scene->implicit;
    for (int i = 0; i < scene->fall_count; i++) {
        Fall* fall = &scene->falls[i];
        if (i > 0) fall->implicit.from = &scene->implicit;
        fall->fine.from = &scene->fine[fall->stretch == WEFT_STRETCH_ONE_SIDED];
    }
}

// A sweep's step and an explicit one from the very same states, in turn.
static int compare_one_step(Scene* scene) {
    enum { FRAMES = 160, EVERY = 4, REPEATS = 7 };
    const Sheet* sheet = &scene->sheet;
    WeftStepDef steps[2] = {preset_fall("GS", WEFT_PRESET_SCALABLE, 1).step,
                            symplectic_fall(1).step};
    double sums[2] = {0};
    WeftModel* model;
    WeftState *state, *probe = NULL;
    WeftError error;
    show_progress("one sweep against one explicit step");
    int code = create_sheet(sheet, WEFT_STRETCH_ONE_SIDED, &steps[0], &model, &state);
    if (code) return code;
    bool good = !weft_create_state(model, &probe, &error);
    for (int frame = 0; frame < FRAMES && good; frame++) {
        double least[2] = {HUGE_VAL, HUGE_VAL};
        for (int r = 0; r < REPEATS && frame % EVERY == 0; r++)
            for (int k = 0; k < 2; k++) {
                weft_copy_state(probe, state);
                double start = thread_time(NULL);
                good = good && !weft_step(probe, &steps[k]);
                least[k] = fmin(least[k], thread_time(NULL) - start);
            }
        for (int k = 0; k < 2 && frame % EVERY == 0; k++) sums[k] += least[k];
        good = good && !weft_step(state, &steps[0]);
    }
    if (good) add_ratio(scene->report, "gs1_over_explicit", sums[0] / sums[1]);
    weft_destroy_state(probe);
    weft_destroy_state(state);
    weft_destroy_model(model);
    return good ? EXIT_GOOD : complain(EXIT_FAILED, "a step fails");
}

// ---------------------------------------------------------------------------------------------
// Rows

static void add_drops(Report* report, const Sheet* sheet, const Fall* fall) {
    static const struct {
        const char* name;
        int frame;
    } drops[] = {{"drop_60", 60}, {"drop_120", 120}, {"drop_240", 240}};
    for (size_t i = 0; i < sizeof drops / sizeof *drops; i++) {
        int sample = drops[i].frame / SAMPLE_EVERY - 1;
        if (sample < sheet->sample_count) add_number(report, drops[i].name, -fall->heights[sample]);
    }
    add_number(report, "drop_end", -fall->heights[sheet->sample_count - 1]);
}

// What the paper tells about its draping test; nothing of the kind about falling.
static double paper_ms(const Scene* scene, const Fall* fall) {
    if (scene->part->stiffness != 1000 || scene->options->quick) return (double)NAN;
    return strcmp(fall->name, "implicit") == 0 ? 200
           : strcmp(fall->name, "GS 6") == 0   ? 45
                                               : (double)NAN;
}

static void add_row(Scene* scene, const Fall* fall) {
    Report* report = scene->report;
    char stable[32] = "yes";
    double paper = paper_ms(scene, fall);
    start_row(report);
    add_text(report, "part", scene->part->name);
    add_number(report, "vertices", scene->sheet.mesh.vertex_count);
    add_number(report, "k1", scene->part->stiffness);
    add_text(report, "method", fall->name);
    if (fall->unstable_step) snprintf(stable, sizeof stable, "no, step %d", fall->unstable_step);
    add_text(report, "stable", stable);
    if (fall->unstable_step) return;
    add_drops(report, &scene->sheet, fall);
    add_number(report, "dev", height_deviation(fall, &scene->implicit));
    add_number(report, "rms", fall->record ? 0 : rms_distance(&fall->implicit));
    add_number(report, "dev_fine", height_deviation(fall, fall->fine.from));
    add_number(report, "rms_fine", rms_distance(&fall->fine));
    add_number(report, "damping", (fall->lost - fall->dragged) / fall->lost);
    add_number(report, "max_stretch", fall->max_stretch);
    add_number(report, "substeps", fall->substeps);
    add_number(report, "iterations", fall->iterations);
    add_number(report, "ms", frame_ms(&scene->sheet, fall));
    if (isfinite(paper)) add_number(report, "paper_ms", paper);
}

static void add_results(Scene* scene) {
    Report* report = scene->report;
    const Fall *implicit = find_fall(scene, "implicit"), *six = find_fall(scene, "GS 6");
    double speedup = frame_ms(&scene->sheet, implicit) / frame_ms(&scene->sheet, six);
    bool drape = scene->part->stiffness == 1000;
    start_table(report, scene->part->title);
    for (int i = 0; i < scene->fall_count; i++) add_row(scene, &scene->falls[i]);
    add_ratio(report, drape ? "gs6_speedup" : "gs6_speedup_fall", speedup);
    add_ratio(report, drape ? "drape_floor" : "fall_floor", scene->floor);
}

static int run_part(const BenchOptions* options, const Part* part, Report* report) {
    Scene* scene = need(1, sizeof *scene);
    scene->options = options;
    scene->report = report;
    scene->part = part;
    int code = make_sheet(options->quick ? QUICK_SHEET_SIDE : SHEET_SIDE, part->stiffness,
                          options->quick ? QUICK_SAMPLES : SAMPLES, &scene->sheet);
    if (!code) code = find_references(scene);
    if (!code) {
        list_falls(scene);
        code = take_falls(&scene->sheet, scene->falls, scene->fall_count,
                          options->quick ? 1 : LEAST_ROUNDS, options->quick ? 1 : MOST_ROUNDS);
    }
    if (!code) add_results(scene);
    if (!code && part == &parts[0]) code = compare_one_step(scene);
    for (int i = 0; i < scene->fall_count; i++) destroy_fall(&scene->falls[i]);
    for (int i = 0; i < 2; i++) destroy_trajectory(&scene->fine[i]);
    destroy_trajectory(&scene->implicit);
    destroy_sheet(&scene->sheet);
    free(scene);
    return code;
}

static void add_notes(const BenchOptions* options, Report* report) {
    add_note(report,
             "ms: per frame of 0.25, a step but where the step is named; one thread, mean over the"
             " steps of the fastest round.");
    add_note(report,
             "dev, rms: from `implicit`; dev_fine, rms_fine: from symplectic Euler with 64 substeps"
             " of the same springs. dev: rms of the mean height over the last drop; rms: of the"
             " vertices, units.");
    add_note(report,
             "damping: of the energy lost until the end, the part that drag did not take. Kang,"
             " Desbrun and `pushing`: springs that push, too, hence another motion; the others'"
             " never push.");
    if (options->quick) add_note(report, "quick: 20 x 20 vertices, 60 frames, one round.");
}

static int run_scalable(const BenchOptions* options, Report* report) {
    const char* part = options->part;
    bool explicit_part = !part || strcmp(part, "explicit") == 0, known = explicit_part;
    int code = EXIT_GOOD;
    for (int i = 0; i < PART_COUNT; i++) known = known || strcmp(part, parts[i].name) == 0;
    if (!known)
        return complain(EXIT_USAGE, "scalable has no part \"%s\"; fall, drape and explicit it has",
                        part);
    for (int i = 0; i < PART_COUNT && !code; i++)
        if (!part || strcmp(part, parts[i].name) == 0) code = run_part(options, &parts[i], report);
    if (!code && explicit_part) code = run_explicit(options, report);
    if (!code) add_notes(options, report);
    return code;
}

const Bench scalable_bench = {
    .name = "scalable",
    .text = "sweeps instead of solves, on the cloth of Kim 2006: stability, error, time",
    .details =
        "80 x 80 unit masses held by two corners, steps of 0.25: implicit Euler by conjugate\n"
        "gradients, a few sweeps of Gauss-Seidel or Jacobi, the methods of Kang and Desbrun,\n"
        "symplectic Euler, ours. Ratios: gs6_speedup, the implicit step over one of six sweeps\n"
        "(drape); gs1_over_explicit, a step of one sweep over an explicit one.\n"
        "\n"
        "Parts: fall (k1 = 50), drape (k1 = 1000), and explicit: from which stiffness on sweeps\n"
        "beat the short explicit steps that they are to replace. The motion itself is kept\n"
        "between runs, in the user's cache.",
    .has_parts = true,
    .run = run_scalable,
};

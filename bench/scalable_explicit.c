// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Is a sweep worth its matrix? One sweep of Gauss-Seidel costs a few evaluations of the forces,
// because it needs Jacobians, 3x3 blocks and their inverses. Symplectic Euler spends the same time
// on that many substeps, and where these are short enough to be stable they are exact, too:
//
//     substeps needed   n = dt sqrt(8 k1/m)/2     grows by the root of the stiffness
//
// So there may be a stiffness from which on sweeps are closer to the motion in the same time. It is
// looked for here, with everything on its best settings: symplectic Euler with the fewest substeps
// that are stable, relaxation with any number of sweeps and substeps, at x(n) by implicit Euler and
// at the predicted positions by BDF2, the prefactored method with any number of substeps of one
// solve, or a quality of its own.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scalable.h"
#include "weft/weft_study.h"

static const double stiffnesses[] = {10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000};
static const double quick_stiffnesses[] = {50, 1000};
enum { SAMPLES = 24, QUICK_SAMPLES = 6, MAX_FALLS = 96 };
enum { LEAST_FINE = 64 };             // substeps of the motion itself, or four times those needed
static const double EQUAL = 1.05;     // times are equal up to this factor
static const double TOO_DEAR = 1.25;  // guessed costs above this part of the explicit one's

typedef enum Kind { EXPLICIT, RELAXATION, PREFACTORED, KIND_COUNT } Kind;
static const char* const kind_names[] = {"explicit", "relaxation", "prefactored"};
static const char* const best_ms[] = {"explicit_ms", "relaxation_ms", "prefactored_ms"};
static const char* const best_rms[] = {"explicit_rms", "relaxation_rms", "prefactored_rms"};

static const int table_sweeps[] = {1, 2, 4, 6, 10};
static const char* const sweep_ms[] = {"gs1_ms", "gs2_ms", "gs4_ms", "gs6_ms", "gs10_ms"};
static const char* const sweep_rms[] = {"gs1_rms", "gs2_rms", "gs4_rms", "gs6_rms", "gs10_rms"};
enum { TABLE_SWEEPS = sizeof table_sweeps / sizeof *table_sweeps };

typedef struct Contest {
    const BenchOptions* options;
    Sheet sheet;
    Trajectory fine;
    double floor;
    Fall falls[MAX_FALLS];
    Kind kinds[MAX_FALLS];
    int fall_count;
} Contest;

// ---------------------------------------------------------------------------------------------
// Who takes part. The first is symplectic Euler, the next are the columns of the table.

static Fall* add_fall(Contest* contest, Kind kind, Fall fall) {
    Fall* added = &contest->falls[contest->fall_count];
    contest->kinds[contest->fall_count++] = kind;
    *added = fall;
    added->fine.from = &contest->fine;
    return added;
}

static void destroy_falls(Contest* contest) {
    for (int i = 0; i < contest->fall_count; i++) destroy_fall(&contest->falls[i]);
    contest->fall_count = 0;
}

// At the very limit energy is gained long before a vertex is too fast.
static bool is_stable(const Fall* fall) {
    return !fall->unstable_step && fall->lost > 0.98 * fall->dragged;
}

// The fewest substeps that are stable to the end.
static int find_explicit(Contest* contest) {
    double needed = 0.25 * sqrt(8 * contest->sheet.stiffness) / 2;
    for (int n = needed < 1 ? 1 : (int)needed;; n++) {
        Fall* fall = add_fall(contest, EXPLICIT, symplectic_fall(n));
        show_progress("k1 %g: %s", contest->sheet.stiffness, fall->name);
        int code = take_fall(&contest->sheet, fall);
        if (code || is_stable(fall)) return code;
        destroy_falls(contest);
    }
}

// As a guess, in explicit substeps: what is before the sweeps, and a sweep.
static bool is_too_dear(const Contest* contest, int substeps, double each) {
    return substeps * each > TOO_DEAR * contest->falls[0].substeps;
}

// More substeps than are needed, for times in which they fit.
static void add_finer(Contest* contest) {
    int least = contest->falls[0].substeps;
    if (least < 10) add_fall(contest, EXPLICIT, symplectic_fall(least + 1));
    if (least > 1) add_fall(contest, EXPLICIT, symplectic_fall(2 * least));
}

static void add_relaxation(Contest* contest) {
    static const int sweeps[] = {1, 2, 4, 6, 10, 20, 40, 100};
    for (int i = 0; i < TABLE_SWEEPS; i++)
        add_fall(contest, RELAXATION, preset_fall("GS", WEFT_PRESET_SCALABLE, table_sweeps[i]));
    for (int substeps = 1; substeps <= 8; substeps *= 2)
        for (size_t i = 0; i < sizeof sweeps / sizeof *sweeps; i++)
            for (int predicted = substeps == 1 && sweeps[i] <= 10; predicted < 2; predicted++) {
                if (is_too_dear(contest, substeps, 1.5 + 0.12 * sweeps[i])) continue;
                Fall fall = preset_fall("GS", WEFT_PRESET_SCALABLE, sweeps[i]);
                fall.step.substeps = substeps;
                if (predicted) fall.step.start = WEFT_START_PREDICTED;
                if (predicted) fall.step.order = 2;
                snprintf(fall.name, sizeof fall.name, "%d x GS %d%s", substeps, sweeps[i],
                         predicted ? ", BDF2" : "");
                add_fall(contest, RELAXATION, fall);
            }
}

static void add_prefactored(Contest* contest) {
    for (int substeps = 1; substeps <= 16; substeps *= 2) {
        if (is_too_dear(contest, substeps, 1)) continue;
        Fall fall = quality_fall(1);
        fall.step.substeps = substeps;
        snprintf(fall.name, sizeof fall.name, "%d x one solve", substeps);
        add_fall(contest, PREFACTORED, fall);
    }
    for (int quality = 3; quality <= 6; quality++)
        if (!is_too_dear(contest, 1, 2 * (quality - 2)))
            add_fall(contest, PREFACTORED, quality_fall(quality));
}

// ---------------------------------------------------------------------------------------------
// Who wins

// The closest of a kind that takes no more time; NULL: none does.
static const Fall* find_best(const Contest* contest, Kind kind, double ms) {
    const Fall* best = NULL;
    for (int i = 0; i < contest->fall_count; i++) {
        const Fall* fall = &contest->falls[i];
        bool fits = frame_ms(&contest->sheet, fall) <= EQUAL * ms;
        if (contest->kinds[i] != kind || !fits) continue;
        if (!best || rms_distance(&fall->fine) < rms_distance(&best->fine)) best = fall;
    }
    return best;
}

static Kind find_winner(const Contest* contest, double ms) {
    Kind winner = KIND_COUNT;
    double least = HUGE_VAL;
    for (Kind kind = EXPLICIT; kind < KIND_COUNT; kind++) {
        const Fall* best = find_best(contest, kind, ms);
        if (!best || !(rms_distance(&best->fine) < least)) continue;
        least = rms_distance(&best->fine);
        winner = kind;
    }
    return winner;
}

static const char* winner_name(const Contest* contest, double ms) {
    Kind winner = find_winner(contest, ms);
    return winner == KIND_COUNT ? "none" : kind_names[winner];
}

static void add_row(const Contest* contest, int chosen, Report* report) {
    const Sheet* sheet = &contest->sheet;
    double ms = frame_ms(sheet, &contest->falls[0]);
    start_row(report);
    add_text(report, "part", "explicit");
    add_number(report, "vertices", sheet->mesh.vertex_count);
    add_number(report, "k1", sheet->stiffness);
    add_number(report, "substeps", contest->falls[0].substeps);
    add_number(report, "substeps_chosen", chosen);
    for (Kind kind = EXPLICIT; kind < KIND_COUNT; kind++) {
        const Fall* best = find_best(contest, kind, ms);
        if (!best) continue;
        if (kind != EXPLICIT) add_text(report, kind_names[kind], best->name);
        add_number(report, best_ms[kind], frame_ms(sheet, best));
        add_number(report, best_rms[kind], rms_distance(&best->fine));
    }
    for (int i = 0; i < TABLE_SWEEPS; i++) {
        add_number(report, sweep_ms[i], frame_ms(sheet, &contest->falls[1 + i]));
        add_number(report, sweep_rms[i], rms_distance(&contest->falls[1 + i].fine));
    }
    add_text(report, "wins", winner_name(contest, ms));
    add_text(report, "wins_at_gs6", winner_name(contest, frame_ms(sheet, &contest->falls[4])));
    add_number(report, "floor", contest->floor);
}

// ---------------------------------------------------------------------------------------------

// What the library would take by itself.
static int chosen_substeps(const Contest* contest, int* chosen) {
    WeftStepDef step = symplectic_fall(0).step;
    WeftModel* model;
    WeftState* state;
    int code = create_sheet(&contest->sheet, WEFT_STRETCH_ONE_SIDED, &step, &model, &state);
    if (code) return code;
    if (weft_step(state, &step)) code = complain(EXIT_FAILED, "an explicit step fails");
    *chosen = weft_report(state)->substeps;
    weft_destroy_state(state);
    weft_destroy_model(model);
    return code;
}

static int run_contest(Contest* contest) {
    const BenchOptions* options = contest->options;
    int code = find_explicit(contest), fine = LEAST_FINE;
    while (fine < 4 * contest->falls[0].substeps) fine *= 2;
    if (!code)
        code = find_sheet_motion(&contest->sheet, WEFT_STRETCH_ONE_SIDED, fine, !options->quick,
                                 options->fresh, &contest->fine, &contest->floor);
    if (code) return code;
    Fall again = symplectic_fall(contest->falls[0].substeps);
    destroy_falls(contest);
    add_fall(contest, EXPLICIT, again)->substeps = again.step.substeps;
    add_relaxation(contest);
    add_prefactored(contest);
    add_finer(contest);
    return take_falls(&contest->sheet, contest->falls, contest->fall_count, 1,
                      options->quick ? 1 : 3);
}

// The lowest stiffness from which on `better` held; 0: it did not at the last.
static double lowest_run(const double* list, const bool* better, int count) {
    int i = count;
    while (i > 0 && better[i - 1]) i--;
    return i < count ? list[i] : 0;
}

static void add_verdict(const double* list, int count, const bool* relaxed, const bool* cheaper,
                        Report* report) {
    static char text[2][160];
    double wins = lowest_run(list, relaxed, count), saves = lowest_run(list, cheaper, count);
    if (wins > 0)
        snprintf(text[0], sizeof text[0],
                 "explicit: relaxation is closer at equal time from k1 = %g on.", wins);
    else
        snprintf(text[0], sizeof text[0],
                 "explicit: relaxation is not closer at equal time at any k1 up to %g.",
                 list[count - 1]);
    snprintf(text[1], sizeof text[1],
             "explicit: a step of one sweep is cheaper than the explicit substeps from k1 = %g on.",
             saves);
    for (int i = 0; i < 2; i++) add_note(report, text[i]);
    add_ratio(report, "explicit_wins_below", wins > 0 ? wins : HUGE_VAL);
    add_ratio(report, "explicit_cheaper_below", saves > 0 ? saves : HUGE_VAL);
}

int run_explicit(const BenchOptions* options, Report* report) {
    const double* list = options->quick ? quick_stiffnesses : stiffnesses;
    int count =
        (int)(options->quick ? sizeof quick_stiffnesses : sizeof stiffnesses) / (int)sizeof *list;
    bool relaxed[16] = {0}, cheaper[16] = {0};
    int code = EXIT_GOOD;
    start_table(report, "explicit steps or sweeps, by stiffness");
    for (int i = 0; i < count && !code; i++) {
        Contest* contest = need(1, sizeof *contest);
        int chosen = 0;
        contest->options = options;
        code = make_sheet(options->quick ? QUICK_SHEET_SIDE : SHEET_SIDE, list[i],
                          options->quick ? QUICK_SAMPLES : SAMPLES, &contest->sheet);
        if (!code) code = chosen_substeps(contest, &chosen);
        if (!code) code = run_contest(contest);
        if (!code) {
            const Sheet* sheet = &contest->sheet;
            double ms = frame_ms(sheet, &contest->falls[0]);
            const Fall* best = find_best(contest, RELAXATION, ms);
            add_row(contest, chosen, report);
            relaxed[i] = best && rms_distance(&best->fine) < rms_distance(&contest->falls[0].fine);
            cheaper[i] = frame_ms(sheet, &contest->falls[1]) < ms;
        }
        destroy_falls(contest);
        destroy_trajectory(&contest->fine);
        destroy_sheet(&contest->sheet);
        free(contest);
    }
    if (!code) add_verdict(list, count, relaxed, cheaper, report);
    return code;
}

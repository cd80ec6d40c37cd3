// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// stress: random scenes that attack; does anything crash, become not a number, pass through, or
// take too long? By method. The seeds of what failed are told, and --only runs one of them again.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "stress_run.h"

enum { METHOD_COUNT = 5, RUNS = 1000, QUICK_RUNS = 100, FULL_RUNS = 10000, PATIENCE = 60 };
static const double BOUND_MS = 1000;

static const char* const method_names[METHOD_COUNT] = {"symplectic", "implicit", "prefactored",
                                                       "relaxation", "matrix_free"};

typedef struct Tally {
    int runs[METHOD_COUNT], faults[METHOD_COUNT][STRESS_FAULT_COUNT], squeezed[METHOD_COUNT];
    double longest_ms[METHOD_COUNT], longest_ratio[METHOD_COUNT];
    int done, wanted;
} Tally;

static void tell_run(const StressRun* run, void* user) {
    Tally* tally = user;
    int m = run->method;
    tally->runs[m]++;
    tally->faults[m][run->fault]++;
    tally->squeezed[m] += run->squeezed;
    if (run->longest_ms > tally->longest_ms[m]) tally->longest_ms[m] = run->longest_ms;
    double ratio = run->median_ms > 0 ? run->longest_ms / run->median_ms : 0;
    if (ratio > tally->longest_ratio[m]) tally->longest_ratio[m] = ratio;
    tally->done++;
    if (run->fault > STRESS_REFUSED) {
        end_progress();
        fprintf(stderr, "seed %" PRIu64 ": %s, %s, step %d, passed %d -> %d, longest %.0f ms %s\n",
                run->seed, method_names[m], stress_fault_names[run->fault], run->step, run->before,
                run->after, run->longest_ms, run->message);
    } else {
        show_progress("%d of %d runs", tally->done, tally->wanted);
    }
}

// Of one method, or of all (METHOD_COUNT).
static int sum_of(const int* numbers, int stride, int method) {
    int sum = 0;
    for (int m = 0; m < METHOD_COUNT; m++)
        if (method == METHOD_COUNT || method == m) sum += numbers[m * stride];
    return sum;
}

static double most_of(const double* numbers, int method) {
    double most = 0;
    for (int m = 0; m < METHOD_COUNT; m++)
        if ((method == METHOD_COUNT || method == m) && numbers[m] > most) most = numbers[m];
    return most;
}

static const struct {
    const char* name;
    StressFault fault;
} columns[] = {{"crashes", STRESS_CRASH},
               {"not_finite", STRESS_NOT_FINITE},
               {"new_crossings", STRESS_NEW_CROSSING},
               {"flew", STRESS_FLEW},
               {"worse", STRESS_WORSE},
               {"over_bound", STRESS_OVER_BOUND},
               {"broken_promises", STRESS_BROKEN_PROMISE},
               {"failed", STRESS_FAILED},
               {"refused", STRESS_REFUSED}};
enum { COLUMN_COUNT = sizeof columns / sizeof *columns };

static void add_method(Report* report, const Tally* tally, int method) {
    start_row(report);
    add_text(report, "method", method == METHOD_COUNT ? "all" : method_names[method]);
    add_number(report, "runs", sum_of(tally->runs, 1, method));
    for (int c = 0; c < COLUMN_COUNT; c++)
        add_number(report, columns[c].name,
                   sum_of(&tally->faults[0][columns[c].fault], STRESS_FAULT_COUNT, method));
    add_number(report, "squeezed", sum_of(tally->squeezed, 1, method));
    add_number(report, "longest_ms", most_of(tally->longest_ms, method));
    add_number(report, "longest_over_median", most_of(tally->longest_ratio, method));
}

static int run_bench(const BenchOptions* options, Report* report) {
    StressOptions how = {.real_clocks = true, .bound_ms = BOUND_MS};
    uint64_t seed = options->has_seed ? options->seed : 1;
    Tally tally = {0};
    tally.wanted = options->has_runs ? (int)options->runs
                   : options->quick  ? QUICK_RUNS
                   : options->full   ? FULL_RUNS
                                     : RUNS;
    if (options->only && !read_whole(options->only, &seed))
        return complain(EXIT_USAGE, "--only needs a whole number after it, the seed of a run");
    if (options->only) {
        how.verbose = stderr;
        StressRun run = run_stress(seed, &how);
        tally.wanted = 1;
        tell_run(&run, &tally);
    } else {
        run_stress_crowd(seed, tally.wanted, PATIENCE, &how, tell_run, &tally);
    }
    for (int m = 0; m <= METHOD_COUNT; m++) add_method(report, &tally, m);
    for (int c = 0; c < COLUMN_COUNT; c++)
        add_ratio(report, columns[c].name,
                  sum_of(&tally.faults[0][columns[c].fault], STRESS_FAULT_COUNT, METHOD_COUNT));
    add_note(report,
             "new_crossings: a step that began clean ended with triangles that cross or vertices "
             "inside of a body, and nothing was unstopped (squeezed counts those). worse: of runs "
             "that began crossed, more had passed through at the end than at the start.");
    add_note(report,
             "over_bound: a step took more than 1 s of processor time. refused: settings or meshes "
             "that the library refused at creation, with a message; failed: a step that failed "
             "with a message and left the state as it was.");
    return EXIT_GOOD;
}

const Bench stress_bench = {
    .name = "stress",
    .text = "random scenes that attack: crashes, crossings, numbers that are none, long steps",
    .details =
        "Scenes of 1 to 4 pieces and up to 3 bodies, 20 to 60 steps each, by every method: in one\n"
        "plane, on a lattice, coincident, collapsed; teleports, spins, pins that jump, budgets,\n"
        "edits. --runs N many of them (1000), from --seed S (1) on; what fails is named by its\n"
        "seed on stderr, and --only SEED runs it again and tells of every step.",
    .run = run_bench,
};

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// threads: the same steps by 1, 2, 4, 8 and 16 threads, with contact and without. What do more
// threads gain, in which phase, and are the results the same to the last bit?

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "cover.h"
#include "machine.h"
#include "square.h"

static const int thread_counts[] = {1, 2, 4, 8, 16};
enum { MAX_COUNTS = sizeof thread_counts / sizeof *thread_counts, REPEATS = 3 };

// The first steps are skipped: after them the sheet has touched the sphere and begins to fold.
static const struct {
    const char* name;
    bool contact;
    int side;  // vertices
    int skipped, step_count, quick_skipped, quick_count;
    const char* ratio;  // or NULL
} cases[] = {
    {"contact", true, 101, 24, 30, 12, 3, NULL},
    {"swing", false, 101, 2, 20, 2, 5, "threads_10k"},
    {"contact", true, 201, 24, 30, 0, 0, "threads_40k_contact"},
    {"swing", false, 201, 2, 20, 0, 0, "threads_40k"},
};
enum { CASE_COUNT = sizeof cases / sizeof *cases, QUICK_CASES = 2 };

// One number of threads at work on one case.
typedef struct Team {
    int threads;
    Cover cover;  // of the swing, only model, state and step
    WeftState* start;
    WeftTimes times;  // of the fastest repeat, all steps
    uint64_t hash;    // of the state at its end
} Team;

static int open_swing(int side, int threads, Cover* cover) {
    Square square;
    int code = make_square(side, side, &square);
    if (code) return code;
    *cover = (Cover){.step = still_air_step()};
    code = create_square(&square, &cover->step, threads, wall_time, &cover->model, &cover->state);
    destroy_square(&square);
    return code;
}

static int open_sheet(int side, int threads, Cover* cover) {
    CoverDef def = {
        .kind = COVER_SHEET,
        .columns = side - 1,
        .rows = side - 1,
        .thickness = 0.002,
        .threads = threads,
        .clock = wall_time,
    };
    return open_cover(&def, cover);
}

// The start as the first team left it, to the last bit.
static int copy_start(const Team* first, Team* team) {
    WeftError error;
    size_t size = weft_saved_size(first->start);
    void* bytes = need(size, 1);
    weft_save_state(first->start, bytes);
    WeftResult result = weft_load_state(team->start, bytes, size, &error);
    free(bytes);
    return result ? complain(EXIT_FAILED, "%s", error.message) : EXIT_GOOD;
}

// `first` has taken the steps that are skipped; NULL: this team does.
static int open_team(int which, int skipped, const Team* first, Team* team) {
    WeftError error;
    int side = cases[which].side;
    int code = cases[which].contact ? open_sheet(side, team->threads, &team->cover)
                                    : open_swing(side, team->threads, &team->cover);
    if (code) return code;
    if (weft_create_state(team->cover.model, &team->start, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    if (first) return copy_start(first, team);
    for (int i = 0; i < skipped && !code; i++) code = take_cover_step(&team->cover);
    weft_copy_state(team->start, team->cover.state);
    return code;
}

static void close_team(Team* team) {
    weft_destroy_state(team->start);
    close_cover(&team->cover);
}

static int take_repeat(Team* team, int step_count) {
    WeftTimes sum = {0};
    int code = EXIT_GOOD;
    weft_copy_state(team->cover.state, team->start);
    for (int i = 0; i < step_count && !code; i++) {
        code = take_cover_step(&team->cover);
        add_times(&sum, &weft_report(team->cover.state)->times);
    }
    team->hash = weft_hash_state(team->cover.state);
    if (team->times.total == 0 || sum.total < team->times.total) team->times = sum;
    return code;
}

// All numbers of threads in turn, so that a busy machine slows them all.
static int take_repeats(const BenchOptions* options, int which, Team* teams, int team_count) {
    int code = EXIT_GOOD, repeats = options->quick ? 1 : REPEATS;
    int step_count = options->quick ? cases[which].quick_count : cases[which].step_count;
    int skipped = options->quick ? cases[which].quick_skipped : cases[which].skipped;
    for (int i = 0; i < team_count && !code; i++) {
        show_progress("%s, %d x %d vertices: %d threads begin", cases[which].name,
                      cases[which].side, cases[which].side, teams[i].threads);
        code = open_team(which, skipped, i > 0 ? &teams[0] : NULL, &teams[i]);
    }
    for (int repeat = 0; repeat < repeats; repeat++)
        for (int i = 0; i < team_count && !code; i++) {
            show_progress("%s, %d x %d vertices: %d threads, repeat %d of %d", cases[which].name,
                          cases[which].side, cases[which].side, teams[i].threads, repeat + 1,
                          repeats);
            code = take_repeat(&teams[i], step_count);
        }
    return code;
}

static void add_team(int which, int step_count, const Team* team, const Team* alone,
                     Report* report) {
    char hash[20];
    snprintf(hash, sizeof hash, "%016" PRIx64, team->hash);
    start_row(report);
    add_text(report, "case", cases[which].name);
    add_number(report, "vertices", cases[which].side * cases[which].side);
    add_number(report, "threads", team->threads);
    add_number(report, "speedup", alone->times.total / team->times.total);
    add_phase_cells(report, &team->times, 1000.0 / step_count);
    add_text(report, "hash", hash);
}

static int run_case(const BenchOptions* options, int which, int team_count, Report* report) {
    Team teams[MAX_COUNTS] = {0};
    int step_count = options->quick ? cases[which].quick_count : cases[which].step_count;
    for (int i = 0; i < team_count; i++) teams[i].threads = thread_counts[i];
    int code = take_repeats(options, which, teams, team_count);
    for (int i = 0; i < team_count && !code; i++) {
        add_team(which, step_count, &teams[i], &teams[0], report);
        if (teams[i].hash != teams[0].hash)
            code = complain(EXIT_FAILED, "%s, %d vertices: %d threads give other bits than one",
                            cases[which].name, cases[which].side * cases[which].side,
                            teams[i].threads);
    }
    if (!code && cases[which].ratio)
        add_ratio(report, cases[which].ratio,
                  teams[0].times.total / teams[team_count - 1].times.total);
    for (int i = 0; i < team_count; i++) close_team(&teams[i]);
    return code;
}

static int run_threads(const BenchOptions* options, Report* report) {
    int cores = this_machine().cores, count = 1, code = EXIT_GOOD;
    while (count < MAX_COUNTS && thread_counts[count] <= cores) count++;
    for (int i = 0; i < (options->quick ? QUICK_CASES : CASE_COUNT) && !code; i++)
        code = run_case(options, i, count, report);
    add_note(report,
             "ms per step, by phase, on the clock on the wall: of the repeat that took the least; "
             "speedup over one thread; hash of the state at the end, the same for all.");
    add_note(report, "ratios: speedup at the largest number of threads.");
    return code;
}

const Bench threads_bench = {
    .name = "threads",
    .text = "steps with and without contact by 1 to 16 threads: what they gain, where they do not",
    .details =
        "contact: the sheet of cotton that falls on a sphere (contact --part density, 2 mm), from\n"
        "its first folds on; swing: the square of the bench swing. 10,201 and 40,401 vertices, as\n"
        "many threads as there are cores at most. Fails where results differ by their threads.",
    .run = run_threads,
};

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The same cloth by finer and finer meshes: how does a step grow with the vertices, where does it
// spend its time, and how far is the worst step from the usual one?

#include <math.h>
#include <stdlib.h>

#include "contact.h"
#include "cover.h"

static const struct {
    const char* name;
    CoverKind kind;
    double thickness;  // m
} families[] = {
    {"sheet", COVER_SHEET, 0.001},
    {"sheet", COVER_SHEET, 0.002},
    {"tube", COVER_TUBE, 0.001},
    {"tube", COVER_TUBE, 0.002},
};
enum { FAMILY_COUNT = sizeof families / sizeof *families };

// Cells of the sheet along a side, of the tube around and along: as many vertices, about.
static const struct {
    int side, around, along, step_count, quick_count;
} sizes[] = {
    {64, 50, 83, 60, 10},    // 4,225 vertices
    {100, 78, 130, 60, 5},   // 10,201
    {200, 156, 258, 60, 0},  // 40,401
    {400, 310, 518, 20, 0},  // 160,801
};
enum { SIZE_COUNT = 4, DAILY_SIZES = 3, QUICK_SIZES = 2, COARSE = 0, FINE = 2, JUDGE_EVERY = 10 };

// What the report says, summed over the steps.
typedef struct Tally {
    double substeps, body_contacts, self_contacts;
    double pairs_found, pairs_kept, pairs_near;
    int most_substeps;  // of a step
} Tally;

typedef struct Run {
    int vertices, step_count;
    double* steps;  // s, of each
    WeftTimes times;
    Tally tally;
    double median, worst;  // s
    int worst_step;        // from 1, the first that does not count
    int crossings;         // of all frames that were judged
} Run;

// The worst of all families.
typedef struct Worst {
    double growth, share, over_median;
} Worst;

static void count_step(const WeftStepReport* done, int step, Run* run) {
    run->steps[step] = done->times.total;
    if (done->times.total > run->worst) run->worst = done->times.total, run->worst_step = step + 2;
    add_times(&run->times, &done->times);
    run->tally.substeps += done->substeps;
    if (done->substeps > run->tally.most_substeps) run->tally.most_substeps = done->substeps;
    run->tally.body_contacts += done->body_contacts;
    run->tally.self_contacts += done->self_contacts;
    run->tally.pairs_found += done->pairs_found;
    run->tally.pairs_kept += done->pairs_kept;
    run->tally.pairs_near += done->pairs_near;
}

static int take_run(Cover* cover, Run* run) {
    int code = take_cover_step(cover);  // builds trees, asks for memory
    for (int i = 0; i < run->step_count && !code; i++) {
        code = take_cover_step(cover);
        if (code) break;
        count_step(weft_report(cover->state), i, run);
        int count = 0;
        if ((i + 1) % JUDGE_EVERY == 0 || i + 1 == run->step_count)
            code = count_crossings(cover, &count);
        run->crossings += count;
    }
    if (code) return code;
    sort_numbers(run->steps, run->step_count);
    run->median = run->steps[run->step_count / 2];
    return EXIT_GOOD;
}

static void add_tally(const Tally* tally, int step_count, Report* report) {
    add_number(report, "substeps", tally->substeps / step_count);
    add_number(report, "most_substeps", tally->most_substeps);
    add_number(report, "body_contacts", tally->body_contacts / step_count);
    add_number(report, "self_contacts", tally->self_contacts / step_count);
    add_number(report, "pairs_found", tally->pairs_found / step_count);
    add_number(report, "pairs_kept", tally->pairs_kept / step_count);
    add_number(report, "pairs_near", tally->pairs_near / step_count);
}

static void add_run(int family, const Run* run, Report* report) {
    start_row(report);
    add_text(report, "family", families[family].name);
    add_number(report, "thickness_mm", 1000 * families[family].thickness);
    add_number(report, "vertices", run->vertices);
    add_number(report, "steps", run->step_count);
    add_phase_cells(report, &run->times, 1000.0 / run->step_count);
    add_number(report, "median_ms", 1000 * run->median);
    add_number(report, "worst_ms", 1000 * run->worst);
    add_number(report, "worst_step", run->worst_step);
    add_tally(&run->tally, run->step_count, report);
    add_number(report, "crossings", run->crossings);
}

static int run_size(const BenchOptions* options, int family, int size, Run* run) {
    Cover cover;
    bool tube = families[family].kind == COVER_TUBE;
    CoverDef def = {
        .kind = families[family].kind,
        .columns = tube ? sizes[size].around : sizes[size].side,
        .rows = tube ? sizes[size].along : sizes[size].side,
        .thickness = families[family].thickness,
        .threads = 1,
        .clock = thread_time,
    };
    int code = open_cover(&def, &cover);
    *run = (Run){.step_count = options->quick ? sizes[size].quick_count : sizes[size].step_count};
    run->steps = need((size_t)run->step_count, sizeof *run->steps);
    if (!code) run->vertices = weft_vertex_count(cover.model);
    if (!code) code = take_run(&cover, run);
    close_cover(&cover);
    free(run->steps);
    run->steps = NULL;
    return code;
}

static void compare(const Run* runs, Worst* worst) {
    const Run *coarse = &runs[COARSE], *fine = &runs[FINE];
    double steps = (double)fine->step_count / coarse->step_count;
    double slower = fine->times.total / coarse->times.total / steps;
    double contact = contact_seconds(&fine->times);
    worst->growth =
        fmax(worst->growth, log(slower) / log((double)fine->vertices / coarse->vertices));
    worst->share = fmax(worst->share, contact / (fine->times.total - contact));
}

static int run_family(const BenchOptions* options, int family, Worst* worst, Report* report) {
    Run runs[SIZE_COUNT];
    int code = EXIT_GOOD;
    int count = options->quick ? QUICK_SIZES : options->full ? SIZE_COUNT : DAILY_SIZES;
    for (int i = 0; i < count && !code; i++) {
        show_progress("%s of %g mm, %d vertices", families[family].name,
                      1000 * families[family].thickness, (sizes[i].side + 1) * (sizes[i].side + 1));
        code = run_size(options, family, i, &runs[i]);
        if (code) return code;
        add_run(family, &runs[i], report);
        worst->over_median = fmax(worst->over_median, runs[i].worst / runs[i].median);
    }
    if (count > FINE) compare(runs, worst);
    return code;
}

int run_contact_density(const BenchOptions* options, Report* report) {
    Worst worst = {0};
    double drape = 0;
    int code = EXIT_GOOD;
    start_table(report, "density");
    for (int i = 0; i < FAMILY_COUNT && !code; i++) code = run_family(options, i, &worst, report);
    start_table(report, "density, the drape");
    if (!code) code = add_contact_drape(options, 0, &drape, report);
    if (code) return code;
    if (!options->quick) {
        add_ratio(report, "growth_density", worst.growth);
        add_ratio(report, "contact_share_40k", worst.share);
    }
    add_ratio(report, "drape_4225", drape);
    add_ratio(report, "worst_over_median", worst.over_median);
    add_note(report,
             "density: cotton poplin on a sphere, and around a capsule that goes to and fro at 2 "
             "m/s; mean ms per step, by phase, without the first, which builds trees; contacts per "
             "step; crossings at the end and in every 10th step.");
    add_note(report,
             "growth_density: exponent of ms from 4,225 to 40,401 vertices; contact_share_40k: "
             "contact over all else; worst_over_median: of one run's steps. The worst of each.");
    return EXIT_GOOD;
}

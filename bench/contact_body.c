// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The same cloth on the same body that deforms, of 2,000 and of 20,000 triangles: does a step pay
// for what is not near?

#include <math.h>
#include <stdlib.h>

#include "contact.h"
#include "cover.h"

static const struct {
    int segments, rings;
} bodies[] = {{40, 26}, {125, 81}};  // 2,000 and 20,000 triangles
enum { BODY_COUNT = 2, CELLS = 64, STEPS = 60, QUICK_STEPS = 10, PASSES = 3, JUDGE_EVERY = 10 };

typedef struct Run {
    WeftTimes times;       // of the fastest pass, all steps
    double body_contacts;  // of all steps
    int crossings;
} Run;

// The first step builds trees, and does not count.
static int take_pass(Cover* cover, int step_count, bool judge, Run* run) {
    Run pass = {.crossings = run->crossings};
    int code = reset_cover(cover);
    if (!code) code = take_cover_step(cover);
    for (int i = 0; i < step_count && !code; i++) {
        code = take_cover_step(cover);
        add_times(&pass.times, &weft_report(cover->state)->times);
        pass.body_contacts += weft_report(cover->state)->body_contacts;
        int count = 0;
        if (!code && judge && (i + 1) % JUDGE_EVERY == 0) code = count_crossings(cover, &count);
        pass.crossings += count;
    }
    if (run->times.total == 0 || pass.times.total < run->times.total) *run = pass;
    return code;
}

static void add_run(const Cover* cover, const Run* run, int step_count, Report* report) {
    start_row(report);
    add_number(report, "triangles", weft_body_triangle_count(cover->model, 0));
    add_number(report, "vertices", weft_vertex_count(cover->model));
    add_number(report, "steps", step_count);
    add_phase_cells(report, &run->times, 1000.0 / step_count);
    add_number(report, "body_contacts", run->body_contacts / step_count);
    add_number(report, "crossings", run->crossings);
}

int run_contact_body(const BenchOptions* options, Report* report) {
    Cover covers[BODY_COUNT] = {0};
    Run runs[BODY_COUNT] = {0};
    int code = EXIT_GOOD, step_count = options->quick ? QUICK_STEPS : STEPS;
    for (int i = 0; i < BODY_COUNT && !code; i++) {
        CoverDef def = {.kind = COVER_BULGE, .columns = CELLS, .rows = CELLS, .thickness = 0.001};
        def.segments = bodies[i].segments, def.rings = bodies[i].rings;
        def.threads = 1, def.clock = thread_time;
        code = open_cover(&def, &covers[i]);
    }
    for (int pass = 0; pass < (options->quick ? 1 : PASSES); pass++)
        for (int i = 0; i < BODY_COUNT && !code; i++) {
            show_progress("body of %d triangles, pass %d",
                          weft_body_triangle_count(covers[i].model, 0), pass + 1);
            code = take_pass(&covers[i], step_count, pass == 0, &runs[i]);
        }
    start_table(report, "body");
    for (int i = 0; i < BODY_COUNT && !code; i++) add_run(&covers[i], &runs[i], step_count, report);
    for (int i = 0; i < BODY_COUNT; i++) close_cover(&covers[i]);
    if (code) return code;
    add_ratio(report, "body_20k_over_2k", runs[1].times.total / runs[0].times.total);
    add_note(
        report,
        "body: a sheet of 1 m on the middle of a body 1.6 m long, all of which deforms in every "
        "step; ms per step without the first, the fastest of three passes.");
    return EXIT_GOOD;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// cut: what it costs that a cloth is cut while it moves. A game feels the longest step.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "square.h"

enum { SIDE = 73, CUTS = 5, EVERY = 20, WARM_UP = 60, BEFORE = 20, BEHIND = 40 };
enum { STEPS = BEFORE + CUTS * EVERY + BEHIND };

static const struct {
    const char* name;
    int quality, cuts;
    WeftContact contact;
    bool at_once;
} cases[] = {
    {"one cut", 4, 1, WEFT_CONTACT_NONE, false},
    {"five cuts", 4, CUTS, WEFT_CONTACT_NONE, false},
    {"one cut, contact", 4, 1, WEFT_CONTACT_ALL, false},
    {"five cuts, contact", 4, CUTS, WEFT_CONTACT_ALL, false},
    {"one cut, quality 3", 3, 1, WEFT_CONTACT_NONE, false},
    {"one cut, quality 3, contact", 3, 1, WEFT_CONTACT_ALL, false},
    {"one cut, quality 2", 2, 1, WEFT_CONTACT_NONE, false},
    {"one cut, quality 1", 1, 1, WEFT_CONTACT_NONE, false},
    {"one cut, at once", 4, 1, WEFT_CONTACT_NONE, true},
    {"one cut, at once, contact", 4, 1, WEFT_CONTACT_ALL, true},
};
enum { CASE_COUNT = sizeof cases / sizeof *cases };

typedef struct Course {
    double seconds[STEPS];  // the least of all passes
    int edges, vertices;    // cut, and added
    int delay;              // steps until the first cut is done
    double call;            // seconds, of the longest call of weft_cut
} Course;

// Down a column of the cloth as it hangs, from its upper third to its lower side.
static int cut_column(WeftState* state, int column, Course* course) {
    double points[3 * SIDE];
    int count = 0, edges;
    for (int row = SIDE / 3; row < SIDE; row++)
        memcpy(points + 3 * count++, weft_positions(state) + 3 * (row * SIDE + column),
               3 * sizeof *points);
    WeftCutDef cut = weft_default_cut_def();
    WeftError error;
    cut.points = points;
    cut.point_count = count;
    double start = thread_time(NULL);
    if (weft_cut(state, &cut, &edges, &error)) return complain(EXIT_FAILED, "%s", error.message);
    course->call = fmax(course->call, thread_time(NULL) - start);
    course->edges += edges;
    return EXIT_GOOD;
}

static int take_pass(const WeftModel* model, const WeftStepDef* step, int cuts, int pass,
                     Course* course) {
    WeftState* state = NULL;
    WeftError error;
    if (weft_create_state(model, &state, &error)) return complain(EXIT_FAILED, "%s", error.message);
    int code = EXIT_GOOD;
    course->edges = course->delay = 0;
    course->call = 0;
    for (int i = -WARM_UP; i < STEPS && !code; i++) {
        int k = i - BEFORE;
        if (k >= 0 && k % EVERY == 0 && k / EVERY < cuts)
            code = cut_column(state, SIDE * (k / EVERY + 1) / (cuts + 1), course);
        double start = thread_time(NULL);
        if (!code && weft_step(state, step))
            code = complain(EXIT_FAILED, "%s", weft_state_error(state)->message);
        double seconds = thread_time(NULL) - start;
        if (i < 0) continue;
        course->seconds[i] = pass == 0 ? seconds : fmin(course->seconds[i], seconds);
        if (weft_report(state)->torn && !course->delay) course->delay = k + 1;
    }
    course->vertices = weft_vertex_count(weft_state_model(state)) - weft_vertex_count(model);
    weft_destroy_state(state);
    return code;
}

static int find_longest(const double* seconds, int first, int end) {
    int best = first;
    for (int i = first; i < end; i++)
        if (seconds[i] > seconds[best]) best = i;
    return best;
}

// Returns the longest step over a usual one: the median of those before the first cut.
static double tell_course(int c, Course* course, Report* report) {
    double before[BEFORE];
    memcpy(before, course->seconds, sizeof before);
    sort_numbers(before, BEFORE);
    int at = find_longest(course->seconds, BEFORE, STEPS);
    double usual = before[BEFORE / 2], most = course->seconds[at];
    start_row(report);
    add_text(report, "case", cases[c].name);
    add_number(report, "vertices", SIDE * SIDE);
    add_number(report, "edges_cut", course->edges);
    add_number(report, "vertices_added", course->vertices);
    add_number(report, "call_ms", 1000 * course->call);
    add_number(report, "delay_steps", course->delay);
    add_number(report, "usual_ms", 1000 * usual);
    add_number(report, "longest_ms", 1000 * most);
    add_number(report, "longest_step", (at - BEFORE) % EVERY + 1);
    add_number(report, "longest_over_usual", most / usual);
    return most / usual;
}

static int run_case(int c, const Square* square, int passes, Course* course) {
    WeftModelDef def = weft_default_model_def();
    WeftModel* model = NULL;
    WeftError error;
    def.cloths = &square->cloth;
    def.cloth_count = 1;
    def.contact = cases[c].contact;
    def.tearable = true;
    def.tear_at_once = cases[c].at_once;
    def.jobs.thread_count = 1;
    def.step.quality = cases[c].quality;
    if (weft_create_model(&def, &model, &error)) return complain(EXIT_FAILED, "%s", error.message);
    int code = EXIT_GOOD;
    for (int pass = 0; pass < passes && !code; pass++)
        code = take_pass(model, &def.step, cases[c].cuts, pass, course);
    weft_destroy_model(model);
    return code;
}

static int run_cut(const BenchOptions* options, Report* report) {
    Square square;
    Course course;
    int code = make_square(SIDE, SIDE, &square);
    int* pins = need(SIDE, sizeof *pins);
    for (int i = 0; i < SIDE; i++) pins[i] = i;  // by its upper side
    square.cloth.pins = pins;
    square.cloth.pin_count = SIDE;
    double worst = 0;
    for (int c = 0; c < CASE_COUNT && !code; c++) {
        show_progress("%s", cases[c].name);
        code = run_case(c, &square, options->quick ? 1 : options->full ? 6 : 3, &course);
        if (code) break;
        double ratio = tell_course(c, &course, report);
        if (cases[c].quality == 4 && !cases[c].at_once) worst = fmax(worst, ratio);
    }
    add_ratio(report, "longest_over_usual", worst);
    add_note(report,
             "Times are processor time on one thread; the same motion is taken several times, and "
             "each step counts with its least time. A usual step is the median of the 20 before "
             "the first cut.");
    add_note(report,
             "The ratio longest_over_usual is the largest at the default quality, 4, but at once.");
    free(pins);
    destroy_square(&square);
    return code;
}

const Bench cut_bench = {
    .name = "cut",
    .text = "a cloth cut while it moves: the longest step",
    .details =
        "A square metre of 73 x 73 vertices that falls and hangs by its upper side. It is cut "
        "once,\n"
        "or five times, down from its upper third to its lower side; without contact, and kept\n"
        "from itself; at qualities 4 to 1, and at once; one thread.",
    .run = run_cut,
};

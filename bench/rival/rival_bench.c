// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Weft and XPBD within the same milliseconds, on scenes of the project at several meshes. Errors
// are told against the same scene by an implicit method that is solved to the end in short steps.
// As a budget is kept by the clock, no two runs are quite the same.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "rival.h"
#include "trial.h"
#include "weft/weft_io.h"

enum { MAX_RIVAL_FRAMES = 60, FINE_SUBSTEPS = 8, COARSE_SUBSTEPS = 4 };

typedef struct Stage {
    const char* name;
    const char* text;  // of the scene, with two numbers for columns and rows
    double columns;    // over the square root of the number of vertices
    int frames;
} Stage;

// A metre of cloth, or two.
#define CLOTH(mesh, more)                                                               \
    "{\"weft\":1,\"contact\":\"bodies\",\"cloths\":[{\"mesh\":{\"kind\":\"grid\"," mesh \
    ",\"columns\":%d,\"rows\":%d}," more
#define FABRIC                                                                               \
    "\"fabric\":{\"density\":0.15,\"stretch\":2000,\"bend\":3e-5,\"stretch_damping\":0.001," \
    "\"bend_damping\":0.01}"
#define UPRIGHT "\"place\":{\"turn\":{\"axis\":[1,0,0],\"degrees\":90}}"
#define TOP "\"pins\":[{\"side\":\"top\"}]"

static const Stage stages[] = {
    {"hanging sheet", CLOTH("\"width\":1,\"height\":1", FABRIC "," UPRIGHT "," TOP "}]}"), 1, 60},
    {"swing",
     CLOTH("\"width\":1,\"height\":1",
           FABRIC ",\"pins\":[{\"corner\":\"top left\"},{\"corner\":\"top right\"}]}]}"),
     1, 60},
    {"curtain",
     CLOTH("\"width\":1.4,\"height\":2",
           FABRIC "," UPRIGHT "," TOP
                  "}],\"wind\":{\"keys\":[[0,0,0,0],[0.2,0,0,0],[0.5,0.3,0,2.5],[1,0,0,0.5]]}}"),
     0.84, 60},
    {"flag",
     CLOTH("\"width\":1.5,\"height\":1",
           FABRIC "," UPRIGHT ",\"pins\":[{\"side\":\"left\"}]}],\"wind\":[8,0,1.5]}"),
     1.22, 60},
    {"drape",
     CLOTH("\"width\":1,\"height\":1",
           FABRIC ",\"place\":{\"move\":[-0.5,0.87,0.5]}}],\"bodies\":[{\"kind\":\"sphere\","
                  "\"radius\":0.25,\"place\":{\"move\":[0,0.6,0]}}]}"),
     1, 60},
};
enum { STAGE_COUNT = sizeof stages / sizeof *stages };

typedef struct Contest {
    const Stage* stage;
    int vertices, frames;
    WeftScene* scene;
    Trajectory truth;
    double floor;  // m: how far the truth is from one with half as many substeps
} Contest;

// What a run came to.
typedef struct Outcome {
    double apart, p99, most, ms, longest, substeps;
} Outcome;

static int read_stage(const Stage* stage, int vertices, WeftScene** scene) {
    char text[2000];
    WeftError error;
    double side = sqrt(vertices);
    int columns = (int)round(stage->columns * side) - 1;
    int rows = (int)round(side / stage->columns) - 1;
    snprintf(text, sizeof text, stage->text, columns, rows);
    if (weft_parse_scene(text, strlen(text), stage->name, NULL, NULL, NULL, scene, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    (*scene)->model.clock.now = thread_time;
    (*scene)->model.jobs.thread_count = 1;
    return EXIT_GOOD;
}

typedef struct Runner {
    WeftModel* model;
    WeftState* state;
    Rival* rival;  // NULL: weft
} Runner;

static int start(const WeftScene* scene, bool by_rival, Runner* runner) {
    WeftError error;
    WeftResult result = by_rival ? create_rival_model(scene, &runner->model, &error)
                                 : weft_create_model(&scene->model, &runner->model, &error);
    if (!result) result = weft_create_state(runner->model, &runner->state, &error);
    if (result) return complain(EXIT_FAILED, "%s", error.message);
    if (by_rival) runner->rival = create_rival(scene, runner->state);
    if (by_rival && !runner->rival) return complain(EXIT_FAILED, "out of memory");
    return EXIT_GOOD;
}

static void stop(Runner* runner) {
    destroy_rival(runner->rival);
    weft_destroy_state(runner->state);
    weft_destroy_model(runner->model);
}

// Returns the seconds of the step; negative: it failed.
static double step(const WeftScene* scene, const WeftStepDef* asked, Runner* runner) {
    WeftStepDef def = *asked;
    weft_direct_scene(scene, runner->state, &def);
    WeftResult result = runner->rival ? take_rival_step(runner->rival, runner->state, &def)
                                      : weft_step(runner->state, &def);
    if (result) return complain(-1, "%s", weft_state_error(runner->state)->message);
    return runner->rival ? rival_report(runner->rival)->total
                         : weft_report(runner->state)->times.total;
}

static int run_truth(const Contest* contest, int substeps, Trajectory* record) {
    Runner runner = {0};
    WeftScene* scene = contest->scene;
    WeftStepDef kept = scene->model.step, def = weft_default_step_def();
    def.method = WEFT_METHOD_IMPLICIT;
    def.order = 2;
    def.substeps = substeps;
    def.newton_steps = 12;
    def.newton_tolerance = 1e-3;
    def.stretch_tolerance = def.rest_speed = 0;
    memcpy(def.wind, kept.wind, sizeof def.wind);
    scene->model.step = def;
    show_progress("the converged motion: %s, %d vertices, %d substeps", contest->stage->name,
                  contest->vertices, substeps);
    int code = start(scene, false, &runner);
    create_trajectory(record, contest->frames, code ? 0 : weft_vertex_count(runner.model));
    for (int f = 0; f < contest->frames && !code; f++) {
        if (step(scene, &def, &runner) < 0) code = EXIT_FAILED;
        memcpy(trajectory_frame(record, f), weft_positions(runner.state),
               3 * (size_t)record->vertex_count * sizeof(double));
    }
    scene->model.step = kept;
    stop(&runner);
    return code;
}

static int find_truth_of(Contest* contest) {
    Trajectory half = {0};
    int code = run_truth(contest, FINE_SUBSTEPS, &contest->truth);
    if (!code) code = run_truth(contest, COARSE_SUBSTEPS, &half);
    if (!code) contest->floor = mean_distance(&contest->truth, &half);
    destroy_trajectory(&half);
    return code;
}

static int run_contest(const Contest* contest, bool by_rival, double budget, Outcome* outcome) {
    Runner runner = {0};
    WeftScene* scene = contest->scene;
    WeftStepDef def = scene->model.step;
    Distance apart = {.from = &contest->truth};
    double p99 = 0;
    *outcome = (Outcome){0};
    def.budget_ms = budget;
    scene->model.step = def;
    int code = start(scene, by_rival, &runner);
    for (int f = 0; f < contest->frames && !code; f++) {
        WeftMeasure measure;
        double seconds = step(scene, &def, &runner);
        if (seconds < 0) code = EXIT_FAILED;
        if (code || weft_measure(runner.state, def.gravity, &measure)) continue;
        add_frame(&apart, f, weft_positions(runner.state));
        p99 += (measure.p99_stretch - 1) / contest->frames;
        outcome->most = fmax(outcome->most, measure.max_stretch - 1);
        outcome->ms += 1000 * seconds / contest->frames;
        outcome->longest = fmax(outcome->longest, 1000 * seconds);
        outcome->substeps += (double)(by_rival ? rival_report(runner.rival)->substeps
                                               : weft_report(runner.state)->substeps) /
                             contest->frames;
    }
    outcome->p99 = p99;
    outcome->apart = rms_distance(&apart);
    scene->model.step.budget_ms = 0;
    stop(&runner);
    return code;
}

static void add_outcome(Report* report, const Contest* contest, double budget, const char* who,
                        const Outcome* o) {
    start_row(report);
    add_text(report, "scene", contest->stage->name);
    add_number(report, "vertices", contest->vertices);
    add_number(report, "budget_ms", budget);
    add_text(report, "method", who);
    add_number(report, "off_mm", 1000 * o->apart);
    add_number(report, "floor_mm", 1000 * contest->floor);
    add_number(report, "stretch_p99_percent", 100 * o->p99);
    add_number(report, "stretch_most_percent", 100 * o->most);
    add_number(report, "ms", o->ms);
    add_number(report, "substeps", o->substeps);
    tell_row(report, stderr);
}

// How often one of two is closer, and stretches less.
typedef struct Score {
    int closer, firmer, count;
} Score;

static int compare_within(const Contest* contest, double budget, Report* report, Score* score) {
    Outcome weft, rival;
    show_progress("%s, %d vertices, %g ms", contest->stage->name, contest->vertices, budget);
    int code = run_contest(contest, false, budget, &weft);
    if (!code) code = run_contest(contest, true, budget, &rival);
    if (code) return code;
    add_outcome(report, contest, budget, "weft", &weft);
    add_outcome(report, contest, budget, "XPBD", &rival);
    score->closer += weft.apart < rival.apart;
    score->firmer += weft.p99 < rival.p99;
    score->count++;
    return EXIT_GOOD;
}

static int run_stage(const Stage* stage, int vertices, const BenchOptions* options, Report* report,
                     Score* score) {
    static const double budgets[] = {2, 4, 8};
    Contest contest = {.stage = stage, .frames = options->quick ? 10 : stage->frames};
    int code = read_stage(stage, vertices, &contest.scene);
    if (code) return code;
    contest.vertices = contest.scene->meshes[0].vertex_count;
    code = find_truth_of(&contest);
    for (int b = 0; b < (options->quick ? 1 : 3) && !code; b++)
        code = compare_within(&contest, budgets[b], report, score);
    destroy_trajectory(&contest.truth);
    weft_destroy_scene(contest.scene);
    return code;
}

static int run(const BenchOptions* options, Report* report) {
    static const int sizes[] = {1024, 4096, 16384};
    static const char* const columns[] = {"scene", "vertices", "budget_ms", "method", NULL};
    Score score = {0};
    int code = EXIT_GOOD, count = options->quick ? 1 : options->full ? 3 : 2;
    report->columns = columns;
    for (int s = 0; s < STAGE_COUNT && !code; s++) {
        if (options->part && strcmp(options->part, stages[s].name) != 0) continue;
        for (int i = 0; i < count && !code; i++)
            code = run_stage(&stages[s], sizes[i], options, report, &score);
    }
    end_progress();
    if (code) return code;
    if (score.count == 0) return complain(EXIT_USAGE, "there is no part \"%s\"", options->part);
    add_ratio(report, "weft_closer", (double)score.closer / score.count);
    add_ratio(report, "weft_firmer", (double)score.firmer / score.count);
    add_note(report, "off_mm: rms distance from the converged motion, which is known to floor_mm.");
    add_note(report, "weft_closer, weft_firmer: the part of all rows in which it is so.");
    return EXIT_GOOD;
}

const Bench rival_bench = {
    .name = "rival",
    .text = "weft and XPBD within the same milliseconds",
    .details =
        "A hanging sheet, a swing, a curtain, a flag and a drape over a sphere for a second each, "
        "with\n1024 and 4096 vertices, --full: 16384 as well, within 2, 4 and 8 ms per step: "
        "distance from\nthe converged motion, stretch, milliseconds. --part: one of them.",
    .has_parts = true,
    .run = run,
};

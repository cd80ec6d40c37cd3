// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Does a budget hold where cloth touches? The share of the steps that keep it, by scene and method.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "course.h"

static const char* const scenes[] = {"dress", "cape", "funnel", "heap"};
static const double budgets[] = {4, 8};  // ms
enum { SCENE_COUNT = 4, BUDGET_COUNT = 2, WARM_UP = 3, QUICK_STEPS = 20, MOST_STEPS = 300 };
static const double SLACK = 1.1;    // a step within ten per cent over the budget is good
static const double PATIENCE = 60;  // s of steps, after which a course is given up

// Of the steps that count.
typedef struct Shares {
    int steps, within, cut, late;  // late: longer, and the report says that no setting is faster
    double mean, worst, substeps;  // ms
} Shares;

// The least of all scenes.
typedef struct Least {
    bool found;
    double within, told;
} Least;

static Shares count_steps(const Course* course, double budget) {
    Shares shares = {0};
    for (int i = WARM_UP; i < course->done; i++) {
        const StepTimes* step = &course->steps[i];
        shares.steps++;
        shares.mean += step->ms;
        shares.worst = fmax(shares.worst, step->ms);
        shares.within += step->ms <= SLACK * budget;
        shares.cut += step->cut;
        shares.late += step->ms > SLACK * budget && step->late;
        shares.substeps += step->substeps;
    }
    shares.mean /= fmax(shares.steps, 1);
    shares.substeps /= fmax(shares.steps, 1);
    return shares;
}

static void add_shares(const char* scene, const RealtimeMethod* method, double budget,
                       const Course* course, const Shares* shares, Report* report) {
    double steps = fmax(shares->steps, 1);
    start_row(report);
    add_text(report, "part", "budget");
    add_text(report, "scene", scene);
    add_number(report, "vertices", course->vertices);
    add_text(report, "method", method->name);
    add_number(report, "budget_ms", budget);
    add_number(report, "steps", shares->steps);
    if (*course->failure) add_text(report, "failure", course->failure);
    add_number(report, "within", shares->within / steps);
    add_number(report, "late", shares->late / steps);
    add_number(report, "cut", shares->cut / steps);
    add_number(report, "mean_ms", shares->mean);
    add_number(report, "worst_ms", shares->worst);
    add_number(report, "worst_over_budget", shares->worst / budget);
    add_number(report, "substeps", shares->substeps);
    add_judgement(&course->judgement, report);
}

static int count_frames(const BenchOptions* options, const ContactStage* stage) {
    int count = weft_scene_frames(stage->scene), most = options->quick ? QUICK_STEPS : MOST_STEPS;
    return count < most ? count : most;
}

static int run_budget(const BenchOptions* options, const RealtimeScene* scene,
                      const RealtimeMethod* method, double budget, ContactStage* stage,
                      Least* least, Report* report) {
    Course course;
    char what[120];
    Setting setting = {.method = method, .budget_ms = budget};
    if (!ready_or_note(&setting, stage, report)) return EXIT_GOOD;
    snprintf(what, sizeof what, "%s, %s within %g ms", scene->name, method->name, budget);
    CourseDef def = {.what = what, .judges = true, .patience = PATIENCE};
    def.frames = count_frames(options, stage);
    int code = take_course(&def, stage, &course);
    Shares shares = count_steps(&course, budget);
    if (!code) add_shares(scene->name, method, budget, &course, &shares, report);
    if (*course.failure && course.spent < 1000 * PATIENCE) shares.within = shares.late = 0;
    double steps = fmax(shares.steps, 1);
    least->found = true;
    least->within = fmin(least->within, shares.within / steps);
    least->told = fmin(least->told, (shares.within + shares.late) / steps);
    destroy_course(&course);
    return code;
}

static int run_scene(const BenchOptions* options, const RealtimeScene* scene,
                     Least least[REALTIME_METHODS][BUDGET_COUNT], Report* report) {
    ContactStage stage = {0};
    int code = load_realtime_scene(options, scene, &stage.scene);
    for (int m = 0; m < REALTIME_METHODS; m++)
        for (int b = 0; b < BUDGET_COUNT && !code; b++) {
            code = run_budget(options, scene, &realtime_methods[m], budgets[b], &stage,
                              &least[m][b], report);
            clear_contact_stage(&stage);
        }
    weft_destroy_scene(stage.scene);
    return code;
}

int run_realtime_budget(const BenchOptions* options, Report* report) {
    Least least[REALTIME_METHODS][BUDGET_COUNT];
    int code = EXIT_GOOD;
    for (int i = 0; i < REALTIME_METHODS * BUDGET_COUNT; i++)
        least[i / BUDGET_COUNT][i % BUDGET_COUNT] = (Least){false, 1, 1};
    start_table(report, "budget");
    for (int s = 0; s < SCENE_COUNT && !code; s++) {
        const RealtimeScene* scene = find_realtime_scene(scenes[s]);
        if (!options->quick || scene->quick) code = run_scene(options, scene, least, report);
    }
    for (int m = 0; m < REALTIME_METHODS && !code; m++)
        for (int b = 0; b < BUDGET_COUNT; b++) {
            if (!least[m][b].found) continue;
            add_ratio(report, realtime_methods[m].within[b], least[m][b].within);
            add_ratio(report, realtime_methods[m].within_or_late[b], least[m][b].told);
        }
    add_note(report,
             "budget: processor time of whole steps, the first three left out, 300 at most. "
             "within: no more than 1.1 budgets; late: longer, and the report says that no setting "
             "is faster. Ratios: the least of the scenes.");
    return code;
}

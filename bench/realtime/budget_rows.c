// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Does a budget hold where cloth touches? The share of the steps that keep it, by scene and method.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "realtime.h"

static const char* const scenes[] = {"dress", "cape", "funnel", "heap"};
static const double budgets[] = {4, 8};  // ms
enum { SCENE_COUNT = 4, BUDGET_COUNT = 2, WARM_UP = 3, QUICK_STEPS = 20, MOST_STEPS = 300 };
static const double SLACK = 1.1;    // a step within ten per cent over the budget is good
static const double PATIENCE = 60;  // s of steps, after which a course is given up

typedef struct Course {
    int steps;              // counted
    int within, cut, late;  // late: longer, and the report says that no setting is fast enough
    double mean, worst;     // ms
    double substeps, p99, most, depth;
    long crossings, inside;
    char failure[200];  // of a step; empty: none
} Course;

// The least of all scenes.
typedef struct Least {
    bool found;
    double within, told;
} Least;

static const RealtimeScene* find_scene(const char* name) {
    const RealtimeScene* scene = realtime_scenes;
    while (strcmp(scene->name, name) != 0) scene++;
    return scene;
}

static int judge_step(ContactStage* stage, Course* course) {
    Verdict verdict;
    WeftMeasure measure;
    int code = judge_realtime(stage, &verdict);
    if (code) return code;
    if (weft_measure(stage->state, stage->step.gravity, &measure))
        return complain(EXIT_FAILED, "out of memory");
    course->crossings += verdict.crossings;
    course->inside += verdict.inside;
    course->depth = fmax(course->depth, verdict.depth);
    course->p99 = fmax(course->p99, measure.p99_stretch);
    course->most = fmax(course->most, measure.max_stretch);
    return EXIT_GOOD;
}

static void count_step(const WeftStepReport* done, double ms, double budget, Course* course) {
    course->steps++;
    course->mean += ms;
    course->worst = fmax(course->worst, ms);
    course->within += ms <= SLACK * budget;
    course->cut += done->cut;
    course->late += ms > SLACK * budget && done->late;
    course->substeps += done->substeps;
}

static int take_course(const BenchOptions* options, double budget, ContactStage* stage,
                       Course* course) {
    int count = weft_scene_frames(stage->scene), code = EXIT_GOOD;
    if (count > MOST_STEPS) count = MOST_STEPS;
    if (options->quick && count > QUICK_STEPS) count = QUICK_STEPS;
    for (int i = 0; i < count && course->mean < 1000 * PATIENCE && !code; i++) {
        WeftResult result = weft_direct_scene(stage->scene, stage->state, &stage->step);
        double start = thread_time(NULL);
        if (!result) result = weft_step(stage->state, &stage->step);
        double ms = 1000 * (thread_time(NULL) - start);
        if (result) {
            snprintf(course->failure, sizeof course->failure, "step %d: %.150s", i + 1,
                     weft_state_error(stage->state)->message);
            break;
        }
        if (i >= WARM_UP) count_step(weft_report(stage->state), ms, budget, course);
        code = judge_step(stage, course);
    }
    course->mean /= fmax(course->steps, 1);
    course->substeps /= fmax(course->steps, 1);
    return code;
}

static void add_course(const char* scene, const RealtimeMethod* method, int vertices, double budget,
                       const Course* course, Report* report) {
    double steps = fmax(course->steps, 1);
    start_row(report);
    add_text(report, "part", "budget");
    add_text(report, "scene", scene);
    add_number(report, "vertices", vertices);
    add_text(report, "method", method->name);
    add_number(report, "budget_ms", budget);
    add_number(report, "steps", course->steps);
    if (*course->failure) add_text(report, "failure", course->failure);
    add_number(report, "within", course->within / steps);
    add_number(report, "late", course->late / steps);
    add_number(report, "cut", course->cut / steps);
    add_number(report, "mean_ms", course->mean);
    add_number(report, "worst_ms", course->worst);
    add_number(report, "worst_over_budget", course->worst / budget);
    add_number(report, "substeps", course->substeps);
    add_number(report, "stretch_p99", course->p99);
    add_number(report, "most_stretch", course->most);
    add_number(report, "crossings", (double)course->crossings);
    add_number(report, "inside", (double)course->inside);
    add_number(report, "depth_m", course->depth);
}

static int run_budget(const BenchOptions* options, const RealtimeScene* scene,
                      const RealtimeMethod* method, double budget, ContactStage* stage,
                      Least* least, Report* report) {
    WeftError error;
    Course course = {0};
    Setting setting = {.method = method, .budget_ms = budget};
    if (ready_setting(&setting, stage, &error)) {
        note_refusal(report, method->name, error.message);
        return EXIT_GOOD;
    }
    show_progress("%s, %s within %g ms", scene->name, method->name, budget);
    int code = take_course(options, budget, stage, &course);
    if (code) return code;
    double steps = fmax(course.steps, 1);
    least->found = true;
    if (*course.failure) course.within = course.late = 0;
    least->within = fmin(least->within, course.within / steps);
    least->told = fmin(least->told, (course.within + course.late) / steps);
    add_course(scene->name, method, weft_vertex_count(stage->model), budget, &course, report);
    return EXIT_GOOD;
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
        const RealtimeScene* scene = find_scene(scenes[s]);
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

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Does a budget hold where cloth touches, and what does it cost in stretch and crossings? Every
// scene without a budget, then with three.

#include "budget_contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact_stage.h"

static const char* const scenes[] = {"funnel", "heap", "cape", "capsule"};
static const double budgets[] = {0, 4, 8, 16};  // ms; 0: none
enum { SCENE_COUNT = 4, BUDGET_COUNT = 4, WARM_UP = 3 };
enum { MOST_STEPS = 300, QUICK_STEPS = 40 };
static const double SLACK = 1.1;  // a step within ten per cent over the budget is good

typedef struct Course {
    int steps;                 // counted; fewer than asked for where patience ended
    int within;                // of them: within the budget and its slack
    int cut;                   // of them: ended early by the budget
    int told;                  // of them: longer, but the report says that no quality is faster
    double mean_ms, worst_ms;  // per step
    double max_stretch;        // of all frames
    int crossings, frames;     // of all frames; frames that have any
    int unstopped;             // the most of a step
} Course;

static int judge_frame(ContactStage* stage, Course* course) {
    WeftMeasure measure;
    Passed passed;
    int unstopped = weft_report(stage->state)->unstopped;
    if (weft_measure(stage->state, stage->step.gravity, &measure))
        return complain(EXIT_FAILED, "out of memory");
    int code = judge_contact(stage, &passed);
    course->max_stretch = fmax(course->max_stretch, measure.max_stretch);
    course->crossings += passed.crossings;
    course->frames += passed.crossings > 0;
    if (unstopped > course->unstopped) course->unstopped = unstopped;
    return code;
}

static int take_course(ContactStage* stage, double budget, int step_count, Course* course) {
    double spent = 0;
    int code = EXIT_GOOD;
    *course = (Course){0};
    for (int i = 0; i < step_count && spent < 1000.0 * CONTACT_PATIENCE && !code; i++) {
        stage->step.budget_ms = budget;
        double start = thread_time(NULL);
        if (take_contact_step(stage))
            return complain(EXIT_FAILED, "%s", weft_state_error(stage->state)->message);
        double ms = 1000 * (thread_time(NULL) - start);
        code = judge_frame(stage, course);
        if (i < WARM_UP) continue;
        spent += ms;
        course->steps++;
        course->within += ms <= SLACK * budget;
        course->cut += weft_report(stage->state)->cut;
        course->told += ms > SLACK * budget && weft_report(stage->state)->late;
        course->worst_ms = fmax(course->worst_ms, ms);
    }
    course->mean_ms = spent / fmax(course->steps, 1);
    return code;
}

static void add_course(Report* report, const char* scene, double budget, const Course* course,
                       const Course* free_course) {
    start_row(report);
    add_text(report, "part", "contact");
    add_text(report, "scene", scene);
    add_number(report, "budget_ms", budget);
    add_number(report, "steps", course->steps);
    if (budget > 0) add_number(report, "within", (double)course->within / course->steps);
    if (budget > 0) add_number(report, "late", (double)course->told / course->steps);
    add_number(report, "mean_ms", course->mean_ms);
    add_number(report, "worst_ms", course->worst_ms);
    if (budget > 0) add_number(report, "worst_over_budget", course->worst_ms / budget);
    if (budget > 0) add_number(report, "cut", (double)course->cut / course->steps);
    add_number(report, "max_stretch", course->max_stretch);
    if (budget > 0)
        add_number(report, "stretch_factor", course->max_stretch / free_course->max_stretch);
    add_number(report, "crossings", course->crossings);
    add_number(report, "crossed_frames", course->frames);
    add_number(report, "unstopped", course->unstopped);
}

// All budgets of one scene, the one without first.
static int run_scene(const BenchOptions* options, int scene, Course* courses, Report* report) {
    ContactStage stage = {0};
    char* text = read_contact_scene(scenes[scene], 1, false);
    if (!text) return EXIT_FAILED;
    int code = open_contact_stage(scenes[scene], text, -1, &stage);
    for (int b = 0; b < BUDGET_COUNT && !code; b++) {
        int steps = (int)(stage.scene->duration / stage.step.dt + 0.5);
        if (steps > MOST_STEPS) steps = MOST_STEPS;
        if (options->quick) steps = QUICK_STEPS;
        show_progress("%s: %g ms", scenes[scene], budgets[b]);
        if (b > 0) code = reset_contact_stage(&stage);
        if (!code) code = take_course(&stage, budgets[b], steps, &courses[b]);
        if (!code) add_course(report, scenes[scene], budgets[b], &courses[b], &courses[0]);
    }
    close_contact_stage(&stage);
    free(text);
    return code;
}

static void tell_ratios(Report* report, Course courses[SCENE_COUNT][BUDGET_COUNT]) {
    static const char* const within[] = {NULL, "within_contact_4ms", "within_contact_8ms",
                                         "within_contact_16ms"};
    static const char* const told[] = {NULL, "within_or_late_4ms", "within_or_late_8ms",
                                       "within_or_late_16ms"};
    double worst = 0, stretch = 0, crossings = 0;
    for (int b = 1; b < BUDGET_COUNT; b++) {
        double least = 1, least_told = 1;
        for (int s = 0; s < SCENE_COUNT; s++) {
            const Course* course = &courses[s][b];
            least = fmin(least, (double)course->within / course->steps);
            least_told = fmin(least_told, (double)(course->within + course->told) / course->steps);
            worst = fmax(worst, course->worst_ms / budgets[b]);
            stretch = fmax(stretch, course->max_stretch / courses[s][0].max_stretch);
            crossings += course->crossings;
        }
        add_ratio(report, within[b], least);
        add_ratio(report, told[b], least_told);
    }
    add_ratio(report, "worst_over_budget", worst);
    add_ratio(report, "stretch_factor", stretch);
    add_ratio(report, "contact_crossings", crossings);
    for (int s = 0; s < SCENE_COUNT; s++)
        if (strcmp(scenes[s], "cape") == 0)
            add_ratio(report, "cape_worst_over_mean",
                      courses[s][0].worst_ms / courses[s][0].mean_ms);
}

int run_budget_contact(const BenchOptions* options, Report* report) {
    Course courses[SCENE_COUNT][BUDGET_COUNT];
    int code = EXIT_GOOD;
    start_table(report, "contact");
    for (int s = 0; s < SCENE_COUNT && !code; s++) code = run_scene(options, s, courses[s], report);
    if (code) return code;
    tell_ratios(report, courses);
    add_note(report,
             "contact: processor time of whole steps, the first three left out, the first 300 at "
             "most; a row ends after 60 s. within_contact is the least of all scenes; late: "
             "longer steps of which the report says that no quality takes less; "
             "stretch_factor: the largest stretch over that without a budget, the most of all.");
    return EXIT_GOOD;
}

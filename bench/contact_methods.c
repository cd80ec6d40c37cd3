// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Every method of the tool on every scene with contact.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact.h"
#include "contact_stage.h"

enum { QUICK_STEPS = 6 };

// Explicit steps are cut into as many as a hundred: fewer of them.
static const struct {
    const char *name, *time_name;
    WeftMethod method;
    int step_count;
} methods[] = {
    {"prefactored", "prefactored_ms", WEFT_METHOD_PREFACTORED, 90},
    {"implicit", "implicit_ms", WEFT_METHOD_IMPLICIT, 90},
    {"relaxation", "relaxation_ms", WEFT_METHOD_RELAXATION, 90},
    {"matrix_free", "matrix_free_ms", WEFT_METHOD_MATRIX_FREE, 90},
    {"symplectic", "symplectic_ms", WEFT_METHOD_SYMPLECTIC, 15},
};
enum { METHOD_COUNT = sizeof methods / sizeof *methods };

typedef struct Course {
    int start_crossings, end_crossings, crossing_frames, below_frames, done;
    double seconds;
    char failure[64];
} Course;

static int take_course(ContactStage* stage, int step_count, Course* course) {
    Passed passed;
    int code = judge_contact(stage, &passed);
    course->start_crossings = passed.crossings;
    for (int i = 0; i < step_count && !code; i++) {
        if (take_contact_step(stage)) {
            snprintf(course->failure, sizeof course->failure, "step %d: %.30s", i + 1,
                     weft_state_error(stage->state)->message);
            return EXIT_GOOD;
        }
        course->seconds += weft_report(stage->state)->times.total;
        course->done++;
        if (course->seconds > CONTACT_PATIENCE && i + 1 < step_count) {
            snprintf(course->failure, sizeof course->failure, "too slow at step %d", i + 1);
            return EXIT_GOOD;
        }
        code = judge_contact(stage, &passed);
        if (code) return code;
        course->end_crossings = passed.crossings;
        course->crossing_frames += passed.crossings > 0;
        course->below_frames += passed.below > 0;
    }
    return code;
}

// Frames in which something crosses; of a scene that begins so, crossings at its end.
static void add_course(const Course* course, int method, Report* report) {
    bool clean = course->start_crossings == 0;
    if (*course->failure)
        add_text(report, methods[method].name, course->failure);
    else
        add_number(report, methods[method].name,
                   clean ? course->crossing_frames + course->below_frames : course->end_crossings);
    add_number(report, methods[method].time_name, 1000 * course->seconds / course->done);
}

static int run_method(const BenchOptions* options, const char* name, int method, Course* course) {
    ContactStage stage = {0};
    char* text = read_contact_scene(name, 1, methods[method].method == WEFT_METHOD_SYMPLECTIC);
    int step_count = options->quick ? QUICK_STEPS : methods[method].step_count;
    show_progress("%s, %s", name, methods[method].name);
    int code =
        text ? open_contact_stage(name, text, (int)methods[method].method, &stage) : EXIT_FAILED;
    if (!code) code = take_course(&stage, step_count, course);
    close_contact_stage(&stage);
    free(text);
    return code;
}

static int run_scene(const BenchOptions* options, const char* name, int* failures, int* crossing,
                     Report* report) {
    int code = EXIT_GOOD;
    start_row(report);
    add_text(report, "scene", name);
    for (int m = 0; m < METHOD_COUNT && !code; m++) {
        Course course = {0};
        code = run_method(options, name, m, &course);
        if (code) break;
        add_course(&course, m, report);
        *failures += *course.failure != 0;
        if (course.start_crossings == 0) *crossing += course.crossing_frames + course.below_frames;
    }
    return code;
}

int run_contact_methods(const BenchOptions* options, Report* report) {
    int code = EXIT_GOOD, failures = 0, crossing = 0;
    start_table(report, "methods");
    for (int i = 0; contact_scenes[i] && !code; i++)
        code = run_scene(options, contact_scenes[i], &failures, &crossing, report);
    if (code) return code;
    add_ratio(report, "method_failures", failures);
    add_ratio(report, "method_crossing_frames", crossing);
    add_note(report,
             "methods: frames in which something crosses (of a scene that begins tangled, "
             "crossings left), of 90; explicit of 15, without damping; ms per step.");
    return EXIT_GOOD;
}

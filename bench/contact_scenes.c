// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// All scenes with contact at three densities: what crosses, how deep, and what a step costs.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact.h"
#include "contact_stage.h"

static const double densities[] = {0.5, 1, 2};  // times the vertices of the scene
enum { DENSITY_COUNT = 3, QUICK_DENSITIES = 2, PASSES = 2, QUICK_STEPS = 60, MAX_SCENES = 32 };

// Seconds of a step.
typedef struct Phases {
    double body, self, respond, defend, solve, total;
} Phases;

// What one scene at one density gave.
typedef struct Course {
    const char* name;
    int vertices, step_count, done, asleep;
    Phases* steps;  // of each, the faster pass
    int first_crossings, last_crossings, most_crossings;
    int crossing_frames, first_crossing, below_frames;
    double depth, penetration;
    int impacts, zones, unstopped;
    char failure[64];  // empty: none
} Course;

// ---------------------------------------------------------------------------------------------
// Steps

static Phases phases_of(const WeftTimes* times) {
    return (Phases){times->body,   times->self,  times->respond,
                    times->defend, times->solve, times->total};
}

static double contact_time(const Phases* phases) {
    return phases->body + phases->self + phases->respond + phases->defend;
}

static void count_passed(const Passed* passed, int frame, Course* course) {
    if (frame == 0) course->first_crossings = passed->crossings;
    course->last_crossings = passed->crossings;
    if (passed->crossings > course->most_crossings) course->most_crossings = passed->crossings;
    if (passed->crossings > 0 && course->crossing_frames++ == 0) course->first_crossing = frame;
    course->below_frames += passed->below > 0;
    course->depth = fmax(course->depth, passed->depth);
}

static void count_step(const WeftStepReport* done, int step, Course* course) {
    course->steps[step] = phases_of(&done->times);
    course->penetration = fmax(course->penetration, done->penetration);
    course->impacts += done->impacts;
    course->zones += done->zones;
    course->unstopped += done->unstopped;
    course->asleep += done->asleep;
    course->done++;
}

// The first pass, judged frame by frame. A step that fails ends it, and is a result.
static int take_course(ContactStage* stage, Course* course) {
    Passed passed;
    double start = thread_time(NULL);
    int code = judge_contact(stage, &passed);
    if (!code) count_passed(&passed, 0, course);
    for (int i = 0; i < course->step_count && !code; i++) {
        if (take_contact_step(stage)) {
            snprintf(course->failure, sizeof course->failure, "step %d: %.30s", i + 1,
                     weft_state_error(stage->state)->message);
            return EXIT_GOOD;
        }
        count_step(weft_report(stage->state), i, course);
        if (thread_time(NULL) - start > CONTACT_PATIENCE) {
            snprintf(course->failure, sizeof course->failure, "too slow at step %d", i + 1);
            return EXIT_GOOD;
        }
        code = judge_contact(stage, &passed);
        if (!code) count_passed(&passed, i + 1, course);
    }
    return code;
}

// Once more, for times that nothing else disturbed.
static int repeat_course(ContactStage* stage, Course* course) {
    int code = reset_contact_stage(stage);
    for (int i = 0; i < course->done && !code; i++) {
        if (take_contact_step(stage))
            return complain(EXIT_FAILED, "%s", weft_state_error(stage->state)->message);
        Phases again = phases_of(&weft_report(stage->state)->times);
        if (again.total < course->steps[i].total) course->steps[i] = again;
    }
    return code;
}

static int run_course(const BenchOptions* options, const char* name, double density,
                      Course* course) {
    ContactStage stage = {0};
    char* text = read_contact_scene(name, density, false);
    int code = text ? open_contact_stage(name, text, -1, &stage) : EXIT_FAILED;
    if (!code) {
        course->vertices = weft_vertex_count(stage.model);
        course->step_count = weft_scene_frames(stage.scene);
        if (options->quick && course->step_count > QUICK_STEPS) course->step_count = QUICK_STEPS;
        course->steps = need((size_t)course->step_count, sizeof *course->steps);
        code = take_course(&stage, course);
    }
    for (int pass = 1; pass < (options->quick ? 1 : PASSES) && !code; pass++)
        code = repeat_course(&stage, course);
    close_contact_stage(&stage);
    free(text);
    return code;
}

// ---------------------------------------------------------------------------------------------
// Results

// Per step that was not asleep.
static Phases mean_phases(const Course* course) {
    Phases sum = {0};
    int awake = course->done - course->asleep;
    for (int i = 0; i < course->done; i++) {
        const Phases* step = &course->steps[i];
        sum.body += step->body / awake, sum.self += step->self / awake;
        sum.respond += step->respond / awake, sum.defend += step->defend / awake;
        sum.solve += step->solve / awake, sum.total += step->total / awake;
    }
    return sum;
}

static double slowest_step(const Course* course) {
    double slowest = 0;
    for (int i = 0; i < course->done; i++) slowest = fmax(slowest, course->steps[i].total);
    return slowest;
}

static void add_times(const Course* course, Report* report) {
    Phases mean = mean_phases(course);
    double known = contact_time(&mean) + mean.solve;
    add_number(report, "body_ms", 1000 * mean.body);
    add_number(report, "self_ms", 1000 * mean.self);
    add_number(report, "respond_ms", 1000 * mean.respond);
    add_number(report, "solve_ms", 1000 * mean.solve);
    add_number(report, "defend_ms", 1000 * mean.defend);
    add_number(report, "other_ms", 1000 * (mean.total - known));
    add_number(report, "ms", 1000 * mean.total);
    add_number(report, "slowest_ms", 1000 * slowest_step(course));
}

static void add_course(const Course* course, double density, Report* report) {
    start_row(report);
    add_text(report, "scene", course->name);
    add_number(report, "density", density);
    add_number(report, "vertices", course->vertices);
    add_number(report, "steps", course->done);
    add_number(report, "asleep_steps", course->asleep);
    add_number(report, "crossings_at_start", course->first_crossings);
    add_number(report, "most_crossings", course->most_crossings);
    add_number(report, "crossings_at_end", course->last_crossings);
    add_number(report, "crossing_frames", course->crossing_frames);
    if (course->crossing_frames > 0) add_number(report, "first_crossing", course->first_crossing);
    add_number(report, "below_plane_frames", course->below_frames);
    add_number(report, "depth_mm", 1000 * course->depth);
    add_number(report, "penetration_mm", 1000 * course->penetration);
    add_number(report, "impacts", course->impacts);
    add_number(report, "zones", course->zones);
    add_number(report, "unstopped", course->unstopped);
    if (*course->failure) add_text(report, "failure", course->failure);
    add_times(course, report);
}

// The slope of a straight line through log time over log vertices.
static double growth(const Course* courses, int count) {
    double x[DENSITY_COUNT], y[DENSITY_COUNT], mean_x = 0, mean_y = 0, xx = 0, xy = 0;
    for (int i = 0; i < count; i++) {
        Phases mean = mean_phases(&courses[i]);
        x[i] = log(courses[i].vertices), y[i] = log(contact_time(&mean));
        mean_x += x[i] / count, mean_y += y[i] / count;
    }
    for (int i = 0; i < count; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    return xy / xx;
}

// Of all scenes together: over the crossings of those that start clean, and the growth.
typedef struct Totals {
    int scene_count;
    double growths[MAX_SCENES], depth, penetration;
    int crossing_frames, below_frames, left_tangled, unstopped, failures;
} Totals;

static void add_totals(const Course* course, Totals* totals) {
    bool clean = course->first_crossings == 0;
    totals->crossing_frames += clean ? course->crossing_frames : 0;
    totals->left_tangled += clean ? 0 : course->last_crossings;
    totals->below_frames += clean ? course->below_frames : 0;
    if (clean) totals->depth = fmax(totals->depth, course->depth);
    if (clean) totals->penetration = fmax(totals->penetration, course->penetration);
    totals->unstopped += course->unstopped;
    totals->failures += *course->failure != 0;
}

static void add_ratios(Totals* totals, Report* report) {
    int count = totals->scene_count;
    sort_numbers(totals->growths, count);
    add_ratio(report, "growth_exponent", totals->growths[count / 2]);
    add_ratio(report, "growth_exponent_worst", totals->growths[count - 1]);
    add_ratio(report, "crossing_frames", totals->crossing_frames);
    add_ratio(report, "below_plane_frames", totals->below_frames);
    add_ratio(report, "left_tangled", totals->left_tangled);
    add_ratio(report, "depth_mm", 1000 * totals->depth);
    add_ratio(report, "penetration_mm", 1000 * totals->penetration);
    add_ratio(report, "unstopped", totals->unstopped);
    add_ratio(report, "failures", totals->failures);
}

static int run_scene(const BenchOptions* options, const char* name, Totals* totals,
                     Report* report) {
    Course courses[DENSITY_COUNT] = {0};
    int code = EXIT_GOOD, count = options->quick ? QUICK_DENSITIES : DENSITY_COUNT;
    for (int d = 0; d < count && !code; d++) {
        show_progress("%s with %g times its vertices", name, densities[d]);
        courses[d].name = name;
        code = run_course(options, name, densities[d], &courses[d]);
        if (code) continue;
        add_course(&courses[d], densities[d], report);
        add_totals(&courses[d], totals);
    }
    if (!code) {
        double slope = growth(courses, count);
        add_number(report, "growth", slope);
        if (totals->scene_count < MAX_SCENES) totals->growths[totals->scene_count++] = slope;
    }
    for (int d = 0; d < count; d++) free(courses[d].steps);
    return code;
}

int run_contact_scenes(const BenchOptions* options, Report* report) {
    Totals totals = {0};
    int code = EXIT_GOOD;
    start_table(report, "scenes");
    for (int i = 0; contact_scenes[i] && !code; i++)
        code = run_scene(options, contact_scenes[i], &totals, report);
    if (code) return code;
    add_ratios(&totals, report);
    add_note(report,
             "scenes: crossings of triangles, exact, in every frame; depth_mm of vertices in "
             "spheres, capsules and planes; ms per step that is not asleep, one thread.");
    add_note(report,
             "growth_exponent: slope of contact time (body, self, respond, defend) over vertices, "
             "log-log: the median of the scenes, and the worst.");
    return EXIT_GOOD;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A row for each scene and method.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "course.h"
#include "weft/weft_study.h"

enum { QUICK_FRAMES = 12, REFERENCE_SUBSTEPS = 64, CHEAP_VERTICES = 14000, STAND_FRAMES = 150 };
static const double REPEATED = 30;  // s: what took longer is not measured twice

// The worst over all rows of a method.
typedef struct Totals {
    double stretch[REALTIME_METHODS], crossings[REALTIME_METHODS];
    int rows[REALTIME_METHODS];
} Totals;

void note_refusal(Report* report, const char* method, const char* why) {
    static char notes[8][600];
    static int count;
    char text[600];
    snprintf(text, sizeof text, "Left out, %.100s: %.480s.", method, why);
    for (int i = 0; i < count; i++)
        if (strcmp(notes[i], text) == 0) return;
    if (count == 8) return;
    memcpy(notes[count], text, sizeof text);
    add_note(report, notes[count++]);
}

int open_realtime_scene(const BenchOptions* options, const RealtimeScene* scene,
                        ContactStage* stage, Report* report) {
    if (find_choice("contact", scene->contact) >= 0)
        return load_realtime_scene(options, scene, &stage->scene);
    note_refusal(report, scene->name, "the library does not know this kind of contact");
    return EXIT_GOOD;
}

bool ready_or_note(const Setting* setting, ContactStage* stage, Report* report) {
    WeftError error;
    if (!ready_setting(setting, stage, &error)) return true;
    note_refusal(report, setting->method->name, error.message);
    return false;
}

// ---------------------------------------------------------------------------------------------
// A row

void add_phase_ms(const WeftTimes* times, double scale, Report* report) {
    add_number(report, "predict_ms", scale * times->predict);
    add_number(report, "force_ms", scale * times->force);
    add_number(report, "build_ms", scale * times->build);
    add_number(report, "solve_ms", scale * times->solve);
    add_number(report, "update_ms", scale * times->update);
    add_number(report, "body_ms", scale * times->body);
    add_number(report, "self_ms", scale * times->self);
    add_number(report, "respond_ms", scale * times->respond);
    add_number(report, "defend_ms", scale * times->defend);
}

static void add_motion(const RealtimeScene* scene, const Course* course, Report* report) {
    int third = course->done / 3;
    add_number(report, "growth",
               mean_ms(course, course->done - third, course->done) / mean_ms(course, 0, third));
    if (course->done < STILL_FRAMES) return;
    add_number(report, "still_mean_mm_s", 1000 * course->still_mean);
    add_number(report, "still_most_mm_s", 1000 * course->still_most);
    if (scene->stands) add_number(report, "still_ms", course->still_ms);
    add_number(report, "still_asleep", (double)course->asleep / STILL_FRAMES);
}

void add_judgement(const Judgement* judgement, Report* report) {
    add_number(report, "stretch_p99", judgement->p99);
    add_number(report, "mean_stretch_p99", judgement->mean_p99);
    add_number(report, "most_stretch", judgement->most);
    add_number(report, "crossings", (double)judgement->crossings);
    add_number(report, "crossed_frames", judgement->crossed_frames);
    add_number(report, "inside", (double)judgement->inside);
    add_number(report, "depth_m", judgement->depth);
    add_number(report, "unstopped", judgement->unstopped);
}

void add_memory(const Memory* memory, Report* report) {
    add_number(report, "state_kb", (double)memory->state / 1000);
    add_number(report, "model_kb", (double)memory->model / 1000);
    add_number(report, "allocations", (double)memory->allocations);
}

static void add_course(const RealtimeScene* scene, const char* method, const Course* course,
                       double rms, Report* report) {
    start_row(report);
    add_text(report, "scene", scene->name);
    add_number(report, "vertices", course->vertices);
    add_text(report, "method", method);
    if (*course->failure) add_text(report, "failure", course->failure);
    if (course->done == 0) return;
    add_number(report, "mean_ms", mean_ms(course, 0, course->done));
    add_number(report, "p99_ms", rank_ms(course, 0.99));
    add_number(report, "worst_ms", rank_ms(course, 1));
    add_number(report, "worst_step", slowest_step(course));
    add_number(report, "first_ms", course->steps[0].ms);
    WeftTimes sums = {0};
    for (int i = 0; i < course->done; i++) sum_times(&course->steps[i].times, &sums);
    add_phase_ms(&sums, 1000.0 / course->done, report);
    add_number(report, "stretch_p50", course->p50);
    add_judgement(&course->judgement, report);
    add_motion(scene, course, report);
    if (isfinite(rms)) add_number(report, "rms_mm", 1000 * rms);
    add_number(report, "steps", course->done);
    add_number(report, "substeps", course->substeps);
    add_memory(&course->memory, report);
}

// ---------------------------------------------------------------------------------------------
// Runs

static int count_frames(const BenchOptions* options, const ContactStage* stage) {
    int count = weft_scene_frames(stage->scene);
    return options->quick && count > QUICK_FRAMES ? QUICK_FRAMES : count;
}

static bool has_reference(const BenchOptions* options, const RealtimeMethod* method, int vertices) {
    return options->full || (method->cheap && !options->quick && vertices < CHEAP_VERTICES);
}

// The same scene with many substeps of the same method. NAN where that is refused.
static int find_rms(const RealtimeScene* scene, const RealtimeMethod* method, ContactStage* stage,
                    const Course* course, Report* report, double* rms) {
    WeftError error;
    Course reference = {0};
    Setting setting = {.method = method, .substeps = REFERENCE_SUBSTEPS};
    char what[120];
    snprintf(what, sizeof what, "%s, %s, %d substeps", scene->name, method->name,
             REFERENCE_SUBSTEPS);
    CourseDef def = {.what = what, .frames = course->asked, .keeps_path = true};
    int code = EXIT_GOOD;
    clear_contact_stage(stage);
    if (ready_setting(&setting, stage, &error))
        note_refusal(report, what, error.message);
    else
        code = take_course(&def, stage, &reference);
    if (!code && reference.done == course->asked)
        *rms = mean_distance(&reference.path, &course->path);
    destroy_course(&reference);
    return code;
}

static int run_method(const BenchOptions* options, const RealtimeScene* scene,
                      const RealtimeMethod* method, ContactStage* stage, Course* course,
                      Report* report) {
    char what[120];
    double rms = (double)NAN;
    Setting setting = {.method = method};
    snprintf(what, sizeof what, "%s, %s", scene->name, method->name);
    if (!ready_or_note(&setting, stage, report)) return EXIT_GOOD;
    CourseDef def = {.what = what, .frames = count_frames(options, stage), .judges = true};
    def.patience = COURSE_PATIENCE;
    if (scene->stands && !options->quick) def.stands = STAND_FRAMES;
    def.keeps_path = has_reference(options, method, weft_vertex_count(stage->model));
    int code = take_course(&def, stage, course);
    if (!code && !options->quick && course->spent < 1000 * REPEATED) {
        show_progress("%s, once more", what);
        code = repeat_course(stage, course);
    }
    if (!code && def.keeps_path && course->done == course->asked)
        code = find_rms(scene, method, stage, course, report, &rms);
    if (code) return code;
    add_course(scene, method->name, course, rms, report);
    end_progress();
    tell_row(report, stderr);
    return EXIT_GOOD;
}

static void count_row(int method, const Course* course, Totals* totals) {
    totals->rows[method]++;
    totals->stretch[method] = fmax(totals->stretch[method], course->judgement.p99);
    totals->crossings[method] += (double)course->judgement.crossings;
}

static int run_scene(const BenchOptions* options, const RealtimeScene* scene, Totals* totals,
                     Report* report) {
    ContactStage stage = {0};
    double first = (double)NAN;
    int code = open_realtime_scene(options, scene, &stage, report);
    if (code || !stage.scene) return code;
    for (int m = 0; m < REALTIME_METHODS && !code; m++) {
        Course course = {0};
        code = run_method(options, scene, &realtime_methods[m], &stage, &course, report);
        if (!code && course.done > 0) {
            double mean = mean_ms(&course, 0, course.done);
            if (m == 0) first = mean;
            if (m > 0 && !*course.failure) add_ratio(report, scene->ratio, mean / first);
            count_row(m, &course, totals);
        }
        destroy_course(&course);
        clear_contact_stage(&stage);
    }
    weft_destroy_scene(stage.scene);
    return code;
}

static void add_notes(Report* report) {
    add_note(report,
             "One thread, processor time of whole steps of 1/60 s, the faster of two passes (of "
             "what takes more than 30 s, one). growth: mean of the last third of the steps over "
             "that of the first.");
    add_note(report,
             "stretch: length over length at rest: median (mean over the frames), 99 % of the "
             "edges (worst frame, and mean), longest edge of any frame behind the 10th. crossings: "
             "pairs of triangles, exact, inside: vertices, both of all frames together.");
    add_note(report,
             "still: by the displacement of each vertex from frame to frame in the last half "
             "second; where something walks, "
             "after it stood for 2 s, which count in no other time. rms_mm: from the same scene "
             "with 64 substeps of the same method. allocations: in the second half of the steps.");
}

static bool is_asked(const BenchOptions* options, const RealtimeScene* scene) {
    if (!options->part) return !options->quick || scene->quick;
    return strcmp(options->part, scene->part) == 0 || strcmp(options->part, scene->name) == 0;
}

int run_realtime_scenes(const BenchOptions* options, Report* report) {
    Totals totals = {.rows = {0}};
    int code = EXIT_GOOD, count = 0;
    start_table(report, "scenes");
    for (int s = 0; realtime_scenes[s].name && !code; s++) {
        if (!is_asked(options, &realtime_scenes[s])) continue;
        code = run_scene(options, &realtime_scenes[s], &totals, report);
        count++;
    }
    for (int m = 0; m < REALTIME_METHODS && !code; m++) {
        if (totals.rows[m] == 0) continue;
        add_ratio(report, realtime_methods[m].stretch, totals.stretch[m]);
        add_ratio(report, realtime_methods[m].crossings, totals.crossings[m]);
    }
    if (count > 0) add_notes(report);
    return code;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "contact_motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "three.h"

enum { TRUTH_SUBSTEPS = 16, OWN_SUBSTEPS = 64, QUICK_SUBSTEPS = 4, QUICK_FRAMES = 12 };
static const double REPEATED = 4;  // s: what took longer is not measured twice

// ---------------------------------------------------------------------------------------------
// Paths

static int take_path(const CourseDef* def, const WeftStepDef* step, ContactMotion* motion,
                     Course* course) {
    WeftError error;
    *course = (Course){.asked = def->frames};
    if (!ready_step(step, &motion->stage, &error)) return take_course(def, &motion->stage, course);
    snprintf(course->failure, sizeof course->failure, "%.180s", error.message);
    return EXIT_GOOD;
}

// What has to succeed, as the means of its patches.
static int record_limit(const char* what, const WeftStepDef* step, ContactMotion* motion,
                        Trajectory* means) {
    Course course;
    CourseDef def = {.what = what, .frames = motion->frames, .keeps_path = true};
    int code = take_path(&def, step, motion, &course);
    if (!code && *course.failure) code = complain(EXIT_FAILED, "%s: %s", what, course.failure);
    create_trajectory(means, motion->frames, motion->patches.count);
    if (!code) average_patches(&motion->patches, &course.path, means);
    destroy_course(&course);
    clear_contact_stage(&motion->stage);
    return code;
}

// ---------------------------------------------------------------------------------------------
// Truths

static int record_truth(int substeps, ContactMotion* motion, Trajectory* means) {
    char what[120];
    WeftStepDef step = truth_step(substeps);
    snprintf(what, sizeof what, "the truth: %s, %d substeps", motion->scene, substeps);
    return record_limit(what, &step, motion, means);
}

static int make_truth(int substeps, ContactMotion* motion) {
    Trajectory half = {0};
    int code = record_truth(substeps, motion, &motion->truth);
    if (!code) code = record_truth(substeps / 2, motion, &half);
    if (!code) motion->floor = patch_distance(&motion->patches, &motion->truth, &half);
    destroy_trajectory(&half);
    return code;
}

// By where its vertices are at the start, too: garments are dressed anew now and then.
static void describe_truth(const ContactMotion* motion, int substeps, char* text, size_t size) {
    double sum = 0;
    const double* x = weft_positions(motion->stage.state);
    for (int i = 0; i < 3 * motion->patches.vertex_count; i++) sum += (1 + i % 7) * x[i];
    snprintf(text, size,
             "contact 1: %s, %d vertices at %.12g, %d patches, %d frames, %d substeps, "
             "weft %s",
             motion->scene, motion->patches.vertex_count, sum, motion->patches.count,
             motion->frames, substeps, weft_version());
}

static int find_contact_truth(const BenchOptions* options, const char* definition, int substeps,
                              ContactMotion* motion) {
    bool keeps = !options->quick;
    create_trajectory(&motion->truth, motion->frames, motion->patches.count);
    if (keeps && !options->fresh && load_trajectory(definition, &motion->truth, &motion->floor))
        return EXIT_GOOD;
    destroy_trajectory(&motion->truth);
    int code = make_truth(substeps, motion);
    if (!code && keeps) keep_trajectory(definition, &motion->truth, motion->floor);
    return code;
}

static int find_own(const BenchOptions* options, ContactMotion* motion) {
    char what[120];
    WeftStepDef step = weft_default_step_def();
    step.method = WEFT_METHOD_SMALL_STEPS;
    step.substeps = options->quick ? 2 * QUICK_SUBSTEPS : OWN_SUBSTEPS;
    snprintf(what, sizeof what, "%s: %d small steps", motion->scene, step.substeps);
    return record_limit(what, &step, motion, &motion->own);
}

// ---------------------------------------------------------------------------------------------

static int prepare_patches(ContactMotion* motion, int substeps, char* definition, size_t size) {
    WeftError error;
    WeftStepDef step = truth_step(substeps);
    if (ready_step(&step, &motion->stage, &error))
        return complain(EXIT_FAILED, "%s: %s", motion->scene, error.message);
    make_patches(motion->stage.model, weft_positions(motion->stage.state), &motion->patches);
    describe_truth(motion, substeps, definition, size);
    clear_contact_stage(&motion->stage);
    return EXIT_GOOD;
}

int open_contact_motion(const BenchOptions* options, const char* scene, int frames,
                        ContactMotion* motion) {
    char definition[400];
    int substeps = options->quick ? QUICK_SUBSTEPS : TRUTH_SUBSTEPS;
    *motion = (ContactMotion){.scene = scene, .frames = options->quick ? QUICK_FRAMES : frames};
    int code = load_realtime_scene(options, find_realtime_scene(scene), &motion->stage.scene);
    if (!code) code = prepare_patches(motion, substeps, definition, sizeof definition);
    if (!code) code = find_contact_truth(options, definition, substeps, motion);
    if (!code) code = find_own(options, motion);
    return code;
}

void close_contact_motion(ContactMotion* motion) {
    close_contact_stage(&motion->stage);
    destroy_patches(&motion->patches);
    destroy_trajectory(&motion->truth);
    destroy_trajectory(&motion->own);
    *motion = (ContactMotion){0};
}

int run_contact_motion(const BenchOptions* options, const char* what, const WeftStepDef* step,
                       ContactMotion* motion, ContactRun* run) {
    Trajectory means;
    CourseDef def = {.what = what, .frames = motion->frames, .judges = true, .keeps_path = true};
    def.patience = COURSE_PATIENCE;
    *run = (ContactRun){(double)NAN, (double)NAN, {0}};
    int code = take_path(&def, step, motion, &run->course);
    if (!code && !options->quick && run->course.spent < 1000 * REPEATED)
        code = repeat_course(&motion->stage, &run->course);
    clear_contact_stage(&motion->stage);
    if (code || *run->course.failure) return code;
    create_trajectory(&means, motion->frames, motion->patches.count);
    average_patches(&motion->patches, &run->course.path, &means);
    run->error = patch_distance(&motion->patches, &motion->truth, &means);
    if (step->method == WEFT_METHOD_SMALL_STEPS)
        run->own = patch_distance(&motion->patches, &motion->own, &means);
    destroy_trajectory(&means);
    return EXIT_GOOD;
}

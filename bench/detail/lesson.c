// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "lesson.h"

#include <stdlib.h>
#include <string.h>

void destroy_record(Record* record) {
    free(record->positions);
    free(record->velocities);
    free(record->dense);
    free(record->held);
    *record = (Record){0};
}

void list_held(const WeftPair* pair, bool* held) {
    int count = weft_vertex_count(pair->dense_model);
    for (int i = 0; i < count; i++) held[i] = weft_is_pinned(pair->dense_state, i);
}

static void start_record(Record* record, const WeftPair* pair, int frames) {
    size_t coarse = 3 * (size_t)weft_vertex_count(pair->coarse_model);
    size_t dense = 3 * (size_t)weft_vertex_count(pair->dense_model);
    *record = (Record){.coarse_count = (int)(coarse / 3), .dense_count = (int)(dense / 3)};
    record->positions = need((size_t)frames * coarse, sizeof(double));
    record->velocities = need((size_t)frames * coarse, sizeof(double));
    record->dense = need((size_t)frames * dense, sizeof(double));
    record->held = need(dense / 3, sizeof(bool));
}

static void record_frame(Record* record, const WeftPair* pair) {
    size_t coarse = 3 * (size_t)record->coarse_count, dense = 3 * (size_t)record->dense_count;
    size_t at = (size_t)record->frames++;
    memcpy(record->positions + at * coarse, pair->frame.positions, coarse * sizeof(double));
    memcpy(record->velocities + at * coarse, pair->frame.velocities, coarse * sizeof(double));
    memcpy(record->dense + at * dense, pair->dense, dense * sizeof(double));
    memcpy(record->gravity, pair->frame.gravity, sizeof record->gravity);
    list_held(pair, record->held);
}

bool is_held_out(int motion, int motions) {
    return motions < 8 ? motion == motions / 2 : motion % 8 == 4;
}

int run_pair(Stage* stage, const Motion* motion, WeftLearner* learner, bool held_out,
             Record* record) {
    WeftPair* pair = NULL;
    WeftError error = {0};
    int code = set_motion(stage, motion, 0);
    if (code) return code;
    WeftResult result = weft_create_pair(stage->scene, 0, stage->parts, NULL, &pair, &error);
    if (!result && record) start_record(record, pair, stage->frames);
    for (int i = 0; i < stage->frames && !result; i++) {
        result = weft_step_pair(pair, &error);
        if (result || i < SETTLED) continue;
        if (learner) weft_learn(learner, &pair->frame, pair->dense, held_out, NULL);
        if (record) record_frame(record, pair);
    }
    weft_destroy_pair(pair);
    return result ? complain(EXIT_FAILED, "%s", error.message) : EXIT_GOOD;
}

int open_learner(const Stage* stage, WeftLearner** learner) {
    WeftLearnerDef def = weft_default_learner_def();
    WeftError error = {0};
    def.coarse = &stage->scene->meshes[0];
    def.parts = stage->parts;
    def.name = stage_name(stage->kind);
    return weft_create_learner(&def, learner, &error) ? complain(EXIT_FAILED, "%s", error.message)
                                                      : EXIT_GOOD;
}

int learn_stage(Stage* stage, int motions, Lesson* lesson) {
    WeftLearner* learner = NULL;
    WeftError error = {0};
    int code = EXIT_GOOD;
    double start = wall_time(NULL);
    *lesson = (Lesson){.motions = motions};
    for (int k = 0; k < motions && !code; k++) {
        Motion motion = training_motion(stage->kind, k);
        bool held_out = is_held_out(k, motions), is_kept = held_out && k < 8;
        show_progress("%s: motion %d of %d to learn from", stage_name(stage->kind), k + 1, motions);
        code = set_motion(stage, &motion, 0);
        if (!code && !learner) code = open_learner(stage, &learner);
        if (!code)
            code = run_pair(stage, &motion, learner, held_out, is_kept ? &lesson->record : NULL);
    }
    if (!code && weft_finish_learning(learner, 0, &lesson->report, &lesson->detail, &error))
        code = complain(EXIT_FAILED, "%s", error.message);
    weft_destroy_learner(learner);
    lesson->seconds = wall_time(NULL) - start;
    return code;
}

void destroy_lesson(Lesson* lesson) {
    weft_destroy_detail(lesson->detail);
    destroy_record(&lesson->record);
    *lesson = (Lesson){0};
}

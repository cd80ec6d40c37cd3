// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "course.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// One frame

// The last places of all vertices, and how fast they were in the last frames.
typedef struct Motion {
    double* last;
    double mean[STILL_FRAMES], most[STILL_FRAMES], ms[STILL_FRAMES];  // m/s
    bool asleep[STILL_FRAMES];
    int count;
} Motion;

// By the displacement of each vertex in the step, whatever the method calls its velocity.
static void follow_motion(const ContactStage* stage, double ms, Motion* motion) {
    int n = weft_vertex_count(stage->model), at = motion->count++ % STILL_FRAMES;
    const double* x = weft_positions(stage->state);
    motion->mean[at] = motion->most[at] = 0;
    for (int i = 0; i < n; i++) {
        const double *p = x + 3 * (size_t)i, *q = motion->last + 3 * (size_t)i;
        double dx = p[0] - q[0], dy = p[1] - q[1], dz = p[2] - q[2];
        double speed = sqrt(dx * dx + dy * dy + dz * dz) / stage->step.dt;
        motion->mean[at] += speed / n;
        motion->most[at] = fmax(motion->most[at], speed);
    }
    motion->ms[at] = ms;
    motion->asleep[at] = weft_report(stage->state)->asleep;
    memcpy(motion->last, x, 3 * (size_t)n * sizeof *x);
}

static void sum_motion(const Motion* motion, Course* course) {
    for (int i = 0; i < STILL_FRAMES && i < motion->count; i++) {
        double part = 1.0 / (motion->count < STILL_FRAMES ? motion->count : STILL_FRAMES);
        course->still_mean += part * motion->mean[i];
        course->still_ms += part * motion->ms[i];
        course->still_most = fmax(course->still_most, motion->most[i]);
        course->asleep += motion->asleep[i];
    }
}

bool take_timed_step(ContactStage* stage, bool moves, StepTimes* step) {
    WeftResult result = WEFT_OK;
    if (moves) result = weft_direct_scene(stage->scene, stage->state, &stage->step);
    double start = thread_time(NULL);
    if (!result) result = weft_step(stage->state, &stage->step);
    double ms = 1000 * (thread_time(NULL) - start);
    const WeftStepReport* report = weft_report(stage->state);
    *step = (StepTimes){ms, report->times, report->substeps, report->cut, report->late};
    return !result;
}

void tell_failure(const ContactStage* stage, const char* what, int number, char failure[200]) {
    snprintf(failure, 200, "%s %d: %.150s", what, number, weft_state_error(stage->state)->message);
}

int judge_state(ContactStage* stage, bool counts_most, Judgement* judgement) {
    Verdict verdict;
    WeftMeasure measure;
    int code = judge_realtime(stage, &verdict);
    if (code) return code;
    if (weft_measure(stage->state, stage->step.gravity, &measure))
        return complain(EXIT_FAILED, "out of memory");
    judgement->judged++;
    judgement->crossings += verdict.crossings;
    judgement->crossed_frames += verdict.crossings > 0;
    judgement->inside += verdict.inside;
    judgement->depth = fmax(judgement->depth, verdict.depth);
    judgement->mean_p99 += (measure.p99_stretch - judgement->mean_p99) / judgement->judged;
    judgement->p99 = fmax(judgement->p99, measure.p99_stretch);
    if (counts_most) judgement->most = fmax(judgement->most, measure.max_stretch);
    int unstopped = weft_report(stage->state)->unstopped;
    if (unstopped > judgement->unstopped) judgement->unstopped = unstopped;
    return EXIT_GOOD;
}

// ---------------------------------------------------------------------------------------------
// All frames

static bool is_patient(const CourseDef* def, Course* course) {
    if (def->patience == 0 || course->spent < 1000 * def->patience) return true;
    if (!*course->failure)
        snprintf(course->failure, sizeof course->failure, "too slow: given up behind step %d of %d",
                 course->done, def->frames);
    return false;
}

static void show_frame(const CourseDef* def, int frame, int count) {
    if (frame % 60 == 0) show_progress("%s, frame %d of %d", def->what, frame, count);
}

static void count_moving_step(const CourseDef* def, const ContactStage* stage, StepTimes step,
                              long allocated, Course* course) {
    if (2 * course->done >= def->frames) course->memory.allocations += allocated;
    if (def->keeps_path)
        memcpy(trajectory_frame(&course->path, course->done), weft_positions(stage->state),
               3 * (size_t)course->vertices * sizeof(double));
    course->substeps += step.substeps;
    course->steps[course->done++] = step;
    course->spent += step.ms;
}

static int take_frames(const CourseDef* def, ContactStage* stage, const RestLengths* lengths,
                       Motion* motion, Course* course) {
    int code = EXIT_GOOD, count = def->frames + def->stands;
    for (int i = 0; i < count && !code && is_patient(def, course); i++) {
        StepTimes step;
        bool moves = i < def->frames;
        long before = count_allocations();
        show_frame(def, i, count);
        if (!take_timed_step(stage, moves, &step)) {
            tell_failure(stage, "step", i + 1, course->failure);
            break;
        }
        if (moves) count_moving_step(def, stage, step, count_allocations() - before, course);
        follow_motion(stage, step.ms, motion);
        if (!def->judges) continue;
        course->p50 += median_stretch(lengths, weft_positions(stage->state));
        code = judge_state(stage, i >= MOST_FROM, &course->judgement);
    }
    return code;
}

int take_course(const CourseDef* def, ContactStage* stage, Course* course) {
    RestLengths lengths;
    Motion motion = {0};
    *course = (Course){.vertices = weft_vertex_count(stage->model), .asked = def->frames};
    size_t n = 3 * (size_t)course->vertices;
    course->steps = need((size_t)def->frames, sizeof *course->steps);
    if (def->keeps_path) create_trajectory(&course->path, def->frames, course->vertices);
    motion.last = need(n, sizeof *motion.last);
    memcpy(motion.last, weft_positions(stage->state), n * sizeof *motion.last);
    find_rest_lengths(stage->scene, &lengths);
    int code = take_frames(def, stage, &lengths, &motion, course);
    sum_motion(&motion, course);
    course->memory.state = weft_state_bytes(stage->state);
    course->memory.model = weft_model_bytes(stage->model);
    course->p50 /= fmax(course->judgement.judged, 1);
    course->substeps /= fmax(course->done, 1);
    destroy_rest_lengths(&lengths);
    free(motion.last);
    return code;
}

int repeat_course(ContactStage* stage, Course* course) {
    int code = reset_contact_stage(stage);
    for (int i = 0; i < course->done && !code; i++) {
        StepTimes step;
        if (!take_timed_step(stage, true, &step)) break;
        if (step.ms < course->steps[i].ms) course->steps[i] = step;
    }
    return code;
}

void destroy_course(Course* course) {
    destroy_trajectory(&course->path);
    free(course->steps);
    *course = (Course){0};
}

// ---------------------------------------------------------------------------------------------
// Times

void sum_times(const WeftTimes* from, WeftTimes* to) {
    to->predict += from->predict, to->force += from->force, to->build += from->build;
    to->solve += from->solve, to->update += from->update, to->body += from->body;
    to->self += from->self, to->respond += from->respond, to->defend += from->defend;
}

double mean_ms(const Course* course, int first, int end) {
    double sum = 0;
    for (int i = first; i < end; i++) sum += course->steps[i].ms;
    return end > first ? sum / (end - first) : (double)NAN;
}

double rank_ms(const Course* course, double share) {
    if (course->done == 0) return (double)NAN;
    double* sorted = need((size_t)course->done, sizeof *sorted);
    for (int i = 0; i < course->done; i++) sorted[i] = course->steps[i].ms;
    sort_numbers(sorted, course->done);
    double ms = sorted[(int)(share * (course->done - 1))];
    free(sorted);
    return ms;
}

int slowest_step(const Course* course) {
    int slowest = 0;
    for (int i = 0; i < course->done; i++)
        if (course->steps[i].ms > course->steps[slowest].ms) slowest = i;
    return slowest + 1;
}

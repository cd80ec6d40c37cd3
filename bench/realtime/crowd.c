// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A crowd: many small capes of one model, each a state of its own, that walk in different phases.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "course.h"

enum { CROWD = 200, WARM_UP = 120, PHASES = 60, FRAMES = 60, JUDGE_EVERY = 10 };
enum { QUICK_CROWD = 4, QUICK_WARM_UP = 2, QUICK_PHASES = 3, QUICK_FRAMES = 4 };

typedef struct Crowd {
    ContactStage stage;  // whose state is that of the cape whose turn it is
    int count, warm_up, phases, frame_count, judge_every;
    WeftState** states;
    double* ms;  // of each frame, for all
    WeftTimes times;
    Judgement judgement;
    Memory memory;      // of one; allocations: of all
    char failure[200];  // of a step; empty: none
} Crowd;

// ---------------------------------------------------------------------------------------------
// Steps

static int step_cape(Crowd* crowd, int index, StepTimes* step) {
    crowd->stage.state = crowd->states[index];
    if (take_timed_step(&crowd->stage, true, step)) return EXIT_GOOD;
    tell_failure(&crowd->stage, "cape", index, crowd->failure);
    return EXIT_FAILED;
}

// Each goes on by another number of steps, so that not all turn at once.
static int warm_up(Crowd* crowd, const char* what) {
    int code = EXIT_GOOD;
    for (int i = 0; i < crowd->count && !code; i++) {
        StepTimes step;
        if (i % 20 == 0) show_progress("%s: warming up, cape %d of %d", what, i, crowd->count);
        for (int k = 0; k < crowd->warm_up + i % crowd->phases && !code; k++)
            code = step_cape(crowd, i, &step);
    }
    return code;
}

// One after the other, as a game would; then, in some frames, all are judged, which takes longer.
static int take_frame(Crowd* crowd, int frame) {
    int code = EXIT_GOOD;
    long before = count_allocations();
    for (int i = 0; i < crowd->count && !code; i++) {
        StepTimes step;
        code = step_cape(crowd, i, &step);
        crowd->ms[frame] += step.ms;
        sum_times(&step.times, &crowd->times);
    }
    crowd->memory.allocations += count_allocations() - before;
    for (int i = 0; i < crowd->count && !code && (frame + 1) % crowd->judge_every == 0; i++) {
        crowd->stage.state = crowd->states[i];
        code = judge_state(&crowd->stage, true, &crowd->judgement);
    }
    return code;
}

static int take_frames(Crowd* crowd, const char* what) {
    int code = warm_up(crowd, what);
    for (int f = 0; f < crowd->frame_count && !code; f++) {
        if (f % 10 == 0) show_progress("%s: frame %d of %d", what, f, crowd->frame_count);
        code = take_frame(crowd, f);
    }
    return code;
}

// ---------------------------------------------------------------------------------------------
// Rows

static double mean_of(const Crowd* crowd) {
    double sum = 0;
    for (int f = 0; f < crowd->frame_count; f++) sum += crowd->ms[f];
    return sum / crowd->frame_count;
}

static void add_crowd(const char* scene, const char* method, Crowd* crowd, Report* report) {
    double mean = mean_of(crowd);
    sort_numbers(crowd->ms, crowd->frame_count);
    start_row(report);
    add_text(report, "scene", scene);
    add_number(report, "vertices", weft_vertex_count(crowd->stage.model));
    add_text(report, "method", method);
    add_number(report, "states", crowd->count);
    add_number(report, "mean_ms", mean);
    add_number(report, "p99_ms", crowd->ms[(int)(0.99 * (crowd->frame_count - 1))]);
    add_number(report, "worst_ms", crowd->ms[crowd->frame_count - 1]);
    add_number(report, "one_ms", mean / crowd->count);
    add_phase_ms(&crowd->times, 1000.0 / crowd->frame_count, report);
    add_judgement(&crowd->judgement, report);
    add_number(report, "steps", crowd->frame_count);
    crowd->memory.state = weft_state_bytes(crowd->states[0]);
    crowd->memory.model = weft_model_bytes(crowd->stage.model);
    add_memory(&crowd->memory, report);
}

// The first state is the stage's own.
static int create_states(Crowd* crowd) {
    WeftError error;
    crowd->states = need((size_t)crowd->count, sizeof(WeftState*));
    crowd->ms = need((size_t)crowd->frame_count, sizeof *crowd->ms);
    crowd->states[0] = crowd->stage.state;
    for (int i = 1; i < crowd->count; i++)
        if (weft_create_state(crowd->stage.model, &crowd->states[i], &error))
            return complain(EXIT_FAILED, "%s", error.message);
    return EXIT_GOOD;
}

static void destroy_states(Crowd* crowd) {
    for (int i = 1; i < crowd->count; i++) weft_destroy_state(crowd->states[i]);
    crowd->stage.state = crowd->states[0];
    free(crowd->states);
    free(crowd->ms);
}

static int run_method(const BenchOptions* options, const RealtimeScene* scene,
                      const RealtimeMethod* method, ContactStage* stage, double* mean,
                      Report* report) {
    char what[120];
    Setting setting = {.method = method};
    Crowd crowd = {.count = CROWD, .warm_up = WARM_UP, .phases = PHASES, .frame_count = FRAMES};
    crowd.judge_every = options->quick ? 1 : JUDGE_EVERY;
    snprintf(what, sizeof what, "%s, %s", scene->name, method->name);
    if (!ready_or_note(&setting, stage, report)) return EXIT_GOOD;
    if (options->quick) {
        crowd.count = QUICK_CROWD, crowd.warm_up = QUICK_WARM_UP;
        crowd.phases = QUICK_PHASES, crowd.frame_count = QUICK_FRAMES;
    }
    crowd.stage = *stage;
    int code = create_states(&crowd);
    if (!code) code = take_frames(&crowd, what);
    if (!code) *mean = mean_of(&crowd);
    if (!code) add_crowd(scene->name, method->name, &crowd, report);
    if (!code) end_progress(), tell_row(report, stderr);
    destroy_states(&crowd);
    if (!*crowd.failure) return code;
    note_refusal(report, what, crowd.failure);
    return EXIT_GOOD;
}

static int run_crowd(const BenchOptions* options, const RealtimeScene* scene, Report* report) {
    ContactStage stage = {0};
    double first = (double)NAN;
    int code = open_realtime_scene(options, scene, &stage, report);
    if (code || !stage.scene) return code;
    for (int m = 0; m < REALTIME_METHODS && !code; m++) {
        double mean = (double)NAN;
        code = run_method(options, scene, &realtime_methods[m], &stage, &mean, report);
        if (m == 0) first = mean;
        if (m > 0 && !code && mean > 0) add_ratio(report, scene->ratio, mean / first);
        clear_contact_stage(&stage);
    }
    weft_destroy_scene(stage.scene);
    return code;
}

int run_realtime_crowd(const BenchOptions* options, Report* report) {
    int code = EXIT_GOOD;
    start_table(report, "crowd");
    for (int s = 0; realtime_crowds[s].name && !code; s++)
        code = run_crowd(options, &realtime_crowds[s], report);
    add_note(report,
             "crowd: ms for all states of one model, one after the other, behind 120 to 179 steps "
             "each; every tenth frame is judged; state_kb of one; allocations of all in the steps "
             "that are told.");
    return code;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A scene from its start to its end by one setting: times, and a judgement of every frame.

#ifndef WEFT_BENCH_REALTIME_COURSE_H
#define WEFT_BENCH_REALTIME_COURSE_H

#include "realtime.h"
#include "trial.h"

// Of one step.
typedef struct StepTimes {
    double ms;        // processor time of the call
    WeftTimes times;  // s, by phase
    int substeps;
    bool cut, late;  // as in the report
} StepTimes;

typedef struct Memory {
    size_t state, model;  // bytes
    long allocations;     // by steps
} Memory;

// What was found in the frames that were judged.
typedef struct Judgement {
    int judged;          // frames
    long crossings;      // of all of them
    int crossed_frames;  // with some
    long inside;         // vertices, of all frames
    double depth;        // m, of the deepest
    double p99;          // length over rest length of 99 % of the edges: the worst frame,
    double mean_p99;     // the mean over the frames,
    double most;         // and of all edges, the worst of the frames in which it counts
    int unstopped;       // the most of a step
} Judgement;

typedef struct Course {
    int vertices;
    int asked, done;      // steps that move, without those in which all stands
    StepTimes* steps;     // of each, the faster pass
    double spent;         // ms, of the first pass
    double p50;           // length over rest length of the median edge: mean over the frames
    Judgement judgement;  // whose `most` leaves the first MOST_FROM frames out
    double still_mean;    // m/s: mean over the vertices and the last STILL_FRAMES of all,
    double still_most;    // and the fastest vertex of these
    double still_ms;      // mean of the last STILL_FRAMES
    int asleep;           // of these, how many
    double substeps;      // mean
    Memory memory;        // allocations: in the second half of the steps that move
    Trajectory path;      // of the steps that move, where it was asked for
    char failure[200];    // empty: none
} Course;

enum { MOST_FROM = 10, STILL_FRAMES = 30 };
static const double COURSE_PATIENCE = 180;  // s, of scenes

typedef struct CourseDef {
    const char* what;  // for the line of progress
    int frames;        // that move,
    int stands;        // and then that stand
    bool judges;       // every frame; else only times and places
    double patience;   // s of steps, after which it is given up; 0: never
    bool keeps_path;
} CourseDef;

// A course on a stage that is ready. A step that fails ends it, and is no failure of the bench.
// Returns an exit code; destroy it in any case.
int take_course(const CourseDef* def, ContactStage* stage, Course* course);
// Once more, for times that nothing else disturbed.
int repeat_course(ContactStage* stage, Course* course);
void destroy_course(Course* course);

// The next step, timed; where not all `moves`, bodies and pins are left where they are. False: it
// failed, and weft_state_error tells why.
bool take_timed_step(ContactStage* stage, bool moves, StepTimes* step);
// "step 3: why it failed"
void tell_failure(const ContactStage* stage, const char* what, int number, char failure[200]);
// Counts what the stage looks like now; its longest edge only where `counts_most`. Returns an exit
// code.
int judge_state(ContactStage* stage, bool counts_most, Judgement* judgement);
// Cells of a row.
void add_judgement(const Judgement* judgement, Report* report);
void add_memory(const Memory* memory, Report* report);

// By phase.
void sum_times(const WeftTimes* from, WeftTimes* to);
// ms.
double mean_ms(const Course* course, int first, int end);
// Of the step than which this share, 0 to 1, is faster.
double rank_ms(const Course* course, double share);
// From 1.
int slowest_step(const Course* course);

#endif

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
} StepTimes;

typedef struct Course {
    int vertices;
    int asked, done;     // steps that move, without those in which all stands
    StepTimes* steps;    // of each, the faster pass
    double spent;        // ms, of the first pass
    double p50;          // length over rest length: mean over the frames of the median edge,
    double p99;          // of 99 % of the edges, the worst frame,
    double mean_p99;     // the mean over the frames,
    double most;         // and of all edges, the worst of all frames but the first MOST_FROM
    int judged;          // frames
    long crossings;      // of all frames that were judged
    int crossed_frames;  // with some
    long inside;         // vertices, of all frames
    double depth;        // m, of the deepest
    int unstopped;       // the most of a step
    double still_mean;   // m/s: mean over the vertices and the last STILL_FRAMES of all,
    double still_most;   // and the fastest vertex of these
    double still_ms;     // mean of the last STILL_FRAMES
    int asleep;          // of these, how many
    double substeps;     // mean
    long allocations;    // in the second half of the steps that move
    size_t state_bytes, model_bytes;
    Trajectory path;    // of the steps that move, where it was asked for
    char failure[200];  // empty: none
} Course;

enum { MOST_FROM = 10, STILL_FRAMES = 30 };
static const double COURSE_PATIENCE =
    180;  // s of steps, after which one that is judged is given up

typedef struct CourseDef {
    const char* what;  // for the line of progress
    int frames;        // that move,
    int stands;        // and then that stand
    bool judges;       // every frame; else only times and places
    bool keeps_path;
} CourseDef;

// A course on a stage that is ready. A step that fails ends it, and is no failure of the bench.
// Returns an exit code; destroy it in any case.
int take_course(const CourseDef* def, ContactStage* stage, Course* course);
// Once more, for times that nothing else disturbed.
int repeat_course(ContactStage* stage, Course* course);
void destroy_course(Course* course);

// By phase.
void sum_times(const WeftTimes* from, WeftTimes* to);
// ms.
double mean_ms(const Course* course, int first, int end);
// Of the step than which this share, 0 to 1, is faster.
double rank_ms(const Course* course, double share);
// From 1.
int slowest_step(const Course* course);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Learning: a pair of simulations runs through all motions to learn from; one of eight is
// held out, to choose by.

#ifndef WEFT_BENCH_DETAIL_LESSON_H
#define WEFT_BENCH_DETAIL_LESSON_H

#include "stage.h"

// Frames of a pair.
typedef struct Record {
    int frames, coarse_count, dense_count;
    double gravity[3];
    double *positions, *velocities;  // 3 per coarse vertex, frame by frame
    double* dense;                   // 3 per dense vertex
    bool* held;                      // per dense vertex
} Record;

void destroy_record(Record* record);

typedef struct Lesson {
    int motions;
    WeftDetail* detail;
    WeftLearnReport report;
    Record record;   // of the motion that was held out
    double seconds;  // on the wall
} Lesson;

int learn_stage(Stage* stage, int motions, Lesson* lesson);
void destroy_lesson(Lesson* lesson);

// Parts of it. Runs a motion: the learner (or NULL) learns from it, or chooses by it where it is
// held out; the record (or NULL) keeps it.
int open_learner(const Stage* stage, WeftLearner** learner);
int run_pair(Stage* stage, const Motion* motion, WeftLearner* learner, bool held_out,
             Record* record);
// One of eight; of fewer, the one in the middle.
bool is_held_out(int motion, int motions);

// Vertices of the dense cloth that are pinned.
void list_held(const WeftPair* pair, bool* held);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What moves: a sheet that hangs by two corners, which are swung and brought together; and a skirt
// on a mannequin that walks. Motions to learn from, and others that nobody has learned from.

#ifndef WEFT_BENCH_DETAIL_STAGE_H
#define WEFT_BENCH_DETAIL_STAGE_H

#include "bench.h"
#include "weft/weft_detail.h"
#include "weft/weft_io.h"

typedef enum StageKind { STAGE_SHEET, STAGE_SKIRT, STAGE_COUNT } StageKind;
enum { MAX_MOTIONS = 64, MAX_WALKS = 14, SETTLED = 30 };

// Both corners sway along a direction, come together, and are twisted about their middle; walkers
// have a pace only.
typedef struct Motion {
    double pace;               // 1: to and fro in a period; or as the clip has it
    double direction, phase;   // radians
    double sway, near, twist;  // m, of each corner
} Motion;

typedef enum Pace { PACE_SLOW, PACE_FAST, PACE_COUNT } Pace;

// The i-th motion to learn from; and of those that are not seen, the i-th at a pace.
Motion training_motion(StageKind kind, int i);
Motion unseen_motion(StageKind kind, Pace pace, int i);
int unseen_count(StageKind kind, bool quick);

typedef struct Stage {
    StageKind kind;
    double edge;           // m, of the coarse cloth
    double period;         // s, of sheets: to and fro at pace 1
    int parts;             // of its edges, in the dense one
    int frames;            // steps of 1/60 s; the first SETTLED are neither learned nor judged
    const char* garments;  // the folder of the skirt
    WeftScene* scene;      // of the last motion
} Stage;

const char* stage_name(StageKind kind);
// Makes it ready for a motion, by so many threads (0: all). Returns an exit code.
int set_motion(Stage* stage, const Motion* motion, int threads);
void close_stage(Stage* stage);

#endif

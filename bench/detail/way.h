// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Ways to show a dense cloth, what each frame of them takes, and how far they are from the dense
// simulation.

#ifndef WEFT_BENCH_DETAIL_WAY_H
#define WEFT_BENCH_DETAIL_WAY_H

#include "bench.h"
#include "sweep.h"
#include "weft/weft_io.h"

enum { WAY_NAME = 48 };

typedef struct Times {
    int count, room;
    double* seconds;
} Times;

void add_time(Times* times, double seconds);
double median_time(const Times* times);  // s; NAN where there are none
double least_time(const Times* times);

// Sums over the frames that were judged.
typedef struct Score {
    int frames;
    double squares;  // m^2, means over the vertices
    double angles;   // radians, likewise
    int pairs;       // of frames with two before them
    double jumps;    // m^2, means over the vertices
    int inside;      // vertices in bodies, where that was looked at,
    int bare;        // and before they were moved out
} Score;

typedef struct Way {
    char name[WAY_NAME];
    const WeftDetail* detail;
    Sweeper* sweeper;    // of this way; or NULL
    WeftKeeper* keeper;  // outside of bodies; NULL between motions, and where there are none
    int count;           // of shown vertices
    double* shown;       // 3 per vertex, as the rest
    double* apart[2];    // shown less dense, one frame ago and two
    float* normals;
    int frames;  // since the start of the motion
    Times times;
    Score score;
} Way;

void open_way(Way* way, const char* name, const WeftDetail* detail, Sweeper* sweeper);
void close_way(Way* way);
// A motion of a model (NULL: without bodies) begins: forgets the last frames, not the score.
// held: vertices that sweeps leave alone; or NULL without them. End it before the model.
WeftResult begin_way(Way* way, const WeftModel* model, const bool* held, WeftError* error);
void end_way(Way* way);
// Forgets all.
void clear_way(Way* way);

// What is simulated, after a step that took so long.
typedef struct Simulated {
    const WeftModel* model;
    const WeftState* state;
    WeftDetailFrame frame;
    double seconds;
} Simulated;

// Shows it, outside of all bodies. looks: counts what is inside, which takes long.
WeftResult show_way(Way* way, const Simulated* simulated, bool looks, WeftError* error);
// Against a dense cloth and its normals.
void judge_way(Way* way, const double* dense, const float* normals);

double vertex_error(const Score* score);  // mm, root mean square
double normal_error(const Score* score);  // degrees, the mean over vertices
double jitter(const Score* score);        // mm per frame^2, root mean square

#endif

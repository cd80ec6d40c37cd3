// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The scene of `budget`: a cloth that hangs by its upper side in gusts of wind and is grabbed and
// let go, and two guests that come and go. Everything is scripted by the number of the frame, so
// that runs by different settings are the same scene.

#ifndef WEFT_BENCH_GUSTS_H
#define WEFT_BENCH_GUSTS_H

#include "trial.h"

enum { GUST_CLOTHS = 3, GUST_FRAMES = 1200 };  // the first cloth is the main one

typedef struct GustCloth {
    WeftMesh mesh;
    int *pins, columns, rows;  // vertices
    WeftClothDef def;
    WeftModel* model;
    WeftState *start, *state;
} GustCloth;

// A cloth of `columns` x `rows` vertices, prepared for `steps`, which are ended by NULL; its times
// from `clock`. It must stay where it is. Returns an exit code.
int create_gust_cloth(int columns, int rows, double (*clock)(void* user),
                      const WeftStepDef* const* steps, GustCloth* cloth);
void destroy_gust_cloth(GustCloth* cloth);
// Back to the start.
void reset_gust_cloth(GustCloth* cloth);

bool gust_cloth_is_present(int cloth, int frame);
// Wind of this frame into the step.
void set_gust(int frame, WeftStepDef* step);
// Grabs, moves and lets go of pins of the main cloth, before the step of this frame.
void play_hands(const GustCloth* cloth, int frame, WeftState* state);

// The motion itself, of the first frames of the main cloth: BDF2 solved to the end, `substeps` per
// frame. Kept between runs.
int find_gust_motion(GustCloth* cloth, int substeps, bool fresh, Trajectory* trajectory);

#endif

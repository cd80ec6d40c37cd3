// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// One square and all who move it: weft, projective dynamics, Bullet.

#ifndef WEFT_BENCH_FRONT_STAGE_H
#define WEFT_BENCH_FRONT_STAGE_H

#include "bullet_cloth.h"
#include "method.h"
#include "projective.h"
#include "square.h"

enum { PROJECTIVE_COUNT = 4 };  // of 1, 2, 4 and 8 substeps

typedef struct Stage {
    Square square;
    int vertex_count;
    WeftModel* model;  // of all settings of ours
    WeftState *start, *state;
    Net net;
    Projective* projective[PROJECTIVE_COUNT];
    BulletCloth* bullet;
} Stage;

// The stage must stay where it is. Returns an exit code, as the others do; what was created is to
// be destroyed in any case.
int create_stage(int columns, int rows, Stage* stage);
void destroy_stage(Stage* stage);

// Back to the start, ready for this method.
int reset_stage(Stage* stage, const Method* method);
// One frame: the seconds it took, and where the vertices are then.
int take_frame(Stage* stage, const Method* method, double* time, const double** positions);

// Length over rest length of the longest edge when Bullet's cloth, begun in the shape `rest`, has
// come to rest.
double bullet_rest_stretch(Stage* stage, const double* rest, int iterations);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The cloth of the benches: a square metre of 0.187 kg/m^2 that lies level and hangs by two
// corners, springs of 2000 N/m on an alternating grid, bending of 1e-5 N m inside the matrix.

#ifndef WEFT_BENCH_SQUARE_H
#define WEFT_BENCH_SQUARE_H

#include "weft/weft_mesh.h"

typedef struct Square {
    WeftMesh mesh;
    int pins[2];
    WeftClothDef cloth;
} Square;

// Vertices along both sides. Returns an exit code. The square must stay where it is: its cloth
// points into it.
int make_square(int columns, int rows, Square* square);
void destroy_square(Square* square);

// A step of 1/60 s without air.
WeftStepDef still_air_step(void);

// A model of the square, its times from `clock`, and a state at its start; threads: as in WeftJobs.
int create_square(const Square* square, const WeftStepDef* step, int threads,
                  double (*clock)(void* user), WeftModel** model, WeftState** state);

#endif

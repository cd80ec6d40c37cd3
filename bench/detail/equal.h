// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The plainest rival: no detail at all, but as dense a simulation as the same time pays for. The
// dense vertices lie in its triangles.

#ifndef WEFT_BENCH_DETAIL_EQUAL_H
#define WEFT_BENCH_DETAIL_EQUAL_H

#include "stage.h"
#include "way.h"

typedef struct Equal {
    Stage stage;
    int vertices;
    WeftModel* model;
    WeftState* state;
    WeftDetail* details[2];  // flat and smooth
    Way ways[2];
} Equal;

// The dense mesh, and where it lies in the coarse one of a stage.
typedef struct Dense {
    const Stage* stage;
    WeftMesh mesh;
    WeftRefinement map;
} Dense;

// The finest one of which a frame, shown flat, takes no longer than one of the coarse cloth with
// what was learned: the median of some steps of a motion. Returns an exit code, as the others do;
// close it in any case.
int find_equal(const Dense* dense, const Motion* motion, const WeftDetail* learned, Equal* equal);
void close_equal(Equal* equal);
int restart_equal(Equal* equal, const Motion* motion);
// A step, and what it shows.
int step_equal(Equal* equal, bool looks);

#endif

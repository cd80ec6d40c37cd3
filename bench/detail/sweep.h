// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Wrinkles without learning, after Mueller and Chentanez 2010 ("Wrinkle Meshes"): a dense mesh that
// is tied to a coarse one, and relaxed in every frame so that its edges have their lengths. Where
// the coarse one is pressed, it has to go aside.

#ifndef WEFT_BENCH_DETAIL_SWEEP_H
#define WEFT_BENCH_DETAIL_SWEEP_H

#include "weft/weft_detail.h"

typedef struct SweepDef {
    int sweeps;    // per frame
    double pull;   // towards the base, of the distance, per sweep
    double bend;   // of the error of the distance across two triangles, per sweep
    bool resumes;  // from the offsets of the last frame; else from the base
} SweepDef;

typedef struct Sweeper Sweeper;

// At rest as the flat shape of the mesh, or as it stands where that has none.
Sweeper* create_sweeper(const WeftMesh* mesh, const SweepDef* def);
void destroy_sweeper(Sweeper* sweeper);
// Forgets the last frame. held: vertices that stay at the base.
void restart_sweeper(Sweeper* sweeper, const bool* held);
// positions: the base, which becomes what is shown.
void sweep(Sweeper* sweeper, double* positions);

#endif

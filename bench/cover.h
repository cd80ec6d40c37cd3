// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Cotton over or around a body, at any density of its mesh, with self-contact: a sheet that falls
// on a sphere, a tube around a capsule that moves, a sheet on a mesh that deforms.

#ifndef WEFT_BENCH_COVER_H
#define WEFT_BENCH_COVER_H

#include "bench.h"
#include "weft/weft_io.h"

typedef enum CoverKind {
    COVER_SHEET,  // 1 m x 1 m, falls on a sphere of 0.2 m radius, its middle just above it
    COVER_TUBE,   // 1 m long, 0.6 m around; hangs by its upper ring on a capsule of 0.08 m radius
                  // that goes to and fro at 2 m/s and turns
    COVER_BULGE,  // the sheet on a body 1.6 m long, along which bulges run: half of it is near
} CoverKind;

typedef struct CoverDef {
    CoverKind kind;
    int columns, rows;            // cells of the cloth, around and along the tube; even columns
    double thickness;             // m
    int segments, rings;          // of the body with bulges: 2 segments (rings - 1) triangles
    int threads;                  // as in WeftJobs
    double (*clock)(void* user);  // of the times of steps
} CoverDef;

typedef struct Cover {
    CoverDef def;
    WeftModel* model;
    WeftState* state;
    WeftStepDef step;  // of 1/60 s, default quality
    double* shape;     // where the vertices of the body are, for the judge
    double* bulges;    // where they shall be
    WeftSurface surfaces[2];
} Cover;

// Returns an exit code after telling what is wrong. Close it in any case.
int open_cover(const CoverDef* def, Cover* cover);
void close_cover(Cover* cover);
// Back to the start.
int reset_cover(Cover* cover);

// Sends the body on and takes the next step.
int take_cover_step(Cover* cover);
// Pairs of triangles that cross, by the judge of `weft check-contact`.
int count_crossings(Cover* cover, int* count);

// Sums of times by phase, and their cells: ms, then each phase, all multiplied by `scale`.
void add_times(WeftTimes* sum, const WeftTimes* times);
void add_phase_cells(Report* report, const WeftTimes* times, double scale);
// body, self, respond and defend.
double contact_seconds(const WeftTimes* times);

#endif

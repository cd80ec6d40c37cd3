// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Somebody puts a garment on and walks in it: dressing, steps, and a judge of every frame.

#ifndef WEFT_BENCH_GARMENTS_FITTING_H
#define WEFT_BENCH_GARMENTS_FITTING_H

#include "bench.h"
#include "weft/weft_io.h"

typedef struct Wearer {
    char name[WEFT_NAME_SIZE];
    WeftFigure figure;
    WeftMeasures measures;
    bool measured;  // else patterns have their own measures
    int clip;       // what it does; -1: it stands as it is
} Wearer;

// A mannequin that walks. Returns an exit code, as the next one does; destroy it in any case.
int make_wearer(const WeftMannequinDef* def, const char* name, Wearer* wearer);
// A body from a file, which stands.
int load_wearer(const char* path, Wearer* wearer);
void destroy_wearer(Wearer* wearer);

// A pattern as it is for this body.
WeftResult load_pattern_for(const Wearer* wearer, const char* path, WeftPattern* pattern,
                            WeftError* error);
// The edge at which it has so many vertices, about.
double edge_for(const WeftPattern* pattern, int vertices);

typedef struct FittingDef {
    const Wearer* wearer;
    const WeftPattern* pattern;  // repaired
    WeftFabric fabric;
    double edge;                  // m
    int threads;                  // as in WeftJobs
    double (*clock)(void* user);  // of all times
    bool is_mirrored;             // the pattern is its own mirror image: it is put on by halves,
    WeftMirrorKind mirror;        // and worn like this
    bool conjugate_gradients;  // steps by these, preconditioned by blocks, instead of the default
} FittingDef;

enum { FITTING_BODIES = 2 };  // who wears it, and the floor

typedef struct Fitting {
    FittingDef def;
    WeftOutfit outfit;
    double dress_seconds;
    double open_seam;  // m, of the seam that is open furthest
    int open_index;    // which it is; -1: all are closed
    WeftModel* model;
    WeftState* state;
    WeftStepDef step;  // of 1/60 s, default quality
    int frame;         // how many steps were taken
    double wall;       // s, of the last one, on the clock on the wall
    double* shapes[FITTING_BODIES];
    WeftSurface surfaces[1 + FITTING_BODIES];
    WeftError error;  // why the last thing failed
} Fitting;

// What has passed through what.
typedef struct Judgement {
    int crossings;       // pairs of triangles
    int inside;          // vertices inside of the body, or below the floor
    char first[2 * 80];  // where the first is, by panels; empty: none
} Judgement;

// Puts it on, and makes it ready to walk. What fails is told by fitting->error, and by nobody else:
// benches go on with the next one. Close it in any case.
WeftResult open_fitting(const FittingDef* def, Fitting* fitting);
void close_fitting(Fitting* fitting);
// Back to the start of the walk, with other threads and another clock.
WeftResult restart_fitting(Fitting* fitting, int threads, double (*clock)(void* user));
// The next frame of the walk; `seconds` is what the step took.
WeftResult take_walk_step(Fitting* fitting, double* seconds);
// "seam 3: front 2 with back 4", of the one that is open furthest.
void name_open_seam(const Fitting* fitting, char text[160]);
WeftResult judge_fitting(Fitting* fitting, Judgement* judgement);

#endif

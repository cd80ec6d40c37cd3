// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The cloth of "A Scalable Semi-Implicit Method for Realtime Cloth Simulation" (Kim 2006), and one
// way of stepping at work on it.
//
// n x n unit masses at unit distance, level at first, two corners held. Springs of type 1 (k1, to
// the next eight) pull and never push; those of type 2 (0.1, over two cells) do both, and act by
// the shape at the start of the step. Gravity is 0.03, drag 0.05, a frame 0.25: the paper's units,
// none.

#ifndef WEFT_BENCH_SHEET_H
#define WEFT_BENCH_SHEET_H

#include <stdbool.h>

#include "trial.h"
#include "weft/weft_mesh.h"

enum { SAMPLE_EVERY = 10, MAX_SAMPLES = 60 };  // frames

typedef struct Sheet {
    int side;          // vertices
    double stiffness;  // k1
    int sample_count;  // how long it falls: so many times SAMPLE_EVERY frames
    WeftMesh mesh;
    int pins[2];
} Sheet;

// Returns an exit code, as the others do.
int make_sheet(int side, double stiffness, int sample_count, Sheet* sheet);
void destroy_sheet(Sheet* sheet);
int sheet_frames(const Sheet* sheet);

// A step in the paper's units, of one frame.
WeftStepDef sheet_step(void);
// With a fall's springs and for its steps, timed on one thread, and a state at its start.
int create_sheet(const Sheet* sheet, WeftStretch stretch, const WeftStepDef* step,
                 WeftModel** model, WeftState** state);

// A fall, sampled every so many frames; steps may be shorter than a frame, and are sampled where
// they end at the same time.
typedef struct Fall {
    char name[48];
    WeftStretch stretch;
    WeftStepDef step;
    Trajectory* record;       // its samples, by the first round; or NULL
    Distance implicit, fine;  // to references, where there are some

    int rounds;                   // that were taken
    int unstable_step;            // at which a vertex passed the speed limit, from 1; 0: none
    double* seconds;              // of each step, the least of the rounds
    double spent;                 // s, over all rounds
    int substeps;                 // as used
    double iterations;            // of conjugate gradients, per step
    double heights[MAX_SAMPLES];  // mean of all vertices; NAN: no step ends there
    double lost, dragged;         // energy until the end; of it, by drag
    double max_stretch;           // at the end
} Fall;

// Once more from the start. A fall that is unstable ends there, and is no failure.
int take_fall(const Sheet* sheet, Fall* fall);
void destroy_fall(Fall* fall);
// Milliseconds per frame; NAN where it is unstable.
double frame_ms(const Sheet* sheet, const Fall* fall);

double mean_height(const double* positions, int vertex_count);
// Rms difference of mean heights over the samples, as a part of the last drop of `from`.
double height_deviation(const Fall* fall, const Trajectory* from);

// The motion itself: symplectic Euler with so many substeps per frame, kept between runs; with its
// distance from the same with half as many.
int find_sheet_motion(const Sheet* sheet, WeftStretch stretch, int substeps, bool keep, bool fresh,
                      Trajectory* motion, double* floor);

#endif

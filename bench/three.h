// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The motions by which quality is judged: a swing, a collapse and a drape, of a square metre at any
// number of cells, for 60 frames of 1/60 s. Each is told by the positions of the 9 x 9 points of a
// lattice on the cloth, whatever the mesh, and has a truth: a fine mesh with short steps. What is
// not weft may take the start, the pins and the truth as well.

#ifndef WEFT_BENCH_THREE_H
#define WEFT_BENCH_THREE_H

#include "bench.h"
#include "trial.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

enum { THREE_FRAMES = 60, LATTICE_SIDE = 9, LATTICE_COUNT = LATTICE_SIDE * LATTICE_SIDE };

typedef enum MotionKind {
    MOTION_SWING,     // released level, two corners held
    MOTION_COLLAPSE,  // upright, 5 degrees from the vertical, waves of 2 mm, its lower edge held
    MOTION_STAND,     // the same on a floor: nothing is held
    MOTION_DRAPE,     // laid level on a sphere of 0.2 m
    MOTION_COUNT,
} MotionKind;

extern const char* const motion_names[MOTION_COUNT];

typedef struct MotionDef {
    MotionKind kind;
    int cells;  // along both sides
    WeftStretch stretch;
    WeftFabric fabric;
    bool air;
    WeftEstimator estimator;  // of linear models; else none
} MotionDef;

// Springs of the default fabric, in air.
MotionDef default_motion(MotionKind kind, int cells);

// Fabric that resists pressure as it resists tension, as the truth has it: folds that the mesh
// resolves buckle by themselves.
WeftFabric two_sided_fabric(const WeftFabric* fabric);
// A preset of the library by its name; "default" is the default fabric. Returns an exit code.
int find_preset(const char* name, WeftFabric* fabric);

typedef struct MotionScene {
    MotionDef def;
    WeftMesh mesh;  // at the start; its flat shape is in `material`
    int *pins, pin_count;
    WeftBodyDef body;
    bool has_body;  // and contact with it; never of cloth with cloth
} MotionScene;

// Returns an exit code, as the others do.
int make_motion(const MotionDef* def, MotionScene* scene);
void destroy_motion(MotionScene* scene);

// The points of the lattice, 3 numbers each, from positions of all vertices. Where they are between
// vertices, bilinear in their cell.
void sample_lattice(const MotionScene* scene, const double* positions, double* lattice);
// Length over rest length of the longest side of a triangle.
double largest_stretch(const MotionScene* scene, const double* positions);

// A motion by one way of stepping.
typedef struct MotionRun {
    Trajectory lattice;
    double seconds[THREE_FRAMES];  // of each step, the least of all runs; processor time
    bool asleep[THREE_FRAMES];
    double stretch;          // the largest of all frames
    double p99;              // of 99 % of the sides, the worst frame; to 0.0005, 2.048 at most
    double stiffness_scale;  // of the last step, as in the report
    int run_count;
    bool any_threads;    // as many as there are: its times say nothing then
    bool may_fail;       // a step that fails ends the run, without complaint
    int unstable_frame;  // which it was, from 1; 0: none
} MotionRun;

// Runs once more from the start, on one thread where its time counts. The air density of the step
// counts only where the motion has air. Zero-initialise `run` before the first; destroy it in any
// case.
int run_motion(const MotionScene* scene, const WeftStepDef* step, MotionRun* run);
void destroy_run(MotionRun* run);
// For what is not weft: a frame of a run. `lattice` is there; the first run tells its shape.
void record_frame(const MotionScene* scene, int frame, double seconds, const double* positions,
                  MotionRun* run);
double run_ms(const MotionRun* run);  // per frame

// Solved all but to the end at the fabric's stiffness, without sleep: what truths are made by.
// Named by itself and not by a quality, which may come to mean something else.
WeftStepDef truth_step(int substeps);

typedef struct Truth {
    Trajectory lattice;
    double floor;  // m, distance from the truth with half as many substeps
} Truth;

// Of the same kind, stretch model, fabric (two-sided) and air, with 128 cells, on the floor 64.
// Kept between runs; a quick one is coarse, and is not.
int find_truth(const BenchOptions* options, const MotionDef* def, Truth* truth);
void destroy_truth(Truth* truth);

// m, root mean square over the lattice and all frames.
double distance_from(const Truth* truth, const Trajectory* lattice);
// Frames in which the cloth was asleep while the truth still moved.
int frames_asleep(const Truth* truth, const MotionRun* run);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A method at work on a square: its times, its distance from the references, its stretch at rest.

#ifndef WEFT_BENCH_TRIAL_H
#define WEFT_BENCH_TRIAL_H

#include <stdbool.h>

#include "method.h"
#include "square.h"

enum { MAX_FRAMES = 60 };

// Positions at the end of each step.
typedef struct Trajectory {
    int frame_count, vertex_count;
    double* positions;  // 3 per vertex, frame by frame; NULL: nothing known
} Trajectory;

void create_trajectory(Trajectory* trajectory, int frame_count, int vertex_count);
void destroy_trajectory(Trajectory* trajectory);
double* trajectory_frame(const Trajectory* trajectory, int frame);

// What takes long is kept between runs, in a file of the user's cache whose name has a hash of the
// text `definition`, with a number beside the positions. Loading fails where there is none that has
// the frames and vertices of `trajectory`; where nothing can be written, nothing is kept.
bool load_trajectory(const char* definition, Trajectory* trajectory, double* number);
void keep_trajectory(const char* definition, const Trajectory* trajectory, double number);

// Squares of the distances to a trajectory, summed over vertices and frames.
typedef struct Distance {
    const Trajectory* from;  // or NULL
    double sum, largest;     // m^2, m
    int frames;
} Distance;

void add_frame(Distance* distance, int frame, const double* positions);
double rms_distance(const Distance* distance);  // m; NAN where there is nothing to compare with
// The rms distance of a trajectory from another, over all frames of it.
double mean_distance(const Trajectory* from, const Trajectory* to);

typedef struct Trial {
    const Method* method;
    Square square;  // with the method's estimator; shares the mesh
    WeftModel* model;
    WeftState *start, *state;
    Net net;  // of ROLE_EIGEN
    EigenStep* eigen;

    WeftTimes times[MAX_FRAMES];  // of each step, the fastest of the repeats
    int repeat_count;
    double spent;                                                    // s, over all repeats
    int frame_count, iterations, newton_steps, solves, unconverged;  // of one repeat
    double stiffness_scale;
    Distance converged, fine, other;  // to the references; to our own step, of ROLE_EIGEN
    Trajectory* record;               // filled by the first repeat, or NULL
    double speed_limit;               // m/s, where it may be unstable: it ends, and does not fail
    int unstable_frame;               // at which it was faster, from 1; 0: none
    double rest_max, rest_p99, rest_speed;
} Trial;

// threads 0: all. Returns an exit code, as the others do.
int create_trial(const Method* method, const Square* square, int threads, Trial* trial);
void destroy_trial(Trial* trial);
// Take the first `frame_count` steps once more from the start.
int run_trial(Trial* trial, int frame_count);
// The means over the steps of their fastest times.
WeftTimes mean_times(const Trial* trial);

// The shape in which a square hangs still, into `positions`.
int find_rest(const Square* square, double* positions);
// Start from that shape with the trial's method, let it come to rest, measure the stretch.
int settle_trial(Trial* trial, const double* rest);

#endif

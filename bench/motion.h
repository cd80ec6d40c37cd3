// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The motion itself of a square, by which errors are told.

#ifndef WEFT_BENCH_MOTION_H
#define WEFT_BENCH_MOTION_H

#include "bench.h"
#include "trial.h"

// Of the motion itself, per frame. 64 and 256 end 4 and 5 mm away, a single Newton step each 4 mm:
// folds make their choice by rounding, and closer nobody can know.
enum { FINE_SUBSTEPS = 128, QUICK_FINE_SUBSTEPS = 16 };

// The first frames by a method. Returns an exit code, as the other does.
int record_motion(const Square* square, const Method* method, int frame_count, Trajectory* record);

// BDF2 solved to the end with FINE_SUBSTEPS, and its distance from that of half as many. Takes
// minutes, so that it is kept between runs; a quick one is not.
int find_motion(const BenchOptions* options, const Square* square, int frame_count,
                Trajectory* motion, double* floor);

#endif

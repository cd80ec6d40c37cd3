// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The motions by XPBD, on the same springs, masses, pins and bodies as weft's.

#ifndef WEFT_BENCH_XPBD_MOTION_H
#define WEFT_BENCH_XPBD_MOTION_H

#include "three.h"

// As run_motion, without air and bending.
int run_xpbd_motion(const MotionScene* scene, int substeps, double relaxation, MotionRun* run);

#endif

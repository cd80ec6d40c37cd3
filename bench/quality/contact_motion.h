// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The motions of `quality` with contact, for so many frames from their start: a dress on a
// mannequin that walks, a cape on capsules that walk and turn, a heap of three sheets.
//
// Two truths are asked. The motion itself is the prefactored method with many substeps, solved all
// but to the end, on the same mesh; how well it is known is its distance from the same with half as
// many. Its own limit is what a method comes to in 64 substeps: the difference of both is what the
// method does otherwise, and more substeps do not mend.
//
// Cloth in contact is chaotic: two heaps that begin a micron apart are 34 mm apart in their
// vertices in the second half second, and stay so. What is compared is therefore the means of
// patches (patches.h), which are 20 mm apart there, and only the time in which something moves.

#ifndef WEFT_BENCH_QUALITY_CONTACT_MOTION_H
#define WEFT_BENCH_QUALITY_CONTACT_MOTION_H

#include "patches.h"
#include "realtime/course.h"

typedef struct ContactMotion {
    const char* scene;  // of the bench realtime
    int frames;
    ContactStage stage;  // with nothing but the scene, between runs
    Patches patches;
    Trajectory truth, own;  // means of the patches; own: of small steps
    double floor;           // m
} ContactMotion;

// How a method did.
typedef struct ContactRun {
    double error, own;  // m, from the motion itself, from the own limit; own NAN: not known
    Course course;
} ContactRun;

// Truths are kept between runs, but for the own limit, which changes with the method. Returns an
// exit code; close it in any case.
int open_contact_motion(const BenchOptions* options, const char* scene, int frames,
                        ContactMotion* motion);
void close_contact_motion(ContactMotion* motion);
// One that fails tells so in its course, and has no errors. Destroy the course in any case.
int run_contact_motion(const BenchOptions* options, const char* what, const WeftStepDef* step,
                       ContactMotion* motion, ContactRun* run);

#endif

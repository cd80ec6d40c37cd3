// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What has passed through what in a stress scene: pairs of triangles that cross, by the checker
// that shares no code with contact, and vertices inside of bodies.

#ifndef WEFT_BENCH_STRESS_JUDGE_H
#define WEFT_BENCH_STRESS_JUDGE_H

#include "scene.h"
#include "weft/weft_io.h"

typedef struct StressJudge {
    const StressScene* scene;
    const WeftModel* model;
    double* shapes[MOST_BODIES];  // where the vertices of bodies are
} StressJudge;

void create_judge(StressJudge* judge, const StressScene* scene, const WeftModel* model);
void destroy_judge(StressJudge* judge);

typedef struct Passed {
    int all;                  // crossings and vertices inside; -1: positions beyond judging
    int crossings;            // pairs of triangles, of those that contact keeps apart
    int inside[MOST_BODIES];  // vertices that are not pinned
    int pinned;    // pinned vertices inside of bodies: they are where they are told to be
    bool stacked;  // pins lie on each other: what hangs on them has no sides
    double depth;  // m, of the deepest vertex in a body whose shape is a formula
} Passed;

Passed find_passed(StressJudge* judge, const WeftState* state);

// Every position and velocity, and every number of the report.
bool is_finite(const WeftModel* model, const WeftState* state);

#endif

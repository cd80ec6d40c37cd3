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

// Pairs of triangles that cross, of those that contact keeps apart, and vertices inside of bodies;
// -1 where positions are beyond judging.
int count_passed(StressJudge* judge, const WeftState* state);

// Every position and velocity, and every number of the report.
bool is_finite(const WeftModel* model, const WeftState* state);

#endif

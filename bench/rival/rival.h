// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A scene of weft that XPBD plays: the same meshes, fabrics, masses, pins, bodies and wind. A state
// of weft carries it, so that whatever shows, measures or touches a state can be used as it is;
// only the steps of the cloth are the rival's. One thread.

#ifndef WEFT_BENCH_RIVAL_H
#define WEFT_BENCH_RIVAL_H

#include "weft/weft_io.h"
#include "xpbd.h"

typedef struct Rival Rival;

// How the last step was taken.
typedef struct RivalReport {
    int substeps;
    double total, solve;  // s; the rival's own, without what carries it
} RivalReport;

// Why a scene cannot be played, as a sentence that names what the rival does not know; NULL: it
// can.
const char* refuse_rival(const WeftScene* scene);
// The model of the state that carries it: without contact and without matrices, of soft fabric. As
// weft_create_model.
WeftResult create_rival_model(const WeftScene* scene, WeftModel** model, WeftError* error);
// What weft_measure says of such a state, as it is of the fabric itself.
void correct_rival_measure(WeftMeasure* measure);
// For a scene that is dressed, and a new state of that model. NULL for lack of memory.
Rival* create_rival(const WeftScene* scene, const WeftState* state);
void destroy_rival(Rival* rival);
// From the next step on, in place of what was pulled before. At most MAX_XPBD_PULLS.
void pull_rival(Rival* rival, int count, const XpbdPull* pulls);
// In place of weft_step, after weft_direct_scene. With a budget_ms, as many substeps as fit, by the
// clock of the scene's model; else `substeps`, or where these are 0, RIVAL_SUBSTEPS.
enum { RIVAL_SUBSTEPS = 20 };
WeftResult take_rival_step(Rival* rival, WeftState* state, const WeftStepDef* step);
const RivalReport* rival_report(const Rival* rival);

#endif

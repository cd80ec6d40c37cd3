// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A measured test, ready to be simulated again and again: it remembers the last equilibrium and
// starts from there.

#ifndef WF_FIT_TRIAL_H
#define WF_FIT_TRIAL_H

#include "base/memory.h"
#include "fit/overhang.h"
#include "fit/strip.h"
#include "weft/weft_fit.h"

enum { WF_TRIAL_SHAPE = 2 * WF_STRIP_MAX_VERTICES };

typedef struct WfTrial {
    const WeftTest* test;
    WfStrip* strip;        // of stretch
    WfStripPlace* places;  // of stretch, per mark
    WfOverhang overhang;   // of bend
    // The equilibrium: positions of the strip's vertices, or angles of the overhang's segments.
    double shape[WF_TRIAL_SHAPE];
    double next[WF_TRIAL_SHAPE];  // and one that may take its place
} WfTrial;

// Refuses measurements that cannot be simulated.
WeftResult wf_check_measurements(const WeftMeasurements* measurements, WeftError* error);
// Takes memory from the arena (see memory.h), and fills it in the second pass.
void wf_trial_layout(WfTrial* trial, const WeftTest* test, WfArena* arena);
void wf_trial_init(WfTrial* trial, const WeftMeasurements* measurements);
// From rest, in a few steps of weight, into `shape`. False: not found.
bool wf_trial_start(WfTrial* trial, const WeftMeasured* measured);
// From `shape` into `next`. False: not found.
bool wf_trial_run(WfTrial* trial, const WeftMeasured* measured);
// The same for some tables that differ a little from `measured`, that of `shape`; faster, and to
// first order: shapes of wf_trial_size numbers, one after the other.
bool wf_trial_shift(const WfTrial* trial, const WeftMeasured* measured, int count,
                    const WeftMeasured* others, double* shapes);
int wf_trial_size(const WfTrial* trial);
void wf_trial_accept(WfTrial* trial);  // `next` becomes `shape`
// Where a shape has a mark.
void wf_trial_see(const WfTrial* trial, const double* shape, int mark, double place[2]);
// Where it is in the flat strip.
void wf_trial_see_rest(const WfTrial* trial, int mark, double place[2]);

#endif

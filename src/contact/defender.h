// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The last defence while it is at work: passes (defend.c), which stop pairs of features
// (defend_pairs.c) and what meets exact bodies (defend_exact.c).

#ifndef WF_CONTACT_DEFENDER_H
#define WF_CONTACT_DEFENDER_H

#include "contact/defend.h"
#include "contact/feature.h"

static const double WF_HALF_WAY = 0.5;  // when a round body was met, where only the end is known

typedef enum WfDefenceStage { IMPULSES, ZONES, STANDSTILL } WfDefenceStage;

typedef struct WfDefender {
    WfWorld* world;
    double* x1;
    WfDefenceStage stage;
    bool stops;       // zones keep nothing of their own motion any more
    bool counts;      // nothing is answered any more: what passes all the same is counted
    bool looks_only;  // nothing is answered yet
    bool known;       // the pairs on the ways that the solve has found,
    bool clear;       // and none of them meet
    int pass, hits, torn, searches;
    long looks;   // at pairs on their way: none left, and what is not seen to pass by counts as hit
    double keep;  // m, the least distance that a pair had to keep
    WfDefence result;
} WfDefender;

static inline void wf_defender_enters(WfDefender* d, int i) {
    wf_zones_enter(&d->world->zones, i, wf_load(d->x1, i));
    d->world->dirty[i] = d->pass;
}

// Answer what a pair does on its way, by an impulse or a zone; or count it.
void wf_stop(WfDefender* d, WfFeature* f, int mover);
// Do the ways of both features come near each other along every axis?
bool wf_boxes_meet(const WfFeature* f);
// All lists of a search; mover -1: cloth with cloth.
void wf_stop_pairs(WfDefender* d, WfPairs* pairs, const WfSides* sides, int mover);
// What would get into exact body m.
void wf_stop_exact(WfDefender* d, int m);

#endif

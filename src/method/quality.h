// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// From what a user asks for to what a step does: the ladder of quality, and stiffness to order.

#ifndef WF_METHOD_QUALITY_H
#define WF_METHOD_QUALITY_H

#include "method/system.h"
#include "weft/weft_study.h"

// The front of order, substeps and iterations.
typedef struct WfLevel {
    int order, substeps;
    WeftScheme scheme;
    int iterations[WEFT_MAX_NEWTON];
    const char* text;
} WfLevel;
const WfLevel* wf_level(int quality);
// The one that a system takes: where there is contact, the lowest are as the third.
const WfLevel* wf_level_of(const WfSystem* system, int quality);

// The rungs that a time budget climbs: order, substeps and scheme of the prefactored method, with
// as many iterations as there may be time for. `least`: fewer are not worth it in a substep, the
// rung below is then better; more of them where something touches.
int wf_rung_count(const WfSystem* system);
int wf_rung_least(int rung, bool touching);
// The lowest that is to be taken: single solves are no choice where there is contact.
int wf_lowest_rung(const WfSystem* system);
// `asked` on a rung, resolved.
WeftStepDef wf_rung_step(const WfSystem* system, const WeftStepDef* asked, int rung);
enum { WF_MANY_SWEEPS = 200 };  // more never changed what a step of relaxation gives

// What a cloth brings to the choice of its stiffness.
typedef struct WfClothSize {
    double stiffness;  // N/m, the larger of warp and weft
    double density;    // kg/m^2
    double length;     // m, the longer side of the flat shape
    double reach;      // m: a load of 1 Pa makes a tension of so many N/m
} WfClothSize;

// The tension that the cloth's weight and a load, Pa, put on it, N/m.
double wf_cloth_tension(const WfClothSize* cloth, double load);
// The stretch stiffness to simulate with, over the fabric's, where the cloth carries a load of so
// many Pa beside its weight. `def` is resolved.
double wf_stiffness_scale(const WfClothSize* cloth, double load, const WeftStepDef* def);

#endif

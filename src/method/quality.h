// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// From what a user asks for to what a step does: the ladder of quality, and stiffness to order.

#ifndef WF_METHOD_QUALITY_H
#define WF_METHOD_QUALITY_H

#include "method/system.h"

// Are the values possible, and do they make sense with these cloths?
WeftResult wf_check_step(const WfSystem* system, const WeftStepDef* def, WeftError* error);

// The same def with nothing left open: order, substeps, scheme and iterations set.
WeftStepDef wf_resolve_step(const WfSystem* system, const WeftStepDef* def);

// The rungs that a time budget climbs: order, substeps and scheme of the prefactored method, with
// as many iterations as there may be time for. `least`: fewer are not worth it in a substep, the
// rung below is then better.
int wf_rung_count(const WfSystem* system);
int wf_rung_least(int rung);
// `asked` on a rung, resolved.
WeftStepDef wf_rung_step(const WfSystem* system, const WeftStepDef* asked, int rung);
enum { WF_MANY_SWEEPS = 200 };  // more never changed what a step of relaxation gives

// What does a resolved def need: the constant factor, blocks, blocks packed in rows?
bool wf_step_needs_factor(const WeftStepDef* def);
bool wf_step_needs_blocks(const WeftStepDef* def);
bool wf_step_needs_rows(const WeftStepDef* def);
bool wf_contact_needs_rows(const WeftStepDef* def);  // where something is touched

// What a cloth brings to the choice of its stiffness.
typedef struct WfClothSize {
    double stiffness;  // N/m, the larger of warp and weft
    double density;    // kg/m^2
    double length;     // m, the longer side of the flat shape
} WfClothSize;

// The stretch stiffness to simulate with, over the fabric's. `def` is resolved.
double wf_stiffness_scale(const WfClothSize* cloth, const WeftStepDef* def);

#endif

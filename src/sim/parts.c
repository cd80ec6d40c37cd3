// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sim/parts.h"

#include "sim/carry.h"
#include "sim/contact.h"

enum { FOLLOWS = 4 };  // iterations of A

// Single solves cannot follow a body that hits hard: what it does to their prediction feeds on
// itself (a capsule shot at a curtain stretched it 119 times at quality 1). A 4 can.
static void follow_hits(const WfSystem* s, WeftStepDef* def) {
    bool weak = def->scheme == WEFT_SCHEME_REPEAT ||
                (def->scheme == WEFT_SCHEME_A && def->iterations[0] < FOLLOWS);
    if (!wf_step_needs(def, WF_NEED_FACTOR) || !s->has_nonlinear || !weak) return;
    def->scheme = WEFT_SCHEME_A;
    def->iterations[0] = FOLLOWS;
}

enum { LONG_PARTS = 8 };             // a step after a load costs no more than these,
static const double LONGEST = 0.05;  // s, and substeps are as long as that where there are no more

// Cloth that falls on a body in one long step is torn, and the last defence has much to do: a step
// of 1 s stretched sheets on a ball 3 times, a second one 5 times, in 200 ms each; in 8 parts they
// are at 1.07, in 70 ms. Substeps of 0.1 s still reach 1.5.
static int length_parts(const WeftState* state, const WeftStepDef* def) {
    int parts = 1;
    if (!wf_model_touches(state->model)) return parts;
    while (parts < LONG_PARTS && def->dt > LONGEST * def->substeps * parts) parts *= 2;
    return parts;
}

static int larger(int a, int b) { return a > b ? a : b; }

void wf_cut_substeps(const WeftState* state, WeftStepDef* def, int hurry) {
    int by_bodies = wf_contact_parts(state, def), by_pins = wf_carry_parts(state, def);
    int parts = larger(larger(hurry, length_parts(state, def)), larger(by_bodies, by_pins));
    int by_cloths = wf_closing_parts(state, def);
    def->substeps *= larger(parts, by_cloths);
    if (larger(by_bodies, by_cloths) > 1) follow_hits(&state->model->system, def);
}

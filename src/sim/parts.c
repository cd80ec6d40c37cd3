// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sim/parts.h"

#include "sim/carry.h"
#include "sim/contact.h"
#include "sim/skin.h"
#include "weft/weft_study.h"

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

// ---------------------------------------------------------------------------------------------

// What a body that moves carries along goes where it pushes in every step, and the few iterations
// that do for cloth that falls leave the rest of it behind: light cloth on legs that walk was
// crumpled, and smooth as soon as they stopped. (What lies on a body at rest gains nothing: a drape
// over a ball is as close to its motion with 4 as with 8.) Directions end where they have come far
// enough (respond/direction.c), so that more of them cost little. Seven garments, 20 mm, walks of 4
// s: mean angle between neighbouring triangles, degrees; stretch that 99 % of the edges keep; time
// of a step. Means of the garments:
//
//                   silk              poplin            denim
//     2 x A 4       13.6 1.09 1       13.4 1.06 1       9.1 1.06 1
//     2 x A 8       10.0 1.07 1.05     9.8 1.05 1.02    8.3 1.06 1.04
//
// 12 iterations have half a degree less for a tenth more time, 4 x A 4 (quality 6) has a degree
// more than 2 x A 8 for half as much again. A third round instead: less for the same.

enum { CARRIED_ITERATIONS = 8 };
static const double CARRIED = 0.02;  // of all vertices, that contacts hold

static bool is_carried(const WeftState* state, double dt) {
    int count = state->model->system.vertex_count, held = 0;
    bool moves = wf_skins_move(state);  // what jumps is placed
    for (int i = 0; i < state->model->body_count && !moves; i++)
        moves = wf_body_moves(state, i) && !wf_body_jumps(state, i, dt);
    if (!state->loads || !moves) return false;
    for (int i = 0; i < count; i++) held += wf_is_loaded(state->loads + 4 * (long)i);
    return held > CARRIED * count;
}

void wf_follow_bodies(const WeftState* state, WeftStepDef* def) {
    if (def->scheme != WEFT_SCHEME_A || def->iterations[0] >= CARRIED_ITERATIONS) return;
    if (is_carried(state, def->dt)) def->iterations[0] = CARRIED_ITERATIONS;
}

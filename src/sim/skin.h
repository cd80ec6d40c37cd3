// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Cloth that keeps to a skin: which rows have one (skinned.c), where it is (skin.c), and the
// contacts that hold vertices to it (leash.c). The drive is a term (energy/drive.c).

#ifndef WF_SIM_SKIN_H
#define WF_SIM_SKIN_H

#include "sim/state.h"

bool wf_cloth_has_skin(const WeftClothDef* cloth);
// Refuses maps and bones that make no sense.
WeftResult wf_check_animation(const WeftClothDef* cloth, WeftError* error);
void wf_destroy_skinned(const WeftAllocator* allocator, int cloth_count, WfSkinned* skinned);

void wf_skins_layout(WfArena* arena, WeftState* state);
// Where the cloth is, with the maps of the model; rows whose distance is 0 are its pins.
void wf_reset_skins(WeftState* state);
static inline WfSkinPoint* wf_skin_of(const WeftState* state, int row) {
    return &state->skins[state->model->skinned.of_rows[row]];
}
// Before a step: rows whose max distance is 0 are pinned to their skins, and released where it no
// longer is. Pins of users are left alone.
void wf_ready_skins(WeftState* state);
// Whether any skin moves in the next step, and how fast the fastest is that does not jump, m/s.
bool wf_skins_move(const WeftState* state);
double wf_fastest_skin(const WeftState* state, double dt);
// Skins that go faster than anything could follow: where all of a piece of cloth do, it is put
// there with them. Returns how many.
int wf_place_jumping_skins(WeftState* state, double dt);
// Where skins are in substep `index` of `count`, each of length h.
void wf_move_skins(WeftState* state, int index, int count, double h);
// The same after `part` of the substep.
void wf_shorten_skins(WeftState* state, double part);
// Skins have arrived.
void wf_end_skins(WeftState* state);

// Contacts with the ends of leashes and with backstops, before all others: what comes later wins.
// The substep goes from `before` to `after`, parts of the step.
void wf_find_leashes(WeftState* state, double before, double after);
// How far vertices are beyond their max distance, into the report.
void wf_report_leashes(WeftState* state);

#endif

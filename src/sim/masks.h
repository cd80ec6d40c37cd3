// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Who touches whom: layers and masks of cloths and bodies, as a state has them.

#ifndef WF_SIM_MASKS_H
#define WF_SIM_MASKS_H

#include "sim/state.h"

// Numbers in state->masks: layer and mask of every cloth, then of every body.
size_t wf_mask_count(const WeftModel* model);
// Those of the model.
void wf_reset_masks(WeftState* state);
// From another state; those of bodies only where both models have the same.
void wf_continue_masks(WeftState* to, const WeftState* from, bool same_bodies);
// Whether some differ from those of the model.
bool wf_has_own_masks(const WeftState* state);
// Whether a body touches a cloth; and whether it touches none.
bool wf_body_meets(const WeftState* state, int body, int cloth);
// Whether two cloths touch, or one touches itself.
bool wf_cloths_meet(const WeftState* state, int a, int b);
bool wf_body_is_off(const WeftState* state, int body);
// Tell the world: movers, and cloth with cloth.
void wf_apply_masks(WeftState* state);

#endif

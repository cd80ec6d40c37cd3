// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sim/masks.h"

#include "base/assert.h"
#include "sim/contact.h"
#include "sim/rest.h"

typedef struct Mask {
    uint32_t layer, mask;
} Mask;

static bool masks_meet(Mask a, Mask b) {
    return (a.layer & b.mask) != 0 && (b.layer & a.mask) != 0;
}

size_t wf_mask_count(const WeftModel* m) {
    return 2 * ((size_t)m->cloth_count + (size_t)m->shown_body_count);
}

static Mask model_mask(const WeftModel* m, int thing) {
    if (thing < m->cloth_count) return (Mask){m->cloth_layers[thing], m->cloth_masks[thing]};
    const WfBody* body = &m->bodies[thing - m->cloth_count];
    return (Mask){body->layer, body->mask};
}

// Cloths come first, then bodies.
static Mask mask_of(const WeftState* state, int thing) {
    return (Mask){(uint32_t)state->masks[2 * thing], (uint32_t)state->masks[2 * thing + 1]};
}

static void put(WeftState* state, int thing, Mask mask) {
    state->masks[2 * thing] = mask.layer;
    state->masks[2 * thing + 1] = mask.mask;
}

void wf_reset_masks(WeftState* state) {
    const WeftModel* m = state->model;
    for (int i = 0; i < m->cloth_count + m->shown_body_count; i++) put(state, i, model_mask(m, i));
}

void wf_continue_masks(WeftState* to, const WeftState* from, bool same_bodies) {
    const WeftModel* m = to->model;
    wf_reset_masks(to);
    if (m->cloth_count != from->model->cloth_count) return;
    for (int i = 0; i < m->cloth_count + (same_bodies ? m->shown_body_count : 0); i++)
        put(to, i, mask_of(from, i));
}

bool wf_has_own_masks(const WeftState* state) {
    const WeftModel* m = state->model;
    for (int i = 0; i < m->cloth_count + m->shown_body_count; i++) {
        Mask own = mask_of(state, i), of = model_mask(m, i);
        if (own.layer != of.layer || own.mask != of.mask) return true;
    }
    return false;
}

// The plane of a mirror stands for the image of the cloth itself.
bool wf_body_meets(const WeftState* state, int body, int cloth) {
    const WeftModel* m = state->model;
    Mask of = mask_of(state, cloth);
    if (m->bodies[body].is_mirror) return masks_meet(of, of);
    return masks_meet(of, mask_of(state, m->cloth_count + body));
}

bool wf_cloths_meet(const WeftState* state, int a, int b) {
    return masks_meet(mask_of(state, a), mask_of(state, b));
}

bool wf_body_is_off(const WeftState* state, int body) {
    for (int c = 0; c < state->model->cloth_count; c++)
        if (wf_body_meets(state, body, c)) return false;
    return true;
}

void wf_apply_masks(WeftState* state) {
    const WeftModel* m = state->model;
    WfWorld* w = &state->world;
    int cloths = m->cloth_count;
    for (int b = 0; b < w->mover_count; b++) {
        unsigned char* meets = w->meets + (size_t)b * (size_t)cloths;
        int count = 0;
        for (int c = 0; c < cloths; c++) count += meets[c] = wf_body_meets(state, b, c);
        w->movers[b].meets = count < cloths ? meets : NULL;
        w->movers[b].off = count == 0;
    }
    unsigned char* meet = w->meets + (size_t)w->mover_count * (size_t)cloths;
    int count = 0;
    for (int c = 0; c < cloths; c++)
        for (int d = 0; d < cloths; d++)
            count += meet[c * cloths + d] = wf_cloths_meet(state, c, d);
    w->layers_meet = count < cloths * cloths ? meet : NULL;
    w->self = m->contact == WEFT_CONTACT_ALL && count > 0;
}

// Pairs are to be searched for, and what is crossed: nobody has seen to it that it is not.
static void change(WeftState* state, int thing, Mask mask) {
    Mask old = mask_of(state, thing);
    if (old.layer == mask.layer && old.mask == mask.mask) return;
    put(state, thing, mask);
    wf_forget_lists(&state->world);
    if (state->tangle) wf_look_again(state);
    wf_wake(state);
}

void weft_set_body_mask(WeftState* state, int body, uint32_t layer, uint32_t mask) {
    wf_assert(body >= 0 && body < state->model->shown_body_count);
    change(state, state->model->cloth_count + body, (Mask){layer, mask});
}

void weft_set_cloth_mask(WeftState* state, int cloth, uint32_t layer, uint32_t mask) {
    wf_assert(cloth >= 0 && cloth < state->model->cloth_count);
    change(state, cloth, (Mask){layer, mask});
}

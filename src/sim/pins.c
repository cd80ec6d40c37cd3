// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Pins come and go without a stall. The factor in use was made with the pins of `base`, mostly the
// model's own; how the state's pins differ from them goes through the exchange, a walk up the tree
// per vertex. When that gets long, a factor with the pins of that moment (`next`) is made beside
// the steps, a piece in each, and takes over when it is done. Only more changes at once than the
// exchange can hold make a step wait for a factorisation.
//
// What is done depends on the state and the step alone, never on a clock: a state that was saved
// and restored goes on with the same bits.

#include <string.h>

#include "sim/state.h"

// A new factor is begun at half of what the exchange can hold, and made in as many pieces: so it is
// ready in time while no more than a pin or so changes per step, and a piece is a small part of
// a step.
enum { BEGIN_ANEW = WF_MAX_EXCHANGED / 2, PIECES = 32 };

static int count_changes(const WeftState* state, const unsigned char* base) {
    int count = 0;
    for (int i = 0; i < state->model->system.vertex_count; i++)
        count += state->pinned[i] != base[i];
    return count;
}

static void copy_pins(const WeftState* state, unsigned char* to, const unsigned char* from) {
    memcpy(to, from, (size_t)state->model->system.vertex_count);
}

static bool same_pins(const WeftState* state, const unsigned char* a, const unsigned char* b) {
    return memcmp(a, b, (size_t)state->model->system.vertex_count) == 0;
}

// ---------------------------------------------------------------------------------------------
// The state's own factors

static WfFactor* current(WeftState* state) { return &state->own[state->current]; }
static WfFactor* other(WeftState* state) { return &state->own[1 - state->current]; }

static bool allocate(WeftState* state, WfFactor* factor) {
    const WfSystem* s = &state->model->system;
    if (!state->factor_work.slots && wf_factor_create_work(s, &state->factor_work)) return false;
    return factor->values || !wf_factor_create(s, factor);
}

// The current one, made with the pins of `base` at once. like: the model's factor, or NULL.
static bool make_now(WeftState* state, const WfFactor* like, double gamma) {
    const WfSystem* s = &state->model->system;
    double start = wf_now(s);
    if (!allocate(state, current(state))) return false;
    wf_factor_make(s, gamma, state->scales, state->base, like ? like : current(state),
                   &state->factor_work, current(state));
    state->exchanged = NULL;
    state->report.factor_count++;
    state->report.times.factor += wf_now(s) - start;
    return true;
}

// The next piece of the one in the making, beside the factor in use. One that was begun with other
// settings, or in another life of the state, is made again up to where it was. Returns the factor
// to use from now on.
static const WfFactor* make_piece(WeftState* state, const WfFactor* in_use, double gamma) {
    const WfSystem* s = &state->model->system;
    double start = wf_now(s);
    if (!allocate(state, other(state))) return NULL;
    int pieces = 1;
    if (state->pieces == 0 || !wf_factor_fits(s, other(state), gamma, state->scales)) {
        wf_factor_begin(s, gamma, state->scales, state->next, in_use, other(state));
        pieces = state->pieces + 1;
    }
    while (pieces-- > 0 && !other(state)->made)
        wf_factor_advance(s, PIECES, &state->factor_work, other(state));
    state->pieces++;
    state->report.times.factor += wf_now(s) - start;
    if (!other(state)->made) return in_use;
    state->current = 1 - state->current;
    copy_pins(state, state->base, state->next);
    state->pieces = -1;
    state->exchanged = NULL;
    return current(state);
}

// ---------------------------------------------------------------------------------------------

static const WfFactor* find_model_factor(const WeftState* state, double gamma) {
    const WeftModel* m = state->model;
    for (int f = 0; f < m->factor_count; f++)
        if (wf_factor_fits(&m->system, &m->factors[f], gamma, state->scales)) return &m->factors[f];
    return NULL;
}

bool wf_has_factor(const WeftState* state, const WeftStepDef* def) {
    wf_model_scales(state->model, def, state->scales);
    return find_model_factor(state, wf_step_gamma(def)) != NULL;
}

// Which pins the factor shall have.
static void choose_base(WeftState* state, bool model_serves) {
    const WeftModel* m = state->model;
    int changes = count_changes(state, state->base);
    bool of_model = same_pins(state, state->base, m->pinned);
    if (model_serves && !of_model && count_changes(state, m->pinned) <= changes) {
        copy_pins(state, state->base, m->pinned);
        state->pieces = -1;
        changes = count_changes(state, state->base);
    }
    if (changes > WF_MAX_EXCHANGED) {
        copy_pins(state, state->base, state->pinned);
        state->pieces = -1;
    } else if (changes > BEGIN_ANEW && state->pieces < 0) {
        copy_pins(state, state->next, state->pinned);
        state->pieces = 0;
    }
}

static const WfFactor* find_factor(WeftState* state, const WfFactor* of_model, double gamma) {
    const WfSystem* s = &state->model->system;
    if (of_model && same_pins(state, state->base, state->model->pinned)) return of_model;
    const WfFactor* own = current(state);
    bool serves = wf_factor_fits(s, own, gamma, state->scales) && own->made &&
                  same_pins(state, own->fixed, state->base);
    return serves || make_now(state, of_model, gamma) ? own : NULL;
}

static bool set_exchange(WeftState* state, const WfFactor* factor) {
    const WfSystem* s = &state->model->system;
    WfSolve solve = {&s->cholesky, s->kernel, &s->jobs, factor->values, state->work.slots};
    WfCholeskyInput input = {factor->matrix, factor->fixed};
    bool forget = state->exchanged != factor;
    if (!forget && !state->pins_changed) return true;
    state->exchanged = factor;
    state->pins_changed = false;
    return wf_exchange_set(&state->exchange, &solve, &input, state->pinned, forget);
}

const WfFactor* wf_ready_factor(WeftState* state, const WeftStepDef* def) {
    double gamma = wf_step_gamma(def);
    const WfFactor* of_model = find_model_factor(state, gamma);
    choose_base(state, of_model != NULL);
    const WfFactor* factor = find_factor(state, of_model, gamma);
    if (factor && state->pieces >= 0) factor = make_piece(state, factor, gamma);
    if (!factor || set_exchange(state, factor)) return factor;
    // freed rows with long ways to the root: no room after all
    copy_pins(state, state->base, state->pinned);
    state->pieces = -1;
    if (!make_now(state, of_model, gamma) || !set_exchange(state, current(state))) return NULL;
    return current(state);
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Pins come and go without a stall. The factor in use was made with the pins of `base`, mostly the
// model's own; how the state's pins differ from them goes through the exchange, a walk up the tree
// per vertex. When that gets long, a factor with the pins of that moment (`next`) is made beside
// the steps, a piece in each, and takes over when it is done. Only more changes at once than the
// exchange can hold make a step wait for a factorisation.
//
// Step lengths come and go likewise (lengths.c): the state keeps several factors, of different
// lengths, and only one that is due for the first time is made at once.
//
// What is done depends on the state and the step alone, never on a clock: a state that was saved
// and restored goes on with the same bits.

#include <string.h>

#include "sim/attach.h"

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

// The lower, the sooner it may go: one for pins of the past, an empty place, one that may come
// back.
static int worth(const WeftState* state, int place) {
    const WfFactor* own = &state->own[place];
    return !own->values ? 1 : same_pins(state, own->fixed, state->base) ? 2 : 0;
}

// The place for another one; of equal worth, that which was not used for the longest time.
static int pick_place(const WeftState* state, int except) {
    int best = -1;
    for (int i = 0; i < WF_OWN_FACTORS; i++) {
        if (i == except || i == state->making) continue;
        int more = best < 0 ? -1 : worth(state, i) - worth(state, best);
        if (more < 0 || (more == 0 && state->used[i] < state->used[best])) best = i;
    }
    return best;
}

static bool use_own(WeftState* state, double gamma) {
    const WfSystem* s = &state->model->system;
    for (int i = 0; i < WF_OWN_FACTORS; i++) {
        const WfFactor* own = &state->own[i];
        if (i == state->making || !wf_factor_fits(s, own, gamma, state->factor_scales) ||
            !own->made || !same_pins(state, own->fixed, state->base))
            continue;
        state->current = i;
        state->used[i] = ++state->uses;
        return true;
    }
    return false;
}

static bool allocate(WeftState* state, WfFactor* factor) {
    const WfSystem* s = &state->model->system;
    if (!state->factor_work.slots && wf_factor_create_work(s, &state->factor_work)) return false;
    return factor->values || !wf_factor_create(s, factor);
}

// Another one, made with the pins of `base` at once. like: the model's factor, or NULL.
static bool make_now(WeftState* state, const WfFactor* like, double gamma) {
    const WfSystem* s = &state->model->system;
    double start = wf_now(s);
    int place = pick_place(state, -1);
    if (!allocate(state, &state->own[place])) return false;
    // the one in the making shares the scratch: it is made again up to where it was
    if (state->making >= 0) state->own[state->making].gamma = 0;
    if (!like) like = current(state);
    state->current = place;
    state->used[place] = ++state->uses;
    wf_factor_make(s, gamma, state->factor_scales, state->base, like, &state->factor_work,
                   current(state));
    state->exchanged = NULL;
    state->report.factor_count++;
    state->report.times.factor += wf_now(s) - start;
    return true;
}

// The next piece of the one in the making, beside the factor in use. One that was begun with other
// settings, or in another life of the state, is made again up to where it was. True when it is
// done: `base` are its pins then. False also for lack of memory: *failed.
static bool make_piece(WeftState* state, const WfFactor* in_use, const WeftStepDef* def,
                       bool* failed) {
    const WfSystem* s = &state->model->system;
    double start = wf_now(s);
    WeftStepDef fit = state->next_length > 0 ? wf_with_length(def, state->next_length) : *def;
    double gamma = wf_step_gamma(&fit);
    wf_model_scales(state->model, state->ratings, &fit, state->factor_scales);
    int pieces = state->making < 0 ? -1 : 1;
    if (pieces < 0) state->making = pick_place(state, state->current);
    WfFactor* next = &state->own[state->making];
    *failed = !allocate(state, next);
    if (*failed) return false;
    if (pieces < 0 || state->pieces == 0 || !wf_factor_fits(s, next, gamma, state->factor_scales)) {
        wf_factor_begin(s, gamma, state->factor_scales, state->next, in_use, next);
        pieces = state->pieces + 1;
    }
    while (pieces-- > 0 && !next->made) wf_factor_advance(s, PIECES, &state->factor_work, next);
    state->pieces++;
    state->report.times.factor += wf_now(s) - start;
    if (!next->made) return false;
    copy_pins(state, state->base, state->next);
    state->pieces = state->making = -1;
    state->exchanged = NULL;
    return true;
}

// ---------------------------------------------------------------------------------------------

static const WfFactor* find_model_factor(const WeftState* state, double gamma) {
    const WeftModel* m = state->model;
    for (int f = 0; f < m->factor_count; f++)
        if (wf_factor_fits(&m->system, &m->factors[f], gamma, state->factor_scales))
            return &m->factors[f];
    return NULL;
}

// The same step with the length that its factor is made for, and that factor of the model, or NULL.
static WeftStepDef fit_length(const WeftState* state, const WeftStepDef* def,
                              const WfFactor** of_model) {
    const WeftModel* m = state->model;
    wf_model_scales(m, state->ratings, def, state->factor_scales);
    *of_model = find_model_factor(state, wf_step_gamma(def));
    if (*of_model || def->dt == state->first_dt || state->first_dt == 0) return *def;
    WeftStepDef fit = wf_with_length(def, wf_nearest_length(m->dt, def->dt / def->substeps));
    wf_model_scales(m, state->ratings, &fit, state->factor_scales);
    *of_model = find_model_factor(state, wf_step_gamma(&fit));
    return fit;
}

bool wf_has_factor(const WeftState* state, const WeftStepDef* def) {
    const WfFactor* of_model;
    fit_length(state, def, &of_model);
    return of_model != NULL;
}

bool wf_has_exact_factor(const WeftState* state, const WeftStepDef* def) {
    wf_model_scales(state->model, state->ratings, def, state->factor_scales);
    return find_model_factor(state, wf_step_gamma(def)) != NULL;
}

// Which pins the factor shall have.
static void choose_base(WeftState* state, bool model_serves, double length) {
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
        state->next_length = length;
        state->pieces = 0;
    }
}

static const WfFactor* find_factor(WeftState* state, const WfFactor* of_model, double gamma) {
    if (of_model && same_pins(state, state->base, state->model->pinned)) return of_model;
    bool serves = use_own(state, gamma) || make_now(state, of_model, gamma);
    return serves ? current(state) : NULL;
}

static bool set_exchange(WeftState* state, const WfFactor* factor) {
    const WfSystem* s = &state->model->system;
    WfSolve solve = wf_factor_solver(s, factor, state->scratch->work.slots);
    WfCholeskyInput input = wf_factor_input(s, factor);
    bool forget = state->exchanged != factor;
    bool tied = state->ties.count > 0 || state->exchange.tie_count > 0;
    if (!forget && !state->pins_changed && !(state->ties_changed && tied)) return true;
    state->exchanged = factor;
    state->pins_changed = state->ties_changed = false;
    if (!wf_exchange_set(&state->exchange, &solve, &input, state->pinned, forget)) return false;
    if (!tied) return true;
    WfExchangeTie ties[WF_MAX_TIES];
    int count = wf_list_exchange_ties(state, ties);
    if (!wf_exchange_tie(&state->exchange, &s->allocator, &solve, &input, count, ties)) return true;
    state->exchanged = NULL;
    return false;
}

static const WfFactor* ready(WeftState* state, const WeftStepDef* fit, const WfFactor* of_model) {
    if (wf_ready_exchange(state)) return NULL;
    double gamma = wf_step_gamma(fit);
    choose_base(state, of_model != NULL, fit->dt / fit->substeps);
    const WfFactor* factor = find_factor(state, of_model, gamma);
    if (factor && state->pieces >= 0) {
        bool failed, done = make_piece(state, factor, fit, &failed);
        wf_model_scales(state->model, state->ratings, fit, state->factor_scales);
        if (failed) return NULL;
        if (done) factor = find_factor(state, of_model, gamma);
    }
    if (!factor || set_exchange(state, factor)) return factor;
    // freed rows with long ways to the root: no room after all
    copy_pins(state, state->base, state->pinned);
    state->pieces = -1;
    if (!make_now(state, of_model, gamma) || !set_exchange(state, current(state))) return NULL;
    return current(state);
}

const WfFactor* wf_ready_factor(WeftState* state, const WeftStepDef* def) {
    const WfFactor* of_model;
    WeftStepDef fit = fit_length(state, def, &of_model);
    if (state->first_dt == 0) state->first_dt = def->dt;
    return ready(state, &fit, of_model);
}

const WfFactor* wf_ready_exact_factor(WeftState* state, const WeftStepDef* def) {
    wf_model_scales(state->model, state->ratings, def, state->factor_scales);
    return ready(state, def, find_model_factor(state, wf_step_gamma(def)));
}

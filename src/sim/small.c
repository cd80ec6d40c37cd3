// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sim/small.h"

#include <string.h>

#include "base/vec.h"
#include "sim/carry.h"

// ---------------------------------------------------------------------------------------------
// Memory

WeftResult wf_model_small(const WeftModel* m, WfSmallForm* form) {
    const WfSystem* s = &m->system;
    if (form->vertex_count > 0) return WEFT_OK;
    return wf_small_form_create(&s->allocator, s->vertex_count, s->masses, s->term_count, s->terms,
                                m->gives, form);
}

WeftResult wf_ready_small(WeftState* state) {
    const WeftModel* m = state->model;
    const WeftAllocator* allocator = &m->system.allocator;
    if (state->small.form) return WEFT_OK;
    const WfSmallForm* form = m->small.vertex_count > 0 ? &m->small : &state->own_small;
    if (form == &state->own_small && wf_model_small(m, &state->own_small)) return WEFT_ERROR_MEMORY;
    return wf_small_cloth_create(allocator, form, &state->small);
}

void wf_destroy_small(WeftState* state) {
    const WeftAllocator* allocator = &state->model->system.allocator;
    wf_small_cloth_destroy(allocator, &state->small);
    wf_small_form_destroy(allocator, &state->own_small);
}

// ---------------------------------------------------------------------------------------------
// A step

// What lasts for the step: weight, air. N, 3 per vertex.
static void find_forces(WeftState* state, const WfStep* step, double* f) {
    const WfSystem* s = step->system;
    WfMotion motion = step->motion;
    motion.h = motion.gamma = step->def->dt;
    memset(f, 0, 3 * (size_t)s->vertex_count * sizeof *f);
    for (int t = 0; t < s->term_count; t++) {
        const WfTerm* term = s->terms[t];
        const WfTermSpace* space = &state->work.spaces[t];
        if (term->type->external) term->type->external(term, space, &motion, f);
    }
}

static void put_pins(WeftState* state, int index, int count) {
    wf_place_pins(state, index, count);
    for (int k = 0; k < state->pin_count; k++)
        wf_small_put(&state->small, state->pins[k], state->goal + 3 * (size_t)state->pins[k]);
}

// As if it had always moved like this: other methods may take the next step.
static void end_motion(WeftState* state, double h) {
    long n = 3L * state->model->system.vertex_count;
    wf_small_end(&state->small, state->x, state->v);
    for (long i = 0; i < n; i++) {
        state->x1[i] = state->x[i] - h * state->v[i];
        state->x2[i] = state->x[i] - 2 * h * state->v[i];
        state->v1[i] = state->v[i];
    }
    state->clock[1] = h;
}

WeftResult wf_take_small_steps(WeftState* state, WfStep* step) {
    const WeftStepDef* def = step->def;
    WfSmallCloth* cloth = &state->small;
    double start = wf_now(step->system), h = step->motion.h;
    find_forces(state, step, state->work.gradient);
    wf_small_begin(cloth, state->x, state->v, state->work.gradient, state->pinned);
    double begun = wf_now(step->system);
    for (int i = 0; i < def->substeps; i++) {
        wf_small_predict(cloth, (float)h);
        put_pins(state, i, def->substeps);
        for (int k = 0; k < def->iterations[0]; k++)
            wf_small_sweep(cloth, (float)h, def->iterations[0], (i + k) % 2 != 0);
        wf_small_update(cloth, (float)h);
    }
    double solved = wf_now(step->system);
    end_motion(state, h);
    state->clock[0] += def->dt;
    state->report.sweep_count = def->substeps * def->iterations[0];
    state->report.times.predict += begun - start;
    state->report.times.solve += solved - begun;
    state->report.times.update += wf_now(step->system) - solved;
    return WEFT_OK;
}

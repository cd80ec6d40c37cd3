// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Cloth that is blown up: its pressure, as users set and read it.

#include "base/assert.h"
#include "energy/pressure.h"
#include "sim/input.h"
#include "sim/rest.h"

// The term of a cloth; -1 where it is not blown up.
static int find_term(const WeftModel* m, int cloth) {
    wf_assert(cloth >= 0 && cloth < m->cloth_count);
    for (int t = 0; t < m->system.term_count; t++)
        if (m->system.terms[t]->cloth == cloth && wf_is_pressure(m->system.terms[t])) return t;
    return -1;
}

void weft_set_pressure(WeftState* state, int cloth, double pressure) {
    int t = find_term(state->model, cloth);
    wf_assert(t >= 0 || state->tear);  // of what is torn, the air is out
    if (t < 0 || !wf_take_input(state, WF_INPUT_PRESSURE, cloth, &pressure, 1)) return;
    if (pressure < wf_pressure_least(state->model->system.terms[t])) {
        wf_refuse_input(state, WF_INPUT_VACUUM, cloth, pressure);
        return;
    }
    const WfTermSpace* space = &state->spaces[t];
    if (pressure == wf_pressure_setting(space)) return;
    wf_pressure_set(space, pressure);
    wf_wake(state);
}

void weft_copy_inflation(const WeftState* state, int cloth, double* volume, double* pressure) {
    int t = find_term(state->model, cloth);
    wf_assert(t >= 0 || state->tear);
    if (volume) *volume = 0;
    if (pressure) *pressure = 0;
    if (t < 0) return;
    if (volume) *volume = wf_pressure_volume(state->model->system.terms[t], state->x);
    if (pressure) *pressure = wf_pressure_now(&state->spaces[t]);
}

void wf_continue_inflation(WeftState* to, const WeftState* from) {
    for (int c = 0; c < to->model->cloth_count && c < from->model->cloth_count; c++) {
        int t = find_term(to->model, c), f = find_term(from->model, c);
        if (t >= 0 && f >= 0) wf_pressure_take(&to->spaces[t], &from->spaces[f]);
    }
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sim/input.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/parallel.h"
#include "base/vec.h"

// ---------------------------------------------------------------------------------------------
// At the door

static double bound_of(WfInputKind kind) {
    return kind == WF_INPUT_VELOCITY ? WF_LARGEST_SPEED : WF_LARGEST_PLACE;
}

// Where all are good: -1.
static long find_bad(const double* values, long count, double bound) {
    for (long i = 0; i < count; i++)
        if (!(fabs(values[i]) <= bound)) return i;  // also what is not a number
    return -1;
}

static void refuse(WeftState* state, WfInputKind kind, int index, double value) {
    if (state->refused.kind == WF_INPUT_NONE)
        state->refused = (WfRefused){.kind = kind, .index = index, .value = value};
}

static void withdraw(WeftState* state, WfInputKind kind, int index) {
    if (state->refused.kind == kind && (index < 0 || state->refused.index == index))
        state->refused = (WfRefused){0};
}

bool wf_take_input(WeftState* state, WfInputKind kind, int index, const double* values,
                   long count) {
    long bad = find_bad(values, count, bound_of(kind));
    if (bad < 0)
        withdraw(state, kind, index);
    else
        refuse(state, kind, index, values[bad]);
    return bad < 0;
}

bool wf_take_inputs(WeftState* state, WfInputKind kind, const double* values) {
    long bad = find_bad(values, 3L * state->model->shown.vertex_count, bound_of(kind));
    if (bad < 0)
        withdraw(state, kind, -1);
    else
        refuse(state, kind, (int)(bad / 3), values[bad]);
    return bad < 0;
}

WeftResult wf_check_inputs(WeftState* state, WeftError* error) {
    static const char* const texts[] = {
        [WF_INPUT_NONE] = "",
        [WF_INPUT_PIN] = "where its pin shall be",
        [WF_INPUT_POSITION] = "the position it was given",
        [WF_INPUT_VELOCITY] = "the velocity it was given",
        [WF_INPUT_BODY] = "where it shall be at the end of the step",
        [WF_INPUT_SHAPE] = "the shape it was given",
    };
    WfRefused refused = state->refused;
    if (refused.kind == WF_INPUT_NONE) return WEFT_OK;
    state->refused = (WfRefused){0};
    const char* unit = refused.kind == WF_INPUT_VELOCITY ? "m/s" : "m";
    WeftResult result =
        isfinite(refused.value)
            ? wf_fail(error, WEFT_ERROR_INPUT, " is %g %s, more than %g %s; it was not taken",
                      refused.value, unit, bound_of(refused.kind), unit)
            : wf_fail(error, WEFT_ERROR_INPUT, " is not a number; it was not taken");
    return wf_fail_prefix(error, result, "%s %d: %s",
                          refused.kind >= WF_INPUT_BODY ? "body" : "vertex", refused.index,
                          texts[refused.kind]);
}

// ---------------------------------------------------------------------------------------------
// What came out

int wf_find_lost(const double* x, int count, double most) {
    int bad = 0;
    for (long i = 0; i < 3L * count; i++) bad |= !(fabs(x[i]) <= most);
    return bad ? (int)(find_bad(x, 3L * count, most) / 3) : -1;
}

enum { PARTS = 32, WORTH_PARTS = 200000 };  // numbers from which they are worth it

typedef struct Check {
    const WeftState* state;
    int part_count;
    bool bad[PARTS];
} Check;

static void check_part(void* context, int part) {
    static const uint64_t EXPONENT = UINT64_C(0x7ff) << 52;  // all of it is set: not finite
    Check* check = context;
    size_t count = check->state->moving_count, parts = (size_t)check->part_count;
    size_t first = count * (size_t)part / parts, end = count * ((size_t)part + 1) / parts;
    uint64_t bad = 0;
    for (size_t i = first; i < end; i++) {
        uint64_t bits;
        memcpy(&bits, &check->state->moving[i], sizeof bits);
        bad |= (bits & EXPONENT) == EXPONENT;
    }
    check->bad[part] = bad != 0;
}

bool wf_state_is_finite(const WeftState* state) {
    Check check = {state, state->moving_count < WORTH_PARTS ? 1 : PARTS, {false}};
    bool bad = false;
    wf_parallel(&state->model->system.jobs, check.part_count, check_part, &check);
    for (int p = 0; p < check.part_count; p++) bad = bad || check.bad[p];
    return !bad;
}

static double largest(const double values[3]) {
    return fmax(fabs(values[0]), fmax(fabs(values[1]), fabs(values[2])));
}

WeftResult wf_fail_lost(WeftState* state, const WfStep* step, int vertex, const double* v,
                        const char* stage) {
    const WeftStepDef* def = step->def;
    WeftError* error = &state->error;
    double speed = 0, weather = fmax(largest(def->gravity), largest(def->wind));
    for (int i = 0; i < step->system->vertex_count; i++)
        speed = fmax(speed, wf_length(wf_load(v, i)));
    WeftResult result = WEFT_ERROR_INPUT;
    if (wf_method(def)->is_explicit)
        wf_fail(error, result,
                "too long a step for an explicit method, %g s; take more substeps, or an implicit "
                "method",
                step->motion.h);
    else if (weather > WF_LARGEST_SPEED)
        wf_fail(error, result, "gravity or wind is %g", weather);
    else if (speed > WF_LARGEST_SPEED)
        wf_fail(error, result, "the step began with a speed of %g m/s", speed);
    else
        wf_fail(error, result,
                "no place was found for it; the cloth is stretched, pressed or pulled beyond what "
                "the method can follow");
    return wf_fail_prefix(error, result, "vertex %d left the numbers in %s at t = %g s: ",
                          wf_vertex_of(&state->model->shown, vertex), stage, state->clock[0]);
}

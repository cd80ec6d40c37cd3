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
    return kind == WF_INPUT_VELOCITY || kind == WF_INPUT_IMPULSE ? WF_LARGEST_SPEED
           : kind == WF_INPUT_PRESSURE                           ? WF_LARGEST_PRESSURE
           : kind == WF_INPUT_SPACE                              ? WF_LARGEST_WORLD
                                                                 : WF_LARGEST_PLACE;
}

// Where all are good: -1.
static long find_bad(const double* values, long count, double bound) {
    for (long i = 0; i < count; i++)
        if (!(fabs(values[i]) <= bound)) return i;  // also what is not a number
    return -1;
}

void wf_refuse_input(WeftState* state, WfInputKind kind, int index, double value) {
    if (state->refused.kind == WF_INPUT_NONE)
        state->refused = (WfRefused){.kind = kind, .index = index, .value = value};
}

static void withdraw(WeftState* state, WfInputKind kind, int index) {
    if (state->refused.kind == kind && (index < 0 || state->refused.index == index))
        state->refused = (WfRefused){0};
}

static const double LEAST_TURN = 1e-200;  // the square of a rotation's length: less is none

bool wf_take_input(WeftState* state, WfInputKind kind, int index, const double* values,
                   long count) {
    long bad = find_bad(values, count, bound_of(kind));
    if (bad < 0)
        withdraw(state, kind, index);
    else
        wf_refuse_input(state, kind, index, values[bad]);
    return bad < 0;
}

bool wf_take_turn(WeftState* state, WfInputKind kind, int index, const double rotation[4]) {
    double square = 0;
    for (int k = 0; k < 4; k++) square += rotation[k] * rotation[k];
    if (square > LEAST_TURN && square < HUGE_VAL) return true;
    if (state->refused.kind == WF_INPUT_NONE)
        state->refused = (WfRefused){.kind = kind, .index = index, .value = square, .turn = true};
    return false;
}

bool wf_take_pose(WeftState* state, WfInputKind kind, int index, const double position[3],
                  const double rotation[4], WfPose* pose) {
    memcpy(pose->position, position, sizeof pose->position);
    memcpy(pose->rotation, rotation, sizeof pose->rotation);
    *pose = wf_pose_between(pose, pose, 0);  // a rotation of length 1
    return wf_take_input(state, kind, index, position, 3) &&
           wf_take_turn(state, kind, index, rotation);
}

bool wf_take_inputs(WeftState* state, WfInputKind kind, const double* values) {
    long bad = find_bad(values, 3L * state->model->shown.vertex_count, bound_of(kind));
    if (bad < 0)
        withdraw(state, kind, -1);
    else
        wf_refuse_input(state, kind, (int)(bad / 3), values[bad]);
    return bad < 0;
}

bool wf_take_vertices(WeftState* state, WfInputKind kind, int first, const double* values, int each,
                      int count) {
    long bad = find_bad(values, (long)each * count, bound_of(kind));
    if (bad < 0)
        withdraw(state, kind, -1);
    else
        wf_refuse_input(state, kind, first + (int)(bad / each), values[bad]);
    return bad < 0;
}

bool wf_take_scales(WeftState* state, int cloth, const double* values, int count) {
    for (int i = 0; i < count; i++) {
        if (values[i] >= 0 && values[i] <= 1) continue;
        wf_refuse_input(state, WF_INPUT_SCALE, cloth, values[i]);
        return false;
    }
    withdraw(state, WF_INPUT_SCALE, cloth);
    return true;
}

static const char* owner_of(WfInputKind kind) {
    if (kind >= WF_INPUT_BODY) return "body";
    if (kind == WF_INPUT_ATTACHMENT) return "attachment";
    return kind == WF_INPUT_BONE || kind == WF_INPUT_SCALE ? "cloth" : "vertex";
}

WeftResult wf_check_inputs(WeftState* state, WeftError* error) {
    static const char* const texts[] = {
        [WF_INPUT_NONE] = "",
        [WF_INPUT_PIN] = "where its pin shall be",
        [WF_INPUT_POSITION] = "the position it was given",
        [WF_INPUT_VELOCITY] = "the velocity it was given",
        [WF_INPUT_SKIN] = "where its skin shall be",
        [WF_INPUT_NORMAL] = "the normal of its skin",
        [WF_INPUT_DISTANCE] = "its max distance",
        [WF_INPUT_BACKSTOP] = "its backstop",
        [WF_INPUT_BONE] = "the frame of a bone",
        [WF_INPUT_SCALE] = "the scale of its distances (0 to 1000) or of its drive (0 to 1)",
        [WF_INPUT_ATTACHMENT] = "where its end shall be",
        [WF_INPUT_IMPULSE] = "the velocity by its impulse",
        [WF_INPUT_BODY] = "where it shall be at the end of the step",
        [WF_INPUT_SHAPE] = "the shape it was given",
        [WF_INPUT_SPACE] = "where it shall be in the world",
        [WF_INPUT_TELEPORT] = "how far it goes",
        [WF_INPUT_PRESSURE] = "its pressure",
        [WF_INPUT_VACUUM] = "",
        [WF_INPUT_COPY] = "",
        [WF_INPUT_TORN] = "",
        [WF_INPUT_ACROSS] = "",
    };
    WfRefused refused = state->refused;
    if (refused.kind == WF_INPUT_NONE) return WEFT_OK;
    state->refused = (WfRefused){0};
    if (refused.kind == WF_INPUT_COPY) return wf_fail_memory(error);
    if (refused.kind == WF_INPUT_TORN)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "the state to go on from has %d vertices, because one of both is torn and "
                       "the other is not, or not so; nothing was taken over",
                       refused.index);
    if (refused.kind == WF_INPUT_VACUUM)
        return wf_fail(
            error, WEFT_ERROR_INPUT,
            "cloth %d: its pressure is %g Pa, less than nothing inside; no gas pulls; it "
            "was not taken",
            refused.index, refused.value);
    if (refused.kind == WF_INPUT_ACROSS)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "the teleport goes across the mirror; let it go along its plane and turn "
                       "about its normal, or simulate the whole; it was not taken");
    const char* what = refused.turn ? "its rotation" : texts[refused.kind];
    const char* unit = bound_of(refused.kind) == WF_LARGEST_SPEED ? "m/s"
                       : refused.kind == WF_INPUT_PRESSURE        ? "Pa"
                                                                  : "m";
    WeftResult result =
        refused.turn && isfinite(refused.value)
            ? wf_fail(error, WEFT_ERROR_INPUT,
                      " has no length; a rotation is a quaternion of length 1; it was not taken")
        : refused.kind == WF_INPUT_SCALE
            ? wf_fail(error, WEFT_ERROR_INPUT, " is out of range; it was not taken")
        : isfinite(refused.value)
            ? wf_fail(error, WEFT_ERROR_INPUT, " is %g %s, more than %g %s; it was not taken",
                      refused.value, unit, bound_of(refused.kind), unit)
            : wf_fail(error, WEFT_ERROR_INPUT, " is not a number; it was not taken");
    if (refused.kind == WF_INPUT_PRESSURE)
        return wf_fail_prefix(error, result, "cloth %d: %s", refused.index, what);
    if (refused.kind >= WF_INPUT_SPACE)
        return wf_fail_prefix(error, result, "the %s: %s",
                              refused.kind == WF_INPUT_SPACE ? "space" : "teleport", what);
    return wf_fail_prefix(error, result, "%s %d: %s", owner_of(refused.kind), refused.index, what);
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
    double speed = 0, gravity = largest(def->gravity);
    for (int i = 0; i < step->system->vertex_count; i++)
        speed = fmax(speed, wf_length(wf_load(v, i)));
    WeftResult result = WEFT_ERROR_INPUT;
    if (wf_method(def)->is_explicit)
        wf_fail(error, result,
                "too long a step for an explicit method, %g s; take more substeps, or an implicit "
                "method",
                step->motion.h);
    else if (gravity > WF_LARGEST_SPEED)
        wf_fail(error, result, "gravity is %g", gravity);
    else if (speed > WF_LARGEST_SPEED)
        wf_fail(error, result, "the step began with a speed of %g m/s", speed);
    else
        wf_fail(error, result,
                "no place was found for it; the cloth is stretched, pressed or pulled beyond what "
                "the method can follow");
    return wf_fail_prefix(error, result, "vertex %d left the numbers in %s at t = %g s: ",
                          wf_vertex_of(&state->model->shown, vertex), stage, state->clock[0]);
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sim/carry.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "contact/frame.h"
#include "sim/attach.h"
#include "sim/contact.h"
#include "sim/input.h"
#include "sim/rest.h"
#include "sim/skin.h"
#include "sim/space.h"

static const WfPose NO_TURN = {{0, 0, 0}, {0, 0, 0, 1}};

// Pins in the plane of a mirror go where they are told to, but in it.
static WfVec pin_place(const WeftState* state, int row, WfVec x) {
    return wf_plane_place(&state->model->system.mirror, row, x);
}

int wf_count_carried(const WeftState* state) {
    int count = 0;
    for (int i = 0; i < state->model->system.vertex_count; i++)
        count += state->carried[i].by != WF_CARRIED_BY_NONE;
    return count;
}

static int body_of(const WfCarry* carry) { return (int)carry->by - 1; }

// ---------------------------------------------------------------------------------------------
// What users say

static void attach_row(WeftState* state, int row, int body) {
    wf_pin_row(state, row);
    WfCarry carry = {.by = body + 1, .frame = NO_TURN};
    const WfPose* pose = wf_state_pose(state, body, false);
    wf_store(carry.frame.position, 0, wf_pose_local(pose, wf_load(state->x, row)));
    state->carried[row] = carry;
}

void weft_attach_pin(WeftState* state, int vertex, int body) {
    const WeftModel* m = state->model;
    wf_assert(body >= 0 && body < m->body_count);
    wf_assert(vertex >= 0 && vertex < m->shown.vertex_count);
    int row = wf_row_of(&m->shown, vertex);
    attach_row(state, row, wf_is_image(&m->shown, vertex) ? wf_body_image(m, body) : body);
    wf_show_velocity(state, row);
}

// A turn as its mirror image has it: about the image of its axis, the other way round.
static void reflect_turn(const WfPlane* mirror, double rotation[4]) {
    WfVec axis = wf_plane_reflect(mirror, wf_load(rotation, 0));
    wf_store(rotation, 0, wf_mul(-1, axis));
}

WfCarry wf_carry_of(const WeftState* state, int row, bool image) {
    const WeftModel* m = state->model;
    WfCarry carry = state->carried[row];
    if (!image || carry.by == WF_CARRIED_BY_NONE) return carry;
    if (carry.by == WF_CARRIED_BY_SKIN) return carry;
    if (carry.by == WF_CARRIED_BY_ARC) {
        reflect_turn(&m->system.mirror, carry.frame.rotation);
        return carry;
    }
    int body = wf_body_image(m, body_of(&carry));
    WfVec x = wf_plane_image(&m->system.mirror, wf_load(state->x, row));
    carry.by = body + 1;
    wf_store(carry.frame.position, 0, wf_pose_local(wf_state_pose(state, body, false), x));
    return carry;
}

void weft_turn_pin(WeftState* state, int vertex, const double position[3],
                   const double rotation[4]) {
    const WeftModel* m = state->model;
    weft_move_pin(state, vertex, position);
    if (!wf_take_turn(state, WF_INPUT_PIN, vertex, rotation)) return;
    WfCarry carry = {.by = WF_CARRIED_BY_ARC};
    memcpy(carry.frame.rotation, rotation, sizeof carry.frame.rotation);
    if (wf_is_image(&m->shown, vertex)) reflect_turn(&m->system.mirror, carry.frame.rotation);
    state->carried[wf_row_of(&m->shown, vertex)] = carry;
}

void wf_carry_from_here(WeftState* state) {
    for (int i = 0; i < state->model->system.vertex_count; i++) {
        WfCarry* carry = &state->carried[i];
        if (carry->by > 0)
            attach_row(state, i, body_of(carry));
        else if (carry->by == WF_CARRIED_BY_ARC)
            *carry = (WfCarry){0};
    }
}

// A vertex with its past, as something that went from one pose to another.
void wf_bring_row(WeftState* state, int i, const WfPose* from, const WfPose* to) {
    double* places[] = {state->x, state->x1, state->x2};
    double* velocities[] = {state->v, state->v1};
    WfPose turn = NO_TURN;
    wf_turn_from(from->rotation, to->rotation, turn.rotation);
    for (int k = 0; k < 3; k++)
        wf_store(places[k], i, wf_pose_point(to, wf_pose_local(from, wf_load(places[k], i))));
    for (int k = 0; k < 2; k++)
        wf_store(velocities[k], i, wf_pose_turn(&turn, wf_load(velocities[k], i)));
}

// Pieces are known where there is contact; else they are cloths.
static int piece_of(const WeftModel* m, int vertex) {
    int cloth = 0;
    if (m->surface.piece) return m->surface.piece[vertex];
    while (vertex >= m->first_vertex[cloth + 1]) cloth++;
    return cloth;
}

// Whether a piece is one with its image.
static bool is_symmetric(const WeftModel* m, int piece) {
    const WfPlane* mirror = &m->system.mirror;
    for (int k = 0; k < mirror->count; k++)
        if (piece_of(m, mirror->rows[k]) == piece) return true;
    return false;
}

// Whether a piece has pins or attachments on this body, and none elsewhere.
static bool goes_along(const WeftState* state, int piece, int body) {
    int on = 0, pins = 0;
    if (is_symmetric(state->model, piece) && wf_body_image(state->model, body) != body)
        return false;  // the image has its pins on another one
    for (int i = 0; i < state->model->system.vertex_count; i++) {
        if (!state->pinned[i] || piece_of(state->model, i) != piece) continue;
        pins++;
        on += state->carried[i].by == body + 1;
    }
    for (int i = 0; i < wf_attachment_room(state); i++) {
        const WfAttachment* a = &state->attachments[i];
        bool holds = a->state == WF_ATTACHMENT_HOLDS;
        if (!holds || piece_of(state->model, (int)a->rows[0]) != piece) continue;
        pins++;
        on += a->to == WEFT_ATTACH_TO_BODY && a->body == body;
    }
    return on > 0 && on == pins;
}

void wf_place_carried(WeftState* state, int body, const WfPose* from) {
    const WfPose* to = wf_state_pose(state, body, false);
    const WeftModel* m = state->model;
    int piece = -1;
    bool along = false;
    for (int i = 0; i < m->system.vertex_count; i++) {
        const WfCarry* carry = &state->carried[i];
        bool on = carry->by == body + 1, same = piece == piece_of(m, i);
        piece = piece_of(m, i);
        along = same ? along : goes_along(state, piece, body);
        if (!on && !along) continue;
        wf_bring_row(state, i, from, to);
        if (!on) continue;
        wf_store(state->x, i, wf_pose_point(to, wf_load(carry->frame.position, 0)));
        wf_store(state->goal, i, wf_load(state->x, i));
    }
    wf_settle_in_plane(state);
}

// ---------------------------------------------------------------------------------------------
// In a step

static WfVec on_body(const WeftState* state, const WfCarry* carry, double part) {
    int body = body_of(carry);
    WfPose pose = part < 1 ? wf_body_between(state, body, part) : *wf_state_pose(state, body, true);
    return wf_pose_point(&pose, wf_load(carry->frame.position, 0));
}

static bool goes_straight(const WfCarry* carry) {
    return carry->by == WF_CARRIED_BY_NONE || carry->by == WF_CARRIED_BY_SKIN;
}

void wf_ready_pins(WeftState* state) {
    state->pin_count = 0;
    for (int i = 0; i < state->model->system.vertex_count; i++) {
        const WfCarry* carry = &state->carried[i];
        if (!state->pinned[i]) continue;
        WfVec to = carry->by > 0                     ? on_body(state, carry, 1)
                   : carry->by == WF_CARRIED_BY_SKIN ? wf_load(wf_skin_of(state, i)->to, 0)
                                                     : wf_load(state->goal, i);
        wf_store(state->scratch->pin_from, state->pin_count, wf_load(state->x, i));
        wf_store(state->scratch->pin_to, state->pin_count, pin_place(state, i, to));
        state->scratch->pins[state->pin_count++] = i;
    }
}

static WfVec on_arc(const WeftState* state, const WfCarry* carry, WfVec from, WfVec to,
                    double part) {
    WfPose turn = wf_pose_between(&carry->frame, &carry->frame, 0);  // of length 1
    return wf_point_between(state, from, to, turn.rotation, part);
}

void wf_place_pins(WeftState* state, int index, int count) {
    double part = (double)(index + 1) / count;
    for (int i = 0; i < state->pin_count; i++) {
        WfVec from = wf_load(state->scratch->pin_from, i), to = wf_load(state->scratch->pin_to, i);
        const WfCarry* carry = &state->carried[state->scratch->pins[i]];
        bool there = index + 1 == count || wf_length(wf_sub(to, from)) == 0;
        WfVec x = there                            ? to
                  : goes_straight(carry)           ? wf_line_between(state, from, to, part)
                  : carry->by == WF_CARRIED_BY_ARC ? on_arc(state, carry, from, to, part)
                                                   : on_body(state, carry, part);
        wf_store(state->goal, state->scratch->pins[i],
                 pin_place(state, state->scratch->pins[i], x));
    }
}

// ---------------------------------------------------------------------------------------------
// Jumps

static bool jumps(const WeftState* state, int pin, double dt) {
    WfVec way =
        wf_sub(wf_load(state->scratch->pin_to, pin), wf_load(state->scratch->pin_from, pin));
    return wf_length(way) > WF_JUMP_SPEED * dt;
}

// By how much a carried pin turns in the step.
static void find_turn(const WeftState* state, const WfCarry* carry, double turn[4]) {
    if (carry->by == WF_CARRIED_BY_ARC) {
        memcpy(turn, carry->frame.rotation, sizeof carry->frame.rotation);
        return;
    }
    wf_turn_from(wf_state_pose(state, body_of(carry), false)->rotation,
                 wf_state_pose(state, body_of(carry), true)->rotation, turn);
}

// What of a turn its mirror image has, too: that about the normal.
static void keep_symmetric(const WfPlane* mirror, double turn[4]) {
    wf_store(turn, 0, wf_along(mirror->normal, wf_load(turn, 0)));
}

// Whether all pins of a piece jump; and how it goes along with them.
static bool all_jump(WeftState* state, int piece, double dt, WfFrame* frame) {
    const WeftModel* m = state->model;
    const WfPlane* mirror = is_symmetric(m, piece) ? &m->system.mirror : NULL;
    int count = 0, *which = state->jumping;
    for (int k = 0; k < state->pin_count; k++) {
        if (m->surface.piece[state->scratch->pins[k]] != piece) continue;
        if (!jumps(state, k, dt)) return false;
        which[count++] = k;
        // once more, for its image
        if (mirror && !wf_plane_holds(mirror, state->scratch->pins[k])) which[count++] = k;
    }
    *frame = wf_fit_frame(count, which, state->scratch->pin_from, state->scratch->pin_to, mirror);
    const WfCarry* carry = &state->carried[state->scratch->pins[which[0]]];
    if (goes_straight(carry)) return true;
    // told, and not only by where they are: of pins in a row that is turned round, nobody knows how
    find_turn(state, carry, frame->to.rotation);
    if (mirror) keep_symmetric(mirror, frame->to.rotation);
    frame->to = wf_pose_between(&frame->to, &frame->to, 0);  // of length 1
    return true;
}

static void place_piece(WeftState* state, int piece, const WfFrame* frame) {
    const int* pieces = state->model->surface.piece;
    for (int i = 0; i < state->model->system.vertex_count; i++)
        if (pieces[i] == piece) wf_bring_row(state, i, &frame->from, &frame->to);
    for (int k = 0; k < state->pin_count; k++) {
        if (pieces[state->scratch->pins[k]] != piece) continue;
        WfVec to = wf_load(state->scratch->pin_to, k);
        wf_store(state->x, state->scratch->pins[k], to);
        wf_store(state->scratch->pin_from, k, to);
    }
    wf_settle_in_plane(state);
    wf_forget_lists(&state->world);
    state->tangle[0] = WF_LOOK_ANEW;
}

// As far as is allowed.
static void shorten(WeftState* state, int pin, double dt) {
    WfVec from = wf_load(state->scratch->pin_from, pin),
          way = wf_sub(wf_load(state->scratch->pin_to, pin), from);
    double part = WF_JUMP_SPEED * dt / wf_length(way);
    wf_store(state->scratch->pin_to, pin, wf_madd(from, part, way));
}

int wf_place_jumping_pins(WeftState* state, double dt) {
    int count = 0;
    for (int k = 0; k < state->pin_count; k++) {
        wf_store(state->scratch->pin_goal, k, wf_load(state->scratch->pin_to, k));
        count += jumps(state, k, dt);
    }
    for (int k = 0; k < state->pin_count; k++) {
        int piece = state->model->surface.piece[state->scratch->pins[k]];
        WfFrame frame;
        if (!jumps(state, k, dt)) continue;  // or was placed with another of its piece
        if (all_jump(state, piece, dt, &frame))
            place_piece(state, piece, &frame);
        else if (goes_straight(&state->carried[state->scratch->pins[k]]))
            shorten(state, k, dt);
    }
    return count;
}

void wf_keep_goals(WeftState* state) {
    for (int k = 0; k < state->pin_count; k++)
        wf_store(state->goal, state->scratch->pins[k], wf_load(state->scratch->pin_goal, k));
}

void wf_end_arcs(WeftState* state) {
    for (int i = 0; i < state->pin_count; i++) {
        WfCarry* carry = &state->carried[state->scratch->pins[i]];
        if (carry->by == WF_CARRIED_BY_ARC) *carry = (WfCarry){0};
    }
}

// ---------------------------------------------------------------------------------------------
// Fast turns

enum { MOST_PARTS = 16 };
static const double COSINE = 0.9807;  // of half the angle of a part: 22.5 degrees and a little

// The cosine of half the angle by which a carried pin turns.
static double half_cosine(const WeftState* state, const WfCarry* carry) {
    double turn[4], square = 0;
    find_turn(state, carry, turn);
    for (int k = 0; k < 4; k++) square += turn[k] * turn[k];
    return fabs(turn[3]) / sqrt(square);
}

int wf_carry_parts(const WeftState* state, const WeftStepDef* def) {
    double least = 1;
    int parts = 1;
    for (int i = 0; i < state->model->system.vertex_count; i++)
        if (!goes_straight(&state->carried[i]))
            least = fmin(least, half_cosine(state, &state->carried[i]));
        else if (state->pinned[i])
            least = fmin(least, fabs(state->ride.turn.rotation[3]));
    // half the angle is twice as large as its own half, whose cosine is sqrt((1 + cosine)/2)
    for (int count = def->substeps; count > 1; count /= 2) least = sqrt((1 + least) / 2);
    for (; parts < MOST_PARTS && least < COSINE; parts *= 2) least = sqrt((1 + least) / 2);
    return parts;
}

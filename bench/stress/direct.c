// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What is done to a stress scene between its steps.

#include <stdlib.h>
#include <string.h>

#include "scene.h"
#include "shape.h"
#include "turn.h"

// ---------------------------------------------------------------------------------------------
// Bodies

static void direct_body(StressScene* scene, WeftState* state, int index, double dt, bool* edited) {
    StressBody* body = &scene->bodies[index];
    Chance* chance = &scene->chance;
    double turn[4], offset[3];
    bool now = happens(chance, 0.1);
    in_ball(chance, 3, offset);
    double far = happens(chance, 0.3) ? 10 : 2 * scene->size;
    if (body->motion == BODY_STILL) return;
    if ((body->motion == BODY_JUMPS || body->motion == BODY_IS_PLACED) && !now) return;
    for (int k = 0; k < 3; k++) {
        if (body->motion == BODY_MOVES) body->position[k] += dt * body->velocity[k];
        if (now && body->motion >= BODY_JUMPS) body->position[k] += far * offset[k];
    }
    turn_about(body->axis, body->half_turn, turn);
    if (body->motion == BODY_SPINS) turn_on(turn, body->rotation, body->rotation);
    if (body->motion == BODY_IS_PLACED) {
        weft_place_body(state, index, body->position, body->rotation);
        *edited = true;
    } else {
        weft_move_body(state, index, body->position, body->rotation);
    }
}

// ---------------------------------------------------------------------------------------------
// Pins

static void pin_centre(const StressScene* scene, const WeftModel* model, const WeftState* state,
                       int piece, double centre[3]) {
    int first = weft_first_vertex(model, piece), count = scene->cloths[piece].pin_count;
    memset(centre, 0, 3 * sizeof *centre);
    for (int i = 0; i < count; i++) {
        const double* p = weft_positions(state) + 3 * (size_t)(first + scene->pins[piece][i]);
        for (int k = 0; k < 3; k++) centre[k] += p[k] / count;
    }
}

static void direct_pins(StressScene* scene, const WeftModel* model, WeftState* state, int piece,
                        double dt) {
    static const double half[4] = {0, 1, 0, 0};  // by 180 degrees about y
    Chance* chance = &scene->chance;
    bool now = happens(chance, 0.1);
    int first = weft_first_vertex(model, piece);
    double centre[3], offset[3];
    in_ball(chance, 3, offset);
    if (scene->pin_motion == PINS_HOLD || (scene->pin_motion != PINS_MOVE && !now)) return;
    pin_centre(scene, model, state, piece, centre);
    for (int i = 0; i < scene->cloths[piece].pin_count; i++) {
        int vertex = first + scene->pins[piece][i];
        double place[3];
        memcpy(place, weft_positions(state) + 3 * (size_t)vertex, sizeof place);
        if (!weft_is_pinned(state, vertex)) continue;
        for (int k = 0; k < 3; k++) {
            if (scene->pin_motion == PINS_TURN) place[k] -= centre[k];
            if (scene->pin_motion == PINS_MOVE) place[k] += dt * scene->pin_velocity[k];
            if (scene->pin_motion == PINS_JUMP) place[k] += scene->size * offset[k];
        }
        if (scene->pin_motion == PINS_TURN) {
            turn_point(half, place, place);
            for (int k = 0; k < 3; k++) place[k] += centre[k];
        }
        weft_move_pin(state, vertex, place);
    }
}

// ---------------------------------------------------------------------------------------------
// Edits

static void push_vertices(StressScene* scene, const WeftModel* model, WeftState* state) {
    Chance* chance = &scene->chance;
    int count = weft_vertex_count(model);
    double* positions = stress_memory(3 * (size_t)count, sizeof *positions);
    double offset[3], noise = happens(chance, 0.5) ? 0 : 0.02 * scene->size;
    double far = happens(chance, 0.5) ? 0 : scene->size;
    in_ball(chance, 3, offset);
    memcpy(positions, weft_positions(state), 3 * (size_t)count * sizeof *positions);
    for (int i = 0; i < 3 * count; i++)
        positions[i] += far * offset[i % 3] + noise * between(chance, -1, 1);
    weft_set_positions(state, positions);
    free(positions);
}

static void set_speeds(StressScene* scene, const WeftModel* model, WeftState* state, double speed) {
    int count = weft_vertex_count(model);
    double* velocities = stress_memory(3 * (size_t)count, sizeof *velocities);
    for (int i = 0; i < count; i++) {
        in_ball(&scene->chance, 3, velocities + 3 * (size_t)i);
        for (int k = 0; k < 3; k++) velocities[3 * i + k] *= speed;
    }
    weft_set_velocities(state, velocities);
    free(velocities);
}

static void save_and_load(WeftState* state) {
    size_t size = weft_saved_size(state);
    void* bytes = stress_memory(size, 1);
    WeftError error;
    weft_save_state(state, bytes);
    if (weft_load_state(state, bytes, size, &error)) abort();
    free(bytes);
}

static void edit(StressScene* scene, const WeftModel* model, WeftState* state, bool* edited) {
    Chance* chance = &scene->chance;
    int vertex = pick(chance, weft_vertex_count(model));
    switch (pick(chance, 5)) {
        case 0:
            push_vertices(scene, model, state);
            *edited = true;
            break;
        case 1:
            set_speeds(scene, model, state, octaves(chance, 0.1, 50));
            break;
        case 2:
            weft_pin(state, vertex);
            break;
        case 3:
            if (weft_is_pinned(state, vertex)) weft_unpin(state, vertex);
            break;
        default:
            save_and_load(state);
    }
}

void direct_stress_scene(StressScene* scene, const WeftModel* model, WeftState* state, int step,
                         WeftStepDef* def, bool* edited) {
    *edited = false;
    if (step == 0 && scene->start_speed > 0) set_speeds(scene, model, state, scene->start_speed);
    if (scene->dt_varies) def->dt = scene->def.step.dt * between(&scene->chance, 0.5, 1.5);
    if (scene->edits && happens(&scene->chance, 0.1)) edit(scene, model, state, edited);
    for (int i = 0; i < scene->def.body_count; i++) direct_body(scene, state, i, def->dt, edited);
    for (int i = 0; i < scene->piece_count; i++) direct_pins(scene, model, state, i, def->dt);
}

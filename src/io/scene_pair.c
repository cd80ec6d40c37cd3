// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A scene, and the same with a dense cloth that tracks it.
//
// The coarse one goes first. Where it has gone says where dense pins go that have just caught a
// vertex, and all that bodies hold: between coarse vertices. Pins that hold already go by the
// motion of their corners, which is rigid, and so stay between them.

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/scene_parts.h"
#include "io/scene_refine.h"
#include "io/show.h"

struct WeftPairParts {
    WeftAllocator allocator;
    const WeftScene* scene;
    WfRefinedScene refined;
    WeftTracker* tracker;
    bool* held;  // per pin of the dense scene: whether its vertex was pinned before the step
};

// ---------------------------------------------------------------------------------------------
// Life

static WeftResult make_model(const WeftScene* view, WeftModel** model, WeftError* error) {
    WeftModelDef def = view->model;
    return weft_create_model(&def, model, error);
}

// What is worn begins as fast as its body, which goes at the scene's pace.
static void pace_velocities(const WeftScene* view, const WeftModel* model, WeftState* state,
                            double* velocities) {
    int vertices = weft_vertex_count(model);
    if (view->pace == 1 || view->wear_count == 0) return;
    memcpy(velocities, weft_velocities(state), 3 * sizeof(double) * (size_t)vertices);
    for (int w = 0; w < view->wear_count; w++) {
        int cloth = view->wears[w].cloth;
        long first = 3L * weft_first_vertex(model, cloth),
             end = 3L * weft_first_vertex(model, cloth + 1);
        for (long i = first; i < end; i++) velocities[i] *= view->pace;
    }
    weft_set_velocities(state, velocities);
}

static WeftResult make_states(WeftPair* pair, const WeftScene* coarse, const WeftScene* dense,
                              WeftError* error) {
    const WeftAllocator* allocator = &pair->own->allocator;
    size_t numbers = 3 * (size_t)weft_vertex_count(pair->dense_model);
    double* velocities = wf_alloc(allocator, numbers, sizeof *velocities);
    if (!velocities) return wf_fail_memory(error);
    WeftResult result = weft_create_state(pair->coarse_model, &pair->coarse_state, error);
    if (!result) result = weft_create_state(pair->dense_model, &pair->dense_state, error);
    if (!result) {
        pace_velocities(coarse, pair->coarse_model, pair->coarse_state, velocities);
        pace_velocities(dense, pair->dense_model, pair->dense_state, velocities);
    }
    wf_free(allocator, velocities);
    return result;
}

static void look(WeftPair* pair) {
    long first = 3L * pair->own->refined.first;
    pair->frame.positions = weft_positions(pair->coarse_state) + first;
    pair->frame.velocities = weft_velocities(pair->coarse_state) + first;
    wf_show_gravity(pair->own->scene, pair->coarse_state, pair->frame.gravity);
    pair->frame.time = weft_time(pair->coarse_state);
    pair->dense = weft_positions(pair->dense_state) + first;
}

static WeftResult fill(WeftPair* pair, const WeftAllocator* allocator, WeftError* error) {
    struct WeftPairParts* own = pair->own;
    WeftScene coarse = wf_whole_view(own->scene);
    if (wf_scene_tears(own->scene))
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "a dense cloth does not follow cloth that is torn: leave out \"cuts\" and "
                       "\"tear_load\"");
    WeftResult result =
        wf_refine_scene(own->scene, pair->cloth, pair->parts, allocator, &own->refined, error);
    if (result) return result;
    own->held = wf_alloc(&own->allocator, (size_t)own->refined.pin_count, sizeof *own->held);
    if (!own->held) return wf_fail_memory(error);
    WeftScene dense = wf_refined_view(&own->refined);
    result = make_model(&coarse, &pair->coarse_model, error);
    if (!result) result = make_model(&dense, &pair->dense_model, error);
    if (result) return result;
    result = weft_create_tracker(pair->dense_model, weft_vertex_count(pair->coarse_model),
                                 &own->refined.map, allocator, &own->tracker, error);
    if (!result) result = make_states(pair, &coarse, &dense, error);
    if (!result) look(pair);
    return result;
}

WeftResult weft_create_pair(const WeftScene* scene, int cloth, int parts,
                            const WeftAllocator* allocator, WeftPair** pair, WeftError* error) {
    WeftAllocator own = wf_allocator(allocator);
    WeftPair* made = wf_alloc(&own, 1, sizeof *made);
    struct WeftPairParts* parts_of = wf_alloc(&own, 1, sizeof *parts_of);
    *pair = NULL;
    if (!made || !parts_of) {
        wf_free(&own, made);
        wf_free(&own, parts_of);
        return wf_fail_memory(error);
    }
    *parts_of =
        (struct WeftPairParts){.allocator = own, .scene = scene, .refined = {.allocator = own}};
    *made = (WeftPair){.cloth = cloth, .parts = parts, .own = parts_of};
    WeftResult result = fill(made, &own, error);
    if (result)
        weft_destroy_pair(made);
    else
        *pair = made;
    return result;
}

void weft_destroy_pair(WeftPair* pair) {
    if (!pair) return;
    WeftAllocator allocator = pair->own->allocator;
    weft_destroy_state(pair->coarse_state);
    weft_destroy_state(pair->dense_state);
    weft_destroy_tracker(pair->own->tracker);
    weft_destroy_model(pair->coarse_model);
    weft_destroy_model(pair->dense_model);
    wf_destroy_refined_scene(&pair->own->refined);
    wf_free(&allocator, pair->own->held);
    wf_free(&allocator, pair->own);
    wf_free(&allocator, pair);
}

// ---------------------------------------------------------------------------------------------
// Steps

static WeftResult take_step(WeftState* state, const WeftStepDef* step, const char* which,
                            WeftError* error) {
    WeftResult result = weft_step(state, step);
    if (!result) return WEFT_OK;
    return wf_fail(error, result, "the step of the %s cloth to %g s failed: %s", which,
                   weft_time(state) + step->dt, weft_state_error(state)->message);
}

WeftResult weft_step_coarse(WeftPair* pair, WeftError* error) {
    WeftScene view = wf_whole_view(pair->own->scene);
    WeftStepDef step = view.model.step;
    if (weft_direct_scene(&view, pair->coarse_state, &step)) return wf_fail_memory(error);
    WeftResult result = take_step(pair->coarse_state, &step, "coarse", error);
    look(pair);
    return result;
}

static void move_between(const WeftPair* pair, int vertex) {
    double place[3];
    wf_refined_mix(&pair->own->refined, weft_positions(pair->coarse_state), vertex, place);
    weft_move_pin(pair->dense_state, vertex, place);
}

// Pins that hold from this step on: the vertex was free, and is not quite between its corners.
static void direct_pins(const WeftPair* pair, const WeftScene* view, WeftStepDef* step) {
    const WfRefinedScene* refined = &pair->own->refined;
    bool* held = pair->own->held;
    for (int p = 0; p < refined->pin_count; p++)
        held[p] = weft_is_pinned(pair->dense_state, refined->pins[p].vertex);
    weft_direct_scene(view, pair->dense_state, step);
    for (int p = 0; p < refined->pin_count; p++) {
        int vertex = refined->pins[p].vertex;
        if (!held[p] && weft_is_pinned(pair->dense_state, vertex)) move_between(pair, vertex);
    }
}

static void direct_holds(const WeftPair* pair) {
    const WfRefinedScene* refined = &pair->own->refined;
    for (int i = 0; i < refined->hold_count; i++) {
        int vertex = refined->holds[i];
        if (!weft_is_pinned(pair->dense_state, vertex)) weft_pin(pair->dense_state, vertex);
        move_between(pair, vertex);
    }
}

WeftResult weft_step_dense(WeftPair* pair, bool tracked, WeftError* error) {
    WeftScene view = wf_refined_view(&pair->own->refined);
    WeftStepDef step = view.model.step;
    direct_pins(pair, &view, &step);
    direct_holds(pair);
    step.accelerations = tracked ? weft_track(pair->own->tracker, pair->dense_state,
                                              weft_positions(pair->coarse_state),
                                              weft_velocities(pair->coarse_state), step.dt)
                                 : NULL;
    WeftResult result = take_step(pair->dense_state, &step, "dense", error);
    look(pair);
    return result;
}

WeftResult weft_step_pair(WeftPair* pair, WeftError* error) {
    WeftResult result = weft_step_coarse(pair, error);
    return result ? result : weft_step_dense(pair, true, error);
}

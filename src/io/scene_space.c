// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// "space": a frame that goes along with a motion, and all of the scene with it.
//
// Without teleports it is at M(t), the motion, which is the identity at the start. A teleport at
// the time s turns it about where it is then, and moves it: T x = R (x - p) + p + d. What follows
// goes on from there, turned as well: T M(t).

#include <string.h>

#include "base/memory.h"
#include "garment/frame.h"
#include "io/scene_parts.h"

// ---------------------------------------------------------------------------------------------
// Keys

typedef struct TeleportSpec {
    double time;
    WfStand place;
} TeleportSpec;

static WeftResult read_place(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WfStand* place = &((TeleportSpec*)target)->place;
    WeftResult result = wf_scene_read_stand(reader, node, place);
    if (!result && place->scale != 1)
        return wf_scene_fail(reader, node, "a space is as large as it is: no \"scale\" here");
    return result;
}

static void teleport_defaults(void* target) {
    TeleportSpec* spec = target;
    spec->time = 0;
    wf_scene_default_stand(&spec->place);
}

static const WfSceneKey teleport_keys[] = {
    {.name = "time",
     .type = WF_KEY_NUMBER,
     .offset = offsetof(TeleportSpec, time),
     .low = 0,
     .high = 86400,
     .unit = "s",
     .required = true},
    WF_ROW_REQUIRED("place", read_place),
};

const WfSceneTable wf_scene_teleport_table = {
    .name = "teleport",
    .key_count = WF_KEY_COUNT_OF(teleport_keys),
    .keys = teleport_keys,
    .target_size = sizeof(TeleportSpec),
    .set_defaults = teleport_defaults,
};

typedef struct SpaceSpec {
    WeftInertia inertia;
    WeftSceneSpace* space;
} SpaceSpec;

static WeftResult read_motion(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_scene_find_motion(reader, node, &((SpaceSpec*)target)->space->motion);
}

static WeftResult read_teleport(WfSceneReader* reader, const WfSceneNode* node,
                                WeftSceneSpace* space) {
    TeleportSpec spec;
    int index = space->teleport_count;
    WeftSceneTeleport* teleport = &space->teleports[index];
    WeftResult result = wf_scene_read(reader, node, &wf_scene_teleport_table, &spec);
    if (result) return result;
    if (index > 0 && !(spec.time > teleport[-1].time))
        return wf_scene_fail(reader, node, "time %g does not come after %g, the time before it",
                             spec.time, teleport[-1].time);
    teleport->time = spec.time;
    memcpy(teleport->move, spec.place.move, sizeof teleport->move);
    wf_scene_quaternion(spec.place.axis, spec.place.degrees, teleport->turn);
    space->teleport_count++;
    return WEFT_OK;
}

static WeftResult read_teleports(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftSceneSpace* space = ((SpaceSpec*)target)->space;
    WeftResult result = wf_scene_expect(reader, node, JSON_ARRAY);
    if (result) return result;
    size_t count = json_array_size(node->value);
    space->teleports = wf_alloc(&reader->scene->allocator, count, sizeof *space->teleports);
    if (!space->teleports) return wf_fail_memory(reader->error);
    for (size_t i = 0; i < count && !result; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        result = read_teleport(reader, &item, space);
    }
    return result;
}

static const WfSceneKey space_keys[] = {
    WF_ROW_OWN("motion", read_motion),
    WF_ROW_OWN("teleports", read_teleports),
    WF_ROW_NUMBER(WeftInertia, linear, 0, 1, NULL),
    WF_ROW_NUMBER(WeftInertia, angular, 0, 1, NULL),
    WF_ROW_NUMBER(WeftInertia, air, 0, 1, NULL),
    WF_ROW_NUMBER(WeftInertia, max_acceleration, 0, 1e6, "m/s^2"),
    WF_ROW_NUMBER(WeftInertia, max_spin, 0, 1e6, "rad/s"),
};

static void space_defaults(void* target) {
    ((SpaceSpec*)target)->inertia = weft_default_step_def().inertia;
}

const WfSceneTable wf_scene_space_table = {
    .name = "space",
    .key_count = WF_KEY_COUNT_OF(space_keys),
    .keys = space_keys,
    .target_size = sizeof(SpaceSpec),
    .set_defaults = space_defaults,
};

WeftResult wf_scene_read_space(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftScene* scene = target;
    SpaceSpec spec = {.space = &scene->space};
    WeftResult result = wf_scene_read(reader, node, &wf_scene_space_table, &spec);
    scene->model.step.inertia = spec.inertia;
    return result;
}

void wf_scene_free_space(WeftScene* scene) { wf_free(&scene->allocator, scene->space.teleports); }

bool wf_scene_space_moves(const WeftScene* scene) {
    return scene->space.motion >= 0 || scene->space.teleport_count > 0;
}

// ---------------------------------------------------------------------------------------------
// Steps

// With all teleports before `limit`: those of a step begin it.
static WfFrame frame_at(const WeftScene* scene, double time, double limit) {
    const WeftSceneSpace* space = &scene->space;
    WfFrame moved = {.w = 1};
    for (int i = 0; i < space->teleport_count && space->teleports[i].time < limit; i++) {
        const WeftSceneTeleport* teleport = &space->teleports[i];
        WfFrame turn = {.turn = wf_load(teleport->turn, 0), .w = teleport->turn[3]};
        WfFrame there = wf_scene_motion_frame(scene, space->motion, teleport->time);
        WfVec p = wf_frame_join(moved, there).origin;
        turn.origin = wf_sub(wf_add(p, wf_load(teleport->move, 0)), wf_frame_turn(turn, p));
        moved = wf_frame_join(turn, moved);
    }
    return wf_frame_join(moved, wf_scene_motion_frame(scene, space->motion, time));
}

static const double SLACK = 1e-7;  // s: times add up with rounding

WfFrame wf_scene_space_frame(const WeftScene* scene, double time) {
    return frame_at(scene, time, time - SLACK);
}

// Whether it is elsewhere than at `frame`, and not only by rounding of the time.
static bool is_elsewhere(const WeftState* state, WfFrame frame) {
    static const double SAME = 1e-6;  // m, and of a unit quaternion
    double position[3], rotation[4];
    weft_copy_space(state, position, rotation);
    WfFrame now = wf_frame_of(position, rotation);
    double reach = SAME * (1 + 1e-3 * wf_length(frame.origin));
    double side = wf_dot(now.turn, frame.turn) + now.w * frame.w < 0 ? -1 : 1;
    WfVec turn = wf_sub(wf_mul(side, now.turn), frame.turn);
    return wf_length(wf_sub(now.origin, frame.origin)) > reach || wf_length(turn) > SAME ||
           fabs(side * now.w - frame.w) > SAME;
}

static void tell(void (*how)(WeftState*, const double*, const double*), WeftState* state,
                 WfFrame frame) {
    double position[3], rotation[4];
    wf_store(position, 0, frame.origin);
    wf_store(rotation, 0, frame.turn);
    rotation[3] = frame.w;
    how(state, position, rotation);
}

// In the space, which has begun the step at `from`.
static void place_bodies(const WeftScene* scene, WeftState* state, WfFrame from, double start) {
    for (int i = 0; i < scene->model.body_count; i++) {
        double position[3], rotation[4];
        if (!scene->bodies[i].in_world) continue;
        wf_scene_carried_frame(scene, i, start, position, rotation);
        WfFrame frame = wf_frame_join(wf_frame_invert(from), wf_frame_of(position, rotation));
        wf_store(position, 0, frame.origin);
        wf_store(rotation, 0, frame.turn);
        rotation[3] = frame.w;
        weft_place_body(state, i, position, rotation);
    }
}

void wf_scene_direct_space(const WeftScene* scene, WeftState* state, double start, double end) {
    if (!wf_scene_space_moves(scene)) return;
    WfFrame from = frame_at(scene, start, end - SLACK);
    if (is_elsewhere(state, from)) {
        tell(weft_place_space, state, from);
        place_bodies(scene, state, from, start);
    }
    tell(weft_move_space, state, wf_scene_space_frame(scene, end));
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What a scene does while it runs: wind, and pins that hold, move and let go.
//
// A motion is a rigid map over time, M(t) x = R(angle(t)) (x - centre) + centre + offset(t) +
// carry(t). A pin at x goes in one step to M(t + dt) M(t)^-1 x: only the change counts. So it does
// not matter when a vertex was caught, or where, and a scene needs no memory of its own beside the
// state.

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "io/scene_parts.h"

void wf_sample_track(const WeftTrack* track, double time, double value[3]) {
    int count = track->key_count, next = 0;
    while (next < count && track->times[next] <= time) next++;
    // between key next - 1 and key next; the same key twice before the first and after the last
    int before = next > 0 ? next - 1 : 0, after = next < count ? next : count - 1;
    double s = 0;
    if (count > 0 && after != before)
        s = (time - track->times[before]) / (track->times[after] - track->times[before]);
    for (int k = 0; k < 3; k++) {
        double a = count > 0 ? track->values[3 * before + k] : 0;
        double b = count > 0 ? track->values[3 * after + k] : 0;
        value[k] = a + s * (b - a);
    }
}

// Rodrigues: x cos + (axis x x) sin + axis (axis . x) (1 - cos)
WfVec wf_scene_turn(WfVec x, WfVec axis, double degrees) {
    double s, c;
    wf_sine_cosine(degrees * (WF_PI / 180), &s, &c);
    WfVec turned = wf_madd(wf_mul(c, x), s, wf_cross(axis, x));
    return wf_madd(turned, (1 - c) * wf_dot(axis, x), axis);
}

// Where the motion (NULL: none) takes a point that is at x at time `start`, until time `end`.
static WfVec go_along(const WeftScene* scene, const WeftSceneMotion* motion, WfVec x, double start,
                      double end) {
    WfVec from = wf_load(scene->carry_from, 0), to = wf_load(scene->carry_to, 0);
    if (!motion) return wf_add(x, wf_sub(to, from));
    WfVec axis = wf_load(motion->axis, 0), centre = wf_load(motion->centre, 0);
    double offset[2][3], angle[2][3];
    wf_sample_track(&motion->offset, start, offset[0]);
    wf_sample_track(&motion->offset, end, offset[1]);
    wf_sample_track(&motion->angle, start, angle[0]);
    wf_sample_track(&motion->angle, end, angle[1]);
    WfVec arm = wf_sub(wf_sub(wf_sub(x, centre), wf_load(offset[0], 0)), from);
    arm = wf_scene_turn(arm, axis, angle[1][0] - angle[0][0]);
    return wf_add(wf_add(wf_add(arm, centre), wf_load(offset[1], 0)), to);
}

// The pin that holds at `time` out of those of one vertex: the last one listed.
static const WeftScenePin* holding_pin(const WeftScenePin* pins, int count, double time) {
    for (int i = count - 1; i >= 0; i--)
        if (pins[i].from <= time && time < pins[i].until) return &pins[i];
    return NULL;
}

void weft_direct_scene(const WeftScene* scene, WeftState* state, WeftStepDef* step) {
    double start = weft_time(state), end = start + step->dt;
    double moment = start + 1e-6 * step->dt;  // times add up with rounding: 2 s may be 1.9999999
    bool carried = memcmp(scene->carry_from, scene->carry_to, sizeof scene->carry_to) != 0;
    if (scene->wind.key_count > 0) wf_sample_track(&scene->wind, end, step->wind);
    for (int i = 0, next; i < scene->pin_count; i = next) {
        int vertex = scene->pins[i].vertex;
        for (next = i; next < scene->pin_count && scene->pins[next].vertex == vertex;) next++;
        const WeftScenePin* pin = holding_pin(scene->pins + i, next - i, moment);
        bool pinned = weft_is_pinned(state, vertex);
        if (pinned && !pin) weft_release(state, vertex);
        if (!pinned && pin) weft_pin(state, vertex);
        if (!pin || (pin->motion < 0 && !carried)) continue;
        const WeftSceneMotion* motion = pin->motion < 0 ? NULL : &scene->motions[pin->motion];
        double target[3];
        WfVec x = wf_load(weft_positions(state), vertex);
        wf_store(target, 0, go_along(scene, motion, x, start, end));
        weft_move_pin(state, vertex, target);
    }
}

int weft_scene_frames(const WeftScene* scene) {
    double frames = round(scene->duration / scene->model.step.dt);
    return frames < 1 ? 1 : frames > 1e9 ? 1000000000 : (int)frames;
}

void weft_scene_texture(const WeftScene* scene, float* texture) {
    for (int c = 0; c < scene->model.cloth_count; c++) {
        const WeftMesh* mesh = &scene->meshes[c];
        bool flat = mesh->material && !mesh->triangle_material;
        for (int i = 0; i < 2 * mesh->vertex_count; i++)
            *texture++ = flat ? (float)mesh->material[i] : 0;
    }
}

int weft_scene_lines(const WeftScene* scene, int* lines) {
    int count = 0, first = 0;
    for (int c = 0; c < scene->model.cloth_count; c++) {
        const WeftClothDef* cloth = &scene->model.cloths[c];
        for (int t = 0; t < cloth->thread_count; t++) {
            const WeftThread* thread = &cloth->threads[t];
            const int* v = cloth->thread_vertices + thread->first;
            for (int i = 0; i + 1 < thread->count && thread->kind == WEFT_THREAD_ROPE; i++) {
                for (int k = 0; k < 2 && lines; k++) lines[2 * count + k] = first + v[i + k];
                count++;
            }
        }
        first += cloth->vertex_count;
    }
    return count;
}

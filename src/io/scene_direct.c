// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What a scene does while it runs: wind, pins that hold, move and let go, bodies that move and
// change their shape. Where cloth is torn, its vertices have other numbers than in the scene.
//
// A motion is a rigid map over time, M(t) x = R(angle(t)) (x - centre) + centre + offset(t) +
// carry(t). A pin at x goes in one step to M(t + dt) M(t)^-1 x: only the change counts. So it does
// not matter when a vertex was caught, or where, and a scene needs no memory of its own beside the
// state. A body that stands at x at the start goes to M(t + dt) M(0)^-1 x, whatever came before.

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "base/memory.h"
#include "base/plane.h"
#include "garment/frame.h"
#include "io/scene_parts.h"

// Between which keys a time is, and how far from the first to the second: the same key twice before
// the first and after the last.
typedef struct Between {
    int before, after;
    double part;
} Between;

static Between find_keys(const double* times, int count, double time) {
    int next = 0;
    while (next < count && times[next] <= time) next++;
    Between at = {next > 0 ? next - 1 : 0, next < count ? next : count - 1, 0};
    if (at.after != at.before)
        at.part = (time - times[at.before]) / (times[at.after] - times[at.before]);
    return at;
}

static double mix(double a, double b, double part) { return a + part * (b - a); }

void wf_sample_track(const WeftTrack* track, double time, double value[3]) {
    memset(value, 0, 3 * sizeof *value);
    if (track->key_count == 0) return;
    Between at = find_keys(track->times, track->key_count, time);
    for (int k = 0; k < 3; k++)
        value[k] = mix(track->values[3 * at.before + k], track->values[3 * at.after + k], at.part);
}

// From the last key on to the first of the next round.
static Between close_round(const WeftShapeTrack* shape, double time) {
    double last = shape->times[shape->key_count - 1];
    return (Between){shape->key_count - 1, 0,
                     (time - last) / (shape->times[0] + shape->period - last)};
}

void wf_sample_shape(const WeftShapeTrack* shape, int vertex_count, double time,
                     double* positions) {
    size_t count = 3 * (size_t)vertex_count;
    double rounds = shape->period > 0 ? floor((time - shape->times[0]) / shape->period) : 0;
    time -= rounds * shape->period;
    bool closes = shape->period > 0 && time > shape->times[shape->key_count - 1];
    Between at =
        closes ? close_round(shape, time) : find_keys(shape->times, shape->key_count, time);
    const double* a = shape->positions + (size_t)at.before * count;
    const double* b = shape->positions + (size_t)at.after * count;
    for (size_t i = 0; i < count; i++) {
        double from = rounds * shape->travel[i % 3], ahead = closes ? shape->travel[i % 3] : 0;
        positions[i] = from + mix(a[i], ahead + b[i], at.part);
    }
}

// Rodrigues: x cos + (axis x x) sin + axis (axis . x) (1 - cos)
WfVec wf_scene_turn(WfVec x, WfVec axis, double degrees) {
    double s, c;
    wf_sine_cosine(degrees * (WF_PI / 180), &s, &c);
    WfVec turned = wf_madd(wf_mul(c, x), s, wf_cross(axis, x));
    return wf_madd(turned, (1 - c) * wf_dot(axis, x), axis);
}

void wf_scene_quaternion(const double axis[3], double degrees, double quaternion[4]) {
    double s, c;
    wf_sine_cosine(degrees * (WF_PI / 360), &s, &c);
    for (int k = 0; k < 3; k++) quaternion[k] = s * axis[k];
    quaternion[3] = c;
}

// Two moments, and how far things are moved by hand at each.
typedef struct Span {
    double start, end;
    WfVec from, to;
} Span;

static double angle_at(const WeftSceneMotion* motion, double time) {
    double angle[3];
    wf_sample_track(&motion->angle, time, angle);
    return angle[0];
}

static double turn_during(const WeftSceneMotion* motion, const Span* span) {
    return angle_at(motion, span->end) - angle_at(motion, span->start);
}

// Where the motion (NULL: none) takes a point that is at x when the span starts.
static WfVec go_along(const WeftSceneMotion* motion, const Span* span, WfVec x) {
    if (!motion) return wf_add(x, wf_sub(span->to, span->from));
    WfVec axis = wf_load(motion->axis, 0), centre = wf_load(motion->centre, 0);
    double offset[2][3];
    wf_sample_track(&motion->offset, span->start, offset[0]);
    wf_sample_track(&motion->offset, span->end, offset[1]);
    WfVec arm = wf_sub(wf_sub(wf_sub(x, centre), wf_load(offset[0], 0)), span->from);
    arm = wf_scene_turn(arm, axis, turn_during(motion, span));
    return wf_add(wf_add(wf_add(arm, centre), wf_load(offset[1], 0)), span->to);
}

static const WeftSceneMotion* motion_of(const WeftScene* scene, const WeftScenePin* pin) {
    return pin->motion < 0 ? NULL : &scene->motions[pin->motion];
}

// Where a pin goes during the span from x. The motion is reflected, the hand that carries it all is
// not.
static WfVec pin_goal(const WeftScene* scene, const WeftScenePin* pin, const Span* span, WfVec x) {
    const WeftSceneMotion* motion = motion_of(scene, pin);
    WfPlane mirror;
    if (!pin->mirrored || !wf_make_plane(&scene->model.mirror.plane, &mirror))
        return go_along(motion, span, x);
    Span beyond = {span->start, span->end, wf_plane_reflect(&mirror, span->from),
                   wf_plane_reflect(&mirror, span->to)};
    return wf_plane_image(&mirror, go_along(motion, &beyond, wf_plane_image(&mirror, x)));
}

// How it turns meanwhile: mirror images of turns go the other way about the image of the axis.
static void pin_turn(const WeftScene* scene, const WeftScenePin* pin, double degrees,
                     double turn[4]) {
    double axis[3];
    WfPlane mirror;
    memcpy(axis, motion_of(scene, pin)->axis, sizeof axis);
    if (pin->mirrored && wf_make_plane(&scene->model.mirror.plane, &mirror)) {
        wf_store(axis, 0, wf_plane_reflect(&mirror, wf_load(axis, 0)));
        degrees = -degrees;
    }
    wf_scene_quaternion(axis, degrees, turn);
}

WfVec wf_scene_pin_place(const WeftScene* scene, const WeftScenePin* pin, double time, WfVec x) {
    Span span = {fmax(pin->from, 0), time, {0, 0, 0}, {0, 0, 0}};
    return pin_goal(scene, pin, &span, x);
}

// ---------------------------------------------------------------------------------------------
// Bodies

static void move_by_hand(const WeftSceneBody* body, double position[3], double rotation[4]) {
    WfFrame hand = wf_frame_of(body->hand_move, body->hand_turn);
    WfFrame frame = wf_frame_join(hand, wf_frame_of(position, rotation));
    wf_store(position, 0, frame.origin);
    wf_store(rotation, 0, frame.turn);
    rotation[3] = frame.w;
}

void wf_scene_carried_frame(const WeftScene* scene, int index, double end, double position[3],
                            double rotation[4]) {
    const WeftBodyDef* def = &scene->model.bodies[index];
    int number = scene->bodies[index].motion;
    const WeftSceneMotion* motion = number < 0 ? NULL : &scene->motions[number];
    Span span = {0, end, {0, 0, 0}, wf_load(scene->carry_to, 0)};
    double turn[4] = {0, 0, 0, 1};
    wf_store(position, 0, go_along(motion, &span, wf_load(def->position, 0)));
    if (motion) wf_scene_quaternion(motion->axis, turn_during(motion, &span), turn);
    wf_join_rotations(turn, def->rotation, rotation);
    if (scene->bodies[index].by_hand) move_by_hand(&scene->bodies[index], position, rotation);
}

void wf_scene_body_frame(const WeftScene* scene, int index, double end, double position[3],
                         double rotation[4]) {
    wf_scene_carried_frame(scene, index, end, position, rotation);
    if (!scene->bodies[index].in_world || !wf_scene_space_moves(scene)) return;
    WfFrame space = wf_scene_space_frame(scene, end);
    WfFrame frame = wf_frame_join(wf_frame_invert(space), wf_frame_of(position, rotation));
    wf_store(position, 0, frame.origin);
    wf_store(rotation, 0, frame.turn);
    rotation[3] = frame.w;
}

WfFrame wf_scene_motion_frame(const WeftScene* scene, int number, double time) {
    const WeftSceneMotion* motion = number < 0 ? NULL : &scene->motions[number];
    Span span = {.end = time};
    double origin[3], turn[4] = {0, 0, 0, 1};
    wf_store(origin, 0, go_along(motion, &span, (WfVec){0, 0, 0}));
    if (motion) wf_scene_quaternion(motion->axis, turn_during(motion, &span), turn);
    return wf_frame_of(origin, turn);
}

static void move_body(const WeftScene* scene, WeftState* state, int index, double end) {
    double position[3], rotation[4];
    wf_scene_body_frame(scene, index, end, position, rotation);
    weft_move_body(state, index, position, rotation);
}

static bool is_zero(const double v[3]) { return v[0] == 0 && v[1] == 0 && v[2] == 0; }

static void direct_bodies(const WeftScene* scene, WeftState* state, double end) {
    bool carried = !is_zero(scene->carry_from) || !is_zero(scene->carry_to);
    for (int i = 0; i < scene->model.body_count; i++) {
        const WeftSceneBody* body = &scene->bodies[i];
        bool stays = body->in_world && wf_scene_space_moves(scene);
        if (body->motion >= 0 || carried || stays || body->by_hand) move_body(scene, state, i, end);
        if (body->shape.key_count == 0) continue;
        wf_sample_shape(&body->shape, body->mesh.vertex_count, end, body->shape_now);
        weft_deform_body(state, i, body->shape_now);
    }
}

// ---------------------------------------------------------------------------------------------
// Pins

// The pin that holds at `time` out of those of one vertex: the last one listed.
static const WeftScenePin* holding_pin(const WeftScenePin* pins, int count, double time) {
    for (int i = count - 1; i >= 0; i--)
        if (pins[i].from <= time && time < pins[i].until) return &pins[i];
    return NULL;
}

// Whether a vertex is the mirror image of one that is simulated, which has the same pins.
static bool is_image(const WeftScene* scene, int vertex) {
    const WeftMesh* mesh = scene->meshes;
    WfPlane mirror;
    WeftMirrorKind kind = scene->model.mirror.kind;
    if (kind != WEFT_MIRROR_EXACT && kind != WEFT_MIRROR_RECIPE) return false;
    for (; vertex >= mesh->vertex_count; mesh++) vertex -= mesh->vertex_count;
    if (!mesh->images || mesh->images[vertex] == vertex) return false;
    return wf_make_plane(&scene->model.mirror.plane, &mirror) &&
           wf_plane_height(&mirror, wf_load(mesh->positions, vertex)) < 0;
}

// What the pins of one vertex, `count` of them, do to a vertex that is it, or was split from it.
static void direct_pin(const WeftScene* scene, WeftState* state, const WeftScenePin* pins,
                       int count, int vertex, const Span* span, double moment) {
    bool carried = memcmp(scene->carry_from, scene->carry_to, sizeof scene->carry_to) != 0;
    const WeftScenePin* pin = holding_pin(pins, count, moment);
    bool pinned = weft_is_pinned(state, vertex);
    if (pinned && !pin) weft_unpin(state, vertex);
    if (!pinned && pin) weft_pin(state, vertex);
    if (!pin || (pin->motion < 0 && !carried)) return;
    const WeftSceneMotion* motion = motion_of(scene, pin);
    double target[3], turn[4];
    WfVec x = wf_load(weft_positions(state), vertex);
    wf_store(target, 0, pin_goal(scene, pin, span, x));
    double degrees = motion ? turn_during(motion, span) : 0;
    if (degrees == 0) {
        weft_move_pin(state, vertex, target);
        return;
    }
    pin_turn(scene, pin, degrees, turn);
    weft_turn_pin(state, vertex, target, turn);
}

// The vertices of a cloth that were split from others: from *first up to the end.
static int new_vertices(const WeftScene* scene, const WeftState* state, int cloth, int* first) {
    const WeftModel* model = weft_state_model(state);
    *first = weft_first_vertex(model, cloth) + scene->model.cloths[cloth].vertex_count;
    return weft_first_vertex(model, cloth + 1);
}

// The first pin of a vertex, or where it would be: pins are sorted.
static int find_pin(const WeftScene* scene, int vertex) {
    int low = 0, high = scene->pin_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (scene->pins[middle].vertex < vertex)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int pins_from(const WeftScene* scene, int first) {
    int end = first;
    while (end < scene->pin_count && scene->pins[end].vertex == scene->pins[first].vertex) end++;
    return end - first;
}

// A vertex that was cut through is held on both sides.
static void direct_split_pins(const WeftScene* scene, WeftState* state, const Span* span,
                              double moment) {
    for (int c = 0; c < scene->model.cloth_count; c++) {
        int first, end = new_vertices(scene, state, c, &first);
        for (int i = first; i < end; i++) {
            int vertex = weft_torn_from(state, i), pin = find_pin(scene, vertex);
            if (pin == scene->pin_count || scene->pins[pin].vertex != vertex) continue;
            direct_pin(scene, state, scene->pins + pin, pins_from(scene, pin), i, span, moment);
        }
    }
}

// Images are where they are drawn, which may be before what they would cross (WEFT_CLOSURE_BUTTON):
// no place to go on from.
static void direct_pins(const WeftScene* scene, WeftState* state, const Span* span, double moment) {
    for (int i = 0, count; i < scene->pin_count; i += count) {
        int vertex = scene->pins[i].vertex;
        count = pins_from(scene, i);
        if (is_image(scene, vertex)) continue;
        direct_pin(scene, state, scene->pins + i, count, weft_torn_to(state, vertex), span, moment);
    }
    direct_split_pins(scene, state, span, moment);
}

// Ends of attachments, from where they are at the start.
static void direct_attachments(const WeftScene* scene, WeftState* state, double end) {
    bool carried = !is_zero(scene->carry_from) || !is_zero(scene->carry_to);
    for (int i = 0; i < scene->model.attachment_count; i++) {
        int number = scene->attachments[i].motion;
        const WeftSceneMotion* motion = number < 0 ? NULL : &scene->motions[number];
        Span span = {0, end, {0, 0, 0}, wf_load(scene->carry_to, 0)};
        bool is_place = scene->model.attachments[i].to == WEFT_ATTACH_TO_PLACE;
        double place[3];
        if (!is_place || !(motion || carried) || !weft_is_attached(state, i)) continue;
        wf_store(place, 0, go_along(motion, &span, wf_load(scene->attachments[i].place, 0)));
        weft_move_attachment(state, i, place);
    }
}

static void hold_at(WeftState* state, int vertex, const double place[3]) {
    if (!weft_is_pinned(state, vertex)) weft_pin(state, vertex);
    weft_move_pin(state, vertex, place);
}

// What is held by a body goes where its surface goes, on both sides of a cut.
static void direct_wear(const WeftScene* scene, WeftState* state, const WeftSceneWear* wear,
                        int whole_first, double end) {
    const WeftSceneBody* body = &scene->bodies[wear->body];
    double position[3], rotation[4], place[3];
    int first = weft_first_vertex(weft_state_model(state), wear->cloth), split;
    int split_end = new_vertices(scene, state, wear->cloth, &split);
    wf_scene_body_frame(scene, wear->body, end, position, rotation);
    WfFrame frame = wf_frame_of(position, rotation);
    for (int i = 0; i < wear->hold_count; i++) {
        int vertex = wear->holds[i].vertex;
        const double* shape = body->shape_now ? body->shape_now : body->mesh.positions;
        weft_follow_body(&wear->holds[i], shape, body->mesh.triangles, place);
        wf_store(place, 0, wf_frame_apply(frame, wf_load(place, 0)));
        hold_at(state, first + vertex, place);
        for (int k = split; k < split_end; k++)
            if (weft_torn_from(state, k) == whole_first + vertex) hold_at(state, k, place);
    }
}

static void direct_holds(const WeftScene* scene, WeftState* state, double end) {
    int first = 0;
    for (int c = 0, w = 0; c < scene->model.cloth_count; c++) {
        const WeftSceneWear* wear = w < scene->wear_count ? &scene->wears[w] : NULL;
        if (wear && wear->cloth == c) {
            direct_wear(scene, state, wear, first, end);
            w++;
        }
        first += scene->meshes[c].vertex_count;
    }
}

// Skins go along with their motions, as pins do. Cloth that is torn has more of it than the scene
// has room for.
static WeftResult direct_skin(const WeftScene* scene, WeftState* state, int cloth,
                              const WeftSceneMotion* motion, const Span* span) {
    const WeftModel* model = weft_state_model(state);
    int count = weft_first_vertex(model, cloth + 1) - weft_first_vertex(model, cloth);
    double* skin = scene->skin_now;
    if (count > scene->skin_room)
        skin = wf_alloc(&scene->allocator, 3 * (size_t)count, sizeof *skin);
    if (!skin) return WEFT_ERROR_MEMORY;
    weft_copy_skin(state, cloth, skin, NULL);
    for (int i = 0; i < count; i++) wf_store(skin, i, go_along(motion, span, wf_load(skin, i)));
    weft_move_skin(state, cloth, skin, NULL);
    if (skin != scene->skin_now) wf_free(&scene->allocator, skin);
    return WEFT_OK;
}

static WeftResult direct_skins(const WeftScene* scene, WeftState* state, const Span* span) {
    bool carried = memcmp(scene->carry_from, scene->carry_to, sizeof scene->carry_to) != 0;
    WeftResult result = WEFT_OK;
    for (int c = 0; c < scene->model.cloth_count && !result; c++) {
        const WeftSceneMotion* motion =
            scene->skins[c] < 0 ? NULL : &scene->motions[scene->skins[c]];
        if (!wf_scene_is_animated(&scene->model.cloths[c]) || (!motion && !carried)) continue;
        result = direct_skin(scene, state, c, motion, span);
    }
    return result;
}

WeftResult weft_direct_scene(const WeftScene* scene, WeftState* state, WeftStepDef* step) {
    double dt = scene->pace * step->dt, start = scene->pace * weft_time(state), end = start + dt;
    double moment = start + 1e-6 * dt;  // times add up with rounding: 2 s may be 1.9999999
    Span span = {start, end, wf_load(scene->carry_from, 0), wf_load(scene->carry_to, 0)};
    if (scene->wind.key_count > 0) wf_sample_track(&scene->wind, end, step->wind);
    wf_scene_direct_space(scene, state, start, end);
    direct_pins(scene, state, &span, moment);
    direct_bodies(scene, state, end);
    direct_holds(scene, state, end);
    WeftResult result = direct_skins(scene, state, &span);
    wf_scene_direct_blends(scene, state, end);
    direct_attachments(scene, state, end);
    return result ? result : wf_scene_direct_cuts(scene, state, start, end);
}

// ---------------------------------------------------------------------------------------------
// What else a scene tells

int weft_scene_frames(const WeftScene* scene) {
    double frames = round(scene->duration / scene->model.step.dt);
    if (scene->duration == 0) return 0;
    return frames < 1 ? 1 : frames > 1e9 ? 1000000000 : (int)frames;
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

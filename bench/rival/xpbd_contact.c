// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Contact of XPBD: vertices that are in a body are put out of it, and what they moved along its
// surface, against the body, is taken back up to friction times how deep they were (Mueller and
// others 2007; Macklin and others 2014, 6.1). Edges and triangles may cut into bodies, and fast
// vertices pass through thin ones.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "xpbd_parts.h"

// A frame as a substep has it.
typedef struct Pose {
    float place[3], axes[9];
} Pose;

bool make_contact(Xpbd* xpbd) {
    size_t count = (size_t)round_up(xpbd->vertex_count);
    if (xpbd->def.body_count == 0) return true;
    xpbd->bodies = calloc((size_t)xpbd->def.body_count, sizeof *xpbd->bodies);
    xpbd->thicknesses = make_floats(count);
    xpbd->frictions = make_floats(count);
    if (!xpbd->bodies || !xpbd->thicknesses || !xpbd->frictions) return false;
    for (size_t i = 0; i < count; i++) {
        xpbd->thicknesses[i] = (float)xpbd->def.thickness;
        xpbd->frictions[i] = (float)sqrt(xpbd->def.friction);
    }
    return true;
}

void free_contact(Xpbd* xpbd) {
    free(xpbd->bodies);
    free_floats(xpbd->thicknesses);
    free_floats(xpbd->frictions);
}

void set_xpbd_bodies(Xpbd* xpbd, const XpbdBody* bodies) {
    memcpy(xpbd->bodies, bodies, (size_t)xpbd->def.body_count * sizeof *bodies);
}

void set_xpbd_surface(Xpbd* xpbd, const double* thicknesses, const double* frictions) {
    for (int i = 0; i < xpbd->vertex_count && xpbd->bodies; i++) {
        xpbd->thicknesses[i] = (float)thicknesses[i];
        xpbd->frictions[i] = (float)sqrt(frictions[i]);
    }
}

static XpbdFrame frame_at(const double place[3]) {
    XpbdFrame frame = {.axes = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    memcpy(frame.place, place, sizeof frame.place);
    return frame;
}

XpbdBody xpbd_ball(const double centre[3], double radius, double friction) {
    XpbdFrame frame = frame_at(centre);
    return (XpbdBody){
        .shape = XPBD_CAPSULE, .radius = radius, .friction = friction, .from = frame, .to = frame};
}

XpbdBody xpbd_half_space(const double point[3], const double normal[3], double friction) {
    XpbdFrame frame = frame_at(point);
    double away[3] = {fabs(normal[0]) < 0.9, fabs(normal[0]) >= 0.9, 0}, u[3], size = 0;
    double along = away[0] * normal[0] + away[1] * normal[1];
    for (int c = 0; c < 3; c++) u[c] = away[c] - along * normal[c], size += u[c] * u[c];
    for (int c = 0; c < 3; c++) u[c] /= sqrt(size);
    const double* n = normal;
    const double axes[9] = {u[0], n[0], u[1] * n[2] - u[2] * n[1],
                            u[1], n[1], u[2] * n[0] - u[0] * n[2],
                            u[2], n[2], u[0] * n[1] - u[1] * n[0]};
    memcpy(frame.axes, axes, sizeof axes);
    return (XpbdBody){.shape = XPBD_PLANE, .friction = friction, .from = frame, .to = frame};
}

// ---------------------------------------------------------------------------------------------
// Frames on their way

static void normalise(float* column) {
    float size = sqrtf(column[0] * column[0] + column[3] * column[3] + column[6] * column[6]);
    for (int r = 0; r < 3; r++) column[3 * r] /= size;
}

// Columns made of length 1 and perpendicular again.
static void straighten(float* axes) {
    normalise(axes);
    float along = axes[0] * axes[1] + axes[3] * axes[4] + axes[6] * axes[7];
    for (int r = 0; r < 3; r++) axes[3 * r + 1] -= along * axes[3 * r];
    normalise(axes + 1);
    axes[2] = axes[3] * axes[7] - axes[6] * axes[4];
    axes[5] = axes[6] * axes[1] - axes[0] * axes[7];
    axes[8] = axes[0] * axes[4] - axes[3] * axes[1];
}

static Pose pose_at(const XpbdBody* body, double part) {
    Pose pose;
    for (int c = 0; c < 3; c++)
        pose.place[c] =
            (float)(body->from.place[c] + part * (body->to.place[c] - body->from.place[c]));
    for (int c = 0; c < 9; c++)
        pose.axes[c] = (float)(body->from.axes[c] + part * (body->to.axes[c] - body->from.axes[c]));
    straighten(pose.axes);
    return pose;
}

static inline void to_body(const Pose* pose, const Lanes* x, Lanes* local) {
    Lanes d[3];
    for (int c = 0; c < 3; c++) d[c] = lanes_sub(x[c], lanes_set(pose->place[c]));
    for (int c = 0; c < 3; c++) {
        local[c] = lanes_mul(lanes_set(pose->axes[c]), d[0]);
        local[c] = lanes_add(local[c], lanes_mul(lanes_set(pose->axes[3 + c]), d[1]));
        local[c] = lanes_add(local[c], lanes_mul(lanes_set(pose->axes[6 + c]), d[2]));
    }
}

static inline void turn_out(const Pose* pose, const Lanes* local, Lanes* x) {
    for (int r = 0; r < 3; r++) {
        x[r] = lanes_mul(lanes_set(pose->axes[3 * r]), local[0]);
        x[r] = lanes_add(x[r], lanes_mul(lanes_set(pose->axes[3 * r + 1]), local[1]));
        x[r] = lanes_add(x[r], lanes_mul(lanes_set(pose->axes[3 * r + 2]), local[2]));
    }
}

// ---------------------------------------------------------------------------------------------
// Shapes, in their own frames: how far out four places are, and the way out

static inline Lanes plane_distance(const Lanes* p, Lanes* normal) {
    normal[0] = normal[2] = lanes_set(0);
    normal[1] = lanes_set(1);
    return p[1];
}

static inline Lanes capsule_distance(const XpbdBody* body, const Lanes* p, Lanes* normal) {
    Lanes half = lanes_set((float)body->length / 2), low = lanes_set((float)-body->length / 2);
    Lanes d[3] = {p[0], lanes_sub(p[1], lanes_max(low, lanes_min(half, p[1]))), p[2]};
    Lanes distance = lanes_max(lanes_sqrt(lanes_dot(d, d)), lanes_set(1e-9f));
    for (int c = 0; c < 3; c++) normal[c] = lanes_div(d[c], distance);
    return lanes_sub(distance, lanes_set((float)body->radius));
}

static float box_distance_of(const XpbdBody* body, const float p[3], float normal[3]) {
    float q[3], out[3], square = 0;
    int nearest = 0;
    for (int c = 0; c < 3; c++) {
        q[c] = fabsf(p[c]) - (float)body->size[c] / 2;
        out[c] = fmaxf(q[c], 0);
        square += out[c] * out[c];
        normal[c] = 0;
        if (q[c] > q[nearest]) nearest = c;
    }
    float distance = sqrtf(square);
    for (int c = 0; c < 3 && distance > 0; c++) normal[c] = copysignf(out[c] / distance, p[c]);
    if (distance > 0) return distance;
    normal[nearest] = copysignf(1, p[nearest]);
    return q[nearest];
}

static Lanes box_distance(const XpbdBody* body, const Lanes* p, Lanes* normal) {
    _Alignas(16) float x[3][LANES], n[3][LANES], distance[LANES];
    for (int c = 0; c < 3; c++) lanes_store(x[c], p[c]);
    for (int k = 0; k < LANES; k++) {
        float place[3] = {x[0][k], x[1][k], x[2][k]}, way[3];
        distance[k] = box_distance_of(body, place, way);
        for (int c = 0; c < 3; c++) n[c][k] = way[c];
    }
    for (int c = 0; c < 3; c++) normal[c] = lanes_load(n[c]);
    return lanes_load(distance);
}

static inline Lanes find_distance(const XpbdBody* body, const Lanes* p, Lanes* normal) {
    switch (body->shape) {
        case XPBD_PLANE:
            return plane_distance(p, normal);
        case XPBD_CAPSULE:
            return capsule_distance(body, p, normal);
        case XPBD_BOX:
            break;
    }
    return box_distance(body, p, normal);
}

// ---------------------------------------------------------------------------------------------
// Response

// Out by the depth; what they moved along the surface, beside what it moved itself, is taken back.
static inline void resolve(const Lanes* normal, Lanes depth, Lanes friction, const Lanes* carried,
                           Lanes* move) {
    Lanes moved[3];
    depth = lanes_max(depth, lanes_set(0));
    for (int c = 0; c < 3; c++) {
        move[c] = lanes_add(move[c], lanes_mul(depth, normal[c]));
        moved[c] = lanes_sub(move[c], carried[c]);
    }
    Lanes away = lanes_dot(moved, normal);
    for (int c = 0; c < 3; c++) moved[c] = lanes_sub(moved[c], lanes_mul(away, normal[c]));
    Lanes slid = lanes_max(lanes_sqrt(lanes_dot(moved, moved)), lanes_set(1e-12f));
    Lanes part = lanes_min(lanes_div(lanes_mul(friction, depth), slid), lanes_set(1));
    for (int c = 0; c < 3; c++) move[c] = lanes_sub(move[c], lanes_mul(part, moved[c]));
}

static inline void load_turned(const float* from, Lanes* to) {
    for (int k = 0; k < LANES; k++) to[k] = lanes_load(from + STRIDE * k);
    lanes_turn(&to[0], &to[1], &to[2], &to[3]);
}

// Where what sticks to the body would go from where it was in the substep before: all the way of
// the place of the body that is at x now. The same pose: the body rests.
static inline void carry(const Pose* now, const Pose* before, const Lanes* local, const Lanes* x,
                         const Lanes* from, Lanes* carried) {
    memcpy(carried, from, 3 * sizeof *from);
    if (now == before) return;
    turn_out(before, local, carried);
    for (int c = 0; c < 3; c++) {
        Lanes was = lanes_add(carried[c], lanes_set(before->place[c]));
        carried[c] = lanes_add(from[c], lanes_sub(x[c], was));
    }
}

static void keep_out_of(Xpbd* xpbd, const XpbdBody* body, const Pose* before, const Pose* now) {
    int count = round_up(xpbd->vertex_count);
    Lanes grip = lanes_set((float)sqrt(body->friction));
    for (int i = 0; i < count; i += LANES) {
        Lanes move[LANES], from[LANES], x[LANES], local[3], way[3], normal[3], carried[3];
        load_turned(xpbd->moves + STRIDE * i, move);
        load_turned(xpbd->places + STRIDE * i, x);
        for (int c = 0; c < 3; c++) x[c] = lanes_add(x[c], move[c]);
        to_body(now, x, local);
        Lanes distance = find_distance(body, local, way);
        Lanes depth = lanes_sub(lanes_load(xpbd->thicknesses + i), distance);
        if (!lanes_any_positive(depth)) continue;
        turn_out(now, way, normal);
        load_turned(xpbd->previous + STRIDE * i, from);
        carry(now, before, local, x, from, carried);
        Lanes friction = lanes_mul(grip, lanes_load(xpbd->frictions + i));
        resolve(normal, depth, friction, carried, move);
        lanes_turn(&move[0], &move[1], &move[2], &move[3]);
        for (int k = 0; k < LANES; k++) lanes_store(xpbd->moves + STRIDE * (i + k), move[k]);
    }
}

void keep_out(Xpbd* xpbd, int substep) {
    for (int b = 0; b < xpbd->def.body_count; b++) {
        const XpbdBody* body = &xpbd->bodies[b];
        bool rests = memcmp(&body->from, &body->to, sizeof body->to) == 0;
        Pose before = pose_at(body, (double)substep / xpbd->def.substeps);
        Pose now = rests ? before : pose_at(body, (substep + 1.0) / xpbd->def.substeps);
        keep_out_of(xpbd, body, &before, rests ? &before : &now);
    }
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "contact/body.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "contact/hull.h"
#include "contact/near.h"
#include "contact/sharp.h"
#include "contact/solid.h"

// ---------------------------------------------------------------------------------------------
// Frames

static WfVec turn(const double q[4], double sign, WfVec v) {
    WfVec axis = {sign * q[0], sign * q[1], sign * q[2]};
    WfVec t = wf_mul(2, wf_cross(axis, v));
    return wf_add(wf_madd(v, q[3], t), wf_cross(axis, t));
}

WfVec wf_pose_turn(const WfPose* pose, WfVec local) { return turn(pose->rotation, 1, local); }

WfVec wf_pose_point(const WfPose* pose, WfVec local) {
    return wf_add(wf_load(pose->position, 0), turn(pose->rotation, 1, local));
}

WfVec wf_pose_local(const WfPose* pose, WfVec world) {
    return turn(pose->rotation, -1, wf_sub(world, wf_load(pose->position, 0)));
}

// Quaternions straight between the two and brought back to length 1: within a step, a turn at
// nearly even speed. Both signs of `to` are the same rotation: the shorter way is taken.
static void turn_between(const double from[4], const double to[4], double part, double turn[4]) {
    double dot = 0, square = 0;
    for (int i = 0; i < 4; i++) dot += from[i] * to[i];
    for (int i = 0; i < 4; i++) {
        turn[i] = (1 - part) * from[i] + part * (dot < 0 ? -1 : 1) * to[i];
        square += turn[i] * turn[i];
    }
    for (int i = 0; i < 4; i++) turn[i] = square > 0 ? turn[i] / sqrt(square) : to[i];
}

// Let a be half of the turn, and b half of what turn_between makes of it. Then the chord of that
// part, square to the axis, is sin(b)/sin(a) as long as the whole one, and turned by b - a. Neither
// angles nor the centre are needed.
WfVec wf_screw_way(const double turn[4], WfVec way, double part) {
    double sign = turn[3] < 0 ? -1 : 1, w = sign * turn[3], rest = 1 - part;
    WfVec axis = wf_mul(sign, (WfVec){turn[0], turn[1], turn[2]});
    double square = wf_dot(axis, axis), cosine = rest + part * w;
    double norm = cosine * cosine + part * part * square;
    WfVec even = wf_mul(part, way);
    if (!(square > 1e-30) || !(norm > 0)) return even;
    WfVec across = wf_madd(way, -wf_dot(axis, way) / square, axis);
    even = wf_madd(even, part * ((cosine * w + part * square) / norm - 1), across);
    return wf_madd(even, -part * rest / norm, wf_cross(axis, way));
}

void wf_turn_from(const double a[4], const double b[4], double turn[4]) {
    turn[0] = a[3] * b[0] - b[3] * a[0] - (b[1] * a[2] - b[2] * a[1]);
    turn[1] = a[3] * b[1] - b[3] * a[1] - (b[2] * a[0] - b[0] * a[2]);
    turn[2] = a[3] * b[2] - b[3] * a[2] - (b[0] * a[1] - b[1] * a[0]);
    turn[3] = a[3] * b[3] + a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

WfPose wf_pose_between(const WfPose* from, const WfPose* to, double part) {
    WfPose pose;
    double turn[4];
    WfVec start = wf_load(from->position, 0), way = wf_sub(wf_load(to->position, 0), start);
    wf_turn_from(from->rotation, to->rotation, turn);
    turn_between(from->rotation, to->rotation, part, pose.rotation);
    wf_store(pose.position, 0, wf_add(start, wf_screw_way(turn, way, part)));
    return pose;
}

// ---------------------------------------------------------------------------------------------
// Checks

static WeftResult check_mesh(const WeftBodyDef* def, WeftError* error) {
    if (def->vertex_count < 3 || def->triangle_count < 1 || !def->positions || !def->triangles)
        return wf_fail(error, WEFT_ERROR_INPUT, "a mesh needs vertices and triangles");
    if (def->vertex_count > 5000000 || def->triangle_count > 10000000)
        return wf_fail(error, WEFT_ERROR_INPUT, "%d vertices are more than a body can have",
                       def->vertex_count);
    for (long i = 0; i < 3L * def->vertex_count; i++)
        if (!(fabs(def->positions[i]) < 1e6))
            return wf_fail(error, WEFT_ERROR_INPUT, "vertex %ld is at %g; it must be within 1e6 m",
                           i / 3, def->positions[i]);
    for (int t = 0; t < def->triangle_count; t++) {
        const int* v = def->triangles + 3 * (long)t;
        for (int k = 0; k < 3; k++)
            if (v[k] < 0 || v[k] >= def->vertex_count)
                return wf_fail(error, WEFT_ERROR_INPUT, "triangle %d names vertex %d of %d", t,
                               v[k], def->vertex_count);
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
            return wf_fail(error, WEFT_ERROR_INPUT, "triangle %d names a vertex twice", t);
    }
    return WEFT_OK;
}

static WeftResult check_length(const char* name, double value, bool may_be_zero, WeftError* error) {
    if (may_be_zero ? value >= 0 && value <= 1e4 : value > 0 && value <= 1e4) return WEFT_OK;
    return wf_fail(error, WEFT_ERROR_INPUT, "%s is %g m; it must be %s, at most 10000", name, value,
                   may_be_zero ? "0 or more" : "above 0");
}

static WeftResult check_shape(const WeftBodyDef* def, WeftError* error) {
    static const char* const sides[3] = {"size[0]", "size[1]", "size[2]"};
    WeftResult result = WEFT_OK;
    switch (def->kind) {
        case WEFT_BODY_PLANE:
            break;
        case WEFT_BODY_CAPSULE:
            result = check_length("length", def->length, true, error);
            if (result) break;
            return check_length("radius", def->radius, false, error);
        case WEFT_BODY_SPHERE:
            return check_length("radius", def->radius, false, error);
        case WEFT_BODY_BOX:
            for (int i = 0; i < 3 && !result; i++)
                result = check_length(sides[i], def->size[i], false, error);
            break;
        case WEFT_BODY_MESH:
            return check_mesh(def, error);
        case WEFT_BODY_TAPERED:
            result = check_length("length", def->length, true, error);
            if (!result) result = check_length("radius", def->radius, false, error);
            return result ? result : check_length("top_radius", def->top_radius, false, error);
        case WEFT_BODY_HULL:
            return wf_hull_check(def->positions, def->vertex_count, error);
        case WEFT_BODY_DISTANCE:
            return wf_distance_check(&def->distance, error);
        default:
            return wf_fail(error, WEFT_ERROR_INPUT, "kind is %d; it must be 0 to %d",
                           (int)def->kind, WEFT_BODY_DISTANCE);
    }
    return result;
}

WeftResult wf_body_check(const WeftBodyDef* def, WeftError* error) {
    WeftResult result = check_shape(def, error);
    if (result) return result;
    if (!(def->friction >= 0 && def->friction <= 100))
        return wf_fail(error, WEFT_ERROR_INPUT, "friction is %g; it must be 0 to 100",
                       def->friction);
    double square = 0;
    for (int i = 0; i < 4; i++) square += def->rotation[i] * def->rotation[i];
    if (!(fabs(square - 1) < 1e-3))
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "rotation has length %g; a rotation is a quaternion of length 1",
                       sqrt(square));
    for (int i = 0; i < 3; i++)
        if (!(fabs(def->position[i]) < 1e6))
            return wf_fail(error, WEFT_ERROR_INPUT, "position is %g; it must be within 1e6 m",
                           def->position[i]);
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// Life

static bool is_round(WeftBodyKind kind) {
    return kind == WEFT_BODY_SPHERE || kind == WEFT_BODY_CAPSULE || kind == WEFT_BODY_TAPERED;
}

// Where one end is inside of the other, the larger one is all there is.
static void set_ends(const WeftBodyDef* def, WfBody* body) {
    bool tapered = def->kind == WEFT_BODY_TAPERED;
    double half = def->kind == WEFT_BODY_SPHERE ? 0 : def->length / 2;
    body->ends[0] = -half;
    body->ends[1] = half;
    body->radii[0] = def->radius;
    body->radii[1] = tapered ? def->top_radius : def->radius;
    if (fabs(body->radii[1] - body->radii[0]) >= 2 * half) {
        int larger = body->radii[1] > body->radii[0];
        body->ends[1 - larger] = body->ends[larger];
        body->radii[1 - larger] = body->radii[larger];
    }
    body->radius = fmin(body->radii[0], body->radii[1]);
}

static WeftResult make_shape(const WeftAllocator* allocator, const WeftBodyDef* def,
                             const WfBody* body, WfShape* shape) {
    switch (def->kind) {
        case WEFT_BODY_BOX:
            return wf_box_shape(allocator, def->size, shape);
        case WEFT_BODY_MESH:
            return wf_mesh_shape(allocator, def, shape);
        case WEFT_BODY_HULL:
            return wf_hull_shape(allocator, def->positions, def->vertex_count, shape);
        case WEFT_BODY_DISTANCE:
            return wf_distance_shape(allocator, &body->distance, shape);
        case WEFT_BODY_PLANE:
            return wf_plane_shape(allocator, shape);
        default:
            return wf_round_shape(allocator, body->ends, body->radii, shape);
    }
}

// Its box, from that of its facets: they may miss a corner of a field.
static void measure_field(WfBody* body) {
    const WfDistance* f = &body->distance;
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double more = fmax(f->cell, (f->high[k] - f->low[k]) / 16);
        bool drawn = body->vertex_count > 0;
        body->low[k] = drawn ? fmax(body->low[k] - more, f->low[k]) : f->low[k];
        body->high[k] = drawn ? fmin(body->high[k] + more, f->high[k]) : f->high[k];
        double far = fmax(fabs(body->low[k]), fabs(body->high[k]));
        square += far * far;
    }
    body->reach = sqrt(square);
}

static void measure(WfBody* body) {
    double *low = body->low, *high = body->high;
    for (int k = 0; k < 3; k++) low[k] = HUGE_VAL, high[k] = -HUGE_VAL;
    body->reach = 0;
    for (int i = 0; i < body->vertex_count; i++) {
        WfVec x = wf_load(body->positions, i);
        body->reach = fmax(body->reach, wf_length(x));
        body->middle = wf_madd(body->middle, 1.0 / body->vertex_count, x);
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], body->positions[3 * (long)i + k]);
            high[k] = fmax(high[k], body->positions[3 * (long)i + k]);
        }
    }
    if (body->kind == WEFT_BODY_DISTANCE) measure_field(body);
    body->least_size = HUGE_VAL;
    for (int k = 0; k < 3; k++) body->least_size = fmin(body->least_size, (high[k] - low[k]) / 2);
    if (body->kind != WEFT_BODY_PLANE) return;
    body->reach = body->least_size = HUGE_VAL;
}

WeftResult wf_body_create(const WeftAllocator* allocator, const WeftBodyDef* def, WfBody* body) {
    bool field = def->kind == WEFT_BODY_DISTANCE;
    WfShape shape = {0};
    *body = (WfBody){.kind = def->kind,
                     .radius = field ? def->distance.cell : def->radius,
                     .friction = def->friction,
                     .layer = def->layer,
                     .mask = def->mask,
                     .exact = def->kind == WEFT_BODY_PLANE || is_round(def->kind) || field};
    if (is_round(def->kind)) set_ends(def, body);
    memcpy(body->size, def->size, sizeof def->size);
    memcpy(body->start.position, def->position, sizeof def->position);
    memcpy(body->start.rotation, def->rotation, sizeof def->rotation);
    body->start = wf_pose_between(&body->start, &body->start, 0);  // of length 1 to the last bit
    WeftResult result =
        field ? wf_distance_create(allocator, &def->distance, &body->distance) : WEFT_OK;
    if (!result) result = make_shape(allocator, def, body, &shape);
    body->positions = shape.positions;
    body->vertex_count = shape.vertex_count;
    if (!result)
        result = wf_surface_create(allocator, shape.vertex_count, shape.triangle_count,
                                   shape.triangles, 0, NULL, &body->surface);
    if (!result && !body->exact)
        result = wf_find_solid(allocator, &body->surface, body->positions, &body->solid);
    if (!result) result = wf_find_sharp_edges(allocator, body);
    wf_free(allocator, shape.triangles);
    if (result)
        wf_body_destroy(allocator, body);
    else
        measure(body);
    return result;
}

size_t wf_body_bytes(const WfBody* body) {
    const int* counts = body->distance.counts;
    size_t bytes = (size_t)body->vertex_count * 3 * sizeof(double) +
                   (size_t)body->surface.triangle_count * 9 * sizeof(int);
    if (body->distance.values)
        bytes += (size_t)counts[0] * (size_t)counts[1] * (size_t)counts[2] * sizeof(float);
    return bytes;
}

void wf_body_destroy(const WeftAllocator* allocator, WfBody* body) {
    wf_free(allocator, body->positions);
    wf_free(allocator, body->sharp_edges);
    wf_distance_destroy(allocator, &body->distance);
    wf_surface_destroy(allocator, &body->surface);
    *body = (WfBody){0};
}

// ---------------------------------------------------------------------------------------------
// Exact bodies

void wf_pose_travel(const WfPose* from, const WfPose* to, double* way, double* chord) {
    double dot = 0;
    for (int k = 0; k < 4; k++) dot += from->rotation[k] * to->rotation[k];
    *way = wf_length(wf_sub(wf_load(to->position, 0), wf_load(from->position, 0)));
    // `dot` is the cosine of half the angle, and a chord is twice the sine of it
    *chord = 2 * sqrt(fmax(0, 1 - dot * dot));
}

bool wf_is_round(const WfBody* body) { return is_round(body->kind); }

bool wf_has_between(const WfBody* body) {
    return is_round(body->kind) || body->kind == WEFT_BODY_DISTANCE;
}

bool wf_is_mesh(const WfBody* body) {
    return body->kind == WEFT_BODY_MESH || body->kind == WEFT_BODY_HULL;
}

// Balls along an axis, from one radius to the other: the nearest of them, and from its centre.
static double tapered_distance(const WfBody* body, WfVec p, WfVec* normal) {
    const WfVec ends[2] = {{0, body->ends[0], 0}, {0, body->ends[1], 0}};
    double taper = body->radii[1] - body->radii[0], apart = body->ends[1] - body->ends[0];
    double part = wf_near_point_tapered(p, ends[0], ends[1], taper);
    WfVec out = wf_sub(p, wf_madd(ends[0], part, wf_sub(ends[1], ends[0])));
    double far = wf_length(out), slope = apart > 0 ? taper / apart : 0;
    WfVec side = {sqrt(1 - slope * slope), -slope, 0};  // from the axis all are as good
    *normal = far > 0 ? wf_mul(1 / far, out) : side;
    return far - (body->radii[0] + part * taper);
}

double wf_body_local_distance(const WfBody* body, WfVec p, WfVec* normal) {
    WfVec unused;
    if (body->kind == WEFT_BODY_DISTANCE) return wf_distance_at(&body->distance, p, normal);
    if (!normal) normal = &unused;
    if (body->kind == WEFT_BODY_PLANE) {
        *normal = (WfVec){0, 1, 0};
        return p.y;
    }
    if (body->kind == WEFT_BODY_TAPERED) return tapered_distance(body, p, normal);
    p.y -= fmax(body->ends[0], fmin(body->ends[1], p.y));
    double far = wf_length(p);
    *normal = far > 0 ? wf_mul(1 / far, p) : (WfVec){0, 1, 0};
    return far - body->radius;
}

double wf_body_distance(const WfBody* body, const WfPose* pose, WfVec p, WfVec* normal) {
    double distance = wf_body_local_distance(body, wf_pose_local(pose, p), normal);
    *normal = wf_pose_turn(pose, *normal);
    return distance;
}

// By Newton's method: the distance from a convex body is convex along the way, so that its tangent
// comes to `keep` no later than itself does, and a way that does not approach never will.
WfVec wf_body_meet(const WfBody* body, WfVec a, WfVec b, double keep, WfVec* normal) {
    if (body->kind == WEFT_BODY_DISTANCE)
        return wf_distance_meet(&body->distance, a, b, keep, normal);
    WfVec way = wf_sub(b, a), p = a;
    double t = 0;
    for (int k = 0; k < 64 && t < 1; k++) {
        double left = wf_body_local_distance(body, p, normal) - keep;
        if (left < 1e-7) return p;
        double closing = -wf_dot(*normal, way);
        t = left < (1 - t) * closing ? t + left / closing : 1;
        p = wf_madd(a, t, way);
    }
    if (t >= 1) p = b;
    wf_body_local_distance(body, p, normal);
    return p;
}

WfVec wf_body_carry(const WfMover* mover, WfVec p) {
    return wf_sub(wf_pose_point(&mover->to, wf_pose_local(&mover->from, p)), p);
}

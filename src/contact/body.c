// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "contact/body.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "base/error.h"
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
        default:
            return wf_fail(error, WEFT_ERROR_INPUT, "kind is %d; it must be 0 to %d",
                           (int)def->kind, WEFT_BODY_MESH);
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
// As triangles

typedef struct Shape {
    double* positions;
    int *triangles, vertex_count, triangle_count;
} Shape;

static void add_triangle(Shape* shape, int a, int b, int c) {
    int* to = shape->triangles + 3 * (long)shape->triangle_count++;
    to[0] = a;
    to[1] = b;
    to[2] = c;
}

static void add_vertex(Shape* shape, WfVec x) {
    wf_store(shape->positions, shape->vertex_count++, x);
}

// Round bodies: rings of vertices from the lower pole to the upper; a capsule has its middle ring
// twice, half a length apart in either direction.
enum { RINGS = 23, SEGMENTS = 48 };  // a sphere of 0.25 m: facets within 1 mm of it

static int ring_count(double length) { return length > 0 ? RINGS + 1 : RINGS; }

static void make_round(double radius, double half, Shape* shape) {
    int rings = ring_count(half);
    add_vertex(shape, (WfVec){0, -half - radius, 0});
    for (int r = 0; r < rings; r++) {
        bool upper = 2 * r >= rings;
        int ring = upper ? r - rings + RINGS : r;
        double y, flat, sine, cosine;
        wf_sine_cosine(WF_PI * ((ring + 1.0) / (RINGS + 1) - 0.5), &y, &flat);
        y = radius * y + (upper ? half : -half);
        for (int k = 0; k < SEGMENTS; k++) {
            wf_sine_cosine(2 * WF_PI * k / SEGMENTS, &sine, &cosine);
            add_vertex(shape, (WfVec){radius * flat * cosine, y, -radius * flat * sine});
        }
    }
    int top = shape->vertex_count;
    add_vertex(shape, (WfVec){0, half + radius, 0});
    for (int k = 0; k < SEGMENTS; k++) {
        int next = (k + 1) % SEGMENTS, last = 1 + (rings - 1) * SEGMENTS;
        add_triangle(shape, 0, 1 + next, 1 + k);
        for (int r = 0; r + 1 < rings; r++) {
            int low = 1 + r * SEGMENTS, high = low + SEGMENTS;
            add_triangle(shape, low + k, low + next, high + next);
            add_triangle(shape, low + k, high + next, high + k);
        }
        add_triangle(shape, last + k, last + next, top);
    }
}

static void make_box(const double size[3], Shape* shape) {
    static const int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (int i = 0; i < 8; i++)
        add_vertex(shape, (WfVec){size[0] * ((i & 1) - 0.5), size[1] * ((i >> 1 & 1) - 0.5),
                                  size[2] * ((i >> 2 & 1) - 0.5)});
    for (int f = 0; f < 6; f++) {
        add_triangle(shape, faces[f][0], faces[f][1], faces[f][2]);
        add_triangle(shape, faces[f][0], faces[f][2], faces[f][3]);
    }
}

static void make_plane(Shape* shape) {
    for (int i = 0; i < 4; i++)
        add_vertex(shape, (WfVec){i == 0 || i == 3 ? -10 : 10, 0, i < 2 ? 10 : -10});
    add_triangle(shape, 0, 1, 2);
    add_triangle(shape, 0, 2, 3);
}

static bool is_round(WeftBodyKind kind) {
    return kind == WEFT_BODY_SPHERE || kind == WEFT_BODY_CAPSULE;
}

static void count_shape(const WeftBodyDef* def, int* vertices, int* triangles) {
    bool round = is_round(def->kind), box = def->kind == WEFT_BODY_BOX;
    int rings = ring_count(def->kind == WEFT_BODY_CAPSULE ? def->length : 0);
    *vertices = round ? rings * SEGMENTS + 2 : box ? 8 : 4;
    *triangles = round ? 2 * rings * SEGMENTS : box ? 12 : 2;
}

static void make_shape(const WeftBodyDef* def, Shape* shape) {
    if (is_round(def->kind))
        make_round(def->radius, def->kind == WEFT_BODY_CAPSULE ? def->length / 2 : 0, shape);
    else if (def->kind == WEFT_BODY_BOX)
        make_box(def->size, shape);
    else
        make_plane(shape);
}

// ---------------------------------------------------------------------------------------------
// Life

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
    body->least_size = HUGE_VAL;
    for (int k = 0; k < 3; k++) body->least_size = fmin(body->least_size, (high[k] - low[k]) / 2);
    if (body->kind != WEFT_BODY_PLANE) return;
    body->reach = body->least_size = HUGE_VAL;
}

WeftResult wf_body_create(const WeftAllocator* allocator, const WeftBodyDef* def, WfBody* body) {
    *body = (WfBody){.kind = def->kind,
                     .radius = def->radius,
                     .length = def->kind == WEFT_BODY_CAPSULE ? def->length : 0,
                     .friction = def->friction,
                     .exact = def->kind == WEFT_BODY_PLANE || is_round(def->kind)};
    memcpy(body->size, def->size, sizeof def->size);
    memcpy(body->start.position, def->position, sizeof def->position);
    memcpy(body->start.rotation, def->rotation, sizeof def->rotation);
    body->start = wf_pose_between(&body->start, &body->start, 0);  // of length 1 to the last bit
    bool mesh = def->kind == WEFT_BODY_MESH;
    int vertices = def->vertex_count, triangles = def->triangle_count;
    if (!mesh) count_shape(def, &vertices, &triangles);
    Shape shape = {.positions = wf_alloc(allocator, 3 * (size_t)vertices, sizeof(double)),
                   .triangles = wf_alloc(allocator, 3 * (size_t)triangles, sizeof(int))};
    WeftResult result = shape.positions && shape.triangles ? WEFT_OK : WEFT_ERROR_MEMORY;
    body->positions = shape.positions;
    body->vertex_count = vertices;
    if (!result && mesh) {
        memcpy(shape.positions, def->positions, 3 * (size_t)vertices * sizeof(double));
        memcpy(shape.triangles, def->triangles, 3 * (size_t)triangles * sizeof(int));
    } else if (!result) {
        make_shape(def, &shape);
    }
    if (!result)
        result = wf_surface_create(allocator, vertices, triangles, shape.triangles, 0, NULL,
                                   &body->surface);
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

void wf_body_destroy(const WeftAllocator* allocator, WfBody* body) {
    wf_free(allocator, body->positions);
    wf_free(allocator, body->sharp_edges);
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

double wf_body_local_distance(const WfBody* body, WfVec p, WfVec* normal) {
    if (body->kind == WEFT_BODY_PLANE) {
        *normal = (WfVec){0, 1, 0};
        return p.y;
    }
    double half = body->length / 2;
    p.y -= fmax(-half, fmin(half, p.y));
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

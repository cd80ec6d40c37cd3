// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Small scenes of cloths and bodies for the tests of contact through the public API, and measures
// that share nothing with it: distances by formula, crossings by the checker.

#ifndef WEFT_TEST_TOUCH_H
#define WEFT_TEST_TOUCH_H

#include "base/vec.h"
#include "test.h"
#include "weft/weft.h"
#include "weft/weft_io.h"

#ifdef __GNUC__
#define TOUCH_UNUSED __attribute__((unused))
#else
#define TOUCH_UNUSED
#endif

static const double TOUCH_PI = 3.14159265358979323846;
static const double TOUCH_LEVEL[4] = {0, 0, 0, 1};
enum { TOUCH_CLOTHS = 10, TOUCH_BODIES = 4, TOUCH_PINS = 32 };

typedef struct TouchPose {
    double position[3], rotation[4];
} TouchPose;

typedef struct Touch {
    WeftModelDef def;
    WeftMesh meshes[TOUCH_CLOTHS];
    WeftClothDef cloths[TOUCH_CLOTHS];
    int pins[TOUCH_CLOTHS][TOUCH_PINS];
    WeftBodyDef bodies[TOUCH_BODIES];
    TouchPose poses[TOUCH_BODIES];  // where they are
    WeftStepDef step;
    WeftModel* model;
    WeftState* state;
} Touch;

// ---------------------------------------------------------------------------------------------
// Things

static TOUCH_UNUSED WeftMethod touch_method = WEFT_METHOD_PREFACTORED;

static TOUCH_UNUSED Touch touch_def(WeftContact contact) {
    Touch t = {.def = weft_default_model_def(), .step = weft_default_step_def()};
    t.step.method = touch_method;
    t.def.contact = contact;
    t.def.jobs.thread_count = 1;
    return t;
}

// A square sheet with its middle at (x, y, z), level.
static TOUCH_UNUSED WeftClothDef* touch_sheet(Touch* t, double size, int cells, double x, double y,
                                              double z) {
    WeftGridDef grid = {size, size, cells, cells, WEFT_GRID_ALTERNATING};
    int k = t->def.cloth_count++;
    WeftMesh* mesh = &t->meshes[k];
    CHECK(weft_make_grid(&grid, NULL, mesh, NULL) == WEFT_OK);
    for (int i = 0; i < mesh->vertex_count; i++) {
        double* p = mesh->positions + 3 * i;
        p[0] += x - size / 2;
        p[1] += y;
        p[2] += z + size / 2;
    }
    t->cloths[k] = weft_default_cloth_def();
    weft_use_mesh(&t->cloths[k], mesh);
    return &t->cloths[k];
}

// A rope along x with its middle at (x, y, z).
static TOUCH_UNUSED WeftClothDef* touch_rope(Touch* t, double length, int segments, double x,
                                             double y, double z) {
    WeftRopeDef rope = {length, segments};
    int k = t->def.cloth_count++;
    WeftMesh* mesh = &t->meshes[k];
    CHECK(weft_make_rope(&rope, NULL, mesh, NULL) == WEFT_OK);
    for (int i = 0; i < mesh->vertex_count; i++) {
        mesh->positions[3 * i] += x - length / 2;
        mesh->positions[3 * i + 1] = y;
        mesh->positions[3 * i + 2] = z;
    }
    t->cloths[k] = weft_default_cloth_def();
    weft_use_mesh(&t->cloths[k], mesh);
    return &t->cloths[k];
}

// Stand the last sheet up, about the x axis through its middle.
static TOUCH_UNUSED void touch_upright(Touch* t, double y, double z) {
    const WeftMesh* mesh = &t->meshes[t->def.cloth_count - 1];
    for (int i = 0; i < mesh->vertex_count; i++) {
        double *p = mesh->positions + 3 * i, up = z - p[2];
        p[2] = z + p[1] - y;
        p[1] = y + up;
    }
}

static TOUCH_UNUSED void touch_pin(Touch* t, int cloth, int vertex) {
    t->pins[cloth][t->cloths[cloth].pin_count++] = vertex;
}

static TOUCH_UNUSED WeftBodyDef* touch_body(Touch* t, WeftBodyKind kind, double x, double y,
                                            double z) {
    WeftBodyDef* body = &t->bodies[t->def.body_count++];
    *body = weft_default_body_def();
    body->kind = kind;
    body->position[0] = x;
    body->position[1] = y;
    body->position[2] = z;
    return body;
}

// About the axis 0, 1 or 2.
static TOUCH_UNUSED void touch_turn(double rotation[4], int axis, double angle) {
    memcpy(rotation, TOUCH_LEVEL, sizeof TOUCH_LEVEL);
    rotation[axis] = sin(angle / 2);
    rotation[3] = cos(angle / 2);
}

// Two cones with 12 sides, bottom to bottom: 0.2 m wide, 0.25 m high each.
enum { GEM_SIDES = 12, GEM_VERTICES = GEM_SIDES + 2, GEM_TRIANGLES = 2 * GEM_SIDES };
static double gem_positions[3 * GEM_VERTICES];
static int gem_triangles[3 * GEM_TRIANGLES];

static TOUCH_UNUSED void touch_gem(WeftBodyDef* body) {
    for (int i = 0; i < GEM_SIDES; i++) {
        double angle = 2 * TOUCH_PI * i / GEM_SIDES;
        const double p[3] = {0.2 * cos(angle), 0, 0.2 * sin(angle)};
        memcpy(gem_positions + 3 * i, p, sizeof p);
        int next = (i + 1) % GEM_SIDES;
        const int t[6] = {next, i, GEM_SIDES, i, next, GEM_SIDES + 1};
        memcpy(gem_triangles + 6 * i, t, sizeof t);
    }
    const double tops[6] = {0, 0.25, 0, 0, -0.25, 0};
    memcpy(gem_positions + 3 * GEM_SIDES, tops, sizeof tops);
    body->vertex_count = GEM_VERTICES;
    body->positions = gem_positions;
    body->triangle_count = GEM_TRIANGLES;
    body->triangles = gem_triangles;
}

// ---------------------------------------------------------------------------------------------
// Life

static TOUCH_UNUSED WeftResult touch_create(Touch* t, WeftError* error) {
    for (int k = 0; k < t->def.cloth_count; k++) t->cloths[k].pins = t->pins[k];
    for (int k = 0; k < t->def.body_count; k++) {
        memcpy(t->poses[k].position, t->bodies[k].position, sizeof t->bodies[k].position);
        memcpy(t->poses[k].rotation, t->bodies[k].rotation, sizeof t->bodies[k].rotation);
    }
    t->def.cloths = t->cloths;
    t->def.bodies = t->bodies;
    t->def.step = t->step;
    WeftResult result = weft_create_model(&t->def, &t->model, error);
    return result ? result : weft_create_state(t->model, &t->state, error);
}

static TOUCH_UNUSED void touch_open(Touch* t) {
    WeftError error = {0};
    if (!touch_create(t, &error)) return;
    printf("touch: %s\n", error.message);
    exit(1);
}

// Model and state; the meshes stay, for another.
static TOUCH_UNUSED void touch_shut(Touch* t) {
    weft_destroy_state(t->state);
    weft_destroy_model(t->model);
    t->state = NULL;
    t->model = NULL;
}

static TOUCH_UNUSED void touch_close(Touch* t) {
    touch_shut(t);
    for (int k = 0; k < t->def.cloth_count; k++) weft_destroy_mesh(&t->meshes[k]);
}

static TOUCH_UNUSED bool touch_step(Touch* t) {
    if (!weft_step(t->state, &t->step)) return true;
    printf("touch: %s\n", weft_state_error(t->state)->message);
    test_failures++;
    return false;
}

static TOUCH_UNUSED void touch_move(Touch* t, int body, double x, double y, double z,
                                    const double rotation[4]) {
    const double position[3] = {x, y, z};
    memcpy(t->poses[body].position, position, sizeof position);
    memcpy(t->poses[body].rotation, rotation, sizeof t->poses[body].rotation);
    weft_move_body(t->state, body, position, rotation);
}

// ---------------------------------------------------------------------------------------------
// Measures

static TOUCH_UNUSED WeftMeasure touch_measure(const Touch* t) {
    WeftMeasure measure = {0};
    CHECK(weft_measure(t->state, t->step.gravity, &measure) == WEFT_OK);
    return measure;
}

// Positions and velocities are numbers.
static TOUCH_UNUSED bool touch_is_finite(const Touch* t) {
    bool finite = true;
    for (int i = 0; i < 3 * weft_vertex_count(t->model); i++)
        finite = finite && isfinite(weft_positions(t->state)[i]) &&
                 isfinite(weft_velocities(t->state)[i]);
    return finite;
}

// v turned back by a unit quaternion: v - 2 w (q x v) + 2 q x (q x v)
static TOUCH_UNUSED WfVec touch_unturn(const double q[4], WfVec v) {
    WfVec axis = {q[0], q[1], q[2]}, across = wf_cross(axis, v);
    return wf_madd(wf_madd(v, -2 * q[3], across), 2, wf_cross(axis, across));
}

// Negative inside. Not of meshes: HUGE_VAL.
static TOUCH_UNUSED double touch_distance(const Touch* t, int body, WfVec p) {
    const WeftBodyDef* b = &t->bodies[body];
    const TouchPose* pose = &t->poses[body];
    p = touch_unturn(pose->rotation, wf_sub(p, wf_load(pose->position, 0)));
    if (b->kind == WEFT_BODY_PLANE) return p.y;
    if (b->kind == WEFT_BODY_SPHERE) return wf_length(p) - b->radius;
    if (b->kind == WEFT_BODY_CAPSULE) {
        p.y -= fmin(fmax(p.y, -b->length / 2), b->length / 2);
        return wf_length(p) - b->radius;
    }
    if (b->kind != WEFT_BODY_BOX) return HUGE_VAL;
    WfVec out = {fabs(p.x) - b->size[0] / 2, fabs(p.y) - b->size[1] / 2,
                 fabs(p.z) - b->size[2] / 2};
    double inner = fmax(out.x, fmax(out.y, out.z));
    WfVec clipped = {fmax(out.x, 0), fmax(out.y, 0), fmax(out.z, 0)};
    return inner < 0 ? inner : wf_length(clipped);
}

// The least distance of a vertex from any body; with `between`, of points inside triangles and
// segments too.
static TOUCH_UNUSED double touch_least(const Touch* t, bool between) {
    const double* x = weft_positions(t->state);
    double least = HUGE_VAL;
    for (int b = 0; b < t->def.body_count; b++) {
        for (int i = 0; i < weft_vertex_count(t->model); i++)
            least = fmin(least, touch_distance(t, b, wf_load(x, i)));
        for (int e = 0; e < weft_edge_count(t->model) && between; e++) {
            const int* v = weft_edges(t->model) + 2 * e;
            WfVec from = wf_load(x, v[0]), way = wf_sub(wf_load(x, v[1]), from);
            for (int k = 1; k < 8; k++)
                least = fmin(least, touch_distance(t, b, wf_madd(from, k / 8.0, way)));
        }
        for (int c = 0; c < weft_triangle_count(t->model) && between; c++) {
            const int* v = weft_triangles(t->model) + 3 * c;
            WfVec sum = wf_add(wf_load(x, v[0]), wf_add(wf_load(x, v[1]), wf_load(x, v[2])));
            least = fmin(least, touch_distance(t, b, wf_mul(1.0 / 3, sum)));
        }
    }
    return least;
}

// Of cloth and bodies.
static TOUCH_UNUSED int touch_count_bodies(const WeftSurface* surfaces,
                                           const WeftCrossing* crossings, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += surfaces[crossings[i].surface[0]].body || surfaces[crossings[i].surface[1]].body;
    return sum;
}

// What the checker finds of what the contact of the scene should keep apart.
static TOUCH_UNUSED int touch_crossings(const Touch* t) {
    WeftSurface surfaces[TOUCH_CLOTHS + TOUCH_BODIES];
    double* bodies[TOUCH_BODIES] = {0};
    WeftCrossing crossings[1000];
    int count = 0, found = -1;
    const int* triangles = weft_triangles(t->model);
    for (int k = 0; k < t->def.cloth_count; k++) {
        int own = t->meshes[k].triangle_count;
        if (own > 0)
            surfaces[count++] = (WeftSurface){weft_vertex_count(t->model), weft_positions(t->state),
                                              own, triangles, false};
        triangles += 3 * own;
    }
    for (int k = 0; k < t->def.body_count; k++) {
        int vertices = weft_body_vertex_count(t->model, k);
        bodies[k] = calloc(3 * (size_t)vertices, sizeof(double));
        weft_copy_body(t->state, k, bodies[k]);
        surfaces[count++] =
            (WeftSurface){vertices, bodies[k], weft_body_triangle_count(t->model, k),
                          weft_body_triangles(t->model, k), true};
    }
    CHECK(weft_find_crossings(surfaces, count, NULL, 1000, crossings, &found, NULL) == WEFT_OK);
    for (int k = 0; k < t->def.body_count; k++) free(bodies[k]);
    if (t->def.contact == WEFT_CONTACT_ALL || found > 1000) return found;
    return touch_count_bodies(surfaces, crossings, found);
}

// The mean of a cloth's positions along `direction`.
static TOUCH_UNUSED double touch_mean(const Touch* t, int cloth, WfVec direction) {
    int first = weft_first_vertex(t->model, cloth), end = weft_first_vertex(t->model, cloth + 1);
    double sum = 0;
    for (int i = first; i < end; i++)
        sum += wf_dot(wf_load(weft_positions(t->state), i), direction);
    return sum / (end - first);
}

// ---------------------------------------------------------------------------------------------
// Ways to step

typedef struct TouchWay {
    const char* name;
    WeftMethod method;
    int quality, order;
} TouchWay;

static TOUCH_UNUSED const TouchWay touch_ways[] = {
    {"quality 4", WEFT_METHOD_PREFACTORED, 4, 0},   {"implicit", WEFT_METHOD_IMPLICIT, 4, 0},
    {"symplectic", WEFT_METHOD_SYMPLECTIC, 4, 0},   {"relaxation", WEFT_METHOD_RELAXATION, 4, 0},
    {"matrix-free", WEFT_METHOD_MATRIX_FREE, 4, 0}, {"quality 1", WEFT_METHOD_PREFACTORED, 1, 0},
    {"one solve", WEFT_METHOD_PREFACTORED, 1, 1},   {"quality 6", WEFT_METHOD_PREFACTORED, 6, 0},
};
enum { TOUCH_METHODS = 5, TOUCH_WAYS = 8 };

static TOUCH_UNUSED void touch_use(Touch* t, const TouchWay* way) {
    t->step.method = way->method;
    t->step.quality = way->quality;
    t->step.order = way->order;
}

// Which case of several has failed since `before`.
static TOUCH_UNUSED void touch_say(int before, const char* name, const char* of) {
    if (test_failures > before) printf("  in: %s, %s\n", name, of);
}

#endif

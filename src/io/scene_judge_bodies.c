// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How symmetric the bodies of a scene are. Where they start, surfaces are held against each other,
// for a body from a scanner has no vertex at the image of another: round ones and planes each
// against one, boxes, hulls, fields and meshes all together. From there on it is enough that they
// move symmetrically: what sticks to a body, and to its image, is followed at every moment. So a
// ball that turns where it is is seen as well, which drags cloth along. Bodies that change their
// shape are looked at in all of their keys, vertex by vertex, or if these have no images, as
// surfaces and now and then.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "garment/frame.h"
#include "io/scene_judge.h"

enum { LOOKS = 16 };  // at bodies that deform without images, beside the start

typedef struct Bodies {
    WfSceneJudge* judge;
    int* images;           // per body: which one is its mirror image, or the nearest to it
    struct Around* boxes;  // per body
    WeftMesh surface;      // boxes and meshes, as they are now
    int* vertices;         // images of its vertices
} Bodies;

static const WeftBodyDef* def_of(const Bodies* b, int body) {
    return &b->judge->scene->model.bodies[body];
}

enum { NAME_SIZE = 40 };  // so that a message has room for two

static void name_body(const Bodies* b, int body, char text[NAME_SIZE]) {
    const char* name = b->judge->scene->bodies[body].name;
    if (name)
        snprintf(text, NAME_SIZE, "body \"%.32s\"", name);
    else
        snprintf(text, NAME_SIZE, "body %d", body);
}

static WfFrame frame_at(const Bodies* b, int body, double time) {
    double position[3], rotation[4];
    wf_scene_body_frame(b->judge->scene, body, time, position, rotation);
    return wf_frame_of(position, rotation);
}

// ---------------------------------------------------------------------------------------------
// Each against its image

static bool is_exact(const WeftBodyDef* body) {
    return body->kind == WEFT_BODY_PLANE || body->kind == WEFT_BODY_SPHERE ||
           body->kind == WEFT_BODY_CAPSULE || body->kind == WEFT_BODY_TAPERED;
}

// By how much a round body or a plane is not the mirror image of another.
static double exact_off(const Bodies* bodies, int a, int b) {
    const WfPlane* mirror = &bodies->judge->mirror;
    const WeftBodyDef *one = def_of(bodies, a), *other = def_of(bodies, b);
    if (one->kind != other->kind) return HUGE_VAL;
    WfFrame from = frame_at(bodies, a, bodies->judge->time);
    WfFrame to = frame_at(bodies, b, bodies->judge->time);
    WfVec up = {0, 1, 0};
    WfVec axis = wf_plane_reflect(mirror, wf_frame_turn(from, up));
    WfVec other_axis = wf_frame_turn(to, up), place = wf_plane_image(mirror, from.origin);
    WfVec apart = wf_sub(place, to.origin);
    if (one->kind == WEFT_BODY_PLANE)
        return wf_length(wf_sub(axis, other_axis)) + fabs(wf_dot(apart, other_axis));
    double off = wf_length(apart) + fabs(one->radius - other->radius);
    if (one->kind == WEFT_BODY_SPHERE) return off;
    double turned = wf_length(wf_sub(axis, other_axis));
    if (one->kind == WEFT_BODY_CAPSULE)
        turned = fmin(turned, wf_length(wf_add(axis, other_axis)));
    else
        off += fabs(one->top_radius - other->top_radius);
    return off + fabs(one->length - other->length) / 2 + turned * one->length / 2;
}

// A box in its own frame, around a body where the scene starts.
typedef struct Around {
    WfVec middle;
    double half[3];
} Around;

static Around around_mesh(const WeftMesh* mesh) {
    double low[3], high[3];
    for (int k = 0; k < 3; k++) low[k] = HUGE_VAL, high[k] = -HUGE_VAL;
    for (long i = 0; i < 3L * mesh->vertex_count; i++) {
        low[i % 3] = fmin(low[i % 3], mesh->positions[i]);
        high[i % 3] = fmax(high[i % 3], mesh->positions[i]);
    }
    Around box = {.middle = wf_mul(0.5, wf_add(wf_load(low, 0), wf_load(high, 0)))};
    for (int k = 0; k < 3; k++) box.half[k] = (high[k] - low[k]) / 2;
    return box;
}

// Of a plane, two metres of it.
static Around box_around(const Bodies* b, int body) {
    const WeftBodyDef* def = def_of(b, body);
    double r = def->kind == WEFT_BODY_TAPERED ? fmax(def->radius, def->top_radius) : def->radius;
    switch (def->kind) {
        case WEFT_BODY_HULL:
        case WEFT_BODY_DISTANCE:
        case WEFT_BODY_MESH:
            return around_mesh(&b->judge->scene->bodies[body].mesh);
        case WEFT_BODY_BOX:
            return (Around){.half = {def->size[0] / 2, def->size[1] / 2, def->size[2] / 2}};
        case WEFT_BODY_TAPERED:
        case WEFT_BODY_CAPSULE:
            return (Around){.half = {r, r + def->length / 2, r}};
        case WEFT_BODY_SPHERE:
            return (Around){.half = {r, r, r}};
        default:
            return (Around){.half = {1, 1, 1}};
    }
}

// What tells which body is the image of which, where the scene starts.
static double unlikeness(const Bodies* bodies, int a, int b) {
    const WeftBodyDef *one = def_of(bodies, a), *other = def_of(bodies, b);
    if (one->kind != other->kind) return HUGE_VAL;
    if (is_exact(one)) return exact_off(bodies, a, b);
    Around from = bodies->boxes[a], to = bodies->boxes[b];
    WfVec x = wf_frame_apply(frame_at(bodies, a, 0), from.middle);
    WfVec y = wf_frame_apply(frame_at(bodies, b, 0), to.middle);
    double sizes = wf_length(wf_load(from.half, 0)) - wf_length(wf_load(to.half, 0));
    return wf_length(wf_sub(wf_plane_image(&bodies->judge->mirror, x), y)) + fabs(sizes);
}

// A body is its own image rather than that of another.
static void find_images(Bodies* bodies) {
    int count = bodies->judge->scene->model.body_count;
    for (int a = 0; a < count; a++) {
        double least = unlikeness(bodies, a, a);
        bodies->images[a] = a;
        for (int b = 0; b < count && least > WF_JUDGE_ROUNDING; b++) {
            double off = unlikeness(bodies, a, b);
            if (off >= least) continue;
            least = off;
            bodies->images[a] = b;
        }
    }
}

// Of a cloth and a body, where the scene gives one to the pair; else the mean of both counts: -1.
static double pair_friction(const WeftModelDef* model, int cloth, int body) {
    double friction = -1;
    for (int i = 0; i < model->pair_friction_count; i++) {
        const WeftPairFriction* pair = &model->pair_frictions[i];
        if (pair->cloth == cloth && pair->body == body) friction = pair->friction;
    }
    return friction;
}

// Whether it takes along what touches it.
static bool drags(const Bodies* bodies, int body) {
    const WeftModelDef* model = &bodies->judge->scene->model;
    bool any = model->bodies[body].friction > 0;
    for (int c = 0; c < model->cloth_count; c++) any = any || pair_friction(model, c, body) > 0;
    return any;
}

static double friction_with(const WeftModelDef* model, int cloth, int body) {
    double own = pair_friction(model, cloth, body);
    return own >= 0 ? own
                    : sqrt(model->cloths[cloth].fabric.friction * model->bodies[body].friction);
}

// A cloth is its own image: what it has with a body it has with that of the other side.
static void judge_pair_frictions(Bodies* bodies, int a, int b, const char* name,
                                 const char* image) {
    const WeftModelDef* model = &bodies->judge->scene->model;
    char what[200];
    for (int c = 0; c < model->cloth_count; c++) {
        double one = friction_with(model, c, a), other = friction_with(model, c, b);
        bool given = pair_friction(model, c, a) >= 0 || pair_friction(model, c, b) >= 0;
        if (!given || fabs(one - other) <= 1e-9 * fmax(one, other)) continue;
        snprintf(what, sizeof what,
                 "cloth %d has a friction of %g with %s, and of %g with %s, its mirror image", c,
                 one, name, other, image);
        wf_judge_unlike(bodies->judge, what);
    }
}

static void judge_pair(Bodies* bodies, int a, int b) {
    const WeftBodyDef *one = def_of(bodies, a), *other = def_of(bodies, b);
    char name[NAME_SIZE], image[NAME_SIZE], what[200];
    name_body(bodies, a, name);
    name_body(bodies, b, image);
    if (fabs(one->friction - other->friction) > 1e-9 * fmax(one->friction, other->friction)) {
        snprintf(what, sizeof what, "%s has a friction of %g, and %s, its mirror image, one of %g",
                 name, one->friction, image, other->friction);
        wf_judge_unlike(bodies->judge, what);
    }
    judge_pair_frictions(bodies, a, b, name, image);
    if (one->layer != other->layer || one->mask != other->mask) {
        snprintf(what, sizeof what, "%s has another layer or mask than %s, its mirror image", name,
                 image);
        wf_judge_unlike(bodies->judge, what);
    }
}

static void judge_touch(Bodies* bodies) {
    for (int a = 0; a < bodies->judge->scene->model.body_count; a++)
        if (bodies->images[a] > a) judge_pair(bodies, a, bodies->images[a]);
}

// ---------------------------------------------------------------------------------------------
// Motions

// How far what sticks to a body has come off what sticks to its image: ends of its axes are
// followed from where they start.
static double motion_off(const Bodies* bodies, int a) {
    const WfPlane* mirror = &bodies->judge->mirror;
    int b = bodies->images[a];
    double time = bodies->judge->time, most = 0;
    if (bodies->judge->scene->bodies[a].motion < 0 && bodies->judge->scene->bodies[b].motion < 0)
        return 0;
    Around box = bodies->boxes[a];
    WfFrame start = frame_at(bodies, a, 0), now = frame_at(bodies, a, time);
    WfFrame to_other = wf_frame_invert(frame_at(bodies, b, 0)), other = frame_at(bodies, b, time);
    for (int k = 0; k < 6; k++) {
        double arm[3] = {0, 0, 0};
        arm[k / 2] = k % 2 ? -box.half[k / 2] : box.half[k / 2];
        WfVec x = wf_add(box.middle, wf_load(arm, 0));
        WfVec image = wf_plane_image(mirror, wf_frame_apply(start, x));
        WfVec goal = wf_plane_image(mirror, wf_frame_apply(now, x));
        WfVec gone = wf_frame_apply(other, wf_frame_apply(to_other, image));
        most = fmax(most, wf_length(wf_sub(gone, goal)));
    }
    return most;
}

static void tell_motion(Bodies* bodies, int a, double off) {
    WfSceneJudge* judge = bodies->judge;
    char what[sizeof judge->symmetry->culprit], name[NAME_SIZE], image[NAME_SIZE];
    name_body(bodies, a, name);
    name_body(bodies, bodies->images[a], image);
    if (bodies->images[a] == a)
        snprintf(what, sizeof what,
                 "the surface of %s moves across the mirror, by %.3g mm until %.2f s", name,
                 1e3 * off, judge->time);
    else
        snprintf(what, sizeof what,
                 "the surface of %s moves otherwise than that of %s, its mirror image: by %.3g mm "
                 "until %.2f s",
                 name, image, 1e3 * off, judge->time);
    wf_judge_note(judge, &judge->symmetry->bodies, off, what);
}

static void tell_place(Bodies* bodies, int a, double off) {
    WfSceneJudge* judge = bodies->judge;
    char what[sizeof judge->symmetry->culprit], name[NAME_SIZE];
    name_body(bodies, a, name);
    snprintf(what, sizeof what, "%s is off its mirror image by %.3g mm, at %.2f s", name, 1e3 * off,
             judge->time);
    wf_judge_note(judge, &judge->symmetry->bodies, off, what);
}

// What drags nothing along may turn as it likes, if it is round.
static void judge_moment(Bodies* bodies) {
    for (int a = 0; a < bodies->judge->scene->model.body_count; a++) {
        const WeftBodyDef* def = def_of(bodies, a);
        double place = is_exact(def) ? exact_off(bodies, a, bodies->images[a]) : 0;
        double motion = is_exact(def) && !drags(bodies, a) ? 0 : motion_off(bodies, a);
        double off = fmax(place, motion);
        if (!(off > bodies->judge->symmetry->bodies)) continue;
        if (motion > 1.001 * place)
            tell_motion(bodies, a, off);
        else
            tell_place(bodies, a, off);
    }
}

// ---------------------------------------------------------------------------------------------
// Boxes and meshes together

static void count_surface(const WeftScene* scene, int* vertices, int* triangles) {
    *vertices = *triangles = 0;
    for (int b = 0; b < scene->model.body_count; b++) {
        bool box = scene->model.bodies[b].kind == WEFT_BODY_BOX;
        if (is_exact(&scene->model.bodies[b])) continue;
        *vertices += box ? 8 : scene->bodies[b].mesh.vertex_count;
        *triangles += box ? 12 : scene->bodies[b].mesh.triangle_count;
    }
}

// A box, in its own frame.
static void add_box(const WeftBodyDef* def, double* positions, int* triangles) {
    static const int faces[6][4] = {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1},
                                    {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}};
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            positions[3 * i + k] = (i >> (2 - k) & 1 ? 0.5 : -0.5) * def->size[k];
    for (int f = 0; f < 6; f++) {
        const int t[6] = {faces[f][0], faces[f][1], faces[f][2],
                          faces[f][0], faces[f][2], faces[f][3]};
        memcpy(triangles + 6 * (long)f, t, sizeof t);
    }
}

// All of them where they are now.
static void fill_surface(Bodies* bodies) {
    const WeftScene* scene = bodies->judge->scene;
    int vertices = 0, triangles = 0;
    for (int b = 0; b < scene->model.body_count; b++) {
        const WeftSceneBody* body = &scene->bodies[b];
        const WeftBodyDef* def = def_of(bodies, b);
        if (is_exact(def)) continue;
        bool box = def->kind == WEFT_BODY_BOX;
        int count = box ? 8 : body->mesh.vertex_count, faces = box ? 12 : body->mesh.triangle_count;
        double* x = bodies->surface.positions + 3 * (long)vertices;
        int* t = bodies->surface.triangles + 3 * (long)triangles;
        if (box)
            add_box(def, x, t);
        else
            memcpy(t, body->mesh.triangles, 3 * (size_t)faces * sizeof *t);
        if (!box && body->shape.key_count > 0)
            wf_sample_shape(&body->shape, count, bodies->judge->time, x);
        else if (!box)
            memcpy(x, body->mesh.positions, 3 * (size_t)count * sizeof *x);
        WfFrame frame = frame_at(bodies, b, bodies->judge->time);
        for (int i = 0; i < count; i++) wf_store(x, i, wf_frame_apply(frame, wf_load(x, i)));
        for (long k = 0; k < 3L * faces; k++) t[k] += vertices;
        vertices += count;
        triangles += faces;
    }
}

static void tell_surface(WfSceneJudge* judge, double off) {
    char what[sizeof judge->symmetry->culprit];
    snprintf(what, sizeof what, "bodies are off their mirror image by %.3g mm, at %.2f s",
             1e3 * off, judge->time);
    wf_judge_note(judge, &judge->symmetry->bodies, off, what);
}

static WeftResult judge_surface(Bodies* bodies, double time) {
    WfSceneJudge* judge = bodies->judge;
    double off = 0;
    judge->time = time;
    fill_surface(bodies);
    WeftResult result = (time > 0 ? wf_surface_asymmetry : wf_mesh_asymmetry)(
        judge->allocator, &bodies->surface, judge->plane, &off, judge->error);
    if (!result) tell_surface(judge, off);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Shapes that change

// The vertices of the surface each against its image, at the present time.
static void judge_vertices(Bodies* bodies, double time) {
    const double* x = bodies->surface.positions;
    double most = 0;
    bodies->judge->time = time;
    fill_surface(bodies);
    for (int v = 0; v < bodies->surface.vertex_count; v++) {
        WfVec image = wf_plane_image(&bodies->judge->mirror, wf_load(x, v));
        WfVec apart = wf_sub(image, wf_load(x, bodies->vertices[v]));
        double square = wf_dot(apart, apart);
        if (square > most) most = square;
    }
    tell_surface(bodies->judge, sqrt(most));
}

// Whether all vertices of the surface, as it is now, have images. What no cloth could be has none.
static bool pair_vertices(Bodies* bodies) {
    WeftSymmetry symmetry;
    WeftClothDef cloth = weft_default_cloth_def();
    cloth.vertex_count = bodies->surface.vertex_count;
    cloth.positions = bodies->surface.positions;
    cloth.triangle_count = bodies->surface.triangle_count;
    cloth.triangles = bodies->surface.triangles;
    return !weft_find_images(&cloth, bodies->judge->plane, 0, bodies->vertices, &symmetry, NULL) &&
           symmetry.unpaired == 0;
}

// When a shape is as at its last key, or begins again.
static double end_of(const WeftShapeTrack* shape) {
    if (shape->key_count == 0) return 0;
    return shape->period > 0 ? shape->times[0] + shape->period : shape->times[shape->key_count - 1];
}

static void judge_keys(Bodies* bodies, const WeftShapeTrack* shape) {
    for (int k = 0; k < shape->key_count; k++)
        if (shape->times[k] > 0) judge_vertices(bodies, shape->times[k]);
    if (shape->period > 0) judge_vertices(bodies, end_of(shape));
}

static WeftResult judge_looks(Bodies* bodies, double seconds) {
    WeftResult result = WEFT_OK;
    for (int k = 1; k <= LOOKS && !result; k++) result = judge_surface(bodies, seconds * k / LOOKS);
    return result;
}

// After the surface was judged as it is at the start.
static WeftResult judge_shapes(Bodies* bodies) {
    const WeftScene* scene = bodies->judge->scene;
    double end = 0;
    for (int b = 0; b < scene->model.body_count; b++)
        end = fmax(end, end_of(&scene->bodies[b].shape));
    if (!(end > 0)) return WEFT_OK;
    if (pair_vertices(bodies)) {
        for (int b = 0; b < scene->model.body_count; b++)
            judge_keys(bodies, &scene->bodies[b].shape);
        return WEFT_OK;
    }
    WeftResult result = judge_looks(bodies, fmin(end, scene->duration));
    if (!result && end > scene->duration) result = judge_looks(bodies, end);
    return result;
}

// ---------------------------------------------------------------------------------------------

static WeftResult judge_all(Bodies* bodies) {
    WeftResult result = WEFT_OK;
    bodies->judge->time = 0;
    for (int i = 0; i < bodies->judge->scene->model.body_count; i++)
        bodies->boxes[i] = box_around(bodies, i);
    find_images(bodies);
    judge_touch(bodies);
    if (bodies->surface.triangle_count > 0) result = judge_surface(bodies, 0);
    if (!result && bodies->surface.triangle_count > 0) result = judge_shapes(bodies);
    for (int k = 0; k < bodies->judge->moment_count && !result; k++) {
        bodies->judge->time = bodies->judge->moments[k];
        judge_moment(bodies);
    }
    return result;
}

WeftResult wf_judge_bodies(WfSceneJudge* judge) {
    const WeftAllocator* allocator = judge->allocator;
    Bodies bodies = {.judge = judge};
    size_t count = (size_t)judge->scene->model.body_count;
    WeftMesh* surface = &bodies.surface;
    count_surface(judge->scene, &surface->vertex_count, &surface->triangle_count);
    size_t vertices = (size_t)surface->vertex_count, triangles = (size_t)surface->triangle_count;
    surface->positions = wf_alloc(allocator, 3 * vertices, sizeof(double));
    surface->triangles = wf_alloc(allocator, 3 * triangles, sizeof(int));
    bodies.vertices = wf_alloc(allocator, vertices, sizeof(int));
    bodies.images = wf_alloc(allocator, count, sizeof(int));
    bodies.boxes = wf_alloc(allocator, count, sizeof(Around));
    WeftResult result =
        surface->positions && surface->triangles && bodies.vertices && bodies.images && bodies.boxes
            ? judge_all(&bodies)
            : wf_fail_memory(judge->error);
    wf_free(allocator, surface->positions);
    wf_free(allocator, surface->triangles);
    wf_free(allocator, bodies.vertices);
    wf_free(allocator, bodies.images);
    wf_free(allocator, bodies.boxes);
    return result;
}

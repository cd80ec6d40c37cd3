// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The bodies of a stress scene: kinds, places, motions.

#include <string.h>

#include "scene.h"
#include "shape.h"
#include "turn.h"

static const char* const kind_names[] = {"plane", "sphere",  "capsule", "box",
                                         "mesh",  "tapered", "hull",    "distance"};
static const char* const motion_names[BODY_MOTION_COUNT] = {"still", "moves", "spins", "jumps",
                                                            "is placed"};

static WeftResult choose_mesh(StressScene* scene, double size, WeftBodyDef* def, StressBody* body,
                              WeftError* error) {
    static const ShapeKind kinds[] = {SHAPE_BALL, SHAPE_BALL, SHAPE_TUBE, SHAPE_REGULAR};
    WeftGridKind grid_kind;
    ShapeKind kind = kinds[pick(&scene->chance, 4)];
    WeftResult result = make_stress_shape(kind, size, 10 + pick(&scene->chance, 60), &scene->chance,
                                          &body->mesh, &grid_kind, error);
    body->closed = kind == SHAPE_BALL;
    def->vertex_count = body->mesh.vertex_count;
    def->positions = body->mesh.positions;
    def->triangle_count = body->mesh.triangle_count;
    def->triangles = body->mesh.triangles;
    describe(scene, "%s ", shape_names[kind]);
    return result;
}

static void choose_size(StressScene* scene, WeftBodyDef* def, double size) {
    Chance* chance = &scene->chance;
    def->radius = 0.5 * size;
    def->length = size * between(chance, 0, 2);
    for (int k = 0; k < 3; k++) def->size[k] = size * between(chance, 0.2, 1);
    if (happens(chance, 0.2)) {  // a needle, or a thin plate
        def->radius = 0.003;
        def->length = 2 * scene->size;
        def->size[1] = 0.003;
    }
}

// Below the cloth, anywhere, inside of it, or with a face in its plane.
static void choose_place(StressScene* scene, const StressBody* body, WeftBodyDef* def) {
    Chance* chance = &scene->chance;
    bool plane = def->kind == WEFT_BODY_PLANE;
    double half = plane                             ? 0
                  : def->kind == WEFT_BODY_BOX      ? 0.5 * def->size[1]
                  : def->kind == WEFT_BODY_SPHERE   ? def->radius
                  : def->kind == WEFT_BODY_DISTANCE ? body->half
                                                    : 0.5 * scene->size;
    switch (pick(chance, 5)) {
        case 0:  // by chance
            in_ball(chance, 3, def->position);
            for (int k = 0; k < 3; k++) def->position[k] *= 1.5 * scene->size;
            any_rotation(chance, def->rotation);
            describe(scene, "somewhere ");
            break;
        case 1:  // at the middle of the cloth
            if (happens(chance, 0.5)) any_rotation(chance, def->rotation);
            describe(scene, "at the middle ");
            break;
        case 2:  // its upper face in the plane of the cloth
            def->position[1] = -half;
            describe(scene, "in plane ");
            break;
        default:
            def->position[1] = -half - scene->size * between(chance, 0.05, 1.5);
            def->position[0] = scene->size * between(chance, -0.3, 0.3);
            if (def->kind == WEFT_BODY_CAPSULE || def->kind == WEFT_BODY_MESH ||
                def->kind == WEFT_BODY_TAPERED || def->kind == WEFT_BODY_HULL)
                def->position[1] -= scene->size;
            describe(scene, "below ");
    }
}

static void choose_motion(StressScene* scene, StressBody* body) {
    Chance* chance = &scene->chance;
    double speed = octaves(chance, 0.05, 20);
    body->motion = (BodyMotion)(happens(chance, 0.4) ? 0 : pick(chance, BODY_MOTION_COUNT));
    any_direction(chance, body->velocity);
    any_direction(chance, body->axis);
    for (int k = 0; k < 3; k++) body->velocity[k] *= speed;
    body->half_turn = octaves(chance, 0.002, 2);
    describe(scene, "%s", motion_names[body->motion]);
    if (body->motion == BODY_MOVES) describe(scene, " at %.2g m/s", speed);
    if (body->motion == BODY_SPINS) describe(scene, " tan(angle/2) %.2g a step", body->half_turn);
}

static WeftResult add_body(StressScene* scene, int index, WeftError* error) {
    Chance* chance = &scene->chance;
    WeftBodyDef* def = &scene->body_defs[index];
    StressBody* body = &scene->bodies[index];
    double size = scene->size * octaves(chance, 0.1, 2);
    WeftResult result = WEFT_OK;
    *def = weft_default_body_def();
    def->kind = (WeftBodyKind)pick(chance, 5);
    def->friction = happens(chance, 0.2) ? 0 : between(chance, 0, 2);
    body->closed = true;
    choose_size(scene, def, size);
    describe(scene, "%s ", kind_names[def->kind]);
    if (def->kind == WEFT_BODY_MESH) result = choose_mesh(scene, size, def, body, error);
    describe(scene, "%.2g m ", def->kind == WEFT_BODY_CAPSULE ? 2 * def->radius : size);
    choose_later_kind(scene, def, body);
    if (def->kind > WEFT_BODY_MESH) describe(scene, "as %s ", kind_names[def->kind]);
    choose_place(scene, body, def);
    choose_motion(scene, body);
    describe(scene, "; ");
    memcpy(body->position, def->position, sizeof body->position);
    memcpy(body->rotation, def->rotation, sizeof body->rotation);
    return result;
}

WeftResult add_bodies(StressScene* scene, WeftError* error) {
    int count = happens(&scene->chance, 0.3) ? 0 : 1 + pick(&scene->chance, MOST_BODIES);
    WeftResult result = WEFT_OK;
    describe(scene, "\nbodies: ");
    for (int i = 0; i < count && !result; i++) result = add_body(scene, i, error);
    scene->def.bodies = scene->body_defs;
    scene->def.body_count = count;
    return result;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "character.h"

static const double PI = 3.14159265358979323846;
enum { COLUMNS = 24, ROWS = 36, FRAMES = 300 };
static const double WIDTH = 0.8, HEIGHT = 1.1, HEM = 0.35, BACK = -0.16;  // m
static const double SPEED = 1.6;                                          // m/s
static const double WALKS = 1.5, TURNS = 0.3, WAITS = 0.5;                // s
static const double STRIDE = 0.12;                                        // m, of arms and legs

// What it is made of, seen from the character: where, along which axis, and how it swings.
static const struct {
    double radius, length, at[3];
    bool across;   // along x, else upright
    double swing;  // with the left leg, against it, or not at all
} limbs[MOST_BODIES] = {
    {0.12, 0.35, {0, 1.15, 0}, false, 0},     {0.07, 0.34, {0, 1.4, 0}, true, 0},
    {0.1, 0.06, {0, 1.68, 0}, false, 0},      {0.045, 0.5, {-0.27, 1.08, 0}, false, -1},
    {0.045, 0.5, {0.27, 1.08, 0}, false, 1},  {0.075, 0.3, {-0.1, 0.72, 0}, false, 1},
    {0.075, 0.3, {0.1, 0.72, 0}, false, -1},  {0.055, 0.35, {-0.1, 0.27, 0}, false, 1},
    {0.055, 0.35, {0.1, 0.27, 0}, false, -1},
};

// Where the character is: how far along z, turned by how much about y, and how far its limbs are.
typedef struct Stance {
    double z, angle, swing;
} Stance;

static Stance stance_at(double time) {
    double t = time - WAITS, round = WALKS + TURNS;
    double there = fmin(fmax(t, 0), WALKS), back = fmin(fmax(t - round, 0), WALKS);
    double turned = fmin(fmax(t - WALKS, 0), TURNS) + fmin(fmax(t - round - WALKS, 0), TURNS);
    bool walks = (there > 0 && there < WALKS) || (back > 0 && back < WALKS);
    return (Stance){SPEED * (there - back), PI * turned / TURNS,
                    walks ? STRIDE * sin(2 * PI * (there + back) / 0.5) : 0};
}

static void place(const Stance* s, const double* at, double* x) {
    double c = cos(s->angle), sine = sin(s->angle);
    x[0] = c * at[0] + sine * at[2];
    x[1] = at[1];
    x[2] = c * at[2] - sine * at[0] + s->z;
}

// About y by half the angle, behind the quarter turn about z that lays a limb across.
static void turn(const Stance* s, bool across, double q[4]) {
    double c = cos(s->angle / 2), sine = sin(s->angle / 2), half = sqrt(0.5);
    const double upright[4] = {0, sine, 0, c};
    const double lying[4] = {half * sine, half * sine, half * c, half * c};
    memcpy(q, across ? lying : upright, 4 * sizeof *q);
}

static void pose_limb(const Stance* s, int limb, double x[3], double q[4]) {
    const double* at = limbs[limb].at;
    const double moved[3] = {at[0], at[1], at[2] + limbs[limb].swing * s->swing};
    place(s, moved, x);
    turn(s, limbs[limb].across, q);
}

typedef struct Cape {
    WeftMesh mesh;
    bool leashed;
    int pin_count, pins[COLUMNS + 1];
    double distance[(COLUMNS + 1) * (ROWS + 1)], radius[(COLUMNS + 1) * (ROWS + 1)],
        behind[(COLUMNS + 1) * (ROWS + 1)];
} Cape;

static WeftResult move_cape(Character* c, WeftError* error) {
    const Cape* cape = c->scene;
    Stance stance = stance_at(c->frame * c->step.dt);
    double x[3], q[4];
    (void)error;
    for (int b = 0; b < MOST_BODIES; b++) {
        pose_limb(&stance, b, x, q);
        weft_move_body(c->state, b, x, q);
    }
    for (int i = 0; i < cape->mesh.vertex_count && cape->leashed; i++)
        place(&stance, cape->mesh.positions + 3 * (size_t)i, c->skin + 3 * (size_t)i);
    if (cape->leashed) weft_move_skin(c->state, 0, c->skin, NULL);
    return WEFT_OK;
}

static void close_cape(Character* c) {
    Cape* cape = c->scene;
    weft_destroy_mesh(&cape->mesh);
    free(cape);
}

// Upright behind the back, seen from there; held at the shoulders; from nothing there to 0.9 m at
// the hem it may leave its skin, and towards the back by 3 cm.
static void shape_cape(Cape* cape) {
    for (int i = 0; i < cape->mesh.vertex_count; i++) {
        double *x = cape->mesh.positions + 3 * (size_t)i, across = x[0], up = -x[2];
        x[0] = WIDTH / 2 - across, x[1] = HEM + up, x[2] = BACK;
        bool top = up > HEIGHT - 1e-9, shoulder = fabs(x[0]) > 0.11 && fabs(x[0]) < 0.22;
        cape->distance[i] = top && shoulder ? 0 : 0.02 + 0.8 * (HEIGHT - up);
        cape->radius[i] = 1, cape->behind[i] = 0.03;
        if (top && shoulder) cape->pins[cape->pin_count++] = i;
    }
}

int open_cape(const CharacterDef* def, Character* c) {
    WeftError error;
    WeftGridDef grid = weft_default_grid_def();
    Cape* cape = need(1, sizeof *cape);
    *c = (Character){.frame_count = FRAMES, .move = move_cape, .close = close_cape, .scene = cape};
    grid.width = WIDTH, grid.height = HEIGHT, grid.columns = COLUMNS, grid.rows = ROWS;
    if (weft_make_grid(&grid, NULL, &cape->mesh, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    shape_cape(cape);
    cape->leashed = def->leashed;
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &cape->mesh);
    cloth.fabric.bend = 3e-5;
    cloth.fabric.stretch_damping = 0.001, cloth.fabric.bend_damping = 0.01;
    cloth.pins = cape->pins, cloth.pin_count = def->leashed ? 0 : cape->pin_count;
    if (def->leashed) {
        cloth.max_distance = cape->distance;
        cloth.backstop_radius = cape->radius, cloth.backstop_distance = cape->behind;
    }
    WeftBodyDef bodies[MOST_BODIES];
    Stance start = stance_at(0);
    for (int b = 0; b < MOST_BODIES; b++) {
        bodies[b] = weft_default_body_def();
        bodies[b].kind = WEFT_BODY_CAPSULE;
        bodies[b].radius = limbs[b].radius, bodies[b].length = limbs[b].length;
        pose_limb(&start, b, bodies[b].position, bodies[b].rotation);
    }
    WeftModelDef model = weft_default_model_def();
    model.cloths = &cloth, model.cloth_count = 1;
    model.bodies = bodies, model.body_count = MOST_BODIES;
    int code = ready_character(def, &model, c);
    for (int i = 0; i < cape->pin_count && !code && !def->leashed; i++)
        weft_attach_pin(c->state, cape->pins[i], 0);
    return code;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "carry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const Placing HERE = {{0, 0, 0}, {0, 0, 0, 1}};

// ---------------------------------------------------------------------------------------------
// Rigid maps

// v + 2 w (q x v) + 2 q x (q x v)
static void turn_vector(const double q[4], const double v[3], double turned[3]) {
    double t[3] = {2 * (q[1] * v[2] - q[2] * v[1]), 2 * (q[2] * v[0] - q[0] * v[2]),
                   2 * (q[0] * v[1] - q[1] * v[0])};
    double u[3] = {q[1] * t[2] - q[2] * t[1], q[2] * t[0] - q[0] * t[2], q[0] * t[1] - q[1] * t[0]};
    for (int k = 0; k < 3; k++) turned[k] = v[k] + q[3] * t[k] + u[k];
}

static void join_turns(const double a[4], const double b[4], double joined[4]) {
    double q[4] = {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                   a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                   a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                   a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
    memcpy(joined, q, sizeof q);
}

static bool normalise(double q[4]) {
    double square = 0;
    for (int k = 0; k < 4; k++) square += q[k] * q[k];
    if (!(square > 1e-12) || !isfinite(square)) return false;
    for (int k = 0; k < 4; k++) q[k] /= sqrt(square);
    return true;
}

static void apply(const Placing* placing, const double x[3], double to[3]) {
    turn_vector(placing->turn, x, to);
    for (int k = 0; k < 3; k++) to[k] += placing->move[k];
}

static void apply_back(const Placing* placing, const double x[3], double to[3]) {
    const double* q = placing->turn;
    double back[4] = {-q[0], -q[1], -q[2], q[3]}, d[3];
    for (int k = 0; k < 3; k++) d[k] = x[k] - placing->move[k];
    turn_vector(back, d, to);
}

// The shift with which a turn takes `from` to `to`.
static void aim(Placing* placing, const double from[3], const double to[3]) {
    double turned[3];
    turn_vector(placing->turn, from, turned);
    for (int k = 0; k < 3; k++) placing->move[k] = to[k] - turned[k];
}

// ---------------------------------------------------------------------------------------------

bool make_carry(int body_count, Carry* carry) {
    carry->count = body_count;
    carry->bodies = calloc((size_t)body_count + 1, sizeof *carry->bodies);
    for (int i = 0; i < body_count && carry->bodies; i++)
        carry->bodies[i] = (CarriedBody){.now = HERE, .goal = HERE};
    return carry->bodies != NULL;
}

void free_carry(Carry* carry) { free(carry->bodies); }

static CarriedBody* find(Carry* carry, int body) {
    if (body < 0 || body >= carry->count) return NULL;
    carry->bodies[body].by_hand = true;
    return &carry->bodies[body];
}

void shift_body(Carry* carry, int body, const double by[3]) {
    CarriedBody* b = find(carry, body);
    for (int k = 0; k < 3 && b; k++) b->goal.move[k] += by[k];
}

void turn_body(Carry* carry, int body, const double turn[4], const double centre[3]) {
    CarriedBody* b = find(carry, body);
    double q[4], start[3], middle[3];
    memcpy(q, turn, sizeof q);
    if (!b || !normalise(q)) return;
    apply_back(&b->now, centre, start);
    apply(&b->goal, start, middle);
    join_turns(q, b->goal.turn, b->goal.turn);
    normalise(b->goal.turn);
    aim(&b->goal, start, middle);
}

void place_body(Carry* carry, int body, const Placing* goal) {
    CarriedBody* b = find(carry, body);
    Placing to = *goal;
    if (b && normalise(to.turn)) b->goal = to;
}

bool is_on_its_way(const Carry* carry, int body) {
    const CarriedBody* b = &carry->bodies[body];
    return b->by_hand && memcmp(&b->now, &b->goal, sizeof b->now) != 0;
}

// The angle between two turns.
static double angle_between(const double a[4], const double b[4]) {
    double dot = 0;
    for (int k = 0; k < 4; k++) dot += a[k] * b[k];
    return 2 * acos(fmin(1, fabs(dot)));
}

static void blend_turns(const double a[4], const double b[4], double part, double mixed[4]) {
    double dot = 0, q[4];
    for (int k = 0; k < 4; k++) dot += a[k] * b[k];
    double side = dot < 0 ? -1 : 1;
    for (int k = 0; k < 4; k++) q[k] = (1 - part) * a[k] + side * part * b[k];
    memcpy(mixed, normalise(q) ? q : a, sizeof q);
}

// Its middle goes straight, and it turns about that.
static void approach_goal(CarriedBody* b, const double centre[3], double reach, double angle) {
    double start[3], end[3], to[3], square = 0;
    apply_back(&b->now, centre, start);
    apply(&b->goal, start, end);
    for (int k = 0; k < 3; k++) square += (end[k] - centre[k]) * (end[k] - centre[k]);
    double part = square > reach * reach ? reach / sqrt(square) : 1;
    double turn = angle_between(b->now.turn, b->goal.turn);
    if (turn > angle) part = fmin(part, angle / turn);
    if (part == 1) {
        b->now = b->goal;
        return;
    }
    for (int k = 0; k < 3; k++) to[k] = centre[k] + part * (end[k] - centre[k]);
    blend_turns(b->now.turn, b->goal.turn, part, b->now.turn);
    aim(&b->now, start, to);
}

static void tell(const CarriedBody* b, WeftSceneBody* body) {
    body->by_hand = b->by_hand;
    memcpy(body->hand_move, b->now.move, sizeof body->hand_move);
    memcpy(body->hand_turn, b->now.turn, sizeof body->hand_turn);
}

void carry_bodies(Carry* carry, const double* centres, double reach, double angle,
                  WeftScene* scene) {
    for (int i = 0; i < carry->count; i++) {
        CarriedBody* b = &carry->bodies[i];
        if (is_on_its_way(carry, i)) approach_goal(b, centres + 3 * (size_t)i, reach, angle);
        tell(b, &scene->bodies[i]);
    }
}

void keep_carry(Carry* to, const Carry* from, WeftScene* scene) {
    if (to->count != from->count) return;
    memcpy(to->bodies, from->bodies, (size_t)to->count * sizeof *to->bodies);
    for (int i = 0; i < to->count; i++) tell(&to->bodies[i], &scene->bodies[i]);
}

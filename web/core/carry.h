// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Bodies that are moved and turned by hand, each by itself, at the speed of a hand.

#ifndef WEFT_WEB_CARRY_H
#define WEFT_WEB_CARRY_H

#include "weft/weft_io.h"

// A rigid map: x goes to turn x + move.
typedef struct Placing {
    double move[3], turn[4];
} Placing;

typedef struct CarriedBody {
    bool by_hand;
    Placing now, goal;
} CarriedBody;

typedef struct Carry {
    int count;
    CarriedBody* bodies;
} Carry;

// False: memory is short.
bool make_carry(int body_count, Carry* carry);
void free_carry(Carry* carry);
// Further than it is going already, by a shift, and by a turn (a unit quaternion) about `centre`,
// where the middle of the body is now.
void shift_body(Carry* carry, int body, const double by[3]);
void turn_body(Carry* carry, int body, const double turn[4], const double centre[3]);
void place_body(Carry* carry, int body, const Placing* goal);
// Before a step, and before the scene directs it: bodies go on by `reach` metres and `angle`
// radians at most. `centres`: the middle of a body now, 3 each; read of those that are on their
// way.
bool is_on_its_way(const Carry* carry, int body);
void carry_bodies(Carry* carry, const double* centres, double reach, double angle,
                  WeftScene* scene);
// Of a scene with as many bodies, and of no other.
void keep_carry(Carry* to, const Carry* from, WeftScene* scene);

#endif

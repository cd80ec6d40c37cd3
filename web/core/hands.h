// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What hands do to a scene that is played.

#ifndef WEFT_WEB_HANDS_H
#define WEFT_WEB_HANDS_H

#include "blow.h"
#include "carry.h"
#include "hold.h"
#include "knife.h"
#include "weft/weft_io.h"

typedef struct Hands {
    int vertex_count;        // of the model that was made
    unsigned char* by_hand;  // of its vertices: 1 where the scene no longer decides about the pin,
                             // 2 where it is also on its way to a place
    double* pin_goals;       // these places, 3 per vertex
    Hold hold;
    double carried[3], carry_goal[3];  // of what holds the cloth, and all bodies
    Carry carry;
    double* centres;  // of bodies, 3 each
    Knife knife;
    Blow blow;
    double* numbers;  // for play_hands
} Hands;

struct Play;

// False: memory is short; free them in any case.
bool make_hands(int vertex_count, int body_count, Hands* hands);
void free_hands(Hands* hands);
// Of a play with the same vertices.
void keep_hands(struct Play* to, const struct Play* from);
// Before the scene directs a step, and behind it.
void carry_on(struct Play* play, double dt);
void move_hands(struct Play* play, double dt);
bool can_be_cut(const struct Play* play);

#endif

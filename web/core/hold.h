// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A hand that holds the cloth: softly, over as much of it as a finger is wide, whatever the mesh,
// by springs that pull no harder than the fabric bears. Or a pin, which goes where the hand goes.

#ifndef WEFT_WEB_HOLD_H
#define WEFT_WEB_HOLD_H

#include "rival.h"
#include "weft/weft_io.h"

enum { HOLD_MOST = 48 };

typedef struct Hold {
    int pin;    // the vertex that is moved, of the model that the state was created with; -1: none
    int count;  // of springs
    int springs[HOLD_MOST];  // attachments of the state
    WeftAttachmentDef defs[HOLD_MOST];
    double offsets[HOLD_MOST][3];  // of their ends from the middle of the hand
    double place[3], goal[3];      // where the hand is, and where it is to go, in the space
    double start[3];               // where it took hold
} Hold;

void begin_hold(Hold* hold);
// `vertex`: of the state's model, nearest to `place`, where the hand is, in the space. size: of the
// scene, m.
void hold_cloth(const WeftScene* scene, WeftState* state, int vertex, const double place[3],
                double size, Hold* hold);
bool is_holding(const Hold* hold);
// Let go. A pin stays where it is.
void let_go(WeftState* state, Hold* hold);

// The rival is told what is held, and where to.
void hold_for_rival(const Hold* hold, const WeftState* state, Rival* rival);

// Where a point on the cloth is: the triangle at `vertex`, or beside it, that is nearest to a
// place, and how much the point nearest to it has of each corner. False: there is none.
bool find_corners(const WeftModel* model, const double* x, int vertex, const double place[3],
                  int corners[3], double weights[3]);

#endif

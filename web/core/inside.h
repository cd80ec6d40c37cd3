// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What a scene that is played is made of (play.h), for the files of this folder.

#ifndef WEFT_WEB_INSIDE_H
#define WEFT_WEB_INSIDE_H

#include "bodies.h"
#include "describe.h"
#include "hands.h"
#include "play.h"
#include "rival.h"
#include "shown.h"
#include "weft/weft_io.h"

struct Play {
    char *text, *name;  // as opened or changed last
    int length;
    WeftScene* scene;
    WeftModel* model;
    WeftState* state;
    bool by_rival;  // then that steps the state
    Rival* rival;
    int vertex_count;  // of the model; the state may have more, where cloth is torn
    int shape;         // how often what is shown has become another
    double size;       // of the scene, metres
    Hands hands;
    Shown shown;
    WeftScene* shown_scene;  // that it was made for; NULL: the scene
    Bodies bodies;
    Text description;
    double numbers[PLAY_NUMBER_COUNT];
};

// What play_error tells.
WeftError* play_failure(void);
// Whether one half is simulated.
bool is_mirrored(const Play* play);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What is wrong with the start of a scene: cloth that touches or crosses cloth or bodies, or is
// inside of bodies. By the independent checker.

#ifndef WEFT_CLI_START_H
#define WEFT_CLI_START_H

#include <jansson.h>

#include "session.h"

typedef enum TroubleKind {
    CLOTH_TOUCHES_CLOTH,
    CLOTH_TOUCHES_BODY,
    CLOTH_CROSSES_CLOTH,
    CLOTH_CROSSES_BODY,
    CLOTH_IS_INSIDE,
    TROUBLE_KINDS
} TroubleKind;

// Pairs of triangles; of cloth inside of bodies, vertices.
typedef struct Trouble {
    int count;
    int pinned;       // of them: nothing can move them
    char first[200];  // "cloth 0 triangle 3 and body ball triangle 12"
} Trouble;

typedef struct Start {
    Trouble troubles[TROUBLE_KINDS];
} Start;

// Look at a state that has taken no step. Returns GO_ON, or an exit code after telling what is
// wrong.
int look_at_start(const Session* session, Start* start);
// A line for each kind of trouble there is: how much, what is first, and whether steps will mend
// it. Comes after the first step, whose report tells of what the checker does not see.
void print_start(const Session* session, const Start* start, const char* indent);
// The same as a list of data.
json_t* start_json(const Session* session, const Start* start);

#endif

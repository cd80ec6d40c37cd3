// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A character in clothes that keep to its animation, frame by frame.

#ifndef WEFT_BENCH_CHARACTER_H
#define WEFT_BENCH_CHARACTER_H

#include "bench.h"
#include "weft/weft_io.h"

enum { MOST_BODIES = 9 };

typedef struct Character Character;
struct Character {
    WeftModel* model;
    WeftState* state;
    WeftStepDef step;
    int frame_count, frame;  // all of them, and those that were taken
    // Bodies, pins and skin of frame `frame`, from 1 on, into the state.
    WeftResult (*move)(Character* character, WeftError* error);
    void (*close)(Character* character);  // what `scene` holds
    void* scene;
    double* skin;  // scratch: 3 per vertex
    int body_count;
    double* shapes[MOST_BODIES];
    WeftSurface surfaces[1 + MOST_BODIES];
};

// How it is dressed.
typedef struct CharacterDef {
    bool leashed;   // max distances and backstops; else pins alone
    int quality;    // of steps; 0: the default
    double budget;  // ms, 0: none
    WeftContact contact;
} CharacterDef;

// A cape of 925 vertices on nine capsules: they walk at 1.6 m/s, turn by 180 degrees in 0.3 s, and
// walk back. These return an exit code after telling what is wrong; close it in any case.
int open_cape(const CharacterDef* def, Character* character);
// A garment that comes with weft, about so large, put on a mannequin, which takes a while. NULL
// after telling what is wrong.
typedef struct Worn Worn;
Worn* put_on_garment(const char* name, int vertices, const BenchOptions* options);
void take_off_garment(Worn* worn);  // NULL is fine
// The mannequin walks in it. `worn` lives longer.
int open_garment(const CharacterDef* def, Worn* worn, Character* character);
void close_character(Character* character);

// Model, state and surfaces of a def without clock, threads and settings.
int ready_character(const CharacterDef* def, WeftModelDef* model, Character* character);

// What has passed through what: pairs of triangles; -1 after telling what is wrong.
int judge_character(Character* character);

#endif

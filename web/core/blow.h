// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A breath that is blown at the cloth: a jet of air, as a part of the wind.

#ifndef WEFT_WEB_BLOW_H
#define WEFT_WEB_BLOW_H

#include "weft/weft_io.h"

typedef struct Blow {
    bool on;
    double at[3], direction[3];  // through this place, that way, of length 1; in the world
    double speed, radius;        // m/s on its axis, and the metres in which it falls off
    WeftWind* winds;             // those of the scene, and the breath
    int capacity;
} Blow;

void free_blow(Blow* blow);
// strength: 1 is a breath. It is made for the fabric at hand, whose density counts, kg/m^2: light
// cloth flies and heavy cloth stirs, but neither is torn away. size: of the scene, m.
void begin_blow(Blow* blow, const double at[3], const double direction[3], double strength,
                double density, double size);
void end_blow(Blow* blow);
// `step` with the breath in it, while there is one. False: memory is short.
bool add_blow(Blow* blow, WeftStepDef* step);

#endif

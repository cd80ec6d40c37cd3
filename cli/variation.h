// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A scene that goes in many ways: faster or slower, carried to and fro, in gusts where there is
// wind. Details are learned from several, so that they hold for motions that nobody has simulated.

#ifndef WEFT_CLI_VARIATION_H
#define WEFT_CLI_VARIATION_H

#include "weft/weft_io.h"

typedef struct Variation {
    double pace;
    double reach;      // of the paths of pins, where there are no bodies: a factor
    double sway[3];    // m: all pins and bodies are carried so far, to both sides
    double sway_rate;  // 1/s
    double gust[3];    // m/s
    double gust_rate;  // 1/s
} Variation;

// What a scene was before it was varied.
typedef struct Unvaried {
    double wind[3];
    double** offsets;  // per motion: values of its path
} Unvaried;

bool keep_unvaried(const WeftScene* scene, Unvaried* unvaried);
void free_unvaried(const WeftScene* scene, Unvaried* unvaried);
// Number 0 is the scene as it is, and all others have a pace of their own. Cloth that nobody wears
// is carried to and fro in some.
Variation make_variation(const WeftScene* scene, const Unvaried* unvaried, int cloth, int number);
// Before the first step, then before each that begins at `time`.
void begin_variation(WeftScene* scene, const Unvaried* unvaried, const Variation* variation);
void direct_variation(WeftScene* scene, const Unvaried* unvaried, const Variation* variation,
                      double time);
// Steps that the scene takes at this pace.
int variation_frames(const WeftScene* scene, const Variation* variation);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the cloth of a scene touches, as the page draws it.

#ifndef WEFT_WEB_BODIES_H
#define WEFT_WEB_BODIES_H

#include "weft/weft_io.h"

// All bodies as one mesh.
typedef struct Bodies {
    int count, triangle_count;
    int *starts, *triangles;
    unsigned char* planes;
    double* now;  // of the largest body
    float* positions;
} Bodies;

// False: memory is short; free them in any case.
bool list_bodies(const WeftScene* scene, const WeftModel* model, Bodies* bodies);
// Where they are now, in the world.
void draw_bodies(const WeftModel* model, const WeftState* state, Bodies* bodies);
void free_bodies(Bodies* bodies);

#endif

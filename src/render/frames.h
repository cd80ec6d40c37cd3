// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What is drawn of a state, and was drawn before.

#ifndef WF_RENDER_FRAMES_H
#define WF_RENDER_FRAMES_H

#include "mesh/stars.h"
#include "weft/weft_render.h"

// Floats per vertex that bindings gather: x y z 0, then the normal and 0.
enum { WF_POINT = 8 };

struct WeftFrames {
    WeftAllocator allocator;
    const WeftModel* model;
    int count;                    // vertices of the model, as users see them
    WfStars stars;                // of its triangles
    bool pushed, drawn;           // something was
    double *before, *now;         // the last two frames
    double *last, *place;         // what was drawn before, and is
    float *last_points, *points;  // the same for bindings, less the origin
};

#endif

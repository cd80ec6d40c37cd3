// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A cloth as plain springs and hinges, made from what the public header tells about a model: what
// a comparator simulates.

#ifndef WEFT_BENCH_NET_H
#define WEFT_BENCH_NET_H

#include <stdbool.h>

#include "weft/weft.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Spring {
    int vertices[2];
    double length, stiffness;  // E = stiffness/2 (|x1 - x0| - length)^2
} Spring;

typedef struct Hinge {
    int vertices[4];               // two opposite corners, then the common edge
    double weights[4], stiffness;  // E = stiffness/2 |sum weights x|^2
} Hinge;

typedef struct Net {
    int vertex_count, spring_count, hinge_count;
    double* positions;  // 3 per vertex, at the start
    double* masses;     // kg per vertex
    bool* pinned;
    Spring* springs;
    Hinge* hinges;
} Net;

// The triangle net of a model whose fabric stretches alike in all directions and whose cloth lies
// flat, at rest, in its new state. False for lack of memory.
bool create_net(const WeftModel* model, const WeftState* start, const WeftFabric* fabric, Net* net);
void destroy_net(Net* net);

#ifdef __cplusplus
}
#endif

#endif

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
    double give;               // strain beyond which it pushes no harder; 0: it always does
    double damping;            // s, of the change of length by this times stiffness
} Spring;

typedef struct Hinge {
    int vertices[4];               // two opposite corners, then the common edge
    double weights[4], stiffness;  // E = stiffness/2 |sum weights x|^2
    double damping;                // s, likewise
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
// The hinge of corners i and j across the edge from k to l, whose two triangles lie flat in `x`, 3
// numbers per vertex.
Hinge make_hinge(const double* x, int i, int j, int k, int l, double bend);

#ifdef __cplusplus
}
#endif

#endif

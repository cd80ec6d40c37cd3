// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Cloth of several fabrics is simulated in portions, so that a term has one fabric: its damping,
// its tables and the load under which it gives way are those of all its elements. A portion has the
// triangles, hinges and springs of one fabric; what lies between two fabrics is a portion, too, of
// the mean of both. The first one has what belongs to all of the cloth: weight, damping of masses,
// ropes. Fabrics that are equal are one, and a cloth of one fabric is one portion, as it is.
//
//     +-----+-----+
//     | A  A:B  B |     portions: A, B, and A with B, where the hinges and edges along the
//     | A  A:B  B |     border are
//     +-----+-----+

#ifndef WF_ENERGY_PORTION_H
#define WF_ENERGY_PORTION_H

#include "base/memory.h"
#include "energy/parts.h"

typedef struct WfPortion {
    WfClothParts parts;  // of what follows, to make its terms from
    WeftClothDef def;    // with its fabric and its triangles alone
    WfTopology topology;
    WfRest rest;
    double give;  // strain by which it gives way under compression; 0: never
} WfPortion;

typedef struct WfPortions {
    int count;
    WfPortion* all;
    const int* of_triangle;  // per triangle of the cloth; NULL: all are of the first
    WfArena arena;
} WfPortions;

// No cloth with this def has more.
int wf_most_portions(const WeftClothDef* cloth);

// `whole` is the cloth, checked, and stays; its `portion` is the number of the first.
WeftResult wf_portions_create(const WeftAllocator* allocator, const WfClothParts* whole,
                              WfPortions* portions);
void wf_portions_destroy(const WeftAllocator* allocator, WfPortions* portions);

#endif

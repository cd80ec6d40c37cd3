// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A knife that is drawn over the cloth: it cuts along the edges nearest to its way, while it moves,
// and remembers what it has cut.

#ifndef WEFT_WEB_KNIFE_H
#define WEFT_WEB_KNIFE_H

#include "weft/weft_io.h"

// A line that was cut: vertices of the model that the state was created with, each joined with the
// next by an edge.
typedef struct Cut {
    double time;  // s
    int count, capacity;
    int* vertices;
} Cut;

typedef struct Knife {
    int count, capacity;
    Cut* cuts;

    // of the stroke that is drawn
    bool began, beside;  // a place was told, and the last one was beside the cloth
    int at, before;      // the vertex that was followed to, and the one before it whose edge is not
                         // cut yet, as vertices of the first model; -1: none
    int entered;         // where it came onto the cloth, while its border is not reached; -1
    double place[3];     // told last,
    double direction[3];  // and where it goes
    int edge_count;       // that were cut
} Knife;

void free_knife(Knife* knife);
bool keep_knife(Knife* to, const Knife* from);

// The knife is at a place of the cloth, in the space, next to a vertex of the state's model; -1:
// it is beside the cloth.
bool draw_knife(Knife* knife, WeftState* state, int vertex, const double place[3],
                WeftError* error);
// The stroke ends. Returns how many edges it cut.
int lift_knife(Knife* knife, WeftState* state);
// Cut what another knife has cut; edges that are not there are left out. False: for lack of memory.
bool cut_again(Knife* knife, WeftState* state, double time, int count, const int* vertices);

#endif

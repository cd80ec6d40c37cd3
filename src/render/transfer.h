// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Where the vertices of one cloth lie in another of the same shape.

#ifndef WF_RENDER_TRANSFER_H
#define WF_RENDER_TRANSFER_H

#include "weft/weft_render.h"

// A cloth, and by what it is found: its flat shape, with panels or without, or where it starts.
typedef struct WfPlacing {
    const WeftModel* model;
    int cloth;
    const WeftMesh* mesh;
    const int* panels;
} WfPlacing;

typedef struct WfPlaces {
    int count;
    int* corners;     // 3 per vertex, of the other cloth, counted from its first
    double* weights;  // 3 per vertex
    double* heights;  // m, per vertex
} WfPlaces;

// Of the vertices of `to`, in `from`. Refuses cloths that do not lie on each other.
WeftResult wf_places_create(const WeftAllocator* allocator, const WfPlacing* from,
                            const WfPlacing* to, WfPlaces* places, WeftError* error);
void wf_places_destroy(const WeftAllocator* allocator, WfPlaces* places);

#endif

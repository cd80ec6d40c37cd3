// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The edges of a panel of GarmentCode, as a file lists them, and the closed lines they make.

#ifndef WF_IO_PATTERN_GARMENTCODE_H
#define WF_IO_PATTERN_GARMENTCODE_H

#include "base/error.h"
#include "weft/weft_garment.h"

// An edge as it is in the file: from vertex to vertex.
typedef struct WfFileEdge {
    int ends[2];
    WeftPanelSide side;  // from the first of its ends to the second
    bool empty;          // straight, from a vertex to itself
} WfFileEdge;

// A place in a closed line.
typedef struct WfEdgePlace {
    int loop, position;
    bool reversed;
} WfEdgePlace;

typedef struct WfFilePanel {
    const char* name;
    int vertex_count, edge_count;
    double* vertices;  // 2 per vertex, metres
    WfFileEdge* edges;
    WfEdgePlace* places;  // per edge; loop -1: in none
    int loop_count;
    int outer;        // the loop with the largest area
    bool turned;      // some edges had to be turned round: the direction of the panel is a guess
    bool shuffled;    // its edges are not listed in their order
    double euler[3];  // degrees
} WfFilePanel;

// Fill places, loop_count, turned and shuffled. Refuses edges that make no closed lines, naming the
// vertex.
WeftResult wf_chain_edges(const WeftAllocator* allocator, WfFilePanel* panel, WeftError* error);

#endif

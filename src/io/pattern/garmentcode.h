// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A file of GarmentCode while it is read: the edges of its panels, as they are listed, and the
// closed lines they make.

#ifndef WF_IO_PATTERN_GARMENTCODE_H
#define WF_IO_PATTERN_GARMENTCODE_H

#include "io/pattern/read.h"

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

static inline const double* wf_file_vertex(const WfFilePanel* panel, int index) {
    return panel->vertices + 2 * (size_t)index;
}

typedef struct WfPatternFile {
    WfPatternReader* r;
    WfSceneReader* keys;
    const WeftAllocator* memory;
    double scale;   // metres per unit
    bool absolute;  // control points as places, not relative to their edge
    bool centred;   // panels are to be moved to the middle of their vertices
    bool later;     // the later form
    int panel_count;
    WfFilePanel* panels;
} WfPatternFile;

// garmentcode_edge.c
// Two numbers that are not too large; the label of a panel or an edge, where it has one; an edge.
WeftResult wf_file_pair(WfPatternFile* file, const WfSceneNode* node, double pair[2]);
WeftResult wf_file_label(WfPatternFile* file, const WfSceneNode* parent,
                         char label[WEFT_NAME_SIZE]);
WeftResult wf_file_edge(WfPatternFile* file, const WfFilePanel* panel, const WfSceneNode* node,
                        int number, WfFileEdge* edge);

// garmentcode_loops.c
// Fill places, loop_count, turned and shuffled. Refuses edges that make no closed lines, naming the
// vertex.
WeftResult wf_chain_edges(const WeftAllocator* allocator, WfFilePanel* panel, WeftError* error);

#endif

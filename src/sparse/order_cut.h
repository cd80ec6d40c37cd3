// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the files of nested dissection share: a graph that falls apart, and a cut through one part.

#ifndef WF_SPARSE_ORDER_CUT_H
#define WF_SPARSE_ORDER_CUT_H

#include <float.h>

#include "base/memory.h"

// Vertices that are left of a part are begin to end - 1; no edge leads from part to part.
typedef struct WfGraph {
    int* start;  // the neighbours of v are index[start[v]] to index[start[v + 1] - 1]
    int* index;
    int* row;            // of the pattern, per vertex
    double* x;           // 3 per vertex: a map of the graph, only cuts depend on it
    bool located;        // x came from outside; else every part makes its own
    unsigned char* rim;  // whether v had a neighbour that is in a cut now
} WfGraph;

// Both sides keep at least this part of the vertices: one fourth.
enum { WF_LEAST_SIDE = 4 };
enum { WF_LEFT, WF_RIGHT, WF_CUT };

// A part, and how it is cut.
typedef struct WfCut {
    int begin, end;
    double rim;              // vertices beside earlier cuts
    double square;           // rows of a straight cut, if the part were a square
    double per_row, uneven;  // see wf_cut_cost
    unsigned char* side;     // per vertex: left, right, or in the cut
    int size[3];             // vertices per side
    double cost;
} WfCut;

#define WF_NO_CUT DBL_MAX  // as a cost

// Entries of the factor that depend on the cut, see order_cut.c.
static inline double wf_cut_cost(const WfCut* cut, const int* size) {
    double rows = size[WF_CUT], off = size[WF_LEFT] - size[WF_RIGHT];
    return rows * (rows / 2 + cut->per_row) + cut->uneven * off * off;
}

enum { WF_LINES = 4, WF_BINS = 2048 };
typedef int WfBins[WF_BINS + 1];

// Room to work in; arrays are per vertex where nothing else is said.
typedef struct WfCutter {
    int* steps;                        // from the root of a walk
    int* queue;                        // vertices in the order of a walk
    int (*bin)[WF_LINES];              // where v is along four lines
    WfBins* bins;                      // per line three: see order_cut.c
    unsigned char* side[2];            // two cuts: the best, and the next
    unsigned char* moved;              // v left the cut in this pass
    int* beside[2];                    // of v in the cut: its neighbours left and right
    int *head[2], *next[2], *back[2];  // lists of vertices in the cut; head is per number of
                                       // neighbours
    int *log, log_count;               // 3 per vertex: who changed side
    unsigned char* was;                // and from where
} WfCutter;

void wf_cutter_layout(WfCutter* cutter, WfArena* arena, int n);

// Breadth first from root through all with steps below 0; returns how many there are in the queue.
int wf_walk(const WfGraph* graph, int root, int* steps, int* queue);

// The best cut we find, in `cut`, which names the part, its rim and square; false: there is none.
bool wf_cut_part(WfCutter* cutter, WfGraph* graph, WfCut* cut);

// Move vertices in and out of the cut while its cost falls.
void wf_refine_cut(WfCutter* cutter, const WfGraph* graph, WfCut* cut);

#endif

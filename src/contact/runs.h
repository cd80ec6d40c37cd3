// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Runs of vertices and of triangles with their boxes, to leave out at once what is far from a round
// body. Of a figure of nine capsules in a cape, most bodies are far from most of the cloth: with
// every vertex and every triangle asked for every body, that was a third of a step.

#ifndef WF_CONTACT_RUNS_H
#define WF_CONTACT_RUNS_H

#include "base/memory.h"
#include "contact/body.h"

enum { WF_RUN = 32 };  // divides WF_ITEM_BLOCK

// Around the ways of 32 vertices, or of the corners of as many triangles.
typedef struct WfRun {
    double low[3], high[3];
    double reach;  // m: the largest span and three times the largest thickness,
    double path;   // and the longest way
} WfRun;

typedef struct WfRuns {
    WfRun *vertices, *triangles;
    unsigned char *far_vertices, *far_triangles;  // of the last body that was asked for
} WfRuns;

typedef struct WfWorld WfWorld;

void wf_runs_layout(int vertex_count, int triangle_count, WfArena* arena, WfRuns* runs);
// The boxes, for ways from x to x1.
void wf_box_runs(WfWorld* world, const double* x1);
// Which of them nothing of a body can come near to, for contacts and for the defence; none of them
// where the body is not round.
void wf_find_far_runs(WfWorld* world, const WfMover* mover);

#endif

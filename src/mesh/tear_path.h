// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Which edges of a cloth lie along a line in space. The line is sampled, and the nearest vertex
// followed from sample to sample along edges, on the layer of cloth that it was on; what was
// followed is then straightened. Where the line leaves the cloth, starts or ends beyond it, the
// edges go on to the border.

#ifndef WF_MESH_TEAR_PATH_H
#define WF_MESH_TEAR_PATH_H

#include "base/vec.h"

// The edges of a cloth, and where its vertices are.
typedef struct WfPathMesh {
    int first, end;  // vertices
    const double* x;
    const int *edges, *star_start, *star;  // edges of each vertex: star[star_start[v]] and on
    const unsigned char* border;           // per vertex
    double edge;                           // m, mean
} WfPathMesh;

// Called with two vertices that an edge joins.
typedef void WfPathVisit(void* context, int a, int b);

// points: 3 per point. reach: no vertex that is further from the line belongs to it, m.
void wf_follow_path(const WfPathMesh* mesh, int point_count, const double* points, double reach,
                    WfPathVisit* visit, void* context);

#endif

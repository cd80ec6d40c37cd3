// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Places of the cloth that are held against distance fields: vertices, and the middles of edges and
// triangles. Round bodies have formulas for all that lies between vertices; a field has none.

#ifndef WF_CONTACT_SAMPLE_H
#define WF_CONTACT_SAMPLE_H

#include "contact/world.h"

typedef struct WfSample {
    int count, vertices[3];
    double weights[3];
} WfSample;

enum { WF_MOST_SAMPLES = 4 };  // of a triangle

WfSample wf_vertex_sample(int vertex);
// The middle of a triangle, and those of the edges for which it speaks; of a rope, that of its
// segment. Returns how many.
int wf_samples_between(const WfSurface* cloth, int triangle, WfSample samples[WF_MOST_SAMPLES]);
WfVec wf_sample_place(const WfSample* sample, const double* x);
// A place between vertices and a field.
typedef struct WfDip {
    double distance;  // m, at the start
    double hold;   // m, how far it is held off: `part` of the thickness, and what cloth that lies
                   // around the field dips into it between this place and the next
    bool nearest;  // nearer than its vertices
} WfDip;
WfDip wf_sample_dip(const WfWorld* world, const WfMover* mover, const WfSample* sample,
                    double part);
// Whether what lies between the corners of a triangle may come nearer than `reach` to a field, by
// the spans and ways measured before (wf_measure_ways).
bool wf_may_reach_between(const WfWorld* world, const WfMover* mover, int triangle, double reach);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Parts of a cloth that are flat enough not to touch themselves. Where the cloth is a map x(p) from
// a convex part of a plane, F = dx/dp, and there is a frame R (two directions of length 1, square
// to each other) for which the symmetric part of R^T F has no eigenvalue below s in any triangle,
//
//     (q - p) . R^T (x(q) - x(p)) = integral of (q - p) . R^T F (q - p) >= s |q - p|^2
//
// so that |x(q) - x(p)| >= s |q - p|: nothing that shares no vertex comes nearer than s times the
// least altitude of the triangles. F is linear in the places of vertices, so what holds at the
// start and at the end of a substep holds on the way. A search need not look there.

#ifndef WF_CONTACT_FLAT_H
#define WF_CONTACT_FLAT_H

#include "contact/chart.h"
#include "contact/pairs.h"

// A sure cell of the chart.
typedef struct WfFlatCell {
    float u[3], v[3], n[3];  // the frame, and what is square to it
    float s;
    float within, beyond;  // how large R^T F and n^T F are, at most
} WfFlatCell;

struct WfFlat {
    const WfChart* chart;
    WfFlatCell* cells;
};

void wf_flat_layout(const WfChart* chart, WfArena* arena, WfFlat* flat);
// To where the tree was fitted (tree.h).
void wf_flat_fit(WfFlat* flat, const WfTree* tree);
// Whether features in this part of the plane that share no vertex stay apart by more than `apart`;
// a vertex and a triangle that no edge joins by more than `apart_points`. m
bool wf_is_flat(const WfFlat* flat, const WfRect* rect, float apart, float apart_points);

#endif

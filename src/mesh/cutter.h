// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A mesh on its way to its half, for cut.c and cut_move.c.

#ifndef WF_MESH_CUTTER_H
#define WF_MESH_CUTTER_H

#include "base/plane.h"
#include "mesh/hilbert.h"
#include "mesh/rest.h"
#include "weft/weft_mesh.h"

typedef struct WfCutter {
    const WeftAllocator* allocator;
    const WeftClothDef* cloth;
    const WfPlane* mirror;
    WfTopology topology;
    int edge_count;  // those of triangles, then the segments of ropes
    int* ropes;      // 2 per segment
    double mean_area;
    double* heights;       // per vertex: above the plane, exactly 0 on it
    double* positions;     // as moved
    double* flat;          // 6 per triangle, as moved, or NULL
    int* toward;           // per vertex: the one it was moved to, or itself
    double* parts;         // per vertex: how far
    unsigned char* moved;  // per vertex
    WfKey *keys, *spare;   // 2 per edge
    unsigned char* used;   // per vertex, then per cut
    double* cut_parts;     // per cut, from its smaller vertex
    double* cut_positions;
} WfCutter;

// Move vertices onto the plane: those near it, or all that are needed beyond it.
void wf_move_onto_plane(WfCutter* h, WeftHalving halving);

static inline const int* wf_edge_ends(const WfCutter* h, int e) {
    int own = h->topology.edge_count;
    return e < own ? h->topology.edges + 2 * (long)e : h->ropes + 2 * (long)(e - own);
}

static inline bool wf_crosses(const WfCutter* h, int a, int b) {
    return (h->heights[a] > 0 && h->heights[b] < 0) || (h->heights[a] < 0 && h->heights[b] > 0);
}

static inline WfVec wf_mix_points(WfVec a, WfVec b, double part) {
    return wf_add(wf_mul(1 - part, a), wf_mul(part, b));
}

static inline WfVec wf_moved_rest(const WfCutter* h, int t, int k) {
    long c = 3 * (long)t + k;
    if (!h->flat) return wf_load(h->positions, h->cloth->triangles[c]);
    return (WfVec){h->flat[2 * c], h->flat[2 * c + 1], 0};
}

static inline void wf_set_rest(WfCutter* h, int t, int k, WfVec x) {
    long c = 3 * (long)t + k;
    if (!h->flat) return;
    h->flat[2 * c] = x.x;
    h->flat[2 * c + 1] = x.y;
}

// twice as long as the area is large
static inline WfVec wf_normal_of(WfVec a, WfVec b, WfVec c) {
    return wf_cross(wf_sub(b, a), wf_sub(c, a));
}

static inline WfVec wf_old_normal(const WfCutter* h, int t) {
    return wf_normal_of(wf_rest_corner(h->cloth, t, 0), wf_rest_corner(h->cloth, t, 1),
                        wf_rest_corner(h->cloth, t, 2));
}

// negative where it faces against triangle t as it was
static inline double wf_area_along(const WfCutter* h, int t, const WfVec x[3]) {
    return wf_dot(wf_normal_of(x[0], x[1], x[2]), wf_unit(wf_old_normal(h, t))) / 2;
}

static inline bool wf_is_before(const WfCutter* h, int t) {
    const int* v = h->cloth->triangles + 3 * (long)t;
    return h->heights[v[0]] > 0 || h->heights[v[1]] > 0 || h->heights[v[2]] > 0;
}

#endif

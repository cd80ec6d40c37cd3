// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A render vertex is a place of a triangle of the cloth, with corners x and normals n of these,
//
//     a = x1 - x0,  b = x2 - x0,  c = w0 n0 + w1 n1 + w2 n2
//     p = S(w) + offset . (a, b, c)               S: the flat triangle, or one curved by its
//     normals normal = normal . (b x c, c x a, |a x b| c/|c|) tangent = tangent . (a, b, c)
//
// Normals are those of a surface that is moved as p is (by cofactors), but that c stands for the
// normal of the flat triangle: it is the same on both sides of an edge, so that light is smooth.
// What is rigid has one orthonormal frame for all three: c, a made square to it, and both crossed.

#ifndef WF_RENDER_BINDING_H
#define WF_RENDER_BINDING_H

#include "sim/model.h"
#include "weft/weft_render.h"

enum { WF_BOUND_LANES = 4, WF_BOUND_FLOATS = 12 };

// A cache line, of which the last three quarters are floats that kernels transpose.
typedef struct WfBound {
    int corners[3];  // vertices of the model
    int rigid;
    union {
        struct {
            float w[2];  // of corners 1 and 2
            float offset[3];
            float normal[3];
            float tangent[3];
            float handedness;
        };
        float all[WF_BOUND_FLOATS];
    };
} WfBound;
_Static_assert(sizeof(WfBound) == 64, "a cache line");

struct WeftBinding {
    WeftAllocator allocator;
    const WeftModel* model;
    int first_vertex;  // of the cloth in its model
    WeftDetailSurface surface;
    int count;       // render vertices
    WfBound* bound;  // and copies of the last one, up to a full number of lanes
    int triangle_count;
    int* triangles;
    double reach;
    uint64_t cloth_print, mesh_print;  // fingerprints, of triangles, and of all that is bound
};

// An empty binding for the def's mesh, with its triangles; NULL for lack of memory.
WeftBinding* wf_binding_allocate(const WeftBindingDef* def);
// Refuses what a def has that cannot be.
WeftResult wf_check_binding(const WeftBindingDef* def, WeftError* error);
// Refuses cloths that are not there, and meshes that a cloth was not made of.
WeftResult wf_check_cloth_mesh(const WeftModel* model, int cloth, const WeftMesh* mesh,
                               WeftError* error);
// Fill what is behind the last vertex.
void wf_binding_pad(WeftBinding* binding);

// Where a vertex of users starts.
static inline WfVec wf_model_place(const WeftModel* model, int vertex) {
    WfVec x = wf_load(model->positions, wf_row_of(&model->shown, vertex));
    return wf_is_image(&model->shown, vertex) ? wf_plane_image(&model->system.mirror, x) : x;
}
// The triangles of a cloth in its model: from `first` on; returns how many.
int wf_cloth_triangles(const WeftModel* model, int cloth, int* first);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Where vertices of a mirrored garment may be: one half in front of the mirror, the other its
// image, and what is sewn to its own image in it. Panels may start across the mirror, and cloth
// that does not touch cloth may go there; it is put in front of it again, close to it and in its
// order:
//
//     x' ^        /
//      m |  .  - /      x' = m^2 / (2 m - x) below m, above 0 wherever x is
//        .  |   /
//        |  |  /        and x' = x from there on
//     ---+--m---> x

#include "garment/even_halves.h"

#include "base/memory.h"
#include "base/vec.h"
#include "garment/mirror.h"

#define NEAR 0.01  // m, from the mirror: what is beyond it is put in front of it

static double put_in_front(double x) { return x < NEAR ? NEAR * NEAR / (2 * NEAR - x) : x; }

// Per vertex: 1 where it belongs in front, -1 behind, 0 in the mirror, or to both sides.
static void find_sides(const WeftPattern* pattern, const WeftGarment* g, signed char* sides) {
    const WeftMesh* mesh = &g->mesh;
    for (int t = 0; t < mesh->triangle_count; t++) {
        signed char side = wf_panel_follows(pattern, g->panels[t]) ? -1 : 1;
        for (int k = 0; k < 3; k++) sides[mesh->triangles[3 * (long)t + k]] = side;
    }
    for (int t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            int v = mesh->triangles[3 * (long)t + k];
            signed char side = wf_panel_follows(pattern, g->panels[t]) ? -1 : 1;
            if (mesh->images[v] == v || sides[v] != side) sides[v] = 0;
        }
}

// Whether something in front would be behind or in the mirror.
static bool is_beyond(const WeftMesh* mesh, const signed char* sides) {
    for (long v = 0; v < mesh->vertex_count; v++)
        if (sides[v] > 0 && !(mesh->positions[3 * v] > 0)) return true;
    return false;
}

WeftResult wf_even_halves(const WeftPattern* pattern, WeftGarment* g) {
    WeftMesh* mesh = &g->mesh;
    signed char* sides = wf_alloc(&g->allocator, (size_t)mesh->vertex_count, 1);
    if (!sides) return WEFT_ERROR_MEMORY;
    find_sides(pattern, g, sides);
    bool beyond = is_beyond(mesh, sides);
    for (int v = 0; v < mesh->vertex_count; v++) {
        WfVec x = wf_load(mesh->positions, v);
        int image = mesh->images[v];
        if (image == v) x.x = 0;
        if (beyond && sides[v] > 0) x.x = put_in_front(x.x);
        bool leads = sides[v] > 0 || (sides[v] == 0 && v <= image);
        if (!leads) continue;
        wf_store(mesh->positions, v, x);
        if (image == v) continue;
        x.x = -x.x;
        wf_store(mesh->positions, image, x);
    }
    wf_free(&g->allocator, sides);
    return WEFT_OK;
}

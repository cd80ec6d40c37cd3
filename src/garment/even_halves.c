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

#include <math.h>

#include "base/memory.h"
#include "base/vec.h"
#include "garment/mirror.h"

#define FARTHEST 0.01  // m, of m; below it m is how far beyond the mirror something is,
#define NEAREST 1e-4   // and not less than this

static double put_in_front(double x, double m) { return x < m ? m * m / (2 * m - x) : x; }

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

// The least x of what belongs in front.
static double find_least(const WeftMesh* mesh, const signed char* sides) {
    double least = HUGE_VAL;
    for (long v = 0; v < mesh->vertex_count; v++)
        if (sides[v] > 0) least = fmin(least, mesh->positions[3 * v]);
    return least;
}

// m, or 0 where all is in front that belongs there.
static double find_room(const WeftMesh* mesh, const signed char* sides) {
    double least = find_least(mesh, sides);
    return least > 0 ? 0 : fmin(fmax(-least, NEAREST), FARTHEST);
}

WeftResult wf_even_halves(const WeftPattern* pattern, WeftGarment* g) {
    WeftMesh* mesh = &g->mesh;
    signed char* sides = wf_alloc(&g->allocator, (size_t)mesh->vertex_count, 1);
    if (!sides) return WEFT_ERROR_MEMORY;
    find_sides(pattern, g, sides);
    double room = find_room(mesh, sides);
    for (int v = 0; v < mesh->vertex_count; v++) {
        WfVec x = wf_load(mesh->positions, v);
        int image = mesh->images[v];
        if (image == v) x.x = 0;
        if (room > 0 && sides[v] > 0) x.x = put_in_front(x.x, room);
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

WeftResult wf_measure_overlap(const WeftPattern* pattern, const WeftGarment* g, double* overlap) {
    signed char* sides = wf_alloc(&g->allocator, (size_t)g->mesh.vertex_count, 1);
    if (!sides) return WEFT_ERROR_MEMORY;
    find_sides(pattern, g, sides);
    *overlap = fmax(-find_least(&g->mesh, sides), 0);
    wf_free(&g->allocator, sides);
    return WEFT_OK;
}

bool wf_are_halves_even(const WeftMesh* mesh) {
    for (int v = 0; v < mesh->vertex_count; v++) {
        WfVec x = wf_load(mesh->positions, v), image = wf_load(mesh->positions, mesh->images[v]);
        if (x.x != -image.x || x.y != image.y || x.z != image.z) return false;
    }
    return true;
}

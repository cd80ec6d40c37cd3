// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "contact/shape.h"

#include <string.h>

#include "base/angle.h"

bool wf_shape_allocate(const WeftAllocator* allocator, int vertices, int triangles,
                       WfShape* shape) {
    *shape = (WfShape){.positions = wf_alloc(allocator, 3 * (size_t)vertices, sizeof(double)),
                       .triangles = wf_alloc(allocator, 3 * (size_t)triangles, sizeof(int))};
    if (shape->positions && shape->triangles) return true;
    wf_shape_destroy(allocator, shape);
    return false;
}

void wf_shape_destroy(const WeftAllocator* allocator, WfShape* shape) {
    wf_free(allocator, shape->positions);
    wf_free(allocator, shape->triangles);
    *shape = (WfShape){0};
}

void wf_shape_add_triangle(WfShape* shape, int a, int b, int c) {
    int* to = shape->triangles + 3 * (long)shape->triangle_count++;
    to[0] = a;
    to[1] = b;
    to[2] = c;
}

void wf_shape_add_vertex(WfShape* shape, WfVec x) {
    wf_store(shape->positions, shape->vertex_count++, x);
}

// ---------------------------------------------------------------------------------------------
// Round bodies: rings of vertices from the lower pole to the upper. Two ends have a ring each where
// the cone between them begins, at the same latitude: 0 where they are alike.

enum { HALF = 12, SEGMENTS = 48 };  // a sphere of 0.25 m: facets within 1 mm of it

static void add_ring(WfShape* shape, double latitude, double radius, double middle) {
    double y, flat, sine, cosine;
    wf_sine_cosine(latitude, &y, &flat);
    for (int k = 0; k < SEGMENTS; k++) {
        wf_sine_cosine(2 * WF_PI * k / SEGMENTS, &sine, &cosine);
        wf_shape_add_vertex(
            shape, (WfVec){radius * flat * cosine, middle + radius * y, -radius * flat * sine});
    }
}

static void add_rings(WfShape* shape, const double ends[2], const double radii[2], int rings) {
    double apart = ends[1] - ends[0], tilt = apart > 0 ? (radii[0] - radii[1]) / apart : 0;
    double latitude = wf_angle_of(tilt, sqrt(1 - tilt * tilt));
    for (int r = 1; r <= HALF; r++)
        add_ring(shape, (latitude + WF_PI / 2) * ((double)r / HALF) - WF_PI / 2, radii[0], ends[0]);
    for (int r = 2 * HALF - rings; r < HALF; r++)
        add_ring(shape, WF_PI / 2 - (WF_PI / 2 - latitude) * ((double)(HALF - r) / HALF), radii[1],
                 ends[1]);
}

WeftResult wf_round_shape(const WeftAllocator* allocator, const double ends[2],
                          const double radii[2], WfShape* shape) {
    int rings = ends[1] > ends[0] ? 2 * HALF : 2 * HALF - 1;
    if (!wf_shape_allocate(allocator, rings * SEGMENTS + 2, 2 * rings * SEGMENTS, shape))
        return WEFT_ERROR_MEMORY;
    wf_shape_add_vertex(shape, (WfVec){0, ends[0] - radii[0], 0});
    add_rings(shape, ends, radii, rings);
    int top = shape->vertex_count, last = 1 + (rings - 1) * SEGMENTS;
    wf_shape_add_vertex(shape, (WfVec){0, ends[1] + radii[1], 0});
    for (int k = 0; k < SEGMENTS; k++) {
        int next = (k + 1) % SEGMENTS;
        wf_shape_add_triangle(shape, 0, 1 + next, 1 + k);
        for (int r = 0; r + 1 < rings; r++) {
            int low = 1 + r * SEGMENTS, high = low + SEGMENTS;
            wf_shape_add_triangle(shape, low + k, low + next, high + next);
            wf_shape_add_triangle(shape, low + k, high + next, high + k);
        }
        wf_shape_add_triangle(shape, last + k, last + next, top);
    }
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------

WeftResult wf_box_shape(const WeftAllocator* allocator, const double size[3], WfShape* shape) {
    static const int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    if (!wf_shape_allocate(allocator, 8, 12, shape)) return WEFT_ERROR_MEMORY;
    for (int i = 0; i < 8; i++)
        wf_shape_add_vertex(shape,
                            (WfVec){size[0] * ((i & 1) - 0.5), size[1] * ((i >> 1 & 1) - 0.5),
                                    size[2] * ((i >> 2 & 1) - 0.5)});
    for (int f = 0; f < 6; f++) {
        wf_shape_add_triangle(shape, faces[f][0], faces[f][1], faces[f][2]);
        wf_shape_add_triangle(shape, faces[f][0], faces[f][2], faces[f][3]);
    }
    return WEFT_OK;
}

WeftResult wf_plane_shape(const WeftAllocator* allocator, WfShape* shape) {
    if (!wf_shape_allocate(allocator, 4, 2, shape)) return WEFT_ERROR_MEMORY;
    for (int i = 0; i < 4; i++)
        wf_shape_add_vertex(shape, (WfVec){i == 0 || i == 3 ? -10 : 10, 0, i < 2 ? 10 : -10});
    wf_shape_add_triangle(shape, 0, 1, 2);
    wf_shape_add_triangle(shape, 0, 2, 3);
    return WEFT_OK;
}

WeftResult wf_mesh_shape(const WeftAllocator* allocator, const WeftBodyDef* def, WfShape* shape) {
    size_t vertices = (size_t)def->vertex_count, triangles = (size_t)def->triangle_count;
    if (!wf_shape_allocate(allocator, def->vertex_count, def->triangle_count, shape))
        return WEFT_ERROR_MEMORY;
    memcpy(shape->positions, def->positions, 3 * vertices * sizeof(double));
    memcpy(shape->triangles, def->triangles, 3 * triangles * sizeof(int));
    shape->vertex_count = def->vertex_count;
    shape->triangle_count = def->triangle_count;
    return WEFT_OK;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Numbers per vertex, for those who look at cloth.

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "sim/state.h"

static void copy_stretch(const WeftModel* m, const WeftState* state, float* values) {
    memset(values, 0, (size_t)m->shown.vertex_count * sizeof *values);
    for (int e = 0; e < m->shown.edge_count; e++) {
        const int* v = m->shown.edges + 2 * (long)e;
        float strain = (float)(wf_edge_length(state, e) / m->shown.edge_lengths[e] - 1);
        for (int k = 0; k < 2; k++)
            if (fabsf(strain) > fabsf(values[v[k]])) values[v[k]] = strain;
    }
}

static void copy_speed(const WeftModel* m, const double* v, float* values) {
    for (int i = 0; i < m->shown.vertex_count; i++) values[i] = (float)wf_length(wf_load(v, i));
}

// What is gathered at a vertex. `pull` is the gradient of the area (of a rope: of the length)
// around it; over that area it is the curvature, along the normal. At the edge of a cloth it also
// points into the cloth, so only its part along the normal counts.
typedef struct Corner {
    WfVec pull, normal;
    double area;    // of what is nearest to it
    double length;  // of ropes: half of the segments there
    int segments;
} Corner;

// What part of a triangle is nearest to each corner, by the squares of the sides opposite to them:
// true (Voronoi) parts, or where one angle is obtuse a half and two quarters.
static void share_area(double area, const double squares[3], const double cotangents[3],
                       double parts[3]) {
    int obtuse = -1;
    for (int k = 0; k < 3; k++)
        if (cotangents[k] < 0) obtuse = k;
    for (int k = 0; k < 3; k++) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        double true_part = (squares[a] * cotangents[a] + squares[b] * cotangents[b]) / 8;
        parts[k] = obtuse < 0 ? true_part : k == obtuse ? area / 2 : area / 4;
    }
}

static void gather_triangle(const double* x, const int* v, Corner* corners) {
    WfVec p[3];
    for (int k = 0; k < 3; k++) p[k] = wf_load(x, v[k]);
    WfVec normal = wf_cross(wf_sub(p[1], p[0]), wf_sub(p[2], p[0]));
    double twice = wf_length(normal);
    if (!(twice > 0)) return;
    double squares[3], cotangents[3], parts[3];
    for (int k = 0; k < 3; k++) {
        // the edge from a to b, opposite to corner k
        int a = (k + 1) % 3, b = (k + 2) % 3;
        WfVec edge = wf_sub(p[a], p[b]);
        squares[k] = wf_dot(edge, edge);
        cotangents[k] = wf_dot(wf_sub(p[a], p[k]), wf_sub(p[b], p[k])) / twice;
        WfVec pull = wf_mul(cotangents[k] / 2, edge);
        corners[v[a]].pull = wf_add(corners[v[a]].pull, pull);
        corners[v[b]].pull = wf_sub(corners[v[b]].pull, pull);
        corners[v[k]].normal = wf_add(corners[v[k]].normal, normal);
    }
    share_area(twice / 2, squares, cotangents, parts);
    for (int k = 0; k < 3; k++) corners[v[k]].area += parts[k];
}

static void gather_segment(const double* x, const int* v, Corner* corners) {
    WfVec d = wf_sub(wf_load(x, v[0]), wf_load(x, v[1]));
    double length = wf_length(d);
    if (!(length > 0)) return;
    for (int k = 0; k < 2; k++) {
        Corner* c = &corners[v[k]];
        if (c->area > 0) continue;  // part of a cloth
        c->pull = wf_madd(c->pull, (k ? -1 : 1) / length, d);
        c->length += length / 2;
        c->segments++;
    }
}

static double curvature(const Corner* c) {
    double normal = wf_length(c->normal);
    if (c->area > 0 && normal > 0) return fabs(wf_dot(c->pull, c->normal)) / (normal * c->area);
    return c->segments == 2 ? wf_length(c->pull) / c->length : 0;
}

static WeftResult copy_curvature(const WeftModel* m, const double* x, float* values) {
    const WeftAllocator* allocator = &m->system.allocator;
    int n = m->shown.vertex_count;
    Corner* corners = wf_alloc(allocator, (size_t)n, sizeof *corners);
    if (!corners) return WEFT_ERROR_MEMORY;
    for (long t = 0; t < m->shown.triangle_count; t++)
        gather_triangle(x, m->shown.triangles + 3 * t, corners);
    for (long e = 0; e < m->shown.edge_count; e++)
        gather_segment(x, m->shown.edges + 2 * e, corners);
    for (int i = 0; i < n; i++) values[i] = (float)curvature(&corners[i]);
    wf_free(allocator, corners);
    return WEFT_OK;
}

WeftResult weft_copy_field(const WeftState* state, WeftField field, float* values) {
    const WeftModel* m = state->model;
    switch (field) {
        case WEFT_FIELD_STRETCH:
            copy_stretch(m, state, values);
            break;
        case WEFT_FIELD_CURVATURE:
            return copy_curvature(m, state->shown_x, values);
        case WEFT_FIELD_SPEED:
            copy_speed(m, state->shown_v, values);
            break;
    }
    return WEFT_OK;
}

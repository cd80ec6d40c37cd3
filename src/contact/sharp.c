// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "contact/sharp.h"

#include "base/memory.h"

enum { MOST = 256 };                // every vertex that slides is held against all of them
static const double COSINE = 0.64;  // of 50 degrees between the triangles of an edge

static WfVec normal_of(const WfSurface* s, const double* x, int triangle) {
    const int* v = s->triangles + 3 * (long)triangle;
    WfVec a = wf_load(x, v[0]), b = wf_load(x, v[1]);
    return wf_unit(wf_cross(wf_sub(b, a), wf_sub(wf_load(x, v[2]), a)));
}

// Rims, which have one triangle, are not: a funnel would cut every step of what falls through it.
bool wf_is_sharp_edge(const WfSurface* s, const double* x, int edge) {
    const int* t = s->edge_triangles + 2 * (long)edge;
    return t[1] >= 0 && wf_dot(normal_of(s, x, t[0]), normal_of(s, x, t[1])) < COSINE;
}

static bool is_sharp(const WfBody* body, int edge) {
    return wf_is_sharp_edge(&body->surface, body->positions, edge);
}

WeftResult wf_find_sharp_edges(const WeftAllocator* allocator, WfBody* body) {
    int count = 0;
    for (int e = 0; e < body->surface.edge_count; e++) count += is_sharp(body, e);
    if (body->exact || count == 0 || count > MOST) return WEFT_OK;
    body->sharp_edges = wf_alloc(allocator, (size_t)count, sizeof(int));
    if (!body->sharp_edges) return WEFT_ERROR_MEMORY;
    for (int e = 0; e < body->surface.edge_count; e++)
        if (is_sharp(body, e)) body->sharp_edges[body->sharp_count++] = e;
    return WEFT_OK;
}

double wf_segment_distance(WfVec p, WfVec a, WfVec b) {
    WfVec along = wf_sub(b, a);
    double square = wf_dot(along, along), part = wf_dot(wf_sub(p, a), along);
    part = part < 0 ? 0 : part > square ? 1 : part / square;
    return wf_length(wf_sub(p, wf_madd(a, part, along)));
}

bool wf_is_near_sharp_edge(const WfBody* body, const double* x, WfVec p, double reach) {
    for (int k = 0; k < body->sharp_count; k++) {
        const int* v = body->surface.edges + 2 * (long)body->sharp_edges[k];
        if (wf_segment_distance(p, wf_load(x, v[0]), wf_load(x, v[1])) < reach) return true;
    }
    return false;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Points of a surface, its vertices and the middles of its triangles, look around: straight up and
// in two rings of directions. One that sees no way past the cover in any of them is covered. What
// is nearer than the margin, along edges, to one that is not covered is shown all the same.

#include <string.h>

#include "base/angle.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "detail/boxes.h"
#include "mesh/normals.h"
#include "weft/weft_render.h"

enum { INNER = 6, OUTER = 10, RAYS = 1 + INNER + OUTER };
static const double ON_EDGE = 1e-9;  // of a triangle: so far outside, it still is met

WeftHiddenDef weft_default_hidden_def(void) {
    return (WeftHiddenDef){.reach = 0.3, .angle = 60, .margin = 0.03};
}

// ---------------------------------------------------------------------------------------------
// Checks

static WeftResult check_surface(const char* name, int vertex_count, const double* positions,
                                int triangle_count, const int* triangles, WeftError* error) {
    for (long i = 0; i < 3L * vertex_count; i++)
        if (!(fabs(positions[i]) < 1e6))
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "%s: vertex %ld is at %g; it must be within 1e6 m", name, i / 3,
                           positions[i]);
    for (long c = 0; c < 3L * triangle_count; c++)
        if (triangles[c] < 0 || triangles[c] >= vertex_count)
            return wf_fail(error, WEFT_ERROR_INPUT, "%s: triangle %ld: there is no vertex %d", name,
                           c / 3, triangles[c]);
    return WEFT_OK;
}

static WeftResult check_def(const WeftHiddenDef* def, WeftError* error) {
    if (!(def->angle >= 0 && def->angle <= 85))
        return wf_fail(error, WEFT_ERROR_INPUT, "the angle is %g degrees, not 0 to 85", def->angle);
    if (!(def->reach > 0 && def->reach <= 1e6))
        return wf_fail(error, WEFT_ERROR_INPUT, "the reach is %g m, not above 0", def->reach);
    if (!(def->margin >= 0 && def->margin <= 1e6))
        return wf_fail(error, WEFT_ERROR_INPUT, "the margin is %g m, not 0 or more", def->margin);
    WeftResult result = check_surface("the surface", def->vertex_count, def->positions,
                                      def->triangle_count, def->triangles, error);
    return result ? result
                  : check_surface("the cover", def->cover_vertex_count, def->cover_positions,
                                  def->cover_triangle_count, def->cover_triangles, error);
}

// ---------------------------------------------------------------------------------------------
// Rays

typedef struct Looking {
    const WeftHiddenDef* def;
    WfBoxes boxes;         // of the cover
    double* normals;       // per vertex of the surface
    unsigned char* open;   // per vertex, then per triangle: not covered
    double* far;           // per vertex: how far from what is not covered
    double rays[RAYS][3];  // along two directions in the surface, and its normal
} Looking;

typedef struct Meeting {
    const WeftHiddenDef* def;
    const WfRay* ray;
    bool met;
} Meeting;

// Both sides of the cover count.
static bool meet_triangle(void* context, int t) {
    Meeting* m = context;
    const int* v = m->def->cover_triangles + 3 * (long)t;
    WfVec a = wf_load(m->def->cover_positions, v[0]);
    WfVec e = wf_sub(wf_load(m->def->cover_positions, v[1]), a);
    WfVec f = wf_sub(wf_load(m->def->cover_positions, v[2]), a);
    WfVec p = wf_cross(m->ray->along, f), to = wf_sub(m->ray->from, a);
    double det = wf_dot(e, p);
    if (det == 0) return true;
    WfVec q = wf_cross(to, e);
    double u = wf_dot(to, p) / det, w = wf_dot(m->ray->along, q) / det, at = wf_dot(f, q) / det;
    m->met =
        u >= -ON_EDGE && w >= -ON_EDGE && u + w <= 1 + ON_EDGE && at >= 0 && at <= m->ray->reach;
    return !m->met;
}

static bool is_met(const Looking* l, WfVec from, WfVec along, double reach) {
    WfRay ray = {from, along, reach};
    Meeting meeting = {l->def, &ray, false};
    wf_boxes_visit_ray(&l->boxes, &ray, meet_triangle, &meeting);
    return meeting.met;
}

static bool is_covered(const Looking* l, WfVec p, WfVec n) {
    WfVec x = wf_unit(fabs(n.z) > 0.7 ? (WfVec){n.z, 0, -n.x} : (WfVec){n.y, -n.x, 0});
    WfVec y = wf_cross(n, x);
    if (!(wf_dot(n, n) > 0)) return false;
    for (int r = 0; r < RAYS; r++) {
        const double* d = l->rays[r];
        WfVec along = wf_madd(wf_madd(wf_mul(d[0], x), d[1], y), d[2], n);
        if (!is_met(l, p, along, l->def->reach / d[2])) return false;
    }
    return true;
}

static void make_rays(Looking* l) {
    for (int r = 0; r < RAYS; r++) {
        bool inner = r <= INNER;
        double tilt = r == 0 ? 0 : (inner ? 0.5 : 1) * l->def->angle * WF_PI / 180;
        double turn = 2 * WF_PI * (inner ? (double)r / INNER : (r - INNER + 0.5) / OUTER);
        double sine, cosine, s, c;
        wf_sine_cosine(tilt, &sine, &cosine);
        wf_sine_cosine(turn, &s, &c);
        const double ray[3] = {sine * c, sine * s, cosine};
        memcpy(l->rays[r], ray, sizeof ray);
    }
}

// Vertices, then middles.
static void look_from(void* context, int first, int end) {
    const Looking* l = context;
    const WeftHiddenDef* def = l->def;
    for (int i = first; i < end; i++) {
        if (i < def->vertex_count) {
            WfVec p = wf_load(def->positions, i), n = wf_load(l->normals, i);
            l->open[i] = !is_covered(l, p, n);
            continue;
        }
        const int* v = def->triangles + 3 * (long)(i - def->vertex_count);
        WfVec a = wf_load(def->positions, v[0]), b = wf_load(def->positions, v[1]);
        WfVec c = wf_load(def->positions, v[2]);
        WfVec n = wf_unit(wf_cross(wf_sub(b, a), wf_sub(c, a)));
        l->open[i] = !is_covered(l, wf_mul(1.0 / 3, wf_add(wf_add(a, b), c)), n);
    }
}

// ---------------------------------------------------------------------------------------------
// The margin

// Shorter by an edge; returns whether anything was.
static bool go_along(Looking* l, const int* v, int k) {
    int a = v[k], b = v[(k + 1) % 3];
    double length = wf_length(wf_sub(wf_load(l->def->positions, a), wf_load(l->def->positions, b)));
    bool shorter = l->far[a] + length < l->far[b] || l->far[b] + length < l->far[a];
    l->far[b] = fmin(l->far[b], l->far[a] + length);
    l->far[a] = fmin(l->far[a], l->far[b] + length);
    return shorter;
}

// Rounds over all edges, until there are no shorter ways within the margin.
static void find_distances(Looking* l) {
    const WeftHiddenDef* def = l->def;
    bool changed = true;
    for (int i = 0; i < def->vertex_count; i++) l->far[i] = l->open[i] ? 0 : HUGE_VAL;
    while (changed) {
        changed = false;
        for (int t = 0; t < def->triangle_count; t++) {
            const int* v = def->triangles + 3 * (long)t;
            double least = fmin(fmin(l->far[v[0]], l->far[v[1]]), l->far[v[2]]);
            for (int k = 0; k < 3 && least <= def->margin; k++)
                changed = go_along(l, v, k) || changed;
        }
    }
}

static void take_hidden(const Looking* l, unsigned char* hidden) {
    const WeftHiddenDef* def = l->def;
    for (int t = 0; t < def->triangle_count; t++) {
        const int* v = def->triangles + 3 * (long)t;
        double least = fmin(fmin(l->far[v[0]], l->far[v[1]]), l->far[v[2]]);
        hidden[t] = !l->open[def->vertex_count + t] && least > def->margin;
    }
}

// ---------------------------------------------------------------------------------------------

static bool allocate(const WeftAllocator* allocator, Looking* l) {
    const WeftHiddenDef* def = l->def;
    size_t n = (size_t)def->vertex_count;
    l->normals = wf_alloc(allocator, 3 * n, sizeof(double));
    l->far = wf_alloc(allocator, n, sizeof(double));
    l->open = wf_alloc(allocator, n + (size_t)def->triangle_count, 1);
    return l->normals && l->far && l->open &&
           wf_boxes_create(allocator, def->cover_triangle_count, def->cover_triangles,
                           def->cover_positions, &l->boxes);
}

WeftResult weft_find_hidden(const WeftHiddenDef* def, unsigned char* hidden, WeftError* error) {
    WeftResult result = check_def(def, error);
    if (result) return result;
    WeftAllocator allocator = wf_allocator(&def->allocator);
    Looking l = {.def = def};
    if (allocate(&allocator, &l)) {
        wf_find_normals(def->vertex_count, def->positions, def->triangle_count, def->triangles,
                        l.normals);
        wf_boxes_fit(&l.boxes, &def->jobs, def->cover_positions);
        make_rays(&l);
        wf_parallel_items(&def->jobs, def->vertex_count + def->triangle_count, look_from, &l);
        find_distances(&l);
        take_hidden(&l, hidden);
    } else {
        result = wf_fail_memory(error);
    }
    wf_boxes_destroy(&allocator, &l.boxes);
    wf_free(&allocator, l.normals);
    wf_free(&allocator, l.far);
    wf_free(&allocator, l.open);
    return result;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Vertices in front of bodies. Of triangles, each is held by the plane of the point that is nearest
// to it, found from the triangle that was nearest in the last round, across its edges. Exact bodies
// say themselves how far a vertex is. The plane goes along with the body through the round.

#include <math.h>

#include "small_steps/kernel.h"

// ---------------------------------------------------------------------------------------------
// Closest points on triangles, in floats

typedef struct Vec3 {
    float x, y, z;
} Vec3;

static Vec3 take(const WfPoint4* p) { return (Vec3){p->x, p->y, p->z}; }
static Vec3 sub(Vec3 a, Vec3 b) { return (Vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static Vec3 madd(Vec3 a, float s, Vec3 b) {
    return (Vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
static float dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// w[0] a + w[1] b + w[2] c; the regions after Ericson, Real-Time Collision Detection, 5.1.5.
static void find_weights(Vec3 p, Vec3 a, Vec3 b, Vec3 c, float w[3]) {
    Vec3 ab = sub(b, a), ac = sub(c, a), ap = sub(p, a), bp = sub(p, b), cp = sub(p, c);
    float d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp);
    float d5 = dot(ab, cp), d6 = dot(ac, cp);
    float va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    w[0] = w[1] = w[2] = 0;
    if (d1 <= 0 && d2 <= 0) {
        w[0] = 1;
    } else if (d3 >= 0 && d4 <= d3) {
        w[1] = 1;
    } else if (d6 >= 0 && d5 <= d6) {
        w[2] = 1;
    } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        w[1] = d1 / (d1 - d3), w[0] = 1 - w[1];
    } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        w[2] = d2 / (d2 - d6), w[0] = 1 - w[2];
    } else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        w[2] = (d4 - d3) / (d4 - d3 + (d5 - d6)), w[1] = 1 - w[2];
    } else {
        float by = 1 / (va + vb + vc);
        w[1] = vb * by, w[2] = vc * by, w[0] = 1 - w[1] - w[2];
    }
}

typedef struct Nearest {
    int triangle;
    float w[3], square;
    Vec3 away;  // from it to the vertex
} Nearest;

static Nearest nearest_on(const WfSmallContact* c, const WfSmallBody* body, Vec3 p, int triangle) {
    const int* v = body->body->surface.triangles + 3 * (long)triangle;
    Nearest n = {.triangle = triangle};
    Vec3 corner[3];
    for (int k = 0; k < 3; k++) corner[k] = take(&c->x[body->first + v[k]]);
    find_weights(p, corner[0], corner[1], corner[2], n.w);
    n.away = p;
    for (int k = 0; k < 3; k++) n.away = madd(n.away, -n.w[k], corner[k]);
    n.square = dot(n.away, n.away);
    return n;
}

float wf_near_square(const WfSmallContact* c, const WfSmallBody* body, int vertex) {
    return nearest_on(c, body, take(&c->x[vertex]), body->nearest[vertex]).square;
}

// The triangle across an edge; -1: none.
static int triangle_across(const WfSurface* s, int triangle, int side) {
    int edge = s->triangle_edges[3 * (long)triangle + side];
    if (edge < 0) return -1;
    const int* of = s->edge_triangles + 2 * (long)edge;
    return of[0] == triangle ? of[1] : of[0];
}

enum { MOST_STRIDES = 8 };

// From triangle to triangle, across those edges that the nearest point lies on, while that is
// nearer.
int wf_near_walk(const WfSmallContact* c, WfSmallBody* body, int vertex) {
    Vec3 p = take(&c->x[vertex]);
    int began = body->nearest[vertex];
    Nearest best = nearest_on(c, body, p, began);
    for (int stride = 0; stride < MOST_STRIDES; stride++) {
        Nearest from = best;
        for (int side = 0; side < 3; side++) {  // corners 0 1, 1 2, 2 0
            if (from.w[(side + 2) % 3] > 0) continue;
            int other = triangle_across(&body->body->surface, from.triangle, side);
            if (other < 0) continue;
            Nearest there = nearest_on(c, body, p, other);
            if (there.square < 0.9999f * best.square) best = there;
        }
        if (best.triangle == from.triangle) break;
    }
    body->nearest[vertex] = best.triangle;
    return best.triangle != began;
}

// ---------------------------------------------------------------------------------------------

static Vec3 unit(Vec3 v) {
    float size = sqrtf(dot(v, v));
    return madd((Vec3){0, 0, 0}, size > 0 ? 1 / size : 0, v);
}

// It is found once in a step, and stands, plus 1, beside the normal.
float wf_near_bend(const WfSmallContact* c, const WfSmallBody* body, int vertex) {
    WfPoint4* normal = &c->normals[body->first + vertex];
    if (normal->w > 0) return normal->w - 1;
    const int* around = body->body->surface.neighbours + WF_NEIGHBOURS * (long)vertex;
    Vec3 x = take(&c->x[body->first + vertex]), n = unit(take(normal));
    float most = 0;
    for (int k = 0; k < WF_NEIGHBOURS && around[k] >= 0; k++) {
        Vec3 edge = sub(take(&c->x[body->first + around[k]]), x);
        Vec3 turn = sub(unit(take(&c->normals[body->first + around[k]])), n);
        float square = dot(edge, edge);
        if (square > 0) most = wf_larger(most, dot(turn, edge) / square);
    }
    normal->w = most + 1;
    return most;
}

// Rows of eight end with idle points, so that no row has a vertex twice.
static void end_rows(WfNearPlanes* l, int idle) {
    for (int lane = 0; l->count % WF_OCT != 0; lane++) {
        int k = l->count++;
        l->vertex[k] = idle + lane;
        l->nx[k] = l->ny[k] = l->nz[k] = l->wx[k] = l->wy[k] = l->wz[k] = 0;
        l->offset[k] = -1, l->friction[k] = l->target[k] = 0;
    }
}

static WfVec carried(const WfSmallBody* body, WfVec p) {
    return wf_sub(wf_pose_point(&body->to, wf_pose_local(&body->from, p)), p);
}

static WfPoint4 point_of(WfVec v) { return (WfPoint4){(float)v.x, (float)v.y, (float)v.z, 0}; }

// The way of a point with its frame is linear in it.
static void find_carry(const WfSmallContact* c, WfSmallBody* body) {
    WfVec origin = wf_load(c->origin, 0), way = carried(body, origin);
    const WfVec axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 3; k++)
        body->carry[k] = point_of(wf_sub(carried(body, wf_add(origin, axes[k])), way));
    body->carry[3] = point_of(way);
}

void wf_near_find_planes(WfSmallContact* c, float horizon, float h) {
    c->planes.count = 0;
    for (int b = 0; b < c->def.body_count; b++) {
        WfSmallBody* body = &c->bodies[b];
        if (body->off) continue;
        if (body->body->exact) find_carry(c, body);
        wf_small_wide()->find_planes(c, b, horizon, h);
        end_rows(&c->planes, c->def.vertex_count);
    }
}

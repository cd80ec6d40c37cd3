// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Vertices in front of bodies. Of triangles, each is held by the plane of the point that is nearest
// to it, found from the triangle that was nearest in the last round, across its edges. Exact bodies
// say themselves how far a vertex is. The plane goes along with the body through the round.

#include <math.h>

#include "small_steps/contact.h"

static WfVec vec_of(const WfPoint4* p) { return (WfVec){(double)p->x, (double)p->y, (double)p->z}; }

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
static Vec3 cross(Vec3 a, Vec3 b) {
    return (Vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

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
static Nearest walk(const WfSmallContact* c, const WfSmallBody* body, Vec3 p, int triangle) {
    Nearest best = nearest_on(c, body, p, triangle);
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
    return best;
}

// ---------------------------------------------------------------------------------------------

typedef struct Plane {
    int vertex;
    Vec3 normal, way;  // m in a substep
    float distance, hold;
} Plane;

static const float RECOVERY = 0.25f;  // of what is held: what comes back of it in a round

static void add_plane(WfSmallContact* c, int body, const Plane* plane) {
    WfNearPlanes* l = &c->planes;
    int k = l->count++;
    float back = RECOVERY * plane->hold, d = plane->distance;
    float target = wf_lesser(plane->hold, d + (d < 0 ? 4 * back : back));
    l->vertex[k] = plane->vertex;
    l->nx[k] = plane->normal.x, l->ny[k] = plane->normal.y, l->nz[k] = plane->normal.z;
    l->wx[k] = plane->way.x, l->wy[k] = plane->way.y, l->wz[k] = plane->way.z;
    l->offset[k] = dot(plane->normal, take(&c->x[plane->vertex])) - d + target;
    l->target[k] = target;
    l->friction[k] = wf_friction_on_body(c, plane->vertex, body);
    c->deepest = wf_larger(c->deepest, -d);
}

// How far a vertex may come nearer in a round, m.
static float approach(const WfSmallContact* c, int vertex, Vec3 normal, Vec3 velocity,
                      float horizon) {
    float speed = dot(normal, sub(velocity, take(&c->v[vertex])));
    return wf_larger(speed, 0) * horizon + c->slack;
}

static const float NO_DIRECTION = 1e-4f;  // m: nearer, it is that of the face

// What is inside, by the normals of the vertices of the triangle.
static bool is_behind(const WfSmallContact* c, const WfSmallBody* body, const Nearest* n) {
    const int* v = body->body->surface.triangles + 3 * (long)n->triangle;
    Vec3 out = {0, 0, 0};
    for (int k = 0; k < 3; k++) out = madd(out, n->w[k], take(&c->normals[body->first + v[k]]));
    return body->body->solid && dot(out, n->away) < 0;
}

static Vec3 face_normal(const WfSmallContact* c, const WfSmallBody* body, int triangle) {
    const int* v = body->body->surface.triangles + 3 * (long)triangle;
    Vec3 a = take(&c->x[body->first + v[0]]);
    Vec3 n =
        cross(sub(take(&c->x[body->first + v[1]]), a), sub(take(&c->x[body->first + v[2]]), a));
    float size = sqrtf(dot(n, n));
    return madd((Vec3){0, 0, 0}, size > 0 ? 1 / size : 0, n);
}

// Edges of a vertex sag by this into what bends by `bend`, 1/m, and no more than vertices are held
// off by for it. It is that of a ridge in the middle of an edge, twice as much as on a sphere.
static float sag_of(const WfSmallContact* c, int vertex, float bend) {
    float span = c->def.span[vertex];
    return wf_lesser(wf_larger(bend, 0) * span * span, wf_most_sag(c));
}

static Vec3 unit(Vec3 v) {
    float size = sqrtf(dot(v, v));
    return madd((Vec3){0, 0, 0}, size > 0 ? 1 / size : 0, v);
}

// By how much normals turn outwards along the edges around a vertex, 1/m, at most. It is found once
// in a step, and stands, plus 1, beside the normal.
static float bend_at(const WfSmallContact* c, const WfSmallBody* body, int vertex) {
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

static float hold_of_triangle(const WfSmallContact* c, const WfSmallBody* body, int vertex,
                              int triangle) {
    const int* v = body->body->surface.triangles + 3 * (long)triangle;
    float bend = wf_larger(bend_at(c, body, v[0]), bend_at(c, body, v[1]));
    return c->thickness[vertex] + sag_of(c, vertex, wf_larger(bend, bend_at(c, body, v[2])));
}

static void find_triangle_plane(WfSmallContact* c, int b, int vertex, float horizon, float h) {
    WfSmallBody* body = &c->bodies[b];
    Nearest n = walk(c, body, take(&c->x[vertex]), body->nearest[vertex]);
    const int* v = body->body->surface.triangles + 3 * (long)n.triangle;
    Plane plane = {.vertex = vertex, .hold = hold_of_triangle(c, body, vertex, n.triangle)};
    bool behind = is_behind(c, body, &n);
    Vec3 velocity = {0, 0, 0};
    body->nearest[vertex] = n.triangle;
    plane.distance = (behind ? -1.0f : 1.0f) * sqrtf(n.square);
    if (fabsf(plane.distance) < NO_DIRECTION && body->body->solid)
        plane.normal = face_normal(c, body, n.triangle);
    else if (n.square > 0)
        plane.normal = madd((Vec3){0, 0, 0}, 1 / plane.distance, n.away);
    else
        return;
    for (int k = 0; k < 3; k++) velocity = madd(velocity, n.w[k], take(&c->v[body->first + v[k]]));
    float reach = approach(c, vertex, plane.normal, velocity, horizon);
    if (plane.distance > plane.hold + reach) return;
    plane.way = madd((Vec3){0, 0, 0}, h, velocity);
    add_plane(c, b, &plane);
}

static float hold_of_exact(const WfSmallContact* c, const WfBody* body, int vertex) {
    float bend = wf_is_round(body) ? 1 / ((float)body->radius + c->thickness[vertex]) : 0;
    return c->thickness[vertex] + sag_of(c, vertex, bend);
}

static void find_exact_plane(WfSmallContact* c, int b, int vertex, float horizon, float h) {
    WfSmallBody* body = &c->bodies[b];
    WfVec normal, p = wf_add(vec_of(&c->x[vertex]), wf_load(c->origin, 0));
    Plane plane = {.vertex = vertex, .hold = hold_of_exact(c, body->body, vertex)};
    plane.distance = (float)wf_body_distance(body->body, &body->from, p, &normal);
    // most are too far, whatever they do
    const WfPoint4* v = &c->v[vertex];
    float speed = sqrtf(v->x * v->x + v->y * v->y + v->z * v->z);
    WfVec at = wf_madd(p, -(double)plane.distance, normal);
    WfVec to = at;
    if (body->moves) to = wf_pose_point(&body->to, wf_pose_local(&body->from, at));
    WfVec moved = wf_sub(to, at);
    float way = (float)wf_length(moved);
    if (plane.distance > plane.hold + c->slack + speed * horizon + way) return;
    plane.normal = (Vec3){(float)normal.x, (float)normal.y, (float)normal.z};
    Vec3 velocity = {(float)moved.x / horizon, (float)moved.y / horizon, (float)moved.z / horizon};
    if (plane.distance > plane.hold + approach(c, vertex, plane.normal, velocity, horizon)) return;
    plane.way = madd((Vec3){0, 0, 0}, h, velocity);
    add_plane(c, b, &plane);
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

void wf_near_find_planes(WfSmallContact* c, float horizon, float h) {
    c->planes.count = 0;
    for (int b = 0; b < c->def.body_count; b++) {
        const WfSmallBody* body = &c->bodies[b];
        if (body->off) continue;
        for (int i = 0; i < c->def.vertex_count; i++) {
            if (body->meets && !body->meets[c->def.cloth_of[i]]) continue;
            if (body->body->exact)
                find_exact_plane(c, b, i, horizon, h);
            else if (body->nearest[i] >= 0)
                find_triangle_plane(c, b, i, horizon, h);
        }
        end_rows(&c->planes, c->def.vertex_count);
    }
}

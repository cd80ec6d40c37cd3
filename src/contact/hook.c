// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Cloth that is pulled over a sharp edge turns there by its whole angle within one vertex. Such a
// vertex, and contacts beside it, have the normal of the face that they came along:
//
//     pull <-------o->  normal
//        ##########|    Within atan(friction) of the normal friction holds any pull, though behind
//        ##########|    the vertex nothing pulls. A sheet that is wrapped around the edge is
//        ##########|    pressed from all sides between both faces, and holds exp(friction angle)
//                       times what pulls behind.
//
// So it stuck for good, the more the finer the mesh, by converged steps as well. Where cloth is
// stretched further than friction stretches any cloth, the normal turns to that of the cloth, the
// mean of the triangles on both sides of the edge, inside of the cone of normals that an edge or a
// corner has: any half-space of these holds the body. And friction fades. Stretch of a sheet of 1 m
// and 20 x 20 cells on a box of 0.5 m, the most and a second and a half after a corner of it was
// pulled aside at 6 m/s:
//
//     friction                0.1          0.3          0.6          0.8
//     neither              4.3, 1.02    4.7, 1.6     5.2, 4.7     4.7, 4.7
//     the normal alone     2.9, 1.01    3.0, 1.02    3.6, 1.03    4.1, 1.07
//     friction alone       2.7, 1.02    3.0, 1.01    3.4, 1.01    3.2, 1.02
//     both                 2.1, 1.02    2.4, 1.02    2.3, 1.03    2.3, 1.02
//
// (Normals of the cloth at any stretch: what lies on a box creeps up to three times as far until it
// rests. From a stretch of 1.1 on: a sheet that slides off needles is different, and no better.)

#include "contact/hook.h"

#include <math.h>

#include "contact/sharp.h"

static const double HOOKS = 1.2, FREE = 1.4;  // stretch where this begins, and is all there is
static const double REACH = 1.2;       // of the thickness: a vertex so near to an edge is at it
static const double POINTED = 0.4;     // the sine by which a corner falls off, one that hooks
static const double OUTSIDE = 1e-3;    // of a cone: may be rounding
static const double LEAST_MEAN = 0.3;  // of directions: a shorter mean says nothing
enum { PASSES = 4 };

// Normals of half-spaces that hold a body at an edge or a corner of it.
typedef struct Cone {
    WfVec below[WF_NEIGHBOURS];  // directions in which the body goes on: no normal is along them
    int count;
    WfVec along;  // of an edge: normals are square to it; zero for a corner
} Cone;

static WfVec across(WfVec along, WfVec v) { return wf_sub(v, wf_along(along, v)); }

static Cone cone_of_edge(const WfMover* mover, int edge) {
    const WfSurface* s = &mover->body->surface;
    const int* ends = s->edges + 2 * (long)edge;
    WfVec start = wf_load(mover->x0, ends[0]);
    Cone cone = {.along = wf_unit(wf_sub(wf_load(mover->x0, ends[1]), start))};
    for (int k = 0; k < 6; k++) {
        int triangle = s->edge_triangles[2 * (long)edge + k / 3];
        int v = s->triangles[3 * (long)triangle + k % 3];
        if (v == ends[0] || v == ends[1]) continue;
        WfVec away = across(cone.along, wf_sub(wf_load(mover->x0, v), start));
        cone.below[cone.count++] = wf_unit(away);
    }
    return cone;
}

static Cone cone_of_corner(const WfMover* mover, int corner) {
    const int* neighbours = mover->body->surface.neighbours + WF_NEIGHBOURS * (long)corner;
    WfVec x = wf_load(mover->x0, corner);
    Cone cone = {.count = 0};
    for (int k = 0; k < WF_NEIGHBOURS && neighbours[k] >= 0; k++)
        cone.below[cone.count++] = wf_unit(wf_sub(wf_load(mover->x0, neighbours[k]), x));
    return cone;
}

// At which sharp edge of its triangle a vertex is, or at the corner between two; an empty cone
// where it is at none.
static Cone cone_near(const WfWorld* w, const WfMover* mover, WfPair pair) {
    const WfSurface* s = &mover->body->surface;
    const int* v = s->triangles + 3 * (long)pair.b;
    const int* edges = s->triangle_edges + 3 * (long)pair.b;
    WfVec x = wf_load(w->x, pair.a);
    int near[3], count = 0;
    for (int k = 0; k < 3; k++) {
        WfVec a = wf_load(mover->x0, v[k]), b = wf_load(mover->x0, v[(k + 1) % 3]);
        if (wf_is_sharp_edge(s, mover->x0, edges[k]) &&
            wf_segment_distance(x, a, b) < REACH * w->thickness[pair.a])
            near[count++] = k;
    }
    if (count == 0) return (Cone){.count = 0};
    if (count == 1) return cone_of_edge(mover, edges[near[0]]);
    return cone_of_corner(mover, near[1] == near[0] + 1 ? v[near[1]] : v[0]);
}

static Cone cone_of(const WfWorld* w, const WfMover* mover, WfPairKind kind, WfPair pair) {
    const WfSurface* s = &mover->body->surface;
    if (kind == WF_POINTS) return cone_near(w, mover, pair);
    if (kind == WF_CORNERS) return cone_of_corner(mover, pair.b);
    if (wf_is_sharp_edge(s, mover->x0, pair.b)) return cone_of_edge(mover, pair.b);
    return (Cone){.count = 0};
}

// Whether n is a normal of an edge or a corner at which cloth hooks.
static bool hooks(const Cone* cone, WfVec n) {
    double least = 0, most = 0;
    for (int k = 0; k < cone->count; k++) {
        double up = wf_dot(n, cone->below[k]);
        least = fmin(least, up);
        most = fmax(most, up);
    }
    bool edge = wf_dot(cone->along, cone->along) > 0;
    return cone->count > 0 && most < OUTSIDE && (edge || least < -POINTED);
}

// The mean of the directions of the triangles around a vertex.
static WfVec vertex_normal(const WfWorld* w, int vertex) {
    const WfSurface* s = w->cloth;
    WfVec sum = {0, 0, 0};
    for (int k = s->around_start[vertex]; k < s->around_start[vertex + 1]; k++) {
        const int* v = s->triangles + 3 * (long)s->around[k];
        WfVec a = wf_load(w->x, v[0]);
        WfVec b = wf_sub(wf_load(w->x, v[1]), a), c = wf_sub(wf_load(w->x, v[2]), a);
        sum = wf_add(sum, wf_unit(wf_cross(b, c)));
    }
    return wf_unit(wf_plane_let(&w->mirror, vertex, sum));
}

// The same at a contact, on the side of n.
static WfVec cloth_normal(const WfWorld* w, const WfContact* contact, WfVec n) {
    WfVec sum = {0, 0, 0};
    for (int k = 0; k < contact->count; k++)
        sum = wf_madd(sum, fabs(contact->weights[k]), vertex_normal(w, contact->vertices[k]));
    return wf_dot(sum, n) < 0 ? wf_mul(-1, sum) : sum;
}

// m, as near to the cone as a few projections bring it.
static WfVec into_cone(const Cone* cone, WfVec m) {
    m = across(cone->along, m);
    for (int k = 0; k < PASSES * cone->count; k++) {
        WfVec below = cone->below[k % cone->count];
        m = wf_madd(m, -fmax(0, wf_dot(m, below)), below);
    }
    return m;
}

// n, turned by `part` towards m, as far as the cone goes.
static WfVec turned(const Cone* cone, WfVec n, WfVec m, double part) {
    double length = wf_length(m), most = 1;
    if (!(length > LEAST_MEAN)) return n;
    m = wf_mul(1 / length, m);
    for (int k = 0; k < cone->count; k++) {
        double now = wf_dot(n, cone->below[k]), then = wf_dot(m, cone->below[k]);
        if (then > OUTSIDE) most = fmin(most, (OUTSIDE - now) / (then - now));
    }
    WfVec to = wf_madd(n, part * most, wf_sub(m, n));
    length = wf_length(to);
    return length > LEAST_MEAN ? wf_mul(1 / length, to) : n;
}

void wf_unhook(const WfWorld* w, const WfMover* mover, WfPairKind kind, WfPair pair,
               WfContact* contact) {
    double stretch = 0;
    for (int k = 0; k < contact->count; k++)
        stretch = fmax(stretch, w->stretch[contact->vertices[k]]);
    if (!(stretch > HOOKS * HOOKS)) return;
    Cone cone = cone_of(w, mover, kind, pair);
    double side = kind == WF_CORNERS ? -1 : 1;  // of the cloth
    WfVec n = wf_mul(side, contact->normal);
    if (!hooks(&cone, n)) return;
    double part = fmin(1, (sqrt(stretch) - HOOKS) / (FREE - HOOKS));
    WfVec m = into_cone(&cone, cloth_normal(w, contact, n));
    contact->normal = wf_mul(side, turned(&cone, n, m, part));
    contact->friction *= 1 - part;
}

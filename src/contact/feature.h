// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A pair of features on its way through a substep: a point and a triangle, or two edges; of cloth,
// or of cloth and a body.

#ifndef WF_CONTACT_FEATURE_H
#define WF_CONTACT_FEATURE_H

#include "contact/sift.h"
#include "contact/world.h"

// One side of a search: the cloth, or a body.
typedef struct WfSide {
    const WfSurface* surface;
    const double *x0, *x1;  // at the start and the end
    bool cloth;
    const WfMover* mover;  // NULL: cloth
} WfSide;

WfSide wf_cloth_side(const WfWorld* world, const double* x1);
WfSide wf_body_side(const WfMover* mover);

typedef struct WfFeature {
    WfVec x0[4], x1[4];  // the point, the corners; or the ends of both edges
    int vertices[4];     // of cloth, or -1: of a body
    double core;  // a round body is a point or an edge with all around it that is nearer than this,
    double taper;  // and by so much more at the other end of the edge
    double thickness, friction_square;
    bool edges;   // two edges, else a point and a triangle
    bool joined;  // by an edge of the cloth, one to the other
} WfFeature;

// Two surfaces.
typedef struct WfSides {
    const WfWorld* world;
    WfSide first, second;
} WfSides;

WfFeature wf_feature(const WfSides* sides, WfPairKind kind, WfPair pair);

// The box that holds the axis of a round body on its whole way.
void wf_core_box(const WfMover* mover, double low[3], double high[3]);
// A round body against what lies between the corners of a triangle: its ends as points against
// the triangle, its axis against those edges for which the triangle speaks. Fills up to 5 features,
// none where no point of the triangle can come nearer than `reach` to the surface; by the spans and
// ways measured before.
// world->nearest: how near each vertex may come to the axis on its way to x1; endless where its run
// is far (runs.h).
void wf_measure_ways(WfWorld* world, const WfMover* mover, const double* x1);
int wf_round_features(const WfWorld* world, const WfMover* mover, const WfSide* cloth, int triangle,
                      double reach, WfFeature features[5]);

// The closest points of four places: weights add up to zero, and the normal leads from the second
// to the first. Beside a core that tapers, the distance is that to the surface, and the core.
typedef struct WfClosest {
    double weights[4], distance;
    WfVec normal;  // zero where they touch
} WfClosest;

WfClosest wf_closest(const WfFeature* feature, const WfVec* x);
// By how much the core is larger there than at its first end.
double wf_taper_at(const WfFeature* feature, const WfClosest* closest);
WfVec wf_weighted(const WfClosest* closest, const WfVec* x);

// What is seen of a pair that is near.
typedef struct WfSight {
    WfClosest closest;  // now, or when it meets
    double distance;    // now
    double thickness;   // of the feature
    bool near, tangled;
    bool counts;   // it is near, now or on its way: such pairs are in all lists
    double depth;  // of the first of a block: how far thickness is not kept by any of them
    bool beside;   // in the plane of the cloth
} WfSight;

// When it comes nearer than `keep`, or as near to that as `close` (impact.h, also of `looks`);
// above 1: it does not.
double wf_impact(const WfFeature* feature, double keep, double close, long* looks);

// Whether it belongs to what is crossed on both sides, and would keep it crossed.
bool wf_is_tangled(const WfWorld* world, const WfFeature* feature);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What a vertex of shown cloth sees of the surface of a body: which place of it is nearest, and
// where the line from the coarse cloth to the vertex comes through.

#ifndef WF_DETAIL_SIGHT_H
#define WF_DETAIL_SIGHT_H

#include "detail/boxes.h"

enum { WF_MOST_FACETS = 128 };

// The surface of a body as it is now, in its own frame.
typedef struct WfSkin {
    WfBoxes boxes;
    double* x;   // of vertices
    bool solid;  // closed: it has an inside
} WfSkin;

// A triangle of it.
typedef struct WfFacet {
    WfVec c[3];
    WfVec n;  // of length 1; 0 where it has no area
    WfVec middle;
    double radius;  // of the ball around the middle that holds it
} WfFacet;

// Those that reach into a region; `all`: there are more than fit.
typedef struct WfFacets {
    bool solid;
    WfRegion region;
    int count;
    bool all;
    WfFacet list[WF_MOST_FACETS];
    float balls[4][WF_MOST_FACETS];  // around them: middles, from that of the region, and radii
} WfFacets;

// The nearest place of a surface to p, and where a line from e to p enters it first.
typedef struct WfSight {
    double far;    // how far away; at first, how far is looked
    double front;  // how far p is in front of the triangle that has it; below 0, inside
    WfVec place, normal;
    bool found;
    double enters;  // of the line; above 1, nowhere,
    WfVec entry;    // and the normal there
} WfSight;

// leaves: of a region around this one, or NULL.
void wf_find_facets(const WfSkin* skin, const WfNearLeaves* leaves, const WfRegion* region,
                    WfFacets* facets);
// Whether all that is nearer than `keep` to p, which is seen from e in the region, is among them.
bool wf_facets_cover(const WfFacets* facets, WfVec p, double keep);
// Whether one of them is nearer than `keep` to p, or between e and p.
bool wf_facets_near(const WfFacets* facets, WfVec e, WfVec p, double keep);
// Of those that p is covered by. Where the line comes in is a way out, and no place that is further
// away is wanted. The nearest of them may not be the nearest of all, but is a way out as well.
WfSight wf_see_facets(const WfFacets* facets, WfVec e, WfVec p, double keep);
// All that is as near to p as e is.
WfSight wf_see_skin(const WfSkin* skin, WfVec e, WfVec p, double keep);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "detail/sight.h"

#include <math.h>

#include "base/simd.h"
#include "contact/near.h"
#include "detail/smooth.h"

static const double SAME = 1e-9;      // of a distance: differences that are rounding
static const double ON_IT = 1e-9;     // of a side: so far outside of a triangle still is in it
static const double ROUNDED = 1e-6;   // of a place, as a float
static const double ENTIRELY = 1e-6;  // of what is to be kept: rounding of regions

// Some of them.
typedef struct Few {
    int count;
    const WfFacet* list[WF_MOST_FACETS];
} Few;

static WfFacet facet_of(const WfSkin* skin, int t) {
    const int* v = skin->boxes.triangles + 3 * (long)t;
    WfFacet f = {.c = {wf_load(skin->x, v[0]), wf_load(skin->x, v[1]), wf_load(skin->x, v[2])}};
    f.n = wf_unit(wf_cross(wf_sub(f.c[1], f.c[0]), wf_sub(f.c[2], f.c[0])));
    f.middle = wf_mul(1.0 / 3, wf_add(wf_add(f.c[0], f.c[1]), f.c[2]));
    double most = 0;
    for (int k = 0; k < 3; k++) {
        WfVec off = wf_sub(f.c[k], f.middle);
        most = fmax(most, wf_dot(off, off));
    }
    f.radius = sqrt(most);
    return f;
}

static void see_nearest(const WfFacet* f, WfVec p, double height, WfSight* sight) {
    double w[3], far = sight->far * (1 + SAME), within = far + f->radius;
    WfVec off = wf_sub(p, f->middle);
    if (fabs(height) > far || wf_dot(off, off) > within * within) return;
    double square = wf_near_point_triangle(p, f->c[0], f->c[1], f->c[2], w);
    if (!(square <= far * far)) return;
    // at an edge or a corner, the triangle that p is most in front of, or behind, tells the side
    double nearest = sqrt(square);
    bool same = sight->found && nearest >= sight->far * (1 - SAME);
    if (same && fabs(height) <= fabs(sight->front)) return;
    sight->far = fmin(nearest, sight->far);
    sight->front = height;
    sight->place = wf_blend(f->c, w);
    sight->normal = f->n;
    sight->found = true;
}

static double height_over(const WfFacet* f, WfVec p) { return wf_dot(f->n, wf_sub(p, f->c[0])); }

// From one side of a triangle, `before` above it, to the other, by a line from e to p.
static void see_entry(const WfFacet* f, WfVec e, WfVec p, double before, double after,
                      WfSight* sight) {
    double part = before / (before - after);
    if (part >= sight->enters) return;
    WfVec x = wf_madd(e, part, wf_sub(p, e));
    for (int k = 0; k < 3; k++) {
        WfVec side = wf_sub(f->c[(k + 1) % 3], f->c[k]);
        double slack = ON_IT * wf_length(side);
        if (wf_dot(f->n, wf_cross(side, wf_sub(x, f->c[k]))) < -slack) return;
    }
    sight->enters = part;
    sight->entry = before >= 0 ? f->n : wf_mul(-1, f->n);
}

// Closed bodies are entered from the front, open ones from both sides.
static void see_line(const WfFacet* f, bool solid, WfVec e, WfVec p, WfSight* sight) {
    double before = height_over(f, e), after = height_over(f, p);
    if ((before >= 0 && after < 0) || (!solid && before < 0 && after >= 0))
        see_entry(f, e, p, before, after, sight);
}

static void see_facet(const WfFacet* f, bool solid, WfVec e, WfVec p, WfSight* sight) {
    see_nearest(f, p, height_over(f, p), sight);
    see_line(f, solid, e, p, sight);
}

// Whether a triangle has points between the planes of a region.
static bool is_between(const WfFacet* f, const WfRegion* region) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        double at = wf_dot(region->normal, wf_sub(f->c[k], region->centre));
        low = fmin(low, at);
        high = fmax(high, at);
    }
    double off = wf_dot(f->n, wf_sub(region->centre, f->c[0]));
    return high >= region->low && low <= region->high && fabs(off) <= region->radius;
}

// A search for triangles that reach into a region.
typedef struct Search {
    const WfSkin* skin;
    WfFacets* facets;
} Search;

static bool find_facet(void* context, int t) {
    const Search* search = context;
    WfFacets* facets = search->facets;
    WfFacet f = facet_of(search->skin, t);
    if (!is_between(&f, &facets->region)) return true;
    facets->all = facets->count == WF_MOST_FACETS;
    if (facets->all) return false;
    WfVec off = wf_sub(f.middle, facets->region.centre);
    const double ball[4] = {off.x, off.y, off.z, f.radius * (1 + ROUNDED)};
    for (int k = 0; k < 4; k++) facets->balls[k][facets->count] = (float)ball[k];
    facets->list[facets->count++] = f;
    return true;
}

void wf_find_facets(const WfSkin* skin, const WfNearLeaves* leaves, const WfRegion* region,
                    WfFacets* facets) {
    Search search = {skin, facets};
    facets->solid = skin->solid;
    facets->region = *region;
    facets->count = 0;
    facets->all = false;
    wf_boxes_visit(&skin->boxes, leaves, region, find_facet, &search);
    for (int f = facets->count; f % WF_BOX_LANES != 0; f++)
        for (int k = 0; k < 4; k++) facets->balls[k][f] = 0;
}

// Those that may be nearer to p than `reach`, four at a time.
static void find_few(const WfFacets* facets, WfVec p, double reach, Few* few) {
    WfVec at = wf_sub(p, facets->region.centre);
    WfQuad x = wf_quad_set((float)at.x), y = wf_quad_set((float)at.y), z = wf_quad_set((float)at.z);
    double size = fabs(at.x) + fabs(at.y) + fabs(at.z);
    WfQuad more = wf_quad_set((float)(reach + ROUNDED * (reach + size)));
    few->count = 0;
    for (int f = 0; f < facets->count; f += WF_BOX_LANES) {
        WfQuad dx = wf_quad_sub(wf_quad_load(facets->balls[0] + f), x);
        WfQuad dy = wf_quad_sub(wf_quad_load(facets->balls[1] + f), y);
        WfQuad dz = wf_quad_sub(wf_quad_load(facets->balls[2] + f), z);
        WfQuad within = wf_quad_add(wf_quad_load(facets->balls[3] + f), more);
        WfQuad square = wf_quad_add(wf_quad_mul(dx, dx), wf_quad_mul(dy, dy));
        square = wf_quad_add(square, wf_quad_mul(dz, dz));
        int off = wf_mask_bits(wf_quad_above(square, wf_quad_mul(within, within)));
        for (int k = 0; k < WF_BOX_LANES && f + k < facets->count; k++)
            if (!(off >> k & 1)) few->list[few->count++] = &facets->list[f + k];
    }
}

bool wf_facets_cover(const WfFacets* facets, WfVec p, double keep) {
    const WfRegion* region = &facets->region;
    if (facets->all) return false;
    WfVec off = wf_sub(p, region->centre);
    double height = wf_dot(off, region->normal), slack = keep * (1 - ENTIRELY);
    return wf_length(off) + slack <= region->radius && height - slack >= region->low &&
           height + slack <= region->high;
}

bool wf_facets_near(const WfFacets* facets, WfVec e, WfVec p, double keep) {
    WfSight sight = {.far = keep, .enters = 2};
    Few few;
    find_few(facets, p, fmax(wf_length(wf_sub(p, e)), keep), &few);
    for (int f = 0; f < few.count && !sight.found && sight.enters > 1; f++)
        see_facet(few.list[f], facets->solid, e, p, &sight);
    return sight.found || sight.enters <= 1;
}

WfSight wf_see_facets(const WfFacets* facets, WfVec e, WfVec p, double keep) {
    double line = wf_length(wf_sub(p, e));
    WfSight sight = {.far = keep, .enters = 2};
    Few few;
    find_few(facets, p, fmax(line, keep), &few);
    for (int f = 0; f < few.count; f++) see_line(few.list[f], facets->solid, e, p, &sight);
    if (sight.enters <= 1) sight.far = fmax(keep, (1 - sight.enters) * line * (1 + SAME));
    for (int f = 0; f < few.count; f++)
        see_nearest(few.list[f], p, height_over(few.list[f], p), &sight);
    return sight;
}

typedef struct Look {
    const WfSkin* skin;
    WfVec e, p;
    WfSight sight;
} Look;

static bool look_at(void* context, int t) {
    Look* look = context;
    WfFacet f = facet_of(look->skin, t);
    see_facet(&f, look->skin->solid, look->e, look->p, &look->sight);
    return true;
}

WfSight wf_see_skin(const WfSkin* skin, WfVec e, WfVec p, double keep) {
    double reach = fmax(wf_length(wf_sub(p, e)), keep);
    Look look = {skin, e, p, {.far = reach, .enters = 2}};
    WfRegion region = {.centre = p, .radius = reach * (1 + SAME)};
    wf_boxes_visit(&skin->boxes, NULL, &region, look_at, &look);
    return look.sight;
}

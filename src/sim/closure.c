// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// After Jang 2019, whose overlap moves every image that is on the wrong side behind the triangle
// whose box it is in. That leaves triangles of the image that reach through from a corner that has
// moved to one that has not. Here the corners of all triangles that come near the other half are
// moved, each behind all that its triangles could meet: behind the lowest point of every triangle
// whose box meets theirs.

#include "sim/closure.h"

#include <math.h>
#include <stdlib.h>

#include "base/vec.h"

static const double HAIR = 1e-5;  // m, before the plane: in it, cloth would lie in its image

void wf_close_rows(WeftState* state) {
    const WeftModel* m = state->model;
    const WfPlane* mirror = &m->system.mirror;
    if (m->shown.closure != WEFT_CLOSURE_ZIP) return;
    for (int i = 0; i < m->system.vertex_count; i++) {
        WfVec x = wf_load(state->x, i);
        bool free_row = !state->pinned[i] && !wf_plane_holds(mirror, i);
        if (!free_row || wf_plane_height(mirror, x) >= 0) continue;
        wf_store(state->x, i, wf_madd(wf_plane_nearest(mirror, x), HAIR, mirror->normal));
        wf_set_velocity(state, i, wf_plane_flatten(mirror, wf_load(state->v, i)));
    }
}

// ---------------------------------------------------------------------------------------------
// Overlap. Places are measured along the normal, the front and the third direction.

static const double GAP = 0.005;  // m, behind the other half
static const double NEAR = 0.02;  // m, by which boxes are larger along the front
enum { MOST_PASSES = 4 };         // what has moved may meet what is further back

typedef WfZoneBox Box;

typedef struct Overlap {
    const WfShown* shown;
    WfVec axes[3];
    double depth;  // m, how far this half has got to the other side
    double* x;
    int count;      // triangles of this half that the image could meet:
    Box* boxes;     // by where they begin along the third direction,
    double extent;  // along which none is longer than this
} Overlap;

static Box empty_box(void) {
    return (Box){{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
}

static void add_point(const Overlap* o, int vertex, Box* box) {
    WfVec x = wf_load(o->x, vertex);
    for (int k = 0; k < 3; k++) {
        double at = wf_dot(o->axes[k], x);
        box->low[k] = fmin(box->low[k], at);
        box->high[k] = fmax(box->high[k], at);
    }
}

static Box triangle_box(const Overlap* o, int t) {
    Box box = empty_box();
    for (int k = 0; k < 3; k++) add_point(o, o->shown->triangles[3 * (long)t + k], &box);
    return box;
}

static bool boxes_meet(const Box* a, const Box* b) {
    for (int k = 0; k < 3; k++)
        if (a->low[k] > b->high[k] || b->low[k] > a->high[k]) return false;
    return true;
}

// Whether a triangle is all of this half (1), all of the image (-1).
static int side_of(const WfShown* shown, int t) {
    const int* v = shown->triangles + 3 * (long)t;
    for (int k = 0; k < 3; k++)
        if (shown->sides[v[k]] != 0) return shown->sides[v[k]];
    return 0;
}

// The first box that begins at `at` or behind it.
static int first_from(const Overlap* o, double at) {
    int low = 0, high = o->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (o->boxes[middle].low[1] < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The lowest point along the front of all of this half that a box meets.
static double lowest(const Overlap* o, const Box* box) {
    double low = HUGE_VAL;
    for (int k = first_from(o, box->low[1] - o->extent); k < o->count; k++) {
        if (o->boxes[k].low[1] > box->high[1]) break;
        if (boxes_meet(box, &o->boxes[k])) low = fmin(low, o->boxes[k].low[2]);
    }
    return low;
}

// Push the corners of a triangle of the image behind what it could meet; whether one has moved.
static bool push_triangle(const Overlap* o, int t) {
    Box box = triangle_box(o, t);
    box.low[2] -= NEAR;
    box.high[2] += NEAR;
    double most = lowest(o, &box) - GAP;
    bool moved = false;
    for (int k = 0; k < 3; k++) {
        int v = o->shown->triangles[3 * (long)t + k];
        WfVec x = wf_load(o->x, v);
        double at = wf_dot(o->axes[2], x);
        if (!(at > most + 1e-9) || o->shown->sides[v] >= 0) continue;
        wf_store(o->x, v, wf_madd(x, most - at, o->axes[2]));
        moved = true;
    }
    return moved;
}

// How far this half has got to the other side, at most.
static double find_depth(const WeftState* state) {
    const WfSystem* s = &state->model->system;
    double depth = 0;
    for (int i = 0; i < s->vertex_count; i++) {
        double below = -wf_plane_height(&s->mirror, wf_load(state->x, i));
        if (below > depth && !wf_plane_holds(&s->mirror, i)) depth = below;
    }
    return depth;
}

// Whether a triangle of one side reaches into the zone in which the halves overlap; and its box.
static bool is_in_zone(const Overlap* o, double middle, int side, int t, Box* box) {
    if (side_of(o->shown, t) != side) return false;
    *box = triangle_box(o, t);
    return box->low[0] < middle + o->depth && box->high[0] > middle - o->depth;
}

static int compare_boxes(const void* a, const void* b) {
    double one = ((const Box*)a)->low[1], other = ((const Box*)b)->low[1];
    return (one > other) - (one < other);
}

static void list_own(Overlap* o, double middle) {
    for (int t = 0; t < o->shown->triangle_count; t++) {
        Box* box = &o->boxes[o->count];
        if (!is_in_zone(o, middle, 1, t, box)) continue;
        o->extent = fmax(o->extent, box->high[1] - box->low[1]);
        o->count++;
    }
    qsort(o->boxes, (size_t)o->count, sizeof *o->boxes, compare_boxes);
}

static int list_images(const Overlap* o, double middle, int* list) {
    int count = 0;
    Box box;
    for (int t = 0; t < o->shown->triangle_count; t++)
        if (is_in_zone(o, middle, -1, t, &box)) list[count++] = t;
    return count;
}

void wf_show_overlap(WeftState* state) {
    const WeftModel* m = state->model;
    const WfShown* shown = &m->shown;
    if (shown->closure != WEFT_CLOSURE_BUTTON) return;
    Overlap o = {.shown = shown,
                 .depth = find_depth(state),
                 .x = state->shown_x,
                 .boxes = state->zone_boxes};
    if (!(o.depth > 0)) return;
    o.axes[0] = m->system.mirror.normal;
    o.axes[1] = wf_cross(m->system.mirror.normal, shown->front);
    o.axes[2] = shown->front;
    double middle = wf_dot(m->system.mirror.normal, m->system.mirror.point);
    int* images = state->zone_triangles;
    list_own(&o, middle);
    int count = list_images(&o, middle, images);
    bool moved = true;
    for (int pass = 0; pass < MOST_PASSES && moved; pass++) {
        moved = false;
        for (int k = 0; k < count; k++) moved = push_triangle(&o, images[k]) || moved;
    }
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// After Jang 2019, whose overlap moves every image that is on the wrong side behind the triangle
// whose box it is in. That leaves triangles of the image that reach through from a corner that has
// moved to one that has not. Here the corners of all triangles that come near the other half are
// moved, each behind all that its triangles could meet: behind the lowest point of every triangle
// whose box meets theirs. What is around them moves along, less and less: points move by at most
// a quarter of their distance against each other, so that the image does not pass through itself.

#include "sim/closure.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"

static const double HAIR = 1e-5;  // m, before the plane: in it, cloth would lie in its image

void wf_close_rows(WeftState* state) {
    const WeftModel* m = state->model;
    const WfPlane* mirror = &m->system.mirror;
    if (m->shown.closure != WEFT_CLOSURE_ZIP) return;
    for (int i = 0; i < m->system.vertex_count; i++) {
        WfVec x = wf_load(state->x, i);
        bool free_row = !state->pinned[i] && !wf_plane_holds(mirror, i);
        if (!free_row || wf_plane_height(mirror, x) >= HAIR) continue;
        wf_store(state->x, i, wf_madd(wf_plane_nearest(mirror, x), HAIR, mirror->normal));
        wf_set_velocity(state, i, wf_plane_flatten(mirror, wf_load(state->v, i)));
    }
}

// ---------------------------------------------------------------------------------------------
// Overlap. Places are measured along the normal, the front and the third direction.

static const double GAP = 0.005;  // m, behind the other half
static const double NEAR = 0.02;  // m, by which boxes are larger along the front
static const double YIELD = 0.25;  // m per m: how fast a push fades
enum { MOST_PASSES = 4 };         // what has moved may meet what is further back

typedef struct Box {
    double low[3], high[3];  // along the normal, the third direction, the front
} Box;

typedef struct Overlap {
    const WfShown* shown;
    WfVec axes[3];
    double depth;                // m, how far this half has got to the other side
    double *x, *pushes, *moves;  // per vertex: m, in this pass
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

// The lowest point along the front of all of this half that a box meets.
static double lowest(const Overlap* o, const Box* box, const int* list, int count) {
    double low = HUGE_VAL;
    for (int k = 0; k < count; k++) {
        Box own = triangle_box(o, list[k]);
        if (boxes_meet(box, &own)) low = fmin(low, own.low[2]);
    }
    return low;
}

// Push the corners of a triangle of the image behind what it could meet; whether one has moved.
static bool push_triangle(const Overlap* o, int t, const int* list, int count) {
    Box box = triangle_box(o, t);
    box.low[2] -= NEAR;
    box.high[2] += NEAR;
    double most = lowest(o, &box, list, count) - GAP;
    bool moved = false;
    for (int k = 0; k < 3; k++) {
        int v = o->shown->triangles[3 * (long)t + k];
        double at = wf_dot(o->axes[2], wf_load(o->x, v));
        if (!(at > most + 1e-9) || o->shown->sides[v] >= 0) continue;
        o->pushes[v] = fmax(o->pushes[v], at - most);
        moved = true;
    }
    return moved;
}

// The most of what others are pushed by, less a quarter of the way to them.
static double drawn_along(const Overlap* o, int v, const int* pushed, int count) {
    double most = o->pushes[v];
    for (int k = 0; k < count; k++) {
        double push = o->pushes[pushed[k]];
        WfVec apart = wf_sub(wf_load(o->x, pushed[k]), wf_load(o->x, v));
        if (push > most) most = fmax(most, push - YIELD * wf_length(apart));
    }
    return most;
}

// What was pushed, and what is around it, goes back.
static void move_images(const Overlap* o, int* pushed) {
    int count = 0;
    for (int v = 0; v < o->shown->vertex_count; v++)
        if (o->pushes[v] > 0) pushed[count++] = v;
    for (int v = 0; v < o->shown->vertex_count; v++)
        if (o->shown->sides[v] < 0) o->moves[v] = drawn_along(o, v, pushed, count);
    for (int v = 0; v < o->shown->vertex_count; v++)
        if (o->shown->sides[v] < 0)
            wf_store(o->x, v, wf_madd(wf_load(o->x, v), -o->moves[v], o->axes[2]));
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

// Triangles of one side that reach into the zone in which the halves overlap.
static int list_zone(const Overlap* o, double middle, int side, int* list) {
    int count = 0;
    for (int t = 0; t < o->shown->triangle_count; t++) {
        if (side_of(o->shown, t) != side) continue;
        Box box = triangle_box(o, t);
        if (box.low[0] < middle + o->depth && box.high[0] > middle - o->depth) list[count++] = t;
    }
    return count;
}

void wf_show_overlap(WeftState* state) {
    const WeftModel* m = state->model;
    const WfShown* shown = &m->shown;
    if (shown->closure != WEFT_CLOSURE_BUTTON) return;
    Overlap o = {.shown = shown,
                 .depth = find_depth(state),
                 .x = state->shown_x,
                 .pushes = state->zone_pushes,
                 .moves = state->zone_pushes + shown->vertex_count};
    if (!(o.depth > 0)) return;
    o.axes[0] = m->system.mirror.normal;
    o.axes[1] = wf_cross(m->system.mirror.normal, shown->front);
    o.axes[2] = shown->front;
    double middle = wf_dot(m->system.mirror.normal, m->system.mirror.point);
    int* own = state->zone_triangles;
    int count = list_zone(&o, middle, 1, own);
    int* images = own + count;
    int image_count = list_zone(&o, middle, -1, images), *pushed = images + image_count;
    bool moved = true;
    for (int pass = 0; pass < MOST_PASSES && moved; pass++) {
        moved = false;
        memset(o.pushes, 0, (size_t)shown->vertex_count * sizeof *o.pushes);
        for (int k = 0; k < image_count; k++)
            moved = push_triangle(&o, images[k], own, count) || moved;
        if (moved) move_images(&o, pushed);
    }
}

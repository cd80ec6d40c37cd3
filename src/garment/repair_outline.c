// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Whether the outline of a panel can be cut: closed lines with area, which neither touch nor cross
// themselves or each other. Sides are sampled as short segments (mesh/curve.h), segments are put on
// an integer grid of 2^26 steps over the panel, and every pair is asked, exactly. Panels have some
// hundred segments, so that no tree is needed.

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "garment/repair.h"
#include "mesh/curve.h"
#include "mesh/exact.h"

enum { SEGMENTS = 400, MOST_SEGMENTS = 20000 };  // about, along the outline; at most
static const double LEAST_AREA = 1e-6;           // m^2: a square millimetre

typedef struct Outline {
    const WeftPanel* panel;
    int loop_count;
    WeftLoop* loops;
    WeftSide* sides;  // those of the outline
    WfBoundary boundary;
    WfPoint* points;
    int touch[2];  // two segments that touch, by their first points; -1: none do
} Outline;

static void name_side(const Outline* o, WfBoundaryPoint p, char text[64]) {
    if (p.loop == 0)
        snprintf(text, 64, "side %d", o->panel->sides[p.side].number - 1);
    else
        snprintf(text, 64, "side %d of hole %d", p.side, p.loop);
}

// Where the lines of two segments meet; the start of the second where they are parallel.
static void meeting_point(const Outline* o, int i, int j, double at[2]) {
    const WfBoundaryPoint *p = o->boundary.points, *a = &p[i], *b = &p[o->boundary.successor[i]],
                          *c = &p[j], *d = &p[o->boundary.successor[j]];
    double e[2] = {b->u - a->u, b->v - a->v}, f[2] = {d->u - c->u, d->v - c->v};
    double across = e[0] * f[1] - e[1] * f[0];
    double t = across != 0 ? (e[0] * (a->v - c->v) - e[1] * (a->u - c->u)) / across : 0;
    t = fmin(fmax(t, 0), 1);
    at[0] = c->u + t * f[0];
    at[1] = c->v + t * f[1];
}

static WeftResult fail_pair(const Outline* o, int i, int j, bool cross, WeftError* error) {
    WfBoundaryPoint a = o->boundary.points[i], b = o->boundary.points[j];
    char first[64], second[64];
    double at[2];
    name_side(o, a, first);
    name_side(o, b, second);
    meeting_point(o, i, j, at);
    if (a.loop == b.loop && a.side == b.side)
        return wf_fail(error, WEFT_ERROR_INPUT, "panel \"%s\": %s %s itself near (%.4g, %.4g) m",
                       o->panel->name, first, cross ? "crosses" : "touches or crosses", at[0],
                       at[1]);
    return wf_fail(error, WEFT_ERROR_INPUT, "panel \"%s\": %s and %s %s near (%.4g, %.4g) m",
                   o->panel->name, first, second, cross ? "cross" : "touch or cross", at[0], at[1]);
}

// ---------------------------------------------------------------------------------------------
// Segments

static int sign(int64_t x) { return (x > 0) - (x < 0); }

static bool between(int32_t x, int32_t a, int32_t b) {
    return a < b ? a <= x && x <= b : b <= x && x <= a;
}

// Of a point on the line through a and b: whether it is between them.
static bool on_segment(WfPoint a, WfPoint b, WfPoint p) {
    return between(p.x, a.x, b.x) && between(p.y, a.y, b.y);
}

typedef enum Meeting { APART, TOUCH, CROSS } Meeting;

static bool boxes_apart(int32_t a, int32_t b, int32_t c, int32_t d) {
    return (a > c && a > d && b > c && b > d) || (a < c && a < d && b < c && b < d);
}

static Meeting meet(WfPoint a, WfPoint b, WfPoint c, WfPoint d) {
    if (boxes_apart(a.x, b.x, c.x, d.x) || boxes_apart(a.y, b.y, c.y, d.y)) return APART;
    int ca = sign(wf_orient(a, b, c)), da = sign(wf_orient(a, b, d));
    int ac = sign(wf_orient(c, d, a)), bc = sign(wf_orient(c, d, b));
    if (ca * da < 0 && ac * bc < 0) return CROSS;
    if ((ca == 0 && on_segment(a, b, c)) || (da == 0 && on_segment(a, b, d)) ||
        (ac == 0 && on_segment(c, d, a)) || (bc == 0 && on_segment(c, d, b)))
        return TOUCH;
    return APART;
}

// Neighbours share b: they touch elsewhere only where the line turns back on itself.
static bool turns_back(WfPoint a, WfPoint b, WfPoint c) {
    double along = (double)(a.x - b.x) * (c.x - b.x) + (double)(a.y - b.y) * (c.y - b.y);
    return wf_orient(a, b, c) == 0 && along > 0;
}

// Refuse what crosses. The first pair that touches is kept for later: a panel without area is told
// so first.
static WeftResult check_pairs(Outline* o, WeftError* error) {
    const int* next = o->boundary.successor;
    o->touch[0] = -1;
    for (int i = 0; i < o->boundary.count; i++) {
        WfPoint a = o->points[i], b = o->points[next[i]];
        if (o->touch[0] < 0 && turns_back(a, b, o->points[next[next[i]]]))
            o->touch[0] = i, o->touch[1] = next[i];
        for (int j = i + 1; j < o->boundary.count; j++) {
            if (next[i] == j || next[j] == i) continue;
            Meeting how = meet(a, b, o->points[j], o->points[next[j]]);
            if (how == CROSS) return fail_pair(o, i, j, true, error);
            if (how == TOUCH && o->touch[0] < 0) o->touch[0] = i, o->touch[1] = j;
        }
    }
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// Loops

static WeftResult check_area(const Outline* o, WeftError* error) {
    for (int i = 0; i < o->loop_count; i++) {
        double area = wf_loop_area(o->loops[i].sides, sizeof(WeftSide), o->loops[i].side_count);
        if (fabs(area) > 2 * LEAST_AREA) continue;
        if (i > 0)
            return wf_fail(error, WEFT_ERROR_INPUT, "panel \"%s\": hole %d has no area",
                           o->panel->name, i);
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "panel \"%s\" has no area: its %d sides enclose %.3g mm^2", o->panel->name,
                       o->panel->side_count, 1e6 * fabs(area) / 2);
    }
    return WEFT_OK;
}

// Whether the point is inside of a loop: how often a ray along +x goes through it.
static bool is_inside(const Outline* o, int loop, WfPoint p) {
    bool inside = false;
    for (int i = 0; i < o->boundary.count; i++) {
        if (o->boundary.points[i].loop != loop) continue;
        WfPoint a = o->points[i], b = o->points[o->boundary.successor[i]];
        if ((a.y > p.y) == (b.y > p.y)) continue;
        if ((wf_orient(a, b, p) > 0) == (b.y > a.y)) inside = !inside;
    }
    return inside;
}

// Loops do not cross, so that one point of a hole speaks for all.
static WeftResult check_holes(const Outline* o, WeftError* error) {
    for (int i = 1; i < o->boundary.count; i++) {
        int hole = o->boundary.points[i].loop;
        if (hole == o->boundary.points[i - 1].loop) continue;
        for (int loop = 0; loop < o->loop_count; loop++) {
            if (loop == hole || is_inside(o, loop, o->points[i]) == (loop == 0)) continue;
            return loop == 0
                       ? wf_fail(error, WEFT_ERROR_INPUT,
                                 "panel \"%s\": hole %d is not inside the outline", o->panel->name,
                                 hole)
                       : wf_fail(error, WEFT_ERROR_INPUT, "panel \"%s\": hole %d is inside hole %d",
                                 o->panel->name, hole, loop);
        }
    }
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------

static WeftResult gather(const WeftAllocator* allocator, Outline* o, WeftError* error) {
    const WeftPanel* panel = o->panel;
    o->loop_count = 1 + panel->hole_count;
    o->loops = wf_alloc(allocator, (size_t)o->loop_count, sizeof *o->loops);
    o->sides = wf_alloc(allocator, (size_t)panel->side_count, sizeof *o->sides);
    if (!o->loops || !o->sides) return wf_fail_memory(error);
    for (int s = 0; s < panel->side_count; s++) o->sides[s] = panel->sides[s].curve;
    o->loops[0] = (WeftLoop){panel->side_count, o->sides};
    for (int i = 0; i < panel->hole_count; i++) o->loops[1 + i] = panel->holes[i];
    return WEFT_OK;
}

static WeftResult sample(const WeftAllocator* allocator, Outline* o, WeftError* error) {
    double length = 0, least[2] = {HUGE_VAL, HUGE_VAL}, size = 0;
    for (int s = 0; s < o->panel->side_count; s++) length += weft_side_length(o->panel, s);
    WeftOutlineDef def = {
        .loop_count = o->loop_count, .loops = o->loops, .edge = length / SEGMENTS};
    WeftResult result =
        wf_boundary_create(allocator, &def, NULL, MOST_SEGMENTS, &o->boundary, error);
    if (result == WEFT_ERROR_INPUT) wf_fail_prefix(error, result, "panel \"%s\": ", o->panel->name);
    if (result) return result;
    o->points = wf_alloc(allocator, (size_t)o->boundary.count, sizeof *o->points);
    if (!o->points) return wf_fail_memory(error);
    const WfBoundaryPoint* p = o->boundary.points;
    for (int i = 0; i < o->boundary.count; i++)
        least[0] = fmin(least[0], p[i].u), least[1] = fmin(least[1], p[i].v);
    for (int i = 0; i < o->boundary.count; i++)
        size = fmax(size, fmax(p[i].u - least[0], p[i].v - least[1]));
    for (int i = 0; i < o->boundary.count; i++)
        o->points[i] = (WfPoint){(int32_t)floor((p[i].u - least[0]) / size * (WF_GRID_SIZE - 1)),
                                 (int32_t)floor((p[i].v - least[1]) / size * (WF_GRID_SIZE - 1))};
    return WEFT_OK;
}

WeftResult wf_check_panel_outline(const WeftAllocator* allocator, const WeftPanel* panel,
                                  WeftError* error) {
    Outline o = {.panel = panel};
    WeftResult result = gather(allocator, &o, error);
    if (!result) result = sample(allocator, &o, error);
    if (!result) result = check_pairs(&o, error);
    if (!result) result = check_area(&o, error);
    if (!result && o.touch[0] >= 0) result = fail_pair(&o, o.touch[0], o.touch[1], false, error);
    if (!result) result = check_holes(&o, error);
    wf_boundary_destroy(allocator, &o.boundary);
    wf_free(allocator, o.points);
    wf_free(allocator, o.loops);
    wf_free(allocator, o.sides);
    return result;
}

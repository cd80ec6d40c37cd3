// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A side is a function of t in 0 .. 1. A table of its length at evenly spaced t says how many edges
// it takes and where they end. Arcs are rational functions of t, too, so that a mesh needs no
// operation but + - * / and the square root, which are the same on every machine.
//
//          M              A arc over the chord from A to B, bulge = |M C| / |A C| = tan(theta / 4)
//       .  |  .           for the angle theta of the whole arc. With psi the angle from M,
//     /    |    \         q = tan(psi / 4) runs from -c to c = tan(theta / 8) and
//    A ----C---- B        sin(psi / 2) = 2 q / (1 + q^2), cos(psi / 2) = (1 - q^2) / (1 + q^2).

#include "mesh/curve.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"

enum { SAMPLES = WF_CURVE_SAMPLES };  // table entries per side

#define LARGEST 1e6
#define SHARPEST_TURN 1.05  // rad, a sixth of a circle: the most that one edge stands for

const char* wf_name_side(int loop, int side, WfSideName* name) {
    if (loop == 0)
        snprintf(name->text, sizeof name->text, "side %d of the outline", side);
    else
        snprintf(name->text, sizeof name->text, "side %d of hole %d", side, loop);
    return name->text;
}

// ---------------------------------------------------------------------------------------------
// One side

static bool is_straight(const WeftSide* side) {
    return side->control_count == 0 && side->bulge == 0;
}

static void arc_point(const WfCurve* curve, double t, double* out) {
    const double *a = curve->start, *b = curve->side->end;
    double bulge = curve->side->bulge, root = sqrt(1 + bulge * bulge), s = 2 * t - 1;
    double q = s * bulge / (1 + root), w = 1 / (1 + q * q);
    double g = s * w * root * root / (1 + root);  // r sin(psi / 2), over half the chord
    double along = 2 * g * (1 - q * q) * w, down = 2 * g * 2 * q * w;
    double half[2] = {(b[0] - a[0]) / 2, (b[1] - a[1]) / 2}, up = bulge - down;
    out[0] = (a[0] + b[0]) / 2 + along * half[0] + up * half[1];  // right of the chord: (y, -x)
    out[1] = (a[1] + b[1]) / 2 + along * half[1] - up * half[0];
}

// de Casteljau
static void bezier_point(const WfCurve* curve, double t, double* out) {
    const WeftSide* side = curve->side;
    int n = side->control_count + 1;
    double p[4][2];
    for (int k = 0; k < 2; k++) {
        p[0][k] = curve->start[k];
        for (int i = 1; i < n; i++) p[i][k] = side->control[i - 1][k];
        p[n][k] = side->end[k];
        for (int level = n; level > 0; level--)
            for (int i = 0; i < level; i++) p[i][k] += t * (p[i + 1][k] - p[i][k]);
        out[k] = p[0][k];
    }
}

static void curve_point(const WfCurve* curve, double t, double* out) {
    if (curve->side->control_count > 0)
        bezier_point(curve, t, out);
    else
        arc_point(curve, t, out);
}

static double distance(const double* a, const double* b) {
    double x = b[0] - a[0], y = b[1] - a[1];
    return sqrt(x * x + y * y);
}

static void measure_curve(WfCurve* curve) {
    curve->length[0] = curve->turn = 0;
    curve->length[SAMPLES] = distance(curve->start, curve->side->end);
    if (is_straight(curve->side)) return;
    double last[2] = {curve->start[0], curve->start[1]}, way[2] = {0, 0};
    for (int i = 1; i <= SAMPLES; i++) {
        double point[2];
        curve_point(curve, (double)i / SAMPLES, point);
        double step[2] = {point[0] - last[0], point[1] - last[1]}, length = distance(last, point);
        double before = curve->length[i - 1] - (i > 1 ? curve->length[i - 2] : 0);
        double sine = fabs(way[0] * step[1] - way[1] * step[0]);
        if (sine > 0) curve->turn += sine / (length * before);
        curve->length[i] = curve->length[i - 1] + length;
        for (int k = 0; k < 2; k++) last[k] = point[k], way[k] = step[k];
    }
}

void wf_side_point(const double start[2], const WeftSide* side, double t, double point[2]) {
    const WfCurve curve = {.start = {start[0], start[1]}, .side = side};
    if (is_straight(side))
        for (int k = 0; k < 2; k++) point[k] = start[k] + t * (side->end[k] - start[k]);
    else
        curve_point(&curve, t, point);
}

double wf_side_length(const double start[2], const WeftSide* side) {
    WfCurve curve = {.start = {start[0], start[1]}, .side = side};
    measure_curve(&curve);
    return curve.length[SAMPLES];
}

// How many edges a side takes; a closed side needs three to be a loop, a curved one two to bend.
// The small number makes sides of one length take one count, whatever their last bits.
static double count_edges(const WfCurve* curve, double edge, bool alone) {
    double count = wf_curve_edges(curve, 1, edge);
    return is_straight(curve->side) ? count : fmax(count, alone ? 3 : 2);
}

double wf_curve_edges(const WfCurve* curve, double part, double edge) {
    double count = fmax(1, floor(curve->length[SAMPLES] * part / edge + 0.5 + 1e-9));
    return fmax(count, ceil(curve->turn * part / SHARPEST_TURN));
}

void wf_curve_create(WfCurve* curve, const WeftLoop* loop, int side) {
    const WeftSide* before = &loop->sides[side > 0 ? side - 1 : loop->side_count - 1];
    curve->start[0] = before->end[0];
    curve->start[1] = before->end[1];
    curve->side = &loop->sides[side];
    measure_curve(curve);
}

// The point after `wanted` metres, which on a straight side is at t; *slot is where to look in the
// table, from 0 on.
static void point_after(const WfCurve* curve, double wanted, double t, int* slot, double point[2]) {
    if (!is_straight(curve->side)) {
        while (*slot < SAMPLES - 1 && curve->length[*slot + 1] < wanted) ++*slot;
        double span = curve->length[*slot + 1] - curve->length[*slot];
        if (span > 0) t = (*slot + (wanted - curve->length[*slot]) / span) / SAMPLES;
        curve_point(curve, t, point);
        return;
    }
    for (int k = 0; k < 2; k++)
        point[k] = curve->start[k] + t * (curve->side->end[k] - curve->start[k]);
}

void wf_curve_at(const WfCurve* curve, double part, double point[2]) {
    int slot = 0;
    for (int k = 0; k < 2; k++) point[k] = part > 0 ? curve->side->end[k] : curve->start[k];
    if (part > 0 && part < 1) point_after(curve, part * curve->length[SAMPLES], part, &slot, point);
}

// The points of a side but for its end, into out.
static void place_points(const WfCurve* curve, int count, WfBoundaryPoint* out) {
    double total = curve->length[SAMPLES];
    int slot = 0;
    for (int i = 0; i < count; i++) {
        double point[2] = {curve->start[0], curve->start[1]};
        if (i > 0) point_after(curve, total * i / count, (double)i / count, &slot, point);
        out[i].u = point[0];
        out[i].v = point[1];
    }
}

static void place_parts(const WfCurve* curve, const WfSideParts* side, WfBoundaryPoint* out) {
    for (int i = 0; i < side->count; i++) {
        double point[2];
        wf_curve_at(curve, side->parts[i], point);
        out[i].u = point[0];
        out[i].v = point[1];
    }
}

// ---------------------------------------------------------------------------------------------
// The whole boundary

static bool is_far(double x) { return !(fabs(x) <= LARGEST); }

static WeftResult check_side(const WeftSide* side, const char* name, WeftError* error) {
    if (side->control_count < 0 || side->control_count > 2)
        return wf_fail(error, WEFT_ERROR_INPUT, "%s has %d control points: 0, 1 or 2 will do", name,
                       side->control_count);
    bool bad = is_far(side->end[0]) || is_far(side->end[1]) || is_far(side->bulge);
    for (int i = 0; i < side->control_count; i++)
        bad = bad || is_far(side->control[i][0]) || is_far(side->control[i][1]);
    if (bad)
        return wf_fail(error, WEFT_ERROR_INPUT, "%s holds something that is no number below %g",
                       name, LARGEST);
    return WEFT_OK;
}

static WeftResult check_loop(const WeftLoop* loop, int index, WeftError* error) {
    char name[32] = "the outline";
    if (index > 0) snprintf(name, sizeof name, "hole %d", index);
    if (loop->side_count < 1 || !loop->sides)
        return wf_fail(error, WEFT_ERROR_INPUT, "%s has no sides", name);
    if (loop->side_count == 1 && loop->sides[0].control_count < 2)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "%s has one side, which can close only with two control points", name);
    bool flat = loop->side_count == 2;
    for (int s = 0; s < loop->side_count; s++) {
        WfSideName side;
        WeftResult result = check_side(&loop->sides[s], wf_name_side(index, s, &side), error);
        if (result) return result;
        flat = flat && is_straight(&loop->sides[s]);
    }
    if (flat) return wf_fail(error, WEFT_ERROR_INPUT, "%s has only two sides, both straight", name);
    return WEFT_OK;
}

static WeftResult check_outline(const WeftOutlineDef* def, WeftError* error) {
    if (!(def->edge > 0) || !isfinite(def->edge))
        return wf_fail(error, WEFT_ERROR_INPUT, "an edge of %g m is not a length", def->edge);
    if (def->loop_count < 1 || !def->loops)
        return wf_fail(error, WEFT_ERROR_INPUT, "there is no outline");
    for (int i = 0; i < def->loop_count; i++) {
        WeftResult result = check_loop(&def->loops[i], i, error);
        if (result) return result;
    }
    return WEFT_OK;
}

// Adds the points of a loop to the boundary, or only counts them where there is no room yet.
static WeftResult add_loop(const WeftOutlineDef* def, int index, const WfSideParts* given, int most,
                           WfBoundary* boundary, WeftError* error) {
    const WeftLoop* loop = &def->loops[index];
    int first = boundary->count;
    for (int s = 0; s < loop->side_count; s++) {
        WfCurve curve;
        wf_curve_create(&curve, loop, s);
        double count =
            given ? given[s].count : count_edges(&curve, def->edge, loop->side_count == 1);
        WfSideName name;
        if (!(curve.length[SAMPLES] > 0))
            return wf_fail(error, WEFT_ERROR_INPUT, "%s has no length",
                           wf_name_side(index, s, &name));
        if (!(boundary->count + count <= most))
            return wf_fail(error, WEFT_ERROR_INPUT, "edges of %g m make more than %d vertices",
                           def->edge, most);
        WfBoundaryPoint* out = boundary->points ? boundary->points + boundary->count : NULL;
        if (out && given)
            place_parts(&curve, &given[s], out);
        else if (out)
            place_points(&curve, (int)count, out);
        for (int i = 0; out && i < (int)count; i++) out[i].loop = index, out[i].side = s;
        boundary->count += (int)count;
    }
    for (int i = first; boundary->points && i < boundary->count; i++)
        boundary->successor[i] = i + 1 < boundary->count ? i + 1 : first;
    return WEFT_OK;
}

static WeftResult add_loops(const WeftOutlineDef* def, const WfSideParts* outside, int most,
                            WfBoundary* boundary, WeftError* error) {
    boundary->count = 0;
    for (int i = 0; i < def->loop_count; i++) {
        WeftResult result = add_loop(def, i, i == 0 ? outside : NULL, most, boundary, error);
        if (result) return result;
    }
    return WEFT_OK;
}

WeftResult wf_boundary_create(const WeftAllocator* allocator, const WeftOutlineDef* def,
                              const WfSideParts* outside, int most, WfBoundary* boundary,
                              WeftError* error) {
    *boundary = (WfBoundary){0};
    WeftResult result = check_outline(def, error);
    if (!result) result = add_loops(def, outside, most, boundary, error);
    if (result) return result;
    size_t count = (size_t)boundary->count;
    boundary->points = wf_alloc(allocator, count, sizeof *boundary->points);
    boundary->successor = wf_alloc(allocator, count, sizeof *boundary->successor);
    result = boundary->points && boundary->successor ? WEFT_OK : wf_fail_memory(error);
    if (!result) result = add_loops(def, outside, most, boundary, error);
    if (result) wf_boundary_destroy(allocator, boundary);
    return result;
}

void wf_boundary_destroy(const WeftAllocator* allocator, WfBoundary* boundary) {
    wf_free(allocator, boundary->points);
    wf_free(allocator, boundary->successor);
    *boundary = (WfBoundary){0};
}

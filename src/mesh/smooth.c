// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// First all free vertices move, round by round, to where the triangulation is optimal for its
// connections (Chen 2004): to the mean of the circumcentres around them, weighed by area. That
// evens out lengths and leaves a few triangles in a thousand below 30 degrees, around vertices with
// four or eight neighbours. Those are then polished: their vertices search by trial for a place at
// which the smallest angle around them is larger.

#include "mesh/smooth.h"

#include <math.h>

enum { EVEN_ROUNDS = 12, POLISH_ROUNDS = 10 };

#define POLISH_BELOW 1.4281480067421144  // cot 35 degrees: sharper angles are worth a search

// ---------------------------------------------------------------------------------------------
// Even out

// The way from v to the mean of the circumcentres. With p and q relative to v, the circumcentre is
// (q.y |p|^2 - p.y |q|^2, p.x |q|^2 - q.x |p|^2) / 2 (p x q), and twice the area is p x q.
static void optimal_move(const WfDelaunay* d, int v, double* move) {
    double weight = 0, sum[2] = {0, 0};
    WfPoint o = d->points[v];
    int t = d->star[v];
    do {
        const WfTriangle* here = &d->triangles[t];
        int k = wf_corner_of(here, v);
        WfPoint p = d->points[here->vertex[(k + 1) % 3]], q = d->points[here->vertex[(k + 2) % 3]];
        double px = p.x - o.x, py = p.y - o.y, qx = q.x - o.x, qy = q.y - o.y;
        double pp = px * px + py * py, qq = qx * qx + qy * qy;
        weight += px * qy - py * qx;
        sum[0] += (qy * pp - py * qq) / 2;
        sum[1] += (px * qq - qx * pp) / 2;
        t = here->next[(k + 1) % 3];
    } while (t != d->star[v]);
    move[0] = sum[0] / weight;
    move[1] = sum[1] / weight;
}

// The sharpest angle around v as its cotangent; infinite where a triangle is not counter-clockwise.
static double sharpest(const WfDelaunay* d, int v) {
    double worst = 0;
    int t = d->star[v];
    do {
        const WfTriangle* here = &d->triangles[t];
        WfPoint x[3];
        for (int k = 0; k < 3; k++) x[k] = d->points[here->vertex[k]];
        double area = (double)wf_orient(x[0], x[1], x[2]);
        if (area <= 0) return HUGE_VAL;
        for (int k = 0; k < 3; k++) {
            WfPoint o = x[k], p = x[(k + 1) % 3], q = x[(k + 2) % 3];
            double dot = (double)(p.x - o.x) * (q.x - o.x) + (double)(p.y - o.y) * (q.y - o.y);
            worst = fmax(worst, dot / area);
        }
        t = here->next[(wf_corner_of(here, v) + 1) % 3];
    } while (t != d->star[v]);
    return worst;
}

static int32_t on_grid(double x) {
    return x > 0 ? x < WF_GRID_SIZE ? (int32_t)x : WF_GRID_SIZE : 0;
}

static WfPoint moved(WfPoint p, double x, double y) {
    return (WfPoint){on_grid(p.x + x + 0.5), on_grid(p.y + y + 0.5)};
}

static void even_out(WfDelaunay* d, int v) {
    WfPoint old = d->points[v];
    double move[2];
    optimal_move(d, v, move);
    for (int i = 0; i < 3; i++) {
        d->points[v] = moved(old, move[0], move[1]);
        if (sharpest(d, v) < HUGE_VAL) return;
        move[0] /= 2;
        move[1] /= 2;
    }
    d->points[v] = old;
}

// ---------------------------------------------------------------------------------------------
// Polish

// Try eight places around v and take the best.
static void step_to_better(WfDelaunay* d, int v, double step, double* worst) {
    static const double ways[8][2] = {{1, 0},  {0.7, 0.7},   {0, 1},  {-0.7, 0.7},
                                      {-1, 0}, {-0.7, -0.7}, {0, -1}, {0.7, -0.7}};
    WfPoint old = d->points[v], best = old;
    for (int i = 0; i < 8; i++) {
        d->points[v] = moved(old, step * ways[i][0], step * ways[i][1]);
        double now = sharpest(d, v);
        if (now >= *worst) continue;
        *worst = now;
        best = d->points[v];
    }
    d->points[v] = best;
}

static bool polish(WfDelaunay* d, int v, double spacing) {
    double worst = sharpest(d, v), before = worst;
    if (worst < POLISH_BELOW) return false;
    for (double step = 0.16 * spacing; step > 0.01 * spacing; step /= 2)
        step_to_better(d, v, step, &worst);
    return worst < before;
}

void wf_smooth(WfDelaunay* d, double spacing) {
    for (int round = 0; round < EVEN_ROUNDS; round++) {
        for (int v = 0; v < d->point_count; v++)
            if (d->successor[v] < 0 && d->star[v] >= 0) even_out(d, v);
        wf_delaunay_restore(d);
    }
    for (int round = 0, better = 1; round < POLISH_ROUNDS && better; round++) {
        better = 0;
        for (int v = 0; v < d->point_count; v++)
            if (d->successor[v] < 0 && d->star[v] >= 0) better += polish(d, v, spacing);
        wf_delaunay_restore(d);
    }
}

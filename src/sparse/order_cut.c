// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A cut through a part of the mesh. What it costs, in entries of the factor: s rows are a triangle
// of s^2 / 2, all of them meet the b rows of earlier cuts around the part, and every later cut
// inside the two halves meets them. Where a part of m vertices has cuts of sigma sqrt(m) rows, a
// row of its rim meets sigma sqrt(m) (1 + 1/sqrt 2 + 1/2 + ...) = 3.4 sigma sqrt(m) of their rows;
// two halves of n / 2 vertices make that 4.8 sigma sqrt(n). The factor of a part so has about A(m)
// = 5.3 sigma^2 m log2(m) entries, and halves that differ by `off` vertices cost 5.3 / (2 ln 2)
// sigma^2 off^2 / n = 3.8 sigma^2 off^2 / n more than equal ones. In all
//
//     cost = s (s / 2 + b + 4.8 square) + 3.8 (square off / n)^2,      square = sigma sqrt(n)
//
// so that 60 to 40 vertices are worth a cut that is 3 % shorter. Ten times that weight on evenness
// makes factors 1 to 3 % larger, a quarter of it 0 to 1 %.
//
// Vertices have places on a map, and a straight cut is a line through it: all vertices are dropped
// into bins along a direction, and for every bin we count who has a neighbour beyond its lower end.
//
//     bin      0   1   2   3   4   5          a cut below bin 3: those of 0 to 2 that reach 3 or
//     vertex       o-------------o            more, or those of 3 to 5 that reach 2 or less;
//                      o---o                  one walk over all edges gives every bin its number
//
// Four directions are counted in one walk, then four closer ones around the best. The three lines
// with the cheapest cuts are refined (order_refine.c), and the best cut wins.
//
//     100,000 vertices, over METIS      fill                    time
//     as it is                          0.968                   0.54
//     one line refined, two, five       0.988, 0.976, 0.966     0.44, 0.49, 0.64
//     four directions only              0.991                   0.46
//     no refinement                     1.069                   0.45
//
// The map is made of the coordinates of the cloth. Where there are none, or where the cut they give
// is much longer than through a square (folded, coincident), distances along the graph draw one:
// four vertices far from each other, like the corners of a square, and the steps a, b, c, d from
// them. Such maps are as good as coordinates (0.967) but cost 0.83 of METIS' time. The order of a
// breadth-first walk, as one more line, gained nothing beside coordinates; without them it was 4 %
// worse.

#include "sparse/order_cut.h"

#include <math.h>
#include <string.h>

enum { KEPT_LINES = 3, SMOOTHINGS = 3, VERTICES_PER_BIN = 4 };

typedef struct Line {
    double direction[3];
    double low, scale;  // the bin of x is (direction . x - low) * scale
    int bin, thick;     // the cut: bins from this one on are right; the side it is taken from
    double cost;
} Line;

void wf_cutter_layout(WfCutter* t, WfArena* arena, int n) {
    size_t count = (size_t)n;
    t->steps = wf_arena_push(arena, count, sizeof(int));
    t->queue = wf_arena_push(arena, count, sizeof(int));
    t->bin = wf_arena_push(arena, count, sizeof *t->bin);
    t->bins = wf_arena_push(arena, 3 * WF_LINES, sizeof *t->bins);
    t->moved = wf_arena_push(arena, count, 1);
    t->log = wf_arena_push(arena, 3 * count, sizeof(int));
    t->was = wf_arena_push(arena, 3 * count, 1);
    for (int s = 0; s < 2; s++) {
        t->side[s] = wf_arena_push(arena, count, 1);
        t->beside[s] = wf_arena_push(arena, count, sizeof(int));
        t->next[s] = wf_arena_push(arena, count, sizeof(int));
        t->back[s] = wf_arena_push(arena, count, sizeof(int));
        t->head[s] = wf_arena_push(arena, count, sizeof(int));
        for (int k = 0; k < n && t->head[s]; k++) t->head[s][k] = -1;
    }
}

// -- a map where there is none

int wf_walk(const WfGraph* g, int root, int* steps, int* queue) {
    int count = 1;
    queue[0] = root;
    steps[root] = 0;
    for (int k = 0; k < count; k++) {
        int v = queue[k];
        for (int e = g->start[v]; e < g->start[v + 1]; e++) {
            int u = g->index[e];
            if (steps[u] >= 0) continue;
            steps[u] = steps[v] + 1;
            queue[count++] = u;
        }
    }
    return count;
}

// Steps from the root to all vertices of the part; returns the last one.
static int measure_from(WfCutter* t, const WfGraph* g, const WfCut* cut, int root) {
    for (int v = cut->begin; v < cut->end; v++) t->steps[v] = -1;
    return t->queue[wf_walk(g, root, t->steps, t->queue) - 1];
}

static void add_steps(const WfCutter* t, WfGraph* g, const WfCut* cut, const double* factor) {
    for (int v = cut->begin; v < cut->end; v++)
        for (int d = 0; d < 3; d++) g->x[3 * (size_t)v + (size_t)d] += factor[d] * t->steps[v];
}

// The vertex that is farthest from the nearer one of a and b: min(a, b) = (a + b - |a - b|) / 2.
static int far_from_both(const WfGraph* g, const WfCut* cut) {
    int best = cut->begin;
    double most = -1;
    for (int v = cut->begin; v < cut->end; v++) {
        double far = g->x[3 * (size_t)v + 2] - fabs(g->x[3 * (size_t)v]);
        if (far > most) most = far, best = v;
    }
    return best;
}

// Every vertex moves to the mean of itself and its neighbours: steps are whole numbers, and a cut
// wants something to choose from.
static void smooth(WfGraph* g, const WfCut* cut) {
    for (int v = cut->begin; v < cut->end; v++) {
        double *x = g->x + 3 * (size_t)v, share = 1.0 / (1 + g->start[v + 1] - g->start[v]);
        for (int e = g->start[v]; e < g->start[v + 1]; e++)
            for (int d = 0; d < 3; d++) x[d] += g->x[3 * (size_t)g->index[e] + (size_t)d];
        for (int d = 0; d < 3; d++) x[d] *= share;
    }
}

// x = (a - b, c - d, a + b - c - d), where the letters are steps from four vertices far apart.
static void draw_map(WfCutter* t, WfGraph* g, const WfCut* cut) {
    static const double factors[4][3] = {{1, 0, 1}, {-1, 0, 1}, {0, 1, -1}, {0, -1, -1}};
    int root = measure_from(t, g, cut, cut->begin);
    memset(g->x + 3 * (size_t)cut->begin, 0, 3 * sizeof(double) * (size_t)(cut->end - cut->begin));
    for (int k = 0; k < 4; k++) {
        int far = measure_from(t, g, cut, root);
        add_steps(t, g, cut, factors[k]);
        root = k == 1 ? far_from_both(g, cut) : far;
    }
    for (int k = 0; k < SMOOTHINGS; k++) smooth(g, cut);
}

// -- directions of the map

// The upper half of the sum of (x - mean) (x - mean)^T.
static void add_moments(const WfGraph* g, const WfCut* cut, double m[3][3]) {
    double mean[3] = {0, 0, 0}, share = 1.0 / (cut->end - cut->begin);
    for (int v = cut->begin; v < cut->end; v++)
        for (int d = 0; d < 3; d++) mean[d] += share * g->x[3 * (size_t)v + (size_t)d];
    for (int v = cut->begin; v < cut->end; v++) {
        double x[3];
        for (int d = 0; d < 3; d++) x[d] = g->x[3 * (size_t)v + (size_t)d] - mean[d];
        for (int i = 0; i < 3; i++)
            for (int j = i; j < 3; j++) m[i][j] += x[i] * x[j];
    }
}

// One rotation by Jacobi: m <- R m R^T, so that m[p][q] = 0, and axis <- R axis.
static void rotate(double m[3][3], double axis[3][3], int p, int q) {
    if (m[p][q] == 0) return;
    double h = (m[q][q] - m[p][p]) / (2 * m[p][q]);
    double t = (h < 0 ? -1 : 1) / (fabs(h) + sqrt(h * h + 1)), c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; k++) {
        double a = m[k][p], b = m[k][q];
        m[k][p] = c * a - s * b;
        m[k][q] = s * a + c * b;
    }
    for (int k = 0; k < 3; k++) {
        double a = m[p][k], b = m[q][k], x = axis[p][k], y = axis[q][k];
        m[p][k] = c * a - s * b;
        m[q][k] = s * a + c * b;
        axis[p][k] = c * x - s * y;
        axis[q][k] = s * x + c * y;
    }
}

// Principal axes, the longest first; returns how many are not too short to matter.
static int find_axes(const WfGraph* g, const WfCut* cut, double axis[3][3]) {
    double m[3][3] = {{0}};
    add_moments(g, cut, m);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) axis[i][j] = i == j, m[j][i] = m[i < j ? i : j][i < j ? j : i];
    for (int k = 0; k < 24; k++) rotate(m, axis, k % 3 == 2, k % 3 == 0 ? 1 : 2);
    for (int k = 0; k < 3; k++) {
        int i = k == 1, j = i + 1;  // 0 and 1, 1 and 2, 0 and 1
        if (m[i][i] >= m[j][j]) continue;
        double variance = m[i][i], shorter[3];
        m[i][i] = m[j][j], m[j][j] = variance;
        memcpy(shorter, axis[i], sizeof shorter);
        memcpy(axis[i], axis[j], sizeof shorter);
        memcpy(axis[j], shorter, sizeof shorter);
    }
    int count = 0;
    while (count < 3 && m[count][count] > 1e-4 * m[0][0]) count++;
    return count;
}

static void halve_angle(const double* a, const double* b, double* between) {
    double sum[3] = {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
    double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    for (int d = 0; d < 3; d++) between[d] = sum[d] / length;
}

// -- cuts across a line

static double along(const double* direction, const double* x) {
    return direction[0] * x[0] + direction[1] * x[1] + direction[2] * x[2];
}

static int bin_of(const Line* line, const double* x) {
    return (int)((along(line->direction, x) - line->low) * line->scale);
}

static int bin_count(const WfCut* cut) {
    int count = (cut->end - cut->begin) / VERTICES_PER_BIN;
    return count < WF_BINS ? count : WF_BINS;
}

static void fit_line(const WfGraph* g, const WfCut* cut, Line* line) {
    double low = DBL_MAX, high = -DBL_MAX;
    for (int v = cut->begin; v < cut->end; v++) {
        double p = along(line->direction, g->x + 3 * (size_t)v);
        low = p < low ? p : low;
        high = p > high ? p : high;
    }
    line->low = low;
    line->scale = high > low ? (bin_count(cut) - 1) / (high - low) : 0;
}

// Of the three arrays of a line: how many vertices every bin has.
static void fill_bins(WfCutter* t, const WfGraph* g, const WfCut* cut, Line* lines) {
    for (int l = 0; l < WF_LINES; l++) fit_line(g, cut, &lines[l]);
    for (int k = 0; k < 3 * WF_LINES; k++)
        memset(t->bins[k], 0, (size_t)(bin_count(cut) + 1) * sizeof(int));
    for (int v = cut->begin; v < cut->end; v++) {
        for (int l = 0; l < WF_LINES; l++) {
            t->bin[v][l] = bin_of(&lines[l], g->x + 3 * (size_t)v);
            t->bins[3 * l][t->bin[v][l]]++;
        }
    }
}

// And how many more vertices than the bin before it have a neighbour across the bin's lower end:
// on its far side, and on its near side.
static void count_crossings(WfCutter* t, const WfGraph* g, const WfCut* cut) {
    for (int v = cut->begin; v < cut->end; v++) {
        int least[WF_LINES], most[WF_LINES];
        memcpy(least, t->bin[v], sizeof least);
        memcpy(most, t->bin[v], sizeof most);
        for (int e = g->start[v]; e < g->start[v + 1]; e++) {
            const int* bin = t->bin[g->index[e]];
            for (int l = 0; l < WF_LINES; l++) {
                least[l] = bin[l] < least[l] ? bin[l] : least[l];
                most[l] = bin[l] > most[l] ? bin[l] : most[l];
            }
        }
        for (int l = 0; l < WF_LINES; l++) {
            WfBins* bins = t->bins + 3 * l;
            bins[1][t->bin[v][l] + 1]++;
            bins[1][most[l] + 1]--;
            bins[2][least[l] + 1]++;
            bins[2][t->bin[v][l] + 1]--;
        }
    }
}

static void choose_bin(WfBins* bins, const WfCut* cut, Line* line) {
    int n = cut->end - cut->begin, before = 0, rows[2] = {0, 0};
    line->cost = WF_NO_CUT;
    for (int k = 0; k < bin_count(cut); k++) {
        for (int s = 0; s < 2; s++) {
            rows[s] += bins[1 + s][k];
            int size[3] = {before, n - before, rows[s]};
            size[s] -= rows[s];
            if (size[0] < n / WF_LEAST_SIDE || size[1] < n / WF_LEAST_SIDE) continue;
            double cost = wf_cut_cost(cut, size);
            if (cost < line->cost) line->cost = cost, line->bin = k, line->thick = s;
        }
        before += bins[0][k];
    }
}

static void sweep(WfCutter* t, const WfGraph* g, const WfCut* cut, Line* lines) {
    fill_bins(t, g, cut, lines);
    count_crossings(t, g, cut);
    for (int l = 0; l < WF_LINES; l++) choose_bin(t->bins + 3 * l, cut, &lines[l]);
}

// Insert four lines among the best.
static void keep_best(const Line* lines, Line* best) {
    for (int l = 0; l < WF_LINES; l++) {
        int at = KEPT_LINES;
        for (; at > 0 && lines[l].cost < best[at - 1].cost; at--)
            if (at < KEPT_LINES) best[at] = best[at - 1];
        if (at < KEPT_LINES) best[at] = lines[l];
    }
}

// Four directions around half a circle, in the plane of the two longest axes; the fifth is the
// first one turned over.
static void fan_out(double axis[3][3], Line* fan) {
    memcpy(fan[0].direction, axis[0], sizeof axis[0]);
    memcpy(fan[2].direction, axis[1], sizeof axis[1]);
    for (int d = 0; d < 3; d++) fan[4].direction[d] = -axis[0][d];
    halve_angle(fan[0].direction, fan[2].direction, fan[1].direction);
    halve_angle(fan[2].direction, fan[4].direction, fan[3].direction);
}

// Four more around the best of them.
static void close_in(const Line* fan, Line* near) {
    int middle = 0;
    for (int k = 1; k < WF_LINES; k++)
        if (fan[k].cost < fan[middle].cost) middle = k;
    const double* here = fan[middle].direction;
    double before[3];
    for (int d = 0; d < 3; d++)
        before[d] = middle > 0 ? fan[middle - 1].direction[d] : -fan[3].direction[d];
    halve_angle(before, here, near[0].direction);
    halve_angle(here, fan[middle + 1].direction, near[1].direction);
    halve_angle(near[0].direction, here, near[2].direction);
    halve_angle(here, near[1].direction, near[3].direction);
}

// The third axis, where there is one, takes the place of the last.
static void try_lines(WfCutter* t, const WfGraph* g, const WfCut* cut, Line* best) {
    double axis[3][3];
    int axes = find_axes(g, cut, axis);
    for (int k = 0; k < KEPT_LINES; k++) best[k].cost = WF_NO_CUT;
    if (axes == 0) return;
    Line fan[WF_LINES + 1] = {0}, near[WF_LINES] = {0};
    fan_out(axis, fan);
    sweep(t, g, cut, fan);
    keep_best(fan, best);
    close_in(fan, near);
    if (axes == 3) memcpy(near[3].direction, axis[2], sizeof axis[2]);
    sweep(t, g, cut, near);
    keep_best(near, best);
}

// The cut itself: vertices of the thick side that have a neighbour on the other one.
static void follow_line(const WfGraph* g, WfCut* cut, const Line* line) {
    memset(cut->size, 0, sizeof cut->size);
    for (int v = cut->begin; v < cut->end; v++)
        cut->side[v] = bin_of(line, g->x + 3 * (size_t)v) >= line->bin;
    for (int v = cut->begin; v < cut->end; v++) {
        for (int e = g->start[v]; cut->side[v] == line->thick && e < g->start[v + 1]; e++)
            if (cut->side[g->index[e]] == !line->thick) cut->side[v] = WF_CUT;
        cut->size[cut->side[v]]++;
    }
    cut->cost = wf_cut_cost(cut, cut->size);
}

static void cut_by_map(WfCutter* t, const WfGraph* g, WfCut* cut) {
    Line best[KEPT_LINES];
    try_lines(t, g, cut, best);
    for (int k = 0; k < KEPT_LINES && best[k].cost < WF_NO_CUT; k++) {
        WfCut next = *cut;
        next.side = t->side[cut->side == t->side[0]];
        follow_line(g, &next, &best[k]);
        wf_refine_cut(t, g, &next);
        if (next.cost < cut->cost) *cut = next;
    }
}

bool wf_cut_part(WfCutter* t, WfGraph* g, WfCut* cut) {
    double n = cut->end - cut->begin;
    cut->per_row = cut->rim + 4.8 * cut->square;
    cut->uneven = 3.8 * cut->square * cut->square / (n * n);
    cut->side = t->side[0];
    cut->cost = WF_NO_CUT;
    if (g->located) cut_by_map(t, g, cut);
    if (cut->cost == WF_NO_CUT || cut->size[WF_CUT] > 1.3 * cut->square) {
        draw_map(t, g, cut);
        cut_by_map(t, g, cut);
    }
    return cut->cost < WF_NO_CUT;
}

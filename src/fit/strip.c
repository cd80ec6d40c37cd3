// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The equilibrium is found by Newton's method with the true stiffness. Measured tables have kinks,
// and directions in which the cloth gets softer as it stretches; where a step of that kind does not
// help, one is taken by a matrix that leaves out pressure and that constants change with strain. It
// is positive, so its steps go downhill; they alone converge slowly, and not for every table.

#include "fit/strip.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "base/band.h"
#include "material/elastic.h"

enum {
    COLUMNS = WF_STRIP_COLUMNS,
    MAX_UNKNOWNS = 2 * COLUMNS * (WF_STRIP_MAX_ROWS - 2) + 2,
    BAND = 2 * COLUMNS + 3,  // neighbours are at most a row and a column apart
    MAX_STEPS = 300,
    MEMORY = 8,  // steps among which forces must fall
};
static const double tolerance = 1e-10;  // of the forces, over the weight

// ---------------------------------------------------------------------------------------------
// The mesh: cells as square as they come, cut by diagonals that alternate

static double rest_along(const WfStrip* s, int vertex) {
    return s->length * (vertex / COLUMNS) / (s->row_count - 1);
}
static double rest_across(const WfStrip* s, int vertex) {
    return s->width * (vertex % COLUMNS) / (COLUMNS - 1);
}

static void add_triangle(WfStrip* s, double cosine, double sine, int i, int j, int k) {
    WfStripTriangle* t = &s->triangles[s->triangle_count++];
    int v[3] = {i, j, k};
    double uv[3][2];
    for (int a = 0; a < 3; a++) {
        double p = rest_along(s, v[a]), q = rest_across(s, v[a]);
        t->vertices[a] = v[a];
        uv[a][0] = cosine * p + sine * q;
        uv[a][1] = -sine * p + cosine * q;
    }
    double twice = (uv[1][0] - uv[0][0]) * (uv[2][1] - uv[0][1]) -
                   (uv[2][0] - uv[0][0]) * (uv[1][1] - uv[0][1]);
    for (int a = 0; a < 3; a++) {
        const double *next = uv[(a + 1) % 3], *last = uv[(a + 2) % 3];
        t->warp[a] = (next[1] - last[1]) / twice;
        t->weft[a] = (last[0] - next[0]) / twice;
    }
}

void wf_strip_init(WfStrip* s, double width, double length, double degrees) {
    double sine, cosine, rows = floor((COLUMNS - 1) * length / width + 0.5);
    wf_sine_cosine(degrees * (WF_PI / 180), &sine, &cosine);
    *s = (WfStrip){.width = width, .length = length};
    s->row_count = 1 + (int)fmin(fmax(rows, 2), WF_STRIP_MAX_ROWS - 1);
    s->vertex_count = COLUMNS * s->row_count;
    s->area = width * length / (2 * (COLUMNS - 1) * (s->row_count - 1));
    for (int row = 0; row < s->row_count - 1; row++)
        for (int column = 0; column < COLUMNS - 1; column++) {
            int a = row * COLUMNS + column, b = a + 1, c = a + COLUMNS, d = c + 1;
            bool even = (row + column) % 2 == 0;
            add_triangle(s, cosine, sine, a, b, even ? d : c);
            add_triangle(s, cosine, sine, even ? a : b, d, c);
        }
}

void wf_strip_rest(const WfStrip* s, double* x) {
    for (int v = 0; v < s->vertex_count; v++) {
        x[2 * v] = rest_along(s, v);
        x[2 * v + 1] = rest_across(s, v);
    }
}

// A coordinate in cells, and which cell it is in.
static double cell_of(double place, double size, int cells, int* cell) {
    double at = fmin(fmax(place / size, 0), 1) * cells;
    *cell = at < cells ? (int)at : cells - 1;
    return at - *cell;
}

WfStripPlace wf_strip_find(const WfStrip* s, double along, double across) {
    int row, column;
    double p = cell_of(along, s->length, s->row_count - 1, &row);
    double q = cell_of(across, s->width, COLUMNS - 1, &column);
    int a = row * COLUMNS + column, b = a + 1, c = a + COLUMNS, d = c + 1;
    if ((row + column) % 2 == 0)
        return q > p ? (WfStripPlace){{a, b, d}, {1 - q, q - p, p}}
                     : (WfStripPlace){{a, d, c}, {1 - p, q, p - q}};
    return p + q < 1 ? (WfStripPlace){{a, b, c}, {1 - p - q, q, p}}
                     : (WfStripPlace){{b, d, c}, {1 - p, p + q - 1, 1 - q}};
}

// ---------------------------------------------------------------------------------------------
// Unknowns: two per vertex between the clamps, and two of the lower clamp

static int unknown_count(const WfStrip* s) { return 2 * COLUMNS * (s->row_count - 2) + 2; }

// The first unknown of a vertex; negative: it is held.
static int unknown_of(const WfStrip* s, int vertex) {
    int unknown = 2 * (vertex - COLUMNS), last = unknown_count(s) - 2;
    return unknown < last ? unknown : last;
}

// How the strain of a triangle changes with its corners: e_uu, e_vv, 2 e_uv by x0, y0, x1 ...
typedef struct Strain {
    double e[3];
    double by[3][6];
} Strain;

static Strain strain_of(const WfStripTriangle* t, const double corners[6]) {
    Strain strain;
    double su[2] = {0, 0}, sv[2] = {0, 0};
    for (int i = 0; i < 6; i++) {
        su[i % 2] += t->warp[i / 2] * corners[i];
        sv[i % 2] += t->weft[i / 2] * corners[i];
    }
    strain.e[0] = 0.5 * (su[0] * su[0] + su[1] * su[1] - 1);
    strain.e[1] = 0.5 * (sv[0] * sv[0] + sv[1] * sv[1] - 1);
    strain.e[2] = 0.5 * (su[0] * sv[0] + su[1] * sv[1]);
    for (int i = 0; i < 6; i++) {
        strain.by[0][i] = t->warp[i / 2] * su[i % 2];
        strain.by[1][i] = t->weft[i / 2] * sv[i % 2];
        strain.by[2][i] = t->warp[i / 2] * sv[i % 2] + t->weft[i / 2] * su[i % 2];
    }
    return strain;
}

static void find_corners(const WfStripTriangle* t, const double* x, double corners[6]) {
    for (int i = 0; i < 6; i++) corners[i] = x[2 * t->vertices[i / 2] + i % 2];
}

static void find_stress(const WfElastic* c, const double e[3], double stress[3]) {
    stress[0] = c->c11 * e[0] + c->c12 * e[1];
    stress[1] = c->c12 * e[0] + c->c22 * e[1];
    stress[2] = c->c33 * e[2];
}

// What a triangle pulls its corners with.
static void pull_corners(const WfStrip* s, const WeftMeasured* measured, const WfStripTriangle* t,
                         const double corners[6], double force[6]) {
    Strain g = strain_of(t, corners);
    WfElastic c = wf_measured_elastic(measured, g.e);
    double stress[3];
    find_stress(&c, g.e, stress);
    for (int i = 0; i < 6; i++)
        force[i] =
            -s->area * (stress[0] * g.by[0][i] + stress[1] * g.by[1][i] + stress[2] * g.by[2][i]);
}

// What pulls at each unknown: zero in equilibrium. Returns the length of it.
static double find_forces(const WfStrip* s, const WeftMeasured* measured, double weight,
                          const double* x, double* force) {
    int count = unknown_count(s);
    double square = 0;
    memset(force, 0, (size_t)count * sizeof *force);
    force[count - 2] = weight;
    for (int k = 0; k < s->triangle_count; k++) {
        const WfStripTriangle* t = &s->triangles[k];
        double corners[6], pull[6];
        find_corners(t, x, corners);
        pull_corners(s, measured, t, corners, pull);
        for (int i = 0; i < 6; i++) {
            int row = unknown_of(s, t->vertices[i / 2]);
            if (row >= 0) force[row + i % 2] += pull[i];
        }
    }
    for (int i = 0; i < count; i++) square += force[i] * force[i];
    return sqrt(square);
}

// ---------------------------------------------------------------------------------------------
// Two stiffness matrices

// The true one, by differences.
static void add_true(const WfStrip* s, const WeftMeasured* measured, const WfStripTriangle* t,
                     const double* x, double* matrix) {
    double corners[6], pull[6], moved[6], by = 1e-6 * sqrt(s->area);
    find_corners(t, x, corners);
    pull_corners(s, measured, t, corners, pull);
    for (int j = 0; j < 6; j++) {
        int column = unknown_of(s, t->vertices[j / 2]);
        if (column < 0) continue;
        double place = corners[j];
        corners[j] += by;
        pull_corners(s, measured, t, corners, moved);
        corners[j] = place;
        for (int i = 0; i < 6; i++) {
            int row = unknown_of(s, t->vertices[i / 2]);
            if (row >= 0)
                matrix[wf_wide_band_at(BAND, row + i % 2, column + j % 2)] -=
                    (moved[i] - pull[i]) / by;
        }
    }
}

// Of a stress, what is tension.
static void find_tension(const double stress[3], double tension[3]) {
    double mean = (stress[0] + stress[1]) / 2, half = (stress[0] - stress[1]) / 2;
    double radius = sqrt(half * half + stress[2] * stress[2]);
    double high = fmax(mean + radius, 0), low = fmax(mean - radius, 0);
    double turn = radius > 0 ? (high - low) / (2 * radius) : 0;
    tension[0] = (high + low) / 2 + turn * half;
    tension[1] = (high + low) / 2 - turn * half;
    tension[2] = turn * stress[2];
}

// The positive one: without pressure, and as if constants did not change with strain.
static void add_positive(const WfStrip* s, const WeftMeasured* measured, const WfStripTriangle* t,
                         const double* x, double* matrix) {
    double corners[6], stress[3], p[3];
    find_corners(t, x, corners);
    Strain g = strain_of(t, corners);
    WfElastic c = wf_measured_elastic(measured, g.e);
    find_stress(&c, g.e, stress);
    find_tension(stress, p);
    for (int i = 0; i < 6; i++) {
        int row = unknown_of(s, t->vertices[i / 2]) + i % 2;
        double uu = c.c11 * g.by[0][i] + c.c12 * g.by[1][i];
        double vv = c.c12 * g.by[0][i] + c.c22 * g.by[1][i];
        double uv = c.c33 / 2 * g.by[2][i];
        for (int j = 0; j < 6; j++) {
            int column = unknown_of(s, t->vertices[j / 2]) + j % 2, a = i / 2, b = j / 2;
            if (column < 0 || column > row) continue;
            double k = uu * g.by[0][j] + vv * g.by[1][j] + uv * g.by[2][j];
            if (i % 2 == j % 2)
                k += p[0] * t->warp[a] * t->warp[b] + p[1] * t->weft[a] * t->weft[b] +
                     p[2] * (t->warp[a] * t->weft[b] + t->weft[a] * t->warp[b]);
            matrix[wf_band_at(BAND, row, column)] += s->area * k;
        }
    }
}

// The step that would bring the forces to zero, by one of them. False: none.
static bool find_step(const WfStrip* s, const WeftMeasured* measured, const double* x,
                      const double* force, bool positive, double* step) {
    double matrix[MAX_UNKNOWNS * (3 * BAND + 1)];
    int count = unknown_count(s);
    memset(matrix, 0, (size_t)count * (3 * BAND + 1) * sizeof *matrix);
    memcpy(step, force, (size_t)count * sizeof *step);
    for (int k = 0; k < s->triangle_count; k++)
        (positive ? add_positive : add_true)(s, measured, &s->triangles[k], x, matrix);
    if (!positive) return wf_wide_band_solve(count, BAND, matrix, 1, step);
    if (!wf_band_factor(count, BAND, matrix)) return false;
    wf_band_solve(count, BAND, matrix, step);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Equilibrium

static void move(const WfStrip* s, const double* x, double part, const double* step, double* to) {
    for (int v = 0; v < s->vertex_count; v++) {
        int unknown = unknown_of(s, v);
        for (int c = 0; c < 2; c++)
            to[2 * v + c] = x[2 * v + c] + (unknown < 0 ? 0 : part * step[unknown + c]);
    }
}

// Go along the step until the forces are less than the largest of the last few. False: they never
// are.
static bool search_line(const WfStrip* s, const WeftMeasured* measured, double weight,
                        const double* step, double bound, double* x, double* force, double* left) {
    double trial[2 * WF_STRIP_MAX_VERTICES], now[MAX_UNKNOWNS];
    for (double part = 1; part > 1e-2; part /= 2) {
        move(s, x, part, step, trial);
        double length = find_forces(s, measured, weight, trial, now);
        if (!(length < (1 - 1e-4 * part) * bound)) continue;
        memcpy(x, trial, 2 * (size_t)s->vertex_count * sizeof *x);
        memcpy(force, now, (size_t)unknown_count(s) * sizeof *force);
        *left = length;
        return true;
    }
    return false;
}

bool wf_strip_pull(const WfStrip* s, const WeftMeasured* measured, double weight, double* x) {
    double force[MAX_UNKNOWNS], step[MAX_UNKNOWNS], last[MEMORY];
    double left = find_forces(s, measured, weight, x, force);
    for (int i = 0; i < MEMORY; i++) last[i] = left;
    for (int i = 0; i < MAX_STEPS && left > tolerance * weight; i++) {
        double bound = 0;
        bool found = false;
        for (int k = 0; k < MEMORY; k++) bound = fmax(bound, last[k]);
        for (int way = 0; way < 2 && !found; way++)
            found = find_step(s, measured, x, force, way == 1, step) &&
                    search_line(s, measured, weight, step, bound, x, force, &left);
        // where they do not fall any more, rounding is all that is left
        if (!found) return left < 1e3 * tolerance * weight;
        last[i % MEMORY] = left;
    }
    return left <= tolerance * weight;
}

bool wf_strip_shift(const WfStrip* s, const WeftMeasured* measured, double weight, const double* x,
                    int count, const WeftMeasured* others, double* shifted) {
    double matrix[MAX_UNKNOWNS * (3 * BAND + 1)], steps[MAX_UNKNOWNS * WF_STRIP_MAX_SHIFTS];
    double force[MAX_UNKNOWNS], step[MAX_UNKNOWNS];
    int unknowns = unknown_count(s);
    memset(matrix, 0, (size_t)unknowns * (3 * BAND + 1) * sizeof *matrix);
    for (int k = 0; k < s->triangle_count; k++) add_true(s, measured, &s->triangles[k], x, matrix);
    for (int k = 0; k < count; k++) {
        find_forces(s, &others[k], weight, x, force);
        for (int i = 0; i < unknowns; i++) steps[i * count + k] = force[i];
    }
    if (!wf_wide_band_solve(unknowns, BAND, matrix, count, steps)) return false;
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < unknowns; i++) step[i] = steps[i * count + k];
        move(s, x, 1, step, shifted + (size_t)k * 2 * (size_t)s->vertex_count);
    }
    return true;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Pieces are laid side by side, so that their cells are apart. Where no edge of the border lies in
// a cell, triangles cover all of it equally often: once, if their areas in it add up to its own.

#include "contact/chart.h"

#include <math.h>
#include <string.h>

static const double CELL = 3;      // edges
static const double COVER = 1e-4;  // of a cell: by which areas may differ
enum { MOST_CELLS = 4, FOUR = 4, MOST_CORNERS = 8 };

// ---------------------------------------------------------------------------------------------
// Places

typedef struct Box {
    double low[2], high[2];
} Box;

static Box box_of_triangle(const WfChart* c, const int* corner) {
    Box box = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
    for (int k = 0; k < 3; k++)
        for (int d = 0; d < 2; d++) {
            double x = (double)c->places[2 * (long)corner[k] + d];
            box.low[d] = fmin(box.low[d], x);
            box.high[d] = fmax(box.high[d], x);
        }
    return box;
}

// Side by side along u, each from zero on. Returns how much room they take.
static Box lay_pieces(const WfSurface* s, const double* flat, const unsigned char* lies, double gap,
                      Box* pieces, float* places) {
    Box all = {{0, 0}, {0, 0}};
    for (int p = 0; p < s->piece_count; p++)
        pieces[p] = (Box){{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
    for (int t = 0; t < s->triangle_count; t++)
        for (int k = 0; k < 3 && lies[t]; k++) {
            int i = s->triangles[3 * (long)t + k];
            Box* box = &pieces[s->piece[i]];
            for (int d = 0; d < 2; d++) {
                box->low[d] = fmin(box->low[d], flat[2 * (long)i + d]);
                box->high[d] = fmax(box->high[d], flat[2 * (long)i + d]);
            }
        }
    for (int p = 0; p < s->piece_count; p++) {
        if (!(pieces[p].low[0] <= pieces[p].high[0])) continue;
        double width = pieces[p].high[0] - pieces[p].low[0];
        all.high[1] = fmax(all.high[1], pieces[p].high[1] - pieces[p].low[1]);
        pieces[p].low[0] -= all.high[0];
        all.high[0] += width + gap;
    }
    for (int i = 0; i < s->vertex_count; i++)
        for (int d = 0; d < 2; d++) {
            double x = flat[2 * (long)i + d] - pieces[s->piece[i]].low[d];
            places[2 * (long)i + d] = isfinite(x) ? (float)x : 0;
        }
    return all;
}

// ---------------------------------------------------------------------------------------------
// Cells

typedef struct Range {
    int low[2], high[2];  // cells, both with
} Range;

static Range cells_of(const WfChart* c, Box box) {
    int most[2] = {c->columns - 1, c->rows - 1};
    Range range;
    for (int d = 0; d < 2; d++) {
        int low = (int)floor(box.low[d] / c->cell), high = (int)floor(box.high[d] / c->cell);
        range.low[d] = low < 0 ? 0 : low;
        range.high[d] = high > most[d] ? most[d] : high;
    }
    return range;
}

// What is left of a polygon on one side of a line along an axis. Returns the number of corners.
static int clip(const double (*from)[2], int count, int axis, double sign, double at,
                double (*to)[2]) {
    int kept = 0;
    for (int k = 0; k < count; k++) {
        const double *a = from[k], *b = from[(k + 1) % count];
        double u = sign * (a[axis] - at), v = sign * (b[axis] - at);
        if (u >= 0) {
            memcpy(to[kept++], a, 2 * sizeof(double));
        }
        if ((u >= 0) != (v >= 0)) {
            double s = u / (u - v);
            for (int d = 0; d < 2; d++) to[kept][d] = a[d] + s * (b[d] - a[d]);
            kept++;
        }
    }
    return kept;
}

static double area_of(const double (*x)[2], int count) {
    double sum = 0;
    for (int k = 1; k + 1 < count; k++)
        sum += (x[k][0] - x[0][0]) * (x[k + 1][1] - x[0][1]) -
               (x[k + 1][0] - x[0][0]) * (x[k][1] - x[0][1]);
    return fabs(sum) / 2;
}

// Of a triangle, what lies in a cell.
static double area_in(const WfChart* c, const int* corner, int column, int row) {
    double a[MOST_CORNERS][2], b[MOST_CORNERS][2];
    int cell[2] = {column, row}, count = 3;
    for (int k = 0; k < 3; k++)
        for (int d = 0; d < 2; d++) a[k][d] = (double)c->places[2 * (long)corner[k] + d];
    for (int d = 0; d < 2; d++) {
        count = clip((const double(*)[2])a, count, d, 1, cell[d] * c->cell, b);
        count = clip((const double(*)[2])b, count, d, -1, (cell[d] + 1) * c->cell, a);
    }
    return area_of((const double(*)[2])a, count);
}

// Of all triangles, per cell: the area that they cover, and how many may be in it.
static void measure_cells(const WfSurface* s, const WfChart* c, double* areas, int* counts) {
    for (int t = 0; t < s->triangle_count; t++) {
        const int* corner = s->triangles + 3 * (long)t;
        if (!c->lies[t]) continue;
        Range range = cells_of(c, box_of_triangle(c, corner));
        for (int row = range.low[1]; row <= range.high[1]; row++)
            for (int column = range.low[0]; column <= range.high[0]; column++) {
                int cell = row * c->columns + column;
                areas[cell] += area_in(c, corner, column, row);
                counts[cell]++;
            }
    }
}

// Cells that an edge of the border may lie in have no area that counts.
static void exclude_border(const WfSurface* s, const WfChart* c, double* areas) {
    for (int e = 0; e < s->edge_count; e++) {
        const int *of = s->edge_triangles + 2 * (long)e, *ends = s->edges + 2 * (long)e;
        int sides = (of[0] >= 0 && c->lies[of[0]]) + (of[1] >= 0 && c->lies[of[1]]);
        if (sides != 1) continue;
        int corner[3] = {ends[0], ends[1], ends[1]};
        Range range = cells_of(c, box_of_triangle(c, corner));
        for (int row = range.low[1]; row <= range.high[1]; row++)
            for (int column = range.low[0]; column <= range.high[0]; column++)
                areas[row * c->columns + column] = -HUGE_VAL;
    }
}

static double altitude_of(const WfChart* c, const int* corner) {
    double x[3][2], longest = 0;
    for (int k = 0; k < 3; k++)
        for (int d = 0; d < 2; d++) x[k][d] = (double)c->places[2 * (long)corner[k] + d];
    for (int k = 0; k < 3; k++) {
        double u = x[(k + 1) % 3][0] - x[k][0], v = x[(k + 1) % 3][1] - x[k][1];
        longest = fmax(longest, sqrt(u * u + v * v));
    }
    return longest > 0 ? 2 * area_of((const double(*)[2])x, 3) / longest : 0;
}

static void invert(const WfChart* c, const int* corner, float inverse[4]) {
    double e[2][2];
    for (int k = 0; k < 2; k++)
        for (int d = 0; d < 2; d++)
            e[k][d] = (double)c->places[2 * (long)corner[k + 1] + d] -
                      (double)c->places[2 * (long)corner[0] + d];
    double whole = e[0][0] * e[1][1] - e[0][1] * e[1][0];
    double over = whole != 0 ? 1 / whole : 0;
    inverse[0] = (float)(over * e[1][1]);   // of edge 0 1 along u
    inverse[1] = (float)(-over * e[1][0]);  // along v
    inverse[2] = (float)(-over * e[0][1]);  // of edge 0 2 along u
    inverse[3] = (float)(over * e[0][0]);
}

static void number_cells(WfChart* c, const double* areas, const int* counts) {
    int total = 0;
    for (int cell = 0; cell < c->columns * c->rows; cell++) {
        bool sure = fabs(areas[cell] / (c->cell * c->cell) - 1) < COVER;
        c->number[cell] = sure ? c->sure_count++ : -1;
        if (sure) total += (counts[cell] + FOUR - 1) / FOUR * FOUR;
        if (sure) c->start[c->sure_count] = total;
    }
}

static void fill_cells(const WfSurface* s, WfChart* c, int* filled) {
    for (int t = 0; t < s->triangle_count; t++) {
        const int* corner = s->triangles + 3 * (long)t;
        if (!c->lies[t]) continue;
        invert(c, corner, c->inverses + 4 * (long)t);
        Range range = cells_of(c, box_of_triangle(c, corner));
        float altitude = (float)altitude_of(c, corner);
        for (int row = range.low[1]; row <= range.high[1]; row++)
            for (int column = range.low[0]; column <= range.high[0]; column++) {
                int cell = c->number[row * c->columns + column];
                if (cell < 0) continue;
                int at = c->start[cell] + filled[cell]++;
                c->triangles[at] = t;
                if (filled[cell] == 1 || altitude < c->altitudes[cell])
                    c->altitudes[cell] = altitude;
            }
    }
    for (int cell = 0; cell < c->sure_count; cell++)
        for (int at = c->start[cell] + filled[cell]; at < c->start[cell + 1]; at++)
            c->triangles[at] = c->triangles[c->start[cell]];
}

// ---------------------------------------------------------------------------------------------
// Gaps

static double square_to_segment(const double p[2], const double a[2], const double b[2]) {
    double u[2] = {b[0] - a[0], b[1] - a[1]}, r[2] = {p[0] - a[0], p[1] - a[1]};
    double size = u[0] * u[0] + u[1] * u[1], s = size > 0 ? (r[0] * u[0] + r[1] * u[1]) / size : 0;
    s = fmin(fmax(s, 0), 1);
    double x = r[0] - s * u[0], y = r[1] - s * u[1];
    return x * x + y * y;
}

// From a place to a triangle that it is not in, if that is less than `most`.
static double gap_to(const WfChart* c, const double p[2], const int* corner, double most) {
    double x[3][2];
    Box box = box_of_triangle(c, corner);
    for (int d = 0; d < 2; d++)
        if (p[d] < box.low[d] - most || p[d] > box.high[d] + most) return most;
    for (int k = 0; k < 3; k++)
        for (int d = 0; d < 2; d++) x[k][d] = (double)c->places[2 * (long)corner[k] + d];
    for (int k = 0; k < 3; k++) most = fmin(most, sqrt(square_to_segment(p, x[k], x[(k + 1) % 3])));
    return most;
}

static bool has_corner(const int* corner, int vertex) {
    return corner[0] == vertex || corner[1] == vertex || corner[2] == vertex;
}

// The least gap around a vertex: triangles in no cell beside its own are a cell away.
static double gap_around(const WfSurface* s, const WfChart* c, int vertex, double most) {
    const double p[2] = {(double)c->places[2 * (long)vertex],
                         (double)c->places[2 * (long)vertex + 1]};
    Box box = {{p[0] - most, p[1] - most}, {p[0] + most, p[1] + most}};
    Range range = cells_of(c, box);
    for (int y = range.low[1]; y <= range.high[1]; y++)
        for (int x = range.low[0]; x <= range.high[0]; x++) {
            int cell = c->number[y * c->columns + x];
            if (cell < 0) continue;
            for (int k = c->start[cell]; k < c->start[cell + 1]; k++) {
                const int* corner = s->triangles + 3 * (long)c->triangles[k];
                double gap = gap_to(c, p, corner, most);
                if (gap < most && !has_corner(corner, vertex) &&
                    !wf_are_joined(s, &vertex, 1, corner, 3))
                    most = gap;
            }
        }
    return most;
}

static const double FAR = 2;  // altitudes: larger gaps are of no use

static void find_gaps(const WfSurface* s, WfChart* c) {
    for (int cell = 0; cell < c->sure_count; cell++)
        c->gaps[cell] = (float)fmin(c->cell, FAR * (double)c->altitudes[cell]);
    for (int i = 0; i < s->vertex_count; i++) {
        int column = (int)floor((double)c->places[2 * (long)i] / c->cell);
        int row = (int)floor((double)c->places[2 * (long)i + 1] / c->cell);
        if (column >= c->columns || row >= c->rows || column < 0 || row < 0) continue;
        int cell = c->number[row * c->columns + column];
        if (cell < 0) continue;
        double gap = gap_around(s, c, i, (double)c->gaps[cell]);
        c->gaps[cell] = (float)gap;
    }
}

static bool make_cells(const WeftAllocator* allocator, const WfSurface* s, WfChart* c) {
    size_t cells = (size_t)c->columns * (size_t)c->rows;
    double* areas = wf_alloc(allocator, cells, sizeof *areas);
    int* counts = wf_alloc(allocator, cells, sizeof *counts);
    c->number = wf_alloc(allocator, cells, sizeof *c->number);
    c->start = wf_alloc(allocator, cells + 1, sizeof *c->start);
    bool good = areas && counts && c->number && c->start;
    if (good) {
        memset(areas, 0, cells * sizeof *areas);
        memset(counts, 0, cells * sizeof *counts);
        c->start[0] = 0;
        measure_cells(s, c, areas, counts);
        exclude_border(s, c, areas);
        number_cells(c, areas, counts);
        size_t sure = (size_t)c->sure_count;
        c->triangles = wf_alloc(allocator, (size_t)c->start[sure], sizeof *c->triangles);
        c->altitudes = wf_alloc(allocator, sure, sizeof *c->altitudes);
        c->gaps = wf_alloc(allocator, sure, sizeof *c->gaps);
        good = c->triangles && c->altitudes && c->gaps;
        memset(counts, 0, cells * sizeof *counts);
        if (good) fill_cells(s, c, counts);
        if (good) find_gaps(s, c);
    }
    wf_free(allocator, areas);
    wf_free(allocator, counts);
    return good;
}

WeftResult wf_chart_create(const WeftAllocator* allocator, const WfSurface* s, const double* flat,
                           const unsigned char* lies, double edge, WfChart* c) {
    *c = (WfChart){.cell = CELL * edge};
    size_t n = (size_t)s->vertex_count, triangles = (size_t)s->triangle_count;
    Box* pieces = wf_alloc(allocator, (size_t)s->piece_count, sizeof *pieces);
    c->places = wf_alloc(allocator, 2 * n, sizeof *c->places);
    c->lies = wf_alloc(allocator, triangles, 1);
    c->inverses = wf_alloc(allocator, 4 * triangles, sizeof *c->inverses);
    bool good = pieces && c->places && c->lies && c->inverses;
    if (good) {
        memcpy(c->lies, lies, triangles);
        Box all = lay_pieces(s, flat, lies, 2 * c->cell, pieces, c->places);
        double columns = ceil(all.high[0] / c->cell), rows = ceil(all.high[1] / c->cell);
        if (columns * rows <= MOST_CELLS * (double)s->triangle_count) {
            c->columns = (int)columns;
            c->rows = (int)rows;
        }
        good = c->columns * c->rows == 0 || make_cells(allocator, s, c);
    }
    wf_free(allocator, pieces);
    if (!good) wf_chart_destroy(allocator, c);
    return good ? WEFT_OK : WEFT_ERROR_MEMORY;
}

void wf_chart_destroy(const WeftAllocator* allocator, WfChart* c) {
    wf_free(allocator, c->places);
    wf_free(allocator, c->lies);
    wf_free(allocator, c->inverses);
    wf_free(allocator, c->number);
    wf_free(allocator, c->start);
    wf_free(allocator, c->triangles);
    wf_free(allocator, c->altitudes);
    wf_free(allocator, c->gaps);
    *c = (WfChart){0};
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A lattice of equilateral triangles, every site moved by lot so that the mesh has no grain, cut
// out by the boundary. Rows are filled between crossings with the boundary (even-odd), as spans of
// sites; then each piece of the boundary strikes out the sites that come too close to it. The cost
// goes with the number of sites inside, not with the box around them.

#include "mesh/fill.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "mesh/hilbert.h"

#define ROW 0.86602540378443865  // height of an equilateral triangle
#define JITTER 0.55              // of the spacing, to either side
#define CLEARANCE 0.5            // of the spacing: least distance of a site from the boundary

typedef struct Span {
    int row, first, last;  // columns
    int start;             // its first site
} Span;

typedef struct Filler {
    const WfShape* shape;
    WfPoint least, most;  // the box around the shape
    double bottom, left;  // of row 0, column 0
    int row_count;
    int crossing_count, span_count, site_count;
    WfKey *crossings, *scratch;  // by row, then x
    Span* spans;
    int* row_start;  // spans of each row
    unsigned char* struck;
} Filler;

static double row_y(const Filler* f, int row) { return f->bottom + row * ROW * f->shape->spacing; }

static double column_x(const Filler* f, int row, int column) {
    return f->left + (column + 0.5 * (row % 2)) * f->shape->spacing;
}

static int last_row_below(const Filler* f, double y) {
    return (int)floor((y - f->bottom) / (ROW * f->shape->spacing));
}

static int last_column_before(const Filler* f, int row, double x) {
    return (int)floor((x - f->left) / f->shape->spacing - 0.5 * (row % 2));
}

// in -1 .. 1, the same for the same site
static double lot(const Filler* f, int row, int column, int axis) {
    uint64_t site = wf_mix((uint64_t)f->shape->seed << 32 | (uint32_t)row);
    uint64_t bits = wf_mix(site ^ ((uint64_t)(uint32_t)column << 1 | (uint64_t)axis));
    return (double)(bits >> 11) * 0x1p-52 - 1;
}

static void site_position(const Filler* f, int row, int column, double* out) {
    double reach = JITTER * f->shape->spacing;
    out[0] = column_x(f, row, column) + reach * lot(f, row, column, 0);
    out[1] = row_y(f, row) + reach * lot(f, row, column, 1);
}

// ---------------------------------------------------------------------------------------------
// Rows

// The crossings of one piece of the boundary with the rows; counts only, where there is no room.
static void cross_rows(Filler* f, WfPoint a, WfPoint b) {
    if (a.y == b.y) return;
    int least = a.y < b.y ? a.y : b.y, most = a.y < b.y ? b.y : a.y;
    for (int row = last_row_below(f, least); row <= last_row_below(f, most) + 1; row++) {
        double y = row_y(f, row);
        if (row < 0 || row >= f->row_count || (a.y <= y) == (b.y <= y)) continue;
        if (f->crossings) {
            double x = a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x);
            f->crossings[f->crossing_count] =
                (WfKey){(uint64_t)row << 32 | (uint64_t)(x + 0.5), f->crossing_count};
        }
        f->crossing_count++;
    }
}

static void cross_all(Filler* f) {
    const WfShape* shape = f->shape;
    f->crossing_count = 0;
    for (int i = 0; i < shape->count; i++)
        cross_rows(f, shape->points[i], shape->points[shape->successor[i]]);
}

// Between the crossings 0 and 1, 2 and 3, ... of a row is inside.
static WeftResult make_spans(Filler* f, WeftError* error) {
    for (int i = 0; i + 1 < f->crossing_count; i += 2) {
        int row = (int)(f->crossings[i].key >> 32);
        int first = last_column_before(f, row, (double)(f->crossings[i].key & 0xffffffff)) + 1;
        int last = last_column_before(f, row, (double)(f->crossings[i + 1].key & 0xffffffff));
        if (last < first) continue;
        if (last - first >= f->shape->most - f->site_count)
            return wf_fail(error, WEFT_ERROR_INPUT, "such short edges make more than %d vertices",
                           f->shape->most);
        f->spans[f->span_count++] = (Span){row, first, last, f->site_count};
        f->site_count += last - first + 1;
        f->row_start[row + 1]++;
    }
    for (int row = 0; row < f->row_count; row++) f->row_start[row + 1] += f->row_start[row];
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// Clearance

static double distance_squared(WfPoint a, WfPoint b, const double* p) {
    double ex = b.x - a.x, ey = b.y - a.y, px = p[0] - a.x, py = p[1] - a.y;
    double t = (px * ex + py * ey) / (ex * ex + ey * ey);
    t = t > 0 ? t < 1 ? t : 1 : 0;  // also where a and b are one point
    px -= t * ex;
    py -= t * ey;
    return px * px + py * py;
}

static void strike_span(Filler* f, const Span* span, WfPoint a, WfPoint b, double reach) {
    double clearance = CLEARANCE * f->shape->spacing;
    double left = (a.x < b.x ? a.x : b.x) - reach, right = (a.x < b.x ? b.x : a.x) + reach;
    int first = last_column_before(f, span->row, left) + 1;
    int last = last_column_before(f, span->row, right);
    if (first < span->first) first = span->first;
    if (last > span->last) last = span->last;
    for (int column = first; column <= last; column++) {
        double p[2];
        site_position(f, span->row, column, p);
        if (distance_squared(a, b, p) < clearance * clearance)
            f->struck[span->start + column - span->first] = 1;
    }
}

static void strike_near(Filler* f, WfPoint a, WfPoint b) {
    double reach = (CLEARANCE + JITTER) * f->shape->spacing;
    int least = a.y < b.y ? a.y : b.y, most = a.y < b.y ? b.y : a.y;
    int first = last_row_below(f, least - reach), last = last_row_below(f, most + reach);
    if (first < 0) first = 0;
    if (last > f->row_count - 1) last = f->row_count - 1;
    for (int row = first; row <= last; row++)
        for (int s = f->row_start[row]; s < f->row_start[row + 1]; s++)
            strike_span(f, &f->spans[s], a, b, reach);
}

static bool in_box(const Filler* f, const double* p) {
    return p[0] >= f->least.x && p[0] <= f->most.x && p[1] >= f->least.y && p[1] <= f->most.y;
}

// Sites that the lot has thrown over the boundary are dropped with the outside later on, but they
// must not leave the grid.
static int take_sites(const Filler* f, WfPoint* out) {
    int count = 0;
    for (int s = 0; s < f->span_count; s++) {
        const Span* span = &f->spans[s];
        for (int column = span->first; column <= span->last; column++) {
            if (f->struck[span->start + column - span->first]) continue;
            double p[2];
            site_position(f, span->row, column, p);
            if (!in_box(f, p)) continue;
            if (out) out[count] = (WfPoint){(int32_t)(p[0] + 0.5), (int32_t)(p[1] + 0.5)};
            count++;
        }
    }
    return count;
}

// ---------------------------------------------------------------------------------------------

static void place_lattice(Filler* f) {
    const WfShape* shape = f->shape;
    f->least = f->most = shape->points[0];
    for (int i = 1; i < shape->count; i++) {
        WfPoint p = shape->points[i];
        if (p.x < f->least.x) f->least.x = p.x;
        if (p.y < f->least.y) f->least.y = p.y;
        if (p.x > f->most.x) f->most.x = p.x;
        if (p.y > f->most.y) f->most.y = p.y;
    }
    // as much room under the first row as over the last one
    double height = (double)f->most.y - f->least.y, row = ROW * shape->spacing;
    f->row_count = (int)floor(height / row) + 1;
    f->bottom = f->least.y + (height - (f->row_count - 1) * row) / 2;
    f->left = f->least.x + 0.25 * shape->spacing;
}

static WeftResult find_spans(Filler* f, const WeftAllocator* allocator, WeftError* error) {
    cross_all(f);
    size_t crossings = (size_t)f->crossing_count;
    f->crossings = wf_alloc(allocator, crossings, sizeof *f->crossings);
    f->scratch = wf_alloc(allocator, crossings, sizeof *f->scratch);
    f->spans = wf_alloc(allocator, crossings, sizeof *f->spans);
    f->row_start = wf_alloc(allocator, (size_t)f->row_count + 1, sizeof *f->row_start);
    if (!f->crossings || !f->scratch || !f->spans || !f->row_start) return wf_fail_memory(error);
    cross_all(f);
    wf_sort_keys(f->crossings, f->scratch, f->crossing_count);
    return make_spans(f, error);
}

WeftResult wf_fill_shape(const WeftAllocator* allocator, const WfShape* shape, int lead, int trail,
                         WfPoint** points, int* count, WeftError* error) {
    Filler f = {.shape = shape};
    place_lattice(&f);
    WeftResult result = find_spans(&f, allocator, error);
    if (result) goto done;
    f.struck = wf_alloc(allocator, (size_t)f.site_count, 1);
    result = f.struck ? WEFT_OK : wf_fail_memory(error);
    if (result) goto done;
    for (int i = 0; i < shape->count; i++)
        strike_near(&f, shape->points[i], shape->points[shape->successor[i]]);
    *count = take_sites(&f, NULL);
    *points = wf_alloc(allocator, (size_t)lead + (size_t)*count + (size_t)trail, sizeof **points);
    result = *points ? WEFT_OK : wf_fail_memory(error);
    if (!result) take_sites(&f, *points + lead);

done:
    wf_free(allocator, f.crossings);
    wf_free(allocator, f.scratch);
    wf_free(allocator, f.spans);
    wf_free(allocator, f.row_start);
    wf_free(allocator, f.struck);
    return result;
}

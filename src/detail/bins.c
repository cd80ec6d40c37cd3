// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "detail/bins.h"

#include "base/memory.h"

static const double CELLS = 4;       // per triangle, at most: most of them are empty
static const double COARSER = 1.26;  // cells with twice the volume

static void triangle_box(const WfBins* bins, int t, double low[3], double high[3]) {
    const int* v = bins->triangles + 3 * (long)t;
    for (int k = 0; k < 3; k++) {
        double a = bins->x[3 * (long)v[0] + k], b = bins->x[3 * (long)v[1] + k];
        double c = bins->x[3 * (long)v[2] + k];
        low[k] = fmin(a, fmin(b, c));
        high[k] = fmax(a, fmax(b, c));
    }
}

// Bounds, planes, and cells about as large as triangles.
static void measure(WfBins* bins) {
    double sum = 0;
    for (int k = 0; k < 3; k++) bins->low[k] = HUGE_VAL, bins->high[k] = -HUGE_VAL;
    for (int t = 0; t < bins->triangle_count; t++) {
        double low[3], high[3], longest = 0;
        WfVec c[3];
        triangle_box(bins, t, low, high);
        for (int k = 0; k < 3; k++) {
            bins->low[k] = fmin(bins->low[k], low[k]);
            bins->high[k] = fmax(bins->high[k], high[k]);
            longest = fmax(longest, high[k] - low[k]);
        }
        sum += longest;
        wf_bins_corners(bins, t, c);
        WfVec n = wf_unit(wf_cross(wf_sub(c[1], c[0]), wf_sub(c[2], c[0])));
        wf_store(bins->planes + 4 * (long)t, 0, n);
        bins->planes[4 * (long)t + 3] = wf_dot(n, c[0]);
    }
    bins->cell = sum > 0 ? sum / bins->triangle_count : 1;
}

static int lay_cells(WfBins* bins) {
    double most = CELLS * bins->triangle_count + 64;
    for (;; bins->cell *= COARSER) {
        double cells = 1;
        for (int k = 0; k < 3; k++) {
            double size = 1 + floor((bins->high[k] - bins->low[k]) / bins->cell);
            cells *= size;
            bins->size[k] = size < most ? (int)size : 1;
        }
        if (cells <= most) return (int)cells;
    }
}

static int cell_of(const WfBins* bins, int axis, double x) {
    double at = (x - bins->low[axis]) / bins->cell;
    return at < 0 ? 0 : at < bins->size[axis] - 1 ? (int)at : bins->size[axis] - 1;
}

// Counts the triangles of each cell, one further on; or puts them in place.
static void go_over_cells(WfBins* bins, bool put) {
    int* next = bins->start + 1;
    for (int t = 0; t < bins->triangle_count; t++) {
        double low[3], high[3];
        int first[3], last[3];
        triangle_box(bins, t, low, high);
        for (int k = 0; k < 3; k++) {
            first[k] = cell_of(bins, k, low[k]);
            last[k] = cell_of(bins, k, high[k]);
        }
        for (int z = first[2]; z <= last[2]; z++)
            for (int y = first[1]; y <= last[1]; y++)
                for (int x = first[0]; x <= last[0]; x++) {
                    int cell = (z * bins->size[1] + y) * bins->size[0] + x;
                    if (put)
                        bins->list[next[cell]++] = t;
                    else
                        next[cell + 1]++;
                }
    }
}

bool wf_bins_create(const WeftAllocator* allocator, int triangle_count, const int* triangles,
                    const double* x, WfBins* bins) {
    *bins = (WfBins){.triangle_count = triangle_count, .triangles = triangles, .x = x};
    bins->planes = wf_alloc(allocator, 4 * (size_t)triangle_count, sizeof(double));
    if (!bins->planes) return false;
    measure(bins);
    int cells = lay_cells(bins);
    bins->start = wf_alloc(allocator, (size_t)cells + 2, sizeof(int));
    if (bins->start) {
        go_over_cells(bins, false);
        for (int c = 0; c < cells; c++) bins->start[c + 2] += bins->start[c + 1];
        bins->list = wf_alloc(allocator, (size_t)bins->start[cells + 1], sizeof(int));
    }
    if (bins->list)
        go_over_cells(bins, true);
    else
        wf_bins_destroy(allocator, bins);
    return bins->list != NULL;
}

void wf_bins_destroy(const WeftAllocator* allocator, WfBins* bins) {
    wf_free(allocator, bins->planes);
    wf_free(allocator, bins->start);
    wf_free(allocator, bins->list);
    *bins = (WfBins){0};
}

bool wf_bins_range(const WfBins* bins, WfVec p, double reach, int range[6]) {
    const double at[3] = {p.x, p.y, p.z};
    for (int k = 0; k < 3; k++) {
        if (!(at[k] + reach >= bins->low[k] && at[k] - reach <= bins->high[k])) return false;
        range[2 * k] = cell_of(bins, k, at[k] - reach);
        range[2 * k + 1] = cell_of(bins, k, at[k] + reach);
    }
    return true;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Whether triangles of a flat shape lie on each other.

#ifndef WEFT_OVERLAP_TEST_H
#define WEFT_OVERLAP_TEST_H

#include <math.h>
#include <stdlib.h>

enum { OVERLAP_SAMPLES = 400 };  // along each side of the box around all

static inline double overlap_side(const double* a, const double* b, double x, double y) {
    return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

// Marks the samples in a triangle; returns how many were marked already.
static inline int overlap_mark(const double* t, const double low[2], const double step[2],
                               char* marks) {
    double from[2], to[2];
    int again = 0;
    for (int k = 0; k < 2; k++) {
        from[k] = floor((fmin(t[k], fmin(t[2 + k], t[4 + k])) - low[k]) / step[k]) - 1;
        to[k] = ceil((fmax(t[k], fmax(t[2 + k], t[4 + k])) - low[k]) / step[k]) + 1;
        from[k] = fmax(from[k], 0), to[k] = fmin(to[k], OVERLAP_SAMPLES - 1);
    }
    for (int j = (int)from[1]; j <= (int)to[1]; j++)
        for (int i = (int)from[0]; i <= (int)to[0]; i++) {
            double x = low[0] + (i + 0.4142) * step[0], y = low[1] + (j + 0.7321) * step[1];
            char* mark = &marks[j * OVERLAP_SAMPLES + i];
            bool inside = overlap_side(t, t + 2, x, y) > 1e-9 &&
                          overlap_side(t + 2, t + 4, x, y) > 1e-9 &&
                          overlap_side(t + 4, t, x, y) > 1e-9;
            again += inside && *mark;
            if (inside) *mark = 1;
        }
    return again;
}

// Of triangles, 6 numbers each, that are counter-clockwise: how many samples are in two of them.
static inline int count_overlaps(const double* triangles, int count) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, step[2];
    char* marks = calloc(OVERLAP_SAMPLES, OVERLAP_SAMPLES);
    int overlaps = 0;
    if (!marks) abort();
    for (int i = 0; i < 6 * count; i++) {
        low[i % 2] = fmin(low[i % 2], triangles[i]);
        high[i % 2] = fmax(high[i % 2], triangles[i]);
    }
    for (int k = 0; k < 2; k++) step[k] = (high[k] - low[k]) / OVERLAP_SAMPLES;
    for (int t = 0; t < count; t++) overlaps += overlap_mark(triangles + 6L * t, low, step, marks);
    free(marks);
    return overlaps;
}

#endif

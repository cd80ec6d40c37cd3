// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "base/band.h"

#include <math.h>

static int first_column(int band, int i) { return i > band ? i - band : 0; }

bool wf_band_factor(int count, int band, double* matrix) {
    for (int i = 0; i < count; i++) {
        int first = first_column(band, i);
        double* row = matrix + wf_band_at(band, i, 0);
        for (int j = first; j <= i; j++) {
            const double* other = matrix + wf_band_at(band, j, 0);
            int k = first_column(band, j) > first ? first_column(band, j) : first;
            double sum = row[j];
            for (; k < j; k++) sum -= row[k] * other[k];  // a(i,j) -= l(i,k) l(j,k)
            if (j == i && !(sum > 0 && isfinite(sum))) return false;
            row[j] = j == i ? sqrt(sum) : sum / other[j];
        }
    }
    return true;
}

void wf_band_solve(int count, int band, const double* factor, double* x) {
    for (int i = 0; i < count; i++) {
        const double* row = factor + wf_band_at(band, i, 0);
        for (int j = first_column(band, i); j < i; j++) x[i] -= row[j] * x[j];
        x[i] /= row[i];
    }
    for (int i = count - 1; i >= 0; i--) {
        const double* row = factor + wf_band_at(band, i, 0);
        x[i] /= row[i];
        for (int j = first_column(band, i); j < i; j++) x[j] -= row[j] * x[i];
    }
}

static void swap(double* a, double* b) {
    double value = *a;
    *a = *b;
    *b = value;
}

// y -= part x
static void subtract(int count, double part, const double* x, double* y) {
    for (int i = 0; i < count; i++) y[i] -= part * x[i];
}

// Of the rows that have something in column i, the one with most of it becomes row i.
static bool find_pivot(int count, int band, int i, double* matrix, int columns, double* x) {
    int last = i + band < count ? i + band : count - 1, best = i;
    for (int r = i + 1; r <= last; r++)
        if (fabs(matrix[wf_wide_band_at(band, r, i)]) >
            fabs(matrix[wf_wide_band_at(band, best, i)]))
            best = r;
    for (int j = i; j <= i + 2 * band && best != i; j++)
        swap(&matrix[wf_wide_band_at(band, i, j)], &matrix[wf_wide_band_at(band, best, j)]);
    for (int j = 0; j < columns && best != i; j++)
        swap(&x[i * columns + j], &x[best * columns + j]);
    double pivot = fabs(matrix[wf_wide_band_at(band, i, i)]);
    return pivot > 0 && isfinite(pivot);
}

bool wf_wide_band_solve(int count, int band, double* matrix, int columns, double* x) {
    for (int i = 0; i < count; i++) {
        if (!find_pivot(count, band, i, matrix, columns, x)) return false;
        const double* row = matrix + wf_wide_band_at(band, i, i);
        for (int r = i + 1; r <= i + band && r < count; r++) {
            double* other = matrix + wf_wide_band_at(band, r, i);
            double part = other[0] / row[0];
            subtract(2 * band + 1, part, row, other);
            subtract(columns, part, x + i * columns, x + r * columns);
        }
    }
    for (int i = count - 1; i >= 0; i--) {
        const double* row = matrix + wf_wide_band_at(band, i, i);
        double* result = x + i * columns;
        for (int j = 1; j <= 2 * band && i + j < count; j++)
            subtract(columns, row[j], x + (i + j) * columns, result);
        for (int k = 0; k < columns; k++) result[k] /= row[0];
    }
    return true;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Small matrices with numbers near the diagonal only, solved in place. Of symmetric ones row i
// holds columns i - band to i; a full matrix has a band of count - 1.

#ifndef WF_BASE_BAND_H
#define WF_BASE_BAND_H

#include <stdbool.h>

// Where row i, column j <= i is.
static inline int wf_band_at(int band, int i, int j) { return i * (band + 1) + j - i + band; }

// A = L L^T; false where A is not positive.
bool wf_band_factor(int count, int band, double* matrix);
// x becomes A^-1 x.
void wf_band_solve(int count, int band, const double* factor, double* x);

// Of matrices that are not symmetric, row i has room for columns i - band to i + 2 band; the last
// `band` of them are for what solving moves there.
static inline int wf_wide_band_width(int band) { return 3 * band + 1; }
static inline int wf_wide_band_at(int band, int i, int j) {
    return i * wf_wide_band_width(band) + j - i + band;
}
// x becomes A^-1 x, for `columns` right-hand sides at once, row by row; the matrix is used up.
// False where A has no inverse.
bool wf_wide_band_solve(int count, int band, double* matrix, int columns, double* x);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Small dense systems, quasi-definite: L D L^T without pivoting. Rows of n numbers.

#ifndef WF_SPARSE_SMALL_H
#define WF_SPARSE_SMALL_H

// L D L^T in place, from what stands below the diagonal: D on the diagonal, L below.
static inline void wf_small_factor(int count, int n, double* m) {
    for (int i = 0; i < count; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = m[n * i + j];
            for (int k = 0; k < j; k++) sum -= m[n * i + k] * m[n * j + k] * m[n * k + k];
            m[n * i + j] = j < i ? sum / m[n * j + j] : sum;
        }
    }
}

// s <- (L D L^T)^-1 s, of every `step`th number
static inline void wf_small_solve(int count, int n, const double* m, int step, double* s) {
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++) s[step * i] -= m[n * i + k] * s[step * k];
    for (int i = count - 1; i >= 0; i--) {
        s[step * i] /= m[n * i + i];
        for (int k = i + 1; k < count; k++) s[step * i] -= m[n * k + i] * s[step * k];
    }
}

#endif

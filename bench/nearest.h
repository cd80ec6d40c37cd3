// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#ifndef WEFT_BENCH_NEAREST_H
#define WEFT_BENCH_NEAREST_H

// The point of a triangle nearest to p, as weights; returns the square of the distance.
double nearest_in(const double* p, const double* a, const double* b, const double* c, double w[3]);

#endif

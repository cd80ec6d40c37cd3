// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Projective dynamics on CHOLMOD, as a good user of it writes it.

#ifndef WEFT_BENCH_PROJECTIVE_H
#define WEFT_BENCH_PROJECTIVE_H

#include "net.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Projective Projective;

// Steps of `h` seconds of the net, which must live as long. Tries the ways CHOLMOD has to factor
// the matrix, and keeps the one that solves fastest by the clock `now`. NULL for lack of memory.
Projective* create_projective(const Net* net, double h, const double gravity[3],
                              double (*now)(void* user));
void destroy_projective(Projective* projective);
// Back to the start of the net, at rest.
void reset_projective(Projective* projective);
// So many steps of so many local and global iterations each; returns the seconds.
double take_projective_steps(Projective* projective, int step_count, int iterations);
// 3 per vertex, of the net's vertices; valid until the next step.
const double* projective_positions(Projective* projective);
// How the matrix is factored: "supernodal, METIS".
const char* projective_factor(const Projective* projective);

#ifdef __cplusplus
}
#endif

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The tables of "Linear Models for Real-time Clothing Simulation" (NOTICE), on meshes of the same
// kinds and sizes: its figures beside ours.

#ifndef WEFT_BENCH_THESIS_H
#define WEFT_BENCH_THESIS_H

#include "bench.h"
#include "square.h"

typedef enum Family { FAMILY_EDGE, FAMILY_TRIANGLE, FAMILY_COUNT } Family;

typedef enum Softness {
    CLOTH_SOFT,   // the largest eigenvalue of M^-1 A is the thesis' of table 6.1
    CLOTH_STIFF,  // 2000 N/m
    SOFTNESS_COUNT,
} Softness;

extern const char* const family_names[FAMILY_COUNT];
extern const char* const softness_names[SOFTNESS_COUNT];

enum { SPECTRUM_VERTICES = 166 };  // of table 6.1
extern const double thesis_least[FAMILY_COUNT], thesis_most[FAMILY_COUNT];

// A step that solves once with the constant matrix.
WeftStepDef linear_step(void);
// A square of irregular triangles near `vertex_count` vertices, held by two corners, numbered as
// meshed or the boundary first. Returns an exit code. It must stay where it is: its cloth points
// into it.
int make_thesis_square(int vertex_count, bool boundary_first, Square* square);
// Stretch by springs or triangles, and how stiff it is.
int set_cloth(Family family, Softness softness, WeftClothDef* cloth);

// Rows of a report. Each returns an exit code.
int add_spectrum_rows(Report* report);                                   // table 6.1
int add_fill_rows(const BenchOptions* options, Report* report);          // 7.1, 7.2, 7.3
int add_step_rows(const BenchOptions* options, Report* report);          // 7.3
int add_phase_rows(const BenchOptions* options, Report* report);         // 7.4, 7.5 and the ratios
int add_substitution_rows(const BenchOptions* options, Report* report);  // 7.6, 7.7

#endif

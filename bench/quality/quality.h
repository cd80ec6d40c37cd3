// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The parts of `quality`: a picture of every method in three motions, and the levels of quality in
// six.

#ifndef WEFT_BENCH_QUALITY_H
#define WEFT_BENCH_QUALITY_H

#include "bench.h"
#include "method.h"

// Ways of stepping that are one idea with many settings; each is a line of the picture.
typedef enum Family {
    FAMILY_LEVELS,
    FAMILY_SMALL_STEPS,
    FAMILY_SYMPLECTIC,
    FAMILY_IMPLICIT,
    FAMILY_IMPLICIT_PREDICTED,
    FAMILY_MATRIX_FREE,
    FAMILY_LINEAR,
    FAMILY_PREFACTORED,
    FAMILY_SOFTENED,
    FAMILY_BUDGET,
    FAMILY_GAUSS_SEIDEL,
    FAMILY_GAUSS_SEIDEL_PREDICTED,
    FAMILY_JACOBI,
    FAMILY_PRESETS,
    FAMILY_XPBD,
    FAMILY_COUNT,
} Family;

extern const char* const quality_families[FAMILY_COUNT];

enum { MAX_QUALITY_METHODS = 256 };

typedef struct QualityMethod {
    Family family;
    Method method;      // of XPBD: the name and substeps
    double relaxation;  // of XPBD
} QualityMethod;

// Every method over its settings; the levels of quality of two methods and XPBD alone, where `few`.
// Returns how many.
int list_quality_methods(bool few, QualityMethod methods[MAX_QUALITY_METHODS]);

// Parts. Each adds rows, ratios and notes, and returns an exit code: the picture, of few settings
// or of all; levels 1 to 8, or with `pairs` small steps by substeps and sweeps, in six motions.
int run_quality_picture(const BenchOptions* options, bool few, Report* report);
int run_quality_ladder(const BenchOptions* options, bool pairs, Report* report);

// Rows with a `family`, as points: `ms` against `error_mm`, a picture for each number of
// `vertices`. Returns an exit code.
int plot_quality(const Report* report, const char* path);

#endif

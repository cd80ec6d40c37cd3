// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The parts of `quality`: what is measured, and its picture.

#ifndef WEFT_BENCH_QUALITY_H
#define WEFT_BENCH_QUALITY_H

#include "method.h"
#include "report.h"

// Ways of stepping that are one idea with many settings; each is a line of the picture.
typedef enum Family {
    FAMILY_LEVELS,
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

// Every method over its settings; the levels of quality and XPBD alone, where `few`. Returns how
// many.
int list_quality_methods(bool few, QualityMethod methods[MAX_QUALITY_METHODS]);

// Rows with a `family`, as points: `ms` against `error_mm`, a picture for each number of
// `vertices`. Returns an exit code.
int plot_quality(const Report* report, const char* path);

#endif

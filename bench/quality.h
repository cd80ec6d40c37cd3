// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The parts of `quality`: what is measured, and its picture.

#ifndef WEFT_BENCH_QUALITY_H
#define WEFT_BENCH_QUALITY_H

#include "method.h"
#include "report.h"

// Ways of stepping that are one idea with many settings; each is a line of the picture.
typedef enum Family {
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
    FAMILY_COUNT,
} Family;

extern const char* const quality_families[FAMILY_COUNT];

enum { MAX_QUALITY_METHODS = 256 };

typedef struct QualityMethod {
    Family family;
    Method method;
} QualityMethod;

// Every method over its settings; `explicit_substeps`: that symplectic Euler needs. Returns how
// many.
int list_quality_methods(int explicit_substeps, QualityMethod methods[MAX_QUALITY_METHODS]);

// Rows with a `family`, as points: `ms` against `error_mm`. Returns an exit code.
int plot_quality(const Report* report, const char* path);

#endif

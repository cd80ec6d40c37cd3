// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Formulas in patterns: "chest / 4 + ease".

#ifndef WF_IO_PATTERN_FORMULA_H
#define WF_IO_PATTERN_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

typedef struct WfMeasureValue {
    const char* name;  // borrowed
    double value;
} WfMeasureValue;

typedef struct WfMeasureList {
    int count;
    WfMeasureValue* values;
} WfMeasureList;

const WfMeasureValue* wf_find_measure(const WfMeasureList* measures, const char* name,
                                      size_t length);
// A name as formulas take it: letters, digits and _, not a digit at first, and no function.
bool wf_is_measure_name(const char* name);

enum { WF_COMPLAINT = 200 };
// The value of a formula: numbers, names of measures, + - * / ( ), min, max, sqrt, and sin and cos
// of degrees. False with a complaint where it has none.
bool wf_evaluate(const char* text, const WfMeasureList* measures, double* value,
                 char complaint[WF_COMPLAINT]);

#endif

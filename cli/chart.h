// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Charts: lines and dots over two axes, written as a PNG or an SVG by the ending of the name.

#ifndef WEFT_CLI_CHART_H
#define WEFT_CLI_CHART_H

#include <stdbool.h>
#include <stddef.h>

#include "picture.h"

enum { CHART_SERIES = 16 };

typedef struct Series {
    const char* name;  // for the legend, or NULL
    Colour colour;
    bool dots;  // instead of a line
    int count;
    const double *x, *y;  // what is not finite leaves a gap
} Series;

typedef struct Chart {
    const char *title, *x_name, *y_name;  // with units
    bool from_zero;                       // y begins at 0
    int series_count;
    Series series[CHART_SERIES];
} Chart;

// Related things in a row have colours that can be told apart, also by those who see few.
Colour chart_colour(int index);
void add_series(Chart* chart, Series series);
// "fit_stretch.png" of "fit.png" and "stretch".
void name_chart(const char* path, const char* kind, char* name, size_t size);
// Returns GO_ON (options.h), or an exit code after telling what is wrong.
int write_chart(const Chart* chart, const char* path);

#endif

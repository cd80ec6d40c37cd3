// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The picture of `quality`, by gnuplot: all settings as points, the front of each family as a line
// through some of them, and the front of all as a thin step line.

#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "quality.h"

// Related families have related colours.
static const struct {
    const char* colour;
    int point;  // gnuplot's number of it
} looks[FAMILY_COUNT] = {
    [FAMILY_SYMPLECTIC] = {"#000000", 5},
    [FAMILY_IMPLICIT] = {"#8c564b", 8},
    [FAMILY_IMPLICIT_PREDICTED] = {"#d6863b", 9},
    [FAMILY_MATRIX_FREE] = {"#e3b505", 11},
    [FAMILY_LINEAR] = {"#8fa3b0", 12},
    [FAMILY_PREFACTORED] = {"#1f6fb4", 7},
    [FAMILY_SOFTENED] = {"#17a2c4", 6},
    [FAMILY_BUDGET] = {"#0b3c5d", 13},
    [FAMILY_GAUSS_SEIDEL] = {"#e07b9b", 4},
    [FAMILY_GAUSS_SEIDEL_PREDICTED] = {"#c2185b", 5},
    [FAMILY_JACOBI] = {"#8e44ad", 10},
    [FAMILY_PRESETS] = {"#2e8b57", 3},
};

typedef struct Point {
    double ms, error;
    bool best, best_of_all;
    int family;
} Point;

static int compare_points(const void* left, const void* right) {
    const Point *a = left, *b = right;
    return (a->ms > b->ms) - (a->ms < b->ms);
}

// Stable rows, by cost; returns how many.
static int collect_points(const Report* report, Point points[MAX_QUALITY_METHODS]) {
    int count = 0;
    for (int row = 0; row < report->row_count && count < MAX_QUALITY_METHODS; row++) {
        const Cell *family = find_cell(report, row, "family"), *ms = find_cell(report, row, "ms");
        const Cell* error = find_cell(report, row, "error_mm");
        const Cell* front = find_cell(report, row, "front");
        if (!family || !ms || !error || !front || !isfinite(error->number)) continue;
        Point point = {ms->number, error->number, strcmp(front->text, "no") != 0,
                       strcmp(front->text, "of all") == 0, 0};
        while (point.family < FAMILY_COUNT &&
               strcmp(quality_families[point.family], family->text) != 0)
            point.family++;
        if (point.family < FAMILY_COUNT) points[count++] = point;
    }
    qsort(points, (size_t)count, sizeof *points, compare_points);
    return count;
}

static double find_ratio(const Report* report, const char* name) {
    const Cell* cell = find_cell(report, -1, name);
    return cell ? cell->number : (double)NAN;
}

// ---------------------------------------------------------------------------------------------
// For gnuplot

// $all_3: the points of family 3; $line_3: those on its front. Families without points have none.
static void write_points(FILE* out, const Point* points, int count, int family, bool best) {
    fprintf(out, "$%s_%d << end\n", best ? "line" : "all", family);
    for (int i = 0; i < count; i++)
        if (points[i].family == family && (points[i].best || !best))
            fprintf(out, "%.6g %.6g\n", points[i].ms, points[i].error);
    fputs("end\n", out);
}

static void write_front(FILE* out, const Point* points, int count) {
    fputs("$front << end\n", out);
    for (int i = 0; i < count; i++)
        if (points[i].best_of_all) fprintf(out, "%.6g %.6g\n", points[i].ms, points[i].error);
    fputs("end\n", out);
}

// Quoted for gnuplot, whose single quotes are doubled inside.
static void write_quoted(FILE* out, const char* text) {
    fputc('\'', out);
    for (; *text; text++) {
        if (*text == '\'') fputc('\'', out);
        fputc(*text, out);
    }
    fputc('\'', out);
}

static void write_frame(FILE* out, const Report* report, const char* path) {
    bool svg = strcmp(strrchr(path, '.'), ".svg") == 0;
    const Cell* vertices = find_cell(report, 0, "vertices");
    fprintf(out, "set terminal %s font 'DejaVu Sans,%d' background '#ffffff'\nset output ",
            svg ? "svg size 1200,760" : "pngcairo size 1800,1140 linewidth 1.5", svg ? 12 : 18);
    write_quoted(out, path);
    fprintf(out,
            "\nset title 'Distance from the motion itself by time: a square metre of cloth, "
            "%.0f vertices, 2000 N/m' offset 0,0.3\n",
            vertices ? vertices->number : 0);
    fputs(
        "set logscale xy\n"
        "set xlabel 'ms per frame of 1/60 s, one thread'\n"
        "set ylabel 'rms distance, mm'\n"
        "set border 3 linecolor '#555555'\n"
        "set grid xtics ytics linetype 1 linewidth 0.5 linecolor '#dddddd'\n"
        "set key outside right top Left reverse samplen 2.2 spacing 1.25 width -2\n"
        "set tmargin 2.5\n",
        out);
}

// From a little below the least to a little above the largest, with tics at 1, 2 and 5.
static void write_axis(FILE* out, char axis, double least, double largest) {
    static const double digits[] = {1, 2, 5};
    const char* comma = "";
    fprintf(out, "set %crange [%.6g:%.6g]\nset %ctics nomirror (", axis, 0.8 * least,
            1.25 * largest, axis);
    for (double decade = 1e-4; decade < 1e6; decade *= 10)
        for (int i = 0; i < 3; i++) {
            double tic = digits[i] * decade;
            if (tic < 0.8 * least || tic > 1.25 * largest) continue;
            fprintf(out, "%s'%g' %.6g", comma, tic, tic);
            comma = ", ";
        }
    fputs(")\n", out);
}

static void write_axes(FILE* out, const Point* points, int count, double floor) {
    double least = floor > 0 ? floor : HUGE_VAL, largest = 0;
    for (int i = 0; i < count; i++) {
        least = fmin(least, points[i].error);
        largest = fmax(largest, points[i].error);
    }
    write_axis(out, 'x', points[0].ms, points[count - 1].ms);
    write_axis(out, 'y', least, largest);
}

static void write_plot(FILE* out, const bool* present, double floor) {
    const char* comma = "plot ";
    for (int f = 0; f < FAMILY_COUNT; f++) {
        if (!present[f]) continue;
        fprintf(out,
                "%s$all_%d using 1:2 with points pointtype %d pointsize 0.9 linecolor '%s' "
                "notitle, $line_%d using 1:2 with linespoints pointtype %d pointsize 1.5 "
                "linewidth 1.8 linecolor '%s' title '%s'",
                comma, f, looks[f].point, looks[f].colour, f, looks[f].point, looks[f].colour,
                quality_families[f]);
        comma = ", ";
    }
    fprintf(out,
            ", $front using 1:2 with steps linewidth 1.1 linecolor '#222222' "
            "title 'front of all'");
    if (floor > 0)
        fprintf(out,
                ", %.6g with lines linewidth 1 linecolor '#999999' dashtype 3 "
                "title 'how well it is known'",
                floor);
    fputc('\n', out);
}

int plot_quality(const Report* report, const char* path) {
    Point points[MAX_QUALITY_METHODS];
    bool present[FAMILY_COUNT] = {0};
    double floor = find_ratio(report, "floor_mm");
    int count = collect_points(report, points);
    if (count == 0) return complain(EXIT_FAILED, "%s: nothing is stable, nothing to draw", path);
    if (system("command -v gnuplot >/dev/null 2>&1") != 0)
        return complain(EXIT_FAILED,
                        "%s is not drawn: gnuplot is missing; it is in the Debian package "
                        "gnuplot-nox",
                        path);
    FILE* out = popen("gnuplot", "w");
    if (!out) return complain(EXIT_FAILED, "gnuplot does not start: %s", strerror(errno));
    for (int i = 0; i < count; i++) present[points[i].family] = true;
    for (int f = 0; f < FAMILY_COUNT; f++)
        for (int best = 0; best < 2 && present[f]; best++)
            write_points(out, points, count, f, best);
    write_front(out, points, count);
    write_frame(out, report, path);
    write_axes(out, points, count, floor);
    write_plot(out, present, floor);
    return pclose(out) == 0 ? EXIT_GOOD : complain(EXIT_FAILED, "gnuplot could not draw %s", path);
}

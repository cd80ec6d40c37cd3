// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The picture of `quality`, by gnuplot: a part for each size, in it all settings as points, the
// front of each family as a line through some of them, and the front of all as a thin step line.

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
    [FAMILY_LEVELS] = {"#1a1a8c", 7},
    [FAMILY_SMALL_STEPS] = {"#7fb800", 15},
    [FAMILY_SYMPLECTIC] = {"#000000", 5},
    [FAMILY_IMPLICIT] = {"#8c564b", 8},
    [FAMILY_IMPLICIT_PREDICTED] = {"#d6863b", 10},
    [FAMILY_MATRIX_FREE] = {"#e3b505", 11},
    [FAMILY_LINEAR] = {"#8fa3b0", 12},
    [FAMILY_PREFACTORED] = {"#1f6fb4", 6},
    [FAMILY_SOFTENED] = {"#17a2c4", 6},
    [FAMILY_BUDGET] = {"#0b3c5d", 13},
    [FAMILY_GAUSS_SEIDEL] = {"#e07b9b", 4},
    [FAMILY_GAUSS_SEIDEL_PREDICTED] = {"#c2185b", 5},
    [FAMILY_JACOBI] = {"#8e44ad", 10},
    [FAMILY_PRESETS] = {"#2e8b57", 3},
    [FAMILY_XPBD] = {"#d62728", 9},
};

typedef struct Point {
    double ms, error;
    bool best, best_of_all;
    int family;
} Point;

// The points of one size, the cheapest first.
typedef struct Panel {
    int vertices, count;
    Point points[MAX_QUALITY_METHODS];
} Panel;

enum { MAX_PANELS = 2 };

static int compare_points(const void* left, const void* right) {
    const Point *a = left, *b = right;
    return (a->ms > b->ms) - (a->ms < b->ms);
}

static int find_family(const char* name) {
    int family = 0;
    while (family < FAMILY_COUNT && strcmp(quality_families[family], name) != 0) family++;
    return family;
}

// False: the row is no point, or not a stable one.
static bool read_point(const Report* report, int row, Point* point) {
    const Cell *family = find_cell(report, row, "family"), *ms = find_cell(report, row, "ms");
    const Cell *error = find_cell(report, row, "error_mm"), *front;
    front = find_cell(report, row, "front");
    if (!family || !ms || !error || !front || !isfinite(error->number)) return false;
    *point = (Point){ms->number, error->number, strcmp(front->text, "no") != 0,
                     strcmp(front->text, "of all") == 0, find_family(family->text)};
    return point->family < FAMILY_COUNT;
}

// Sizes come one after the other. Returns how many have points.
static int collect_panels(const Report* report, Panel panels[MAX_PANELS]) {
    int count = 0;
    for (int row = 0; row < report->row_count; row++) {
        const Cell* vertices = find_cell(report, row, "vertices");
        Point point;
        if (!vertices || !read_point(report, row, &point)) continue;
        if (count == 0 || panels[count - 1].vertices != (int)vertices->number) {
            if (count == MAX_PANELS) break;
            panels[count++] = (Panel){.vertices = (int)vertices->number};
        }
        Panel* panel = &panels[count - 1];
        if (panel->count < MAX_QUALITY_METHODS) panel->points[panel->count++] = point;
    }
    for (int i = 0; i < count; i++)
        qsort(panels[i].points, (size_t)panels[i].count, sizeof(Point), compare_points);
    return count;
}

static double find_ratio(const Report* report, const char* name) {
    const Cell* cell = find_cell(report, -1, name);
    return cell ? cell->number : (double)NAN;
}

// ---------------------------------------------------------------------------------------------
// For gnuplot

static bool has_family(const Panel* panel, int family) {
    for (int i = 0; i < panel->count; i++)
        if (panel->points[i].family == family) return true;
    return false;
}

// $all_3: the points of family 3; $line_3: those on its front.
static void write_points(FILE* out, const Panel* panel, int family, bool best) {
    fprintf(out, "$%s_%d << end\n", best ? "line" : "all", family);
    for (int i = 0; i < panel->count; i++) {
        const Point* point = &panel->points[i];
        if (point->family == family && (point->best || !best))
            fprintf(out, "%.6g %.6g\n", point->ms, point->error);
    }
    fputs("end\n", out);
}

static void write_front(FILE* out, const Panel* panel) {
    fputs("$front << end\n", out);
    for (int i = 0; i < panel->count; i++)
        if (panel->points[i].best_of_all)
            fprintf(out, "%.6g %.6g\n", panel->points[i].ms, panel->points[i].error);
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

static void write_frame(FILE* out, const char* path, int panel_count) {
    bool svg = strcmp(strrchr(path, '.'), ".svg") == 0;
    int width = panel_count > 1 ? 1700 : 1200;
    fprintf(out, "set terminal %s size %d,%d font 'DejaVu Sans,%d' background '#ffffff'%s\n",
            svg ? "svg" : "pngcairo", svg ? width : width * 3 / 2, svg ? 760 : 1140, svg ? 12 : 18,
            svg ? "" : " linewidth 1.5");
    fputs("set output ", out);
    write_quoted(out, path);
    fprintf(out,
            "\nset multiplot layout 1,%d title 'Distance from the motion itself by time: a square "
            "metre of cloth, 2000 N/m, the worst of a swing, a collapse and a drape'\n",
            panel_count);
    fputs(
        "set logscale xy\n"
        "set xlabel 'ms per frame of 1/60 s, one thread, without contact'\n"
        "set ylabel 'rms distance, mm'\n"
        "set border 3 linecolor '#555555'\n"
        "set grid xtics ytics linetype 1 linewidth 0.5 linecolor '#dddddd'\n"
        "set key outside bottom center horizontal Left reverse samplen 2.2 width -1 maxrows 5 "
        "height 1\n",
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

static void write_axes(FILE* out, const Panel* panel, double floor) {
    double least = floor > 0 ? floor : HUGE_VAL, largest = 0;
    for (int i = 0; i < panel->count; i++) {
        least = fmin(least, panel->points[i].error);
        largest = fmax(largest, panel->points[i].error);
    }
    write_axis(out, 'x', panel->points[0].ms, panel->points[panel->count - 1].ms);
    write_axis(out, 'y', least, largest);
}

static void write_plot(FILE* out, const Panel* panel, double floor) {
    const char* comma = "plot ";
    for (int f = 0; f < FAMILY_COUNT; f++) {
        if (!has_family(panel, f)) continue;
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

static void write_panel(FILE* out, const Panel* panel, double floor) {
    for (int f = 0; f < FAMILY_COUNT; f++)
        for (int best = 0; best < 2 && has_family(panel, f); best++)
            write_points(out, panel, f, best);
    write_front(out, panel);
    fprintf(out, "set title '%d vertices'\n", panel->vertices);
    write_axes(out, panel, floor);
    write_plot(out, panel, floor);
}

int plot_quality(const Report* report, const char* path) {
    Panel* panels = need(MAX_PANELS, sizeof *panels);
    double floor = find_ratio(report, "floor_mm");
    int count = collect_panels(report, panels), code = EXIT_GOOD;
    FILE* out = NULL;
    if (count == 0)
        code = complain(EXIT_FAILED, "%s: nothing is stable, nothing to draw", path);
    else if (system("command -v gnuplot >/dev/null 2>&1") != 0)
        code = complain(EXIT_FAILED,
                        "%s is not drawn: gnuplot is missing; it is in the Debian package "
                        "gnuplot-nox",
                        path);
    else if (!(out = popen("gnuplot", "w")))
        code = complain(EXIT_FAILED, "gnuplot does not start: %s", strerror(errno));
    if (out) {
        write_frame(out, path, count);
        for (int i = 0; i < count; i++) write_panel(out, &panels[i], floor);
        fputs("unset multiplot\n", out);
        if (pclose(out) != 0) code = complain(EXIT_FAILED, "gnuplot could not draw %s", path);
    }
    free(panels);
    return code;
}

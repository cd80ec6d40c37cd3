// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "chart.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "options.h"

enum {
    WIDTH = 900,
    HEIGHT = 600,
    LEFT = 90,
    RIGHT = 30,
    TOP = 64,
    BOTTOM = 70,
    TEXT = 2,
    MARK = 52
};
static const Colour BLACK = {32, 36, 42}, GRAY = {222, 224, 228};

Colour chart_colour(int index) {
    static const Colour colours[] = {{31, 111, 180}, {214, 107, 59}, {46, 139, 87},  {194, 24, 91},
                                     {142, 68, 173}, {140, 110, 20}, {23, 162, 196}, {90, 90, 90}};
    return colours[index % (int)(sizeof colours / sizeof *colours)];
}

void add_series(Chart* chart, Series series) {
    if (chart->series_count < CHART_SERIES) chart->series[chart->series_count++] = series;
}

// ---------------------------------------------------------------------------------------------
// Axes

typedef struct Axis {
    double low, high, tick;
    int from, to;  // pixels
} Axis;

static double place(const Axis* axis, double value) {
    return axis->from + (value - axis->low) / (axis->high - axis->low) * (axis->to - axis->from);
}

static void widen(Axis* axis, const double* values, int count) {
    for (int i = 0; i < count; i++) {
        if (!isfinite(values[i])) continue;
        axis->low = fmin(axis->low, values[i]);
        axis->high = fmax(axis->high, values[i]);
    }
}

// 1, 2 or 5 times a power of ten, some six of them; the ends of the axis are ticks, too.
static void round_axis(Axis* axis) {
    if (!(axis->high >= axis->low)) axis->low = 0, axis->high = 1;
    double range = axis->high - axis->low;
    if (!(range > 1e-9 * fmax(fabs(axis->low), fabs(axis->high)))) range = fmax(fabs(axis->low), 1);
    double power = pow(10, floor(log10(range / 6))), part = range / 6 / power;
    axis->tick = power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
    axis->low = axis->tick * floor(axis->low / axis->tick + 1e-9);
    axis->high = axis->tick * ceil(axis->high / axis->tick - 1e-9);
    if (axis->high <= axis->low) axis->high = axis->low + axis->tick;
}

// Beside the axes there is room for the legend.
static int legend_width(const Chart* chart) {
    int most = 0;
    for (int s = 0; s < chart->series_count; s++) {
        int width = chart->series[s].name ? text_width(chart->series[s].name, TEXT) + MARK : 0;
        if (width > most) most = width;
    }
    return most;
}

static void make_axes(const Chart* chart, Axis* x, Axis* y) {
    *x = (Axis){HUGE_VAL, -HUGE_VAL, 1, LEFT, WIDTH - RIGHT - legend_width(chart)};
    *y = (Axis){HUGE_VAL, -HUGE_VAL, 1, HEIGHT - BOTTOM, TOP};
    for (int s = 0; s < chart->series_count; s++) {
        widen(x, chart->series[s].x, chart->series[s].count);
        widen(y, chart->series[s].y, chart->series[s].count);
    }
    if (chart->from_zero) y->low = fmin(y->low, 0);
    round_axis(x);
    round_axis(y);
}

// ---------------------------------------------------------------------------------------------
// Two ways to draw

typedef struct Canvas {
    Picture picture;  // a PNG, or
    FILE* svg;
} Canvas;

static void mix(Picture* picture, int x, int y, Colour colour, double part) {
    if (x < 0 || y < 0 || x >= picture->width || y >= picture->height) return;
    Colour* at = &picture->pixels[(size_t)y * (size_t)picture->width + (size_t)x];
    at->red = (unsigned char)(at->red + part * (colour.red - at->red));
    at->green = (unsigned char)(at->green + part * (colour.green - at->green));
    at->blue = (unsigned char)(at->blue + part * (colour.blue - at->blue));
}

// All pixels within `radius` of the way from a to b, softly.
static void draw_stroke(Picture* picture, const double a[2], const double b[2], double radius,
                        Colour colour) {
    double way[2] = {b[0] - a[0], b[1] - a[1]}, square = way[0] * way[0] + way[1] * way[1];
    int x0 = (int)floor(fmin(a[0], b[0]) - radius - 1), x1 = (int)ceil(fmax(a[0], b[0]) + radius);
    int y0 = (int)floor(fmin(a[1], b[1]) - radius - 1), y1 = (int)ceil(fmax(a[1], b[1]) + radius);
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++) {
            double px = x + 0.5 - a[0], py = y + 0.5 - a[1];
            double t = square > 0 ? (px * way[0] + py * way[1]) / square : 0;
            t = fmin(fmax(t, 0), 1);
            double distance = hypot(px - t * way[0], py - t * way[1]);
            double part = fmin(fmax(radius + 0.5 - distance, 0), 1);
            if (part > 0) mix(picture, x, y, colour, part);
        }
}

static void stroke(Canvas* canvas, const double a[2], const double b[2], double radius,
                   Colour colour) {
    if (!canvas->svg) {
        draw_stroke(&canvas->picture, a, b, radius, colour);
        return;
    }
    fprintf(canvas->svg,
            "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\" stroke=\"#%02x%02x%02x\" "
            "stroke-width=\"%g\" stroke-linecap=\"round\"/>\n",
            a[0], a[1], b[0], b[1], colour.red, colour.green, colour.blue, 2 * radius);
}

static void put_escaped(FILE* out, const char* text) {
    for (; *text; text++) {
        if (*text == '<')
            fputs("&lt;", out);
        else if (*text == '&')
            fputs("&amp;", out);
        else
            fputc(*text, out);
    }
}

// x is where the text begins, has its middle or ends: align 0, 1 or 2.
static void put_text(Canvas* canvas, double x, double y, int align, const char* text) {
    static const char* const anchors[] = {"start", "middle", "end"};
    if (!canvas->svg) {
        x -= align * text_width(text, TEXT) / 2.0;
        draw_text(&canvas->picture, (int)x, (int)y, TEXT, BLACK, text);
        return;
    }
    fprintf(canvas->svg,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-family=\"sans-serif\" "
            "font-size=\"15\" fill=\"#20242a\">",
            x, y + LETTER_HEIGHT * TEXT, anchors[align]);
    put_escaped(canvas->svg, text);
    fputs("</text>\n", canvas->svg);
}

// ---------------------------------------------------------------------------------------------

static void draw_ticks(Canvas* canvas, const Axis* axis, const Axis* other, bool across) {
    for (double v = axis->tick * ceil(axis->low / axis->tick - 1e-9);
         v <= axis->high + 1e-9 * axis->tick; v += axis->tick) {
        char text[32];
        double at = place(axis, v);
        double a[2] = {across ? at : other->from, across ? other->from : at};
        double b[2] = {across ? at : other->to, across ? other->to : at};
        stroke(canvas, a, b, 0.5, GRAY);
        snprintf(text, sizeof text, "%.6g", fabs(v) < 1e-9 * axis->tick ? 0 : v);
        if (across)
            put_text(canvas, at, other->from + 10, 1, text);
        else
            put_text(canvas, other->from - 10, at - LETTER_HEIGHT * TEXT / 2.0, 2, text);
    }
}

static void draw_series(Canvas* canvas, const Series* series, const Axis* x, const Axis* y) {
    double last[2];
    bool joined = false;
    for (int i = 0; i < series->count; i++) {
        bool known = isfinite(series->x[i]) && isfinite(series->y[i]);
        if (known) {
            const double at[2] = {place(x, series->x[i]), place(y, series->y[i])};
            if (series->dots)
                stroke(canvas, at, at, 3.5, series->colour);
            else if (joined)
                stroke(canvas, last, at, 1.2, series->colour);
            memcpy(last, at, sizeof last);
        }
        joined = known;
    }
}

static void draw_legend(Canvas* canvas, const Chart* chart, double x) {
    double y = TOP + 4;
    for (int s = 0; s < chart->series_count; s++) {
        const Series* series = &chart->series[s];
        if (!series->name) continue;
        double middle = y + LETTER_HEIGHT * TEXT / 2.0;
        double a[2] = {x + (series->dots ? 26 : 14), middle},
               b[2] = {x + (series->dots ? 26 : 38), middle};
        stroke(canvas, a, b, series->dots ? 3.5 : 1.2, series->colour);
        put_text(canvas, x + MARK, y, 0, series->name);
        y += 24;
    }
}

static void draw_chart(Canvas* canvas, const Chart* chart) {
    Axis x, y;
    make_axes(chart, &x, &y);
    draw_ticks(canvas, &x, &y, true);
    draw_ticks(canvas, &y, &x, false);
    for (int s = 0; s < chart->series_count; s++) draw_series(canvas, &chart->series[s], &x, &y);
    draw_legend(canvas, chart, x.to);
    put_text(canvas, WIDTH / 2.0, 10, 1, chart->title);
    put_text(canvas, (x.from + x.to) / 2.0, HEIGHT - 28, 1, chart->x_name);
    put_text(canvas, 12, TOP - 30, 0, chart->y_name);
}

static int write_svg(const Chart* chart, const char* path) {
    Canvas canvas = {.svg = fopen(path, "w")};
    if (!canvas.svg) return complain(EXIT_FAILED, "%s: %s", path, strerror(errno));
    fprintf(canvas.svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\">\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    draw_chart(&canvas, chart);
    fputs("</svg>\n", canvas.svg);
    bool good = !ferror(canvas.svg);
    if (fclose(canvas.svg) != 0 || !good)
        return complain(EXIT_FAILED, "%s: it cannot be written", path);
    return GO_ON;
}

void name_chart(const char* path, const char* kind, char* name, size_t size) {
    const char* dot = strrchr(path, '.');
    size_t length = dot ? (size_t)(dot - path) : strlen(path);
    snprintf(name, size, "%.*s_%s%s", (int)length, path, kind, dot ? dot : "");
}

int write_chart(const Chart* chart, const char* path) {
    size_t length = strlen(path);
    if (length > 4 && strcmp(path + length - 4, ".svg") == 0) return write_svg(chart, path);
    if (length <= 4 || strcmp(path + length - 4, ".png") != 0)
        return complain(EXIT_USAGE, "%s: a chart is a .png or an .svg", path);
    Canvas canvas = {0};
    if (!create_picture(&canvas.picture, WIDTH, HEIGHT))
        return complain(EXIT_FAILED, "out of memory");
    draw_chart(&canvas, chart);
    int code = write_png(&canvas.picture, path);
    destroy_picture(&canvas.picture);
    return code;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "render/view.h"

#include <math.h>
#include <string.h>

enum { SIZE = VIEW_WIDTH * VIEW_HEIGHT };

void open_view(View* view, const double middle[3], double around, double above) {
    double s = sin(around), c = cos(around), up = sin(above), level = cos(above);
    const double axes[9] = {c, 0, -s, -up * s, level, -up * c, level * s, up, level * c};
    memcpy(view->axes, axes, sizeof axes);
    memcpy(view->middle, middle, sizeof view->middle);
    view->scale = 250;
    for (int i = 0; i < SIZE; i++) view->depth[i] = -HUGE_VAL, view->seen[i] = -1;
}

static void project(const View* view, const double* x, double p[3]) {
    for (int r = 0; r < 3; r++) {
        p[r] = 0;
        for (int k = 0; k < 3; k++) p[r] += view->axes[3 * r + k] * (x[k] - view->middle[k]);
    }
    p[0] = VIEW_WIDTH / 2 + view->scale * p[0];
    p[1] = VIEW_HEIGHT / 2 - view->scale * p[1];
}

static double side(const double a[3], const double b[3], double x, double y) {
    return (a[0] - x) * (b[1] - y) - (b[0] - x) * (a[1] - y);
}

static void draw_pixel(View* view, double p[3][3], double area, int x, int y, int number) {
    double a = side(p[1], p[2], x + 0.5, y + 0.5) / area;
    double b = side(p[2], p[0], x + 0.5, y + 0.5) / area, c = 1 - a - b;
    double depth = a * p[0][2] + b * p[1][2] + c * p[2][2];
    int at = y * VIEW_WIDTH + x;
    if (a < 0 || b < 0 || c < 0 || depth <= view->depth[at]) return;
    view->depth[at] = depth;
    view->seen[at] = number;
}

// The pixels from the least to the largest coordinate.
static void find_range(double p[3][3], int axis, int end, int range[2]) {
    double low = fmin(fmin(p[0][axis], p[1][axis]), p[2][axis]);
    double high = fmax(fmax(p[0][axis], p[1][axis]), p[2][axis]);
    range[0] = (int)fmax(floor(low), 0);
    range[1] = (int)fmin(ceil(high), end - 1);
}

void draw_triangles(View* view, const double* positions, int count, const int* triangles,
                    int first) {
    for (int t = 0; t < count; t++) {
        double p[3][3];
        int columns[2], rows[2];
        for (int k = 0; k < 3; k++) project(view, positions + 3 * triangles[3 * t + k], p[k]);
        double area = side(p[1], p[2], p[0][0], p[0][1]);
        if (area == 0) continue;
        find_range(p, 0, VIEW_WIDTH, columns);
        find_range(p, 1, VIEW_HEIGHT, rows);
        for (int y = rows[0]; y <= rows[1]; y++)
            for (int x = columns[0]; x <= columns[1]; x++)
                draw_pixel(view, p, area, x, y, first + t);
    }
}

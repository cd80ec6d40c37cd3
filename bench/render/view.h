// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What is seen of triangles from some direction, by a depth buffer.

#ifndef WEFT_BENCH_RENDER_VIEW_H
#define WEFT_BENCH_RENDER_VIEW_H

enum { VIEW_WIDTH = 300, VIEW_HEIGHT = 500 };

typedef struct View {
    double middle[3], axes[9], scale;  // to the right, up and towards the eye; pixels per metre
    double depth[VIEW_WIDTH * VIEW_HEIGHT];
    int seen[VIEW_WIDTH * VIEW_HEIGHT];  // the number of a triangle; -1: none
} View;

// From an angle about y and above the horizon, radians; nothing is seen as yet.
void open_view(View* view, const double middle[3], double around, double above);
// Triangles get numbers from `first` on.
void draw_triangles(View* view, const double* positions, int count, const int* triangles,
                    int first);

#endif

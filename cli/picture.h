// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Pictures to draw on, and to write as PNG: a white sheet of pixels, rectangles, lines,
// polygons, small letters.

#ifndef WEFT_CLI_PICTURE_H
#define WEFT_CLI_PICTURE_H

#include <stdbool.h>

typedef struct Colour {
    unsigned char red, green, blue;
} Colour;

typedef struct Picture {
    int width, height;
    Colour* pixels;  // row by row from the top
} Picture;

// White. False for lack of memory.
bool create_picture(Picture* picture, int width, int height);
void destroy_picture(Picture* picture);

// What lies outside of the picture is cut off.
void fill_rectangle(Picture* picture, int x, int y, int width, int height, Colour colour);

// A line through points, 2 numbers each, with round ends and soft edges, `width` pixels wide.
void draw_path(Picture* picture, const double* points, int count, double width, Colour colour);
void draw_line(Picture* picture, const double from[2], const double to[2], double width,
               Colour colour);
// The inside of a closed line of points, 2 numbers each, by the even-odd rule; hard edges.
void fill_polygon(Picture* picture, const double* points, int count, Colour colour);

// Letters of 5 x 7 squares of `size` pixels, 6 squares apart; x, y: the upper left corner.
enum { LETTER_WIDTH = 6, LETTER_HEIGHT = 7 };
void draw_text(Picture* picture, int x, int y, int size, Colour colour, const char* text);
// Pixels from the first letter to the end of the last.
int text_width(const char* text, int size);

// Returns GO_ON (options.h), or an exit code after telling what is wrong; no file is then left.
int write_png(const Picture* picture, const char* path);

#endif

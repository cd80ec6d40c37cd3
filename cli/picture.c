// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "picture.h"

#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

bool create_picture(Picture* picture, int width, int height) {
    size_t count = (size_t)width * (size_t)height;
    *picture = (Picture){width, height, malloc(count * sizeof(Colour))};
    if (picture->pixels) memset(picture->pixels, 255, count * sizeof(Colour));
    return picture->pixels != NULL;
}

void destroy_picture(Picture* picture) {
    free(picture->pixels);
    *picture = (Picture){0};
}

static int clamp(int value, int most) { return value < 0 ? 0 : value > most ? most : value; }

void fill_rectangle(Picture* picture, int x, int y, int width, int height, Colour colour) {
    int left = clamp(x, picture->width), right = clamp(x + width, picture->width);
    int bottom = clamp(y + height, picture->height);
    for (int row = clamp(y, picture->height); row < bottom; row++)
        for (int column = left; column < right; column++)
            picture->pixels[(size_t)row * (size_t)picture->width + (size_t)column] = colour;
}

// ---------------------------------------------------------------------------------------------
// Lines and polygons

static unsigned char blend_channel(unsigned char below, unsigned char above, double cover) {
    return (unsigned char)(below + cover * (above - below) + 0.5);
}

static void blend(Picture* picture, int x, int y, Colour colour, double cover) {
    Colour* pixel = &picture->pixels[(size_t)y * (size_t)picture->width + (size_t)x];
    pixel->red = blend_channel(pixel->red, colour.red, cover);
    pixel->green = blend_channel(pixel->green, colour.green, cover);
    pixel->blue = blend_channel(pixel->blue, colour.blue, cover);
}

static double segment_distance(const double a[2], const double b[2], double x, double y) {
    double ex = b[0] - a[0], ey = b[1] - a[1], square = ex * ex + ey * ey;
    double t = square > 0 ? ((x - a[0]) * ex + (y - a[1]) * ey) / square : 0;
    t = fmin(fmax(t, 0), 1);
    return hypot(x - a[0] - t * ex, y - a[1] - t * ey);
}

// A part of the picture, and how much of each pixel is covered.
typedef struct Mask {
    int left, top, right, bottom;
    float* cover;
} Mask;

static void grow_mask(const Picture* picture, Mask* mask, const double a[2], double reach) {
    int left = clamp((int)floor(a[0] - reach), picture->width);
    int right = clamp((int)ceil(a[0] + reach), picture->width);
    int top = clamp((int)floor(a[1] - reach), picture->height);
    int bottom = clamp((int)ceil(a[1] + reach), picture->height);
    if (left < mask->left) mask->left = left;
    if (right > mask->right) mask->right = right;
    if (top < mask->top) mask->top = top;
    if (bottom > mask->bottom) mask->bottom = bottom;
}

// A pixel is covered by how much of it is nearer than half the width, about. What several segments
// cover counts once.
static void cover_segment(const Picture* picture, Mask* mask, const double a[2], const double b[2],
                          double width) {
    Mask box = {picture->width, picture->height, 0, 0, NULL};
    grow_mask(picture, &box, a, width / 2 + 1);
    grow_mask(picture, &box, b, width / 2 + 1);
    for (int y = box.top; y < box.bottom; y++)
        for (int x = box.left; x < box.right; x++) {
            float* cover =
                &mask->cover[(size_t)(y - mask->top) * (size_t)(mask->right - mask->left) +
                             (size_t)(x - mask->left)];
            double here = width / 2 + 0.5 - segment_distance(a, b, x + 0.5, y + 0.5);
            *cover = fmaxf(*cover, (float)fmin(fmax(here, 0), 1));
        }
}

void draw_path(Picture* picture, const double* points, int count, double width, Colour colour) {
    Mask mask = {picture->width, picture->height, 0, 0, NULL};
    for (int i = 0; i < count; i++) grow_mask(picture, &mask, points + 2 * i, width / 2 + 1);
    if (mask.left >= mask.right || mask.top >= mask.bottom) return;
    size_t across = (size_t)(mask.right - mask.left);
    mask.cover = calloc(across * (size_t)(mask.bottom - mask.top), sizeof *mask.cover);
    if (!mask.cover) return;
    for (int i = 0; i + 1 < count; i++)
        cover_segment(picture, &mask, points + 2 * i, points + 2 * i + 2, width);
    for (int y = mask.top; y < mask.bottom; y++)
        for (int x = mask.left; x < mask.right; x++)
            blend(picture, x, y, colour,
                  (double)mask.cover[(size_t)(y - mask.top) * across + (size_t)(x - mask.left)]);
    free(mask.cover);
}

void draw_line(Picture* picture, const double from[2], const double to[2], double width,
               Colour colour) {
    const double points[4] = {from[0], from[1], to[0], to[1]};
    draw_path(picture, points, 2, width, colour);
}

// Whether a ray to the right goes through the line an odd number of times, for a row at once: flip
// all that is right of every crossing.
static void flip_row(const double* points, int count, double y, bool* inside, int width) {
    for (int i = 0; i < count; i++) {
        const double *a = points + 2 * i, *b = points + 2 * ((i + 1) % count);
        if ((a[1] > y) == (b[1] > y)) continue;
        double at = a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
        for (int x = clamp((int)ceil(at - 0.5), width); x < width; x++) inside[x] = !inside[x];
    }
}

void fill_polygon(Picture* picture, const double* points, int count, Colour colour) {
    double top = HUGE_VAL, bottom = -HUGE_VAL;
    bool* inside = malloc((size_t)picture->width * sizeof *inside);
    if (!inside) return;
    for (int i = 0; i < count; i++) {
        top = fmin(top, points[2 * i + 1]);
        bottom = fmax(bottom, points[2 * i + 1]);
    }
    for (int y = clamp((int)top, picture->height); y < clamp((int)bottom + 1, picture->height);
         y++) {
        memset(inside, 0, (size_t)picture->width * sizeof *inside);
        flip_row(points, count, y + 0.5, inside, picture->width);
        for (int x = 0; x < picture->width; x++)
            if (inside[x]) blend(picture, x, y, colour, 1);
    }
    free(inside);
}

// ---------------------------------------------------------------------------------------------
// Letters: seven rows of five bits from the top, the highest bit on the left. What no caption needs
// is a box.

#define BOX \
    { 0x1f, 0x11, 0x11, 0x11, 0x11, 0x11, 0x1f }

enum { FIRST_LETTER = ' ', LAST_LETTER = '~' };
static const unsigned char letters[LAST_LETTER - FIRST_LETTER + 1][LETTER_HEIGHT] = {
    {0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00},  // space
    {0x04, 0x04, 0x04, 0x04, 0x04, 0x00, 0x04},  // !
    {0x0a, 0x0a, 0x0a, 0x00, 0x00, 0x00, 0x00},  // "
    {0x0a, 0x0a, 0x1f, 0x0a, 0x1f, 0x0a, 0x0a},  // #
    BOX,
    {0x18, 0x19, 0x02, 0x04, 0x08, 0x13, 0x03},  // %
    {0x0c, 0x12, 0x14, 0x08, 0x15, 0x12, 0x0d},  // &
    {0x04, 0x04, 0x08, 0x00, 0x00, 0x00, 0x00},  // '
    {0x02, 0x04, 0x08, 0x08, 0x08, 0x04, 0x02},  // (
    {0x08, 0x04, 0x02, 0x02, 0x02, 0x04, 0x08},  // )
    {0x00, 0x04, 0x15, 0x0e, 0x15, 0x04, 0x00},  // *
    {0x00, 0x04, 0x04, 0x1f, 0x04, 0x04, 0x00},  // +
    {0x00, 0x00, 0x00, 0x00, 0x0c, 0x04, 0x08},  // ,
    {0x00, 0x00, 0x00, 0x1f, 0x00, 0x00, 0x00},  // -
    {0x00, 0x00, 0x00, 0x00, 0x00, 0x0c, 0x0c},  // .
    {0x00, 0x01, 0x02, 0x04, 0x08, 0x10, 0x00},  // /
    {0x0e, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0e},  // 0
    {0x04, 0x0c, 0x04, 0x04, 0x04, 0x04, 0x0e},  // 1
    {0x0e, 0x11, 0x01, 0x02, 0x04, 0x08, 0x1f},  // 2
    {0x1f, 0x02, 0x04, 0x02, 0x01, 0x11, 0x0e},  // 3
    {0x02, 0x06, 0x0a, 0x12, 0x1f, 0x02, 0x02},  // 4
    {0x1f, 0x10, 0x1e, 0x01, 0x01, 0x11, 0x0e},  // 5
    {0x06, 0x08, 0x10, 0x1e, 0x11, 0x11, 0x0e},  // 6
    {0x1f, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08},  // 7
    {0x0e, 0x11, 0x11, 0x0e, 0x11, 0x11, 0x0e},  // 8
    {0x0e, 0x11, 0x11, 0x0f, 0x01, 0x02, 0x0c},  // 9
    {0x00, 0x0c, 0x0c, 0x00, 0x0c, 0x0c, 0x00},  // :
    {0x00, 0x0c, 0x0c, 0x00, 0x0c, 0x04, 0x08},  // ;
    {0x02, 0x04, 0x08, 0x10, 0x08, 0x04, 0x02},  // <
    {0x00, 0x00, 0x1f, 0x00, 0x1f, 0x00, 0x00},  // =
    {0x08, 0x04, 0x02, 0x01, 0x02, 0x04, 0x08},  // >
    {0x0e, 0x11, 0x01, 0x02, 0x04, 0x00, 0x04},  // ?
    BOX,
    {0x0e, 0x11, 0x11, 0x1f, 0x11, 0x11, 0x11},  // A
    {0x1e, 0x11, 0x11, 0x1e, 0x11, 0x11, 0x1e},  // B
    {0x0e, 0x11, 0x10, 0x10, 0x10, 0x11, 0x0e},  // C
    {0x1c, 0x12, 0x11, 0x11, 0x11, 0x12, 0x1c},  // D
    {0x1f, 0x10, 0x10, 0x1e, 0x10, 0x10, 0x1f},  // E
    {0x1f, 0x10, 0x10, 0x1e, 0x10, 0x10, 0x10},  // F
    {0x0e, 0x11, 0x10, 0x17, 0x11, 0x11, 0x0f},  // G
    {0x11, 0x11, 0x11, 0x1f, 0x11, 0x11, 0x11},  // H
    {0x0e, 0x04, 0x04, 0x04, 0x04, 0x04, 0x0e},  // I
    {0x07, 0x02, 0x02, 0x02, 0x02, 0x12, 0x0c},  // J
    {0x11, 0x12, 0x14, 0x18, 0x14, 0x12, 0x11},  // K
    {0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x1f},  // L
    {0x11, 0x1b, 0x15, 0x15, 0x11, 0x11, 0x11},  // M
    {0x11, 0x11, 0x19, 0x15, 0x13, 0x11, 0x11},  // N
    {0x0e, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0e},  // O
    {0x1e, 0x11, 0x11, 0x1e, 0x10, 0x10, 0x10},  // P
    {0x0e, 0x11, 0x11, 0x11, 0x15, 0x12, 0x0d},  // Q
    {0x1e, 0x11, 0x11, 0x1e, 0x14, 0x12, 0x11},  // R
    {0x0f, 0x10, 0x10, 0x0e, 0x01, 0x01, 0x1e},  // S
    {0x1f, 0x04, 0x04, 0x04, 0x04, 0x04, 0x04},  // T
    {0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0e},  // U
    {0x11, 0x11, 0x11, 0x11, 0x11, 0x0a, 0x04},  // V
    {0x11, 0x11, 0x11, 0x15, 0x15, 0x15, 0x0a},  // W
    {0x11, 0x11, 0x0a, 0x04, 0x0a, 0x11, 0x11},  // X
    {0x11, 0x11, 0x11, 0x0a, 0x04, 0x04, 0x04},  // Y
    {0x1f, 0x01, 0x02, 0x04, 0x08, 0x10, 0x1f},  // Z
    BOX,
    BOX,
    BOX,
    {0x04, 0x0a, 0x11, 0x00, 0x00, 0x00, 0x00},  // ^
    {0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x1f},  // _
    BOX,
    {0x00, 0x00, 0x0e, 0x01, 0x0f, 0x11, 0x0f},  // a
    {0x10, 0x10, 0x16, 0x19, 0x11, 0x11, 0x1e},  // b
    {0x00, 0x00, 0x0e, 0x10, 0x10, 0x11, 0x0e},  // c
    {0x01, 0x01, 0x0d, 0x13, 0x11, 0x11, 0x0f},  // d
    {0x00, 0x00, 0x0e, 0x11, 0x1f, 0x10, 0x0e},  // e
    {0x06, 0x09, 0x08, 0x1c, 0x08, 0x08, 0x08},  // f
    {0x00, 0x0f, 0x11, 0x11, 0x0f, 0x01, 0x0e},  // g
    {0x10, 0x10, 0x16, 0x19, 0x11, 0x11, 0x11},  // h
    {0x04, 0x00, 0x0c, 0x04, 0x04, 0x04, 0x0e},  // i
    {0x02, 0x00, 0x06, 0x02, 0x02, 0x12, 0x0c},  // j
    {0x10, 0x10, 0x12, 0x14, 0x18, 0x14, 0x12},  // k
    {0x0c, 0x04, 0x04, 0x04, 0x04, 0x04, 0x0e},  // l
    {0x00, 0x00, 0x1a, 0x15, 0x15, 0x11, 0x11},  // m
    {0x00, 0x00, 0x16, 0x19, 0x11, 0x11, 0x11},  // n
    {0x00, 0x00, 0x0e, 0x11, 0x11, 0x11, 0x0e},  // o
    {0x00, 0x00, 0x1e, 0x11, 0x1e, 0x10, 0x10},  // p
    {0x00, 0x00, 0x0d, 0x13, 0x0f, 0x01, 0x01},  // q
    {0x00, 0x00, 0x16, 0x19, 0x10, 0x10, 0x10},  // r
    {0x00, 0x00, 0x0e, 0x10, 0x0e, 0x01, 0x1e},  // s
    {0x08, 0x08, 0x1c, 0x08, 0x08, 0x09, 0x06},  // t
    {0x00, 0x00, 0x11, 0x11, 0x11, 0x13, 0x0d},  // u
    {0x00, 0x00, 0x11, 0x11, 0x11, 0x0a, 0x04},  // v
    {0x00, 0x00, 0x11, 0x11, 0x15, 0x15, 0x0a},  // w
    {0x00, 0x00, 0x11, 0x0a, 0x04, 0x0a, 0x11},  // x
    {0x00, 0x00, 0x11, 0x11, 0x0f, 0x01, 0x0e},  // y
    {0x00, 0x00, 0x1f, 0x02, 0x04, 0x08, 0x1f},  // z
    BOX,
    BOX,
    BOX,
    BOX,
};

static void draw_letter(Picture* picture, int x, int y, int size, Colour colour, char letter) {
    static const unsigned char unknown[LETTER_HEIGHT] = BOX;
    bool known = letter >= FIRST_LETTER && letter <= LAST_LETTER;
    const unsigned char* rows = known ? letters[letter - FIRST_LETTER] : unknown;
    for (int row = 0; row < LETTER_HEIGHT; row++)
        for (int column = 0; column < LETTER_WIDTH - 1; column++)
            if (rows[row] & 0x10 >> column)
                fill_rectangle(picture, x + column * size, y + row * size, size, size, colour);
}

void draw_text(Picture* picture, int x, int y, int size, Colour colour, const char* text) {
    for (; *text; text++, x += LETTER_WIDTH * size) draw_letter(picture, x, y, size, colour, *text);
}

int text_width(const char* text, int size) {
    int count = (int)strlen(text);
    return count > 0 ? (LETTER_WIDTH * count - 1) * size : 0;
}

// ---------------------------------------------------------------------------------------------

int write_png(const Picture* picture, const char* path) {
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)picture->width,
                       .height = (png_uint_32)picture->height,
                       .format = PNG_FORMAT_RGB};
    if (png_image_write_to_file(&image, path, 0, picture->pixels, 0, NULL)) return GO_ON;
    png_image_free(&image);
    return complain(EXIT_FAILED, "%s: %s", path, image.message);
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Heights of threads over a square that repeats, and from them its normals. Lengths are in threads:
// a thread of the warp is centred at every x = i + 1/2, one of the weft at every y = j + 1/2.
// Where the warp is above, the height is that of its round side, raised in the middle of its float;
// else that of the weft.

#include "io/weave.h"

#include <math.h>
#include <stdint.h>

#include "base/angle.h"

static const double PI = 3.14159265358979323846;

// Round over the width of a thread: 1 in the middle, 0 at its sides.
static double round_side(double x) {
    double d = 2 * (x - floor(x)) - 1;
    return sqrt(1 - d * d);
}

// How a thread bows over a float of so many crossings: 0 at the ends, 1 in between.
static double bow(double along, int length) {
    double sine, cosine;
    wf_sine_cosine(PI * along / length, &sine, &cosine);
    return sqrt(fabs(sine));
}

// Of a thread that floats over `over` crossings, and goes under `under`; along: from where it
// rises.
static double woven(double x, double y, int over, int under, int step) {
    int i = (int)floor(x), period = over + under;
    double along = fmod(y + period - (double)(i * step % period) + period, period);
    if (along < over) return 0.45 + 0.55 * bow(along, over) * round_side(x);
    // the weft floats over what is left; across, by the number of its row
    double start = fmod((double)((int)floor(y) * step), period);
    double side = fmod(x - start + 2 * period, period);
    return 0.3 + 0.55 * bow(side, under > 1 ? under : 1) * round_side(y);
}

// Two threads up, two down, each row one further.
static double twill(double x, double y) {
    double diagonal = fmod(y - floor(x) + 8, 4);
    if (diagonal < 2) return 0.45 + 0.55 * bow(diagonal, 2) * round_side(x);
    return 0.15 + 0.35 * round_side(y);
}

// The right side of a knit: columns of Vs, the legs of loops.
static double knit(double x, double y) {
    double side = x - floor(x) - 0.5, leg = fabs(side);
    double row = y - 1.1 * leg, across = fmod(row - floor(row) + 1, 1) - 0.5;
    double off = leg - 0.26, thick = 1 - 4.2 * across * across, arch = 1 - 12 * off * off;
    return fmax(0, thick) * fmax(0, arch);
}

static uint32_t scramble(uint32_t n) {
    n = (n ^ 61) ^ n >> 16;
    n *= 9;
    n = (n ^ n >> 4) * 0x27d4eb2d;
    return n ^ n >> 15;
}

// Tufts, of two sizes, that repeat.
static double tufts(double x, double y, int count, uint32_t seed) {
    double high = 0;
    int cx = (int)floor(x * count), cy = (int)floor(y * count);
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            uint32_t column = (uint32_t)((cx + i + count) % count);
            uint32_t row = (uint32_t)((cy + j + count) % count);
            uint32_t n = scramble(seed + column + 97 * row);
            double dx = x * count - (cx + i) - (n & 255) / 255.0;
            double dy = y * count - (cy + j) - (n >> 8 & 255) / 255.0;
            high = fmax(high, 1 - 0.9 * (dx * dx + dy * dy));
        }
    return high;
}

enum { PLAIN = 8, TWILL = 8, SATIN = 8, KNIT = 4, PILE = 4, RIPSTOP = 16 };  // threads of a side

// x and y in threads, of a square with `count` of them.
static double height(WeftWeave weave, double x, double y, int count) {
    switch (weave) {
        case WEFT_WEAVE_TWILL:
            return twill(x, y);
        case WEFT_WEAVE_SATIN:  // eight ends, three further in each
            return woven(x, y, 7, 1, 3);
        case WEFT_WEAVE_KNIT:
            return knit(x, y);
        case WEFT_WEAVE_PILE:
            return 0.6 * tufts(x / count, y / count, 8, 1) +
                   0.4 * tufts(x / count, y / count, 16, 7);
        case WEFT_WEAVE_RIPSTOP: {
            bool thick = x < 1 || y < 1;
            return woven(x, y, 1, 1, 1) * (thick ? 1.6 : 0.8);
        }
        default:
            return woven(x, y, 1, 1, 1);
    }
}

static int threads_of(WeftWeave weave) {
    static const int counts[] = {PLAIN, TWILL, SATIN, KNIT, PILE, RIPSTOP};
    return counts[weave];
}

int wf_draw_weave(WeftWeave weave, WfTile tile) {
    double heights[WF_TILE][WF_TILE];
    int count = threads_of(weave);
    double pixel = (double)count / WF_TILE;  // in threads
    for (int j = 0; j < WF_TILE; j++)
        for (int i = 0; i < WF_TILE; i++)
            heights[j][i] = height(weave, (i + 0.5) * pixel, (WF_TILE - j - 0.5) * pixel, count);
    for (int j = 0; j < WF_TILE; j++)
        for (int i = 0; i < WF_TILE; i++) {
            enum { LAST = WF_TILE - 1 };
            double right = heights[j][(i + 1) & LAST] - heights[j][(i - 1) & LAST];
            double up = heights[(j - 1) & LAST][i] - heights[(j + 1) & LAST][i];
            double n[3] = {-0.5 * right / (2 * pixel), -0.5 * up / (2 * pixel), 1};
            double length = sqrt(n[0] * n[0] + n[1] * n[1] + 1);
            for (int k = 0; k < 3; k++)
                tile[3 * (WF_TILE * j + i) + k] =
                    (unsigned char)(127.5 + 127.5 * n[k] / length + 0.5);
        }
    return count;
}

void wf_draw_print(const WeftLook* look, WfTile tile) {
    for (int j = 0; j < WF_TILE; j++)
        for (int i = 0; i < WF_TILE; i++) {
            bool warp = i >= WF_TILE / 2, weft = j >= WF_TILE / 2;
            double part = look->print.kind == WEFT_PRINT_STRIPES ? warp : (warp + weft) / 2.0;
            for (int k = 0; k < 3; k++) {
                int shift = 16 - 8 * k;
                double below = look->colour >> shift & 255;
                double above = look->print.colour >> shift & 255;
                tile[3 * (WF_TILE * j + i) + k] =
                    (unsigned char)(below + part * (above - below) + 0.5);
            }
        }
}

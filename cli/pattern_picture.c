// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A picture of a pattern: its panels side by side, on shelves, all to one scale. Both sides of a
// seam have one colour, and sides that are not sewn are grey. A side has its number inside of it;
// the arrow in a panel is its grain.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "pattern.h"
#include "picture.h"

enum { SAMPLES = 48, MARGIN = 46, CAPTION = 50, WIDEST = 2400, TALLEST = 6000 };
enum { SMALL = 2, LARGE = 3 };  // letters
enum { BRIEF = 36 };            // pixels: shorter sides are numbered outside

static const Colour BLACK = {30, 30, 30}, GREY = {150, 150, 150}, CLOTH = {246, 244, 238},
                    WHITE = {255, 255, 255}, QUIET = {110, 110, 110};

typedef struct Layout {
    const WeftPattern* pattern;
    double (*low)[2];     // per panel: the lower left corner of its box, metres
    double (*size)[2];    // and its size
    double (*corner)[2];  // its upper left corner in the picture, pixels
    double scale;         // pixels per metre
    int width, height;    // pixels
    Picture picture;
} Layout;

// ---------------------------------------------------------------------------------------------
// Layout

static void find_box(Layout* l, int index) {
    const WeftPanel* panel = &l->pattern->panels[index];
    for (int k = 0; k < 2; k++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int s = 0; s < panel->side_count; s++)
            for (int i = 0; i <= SAMPLES; i++) {
                double point[2];
                weft_side_point(panel, s, (double)i / SAMPLES, point);
                low = fmin(low, point[k]);
                high = fmax(high, point[k]);
            }
        l->low[index][k] = low;
        l->size[index][k] = high - low;
    }
}

static double cell_width(const Layout* l, int index) {
    const WeftPanel* panel = &l->pattern->panels[index];
    double name = text_width(panel->name, LARGE) + MARGIN;
    return fmax(l->scale * l->size[index][0] + 2 * MARGIN, name);
}

// Put the panels on shelves, in their order. Returns the height.
static double fill_shelves(Layout* l, double width, double* widest) {
    double x = 0, y = 0, tallest = 0;
    *widest = 0;
    for (int p = 0; p < l->pattern->panel_count; p++) {
        double w = cell_width(l, p), h = l->scale * l->size[p][1] + 2 * MARGIN + CAPTION;
        if (x > 0 && x + w > width) {
            x = 0;
            y += tallest;
            tallest = 0;
        }
        l->corner[p][0] = x + (w - l->scale * l->size[p][0]) / 2;
        l->corner[p][1] = y + MARGIN + CAPTION;
        x += w;
        tallest = fmax(tallest, h);
        *widest = fmax(*widest, x);
    }
    return y + tallest;
}

// The largest scale at which shelves make a picture that is not taller than wide, nor too large.
static void choose_scale(Layout* l) {
    double widest = 0, height = 0;
    l->scale = 1500;  // a shirt of half a metre is well seen
    for (int round = 0; round < 60; round++, l->scale *= 0.93) {
        height = fill_shelves(l, WIDEST, &widest);
        if (height <= WIDEST && widest <= WIDEST) break;
    }
    height = fill_shelves(l, WIDEST, &widest);
    l->width = (int)fmin(ceil(widest), TALLEST);
    l->height = (int)fmin(ceil(height), TALLEST);
}

// From a panel's plane to the picture; v is up.
static void to_picture(const Layout* l, int index, const double point[2], double out[2]) {
    out[0] = l->corner[index][0] + l->scale * (point[0] - l->low[index][0]);
    out[1] = l->corner[index][1] + l->scale * (l->low[index][1] + l->size[index][1] - point[1]);
}

// ---------------------------------------------------------------------------------------------
// Colours

static unsigned char channel(double hue, double shift, double light) {
    double x = fabs(fmod(hue + shift, 1) * 6 - 3) - 1;  // a wave with flat ends
    return (unsigned char)(255 * light * (0.15 + 0.85 * fmin(fmax(x, 0), 1)));
}

// Hues a golden section apart, light and dark by turns.
static Colour seam_colour(int seam) {
    double hue = fmod(0.61803398875 * seam, 1), light = seam % 3 == 0   ? 0.9
                                                        : seam % 3 == 1 ? 0.7
                                                                        : 0.5;
    return (Colour){channel(hue, 1, light), channel(hue, 2.0 / 3, light),
                    channel(hue, 1.0 / 3, light)};
}

// ---------------------------------------------------------------------------------------------
// Panels

static void fill_panel(Layout* l, int index) {
    const WeftPanel* panel = &l->pattern->panels[index];
    double* points = malloc((size_t)panel->side_count * SAMPLES * 2 * sizeof *points);
    if (!points) return;
    int count = 0;
    for (int s = 0; s < panel->side_count; s++)
        for (int i = 0; i < SAMPLES; i++) {
            double point[2];
            weft_side_point(panel, s, (double)i / SAMPLES, point);
            to_picture(l, index, point, points + 2 * count++);
        }
    fill_polygon(&l->picture, points, count, CLOTH);
    free(points);
}

static void draw_side(Layout* l, int index, const WeftPanel* panel, int side, double width,
                      Colour colour) {
    double points[SAMPLES + 1][2], point[2];
    for (int i = 0; i <= SAMPLES; i++) {
        weft_side_point(panel, side, (double)i / SAMPLES, point);
        to_picture(l, index, point, points[i]);
    }
    draw_path(&l->picture, points[0], SAMPLES + 1, width, colour);
}

static void draw_hole(Layout* l, int index, const WeftLoop* hole) {
    WeftPanelSide* sides = calloc((size_t)hole->side_count, sizeof *sides);
    if (!sides) return;
    for (int s = 0; s < hole->side_count; s++) sides[s].curve = hole->sides[s];
    WeftPanel ring = {.side_count = hole->side_count, .sides = sides};
    double* points = malloc((size_t)hole->side_count * SAMPLES * 2 * sizeof *points);
    int count = 0;
    for (int s = 0; points && s < hole->side_count; s++)
        for (int i = 0; i < SAMPLES; i++) {
            double point[2];
            weft_side_point(&ring, s, (double)i / SAMPLES, point);
            to_picture(l, index, point, points + 2 * count++);
        }
    if (points) fill_polygon(&l->picture, points, count, WHITE);
    for (int s = 0; s < hole->side_count; s++) draw_side(l, index, &ring, s, 2, GREY);
    free(points);
    free(sides);
}

static void draw_centred(Layout* l, const double at[2], int size, Colour colour, const char* text) {
    draw_text(&l->picture, (int)(at[0] - text_width(text, size) / 2.0),
              (int)(at[1] - LETTER_HEIGHT * size / 2.0), size, colour, text);
}

// 1: the sides run counter-clockwise.
static double direction(const WeftPanel* panel) {
    double area = 0, last[2], next[2];
    weft_side_point(panel, 0, 0, last);
    for (int s = 0; s < panel->side_count; s++)
        for (int i = 1; i <= SAMPLES; i++) {
            weft_side_point(panel, s, (double)i / SAMPLES, next);
            area += last[0] * next[1] - last[1] * next[0];
            memcpy(last, next, sizeof last);
        }
    return area < 0 ? -1 : 1;
}

// A point beside the middle of a side: `pixels` inside of it, or outside where negative.
static void beside(const Layout* l, int index, int side, double pixels, double at[2]) {
    const WeftPanel* panel = &l->pattern->panels[index];
    double a[2], b[2], point[2], inwards = direction(panel);
    weft_side_point(panel, side, 0.5, point);
    to_picture(l, index, point, at);
    weft_side_point(panel, side, 0.45, a);
    weft_side_point(panel, side, 0.55, b);
    double e[2] = {b[0] - a[0], a[1] - b[1]}, length = hypot(e[0], e[1]);
    if (length == 0) return;
    // in the picture, v down, the left of e is (e1, -e0)
    at[0] += pixels * inwards * e[1] / length;
    at[1] -= pixels * inwards * e[0] / length;
}

// Of neighbours with one label the longest bears it.
static bool is_longest(const WeftPanel* panel, int side) {
    double length = weft_side_length(panel, side);
    for (int s = 0; s < panel->side_count; s++)
        if (strcmp(panel->sides[s].label, panel->sides[side].label) == 0 &&
            (s < side ? weft_side_length(panel, s) >= length : weft_side_length(panel, s) > length))
            return false;
    return panel->sides[side].label[0] != 0;
}

// The number is inside, but for short sides, where it would be in the way of others; the label is
// outside, or behind the number.
static void draw_side_texts(Layout* l, int index, int side, Colour colour) {
    const WeftPanel* panel = &l->pattern->panels[index];
    char text[WEFT_NAME_SIZE + 16];
    double at[2], edge[2];
    bool brief = l->scale * weft_side_length(panel, side) < BRIEF;
    const char* label = panel->sides[side].label;
    bool labelled = brief && is_longest(panel, side);
    snprintf(text, sizeof text, "%d%s%s", side, labelled ? " " : "", labelled ? label : "");
    beside(l, index, side, brief ? -14 : 15, at);
    draw_centred(l, at, SMALL, colour, text);
    if (brief || !is_longest(panel, side)) return;
    beside(l, index, side, -16, at);
    beside(l, index, side, 0, edge);
    // beside upright sides the text begins or ends there
    double half = text_width(label, SMALL) / 2.0, across = (at[0] - edge[0]) / 16;
    at[0] += half * across;
    draw_centred(l, at, SMALL, QUIET, label);
}

// Up along the warp.
static void draw_grain(Layout* l, int index) {
    const WeftPanel* panel = &l->pattern->panels[index];
    double angle = panel->grain * 3.14159265358979 / 180;
    double up[2] = {-sin(angle), -cos(angle)};  // v is up, y down
    double reach = fmin(0.16 * l->scale * fmin(l->size[index][0], l->size[index][1]), 50);
    double middle[2], tip[2], tail[2], barb[2];
    middle[0] = l->corner[index][0] + l->scale * l->size[index][0] / 2;
    middle[1] = l->corner[index][1] + l->scale * l->size[index][1] / 2;
    for (int k = 0; k < 2; k++)
        tip[k] = middle[k] + reach * up[k], tail[k] = middle[k] - reach * up[k];
    draw_line(&l->picture, tail, tip, 1.6, QUIET);
    for (int side = -1; side <= 1; side += 2) {
        barb[0] = tip[0] - 8 * up[0] + side * 4 * up[1];
        barb[1] = tip[1] - 8 * up[1] - side * 4 * up[0];
        draw_line(&l->picture, barb, tip, 1.6, QUIET);
    }
}

static void draw_caption(Layout* l, int index) {
    const WeftPanel* panel = &l->pattern->panels[index];
    double at[2] = {l->corner[index][0] + l->scale * l->size[index][0] / 2,
                    l->corner[index][1] - MARGIN - 18};
    draw_centred(l, at, LARGE, BLACK, panel->name);
    at[1] += 24;
    draw_centred(l, at, SMALL, QUIET, panel->label);
}

static void draw_panel(Layout* l, int index) {
    const WeftPanel* panel = &l->pattern->panels[index];
    fill_panel(l, index);
    for (int h = 0; h < panel->hole_count; h++) draw_hole(l, index, &panel->holes[h]);
    draw_grain(l, index);
    for (int s = 0; s < panel->side_count; s++) {
        int seam, chain;
        bool sewn = find_seam(l->pattern, index, s, &seam, &chain);
        Colour colour = sewn ? seam_colour(seam) : GREY;
        draw_side(l, index, panel, s, sewn ? 4 : 2, colour);
    }
    // corners, where one side ends and another begins
    for (int s = 0; s < panel->side_count; s++) {
        double at[2];
        to_picture(l, index, panel->sides[s].curve.end, at);
        draw_line(&l->picture, at, at, 6, BLACK);
    }
    for (int s = 0; s < panel->side_count; s++) {
        int seam, chain;
        bool sewn = find_seam(l->pattern, index, s, &seam, &chain);
        draw_side_texts(l, index, s, sewn ? seam_colour(seam) : QUIET);
    }
    draw_caption(l, index);
}

int draw_pattern(const WeftPattern* pattern, const char* path) {
    size_t count = (size_t)pattern->panel_count;
    Layout l = {.pattern = pattern};
    l.low = calloc(count, sizeof *l.low);
    l.size = calloc(count, sizeof *l.size);
    l.corner = calloc(count, sizeof *l.corner);
    int code = GO_ON;
    bool room = l.low && l.size && l.corner;
    for (int p = 0; room && p < pattern->panel_count; p++) find_box(&l, p);
    if (room) choose_scale(&l);
    if (room && create_picture(&l.picture, l.width, l.height)) {
        for (int p = 0; p < pattern->panel_count; p++) draw_panel(&l, p);
        code = write_png(&l.picture, path);
        destroy_picture(&l.picture);
    } else {
        code = complain(EXIT_FAILED, "out of memory");
    }
    free(l.low);
    free(l.size);
    free(l.corner);
    return code;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sparsity.h"
#include "weft/weft_study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const Colour own_colour = {22, 48, 112}, filled_colour = {233, 136, 52};
static const Colour frame_colour = {205, 208, 214}, number_colour = {140, 144, 152};

bool create_sparsity(Sparsity* sparsity, int n, int most) {
    int bin = (n + most - 1) / most;
    int count = (n + bin - 1) / bin;
    size_t area = (size_t)count * (size_t)count;
    *sparsity = (Sparsity){.n = n, .bin = bin, .bin_count = count, .side = most / count * count};
    sparsity->own = calloc(area, sizeof *sparsity->own);
    sparsity->filled = calloc(area, sizeof *sparsity->filled);
    if (sparsity->own && sparsity->filled) return true;
    destroy_sparsity(sparsity);
    return false;
}

void destroy_sparsity(Sparsity* sparsity) {
    free(sparsity->own);
    free(sparsity->filled);
    *sparsity = (Sparsity){0};
}

// ---------------------------------------------------------------------------------------------
// Seeing

static size_t bin_at(const Sparsity* sparsity, int row, int column) {
    return (size_t)(row / sparsity->bin) * (size_t)sparsity->bin_count +
           (size_t)(column / sparsity->bin);
}

static void clear(Sparsity* sparsity) {
    size_t area = (size_t)sparsity->bin_count * (size_t)sparsity->bin_count;
    memset(sparsity->own, 0, area * sizeof *sparsity->own);
    memset(sparsity->filled, 0, area * sizeof *sparsity->filled);
}

// The number of elimination of every vertex, and room for as many ints behind it.
static int* find_places(const WeftModel* model, bool ordered) {
    int n = weft_vertex_count(model);
    const int* order = weft_elimination_order(model);
    int* places = calloc(2 * (size_t)n, sizeof *places);
    for (int i = 0; i < n && places; i++) places[ordered ? order[i] : i] = i;
    return places;
}

bool see_matrix(Sparsity* sparsity, const WeftModel* model, const WeftStepDef* step, bool ordered) {
    const int *start, *index;
    int* places = find_places(model, ordered);
    bool good = places && !weft_get_matrix(model, step, &start, &index, NULL, NULL);
    clear(sparsity);
    for (int i = 0; i < sparsity->n && good; i++)
        for (int e = start[i]; e < start[i + 1]; e++)
            sparsity->own[bin_at(sparsity, places[i], places[index[e]])]++;
    free(places);
    return good;
}

// Entries of a column are the matrix' own where the vertex eliminated there has the row's vertex as
// a neighbour.
bool see_factor(Sparsity* sparsity, const WeftModel* model, const WeftStepDef* step) {
    int n = sparsity->n;
    const int *start, *index, *order = weft_elimination_order(model);
    int *places = find_places(model, true), *rows = calloc((size_t)n, sizeof *rows);
    bool good = places && rows && !weft_get_matrix(model, step, &start, &index, NULL, NULL);
    int* seen_in = places + n;  // the last column, plus one, that a row was a neighbour of
    clear(sparsity);
    for (int column = 0; column < n && good; column++) {
        int vertex = order[column], count = weft_factor_column(model, column, rows);
        for (int e = start[vertex]; e < start[vertex + 1]; e++)
            seen_in[places[index[e]]] = column + 1;
        for (int r = 0; r < count; r++) {
            unsigned* counts = seen_in[rows[r]] == column + 1 ? sparsity->own : sparsity->filled;
            counts[bin_at(sparsity, rows[r], column)]++;
        }
    }
    free(places);
    free(rows);
    return good;
}

// ---------------------------------------------------------------------------------------------
// Drawing

static unsigned char mix(int a, int b, double share) {
    return (unsigned char)lround(a + share * (b - a));
}

static Colour mix_colours(Colour a, Colour b, double share) {
    return (Colour){mix(a.red, b.red, share), mix(a.green, b.green, share),
                    mix(a.blue, b.blue, share)};
}

// Faint is visible, too: a band one entry wide is a hundredth of a bin of 100 x 100.
static Colour bin_colour(const Sparsity* sparsity, size_t k) {
    static const double least = 0.22, bend = 0.45, own_weight = 6;
    static const Colour white = {255, 255, 255};
    double area = (double)sparsity->bin * sparsity->bin;
    double own = sparsity->own[k], filled = sparsity->filled[k];
    double ink = least + (1 - least) * pow((own + filled) / area, bend);
    double share = filled / (filled + own_weight * own);
    return mix_colours(white, mix_colours(own_colour, filled_colour, share), fmin(ink, 1));
}

static void draw_bins(const Sparsity* sparsity, Picture* picture, int x, int y) {
    int count = sparsity->bin_count, size = sparsity->side / count;
    int gap = size >= 6 ? 1 : 0;
    for (int row = 0; row < count; row++)
        for (int column = 0; column < count; column++) {
            size_t k = (size_t)row * (size_t)count + (size_t)column;
            if (sparsity->own[k] + sparsity->filled[k] > 0)
                fill_rectangle(picture, x + column * size, y + row * size, size - gap, size - gap,
                               bin_colour(sparsity, k));
        }
}

static void draw_frame(Picture* picture, int x, int y, int side) {
    fill_rectangle(picture, x - 2, y - 2, side + 4, 1, frame_colour);
    fill_rectangle(picture, x - 2, y + side + 1, side + 4, 1, frame_colour);
    fill_rectangle(picture, x - 2, y - 2, 1, side + 4, frame_colour);
    fill_rectangle(picture, x + side + 1, y - 2, 1, side + 4, frame_colour);
}

// About four steps of 1, 2 or 5 times a power of ten.
static int tick_step(int n) {
    int step = 1;
    for (int factor = 0; n / step > 5; factor++) step = step * (factor % 3 == 1 ? 5 : 4) / 2;
    return step;
}

static void draw_numbers(const Sparsity* sparsity, Picture* picture, int x, int y) {
    enum { SIZE = 2, TICK = 5 };
    for (int row = 0, step = tick_step(sparsity->n); row < sparsity->n; row += step) {
        char text[16];
        snprintf(text, sizeof text, "%d", row);
        int at = (int)((double)row / sparsity->bin / sparsity->bin_count * sparsity->side);
        int width = text_width(text, SIZE);
        fill_rectangle(picture, x - 2 - TICK, y + at, TICK, 1, frame_colour);
        fill_rectangle(picture, x + at, y - 2 - TICK, 1, TICK, frame_colour);
        draw_text(picture, x - TICK - 5 - width, y + at - (row > 0 ? 6 : 0), SIZE, number_colour,
                  text);
        draw_text(picture, x + at - (row > 0 ? width / 2 : 0), y - TICK - 19, SIZE, number_colour,
                  text);
    }
}

void draw_sparsity(const Sparsity* sparsity, Picture* picture, int x, int y, bool numbered) {
    draw_frame(picture, x, y, sparsity->side);
    if (numbered) draw_numbers(sparsity, picture, x, y);
    draw_bins(sparsity, picture, x, y);
}

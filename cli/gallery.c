// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#define _POSIX_C_SOURCE 200809L

#include "gallery.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "options.h"
#include "place.h"
#include "weft/weft_study.h"

// A picture is a drawing with numbers on its left and above, and two lines over all of it. The
// sheet is two rows of smaller ones, two lines over each.
enum {
    LARGEST = 1200,
    LEFT = 88,
    ABOVE = 84,
    EDGE = 24,
    LETTERS = 2,
    LINE = 10 * LETTERS,
    SMALL = 420,
    SMALL_GAP = 32,
    CAPTION = 3 * LINE,
};
static const Colour text_colour = {40, 44, 52};

static int fail_memory(void) { return complain(EXIT_FAILED, "out of memory"); }

// ---------------------------------------------------------------------------------------------
// What is written beside the drawings

typedef struct Caption {
    char what[64];    // "L, nested dissection"
    char count[64];   // "321456 non-zeros, fill 4.53"
    bool has_filled;  // entries that only the factor has
} Caption;

static Caption matrix_caption(const WeftModel* model, const char* order) {
    Caption caption = {.has_filled = false};
    snprintf(caption.what, sizeof caption.what, "A, %s", order);
    snprintf(caption.count, sizeof caption.count, "%lld non-zeros",
             weft_factor_info(model).matrix_count);
    return caption;
}

static Caption factor_caption(const WeftModel* model, const char* order) {
    Caption caption = {.has_filled = true};
    WeftFactorInfo info = weft_factor_info(model);
    double lower = 0.5 * (double)(info.matrix_count + weft_vertex_count(model));
    snprintf(caption.what, sizeof caption.what, "L, %s", order);
    snprintf(caption.count, sizeof caption.count, "%lld non-zeros, fill %.4g", info.factor_count,
             (double)info.factor_count / lower);
    return caption;
}

// "reverse_cuthill_mckee" as people write it
static const char* order_text(const char* order) {
    static char text[40];
    snprintf(text, sizeof text, "%s", order);
    for (char* p = text; *p; p++)
        if (*p == '_') *p = ' ';
    return text;
}

static int draw_key(Picture* picture, int x, int y, Colour colour, const char* text) {
    fill_rectangle(picture, x, y, 7 * LETTERS, 7 * LETTERS, colour);
    draw_text(picture, x + 10 * LETTERS, y, LETTERS, text_colour, text);
    return x + 10 * LETTERS + text_width(text, LETTERS) + 16 * LETTERS;
}

static void draw_keys(Picture* picture, int x, int y) {
    x = draw_key(picture, x, y, own_colour, "of A");
    draw_key(picture, x, y, filled_colour, "fill-in");
}

// ---------------------------------------------------------------------------------------------
// One picture

static int write_picture(Gallery* gallery, const Picture* picture, const char* kind,
                         const char* order) {
    char* path = gallery->files[gallery->file_count];
    int length = snprintf(path, GALLERY_PATH, "%s/%s%s%s.png", gallery->folder, kind,
                          *order ? "_" : "", order);
    if (length >= GALLERY_PATH)
        return complain(EXIT_USAGE, "%s: the name is too long", gallery->folder);
    int code = write_png(picture, path);
    if (code == GO_ON) gallery->file_count++;
    return code;
}

static int add_picture(Gallery* gallery, const Sparsity* sparsity, const Caption* caption,
                       const char* kind, const char* order) {
    Picture picture;
    char title[160];
    snprintf(title, sizeof title, "%s: %s", base_name(gallery->subject), caption->what);
    int width = LEFT + EDGE + (sparsity->side > 640 ? sparsity->side : 640);
    if (!create_picture(&picture, width, ABOVE + sparsity->side + EDGE)) return fail_memory();
    draw_text(&picture, LEFT, EDGE / 2, LETTERS, text_colour, title);
    draw_text(&picture, LEFT, EDGE / 2 + LINE, LETTERS, text_colour, caption->count);
    if (caption->has_filled)
        draw_keys(&picture, LEFT + text_width(caption->count, LETTERS) + 16 * LETTERS,
                  EDGE / 2 + LINE);
    draw_sparsity(sparsity, &picture, LEFT, ABOVE, true);
    int code = write_picture(gallery, &picture, kind, order);
    destroy_picture(&picture);
    return code;
}

// ---------------------------------------------------------------------------------------------
// The sheet

static int small_y(int row) { return EDGE + LINE + row * (CAPTION + SMALL) + CAPTION; }

static void add_small(Gallery* gallery, const Sparsity* sparsity, const Caption* caption, int row) {
    int x = EDGE + gallery->column * (SMALL + SMALL_GAP), y = small_y(row);
    draw_text(&gallery->sheet, x, y - 2 * LINE - 4, LETTERS, text_colour, caption->what);
    draw_text(&gallery->sheet, x, y - LINE - 4, LETTERS, text_colour, caption->count);
    draw_sparsity(sparsity, &gallery->sheet, x, y, false);
}

// Below the matrix as numbered, which has no factor.
static void draw_legend(Picture* picture, int x, int y) {
    static const char* const lines[] = {"A: a row and column per vertex",
                                        "L: its factor, A = L L^T",
                                        "fill: L over the lower half of A"};
    draw_keys(picture, x, y);
    for (int i = 0; i < 3; i++)
        draw_text(picture, x, y + (i + 2) * LINE, LETTERS, text_colour, lines[i]);
}

int open_gallery(Gallery* gallery, int n, int column_count) {
    if (mkdir(gallery->folder, 0777) && errno != EEXIST)
        return complain(EXIT_FAILED, "%s: %s", gallery->folder, strerror(errno));
    int width = 2 * EDGE + (column_count + 1) * (SMALL + SMALL_GAP) - SMALL_GAP;
    if (!create_picture(&gallery->sheet, width, small_y(1) + SMALL + EDGE)) return fail_memory();
    char title[160];
    snprintf(title, sizeof title, "%s: %d vertices", base_name(gallery->subject), n);
    draw_text(&gallery->sheet, EDGE, EDGE, LETTERS, text_colour, title);
    draw_legend(&gallery->sheet, EDGE, small_y(1));
    return GO_ON;
}

int add_sheet(Gallery* gallery) { return write_picture(gallery, &gallery->sheet, "sheet", ""); }

void close_gallery(Gallery* gallery) { destroy_picture(&gallery->sheet); }

// ---------------------------------------------------------------------------------------------
// What is seen, large and small

typedef enum View { VIEW_NUMBERED, VIEW_ORDERED, VIEW_FACTOR } View;

static bool see(const Gallery* gallery, const WeftModel* model, View view, Sparsity* sparsity) {
    if (view == VIEW_FACTOR) return see_factor(sparsity, model, gallery->step);
    return see_matrix(sparsity, model, gallery->step, view == VIEW_ORDERED);
}

static int add_view(Gallery* gallery, const WeftModel* model, View view, const char* order) {
    int n = weft_vertex_count(model), code = GO_ON;
    Sparsity large, small;
    const char* text = view == VIEW_NUMBERED ? "as numbered" : order_text(order);
    Caption caption =
        view == VIEW_FACTOR ? factor_caption(model, text) : matrix_caption(model, text);
    if (!create_sparsity(&large, n, LARGEST - LEFT - EDGE)) return fail_memory();
    if (!create_sparsity(&small, n, SMALL)) {
        destroy_sparsity(&large);
        return fail_memory();
    }
    if (!see(gallery, model, view, &large) || !see(gallery, model, view, &small))
        code = fail_memory();
    if (code == GO_ON)
        code = add_picture(gallery, &large, &caption, view == VIEW_FACTOR ? "factor" : "matrix",
                           order);
    if (code == GO_ON) add_small(gallery, &small, &caption, view == VIEW_FACTOR);
    destroy_sparsity(&large);
    destroy_sparsity(&small);
    return code;
}

int add_matrix(Gallery* gallery, const WeftModel* model) {
    int code = add_view(gallery, model, VIEW_NUMBERED, "");
    gallery->column++;
    return code;
}

int add_order(Gallery* gallery, const WeftModel* model, const char* order) {
    int code = add_view(gallery, model, VIEW_ORDERED, order);
    if (code == GO_ON) code = add_view(gallery, model, VIEW_FACTOR, order);
    gallery->column++;
    return code;
}

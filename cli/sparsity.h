// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Pictures of a sparse matrix: where it has numbers, as seen from afar. Large matrices are cut into
// square bins, and the fuller a bin, the darker it is.

#ifndef WEFT_CLI_SPARSITY_H
#define WEFT_CLI_SPARSITY_H

#include "picture.h"
#include "weft/weft.h"

typedef struct Sparsity {
    int n;             // rows of the matrix
    int bin;           // rows and columns per bin
    int bin_count;     // per side
    int side;          // pixels, when drawn
    unsigned* own;     // entries of the matrix in each bin, row by row,
    unsigned* filled;  // and those that only the factor has
} Sparsity;

// Room for a drawing of at most `most` pixels per side. False for lack of memory.
bool create_sparsity(Sparsity* sparsity, int n, int most);
void destroy_sparsity(Sparsity* sparsity);

// What is seen: the matrix of steps by `step`, its rows by number of elimination or as the vertices
// are numbered; its factor. False for lack of memory, or where the steps have no matrix.
bool see_matrix(Sparsity* sparsity, const WeftModel* model, const WeftStepDef* step, bool ordered);
bool see_factor(Sparsity* sparsity, const WeftModel* model, const WeftStepDef* step);

// The colours of entries of the matrix, and of those that only the factor has.
extern const Colour own_colour, filled_colour;

// With a frame, at its upper left corner x, y; with numbers of rows and columns beside it where
// `numbered`, for which it takes 80 pixels on the left and 24 above.
void draw_sparsity(const Sparsity* sparsity, Picture* picture, int x, int y, bool numbered);

#endif

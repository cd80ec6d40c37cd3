// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The pictures of `weft order`, in one folder: the matrix as numbered, the matrix and its factor in
// each order, and a sheet with all of them side by side.

#ifndef WEFT_CLI_GALLERY_H
#define WEFT_CLI_GALLERY_H

#include "sparsity.h"

enum { GALLERY_LIMIT = 16, GALLERY_PATH = 1024 };

typedef struct Gallery {
    const char* folder;
    const char* subject;      // whose matrix it is
    const WeftStepDef* step;  // and of which steps
    Picture sheet;
    int column;  // of the sheet, the next free one
    int file_count;
    char files[GALLERY_LIMIT][GALLERY_PATH];
} Gallery;

// Makes the folder where there is none. `column_count`: orders to come, at most. These return
// GO_ON, or an exit code after telling what is wrong. Close it in any case.
int open_gallery(Gallery* gallery, int n, int column_count);
int add_matrix(Gallery* gallery, const WeftModel* model);                    // as numbered
int add_order(Gallery* gallery, const WeftModel* model, const char* order);  // and its factor
int add_sheet(Gallery* gallery);
void close_gallery(Gallery* gallery);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Figures from files are for `weft run`: the module has no reader of their formats.

#ifdef __wasm__

#include <stdio.h>

#include "weft/weft_io.h"

WeftFigureFileDef weft_default_figure_file_def(void) { return (WeftFigureFileDef){.rate = 60}; }

WeftResult weft_load_figure(const char* path, const WeftFigureFileDef* def,
                            const WeftAllocator* allocator, WeftFigure* figure,
                            WeftFindings* findings, WeftError* error) {
    (void)def, (void)allocator, (void)findings;
    *figure = (WeftFigure){0};
    if (error)
        snprintf(error->message, sizeof error->message,
                 "%s: the page reads no figures: simulate it with weft run", path);
    return WEFT_ERROR_FILE;
}

#else
typedef int NoFigures;  // a file needs a declaration
#endif

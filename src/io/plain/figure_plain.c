// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// In place of io/figure where there is no assimp: a build for pages. OBJ bodies of scenes do not
// come here.

#include "base/error.h"
#include "weft/weft_io.h"

WeftFigureFileDef weft_default_figure_file_def(void) { return (WeftFigureFileDef){.rate = 60}; }

WeftResult weft_load_figure(const char* path, const WeftFigureFileDef* def,
                            const WeftAllocator* allocator, WeftFigure* figure,
                            WeftFindings* findings, WeftError* error) {
    (void)def, (void)allocator, (void)figure, (void)findings;
    return wf_fail(error, WEFT_ERROR_INPUT, "%s: this build reads OBJ bodies only", path);
}

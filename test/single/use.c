// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A program beside weft.c: all public headers of the core, and one call.

#include "weft.h"
#include "weft_detail.h"
#include "weft_fit.h"
#include "weft_garment.h"
#include "weft_mesh.h"
#include "weft_study.h"

int main(void) {
    WeftMesh mesh;
    WeftGridDef grid = weft_default_grid_def();
    if (weft_make_grid(&grid, NULL, &mesh, NULL)) return 1;
    int expected = (grid.columns + 1) * (grid.rows + 1), found = mesh.vertex_count;
    weft_destroy_mesh(&mesh);
    return found == expected ? 0 : 1;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Space in cells, by keys: points at one place are in the same cell, or in one beside it.

#ifndef WF_MESH_CELLS_H
#define WF_MESH_CELLS_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "mesh/hilbert.h"

static inline uint64_t wf_cell_key(const double cell[3]) {
    uint64_t key = 0;
    for (int k = 0; k < 3; k++) {
        double value = cell[k] + 0.0;  // never -0
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        key = wf_mix(key ^ bits);
    }
    return key;
}

// The cell that x is in.
static inline uint64_t wf_cell_of(const double x[3], double size) {
    double cell[3];
    for (int k = 0; k < 3; k++) cell[k] = floor(x[k] / size);
    return wf_cell_key(cell);
}

// The cells, of more than twice the distance, that have points within the distance of x: 1 to 8.
static inline int wf_cells_near(const double x[3], double distance, double size, uint64_t keys[8]) {
    double low[3], high[3];
    int count = 0;
    for (int k = 0; k < 3; k++) {
        low[k] = floor((x[k] - distance) / size);
        high[k] = floor((x[k] + distance) / size);
    }
    for (int corner = 0; corner < 8; corner++) {
        double cell[3];
        bool again = false;
        for (int k = 0; k < 3; k++) {
            cell[k] = corner >> k & 1 ? high[k] : low[k];
            again = again || ((corner >> k & 1) && low[k] == high[k]);
        }
        if (!again) keys[count++] = wf_cell_key(cell);
    }
    return count;
}

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The eigenvalues of the constant matrix, scaled by the masses.

#ifndef WEFT_BENCH_THESIS_SPECTRUM_H
#define WEFT_BENCH_THESIS_SPECTRUM_H

#include "weft/weft.h"

typedef struct Spectrum {
    double least, most;  // eigenvalues of M^-1 A
} Spectrum;

// Of the cloth for steps by `step`. Returns an exit code.
int find_spectrum(const WeftClothDef* cloth, const WeftStepDef* step, Spectrum* spectrum);
// The stretch stiffness, shear in proportion, at which the largest eigenvalue is `most`; N/m.
// Bending stays as the cloth has it.
int find_stiffness(const WeftClothDef* cloth, const WeftStepDef* step, double most,
                   double* stiffness);

// Stretch alike in all directions, and a quarter of it for shear, as the default fabric has it.
void set_stiffness(WeftClothDef* cloth, double stiffness);

#endif

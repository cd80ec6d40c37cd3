// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#ifndef WF_GARMENT_EVEN_HALVES_H
#define WF_GARMENT_EVEN_HALVES_H

#include "weft/weft_garment.h"

// Make the positions of a mirrored garment exactly symmetric: those behind the mirror become the
// images of those in front of it.
WeftResult wf_even_halves(const WeftPattern* pattern, WeftGarment* garment);
// m: how far the half that belongs in front of the mirror reaches beyond it, and so into the other.
WeftResult wf_measure_overlap(const WeftPattern* pattern, const WeftGarment* garment,
                              double* overlap);
// Whether positions are symmetric to the last bit.
bool wf_are_halves_even(const WeftMesh* mesh);

#endif

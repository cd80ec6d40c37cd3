// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The same garment with other triangles.

#ifndef WF_GARMENT_REFINE_H
#define WF_GARMENT_REFINE_H

#include "weft/weft_garment.h"

// Put the vertices of `to` where `from`, which was sewn of the same pattern, has them at
// `positions`.
WeftResult wf_refine_garment(const WeftGarment* from, const double* positions, WeftGarment* to);

#endif

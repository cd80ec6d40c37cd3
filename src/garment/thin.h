// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A thin body inside of a body.

#ifndef WF_GARMENT_THIN_H
#define WF_GARMENT_THIN_H

#include "weft/weft.h"

// Let a body shrink towards its bones, as far as heat spreads over `reach` metres: limbs thinner
// than that become rods, and all is smooth. `thin` may not be `positions`.
WeftResult wf_thin_body(const WeftAllocator* allocator, int vertex_count, const double* positions,
                        int triangle_count, const int* triangles, double reach, double* thin);

#endif

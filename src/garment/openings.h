// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Sewing what a body shall wear.

#ifndef WF_GARMENT_OPENINGS_H
#define WF_GARMENT_OPENINGS_H

#include "weft/weft_garment.h"

#define WF_COARSE_EDGE 0.017  // of the body's height: with such edges garments are put on

// weft_sew_pattern for a body of that height. Edges that are too long to go round what they are
// around are refused, with a length that will do.
WeftResult wf_sew_worn(const WeftPattern* pattern, double edge, double height,
                       const WeftAllocator* allocator, WeftGarment* garment, WeftFindings* findings,
                       WeftError* error);

#endif

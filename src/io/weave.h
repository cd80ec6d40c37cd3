// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The relief of fabrics and what is printed on them, as small pictures that repeat.

#ifndef WF_IO_WEAVE_H
#define WF_IO_WEAVE_H

#include "weft/weft_render.h"

enum { WF_TILE = 64 };  // pixels of a side
typedef unsigned char WfTile[WF_TILE * WF_TILE * 3];

// A normal map in the frame of the tangents (x right, y up, as in glTF). The warp is upright.
// Threads stand out as far as they do at a relief of 1. Returns how many threads a side has.
int wf_draw_weave(WeftWeave weave, WfTile tile);
// The colours of stripes or checks, one repeat; the warp is upright.
void wf_draw_print(const WeftLook* look, WfTile tile);

#endif

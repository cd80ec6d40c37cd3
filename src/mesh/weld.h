// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Welding: edges that lie on each other become one edge. The idea, and what is left alone, is told
// in weld.c.

#ifndef WF_MESH_WELD_H
#define WF_MESH_WELD_H

#include "weft/weft_mesh.h"

// roots[i] is the lowest vertex that i is to be joined with, i itself where there is none. Counts
// what would be joined. `cloth` has arrays that are good so far as triangles and threads name
// vertices that exist.
WeftResult wf_weld_find(const WeftAllocator* allocator, const WeftClothDef* cloth, double distance,
                        int* roots, WeftWeld* weld);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Is this a mesh that cloth can be made of?

#ifndef WF_MESH_CHECK_H
#define WF_MESH_CHECK_H

#include "weft/weft.h"

// Refuses, naming the culprit: no vertices, neither triangles nor ropes, counts that are negative,
// arrays that are missing, positions or material points that are not finite or absurdly large
// (above 1e6 m), indices out of range, triangles without area in the flat shape or turned over in
// it (against the majority), springs that join a vertex to itself, join coincident points or are
// given twice, threads that are too short, turn back on themselves, join coincident points or have
// no width, vertices in no triangle and no rope (they would weigh nothing), pins out of range.
// A flat shape that is too small or too
// large for it. (What needs neighbours is checked by wf_topology_create.)
WeftResult wf_check_cloth(const WeftAllocator* allocator, const WeftClothDef* cloth,
                          WeftError* error);
// Refuses a flat shape that is in another unit than the positions: the median edge starts at more
// than 4 times its length at rest, or at less than a tenth and more than a millionth of it (cloth
// may start pressed to a point). Part of wf_check_cloth; indices must be good.
WeftResult wf_check_rest_size(const WeftAllocator* allocator, const WeftClothDef* cloth,
                              WeftError* error);

#endif

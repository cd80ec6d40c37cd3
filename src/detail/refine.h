// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What makes maps of meshes.

#ifndef WF_DETAIL_REFINE_H
#define WF_DETAIL_REFINE_H

#include "weft/weft_detail.h"

// Refuses triangles that name vertices, or material points, that there are not.
WeftResult wf_check_corners(const WeftMesh* mesh, WeftError* error);

#endif

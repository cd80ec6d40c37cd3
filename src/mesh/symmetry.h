// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Which vertex is the mirror image of which.

#ifndef WF_MESH_SYMMETRY_H
#define WF_MESH_SYMMETRY_H

#include "weft/weft_mesh.h"

// As weft_find_images. `cloth` has passed wf_check_cloth, and the plane has a normal. `images` may
// be NULL. Fails for lack of memory only.
WeftResult wf_find_images(const WeftAllocator* allocator, const WeftClothDef* cloth,
                          const WeftPlane* plane, double tolerance, int* images,
                          WeftSymmetry* symmetry);

#endif

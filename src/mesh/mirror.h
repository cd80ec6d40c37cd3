// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What a mesh has besides triangles, mirrored. `made` is the new mesh with its positions and
// images: first the vertices of the half, then the images of those that are not on the plane.

#ifndef WF_MESH_MIRROR_H
#define WF_MESH_MIRROR_H

#include "mesh/cut.h"

WeftResult wf_mirror_springs(const WeftAllocator* allocator, const WeftMesh* old,
                             const WeftPlane* plane, const WfCutHalf* half, WeftMesh* made);
WeftResult wf_mirror_threads(const WeftAllocator* allocator, const WeftMesh* old,
                             const WfCutHalf* half, WeftMesh* made);

#endif

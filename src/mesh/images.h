// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Images of vertices in a mirror, found. The idea is told in images.c.

#ifndef WF_MESH_IMAGES_H
#define WF_MESH_IMAGES_H

#include "base/plane.h"
#include "mesh/stars.h"

// images: per vertex, -1 where there is none. What is pressed together is also compared by its flat
// shape, to `rest_tolerance` m, if there is a choice. `cloth` has passed wf_check_cloth.
WeftResult wf_match_images(const WeftAllocator* allocator, const WeftClothDef* cloth,
                           const WfPlane* mirror, const WfStars* stars, double tolerance,
                           double rest_tolerance, int* images);

#endif

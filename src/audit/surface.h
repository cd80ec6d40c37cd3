// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the checks ask of surfaces, and how they read them.

#ifndef WF_AUDIT_SURFACE_H
#define WF_AUDIT_SURFACE_H

#include "weft/weft_io.h"

// Refuses positions that are not finite, naming the surface and the vertex.
WeftResult wf_check_surfaces(const WeftSurface* surfaces, int count, WeftError* error);

static inline const double* wf_corner(const WeftSurface* surface, int triangle, int i) {
    return surface->positions + 3 * (size_t)surface->triangles[3 * (size_t)triangle + (size_t)i];
}

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Where cloth is, without its folds: means over patches. A fold decides by rounding which way it
// falls; where the cloth around it is, it does not.

#ifndef WEFT_BENCH_QUALITY_PATCHES_H
#define WEFT_BENCH_QUALITY_PATCHES_H

#include "trial.h"

typedef struct Patches {
    int count, vertex_count;
    int *of_vertex, *sizes;
} Patches;

// Of the vertices within 10 cm of a first one, that triangles of the patch lead to.
void make_patches(const WeftModel* model, const double* positions, Patches* patches);
void destroy_patches(Patches* patches);

// The mean place of every patch in every frame, of a path of all vertices.
void average_patches(const Patches* patches, const Trajectory* path, Trajectory* means);
// m, root mean square over frames and vertices, each of which has the mean of its patch.
double patch_distance(const Patches* patches, const Trajectory* from, const Trajectory* to);

#endif

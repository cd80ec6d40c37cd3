// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "patches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static const double RADIUS = 0.1;  // m: folds of a dress and of a heap are finer than 0.2 m

static bool is_near(const double* a, const double* b) {
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += (b[k] - a[k]) * (b[k] - a[k]);
    return sum < RADIUS * RADIUS;
}

// Corners of a triangle that has one in the patch; false: none of them is new.
static bool add_corners(const int* corners, int seed, int patch, const double* x,
                        Patches* patches) {
    bool touches = false, grows = false;
    for (int k = 0; k < 3; k++) touches = touches || patches->of_vertex[corners[k]] == patch;
    for (int k = 0; k < 3 && touches; k++) {
        if (patches->of_vertex[corners[k]] >= 0) continue;
        if (!is_near(x + 3 * (size_t)seed, x + 3 * (size_t)corners[k])) continue;
        patches->of_vertex[corners[k]] = patch;
        grows = true;
    }
    return grows;
}

static void grow_patch(const WeftModel* model, int seed, const double* x, Patches* patches) {
    const int* triangles = weft_triangles(model);
    int count = weft_triangle_count(model), patch = patches->count++;
    bool grows = true;
    patches->of_vertex[seed] = patch;
    while (grows) {
        grows = false;
        for (int t = 0; t < count; t++)
            grows |= add_corners(triangles + 3 * (size_t)t, seed, patch, x, patches);
    }
}

void make_patches(const WeftModel* model, const double* positions, Patches* patches) {
    int n = weft_vertex_count(model);
    *patches = (Patches){.vertex_count = n};
    patches->of_vertex = need((size_t)n, sizeof(int));
    patches->sizes = need((size_t)n, sizeof(int));
    for (int i = 0; i < n; i++) patches->of_vertex[i] = -1;
    for (int i = 0; i < n; i++)
        if (patches->of_vertex[i] < 0) grow_patch(model, i, positions, patches);
    for (int i = 0; i < n; i++) patches->sizes[patches->of_vertex[i]]++;
}

void destroy_patches(Patches* patches) {
    free(patches->of_vertex);
    free(patches->sizes);
    *patches = (Patches){0};
}

void average_patches(const Patches* patches, const Trajectory* path, Trajectory* means) {
    for (int frame = 0; frame < path->frame_count; frame++) {
        const double* x = trajectory_frame(path, frame);
        double* mean = trajectory_frame(means, frame);
        memset(mean, 0, 3 * (size_t)patches->count * sizeof *mean);
        for (int i = 0; i < patches->vertex_count; i++) {
            int patch = patches->of_vertex[i];
            for (int k = 0; k < 3; k++)
                mean[3 * patch + k] += x[3 * (size_t)i + (size_t)k] / patches->sizes[patch];
        }
    }
}

double patch_distance(const Patches* patches, const Trajectory* from, const Trajectory* to) {
    double sum = 0;
    for (int frame = 0; frame < from->frame_count; frame++) {
        const double *a = trajectory_frame(from, frame), *b = trajectory_frame(to, frame);
        for (int i = 0; i < 3 * patches->count; i++)
            sum += patches->sizes[i / 3] * (b[i] - a[i]) * (b[i] - a[i]);
    }
    return sqrt(sum / from->frame_count / patches->vertex_count);
}

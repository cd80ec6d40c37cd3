// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How a shown mesh follows a coarse one, patch by patch. What was learned is, in the frame of a
// patch, for every number (x, y, z of each of its own vertices)
//
//     bias + scale * sum over features of row * feature
//
// with rows of bytes: a fortieth of a millimetre is enough, and there are many of them. Features
// are 16 bit as well while they are multiplied, so that sums are whole numbers and have the same
// bits on every machine.

#ifndef WF_DETAIL_OPERATOR_H
#define WF_DETAIL_OPERATOR_H

#include "detail/patch.h"

enum { WF_DETAIL_NAME = 128, WF_ROW_BLOCK = 16 };

// What a file keeps beside the numbers.
typedef struct WfLearned {
    int parts;  // of every coarse edge; 0: nothing was learned
    char name[WF_DETAIL_NAME];
    double ridge, left;  // as chosen, and what it left of the offsets that were held out
} WfLearned;

// Shapes that swing with the speed of the cloth, each with a frequency of its own.
typedef struct WfModes {
    int count;
    float* frequencies;  // rad/s
    float* phases;       // rad
    float* strengths;    // m per m/s of the cloth
    float* shapes;       // per mode 3 numbers per own vertex, of length 1 over all
} WfModes;

struct WeftDetail {
    WeftAllocator allocator;
    WeftDetailSurface surface;
    int coarse_count, count;
    int triangle_count;  // of what is shown
    int* triangles;
    WfStars stars;    // of what is shown
    double* heights;  // per own vertex; NULL: none
    WfPatches patches;
    WfLearned learned;
    size_t* row_start;       // per patch, and one more
    int8_t* rows;            // 3 per own vertex, of wf_row_length
    float *scales, *biases;  // 3 per own vertex
    float* limits;           // m, per patch: further nothing is moved
    WfModes modes;
};

// Features, up to a full block.
static inline int wf_row_length(const WfPatches* p, int patch) {
    return (wf_feature_count(p, patch) + WF_ROW_BLOCK - 1) / WF_ROW_BLOCK * WF_ROW_BLOCK;
}

// Room for what is learned, all zeros.
bool wf_detail_add_rows(WeftDetail* detail);
bool wf_detail_add_modes(WeftDetail* detail, int count);
// A detail with a refinement of the coarse mesh.
WeftResult wf_detail_refined(const WeftMesh* coarse, int parts, const WeftAllocator* allocator,
                             WeftDetail** detail, WeftError* error);
// The root of the mean square of velocities; 0 without.
double wf_coarse_speed(const WeftDetail* detail, const double* velocities);

#endif

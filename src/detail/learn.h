// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What a learner keeps of the frames that it has seen.

#ifndef WF_DETAIL_LEARN_H
#define WF_DETAIL_LEARN_H

#include "detail/operator.h"

enum { WF_LEARNED, WF_HELD_OUT, WF_SETS };

// Over frames of one set, for features f and offsets y of a patch; one block of numbers.
typedef struct WfSums {
    double* all;       // all of the following
    double* squares;   // per patch sum f f^T, the lower half, row by row
    double* products;  // per patch sum f y^T, a row per feature
    double* features;  // per patch sum f
    double* offsets;   // per own vertex sum y, 3 each
    double* rest;      // per patch sum |y|^2
    double* most;      // per patch the largest |y|
} WfSums;

// Frames that follow one another, for modes.
enum { WF_KEPT_FRAMES = 240 };
typedef struct WfKept {
    int count;
    double* times;
    float* frames;  // per frame: offsets in the frames of their patches, 3 per own vertex
    float* coarse;  // per frame: positions, velocities of the coarse mesh and gravity
} WfKept;

struct WeftLearner {
    WeftAllocator allocator;
    int modes;
    WeftDetail* detail;                                    // what is being learned
    size_t *square_start, *product_start, *feature_start;  // per patch, and one more
    size_t size;                                           // numbers in all sums of a set
    WfSums sums[WF_SETS];
    int64_t frames[WF_SETS];
    WfKept kept;
};

// Numbers of one kept frame of the coarse mesh.
static inline size_t wf_kept_coarse(const WeftLearner* l) {
    return 6 * (size_t)l->detail->coarse_count + 3;
}
static inline size_t wf_own_numbers(const WeftDetail* d) {
    return 3 * (size_t)d->patches.own_start[d->patches.count];
}

// Modes of what the learned detail leaves of the kept frames; without memory there are none.
bool wf_find_modes(const WeftLearner* learner, WeftDetail* detail);

#endif

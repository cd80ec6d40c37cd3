// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// One row of H times a vector, for those who want some rows and not all of them.

#ifndef WF_RESPOND_ROW_H
#define WF_RESPOND_ROW_H

#include "base/simd.h"
#include "base/vec.h"
#include "respond/respond.h"

static inline WfVec wf_scalar_row(const WfQuadratic* model, int i, const double* u) {
    const WfPattern* pattern = model->pattern;
    WfVec sum = {0, 0, 0};
    for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++)
        sum = wf_madd(sum, model->values[e], wf_load(u, pattern->index[e]));
    return sum;
}

// s holds x and y of the sum, t the two parts of z that come from x and y, z the third
static inline WfVec wf_block_row(const WfRows* rows, int i, const double* u) {
    const WfRowsPattern* pattern = rows->pattern;
    WfTwo s = wf_two_set(0), t = wf_two_set(0);
    double z = 0, xy[2];
    for (int e = pattern->block_start[i]; e < pattern->block_start[i + 1]; e++) {
        const double *b = rows->blocks + 9 * (long)e, *w = u + 3 * (long)pattern->block_index[e];
        WfTwo v = wf_two_load(w);
        WfTwo part = wf_two_add(wf_two_mul(wf_two_load(b), wf_two_low(v)),
                                wf_two_mul(wf_two_load(b + 2), wf_two_high(v)));
        s = wf_two_add(s, wf_two_add(part, wf_two_mul(wf_two_load(b + 4), wf_two_set(w[2]))));
        t = wf_two_add(t, wf_two_mul(wf_two_load(b + 6), v));
        z += b[8] * w[2];
    }
    for (int e = pattern->scalar_start[i]; e < pattern->scalar_start[i + 1]; e++) {
        const double v = rows->scalars[e], *w = u + 3 * (long)pattern->scalar_index[e];
        s = wf_two_add(s, wf_two_mul(wf_two_set(v), wf_two_load(w)));
        z += v * w[2];
    }
    wf_two_store(xy, s);
    return (WfVec){xy[0], xy[1], z + wf_two_sum(t)};
}

#endif

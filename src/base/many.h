// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// As many floats at once as there is room for, in kernels that are compiled twice (simd.h): four,
// and where WIDE is defined eight. Lane for lane the same operations, hence the same bits.

#ifndef WF_BASE_MANY_H
#define WF_BASE_MANY_H

#include "base/simd.h"

#ifdef WIDE

enum { WF_MANY = 8 };
typedef __m256 WfMany;
typedef __m256 WfManyMask;

#define WF_OF_MANY static WF_INLINE WF_WIDE

WF_OF_MANY WfMany wf_many_set(float s) { return _mm256_set1_ps(s); }
WF_OF_MANY WfMany wf_many_add(WfMany x, WfMany y) { return _mm256_add_ps(x, y); }
WF_OF_MANY WfMany wf_many_sub(WfMany x, WfMany y) { return _mm256_sub_ps(x, y); }
WF_OF_MANY WfMany wf_many_mul(WfMany x, WfMany y) { return _mm256_mul_ps(x, y); }
WF_OF_MANY WfMany wf_many_div(WfMany x, WfMany y) { return _mm256_div_ps(x, y); }
WF_OF_MANY WfMany wf_many_sqrt(WfMany x) { return _mm256_sqrt_ps(x); }
WF_OF_MANY WfMany wf_many_abs(WfMany x) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x); }
WF_OF_MANY WfMany wf_many_max(WfMany x, WfMany y) { return _mm256_max_ps(x, y); }
WF_OF_MANY WfMany wf_many_min(WfMany x, WfMany y) { return _mm256_min_ps(x, y); }
WF_OF_MANY WfManyMask wf_many_above(WfMany x, WfMany y) { return _mm256_cmp_ps(x, y, _CMP_GT_OQ); }
WF_OF_MANY WfManyMask wf_many_or(WfManyMask x, WfManyMask y) { return _mm256_or_ps(x, y); }
WF_OF_MANY WfManyMask wf_many_and(WfManyMask x, WfManyMask y) { return _mm256_and_ps(x, y); }
// where the mask is set x, else y
WF_OF_MANY WfMany wf_many_choose(WfManyMask mask, WfMany x, WfMany y) {
    return _mm256_blendv_ps(y, x, mask);
}
WF_OF_MANY int wf_many_bits(WfManyMask x) { return _mm256_movemask_ps(x); }
// The four numbers from p + stride index[l] on, of every lane l, as four values.
WF_OF_MANY void wf_many_gather(const float* p, long stride, const int* index, WfMany to[4]) {
    __m256 r[4];
    for (int l = 0; l < 4; l++)
        r[l] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p + stride * index[l])),
                                    _mm_loadu_ps(p + stride * index[l + 4]), 1);
    __m256 a = _mm256_unpacklo_ps(r[0], r[1]), b = _mm256_unpackhi_ps(r[0], r[1]);
    __m256 c = _mm256_unpacklo_ps(r[2], r[3]), d = _mm256_unpackhi_ps(r[2], r[3]);
    to[0] = _mm256_shuffle_ps(a, c, _MM_SHUFFLE(1, 0, 1, 0));
    to[1] = _mm256_shuffle_ps(a, c, _MM_SHUFFLE(3, 2, 3, 2));
    to[2] = _mm256_shuffle_ps(b, d, _MM_SHUFFLE(1, 0, 1, 0));
    to[3] = _mm256_shuffle_ps(b, d, _MM_SHUFFLE(3, 2, 3, 2));
}

#else

enum { WF_MANY = 4 };
typedef WfQuad WfMany;
typedef WfMask WfManyMask;

#define WF_OF_MANY static WF_INLINE

WF_OF_MANY WfMany wf_many_set(float s) { return wf_quad_set(s); }
WF_OF_MANY WfMany wf_many_add(WfMany x, WfMany y) { return wf_quad_add(x, y); }
WF_OF_MANY WfMany wf_many_sub(WfMany x, WfMany y) { return wf_quad_sub(x, y); }
WF_OF_MANY WfMany wf_many_mul(WfMany x, WfMany y) { return wf_quad_mul(x, y); }
WF_OF_MANY WfMany wf_many_div(WfMany x, WfMany y) { return wf_quad_div(x, y); }
WF_OF_MANY WfMany wf_many_sqrt(WfMany x) { return wf_quad_sqrt(x); }
WF_OF_MANY WfMany wf_many_abs(WfMany x) { return wf_quad_abs(x); }
WF_OF_MANY WfMany wf_many_max(WfMany x, WfMany y) { return wf_quad_max(x, y); }
WF_OF_MANY WfMany wf_many_min(WfMany x, WfMany y) { return wf_quad_min(x, y); }
WF_OF_MANY WfManyMask wf_many_above(WfMany x, WfMany y) { return wf_quad_above(x, y); }
WF_OF_MANY WfManyMask wf_many_or(WfManyMask x, WfManyMask y) { return wf_mask_or(x, y); }
WF_OF_MANY WfManyMask wf_many_and(WfManyMask x, WfManyMask y) { return wf_mask_and(x, y); }
WF_OF_MANY WfMany wf_many_choose(WfManyMask mask, WfMany x, WfMany y) {
    return wf_quad_choose(mask, x, y);
}
WF_OF_MANY int wf_many_bits(WfManyMask x) { return wf_mask_bits(x); }
WF_OF_MANY void wf_many_gather(const float* p, long stride, const int* index, WfMany to[4]) {
    for (int l = 0; l < WF_MANY; l++) to[l] = wf_quad_load(p + stride * index[l]);
    wf_quad_transpose(to);
}

#endif

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Three doubles, x, y and z of a vertex, as one value of kernels that are compiled twice: for every
// machine, and where WIDE is defined for those with vectors of four doubles. Lane for lane the same
// operations, and sums in the same order, so that both give the same bits.

#ifndef WF_BASE_THREE_H
#define WF_BASE_THREE_H

#include "base/simd.h"

#ifdef WIDE

typedef __m256d WfThree;  // and a lane that does not count

#define WF_THREE static WF_INLINE WF_WIDE

// x, y, z and nothing beyond
WF_THREE WfThree wf_three_load(const double* p) {
    return _mm256_maskload_pd(p, _mm256_set_epi64x(0, -1, -1, -1));
}
// faster, where a fourth number follows
WF_THREE WfThree wf_three_load_inner(const double* p) { return _mm256_loadu_pd(p); }
WF_THREE void wf_three_store(double* p, WfThree v) {
    _mm_storeu_pd(p, _mm256_castpd256_pd128(v));
    _mm_store_sd(p + 2, _mm256_extractf128_pd(v, 1));
}
// what was just stored: loads wait for stores that they do not coincide with
WF_THREE WfThree wf_three_load_stored(const double* p) {
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p)), _mm_load_sd(p + 2), 1);
}
WF_THREE void wf_three_accumulate(double* p, WfThree v) {
    _mm_storeu_pd(p, _mm_add_pd(_mm_loadu_pd(p), _mm256_castpd256_pd128(v)));
    _mm_store_sd(p + 2, _mm_add_sd(_mm_load_sd(p + 2), _mm256_extractf128_pd(v, 1)));
}
WF_THREE WfThree wf_three_zero(void) { return _mm256_setzero_pd(); }
WF_THREE WfThree wf_three_add(WfThree a, WfThree b) { return _mm256_add_pd(a, b); }
WF_THREE WfThree wf_three_sub(WfThree a, WfThree b) { return _mm256_sub_pd(a, b); }
WF_THREE WfThree wf_three_mul(double s, WfThree a) { return _mm256_mul_pd(_mm256_set1_pd(s), a); }
WF_THREE double wf_three_dot(WfThree a, WfThree b) {
    __m256d m = _mm256_mul_pd(a, b);
    __m128d xy = _mm256_castpd256_pd128(m), x = _mm_add_sd(xy, _mm_unpackhi_pd(xy, xy));
    return _mm_cvtsd_f64(_mm_add_sd(x, _mm256_extractf128_pd(m, 1)));
}

#else

typedef struct WfThree {
    WfTwo xy;
    double z;
} WfThree;

#define WF_THREE static WF_INLINE

WF_THREE WfThree wf_three_load(const double* p) { return (WfThree){wf_two_load(p), p[2]}; }
WF_THREE WfThree wf_three_load_inner(const double* p) { return wf_three_load(p); }
WF_THREE WfThree wf_three_load_stored(const double* p) { return wf_three_load(p); }
WF_THREE void wf_three_store(double* p, WfThree v) {
    wf_two_store(p, v.xy);
    p[2] = v.z;
}
WF_THREE WfThree wf_three_zero(void) { return (WfThree){wf_two_set(0), 0}; }
WF_THREE WfThree wf_three_add(WfThree a, WfThree b) {
    return (WfThree){wf_two_add(a.xy, b.xy), a.z + b.z};
}
WF_THREE WfThree wf_three_sub(WfThree a, WfThree b) {
    return (WfThree){wf_two_sub(a.xy, b.xy), a.z - b.z};
}
WF_THREE WfThree wf_three_mul(double s, WfThree a) {
    return (WfThree){wf_two_mul(wf_two_set(s), a.xy), s * a.z};
}
WF_THREE double wf_three_dot(WfThree a, WfThree b) {
    return wf_two_sum(wf_two_mul(a.xy, b.xy)) + a.z * b.z;
}
WF_THREE void wf_three_accumulate(double* p, WfThree v) {
    wf_three_store(p, wf_three_add(wf_three_load(p), v));
}

#endif

#endif

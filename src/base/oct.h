// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Eight floats at once, for kernels that are compiled twice: as two vectors of four for every
// machine, and where WIDE is defined as one of eight for those that have them (simd.h). Lane for
// lane the same operations, none of them approximate, so that all machines agree to the bit.

#ifndef WF_BASE_OCT_H
#define WF_BASE_OCT_H

#include <float.h>

#include "base/point4.h"
#include "base/simd.h"

#ifdef WIDE

typedef __m256 WfOct;
typedef __m256 WfOctMask;  // lanes of all ones or all zeros

#define WF_OCT_CALL static WF_INLINE WF_WIDE

WF_OCT_CALL WfOct wf_oct_load(const float* p) { return _mm256_loadu_ps(p); }
WF_OCT_CALL void wf_oct_store(float* p, WfOct v) { _mm256_storeu_ps(p, v); }
WF_OCT_CALL WfOct wf_oct_set(float s) { return _mm256_set1_ps(s); }
WF_OCT_CALL WfOct wf_oct_add(WfOct x, WfOct y) { return _mm256_add_ps(x, y); }
WF_OCT_CALL WfOct wf_oct_sub(WfOct x, WfOct y) { return _mm256_sub_ps(x, y); }
WF_OCT_CALL WfOct wf_oct_mul(WfOct x, WfOct y) { return _mm256_mul_ps(x, y); }
WF_OCT_CALL WfOct wf_oct_div(WfOct x, WfOct y) { return _mm256_div_ps(x, y); }
WF_OCT_CALL WfOct wf_oct_sqrt(WfOct x) { return _mm256_sqrt_ps(x); }
WF_OCT_CALL WfOct wf_oct_abs(WfOct x) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x); }
// x < y ? x : y, and x > y ? x : y
WF_OCT_CALL WfOct wf_oct_min(WfOct x, WfOct y) { return _mm256_min_ps(x, y); }
WF_OCT_CALL WfOct wf_oct_max(WfOct x, WfOct y) { return _mm256_max_ps(x, y); }
WF_OCT_CALL WfOctMask wf_oct_above(WfOct x, WfOct y) { return _mm256_cmp_ps(x, y, _CMP_GT_OQ); }
WF_OCT_CALL WfOctMask wf_oct_and(WfOctMask x, WfOctMask y) { return _mm256_and_ps(x, y); }
WF_OCT_CALL WfOctMask wf_oct_or(WfOctMask x, WfOctMask y) { return _mm256_or_ps(x, y); }
// where the mask is set x, else y
WF_OCT_CALL WfOct wf_oct_choose(WfOctMask m, WfOct x, WfOct y) { return _mm256_blendv_ps(y, x, m); }
// bit l for lane l
WF_OCT_CALL int wf_oct_bits(WfOctMask m) { return _mm256_movemask_ps(m); }

WF_OCT_CALL __m256 wf_oct_pair(const WfPoint4* points, int low, int high) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(&points[low].x)),
                                _mm_loadu_ps(&points[high].x), 1);
}
// x, y, z and w of eight points
WF_OCT_CALL void wf_oct_gather(const WfPoint4* points, const int* i, WfOct out[4]) {
    __m256 a = wf_oct_pair(points, i[0], i[4]), b = wf_oct_pair(points, i[1], i[5]);
    __m256 c = wf_oct_pair(points, i[2], i[6]), d = wf_oct_pair(points, i[3], i[7]);
    __m256 ab = _mm256_unpacklo_ps(a, b), cd = _mm256_unpacklo_ps(c, d);
    __m256 ab1 = _mm256_unpackhi_ps(a, b), cd1 = _mm256_unpackhi_ps(c, d);
    out[0] = _mm256_shuffle_ps(ab, cd, 0x44);
    out[1] = _mm256_shuffle_ps(ab, cd, 0xEE);
    out[2] = _mm256_shuffle_ps(ab1, cd1, 0x44);
    out[3] = _mm256_shuffle_ps(ab1, cd1, 0xEE);
}
WF_OCT_CALL void wf_oct_part(WfPoint4* points, int low, int high, __m256 v) {
    _mm_storeu_ps(&points[low].x, _mm256_castps256_ps128(v));
    _mm_storeu_ps(&points[high].x, _mm256_extractf128_ps(v, 1));
}
// and back
WF_OCT_CALL void wf_oct_scatter(WfPoint4* points, const int* i, const WfOct in[4]) {
    __m256 xy = _mm256_unpacklo_ps(in[0], in[1]), zw = _mm256_unpacklo_ps(in[2], in[3]);
    __m256 xy1 = _mm256_unpackhi_ps(in[0], in[1]), zw1 = _mm256_unpackhi_ps(in[2], in[3]);
    wf_oct_part(points, i[0], i[4], _mm256_shuffle_ps(xy, zw, 0x44));
    wf_oct_part(points, i[1], i[5], _mm256_shuffle_ps(xy, zw, 0xEE));
    wf_oct_part(points, i[2], i[6], _mm256_shuffle_ps(xy1, zw1, 0x44));
    wf_oct_part(points, i[3], i[7], _mm256_shuffle_ps(xy1, zw1, 0xEE));
}

#else

typedef struct WfOct {
    WfQuad a, b;
} WfOct;
typedef struct WfOctMask {
    WfMask a, b;
} WfOctMask;

#define WF_OCT_CALL static WF_INLINE

WF_OCT_CALL WfOct wf_oct_load(const float* p) {
    return (WfOct){wf_quad_load(p), wf_quad_load(p + 4)};
}
WF_OCT_CALL void wf_oct_store(float* p, WfOct v) {
    wf_quad_store(p, v.a);
    wf_quad_store(p + 4, v.b);
}
WF_OCT_CALL WfOct wf_oct_set(float s) { return (WfOct){wf_quad_set(s), wf_quad_set(s)}; }
WF_OCT_CALL WfOct wf_oct_add(WfOct x, WfOct y) {
    return (WfOct){wf_quad_add(x.a, y.a), wf_quad_add(x.b, y.b)};
}
WF_OCT_CALL WfOct wf_oct_sub(WfOct x, WfOct y) {
    return (WfOct){wf_quad_sub(x.a, y.a), wf_quad_sub(x.b, y.b)};
}
WF_OCT_CALL WfOct wf_oct_mul(WfOct x, WfOct y) {
    return (WfOct){wf_quad_mul(x.a, y.a), wf_quad_mul(x.b, y.b)};
}
WF_OCT_CALL WfOct wf_oct_div(WfOct x, WfOct y) {
    return (WfOct){wf_quad_div(x.a, y.a), wf_quad_div(x.b, y.b)};
}
WF_OCT_CALL WfOct wf_oct_sqrt(WfOct x) { return (WfOct){wf_quad_sqrt(x.a), wf_quad_sqrt(x.b)}; }
WF_OCT_CALL WfOct wf_oct_abs(WfOct x) { return (WfOct){wf_quad_abs(x.a), wf_quad_abs(x.b)}; }
WF_OCT_CALL WfOctMask wf_oct_above(WfOct x, WfOct y) {
    return (WfOctMask){wf_quad_above(x.a, y.a), wf_quad_above(x.b, y.b)};
}
WF_OCT_CALL WfOctMask wf_oct_and(WfOctMask x, WfOctMask y) {
    return (WfOctMask){wf_mask_and(x.a, y.a), wf_mask_and(x.b, y.b)};
}
WF_OCT_CALL WfOctMask wf_oct_or(WfOctMask x, WfOctMask y) {
    return (WfOctMask){wf_mask_or(x.a, y.a), wf_mask_or(x.b, y.b)};
}
WF_OCT_CALL WfOct wf_oct_choose(WfOctMask m, WfOct x, WfOct y) {
    return (WfOct){wf_quad_choose(m.a, x.a, y.a), wf_quad_choose(m.b, x.b, y.b)};
}
WF_OCT_CALL int wf_oct_bits(WfOctMask m) { return wf_mask_bits(m.a) | wf_mask_bits(m.b) << 4; }
// not those of the machine, which differ in signs of zeros
WF_OCT_CALL WfOct wf_oct_min(WfOct x, WfOct y) { return wf_oct_choose(wf_oct_above(y, x), x, y); }
WF_OCT_CALL WfOct wf_oct_max(WfOct x, WfOct y) { return wf_oct_choose(wf_oct_above(x, y), x, y); }

WF_OCT_CALL void wf_oct_gather(const WfPoint4* points, const int* i, WfOct out[4]) {
    WfQuad low[4], high[4];
    for (int k = 0; k < 4; k++) low[k] = wf_quad_load(&points[i[k]].x);
    for (int k = 0; k < 4; k++) high[k] = wf_quad_load(&points[i[4 + k]].x);
    wf_quad_transpose(low);
    wf_quad_transpose(high);
    for (int k = 0; k < 4; k++) out[k] = (WfOct){low[k], high[k]};
}
WF_OCT_CALL void wf_oct_scatter(WfPoint4* points, const int* i, const WfOct in[4]) {
    WfQuad low[4], high[4];
    for (int k = 0; k < 4; k++) low[k] = in[k].a, high[k] = in[k].b;
    wf_quad_transpose(low);
    wf_quad_transpose(high);
    for (int k = 0; k < 4; k++) wf_quad_store(&points[i[k]].x, low[k]);
    for (int k = 0; k < 4; k++) wf_quad_store(&points[i[4 + k]].x, high[k]);
}

#endif

// x y + z, rounded twice
WF_OCT_CALL WfOct wf_oct_madd(WfOct x, WfOct y, WfOct z) { return wf_oct_add(wf_oct_mul(x, y), z); }
WF_OCT_CALL WfOct wf_oct_zero(void) { return wf_oct_set(0); }
WF_OCT_CALL WfOct wf_oct_clamp(WfOct x, WfOct low, WfOct high) {
    return wf_oct_min(wf_oct_max(x, low), high);
}
// of all lanes
WF_OCT_CALL float wf_oct_least(WfOct v) {
    float l[WF_OCT], least = FLT_MAX;
    wf_oct_store(l, v);
    for (int k = 0; k < WF_OCT; k++) least = l[k] < least ? l[k] : least;
    return least;
}
WF_OCT_CALL float wf_oct_most(WfOct v) {
    float l[WF_OCT], most = -FLT_MAX;
    wf_oct_store(l, v);
    for (int k = 0; k < WF_OCT; k++) most = l[k] > most ? l[k] : most;
    return most;
}

// ---------------------------------------------------------------------------------------------
// Eight vectors of three

typedef struct WfOct3 {
    WfOct x, y, z;
} WfOct3;

WF_OCT_CALL WfOct3 wf_oct3_of(const WfOct v[4]) { return (WfOct3){v[0], v[1], v[2]}; }
WF_OCT_CALL WfOct3 wf_oct3_add(WfOct3 a, WfOct3 b) {
    return (WfOct3){wf_oct_add(a.x, b.x), wf_oct_add(a.y, b.y), wf_oct_add(a.z, b.z)};
}
WF_OCT_CALL WfOct3 wf_oct3_sub(WfOct3 a, WfOct3 b) {
    return (WfOct3){wf_oct_sub(a.x, b.x), wf_oct_sub(a.y, b.y), wf_oct_sub(a.z, b.z)};
}
WF_OCT_CALL WfOct3 wf_oct3_mul(WfOct s, WfOct3 a) {
    return (WfOct3){wf_oct_mul(s, a.x), wf_oct_mul(s, a.y), wf_oct_mul(s, a.z)};
}
// a + s b
WF_OCT_CALL WfOct3 wf_oct3_madd(WfOct3 a, WfOct s, WfOct3 b) {
    return wf_oct3_add(a, wf_oct3_mul(s, b));
}
WF_OCT_CALL WfOct wf_oct3_dot(WfOct3 a, WfOct3 b) {
    return wf_oct_add(wf_oct_add(wf_oct_mul(a.x, b.x), wf_oct_mul(a.y, b.y)), wf_oct_mul(a.z, b.z));
}
WF_OCT_CALL WfOct3 wf_oct3_cross(WfOct3 a, WfOct3 b) {
    return (WfOct3){wf_oct_sub(wf_oct_mul(a.y, b.z), wf_oct_mul(a.z, b.y)),
                    wf_oct_sub(wf_oct_mul(a.z, b.x), wf_oct_mul(a.x, b.z)),
                    wf_oct_sub(wf_oct_mul(a.x, b.y), wf_oct_mul(a.y, b.x))};
}
WF_OCT_CALL WfOct3 wf_oct3_choose(WfOctMask m, WfOct3 a, WfOct3 b) {
    return (WfOct3){wf_oct_choose(m, a.x, b.x), wf_oct_choose(m, a.y, b.y),
                    wf_oct_choose(m, a.z, b.z)};
}

#endif

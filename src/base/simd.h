// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Four doubles at once (or two), or four floats, the same on every machine: NEON, SSE2, WebAssembly
// or plain C behind one type, lane for lane the same operations, so that results agree to the bit
// across machines. (The build switches off contraction to fused multiply-add for the same reason.)

#ifndef WF_BASE_SIMD_H
#define WF_BASE_SIMD_H

#include <stdint.h>

#if defined(__aarch64__) || defined(_M_ARM64)
#include <arm_neon.h>
typedef float64x2_t WfTwo;
static inline WfTwo wf_two_load(const double* p) { return vld1q_f64(p); }
static inline void wf_two_store(double* p, WfTwo v) { vst1q_f64(p, v); }
static inline WfTwo wf_two_set(double s) { return vdupq_n_f64(s); }
static inline WfTwo wf_two_add(WfTwo x, WfTwo y) { return vaddq_f64(x, y); }
static inline WfTwo wf_two_sub(WfTwo x, WfTwo y) { return vsubq_f64(x, y); }
static inline WfTwo wf_two_mul(WfTwo x, WfTwo y) { return vmulq_f64(x, y); }
static inline WfTwo wf_two_low(WfTwo v) { return vdupq_laneq_f64(v, 0); }
static inline WfTwo wf_two_high(WfTwo v) { return vdupq_laneq_f64(v, 1); }
typedef struct WfFour {
    float64x2_t a, b;
} WfFour;
static inline WfFour wf_four_load(const double* p) {
    return (WfFour){vld1q_f64(p), vld1q_f64(p + 2)};
}
static inline void wf_four_store(double* p, WfFour v) {
    vst1q_f64(p, v.a);
    vst1q_f64(p + 2, v.b);
}
static inline WfFour wf_four_set(double s) { return (WfFour){vdupq_n_f64(s), vdupq_n_f64(s)}; }
static inline WfFour wf_four_add(WfFour x, WfFour y) {
    return (WfFour){vaddq_f64(x.a, y.a), vaddq_f64(x.b, y.b)};
}
static inline WfFour wf_four_mul(WfFour x, WfFour y) {
    return (WfFour){vmulq_f64(x.a, y.a), vmulq_f64(x.b, y.b)};
}
typedef float32x4_t WfQuad;
static inline WfQuad wf_quad_load(const float* p) { return vld1q_f32(p); }
static inline void wf_quad_store(float* p, WfQuad v) { vst1q_f32(p, v); }
static inline WfQuad wf_quad_set(float s) { return vdupq_n_f32(s); }
static inline WfQuad wf_quad_add(WfQuad x, WfQuad y) { return vaddq_f32(x, y); }
static inline WfQuad wf_quad_sub(WfQuad x, WfQuad y) { return vsubq_f32(x, y); }
static inline WfQuad wf_quad_mul(WfQuad x, WfQuad y) { return vmulq_f32(x, y); }
static inline WfQuad wf_quad_div(WfQuad x, WfQuad y) { return vdivq_f32(x, y); }
static inline WfQuad wf_quad_sqrt(WfQuad x) { return vsqrtq_f32(x); }
static inline WfQuad wf_quad_abs(WfQuad x) { return vabsq_f32(x); }
static inline WfQuad wf_quad_max(WfQuad x, WfQuad y) { return vmaxq_f32(x, y); }
static inline WfQuad wf_quad_min(WfQuad x, WfQuad y) { return vminq_f32(x, y); }
// rows to columns
static inline void wf_quad_transpose(WfQuad r[4]) {
    float32x4x2_t a = vtrnq_f32(r[0], r[1]), b = vtrnq_f32(r[2], r[3]);
    r[0] = vcombine_f32(vget_low_f32(a.val[0]), vget_low_f32(b.val[0]));
    r[1] = vcombine_f32(vget_low_f32(a.val[1]), vget_low_f32(b.val[1]));
    r[2] = vcombine_f32(vget_high_f32(a.val[0]), vget_high_f32(b.val[0]));
    r[3] = vcombine_f32(vget_high_f32(a.val[1]), vget_high_f32(b.val[1]));
}
// three doubles and a zero, rounded; and back
static inline WfQuad wf_quad_narrow(const double* p) {
    return vcombine_f32(vcvt_f32_f64(vld1q_f64(p)),
                        vcvt_f32_f64(vsetq_lane_f64(p[2], vdupq_n_f64(0), 0)));
}
static inline void wf_quad_widen(WfQuad v, double* p) {
    vst1q_f64(p, vcvt_f64_f32(vget_low_f32(v)));
    p[2] = (double)vgetq_lane_f32(v, 2);
}
// x times one lane of y; the lane is a constant
#define wf_quad_mul_lane(x, y, lane) vmulq_laneq_f32(x, y, lane)
#elif defined(__SSE2__) || defined(_M_X64)
#include <immintrin.h>
#ifdef _MSC_VER
#include <intrin.h>
#endif
typedef __m128d WfTwo;
static inline WfTwo wf_two_load(const double* p) { return _mm_loadu_pd(p); }
static inline void wf_two_store(double* p, WfTwo v) { _mm_storeu_pd(p, v); }
static inline WfTwo wf_two_set(double s) { return _mm_set1_pd(s); }
static inline WfTwo wf_two_add(WfTwo x, WfTwo y) { return _mm_add_pd(x, y); }
static inline WfTwo wf_two_sub(WfTwo x, WfTwo y) { return _mm_sub_pd(x, y); }
static inline WfTwo wf_two_mul(WfTwo x, WfTwo y) { return _mm_mul_pd(x, y); }
static inline WfTwo wf_two_low(WfTwo v) { return _mm_unpacklo_pd(v, v); }
static inline WfTwo wf_two_high(WfTwo v) { return _mm_unpackhi_pd(v, v); }
typedef struct WfFour {
    __m128d a, b;
} WfFour;
static inline WfFour wf_four_load(const double* p) {
    return (WfFour){_mm_loadu_pd(p), _mm_loadu_pd(p + 2)};
}
static inline void wf_four_store(double* p, WfFour v) {
    _mm_storeu_pd(p, v.a);
    _mm_storeu_pd(p + 2, v.b);
}
static inline WfFour wf_four_set(double s) { return (WfFour){_mm_set1_pd(s), _mm_set1_pd(s)}; }
static inline WfFour wf_four_add(WfFour x, WfFour y) {
    return (WfFour){_mm_add_pd(x.a, y.a), _mm_add_pd(x.b, y.b)};
}
static inline WfFour wf_four_mul(WfFour x, WfFour y) {
    return (WfFour){_mm_mul_pd(x.a, y.a), _mm_mul_pd(x.b, y.b)};
}
typedef __m128 WfQuad;
static inline WfQuad wf_quad_load(const float* p) { return _mm_loadu_ps(p); }
static inline void wf_quad_store(float* p, WfQuad v) { _mm_storeu_ps(p, v); }
static inline WfQuad wf_quad_set(float s) { return _mm_set1_ps(s); }
static inline WfQuad wf_quad_add(WfQuad x, WfQuad y) { return _mm_add_ps(x, y); }
static inline WfQuad wf_quad_sub(WfQuad x, WfQuad y) { return _mm_sub_ps(x, y); }
static inline WfQuad wf_quad_mul(WfQuad x, WfQuad y) { return _mm_mul_ps(x, y); }
static inline WfQuad wf_quad_div(WfQuad x, WfQuad y) { return _mm_div_ps(x, y); }
static inline WfQuad wf_quad_sqrt(WfQuad x) { return _mm_sqrt_ps(x); }
static inline WfQuad wf_quad_abs(WfQuad x) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), x); }
static inline WfQuad wf_quad_max(WfQuad x, WfQuad y) { return _mm_max_ps(x, y); }
static inline WfQuad wf_quad_min(WfQuad x, WfQuad y) { return _mm_min_ps(x, y); }
static inline void wf_quad_transpose(WfQuad r[4]) { _MM_TRANSPOSE4_PS(r[0], r[1], r[2], r[3]); }
static inline WfQuad wf_quad_narrow(const double* p) {
    return _mm_movelh_ps(_mm_cvtpd_ps(_mm_loadu_pd(p)), _mm_cvtpd_ps(_mm_load_sd(p + 2)));
}
static inline void wf_quad_widen(WfQuad v, double* p) {
    _mm_storeu_pd(p, _mm_cvtps_pd(v));
    _mm_store_sd(p + 2, _mm_cvtps_pd(_mm_movehl_ps(v, v)));
}
#define wf_quad_mul_lane(x, y, lane) _mm_mul_ps(x, _mm_shuffle_ps(y, y, 0x55 * (lane)))
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
typedef v128_t WfTwo;
static inline WfTwo wf_two_load(const double* p) { return wasm_v128_load(p); }
static inline void wf_two_store(double* p, WfTwo v) { wasm_v128_store(p, v); }
static inline WfTwo wf_two_set(double s) { return wasm_f64x2_splat(s); }
static inline WfTwo wf_two_add(WfTwo x, WfTwo y) { return wasm_f64x2_add(x, y); }
static inline WfTwo wf_two_sub(WfTwo x, WfTwo y) { return wasm_f64x2_sub(x, y); }
static inline WfTwo wf_two_mul(WfTwo x, WfTwo y) { return wasm_f64x2_mul(x, y); }
static inline WfTwo wf_two_low(WfTwo v) { return wasm_i64x2_shuffle(v, v, 0, 0); }
static inline WfTwo wf_two_high(WfTwo v) { return wasm_i64x2_shuffle(v, v, 1, 1); }
typedef struct WfFour {
    v128_t a, b;
} WfFour;
static inline WfFour wf_four_load(const double* p) {
    return (WfFour){wasm_v128_load(p), wasm_v128_load(p + 2)};
}
static inline void wf_four_store(double* p, WfFour v) {
    wasm_v128_store(p, v.a);
    wasm_v128_store(p + 2, v.b);
}
static inline WfFour wf_four_set(double s) {
    return (WfFour){wasm_f64x2_splat(s), wasm_f64x2_splat(s)};
}
static inline WfFour wf_four_add(WfFour x, WfFour y) {
    return (WfFour){wasm_f64x2_add(x.a, y.a), wasm_f64x2_add(x.b, y.b)};
}
static inline WfFour wf_four_mul(WfFour x, WfFour y) {
    return (WfFour){wasm_f64x2_mul(x.a, y.a), wasm_f64x2_mul(x.b, y.b)};
}
typedef v128_t WfQuad;
static inline WfQuad wf_quad_load(const float* p) { return wasm_v128_load(p); }
static inline void wf_quad_store(float* p, WfQuad v) { wasm_v128_store(p, v); }
static inline WfQuad wf_quad_set(float s) { return wasm_f32x4_splat(s); }
static inline WfQuad wf_quad_add(WfQuad x, WfQuad y) { return wasm_f32x4_add(x, y); }
static inline WfQuad wf_quad_sub(WfQuad x, WfQuad y) { return wasm_f32x4_sub(x, y); }
static inline WfQuad wf_quad_mul(WfQuad x, WfQuad y) { return wasm_f32x4_mul(x, y); }
static inline WfQuad wf_quad_div(WfQuad x, WfQuad y) { return wasm_f32x4_div(x, y); }
static inline WfQuad wf_quad_sqrt(WfQuad x) { return wasm_f32x4_sqrt(x); }
static inline WfQuad wf_quad_abs(WfQuad x) { return wasm_f32x4_abs(x); }
static inline WfQuad wf_quad_max(WfQuad x, WfQuad y) { return wasm_f32x4_max(x, y); }
static inline WfQuad wf_quad_min(WfQuad x, WfQuad y) { return wasm_f32x4_min(x, y); }
static inline void wf_quad_transpose(WfQuad r[4]) {
    v128_t a = wasm_i32x4_shuffle(r[0], r[1], 0, 4, 1, 5);
    v128_t b = wasm_i32x4_shuffle(r[0], r[1], 2, 6, 3, 7);
    v128_t c = wasm_i32x4_shuffle(r[2], r[3], 0, 4, 1, 5);
    v128_t d = wasm_i32x4_shuffle(r[2], r[3], 2, 6, 3, 7);
    r[0] = wasm_i64x2_shuffle(a, c, 0, 2);
    r[1] = wasm_i64x2_shuffle(a, c, 1, 3);
    r[2] = wasm_i64x2_shuffle(b, d, 0, 2);
    r[3] = wasm_i64x2_shuffle(b, d, 1, 3);
}
static inline WfQuad wf_quad_narrow(const double* p) {
    return wasm_f32x4_make((float)p[0], (float)p[1], (float)p[2], 0);
}
static inline void wf_quad_widen(WfQuad v, double* p) {
    p[0] = (double)wasm_f32x4_extract_lane(v, 0);
    p[1] = (double)wasm_f32x4_extract_lane(v, 1);
    p[2] = (double)wasm_f32x4_extract_lane(v, 2);
}
#define wf_quad_mul_lane(x, y, lane) \
    wasm_f32x4_mul(x, wasm_i32x4_shuffle(y, y, lane, lane, lane, lane))
#else
#include <math.h>
typedef struct WfTwo {
    double l[2];
} WfTwo;
static inline WfTwo wf_two_load(const double* p) { return (WfTwo){{p[0], p[1]}}; }
static inline void wf_two_store(double* p, WfTwo v) { p[0] = v.l[0], p[1] = v.l[1]; }
static inline WfTwo wf_two_set(double s) { return (WfTwo){{s, s}}; }
static inline WfTwo wf_two_add(WfTwo x, WfTwo y) {
    return (WfTwo){{x.l[0] + y.l[0], x.l[1] + y.l[1]}};
}
static inline WfTwo wf_two_sub(WfTwo x, WfTwo y) {
    return (WfTwo){{x.l[0] - y.l[0], x.l[1] - y.l[1]}};
}
static inline WfTwo wf_two_mul(WfTwo x, WfTwo y) {
    return (WfTwo){{x.l[0] * y.l[0], x.l[1] * y.l[1]}};
}
static inline WfTwo wf_two_low(WfTwo v) { return wf_two_set(v.l[0]); }
static inline WfTwo wf_two_high(WfTwo v) { return wf_two_set(v.l[1]); }
typedef struct WfFour {
    double l[4];
} WfFour;
static inline WfFour wf_four_load(const double* p) { return (WfFour){{p[0], p[1], p[2], p[3]}}; }
static inline void wf_four_store(double* p, WfFour v) {
    for (int i = 0; i < 4; i++) p[i] = v.l[i];
}
static inline WfFour wf_four_set(double s) { return (WfFour){{s, s, s, s}}; }
static inline WfFour wf_four_add(WfFour x, WfFour y) {
    for (int i = 0; i < 4; i++) x.l[i] += y.l[i];
    return x;
}
static inline WfFour wf_four_mul(WfFour x, WfFour y) {
    for (int i = 0; i < 4; i++) x.l[i] *= y.l[i];
    return x;
}
typedef struct WfQuad {
    float l[4];
} WfQuad;
static inline WfQuad wf_quad_load(const float* p) { return (WfQuad){{p[0], p[1], p[2], p[3]}}; }
static inline void wf_quad_store(float* p, WfQuad v) {
    for (int i = 0; i < 4; i++) p[i] = v.l[i];
}
static inline WfQuad wf_quad_set(float s) { return (WfQuad){{s, s, s, s}}; }
static inline WfQuad wf_quad_add(WfQuad x, WfQuad y) {
    for (int i = 0; i < 4; i++) x.l[i] += y.l[i];
    return x;
}
static inline WfQuad wf_quad_sub(WfQuad x, WfQuad y) {
    for (int i = 0; i < 4; i++) x.l[i] -= y.l[i];
    return x;
}
static inline WfQuad wf_quad_mul(WfQuad x, WfQuad y) {
    for (int i = 0; i < 4; i++) x.l[i] *= y.l[i];
    return x;
}
static inline WfQuad wf_quad_div(WfQuad x, WfQuad y) {
    for (int i = 0; i < 4; i++) x.l[i] /= y.l[i];
    return x;
}
static inline WfQuad wf_quad_sqrt(WfQuad x) {
    for (int i = 0; i < 4; i++) x.l[i] = sqrtf(x.l[i]);
    return x;
}
static inline WfQuad wf_quad_abs(WfQuad x) {
    for (int i = 0; i < 4; i++) x.l[i] = fabsf(x.l[i]);
    return x;
}
static inline WfQuad wf_quad_max(WfQuad x, WfQuad y) {
    for (int i = 0; i < 4; i++) x.l[i] = x.l[i] > y.l[i] ? x.l[i] : y.l[i];
    return x;
}
static inline WfQuad wf_quad_min(WfQuad x, WfQuad y) {
    for (int i = 0; i < 4; i++) x.l[i] = x.l[i] < y.l[i] ? x.l[i] : y.l[i];
    return x;
}
static inline void wf_quad_transpose(WfQuad r[4]) {
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < i; j++) {
            float other = r[i].l[j];
            r[i].l[j] = r[j].l[i];
            r[j].l[i] = other;
        }
    }
}
static inline WfQuad wf_quad_narrow(const double* p) {
    return (WfQuad){{(float)p[0], (float)p[1], (float)p[2], 0}};
}
static inline void wf_quad_widen(WfQuad v, double* p) {
    for (int i = 0; i < 3; i++) p[i] = (double)v.l[i];
}
#define wf_quad_mul_lane(x, y, lane) wf_quad_mul(x, wf_quad_set((y).l[lane]))
#endif

// Four ints, and masks: lanes of all ones or all zeros. wf_mask_bits: bit l for lane l.
// wf_ints_add_products: of 16 bytes and 16 shorts, each to some lane; wf_ints_sum: of all lanes.
#if defined(__aarch64__) || defined(_M_ARM64)
typedef int32x4_t WfInts;
typedef uint32x4_t WfMask;
static inline WfInts wf_ints_load(const int* p) { return vld1q_s32(p); }
static inline WfInts wf_ints_set(int s) { return vdupq_n_s32(s); }
static inline WfMask wf_ints_equal(WfInts x, WfInts y) { return vceqq_s32(x, y); }
static inline WfMask wf_quad_above(WfQuad x, WfQuad y) { return vcgtq_f32(x, y); }
static inline WfMask wf_mask_or(WfMask x, WfMask y) { return vorrq_u32(x, y); }
static inline WfMask wf_mask_and(WfMask x, WfMask y) { return vandq_u32(x, y); }
// where the mask is set x, else y
static inline WfQuad wf_quad_choose(WfMask mask, WfQuad x, WfQuad y) {
    return vbslq_f32(mask, x, y);
}
static inline int wf_mask_bits(WfMask x) {
    static const uint32_t bit[4] = {1, 2, 4, 8};
    return (int)vaddvq_u32(vandq_u32(x, vld1q_u32(bit)));
}
static inline WfInts wf_ints_add_products(WfInts sum, const int8_t* bytes, const int16_t* shorts) {
    int8x16_t b = vld1q_s8(bytes);
    int16x8_t low = vmovl_s8(vget_low_s8(b)), high = vmovl_high_s8(b);
    int16x8_t f = vld1q_s16(shorts), g = vld1q_s16(shorts + 8);
    sum = vmlal_high_s16(vmlal_s16(sum, vget_low_s16(low), vget_low_s16(f)), low, f);
    return vmlal_high_s16(vmlal_s16(sum, vget_low_s16(high), vget_low_s16(g)), high, g);
}
static inline int wf_ints_sum(WfInts x) { return vaddvq_s32(x); }
#elif defined(__SSE2__) || defined(_M_X64)
typedef __m128i WfInts;
typedef __m128i WfMask;
static inline WfInts wf_ints_load(const int* p) { return _mm_loadu_si128((const __m128i*)p); }
static inline WfInts wf_ints_set(int s) { return _mm_set1_epi32(s); }
static inline WfMask wf_ints_equal(WfInts x, WfInts y) { return _mm_cmpeq_epi32(x, y); }
static inline WfMask wf_quad_above(WfQuad x, WfQuad y) {
    return _mm_castps_si128(_mm_cmpgt_ps(x, y));
}
static inline WfMask wf_mask_or(WfMask x, WfMask y) { return _mm_or_si128(x, y); }
static inline WfMask wf_mask_and(WfMask x, WfMask y) { return _mm_and_si128(x, y); }
static inline WfQuad wf_quad_choose(WfMask mask, WfQuad x, WfQuad y) {
    __m128 m = _mm_castsi128_ps(mask);
    return _mm_or_ps(_mm_and_ps(m, x), _mm_andnot_ps(m, y));
}
static inline int wf_mask_bits(WfMask x) { return _mm_movemask_ps(_mm_castsi128_ps(x)); }
static inline WfInts wf_ints_add_products(WfInts sum, const int8_t* bytes, const int16_t* shorts) {
    __m128i b = _mm_loadu_si128((const __m128i*)bytes);
    __m128i low = _mm_srai_epi16(_mm_unpacklo_epi8(b, b), 8);
    __m128i high = _mm_srai_epi16(_mm_unpackhi_epi8(b, b), 8);
    __m128i f = _mm_loadu_si128((const __m128i*)shorts);
    __m128i g = _mm_loadu_si128((const __m128i*)(shorts + 8));
    return _mm_add_epi32(sum, _mm_add_epi32(_mm_madd_epi16(low, f), _mm_madd_epi16(high, g)));
}
static inline int wf_ints_sum(WfInts x) {
    x = _mm_add_epi32(x, _mm_shuffle_epi32(x, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(x, _mm_shuffle_epi32(x, 0xb1)));
}
#elif defined(__wasm_simd128__)
typedef v128_t WfInts;
typedef v128_t WfMask;
static inline WfInts wf_ints_load(const int* p) { return wasm_v128_load(p); }
static inline WfInts wf_ints_set(int s) { return wasm_i32x4_splat(s); }
static inline WfMask wf_ints_equal(WfInts x, WfInts y) { return wasm_i32x4_eq(x, y); }
static inline WfMask wf_quad_above(WfQuad x, WfQuad y) { return wasm_f32x4_gt(x, y); }
static inline WfMask wf_mask_or(WfMask x, WfMask y) { return wasm_v128_or(x, y); }
static inline WfMask wf_mask_and(WfMask x, WfMask y) { return wasm_v128_and(x, y); }
static inline WfQuad wf_quad_choose(WfMask mask, WfQuad x, WfQuad y) {
    return wasm_v128_bitselect(x, y, mask);
}
static inline int wf_mask_bits(WfMask x) { return (int)wasm_i32x4_bitmask(x); }
static inline WfInts wf_ints_add_products(WfInts sum, const int8_t* bytes, const int16_t* shorts) {
    v128_t b = wasm_v128_load(bytes), f = wasm_v128_load(shorts), g = wasm_v128_load(shorts + 8);
    v128_t low = wasm_i32x4_dot_i16x8(wasm_i16x8_extend_low_i8x16(b), f);
    v128_t high = wasm_i32x4_dot_i16x8(wasm_i16x8_extend_high_i8x16(b), g);
    return wasm_i32x4_add(sum, wasm_i32x4_add(low, high));
}
static inline int wf_ints_sum(WfInts x) {
    return wasm_i32x4_extract_lane(x, 0) + wasm_i32x4_extract_lane(x, 1) +
           wasm_i32x4_extract_lane(x, 2) + wasm_i32x4_extract_lane(x, 3);
}
#else
typedef struct WfInts {
    int l[4];
} WfInts;
typedef int WfMask;
static inline WfInts wf_ints_load(const int* p) { return (WfInts){{p[0], p[1], p[2], p[3]}}; }
static inline WfInts wf_ints_set(int s) { return (WfInts){{s, s, s, s}}; }
static inline WfMask wf_ints_equal(WfInts x, WfInts y) {
    WfMask mask = 0;
    for (int i = 0; i < 4; i++) mask |= (x.l[i] == y.l[i]) << i;
    return mask;
}
static inline WfMask wf_quad_above(WfQuad x, WfQuad y) {
    WfMask mask = 0;
    for (int i = 0; i < 4; i++) mask |= (x.l[i] > y.l[i]) << i;
    return mask;
}
static inline WfMask wf_mask_or(WfMask x, WfMask y) { return x | y; }
static inline WfMask wf_mask_and(WfMask x, WfMask y) { return x & y; }
static inline WfQuad wf_quad_choose(WfMask mask, WfQuad x, WfQuad y) {
    for (int i = 0; i < 4; i++) x.l[i] = mask >> i & 1 ? x.l[i] : y.l[i];
    return x;
}
static inline int wf_mask_bits(WfMask x) { return x; }
static inline WfInts wf_ints_add_products(WfInts sum, const int8_t* bytes, const int16_t* shorts) {
    for (int i = 0; i < 16; i++) sum.l[i % 4] += bytes[i] * shorts[i];
    return sum;
}
static inline int wf_ints_sum(WfInts x) { return x.l[0] + x.l[1] + x.l[2] + x.l[3]; }
#endif

// Code that is copied into its callers, to be specialised there.
#if defined(__GNUC__)
#define WF_INLINE inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#define WF_INLINE __forceinline
#else
#define WF_INLINE inline
#endif

// Instructions that not all machines of a kind have: functions that use them say so by WF_TARGET,
// where the compiler wants to know, and run where WF_HAS is true. (clang in the role of MSVC hides
// what it may not use everywhere.)
#if defined(_MSC_VER) && defined(_M_X64) && (!defined(__clang__) || defined(__AVX2__))
enum { WF_PROCESSOR_avx = 1, WF_PROCESSOR_fma = 2, WF_PROCESSOR_avx2 = 4 };
int wf_processor(void);  // a sum of those; processor.c
#define WF_HAS(name) ((wf_processor() & WF_PROCESSOR_##name) != 0)
#ifdef __clang__
#define WF_TARGET(names) __attribute__((target(names)))
#else
#define WF_TARGET(names)
#endif
#elif defined(__x86_64__) && defined(__GNUC__)
#define WF_HAS(name) __builtin_cpu_supports(#name)
#define WF_TARGET(names) __attribute__((target(names)))
#endif

// Fused multiply-add, which rounds once: where WF_FUSED is defined, machines may have it. In
// functions declared with WF_FUSED, and where WF_FUSED_HERE is true as the program runs. x times
// number `lane` of l, and that added to a sum; u holds the four numbers from l on.
#if defined(__aarch64__) || defined(_M_ARM64)
#define WF_FUSED
#define WF_FUSED_HERE true
#define wf_fused_product(x, u, l, lane) vmulq_laneq_f32(x, u, lane)
#define wf_fused_add(sum, x, u, l, lane) vfmaq_laneq_f32(sum, x, u, lane)
#elif defined(WF_HAS)
#define WF_FUSED WF_TARGET("avx,fma")
#define WF_FUSED_HERE (WF_HAS(avx) && WF_HAS(fma))
#define wf_fused_product(x, u, l, lane) ((void)(u), _mm_mul_ps(x, _mm_broadcast_ss((l) + (lane))))
#define wf_fused_add(sum, x, u, l, lane) \
    ((void)(u), _mm_fmadd_ps(x, _mm_broadcast_ss((l) + (lane)), sum))
#endif

// Vectors twice as long: where WF_WIDE is defined, machines may have them (AVX2). In functions
// declared with WF_WIDE, and where WF_WIDE_HERE is true as the program runs. Such kernels stand in
// a header that two files include, one of them with WIDE defined (three.h); whoever calls them asks
// the second file for its kernels and gets those of the first where the machine has no others.
// WEFT_NARROW leaves them out.
#if defined(WF_HAS) && !defined(WEFT_NARROW)
#define WF_WIDE WF_TARGET("avx2")
#define WF_WIDE_HERE WF_HAS(avx2)
#define WF_FUSED_WIDE WF_TARGET("avx2,fma")  // both
#endif

// l0 + l1
static inline double wf_two_sum(WfTwo v) {
    double l[2];
    wf_two_store(l, v);
    return l[0] + l[1];
}

// (l0 + l1) + (l2 + l3)
static inline double wf_four_sum(WfFour v) {
    double l[4];
    wf_four_store(l, v);
    return (l[0] + l[1]) + (l[2] + l[3]);
}

// sum of a[i] b[i], eight running sums
static inline double wf_simd_dot(const double* a, const double* b, int n) {
    WfFour s0 = wf_four_set(0), s1 = wf_four_set(0);
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        s0 = wf_four_add(s0, wf_four_mul(wf_four_load(a + i), wf_four_load(b + i)));
        s1 = wf_four_add(s1, wf_four_mul(wf_four_load(a + i + 4), wf_four_load(b + i + 4)));
    }
    double sum = wf_four_sum(wf_four_add(s0, s1));
    for (; i < n; i++) sum += a[i] * b[i];
    return sum;
}

#endif

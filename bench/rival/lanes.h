// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Four floats at once, and four of them turned: what a rival needs of SSE, NEON or WebAssembly.

#ifndef WEFT_BENCH_LANES_H
#define WEFT_BENCH_LANES_H

#if defined(__SSE2__)
#include <immintrin.h>
typedef __m128 Lanes;
static inline Lanes lanes_load(const float* p) { return _mm_load_ps(p); }
static inline void lanes_store(float* p, Lanes v) { _mm_store_ps(p, v); }
static inline Lanes lanes_set(float s) { return _mm_set1_ps(s); }
static inline Lanes lanes_add(Lanes x, Lanes y) { return _mm_add_ps(x, y); }
static inline Lanes lanes_sub(Lanes x, Lanes y) { return _mm_sub_ps(x, y); }
static inline Lanes lanes_mul(Lanes x, Lanes y) { return _mm_mul_ps(x, y); }
static inline Lanes lanes_div(Lanes x, Lanes y) { return _mm_div_ps(x, y); }
static inline Lanes lanes_min(Lanes x, Lanes y) { return _mm_min_ps(x, y); }
static inline Lanes lanes_max(Lanes x, Lanes y) { return _mm_max_ps(x, y); }
static inline Lanes lanes_sqrt(Lanes x) { return _mm_sqrt_ps(x); }
static inline int lanes_any_positive(Lanes x) {
    return _mm_movemask_ps(_mm_cmpgt_ps(x, _mm_setzero_ps())) != 0;
}
// x times one lane of y; the lane is a constant
#define lanes_mul_lane(x, y, lane) _mm_mul_ps(x, _mm_shuffle_ps(y, y, 0x55 * (lane)))
// Rows become columns.
static inline void lanes_turn(Lanes* a, Lanes* b, Lanes* c, Lanes* d) {
    _MM_TRANSPOSE4_PS(*a, *b, *c, *d);
}
#elif defined(__aarch64__)
#include <arm_neon.h>
typedef float32x4_t Lanes;
static inline Lanes lanes_load(const float* p) { return vld1q_f32(p); }
static inline void lanes_store(float* p, Lanes v) { vst1q_f32(p, v); }
static inline Lanes lanes_set(float s) { return vdupq_n_f32(s); }
static inline Lanes lanes_add(Lanes x, Lanes y) { return vaddq_f32(x, y); }
static inline Lanes lanes_sub(Lanes x, Lanes y) { return vsubq_f32(x, y); }
static inline Lanes lanes_mul(Lanes x, Lanes y) { return vmulq_f32(x, y); }
static inline Lanes lanes_div(Lanes x, Lanes y) { return vdivq_f32(x, y); }
static inline Lanes lanes_min(Lanes x, Lanes y) { return vminq_f32(x, y); }
static inline Lanes lanes_max(Lanes x, Lanes y) { return vmaxq_f32(x, y); }
static inline Lanes lanes_sqrt(Lanes x) { return vsqrtq_f32(x); }
static inline int lanes_any_positive(Lanes x) { return vmaxvq_f32(x) > 0; }
#define lanes_mul_lane(x, y, lane) vmulq_laneq_f32(x, y, lane)
static inline void lanes_turn(Lanes* a, Lanes* b, Lanes* c, Lanes* d) {
    float32x4x2_t ab = vtrnq_f32(*a, *b), cd = vtrnq_f32(*c, *d);
    *a = vcombine_f32(vget_low_f32(ab.val[0]), vget_low_f32(cd.val[0]));
    *b = vcombine_f32(vget_low_f32(ab.val[1]), vget_low_f32(cd.val[1]));
    *c = vcombine_f32(vget_high_f32(ab.val[0]), vget_high_f32(cd.val[0]));
    *d = vcombine_f32(vget_high_f32(ab.val[1]), vget_high_f32(cd.val[1]));
}
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
typedef v128_t Lanes;
static inline Lanes lanes_load(const float* p) { return wasm_v128_load(p); }
static inline void lanes_store(float* p, Lanes v) { wasm_v128_store(p, v); }
static inline Lanes lanes_set(float s) { return wasm_f32x4_splat(s); }
static inline Lanes lanes_add(Lanes x, Lanes y) { return wasm_f32x4_add(x, y); }
static inline Lanes lanes_sub(Lanes x, Lanes y) { return wasm_f32x4_sub(x, y); }
static inline Lanes lanes_mul(Lanes x, Lanes y) { return wasm_f32x4_mul(x, y); }
static inline Lanes lanes_div(Lanes x, Lanes y) { return wasm_f32x4_div(x, y); }
static inline Lanes lanes_min(Lanes x, Lanes y) { return wasm_f32x4_pmin(x, y); }
static inline Lanes lanes_max(Lanes x, Lanes y) { return wasm_f32x4_pmax(x, y); }
static inline Lanes lanes_sqrt(Lanes x) { return wasm_f32x4_sqrt(x); }
static inline int lanes_any_positive(Lanes x) {
    return wasm_v128_any_true(wasm_f32x4_gt(x, wasm_f32x4_splat(0)));
}
#define lanes_mul_lane(x, y, lane) \
    wasm_f32x4_mul(x, wasm_i32x4_shuffle(y, y, lane, lane, lane, lane))
static inline void lanes_turn(Lanes* a, Lanes* b, Lanes* c, Lanes* d) {
    Lanes ab = wasm_i32x4_shuffle(*a, *b, 0, 4, 1, 5), cd = wasm_i32x4_shuffle(*c, *d, 0, 4, 1, 5);
    Lanes ba = wasm_i32x4_shuffle(*a, *b, 2, 6, 3, 7), dc = wasm_i32x4_shuffle(*c, *d, 2, 6, 3, 7);
    *a = wasm_i64x2_shuffle(ab, cd, 0, 2);
    *b = wasm_i64x2_shuffle(ab, cd, 1, 3);
    *c = wasm_i64x2_shuffle(ba, dc, 0, 2);
    *d = wasm_i64x2_shuffle(ba, dc, 1, 3);
}
#else
#include <math.h>
typedef struct Lanes {
    float s[4];
} Lanes;
#define EACH_LANE(expression)                                 \
    Lanes r;                                                  \
    for (int i = 0; i < 4; i++) r.s[i] = (float)(expression); \
    return r
static inline Lanes lanes_load(const float* p) { EACH_LANE(p[i]); }
static inline void lanes_store(float* p, Lanes v) {
    for (int i = 0; i < 4; i++) p[i] = v.s[i];
}
static inline Lanes lanes_set(float s) { EACH_LANE(s); }
static inline Lanes lanes_add(Lanes x, Lanes y) { EACH_LANE(x.s[i] + y.s[i]); }
static inline Lanes lanes_sub(Lanes x, Lanes y) { EACH_LANE(x.s[i] - y.s[i]); }
static inline Lanes lanes_mul(Lanes x, Lanes y) { EACH_LANE(x.s[i] * y.s[i]); }
static inline Lanes lanes_div(Lanes x, Lanes y) { EACH_LANE(x.s[i] / y.s[i]); }
static inline Lanes lanes_min(Lanes x, Lanes y) { EACH_LANE(x.s[i] < y.s[i] ? x.s[i] : y.s[i]); }
static inline Lanes lanes_max(Lanes x, Lanes y) { EACH_LANE(x.s[i] > y.s[i] ? x.s[i] : y.s[i]); }
static inline Lanes lanes_sqrt(Lanes x) { EACH_LANE(sqrtf(x.s[i])); }
#undef EACH_LANE
static inline int lanes_any_positive(Lanes x) {
    return x.s[0] > 0 || x.s[1] > 0 || x.s[2] > 0 || x.s[3] > 0;
}
#define lanes_mul_lane(x, y, lane) lanes_mul(x, lanes_set((y).s[lane]))
static inline void lanes_turn(Lanes* a, Lanes* b, Lanes* c, Lanes* d) {
    Lanes rows[4] = {*a, *b, *c, *d}, turned[4];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) turned[i].s[j] = rows[j].s[i];
    *a = turned[0], *b = turned[1], *c = turned[2], *d = turned[3];
}
#endif

#endif

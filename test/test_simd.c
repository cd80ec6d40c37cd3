// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards base/simd.h: lane for lane, and sum for sum, the operations are those of plain loops, to
// the bit.

#include "base/simd.h"

#include "sparse_test.h"

// Numbers of all sizes and both signs, among them zeros, the smallest and the infinite.
static float any_float(void) {
    static const float special[] = {0.0f, -0.0f, 1.0f, 1e-45f, -1e-38f, 3e38f, INFINITY, -INFINITY};
    if (random_below(8) == 0) return special[random_below(8)];
    return ldexpf((float)random_unit(), random_below(80) - 40);
}

static double any_double(void) {
    static const double special[] = {0.0, -0.0, 1.0, 5e-324, -1e-308, 1.5e308};
    if (random_below(8) == 0) return special[random_below(6)];
    return ldexp(random_unit(), random_below(200) - 100);
}

static bool same_floats(const float* a, const float* b) {
    bool same = true;
    for (int i = 0; i < 4; i++) same &= (isnan(a[i]) && isnan(b[i])) || !memcmp(&a[i], &b[i], 4);
    return same;
}

static bool same_doubles(const double* a, const double* b, int count) {
    bool same = true;
    for (int i = 0; i < count; i++)
        same &= (isnan(a[i]) && isnan(b[i])) || !memcmp(&a[i], &b[i], 8);
    return same;
}

enum { TRIALS = 2000 };

#define CHECK_QUAD(vector, expression)                          \
    do {                                                        \
        wf_quad_store(got, vector);                             \
        for (int i = 0; i < 4; i++) expected[i] = (expression); \
        CHECK(same_floats(got, expected));                      \
    } while (0)

static void quads(void) {
    for (int trial = 0; trial < TRIALS; trial++) {
        float a[5], b[4], got[4], expected[4];
        for (int i = 0; i < 4; i++) a[i] = any_float(), b[i] = any_float();
        a[4] = any_float();
        WfQuad x = wf_quad_load(a), y = wf_quad_load(b);
        CHECK_QUAD(x, a[i]);
        CHECK_QUAD(wf_quad_load(a + 1), a[i + 1]);  // anywhere
        CHECK_QUAD(wf_quad_set(a[2]), a[2]);
        CHECK_QUAD(wf_quad_add(x, y), a[i] + b[i]);
        CHECK_QUAD(wf_quad_sub(x, y), a[i] - b[i]);
        CHECK_QUAD(wf_quad_mul(x, y), a[i] * b[i]);
        CHECK_QUAD(wf_quad_mul_lane(x, y, 0), a[i] * b[0]);
        CHECK_QUAD(wf_quad_mul_lane(x, y, 1), a[i] * b[1]);
        CHECK_QUAD(wf_quad_mul_lane(x, y, 2), a[i] * b[2]);
        CHECK_QUAD(wf_quad_mul_lane(x, y, 3), a[i] * b[3]);
    }
}

static void larger_ones(void) {
    for (int trial = 0; trial < TRIALS; trial++) {
        float a[4], b[4], got[4];
        for (int i = 0; i < 4; i++) a[i] = any_float(), b[i] = any_float();
        wf_quad_store(got, wf_quad_max(wf_quad_load(a), wf_quad_load(b)));
        for (int i = 0; i < 4; i++) CHECK(got[i] == (a[i] > b[i] ? a[i] : b[i]));
    }
}

static void masks(void) {
    for (int trial = 0; trial < TRIALS; trial++) {
        float a[4], b[4];
        int m[5], n[4], above = 0, equal = 0;
        for (int i = 0; i < 4; i++) {
            a[i] = any_float(), b[i] = random_below(4) ? any_float() : a[i];
            m[i] = random_below(3) - 1, n[i] = random_below(3) - 1;
            above |= (a[i] > b[i]) << i;
            equal |= (m[i] == n[i]) << i;
        }
        m[4] = n[0];
        WfMask more = wf_quad_above(wf_quad_load(a), wf_quad_load(b));
        WfMask same = wf_ints_equal(wf_ints_load(m), wf_ints_load(n));
        CHECK(wf_mask_bits(more) == above && wf_mask_bits(same) == equal);
        CHECK(wf_mask_bits(wf_mask_or(more, same)) == (above | equal));
        CHECK(wf_mask_bits(wf_ints_equal(wf_ints_load(m + 1), wf_ints_set(n[0]))) & 8);
    }
}

// Rounded to nearest, too large ones to infinity; not a number beyond the third is touched.
static void narrow_and_wide(void) {
    for (int trial = 0; trial < TRIALS; trial++) {
        double a[3], back[4];
        float got[4], expected[4];
        for (int i = 0; i < 3; i++) a[i] = any_double();
        for (int i = 0; i < 3; i++) expected[i] = (float)a[i];
        expected[3] = 0;
        WfQuad v = wf_quad_narrow(a);
        wf_quad_store(got, v);
        CHECK(same_floats(got, expected));
        back[3] = 7;
        wf_quad_widen(v, back);
        for (int i = 0; i < 3; i++) CHECK(back[i] == (double)expected[i]);
        CHECK(back[3] == 7);
    }
}

#define CHECK_TWO(vector, expression)                           \
    do {                                                        \
        wf_two_store(got, vector);                              \
        for (int i = 0; i < 2; i++) expected[i] = (expression); \
        CHECK(same_doubles(got, expected, 2));                  \
    } while (0)

static void twos(void) {
    for (int trial = 0; trial < TRIALS; trial++) {
        double a[3], b[2], got[2], expected[2];
        for (int i = 0; i < 2; i++) a[i] = any_double(), b[i] = any_double();
        a[2] = any_double();
        WfTwo x = wf_two_load(a), y = wf_two_load(b);
        CHECK_TWO(wf_two_load(a + 1), a[i + 1]);
        CHECK_TWO(wf_two_set(a[1]), a[1]);
        CHECK_TWO(wf_two_add(x, y), a[i] + b[i]);
        CHECK_TWO(wf_two_sub(x, y), a[i] - b[i]);
        CHECK_TWO(wf_two_mul(x, y), a[i] * b[i]);
        CHECK_TWO(wf_two_low(x), a[0]);
        CHECK_TWO(wf_two_high(x), a[1]);
        got[0] = wf_two_sum(x), expected[0] = a[0] + a[1];
        CHECK(same_doubles(got, expected, 1));
    }
}

#define CHECK_FOUR(vector, expression)                          \
    do {                                                        \
        wf_four_store(got, vector);                             \
        for (int i = 0; i < 4; i++) expected[i] = (expression); \
        CHECK(same_doubles(got, expected, 4));                  \
    } while (0)

static void fours(void) {
    for (int trial = 0; trial < TRIALS; trial++) {
        double a[5], b[4], got[4], expected[4];
        for (int i = 0; i < 4; i++) a[i] = any_double(), b[i] = any_double();
        a[4] = any_double();
        WfFour x = wf_four_load(a), y = wf_four_load(b);
        CHECK_FOUR(wf_four_load(a + 1), a[i + 1]);
        CHECK_FOUR(wf_four_set(a[3]), a[3]);
        CHECK_FOUR(wf_four_add(x, y), a[i] + b[i]);
        CHECK_FOUR(wf_four_mul(x, y), a[i] * b[i]);
        got[0] = wf_four_sum(x), expected[0] = (a[0] + a[1]) + (a[2] + a[3]);
        CHECK(same_doubles(got, expected, 1));
    }
}

// Eight running sums; lanes of the two vectors first, then across, then what is left over.
static void dot_products(void) {
    double a[60], b[60];
    for (int n = 0; n <= 60; n++) {
        double s[8] = {0};
        for (int i = 0; i < n; i++) a[i] = random_unit(), b[i] = random_unit();
        for (int i = 0; i < n / 8 * 8; i++) s[i % 8] += a[i] * b[i];
        double sum = ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]));
        for (int i = n / 8 * 8; i < n; i++) sum += a[i] * b[i];
        CHECK(wf_simd_dot(a, b, n) == sum);
    }
}

TEST_MAIN(CASE(quads), CASE(larger_ones), CASE(masks), CASE(narrow_and_wide), CASE(twos),
          CASE(fours), CASE(dot_products))

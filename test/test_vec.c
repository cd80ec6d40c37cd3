// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards base/vec.h and base/simd.h: small vectors, symmetric 3x3 matrices, and four doubles at
// once against one at a time.

#include "base/vec.h"

#include "base/simd.h"
#include "sparse_test.h"

static WfVec random_vec(void) { return (WfVec){random_unit(), random_unit(), random_unit()}; }
static double distance(WfVec a, WfVec b) { return wf_length(wf_sub(a, b)); }

static void arithmetic(void) {
    WfVec a = {1, 2, 3}, b = {-4, 0.5, 2};
    CHECK(distance(wf_add(a, b), (WfVec){-3, 2.5, 5}) == 0);
    CHECK(distance(wf_sub(a, b), (WfVec){5, 1.5, 1}) == 0);
    CHECK(distance(wf_mul(2, a), (WfVec){2, 4, 6}) == 0);
    CHECK(distance(wf_madd(a, 2, b), (WfVec){-7, 3, 7}) == 0);
    CHECK(wf_dot(a, b) == 3);
    CHECK(distance(wf_cross(a, b), (WfVec){2.5, -14, 8.5}) == 0);
    CHECK(wf_length((WfVec){2, 3, 6}) == 7);
}

static void memory(void) {
    double x[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    CHECK(distance(wf_load(x, 1), (WfVec){3, 4, 5}) == 0);
    wf_store(x, 2, (WfVec){-1, -2, -3});
    CHECK(x[5] == 5 && x[6] == -1 && x[7] == -2 && x[8] == -3);
    wf_accumulate(x, 0, 3, (WfVec){1, 2, 3});
    CHECK(x[0] == 3 && x[1] == 7 && x[2] == 11 && x[3] == 3);
}

// lagrange: a x (b x c) = b (a.c) - c (a.b)
static void identities(void) {
    for (int i = 0; i < 100; i++) {
        WfVec a = random_vec(), b = random_vec(), c = random_vec();
        WfVec left = wf_cross(a, wf_cross(b, c));
        WfVec right = wf_sub(wf_mul(wf_dot(a, c), b), wf_mul(wf_dot(a, b), c));
        CHECK_BELOW(distance(left, right), 1e-15);
        CHECK_BELOW(fabs(wf_dot(wf_cross(a, b), a)), 1e-15);
    }
}

// m += a I + b v v^T, and its product with a vector
static void symmetric_matrices(void) {
    for (int i = 0; i < 100; i++) {
        double m[6] = {0}, a = random_unit(), b = random_unit(), a2 = random_unit();
        WfVec v = random_vec(), w = random_vec(), p = random_vec();
        wf_sym_add(m, a, b, v);
        wf_sym_add(m, a2, 1, w);
        WfVec expected = wf_madd(wf_mul(a + a2, p), b * wf_dot(v, p), v);
        expected = wf_madd(expected, wf_dot(w, p), w);
        CHECK_BELOW(distance(wf_sym_mul(m, p), expected), 1e-14);
    }
}

static void inverses(void) {
    for (int i = 0; i < 300; i++) {
        double m[6] = {0}, inverse[6] = {0}, scale = pow(10, 12 * random_unit());
        wf_sym_add(m, 0.1 * scale, scale, random_vec());
        wf_sym_add(m, 0, scale, random_vec());
        WfVec p = random_vec();
        CHECK(wf_sym_invert(m, inverse));
        CHECK_BELOW(distance(wf_sym_mul(inverse, wf_sym_mul(m, p)), p), 1e-11);
    }
}

static void not_positive_definite(void) {
    static const double bad[][6] = {
        {0, 0, 0, 0, 0, 0},     // zero
        {1, 0, 0, 1, 0, 0},     // singular
        {1, 2, 0, 1, 0, 1},     // indefinite
        {-1, 0, 0, -1, 0, 1},   // two negative: the determinant is positive
        {1, 0, 0, -1, 0, -1},   // the other two
        {-1, 0, 0, -1, 0, -1},  // negative definite
    };
    double out[6];
    for (int i = 0; i < 6; i++) CHECK(!wf_sym_invert(bad[i], out));
    double nan = (double)NAN, broken[6] = {nan, 0, 0, 1, 0, 1};
    CHECK(!wf_sym_invert(broken, out));
}

// ---------------------------------------------------------------------------------------------

static void four_lanes(void) {
    for (int round = 0; round < 50; round++) {
        double a[5], b[5], out[5] = {0, 0, 0, 0, 77};
        for (int i = 0; i < 5; i++) a[i] = random_unit(), b[i] = random_unit();
        WfFour x = wf_four_load(a), y = wf_four_load(b);
        wf_four_store(out, wf_four_add(x, y));
        for (int i = 0; i < 4; i++) CHECK(out[i] == a[i] + b[i]);
        wf_four_store(out, wf_four_sub(x, y));
        for (int i = 0; i < 4; i++) CHECK(out[i] == a[i] - b[i]);
        wf_four_store(out, wf_four_mul(x, y));
        for (int i = 0; i < 4; i++) CHECK(out[i] == a[i] * b[i]);
        wf_four_store(out, wf_four_set(a[0]));
        for (int i = 0; i < 4; i++) CHECK(out[i] == a[0]);
        CHECK(wf_four_sum(x) == (a[0] + a[1]) + (a[2] + a[3]));
        CHECK(out[4] == 77);
    }
}

// Any address will do: arrays in a def belong to the user.
static void unaligned(void) {
    double a[12];
    for (int i = 0; i < 12; i++) a[i] = i;
    for (int k = 0; k < 8; k++) CHECK(wf_four_sum(wf_four_load(a + k)) == 4 * k + 6);
}

// The sum in its documented order, to the bit, for every length.
static void dot_products(void) {
    double a[70], b[70];
    for (int i = 0; i < 70; i++) a[i] = random_unit(), b[i] = random_unit();
    for (int n = 0; n < 70; n++) {
        double s[8] = {0};
        int i = 0;
        for (; i + 8 <= n; i += 8)
            for (int k = 0; k < 8; k++) s[k] += a[i + k] * b[i + k];
        double sum = ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]));
        for (; i < n; i++) sum += a[i] * b[i];
        CHECK(wf_simd_dot(a, b, n) == sum);
    }
}

TEST_MAIN(CASE(arithmetic), CASE(memory), CASE(identities), CASE(symmetric_matrices),
          CASE(inverses), CASE(not_positive_definite), CASE(four_lanes), CASE(unaligned),
          CASE(dot_products))

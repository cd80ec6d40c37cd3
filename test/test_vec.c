// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards base/vec.h: small vectors and symmetric 3x3 matrices.

#include "base/vec.h"

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

TEST_MAIN(CASE(arithmetic), CASE(memory), CASE(identities), CASE(symmetric_matrices),
          CASE(inverses), CASE(not_positive_definite))

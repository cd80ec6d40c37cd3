// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards base/logarithm.h: against the C library's, and some bits that must be the same everywhere.

#include "base/logarithm.h"

#include "base/hash.h"
#include "test.h"

static const uint64_t GOLDEN = 0xb46f8be7bb1adacc;
static const double ULP = 2.220446049250313e-16;

static void check_logarithm(double x) {
    double expected = log(x);
    CHECK_NEAR(wf_logarithm(x), expected, 2 * ULP * fabs(expected));
}

static void near_one(void) {
    for (int i = -60000; i <= 60000; i++) check_logarithm(1 + i * 1.1e-5);
    for (double e = 0.1; e > 1e-16; e /= 1.7) {
        check_logarithm(1 + e);
        check_logarithm(1 - e);
    }
    CHECK(wf_logarithm(1) == 0);
}

static void far_from_one(void) {
    for (double x = 1e-300; x < 1e300; x *= 1.013) check_logarithm(x);
    for (int power = -1022; power <= 1023; power++) check_logarithm(ldexp(1, power));
    check_logarithm(sqrt(2));
    check_logarithm(sqrt(0.5));
}

// What any machine and any C library must give.
static void the_same_bits_everywhere(void) {
    uint64_t hash = WF_HASH_START;
    for (int i = 1; i < 10000; i++) {
        double value = wf_logarithm(i * 0.01);
        hash = wf_hash(hash, &value, sizeof value);
    }
    if (hash != GOLDEN) printf("the hash is 0x%016llx\n", (unsigned long long)hash);
    CHECK(hash == GOLDEN);
}

TEST_MAIN(CASE(near_one), CASE(far_from_one), CASE(the_same_bits_everywhere))

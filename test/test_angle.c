// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards base/angle.h: sine, cosine and arc tangent against the C library's, and some bits that
// must be the same everywhere.

#include "base/angle.h"

#include <stdint.h>

#include "base/hash.h"
#include "test.h"

static const uint64_t GOLDEN = 0xc09b492eed01bdfe;
static const double ULP = 2.220446049250313e-16;

static void sine_and_cosine(void) {
    for (int i = -200000; i <= 200000; i++) {
        double angle = i * 1e-4 + i * 1e-9, s, c;
        wf_sine_cosine(angle, &s, &c);
        // beside a zero the difference is as large as that of a number of size 1
        CHECK_NEAR(s, sin(angle), 2 * ULP * fmax(fabs(sin(angle)), 0.01));
        CHECK_NEAR(c, cos(angle), 2 * ULP * fmax(fabs(cos(angle)), 0.01));
        CHECK_NEAR(s * s + c * c, 1, 4 * ULP);
    }
}

static void large_angles(void) {
    for (int i = 1; i < 2000; i++) {
        double angle = 7.3 * i, s, c;
        wf_sine_cosine(angle, &s, &c);
        CHECK_NEAR(s, sin(angle), 2 * ULP);
        CHECK_NEAR(c, cos(angle), 2 * ULP);
    }
}

static void corners_of_the_circle(void) {
    double s, c;
    wf_sine_cosine(0, &s, &c);
    CHECK(s == 0 && c == 1);
    for (int quarter = 1; quarter < 9; quarter++) {
        wf_sine_cosine(quarter * (WF_PI / 2), &s, &c);
        CHECK_NEAR(s, quarter % 4 == 1 ? 1 : quarter % 4 == 3 ? -1 : 0, 2e-15);
        CHECK_NEAR(c, quarter % 4 == 0 ? 1 : quarter % 4 == 2 ? -1 : 0, 2e-15);
        CHECK_NEAR(c, cos(quarter * (WF_PI / 2)), 1e-31);
    }
}

static void arc_tangent(void) {
    for (int i = 0; i < 100000; i++) {
        double turn = i * (2 * WF_PI / 100000), size = 0.001 + i % 1000;
        double y = size * sin(turn), x = size * cos(turn);
        CHECK_NEAR(wf_angle_of(y, x), atan2(y, x), 2 * ULP * fmax(fabs(atan2(y, x)), 0.5));
    }
    CHECK(wf_angle_of(0, 0) == 0 && wf_angle_of(0, 2) == 0);
    CHECK(wf_angle_of(0, -1) == WF_PI && wf_angle_of(1, 0) == WF_PI / 2);
    CHECK(wf_angle_of(-3, 0) == -WF_PI / 2);
    CHECK_NEAR(wf_angle_of(1e-300, 1), 1e-300, 1e-315);
    CHECK_NEAR(wf_angle_of(1, 1), WF_PI / 4, ULP);
}

// What any machine and any C library must give.
static void the_same_bits_everywhere(void) {
    uint64_t hash = WF_HASH_START;
    for (int i = 0; i < 10000; i++) {
        double angle = i * 0.01 - 50, values[3];
        wf_sine_cosine(angle, &values[0], &values[1]);
        values[2] = wf_angle_of(values[0], 0.3 + values[1]);
        hash = wf_hash(hash, values, sizeof values);
    }
    if (hash != GOLDEN) printf("the hash is 0x%016llx\n", (unsigned long long)hash);
    CHECK(hash == GOLDEN);
}

TEST_MAIN(CASE(sine_and_cosine), CASE(large_angles), CASE(corners_of_the_circle), CASE(arc_tangent),
          CASE(the_same_bits_everywhere))

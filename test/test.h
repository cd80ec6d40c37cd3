// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A test program is a list of cases; a failed check prints where and what, and the case goes on.
//
//     static void one_triangle(void) { CHECK(triangle_count == 1); CHECK_NEAR(area, 0.5, 1e-12); }
//     TEST_MAIN(CASE(one_triangle), CASE(no_triangle))
//
// `program NAME` runs the cases whose name contains NAME. Where a case runs depends on its length:
//
//     CASE        everywhere; sanitizers take six times as long and more
//     SLOW_CASE   where WEFT_SLOW=1 is in the environment, as in tests of optimised builds
//     LONG_CASE   where WEFT_LONG=1 is, as in `make test-long`; that implies the other. A shorter
//                 case beside it guards the same code
//
// With WEFT_TIMES=1 every case prints the processor time it took, without that of its children.

#ifndef WEFT_TEST_H
#define WEFT_TEST_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "leaks.h"

typedef enum TestLength { TEST_QUICK, TEST_SLOW, TEST_LONG } TestLength;

typedef struct TestCase {
    const char* name;
    void (*run)(void);
    TestLength length;
} TestCase;

static int test_failures;

#define CHECK(condition) test_check((condition), __FILE__, __LINE__, #condition)
#define CHECK_NEAR(value, expected, tolerance) \
    test_near(__FILE__, __LINE__, #value, (double)(value), (double)(expected), (double)(tolerance))
// value < bound, printing both
#define CHECK_BELOW(value, bound) \
    test_below(__FILE__, __LINE__, #value " < " #bound, (double)(value), (double)(bound))
// the text contains the words
#define CHECK_TEXT(text, words)                                                                 \
    do {                                                                                        \
        if (!strstr((text), (words))) {                                                         \
            printf("%s:%d: \"%s\" does not say \"%s\"\n", __FILE__, __LINE__, (text), (words)); \
            test_failures++;                                                                    \
        }                                                                                       \
    } while (0)

static inline bool test_check(bool good, const char* file, int line, const char* text) {
    if (!good) printf("%s:%d: %s is false\n", file, line, text);
    test_failures += !good;
    return good;
}

static inline bool test_near(const char* file, int line, const char* text, double value,
                             double expected, double tolerance) {
    bool good = fabs(value - expected) <= tolerance;
    if (!good)
        printf("%s:%d: %s: got %.10g, expected %.10g, tolerance %.3g\n", file, line, text, value,
               expected, tolerance);
    test_failures += !good;
    return good;
}

static inline bool test_below(const char* file, int line, const char* text, double value,
                              double bound) {
    bool good = value < bound;
    if (!good) printf("%s:%d: %s: got %.10g, not below %.10g\n", file, line, text, value, bound);
    test_failures += !good;
    return good;
}

static inline bool test_asked(const char* name) {
    const char* value = getenv(name);
    return value && value[0] == '1';
}

static inline TestLength test_longest(void) {
    if (test_asked("WEFT_LONG")) return TEST_LONG;
    return test_asked("WEFT_SLOW") ? TEST_SLOW : TEST_QUICK;
}

// Whether slow and long cases run here. Where they do not, the code is tested more than the motion:
// cases of many rounds take a quarter of them.
static inline bool test_slow(void) { return test_longest() >= TEST_SLOW; }
static inline bool test_long(void) { return test_longest() >= TEST_LONG; }
static inline int test_rounds(int count) { return test_slow() ? count : (count + 3) / 4; }

static inline int test_main(const TestCase* cases, int count, int argc, char** argv) {
    const char* wanted = argc > 1 ? argv[1] : "";
    TestLength longest = test_longest();
    bool times = test_asked("WEFT_TIMES");
    int passed = 0, failed = 0, skipped = 0;
    test_begin_memory();
    for (int i = 0; i < count; i++) {
        if (!strstr(cases[i].name, wanted)) continue;
        if (cases[i].length > longest) {
            skipped++;
            continue;
        }
        int before = test_failures;
        clock_t start = clock();
        cases[i].run();
        if (times)
            printf("%8.2f s %s\n", (double)(clock() - start) / CLOCKS_PER_SEC, cases[i].name);
        bool good = test_failures == before;
        if (!good) printf("FAILED %s\n", cases[i].name);
        if (good)
            passed++;
        else
            failed++;
        fflush(stdout);
    }
    printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
    test_end_memory();
    return failed || passed + skipped == 0 ? 1 : 0;
}

#define CASE(function) \
    { #function, function, TEST_QUICK }
#define SLOW_CASE(function) \
    { #function, function, TEST_SLOW }
#define LONG_CASE(function) \
    { #function, function, TEST_LONG }
#define TEST_MAIN(...)                                                              \
    int main(int argc, char** argv) {                                               \
        static const TestCase cases[] = {__VA_ARGS__};                              \
        return test_main(cases, (int)(sizeof cases / sizeof cases[0]), argc, argv); \
    }

#endif

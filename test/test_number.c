// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards numbers as text: what is one, how it rounds, and that no locale changes it.

#include "io/number.h"

#include <float.h>
#include <locale.h>
#include <stdint.h>

#include "test.h"

static void reads_like_strtod(void) {
    static const char* const texts[] = {"0",
                                        "-0",
                                        "1",
                                        "+1.5",
                                        "-2.25e3",
                                        "1e22",
                                        "1e23",
                                        ".5",
                                        "5.",
                                        "123456789012345678",
                                        "0.1234567890123456789",
                                        "9007199254740993",
                                        "1.7976931348623157e308",
                                        "4.9e-324",
                                        "2.2250738585072011e-308",
                                        "1e-400",
                                        "1E+2",
                                        "00000000000000000000000000001.5",
                                        "0.00000000000000000000000000000000000015",
                                        "179769313486231570000000e285"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        double value = -1;
        CHECK(wf_parse_number(texts[i], strlen(texts[i]), &value) == strlen(texts[i]));
        CHECK(value == strtod(texts[i], NULL));
    }
}

static void random_doubles_round_trip(void) {
    uint64_t seed = 88172645463325252u;
    for (int i = 0; i < 20000; i++) {
        seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
        double expected, value;
        memcpy(&expected, &seed, sizeof expected);
        if (!isfinite(expected)) continue;
        char text[64];
        snprintf(text, sizeof text, "%.17g", expected);
        CHECK(wf_parse_number(text, strlen(text), &value) == strlen(text) && value == expected);
    }
}

static void stops_where_the_number_ends(void) {
    static const struct {
        const char* text;
        size_t length;
    } cases[] = {{"", 0},     {"-", 0},    {".", 0},     {"e5", 0},     {"inf", 0}, {"nan", 0},
                 {"+-1", 0},  {"0x10", 1}, {"1e", 1},    {"1e+", 1},    {"1 2", 1}, {"1,5", 1},
                 {"1.5.", 3}, {"1/2", 1},  {"1e5e5", 3}, {"-.5e-1x", 6}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value;
        CHECK(wf_parse_number(cases[i].text, strlen(cases[i].text), &value) == cases[i].length);
    }
    double value = 0;
    CHECK(wf_parse_number("123", 2, &value) == 2 && value == 12);  // no look beyond the length
    CHECK(wf_parse_number("1e5", 2, &value) == 1 && value == 1);
}

static void too_large_is_infinite(void) {
    static char digits[200001];
    memset(digits, '9', sizeof digits - 1);
    double value = 0;
    CHECK(wf_parse_number("1e309", 5, &value) == 5 && isinf(value));
    CHECK(wf_parse_number("-1e999999999999", 15, &value) == 15 && isinf(value) && value < 0);
    CHECK(wf_parse_number("1e-999999999999", 15, &value) == 15 && value == 0);
    CHECK(wf_parse_number(digits, sizeof digits - 1, &value) == sizeof digits - 1 && isinf(value));
}

static void prints_what_reads_back(void) {
    uint32_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        seed ^= seed << 13, seed ^= seed >> 17, seed ^= seed << 5;
        float value;
        memcpy(&value, &seed, sizeof value);
        if (!isfinite(value)) continue;
        char text[WF_NUMBER_TEXT];
        double back;
        wf_print_number(text, value);
        CHECK(wf_parse_number(text, strlen(text), &back) == strlen(text) && (float)back == value);
    }
    char text[WF_NUMBER_TEXT];
    CHECK(strcmp(wf_print_number(text, 0.1f), "0.1") == 0);
    CHECK(strcmp(wf_print_number(text, -FLT_MAX), "-3.40282347e+38") == 0);
}

// with whatever locale has a comma here; none may be installed
static void no_locale_matters(void) {
    static const char* const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8",
                                        "fr_FR"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (!setlocale(LC_NUMERIC, names[i])) continue;
        char text[WF_NUMBER_TEXT];
        double value = 0;
        CHECK(strcmp(wf_print_number(text, 1.5f), "1.5") == 0);
        CHECK(strcmp(wf_print_number(text, -1.5e-20f), "-1.5e-20") == 0);
        CHECK(wf_parse_number("1.2345678901234567891e-5", 24, &value) == 24);
        CHECK_NEAR(value, 1.2345678901234567891e-5, 1e-20);
    }
    setlocale(LC_NUMERIC, "C");
}

TEST_MAIN(CASE(reads_like_strtod), CASE(random_doubles_round_trip),
          CASE(stops_where_the_number_ends), CASE(too_large_is_infinite),
          CASE(prints_what_reads_back), CASE(no_locale_matters))

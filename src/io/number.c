// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// strtod and printf follow the locale of the process, which belongs to the program around us. So
// numbers are read digit by digit, and strtod only ever sees text without a point: 1.25 is 125e-2.

#include "io/number.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Decimal {
    uint64_t digits;  // the first 19 significant ones
    int exponent;     // of ten
} Decimal;

enum { LARGEST_EXPONENT = 100000 };  // far beyond any double; keeps the sums below from overflowing

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void add_digit(Decimal* decimal, char c, bool fraction) {
    if (decimal->digits < UINT64_C(1000000000000000000)) {
        decimal->digits = 10 * decimal->digits + (uint64_t)(c - '0');
        if (fraction && decimal->exponent > -LARGEST_EXPONENT) decimal->exponent--;
    } else if (!fraction && decimal->exponent < LARGEST_EXPONENT) {
        decimal->exponent++;
    }
}

// e+12 at text[i]; what only looks like one (1e, 1end) is not part of the number
static size_t parse_exponent(const char* text, size_t length, size_t i, int* exponent) {
    if (i >= length || (text[i] != 'e' && text[i] != 'E')) return i;
    size_t at = i + 1;
    bool negative = at < length && text[at] == '-';
    if (at < length && (text[at] == '-' || text[at] == '+')) at++;
    if (at >= length || !is_digit(text[at])) return i;
    int value = 0;
    for (; at < length && is_digit(text[at]); at++)
        if (value < LARGEST_EXPONENT) value = 10 * value + (text[at] - '0');
    *exponent = negative ? -value : value;
    return at;
}

static double to_double(Decimal decimal) {
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    // both factors are exact, so one operation rounds once
    if (decimal.digits < UINT64_C(1) << 53 && abs(decimal.exponent) <= 22) {
        double digits = (double)decimal.digits;
        return decimal.exponent < 0 ? digits / powers[-decimal.exponent]
                                    : digits * powers[decimal.exponent];
    }
    char text[48];
    snprintf(text, sizeof text, "%" PRIu64 "e%d", decimal.digits, decimal.exponent);
    return strtod(text, NULL);
}

size_t wf_parse_number(const char* text, size_t length, double* value) {
    Decimal decimal = {0};
    size_t i = 0;
    bool negative = length > 0 && text[0] == '-', any = false;
    if (length > 0 && (text[0] == '-' || text[0] == '+')) i++;
    for (; i < length && is_digit(text[i]); i++, any = true) add_digit(&decimal, text[i], false);
    if (i < length && text[i] == '.') {
        i++;
        for (; i < length && is_digit(text[i]); i++, any = true) add_digit(&decimal, text[i], true);
    }
    if (!any) return 0;
    int exponent = 0;
    i = parse_exponent(text, length, i, &exponent);
    decimal.exponent += exponent;
    *value = negative ? -to_double(decimal) : to_double(decimal);
    return i;
}

// "1,25" to "1.25"; the locale's point may have several bytes
static void use_point(char* text) {
    size_t i = strspn(text, "+-0123456789eE"), skip = strcspn(text + i, "0123456789");
    if (text[i] == '\0' || text[i] == '.') return;
    text[i] = '.';
    memmove(text + i + 1, text + i + skip, strlen(text + i + skip) + 1);
}

const char* wf_print_number(char text[WF_NUMBER_TEXT], float value) {
    snprintf(text, WF_NUMBER_TEXT, "%.7g", (double)value);
    if (strtof(text, NULL) != value) snprintf(text, WF_NUMBER_TEXT, "%.9g", (double)value);
    use_point(text);
    return text;
}

const char* wf_print_double(char text[WF_NUMBER_TEXT], double value) {
    snprintf(text, WF_NUMBER_TEXT, "%.15g", value);
    if (strtod(text, NULL) != value) snprintf(text, WF_NUMBER_TEXT, "%.17g", value);
    use_point(text);
    return text;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Formulas, by recursive descent:
//
//     sum      product { (+ | -) product }
//     product  factor { (* | /) factor }
//     factor   [+ | -] factor | number | name | name ( sum {, sum} ) | ( sum )

#include "io/pattern/formula.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/angle.h"
#include "io/number.h"
#include "weft/weft_io.h"

enum { DEEPEST = 64, MOST_ARGUMENTS = 16, MOST_WORDS = 128 };

typedef struct Parser {
    const char* text;
    const char* at;
    const WfMeasureList* measures;
    char* complaint;
    int depth;
} Parser;

static bool fail(const Parser* p, const char* what) {
    snprintf(p->complaint, WF_COMPLAINT, "%s at character %d", what, (int)(p->at - p->text) + 1);
    return false;
}

// ---------------------------------------------------------------------------------------------
// Functions

static double minimum(const double* x, int count) {
    double least = x[0];
    for (int i = 1; i < count; i++) least = fmin(least, x[i]);
    return least;
}

static double maximum(const double* x, int count) {
    double most = x[0];
    for (int i = 1; i < count; i++) most = fmax(most, x[i]);
    return most;
}

static double root(const double* x, int count) {
    (void)count;
    return sqrt(x[0]);
}

static double sine(const double* x, int count) {
    double s, c;
    (void)count;
    wf_sine_cosine(x[0] * (WF_PI / 180), &s, &c);
    return s;
}

static double cosine(const double* x, int count) {
    double s, c;
    (void)count;
    wf_sine_cosine(x[0] * (WF_PI / 180), &s, &c);
    return c;
}

static const struct Function {
    const char* name;
    int least, most;  // arguments
    double (*call)(const double* x, int count);
} functions[] = {
    {"min", 1, MOST_ARGUMENTS, minimum},
    {"max", 1, MOST_ARGUMENTS, maximum},
    {"sqrt", 1, 1, root},
    {"sin", 1, 1, sine},
    {"cos", 1, 1, cosine},
};
enum { FUNCTION_COUNT = sizeof functions / sizeof *functions };

static const struct Function* find_function(const char* name, size_t length) {
    for (int i = 0; i < FUNCTION_COUNT; i++)
        if (strlen(functions[i].name) == length && strncmp(functions[i].name, name, length) == 0)
            return &functions[i];
    return NULL;
}

// ---------------------------------------------------------------------------------------------
// Names

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static size_t name_length(const char* text) {
    size_t n = 0;
    if (!is_letter(text[0])) return 0;
    while (is_letter(text[n]) || is_digit(text[n])) n++;
    return n;
}

bool wf_is_measure_name(const char* name) {
    size_t length = name_length(name);
    return length > 0 && !name[length] && !find_function(name, length);
}

const WfMeasureValue* wf_find_measure(const WfMeasureList* measures, const char* name,
                                      size_t length) {
    for (int i = 0; i < measures->count; i++)
        if (strlen(measures->values[i].name) == length &&
            strncmp(measures->values[i].name, name, length) == 0)
            return &measures->values[i];
    return NULL;
}

static bool is_body_measure(const char* name) {
    for (int i = 0; weft_measure_name(i); i++)
        if (strcmp(weft_measure_name(i), name) == 0) return true;
    return false;
}

static bool fail_name(const Parser* p, const char* name, size_t length) {
    const char* words[MOST_WORDS];
    char word[64];
    int count = 0;
    snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), name);
    for (int i = 0; i < p->measures->count && count < MOST_WORDS - FUNCTION_COUNT; i++)
        words[count++] = p->measures->values[i].name;
    for (int i = 0; i < FUNCTION_COUNT; i++) words[count++] = functions[i].name;
    const char* nearest = weft_nearest_word(word, words, count);
    if (is_body_measure(word))
        snprintf(p->complaint, WF_COMPLAINT,
                 "\"%s\" has no default here: give it one in \"measures\"", word);
    else if (nearest)
        snprintf(p->complaint, WF_COMPLAINT, "unknown measure \"%s\"; did you mean \"%.60s\"?",
                 word, nearest);
    else
        snprintf(p->complaint, WF_COMPLAINT, "unknown measure \"%s\": it is not in \"measures\"",
                 word);
    return false;
}

// ---------------------------------------------------------------------------------------------
// Descent

static bool parse_sum(Parser* p, double* value);

static void skip_space(Parser* p) {
    while (*p->at == ' ' || *p->at == '\t' || *p->at == '\n') p->at++;
}

static bool take(Parser* p, char c) {
    skip_space(p);
    if (*p->at != c) return false;
    p->at++;
    return true;
}

static bool parse_call(Parser* p, const struct Function* function, double* value) {
    double arguments[MOST_ARGUMENTS];
    int count = 0;
    if (!take(p, '(')) return fail(p, "( is missing after a function");
    do {
        if (count == function->most) return fail(p, "too many arguments");
        if (!parse_sum(p, &arguments[count++])) return false;
    } while (take(p, ','));
    if (!take(p, ')')) return fail(p, ") is missing");
    *value = function->call(arguments, count);
    return true;
}

static bool parse_name(Parser* p, double* value) {
    const char* name = p->at;
    size_t length = name_length(name);
    const struct Function* function = find_function(name, length);
    const WfMeasureValue* measure = wf_find_measure(p->measures, name, length);
    if (!function && !measure) return fail_name(p, name, length);
    p->at += length;
    if (function) return parse_call(p, function, value);
    *value = measure->value;
    return true;
}

static bool parse_factor(Parser* p, double* value) {
    if (p->depth >= DEEPEST) return fail(p, "too deeply nested");
    bool good;
    p->depth++;
    if (take(p, '-')) {
        good = parse_factor(p, value);
        if (good) *value = -*value;
    } else if (take(p, '+')) {
        good = parse_factor(p, value);
    } else if (take(p, '(')) {
        good = parse_sum(p, value);
        if (good && !take(p, ')')) good = fail(p, ") is missing");
    } else if (is_digit(*p->at) || *p->at == '.') {
        size_t length = wf_parse_number(p->at, strlen(p->at), value);
        good = length > 0 || fail(p, "no number");
        p->at += length;
    } else if (is_letter(*p->at)) {
        good = parse_name(p, value);
    } else {
        good = fail(p, *p->at ? "a number or a name is missing" : "something is missing");
    }
    p->depth--;
    return good;
}

static bool parse_product(Parser* p, double* value) {
    double right;
    if (!parse_factor(p, value)) return false;
    for (;;) {
        bool times = take(p, '*');
        if (!times && !take(p, '/')) return true;
        if (!parse_factor(p, &right)) return false;
        if (!times && right == 0) return fail(p, "division by 0");
        *value = times ? *value * right : *value / right;
    }
}

static bool parse_sum(Parser* p, double* value) {
    double right;
    if (!parse_product(p, value)) return false;
    for (;;) {
        bool plus = take(p, '+');
        if (!plus && !take(p, '-')) return true;
        if (!parse_product(p, &right)) return false;
        *value = plus ? *value + right : *value - right;
    }
}

bool wf_evaluate(const char* text, const WfMeasureList* measures, double* value,
                 char complaint[WF_COMPLAINT]) {
    Parser p = {.text = text, .at = text, .measures = measures, .complaint = complaint};
    if (!parse_sum(&p, value)) return false;
    skip_space(&p);
    if (*p.at) return fail(&p, "an operator is missing");
    if (isfinite(*value)) return true;
    snprintf(complaint, WF_COMPLAINT, "its value is no number");
    return false;
}

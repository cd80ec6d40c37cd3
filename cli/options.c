// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "options.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "weft/weft_io.h"
#include "weft/weft_study.h"

// ---------------------------------------------------------------------------------------------
// Small things

bool init_list(TextList* list, int capacity) {
    *list = (TextList){0, calloc((size_t)capacity + 1, sizeof *list->texts)};
    if (!list->texts) complain(EXIT_FAILED, "out of memory");
    return list->texts != NULL;
}

void free_list(TextList* list) { free(list->texts); }

int complain(int code, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("weft: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return code;
}

const char* guess(const char* word, const char* before, const char* const* words, int count) {
    static char text[128];
    const char* nearest = weft_nearest_word(word, words, count);
    text[0] = 0;
    if (nearest) snprintf(text, sizeof text, "; did you mean %s%s?", before, nearest);
    return text;
}

int choices(const char* group, const char* names[CHOICE_LIMIT]) {
    int count = 0;
    for (int i = 0; weft_choice(i) && count < CHOICE_LIMIT; i++)
        if (strcmp(weft_choice(i)->group, group) == 0) names[count++] = weft_choice(i)->name;
    return count;
}

// ---------------------------------------------------------------------------------------------
// Help

enum { HELP_WIDTH = 96 };

static void print_option(const Option* option) {
    char left[40];
    const char* value = option->value ? option->value : "";
    const char* names[CHOICE_LIMIT];
    snprintf(left, sizeof left, "--%s %s", option->name,
             option->kind == OPTION_CHOICE ? "NAME" : value);
    int column = printf("  %-26s %s", left, option->text);
    int count = option->kind == OPTION_CHOICE ? choices(option->value, names) : 0;
    for (int i = 0; i < count; i++) {
        column += printf("%s", i == 0 ? ":" : i == count - 1 ? " or" : ",");
        bool fits = column + 1 + (int)strlen(names[i]) < HELP_WIDTH;
        if (fits)
            column += printf(" %s", names[i]);
        else
            column = printf("\n%29s%s", "", names[i]) - 1;
    }
    putchar('\n');
}

void print_help(const Command* command, const Option* options, int option_count) {
    printf("weft %s %s%s\n\n%s\n", command->name, command->arguments,
           option_count > 0 ? " [options]" : "", command->summary);
    if (command->details) printf("\n%s\n", command->details);
    puts("\nOptions");
    for (int i = 0; i < option_count; i++) print_option(&options[i]);
    printf("  %-26s %s\n", "--help", "this text");
}

// ---------------------------------------------------------------------------------------------
// Parsing

// A number, or a fraction such as 1/60.
static bool parse_number(const char* text, double* number) {
    char* end;
    *number = strtod(text, &end);
    if (end == text || *end != '/') return end != text && *end == 0;
    const char* below = end + 1;
    *number /= strtod(below, &end);
    return end != below && *end == 0;
}

static int read_number(const Option* option, const char* text) {
    double number;
    bool whole = option->kind == OPTION_COUNT, good = parse_number(text, &number);
    good = good && number >= option->low && number <= option->high;
    if (good && whole) good = number == (double)(int)number;
    if (!good)
        return complain(EXIT_USAGE, "--%s must be a %s from %g to %g, not \"%s\"", option->name,
                        whole ? "whole number" : "number", option->low, option->high, text);
    if (whole)
        *(int*)option->target = (int)number;
    else
        *(double*)option->target = number;
    return GO_ON;
}

static int read_choice(const Option* option, const char* text) {
    const char* names[CHOICE_LIMIT];
    int count = choices(option->value, names);
    for (int i = 0; i < count; i++) {
        if (strcmp(text, names[i]) != 0) continue;
        *(int*)option->target = i;
        return GO_ON;
    }
    return complain(EXIT_USAGE, "--%s does not know \"%s\"%s; `weft methods` lists what there is",
                    option->name, text, guess(text, "", names, count));
}

static int read_value(const Option* option, const char* text) {
    switch (option->kind) {
        case OPTION_NUMBER:
        case OPTION_COUNT:
            return read_number(option, text);
        case OPTION_CHOICE:
            return read_choice(option, text);
        case OPTION_TEXT:
            *(const char**)option->target = text;
            break;
        case OPTION_LIST: {
            TextList* list = option->target;
            list->texts[list->count++] = text;
            break;
        }
        case OPTION_FLAG:
            break;
    }
    return GO_ON;
}

static int fail_unknown(const Command* command, const Option* options, int option_count,
                        const char* name) {
    enum { ROOM = 64 };
    const char* names[ROOM];
    assert(option_count < ROOM);
    for (int i = 0; i < option_count; i++) names[i] = options[i].name;
    names[option_count] = "help";
    return complain(EXIT_USAGE, "%s has no option --%s%s", command->name, name,
                    guess(name, "--", names, option_count + 1));
}

// One option at argv[*i], which may take argv[*i + 1] too.
static int parse_option(const Command* command, const Option* options, int option_count, int argc,
                        char** argv, int* i) {
    char name[64];
    const char *text = argv[*i] + 2, *value = strchr(text, '=');
    int length = value ? (int)(value - text) : (int)strlen(text);
    snprintf(name, sizeof name, "%.*s", length < 60 ? length : 60, text);
    const Option* option = options;
    while (option < options + option_count && strcmp(option->name, name) != 0) option++;
    if (option == options + option_count) return fail_unknown(command, options, option_count, name);
    if (option->kind == OPTION_FLAG) {
        if (value) return complain(EXIT_USAGE, "--%s takes no value", name);
        *(bool*)option->target = true;
        return GO_ON;
    }
    if (value) return read_value(option, value + 1);
    if (*i + 1 == argc)
        return complain(EXIT_USAGE, "--%s needs a value: --%s %s", name, name,
                        option->kind == OPTION_CHOICE ? "NAME" : option->value);
    return read_value(option, argv[++*i]);
}

int parse_options(const Command* command, const Option* options, int option_count, int argc,
                  char** argv, TextList* arguments) {
    int code = GO_ON;
    bool only_arguments = false;
    if (!init_list(arguments, argc)) return EXIT_FAILED;
    for (int i = 0; i < argc && code == GO_ON; i++) {
        const char* text = argv[i];
        if (!only_arguments && strcmp(text, "--") == 0) {
            only_arguments = true;
        } else if (only_arguments || text[0] != '-' || text[1] == 0) {
            arguments->texts[arguments->count++] = text;
        } else if (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0) {
            print_help(command, options, option_count);
            code = EXIT_GOOD;
        } else if (text[1] != '-') {
            code = fail_unknown(command, options, option_count, text + 1);
        } else {
            code = parse_option(command, options, option_count, argc, argv, &i);
        }
    }
    return code;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What every command shares: options as tables, help made from them, errors, exit codes.

#ifndef WEFT_CLI_OPTIONS_H
#define WEFT_CLI_OPTIONS_H

#include <stdbool.h>

#if defined(__GNUC__)
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#else
#define PRINTF_LIKE(text, first)
#endif

enum { EXIT_GOOD = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, GO_ON = -1 };

typedef enum OptionKind {
    OPTION_FLAG,    // bool
    OPTION_TEXT,    // const char*
    OPTION_LIST,    // TextList; may be given more than once
    OPTION_NUMBER,  // double
    OPTION_COUNT,   // int
    OPTION_CHOICE,  // int: index of a name in a group of weft_choice()
} OptionKind;

typedef struct TextList {
    int count;
    const char** texts;  // room for as many as the program was given
} TextList;

typedef struct Option {
    const char* name;  // "out" for --out
    OptionKind kind;
    const char* value;  // what follows it, as help calls it: "FILE"; of choices, their group
    const char* text;   // what it does
    void* target;       // left alone where the option is not given
    double low, high;   // of numbers
} Option;

typedef struct Command {
    const char* name;
    const char* arguments;  // as help calls them: "SCENE..."
    const char* summary;    // one line
    const char* details;    // more, for its own help; or NULL
    int (*run)(const struct Command* command, int argc, char** argv);
} Command;

// Read options from argv[0] on; the rest goes to `arguments`. Returns GO_ON, or the exit code after
// --help or a mistake. `option_count` counts the table. The list must be freed with free_list.
int parse_options(const Command* command, const Option* options, int option_count, int argc,
                  char** argv, TextList* arguments);
void print_help(const Command* command, const Option* options, int option_count);

bool init_list(TextList* list, int capacity);
void free_list(TextList* list);

// The nearest of the words, as "; did you mean --out?", or an empty text. Not for keeping.
const char* guess(const char* word, const char* before, const char* const* words, int count);
// Print "weft: ..." (a line) to stderr and return the code.
int complain(int code, const char* format, ...) PRINTF_LIKE(2, 3);

// How many names a group of weft_choice() has, and which.
enum { CHOICE_LIMIT = 16 };
int choices(const char* group, const char* names[CHOICE_LIMIT]);

#endif

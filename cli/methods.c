// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft methods: everything a user can choose, from the library's own list.

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "weft/weft_study.h"

enum { NAME_WIDTH = 13 };

// Room for the names of a group, so much at least that most groups line up.
static int name_width(const char* group) {
    int width = NAME_WIDTH;
    for (int i = 0; weft_choice(i); i++) {
        int length = (int)strlen(weft_choice(i)->name);
        if (strcmp(weft_choice(i)->group, group) == 0 && length > width) width = length;
    }
    return width;
}

static void print_list(void) {
    const char* group = "";
    for (int i = 0; weft_choice(i); i++) {
        const WeftChoice* choice = weft_choice(i);
        if (strcmp(group, choice->group) != 0) printf("%s%s\n", i > 0 ? "\n" : "", choice->group);
        printf("  %-*s %s\n", name_width(choice->group), choice->name, choice->text);
        group = choice->group;
    }
    puts("\nquality");
    for (int i = 1; i <= WEFT_MAX_QUALITY; i++)
        printf("  %-*d %s\n", NAME_WIDTH, i, weft_quality_text(i));
}

static int print_json(void) {
    json_t *choice_list = json_array(), *qualities = json_array();
    for (int i = 0; weft_choice(i); i++) {
        const WeftChoice* choice = weft_choice(i);
        json_array_append_new(choice_list, json_pack("{s:s,s:s,s:s}", "group", choice->group,
                                                     "name", choice->name, "text", choice->text));
    }
    for (int i = 1; i <= WEFT_MAX_QUALITY; i++)
        json_array_append_new(qualities,
                              json_pack("{s:i,s:s}", "quality", i, "text", weft_quality_text(i)));
    json_t* root = json_pack("{s:o,s:o}", "choices", choice_list, "qualities", qualities);
    int code = root && json_dumpf(root, stdout, JSON_INDENT(2)) == 0 ? EXIT_GOOD : EXIT_FAILED;
    putchar('\n');
    json_decref(root);
    return code;
}

static int run_methods(const Command* command, int argc, char** argv) {
    bool json = false;
    const Option options[] = {
        {"json", OPTION_FLAG, NULL, "the list as data", &json, 0, 0},
    };
    TextList arguments;
    int code = parse_options(command, options, 1, argc, argv, &arguments);
    if (code == GO_ON && arguments.count > 0)
        code = complain(EXIT_USAGE, "methods takes no arguments, not \"%s\"", arguments.texts[0]);
    if (code == GO_ON) {
        code = EXIT_GOOD;
        if (json)
            code = print_json();
        else
            print_list();
    }
    free_list(&arguments);
    return code;
}

const Command methods_command = {
    .name = "methods",
    .arguments = "",
    .summary = "List every model, method and option, and what each quality stands for.",
    .run = run_methods,
};

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft, the tool: finds the command and hands over.

#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "place.h"
#include "weft/weft.h"

static const Command* const commands[] = {
    &run_command,     &check_command,   &check_contact_command, &view_command,   &methods_command,
    &fabrics_command, &pattern_command, &dress_command,         &detail_command, &drape_command,
    &fit_command,     &order_command,   &bench_command,
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_overview(FILE* out) {
    fprintf(out, "weft %s: cloth for real-time use\n\n", weft_version());
    for (int i = 0; i < COMMAND_COUNT; i++) {
        char left[40];
        snprintf(left, sizeof left, "%s %s", commands[i]->name, commands[i]->arguments);
        fprintf(out, "  weft %-22s %s\n", left, commands[i]->summary);
    }
    fprintf(out, "  weft %-22s %s\n\n", "help COMMAND", "The options of a command.");
    fputs("Try `weft run scenes/demo.json --out demo.glb`.\n", out);
}

static int run_command_named(const char* name, int argc, char** argv) {
    const char* names[COMMAND_COUNT + 1];
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(name, commands[i]->name) == 0) return commands[i]->run(commands[i], argc, argv);
        names[i] = commands[i]->name;
    }
    names[COMMAND_COUNT] = "help";
    return complain(EXIT_USAGE, "there is no command \"%s\"%s", name,
                    guess(name, "", names, COMMAND_COUNT + 1));
}

static bool is_one_of(const char* text, const char* a, const char* b, const char* c) {
    return strcmp(text, a) == 0 || strcmp(text, b) == 0 || strcmp(text, c) == 0;
}

int main(int argc, char** argv) {
    offer_fabrics();
    if (argc < 2) {
        print_overview(stderr);
        return EXIT_USAGE;
    }
    const char* word = argv[1];
    if (is_one_of(word, "version", "--version", "-V")) {
        printf("weft %s\n", weft_version());
        return EXIT_GOOD;
    }
    if (is_one_of(word, "help", "--help", "-h")) {
        char help[] = "--help";
        if (argc > 2) return run_command_named(argv[2], 1, (char*[]){help, NULL});
        print_overview(stdout);
        return EXIT_GOOD;
    }
    if (word[0] == '-')
        return complain(EXIT_USAGE, "no option %s before a command; see `weft --help`", word);
    return run_command_named(word, argc - 2, argv + 2);
}

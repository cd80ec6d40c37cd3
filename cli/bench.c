// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft bench: hands over to weft-bench, a program of its own because it links the libraries we
// measure ourselves against.

#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "place.h"

// WEFT_BENCH, or beside this program, or where it is installed.
static bool find_bench(char path[PATH_SIZE]) {
    static const char* const places[] = {"weft-bench", "../libexec/weft/weft-bench"};
    char folder[PATH_SIZE];
    const char* named = getenv("WEFT_BENCH");
    if (named) {
        snprintf(path, PATH_SIZE, "%s", named);
        return access(path, X_OK) == 0;
    }
    if (!own_folder(folder)) return false;
    for (int i = 0; i < 2; i++) {
        int length = snprintf(path, PATH_SIZE, "%s%s", folder, places[i]);
        if (length < PATH_SIZE && access(path, X_OK) == 0) return true;
    }
    return false;
}

static int hand_over(const char* path, int argc, char** argv) {
    char** arguments = calloc((size_t)argc + 2, sizeof *arguments);
    if (!arguments) return complain(EXIT_FAILED, "out of memory");
    arguments[0] = (char*)path;
    for (int i = 0; i < argc; i++) arguments[i + 1] = argv[i];
    fflush(stdout);
    execv(path, arguments);
    free(arguments);
    return complain(EXIT_FAILED, "%s does not start: %s", path, strerror(errno));
}

static int run_bench(const Command* command, int argc, char** argv) {
    char path[PATH_SIZE], list[] = "--list";
    bool help = argc > 0 && (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0);
    bool found = find_bench(path);
    if (help) print_help(command, NULL, 0);
    if (help && !found) puts("\nweft-bench is not built here.");
    if (help && !found) return EXIT_GOOD;
    if (!found)
        return complain(EXIT_FAILED,
                        "weft-bench is not built: configure with -DWEFT_BUILD_BENCH=ON, or name "
                        "the program in WEFT_BENCH");
    if (help) puts("\nBenches");
    if (help || argc == 0) return hand_over(path, 1, (char*[]){list});
    return hand_over(path, argc, argv);
}

const Command bench_command = {
    .name = "bench",
    .arguments = "NAME [ARGUMENTS]",
    .summary = "Measure, and print a table; without a name, list what can be measured.",
    .details =
        "Everything after `bench` goes to weft-bench, which stands beside this program or\n"
        "is named by the environment variable WEFT_BENCH. --json prints data.",
    .run = run_bench,
};

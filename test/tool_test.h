// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Running the tool as its users do.

#ifndef WEFT_TEST_TOOL_TEST_H
#define WEFT_TEST_TOOL_TEST_H

#include <sys/wait.h>

#include "test.h"

enum { TEXT_SIZE = 1 << 16 };
static char out[TEXT_SIZE], err[TEXT_SIZE];

static void read_text(const char* path, char text[TEXT_SIZE]) {
    FILE* file = fopen(path, "rb");
    size_t length = file ? fread(text, 1, TEXT_SIZE - 1, file) : 0;
    text[length] = 0;
    if (file) fclose(file);
}

// Run `weft ARGUMENTS` in a shell; what it prints is in out and err. Returns its exit code.
static int tool(const char* arguments) {
    char line[2048];
    snprintf(line, sizeof line, "'%s' %s >tool.out 2>tool.err", WEFT_TOOL, arguments);
    int status = system(line);
    read_text("tool.out", out);
    read_text("tool.err", err);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#endif

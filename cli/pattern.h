// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Patterns in the tool: what several commands do with them.

#ifndef WEFT_CLI_PATTERN_H
#define WEFT_CLI_PATTERN_H

#include <jansson.h>
#include <stdbool.h>

#include "weft/weft_io.h"

// Say what is in a pattern, or append it to the list. Returns an exit code.
int check_pattern(const char* path, json_t* list);

// The seam of a side: its number and which of its two chains the side is in; false where it has
// none.
bool find_seam(const WeftPattern* pattern, int panel, int side, int* seam, int* chain);
double chain_length(const WeftPattern* pattern, const WeftSeam* seam, int chain);

// pattern_picture.c: the panels side by side. Returns GO_ON (options.h), or an exit code.
int draw_pattern(const WeftPattern* pattern, const char* path);

#endif

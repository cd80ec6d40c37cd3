// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Files of the user's cache: what takes long to make, and is kept between runs.

#ifndef WEFT_BENCH_KEPT_H
#define WEFT_BENCH_KEPT_H

#include <stdbool.h>
#include <stdint.h>

enum { KEPT_PATH_SIZE = 1024 };

// Of what a kept file was made from.
uint64_t kept_hash(const char* definition);
// The path of a file by its name; makes the folder, too. False where the user has no place for it.
bool kept_path(const char* name, char path[KEPT_PATH_SIZE]);

#endif

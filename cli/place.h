// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Where this program stands, for what is found from there, and what files are called.

#ifndef WEFT_CLI_PLACE_H
#define WEFT_CLI_PLACE_H

#include <stdbool.h>

enum { PATH_SIZE = 4096 };

// The folder of this program, with a slash at its end.
bool own_folder(char folder[PATH_SIZE]);
// "demo.glb" of "out/demo.glb"; a part of the path.
const char* base_name(const char* path);
// Whether the path ends in ".glb" or the like, in letters of any case.
bool has_ending(const char* path, const char* ending);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Where this program stands, for what is found from there, and what files are called.

#ifndef WEFT_CLI_PLACE_H
#define WEFT_CLI_PLACE_H

#include <stdbool.h>

enum { PATH_SIZE = 4096 };

// The folder of this program, with a slash at its end.
bool own_folder(char folder[PATH_SIZE]);
// Where fabrics are: in the folders of the environment variable WEFT_FABRICS, then in those that
// came with this program, where it is installed or of the sources that it was built in. The
// variable then has all of them, for weft-bench.
void offer_fabrics(void);
const char* fabric_folders(void);  // those
// The names of the garments that came with this program, in order; returns how many.
enum { GARMENT_ROOM = 64 };
int garment_names(char (*names)[64], int room);
// The file of a pattern: its path, or the name of such a garment, "tshirt". Returns GO_ON, or an
// exit code after telling that there is none.
int find_pattern(const char* name, char path[PATH_SIZE]);
// The folder of a file, with its slash; "." where it is here.
void folder_name(const char* path, char folder[PATH_SIZE]);
// "demo.glb" of "out/demo.glb"; a part of the path.
const char* base_name(const char* path);
// Whether the path ends in ".glb" or the like, in letters of any case.
bool has_ending(const char* path, const char* ending);
// In bytes; 0 where there is none.
double file_size(const char* path);

#endif

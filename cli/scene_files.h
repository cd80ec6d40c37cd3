// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The files that a scene names: meshes, patterns, bodies, fabrics, details, and how it starts.

#ifndef WEFT_CLI_SCENE_FILES_H
#define WEFT_CLI_SCENE_FILES_H

#include <stdbool.h>

typedef struct NamedFile {
    char* name;  // as the scene calls it
    char* path;  // from here
} NamedFile;

typedef struct NamedFiles {
    int count;
    NamedFile* files;
} NamedFiles;

// Add those that a good scene names and that are there, each once; false without memory. Begin with
// {0}, and free it in any case.
bool add_scene_files(NamedFiles* files, const char* scene);
// One more, by the name that it is to have.
bool add_file(NamedFiles* files, const char* name, const char* path);
void free_named_files(NamedFiles* files);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Folders with patterns.

#ifndef WEFT_BENCH_GARMENTS_FILES_H
#define WEFT_BENCH_GARMENTS_FILES_H

#include "bench.h"

enum { FOLDER_SIZE = 4096, FILE_SIZE = FOLDER_SIZE + 256, MAX_FILES = 64 };

// The files of a folder whose names have an ending, in the order of their names.
typedef struct FileList {
    char folder[FOLDER_SIZE];
    int count;
    char names[MAX_FILES][64];  // without the ending; longer ones are passed over
} FileList;

// Returns an exit code, as the next one does; none at all is no failure.
int list_files(const char* folder, const char* ending, FileList* list);
// The garments that come with weft, or those of --garments; of them, those of --only.
int list_garments(const BenchOptions* options, FileList* list);
void file_path(const FileList* list, int index, const char* ending, char path[FILE_SIZE]);

#endif

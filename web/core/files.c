// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Files that the page was given, for readers that open them by name. The module has no file system:
// its linker sends fopen here (cmake/web.cmake).

#define _POSIX_C_SOURCE 200809L  // fmemopen

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "play.h"

typedef struct File {
    struct File* next;
    char *name, *bytes;
    size_t length;
} File;

static File* first;

static void free_file(File* file) {
    free(file->name);
    free(file->bytes);
    free(file);
}

static File* find_file(const char* name) {
    for (File* file = first; file; file = file->next)
        if (strcmp(file->name, name) == 0) return file;
    return NULL;
}

static File* add_file(const char* name) {
    size_t size = strlen(name) + 1;
    File* file = calloc(1, sizeof *file);
    if (!file) return NULL;
    file->name = malloc(size);
    if (!file->name) {
        free_file(file);
        return NULL;
    }
    memcpy(file->name, name, size);
    file->next = first;
    return first = file;
}

bool play_give_file(const char* name, const char* bytes, int length) {
    char* copy = malloc((size_t)length + 1);
    if (!copy) return false;
    memcpy(copy, bytes, (size_t)length);
    copy[length] = 0;
    File* file = find_file(name);
    if (!file) file = add_file(name);
    if (!file) {
        free(copy);
        return false;
    }
    free(file->bytes);
    file->bytes = copy;
    file->length = (size_t)length;
    return true;
}

#ifdef __wasm__
FILE* __wrap_fopen(const char* path, const char* mode);

FILE* __wrap_fopen(const char* path, const char* mode) {
    File* file = find_file(path);
    if (file && mode[0] == 'r' && file->length > 0)
        return fmemopen(file->bytes, file->length, mode);
    errno = file ? EINVAL : ENOENT;
    return NULL;
}
#endif

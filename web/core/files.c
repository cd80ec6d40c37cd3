// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Files that the page was given, for readers that open them by name, and those that it is given
// back. The module has no file system: its linker sends fopen and its kin here (cmake/web.cmake).

#define _GNU_SOURCE  // fmemopen, fopencookie

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

// A file that is written goes to the host, piece by piece; one at a time.
__attribute__((import_module("page"), import_name("write"))) void page_write(double place,
                                                                             const char* bytes,
                                                                             int count);

static double place;  // in the file, bytes

static ssize_t write_bytes(void* unused, const char* bytes, size_t count) {
    (void)unused;
    page_write(place, bytes, (int)count);
    place += (double)count;
    return (ssize_t)count;
}

static int seek_byte(void* unused, off_t* offset, int whence) {
    (void)unused;
    if (whence == SEEK_END) return -1;
    place = (double)*offset + (whence == SEEK_CUR ? place : 0);
    *offset = (off_t)place;
    return 0;
}

static FILE* open_output(void) {
    static char room[1 << 16];
    FILE* file =
        fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_bytes, .seek = seek_byte});
    place = 0;
    if (file) setvbuf(file, room, _IOFBF, sizeof room);
    return file;
}

FILE* __wrap_fopen(const char* path, const char* mode);
int __wrap_rename(const char* from, const char* to);
int __wrap_remove(const char* path);

FILE* __wrap_fopen(const char* path, const char* mode) {
    if (mode[0] == 'w') return open_output();
    File* file = find_file(path);
    if (file && mode[0] == 'r' && file->length > 0)
        return fmemopen(file->bytes, file->length, mode);
    errno = file ? EINVAL : ENOENT;
    return NULL;
}

// What was written has no name.
int __wrap_rename(const char* from, const char* to) {
    (void)from, (void)to;
    return 0;
}

int __wrap_remove(const char* path) {
    (void)path;
    return 0;
}

#endif

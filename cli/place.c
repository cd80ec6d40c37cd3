// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#define _POSIX_C_SOURCE 200809L

#include "place.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

#if defined(__APPLE__)
#include <mach-o/dyld.h>
#include <stdint.h>

static bool own_path(char path[PATH_SIZE]) {
    uint32_t size = PATH_SIZE;
    return _NSGetExecutablePath(path, &size) == 0;
}
#else
static bool own_path(char path[PATH_SIZE]) {
    ssize_t length = readlink("/proc/self/exe", path, PATH_SIZE - 1);
    path[length > 0 ? length : 0] = 0;
    return length > 0;
}
#endif

bool own_folder(char folder[PATH_SIZE]) {
    if (!own_path(folder)) return false;
    char* slash = strrchr(folder, '/');
    if (slash) slash[1] = 0;
    return slash != NULL;
}

const char* base_name(const char* path) {
    const char* slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool has_ending(const char* path, const char* ending) {
    size_t length = strlen(path), size = strlen(ending);
    return length > size && strcasecmp(path + length - size, ending) == 0;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#define _POSIX_C_SOURCE 200809L

#include "kept.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// FNV-1a
uint64_t kept_hash(const char* text) {
    uint64_t hash = 0xcbf29ce484222325;
    for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
    return hash;
}

bool kept_path(const char* name, char path[KEPT_PATH_SIZE]) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char folder[KEPT_PATH_SIZE - 64];
    bool named = cache && *cache;
    if (!named && (!home || !*home)) return false;
    int length = snprintf(folder, sizeof folder, named ? "%s" : "%s/.cache", named ? cache : home);
    if (length < 0 || (size_t)length >= sizeof folder - 8) return false;
    mkdir(folder, 0777);
    memcpy(folder + length, "/weft", 6);
    mkdir(folder, 0777);
    length = snprintf(path, KEPT_PATH_SIZE, "%s/%s", folder, name);
    return length > 0 && length < KEPT_PATH_SIZE;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#define _POSIX_C_SOURCE 200809L

#include "place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "weft/weft_io.h"

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

void offer_fabrics(void) {
    static const char* const places[] = {"../share/weft/fabrics", "../share/weft/fabrics/measured",
                                         "../../../fabrics/measured"};
    char own[PATH_SIZE], list[5 * PATH_SIZE];
    const char* named = getenv("WEFT_FABRICS");
    if (!own_folder(own)) return;
    int length = snprintf(list, sizeof list, "%.*s", PATH_SIZE, named ? named : "");
    for (int i = 0; i < 3; i++) {
        char path[PATH_SIZE + 64];
        snprintf(path, sizeof path, "%s%s", own, places[i]);
        if (access(path, R_OK) == 0)
            length += snprintf(list + length, sizeof list - (size_t)length, ":%s", path);
    }
    if (length > 0) setenv("WEFT_FABRICS", list, 1);
    weft_use_fabric_folders(list);
}

bool find_garment(const char* name, char path[PATH_SIZE]) {
    static const char* const places[] = {"../share/weft/garments", "../../../garments"};
    char own[PATH_SIZE];
    if (!own_folder(own) || strchr(name, '/')) return false;
    for (int i = 0; i < 2; i++) {
        int length = snprintf(path, PATH_SIZE, "%s%s/%s.json", own, places[i], name);
        if (length > 0 && length < PATH_SIZE && access(path, R_OK) == 0) return true;
    }
    return false;
}

void folder_name(const char* path, char folder[PATH_SIZE]) {
    const char* slash = strrchr(path, '/');
    snprintf(folder, PATH_SIZE, "%.*s", slash ? (int)(slash - path + 1) : 1, slash ? path : ".");
}

const char* base_name(const char* path) {
    const char* slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool has_ending(const char* path, const char* ending) {
    size_t length = strlen(path), size = strlen(ending);
    return length > size && strcasecmp(path + length - size, ending) == 0;
}

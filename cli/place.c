// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#define _POSIX_C_SOURCE 200809L

#include "place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "options.h"
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

static char fabrics[5 * PATH_SIZE];

const char* fabric_folders(void) { return fabrics; }

void offer_fabrics(void) {
    static const char* const places[] = {"../share/weft/fabrics", "../share/weft/fabrics/measured",
                                         "../../../fabrics/measured"};
    char own[PATH_SIZE];
    const char* named = getenv("WEFT_FABRICS");
    if (!own_folder(own)) return;
    int length = snprintf(fabrics, sizeof fabrics, "%.*s", PATH_SIZE, named ? named : "");
    for (int i = 0; i < 3; i++) {
        char path[PATH_SIZE + 64];
        snprintf(path, sizeof path, "%s%s", own, places[i]);
        if (access(path, R_OK) == 0)
            length += snprintf(fabrics + length, sizeof fabrics - (size_t)length, ":%s", path);
    }
    if (length > 0) setenv("WEFT_FABRICS", fabrics, 1);
}

// The folder of the garments that came with this program; false where they are not there.
static bool garment_folder(char folder[PATH_SIZE]) {
    static const char* const places[] = {"../share/weft/garments", "../../../garments"};
    char own[PATH_SIZE];
    if (!own_folder(own)) return false;
    for (int i = 0; i < 2; i++) {
        int length = snprintf(folder, PATH_SIZE, "%s%s", own, places[i]);
        if (length > 0 && length < PATH_SIZE && access(folder, R_OK) == 0) return true;
    }
    return false;
}

int garment_names(char (*names)[64], int room) {
    char folder[PATH_SIZE];
    int count = garment_folder(folder) ? weft_list_fabrics(folder, names, room) : 0;
    return count < room ? count : room;
}

static bool find_garment(const char* name, char path[PATH_SIZE]) {
    char folder[PATH_SIZE];
    if (strchr(name, '/') || !garment_folder(folder)) return false;
    int length = snprintf(path, PATH_SIZE, "%s/%s.json", folder, name);
    return length > 0 && length < PATH_SIZE && access(path, R_OK) == 0;
}

int find_pattern(const char* name, char path[PATH_SIZE]) {
    char names[GARMENT_ROOM][64];
    const char* words[GARMENT_ROOM];
    if (access(name, F_OK) != 0 && find_garment(name, path)) return GO_ON;
    if (strlen(name) >= PATH_SIZE) return complain(EXIT_USAGE, "%s: too long a name", name);
    snprintf(path, PATH_SIZE, "%s", name);
    if (access(name, F_OK) == 0) return GO_ON;
    int count = garment_names(names, GARMENT_ROOM);
    for (int i = 0; i < count; i++) words[i] = names[i];
    return complain(EXIT_USAGE, "%s: there is no such file, nor garment%s", name,
                    guess(name, "", words, count));
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

double file_size(const char* path) {
    struct stat status;
    return stat(path, &status) == 0 ? (double)status.st_size : 0;
}

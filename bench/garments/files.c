// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#define _POSIX_C_SOURCE 200809L

#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int compare_names(const void* a, const void* b) { return strcmp(a, b); }

int list_files(const char* folder, const char* ending, FileList* list) {
    list->count = 0;
    snprintf(list->folder, sizeof list->folder, "%s", folder);
    DIR* open = opendir(folder);
    if (!open) return complain(EXIT_USAGE, "%s: %s", folder, strerror(errno));
    for (struct dirent* entry; (entry = readdir(open)) != NULL && list->count < MAX_FILES;) {
        size_t length = strlen(entry->d_name), size = strlen(ending);
        if (length <= size || strcmp(entry->d_name + length - size, ending) != 0) continue;
        if (length - size >= sizeof list->names[0]) continue;
        snprintf(list->names[list->count++], sizeof list->names[0], "%.*s", (int)(length - size),
                 entry->d_name);
    }
    closedir(open);
    qsort(list->names, (size_t)list->count, sizeof list->names[0], compare_names);
    return EXIT_GOOD;
}

// Where they are installed, or in the sources that this program was built in.
static bool find_folder(char folder[FOLDER_SIZE]) {
    static const char* const places[] = {"../share/weft/garments", "../../share/weft/garments",
                                         "../../../garments"};
    char own[FOLDER_SIZE / 2];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    own[length > 0 ? length : 0] = 0;
    char* slash = strrchr(own, '/');
    if (slash) slash[1] = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(folder, FOLDER_SIZE, "%s%s", own, places[i]);
        if (access(folder, R_OK) == 0) return true;
    }
    return false;
}

static void keep_only(FileList* list, const char* name) {
    int kept = 0;
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->names[i], name) == 0) memmove(list->names[kept++], list->names[i], 64);
    list->count = kept;
}

int list_garments(const BenchOptions* options, FileList* list) {
    char folder[FOLDER_SIZE];
    if (!options->garments && !find_folder(folder))
        return complain(EXIT_FAILED, "the garments are not here; --garments DIR names the folder");
    int code = list_files(options->garments ? options->garments : folder, ".json", list);
    if (code) return code;
    if (options->only) keep_only(list, options->only);
    if (list->count > 0) return EXIT_GOOD;
    if (options->only)
        return complain(EXIT_USAGE, "there is no garment \"%s\" in %s", options->only,
                        list->folder);
    return complain(EXIT_USAGE, "there are no garments in %s", list->folder);
}

void file_path(const FileList* list, int index, const char* ending, char path[FILE_SIZE]) {
    snprintf(path, FILE_SIZE, "%s/%s%s", list->folder, list->names[index], ending);
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Fabrics by name: presets, then files in folders.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/file.h"
#include "material/presets.h"
#include "weft/weft_io.h"

enum { PATH_SIZE = 4096, NAME_SIZE = 64, LIST_SIZE = 256 };
static const char ending[] = ".json";

// ---------------------------------------------------------------------------------------------
// Folders

static int compare_names(const void* a, const void* b) { return strcmp(a, b); }

// "denim" of "denim.json"; false for files of other kinds, and names too long to be kept.
static bool take_name(const char* file, char name[NAME_SIZE]) {
    size_t length = strlen(file), end = sizeof ending - 1;
    if (length <= end || length - end >= NAME_SIZE || strcmp(file + length - end, ending) != 0)
        return false;
    memcpy(name, file, length - end);
    name[length - end] = 0;
    return true;
}

typedef struct Names {
    char (*names)[NAME_SIZE];
    int room, count;
} Names;

static bool add_name(void* context, const char* file) {
    Names* list = context;
    char name[NAME_SIZE];
    if (!take_name(file, name)) return true;
    if (list->count < list->room) memcpy(list->names[list->count], name, NAME_SIZE);
    list->count++;
    return true;
}

int weft_list_fabrics(const char* folder, char (*names)[64], int room) {
    Names list = {names, room, 0};
    wf_list_folder(folder, add_name, &list);
    int kept = list.count < room ? list.count : room;
    if (kept > 1) qsort(names, (size_t)kept, sizeof *names, compare_names);
    return list.count;
}

bool weft_fabric_folder(const char* fabrics, int index, char* path, size_t size) {
    const char* at = fabrics ? fabrics : "";
    for (; *at; at += strspn(at, WF_FOLDER_SEPARATOR)) {
        size_t length = strcspn(at, WF_FOLDER_SEPARATOR);
        if (length > 0 && length < size && index-- == 0) {
            memcpy(path, at, length);
            path[length] = 0;
            return true;
        }
        at += length;
    }
    return false;
}

// ---------------------------------------------------------------------------------------------
// Names

static void use_preset(const WeftFabricPreset* preset, WeftFabricFile* file) {
    *file = (WeftFabricFile){.fabric = preset->fabric};
    snprintf(file->name, sizeof file->name, "%s", preset->name);
    snprintf(file->description, sizeof file->description, "%s", preset->description);
    snprintf(file->source, sizeof file->source, "%s", preset->source);
    weft_preset_look(preset->name, &file->look);
}

static bool is_path(const char* name) {
    size_t length = strlen(name), end = sizeof ending - 1;
    return wf_file_name(name) > name || (length > end && strcmp(name + length - end, ending) == 0);
}

static bool join(char path[PATH_SIZE], const char* folder, const char* name, const char* end) {
    bool bare = !folder || !folder[0] || wf_is_absolute(name);
    int length =
        snprintf(path, PATH_SIZE, "%s%s%s%s", bare ? "" : folder, bare ? "" : "/", name, end);
    return length > 0 && length < PATH_SIZE;
}

// Whether a fabric is there: other files, such as a scene called like its fabric, do not have the
// key that begins one.
static bool is_fabric(const char* path) {
    char head[1024];
    FILE* file = wf_open_file(path, "rb");
    if (!file) return false;
    head[fread(head, 1, sizeof head - 1, file)] = 0;
    fclose(file);
    return strstr(head, "\"weft_fabric\"") != NULL;
}

// NAME.json in the folder, or in those of the list.
static bool find_file(const char* name, const char* folder, const char* fabrics,
                      char path[PATH_SIZE]) {
    char other[PATH_SIZE];
    if (join(path, folder, name, ending) && is_fabric(path)) return true;
    for (int i = 0; weft_fabric_folder(fabrics, i, other, sizeof other); i++)
        if (join(path, other, name, ending) && is_fabric(path)) return true;
    return false;
}

int weft_fabric_names(const char* fabrics, char (*names)[64], int room) {
    int count = 0;
    char folder[PATH_SIZE];
    for (int i = 0; weft_fabric_preset(i) && count < room; i++, count++)
        snprintf(names[count], NAME_SIZE, "%s", weft_fabric_preset(i)->name);
    for (int i = 0; weft_fabric_folder(fabrics, i, folder, sizeof folder); i++) {
        int left = room - count, more = weft_list_fabrics(folder, names + count, left);
        count += more < left ? more : left;
    }
    return count;
}

static WeftResult fail_unknown(const char* name, const char* fabrics, WeftError* error) {
    char found[LIST_SIZE][NAME_SIZE];
    const char* words[LIST_SIZE];
    int count = weft_fabric_names(fabrics, found, LIST_SIZE);
    for (int i = 0; i < count; i++) words[i] = found[i];
    const char* nearest = weft_nearest_word(name, words, count);
    if (nearest)
        return wf_fail(error, WEFT_ERROR_FILE,
                       "there is no fabric \"%.60s\"; did you mean \"%s\"? `weft fabrics` lists "
                       "those that are known",
                       name, nearest);
    return wf_fail(error, WEFT_ERROR_FILE,
                   "there is no fabric \"%.60s\"; `weft fabrics` lists those that are known", name);
}

WeftResult weft_find_fabric(const char* name, const char* folder, const char* fabrics,
                            WeftFabricFile* fabric, WeftError* error) {
    char path[PATH_SIZE];
    const WeftFabricPreset* preset = wf_find_preset(name);
    if (preset) {
        use_preset(preset, fabric);
        return WEFT_OK;
    }
    if (is_path(name)) {
        if (!join(path, folder, name, ""))
            return wf_fail(error, WEFT_ERROR_FILE, "the path of a fabric is too long");
        return weft_load_fabric(path, fabric, error);
    }
    if (!find_file(name, folder, fabrics, path)) return fail_unknown(name, fabrics, error);
    return weft_load_fabric(path, fabric, error);
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#define _POSIX_C_SOURCE 200809L

#include "scene_files.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "place.h"

bool add_file(NamedFiles* files, const char* name, const char* path) {
    NamedFile* more = realloc(files->files, ((size_t)files->count + 1) * sizeof *more);
    if (!more) return false;
    files->files = more;
    NamedFile* file = &more[files->count++];
    file->name = strdup(name);
    file->path = strdup(path);
    return file->name && file->path;
}

void free_named_files(NamedFiles* files) {
    for (int i = 0; i < files->count; i++) {
        free(files->files[i].name);
        free(files->files[i].path);
    }
    free(files->files);
}

static bool is_known(const NamedFiles* files, const char* name) {
    for (int i = 0; i < files->count; i++)
        if (strcmp(files->files[i].name, name) == 0) return true;
    return false;
}

// ---------------------------------------------------------------------------------------------

typedef struct Search {
    NamedFiles* files;
    char folder[PATH_SIZE];  // of the scene, with its slash; empty: here
    bool failed;
} Search;

// Names are looked up beside the scene, as its reader does it.
static void add_name(Search* search, const char* name) {
    char path[PATH_SIZE];
    struct stat facts;
    if (!name || search->failed || is_known(search->files, name)) return;
    const char* folder = name[0] == '/' ? "" : search->folder;
    if (snprintf(path, PATH_SIZE, "%s%s", folder, name) >= PATH_SIZE) return;
    if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode)) return;
    search->failed = !add_file(search->files, name, path);
}

static void add_texts(Search* search, const json_t* object, const char* const* keys) {
    for (; *keys; keys++) add_name(search, json_string_value(json_object_get(object, *keys)));
}

// A preset, or a file: by its path, or by its name alone.
static void add_fabric(Search* search, const json_t* fabric) {
    char file[PATH_SIZE];
    const json_t* base = json_is_object(fabric) ? json_object_get(fabric, "base") : fabric;
    const char* name = json_string_value(base);
    if (!name) return;
    bool is_path = strchr(name, '/') || has_ending(name, ".json");
    if (snprintf(file, PATH_SIZE, "%s%s", name, is_path ? "" : ".json") < PATH_SIZE)
        add_name(search, file);
}

static void add_detail(Search* search, const json_t* detail) {
    static const char* const keys[] = {"mesh", NULL};
    add_name(search, json_string_value(detail));
    add_texts(search, detail, keys);
}

static void add_cloth(Search* search, const json_t* cloth) {
    static const char* const keys[] = {"file", NULL};
    add_texts(search, json_object_get(cloth, "mesh"), keys);
    add_fabric(search, json_object_get(cloth, "fabric"));
    add_detail(search, json_object_get(cloth, "detail"));
}

static void add_all(Search* search, const json_t* scene) {
    static const char* const own[] = {"start", NULL};
    static const char* const of_body[] = {"file", "frames", "clip_file", NULL};
    const json_t *cloths = json_object_get(scene, "cloths"),
                 *bodies = json_object_get(scene, "bodies");
    add_texts(search, scene, own);
    add_detail(search, json_object_get(scene, "detail"));
    for (size_t i = 0; i < json_array_size(cloths); i++)
        add_cloth(search, json_array_get(cloths, i));
    for (size_t i = 0; i < json_array_size(bodies); i++)
        add_texts(search, json_array_get(bodies, i), of_body);
}

bool add_scene_files(NamedFiles* files, const char* path) {
    Search search = {.files = files};
    json_t* scene = json_load_file(path, 0, NULL);
    if (strchr(path, '/')) folder_name(path, search.folder);
    add_all(&search, scene);
    json_decref(scene);
    return !search.failed;
}

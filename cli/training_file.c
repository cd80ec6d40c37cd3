// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Lines of a name and a value, then the bytes of the learner:
//
//     weft training 1
//     parts 4
//     ...
//     done 3 0 0 12.5
//     bytes 123456
//     ...

#define _POSIX_C_SOURCE 200809L

#include "training_file.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "place.h"

static const char FIRST_LINE[] = "weft training 1\n";

void add_trait(TrainingFile* file, const char* name, const char* format, ...) {
    Trait* trait = &file->traits[file->trait_count++];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(trait->value, TRAIT_SIZE, format, arguments);
    va_end(arguments);
    trait->name = name;
}

// ---------------------------------------------------------------------------------------------
// Fingerprints (FNV-1a)

static uint64_t hash(uint64_t value, const void* bytes, size_t count) {
    const unsigned char* at = bytes;
    for (size_t i = 0; i < count; i++) value = (value ^ at[i]) * UINT64_C(0x100000001b3);
    return value;
}

static const uint64_t HASH_START = UINT64_C(0xcbf29ce484222325);

// What a scene is shown by does not change what is learned; nor does the order of keys.
uint64_t print_text(const char* path) {
    uint64_t value = HASH_START;
    json_t* root = json_load_file(path, 0, NULL);
    json_t *cloths = json_object_get(root, "cloths"), *cloth;
    size_t index;
    json_object_del(root, "detail");
    json_array_foreach(cloths, index, cloth) json_object_del(cloth, "detail");
    char* text = root ? json_dumps(root, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    if (text) value = hash(value, text, strlen(text));
    free(text);
    json_decref(root);
    return value;
}

static uint64_t hash_mesh(uint64_t value, const WeftMesh* mesh) {
    value = hash(value, mesh->triangles, 3 * sizeof(int) * (size_t)mesh->triangle_count);
    value = hash(value, mesh->positions, 3 * sizeof(double) * (size_t)mesh->vertex_count);
    return hash(value, mesh->material, 2 * sizeof(double) * (size_t)mesh->material_count);
}

// Files that the text names may have changed: by what came of them.
uint64_t print_scene(const WeftScene* scene) {
    uint64_t value = HASH_START;
    for (int c = 0; c < scene->model.cloth_count; c++) {
        const WeftFabric* f = &scene->model.cloths[c].fabric;
        const double numbers[] = {f->density, f->stretch_warp, f->stretch_weft,
                                  f->shear,   f->bend,         f->thickness};
        value = hash_mesh(value, &scene->meshes[c]);
        value = hash(value, numbers, sizeof numbers);
    }
    for (int b = 0; b < scene->model.body_count; b++)
        value = hash_mesh(value, &scene->bodies[b].mesh);
    return value;
}

// ---------------------------------------------------------------------------------------------
// Writing

static void name_file(const TrainingFile* file, const char* ending, char path[PATH_SIZE]) {
    snprintf(path, PATH_SIZE, "%s.training%s", file->out, ending);
}

static bool write_all(const TrainingFile* file, const void* bytes, size_t size, FILE* out) {
    fputs(FIRST_LINE, out);
    for (int i = 0; i < file->trait_count; i++)
        fprintf(out, "%s %s\n", file->traits[i].name, file->traits[i].value);
    fprintf(out, "done %d %d %d %.17g\nbytes %zu\n", file->motions, file->tangled, file->lost,
            file->seconds, size);
    return fwrite(bytes, 1, size, out) == size && !ferror(out);
}

int keep_training(const TrainingFile* file, const WeftLearner* learner) {
    char part[PATH_SIZE], path[PATH_SIZE];
    size_t size = weft_save_learner(learner, NULL, 0);
    void* bytes = malloc(size);
    name_file(file, ".part", part);
    name_file(file, "", path);
    if (!bytes) return complain(EXIT_FAILED, "out of memory");
    weft_save_learner(learner, bytes, size);
    FILE* out = fopen(part, "wb");
    bool good = out && write_all(file, bytes, size, out);
    if (out) good = fclose(out) == 0 && good;
    good = good && rename(part, path) == 0;
    int code =
        good ? GO_ON : complain(out ? EXIT_FAILED : EXIT_USAGE, "%s: %s", path, strerror(errno));
    if (!good) remove(part);
    free(bytes);
    return code;
}

void remove_training(const TrainingFile* file) {
    char path[PATH_SIZE];
    name_file(file, "", path);
    remove(path);
}

// ---------------------------------------------------------------------------------------------
// Reading

static int refuse(const char* path, const char* why) {
    return complain(EXIT_USAGE,
                    "%s: %s; --restart begins anew, and another --out leaves it as it is", path,
                    why);
}

// A line without its end; false where there is none.
static bool read_line(FILE* in, char* line, int size) {
    if (!fgets(line, size, in)) return false;
    size_t length = strlen(line);
    if (length == 0 || line[length - 1] != '\n') return false;
    line[length - 1] = 0;
    return true;
}

static int read_traits(const TrainingFile* file, const char* path, FILE* in) {
    char line[2 * TRAIT_SIZE], why[4 * TRAIT_SIZE];
    for (int i = 0; i < file->trait_count; i++) {
        const Trait* trait = &file->traits[i];
        size_t length = strlen(trait->name);
        if (!read_line(in, line, sizeof line) || strncmp(line, trait->name, length) != 0 ||
            line[length] != ' ')
            return refuse(path, "this is no training of this version");
        if (strcmp(line + length + 1, trait->value) == 0) continue;
        snprintf(why, sizeof why, "its %s is %.60s, and not %.60s", trait->name, line + length + 1,
                 trait->value);
        return refuse(path, why);
    }
    return GO_ON;
}

static int read_learner(const char* path, FILE* in, size_t size, WeftLearner* learner) {
    WeftError error;
    long start = ftell(in), end = fseek(in, 0, SEEK_END) == 0 ? ftell(in) : -1;
    if (start < 0 || end < start || (size_t)(end - start) != size ||
        fseek(in, start, SEEK_SET) != 0)
        return refuse(path, "it is cut short, or longer than it should be");
    void* bytes = malloc(size + 1);
    if (!bytes) return complain(EXIT_FAILED, "out of memory");
    int code = GO_ON;
    if (fread(bytes, 1, size, in) != size)
        code = refuse(path, "it cannot be read");
    else if (weft_load_learner(learner, bytes, size, &error))
        code = refuse(path, error.message);
    free(bytes);
    return code;
}

static int read_all(TrainingFile* file, const char* path, FILE* in, WeftLearner* learner) {
    char line[2 * TRAIT_SIZE];
    size_t size;
    if (!fgets(line, sizeof line, in) || strcmp(line, FIRST_LINE) != 0)
        return refuse(path, "this is no training of this version");
    int code = read_traits(file, path, in);
    if (code != GO_ON) return code;
    if (!read_line(in, line, sizeof line) ||
        sscanf(line, "done %d %d %d %lf", &file->motions, &file->tangled, &file->lost,
               &file->seconds) != 4 ||
        !read_line(in, line, sizeof line) || sscanf(line, "bytes %zu", &size) != 1)
        return refuse(path, "it is damaged");
    return read_learner(path, in, size, learner);
}

int resume_training(TrainingFile* file, WeftLearner* learner) {
    char path[PATH_SIZE];
    name_file(file, "", path);
    FILE* in = fopen(path, "rb");
    if (!in) return GO_ON;
    int code = read_all(file, path, in, learner);
    fclose(in);
    return code;
}

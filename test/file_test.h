// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// For tests of files: a folder of their own that must be empty in the end, and an allocator that
// fails when told. Include it before anything else.

#ifndef WEFT_FILE_TEST_H
#define WEFT_FILE_TEST_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L  // mkdtemp, readdir, symlink
#endif

#include <dirent.h>
#include <unistd.h>

#include "test.h"
#include "weft/weft_io.h"

static char test_folder[64];

static inline void remove_test_folder(void) { rmdir(test_folder); }

// The path of a file in the test's folder; good until the fourth call from here.
static inline const char* test_path(const char* name) {
    static char paths[4][256];
    static int next;
    if (!test_folder[0]) {
        strcpy(test_folder, "/tmp/weft_test_XXXXXX");
        if (!mkdtemp(test_folder)) abort();
        atexit(remove_test_folder);
    }
    char* path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", test_folder, name);
    return path;
}

static inline int count_files(void) {
    int count = 0;
    test_path("");
    DIR* folder = opendir(test_folder);
    for (struct dirent* entry; folder && (entry = readdir(folder));)
        if (entry->d_name[0] != '.') count++;
    if (folder) closedir(folder);
    return count;
}

static inline bool file_exists(const char* path) {
    FILE* file = fopen(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

static inline void save_file(const char* path, const void* bytes, size_t count) {
    FILE* file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, count, file) != count || fclose(file)) abort();
}

// All of a file and a zero behind it, to be freed; NULL where there is none.
static inline unsigned char* load_file(const char* path, size_t* count) {
    *count = 0;
    FILE* file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    *count = (size_t)ftell(file);
    rewind(file);
    unsigned char* bytes = calloc(*count + 1, 1);
    if (!bytes || fread(bytes, 1, *count, file) != *count) abort();
    fclose(file);
    return bytes;
}

// Little-endian numbers in a file.
static inline uint32_t get_word(const unsigned char* at) {
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}
static inline float get_float(const unsigned char* at) {
    uint32_t word = get_word(at);
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

// Fails from the (left + 1)th allocation on; `held` are those not given back.
typedef struct TestMemory {
    int left, held;
} TestMemory;

static inline void* test_allocate(void* user, size_t bytes) {
    TestMemory* memory = user;
    if (memory->left-- <= 0) return NULL;
    memory->held++;
    return malloc(bytes);
}
static inline void test_release(void* user, void* bytes) {
    TestMemory* memory = user;
    memory->held--;
    free(bytes);
}
static inline WeftAllocator test_allocator(TestMemory* memory) {
    return (WeftAllocator){test_allocate, test_release, memory};
}

// What the writers are fed: a bent strip of 2 x count vertices that swings.
enum { STRIP_COUNT = 5, STRIP_VERTICES = 2 * STRIP_COUNT, STRIP_TRIANGLES = 2 * (STRIP_COUNT - 1) };

typedef struct Strip {
    int triangles[3 * STRIP_TRIANGLES];
    float texture[2 * STRIP_VERTICES];
    float positions[3 * STRIP_VERTICES], normals[3 * STRIP_VERTICES];
} Strip;

static inline void move_strip(Strip* strip, int frame) {
    for (int i = 0; i < STRIP_VERTICES; i++) {
        float angle = 0.1f * (float)(i / 2) * (float)(frame + 1);
        float* x = strip->positions + 3 * i;
        x[0] = 0.3f * cosf(angle) * (float)(i / 2), x[1] = sinf(angle) / 3, x[2] = (float)(i % 2);
        float* n = strip->normals + 3 * i;
        n[0] = -sinf(angle), n[1] = cosf(angle), n[2] = 0;
    }
}

static inline Strip make_strip(void) {
    Strip strip;
    for (int i = 0; i < STRIP_VERTICES; i++) {
        strip.texture[2 * i] = 0.3f * (float)(i / 2);
        strip.texture[2 * i + 1] = 1.7f * (float)(i % 2);
    }
    for (int i = 0; i < STRIP_COUNT - 1; i++) {
        int corners[6] = {2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 2, 2 * i + 1, 2 * i + 3};
        memcpy(strip.triangles + 6 * i, corners, sizeof corners);
    }
    move_strip(&strip, 0);
    return strip;
}

static inline WeftWriterDef strip_def(const Strip* strip, int frame_count) {
    WeftWriterDef def = weft_default_writer_def();
    def.vertex_count = STRIP_VERTICES;
    def.triangle_count = STRIP_TRIANGLES;
    def.triangles = strip->triangles;
    def.texture = strip->texture;
    def.frame_count = frame_count;
    def.frame_rate = 25;
    return def;
}

// The strip as two panels, sewn at vertices 4 and 5: those have two texture coordinates each.
enum { SEAM_POINTS = 2 * STRIP_VERTICES, SEAM_COPIES = 2 };

typedef struct Seam {
    float texture[2 * SEAM_POINTS];
    int corners[3 * STRIP_TRIANGLES];
} Seam;

static inline Seam make_seam(const Strip* strip) {
    Seam seam;
    for (int i = 0; i < SEAM_POINTS; i++) {
        const float* from = strip->texture + 2 * (i % STRIP_VERTICES);
        seam.texture[2 * i] = from[0] + (i < STRIP_VERTICES ? 0 : 0.25f);
        seam.texture[2 * i + 1] = from[1];
    }
    for (int i = 0; i < 3 * STRIP_TRIANGLES; i++)
        seam.corners[i] = strip->triangles[i] + (2 * i < 3 * STRIP_TRIANGLES ? 0 : STRIP_VERTICES);
    return seam;
}

static inline WeftWriterDef seam_def(const Strip* strip, const Seam* seam, int frame_count) {
    WeftWriterDef def = strip_def(strip, frame_count);
    def.texture = seam->texture;
    def.texture_count = SEAM_POINTS;
    def.triangle_texture = seam->corners;
    return def;
}

// Write `frames` frames of the strip and close.
static inline WeftResult write_strip(const char* path, const WeftWriterDef* def, int frames,
                                     WeftError* error) {
    Strip strip = make_strip();
    WeftWriter* writer = NULL;
    WeftResult result = weft_open_writer(path, def, &writer, error);
    if (result) {
        CHECK(!writer);
        return result;
    }
    for (int i = 0; i < frames && !result; i++) {
        move_strip(&strip, i);
        result = weft_write_frame(writer, strip.positions, strip.normals, error);
    }
    WeftResult closed = weft_close_writer(writer, result ? NULL : error);
    return result ? result : closed;
}

#endif

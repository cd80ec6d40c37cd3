// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// PC2, a point cache, read back: see write_pc2.c for what is where. Numbers are little-endian.

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "io/file.h"
#include "io/scene_parts.h"

enum { HEADER_SIZE = 32, MOST_SAMPLES = 1 << 20 };

static uint32_t get_word(const unsigned char* bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static double get_float(const unsigned char* bytes) {
    uint32_t word = get_word(bytes);
    float value;
    memcpy(&value, &word, sizeof value);
    return (double)value;
}

// Frame i stands for (start + i every) / rate seconds.
static WeftResult read_header(FILE* file, const char* path, int vertex_count, double rate,
                              const WeftAllocator* allocator, WeftShapeTrack* shape,
                              WeftError* error) {
    unsigned char header[HEADER_SIZE];
    if (fread(header, 1, HEADER_SIZE, file) != HEADER_SIZE ||
        memcmp(header, "POINTCACHE2", 12) != 0)
        return wf_fail(error, WEFT_ERROR_INPUT, "%s: this is no PC2 file", path);
    uint32_t points = get_word(header + 16), samples = get_word(header + 28);
    double start = get_float(header + 20), every = get_float(header + 24);
    if (points != (uint32_t)vertex_count)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "%s: the file has %lu points, the mesh has %d vertices", path,
                       (unsigned long)points, vertex_count);
    if (samples < 1 || samples > MOST_SAMPLES || !isfinite(start) || !isfinite(every) ||
        !(every > 0))
        return wf_fail(error, WEFT_ERROR_INPUT, "%s: the file has no frames, or none in order",
                       path);
    shape->times = wf_alloc(allocator, samples, sizeof(double));
    if (!shape->times) return wf_fail_memory(error);
    shape->key_count = (int)samples;
    for (uint32_t i = 0; i < samples; i++) shape->times[i] = (start + i * every) / rate;
    return WEFT_OK;
}

// Whether the file is as long as its header says, so that a wrong one does not ask for much memory.
static bool is_complete(FILE* file, const WeftShapeTrack* shape, int vertex_count) {
    double wanted = HEADER_SIZE + 12.0 * shape->key_count * vertex_count;
    if (fseek(file, 0, SEEK_END) != 0) return false;
    long size = ftell(file);
    return fseek(file, HEADER_SIZE, SEEK_SET) == 0 && (double)size >= wanted;
}

static WeftResult read_frames(FILE* file, const char* path, int vertex_count,
                              const WeftAllocator* allocator, WeftShapeTrack* shape,
                              WeftError* error) {
    size_t count = 3 * (size_t)shape->key_count * (size_t)vertex_count;
    if (!is_complete(file, shape, vertex_count))
        return wf_fail(error, WEFT_ERROR_INPUT, "%s: the file ends early", path);
    shape->positions = wf_alloc(allocator, count, sizeof(double));
    if (!shape->positions) return wf_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        unsigned char bytes[4];
        if (fread(bytes, 1, 4, file) != 4)
            return wf_fail(error, WEFT_ERROR_FILE, "%s: cannot be read", path);
        shape->positions[i] = get_float(bytes);
        if (!isfinite(shape->positions[i]))
            return wf_fail(error, WEFT_ERROR_INPUT, "%s: frame %zu, vertex %zu is not a number",
                           path, i / 3 / (size_t)vertex_count, i / 3 % (size_t)vertex_count);
    }
    return WEFT_OK;
}

WeftResult wf_read_pc2(const char* path, int vertex_count, double rate,
                       const WeftAllocator* allocator, WeftShapeTrack* shape, WeftError* error) {
    FILE* file = wf_open_file(path, "rb");
    if (!file) return wf_fail(error, WEFT_ERROR_FILE, "%s: cannot open: %s", path, strerror(errno));
    WeftResult result = read_header(file, path, vertex_count, rate, allocator, shape, error);
    if (!result) result = read_frames(file, path, vertex_count, allocator, shape, error);
    fclose(file);
    return result;
}

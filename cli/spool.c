// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "spool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

// A frame in the file: whether its mesh is another than that of the frame before, and then its
// starts and triangles; positions; normals.

static int fail_spool(const Spool* spool) {
    return complain(EXIT_FAILED, "%s: %s", spool->path, strerror(errno ? errno : EIO));
}

int open_spool(Spool* spool, const char* beside, int cloth_count, int triangle_count,
               int rest_count) {
    *spool = (Spool){
        .cloth_count = cloth_count, .triangle_count = triangle_count, .rest_count = rest_count};
    int length = snprintf(spool->path, PATH_SIZE, "%s.frames.part", beside);
    if (length >= PATH_SIZE) return complain(EXIT_FAILED, "%s: the name is too long", beside);
    spool->starts = calloc((size_t)cloth_count + 1, sizeof(int));
    spool->triangles = calloc(3 * (size_t)triangle_count + 1, sizeof(int));
    if (!spool->starts || !spool->triangles) return complain(EXIT_FAILED, "out of memory");
    errno = 0;
    spool->file = fopen(spool->path, "wb+");
    return spool->file ? GO_ON : fail_spool(spool);
}

void close_spool(Spool* spool) {
    if (spool->file) {
        fclose(spool->file);
        remove(spool->path);
    }
    free(spool->starts);
    free(spool->triangles);
    free(spool->sources);
    free(spool->frame);
    *spool = (Spool){0};
}

static bool put(const Spool* spool, const void* items, size_t size, size_t count) {
    return fwrite(items, size, count, spool->file) == count;
}

static bool get(const Spool* spool, void* items, size_t size, size_t count) {
    return fread(items, size, count, spool->file) == count;
}

static size_t start_count(const Spool* spool) { return (size_t)spool->cloth_count + 1; }
static size_t corner_count(const Spool* spool) { return 3 * (size_t)spool->triangle_count; }
static size_t number_count(const Spool* spool) {
    return 3 * ((size_t)spool->starts[spool->cloth_count] + (size_t)spool->rest_count);
}

int keep_frame(Spool* spool, const SpoolMesh* mesh, const float* positions, const float* normals) {
    size_t starts = start_count(spool), corners = corner_count(spool);
    int split = memcmp(mesh->starts, spool->starts, starts * sizeof(int)) != 0;
    errno = 0;
    bool good = put(spool, &split, sizeof split, 1);
    if (split) {
        memcpy(spool->starts, mesh->starts, starts * sizeof(int));
        if (corners > 0) memcpy(spool->triangles, mesh->triangles, corners * sizeof(int));
        good = good && put(spool, spool->starts, sizeof(int), starts) &&
               put(spool, spool->triangles, sizeof(int), corners);
    }
    good = good && put(spool, positions, sizeof(float), number_count(spool)) &&
           put(spool, normals, sizeof(float), number_count(spool));
    spool->frame_count += good;
    return good ? GO_ON : fail_spool(spool);
}

// No frame has more vertices than the last mesh.
int rewind_spool(Spool* spool, const SpoolMesh* last) {
    size_t count = (size_t)last->starts[spool->cloth_count];
    errno = 0;
    if (fflush(spool->file) != 0 || fseek(spool->file, 0, SEEK_SET) != 0) return fail_spool(spool);
    spool->sources = calloc(count + 1, sizeof(int));
    spool->frame = calloc(3 * (count + (size_t)spool->rest_count) + 1, sizeof(float));
    memset(spool->starts, 0, start_count(spool) * sizeof(int));
    return spool->sources && spool->frame ? GO_ON : complain(EXIT_FAILED, "out of memory");
}

// Vertices keep their numbers within their cloth, and new ones come behind them; those were what
// the corners were that now have them.
static void find_sources(Spool* spool, const SpoolMesh* last) {
    for (size_t k = 0; k < corner_count(spool); k++)
        spool->sources[last->triangles[k]] = spool->triangles[k];
    for (int c = 0; c < spool->cloth_count; c++)
        for (int i = spool->starts[c]; i < spool->starts[c + 1]; i++)
            spool->sources[i - spool->starts[c] + last->starts[c]] = i;
}

static bool read_numbers(Spool* spool, int vertex_count, float* numbers) {
    size_t now = 3 * (size_t)spool->starts[spool->cloth_count], all = 3 * (size_t)vertex_count;
    if (!get(spool, spool->frame, sizeof(float), number_count(spool))) return false;
    for (size_t i = 0; i < (size_t)vertex_count; i++)
        memcpy(numbers + 3 * i, spool->frame + 3 * (size_t)spool->sources[i], 3 * sizeof(float));
    memcpy(numbers + all, spool->frame + now, 3 * (size_t)spool->rest_count * sizeof(float));
    return true;
}

int read_frame(Spool* spool, const SpoolMesh* last, float* positions, float* normals) {
    int split = 0, count = last->starts[spool->cloth_count];
    errno = 0;
    bool good = get(spool, &split, sizeof split, 1);
    if (good && split) {
        good = get(spool, spool->starts, sizeof(int), start_count(spool)) &&
               get(spool, spool->triangles, sizeof(int), corner_count(spool));
        if (good) find_sources(spool, last);
    }
    good = good && read_numbers(spool, count, positions) && read_numbers(spool, count, normals);
    return good ? GO_ON : fail_spool(spool);
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// PC2, as in write_pc2.c: positions only; the triangles come from an OBJ with the same vertices.

#include <errno.h>
#include <string.h>

#include "base/memory.h"
#include "io/file.h"
#include "io/reader.h"

enum { HEADER_SIZE = 32, BLOCK = 1024 };

static WeftResult check_size(const WfReader* reader, FILE* file, WeftError* error) {
    long size = fseek(file, 0, SEEK_END) ? -1 : ftell(file);
    long needed = HEADER_SIZE + 12L * reader->shown.vertex_count * reader->shown.frame_count;
    return size < needed ? wf_fail_reader(reader, error, "is cut off") : WEFT_OK;
}

static WeftResult read_header(WfReader* reader, WeftError* error) {
    unsigned char header[HEADER_SIZE];
    FILE* file = reader->data;
    if (fread(header, 1, sizeof header, file) != sizeof header ||
        memcmp(header, "POINTCACHE2", 12) != 0 || wf_get_word(header + 12) != 1)
        return wf_fail_reader(reader, error, "is no PC2");
    uint32_t points = wf_get_word(header + 16), frames = wf_get_word(header + 28);
    if (points != (uint32_t)reader->shown.vertex_count)
        return wf_fail(error, WEFT_ERROR_INPUT, "%s: has %lu vertices, and the mesh has %d",
                       reader->path, (unsigned long)points, reader->shown.vertex_count);
    if (frames < 1 || frames > INT32_MAX) return wf_fail_reader(reader, error, "has no frames");
    reader->shown.frame_count = (int)frames;
    return check_size(reader, file, error);
}

static WeftResult open_pc2(WfReader* reader, const char* mesh_path, WeftError* error) {
    WfShape shape;
    if (!mesh_path)
        return wf_fail_reader(reader, error,
                              "has no triangles: name an OBJ with the same vertices, too");
    WeftResult result = wf_read_obj_shape(reader, mesh_path, &shape, error);
    if (result) return result;
    wf_show_shape(reader, &shape);
    reader->data = wf_open_file(reader->path, "rb");
    if (!reader->data)
        return wf_fail(error, WEFT_ERROR_FILE, "%s: %s", reader->path, strerror(errno));
    return read_header(reader, error);
}

static WeftResult read_frame(WfReader* reader, int frame, double* positions, WeftError* error) {
    unsigned char bytes[12 * BLOCK];
    size_t left = (size_t)reader->shown.vertex_count;
    FILE* file = reader->data;
    bool good = !fseek(file, HEADER_SIZE + 12L * reader->shown.vertex_count * frame, SEEK_SET);
    while (good && left > 0) {
        size_t count = left < BLOCK ? left : BLOCK;
        good = fread(bytes, 12, count, file) == count;
        for (size_t i = 0; i < 3 * count; i++) *positions++ = (double)wf_get_float(bytes + 4 * i);
        left -= count;
    }
    return good ? WEFT_OK : wf_fail(error, WEFT_ERROR_FILE, "%s: cannot be read", reader->path);
}

static void release(WfReader* reader) {
    if (reader->data) fclose(reader->data);
}

const WfSource wf_source_pc2 = {
    .ending = ".pc2",
    .open = open_pc2,
    .frame = read_frame,
    .release = release,
};

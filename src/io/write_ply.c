// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// PLY, binary and little endian, a file per frame. A vertex is x y z nx ny nz and, where there are
// texture coordinates, s t: those of the first corner where corners have their own. Ropes are
// edges. Where there are several parts, every face has the number of its own, and comments name
// them.

#include <string.h>

#include "base/memory.h"
#include "io/writer.h"

// 2 per vertex, in writer->data; NULL where there are none.
static WeftResult begin(WeftWriter* writer, WeftError* error) {
    if (!writer->texture) return WEFT_OK;
    float* own = wf_alloc(&writer->allocator, 2 * (size_t)writer->vertex_count, sizeof(float));
    writer->data = own;
    if (!own) return wf_fail(error, WEFT_ERROR_MEMORY, "%s: out of memory", writer->path);
    if (!writer->triangle_texture)
        memcpy(own, writer->texture, 2 * (size_t)writer->vertex_count * sizeof(float));
    // from the last, so that the first corner of a vertex stays
    for (size_t i = 3 * (size_t)writer->triangle_count; writer->triangle_texture && i-- > 0;)
        memcpy(own + 2 * (size_t)writer->triangles[i],
               writer->texture + 2 * (size_t)writer->triangle_texture[i], 2 * sizeof(float));
    return WEFT_OK;
}

static void release(WeftWriter* writer) { wf_free(&writer->allocator, writer->data); }

static void put_header(WeftWriter* writer) {
    bool parted = writer->part_count > 1;
    wf_put_text(writer, "ply\nformat binary_little_endian 1.0\ncomment weft %s, %s", weft_version(),
                writer->name);
    if (writer->frame_count > 1) wf_put_text(writer, ", frame %d", writer->frames);
    wf_put_text(writer, "\n");
    for (int p = 0; parted && p < writer->part_count; p++)
        wf_put_text(writer, "comment part %d, %d vertices: %s\n", p, writer->parts[p].vertex_count,
                    writer->parts[p].name);
    wf_put_text(writer,
                "element vertex %d\n"
                "property float x\nproperty float y\nproperty float z\n"
                "property float nx\nproperty float ny\nproperty float nz\n",
                writer->vertex_count);
    if (writer->texture) wf_put_text(writer, "property float s\nproperty float t\n");
    wf_put_text(writer, "element face %d\nproperty list uchar int vertex_indices\n",
                writer->triangle_count);
    if (parted) wf_put_text(writer, "property int part\n");
    if (writer->line_count > 0)
        wf_put_text(writer, "element edge %d\nproperty int vertex1\nproperty int vertex2\n",
                    writer->line_count);
    wf_put_text(writer, "end_header\n");
}

static void write_frame(WeftWriter* writer, const float* positions, const float* normals) {
    const float* texture = writer->data;
    put_header(writer);
    for (size_t i = 0; i < (size_t)writer->vertex_count; i++) {
        float vertex[8];
        memcpy(vertex, positions + 3 * i, 3 * sizeof(float));
        memcpy(vertex + 3, normals + 3 * i, 3 * sizeof(float));
        if (texture) memcpy(vertex + 6, texture + 2 * i, 2 * sizeof(float));
        wf_put_words(writer, vertex, texture ? 8 : 6);
    }
    for (int p = 0; p < writer->part_count; p++) {
        const WfPart* part = &writer->parts[p];
        for (int t = part->first_triangle; t < part->first_triangle + part->triangle_count; t++) {
            wf_put(writer, "\3", 1);
            wf_put_words(writer, writer->triangles + 3 * (size_t)t, 3);
            if (writer->part_count > 1) wf_put_word(writer, (uint32_t)p);
        }
    }
    wf_put_words(writer, writer->lines, 2 * (size_t)writer->line_count);
}

const WfFormat wf_format_ply = {
    .ending = ".ply",
    .file_per_frame = true,
    .begin = begin,
    .frame = write_frame,
    .release = release,
};

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Wavefront OBJ, a file per frame. Of each part: o, v, vt where there are texture coordinates, vn,
// f; then l, all in the first. Texture coordinates of corners, which know no parts, all stand in
// the first.

#include "io/writer.h"

static void put_vectors(WeftWriter* writer, const char* keyword, const float* values, int first,
                        int count, int size) {
    for (int i = first; i < first + count; i++) {
        wf_put_text(writer, "%s", keyword);
        for (int k = 0; k < size; k++) {
            wf_put(writer, " ", 1);
            wf_put_number(writer, values[(size_t)i * (size_t)size + (size_t)k]);
        }
        wf_put(writer, "\n", 1);
    }
}

static void put_texture(WeftWriter* writer, int p) {
    const WfPart* part = &writer->parts[p];
    if (!writer->texture) return;
    if (!writer->triangle_texture)
        put_vectors(writer, "vt", writer->texture, part->first_vertex, part->vertex_count, 2);
    else if (p == 0)
        put_vectors(writer, "vt", writer->texture, 0, writer->texture_count, 2);
}

static void put_faces(WeftWriter* writer, const WfPart* part) {
    const int* textures = writer->triangle_texture ? writer->triangle_texture : writer->triangles;
    for (int t = part->first_triangle; t < part->first_triangle + part->triangle_count; t++) {
        const int *v = writer->triangles + 3 * (size_t)t, *vt = textures + 3 * (size_t)t;
        int a = v[0] + 1, b = v[1] + 1, c = v[2] + 1;
        if (writer->texture)
            wf_put_text(writer, "f %d/%d/%d %d/%d/%d %d/%d/%d\n", a, vt[0] + 1, a, b, vt[1] + 1, b,
                        c, vt[2] + 1, c);
        else
            wf_put_text(writer, "f %d//%d %d//%d %d//%d\n", a, a, b, b, c, c);
    }
}

static void put_lines(WeftWriter* writer) {
    for (int i = 0; i < writer->line_count; i++) {
        const int* v = writer->lines + 2 * (size_t)i;
        wf_put_text(writer, "l %d %d\n", v[0] + 1, v[1] + 1);
    }
}

static void write_frame(WeftWriter* writer, const float* positions, const float* normals) {
    wf_put_text(writer, "# weft %s", weft_version());
    if (writer->frame_count > 1) wf_put_text(writer, ", frame %d", writer->frames);
    wf_put_text(writer, "\n");
    for (int p = 0; p < writer->part_count; p++) {
        const WfPart* part = &writer->parts[p];
        wf_put_text(writer, "o %s\n", part->name);
        put_vectors(writer, "v", positions, part->first_vertex, part->vertex_count, 3);
        put_texture(writer, p);
        put_vectors(writer, "vn", normals, part->first_vertex, part->vertex_count, 3);
        put_faces(writer, part);
        if (p == 0) put_lines(writer);
    }
}

const WfFormat wf_format_obj = {
    .ending = ".obj",
    .file_per_frame = true,
    .frame = write_frame,
};

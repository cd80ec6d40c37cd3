// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Wavefront OBJ, a file per frame. Of each part: o, v, vt where there are texture coordinates, vn,
// f; then l, all in the first.

#include "io/writer.h"

static void put_vectors(WeftWriter* writer, const WfPart* part, const char* keyword,
                        const float* values, int size) {
    for (int i = part->first_vertex; i < part->first_vertex + part->vertex_count; i++) {
        wf_put_text(writer, "%s", keyword);
        for (int k = 0; k < size; k++) {
            wf_put(writer, " ", 1);
            wf_put_number(writer, values[(size_t)i * (size_t)size + (size_t)k]);
        }
        wf_put(writer, "\n", 1);
    }
}

static void put_faces(WeftWriter* writer, const WfPart* part) {
    for (int t = part->first_triangle; t < part->first_triangle + part->triangle_count; t++) {
        const int* v = writer->triangles + 3 * (size_t)t;
        int a = v[0] + 1, b = v[1] + 1, c = v[2] + 1;
        if (writer->texture)
            wf_put_text(writer, "f %d/%d/%d %d/%d/%d %d/%d/%d\n", a, a, a, b, b, b, c, c, c);
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
        put_vectors(writer, part, "v", positions, 3);
        if (writer->texture) put_vectors(writer, part, "vt", writer->texture, 2);
        put_vectors(writer, part, "vn", normals, 3);
        put_faces(writer, part);
        if (p == 0) put_lines(writer);
    }
}

const WfFormat wf_format_obj = {
    .ending = ".obj",
    .file_per_frame = true,
    .frame = write_frame,
};

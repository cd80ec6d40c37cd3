// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Wavefront OBJ, a file per frame: v, vt where there are texture coordinates, vn, f, l.

#include "io/writer.h"

static void put_vectors(WeftWriter* writer, const char* keyword, const float* values, int size) {
    for (int i = 0; i < writer->vertex_count; i++) {
        wf_put_text(writer, "%s", keyword);
        for (int k = 0; k < size; k++) {
            wf_put(writer, " ", 1);
            wf_put_number(writer, values[(size_t)i * (size_t)size + (size_t)k]);
        }
        wf_put(writer, "\n", 1);
    }
}

static void write_frame(WeftWriter* writer, const float* positions, const float* normals) {
    wf_put_text(writer, "# weft %s, frame %d\no %s\n", weft_version(), writer->frames,
                writer->name);
    put_vectors(writer, "v", positions, 3);
    if (writer->texture) put_vectors(writer, "vt", writer->texture, 2);
    put_vectors(writer, "vn", normals, 3);
    for (int t = 0; t < writer->triangle_count; t++) {
        const int* v = writer->triangles + 3 * (size_t)t;
        int a = v[0] + 1, b = v[1] + 1, c = v[2] + 1;
        if (writer->texture)
            wf_put_text(writer, "f %d/%d/%d %d/%d/%d %d/%d/%d\n", a, a, a, b, b, b, c, c, c);
        else
            wf_put_text(writer, "f %d//%d %d//%d %d//%d\n", a, a, b, b, c, c);
    }
    for (int i = 0; i < writer->line_count; i++) {
        const int* v = writer->lines + 2 * (size_t)i;
        wf_put_text(writer, "l %d %d\n", v[0] + 1, v[1] + 1);
    }
}

const WfFormat wf_format_obj = {
    .ending = ".obj",
    .file_per_frame = true,
    .frame = write_frame,
};

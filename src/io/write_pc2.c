// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// PC2, a point cache: a header of 32 bytes, then the positions of every vertex, frame after frame.
//
//      0  "POINTCACHE2\0"
//     12  version, 1
//     16  points per sample
//     20  first frame, float
//     24  frames per sample, float
//     28  samples; known only at the end, written as 0 until then

#include "io/writer.h"

enum { SAMPLE_COUNT_AT = 28 };

static WeftResult begin(WeftWriter* writer, WeftError* error) {
    (void)error;
    wf_put(writer, "POINTCACHE2", 12);
    wf_put_word(writer, 1);
    wf_put_word(writer, (uint32_t)writer->vertex_count);
    wf_put_float(writer, 0);
    wf_put_float(writer, 1);
    wf_put_word(writer, 0);
    return WEFT_OK;
}

static void write_frame(WeftWriter* writer, const float* positions, const float* normals) {
    (void)normals;
    wf_put_words(writer, positions, 3 * (size_t)writer->vertex_count);
}

static void end(WeftWriter* writer) {
    wf_seek(writer, SAMPLE_COUNT_AT);
    wf_put_word(writer, (uint32_t)writer->frames);
}

const WfFormat wf_format_pc2 = {
    .ending = ".pc2",
    .begin = begin,
    .frame = write_frame,
    .end = end,
};

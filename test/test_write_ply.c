// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards PLY files: the header to the letter, every number behind it to the bit, and not a byte
// more.

#include "file_test.h"

#include "weft/weft_io.h"

static const char header[] =
    "element vertex 10\n"
    "property float x\nproperty float y\nproperty float z\n"
    "property float nx\nproperty float ny\nproperty float nz\n"
    "%s"
    "element face 8\nproperty list uchar int vertex_indices\n"
    "%send_header\n";

static const int ropes[] = {0, 2, 2, 4, 4, 6};

static void check_frame(const char* path, int frame, bool textured) {
    char expected[500];
    snprintf(expected, sizeof expected, header,
             textured ? "property float s\nproperty float t\n" : "",
             textured ? "element edge 3\nproperty int vertex1\nproperty int vertex2\n" : "");
    Strip strip = make_strip();
    move_strip(&strip, frame);
    size_t size;
    unsigned char* bytes = load_file(path, &size);
    if (!CHECK(bytes != NULL)) return;
    CHECK(strncmp((char*)bytes, "ply\nformat binary_little_endian 1.0\ncomment ", 44) == 0);
    const char* elements = strstr((char*)bytes, "element vertex");
    CHECK(elements && strncmp(elements, expected, strlen(expected)) == 0);
    size_t at = (size_t)(elements - (char*)bytes) + strlen(expected);
    CHECK(size ==
          at + (textured ? 32 : 24) * STRIP_VERTICES + 13 * STRIP_TRIANGLES + (textured ? 24 : 0));
    for (int i = 0; i < STRIP_VERTICES; i++) {
        for (int k = 0; k < 3; k++, at += 4)
            CHECK(get_float(bytes + at) == strip.positions[3 * i + k]);
        for (int k = 0; k < 3; k++, at += 4)
            CHECK(get_float(bytes + at) == strip.normals[3 * i + k]);
        for (int k = 0; textured && k < 2; k++, at += 4)
            CHECK(get_float(bytes + at) == strip.texture[2 * i + k]);
    }
    for (int i = 0; i < STRIP_TRIANGLES; i++) {
        CHECK(bytes[at++] == 3);
        for (int k = 0; k < 3; k++, at += 4)
            CHECK(get_word(bytes + at) == (uint32_t)strip.triangles[3 * i + k]);
    }
    for (int i = 0; textured && i < 6; i++, at += 4)
        CHECK(get_word(bytes + at) == (uint32_t)ropes[i]);
    free(bytes);
}

static void numbers_come_back(void) {
    for (int textured = 0; textured < 2; textured++) {
        Strip strip = make_strip();
        WeftWriterDef def = strip_def(&strip, 2);
        def.name = "two\nlines";
        if (!textured) def.texture = NULL;
        if (textured) def.line_count = 3, def.lines = ropes;
        CHECK(write_strip(test_path("a.ply"), &def, 2, NULL) == WEFT_OK);
        for (int frame = 0; frame < 2; frame++) {
            const char* path = test_path(frame ? "a.0001.ply" : "a.0000.ply");
            check_frame(path, frame, textured);
            remove(path);
        }
    }
    CHECK(count_files() == 0);
}

// A vertex has the texture coordinates of its first corner.
static void corners_share_a_texture(void) {
    Strip strip = make_strip();
    Seam seam = make_seam(&strip);
    WeftWriterDef def = seam_def(&strip, &seam, 1);
    const char* path = test_path("a.ply");
    size_t size;
    CHECK(write_strip(path, &def, 1, NULL) == WEFT_OK);
    unsigned char* bytes = load_file(path, &size);
    if (!CHECK(bytes != NULL)) return;
    const unsigned char* at = bytes + size - 13 * STRIP_TRIANGLES - 32 * STRIP_VERTICES;
    for (int i = 0; i < STRIP_VERTICES; i++, at += 32) {
        const float* point = seam.texture + 2 * (i < 6 ? i : i + STRIP_VERTICES);
        CHECK(get_float(at + 24) == point[0] && get_float(at + 28) == point[1]);
    }
    free(bytes);
    remove(path);
}

TEST_MAIN(CASE(numbers_come_back), CASE(corners_share_a_texture))

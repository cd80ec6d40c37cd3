// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards OBJ files: every number comes back, by a reader written here and by our own.

#include "file_test.h"

#include "weft/weft_io.h"

typedef struct Lines {
    int v, vt, vn, f, l;
} Lines;

static const int ropes[] = {0, 2, 2, 4};

static void check_values(const char* line, const float* expected, int count) {
    for (int i = 0; i < count; i++) {
        char* end;
        CHECK(strtof(line, &end) == expected[i]);  // to the bit
        CHECK(end > line);
        line = end;
    }
    CHECK(*line == '\n');
}

static void check_face(const char* line, const int* corners, bool textured) {
    char expected[200];
    int a = corners[0] + 1, b = corners[1] + 1, c = corners[2] + 1;
    if (textured)
        sprintf(expected, "%d/%d/%d %d/%d/%d %d/%d/%d\n", a, a, a, b, b, b, c, c, c);
    else
        sprintf(expected, "%d//%d %d//%d %d//%d\n", a, a, b, b, c, c);
    CHECK(strcmp(line, expected) == 0);
}

static Lines check_file(const char* path, const Strip* strip, bool textured) {
    Lines lines = {0};
    char line[300];
    FILE* file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, "v ", 2) == 0)
            check_values(line + 2, strip->positions + 3 * lines.v++, 3);
        else if (strncmp(line, "vt ", 3) == 0)
            check_values(line + 3, strip->texture + 2 * lines.vt++, 2);
        else if (strncmp(line, "vn ", 3) == 0)
            check_values(line + 3, strip->normals + 3 * lines.vn++, 3);
        else if (strncmp(line, "f ", 2) == 0)
            check_face(line + 2, strip->triangles + 3 * lines.f++, textured);
        else if (strncmp(line, "l ", 2) == 0) {
            char expected[64];
            const int* ends = ropes + 2 * lines.l++;
            snprintf(expected, sizeof expected, "l %d %d\n", ends[0] + 1, ends[1] + 1);
            CHECK(strcmp(line, expected) == 0);
        } else
            CHECK(line[0] == '#' || strcmp(line, "o my_cloth_\n") == 0);
    }
    if (file) fclose(file);
    return lines;
}

static void numbers_come_back(void) {
    for (int textured = 0; textured < 2; textured++) {
        Strip strip = make_strip();
        WeftWriterDef def = strip_def(&strip, 3);
        def.name = "my\ncloth\"";
        if (!textured) def.texture = NULL;
        def.line_count = textured ? 2 : 0;
        def.lines = ropes;
        CHECK(write_strip(test_path("a.obj"), &def, 3, NULL) == WEFT_OK);
        for (int frame = 0; frame < 3; frame++) {
            char name[32];
            snprintf(name, sizeof name, "a.%04d.obj", frame);
            move_strip(&strip, frame);
            Lines lines = check_file(test_path(name), &strip, textured);
            CHECK(lines.v == STRIP_VERTICES && lines.vn == STRIP_VERTICES);
            CHECK(lines.vt == (textured ? STRIP_VERTICES : 0) && lines.f == STRIP_TRIANGLES);
            CHECK(lines.l == def.line_count);
            remove(test_path(name));
        }
    }
    CHECK(count_files() == 0);
}

static void ropes_alone(void) {
    Strip strip = make_strip();
    WeftWriterDef def = strip_def(&strip, 1);
    def.triangle_count = 0, def.triangles = NULL;
    def.line_count = 2, def.lines = ropes;
    CHECK(write_strip(test_path("a.obj"), &def, 1, NULL) == WEFT_OK);
    def.name = "my_cloth_";
    CHECK(write_strip(test_path("a.obj"), &def, 1, NULL) == WEFT_OK);
    Lines lines = check_file(test_path("a.obj"), &strip, true);
    CHECK(lines.v == STRIP_VERTICES && lines.f == 0 && lines.l == 2);
    remove(test_path("a.obj"));
}

static void our_reader_takes_it(void) {
    Strip strip = make_strip();
    WeftWriterDef def = strip_def(&strip, 1);
    const char* path = test_path("a.obj");
    WeftMesh mesh;
    CHECK(write_strip(path, &def, 1, NULL) == WEFT_OK);
    CHECK(weft_read_obj(path, 2, NULL, &mesh, NULL) == WEFT_OK);
    CHECK(mesh.vertex_count == STRIP_VERTICES && mesh.triangle_count == STRIP_TRIANGLES);
    CHECK(!mesh.triangle_material && mesh.material);
    CHECK(memcmp(mesh.triangles, strip.triangles, sizeof strip.triangles) == 0);
    for (int i = 0; i < 3 * STRIP_VERTICES; i++)
        CHECK((float)mesh.positions[i] == strip.positions[i]);
    for (int i = 0; i < 2 * STRIP_VERTICES; i++)
        CHECK((float)mesh.material[i] == 2 * strip.texture[i]);
    weft_destroy_mesh(&mesh);
    remove(path);
}

// One material point for every pair of vertex and texture coordinates, as weft_read_obj makes them.
static void corners_have_textures(void) {
    Strip strip = make_strip();
    Seam seam = make_seam(&strip);
    WeftWriterDef def = seam_def(&strip, &seam, 1);
    const char* path = test_path("a.obj");
    WeftMesh mesh;
    CHECK(write_strip(path, &def, 1, NULL) == WEFT_OK);
    CHECK(weft_read_obj(path, 1, NULL, &mesh, NULL) == WEFT_OK);
    CHECK(mesh.vertex_count == STRIP_VERTICES && mesh.triangle_count == STRIP_TRIANGLES);
    CHECK(memcmp(mesh.triangles, strip.triangles, sizeof strip.triangles) == 0);
    CHECK(mesh.material_count == STRIP_VERTICES + SEAM_COPIES);
    for (int i = 0; i < 3 * STRIP_TRIANGLES && mesh.triangle_material; i++)
        for (int k = 0; k < 2; k++)
            CHECK((float)mesh.material[2 * mesh.triangle_material[i] + k] ==
                  seam.texture[2 * seam.corners[i] + k]);
    CHECK(mesh.triangle_material != NULL);
    weft_destroy_mesh(&mesh);
    remove(path);
}

TEST_MAIN(CASE(corners_have_textures), CASE(numbers_come_back), CASE(ropes_alone),
          CASE(our_reader_takes_it))

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards `weft check-contact` as its users meet it: clean and crossing results of every format,
// exit codes, what it prints, and runs whose files hold their bodies.

#include "file_test.h"
#include "tool_test.h"

// A sheet of two triangles that sinks by `fall` per frame onto a body of one, which it meets where
// its height is zero. From the third frame on it has passed, or touches.
static void write_fall_at(float far, const char* path, int frames, float start, float fall) {
    static const int triangles[9] = {0, 1, 2, 2, 1, 3, 4, 5, 6};
    static const WeftPart parts[2] = {{"sheet", 4, 2, false}, {"body 0", 3, 1, true}};
    float x[21] = {0, 0,    0,  1,    0,    0, 0,    0,    1,  1,   0,
                   1, 0.2f, -1, 0.2f, 0.3f, 0, 0.2f, 0.2f, -1, 0.3f};
    float normals[21] = {0};
    for (int v = 0; v < 7; v++) x[3 * v] += far;
    WeftWriterDef def = weft_default_writer_def();
    def.vertex_count = 7, def.triangle_count = 3, def.triangles = triangles;
    def.part_count = 2, def.parts = parts;
    def.frame_count = frames;
    WeftWriter* writer = NULL;
    CHECK(weft_open_writer(path, &def, &writer, NULL) == WEFT_OK);
    for (int i = 0; i < frames && writer; i++) {
        for (int v = 0; v < 4; v++) x[3 * v + 1] = start - fall * (float)i;
        CHECK(weft_write_frame(writer, x, normals, NULL) == WEFT_OK);
    }
    CHECK(weft_close_writer(writer, NULL) == WEFT_OK);
}

static void write_fall(const char* path, int frames, float start, float fall) {
    write_fall_at(0, path, frames, start, fall);
}

static void every_format(void) {
    static const char* const files[] = {"fall.glb", "fall.obj", "fall.ply",
                                        "fall.pc2 --mesh mesh.obj"};
    write_fall("mesh.obj", 1, 1, 0);
    for (int i = 0; i < 4; i++) {
        char path[32], line[128];
        snprintf(path, sizeof path, "%.8s", files[i]);
        write_fall(path, 4, 0.5f, 0.125f);
        snprintf(line, sizeof line, "check-contact %s", files[i]);
        CHECK(tool(line) == 0);
        CHECK_TEXT(out, "4 frames, 2 triangles of cloth, 1 of bodies");
        CHECK_TEXT(out, "nothing crosses in 4 frames");
        CHECK_TEXT(err, "frame 4/4");
        // at 0 it touches, and below the body goes through it; the other triangle is beside it
        write_fall(path, 4, 0.5f, 0.25f);
        CHECK(tool(line) == 1);
        CHECK_TEXT(out, "  frame 2: 1 crossing: sheet 0 and body 0 0\n");
        CHECK_TEXT(out, "  frame 3: 1 crossing: sheet 0 and body 0 0\n");
        CHECK_TEXT(out, "  2 crossings in 2 of 4 frames, most in frame 2: 1\n");
        snprintf(line, sizeof line, "check-contact %s --frames 0-1 --quiet", files[i]);
        CHECK(tool(line) == 0);
        CHECK(out[0] == 0 && err[0] == 0);
        snprintf(line, sizeof line, "check-contact %s --frames 1-3 --json --quiet", files[i]);
        CHECK(tool(line) == 1);
        CHECK(out[0] == '{' && err[0] == 0);
        CHECK_TEXT(out, "\"crossings\": 2");
        CHECK_TEXT(out, "\"body 0\"");
    }
}

// A sheet in the middle of a box crosses nothing; beside it, nothing is wrong.
static void write_in_box(const char* path, float side) {
    static const WeftPart parts[2] = {{"sheet", 4, 2, false}, {"body crate", 8, 12, true}};
    static const int triangles[42] = {0,  1, 2,  2, 1, 3, 4, 8, 10, 4, 10, 6,  5,  7,
                                      11, 5, 11, 9, 4, 5, 9, 4, 9,  8, 6,  10, 11, 6,
                                      11, 7, 4,  6, 7, 4, 7, 5, 8,  9, 11, 8,  11, 10};
    float x[36], normals[36] = {0};
    for (int i = 0; i < 12; i++) {
        int corner = i < 4 ? (i & 1) + 4 * (i >> 1) : i - 4;
        float scale = i < 4 ? 0.5f : 1;
        for (int k = 0; k < 3; k++) x[3 * i + k] = scale * ((float)(corner >> k & 1) - 0.5f);
        if (i < 4) x[3 * i] += side;
    }
    WeftWriterDef def = weft_default_writer_def();
    def.vertex_count = 12, def.triangle_count = 14, def.triangles = triangles;
    def.part_count = 2, def.parts = parts;
    WeftWriter* writer = NULL;
    CHECK(weft_open_writer(path, &def, &writer, NULL) == WEFT_OK);
    CHECK(weft_write_frame(writer, x, normals, NULL) == WEFT_OK);
    CHECK(weft_close_writer(writer, NULL) == WEFT_OK);
}

static void sheet_in_a_box(void) {
    static const char* const files[] = {"box.glb", "box.obj", "box.ply"};
    for (int i = 0; i < 3; i++) {
        char line[64];
        snprintf(line, sizeof line, "check-contact %s", files[i]);
        write_in_box(files[i], 2);
        CHECK(tool(line) == 0);
        write_in_box(files[i], 0);
        CHECK(tool(line) == 1);
        CHECK_TEXT(out, "  frame 0: 4 vertices of sheet inside body crate\n");
        CHECK_TEXT(out, "  nothing crosses in 1 frame\n");
        CHECK_TEXT(out, "cloth is inside of bodies in 1 of 1 frames, most in frame 0: 4 vertices");
        snprintf(line, sizeof line, "check-contact %s --json --quiet", files[i]);
        CHECK(tool(line) == 1);
        CHECK_TEXT(out, "\"crossings\": 0");
        CHECK_TEXT(out, "\"inside\": 4");
        CHECK_TEXT(out, "\"body crate\"");
    }
}

// Far from the origin the numbers of a file are coarser than cloth is thick.
static void far_away(void) {
    for (int k = 0; k < 2; k++) {
        write_fall_at(k ? 2048 : 0, "fall.glb", 4, 0.5f, 0.25f);
        CHECK(tool("check-contact fall.glb") == 1);
        CHECK(!strstr(out, "good to 0.24 mm 2049 m from the origin") == !k);
        CHECK(!strstr(out, "floats") == !k);
    }
}

// Cloth wholly below the floor, which is drawn as a square.
static void below_the_floor(void) {
    static const char scene[] =
        "{\"weft\":1,\"contact\":\"none\",\"duration\":0.1,\"cloths\":[{\"mesh\":{\"kind\":"
        "\"grid\",\"columns\":4,\"rows\":4}}],"
        "\"bodies\":[{\"kind\":\"plane\",\"name\":\"floor\",\"place\":{\"move\":[0,0.02,0]}},"
        "{\"kind\":\"plane\",\"place\":{\"move\":[0,-2,0]}}]}";
    save_file("below.json", scene, sizeof scene - 1);
    CHECK(tool("run below.json --quiet --out below.glb --out below.ply") == 0);
    for (int i = 0; i < 2; i++) {
        CHECK(tool(i ? "check-contact below.ply" : "check-contact below.glb") == 1);
        CHECK_TEXT(out, "25 vertices of below inside body plane: floor\n");
        CHECK_TEXT(out, "nothing crosses");
        CHECK(!strstr(out, "plane: 1"));
    }
}

static void wrong_usage(void) {
    write_fall("fall.glb", 2, 1, 0);
    CHECK(tool("check-contact") == 2);
    CHECK(tool("check-contact a.glb b.glb") == 2);
    CHECK(tool("check-contact nowhere.glb") == 2);
    CHECK_TEXT(err, "nowhere.glb: No such file");
    CHECK(tool("check-contact nowhere.json") == 2);
    CHECK_TEXT(err, "the ending must be");
    CHECK(tool("check-contact fall.pc2") == 2);
    CHECK(tool("check-contact fall.glb --frames 1-x") == 2);
    CHECK_TEXT(err, "--frames must be A-B");
    CHECK(tool("check-contact fall.glb --frames 1-2") == 2);
    CHECK_TEXT(err, "fall.glb: has frames 0 to 1, and 2 is asked for");
    save_file("fall.glb", "glTF", 4);
    CHECK(tool("check-contact fall.glb") == 2);
    CHECK(out[0] == 0);
}

// A run writes its bodies beside the cloth, unless told otherwise; without contact the cloth falls
// through them, and that is found.
static void runs_hold_their_bodies(void) {
    static const char scene[] =
        "{\"weft\":1,\"contact\":\"none\",\"duration\":0.5,\"cloths\":[{\"mesh\":{\"kind\":"
        "\"grid\","
        "\"columns\":8,\"rows\":8}}],"
        "\"bodies\":[{\"kind\":\"sphere\",\"radius\":0.2,\"place\":{\"move\":[0.5,-0.4,-0.5]}}]"
        "}";
    save_file("through.json", scene, sizeof scene - 1);
    if (!CHECK(tool("run through.json --quiet --out run.glb --out run.ply --last run_end.obj") ==
               0)) {
        printf("%s", err);
        return;
    }
    CHECK(tool("check-contact run.glb --frames 0") == 0);
    CHECK_TEXT(out, "128 triangles of cloth");
    CHECK(!strstr(out, " 0 of bodies"));
    CHECK(tool("check-contact run.glb") == 1);
    CHECK_TEXT(out, "and body 0 ");
    CHECK(tool("check-contact run.ply") == 1);
    CHECK(tool("run through.json --quiet --out run.glb --no-bodies") == 0);
    CHECK(tool("check-contact run.glb") == 0);
    CHECK_TEXT(out, "128 triangles of cloth, 0 of bodies");
}

TEST_MAIN(CASE(every_format), CASE(sheet_in_a_box), CASE(far_away), CASE(below_the_floor),
          CASE(wrong_usage), CASE(runs_hold_their_bodies))

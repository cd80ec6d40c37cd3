// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards reading results back: every format returns parts, triangles and positions to the bit, and
// damaged files are refused.

#include "file_test.h"

enum { BODY_VERTICES = 4, BODY_TRIANGLES = 4, BODIES = 2, FRAMES = 5 };
enum { ALL_VERTICES = STRIP_VERTICES + BODIES * BODY_VERTICES };
enum { ALL_TRIANGLES = STRIP_TRIANGLES + BODIES * BODY_TRIANGLES };

// A strip of cloth with a seam and a rope, a body that stands still and one that moves.
typedef struct Stage {
    Strip strip;
    Seam seam;
    int triangles[3 * ALL_TRIANGLES], corners[3 * ALL_TRIANGLES];
    float positions[3 * ALL_VERTICES], normals[3 * ALL_VERTICES];
    WeftPart parts[1 + BODIES];
} Stage;

static const int rope[] = {0, 2, 2, 4};

static void move_stage(Stage* stage, int frame) {
    move_strip(&stage->strip, frame);
    memcpy(stage->positions, stage->strip.positions, sizeof stage->strip.positions);
    memcpy(stage->normals, stage->strip.normals, sizeof stage->strip.normals);
    for (int i = 0; i < BODIES * BODY_VERTICES; i++) {
        int body = i / BODY_VERTICES, corner = i % BODY_VERTICES;
        float *x = stage->positions + 3 * (STRIP_VERTICES + i),
              *n = stage->normals + 3 * (STRIP_VERTICES + i);
        for (int k = 0; k < 3; k++) {
            x[k] = -0.7f - (float)body + (corner == k + 1 ? 0.3f : 0);
            x[k] += (float)(body * frame) * 0.0123f;
            n[k] = k == 1;
        }
    }
}

static Stage make_stage(void) {
    static const int faces[3 * BODY_TRIANGLES] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    Stage stage = {.strip = make_strip()};
    memcpy(stage.triangles, stage.strip.triangles, sizeof stage.strip.triangles);
    stage.seam = make_seam(&stage.strip);
    memcpy(stage.corners, stage.seam.corners, sizeof stage.seam.corners);
    for (int b = 0; b < BODIES; b++)
        for (int i = 0; i < 3 * BODY_TRIANGLES; i++)
            stage.triangles[3 * (STRIP_TRIANGLES + b * BODY_TRIANGLES) + i] =
                STRIP_VERTICES + b * BODY_VERTICES + faces[i];
    stage.parts[0] = (WeftPart){"my cloth", STRIP_VERTICES, STRIP_TRIANGLES, false};
    stage.parts[1] = (WeftPart){"body 0", BODY_VERTICES, BODY_TRIANGLES, true};
    stage.parts[2] = (WeftPart){"body, moving: 1", BODY_VERTICES, BODY_TRIANGLES, true};
    move_stage(&stage, 0);
    return stage;
}

static WeftWriterDef stage_def(const Stage* stage, int frame_count) {
    WeftWriterDef def = weft_default_writer_def();
    def.vertex_count = ALL_VERTICES, def.triangle_count = ALL_TRIANGLES;
    def.triangles = stage->triangles;
    def.texture = stage->seam.texture, def.texture_count = SEAM_POINTS;
    def.triangle_texture = stage->corners;
    def.line_count = 2, def.lines = rope;
    def.part_count = 1 + BODIES, def.parts = stage->parts;
    def.frame_count = frame_count;
    return def;
}

static void write_stage(const char* path, int frames) {
    Stage stage = make_stage();
    WeftWriterDef def = stage_def(&stage, frames);
    WeftWriter* writer = NULL;
    CHECK(weft_open_writer(path, &def, &writer, NULL) == WEFT_OK);
    for (int i = 0; i < frames; i++) {
        move_stage(&stage, i);
        CHECK(weft_write_frame(writer, stage.positions, stage.normals, NULL) == WEFT_OK);
    }
    CHECK(weft_close_writer(writer, NULL) == WEFT_OK);
}

// The frames of a sequence, or the file.
static void remove_stage(const char* name, int frames) {
    char text[64];
    const char* dot = strrchr(name, '.');
    remove(test_path(name));
    for (int i = 0; i < frames; i++) {
        snprintf(text, sizeof text, "%.*s.%04d%s", (int)(dot - name), name, i, dot);
        remove(test_path(text));
    }
}

static const char* const names[] = {"a.glb", "a.obj", "a.ply", "a.pc2"};

// PC2 takes its triangles from an OBJ of one frame.
static const char* mesh_for(const char* name) {
    if (!strstr(name, ".pc2")) return NULL;
    write_stage(test_path("mesh.obj"), 1);
    return test_path("mesh.obj");
}

static void check_shape(const WeftReader* reader, const Stage* stage) {
    CHECK(reader->vertex_count == ALL_VERTICES && reader->triangle_count == ALL_TRIANGLES);
    CHECK(memcmp(reader->triangles, stage->triangles, sizeof stage->triangles) == 0);
    if (!CHECK(reader->part_count == 1 + BODIES)) return;
    for (int p = 0; p < reader->part_count; p++) {
        const WeftPart *part = &reader->parts[p], *expected = &stage->parts[p];
        CHECK(strcmp(part->name, expected->name) == 0 && part->body == expected->body);
        CHECK(part->vertex_count == expected->vertex_count);
        CHECK(part->triangle_count == expected->triangle_count);
    }
}

static void all_comes_back(void) {
    Stage stage = make_stage();
    for (int i = 0; i < 4; i++)
        for (int frames = 1; frames <= FRAMES; frames += FRAMES - 1) {
            WeftReader* reader = NULL;
            WeftError error = {0};
            const char *path = test_path(names[i]), *mesh = mesh_for(names[i]);
            write_stage(path, frames);
            if (!CHECK(weft_open_reader(path, mesh, NULL, &reader, &error) == WEFT_OK)) {
                printf("%s\n", error.message);
                continue;
            }
            CHECK(reader->frame_count == frames);
            check_shape(reader, &stage);
            for (int frame = frames - 1; frame >= 0; frame--) {
                double positions[3 * ALL_VERTICES];
                move_stage(&stage, frame);
                CHECK(weft_read_frame(reader, frame, positions, NULL) == WEFT_OK);
                for (int k = 0; k < 3 * ALL_VERTICES; k++)
                    CHECK_NEAR(positions[k], stage.positions[k], i == 0 ? 1e-7 : 0);
            }
            weft_close_reader(reader);
            remove_stage(names[i], frames);
            remove_stage("mesh.obj", 0);
        }
    CHECK(count_files() == 0);
}

// Files of one part are cloth, whatever their name.
static void one_part_is_cloth(void) {
    for (int i = 0; i < 3; i++) {
        Strip strip = make_strip();
        WeftWriterDef def = strip_def(&strip, 1);
        def.name = "body of cloth";
        const char* path = test_path(names[i]);
        CHECK(write_strip(path, &def, 1, NULL) == WEFT_OK);
        WeftReader* reader = NULL;
        CHECK(weft_open_reader(path, NULL, NULL, &reader, NULL) == WEFT_OK);
        CHECK(reader && reader->part_count == 1 && !reader->parts[0].body);
        CHECK(reader && reader->parts[0].vertex_count == STRIP_VERTICES);
        weft_close_reader(reader);
        remove(path);
    }
    weft_close_reader(NULL);
}

// In GLB every part is a node; what stands still has no targets; a single file keeps to the rules
// of test_write_glb.c.
static void glb_spares_still_bodies(void) {
    const char* path = test_path("a.glb");
    size_t count;
    write_stage(path, FRAMES);
    char* bytes = (char*)load_file(path, &count);
    const char *json = bytes + 20, *meshes = strstr(json, "\"meshes\"");
    CHECK_TEXT(json, "\"nodes\":[0,1,2]");
    CHECK_TEXT(json, "\"target\":{\"node\":2,\"path\":\"weights\"}");
    CHECK(!strstr(json, "\"node\":1,"));
    const char* still = strstr(meshes, "\"body 0\"");
    const char* moving = strstr(meshes, "\"body, moving: 1\"");
    CHECK(still && moving && still < moving);
    CHECK(strstr(still, "\"targets\"") > moving);
    free(bytes);
    remove(path);
}

// Several cloths come first, bodies behind them; each is a part, in all formats.
static void cloths_are_parts(void) {
    static const WeftPart parts[3] = {
        {"shirt", STRIP_VERTICES, STRIP_TRIANGLES, false},
        {"cloth 1", BODY_VERTICES, BODY_TRIANGLES, false},
        {"body 0", BODY_VERTICES, BODY_TRIANGLES, true},
    };
    Stage stage = make_stage();
    memcpy(stage.parts, parts, sizeof parts);
    for (int i = 0; i < 3; i++) {
        const char* path = test_path(names[i]);
        WeftWriterDef def = stage_def(&stage, 1);
        WeftWriter* writer = NULL;
        WeftReader* reader = NULL;
        CHECK(weft_open_writer(path, &def, &writer, NULL) == WEFT_OK);
        CHECK(weft_write_frame(writer, stage.positions, stage.normals, NULL) == WEFT_OK);
        CHECK(weft_close_writer(writer, NULL) == WEFT_OK);
        CHECK(weft_open_reader(path, NULL, NULL, &reader, NULL) == WEFT_OK);
        if (reader) check_shape(reader, &stage);
        weft_close_reader(reader);
        remove(path);
    }
}

static void check_refusal(const char* name, const char* mesh, const char* words) {
    WeftReader* reader = NULL;
    WeftError error = {0};
    WeftResult result = weft_open_reader(test_path(name), mesh, NULL, &reader, &error);
    double positions[3 * ALL_VERTICES];
    for (int i = 0; !result && i < reader->frame_count; i++)
        result = weft_read_frame(reader, i, positions, &error);
    CHECK(result != WEFT_OK);
    CHECK_TEXT(error.message, words);
    weft_close_reader(reader);
}

// Numbers of vertices that are none: which of them are the same is not known.
static void glb_with_wrong_copies(void) {
    static const float wrong[] = {-1, 12, 3.5e9f, NAN, 9};
    const char* path = test_path("a.glb");
    for (int i = 0; i < 5; i++) {
        size_t count, at = 0;
        write_stage(path, 1);
        unsigned char* bytes = load_file(path, &count);
        // 0, 1, ... 9 and two copies, as floats
        for (size_t k = 0; k + 48 <= count && at == 0; k += 4) {
            int found = 0;
            while (found < STRIP_VERTICES && get_float(bytes + k + 4 * found) == (float)found)
                found++;
            if (found == STRIP_VERTICES) at = k;
        }
        if (!CHECK(at > 0)) return;
        memcpy(bytes + at + 4 * (i == 4 ? 0 : 10), &wrong[i], 4);
        save_file(path, bytes, count);
        check_refusal("a.glb", NULL, "does not say which vertices are the same");
        free(bytes);
    }
    remove(path);
}

static void save_text(const char* name, const char* text) {
    save_file(test_path(name), text, strlen(text));
}

static void other_files_are_refused(void) {
    check_refusal("nowhere.glb", NULL, "nowhere.glb: No such file");
    check_refusal("nowhere.obj", NULL, "nowhere.0000.obj");
    check_refusal("a.fbx", NULL, "the ending must be .glb, .pc2, .obj or .ply");
    save_text("a.glb", "glTF\2");
    check_refusal("a.glb", NULL, "is no GLB");
    save_text("a.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    check_refusal("a.obj", NULL, "a.obj:5:9: a face must have three corners");
    save_text("a.obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n");
    check_refusal("a.obj", NULL, "a.obj:3:7: a corner must be the number of a vertex above");
    save_text("a.obj", "v 0 0 0\nv 1 zero 0\n");
    check_refusal("a.obj", NULL, "a.obj:2:5: a position has three numbers");
    save_text("a.obj", "v 0 0 1e40\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    check_refusal("a.obj", NULL, "frame 0: vertex 0 is not finite");
    save_text("a.obj", "");
    check_refusal("a.obj", NULL, "has no vertices");
    save_text("a.ply", "ply\nformat ascii 1.0\nelement vertex 3\n");
    check_refusal("a.ply", NULL, "is no PLY as weft writes it");
    write_stage(test_path("a.pc2"), 2);
    check_refusal("a.pc2", NULL, "has no triangles");
    save_text("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    check_refusal("a.pc2", test_path("a.obj"), "has 18 vertices, and the mesh has 3");
    // a frame of another mesh
    write_stage(test_path("b.obj"), 2);
    save_text("b.0001.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    check_refusal("b.obj", NULL, "b.0001.obj: is not the same mesh as the first frame");
    remove_stage("b.obj", 2);
    for (int i = 0; i < 4; i++) remove(test_path(names[i]));
    CHECK(count_files() == 0);
}

static void try_to_read(const char* path, const char* mesh) {
    WeftReader* reader = NULL;
    double positions[3 * ALL_VERTICES];
    if (weft_open_reader(path, mesh, NULL, &reader, NULL)) return;
    bool fits = reader->vertex_count <= ALL_VERTICES;
    for (int i = 0; fits && i < reader->frame_count && i < 3; i++)
        weft_read_frame(reader, i, positions, NULL);
    weft_close_reader(reader);
}

// Cut off anywhere, or with bytes changed: an answer of some kind, and nothing leaks.
static void damaged_files(void) {
    uint32_t seed = 1;
    for (int i = 0; i < 4; i++) {
        size_t count;
        const char *path = test_path(names[i]), *mesh = mesh_for(names[i]);
        write_stage(path, i == 0 || i == 3 ? 3 : 1);
        unsigned char* bytes = load_file(path, &count);
        for (size_t cut = 0; cut < count; cut += 1 + count / (size_t)test_rounds(300)) {
            save_file(path, bytes, cut);
            try_to_read(path, mesh);
        }
        for (int round = 0; round < test_rounds(600); round++) {
            seed = 1664525 * seed + 1013904223;
            size_t at = (seed >> 8) % count;
            unsigned char before = bytes[at];
            // digits to digits, so that more of the changed files can be read
            bytes[at] =
                before >= '0' && before <= '9' ? '0' + seed % 10 : (unsigned char)(seed >> 4);
            save_file(path, bytes, count);
            try_to_read(path, mesh);
            bytes[at] = before;
        }
        free(bytes);
        remove(path);
        remove_stage("mesh.obj", 0);
    }
    CHECK(count_files() == 0);
}

static void memory_may_fail(void) {
    for (int i = 0; i < 4; i++) {
        const char *path = test_path(names[i]), *mesh = mesh_for(names[i]);
        write_stage(path, 2);
        int n = 0;
        for (bool good = false; !good; n++) {
            TestMemory memory = {.left = n};
            WeftAllocator allocator = test_allocator(&memory);
            WeftReader* reader = NULL;
            double positions[3 * ALL_VERTICES];
            WeftResult result = weft_open_reader(path, mesh, &allocator, &reader, NULL);
            if (!result) result = weft_read_frame(reader, 1, positions, NULL);
            weft_close_reader(reader);
            good = result == WEFT_OK;
            CHECK(good || result == WEFT_ERROR_MEMORY);
            CHECK(memory.held == 0);
        }
        CHECK(n > 6);
        remove_stage(names[i], 2);
        remove_stage("mesh.obj", 0);
    }
}

TEST_MAIN(CASE(all_comes_back), CASE(one_part_is_cloth), CASE(glb_spares_still_bodies),
          CASE(cloths_are_parts), CASE(glb_with_wrong_copies), CASE(other_files_are_refused),
          CASE(damaged_files), CASE(memory_may_fail))

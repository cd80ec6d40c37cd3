// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards bodies from files: meshes made whole, units and axes, skins and animations against the
// formula of their bones, sequences of files; and that broken files end in sentences.

#include "figure_test.h"

static WeftError last;
static WeftFindings found;

static WeftResult load(const char* path, const WeftFigureFileDef* def, WeftFigure* figure) {
    last = (WeftError){0};
    weft_destroy_findings(&found);
    *figure = (WeftFigure){0};
    return weft_load_figure(path, def, NULL, figure, &found, &last);
}

static bool was_found(const char* words) {
    for (int i = 0; i < found.count; i++)
        if (strstr(found.lines[i], words)) return true;
    return false;
}

// Every edge as often in one direction as in the other.
static bool is_closed(const WeftFigure* figure) {
    int corners = 3 * figure->triangle_count, sum = 0;
    for (int i = 0; i < corners; i++) {
        int a = figure->triangles[i], b = figure->triangles[i - i % 3 + (i + 1) % 3], twins = 0;
        for (int k = 0; k < corners; k++)
            twins += figure->triangles[k] == b && figure->triangles[k - k % 3 + (k + 1) % 3] == a;
        sum += twins == 1;
    }
    return sum == corners;
}

static double volume(const WeftFigure* figure) {
    double sum = 0;
    for (int t = 0; t < figure->triangle_count; t++) {
        const double* x[3];
        for (int k = 0; k < 3; k++) x[k] = figure->positions + 3 * figure->triangles[3 * t + k];
        for (int k = 0; k < 3; k++)
            sum += x[0][k] *
                   (x[1][(k + 1) % 3] * x[2][(k + 2) % 3] - x[1][(k + 2) % 3] * x[2][(k + 1) % 3]);
    }
    return sum / 6;
}

static double height(const WeftFigure* figure) {
    double low = INFINITY, high = -INFINITY;
    for (int v = 0; v < figure->vertex_count; v++) {
        low = fmin(low, figure->positions[3 * v + 1]);
        high = fmax(high, figure->positions[3 * v + 1]);
    }
    return high - low;
}

static void check_box(const WeftFigure* figure, double tall) {
    CHECK(figure->vertex_count == 8 && figure->triangle_count == 12);
    CHECK(is_closed(figure) && figure->bone_count == 0 && !figure->skin_bones);
    CHECK_NEAR(height(figure), tall, 1e-6);
    CHECK_NEAR(volume(figure), 0.16 * tall, 1e-6);
}

// ---------------------------------------------------------------------------------------------
// Shapes

static void shapes(void) {
    const char* names[] = {"box.obj", "box.ply", "box.fbx"};
    WeftFigure figure;
    save_box_obj(test_path("box.obj"), 1.7, false, 0);
    save_box_ply(test_path("box.ply"), 1.7);
    save_box_fbx(test_path("box.fbx"), 1, 1);
    for (int i = 0; i < 3; i++) {
        CHECK(load(test_path(names[i]), NULL, &figure) == WEFT_OK);
        CHECK_TEXT(last.message, "");
        check_box(&figure, 1.7);
        CHECK(found.count == 0);
        weft_destroy_figure(&figure);
        remove(test_path(names[i]));
    }
}

static void units_and_axes(void) {
    WeftFigureFileDef def = weft_default_figure_file_def();
    WeftFigure figure;
    save_box_obj(test_path("z.obj"), 1.7, true, 0);
    CHECK(load(test_path("z.obj"), NULL, &figure) == WEFT_OK);
    check_box(&figure, 1.7);
    CHECK(was_found("taken as z up"));
    weft_destroy_figure(&figure);
    def.up = 'y', def.scale = 2;
    CHECK(load(test_path("z.obj"), &def, &figure) == WEFT_OK);
    CHECK_NEAR(height(&figure), 0.8, 1e-9);
    weft_destroy_figure(&figure);
    remove(test_path("z.obj"));

    static const double scales[] = {100, 1000};
    for (int i = 0; i < 2; i++) {
        save_box_obj(test_path("cm.obj"), 1.7 * scales[i], false, 0);
        CHECK(load(test_path("cm.obj"), NULL, &figure) == WEFT_OK);
        CHECK_NEAR(height(&figure), 1.7, 1e-9);
        CHECK(was_found("units large: scaled by 0.0"));
        weft_destroy_figure(&figure);
        remove(test_path("cm.obj"));
    }
}

// What an FBX file says of its unit and its axis is believed.
static void fbx_says(void) {
    static const double units[] = {1, 100, 2.54};
    WeftFigure figure;
    for (int up = 1; up <= 2; up++)
        for (int i = 0; i < 3; i++) {
            save_box_fbx(test_path("says.fbx"), units[i], up);
            CHECK(load(test_path("says.fbx"), NULL, &figure) == WEFT_OK);
            CHECK_TEXT(last.message, "");
            check_box(&figure, 1.7);
            CHECK(found.count == 0);
            weft_destroy_figure(&figure);
            remove(test_path("says.fbx"));
        }
}

// ---------------------------------------------------------------------------------------------
// Skins

// The tube bent by an angle about z at y = 1, and moved along x: by the weights of its rings.
static void check_bent(const WeftFigure* figure, const double* posed, double angle, double move) {
    double c = cos(angle), s = sin(angle), worst = 0;
    for (int v = 0; v < figure->vertex_count; v++) {
        const double* x = figure->positions + 3 * v;
        double weight = x[1] / 2, up = x[1] - 1;
        double wanted[3] = {(1 - weight) * x[0] + weight * (c * x[0] - s * up) + move,
                            (1 - weight) * x[1] + weight * (1 + s * x[0] + c * up), x[2]};
        for (int k = 0; k < 3; k++) worst = fmax(worst, fabs(posed[3 * v + k] - wanted[k]));
    }
    CHECK_BELOW(worst, 1e-6);
}

static void check_tube(const WeftFigure* figure) {
    double posed[3 * TUBE_VERTICES];
    CHECK(figure->vertex_count == TUBE_RINGS * TUBE_SIDES);
    CHECK(figure->triangle_count == TUBE_TRIANGLES && is_closed(figure));
    CHECK_NEAR(volume(figure), 0.08, 1e-6);
    if (!CHECK(figure->bone_count == 2 && figure->clip_count == 1)) return;
    CHECK(strcmp(figure->bones[0].name, "low") == 0 && figure->bones[0].parent == -1);
    CHECK(strcmp(figure->bones[1].name, "high") == 0 && figure->bones[1].parent == 0);
    CHECK_NEAR(figure->bones[1].head[1], 1, 1e-6);
    CHECK(strcmp(figure->clips[0].name, "bend") == 0 && figure->clips[0].frame_count == 121);
    CHECK(weft_find_clip(figure, "bend") == 0);
    static const double times[] = {0, 0.5, 1, 1.25, 2, 9};
    for (int i = 0; i < 6; i++) {
        double at = fmin(times[i], 2), part = at < 1 ? at : 2 - at;
        CHECK(weft_pose_figure(figure, 0, times[i], posed, &last) == WEFT_OK);
        check_bent(figure, posed, part * 3.14159265358979 / 2, 0.5 * part);
    }
    CHECK(weft_pose_figure(figure, -1, 0, posed, &last) == WEFT_OK);
    check_bent(figure, posed, 0, 0);
}

static void skins(void) {
    WeftFigure figure;
    save_tube(test_path("tube.gltf"), "");
    save_tube_glb(test_path("tube.glb"));
    const char* names[] = {"tube.gltf", "tube.glb"};
    for (int i = 0; i < 2; i++) {
        CHECK(load(test_path(names[i]), NULL, &figure) == WEFT_OK);
        CHECK_TEXT(last.message, "");
        check_tube(&figure);
        weft_destroy_figure(&figure);
        remove(test_path(names[i]));
    }
}

// In centimetres and z up, under a node that makes metres and y of it.
static void nodes_above(void) {
    WeftFigure figure;
    save_tube(test_path("above.gltf"),
              ",\"rotation\":[0,0.70710678,0,0.70710678],\"scale\":[2,2,2]");
    WeftFigureFileDef def = weft_default_figure_file_def();
    def.scale = 0.5;
    CHECK(load(test_path("above.gltf"), &def, &figure) == WEFT_OK);
    // turned by 90 degrees about y: x to -z; turn back, and it is the tube
    double posed[3 * TUBE_VERTICES];
    CHECK(weft_pose_figure(&figure, 0, 1, posed, &last) == WEFT_OK);
    for (int pass = 0; pass < 2; pass++) {
        double* at = pass ? posed : figure.positions;
        for (int v = 0; v < figure.vertex_count; v++) {
            double x = -at[3 * v + 2], z = at[3 * v];
            at[3 * v] = x, at[3 * v + 2] = z;
        }
    }
    check_bent(&figure, posed, 3.14159265358979 / 2, 0.5);
    weft_destroy_figure(&figure);
    remove(test_path("above.gltf"));
}

// The motion of a second file; and refused where it has no bone of the body.
static void second_file(void) {
    WeftFigureFileDef def = weft_default_figure_file_def();
    WeftFigure figure;
    save_tube(test_path("body.gltf"), "");
    save_tube_glb(test_path("motion.glb"));
    char clip[256];
    strcpy(clip, test_path("motion.glb"));
    def.clip_path = clip;
    CHECK(load(test_path("body.gltf"), &def, &figure) == WEFT_OK);
    if (CHECK(figure.clip_count == 2)) {
        double posed[3 * TUBE_VERTICES];
        CHECK(weft_pose_figure(&figure, 0, 1, posed, &last) == WEFT_OK);
        check_bent(&figure, posed, 3.14159265358979 / 2, 0.5);
    }
    weft_destroy_figure(&figure);
    save_box_obj(test_path("box.obj"), 1.7, false, 0);
    CHECK(load(test_path("box.obj"), &def, &figure) == WEFT_ERROR_INPUT);
    CHECK_TEXT(last.message, "motion.glb: the body has no bones that it could move");
    remove(test_path("body.gltf"));
    remove(test_path("motion.glb"));
    remove(test_path("box.obj"));
}

// ---------------------------------------------------------------------------------------------
// Sequences

static void sequences(void) {
    const char* paths[] = {"walk.%03d.obj", "walk.*.obj", "walk.001.obj", ""};
    WeftFigureFileDef def = weft_default_figure_file_def();
    WeftFigure figure;
    char name[64];
    for (int i = 1; i <= 11; i++) {
        snprintf(name, sizeof name, "walk.%03d.obj", i);
        save_box_obj(test_path(name), 1.7, false, 0.1 * (i - 1));
    }
    def.rate = 10;
    for (int i = 0; i < 4; i++) {
        double posed[24];
        def.sequence = i == 2;
        CHECK(load(test_path(paths[i]), &def, &figure) == WEFT_OK);
        CHECK_TEXT(last.message, "");
        check_box(&figure, 1.7);
        if (CHECK(figure.clip_count == 1 && figure.clips[0].frame_count == 11)) {
            CHECK(weft_pose_figure(&figure, 0, 0.55, posed, &last) == WEFT_OK);
            CHECK_NEAR(posed[1], 0.55, 1e-9);
        }
        weft_destroy_figure(&figure);
    }
    save_tube_glb(test_path("tube.glb"));
    save_file(test_path("walk.005.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", 32);
    CHECK(load(test_path("walk.%03d.obj"), NULL, &figure) == WEFT_ERROR_INPUT);
    CHECK_TEXT(last.message,
               "walk.005.obj: it has 3 vertices, the first file of the sequence has 8");
    CHECK(load(test_path("run.%d.obj"), NULL, &figure) == WEFT_ERROR_FILE);
    CHECK_TEXT(last.message, "no file of this sequence is there");
    CHECK(load(test_path("walk.%s.obj"), NULL, &figure) == WEFT_ERROR_INPUT);
    CHECK_TEXT(last.message, "write the number of a sequence as %d or %04d");
    for (int i = 1; i <= 11; i++) {
        snprintf(name, sizeof name, "walk.%03d.obj", i);
        remove(test_path(name));
    }
    remove(test_path("tube.glb"));
}

// Positions of a PC2 file, in the unit and axes of the mesh.
static void point_caches(void) {
    WeftFigureFileDef def = weft_default_figure_file_def();
    WeftWriterDef writing = weft_default_writer_def();
    WeftWriter* writer = NULL;
    WeftFigure figure;
    float shape[24];
    char clip[256];
    save_box_ply(test_path("box.ply"), 170);
    CHECK(load(test_path("box.ply"), NULL, &figure) == WEFT_OK);
    writing.vertex_count = 8, writing.triangle_count = 12, writing.triangles = figure.triangles;
    writing.frame_count = 3;
    CHECK(weft_open_writer(test_path("box.pc2"), &writing, &writer, &last) == WEFT_OK);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 24; k++) shape[k] = (float)(100 * i + k);
        CHECK(weft_write_frame(writer, shape, shape, &last) == WEFT_OK);
    }
    CHECK(weft_close_writer(writer, &last) == WEFT_OK);
    weft_destroy_figure(&figure);
    strcpy(clip, test_path("box.pc2"));
    def.clip_path = clip, def.rate = 10;
    CHECK(load(test_path("box.ply"), &def, &figure) == WEFT_OK);
    CHECK_TEXT(last.message, "");
    if (CHECK(figure.clip_count == 1 && figure.clips[0].frame_count == 3)) {
        double posed[24];
        CHECK(weft_pose_figure(&figure, 0, 0.15, posed, &last) == WEFT_OK);
        CHECK_NEAR(posed[5], 1.55, 1e-6);
    }
    weft_destroy_figure(&figure);
    save_tube_glb(test_path("tube.glb"));
    CHECK(load(test_path("tube.glb"), &def, &figure) == WEFT_ERROR_INPUT);
    CHECK_TEXT(last.message, "box.pc2: the file has 8 points, the mesh has 40 vertices");
    remove(test_path("tube.glb"));
    remove(test_path("box.ply"));
    remove(test_path("box.pc2"));
}

// ---------------------------------------------------------------------------------------------
// Bad files

static void mistakes(void) {
    WeftFigureFileDef def = weft_default_figure_file_def();
    WeftFigure figure;
    CHECK(load(test_path("no.glb"), NULL, &figure) == WEFT_ERROR_FILE);
    CHECK_TEXT(last.message, "no.glb: cannot open: No such file");
    save_file(test_path("empty.fbx"), "", 0);
    CHECK(load(test_path("empty.fbx"), NULL, &figure) == WEFT_ERROR_INPUT);
    CHECK_TEXT(last.message, "empty.fbx: the file is empty");
    save_file(test_path("what.xyz"), "hello", 5);
    CHECK(load(test_path("what.xyz"), NULL, &figure) == WEFT_ERROR_INPUT);
    CHECK_TEXT(last.message, "what.xyz: ");
    def.rate = 0;
    CHECK(load("x.glb", &def, &figure) == WEFT_ERROR_INPUT);
    CHECK_TEXT(last.message, "rate must be above 0");
    remove(test_path("empty.fbx"));
    remove(test_path("what.xyz"));
}

static void try_bytes(const char* name, const unsigned char* bytes, size_t count) {
    WeftFigure figure;
    save_file(test_path(name), bytes, count);
    WeftResult result = load(test_path(name), NULL, &figure);
    CHECK(result == WEFT_OK || last.message[0]);
    if (!result) {
        double* posed = malloc(3 * (size_t)figure.vertex_count * sizeof *posed);
        weft_pose_figure(&figure, figure.clip_count > 0 ? 0 : -1, 0.3, posed, &last);
        free(posed);
        weft_destroy_figure(&figure);
    }
}

// Every good file, cut short in many places, and with bytes of it changed. A try takes 15 ms and
// more: it starts a process.
static void broken_files(void) {
    static const char* const names[] = {"bad.gltf", "bad.glb", "bad.ply", "bad.fbx", "bad.obj"};
    save_tube(test_path(names[0]), "");
    save_tube_glb(test_path(names[1]));
    save_box_ply(test_path(names[2]), 1.7);
    save_box_fbx(test_path(names[3]), 1, 1);
    save_box_obj(test_path(names[4]), 1.7, false, 0);
    unsigned seed = 1;
    for (int i = 0; i < 5; i++) {
        size_t count;
        unsigned char* bytes = load_file(test_path(names[i]), &count);
        size_t cuts = (size_t)test_rounds(8);
        for (size_t k = 1; k < cuts; k++) try_bytes(names[i], bytes, count * k / cuts);
        for (int k = 0; k < (test_long() ? 12 : 3); k++) {
            unsigned char before[3];
            size_t at[3];
            for (int j = 0; j < 3; j++) {
                seed = seed * 1664525 + 1013904223;
                at[j] = (seed >> 8) % count;
                before[j] = bytes[at[j]];
                bytes[at[j]] = (unsigned char)(seed >> (k % 2 ? 3 : 11));
            }
            try_bytes(names[i], bytes, count);
            for (int j = 2; j >= 0; j--) bytes[at[j]] = before[j];
        }
        remove(test_path(names[i]));
        free(bytes);
    }
}

static void out_of_memory(void) {
    save_tube(test_path("memory.gltf"), "");
    for (int left = 0; left < 200; left++) {
        TestMemory memory = {.left = left};
        WeftAllocator allocator = test_allocator(&memory);
        WeftFigure figure = {0};
        WeftResult result =
            weft_load_figure(test_path("memory.gltf"), NULL, &allocator, &figure, NULL, &last);
        if (!result) weft_destroy_figure(&figure);
        CHECK(memory.held == 0);
        if (!result) break;
        CHECK(result == WEFT_ERROR_MEMORY);
    }
    remove(test_path("memory.gltf"));
}

static void nothing_is_left(void) {
    weft_destroy_findings(&found);
    CHECK(count_files() == 0);
}

TEST_MAIN(CASE(shapes), CASE(units_and_axes), CASE(fbx_says), CASE(skins), CASE(nodes_above),
          CASE(second_file), CASE(sequences), CASE(point_caches), CASE(mistakes),
          CASE(out_of_memory), CASE(broken_files), CASE(nothing_is_left))

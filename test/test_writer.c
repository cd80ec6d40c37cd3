// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the life of written files: their names, that they appear whole or not at all, and what
// is said and left behind when memory or disk run out.

#include "file_test.h"

#include <sys/stat.h>

#include "weft/weft_io.h"

static const char* const names[] = {"a.glb", "a.pc2", "a.obj", "a.ply"};
enum { FORMATS = 4 };

static void sequences_are_numbered(void) {
    Strip strip = make_strip();
    WeftWriterDef def = strip_def(&strip, 3);
    CHECK(write_strip(test_path("a.b.obj"), &def, 2, NULL) == WEFT_OK);
    CHECK(remove(test_path("a.b.0000.obj")) == 0 && remove(test_path("a.b.0001.obj")) == 0);
    CHECK(write_strip(test_path("a.PLY"), &def, 3, NULL) == WEFT_OK);
    CHECK(remove(test_path("a.0000.PLY")) == 0 && remove(test_path("a.0001.PLY")) == 0);
    CHECK(remove(test_path("a.0002.PLY")) == 0);
    def.frame_count = 10001;
    CHECK(write_strip(test_path("a.obj"), &def, 1, NULL) == WEFT_OK);
    CHECK(remove(test_path("a.00000.obj")) == 0);
    def.frame_count = 10000;
    CHECK(write_strip(test_path("a.obj"), &def, 1, NULL) == WEFT_OK);
    CHECK(remove(test_path("a.0000.obj")) == 0);
    CHECK(count_files() == 0);
}

static void single_files_keep_their_name(void) {
    Strip strip = make_strip();
    WeftWriterDef def = strip_def(&strip, 1);
    for (int i = 0; i < FORMATS; i++) {
        CHECK(write_strip(test_path(names[i]), &def, 1, NULL) == WEFT_OK);
        CHECK(count_files() == 1);
        CHECK(remove(test_path(names[i])) == 0);
    }
}

// an old file stays as it was until the new one is whole
static void appears_when_complete(void) {
    Strip strip = make_strip();
    WeftWriterDef def = strip_def(&strip, 5);
    for (int i = 0; i < 2; i++) {
        size_t size;
        const char* path = test_path(names[i]);
        save_file(path, "old", 3);
        WeftWriter* writer = NULL;
        CHECK(weft_open_writer(path, &def, &writer, NULL) == WEFT_OK);
        for (int frame = 0; frame < 2; frame++)
            CHECK(weft_write_frame(writer, strip.positions, strip.normals, NULL) == WEFT_OK);
        free(load_file(path, &size));
        CHECK(size == 3 && count_files() == 2);
        CHECK(weft_close_writer(writer, NULL) == WEFT_OK);
        free(load_file(path, &size));
        CHECK(size > 3 && count_files() == 1);
        remove(path);
    }
}

static void abandoned_files_go(void) {
    Strip strip = make_strip();
    WeftWriterDef def = strip_def(&strip, 5);
    for (int i = 0; i < FORMATS; i++) {
        for (int frames = 0; frames < 3; frames++) {
            WeftWriter* writer = NULL;
            CHECK(weft_open_writer(test_path(names[i]), &def, &writer, NULL) == WEFT_OK);
            for (int frame = 0; frame < frames; frame++)
                CHECK(weft_write_frame(writer, strip.positions, strip.normals, NULL) == WEFT_OK);
            weft_abandon_writer(writer);
            // frames of a sequence that were complete stay
            CHECK(count_files() == (i < 2 ? 0 : frames));
            if (i >= 2 && frames == 2) {
                CHECK(remove(test_path(i == 2 ? "a.0000.obj" : "a.0000.ply")) == 0);
                CHECK(remove(test_path(i == 2 ? "a.0001.obj" : "a.0001.ply")) == 0);
            }
        }
    }
    weft_abandon_writer(NULL);
    CHECK(count_files() == 0);
}

static void no_frames_is_an_error(void) {
    Strip strip = make_strip();
    WeftWriterDef def = strip_def(&strip, 5);
    for (int i = 0; i < FORMATS; i++) {
        WeftError error;
        CHECK(write_strip(test_path(names[i]), &def, 0, &error) == WEFT_ERROR_INPUT);
        CHECK_TEXT(error.message, "there was no frame to write");
        CHECK(count_files() == 0);
    }
}

static void unknown_endings(void) {
    static const char* const bad[] = {"a.fbx", "a",      "obj",    "a.obj.txt",
                                      "a.ob",  "a.objx", "b.obj/a"};
    Strip strip = make_strip();
    WeftWriterDef def = strip_def(&strip, 1);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        WeftError error;
        CHECK(write_strip(test_path(bad[i]), &def, 1, &error) == WEFT_ERROR_INPUT);
        CHECK_TEXT(error.message, "the ending must be .glb, .pc2, .obj or .ply");
        CHECK(weft_check_writer(bad[i], &error) == WEFT_ERROR_INPUT);
    }
    CHECK(weft_check_writer("no/such/a.GLB", NULL) == WEFT_OK);  // by its ending alone
    CHECK(count_files() == 0);
}

static void unwritable_paths(void) {
    Strip strip = make_strip();
    WeftWriterDef def = strip_def(&strip, 1);
    for (int i = 0; i < FORMATS; i++) {
        char name[32];
        snprintf(name, sizeof name, "none/%s", names[i]);
        WeftError error;
        CHECK(write_strip(test_path(name), &def, 1, &error) == WEFT_ERROR_FILE);
        CHECK_TEXT(error.message, names[i]);
        CHECK_TEXT(error.message, ": cannot write: No such file");
        CHECK(error.result == WEFT_ERROR_FILE);
        CHECK(write_strip(test_path(name), &def, 1, NULL) == WEFT_ERROR_FILE);
    }
}

// The last moment to fail: the part is whole, but its place is taken by a folder.
static void cannot_rename(void) {
    Strip strip = make_strip();
    WeftWriterDef def = strip_def(&strip, 1);
    for (int i = 0; i < FORMATS; i++) {
        WeftError error;
        const char* folder = test_path(names[i]);
        CHECK(mkdir(folder, 0777) == 0);
        CHECK(write_strip(folder, &def, 1, &error) == WEFT_ERROR_FILE);
        CHECK_TEXT(error.message, ": cannot write: ");
        CHECK(count_files() == 1);
        CHECK(rmdir(folder) == 0);
    }
}

// /dev/full takes every write and says that the disk is full
static void full_disk(void) {
    Strip strip = make_strip();
    WeftWriterDef def = strip_def(&strip, 1);
    for (int i = 0; i < FORMATS; i++) {
        char part[300];
        snprintf(part, sizeof part, "%s.part", test_path(names[i]));
        if (!file_exists("/dev/full") || symlink("/dev/full", part)) return;
        WeftError error = {0};
        CHECK(write_strip(test_path(names[i]), &def, 1, &error) == WEFT_ERROR_FILE);
        CHECK_TEXT(error.message, ": cannot write: No space left on device");
        CHECK(count_files() == 0);
    }
}

// once a frame is lost, the file cannot be completed
static void numbers_that_are_none(void) {
    static const float bad[] = {NAN, INFINITY, -INFINITY, 1e31f};
    for (int i = 0; i < FORMATS; i++) {
        for (int k = 0; k < 8; k++) {
            Strip strip = make_strip();
            WeftWriterDef def = strip_def(&strip, 5);
            WeftError error;
            WeftWriter* writer = NULL;
            CHECK(weft_open_writer(test_path(names[i]), &def, &writer, NULL) == WEFT_OK);
            (k < 4 ? strip.positions : strip.normals)[7] = bad[k % 4];
            CHECK(weft_write_frame(writer, strip.positions, strip.normals, &error) ==
                  WEFT_ERROR_INPUT);
            CHECK_TEXT(error.message, k < 4 ? "frame 0: the position of vertex 2 is not finite"
                                            : "frame 0: the normal of vertex 2 is not finite");
            strip = make_strip();
            CHECK(weft_write_frame(writer, strip.positions, strip.normals, &error));
            CHECK(weft_close_writer(writer, &error) == WEFT_ERROR_FILE);
            CHECK_TEXT(error.message, "an earlier frame was lost");
            CHECK(count_files() == 0);
        }
    }
    Strip strip = make_strip();
    strip.texture[9] = NAN;
    WeftWriterDef def = strip_def(&strip, 1);
    WeftError error;
    CHECK(write_strip(test_path("a.obj"), &def, 1, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "the texture coordinates of vertex 4 are not finite");
    Seam seam = make_seam(&strip);
    def = seam_def(&strip, &seam, 1);
    seam.texture[9] = 0;
    CHECK(write_strip(test_path("a.obj"), &def, 1, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "the texture coordinates number 14 are not finite");
}

static void every_allocation_fails(void) {
    Strip strip = make_strip();
    Seam seam = make_seam(&strip);
    WeftWriterDef def = seam_def(&strip, &seam, 1);
    for (int i = 0; i < FORMATS; i++) {
        int failures = 0;
        for (int left = 0;; left++) {
            TestMemory memory = {.left = left};
            def.allocator = test_allocator(&memory);
            WeftError error = {0};
            WeftResult result = write_strip(test_path(names[i]), &def, 1, &error);
            CHECK(memory.held == 0);
            CHECK(count_files() == (result ? 0 : 1));
            if (!result) break;
            CHECK(result == WEFT_ERROR_MEMORY);
            CHECK_TEXT(error.message, ": out of memory");
            failures++;
        }
        CHECK(failures >= 7);
        remove(test_path(names[i]));
    }
}

TEST_MAIN(CASE(sequences_are_numbered), CASE(single_files_keep_their_name),
          CASE(appears_when_complete), CASE(abandoned_files_go), CASE(no_frames_is_an_error),
          CASE(unknown_endings), CASE(unwritable_paths), CASE(cannot_rename), CASE(full_disk),
          CASE(numbers_that_are_none), CASE(every_allocation_fails))

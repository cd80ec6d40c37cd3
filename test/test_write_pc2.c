// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards PC2 files: the header with the number of frames that really came, then their positions.

#include "file_test.h"

#include "weft/weft_io.h"

static void check_file(const char* path, int frames) {
    size_t size;
    unsigned char* bytes = load_file(path, &size);
    if (!CHECK(bytes && size == 32 + 12 * (size_t)STRIP_VERTICES * (size_t)frames)) return;
    CHECK(memcmp(bytes, "POINTCACHE2\0", 12) == 0);
    CHECK(get_word(bytes + 12) == 1 && get_word(bytes + 16) == STRIP_VERTICES);
    CHECK(get_float(bytes + 20) == 0 && get_float(bytes + 24) == 1);
    CHECK(get_word(bytes + 28) == (uint32_t)frames);
    Strip strip = make_strip();
    for (int frame = 0; frame < frames; frame++) {
        move_strip(&strip, frame);
        for (int i = 0; i < 3 * STRIP_VERTICES; i++)
            CHECK(get_float(bytes + 32 + 4 * (frame * 3 * STRIP_VERTICES + i)) ==
                  strip.positions[i]);
    }
    free(bytes);
}

static void numbers_come_back(void) {
    Strip strip = make_strip();
    WeftWriterDef def = strip_def(&strip, 7);
    const char* path = test_path("a.pc2");
    for (int frames = 1; frames <= 7; frames++) {
        CHECK(write_strip(path, &def, frames, NULL) == WEFT_OK);
        check_file(path, frames);
        remove(path);
    }
    CHECK(count_files() == 0);
}

TEST_MAIN(CASE(numbers_come_back))

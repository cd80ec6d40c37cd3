// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards `weft pattern` and what `weft check` says of patterns.

#include <jansson.h>

#include "pattern_test.h"
#include "tool_test.h"

static void write_text(const char* path, const char* text) {
    FILE* file = fopen(path, "wb");
    if (!CHECK(file != NULL)) return;
    fputs(text, file);
    fclose(file);
}

static void table(void) {
    write_text("own.json", own_text);
    CHECK(tool("pattern show own.json") == 0);
    CHECK_TEXT(out,
               "own.json: vest, a pattern\n  3 panels, 16 sides, 3 seams of 6 sides, 1 hold\n");
    CHECK_TEXT(out, "front_left: 230 x 500 mm, \"left torso\", 1 hole, grain at 30 degrees\n");
    CHECK_TEXT(out, "     1     400.0  left side          back 5, 400.5 mm, ease -0.1 %\n");
    CHECK_TEXT(out, "\"collar\": an elastic band of 0.9 times the length, 60 N\n");
    CHECK(err[0] == 0);
}

static void data(void) {
    write_text("later.json", later_text);
    CHECK(tool("pattern show later.json --json") == 0);
    json_t* root = json_loads(out, 0, NULL);
    CHECK(json_array_size(json_object_get(root, "panels")) == 2);
    json_t* seam = json_array_get(json_object_get(root, "seams"), 0);
    CHECK_NEAR(json_number_value(json_array_get(json_object_get(seam, "lengths"), 0)), 0.5, 1e-9);
    CHECK(strcmp(json_string_value(json_object_get(seam, "ends")), "opposite") == 0);
    json_decref(root);
}

static void picture(void) {
    write_text("own.json", own_text);
    remove("own.png");
    CHECK(tool("pattern show own.json --picture own.png") == 0);
    FILE* file = fopen("own.png", "rb");
    if (!CHECK(file != NULL)) return;
    unsigned char head[24];
    CHECK(fread(head, 1, 24, file) == 24 && memcmp(head + 1, "PNG", 3) == 0);
    CHECK(head[18] >= 2 && head[22] >= 1);  // some hundred pixels each way
    fclose(file);
    CHECK(tool("pattern show own.json --picture no/such/folder.png") == 1);
}

static void conversion(void) {
    write_text("older.json", older_text);
    CHECK(tool("pattern convert older.json --out ours.json") == 0);
    CHECK_TEXT(out, "written to ours.json");
    WeftPattern theirs = {0}, ours = {0};
    CHECK(weft_load_pattern("older.json", NULL, NULL, &theirs, NULL, &last) == WEFT_OK);
    CHECK(weft_load_pattern("ours.json", NULL, NULL, &ours, &found, &last) == WEFT_OK);
    CHECK(same_pattern(&theirs, &ours) && found.count == 0);
    weft_destroy_pattern(&theirs);
    weft_destroy_pattern(&ours);
    weft_destroy_findings(&found);
}

static void checks(void) {
    write_text("later.json", later_text);
    write_text(
        "bad.json",
        "{\"weft_pattern\":1,\"panels\":[{\"name\":\"p\",\"sides\":[[1,1],[1,0],[0,1],[0,0]]}]}");
    write_text(
        "mended.json",
        "{\"weft_pattern\":1,\"panels\":[{\"name\":\"p\",\"sides\":[[1,0],[1,0],[0,1],[0,0]]}]}");
    CHECK(tool("check later.json mended.json " WEFT_SCENES "/disc.json") == 0);
    CHECK_TEXT(out, "later.json: later, a pattern\n  2 panels, 8 sides");
    CHECK_TEXT(out, "  note: panel \"p\": side 1 was dropped: it begins where it ends\n");
    CHECK_TEXT(out, "disc.json: ");
    CHECK(tool("check bad.json") == 2);
    CHECK_TEXT(err, "bad.json: panel \"p\": side 0 and side 2 cross near (0.5, 0.5) m\n");
    // seams are tried, where panels have places
    write_text("twisted.json",
               "{\"weft_pattern\":1,\"panels\":[{\"name\":\"p\",\"sides\":[[1,0],[1,0.1],[0,0.1],"
               "{\"to\":[0,0],\"name\":\"end\"}],\"place\":{}}],"
               "\"seams\":[{\"a\":\"p.1\",\"b\":\"p.end\",\"ends\":\"same\"}]}");
    CHECK(tool("check twisted.json") == 2);
    CHECK_TEXT(err,
               "twisted.json: the seam of side 1 of panel \"p\" and side \"end\" of panel \"p\" "
               "twists the garment");
    write_text("wool.json",
               "{\"weft_pattern\":1,\"panels\":[{\"name\":\"p\",\"fabric\":\"woool\","
               "\"sides\":[[1,0],[0,1],[0,0]]}]}");
    CHECK(tool("check wool.json") == 2);
    CHECK_TEXT(err, "wool.json: panel \"p\": ");
    CHECK_TEXT(err, "woool");
    CHECK(tool("check mended.json --json") == 0);
    json_t* root = json_loads(out, 0, NULL);
    CHECK(json_array_size(json_object_get(json_array_get(root, 0), "findings")) == 1);
    json_decref(root);
}

static void mistakes(void) {
    CHECK(tool("pattern") == 2);
    CHECK(tool("pattern shwo own.json") == 2);
    CHECK_TEXT(err, "pattern takes show or convert, and a file; did you mean show?");
    CHECK(tool("pattern show") == 2);
    CHECK(tool("pattern convert own.json") == 2);
    CHECK(tool("pattern show own.json --out x.json") == 2);
    CHECK(tool("pattern show missing.json") == 2);
    CHECK_TEXT(err, "missing.json: ");
    CHECK(tool("pattern --help") == 0);
    CHECK_TEXT(out, "--picture");
}

TEST_MAIN(CASE(table), CASE(data), CASE(picture), CASE(conversion), CASE(checks), CASE(mistakes))

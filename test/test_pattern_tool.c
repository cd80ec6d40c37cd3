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
    CHECK_TEXT(
        out,
        "     1 side                400.0  left side       back.left, 400.5 mm, ease -0.1 %\n");
    CHECK_TEXT(out, "     4 middle              450.0                  front_right.middle, ");
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

// Garments that come with the tool, by their names.
static void garments(void) {
    CHECK(tool("pattern show tshirt") == 0);
    CHECK_TEXT(out, "/tshirt.json: T-shirt, a pattern\n");
    CHECK(tool("pattern convert skirt --out ours.json") == 0);
    CHECK(tool("check jacket ours.json") == 0);
    CHECK_TEXT(out, "/jacket.json: jacket, a pattern\n");
    CHECK_TEXT(out, "ours.json: A-line skirt, a pattern\n");
    CHECK(tool("pattern show tshrt") == 2);
    CHECK_TEXT(err, "tshrt: there is no such file, nor garment; did you mean tshirt?");
    CHECK(tool("check no/such.json") == 2);
    CHECK_TEXT(err, "no/such.json: there is no such file, nor garment\n");
}

// A file may begin with the mark of UTF-8, as some editors write it.
static void marked(void) {
    char text[4096];
    snprintf(text, sizeof text, "\xEF\xBB\xBF%s", own_text);
    write_text("marked.json", text);
    CHECK(tool("pattern show marked.json") == 0);
    CHECK_TEXT(out, "marked.json: vest, a pattern\n");
    snprintf(text, sizeof text, "\xEF\xBB\xBF%s", later_text);
    write_text("marked.json", text);
    CHECK(tool("check marked.json") == 0);
    CHECK_TEXT(out, "marked.json: marked, a pattern\n");
}

// Names cannot write to the terminal what they like.
static void control_characters(void) {
    write_text("red.json",
               "{\"weft_pattern\":1,\"name\":\"\\u001b[31mred\","
               "\"panels\":[{\"name\":\"p\",\"sides\":[[1,0],[0,1],[0,0]]}]}");
    CHECK(tool("check red.json") == 2);
    CHECK_TEXT(err, "red.json:1:26: \"name\" has control characters in it\n");
    write_text("red.json", "{\"weft_pattern\":1,\"\\u001b[31m\\u009bred\":1}");
    CHECK(tool("check red.json") == 2);
    CHECK_TEXT(err, "red.json:1:19: unknown key \"?[31m\?\?red\"");
    write_text("red.json",
               "{\"pattern\":{\"panels\":{\"a\\nb\":{\"vertices\":[[0,0],[9,0],[0,9]],"
               "\"edges\":[{\"endpoints\":[0,1]},{\"endpoints\":[1,2]},{\"endpoints\":[2,0]}]}}}}");
    CHECK(tool("check red.json") == 2);
    CHECK_TEXT(err, "red.json:1:23: a name with control characters in it\n");
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

TEST_MAIN(CASE(table), CASE(data), CASE(garments), CASE(marked), CASE(control_characters),
          CASE(picture), CASE(conversion), CASE(checks), CASE(mistakes))

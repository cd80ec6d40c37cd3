// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards `weft fabrics`: the list, one fabric, names that are wrong, data, pictures; and that the
// tool's other commands know the same names.

#define _POSIX_C_SOURCE 200809L

#include <jansson.h>
#include <unistd.h>

#include "tool_test.h"
#include "weft/weft.h"

#define MEASURED_FOLDER WEFT_SOURCE "/fabrics/measured"

static void save(const char* path, const char* text) {
    FILE* file = fopen(path, "wb");
    if (!file || fputs(text, file) < 0 || fclose(file)) abort();
}

static void list_has_all(void) {
    CHECK(tool("fabrics --help") == 0);
    CHECK_TEXT(out, "Options");
    CHECK(tool("fabrics") == 0);
    for (int i = 0; weft_fabric_preset(i); i++) CHECK_TEXT(out, weft_fabric_preset(i)->name);
    CHECK(err[0] == 0);
    setenv("WEFT_FABRICS", MEASURED_FOLDER, 1);
    CHECK(tool("fabrics") == 0);
    if (access(MEASURED_FOLDER, R_OK) == 0) CHECK_TEXT(out, "\ngray_interlock          0.187");
    unsetenv("WEFT_FABRICS");
}

static void one_is_shown(void) {
    CHECK(tool("fabrics wool_suiting") == 0);
    CHECK_TEXT(out, "wool_suiting (preset): worsted suiting");
    CHECK_TEXT(out, "stretch, warp          3291 N/m");
    CHECK_TEXT(out, "Kawabata");
    CHECK_TEXT(out, "\n   90   3.29e+03 ###");
    CHECK(err[0] == 0);
}

static void as_data(void) {
    json_error_t error;
    CHECK(tool("fabrics --json") == 0);
    json_t* root = json_loads(out, 0, &error);
    int count = 0;
    while (weft_fabric_preset(count)) count++;
    CHECK((int)json_array_size(json_object_get(root, "fabrics")) >= count);
    json_decref(root);
    CHECK(tool("fabrics denim --json") == 0);
    root = json_loads(out, 0, &error);
    CHECK_NEAR(json_number_value(json_object_get(root, "density")), 0.339, 1e-12);
    CHECK(json_array_size(json_object_get(root, "directions")) == 37);
    json_decref(root);
}

static void names_that_are_wrong(void) {
    CHECK(tool("fabrics demin") == 2);
    CHECK_TEXT(err, "weft: there is no fabric \"demin\"; did you mean \"denim\"?");
    CHECK(out[0] == 0);
    CHECK(tool("fabrics denim linen") == 2);
    CHECK(tool("fabrics --plot x.png") == 2);
    save("bad.json", "{\"weft_fabric\": 1,\n \"density\": -1, \"stretch\": 1}");
    CHECK(tool("fabrics bad.json") == 2);
    CHECK_TEXT(err, "bad.json:2:13: \"density\" must be above 0");
    remove("bad.json");
}

// A folder of one's own, with a good file and a bad one.
static void folders_of_ones_own(void) {
    CHECK(system("mkdir -p own") == 0);
    save("own/homespun.json", "{\"weft_fabric\": 1, \"density\": 0.4, \"stretch\": 321}");
    setenv("WEFT_FABRICS", "own", 1);
    CHECK(tool("fabrics") == 0);
    CHECK_TEXT(out, "homespun                  0.4      321");
    save("scene.json",
         "{\"weft\": 1, \"cloths\": [{\"mesh\": {\"kind\": \"grid\", \"columns\": 2,"
         " \"rows\": 2},\n\"fabric\": \"homespun\"}]}");
    CHECK(tool("check scene.json") == 0);
    save("own/worse.json", "{}");
    CHECK(tool("fabrics") == 2);
    CHECK_TEXT(out, "homespun");
    CHECK_TEXT(err, "own/worse.json:1:1: \"weft_fabric\" is missing here");
    unsetenv("WEFT_FABRICS");
    CHECK(tool("check scene.json") == 2);
    CHECK_TEXT(err, "scene.json:2:11: there is no fabric \"homespun\"");
    remove("own/worse.json");
    remove("own/homespun.json");
    remove("scene.json");
    rmdir("own");
}

static void pictures(void) {
    CHECK(tool("fabrics denim --plot denim.png") == 0);
    static const char* const files[] = {"denim_stretch.png", "denim_bend.png"};
    for (int i = 0; i < 2; i++) {
        FILE* file = fopen(files[i], "rb");
        unsigned char head[4] = {0};
        CHECK(file && fread(head, 1, 4, file) == 4 && memcmp(head, "\x89PNG", 4) == 0);
        if (file) fclose(file);
        remove(files[i]);
    }
    CHECK(tool("fabrics denim --plot denim.svg") == 0);
    read_text("denim_stretch.svg", out);
    CHECK_TEXT(out, "<svg");
    CHECK_TEXT(out, "degrees from the warp");
    remove("denim_stretch.svg");
    remove("denim_bend.svg");
    CHECK(tool("fabrics denim --plot denim.doc") == 2);
}

TEST_MAIN(CASE(list_has_all), CASE(one_is_shown), CASE(as_data), CASE(names_that_are_wrong),
          CASE(folders_of_ones_own), CASE(pictures))

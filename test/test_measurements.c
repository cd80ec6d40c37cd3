// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards measurement files: what good ones become, that every mistake is named at its place, that
// docs/fit.md has every key, and `weft fit` as its users meet it.

#include "file_test.h"
#include "io/measurements.h"
#include "tool_test.h"

#define EXAMPLE WEFT_SOURCE "/examples/measurements/jersey.json"
#define FABRIC "'" WEFT_SOURCE "/fabrics/measured/gray_interlock.json'"

static WeftMeasurements* parse(const char* text, WeftError* error) {
    WeftMeasurements* m = NULL;
    *error = (WeftError){0};
    WeftResult result = weft_parse_measurements(text, strlen(text), "m.json", NULL, &m, error);
    CHECK(result == error->result);
    CHECK(!result == (m != NULL));
    return m;
}

// The text must be refused, with exactly this message.
static void refuse(const char* text, const char* message) {
    WeftError error;
    WeftMeasurements* m = parse(text, &error);
    CHECK(m == NULL && error.result == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, message);
    CHECK(strlen(error.message) == strlen(message));
    weft_destroy_measurements(m);
}

static void good_files(void) {
    WeftError error;
    WeftMeasurements* m = parse(
        "{\"weft_measurements\": 1, \"name\": \"felt\", \"density\": 0.3, \"noise_mm\": 0.25,\n"
        " \"reference_strain\": 0.1, \"strip\": {\"width\": 0.05, \"length\": 0.2}, \"tests\": [\n"
        "  {\"kind\": \"stretch\", \"angle\": 45, \"mass\": 0.1, \"points\": [[0.2, 0.05, 0.21, "
        "0.04]]},\n"
        "  {\"kind\": \"stretch\", \"angle\": 0, \"weight\": 2, \"points\": [[0, 0, 0, 0]]},\n"
        "  {\"kind\": \"bend\", \"angle\": 90, \"overhang\": 0.04, \"points\": [[0.02, 0.019, "
        "-0.001], [0.04, 0.037, -0.01]]}]}",
        &error);
    CHECK(m != NULL);
    if (!m) return;
    CHECK(strcmp(m->name, "felt") == 0 && m->density == 0.3 && m->test_count == 3);
    CHECK_NEAR(m->noise, 0.25e-3, 1e-18);
    CHECK(m->reference_strain == 0.1 && m->width == 0.05 && m->length == 0.2);
    CHECK(m->tests[0].kind == WEFT_TEST_STRETCH && m->tests[0].angle == 45);
    CHECK_NEAR(m->tests[0].weight, 0.981, 1e-15);
    CHECK(m->tests[0].marks[0].along == 0.2 && m->tests[0].marks[0].across == 0.05);
    CHECK(m->tests[0].marks[0].x == 0.21 && m->tests[0].marks[0].y == 0.04);
    CHECK(m->tests[1].weight == 2);
    CHECK(m->tests[2].kind == WEFT_TEST_BEND && m->tests[2].overhang == 0.04);
    CHECK(m->tests[2].mark_count == 2 && m->tests[2].marks[1].along == 0.04);
    CHECK(m->tests[2].marks[1].x == 0.037 && m->tests[2].marks[1].y == -0.01);
    weft_destroy_measurements(m);
}

static void defaults(void) {
    WeftError error;
    WeftMeasurements* m = parse(
        "{\"weft_measurements\": 1, \"density\": 0.3, \"tests\": [{\"kind\": \"bend\", \"angle\": "
        "0, \"overhang\": 0.04, \"points\": [[0.04, 0.037, -0.01]]}]}",
        &error);
    CHECK(m && m->noise < 0 && m->width == 0.06 && m->length == 0.12 && !m->name[0]);
    CHECK(m && fabs(m->reference_strain - 1.0 / 6) < 1e-15);
    weft_destroy_measurements(m);
}

#define TOP "{\"weft_measurements\": 1, \"density\": 0.2, \"tests\": [\n"
#define STRETCH "{\"kind\": \"stretch\", \"angle\": 0, "

static void mistakes(void) {
    refuse("[]", "m.json:1:1: measurements must be an object");
    refuse("{\"density\": 0.2, \"tests\": []}",
           "m.json:1:1: \"weft_measurements\" is missing here");
    refuse("{\"weft_measurements\": 2}",
           "m.json:1:23: \"weft_measurements\" must be 1, the version of the format");
    refuse("{\"weft_measurements\": 1, \"tests\": []}", "m.json:1:1: \"density\" is missing here");
    refuse("{\"weft_measurements\": 1,\n \"density\": -0.2, \"tests\": []}",
           "m.json:2:13: \"density\" must be 0.0001 to 100 kg/m^2, not -0.2");
    refuse("{\"weft_measurements\": 1,\n \"denisty\": 0.2, \"tests\": []}",
           "m.json:2:2: unknown key \"denisty\"; did you mean \"density\"?");
    refuse("{\"weft_measurements\": 1, \"density\": 0.2, \"noise_mm\": -1, \"tests\": []}",
           "m.json:1:54: \"noise_mm\" must be 0 to 1000 mm, not -1");
    refuse(
        "{\"weft_measurements\": 1, \"density\": 0.2,\n\"strip\": {\"width\": 0}, \"tests\": []}",
        "m.json:2:20: \"width\" must be 0.001 to 10 m, not 0");
    refuse("{\"weft_measurements\": 1, \"density\": 0.2,\n \"tests\": []}",
           "m.json:2:11: \"tests\" must be a list of 1 to 10000 tests");
    refuse(TOP "{\"kind\": \"pull\"}]}",
           "m.json:2:10: \"kind\" must be \"stretch\" or \"bend\", not \"pull\"");
    refuse(TOP "{\"kind\": \"bend\"}]}", "m.json:2:1: \"angle\" is missing here");
    refuse(TOP "{\"kind\": \"bend\", \"angle\": 100}]}",
           "m.json:2:27: \"angle\" must be 0 to 90 degrees, not 100");
    refuse(TOP STRETCH "\"weight\": 1}]}", "m.json:2:1: \"points\" is missing here");
    refuse(TOP STRETCH "\"points\": [[0.1, 0, 0.1, 0]]}]}",
           "m.json:2:1: \"weight\" is missing here, and so is \"mass\"");
    refuse(TOP STRETCH "\"weight\": 1, \"mass\": 1, \"points\": [[0.1, 0, 0.1, 0]]}]}",
           "m.json:2:46: \"weight\" or \"mass\", not both");
    refuse(TOP STRETCH "\"weight\": 0, \"points\": [[0.1, 0, 0.1, 0]]}]}",
           "m.json:2:43: \"weight\" must be 1e-06 to 1000000 N, not 0");
    refuse(TOP STRETCH "\"weight\": 1, \"overhang\": 1, \"points\": [[0.1, 0, 0.1, 0]]}]}",
           "m.json:2:46: a test of stretch has no overhang");
    refuse(TOP STRETCH "\"weight\": 1, \"points\": []}]}",
           "m.json:2:56: \"points\" must be a list of 1 to 100000 points");
    refuse(TOP STRETCH "\"weight\": 1, \"points\": [[0.1, 0, 0.1, 0],\n[0.1, 0, 0.1]]}]}",
           "m.json:3:1: a point of this test must be a list [along, across, x, y]");
    refuse(TOP STRETCH "\"weight\": 1, \"points\": [[0.13, 0, 0.1, 0]]}]}",
           "m.json:2:58: \"points\"[0][0] must be 0 to 0.12 m, not 0.13");
    refuse(TOP STRETCH "\"weight\": 1, \"points\": [[0.1, 0.07, 0.1, 0]]}]}",
           "m.json:2:63: \"points\"[0][1] must be 0 to 0.06 m, not 0.07");
    refuse(TOP STRETCH "\"weight\": 1, \"points\": [[0.1, 0, \"x\", 0]]}]}",
           "m.json:2:66: \"points\"[0][2] must be a number, not a text");
    refuse(TOP "{\"kind\": \"bend\", \"angle\": 0, \"points\": [[0.1, 0, 0]]}]}",
           "m.json:2:1: \"overhang\" is missing here");
    refuse(TOP
           "{\"kind\": \"bend\", \"angle\": 0, \"overhang\": 0.1, \"weight\": 1, "
           "\"points\": [[0.1, 0, 0]]}]}",
           "m.json:2:47: a test of bending bends under its own weight alone");
    refuse(TOP
           "{\"kind\": \"bend\", \"angle\": 0, \"overhang\": 0.1,\n\"points\": "
           "[[0.1, 0, 0, 0]]}]}",
           "m.json:3:12: a point of this test must be a list [along, x, y]");
}

static void example_round_trip(void) {
    WeftMeasurements *m = NULL, *again = NULL;
    WeftError error;
    const char* path = test_path("again.json");
    CHECK(!weft_load_measurements(EXAMPLE, NULL, &m, &error));
    if (!m) return;
    CHECK(!weft_save_measurements(path, m, &error));
    CHECK(!weft_load_measurements(path, NULL, &again, &error));
    CHECK(again && m->test_count == again->test_count && m->density == again->density);
    CHECK(again && m->noise == again->noise && m->reference_strain == again->reference_strain);
    for (int i = 0; again && i < m->test_count; i++) {
        size_t size = (size_t)m->tests[i].mark_count * sizeof *m->tests[i].marks;
        CHECK(m->tests[i].weight == again->tests[i].weight);
        CHECK(m->tests[i].overhang == again->tests[i].overhang);
        CHECK(m->tests[i].mark_count == again->tests[i].mark_count);
        CHECK(memcmp(m->tests[i].marks, again->tests[i].marks, size) == 0);
    }
    weft_destroy_measurements(again);
    CHECK(weft_save_measurements("/nowhere/at/all.json", m, &error) == WEFT_ERROR_FILE);
    weft_destroy_measurements(m);
    remove(path);
    CHECK(weft_load_measurements("no such file", NULL, &m, &error) == WEFT_ERROR_FILE);
}

// Truncated, corrupted, and without memory: refused, and nothing leaks.
static void bad_files(void) {
    size_t length;
    char* text = (char*)load_file(EXAMPLE, &length);
    CHECK(text != NULL);
    if (!text) return;
    for (size_t cut = 0; cut + 2 < length; cut += 97) {
        WeftMeasurements* m = NULL;
        WeftError error;
        CHECK(weft_parse_measurements(text, cut, "m.json", NULL, &m, &error) == WEFT_ERROR_INPUT);
        char kept = text[cut];
        text[cut] = (char)(kept ^ 5);
        if (!weft_parse_measurements(text, length, "m.json", NULL, &m, &error))
            weft_destroy_measurements(m);
        text[cut] = kept;
    }
    WeftResult result = WEFT_ERROR_MEMORY;
    for (int n = 0; result && n < 100; n++) {
        TestMemory memory = {.left = n};
        WeftAllocator allocator = test_allocator(&memory);
        WeftMeasurements* m = NULL;
        result = weft_parse_measurements(text, length, "m.json", &allocator, &m, NULL);
        CHECK(!result || result == WEFT_ERROR_MEMORY);
        weft_destroy_measurements(m);
        CHECK(memory.held == 0);
    }
    CHECK(!result);
    free(text);
}

static void documentation_has_every_key(void) {
    const WfSceneTable* tables[] = {&wf_measurements_table, &wf_strip_table, &wf_test_table};
    size_t length;
    char* document = (char*)load_file(WEFT_SOURCE "/docs/fit.md", &length);
    CHECK(document != NULL);
    for (int t = 0; document && t < 3; t++)
        for (int i = 0; i < tables[t]->key_count; i++) {
            char row[128];
            snprintf(row, sizeof row, "\n| `%s` | ", tables[t]->keys[i].name);
            CHECK_TEXT(document, row);
        }
    free(document);
}

// ---------------------------------------------------------------------------------------------
// The tool

static void tool_fits(void) {
    CHECK(tool("fit '" EXAMPLE "' --out fabric.json --plot chart.svg") == 0);
    CHECK_TEXT(out, "jersey, 40 tests, 420 marks");
    CHECK_TEXT(out, "stretch[0 degrees].c22");
    CHECK_TEXT(out, "wrote     fabric.json");
    CHECK(err[0] == 0);
    WeftFabricFile file;
    WeftError error;
    CHECK(!weft_load_fabric("fabric.json", &file, &error));
    CHECK(strcmp(file.name, "jersey") == 0 && file.fabric.density == 0.18);
    CHECK_NEAR(file.fit_error, 0.0004, 0.0001);
    CHECK(file.fabric.measured.stretch[5][2] > 50 && file.fabric.measured.bend[2][4] > 0);
    CHECK(remove("chart_stretch.svg") == 0 && remove("chart_bend.svg") == 0);
    CHECK(tool("fit '" EXAMPLE "' --out fabric.json --json") == 0);
    json_t* root = json_loads(out, 0, NULL);
    CHECK(json_array_size(json_object_get(root, "tests")) == 40);
    CHECK(json_array_size(json_object_get(root, "parameters")) == 39);
    CHECK(json_is_true(json_object_get(root, "converged")));
    CHECK_BELOW(json_real_value(json_object_get(root, "residual_mm")), 3);
    json_decref(root);
    remove("fabric.json");
}

static void tool_simulates(void) {
    CHECK(tool("fit --simulate " FABRIC " --noise 0.1 --out a.json") == 0);
    CHECK(tool("fit --simulate " FABRIC " --noise 0.1 --out b.json") == 0);
    CHECK(system("cmp -s a.json b.json") == 0);
    CHECK(tool("fit --simulate " FABRIC " --noise 0.1 --seed 2 --out b.json") == 0);
    CHECK(system("cmp -s a.json b.json") != 0);
    CHECK(tool("fit --simulate " FABRIC " --tests '" EXAMPLE "' --out b.json") == 0);
    CHECK_TEXT(out, "40 tests, 420 marks, noise 0 mm");
    remove("a.json");
    remove("b.json");
}

static void tool_refuses(void) {
    CHECK(tool("fit") == 2);
    CHECK_TEXT(err, "one file of measurements");
    CHECK(tool("fit '" EXAMPLE "'") == 2);
    CHECK_TEXT(err, "--out FABRIC.json");
    CHECK(tool("fit '" EXAMPLE "' --out f.json --plot f.gif") == 2);
    CHECK_TEXT(err, "a chart is a .png or an .svg");
    CHECK(tool("fit '" EXAMPLE "' --out f.json --noise 1") == 2);
    CHECK(tool("fit nothing.json --out f.json") == 2);
    CHECK_TEXT(err, "nothing.json: ");
    CHECK(tool("fit --simulate no_such_fabric --out f.json") == 2);
    CHECK(tool("fit --simulate cotton_voile --out f.json") == 2);
    CHECK_TEXT(err, "no measured tables");
    save_file("bad.json", "{\"weft_measurements\": 1}\n", 25);
    CHECK(tool("fit bad.json --out f.json") == 2);
    CHECK_TEXT(err, "bad.json:1:1: \"density\" is missing here");
    remove("bad.json");
    CHECK(!file_exists("f.json"));
    CHECK(tool("fit --help") == 0);
    CHECK_TEXT(out, "--simulate");
}

TEST_MAIN(CASE(good_files), CASE(defaults), CASE(mistakes), CASE(example_round_trip),
          CASE(bad_files), CASE(documentation_has_every_key), SLOW_CASE(tool_fits),
          SLOW_CASE(tool_simulates), CASE(tool_refuses))

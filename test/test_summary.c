// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards what the summary of `weft run` warns of: cloth that is overstretched, and not fabrics that
// are meant to stretch; cloth that was thrown, told from cloth that was slowed by its pairs.

#include "file_test.h"
#include "tool_test.h"

// A square sheet of 10 x 10 cells, which is 1 m wide, with more to its cloth and to the scene.
#define SCENE(cloth, more)                                                                    \
    "{\"weft\":1,\"duration\":0.5,\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"columns\":10,\"" \
    "rows\":10}," cloth "}]," more "}"
#define HUNG "\"pins\":[{\"side\":\"left\"}]"

static int run_scene(const char* text, const char* options) {
    char line[128];
    save_file("summary.json", text, strlen(text));
    snprintf(line, sizeof line, "run summary.json %s", options);
    int code = tool(line);
    remove("summary.json");
    return code;
}

static void pulled_apart(void) {
    const char* scene = SCENE(
        "\"pins\":[{\"side\":\"left\"},{\"side\":\"right\",\"motion\":\"pull\"}]",
        "\"motions\":{\"pull\":{\"offset\":{\"keys\":[[0,0,0,0],[0.2,1.5,0,0],[0.4,0,0,0]]}}}");
    CHECK(run_scene(scene, "") == 0);
    CHECK_TEXT(out, "  warning   the cloth was overstretched: 2.");
    CHECK_TEXT(out, " times its length in step 12, 1.");
    CHECK_TEXT(out, "try a higher quality, shorter steps or a stretch_limit");
    CHECK(run_scene(scene, "--quality 8") == 0);
    CHECK_TEXT(out, "try more substeps, shorter steps");
    CHECK(run_scene(scene, "--method relaxation") == 0);
    CHECK_TEXT(out, "try more iterations, shorter steps");
    CHECK(run_scene(scene, "--budget 500") == 0);
    CHECK_TEXT(out, "try a larger budget, shorter steps");
    CHECK(run_scene(scene, "--json") == 0);
    CHECK_TEXT(out, "\"max_stretch_step\": 12");
    CHECK_TEXT(out, "\"overstretched\": true");
}

// A limit that pins do not let be kept.
static void over_the_limit(void) {
    const char* scene = SCENE(
        "\"stretch_limit\":1.05,\"pins\":[{\"side\":\"left\"},{\"side\":\"right\",\"motion\":"
        "\"pull\"}]",
        "\"motions\":{\"pull\":{\"offset\":{\"keys\":[[0,0,0,0],[0.2,%s,0,0]]}}}");
    char text[512];
    snprintf(text, sizeof text, scene, "0.5");
    CHECK(run_scene(text, "") == 0);
    CHECK_TEXT(out, " steps the stretch limit could not be kept: up to ");
    snprintf(text, sizeof text, scene, "0");
    CHECK(run_scene(text, "") == 0);
    CHECK(!strstr(out, "could not be kept"));
    CHECK(run_scene(text, "--json") == 0);
    CHECK_TEXT(out, "\"over_limit_steps\": 0");
}

// At the end less is allowed than on the way.
static void left_stretched(void) {
    const char* scene =
        SCENE("\"pins\":[{\"side\":\"left\"},{\"side\":\"right\",\"motion\":\"pull\"}]",
              "\"motions\":{\"pull\":{\"offset\":{\"keys\":[[0,0,0,0],[0.2,0.7,0,0],[0.4,%s,0,0]]}}"
              "}");
    char text[512];
    snprintf(text, sizeof text, scene, "0.7");
    CHECK(run_scene(text, "") == 0);
    CHECK_TEXT(out, "the cloth was overstretched: 1.");
    snprintf(text, sizeof text, scene, "0");
    CHECK(run_scene(text, "") == 0);
    CHECK(!strstr(out, "overstretched"));
}

static void meant_to_stretch(void) {
    CHECK(run_scene(SCENE(HUNG, "\"contact\":\"none\""), "--json") == 0);
    CHECK_TEXT(out, "\"overstretched\": false");
    // hangs at twice its length, by its weight
    const char* soft = SCENE(HUNG ",\"fabric\":{\"stretch\":0.5,\"shear\":0.5}",
                             "\"contact\":\"none\",\"step\":{\"stretch_tolerance\":0}");
    CHECK(run_scene(soft, "--duration 1") == 0);
    CHECK_TEXT(out, "  stretch   2.");
    CHECK(!strstr(out, "overstretched"));
    // held where it starts, at three times its length
    const char* held = SCENE("\"place\":{\"scale\":3},\"pins\":[{\"box\":[[-1,-1,-4],[4,1,1]]}]",
                             "\"contact\":\"none\"");
    CHECK(run_scene(held, "") == 0);
    CHECK_TEXT(out, "  stretch   3.0000");
    CHECK(!strstr(out, "overstretched"));
}

// A ball is moved into hanging cloth by 0.6 m in a step, and stands still.
static void thrown_is_told_from_slowed(void) {
    const char* scene =
        SCENE("\"pins\":[{\"corner\":\"bottom left\"},{\"corner\":\"bottom right\"}]",
              "\"contact\":\"all\",\"motions\":{\"kick\":{\"offset\":{\"keys\":[[0.33333,0,0,0],["
              "0.35,0,0.6,0]]}}},\"bodies\":[{\"kind\":\"sphere\",\"radius\":0.2,\"motion\":"
              "\"kick\",\"place\":{\"move\":[0.5,-0.4,-0.4]}}]");
    CHECK(run_scene(scene, "") == 0);
    CHECK_TEXT(out, "  thrown    in ");
    CHECK_TEXT(out, " the cloth had been thrown, faster than 10 m/s, and was slowed\n");
    CHECK(!strstr(out, "  slowed "));
    CHECK(run_scene(scene, "--json") == 0);
    CHECK_TEXT(out, "\"slowed\": 0");
    CHECK(!strstr(out, "\"thrown\": 0"));
}

// A sheet that hangs on each side of the mirror, and goes by so much until 0.3 s.
static int run_curtain(const char* closure, double way, const char* options) {
    char text[700];
    snprintf(text, sizeof text,
             "{\"weft\":1,\"duration\":0.5,\"contact\":\"all\",\"mirror\":{\"closure\":\"%s\"},"
             "\"motions\":{\"go\":{\"offset\":{\"keys\":[[0,0,0,0],[0.3,%g,0,0]]}}},\"cloths\":[{"
             "\"mesh\":{\"kind\":\"grid\",\"width\":0.4,\"height\":0.4,\"columns\":8,\"rows\":8},"
             "\"place\":{\"turn\":{\"axis\":[1,0,0],\"degrees\":90},\"move\":[0.1,0,0]},"
             "\"pins\":[{\"box\":[[0.2,0.39,-1],[1,1,1]],\"motion\":\"go\"}]}]}",
             closure, way);
    return run_scene(text, options);
}

static void halves_are_told(void) {
    CHECK(run_curtain("open", 0, "") == 0);
    CHECK_TEXT(out, "  mirror    exact: 81 of 162 vertices are simulated\n");
    CHECK(!strstr(out, "  closure"));
    CHECK(run_curtain("open", 0, "--json") == 0);
    CHECK_TEXT(out, "\"simulated_vertices\": 81");
    CHECK_TEXT(out, "\"closure_gap\": null");
    CHECK(run_scene(SCENE(HUNG, "\"contact\":\"none\""), "--json") == 0);
    CHECK_TEXT(out, "\"mirror\": null");
}

static void closures_that_close_nothing(void) {
    static const char* const closures[] = {"zip", "button"};
    for (int k = 0; k < 2; k++) {
        char told[64];
        snprintf(told, sizeof told, "  closure   %s: nothing is closed", closures[k]);
        CHECK(run_curtain(closures[k], 0.05, "") == 0);
        CHECK_TEXT(out, told);
        CHECK_TEXT(out, "a front that shall stay closed is a seam");
        CHECK(run_curtain(closures[k], -0.13, "") == 0);
        CHECK(!strstr(out, "nothing is closed"));
    }
    // a sheet across the mirror is closed; its hem leaves it at once
    const char* whole =
        SCENE("\"place\":{\"move\":[-0.5,0,0]}", "\"mirror\":{\"closure\":\"zip\"}");
    CHECK(run_scene(whole, "") == 0);
    CHECK_TEXT(out, "  closure   zip: nothing is closed");
    const char* lost = SCENE("\"place\":{\"move\":[-0.4,0,0]}", "\"mirror\":{\"closure\":\"zip\"}");
    CHECK(run_scene(lost, "") == 0);
    CHECK_TEXT(out, "  closure   zip: nothing is closed, as all of the cloth is simulated");
    CHECK(!strstr(out, "  mirror "));
    save_file("summary.json", whole, strlen(whole));
    CHECK(tool("check summary.json") == 0);
    CHECK_TEXT(out, "  closure: zip; ");
    CHECK(tool("check summary.json --json") == 0);
    CHECK_TEXT(out, "\"closure\": \"zip\"");
    remove("summary.json");
}

// The plane in which halves meet is no body.
static void mirrors_are_no_bodies(void) {
    CHECK(run_curtain("open", -0.13, "--json") == 0);
    CHECK_TEXT(out, "\"body_contacts\": 0.0");
    CHECK(!strstr(out, "\"self_contacts\": 0.0,"));
}

TEST_MAIN(CASE(pulled_apart), CASE(over_the_limit), CASE(left_stretched), CASE(meant_to_stretch),
          CASE(thrown_is_told_from_slowed), CASE(halves_are_told),
          CASE(closures_that_close_nothing), CASE(mirrors_are_no_bodies))

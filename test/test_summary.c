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

TEST_MAIN(CASE(pulled_apart), CASE(over_the_limit), CASE(left_stretched), CASE(meant_to_stretch),
          CASE(thrown_is_told_from_slowed))

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards "animation" of scenes: the skin goes along with its motion, maps are read by height, and
// what is wrong is named.

#include <string.h>

#include "test.h"
#include "weft/weft_io.h"

static const char HEAD[] =
    "{\"weft\": 1, \"duration\": 1, \"contact\": \"none\","
    " \"motions\": {\"go\": {\"offset\": {\"keys\": [[0, 0, 0, 0], [1, 1, 0, 0]]},"
    "   \"angle\": {\"keys\": [[0, 0], [1, 90]]}}},"
    " \"cloths\": [{\"mesh\": {\"kind\": \"grid\", \"width\": 0.5, \"height\": 0.5,"
    "   \"columns\": 8, \"rows\": 8}, \"place\": {\"turn\": {\"axis\": [1, 0, 0], \"degrees\": "
    "90}},"
    "   \"animation\": {";

static WeftResult parse(const char* keys, WeftScene** scene, WeftError* error) {
    char text[2000];
    snprintf(text, sizeof text, "%s%s}}]}", HEAD, keys);
    return weft_parse_scene(text, strlen(text), "test", NULL, NULL, NULL, scene, error);
}

static void goes_along(void) {
    WeftScene* scene = NULL;
    WeftModel* model = NULL;
    WeftState* state = NULL;
    WeftError error;
    if (!CHECK(!parse("\"motion\": \"go\", \"max_distance\": [0, 0.05], \"backstop_radius\": 1,"
                      " \"backstop_distance\": 0.01, \"drive_stiffness\": 5, \"drive_damping\": 1",
                      &scene, &error)))
        printf("  %s\n", error.message);
    if (!scene) return;
    const WeftClothDef* cloth = &scene->model.cloths[0];
    for (int i = 0; i < cloth->vertex_count; i++) {
        double down = 0.5 - cloth->positions[3 * i + 1];
        CHECK_NEAR(cloth->max_distance[i], 0.1 * down, 1e-12);
        CHECK(cloth->backstop_radius[i] == 1 && cloth->drive_stiffness[i] == 5);
    }
    CHECK(!weft_create_model(&scene->model, &model, &error));
    CHECK(!weft_create_state(model, &state, &error));
    WeftStepDef step = scene->model.step;
    for (int f = 0; f < 60; f++) {
        weft_direct_scene(scene, state, &step);
        CHECK(!weft_step(state, &step));
        CHECK_BELOW(weft_report(state)->over_distance, 1e-4);
    }
    // about y by 90 degrees: x goes to -z
    double skin[3 * 81];
    weft_copy_skin(state, 0, skin, NULL);
    for (int i = 0; i < cloth->vertex_count; i++) {
        const double* x = cloth->positions + 3 * i;
        CHECK_NEAR(skin[3 * i], 1 + x[2], 1e-9);
        CHECK_NEAR(skin[3 * i + 1], x[1], 1e-9);
        CHECK_NEAR(skin[3 * i + 2], -x[0], 1e-9);
    }
    weft_destroy_state(state);
    weft_destroy_model(model);
    weft_destroy_scene(scene);
}

// From simulation to animation and back.
static void blends(void) {
    WeftScene* scene = NULL;
    WeftModel* model = NULL;
    WeftState* state = NULL;
    WeftError error;
    if (!CHECK(!parse("\"motion\": \"go\", \"max_distance\": [0, 0.2], \"drive_stiffness\": 100,"
                      " \"distance_scale\": {\"keys\": [[0.3, 1], [0.5, 0], [0.7, 0], [0.8, 1]]},"
                      " \"drive_scale\": {\"keys\": [[0, 0]]}",
                      &scene, &error)))
        printf("  %s\n", error.message);
    if (!scene) return;
    CHECK(!weft_create_model(&scene->model, &model, &error));
    CHECK(!weft_create_state(model, &state, &error));
    WeftStepDef step = scene->model.step;
    for (int f = 1; f <= 60; f++) {
        CHECK(!weft_direct_scene(scene, state, &step));
        CHECK(!weft_step(state, &step));
        double skin[3 * 81], off = 0;
        weft_copy_skin(state, 0, skin, NULL);
        for (int i = 0; i < 3 * 81; i++) off = fmax(off, fabs(skin[i] - weft_positions(state)[i]));
        if (f == 18) CHECK(off > 0.01);
        if (f >= 34 && f <= 41) CHECK_BELOW(off, 1e-9);
        if (f == 60) CHECK(off > 0.003);
    }
    weft_destroy_state(state);
    weft_destroy_model(model);
    weft_destroy_scene(scene);
}

static void refused(void) {
    static const char* const rows[][2] = {
        {"\"max_distance\": [0, 1, 2]", "must be a number, or two"},
        {"\"backstop_radius\": -1", "backstop_radius"},
        {"\"backstop_distance\": 0.1", "needs a \"backstop_radius\""},
        {"\"motion\": \"come\"", "come"},
        {"\"drive\": 1", "drive_damping"},
        {"\"distance_scale\": {\"keys\": [[0, 1], [1, -1]]}",
         "\"distance_scale\" is -1 at 1 s; it must be 0 to 1000"},
        {"\"drive_scale\": {\"keys\": [[0, 2]]}", "drive_scale"},
        {"\"drive_scale\": 1", "object"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        WeftScene* scene = NULL;
        WeftError error;
        CHECK(parse(rows[i][0], &scene, &error) == WEFT_ERROR_INPUT && !scene);
        CHECK_TEXT(error.message, rows[i][1]);
    }
}

TEST_MAIN(CASE(goes_along), CASE(blends), CASE(refused))

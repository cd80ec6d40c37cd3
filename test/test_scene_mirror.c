// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Scenes with a mirror: meshes that become symmetric, scenes that are not, and what is said of
// them.

#include <math.h>
#include <string.h>

#include "scene_test.h"
#include "test.h"
#include "weft/weft_io.h"

static WeftModel* make(const WeftScene* scene) {
    WeftModel* model = NULL;
    WeftError error = {0};
    if (weft_create_model(&scene->model, &model, &error)) printf("%s\n", error.message);
    CHECK(model != NULL);
    return model;
}

// What the scene says of why it has no mirror; "" where it has one.
static const char* reason(const WeftScene* scene) {
    for (int i = 0; i < scene->findings.count; i++)
        if (strstr(scene->findings.lines[i], "no mirror")) return scene->findings.lines[i];
    return "";
}

static void grids_stay_as_they_are(void) {
    WeftScene* scene = parse(
        "{\"weft\": 1, \"mirror\": \"exact\", \"cloths\": [{\"mesh\": {\"kind\": \"grid\", "
        "\"columns\": 10, \"rows\": 6}, \"place\": {\"move\": [-0.5, 0, 0]}, \"pins\": "
        "[{\"vertices\": [66, 76]}]}]}");
    WeftModel* model = make(scene);
    CHECK(weft_vertex_count(model) == 77 && weft_simulated_count(model) == 42);
    CHECK(scene->meshes[0].images && scene->meshes[0].images[66] == 76);
    CHECK(scene->findings.count == 0);
    weft_destroy_model(model);
    weft_destroy_scene(scene);
}

// A mesh without any symmetry, as its outline has.
static void meshes_become_symmetric(void) {
    static const char* const halvings[] = {"split", "project"};
    for (int k = 0; k < 2; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 "{\"weft\": 1, \"mirror\": {\"halving\": \"%s\", \"normal\": [0, 0, -2]}, "
                 "\"cloths\": [{\"mesh\": {\"kind\": \"disc\", \"radius\": 0.3, \"edge\": 0.04}}]}",
                 halvings[k]);
        WeftScene* scene = parse(text);
        WeftModel* model = make(scene);
        WeftSceneSymmetry symmetry;
        CHECK(!weft_measure_scene(scene, &scene->model.mirror.plane, &symmetry, NULL));
        CHECK(symmetry.unpaired == 0 && symmetry.cloth == 0 && symmetry.culprit[0] == 0);
        CHECK(2 * weft_simulated_count(model) > weft_vertex_count(model));
        CHECK(weft_simulated_count(model) < 0.6 * weft_vertex_count(model));
        weft_destroy_model(model);
        weft_destroy_scene(scene);
    }
}

// A mesh on this side, which ends at the plane, is half a cloth; one that does not is one of two.
static void halves_become_whole(void) {
    for (int k = 0; k < 2; k++) {
        char text[300];
        snprintf(
            text, sizeof text,
            "{\"weft\": 1, \"mirror\": \"exact\", \"cloths\": [{\"mesh\": {\"kind\": \"grid\", "
            "\"columns\": 4, \"rows\": 4}, \"place\": {\"move\": [%g, 0, 0]}}]}",
            0.1 * k);
        WeftScene* scene = parse(text);
        WeftModel* model = make(scene);
        CHECK(weft_simulated_count(model) == 25);
        CHECK(weft_vertex_count(model) == (k ? 50 : 45));
        weft_destroy_model(model);
        weft_destroy_scene(scene);
    }
}

// Numbers of vertices are those that the mesh had before.
static void names_follow(void) {
    const char* format =
        "{\"weft\": 1, %s\"cloths\": [{\"mesh\": {\"kind\": \"rectangle\", \"width\": 1, "
        "\"height\": 0.4, \"edge\": 0.05}, \"place\": {\"move\": [-0.5, 0, 0]}, \"pins\": "
        "[{\"vertices\": [%d, %d]}]}]}";
    char text[500];
    snprintf(text, sizeof text, format, "", 0, 1);
    WeftScene* plain = parse(text);
    const WeftMesh* mesh = &plain->meshes[0];
    int corners[2] = {0, 0};  // (-0.5, 0), (0.5, 0)
    for (int i = 0; i < mesh->vertex_count; i++) {
        const double* x = mesh->positions + 3 * i;
        if (fabs(x[2]) > 1e-9) continue;
        if (x[0] < -0.4999) corners[0] = i;
        if (x[0] > 0.4999) corners[1] = i;
    }
    snprintf(text, sizeof text, format, "\"mirror\": \"exact\", ", corners[0], corners[1]);
    WeftScene* scene = parse(text);
    const WeftClothDef* cloth = &scene->model.cloths[0];
    CHECK(cloth->pin_count == 2 && reason(scene)[0] == 0);
    for (int k = 0; k < 2 && cloth->pin_count == 2; k++) {
        const double* x = cloth->positions + 3 * cloth->pins[k];
        CHECK_NEAR(fabs(x[0]), 0.5, 1e-12);
        CHECK_NEAR(x[2], 0, 1e-12);
    }
    WeftModel* model = make(scene);
    weft_destroy_model(model);
    weft_destroy_scene(scene);
    weft_destroy_scene(plain);
}

static void what_is_not_symmetric_is_simulated_whole(void) {
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"\"cloths\": [{\"mesh\": {\"kind\": \"grid\"}, \"place\": {\"move\": [-0.4, 0, 0]}}]",
         "cloth 0"},
        {"\"cloths\": [{\"mesh\": {\"kind\": \"disc\"}}], \"bodies\": [{\"kind\": \"sphere\", "
         "\"radius\": 0.1, \"place\": {\"move\": [0.2, 0, 0]}}]",
         "body 0"},
        {"\"cloths\": [{\"mesh\": {\"kind\": \"disc\"}}], \"bodies\": [{\"kind\": \"box\", "
         "\"size\": [0.1, 0.2, 0.3], \"place\": {\"move\": [0.01, 0, 0]}}]",
         "bodies are off"},
        {"\"cloths\": [{\"mesh\": {\"kind\": \"disc\"}}], \"gravity\": [1, -9, 0]", "gravity"},
        {"\"cloths\": [{\"mesh\": {\"kind\": \"disc\"}}], \"wind\": [0.1, 0, 0]", "wind"},
        {"\"cloths\": [{\"mesh\": {\"kind\": \"grid\"}, \"place\": {\"move\": [-0.5, 0, 0]}, "
         "\"pins\": [{\"vertices\": [0]}]}]",
         "pin of vertex 0"},
        {"\"cloths\": [{\"mesh\": {\"kind\": \"disc\"}, \"velocity\": [1, 0, 0]}]", "velocity"},
        {"\"cloths\": [{\"mesh\": {\"kind\": \"disc\"}, \"scales\": {\"stretch\": [{\"box\": "
         "[0.1, -1, 1, 1], \"factor\": 3}]}}]",
         "factors"},
        // symmetric at the start
        {"\"cloths\": [{\"mesh\": {\"kind\": \"disc\"}}], \"motions\": {\"go\": {\"offset\": "
         "{\"keys\": [[0, 0, 0, 0], [1, 0.5, 0, 0]]}}}, \"bodies\": [{\"kind\": \"sphere\", "
         "\"radius\": 0.1, \"motion\": \"go\"}]",
         "body 0"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[700];
        snprintf(text, sizeof text, "{\"weft\": 1, \"mirror\": \"exact\", %s}", cases[k].text);
        WeftScene* scene = parse(text);
        if (!scene) printf("%s\n", last.message);
        if (!CHECK(scene != NULL)) continue;
        CHECK(scene->model.mirror.kind == WEFT_MIRROR_NONE);
        CHECK_TEXT(reason(scene), cases[k].why);
        weft_destroy_scene(scene);
    }
}

static void pairs_of_bodies_are_symmetric(void) {
    WeftScene* scene = parse(
        "{\"weft\": 1, \"mirror\": \"exact\", \"cloths\": [{\"mesh\": {\"kind\": \"disc\"}}], "
        "\"bodies\": [{\"kind\": \"sphere\", \"radius\": 0.1, \"place\": {\"move\": [0.2, -0.2, "
        "0]}}, {\"kind\": \"sphere\", \"radius\": 0.1, \"place\": {\"move\": [-0.2, -0.2, 0]}}, "
        "{\"kind\": \"plane\"}, {\"kind\": \"capsule\", \"radius\": 0.05, \"length\": 0.3, "
        "\"place\": {\"turn\": {\"axis\": [0, 0, 1], \"degrees\": 90}, \"move\": [0, -0.5, 0]}}]}");
    CHECK(reason(scene)[0] == 0);
    CHECK(scene->model.mirror.kind == WEFT_MIRROR_EXACT);
    weft_destroy_scene(scene);
}

static void refusals(void) {
    WeftScene* scene = NULL;
    WeftError error;
    const char* none =
        "{\"weft\": 1, \"mirror\": {\"normal\": [0, 0, 0]}, \"cloths\": [{\"mesh\": {\"kind\": "
        "\"disc\"}}]}";
    CHECK(weft_parse_scene(none, strlen(none), "t.json", NULL, NULL, &scene, &error));
    CHECK_TEXT(error.message, "\"normal\" must have a length");
    const char* word = "{\"weft\": 1, \"mirror\": \"exat\", \"cloths\": []}";
    CHECK(weft_parse_scene(word, strlen(word), "t.json", NULL, NULL, &scene, &error));
    CHECK_TEXT(error.message, "\"exact\"");
}

// Buttons: a pin whose image is drawn behind goes where its motion takes it, for as long as it is.
static void pins_go_beyond_the_mirror(void) {
    WeftScene* scene = parse(
        "{\"weft\": 1, \"mirror\": {\"closure\": \"button\"}, \"contact\": \"all\", \"motions\": "
        "{\"right\": {\"offset\": {\"keys\": [[0, 0, 0, 0], [0.5, -0.14, 0, 0]]}}, \"left\": "
        "{\"offset\": {\"keys\": [[0, 0, 0, 0], [0.5, 0.14, 0, 0]]}}}, \"cloths\": [{\"mesh\": "
        "{\"kind\": \"grid\", \"width\": 0.4, \"height\": 0.4, \"columns\": 8, \"rows\": 8}, "
        "\"place\": "
        "{\"turn\": {\"axis\": [1, 0, 0], \"degrees\": 90}, \"move\": [0.1, 0, 0]}, \"pins\": "
        "[{\"box\": [[0, 0.39, -1], [1, 1, 1]], \"motion\": \"right\"}, "
        "{\"box\": [[-1, 0.39, -1], [0, 1, 1]], \"motion\": \"left\"}]}]}");
    WeftModel* model = make(scene);
    WeftState* state = NULL;
    CHECK(!weft_create_state(model, &state, NULL));
    int pushed = 0;
    for (int i = 0; i < 120; i++) {
        weft_direct_scene(scene, state, &scene->model.step);
        CHECK(!weft_step(model, state, &scene->model.step));
        const double* x = weft_positions(state);
        double way = 0.14 * fmin(weft_time(state) / 0.5, 1);
        for (int v = 0; v < weft_vertex_count(model); v++) {
            const double* start = scene->meshes[0].positions + 3 * (long)v;
            if (start[1] < 0.39) continue;
            if (start[0] < 0) {
                pushed += x[3 * v + 2] < -1e-4;
                continue;
            }
            CHECK_NEAR(x[3 * v], start[0] - way, 1e-9);
            CHECK_NEAR(x[3 * v + 1], start[1], 1e-9);
            CHECK_NEAR(x[3 * v + 2], start[2], 1e-9);
        }
    }
    CHECK(pushed > 0);
    weft_destroy_state(state);
    weft_destroy_model(model);
    weft_destroy_scene(scene);
}

TEST_MAIN(CASE(grids_stay_as_they_are), CASE(meshes_become_symmetric), CASE(halves_become_whole),
          CASE(names_follow), CASE(what_is_not_symmetric_is_simulated_whole),
          CASE(pairs_of_bodies_are_symmetric), CASE(pins_go_beyond_the_mirror), CASE(refusals))

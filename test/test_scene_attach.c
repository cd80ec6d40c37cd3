// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the attachments of scenes: points between vertices, ends at places, bodies and cloth,
// moved by motions; refusals.

#include "test.h"
#include "weft/weft_io.h"

#define CLOTHS                                                                      \
    "\"cloths\": [{\"mesh\": {\"kind\": \"grid\", \"columns\": 10, \"rows\": 10}}," \
    "{\"mesh\": {\"kind\": \"rope\", \"length\": 0.5, \"segments\": 5},"            \
    " \"place\": {\"move\": [0, 1, 0]}}],"                                          \
    "\"bodies\": [{\"kind\": \"sphere\", \"name\": \"hand\", \"radius\": 0.01,"     \
    " \"place\": {\"move\": [2, 0, 0]}}],"                                          \
    "\"motions\": {\"up\": {\"offset\": {\"keys\": [[0, 0, 0, 0], [1, 0, 1, 0]]}}}, "

static WeftScene* parse(const char* attachments, WeftError* error) {
    char text[4000];
    WeftScene* scene = NULL;
    snprintf(text, sizeof text, "{\"weft\": 1, " CLOTHS "\"attachments\": %s}", attachments);
    *error = (WeftError){0};
    CHECK((weft_parse_scene(text, strlen(text), "test.json", NULL, NULL, NULL, &scene, error) ==
           WEFT_OK) == (scene != NULL));
    return scene;
}

static void runs(void) {
    WeftError error;
    WeftScene* scene = parse(
        "[{\"at\": [0.33, 0, -0.28], \"motion\": \"up\"},"
        " {\"at\": [1, 0, 0], \"body\": \"hand\", \"stiffness\": 100,"
        "  \"damping\": 0.1, \"most\": 40, \"breaks\": false, \"length\": 0.3},"
        " {\"at\": [0.2, 1, 0], \"other\": [0, 0, -1]},"
        " {\"at\": [0, 0, 0], \"cloth\": 1, \"place\": [0, 1.1, 0]}]",
        &error);
    CHECK_TEXT(error.message, "");
    if (!CHECK(scene)) {
        puts(error.message);
        return;
    }
    CHECK(scene->model.attachment_count == 4);
    const WeftAttachmentDef* defs = scene->model.attachments;
    CHECK(defs[1].to == WEFT_ATTACH_TO_BODY && defs[1].body == 0 && !defs[1].breaks);
    CHECK(defs[1].stiffness == 100 && defs[1].damping == 0.1 && defs[1].most == 40);
    CHECK(defs[1].length == 0.3 && defs[0].length == 0);
    CHECK(defs[2].to == WEFT_ATTACH_TO_CLOTH && defs[2].vertices[0] == 121 + 2);
    CHECK(defs[2].vertices[1] == -1 && defs[3].vertices[0] == 121);
    WeftModel* model = NULL;
    WeftState* state = NULL;
    CHECK(weft_create_model(&scene->model, &model, &error) == WEFT_OK);
    CHECK(weft_create_state(model, &state, &error) == WEFT_OK);
    WeftStepDef step = scene->model.step;
    for (int k = 0; k < 30; k++) {
        weft_direct_scene(scene, state, &step);
        CHECK(weft_step(state, &step) == WEFT_OK);
    }
    double point[3] = {0}, end[3] = {0.33, 0.5, -0.28}, off = 0;
    for (int v = 0; v < 3; v++)
        for (int d = 0; d < 3; d++)
            point[d] += defs[0].weights[v] * weft_positions(state)[3 * defs[0].vertices[v] + d];
    for (int d = 0; d < 3; d++) off = fmax(off, fabs(point[d] - end[d]));
    CHECK_BELOW(off, 1e-3);
    weft_destroy_state(state);
    weft_destroy_model(model);
    weft_destroy_scene(scene);
}

static void refusals(void) {
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"[{}]", "\"at\""},
        {"[{\"at\": [0, 0]}]", "3"},
        {"[{\"at\": [0, 0, 0], \"body\": \"foot\"}]", "no body is called \"foot\""},
        {"[{\"at\": [0, 0, 0], \"body\": 1}]", "body"},
        {"[{\"at\": [0, 0, 0], \"cloth\": 2}]", "cloth"},
        {"[{\"at\": [0, 0, 0], \"other\": [0, 0, 1], \"body\": 0}]", "end of its own"},
        {"[{\"at\": [0, 0, 0], \"body\": 0, \"motion\": \"up\"}]", "bodies have their own"},
        {"[{\"at\": [0, 0, 0], \"stiffness\": -1}]", "stiffness"},
        {"[{\"at\": [0, 0, 0], \"stifness\": 1}]", "did you mean"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        WeftError error;
        CHECK(!parse(bad[k].text, &error));
        CHECK_TEXT(error.message, bad[k].words);
        CHECK_TEXT(error.message, "test.json:");
    }
}

TEST_MAIN(CASE(runs), CASE(refusals))

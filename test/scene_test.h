// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Small scenes as text, for tests of the reader and of what scenes do.

#ifndef WEFT_TEST_SCENE_H
#define WEFT_TEST_SCENE_H

#include "test.h"
#include "weft/weft_io.h"

static WeftError last;

static WeftScene* parse(const char* text) {
    WeftScene* scene = NULL;
    last = (WeftError){0};
    WeftResult result =
        weft_parse_scene(text, strlen(text), "t.json", NULL, NULL, NULL, &scene, &last);
    CHECK((result == WEFT_OK) == (scene != NULL));
    return scene;
}

#define CLOTH "{\"mesh\":{\"kind\":\"grid\",\"columns\":2,\"rows\":2}"
// what differs begins a line of its own, so that columns are easy to count
#define SCENE(rest) "{\"weft\":1,\"cloths\":[" CLOTH "\n" rest "}]}"

#endif

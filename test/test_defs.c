// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Header against library: cookies of defs, fingerprints of models, the hook of contracts.

#include <setjmp.h>

#include "swing.h"
#include "test.h"

static WeftResult make_model(const WeftModelDef* def, WeftError* error) {
    WeftModel* model = NULL;
    WeftResult result = weft_create_model(def, &model, error);
    weft_destroy_model(model);
    return result;
}

static void defs_have_cookies(void) {
    Swing s = swing_def(3, 20);
    swing_open(&s);
    WeftClothDef cloth = s.cloth;
    WeftBodyDef body = weft_default_body_def();
    WeftModelDef def = weft_default_model_def();
    WeftError error;
    def.cloths = &cloth, def.cloth_count = 1;
    def.bodies = &body, def.body_count = 1;
    CHECK(!make_model(&def, &error));
    unsigned* const cookies[] = {&def.cookie, &cloth.cookie, &body.cookie, &def.step.cookie};
    static const char* const words[] = {"the model def was not filled by weft_default_model_def",
                                        "cloth 0: the cloth def was not filled",
                                        "body 0: the body def was not filled",
                                        "the step def was not filled"};
    for (int i = 0; i < 4; i++) {
        unsigned kept = *cookies[i];
        *cookies[i] = 0;
        CHECK(make_model(&def, &error) == WEFT_ERROR_INPUT);
        CHECK_TEXT(error.message, words[i]);
        *cookies[i] = *cookies[(i + 1) % 4];  // of another kind
        CHECK(make_model(&def, &error) == WEFT_ERROR_INPUT);
        *cookies[i] = kept;
    }
    WeftStepDef step = {.dt = 1.0 / 60, .quality = 4};
    CHECK(weft_step(s.state, &step) == WEFT_ERROR_INPUT);
    CHECK_TEXT(weft_state_error(s.state)->message, "weft_default_step_def");
    swing_close(&s);
}

// A header of another version knows another struct: nothing is written beyond what it has.
static void other_headers(void) {
    struct {
        WeftStepDef def;
        unsigned char behind[64];
    } larger;
    memset(&larger, 7, sizeof larger);
    weft_fill_def(WEFT_DEF_STEP, WEFT_VERSION, sizeof larger.def + 16, &larger);
    CHECK(larger.def.cookie == 0 && larger.behind[15] == 0 && larger.behind[16] == 7);
    memset(&larger, 7, sizeof larger);
    weft_fill_def(WEFT_DEF_STEP, WEFT_VERSION, 16, &larger);
    CHECK(larger.def.cookie == 0 && ((unsigned char*)&larger)[16] == 7);
    weft_fill_def(WEFT_DEF_STEP, WEFT_VERSION + 100, sizeof larger.def, &larger);
    CHECK(larger.def.cookie == 0 && larger.def.dt == 0);
    weft_fill_def(WEFT_DEF_STEP, WEFT_VERSION, sizeof larger.def, &larger);
    CHECK(larger.def.cookie != 0 && larger.def.dt == 1.0 / 60);
}

// Another shape at rest with as many vertices and triangles is another model; another stiffness is
// not, nor is another method.
static void fingerprints(void) {
    Swing s[4];
    for (int i = 0; i < 4; i++) {
        s[i] = swing_def(5, i == 1 ? 40 : 20);
        if (i == 2) s[i].grid = WEFT_GRID_ONE_WAY;
        swing_open(&s[i]);
    }
    uint64_t first = weft_model_fingerprint(s[0].model);
    CHECK(first == weft_model_fingerprint(s[1].model));
    CHECK(first != weft_model_fingerprint(s[2].model));
    CHECK(first == weft_model_fingerprint(s[3].model));
    CHECK(weft_state_model(s[3].state) == s[3].model);
    size_t size = weft_saved_size(s[0].state);
    void* bytes = malloc(size);
    CHECK(swing_step(&s[0]));
    weft_save_state(s[0].state, bytes);
    WeftError error;
    CHECK(weft_load_state(s[2].state, bytes, size, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "of another model");
    CHECK(!weft_load_state(s[3].state, bytes, size, &error));
    CHECK(weft_hash_state(s[3].state) == weft_hash_state(s[0].state));
    CHECK(weft_state_bytes(s[0].state) > (size_t)25 * 9 * sizeof(double));
    free(bytes);
    for (int i = 0; i < 4; i++) swing_close(&s[i]);
}

static jmp_buf way_out;

static void leave(const char* claim, const char* file, int line) {
    CHECK_TEXT(claim, "order == 1");
    CHECK_TEXT(file, "defs.c");
    CHECK(line > 0);
    longjmp(way_out, 1);
}

// Optimised builds have no claims.
static void contracts_have_a_hook(void) {
#ifndef NDEBUG
    WeftClothDef def = weft_default_cloth_def();
    weft_set_assert_hook(leave);
    if (!setjmp(way_out)) {
        weft_set_estimator(&def, WEFT_ESTIMATOR_VERTEX, 3);
        CHECK(!"it goes on");
    }
    weft_set_assert_hook(NULL);
#else
    weft_set_assert_hook(leave);
    weft_set_assert_hook(NULL);
#endif
}

TEST_MAIN(CASE(defs_have_cookies), CASE(other_headers), CASE(fingerprints),
          CASE(contracts_have_a_hook))

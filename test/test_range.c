// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards that ranges of step settings stand once: the core, scenes and the documentation (which
// test_scene.c holds against scenes) have the same, and what parses does not fail later. And that
// every method has its class.

#include "io/scene_parts.h"
#include "method/method.h"
#include "method/range.h"
#include "test.h"
#include "weft/weft_study.h"

static const WeftRange* range_of(const char* name) {
    for (int i = 0; weft_step_range(i); i++)
        if (strcmp(weft_step_range(i)->name, name) == 0) return weft_step_range(i);
    return NULL;
}

static const WfSceneKey* key_of(const char* name) {
    const WfSceneTable* table = &wf_scene_step_table;
    for (int k = 0; k < table->key_count; k++)
        if (strcmp(table->keys[k].name, name) == 0) return &table->keys[k];
    return NULL;
}

// "rest_speed": 50 parsed, and failed when the model was made.
static void scenes_have_the_ranges_of_the_core(void) {
    const WfSceneTable* table = &wf_scene_step_table;
    int count = 0;
    for (int k = 0; k < table->key_count; k++) {
        const WfSceneKey* key = &table->keys[k];
        const WeftRange* range = range_of(key->name);
        if (key->type != WF_KEY_NUMBER && key->type != WF_KEY_COUNT) continue;
        if (!CHECK(range != NULL)) continue;
        CHECK(key->low == range->low && key->high == range->high);
        CHECK(key->above == range->above && key->below == range->below);
        CHECK(range->whole == (key->type == WF_KEY_COUNT));
        CHECK(!key->unit == !range->unit && (!key->unit || strcmp(key->unit, range->unit) == 0));
        count++;
    }
    CHECK(count > 8);
}

// Whether the core takes a def whose `name` is this.
static bool allows(const char* name, double value) {
    const WfSceneKey* key = key_of(name);
    WeftStepDef def = weft_default_step_def();
    WeftError error = {0};
    char* field = (char*)&def + key->offset;
    if (key->type == WF_KEY_COUNT)
        *(int*)field = (int)value;
    else
        *(double*)field = value;
    bool good = wf_check_ranges(&def, &error) == WEFT_OK;
    if (!good) CHECK_TEXT(error.message, name);
    return good;
}

static void ends_are_kept(void) {
    for (int i = 0; weft_step_range(i); i++) {
        const WeftRange* range = weft_step_range(i);
        const WfSceneKey* key = key_of(range->name);
        if (!key || key->type == WF_KEY_OWN) continue;  // dt is a fraction, air is in the scene
        double beyond = range->whole ? 1 : 1e-9;
        CHECK(allows(range->name, range->low) == !range->above);
        CHECK(allows(range->name, range->high) == !range->below);
        CHECK(allows(range->name, (range->low + range->high) / 2));
        CHECK(!allows(range->name, range->low - beyond));
        CHECK(!allows(range->name, range->high * (1 + 1e-9) + (range->whole ? 1 : 0)));
        if (!range->whole) CHECK(!allows(range->name, (double)NAN));
    }
}

static void defaults_are_within(void) {
    WeftStepDef def = weft_default_step_def();
    CHECK(wf_check_ranges(&def, NULL) == WEFT_OK);
}

static void every_method_has_a_class(void) {
    int index = 0;
    for (int i = 0; weft_choice(i); i++) {
        if (strcmp(weft_choice(i)->group, "method") != 0) continue;
        WeftStepDef def = weft_default_step_def();
        def.method = (WeftMethod)index++;
        const WfMethod* method = wf_method(&def);
        CHECK(strcmp(method->name, weft_choice(i)->name) == 0);
        CHECK(method->needs && method->resolve && method->cost);
        CHECK((method->solve != NULL) != method->is_local);
        CHECK(method->start != WEFT_START_AUTO);
    }
    CHECK(index == WEFT_METHOD_SMALL_STEPS + 1);
}

TEST_MAIN(CASE(scenes_have_the_ranges_of_the_core), CASE(ends_are_kept), CASE(defaults_are_within),
          CASE(every_method_has_a_class))

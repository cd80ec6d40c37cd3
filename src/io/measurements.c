// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Measurement files, in and out.

#include "io/measurements.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "io/file.h"
#include "io/number.h"
#include "io/scene_parts.h"

static const double gravity = 9.81;  // m/s^2, of weights given by their mass

// ---------------------------------------------------------------------------------------------
// One test

typedef struct TestSpec {
    WeftTest test;
    double mass;                   // kg, in place of the weight; 0: not given
    const WeftMeasurements* file;  // as far as it is read: strips come before tests
} TestSpec;

static WeftResult read_kind(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    static const char* const kinds[] = {"stretch", "bend"};
    int kind = 0;
    WeftResult result = wf_scene_word(reader, node, kinds, 2, &kind);
    ((TestSpec*)target)->test.kind = (WeftTestKind)kind;
    return result;
}

static WeftResult read_number(WfSceneReader* reader, const WfSceneNode* list, size_t index,
                              double low, double high, double* number) {
    WfSceneKey range = {.low = low, .high = high, .unit = "m"};
    WfSceneNode item = wf_scene_item(list, index);
    return wf_scene_number(reader, &item, &range, number);
}

// [along, across, x, y], or [along, x, y] of bending.
static WeftResult read_point(WfSceneReader* reader, const WfSceneNode* node, const TestSpec* spec,
                             WeftMark* mark) {
    bool stretch = spec->test.kind == WEFT_TEST_STRETCH;
    size_t count = stretch ? 4 : 3, next = 0;
    if (!json_is_array(node->value) || json_array_size(node->value) != count)
        return wf_scene_fail(reader, node, "a point of this test must be a list %s",
                             stretch ? "[along, across, x, y]" : "[along, x, y]");
    double end = stretch ? spec->file->length : spec->test.overhang;
    WeftResult result = read_number(reader, node, next++, 0, end, &mark->along);
    if (!result && stretch)
        result = read_number(reader, node, next++, 0, spec->file->width, &mark->across);
    if (!result) result = read_number(reader, node, next++, -100, 100, &mark->x);
    if (!result) result = read_number(reader, node, next++, -100, 100, &mark->y);
    return result;
}

static WeftResult read_points(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    TestSpec* spec = target;
    WeftTest* test = &spec->test;
    if (test->kind == WEFT_TEST_BEND && test->overhang <= 0)
        return wf_scene_fail(reader, node->parent, "\"overhang\" is missing here");
    size_t count = json_array_size(node->value);
    if (!json_is_array(node->value) || count == 0 || count > 100000)
        return wf_scene_fail(reader, node, "\"points\" must be a list of 1 to 100000 points");
    test->marks = wf_alloc(&spec->file->allocator, count, sizeof *test->marks);
    if (!test->marks) return wf_fail_memory(reader->error);
    for (; (size_t)test->mark_count < count; test->mark_count++) {
        WfSceneNode item = wf_scene_item(node, (size_t)test->mark_count);
        WeftResult result = read_point(reader, &item, spec, &test->marks[test->mark_count]);
        if (result) return result;
    }
    return WEFT_OK;
}

// The kind comes first, because points depend on it.
static const WfSceneKey test_keys[] = {
    WF_ROW_REQUIRED("kind", read_kind),
    {.name = "angle",
     .type = WF_KEY_NUMBER,
     .offset = offsetof(TestSpec, test.angle),
     .low = 0,
     .high = 90,
     .unit = "degrees",
     .required = true},
    {.name = "weight",
     .type = WF_KEY_NUMBER,
     .offset = offsetof(TestSpec, test.weight),
     .low = 1e-6,
     .high = 1e6,
     .unit = "N"},
    WF_ROW_NUMBER(TestSpec, mass, 1e-6, 1e5, "kg"),
    {.name = "overhang",
     .type = WF_KEY_NUMBER,
     .offset = offsetof(TestSpec, test.overhang),
     .low = 1e-4,
     .high = 10,
     .unit = "m"},
    WF_ROW_REQUIRED("points", read_points),
};

const WfSceneTable wf_test_table = {
    .name = "test",
    .key_count = WF_KEY_COUNT_OF(test_keys),
    .keys = test_keys,
    .target_size = sizeof(TestSpec),
};

// What only the other kind of test has, or has twice.
static WeftResult check_loads(WfSceneReader* reader, const WfSceneNode* node, TestSpec* spec) {
    WeftTest* test = &spec->test;
    bool stretch = test->kind == WEFT_TEST_STRETCH, weighed = test->weight > 0 || spec->mass > 0;
    WfSceneNode overhang = wf_scene_member(node, "overhang"), mass = wf_scene_member(node, "mass");
    WfSceneNode weight = wf_scene_member(node, "weight");
    if (stretch && overhang.value)
        return wf_scene_fail_key(reader, &overhang, "a test of stretch has no overhang");
    if (!stretch && weighed)
        return wf_scene_fail_key(reader, weight.value ? &weight : &mass,
                                 "a test of bending bends under its own weight alone");
    if (stretch && !weighed)
        return wf_scene_fail(reader, node, "\"weight\" is missing here, and so is \"mass\"");
    if (weight.value && mass.value)
        return wf_scene_fail_key(reader, &mass, "\"weight\" or \"mass\", not both");
    if (spec->mass > 0) test->weight = gravity * spec->mass;
    return WEFT_OK;
}

static WeftResult read_tests(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftMeasurements* m = target;
    size_t count = json_array_size(node->value);
    if (!json_is_array(node->value) || count == 0 || count > 10000)
        return wf_scene_fail(reader, node, "\"tests\" must be a list of 1 to 10000 tests");
    m->tests = wf_alloc(&m->allocator, count, sizeof *m->tests);
    if (!m->tests) return wf_fail_memory(reader->error);
    for (size_t i = 0; i < count; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        TestSpec spec = {.file = m};
        WeftResult result = wf_scene_read(reader, &item, &wf_test_table, &spec);
        if (!result) result = check_loads(reader, &item, &spec);
        m->tests[m->test_count++] = spec.test;
        if (result) return result;
    }
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// The top of the file

static WeftResult read_version(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    (void)target;
    if (json_is_integer(node->value) && json_integer_value(node->value) == 1) return WEFT_OK;
    return wf_scene_fail(reader, node,
                         "\"weft_measurements\" must be 1, the version of the format");
}

static WeftResult read_name(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftMeasurements* m = target;
    return wf_scene_short_text(reader, node, false, m->name, sizeof m->name);
}

static WeftResult read_noise(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    static const WfSceneKey range = {.low = 0, .high = 1000, .unit = "mm"};
    double* noise = &((WeftMeasurements*)target)->noise;
    WeftResult result = wf_scene_number(reader, node, &range, noise);
    *noise /= 1000;
    return result;
}

static const WfSceneKey strip_keys[] = {
    WF_ROW_NUMBER(WeftMeasurements, width, 1e-3, 10, "m"),
    WF_ROW_NUMBER(WeftMeasurements, length, 1e-3, 10, "m"),
};

const WfSceneTable wf_strip_table = {
    .name = "strip",
    .key_count = WF_KEY_COUNT_OF(strip_keys),
    .keys = strip_keys,
    .target_size = sizeof(WeftMeasurements),
};

static WeftResult read_strip(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_scene_read(reader, node, &wf_strip_table, target);
}

static const WfSceneKey measurement_keys[] = {
    WF_ROW_REQUIRED("weft_measurements", read_version),
    WF_ROW_OWN("name", read_name),
    {.name = "density",
     .type = WF_KEY_NUMBER,
     .offset = offsetof(WeftMeasurements, density),
     .low = 1e-4,
     .high = 100,
     .unit = "kg/m^2",
     .required = true},
    WF_ROW_OWN("noise_mm", read_noise),
    WF_ROW_NUMBER(WeftMeasurements, reference_strain, 1e-3, 2, NULL),
    WF_ROW_OWN("strip", read_strip),
    WF_ROW_REQUIRED("tests", read_tests),
};

const WfSceneTable wf_measurements_table = {
    .name = "measurements",
    .key_count = WF_KEY_COUNT_OF(measurement_keys),
    .keys = measurement_keys,
    .target_size = sizeof(WeftMeasurements),
};

// ---------------------------------------------------------------------------------------------
// Parse, load

static WeftResult read_top(WfSceneReader* reader, const json_t* root, WeftMeasurements* m) {
    WfSceneNode top = {.value = root};
    reader->top = &top;
    if (!json_is_object(root)) return wf_scene_fail(reader, &top, "measurements must be an object");
    m->width = 0.06;
    m->length = 0.12;
    m->reference_strain = 1.0 / 6;
    m->noise = -1;
    return wf_scene_read(reader, &top, &wf_measurements_table, m);
}

WeftResult weft_parse_measurements(const char* text, size_t length, const char* name,
                                   const WeftAllocator* allocator, WeftMeasurements** measurements,
                                   WeftError* error) {
    WeftError unheard;
    json_t* root;
    WeftAllocator memory = wf_allocator(allocator);
    if (!error) error = &unheard;
    WeftResult result = wf_parse_json(&text, length, name, &root, error);
    if (result) return result;
    WeftMeasurements* made = wf_alloc(&memory, 1, sizeof *made);
    if (!made) {
        result = wf_fail_memory(error);
        goto done;
    }
    made->allocator = memory;
    WfSceneReader reader = {.text = text, .file = name, .error = error};
    result = read_top(&reader, root, made);
    if (!result) {
        *measurements = made;
        made = NULL;
    }
done:
    weft_destroy_measurements(made);
    json_decref(root);
    return result;
}

WeftResult weft_load_measurements(const char* path, const WeftAllocator* allocator,
                                  WeftMeasurements** measurements, WeftError* error) {
    WeftAllocator memory = wf_allocator(allocator);
    char* text = NULL;
    size_t length = 0;
    WeftResult result = wf_read_file(path, &memory, &text, &length, error);
    if (!result)
        result = weft_parse_measurements(text, length, path, allocator, measurements, error);
    wf_free(&memory, text);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Save

static void put_number(FILE* file, double value) {
    char text[WF_NUMBER_TEXT];
    fputs(wf_print_double(text, value), file);
}

static void put_place(FILE* file, const char* before, double value) {
    fputs(before, file);
    put_number(file, floor(value * 1e9 + 0.5) / 1e9);
}

static void put_test(FILE* file, const WeftTest* test) {
    bool stretch = test->kind == WEFT_TEST_STRETCH;
    fprintf(file, "    {\"kind\": \"%s\", \"angle\": ", stretch ? "stretch" : "bend");
    put_number(file, test->angle);
    fputs(stretch ? ", \"weight\": " : ", \"overhang\": ", file);
    put_number(file, stretch ? test->weight : test->overhang);
    fputs(", \"points\": [", file);
    for (int i = 0; i < test->mark_count; i++) {
        const WeftMark* mark = &test->marks[i];
        put_place(file, i > 0 ? ",\n      [" : "\n      [", mark->along);
        if (stretch) put_place(file, ", ", mark->across);
        put_place(file, ", ", mark->x);
        put_place(file, ", ", mark->y);
        fputs("]", file);
    }
    fputs("\n    ]}", file);
}

static void put_name(FILE* file, const char* name) {
    json_t* text = json_string(name);
    if (!text) return;
    fputs("  \"name\": ", file);
    json_dumpf(text, file, JSON_ENCODE_ANY);
    fputs(",\n", file);
    json_decref(text);
}

static void put_measurements(FILE* file, const WeftMeasurements* m) {
    fputs("{\n  \"weft_measurements\": 1,\n", file);
    if (m->name[0]) put_name(file, m->name);
    fputs("  \"density\": ", file);
    put_number(file, m->density);
    if (m->noise >= 0) {
        fputs(",\n  \"noise_mm\": ", file);
        put_number(file, floor(m->noise * 1e9 + 0.5) / 1e6);
    }
    fputs(",\n  \"reference_strain\": ", file);
    put_number(file, m->reference_strain);
    fputs(",\n  \"strip\": {\"width\": ", file);
    put_number(file, m->width);
    fputs(", \"length\": ", file);
    put_number(file, m->length);
    fputs("},\n  \"tests\": [\n", file);
    for (int i = 0; i < m->test_count; i++) {
        put_test(file, &m->tests[i]);
        fputs(i + 1 < m->test_count ? ",\n" : "\n  ]\n}\n", file);
    }
}

WeftResult weft_save_measurements(const char* path, const WeftMeasurements* m, WeftError* error) {
    FILE* file = wf_open_file(path, "wb");
    if (!file) return wf_fail(error, WEFT_ERROR_FILE, "%s: %s", path, strerror(errno));
    put_measurements(file, m);
    bool written = !ferror(file);
    if (fclose(file) != 0) written = false;
    if (written) return WEFT_OK;
    wf_remove_file(path);
    return wf_fail(error, WEFT_ERROR_FILE, "%s: cannot be written", path);
}

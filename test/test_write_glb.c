// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards GLB files: chunks, accessors in range, bounds, and that every frame comes back at its
// time. (test/validate_glb.sh asks the Khronos validator.)

#include "file_test.h"

#include <jansson.h>

#include "weft/weft_io.h"

typedef struct Glb {
    unsigned char* bytes;  // the file
    size_t size;
    json_t* json;
    const unsigned char* data;  // the binary chunk
    size_t data_size;
} Glb;

static json_t* member(json_t* object, const char* name, size_t index) {
    json_t* value = json_array_get(json_object_get(object, name), index);
    CHECK(value != NULL);
    return value;
}

static size_t whole(json_t* object, const char* name) {
    return (size_t)json_integer_value(json_object_get(object, name));
}

static Glb open_glb(const char* path) {
    Glb glb = {0};
    glb.bytes = load_file(path, &glb.size);
    if (!glb.bytes || glb.size < 28) abort();
    const unsigned char* at = glb.bytes;
    CHECK(memcmp(at, "glTF", 4) == 0 && get_word(at + 4) == 2 && get_word(at + 8) == glb.size);
    size_t text_size = get_word(at + 12);
    CHECK(text_size % 4 == 0 && memcmp(at + 16, "JSON", 4) == 0);
    glb.data_size = get_word(at + 20 + text_size);
    glb.data = at + 28 + text_size;
    CHECK(memcmp(at + 24 + text_size, "BIN\0", 4) == 0 && glb.data_size % 4 == 0);
    CHECK(28 + text_size + glb.data_size == glb.size);
    json_error_t error;
    glb.json = json_loadb((const char*)at + 20, text_size, 0, &error);
    if (!glb.json) {
        printf("%s\n", error.text);
        abort();
    }
    CHECK(whole(member(glb.json, "buffers", 0), "byteLength") == glb.data_size);
    return glb;
}

static void close_glb(Glb* glb) {
    json_decref(glb->json);
    free(glb->bytes);
}

static size_t component_count(json_t* accessor) {
    const char* type = json_string_value(json_object_get(accessor, "type"));
    return strcmp(type, "SCALAR") == 0 ? 1 : (size_t)(type[3] - '0');
}

static size_t component_size(json_t* accessor) {
    return whole(accessor, "componentType") == 5123 ? 2 : 4;
}

// Where the data of an accessor begin, after checking that they lie in their view, and that in the
// buffer; *count is the number of elements.
static const unsigned char* open_accessor(const Glb* glb, size_t index, size_t* count) {
    json_t* accessor = member(glb->json, "accessors", index);
    json_t* view = member(glb->json, "bufferViews", whole(accessor, "bufferView"));
    size_t offset = whole(accessor, "byteOffset"), size = component_size(accessor);
    size_t element = size * component_count(accessor), stride = whole(view, "byteStride");
    *count = whole(accessor, "count");
    CHECK(*count > 0 && (stride == 0 || stride == element));
    CHECK(offset + *count * element <= whole(view, "byteLength"));
    CHECK(whole(view, "byteOffset") + whole(view, "byteLength") <= glb->data_size);
    CHECK((whole(view, "byteOffset") + offset) % size == 0);
    return glb->data + whole(view, "byteOffset") + offset;
}

static const unsigned char* open_floats(const Glb* glb, size_t index, size_t elements,
                                        size_t components) {
    size_t count;
    const unsigned char* at = open_accessor(glb, index, &count);
    json_t* accessor = member(glb->json, "accessors", index);
    CHECK(count == elements && whole(accessor, "componentType") == 5126);
    CHECK(component_count(accessor) == components);
    return at;
}

// min and max are there and exact
static void check_bounds(const Glb* glb, size_t index, const unsigned char* at, size_t count) {
    json_t* accessor = member(glb->json, "accessors", index);
    size_t n = component_count(accessor);
    for (size_t k = 0; k < n; k++) {
        float low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < count; i++) {
            low = fminf(low, get_float(at + 4 * (i * n + k)));
            high = fmaxf(high, get_float(at + 4 * (i * n + k)));
        }
        CHECK((float)json_number_value(member(accessor, "min", k)) == low);
        CHECK((float)json_number_value(member(accessor, "max", k)) == high);
    }
}

static void check_primitive(const Glb* glb, size_t number, const int* triangles, size_t count,
                            size_t size) {
    json_t* primitive = member(member(glb->json, "meshes", 0), "primitives", number);
    size_t index = whole(primitive, "indices"), found;
    const unsigned char* at = open_accessor(glb, index, &found);
    CHECK(component_size(member(glb->json, "accessors", index)) == size && found == count);
    for (size_t i = 0; i < count; i++, at += size)
        CHECK((size == 4 ? get_word(at) : at[0] | (uint32_t)at[1] << 8) == (uint32_t)triangles[i]);
}

static void check_indices(const Glb* glb, const int* triangles, size_t count, size_t size) {
    check_primitive(glb, 0, triangles, count, size);
}

static void check_texture(const Glb* glb, const Strip* strip) {
    json_t* primitive = member(member(glb->json, "meshes", 0), "primitives", 0);
    size_t index = whole(json_object_get(primitive, "attributes"), "TEXCOORD_0");
    const unsigned char* at = open_floats(glb, index, STRIP_VERTICES, 2);
    for (int i = 0; i < STRIP_VERTICES; i++) {
        CHECK(get_float(at + 8 * i) == strip->texture[2 * i]);
        CHECK(get_float(at + 8 * i + 4) == 1 - strip->texture[2 * i + 1]);  // v runs down
    }
}

// POSITION and NORMAL of the first frame plus those of target `key` (from 1; 0: none)
static void check_frame(const Glb* glb, const Strip* strip, size_t key) {
    static const char* const names[2] = {"POSITION", "NORMAL"};
    json_t* primitive = member(member(glb->json, "meshes", 0), "primitives", 0);
    for (int k = 0; k < 2; k++) {
        const float* expected = k ? strip->normals : strip->positions;
        size_t index = whole(json_object_get(primitive, "attributes"), names[k]), morph = 0;
        const unsigned char* first = open_floats(glb, index, STRIP_VERTICES, 3);
        const unsigned char* difference = NULL;
        if (key > 0) {
            morph = whole(member(primitive, "targets", key - 1), names[k]);
            difference = open_floats(glb, morph, STRIP_VERTICES, 3);
        }
        if (k == 0) check_bounds(glb, index, first, STRIP_VERTICES);
        if (k == 0 && key > 0) check_bounds(glb, morph, difference, STRIP_VERTICES);
        for (int i = 0; i < 3 * STRIP_VERTICES; i++) {
            double value = (double)get_float(first + 4 * i);
            if (difference) value += (double)get_float(difference + 4 * i);
            CHECK_NEAR(value, expected[i], 3e-7);
        }
    }
}

// Keys are at these frames (25 per second), and each target has weight 1 at its own.
static void check_animation(const Glb* glb, const int* frames, size_t keys) {
    json_t* animation = member(glb->json, "animations", 0);
    json_t* target = json_object_get(member(animation, "channels", 0), "target");
    CHECK(strcmp(json_string_value(json_object_get(target, "path")), "weights") == 0);
    CHECK(whole(target, "node") == 0);
    json_t* sampler = member(animation, "samplers", 0);
    CHECK(strcmp(json_string_value(json_object_get(sampler, "interpolation")), "LINEAR") == 0);
    size_t input = whole(sampler, "input");
    const unsigned char* times = open_floats(glb, input, keys, 1);
    check_bounds(glb, input, times, keys);
    const unsigned char* weights = open_floats(glb, whole(sampler, "output"), keys * (keys - 1), 1);
    for (size_t k = 0; k < keys; k++) {
        CHECK_NEAR(get_float(times + 4 * k), frames[k] / 25.0, 1e-5);
        for (size_t t = 0; t + 1 < keys; t++)
            if (get_float(weights + 4 * (k * (keys - 1) + t)) != (k == t + 1)) CHECK(false);
    }
    json_t* primitive = member(member(glb->json, "meshes", 0), "primitives", 0);
    CHECK(json_array_size(json_object_get(primitive, "targets")) == keys - 1);
}

static void frames_come_back(void) {
    static const int numbers[] = {0, 1, 2, 3, 4, 5, 6};
    const char* path = test_path("a.glb");
    for (int frames = 2; frames <= 7; frames++) {
        Strip strip = make_strip();
        WeftWriterDef def = strip_def(&strip, 7);
        CHECK(write_strip(path, &def, frames, NULL) == WEFT_OK);
        Glb glb = open_glb(path);
        for (int frame = 0; frame < frames; frame++) {
            move_strip(&strip, frame);
            check_frame(&glb, &strip, (size_t)frame);
        }
        check_animation(&glb, numbers, (size_t)frames);
        check_indices(&glb, strip.triangles, 3 * STRIP_TRIANGLES, 2);
        check_texture(&glb, &strip);
        close_glb(&glb);
        remove(path);
    }
    CHECK(count_files() == 0);
}

static void one_frame_does_not_move(void) {
    const char* path = test_path("a.glb");
    Strip strip = make_strip();
    WeftWriterDef def = strip_def(&strip, 9);
    def.texture = NULL;
    CHECK(write_strip(path, &def, 1, NULL) == WEFT_OK);
    Glb glb = open_glb(path);
    check_frame(&glb, &strip, 0);
    CHECK(!json_object_get(glb.json, "animations"));
    json_t* primitive = member(member(glb.json, "meshes", 0), "primitives", 0);
    CHECK(!json_object_get(primitive, "targets"));
    CHECK(!json_object_get(json_object_get(primitive, "attributes"), "TEXCOORD_0"));
    close_glb(&glb);
    remove(path);
}

static void material_is_cloth(void) {
    const char* path = test_path("a.glb");
    Strip strip = make_strip();
    WeftWriterDef def = strip_def(&strip, 1);
    def.name = "a \"b\" \\ \n \xC3\xA9 \xFF \xED\xA0\x80 \xF0\x9F\xA7\xB5";
    CHECK(write_strip(path, &def, 1, NULL) == WEFT_OK);
    Glb glb = open_glb(path);
    json_t* material = member(glb.json, "materials", 0);
    CHECK(json_is_true(json_object_get(material, "doubleSided")));
    const char* name = json_string_value(json_object_get(member(glb.json, "nodes", 0), "name"));
    CHECK(strcmp(name, "a _b_ _ _ \xC3\xA9 _ ___ \xF0\x9F\xA7\xB5") == 0);
    close_glb(&glb);
    remove(path);
}

// 1024 keys at most: of 2500 frames every third, and the last
static void long_runs_are_thinned(void) {
    const char* path = test_path("a.glb");
    static const int counts[] = {1024, 1025, 2500};
    static const int strides[] = {1, 2, 3};
    static int frames[1024];
    for (int run = 0; run < 3; run++) {
        Strip strip = make_strip();
        WeftWriterDef def = strip_def(&strip, counts[run]);
        def.line_count = run;  // a second list of targets has room, too
        def.lines = strip.triangles;
        int keys = 0, last = counts[run] - 1;
        for (int frame = 0; frame < last; frame += strides[run]) frames[keys++] = frame;
        frames[keys++] = last;
        CHECK(write_strip(path, &def, counts[run], NULL) == WEFT_OK);
        Glb glb = open_glb(path);
        check_animation(&glb, frames, (size_t)keys);
        for (int key = 0; key < keys; key += key < keys - 8 ? 97 : 1) {
            move_strip(&strip, frames[key]);
            check_frame(&glb, &strip, (size_t)key);
        }
        close_glb(&glb);
        remove(path);
    }
}

// above 65535 vertices, indices have four bytes; an odd number of short ones needs padding
static void large_meshes_and_odd_ones(void) {
    const char* path = test_path("a.glb");
    static const int counts[] = {3, 65535, 65536};
    for (int i = 0; i < 3; i++) {
        size_t count = (size_t)counts[i];
        int triangles[9] = {0, 1, 2, counts[i] - 1, 0, 1, 2, 1, counts[i] - 1};
        float* vectors = calloc(6 * count, sizeof(float));  // zero normals: none
        if (!vectors) return;
        WeftWriterDef def = weft_default_writer_def();
        def.vertex_count = counts[i];
        def.triangle_count = 1 + (i % 2) * 2;
        def.triangles = triangles;
        WeftWriter* writer = NULL;
        CHECK(weft_open_writer(path, &def, &writer, NULL) == WEFT_OK);
        CHECK(weft_write_frame(writer, vectors, vectors + 3 * count, NULL) == WEFT_OK);
        CHECK(weft_close_writer(writer, NULL) == WEFT_OK);
        Glb glb = open_glb(path);
        check_indices(&glb, triangles, 3 * (size_t)def.triangle_count, i < 2 ? 2 : 4);
        json_t* primitive = member(member(glb.json, "meshes", 0), "primitives", 0);
        size_t normal = whole(json_object_get(primitive, "attributes"), "NORMAL");
        const unsigned char* at = open_floats(&glb, normal, count, 3);
        CHECK(get_float(at) == 0 && get_float(at + 4) == 1 && get_float(at + 8) == 0);
        close_glb(&glb);
        free(vectors);
        remove(path);
    }
}

// Ropes are lines over the same vertices and targets, beside triangles or alone.
static void ropes_are_lines(void) {
    static const int lines[] = {0, 2, 2, 4, 4, 6};
    const char* path = test_path("a.glb");
    for (int way = 0; way < 8; way++) {
        bool alone = way & 1, textured = way & 2;
        int frames = way & 4 ? 4 : 1;
        Strip strip = make_strip();
        WeftWriterDef def = strip_def(&strip, frames);
        def.line_count = 3;
        def.lines = lines;
        if (alone)
            def.triangle_count = 0, def.triangles = NULL;
        else
            def.triangle_count = 7;  // an odd number of indices before the lines
        if (!textured) def.texture = NULL;
        CHECK(write_strip(path, &def, frames, NULL) == WEFT_OK);
        Glb glb = open_glb(path);
        json_t* primitives = json_object_get(member(glb.json, "meshes", 0), "primitives");
        CHECK(json_array_size(primitives) == (alone ? 1 : 2));
        if (!alone) check_indices(&glb, strip.triangles, 21, 2);
        check_primitive(&glb, !alone, lines, 6, 2);
        json_t* first = json_array_get(primitives, 0);
        json_t* last = json_array_get(primitives, alone ? 0 : 1);
        CHECK(whole(last, "mode") == 1 && (alone || !json_object_get(first, "mode")));
        CHECK(
            json_equal(json_object_get(first, "attributes"), json_object_get(last, "attributes")));
        CHECK(json_equal(json_object_get(first, "targets"), json_object_get(last, "targets")) ||
              frames == 1);
        for (int frame = 0; frame < frames; frame++) {
            move_strip(&strip, frame);
            check_frame(&glb, &strip, (size_t)frame);
        }
        if (textured) check_texture(&glb, &strip);
        close_glb(&glb);
        remove(path);
    }
}

static json_t* attributes_of(const Glb* glb, size_t mesh) {
    json_t* primitive = member(member(glb->json, "meshes", mesh), "primitives", 0);
    return json_object_get(primitive, "attributes");
}

static void check_same(const unsigned char* values, int a, int b) {
    CHECK(memcmp(values + 12 * a, values + 12 * b, 12) == 0);
}

// Vertices on a seam are there once for each side; _VERTEX tells which they are.
static void seams_have_two_textures(void) {
    enum { COUNT = STRIP_VERTICES + SEAM_COPIES, FRAMES = 3 };
    const char* path = test_path("a.glb");
    Strip strip = make_strip();
    Seam seam = make_seam(&strip);
    WeftWriterDef def = seam_def(&strip, &seam, FRAMES);
    CHECK(write_strip(path, &def, FRAMES, NULL) == WEFT_OK);
    Glb glb = open_glb(path);
    json_t* attributes = attributes_of(&glb, 0);
    json_t* primitive = member(member(glb.json, "meshes", 0), "primitives", 0);
    const unsigned char* numbers = open_floats(&glb, whole(attributes, "_VERTEX"), COUNT, 1);
    const unsigned char* texture = open_floats(&glb, whole(attributes, "TEXCOORD_0"), COUNT, 2);
    for (int i = 0; i < STRIP_VERTICES; i++) CHECK(get_float(numbers + 4 * i) == (float)i);
    size_t count;
    const unsigned char* at = open_accessor(&glb, whole(primitive, "indices"), &count);
    if (!CHECK(count == 3 * STRIP_TRIANGLES)) return;
    for (int i = 0; i < 3 * STRIP_TRIANGLES; i++, at += 2) {
        int index = at[0] | at[1] << 8;
        if (!CHECK(index < COUNT)) continue;
        const float* point = seam.texture + 2 * seam.corners[i];
        CHECK(get_float(numbers + 4 * index) == (float)strip.triangles[i]);
        CHECK(get_float(texture + 8 * index) == point[0]);
        CHECK(get_float(texture + 8 * index + 4) == 1 - point[1]);
    }
    for (int key = 0; key < FRAMES; key++) {
        json_t* data = key == 0 ? attributes : member(primitive, "targets", (size_t)key - 1);
        for (int i = STRIP_VERTICES; i < COUNT; i++) {
            int source = (int)get_float(numbers + 4 * i);
            check_same(open_floats(&glb, whole(data, "POSITION"), COUNT, 3), i, source);
            check_same(open_floats(&glb, whole(data, "NORMAL"), COUNT, 3), i, source);
        }
    }
    close_glb(&glb);
    remove(path);
}

// The same coordinates under several numbers are one point.
static void equal_points_are_one(void) {
    const char* path = test_path("a.glb");
    Strip strip = make_strip();
    Seam seam = make_seam(&strip);
    memcpy(seam.texture + 2 * STRIP_VERTICES, seam.texture, sizeof strip.texture);
    WeftWriterDef def = seam_def(&strip, &seam, 1);
    CHECK(write_strip(path, &def, 1, NULL) == WEFT_OK);
    Glb glb = open_glb(path);
    CHECK(!json_object_get(attributes_of(&glb, 0), "_VERTEX"));
    check_frame(&glb, &strip, 0);
    check_texture(&glb, &strip);
    close_glb(&glb);
    remove(path);
}

// Two cloths, a body, and one that moves from the second frame on: each cloth has a material and
// texture coordinates of its own, bodies have one material and none.
static void parts_have_materials(void) {
    enum { PARTS = 4, VERTICES = 3 * PARTS, FRAMES = 4, LATE = 2 };
    static const WeftPart parts[PARTS] = {{"shirt", 3, 1, false},
                                          {"skirt", 3, 1, false},
                                          {"body 0", 3, 1, true},
                                          {"body 1", 3, 1, true}};
    const char* path = test_path("a.glb");
    int triangles[VERTICES];
    float positions[3 * VERTICES] = {0}, normals[3 * VERTICES] = {0}, texture[2 * VERTICES];
    for (int i = 0; i < VERTICES; i++) {
        triangles[i] = i;
        positions[3 * i + i % 3] = 1;
        texture[2 * i] = (float)i, texture[2 * i + 1] = (float)(i % 2);
    }
    WeftWriterDef def = weft_default_writer_def();
    def.vertex_count = VERTICES, def.triangle_count = PARTS, def.triangles = triangles;
    def.texture = texture, def.frame_count = FRAMES;
    def.parts = parts, def.part_count = PARTS;
    WeftWriter* writer = NULL;
    CHECK(weft_open_writer(path, &def, &writer, NULL) == WEFT_OK);
    for (int frame = 0; frame < FRAMES; frame++) {
        if (frame > LATE - 1)
            for (int i = 27; i < 36; i++) positions[i] += 0.5f;
        CHECK(weft_write_frame(writer, positions, normals, NULL) == WEFT_OK);
    }
    CHECK(weft_close_writer(writer, NULL) == WEFT_OK);
    Glb glb = open_glb(path);
    CHECK(json_array_size(json_object_get(glb.json, "materials")) == 3);
    for (size_t p = 0; p < PARTS; p++) {
        json_t* primitive = member(member(glb.json, "meshes", p), "primitives", 0);
        CHECK(whole(primitive, "material") == (p < 2 ? p : 2));
        CHECK(!json_object_get(attributes_of(&glb, p), "TEXCOORD_0") == parts[p].body);
        bool moves = p == 0 || p == 3;  // the first has targets in any case
        CHECK(json_array_size(json_object_get(primitive, "targets")) == (moves ? FRAMES - 1 : 0));
    }
    size_t own = whole(attributes_of(&glb, 1), "TEXCOORD_0");
    CHECK(get_float(open_floats(&glb, own, 3, 2)) == 3);
    json_t* late = member(member(glb.json, "meshes", 3), "primitives", 0);
    for (size_t key = 1; key < FRAMES; key++) {
        size_t index = whole(member(late, "targets", key - 1), "POSITION");
        const unsigned char* at = open_floats(&glb, index, 3, 3);
        check_bounds(&glb, index, at, 3);
        CHECK(get_float(at) == (key < LATE ? 0 : 0.5f * (float)(key - LATE + 1)));
    }
    CHECK(strcmp(json_string_value(json_object_get(member(glb.json, "materials", 1), "name")),
                 "skirt") == 0);
    close_glb(&glb);
    remove(path);
}

// A shirt with a lining: two primitives over the same vertices, and a material with a name of its
// own behind the others. Read back, there are all triangles, by their materials.
static void linings_have_materials(void) {
    enum { VERTICES = 9, TRIANGLES = 5, FRAMES = 3 };
    static const WeftPart parts[2] = {{"shirt", 6, 4, false}, {"body 0", 3, 1, true}};
    static const int triangles[3 * TRIANGLES] = {0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4, 5, 6, 7, 8};
    static const int made_of[TRIANGLES] = {1, -1, 1, -1, -1}, order[TRIANGLES] = {1, 3, 0, 2, 4};
    static const char* const names[2] = {"none", "lin\"ing"};
    const char* path = test_path("a.glb");
    float positions[3 * VERTICES] = {0}, normals[3 * VERTICES] = {0};
    WeftWriterDef def = weft_default_writer_def();
    def.vertex_count = VERTICES, def.triangle_count = TRIANGLES, def.triangles = triangles;
    def.frame_count = FRAMES, def.parts = parts, def.part_count = 2;
    def.material_count = 2, def.materials = names, def.triangle_material = made_of;
    WeftWriter* writer = NULL;
    CHECK(weft_open_writer(path, &def, &writer, NULL) == WEFT_OK);
    for (int frame = 0; frame < FRAMES; frame++) {
        for (int i = 0; i < VERTICES; i++) positions[3 * i + i % 3] = (float)(1 + frame);
        CHECK(weft_write_frame(writer, positions, normals, NULL) == WEFT_OK);
    }
    CHECK(weft_close_writer(writer, NULL) == WEFT_OK);
    Glb glb = open_glb(path);
    json_t* primitives = json_object_get(member(glb.json, "meshes", 0), "primitives");
    CHECK(json_array_size(primitives) == 2 &&
          json_array_size(json_object_get(glb.json, "materials")) == 4);
    CHECK(strcmp(json_string_value(json_object_get(member(glb.json, "materials", 3), "name")),
                 "lin_ing") == 0);
    static const size_t materials[2] = {0, 3};
    for (size_t k = 0; k < 2; k++) {
        json_t *one = json_array_get(primitives, k), *first = json_array_get(primitives, 0);
        int corners[6];
        for (int i = 0; i < 6; i++) corners[i] = triangles[3 * order[2 * k + i / 3] + i % 3];
        check_primitive(&glb, k, corners, 6, 2);
        CHECK(whole(one, "material") == materials[k]);
        CHECK(json_equal(json_object_get(one, "attributes"), json_object_get(first, "attributes")));
        CHECK(json_array_size(json_object_get(one, "targets")) == FRAMES - 1);
        CHECK(json_equal(json_object_get(one, "targets"), json_object_get(first, "targets")));
    }
    close_glb(&glb);
    WeftReader* reader = NULL;
    CHECK(weft_open_reader(path, NULL, NULL, &reader, NULL) == WEFT_OK);
    CHECK(reader->triangle_count == TRIANGLES && reader->frame_count == FRAMES);
    for (int i = 0; i < 3 * TRIANGLES; i++)
        CHECK(reader->triangles[i] == triangles[3 * order[i / 3] + i % 3]);
    weft_close_reader(reader);
    remove(path);
}

static void refuses_what_cannot_fit(void) {
    enum { COUNT = 40000000 };
    int triangle[3] = {0, 1, 2};
    WeftWriterDef def = weft_default_writer_def();
    def.vertex_count = COUNT;
    def.triangle_count = 1;
    def.triangles = triangle;
    WeftWriter* writer = NULL;
    WeftError error;
    CHECK(weft_open_writer(test_path("a.glb"), &def, &writer, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "a.glb: 40000000 vertices are too many for a GLB of 2 GB");
    CHECK(!writer && count_files() == 0);
}

TEST_MAIN(CASE(frames_come_back), CASE(one_frame_does_not_move), CASE(material_is_cloth),
          CASE(long_runs_are_thinned), CASE(large_meshes_and_odd_ones), CASE(ropes_are_lines),
          CASE(seams_have_two_textures), CASE(equal_points_are_one), CASE(parts_have_materials),
          CASE(linings_have_materials), CASE(refuses_what_cannot_fit))

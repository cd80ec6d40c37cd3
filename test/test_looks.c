// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards looks: every preset and every measured fabric has one, files and scenes change single keys
// of it and say where one is wrong, every triangle has that of its cloth or panel, and GLB files
// have materials, threads and prints by it.

#include "file_test.h"

#include <jansson.h>

#include "io/png.h"
#include "io/weave.h"
#include "scene_test.h"

#define MEASURED_FOLDER WEFT_SOURCE "/fabrics/measured"

static WeftLook look_of(const char* name) {
    WeftFabricFile file = {0};
    CHECK(weft_find_fabric(name, NULL, MEASURED_FOLDER, &file, &last) == WEFT_OK);
    return file.look;
}

static bool same(const WeftLook* a, const WeftLook* b) {
    char one[2048], other[2048];
    weft_print_look(a, one, sizeof one);
    weft_print_look(b, other, sizeof other);
    return strcmp(one, other) == 0;
}

static void every_fabric_has_one(void) {
    char names[64][64];
    int count = weft_fabric_names(MEASURED_FOLDER, names, 64);
    CHECK(count >= 23);
    for (int i = 0; i < count; i++) {
        WeftLook look = look_of(names[i]), plain = weft_default_look(0);
        CHECK(!same(&look, &plain));
        CHECK(look.thread > 5e-5 && look.thread < 3e-3 && look.opacity > 0.3);
        for (int k = 0; k < i; k++) CHECK(look.colour != look_of(names[k]).colour);
    }
    WeftLook kept = weft_default_look(3), look = kept;
    CHECK(!weft_preset_look("no_such_fabric", &look) && same(&look, &kept));
    CHECK(weft_default_look(8).colour == weft_default_look(0).colour);
    CHECK(weft_default_look(-1).colour == weft_default_look(0).colour);
    CHECK(!weft_weave_name(6) && !weft_weave_name(-1) && !weft_print_name(4));
}

#define LOOK(keys) SCENE(",\"fabric\":{\"look\":{" keys "}}")

static void every_key_is_read(void) {
    static const char json[] =
        "{\"colour\":\"#010203\",\"reverse\":\"#0a0b0c\",\"weave\":\"satin\",\"thread\":0.001,"
        "\"relief\":0.25,\"roughness\":0.5,\"specular\":0.125,\"sheen\":0.75,"
        "\"sheen_colour\":\"#fedcba\",\"sheen_roughness\":0.375,\"anisotropy\":-0.5,"
        "\"opacity\":0.625,\"translucency\":0.875,\"print\":{\"kind\":\"picture\","
        "\"colour\":\"#112233\",\"size\":0.25,\"file\":\"a.png\"}}";
    char text[2048];
    snprintf(text, sizeof text, SCENE(",\"fabric\":{\"base\":\"linen\",\"look\":%s}"), json);
    WeftScene* scene = parse(text);
    if (!scene) return;
    CHECK(scene->look_count == 1 && strcmp(scene->looks[0].fabric, "linen") == 0);
    weft_print_look(&scene->looks[0].look, text, sizeof text);
    CHECK(strcmp(text, json) == 0);
    CHECK(weft_print_look(&scene->looks[0].look, NULL, 0) == strlen(json));
    weft_destroy_scene(scene);
}

static void single_keys_change_the_base(void) {
    WeftScene* scene = parse(
        SCENE(",\"fabric\":{\"base\":\"denim\",\"bend\":1e-4,\"look\":{\"relief\":0.1}}}," CLOTH
              ",\"fabric\":{\"base\":\"denim\",\"look\":{\"colour\":\"#FF0010\"}}}," CLOTH
              ",\"fabric\":{\"bend\":1e-4}}," CLOTH));
    if (!CHECK(scene != NULL)) return;
    WeftLook wanted = look_of("denim");
    wanted.relief = 0.1;
    CHECK(same(&scene->looks[0].look, &wanted));
    // dyed on both sides
    CHECK(scene->looks[1].look.colour == 0xff0010 && scene->looks[1].look.reverse == 0xff0010);
    CHECK(scene->looks[1].look.weave == WEFT_WEAVE_TWILL);
    for (int c = 2; c < 4; c++) {
        wanted = weft_default_look(c);
        CHECK(!scene->looks[c].fabric[0] && same(&scene->looks[c].look, &wanted));
    }
    int looks[4 * 8];
    weft_scene_triangle_looks(scene, looks);
    for (int t = 0; t < 4 * 8; t++) CHECK(looks[t] == t / 8);
    weft_destroy_scene(scene);
}

static void refuse(const char* text, const char* message) {
    WeftScene* scene = parse(text);
    CHECK(scene == NULL);
    CHECK_TEXT(last.message, message);
    weft_destroy_scene(scene);
}

static void mistakes_have_a_place(void) {
    refuse(LOOK("\"colour\":\"red\""), "t.json:2:29: \"colour\" must be a colour as \"#b8573f\"");
    refuse(LOOK("\"colour\":\"#12345\""), "\"colour\" must be a colour");
    refuse(LOOK("\"reverse\":\"#12345g\""), "\"reverse\" must be a colour");
    refuse(LOOK("\"sheen_colour\":7"), "\"sheen_colour\" must be a colour");
    refuse(LOOK("\"weave\":\"tweed\""), "\"weave\" must be \"plain\", \"twill\"");
    refuse(LOOK("\"thread\":0"), "\"thread\" must be");
    refuse(LOOK("\"opacity\":1.5"), "\"opacity\" must be 0 to 1");
    refuse(LOOK("\"anisotropy\":-2"), "\"anisotropy\" must be -1 to 1");
    refuse(LOOK("\"gloss\":1"), "unknown key \"gloss\"");
    refuse(LOOK("\"color\":\"#000000\""), "did you mean \"colour\"");
    refuse(LOOK("\"print\":{\"kind\":\"dots\"}"), "\"kind\" must be \"none\", \"stripes\"");
    refuse(LOOK("\"print\":{\"kind\":\"picture\"}"), "\"file\" is missing here");
    refuse(LOOK("\"print\":{\"colour\":\"white\"}"), "\"colour\" must be a colour");
    refuse(LOOK("\"print\":[]"), "\"print\" must be an object");
}

static void files_keep_it(void) {
    WeftFabricFile file = {.name = "one", .fabric = weft_default_fabric()}, back = {0};
    const char* path = test_path("one.json");
    file.look = look_of("silk_chiffon");
    file.look.print = (WeftPrint){WEFT_PRINT_PICTURE, 0x123456, 0.1 / 3, "a \"rose\".png"};
    CHECK(weft_save_fabric(path, &file, &last) == WEFT_OK);
    CHECK(weft_load_fabric(path, &back, &last) == WEFT_OK);
    CHECK(same(&file.look, &back.look));
    // who has none writes none, and reads the default
    file.look = (WeftLook){0};
    WeftLook plain = weft_default_look(0);
    CHECK(weft_save_fabric(path, &file, &last) == WEFT_OK);
    CHECK(weft_load_fabric(path, &back, &last) == WEFT_OK);
    CHECK(same(&plain, &back.look));
    static const char bad[] =
        "{\"weft_fabric\":1,\"density\":1,\"stretch\":1,\n\"look\":{\"relief\":2}}";
    CHECK(weft_parse_fabric(bad, strlen(bad), "f.json", &back, &last) == WEFT_ERROR_INPUT);
    CHECK_TEXT(last.message, "f.json:2:18: \"relief\" must be 0 to 1");
    remove(path);
}

// ---------------------------------------------------------------------------------------------
// GLB

enum { VERTICES = 3 };

static WeftWriterDef triangle_def(void) {
    static const int triangles[3] = {0, 1, 2};
    static const float texture[6] = {0, 0, 1, 0, 0, 1};
    WeftWriterDef def = weft_default_writer_def();
    def.vertex_count = VERTICES, def.triangle_count = 1, def.triangles = triangles;
    def.texture = texture;
    return def;
}

static unsigned big(const unsigned char* at) {
    return (unsigned)at[0] << 24 | (unsigned)at[1] << 16 | (unsigned)at[2] << 8 | at[3];
}

// Writes, and gives the JSON back, and where the data are in the bytes of the file.
static json_t* write_triangle(const WeftWriterDef* def, unsigned char** bytes, size_t* data) {
    const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0},
                normals[9] = {0, 0, 1, 0, 0, 1, 0, 0, 1};
    const char* path = test_path("look.glb");
    WeftWriter* writer = NULL;
    size_t size = 0;
    if (!CHECK(weft_open_writer(path, def, &writer, &last) == WEFT_OK)) abort();
    CHECK(weft_write_frame(writer, positions, normals, &last) == WEFT_OK);
    CHECK(weft_close_writer(writer, &last) == WEFT_OK);
    *bytes = load_file(path, &size);
    size_t text = get_word(*bytes + 12);
    *data = 28 + text;
    CHECK(*data + get_word(*bytes + 20 + text) == size);
    json_t* json = json_loadb((const char*)*bytes + 20, text, 0, NULL);
    CHECK(json != NULL);
    remove(path);
    return json;
}

static json_t* at(json_t* object, const char* list, size_t index) {
    return json_array_get(json_object_get(object, list), index);
}

static json_t* deep(json_t* object, const char* a, const char* b) {
    return json_object_get(json_object_get(object, a), b);
}

static void glb_has_materials(void) {
    WeftLook look = look_of("silk_chiffon");
    look.anisotropy = 0.5, look.print.kind = WEFT_PRINT_STRIPES;
    const WeftPartLook own = {&look, true};
    WeftWriterDef def = triangle_def();
    def.part_looks = &own;
    unsigned char* bytes;
    size_t data;
    json_t *json = write_triangle(&def, &bytes, &data), *material = at(json, "materials", 0);
    json_t* surface = json_object_get(material, "pbrMetallicRoughness");
    json_t* extensions = json_object_get(material, "extensions");
    CHECK_NEAR(json_number_value(at(surface, "baseColorFactor", 3)), look.opacity, 1e-6);
    CHECK_NEAR(json_number_value(json_object_get(surface, "roughnessFactor")), look.roughness,
               1e-6);
    CHECK(strcmp(json_string_value(json_object_get(material, "alphaMode")), "BLEND") == 0);
    CHECK_NEAR(json_number_value(deep(extensions, "KHR_materials_specular", "specularFactor")),
               look.specular, 1e-6);
    CHECK_NEAR(json_number_value(deep(extensions, "KHR_materials_sheen", "sheenRoughnessFactor")),
               look.sheen_roughness, 1e-6);
    // the warp along v: long across it is long along the tangent
    CHECK_NEAR(
        json_number_value(deep(extensions, "KHR_materials_anisotropy", "anisotropyRotation")), 0,
        1e-6);
    CHECK(json_array_size(json_object_get(json, "extensionsUsed")) == 4);
    CHECK(json_object_get(json, "extensionsRequired") == NULL);
    // stripes repeat after their size, threads after as many as the picture has
    json_t* print =
        deep(deep(surface, "baseColorTexture", "extensions"), "KHR_texture_transform", "scale");
    CHECK_NEAR(json_number_value(json_array_get(print, 0)), 1 / look.print.size, 1e-4);
    WfTile tile;
    json_t* weave =
        deep(deep(material, "normalTexture", "extensions"), "KHR_texture_transform", "scale");
    CHECK_NEAR(json_number_value(json_array_get(weave, 0)),
               1 / (wf_draw_weave(look.weave, tile) * look.thread), 1e-2);
    // pictures are there
    CHECK(json_array_size(json_object_get(json, "images")) == 2);
    for (size_t i = 0; i < 2; i++) {
        json_t* view =
            at(json, "bufferViews",
               (size_t)json_integer_value(json_object_get(at(json, "images", i), "bufferView")));
        size_t start = data + (size_t)json_integer_value(json_object_get(view, "byteOffset"));
        CHECK(memcmp(bytes + start, "\x89PNG\r\n\x1a\n", 8) == 0);
        CHECK(big(bytes + start + 16) == WF_TILE && big(bytes + start + 20) == WF_TILE);
        CHECK((size_t)json_integer_value(json_object_get(view, "byteLength")) ==
              wf_png_size(WF_TILE, WF_TILE));
    }
    // all of the look comes back
    char text[2048], wanted[2048];
    json_t* extra = deep(material, "extras", "weft_look");
    CHECK(strcmp(json_string_value(json_object_get(extra, "weave")), "plain") == 0);
    char* dump = json_dumps(extra, JSON_COMPACT | JSON_REAL_PRECISION(15));
    snprintf(text, sizeof text, SCENE(",\"fabric\":{\"look\":%s}"), dump);
    WeftScene* scene = parse(text);
    if (CHECK(scene != NULL)) weft_print_look(&scene->looks[0].look, text, sizeof text);
    weft_print_look(&look, wanted, sizeof wanted);
    CHECK(strcmp(text, wanted) == 0);
    weft_destroy_scene(scene);
    free(dump);
    free(bytes);
    json_decref(json);
}

// Without texture coordinates there is nothing that threads could be drawn by.
static void glb_without_texture(void) {
    WeftLook look = look_of("polyester_satin");
    const WeftPartLook own = {&look, false};
    WeftWriterDef def = triangle_def();
    def.texture = NULL, def.part_looks = &own;
    unsigned char* bytes;
    size_t data;
    json_t *json = write_triangle(&def, &bytes, &data), *material = at(json, "materials", 0);
    CHECK(!json_object_get(json, "images") && !json_object_get(material, "normalTexture"));
    CHECK(!json_object_get(material, "alphaMode"));
    CHECK(!deep(material, "extensions", "KHR_materials_anisotropy"));
    CHECK(deep(material, "extensions", "KHR_materials_sheen") != NULL);
    free(bytes);
    json_decref(json);
}

static void glb_has_pictures(void) {
    unsigned char rgb[2 * 4 * 3] = {255}, png[256];
    WeftLook look = look_of("linen");
    look.print = (WeftPrint){WEFT_PRINT_PICTURE, 0, 0.1, "p.png"};
    const WeftPartLook own = {&look, true};
    WeftWriterDef def = triangle_def();
    def.part_looks = &own, def.folder = test_folder;
    WeftWriter* writer = NULL;
    CHECK(weft_open_writer(test_path("look.glb"), &def, &writer, &last) == WEFT_ERROR_FILE);
    CHECK_TEXT(last.message, "p.png");
    save_file(test_path("p.png"), "no picture", 10);
    CHECK(weft_open_writer(test_path("look.glb"), &def, &writer, &last) == WEFT_ERROR_INPUT);
    CHECK_TEXT(last.message, "a print must be a picture in a PNG or JPEG file");
    // twice as high as it is wide
    wf_make_png(2, 4, rgb, png);
    save_file(test_path("p.png"), (const char*)png, wf_png_size(2, 4));
    unsigned char* bytes;
    size_t data;
    json_t* json = write_triangle(&def, &bytes, &data);
    json_t* surface = json_object_get(at(json, "materials", 0), "pbrMetallicRoughness");
    json_t* scale =
        deep(deep(surface, "baseColorTexture", "extensions"), "KHR_texture_transform", "scale");
    CHECK_NEAR(json_number_value(json_array_get(scale, 0)), 10, 1e-4);
    CHECK_NEAR(json_number_value(json_array_get(scale, 1)), 5, 1e-4);
    remove(test_path("p.png"));
    free(bytes);
    json_decref(json);
}

// Relief goes both ways, and the picture repeats: its mean is flat.
static void weaves_are_even(void) {
    for (int w = 0; w <= WEFT_WEAVE_RIPSTOP; w++) {
        WfTile tile;
        double sum[3] = {0};
        CHECK(wf_draw_weave((WeftWeave)w, tile) >= 4);
        for (int i = 0; i < WF_TILE * WF_TILE; i++)
            for (int k = 0; k < 3; k++) sum[k] += tile[3 * i + k] / (double)(WF_TILE * WF_TILE);
        CHECK(fabs(sum[0] - 127.5) < 4 && fabs(sum[1] - 127.5) < 4 && sum[2] > 150);
    }
}

TEST_MAIN(CASE(every_fabric_has_one), CASE(every_key_is_read), CASE(single_keys_change_the_base),
          CASE(mistakes_have_a_place), CASE(files_keep_it), CASE(glb_has_materials),
          CASE(glb_without_texture), CASE(glb_has_pictures), CASE(weaves_are_even))

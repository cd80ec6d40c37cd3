// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards fabrics: presets, files in and out, that every mistake is named at its place, names in
// scenes, and factors per vertex.

#include "file_test.h"

#include <sys/stat.h>

#include "material/elastic.h"
#include "material/fabric.h"
#include "scene_test.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

#define MEASURED_FOLDER WEFT_SOURCE "/fabrics/measured"

// ---------------------------------------------------------------------------------------------
// Presets

static void presets_are_fabrics(void) {
    WeftFabric usual = weft_default_fabric();
    int count = 0;
    for (const WeftFabricPreset* p; (p = weft_fabric_preset(count)); count++) {
        WeftError error = {0};
        if (wf_check_fabric(&p->fabric, &error)) printf("%s: %s\n", p->name, error.message);
        CHECK(error.result == WEFT_OK);
        CHECK(p->name[strspn(p->name, "abcdefghijklmnopqrstuvwxyz_")] == 0);
        CHECK(strlen(p->description) > 10 && strlen(p->description) < 256);
        CHECK(strlen(p->source) > 40 && strlen(p->source) < 1024);
        CHECK(p->fabric.stretch_damping > 0 && p->fabric.bend_damping > 0);
        CHECK(p->fabric.air_drag == usual.air_drag && p->fabric.rope_bend == usual.rope_bend);
        CHECK(p->fabric.air_friction == usual.air_friction && p->fabric.poisson == usual.poisson);
        CHECK(p->fabric.rope_density == usual.rope_density);
        CHECK(p->fabric.rope_stretch == usual.rope_stretch);
        CHECK_NEAR(p->fabric.bend_spring / p->fabric.bend, usual.bend_spring / usual.bend, 1e-6);
        for (int i = 0; i < count; i++) CHECK(strcmp(weft_fabric_preset(i)->name, p->name) != 0);
    }
    CHECK(count >= 12);
    CHECK(weft_fabric_preset(-1) == NULL && weft_fabric_preset(count) == NULL);
}

// Men's winter suitings have B = 0.136 gf cm^2/cm and G = 0.968 gf/(cm degree), Kawabata 1980.
static void presets_have_their_units(void) {
    WeftFabricFile suiting;
    CHECK(!weft_find_fabric("wool_suiting", NULL, NULL, &suiting, NULL));
    double gf = 9.80665e-3, degree = 3.14159265358979 / 180;
    CHECK_NEAR(suiting.fabric.bend, 0.136 * gf * 1e-4 / 1e-2, 1e-10);
    CHECK_NEAR(suiting.fabric.shear, 0.968 * gf / 1e-2 / degree, 1e-2);
    CHECK(strcmp(suiting.name, "wool_suiting") == 0 && strstr(suiting.source, "Kawabata"));
}

// ---------------------------------------------------------------------------------------------
// Directions

static void stiffness_over_direction(void) {
    WeftFabric f = weft_default_fabric();
    f.stretch_warp = 3000, f.stretch_weft = 1000, f.shear = 70, f.poisson = 0.2;
    CHECK_NEAR(weft_fabric_stiffness(&f, 0, 0.01), 3000, 1e-9);
    CHECK_NEAR(weft_fabric_stiffness(&f, 90, 0.01), 1000, 1e-9);
    CHECK_NEAR(weft_fabric_stiffness(&f, 180, 0), 3000, 1e-9);
    // 1/E(45) = (1/E1 + 1/E2 - 2 nu/root(E1 E2) + 1/G)/4
    double compliance = (1.0 / 3000 + 1.0 / 1000 - 0.4 / sqrt(3e6) + 1.0 / 70) / 4;
    CHECK_NEAR(weft_fabric_stiffness(&f, 45, 0), 1 / compliance, 1e-9);
    CHECK_NEAR(weft_fabric_stiffness(&f, 135, 0), 1 / compliance, 1e-9);
    CHECK(weft_fabric_bending(&f, 30, 5) == f.bend);
}

static WeftFabric measured_fabric(void) {
    WeftFabric f = weft_default_fabric();
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 4; k++) f.measured.stretch[i][k] = 100 + 10 * i + (k == 1 ? -95 : k);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 5; k++) f.measured.bend[i][k] = 1e-6 * (5 + i + 0.1 * k) / 3;
    f.measured.stretch[3][3] = -7.1;
    f.measured.reference_strain = 1.0 / 7;
    return f;
}

// A pull of the reference strain along the warp meets the table's second row, along the weft its
// last.
static void stiffness_of_tables(void) {
    WeftFabric f = measured_fabric();
    static const int rows[2][2] = {{0, 1}, {90, 5}};
    for (int i = 0; i < 2; i++) {
        const double* c = f.measured.stretch[rows[i][1]];
        double along = i ? c[2] : c[0], across = i ? c[0] : c[2];
        CHECK_NEAR(weft_fabric_stiffness(&f, rows[i][0], 1.0 / 7), along - c[1] * c[1] / across,
                   1e-6);
    }
    const double* c = f.measured.stretch[0];
    CHECK_NEAR(weft_fabric_stiffness(&f, 0, 0), c[0] - c[1] * c[1] / c[2], 1e-9);
    CHECK_NEAR(weft_fabric_bending(&f, 45, 20), f.measured.bend[1][2], 1e-12);
    CHECK_NEAR(weft_fabric_bending(&f, 90, 1000), f.measured.bend[2][4], 1e-12);
}

// ---------------------------------------------------------------------------------------------
// Files

static bool same_fabric(const WeftFabric* a, const WeftFabric* b) {
    return memcmp(a, b, sizeof *a) == 0;
}

static void written_files_read_back(void) {
    static WeftFabricFile first, second;
    static char text[16384], again[16384];
    first = (WeftFabricFile){.fit_error = 1e-3 / 3, .fabric = measured_fabric()};
    strcpy(first.name, "mine");
    strcpy(first.description, "a \"quoted\" \\ line\n\tand \xc3\xa4");
    strcpy(first.source, "nowhere");
    double* numbers = &first.fabric.density;
    for (int i = 0; i < 19; i++) numbers[i] = (i + 1) / 200.0;  // all of them, density to friction
    first.fabric.compression_load = 0;                          // or the strain
    WeftError error = {0};
    const char* path = test_path("mine.json");
    CHECK(!weft_save_fabric(path, &first, &error));
    CHECK(!weft_load_fabric(path, &second, &error));
    CHECK_TEXT(error.message, "");
    CHECK(same_fabric(&first.fabric, &second.fabric));
    CHECK(strcmp(first.name, second.name) == 0 && first.fit_error == second.fit_error);
    CHECK(strcmp(first.description, second.description) == 0);
    CHECK(strcmp(first.source, second.source) == 0);
    // a text that is cut off has the same beginning, and the same length is told
    size_t length = weft_print_fabric(&first, text, sizeof text);
    CHECK(length == strlen(text) && length > 500);
    CHECK(weft_print_fabric(&first, again, 100) == length && strlen(again) == 99);
    CHECK(strncmp(text, again, 99) == 0);
    CHECK(weft_print_fabric(&first, NULL, 0) == length);
    remove(path);
    CHECK(weft_load_fabric(path, &second, &error) == WEFT_ERROR_FILE);
    CHECK(weft_save_fabric(test_path("no/such.json"), &first, &error) == WEFT_ERROR_FILE);
    CHECK(count_files() == 0);
}

static WeftFabricFile file;
static WeftResult read_text(const char* text) {
    last = (WeftError){0};
    return weft_parse_fabric(text, strlen(text), "a/f.json", &file, &last);
}

static void refuse(const char* text, const char* message) {
    file.name[0] = '?';
    CHECK(read_text(text) == WEFT_ERROR_INPUT);
    CHECK_TEXT(last.message, message);
    CHECK(strlen(last.message) == strlen(message));
    CHECK(file.name[0] == '?');  // left alone
}

#define START "{\"weft_fabric\":1,\"density\":0.2,\n"
#define ROW "[9,1,9,9]"
#define ROWS ROW "," ROW "," ROW "," ROW "," ROW

static void small_files(void) {
    CHECK(read_text(START "\"stretch\":[30,40]}") == WEFT_OK);
    CHECK_TEXT(last.message, "");
    CHECK(file.fabric.stretch_warp == 30 && file.fabric.stretch_weft == 40);
    CHECK(file.fabric.density == 0.2 && file.fabric.shear == weft_default_fabric().shear);
    CHECK(strcmp(file.name, "f") == 0);  // by its file
    CHECK(!wf_has_measured_stretch(&file.fabric.measured));
    // tables alone: constants are fitted, but those that are there stay
    CHECK(read_text(START "\"shear\":5,\"measured\":{\"stretch\":[" ROWS "," ROW "]}}") == WEFT_OK);
    WeftFabric fitted = file.fabric;
    weft_fit_constants(&fitted);
    CHECK(file.fabric.shear == 5 && file.fabric.stretch_warp == fitted.stretch_warp);
    CHECK(file.fabric.measured.reference_strain == 1.0 / 6);
    CHECK(file.fabric.stretch_warp < 20 && file.fabric.stretch_warp != 2000);
    CHECK(file.fabric.bend == weft_default_fabric().bend);
}

static void wrong_files(void) {
    refuse("[1]", "a/f.json:1:1: a fabric must be an object");
    refuse("{\"density\":1}", "a/f.json:1:1: \"weft_fabric\" is missing here");
    refuse("{\"weft_fabric\":2}",
           "a/f.json:1:16: \"weft_fabric\" must be 1, the version of the format");
    refuse("{\"weft_fabric\":1,\"stretch\":5}", "a/f.json:1:1: \"density\" is missing here");
    refuse(START "\"bend\":1e-5}",
           "a/f.json:1:1: \"stretch\" is missing here, and so is a table of it in \"measured\"");
    refuse(START "\"stretch\":-5}",
           "a/f.json:2:11: \"stretch\" must be above 0, at most 1000000000 N/m, not -5");
    refuse(START "\"stretch\":[5,0]}",
           "a/f.json:2:14: \"stretch\"[1] must be above 0, at most 1000000000 N/m, not 0");
    refuse(START "\"stretch\":5,\"bend\":-1}",
           "a/f.json:2:20: \"bend\" must be 0 to 1000 N m, not -1");
    refuse(START "\"stretch\":5,\"base\":\"denim\"}",
           "a/f.json:2:13: unknown key \"base\"; did you mean \"name\"?");
    refuse(START "\"stretch\":1e999}", "a/f.json:2:15: real number overflow near '1e999'");
    refuse(START "\"stretch\":NaN}", "a/f.json:2:13: invalid token near 'NaN'");
    refuse(START "\"stretch\":\"5\"}",
           "a/f.json:2:11: \"stretch\" must be a number, or a list [warp, weft]");
    refuse(START "\"stretch\":5,\"density\":1}",
           "a/f.json:2:21: duplicate object key near '\"density\"'");
}

// A strain, a load, none, or what it is without a word: written as they are read.
static void compression_has_four_forms(void) {
    const struct {
        double strain, load;
        const char* text;
    } forms[] = {{0.002, 0, "\"compression\": 0.002"},
                 {0, 0.5, "\"compression\": {\"load\": 0.5}"},
                 {WEFT_UNYIELDING, 0, "\"compression\": \"none\""},
                 {0, 0, "\"compression\": \"auto\""}};
    for (int i = 0; i < 4; i++) {
        static WeftFabricFile first;
        static char text[16384];
        first = (WeftFabricFile){.name = "one", .fabric = weft_default_fabric()};
        first.fabric.compression = forms[i].strain, first.fabric.compression_load = forms[i].load;
        weft_print_fabric(&first, text, sizeof text);
        CHECK_TEXT(text, forms[i].text);
        CHECK(read_text(text) == WEFT_OK);
        CHECK(same_fabric(&first.fabric, &file.fabric));
    }
    static const char* const wrong[] = {
        "0", "-1", "2", "\"soft\"", "{}", "{\"load\":0}", "{\"load\":1,\"strain\":1}", "[0.1]"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[160];
        snprintf(text, sizeof text, START "\"stretch\":5,\"compression\":%s}", wrong[i]);
        CHECK(read_text(text) == WEFT_ERROR_INPUT);
        CHECK_TEXT(last.message, "compression is a strain above 0 and up to 1, {\"load\": N/m}");
    }
}

static void wrong_tables(void) {
    refuse(START "\"measured\":{\"stretch\":[" ROWS "]}}",
           "a/f.json:2:23: a table of measured stretch has 6 lists of 4 numbers: c11, c12, c22, "
           "c33");
    refuse(START "\"measured\":{\"stretch\":[" ROWS ",\n [9,1,9]]}}",
           "a/f.json:3:2: a table of measured stretch has 6 lists of 4 numbers: c11, c12, c22, "
           "c33");
    refuse(START "\"measured\":{\"stretch\":[" ROWS ",\n [9,1,-9,9]]}}",
           "a/f.json:3:7: \"stretch\"[5][2] must be above 0, at most 1000000000 N/m, not -9");
    refuse(START "\"measured\":{\"stretch\":[[9,1,9,-9]," ROWS "]}}",
           "a/f.json:2:31: \"stretch\"[0][3] must be above 0, at most 1000000000 N/m, not -9");
    refuse(START "\"measured\":{\"stretch\":[" ROWS ",\n [9,1,9,null]]}}",
           "a/f.json:3:9: \"stretch\"[5][3] must be a number, not null");
    refuse(START "\"stretch\":5,\"measured\":{\"bend\":[[1,1,1,1,1],[1,1,1,1,1],\n[1,1,-1,1,1]]}}",
           "a/f.json:3:6: \"bend\"[2][2] must be 0 to 1000 N m, not -1");
    refuse(START "\"stretch\":5,\"measured\":{\"bend\":[]}}",
           "a/f.json:2:32: a table of measured bending has 3 lists of 5 numbers, by curvature");
    refuse(START "\"stretch\":5,\"measured\":{\"reference_strain\":0}}",
           "a/f.json:2:44: \"reference_strain\" must be above 0, at most 2, not 0");
    // where strips see nothing, fits may be below zero
    CHECK(!read_text(START "\"measured\":{\"stretch\":[[9,-1,9,9]," ROW "," ROW "," ROW "," ROW
                           ",[9,1,9,-9]]}}"));
    CHECK(file.fabric.measured.stretch[5][3] == -9 && file.fabric.measured.stretch[0][1] == -1);
}

static void long_texts(void) {
    static char text[2048];
    int length = snprintf(text, sizeof text, "{\"weft_fabric\":1,\"name\":\"");
    memset(text + length, 'x', 64);
    strcpy(text + length + 64, "\",\"density\":1,\"stretch\":1}");
    refuse(text, "a/f.json:1:25: \"name\" must have less than 64 bytes");
    refuse("\xEF\xBB\xBF{\"weft_fabric\":1,\"name\":\"a\\u007f\"}",
           "a/f.json:1:25: \"name\" has control characters in it");
    memmove(text + length, text + length + 1, strlen(text + length));
    CHECK(!read_text(text) && strlen(file.name) == 63);
}

static void truncated_and_corrupted(void) {
    static const char bytes[14] = "\"{}[],:09-e\\x\n";
    static WeftFabricFile whole;
    static char text[16384];
    whole.fabric = measured_fabric();
    size_t length = weft_print_fabric(&whole, text, sizeof text);
    while (text[length - 1] != '}') length--;
    for (size_t n = 0; n < length; n++) {
        char* copy = malloc(n + 1);
        memcpy(copy, text, n);
        CHECK(weft_parse_fabric(copy, n, "f.json", &file, &last) == WEFT_ERROR_INPUT);
        CHECK(strncmp(last.message, "f.json:", 7) == 0 && last.message[7] >= '1');
        free(copy);
        char old = text[n];
        for (size_t k = 0; k < sizeof bytes; k++) {
            text[n] = bytes[k];
            if (weft_parse_fabric(text, length, "f.json", &file, &last))
                CHECK(strncmp(last.message, "f.json:", 7) == 0);
        }
        text[n] = old;
    }
}

// ---------------------------------------------------------------------------------------------
// Names

static void names_are_found(void) {
    static const char small[] = START "\"stretch\":77}";
    WeftError error = {0};
    const char* path = test_path("homespun.json");
    save_file(path, small, strlen(small));
    CHECK(!weft_find_fabric("homespun", test_folder, NULL, &file, &error));
    CHECK(file.fabric.stretch_warp == 77);
    CHECK(!weft_find_fabric("homespun.json", test_folder, NULL, &file, &error));
    CHECK(!weft_find_fabric(path, "elsewhere", NULL, &file, &error));
    CHECK(weft_find_fabric("homespun", NULL, NULL, &file, &error) == WEFT_ERROR_FILE);
    char list[256], folder[64], names[2][64];
    snprintf(list, sizeof list, ":/nowhere::%s:", test_folder);
    CHECK(!weft_find_fabric("homespun", NULL, list, &file, &error));
    CHECK(weft_fabric_folder(list, 0, folder, sizeof folder) && strcmp(folder, "/nowhere") == 0);
    CHECK(weft_fabric_folder(list, 1, folder, sizeof folder) && strcmp(folder, test_folder) == 0);
    CHECK(!weft_fabric_folder(list, 2, folder, sizeof folder));
    CHECK(weft_list_fabrics(test_folder, names, 2) == 1 && strcmp(names[0], "homespun") == 0);
    CHECK(weft_list_fabrics("/nowhere", names, 2) == 0);
    // names that are nearly right, of files and of presets
    CHECK(weft_find_fabric("homespum", NULL, list, &file, &error) == WEFT_ERROR_FILE);
    CHECK_TEXT(error.message, "there is no fabric \"homespum\"; did you mean \"homespun\"?");
    CHECK(weft_find_fabric("demin", NULL, list, &file, &error) == WEFT_ERROR_FILE);
    CHECK_TEXT(error.message, "did you mean \"denim\"? `weft fabrics` lists");
    // presets come first
    const char* other = test_path("denim.json");
    save_file(other, small, strlen(small));
    CHECK(!weft_find_fabric("denim", NULL, list, &file, &error) && file.fabric.stretch_warp != 77);
    remove(other);
    remove(path);
}

// A scene called like its fabric is not taken for it.
static void scenes_called_like_fabrics(void) {
    static const char text[] = SCENE(",\"fabric\":\"homespun\"");
    static const char fabric[] = START "\"stretch\":77}";
    const char *path = test_path("homespun.json"), *other = test_path("more");
    char deeper[320];
    snprintf(deeper, sizeof deeper, "%s/homespun.json", other);
    CHECK(mkdir(other, 0700) == 0);
    save_file(path, text, strlen(text));
    save_file(deeper, fabric, strlen(fabric));
    WeftScene* scene = NULL;
    CHECK(!weft_load_scene(path, other, NULL, &scene, &last));
    if (CHECK(scene != NULL)) CHECK(scene->model.cloths[0].fabric.stretch_warp == 77);
    weft_destroy_scene(scene);
    remove(deeper);
    rmdir(other);
    remove(path);
}

static void scenes_name_fabrics(void) {
    WeftFabricFile denim;
    CHECK(!weft_find_fabric("denim", NULL, NULL, &denim, NULL));
    WeftScene* scene = parse(SCENE(",\"fabric\":\"denim\""));
    if (CHECK(scene != NULL)) CHECK(same_fabric(&scene->model.cloths[0].fabric, &denim.fabric));
    weft_destroy_scene(scene);
    // what stands beside the base wins, whatever the order
    scene = parse(SCENE(",\"fabric\":{\"bend\":1,\"base\":\"denim\",\"stretch\":[7,8]}"));
    if (CHECK(scene != NULL)) {
        const WeftFabric* f = &scene->model.cloths[0].fabric;
        CHECK(f->bend == 1 && f->stretch_warp == 7 && f->stretch_weft == 8);
        CHECK(f->density == denim.fabric.density && f->shear == denim.fabric.shear);
    }
    weft_destroy_scene(scene);
    CHECK(!parse(SCENE(",\"fabric\":\"demin\"")));
    CHECK_TEXT(last.message, "t.json:2:11: there is no fabric \"demin\"; did you mean \"denim\"?");
    CHECK(!parse(SCENE(",\"fabric\":{\"base\":\n  \"no_such/y.json\"}")));
    CHECK_TEXT(last.message, "t.json:3:3: no_such/y.json: No such file");
    CHECK(!parse(SCENE(",\"fabric\":{\"base\":5}")));
    CHECK_TEXT(last.message, "t.json:2:19: \"base\" must be a text, not a whole number");
    // what is wrong inside the other file has its place there
    const char* path = test_path("bad.json");
    char text[512];
    save_file(path, "{\n\"weft_fabric\":0}", 18);
    snprintf(text, sizeof text, SCENE(",\"fabric\":\"%s\""), path);
    CHECK(!parse(text));
    CHECK_TEXT(last.message, "bad.json:2:15: \"weft_fabric\" must be 1");
    CHECK(strncmp(last.message, path, strlen(path)) == 0);
    remove(path);
}

// ---------------------------------------------------------------------------------------------
// Factors

// Half of the weight of a square metre in the left half, twice as heavy.
static void regions_scale_mass(void) {
    WeftScene* scene = parse(
        SCENE(",\"scales\":{\"density\":[{\"box\":[0,0,0.5,1],\"factor\":3,\"blend\":0.5}]}"));
    if (!CHECK(scene != NULL)) return;
    // 3 at u = 0 and 0.5, 1 at u = 1
    const double* scale = scene->model.cloths[0].density_scale;
    for (int i = 0; i < 9; i++) CHECK_NEAR(scale[i], i % 3 == 2 ? 1 : 3, 1e-12);
    CHECK(!scene->model.cloths[0].stretch_scale && !scene->model.cloths[0].bend_scale);
    WeftModel* model = NULL;
    WeftError error = {0};
    CHECK(!weft_create_model(&scene->model, &model, &error));
    double total = 0;
    for (int i = 0; i < 9 && model; i++) total += weft_masses(model)[i];
    // columns of triangles: 3 on the left; on the right the mean of their corners
    double density = weft_default_fabric().density;
    CHECK_NEAR(total, density * (0.5 * 3 + 0.5 * 2), 1e-12);
    weft_destroy_model(model);
    weft_destroy_scene(scene);
}

// Energy of a bent and stretched cloth.
static WeftMeasure measure(const char* models, const char* scales) {
    char text[512];
    WeftMeasure result = {0};
    WeftModel* model = NULL;
    WeftState* state = NULL;
    WeftError error = {0};
    snprintf(text, sizeof text, SCENE(",%s%s"), models, scales);
    WeftScene* scene = parse(text);
    if (!scene) printf("%s\n", last.message);
    if (!CHECK(scene != NULL)) return result;
    scene->model.matrices = WEFT_MATRICES_NONE;
    scene->model.step.method = WEFT_METHOD_SYMPLECTIC;
    if (weft_create_model(&scene->model, &model, &error)) printf("%s\n", error.message);
    if (CHECK(model != NULL) && !weft_create_state(model, &state, &error)) {
        int count = weft_vertex_count(model);
        double* x = calloc((size_t)count, 3 * sizeof *x);
        memcpy(x, weft_positions(state), (size_t)count * 3 * sizeof *x);
        for (int i = 0; i < count; i++) {
            x[3 * i + 1] += 0.1 * x[3 * i] * x[3 * i] + 0.07 * x[3 * i + 2] * x[3 * i + 2];
            x[3 * i] *= 1.05;
        }
        weft_set_positions(state, x);
        weft_measure(state, scene->model.step.gravity, &result);
        free(x);
    }
    weft_destroy_state(state);
    weft_destroy_model(model);
    weft_destroy_scene(scene);
    return result;
}

// Every model of stretch and of bending obeys a factor for all, and one for a part of the cloth
// comes in between.
static void factors_scale_energy(void) {
    static const char* const models[] = {
        "\"stretch\":\"springs\"",
        "\"stretch\":\"triangles\"",
        "\"stretch\":\"triangles\",\"shear\":\"product\"",
        "\"stretch\":\"one_sided\",\"bend_by\":\"springs\"",
        "\"stretch\":\"biquadratic\",\"bend_by\":\"angles\"",
        "\"stretch\":\"quadratic\"",
    };
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        WeftMeasure plain = measure(models[m], "");
        WeftMeasure both = measure(models[m], ",\"scales\":{\"stretch\":4,\"bend\":9}");
        WeftMeasure part = measure(models[m],
                                   ",\"scales\":{\"stretch\":[{\"box\":[0,0,0.5,1],\"factor\":4}],"
                                   "\"bend\":[{\"box\":[0,0,0.5,1],\"factor\":9}]}");
        CHECK(plain.stretch > 0 && plain.bend > 0);
        CHECK_NEAR(both.stretch / plain.stretch, 4, 1e-9);
        CHECK_NEAR(both.bend / plain.bend, 9, 1e-9);
        CHECK(part.stretch > 1.2 * plain.stretch && part.stretch < 0.95 * both.stretch);
        CHECK(part.bend > 1.2 * plain.bend && part.bend < 0.95 * both.bend);
    }
}

static void factors_scale_threads(void) {
    static const char mesh[] =
        "{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"columns\":4,\"rows\":4,"
        "\"pattern\":\"woven\"},\"stretch\":\"threads\",\"shear\":\"area\",\"bend_by\":\"threads\","
        "\"scales\":{\"stretch\":%d,\"bend\":%d}},{\"mesh\":{\"kind\":\"rope\",\"segments\":4},"
        "\"bend_by\":\"%s\",\"scales\":{\"stretch\":%d,\"bend\":%d,\"density\":2}}],"
        "\"matrices\":\"none\",\"step\":{\"method\":\"symplectic\"}}";
    for (int way = 0; way < 2; way++) {
        WeftMeasure measures[2];
        for (int i = 0; i < 2; i++) {
            char text[1024];
            WeftModel* model = NULL;
            WeftState* state = NULL;
            int stretch = i ? 3 : 1, bend = i ? 5 : 1;
            snprintf(text, sizeof text, mesh, stretch, bend, way ? "threads" : "hinges", stretch,
                     bend);
            WeftScene* scene = parse(text);
            if (!CHECK(scene != NULL)) return;
            CHECK(!weft_create_model(&scene->model, &model, NULL));
            CHECK(!weft_create_state(model, &state, NULL));
            int rope = weft_first_vertex(model, 1);
            // a metre of rope, twice as heavy, the ends half a segment each
            CHECK_NEAR(weft_masses(model)[rope], 2 * 0.025 / 8, 1e-12);
            double x[3 * 30];
            memcpy(x, weft_positions(state), sizeof x);
            for (int v = 0; v < 30; v++) {
                x[3 * v] *= 1.1;
                x[3 * v + 1] += 0.2 * x[3 * v] * x[3 * v] + 0.1 * x[3 * v + 2] * x[3 * v + 2];
                x[3 * v + 2] += 0.1 * x[3 * v];
            }
            weft_set_positions(state, x);
            weft_measure(state, scene->model.step.gravity, &measures[i]);
            weft_destroy_state(state);
            weft_destroy_model(model);
            weft_destroy_scene(scene);
        }
        CHECK(measures[0].stretch > 0 && measures[0].bend > 0);
        CHECK_NEAR(measures[1].stretch / measures[0].stretch, 3, 1e-9);
        CHECK_NEAR(measures[1].bend / measures[0].bend, 5, 1e-9);
    }
}

static void factors_from_files(void) {
    const char* path = test_path("map.txt");
    char text[512];
    snprintf(text, sizeof text, SCENE(",\"scales\":{\"bend\":\"%s\"}"), path);
    static const char lines[] = "1\n2\n3\n4\r\n5 \n6e-1\n7\n8\n9";
    save_file(path, lines, strlen(lines));
    WeftScene* scene = parse(text);
    if (CHECK(scene != NULL)) {
        CHECK(scene->model.cloths[0].bend_scale[5] == 0.6);
        CHECK(scene->model.cloths[0].bend_scale[8] == 9);
    }
    weft_destroy_scene(scene);
    static const struct {
        const char *lines, *message;
    } bad[] = {
        {"1\n2\n", "map.txt:3:1: there are fewer lines than vertices"},
        {"1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n", "map.txt:10:1: there are more lines than vertices"},
        {"1\nx\n", "map.txt:2:1: one number is due"},
        {"1\n\n1\n", "map.txt:2:1: one number is due"},
        {"1 2\n", "map.txt:1:1: one number is due"},
        {"1\n-1\n", "map.txt:2:1: a factor must be 1e-6 to 1e6"},
        {"1e999\n", "map.txt:1:1: a factor must be 1e-6 to 1e6"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        save_file(path, bad[i].lines, strlen(bad[i].lines));
        CHECK(!parse(text));
        CHECK_TEXT(last.message, bad[i].message);
    }
    remove(path);
    CHECK(!parse(SCENE(",\"scales\":{\"bend\":\"none.txt\"}")));
    CHECK_TEXT(last.message, "t.json:2:19: none.txt: No such file");
}

static void wrong_factors(void) {
    CHECK(!parse(SCENE(",\"scales\":{\"bend\":0}")));
    CHECK_TEXT(last.message, "t.json:2:19: \"bend\" must be 1e-06 to 1000000, not 0");
    CHECK(!parse(SCENE(",\"scales\":{\"bend\":true}")));
    CHECK_TEXT(last.message,
               "t.json:2:19: \"bend\" must be a number, a list of regions or the name of a file");
    CHECK(!parse(SCENE(",\"scales\":{\"bend\":[{\"factor\":2}]}")));
    CHECK_TEXT(last.message, "t.json:2:20: \"box\" is missing here");
    CHECK(
        !parse("{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"rope\"},\n"
               "\"scales\":{\"bend\":[{\"box\":[0,0,1,1],\"factor\":2}]}}]}"));
    CHECK_TEXT(last.message, "t.json:2:18: this mesh has no flat shape");
    // the arrays of a def
    WeftMesh mesh;
    WeftGridDef grid = weft_default_grid_def();
    grid.columns = grid.rows = 2;
    CHECK(!weft_make_grid(&grid, NULL, &mesh, NULL));
    static const double values[] = {0, -1, HUGE_VAL, NAN, 1e7};
    for (int i = 0; i < 5; i++) {
        double scale[9] = {1, 1, 1, 1, values[i], 1, 1, 1, 1};
        WeftClothDef cloth = weft_default_cloth_def();
        WeftModelDef def = weft_default_model_def();
        WeftModel* model = NULL;
        WeftError error = {0};
        weft_use_mesh(&cloth, &mesh);
        cloth.density_scale = scale;
        def.cloths = &cloth, def.cloth_count = 1;
        CHECK(weft_create_model(&def, &model, &error) == WEFT_ERROR_INPUT);
        CHECK_TEXT(error.message, "cloth 0: density_scale[4] is");
        weft_destroy_model(model);
    }
    weft_destroy_mesh(&mesh);
}

// ---------------------------------------------------------------------------------------------
// The measured fabrics, where their folder is there

static void measured_fabrics(void) {
    char names[32][64];
    int count = weft_list_fabrics(MEASURED_FOLDER, names, 32);
    if (count == 0) return;
    CHECK(count == 10);
    CHECK(file_exists(MEASURED_FOLDER "/LICENSE.txt") && file_exists(MEASURED_FOLDER "/NOTICE"));
    for (int i = 0; i < count && i < 32; i++) {
        WeftError error = {0};
        if (weft_find_fabric(names[i], NULL, MEASURED_FOLDER, &file, &error))
            printf("%s\n", error.message);
        CHECK(error.result == WEFT_OK && strcmp(file.name, names[i]) == 0);
        CHECK(file.fit_error > 0.0008 && file.fit_error < 0.0033 && strstr(file.source, "Wang"));
        CHECK(wf_has_measured_stretch(&file.fabric.measured));
        CHECK(wf_has_measured_bend(&file.fabric.measured));
        CHECK(file.fabric.measured.reference_strain == 1.0 / 6);
        CHECK(!wf_check_fabric(&file.fabric, &error));
    }
    // twice the stretching and a quarter of the bending figures as they were distributed, whose
    // rows of bending go by the fold
    CHECK(!weft_find_fabric("gray_interlock", NULL, MEASURED_FOLDER, &file, NULL));
    CHECK(file.fabric.density == 0.187 && file.fit_error == 0.00258);
    CHECK_NEAR(file.fabric.measured.stretch[0][0], 2 * 16.593832, 1e-12);
    CHECK_NEAR(file.fabric.measured.stretch[4][3], 2 * -174.43853, 1e-12);
    CHECK_NEAR(file.fabric.measured.bend[2][1], 32.932217e-6 / 4, 1e-18);
    CHECK_NEAR(file.fabric.measured.bend[0][4], 19.383726e-6 / 4, 1e-18);
}

TEST_MAIN(CASE(presets_are_fabrics), CASE(presets_have_their_units), CASE(stiffness_over_direction),
          CASE(stiffness_of_tables), CASE(written_files_read_back), CASE(small_files),
          CASE(wrong_files), CASE(compression_has_four_forms), CASE(wrong_tables), CASE(long_texts),
          CASE(truncated_and_corrupted), CASE(names_are_found), CASE(scenes_called_like_fabrics),
          CASE(scenes_name_fabrics), CASE(regions_scale_mass), CASE(factors_scale_energy),
          CASE(factors_scale_threads), CASE(factors_from_files), CASE(wrong_factors),
          CASE(measured_fabrics))

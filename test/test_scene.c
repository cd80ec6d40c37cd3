// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the scene reader: what good files become, that every mistake is named at its place, that
// docs/scene.md says what the tables do, and that nothing crashes or leaks on bad files.

#include "document.h"
#include "io/scene_parts.h"
#include "scene_test.h"
#include "weft/weft_study.h"

// ---------------------------------------------------------------------------------------------
// Help

// The text must be refused, with exactly this message.
static void refuse(const char* text, const char* message) {
    WeftScene* scene = parse(text);
    CHECK(scene == NULL);
    CHECK_TEXT(last.message, message);
    CHECK(strlen(last.message) == strlen(message));
    weft_destroy_scene(scene);
}

static const char* const scene_files[] = {
    "demo",           "swing",
    "curtain",        "fabrics",
    "flag",           "moving_pins",
    "triangles",      "net",
    "disc",           "outline",
    "crossed",        "thesis_ivt",
    "thesis_ier",     "budget",
    "scalable",       "rope",
    "woven",          "washing",
    "sphere_springs", "sphere_ier",
    "sphere_ivt",     "sphere_triangles",
    "sphere_iar",     "sphere_triangle_ivt",
    "plane",          "rotating_sphere",
    "funnel",         "ribbon",
    "heap",           "capsule",
    "needles",        "breathing",
    "tangled",        "cape",
    "storm",          "sabre",
    "tent",
};
enum { SCENE_COUNT = sizeof scene_files / sizeof scene_files[0] };

static const char* scene_path(int index) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s.json", WEFT_SCENES, scene_files[index]);
    return path;
}

// ---------------------------------------------------------------------------------------------
// Good scenes

static void defaults(void) {
    WeftScene* scene = parse(SCENE(""));
    if (!scene) return;
    WeftStepDef step = weft_default_step_def();
    CHECK(strcmp(scene->name, "t") == 0);
    CHECK(scene->duration == 4);
    CHECK(scene->model.step.dt == step.dt && scene->model.step.quality == step.quality);
    CHECK(scene->model.step.gravity[1] == step.gravity[1]);
    CHECK(scene->model.cloth_count == 1 && scene->meshes[0].vertex_count == 9);
    CHECK(scene->model.cloths[0].fabric.density == weft_default_fabric().density);
    CHECK(scene->pin_count == 0 && scene->motion_count == 0 && scene->wind.key_count == 0);
    CHECK(weft_scene_frames(scene) == 240);
    weft_destroy_scene(scene);
}

static void every_value(void) {
    WeftScene* scene = parse(
        "{\"weft\":1,\"name\":\"all\",\"duration\":2,\"gravity\":[1,2,3],\"wind\":[4,5,6],"
        "\"air_density\":0.5,\"cloths\":[" CLOTH
        ",\"place\":{\"scale\":2,\"turn\":{\"axis\":[2,0,0],\"degrees\":90},\"move\":[0,1,0]},"
        "\"fabric\":{\"density\":0.3,\"stretch\":[10,20],\"shear\":30,\"bend\":0.5,"
        "\"mass_damping\":1,\"stretch_damping\":2,\"bend_damping\":3,\"air_drag\":4,"
        "\"air_friction\":5},\"stretch\":\"triangles\",\"shear\":\"product\","
        "\"bend\":\"explicit\",\"estimator\":{\"kind\":\"vertex\",\"weights\":[3,-3,1],"
        "\"unnormalised\":true},\"uniform_mass\":true}],"
        "\"step\":{\"dt\":\"1/50\",\"method\":\"implicit\",\"quality\":7,\"order\":1,"
        "\"substeps\":3,\"scheme\":\"jaj\",\"iterations\":[4,12],\"stretch_tolerance\":0,"
        "\"rest_speed\":0.5,\"guard\":false,\"start\":\"previous\",\"newton_steps\":9,\"newton_"
        "tolerance\":1e-6,"
        "\"tolerance\":1e-3,\"max_iterations\":77}}");
    if (!scene) {
        CHECK_TEXT(last.message, "no error");
        return;
    }
    const WeftClothDef* cloth = &scene->model.cloths[0];
    const WeftStepDef* step = &scene->model.step;
    CHECK(strcmp(scene->name, "all") == 0 && scene->duration == 2);
    CHECK(step->gravity[0] == 1 && step->gravity[2] == 3 && step->wind[1] == 5);
    CHECK(step->air_density == 0.5 && step->dt == 1.0 / 50);
    CHECK(step->method == WEFT_METHOD_IMPLICIT && step->scheme == WEFT_SCHEME_JAJ);
    CHECK(step->quality == 7 && step->order == 1 && step->substeps == 3);
    CHECK(step->iterations[0] == 4 && step->iterations[1] == 12 && step->iterations[2] == 0);
    CHECK(step->stretch_tolerance == 0 && !step->guard && step->start == WEFT_START_PREVIOUS);
    CHECK(step->newton_steps == 9 && step->newton_tolerance == 1e-6 && step->rest_speed == 0.5);
    CHECK(step->tolerance == 1e-3 && step->max_iterations == 77);
    CHECK(cloth->fabric.density == 0.3 && cloth->fabric.stretch_warp == 10);
    CHECK(cloth->fabric.stretch_weft == 20 && cloth->fabric.shear == 30);
    CHECK(cloth->fabric.bend == 0.5 && cloth->fabric.mass_damping == 1);
    CHECK(cloth->fabric.stretch_damping == 2 && cloth->fabric.bend_damping == 3);
    CHECK(cloth->fabric.air_drag == 4 && cloth->fabric.air_friction == 5);
    CHECK(cloth->stretch == WEFT_STRETCH_TRIANGLES && cloth->shear == WEFT_SHEAR_PRODUCT);
    CHECK(cloth->bend == WEFT_BEND_EXPLICIT && cloth->estimator == WEFT_ESTIMATOR_VERTEX);
    CHECK(cloth->estimator_weights[1] == -3 && cloth->estimator_weights[2] == 1);
    CHECK(cloth->unnormalised_targets && cloth->uniform_mass);
    // the last corner, (1, 0, -1): doubled, turned up, moved
    CHECK_NEAR(cloth->positions[3 * 8], 2, 1e-12);
    CHECK_NEAR(cloth->positions[3 * 8 + 1], 3, 1e-12);
    CHECK_NEAR(cloth->positions[3 * 8 + 2], 0, 1e-12);
    weft_destroy_scene(scene);
}

static void winds_and_pressure(void) {
    WeftScene* scene = parse(
        "{\"weft\":1,\"winds\":[{\"kind\":\"gusts\",\"velocity\":[1,2,3],\"strength\":0.5,"
        "\"length\":7,\"seed\":9},{\"kind\":\"vortex\",\"position\":[4,5,6],\"axis\":[1,0,0]}],"
        "\"cloths\":[" CLOTH ",\"inflation\":\"gas\",\"pressure\":30,\"outside_pressure\":40}]}");
    if (!scene) {
        CHECK_TEXT(last.message, "no error");
        return;
    }
    const WeftWind* winds = scene->model.step.winds;
    const WeftClothDef* cloth = &scene->model.cloths[0];
    CHECK(scene->model.step.wind_count == 2);
    CHECK(winds[0].kind == WEFT_WIND_GUSTS && winds[0].velocity[2] == 3 && winds[0].seed == 9);
    CHECK(winds[0].strength == 0.5 && winds[0].length == 7 && winds[0].axis[1] == 1);
    CHECK(winds[1].kind == WEFT_WIND_VORTEX && winds[1].position[1] == 5 && winds[1].axis[0] == 1);
    CHECK(cloth->inflation == WEFT_INFLATION_GAS && cloth->pressure == 30);
    CHECK(cloth->outside_pressure == 40);
    weft_destroy_scene(scene);
    refuse("{\"weft\":1,\"winds\":[\n{\"kind\":\"vortex\",\"axis\":[0,0,0]}],\"cloths\":[" CLOTH
           "}]}",
           "t.json:2:1: the axis of a wind has no direction");
    // they were refused without a place, once the cloth was made
    refuse("{\"weft\":1,\n\"wind\":[1e4,0,0],\"cloths\":[" CLOTH "}]}",
           "t.json:2:8: the wind blows at 10000 m/s; at most 340");
    refuse("{\"weft\":1,\n\"wind\":{\"keys\":[[0,0,0,0],[1,0,0,400]]},\"cloths\":[" CLOTH "}]}",
           "t.json:2:8: the wind blows at 400 m/s; at most 340");
    refuse(
        "{\"weft\":1,\"winds\":[\n{\"kind\":\"gusts\",\"velocity\":[0,500,0]}],\"cloths\":[" CLOTH
        "}]}",
        "t.json:2:1: the wind blows at 500 m/s; at most 340");
}

static void presets_come_first(void) {
    // whatever the order in the file, what stands beside a preset wins over it
    WeftScene* scene =
        parse("{\"weft\":1,\"matrices\":\"blocks\",\"cloths\":[" CLOTH
              "}],\"step\":{\"iterations\":[4],\"sweep\":\"jacobi\",\"jacobian\":\"axial\","
              "\"stretch_tolerance\":0.5,\"preset\":\"scalable\",\"budget_ms\":2.5}}");
    if (!scene) {
        CHECK_TEXT(last.message, "no error");
        return;
    }
    const WeftStepDef* step = &scene->model.step;
    CHECK(scene->model.matrices == WEFT_MATRICES_BLOCKS);
    CHECK(step->method == WEFT_METHOD_RELAXATION && step->order == 1 && step->substeps == 1);
    CHECK(step->start == WEFT_START_PREVIOUS);
    CHECK(step->sweep == WEFT_SWEEP_JACOBI && step->jacobian == WEFT_JACOBIAN_AXIAL);
    CHECK(step->iterations[0] == 4 && step->iterations[1] == 0);
    CHECK(step->stretch_tolerance == 0.5 && step->budget_ms == 2.5);
    weft_destroy_scene(scene);
    // alone it is the library's, and names its own number of iterations
    WeftStepDef wanted = weft_default_step_def();
    weft_use_preset(&wanted, WEFT_PRESET_KANG_1);
    scene = parse("{\"weft\":1,\"cloths\":[" CLOTH "}],\"step\":{\"preset\":\"kang_1\"}}");
    if (!scene) return;
    CHECK(scene->model.step.method == wanted.method && wanted.iterations[0] == 2);
    CHECK(scene->model.step.iterations[0] == 2 && scene->model.step.sweep == wanted.sweep);
    CHECK(scene->model.step.jacobian == WEFT_JACOBIAN_SCALAR);
    CHECK(scene->model.matrices == WEFT_MATRICES_ALL && scene->model.step.budget_ms == 0);
    weft_destroy_scene(scene);
}

static void threads_and_ropes(void) {
    WeftScene* scene = parse(
        "{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"columns\":3,\"rows\":2,"
        "\"pattern\":\"woven\"},\"stretch\":\"threads\",\"shear\":\"area\","
        "\"explicit_shear\":true,\"bend\":\"explicit\",\"bend_by\":\"threads\","
        "\"fabric\":{\"bend_spring\":7}},"
        "{\"mesh\":{\"kind\":\"rope\",\"length\":2,\"segments\":4},"
        "\"pins\":[{\"near\":[2,0,0]}],"
        "\"fabric\":{\"rope_density\":0.5,\"rope_stretch\":40,\"rope_bend\":0}},"
        "{\"mesh\":{\"kind\":\"grid\",\"columns\":2,\"rows\":2,\"pattern\":"
        "\"crossed_twice\"},\"stretch\":\"one_sided\",\"bend_by\":\"springs\"}]}");
    if (!scene) {
        CHECK_TEXT(last.message, "no error");
        return;
    }
    const WeftClothDef* cloth = scene->model.cloths;
    CHECK(cloth[0].thread_count == 7 && cloth[0].thread_vertex_count == 24);
    CHECK(cloth[0].threads == scene->meshes[0].threads && cloth[0].thread_vertices != NULL);
    CHECK(cloth[0].stretch == WEFT_STRETCH_THREADS && cloth[0].shear == WEFT_SHEAR_AREA);
    CHECK(cloth[0].explicit_shear && cloth[0].bend == WEFT_BEND_EXPLICIT);
    CHECK(cloth[0].bend_by == WEFT_BEND_BY_THREADS && cloth[0].fabric.bend_spring == 7);
    CHECK(cloth[1].thread_count == 1 && cloth[1].threads[0].kind == WEFT_THREAD_ROPE);
    CHECK(cloth[1].vertex_count == 5 && cloth[1].triangle_count == 0 && !cloth[1].material);
    CHECK(cloth[1].pin_count == 1 && cloth[1].pins[0] == 4 && !cloth[1].explicit_shear);
    CHECK(cloth[1].fabric.rope_density == 0.5 && cloth[1].fabric.rope_stretch == 40);
    CHECK(cloth[1].fabric.rope_bend == 0 && cloth[1].bend_by == WEFT_BEND_BY_HINGES);
    CHECK(cloth[2].stretch == WEFT_STRETCH_ONE_SIDED && cloth[2].bend_by == WEFT_BEND_BY_SPRINGS);
    CHECK(cloth[2].spring_count == 20 + 8);
    weft_destroy_scene(scene);
    refuse(
        "{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"rope\"},\n\"pins\":[{\"side\":\"left\"}]}]}",
        "t.json:2:17: this mesh has no flat shape; use \"near\", \"box\" or \"vertices\" here");
    refuse("{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"rope\",\n\"segments\":0}}]}",
           "t.json:2:12: \"segments\" must be 1 to 100000, not 0");
}

static void pins_are_found(void) {
    // vertices of the grid:  6 7 8
    //                        3 4 5
    //                        0 1 2
    WeftScene* scene =
        parse("{\"weft\":1,\"motions\":{\"a\":{},\"b\":{}},\"cloths\":[" CLOTH "}," CLOTH
              ",\"pins\":[{\"side\":\"top\"},{\"corner\":\"bottom right\",\"from\":1,\"until\":2},"
              "{\"near\":[0.4,0.1,-0.6]},{\"vertices\":[3,8],\"motion\":\"b\"},"
              "{\"box\":[[-1,-1,0],[0.1,1,0]]}]}]}");
    if (!scene) {
        CHECK_TEXT(last.message, "no error");
        return;
    }
    static const int vertices[] = {0, 2, 3, 4, 6, 7, 8, 8};
    CHECK(scene->pin_count == 8);
    for (int i = 0; i < 8 && i < scene->pin_count; i++)
        CHECK(scene->pins[i].vertex == 9 + vertices[i]);
    CHECK(scene->pins[1].from == 1 && scene->pins[1].until == 2);
    CHECK(scene->pins[2].motion == 1 && scene->pins[2].from == 0 && isinf(scene->pins[2].until));
    CHECK(scene->pins[6].motion == -1 && scene->pins[7].motion == 1);  // the later one is last
    CHECK(scene->model.cloths[0].pin_count == 0);
    CHECK(scene->model.cloths[1].pin_count == 6);  // all but the one that holds later
    weft_destroy_scene(scene);
}

static void scene_files_load(void) {
    for (int i = 0; i < SCENE_COUNT; i++) {
        WeftScene* scene = NULL;
        WeftError error = {0};
        if (weft_load_scene(scene_path(i), NULL, NULL, &scene, &error))
            printf("%s\n", error.message);
        CHECK(scene != NULL);
        weft_destroy_scene(scene);
    }
}

// ---------------------------------------------------------------------------------------------
// Mistakes, each at its place

static void syntax_errors(void) {
    refuse("", "t.json:1:1: '[' or '{' expected near end of file");
    refuse("{\"weft\":1,\n \"cloths\" []}", "t.json:2:11: ':' expected near '['");
    refuse("{\"weft\":1,\n \"weft\":1}", "t.json:2:7: duplicate object key near '\"weft\"'");
    refuse("[1]", "t.json:1:1: the scene must be an object, not a list");
}

static void unknown_keys(void) {
    refuse("{\"weft\":1,\n  \"colths\":[]}",
           "t.json:2:3: unknown key \"colths\"; did you mean \"cloths\"?");
    refuse(SCENE(",\n\"fabric\":{\"bend\":1, \"densty\":1}"),
           "t.json:3:21: unknown key \"densty\"; did you mean \"density\"?");
    refuse(
        SCENE(",\"place\":{\n\"scale\":5}"),
        "t.json:3:9: \"scale\" is of the cloth at the start only, its flat rest shape stays: with "
        "5 it would start too long. Edges may start at 0.1 to 4 times their length at rest");
    refuse(SCENE(",\"place\":{\n\t\"quux\":1}"),
           "t.json:3:2: unknown key \"quux\"; known here: \"scale\", \"turn\" or \"move\"");
    refuse("{\"weft\":1,\"cloths\":[{\"mesh\":\n{\"kind\":\"disc\",\"width\":1}}]}",
           "t.json:2:16: unknown key \"width\"; known here: \"kind\", \"radius\" or \"edge\"");
}

static void wrong_types(void) {
    refuse("{\"weft\":1,\"cloths\":\n3}",
           "t.json:2:1: \"cloths\" must be a list, not a whole number");
    refuse("{\"weft\":1,\"cloths\":[]}", "t.json:1:20: \"cloths\" must hold one cloth at least");
    refuse("{\"weft\":1,\"cloths\":[\n7]}",
           "t.json:2:1: \"cloths\"[0] must be an object, not a whole number");
    refuse(SCENE(",\"fabric\":{\"density\":\"heavy\"}"),
           "t.json:2:22: \"density\" must be a number, not a text");
    refuse(SCENE(",\"fabric\":{\"stretch\":[1,2,3]}"),
           "t.json:2:22: \"stretch\" must be a number, or a list [warp, weft]");
    refuse(SCENE(",\"uniform_mass\":1"),
           "t.json:2:17: \"uniform_mass\" must be true or false, not a whole number");
    refuse("{\"weft\":1,\"gravity\":[0,-9.81],\"cloths\":[]}",
           "t.json:1:21: \"gravity\" must be a list of 3 numbers");
    refuse("{\"weft\":1,\"gravity\":[0,\ntrue,0],\"cloths\":[]}",
           "t.json:2:1: \"gravity\"[1] must be a number, not true or false");
    refuse("{\"weft\":1,\"step\":{\"quality\":4.5},\"cloths\":[]}",
           "t.json:1:29: \"quality\" must be a whole number, not a number");
}

static void out_of_range(void) {
    refuse("{\"weft\":2}", "t.json:1:9: \"weft\" must be 1, the version of the format");
    refuse("{\"cloths\":[]}", "t.json:1:1: \"weft\" is missing here");
    refuse("{\"weft\":1}", "t.json:1:1: \"cloths\" is missing here");
    refuse(SCENE(",\"fabric\":{\n\"density\":-1}"),
           "t.json:3:11: \"density\" must be above 0, at most 100 kg/m^2, not -1");
    refuse("{\"weft\":1,\"step\":{\"quality\":9},\"cloths\":[]}",
           "t.json:1:29: \"quality\" must be 1 to 8, not 9");
    refuse("{\"weft\":1,\"step\":{\"dt\":0},\"cloths\":[]}",
           "t.json:1:24: \"dt\" must be 1e-09 to 1 s, not 0");
    refuse("{\"weft\":1,\"step\":{\"dt\":\"1/0\"},\"cloths\":[]}",
           "t.json:1:24: \"dt\" must be a fraction of a second such as \"1/60\", not \"1/0\"");
    refuse("{\"weft\":1,\"step\":{\"iterations\":[4,0]},\"cloths\":[]}",
           "t.json:1:35: \"iterations\"[1] must be 1 to 10000, not 0");
    refuse("{\"weft\":1,\"step\":{\"budget_ms\":-1},\"cloths\":[]}",
           "t.json:1:31: \"budget_ms\" must be 0 to 1000000 ms, not -1");
    refuse("{\"weft\":1,\"duration\":1e999}", "t.json:1:26: real number overflow near '1e999'");
}

static void wrong_words(void) {
    refuse(SCENE(",\"bend\":\"soft\""),
           "t.json:2:9: \"bend\" must be \"implicit\", \"explicit\" or \"none\", not \"soft\"");
    refuse("{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"box\"}}]}",
           "t.json:1:37: \"kind\" must be \"grid\", \"regular\", \"rectangle\", \"disc\", "
           "\"outline\", \"rope\", \"obj\", \"pattern\" or \"ball\", not \"box\"");
    refuse("{\"weft\":1,\"cloths\":[{\"mesh\":{}}]}", "t.json:1:29: \"kind\" is missing here");
    refuse(SCENE(",\"estimator\":{\"kind\":\"previous\",\"weights\":[1,2]}"),
           "t.json:2:33: only the estimators \"rotation\" and \"vertex\" have weights");
    refuse(SCENE(",\"estimator\":{\"order\":2}"), "t.json:2:14: \"kind\" is missing here");
}

static void wrong_step_words(void) {
    refuse("{\"weft\":1,\"step\":{\"preset\":\"kang\"}}",
           "t.json:1:28: \"preset\" must be \"scalable\", \"kang_1\", \"kang_2\", \"desbrun\" or "
           "\"choi_ko\", not \"kang\"");
    refuse("{\"weft\":1,\"step\":{\"preset\":1}}",
           "t.json:1:28: \"preset\" must be \"scalable\", \"kang_1\", \"kang_2\", \"desbrun\" or "
           "\"choi_ko\", not a whole number");
    refuse("{\"weft\":1,\"step\":{\"sweep\":\"seidel\"}}",
           "t.json:1:27: \"sweep\" must be \"gauss_seidel\" or \"jacobi\", not \"seidel\"");
    refuse("{\"weft\":1,\"step\":{\"jacobian\":true}}",
           "t.json:1:30: \"jacobian\" must be \"clamped\", \"exact\", \"one_sided\", "
           "\"smoothed\", \"axial\" or \"scalar\", not true or false");
    refuse("{\"weft\":1,\"matrices\":\"some\"}",
           "t.json:1:22: \"matrices\" must be \"all\", \"blocks\" or \"none\", not \"some\"");
}

static void wrong_pins(void) {
    refuse(SCENE(",\"pins\":[{\"from\":1}]"),
           "t.json:2:10: a pin needs exactly one of \"vertices\", \"corner\", \"side\", \"near\" "
           "and \"box\"");
    refuse(SCENE(",\"pins\":[{\"side\":\"top\",\"near\":[0,0,0]}]"),
           "t.json:2:10: a pin needs exactly one of \"vertices\", \"corner\", \"side\", \"near\" "
           "and \"box\"");
    refuse(SCENE(",\"pins\":[{\"side\":\"top\",\"from\":2,\"until\":1}]"),
           "t.json:2:10: \"until\" (1 s) must come after \"from\" (2 s)");
    refuse(SCENE(",\"pins\":[{\"vertices\":[0,9]}]"),
           "t.json:2:25: \"vertices\"[1] must be 0 to 8, not 9");
    refuse(SCENE(",\"pins\":[{\"box\":[[5,5,5],[6,6,6]]}]"),
           "t.json:2:17: no vertex starts in this box");
    refuse(SCENE(",\"pins\":[{\"side\":\"top\",\"motion\":\"up\"}]"),
           "t.json:2:33: no motion is called \"up\"; name one under \"motions\"");
    refuse("{\"weft\":1,\"motions\":{\"lift\":{}},\"cloths\":[" CLOTH
           "\n,\"pins\":[{\"side\":\"top\",\"motion\":\"lfit\"}]}]}",
           "t.json:2:33: no motion is called \"lfit\"; did you mean \"lift\"?");
    refuse("{\"weft\":1,\"wind\":{\"keys\":[[1,0,0,0],\n[1,0,0,0]]}}",
           "t.json:2:1: time 1 does not come after 1, the time before it");
}

static void wrong_outlines(void) {
    static const char* const start = "{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"outline\",";
    char text[512];
    snprintf(text, sizeof text, "%s\"sides\":[[1,0]]}}]}", start);
    refuse(text, "t.json:1:55: a closed line needs two sides at least");
    snprintf(text, sizeof text, "%s\"sides\":[[1,0],[1]]}}]}", start);
    refuse(text, "t.json:1:62: \"sides\"[1] must be a list of 2 numbers");
    snprintf(text, sizeof text,
             "%s\"sides\":[[1,0],{\"to\":[0,0],\"bulge\":1,\"control\":[[1,1]]}]}}]}", start);
    refuse(text, "t.json:1:62: give \"control\" or \"bulge\", not both");
}

// Keys may be spelled with escapes, and text before them may have characters of many bytes.
static void places_in_odd_text(void) {
    refuse("{\"weft\":1,\"name\":\"\xc3\xa4\xe2\x82\xac \\\" , {\", \"\\u0064uration\":-1}",
           "t.json:1:47: \"duration\" must be 0 to 86400 s, not -1");
}

// The mark of UTF-8 is no part of the text, nor of its first line.
static void marked_texts(void) {
    weft_destroy_scene(parse("\xEF\xBB\xBF" SCENE("")));
    refuse("\xEF\xBB\xBF{\"weft\":1,\"duration\":-1}",
           "t.json:1:22: \"duration\" must be 0 to 86400 s, not -1");
    refuse("\xEF\xBB\xBF{\"weft\" 1}", "t.json:1:9: ':' expected near '1'");
    refuse("\xEF\xBB\xBF", "t.json:1:1: '[' or '{' expected near end of file");
    refuse("{\"weft\":1,\"name\":\"a\\u0007\"}",
           "t.json:1:18: \"name\" has control characters in it");
}

// What a program wrote and nobody sees has no lines to name.
static void texts_without_a_name(void) {
    static const char bad[] = "{\"weft\":1,\n\"duration\":-1}";
    WeftScene* scene = NULL;
    WeftError error = {0};
    CHECK(weft_parse_scene(bad, strlen(bad), NULL, NULL, NULL, NULL, &scene, &error) ==
          WEFT_ERROR_INPUT);
    CHECK(error.result == WEFT_ERROR_INPUT);
    CHECK(strcmp(error.message, "\"duration\" must be 0 to 86400 s, not -1") == 0);
    static const char good[] = "{\"weft\":1,\"duration\":0,\"cloths\":[" CLOTH "}]}";
    if (CHECK(!weft_parse_scene(good, strlen(good), NULL, NULL, NULL, NULL, &scene, &error)))
        CHECK(strcmp(scene->name, "scene") == 0 && weft_scene_frames(scene) == 0);
    weft_destroy_scene(scene);
}

static void files(void) {
    WeftScene* scene = NULL;
    WeftError error = {0};
    CHECK(weft_load_scene("nowhere.json", NULL, NULL, &scene, &error) == WEFT_ERROR_FILE);
    CHECK_TEXT(error.message, "nowhere.json: No such file");
    CHECK(weft_load_scene(".", NULL, NULL, &scene, &error) == WEFT_ERROR_FILE);
    refuse("{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"obj\",\"file\":\"no.obj\"}}]}",
           "t.json:1:29: no.obj: cannot open: No such file or directory");
    CHECK(scene == NULL);
}

// ---------------------------------------------------------------------------------------------
// The tables and the documentation

static void documentation_has_every_key(void) {
    CHECK(check_document("scene.md", wf_scene_table) == 44);
}

// ---------------------------------------------------------------------------------------------
// Broken files

// Parse exactly `length` bytes, in memory of that size, so that a sanitizer sees reads beyond it.
static WeftResult parse_bytes(const char* bytes, size_t length, WeftError* error) {
    char* copy = malloc(length ? length : 1);
    memcpy(copy, bytes, length);
    WeftScene* scene = NULL;
    WeftResult result =
        weft_parse_scene(copy, length, "t.json", WEFT_SCENES, NULL, NULL, &scene, error);
    weft_destroy_scene(scene);
    free(copy);
    return result;
}

static void truncated_files(void) {
    for (int i = 0; i < SCENE_COUNT; i++) {
        size_t length;
        char* text = read_text(scene_path(i), &length);
        while (length > 0 && text[length - 1] != '}') length--;
        for (size_t n = 0; n < length; n += test_slow() ? 1 : 7) {
            WeftError error = {0};
            CHECK(parse_bytes(text, n, &error) == WEFT_ERROR_INPUT);
            CHECK(strncmp(error.message, "t.json:", 7) == 0 && error.message[7] >= '1');
        }
        free(text);
    }
}

// Every `stride`-th byte replaced by three of those that may hurt most. Fine meshes are slow to
// make, so sizes do not grow.
static void flip_bytes(size_t stride) {
    static const char bytes[15] = "\"{}[],:09-e\\x\n\xff";
    for (int i = 0; i < SCENE_COUNT; i++) {
        size_t length;
        char* text = read_text(scene_path(i), &length);
        for (size_t n = (size_t)i % stride; n < length; n += stride) {
            char old = text[n];
            bool digit = old >= '0' && old <= '9';
            for (size_t k = n % 5; k < sizeof bytes; k += 5) {
                if (digit && bytes[k] == '9') continue;
                WeftError error = {0};
                text[n] = bytes[k];
                WeftResult result = parse_bytes(text, length, &error);
                if (result) CHECK(strncmp(error.message, "t.json:", 7) == 0);
            }
            text[n] = old;
        }
        free(text);
    }
}

static void corrupted_files(void) { flip_bytes(test_slow() ? 11 : 41); }
static void corrupted_files_every_byte(void) { flip_bytes(1); }

// ---------------------------------------------------------------------------------------------
// Out of memory

typedef struct Budget {
    int left, held;
} Budget;

static void* spend(void* user, size_t bytes) {
    Budget* budget = user;
    if (budget->left-- <= 0) return NULL;
    budget->held++;
    return malloc(bytes);
}

static void give_back(void* user, void* memory) {
    ((Budget*)user)->held--;
    free(memory);
}

static const char* const greedy =
    "{\"weft\":1,\"name\":\"n\",\"wind\":{\"keys\":[[0,1,2,3]]},"
    "\"motions\":{\"a\":{\"offset\":{\"keys\":[[0,1,2,3]]},\"angle\":{\"keys\":[[0,1]]}}},"
    "\"bodies\":[{\"kind\":\"sphere\",\"name\":\"s\"},{\"kind\":\"lathe\",\"segments\":3,"
    "\"profile\":{\"keys\":[[0,[0,0],[1,0],[0,1]],[1,[0,0],[2,0],[0,1]]]}}],"
    "\"cloths\":[" CLOTH
    ",\"fabric\":\"denim\",\"scales\":{\"bend\":2,\"density\":[{\"box\":[0,0,1,1],\"factor\":2}]},"
    "\"pins\":[{\"side\":\"top\",\"motion\":\"a\"}]},"
    "{\"mesh\":{\"kind\":\"outline\",\"edge\":0.4,\"sides\":[[0,0],[1,0],[1,1],[0,1]],"
    "\"holes\":[[[0.4,0.4],[0.6,0.4],[0.5,0.6]]]},\"pins\":[{\"side\":\"top\"}]}]}";

static void nth_allocation_fails(void) {
    WeftResult result = WEFT_ERROR_MEMORY;
    int n = 0;
    for (; n < 10000 && result; n++) {
        Budget budget = {.left = n};
        WeftAllocator allocator = {spend, give_back, &budget};
        WeftScene* scene = NULL;
        WeftError error = {0};
        result =
            weft_parse_scene(greedy, strlen(greedy), "t", NULL, NULL, &allocator, &scene, &error);
        if (result) CHECK(result == WEFT_ERROR_MEMORY && scene == NULL);
        if (result) CHECK_TEXT(error.message, "out of memory");
        weft_destroy_scene(scene);
        CHECK(budget.held == 0);
    }
    CHECK(n > 15 && result == WEFT_OK);
}

static void words_are_guessed(void) {
    static const char* const words[] = {"density", "bend", "air_drag"};
    CHECK(weft_nearest_word("densty", words, 3) == words[0]);
    CHECK(weft_nearest_word("bned", words, 3) == words[1]);
    CHECK(weft_nearest_word("airdrag", words, 3) == words[2]);
    CHECK(weft_nearest_word("velocity", words, 3) == NULL);
    CHECK(weft_nearest_word("", words, 3) == NULL);
}

TEST_MAIN(CASE(defaults), CASE(every_value), CASE(winds_and_pressure), CASE(presets_come_first),
          CASE(threads_and_ropes), CASE(pins_are_found),

          CASE(scene_files_load), CASE(syntax_errors), CASE(unknown_keys), CASE(wrong_types),
          CASE(out_of_range), CASE(wrong_words), CASE(wrong_step_words), CASE(wrong_pins),
          CASE(wrong_outlines), CASE(places_in_odd_text), CASE(marked_texts),
          CASE(texts_without_a_name), CASE(files), CASE(documentation_has_every_key),
          CASE(truncated_files), CASE(corrupted_files), LONG_CASE(corrupted_files_every_byte),
          CASE(nth_allocation_fails), CASE(words_are_guessed))

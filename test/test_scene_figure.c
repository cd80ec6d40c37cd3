// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards bodies of scenes that are figures: files with bones, sequences and mannequins become
// meshes with keys of shape, over the time of the scene and no longer than they move.

#include "figure_test.h"
#include "io/scene_parts.h"

static WeftError last;

#define BODY(seconds, rest)                      \
    "{\"weft\":1,\"duration\":" seconds          \
    ",\"cloths\":[{\"mesh\":{\"kind\":\"grid\"," \
    "\"columns\":2,\"rows\":2}}],\"bodies\":[\n{" rest "}]}"

static WeftScene* parse(const char* text) {
    WeftScene* scene = NULL;
    last = (WeftError){0};
    test_path("");
    WeftResult result =
        weft_parse_scene(text, strlen(text), "t.json", test_folder, NULL, NULL, &scene, &last);
    CHECK((result == WEFT_OK) == (scene != NULL));
    CHECK_TEXT(last.message, scene ? "" : "t.json");
    if (!scene) printf("%s\n", last.message);
    return scene;
}

static void refuse(const char* text, const char* message) {
    WeftScene* scene = NULL;
    WeftResult result =
        weft_parse_scene(text, strlen(text), "t.json", test_folder, NULL, NULL, &scene, &last);
    CHECK(result == WEFT_ERROR_INPUT || result == WEFT_ERROR_FILE);
    CHECK_TEXT(last.message, message);
    weft_destroy_scene(scene);
}

// The keys of a body are the poses of the figure in the file.
static void check_keys(const WeftSceneBody* body, const char* file, double start, int keys) {
    WeftFigure figure;
    CHECK(weft_load_figure(test_path(file), NULL, NULL, &figure, NULL, &last) == WEFT_OK);
    size_t numbers = 3 * (size_t)figure.vertex_count;
    double* posed = malloc(numbers * sizeof *posed);
    CHECK(body->mesh.vertex_count == figure.vertex_count && body->shape.key_count == keys);
    for (int i = 0; i < body->shape.key_count; i += 7) {
        CHECK_NEAR(body->shape.times[i], i / 60.0, 1e-12);
        weft_pose_figure(&figure, 0, start + i / 60.0, posed, &last);
        double worst = 0;
        for (size_t k = 0; k < numbers; k++)
            worst = fmax(worst, fabs(posed[k] - body->shape.positions[(size_t)i * numbers + k]));
        CHECK_BELOW(worst, 1e-12);
    }
    free(posed);
    weft_destroy_figure(&figure);
}

static void animations(void) {
    save_tube_glb(test_path("tube.glb"));
    WeftScene* scene = parse(BODY("1.5", "\"kind\":\"mesh\",\"file\":\"tube.glb\""));
    if (scene) check_keys(&scene->bodies[0], "tube.glb", 0, 91);
    weft_destroy_scene(scene);
    // the clip ends before the scene does
    scene = parse(BODY("30",
                       "\"kind\":\"mesh\",\"file\":\"tube.glb\",\"clip\":\"bend\","
                       "\"clip_start\":0.5"));
    if (scene) check_keys(&scene->bodies[0], "tube.glb", 0.5, 91);
    weft_destroy_scene(scene);
    // and before it begins
    scene = parse(BODY("30",
                       "\"kind\":\"mesh\",\"file\":\"tube.glb\",\"clip_start\":5,"
                       "\"place\":{\"scale\":2}"));
    if (scene) CHECK(scene->bodies[0].shape.key_count == 0);
    if (scene) CHECK_NEAR(scene->model.bodies[0].positions[1], 0, 1e-6);
    weft_destroy_scene(scene);
    scene = parse(BODY("1", "\"kind\":\"mesh\",\"file\":\"tube.glb\",\"clip_file\":\"tube.glb\""));
    if (scene) check_keys(&scene->bodies[0], "tube.glb", 0, 61);
    weft_destroy_scene(scene);
    refuse(BODY("1", "\"kind\":\"mesh\",\"file\":\"tube.glb\",\"clip\":\"run\""),
           "t.json:2:41: the body has no clip \"run\", but \"bend\"");
    refuse(BODY("1", "\"kind\":\"mesh\",\"file\":\"tube.glb\",\"clip_file\":\"no.fbx\""),
           "no.fbx: cannot open");
    refuse(
        BODY("1", "\"kind\":\"mesh\",\"file\":\"tube.glb\",\"clip_file\":\"a\",\"frames\":\"b\""),
        "\"frames\" and \"clip_file\" exclude each other");
    remove(test_path("tube.glb"));
}

static void still_bodies(void) {
    save_box_ply(test_path("box.ply"), 1.7);
    save_box_obj(test_path("box.obj"), 170, false, 0);
    WeftScene* scene = parse(BODY("1", "\"kind\":\"mesh\",\"file\":\"box.ply\""));
    if (scene) CHECK(scene->bodies[0].shape.key_count == 0);
    if (scene) CHECK(scene->model.bodies[0].vertex_count == 8);
    weft_destroy_scene(scene);
    // an OBJ is taken as it is
    scene = parse(BODY("1", "\"kind\":\"mesh\",\"file\":\"box.obj\""));
    if (scene) CHECK_NEAR(scene->model.bodies[0].positions[13], 170, 1e-9);
    weft_destroy_scene(scene);
    refuse(BODY("1", "\"kind\":\"mesh\",\"file\":\"box.obj\",\"clip\":\"run\""),
           "the body has no clips");
    refuse(BODY("1", "\"kind\":\"mesh\",\"file\":\"no.glb\""), "t.json:2:23: ");
    remove(test_path("box.ply"));
    remove(test_path("box.obj"));
}

// What was guessed of a file is in the findings of the scene, and what was not is not.
static void guesses_are_told(void) {
    save_box_ply(test_path("box.ply"), 170);
    WeftScene* scene = parse(BODY("1", "\"kind\":\"mesh\",\"file\":\"box.ply\""));
    if (scene && CHECK(scene->findings.count == 1))
        CHECK_TEXT(scene->findings.lines[0], "box.ply is 170 units large: scaled by 0.01 to 1.7 m");
    weft_destroy_scene(scene);
    save_box_ply(test_path("box.ply"), 1.7);
    scene = parse(BODY("1", "\"kind\":\"mesh\",\"file\":\"box.ply\""));
    if (scene) CHECK(scene->findings.count == 0);
    weft_destroy_scene(scene);
    remove(test_path("box.ply"));
}

static void sequences(void) {
    char name[64];
    for (int i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "lift%d.obj", i);
        save_box_obj(test_path(name), 1.7, false, 0.1 * i);
    }
    WeftScene* scene = parse(BODY("1", "\"kind\":\"mesh\",\"file\":\"lift%d.obj\",\"rate\":10"));
    if (scene) {
        const WeftShapeTrack* shape = &scene->bodies[0].shape;
        CHECK(shape->key_count == 25);
        if (shape->key_count == 25) CHECK_NEAR(shape->positions[24 * 15 + 1], 0.25, 1e-9);
    }
    weft_destroy_scene(scene);
    for (int i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "lift%d.obj", i);
        remove(test_path(name));
    }
}

static void mannequins(void) {
    WeftScene* scene = parse(BODY("0.5", "\"kind\":\"mannequin\",\"edge\":0.04"));
    if (scene) CHECK(scene->bodies[0].shape.key_count == 0);
    if (scene) CHECK(scene->model.bodies[0].kind == WEFT_BODY_MESH);
    if (scene) CHECK(scene->model.bodies[0].vertex_count > 500);
    weft_destroy_scene(scene);
    scene = parse(BODY("0.5",
                       "\"kind\":\"mannequin\",\"edge\":0.04,\"type\":\"male\","
                       "\"height\":1.9,\"clip\":\"walk\",\"clip_start\":0.2"));
    if (scene) CHECK(scene->bodies[0].shape.key_count == 31);
    weft_destroy_scene(scene);
    refuse(BODY("1", "\"kind\":\"mannequin\",\"edge\":0.04,\"clip\":\"fly\""),
           "t.json:2:40: the body has no clip \"fly\", but \"");
    refuse(BODY("1", "\"kind\":\"mannequin\",\"type\":\"cat\""),
           "t.json:2:28: \"type\" must be \"female\", \"male\" or \"child\", not \"cat\"");
    refuse(BODY("1", "\"kind\":\"mannequin\",\"height\":0.1"), "t.json:2:1: mannequin: height");
}

// A clip that loops is kept for one round, and goes on for ever: each vertex is where the clip has
// it at any time, but for being straight between keys.
static void rounds(void) {
    WeftScene* scene =
        parse(BODY("8",
                   "\"kind\":\"mannequin\",\"edge\":0.06,\"gap\":0,\"clip\":\"walk\","
                   "\"clip_start\":0.3,\"place\":{\"scale\":2}"));
    if (!scene) return;
    const WeftSceneBody* body = &scene->bodies[0];
    const WeftClip* clip = &body->figure.clips[body->clip];
    size_t numbers = 3 * (size_t)body->mesh.vertex_count;
    double *is = malloc(numbers * sizeof *is), *due = malloc(numbers * sizeof *due);
    CHECK_NEAR(body->shape.period, clip->frame_count / clip->rate, 1e-12);
    CHECK(body->shape.key_count < 90);
    CHECK_NEAR(body->shape.travel[2], 2 * clip->travel[2], 1e-12);
    for (double time = 0; time < 20; time += 0.37) {
        double worst = 0;
        wf_sample_shape(&body->shape, body->mesh.vertex_count, time, is);
        CHECK(weft_pose_figure(&body->figure, body->clip, 0.3 + time, due, &last) == WEFT_OK);
        for (size_t k = 0; k < numbers; k++) worst = fmax(worst, fabs(is[k] - 2 * due[k]));
        CHECK_BELOW(worst, 5e-3);
    }
    free(is);
    free(due);
    weft_destroy_scene(scene);
}

static void out_of_memory(void) {
    static const char text[] = BODY("0.1",
                                    "\"kind\":\"mesh\",\"file\":\"tube.gltf\","
                                    "\"clip\":\"bend\",\"clip_file\":\"tube.gltf\"");
    save_tube(test_path("tube.gltf"), "");
    int step = test_slow() ? 1 : 5;
    for (int left = 0; left < 400; left += step) {
        TestMemory memory = {.left = left};
        WeftAllocator allocator = test_allocator(&memory);
        WeftScene* scene = NULL;
        WeftResult result = weft_parse_scene(text, sizeof text - 1, "t.json", test_folder, NULL,
                                             &allocator, &scene, &last);
        weft_destroy_scene(scene);
        CHECK(memory.held == 0);
        if (!result) break;
        CHECK(result == WEFT_ERROR_MEMORY);
    }
    remove(test_path("tube.gltf"));
    CHECK(count_files() == 0);
}

TEST_MAIN(CASE(animations), CASE(still_bodies), CASE(guesses_are_told), CASE(sequences),
          CASE(mannequins), CASE(rounds), CASE(out_of_memory))

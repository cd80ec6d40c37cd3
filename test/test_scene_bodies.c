// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards bodies in scenes: what their keys become, lathes and frames from files, how motions, hands
// and keys of shape move them, and that every mistake is named at its place.

#include "io/scene_parts.h"
#include "scene_test.h"

static void refuse(const char* text, const char* message) {
    WeftScene* scene = parse(text);
    CHECK(scene == NULL);
    CHECK_TEXT(last.message, message);
    weft_destroy_scene(scene);
}

// Bodies over a small cloth; what differs begins a line of its own.
#define BODIES(rest) "{\"weft\":1,\"cloths\":[" CLOTH "}],\"bodies\":[\n" rest "]}"

// ---------------------------------------------------------------------------------------------
// Keys

static void kinds(void) {
    WeftScene* scene =
        parse(BODIES("{\"kind\":\"plane\"},"
                     "{\"kind\":\"sphere\",\"radius\":2,\"friction\":0.5,\"name\":\"ball\"},"
                     "{\"kind\":\"capsule\",\"radius\":0.1,\"length\":1},"
                     "{\"kind\":\"box\",\"size\":[1,2,3],\"place\":{\"scale\":2,\"move\":[4,5,6],"
                     "\"turn\":{\"axis\":[0,0,2],\"degrees\":90}}}"));
    if (!scene) {
        CHECK_TEXT(last.message, "no error");
        return;
    }
    const WeftBodyDef *bodies = scene->model.bodies, *box = &bodies[3];
    CHECK(scene->model.body_count == 4 && scene->model.contact == WEFT_CONTACT_BODIES);
    CHECK(bodies[0].kind == WEFT_BODY_PLANE && bodies[0].friction == 0.3);
    CHECK(bodies[0].rotation[3] == 1 && bodies[0].position[1] == 0);
    CHECK(bodies[1].kind == WEFT_BODY_SPHERE && bodies[1].radius == 2);
    CHECK(bodies[1].friction == 0.5 && strcmp(scene->bodies[1].name, "ball") == 0);
    CHECK(scene->bodies[0].name == NULL && scene->bodies[0].motion == -1);
    CHECK(bodies[2].kind == WEFT_BODY_CAPSULE && bodies[2].radius == 0.1 && bodies[2].length == 1);
    CHECK(box->kind == WEFT_BODY_BOX && box->size[0] == 2 && box->size[2] == 6);
    CHECK(box->position[0] == 4 && box->position[1] == 5 && box->position[2] == 6);
    CHECK_NEAR(box->rotation[2], sqrt(0.5), 1e-15);
    CHECK_NEAR(box->rotation[3], sqrt(0.5), 1e-15);
    weft_destroy_scene(scene);
}

static void keys_of_contact(void) {
    WeftScene* scene =
        parse("{\"weft\":1,\"contact\":\"all\",\"cloths\":[" CLOTH
              ",\"fabric\":{\"thickness\":0.002,\"friction\":0.4},\"stretch_limit\":1.05,"
              "\"tethers\":true}]}");
    if (!scene) {
        CHECK_TEXT(last.message, "no error");
        return;
    }
    const WeftClothDef* cloth = scene->model.cloths;
    CHECK(scene->model.contact == WEFT_CONTACT_ALL && scene->model.body_count == 0);
    CHECK(cloth->fabric.thickness == 0.002 && cloth->fabric.friction == 0.4);
    CHECK(cloth->stretch_limit == 1.05 && cloth->tethers);
    weft_destroy_scene(scene);
}

// ---------------------------------------------------------------------------------------------
// Shapes by numbers, and who touches whom

static void tapers_and_hulls(void) {
    WeftScene* scene = parse(
        BODIES("{\"kind\":\"tapered\",\"radius\":0.2,\"top_radius\":0.1,\"place\":{\"scale\":2}},"
               "{\"kind\":\"hull\",\"place\":{\"scale\":0.5},\"points\":[[0,0,0],[1,0,0],[0,1,0],"
               "[0,0,1],[0.1,0.1,0.1]]}"));
    if (!scene) {
        CHECK_TEXT(last.message, "no error");
        return;
    }
    const WeftBodyDef* bodies = scene->model.bodies;
    CHECK(bodies[0].kind == WEFT_BODY_TAPERED && bodies[0].radius == 0.4);
    CHECK(bodies[0].top_radius == 0.2 && bodies[0].length == 1);
    CHECK(bodies[1].kind == WEFT_BODY_HULL && bodies[1].vertex_count == 4);
    CHECK(bodies[1].triangle_count == 4 && bodies[1].positions[3] == 0.5);
    WeftModel* model = NULL;
    CHECK(weft_create_model(&scene->model, &model, NULL) == WEFT_OK);
    CHECK(weft_body_vertex_count(model, 1) == 4);
    weft_destroy_model(model);
    weft_destroy_scene(scene);
    refuse(BODIES("{\"kind\":\"hull\",\"points\":[[0,0,0],[1,0,0],[0,1,0],[1,1,0]]}"),
           "t.json:2:25: its 4 points lie in a plane");
    refuse(BODIES("{\"kind\":\"hull\",\"points\":[[0,0,0]]}"),
           "t.json:2:25: a hull needs 4 to 10000 points, not 1");
    refuse(BODIES("{\"kind\":\"hull\",\"points\":[[0,0]]}"), "t.json:2:26: ");
    refuse(BODIES("{\"kind\":\"hull\"}"), "either \"points\" or \"file\"");
    refuse(BODIES("{\"kind\":\"hull\",\"file\":\"no.obj\"}"), "no.obj");
    refuse(BODIES("{\"kind\":\"tapered\",\"top_radius\":0}"), "\"top_radius\" must be above 0");
}

// A box that is a plane's distance, low y inside, written as bytes.
static void write_field(const char* path, int count) {
    FILE* file = fopen(path, "wb");
    if (!CHECK(file != NULL)) return;
    for (int i = 0; i < count; i++) {
        float value = (float)(i / 3 % 3) - 1.5F;
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        for (int k = 0; k < 4; k++) fputc((int)(bits >> 8 * k & 255), file);
    }
    fclose(file);
}

#define FIELD "{\"kind\":\"distance\",\"file\":\"field.raw\",\"counts\":[3,3,3],\"cell\":1"

static void fields_from_a_file(void) {
    write_field("field.raw", 27);
    WeftScene* scene = parse(BODIES(FIELD ",\"origin\":[-1,0,-1],\"place\":{\"scale\":0.1}}"));
    if (!scene) {
        CHECK_TEXT(last.message, "no error");
        return;
    }
    const WeftDistanceDef* field = &scene->model.bodies[0].distance;
    CHECK(scene->model.bodies[0].kind == WEFT_BODY_DISTANCE && field->counts[2] == 3);
    CHECK_NEAR(field->cell, 0.1, 1e-15);
    CHECK_NEAR(field->origin[0], -0.1, 1e-15);
    CHECK_NEAR((double)field->values[0], -0.15, 1e-7);
    CHECK_NEAR((double)field->values[26], 0.05, 1e-7);
    WeftModel* model = NULL;
    CHECK(weft_create_model(&scene->model, &model, NULL) == WEFT_OK);
    CHECK(weft_body_triangle_count(model, 0) > 8);
    weft_destroy_model(model);
    weft_destroy_scene(scene);
    write_field("field.raw", 26);
    refuse(BODIES(FIELD "}"), "this file has 104 bytes; 27 samples take 108");
    refuse(BODIES("{\"kind\":\"distance\",\"file\":\"no.raw\",\"counts\":[3,3,3]}"), "no.raw");
    refuse(BODIES("{\"kind\":\"distance\",\"file\":\"no.raw\",\"counts\":[3,1,3]}"),
           "must be 2 to");
    refuse(BODIES("{\"kind\":\"distance\",\"file\":\"no.raw\"}"), "\"counts\" is missing");
}

static void layers_and_frictions(void) {
    WeftScene* scene =
        parse("{\"weft\":1,\"cloths\":[" CLOTH ",\"layer\":[0,3],\"mask\":[]}," CLOTH
              "}],\"bodies\":[{\"kind\":\"plane\",\"name\":\"floor\",\"layer\":[31],\"mask\":[1]}],"
              "\"pair_frictions\":[{\"cloth\":1,\"body\":\"floor\",\"friction\":0.5},"
              "{\"cloth\":0,\"body\":0,\"friction\":0},"
              "{\"cloth\":0,\"other_cloth\":1,\"friction\":2}]}");
    if (!scene) {
        CHECK_TEXT(last.message, "no error");
        return;
    }
    const WeftModelDef* def = &scene->model;
    CHECK(def->cloths[0].layer == 9 && def->cloths[0].mask == 0);
    CHECK(def->cloths[1].layer == 1 && def->cloths[1].mask == WEFT_ALL_LAYERS);
    CHECK(def->bodies[0].layer == 0x80000000u && def->bodies[0].mask == 2);
    CHECK(def->pair_friction_count == 3 && def->pair_frictions[0].body == 0);
    CHECK(def->pair_frictions[0].cloth == 1 && def->pair_frictions[0].friction == 0.5);
    CHECK(def->pair_frictions[2].body == -1 && def->pair_frictions[2].other_cloth == 1);
    weft_destroy_scene(scene);
#define PAIRS(pair)                  \
    "{\"weft\":1,\"cloths\":[" CLOTH \
    "}],\"bodies\":[{\"kind\":\"plane\"}],\"pair_frictions\":[\n" pair "]}"
    refuse(PAIRS("{\"cloth\":1,\"body\":0,\"friction\":1}"), "t.json:2:10: ");
    refuse(PAIRS("{\"cloth\":0,\"body\":\"no\",\"friction\":1}"), "there is no body \"no\"");
    refuse(PAIRS("{\"cloth\":0,\"friction\":1}"), "give \"body\" or \"other_cloth\"");
    refuse(PAIRS("{\"cloth\":0,\"body\":0,\"other_cloth\":0,\"friction\":1}"),
           "give \"body\" or \"other_cloth\"");
    refuse(PAIRS("{\"cloth\":0,\"body\":0}"), "\"friction\" is missing");
    refuse(BODIES("{\"kind\":\"plane\",\"mask\":[32]}"), "must be 0 to 31");
    refuse(BODIES("{\"kind\":\"plane\",\"layer\":1}"), "must be a list");
}

static void mistakes(void) {
    refuse("{\"weft\":1,\"contact\":\"yes\"}",
           "t.json:1:21: \"contact\" must be \"none\", \"bodies\" or \"all\", not \"yes\"");
    refuse(BODIES("{}"), "t.json:2:1: \"kind\" is missing here");
    refuse(BODIES("7"), "t.json:2:1: \"bodies\"[0] must be an object, not a whole number");
    refuse(BODIES("{\"kind\":\"cube\"}"),
           "t.json:2:9: \"kind\" must be \"plane\", \"sphere\", \"capsule\", \"box\", \"lathe\", "
           "\"mesh\", \"mannequin\", \"tapered\", \"hull\" or \"distance\", not \"cube\"");
    refuse(BODIES("{\"kind\":\"sphere\",\"radius\":0}"),
           "t.json:2:27: \"radius\" must be above 0, at most 1000 m, not 0");
    refuse(BODIES("{\"kind\":\"plane\",\"radius\":1}"),
           "t.json:2:17: unknown key \"radius\"; known here: \"kind\", \"name\", \"place\", "
           "\"motion\", \"in_world\", \"layer\", \"mask\" or \"friction\"");
    refuse(BODIES("{\"kind\":\"box\",\"size\":[1,2,-3]}"),
           "t.json:2:27: \"size\"[2] must be above 0, at most 1000 m, not -3");
    refuse(BODIES("{\"kind\":\"plane\",\"motion\":\"up\"}"),
           "t.json:2:26: no motion is called \"up\"; name one under \"motions\"");
    refuse(BODIES("{\"kind\":\"mesh\",\"file\":\"no.obj\"}"),
           "t.json:2:23: no.obj: cannot open: No such file or directory");
}

// ---------------------------------------------------------------------------------------------
// Lathes

#define LATHE(rest) BODIES("{\"kind\":\"lathe\"," rest "}")

// Six times the volume that the triangles enclose.
static double enclosed(const WeftMesh* mesh) {
    double volume = 0;
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int* v = mesh->triangles + 3 * t;
        WfVec a = wf_load(mesh->positions, v[0]), b = wf_load(mesh->positions, v[1]);
        volume += wf_dot(a, wf_cross(b, wf_load(mesh->positions, v[2])));
    }
    return volume;
}

// Every edge as often in one direction as in the other.
static bool is_closed(const WeftMesh* mesh) {
    int sum = 0, corners = 3 * mesh->triangle_count;
    for (int i = 0; i < corners; i++) {
        int a = mesh->triangles[i], b = mesh->triangles[i - i % 3 + (i + 1) % 3], found = 0;
        for (int k = 0; k < corners; k++)
            found += mesh->triangles[k] == b && mesh->triangles[k - k % 3 + (k + 1) % 3] == a;
        sum += found == 1;
    }
    return sum == corners;
}

// A square prism of height 1, half as wide as 2 * sqrt 2: volume 2 pi r^2 / pi.
static void lathes_face_outwards(void) {
    static const char* const profiles[] = {"[[0,0],[1,0],[1,1],[0,1]]",
                                           "[[0,1],[1,1],[1,0],[0,0]]"};
    for (int i = 0; i < 2; i++) {
        char text[256];
        snprintf(text, sizeof text, LATHE("\"segments\":4,\"profile\":%s"), profiles[i]);
        WeftScene* scene = parse(text);
        if (!scene) CHECK_TEXT(last.message, "no error");
        if (!scene) return;
        const WeftMesh* mesh = &scene->bodies[0].mesh;
        CHECK(mesh->vertex_count == 10 && mesh->triangle_count == 16 && is_closed(mesh));
        CHECK_NEAR(enclosed(mesh), 12, 1e-12);
        CHECK(scene->model.bodies[0].kind == WEFT_BODY_MESH);
        CHECK(scene->model.bodies[0].positions == mesh->positions);
        CHECK(scene->model.bodies[0].triangle_count == 16);
        weft_destroy_scene(scene);
    }
}

static void rings_and_walls(void) {
    WeftScene* scene =
        parse(LATHE("\"segments\":4,\"closed\":true,\"profile\":[[1,0],[1,1],[2,1],[2,0]]"));
    if (scene) {
        const WeftMesh* mesh = &scene->bodies[0].mesh;
        CHECK(mesh->vertex_count == 16 && mesh->triangle_count == 32 && is_closed(mesh));
        CHECK_NEAR(enclosed(mesh), 6 * (8 - 2), 1e-12);
    } else
        CHECK_TEXT(last.message, "no error");
    weft_destroy_scene(scene);
    scene = parse(LATHE("\"profile\":[[0,0],[1,0.5],[1,2]],\"place\":{\"scale\":3}"));
    if (scene) {
        const WeftMesh* mesh = &scene->bodies[0].mesh;
        CHECK(mesh->vertex_count == 65 && mesh->triangle_count == 32 + 64 && !is_closed(mesh));
        CHECK(mesh->positions[3] == 3 && mesh->positions[4] == 1.5);
    } else
        CHECK_TEXT(last.message, "no error");
    weft_destroy_scene(scene);
}

static void wrong_profiles(void) {
    refuse(LATHE("\"segments\":3"), "t.json:2:1: \"profile\" is missing here");
    refuse(LATHE("\"profile\":[[1,0]]"), "t.json:2:27: a profile needs two points at least");
    refuse(LATHE("\"profile\":[[0,0],[0,1]]"), "t.json:2:27: this profile has no width");
    refuse(LATHE("\"profile\":[[1,0],[-1,1]]"), "t.json:2:34: r must be 0 or more m, not -1");
    refuse(LATHE("\"profile\":[[1,0],[0,1],[1,2]]"),
           "t.json:2:34: only the ends of a profile may lie on the axis");
    refuse(LATHE("\"closed\":true,\"profile\":[[0,0],[1,0],[0,1]]"),
           "t.json:2:41: a closed profile must stay off the axis");
    refuse(LATHE("\"profile\":{\"keys\":[[0,[1,0],[1,1]],[0,[1,0],[1,1]]]}"),
           "t.json:2:52: time 0 does not come after 0, the time before it");
    refuse(LATHE("\"profile\":{\"keys\":[[0,[1,0],[1,1]],[1,[1,0]]]}"),
           "t.json:2:52: this profile has 1 points, the first one 2");
    refuse(LATHE("\"profile\":{\"keys\":[[0,[1,0],[1,1]],[1,[0,0],[1,1]]]}"),
           "t.json:2:55: a point of a profile lies on the axis at all times, or never");
    refuse(LATHE("\"profile\":{\"keys\":[3]}"), "t.json:2:36: a profile needs two points at least");
    refuse(LATHE("\"profile\":{\"keys\":[[0,1,2]]}"),
           "t.json:2:39: \"keys\"[0][1] must be a list of 2 numbers");
}

// ---------------------------------------------------------------------------------------------
// What they do

typedef struct Stage {
    WeftScene* scene;
    WeftModel* model;
    WeftState* state;
} Stage;

static bool raise_stage(Stage* stage, const char* text) {
    *stage = (Stage){.scene = parse(text)};
    bool good = stage->scene && !weft_create_model(&stage->scene->model, &stage->model, &last) &&
                !weft_create_state(stage->model, &stage->state, &last);
    if (!good) CHECK_TEXT(last.message, "no error");
    return good;
}

static void clear_stage(Stage* stage) {
    weft_destroy_state(stage->state);
    weft_destroy_model(stage->model);
    weft_destroy_scene(stage->scene);
}

// Take steps; the body's vertices are then in `x`.
static void run_stage(Stage* stage, int steps, double* x) {
    WeftStepDef step = stage->scene->model.step;
    for (int i = 0; i < steps; i++) {
        weft_direct_scene(stage->scene, stage->state, &step);
        CHECK(weft_step(stage->state, &step) == WEFT_OK);
    }
    weft_copy_body(stage->state, 0, x);
}

#define BESIDE "\"contact\":\"none\",\"cloths\":[" CLOTH ",\"place\":{\"move\":[50,0,0]}}]"

// A cone whose tip starts at (1, 0, 0) of the world, laid along x, goes a quarter about y and up.
static void bodies_follow_their_motion(void) {
    Stage stage;
    if (raise_stage(&stage,
                    "{\"weft\":1,\"motions\":{\"m\":{\"offset\":{\"keys\":[[0,0,3,0],[1,0,5,0]]},"
                    "\"angle\":{\"keys\":[[0,10],[1,100]]},\"centre\":[0,-3,0]}},"
                    "\"bodies\":[{\"kind\":\"lathe\",\"profile\":[[0,0.5],[0.1,0],[0,0]],"
                    "\"segments\":3,\"motion\":\"m\",\"place\":{\"turn\":{\"axis\":[0,0,1],"
                    "\"degrees\":-90},\"move\":[0.5,0,0]}}]," BESIDE "}")) {
        double x[3 * 5];
        weft_copy_body(stage.state, 0, x);
        CHECK_NEAR(x[0], 1, 1e-12);
        CHECK_NEAR(x[1], 0, 1e-12);
        run_stage(&stage, 60, x);
        CHECK_NEAR(x[0], 0, 1e-9);
        CHECK_NEAR(x[1], 2, 1e-9);
        CHECK_NEAR(x[2], -1, 1e-9);
    }
    clear_stage(&stage);
}

// Moved by hand, a body goes along whether or not a motion carries it, and stays there.
static void bodies_go_along_with_the_hand(void) {
    Stage stage;
    if (raise_stage(&stage,
                    "{\"weft\":1,\"bodies\":[{\"kind\":\"lathe\",\"segments\":3,"
                    "\"profile\":[[0,0],[1,0],[0,1]]}]," BESIDE "}")) {
        double x[3 * 5];
        stage.scene->carry_to[0] = 0.25;
        run_stage(&stage, 1, x);
        CHECK_NEAR(x[0], 0.25, 1e-12);
        stage.scene->carry_from[0] = 0.25;
        run_stage(&stage, 3, x);
        CHECK_NEAR(x[0], 0.25, 1e-12);
        stage.scene->carry_to[0] = 0;
        run_stage(&stage, 1, x);
        CHECK_NEAR(x[0], 0, 1e-12);
    }
    clear_stage(&stage);
}

static void shapes_are_straight_between_keys(void) {
    Stage stage;
    if (raise_stage(&stage,
                    "{\"weft\":1,\"bodies\":[{\"kind\":\"lathe\",\"segments\":3,\"profile\":"
                    "{\"keys\":[[-0.5,[0,0],[1,0],[0,1]],[0.5,[0,0],[3,0],[0,2]]]},"
                    "\"place\":{\"scale\":2}}]," BESIDE "}")) {
        double x[3 * 5];
        weft_copy_body(stage.state, 0, x);
        CHECK_NEAR(x[3], 4, 1e-12);   // at time 0 the ring is 2 wide, and scaled
        CHECK_NEAR(x[13], 3, 1e-12);  // and the tip 1.5 high
        run_stage(&stage, 15, x);
        CHECK_NEAR(x[3], 5, 1e-9);
        CHECK_NEAR(x[13], 3.5, 1e-9);
        run_stage(&stage, 30, x);
        CHECK_NEAR(x[3], 6, 1e-12);
        CHECK_NEAR(x[13], 4, 1e-12);
    }
    clear_stage(&stage);
}

// ---------------------------------------------------------------------------------------------
// Files

static const char* const tetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
    "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

static void write_text(const char* path, const char* text, size_t length) {
    FILE* file = fopen(path, "wb");
    CHECK(file != NULL);
    if (!file) return;
    fwrite(text, 1, length, file);
    fclose(file);
}

// Two frames of a tetrahedron, the second one metre higher.
static void write_frames(const char* path) {
    static const int triangles[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    WeftWriterDef def = weft_default_writer_def();
    def.vertex_count = 4, def.triangle_count = 4, def.triangles = triangles, def.frame_count = 2;
    WeftWriter* writer = NULL;
    CHECK(weft_open_writer(path, &def, &writer, &last) == WEFT_OK);
    for (int frame = 0; frame < 2; frame++) {
        float moved[12], normals[12] = {0};
        for (int i = 0; i < 12; i++) moved[i] = positions[i] + (float)(i % 3 == 1 ? frame : 0);
        CHECK(weft_write_frame(writer, moved, normals, &last) == WEFT_OK);
    }
    CHECK(weft_close_writer(writer, &last) == WEFT_OK);
}

#define FRAMES "{\"kind\":\"mesh\",\"file\":\"body.obj\",\"frames\":\"body.pc2\",\"rate\":2}"

static void frames_from_a_file(void) {
    Stage stage;
    write_text("body.obj", tetrahedron, strlen(tetrahedron));
    write_frames("body.pc2");
    if (raise_stage(&stage, "{\"weft\":1,\"bodies\":[" FRAMES "]," BESIDE "}")) {
        double x[3 * 4];
        CHECK(stage.scene->bodies[0].shape.key_count == 2);
        CHECK(stage.scene->bodies[0].shape.times[1] == 0.5);
        run_stage(&stage, 15, x);
        CHECK_NEAR(x[1], 0.5, 1e-9);
        run_stage(&stage, 30, x);
        CHECK_NEAR(x[1], 1, 1e-12);
        CHECK_NEAR(x[3 * 2 + 1], 2, 1e-12);
    }
    clear_stage(&stage);
    remove("body.obj");
    remove("body.pc2");
}

static void broken_frames(void) {
    size_t length = 32 + 2 * 4 * 12;
    char bytes[32 + 2 * 4 * 12];
    write_text("body.obj", tetrahedron, strlen(tetrahedron));
    write_frames("body.pc2");
    FILE* file = fopen("body.pc2", "rb");
    CHECK(file && fread(bytes, 1, length, file) == length);
    if (file) fclose(file);
    for (size_t n = 0; n < length; n++) {
        write_text("body.pc2", bytes, n);
        refuse(BODIES(FRAMES), n < 32 ? "t.json:2:43: body.pc2: this is no PC2 file"
                                      : "t.json:2:43: body.pc2: the file ends early");
    }
    bytes[16] = 5;
    write_text("body.pc2", bytes, length);
    refuse(BODIES(FRAMES), "t.json:2:43: body.pc2: the file has 5 points, the mesh has 4 vertices");
    bytes[16] = 4, bytes[28] = 0;
    write_text("body.pc2", bytes, length);
    refuse(BODIES(FRAMES), "t.json:2:43: body.pc2: the file has no frames, or none in order");
    bytes[28] = 2;
    memset(bytes + 32 + 4 * 14, 0xff, 4);
    write_text("body.pc2", bytes, length);
    refuse(BODIES(FRAMES), "t.json:2:43: body.pc2: frame 1, vertex 0 is not a number");
    remove("body.obj");
    remove("body.pc2");
}

TEST_MAIN(CASE(kinds), CASE(keys_of_contact), CASE(tapers_and_hulls), CASE(fields_from_a_file),
          CASE(layers_and_frictions), CASE(mistakes), CASE(lathes_face_outwards),
          CASE(rings_and_walls), CASE(wrong_profiles), CASE(bodies_follow_their_motion),
          CASE(bodies_go_along_with_the_hand), CASE(shapes_are_straight_between_keys),
          CASE(frames_from_a_file), CASE(broken_frames))

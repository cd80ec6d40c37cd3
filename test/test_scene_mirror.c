// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Scenes with a mirror: meshes that become symmetric, scenes that are not, and what is said of
// them.

#include <math.h>
#include <string.h>

#include "counting.h"
#include "scene_test.h"
#include "test.h"
#include "weft/weft_io.h"

static WeftModel* make(const WeftScene* scene) {
    WeftModel* model = NULL;
    WeftError error = {0};
    if (weft_create_model(&scene->model, &model, &error)) printf("%s\n", error.message);
    CHECK(model != NULL);
    return model;
}

// What the scene says of why it has no mirror; "" where it has one.
static const char* reason(const WeftScene* scene) {
    for (int i = 0; i < scene->findings.count; i++)
        if (strstr(scene->findings.lines[i], "no mirror")) return scene->findings.lines[i];
    return "";
}

static void grids_stay_as_they_are(void) {
    WeftScene* scene = parse(
        "{\"weft\": 1, \"mirror\": \"exact\", \"cloths\": [{\"mesh\": {\"kind\": \"grid\", "
        "\"columns\": 10, \"rows\": 6}, \"place\": {\"move\": [-0.5, 0, 0]}, \"pins\": "
        "[{\"vertices\": [66, 76]}]}]}");
    WeftModel* model = make(scene);
    CHECK(weft_vertex_count(model) == 77 && weft_simulated_count(model) == 42);
    CHECK(scene->meshes[0].images && scene->meshes[0].images[66] == 76);
    CHECK(scene->findings.count == 0);
    weft_destroy_model(model);
    weft_destroy_scene(scene);
}

// A mesh without any symmetry, as its outline has.
static void meshes_become_symmetric(void) {
    static const char* const halvings[] = {"split", "project"};
    for (int k = 0; k < 2; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 "{\"weft\": 1, \"mirror\": {\"halving\": \"%s\", \"normal\": [0, 0, -2]}, "
                 "\"cloths\": [{\"mesh\": {\"kind\": \"disc\", \"radius\": 0.3, \"edge\": 0.04}}]}",
                 halvings[k]);
        WeftScene* scene = parse(text);
        WeftModel* model = make(scene);
        WeftSceneSymmetry symmetry;
        CHECK(!weft_measure_scene(scene, &scene->model.mirror.plane, &symmetry, NULL));
        CHECK(symmetry.unpaired == 0 && symmetry.cloth == 0 && symmetry.culprit[0] == 0);
        CHECK(2 * weft_simulated_count(model) > weft_vertex_count(model));
        CHECK(weft_simulated_count(model) < 0.6 * weft_vertex_count(model));
        weft_destroy_model(model);
        weft_destroy_scene(scene);
    }
}

// A mesh on this side, which ends at the plane, is half a cloth; one that does not is one of two.
static void halves_become_whole(void) {
    for (int k = 0; k < 2; k++) {
        char text[300];
        snprintf(
            text, sizeof text,
            "{\"weft\": 1, \"mirror\": \"exact\", \"cloths\": [{\"mesh\": {\"kind\": \"grid\", "
            "\"columns\": 4, \"rows\": 4}, \"place\": {\"move\": [%g, 0, 0]}}]}",
            0.1 * k);
        WeftScene* scene = parse(text);
        WeftModel* model = make(scene);
        CHECK(weft_simulated_count(model) == 25);
        CHECK(weft_vertex_count(model) == (k ? 50 : 45));
        weft_destroy_model(model);
        weft_destroy_scene(scene);
    }
}

// Numbers of vertices are those that the mesh had before.
static void names_follow(void) {
    const char* format =
        "{\"weft\": 1, %s\"cloths\": [{\"mesh\": {\"kind\": \"rectangle\", \"width\": 1, "
        "\"height\": 0.4, \"edge\": 0.05}, \"place\": {\"move\": [-0.5, 0, 0]}, \"pins\": "
        "[{\"vertices\": [%d, %d]}]}]}";
    char text[500];
    snprintf(text, sizeof text, format, "", 0, 1);
    WeftScene* plain = parse(text);
    const WeftMesh* mesh = &plain->meshes[0];
    int corners[2] = {0, 0};  // (-0.5, 0), (0.5, 0)
    for (int i = 0; i < mesh->vertex_count; i++) {
        const double* x = mesh->positions + 3 * i;
        if (fabs(x[2]) > 1e-9) continue;
        if (x[0] < -0.4999) corners[0] = i;
        if (x[0] > 0.4999) corners[1] = i;
    }
    snprintf(text, sizeof text, format, "\"mirror\": \"exact\", ", corners[0], corners[1]);
    WeftScene* scene = parse(text);
    const WeftClothDef* cloth = &scene->model.cloths[0];
    CHECK(cloth->pin_count == 2 && reason(scene)[0] == 0);
    for (int k = 0; k < 2 && cloth->pin_count == 2; k++) {
        const double* x = cloth->positions + 3 * cloth->pins[k];
        CHECK_NEAR(fabs(x[0]), 0.5, 1e-12);
        CHECK_NEAR(x[2], 0, 1e-12);
    }
    WeftModel* model = make(scene);
    weft_destroy_model(model);
    weft_destroy_scene(scene);
    weft_destroy_scene(plain);
}

static void what_is_not_symmetric_is_simulated_whole(void) {
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"\"cloths\": [{\"mesh\": {\"kind\": \"grid\"}, \"place\": {\"move\": [-0.4, 0, 0]}}]",
         "cloth 0"},
        {"\"cloths\": [{\"mesh\": {\"kind\": \"disc\"}}], \"bodies\": [{\"kind\": \"sphere\", "
         "\"radius\": 0.1, \"place\": {\"move\": [0.2, 0, 0]}}]",
         "body 0"},
        {"\"cloths\": [{\"mesh\": {\"kind\": \"disc\"}}], \"bodies\": [{\"kind\": \"box\", "
         "\"size\": [0.1, 0.2, 0.3], \"place\": {\"move\": [0.01, 0, 0]}}]",
         "bodies are off"},
        {"\"cloths\": [{\"mesh\": {\"kind\": \"disc\"}}], \"gravity\": [1, -9, 0]", "gravity"},
        {"\"cloths\": [{\"mesh\": {\"kind\": \"disc\"}}], \"wind\": [0.1, 0, 0]", "wind"},
        {"\"cloths\": [{\"mesh\": {\"kind\": \"grid\"}, \"place\": {\"move\": [-0.5, 0, 0]}, "
         "\"pins\": [{\"vertices\": [0]}]}]",
         "pin of vertex 0"},
        {"\"cloths\": [{\"mesh\": {\"kind\": \"disc\"}, \"velocity\": [1, 0, 0]}]", "velocity"},
        {"\"cloths\": [{\"mesh\": {\"kind\": \"disc\"}, \"scales\": {\"stretch\": [{\"box\": "
         "[0.1, -1, 1, 1], \"factor\": 3}]}}]",
         "factors"},
        // symmetric at the start
        {"\"cloths\": [{\"mesh\": {\"kind\": \"disc\"}}], \"motions\": {\"go\": {\"offset\": "
         "{\"keys\": [[0, 0, 0, 0], [1, 0.5, 0, 0]]}}}, \"bodies\": [{\"kind\": \"sphere\", "
         "\"radius\": 0.1, \"motion\": \"go\"}]",
         "body 0"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[700];
        snprintf(text, sizeof text, "{\"weft\": 1, \"mirror\": \"exact\", %s}", cases[k].text);
        WeftScene* scene = parse(text);
        if (!scene) printf("%s\n", last.message);
        if (!CHECK(scene != NULL)) continue;
        CHECK(scene->model.mirror.kind == WEFT_MIRROR_NONE);
        CHECK_TEXT(reason(scene), cases[k].why);
        weft_destroy_scene(scene);
    }
}

static void pairs_of_bodies_are_symmetric(void) {
    WeftScene* scene = parse(
        "{\"weft\": 1, \"mirror\": \"exact\", \"cloths\": [{\"mesh\": {\"kind\": \"disc\"}}], "
        "\"bodies\": [{\"kind\": \"sphere\", \"radius\": 0.1, \"place\": {\"move\": [0.2, -0.2, "
        "0]}}, {\"kind\": \"sphere\", \"radius\": 0.1, \"place\": {\"move\": [-0.2, -0.2, 0]}}, "
        "{\"kind\": \"plane\"}, {\"kind\": \"capsule\", \"radius\": 0.05, \"length\": 0.3, "
        "\"place\": {\"turn\": {\"axis\": [0, 0, 1], \"degrees\": 90}, \"move\": [0, -0.5, 0]}}]}");
    CHECK(reason(scene)[0] == 0);
    CHECK(scene->model.mirror.kind == WEFT_MIRROR_EXACT);
    weft_destroy_scene(scene);
}

static void refusals(void) {
    WeftScene* scene = NULL;
    WeftError error;
    const char* none =
        "{\"weft\": 1, \"mirror\": {\"normal\": [0, 0, 0]}, \"cloths\": [{\"mesh\": {\"kind\": "
        "\"disc\"}}]}";
    CHECK(weft_parse_scene(none, strlen(none), "t.json", NULL, NULL, NULL, &scene, &error));
    CHECK_TEXT(error.message, "\"normal\" must have a length");
    const char* word = "{\"weft\": 1, \"mirror\": \"exat\", \"cloths\": []}";
    CHECK(weft_parse_scene(word, strlen(word), "t.json", NULL, NULL, NULL, &scene, &error));
    CHECK_TEXT(error.message, "\"exact\"");
}

// Buttons: a pin whose image is drawn before it goes where its motion takes it, for as long as it
// is.
static void pins_go_beyond_the_mirror(void) {
    WeftScene* scene = parse(
        "{\"weft\": 1, \"mirror\": {\"closure\": \"button\"}, \"contact\": \"all\", \"motions\": "
        "{\"right\": {\"offset\": {\"keys\": [[0, 0, 0, 0], [0.5, -0.14, 0, 0]]}}, \"left\": "
        "{\"offset\": {\"keys\": [[0, 0, 0, 0], [0.5, 0.14, 0, 0]]}}}, \"cloths\": [{\"mesh\": "
        "{\"kind\": \"grid\", \"width\": 0.4, \"height\": 0.4, \"columns\": 8, \"rows\": 8}, "
        "\"place\": "
        "{\"turn\": {\"axis\": [1, 0, 0], \"degrees\": 90}, \"move\": [0.1, 0, 0]}, \"pins\": "
        "[{\"box\": [[0, 0.39, -1], [1, 1, 1]], \"motion\": \"right\"}, "
        "{\"box\": [[-1, 0.39, -1], [0, 1, 1]], \"motion\": \"left\"}]}]}");
    WeftModel* model = make(scene);
    WeftState* state = NULL;
    CHECK(!weft_create_state(model, &state, NULL));
    int pushed = 0;
    for (int i = 0; i < 120; i++) {
        weft_direct_scene(scene, state, &scene->model.step);
        CHECK(!weft_step(state, &scene->model.step));
        CHECK(weft_report(state)->tangles <= 0);  // the mirror lets them through
        const double* x = weft_positions(state);
        double way = 0.14 * fmin(weft_time(state) / 0.5, 1);
        for (int v = 0; v < weft_vertex_count(model); v++) {
            const double* start = scene->meshes[0].positions + 3 * (long)v;
            if (start[1] < 0.39) continue;
            if (start[0] < 0) {
                pushed += x[3 * v + 2] > 1e-4;
                continue;
            }
            CHECK_NEAR(x[3 * v], start[0] - way, 1e-9);
            CHECK_NEAR(x[3 * v + 1], start[1], 1e-9);
            CHECK_NEAR(x[3 * v + 2], start[2], 1e-9);
        }
    }
    CHECK(pushed > 0);
    WeftMeasure measure;  // of what is simulated
    CHECK(!weft_measure(state, scene->model.step.gravity, &measure));
    CHECK_BELOW(measure.max_stretch, 1.1);
    weft_destroy_state(state);
    weft_destroy_model(model);
    weft_destroy_scene(scene);
}

// Where a pin of one scene is, another one has one, too.
static bool holds_there(const WeftScene* scene, const double* x, double near) {
    const WeftClothDef* cloth = &scene->model.cloths[0];
    for (int i = 0; i < cloth->pin_count; i++) {
        const double* y = cloth->positions + 3 * cloth->pins[i];
        if (fabs(x[0] - y[0]) + fabs(x[1] - y[1]) + fabs(x[2] - y[2]) < near) return true;
    }
    return false;
}

// Pins hold what they hold without a mirror, and what is between: `between` vertices where the mesh
// was split; -1: where it is off by 2 mm. `why`: that the mirror is given up for, or NULL.
static void pins_stay_where_they_are(void) {
    static const struct {
        const char *mirror, *cloth, *why;
        int between;
    } cases[] = {
        {"\"normal\": [1, 0, 1]",
         "\"mesh\": {\"kind\": \"disc\", \"edge\": 0.15}, \"pins\": [{\"side\": \"top\"}]",
         "pin of vertex", 0},
        {"\"normal\": [1, 0, 1], \"point\": [0, 0, -0.5]",
         "\"mesh\": {\"kind\": \"grid\", \"columns\": 10, \"rows\": 8}, \"place\": {\"move\": "
         "[-0.5, 0, 0]}, \"pins\": [{\"corner\": \"top left\"}, {\"corner\": \"bottom right\"}]",
         NULL, 0},
        {"\"normal\": [1, 0, 1], \"point\": [0, 0, -0.5]",
         "\"mesh\": {\"kind\": \"grid\", \"columns\": 10, \"rows\": 8}, \"place\": {\"move\": "
         "[-0.5, 0, 0]}, \"pins\": [{\"corner\": \"top left\"}, {\"corner\": \"top right\"}]",
         "pin of vertex", 0},
        {"\"normal\": [1, 0, 0]",
         "\"mesh\": {\"kind\": \"grid\", \"columns\": 9, \"rows\": 4}, \"place\": {\"move\": "
         "[-0.5, 0, 0]}, \"pins\": [{\"vertices\": [4, 5]}]",
         NULL, 1},
        {"\"normal\": [1, 0, 0], \"halving\": \"project\"",
         "\"mesh\": {\"kind\": \"grid\", \"columns\": 9, \"rows\": 4}, \"place\": {\"move\": "
         "[-0.5, 0, 0]}, \"pins\": [{\"vertices\": [4]}, {\"vertices\": [5]}]",
         NULL, 0},
        {"\"normal\": [1, 0, 0]",
         "\"mesh\": {\"kind\": \"grid\", \"columns\": 1, \"rows\": 1}, \"place\": {\"move\": "
         "[-0.5, 0, 0]}, \"pins\": [{\"vertices\": [0, 1]}]",
         NULL, 1},
        {"\"normal\": [1, 0, 0]",
         "\"mesh\": {\"kind\": \"grid\", \"columns\": 9, \"rows\": 4}, \"place\": {\"move\": "
         "[-0.5, 0, 0]}, \"pins\": [{\"side\": \"top\"}]",
         NULL, 1},
        {"\"normal\": [1, 0, 0], \"point\": [0.001, 0, 0]",
         "\"mesh\": {\"kind\": \"rectangle\", \"edge\": 0.04}, \"place\": {\"move\": [-0.5, 0, "
         "0]}, \"pins\": [{\"side\": \"left\"}, {\"side\": \"right\"}]",
         NULL, -1},
        // a vertex that the split moves into the plane
        {"\"normal\": [1, 0, 0]",
         "\"mesh\": {\"kind\": \"regular\", \"edge\": 0.09}, \"place\": {\"move\": [-0.5, 0, 0]}, "
         "\"pins\": [{\"vertices\": [17]}]",
         "pin of vertex 17", 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[700];
        snprintf(text, sizeof text,
                 "{\"weft\": 1, \"mirror\": {%s, \"kind\": \"none\"}, \"cloths\": [{%s}]}",
                 cases[k].mirror, cases[k].cloth);
        WeftScene* plain = parse(text);
        snprintf(text, sizeof text, "{\"weft\": 1, \"mirror\": {%s}, \"cloths\": [{%s}]}",
                 cases[k].mirror, cases[k].cloth);
        WeftScene* scene = parse(text);
        if (!CHECK(plain && scene)) continue;
        const WeftClothDef *a = &plain->model.cloths[0], *b = &scene->model.cloths[0];
        double near = cases[k].between < 0 ? 0.0021 : 1e-9;
        for (int i = 0; i < a->pin_count; i++)
            if (!CHECK(holds_there(scene, a->positions + 3 * a->pins[i], near)))
                printf("case %d\n", (int)k);
        if (cases[k].between >= 0 && !CHECK(b->pin_count == a->pin_count + cases[k].between))
            printf("case %d: %d pins, not %d\n", (int)k, b->pin_count, a->pin_count);
        if (cases[k].why)
            CHECK_TEXT(reason(scene), cases[k].why);
        else if (!CHECK(reason(scene)[0] == 0))
            printf("case %d: %s\n", (int)k, reason(scene));
        if (cases[k].why)  // what is simulated is what the file has
            CHECK(b->vertex_count == a->vertex_count && !scene->meshes[0].images);
        weft_destroy_scene(plain);
        weft_destroy_scene(scene);
    }
}

// Two sheets of which the file has the one at x > 0, as it says, with a pin in its corner and a
// side that turns, and goes away. %s: the mirror; %g: wind.
static const char half_sheet[] =
    "{\"weft\": 1, \"duration\": 0.2, \"mirror\": %s, \"wind\": [%g, 0, 0], \"motions\": "
    "{\"go\": {\"axis\": [0, 0, 1], \"centre\": [0.2, 0, 0], \"angle\": {\"keys\": [[0, 0], "
    "[0.2, 40]]}, \"offset\": {\"keys\": [[0, 0, 0, 0], [0.2, 0.1, 0.05, 0]]}}}, \"cloths\": "
    "[{\"mesh\": {\"kind\": \"grid\", \"width\": 0.5, \"height\": 0.5, \"columns\": 8, "
    "\"rows\": 8}, \"place\": {\"move\": [0.1, 0, 0]}, \"pins\": [{\"side\": \"right\", "
    "\"motion\": \"go\"}, {\"vertices\": [0]}]}]}";

static void pins_of_halves_are_on_both_sides(void) {
    static const struct {
        const char* mirror;
        double wind;
        WeftMirrorKind kind;
    } cases[] = {{"\"exact\"", 0, WEFT_MIRROR_EXACT},
                 {"\"whole\"", 0, WEFT_MIRROR_WHOLE},
                 {"\"exact\"", 0.1, WEFT_MIRROR_NONE}};
    for (int k = 0; k < 3; k++) {
        char text[1000];
        snprintf(text, sizeof text, half_sheet, cases[k].mirror, cases[k].wind);
        WeftScene* scene = parse(text);
        CHECK(scene->model.mirror.kind == cases[k].kind && scene->pin_count == 20);
        CHECK(scene->model.cloths[0].pin_count == 20);
        WeftModel* model = make(scene);
        WeftState* state = NULL;
        CHECK(!weft_create_state(model, &state, NULL));
        WeftStepDef step = scene->model.step;
        for (int i = 0; i < 12; i++) {
            weft_direct_scene(scene, state, &step);
            CHECK(!weft_step(state, &step));
        }
        const double* x = weft_positions(state);
        double furthest = 0;
        for (int i = 0; i < scene->pin_count; i++) {
            const double* one = x + 3 * (long)scene->pins[i].vertex;
            const double* other = x + 3 * (long)scene->meshes[0].images[scene->pins[i].vertex];
            CHECK_NEAR(one[0], -other[0], 1e-9);
            CHECK_NEAR(one[1], other[1], 1e-9);
            CHECK_NEAR(one[2], other[2], 1e-9);
            furthest = fmax(furthest, one[1]);
        }
        CHECK_NEAR(furthest, 0.05 + 0.4 * sin(40 * 3.14159265358979 / 180), 1e-9);
        weft_destroy_state(state);
        weft_destroy_model(model);
        weft_destroy_scene(scene);
    }
}

// vertices: that it then has; -1: any.
static void check_reason(const char* cloth, const char* mirror, const char* why, int vertices) {
    char text[700];
    snprintf(text, sizeof text, "{\"weft\": 1, \"mirror\": %s, \"cloths\": [{%s}]}", mirror, cloth);
    WeftScene* scene = parse(text);
    if (!CHECK(scene != NULL)) return;
    if (why)
        CHECK_TEXT(reason(scene), why);
    else
        CHECK(reason(scene)[0] == 0);
    CHECK(vertices < 0 || scene->model.cloths[0].vertex_count == vertices);
    weft_destroy_scene(scene);
}

// Vertices on split diagonals would lie on no thread, and fall.
static void threads_are_not_split(void) {
    const char* format =
        "\"mesh\": {\"kind\": \"grid\", \"columns\": %d, \"rows\": 8, \"pattern\": \"woven\"}, "
        "\"place\": {\"move\": [-0.5, 0, 0]}, \"pins\": [{\"corner\": \"top left\"}, "
        "{\"corner\": \"top right\"}], %s";
    char cloth[400];
    snprintf(cloth, sizeof cloth, format, 9, "\"stretch\": \"threads\"");
    check_reason(cloth, "\"exact\"", "threads of cloth 0 cross the mirror", 90);
    snprintf(cloth, sizeof cloth, format, 8, "\"stretch\": \"threads\"");
    check_reason(cloth, "\"exact\"", NULL, 81);
    snprintf(cloth, sizeof cloth, format, 9, "\"stretch\": \"triangles\"");
    check_reason(cloth, "\"exact\"", NULL, 107);
}

// Of a mesh that is split, both sides of what a file says are looked at.
static void factors_of_both_sides_count(void) {
    const char* name = "test_scene_mirror_scale.txt";
    const char* cloth =
        "\"mesh\": {\"kind\": \"grid\", \"columns\": 9, \"rows\": 8}, \"place\": {\"move\": [-0.5, "
        "0, 0]}, \"scales\": {\"density\": \"test_scene_mirror_scale.txt\"}";
    for (int even = 0; even < 2; even++) {
        FILE* file = fopen(name, "w");
        for (int i = 0; i < 90 && file; i++)
            fprintf(file, "%d\n", even && i % 10 > 4 ? 10 - i % 10 : 1 + i % 10);
        if (file) fclose(file);
        check_reason(cloth, "\"exact\"", even ? NULL : "factors", even ? 107 : 90);
    }
    remove(name);
    // regions of the flat shape as it is given, also where a mirror lays it out anew
    check_reason(
        "\"mesh\": {\"kind\": \"disc\", \"edge\": 0.1}, \"scales\": {\"bend\": [{\"box\": "
        "[0.1, -0.2, 0.5, 0.2], \"factor\": 9}, {\"box\": [-0.2, -0.5, 0.2, -0.1], "
        "\"factor\": 9}]}",
        "{\"normal\": [1, 0, 1]}", "factors", -1);
    check_reason(
        "\"mesh\": {\"kind\": \"disc\", \"edge\": 0.1}, \"scales\": {\"bend\": [{\"box\": "
        "[0.1, -0.2, 0.5, 0.2], \"factor\": 9}, {\"box\": [-0.2, -0.5, 0.2, -0.1], "
        "\"factor\": 9}]}",
        "{\"normal\": [1, 0, -1]}", NULL, -1);
    check_reason(
        "\"mesh\": {\"kind\": \"disc\", \"edge\": 0.03}, \"scales\": {\"bend\": [{\"box\": [-0.1, "
        "-1, 0.1, 1], \"factor\": 3, \"blend\": 0.05}]}",
        "\"exact\"", NULL, -1);
}

// Half a cloth is joined within a hundredth of an edge, and told of up to a tenth.
static void halves_that_nearly_end(void) {
    static const struct {
        double x;
        int vertices;
        const char *finding, *why;
    } cases[] = {{1e-5, 81 + 72, "", ""},
                 {-1e-5, 81 + 72, "", ""},
                 {0.005, 162, "ends 5 mm before the mirror", ""},
                 {-0.005, 81, "half a cloth, but reaches 5 mm behind", "half a cloth"},
                 {0.1, 162, "", ""}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[300];
        snprintf(
            text, sizeof text,
            "{\"weft\": 1, \"mirror\": \"exact\", \"cloths\": [{\"mesh\": {\"kind\": \"grid\", "
            "\"columns\": 8, \"rows\": 8}, \"place\": {\"move\": [%g, 0, 0]}}]}",
            cases[k].x);
        WeftScene* scene = parse(text);
        if (!CHECK(scene != NULL)) continue;
        CHECK(scene->model.cloths[0].vertex_count == cases[k].vertices);
        CHECK(scene->findings.count == (cases[k].finding[0] != 0));
        if (scene->findings.count > 0) CHECK_TEXT(scene->findings.lines[0], cases[k].finding);
        CHECK_TEXT(reason(scene), cases[k].why);
        weft_destroy_scene(scene);
    }
}

// A square about its diagonal is symmetric in space, not in its weave.
static void squares_about_diagonals(void) {
    const char* format =
        "\"mesh\": {\"kind\": \"grid\", \"columns\": %d, \"rows\": 8}, \"place\": {\"move\": "
        "[-0.5, "
        "0, 0.5]}";
    char cloth[200];
    for (int columns = 8; columns <= 10; columns += 2) {
        snprintf(cloth, sizeof cloth, format, columns);
        check_reason(cloth, "{\"normal\": [1, 0, 1]}", NULL, columns == 8 ? 81 : -1);
    }
}

// Fails every allocation in turn, of scenes that are split, and of one that is read again.
static void memory_runs_out(void) {
    static const char* const pins[] = {"\"top left\"}, {\"corner\": \"top right\"", "\"top left\""};
    for (int k = 0; k < 2; k++) {
        char text[500];
        snprintf(
            text, sizeof text,
            "{\"weft\": 1, \"mirror\": \"exact\", \"cloths\": [{\"mesh\": {\"kind\": \"grid\", "
            "\"columns\": 3, \"rows\": 2}, \"place\": {\"move\": [-0.5, 0, 0]}, \"scales\": "
            "{\"bend\": [{\"box\": [0, 0, 1, 0.5], \"factor\": 2}]}, \"pins\": [{\"corner\": "
            "%s}]}]}",
            pins[k]);
        Counting counting = {0};
        WeftAllocator allocator = counting_allocator(&counting);
        WeftResult result = WEFT_ERROR_MEMORY;
        WeftScene* scene = NULL;
        for (int n = 1; n < 2000 && result; n++) {
            counting.calls = 0, counting.fail_at = n;
            result = weft_parse_scene(text, strlen(text), "t.json", NULL, NULL, &allocator, &scene,
                                      &last);
            if (result) CHECK(result == WEFT_ERROR_MEMORY && counting.live == 0);
        }
        if (!CHECK(result == WEFT_OK)) continue;
        CHECK((reason(scene)[0] != 0) == (k == 1));
        weft_destroy_scene(scene);
        CHECK(counting.live == 0);
    }
}

// One that the file pins on both sides stays as it is; one that comes whole is told.
static void pins_that_are_there_stay(void) {
    const char* format =
        "{\"weft\": 1, \"mirror\": \"exact\", \"motions\": {\"go\": {\"offset\": {\"keys\": [[0, "
        "0, 0, 0], [1, 0.1, 0, 0]]}}}, \"cloths\": [{\"mesh\": {\"kind\": \"grid\", \"columns\": "
        "4, "
        "\"rows\": 4}, \"place\": {\"move\": [%g, 0, 0]}, \"pins\": [{\"near\": [1.1, 0, 0]}, "
        "{\"near\": [-1.1, 0, 0]%s}]}]}";
    char text[600];
    snprintf(text, sizeof text, format, 0.1, "");
    WeftScene* scene = parse(text);
    CHECK(scene->pin_count == 2 && reason(scene)[0] == 0);
    weft_destroy_scene(scene);
    snprintf(text, sizeof text, format, 0.1, ", \"motion\": \"go\"");
    scene = parse(text);
    CHECK(scene->pin_count == 2);
    CHECK_TEXT(reason(scene), "pin of vertex");
    weft_destroy_scene(scene);
}

// Half a cloth is not all of it, whatever another one says.
static void halves_beside_what_is_not_symmetric(void) {
    WeftScene* scene = parse(
        "{\"weft\": 1, \"mirror\": \"exact\", \"cloths\": [{\"mesh\": {\"kind\": \"grid\"}, "
        "\"place\": {\"move\": [-0.4, 0, 0]}}, {\"mesh\": {\"kind\": \"grid\", \"columns\": 4, "
        "\"rows\": 4}, \"place\": {\"move\": [0.1, 1, 0]}, \"pins\": [{\"side\": \"top\"}]}]}");
    CHECK_TEXT(reason(scene), "cloth 0");
    CHECK(scene->meshes[1].vertex_count == 50 && scene->pin_count == 10);
    weft_destroy_scene(scene);
}

// A plane along the threads keeps the weave, another turns it.
static void weaves_that_turn_are_told(void) {
    static const struct {
        const char *normal, *told;
    } cases[] = {{"[1, 0, 0]", ""}, {"[0, 0, 1]", ""}, {"[1, 0, 0.03]", ""}, {"[1, 0, 0.5]", "53"}};
    for (int k = 0; k < 4; k++) {
        char text[200];
        snprintf(text, sizeof text,
                 "{\"weft\": 1, \"mirror\": {\"normal\": %s}, \"cloths\": [{\"mesh\": {\"kind\": "
                 "\"disc\"}}]}",
                 cases[k].normal);
        WeftScene* scene = parse(text);
        CHECK(scene->model.mirror.kind == WEFT_MIRROR_EXACT);
        CHECK(scene->findings.count == (cases[k].told[0] != 0));
        if (scene->findings.count > 0) {
            CHECK_TEXT(scene->findings.lines[0], "neither warp nor weft, which turn there by ");
            CHECK_TEXT(scene->findings.lines[0], cases[k].told);
        }
        weft_destroy_scene(scene);
    }
}

TEST_MAIN(CASE(memory_runs_out), CASE(threads_are_not_split), CASE(factors_of_both_sides_count),
          CASE(halves_that_nearly_end), CASE(squares_about_diagonals),
          CASE(pins_stay_where_they_are), CASE(grids_stay_as_they_are),
          CASE(meshes_become_symmetric), CASE(halves_become_whole), CASE(names_follow),
          CASE(what_is_not_symmetric_is_simulated_whole), CASE(pairs_of_bodies_are_symmetric),
          CASE(pins_go_beyond_the_mirror), CASE(refusals), CASE(pins_of_halves_are_on_both_sides),
          CASE(pins_that_are_there_stay), CASE(halves_beside_what_is_not_symmetric),
          CASE(weaves_that_turn_are_told))

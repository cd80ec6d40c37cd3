// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards what is shown of a scene: the key "detail" and what is wrong with it, cloths with and
// without detail beside one another, their texture and ropes, learned files, bodies and mirrors.

#define _POSIX_C_SOURCE 200809L
#include "counting.h"
#include "file_test.h"
#include "scene_test.h"
#include "show_test.h"

typedef struct Stage {
    WeftScene* scene;
    WeftModel* model;
    WeftState* state;
    WeftShow* show;
    float *positions, *normals;
} Stage;

static bool open_stage(Stage* stage, const char* text) {
    *stage = (Stage){.scene = parse(text)};
    if (!CHECK(stage->scene != NULL)) {
        printf("%s\n", last.message);
        return false;
    }
    CHECK(!weft_create_model(&stage->scene->model, &stage->model, &last));
    CHECK(!weft_create_state(stage->model, &stage->state, &last));
    if (!CHECK(!weft_create_show(stage->scene, stage->model, NULL, &stage->show, &last))) {
        printf("%s\n", last.message);
        return false;
    }
    size_t count = 3 * (size_t)weft_show_vertex_count(stage->show);
    stage->positions = calloc(count, sizeof(float));
    stage->normals = calloc(count, sizeof(float));
    return true;
}

static void step_stage(Stage* stage, int steps) {
    WeftStepDef step = stage->scene->model.step;
    for (int i = 0; i < steps; i++) {
        weft_direct_scene(stage->scene, stage->state, &step);
        CHECK(!weft_step(stage->state, &step));
    }
    weft_show_frame(stage->show, stage->state, NULL, stage->positions, stage->normals);
}

static void close_stage(Stage* stage) {
    weft_destroy_show(stage->show);
    weft_destroy_state(stage->state);
    weft_destroy_model(stage->model);
    weft_destroy_scene(stage->scene);
    free(stage->positions);
    free(stage->normals);
}

// Where a shown vertex lies in the coarse cloth.
static void embedded_at(const Stage* stage, int vertex, double x[3]) {
    const int* v = weft_show_corners(stage->show) + 3 * (size_t)vertex;
    const double* w = weft_show_weights(stage->show) + 3 * (size_t)vertex;
    for (int k = 0; k < 3; k++) {
        x[k] = 0;
        for (int c = 0; c < 3; c++)
            x[k] += w[c] * weft_positions(stage->state)[3 * (size_t)v[c] + (size_t)k];
    }
}

// The furthest of a cloth's shown vertices from where it lies in the coarse one.
static double furthest(const Stage* stage, int cloth) {
    const double* shown = weft_show_positions(stage->show);
    int end = weft_show_first_vertex(stage->show, cloth + 1);
    double most = 0;
    for (int i = weft_show_first_vertex(stage->show, cloth); i < end; i++) {
        double x[3];
        embedded_at(stage, i, x);
        for (int k = 0; k < 3; k++) most = fmax(most, fabs(x[k] - shown[3 * i + k]));
    }
    return most;
}

static void check_floats(const Stage* stage) {
    const double* shown = weft_show_positions(stage->show);
    for (int i = 0; i < weft_show_vertex_count(stage->show); i++) {
        const float* n = stage->normals + 3 * (size_t)i;
        for (int k = 0; k < 3; k++) CHECK(stage->positions[3 * i + k] == (float)shown[3 * i + k]);
        CHECK_NEAR(sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), 1, 1e-4);
    }
}

static void check_range(const int* numbers, int count, int low, int high) {
    for (int i = 0; i < count; i++) CHECK(numbers[i] >= low && numbers[i] < high);
}

// ---------------------------------------------------------------------------------------------
// Cloths

#define GRID(size) "{\"mesh\":{\"kind\":\"grid\",\"columns\":" size ",\"rows\":" size "}"
#define PINNED ",\"pins\":[{\"vertices\":[0]}]"

// 2 x 2 cells of 8 triangles: 9 vertices, 16 edges. In 3 parts 9 + 2 x 16 + 8 vertices.
static void cloths_side_by_side(void) {
    Stage stage;
    if (!open_stage(&stage, "{\"weft\":1,\"cloths\":[" GRID("2") "}," GRID("2") PINNED
                    ",\"detail\":{\"parts\":3,\"surface\":\"flat\"}}," GRID("1") "}]}"))
        return;
    const WeftShow* show = stage.show;
    CHECK(weft_show_first_vertex(show, 1) == 9 && weft_show_first_vertex(show, 2) == 9 + 49);
    CHECK(weft_show_vertex_count(show) == 9 + 49 + 4);
    CHECK(weft_show_first_triangle(show, 1) == 8 && weft_show_first_triangle(show, 2) == 8 + 72);
    CHECK(weft_show_triangle_count(show) == 8 + 72 + 2);
    CHECK(!weft_show_detail(show, 0) && weft_show_detail(show, 1) && !weft_show_detail(show, 2));
    check_range(weft_show_triangles(show) + 24, 216, 9, 58);
    check_range(weft_show_triangles(show) + 240, 6, 58, 62);
    check_range(weft_show_corners(show) + 27, 147, 9, 18);
    check_range(weft_show_corners(show) + 174, 12, 18, 22);
    check_range(weft_show_parts(show) + 8, 72, 8, 16);
    check_range(weft_show_parts(show) + 80, 2, 16, 18);
    step_stage(&stage, 10);
    for (int c = 0; c < 3; c++) CHECK(furthest(&stage, c) < 1e-12);
    check_floats(&stage);
    weft_show_frame(stage.show, stage.state, NULL, NULL, NULL);
    close_stage(&stage);
}

// Cloth without any detail is shown to the bit as it is simulated.
static void plain_scenes(void) {
    Stage stage;
    if (!open_stage(&stage, "{\"weft\":1,\"cloths\":[" GRID("3") PINNED "}]}")) return;
    float positions[48], normals[48];
    step_stage(&stage, 10);
    weft_copy_floats(stage.state, positions, normals);
    CHECK(weft_show_vertex_count(stage.show) == 16);
    CHECK(memcmp(positions, stage.positions, sizeof positions) == 0);
    CHECK(memcmp(normals, stage.normals, sizeof normals) == 0);
    close_stage(&stage);
}

// Through the same corners, and curved between them.
static void smooth_by_default(void) {
    Stage stage;
    if (!open_stage(&stage,
                    "{\"weft\":1,\"detail\":{\"parts\":2},\"cloths\":[" GRID("4") PINNED "}]}"))
        return;
    step_stage(&stage, 30);
    const double *shown = weft_show_positions(stage.show), *coarse = weft_positions(stage.state);
    for (int i = 0; i < 75; i++) CHECK_NEAR(shown[i], coarse[i], 1e-12);
    CHECK(furthest(&stage, 0) > 1e-4);
    check_floats(&stage);
    close_stage(&stage);
}

// However many threads show it.
static void jobs_change_no_bit(void) {
    Stage stage;
    WeftJobs jobs = {.thread_count = 3};
    if (!open_stage(&stage,
                    "{\"weft\":1,\"detail\":{\"parts\":4},\"bodies\":[{\"kind\":"
                    "\"plane\"}],\"cloths\":[" GRID("6") PINNED "}]}"))
        return;
    step_stage(&stage, 20);
    size_t size = 3 * sizeof(float) * (size_t)weft_show_vertex_count(stage.show);
    float *positions = malloc(size), *normals = malloc(size);
    weft_show_frame(stage.show, stage.state, &jobs, positions, normals);
    CHECK(memcmp(positions, stage.positions, size) == 0);
    CHECK(memcmp(normals, stage.normals, size) == 0);
    free(positions);
    free(normals);
    close_stage(&stage);
}

// A rope beside cloth that is shown denser keeps its lines, in the numbers of what is shown.
static void ropes_keep_their_lines(void) {
    Stage stage;
    int lines[4];
    float texture[2 * 60];
    int corners[3 * 72];
    if (!open_stage(&stage, "{\"weft\":1,\"cloths\":[" GRID(
                                "2") ",\"detail\":{\"parts\":3}},"
                                     "{\"mesh\":{\"kind\":\"rope\",\"segments\":2}}]}"))
        return;
    CHECK(weft_show_lines(stage.show, NULL) == 2 && weft_show_lines(stage.show, lines) == 2);
    CHECK(lines[0] == 49 && lines[1] == 50 && lines[2] == 50 && lines[3] == 51);
    CHECK(weft_show_material(stage.show, NULL, NULL) == 50);
    CHECK(weft_show_material(stage.show, texture, corners) == 50);
    CHECK(texture[98] == 0 && texture[99] == 0);
    close_stage(&stage);
}

// ---------------------------------------------------------------------------------------------
// Texture

static double flat_area(const float* points, const int* corners) {
    const float *a = points + 2 * (size_t)corners[0], *b = points + 2 * (size_t)corners[1],
                *c = points + 2 * (size_t)corners[2];
    double u[2] = {b[0] - a[0], c[0] - a[0]}, v[2] = {b[1] - a[1], c[1] - a[1]};
    return (u[0] * v[1] - u[1] * v[0]) / 2;
}

// Every part has its share of the flat triangle that it is a part of, also beside a seam.
static void check_texture(const Stage* stage, int parts) {
    const WeftShow* show = stage->show;
    size_t count = (size_t)weft_show_material(show, NULL, NULL);
    size_t coarse_count = (size_t)weft_scene_material(stage->scene, NULL, NULL);
    size_t triangles = (size_t)weft_show_triangle_count(show);
    size_t coarse_triangles = (size_t)stage->scene->meshes[0].triangle_count;
    float* texture = calloc(2 * count, sizeof(float));
    float* coarse = calloc(2 * coarse_count, sizeof(float));
    int* corners = calloc(3 * triangles, sizeof(int));
    int* coarse_corners = calloc(3 * coarse_triangles, sizeof(int));
    weft_show_material(show, texture, corners);
    weft_scene_material(stage->scene, coarse, coarse_corners);
    for (size_t t = 0; t < triangles; t++) {
        int part = weft_show_parts(show)[t];
        double whole = flat_area(coarse, coarse_corners + 3 * (size_t)part);
        CHECK_NEAR(flat_area(texture, corners + 3 * t), whole / (parts * parts),
                   1e-3 * fabs(whole));
    }
    free(texture);
    free(coarse);
    free(corners);
    free(coarse_corners);
}

static void texture_between_corners(void) {
    Stage stage;
    if (!open_stage(&stage, "{\"weft\":1,\"cloths\":[" GRID("3") ",\"detail\":{\"parts\":4}}]}"))
        return;
    check_texture(&stage, 4);
    close_stage(&stage);
}

// Two squares that share the vertices of an edge, whose texture lies apart.
static const char* const seam =
    "v 0 0 0\nv 1 0 0\nv 1 0 -1\nv 0 0 -1\nv 2 0 0\nv 2 0 -1\n"
    "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 5 0\nvt 6 0\nvt 6 1\nvt 5 1\n"
    "f 1/1 2/2 3/3 4/4\nf 2/5 5/6 6/7 3/8\n";

static void texture_at_seams(void) {
    Stage stage;
    char text[400];
    const char* path = test_path("seam.obj");
    save_file(path, seam, strlen(seam));
    snprintf(text, sizeof text,
             "{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"obj\",\"file\":\"%s\"},"
             "\"detail\":{\"parts\":3}}]}",
             path);
    if (open_stage(&stage, text)) {
        CHECK(stage.scene->meshes[0].triangle_material != NULL);
        CHECK(weft_show_vertex_count(stage.show) < weft_show_material(stage.show, NULL, NULL));
        check_texture(&stage, 3);
    }
    close_stage(&stage);
    remove(path);
}

// Panels of a garment stay where they lie on the cutting table.
static void texture_of_garments(void) {
    static const char bag[] =
        "{\"weft_pattern\":1,\"name\":\"bag\",\"panels\":["
        "{\"name\":\"front\",\"sides\":[[0.3,0],[0.3,0.4],[0,0.4],[0,0]],"
        "\"place\":{\"move\":[-0.15,1,0.2]}},"
        "{\"name\":\"back\",\"grain\":90,\"sides\":[[0,0.4],[0.3,0.4],[0.3,0],[0,0]],"
        "\"place\":{\"move\":[-0.15,1,-0.2]}}],"
        "\"seams\":[{\"a\":[\"front\",0],\"b\":[\"back\",1]}]}";
    char text[400];
    Stage stage = {0};
    const char* path = test_path("bag.json");
    save_file(path, bag, strlen(bag));
    snprintf(text, sizeof text,
             "{\"weft\":1,\"bodies\":[{\"kind\":\"mannequin\"}],\"detail\":{\"parts\":2},"
             "\"cloths\":[{\"mesh\":{\"kind\":\"pattern\",\"file\":\"%s\",\"edge\":0.08}}]}",
             path);
    stage.scene = parse(text);
    if (CHECK(stage.scene && !weft_create_show(stage.scene, NULL, NULL, &stage.show, &last)))
        check_texture(&stage, 2);
    close_stage(&stage);
    remove(path);
}

// ---------------------------------------------------------------------------------------------
// Render meshes

// Over the grid of 1 m that stands at `place`, 1 cm above it and 2 cm beyond its borders.
static const char* const sheet =
    "v -0.02 0.01 0.02\nv 1.02 0.01 0.02\nv 1.02 0.01 -1.02\nv -0.02 0.01 -1.02\n"
    "v 0.5 0.01 -0.5\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n";

static void render_meshes_start_where_they_are(void) {
    Stage stage;
    char text[500];
    const char* path = test_path("sheet.obj");
    save_file(path, sheet, strlen(sheet));
    for (int placed = 0; placed < 2; placed++) {
        snprintf(text, sizeof text,
                 "{\"weft\":1,\"cloths\":[" GRID("4") ",\"place\":{\"move\":[0,2,0]},"
                 "\"detail\":{\"mesh\":\"%s\"%s}" PINNED "}]}",
                 path, placed ? ",\"surface\":\"flat\",\"place\":{\"move\":[0,2.02,0]}" : "");
        if (!open_stage(&stage, text)) continue;
        CHECK(weft_show_vertex_count(stage.show) == 5);
        CHECK(weft_show_triangle_count(stage.show) == 4);
        check_range(weft_show_parts(stage.show), 4, 0, 32);
        weft_show_frame(stage.show, stage.state, NULL, stage.positions, stage.normals);
        const double* shown = weft_show_positions(stage.show);
        CHECK_NEAR(shown[0], -0.02, 1e-9);
        CHECK_NEAR(shown[1], placed ? 2.03 : 2.01, 1e-9);
        CHECK_NEAR(shown[12], 0.5, 1e-9);
        // its texture is that of the cloth
        float texture[10];
        CHECK(weft_show_material(stage.show, texture, NULL) == 5);
        CHECK_NEAR(texture[0], -0.02, 1e-6);
        CHECK_NEAR(texture[8], 0.5, 1e-6);
        step_stage(&stage, 20);
        check_floats(&stage);
        CHECK(furthest(&stage, 0) < 0.05);
        close_stage(&stage);
    }
    remove(path);
}

// Of another pose, in other units, or of something else.
static void render_meshes_beside_are_refused(void) {
    char text[400];
    const char* path = test_path("sheet.obj");
    WeftModel* model = NULL;
    WeftShow* show = NULL;
    save_file(path, sheet, strlen(sheet));
    snprintf(text, sizeof text,
             "{\"weft\":1,\"cloths\":[" GRID("4") ",\"detail\":{\"mesh\":\"%s\","
             "\"place\":{\"move\":[0,0.3,0]}}}]}",
             path);
    WeftScene* scene = parse(text);
    if (CHECK(scene && !weft_create_model(&scene->model, &model, &last))) {
        CHECK(weft_create_show(scene, model, NULL, &show, &last) == WEFT_ERROR_INPUT && !show);
        CHECK_TEXT(last.message, "cloth 0: the mesh that it is shown by is 0.311 m from it");
    }
    CHECK(!strstr(last.message, "seems to be in"));
    weft_destroy_model(model);
    weft_destroy_scene(scene);
    remove(path);
}

// Programs that draw like other units.
static void units_are_guessed(void) {
    static const double scales[] = {100, 1000, 1 / 0.0254, 10};
    static const char* const units[] = {"centimetres: \"scale\" it by 0.01 in its \"place\"",
                                        "millimetres", "inches", NULL};
    char text[400];
    const char* path = test_path("sheet.obj");
    save_file(path, sheet, strlen(sheet));
    for (int i = 0; i < 4; i++) {
        WeftShow* show = NULL;
        snprintf(text, sizeof text,
                 "{\"weft\":1,\"cloths\":[" GRID("4") ",\"detail\":{\"mesh\":\"%s\","
                 "\"place\":{\"scale\":%.17g}}}]}",
                 path, scales[i]);
        WeftScene* scene = parse(text);
        if (!CHECK(scene != NULL)) continue;
        CHECK(weft_create_show(scene, NULL, NULL, &show, &last) == WEFT_ERROR_INPUT);
        if (units[i]) CHECK_TEXT(last.message, units[i]);
        if (!units[i]) CHECK(!strstr(last.message, "seems to be in"));
        weft_destroy_scene(scene);
    }
    remove(path);
}

// ---------------------------------------------------------------------------------------------
// Learned files

#define RIPPLED "{\"weft\":1,\"cloths\":[" GRID("3") "}]}"

static void print_learned(char text[400], const char* size, const char* path) {
    snprintf(text, 400,
             "{\"weft\":1,\"detail\":\"%s\",\"cloths\":[{\"mesh\":{\"kind\":\"grid\","
             "\"columns\":%s,\"rows\":3}" PINNED "}]}",
             path, size);
}

static void learned_files(void) {
    Stage stage;
    char text[400];
    WeftDetailInfo info;
    const char* path = test_path("ripple.detail");
    save_ripple(RIPPLED, path);
    CHECK(count_files() == 1);  // no part is left
    CHECK(!weft_inspect_detail_file(path, &info, &last));
    CHECK(strcmp(info.name, "ripple") == 0 && info.parts == 2 && info.coarse_vertices == 16);
    print_learned(text, "3", path);
    if (open_stage(&stage, text)) {
        CHECK(weft_show_vertex_count(stage.show) == info.vertices);
        CHECK(strcmp(weft_detail_name(weft_show_detail(stage.show, 0)), "ripple") == 0);
        weft_show_frame(stage.show, stage.state, NULL, stage.positions, stage.normals);
        CHECK_NEAR(furthest(&stage, 0), 0.005, 5e-4);
        check_floats(&stage);
        check_texture(&stage, 2);
    }
    close_stage(&stage);
    remove(path);
}

// Whatever the scene says; NULL: as it is simulated.
static void details_are_set(void) {
    const char* path = test_path("ripple.detail");
    WeftShow* show = NULL;
    save_ripple(RIPPLED, path);
    WeftScene* scene = parse("{\"weft\":1,\"cloths\":[" GRID(
        "3") ",\"detail\":{\"parts\":3}},{\"mesh\":{\"kind\":\"rope\"}}]}");
    CHECK(!weft_set_scene_detail(scene, 0, path, &last));
    CHECK(!weft_create_show(scene, NULL, NULL, &show, &last));
    CHECK(weft_detail_parts(weft_show_detail(show, 0)) == 2 && !weft_show_detail(show, 1));
    weft_destroy_show(show);
    CHECK(!weft_set_scene_detail(scene, 0, NULL, &last));
    CHECK(!weft_create_show(scene, NULL, NULL, &show, &last));
    CHECK(!weft_show_detail(show, 0));
    weft_destroy_show(show);
    CHECK(weft_set_scene_detail(scene, 1, path, &last) == WEFT_ERROR_INPUT);
    CHECK_TEXT(last.message, "cloth 1 is a rope");
    weft_destroy_scene(scene);
    remove(path);
}

// What a show is refused for, by a file of `size` bytes; messages begin with the path.
static void refuse_file(const char* size, const char* path, WeftResult expected,
                        const char* message) {
    char text[400];
    WeftModel* model = NULL;
    WeftShow* show = NULL;
    print_learned(text, size, path);
    WeftScene* scene = parse(text);
    if (CHECK(scene && !weft_create_model(&scene->model, &model, &last))) {
        CHECK(weft_create_show(scene, model, NULL, &show, &last) == expected && !show);
        CHECK(strncmp(last.message, path, strlen(path)) == 0);
        CHECK_TEXT(last.message, message);
    }
    weft_destroy_model(model);
    weft_destroy_scene(scene);
}

static void learned_files_are_refused(void) {
    const char* path = test_path("ripple.detail");
    size_t count;
    WeftDetailInfo info;
    refuse_file("3", path, WEFT_ERROR_FILE, "No such file");
    save_ripple(RIPPLED, path);
    refuse_file("4", path, WEFT_ERROR_INPUT, "is of a mesh of 16 vertices");
    unsigned char* bytes = load_file(path, &count);
    save_file(path, bytes, count - 1);
    refuse_file("3", path, WEFT_ERROR_INPUT, "bytes, and here are");
    bytes[count / 2] ^= 1;
    save_file(path, bytes, count);
    refuse_file("3", path, WEFT_ERROR_INPUT, "damaged");
    CHECK(weft_inspect_detail_file(path, &info, &last) == WEFT_ERROR_INPUT);
    CHECK(strncmp(last.message, path, strlen(path)) == 0);
    free(bytes);
    remove(path);
}

// Nothing was learned where a cloth is shown in parts, and no folder takes a file.
static void what_cannot_be_saved(void) {
    Stage stage;
    if (!open_stage(&stage, "{\"weft\":1,\"detail\":{\"parts\":2},\"cloths\":[" GRID("2") "}]}"))
        return;
    const WeftDetail* detail = weft_show_detail(stage.show, 0);
    CHECK(weft_save_detail_file(test_path("no.detail"), detail, &last) == WEFT_ERROR_INPUT);
    CHECK_TEXT(last.message, "nothing was learned");
    close_stage(&stage);
    WeftScene* scene = parse(RIPPLED);
    WeftDetail* learned = learn_ripple(&scene->meshes[0]);
    CHECK(weft_save_detail_file("/nowhere/a.detail", learned, &last) == WEFT_ERROR_FILE);
    CHECK_TEXT(last.message, "/nowhere/a.detail");
    weft_destroy_detail(learned);
    weft_destroy_scene(scene);
    CHECK(count_files() == 0);
}

// ---------------------------------------------------------------------------------------------
// Bodies and mirrors

// A square of 0.8 m in 8 x 8 cells.
static void save_lining(const char* path, double height) {
    FILE* file = fopen(path, "w");
    for (int i = 0; i < 81; i++)
        fprintf(file, "v %g %g %g\n", 0.1 * (i % 9) - 0.4, height, 0.4 - 0.1 * (i / 9));
    for (int i = 0; i < 72; i++)
        if (i % 9 < 8) fprintf(file, "f %d %d %d %d\n", i + 1, i + 2, i + 11, i + 10);
    fclose(file);
}

// A lining, 30 mm below cloth that lies on a ball, would be inside it.
static void outside_of_bodies(void) {
    Stage stage;
    char text[500];
    const char* path = test_path("lining.obj");
    save_lining(path, 0.24);
    snprintf(text, sizeof text,
             "{\"weft\":1,\"bodies\":[{\"kind\":\"sphere\",\"radius\":0.25}],"
             "\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"width\":0.8,\"height\":0.8,"
             "\"columns\":6,\"rows\":6},\"place\":{\"move\":[-0.4,0.27,0.4]},"
             "\"detail\":{\"mesh\":\"%s\",\"place\":{}}}]}",
             path);
    if (open_stage(&stage, text)) {
        step_stage(&stage, 20);
        const double* shown = weft_show_positions(stage.show);
        double least = HUGE_VAL;
        for (int i = 0; i < weft_show_vertex_count(stage.show); i++) {
            const double* x = shown + 3 * (size_t)i;
            least = fmin(least, sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]));
        }
        CHECK(least > 0.25 && least < 0.255);
        CHECK(furthest(&stage, 0) > 0.02);  // where nothing is in the way, it is below
    }
    close_stage(&stage);
    remove(path);
}

// Half of it is simulated, and all of it shown.
static void mirrors_show_both_halves(void) {
    Stage stage;
    if (!open_stage(&stage,
                    "{\"weft\":1,\"mirror\":\"exact\",\"detail\":{\"parts\":3},\"cloths\":["
                    "{\"mesh\":{\"kind\":\"grid\",\"columns\":4,\"rows\":4},"
                    "\"place\":{\"move\":[-0.5,0,0]},"
                    "\"pins\":[{\"vertices\":[0,4]}]}]}"))
        return;
    CHECK(stage.scene->model.mirror.kind == WEFT_MIRROR_EXACT);
    CHECK(weft_simulated_count(stage.model) < weft_vertex_count(stage.model));
    step_stage(&stage, 20);
    const double* shown = weft_show_positions(stage.show);
    int count = weft_show_vertex_count(stage.show), left = 0, right = 0, paired = 0;
    for (int i = 0; i < count; i++) {
        left += shown[3 * i]<-1e-6, right += shown[3 * i]> 1e-6;
        for (int j = 0; j < count; j++)
            if (fabs(shown[3 * i] + shown[3 * j]) < 1e-6 &&
                fabs(shown[3 * i + 1] - shown[3 * j + 1]) < 1e-6 &&
                fabs(shown[3 * i + 2] - shown[3 * j + 2]) < 1e-6) {
                paired++;
                break;
            }
    }
    CHECK(left > 0 && left == right);
    CHECK(paired == count);
    close_stage(&stage);
}

// ---------------------------------------------------------------------------------------------
// What scenes may say

static void refuse(const char* text, const char* message) {
    WeftScene* scene = parse(text);
    CHECK(!scene && last.result == WEFT_ERROR_INPUT);
    CHECK_TEXT(last.message, message);
    weft_destroy_scene(scene);
}

static void keys(void) {
    refuse(SCENE(",\"detail\":3"), "t.json:2:11: \"detail\" must be the name of a file, or");
    refuse(SCENE(",\"detail\":\"\""), "t.json:2:11: \"detail\" names no file");
    refuse(SCENE(",\"detial\":\"a\""),
           "t.json:2:2: unknown key \"detial\"; did you mean \"detail\"?");
    refuse(SCENE(",\"detail\":{\"part\":2}"), "did you mean \"parts\"?");
    refuse(SCENE(",\"detail\":{\"mesh\":\"\"}"), "t.json:2:19: \"mesh\" names no file");
    refuse(SCENE(",\"detail\":{}"), "t.json:2:11: give \"parts\" or \"mesh\"");
    refuse(SCENE(",\"detail\":{\"parts\":2,\"mesh\":\"a.obj\"}"), "\"mesh\", not both");
    refuse(SCENE(",\"detail\":{\"parts\":17}"), "t.json:2:20: \"parts\" must be 1 to 16, not 17");
    refuse(SCENE(",\"detail\":{\"parts\":\"2\"}"), "\"parts\" must be a whole number, not a text");
    refuse(SCENE(",\"detail\":{\"parts\":2,\"surface\":\"round\"}"),
           "\"surface\" must be \"flat\" or \"smooth\", not \"round\"");
    refuse(SCENE(",\"detail\":{\"parts\":2,\"place\":{}}"),
           "t.json:2:22: \"place\" is of a \"mesh\", and here is none");
    refuse("{\"weft\":1,\"detail\":{\"parts\":2},\"cloths\":[" CLOTH "}," CLOTH "}]}",
           "\"detail\" is of one cloth, and here are 2: give it to a cloth");
    refuse("{\"weft\":1,\"detail\":{\"parts\":2},\"cloths\":[" CLOTH ",\"detail\":{\"parts\":3}}]}",
           "t.json:1:11: the cloth has a \"detail\" of its own");
    refuse("{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"rope\"},\"detail\":{\"parts\":2}}]}",
           "a rope is shown as it is");
    refuse(
        "{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"columns\":200,\"rows\":200},"
        "\"detail\":{\"parts\":8}}]}",
        "80000 triangles with edges in 8 parts would be shown as 5120000 triangles: 4000000");
    CHECK(!parse(SCENE(",\"detail\":{\"mesh\":\"no.obj\"}")));
    CHECK(last.result == WEFT_ERROR_FILE);
    CHECK_TEXT(last.message, "t.json:2:11: no.obj: cannot open");
}

// Whatever allocation fails, nothing is left behind; and frames take none.
static void memory(void) {
    Counting counting = {0};
    WeftAllocator allocator = counting_allocator(&counting);
    WeftModel* model = NULL;
    WeftState* state = NULL;
    WeftShow* show = NULL;
    char text[500];
    const char* path = test_path("sheet.obj");
    save_file(path, sheet, strlen(sheet));
    snprintf(text, sizeof text,
             "{\"weft\":1,\"bodies\":[{\"kind\":\"box\",\"size\":[1,1,1]}],\"cloths\":[" GRID("2") "}," GRID("2") ",\"detail\":{\"parts\":2}}," GRID(
                 "2") ",\"detail\":{\"mesh\":\"%s\"}}]}",
             path);
    WeftScene* scene = parse(text);
    if (!CHECK(scene && !weft_create_model(&scene->model, &model, &last))) return;
    CHECK(!weft_create_show(scene, model, &allocator, &show, &last));
    long calls = counting.calls;
    CHECK(!weft_create_state(model, &state, &last));
    weft_show_frame(show, state, NULL, NULL, NULL);
    CHECK(counting.calls == calls);
    weft_destroy_state(state);
    weft_destroy_show(show);
    CHECK(counting.live == 0 && calls > 10);
    for (long fail = 1; fail <= calls; fail++) {
        counting.calls = 0, counting.fail_at = fail;
        CHECK(weft_create_show(scene, model, &allocator, &show, &last) == WEFT_ERROR_MEMORY);
        CHECK(!show && counting.live == 0);
    }
    weft_destroy_model(model);
    weft_destroy_scene(scene);
    remove(path);
}

TEST_MAIN(CASE(cloths_side_by_side), CASE(plain_scenes), CASE(smooth_by_default),
          CASE(ropes_keep_their_lines), CASE(texture_between_corners), CASE(texture_at_seams),
          CASE(texture_of_garments), CASE(jobs_change_no_bit),
          CASE(render_meshes_start_where_they_are), CASE(render_meshes_beside_are_refused),
          CASE(units_are_guessed), CASE(learned_files), CASE(details_are_set),
          CASE(learned_files_are_refused), CASE(what_cannot_be_saved), CASE(outside_of_bodies),
          CASE(mirrors_show_both_halves), CASE(keys), CASE(memory))

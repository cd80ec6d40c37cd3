// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards texture coordinates of scenes: those of material points, and where panels of garments lie
// beside one another.

#include "file_test.h"
#include "scene_test.h"

// A bag of two panels whose sides run both ways round, one with its grain across, and a belt that
// needs a row of its own.
static const char* const bag =
    "{\"weft_pattern\": 1, \"name\": \"bag\", \"panels\": [\n"
    " {\"name\": \"front\", \"sides\": [[0.3, 0], [0.3, 0.4], [0, 0.4], [0, 0]],\n"
    "  \"place\": {\"move\": [-0.15, 1, 0.2]}},\n"
    " {\"name\": \"back\", \"grain\": 90, \"sides\": [[0, 0.4], [0.3, 0.4], [0.3, 0], [0, 0]],\n"
    "  \"place\": {\"move\": [-0.15, 1, -0.2]}},\n"
    " {\"name\": \"belt\", \"sides\": [[1.2, 0], [1.2, 0.05], [0, 0.05], [0, 0]],\n"
    "  \"place\": {\"move\": [-0.6, 1.5, 0.3]}}],\n"
    " \"seams\": [{\"a\": [\"front\", 0], \"b\": [\"back\", 1]},\n"
    "  {\"a\": [\"front\", 2], \"b\": [\"back\", 3]}]}";

// A rope has one point for all; a grid has its material.
static void cloths_keep_their_material(void) {
    WeftScene* scene =
        parse("{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"rope\",\"segments\":2}}," CLOTH "}]}");
    if (!CHECK(scene != NULL)) return;
    const WeftMesh* grid = &scene->meshes[1];
    float texture[2 * 10];
    int corners[3 * 8];
    CHECK(weft_scene_material(scene, NULL, NULL) == 10 && grid->triangle_count == 8);
    CHECK(weft_scene_material(scene, texture, corners) == 10);
    CHECK(texture[0] == 0 && texture[1] == 0);
    for (int i = 0; i < 18; i++) CHECK(texture[2 + i] == (float)grid->material[i]);
    for (int i = 0; i < 24; i++) CHECK(corners[i] == 1 + grid->triangles[i]);
    weft_destroy_scene(scene);
}

static WeftScene* parse_bag(void) {
    char text[400];
    const char* path = test_path("bag.json");
    save_file(path, bag, strlen(bag));
    snprintf(text, sizeof text,
             "{\"weft\":1,\"bodies\":[{\"kind\":\"mannequin\"}],\"cloths\":[" CLOTH
             "},{\"mesh\":{\"kind\":\"pattern\",\"file\":\"%s\",\"edge\":0.05}}]}",
             path);
    WeftScene* scene = parse(text);
    if (!CHECK(scene != NULL)) printf("%s\n", last.message);
    remove(path);
    return scene;
}

typedef struct Box {
    float low[2], high[2];
} Box;

static Box find_box(const WeftGarment* garment, int count, const float* texture, int panel) {
    Box box = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 2 && garment->material_panel[i] == panel; k++) {
            box.low[k] = fminf(box.low[k], texture[2 * i + k]);
            box.high[k] = fmaxf(box.high[k], texture[2 * i + k]);
        }
    return box;
}

static void check_box(Box box, double width, double height) {
    CHECK_NEAR(box.high[0] - box.low[0], width, 1e-6);
    CHECK_NEAR(box.high[1] - box.low[1], height, 1e-6);
}

// No triangle is mirrored, and all are as large as they were cut.
static void check_triangles(const WeftMesh* mesh, const float* texture, const int* corners) {
    for (int t = 0; t < mesh->triangle_count; t++) {
        const float* p[3];
        const double* m[3];
        for (int k = 0; k < 3; k++) {
            p[k] = texture + 2 * corners[3 * t + k];
            m[k] = mesh->material + 2 * mesh->triangle_material[3 * t + k];
        }
        float area =
            (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[2][0] - p[0][0]) * (p[1][1] - p[0][1]);
        double cut =
            (m[1][0] - m[0][0]) * (m[2][1] - m[0][1]) - (m[2][0] - m[0][0]) * (m[1][1] - m[0][1]);
        CHECK(area > 0);
        CHECK_NEAR(area, cut, 1e-6);
    }
}

// Upright where the grain is, as the warp is along v: the back, whose grain is across, lies on its
// side.
static void panels_lie_beside_one_another(void) {
    WeftScene* scene = parse_bag();
    if (!scene) return;
    const WeftMesh* mesh = &scene->meshes[1];
    const WeftGarment* garment = &scene->wears[0].garment;
    int points = weft_scene_material(scene, NULL, NULL);
    int triangles = scene->meshes[0].triangle_count + mesh->triangle_count;
    CHECK(points == 9 + mesh->material_count && mesh->material_count > mesh->vertex_count);
    float* texture = calloc(2 * (size_t)points, sizeof *texture);
    int* corners = calloc(3 * (size_t)triangles, sizeof *corners);
    if (!texture || !corners) abort();
    CHECK(weft_scene_material(scene, texture, corners) == points);
    const float* own = texture + 2 * 9;
    Box boxes[3];
    for (int p = 0; p < 3; p++) boxes[p] = find_box(garment, mesh->material_count, own, p);
    check_box(boxes[0], 0.3, 0.4);
    check_box(boxes[1], 0.4, 0.3);
    check_box(boxes[2], 1.2, 0.05);
    CHECK(boxes[0].low[0] == 0 && boxes[0].low[1] == 0 && boxes[2].low[0] == 0);
    CHECK(boxes[1].low[0] > boxes[0].high[0] && boxes[1].low[1] == 0);
    CHECK(boxes[2].low[1] > boxes[0].high[1]);
    check_triangles(mesh, texture, corners + 3 * scene->meshes[0].triangle_count);
    free(texture);
    free(corners);
    weft_destroy_scene(scene);
}

TEST_MAIN(CASE(cloths_keep_their_material), CASE(panels_lie_beside_one_another))

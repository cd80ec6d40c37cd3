// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards texture coordinates of scenes: those of material points, and where panels of garments lie
// beside one another, halves of panels on the fold joined.

#include "file_test.h"
#include "overlap_test.h"
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

// A garment, beside other cloth or with `mirror`, keys of the scene.
static WeftScene* parse_garment(const char* pattern, const char* mirror) {
    char text[400];
    const char* path = test_path("garment.json");
    save_file(path, pattern, strlen(pattern));
    snprintf(text, sizeof text,
             "{\"weft\":1,%s\"bodies\":[{\"kind\":\"mannequin\"}],\"cloths\":[%s"
             "{\"mesh\":{\"kind\":\"pattern\",\"file\":\"%s\",\"edge\":0.05}}]}",
             mirror, mirror[0] ? "" : CLOTH "},", path);
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
    WeftScene* scene = parse_garment(bag, "");
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

// ---------------------------------------------------------------------------------------------
// Folds

// A tube of two panels on the fold, of which the back is drawn from the fold to the left, with a
// hole on the fold and a pocket. `%s` is the grain of the front.
static const char* const folded =
    "{\"weft_pattern\": 1, \"name\": \"tube\", \"mirror\": true, \"panels\": [\n"
    " {\"name\": \"front\", \"grain\": %s, \"place\": {\"move\": [-0.1, 0.5, 0.3]},\n"
    "  \"sides\": [[0.5, 0], [0.45, 0.5], {\"to\": [0.1, 0.4], \"control\": [[0.3, 0.4]]},\n"
    "   {\"to\": [0.1, 0], \"on_fold\": true}]},\n"
    " {\"name\": \"pocket\", \"place\": {\"move\": [0.1, 0.6, 0.4]},\n"
    "  \"sides\": [[0.1, 0], [0.1, 0.15], [0, 0.15], [0, 0]]},\n"
    " {\"name\": \"back\", \"sides\": [[0, 0], {\"to\": [0, 0.1], \"on_fold\": true},\n"
    "   [-0.1, 0.15], [0, 0.2],\n"
    "   {\"to\": [0, 0.5], \"on_fold\": true}, [-0.35, 0.5], [-0.4, 0]],\n"
    "  \"place\": {\"move\": [0, 0.5, -0.3], \"turn\": {\"axis\": [0, 1, 0], \"degrees\": "
    "180}}}],\n"
    " \"seams\": [{\"a\": [\"front\", 1], \"b\": [\"back\", 6], \"ends\": \"opposite\"}]}";

typedef struct Layout {
    WeftScene* scene;
    const WeftMesh* mesh;  // of its only cloth
    const WeftGarment* garment;
    float* texture;
    int* corners;
} Layout;

static bool lay_out(const char* pattern, const char* mirror, Layout* l) {
    *l = (Layout){.scene = parse_garment(pattern, mirror)};
    if (!l->scene) return false;
    int cloth = l->scene->model.cloth_count - 1;
    CHECK(cloth == 0);
    l->mesh = &l->scene->meshes[cloth];
    l->garment = &l->scene->wears[0].garment;
    int points = weft_scene_material(l->scene, NULL, NULL);
    l->texture = calloc(2 * (size_t)points, sizeof *l->texture);
    l->corners = calloc(3 * (size_t)l->mesh->triangle_count, sizeof *l->corners);
    if (!l->texture || !l->corners) abort();
    CHECK(weft_scene_material(l->scene, l->texture, l->corners) == points);
    return true;
}

static void clear_layout(Layout* l) {
    free(l->texture);
    free(l->corners);
    weft_destroy_scene(l->scene);
}

static void check_no_overlap(const Layout* l) {
    int count = l->mesh->triangle_count;
    double* corners = calloc(6 * (size_t)count, sizeof *corners);
    if (!corners) abort();
    for (int i = 0; i < 6 * count; i++) corners[i] = l->texture[2 * l->corners[i / 2] + i % 2];
    CHECK(count_overlaps(corners, count) == 0);
    free(corners);
}

// The corner of triangle t at vertex v.
static const float* texture_at(const Layout* l, int t, int v) {
    int k = 0;
    while (k < 2 && l->mesh->triangles[3 * t + k] != v) k++;
    return l->texture + 2 * l->corners[3 * t + k];
}

// Of a panel's edges in the plane: how many there are, and how many are not joined to the image in
// the texture, to the last bit.
static int count_plane_edges(const Layout* l, int panel, int* apart) {
    const WeftMesh* mesh = l->mesh;
    int n = mesh->triangle_count / 2, count = 0;
    *apart = 0;
    for (int c = 0; c < 3 * mesh->triangle_count; c++) {
        int t = c / 3, v = mesh->triangles[c], w = mesh->triangles[3 * t + (c + 1) % 3];
        if (l->garment->panels[t] != panel || mesh->images[v] != v || mesh->images[w] != w)
            continue;
        count++;
        for (int u = 0; u < 2 * n; u++) {
            int at[2] = {0, 0};
            for (int k = 0; k < 3; k++) {
                at[0] += mesh->triangles[3 * u + k] == v;
                at[1] += mesh->triangles[3 * u + k] == w;
            }
            if (u == t || !at[0] || !at[1]) continue;
            *apart += memcmp(texture_at(l, t, v), texture_at(l, u, v), 2 * sizeof(float)) != 0 ||
                      memcmp(texture_at(l, t, w), texture_at(l, u, w), 2 * sizeof(float)) != 0;
        }
    }
    return count;
}

// With the warp along the fold or across it, halves lie joined; where it is oblique, the image of
// the front lies by itself.
static void halves_lie_joined(void) {
    static const char* const grains[] = {"0", "90", "-90", "180", "1", "30"};
    for (int i = 0; i < 6; i++) {
        char pattern[1500];
        Layout l;
        int front_apart, back_apart;
        snprintf(pattern, sizeof pattern, folded, grains[i]);
        if (!lay_out(pattern, "\"mirror\":\"exact\",", &l)) return;
        CHECK(l.garment->panel_count == 6);
        CHECK(count_plane_edges(&l, 0, &front_apart) == 8);
        CHECK(front_apart == (i == 5 ? 8 : 0));
        CHECK(count_plane_edges(&l, 4, &back_apart) == 8 && back_apart == 0);
        check_triangles(l.mesh, l.texture, l.corners);
        check_no_overlap(&l);
        clear_layout(&l);
    }
}

// A shirt without a mirror, of panels that are their own images.
static const char* const whole =
    "{\"weft_pattern\": 1, \"name\": \"tube\", \"panels\": [\n"
    " {\"name\": \"front\", \"place\": {\"move\": [0, 0.5, 0.3]}, \"grain\": 90,\n"
    "  \"sides\": [[0.4, 0], [0.35, 0.5], [-0.35, 0.5], [-0.4, 0]]},\n"
    " {\"name\": \"back\", \"place\": {\"move\": [-0.5, 0.5, -0.3]},\n"
    "  \"sides\": [[0.9, 0], [0.85, 0.5], [0.15, 0.5], [0.1, 0]]}],\n"
    " \"seams\": [{\"a\": [\"front\", 1], \"b\": [\"back\", 1], \"ends\": \"same\"},\n"
    "  {\"a\": [\"front\", 3], \"b\": [\"back\", 3], \"ends\": \"same\"}]}";

// Cut in two for a mirror, panels lie where they lie without it.
static void mirrors_leave_the_layout(void) {
    Layout one, two;
    if (!lay_out(whole, "\"mirror\":\"exact\",", &two)) return;
    if (!lay_out(whole, "\"mirror\":\"none\",", &one)) {
        clear_layout(&two);
        return;
    }
    CHECK(one.garment->panel_count == 2 && two.garment->panel_count == 4);
    for (int p = 0; p < 2; p++) {
        Box box = find_box(one.garment, one.mesh->material_count, one.texture, p);
        Box half = find_box(two.garment, two.mesh->material_count, two.texture, 2 * p);
        Box image = find_box(two.garment, two.mesh->material_count, two.texture, 2 * p + 1);
        for (int k = 0; k < 2; k++) {
            CHECK_NEAR(fminf(half.low[k], image.low[k]), box.low[k], 1e-6);
            CHECK_NEAR(fmaxf(half.high[k], image.high[k]), box.high[k], 1e-6);
        }
    }
    check_no_overlap(&one);
    check_no_overlap(&two);
    clear_layout(&one);
    clear_layout(&two);
}

TEST_MAIN(CASE(cloths_keep_their_material), CASE(panels_lie_beside_one_another),
          SLOW_CASE(halves_lie_joined), SLOW_CASE(mirrors_leave_the_layout))

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards mirrored patterns (garment/mirror_*.c): what is symmetric is found to be, and what is not
// is named; halves have the sides of the whole; they are sewn to meshes that are their own mirror
// image to the last bit, and put on so.

#include "dress_test.h"
#include "garment/mirror.h"
#include "mesh/curve.h"

static const char* const names[] = {"tshirt", "skirt",  "pleated_skirt", "trousers",
                                    "dress",  "jacket", "cape"};
enum { GARMENTS = sizeof names / sizeof *names };

static WeftError error;
static WeftFindings found;
static WeftPatternSymmetry symmetry;

static bool load(const char* name, const WeftMeasures* body, WeftPattern* pattern) {
    char path[512];
    snprintf(path, sizeof path, WEFT_SOURCE "/garments/%s.json", name);
    return CHECK(!weft_load_pattern(path, body, NULL, pattern, NULL, &error));
}

// A kit as a pattern that owns what it has.
static WeftPattern own_kit(const Kit* kit, const WeftAllocator* allocator) {
    WeftPattern pattern = {0};
    size_t length = weft_print_pattern(&kit->pattern, NULL, 0);
    char* text = malloc(length + 1);
    weft_print_pattern(&kit->pattern, text, length + 1);
    if (!CHECK(!weft_parse_pattern(text, length, "kit", NULL, allocator, &pattern, NULL, &error)))
        printf("%s\n", error.message);
    free(text);
    return pattern;
}

static WeftResult mirror(WeftPattern* pattern) {
    weft_destroy_findings(&found);
    error = (WeftError){0};
    return weft_mirror_pattern(pattern, 0, &symmetry, &found, &error);
}

static bool must_mirror(WeftPattern* pattern) {
    bool good = CHECK(mirror(pattern) == WEFT_OK);
    if (!good) printf("%s: %s\n", pattern->name, error.message);
    return good;
}

// Refused with these words, and left as it was.
static void refuse(WeftPattern* pattern, const char* words) {
    int panels = pattern->panel_count;
    CHECK(mirror(pattern) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, words);
    CHECK(pattern->panel_count == panels && !wf_is_mirrored(pattern));
}

static bool has_found(const char* words) {
    for (int i = 0; i < found.count; i++)
        if (strstr(found.lines[i], words)) return true;
    for (int i = 0; i < found.count; i++) printf("  %s\n", found.lines[i]);
    return false;
}

// ---------------------------------------------------------------------------------------------
// Lengths and areas, exact to rounding: Gauss and Legendre, with five points in many pieces

enum { PIECES = 64 };

// Of a side, its length and the integral of u dv.
static void measure_side(const double* start, const WeftSide* side, double* length, double* area) {
    static const double at[5] = {-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831,
                                 0.9061798459386640};
    static const double weight[5] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                     0.4786286704993665, 0.2369268850561891};
    int n = side->control_count + 1;
    double p[4][2];
    memcpy(p[0], start, sizeof p[0]);
    for (int i = 1; i < n; i++) memcpy(p[i], side->control[i - 1], sizeof p[i]);
    memcpy(p[n], side->end, sizeof p[n]);
    for (int i = 0; i < 5 * PIECES; i++) {
        double t = (i / 5 + (1 + at[i % 5]) / 2) / PIECES, q[4][2],
               w = weight[i % 5] / (2 * PIECES);
        memcpy(q, p, sizeof q);
        for (int level = n; level > 1; level--)
            for (int k = 0; k < 2 * level; k++)
                q[k / 2][k % 2] += t * (q[k / 2 + 1][k % 2] - q[k / 2][k % 2]);
        double du = n * (q[1][0] - q[0][0]), dv = n * (q[1][1] - q[0][1]);
        *length += w * sqrt(du * du + dv * dv);
        *area += w * (q[0][0] + t * (q[1][0] - q[0][0])) * dv;
    }
}

// Of all panels without what is on folds: length of the sides, and area.
static void measure_pattern(const WeftPattern* pattern, double* length, double* area) {
    *length = *area = 0;
    for (int p = 0; p < pattern->panel_count; p++) {
        const WeftPanel* panel = &pattern->panels[p];
        for (int s = 0; s < panel->side_count; s++) {
            double fold = 0;
            measure_side(wf_side_start(panel, s), &panel->sides[s].curve,
                         panel->sides[s].on_fold ? &fold : length, area);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// What a mirrored garment is

static int count_uneven(const WeftMesh* mesh) {
    int uneven = 0;
    for (int v = 0; v < mesh->vertex_count; v++) {
        int image = mesh->images[v];
        WfVec x = wf_load(mesh->positions, v), y = wf_load(mesh->positions, image);
        uneven += mesh->images[image] != v || x.x != -y.x || x.y != y.y || x.z != y.z;
        uneven += image == v && x.x != 0;
    }
    return uneven;
}

// Triangles of a panel and its image follow the same order, with two corners exchanged; flat shapes
// are reflected, and the warp stays the warp.
static int count_odd_triangles(const WeftPattern* pattern, const WeftGarment* g) {
    const WeftMesh* mesh = &g->mesh;
    int odd = 0, *first = calloc((size_t)g->panel_count + 1, sizeof *first);
    for (int t = mesh->triangle_count - 1; t >= 0; t--) first[g->panels[t]] = t;
    for (int t = 0; t < mesh->triangle_count; t++) {
        int p = g->panels[t], other = first[wf_panel_image(pattern, p)] + t - first[p];
        for (int k = 0; k < 3; k++) {
            long a = 3L * t + k, b = 3L * other + (k > 0 ? 3 - k : 0);
            const double* x = mesh->material + 2 * (long)mesh->triangle_material[a];
            const double* y = mesh->material + 2 * (long)mesh->triangle_material[b];
            odd += mesh->images[mesh->triangles[a]] != mesh->triangles[b];
            odd += x[0] != y[0] || x[1] != -y[1];
        }
    }
    free(first);
    return odd;
}

static void check_even(const WeftPattern* pattern, const WeftGarment* g) {
    CHECK(count_uneven(&g->mesh) == 0);
    CHECK(count_odd_triangles(pattern, g) == 0);
    check_halves(&g->mesh);
    for (int s = 0; s < g->seam_count; s++) check_seam(pattern, g, s);
}

// Degrees.
static double least_flat_angle(const WeftMesh* mesh) {
    double least = 180;
    for (long c = 0; c < 3L * mesh->triangle_count; c++) {
        const double* x[3];
        for (long k = 0; k < 3; k++)
            x[k] = mesh->material + 2 * (long)mesh->triangle_material[c / 3 * 3 + (c % 3 + k) % 3];
        double a[2] = {x[1][0] - x[0][0], x[1][1] - x[0][1]};
        double b[2] = {x[2][0] - x[0][0], x[2][1] - x[0][1]};
        double angle = atan2(fabs(a[0] * b[1] - a[1] * b[0]), a[0] * b[0] + a[1] * b[1]);
        least = fmin(least, angle * 180 / TEST_PI);
    }
    return least;
}

static double mesh_area(const WeftMesh* mesh) {
    double sum = 0;
    for (int t = 0; t < mesh->triangle_count; t++) sum += material_area(mesh, mesh->material, t);
    return sum;
}

// How many vertices a model simulates of a mirrored mesh.
static int count_simulated(const WeftMesh* mesh) {
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, mesh);
    cloth.stretch = WEFT_STRETCH_TRIANGLES;
    WeftModelDef def = weft_default_model_def();
    WeftModel* model = NULL;
    def.cloths = &cloth, def.cloth_count = 1;
    def.mirror.kind = WEFT_MIRROR_EXACT;
    if (!CHECK(!weft_create_model(&def, &model, &error))) printf("%s\n", error.message);
    int count = model ? weft_simulated_count(model) : 0;
    weft_destroy_model(model);
    return count;
}

// ---------------------------------------------------------------------------------------------
// Patterns that come with weft

// All are symmetric to rounding, and halves have all of their sides and area.
static void ready_garments_are_symmetric(void) {
    for (int i = 0; i < GARMENTS; i++) {
        WeftPattern pattern;
        double length[2], area[2];
        if (!load(names[i], NULL, &pattern)) continue;
        measure_pattern(&pattern, &length[0], &area[0]);
        if (must_mirror(&pattern)) {
            CHECK_BELOW(symmetry.deviation, 1e-12);
            CHECK_BELOW(symmetry.grain, 1e-6);
            CHECK(symmetry.unpaired_panels == 0 && symmetry.unpaired_seams == 0 &&
                  found.count == 0);
            measure_pattern(&pattern, &length[1], &area[1]);
            CHECK_NEAR(length[1] / length[0], 1, 1e-12);
            CHECK_NEAR(area[1] / area[0], 1, 1e-12);
            // once more does nothing
            int panels = pattern.panel_count;
            CHECK(must_mirror(&pattern) && pattern.panel_count == panels);
        }
        weft_destroy_pattern(&pattern);
    }
}

// As good as the mesh of the whole.
static void compare_meshes(const WeftPattern* pattern, const WeftPattern* mirrored, double edge) {
    WeftGarment before, after;
    if (!CHECK(!weft_sew_pattern(pattern, edge, NULL, &before, NULL, &error))) return;
    if (CHECK(!weft_sew_pattern(mirrored, edge, NULL, &after, &found, &error))) {
        int n = after.mesh.vertex_count;
        CHECK(found.count == 0 && !before.mesh.images);
        check_even(mirrored, &after);
        CHECK_NEAR((double)n / before.mesh.vertex_count, 1, 0.05);
        CHECK_NEAR(mesh_area(&after.mesh) / mesh_area(&before.mesh), 1, 0.4 * edge);
        CHECK(least_flat_angle(&after.mesh) > 0.6 * least_flat_angle(&before.mesh));
        CHECK_NEAR((double)count_simulated(&after.mesh) / n, 0.5, edge > 0.04 ? 0.05 : 0.03);
        weft_destroy_garment(&after);
    } else {
        printf("%s\n", error.message);
    }
    weft_destroy_garment(&before);
}

static void sew_all(double edge, int first, int end) {
    for (int i = first; i < end; i++) {
        WeftPattern pattern, mirrored;
        int before = test_failures;
        if (!load(names[i], NULL, &pattern) || !load(names[i], NULL, &mirrored)) continue;
        if (must_mirror(&mirrored)) compare_meshes(&pattern, &mirrored, edge);
        if (test_failures > before) printf("(%s, %g m)\n", names[i], edge);
        weft_destroy_pattern(&pattern);
        weft_destroy_pattern(&mirrored);
    }
}
static void sewn_coarsely(void) { sew_all(0.05, 0, GARMENTS); }
static void sewn_as_usual(void) { sew_all(0.02, 0, GARMENTS); }
static void sewn_finely(void) { sew_all(0.01, 0, GARMENTS); }

// Written by halves, and read back.
static void goes_through_files(void) {
    for (int i = 0; i < GARMENTS; i++) {
        WeftPattern pattern, again = {0};
        if (!load(names[i], NULL, &pattern) || !must_mirror(&pattern)) continue;
        size_t length = weft_print_pattern(&pattern, NULL, 0);
        char *text = malloc(length + 1), *second = malloc(length + 1);
        weft_print_pattern(&pattern, text, length + 1);
        CHECK_TEXT(text, "\"mirror\": true");
        if (CHECK(!weft_parse_pattern(text, length, "again", NULL, NULL, &again, &found, &error))) {
            CHECK(weft_print_pattern(&again, second, length + 1) == length);
            CHECK(memcmp(text, second, length) == 0);
            CHECK(again.panel_count == pattern.panel_count);
            CHECK(again.seam_count == pattern.seam_count);
        } else {
            printf("%s: %s\n", names[i], error.message);
        }
        free(text);
        free(second);
        weft_destroy_pattern(&again);
        weft_destroy_pattern(&pattern);
    }
}

// ---------------------------------------------------------------------------------------------
// Small patterns

// Straight sides only: areas and masses stay what they are.
static void a_tube_keeps_its_mass(void) {
    Kit* kit = make_tube_kit(0.5, 0.4, 0.6, 0.4);
    WeftPattern whole = own_kit(kit, NULL), half = own_kit(kit, NULL);
    WeftGarment a, b;
    CHECK(must_mirror(&half) && half.panel_count == 4 && half.seam_count == 4);
    CHECK(!weft_sew_pattern(&whole, 0.03, NULL, &a, NULL, &error));
    CHECK(!weft_sew_pattern(&half, 0.03, NULL, &b, NULL, &error));
    CHECK_NEAR(mesh_area(&b.mesh) / mesh_area(&a.mesh), 1, 1e-12);
    check_even(&half, &b);
    check_areas(&half, &b, 1e-12);
    weft_destroy_garment(&a);
    weft_destroy_garment(&b);
    weft_destroy_pattern(&whole);
    weft_destroy_pattern(&half);
    free(kit);
}

// A blanket around the neck: a rectangle with two holes on the plane, and two beside it.
static const char poncho[] =
    "{\"weft_pattern\": 1, \"panels\": [{\"name\": \"blanket\", \"sides\": [[0.5, -0.3], "
    "{\"to\": [0.5, 0.4], \"bulge\": 0.2}, {\"to\": [-0.5, 0.4], \"bulge\": 0.1},"
    "{\"to\": [-0.5, -0.3], \"bulge\": 0.2}],"
    "\"holes\": [[{\"to\": [0.1, 0], \"bulge\": 1}, {\"to\": [-0.1, 0], \"bulge\": 1}],"
    "[{\"to\": [0.35, 0], \"bulge\": 1}, {\"to\": [0.25, 0], \"bulge\": 1}],"
    "[{\"to\": [-0.25, 0], \"bulge\": 1}, {\"to\": [-0.35, 0], \"bulge\": 1}],"
    "[{\"to\": [0, -0.25], \"bulge\": 1}, {\"to\": [0, -0.15], \"bulge\": 1}]],"
    "\"place\": {\"move\": [0, 1, 0]}}]}";

static void holes_are_halved(void) {
    WeftPattern pattern;
    WeftGarment g;
    if (!CHECK(!weft_parse_pattern(poncho, sizeof poncho - 1, "poncho", NULL, NULL, &pattern, NULL,
                                   &error)))
        return;
    double area = panel_area(&pattern.panels[0]);
    if (must_mirror(&pattern)) {
        const WeftPanel* half = &pattern.panels[0];
        int folds = 0;
        for (int s = 0; s < half->side_count; s++) folds += half->sides[s].on_fold;
        CHECK(pattern.panel_count == 2 && pattern.seam_count == 3 && folds == 3);
        CHECK(half->hole_count == 1 && half->holes[0].sides[0].end[0] > 0);
        CHECK_NEAR(panel_area(half) + panel_area(&pattern.panels[1]), area, 1e-4);
        if (CHECK(!weft_sew_pattern(&pattern, 0.03, NULL, &g, NULL, &error))) {
            check_even(&pattern, &g);
            weft_destroy_garment(&g);
        }
    }
    weft_destroy_pattern(&pattern);
}

// Every point of a half is one of the whole side, at half of its t; arcs likewise by angle.
static void halves_are_the_curve(void) {
    WeftPattern pattern;
    CHECK(!weft_parse_pattern(poncho, sizeof poncho - 1, "poncho", NULL, NULL, &pattern, NULL,
                              &error));
    WeftPanelSide top = pattern.panels[0].sides[2];
    const double start[2] = {0.5, 0.4};
    if (must_mirror(&pattern)) {
        const WeftPanel* half = &pattern.panels[0];
        int s = 0;
        while (s < half->side_count && half->sides[s].curve.bulge != 0.1 / (1 + sqrt(1.01))) s++;
        if (CHECK(s < half->side_count)) {
            // both lie on one circle
            double sagitta = 0.5 * 0.1, radius = (0.25 + sagitta * sagitta) / (2 * sagitta);
            double point[2], off = 0;
            for (int i = 0; i <= 20; i++) {
                weft_side_point(half, s, i / 20.0, point);
                off = fmax(off, fabs(wf_flat_length(point[0], point[1] - (0.4 + sagitta - radius)) -
                                     radius));
            }
            CHECK_BELOW(off, 1e-14);
            wf_side_point(start, &top.curve, 0.5, point);
            CHECK_NEAR(half->sides[s].curve.end[0], 0, 1e-15);
            CHECK_NEAR(half->sides[s].curve.end[1], point[1], 1e-15);
        }
    }
    weft_destroy_pattern(&pattern);
}

// Seams that leave it open which ends meet close the same way on both sides.
static void open_seams_follow(void) {
    Kit* kit = make_tube_kit(0.5, 0.1, 0.6, 2);
    WeftPattern pattern = own_kit(kit, NULL);
    WeftGarment g;
    if (must_mirror(&pattern) &&
        CHECK(!weft_sew_pattern(&pattern, 0.03, NULL, &g, &found, &error))) {
        check_even(&pattern, &g);
        CHECK(g.seam_same[0] == g.seam_same[1]);
        weft_destroy_garment(&g);
    }
    weft_destroy_pattern(&pattern);
    free(kit);
}

// Grain that is aslant is mirrored, too.
static void sleeves_on_the_bias(void) {
    WeftPattern pattern;
    WeftGarment g;
    if (!load("tshirt", NULL, &pattern)) return;
    pattern.panels[2].grain = 45;
    pattern.panels[3].grain = -45;
    if (must_mirror(&pattern) && CHECK(!weft_sew_pattern(&pattern, 0.05, NULL, &g, NULL, &error))) {
        CHECK(pattern.panels[4].grain == 45 && pattern.panels[5].grain == -45);
        check_even(&pattern, &g);
        weft_destroy_garment(&g);
    }
    weft_destroy_pattern(&pattern);
}

// Panels are paired where they are, however they are drawn.
static void drawn_otherwise(void) {
    Kit* kit = open_kit();
    const double left[4][2] = {{0.3, 0}, {0.3, 0.2}, {0.1, 0.5}, {0.1, 0}};
    // its image upside down, about another origin and from another side on: x = 1 - u, y = 1 - v
    const double right[4][2] = {{1.3, 1}, {1.1, 1}, {1.1, 0.5}, {1.3, 0.8}};
    add_panel(kit, "one", 4, left);
    add_panel(kit, "other", 4, right)->place = (WeftPanelPlace){true, {1, 1, 0}, {0, 0, 1, 0}, 0};
    WeftPattern pattern = own_kit(kit, NULL);
    if (must_mirror(&pattern)) {
        CHECK(pattern.panel_count == 2);
        CHECK(strcmp(pattern.panels[0].name, "one") == 0);
        CHECK(strcmp(pattern.panels[1].name, "other") == 0);
    }
    weft_destroy_pattern(&pattern);
    free(kit);
}

// ---------------------------------------------------------------------------------------------
// What is not symmetric

static void a_corner_is_off(void) {
    WeftPattern pattern;
    if (!load("tshirt", NULL, &pattern)) return;
    WeftPanelSide* side = &pattern.panels[0].sides[1];  // left_side
    side->curve.end[1] += 0.012;
    refuse(&pattern,
           "of panel \"front\" is 12.0 mm from being symmetric about x = 0, more than 5.0 mm");
    CHECK_NEAR(symmetry.deviation, 0.012, 1e-9);
    CHECK(symmetry.side.panel == 0 && symmetry.side.side >= 0);
    CHECK(has_found("12.0 mm from the mirror image of side"));
    // less is made symmetric, and told
    side->curve.end[1] -= 0.01;
    CHECK(must_mirror(&pattern) && has_found("2.0 mm from the mirror image of side"));
    CHECK_NEAR(symmetry.deviation, 0.002, 1e-9);
    weft_destroy_pattern(&pattern);
}

static void something_is_missing(void) {
    WeftPattern pattern;
    if (!load("tshirt", NULL, &pattern)) return;
    int seams = pattern.seam_count;
    // a jacket that closes to one side would have a panel like this
    pattern.panels[3].place.position[0] -= 0.3;
    refuse(&pattern, "panel \"left_sleeve\" has no mirror image");
    CHECK(symmetry.unpaired_panels == 2 && symmetry.unpaired_panel == 2);
    pattern.panels[3].place.position[0] += 0.3;
    pattern.seam_count = 1;
    refuse(&pattern,
           "the seam of side \"left_shoulder\" of panel \"front\" and side \"left_shoulder\" "
           "of panel \"back\" has no mirror image");
    CHECK(symmetry.unpaired_seams == 1 && symmetry.unpaired_seam == 0);
    pattern.seam_count = seams;
    snprintf(pattern.panels[2].fabric, WEFT_NAME_SIZE, "denim");
    refuse(&pattern, "panel \"left_sleeve\" is not made of the fabric of its mirror image");
    pattern.panels[2].fabric[0] = 0;
    pattern.panels[0].grain = 30;
    refuse(&pattern, "the grain of panel \"front\" is 60.0 degrees from being symmetric");
    pattern.panels[0].grain = 90;
    pattern.panels[1].place.given = false;
    refuse(&pattern, "panel \"back\" has no place");
    pattern.panels[1].place.given = true;
    CHECK(must_mirror(&pattern));
    weft_destroy_pattern(&pattern);
}

static void labels_differ(void) {
    WeftPattern pattern;
    if (!load("tshirt", NULL, &pattern)) return;
    snprintf(pattern.panels[3].sides[0].label, WEFT_NAME_SIZE, "cuff");
    CHECK(must_mirror(&pattern) && has_found("is labelled \"\" and its mirror image \"cuff\""));
    weft_destroy_pattern(&pattern);
}

// Whoever sets images by hand is told where they are none.
static void false_images(void) {
    Kit* kit = make_tube_kit(0.5, 0.4, 0.6, 0.4);
    WeftGarment g;
    kit->panels[0].image = 2;
    CHECK(weft_sew_pattern(&kit->pattern, 0.05, NULL, &g, NULL, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "panel \"front\" has no mirror image");
    kit->panels[1].image = 1;
    turn_over(&kit->panels[1]);
    CHECK(weft_sew_pattern(&kit->pattern, 0.05, NULL, &g, NULL, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "is no mirror image of panel");
    turn_over(&kit->panels[1]);
    kit->pattern.seam_count = 1;
    CHECK(weft_sew_pattern(&kit->pattern, 0.05, NULL, &g, NULL, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message,
               "the seam of side 1 of panel \"front\" and side 3 of panel \"back\" has");
    kit->names[1].side = 2;  // the image of side 1 of 4
    CHECK(weft_sew_pattern(&kit->pattern, 0.05, NULL, &g, NULL, &error) == WEFT_OK);
    weft_destroy_garment(&g);
    free(kit);
}

static void memory_runs_out(void) {
    Kit* kit = make_tube_kit(0.5, 0.1, 0.6, 2);
    add_hold(kit, "left waist", WEFT_HOLD_ALWAYS);
    Counting counting = {0};
    WeftAllocator allocator = counting_allocator(&counting);
    WeftPattern pattern = own_kit(kit, &allocator);
    long live = counting.live;
    WeftResult result = WEFT_ERROR_MEMORY;
    for (int n = 1; n < 1000 && result; n++) {
        counting.calls = 0, counting.fail_at = n;
        result = weft_mirror_pattern(&pattern, 0, NULL, NULL, &error);
        if (result) CHECK(result == WEFT_ERROR_MEMORY && counting.live == live);
    }
    CHECK(result == WEFT_OK && pattern.hold_count == 2);
    CHECK(strcmp(pattern.holds[1].label, "right waist") == 0);
    weft_destroy_pattern(&pattern);
    CHECK(counting.live == 0);
    free(kit);
}

// ---------------------------------------------------------------------------------------------
// Half patterns in files

#define HALF(front_side, place, middle)                                                           \
    "{\"weft_pattern\": 1, \"mirror\": true, \"panels\": [{\"name\": \"front\", \"sides\": ["     \
    "[0.3, 0], {\"to\": [0.25, 0.5], \"name\": \"side\"}, {\"to\": [0, 0.5], \"label\": \"left "  \
    "waist\"}, " front_side "]" place                                                             \
    "}, {\"name\": \"back\", \"mirror\": \"other_back\", \"sides\": [[0, 0], {\"to\": [-0.05, "   \
    "0.5], \"name\": \"middle\"}, [-0.25, 0.5], {\"to\": [-0.3, 0], \"name\": \"side\"}], "       \
    "\"place\": {\"move\": [0, 0.5, -0.2], \"turn\": {\"axis\": [0, 1, 0], \"degrees\": 180}}}]," \
    "\"seams\": [{\"a\": \"front.side\", \"b\": \"back.side\", \"ends\": \"opposite\"}" middle    \
    "], \"holds\": [{\"label\": \"left waist\"}]}"
#define PLACE ", \"place\": {\"move\": [0, 0.5, 0.2]}"
#define FOLD "{\"to\": [0, 0], \"on_fold\": true}"
#define MIDDLE ", {\"a\": \"back.middle\", \"b\": \"other_back.middle\"}"

static void a_half_is_doubled(void) {
    static const char text[] = HALF(FOLD, PLACE, MIDDLE);
    WeftPattern pattern = {0};
    WeftGarment g;
    if (!CHECK(!weft_parse_pattern(text, sizeof text - 1, "half", NULL, NULL, &pattern, NULL,
                                   &error))) {
        printf("%s\n", error.message);
        return;
    }
    CHECK(pattern.panel_count == 4 && pattern.seam_count == 4 && pattern.hold_count == 2);
    CHECK(strcmp(pattern.panels[1].name, "front.mirror") == 0);
    CHECK(strcmp(pattern.panels[3].name, "other_back") == 0);
    CHECK(pattern.panels[0].image == 2 && pattern.panels[1].image == 1);
    if (CHECK(!weft_sew_pattern(&pattern, 0.05, NULL, &g, NULL, &error))) {
        check_even(&pattern, &g);
        int inside = 0;
        for (int v = 0; v < g.mesh.vertex_count; v++) inside += g.mesh.images[v] == v;
        CHECK(inside == 2 * 11);  // both middles
        weft_destroy_garment(&g);
    } else {
        printf("%s\n", error.message);
    }
    weft_destroy_pattern(&pattern);
}

static void refuse_text(const char* text, const char* words) {
    WeftPattern pattern;
    CHECK(weft_parse_pattern(text, strlen(text), "half", NULL, NULL, &pattern, NULL, &error) ==
          WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, words);
}

// An image without a name of its own is sewn by the one it gets.
static void images_have_names(void) {
    static const char text[] =
        HALF(FOLD, PLACE, MIDDLE ", {\"a\": \"front.hem\", \"b\": \"front.mirror.hem\"}");
    WeftPattern pattern = {0};
    char* named = malloc(sizeof text + 100);
    const char* hem = strstr(text, "[0.3, 0], ");
    sprintf(named, "%.*s{\"to\": [0.3, 0], \"name\": \"hem\"}%s", (int)(hem - text), text,
            hem + strlen("[0.3, 0]"));
    if (CHECK(
            !weft_parse_pattern(named, strlen(named), "half", NULL, NULL, &pattern, NULL, &error)))
        CHECK(pattern.seam_count == 5);
    else
        printf("%s\n", error.message);
    weft_destroy_pattern(&pattern);
    free(named);
    refuse_text(HALF(FOLD, PLACE, ", {\"a\": \"front.mirror.sid\", \"b\": \"back.middle\"}"),
                "panel \"front.mirror\" has no side \"sid\"; did you mean \"side\"?");
}

// Names of 63 bytes that differ in the last one.
static void long_names_stay_apart(void) {
    Kit* kit = make_tube_kit(0.5, 0.1, 0.6, 2);
    for (int p = 0; p < 2; p++) {
        char* name = kit->pattern.panels[p].name;
        memset(name, 'f', WEFT_NAME_SIZE - 1);
        name[WEFT_NAME_SIZE - 2] = (char)('a' + p);
        name[WEFT_NAME_SIZE - 1] = 0;
    }
    WeftPattern pattern = own_kit(kit, NULL);
    must_mirror(&pattern);
    weft_destroy_pattern(&pattern);
    free(kit);
}

static void odd_tolerances(void) {
    static const double odd[] = {-1, NAN, INFINITY};
    Kit* kit = make_tube_kit(0.5, 0.1, 0.6, 2);
    WeftPattern pattern = own_kit(kit, NULL);
    for (int k = 0; k < 3; k++) {
        CHECK(weft_mirror_pattern(&pattern, odd[k], NULL, NULL, &error) == WEFT_ERROR_INPUT);
        CHECK_TEXT(error.message, "m is not a length");
    }
    weft_destroy_pattern(&pattern);
    free(kit);
}

static void odd_halves(void) {
    refuse_text(HALF(FOLD, "", ""),
                "panel \"front\" of a pattern with \"mirror\" needs a \"place\"");
    refuse_text(HALF("{\"to\": [0.01, 0], \"on_fold\": true}", PLACE, ""),
                "side 3 of panel \"front\" is \"on_fold\", but 10.0 mm from x = 0");
    refuse_text(HALF(FOLD, ", \"place\": {\"move\": [-1, 0, 0]}", ""), "mm from x = 0");
    refuse_text(HALF("[0, 0]", ", \"place\": {\"move\": [-1, 0, 0]}", ""),
                "panel \"front\" is at x < 0");
    refuse_text("{\"weft_pattern\": 1, \"mirror\": 1, \"panels\": []}", "must be true or false");
    refuse_text(
        "{\"weft_pattern\": 1, \"panels\": [{\"name\": \"a\", \"sides\": [[1, 0], [0, 1], "
        "{\"to\": [0, 0], \"on_fold\": true}]}]}",
        "but the pattern is not \"mirror\": true");
}

// ---------------------------------------------------------------------------------------------
// Dressing

static void check_outfit(const WeftDressDef* def, const WeftOutfit* outfit) {
    for (int i = 0; i < outfit->worn_count; i++) {
        const WeftMesh* mesh = &outfit->worn[i].garment.mesh;
        CHECK(mesh->images && count_uneven(mesh) == 0);
        CHECK_BELOW(outfit->worn[i].stretch, 1.15);
        CHECK_NEAR((double)count_simulated(mesh) / mesh->vertex_count, 0.5, 0.06);
    }
    CHECK(judge_outfit(outfit, def, def->positions) == 0);
}

static void a_skirt_goes_on_by_halves(void) {
    Kit* kit = make_skirt(1.1, 0.5);
    WeftPattern pattern = own_kit(kit, NULL);
    WeftWearDef wear = weft_default_wear_def();
    WeftOutfit outfit;
    if (must_mirror(&pattern)) {
        wear.pattern = &pattern;
        wear.edge = 0.05;
        WeftDressDef def = dress_dummy(&wear, 1);
        def.mirror.kind = WEFT_MIRROR_EXACT;
        if (CHECK(!weft_dress(&def, &outfit, &error))) {
            check_outfit(&def, &outfit);
            weft_destroy_outfit(&outfit);
        } else {
            printf("%s\n", error.message);
        }
    }
    weft_destroy_pattern(&pattern);
    free(kit);
}

static void refuse_dress(const WeftDressDef* def, const char* words) {
    WeftOutfit outfit;
    CHECK(weft_dress(def, &outfit, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, words);
}

static void not_by_halves(void) {
    Kit* kit = make_skirt(1.1, 0.5);
    WeftPattern pattern = own_kit(kit, NULL);
    WeftWearDef wear = wear_kit(kit, 0.05);
    WeftDressDef def = dress_dummy(&wear, 1);
    def.mirror.kind = WEFT_MIRROR_EXACT;
    refuse_dress(&def, "\"skirt\" cannot be put on by halves: it is no mirrored pattern");
    CHECK(must_mirror(&pattern));
    wear.pattern = &pattern;
    def.mirror.plane.point[0] = 0.1;
    refuse_dress(&def, "the mirror of dressing is the plane x = 0");
    def.mirror.plane.point[0] = 0;
    def.mirror.kind = WEFT_MIRROR_WHOLE;
    refuse_dress(&def, "an exact mirror, or none");
    def.mirror.kind = WEFT_MIRROR_EXACT;
    dummy.positions[3 * 100] += 0.002;
    refuse_dress(&def, "the body cannot be dressed by halves");
    weft_destroy_pattern(&pattern);
    free(kit);
}

static void pose(void* user, double part, double* positions) {
    const WeftFigure* figure = user;
    CHECK(!weft_blend_figure(figure, -1, 0, weft_find_clip(figure, "squat"), 0, part, positions,
                             &error));
}

static void dress_by_halves(const char* const* garments, int count, double edge, bool posed) {
    enum { MOST = 2 };
    WeftFigure figure;
    WeftMeasures body;
    WeftPattern patterns[MOST];
    WeftWearDef wear[MOST];
    WeftOutfit outfit;
    WeftMannequinDef mannequin = weft_default_mannequin_def(WEFT_MANNEQUIN_FEMALE);
    if (!CHECK(!weft_make_mannequin(&mannequin, NULL, &figure, &error))) return;
    CHECK(!weft_measure_body(figure.positions, figure.vertex_count, figure.triangles,
                             figure.triangle_count, NULL, &body, &error));
    double* end = malloc(3 * (size_t)figure.vertex_count * sizeof *end);
    memcpy(end, figure.positions, 3 * (size_t)figure.vertex_count * sizeof *end);
    for (int i = 0; i < count; i++) {
        if (!load(garments[i], &body, &patterns[i]) || !must_mirror(&patterns[i])) return;
        wear[i] = weft_default_wear_def();
        wear[i].pattern = &patterns[i];
        wear[i].edge = edge;
    }
    WeftDressDef def = weft_default_dress_def();
    def.wear = wear, def.wear_count = count;
    def.vertex_count = figure.vertex_count, def.positions = figure.positions;
    def.triangle_count = figure.triangle_count, def.triangles = figure.triangles;
    def.mirror.kind = WEFT_MIRROR_EXACT;
    if (posed) def.pose = pose, def.pose_user = &figure, pose(&figure, 1, end);
    if (CHECK(!weft_dress(&def, &outfit, &error))) {
        def.positions = end;
        check_outfit(&def, &outfit);
        weft_destroy_outfit(&outfit);
    } else {
        printf("%s\n", error.message);
    }
    for (int i = 0; i < count; i++) weft_destroy_pattern(&patterns[i]);
    weft_destroy_figure(&figure);
    free(end);
}

static void a_shirt_and_a_skirt_by_halves(void) {
    dress_by_halves((const char* const[]){"tshirt", "skirt"}, 2, 0.02, true);
}
static void trousers_by_halves(void) {  // which start across the mirror
    dress_by_halves((const char* const[]){"trousers"}, 1, 0.02, false);
}
static void a_jacket_by_halves(void) {
    dress_by_halves((const char* const[]){"jacket"}, 1, 0.012, false);
}

TEST_MAIN(CASE(ready_garments_are_symmetric), CASE(sewn_coarsely), SLOW_CASE(sewn_as_usual),
          LONG_CASE(sewn_finely), CASE(goes_through_files), CASE(a_tube_keeps_its_mass),
          CASE(holes_are_halved), CASE(halves_are_the_curve), CASE(open_seams_follow),
          CASE(sleeves_on_the_bias), CASE(drawn_otherwise), CASE(a_corner_is_off),
          CASE(something_is_missing), CASE(labels_differ), CASE(false_images),
          CASE(memory_runs_out), CASE(a_half_is_doubled), CASE(odd_halves), CASE(images_have_names),
          CASE(long_names_stay_apart), CASE(odd_tolerances), CASE(a_skirt_goes_on_by_halves),
          CASE(not_by_halves), LONG_CASE(a_shirt_and_a_skirt_by_halves),
          LONG_CASE(trousers_by_halves), SLOW_CASE(a_jacket_by_halves))

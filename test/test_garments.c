// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards garments/: every file reads without findings for bodies of all kinds and sizes, its seams
// join what is about equally long, it sews into one symmetric piece that is placed around the body,
// and the T-shirt goes on.

#include "garment/pattern.h"
#include "test.h"
#include "weft/weft_garment.h"
#include "weft/weft_io.h"

#define COARSE 0.024  // of the body's height: edges of triangles

static const char* const names[] = {"tshirt", "skirt",  "pleated_skirt", "trousers",
                                    "dress",  "jacket", "cape"};
enum { GARMENTS = sizeof names / sizeof *names, USUAL = 3 };

// Mannequins, as weft_measure_body has them.
#define BODY(height_, neck_y, shoulder_y, armpit_y, chest_y, waist_y, hip_y, crotch_y, knee_y,     \
             ankle_y, neck_, chest_, waist_, hips_, thigh_, knee_, ankle_, upper_arm_, wrist_,     \
             shoulder_w, chest_w, chest_d, waist_w, waist_d, hip_w, hip_d, arm_, angle_)           \
    {                                                                                              \
        .height = height_, .neck_height = neck_y, .shoulder_height = shoulder_y,                   \
        .armpit_height = armpit_y, .chest_height = chest_y, .waist_height = waist_y,               \
        .hip_height = hip_y, .crotch_height = crotch_y, .knee_height = knee_y,                     \
        .ankle_height = ankle_y, .neck = neck_, .chest = chest_, .waist = waist_, .hips = hips_,   \
        .thigh = thigh_, .knee = knee_, .ankle = ankle_, .upper_arm = upper_arm_, .wrist = wrist_, \
        .shoulder_width = shoulder_w, .chest_width = chest_w, .chest_depth = chest_d,              \
        .waist_width = waist_w, .waist_depth = waist_d, .hip_width = hip_w, .hip_depth = hip_d,    \
        .arm_length = arm_, .arm_angle = angle_                                                    \
    }
static const WeftMeasures bodies[] = {
    // woman, man, child
    BODY(1.700, 1.470, 1.404, 1.278, 1.233, 1.065, 0.846, 0.770, 0.462, 0.140, 0.323, 0.876, 0.693,
         0.950, 0.519, 0.328, 0.195, 0.306, 0.129, 0.352, 0.316, 0.215, 0.265, 0.172, 0.353, 0.210,
         0.618, 46.9),
    BODY(1.800, 1.554, 1.493, 1.353, 1.335, 1.101, 0.890, 0.816, 0.490, 0.148, 0.394, 0.989, 0.822,
         0.980, 0.561, 0.358, 0.217, 0.350, 0.152, 0.394, 0.375, 0.227, 0.313, 0.205, 0.352, 0.223,
         0.667, 47.1),
    BODY(1.280, 1.070, 1.019, 0.927, 0.884, 0.785, 0.622, 0.572, 0.343, 0.098, 0.261, 0.635, 0.575,
         0.680, 0.368, 0.254, 0.149, 0.227, 0.108, 0.263, 0.239, 0.160, 0.213, 0.149, 0.252, 0.144,
         0.447, 46.9),
    // women, men and children, small and large
    BODY(1.550, 1.341, 1.281, 1.165, 1.120, 0.971, 0.766, 0.704, 0.422, 0.119, 0.289, 0.778, 0.614,
         0.841, 0.461, 0.295, 0.174, 0.276, 0.117, 0.295, 0.280, 0.191, 0.234, 0.153, 0.314, 0.184,
         0.555, 46.9),
    BODY(1.850, 1.598, 1.526, 1.396, 1.338, 1.157, 0.922, 0.840, 0.504, 0.147, 0.363, 1.048, 0.826,
         1.134, 0.621, 0.375, 0.222, 0.357, 0.142, 0.412, 0.377, 0.257, 0.315, 0.205, 0.420, 0.252,
         0.674, 46.9),
    BODY(1.600, 1.382, 1.327, 1.202, 1.174, 0.977, 0.789, 0.724, 0.434, 0.127, 0.350, 0.877, 0.731,
         0.871, 0.498, 0.319, 0.189, 0.309, 0.133, 0.364, 0.333, 0.201, 0.278, 0.182, 0.313, 0.197,
         0.577, 47.2),
    BODY(1.950, 1.684, 1.617, 1.465, 1.436, 1.198, 0.966, 0.885, 0.531, 0.150, 0.427, 1.071, 0.890,
         1.062, 0.608, 0.388, 0.234, 0.375, 0.165, 0.448, 0.406, 0.246, 0.338, 0.222, 0.381, 0.242,
         0.719, 47.1),
    BODY(1.000, 0.834, 0.796, 0.722, 0.700, 0.614, 0.480, 0.445, 0.267, 0.085, 0.206, 0.495, 0.450,
         0.529, 0.287, 0.196, 0.106, 0.178, 0.077, 0.204, 0.186, 0.125, 0.168, 0.116, 0.198, 0.110,
         0.341, 46.9),
    BODY(1.500, 1.254, 1.194, 1.082, 1.047, 0.922, 0.735, 0.670, 0.402, 0.115, 0.305, 0.747, 0.675,
         0.797, 0.432, 0.297, 0.178, 0.266, 0.128, 0.326, 0.283, 0.188, 0.252, 0.174, 0.295, 0.172,
         0.520, 47.0),
};
enum { BODIES = sizeof bodies / sizeof *bodies };

static void path_of(int garment, char path[512]) {
    snprintf(path, 512, WEFT_SOURCE "/garments/%s.json", names[garment]);
}

static void print_findings(const char* name, WeftFindings* findings) {
    for (int i = 0; i < findings->count; i++) printf("%s: %s\n", name, findings->lines[i]);
    CHECK(findings->count == 0);
    weft_destroy_findings(findings);
}

static bool load(int garment, const WeftMeasures* body, WeftPattern* pattern) {
    char path[512];
    WeftError error;
    WeftFindings findings = {0};
    path_of(garment, path);
    bool good = CHECK(!weft_load_pattern(path, body, NULL, pattern, &findings, &error));
    if (!good) printf("%s\n", error.message);
    print_findings(names[garment], &findings);
    return good;
}

static bool sew(const WeftPattern* pattern, double edge, WeftGarment* garment) {
    WeftError error;
    WeftFindings findings = {0};
    bool good = CHECK(!weft_sew_pattern(pattern, edge, NULL, garment, &findings, &error));
    if (!good) printf("%s: %s\n", pattern->name, error.message);
    print_findings(pattern->name, &findings);
    return good;
}

// ---------------------------------------------------------------------------------------------
// Patterns

static double chain_length(const WeftPattern* pattern, const WeftSeam* seam, int k) {
    double length = 0;
    for (int i = 0; i < seam->count[k]; i++) {
        const WeftSideName* name = &seam->chain[k][i];
        length += weft_side_length(&pattern->panels[name->panel], name->side);
    }
    return length;
}

// What is gathered or stretched is some percent at most, and chosen: no seam is left to chance.
static void check_pattern(const WeftPattern* pattern) {
    WeftFabricFile fabric;
    WeftError error;
    CHECK(!weft_find_fabric(pattern->fabric, NULL, NULL, &fabric, &error));
    for (int p = 0; p < pattern->panel_count; p++) CHECK(pattern->panels[p].place.given);
    for (int s = 0; s < pattern->seam_count; s++) {
        const WeftSeam* seam = &pattern->seams[s];
        double ease = chain_length(pattern, seam, 0) / chain_length(pattern, seam, 1) - 1;
        CHECK(seam->ends != WEFT_SEAM_AUTO);
        if (fabs(ease) < 0.07) continue;
        printf("%s: seam %d, at panel %s: ease %.3f\n", pattern->name, s,
               pattern->panels[seam->chain[0][0].panel].name, ease);
        CHECK(false);
    }
}

// ---------------------------------------------------------------------------------------------
// Garments

static int component(int* parent, int v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
}

static int count_pieces(const WeftMesh* mesh) {
    int* parent = malloc((size_t)mesh->vertex_count * sizeof *parent);
    int count = 0;
    for (int v = 0; v < mesh->vertex_count; v++) parent[v] = v;
    for (int t = 0; t < mesh->triangle_count; t++)
        for (int k = 1; k < 3; k++)
            parent[component(parent, mesh->triangles[3 * t + k])] =
                component(parent, mesh->triangles[3 * t]);
    for (int v = 0; v < mesh->vertex_count; v++) count += parent[v] == v;
    free(parent);
    return count;
}

static double flat_area(const WeftGarment* g, int triangle) {
    const double* corner[3];
    for (int k = 0; k < 3; k++)
        corner[k] = g->material_flat + 2 * (long)g->mesh.triangle_material[3 * triangle + k];
    return 0.5 * fabs((corner[1][0] - corner[0][0]) * (corner[2][1] - corner[0][1]) -
                      (corner[2][0] - corner[0][0]) * (corner[1][1] - corner[0][1]));
}

// One piece, as much cloth on the left as on the right, in front and behind, and none of it below
// the feet or above the chin.
static void check_garment(const WeftGarment* g, const WeftMeasures* body) {
    const WeftMesh* mesh = &g->mesh;
    double side[2] = {0, 0}, front = 0, all = 0, low[3], high[3];
    for (int k = 0; k < 3; k++) low[k] = HUGE_VAL, high[k] = -HUGE_VAL;
    for (int i = 0; i < 3 * mesh->vertex_count; i++) {
        low[i % 3] = fmin(low[i % 3], mesh->positions[i]);
        high[i % 3] = fmax(high[i % 3], mesh->positions[i]);
    }
    for (int t = 0; t < mesh->triangle_count; t++) {
        double area = flat_area(g, t), middle[3] = {0, 0, 0};
        for (int i = 0; i < 9; i++)
            middle[i % 3] += mesh->positions[3 * mesh->triangles[3 * t + i / 3] + i % 3] / 3;
        side[middle[0] > 0] += area;
        front += middle[2] > 0 ? area : 0;
        all += area;
    }
    CHECK(count_pieces(mesh) == 1);
    CHECK_NEAR(side[1] / side[0], 1, 0.06);
    CHECK(front > 0.35 * all && front < 0.65 * all);
    CHECK_NEAR(low[0] + high[0], 0, 0.002 * body->height);
    CHECK(low[1] > 0 && high[1] < 0.92 * body->height);
    CHECK(low[2] < -0.5 * body->waist_depth && high[2] > 0.5 * body->waist_depth);
    CHECK(all > 0.1 * body->height * body->height && all < body->height * body->height);
}

static void check_all(int first, int end) {
    for (int b = first; b < end; b++) {
        for (int i = 0; i < GARMENTS; i++) {
            WeftPattern pattern;
            WeftGarment garment;
            int before = test_failures;
            if (!load(i, &bodies[b], &pattern)) continue;
            check_pattern(&pattern);
            if (sew(&pattern, COARSE * bodies[b].height, &garment)) {
                check_garment(&garment, &bodies[b]);
                weft_destroy_garment(&garment);
            }
            if (test_failures > before) printf("(%s on body %d)\n", names[i], b);
            weft_destroy_pattern(&pattern);
        }
    }
}

static void usual_sizes(void) { check_all(0, USUAL); }
static void small_and_large(void) { check_all(USUAL, BODIES); }

// Files stand for themselves: without a body, they are for the one they name.
static void without_a_body(void) {
    for (int i = 0; i < GARMENTS; i++) {
        WeftPattern pattern;
        if (!load(i, NULL, &pattern)) continue;
        check_pattern(&pattern);
        weft_destroy_pattern(&pattern);
    }
}

// ---------------------------------------------------------------------------------------------
// Dressing

typedef struct Posed {
    const WeftFigure* figure;
    int clip;
} Posed;

static void pose(void* user, double part, double* positions) {
    const Posed* posed = user;
    WeftError error;
    CHECK(!weft_blend_figure(posed->figure, -1, 0, posed->clip, 0, part, positions, &error));
}

// Some garments, from the skin outwards, on a mannequin that then begins to walk.
static void goes_on(WeftMannequinKind kind, const int* garments, int count, const char* fabric) {
    enum { MOST = 3 };
    WeftError error;
    WeftFigure figure;
    WeftMeasures body;
    WeftPattern patterns[MOST];
    WeftWearDef wears[MOST];
    WeftFabricFile file;
    WeftOutfit outfit;
    WeftMannequinDef def = weft_default_mannequin_def(kind);
    if (!CHECK(!weft_make_mannequin(&def, NULL, &figure, &error))) return;
    CHECK(!weft_measure_body(figure.positions, figure.vertex_count, figure.triangles,
                             figure.triangle_count, NULL, &body, &error));
    CHECK(!weft_find_fabric(fabric, NULL, NULL, &file, &error));
    for (int i = 0; i < count; i++) {
        if (!load(garments[i], &body, &patterns[i])) return;
        wears[i] = weft_default_wear_def();
        wears[i].pattern = &patterns[i];
        wears[i].fabric = file.fabric;
    }
    Posed posed = {&figure, weft_find_clip(&figure, "walk")};
    WeftDressDef dress = weft_default_dress_def();
    dress.wear_count = count, dress.wear = wears;
    dress.vertex_count = figure.vertex_count, dress.positions = figure.positions;
    dress.triangle_count = figure.triangle_count, dress.triangles = figure.triangles;
    dress.pose = pose, dress.pose_user = &posed;
    if (CHECK(!weft_dress(&dress, &outfit, &error))) {
        for (int i = 0; i < count; i++) {
            const WeftWorn* worn = &outfit.worn[i];
            CHECK_BELOW(worn->stretch, 1.15);
            for (int s = 0; s < worn->garment.seam_count; s++) CHECK_BELOW(worn->seam_gap[s], 1e-3);
        }
        weft_destroy_outfit(&outfit);
    } else {
        printf("%s\n", error.message);
    }
    for (int i = 0; i < count; i++) weft_destroy_pattern(&patterns[i]);
    weft_destroy_figure(&figure);
}

enum { TSHIRT, SKIRT, PLEATED_SKIRT, TROUSERS, DRESS, JACKET, CAPE };

static void t_shirt_goes_on(void) {
    goes_on(WEFT_MANNEQUIN_CHILD, (const int[]){TSHIRT}, 1, "cotton_jersey");
}

// Waists that are held lie so near to the body that it was in them when it moved.
static void silk_trousers_go_on(void) {
    goes_on(WEFT_MANNEQUIN_MALE, (const int[]){TROUSERS}, 1, "silk_charmeuse");
}

// Waists are drawn over a shirt that stands off the body.
static void a_shirt_is_tucked_in(void) {
    goes_on(WEFT_MANNEQUIN_FEMALE, (const int[]){TSHIRT, SKIRT}, 2, "wool_tropical");
}

TEST_MAIN(CASE(usual_sizes), CASE(without_a_body), CASE(small_and_large),
          SLOW_CASE(t_shirt_goes_on), LONG_CASE(silk_trousers_go_on),
          LONG_CASE(a_shirt_is_tucked_in))

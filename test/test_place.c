// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards garment/place.c: panels without a place go around the part of the body that their name or
// label speaks of, with their fronts outside, on a woman, a man and a child; and a T-shirt without
// places goes on.

#include "file_test.h"

#include "dress_test.h"
#include "mannequin_test.h"

typedef struct Wearer {
    WeftFigure figure;
    WeftMeasures measures;
} Wearer;

enum { KINDS = 3 };
static const char* const kind_names[KINDS] = {"female", "male", "child"};

static Wearer make_wearer(int kind) {
    Wearer w = {.figure = make_size((Size){.kind = (WeftMannequinKind)kind})};
    const WeftFigure* f = &w.figure;
    CHECK(weft_measure_body(f->positions, f->vertex_count, f->triangles, f->triangle_count, NULL,
                            &w.measures, NULL) == WEFT_OK);
    return w;
}

// The middle of a panel, over its face.
static WfVec middle_of(const WeftPanel* panel, double width, double height) {
    enum { STEPS = 20 };
    WfVec sum = {0, 0, 0};
    for (int i = 0; i <= STEPS; i++)
        for (int j = 0; j <= STEPS; j++) {
            double u = width * ((double)i / STEPS - 0.5), v = height * j / STEPS;
            sum = wf_add(sum, wf_panel_place(&panel->place, u, v));
        }
    return wf_mul(1.0 / ((STEPS + 1) * (STEPS + 1)), sum);
}

// Where the front of a panel looks at its middle, of length 1.
static WfVec front_of(const WeftPanel* panel, double height) {
    const double e = 1e-4;
    WfVec at = wf_panel_place(&panel->place, 0, height / 2);
    WfVec u = wf_sub(wf_panel_place(&panel->place, e, height / 2), at);
    WfVec v = wf_sub(wf_panel_place(&panel->place, 0, height / 2 + e), at);
    double area = wf_loop_area(&panel->sides->curve, sizeof *panel->sides, panel->side_count);
    return wf_mul(area > 0 ? 1 : -1, wf_unit(wf_cross(u, v)));
}

// The bone that holds most of the vertex that is nearest to a point.
static const char* bone_at(const WeftFigure* figure, WfVec point) {
    int nearest = 0, most = 0;
    for (int v = 1; v < figure->vertex_count; v++)
        if (wf_length(wf_sub(wf_load(figure->positions, v), point)) <
            wf_length(wf_sub(wf_load(figure->positions, nearest), point)))
            nearest = v;
    for (int k = 1; k < 4; k++)
        if (figure->skin_weights[4 * nearest + k] > figure->skin_weights[4 * nearest + most])
            most = k;
    return figure->bones[figure->skin_bones[4 * nearest + most]].name;
}

// ---------------------------------------------------------------------------------------------
// One panel at a time

// Of the body's height: the size of the panel. Where its middle is: the bone there, or one of two;
// in which direction its front looks; and on which side it is, of the middle.
typedef struct Row {
    const char *name, *label;
    double width, height;
    const char *bone, * or ;
    int looks[3];
    int left;
} Row;

static const Row rows[] = {
    {"front", "torso", 0.3, 0.3, "chest", "spine", {0, 0, 1}, 0},
    {"back", "torso", 0.3, 0.3, "chest", "spine", {0, 0, -1}, 0},
    {"panel", "", 0.3, 0.3, "chest", "spine", {0, 0, 1}, 0},
    {"front_left", "body", 0.14, 0.3, "chest", "spine", {0, 0, 1}, 1},
    {"Back-Right", "Bodice", 0.14, 0.3, "chest", "spine", {0, 0, -1}, -1},
    {"skirt_front", "", 0.3, 0.16, "pelvis", "spine", {0, 0, 1}, 0},
    {"skirt_back", "", 0.3, 0.16, "pelvis", "spine", {0, 0, -1}, 0},
    {"left_front", "leg", 0.14, 0.5, "left_thigh", NULL, {0, 0, 1}, 1},
    {"right_front", "leg", 0.14, 0.5, "right_thigh", NULL, {0, 0, 1}, -1},
    {"left_back", "trousers", 0.14, 0.5, "left_thigh", NULL, {0, 0, -1}, 1},
    {"right_back", "pants", 0.14, 0.5, "right_thigh", NULL, {0, 0, -1}, -1},
    {"left_sleeve", "", 0.22, 0.16, "left_upper_arm", NULL, {0, 1, 0}, 1},
    {"right_sleeve", "", 0.22, 0.16, "right_upper_arm", NULL, {0, 1, 0}, -1},
    {"sleeve", "right arm", 0.22, 0.16, "right_upper_arm", NULL, {0, 1, 0}, -1},
    {"left_sleeve_f", "", 0.11, 0.16, "left_upper_arm", NULL, {0, 0, 1}, 1},
    {"left_sleeve_b", "", 0.11, 0.16, "left_upper_arm", NULL, {0, 0, -1}, 1},
    {"left_cuff", "", 0.13, 0.04, "left_hand", "left_forearm", {0, 1, 0}, 1},
    {"right_cuff", "", 0.13, 0.04, "right_hand", "right_forearm", {0, 1, 0}, -1},
    {"collar", "", 0.24, 0.03, "neck", "head", {0, 0, 1}, 0},
    {"stand", "neck", 0.24, 0.03, "neck", "head", {0, 0, 1}, 0},
    {"hood", "", 0.4, 0.16, "head", "neck", {0, 0, 1}, 0},
    {"waistband", "", 0.5, 0.03, "spine", "pelvis", {0, 0, 1}, 0},
    {"front_band", "waist", 0.25, 0.03, "spine", "pelvis", {0, 0, 1}, 0},
    {"back_band", "waist", 0.25, 0.03, "spine", "pelvis", {0, 0, -1}, 0},
};
enum { ROWS = sizeof rows / sizeof *rows };

static bool is_flat(const Row* row) { return !strstr(row->name, "sleeve") && row->height >= 0.16; }

// Upright panels stand before or behind what they cover; others are around it, or half around.
static void check_row(const Wearer* w, const Row* row, bool clockwise) {
    double size = w->measures.height, width = row->width * size, height = row->height * size;
    Kit* kit = open_kit();
    WeftPanel* panel = add_rectangle(kit, row->name, width, height);
    snprintf(panel->label, sizeof panel->label, "%s", row->label);
    panel->place.given = false;
    if (clockwise) turn_over(panel);
    CHECK(weft_place_pattern(&kit->pattern, &w->measures, NULL, NULL) == WEFT_OK);
    WfVec middle = middle_of(panel, width, height), front = front_of(panel, height);
    WfVec inside = middle, looks = {row->looks[0], row->looks[1], row->looks[2]};
    bool flat = panel->place.curl == 0;
    if (flat) {
        CHECK(row->looks[2] * middle.z > w->measures.chest_depth / 2);
        inside.z = 0;
    }
    const char* bone = bone_at(&w->figure, inside);
    bool right = strcmp(bone, row->bone) == 0 || (row->or &&strcmp(bone, row->or) == 0);
    if (!CHECK(right)) printf("    its middle is at \"%s\"\n", bone);
    CHECK(panel->place.given && flat == (is_flat(row) && strcmp(row->name, "hood") != 0));
    // arms hang at an angle, and what is above them looks up and outwards
    CHECK(wf_dot(front, looks) > (row->looks[1] ? 0.6 : 0.999));
    if (row->left == 0) CHECK_NEAR(middle.x, w->measures.centre[0], 0.01);
    if (row->left != 0) CHECK(row->left * middle.x > 0.25 * width);
    free(kit);
}

static void around_the_right_part(void) {
    for (int kind = 0; kind < KINDS; kind++) {
        Wearer w = make_wearer(kind);
        for (int r = 0; r < ROWS; r++) {
            int before = test_failures;
            check_row(&w, &rows[r], false);
            if (test_failures > before)
                printf("    %s, %s, %s\n", kind_names[kind], rows[r].name, rows[r].label);
        }
        weft_destroy_figure(&w.figure);
    }
}

// Sides that run clockwise: the front is outside all the same.
static void fronts_are_outside(void) {
    Wearer w = make_wearer(0);
    for (int r = 0; r < ROWS; r++)
        if (is_flat(&rows[r]) && strcmp(rows[r].name, "hood") != 0) check_row(&w, &rows[r], true);
    weft_destroy_figure(&w.figure);
}

// What is rolled is wide enough for the limb, and its seam is opposite to its middle.
static void rolled_around_limbs(void) {
    Wearer w = make_wearer(1);
    const WeftMeasures* m = &w.measures;
    Kit* kit = open_kit();
    add_rectangle(kit, "left_sleeve", 0.2, 0.2)->place.given = false;
    add_rectangle(kit, "waistband", 1.0, 0.04)->place.given = false;
    CHECK(weft_place_pattern(&kit->pattern, m, NULL, NULL) == WEFT_OK);
    CHECK(kit->panels[0].place.curl > m->upper_arm / (2 * TEST_PI));
    WfVec ends[2] = {wf_panel_place(&kit->panels[1].place, -0.5, 0),
                     wf_panel_place(&kit->panels[1].place, 0.5, 0)};
    CHECK_BELOW(wf_length(wf_sub(ends[0], ends[1])), 1e-9);
    CHECK(ends[0].z < 0);
    WfVec top = wf_panel_place(&kit->panels[1].place, 0, 0.04);
    CHECK_NEAR(top.y, m->floor + m->waist_height, 0.05);
    free(kit);
    weft_destroy_figure(&w.figure);
}

static void given_places_stay(void) {
    Wearer w = make_wearer(2);
    Kit* kit = make_tube_kit(0.4, 0.3, 0.5, 0.4);
    WeftFindings findings = {0};
    WeftPanelPlace before = kit->panels[0].place;
    CHECK(weft_place_pattern(&kit->pattern, &w.measures, &findings, NULL) == WEFT_OK);
    CHECK(findings.count == 0);
    kit->panels[1].place.given = false;
    CHECK(weft_place_pattern(&kit->pattern, &w.measures, &findings, NULL) == WEFT_OK);
    CHECK(memcmp(&kit->panels[0].place, &before, sizeof before) == 0);
    if (CHECK(findings.count == 1))
        CHECK_TEXT(findings.lines[0],
                   "1 panel has no place and no known name or label (torso, skirt, leg, sleeve, "
                   "cuff, collar, hood, waistband): \"back\" is behind, from the shoulders down");
    weft_destroy_findings(&findings);
    for (int p = 0; p < 2; p++) kit->panels[p].place.given = false;
    strcpy(kit->panels[0].name, "left_sleeve");
    strcpy(kit->panels[1].label, "skirt");
    CHECK(weft_place_pattern(&kit->pattern, &w.measures, &findings, NULL) == WEFT_OK);
    if (CHECK(findings.count == 1))
        CHECK_TEXT(
            findings.lines[0],
            "2 panels have no place and went where the name or label says: \"left_sleeve\" is "
            "around the arm");
    weft_destroy_findings(&findings);
    free(kit);
    weft_destroy_figure(&w.figure);
}

static void documentation_has_every_word(void) {
    size_t length;
    char* document = (char*)load_file(WEFT_SOURCE "/docs/pattern.md", &length);
    for (int i = 0; wf_place_word(i); i++) {
        char word[64];
        snprintf(word, sizeof word, "`%s`", wf_place_word(i));
        CHECK_TEXT(document, word);
    }
    free(document);
}

// ---------------------------------------------------------------------------------------------
// A garment

static WfVec panel_middle(const WeftGarment* g, const WeftPattern* pattern, const char* name) {
    WfVec sum = {0, 0, 0};
    int count = 0;
    for (int t = 0; t < g->mesh.triangle_count; t++) {
        if (strcmp(pattern->panels[g->panels[t]].name, name) != 0) continue;
        for (int k = 0; k < 3; k++, count++)
            sum = wf_add(sum, wf_load(g->mesh.positions, g->mesh.triangles[3 * t + k]));
    }
    CHECK(count > 0);
    return wf_mul(1.0 / count, sum);
}

static void dress_bare(int kind) {
    Wearer w = make_wearer(kind);
    WeftPattern pattern = {0};
    WeftError error = {0};
    WeftOutfit outfit;
    CHECK(weft_load_pattern(WEFT_SOURCE "/garments/tshirt.json", &w.measures, NULL, &pattern, NULL,
                            &error) == WEFT_OK);
    for (int p = 0; p < pattern.panel_count; p++)
        pattern.panels[p].place = (WeftPanelPlace){.rotation = {0, 0, 0, 1}};
    CHECK(weft_place_pattern(&pattern, &w.measures, NULL, &error) == WEFT_OK);
    WeftWearDef wear = weft_default_wear_def();
    wear.pattern = &pattern, wear.edge = 0.02 * w.measures.height;
    WeftDressDef def = weft_default_dress_def();
    def.wear = &wear, def.wear_count = 1;
    def.vertex_count = w.figure.vertex_count, def.positions = w.figure.positions;
    def.triangle_count = w.figure.triangle_count, def.triangles = w.figure.triangles;
    if (!CHECK(weft_dress(&def, &outfit, &error) == WEFT_OK)) {
        printf("    %s: %s\n", kind_names[kind], error.message);
    } else {
        const WeftGarment* g = &outfit.worn[0].garment;
        CHECK(judge_outfit(&outfit, &def, def.positions) == 0);
        CHECK_BELOW(outfit.worn[0].stretch, 1.1);
        for (int s = 0; s < g->seam_count; s++) CHECK_BELOW(outfit.worn[0].seam_gap[s], 5e-3);
        WfVec front = panel_middle(g, &pattern, "front"), back = panel_middle(g, &pattern, "back");
        CHECK(front.z - back.z > 0.5 * w.measures.chest_depth);
        CHECK(strcmp(bone_at(&w.figure, panel_middle(g, &pattern, "left_sleeve")),
                     "left_upper_arm") == 0);
        CHECK(strcmp(bone_at(&w.figure, panel_middle(g, &pattern, "right_sleeve")),
                     "right_upper_arm") == 0);
        weft_destroy_outfit(&outfit);
    }
    weft_destroy_pattern(&pattern);
    weft_destroy_figure(&w.figure);
}

// As if its file said nothing of places.
static void bare_tshirt(void) {
    for (int kind = 0; kind < KINDS; kind++) dress_bare(kind);
}

TEST_MAIN(SLOW_CASE(around_the_right_part), CASE(fronts_are_outside),
          SLOW_CASE(rolled_around_limbs), CASE(given_places_stay),
          CASE(documentation_has_every_word), LONG_CASE(bare_tshirt))

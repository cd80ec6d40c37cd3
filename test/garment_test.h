// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Patterns that tests build in code, and what every garment that is sewn of one must be.

#ifndef WEFT_GARMENT_TEST_H
#define WEFT_GARMENT_TEST_H

#include "counting.h"
#include "garment/pattern.h"
#include "test.h"
#include "weft/weft_garment.h"

enum { KIT_PANELS = 64, KIT_SIDES = 12, KIT_SEAMS = 128, KIT_NAMES = 512, KIT_HOLDS = 4 };
#define TEST_PI 3.14159265358979324

// A pattern with room for what is in it. It points into itself: do not copy it.
typedef struct Kit {
    WeftPattern pattern;
    WeftPanel panels[KIT_PANELS];
    WeftPanelSide sides[KIT_PANELS][KIT_SIDES];
    WeftSeam seams[KIT_SEAMS];
    WeftSideName names[KIT_NAMES];
    int name_count;
    WeftHold holds[KIT_HOLDS];
} Kit;

static WeftError kit_error;

static inline Kit* open_kit(void) {
    Kit* kit = calloc(1, sizeof *kit);
    kit->pattern.panels = kit->panels;
    kit->pattern.seams = kit->seams;
    kit->pattern.holds = kit->holds;
    snprintf(kit->pattern.name, sizeof kit->pattern.name, "kit");
    return kit;
}

// A panel with straight sides to these points; the first side begins at the last one.
static inline WeftPanel* add_panel(Kit* kit, const char* name, int count,
                                   const double (*points)[2]) {
    int p = kit->pattern.panel_count++;
    WeftPanel* panel = &kit->panels[p];
    snprintf(panel->name, sizeof panel->name, "%s", name);
    panel->side_count = count;
    panel->sides = kit->sides[p];
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 2; k++) panel->sides[i].curve.end[k] = points[i][k];
    panel->place = (WeftPanelPlace){.given = true, .rotation = {0, 0, 0, 1}};
    return panel;
}

// Upright, its middle at u = 0 and its lower end at v = 0: sides 0 below, 1 right, 2 above, 3 left.
static inline WeftPanel* add_rectangle(Kit* kit, const char* name, double width, double height) {
    const double points[4][2] = {
        {width / 2, 0}, {width / 2, height}, {-width / 2, height}, {-width / 2, 0}};
    return add_panel(kit, name, 4, points);
}

// Turned about y, then moved.
static inline void place_panel(WeftPanel* panel, double x, double y, double z, double degrees) {
    double half = degrees * TEST_PI / 360;
    panel->place.position[0] = x;
    panel->place.position[1] = y;
    panel->place.position[2] = z;
    panel->place.rotation[1] = sin(half);
    panel->place.rotation[3] = cos(half);
}

static inline void label_side(WeftPanel* panel, int side, const char* label) {
    snprintf(panel->sides[side].label, sizeof panel->sides[side].label, "%s", label);
}

static inline void curve_side(WeftPanel* panel, int side, double u, double v) {
    WeftSide* curve = &panel->sides[side].curve;
    curve->control_count = 1;
    curve->control[0][0] = u;
    curve->control[0][1] = v;
}

// The sides of one panel the other way round: side i becomes side n - 1 - i.
static inline void turn_over(WeftPanel* panel) {
    WeftPanelSide sides[KIT_SIDES];
    int n = panel->side_count;
    memcpy(sides, panel->sides, sizeof *sides * (size_t)n);
    for (int i = 0; i < n; i++) {
        panel->sides[n - 1 - i] = sides[i];
        memcpy(panel->sides[n - 1 - i].curve.end, sides[(i + n - 1) % n].curve.end,
               2 * sizeof(double));
    }
}

static inline WeftSeam* add_seam(Kit* kit, int panel, int side, int other, int other_side) {
    WeftSeam* seam = &kit->seams[kit->pattern.seam_count++];
    WeftSideName* names = kit->names + kit->name_count;
    kit->name_count += 2;
    names[0] = (WeftSideName){panel, side};
    names[1] = (WeftSideName){other, other_side};
    *seam = (WeftSeam){.count = {1, 1}, .chain = {names, names + 1}};
    return seam;
}

static inline WeftSeam* add_chains(Kit* kit, int count, const WeftSideName* chain, int other_count,
                                   const WeftSideName* other) {
    WeftSeam* seam = &kit->seams[kit->pattern.seam_count++];
    WeftSideName* names = kit->names + kit->name_count;
    kit->name_count += count + other_count;
    memcpy(names, chain, sizeof *names * (size_t)count);
    memcpy(names + count, other, sizeof *names * (size_t)other_count);
    *seam = (WeftSeam){.count = {count, other_count}, .chain = {names, names + count}};
    return seam;
}

static inline void add_hold(Kit* kit, const char* label, WeftHoldKind kind) {
    WeftHold* hold = &kit->holds[kit->pattern.hold_count++];
    *hold = (WeftHold){.kind = kind, .ratio = 0.8, .stretch = 60};
    snprintf(hold->label, sizeof hold->label, "%s", label);
}

// Two rectangles that face each other, sewn at their sides: a tube around the y axis.
static inline Kit* make_tube_kit(double width, double height, double y, double apart) {
    Kit* kit = open_kit();
    place_panel(add_rectangle(kit, "front", width, height), 0, y, apart / 2, 0);
    place_panel(add_rectangle(kit, "back", width, height), 0, y, -apart / 2, 180);
    add_seam(kit, 0, 1, 1, 3);
    add_seam(kit, 0, 3, 1, 1);
    return kit;
}

// ---------------------------------------------------------------------------------------------
// What a garment is

static inline double material_area(const WeftMesh* mesh, const double* points, int t) {
    const int* c = mesh->triangle_material + 3 * (long)t;
    const double *a = points + 2 * (long)c[0], *b = points + 2 * (long)c[1];
    const double* d = points + 2 * (long)c[2];
    return ((b[0] - a[0]) * (d[1] - a[1]) - (b[1] - a[1]) * (d[0] - a[0])) / 2;
}

static inline double panel_area(const WeftPanel* panel) {
    double area =
        fabs(wf_loop_area(&panel->sides->curve, sizeof *panel->sides, panel->side_count)) / 2;
    for (int h = 0; h < panel->hole_count; h++)
        area -= fabs(wf_loop_area(panel->holes[h].sides, sizeof(WeftSide),
                                  panel->holes[h].side_count)) /
                2;
    return area;
}

// Every triangle has area at rest, as much of it as in the plane of its panel; all of it is that of
// the panels.
static inline void check_areas(const WeftPattern* pattern, const WeftGarment* g, double tolerance) {
    double sum = 0, wanted = 0, least = HUGE_VAL, off = 0;
    for (int t = 0; t < g->mesh.triangle_count; t++) {
        double area = material_area(&g->mesh, g->mesh.material, t);
        double flat = material_area(&g->mesh, g->material_flat, t);
        sum += area;
        least = fmin(least, area);
        off = fmax(off, fabs(area - fabs(flat)));
    }
    for (int p = 0; p < pattern->panel_count; p++) wanted += panel_area(&pattern->panels[p]);
    CHECK(least > 0);
    CHECK_BELOW(off, 1e-12);
    CHECK_NEAR(sum / wanted, 1, tolerance);
}

static inline int compare_halves(const void* a, const void* b) {
    const int *p = a, *q = b;
    return p[0] != q[0] ? p[0] - q[0] : p[1] - q[1];
}

// No two triangles run the same way along an edge; returns how many edges have one triangle only.
static inline int check_halves(const WeftMesh* mesh) {
    int count = 3 * mesh->triangle_count, twice = 0, open = 0;
    int(*halves)[2] = malloc(sizeof *halves * (size_t)count);
    for (int h = 0; h < count; h++) {
        halves[h][0] = mesh->triangles[h];
        halves[h][1] = mesh->triangles[h % 3 == 2 ? h - 2 : h + 1];
    }
    qsort(halves, (size_t)count, sizeof *halves, compare_halves);
    for (int h = 0; h < count; h++) {
        int back[2] = {halves[h][1], halves[h][0]};
        twice += h > 0 && compare_halves(halves[h - 1], halves[h]) == 0;
        open += !bsearch(back, halves, (size_t)count, sizeof *halves, compare_halves);
    }
    CHECK(twice == 0);
    free(halves);
    return open;
}

static inline int seam_size(const WeftGarment* g, int seam) {
    return g->seam_start[seam + 1] - g->seam_start[seam];
}

// Walk along a side from vertex `*at` of the seam, forwards or backwards; false where it is not one
// with it.
static inline bool walk_side(const WeftGarment* g, int side, const int* seam, int room, int* at) {
    const int* v = g->side_vertices + g->side_start[side];
    int count = g->side_start[side + 1] - g->side_start[side], forth = 0, back = 0;
    if (*at + count > room) return false;
    for (int i = 0; i < count; i++) {
        forth += seam[*at + i] == v[i];
        back += seam[*at + i] == v[count - 1 - i];
    }
    *at += count - 1;
    return forth == count || back == count;
}

// The vertices of a seam are those of the sides of both chains.
static inline void check_seam(const WeftPattern* pattern, const WeftGarment* g, int s) {
    const WeftSeam* seam = &pattern->seams[s];
    const int* vertices = g->seam_vertices + g->seam_start[s];
    for (int c = 0; c < 2; c++) {
        int at = 0, bad = 0, n = seam->count[c];
        for (int i = 0; i < n; i++) {
            bool forth = c == 0 || g->seam_same[s];
            WeftSideName name = seam->chain[c][forth ? i : n - 1 - i];
            bad += !walk_side(g, g->first_side[name.panel] + name.side, vertices, seam_size(g, s),
                              &at);
        }
        if (bad || at != seam_size(g, s) - 1) printf("seam %d, chain %d\n", s, c);
        CHECK(bad == 0);
        CHECK(at == seam_size(g, s) - 1);
    }
}

static inline void check_model(const WeftGarment* g) {
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &g->mesh);
    cloth.stretch = WEFT_STRETCH_TRIANGLES;
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth, def.cloth_count = 1;
    WeftModel* model = NULL;
    if (!CHECK(weft_create_model(&def, &model, &kit_error) == WEFT_OK))
        printf("%s\n", kit_error.message);
    weft_destroy_model(model);
}

// All of it; `tolerance` is of the area, which curved sides lose a little of.
static inline void check_garment(const WeftPattern* pattern, const WeftGarment* g,
                                 double tolerance) {
    check_areas(pattern, g, tolerance);
    check_halves(&g->mesh);
    CHECK(g->panel_count == pattern->panel_count && g->seam_count == pattern->seam_count);
    for (int s = 0; s < g->seam_count; s++) check_seam(pattern, g, s);
    int stray = 0;
    for (int i = 0; i < 3 * g->mesh.triangle_count; i++)
        stray += g->material_panel[g->mesh.triangle_material[i]] != g->panels[i / 3];
    CHECK(stray == 0);
    check_model(g);
}

static inline bool sew(const Kit* kit, double edge, WeftGarment* g) {
    kit_error = (WeftError){0};
    WeftResult result = weft_sew_pattern(&kit->pattern, edge, NULL, g, NULL, &kit_error);
    if (result) printf("%s\n", kit_error.message);
    return CHECK(result == WEFT_OK);
}

static inline void refuse_kit(const Kit* kit, double edge, const char* message) {
    WeftGarment g;
    kit_error = (WeftError){0};
    CHECK(weft_sew_pattern(&kit->pattern, edge, NULL, &g, NULL, &kit_error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(kit_error.message, message);
    CHECK(g.mesh.positions == NULL && g.mesh.vertex_count == 0);
    weft_destroy_garment(&g);
}

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A body and a skirt for tests of dressing: a closed tube with hips, a waist and shoulders, 1.6 m
// high, and two rectangles around it.

#ifndef WEFT_DRESS_TEST_H
#define WEFT_DRESS_TEST_H

#include "garment_test.h"
#include "weft/weft_io.h"

enum { DUMMY_SIDES = 20, DUMMY_RINGS = 13 };
enum { DUMMY_VERTICES = DUMMY_SIDES * DUMMY_RINGS + 2 };
enum { DUMMY_TRIANGLES = 2 * DUMMY_SIDES * DUMMY_RINGS };
#define DUMMY_HIPS 0.8   // their height; girth 1.0 m
#define DUMMY_WAIST 1.0  // girth 0.72 m

typedef struct Dummy {
    double positions[3 * DUMMY_VERTICES];
    int triangles[3 * DUMMY_TRIANGLES];
} Dummy;

static Dummy dummy;  // made where it is dressed

static inline void make_dummy(void) {
    static const double profile[DUMMY_RINGS][2] = {
        {0.09, 0.01},  {0.11, 0.15}, {0.12, 0.3}, {0.13, 0.45}, {0.145, 0.6},
        {0.158, 0.72}, {0.16, 0.8},  {0.14, 0.9}, {0.115, 1.0}, {0.13, 1.12},
        {0.15, 1.25},  {0.13, 1.4},  {0.06, 1.5}};
    int* t = dummy.triangles;
    for (int i = 0; i < DUMMY_RINGS; i++)
        for (int k = 0; k < DUMMY_SIDES; k++) {
            double angle = 2 * TEST_PI * k / DUMMY_SIDES;
            wf_store(
                dummy.positions, DUMMY_SIDES * i + k,
                (WfVec){profile[i][0] * cos(angle), profile[i][1], -profile[i][0] * sin(angle)});
        }
    wf_store(dummy.positions, DUMMY_VERTICES - 2, (WfVec){0, 0, 0});
    wf_store(dummy.positions, DUMMY_VERTICES - 1, (WfVec){0, 1.6, 0});
    for (int i = 0; i + 1 < DUMMY_RINGS; i++)
        for (int k = 0; k < DUMMY_SIDES; k++, t += 6) {
            int a = DUMMY_SIDES * i + k, b = DUMMY_SIDES * i + (k + 1) % DUMMY_SIDES;
            const int cell[6] = {a, b, b + DUMMY_SIDES, a, b + DUMMY_SIDES, a + DUMMY_SIDES};
            memcpy(t, cell, sizeof cell);
        }
    for (int k = 0; k < DUMMY_SIDES; k++, t += 6) {
        int next = (k + 1) % DUMMY_SIDES, top = DUMMY_SIDES * (DUMMY_RINGS - 1);
        const int lids[6] = {DUMMY_VERTICES - 2, next, k, DUMMY_VERTICES - 1, top + k, top + next};
        memcpy(t, lids, sizeof lids);
    }
}

// A tube of this girth from the waist down, with an elastic band at the top.
static inline Kit* make_skirt(double girth, double length) {
    Kit* kit = make_tube_kit(girth / 2, length, DUMMY_WAIST - length, 0.4);
    snprintf(kit->pattern.name, sizeof kit->pattern.name, "skirt");
    for (int p = 0; p < 2; p++) {
        label_side(&kit->panels[p], 2, "waist");
        label_side(&kit->panels[p], 0, "hem");
    }
    add_hold(kit, "waist", WEFT_HOLD_BAND);
    kit->holds[0].ratio = fmin(0.74 / girth, 1);
    return kit;
}

static inline WeftWearDef wear_kit(const Kit* kit, double edge) {
    WeftWearDef wear = weft_default_wear_def();
    wear.pattern = &kit->pattern;
    wear.edge = edge;
    return wear;
}

static inline WeftDressDef dress_dummy(const WeftWearDef* wear, int count) {
    make_dummy();
    WeftDressDef def = weft_default_dress_def();
    def.wear = wear;
    def.wear_count = count;
    def.vertex_count = DUMMY_VERTICES;
    def.positions = dummy.positions;
    def.triangle_count = DUMMY_TRIANGLES;
    def.triangles = dummy.triangles;
    return def;
}

// Pairs of triangles that cross, and vertices inside of the body: by a judge of its own.
static inline int judge(const WeftSurface* surfaces, int count) {
    WeftCrossing crossing[1];
    WeftInside inside[8];
    int crossed = -1, in = -1, sum = 0;
    CHECK(weft_find_crossings(surfaces, count, NULL, 1, crossing, &crossed, NULL) == WEFT_OK);
    CHECK(weft_find_inside(surfaces, count, NULL, NULL, 8, inside, &in, NULL) == WEFT_OK);
    for (int i = 0; i < in && i < 8; i++) sum += inside[i].vertex_count;
    return crossed + sum;
}

static inline WeftSurface cloth_surface(const WeftMesh* mesh, const double* positions) {
    return (WeftSurface){mesh->vertex_count, positions, mesh->triangle_count, mesh->triangles,
                         false};
}

static inline WeftSurface body_surface(const WeftDressDef* def, const double* positions) {
    return (WeftSurface){def->vertex_count, positions, def->triangle_count, def->triangles, true};
}

// What is worn, on the body at `positions`.
static inline int judge_outfit(const WeftOutfit* outfit, const WeftDressDef* def,
                               const double* positions) {
    WeftSurface surfaces[5] = {body_surface(def, positions)};
    for (int i = 0; i < outfit->worn_count; i++) {
        const WeftMesh* mesh = &outfit->worn[i].garment.mesh;
        surfaces[i + 1] = cloth_surface(mesh, mesh->positions);
    }
    return judge(surfaces, 1 + outfit->worn_count);
}

static inline void span_of(const WeftMesh* mesh, int axis, double span[2]) {
    span[0] = HUGE_VAL, span[1] = -HUGE_VAL;
    for (int v = 0; v < mesh->vertex_count; v++) {
        span[0] = fmin(span[0], mesh->positions[3 * v + axis]);
        span[1] = fmax(span[1], mesh->positions[3 * v + axis]);
    }
}

#endif

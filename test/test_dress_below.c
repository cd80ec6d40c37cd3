// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards garment/dress_below.c: layers that are pressed to the body open to where they lay, and
// what is worn over them stays outside, however wide they are.

#include "base/memory.h"
#include "dress_test.h"
#include "garment/dress.h"

#define EDGE 0.06

// ---------------------------------------------------------------------------------------------
// A wide tube around the dummy, below a layer that is not there

typedef struct Wide {
    Kit* kit;
    WeftWearDef wear;
    WeftDressDef def;
    WfLayer layer;
    WfDressing d;
    WeftError error;
    double thin[3 * DUMMY_VERTICES], normals[3 * DUMMY_VERTICES], open[DUMMY_VERTICES];
} Wide;

// Twice as far from the axis as the hips; its front outside or inside.
static Wide* make_wide(bool inside_out, WeftAllocator allocator) {
    Wide* w = calloc(1, sizeof *w);
    w->kit = make_tube_kit(0.8, 0.3, 0.7, 0.4);
    w->wear = wear_kit(w->kit, EDGE);
    w->def = dress_dummy(&w->wear, 1);
    w->layer = (WfLayer){.wear = &w->wear, .edge = EDGE};
    w->d = (WfDressing){.def = &w->def,
                        .allocator = allocator,
                        .thin = w->thin,
                        .normals = w->normals,
                        .open = w->open,
                        .layer_count = 1,
                        .layers = &w->layer,
                        .error = &w->error};
    for (int i = 0; i < 3 * DUMMY_VERTICES; i++)
        w->thin[i] = dummy.positions[i] * (i % 3 == 1 ? 1 : 0.5);
    CHECK(!weft_sew_pattern(&w->kit->pattern, EDGE, NULL, &w->layer.garment, NULL, &w->error));
    WeftMesh* mesh = &w->layer.garment.mesh;
    for (int v = 0; v < mesh->vertex_count; v++) {
        double* p = mesh->positions + 3 * (long)v;
        double out = 0.32 / sqrt(p[0] * p[0] + p[2] * p[2]);
        p[0] *= out, p[2] *= out;
    }
    for (int t = 0; t < mesh->triangle_count && inside_out; t++) {
        int swap = mesh->triangles[3 * t];
        mesh->triangles[3 * t] = mesh->triangles[3 * t + 1];
        mesh->triangles[3 * t + 1] = swap;
    }
    return w;
}

static void destroy_wide(Wide* w) {
    wf_drop_below(&w->d, &w->layer);
    weft_destroy_garment(&w->layer.garment);
    free(w->kit);
    free(w);
}

// The farthest of it from the axis, at x.
static double radius_of(const Wide* w, const double* x) {
    double radius = 0;
    for (int v = 0; v < w->layer.garment.mesh.vertex_count; v++)
        radius = fmax(radius, hypot(x[3 * v], x[3 * v + 2]));
    return radius;
}

// Pressed to the thin body and to the body, and as it lay when it is open.
static void pressed_and_open(void) {
    for (int inside_out = 0; inside_out < 2; inside_out++) {
        Wide* w = make_wide(inside_out, wf_allocator(NULL));
        const WeftMesh* mesh = &w->layer.garment.mesh;
        double least = wf_least_lift(&w->d, &w->layer);
        double* x = malloc(3 * sizeof *x * (size_t)mesh->vertex_count);
        CHECK(!wf_thin_below(&w->d, 1));
        CHECK_BELOW(radius_of(w, w->layer.thin), 0.08 + least + 0.002);
        wf_place_below(&w->d, &w->layer, dummy.positions, x);
        CHECK_BELOW(radius_of(w, x), 0.16 + least + 0.002);
        for (int i = 0; i < DUMMY_VERTICES; i++) w->open[i] = 1;
        wf_place_below(&w->d, &w->layer, dummy.positions, x);
        for (int i = 0; i < 3 * mesh->vertex_count; i++)
            CHECK_BELOW(fabs(x[i] - mesh->positions[i]), 1e-12);
        free(x);
        destroy_wide(w);
    }
}

// What was pressed when it is left there is held, and stays held.
static void held(void) {
    Wide* w = make_wide(false, wf_allocator(NULL));
    const WeftMesh* mesh = &w->layer.garment.mesh;
    CHECK(!wf_thin_below(&w->d, 1));
    for (int i = 0; i < DUMMY_VERTICES; i++) w->open[i] = dummy.positions[3 * i + 1] > 0.85;
    wf_settle_below(&w->d, 1);
    int count = 0;
    for (int v = 0; v < mesh->vertex_count; v++) count += w->layer.pressed[v];
    CHECK(count > mesh->vertex_count / 4 && count < 3 * mesh->vertex_count / 4);
    CHECK(!wf_thin_below(&w->d, 1));
    for (int i = 0; i < DUMMY_VERTICES; i++) w->open[i] = 1;
    wf_settle_below(&w->d, 1);
    for (int v = 0; v < mesh->vertex_count; v++) count -= w->layer.pressed[v];
    CHECK(count == 0);
    destroy_wide(w);
}

static void nth_allocation_fails(void) {
    WeftResult result = WEFT_ERROR_MEMORY;
    for (long n = 1; result && n < 100; n++) {
        Counting counting = {.fail_at = n};
        Wide* w = make_wide(false, counting_allocator(&counting));
        result = wf_thin_below(&w->d, 1);
        CHECK(result == (counting.calls >= n ? WEFT_ERROR_MEMORY : WEFT_OK));
        destroy_wide(w);
        CHECK(counting.live == 0);
    }
    CHECK(result == WEFT_OK);
}

// ---------------------------------------------------------------------------------------------
// Outfits

// A tube that hangs from the shoulders.
static Kit* make_robe(double girth) {
    Kit* kit = make_tube_kit(girth / 2, 0.75, 0.7, 0.4);
    snprintf(kit->pattern.name, sizeof kit->pattern.name, "robe");
    for (int p = 0; p < 2; p++) label_side(&kit->panels[p], 2, "collar");
    add_hold(kit, "collar", WEFT_HOLD_BAND);
    kit->holds[0].ratio = 0.55 / girth;
    return kit;
}

static Kit* make_belt(double girth) {
    Kit* kit = make_tube_kit(girth / 2, 0.06, 0.97, 0.4);
    snprintf(kit->pattern.name, sizeof kit->pattern.name, "belt");
    for (int s = 0; s < 2; s++) kit->seams[s].ends = WEFT_SEAM_OPPOSITE;
    return kit;
}

// How far from the axis a layer is on average, from one height to another.
static double mean_radius(const WeftMesh* mesh, double low, double high) {
    double sum = 0;
    int count = 0;
    for (int v = 0; v < mesh->vertex_count; v++) {
        const double* p = mesh->positions + 3 * (long)v;
        if (p[1] < low || p[1] > high) continue;
        sum += hypot(p[0], p[2]), count++;
    }
    return CHECK(count > 3) ? sum / count : 0;
}

// The belt began inside of the robe, which is twice as wide, and stayed there.
static void belt_over_a_wide_robe(void) {
    Kit *robe = make_robe(1.4), *belt = make_belt(0.78);
    WeftWearDef wears[2] = {wear_kit(robe, EDGE), wear_kit(belt, EDGE)};
    WeftDressDef def = dress_dummy(wears, 2);
    WeftOutfit outfit;
    if (CHECK(!weft_dress(&def, &outfit, &kit_error))) {
        const WeftMesh *inner = &outfit.worn[0].garment.mesh, *outer = &outfit.worn[1].garment.mesh;
        double span[2];
        span_of(outer, 1, span);
        CHECK(outfit.findings.count == 0);
        CHECK(judge_outfit(&outfit, &def, dummy.positions) == 0);
        CHECK_BELOW(outfit.worn[0].stretch, 1.1);
        CHECK_BELOW(outfit.worn[1].stretch, 1.3);
        double middle = (span[0] + span[1]) / 2, around = mean_radius(outer, span[0], span[1]);
        CHECK(middle > 0.9 && middle < 1.15);
        CHECK_BELOW(mean_radius(inner, middle - 0.02, middle + 0.02), around);
        // above and below, it is as wide as it was
        CHECK(mean_radius(inner, middle - 0.18, middle - 0.1) > 1.2 * around);
    }
    weft_destroy_outfit(&outfit);
    free(robe);
    free(belt);
}

TEST_MAIN(CASE(pressed_and_open), CASE(held), CASE(nth_allocation_fails),
          SLOW_CASE(belt_over_a_wide_robe))

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards meshes made dense: counts, places, seams, ropes, refusals.

#include <math.h>
#include <string.h>

#include "mesh_test.h"
#include "weft/weft_detail.h"

static double triangle_area(const double* x, int size, const int* v) {
    double e[2][3] = {{0}, {0}};
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < size; k++)
            e[s][k] = x[(long)size * v[s + 1] + k] - x[(long)size * v[0] + k];
    double n[3] = {e[0][1] * e[1][2] - e[0][2] * e[1][1], e[0][2] * e[1][0] - e[0][0] * e[1][2],
                   e[0][0] * e[1][1] - e[0][1] * e[1][0]};
    return (size == 2 ? n[2] : sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])) / 2;
}

static void check_map(const WeftMesh* coarse, const WeftMesh* fine, const WeftRefinement* map) {
    CHECK(map->vertex_count == fine->vertex_count && map->triangle_count == fine->triangle_count);
    for (int i = 0; i < fine->vertex_count; i++) {
        const int* v = map->corners + 3 * (long)i;
        const double* w = map->weights + 3 * (long)i;
        CHECK_NEAR(w[0] + w[1] + w[2], 1, 1e-15);
        for (int k = 0; k < 3; k++) {
            double x = 0;
            for (int c = 0; c < 3; c++) x += w[c] * coarse->positions[3 * (long)v[c] + k];
            CHECK_NEAR(fine->positions[3 * (long)i + k], x, 1e-14);
        }
    }
    CHECK(memcmp(fine->positions, coarse->positions, 24 * (size_t)coarse->vertex_count) == 0);
}

// All parts of a triangle are equal, and turn as it does: in space and in the flat shape.
static void check_parts(const WeftMesh* coarse, const WeftMesh* fine, const WeftRefinement* map,
                        int parts) {
    const int* flat = coarse->triangle_material ? coarse->triangle_material : coarse->triangles;
    const int* fine_flat = fine->triangle_material ? fine->triangle_material : fine->triangles;
    for (int t = 0; t < fine->triangle_count; t++) {
        long of = 3 * (long)map->triangles[t], own = 3 * (long)t;
        double share = 1.0 / (parts * parts);
        CHECK_NEAR(triangle_area(fine->positions, 3, fine->triangles + own),
                   share * triangle_area(coarse->positions, 3, coarse->triangles + of), 1e-12);
        CHECK_NEAR(triangle_area(fine->material, 2, fine_flat + own),
                   share * triangle_area(coarse->material, 2, flat + of), 1e-12);
    }
}

static void grids(void) {
    WeftGridDef def = {1, 0.8, 5, 4, WEFT_GRID_ALTERNATING};
    WeftMesh coarse;
    CHECK(!weft_make_grid(&def, NULL, &coarse, NULL));
    for (int i = 0; i < coarse.vertex_count; i++)
        coarse.positions[3 * i + 1] = 0.1 * sin(7 * coarse.positions[3 * i]);
    int edges = 5 * 5 + 6 * 4 + 20;
    for (int parts = 1; parts <= 5; parts++) {
        WeftMesh fine;
        WeftRefinement map;
        CHECK(!weft_refine_mesh(&coarse, parts, NULL, &fine, &map, NULL));
        CHECK(fine.vertex_count == 30 + edges * (parts - 1) + 40 * (parts - 1) * (parts - 2) / 2);
        CHECK(fine.triangle_count == 40 * parts * parts && !fine.springs);
        check_map(&coarse, &fine, &map);
        check_parts(&coarse, &fine, &map, parts);
        // it is a cloth: every vertex in place, nothing doubled
        WeftClothDef cloth = weft_default_cloth_def();
        weft_use_mesh(&cloth, &fine);
        WeftModelDef model_def = weft_default_model_def();
        model_def.cloths = &cloth;
        model_def.cloth_count = 1;
        WeftModel* model = NULL;
        CHECK(!weft_create_model(&model_def, &model, NULL));
        CHECK(weft_unwelded_count(model, 0) == 0);
        weft_destroy_model(model);
        weft_destroy_mesh(&fine);
        weft_destroy_refinement(&map);
    }
    weft_destroy_mesh(&coarse);
}

// Two squares that are sewn along an edge lie apart in the flat shape, and stay so.
static void seams(void) {
    double positions[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 0, 0, 2, 1, 0};
    double material[] = {0, 0, 1, 0, 1, 1, 0, 1, 3, 0, 4, 0, 4, 1, 3, 1};
    int triangles[] = {0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2};
    int flat[] = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7};
    WeftMesh coarse = {.vertex_count = 6,
                       .positions = positions,
                       .material_count = 8,
                       .material = material,
                       .triangle_count = 4,
                       .triangles = triangles,
                       .triangle_material = flat};
    WeftMesh fine;
    WeftRefinement map;
    CHECK(!weft_refine_mesh(&coarse, 3, NULL, &fine, &map, NULL));
    CHECK(fine.vertex_count == 7 * 4 && fine.material_count == 2 * 16);
    check_map(&coarse, &fine, &map);
    check_parts(&coarse, &fine, &map, 3);
    for (int c = 0; c < 3 * fine.triangle_count; c++) {
        const double* x = fine.positions + 3 * (long)fine.triangles[c];
        const double* u = fine.material + 2 * (long)fine.triangle_material[c];
        CHECK_NEAR(u[0], x[0] + (map.triangles[c / 3] < 2 ? 0 : 2), 1e-14);
        CHECK_NEAR(u[1], x[1], 1e-14);
    }
    weft_destroy_mesh(&fine);
    weft_destroy_refinement(&map);
}

static void ropes_stay(void) {
    WeftRopeDef def = weft_default_rope_def();
    WeftMesh coarse, fine;
    CHECK(!weft_make_rope(&def, NULL, &coarse, NULL));
    CHECK(!weft_refine_mesh(&coarse, 4, NULL, &fine, NULL, NULL));
    CHECK(fine.vertex_count == coarse.vertex_count && fine.thread_count == coarse.thread_count);
    CHECK(memcmp(fine.thread_vertices, coarse.thread_vertices,
                 sizeof(int) * (size_t)coarse.thread_vertex_count) == 0);
    CHECK(memcmp(fine.positions, coarse.positions, 24 * (size_t)coarse.vertex_count) == 0);
    weft_destroy_mesh(&fine);
    weft_destroy_mesh(&coarse);
}

static void refusals(void) {
    WeftGridDef def = {1, 1, 400, 400, WEFT_GRID_ALTERNATING};
    WeftMesh coarse, fine;
    WeftError error;
    CHECK(!weft_make_grid(&def, NULL, &coarse, NULL));
    CHECK(weft_refine_mesh(&coarse, 0, NULL, &fine, NULL, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "1 to 64");
    CHECK(weft_refine_mesh(&coarse, 64, NULL, &fine, NULL, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "more than 5000000 vertices");
    coarse.triangles[7] = coarse.vertex_count;
    CHECK(weft_refine_mesh(&coarse, 2, NULL, &fine, NULL, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "triangle 2 names vertex 160801 of 160801");
    weft_destroy_mesh(&fine);  // nothing is in it
    weft_destroy_mesh(&coarse);
}

TEST_MAIN(CASE(grids), CASE(seams), CASE(ropes_stay), CASE(refusals))

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards what is shown without learning: meshes that are embedded, smooth surfaces, normals, and
// that no shown vertex is inside of a body.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "counting.h"
#include "mesh_test.h"
#include "runners.h"
#include "weft/weft_detail.h"

enum { CELLS = 12, PARTS = 3 };

// 1 m wide, about the origin, in the plane y = 0.
static WeftMesh make_sheet(int cells) {
    WeftGridDef grid = {1, 1, cells, cells, WEFT_GRID_ALTERNATING};
    WeftMesh mesh;
    CHECK(!weft_make_grid(&grid, NULL, &mesh, NULL));
    for (int i = 0; i < mesh.vertex_count; i++) {
        double at[3] = {(double)(i % (cells + 1)) / cells - 0.5, 0,
                        (double)(i / (cells + 1)) / cells - 0.5};
        memcpy(mesh.positions + 3 * (long)i, at, sizeof at);
    }
    return mesh;
}

static double* show(const WeftDetail* detail, const double* x) {
    double* y = malloc(3 * (size_t)weft_detail_vertex_count(detail) * sizeof *y);
    WeftDetailFrame frame = {.positions = x, .gravity = {0, -1, 0}};
    weft_apply_detail(detail, &frame, NULL, y);
    return y;
}

static double length(const double* x) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

// ---------------------------------------------------------------------------------------------
// Surfaces

static WeftDetail* refine(const WeftMesh* coarse, WeftDetailSurface surface) {
    WeftMesh fine;
    WeftRefinement map;
    WeftDetail* detail = NULL;
    CHECK(!weft_refine_mesh(coarse, PARTS, NULL, &fine, &map, NULL));
    CHECK(!weft_create_detail(coarse, &fine, &map, surface, NULL, &detail, NULL));
    weft_destroy_mesh(&fine);
    weft_destroy_refinement(&map);
    return detail;
}

// A part of a sphere of 1 m.
static void bulge(WeftMesh* mesh) {
    for (int i = 0; i < mesh->vertex_count; i++) {
        double* x = mesh->positions + 3 * (long)i;
        x[1] = sqrt(1 - x[0] * x[0] - x[2] * x[2]);
    }
}

// On average.
static double off_sphere(const double* y, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += fabs(length(y + 3 * (long)i) - 1);
    return sum / count;
}

static void rounder(void) {
    WeftMesh mesh = make_sheet(CELLS);
    bulge(&mesh);
    WeftDetail* details[2];
    double off[2];
    for (int k = 0; k < 2; k++) {
        details[k] = refine(&mesh, k ? WEFT_SURFACE_SMOOTH : WEFT_SURFACE_FLAT);
        double* y = show(details[k], mesh.positions);
        off[k] = off_sphere(y, weft_detail_vertex_count(details[k]));
        // corners come first, and are kept
        CHECK(memcmp(y, mesh.positions, 24 * (size_t)mesh.vertex_count) == 0);
        free(y);
        weft_destroy_detail(details[k]);
    }
    CHECK_BELOW(off[1], 0.3 * off[0]);
    weft_destroy_mesh(&mesh);
}

static void flat_stays_flat(void) {
    WeftMesh mesh = make_sheet(CELLS);
    WeftDetail* detail = refine(&mesh, WEFT_SURFACE_SMOOTH);
    double* y = show(detail, mesh.positions);
    int n = weft_detail_vertex_count(detail);
    for (int i = 0; i < n; i++) CHECK_BELOW(fabs(y[3 * i + 1]), 1e-15);
    // normals point along y, or against it
    float* normals = malloc(12 * (size_t)n);
    float* floats = malloc(12 * (size_t)n);
    weft_copy_detail(detail, y, NULL, floats, normals);
    for (int i = 0; i < n; i++) {
        CHECK_NEAR(fabs((double)normals[3 * i + 1]), 1, 1e-6);
        CHECK(floats[3 * i] == (float)y[3 * i]);
    }
    free(normals);
    free(floats);
    free(y);
    weft_destroy_detail(detail);
    weft_destroy_mesh(&mesh);
}

static void normals_of_a_sphere(void) {
    WeftMesh mesh = make_sheet(4 * CELLS);
    bulge(&mesh);
    WeftDetail* detail = refine(&mesh, WEFT_SURFACE_FLAT);
    int n = weft_detail_vertex_count(detail);
    double* y = show(detail, mesh.positions);
    float* normals = malloc(12 * (size_t)n);
    weft_copy_detail(detail, y, NULL, NULL, normals);
    for (int i = 0; i < n; i++) {
        double along = 0;
        for (int k = 0; k < 3; k++) along += (double)normals[3 * i + k] * y[3 * i + k];
        CHECK_NEAR(fabs(along) / length(y + 3 * (long)i), 1, 2e-3);
    }
    free(normals);
    free(y);
    weft_destroy_detail(detail);
    weft_destroy_mesh(&mesh);
}

// Collapsed, inverted, far away: numbers, and not far from the triangles. No number: no crash.
static void strange_cloth(void) {
    WeftMesh mesh = make_sheet(CELLS);
    WeftDetail* detail = refine(&mesh, WEFT_SURFACE_SMOOTH);
    int m = 3 * mesh.vertex_count, n = 3 * weft_detail_vertex_count(detail);
    double* x = malloc((size_t)m * sizeof *x);
    static const double scales[] = {0, 1e-9, -1, 1e6};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < m; i++) x[i] = scales[s] * (i % 3 ? mesh.positions[i] : sin(3.0 * i));
        double* y = show(detail, x);
        for (int i = 0; i < n; i++) CHECK(fabs(y[i]) <= 3 * fabs(scales[s]) + 1e-9);
        free(y);
    }
    x[10] = NAN;
    x[20] = INFINITY;
    free(show(detail, x));
    free(x);
    weft_destroy_detail(detail);
    weft_destroy_mesh(&mesh);
}

// ---------------------------------------------------------------------------------------------
// Embedding

// Twice the sheet, 2 mm above and below it and wider by a trim, as render meshes are.
static WeftMesh make_thick(double wider) {
    WeftMesh thick = make_sheet(2 * CELLS);
    for (int i = 0; i < thick.vertex_count; i++) {
        double* x = thick.positions + 3 * (long)i;
        x[0] *= wider;
        x[2] *= wider;
        x[1] = 0.05 * sin(5 * x[0]) + (i % 2 ? 0.002 : -0.002);
    }
    return thick;
}

static void embedded_comes_back(void) {
    WeftMesh sheet = make_sheet(CELLS), thick = make_thick(1.02);
    for (int i = 0; i < sheet.vertex_count; i++)
        sheet.positions[3 * i + 1] = 0.05 * sin(5 * sheet.positions[3 * i]);
    WeftRefinement map;
    CHECK(!weft_embed_mesh(&sheet, &thick, NULL, &map, NULL));
    for (int s = 0; s < 2; s++) {
        WeftDetail* detail = NULL;
        CHECK(!weft_create_detail(&sheet, &thick, &map, s ? WEFT_SURFACE_SMOOTH : WEFT_SURFACE_FLAT,
                                  NULL, &detail, NULL));
        double* y = show(detail, sheet.positions);
        // heights alone cannot undo what a smooth surface moves along itself
        for (int i = 0; i < 3 * thick.vertex_count; i++)
            CHECK_NEAR(y[i], thick.positions[i], s ? 2e-3 : 1e-9);
        free(y);
        weft_destroy_detail(detail);
    }
    weft_destroy_refinement(&map);
    weft_destroy_mesh(&thick);
    weft_destroy_mesh(&sheet);
}

static void embedding_refuses(void) {
    WeftMesh sheet = make_sheet(2), other = make_sheet(3);
    WeftRefinement map;
    WeftError error;
    int count = sheet.triangle_count;
    sheet.triangle_count = 0;
    CHECK(weft_embed_mesh(&sheet, &other, NULL, &map, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "no triangles");
    sheet.triangle_count = count;
    other.positions[4] = NAN;
    CHECK(weft_embed_mesh(&sheet, &other, NULL, &map, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "the shown mesh: vertex 1");
    weft_destroy_mesh(&other);
    weft_destroy_mesh(&sheet);
}

// ---------------------------------------------------------------------------------------------
// Bodies

typedef struct Stage {
    WeftMesh mesh;
    WeftDetail* detail;
    WeftModel* model;
    WeftState* state;
    WeftKeeper* keeper;
    Counting counting;
    int count;
    double *before, *after;
    double kept;  // m
} Stage;

// Half a thickness, and what edges of such triangles cut into a cylinder of 25 mm.
static double kept_of(const Stage* stage) {
    double square = 4 / sqrt(3) / weft_detail_triangle_count(stage->detail);  // of a square metre
    return 0.5e-3 + fmin(square / (8 * 0.025), 2e-3);
}

// A sheet 5 mm above y = 0.
static void open_stage(Stage* stage, const WeftBodyDef* body) {
    *stage = (Stage){.mesh = make_sheet(CELLS)};
    WeftAllocator allocator = counting_allocator(&stage->counting);
    for (int i = 0; i < stage->mesh.vertex_count; i++) stage->mesh.positions[3 * i + 1] = 0.005;
    stage->detail = refine(&stage->mesh, WEFT_SURFACE_FLAT);
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &stage->mesh);
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth;
    def.cloth_count = 1;
    def.bodies = body;
    def.body_count = 1;
    CHECK(!weft_create_model(&def, &stage->model, NULL));
    CHECK(!weft_create_state(stage->model, &stage->state, NULL));
    CHECK(!weft_create_keeper(stage->model, stage->detail, 0, &allocator, &stage->keeper, NULL));
    stage->kept = kept_of(stage);
    stage->count = weft_detail_vertex_count(stage->detail);
    stage->before = show(stage->detail, weft_positions(stage->state));
    stage->after = malloc(24 * (size_t)stage->count);
}

static void close_stage(Stage* stage) {
    weft_destroy_keeper(stage->keeper);
    CHECK(stage->counting.live == 0);
    weft_destroy_state(stage->state);
    weft_destroy_model(stage->model);
    weft_destroy_detail(stage->detail);
    weft_destroy_mesh(&stage->mesh);
    free(stage->before);
    free(stage->after);
}

// Wrinkles down to `deep` below the sheet, kept outside: on one thread and on several.
static int keep(Stage* stage, double deep) {
    int n = stage->count, runs = 0;
    double* other = malloc(24 * (size_t)n);
    WeftJobs jobs = {.run = run_on_threads, .user = &runs};
    for (int i = 0; i < n; i++) stage->before[3 * i + 1] = 0.005 - deep * (0.5 + 0.5 * sin(i));
    memcpy(stage->after, stage->before, 24 * (size_t)n);
    memcpy(other, stage->before, 24 * (size_t)n);
    long calls = stage->counting.calls;
    int moved = weft_keep_outside(stage->keeper, stage->state, NULL, stage->after);
    CHECK(weft_keep_outside(stage->keeper, stage->state, &jobs, other) == moved);
    CHECK(stage->counting.calls == calls && runs > 0);
    CHECK(memcmp(other, stage->after, 24 * (size_t)n) == 0);
    free(other);
    return moved;
}

typedef double Distance(const double* x);

static double from_plane(const double* x) { return x[1]; }
static double from_sphere(const double* x) {
    double at[3] = {x[0], x[1] + 0.3, x[2]};
    return length(at) - 0.3;
}
static double from_capsule(const double* x) {
    double at[3] = {x[0], x[1] + 0.1 - fmax(-0.4, fmin(0.0, x[1] + 0.1)), x[2]};
    return length(at) - 0.1;
}
static double from_box(const double* x) {
    double off[3], out = 0, in = -1;
    for (int k = 0; k < 3; k++) {
        off[k] = fabs(x[k] + (k == 1 ? 0.2 : 0)) - 0.2;
        out += off[k] > 0 ? off[k] * off[k] : 0;
        in = fmax(in, off[k]);
    }
    return in > 0 ? sqrt(out) : in;
}

// None is nearer than most of what is kept, and what was further away has not moved by a bit.
static void check_outside(const Stage* stage, int moved, Distance* distance) {
    int others = 0;
    CHECK(moved > 0);
    for (int i = 0; i < stage->count; i++) {
        const double *x = stage->before + 3 * (long)i, *y = stage->after + 3 * (long)i;
        bool same = memcmp(x, y, 24) == 0;
        others += !same;
        CHECK(distance(y) > 0.49 * stage->kept);
        CHECK(same == (distance(x) >= stage->kept) || fabs(distance(x) - stage->kept) < 1e-9);
    }
    CHECK(others == moved && moved < stage->count);
}

static void simple_bodies(void) {
    static const WeftBodyKind kinds[] = {WEFT_BODY_PLANE, WEFT_BODY_SPHERE, WEFT_BODY_CAPSULE,
                                         WEFT_BODY_BOX};
    static Distance* const distances[] = {from_plane, from_sphere, from_capsule, from_box};
    static const double heights[] = {0, -0.3, -0.3, -0.2};
    for (int k = 0; k < 4; k++) {
        WeftBodyDef body = weft_default_body_def();
        Stage stage;
        body.kind = kinds[k];
        body.radius = k == 1 ? 0.3 : 0.1;
        body.length = 0.4;
        for (int c = 0; c < 3; c++) body.size[c] = 0.4;
        body.position[1] = heights[k];
        open_stage(&stage, &body);
        check_outside(&stage, keep(&stage, 0.008), distances[k]);
        close_stage(&stage);
    }
}

// A block of 0.4 m below y = 0, its top in 8 x 8 squares; without the rest of it, it is open.
typedef struct Block {
    double positions[3 * 85];
    int triangles[3 * 200];
    WeftBodyDef def;
} Block;

static void add_triangle(Block* block, int a, int b, int c) {
    int* v = block->triangles + 3 * (long)block->def.triangle_count++;
    v[0] = a, v[1] = b, v[2] = c;
}

static void make_block(Block* block, bool closed) {
    *block = (Block){.def = weft_default_body_def()};
    block->def.kind = WEFT_BODY_MESH;
    for (int i = 0; i < 81; i++) {
        double at[3] = {-0.2 + 0.05 * (i % 9), 0, -0.2 + 0.05 * (i / 9)};
        memcpy(block->positions + 3 * (long)i, at, sizeof at);
    }
    for (int i = 0; i < 64; i++) {
        int a = i / 8 * 9 + i % 8;
        add_triangle(block, a, a + 9, a + 10);
        add_triangle(block, a, a + 10, a + 1);
    }
    double low[3] = {0, -0.4, 0};
    memcpy(block->positions + 3 * 81, low, sizeof low);
    for (int k = 0; k < 8 && closed; k++) {
        add_triangle(block, k, k + 1, 81);
        add_triangle(block, 9 * k + 8, 9 * k + 17, 81);
        add_triangle(block, 73 + k, 72 + k, 81);
        add_triangle(block, 9 * k + 9, 9 * k, 81);
    }
    block->def.vertex_count = closed ? 82 : 81;
    block->def.positions = block->positions;
    block->def.triangles = block->triangles;
}

static bool is_above(const double* x, double height) {
    return fabs(x[0]) > 0.19 || fabs(x[2]) > 0.19 || x[1] > height;
}

static void check_above(const Stage* stage, int moved, double height) {
    CHECK(moved > 0 && moved < stage->count);
    for (int i = 0; i < stage->count; i++) {
        const double *x = stage->before + 3 * (long)i, *y = stage->after + 3 * (long)i;
        CHECK(is_above(y, height + 0.49 * stage->kept));
        if (x[1] > height + 1.2 * stage->kept || fabs(x[0]) > 0.21 || fabs(x[2]) > 0.21)
            CHECK(memcmp(x, y, 24) == 0);
    }
}

// A body that the cloth does not touch keeps nothing out: one of the model, and one that is
// switched off and on again.
static void keeper_knows_masks(void) {
    WeftBodyDef body = weft_default_body_def();
    body.kind = WEFT_BODY_PLANE;
    for (int apart = 0; apart < 2; apart++) {
        Stage stage;
        body.layer = apart ? 2 : 1;
        body.mask = apart ? 2 : WEFT_ALL_LAYERS;
        open_stage(&stage, &body);
        CHECK((keep(&stage, 0.008) > 0) == !apart);
        weft_set_body_mask(stage.state, 0, 1, WEFT_ALL_LAYERS);
        CHECK(keep(&stage, 0.008) > 0);
        weft_set_cloth_mask(stage.state, 0, 1, 2);
        CHECK(keep(&stage, 0.008) == 0);
        CHECK(memcmp(stage.before, stage.after, 24 * (size_t)stage.count) == 0);
        close_stage(&stage);
    }
}

// Closed ones and open ones; then the body is raised, and then its shape is.
static void meshes(void) {
    for (int closed = 0; closed < 2; closed++) {
        Block block;
        Stage stage;
        make_block(&block, closed);
        open_stage(&stage, &block.def);
        check_above(&stage, keep(&stage, 0.008), 0);
        double up[3] = {0, 0.002, 0}, straight[4] = {0, 0, 0, 1};
        weft_place_body(stage.state, 0, up, straight);
        check_above(&stage, keep(&stage, 0.008), 0.002);
        for (int i = 0; i < 81; i++) block.positions[3 * i + 1] = 0.001;
        weft_deform_body(stage.state, 0, block.positions);
        WeftStepDef step = weft_default_step_def();
        step.gravity[1] = 0;
        CHECK(!weft_step(stage.state, &step));
        check_above(&stage, keep(&stage, 0.008), 0.003);
        // what is no number is left alone
        for (int i = 0; i < 3 * stage.count; i++) stage.after[i] = i % 2 ? NAN : INFINITY;
        CHECK(weft_keep_outside(stage.keeper, stage.state, NULL, stage.after) == 0);
        close_stage(&stage);
    }
}

static void keeper_refuses(void) {
    WeftBodyDef body = weft_default_body_def();
    Stage stage;
    WeftKeeper* keeper = NULL;
    WeftError error;
    open_stage(&stage, &body);
    CHECK(weft_create_keeper(stage.model, stage.detail, 1, NULL, &keeper, &error) ==
          WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "from vertex 1 on, and the model has 169");
    close_stage(&stage);
    Block block;
    make_block(&block, true);
    open_stage(&stage, &block.def);
    for (int n = 0; n < 100 && !keeper; n++) {
        TestMemory memory = {.fail_at = n};
        WeftAllocator allocator = test_allocator(&memory);
        WeftResult result =
            weft_create_keeper(stage.model, stage.detail, 0, &allocator, &keeper, &error);
        CHECK(result == (memory.count <= n ? WEFT_OK : WEFT_ERROR_MEMORY));
        if (result) CHECK(!keeper && memory.live == 0);
        if (!result) weft_destroy_keeper(keeper);
    }
    CHECK(keeper != NULL);
    close_stage(&stage);
}

TEST_MAIN(CASE(rounder), CASE(flat_stays_flat), CASE(normals_of_a_sphere), CASE(strange_cloth),
          CASE(embedded_comes_back), CASE(embedding_refuses), CASE(simple_bodies), CASE(meshes),
          CASE(keeper_knows_masks), CASE(keeper_refuses))

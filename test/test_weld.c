// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards welding: split seams and triangle soups become the mesh they were, flat shape and order
// kept; what only touches, lies on something or is collapsed is left alone; models tell what is
// split; and a welded soup falls as the mesh it was made of.

#include "mesh_test.h"

enum { CELLS = 4, SIDE = CELLS + 1, COUNT = SIDE * SIDE };

static WeftMesh grid(WeftGridKind kind) {
    WeftGridDef def = {1, 1, CELLS, CELLS, kind};
    WeftMesh mesh;
    CHECK(weft_make_grid(&def, NULL, &mesh, NULL) == WEFT_OK);
    return mesh;
}

// Make room for vertices that `from` names: vertex i is a copy of from[i].
static void copy_vertices(WeftMesh* mesh, const int* from, int count) {
    double* positions = malloc((size_t)count * 3 * sizeof(double));
    double* material = malloc((size_t)count * 2 * sizeof(double));
    for (int i = 0; i < count; i++) {
        memcpy(positions + 3 * i, mesh->positions + 3 * from[i], 3 * sizeof(double));
        memcpy(material + 2 * i, mesh->material + 2 * from[i], 2 * sizeof(double));
    }
    free(mesh->positions);
    free(mesh->material);
    mesh->positions = positions;
    mesh->material = material;
    mesh->vertex_count = mesh->material_count = count;
}

// Every corner a vertex of its own.
static WeftMesh soup(void) {
    WeftMesh mesh = grid(WEFT_GRID_ALTERNATING);
    int corners = 3 * mesh.triangle_count;
    int* from = malloc((size_t)corners * sizeof *from);
    memcpy(from, mesh.triangles, (size_t)corners * sizeof *from);
    copy_vertices(&mesh, from, corners);
    for (int c = 0; c < corners; c++) mesh.triangles[c] = c;
    free(from);
    return mesh;
}

static bool is_right(const WeftMesh* mesh, int t) {
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += mesh->positions[3 * mesh->triangles[3 * t + k]];
    return sum > 1.5;
}

// Cut along x = 0.5: the right half gets copies of the middle column, behind all others.
static void cut(WeftMesh* mesh) {
    int from[COUNT + SIDE];
    for (int i = 0; i < COUNT; i++) from[i] = i;
    for (int j = 0; j < SIDE; j++) from[COUNT + j] = j * SIDE + CELLS / 2;
    for (int t = 0; t < mesh->triangle_count; t++) {
        bool right = is_right(mesh, t);
        for (int k = 0; k < 3 && right; k++) {
            int* v = &mesh->triangles[3 * t + k];
            if (*v % SIDE == CELLS / 2) *v = COUNT + *v / SIDE;
        }
    }
    copy_vertices(mesh, from, COUNT + SIDE);
}

static WeftMesh seam(void) {
    WeftMesh mesh = grid(WEFT_GRID_ALTERNATING);
    cut(&mesh);
    return mesh;
}

static bool same_arrays(const WeftMesh* a, const WeftMesh* b) {
    return a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
           a->material_count == b->material_count &&
           memcmp(a->positions, b->positions, 3 * (size_t)a->vertex_count * sizeof(double)) == 0 &&
           memcmp(a->material, b->material, 2 * (size_t)a->material_count * sizeof(double)) == 0 &&
           memcmp(a->triangles, b->triangles, 3 * (size_t)a->triangle_count * sizeof(int)) == 0;
}

static WeftWeld weld(WeftMesh* mesh, double distance) {
    WeftWeld weld;
    WeftError error = {0};
    CHECK(weft_weld_mesh(mesh, distance, NULL, &weld, &error) == WEFT_OK);
    CHECK_TEXT(error.message, "");
    return weld;
}

// Nothing is joined, and nothing is touched.
static void check_alone(WeftMesh* mesh, double distance) {
    WeftMesh before = *mesh;
    WeftWeld welded = weld(mesh, distance);
    CHECK(welded.vertex_count == 0 && welded.place_count == 0);
    CHECK(memcmp(&before, mesh, sizeof before) == 0);
    weft_destroy_mesh(mesh);
}

// ---------------------------------------------------------------------------------------------
// What is joined

static void a_seam(void) {
    WeftMesh mesh = seam(), whole = grid(WEFT_GRID_ALTERNATING);
    int map[COUNT + SIDE];
    WeftWeld welded;
    CHECK(weft_weld_mesh(&mesh, 0, map, &welded, NULL) == WEFT_OK);
    CHECK(welded.vertex_count == 2 * SIDE && welded.place_count == SIDE);
    CHECK(same_arrays(&mesh, &whole) && !mesh.triangle_material);
    for (int i = 0; i < COUNT; i++) CHECK(map[i] == i);
    for (int j = 0; j < SIDE; j++) CHECK(map[COUNT + j] == j * SIDE + CELLS / 2);
    weft_destroy_mesh(&mesh);
    weft_destroy_mesh(&whole);
}

// Vertices come in the order of the first triangle that has them.
static void a_soup(void) {
    WeftMesh mesh = soup();
    int count = mesh.vertex_count, triangles = mesh.triangle_count;
    int* map = malloc((size_t)count * sizeof *map);
    double* before = malloc((size_t)count * 3 * sizeof *before);
    memcpy(before, mesh.positions, (size_t)count * 3 * sizeof *before);
    WeftWeld welded;
    CHECK(weft_weld_mesh(&mesh, -1, map, &welded, NULL) == WEFT_OK);
    CHECK(mesh.vertex_count == COUNT && mesh.material_count == COUNT && !mesh.triangle_material);
    CHECK(count - welded.vertex_count + welded.place_count == COUNT);
    for (int c = 0, next = 0; c < 3 * triangles; c++) {
        CHECK(map[c] <= next && mesh.triangles[c] == map[c]);
        next += map[c] == next;
        CHECK(memcmp(mesh.positions + 3 * map[c], before + 3 * c, 3 * sizeof *before) == 0);
    }
    CHECK(weld(&mesh, -1).vertex_count == 0);  // once is enough
    free(before);
    free(map);
    weft_destroy_mesh(&mesh);
}

// The two sides of a seam keep their own places in the flat shape.
static void two_flat_edges(void) {
    WeftMesh mesh = seam();
    for (int i = 0; i < COUNT + SIDE; i++)
        if (i >= COUNT || i % SIDE > CELLS / 2) mesh.material[2 * i] += 1;
    double corners[2 * 3 * 2 * CELLS * CELLS];
    for (int c = 0; c < 3 * mesh.triangle_count; c++)
        memcpy(corners + 2 * c, mesh.material + 2 * mesh.triangles[c], 2 * sizeof(double));
    CHECK(weld(&mesh, 0).place_count == SIDE);
    CHECK(mesh.vertex_count == COUNT && mesh.material_count == COUNT + SIDE);
    for (int round = 0; round < 2; round++) {
        for (int c = 0; c < 3 * mesh.triangle_count && mesh.triangle_material; c++)
            CHECK(memcmp(corners + 2 * c, mesh.material + 2 * mesh.triangle_material[c],
                         2 * sizeof(double)) == 0);
        CHECK(mesh.triangle_material && weld(&mesh, 0).place_count == 0);
    }
    weft_destroy_mesh(&mesh);
}

static void within_a_distance(void) {
    WeftMesh mesh = seam();
    for (int j = 0; j < SIDE; j++) mesh.positions[3 * (COUNT + j) + 1] = 1e-4;
    CHECK(weld(&mesh, 0).place_count == 0);
    CHECK(weld(&mesh, -1).place_count == 0);
    CHECK(weld(&mesh, 0.9e-4).place_count == 0);
    CHECK(weld(&mesh, 1.1e-4).place_count == SIDE);
    for (int i = 0; i < COUNT; i++) CHECK(mesh.positions[3 * i + 1] == 0);  // the first one stays
    weft_destroy_mesh(&mesh);
}

// -0 and 0 are one place.
static void zeros(void) {
    WeftMesh mesh = seam();
    for (int j = 0; j < SIDE; j++) mesh.positions[3 * (COUNT + j) + 1] = -0.0;
    CHECK(weld(&mesh, 0).place_count == SIDE);
    weft_destroy_mesh(&mesh);
}

// Springs along the seam, one of either side, become one; threads go on across it.
static void springs_and_threads(void) {
    WeftMesh mesh = grid(WEFT_GRID_CROSSED), woven = grid(WEFT_GRID_WOVEN);
    int count = mesh.spring_count;
    WeftSpring* springs = malloc((size_t)(count + 1) * sizeof *springs);
    memcpy(springs, mesh.springs, (size_t)count * sizeof *springs);
    springs[count] = (WeftSpring){COUNT + 1, COUNT, WEFT_SPRING_STRETCH};
    free(mesh.springs);
    mesh.springs = springs;
    mesh.spring_count = count + 1;
    cut(&mesh);
    CHECK(weld(&mesh, 0).place_count == SIDE && mesh.spring_count == count);
    cut(&woven);
    for (int i = 0; i < woven.thread_vertex_count; i++)
        if (woven.thread_vertices[i] % SIDE == CELLS / 2)
            woven.thread_vertices[i] = COUNT + woven.thread_vertices[i] / SIDE;
    CHECK(weld(&woven, 0).place_count == SIDE);
    for (int i = 0; i < woven.thread_vertex_count; i++) CHECK(woven.thread_vertices[i] < COUNT);
    weft_destroy_mesh(&mesh);
    weft_destroy_mesh(&woven);
}

// Images in a mirror are of vertices that are no more; where all are, they stay.
static void images_go(void) {
    WeftMesh mesh = seam();
    mesh.images = calloc((size_t)mesh.vertex_count, sizeof(int));
    CHECK(weld(&mesh, 0).place_count == SIDE && !mesh.images);
    mesh.images = calloc((size_t)mesh.vertex_count, sizeof(int));
    CHECK(weld(&mesh, 0).place_count == 0 && mesh.images);
    weft_destroy_mesh(&mesh);
}

// ---------------------------------------------------------------------------------------------
// What is left alone

static void whole_meshes(void) {
    WeftMesh mesh = grid(WEFT_GRID_ALTERNATING);
    check_alone(&mesh, -1);
    CHECK(weft_make_disc(0.5, 0.1, NULL, &mesh, NULL) == WEFT_OK);
    check_alone(&mesh, -1);
    WeftRopeDef rope = weft_default_rope_def();
    CHECK(weft_make_rope(&rope, NULL, &mesh, NULL) == WEFT_OK);
    check_alone(&mesh, -1);
}

static void collapsed(void) {
    WeftMesh mesh = grid(WEFT_GRID_ALTERNATING);
    memset(mesh.positions, 0, 3 * (size_t)mesh.vertex_count * sizeof(double));
    check_alone(&mesh, 0);
    mesh = soup();
    memset(mesh.positions, 0, 3 * (size_t)mesh.vertex_count * sizeof(double));
    check_alone(&mesh, 0);
}

// Triangles by the places of their corners; every corner is a vertex of its own.
static void check_pieces(const double (*places)[3], const int* triangles, int count, int joined) {
    WeftMesh mesh = soup();
    for (int c = 0; c < 3 * count; c++)
        memcpy(mesh.positions + 3 * c, places[triangles[c]], 3 * sizeof(double));
    mesh.triangle_count = count;
    mesh.vertex_count = mesh.material_count = 3 * count;
    CHECK(weld(&mesh, -1).vertex_count == joined);
    weft_destroy_mesh(&mesh);
}

static void pieces(void) {
    static const double places[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                                        {1, 1, 0}, {2, 0, 0}, {2, 1, 0}};
    check_pieces(places, (const int[]){0, 1, 2, 2, 1, 3}, 2, 4);           // an edge
    check_pieces(places, (const int[]){0, 1, 2, 1, 4, 5}, 2, 0);           // a point
    check_pieces(places, (const int[]){0, 1, 2, 2, 3, 1}, 2, 0);           // opposite ways
    check_pieces(places, (const int[]){0, 1, 2, 0, 1, 2}, 2, 0);           // on each other
    check_pieces(places, (const int[]){0, 1, 2, 0, 2, 1}, 2, 0);           // both sides of it
    check_pieces(places, (const int[]){0, 1, 2, 2, 1, 3, 2, 1, 5}, 3, 0);  // three at an edge
    check_pieces(places, (const int[]){0, 1, 2, 2, 1, 3, 0, 1, 2, 2, 1, 3}, 4, 0);  // two layers
    check_pieces(places, (const int[]){0, 1, 2, 2, 1, 3, 1, 4, 3}, 3, 7);  // a fan of three
}

// ---------------------------------------------------------------------------------------------
// Models, errors

static WeftModel* model_of(const WeftMesh* mesh) {
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, mesh);
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth;
    def.cloth_count = 1;
    WeftModel* model = NULL;
    WeftError error = {0};
    CHECK(weft_create_model(&def, &model, &error) == WEFT_OK);
    CHECK_TEXT(error.message, "");
    return model;
}

static void models_tell(void) {
    WeftMesh mesh = seam();
    WeftModel* model = model_of(&mesh);
    CHECK(weft_unwelded_count(model, 0) == 2 * SIDE);
    weft_destroy_model(model);
    weld(&mesh, -1);
    model = model_of(&mesh);
    CHECK(weft_unwelded_count(model, 0) == 0 && weft_vertex_count(model) == COUNT);
    weft_destroy_model(model);
    weft_destroy_mesh(&mesh);
}

// A soup fell apart, and was not finite at step 2; welded, it is the cloth it was made of: the
// same heights after a second, held at a corner.
static void a_soup_falls_as_cloth(void) {
    double heights[2];
    for (int k = 0; k < 2; k++) {
        WeftMesh mesh = k ? soup() : grid(WEFT_GRID_ALTERNATING);
        weld(&mesh, -1);
        WeftModel* model = model_of(&mesh);
        WeftState* state = NULL;
        WeftStepDef step = weft_default_step_def();
        CHECK(weft_create_state(model, &state, NULL) == WEFT_OK);
        for (int i = 0; i < COUNT; i++)
            if (mesh.positions[3 * i] == 0 && mesh.positions[3 * i + 2] == 0) weft_pin(state, i);
        for (int s = 0; s < 60; s++) CHECK(weft_step(state, &step) == WEFT_OK);
        WeftMeasure measure;
        CHECK(weft_measure(state, step.gravity, &measure) == WEFT_OK);
        heights[k] = measure.gravity;
        CHECK_BELOW(measure.max_stretch, 1.5);
        weft_destroy_state(state);
        weft_destroy_model(model);
        weft_destroy_mesh(&mesh);
    }
    CHECK_NEAR(heights[1], heights[0], 1e-3 * fabs(heights[0]));
}

static void refused(void) {
    WeftMesh mesh = seam();
    WeftError error = {0};
    mesh.triangles[7] = 1000;
    CHECK(weft_weld_mesh(&mesh, 0, NULL, NULL, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "triangle 2 names vertex 1000, but there are 30");
    mesh.triangles[7] = 0;
    mesh.positions[3 * 4] = NAN;
    CHECK(weft_weld_mesh(&mesh, 0, NULL, NULL, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "position of vertex 4 is not a number");
    weft_destroy_mesh(&mesh);
}

// A mesh without an allocator is of malloc, as everywhere.
static void no_allocator(void) {
    WeftMesh mesh = soup();
    mesh.allocator = (WeftAllocator){0};
    CHECK(weft_weld_mesh(&mesh, 0, NULL, NULL, NULL) == WEFT_OK);
    CHECK(mesh.vertex_count == COUNT);
    weft_destroy_mesh(&mesh);
}

static WeftResult make_welded(const WeftAllocator* allocator, WeftMesh* mesh, WeftError* error) {
    WeftMesh made = grid(WEFT_GRID_CROSSED);
    cut(&made);
    made.allocator = *allocator;
    // the arrays are from malloc, as the counting allocator's are; those it did not count are
    // given back through it
    ((TestMemory*)allocator->user)->live += 4;
    WeftResult result = weft_weld_mesh(&made, 0, NULL, NULL, error);
    *mesh = made;
    if (result) weft_destroy_mesh(mesh);
    return result;
}

static void every_allocation(void) { check_every_allocation(make_welded); }

TEST_MAIN(CASE(a_seam), CASE(a_soup), CASE(two_flat_edges), CASE(within_a_distance), CASE(zeros),
          CASE(springs_and_threads), CASE(images_go), CASE(whole_meshes), CASE(collapsed),
          CASE(pieces), CASE(models_tell), CASE(a_soup_falls_as_cloth), CASE(refused),
          CASE(no_allocator), CASE(every_allocation))

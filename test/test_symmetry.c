// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards images in a mirror: found by places and by triangles, in any order, folded, in layers and
// pressed together; and what is not symmetric is counted and measured.

#include "mesh/symmetry.h"

#include "counting.h"
#include "mirror_test.h"

// ---------------------------------------------------------------------------------------------
// Another order

static uint32_t draw(uint32_t* seed, int below) {
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % (uint32_t)below;
}

static int* shuffled(int count, uint32_t* seed) {
    int* order = malloc((size_t)count * sizeof *order);
    for (int i = 0; i < count; i++) order[i] = i;
    for (int i = count - 1; i > 0; i--) {
        int j = (int)draw(seed, i + 1), swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
    return order;
}

// Vertex v becomes number[v], triangles come in another order and begin at another corner. Flat
// points belong to vertices.
static void renumber(WeftMesh* mesh, uint32_t seed) {
    int n = mesh->vertex_count, count = mesh->triangle_count;
    int *number = shuffled(n, &seed), *place = shuffled(count, &seed);
    WeftMesh old = *mesh;
    mesh->positions = malloc(3 * (size_t)n * sizeof(double));
    mesh->material = malloc(2 * (size_t)n * sizeof(double));
    mesh->triangles = malloc(3 * (size_t)count * sizeof(int));
    mesh->images = malloc((size_t)n * sizeof(int));
    for (int v = 0; v < n; v++) {
        memcpy(mesh->positions + 3 * number[v], old.positions + 3 * v, 3 * sizeof(double));
        memcpy(mesh->material + 2 * number[v], old.material + 2 * v, 2 * sizeof(double));
        mesh->images[number[v]] = old.images ? number[old.images[v]] : -1;
    }
    for (int t = 0; t < count; t++)
        for (int k = 0, turn = (int)draw(&seed, 3); k < 3; k++)
            mesh->triangles[3 * place[t] + (k + turn) % 3] = number[old.triangles[3 * t + k]];
    free(old.positions);
    free(old.material);
    free(old.triangles);
    free(old.images);
    free(number);
    free(place);
}

// Cloth that is symmetric about x = 0, with the flat shape in one piece.
static WeftMesh symmetric_disc(double edge) {
    WeftMesh mesh = disc(0.5, edge);
    mirror(&mesh, x_plane, WEFT_HALVING_SPLIT);
    CHECK(!mesh.triangle_material);
    return mesh;
}

static int count_wrong(const WeftMesh* mesh, const int* images) {
    int wrong = 0;
    for (int v = 0; v < mesh->vertex_count; v++) wrong += images[v] != mesh->images[v];
    return wrong;
}

// Everything has an image, an involution that makes triangles of triangles.
static void check_found(const WeftMesh* mesh, WeftPlane plane) {
    int* images = malloc((size_t)mesh->vertex_count * sizeof *images);
    WeftSymmetry s = symmetry_of(mesh, plane, images);
    CHECK(s.unpaired == 0 && s.unpaired_vertex == -1);
    CHECK(s.unmatched == 0 && s.unmatched_triangle == -1);
    CHECK_BELOW(s.rest_deviation, 1e-9);
    CHECK_BELOW(s.grain_deviation, 1e-9);
    for (int v = 0; v < mesh->vertex_count; v++) CHECK(images[v] >= 0 && images[images[v]] == v);
    free(images);
}

static void check_exactly_found(const WeftMesh* mesh, WeftPlane plane) {
    int* images = malloc((size_t)mesh->vertex_count * sizeof *images);
    check_found(mesh, plane);
    symmetry_of(mesh, plane, images);
    CHECK(count_wrong(mesh, images) == 0);
    free(images);
}

static void any_order(void) {
    for (uint32_t seed = 1; seed < 6; seed++) {
        WeftMesh mesh = symmetric_disc(0.06);
        renumber(&mesh, seed);
        check_exactly_found(&mesh, x_plane);
        weft_destroy_mesh(&mesh);
    }
}

// Grids that nobody mirrored: an even number of alternating columns, any number of crossed ones.
static void grids(void) {
    for (int columns = 3; columns < 9; columns++) {
        WeftMesh mesh = centred_grid(columns, 5, WEFT_GRID_CROSSED);
        int* images = malloc((size_t)mesh.vertex_count * sizeof *images);
        WeftSymmetry s = symmetry_of(&mesh, x_plane, images);
        bool even = columns % 2 == 0;
        CHECK(s.unpaired == 0 && s.springs == 0 && s.deviation < 1e-15);
        CHECK(s.unmatched == (even ? 0 : mesh.triangle_count));
        CHECK(s.crossing == (even ? 0 : 10) && (even || s.crossing_triangle == columns / 2 * 2));
        for (int v = 0; v < mesh.vertex_count; v++) {
            int i = v % (columns + 1);
            CHECK(images[v] == v - i + columns - i);
        }
        free(images);
        weft_destroy_mesh(&mesh);
    }
}

// ---------------------------------------------------------------------------------------------
// Cloth that is not spread out

// Folded along z = 0: two layers on each other, but for the fold.
static void folded(void) {
    WeftMesh mesh = symmetric_disc(0.06);
    renumber(&mesh, 3);
    for (int v = 0; v < mesh.vertex_count; v++)
        mesh.positions[3 * v + 2] = fabs(mesh.positions[3 * v + 2]);
    check_exactly_found(&mesh, x_plane);
    weft_destroy_mesh(&mesh);
}

// Pressed to a line across the plane, onto the plane, to a line in it, to a point: triangles
// decide.
static void pressed(void) {
    const double kept[4][3] = {{1, 0, 0}, {0, 0, 1}, {0, 0, 0}, {0, 1, 0}};
    for (int k = 0; k < 4; k++) {
        WeftMesh mesh = symmetric_disc(0.06);
        renumber(&mesh, 4);
        for (int i = 0; i < 3 * mesh.vertex_count; i++) mesh.positions[i] *= kept[k][i % 3];
        check_exactly_found(&mesh, x_plane);
        weft_destroy_mesh(&mesh);
        // square, so that there are diagonals to be mistaken for the mirror
        mesh = centred_grid(16, 16, WEFT_GRID_ALTERNATING);
        renumber(&mesh, 5);
        for (int i = 0; i < 3 * mesh.vertex_count; i++) mesh.positions[i] *= kept[k][i % 3];
        free(mesh.images);
        mesh.images = NULL;
        check_found(&mesh, x_plane);
        weft_destroy_mesh(&mesh);
    }
}

// A disc twice, as two pieces on each other: each is its own image.
static void layers(void) {
    WeftMesh one = symmetric_disc(0.08), two = one;
    int n = one.vertex_count, corners = 3 * one.triangle_count;
    two.vertex_count = two.material_count = 2 * n;
    two.triangle_count *= 2;
    two.positions = malloc(6 * (size_t)n * sizeof(double));
    two.material = malloc(4 * (size_t)n * sizeof(double));
    two.triangles = malloc(2 * (size_t)corners * sizeof(int));
    two.images = malloc(2 * (size_t)n * sizeof(int));
    for (int layer = 0; layer < 2; layer++) {
        memcpy(two.positions + 3 * n * layer, one.positions, 3 * (size_t)n * sizeof(double));
        memcpy(two.material + 2 * n * layer, one.material, 2 * (size_t)n * sizeof(double));
        for (int c = 0; c < corners; c++)
            two.triangles[corners * layer + c] = n * layer + one.triangles[c];
        for (int v = 0; v < n; v++) two.images[n * layer + v] = n * layer + one.images[v];
    }
    check_exactly_found(&two, x_plane);
    weft_destroy_mesh(&one);
    weft_destroy_mesh(&two);
}

// Two pieces that are images of each other, both pressed into the plane.
static void pieces(void) {
    WeftMesh mesh = disc(0.5, 0.08);
    WeftPlane away = plane_at(-1, 0, 0, 1, 0, 0);
    mirror(&mesh, away, WEFT_HALVING_SPLIT);
    CHECK(!mesh.triangle_material);
    renumber(&mesh, 6);
    check_exactly_found(&mesh, away);
    for (int v = 0; v < mesh.vertex_count; v++) mesh.positions[3 * v] = -1;
    check_exactly_found(&mesh, away);
    weft_destroy_mesh(&mesh);
}

// A strip along the plane, narrower than the tolerance: every other vertex is alone at its place,
// but no two that have an edge.
static void narrow(void) {
    WeftRegularDef def = {0.02, 1, 0.02};
    WeftMesh mesh;
    CHECK(weft_make_regular(&def, NULL, &mesh, NULL) == WEFT_OK);
    mirror(&mesh, x_plane, WEFT_HALVING_SPLIT);
    CHECK(!mesh.triangle_material);
    renumber(&mesh, 7);
    for (int v = 0; v < mesh.vertex_count; v++) mesh.positions[3 * v] *= 0.005;
    check_exactly_found(&mesh, x_plane);
    weft_destroy_mesh(&mesh);
}

// ---------------------------------------------------------------------------------------------
// Ropes

static void ropes(void) {
    WeftRopeDef def = {1, 10};
    WeftMesh mesh;
    int images[11];
    CHECK(weft_make_rope(&def, NULL, &mesh, NULL) == WEFT_OK);
    WeftPlane across = plane_at(0.5, 0, 0, 1, 0, 0), along = plane_at(0, 0, 0, 0, 1, 0);
    WeftSymmetry s = symmetry_of(&mesh, across, images);
    CHECK(s.unpaired == 0 && s.threads == 0);
    for (int v = 0; v < 11; v++) CHECK(images[v] == 10 - v);
    s = symmetry_of(&mesh, along, images);
    CHECK(s.unpaired == 0 && s.threads == 0);
    for (int v = 0; v < 11; v++) CHECK(images[v] == v);
    // a bow, whose two arms hang on each other: neighbours decide
    for (int v = 0; v < 11; v++) {
        mesh.positions[3 * v] = 0.5;
        mesh.positions[3 * v + 1] = fabs(v - 5.0) * 0.1;
    }
    mesh.positions[0] = 0.47, mesh.positions[3 * 10] = 0.53;
    s = symmetry_of(&mesh, across, images);
    CHECK(s.unpaired == 0 && s.threads == 0);
    for (int v = 0; v < 11; v++) CHECK(images[v] == 10 - v);
    // without the ends, there is nothing to begin with
    mesh.positions[0] = mesh.positions[3 * 10] = 0.5;
    for (int v = 0; v < 11; v++) mesh.positions[3 * v + 1] = v % 2 * 0.1;
    s = symmetry_of(&mesh, across, images);
    CHECK(s.unpaired == 0 && s.threads == 0);
    for (int v = 0; v < 11; v++) CHECK(images[v] == 10 - v);
    weft_destroy_mesh(&mesh);
}

// ---------------------------------------------------------------------------------------------
// What is not symmetric

static void no_image(void) {
    WeftMesh mesh = centred_grid(8, 4, WEFT_GRID_ALTERNATING);
    int images[45];
    // two columns too far to the right: what mirrors to beyond the left end has none
    WeftSymmetry s = symmetry_of(&mesh, plane_at(0.125, 0, 0, 1, 0, 0), images);
    CHECK(s.unpaired == 10 && s.unpaired_vertex == 0);
    for (int v = 0; v < 45; v++) CHECK(images[v] == (v % 9 < 2 ? -1 : v - v % 9 + 10 - v % 9));
    CHECK(s.unmatched == 16 && s.unmatched_triangle == 0 && s.crossing == 0);
    // behind everything
    s = symmetry_of(&mesh, plane_at(5, 0, 0, 1, 0, 0), images);
    CHECK(s.unpaired == 45 && s.unmatched == 64 && s.deviation == 0 && s.deviation_vertex == -1);
    weft_destroy_mesh(&mesh);
}

static void other_diagonals(void) {
    WeftMesh mesh = centred_grid(8, 4, WEFT_GRID_ONE_WAY);
    int images[45];
    WeftSymmetry s = symmetry_of(&mesh, x_plane, images);
    CHECK(s.unpaired == 0 && s.unmatched == 64 && s.crossing == 0);
    weft_destroy_mesh(&mesh);
}

// Asymmetric cloth that is pressed to a point has no images, and is soon known to have none.
static void pressed_and_asymmetric(void) {
    WeftMesh mesh = disc(0.5, 0.03);
    int* images = malloc((size_t)mesh.vertex_count * sizeof *images);
    memset(mesh.positions, 0, 3 * (size_t)mesh.vertex_count * sizeof(double));
    WeftSymmetry s = symmetry_of(&mesh, x_plane, images);
    CHECK(s.unpaired == mesh.vertex_count && s.unmatched == mesh.triangle_count);
    free(images);
    weft_destroy_mesh(&mesh);
}

// Half a tolerance off is measured, more is no image.
static void moved(void) {
    WeftMesh mesh = centred_grid(8, 4, WEFT_GRID_ALTERNATING);
    int images[45];
    mesh.positions[3 * 11 + 1] = 1e-4;
    WeftSymmetry s = symmetry_of(&mesh, x_plane, images);
    CHECK(s.unpaired == 0 && s.unmatched == 0);
    CHECK_NEAR(s.deviation, 1e-4, 1e-16);
    CHECK(s.deviation_vertex == 11);
    mesh.positions[3 * 11 + 1] = 1e-2;
    s = symmetry_of(&mesh, x_plane, images);
    CHECK(s.unpaired == 2 && s.unpaired_vertex == 11 && images[15] == -1 && s.unmatched == 8);
    // a vertex beside the plane, by less than the tolerance
    mesh.positions[3 * 11 + 1] = 0;
    mesh.positions[3 * 13] = 1e-4;
    s = symmetry_of(&mesh, x_plane, images);
    CHECK(s.unpaired == 0 && images[13] == 13 && s.deviation_vertex == 13 && s.crossing == 0);
    CHECK_NEAR(s.deviation, 2e-4, 1e-16);
    weft_destroy_mesh(&mesh);
}

static void rest_shapes(void) {
    WeftMesh mesh = centred_grid(8, 8, WEFT_GRID_ALTERNATING);
    int images[81];
    mesh.material[2 * 80] += 0.02;  // a corner: 0.02 longer than that of the other side
    WeftSymmetry s = symmetry_of(&mesh, x_plane, images);
    double mean = 0.125 * (2 * 1 + sqrt(2)) / 3;
    CHECK_NEAR(s.rest_deviation, 0.02 / mean, 1e-3);
    CHECK_NEAR(s.grain_deviation, 0.02 / mean, 1e-3);
    CHECK(s.rest_triangle >= 0 && s.grain_triangle >= 0);
    mesh.material[2 * 80] -= 0.02;
    // one half turned by 90 degrees: as long, of other threads
    for (int v = 0; v < 81; v++) {
        double *m = mesh.material + 2 * v, u = m[0];
        m[0] = m[1];
        m[1] = -u;
    }
    s = symmetry_of(&mesh, x_plane, images);
    CHECK_BELOW(s.rest_deviation, 1e-12);
    CHECK_BELOW(s.grain_deviation, 1e-12);
    weft_destroy_mesh(&mesh);
    mesh = centred_grid(2, 2, WEFT_GRID_ALTERNATING);
    double* material = malloc(sizeof(double) * 2 * 18);
    mesh.triangle_material = malloc(sizeof(int) * 3 * 8);
    for (int v = 0; v < 9; v++) {
        material[2 * v] = mesh.material[2 * v];
        material[2 * v + 1] = mesh.material[2 * v + 1];
        material[2 * (9 + v)] = 2 * mesh.material[2 * v + 1];  // of twice the height, too
        material[2 * (9 + v) + 1] = 0 - mesh.material[2 * v];
    }
    free(mesh.material);
    mesh.material = material;
    mesh.material_count = 18;
    for (int c = 0; c < 24; c++) {
        double x = 0;
        for (int k = 0; k < 3; k++) x += mesh.positions[3 * mesh.triangles[c / 3 * 3 + k]];
        mesh.triangle_material[c] = mesh.triangles[c] + (x > 0 ? 9 : 0);
    }
    s = symmetry_of(&mesh, x_plane, images);
    CHECK(s.unpaired == 0 && s.unmatched == 0);
    CHECK(s.rest_deviation > 0.5 && s.grain_deviation > s.rest_deviation);
    weft_destroy_mesh(&mesh);
}

static WeftSymmetry judge(const WeftClothDef* cloth) {
    WeftSymmetry s;
    CHECK(weft_find_images(cloth, &x_plane, 0, NULL, &s, NULL) == WEFT_OK);
    return s;
}

static void other_things(void) {
    WeftMesh mesh = centred_grid(8, 8, WEFT_GRID_CROSSED),
             woven = centred_grid(8, 8, WEFT_GRID_WOVEN);
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &mesh);
    WeftSymmetry s = judge(&cloth);
    CHECK(s.springs == 0 && s.pins == 0 && s.fabrics == 0 && s.scale_deviation == 0);
    mesh.springs[0].kind = WEFT_SPRING_BEND;  // it and its image are now different
    CHECK(judge(&cloth).springs == 2);
    cloth.spring_count--;
    CHECK(judge(&cloth).springs == 3);
    const int pins[4] = {0, 8, 40, 30};
    cloth.pins = pins;
    cloth.pin_count = 3;
    CHECK(judge(&cloth).pins == 0);
    cloth.pin_count = 4;
    s = judge(&cloth);
    CHECK(s.pins == 1 && s.pin_vertex == 30);
    WeftFabric fabrics[2] = {weft_default_fabric(), weft_default_fabric()};
    int triangle_fabric[128] = {0};
    cloth.fabrics = fabrics;
    cloth.fabric_count = 2;
    cloth.triangle_fabric = triangle_fabric;
    triangle_fabric[5] = 1;
    CHECK(judge(&cloth).fabrics == 0);  // the same by another name
    fabrics[1].density *= 2;
    s = judge(&cloth);
    CHECK(s.fabrics == 2 && s.fabric_triangle == 5);
    double scale[81];
    for (int v = 0; v < 81; v++) scale[v] = v == 9 ? 1.25 : 1;
    cloth.bend_scale = scale;
    CHECK(judge(&cloth).scale_deviation == 0.25);
    cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &woven);
    CHECK(judge(&cloth).threads == 0);
    woven.threads[2].width *= 1.1;  // across: its own image
    CHECK(judge(&cloth).threads == 0);
    woven.threads[10].width *= 1.1;
    CHECK(judge(&cloth).threads == 2);
    weft_destroy_mesh(&mesh);
    weft_destroy_mesh(&woven);
}

// ---------------------------------------------------------------------------------------------
// Images that are given, errors

static void given(void) {
    WeftMesh mesh = symmetric_disc(0.1);
    int n = mesh.vertex_count, own = 0, *images = malloc((size_t)n * sizeof *images);
    while (mesh.images[own] == own) own++;
    WeftSymmetry s = symmetry_of(&mesh, x_plane, NULL);
    CHECK(s.unpaired == 0 && s.deviation == 0);
    // any distance is measured
    mesh.positions[3 * own + 1] = 7;
    s = symmetry_of(&mesh, x_plane, NULL);
    CHECK(s.unpaired == 0 && s.deviation == 7 && s.deviation_vertex == own);
    // those that are none
    mesh.images[own] = n;
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &mesh);
    CHECK(weft_find_images(&cloth, &x_plane, 0, images, &s, NULL) == WEFT_OK);
    CHECK(s.unpaired == 2 && s.unpaired_vertex == own && images[own] == -1);
    mesh.images[own] = own;
    CHECK(weft_find_images(&cloth, &x_plane, 0, NULL, &s, NULL) == WEFT_OK);
    CHECK(s.unpaired == 1);
    free(images);
    weft_destroy_mesh(&mesh);
}

static void refused(void) {
    WeftMesh mesh = centred_grid(4, 4, WEFT_GRID_ALTERNATING);
    WeftClothDef cloth = weft_default_cloth_def();
    WeftError error = {0};
    WeftPlane none = {{0, 0, 0}, {0, 0, 0}};
    int triangle_fabric[32] = {0};
    weft_use_mesh(&cloth, &mesh);
    CHECK(weft_find_images(&cloth, &none, 0, NULL, NULL, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "the plane of the mirror has no direction");
    CHECK(weft_find_images(&cloth, &x_plane, -1, NULL, NULL, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "a tolerance of -1 m is not a length");
    cloth.triangle_fabric = triangle_fabric;
    CHECK(weft_find_images(&cloth, &x_plane, 0, NULL, NULL, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "triangle 0 names fabric 0, but there are 0");
    cloth.triangle_fabric = NULL;
    mesh.triangles[3] = -1;
    CHECK(weft_find_images(&cloth, &x_plane, 0, NULL, NULL, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "triangle 1 names vertex -1, but there are 25");
    weft_destroy_mesh(&mesh);
}

static void every_allocation(void) {
    WeftMesh mesh = centred_grid(4, 4, WEFT_GRID_CROSSED);
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &mesh);
    bool done = false;
    for (long n = 1; n < 100 && !done; n++) {
        Counting counting = {.fail_at = n};
        WeftAllocator allocator = counting_allocator(&counting);
        WeftSymmetry s;
        WeftResult result = wf_find_images(&allocator, &cloth, &x_plane, 0, NULL, &s);
        done = counting.calls < n;
        CHECK(result == (done ? WEFT_OK : WEFT_ERROR_MEMORY) && counting.live == 0);
    }
    CHECK(done);
    weft_destroy_mesh(&mesh);
}

TEST_MAIN(CASE(any_order), CASE(grids), CASE(folded), CASE(pressed), CASE(layers), CASE(pieces),
          CASE(narrow), CASE(ropes), CASE(no_image), CASE(other_diagonals),
          CASE(pressed_and_asymmetric), CASE(moved), CASE(rest_shapes), CASE(other_things),
          CASE(given), CASE(refused), CASE(every_allocation))

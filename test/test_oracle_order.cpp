// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the fill of sparse/order*.c against SuiteSparse's AMD and METIS, both by way of CHOLMOD.

#include <cholmod.h>

#include <algorithm>

#include "order_test.h"
#include "weft/weft_mesh.h"

// Entries of L as CHOLMOD counts them.
static double oracle_fill(const WfPattern& pattern, int ordering) {
    cholmod_common common;
    cholmod_start(&common);
    common.nmethods = 1;
    common.method[0].ordering = ordering;
    common.supernodal = CHOLMOD_SIMPLICIAL;
    size_t n = static_cast<size_t>(pattern.n), room = static_cast<size_t>(pattern.start[n]);
    cholmod_sparse* A = cholmod_allocate_sparse(n, n, room, 1, 1, 1, CHOLMOD_PATTERN, &common);
    int *start = static_cast<int*>(A->p), *index = static_cast<int*>(A->i), count = 0;
    for (int j = 0; j < pattern.n; j++) {
        start[j] = count;
        for (int e = pattern.start[j]; e < pattern.start[j + 1]; e++)
            if (pattern.index[e] <= j) index[count++] = pattern.index[e];
    }
    start[pattern.n] = count;
    cholmod_factor* L = cholmod_analyze(A, &common);
    CHECK(common.status == CHOLMOD_OK && L && L->ordering == ordering);
    double entries = common.lnz;
    cholmod_free_factor(&L, &common);
    cholmod_free_sparse(&A, &common);
    cholmod_finish(&common);
    return entries;
}

// Bounds, two to three per cent above what we have: minimum degree over AMD, nested dissection over
// the better one of AMD and METIS, and the same without coordinates.
struct Bounds {
    double degree, nested, by_graph;
};

static void check_pattern(const WfPattern& pattern, const double* x, Bounds most) {
    double amd = oracle_fill(pattern, CHOLMOD_AMD), metis = oracle_fill(pattern, CHOLMOD_METIS);
    double best = std::min(amd, metis);
    double degree = fill_by(WF_ORDER_MINIMUM_DEGREE, &pattern, nullptr).entries / amd;
    double nested = fill_by(WF_ORDER_NESTED_DISSECTION, &pattern, x).entries / best;
    double by_graph = fill_by(WF_ORDER_NESTED_DISSECTION, &pattern, nullptr).entries / best;
    printf(
        "%7d rows: AMD %.0f, METIS %.0f; minimum degree %.3f of AMD, nested %.3f and %.3f of "
        "the best\n",
        pattern.n, amd, metis, degree, nested, by_graph);
    CHECK_BELOW(degree, most.degree);
    CHECK_BELOW(nested, most.nested);
    CHECK_BELOW(by_graph, most.by_graph);
}

// Frees the sheet.
static void check_sheet(Sheet sheet, Bounds with_hinges, Bounds without) {
    WeftAllocator allocator = wf_allocator(nullptr);
    for (bool hinges : {true, false}) {
        WfPattern pattern = sheet_pattern(&sheet, hinges);
        check_pattern(pattern, sheet.x, hinges ? with_hinges : without);
        wf_pattern_destroy(&allocator, &pattern);
    }
    free_sheet(&sheet);
}

// By the mesher, in place of a grid that was shaken. Frees the mesh.
static Sheet mesher_sheet(WeftMesh* mesh) {
    Sheet sheet = sheet_of(mesh->vertex_count, mesh->triangle_count);
    memcpy(sheet.x, mesh->positions, sizeof(double) * 3 * static_cast<size_t>(sheet.n));
    memcpy(sheet.triangles, mesh->triangles,
           sizeof(int) * 3 * static_cast<size_t>(sheet.triangle_count));
    weft_destroy_mesh(mesh);
    return sheet;
}

// Only one answer: no fill.
static void nothing_to_order() {
    WeftAllocator allocator = wf_allocator(nullptr);
    for (int n : {1, 7}) {
        WfPattern pattern = pattern_of(n, 0, nullptr);
        CHECK(oracle_fill(pattern, CHOLMOD_AMD) == n);
        CHECK(fill_by(WF_ORDER_MINIMUM_DEGREE, &pattern, nullptr).entries == n);
        CHECK(fill_by(WF_ORDER_NESTED_DISSECTION, &pattern, nullptr).entries == n);
        wf_pattern_destroy(&allocator, &pattern);
    }
}

static void grids() {
    check_sheet(grid_sheet(36, 35), {0.98, 0.98, 0.98}, {0.95, 0.95, 0.95});
    check_sheet(grid_sheet(76, 72), {0.93, 1.00, 1.00}, {0.89, 0.89, 0.89});
}

static void irregular_squares() {
    check_sheet(jittered_sheet(35, 35), {1.04, 1.04, 1.04}, {1.02, 1.02, 1.02});
    check_sheet(jittered_sheet(50, 50), {1.00, 1.00, 1.00}, {0.98, 0.98, 0.98});
    check_sheet(jittered_sheet(65, 65), {0.98, 0.99, 0.99}, {1.00, 1.00, 1.00});
    check_sheet(jittered_sheet(74, 74), {1.02, 1.00, 1.00}, {0.99, 0.99, 0.99});
}

static void shuffled_square() {
    Sheet sheet = jittered_sheet(90, 90);
    shuffle_sheet(&sheet);
    check_sheet(sheet, {0.95, 1.01, 1.01}, {1.00, 1.00, 0.98});
}

static void meshes_of_the_mesher() {
    WeftMesh mesh;
    CHECK(weft_make_rectangle(1, 0.7, 0.0125, nullptr, &mesh, nullptr) == WEFT_OK);
    check_sheet(mesher_sheet(&mesh), {0.99, 1.01, 1.00}, {0.99, 1.01, 1.01});
    CHECK(weft_make_disc(0.5, 0.014, nullptr, &mesh, nullptr) == WEFT_OK);
    check_sheet(mesher_sheet(&mesh), {0.99, 1.01, 1.00}, {0.99, 1.01, 1.01});
}

static void tubes_and_strips() {
    check_sheet(rolled_up(jittered_sheet(90, 62), 90), {0.98, 1.01, 1.00}, {1.00, 1.01, 1.01});
    check_sheet(rolled_up(jittered_sheet(45, 124), 45), {0.98, 0.98, 0.98}, {0.94, 0.94, 0.94});
    check_sheet(jittered_sheet(25, 220), {0.99, 0.99, 0.99}, {0.99, 0.99, 0.99});
}

static void panels_on_each_other() {
    check_sheet(both_sheets(jittered_sheet(53, 52), grid_sheet(53, 52)), {0.98, 0.98, 0.98},
                {0.97, 0.97, 0.97});
}

static void large_grid() {
    check_sheet(grid_sheet(316, 317), {0.85, 1.02, 1.03}, {0.84, 0.88, 0.89});
}

static void large_irregular() {
    check_sheet(jittered_sheet(316, 317), {0.95, 1.01, 1.01}, {0.97, 1.02, 0.99});
}

TEST_MAIN(CASE(nothing_to_order), CASE(grids), CASE(irregular_squares), CASE(shuffled_square),
          CASE(meshes_of_the_mesher), CASE(tubes_and_strips), CASE(panels_on_each_other),
          SLOW_CASE(large_grid), LONG_CASE(large_irregular))

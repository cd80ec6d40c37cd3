// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards mesh/grid.c and mesh/mesh.c: counts, layout, orientation, springs and threads of rows and
// grids.

#include "mesh_test.h"

static WeftMesh make_grid(WeftGridKind kind, int columns, int rows) {
    WeftGridDef def = weft_default_grid_def();
    def.width = 2, def.height = 3, def.columns = columns, def.rows = rows, def.kind = kind;
    WeftMesh mesh;
    CHECK(weft_make_grid(&def, NULL, &mesh, NULL) == WEFT_OK);
    return mesh;
}

static void grids(void) {
    for (int kind = WEFT_GRID_CROSSED; kind <= WEFT_GRID_WOVEN; kind++) {
        WeftMesh mesh = make_grid((WeftGridKind)kind, 4, 6);
        CHECK(mesh.vertex_count == 35 && mesh.triangle_count == 48);
        CHECK_NEAR(mesh.material[2 * 8], 1.5, 0);  // (3, 1)
        CHECK_NEAR(mesh.material[2 * 8 + 1], 0.5, 0);
        CHECK_NEAR(mesh.positions[3 * 8 + 2], -0.5, 0);
        check_layout(&mesh);
        MeshRuler ruler = measure_mesh(&mesh);
        CHECK_NEAR(ruler.area, 6, 1e-12);
        CHECK_NEAR(ruler.least_area, 0.125, 1e-12);
        CHECK(ruler.euler == 1 && ruler.boundary_edges == 20 && ruler.boundary_loops == 1);
        bool crossed = kind == WEFT_GRID_CROSSED || kind == WEFT_GRID_CROSSED_TWICE;
        CHECK((mesh.springs != NULL) == crossed);
        CHECK((mesh.threads != NULL) == (kind == WEFT_GRID_WOVEN));
        weft_destroy_mesh(&mesh);
        CHECK(mesh.positions == NULL && mesh.vertex_count == 0);
    }
}

// counter-clockwise seen from +y: the normals point up
static void front_faces_up(void) {
    WeftMesh mesh = make_grid(WEFT_GRID_ALTERNATING, 3, 3);
    for (int t = 0; t < mesh.triangle_count; t++) {
        const double* x[3];
        for (int k = 0; k < 3; k++) x[k] = mesh.positions + 3 * mesh.triangles[3 * t + k];
        double up =
            (x[1][2] - x[0][2]) * (x[2][0] - x[0][0]) - (x[1][0] - x[0][0]) * (x[2][2] - x[0][2]);
        CHECK(up > 0);
    }
    weft_destroy_mesh(&mesh);
}

static void diagonals(void) {
    WeftMesh one = make_grid(WEFT_GRID_ONE_WAY, 2, 1), two = make_grid(WEFT_GRID_ALTERNATING, 2, 1);
    static const int first[] = {0, 1, 4, 0, 4, 3}, even[] = {1, 2, 5, 1, 5, 4};
    static const int odd[] = {1, 2, 4, 2, 5, 4};
    CHECK(memcmp(one.triangles, first, sizeof first) == 0);
    CHECK(memcmp(two.triangles, first, sizeof first) == 0);
    CHECK(memcmp(one.triangles + 6, even, sizeof even) == 0);
    CHECK(memcmp(two.triangles + 6, odd, sizeof odd) == 0);
    weft_destroy_mesh(&one);
    weft_destroy_mesh(&two);
}

static void crossed_springs(void) {
    WeftMesh mesh = make_grid(WEFT_GRID_CROSSED, 4, 3);
    CHECK(mesh.spring_count == 4 * 4 + 5 * 3 + 2 * 12);
    int shear = 0;
    for (int s = 0; s < mesh.spring_count; s++) {
        WeftSpring spring = mesh.springs[s];
        int columns = abs(spring.a % 5 - spring.b % 5), rows = abs(spring.a / 5 - spring.b / 5);
        bool diagonal = spring.kind == WEFT_SPRING_SHEAR;
        CHECK(columns + rows == (diagonal ? 2 : 1) && columns < 2 && rows < 2);
        shear += diagonal;
        for (int other = 0; other < s; other++) {
            WeftSpring o = mesh.springs[other];
            CHECK(!((o.a == spring.a && o.b == spring.b) || (o.a == spring.b && o.b == spring.a)));
        }
    }
    CHECK(shear == 24);
    weft_destroy_mesh(&mesh);
}

// The springs of a crossed grid first, then the same over two cells, for bending.
static void crossed_twice(void) {
    WeftMesh once = make_grid(WEFT_GRID_CROSSED, 4, 3), twice;
    twice = make_grid(WEFT_GRID_CROSSED_TWICE, 4, 3);
    CHECK(twice.spring_count == once.spring_count + 3 * 4 + 2 * 5 + 2 * 6);
    CHECK(memcmp(once.springs, twice.springs, (size_t)once.spring_count * sizeof(WeftSpring)) == 0);
    int found[3][3] = {{0}};
    for (int s = once.spring_count; s < twice.spring_count; s++) {
        WeftSpring spring = twice.springs[s];
        int columns = abs(spring.a % 5 - spring.b % 5), rows = abs(spring.a / 5 - spring.b / 5);
        CHECK(spring.kind == WEFT_SPRING_BEND && columns <= 2 && rows <= 2);
        found[columns][rows]++;
    }
    CHECK(found[2][0] == 3 * 4 && found[0][2] == 2 * 5 && found[2][2] == 2 * 6);
    weft_destroy_mesh(&once);
    weft_destroy_mesh(&twice);
    // too narrow for some of them, or for all
    WeftMesh narrow = make_grid(WEFT_GRID_CROSSED_TWICE, 1, 3);
    CHECK(narrow.spring_count == 1 * 4 + 2 * 3 + 2 * 3 + 2 * 2);
    weft_destroy_mesh(&narrow);
    narrow = make_grid(WEFT_GRID_CROSSED_TWICE, 1, 1);
    CHECK(narrow.spring_count == 6);
    weft_destroy_mesh(&narrow);
}

static void woven(void) {
    WeftMesh mesh = make_grid(WEFT_GRID_WOVEN, 4, 3),
             plain = make_grid(WEFT_GRID_ALTERNATING, 4, 3);
    CHECK(memcmp(mesh.triangles, plain.triangles, 3 * 24 * sizeof(int)) == 0);
    CHECK(mesh.thread_count == 4 + 5 && mesh.thread_vertex_count == 2 * 20);
    for (int t = 0; t < mesh.thread_count; t++) {
        WeftThread thread = mesh.threads[t];
        bool row = t < 4;
        CHECK(thread.kind == (row ? WEFT_THREAD_WARP : WEFT_THREAD_WEFT));
        CHECK(thread.count == (row ? 5 : 4));
        CHECK_NEAR(thread.width, row ? 1 : 0.5, 1e-15);  // 3 m in 3 rows, 2 m in 4 columns
        for (int i = 0; i < thread.count; i++) {
            int at = row ? 5 * t + i : 5 * i + t - 4;
            CHECK(mesh.thread_vertices[thread.first + i] == at);
        }
    }
    weft_destroy_mesh(&mesh);
    CHECK(mesh.threads == NULL && mesh.thread_vertices == NULL && mesh.thread_count == 0);
    weft_destroy_mesh(&plain);
}

static void grid_of_nothing(void) {
    WeftGridDef good = weft_default_grid_def();
    struct {
        double width, height;
        int columns, rows;
        const char* words;
    } bad[] = {{0, 1, 1, 1, "0 x 1 m has no area"}, {1, -2, 1, 1, "1 x -2 m"},
               {NAN, 1, 1, 1, "nan x 1 m"},         {1, INFINITY, 1, 1, "1 x inf m"},
               {1, 1, 0, 5, "0 x 5 cells"},         {1, 1, 5, -1, "5 x -1 cells"},
               {1, 1, 100000, 100000, "more than"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        WeftGridDef def = good;
        def.width = bad[i].width, def.height = bad[i].height;
        def.columns = bad[i].columns, def.rows = bad[i].rows;
        WeftMesh mesh = {.vertex_count = 7};
        WeftError error = {0};
        CHECK(weft_make_grid(&def, NULL, &mesh, &error) == WEFT_ERROR_INPUT);
        CHECK(weft_make_grid(&def, NULL, &mesh, NULL) == WEFT_ERROR_INPUT);
        CHECK_TEXT(error.message, bad[i].words);
        CHECK(mesh.vertex_count == 0 && mesh.positions == NULL);
    }
}

static void regular(void) {
    static const double sizes[][3] = {{1, 1, 0.03}, {1, 0.5, 0.1}, {0.2, 3, 0.17},
                                      {1, 1, 1},    {1, 1, 5},     {4, 0.1, 0.1}};
    for (int i = 0; i < 6; i++) {
        WeftRegularDef def = {sizes[i][0], sizes[i][1], sizes[i][2]};
        WeftMesh mesh;
        CHECK(weft_make_regular(&def, NULL, &mesh, NULL) == WEFT_OK);
        check_layout(&mesh);
        MeshRuler ruler = measure_mesh(&mesh);
        CHECK_NEAR(ruler.area, def.width * def.height, 1e-12);
        CHECK(ruler.least_area > 0);
        CHECK(ruler.euler == 1 && ruler.boundary_loops == 1);
        weft_destroy_mesh(&mesh);
    }
}

static void regular_is_equilateral(void) {
    WeftRegularDef def = weft_default_regular_def();
    WeftMesh mesh;
    CHECK(weft_make_regular(&def, NULL, &mesh, NULL) == WEFT_OK);
    int inner = 0;
    for (int t = 0; t < mesh.triangle_count; t++) {
        bool equilateral = true;
        for (int k = 0; k < 3; k++) {
            const double *a = flat_point(&mesh, t, k), *b = flat_point(&mesh, t, (k + 1) % 3);
            equilateral &= fabs(hypot(a[0] - b[0], a[1] - b[1]) / 0.03 - 1) < 0.03;
        }
        inner += equilateral;
    }
    CHECK(mesh.triangle_count - inner == 2 * 38);  // half triangles: two per row of 38
    weft_destroy_mesh(&mesh);
}

static void regular_of_nothing(void) {
    WeftRegularDef bad[] = {{1, 1, 0}, {1, 1, -1}, {1, 1, NAN}, {0, 1, 1}, {1, NAN, 1}};
    WeftMesh mesh;
    WeftError error;
    for (int i = 0; i < 5; i++)
        CHECK(weft_make_regular(&bad[i], NULL, &mesh, &error) == WEFT_ERROR_INPUT);
    WeftRegularDef tiny = {1, 1, 1e-6};
    CHECK(weft_make_regular(&tiny, NULL, &mesh, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "edges of 1e-06 m");
}

static WeftResult make_woven(const WeftAllocator* allocator, WeftMesh* mesh, WeftError* error) {
    WeftGridDef def = weft_default_grid_def();
    def.kind = WEFT_GRID_WOVEN;
    return weft_make_grid(&def, allocator, mesh, error);
}

static WeftResult make_crossed(const WeftAllocator* allocator, WeftMesh* mesh, WeftError* error) {
    WeftGridDef def = weft_default_grid_def();
    def.kind = WEFT_GRID_CROSSED;
    return weft_make_grid(&def, allocator, mesh, error);
}

static WeftResult make_regular(const WeftAllocator* allocator, WeftMesh* mesh, WeftError* error) {
    WeftRegularDef def = weft_default_regular_def();
    return weft_make_regular(&def, allocator, mesh, error);
}

static void every_allocation(void) {
    check_every_allocation(make_crossed);
    check_every_allocation(make_woven);
    check_every_allocation(make_regular);
}

static void destroy_nothing(void) {
    WeftMesh mesh = {0};
    weft_destroy_mesh(&mesh);
    weft_destroy_mesh(NULL);
    CHECK(mesh.positions == NULL);
}

TEST_MAIN(CASE(grids), CASE(front_faces_up), CASE(diagonals), CASE(crossed_springs),
          CASE(crossed_twice), CASE(woven), CASE(grid_of_nothing), CASE(regular),
          CASE(regular_is_equilateral), CASE(regular_of_nothing), CASE(every_allocation),
          CASE(destroy_nothing))

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards mesh/rest.c: the flat shape of triangles, springs and hinges, with material points, with
// seams, and without.

#include "mesh/rest.h"

#include "energy_test.h"

static TestCloth cloth_of(const WeftClothDef* def) {
    TestCloth cloth = {.def = *def};
    open_cloth(&cloth);
    return cloth;
}

// area and squared sides of a flat triangle, whichever way it lies
static void check_triangle(const double* c, double area, const double sides[3]) {
    for (int k = 0; k < 3; k++) {
        int i = 2 * k, j = 2 * ((k + 1) % 3);
        CHECK_NEAR(hypot(c[j] - c[i], c[j + 1] - c[i + 1]), sides[k], 1e-12);
    }
    double twice = (c[2] - c[0]) * (c[5] - c[1]) - (c[4] - c[0]) * (c[3] - c[1]);
    CHECK_NEAR(fabs(twice) / 2, area, 1e-12);
}

// ---------------------------------------------------------------------------------------------
// Grids: everything is known

static void grids(void) {
    for (int kind = 0; kind < 3; kind++) {
        WeftGridDef grid = {.width = 2, .height = 0.9, .columns = 4, .rows = 3};
        grid.kind = (WeftGridKind)kind;
        WeftMesh mesh;
        CHECK(weft_make_grid(&grid, NULL, &mesh, NULL) == WEFT_OK);
        WeftClothDef def = weft_default_cloth_def();
        weft_use_mesh(&def, &mesh);
        TestCloth cloth = cloth_of(&def);
        const WfRest* rest = &cloth.rest;
        for (int t = 0; t < def.triangle_count; t++) CHECK_NEAR(rest->areas[t], 0.075, 1e-15);
        CHECK_NEAR(rest->size[0], 2, 1e-15);
        CHECK_NEAR(rest->size[1], 0.9, 1e-15);
        double diagonal = hypot(0.5, 0.3), warp = 0.25 / (0.25 + 0.09);
        int counts[3] = {0};  // warp, weft, diagonal
        for (int s = 0; s < rest->spring_count; s++) {
            const WfRestSpring* spring = &rest->springs[s];
            int du = abs(spring->a % 5 - spring->b % 5), dv = abs(spring->a / 5 - spring->b / 5);
            int which = du && dv ? 2 : dv;
            counts[which]++;
            CHECK_NEAR(spring->length, which == 2 ? diagonal : which ? 0.3 : 0.5, 1e-14);
            CHECK_NEAR(spring->warp, which == 2 ? warp : which ? 0 : 1, 1e-14);
            bool shear = kind == WEFT_GRID_CROSSED && which == 2;
            CHECK(spring->kind == (shear ? WEFT_SPRING_SHEAR : WEFT_SPRING_STRETCH));
        }
        CHECK(counts[0] == 16 && counts[1] == 15);
        CHECK(counts[2] == (kind == WEFT_GRID_CROSSED ? 24 : 12));
        close_cloth(&cloth);
        weft_destroy_mesh(&mesh);
    }
}

// ---------------------------------------------------------------------------------------------
// Without material points: at rest as it stands

// Two triangles that stand at a right angle in space, 3-4-5.
static const double bent[12] = {0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 4};
static const int bent_triangles[6] = {0, 1, 2, 1, 0, 3};

static WeftClothDef bent_def(void) {
    WeftClothDef def = weft_default_cloth_def();
    def.vertex_count = 4;
    def.positions = bent;
    def.triangle_count = 2;
    def.triangles = bent_triangles;
    return def;
}

static void without_material(void) {
    WeftClothDef def = bent_def();
    TestCloth cloth = cloth_of(&def);
    const WfRest* rest = &cloth.rest;
    check_triangle(rest->corners, 6, (double[]){3, 5, 4});
    check_triangle(rest->corners + 6, 6, (double[]){3, 4, 5});
    CHECK(rest->spring_count == 5);
    for (int s = 0; s < 5; s++) {
        const WfRestSpring* spring = &rest->springs[s];
        WfVec d = wf_sub(wf_load(bent, spring->a), wf_load(bent, spring->b));
        CHECK_NEAR(spring->length, wf_length(d), 1e-12);
        CHECK(spring->kind == WEFT_SPRING_STRETCH);
        CHECK(spring->warp >= 0 && spring->warp <= 1);
    }
    // an edge along x is warp, in both its triangles
    CHECK_NEAR(rest->springs[0].warp, 1, 1e-12);
    // the hinge lies flat, though the triangles stand at a right angle
    CHECK_NEAR(rest->hinges[0].length, 3, 1e-12);
    CHECK_NEAR(rest->hinges[0].opposite[0][0], 0, 1e-12);
    CHECK_NEAR(rest->hinges[0].opposite[0][1], 4, 1e-12);
    CHECK_NEAR(rest->hinges[0].opposite[1][0], 0, 1e-12);
    CHECK_NEAR(rest->hinges[0].opposite[1][1], -4, 1e-12);
    CHECK_NEAR(rest->size[0], 4, 1e-12);
    close_cloth(&cloth);
}

// A triangle that faces along x has no x axis to lie along.
static void facing_any_way(void) {
    for (int i = 0; i < 60; i++) {
        double x[9] = {0}, area;
        WfVec axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        WfVec a = i < 3 ? axes[i] : (WfVec){random_unit(), random_unit(), random_unit()};
        WfVec b = i < 3 ? axes[(i + 1) % 3] : (WfVec){random_unit(), random_unit(), random_unit()};
        wf_store(x, 1, a);
        wf_store(x, 2, b);
        area = wf_length(wf_cross(a, b)) / 2;
        WeftClothDef def = bent_def();
        def.vertex_count = 3;
        def.positions = x;
        def.triangle_count = 1;
        TestCloth cloth = cloth_of(&def);
        check_triangle(cloth.rest.corners, area,
                       (double[]){wf_length(a), wf_length(wf_sub(a, b)), wf_length(b)});
        CHECK_NEAR(cloth.rest.areas[0], area, 1e-14);
        close_cloth(&cloth);
    }
}

// All triangles of a flat bare sheet agree on where u is: the warp share of an edge is the same
// from both sides.
static void bare_sheet_agrees(void) {
    WeftMesh mesh;
    CHECK(weft_make_rectangle(1, 1, 0.2, NULL, &mesh, NULL) == WEFT_OK);
    WeftClothDef def = weft_default_cloth_def();
    weft_use_mesh(&def, &mesh);
    TestCloth with = cloth_of(&def);
    def.material = NULL;
    def.material_count = 0;
    TestCloth without = cloth_of(&def);
    for (int s = 0; s < with.rest.spring_count; s++) {
        CHECK_NEAR(with.rest.springs[s].length, without.rest.springs[s].length, 1e-12);
        CHECK_NEAR(with.rest.springs[s].warp, without.rest.springs[s].warp, 1e-12);
    }
    for (int h = 0; h < with.topology.hinge_count; h++)
        CHECK_BELOW(largest_difference(with.rest.hinges[h].opposite[0],
                                       without.rest.hinges[h].opposite[0], 4),
                    1e-12);
    for (int t = 0; t < def.triangle_count; t++)
        CHECK_NEAR(with.rest.areas[t], without.rest.areas[t], 1e-14);
    close_cloth(&with);
    close_cloth(&without);
    weft_destroy_mesh(&mesh);
}

// ---------------------------------------------------------------------------------------------
// Seams: triangles name their own material points

// Two triangles that share an edge in space, cut from different places and one of them 10 % larger.
static void seam(void) {
    static const double material[12] = {0, 0, 3, 0, 0, 4, 10, 10, 13.3, 10, 10, 5.6};
    static const int named[6] = {0, 1, 2, 4, 3, 5};
    WeftClothDef def = bent_def();
    def.material = material;
    def.material_count = 6;
    def.triangle_material = named;
    TestCloth cloth = cloth_of(&def);
    const WfRest* rest = &cloth.rest;
    check_triangle(rest->corners, 6, (double[]){3, 5, 4});
    check_triangle(rest->corners + 6, 6 * 1.21, (double[]){3.3, 4.4, 5.5});
    CHECK(rest->corners[6] == 13.3 && rest->corners[7] == 10);
    // the shared edge has the mean of both
    CHECK(rest->springs[0].a == 0 && rest->springs[0].b == 1);
    CHECK_NEAR(rest->springs[0].length, 3.15, 1e-12);
    CHECK_NEAR(rest->springs[0].warp, 1, 1e-12);
    CHECK_NEAR(rest->hinges[0].length, 3.15, 1e-12);
    CHECK_NEAR(rest->hinges[0].opposite[0][1], 4, 1e-12);
    CHECK_NEAR(rest->hinges[0].opposite[1][1], -4.4, 1e-12);
    // edges at the boundary have their own
    for (int s = 1; s < 5; s++) {
        const WfRestSpring* spring = &rest->springs[s];
        double first = spring->a == 0 ? 4 : 5;
        CHECK_NEAR(spring->length, spring->b == 2 ? first : 1.1 * first, 1e-12);
    }
    CHECK_NEAR(rest->size[0], 13.3, 1e-12);
    close_cloth(&cloth);
}

// The two sides of a seam may meet at any angle: the warp share is the mean.
static void seam_across_the_warp(void) {
    static const double material[12] = {0, 0, 3, 0, 0, 4, 10, 10, 10, 13, 14, 10};
    static const int named[6] = {0, 1, 2, 4, 3, 5};  // the second lies turned by 90 degrees
    WeftClothDef def = bent_def();
    def.material = material;
    def.material_count = 6;
    def.triangle_material = named;
    TestCloth cloth = cloth_of(&def);
    CHECK_NEAR(cloth.rest.springs[0].warp, 0.5, 1e-12);
    CHECK_NEAR(cloth.rest.springs[0].length, 3, 1e-12);
    CHECK_NEAR(cloth.rest.hinges[0].opposite[1][1], -4, 1e-12);
    close_cloth(&cloth);
}

// ---------------------------------------------------------------------------------------------
// Springs that the mesh brings

static void springs_of_the_mesh(void) {
    static const WeftSpring springs[] = {
        {1, 0, WEFT_SPRING_STRETCH}, {2, 3, WEFT_SPRING_SHEAR}, {2, 1, WEFT_SPRING_SHEAR}};
    static const double flat[8] = {0, 0, 3, 0, 0, 4, 0, -4};
    WeftClothDef def = bent_def();
    def.springs = springs;
    def.spring_count = 3;
    for (int material = 0; material < 2; material++) {
        def.material = material ? flat : NULL;
        def.material_count = material ? 4 : 0;
        TestCloth cloth = cloth_of(&def);
        const WfRest* rest = &cloth.rest;
        CHECK(rest->spring_count == 3);
        for (int s = 0; s < 3; s++)
            CHECK(rest->springs[s].a == springs[s].a && rest->springs[s].b == springs[s].b &&
                  rest->springs[s].kind == springs[s].kind);
        CHECK_NEAR(rest->springs[0].length, 3, 1e-12);
        CHECK_NEAR(rest->springs[2].length, 5, 1e-12);
        CHECK_NEAR(rest->springs[2].warp, 9.0 / 25, 1e-12);
        // across both triangles: flat where there is a flat shape, else through the air
        CHECK_NEAR(rest->springs[1].length, material ? 8 : sqrt(32), 1e-12);
        close_cloth(&cloth);
    }
}

// Across a seam there is no flat way from one vertex to the other: by its length in space.
static void chord_across_a_seam(void) {
    static const double material[12] = {0, 0, 3, 0, 0, 4, 10, 10, 13, 10, 10, 6};
    static const int named[6] = {0, 1, 2, 4, 3, 5};
    static const WeftSpring chord = {2, 3, WEFT_SPRING_SHEAR};
    WeftClothDef def = bent_def();
    def.material = material;
    def.material_count = 6;
    def.triangle_material = named;
    def.springs = &chord;
    def.spring_count = 1;
    TestCloth cloth = cloth_of(&def);
    CHECK_NEAR(cloth.rest.springs[0].length, sqrt(32), 1e-12);
    close_cloth(&cloth);
}

// ---------------------------------------------------------------------------------------------
// Hinges and masses

// Laid flat, a hinge has its triangles' shapes, on either side of its edge.
static void hinges(void) {
    WeftMesh mesh;
    CHECK(weft_make_disc(0.5, 0.2, NULL, &mesh, NULL) == WEFT_OK);
    WeftClothDef def = weft_default_cloth_def();
    weft_use_mesh(&def, &mesh);
    TestCloth cloth = cloth_of(&def);
    CHECK(cloth.topology.hinge_count > 10);
    for (int h = 0; h < cloth.topology.hinge_count; h++) {
        const WfHinge* hinge = &cloth.topology.hinges[h];
        const WfRestHinge* flat = &cloth.rest.hinges[h];
        CHECK(flat->opposite[0][1] > 0 && flat->opposite[1][1] < 0);
        for (int side = 0; side < 2; side++) {
            const double *o = flat->opposite[side], *m = def.material;
            double area = flat->length * fabs(o[1]) / 2;
            CHECK_NEAR(area, cloth.rest.areas[hinge->triangles[side]], 1e-14);
            const double *a = m + 2 * hinge->edge[0], *b = m + 2 * hinge->opposite[side];
            CHECK_NEAR(hypot(o[0], o[1]), hypot(b[0] - a[0], b[1] - a[1]), 1e-14);
        }
    }
    close_cloth(&cloth);
    weft_destroy_mesh(&mesh);
}

static void masses(void) {
    WeftGridDef grid = {.width = 2, .height = 1, .columns = 2, .rows = 1};
    grid.kind = WEFT_GRID_ONE_WAY;
    WeftMesh mesh;
    CHECK(weft_make_grid(&grid, NULL, &mesh, NULL) == WEFT_OK);
    WeftClothDef def = weft_default_cloth_def();
    weft_use_mesh(&def, &mesh);
    def.fabric.density = 0.3;
    for (int uniform = 0; uniform < 2; uniform++) {
        def.uniform_mass = uniform;
        TestCloth cloth = cloth_of(&def);
        double sum = 0;
        for (int i = 0; i < 6; i++) {
            int around = cloth.topology.star_start[i + 1] - cloth.topology.star_start[i];
            double expected = uniform ? 0.1 : 0.3 * 0.5 / 3 * around;
            CHECK_NEAR(cloth.masses[i], expected, 1e-15);
            sum += cloth.masses[i];
        }
        CHECK_NEAR(sum, 0.6, 1e-15);
        close_cloth(&cloth);
    }
    weft_destroy_mesh(&mesh);
}

// Warp and weft by the flat shape, across a seam by the triangles; ropes as they are in space.
static void segments(void) {
    WeftGridDef def = {2, 3, 4, 3, WEFT_GRID_WOVEN};
    WeftMesh mesh;
    CHECK(weft_make_grid(&def, NULL, &mesh, NULL) == WEFT_OK);
    for (int i = 0; i < 3 * mesh.vertex_count; i++) mesh.positions[i] *= 2;
    mesh.threads[0].kind = WEFT_THREAD_ROPE;
    WeftClothDef cloth_def = weft_default_cloth_def();
    weft_use_mesh(&cloth_def, &mesh);
    for (int way = 0; way < 3; way++) {
        if (way == 1) cloth_def.triangle_material = mesh.triangles;
        if (way == 2) cloth_def.triangle_material = NULL, cloth_def.material = NULL;
        TestCloth cloth = cloth_of(&cloth_def);
        const WfRest* rest = &cloth.rest;
        CHECK(rest->segment_start[0] == 0 && rest->segment_start[9] == 4 * 4 + 5 * 3);
        for (int t = 0; t < 9; t++) {
            double length = (t < 4 ? 0.5 : 1) * (t == 0 || way == 2 ? 2 : 1);
            CHECK(rest->segment_start[t + 1] - rest->segment_start[t] == (t < 4 ? 4 : 3));
            for (int i = rest->segment_start[t]; i < rest->segment_start[t + 1]; i++)
                CHECK_NEAR(rest->segments[i], length, 1e-14);
        }
        close_cloth(&cloth);
    }
    weft_destroy_mesh(&mesh);
}

// Hinges along a fold do not bend, and no others do so: not the fold's ends, which have no hinge.
static void folds(void) {
    WeftGridDef def = {2, 3, 4, 3, WEFT_GRID_WOVEN};
    WeftMesh mesh;
    CHECK(weft_make_grid(&def, NULL, &mesh, NULL) == WEFT_OK);
    mesh.threads[0].kind = mesh.threads[2].kind = WEFT_THREAD_FOLD;  // a side, and an inner row
    WeftClothDef cloth_def = weft_default_cloth_def();
    weft_use_mesh(&cloth_def, &mesh);
    TestCloth cloth = cloth_of(&cloth_def);
    int count = 0;
    for (int h = 0; h < cloth.topology.hinge_count; h++) {
        const int* edge = cloth.topology.hinges[h].edge;
        bool along = edge[0] / 5 == 2 && edge[1] / 5 == 2;
        CHECK(cloth.rest.hinges[h].bend == (along ? 0 : 1));
        count += along;
    }
    CHECK(count == 4);
    close_cloth(&cloth);
    weft_destroy_mesh(&mesh);
}

// A rope weighs on its vertices by half of its segments, on top of what the cloth weighs there.
static void rope_masses(void) {
    WeftGridDef def = {2, 1, 2, 1, WEFT_GRID_WOVEN};
    WeftMesh mesh;
    CHECK(weft_make_grid(&def, NULL, &mesh, NULL) == WEFT_OK);
    WeftClothDef cloth_def = weft_default_cloth_def();
    weft_use_mesh(&cloth_def, &mesh);
    cloth_def.fabric.density = 0.3;
    cloth_def.fabric.rope_density = 0.1;
    TestCloth cloth = cloth_of(&cloth_def);
    double bare[6];
    memcpy(bare, cloth.masses, sizeof bare);
    mesh.threads[0].kind = WEFT_THREAD_ROPE;
    mesh.positions[0] = -0.5;  // a longer segment; the flat shape stays
    close_cloth(&cloth);
    cloth = cloth_of(&cloth_def);
    static const double added[6] = {0.075, 0.125, 0.05};
    for (int i = 0; i < 6; i++) CHECK_NEAR(cloth.masses[i], bare[i] + added[i], 1e-15);
    close_cloth(&cloth);
    cloth_def.uniform_mass = true;
    cloth = cloth_of(&cloth_def);
    for (int i = 0; i < 6; i++) CHECK_NEAR(cloth.masses[i], (0.6 + 0.25) / 6, 1e-15);
    close_cloth(&cloth);
    weft_destroy_mesh(&mesh);
}

static void nth_allocation_fails(void) {
    WeftClothDef def = bent_def();
    TestCloth cloth = cloth_of(&def);
    WeftResult result = WEFT_ERROR_MEMORY;
    int n = 0;
    for (; result && n < 20; n++) {
        TestMemory memory = {.left = n};
        WeftAllocator allocator = test_allocator(&memory);
        WfRest rest;
        result = wf_rest_create(&allocator, &def, &cloth.topology, &rest);
        CHECK(result == WEFT_OK || (result == WEFT_ERROR_MEMORY && rest.corners == NULL));
        wf_rest_destroy(&allocator, &rest);
        CHECK(memory.out == 0);
    }
    CHECK(result == WEFT_OK && n == 7);
    close_cloth(&cloth);
}

TEST_MAIN(CASE(grids), CASE(without_material), CASE(facing_any_way), CASE(bare_sheet_agrees),
          CASE(seam), CASE(seam_across_the_warp), CASE(springs_of_the_mesh),
          CASE(chord_across_a_seam), CASE(hinges), CASE(masses), CASE(segments), CASE(folds),
          CASE(rope_masses), CASE(nth_allocation_fails))

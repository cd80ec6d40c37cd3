// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards mesh/outline.c: shapes of all sorts become meshes of good triangles, and shapes that
// cannot be meshed are refused by the name of the side that is to blame.

#include "base/hash.h"
#include "mesh/check.h"
#include "mesh_test.h"

#define QUARTER 0.41421356237309503  // bulge of a quarter circle
#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

static const WeftSide square[] = {
    {.end = {1, 0}}, {.end = {1, 1}}, {.end = {0, 1}}, {.end = {0, 0}}};
static const WeftSide corner_shape[] = {{.end = {1, 0}},   {.end = {1, 0.4}}, {.end = {0.4, 0.4}},
                                        {.end = {0.4, 1}}, {.end = {0, 1}},   {.end = {0, 0}}};
static const WeftSide triangle[] = {{.end = {1, 0}}, {.end = {0.5, 0.8}}, {.end = {0, 0}}};
// the top of a sleeve: a bell between two arms, hem below
static const WeftSide sleeve[] = {
    {.end = {0.5, 0}},
    {.end = {0.62, 0.4}, .control_count = 1, .control = {{0.52, 0.2}}},
    {.end = {0.25, 0.62}, .control_count = 2, .control = {{0.5, 0.42}, {0.4, 0.62}}},
    {.end = {-0.12, 0.4}, .control_count = 2, .control = {{0.1, 0.62}, {0.02, 0.35}}},
    {.end = {0, 0}, .control_count = 1, .control = {{-0.02, 0.2}}}};
static const WeftSide round_hole[] = {{.end = {0.3, 0.5}, .bulge = 1},
                                      {.end = {0.7, 0.5}, .bulge = 1}};
static const WeftSide corner_hole[] = {
    {.end = {0.8, 0.8}}, {.end = {0.9, 0.8}}, {.end = {0.9, 0.95}}};

static WeftError error;

static WeftResult make(const WeftLoop* loops, int count, double edge, WeftMesh* mesh) {
    WeftOutlineDef def = weft_default_outline_def();
    def.loops = loops, def.loop_count = count, def.edge = edge;
    return weft_make_outline(&def, NULL, mesh, &error);
}

static WeftMesh must_make(const WeftLoop* loops, int count, double edge) {
    WeftMesh mesh;
    if (!CHECK(make(loops, count, edge, &mesh) == WEFT_OK)) printf("%s\n", error.message);
    return mesh;
}

// What every mesh must be, whatever its shape.
static MeshRuler check_mesh(const WeftMesh* mesh, int loops, double area, double tolerance) {
    check_layout(mesh);
    MeshRuler ruler = measure_mesh(mesh);
    CHECK_NEAR(ruler.area, area, tolerance);
    CHECK(ruler.least_area > 0);
    CHECK(ruler.euler == 2 - loops && ruler.boundary_loops == loops);
    WeftClothDef cloth = {.vertex_count = mesh->vertex_count,
                          .positions = mesh->positions,
                          .material_count = mesh->material_count,
                          .material = mesh->material,
                          .triangle_count = mesh->triangle_count,
                          .triangles = mesh->triangles};
    TestMemory memory = {.fail_at = -1};
    WeftAllocator allocator = test_allocator(&memory);
    if (!CHECK(wf_check_cloth(&allocator, &cloth, &error) == WEFT_OK))
        printf("%s\n", error.message);
    return ruler;
}

// What meshes are where the outline lets them.
static void check_quality(const WeftMesh* mesh, const MeshRuler* ruler, double edge) {
    CHECK(ruler->least_angle > 30);
    CHECK(ruler->shortest > 0.5 * edge);
    CHECK_BELOW(ruler->longest, 1.75 * edge);
    double wanted = ruler->area / (0.866 * edge * edge) + ruler->boundary_edges / 2.0 + 1;
    CHECK_NEAR(mesh->vertex_count / wanted, 1, 0.05);
    CHECK_BELOW(ruler->mean_span, 1.2 * sqrt(mesh->vertex_count));
}

static void rectangle(void) {
    for (int i = 0; i < 3; i++) {
        double edge = 0.08 / (1 << i);
        WeftMesh mesh;
        CHECK(weft_make_rectangle(1.5, 0.8, edge, NULL, &mesh, NULL) == WEFT_OK);
        MeshRuler ruler = check_mesh(&mesh, 1, 1.2, 1e-12);
        check_quality(&mesh, &ruler, edge);
        CHECK(ruler.boundary_edges == (int)(1.5 / edge + 0.5) * 2 + (int)(0.8 / edge + 0.5) * 2);
        weft_destroy_mesh(&mesh);
    }
}

// the area of an inscribed polygon with n corners is r^2 n / 2 sin(2 pi / n)
static void disc(void) {
    double last = 1;
    for (int i = 0; i < 4; i++) {
        double edge = 0.2 / (1 << i), pi = 3.14159265358979324;
        WeftMesh mesh;
        CHECK(weft_make_disc(0.5, edge, NULL, &mesh, NULL) == WEFT_OK);
        int n = 4 * (int)(pi / 4 / edge + 0.5);
        MeshRuler ruler = check_mesh(&mesh, 1, 0.125 * n * sin(2 * pi / n), 1e-6);
        CHECK(ruler.boundary_edges == n);
        if (i > 0) check_quality(&mesh, &ruler, edge);
        CHECK_BELOW(pi / 4 - ruler.area, 0.35 * last);
        last = pi / 4 - ruler.area;
        weft_destroy_mesh(&mesh);
    }
}

static void concave(void) {
    WeftLoop loop = {COUNT(corner_shape), corner_shape};
    WeftMesh mesh = must_make(&loop, 1, 0.04);
    MeshRuler ruler = check_mesh(&mesh, 1, 0.64, 1e-12);
    check_quality(&mesh, &ruler, 0.04);
    weft_destroy_mesh(&mesh);
}

static void curved_panel(void) {
    WeftLoop loop = {COUNT(sleeve), sleeve};
    WeftMesh mesh = must_make(&loop, 1, 0.02);
    // by Green's theorem on the control points: thin edges lose a little of the round parts
    WeftMesh fine = must_make(&loop, 1, 0.004);
    MeshRuler exact = measure_mesh(&fine), ruler = check_mesh(&mesh, 1, exact.area, 5e-4);
    check_quality(&mesh, &ruler, 0.02);
    weft_destroy_mesh(&mesh);
    weft_destroy_mesh(&fine);
}

static void holes(void) {
    WeftLoop loops[] = {{COUNT(square), square},
                        {COUNT(round_hole), round_hole},
                        {COUNT(corner_hole), corner_hole}};
    WeftMesh mesh = must_make(loops, 3, 0.03);
    MeshRuler ruler = check_mesh(&mesh, 3, 1 - 0.04 * 3.14159265 - 0.0075, 1e-3);
    check_quality(&mesh, &ruler, 0.03);
    for (int t = 0; t < mesh.triangle_count; t++) {
        double u = 0, v = 0;
        for (int k = 0; k < 3; k++)
            u += flat_point(&mesh, t, k)[0] / 3, v += flat_point(&mesh, t, k)[1] / 3;
        CHECK(hypot(u - 0.5, v - 0.5) > 0.19);
    }
    weft_destroy_mesh(&mesh);
}

static void reverse(const WeftSide* sides, int count, WeftSide* out) {
    for (int i = 0; i < count; i++) {
        out[i] = sides[count - 1 - i];
        const double* end = sides[(2 * count - 2 - i) % count].end;
        out[i].end[0] = end[0], out[i].end[1] = end[1];
        out[i].bulge = -out[i].bulge;
        for (int k = 0; k < 2 && out[i].control_count == 2; k++) {
            out[i].control[0][k] = sides[count - 1 - i].control[1][k];
            out[i].control[1][k] = sides[count - 1 - i].control[0][k];
        }
    }
}

static void either_direction(void) {
    WeftSide back[5], hole[2];
    reverse(sleeve, 5, back);
    WeftLoop loop = {5, sleeve}, turned = {5, back};
    WeftMesh a = must_make(&loop, 1, 0.02), b = must_make(&turned, 1, 0.02);
    CHECK_NEAR(measure_mesh(&a).area, measure_mesh(&b).area, 1e-7);
    CHECK(measure_mesh(&b).least_area > 0);
    weft_destroy_mesh(&a);
    weft_destroy_mesh(&b);
    reverse(round_hole, 2, hole);
    WeftLoop loops[] = {{4, square}, {2, hole}};
    WeftMesh mesh = must_make(loops, 2, 0.05);
    check_mesh(&mesh, 2, 1 - 0.04 * 3.14159265, 2e-3);
    weft_destroy_mesh(&mesh);
}

// Ends of sides are vertices, with the coordinates given.
static void ends_are_vertices(void) {
    WeftLoop loop = {COUNT(sleeve), sleeve};
    WeftMesh mesh = must_make(&loop, 1, 0.05);
    for (int s = 0; s < COUNT(sleeve); s++) {
        int found = 0;
        for (int v = 0; v < mesh.vertex_count; v++)
            found += mesh.material[2 * v] == sleeve[s].end[0] &&
                     mesh.material[2 * v + 1] == sleeve[s].end[1];
        CHECK(found == 1);
    }
    weft_destroy_mesh(&mesh);
}

static void star_with_sharp_corners(void) {
    WeftSide sides[10];
    for (int i = 0; i < 10; i++) {
        double angle = i * 0.62831853071795865, r = i % 2 ? 0.12 : 1;
        sides[i] = (WeftSide){.end = {r * cos(angle), r * sin(angle)}};
    }
    WeftLoop loop = {10, sides};
    WeftMesh mesh = must_make(&loop, 1, 0.03);
    MeshRuler ruler = check_mesh(&mesh, 1, 10 * 0.5 * 0.12 * sin(0.62831853071795865), 1e-9);
    CHECK_BELOW(ruler.below_30, 0.06 * mesh.triangle_count);  // only at the tips
    CHECK_BELOW(ruler.longest, 2 * 0.03);
    weft_destroy_mesh(&mesh);
}

static void thin_shapes(void) {
    static const double widths[] = {0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6};
    for (int i = 0; i < COUNT(widths); i++) {
        double w = widths[i];
        WeftSide strip[] = {
            {.end = {1, 0.5}}, {.end = {1, 0.5 + w}}, {.end = {0, w}}, {.end = {0, 0}}};
        WeftLoop loop = {4, strip};
        WeftMesh mesh = must_make(&loop, 1, 0.02);
        MeshRuler ruler = measure_mesh(&mesh);
        CHECK_NEAR(ruler.area, w, 1e-12);
        CHECK(ruler.least_area > 0 && ruler.euler == 1);
        weft_destroy_mesh(&mesh);
        WeftSide needle[] = {{.end = {1, 0.3}}, {.end = {1, 0.3 + w}}, {.end = {0, 0}}};
        WeftLoop needles = {3, needle};
        if (make(&needles, 1, 0.2, &mesh)) continue;  // the tip may be too thin, and says so
        CHECK_NEAR(measure_mesh(&mesh).area, w / 2, 1e-12);
        weft_destroy_mesh(&mesh);
    }
}

// A waistband with edges as long as itself: its upper side goes through edges to the corners of the
// square around all, whose triangles were sought on one side only, past the end of the list.
static void strip_of_long_edges(void) {
    for (int turned = 0; turned < 2; turned++) {
        double y = turned ? -0.023 : 0.023;
        const WeftSide strip[] = {{.end = {0.065, 0}}, {.end = {0.223, 0}}, {.end = {0.288, 0}},
                                  {.end = {0.288, y}}, {.end = {0, y}},     {.end = {0, 0}}};
        WeftMesh mesh = must_make(&(WeftLoop){COUNT(strip), strip}, 1, 0.5);
        check_mesh(&mesh, 1, 0.288 * 0.023, 1e-12);
        CHECK(mesh.triangle_count == 4);
        weft_destroy_mesh(&mesh);
    }
}

static void tiny_outlines(void) {
    WeftLoop loop = {COUNT(triangle), triangle};
    WeftMesh mesh = must_make(&loop, 1, 5);
    CHECK(mesh.vertex_count == 3 && mesh.triangle_count == 1);
    check_mesh(&mesh, 1, 0.4, 1e-12);
    weft_destroy_mesh(&mesh);
    for (double edge = 0.05; edge < 4; edge *= 1.07) {
        mesh = must_make(&loop, 1, edge);
        check_mesh(&mesh, 1, 0.4, 1e-12);
        weft_destroy_mesh(&mesh);
        CHECK(weft_make_disc(1, edge, NULL, &mesh, NULL) == WEFT_OK);
        MeshRuler ruler = measure_mesh(&mesh);
        CHECK(ruler.euler == 1 && ruler.area > 2.8);
        weft_destroy_mesh(&mesh);
    }
}

static void one_closed_curve(void) {
    static const WeftSide drop[] = {
        {.end = {0, 0}, .control_count = 2, .control = {{2, 1}, {-2, 1}}}};
    WeftLoop loop = {1, drop};
    WeftMesh mesh = must_make(&loop, 1, 0.03);
    MeshRuler ruler = check_mesh(&mesh, 1, 0.6, 2e-3);
    check_quality(&mesh, &ruler, 0.03);
    weft_destroy_mesh(&mesh);
}

static uint64_t mesh_hash(const WeftMesh* mesh) {
    uint64_t hash = wf_hash(WF_HASH_START, mesh->material,
                            2 * (size_t)mesh->vertex_count * sizeof *mesh->material);
    return wf_hash(hash, mesh->triangles, 3 * (size_t)mesh->triangle_count * sizeof(int));
}

static void same_seed_same_bytes(void) {
    WeftLoop loops[] = {{COUNT(square), square}, {COUNT(round_hole), round_hole}};
    WeftOutlineDef def = weft_default_outline_def();
    def.loops = loops, def.loop_count = 2, def.edge = 0.04;
    uint64_t hashes[3];
    for (int i = 0; i < 3; i++) {
        def.seed = i < 2 ? 7 : 8;
        WeftMesh mesh;
        CHECK(weft_make_outline(&def, NULL, &mesh, NULL) == WEFT_OK);
        hashes[i] = mesh_hash(&mesh);
        weft_destroy_mesh(&mesh);
    }
    CHECK(hashes[0] == hashes[1] && hashes[1] != hashes[2]);
    // on every machine: no operation but those that IEEE 754 rounds in one way
    WeftLoop loop = {COUNT(sleeve), sleeve};
    WeftMesh mesh = must_make(&loop, 1, 0.02);
    if (!CHECK(mesh_hash(&mesh) == UINT64_C(0xf0f0eda0eaeb323c)))
        printf("the hash is 0x%016llx\n", (unsigned long long)mesh_hash(&mesh));
    weft_destroy_mesh(&mesh);
}

static void many_seeds(void) {
    WeftLoop loop = {COUNT(sleeve), sleeve};
    WeftOutlineDef def = weft_default_outline_def();
    def.loops = &loop, def.loop_count = 1, def.edge = 0.03;
    for (uint32_t seed = 0; seed < 40; seed++) {
        def.seed = seed;
        WeftMesh mesh;
        CHECK(weft_make_outline(&def, NULL, &mesh, NULL) == WEFT_OK);
        MeshRuler ruler = measure_mesh(&mesh);
        CHECK(ruler.least_angle > 30 && ruler.shortest > 0.5 * 0.03 && ruler.longest < 1.75 * 0.03);
        weft_destroy_mesh(&mesh);
    }
}

// no direction is preferred: the mean of exp(6 i angle) over the edges is 1 for a perfect lattice
static void no_grain(void) {
    WeftMesh mesh;
    CHECK(weft_make_rectangle(1, 1, 0.02, NULL, &mesh, NULL) == WEFT_OK);
    double x = 0, y = 0;
    for (int t = 0; t < mesh.triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const double *a = flat_point(&mesh, t, k), *b = flat_point(&mesh, t, (k + 1) % 3);
            double angle = 6 * atan2(b[1] - a[1], b[0] - a[0]);
            x += cos(angle), y += sin(angle);
        }
    CHECK_BELOW(hypot(x, y) / (3 * mesh.triangle_count), 0.2);
    weft_destroy_mesh(&mesh);
}

// Random closed polygons: a good mesh or a sentence, never anything else.
static void random_polygons(void) {
    int good = 0, bad = 0;
    uint32_t lot = 12345;
    for (int run = 0; run < 400; run++) {
        WeftSide sides[12];
        int count = 3 + run % 10;
        for (int i = 0; i < count; i++) {
            double angle = 6.283185307 * i / count, r[2];
            for (int k = 0; k < 2; k++) lot = lot * 1664525 + 1013904223, r[k] = lot / 4294967296.0;
            double radius = run % 3 ? 0.2 + r[0] : 1, turn = run % 3 ? 0 : 6 * r[1];
            sides[i] = (WeftSide){.end = {radius * cos(angle + turn), radius * sin(angle + turn)}};
            if (i % 3 == 1) sides[i].bulge = r[1] - 0.5;
        }
        WeftLoop loop = {count, sides};
        WeftMesh mesh;
        if (make(&loop, 1, 0.1, &mesh)) {
            CHECK_TEXT(error.message, "side");
            bad++;
            continue;
        }
        MeshRuler ruler = measure_mesh(&mesh);
        CHECK(ruler.euler == 1 && ruler.boundary_loops == 1 && ruler.least_area > 0);
        good++;
        weft_destroy_mesh(&mesh);
    }
    CHECK(good > 100 && bad > 50);
}

static void refuse(const WeftLoop* loops, int count, double edge, const char* words) {
    WeftMesh mesh = {.vertex_count = 3};
    CHECK(make(loops, count, edge, &mesh) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, words);
    CHECK(mesh.vertex_count == 0 && mesh.positions == NULL);
}

static void self_intersecting(void) {
    WeftSide bow[] = {{.end = {1, 0.9}}, {.end = {1, 0}}, {.end = {0, 1}}, {.end = {0, 0}}};
    WeftLoop loop = {4, bow};
    refuse(&loop, 1, 0.08, "side 0 of the outline and side 2 of the outline cross");
    WeftSide knot[] = {{.end = {0, 0}, .control_count = 2, .control = {{3, 1}, {-2, 1}}},
                       {.end = {1, 0}, .control_count = 2, .control = {{2, 1}, {-1, 1}}}};
    WeftLoop loop_in_a_side = {2, knot};
    refuse(&loop_in_a_side, 1, 0.02, "of the outline");
    WeftSide curl[] = {{.end = {1, 0}, .control_count = 2, .control = {{3, 1}, {-2, 1}}},
                       {.end = {0.5, -1}},
                       {.end = {0, 0}}};
    WeftLoop curls = {3, curl};
    refuse(&curls, 1, 0.02, "side 0 of the outline crosses itself");
}

static void touching(void) {
    WeftSide back[] = {{.end = {1, 0}}, {.end = {0.5, 0}}, {.end = {0.5, 1}}, {.end = {0, 0}}};
    WeftLoop loop = {4, back};
    refuse(&loop, 1, 0.1, "side 0 of the outline and side 1 of the outline touch or cross");
    WeftSide pinch[] = {{.end = {1, 0}}, {.end = {0.5, 0.5}}, {.end = {1, 1}},
                        {.end = {0, 1}}, {.end = {0.5, 0.5}}, {.end = {0, 0}}};
    WeftLoop loops = {6, pinch};
    refuse(&loops, 1, 0.1, "touch or cross");
}

static void zero_area(void) {
    WeftSide flat[] = {{.end = {1, 1}}, {.end = {2, 2}}, {.end = {0, 0}}};
    WeftLoop loops[] = {{4, square}, {3, flat}};
    refuse(loops + 1, 1, 0.1, "the outline has no area");
    for (int i = 0; i < 3; i++)
        flat[i].end[0] = 0.3 + flat[i].end[0] / 10, flat[i].end[1] = 0.3 + flat[i].end[1] / 10;
    refuse(loops, 2, 0.1, "hole 1 has no area");
    for (int i = 0; i < 3; i++) flat[i].end[0] = flat[i].end[1] = 0.5;
    refuse(loops, 2, 0.1, "side 0 of hole 1 has no length");
}

static void misplaced_holes(void) {
    WeftSide out[4], inner[3], across[3];
    for (int i = 0; i < 4; i++) out[i] = square[i], out[i].end[0] += 2;
    for (int i = 0; i < 3; i++) {
        inner[i] = (WeftSide){
            .end = {0.5 + 0.1 * corner_hole[i].end[0], 0.5 + 0.1 * corner_hole[i].end[1]}};
        across[i] = (WeftSide){.end = {3 * corner_hole[i].end[0] - 2, corner_hole[i].end[1]}};
    }
    WeftLoop loops[] = {{4, square}, {4, out}};
    refuse(loops, 2, 0.1, "hole 1 is not inside the outline");
    WeftLoop swapped[] = {{2, round_hole}, {4, square}};
    refuse(swapped, 2, 0.1, "hole 1 is not inside the outline");
    WeftLoop nested[] = {{4, square}, {2, round_hole}, {3, inner}};
    refuse(nested, 3, 0.05, "hole 2 is inside hole 1");
    WeftLoop crossed[] = {{4, square}, {3, across}};
    for (int i = 0; i < 3; i++) across[i].end[0] += 0.5, across[i].end[1] += 0.013;
    refuse(crossed, 2, 0.1, "of the outline and side");
    CHECK_TEXT(error.message, "of hole 1 ");
}

static void bad_numbers(void) {
    WeftMesh mesh;
    CHECK(weft_make_rectangle(1, NAN, 0.1, NULL, &mesh, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "side 1 of the outline");
    CHECK(weft_make_rectangle(1, 0, 0.1, NULL, &mesh, &error) == WEFT_ERROR_INPUT);
    CHECK(weft_make_rectangle(1e7, 1, 0.1, NULL, &mesh, &error) == WEFT_ERROR_INPUT);
    CHECK(weft_make_disc(0, 0.1, NULL, &mesh, &error) == WEFT_ERROR_INPUT);
    CHECK(weft_make_disc(1, -1, NULL, &mesh, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "an edge of -1 m");
    CHECK(weft_make_disc(1, 1e-5, NULL, &mesh, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "make more than 5000000 vertices");
    CHECK(weft_make_disc(1, 1e-9, NULL, &mesh, &error) == WEFT_ERROR_INPUT);
    CHECK(mesh.positions == NULL);
    WeftOutlineDef none = weft_default_outline_def();
    CHECK(weft_make_outline(&none, NULL, &mesh, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "there is no outline");
}

static WeftResult make_ring(const WeftAllocator* allocator, WeftMesh* mesh, WeftError* out) {
    WeftLoop loops[] = {{4, square}, {2, round_hole}};
    WeftOutlineDef def = weft_default_outline_def();
    def.loops = loops, def.loop_count = 2, def.edge = 0.1;
    return weft_make_outline(&def, allocator, mesh, out);
}

static void every_allocation(void) { check_every_allocation(make_ring); }

static void a_million_triangles(void) {
    WeftMesh mesh;
    CHECK(weft_make_rectangle(1, 1, 0.0015, NULL, &mesh, NULL) == WEFT_OK);
    MeshRuler ruler = check_mesh(&mesh, 1, 1, 1e-9);
    CHECK(mesh.triangle_count > 1000000);
    CHECK(ruler.least_angle > 30 && ruler.shortest > 0.45 * 0.0015 && ruler.longest < 1.9 * 0.0015);
    weft_destroy_mesh(&mesh);
}

TEST_MAIN(CASE(rectangle), CASE(disc), CASE(concave), CASE(curved_panel), CASE(holes),
          CASE(either_direction), CASE(ends_are_vertices), CASE(star_with_sharp_corners),
          CASE(thin_shapes), CASE(strip_of_long_edges), CASE(tiny_outlines), CASE(one_closed_curve),
          CASE(same_seed_same_bytes), CASE(many_seeds), CASE(no_grain), CASE(random_polygons),
          CASE(self_intersecting), CASE(touching), CASE(zero_area), CASE(misplaced_holes),
          CASE(bad_numbers), CASE(every_allocation), LONG_CASE(a_million_triangles))

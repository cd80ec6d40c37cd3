// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards mirrored meshes: exact images, flat shapes that are neither strained nor turned over, good
// triangles at the plane, seams, springs and threads across it; and that a failure changes nothing.

#include "mirror_test.h"
#include "overlap_test.h"

static const WeftHalving halvings[2] = {WEFT_HALVING_SPLIT, WEFT_HALVING_PROJECT};

// Whether the plane is square to an axis, so that vertices can be exactly on it.
static bool is_square(WeftPlane plane) {
    return (plane.normal[0] != 0) + (plane.normal[1] != 0) + (plane.normal[2] != 0) == 1;
}

static void check_images(const WeftMesh* mesh) {
    int wrong = 0, first = mesh->vertex_count;
    for (int v = 0; v < mesh->vertex_count; v++) {
        int image = mesh->images[v];
        wrong += image < 0 || image >= mesh->vertex_count || mesh->images[image] != v;
        if (image < v && image < first) first = v;
        wrong += first < mesh->vertex_count && image >= v;  // own half, then images
    }
    CHECK(wrong == 0);
}

static void check_triangles(const WeftMesh* mesh) {
    int half = mesh->triangle_count / 2, wrong = mesh->triangle_count % 2;
    double own = 0, image = 0, mean = total_area(mesh) / mesh->triangle_count;
    for (int t = 0; t < half; t++) {
        const int *v = mesh->triangles + 3 * t, *w = mesh->triangles + 3 * (half + t);
        wrong +=
            w[0] != mesh->images[v[0]] || w[1] != mesh->images[v[2]] || w[2] != mesh->images[v[1]];
        wrong += corner_area(mesh, t) < 1e-3 * mean || corner_area(mesh, half + t) < 1e-3 * mean;
        own += corner_area(mesh, t);
        image += corner_area(mesh, half + t);
    }
    CHECK(wrong == 0);
    CHECK_NEAR(own, image, 1e-12 * own);
    WfTopology topology;
    WeftError error = {0};
    TestMemory memory = {.fail_at = -1};
    WeftAllocator allocator = test_allocator(&memory);
    CHECK(wf_topology_create(&allocator, mesh->vertex_count, mesh->triangle_count, mesh->triangles,
                             &topology, &error) == WEFT_OK);
    CHECK_TEXT(error.message, "");
    wf_topology_destroy(&allocator, &topology);
}

static void check_symmetry(WeftSymmetry s, WeftPlane plane, double size) {
    CHECK(s.unpaired == 0 && s.crossing == 0 && s.unmatched == 0);
    CHECK(s.springs == 0 && s.threads == 0);
    if (is_square(plane))
        CHECK(s.deviation == 0);
    else
        CHECK_BELOW(s.deviation, 1e-15 * size);
    CHECK_BELOW(s.rest_deviation, 1e-9);
    CHECK_BELOW(s.grain_deviation, 1e-9);
}

static void check_model(const WeftMesh* mesh) {
    WeftClothDef cloth = weft_default_cloth_def();
    WeftModelDef def = weft_default_model_def();
    WeftModel* model = NULL;
    WeftError error = {0};
    weft_use_mesh(&cloth, mesh);
    def.cloths = &cloth;
    def.cloth_count = 1;
    CHECK(weft_create_model(&def, &model, &error) == WEFT_OK);
    CHECK_TEXT(error.message, "");
    weft_destroy_model(model);
}

// All that must hold of a mirrored mesh; and its images are found without being told.
static void check_mirrored(const WeftMesh* mesh, WeftPlane plane, double size) {
    int* found = malloc((size_t)mesh->vertex_count * sizeof *found);
    check_images(mesh);
    if (mesh->triangle_count > 0) check_triangles(mesh);
    check_symmetry(symmetry_of(mesh, plane, NULL), plane, size);
    check_symmetry(symmetry_of(mesh, plane, found), plane, size);
    CHECK(memcmp(found, mesh->images, (size_t)mesh->vertex_count * sizeof *found) == 0);
    check_model(mesh);
    free(found);
}

// A disc, and no cracks in it.
static void check_one_piece(const WeftMesh* mesh) {
    MeshRuler ruler = measure_mesh(mesh);
    CHECK(ruler.euler == 1 && ruler.boundary_loops == 1);
}

// ---------------------------------------------------------------------------------------------
// Grids

// A plane through vertices keeps them: the mesh is what it was, in another order.
static void through_vertices(void) {
    for (int k = 0; k < 2; k++) {
        WeftMesh mesh = centred_grid(8, 8, WEFT_GRID_ALTERNATING);
        mirror(&mesh, x_plane, halvings[k]);
        check_mirrored(&mesh, x_plane, 1);
        CHECK(mesh.vertex_count == 81 && mesh.triangle_count == 128);
        CHECK(mesh.material_count == 81 && !mesh.triangle_material);
        CHECK_NEAR(total_area(&mesh), 1, 1e-14);
        CHECK_BELOW(strain_of(&mesh), 1e-14);
        // the flat shape goes on across the plane
        for (int v = 0; v < 81; v++) CHECK(mesh.material[2 * v] == mesh.positions[3 * v] + 0.5);
        weft_destroy_mesh(&mesh);
    }
}

// Anywhere between them: kept is what lies before the plane, in triangles that are high enough. A
// cut is at 0.4 to 0.6 of an edge (cut.c), or at a vertex that moved: the smallest triangle has
// two such sides at a right angle.
static void between_vertices(void) {
    for (int i = 1; i < 20; i++) {
        for (int side = -1; side <= 1; side += 2) {
            WeftMesh mesh = centred_grid(8, 8, i % 2 ? WEFT_GRID_ALTERNATING : WEFT_GRID_ONE_WAY);
            double at = 0.125 * i / 20;
            WeftPlane plane = plane_at(at, 7, 7, side, 0, 0);
            mirror(&mesh, plane, WEFT_HALVING_SPLIT);
            check_mirrored(&mesh, plane, 1);
            CHECK_NEAR(total_area(&mesh), 2 * (0.5 - side * at), 1e-12);
            CHECK_BELOW(strain_of(&mesh), 1e-12);
            CHECK(least_height(&mesh) > 0.28 * 0.125);
            check_one_piece(&mesh);
            weft_destroy_mesh(&mesh);
        }
    }
}

static void along_the_warp(void) {
    WeftMesh mesh = centred_grid(6, 7, WEFT_GRID_ALTERNATING);
    WeftPlane plane = plane_at(0, 0, 0, 0, 0, -2);
    mirror(&mesh, plane, WEFT_HALVING_SPLIT);
    check_mirrored(&mesh, plane, 1);
    CHECK_NEAR(total_area(&mesh), 1, 1e-12);
    for (int v = 0; v < mesh.vertex_count; v++)
        CHECK_NEAR(mesh.material[2 * v + 1], 0.5 - mesh.positions[3 * v + 2], 1e-15);
    weft_destroy_mesh(&mesh);
}

// A plane across both threads: the flat shape is reflected at a thread, the plane is a seam.
static void oblique(void) {
    for (int i = 0; i < 12; i++) {
        WeftMesh mesh = centred_grid(8, 8, WEFT_GRID_ALTERNATING);
        double angle = 0.2 + i;
        WeftPlane plane = plane_at(0.02 * i, 1, 0.01, cos(angle), 0, sin(angle));
        mirror(&mesh, plane, WEFT_HALVING_SPLIT);
        check_mirrored(&mesh, plane, 1);
        CHECK(mesh.triangle_material && mesh.material_count > mesh.vertex_count);
        CHECK_BELOW(strain_of(&mesh), 1e-12);
        weft_destroy_mesh(&mesh);
    }
}

// Cut at an angle in space: still the plane is exact and nothing strains.
static void leaning_planes(void) {
    for (int k = 0; k < 2; k++) {
        WeftMesh mesh = disc(0.5, 0.08);
        WeftPlane plane = plane_at(0.013, 0.2, 0.01, 0.5, 0.8, 0.3);
        mirror(&mesh, plane, halvings[k]);
        check_mirrored(&mesh, plane, 2);
        if (k == 0) CHECK_BELOW(strain_of(&mesh), 1e-12);
        weft_destroy_mesh(&mesh);
    }
}

// ---------------------------------------------------------------------------------------------
// Irregular triangles

static void good_triangles(void) {
    for (int i = 0; i < 40; i++) {
        WeftMesh mesh = disc(0.5, 0.05);
        double angle = 0.3 * i, whole = total_area(&mesh);
        WeftPlane plane = plane_at(0, 0, 0, cos(angle), 0, sin(angle));
        mirror(&mesh, plane, WEFT_HALVING_SPLIT);
        if (i % 8 == 0) check_mirrored(&mesh, plane, 1);
        CHECK_BELOW(strain_of(&mesh), 1e-11);
        // two edges of a disc's outline change their length: 0.01 of them squared
        CHECK_NEAR(total_area(&mesh), whole, 5e-4 * whole);
        // measured: 0.186 of the edge (see cut.c)
        CHECK(least_height(&mesh) > 0.15 * 0.05);
        check_one_piece(&mesh);
        weft_destroy_mesh(&mesh);
    }
}

static void symmetric_outline(void) {
    for (int i = 0; i < 10; i++) {
        WeftMesh mesh;
        double width = 1 + 0.037 * i;
        CHECK(weft_make_rectangle(width, 1, 0.09, NULL, &mesh, NULL) == WEFT_OK);
        WeftPlane plane = plane_at(width / 2, 0, 0, i % 2 ? 1 : -1, 0, 0);
        mirror(&mesh, plane, WEFT_HALVING_SPLIT);
        check_mirrored(&mesh, plane, 1);
        CHECK_NEAR(total_area(&mesh), width, 1e-12);
        CHECK_BELOW(strain_of(&mesh), 1e-11);
        CHECK(least_height(&mesh) > 0.12 * 0.09);
        weft_destroy_mesh(&mesh);
    }
}

static void projected(void) {
    for (int i = 0; i < 10; i++) {
        WeftMesh mesh = disc(0.5, 0.05);
        double angle = 0.7 * i;
        WeftPlane plane = plane_at(0, 0, 0, cos(angle), 0, sin(angle));
        int before = 0;
        for (int t = 0; t < mesh.triangle_count; t++) {
            bool own = false;
            for (int k = 0; k < 3; k++) {
                const double* x = mesh.positions + 3 * mesh.triangles[3 * t + k];
                own = own || x[0] * plane.normal[0] + x[2] * plane.normal[2] > 1e-9;
            }
            before += own;
        }
        mirror(&mesh, plane, WEFT_HALVING_PROJECT);
        check_mirrored(&mesh, plane, 1);
        CHECK_BELOW(strain_of(&mesh), 1e-9);
        CHECK(mesh.triangle_count <= 2 * before && mesh.triangle_count >= 2 * before - 4);
        check_one_piece(&mesh);
        weft_destroy_mesh(&mesh);
    }
}

// A plane that runs almost along the outline, which is just behind it: all edges of a vertex were
// cut at one place, what was between the cuts was dropped, and the cloth came apart there.
static void beside_an_outline(void) {
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 2; k++) {
            WeftMesh mesh;
            double at = 1e-7 * pow(7, i);
            WeftPlane plane = plane_at(at, 0, 0, 1, 0, 3e-7 * i);
            CHECK(weft_make_rectangle(1, 1, 0.09, NULL, &mesh, NULL) == WEFT_OK);
            mirror(&mesh, plane, halvings[k]);
            check_mirrored(&mesh, plane, 1);
            check_one_piece(&mesh);
            // to a twentieth of an edge, along one side
            if (k == 0) CHECK_NEAR(total_area(&mesh), 2 * (1 - at), 2 * 0.05 * 0.09);
            weft_destroy_mesh(&mesh);
        }
    }
}

// Waves through the plane, down to where only the crests are before it: edges at which both
// triangles are before the plane were moved into it, and had four with their images.
static void waves(void) {
    for (int i = 0; i < 19; i++) {
        WeftMesh mesh = disc(0.5, 0.05);
        WeftPlane plane = plane_at(0, 0.0049 * (i - 9), 0, 0, 1, 0);
        for (int v = 0; v < mesh.vertex_count; v++)
            mesh.positions[3 * v + 1] =
                0.05 * sin(12 * mesh.positions[3 * v] + 3 * mesh.positions[3 * v + 2]);
        mirror(&mesh, plane, WEFT_HALVING_SPLIT);
        check_mirrored(&mesh, plane, 1);
        weft_destroy_mesh(&mesh);
    }
}

// A mesh of 5 mm is cut as one of a metre.
static void small(void) {
    WeftMesh mesh = disc(0.5, 0.08), tiny = disc(0.5, 0.08);
    WeftPlane plane = plane_at(0.01, 0, 0, 1, 0, 0.3), near = plane;
    for (int i = 0; i < 3 * tiny.vertex_count; i++) tiny.positions[i] *= 0.005;
    for (int i = 0; i < 2 * tiny.vertex_count; i++) tiny.material[i] *= 0.005;
    near.point[0] *= 0.005;
    mirror(&mesh, plane, WEFT_HALVING_SPLIT);
    mirror(&tiny, near, WEFT_HALVING_SPLIT);
    check_mirrored(&tiny, near, 1);
    CHECK(mesh.vertex_count == tiny.vertex_count && mesh.triangle_count == tiny.triangle_count);
    CHECK_NEAR(total_area(&tiny), 25e-6 * total_area(&mesh), 1e-16);
    weft_destroy_mesh(&mesh);
    weft_destroy_mesh(&tiny);
}

// Vertices that are off the plane by rounding are put on it.
static void rounding(void) {
    WeftMesh mesh = centred_grid(8, 8, WEFT_GRID_ALTERNATING);
    for (int v = 0; v < mesh.vertex_count; v++)
        if (mesh.positions[3 * v] == 0) mesh.positions[3 * v] = v % 3 ? 1e-9 : -1e-9;
    mirror(&mesh, x_plane, WEFT_HALVING_SPLIT);
    check_mirrored(&mesh, x_plane, 1);
    CHECK(mesh.vertex_count == 81);
    weft_destroy_mesh(&mesh);
}

// ---------------------------------------------------------------------------------------------
// Half patterns and pieces that do not reach the plane

static void half_patterns(void) {
    WeftMesh mesh = centred_grid(8, 8, WEFT_GRID_ALTERNATING);
    for (int v = 0; v < mesh.vertex_count; v++) mesh.positions[3 * v] += 0.5;
    mirror(&mesh, x_plane, WEFT_HALVING_SPLIT);
    check_mirrored(&mesh, x_plane, 1);
    CHECK(mesh.vertex_count == 2 * 81 - 9 && mesh.triangle_count == 256);
    CHECK_NEAR(total_area(&mesh), 2, 1e-14);
    weft_destroy_mesh(&mesh);
    mesh = centred_grid(8, 8, WEFT_GRID_ALTERNATING);
    WeftPlane away = plane_at(-0.6, 0, 0, 1, 0, 0);
    mirror(&mesh, away, WEFT_HALVING_SPLIT);
    check_images(&mesh);
    check_triangles(&mesh);
    CHECK(mesh.vertex_count == 2 * 81 && mesh.triangle_count == 256);
    for (int v = 0; v < 81; v++) CHECK(mesh.images[v] == 81 + v);
    weft_destroy_mesh(&mesh);
}

// Without a flat shape, cloth is at rest as it stands.
static void no_flat_shape(void) {
    WeftMesh mesh = disc(0.5, 0.1);
    free(mesh.material);
    mesh.material = NULL;
    mesh.material_count = 0;
    mirror(&mesh, plane_at(0.02, 0, 0, 1, 0, 0.2), WEFT_HALVING_SPLIT);
    check_images(&mesh);
    CHECK(!mesh.material && !mesh.triangle_material && mesh.material_count == 0);
    weft_destroy_mesh(&mesh);
}

// ---------------------------------------------------------------------------------------------
// Seams: a disc in two panels, which the flat shape has apart, one of them turned by 90 degrees

static bool is_right(const WeftMesh* mesh, int t) {
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += mesh->positions[3 * mesh->triangles[3 * t + k]];
    return sum > 0;
}

static void sew(WeftMesh* mesh) {
    int n = mesh->vertex_count, corners = 3 * mesh->triangle_count;
    double* material = malloc(4 * (size_t)n * sizeof *material);
    int* points = malloc((size_t)corners * sizeof *points);
    memcpy(material, mesh->material, 2 * (size_t)n * sizeof *material);
    for (int v = 0; v < n; v++) {
        material[2 * (n + v)] = 3 - mesh->material[2 * v + 1];
        material[2 * (n + v) + 1] = 1 + mesh->material[2 * v];
    }
    for (int c = 0; c < corners; c++)
        points[c] = mesh->triangles[c] + (is_right(mesh, c / 3) ? n : 0);
    free(mesh->material);
    mesh->material = material;
    mesh->material_count = 2 * n;
    mesh->triangle_material = points;
}

// Triangles of the flat shape beside one another.
static void check_no_overlap(const WeftMesh* mesh) {
    double* corners = malloc(6 * (size_t)mesh->triangle_count * sizeof *corners);
    for (int c = 0; c < 3 * mesh->triangle_count; c++)
        memcpy(corners + 2L * c, corner_flat(mesh, c / 3, c % 3), 2 * sizeof *corners);
    CHECK(count_overlaps(corners, mesh->triangle_count) == 0);
    free(corners);
}

// Images lie beside what they are images of, and beside all others: of a cut along a thread, near
// to one or far from both, and of pieces away from the plane.
static void flat_images_lie_beside(void) {
    for (int i = 0; i < 24; i++) {
        for (int k = 0; k < 2; k++) {
            WeftMesh mesh = disc(0.6, 0.06);
            double angle = i * (3.14159265358979 / 12) + (i % 2 ? 0.03 : 0);
            if (k == 1) sew(&mesh);
            mirror(&mesh, plane_at(0.1, 0, 0.1, cos(angle), 0, sin(angle)), WEFT_HALVING_SPLIT);
            check_no_overlap(&mesh);
            weft_destroy_mesh(&mesh);
        }
    }
}

// A tube ends at the plane along two lines: it goes on across one of them.
static void tubes(void) {
    WeftMesh mesh = centred_grid(16, 6, WEFT_GRID_ALTERNATING);
    for (int v = 0; v < mesh.vertex_count; v++) {
        double angle = 3.14159265358979 * mesh.material[2 * v];
        mesh.positions[3 * v] = v % 17 == 0 || v % 17 == 16 ? 0 : 0.3 * sin(angle);
        mesh.positions[3 * v + 1] = 0.3 * cos(angle);
    }
    mirror(&mesh, x_plane, WEFT_HALVING_SPLIT);
    check_mirrored(&mesh, x_plane, 1);
    CHECK(mesh.material_count == mesh.vertex_count + 7);
    check_no_overlap(&mesh);
    weft_destroy_mesh(&mesh);
}

// How much two flat edges of one edge in space differ is in the strain: both are as long as that.
static void seams(void) {
    for (int i = 0; i < 12; i++) {
        for (int k = 0; k < 2; k++) {
            WeftMesh mesh = disc(0.5, 0.06);
            sew(&mesh);
            double angle = 0.5 * i;
            WeftPlane plane = plane_at(0.01, 0, 0.013, cos(angle), 0, sin(angle));
            mirror(&mesh, plane, halvings[k]);
            check_mirrored(&mesh, plane, 1);
            CHECK(mesh.triangle_material != NULL);
            CHECK_BELOW(strain_of(&mesh), 1e-9);
            weft_destroy_mesh(&mesh);
        }
    }
}

// A straight seam square to the plane is cut between its vertices, or these move along it.
static void seams_stay_straight(void) {
    for (int i = 0; i < 10; i++) {
        WeftMesh mesh = centred_grid(8, 8, WEFT_GRID_ALTERNATING);
        sew(&mesh);
        WeftPlane plane = plane_at(0, 0, 0.0125 * i, 0, 0, 1);
        mirror(&mesh, plane, WEFT_HALVING_SPLIT);
        check_mirrored(&mesh, plane, 1);
        CHECK_BELOW(strain_of(&mesh), 1e-12);
        CHECK_NEAR(total_area(&mesh), 2 * (0.5 - 0.0125 * i), 1e-12);
        int on_seam = 0, corners = 0;
        for (int v = 0; v < mesh.vertex_count; v++) on_seam += mesh.positions[3 * v] == 0;
        for (int v = 0; v < mesh.vertex_count; v++)
            corners += fabs(mesh.positions[3 * v]) == 0.5 && is_on_plane(&mesh, v);
        CHECK(on_seam >= 7 && corners == 2);
        weft_destroy_mesh(&mesh);
    }
}

// ---------------------------------------------------------------------------------------------
// Springs and threads

// A symmetric grid keeps its springs, those across the plane too.
static void springs(void) {
    const WeftGridKind kinds[2] = {WEFT_GRID_CROSSED, WEFT_GRID_CROSSED_TWICE};
    for (int k = 0; k < 2; k++) {
        WeftMesh mesh = centred_grid(8, 8, kinds[k]);
        int count = mesh.spring_count;
        mirror(&mesh, x_plane, WEFT_HALVING_SPLIT);
        check_mirrored(&mesh, x_plane, 1);
        CHECK(mesh.spring_count == count);
        weft_destroy_mesh(&mesh);
        for (int i = 0; i < 10; i++) {
            mesh = centred_grid(7, 8, kinds[k]);
            WeftPlane plane = plane_at(0.01 * i, 0, 0, 1, 0, i == 5 ? 0.3 : 0);
            mirror(&mesh, plane, WEFT_HALVING_SPLIT);
            check_mirrored(&mesh, plane, 1);
            weft_destroy_mesh(&mesh);
        }
    }
}

// Every edge at the plane has its spring: split ones, and those that splitting made.
static void springs_at_the_plane(void) {
    WeftMesh mesh = centred_grid(7, 8, WEFT_GRID_CROSSED);
    mirror(&mesh, x_plane, WEFT_HALVING_SPLIT);
    int missing = 0;
    for (int c = 0; c < 3 * mesh.triangle_count; c++) {
        int a = mesh.triangles[c], b = mesh.triangles[c % 3 == 2 ? c - 2 : c + 1], found = 0;
        for (int i = 0; i < mesh.spring_count; i++)
            found += (mesh.springs[i].a == a && mesh.springs[i].b == b) ||
                     (mesh.springs[i].a == b && mesh.springs[i].b == a);
        missing += found != 1;
    }
    CHECK(missing == 0);
    weft_destroy_mesh(&mesh);
}

static double thread_length(const WeftMesh* mesh, int t) {
    double sum = 0;
    const int* v = mesh->thread_vertices + mesh->threads[t].first;
    for (int i = 0; i + 1 < mesh->threads[t].count; i++) sum += space_between(mesh, v[i], v[i + 1]);
    return sum;
}

// Threads across the plane stay one, also where they are cut.
static void threads(void) {
    for (int columns = 7; columns <= 8; columns++) {
        WeftMesh mesh = centred_grid(columns, 8, WEFT_GRID_WOVEN);
        int count = mesh.thread_count;
        mirror(&mesh, x_plane, WEFT_HALVING_SPLIT);
        check_mirrored(&mesh, x_plane, 1);
        CHECK(mesh.thread_count == count);
        for (int t = 0; t < mesh.thread_count; t++) CHECK_NEAR(thread_length(&mesh, t), 1, 1e-12);
        for (int t = 0; t < 9; t++) CHECK(mesh.threads[t].count == 9);
        weft_destroy_mesh(&mesh);
    }
}

static void ropes(void) {
    WeftRopeDef def = {1, 10};
    for (int i = 0; i <= 10; i++) {
        for (int k = 0; k < 2; k++) {
            WeftMesh mesh;
            double at = 0.5 + 0.01 * i;
            WeftPlane plane = plane_at(at, 3, 0, k ? -1 : 1, 0, 0);
            CHECK(weft_make_rope(&def, NULL, &mesh, NULL) == WEFT_OK);
            mirror(&mesh, plane, WEFT_HALVING_SPLIT);
            check_mirrored(&mesh, plane, 1);
            CHECK(mesh.thread_count == 1 && mesh.threads[0].count == mesh.vertex_count);
            CHECK_NEAR(thread_length(&mesh, 0), k ? 2 * at : 2 - 2 * at, 1e-14);
            weft_destroy_mesh(&mesh);
        }
    }
}

static void set_threads(WeftMesh* mesh, const WeftThread* threads, int count, const int* vertices,
                        int vertex_count) {
    mesh->threads = malloc((size_t)count * sizeof *threads);
    mesh->thread_vertices = malloc((size_t)vertex_count * sizeof *vertices);
    memcpy(mesh->threads, threads, (size_t)count * sizeof *threads);
    memcpy(mesh->thread_vertices, vertices, (size_t)vertex_count * sizeof *vertices);
    mesh->thread_count = count;
    mesh->thread_vertex_count = vertex_count;
}

static const WeftThread band = {.kind = WEFT_THREAD_BAND, .ratio = 0.9, .stretch = 10};

// A closed band that begins anywhere crosses the plane twice, and is one closed band again.
static void closed_bands(void) {
    const int ring[9] = {6, 7, 8, 13, 18, 17, 16, 11, 6};
    for (int start = 0; start < 8; start++) {
        WeftMesh mesh = centred_grid(4, 4, WEFT_GRID_ALTERNATING);
        WeftThread thread = band;
        int turned[9];
        for (int i = 0; i < 9; i++) turned[i] = ring[(start + i) % 8];
        thread.count = 9;
        set_threads(&mesh, &thread, 1, turned, 9);
        mirror(&mesh, x_plane, WEFT_HALVING_SPLIT);
        check_mirrored(&mesh, x_plane, 1);
        CHECK(mesh.thread_count == 1 && mesh.threads[0].count == 9);
        CHECK(mesh.thread_vertices[0] == mesh.thread_vertices[8]);
        CHECK_NEAR(thread_length(&mesh, 0), 2, 1e-14);
        weft_destroy_mesh(&mesh);
    }
}

// On one side: an image. Along the plane: one. To the plane and along it: two pieces.
static void other_bands(void) {
    WeftMesh mesh = centred_grid(4, 4, WEFT_GRID_ALTERNATING);
    WeftThread all[4] = {band, band, band, band};
    const int vertices[13] = {4, 9, 14, 2, 7, 12, 17, 3, 8, 7, 12, 0, 5};
    const int counts[4] = {3, 4, 4, 2};
    for (int t = 0, first = 0; t < 4; first += counts[t++])
        all[t].first = first, all[t].count = counts[t];
    set_threads(&mesh, all, 4, vertices, 13);
    mirror(&mesh, x_plane, WEFT_HALVING_SPLIT);
    check_mirrored(&mesh, x_plane, 1);
    const int expected[5] = {3, 3, 4, 5, 2};  // own, image, along; 3 8 7 8' 3', then 7 12
    CHECK(mesh.thread_count == 5);
    for (int t = 0; t < 5 && t < mesh.thread_count; t++)
        CHECK(mesh.threads[t].count == expected[t] && mesh.threads[t].ratio == 0.9);
    weft_destroy_mesh(&mesh);
}

// ---------------------------------------------------------------------------------------------
// Where things come from

static void maps(void) {
    for (int k = 0; k < 2; k++) {
        WeftMesh mesh = disc(0.5, 0.08), old = disc(0.5, 0.08);
        WeftPlane plane = plane_at(0.01, 0, 0, 1, 0, 0);
        WeftMirrorMap map;
        CHECK(weft_mirror_mesh(&mesh, &plane, halvings[k], &map, NULL) == WEFT_OK);
        CHECK(map.vertex_count == mesh.vertex_count && map.triangle_count == mesh.triangle_count);
        int own = 0, last = -1, cuts = 0;
        for (int v = 0; v < mesh.vertex_count; v++) {
            int a = map.vertices[2 * v], b = map.vertices[2 * v + 1];
            double part = map.parts[v], sign = mesh.positions[3 * v] < 0.01 ? -1 : 1;
            double x[3];
            for (int i = 0; i < 3; i++)
                x[i] = (1 - part) * old.positions[3 * a + i] + part * old.positions[3 * b + i];
            CHECK((a == b) == (part == 0) && part >= 0 && part < 1);
            if (k == 0) CHECK_NEAR(mesh.positions[3 * v], 0.01 + sign * (x[0] - 0.01), 1e-15);
            CHECK_NEAR(mesh.positions[3 * v + 2], x[2], 1e-15);
            own += mesh.images[v] >= v;
            cuts += part > 0.4 && part < 0.6;
            // kept ones in their order: those at cuts come after them
            if (mesh.images[v] > v) CHECK(a > last && a == b);
            if (mesh.images[v] > v) last = a;
            if (mesh.images[v] != v)
                CHECK(map.vertices[2 * mesh.images[v]] == a && part == map.parts[mesh.images[v]]);
        }
        CHECK((cuts > 0) == (k == 0) && own > mesh.vertex_count / 2);
        for (int t = 0; t < map.triangle_count; t++)
            CHECK(map.triangles[t] >= 0 && map.triangles[t] < old.triangle_count &&
                  map.triangles[t] ==
                      map.triangles[(t + map.triangle_count / 2) % map.triangle_count]);
        weft_destroy_mirror_map(&map);
        weft_destroy_mirror_map(&map);
        weft_destroy_mirror_map(NULL);
        weft_destroy_mesh(&mesh);
        weft_destroy_mesh(&old);
    }
}

// ---------------------------------------------------------------------------------------------
// Refusals, memory

static void check_refused(WeftMesh* mesh, WeftPlane plane, const char* message) {
    for (int k = 0; k < 2; k++) {
        WeftMesh before = *mesh;
        WeftError error = {0};
        WeftMirrorMap map = {.vertex_count = 7};
        CHECK(weft_mirror_mesh(mesh, &plane, halvings[k], &map, &error) == WEFT_ERROR_INPUT);
        CHECK_TEXT(error.message, message);
        CHECK(memcmp(mesh, &before, sizeof before) == 0 && map.vertex_count == 0);
    }
    weft_destroy_mesh(mesh);
}

static void refused(void) {
    WeftMesh mesh = centred_grid(4, 4, WEFT_GRID_ALTERNATING);
    check_refused(&mesh, plane_at(0, 0, 0, 0, 0, 0), "the plane of the mirror has no direction");
    mesh = centred_grid(4, 4, WEFT_GRID_ALTERNATING);
    check_refused(&mesh, plane_at(0, NAN, 0, 0, 1, 0),
                  "the plane of the mirror has numbers that are none");
    mesh = centred_grid(4, 4, WEFT_GRID_ALTERNATING);
    check_refused(&mesh, plane_at(0, 0, 0, 0, 1, 0), "triangle 0 lies in the plane of the mirror");
    const char* behind = "nothing lies before the plane of the mirror: turn its normal, or move it";
    mesh = centred_grid(4, 4, WEFT_GRID_ALTERNATING);
    check_refused(&mesh, plane_at(0.5, 0, 0, 1, 0, 0), behind);
    mesh = centred_grid(4, 4, WEFT_GRID_ALTERNATING);
    check_refused(&mesh, plane_at(0, 1, 0, 0, 1, 0), behind);
    mesh = centred_grid(4, 4, WEFT_GRID_ALTERNATING);
    mesh.triangles[4] = 99;
    check_refused(&mesh, x_plane, "triangle 1 names vertex 99, but there are 25");
    // folded, with the fold in the plane
    mesh = centred_grid(4, 4, WEFT_GRID_ALTERNATING);
    for (int v = 0; v < 25; v++) {
        double* x = mesh.positions + 3 * v;
        x[1] = x[0] < 0 ? 0.1 : 0;
        x[0] = fabs(x[0]);
    }
    check_refused(&mesh, x_plane,
                  "triangles 3 and 5 have an edge on the plane of the mirror, and are both before "
                  "it");
}

static void odd_halving(void) {
    WeftMesh mesh = centred_grid(4, 4, WEFT_GRID_ALTERNATING);
    WeftError error = {0};
    CHECK(weft_mirror_mesh(&mesh, &x_plane, (WeftHalving)7, NULL, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "the halving is 7; it must be 0 to 1");
    weft_destroy_mesh(&mesh);
}

// Of any length: squares of these are too large, or none.
static void long_and_short_normals(void) {
    static const double lengths[] = {1e300, 1e-300, 5e-324};
    for (int k = 0; k < 3; k++) {
        WeftMesh mesh = centred_grid(4, 4, WEFT_GRID_ALTERNATING);
        WeftPlane plane = plane_at(0, 0, 0, lengths[k], 0, 0);
        CHECK(!weft_mirror_mesh(&mesh, &plane, WEFT_HALVING_SPLIT, NULL, NULL));
        CHECK(mesh.vertex_count == 25);
        weft_destroy_mesh(&mesh);
    }
}

static bool same_mesh(const WeftMesh* a, const WeftMesh* b) {
    size_t n = (size_t)a->vertex_count, triangles = (size_t)a->triangle_count;
    return a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
           a->spring_count == b->spring_count && a->thread_count == b->thread_count &&
           memcmp(a->positions, b->positions, 3 * n * sizeof(double)) == 0 &&
           memcmp(a->material, b->material, 2 * n * sizeof(double)) == 0 &&
           memcmp(a->triangles, b->triangles, 3 * triangles * sizeof(int)) == 0 && !a->images;
}

// Fails every allocation in turn: an error of memory, and the mesh is what it was.
static void every_allocation(void) {
    const WeftGridKind kinds[2] = {WEFT_GRID_WOVEN, WEFT_GRID_CROSSED};
    for (int k = 0; k < 2; k++) {
        WeftGridDef def = {1, 1, 4, 4, kinds[k]};
        WeftPlane plane = plane_at(0.44, 0, 0, 1, 0, 0);
        bool done = false;
        for (int n = 0; n < 1000 && !done; n++) {
            TestMemory memory = {.fail_at = -1};
            WeftAllocator allocator = test_allocator(&memory);
            WeftMesh mesh, before;
            WeftError error = {0};
            WeftMirrorMap map;
            CHECK(weft_make_grid(&def, &allocator, &mesh, NULL) == WEFT_OK);
            CHECK(weft_make_grid(&def, NULL, &before, NULL) == WEFT_OK);
            memory.fail_at = memory.count + n;
            WeftResult result = weft_mirror_mesh(&mesh, &plane, halvings[n % 2], &map, &error);
            done = memory.count <= memory.fail_at;
            CHECK(result == (done ? WEFT_OK : WEFT_ERROR_MEMORY));
            if (!done) CHECK_TEXT(error.message, "memory");
            CHECK(same_mesh(&mesh, &before) == !done && (map.vertices != NULL) == done);
            weft_destroy_mirror_map(&map);
            weft_destroy_mesh(&mesh);
            weft_destroy_mesh(&before);
            CHECK(memory.live == 0);
        }
        CHECK(done);
    }
}

// Mirrored again, nothing changes but the order.
static void twice(void) {
    WeftMesh mesh = disc(0.5, 0.07);
    WeftPlane plane = plane_at(0.01, 0, 0, 1, 0, 0.4);
    mirror(&mesh, plane, WEFT_HALVING_SPLIT);
    int vertices = mesh.vertex_count, triangles = mesh.triangle_count;
    double area = total_area(&mesh);
    mirror(&mesh, plane, WEFT_HALVING_SPLIT);
    check_mirrored(&mesh, plane, 1);
    CHECK(mesh.vertex_count == vertices && mesh.triangle_count == triangles);
    CHECK_NEAR(total_area(&mesh), area, 1e-14);
    weft_destroy_mesh(&mesh);
}

TEST_MAIN(CASE(through_vertices), CASE(between_vertices), CASE(along_the_warp), CASE(oblique),
          CASE(leaning_planes), CASE(good_triangles), CASE(symmetric_outline), CASE(projected),
          CASE(beside_an_outline), CASE(waves), CASE(small), CASE(rounding), CASE(half_patterns),
          CASE(no_flat_shape), CASE(seams), CASE(flat_images_lie_beside), CASE(tubes),
          CASE(seams_stay_straight), CASE(springs), CASE(springs_at_the_plane), CASE(threads),
          CASE(ropes), CASE(closed_bands), CASE(other_bands), CASE(maps), CASE(refused),
          CASE(odd_halving), CASE(long_and_short_normals), CASE(every_allocation), CASE(twice))

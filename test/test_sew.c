// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards garment/sew.c: patterns of all sorts become one mesh, with one vertex on both sides of
// every seam, faces that go together and the rest shape that was cut; what cannot be sewn is
// refused by the names of its panels.

#include "base/hash.h"
#include "garment_test.h"

// Sew, check all that every garment must be, and return it.
static WeftGarment must_sew(const Kit* kit, double edge, double tolerance) {
    WeftGarment g;
    if (sew(kit, edge, &g)) check_garment(&kit->pattern, &g, tolerance);
    return g;
}

static int euler(const WeftMesh* mesh, int open) {
    int edges = (3 * mesh->triangle_count + open) / 2;
    return mesh->vertex_count - edges + mesh->triangle_count;
}

// The normal of a triangle where it is placed, not of unit length.
static WfVec normal_of(const WeftMesh* mesh, int t) {
    const int* v = mesh->triangles + 3 * (long)t;
    WfVec a = wf_load(mesh->positions, v[0]);
    return wf_cross(wf_sub(wf_load(mesh->positions, v[1]), a),
                    wf_sub(wf_load(mesh->positions, v[2]), a));
}

// A triangle of a panel none of whose corners is sewn.
static int free_triangle(const WeftGarment* g, int panel) {
    for (int t = 0; t < g->mesh.triangle_count; t++) {
        bool sewn = g->panels[t] != panel;
        for (int i = 0; i < g->seam_start[g->seam_count] && !sewn; i++)
            for (int k = 0; k < 3; k++)
                sewn = sewn || g->mesh.triangles[3 * t + k] == g->seam_vertices[i];
        if (!sewn) return t;
    }
    CHECK(!"found");
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Shapes

static void a_tube(void) {
    static const double edges[5] = {0.1, 0.05, 0.02, 0.01, 0.005};
    for (int i = 0; i < (test_slow() ? 5 : 4); i++) {
        Kit* kit = make_tube_kit(0.5, 0.6, 0.3, 0.2);
        WeftGarment g = must_sew(kit, edges[i], 1e-12);
        int around = 2 * (int)(0.5 / edges[i] + 0.5), open = check_halves(&g.mesh);
        CHECK(open == 2 * around);
        CHECK(euler(&g.mesh, open) == 0);
        CHECK(seam_size(&g, 0) == (int)(0.6 / edges[i] + 0.5) + 1);
        // fronts are outside, and seams half-way between their sides
        CHECK(normal_of(&g.mesh, free_triangle(&g, 0)).z > 0);
        CHECK(normal_of(&g.mesh, free_triangle(&g, 1)).z < 0);
        for (int k = g.seam_start[0]; k < g.seam_start[1]; k++) {
            const double* x = g.mesh.positions + 3L * g.seam_vertices[k];
            CHECK_NEAR(x[0], 0.25, 1e-12);
            CHECK_NEAR(x[2], 0, 1e-12);
        }
        weft_destroy_garment(&g);
        free(kit);
    }
}

// One panel, one of its sides sewn to the other.
static void a_tube_of_one_panel(void) {
    Kit* kit = open_kit();
    WeftPanel* panel = add_rectangle(kit, "sleeve", 0.4, 0.5);
    add_seam(kit, 0, 1, 0, 3);
    for (int curled = 0; curled < 2; curled++) {
        panel->place.curl = curled * 0.4 / (2 * TEST_PI);
        WeftGarment g = must_sew(kit, 0.04, 1e-12);
        int open = check_halves(&g.mesh);
        CHECK(open == 20 && euler(&g.mesh, open) == 0);
        CHECK(!g.seam_same[0]);
        CHECK(g.mesh.material_count == g.mesh.vertex_count + seam_size(&g, 0));
        weft_destroy_garment(&g);
    }
    free(kit);
}

// Rolled up, every point is on the cylinder, edges are as long as at rest but for their chords, and
// the seam is closed.
static void curl(void) {
    Kit* kit = open_kit();
    double r = 0.4 / (2 * TEST_PI);
    WeftPanel* panel = add_rectangle(kit, "sleeve", 0.4, 0.5);
    panel->place.curl = r;
    place_panel(panel, 0.1, 0.2, 0.3, 0);
    add_seam(kit, 0, 1, 0, 3);
    WeftGarment g = must_sew(kit, 0.02, 1e-12);
    for (int v = 0; v < g.mesh.vertex_count; v++) {
        const double* x = g.mesh.positions + 3L * v;
        CHECK_NEAR(hypot(x[0] - 0.1, x[2] - 0.3 + r), r, 1e-12);
        CHECK(x[1] > 0.2 - 1e-12 && x[1] < 0.7 + 1e-12);
    }
    WfVec front = {0.1, 0.45, 0.3};
    for (int t = 0; t < g.mesh.triangle_count; t++) {
        WfVec at = wf_load(g.mesh.positions, g.mesh.triangles[3 * t]), n = normal_of(&g.mesh, t);
        if (wf_length(wf_sub(at, front)) < 0.04) CHECK(n.z > 0);
        CHECK(wf_length(n) / 2 > 0.9 * material_area(&g.mesh, g.mesh.material, t));
    }
    weft_destroy_garment(&g);
    // in front of it
    panel->place.curl = -r;
    g = must_sew(kit, 0.02, 1e-12);
    double most = 0;
    for (int v = 0; v < g.mesh.vertex_count; v++) most = fmax(most, g.mesh.positions[3 * v + 2]);
    CHECK_NEAR(most, 0.3 + 2 * r, 1e-3);
    weft_destroy_garment(&g);
    free(kit);
}

// A wedge is cut out of a side and closed: the two sides of the wedge share their tip.
static void dart(void) {
    Kit* kit = open_kit();
    const double points[7][2] = {{0.18, 0},  {0.2, 0.15}, {0.22, 0}, {0.4, 0},
                                 {0.4, 0.4}, {0, 0.4},    {0, 0}};
    WeftPanel* panel = add_panel(kit, "front", 7, points);
    add_seam(kit, 0, 1, 0, 2);
    for (int ends = 0; ends < 2; ends++) {
        kit->seams[0].ends = ends ? WEFT_SEAM_OPPOSITE : WEFT_SEAM_AUTO;
        for (int over = 0; over < 2; over++) {
            WeftGarment g = must_sew(kit, 0.03, 1e-12);
            int open = check_halves(&g.mesh);
            CHECK(euler(&g.mesh, open) == 1);
            CHECK(!g.seam_same[0]);
            CHECK(g.mesh.material_count == g.mesh.vertex_count + seam_size(&g, 0) - 1);
            weft_destroy_garment(&g);
            turn_over(panel);
            kit->names[0].side = 6 - kit->names[0].side;
            kit->names[1].side = 6 - kit->names[1].side;
        }
    }
    free(kit);
}

// Curves that differ, so that one side eases onto the other.
static void curved_seams(void) {
    Kit* kit = open_kit();
    WeftPanel* top = add_rectangle(kit, "top", 0.4, 0.3);
    WeftPanel* low = add_rectangle(kit, "low", 0.4, 0.3);
    curve_side(top, 0, 0.05, -0.1);
    curve_side(low, 2, -0.05, 0.4);
    place_panel(low, 0, -0.35, 0, 0);
    add_seam(kit, 0, 0, 1, 2);
    for (int i = 0; i < 3; i++) {
        WeftGarment g = must_sew(kit, 0.05 / (1 << i), 0.01 / (1 << i));
        CHECK(euler(&g.mesh, check_halves(&g.mesh)) == 1);
        weft_destroy_garment(&g);
    }
    free(kit);
}

static void ease(void) {
    Kit* kit = open_kit();
    add_rectangle(kit, "cuff", 0.2, 0.05);
    place_panel(add_rectangle(kit, "sleeve", 0.4, 0.5), 0, -0.6, 0, 0);
    add_seam(kit, 0, 0, 1, 2);
    WeftGarment g = must_sew(kit, 0.02, 1e-12);
    CHECK(seam_size(&g, 0) == 21);
    weft_destroy_garment(&g);
    free(kit);
}

static void chain_across_panels(void) {
    Kit* kit = open_kit();
    add_rectangle(kit, "left", 0.3, 0.4);
    place_panel(add_rectangle(kit, "right", 0.25, 0.4), 0.3, 0, 0, 0);
    place_panel(add_rectangle(kit, "below", 0.5, 0.2), 0.15, -0.25, 0, 0);
    const WeftSideName two[2] = {{0, 0}, {1, 0}}, one[1] = {{2, 2}};
    add_seam(kit, 0, 1, 1, 3);
    add_chains(kit, 2, two, 1, one);
    WeftGarment g = must_sew(kit, 0.03, 1e-12);
    CHECK(euler(&g.mesh, check_halves(&g.mesh)) == 1);
    weft_destroy_garment(&g);
    free(kit);
}

static void holes(void) {
    static const WeftSide hole[2] = {{.end = {-0.05, 0.3}, .bulge = 1},
                                     {.end = {0.05, 0.3}, .bulge = 1}};
    WeftLoop loop = {2, hole};
    Kit* kit = make_tube_kit(0.5, 0.6, 0, 0.2);
    kit->panels[1].holes = &loop;
    kit->panels[1].hole_count = 1;
    WeftGarment g = must_sew(kit, 0.02, 1e-3);
    CHECK(euler(&g.mesh, check_halves(&g.mesh)) == -1);
    weft_destroy_garment(&g);
    free(kit);
}

// Sides of 2 mm at the corners, as where a seam allowance was cut; with edges up to 10 cm.
static void short_sides(void) {
    static const double edges[4] = {0.005, 0.02, 0.05, 0.1};
    for (int i = 0; i < 4; i++) {
        Kit* kit = open_kit();
        const double a[6][2] = {{0.4, 0}, {0.4, 0.498}, {0.4, 0.5}, {0, 0.5}, {0, 0.002}, {0, 0}};
        add_panel(kit, "a", 6, a);
        place_panel(add_rectangle(kit, "b", 0.4, 0.5), 0.2, 0, -0.2, 180);
        const WeftSideName right[2] = {{0, 1}, {0, 2}}, left[2] = {{0, 4}, {0, 5}};
        const WeftSideName b3[1] = {{1, 3}}, b1[1] = {{1, 1}};
        add_chains(kit, 2, right, 1, b3);
        add_chains(kit, 2, left, 1, b1);
        WeftGarment g = must_sew(kit, edges[i], 1e-12);
        int open = check_halves(&g.mesh);
        CHECK(euler(&g.mesh, open) == 0);
        weft_destroy_garment(&g);
        free(kit);
    }
}

// ---------------------------------------------------------------------------------------------
// Many panels

// A ring of gores with as many tiers below each other; every second gore may be turned over.
static Kit* make_tiers(int around, int tiers, bool turned) {
    Kit* kit = open_kit();
    for (int i = 0; i < tiers; i++) {
        double r = 0.2 + 0.05 * i, width = 2 * r * tan(TEST_PI / around);
        for (int k = 0; k < around; k++) {
            char name[64];
            double angle = 2 * TEST_PI * k / around;
            snprintf(name, sizeof name, "gore %d of tier %d", k, i);
            WeftPanel* panel = add_rectangle(kit, name, width, 0.2);
            place_panel(panel, 1.1 * r * sin(angle), 1 - 0.22 * i, 1.1 * r * cos(angle),
                        angle * 180 / TEST_PI);
            if (turned && k % 2) turn_over(panel);
        }
    }
    for (int i = 0; i < tiers; i++) {
        for (int k = 0; k < around; k++) {
            int next = (k + 1) % around, a = i * around + k, b = i * around + next;
            // turned over, side s of four is side 3 - s
            int right = turned && k % 2 ? 2 : 1, left = turned && next % 2 ? 0 : 3;
            add_seam(kit, a, right, b, left);
            int below = turned && k % 2 ? 3 : 0, above = turned && k % 2 ? 1 : 2;
            if (i + 1 < tiers) add_seam(kit, a, below, a + around, above);
        }
    }
    return kit;
}

static void from_3_to_60_panels(void) {
    static const int sizes[4][2] = {{3, 1}, {4, 3}, {8, 4}, {12, 5}};
    for (int i = 0; i < 4; i++) {
        Kit* kit = make_tiers(sizes[i][0], sizes[i][1], false);
        WeftGarment g = must_sew(kit, i < 3 ? 0.03 : 0.05, 1e-12);
        CHECK(euler(&g.mesh, check_halves(&g.mesh)) == 0);
        weft_destroy_garment(&g);
        free(kit);
    }
}

// Panels whose sides run clockwise are sewn as they lie; all faces go together.
static void turned_panels(void) {
    Kit* kit = make_tiers(6, 2, true);
    WeftGarment g = must_sew(kit, 0.05, 1e-12);
    int out = 0;
    for (int t = 0; t < g.mesh.triangle_count; t++) {
        WfVec n = normal_of(&g.mesh, t), x = wf_load(g.mesh.positions, g.mesh.triangles[3 * t]);
        out += n.x * x.x + n.z * x.z > 0;
    }
    CHECK(out > 0.9 * g.mesh.triangle_count);
    weft_destroy_garment(&g);
    free(kit);
    // the first panel says which face is the front
    kit = make_tube_kit(0.5, 0.6, 0, 0.2);
    turn_over(&kit->panels[0]);
    kit->names[0].side = 2, kit->names[2].side = 0;
    g = must_sew(kit, 0.05, 1e-12);
    CHECK(normal_of(&g.mesh, free_triangle(&g, 0)).z < 0);
    CHECK(normal_of(&g.mesh, free_triangle(&g, 1)).z > 0);
    weft_destroy_garment(&g);
    free(kit);
}

// ---------------------------------------------------------------------------------------------
// Ends

static void ends_are_obeyed(void) {
    static const WeftSeamEnds ends[3] = {WEFT_SEAM_AUTO, WEFT_SEAM_OPPOSITE, WEFT_SEAM_SAME};
    for (int i = 0; i < 3; i++) {
        Kit* kit = open_kit();
        add_rectangle(kit, "a", 0.4, 0.4);
        place_panel(add_rectangle(kit, "b", 0.3, 0.4), 0.4, 0, 0, 0);
        WeftSeam* seam = add_seam(kit, 0, 1, 1, 3);
        seam->ends = ends[i];
        seam->right_wrong = i == 2;
        WeftGarment g = must_sew(kit, 0.05, 1e-12);
        CHECK(g.seam_same[0] == (ends[i] == WEFT_SEAM_SAME));
        // the first vertex is at the lower end of a; on b that is the lower end as well, or the
        // upper one
        double low = g.mesh.positions[3L * g.seam_vertices[0] + 1];
        CHECK_NEAR(low, i == 2 ? 0.2 : 0, 1e-12);
        // with the same ends together, fronts go on as backs
        double a = normal_of(&g.mesh, free_triangle(&g, 0)).z;
        double b = normal_of(&g.mesh, free_triangle(&g, 1)).z;
        CHECK(i == 2 ? a * b < 0 : a * b > 0);
        weft_destroy_garment(&g);
        free(kit);
    }
}

// ---------------------------------------------------------------------------------------------
// Cloth

// By default the warp, u of the material, runs up the panel; grain turns it counter-clockwise.
static void grain(void) {
    static const double grains[4] = {0, 30, -90, 200};
    for (int i = 0; i < 4; i++) {
        for (int over = 0; over < 2; over++) {
            Kit* kit = make_tube_kit(0.5, 0.6, 0, 0.2);
            kit->panels[1].grain = grains[i];
            if (over) {
                turn_over(&kit->panels[1]);
                kit->names[1].side = 0, kit->names[3].side = 2;
            }
            WeftGarment g = must_sew(kit, 0.1, 1e-12);
            double turn = grains[i] * TEST_PI / 180, off = 0;
            for (int m = 0; m < g.mesh.material_count; m++) {
                if (g.material_panel[m] != 1) continue;
                const double* f = g.material_flat + 2L * m;
                // along the warp, and to the right of it as seen on the front
                double along = -sin(turn) * f[0] + cos(turn) * f[1];
                double aside = -cos(turn) * f[0] - sin(turn) * f[1];
                off = fmax(off, fabs(g.mesh.material[2 * m] - along));
                off = fmax(off, fabs(g.mesh.material[2 * m + 1] - aside));
            }
            CHECK_BELOW(off, 1e-12);
            weft_destroy_garment(&g);
            free(kit);
        }
    }
}

static void bands(void) {
    Kit* kit = make_tube_kit(0.5, 0.6, 0, 0.2);
    label_side(&kit->panels[0], 2, "waist");
    label_side(&kit->panels[1], 2, "waist");
    label_side(&kit->panels[0], 0, "hem");
    add_hold(kit, "hem", WEFT_HOLD_ALWAYS);
    add_hold(kit, "waist", WEFT_HOLD_BAND);
    WeftGarment g = must_sew(kit, 0.05, 1e-12);
    const WeftMesh* mesh = &g.mesh;
    CHECK(mesh->thread_count == 2 && mesh->thread_vertex_count == 22);
    for (int i = 0; i < mesh->thread_count; i++) {
        const WeftThread* thread = &mesh->threads[i];
        CHECK(thread->kind == WEFT_THREAD_BAND && thread->count == 11);
        CHECK(thread->ratio == 0.8 && thread->stretch == 60);
        int side = g.first_side[i] + 2;
        for (int k = 0; k < thread->count; k++)
            CHECK(mesh->thread_vertices[thread->first + k] ==
                  g.side_vertices[g.side_start[side] + k]);
    }
    weft_destroy_garment(&g);
    free(kit);
}

static void folds(void) {
    Kit* kit = make_tube_kit(0.5, 0.6, 0, 0.2);
    kit->seams[1].fold = true;
    WeftGarment g = must_sew(kit, 0.05, 1e-12);
    const WeftMesh* mesh = &g.mesh;
    CHECK(mesh->thread_count == 1 && mesh->threads[0].kind == WEFT_THREAD_FOLD);
    CHECK(mesh->threads[0].count == g.seam_start[2] - g.seam_start[1]);
    for (int k = 0; k < mesh->threads[0].count; k++)
        CHECK(mesh->thread_vertices[k] == g.seam_vertices[g.seam_start[1] + k]);
    weft_destroy_garment(&g);
    free(kit);
}

// Panels that are sewn to nothing are part of the garment, too.
static void loose_panels(void) {
    Kit* kit = make_tube_kit(0.5, 0.6, 0, 0.2);
    place_panel(add_rectangle(kit, "pocket", 0.1, 0.1), 0, 0.3, 0.3, 0);
    WeftGarment g = must_sew(kit, 0.05, 1e-12);
    CHECK(euler(&g.mesh, check_halves(&g.mesh)) == 1);
    weft_destroy_garment(&g);
    free(kit);
}

// ---------------------------------------------------------------------------------------------
// What is refused

static void moebius_strip(void) {
    Kit* kit = open_kit();
    add_rectangle(kit, "strip", 0.6, 0.1);
    add_seam(kit, 0, 1, 0, 3)->ends = WEFT_SEAM_SAME;
    refuse_kit(kit, 0.03,
               "the seam of side 1 of panel \"strip\" and side 3 of panel \"strip\" twists the "
               "garment");
    free(kit);
}

// Of two seams, one with the wrong ends: it was always the other one that was blamed, and its sides
// had the numbers of the repaired pattern.
static void guilty_seams(void) {
    static const char* const words[2] = {
        "the seam of side 4 of panel \"front\" and side \"left\" of panel \"back\" twists the "
        "garment: its cloth would have one face only; the ends that it brings together",
        "the seam of side 7 of panel \"front\" and side 1 of panel \"back\" twists the garment"};
    for (int wrong = 0; wrong < 2; wrong++) {
        Kit* kit = make_tube_kit(0.5, 0.3, 0, 0.2);
        kit->seams[wrong].ends = WEFT_SEAM_SAME;
        kit->panels[0].sides[1].number = 5, kit->panels[0].sides[3].number = 8;
        strcpy(kit->panels[1].sides[3].name, "left");
        refuse_kit(kit, 0.03, words[wrong]);
        free(kit);
    }
}

static WeftFindings find_kit(Kit* kit) {
    WeftFindings findings = {0};
    WeftGarment g;
    CHECK(weft_sew_pattern(&kit->pattern, 0.03, NULL, &g, &findings, NULL) == WEFT_OK);
    weft_destroy_garment(&g);
    return findings;
}

// A tailor would ask: where nothing says which way round, and where the pattern says the way round
// in which panels are further apart.
static void doubtful_seams(void) {
    Kit* kit = make_tube_kit(0.5, 0.4, 0, 0.1);
    WeftFindings findings = find_kit(kit);
    CHECK(findings.count == 0);
    kit->seams[1].ends = kit->seams[0].ends = WEFT_SEAM_SAME;
    findings = find_kit(kit);
    if (CHECK(findings.count == 2))
        CHECK_TEXT(findings.lines[1],
                   "the seam of side 3 of panel \"front\" and side 1 of panel \"back\": what its "
                   "\"ends\" bring together starts 254 mm apart; the other way round, 100 mm");
    weft_destroy_findings(&findings);
    free(kit);
    // one such seam is settled by the other, but not both
    kit = make_tube_kit(0.5, 0.1, 0, 0.2);
    findings = find_kit(kit);
    if (CHECK(findings.count == 1))
        CHECK_TEXT(findings.lines[0],
                   "the seam of side 1 of panel \"front\" and side 3 of panel \"back\" closes as "
                   "well either way round: it joins opposite ends; \"ends\": \"opposite\" in the "
                   "file keeps that, \"same\" turns it");
    weft_destroy_findings(&findings);
    kit->seams[0].turned = true;  // in its file, it is the other way round
    findings = find_kit(kit);
    if (CHECK(findings.count == 1))
        CHECK_TEXT(findings.lines[0], "it joins same ends; \"ends\": \"same\" in the file keeps");
    weft_destroy_findings(&findings);
    kit->seams[1].ends = WEFT_SEAM_OPPOSITE;
    findings = find_kit(kit);
    CHECK(findings.count == 0);
    free(kit);
}

static void three_panels_on_one_line(void) {
    Kit* kit = open_kit();
    add_rectangle(kit, "a", 0.3, 0.3);
    place_panel(add_rectangle(kit, "b", 0.3, 0.3), 0.4, 0, 0, 0);
    place_panel(add_rectangle(kit, "c", 0.3, 0.3), 0.2, 0, 0.2, 90);
    add_seam(kit, 0, 1, 1, 3);
    add_seam(kit, 0, 1, 2, 3);
    refuse_kit(kit, 0.05, "panels \"a\", \"b\" and \"c\" are sewn along one line");
    free(kit);
}

// A strap whose two long sides are sewn to each other, narrower than an edge.
static void too_narrow(void) {
    Kit* kit = open_kit();
    add_rectangle(kit, "strap", 0.02, 0.5);
    add_seam(kit, 0, 1, 0, 3);
    refuse_kit(kit, 0.05, "panel \"strap\" is sewn to itself across a single triangle");
    WeftGarment g = must_sew(kit, 0.006, 1e-12);
    weft_destroy_garment(&g);
    free(kit);
}

static void bad_numbers(void) {
    Kit* kit = make_tube_kit(0.5, 0.6, 0, 0.2);
    refuse_kit(kit, 0, "an edge of 0 m is not a length");
    refuse_kit(kit, -1, "an edge of -1 m is not a length");
    refuse_kit(kit, NAN, "is not a length");
    refuse_kit(kit, INFINITY, "is not a length");
    refuse_kit(kit, 1e-6, "panel \"front\": ");
    kit->pattern.panel_count = 0;
    kit->pattern.seam_count = 0;
    refuse_kit(kit, 0.05, "the pattern has no panels");
    free(kit);
    // outlines that repair would have refused
    kit = open_kit();
    const double crossed[4][2] = {{1, 0}, {0, 1}, {1, 1}, {0, 0}};
    add_panel(kit, "bow", 4, crossed);
    refuse_kit(kit, 0.05, "panel \"bow\": ");
    free(kit);
    weft_destroy_garment(NULL);
}

// ---------------------------------------------------------------------------------------------

static uint64_t hash_garment(const WeftGarment* g) {
    const WeftMesh* mesh = &g->mesh;
    uint64_t hash = wf_hash(1, mesh->positions, 3 * (size_t)mesh->vertex_count * sizeof(double));
    hash = wf_hash(hash, mesh->material, 2 * (size_t)mesh->material_count * sizeof(double));
    hash = wf_hash(hash, mesh->triangles, 3 * (size_t)mesh->triangle_count * sizeof(int));
    return wf_hash(hash, g->seam_vertices, (size_t)g->seam_start[g->seam_count] * sizeof(int));
}

static void same_bits_twice(void) {
    Kit* kit = make_tiers(8, 2, true);
    WeftGarment a = must_sew(kit, 0.03, 1e-12), b = must_sew(kit, 0.03, 1e-12);
    CHECK(hash_garment(&a) == hash_garment(&b));
    weft_destroy_garment(&a);
    weft_destroy_garment(&b);
    free(kit);
}

static void every_allocation(void) {
    Kit* kit = make_tube_kit(0.2, 0.2, 0, 0.2);
    label_side(&kit->panels[0], 2, "waist");
    add_hold(kit, "waist", WEFT_HOLD_BAND);
    WeftResult result = WEFT_ERROR_MEMORY;
    int n = 1;
    for (; result && n < 10000; n++) {
        Counting counting = {.fail_at = n};
        WeftAllocator allocator = counting_allocator(&counting);
        WeftGarment g;
        kit_error = (WeftError){0};
        result = weft_sew_pattern(&kit->pattern, 0.1, &allocator, &g, NULL, &kit_error);
        if (result) CHECK(result == WEFT_ERROR_MEMORY && counting.live == 0);
        if (result) CHECK_TEXT(kit_error.message, "memory");
        weft_destroy_garment(&g);
        CHECK(counting.live == 0);
    }
    CHECK(result == WEFT_OK && n > 60);
    free(kit);
}

TEST_MAIN(CASE(a_tube), CASE(a_tube_of_one_panel), CASE(curl), CASE(dart), CASE(curved_seams),
          CASE(ease), CASE(chain_across_panels), CASE(holes), CASE(short_sides),
          CASE(from_3_to_60_panels), CASE(turned_panels), CASE(ends_are_obeyed), CASE(grain),
          CASE(bands), CASE(folds), CASE(loose_panels), CASE(moebius_strip), CASE(guilty_seams),
          CASE(doubtful_seams), CASE(three_panels_on_one_line), CASE(too_narrow), CASE(bad_numbers),
          CASE(same_bits_twice), CASE(every_allocation))

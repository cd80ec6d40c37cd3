// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards starts that have no sides (contact/apart.c): cloth in one plane with cloth, ropes, folds
// or faces of bodies is told apart, by next to nothing, and never crosses from the first step on.
// (Two grids in one plane once ended in a heap overflow; a rope in a sheet flew apart.)

#include "contact/apart.h"
#include "contact/defend.h"
#include "contact/feature.h"
#include "contact_test.h"
#include "sim/state.h"
#include "touch.h"

static const double SIZE = 0.45, THICKNESS = 1e-3;
enum { STEPS = 15 };

// ---------------------------------------------------------------------------------------------
// What every such start must do

// Vertices are moved by less than `bound` of the thickness to be told apart, and nothing touches
// then. The bodies of the state's world are at their place: none moves.
static void check_told(const Touch* t, double bound) {
    WeftState* state = NULL;
    CHECK(weft_create_state(t->model, &state, NULL) == WEFT_OK);
    int n = weft_vertex_count(t->model);
    double* start = malloc(3 * (size_t)n * sizeof *start);
    memcpy(start, state->x, 3 * (size_t)n * sizeof *start);
    CHECK(weft_step(state, &t->step) == WEFT_OK);
    memcpy(state->x, start, 3 * (size_t)n * sizeof *start);
    memset(state->v, 0, 3 * (size_t)n * sizeof *start);
    memset(state->v1, 0, 3 * (size_t)n * sizeof *start);
    wf_world_begin(&state->world, state->x, state->v, t->step.dt);
    CHECK(wf_tell_apart(&state->world, state->x, true) == 0);
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, wf_length(wf_sub(wf_load(state->x, i), wf_load(start, i))));
    CHECK(most > 0);
    CHECK_BELOW(most, bound * THICKNESS);
    CHECK(wf_tell_apart(&state->world, state->x, true) == 0);
    free(start);
    weft_destroy_state(state);
}

static uint64_t take_steps(Touch* t, int steps) {
    int most = 20 * weft_vertex_count(t->model);
    for (int k = 0; k < steps; k++) {
        if (!touch_step(t)) break;
        const WeftStepReport* report = weft_report(t->state);
        CHECK(touch_is_finite(t));
        CHECK(touch_crossings(t) == 0);
        CHECK(report->tangles <= 0 && report->unstopped == 0);
        CHECK_BELOW(report->impacts, most);
    }
    WeftMeasure measure = touch_measure(t);
    CHECK_BELOW(measure.max_stretch, 1.5);
    CHECK_BELOW(measure.max_speed, 5);
    return weft_hash_state(t->state);
}

// Opened, stepped, and once more: the same bits.
static void stays_apart(Touch* t, int steps) {
    touch_open(t);
    check_told(t, 2e-3);
    uint64_t first = take_steps(t, steps);
    touch_shut(t);
    touch_open(t);
    for (int k = 0; k < steps; k++) touch_step(t);
    CHECK(weft_hash_state(t->state) == first);
    touch_close(t);
}

// ---------------------------------------------------------------------------------------------
// Two sheets in one plane

static Touch two_sheets(int cells, int others, double dx, double dz) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    touch_sheet(&t, SIZE, cells, 0, 1, 0);
    touch_sheet(&t, SIZE, others, dx, 1, dz);
    touch_pin(&t, 0, 0);
    touch_pin(&t, 0, cells);
    touch_pin(&t, 1, 0);
    touch_pin(&t, 1, others);
    return t;
}

static void in_one_plane(void) {
    Touch t = two_sheets(7, 8, 0.177, 0.265);
    stays_apart(&t, STEPS);
}

static void anywhere_in_one_plane(void) {
    random_state = 1;
    for (int k = 0; k < 12; k++) {
        int before = test_failures;
        double dx = 0.8 * SIZE * (random_unit() - 0.5), dz = 0.8 * SIZE * (random_unit() - 0.5);
        int cells = 3 + (int)(5 * random_unit()), others = 3 + (int)(5 * random_unit());
        char name[100];
        snprintf(name, sizeof name, "%d and %d cells, moved by %g, %g", cells, others, dx, dz);
        Touch t = two_sheets(cells, others, dx, dz);
        stays_apart(&t, 6);
        touch_say(before, "one plane", name);
    }
}

// Vertices on vertices, on edges, in the middle of triangles.
static void on_a_lattice(void) {
    static const double shifts[][2] = {{0, 0},   {1, 0},     {2, -1},     {0.5, 0},
                                       {0, 0.5}, {0.5, 0.5}, {1.5, -0.5}, {0.25, 0.25}};
    for (size_t k = 0; k < sizeof shifts / sizeof *shifts; k++) {
        int before = test_failures;
        char name[100];
        snprintf(name, sizeof name, "moved by %g, %g cells", shifts[k][0], shifts[k][1]);
        double cell = SIZE / 5;
        Touch t = two_sheets(5, 5, shifts[k][0] * cell, shifts[k][1] * cell);
        // a pin on a pin could not be told apart
        t.cloths[1].pin_count = 0;
        stays_apart(&t, 6);
        touch_say(before, "lattice", name);
    }
}

// The later one lies above.
static void later_above(void) {
    Touch t = two_sheets(5, 6, 0.03, 0.02);
    t.cloths[0].pin_count = t.cloths[1].pin_count = 0;
    touch_open(&t);
    for (int k = 0; k < 5; k++) touch_step(&t);
    CHECK_BELOW(touch_mean(&t, 0, (WfVec){0, 1, 0}), touch_mean(&t, 1, (WfVec){0, 1, 0}));
    touch_close(&t);
}

static void with_every_method(void) {
    for (int w = 0; w < TOUCH_WAYS; w++) {
        int before = test_failures;
        Touch t = two_sheets(4, 5, 0.1, 0.07);
        touch_use(&t, &touch_ways[w]);
        stays_apart(&t, 5);
        touch_say(before, touch_ways[w].name, "one plane");
    }
}

// ---------------------------------------------------------------------------------------------
// Ropes, panels, folds

static void rope_in_a_sheet(void) {
    static const double at[][2] = {{0.013, 0.02}, {0, 0}, {0.03, 0.05}};
    for (int k = 0; k < 3; k++) {
        Touch t = touch_def(WEFT_CONTACT_ALL);
        touch_sheet(&t, 0.5, 8, 0, 1, 0);
        touch_rope(&t, 0.6, 12, at[k][0], 1, at[k][1]);
        const int corners[4] = {0, 8, 72, 80};
        for (int i = 0; i < 4; i++) touch_pin(&t, 0, corners[i]);
        stays_apart(&t, STEPS);
    }
}

// Two ropes that cross at vertices, and between them.
static void crossed_ropes(void) {
    for (int k = 0; k < 2; k++) {
        Touch t = touch_def(WEFT_CONTACT_ALL);
        touch_rope(&t, 0.4, 8 + k, 0, 1, 0);
        touch_rope(&t, 0.4, 8, 0, 1, 0);
        for (int i = 0; i < t.meshes[1].vertex_count; i++) {
            double* p = t.meshes[1].positions + 3 * i;
            p[2] = p[0];
            p[0] = 0;
        }
        stays_apart(&t, STEPS);
    }
}

// One mesh of two panels, the second moved over the first.
static void panels_of_one_cloth(void) {
    static const double shifts[][2] = {{0.3, 0.1}, {0.27, 0}, {0.3, 0.05}};
    enum { CELLS = 11, ROWS = 5, ROW = CELLS + 1 };
    for (int k = 0; k < 3; k++) {
        Touch t = touch_def(WEFT_CONTACT_ALL);
        WeftGridDef grid = {0.55, 0.25, CELLS, ROWS, WEFT_GRID_ALTERNATING};
        WeftMesh* mesh = &t.meshes[t.def.cloth_count++];
        CHECK(weft_make_grid(&grid, NULL, mesh, NULL) == WEFT_OK);
        int kept = 0;  // without the column in the middle
        for (int i = 0; i < mesh->triangle_count; i++) {
            int* v = mesh->triangles + 3 * i;
            int right = (v[0] % ROW > 5) + (v[1] % ROW > 5) + (v[2] % ROW > 5);
            if (right == 1 || right == 2) continue;
            memmove(mesh->triangles + 3 * kept++, v, 3 * sizeof *v);
        }
        mesh->triangle_count = kept;
        for (int i = 0; i < mesh->vertex_count; i++) {
            if (i % ROW <= 5) continue;
            mesh->positions[3 * i] -= shifts[k][0];
            mesh->positions[3 * i + 2] += shifts[k][1];
        }
        t.cloths[0] = weft_default_cloth_def();
        weft_use_mesh(&t.cloths[0], mesh);
        touch_pin(&t, 0, 0);
        stays_apart(&t, STEPS);
    }
}

// Along a line of the mesh: in its middle, beside it, along its diagonal.
static void folded_flat(void) {
    enum { CELLS = 6 };
    for (int way = 0; way < 3; way++) {
        int before = test_failures;
        Touch t = touch_def(WEFT_CONTACT_ALL);
        touch_sheet(&t, SIZE, CELLS, 0, 1, 0);
        double line = way == 1 ? SIZE / CELLS : 0;
        for (int i = 0; i < t.meshes[0].vertex_count; i++) {
            double *p = t.meshes[0].positions + 3 * i, x = p[0], z = p[2];
            if (way < 2 && x > line) p[0] = 2 * line - x;
            if (way == 2 && x > -z) p[0] = -z, p[2] = -x;
        }
        stays_apart(&t, STEPS);
        touch_say(before, "fold", way == 0 ? "middle" : way == 1 ? "beside" : "diagonal");
    }
}

// ---------------------------------------------------------------------------------------------
// Bodies, and sheets that stand on sheets

static void in_a_face(void) {
    for (int k = 0; k < 2; k++) {
        Touch t = touch_def(WEFT_CONTACT_ALL);
        touch_sheet(&t, SIZE, 7, 0.03 * k, 0.5, 0.02 * k);
        WeftBodyDef* box = touch_body(&t, WEFT_BODY_BOX, 0, 0.35, 0);
        for (int c = 0; c < 3; c++) box->size[c] = 0.3;
        stays_apart(&t, STEPS);
    }
    // in the plane of a side: it comes to lie before it
    Touch t = touch_def(WEFT_CONTACT_ALL);
    touch_sheet(&t, SIZE, 7, 0.01, 0.35, 0.02);
    touch_upright(&t, 0.35, 0.15);
    touch_pin(&t, 0, 0);
    touch_pin(&t, 0, 7);
    WeftBodyDef* box = touch_body(&t, WEFT_BODY_BOX, 0, 0.35, 0);
    for (int c = 0; c < 3; c++) box->size[c] = 0.3;
    stays_apart(&t, STEPS);
}

// Cloth back at the start of a first step.
static WfWorld* begin_again(const Touch* t) {
    WeftState* state = t->state;
    CHECK(weft_step(state, &t->step) == WEFT_OK);
    for (int k = 0; k < t->def.cloth_count; k++)
        memcpy(state->x + 3 * weft_first_vertex(t->model, k), t->meshes[k].positions,
               3 * (size_t)t->meshes[k].vertex_count * sizeof(double));
    memset(state->v, 0, 3 * (size_t)weft_vertex_count(t->model) * sizeof(double));
    memset(state->v1, 0, 3 * (size_t)weft_vertex_count(t->model) * sizeof(double));
    wf_world_begin(&state->world, state->x, state->v, t->step.dt);
    return &state->world;
}

// The last defence took what lay on the very surface of a floor for what is inside, and let it go.
static void on_a_floor(void) {
    static const double heights[] = {0, -5e-7, 5e-8};
    for (int k = 0; k < 3; k++) {
        Touch t = touch_def(WEFT_CONTACT_ALL);
        touch_sheet(&t, 0.1, 3, 0, heights[k], 0);
        touch_body(&t, WEFT_BODY_PLANE, 0, 0, 0);
        touch_open(&t);
        WfWorld* w = begin_again(&t);
        double x1[3 * 16];
        memcpy(x1, w->x, sizeof x1);
        for (int i = 0; i < 16; i++) x1[3 * i + 1] = -0.01 * i;
        wf_search(w);
        CHECK(wf_defend(w, x1).left == 0);
        for (int i = 0; i < 16; i++) CHECK_BELOW(fmin(heights[k], -2e-7) - 1e-9, x1[3 * i + 1]);
        touch_close(&t);
    }
}

// Two ropes at one place, on a ball or a floor: told apart, one was moved into it.
static void on_exact_bodies(void) {
    for (int k = 0; k < 2; k++) {
        Touch t = touch_def(WEFT_CONTACT_ALL);
        for (int i = 0; i < 2; i++) touch_rope(&t, 0.05, 36, 0, 0, 0);
        WeftBodyDef* body =
            touch_body(&t, k ? WEFT_BODY_SPHERE : WEFT_BODY_PLANE, 0, k ? -0.005 : 0, 0);
        body->radius = 0.005;
        touch_open(&t);
        WfWorld* w = begin_again(&t);
        CHECK(wf_tell_apart(w, t.state->x, true) == 0);
        for (int i = 0; i < w->vertex_count; i++) {
            WfVec p = wf_load(w->x, i), n;
            CHECK_BELOW(0, wf_body_distance(w->movers[0].body, &w->movers[0].from, p, &n));
        }
        touch_close(&t);
    }
}

// Two sheets that all but touch. Put there, the later one goes above, whatever it was before; in a
// motion it stays on its side. (A body that was placed elsewhere sent cloth through cloth.)
static void sides_are_kept(void) {
    for (int new = 0; new < 2; new ++) {
        Touch t = two_sheets(3, 4, 0.03, 0.02);
        for (int i = 0; i < 25; i++) t.meshes[1].positions[3 * i + 1] -= 2e-8;
        touch_open(&t);
        begin_again(&t);
        wf_tell_apart(&t.state->world, t.state->x, new);
        double apart = touch_mean(&t, 1, (WfVec){0, 1, 0}) - touch_mean(&t, 0, (WfVec){0, 1, 0});
        CHECK(new ? apart > 1e-8 : apart < -3e-8);
        touch_close(&t);
    }
}

// What a rope crosses was kept from nothing else that one crosses, and sheets passed through
// themselves and each other beside it.
static void rope_through_two(void) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    touch_sheet(&t, 0.4, 1, 0, 0, 0);
    touch_sheet(&t, 0.04, 1, 0.06, 0.02, 0.05);
    touch_rope(&t, 0.6, 2, 0, 0, 0);
    for (int i = 0; i < 3; i++) {
        const double p[3] = {0.065, 0.3 * i - 0.3, 0.052};
        memcpy(t.meshes[2].positions + 3 * i, p, sizeof p);
    }
    touch_open(&t);
    touch_step(&t);
    const WfWorld* w = &t.state->world;
    WfSide cloth = wf_cloth_side(w, w->ahead);
    WfSides sides = {w, cloth, cloth};
    int crossed = 0;
    for (int a = 0; a < w->cloth->edge_count; a++) {
        for (int b = 0; b < a; b++) {
            WfFeature f = wf_feature(&sides, WF_EDGES, (WfPair){a, b});
            bool rope = f.vertices[0] >= 8 || f.vertices[2] >= 8;
            CHECK(rope || !wf_is_tangled(w, &f));
            crossed += wf_is_tangled(w, &f);
        }
    }
    CHECK(crossed > 0);
    touch_close(&t);
}

// A sheet that stands on, or hangs below another one, in one plane with its border: it stays there,
// whichever comes first.
static void stands_on_another(void) {
    for (int way = 0; way < 4; way++) {
        int before = test_failures;
        bool above = way % 2 == 0, first = way / 2 == 0;
        Touch t = touch_def(WEFT_CONTACT_ALL);
        memset(t.step.gravity, 0, sizeof t.step.gravity);
        for (int k = 0; k < 2; k++) {
            bool standing = (k == 0) == first;
            double y = !standing ? 1 : above ? 1.1 : 0.9;
            touch_sheet(&t, standing ? 0.2 : SIZE, standing ? 4 : 6, 0.013, y, 0.01);
            if (standing) touch_upright(&t, y, 0.01);
        }
        double* x = t.meshes[first ? 0 : 1].positions;
        for (int i = 0; i < 25; i++)  // its border to the last bit
            if (fabs(x[3 * i + 1] - 1) < 1e-9) x[3 * i + 1] = 1;
        touch_open(&t);
        check_told(&t, 6e-3);  // its edges meet those of the other in all directions
        take_steps(&t, STEPS);
        int standing = first ? 0 : 1, begin = weft_first_vertex(t.model, standing);
        double other = touch_mean(&t, 1 - standing, (WfVec){0, 1, 0});
        for (int i = begin; i < begin + 25; i++) {
            double height = weft_positions(t.state)[3 * i + 1] - other;
            CHECK(above ? height > 0 : height < 0);
        }
        touch_close(&t);
        touch_say(before, above ? "above" : "below", first ? "first" : "second");
    }
}

// ---------------------------------------------------------------------------------------------
// What cannot be told apart

// All of it is pinned: it is reported in every step, and all stays finite and where it is.
static void pinned_together(void) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    touch_sheet(&t, 0.1, 1, 0, 1, 0);
    touch_sheet(&t, 0.1, 1, 0, 1, 0);
    touch_sheet(&t, 0.1, 2, 0.03, 1, 0.02);  // free, among them
    for (int i = 0; i < 8; i++) touch_pin(&t, i / 4, i % 4);
    touch_open(&t);
    for (int k = 0; k < 30; k++) {
        touch_step(&t);
        CHECK(touch_is_finite(&t));
        CHECK(weft_report(t.state)->tangles > 0);
    }
    CHECK_BELOW(touch_measure(&t).max_speed, 5);
    CHECK(memcmp(weft_positions(t.state), t.meshes[0].positions, 12 * sizeof(double)) == 0);
    touch_close(&t);
}

// A cloth of which all vertices are at one place.
static void collapsed(void) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    touch_sheet(&t, 0.2, 3, 0, 1, 0);
    touch_open(&t);
    double x[3 * 16] = {0};
    weft_set_positions(t.state, x);
    for (int k = 0; k < 5; k++) {
        WeftResult result = weft_step(t.state, &t.step);
        CHECK(result == WEFT_OK);
        CHECK(touch_is_finite(&t));
    }
    touch_close(&t);
}

// It was held there by its own contacts, for good: 12 x 12 cells have too many pairs at a point.
static void leaves_a_point(void) {
    for (int pinned = 0; pinned < 2; pinned++) {
        Touch t = touch_def(WEFT_CONTACT_ALL);
        touch_sheet(&t, 0.5, 12, 0, 0, 0);
        const double p[3] = {0.1, 0.2, 0.3};
        for (int i = 0; i < t.meshes[0].vertex_count; i++)
            memcpy(t.meshes[0].positions + 3L * i, p, sizeof p);
        if (pinned) touch_pin(&t, 0, 12);
        t.step.quality = pinned ? 3 : 4;  // in two substeps it jams: crossed, and slowed to nothing
        touch_body(&t, WEFT_BODY_PLANE, 0, -0.5, 0);
        t.cloths[0].fabric.compression = WEFT_UNYIELDING;  // or nothing pushes it open
        touch_open(&t);
        for (int k = 0; k < 30; k++) {
            touch_step(&t);
            CHECK(weft_report(t.state)->unstopped == 0);
        }
        CHECK(touch_crossings(&t) == 0);
        const double* x = weft_positions(t.state);
        WfVec side = wf_sub(wf_load(x, 12), wf_load(x, 0));
        if (!pinned) CHECK_BELOW(0.45, wf_length(side));
        CHECK_BELOW(touch_measure(&t).max_stretch, pinned ? 1.3 : 1.1);
        touch_close(&t);
    }
}

TEST_MAIN(CASE(leaves_a_point), CASE(in_one_plane), CASE(anywhere_in_one_plane), SLOW_CASE(on_a_lattice),
          CASE(later_above), SLOW_CASE(with_every_method), CASE(rope_in_a_sheet), CASE(crossed_ropes),
          CASE(panels_of_one_cloth), CASE(folded_flat), CASE(in_a_face), CASE(on_a_floor),
          CASE(on_exact_bodies), CASE(sides_are_kept), CASE(rope_through_two),
          CASE(stands_on_another), CASE(pinned_together), CASE(collapsed))

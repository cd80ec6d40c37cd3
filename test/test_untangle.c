// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards contact/tangle.c and contact/untangle.c: starts that cross are brought apart within some
// frames, calmly, by every method; what cannot be stays calm and is reported; starts that do not
// cross are left alone. What is said to be apart is held against the checker, which shares no code.

#include "contact/untangle.h"

#include "contact/world.h"
#include "sim/state.h"
#include "untangle_test.h"

// A thin cone upon the plane y = 0, 25 cm high.
static void add_cone(Start* s) {
    enum { SIDES = 8 };
    WeftBodyDef* body = add_body(s, WEFT_BODY_MESH, 0);
    for (int i = 0; i < SIDES; i++) {
        int next = (i + 1) % SIDES;
        const int pair[6] = {i, next, SIDES, next, i, SIDES + 1};
        s->corners[3 * i] = 0.02 * cos(2 * PI * i / SIDES);
        s->corners[3 * i + 2] = -0.02 * sin(2 * PI * i / SIDES);
        memcpy(s->triangles + 6 * i, pair, sizeof pair);
    }
    s->corners[3 * SIDES + 1] = 0.25;
    body->positions = s->corners;
    body->vertex_count = SIDES + 2;
    body->triangles = s->triangles;
    body->triangle_count = 2 * SIDES;
}

// ---------------------------------------------------------------------------------------------
// Cloth with cloth

static Start two_sheets(void) {
    Start s = empty();
    add_sheet(&s, 0.6, 0.6, 20, 20);
    place(&s, 0, 0, 0.003, 0.3, 0.002);
    add_sheet(&s, 0.6, 0.6, 20, 20);
    place(&s, 2, 30, 0.08, 0.33, 0.01);
    add_body(&s, WEFT_BODY_PLANE, 0);
    return s;
}

static void crossed_sheets(void) {
    Start s = two_sheets();
    comes_apart(&s, 1);
}

// The lower end of a sheet through the middle of another.
static void one_end_through(void) {
    Start s = empty();
    add_sheet(&s, 0.6, 0.6, 20, 20);
    place(&s, 0, 0, 0.003, 0.3, 0.002);
    add_sheet(&s, 0.3, 0.4, 10, 13);
    place(&s, 0, 80, 0.011, 0.42, 0.013);
    add_body(&s, WEFT_BODY_PLANE, 0);
    comes_apart(&s, 1);
}

// Two sheets in slots of each other: the contour cuts neither.
static void slotted_sheets(void) {
    Start s = empty();
    add_sheet(&s, 0.4, 0.4, 20, 20);
    place(&s, 0, 0, 0.003, 0.3, 0.002);
    add_sheet(&s, 0.4, 0.4, 20, 20);
    place(&s, 2, 70, 0.011, 0.3, 0.313);
    add_body(&s, WEFT_BODY_PLANE, 0);
    comes_apart(&s, 1);
}

// A strip in a loop whose end goes on through its beginning.
static void loop_through_itself(void) {
    Start s = empty();
    double *x = add_sheet(&s, 1.1, 0.3, 40, 12), radius = 0.1, turn = 1.7 * PI;
    for (int i = 0; i < s.meshes[0].vertex_count; i++, x += 3) {
        double u = x[0] + 0.2, angle = fmax(0, fmin(u / radius, turn));
        double rest = u < 0 ? u : u - angle * radius;
        x[0] = radius * sin(angle) + rest * cos(angle);
        x[1] = radius - radius * cos(angle) + rest * sin(angle) + 0.5;
    }
    add_body(&s, WEFT_BODY_PLANE, 0);
    comes_apart(&s, 1.5);
}

// Held on both sides of each other: they stay so, and calm.
static void locked_sheets(void) {
    Start s = empty();
    add_sheet(&s, 0.6, 0.4, 20, 13);
    place(&s, 0, 0, 0, 0.5, 0);
    add_sheet(&s, 0.3, 0.4, 10, 13);
    place(&s, 0, 83, 0.011, 0.56, 0.013);
    for (int j = 0; j <= 13; j++) {
        s.pins[0][2 * j] = 21 * j;
        s.pins[0][2 * j + 1] = 21 * j + 20;
    }
    for (int i = 0; i <= 10; i++) {
        s.pins[1][2 * i] = i;
        s.pins[1][2 * i + 1] = 11 * 13 + i;
    }
    for (int k = 0; k < 2; k++) {
        s.cloths[k].pins = s.pins[k];
        s.cloths[k].pin_count = k ? 22 : 28;
    }
    open_start(&s);
    int tangles = 0;
    for (int k = 0; k < 600; k++) tangles = take_step(&s);
    CHECK(tangles > 0 && judged(&s) > 0);
    CHECK_BELOW(s.top_speed, 3);
    CHECK_BELOW(s.top_stretch, 1.7);
    s.top_speed = s.top_stretch = 0;
    for (int k = 0; k < 60; k++) CHECK(take_step(&s) > 0);
    CHECK_BELOW(s.top_speed, 0.7);  // 0.1 to 0.52, of starts a micrometre apart
    CHECK_BELOW(s.top_stretch, 1.15);
    close_start(&s);
}

// ---------------------------------------------------------------------------------------------
// Cloth with bodies

static Start sheet_through(WeftBodyKind kind, double size) {
    Start s = empty();
    add_sheet(&s, 0.8, 0.8, 20, 20);
    place(&s, 0, 0, 0.003, 0.31, 0.002);
    WeftBodyDef* body = add_body(&s, kind, 0.3);
    body->radius = size;
    body->length = 0.3;
    body->size[0] = body->size[1] = body->size[2] = size;
    add_body(&s, WEFT_BODY_PLANE, 0);
    return s;
}

static void half_in_a_sphere(void) {
    Start s = sheet_through(WEFT_BODY_SPHERE, 0.2);
    comes_apart(&s, 1);
}

static void half_in_a_box(void) {
    Start s = sheet_through(WEFT_BODY_BOX, 0.3);
    comes_apart(&s, 1);
}

// Its corners swing down: by the motion itself (quality 8) at 3.7 m/s.
static void on_a_capsule(void) {
    Start s = sheet_through(WEFT_BODY_CAPSULE, 0.1);
    s.most_speed = 4;
    comes_apart(&s, 1.5);
}

static void upright_in(WeftBodyKind kind, double size) {
    Start s = empty();
    add_sheet(&s, 0.5, 0.5, 20, 20);
    place(&s, 0, 80, 0.003, 0.55, 0.002);
    WeftBodyDef* body = add_body(&s, kind, 0.3);
    body->radius = size;
    body->size[0] = body->size[1] = body->size[2] = size;
    add_body(&s, WEFT_BODY_PLANE, 0);
    comes_apart(&s, 1);
}

static void lower_end_inside(void) {
    upright_in(WEFT_BODY_SPHERE, 0.2);
    upright_in(WEFT_BODY_BOX, 0.3);
}

static void wholly_in_a_box(void) {
    Start s = empty();
    add_sheet(&s, 0.2, 0.2, 10, 10);
    place(&s, 0, 0, 0.003, 0.31, 0.002);
    WeftBodyDef* body = add_body(&s, WEFT_BODY_BOX, 0.3);
    body->size[0] = body->size[1] = body->size[2] = 0.3;
    comes_apart(&s, 1);
}

static void pierced_by_a_cone(void) {
    Start s = empty();
    add_sheet(&s, 0.6, 0.6, 20, 20);
    place(&s, 0, 0, 0.003, 0.15, 0.002);
    add_cone(&s);
    add_body(&s, WEFT_BODY_PLANE, 0);
    comes_apart(&s, 1);
}

// A pin inside holds its vertex there, and the cloth around comes to rest.
static void pin_inside(void) {
    static const WeftBodyKind kinds[2] = {WEFT_BODY_SPHERE, WEFT_BODY_BOX};
    for (int k = 0; k < (test_slow() ? 2 : 1); k++) {
        Start s = sheet_through(kinds[k], k ? 0.4 : 0.2);
        place(&s, 0, 0, 0, 0.14, 0);
        s.pins[0][0] = 21 * 10 + 10;
        s.cloths[0].pins = s.pins[0];
        s.cloths[0].pin_count = 1;
        open_start(&s);
        for (int i = 0; i < 120; i++) take_step(&s);
        CHECK_BELOW(s.top_speed, 3);
        s.top_speed = 0;
        for (int i = 0; i < 60; i++) take_step(&s);
        CHECK_BELOW(s.top_speed, 1);
        close_start(&s);
    }
}

// Placed into the cloth during a run.
static void placed_body(void) {
    Start s = sheet_through(WEFT_BODY_BOX, 0.3);
    const double far[3] = {3, 0.3, 0}, near[3] = {0, 0.1, 0}, rotation[4] = {0, 0, 0, 1};
    open_start(&s);
    weft_place_body(s.state, 0, far, rotation);
    CHECK(take_step(&s) == 0);
    for (int k = 0; k < 30; k++) CHECK(take_step(&s) == -1);
    weft_place_body(s.state, 0, near, rotation);
    int tangles = take_step(&s);
    CHECK(tangles > 0);
    for (int k = 0; k < 60 && tangles > 0; k++) tangles = take_step(&s);
    CHECK(tangles == 0 && judged(&s) == 0);
    close_start(&s);
}

// ---------------------------------------------------------------------------------------------
// All methods

static void every_method(void) {
    static const WeftMethod methods[] = {WEFT_METHOD_IMPLICIT, WEFT_METHOD_RELAXATION,
                                         WEFT_METHOD_MATRIX_FREE};
    for (int k = 0; k < 3; k++) {
        Start s = two_sheets();
        s.step.method = methods[k];
        s.most_speed = 6;  // where the sheets land on each other, for a frame
        s.most_stretch = 2.5;
        comes_apart(&s, 2);
        s = sheet_through(WEFT_BODY_BOX, 0.3);
        s.step.method = methods[k];
        comes_apart(&s, 1.5);
    }
}

static void explicit_method(void) {
    Start s = empty();
    add_sheet(&s, 0.3, 0.3, 8, 8);
    place(&s, 0, 0, 0.003, 0.1, 0.002);
    add_sheet(&s, 0.2, 0.2, 6, 6);
    place(&s, 0, 70, 0.011, 0.17, 0.013);
    add_body(&s, WEFT_BODY_PLANE, 0);
    s.step.method = WEFT_METHOD_SYMPLECTIC;
    s.step.substeps = 100;
    s.most_speed = 6;  // nothing is damped
    for (int k = 0; k < 2; k++)
        s.cloths[k].fabric.stretch_damping = s.cloths[k].fabric.bend_damping = 0;
    comes_apart(&s, 1);
}

// The scene that the tool and the page show.
static void tangled_scene(void) {
    static const WeftMethod methods[] = {WEFT_METHOD_PREFACTORED, WEFT_METHOD_IMPLICIT,
                                         WEFT_METHOD_RELAXATION};
    for (int k = 0; k < 3; k++) {
        WeftScene* scene = NULL;
        WeftError error = {0};
        CHECK(weft_load_scene(WEFT_SCENES "/tangled.json", NULL, NULL, &scene, &error) == WEFT_OK);
        if (!scene) return;
        Start s = {.cloth_count = 0, .body_count = 0, .step = scene->model.step};
        s.step.method = methods[k];
        scene->model.step = s.step;
        CHECK(weft_create_model(&scene->model, &s.model, &error) == WEFT_OK);
        CHECK(weft_create_state(s.model, &s.state, &error) == WEFT_OK);
        int tangles = take_step(&s);
        CHECK(tangles > 0);
        // relaxation, which moves slowly, takes 90 to 190
        for (int i = 0; i < 240 && tangles >= 0; i++) tangles = take_step(&s);
        CHECK(tangles == -1 && judged(&s) == 0);
        CHECK_BELOW(s.top_speed, 4);
        close_start(&s);
        weft_destroy_scene(scene);
    }
}

// ---------------------------------------------------------------------------------------------
// Clean starts

// The first step looks, and finds nothing; a run that never looks is the same to the bit.
static void clean_start(void) {
    uint64_t hashes[2];
    for (int k = 0; k < 2; k++) {
        Start s = sheet_through(WEFT_BODY_SPHERE, 0.2);
        place(&s, 0, 0, 0, 0.25, 0);
        open_start(&s);
        if (k) s.state->tangle[0] = 0;
        CHECK(take_step(&s) == (k ? -1 : 0));
        for (int i = 0; i < 60; i++) CHECK(take_step(&s) == -1);
        hashes[k] = weft_hash_state(s.state);
        close_start(&s);
    }
    CHECK(hashes[0] == hashes[1]);
}

// A rope through a sheet: the shorter end is drawn out.
static void rope_through_a_sheet(void) {
    Start s = empty();
    add_sheet(&s, 0.5, 0.5, 16, 16);
    place(&s, 0, 0, 0.003, 0.3, 0.002);
    WeftRopeDef rope = {0.4, 20};
    CHECK(weft_make_rope(&rope, NULL, &s.meshes[1], NULL) == WEFT_OK);
    s.cloths[1] = s.cloths[0];
    weft_use_mesh(&s.cloths[1], &s.meshes[1]);
    s.cloth_count = 2;
    place(&s, 2, 85, 0.02, 0.21, 0.013);
    add_body(&s, WEFT_BODY_PLANE, 0);
    s.most_speed = 6;  // its end whips
    comes_apart(&s, 1);
}

TEST_MAIN(CASE(crossed_sheets), SLOW_CASE(one_end_through), SLOW_CASE(slotted_sheets),
          SLOW_CASE(loop_through_itself), SLOW_CASE(locked_sheets), SLOW_CASE(half_in_a_sphere),
          CASE(half_in_a_box), SLOW_CASE(on_a_capsule), SLOW_CASE(lower_end_inside),
          CASE(wholly_in_a_box), SLOW_CASE(pierced_by_a_cone), SLOW_CASE(pin_inside), CASE(placed_body),
          LONG_CASE(every_method), SLOW_CASE(explicit_method), SLOW_CASE(tangled_scene),
          SLOW_CASE(clean_start), CASE(rope_through_a_sheet))

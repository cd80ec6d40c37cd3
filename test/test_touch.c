// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards what users rely on of contact, with every method: cloth stays out of every kind of body,
// however fast; sheets stay above each other; ropes lie on what they are laid on; corners, pins
// inside bodies and squeezed cloth stay calm.

#include "touch.h"

// ---------------------------------------------------------------------------------------------
// Every kind of body, still and moving

static const char* const KIND_NAMES[5] = {"plane", "sphere", "capsule", "box", "mesh"};

// A sheet just above a body whose top is at about y = 0.
static Touch sheet_over(WeftBodyKind kind) {
    Touch t = touch_def(WEFT_CONTACT_BODIES);
    touch_sheet(&t, 0.6, 12, 0.02, 0.03, 0.01);
    WeftBodyDef* body = touch_body(&t, kind, 0, 0, 0);
    body->radius = kind == WEFT_BODY_SPHERE ? 0.2 : 0.1;
    body->length = 0.3;
    body->size[0] = body->size[1] = body->size[2] = 0.3;
    if (kind == WEFT_BODY_SPHERE) body->position[1] = -0.2;
    if (kind == WEFT_BODY_CAPSULE) touch_turn(body->rotation, 2, TOUCH_PI / 2);
    if (kind == WEFT_BODY_CAPSULE) body->position[1] = -0.1;
    if (kind == WEFT_BODY_BOX) body->position[1] = -0.15;
    if (kind == WEFT_BODY_MESH) body->position[1] = -0.25;
    if (kind == WEFT_BODY_MESH) touch_gem(body);
    return t;
}

// Up and down, to and fro and around, at up to 1 m/s.
static void stir(Touch* t, int k) {
    const double* at = t->bodies[0].position;
    const double* start = t->bodies[0].rotation;
    double angle = 4 * TOUCH_PI * (k + 1) * t->step.dt, turn[4], q[4];
    touch_turn(turn, 0, 0.3 * sin(angle));
    // turn * start
    WfVec a = wf_load(turn, 0), b = wf_load(start, 0);
    WfVec v = wf_add(wf_add(wf_mul(turn[3], b), wf_mul(start[3], a)), wf_cross(a, b));
    wf_store(q, 0, v);
    q[3] = turn[3] * start[3] - wf_dot(a, b);
    touch_move(t, 0, at[0] + 0.05 * sin(angle), at[1] + 0.04 * (1 - cos(angle)), at[2], q);
}

static void keep_out(WeftBodyKind kind, const TouchWay* way, bool moves) {
    int before = test_failures;
    Touch t = sheet_over(kind);
    touch_use(&t, way);
    touch_open(&t);
    double least = HUGE_VAL, between = HUGE_VAL;
    int contacts = 0;
    for (int k = 0; k < 60 && test_failures == before; k++) {
        if (moves) stir(&t, k);
        if (!touch_step(&t)) break;
        least = fmin(least, touch_least(&t, false));
        between = fmin(between, touch_least(&t, true));
        if (k % 3 == 0) CHECK(touch_crossings(&t) == 0);
        contacts += weft_report(t.state)->active_contacts;
        CHECK(moves || weft_report(t.state)->unstopped == 0);
    }
    CHECK(contacts > 20);
    CHECK_BELOW(0.1e-3, least);
    CHECK_BELOW(0, between);
    // an edge that hangs on a corner as it comes around may be caught in the last of the steps
    CHECK_BELOW(touch_measure(&t).max_stretch, moves ? 1.4 : 1.3);
    touch_say(before, way->name, KIND_NAMES[kind]);
    touch_close(&t);
}

// Every other way, and the others where the bodies move.
static void out_of_bodies_at_rest(void) {
    for (int w = 0; w < TOUCH_METHODS; w += test_long() ? 1 : 3)
        for (int kind = 0; kind < 5; kind++) keep_out((WeftBodyKind)kind, &touch_ways[w], false);
}

static void out_of_bodies_that_move(void) {
    for (int w = test_long() ? 0 : 1; w < TOUCH_METHODS; w += test_long() ? 1 : 2)
        for (int kind = 0; kind < 5; kind++) keep_out((WeftBodyKind)kind, &touch_ways[w], true);
}

// A gem that swells and shrinks under the sheet.
static void out_of_bodies_that_deform(void) {
    for (int w = 0; w < TOUCH_METHODS; w++) {
        int before = test_failures;
        Touch t = sheet_over(WEFT_BODY_MESH);
        touch_use(&t, &touch_ways[w]);
        touch_open(&t);
        for (int k = 0; k < 60 && test_failures == before; k++) {
            double shape[3 * GEM_VERTICES];
            double size = 1 + 0.3 * sin(2 * TOUCH_PI * (k + 1) * t.step.dt);
            for (int i = 0; i < 3 * GEM_VERTICES; i++) shape[i] = size * gem_positions[i];
            weft_deform_body(t.state, 0, shape);
            if (!touch_step(&t)) break;
            CHECK(touch_crossings(&t) == 0);
        }
        touch_say(before, touch_ways[w].name, "deforming");
        touch_close(&t);
    }
}

// ---------------------------------------------------------------------------------------------
// Fast bodies

static const int FAST[4] = {5, 0, 7, 1};  // qualities 1, 4, 6; implicit

// Is the cloth crossed an odd number of times on the way from p along -z?
static bool is_behind(const Touch* t, WfVec p) {
    const double* x = weft_positions(t->state);
    int count = 0;
    for (int k = 0; k < weft_triangle_count(t->model); k++) {
        const int* v = weft_triangles(t->model) + 3 * k;
        WfVec c[3];
        double area[3], height = 0, sum = 0;
        for (int m = 0; m < 3; m++) c[m] = wf_sub(wf_load(x, v[m]), p);
        for (int m = 0; m < 3; m++) {
            const WfVec *a = &c[(m + 1) % 3], *b = &c[(m + 2) % 3];
            area[m] = a->x * b->y - a->y * b->x;
            height += area[m] * c[m].z;
            sum += area[m];
        }
        bool inside = (area[0] > 0 && area[1] > 0 && area[2] > 0) ||
                      (area[0] < 0 && area[1] < 0 && area[2] < 0);
        count += inside && height / sum < 0;
    }
    return count % 2 == 1;
}

// A sheet held by its corners, struck from the front: the body goes on to 0.3 m behind the corners
// and stays there, in the cloth.
static void strike(Touch* t, double speed, double most_stretch) {
    const double* at = t->bodies[0].position;
    double stretch = 0;
    for (int k = 0; k < 20; k++) {
        double z = fmax(-0.3, at[2] - speed * t->step.dt * (k + 1));
        touch_move(t, 0, at[0], at[1], z, t->bodies[0].rotation);
        if (!touch_step(t)) return;
        CHECK_BELOW(0, touch_least(t, true));
        CHECK(touch_crossings(t) == 0);
        CHECK(weft_report(t->state)->unstopped == 0);
        CHECK(is_behind(t, (WfVec){at[0], at[1], z}));
        stretch = fmax(stretch, touch_measure(t).max_stretch);
    }
    CHECK_BELOW(stretch, most_stretch);
}

static Touch hanging(void) {
    static const int corners[4] = {0, 12, 12 * 13, 12 * 13 + 12};
    Touch t = touch_def(WEFT_CONTACT_BODIES);
    touch_sheet(&t, 0.6, 12, 0, 0, 0);
    touch_upright(&t, 0, 0);
    for (int k = 0; k < 4; k++) touch_pin(&t, 0, corners[k]);
    return t;
}

static void fast_sphere(void) {
    for (int w = 0; w < 4; w++) {
        int before = test_failures;
        Touch t = hanging();
        touch_use(&t, &touch_ways[FAST[w]]);
        touch_body(&t, WEFT_BODY_SPHERE, 0.01, -0.1, 1)->radius = 0.05;
        t.bodies[0].friction = 0.1;
        touch_open(&t);
        strike(&t, 20, 12);
        touch_say(before, touch_ways[FAST[w]].name, "fast sphere");
        touch_close(&t);
    }
}

static void fast_plate(void) {
    for (int w = 0; w < 4; w++) {
        int before = test_failures;
        Touch t = hanging();
        touch_use(&t, &touch_ways[FAST[w]]);
        WeftBodyDef* body = touch_body(&t, WEFT_BODY_BOX, 0.01, -0.1, 0.6);
        body->size[0] = body->size[1] = 0.3;
        body->size[2] = 0.02;
        touch_open(&t);
        strike(&t, 10, 5);
        touch_say(before, touch_ways[FAST[w]].name, "fast plate");
        touch_close(&t);
    }
}

// A mesh that deforms is as fast as one that moves: its steps are cut.
static void fast_shape(void) {
    Touch t = hanging();
    touch_gem(touch_body(&t, WEFT_BODY_MESH, 0.01, -0.1, 0.6));
    touch_open(&t);
    int usual = 0, most = 0;
    for (int k = 0; k < 8; k++) {
        double shape[3 * GEM_VERTICES];
        memcpy(shape, gem_positions, sizeof shape);
        for (int i = 0; i < GEM_VERTICES; i++) shape[3 * i + 2] -= fmin(1, 10 * t.step.dt * k);
        weft_deform_body(t.state, 0, shape);
        if (!touch_step(&t)) break;
        int substeps = weft_report(t.state)->substeps;
        if (k == 0) usual = substeps;
        most = substeps > most ? substeps : most;
        CHECK(touch_crossings(&t) == 0);
    }
    CHECK(most >= 2 * usual);
    CHECK_BELOW(touch_measure(&t).max_stretch, 5);
    touch_close(&t);
}

// A sheet that is far from a blow falls as if there were none.
static void far_from_a_blow(void) {
    Touch t = hanging();
    touch_sheet(&t, 0.3, 6, 5, 0, 0);
    touch_gem(touch_body(&t, WEFT_BODY_MESH, 0.01, -0.1, 1));
    t.step.air_density = 0;
    for (int c = 0; c < 2; c++) t.cloths[c].fabric.compression = WEFT_UNYIELDING;  // a hard blow
    touch_open(&t);
    int impacts = 0;
    double time = 0;
    for (int k = 0; k < 20; k++) {
        touch_move(&t, 0, 0.01, -0.1, fmax(0, 1 - 0.1 * k), TOUCH_LEVEL);
        if (!touch_step(&t)) break;
        impacts += weft_report(t.state)->impacts;
        time += t.step.dt;
    }
    CHECK(impacts > 10);
    double fall = -touch_mean(&t, 1, (WfVec){0, 1, 0});
    CHECK_NEAR(fall, -t.step.gravity[1] * time * time / 2, 1e-2 * fall);
    touch_close(&t);
}

// A sheet falls on a mesh, so far from the origin. Returns how high it ends, in the mean.
static double fall_at(double far, int* pairs) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    touch_sheet(&t, 0.4, 14, far, 0.28, far);
    touch_gem(touch_body(&t, WEFT_BODY_MESH, far, 0, far));
    touch_open(&t);
    *pairs = 0;
    for (int k = 0; k < 25 && touch_step(&t); k++) {
        CHECK(!weft_report(t.state)->slowed && touch_crossings(&t) == 0);
        *pairs += weft_report(t.state)->pairs_kept;
    }
    double high = touch_mean(&t, 0, (WfVec){0, 1, 0});
    touch_close(&t);
    return high;
}

// Floats are good to 8 mm there: contact is seen from the cloth, and takes no more pairs.
static void far_from_home(void) {
    int here, there;
    double high = fall_at(0, &here);
    CHECK_NEAR(fall_at(65536, &there), high, 0.01);
    CHECK(here > 1000);
    CHECK_BELOW(there, 1.5 * here);
}

// ---------------------------------------------------------------------------------------------
// Cloth and cloth

// Sheets dropped on each other, turned a little, on a plane: none ever crosses another, and they
// end in the order in which they began.
static void stack_of_sheets(void) {
    for (int w = 0; w < TOUCH_METHODS; w++) {
        int before = test_failures;
        Touch t = touch_def(WEFT_CONTACT_ALL);
        touch_use(&t, &touch_ways[w]);
        touch_sheet(&t, 0.4, 8, 0, 0.02, 0);
        touch_sheet(&t, 0.4, 8, 0.013, 0.05, 0.017);
        touch_body(&t, WEFT_BODY_PLANE, 0, 0, 0);
        touch_open(&t);
        for (int k = 0; k < 60 && test_failures == before; k++) {
            if (!touch_step(&t)) break;
            CHECK(touch_crossings(&t) == 0);
            CHECK_BELOW(0.5e-3, touch_least(&t, true));
        }
        double low = touch_mean(&t, 0, (WfVec){0, 1, 0}),
               high = touch_mean(&t, 1, (WfVec){0, 1, 0});
        CHECK(low < high && high < 0.01);
        touch_say(before, touch_ways[w].name, "stack");
        touch_close(&t);
    }
}

// Its far end is led over and let go: it falls upon the rest of the sheet.
static void folded_onto_itself(void) {
    for (int w = 0; w < TOUCH_METHODS; w++) {
        int before = test_failures;
        Touch t = touch_def(WEFT_CONTACT_ALL);
        touch_use(&t, &touch_ways[w]);
        touch_sheet(&t, 0.5, 8, 0, 1.5e-3, 0);
        touch_body(&t, WEFT_BODY_PLANE, 0, 0, 0);
        for (int i = 0; i < 9; i++) touch_pin(&t, 0, i);
        touch_open(&t);
        int contacts = 0;
        for (int k = 0; k < 90 && test_failures == before; k++) {
            double part = fmin(1, (k + 1) / 60.0), angle = TOUCH_PI * 0.97 * part;
            for (int i = 0; i < 9 && k < 60; i++) {
                double x = t.meshes[0].positions[3 * i];
                const double to[3] = {x, 0.004 + 0.24 * sin(angle), 0.02 + 0.23 * cos(angle)};
                weft_move_pin(t.state, i, to);
            }
            for (int i = 0; i < 9 && k == 60; i++) weft_unpin(t.state, i);
            if (!touch_step(&t)) break;
            CHECK(touch_crossings(&t) == 0);
            CHECK_BELOW(0, touch_least(&t, true));
            contacts += weft_report(t.state)->self_contacts;
        }
        CHECK(contacts > 0 || touch_ways[w].method == WEFT_METHOD_RELAXATION);  // falls slowly
        touch_say(before, touch_ways[w].name, "folded");
        touch_close(&t);
    }
}

// Does a segment of cloth `rope` pass through a triangle of the sheet before it?
static int pierced(const Touch* t, int rope) {
    const double* x = weft_positions(t->state);
    int first = weft_first_vertex(t->model, rope), end = weft_first_vertex(t->model, rope + 1);
    int count = 0;
    for (int i = first; i + 1 < end; i++)
        for (int k = 0; k < t->meshes[0].triangle_count; k++) {
            const int* v = t->meshes[0].triangles + 3 * k;
            WfVec p = wf_load(x, i), q = wf_load(x, i + 1), c[3];
            for (int m = 0; m < 3; m++) c[m] = wf_load(x, v[m]);
            WfVec n = wf_cross(wf_sub(c[1], c[0]), wf_sub(c[2], c[0]));
            double above = wf_dot(n, wf_sub(p, c[0])), below = wf_dot(n, wf_sub(q, c[0]));
            if (above * below > 0) continue;
            WfVec at = wf_madd(p, above / (above - below), wf_sub(q, p));
            bool inside = true;
            for (int m = 0; m < 3; m++)
                inside = inside &&
                         wf_dot(n, wf_cross(wf_sub(c[(m + 1) % 3], c[m]), wf_sub(at, c[m]))) >= 0;
            count += inside;
        }
    return count;
}

// A rope dropped on a sheet, held at its corners, and on a box: it ends lying upon them.
static void rope_on_cloth(void) {
    for (int w = 0; w < TOUCH_METHODS; w += test_long() ? 1 : 4) {
        if (touch_ways[w].method == WEFT_METHOD_RELAXATION) continue;  // its ropes fall too slowly
        int before = test_failures;
        Touch t = touch_def(WEFT_CONTACT_ALL);
        touch_use(&t, &touch_ways[w]);
        touch_sheet(&t, 0.6, 12, 0, 0, 0);
        touch_rope(&t, 0.4, 20, 0.01, 0.02, 0.013);
        const int corners[4] = {0, 12, 12 * 13, 12 * 13 + 12};
        for (int i = 0; i < 4; i++) touch_pin(&t, 0, corners[i]);
        touch_open(&t);
        for (int k = 0; k < 60 && test_failures == before; k++) {
            if (!touch_step(&t)) break;
            CHECK(pierced(&t, 1) == 0);
        }
        CHECK(weft_report(t.state)->self_contacts > 0);
        touch_say(before, touch_ways[w].name, "rope on cloth");
        touch_close(&t);
    }
}

static void rope_on_box(void) {
    for (int w = 0; w < TOUCH_METHODS; w++) {
        int before = test_failures;
        Touch t = touch_def(WEFT_CONTACT_BODIES);
        touch_use(&t, &touch_ways[w]);
        touch_rope(&t, 0.8, 27, 0.003, 0.03, 0.013);
        WeftBodyDef* body = touch_body(&t, WEFT_BODY_BOX, 0, -0.1, 0);
        body->size[0] = body->size[1] = 0.2;
        touch_open(&t);
        int contacts = 0;
        for (int k = 0; k < 60 && test_failures == before; k++) {
            if (!touch_step(&t)) break;
            CHECK_BELOW(0, touch_least(&t, true));
            contacts += weft_report(t.state)->active_contacts;
        }
        CHECK(contacts > 60);
        CHECK_BELOW(touch_measure(&t).max_stretch, 1.1);
        touch_say(before, touch_ways[w].name, "rope on box");
        touch_close(&t);
    }
}

// ---------------------------------------------------------------------------------------------
// Tight places

// A sheet into a corner of two boxes and a plane.
static void corner_of_bodies(void) {
    for (int w = 0; w < TOUCH_METHODS; w++) {
        int before = test_failures;
        Touch t = touch_def(WEFT_CONTACT_BODIES);
        touch_use(&t, &touch_ways[w]);
        touch_sheet(&t, 0.3, 12, 0.155, 0.02, 0.155);
        touch_body(&t, WEFT_BODY_PLANE, 0, 0, 0);
        touch_body(&t, WEFT_BODY_BOX, -0.25, 0.2, 0)->size[2] = 4;
        touch_body(&t, WEFT_BODY_BOX, 0, 0.2, -0.25)->size[0] = 4;
        t.step.gravity[0] = t.step.gravity[2] = -6;
        touch_open(&t);
        for (int k = 0; k < 150 && test_failures == before; k++) {
            if (!touch_step(&t)) break;
            CHECK_BELOW(0.3e-3, touch_least(&t, true));
            CHECK_BELOW(touch_measure(&t).max_speed, 5);
        }
        // explicit steps damp nothing: single vertices go on
        CHECK_BELOW(touch_measure(&t).max_speed, 1);
        touch_say(before, touch_ways[w].name, "corner");
        touch_close(&t);
    }
}

// Two pins are inside a sphere from the start, and one is led through a box.
static void pins_inside_bodies(void) {
    for (int w = 0; w < TOUCH_METHODS; w += test_long() ? 1 : 4) {
        int before = test_failures;
        Touch t = touch_def(WEFT_CONTACT_ALL);
        touch_use(&t, &touch_ways[w]);
        touch_sheet(&t, 0.4, 12, 0, 0, 0);
        touch_body(&t, WEFT_BODY_SPHERE, -0.2, 0, 0.2)->radius = 0.06;
        WeftBodyDef* box = touch_body(&t, WEFT_BODY_BOX, 0.2, 0.1, -0.2);
        box->size[0] = box->size[1] = box->size[2] = 0.06;
        touch_pin(&t, 0, 0);
        touch_pin(&t, 0, 1);
        touch_pin(&t, 0, 12 * 13 + 12);
        touch_open(&t);
        double fastest = 0;
        for (int k = 0; k < 90; k++) {
            const double to[3] = {0.2, 0.2 * fmin(1, (k + 1) / 60.0), -0.2};
            weft_move_pin(t.state, 12 * 13 + 12, to);
            if (!touch_step(&t)) break;
            fastest = fmax(fastest, touch_measure(&t).max_speed);
        }
        CHECK_BELOW(fastest, 6);
        CHECK_BELOW(touch_measure(&t).max_stretch, 1.5);
        touch_say(before, touch_ways[w].name, "pins inside");
        touch_close(&t);
    }
}

// Two plates close upon a sheet until less than its thickness is left: it stays between them, calm,
// and the report tells that there is no room.
static void squeezed(WeftBodyKind kind) {
    for (int w = 0; w < TOUCH_METHODS; w++) {
        int before = test_failures;
        Touch t = touch_def(WEFT_CONTACT_BODIES);
        touch_use(&t, &touch_ways[w]);
        touch_sheet(&t, 0.3, 8, 0, 0.01, 0);
        touch_body(&t, WEFT_BODY_PLANE, 0, 0, 0);
        WeftBodyDef* plate = touch_body(&t, kind, 0, 0.1, 0);
        plate->size[1] = 0.1;
        if (kind == WEFT_BODY_PLANE) touch_turn(plate->rotation, 0, TOUCH_PI);
        double half = kind == WEFT_BODY_PLANE ? 0 : 0.05, fastest = 0;
        touch_open(&t);
        bool told = false;
        for (int k = 0; k < 90; k++) {
            double gap = fmax(0.5e-3, 0.05 * (1 - (k + 1) / 40.0));
            touch_move(&t, 1, 0, half + gap, 0, plate->rotation);
            if (!touch_step(&t)) break;
            fastest = fmax(fastest, touch_measure(&t).max_speed);
            const WeftStepReport* report = weft_report(t.state);
            told = told || report->penetration > 0 || report->unstopped > 0;
            CHECK_BELOW(-1e-3, touch_least(&t, false));
        }
        CHECK(told);
        CHECK_BELOW(fastest, 4);
        CHECK_BELOW(touch_measure(&t).max_stretch, 1.2);
        touch_say(before, touch_ways[w].name, kind == WEFT_BODY_BOX ? "box" : "planes");
        touch_close(&t);
    }
}

// An explicit step that is far too long fails at once, instead of looking for contacts all over.
static void explosion(void) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    touch_sheet(&t, 1, 40, 0, 0, 0);
    touch_pin(&t, 0, 0);
    t.cloths[0].fabric.compression = WEFT_UNYIELDING;  // or it is in its own way at once
    t.step.method = WEFT_METHOD_SYMPLECTIC;
    t.step.substeps = 20;
    t.step.wind[1] = 1;
    touch_open(&t);
    WeftResult result = WEFT_OK;
    for (int k = 0; k < 20 && !result; k++) result = weft_step(t.state, &t.step);
    CHECK(result == WEFT_ERROR_INPUT);
    CHECK_TEXT(weft_state_error(t.state)->message, "too long a step");
    touch_close(&t);
}

static void squeezed_by_planes(void) { squeezed(WEFT_BODY_PLANE); }
static void squeezed_by_a_box(void) { squeezed(WEFT_BODY_BOX); }

TEST_MAIN(SLOW_CASE(out_of_bodies_at_rest), SLOW_CASE(out_of_bodies_that_move),
          SLOW_CASE(out_of_bodies_that_deform), SLOW_CASE(fast_sphere), SLOW_CASE(fast_plate),
          CASE(fast_shape), CASE(far_from_a_blow), CASE(far_from_home), SLOW_CASE(stack_of_sheets),
          SLOW_CASE(folded_onto_itself), SLOW_CASE(rope_on_cloth), SLOW_CASE(rope_on_box),
          LONG_CASE(corner_of_bodies), SLOW_CASE(pins_inside_bodies), CASE(explosion),
          SLOW_CASE(squeezed_by_planes), SLOW_CASE(squeezed_by_a_box))

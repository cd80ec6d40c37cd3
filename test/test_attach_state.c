// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards attachments as parts of states: ends at bodies; beside pins that come and go, and contact;
// saved, copied, continued, mirrored; asleep; refused with a sentence.

#include "attach_test.h"
#include "counting.h"
#include "sim/state.h"

// The end turns with the body, a quarter of a turn about z in a second.
static void body_carries(void) {
    Carried c = open_carried(WEFT_CONTACT_BODIES);
    WeftAttachmentDef def = at_vertex(0);
    def.to = WEFT_ATTACH_TO_BODY;
    int a;
    CHECK(weft_attach(c.state, &def, &a, NULL) == WEFT_OK);
    double pi = acos(-1);
    for (int k = 1; k <= 60; k++) {
        double angle = pi / 4 * k / 60, position[3] = {0.1 * k / 60, 0.3, 0};
        double rotation[4] = {0, 0, sin(angle), cos(angle)};
        weft_move_body(c.state, 0, position, rotation);
        CHECK(weft_step(c.state, &c.step) == WEFT_OK);
    }
    // from 0 -0.3 0 in the frame: after the turn 0.3 0 0
    const double* x = weft_positions(c.state);
    CHECK_NEAR(x[0], 0.4, 1e-4);
    CHECK_NEAR(x[1], 0.3, 1e-4);
    // placed, all of the cloth goes along
    double was = x[3 * 80] - x[0], position[3] = {7, 0.3, 0};
    const double rotation[4] = {0, 0, sin(pi / 4), cos(pi / 4)};
    weft_place_body(c.state, 0, position, rotation);
    CHECK_NEAR(weft_positions(c.state)[3 * 80] - weft_positions(c.state)[0], was, 1e-3);
    CHECK_NEAR(weft_positions(c.state)[0], 7.3, 1e-3);
    close_carried(&c);
}

// Cloth that lies on a floor, a corner held a little above it, sleeps; and wakes when that moves.
static void sleeps_and_wakes(void) {
    Carried c = open_carried(WEFT_CONTACT_ALL);
    double* x = malloc(3 * 81 * sizeof *x);
    memcpy(x, weft_positions(c.state), 3 * 81 * sizeof *x);
    for (int i = 0; i < 81; i++) x[3 * i + 1] = -0.598;
    weft_set_positions(c.state, x);
    free(x);
    WeftAttachmentDef def = at_vertex(0);
    int a;
    CHECK(weft_attach(c.state, &def, &a, NULL) == WEFT_OK);
    double end[3];
    memcpy(end, weft_positions(c.state), sizeof end);
    end[1] += 0.03;
    weft_move_attachment(c.state, a, end);
    for (int k = 0; k < 240; k++) CHECK(weft_step(c.state, &c.step) == WEFT_OK);
    CHECK(weft_report(c.state)->asleep);
    CHECK_NEAR(weft_positions(c.state)[1], end[1], 1e-4);
    end[1] += 0.03;
    weft_move_attachment(c.state, a, end);
    for (int k = 0; k < 3; k++) CHECK(weft_step(c.state, &c.step) == WEFT_OK);
    CHECK(!weft_report(c.state)->asleep);
    CHECK_NEAR(weft_positions(c.state)[1], end[1], 1e-4);
    close_carried(&c);
}

// The exchange has pins that came, pins that went and attachments at once: as without a factor.
static void beside_pins_that_change(void) {
    Swing a = open_way(1), b = open_way(2);
    Swing* both[2] = {&a, &b};
    for (int k = 0; k < 2; k++) {
        Swing* s = both[k];
        s->step.tolerance = 1e-11;
        for (int i = 0; i < 5; i++) {
            WeftAttachmentDef def = in_triangle(s, 7 * i);
            def.stiffness = i % 2 ? 0 : 20;
            attach(s, &def);
        }
        WeftAttachmentDef at_pin = at_vertex(s->pins[0]);  // that was a pin of the model's
        at_pin.stiffness = 60;
        attach(s, &at_pin);
        take_steps(s, 3);
        weft_unpin(s->state, s->pins[0]);
        weft_pin(s->state, 3);
        weft_pin(s->state, s->mesh.triangles[7 * 3]);  // of an attachment
        take_steps(s, 3);
        weft_detach(s->state, 1);
        weft_unpin(s->state, 3);
        take_steps(s, 3);
    }
    CHECK_BELOW(apart(&a, &b), 1e-6);
    swing_close(&a);
    swing_close(&b);
}

static void saved_and_copied(void) {
    Swing s = open_way(6), again = open_way(6);
    WeftAttachmentDef def = in_triangle(&s, 5);
    def.stiffness = 30;
    def.damping = 0.1;
    int a = attach(&s, &def);
    uint64_t still = weft_hash_state(s.state);
    weft_move_attachment(s.state, a, (double[3]){0.2, 0.3, -0.1});
    CHECK(weft_hash_state(s.state) != still);
    take_steps(&s, 4);
    size_t size = weft_saved_size(s.state);
    unsigned char* bytes = malloc(size);
    weft_save_state(s.state, bytes);
    CHECK(weft_load_state(again.state, bytes, size, NULL) == WEFT_OK);
    CHECK(weft_hash_state(again.state) == weft_hash_state(s.state));
    take_steps(&s, 4);
    take_steps(&again, 4);
    CHECK(weft_hash_state(again.state) == weft_hash_state(s.state));
    WeftState* copy = NULL;
    CHECK(weft_create_state(s.model, &copy, NULL) == WEFT_OK);
    weft_copy_state(copy, s.state);
    take_steps(&s, 4);
    for (int k = 0; k < 4; k++) CHECK(weft_step(copy, &s.step) == WEFT_OK);
    CHECK(weft_hash_state(copy) == weft_hash_state(s.state));
    weft_destroy_state(copy);
    // a row that is none
    double bad = 1e6;
    size_t at = size - VERTICES - sizeof(WfAttachment) + offsetof(WfAttachment, rows);
    memcpy(bytes + at, &bad, sizeof bad);
    wf_seal_saved(bytes, size);
    WeftError error;
    CHECK(weft_load_state(again.state, bytes, size, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "damaged");
    // another model
    Swing other = open_way(6);
    weft_continue_state(other.state, s.state);
    CHECK(weft_is_attached(other.state, a));
    take_steps(&s, 1);
    take_steps(&other, 1);
    CHECK_BELOW(apart(&s, &other), 1e-3);
    free(bytes);
    swing_close(&s);
    swing_close(&again);
    swing_close(&other);
}

static void check_refused(Swing* s, WeftAttachmentDef def, const char* words) {
    WeftError error = {0};
    int made = 5;
    uint64_t before = weft_hash_state(s->state);
    CHECK(weft_attach(s->state, &def, &made, &error) != WEFT_OK && made == -1);
    CHECK_TEXT(error.message, words);
    CHECK(weft_hash_state(s->state) == before);
}

static void refusals(void) {
    Swing s = open_way(6);
    WeftAttachmentDef good = at_vertex(3), def = weft_default_attachment_def();
    check_refused(&s, def, "no vertex");
    def = at_vertex(VERTICES);
    check_refused(&s, def, "vertex 81 of 81");
    def = good, def.weights[0] = 0.7;
    check_refused(&s, def, "sum up to 0.7");
    def = good, def.weights[0] = (double)NAN;
    check_refused(&s, def, "weight");
    def = good, def.stiffness = -1;
    check_refused(&s, def, "stiffness");
    def = good, def.most = (double)INFINITY;
    check_refused(&s, def, "most");
    def = good, def.to = WEFT_ATTACH_TO_BODY;
    check_refused(&s, def, "body 0 of 0");
    def = good, def.to = WEFT_ATTACH_TO_CLOTH;
    check_refused(&s, def, "other end");
    def = good, def.here = false, def.place[1] = (double)NAN;
    check_refused(&s, def, "place");
    def = good, def.cookie = 0;
    check_refused(&s, def, "weft_default_attachment_def");
    for (int i = 0; i < WEFT_MAX_ATTACHMENTS; i++) CHECK(attach(&s, &good) == i);
    check_refused(&s, good, "256");
    const double nowhere[3] = {0, (double)NAN, 0};
    weft_move_attachment(s.state, 7, nowhere);
    CHECK(weft_step(s.state, &s.step) == WEFT_ERROR_INPUT);
    CHECK_TEXT(weft_state_error(s.state)->message, "attachment 7: where its end shall be");
    take_steps(&s, 2);
    swing_close(&s);
}

// States start with those of their model.
static void of_the_model(void) {
    WeftMesh mesh;
    WeftGridDef grid = weft_default_grid_def();
    grid.columns = grid.rows = 4;
    CHECK(weft_make_grid(&grid, NULL, &mesh, NULL) == WEFT_OK);
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &mesh);
    WeftAttachmentDef defs[2] = {at_vertex(0), at_vertex(4)};
    defs[1].stiffness = 50;
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth, def.cloth_count = 1;
    def.attachments = defs, def.attachment_count = 2;
    WeftModel* model = NULL;
    WeftState* state = NULL;
    WeftError error;
    CHECK(weft_create_model(&def, &model, &error) == WEFT_OK);
    CHECK(weft_create_state(model, &state, &error) == WEFT_OK);
    CHECK(weft_is_attached(state, 0) && weft_is_attached(state, 1) && !weft_is_attached(state, 2));
    for (int k = 0; k < 20; k++) CHECK(weft_step(state, &def.step) == WEFT_OK);
    CHECK_NEAR(weft_positions(state)[1], 0, 1e-4);
    CHECK_BELOW(weft_positions(state)[3 * 4 + 1], -1e-3);
    weft_destroy_state(state);
    weft_destroy_model(model);
    defs[1].vertices[0] = 25;
    CHECK(weft_create_model(&def, &model, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "attachment 1: the point of an attachment: vertex 25 of 25");
    weft_destroy_mesh(&mesh);
}

// Half of a cloth with attachments on one side, on the other and in the plane, as the whole.
static void mirrored(void) {
    WeftMesh mesh = mirrored_grid(8, 6);
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &mesh);
    int inside = -1, middle = -1;
    for (int i = 0; i < mesh.vertex_count; i++) {
        if (fabs(mesh.positions[3 * i] - 0.5) < 1e-9 && fabs(mesh.positions[3 * i + 2]) < 1e-9)
            inside = i;
        if (fabs(mesh.positions[3 * i]) < 1e-9 && fabs(mesh.positions[3 * i + 2] + 1) < 1e-9)
            middle = i;
    }
    WeftModel* models[2];
    WeftState* states[2];
    double force[2][3], triangle[2][3];
    int pinned = -1;
    for (int half = 0; half < 2; half++) {
        WeftModelDef def = weft_default_model_def();
        def.cloths = &cloth, def.cloth_count = 1;
        def.mirror.kind = half ? WEFT_MIRROR_EXACT : WEFT_MIRROR_WHOLE;
        CHECK(weft_create_model(&def, &models[half], NULL) == WEFT_OK);
        CHECK(weft_create_state(models[half], &states[half], NULL) == WEFT_OK);
        WeftAttachmentDef at = at_vertex(mesh.images[inside]);
        int a, b, unused;
        CHECK(weft_attach(states[half], &at, &unused, NULL) == WEFT_OK);
        at.vertices[0] = inside;
        if (!half) CHECK(weft_attach(states[half], &at, &unused, NULL) == WEFT_OK);
        WeftAttachmentDef in_plane = at_vertex(middle);
        in_plane.stiffness = 20;
        CHECK(weft_attach(states[half], &in_plane, &a, NULL) == WEFT_OK);
        WeftAttachmentDef tri = weft_default_attachment_def();
        for (int image = 0; image < 2; image++) {  // one of the last triangles, and its image
            for (int k = 0; k < 3; k++) {
                int v = mesh.triangles[3 * (mesh.triangle_count - 3) + k];
                tri.vertices[k] = image ? mesh.images[v] : v;
                tri.weights[k] = 1.0 / 3;
            }
            tri.stiffness = 50;
            if (!(half && image))
                CHECK(weft_attach(states[half], &tri, image ? &unused : &b, NULL) == WEFT_OK);
        }
        WeftStepDef step = weft_default_step_def();
        step.method = WEFT_METHOD_IMPLICIT;
        step.scheme = WEFT_SCHEME_JAJ;
        step.tolerance = 1e-11;
        for (int k = 0; k < 20; k++) CHECK(weft_step(states[half], &step) == WEFT_OK);
        weft_attachment_force(states[half], a, force[half]);
        weft_attachment_force(states[half], b, triangle[half]);
        if (half) {
            WeftAttachmentDef across = at_vertex(inside);
            across.to = WEFT_ATTACH_TO_CLOTH;
            across.other_vertices[0] = mesh.images[inside];
            WeftError error;
            CHECK(weft_attach(states[half], &across, &pinned, &error) == WEFT_ERROR_COMBINATION);
            CHECK_TEXT(error.message, "two sides of the mirror");
        }
    }
    double most = 0;
    for (int i = 0; i < 3 * mesh.vertex_count; i++)
        most = fmax(most, fabs(weft_positions(states[0])[i] - weft_positions(states[1])[i]));
    CHECK_BELOW(most, 1e-6);
    for (int d = 0; d < 3; d++) {
        CHECK_NEAR(force[0][d], force[1][d], 1e-4);
        CHECK_NEAR(triangle[0][d], triangle[1][d], 1e-4);
    }
    CHECK(fabs(force[0][1]) > 0.05);
    for (int half = 0; half < 2; half++) {
        weft_destroy_state(states[half]);
        weft_destroy_model(models[half]);
    }
    weft_destroy_mesh(&mesh);
}

// With contact: a sheet on a floor, two corners tied to each other and one lifted, by every method.
static void while_it_touches(void) {
    static const struct {
        WeftMethod method;
        int quality;
        double off;  // m
    } kinds[] = {{WEFT_METHOD_PREFACTORED, 3, 1e-3}, {WEFT_METHOD_PREFACTORED, 4, 1e-4},
                 {WEFT_METHOD_PREFACTORED, 7, 1e-4}, {WEFT_METHOD_IMPLICIT, 4, 1e-4},
                 {WEFT_METHOD_MATRIX_FREE, 4, 1e-4}, {WEFT_METHOD_RELAXATION, 4, 0.02},
                 {WEFT_METHOD_SYMPLECTIC, 4, 0.05},  {WEFT_METHOD_SMALL_STEPS, 4, 1e-4}};
    for (int m = 0; m < 8; m++) {
        int before = test_failures;
        Carried c = open_carried(WEFT_CONTACT_ALL);
        c.step.method = kinds[m].method;
        c.step.quality = kinds[m].quality;
        if (m == 5) c.step.iterations[0] = 20;
        double* x = malloc(3 * 81 * sizeof *x);
        memcpy(x, weft_positions(c.state), 3 * 81 * sizeof *x);
        for (int i = 0; i < 81; i++) x[3 * i + 1] = -0.5985;
        weft_set_positions(c.state, x);
        free(x);
        WeftAttachmentDef def = at_vertex(10);
        def.to = WEFT_ATTACH_TO_CLOTH;
        for (int k = 0; k < 3; k++) {
            def.other_vertices[k] = c.mesh.triangles[3 * 60 + k];
            def.other_weights[k] = 1.0 / 3;
        }
        def.stiffness = 5;
        int tied, lifted;
        CHECK(weft_attach(c.state, &def, &tied, NULL) == WEFT_OK);
        def = at_vertex(80);
        CHECK(weft_attach(c.state, &def, &lifted, NULL) == WEFT_OK);
        double end[3];
        memcpy(end, weft_positions(c.state) + 3 * 80, sizeof end);
        for (int k = 0; k < 40; k++) {
            if (k < 20) end[1] += 0.01;
            weft_move_attachment(c.state, lifted, end);
            CHECK(weft_step(c.state, &c.step) == WEFT_OK);
        }
        CHECK_BELOW(distance(weft_positions(c.state) + 3 * 80, end), kinds[m].off);
        WeftMeasure measure;
        CHECK(weft_measure(c.state, c.step.gravity, &measure) == WEFT_OK);
        CHECK_BELOW(measure.max_stretch, 1.3);
        CHECK_BELOW(measure.max_speed, 3);
        CHECK(weft_report(c.state)->active_contacts > 5);
        double force[3];
        weft_attachment_force(c.state, lifted, force);
        CHECK(force[1] > 0.01 && force[1] < 1);
        close_carried(&c);
        if (test_failures != before) printf("... with kind %d\n", m);
    }
}

// Warm steps allocate nothing, wherever a hand grabs next; a failed allocation is an error, and the
// step can be taken again.
static void memory(void) {
    long fails = 0;
    for (long at = 1; at < 100; at++) {
        Counting counting = {0};
        Swing s = swing_def(N, 100);
        s.step.forces = true;
        s.allocator = counting_allocator(&counting);
        swing_open(&s);
        let_go(&s);
        WeftAttachmentDef def = in_triangle(&s, 5);
        int a = attach(&s, &def);
        counting.fail_at = counting.calls + at;
        WeftResult result = weft_step(s.state, &s.step);
        CHECK(result == WEFT_OK || result == WEFT_ERROR_MEMORY);
        fails += result != WEFT_OK;
        bool all = counting.calls < counting.fail_at;
        counting.fail_at = 0;
        take_steps(&s, 2);
        double point[3], end[3];
        point_of(&s, &def, point);
        for (int k = 0; k < 12; k++) {
            long before = counting.calls;
            weft_detach(s.state, a);
            def = in_triangle(&s, 9 * k);
            point_of(&s, &def, end);
            a = attach(&s, &def);
            take_steps(&s, 1);
            CHECK(counting.calls == before);
        }
        point_of(&s, &def, point);
        CHECK_BELOW(distance(point, end), 1e-4);
        swing_close(&s);
        CHECK(counting.live == 0);
        if (all) break;
    }
    CHECK(fails > 0);
}

// A mouse that pulls cloth against a ball, from behind it, cannot get it through.
static void grab_behind_a_body(void) {
    Carried c = open_carried(WEFT_CONTACT_ALL);
    double* x = malloc(3 * 81 * sizeof *x);
    memcpy(x, weft_positions(c.state), 3 * 81 * sizeof *x);
    for (int i = 0; i < 81; i++) {  // over the ball
        x[3 * i] -= 0.2;
        x[3 * i + 1] = 0.352;
        x[3 * i + 2] += 0.2;
    }
    weft_set_positions(c.state, x);
    free(x);
    for (int k = 0; k < 30; k++) CHECK(weft_step(c.state, &c.step) == WEFT_OK);
    WeftAttachmentDef def = at_vertex(40);
    def.here = false;
    def.place[1] = -0.5;
    def.stiffness = 200;
    def.most = 5;
    def.breaks = false;
    int a;
    CHECK(weft_attach(c.state, &def, &a, NULL) == WEFT_OK);
    for (int k = 0; k < 30; k++) {
        CHECK(weft_step(c.state, &c.step) == WEFT_OK);
        CHECK(weft_report(c.state)->unstopped == 0 && weft_report(c.state)->tangles <= 0);
    }
    WeftMeasure measure;
    CHECK(weft_measure(c.state, c.step.gravity, &measure) == WEFT_OK);
    CHECK_BELOW(measure.max_stretch, 1.5);
    close_carried(&c);
}

TEST_MAIN(CASE(body_carries), CASE(sleeps_and_wakes), CASE(beside_pins_that_change),
          CASE(saved_and_copied), CASE(refusals), CASE(of_the_model), CASE(mirrored),
          SLOW_CASE(while_it_touches), CASE(memory), CASE(grab_behind_a_body))

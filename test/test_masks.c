// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards who touches whom: layers and masks of bodies and cloths, in the model and changed at run
// time, saved and copied with the state; and friction of single pairs.

#include "contact/defend.h"
#include "sim/state.h"
#include "touch.h"

static const WfVec UP = {0, 1, 0};

static void run(Touch* t, int steps) {
    for (int k = 0; k < steps; k++)
        if (!touch_step(t)) return;
}

// ---------------------------------------------------------------------------------------------
// In the model

// Two sheets side by side fall on one body; only the second one is in a layer that it touches.
static void one_of_two_cloths(void) {
    static const WeftBodyKind kinds[] = {WEFT_BODY_PLANE, WEFT_BODY_BOX, WEFT_BODY_CAPSULE,
                                         WEFT_BODY_MESH};
    for (int k = 0; k < 4; k++) {
        Touch t = touch_def(WEFT_CONTACT_ALL);
        touch_sheet(&t, 0.1, 6, -0.06, 0.32, 0);
        touch_sheet(&t, 0.1, 6, 0.06, 0.32, 0)->layer = 2;
        WeftBodyDef* body = touch_body(&t, kinds[k], 0, kinds[k] == WEFT_BODY_PLANE ? 0.25 : 0, 0);
        for (int c = 0; c < 3; c++) body->size[c] = 0.5;
        if (kinds[k] == WEFT_BODY_MESH) touch_gem(body);
        touch_turn(body->rotation, 2, kinds[k] == WEFT_BODY_CAPSULE ? TOUCH_PI / 2 : 0);
        body->mask = 2;
        t.step.air_density = 0;
        touch_open(&t);
        run(&t, 24);
        CHECK_NEAR(touch_mean(&t, 0, UP), 0.32 - 9.81 * 0.4 * 0.4 / 2, 0.05);
        CHECK(touch_mean(&t, 1, UP) > (kinds[k] == WEFT_BODY_MESH ? -0.3 : 0.2));
        CHECK(weft_report(t.state)->unstopped == 0 && weft_report(t.state)->tangles <= 0);
        touch_close(&t);
    }
}

// Both are thrown half a metre at once, past all that the solve does: the last defence stops one
// and leaves the other, to the last bit.
static void defence_knows_masks(void) {
    static const WeftBodyKind kinds[] = {WEFT_BODY_PLANE, WEFT_BODY_BOX, WEFT_BODY_SPHERE,
                                         WEFT_BODY_CAPSULE, WEFT_BODY_MESH};
    for (int k = 0; k < 5; k++) {
        int before = test_failures;
        Touch t = touch_def(WEFT_CONTACT_ALL);
        touch_sheet(&t, 0.06, 4, -0.04, 0.35, 0)->mask = 1;
        touch_sheet(&t, 0.06, 4, 0.04, 0.35, 0)->mask = 1 | 2;
        WeftBodyDef* body = touch_body(&t, kinds[k], 0, 0, 0);
        for (int c = 0; c < 3; c++) body->size[c] = 0.2;
        if (kinds[k] == WEFT_BODY_MESH) touch_gem(body);
        touch_turn(body->rotation, 2, kinds[k] == WEFT_BODY_CAPSULE ? TOUCH_PI / 2 : 0);
        body->layer = 2;
        touch_open(&t);
        CHECK(touch_step(&t));
        WfWorld* w = &t.state->world;
        wf_world_begin(w, t.state->x, t.state->v, t.step.dt);
        wf_search(w);
        double* x1 = calloc(3 * (size_t)w->vertex_count, sizeof *x1);
        for (int i = 0; i < 3 * w->vertex_count; i++) x1[i] = w->x[i] - (i % 3 == 1 ? 0.5 : 0);
        WfDefence defence = wf_defend(w, x1);
        CHECK(defence.impacts > 0 && defence.left == 0);
        for (int i = 0; i < w->vertex_count; i++) {
            double fall = w->x[3 * i + 1] - x1[3 * i + 1];
            if (i < weft_first_vertex(t.model, 1))
                CHECK(x1[3 * i + 1] == w->x[3 * i + 1] - 0.5 && !w->moved[i]);
            else
                CHECK(fall < 0.4 && w->moved[i]);
        }
        if (test_failures > before) printf("  in: body kind %d\n", kinds[k]);
        free(x1);
        touch_close(&t);
    }
}

// A body that is switched off is not there, to the last bit.
static void off_is_not_there(void) {
    double* x[2] = {0};
    for (int off = 0; off < 2; off++) {
        Touch t = touch_def(WEFT_CONTACT_ALL);
        touch_sheet(&t, 0.4, 10, 0, 0.3, 0);
        touch_body(&t, WEFT_BODY_PLANE, 0, 0, 0);
        WeftBodyDef* ball = touch_body(&t, WEFT_BODY_SPHERE, off ? 0 : 50, 0.05, 0);
        ball->layer = off ? 0 : 1;
        touch_gem(touch_body(&t, WEFT_BODY_MESH, off ? 0.1 : 60, 0.1, 0));
        t.bodies[2].mask = off ? 0 : WEFT_ALL_LAYERS;
        touch_open(&t);
        run(&t, 30);
        x[off] = calloc(3 * (size_t)weft_vertex_count(t.model), sizeof(double));
        memcpy(x[off], weft_positions(t.state),
               3 * (size_t)weft_vertex_count(t.model) * sizeof(double));
        touch_close(&t);
    }
    for (int i = 0; i < 3 * 121; i++) CHECK(x[0][i] == x[1][i]);
    free(x[0]);
    free(x[1]);
}

// Three sheets above each other: the middle one is passed by the upper one, and held by the lower.
static void cloths_pass_each_other(void) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    WeftClothDef* low = touch_sheet(&t, 0.3, 8, 0, 0.1, 0);
    WeftClothDef* middle = touch_sheet(&t, 0.3, 8, 0.004, 0.11, 0.003);
    WeftClothDef* high = touch_sheet(&t, 0.3, 8, 0.002, 0.12, 0.005);
    low->layer = 1, low->mask = 1 | 2 | 4;
    middle->layer = 2, middle->mask = 1 | 2;
    high->layer = 4, high->mask = 1 | 4;
    for (int i = 0; i < 9; i++) {
        touch_pin(&t, 0, i);
        touch_pin(&t, 0, 72 + i);
    }
    for (int i = 1; i < 8; i++) {
        touch_pin(&t, 0, 9 * i);
        if (i < 4) touch_pin(&t, 0, 9 * i + 8);
    }
    touch_open(&t);
    run(&t, 40);
    double bottom = touch_mean(&t, 0, UP);
    CHECK(touch_mean(&t, 1, UP) > bottom && touch_mean(&t, 2, UP) > bottom);
    CHECK_BELOW(touch_mean(&t, 2, UP), bottom + 0.0035);  // in the middle one, not on it
    CHECK(weft_report(t.state)->tangles <= 0);
    touch_close(&t);
}

// Folded over itself and let go: with its own bits it stays apart, without them it falls through.
static void cloth_that_passes_itself(void) {
    for (int own = 0; own < 2; own++) {
        Touch t = touch_def(WEFT_CONTACT_ALL);
        WeftClothDef* cloth = touch_sheet(&t, 0.4, 16, 0, 0, 0);
        cloth->mask = own ? WEFT_ALL_LAYERS : 0xfffffffeu;
        cloth->material = NULL;
        WeftMesh* mesh = &t.meshes[0];
        for (int i = 0; i < mesh->vertex_count; i++) {  // a flat U, 20 mm high
            double *p = mesh->positions + 3 * i, along = p[0];
            p[0] = along < 0 ? along : -along;
            p[1] = along < 0 ? 0.0 : 0.02 + 0.001 * (i % 2);
        }
        touch_body(&t, WEFT_BODY_PLANE, 0, -0.002, 0)->layer = 2;
        touch_open(&t);
        run(&t, 40);
        const double* x = weft_positions(t.state);
        double least = HUGE_VAL;
        for (int i = 0; i < mesh->vertex_count; i++)
            if (i % 17 > 10) least = fmin(least, x[3 * i + 1]);
        CHECK(own ? least > -0.0005 : least < 0.0);
        CHECK((touch_crossings(&t) > 0) != own);
        touch_close(&t);
    }
}

// Where all touch all, the world knows of no exceptions.
static void defaults_cost_nothing(void) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    touch_sheet(&t, 0.3, 6, 0, 0.3, 0);
    touch_sheet(&t, 0.3, 6, 0, 0.35, 0);
    touch_body(&t, WEFT_BODY_PLANE, 0, 0, 0);
    touch_open(&t);
    run(&t, 2);
    CHECK(!t.state->world.layers_meet && !t.state->world.movers[0].meets);
    CHECK(t.state->world.self && !t.state->world.movers[0].off && !t.state->world.frictions);
    touch_close(&t);
}

// ---------------------------------------------------------------------------------------------
// At run time

static Touch sheet_on(WeftBodyKind kind) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    touch_sheet(&t, 0.4, 12, 0.01, 0.28, 0.02);
    WeftBodyDef* body = touch_body(&t, kind, 0, 0, 0);
    if (kind == WEFT_BODY_MESH) touch_gem(body);
    return t;
}

// It falls when the body goes, and is brought out where it comes back.
static void switched_off_and_on(void) {
    static const WeftBodyKind kinds[] = {WEFT_BODY_SPHERE, WEFT_BODY_BOX, WEFT_BODY_MESH};
    for (int k = 0; k < 3; k++) {
        Touch t = sheet_on(kinds[k]);
        touch_open(&t);
        run(&t, 30);
        double rests = touch_mean(&t, 0, UP);
        weft_set_body_mask(t.state, 0, 0, WEFT_ALL_LAYERS);
        run(&t, 6);
        CHECK_BELOW(touch_mean(&t, 0, UP), rests - 0.02);
        CHECK(weft_report(t.state)->body_contacts == 0);
        weft_set_body_mask(t.state, 0, 1, WEFT_ALL_LAYERS);
        CHECK(touch_step(&t));
        CHECK(weft_report(t.state)->tangles > 0);
        int before = test_failures;
        for (int step = 0; step < 600 && weft_report(t.state)->tangles > 0; step++) run(&t, 1);
        CHECK(weft_report(t.state)->tangles <= 0);
        CHECK(touch_crossings(&t) == 0);
        if (test_failures > before) printf("  in: body kind %d\n", kinds[k]);
        touch_close(&t);
    }
}

// Cloth that sleeps on a body wakes when it is gone.
static void sleepers_wake(void) {
    Touch t = touch_def(WEFT_CONTACT_BODIES);
    touch_sheet(&t, 0.2, 6, 0, 0.02, 0);
    touch_body(&t, WEFT_BODY_PLANE, 0, 0, 0);
    touch_open(&t);
    run(&t, 120);
    CHECK(weft_report(t.state)->asleep);
    weft_set_body_mask(t.state, 0, 1, WEFT_ALL_LAYERS);  // nothing new
    run(&t, 1);
    CHECK(weft_report(t.state)->asleep);
    weft_set_cloth_mask(t.state, 0, 1, 2);
    run(&t, 20);
    CHECK_BELOW(touch_mean(&t, 0, UP), -0.1);
    touch_close(&t);
}

// Saved, copied, hashed; and what is not a mask is refused.
static void masks_are_part_of_the_state(void) {
    Touch t = sheet_on(WEFT_BODY_SPHERE);
    touch_open(&t);
    run(&t, 10);
    WeftState *copy = NULL, *loaded = NULL;
    CHECK(weft_create_state(t.model, &copy, NULL) == WEFT_OK);
    CHECK(weft_create_state(t.model, &loaded, NULL) == WEFT_OK);
    uint64_t hash = weft_hash_state(t.state);
    weft_set_body_mask(t.state, 0, 0x80000000u, 0x7fffffffu);
    weft_set_cloth_mask(t.state, 0, 0xffffffffu, 0xfffffff0u);
    CHECK(weft_hash_state(t.state) != hash);
    weft_copy_state(copy, t.state);
    size_t size = weft_saved_size(t.state);
    unsigned char* bytes = calloc(size, 1);
    weft_save_state(t.state, bytes);
    CHECK(weft_load_state(loaded, bytes, size, NULL) == WEFT_OK);
    for (int k = 0; k < 20; k++) {
        CHECK(weft_step(copy, &t.step) == WEFT_OK && weft_step(loaded, &t.step) == WEFT_OK);
        run(&t, 1);
    }
    CHECK(weft_hash_state(copy) == weft_hash_state(t.state));
    CHECK(weft_hash_state(loaded) == weft_hash_state(t.state));
    // any byte that makes a mask no number of 32 bits
    double mask = 0xfffffff0u, wrong = -1;
    size_t at = 0;
    while (at + sizeof mask <= size && memcmp(bytes + at, &mask, sizeof mask) != 0) at++;
    CHECK(at + sizeof mask <= size);
    memcpy(bytes + at, &wrong, sizeof wrong);
    WeftError error = {0};
    CHECK(weft_load_state(loaded, bytes, size, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "damaged");
    free(bytes);
    weft_destroy_state(copy);
    weft_destroy_state(loaded);
    touch_close(&t);
}

// A state goes on in another model with the masks that it had, and starts anew with the model's.
static void masks_go_on(void) {
    Touch t = sheet_on(WEFT_BODY_SPHERE), other = sheet_on(WEFT_BODY_SPHERE);
    other.cloths[0].fabric.density *= 2;
    touch_open(&t);
    touch_open(&other);
    weft_set_body_mask(t.state, 0, 0, 0);
    weft_continue_state(other.state, t.state);
    run(&other, 40);
    CHECK_BELOW(touch_mean(&other, 0, UP), -0.5);
    touch_close(&t);
    touch_close(&other);
}

// With a mirror, both halves know the same.
static void masks_and_mirrors(void) {
    for (int off = 0; off < 2; off++) {
        Touch t = touch_def(WEFT_CONTACT_ALL);
        touch_sheet(&t, 0.4, 12, 0, 0.3, 0);
        touch_body(&t, WEFT_BODY_SPHERE, 0, 0, 0);
        t.def.mirror.kind = WEFT_MIRROR_EXACT;
        touch_open(&t);
        if (off) weft_set_body_mask(t.state, 0, 0, 0);
        run(&t, 30);
        double y = touch_mean(&t, 0, UP);
        CHECK(off ? y < -0.3 : y > 0.05);
        weft_set_cloth_mask(t.state, 0, 1, 0);
        run(&t, 30);
        CHECK_BELOW(touch_mean(&t, 0, UP), y - 0.3);
        touch_close(&t);
    }
}

// ---------------------------------------------------------------------------------------------
// Friction

// Two sheets on a slope, side by side: each slides by g (sin - mu cos) t^2 / 2, with its own mu.
static void friction_of_pairs(void) {
    static const double mu[2] = {0.1, 0.8};
    static const WeftBodyKind kinds[] = {WEFT_BODY_PLANE, WEFT_BODY_BOX};
    for (int k = 0; k < 2; k++) {
        double slope = 0.35, time = 0.5, c = cos(slope), s = sin(slope);
        Touch t = touch_def(WEFT_CONTACT_BODIES);
        WeftPairFriction pairs[] = {{0, 0, 0, mu[0]}, {1, 0, 0, mu[1]}, {1, -1, 0, 3}};
        touch_sheet(&t, 0.1, 4, 0, 0, 0.2);
        touch_sheet(&t, 0.1, 4, 0, 0, -0.2);
        WeftBodyDef* body = touch_body(&t, kinds[k], 0, 0, 0);
        body->size[0] = body->size[2] = 3;
        if (kinds[k] == WEFT_BODY_BOX) {
            body->position[0] = -body->size[1] / 2 * s;
            body->position[1] = -body->size[1] / 2 * c;
        }
        touch_turn(body->rotation, 2, -slope);
        for (int m = 0; m < 2; m++)
            for (int i = 0; i < t.meshes[m].vertex_count; i++) {
                double *p = t.meshes[m].positions + 3 * i, along = p[0];
                p[0] = along * c + 0.00101 * s;
                p[1] = -along * s + 0.00101 * c;
            }
        t.def.pair_frictions = pairs;
        t.def.pair_friction_count = 3;
        t.step.air_density = t.step.rest_speed = 0;
        touch_open(&t);
        WfVec down = {c, -s, 0};
        double start[2] = {touch_mean(&t, 0, down), touch_mean(&t, 1, down)};
        run(&t, 30);
        for (int m = 0; m < 2; m++) {
            double pull = fmax(0, 9.81 * (s - mu[m] * c));
            CHECK_NEAR(touch_mean(&t, m, down) - start[m], pull * time * time / 2,
                       0.01 + 0.02 * pull);
        }
        touch_close(&t);
    }
}

// A small sheet on a larger one, which a slope carries: it slides where their friction is small.
static void friction_of_cloths(void) {
    double way[2];
    for (int k = 0; k < 2; k++) {
        double slope = 0.3, c = cos(slope), s = sin(slope);
        WeftPairFriction pairs[] = {{0, 0, 0, 50}, {0, -1, 1, k ? 2 : 0}, {1, 0, 0, 0}};
        Touch t = touch_def(WEFT_CONTACT_ALL);
        touch_sheet(&t, 0.5, 16, 0, 0, 0);
        touch_sheet(&t, 0.1, 4, -0.1, 0, 0);
        touch_turn(touch_body(&t, WEFT_BODY_PLANE, 0, 0, 0)->rotation, 2, -slope);
        for (int m = 0; m < 2; m++)
            for (int i = 0; i < t.meshes[m].vertex_count; i++) {
                double *p = t.meshes[m].positions + 3 * i, along = p[0];
                double off = 0.00101 * (m + 1);
                p[0] = along * c + off * s;
                p[1] = -along * s + off * c;
            }
        t.def.pair_frictions = pairs;
        t.def.pair_friction_count = 3;
        t.step.air_density = t.step.rest_speed = 0;
        touch_open(&t);
        WfVec down = {c, -s, 0};
        double start = touch_mean(&t, 1, down);
        run(&t, 20);
        way[k] = touch_mean(&t, 1, down) - start;
        touch_close(&t);
    }
    CHECK(way[0] > 0.08);  // of 0.16 without edges that catch each other
    CHECK_BELOW(way[1], 0.02);
}

static void refused_frictions(void) {
    static const struct {
        WeftPairFriction pair;
        const char* words;
    } cases[] = {{{1, 0, 0, 0.1}, "there is no cloth 1"}, {{-1, 0, 0, 0.1}, "there is no cloth -1"},
                 {{0, 1, 0, 0.1}, "there is no body 1"},  {{0, -1, 2, 0.1}, "there is no cloth 2"},
                 {{0, 0, 0, -0.1}, "friction is -0.1"},   {{0, 0, 0, NAN}, "friction is"},
                 {{0, -1, 0, 101}, "friction is 101"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Touch t = sheet_on(WEFT_BODY_SPHERE);
        WeftError error = {0};
        t.def.pair_frictions = &cases[k].pair;
        t.def.pair_friction_count = 1;
        CHECK(touch_create(&t, &error) == WEFT_ERROR_INPUT);
        CHECK_TEXT(error.message, "pair friction 0: ");
        CHECK_TEXT(error.message, cases[k].words);
        touch_close(&t);
    }
}

TEST_MAIN(CASE(one_of_two_cloths), CASE(defence_knows_masks), CASE(off_is_not_there),
          SLOW_CASE(cloths_pass_each_other), SLOW_CASE(cloth_that_passes_itself),
          CASE(defaults_cost_nothing), CASE(switched_off_and_on), CASE(sleepers_wake),
          CASE(masks_are_part_of_the_state), CASE(masks_go_on), CASE(masks_and_mirrors),
          CASE(friction_of_pairs), CASE(friction_of_cloths), CASE(refused_frictions))

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Zones let go: thin obstacles are passed, what cannot be stopped is not thrown; and they stay
// small.

#include "contact/defend.h"
#include "contact_test.h"
#include "sim/state.h"
#include "touch.h"

typedef struct Drag {
    int cells, frames;
    double radius, friction, speed;
    int unstopped;
    int substeps;  // of some step at least
} Drag;

// Drag a sheet by a corner over a floor, past a standing needle. Returns the largest stretch.
static double drag_past(const Drag* drag) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    double friction = drag->friction;
    int corner = drag->cells, most = 0;
    touch_sheet(&t, 0.8, drag->cells, 0, 0.003, 0)->fabric.friction = friction;
    touch_pin(&t, 0, corner);
    touch_body(&t, WEFT_BODY_PLANE, 0, 0, 0)->friction = friction;
    WeftBodyDef* needle = touch_body(&t, WEFT_BODY_CAPSULE, 0.6, 0.2, 0.1);
    needle->radius = drag->radius;
    needle->length = 0.4;
    needle->friction = friction;
    touch_open(&t);
    double start[3], stretch = 0;
    int crossings = 0, unstopped = 0;
    memcpy(start, weft_positions(t.state) + 3L * corner, sizeof start);
    for (int i = 1; i <= drag->frames && touch_step(&t); i++) {
        const double p[3] = {start[0] + drag->speed * i / 60, start[1] + 0.05 * fmin(1, i / 10.0),
                             start[2]};
        weft_move_pin(t.state, corner, p);
        if (weft_report(t.state)->substeps > most) most = weft_report(t.state)->substeps;
        stretch = fmax(stretch, touch_measure(&t).max_stretch);
        crossings += i % 12 == 0 ? touch_crossings(&t) : 0;
        unstopped += weft_report(t.state)->unstopped;
    }
    CHECK(crossings == 0);
    CHECK(unstopped <= drag->unstopped);
    CHECK(most >= drag->substeps);
    CHECK_BELOW(touch_measure(&t).max_stretch, drag->speed > 1 ? 1.6 : 1.4);
    CHECK_BELOW(touch_measure(&t).total, drag->speed > 1 ? 6 : 2);
    touch_close(&t);
    return stretch;
}

// It hooked for good, to a stretch of 32: half-spaces drew vertices past the needle, and vertices
// were held further off than edges.
static void needle_is_passed(void) {
    CHECK_BELOW(drag_past(&(Drag){24, 84, 0.003, 0.3, 1, 0, 2}), 2);
    if (test_slow()) CHECK_BELOW(drag_past(&(Drag){24, 84, 0.003, 0, 1, 0, 2}), 1.6);
}

// Cloth that is dragged fast past a post of a few cells hooked behind it for good, to a stretch of
// 60: it went further around it in a substep than one half-space can say. It is still torn for some
// steps, and slides off.
static void post_is_passed(void) {
    CHECK_BELOW(drag_past(&(Drag){24, 60, 0.02, 0.3, 5, 0, 8}), 20);
}

static void post_is_passed_by_fine_cloth(void) {
    CHECK_BELOW(drag_past(&(Drag){50, 45, 0.02, 0.3, 5, 1, 8}), 20);
}

// A cloth that is pulled off a table. It hooked at a corner of it for good, and stretched 52 times
// without any friction: as a triangle holds the corner it lets no other slide over it.
static void corner_lets_go(void) {
    enum { CELLS = 24, HANGS = 50, FRAMES = 105 };
    Touch t = touch_def(WEFT_CONTACT_ALL);
    double stretch = 0;
    touch_sheet(&t, 0.9, CELLS, 0, 0.756, 0)->fabric.friction = 0.1;
    WeftBodyDef* table = touch_body(&t, WEFT_BODY_BOX, 0, 0.73, 0);
    table->size[0] = table->size[2] = 0.6;
    table->size[1] = 0.04;
    touch_open(&t);
    for (int i = 0; i < FRAMES && touch_step(&t); i++) {
        if (i == HANGS)
            for (int k = 0; k <= CELLS; k++) weft_pin(t.state, k * (CELLS + 1) + CELLS);
        double up = i < HANGS + 18 ? 0.25 / 18 : 0, along = i < HANGS + 18 ? 0.02 : 0.066;
        for (int k = 0; k <= CELLS && i >= HANGS && i < HANGS + 36; k++) {
            int pin = k * (CELLS + 1) + CELLS;
            const double* x = weft_positions(t.state) + 3L * pin;
            weft_move_pin(t.state, pin, (const double[3]){x[0] + along, x[1] + up, x[2]});
        }
        stretch = fmax(stretch, touch_measure(&t).max_stretch);
    }
    CHECK(touch_crossings(&t) == 0);
    CHECK_BELOW(stretch, 2.5);
    CHECK_BELOW(touch_measure(&t).max_stretch, 1.3);
    touch_close(&t);
}

// A corner of a tablecloth is pulled aside, below the table. With friction vertices stuck at the
// upright edge of it: cloth stretched 5 times and stayed so for good, since they had the normal of
// the face that they had come along.
static double pull_aside(double friction) {
    enum { CELLS = 20, HANGS = 60, PULLS = 12, FRAMES = 132, PIN = CELLS };
    Touch t = touch_def(WEFT_CONTACT_ALL);
    double stretch = 0;
    touch_sheet(&t, 1, CELLS, 0, 0.01, 0)->fabric.friction = friction;
    WeftBodyDef* table = touch_body(&t, WEFT_BODY_BOX, 0, -0.375, 0);
    table->size[0] = table->size[2] = 0.5;
    table->size[1] = 0.75;
    table->friction = friction;
    touch_open(&t);
    for (int i = 0; i < FRAMES && touch_step(&t); i++) {
        const double* x = weft_positions(t.state) + 3L * PIN;
        if (i == HANGS) weft_pin(t.state, PIN);
        if (i >= HANGS && i < HANGS + PULLS)
            weft_move_pin(t.state, PIN, (const double[3]){x[0] - 0.1, x[1], x[2]});
        if (i >= HANGS) stretch = fmax(stretch, touch_measure(&t).max_stretch);
    }
    CHECK(touch_crossings(&t) == 0);
    CHECK_BELOW(touch_measure(&t).max_stretch, 1.3);
    touch_close(&t);
    return stretch;
}

static void upright_edge_lets_go(void) {
    CHECK_BELOW(pull_aside(0.6), 3.2);
    CHECK_BELOW(pull_aside(0.3), 3.2);
}

// Fine cloth over a beam, drawn off it at 1.5 m/s. Returns its largest stretch.
static double draw_off(double beam_at) {
    enum { CELLS = 26, HANGS = 20, FRAMES = 50 };
    Touch t = touch_def(WEFT_CONTACT_BODIES);
    double stretch = 0;
    WeftFabric* fabric = &touch_sheet(&t, 0.2, CELLS, 0, 0.802, 0)->fabric;
    for (int i = 0; weft_fabric_preset(i); i++)
        if (strcmp(weft_fabric_preset(i)->name, "cotton_poplin") == 0)
            *fabric = weft_fabric_preset(i)->fabric;
    WeftBodyDef* beam = touch_body(&t, WEFT_BODY_BOX, 0, 0.6, beam_at);
    beam->size[0] = beam->size[1] = 0.42;
    beam->size[2] = 0.05;
    touch_open(&t);
    for (int k = 0; k <= CELLS; k++) weft_pin(t.state, k);
    for (int i = 0; i < FRAMES && touch_step(&t); i++) {
        for (int k = 0; k <= CELLS && i >= HANGS; k++) {
            const double* x = weft_positions(t.state) + 3L * k;
            weft_move_pin(t.state, k, (const double[3]){x[0], x[1], x[2] + 1.5 / 60});
        }
        stretch = fmax(stretch, touch_measure(&t).max_stretch);
    }
    CHECK_BELOW(touch_measure(&t).max_stretch, 1.15);
    touch_close(&t);
    return stretch;
}

// It went by more than an edge in half a step, and caught at the edges of the beam: to stretches of
// 2 to 7.5, 3.4 in the mean of six places, and 1.8 since.
static void edge_lets_fine_cloth_go(void) {
    CHECK_BELOW((draw_off(0.045) + draw_off(0.06)) / 2, 2.5);
}

// Turn a pin about a vertical axis, from where it is.
static void turn_about(WeftState* state, int pin, const double centre[3], double angle) {
    const double* x = weft_positions(state) + 3L * pin;
    double right = x[0] - centre[0], front = x[2] - centre[2], c = cos(angle), s = sin(angle);
    const double to[3] = {centre[0] + c * right + s * front, x[1],
                          centre[2] - s * right + c * front};
    const double turn[4] = {0, sin(angle / 2), 0, cos(angle / 2)};
    weft_turn_pin(state, pin, to, turn);
}

// A sheet held by two patches, which turn by half a radian a step, a third of the time: what lay
// between them was called met as it turned with them, and stretched 3.6 times (in another scene it
// stood still as a whole, or passed through itself).
static void layers_turn_with_pins(void) {
    enum { CELLS = 20, PINS = 12, FRAMES = 160, HANGS = 60, TURNS = 18 };
    Touch t = touch_def(WEFT_CONTACT_ALL);
    int pins[PINS], zones = 0;
    double centre[3] = {0, 0, 0}, stretch = 0;
    touch_sheet(&t, 0.6, CELLS, 0, 1, 0);
    for (int k = 0; k < PINS; k++) {
        int column = CELLS / 2 + (k % 2 ? 2 : -4) + k / 2 % 3, row = k / 6;
        pins[k] = row * (CELLS + 1) + column;
        touch_pin(&t, 0, pins[k]);
    }
    touch_open(&t);
    for (int k = 0; k < 3 * PINS; k++)
        centre[k % 3] += weft_positions(t.state)[3L * pins[k / 3] + k % 3] / PINS;
    for (int i = 0; i < FRAMES && touch_step(&t); i++) {
        for (int k = 0; k < PINS && i >= HANGS && i / TURNS % 3 == 0; k++)
            turn_about(t.state, pins[k], centre, 0.5);
        zones += weft_report(t.state)->zones;
        CHECK(weft_report(t.state)->unstopped == 0);
        stretch = fmax(stretch, touch_measure(&t).max_stretch);
    }
    CHECK(touch_crossings(&t) == 0);
    // of starts that differ by a thousandth of a millimetre, one in five has some, up to 49
    CHECK(zones < weft_vertex_count(t.model) / 2);
    CHECK_BELOW(stretch, 2);
    touch_close(&t);
}

// A cape that is sewn to one who turns by five turns a second and jumps. Pairs of all that zones
// may do were searched for along the ways of what turns anywhere, up to half a metre: there were
// too many, the cloth stood still, and passed through itself (31 of 120 steps, 47 impacts).
static void cape_turns_with_its_wearer(void) {
    enum { CELLS = 14, FRAMES = 100 };
    Touch t = touch_def(WEFT_CONTACT_ALL);
    int unstopped = 0, slowed = 0, crossings = 0;
    touch_sheet(&t, 0.8, CELLS, 0, 1.12, -0.19);
    touch_upright(&t, 1.12, -0.19);
    WeftBodyDef* torso = touch_body(&t, WEFT_BODY_CAPSULE, 0, 1.2, 0);
    torso->radius = 0.16;
    torso->length = 0.5;
    touch_body(&t, WEFT_BODY_PLANE, 0, 0, 0);
    t.step.quality = 1;
    touch_open(&t);
    for (int k = 0; k <= CELLS; k++) weft_attach_pin(t.state, CELLS * (CELLS + 1) + k, 0);
    for (int i = 0; i < FRAMES && touch_step(&t); i++) {
        double turn[4], angle = i < 18 ? 0 : i < 60 ? 0.3 * (i - 18) : 12.6 - 0.52 * (i - 60);
        touch_turn(turn, 1, angle);
        touch_move(&t, 0, 0.5 * sin(0.1 * i), 1.2 + 0.4 * fabs(sin(0.12 * i)), 0, turn);
        unstopped += weft_report(t.state)->unstopped;
        slowed += weft_report(t.state)->slowed;
        crossings += i % 10 == 0 ? touch_crossings(&t) : 0;
    }
    CHECK(slowed == 0);
    CHECK(unstopped == 0);
    CHECK(crossings == 0);
    touch_close(&t);
}

// A strip twisted by four turns.
static void twisted_strip(void) {
    enum { LONG = 24, WIDE = 6, FRAMES = 180 };
    Touch t = touch_def(WEFT_CONTACT_ALL);
    WeftGridDef grid = {1, 0.25, LONG, WIDE, WEFT_GRID_ALTERNATING};
    CHECK(weft_make_grid(&grid, NULL, &t.meshes[0], NULL) == WEFT_OK);
    t.def.cloth_count = 1;
    t.cloths[0] = weft_default_cloth_def();
    weft_use_mesh(&t.cloths[0], &t.meshes[0]);
    for (int k = 0; k < 2 * (WIDE + 1); k++) touch_pin(&t, 0, k / 2 * (LONG + 1) + k % 2 * LONG);
    touch_open(&t);
    int crossings = 0;
    for (int i = 1; i <= FRAMES && touch_step(&t); i++) {
        double part = (double)i / FRAMES;
        for (int k = 0; k < 2 * (WIDE + 1); k++) {
            double v = 0.25 * (k / 2 / (double)WIDE - 0.5), sign = k % 2 ? 1 : -1;
            double angle = sign * 4 * TOUCH_PI * part, x = k % 2 ? 1 - 0.15 * part : 0.15 * part;
            const double p[3] = {x, v * sin(angle), -0.125 - v * cos(angle)};
            weft_move_pin(t.state, k / 2 * (LONG + 1) + k % 2 * LONG, p);
        }
        crossings += i % 12 == 0 ? touch_crossings(&t) : 0;
    }
    CHECK(crossings == 0);
    CHECK_BELOW(touch_measure(&t).max_stretch, 1.6);  // 1.14 to 1.49, of pins a micrometre apart
    touch_close(&t);
}

// Sheets that a box lifts from below.
static void lifted_sheets(void) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    for (int k = 0; k < 3; k++) touch_sheet(&t, 0.5, 8, 0, 0.155 + 0.003 * k, 0);
    WeftBodyDef* box = touch_body(&t, WEFT_BODY_BOX, 0, 0.1, 0);
    box->size[0] = box->size[2] = 0.3;
    box->size[1] = 0.1;
    touch_open(&t);
    int crossings = 0;
    for (int i = 1; i <= 70 && touch_step(&t); i++) {
        touch_move(&t, 0, 0, 0.1 + fmax(0, fmin(i - 30, 30)) / 60.0, 0, TOUCH_LEVEL);
        crossings += i % 10 == 0 ? touch_crossings(&t) : 0;
    }
    CHECK(crossings == 0);
    CHECK_BELOW(touch_measure(&t).max_stretch, 1.4);
    touch_close(&t);
}

// Pins that change places within a step go through each other. All of the cloth went along with
// one of them, with an energy of 18,000 J.
static void parting_pins(void) {
    enum { CELLS = 12 };
    Touch t = touch_def(WEFT_CONTACT_ALL);
    touch_sheet(&t, 0.6, CELLS, 0, 1, 0);
    for (int i = 0; i <= CELLS; i++) touch_pin(&t, 0, i);
    touch_open(&t);
    for (int i = 0; i < 40 && touch_step(&t);) i++;
    double z = weft_positions(t.state)[2];
    for (int i = 0; i <= CELLS; i++) {
        const double p[3] = {0.3 - 0.6 * i / CELLS, 1, z};
        weft_move_pin(t.state, i, p);
    }
    touch_step(&t);
    CHECK(weft_report(t.state)->unstopped > 0);
    CHECK_BELOW(touch_measure(&t).total, 3000);
    for (int i = 0; i < 40 && touch_step(&t);) i++;
    CHECK_BELOW(touch_measure(&t).total, 400);
    touch_close(&t);
}

// ---------------------------------------------------------------------------------------------
// On bodies that deform

enum { SKIN_CELLS = 16, LAYER_CELLS = 18, LAYERS = 4 };
static const double SKIN_SIZE = 0.44, LAYER_SIZE = 0.36, BENT = 0.05, PATCH = 0.03;

// A level skin that bends up on one side: by how much, at x.
static double bent_by(double x) { return x > 0 ? BENT * x : 0; }

static Touch layers_on_skin(WeftMesh* skin) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    WeftGridDef grid = {SKIN_SIZE, SKIN_SIZE, SKIN_CELLS, SKIN_CELLS, WEFT_GRID_ALTERNATING};
    CHECK(weft_make_grid(&grid, NULL, skin, NULL) == WEFT_OK);
    for (int i = 0; i < skin->vertex_count; i++) {
        skin->positions[3 * i] -= SKIN_SIZE / 2;
        skin->positions[3 * i + 2] += SKIN_SIZE / 2;
    }
    for (int k = 0; k < LAYERS; k++) touch_sheet(&t, LAYER_SIZE, LAYER_CELLS, 0, 2e-4 * (k + 1), 0);
    WeftBodyDef* body = touch_body(&t, WEFT_BODY_MESH, 0, 0, 0);
    body->vertex_count = skin->vertex_count, body->positions = skin->positions;
    body->triangle_count = skin->triangle_count, body->triangles = skin->triangles;
    touch_open(&t);
    return t;
}

// Layers and skin as they were, and the skin about to bend.
static WfWorld* about_to_bend(Touch* t) {
    WeftState* state = t->state;
    WfWorld* w = &state->world;
    CHECK(weft_step(state, &t->step) == WEFT_OK);
    for (int k = 0; k < LAYERS; k++)
        memcpy(state->x + 3 * weft_first_vertex(t->model, k), t->meshes[k].positions,
               3 * (size_t)t->meshes[k].vertex_count * sizeof(double));
    memset(state->v, 0, 3 * (size_t)w->vertex_count * sizeof(double));
    wf_world_begin(w, state->x, state->v, t->step.dt);
    WfMover* skin = &w->movers[0];
    for (int i = 0; i < skin->body->vertex_count; i++)
        skin->x1[3 * i + 1] = skin->x0[3 * i + 1] + bent_by(skin->x0[3 * i]);
    skin->moves = skin->deforms = true, skin->fitted = false;
    wf_search(w);
    return w;
}

// Ends at which all goes along with the skin, but for a patch on its bent side, where all is thrown
// about.
static void throw_patch(const WfWorld* w, double* x1) {
    for (int i = 0; i < w->vertex_count; i++) {
        WfVec x = wf_load(w->x, i), to = x;
        to.y += bent_by(x.x);
        bool in_patch = fabs(x.x - 0.11) < PATCH && fabs(x.z) < PATCH;
        wf_store(x1, i, in_patch ? wf_add(to, random_vec(0.04)) : to);
    }
}

static int crossings_at(const Touch* t, const WfWorld* w, const double* x1) {
    const WfMover* skin = &w->movers[0];
    WeftSurface surfaces[2] = {
        {w->vertex_count, x1, weft_triangle_count(t->model), weft_triangles(t->model), false},
        {skin->body->vertex_count, skin->x1, weft_body_triangle_count(t->model, 0),
         weft_body_triangles(t->model, 0), true}};
    WeftCrossing first;
    int count = 0;
    CHECK(weft_find_crossings(surfaces, 2, NULL, 1, &first, &count, NULL) == WEFT_OK);
    return count;
}

// A zone went as one by one place of a body that deforms, hence was met by all others, grew, and
// took in all of the cloth, which then went through body and itself.
static void zones_stay_where_they_are(void) {
    enum { TRIALS = 8 };
    WeftMesh mesh;
    Touch t = layers_on_skin(&mesh);
    int zones = 0;
    double* x1 = calloc(3 * (size_t)weft_vertex_count(t.model), sizeof *x1);
    random_state = 7;
    for (int k = 0; k < test_rounds(TRIALS); k++) {
        WfWorld* w = about_to_bend(&t);
        throw_patch(w, x1);
        WfDefence defence = wf_defend(w, x1);
        CHECK(defence.left == 0);
        CHECK(defence.zones < w->vertex_count / 6);
        CHECK(crossings_at(&t, w, x1) == 0);
        zones += defence.zones;
    }
    CHECK(zones > 0);  // in every second trial
    free(x1);
    weft_destroy_mesh(&mesh);
    touch_close(&t);
}

TEST_MAIN(SLOW_CASE(zones_stay_where_they_are), SLOW_CASE(layers_turn_with_pins),
          SLOW_CASE(cape_turns_with_its_wearer), SLOW_CASE(corner_lets_go),
          SLOW_CASE(upright_edge_lets_go), SLOW_CASE(edge_lets_fine_cloth_go),
          SLOW_CASE(needle_is_passed), SLOW_CASE(post_is_passed),
          LONG_CASE(post_is_passed_by_fine_cloth), CASE(twisted_strip), SLOW_CASE(lifted_sheets),
          CASE(parting_pins))

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards what is asked for at once: skins and attachments in a space that moves and turns, and on a
// teleport; attachments, layers and spaces of cloth that is torn; what cannot be had together is
// refused by name.

#include "contact/body.h"
#include "swing.h"
#include "test.h"

enum { N = 9, VERTICES = N * N };

static WfPose winding_way(double t) {
    WfVec axis = wf_mul(sin(t + 0.15 * sin(4 * t)), wf_unit((WfVec){0.3, 1, -0.4}));
    return (WfPose){{0.6 * sin(3 * t), 0.2 * t * t, 0.4 * cos(2 * t) - 0.4},
                    {axis.x, axis.y, axis.z, cos(t + 0.15 * sin(4 * t))}};
}

static void place_all(const WfPose* frame, const double* x, double* placed) {
    for (int i = 0; i < VERTICES; i++) wf_store(placed, i, wf_pose_point(frame, wf_load(x, i)));
}

static double apart(const WeftState* local, const WfPose* frame, const WeftState* world) {
    double most = 0, placed[3 * VERTICES];
    place_all(frame, weft_positions(local), placed);
    for (int i = 0; i < VERTICES; i++) {
        WfVec x = wf_load(weft_positions(world), i);
        most = fmax(most, wf_length(wf_sub(wf_load(placed, i), x)));
    }
    return most;
}

// ---------------------------------------------------------------------------------------------
// In a space

typedef struct Driven {
    Swing s;
    double stiffness[VERTICES], damping[VERTICES], distance[VERTICES];
    double start[3 * VERTICES];
    int attachment;
} Driven;

static void hold(Driven* d, int vertex) {
    WeftAttachmentDef def = weft_default_attachment_def();
    def.vertices[0] = vertex;
    def.stiffness = 5;
    CHECK(!weft_attach(d->s.state, &def, &d->attachment, NULL));
}

// Driven to its skin, or held within 5 cm of it; and held by a spring at its last vertex.
static void open_driven(Driven* d, bool leashed) {
    d->s = swing_def(N, 100);
    d->s.step.method = WEFT_METHOD_IMPLICIT;
    d->s.step.tolerance = 1e-12;
    d->s.step.guard = false;
    for (int i = 0; i < VERTICES; i++) {
        d->stiffness[i] = leashed ? 0 : 200, d->damping[i] = leashed ? 0 : 5;
        d->distance[i] = leashed ? 0.05 : -1;
    }
    d->s.cloth.drive_stiffness = d->stiffness;
    d->s.cloth.drive_damping = d->damping;
    d->s.cloth.max_distance = d->distance;
    swing_open(&d->s);
    memcpy(d->start, weft_positions(d->s.state), sizeof d->start);
    hold(d, VERTICES - 1);
}

static double ride(bool leashed, int steps) {
    Driven local, world;
    double worst = 0, skin[3 * VERTICES], turn[4];
    open_driven(&local, leashed);
    open_driven(&world, leashed);
    WfPose from = winding_way(0);
    for (int k = 1; k <= steps; k++) {
        WfPose to = winding_way(k / 60.0);
        weft_move_space(local.s.state, to.position, to.rotation);
        place_all(&to, world.start, skin);
        wf_turn_from(from.rotation, to.rotation, turn);
        weft_move_skin(world.s.state, 0, skin, NULL);
        weft_move_attachment(world.s.state, world.attachment, skin + 3 * (VERTICES - 1));
        for (int p = 0; p < 2; p++)
            weft_turn_pin(world.s.state, world.s.pins[p], skin + 3 * world.s.pins[p], turn);
        CHECK(swing_step(&local.s) && swing_step(&world.s));
        worst = fmax(worst, apart(local.s.state, &to, world.s.state));
        from = to;
    }
    swing_close(&local.s);
    swing_close(&world.s);
    return worst;
}

static void driven_as_in_the_world(void) { CHECK_BELOW(ride(false, 60), 1e-9); }

// Solves with contacts keep their blocks in single precision, which knows the axes; what they leave
// grows from the next hits on.
static void leashed_as_in_the_world(void) { CHECK_BELOW(ride(true, 5), 1e-5); }

// All goes along: the next steps are those that would have been taken, turned.
static void teleports_take_all_along(void) {
    Driven gone, stays;
    open_driven(&gone, false);
    open_driven(&stays, false);
    for (int k = 0; k < 10; k++) CHECK(swing_step(&gone.s) && swing_step(&stays.s));
    WfPose by = {{7, 2, -3}, {0, sin(0.6), 0, cos(0.6)}};  // about gravity
    weft_teleport(gone.s.state, by.position, by.rotation, true);
    for (int k = 0; k < 10; k++) {
        CHECK(swing_step(&gone.s) && swing_step(&stays.s));
        double placed[3 * VERTICES];
        place_all(&by, weft_positions(stays.s.state), placed);
        for (int i = 0; i < 3 * VERTICES; i++)
            CHECK_NEAR(weft_positions(gone.s.state)[i], placed[i], 1e-9);
    }
    swing_close(&gone.s);
    swing_close(&stays.s);
}

// ---------------------------------------------------------------------------------------------
// Torn

enum { CELLS = 8, ROW = CELLS + 1, CLOTH = ROW * ROW };

typedef struct Torn {
    WeftMesh meshes[2];
    WeftModel* model;
    WeftState* state;
    WeftStepDef step;
} Torn;

// Two curtains, one behind the other. The first is cut, so that the numbers of the second move up.
static void open_torn(Torn* t) {
    WeftClothDef cloths[2];
    WeftGridDef grid = weft_default_grid_def();
    grid.columns = grid.rows = CELLS;
    int pins[ROW];
    for (int i = 0; i < ROW; i++) pins[i] = i;
    for (int c = 0; c < 2; c++) {
        CHECK(!weft_make_grid(&grid, NULL, &t->meshes[c], NULL));
        for (int i = 0; i < CLOTH; i++) {
            double* p = t->meshes[c].positions + 3 * i;
            p[1] = p[2] + 1, p[2] = 0.3 * c;
        }
        cloths[c] = weft_default_cloth_def();
        weft_use_mesh(&cloths[c], &t->meshes[c]);
        if (c == 0) cloths[c].pins = pins, cloths[c].pin_count = ROW;
    }
    WeftModelDef def = weft_default_model_def();
    def.cloths = cloths, def.cloth_count = 2;
    def.tearable = true;
    t->step = def.step;
    CHECK(!weft_create_model(&def, &t->model, NULL));
    CHECK(!weft_create_state(t->model, &t->state, NULL));
}

static void close_torn(Torn* t) {
    weft_destroy_state(t->state);
    weft_destroy_model(t->model);
    for (int c = 0; c < 2; c++) weft_destroy_mesh(&t->meshes[c]);
}

// The second curtain hangs by attachments alone, and goes on to when the first one is cut.
static void attachments_of_torn_cloth(void) {
    Torn t;
    open_torn(&t);
    WfPose space = {{100, 0, 0}, {0, 0, 0, 1}};
    weft_place_space(t.state, space.position, space.rotation);
    int ends[2], held[2] = {CLOTH, CLOTH + CELLS};
    double places[2][3];
    for (int k = 0; k < 2; k++) {
        WeftAttachmentDef def = weft_default_attachment_def();
        def.vertices[0] = held[k];
        memcpy(places[k], weft_positions(t.state) + 3 * held[k], sizeof places[k]);
        CHECK(!weft_attach(t.state, &def, &ends[k], NULL));
    }
    weft_set_cloth_mask(t.state, 1, 0, 0);
    const double line[6] = {-0.1, 0.5, 0, 1.1, 0.5, 0};
    WeftCutDef cut = weft_default_cut_def();
    cut.points = line, cut.point_count = 2;
    int count = 0;
    CHECK(!weft_cut(t.state, &cut, &count, NULL) && count == CELLS);
    bool torn = false;
    for (int i = 0; i < 90; i++) {
        CHECK(!weft_step(t.state, &t.step));
        torn = torn || weft_report(t.state)->torn;
    }
    CHECK(torn && weft_vertex_count(weft_state_model(t.state)) == 2 * CLOTH + ROW);
    for (int k = 0; k < 2; k++) {
        int now = weft_torn_to(t.state, held[k]);
        double force[3];
        CHECK(now == held[k] + ROW && weft_is_attached(t.state, ends[k]));
        for (int i = 0; i < 3; i++)
            CHECK_NEAR(weft_positions(t.state)[3 * now + i], places[k][i], 1e-3);
        weft_attachment_force(t.state, ends[k], force);
        CHECK(force[1] > 0);
    }
    // what was cut off has fallen
    CHECK(weft_positions(t.state)[3 * (CLOTH - 1) + 1] < -1);
    double position[3], rotation[4];
    weft_copy_space(t.state, position, rotation);
    CHECK(position[0] == 100);
    close_torn(&t);
}

static void refusals(void) {
    Swing s = swing_def(3, 20);
    swing_open(&s);
    WeftError error;
    WeftAttachmentDef to_itself = weft_default_attachment_def();
    int attachment;
    to_itself.to = WEFT_ATTACH_TO_CLOTH;
    to_itself.vertices[0] = to_itself.other_vertices[1] = 4;
    to_itself.vertices[1] = to_itself.other_vertices[0] = 5;
    for (int k = 0; k < 2; k++) to_itself.weights[k] = to_itself.other_weights[k] = 0.5;
    CHECK(weft_attach(s.state, &to_itself, &attachment, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "a point to itself");
    to_itself.other_weights[0] = 0.4, to_itself.other_weights[1] = 0.6;
    CHECK(!weft_attach(s.state, &to_itself, &attachment, &error));
    swing_close(&s);
}

TEST_MAIN(CASE(driven_as_in_the_world), CASE(leashed_as_in_the_world),
          CASE(teleports_take_all_along), CASE(attachments_of_torn_cloth), CASE(refusals))

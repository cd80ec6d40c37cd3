// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards attachments: their energy by finite differences; rigid ones against pins, springs against
// what they must carry, in every method; bounds, breaks, both ends in cloth, ends at bodies; beside
// pins that come and go; saved, copied, continued, mirrored; refused with a sentence.

#include "counting.h"
#include "energy/tie.h"
#include "sim/state.h"
#include "swing.h"
#include "test.h"

enum { N = 9, VERTICES = N * N };

static void symplectic(Swing* s) { s->step.method = WEFT_METHOD_SYMPLECTIC; }
static void implicit(Swing* s) {
    s->step.method = WEFT_METHOD_IMPLICIT;
    s->step.tolerance = 1e-10;
}
static void implicit_jaj(Swing* s) {
    implicit(s);
    s->step.scheme = WEFT_SCHEME_JAJ;
}
static void matrix_free(Swing* s) {
    implicit(s);
    s->step.method = WEFT_METHOD_MATRIX_FREE;
}
static void relaxation(Swing* s) {
    s->step.method = WEFT_METHOD_RELAXATION;
    s->step.iterations[0] = 30;
}
static void one_solve(Swing* s) { s->step.quality = 1; }
static void four_solves(Swing* s) { s->step.quality = 4; }
static void jaj(Swing* s) { s->step.quality = 7; }
static void linear(Swing* s) {
    weft_set_estimator(&s->cloth, WEFT_ESTIMATOR_VERTEX, 2);
    s->step.quality = 1;
}

static const struct {
    const char* name;
    void (*set)(Swing*);
    double apart;  // m: from the same with pins, after some steps
} ways[] = {
    {"symplectic", symplectic, 0.03},
    {"implicit", implicit, 2e-4},
    {"implicit, jaj", implicit_jaj, 2e-4},
    {"matrix free", matrix_free, 2e-4},
    {"relaxation", relaxation, 0.03},
    {"one solve", one_solve, 2e-3},
    {"four solves", four_solves, 2e-3},
    {"jaj", jaj, 1e-3},
    {"linear", linear, 1e-3},
};
enum { WAY_COUNT = sizeof ways / sizeof *ways };

static Swing open_way(int w) {
    Swing s = swing_def(N, 100);
    ways[w].set(&s);
    swing_open(&s);
    return s;
}

static void let_go(Swing* s) {
    for (int p = 0; p < 2; p++) weft_unpin(s->state, s->pins[p]);
}

static void take_steps(Swing* s, int count) {
    for (int k = 0; k < count; k++) CHECK(swing_step(s));
}

static const double* place(const Swing* s, int vertex) {
    return weft_positions(s->state) + 3 * vertex;
}

static double distance(const double* a, const double* b) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static double apart(const Swing* a, const Swing* b) {
    double most = 0;
    for (int i = 0; i < VERTICES; i++) most = fmax(most, distance(place(a, i), place(b, i)));
    return most;
}

static int attach(Swing* s, const WeftAttachmentDef* def) {
    WeftError error = {0};
    int made = -1;
    CHECK(weft_attach(s->state, def, &made, &error) == WEFT_OK);
    CHECK_TEXT(error.message, "");
    return made;
}

static WeftAttachmentDef at_vertex(int vertex) {
    WeftAttachmentDef def = weft_default_attachment_def();
    def.vertices[0] = vertex;
    return def;
}

static WeftAttachmentDef in_triangle(const Swing* s, int triangle) {
    WeftAttachmentDef def = weft_default_attachment_def();
    const double weights[3] = {0.5, 0.3, 0.2};
    memcpy(def.vertices, s->mesh.triangles + 3 * triangle, sizeof def.vertices);
    memcpy(def.weights, weights, sizeof weights);
    return def;
}

static void point_of(const Swing* s, const WeftAttachmentDef* def, double point[3]) {
    for (int d = 0; d < 3; d++) {
        point[d] = 0;
        for (int k = 0; k < 3 && def->vertices[k] >= 0; k++)
            point[d] += def->weights[k] * place(s, def->vertices[k])[d];
    }
}

static void check_way(int w, int before) {
    if (test_failures != before) printf("... with %s\n", ways[w].name);
}

// ---------------------------------------------------------------------------------------------
// The energy

static void energy_force_stiffness(void) {
    for (int bounded = 0; bounded < 2; bounded++) {
        WfTie tie = {.count = 3,
                     .vertices = {2, 0, 1},
                     .weights = {0.7, 0.3, -1},
                     .target = {0.1, 0.2, -0.3},
                     .stiffness = 50,
                     .most = bounded ? 4 : 0};
        WfTies ties = {.count = 1, .all = &tie};
        double x[9] = {0.3, 0.1, 0, -0.2, 0.5, 0.4, 0.6, -0.1, 0.2}, f[9] = {0}, step = 1e-6;
        double energy = wf_ties_evaluate(&ties, x, 1, f), slope = tie.slope;
        CHECK(energy > 0 && bounded == (slope < 50));
        for (int i = 0; i < 9; i++) {
            double a[9], b[9], fa[9] = {0}, fb[9] = {0}, p[9] = {0}, q[9] = {0};
            memcpy(a, x, sizeof a);
            memcpy(b, x, sizeof b);
            a[i] -= step;
            b[i] += step;
            double slope_of = wf_ties_evaluate(&ties, b, 1, fb) - wf_ties_evaluate(&ties, a, 1, fa);
            CHECK_NEAR(f[i], -slope_of / (2 * step), 1e-6);
            wf_ties_evaluate(&ties, x, 1, fa);
            p[i] = 1;
            wf_ties_product(&ties, 1, p, q);
            // exact below the bound, above the true one beyond it
            wf_ties_evaluate(&ties, a, 1, memset(fa, 0, sizeof fa));
            double curvature = -(fb[i] - fa[i]) / (2 * step);
            if (!bounded) CHECK_NEAR(q[i], curvature, 1e-6);
            CHECK(q[i] >= curvature - 1e-6);
        }
    }
}

// blocks + outside = K
static void inside_and_outside(void) {
    int start[5] = {0, 1, 1, 1, 1}, index[1] = {2};  // rows 0 and 2 are joined
    WfBlockPattern pattern = {4, start, index};
    double diagonal[24] = {0}, upper[9] = {0}, p[12], q[12] = {0}, all[12] = {0};
    WfBlockMatrix blocks = {&pattern, diagonal, upper};
    WfTie tie = {.count = 3, .vertices = {2, 3, 0}, .weights = {0.6, -1, 0.4}, .slope = 20};
    WfTies ties = {.count = 1, .all = &tie};
    for (int i = 0; i < 12; i++) p[i] = sin(i + 1.0);
    wf_ties_blocks(&ties, 3, &blocks);
    CHECK(wf_ties_are_outside(&ties));
    wf_ties_product(&ties, 3, p, all);
    wf_ties_add_outside(&ties, 3, p, q);
    for (int i = 0; i < 4; i++)
        for (int d = 0; d < 3; d++) q[3 * i + d] += diagonal[6 * i] * p[3 * i + d];
    for (int d = 0; d < 3; d++) {
        q[d] += upper[0] * p[6 + d];
        q[6 + d] += upper[0] * p[d];
    }
    for (int i = 0; i < 12; i++) CHECK_NEAR(q[i], all[i], 1e-12);
}

// ---------------------------------------------------------------------------------------------
// Rigid

// Held by attachments at two corners, cloth swings as it does by pins there.
static void rigid_as_pins(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        int before = test_failures;
        Swing pinned = open_way(w), s = open_way(w);
        let_go(&s);
        int corners[2];
        for (int p = 0; p < 2; p++) {
            WeftAttachmentDef def = at_vertex(s.pins[p]);
            corners[p] = attach(&s, &def);
        }
        take_steps(&pinned, 20);
        take_steps(&s, 20);
        CHECK_BELOW(apart(&s, &pinned), ways[w].apart);
        for (int p = 0; p < 2; p++) {
            CHECK(weft_is_attached(s.state, corners[p]));
            double off = distance(place(&s, s.pins[p]), place(&pinned, s.pins[p]));
            CHECK_BELOW(off, w == 0 ? 0.03 : 1e-4);
        }
        CHECK_BELOW(place(&s, 0)[1], -0.1);  // the rest fell
        swing_close(&s);
        swing_close(&pinned);
        check_way(w, before);
    }
}

// A point inside of a triangle stays where it is, and where it is moved to.
static void point_in_triangle(void) {
    for (int w = 1; w < WAY_COUNT; w++) {
        int before = test_failures;
        Swing s = open_way(w);
        WeftAttachmentDef def = in_triangle(&s, 5);
        double first[3], point[3];
        point_of(&s, &def, first);
        int a = attach(&s, &def);
        take_steps(&s, 10);
        point_of(&s, &def, point);
        CHECK_BELOW(distance(point, first), 1e-4);
        for (int k = 0; k < 10; k++) {
            first[1] += 0.005;
            weft_move_attachment(s.state, a, first);
            take_steps(&s, 1);
        }
        point_of(&s, &def, point);
        CHECK_BELOW(distance(point, first), 1e-4);
        swing_close(&s);
        check_way(w, before);
    }
}

// The same end, converged or by schedules; with springs, dampers and bounds.
static void methods_agree(void) {
    for (int kind = 0; kind < 3; kind++) {
        Swing all[4];
        void (*sets[4])(Swing*) = {implicit, implicit_jaj, matrix_free, jaj};
        for (int m = 0; m < 4; m++) {
            Swing* s = &all[m];
            *s = swing_def(N, 100);
            sets[m](s);
            s->step.newton_steps = 30;
            s->step.order = 2;
            s->step.substeps = 1;
            s->step.iterations[0] = m < 3 ? 0 : 20;
            if (m < 3) s->step.newton_tolerance = 1e-9;
            swing_open(s);
            WeftAttachmentDef def = in_triangle(s, 3);
            def.stiffness = 40;
            def.damping = kind > 0 ? 0.5 : 0;
            def.most = kind > 1 ? 0.3 : 0;
            def.breaks = false;
            attach(s, &def);
            def = at_vertex(4);
            def.to = WEFT_ATTACH_TO_CLOTH;
            def.other_vertices[0] = VERTICES - 5;
            def.stiffness = 0.5;  // with more the flat cloth buckles, and no two runs agree
            attach(s, &def);
            take_steps(s, 8);
        }
        CHECK_BELOW(apart(&all[0], &all[1]), 1e-5);
        CHECK_BELOW(apart(&all[0], &all[2]), 1e-5);
        CHECK_BELOW(apart(&all[0], &all[3]), 0.02);
        CHECK(distance(place(&all[0], 0), all[0].mesh.positions) > 0.01);
        for (int m = 0; m < 4; m++) swing_close(&all[m]);
    }
}

// ---------------------------------------------------------------------------------------------
// Springs: what they carry

static double weight_of(const Swing* s) {
    double sum = 0;
    for (int i = 0; i < VERTICES; i++) sum += weft_masses(s->model)[i];
    return 9.81 * sum;
}

// All of it hangs on one spring, which is longer by its weight over the stiffness.
static void spring_carries_weight(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        int before = test_failures;
        bool settles = ways[w].set != symplectic && ways[w].set != linear;
        if (!settles || ways[w].set == one_solve) continue;  // not within seconds
        Swing s = swing_def(N, 100);
        ways[w].set(&s);
        s.cloth.fabric.mass_damping = 8;
        swing_open(&s);
        let_go(&s);
        WeftAttachmentDef def = at_vertex(s.pins[0]);
        def.stiffness = 30;
        int a = attach(&s, &def);
        double force[3], from[3];
        memcpy(from, place(&s, s.pins[0]), sizeof from);
        take_steps(&s, 300);
        weft_attachment_force(s.state, a, force);
        double weight = weight_of(&s);
        CHECK_NEAR(force[1], weight, 5e-3 * weight);
        CHECK_NEAR(place(&s, s.pins[0])[1], from[1] - weight / 30, 1e-3);
        swing_close(&s);
        check_way(w, before);
    }
}

// A hand of bounded strength, far above: the cloth falls, but slower, by what the hand can do.
static void bounded_force(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        int before = test_failures;
        if (ways[w].set == relaxation) continue;  // its guard refuses what light vertices do then
        Swing s = open_way(w);
        let_go(&s);
        WeftAttachmentDef def = at_vertex(VERTICES / 2);
        def.here = false;
        def.place[1] = 5;
        def.stiffness = 500;
        def.most = 0.4 * weight_of(&s);
        def.breaks = false;
        int a = attach(&s, &def);
        take_steps(&s, 20);
        double force[3], fall = 0, mass = 0;
        weft_attachment_force(s.state, a, force);
        CHECK_NEAR(sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]), def.most,
                   1e-6);
        for (int i = 0; i < VERTICES; i++) {
            fall += weft_masses(s.model)[i] * weft_velocities(s.state)[3 * i + 1];
            mass += weft_masses(s.model)[i];
        }
        CHECK(weft_is_attached(s.state, a));
        double bound = ways[w].set == four_solves ? 0.5 : ways[w].set == one_solve ? 0.1 : 0.03;
        CHECK_NEAR(fall / mass, -0.6 * 9.81 * 20 / 60, bound);
        swing_close(&s);
        check_way(w, before);
    }
}

static void breaks_above_its_force(void) {
    for (int strong = 0; strong < 2; strong++) {
        Swing s = open_way(6);
        let_go(&s);
        WeftAttachmentDef def = at_vertex(s.pins[0]);
        def.most = weight_of(&s) * (strong ? 20 : 0.5);
        int a = attach(&s, &def), broken = 0;
        for (int k = 0; k < 40; k++) {
            take_steps(&s, 1);
            broken += weft_report(s.state)->broken;
        }
        CHECK(broken == !strong);
        CHECK(weft_is_attached(s.state, a) == (bool)strong);
        if (!strong) CHECK_BELOW(place(&s, s.pins[0])[1], -0.5);
        // the number is kept until it is given back
        WeftAttachmentDef other = at_vertex(0);
        CHECK(attach(&s, &other) == 1);
        weft_detach(s.state, a);
        CHECK(attach(&s, &other) == 0);
        swing_close(&s);
    }
}

// Corners that pull at each other: nothing else moves the cloth as a whole.
static void cloth_to_cloth(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        int before = test_failures;
        Swing s = open_way(w);
        memset(s.step.gravity, 0, sizeof s.step.gravity);
        let_go(&s);
        WeftAttachmentDef def = in_triangle(&s, 0);
        def.to = WEFT_ATTACH_TO_CLOTH;
        memcpy(def.other_vertices, s.mesh.triangles + 3 * (s.mesh.triangle_count - 1),
               sizeof def.other_vertices);
        for (int k = 0; k < 3; k++) def.other_weights[k] = 1.0 / 3;
        def.stiffness = 5;
        int a = attach(&s, &def);
        take_steps(&s, 10);
        double sum[3] = {0}, most = 0, force[3];
        for (int i = 0; i < VERTICES; i++) {
            const double* v = weft_velocities(s.state) + 3 * i;
            for (int d = 0; d < 3; d++) sum[d] += weft_masses(s.model)[i] * v[d];
            most = fmax(most, fabs(v[0]));
        }
        weft_attachment_force(s.state, a, force);
        CHECK(force[0] > 0.1 && force[2] < -0.1);
        CHECK(most > 1e-3);
        // sweeps do not keep momentum to the last bit
        double left = ways[w].set == relaxation ? 1e-4 : 1e-6;
        for (int d = 0; d < 3; d++) CHECK_NEAR(sum[d], 0, left);
        swing_close(&s);
        check_way(w, before);
    }
}

// ---------------------------------------------------------------------------------------------
// Bodies, pins, states

typedef struct Carried {
    WeftMesh mesh;
    WeftModel* model;
    WeftState* state;
    WeftStepDef step;
} Carried;

static Carried open_carried(WeftContact contact) {
    Carried c = {.step = weft_default_step_def()};
    WeftGridDef grid = weft_default_grid_def();
    grid.columns = grid.rows = 8;
    grid.width = grid.height = 0.4;
    CHECK(weft_make_grid(&grid, NULL, &c.mesh, NULL) == WEFT_OK);
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &c.mesh);
    WeftBodyDef bodies[2] = {weft_default_body_def(), weft_default_body_def()};
    bodies[0].radius = 0.05;
    bodies[0].position[1] = 0.3;
    bodies[1].kind = WEFT_BODY_PLANE;
    bodies[1].position[1] = -0.6;
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth, def.cloth_count = 1;
    def.bodies = bodies, def.body_count = 2;
    def.contact = contact;
    CHECK(weft_create_model(&def, &c.model, NULL) == WEFT_OK);
    CHECK(weft_create_state(c.model, &c.state, NULL) == WEFT_OK);
    return c;
}

static void close_carried(Carried* c) {
    weft_destroy_state(c->state);
    weft_destroy_model(c->model);
    weft_destroy_mesh(&c->mesh);
}

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
    WeftGridDef grid = weft_default_grid_def();
    grid.columns = 8, grid.rows = 6;
    WeftMesh mesh;
    CHECK(weft_make_grid(&grid, NULL, &mesh, NULL) == WEFT_OK);
    for (int i = 0; i < mesh.vertex_count; i++) mesh.positions[3 * i] -= 0.5;
    WeftPlane plane = {{0, 0, 0}, {1, 0, 0}};
    CHECK(weft_mirror_mesh(&mesh, &plane, WEFT_HALVING_SPLIT, NULL, NULL) == WEFT_OK);
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
                 {WEFT_METHOD_SYMPLECTIC, 4, 0.05}};
    for (int m = 0; m < 7; m++) {
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

TEST_MAIN(CASE(energy_force_stiffness), CASE(inside_and_outside), CASE(rigid_as_pins),
          CASE(point_in_triangle), CASE(methods_agree), CASE(spring_carries_weight),
          CASE(bounded_force), CASE(breaks_above_its_force), CASE(cloth_to_cloth),
          CASE(body_carries), CASE(sleeps_and_wakes), CASE(beside_pins_that_change),
          CASE(saved_and_copied), CASE(refusals), CASE(of_the_model), CASE(mirrored),
          CASE(while_it_touches), CASE(memory), CASE(grab_behind_a_body))

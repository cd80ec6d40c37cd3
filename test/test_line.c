// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards lines, attachments with a length: slack they do nothing, taut they carry what hangs on
// them, at their length and without gain of energy, in every method; to places, bodies and cloth,
// beside contact, in a mirror, saved.

#include "attach_test.h"

static Swing open_hanging(int w, int n, double damping) {
    Swing s = swing_def(n, 100);
    ways[w].set(&s);
    s.cloth.fabric.mass_damping = damping;
    swing_open(&s);
    let_go(&s);
    return s;
}

static WeftAttachmentDef line_to(int vertex, const double from[3], double x, double y,
                                 double length) {
    WeftAttachmentDef def = at_vertex(vertex);
    def.here = false;
    memcpy(def.place, from, sizeof def.place);
    def.place[0] += x;
    def.place[1] += y;
    def.length = length;
    return def;
}

// Ways whose solves are those of another one.
static bool is_left_out(int w) {
    return !test_slow() && (ways[w].set == implicit_jaj || ways[w].set == matrix_free);
}

static bool is_single(int w) { return ways[w].set == one_solve || ways[w].set == linear; }

// Cloth that falls, is caught by a corner, swings and hangs: by a rope, a rubber cord, and one that
// damps. One solve has it swing on for long: the mean of a second.
static void carries_weight(void) {
    for (int w = 0; w < WAY_COUNT; w++)
        for (int soft = 0; soft < 3; soft += test_slow() ? 1 : 2) {
            int before = test_failures;
            Swing s = open_hanging(w, 5, is_single(w) ? 10 : 6);
            WeftAttachmentDef def = line_to(s.pins[0], place(&s, s.pins[0]), 0, 0.1, 0.3);
            def.stiffness = soft ? 40 : 0;
            def.damping = soft > 1 ? 0.5 : 0;
            int a = attach(&s, &def);
            double force[3], weight = 9.81 * 0.15, sum = 0;
            take_steps(&s, 6);
            weft_attachment_force(s.state, a, force);
            CHECK(force[0] == 0 && force[1] == 0 && force[2] == 0);
            CHECK_BELOW(place(&s, s.pins[0])[1], -0.03);
            for (int k = 0; k < 300; k++) {
                take_steps(&s, 1);
                weft_attachment_force(s.state, a, force);
                sum += k < 240 ? 0 : force[1] / 60;
            }
            CHECK_NEAR(sum, weight, (is_single(w) ? 0.05 : 0.01) * weight);
            if (!is_single(w)) CHECK_NEAR(force[1], weight, 0.005 * weight);
            double length = 0.3 + (soft ? weight / 40 : 0);
            CHECK_NEAR(distance(place(&s, s.pins[0]), def.place), length, 2e-3);
            swing_close(&s);
            check_way(w, before);
        }
}

static double energy_of(const Swing* s) {
    WeftMeasure measure;
    CHECK(weft_measure(s->state, s->step.gravity, &measure) == WEFT_OK);
    return measure.total;
}

// A pendulum, on long lines and on such that are far shorter than an edge: its energy never rises.
// Sweeps and explicit steps, whose lines give, have a bound of their own.
static void swings(void) {
    static const double lengths[] = {0.5, 0.05, 0.005};
    for (int w = 0; w < WAY_COUNT; w++)
        for (int k = 0; k < 3; k++) {
            int before = test_failures;
            Swing s = open_hanging(w, 5, 0);
            double length = lengths[k];
            WeftAttachmentDef def = line_to(12, place(&s, 12), 0.8 * length, 0.5 * length, length);
            attach(&s, &def);
            double start = energy_of(&s), longest = 0, most = start;
            for (int i = 0; i < 90; i++) {
                take_steps(&s, 1);
                longest = fmax(longest, distance(place(&s, 12), def.place) - length);
                most = fmax(most, energy_of(&s));
            }
            CHECK_BELOW(longest, ways[w].set == symplectic ? 0.015 : 5e-3);
            double gain = ways[w].set == symplectic    ? 0.1
                          : ways[w].set == small_steps ? 2e-3
                                                       : 1e-3;
            CHECK_BELOW(most - start, gain);  // J, of 0.7
            CHECK_BELOW(place(&s, 0)[1], -0.15);
            swing_close(&s);
            check_way(w, before);
        }
}

// A strip that falls upright by 0.2 m, with 2 m/s, onto three lines: all of it is stopped at once,
// and comes back by less than half of its energy.
static void catches(void) {
    static const struct {
        WeftMethod method;
        int quality;
    } kinds[] = {{WEFT_METHOD_PREFACTORED, 1}, {WEFT_METHOD_PREFACTORED, 4},
                 {WEFT_METHOD_PREFACTORED, 7}, {WEFT_METHOD_IMPLICIT, 4},
                 {WEFT_METHOD_MATRIX_FREE, 4}, {WEFT_METHOD_SMALL_STEPS, 4}};
    for (int m = 0; m < 6; m++) {
        int before = test_failures;
        WeftGridDef grid = weft_default_grid_def();
        grid.columns = 2, grid.rows = 8, grid.width = 0.1, grid.height = 0.4;
        WeftMesh mesh;
        CHECK(weft_make_grid(&grid, NULL, &mesh, NULL) == WEFT_OK);
        for (int i = 0; i < mesh.vertex_count; i++) {  // it hangs down from its first row
            mesh.positions[3 * i + 1] = mesh.positions[3 * i + 2];
            mesh.positions[3 * i + 2] = 0;
        }
        WeftClothDef cloth = weft_default_cloth_def();
        weft_use_mesh(&cloth, &mesh);
        WeftModelDef def = weft_default_model_def();
        def.cloths = &cloth, def.cloth_count = 1;
        WeftModel* model = NULL;
        WeftState* state = NULL;
        CHECK(weft_create_model(&def, &model, NULL) == WEFT_OK);
        CHECK(weft_create_state(model, &state, NULL) == WEFT_OK);
        for (int i = 0, made; i < 3; i++) {
            WeftAttachmentDef line = line_to(i, mesh.positions + 3 * i, 0, 0, 0.2);
            CHECK(mesh.positions[3 * i + 1] == 0);
            CHECK(weft_attach(state, &line, &made, NULL) == WEFT_OK);
        }
        WeftStepDef step = weft_default_step_def();
        step.method = kinds[m].method;
        step.quality = kinds[m].quality;
        step.air_density = 0;
        double lowest = 0, kinetic = 0;
        for (int k = 0; k < 60; k++) {
            CHECK(weft_step(state, &step) == WEFT_OK);
            WeftMeasure measure;
            CHECK(weft_measure(state, step.gravity, &measure) == WEFT_OK);
            lowest = fmin(lowest, weft_positions(state)[4]);
            if (k < 12) CHECK(measure.kinetic > kinetic);
            if (k > 13) CHECK_BELOW(measure.kinetic, 0.7 * kinetic);
            if (k < 12) kinetic = measure.kinetic;
        }
        CHECK_NEAR(lowest, -0.2, 2e-3);
        weft_destroy_state(state);
        weft_destroy_model(model);
        weft_destroy_mesh(&mesh);
        if (test_failures != before) printf("... with kind %d\n", m);
    }
}

// The stretch limit moves vertices behind the solve, and once made lines of 0.3 m 80 mm too long:
// cloth that hangs by two, whose ends move to and fro, and so does the wind. (Lines of explicit
// steps give, limit or not.)
static void beside_a_limit(void) {
    for (int w = 1; w < WAY_COUNT; w++) {
        int before = test_failures, limited = 0, over = 0;
        if (is_left_out(w)) continue;
        Swing s = swing_def(N, 100);
        ways[w].set(&s);
        s.cloth.stretch_limit = 1.05;
        s.step.air_density = 1.2;
        swing_open(&s);
        let_go(&s);
        double longest = 0;
        WeftAttachmentDef defs[2];
        int lines[2];
        for (int k = 0; k < 2; k++) {
            defs[k] = line_to(s.pins[k], place(&s, s.pins[k]), 0, 0.3, 0.3);
            lines[k] = attach(&s, &defs[k]);
        }
        for (int i = 0; i < 120; i++) {
            s.step.wind[2] = i < 40 ? 0 : 12 * sin(0.1 * i);
            for (int k = 0; k < 2; k++) {
                if (i > 40) defs[k].place[0] += 0.005 * sin(0.1 * (i - 40));
                weft_move_attachment(s.state, lines[k], defs[k].place);
            }
            take_steps(&s, 1);
            limited += weft_report(s.state)->limited_edges > 0;
            over += weft_report(s.state)->over_limit;
            for (int k = 0; k < 2; k++)
                longest = fmax(longest, distance(place(&s, s.pins[k]), defs[k].place) - 0.3);
        }
        CHECK_BELOW(longest, 5e-3);
        CHECK(limited > 10 && over == 0);
        swing_close(&s);
        check_way(w, before);
    }
}

// A hammock: lines from two sides, each to a place of its own, or all to one.
static void hangs_by_many(void) {
    for (int w = 1; w < WAY_COUNT; w++)
        for (int one = 0; one < 2; one++) {
            int before = test_failures, count = 0;
            if (is_single(w) || is_left_out(w)) continue;  // those of one solve swing on
            Swing s = open_hanging(w, N, 6);
            for (int i = 0; i < VERTICES; i++) {
                int column = i % N, row = i / N;
                if (column > 0 && column < N - 1) continue;
                WeftAttachmentDef def = at_vertex(i);
                def.here = false;
                def.place[0] = column ? 1.2 : -0.2;
                def.place[1] = 0.3;
                def.place[2] = one ? -0.5 : -row / 8.0;
                def.length = one ? 0.7 : 0.4;
                CHECK(attach(&s, &def) == count++);
            }
            take_steps(&s, 150);
            double up = 0, weight = 9.81 * 0.15;
            for (int t = 0; t < count; t++) {
                double force[3];
                weft_attachment_force(s.state, t, force);
                up += force[1];
                CHECK(force[1] >= -0.01 * weight);  // no line pushes
            }
            CHECK_NEAR(up, weight, 0.03 * weight);
            swing_close(&s);
            check_way(w, before);
        }
}

// What is slack is not there: the same bits, by every method.
static void slack_is_nothing(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        Swing s = open_way(w), without = open_way(w);
        WeftAttachmentDef def = at_vertex(4);
        def.length = 50;
        attach(&s, &def);
        take_steps(&s, 5);
        take_steps(&without, 5);
        CHECK_BELOW(apart(&s, &without), ways[w].set == symplectic ? 1e-15 : 1e-6);
        swing_close(&s);
        swing_close(&without);
    }
}

// A sheet that is drawn along by a cord of 0.3 m moves when the end has gone so far, and then is
// behind it by as much; the cord is in a triangle.
static void draws(void) {
    for (int w = 1; w < WAY_COUNT; w++) {
        int before = test_failures;
        Swing s = open_hanging(w, N, 2);
        memset(s.step.gravity, 0, sizeof s.step.gravity);
        WeftAttachmentDef def = in_triangle(&s, 5);
        def.length = 0.3;
        double end[3], point[3], from[3];
        point_of(&s, &def, from);
        memcpy(end, from, sizeof end);
        int a = attach(&s, &def);
        for (int k = 0; k < 100; k++) {
            end[0] -= 0.01;
            weft_move_attachment(s.state, a, end);
            take_steps(&s, 1);
            point_of(&s, &def, point);
            if (k == 28) CHECK_BELOW(distance(point, from), 1e-6);
        }
        CHECK(distance(point, end) > 0.25);  // it is thrown ahead a little
        CHECK_BELOW(distance(point, end), 0.3 + 2e-3);
        swing_close(&s);
        check_way(w, before);
    }
}

// Between two corners that are too far apart: they are brought within its length, and nothing else
// moves the cloth as a whole.
static void joins_cloth(void) {
    for (int w = 1; w < WAY_COUNT; w++) {
        int before = test_failures;
        Swing s = open_hanging(w, N, 0);
        memset(s.step.gravity, 0, sizeof s.step.gravity);
        WeftAttachmentDef def = at_vertex(0);
        def.to = WEFT_ATTACH_TO_CLOTH;
        def.other_vertices[0] = VERTICES - 1;
        def.length = 1.2;
        int a = attach(&s, &def);
        take_steps(&s, 20);
        double sum[3] = {0}, force[3];
        for (int i = 0; i < VERTICES; i++)
            for (int d = 0; d < 3; d++)
                sum[d] += weft_masses(s.model)[i] * weft_velocities(s.state)[3 * i + d];
        weft_attachment_force(s.state, a, force);
        CHECK_BELOW(distance(place(&s, 0), place(&s, VERTICES - 1)), 1.2 + 2e-3);
        double left = ways[w].set == relaxation ? 1e-3 : 1e-5;
        if (s.step.method == WEFT_METHOD_SMALL_STEPS) left = 5e-5;  // floats: 7e-5 m/s of a vertex
        for (int d = 0; d < 3; d++) CHECK_NEAR(sum[d], 0, left);
        swing_close(&s);
        check_way(w, before);
    }
}

static void breaks_or_gives(void) {
    for (int k = 0; k < 4; k++) {
        int breaks = k % 2;
        Swing s = open_hanging(k < 2 ? 6 : WAY_COUNT - 1, 5, 0);
        WeftAttachmentDef def = line_to(s.pins[0], place(&s, s.pins[0]), 0, 0.1, 0.2);
        double weight = 9.81 * 0.15, force[3] = {0}, most = 0;
        int broken = 0;
        def.most = weight / 2;
        def.breaks = breaks;
        int a = attach(&s, &def);
        for (int i = 0; i < 40; i++) {
            take_steps(&s, 1);
            weft_attachment_force(s.state, a, force);
            most =
                fmax(most, sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]));
            broken += weft_report(s.state)->broken;
        }
        CHECK(broken == breaks && weft_is_attached(s.state, a) == !breaks);
        if (!breaks) CHECK_NEAR(most, def.most, 0.02 * def.most);
        CHECK_BELOW(place(&s, s.pins[0])[1], -0.4);
        swing_close(&s);
    }
}

static double momentum_of(const Carried* c) {
    double sum = 0;
    for (int i = 0; i < 81; i++)
        sum += weft_masses(c->model)[i] * weft_velocities(c->state)[3 * i + 1];
    return sum;
}

// Lines to a body that turns, with contact: a small cloth that is carried over a floor. They and
// contact have the weight, and what changes the momentum.
static void from_a_body(void) {
    static const struct {
        WeftMethod method;
        int quality;
    } kinds[] = {{WEFT_METHOD_PREFACTORED, 1}, {WEFT_METHOD_PREFACTORED, 4},
                 {WEFT_METHOD_PREFACTORED, 7}, {WEFT_METHOD_IMPLICIT, 4},
                 {WEFT_METHOD_MATRIX_FREE, 4}, {WEFT_METHOD_RELAXATION, 4},
                 {WEFT_METHOD_SMALL_STEPS, 4}};
    for (int m = 0; m < 7; m++) {
        int before = test_failures;
        if ((m == 2 || m == 4) && !test_slow()) continue;
        Carried c = open_carried(WEFT_CONTACT_ALL);
        c.step.method = kinds[m].method;
        c.step.quality = kinds[m].quality;
        c.step.forces = true;
        c.step.air_density = 0;
        if (m == 5) c.step.iterations[0] = 20;
        static const int corners[4] = {0, 8, 72, 80};
        double force[3], up = 0, longest = 0, mass = 0, lift = 0, position[3] = {0.2, 0.3, -0.2};
        int lines[4];
        for (int k = 0; k < 4; k++) {
            WeftAttachmentDef def = at_vertex(corners[k]);
            def.to = WEFT_ATTACH_TO_BODY;
            def.here = false;
            def.place[0] = k % 2 ? 0.05 : -0.05;
            def.length = 0.6;
            CHECK(weft_attach(c.state, &def, &lines[k], NULL) == WEFT_OK);
        }
        const double turn[4] = {0, 0.6, 0, 0.8};
        for (int i = 0; i < 81; i++) mass += weft_masses(c.model)[i];
        for (int i = 0; i < 90; i++) {
            if (i < 30) position[1] += 0.01;
            weft_move_body(c.state, 0, position, turn);
            CHECK(weft_step(c.state, &c.step) == WEFT_OK);
            if (i == 59) lift = momentum_of(&c);
            for (int k = 0; k < 4 && i >= 60; k++) {
                weft_attachment_force(c.state, lines[k], force);
                up += force[1] / 30;
            }
            for (int body = 0; body < 2 && i >= 60; body++) {
                weft_contact_force(c.state, body, force, NULL);
                up -= force[1] / 30;
            }
        }
        lift = 2 * (momentum_of(&c) - lift);  // in half a second
        for (int k = 0; k < 4; k++) {
            const double end[3] = {position[0] + (k % 2 ? 0.05 : -0.05) * 0.28, position[1],
                                   position[2] - (k % 2 ? 0.05 : -0.05) * 0.96};
            longest = fmax(longest, distance(weft_positions(c.state) + 3 * corners[k], end));
        }
        CHECK_NEAR(up, 9.81 * mass + lift, 9.81 * mass * (m == 5 ? 0.1 : 0.03));
        CHECK_NEAR(longest, 0.6, 2e-3);
        close_carried(&c);
        if (test_failures != before) printf("... with kind %d\n", m);
    }
}

// Half of a cloth on lines at both sides, and at its middle, as the whole.
static void mirrored_by(WeftMethod method, double apart, double off) {
    WeftMesh mesh = mirrored_grid(6, 4);
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &mesh);
    int side = -1, middle = -1;
    for (int i = 0; i < mesh.vertex_count; i++) {
        const double* x = mesh.positions + 3 * i;
        if (fabs(x[0] - 0.5) < 1e-9 && fabs(x[2]) < 1e-9) side = i;
        if (fabs(x[0]) < 1e-9 && fabs(x[2] + 1) < 1e-9) middle = i;
    }
    WeftModel* models[2];
    WeftState* states[2];
    double force[2][3];
    for (int half = 0; half < 2; half++) {
        WeftModelDef def = weft_default_model_def();
        def.cloths = &cloth, def.cloth_count = 1;
        def.mirror.kind = half ? WEFT_MIRROR_EXACT : WEFT_MIRROR_WHOLE;
        CHECK(weft_create_model(&def, &models[half], NULL) == WEFT_OK);
        CHECK(weft_create_state(models[half], &states[half], NULL) == WEFT_OK);
        int unused, a;
        for (int image = 0; image < 2 - half; image++) {
            WeftAttachmentDef at = line_to(image ? side : mesh.images[side],
                                           mesh.positions + 3 * (image ? side : mesh.images[side]),
                                           image ? 0.1 : -0.1, 0.1, 0.25);
            CHECK(weft_attach(states[half], &at, &unused, NULL) == WEFT_OK);
        }
        WeftAttachmentDef at = line_to(middle, mesh.positions + 3 * middle, 0, 0.1, 0.2);
        CHECK(weft_attach(states[half], &at, &a, NULL) == WEFT_OK);
        WeftStepDef step = weft_default_step_def();
        step.method = method;
        step.scheme = WEFT_SCHEME_JAJ;
        step.tolerance = 1e-11;
        for (int k = 0; k < 25; k++) CHECK(weft_step(states[half], &step) == WEFT_OK);
        weft_attachment_force(states[half], a, force[half]);
    }
    double most = 0;
    for (int i = 0; i < 3 * mesh.vertex_count; i++)
        most = fmax(most, fabs(weft_positions(states[0])[i] - weft_positions(states[1])[i]));
    CHECK_BELOW(most, apart);
    for (int d = 0; d < 3; d++) CHECK_NEAR(force[0][d], force[1][d], off);
    CHECK(force[0][1] > 0.05);
    for (int half = 0; half < 2; half++) {
        weft_destroy_state(states[half]);
        weft_destroy_model(models[half]);
    }
    weft_destroy_mesh(&mesh);
}

static void mirrored(void) {
    mirrored_by(WEFT_METHOD_IMPLICIT, 1e-5, 1e-3);
    mirrored_by(WEFT_METHOD_SMALL_STEPS, 3e-3, 0.05);
}

static void saved_and_continued(void) {
    Swing s = open_hanging(6, N, 0), again = open_hanging(6, N, 0), other = open_hanging(6, N, 0);
    WeftAttachmentDef def = line_to(s.pins[0], place(&s, s.pins[0]), 0, 0.1, 0.3);
    attach(&s, &def);
    take_steps(&s, 25);
    size_t bytes_size = weft_saved_size(s.state);
    unsigned char* bytes = malloc(bytes_size);
    weft_save_state(s.state, bytes);
    CHECK(weft_load_state(again.state, bytes, bytes_size, NULL) == WEFT_OK);
    weft_continue_state(other.state, s.state);
    take_steps(&s, 6);
    take_steps(&again, 6);
    take_steps(&other, 6);
    CHECK(weft_hash_state(again.state) == weft_hash_state(s.state));
    CHECK_BELOW(distance(place(&other, s.pins[0]), def.place), 0.302);
    CHECK_BELOW(place(&other, 0)[1], -0.3);
    free(bytes);
    swing_close(&s);
    swing_close(&again);
    swing_close(&other);
}

static void refused(void) {
    Swing s = open_way(6);
    WeftAttachmentDef def = at_vertex(3);
    WeftError error;
    int made;
    def.length = -0.1;
    CHECK(weft_attach(s.state, &def, &made, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "length of -0.1");
    def.length = (double)NAN;
    CHECK(weft_attach(s.state, &def, &made, &error) == WEFT_ERROR_INPUT);
    swing_close(&s);
}

TEST_MAIN(CASE(carries_weight), CASE(swings), CASE(catches), CASE(beside_a_limit),
          SLOW_CASE(hangs_by_many), CASE(slack_is_nothing), CASE(draws), CASE(joins_cloth),
          CASE(breaks_or_gives), SLOW_CASE(from_a_body), CASE(mirrored), CASE(saved_and_continued),
          CASE(refused))

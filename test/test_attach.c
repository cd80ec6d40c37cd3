// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards attachments: their energy by finite differences; rigid ones against pins, springs of every
// stiffness against what they must carry, in every method; bounds, breaks, both ends in cloth.

#include "attach_test.h"
#include "energy/tie.h"

// ---------------------------------------------------------------------------------------------
// The energy

static void energy_force_stiffness(void) {
    for (int kind = 0; kind < 4; kind++) {
        bool bounded = kind % 2, line = kind / 2;
        WfTie tie = {.count = 3,
                     .is_line = line,
                     .normal = {0.6, 0, -0.8},
                     .across = 7,
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
    static const int places[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    for (int line = 0; line < 2; line++) {
        int start[5] = {0, 1, 1, 1, 1}, index[1] = {2};  // rows 0 and 2 are joined
        WfBlockPattern pattern = {4, start, index};
        double diagonal[24] = {0}, upper[9] = {0}, p[12], q[12] = {0}, all[12] = {0};
        WfBlockMatrix blocks = {&pattern, diagonal, upper};
        WfTie tie = {.count = 3,
                     .vertices = {2, 3, 0},
                     .weights = {0.6, -1, 0.4},
                     .slope = 20,
                     .is_line = line,
                     .normal = {0.48, -0.6, 0.64},
                     .across = 3};
        WfTies ties = {.count = 1, .all = &tie};
        for (int i = 0; i < 12; i++) p[i] = sin(i + 1.0);
        wf_ties_blocks(&ties, 3, &blocks);
        CHECK(wf_ties_are_outside(&ties));
        wf_ties_product(&ties, 3, p, all);
        wf_ties_add_outside(&ties, 3, p, q);
        for (int d = 0; d < 3; d++)
            for (int e = 0; e < 3; e++) {
                for (int i = 0; i < 4; i++)
                    q[3 * i + d] += diagonal[6 * i + places[3 * d + e]] * p[3 * i + e];
                q[d] += upper[3 * d + e] * p[6 + e];
                q[6 + d] += upper[3 * e + d] * p[e];
            }
        for (int i = 0; i < 12; i++) CHECK_NEAR(q[i], all[i], 1e-12);
    }
}

// ---------------------------------------------------------------------------------------------
// Rigid

// Held by attachments at two corners, rigidly or by springs that are as good as that, cloth swings
// as it does by pins there.
static void rigid_as_pins(void) {
    static const double stiffness[] = {0, 1e9, 1e15};
    for (int k = 0; k < 3 * WAY_COUNT; k++) {
        int before = test_failures, w = k / 3;
        Swing pinned = open_way(w), s = open_way(w);
        let_go(&s);
        int corners[2];
        for (int p = 0; p < 2; p++) {
            WeftAttachmentDef def = at_vertex(s.pins[p]);
            def.stiffness = stiffness[k % 3];
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

// Soft, stiff, so stiff that solves would be lost in it, and rigid: once at rest it carries the
// weight, and the cloth hangs by it as by a pin.
static void every_stiffness(void) {
    static const double all[][2] = {{3, 0},       {1e5, 1e4}, {1e9, 0},
                                    {1e12, 1e11}, {1e15, 0},  {0, 0}};  // and damping
    for (int w = 0; w < WAY_COUNT; w++)
        for (int k = 0; k < 6; k++) {
            int before = test_failures;
            Swing s = swing_def(4, 20);
            ways[w].set(&s);
            s.cloth.fabric.mass_damping = 6;
            swing_open(&s);
            let_go(&s);
            double x[3 * 16];  // not at 0, where small distances have many digits
            for (int i = 0; i < 3 * 16; i++) x[i] = weft_positions(s.state)[i] + 0.7;
            weft_set_positions(s.state, x);
            WeftAttachmentDef def = at_vertex(s.pins[0]);
            def.stiffness = all[k][0];
            def.damping = all[k][1];
            int a = attach(&s, &def);
            double force[3], from[3], weight = 0.15 * 9.81;
            memcpy(from, place(&s, s.pins[0]), sizeof from);
            take_steps(&s, 300);
            weft_attachment_force(s.state, a, force);
            CHECK_NEAR(force[1], weight, 0.01 * weight);
            double longer = def.stiffness > 0 ? weight / def.stiffness : 0;
            CHECK_NEAR(place(&s, s.pins[0])[1], from[1] - longer, 5e-3);
            swing_close(&s);
            if (test_failures != before) printf("... with %g N/m\n", all[k][0]);
            check_way(w, before);
        }
}

// Small steps of cloth that has coarse levels: by corners that are pins of the step, and by points
// of triangles, which levels do not know.
static void carries_with_levels(void) {
    for (int inside = 0; inside < 2; inside++) {
        Swing s = swing_def(33, 100);
        small_steps(&s);
        s.cloth.fabric.stretch_warp = s.cloth.fabric.stretch_weft = 1000;
        s.cloth.fabric.mass_damping = 8;
        swing_open(&s);
        let_go(&s);
        double sum = 0, weight = 0.15 * 9.81;
        int made[2];
        for (int p = 0; p < 2; p++) {
            int count = s.mesh.triangle_count;
            WeftAttachmentDef def =
                inside ? in_triangle(&s, p ? count - 1 : count - 64) : at_vertex(s.pins[p]);
            made[p] = attach(&s, &def);
        }
        take_steps(&s, 180);
        for (int k = 0; k < 60; k++) {
            take_steps(&s, 1);
            for (int p = 0; p < 2; p++) {
                double force[3];
                weft_attachment_force(s.state, made[p], force);
                CHECK(force[1] > 0.3 * weight);
                sum += force[1] / 60;
            }
        }
        CHECK_NEAR(sum, weight, 0.02 * weight);
        WeftMeasure measure;
        CHECK(weft_measure(s.state, s.step.gravity, &measure) == WEFT_OK);
        printf("    %s: %.4g N for %.4g, stretch %.4g\n", inside ? "inside" : "corners", sum,
               weight, measure.max_stretch);
        CHECK_BELOW(measure.max_stretch, inside ? 1.1 : 1.05);
        swing_close(&s);
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
    for (int k = 0; k < 4; k++) {
        int strong = k % 2;
        Swing s = open_way(k < 2 ? 6 : WAY_COUNT - 1);
        let_go(&s);
        WeftAttachmentDef def = at_vertex(s.pins[0]);
        def.most = weight_of(&s) * (strong ? 20 : 0.5);
        int a = attach(&s, &def), broken = 0;
        for (int i = 0; i < 40; i++) {
            take_steps(&s, 1);
            broken += weft_report(s.state)->broken;
        }
        CHECK(broken == !strong);
        CHECK(weft_is_attached(s.state, a) == (bool)strong);
        if (!strong) CHECK_BELOW(place(&s, s.pins[0])[1], -0.5);
        double force[3];
        weft_attachment_force(s.state, a, force);
        CHECK((force[1] != 0) == (bool)strong);  // what is broken does not pull
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
        bool sweeps = ways[w].set == relaxation || ways[w].set == small_steps;
        double left = sweeps ? 1e-4 : 1e-6;
        for (int d = 0; d < 3; d++) CHECK_NEAR(sum[d], 0, left);
        swing_close(&s);
        check_way(w, before);
    }
}

TEST_MAIN(CASE(energy_force_stiffness), CASE(inside_and_outside), CASE(rigid_as_pins),
          CASE(carries_with_levels), CASE(point_in_triangle), CASE(methods_agree),
          SLOW_CASE(spring_carries_weight), SLOW_CASE(every_stiffness), CASE(bounded_force),
          CASE(breaks_above_its_force), CASE(cloth_to_cloth))

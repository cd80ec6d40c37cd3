// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards bars: what ropes of Green's and of logarithmic strain weigh against a pull, who takes
// them, and what is refused. (Forces and Jacobians by differences: test_energy.c.)

#include "energy_test.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

static const WeftStrain strains[] = {WEFT_STRAIN_ENGINEERING, WEFT_STRAIN_GREEN,
                                     WEFT_STRAIN_LOGARITHMIC};
enum { STRAIN_COUNT = 3, SEGMENTS = 10 };
static const double STIFFNESS = 50;  // N

typedef struct Rope {
    WeftMesh mesh;
    WeftClothDef cloth;
    WeftStepDef step;
    int pin;
    WeftModel* model;
    WeftState* state;
} Rope;

static void close_rope(Rope* rope) {
    weft_destroy_state(rope->state);
    weft_destroy_model(rope->model);
    weft_destroy_mesh(&rope->mesh);
}

// A rope of a metre that is held at one end. Call open_rope when all is set.
static void make_rope(WeftStrain strain, Rope* rope) {
    *rope = (Rope){.cloth = weft_default_cloth_def(), .step = weft_default_step_def()};
    WeftRopeDef def = {1, SEGMENTS};
    CHECK(weft_make_rope(&def, NULL, &rope->mesh, NULL) == WEFT_OK);
    weft_use_mesh(&rope->cloth, &rope->mesh);
    rope->cloth.fabric.rope_stretch = STIFFNESS;
    rope->cloth.fabric.rope_density = 0.1;
    rope->cloth.fabric.rope_bend = 0;
    rope->cloth.rope_strain = strain;
    rope->cloth.pins = &rope->pin;
    rope->cloth.pin_count = 1;
    rope->step.method = WEFT_METHOD_IMPLICIT;
    rope->step.order = rope->step.substeps = 1;
    rope->step.air_density = 0;
}

static WeftResult open_rope(Rope* rope, WeftError* error) {
    WeftModelDef def = weft_default_model_def();
    def.cloths = &rope->cloth;
    def.cloth_count = 1;
    def.step = rope->step;
    WeftResult result = weft_create_model(&def, &rope->model, error);
    return result ? result : weft_create_state(rope->model, &rope->state, error);
}

static void rope_is_open(Rope* rope) {
    WeftError error = {0};
    if (!CHECK(open_rope(rope, &error) == WEFT_OK)) printf("    %s\n", error.message);
}

// the force that stretches by s = l/L
static double force_of(WeftStrain strain, double s) {
    switch (strain) {
        case WEFT_STRAIN_GREEN:
            return STIFFNESS * s * (s * s - 1) / 2;
        case WEFT_STRAIN_LOGARITHMIC:
            return STIFFNESS * log(s) / s;
        default:
            return STIFFNESS * (s - 1);
    }
}

// A rope that hangs still: every segment carries what is below it.
static void hangs(void) {
    for (int k = 0; k < STRAIN_COUNT; k++) {
        Rope rope;
        make_rope(strains[k], &rope);
        rope.step.gravity[0] = 70, rope.step.gravity[1] = 0;  // along the rope; strains of 0.1
        rope.step.dt = 1;
        rope.step.newton_steps = 50;
        rope.step.newton_tolerance = rope.step.tolerance = 1e-12;
        rope_is_open(&rope);
        for (int i = 0; i < 40; i++) CHECK(weft_step(rope.state, &rope.step) == 0);
        const double *x = weft_positions(rope.state), *masses = weft_masses(rope.model);
        double below = 0;
        for (int i = SEGMENTS; i > 0; i--) {
            below += 70 * masses[i];
            double s = (x[3 * i] - x[3 * i - 3]) * SEGMENTS;
            CHECK_NEAR(force_of(strains[k], s), below, 1e-6);
        }
        CHECK_BELOW(0.1, (x[3] - x[0]) * SEGMENTS - 1);
        close_rope(&rope);
    }
}

// The energies of a metre, and that all are the same where the strain is small.
static void energies(void) {
    const double stretches[] = {1.0001, 0.9999, 1.5, 0.5, 4, 0.1};
    for (int i = 0; i < 6; i++) {
        double s = stretches[i], energy[STRAIN_COUNT];
        for (int k = 0; k < STRAIN_COUNT; k++) {
            Rope rope;
            make_rope(strains[k], &rope);
            rope_is_open(&rope);
            for (int v = 0; v <= SEGMENTS; v++) rope.mesh.positions[3 * v] *= s;
            weft_set_positions(rope.state, rope.mesh.positions);
            const double none[3] = {0, 0, 0};
            WeftMeasure measure;
            CHECK(weft_measure(rope.state, none, &measure) == WEFT_OK);
            energy[k] = measure.stretch;
            close_rope(&rope);
        }
        double green = (s * s - 1) / 2, logarithm = log(s);
        CHECK_NEAR(energy[0], STIFFNESS / 2 * (s - 1) * (s - 1), 1e-12);
        CHECK_NEAR(energy[1], STIFFNESS / 2 * green * green, 1e-12 * (1 + energy[1]));
        CHECK_NEAR(energy[2] / (STIFFNESS / 2 * logarithm * logarithm), 1, 1e-6);
        if (i > 1) continue;
        for (int k = 1; k < STRAIN_COUNT; k++) CHECK_NEAR(energy[k] / energy[0], 1, 2e-4);
    }
}

// The explicit method's substeps are short enough, and all methods go about the same way.
static void every_method(void) {
    const WeftMethod methods[] = {WEFT_METHOD_IMPLICIT, WEFT_METHOD_MATRIX_FREE,
                                  WEFT_METHOD_RELAXATION, WEFT_METHOD_SYMPLECTIC};
    for (int k = 1; k < STRAIN_COUNT; k++) {
        double ends[4];
        for (int m = 0; m < 4; m++) {
            Rope rope;
            make_rope(strains[k], &rope);
            bool explicit_method = methods[m] == WEFT_METHOD_SYMPLECTIC;
            rope.step.method = methods[m];
            rope.step.dt = 1.0 / 240;
            if (explicit_method) rope.step.order = rope.step.substeps = 0;
            if (methods[m] == WEFT_METHOD_RELAXATION) rope.step.iterations[0] = 60;
            rope_is_open(&rope);
            WeftMeasure measure;
            weft_measure(rope.state, rope.step.gravity, &measure);
            double start = measure.total;
            for (int i = 0; i < 120; i++) {
                CHECK(weft_step(rope.state, &rope.step) == WEFT_OK);
                weft_measure(rope.state, rope.step.gravity, &measure);
                CHECK_BELOW(measure.total, start + (explicit_method ? 2e-3 : 1e-9));
            }
            ends[m] = weft_positions(rope.state)[3 * SEGMENTS + 1];
            close_rope(&rope);
        }
        CHECK(ends[0] < -0.8);
        CHECK_NEAR(ends[1], ends[0], 1e-3);
        CHECK_NEAR(ends[2], ends[0], 0.05);
        CHECK_NEAR(ends[3], ends[0], 0.1);
    }
}

// The matrix that the explicit method goes by is above the stiffness of what is stretched or
// pressed by a fifth.
static void bounded_up_to_a_stretch(void) {
    WeftAllocator allocator = plain_allocator();
    for (int k = 1; k < STRAIN_COUNT; k++)
        for (int pressed = 0; pressed < 2; pressed++) {
            Rope rope;
            make_rope(strains[k], &rope);
            TestCloth cloth = {.mesh = rope.mesh, .def = rope.cloth};
            open_cloth(&cloth);
            WfClothParts parts = cloth_parts(&cloth, &cloth.def);
            TestTerm* t = open_term(wf_bar_create(&allocator, &parts), cloth.rows);
            for (int i = 0; i <= SEGMENTS; i++)
                t->x[3 * (ROWS_BEFORE + i)] = i * (pressed ? 0.8 : 1.28) / SEGMENTS;
            copy_doubles(t->x1, t->x, t->n);
            begin_term(t, 0.01, 1);
            t->term->type->evaluate(t->term, &t->space, t->x, WF_WANT_LINEARISE, 1, NULL);
            double *A = dense_majorant(t), *K = dense_product(t);
            for (long i = 0; i < (long)t->n * t->n; i++) A[i] -= K[i];
            CHECK(is_positive(A, t->n, 1e-10));
            free(A), free(K);
            close_term(t);
            close_cloth(&cloth);
        }
}

static void refused(void) {
    for (int k = 1; k < STRAIN_COUNT; k++) {
        Rope rope;
        WeftError error = {0};
        make_rope(strains[k], &rope);
        rope.step.method = WEFT_METHOD_PREFACTORED;
        rope.step.order = rope.step.substeps = 0;
        CHECK(open_rope(&rope, &error) == WEFT_ERROR_COMBINATION);
        CHECK_TEXT(error.message, "cloth 0: no constant matrix bounds the bar");
        CHECK_TEXT(error.message, "use ropes of engineering strain, or the implicit method");
        close_rope(&rope);
    }
}

TEST_MAIN(CASE(hangs), CASE(energies), CASE(every_method), CASE(bounded_up_to_a_stretch),
          CASE(refused))

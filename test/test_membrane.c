// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards membranes: that strips of any mesh have the Young's modulus and Poisson's ratio they were
// given, that cloth hangs alike on any mesh, that nothing gains energy, and who takes them. (Forces
// and Jacobians by differences: test_energy.c.)

#include "energy/estimator.h"
#include "energy_test.h"
#include "material/elastic.h"
#include "swing.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

static const WeftStretch kinds[] = {WEFT_STRETCH_BIQUADRATIC, WEFT_STRETCH_QUADRATIC,
                                    WEFT_STRETCH_CAUCHY};
enum { KIND_COUNT = 3 };

// ---------------------------------------------------------------------------------------------
// Meshes

static WeftResult make_grid(WeftGridKind kind, WeftMesh* mesh) {
    WeftGridDef def = {.width = 1, .height = 1, .columns = 6, .rows = 6, .kind = kind};
    return weft_make_grid(&def, NULL, mesh, NULL);
}
static WeftResult alternating(WeftMesh* mesh) { return make_grid(WEFT_GRID_ALTERNATING, mesh); }
static WeftResult one_way(WeftMesh* mesh) { return make_grid(WEFT_GRID_ONE_WAY, mesh); }
static WeftResult equilateral(WeftMesh* mesh) {
    WeftRegularDef def = {.width = 1, .height = 1, .edge = 0.18};
    return weft_make_regular(&def, NULL, mesh, NULL);
}
static WeftResult irregular(WeftMesh* mesh) {
    return weft_make_rectangle(1, 1, 0.17, NULL, mesh, NULL);
}

static WeftResult (*const meshes[])(WeftMesh*) = {alternating, one_way, equilateral, irregular};
enum { MESH_COUNT = 4, IRREGULAR = 3 };

static TestCloth make_cloth(int mesh, WeftStretch stretch) {
    TestCloth cloth = {.def = weft_default_cloth_def()};
    CHECK(meshes[mesh](&cloth.mesh) == WEFT_OK);
    weft_use_mesh(&cloth.def, &cloth.mesh);
    cloth.def.stretch = stretch;
    open_cloth(&cloth);
    return cloth;
}

static TestTerm* make_term(const TestCloth* cloth) {
    WeftAllocator allocator = plain_allocator();
    WfClothParts parts = cloth_parts(cloth, &cloth->def);
    bool springs = cloth->def.stretch == WEFT_STRETCH_SPRINGS;
    TestTerm* t = open_term((springs ? wf_spring_create : wf_membrane_create)(&allocator, &parts),
                            cloth->rows);
    copy_doubles(t->x + 3 * ROWS_BEFORE, cloth->def.positions, 3L * cloth->def.vertex_count);
    copy_doubles(t->x1, t->x, t->n);
    begin_term(t, 0.01, 1);
    return t;
}

// x -> F x in the plane, rows of F by material u and v
static void stretch_by(const TestCloth* cloth, TestTerm* t, const double F[4]) {
    for (int i = 0; i < cloth->def.vertex_count; i++) {
        const double* m = cloth->def.material + 2 * (long)i;
        wf_store(t->x, ROWS_BEFORE + i,
                 (WfVec){F[0] * m[0] + F[1] * m[1], 0, -(F[2] * m[0] + F[3] * m[1])});
    }
}

// ---------------------------------------------------------------------------------------------
// The energy is what it says

// The stiffnesses of the edges of an isotropic triangle and between them, by the angles.
static double delingette(const double* corners, const double* x, const int* v, double E, double nu,
                         bool quadratic) {
    double cot[3], q[3], area = 0, energy = 0;
    for (int e = 0; e < 3; e++) {
        const double *o = corners + 2 * e, *f = corners + 2 * ((e + 1) % 3),
                     *g = corners + 2 * ((e + 2) % 3);
        double cross = (f[0] - o[0]) * (g[1] - o[1]) - (f[1] - o[1]) * (g[0] - o[0]);
        double dot = (f[0] - o[0]) * (g[0] - o[0]) + (f[1] - o[1]) * (g[1] - o[1]);
        double L = hypot(f[0] - g[0], f[1] - g[1]);
        double l = wf_length(wf_sub(wf_load(x, v[(e + 1) % 3]), wf_load(x, v[(e + 2) % 3])));
        area = fabs(cross) / 2;
        cot[e] = dot / fabs(cross);
        q[e] = quadratic ? 2 * L * (l - L) : l * l - L * L;
    }
    for (int e = 0; e < 3; e++) {
        int f = (e + 1) % 3, g = (e + 2) % 3;
        double factor = E / (16 * (1 - nu * nu) * area);
        energy += factor * (2 * cot[e] * cot[e] + 1 - nu) * q[e] * q[e] / 4;
        energy += factor * (2 * cot[f] * cot[g] + nu - 1) * q[f] * q[g] / 2;
    }
    return energy;
}

static void isotropic_stiffness(void) {
    const double nus[] = {0, 0.3, 0.95};
    for (int i = 0; i < 3 * MESH_COUNT * 2; i++) {
        bool quadratic = i & 1;
        TestCloth cloth = make_cloth(i / 2 % MESH_COUNT,
                                     quadratic ? WEFT_STRETCH_QUADRATIC : WEFT_STRETCH_BIQUADRATIC);
        double nu = nus[i / 2 / MESH_COUNT], expected = 0;
        weft_set_isotropic(&cloth.def.fabric, 70, nu);
        CHECK(cloth.def.fabric.stretch_warp == 70 && cloth.def.fabric.stretch_weft == 70);
        CHECK(cloth.def.fabric.poisson == nu);
        TestTerm* t = make_term(&cloth);
        for (int k = 0; k < t->n; k++) t->x[k] += 0.05 * random_unit();
        for (int e = 0; e < cloth.def.triangle_count; e++)
            expected += delingette(cloth.rest.corners + 6 * (long)e, t->x + 3 * ROWS_BEFORE,
                                   cloth.def.triangles + 3 * (long)e, 70, nu, quadratic);
        CHECK_NEAR(energy_at(t, t->x), expected, 1e-12 * expected);
        close_term(t);
        close_cloth(&cloth);
    }
}

// A/2 eps : C : eps of different warp and weft, on any mesh.
static void orthotropic_stiffness(void) {
    const double F[4] = {1.2, 0.15, -0.05, 0.9};
    double uu = (F[0] * F[0] + F[2] * F[2] - 1) / 2, vv = (F[1] * F[1] + F[3] * F[3] - 1) / 2;
    double uv = (F[0] * F[1] + F[2] * F[3]) / 2;
    for (int m = 0; m < MESH_COUNT; m++) {
        TestCloth cloth = make_cloth(m, WEFT_STRETCH_BIQUADRATIC);
        cloth.def.fabric.stretch_warp = 300;
        cloth.def.fabric.stretch_weft = 90;
        cloth.def.fabric.poisson = 0.4;
        cloth.def.fabric.shear = 35;
        WfElastic C = wf_fabric_elastic(&cloth.def.fabric);
        TestTerm* t = make_term(&cloth);
        stretch_by(&cloth, t, F);
        double expected =
            (C.c11 * uu * uu + 2 * C.c12 * uu * vv + C.c22 * vv * vv + 2 * C.c33 * uv * uv) / 2;
        CHECK_NEAR(energy_at(t, t->x), expected, 1e-12 * expected);
        close_term(t);
        close_cloth(&cloth);
    }
}

// Close to the start all three are the same; the Cauchy strain stays so, and is wrong where the
// cloth turns: it then has an energy without being strained.
static void all_agree_at_the_start(void) {
    double* K[KIND_COUNT];
    for (int k = 0; k < KIND_COUNT; k++) {
        TestCloth cloth = make_cloth(IRREGULAR, kinds[k]);
        TestTerm* t = make_term(&cloth);
        unsigned want = WF_WANT_LINEARISE | WF_WANT_EXACT;
        t->term->type->evaluate(t->term, &t->space, t->x, want, 1, NULL);
        K[k] = dense_product(t);
        long size = (long)t->n * t->n;
        double difference = largest_difference(K[k], K[0], size);
        CHECK_BELOW(difference, 1e-11 * largest(K[0], size));
        for (int i = 0; i < t->rows; i++)
            wf_store(t->x, i, wf_rotate((WfVec){0.3, 0.1, 0.2}, wf_load(t->x, i)));
        double turned = energy_at(t, t->x);
        t->term->type->evaluate(t->term, &t->space, t->x, want, 1, NULL);
        double* after = dense_product(t);
        bool cauchy = kinds[k] == WEFT_STRETCH_CAUCHY;
        CHECK(cauchy == (turned > 1e-3));
        CHECK(cauchy == (largest_difference(after, K[k], size) < 1e-11 * largest(after, size)));
        free(after);
        close_term(t);
        close_cloth(&cloth);
    }
    for (int k = 0; k < KIND_COUNT; k++) free(K[k]);
}

// A triangle is as stiff as the mean of its vertices.
static void scaled(void) {
    const double F[4] = {1.1, 0, 0, 1};
    double scales[64], energies[2];
    for (int round = 0; round < 2; round++) {
        TestCloth cloth = make_cloth(0, WEFT_STRETCH_BIQUADRATIC);
        for (int i = 0; i < cloth.def.vertex_count; i++)
            scales[i] = 1 + 3 * cloth.def.material[2 * (long)i];  // 1 to 4 along the warp
        if (round) cloth.def.stretch_scale = scales;
        TestTerm* t = make_term(&cloth);
        stretch_by(&cloth, t, F);
        energies[round] = energy_at(t, t->x);
        close_term(t);
        close_cloth(&cloth);
    }
    CHECK_NEAR(energies[1], 2.5 * energies[0], 1e-12 * energies[0]);
}

// The matrix that the explicit method goes by is above the stiffness of stretched cloth, too.
static void bounded_up_to_a_stretch(void) {
    for (int i = 0; i < KIND_COUNT * MESH_COUNT * 4; i++) {
        TestCloth cloth = make_cloth(i / KIND_COUNT % MESH_COUNT, kinds[i % KIND_COUNT]);
        int shape = i / KIND_COUNT / MESH_COUNT;
        weft_set_isotropic(&cloth.def.fabric, 70, shape & 1 ? 0.3 : 0.9);
        TestTerm* t = make_term(&cloth);
        const double F[4] = {1.28, 0, 0, shape < 2 ? 1.28 : 0.8};
        stretch_by(&cloth, t, F);
        t->term->type->evaluate(t->term, &t->space, t->x, WF_WANT_LINEARISE, 1, NULL);
        double *A = dense_majorant(t), *K = dense_product(t);
        for (long k = 0; k < (long)t->n * t->n; k++) A[k] -= K[k];
        CHECK(is_positive(A, t->n, 1e-10));
        free(A), free(K);
        close_term(t);
        close_cloth(&cloth);
    }
}

// ---------------------------------------------------------------------------------------------
// A strip pulled along the warp, free to contract

// which coordinates are held
static unsigned char* hold_strip(const TestCloth* cloth, const TestTerm* t) {
    unsigned char* held = calloc((size_t)t->n, 1);
    memset(held, 1, 3 * ROWS_BEFORE);
    memset(held + t->n - 3 * ROWS_AFTER, 1, 3 * ROWS_AFTER);
    for (int i = 0; i < cloth->def.vertex_count; i++) {
        const double* m = cloth->def.material + 2 * (long)i;
        unsigned char* h = held + 3 * (ROWS_BEFORE + i);
        h[0] = m[0] < 1e-9 || m[0] > 1 - 1e-9;
        h[1] = 1;
        h[2] = m[1] < 1e-9;
    }
    return held;
}

// One Newton step with the dense stiffness; returns the largest force before it.
static double relax(TestTerm* t, const unsigned char* held, double* f) {
    int n = t->n;
    memset(f, 0, (size_t)n * sizeof *f);
    t->term->type->evaluate(t->term, &t->space, t->x, WF_WANT_FORCE | WF_WANT_LINEARISE, 1, f);
    double *K = dense_product(t), *b = new_doubles(n);
    for (int i = 0; i < n; i++) b[i] = held[i] ? 0 : f[i];
    double force = largest(b, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (held[i] || held[j]) K[(long)i * n + j] = i == j;
    CHECK(is_positive(K, n, 1e-14));  // leaves the factor in the lower half
    for (int i = 0; i < n; b[i] /= K[(long)i * n + i], i++)
        for (int j = 0; j < i; j++) b[i] -= K[(long)i * n + j] * b[j];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) b[i] -= K[(long)j * n + i] * b[j];
        b[i] /= K[(long)i * n + i];
    }
    for (int i = 0; i < n; i++) t->x[i] += b[i];
    free(K), free(b);
    return force;
}

typedef struct Strip {
    double stress;       // N/m of the flat width
    double contraction;  // of the width
} Strip;

static Strip pull(int mesh, WeftStretch stretch, double E, double nu, double strain) {
    TestCloth cloth = make_cloth(mesh, stretch);
    weft_set_isotropic(&cloth.def.fabric, E, nu);
    TestTerm* t = make_term(&cloth);
    const double F[4] = {1 + strain, 0, 0, 1};
    stretch_by(&cloth, t, F);
    unsigned char* held = hold_strip(&cloth, t);
    double *f = new_doubles(t->n), force = 1;
    for (int k = 0; k < 100 && force > 1e-14 * E; k++) force = relax(t, held, f);
    CHECK_BELOW(force, 1e-12 * E);
    Strip strip = {0};
    int far = 0;
    for (int i = 0; i < cloth.def.vertex_count; i++) {
        const double* m = cloth.def.material + 2 * (long)i;
        long k = 3L * (ROWS_BEFORE + i);
        if (m[0] > 1 - 1e-9) strip.stress -= f[k];
        if (m[1] < 1 - 1e-9) continue;
        strip.contraction += 1 + t->x[k + 2];
        far++;
    }
    strip.contraction /= far;
    free(held), free(f);
    close_term(t);
    close_cloth(&cloth);
    return strip;
}

// St Venant-Kirchhoff: nominal stress (1 + e) E (e + e^2/2), and the width that goes with it.
static void strips(void) {
    const double nus[] = {0.2, 0.3, 0.49, 0.95}, e = 1e-3, E = 100;
    for (int i = 0; i < 4 * MESH_COUNT; i++) {
        double nu = nus[i / MESH_COUNT], narrower = 1 - sqrt(1 - nu * (2 * e + e * e));
        Strip strip = pull(i % MESH_COUNT, WEFT_STRETCH_BIQUADRATIC, E, nu, e);
        CHECK_NEAR(strip.stress / (E * e * (1 + e) * (1 + e / 2)), 1, 1e-6);
        CHECK_NEAR(strip.contraction / narrower, 1, 1e-6);
        // linear strain: exactly Hooke
        Strip linear = pull(i % MESH_COUNT, WEFT_STRETCH_CAUCHY, E, nu, e);
        CHECK_NEAR(linear.stress / (E * e), 1, 1e-6);
        CHECK_NEAR(linear.contraction / (nu * e), 1, 1e-6);
        // by lengths: Hooke, up to a second order of the strain that the mesh decides
        Strip lengths = pull(i % MESH_COUNT, WEFT_STRETCH_QUADRATIC, E, nu, e);
        CHECK_NEAR(lengths.stress / (E * e), 1, 5e-4);
        CHECK_NEAR(lengths.contraction / (nu * e), 1, 2e-3);
    }
}

static void far_stretched_strips(void) {
    const double strains[] = {0.1, 0.3}, E = 100;
    for (int i = 0; i < 2 * MESH_COUNT; i++) {
        double e = strains[i / MESH_COUNT];
        Strip strip = pull(i % MESH_COUNT, WEFT_STRETCH_BIQUADRATIC, E, 0.3, e);
        CHECK_NEAR(strip.stress / ((1 + e) * E * (e + e * e / 2)), 1, 1e-6);
    }
}

// What springs make of the same numbers: their net decides, whatever the fabric says of Poisson's
// ratio.
static void strips_of_springs(void) {
    double stiffest = 0, softest = HUGE_VAL;
    for (int m = 0; m < MESH_COUNT; m++) {
        Strip strip = pull(m, WEFT_STRETCH_SPRINGS, 100, 0.2, 1e-3);
        Strip same = pull(m, WEFT_STRETCH_SPRINGS, 100, 0.49, 1e-3);
        CHECK(strip.contraction == same.contraction && strip.stress == same.stress);
        stiffest = fmax(stiffest, strip.stress / 0.1);
        softest = fmin(softest, strip.stress / 0.1);
    }
    CHECK(stiffest > 1.3);
    CHECK_BELOW(softest * 1.1, stiffest);
}

// ---------------------------------------------------------------------------------------------
// Refinement: a square that hangs by one side

typedef struct Sag {
    WeftMesh mesh;
    WeftModel* model;
    WeftState* state;
    int middle;  // of the lower side
} Sag;

// 20 N/m, 0.15 kg/m^2, bending 2e-3 N m; the side is held in an arc 2 cm deep.
static Sag open_sag(int n, bool regular, WeftStretch stretch, const WeftStepDef* step) {
    Sag sag = {0};
    WeftGridDef grid = {.width = 1, .height = 1, .columns = n - 1, .rows = n - 1};
    grid.kind = WEFT_GRID_ALTERNATING;
    CHECK((regular ? weft_make_grid(&grid, NULL, &sag.mesh, NULL)
                   : weft_make_rectangle(1, 1, 1.05 / (n - 1), NULL, &sag.mesh, NULL)) == WEFT_OK);
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &sag.mesh);
    weft_set_isotropic(&cloth.fabric, 20, 0.3);
    cloth.fabric.density = 0.15;
    cloth.fabric.bend = 2e-3;
    cloth.stretch = stretch;
    int pins[64];
    double nearest = HUGE_VAL;
    for (int i = 0; i < sag.mesh.vertex_count; i++) {
        const double* m = sag.mesh.material + 2 * (long)i;
        double away = fabs(m[0] - 0.5) + m[1];
        sag.mesh.positions[3 * (long)i + 1] = -0.02 * sin(acos(-1) * m[0]);
        if (m[1] > 1 - 1e-9) pins[cloth.pin_count++] = i;
        if (away < nearest) nearest = away, sag.middle = i;
    }
    cloth.pins = pins;
    WeftModelDef def = weft_default_model_def();
    WeftError error = {0};
    def.cloths = &cloth, def.cloth_count = 1, def.contact = WEFT_CONTACT_NONE, def.step = *step;
    if (weft_create_model(&def, &sag.model, &error)) printf("%s\n", error.message);
    CHECK(weft_create_state(sag.model, &sag.state, &error) == WEFT_OK);
    return sag;
}

// How far its lower side is below a metre once all is still.
static double sag_of(int n, bool regular, WeftStretch stretch) {
    WeftStepDef step = weft_default_step_def();
    step.method = WEFT_METHOD_IMPLICIT;
    step.order = step.substeps = 1;
    step.dt = 0.25;  // long steps of implicit Euler have the motion die away
    step.newton_steps = 30;
    step.newton_tolerance = 1e-6;
    step.air_density = 0;
    Sag sag = open_sag(n, regular, stretch, &step);
    WeftMeasure measure = {.max_speed = 1};
    for (int k = 0; k < 200 && measure.max_speed > 1e-5; k++) {
        CHECK(weft_step(sag.state, &step) == WEFT_OK);
        weft_measure(sag.state, step.gravity, &measure);
    }
    CHECK_BELOW(measure.max_speed, 1e-5);
    double lowest = weft_positions(sag.state)[3 * (long)sag.middle + 1];
    weft_destroy_state(sag.state);
    weft_destroy_model(sag.model);
    weft_destroy_mesh(&sag.mesh);
    return -1 - lowest;
}

static void check_refinement(const int* sizes, int count) {
    double most = 0, least = HUGE_VAL;
    for (int i = 0; i < 2 * count; i++) {
        double sag = sag_of(sizes[i / 2], i & 1, WEFT_STRETCH_BIQUADRATIC);
        CHECK_NEAR(sag, 0.0459, 0.0004);
        most = fmax(most, sag);
        least = fmin(least, sag);
    }
    CHECK_BELOW(most, 1.02 * least);
}

static void coarse_refinement(void) {
    const int sizes[] = {7, 13};
    check_refinement(sizes, 2);
}
static void fine_refinement(void) {
    const int sizes[] = {25, 37};
    check_refinement(sizes, 2);
}

// Springs hang by their net, and are off in either.
static void refinement_of_springs(void) {
    double regular = sag_of(25, true, WEFT_STRETCH_SPRINGS);
    double other = sag_of(25, false, WEFT_STRETCH_SPRINGS);
    CHECK_NEAR(regular, 0.039, 0.001);
    CHECK_NEAR(other, 0.0415, 0.001);
    CHECK_BELOW(1.05 * regular, other);
}

// ---------------------------------------------------------------------------------------------
// Motion

static Swing swing_membrane(int n, WeftStretch stretch, double young) {
    Swing s = swing_def(n, 1);
    weft_set_isotropic(&s.cloth.fabric, young, 0.3);
    s.cloth.uniform_mass = false;
    s.cloth.stretch = stretch;
    s.step.method = WEFT_METHOD_IMPLICIT;
    s.step.order = s.step.substeps = 1;
    return s;
}

static void check_energy(WeftStretch stretch, double young, int rate) {
    Swing s = swing_membrane(test_slow() ? 17 : 9, stretch, young);
    s.step.dt = 1.0 / rate;
    swing_open(&s);
    double start = swing_energy(&s), lowest = 0;
    for (int k = 0; k < 3 * rate / 2; k++) {
        if (!CHECK(swing_step(&s))) break;
        CHECK_BELOW(swing_energy(&s), start + 1e-9);
        lowest = fmin(lowest, swing_height(&s));
    }
    CHECK(lowest < -0.5);  // it did swing
    swing_close(&s);
}

static void no_energy_from_nowhere(void) {
    for (int i = 0; i < 8; i++)
        check_energy(i & 1 ? WEFT_STRETCH_QUADRATIC : WEFT_STRETCH_BIQUADRATIC, i & 2 ? 50 : 500,
                     i & 4 ? 60 : 120);
}

// Momentum and angular momentum of free cloth, about the origin.
static void momenta(const Swing* s, WfVec* linear, WfVec* angular) {
    const double* masses = weft_masses(s->model);
    *linear = *angular = (WfVec){0, 0, 0};
    for (int i = 0; i < weft_vertex_count(s->model); i++) {
        WfVec x = wf_load(weft_positions(s->state), i), v = wf_load(weft_velocities(s->state), i);
        *linear = wf_madd(*linear, masses[i], v);
        *angular = wf_madd(*angular, masses[i], wf_cross(x, v));
    }
}

// Damping takes energy from free cloth that was thrown and shaken, and neither momentum.
// (Symplectic Euler keeps both where forces do.)
static void damping_keeps_momenta(void) {
    for (int k = 0; k < 2; k++) {
        double left[2];
        for (int damped = 0; damped < 2; damped++) {
            Swing s = swing_membrane(9, kinds[k], 50);
            s.cloth.bend = WEFT_BEND_NONE;
            s.cloth.pins = s.pins, s.cloth.pin_count = 0;
            s.cloth.fabric.stretch_damping = damped ? 0.01 : 0;
            s.step.method = WEFT_METHOD_SYMPLECTIC;
            s.step.substeps = 0;
            memset(s.step.gravity, 0, sizeof s.step.gravity);
            swing_open(&s);
            double v[3 * 81];
            random_state = 7;
            for (int i = 0; i < 81; i++) {
                WfVec x = wf_load(weft_positions(s.state), i), turn = {0.5, 2, 1};
                WfVec shake = {random_unit(), random_unit(), random_unit()};
                wf_store(v, i, wf_madd(wf_cross(turn, x), 0.5, shake));
            }
            weft_set_velocities(s.state, v);
            WfVec linear, angular, linear1, angular1;
            momenta(&s, &linear, &angular);
            double energy = swing_energy(&s);
            for (int step = 0; step < 60; step++) CHECK(swing_step(&s));
            momenta(&s, &linear1, &angular1);
            CHECK_BELOW(wf_length(wf_sub(linear1, linear)), 1e-12);
            CHECK_BELOW(wf_length(wf_sub(angular1, angular)), 1e-12);
            left[damped] = swing_energy(&s) / energy;
            swing_close(&s);
        }
        CHECK_NEAR(left[0], 1, 0.02);
        CHECK_BELOW(left[1], 0.95);
    }
}

// Soft cloth, stretched to twice its length at the corners: the explicit method finds substeps that
// are short enough, and all methods go the same way.
static void every_method(void) {
    for (int k = 0; k < KIND_COUNT; k++) {
        Track tracks[5];
        const WeftMethod methods[] = {WEFT_METHOD_IMPLICIT, WEFT_METHOD_MATRIX_FREE,
                                      WEFT_METHOD_RELAXATION, WEFT_METHOD_SYMPLECTIC};
        for (int m = 0; m < 4; m++) {
            Swing s = swing_membrane(13, kinds[k], 40);
            s.step.method = methods[m];
            if (methods[m] == WEFT_METHOD_SYMPLECTIC) s.step.order = s.step.substeps = 0;
            if (methods[m] == WEFT_METHOD_RELAXATION) s.step.iterations[0] = 40;
            s.step.dt = 1.0 / 120;
            s.step.tolerance = 1e-8;
            swing_open(&s);
            tracks[m] = swing_record(&s, 80);
            CHECK(tracks[m].count == 80);
            swing_close(&s);
        }
        CHECK_BELOW(track_distance(&tracks[0], &tracks[1]), 1e-3);
        CHECK_BELOW(track_distance(&tracks[0], &tracks[2]), 15);
        CHECK_BELOW(track_distance(&tracks[0], &tracks[3]), 60);
        for (int m = 0; m < 4; m++) track_free(&tracks[m]);
    }
}

// The explicit method keeps its energy, in soft cloth and in stiff.
static void explicit_substeps(void) {
    for (int i = 0; i < 4; i++) {
        Swing s = swing_membrane(13, kinds[i & 1], i & 2 ? 20 : 500);
        s.step.method = WEFT_METHOD_SYMPLECTIC;
        s.step.substeps = 0;
        swing_open(&s);
        double start = swing_energy(&s);
        for (int k = 0; k < 90; k++) {
            if (!CHECK(swing_step(&s))) break;
            CHECK_NEAR(swing_energy(&s), start, 0.01);
        }
        swing_close(&s);
    }
}

static void the_same_bits_on_any_threads(void) {
    for (int k = 0; k < KIND_COUNT; k++) {
        uint64_t hashes[2];
        for (int many = 0; many < 2; many++) {
            Swing s = swing_membrane(33, kinds[k], 50);
            s.cloth.fabric.stretch_damping = 1e-3;
            s.jobs.thread_count = many ? 3 : 1;
            swing_open(&s);
            for (int step = 0; step < 5; step++) CHECK(swing_step(&s));
            hashes[many] = weft_hash_state(s.state);
            swing_close(&s);
        }
        CHECK(hashes[0] == hashes[1]);
    }
}

// ---------------------------------------------------------------------------------------------
// What is refused

static void refused(void) {
    for (int k = 0; k < KIND_COUNT; k++) {
        Swing s = swing_membrane(5, kinds[k], 50);
        s.step.method = WEFT_METHOD_PREFACTORED;
        s.step.order = s.step.substeps = 0;
        swing_make_mesh(&s);
        WeftModelDef def = swing_model_def(&s);
        WeftModel* model = NULL;
        WeftError error = {0};
        CHECK(weft_create_model(&def, &model, &error) == WEFT_ERROR_COMBINATION && !model);
        CHECK_TEXT(error.message, "cloth 0: no constant matrix bounds the membrane");
        CHECK_TEXT(error.message, "use the stretch of triangles, or the implicit method");
        def.step.method = WEFT_METHOD_IMPLICIT;
        weft_set_estimator(&s.cloth, WEFT_ESTIMATOR_VERTEX, 2);
        CHECK(weft_create_model(&def, &model, &error) == WEFT_ERROR_COMBINATION && !model);
        CHECK_TEXT(error.message, "cloth 0: membranes have no linear model");
        weft_destroy_mesh(&s.mesh);
    }
}

TEST_MAIN(CASE(isotropic_stiffness), CASE(orthotropic_stiffness), CASE(all_agree_at_the_start),
          CASE(scaled), CASE(bounded_up_to_a_stretch), CASE(strips), CASE(far_stretched_strips),
          CASE(strips_of_springs), SLOW_CASE(coarse_refinement), LONG_CASE(fine_refinement),
          SLOW_CASE(refinement_of_springs), CASE(no_energy_from_nowhere),
          CASE(damping_keeps_momenta), SLOW_CASE(every_method), CASE(explicit_substeps),
          CASE(the_same_bits_on_any_threads), CASE(refused))

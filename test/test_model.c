// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards models: bad cloth is refused by name, what is given is copied, several cloths live beside
// each other without a touch, and what can be read back is right.

#include "counting.h"
#include "swing.h"
#include "test.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

enum { N = 8, VERTICES = N * N };

// ---------------------------------------------------------------------------------------------
// What is refused

// Two cloths of which the second will be spoilt.
typedef struct Pair {
    Swing s;
    WeftClothDef cloths[2];
    WeftModelDef def;
    int bad_pin;
} Pair;

static void make_pair(Pair* p) {
    *p = (Pair){.s = swing_def(N, 30)};
    swing_make_mesh(&p->s);
    p->cloths[0] = p->cloths[1] = p->s.cloth;
    p->def = swing_model_def(&p->s);
    p->def.cloths = p->cloths;
    p->def.cloth_count = 2;
}

static void check_refused(Pair* p, const char* words) {
    WeftError error = {0};
    WeftModel* model = (WeftModel*)p;
    CHECK(weft_create_model(&p->def, &model, &error) == WEFT_ERROR_INPUT);
    CHECK(model == NULL && error.result == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, words);
    weft_destroy_model(model);
    CHECK(weft_create_model(&p->def, &model, NULL) == WEFT_ERROR_INPUT);
    weft_destroy_model(model);
    p->cloths[1] = p->cloths[0];  // good again
}

static void bad_meshes(void) {
    Pair p;
    make_pair(&p);
    WeftMesh* mesh = &p.s.mesh;
    p.cloths[1].vertex_count = 0;
    check_refused(&p, "cloth 1: there are no vertices");
    p.cloths[1].positions = NULL;
    check_refused(&p, "cloth 1: there are no vertices");
    p.cloths[1].triangle_count = 0;
    check_refused(&p, "cloth 1: there are no triangles");
    p.cloths[1].triangles = NULL;
    check_refused(&p, "cloth 1: there are no triangles");
    p.cloths[1].vertex_count = VERTICES - 1;
    check_refused(&p, "cloth 1:");

    double* x = malloc(3 * VERTICES * sizeof *x);
    memcpy(x, mesh->positions, 3 * VERTICES * sizeof *x);
    x[3 * 5 + 1] = (double)NAN;
    p.cloths[1].positions = x;
    check_refused(&p, "cloth 1: position of vertex 5 is not a number");
    free(x);

    int* t = malloc(3 * (size_t)mesh->triangle_count * sizeof *t);
    memcpy(t, mesh->triangles, 3 * (size_t)mesh->triangle_count * sizeof *t);
    t[3 * 7] = VERTICES;
    p.cloths[1].triangles = t;
    check_refused(&p, "cloth 1: triangle 7 names vertex 64");
    t[3 * 7] = t[3 * 7 + 1];
    p.cloths[1].triangles = t;
    check_refused(&p, "cloth 1: triangle 7 has no area");
    free(t);

    p.bad_pin = VERTICES;
    p.cloths[1].pins = &p.bad_pin;
    p.cloths[1].pin_count = 1;
    check_refused(&p, "cloth 1: pin 0 names vertex 64");
    WeftSpring spring = {3, 3, WEFT_SPRING_STRETCH};
    p.cloths[1].springs = &spring;
    p.cloths[1].spring_count = 1;
    check_refused(&p, "cloth 1: spring 0");

    // three triangles at one edge
    double fan_x[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1};
    int fan[9] = {0, 1, 2, 1, 0, 3, 0, 1, 4};
    p.cloths[1].vertex_count = 5;
    p.cloths[1].positions = fan_x;
    p.cloths[1].material = NULL;
    p.cloths[1].triangle_count = 3;
    p.cloths[1].triangles = fan;
    p.cloths[1].pin_count = 0;
    check_refused(&p, "cloth 1:");

    p.def.cloth_count = 0;
    check_refused(&p, "at least one cloth");
    p.def.cloth_count = -1;
    check_refused(&p, "at least one cloth");
    p.def.cloth_count = 2;
    p.def.cloths = NULL;
    check_refused(&p, "at least one cloth");
    swing_close(&p.s);
}

static void bad_fabrics(void) {
    Pair p;
    make_pair(&p);
#define FIELD(name) \
    { #name, &p.cloths[1].fabric.name }
    const struct {
        const char* name;
        double* value;
    } fields[] = {
        FIELD(density),      FIELD(stretch_warp), FIELD(stretch_weft),    FIELD(shear),
        FIELD(bend),         FIELD(mass_damping), FIELD(stretch_damping), FIELD(bend_damping),
        FIELD(air_drag),     FIELD(air_friction), FIELD(bend_spring),     FIELD(rope_density),
        FIELD(rope_stretch), FIELD(rope_bend),    FIELD(thickness),       FIELD(friction),
        FIELD(poisson),      FIELD(compression),  FIELD(compression_load)};
#undef FIELD
    CHECK(sizeof fields / sizeof *fields == offsetof(WeftFabric, measured) / sizeof(double));
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const double bad[] = {-2, (double)NAN, (double)INFINITY, 1e30};
        for (int k = 0; k < 4; k++) {
            char words[64];
            snprintf(words, sizeof words, "cloth 1: the fabric's %s is", fields[i].name);
            *fields[i].value = bad[k];
            check_refused(&p, words);
        }
    }
    p.cloths[1].fabric.density = 0;
    check_refused(&p, "cloth 1: the fabric's density is 0");
    p.cloths[1].fabric.stretch_warp = 0;
    check_refused(&p, "cloth 1: the fabric's stretch_warp is 0");
    p.cloths[1].fabric.rope_density = 0;
    check_refused(&p, "cloth 1: the fabric's rope_density is 0");
    p.cloths[1].fabric.rope_stretch = 0;
    check_refused(&p, "cloth 1: the fabric's rope_stretch is 0");
    swing_close(&p.s);
}

static void bad_choices(void) {
    Pair p;
    make_pair(&p);
    for (int i = 0; i < 3; i++) {
        char words[64];
        snprintf(words, sizeof words, "cloth 1: estimator_weights[%d]", i);
        p.cloths[1].estimator_weights[i] = (double)NAN;
        check_refused(&p, words);
        p.cloths[1].estimator_weights[i] = 1e6;
        check_refused(&p, words);
    }
    // values that are in no enumeration
    p.cloths[1].stretch = (WeftStretch)8;
    check_refused(&p, "cloth 1: stretch is 8");
    p.cloths[1].shear = (WeftShear)3;
    check_refused(&p, "cloth 1: shear is 3");
    p.cloths[1].bend_by = (WeftBendBy)4;
    check_refused(&p, "cloth 1: bend_by is 4");
    p.cloths[1].bend = (WeftBend)3;
    check_refused(&p, "cloth 1: bend is 3");
    p.cloths[1].estimator = (WeftEstimator)4;
    check_refused(&p, "cloth 1: estimator is 4");
    p.def.ordering = 6;
    check_refused(&p, "ordering is 6");
    p.def.ordering = -1;
    check_refused(&p, "ordering is -1");
    p.def.ordering = WEFT_ORDERING_AUTO;
    p.def.step.quality = 99;
    check_refused(&p, "quality is 99");
    swing_close(&p.s);
}

// ---------------------------------------------------------------------------------------------
// What is there

static void read_back(void) {
    Pair p;
    make_pair(&p);
    WeftModel* model = NULL;
    CHECK(weft_create_model(&p.def, &model, NULL) == WEFT_OK);
    int cells = (N - 1) * (N - 1), triangles = 2 * cells, edges = 2 * N * (N - 1) + cells;
    CHECK(weft_cloth_count(model) == 2);
    CHECK(weft_vertex_count(model) == 2 * VERTICES);
    for (int c = 0; c <= 2; c++) CHECK(weft_first_vertex(model, c) == c * VERTICES);
    CHECK(weft_triangle_count(model) == 2 * triangles);
    for (int i = 0; i < 3 * triangles; i++) {
        CHECK(weft_triangles(model)[i] == p.s.mesh.triangles[i]);
        CHECK(weft_triangles(model)[3 * triangles + i] == VERTICES + p.s.mesh.triangles[i]);
    }
    CHECK(weft_edge_count(model) == 2 * edges);
    for (int e = 0; e < 2 * edges; e++) {
        const int* ends = weft_edges(model) + 2 * e;
        CHECK(ends[0] != ends[1] && ends[0] / VERTICES == e / edges &&
              ends[1] / VERTICES == e / edges);
    }
    weft_destroy_model(model);
    swing_close(&p.s);
    CHECK_TEXT(weft_version(), ".");
}

static void masses(void) {
    for (int uniform = 0; uniform < 2; uniform++) {
        Swing s = swing_def(N, 30);
        s.cloth.uniform_mass = uniform;
        s.cloth.fabric.density = 0.2;
        swing_open(&s);
        const double* m = weft_masses(s.model);
        double sum = 0;
        for (int i = 0; i < VERTICES; i++) sum += m[i];
        CHECK_NEAR(sum, 0.2, 1e-14);  // a square metre
        CHECK((m[0] == m[VERTICES / 2]) == uniform);
        swing_close(&s);
    }
}

// The def and its arrays are the caller's again once the model is made.
static void everything_is_copied(void) {
    Swing kept = swing_def(N, 30), spoilt = swing_def(N, 30);
    swing_open(&kept);
    swing_open(&spoilt);
    memset(spoilt.mesh.positions, 0, 3 * VERTICES * sizeof(double));
    memset(spoilt.mesh.material, 0, 2 * VERTICES * sizeof(double));
    memset(spoilt.mesh.triangles, 0, 3 * (size_t)spoilt.mesh.triangle_count * sizeof(int));
    spoilt.pins[0] = spoilt.pins[1] = 0;
    memset(&spoilt.cloth, 0, sizeof spoilt.cloth);
    for (int k = 0; k < 10; k++) CHECK(swing_step(&kept) && swing_step(&spoilt));
    CHECK(weft_hash_state(kept.state) == weft_hash_state(spoilt.state));
    WeftState* another = NULL;
    CHECK(weft_create_state(spoilt.model, &another, NULL) == WEFT_OK);
    CHECK(memcmp(weft_positions(another), kept.mesh.positions, 3 * VERTICES * 8) == 0);
    weft_destroy_state(another);
    swing_close(&kept);
    swing_close(&spoilt);
}

// What the model says it holds is about what it took.
static void bytes(void) {
    for (int kind = 0; kind < 2; kind++)
        for (int n = 20; n <= 80; n += 30) {
            Counting counting = {0};
            Swing s = swing_def(n, 30);
            if (kind) swing_triangles(&s);
            s.allocator = counting_allocator(&counting);
            swing_make_mesh(&s);
            WeftModelDef def = swing_model_def(&s);
            CHECK(weft_create_model(&def, &s.model, NULL) == WEFT_OK);
            double said = (double)weft_model_bytes(s.model), took = (double)counting.bytes;
            CHECK_BELOW(said, 1.05 * took);
            CHECK_BELOW(0.5 * took, said);
            // and knows of factors made later
            WeftStepDef other = s.step;
            other.dt = 0.01;
            CHECK(weft_prepare_model(s.model, &other, NULL) == WEFT_OK);
            double grown = (double)weft_model_bytes(s.model) - said;
            CHECK_NEAR(grown, (double)counting.bytes - took, 0.02 * grown);
            swing_close(&s);
        }
}

// A model keeps a number of factors; one more is refused, and nothing is lost.
static void too_many_factors(void) {
    Swing s = swing_def(N, 30);
    swing_open(&s);
    WeftError error = {0};
    int made = 0;
    for (int k = 1; k < 100; k++) {
        WeftStepDef step = s.step;
        step.dt = 0.001 * k;
        if (weft_prepare_model(s.model, &step, &error)) break;
        made++;
    }
    CHECK(made >= 8 && made < 99);
    CHECK_TEXT(error.message, "factors");
    CHECK(swing_step(&s));
    CHECK(weft_report(s.state)->factor_count == 0);
    swing_close(&s);
}

// ---------------------------------------------------------------------------------------------
// Which matrices

// every way to step, and what it takes
static const struct {
    WeftMethod method;
    WeftScheme scheme;
    bool factor, blocks;
} ways[] = {
    {WEFT_METHOD_PREFACTORED, WEFT_SCHEME_AUTO, true, false},
    {WEFT_METHOD_IMPLICIT, WEFT_SCHEME_A, true, true},
    {WEFT_METHOD_IMPLICIT, WEFT_SCHEME_JAJ, true, true},
    {WEFT_METHOD_IMPLICIT, WEFT_SCHEME_AUTO, false, true},  // takes J where there is no factor
    {WEFT_METHOD_IMPLICIT, WEFT_SCHEME_J, false, true},
    {WEFT_METHOD_IMPLICIT, WEFT_SCHEME_PLAIN, false, true},
    {WEFT_METHOD_RELAXATION, WEFT_SCHEME_AUTO, false, true},
    {WEFT_METHOD_MATRIX_FREE, WEFT_SCHEME_A, true, false},
    {WEFT_METHOD_MATRIX_FREE, WEFT_SCHEME_JAJ, true, false},
    {WEFT_METHOD_MATRIX_FREE, WEFT_SCHEME_AUTO, false, false},
    {WEFT_METHOD_MATRIX_FREE, WEFT_SCHEME_J, false, false},
    {WEFT_METHOD_MATRIX_FREE, WEFT_SCHEME_PLAIN, false, false},
    {WEFT_METHOD_SYMPLECTIC, WEFT_SCHEME_AUTO, false, false},
};
enum { WAY_COUNT = sizeof ways / sizeof *ways };

static WeftStepDef step_by(const Swing* s, int way) {
    WeftStepDef step = s->step;
    step.method = ways[way].method;
    step.scheme = ways[way].scheme;
    return step;
}

// A step with all matrices, for comparison.
static void positions_after(int way, double* x) {
    Swing s = swing_def(N, 300);
    swing_open(&s);
    WeftStepDef step = step_by(&s, way);
    if (way == 3) step.scheme = WEFT_SCHEME_J;
    CHECK(weft_step(s.state, &step) == WEFT_OK);
    memcpy(x, weft_positions(s.state), 3 * VERTICES * sizeof *x);
    swing_close(&s);
}

// Safe to ask, whatever there is.
static void study(const Swing* s, WeftMatrices matrices) {
    WeftFactorInfo info = weft_factor_info(s->model);
    CHECK((info.factor_count > 0) == (matrices == WEFT_MATRICES_ALL));
    CHECK((info.matrix_count > 0) == (matrices == WEFT_MATRICES_ALL));
    if (matrices != WEFT_MATRICES_ALL) CHECK(weft_elimination_order(s->model) == NULL);
    const int *start = NULL, *index = NULL;
    for (int w = 0; w < WAY_COUNT; w++) {
        WeftStepDef step = step_by(s, w);
        WeftError error = {0};
        WeftResult result = weft_get_matrix(s->model, &step, &start, &index, NULL, &error);
        CHECK((result == WEFT_OK) == (matrices == WEFT_MATRICES_ALL));
        if (result) CHECK_TEXT(error.message, "model was made without");
        double b[3 * VERTICES] = {0}, x[3 * VERTICES];
        WeftResult solved = weft_solve(s->state, &step, b, x);
        if (!ways[w].factor || matrices != WEFT_MATRICES_ALL)
            CHECK(solved == WEFT_ERROR_COMBINATION ||
                  (ways[w].method == WEFT_METHOD_IMPLICIT && !solved));
    }
    CHECK(weft_model_bytes(s->model) > 0);
}

static void fewer_matrices(void) {
    size_t bytes[3], counted[3];
    for (int m = WEFT_MATRICES_ALL; m <= WEFT_MATRICES_NONE; m++) {
        Counting counting = {0};
        Swing s = swing_def(N, 300);
        s.allocator = counting_allocator(&counting);
        swing_make_mesh(&s);
        WeftModelDef def = swing_model_def(&s);
        def.matrices = (WeftMatrices)m;
        def.step.method = WEFT_METHOD_SYMPLECTIC;
        CHECK(weft_create_model(&def, &s.model, NULL) == WEFT_OK);
        bytes[m] = weft_model_bytes(s.model);
        counted[m] = counting.bytes;
        for (int w = 0; w < WAY_COUNT; w++) {
            bool lacks = (ways[w].factor && m != WEFT_MATRICES_ALL) ||
                         (ways[w].blocks && m == WEFT_MATRICES_NONE);
            WeftStepDef step = step_by(&s, w);
            WeftError error = {0};
            CHECK(weft_create_state(s.model, &s.state, NULL) == WEFT_OK);
            WeftResult wanted = lacks ? WEFT_ERROR_COMBINATION : WEFT_OK;
            if (!CHECK(weft_prepare_model(s.model, &step, &error) == wanted &&
                       weft_step(s.state, &step) == wanted))
                printf("... matrices %d, way %d\n", m, w);
            if (lacks) {
                CHECK_TEXT(error.message, "the model was made without");
                CHECK_TEXT(weft_state_error(s.state)->message, "the model was made without");
                CHECK(weft_solver_bytes(s.model, &step) == 0);
                def.step = step;  // nor can it be made for them
                WeftModel* model = NULL;
                CHECK(weft_create_model(&def, &model, &error) == WEFT_ERROR_COMBINATION && !model);
            } else if (m != WEFT_MATRICES_ALL) {
                double x[3 * VERTICES];  // what is there gives the same
                positions_after(w, x);
                CHECK(memcmp(x, weft_positions(s.state), sizeof x) == 0);
            }
            weft_destroy_state(s.state);
        }
        CHECK(weft_create_state(s.model, &s.state, NULL) == WEFT_OK);
        s.step.method = WEFT_METHOD_SYMPLECTIC;
        CHECK(swing_step(&s));
        study(&s, (WeftMatrices)m);
        // pins come and go without a factor, too
        for (int i = 0; i < VERTICES; i++) weft_pin(s.state, i);
        CHECK(swing_step(&s));
        swing_close(&s);
        CHECK(counting.live == 0);
    }
    CHECK(bytes[0] > bytes[1] && bytes[1] > bytes[2]);
    CHECK(counted[0] > counted[1] && counted[1] > counted[2]);
    Pair p;
    make_pair(&p);
    p.def.matrices = 3;
    check_refused(&p, "matrices is 3");
    p.def.matrices = -1;
    check_refused(&p, "matrices is -1");
    swing_close(&p.s);
}

// What a solver takes: nothing for explicit steps, less without a matrix than with one, more where
// more is kept.
static void solver_bytes(void) {
    Swing s = swing_def(30, 30);
    swing_open(&s);
    size_t bytes[WAY_COUNT];
    for (int w = 0; w < WAY_COUNT; w++) {
        WeftStepDef step = step_by(&s, w);
        bytes[w] = weft_solver_bytes(s.model, &step);
        CHECK((bytes[w] > 0) == (step.method != WEFT_METHOD_SYMPLECTIC));
    }
    CHECK(2 * bytes[10] < bytes[4]);  // J without a matrix and with one
    CHECK(2 * bytes[11] < bytes[5]);  // no preconditioner
    CHECK(bytes[11] < bytes[10] && bytes[10] < bytes[7] && bytes[7] < bytes[8]);
    CHECK(bytes[5] < bytes[4] && bytes[4] < bytes[2]);
    CHECK(bytes[6] < bytes[4]);  // sweeps need no rows packed for products
    WeftStepDef bad = s.step;
    bad.dt = -1;
    CHECK(weft_solver_bytes(s.model, &bad) == 0);
    swing_close(&s);
}

// ---------------------------------------------------------------------------------------------
// Several cloths

// Three cloths, of two sizes and all kinds of models, in one model and each alone.
static void cloths_do_not_touch(void) {
    static const int sizes[3] = {N, N + 3, N};
    // schemes whose steps are per vertex or exact: those of a few conjugate gradients share
    // their coefficients among all cloths
    for (int way = 0; way < 3; way++) {
        Swing alone[3];
        WeftClothDef cloths[3];
        for (int c = 0; c < 3; c++) {
            Swing* s = &alone[c];
            *s = swing_def(sizes[c], 30 + 10 * c);
            if (c == 1) swing_triangles(s);
            if (c == 2) s->cloth.bend = WEFT_BEND_EXPLICIT;
            s->step.order = 2;
            if (way == 0) {
                s->step.scheme = WEFT_SCHEME_REPEAT;
                s->step.iterations[0] = 4;
                s->step.guard = false;
            } else if (way == 1) {
                s->step.method = WEFT_METHOD_SYMPLECTIC;
                s->step.substeps = 32;
            } else {
                s->step.method = WEFT_METHOD_IMPLICIT;
                s->step.tolerance = 1e-13;
            }
            swing_open(s);
            cloths[c] = s->cloth;
        }
        WeftModelDef def = swing_model_def(&alone[0]);
        def.cloths = cloths;
        def.cloth_count = 3;
        WeftModel* model = NULL;
        WeftState* state = NULL;
        CHECK(weft_create_model(&def, &model, NULL) == WEFT_OK);
        CHECK(weft_create_state(model, &state, NULL) == WEFT_OK);
        for (int k = 0; k < 10; k++) {
            CHECK(weft_step(state, &alone[0].step) == WEFT_OK);
            for (int c = 0; c < 3; c++) CHECK(swing_step(&alone[c]));
        }
        double worst = 0;
        for (int c = 0; c < 3; c++) {
            const double* together = weft_positions(state) + 3 * weft_first_vertex(model, c);
            for (int i = 0; i < 3 * sizes[c] * sizes[c]; i++)
                worst = fmax(worst, fabs(together[i] - weft_positions(alone[c].state)[i]));
        }
        CHECK_BELOW(worst, way == 2 ? 1e-9 : 1e-12);
        WeftMeasure sum = {0}, part, all;
        for (int c = 0; c < 3; c++) {
            CHECK(weft_measure(alone[c].state, def.step.gravity, &part) == WEFT_OK);
            sum.kinetic += part.kinetic;
            sum.gravity += part.gravity;
            sum.stretch += part.stretch;
            sum.bend += part.bend;
            sum.max_stretch = fmax(sum.max_stretch, part.max_stretch);
        }
        CHECK(weft_measure(state, def.step.gravity, &all) == WEFT_OK);
        CHECK_NEAR(all.kinetic, sum.kinetic, 1e-9);
        CHECK_NEAR(all.gravity, sum.gravity, 1e-9);
        CHECK_NEAR(all.stretch, sum.stretch, 1e-9);
        CHECK_NEAR(all.bend, sum.bend, 1e-9);
        CHECK_NEAR(all.max_stretch, sum.max_stretch, 1e-9);
        weft_destroy_state(state);
        weft_destroy_model(model);
        for (int c = 0; c < 3; c++) swing_close(&alone[c]);
    }
}

// A linear and a conventional cloth together: the linear one has had its exact step with the first
// solve, and further ones leave it there.
static void linear_beside_conventional(void) {
    Swing linear = swing_def(N, 30), plain = swing_def(N, 30);
    weft_set_estimator(&linear.cloth, WEFT_ESTIMATOR_VERTEX, 2);
    linear.step.quality = 1;
    linear.step.order = plain.step.order = 1;
    linear.step.solve_tolerance = plain.step.solve_tolerance = 1e-12;
    plain.step.scheme = WEFT_SCHEME_REPEAT;
    plain.step.iterations[0] = 4;
    plain.step.substeps = 1;
    plain.step.guard = false;
    swing_open(&linear);
    swing_open(&plain);
    WeftClothDef cloths[2] = {linear.cloth, plain.cloth};
    WeftModelDef def = swing_model_def(&plain);
    def.cloths = cloths;
    def.cloth_count = 2;
    WeftModel* model = NULL;
    WeftState* state = NULL;
    CHECK(weft_create_model(&def, &model, NULL) == WEFT_OK);
    CHECK(weft_create_state(model, &state, NULL) == WEFT_OK);
    for (int k = 0; k < 10; k++) {
        CHECK(weft_step(state, &plain.step) == WEFT_OK);
        CHECK(swing_step(&linear) && swing_step(&plain));
    }
    double worst = 0;
    for (int i = 0; i < 3 * VERTICES; i++) {
        const double* x = weft_positions(state);
        worst = fmax(worst, fabs(x[i] - weft_positions(linear.state)[i]));
        worst = fmax(worst, fabs(x[3 * VERTICES + i] - weft_positions(plain.state)[i]));
    }
    CHECK_BELOW(worst, 1e-12);
    weft_destroy_state(state);
    weft_destroy_model(model);
    swing_close(&linear);
    swing_close(&plain);
}

// ---------------------------------------------------------------------------------------------
// Listings

static void check_group(const char* group, const char* const* names, int count) {
    int found = 0;
    for (int i = 0; weft_choice(i); i++) {
        const WeftChoice* choice = weft_choice(i);
        if (strcmp(choice->group, group) != 0) continue;
        CHECK(found < count && strcmp(choice->name, names[found]) == 0);
        CHECK(strlen(choice->text) > 5 && strlen(choice->text) < 80);
        found++;
    }
    CHECK(found == count);
}

#define GROUP(group, ...)                                               \
    do {                                                                \
        static const char* const names[] = {__VA_ARGS__};               \
        check_group(group, names, (int)(sizeof names / sizeof *names)); \
        total += (int)(sizeof names / sizeof *names);                   \
    } while (0)

// Every value of every enumeration, in its order: the tool and the scene reader index by it.
static void choices(void) {
    int total = 0, count = 0;
    GROUP("method", "symplectic", "implicit", "prefactored", "relaxation", "matrix_free",
          "small_steps");
    GROUP("preset", "scalable", "kang_1", "kang_2", "desbrun", "choi_ko");
    GROUP("stretch", "springs", "triangles", "one_sided", "threads", "biquadratic", "quadratic",
          "cauchy", "measured");
    GROUP("shear", "diagonals", "product", "area");
    GROUP("bend", "implicit", "explicit", "none");
    GROUP("bend_by", "hinges", "springs", "threads", "angles");
    GROUP("rope_strain", "engineering", "green", "logarithmic");
    GROUP("estimator", "none", "previous", "rotation", "vertex");
    GROUP("scheme", "auto", "repeat", "a", "jaj", "j", "plain");
    GROUP("sweep", "gauss_seidel", "jacobi");
    GROUP("jacobian", "clamped", "exact", "one_sided", "smoothed", "axial", "scalar");
    GROUP("start", "auto", "predicted", "previous");
    GROUP("matrices", "all", "blocks", "none");
    GROUP("ordering", "auto", "natural", "cuthill_mckee", "reverse_cuthill_mckee", "minimum_degree",
          "nested_dissection");
    GROUP("contact", "none", "bodies", "all");
    GROUP("mirror", "none", "exact", "recipe", "whole");
    GROUP("halving", "split", "project");
    GROUP("closure", "open", "zip", "button");
    GROUP("grid", "crossed", "alternating", "one_way", "crossed_twice", "woven");
    GROUP("inflation", "none", "pressure", "gas");
    GROUP("wind", "uniform", "gusts", "turbulence", "source", "vortex");
    while (weft_choice(count)) count++;
    CHECK(count == total);
    CHECK(weft_choice(-1) == NULL && weft_choice(count) == NULL && weft_choice(100000) == NULL);
    // the names stand for the values
    CHECK(WEFT_METHOD_MATRIX_FREE == 4 && WEFT_METHOD_SMALL_STEPS == 5);
    CHECK(WEFT_PRESET_CHOI_KO == 4 && WEFT_STRETCH_THREADS == 3);
    CHECK(WEFT_SHEAR_AREA == 2 && WEFT_BEND_NONE == 2 && WEFT_BEND_BY_THREADS == 2);
    CHECK(WEFT_ESTIMATOR_VERTEX == 3 && WEFT_SCHEME_PLAIN == 5 && WEFT_SWEEP_JACOBI == 1);
    CHECK(WEFT_JACOBIAN_SCALAR == 5 && WEFT_START_PREVIOUS == 2 && WEFT_MATRICES_NONE == 2);
    CHECK(WEFT_GRID_WOVEN == 4 && WEFT_CONTACT_ALL == 2);
}

// The text of a level says what a step at that level reports.
static void quality_texts(void) {
    CHECK(weft_quality_text(0) == NULL && weft_quality_text(WEFT_MAX_QUALITY + 1) == NULL);
    Swing s = swing_def(N, 30);
    swing_open(&s);
    for (int quality = 1; quality <= WEFT_MAX_QUALITY; quality++) {
        const char* text = weft_quality_text(quality);
        s.step.quality = quality;
        CHECK(swing_step(&s));
        const WeftStepReport* r = weft_report(s.state);
        char words[32];
        snprintf(words, sizeof words, "order %d", r->order);
        CHECK_TEXT(text, words);
        snprintf(words, sizeof words, "%d substep%s", r->substeps, r->substeps > 1 ? "s" : "");
        CHECK_TEXT(text, words);
        snprintf(words, sizeof words, "%s %d", r->scheme == WEFT_SCHEME_A ? "A" : "JAJ",
                 r->iterations[0]);
        CHECK_TEXT(text, r->scheme == WEFT_SCHEME_REPEAT ? "one solve" : words);
    }
    swing_close(&s);
}

// ---------------------------------------------------------------------------------------------
// Measures

static WeftMeasure measure_of(const Swing* s) {
    WeftMeasure measure;
    CHECK(weft_measure(s->state, s->step.gravity, &measure) == WEFT_OK);
    CHECK_NEAR(measure.total, measure.kinetic + measure.gravity + measure.stretch + measure.bend,
               1e-12);
    return measure;
}

static void scale_positions(Swing* s, double factor) {
    double x[3 * VERTICES];
    for (int i = 0; i < 3 * VERTICES; i++) x[i] = factor * weft_positions(s->state)[i];
    weft_set_positions(s->state, x);
}

static void energies_at_rest(void) {
    Swing s = swing_def(N, 30);
    swing_open(&s);
    WeftMeasure m = measure_of(&s);
    CHECK(m.kinetic == 0 && m.gravity == 0 && m.max_speed == 0);
    CHECK_NEAR(m.stretch, 0, 1e-20);
    CHECK_NEAR(m.bend, 0, 1e-20);
    CHECK_NEAR(m.max_stretch, 1, 1e-12);
    CHECK_NEAR(m.p99_stretch, 1, 1e-12);
    swing_close(&s);
}

// A sheet larger by a tenth in both directions, moving up at 2 m/s, 3 m above zero.
static void energies_of_simple_states(void) {
    for (int kind = 0; kind < 4; kind++) {
        Swing s = swing_def(N, 30);
        double k = s.cloth.fabric.stretch_warp;
        if (kind % 2) swing_triangles(&s);
        if (kind >= 2)
            weft_set_estimator(&s.cloth, WEFT_ESTIMATOR_VERTEX, 2);  // conventional still
        swing_open(&s);
        double lengths = 0;
        for (int e = 0; e < weft_edge_count(s.model); e++) {
            const int* ends = weft_edges(s.model) + 2 * e;
            for (int c = 0; c < 3; c++) {
                double d = s.mesh.positions[3 * ends[1] + c] - s.mesh.positions[3 * ends[0] + c];
                lengths += d * d;
            }
        }
        scale_positions(&s, 1.1);
        double x[3 * VERTICES], v[3 * VERTICES];
        for (int i = 0; i < VERTICES; i++) {
            for (int c = 0; c < 3; c++) x[3 * i + c] = weft_positions(s.state)[3 * i + c];
            x[3 * i + 1] += 3;
            v[3 * i] = v[3 * i + 2] = 0;
            v[3 * i + 1] = 2;
        }
        weft_set_positions(s.state, x);
        weft_set_velocities(s.state, v);
        WeftMeasure m = measure_of(&s);
        // springs: k/2 (0.1 L)^2 each; triangles: 2 k twice and k/2 twice on a square metre
        double expected =
            kind % 2 ? 0.5 * (2 * k + 2 * k + k / 2 + k / 2) * 0.01 : 0.5 * k * 0.01 * lengths;
        CHECK_NEAR(m.stretch, expected, 1e-9 * expected);
        CHECK_NEAR(m.kinetic, 0.15 / 2 * 4, 1e-12);
        CHECK_NEAR(m.gravity, 0.15 * 9.81 * 3, 1e-9);
        CHECK_NEAR(m.bend, 0, 1e-12);
        CHECK_NEAR(m.max_stretch, 1.1, 1e-9);
        CHECK_NEAR(m.p99_stretch, 1.1, 1e-9);
        CHECK_NEAR(m.max_speed, 2, 1e-12);
        swing_close(&s);
    }
}

// Rolled onto a cylinder of radius R about an axis along the grid: bend/2 per R^2 and area.
static void energy_of_a_cylinder(void) {
    enum { M = 41 };
    const double R = 0.5;
    Swing s = swing_def(M, 30);
    s.grid = WEFT_GRID_ONE_WAY;
    s.cloth.fabric.bend = 1e-3;
    swing_open(&s);
    double* x = malloc(3 * M * M * sizeof *x);
    for (int i = 0; i < M * M; i++) {
        const double* flat = weft_positions(s.state) + 3 * i;
        x[3 * i] = R * sin(flat[0] / R);
        x[3 * i + 1] = R * cos(flat[0] / R);
        x[3 * i + 2] = flat[2];
    }
    weft_set_positions(s.state, x);
    WeftMeasure m = measure_of(&s);
    CHECK_NEAR(m.bend, 1e-3 / 2 / (R * R), 0.08 * 1e-3 / 2 / (R * R));
    CHECK_NEAR(m.max_stretch, 1, 1e-3);
    free(x);
    swing_close(&s);
}

// 99 % of the edges are below p99: one vertex pulled out stretches a handful among hundreds.
static void percentile(void) {
    Swing s = swing_def(20, 30);
    swing_open(&s);
    double* x = malloc(3 * 400 * sizeof *x);
    memcpy(x, weft_positions(s.state), 3 * 400 * sizeof *x);
    x[3 * 210 + 1] = 1;
    weft_set_positions(s.state, x);
    WeftMeasure m = measure_of(&s);
    CHECK(m.max_stretch > 10 && m.p99_stretch < 1.0001);
    free(x);
    swing_close(&s);
}

TEST_MAIN(CASE(bad_meshes), CASE(bad_fabrics), CASE(bad_choices), CASE(read_back), CASE(masses),
          CASE(everything_is_copied), CASE(bytes), CASE(too_many_factors), CASE(fewer_matrices),
          CASE(solver_bytes), CASE(cloths_do_not_touch), CASE(linear_beside_conventional),
          CASE(choices), CASE(quality_texts), CASE(energies_at_rest),
          CASE(energies_of_simple_states), CASE(energy_of_a_cylinder), CASE(percentile))

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards that all methods solve the same equations: with short steps every method, model and order
// ends where the converged implicit step does; better quality is closer; what makes no sense is
// refused with a sentence; a failed step leaves the state as it was.

#include "swing.h"
#include "test.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

// ---------------------------------------------------------------------------------------------
// One motion, by all methods

static void springs(Swing* s) { (void)s; }
static void crossed(Swing* s) { s->grid = WEFT_GRID_CROSSED; }
static void lumped(Swing* s) {  // masses by area, bending outside the matrix
    s->grid = WEFT_GRID_ONE_WAY;
    s->cloth.uniform_mass = false;
    s->cloth.bend = WEFT_BEND_EXPLICIT;
}
static void triangles(Swing* s) { swing_triangles(s); }
static void product(Swing* s) {
    swing_triangles(s);
    s->cloth.shear = WEFT_SHEAR_PRODUCT;
}
static void damped(Swing* s) {
    s->cloth.fabric.mass_damping = 0.5;
    s->cloth.fabric.stretch_damping = 0.001;
    s->cloth.fabric.bend_damping = 0.001;
    s->step.air_density = 1.2;
    s->step.wind[0] = 2;
    s->step.wind[2] = -4;
}
static void damped_triangles(Swing* s) {
    swing_triangles(s);
    damped(s);
}
// linear models, for the step of one solve and for the implicit method
static void rotation(Swing* s) { weft_set_estimator(&s->cloth, WEFT_ESTIMATOR_ROTATION, 2); }
static void vertex(Swing* s) { weft_set_estimator(&s->cloth, WEFT_ESTIMATOR_VERTEX, 2); }
static void vertex_first(Swing* s) { weft_set_estimator(&s->cloth, WEFT_ESTIMATOR_VERTEX, 1); }
static void vertex_triangles(Swing* s) {
    swing_triangles(s);
    vertex(s);
}

static void symplectic(WeftStepDef* step) { step->method = WEFT_METHOD_SYMPLECTIC; }
static void implicit(WeftStepDef* step) { step->method = WEFT_METHOD_IMPLICIT; }
static void textbook(WeftStepDef* step) {
    step->method = WEFT_METHOD_IMPLICIT;
    step->start = WEFT_START_PREVIOUS;
}
static void converged(WeftStepDef* step) {
    step->method = WEFT_METHOD_IMPLICIT;
    step->newton_steps = 40;
    step->newton_tolerance = 1e-9;
    step->tolerance = 1e-6;
}
static void implicit_a(WeftStepDef* step) {
    step->method = WEFT_METHOD_IMPLICIT;
    step->scheme = WEFT_SCHEME_A;
}
static void repeat_4(WeftStepDef* step) {
    step->scheme = WEFT_SCHEME_REPEAT;
    step->iterations[0] = 4;
}
static void relaxation(WeftStepDef* step) { step->method = WEFT_METHOD_RELAXATION; }
static void scalable(WeftStepDef* step) {  // Kim's, with more sweeps than he took
    step->method = WEFT_METHOD_RELAXATION;
    step->jacobian = WEFT_JACOBIAN_SMOOTHED;
    step->start = WEFT_START_PREVIOUS;
    step->iterations[0] = 8;
}
static void jacobi(WeftStepDef* step) {  // where it cannot explode
    step->method = WEFT_METHOD_RELAXATION;
    step->sweep = WEFT_SWEEP_JACOBI;
    step->start = WEFT_START_PREDICTED;
    step->jacobian = WEFT_JACOBIAN_SCALAR;
    step->iterations[0] = step->iterations[1] = 8;
}
static void matrix_free(WeftStepDef* step) { step->method = WEFT_METHOD_MATRIX_FREE; }
static void matrix_free_plain(WeftStepDef* step) {
    step->method = WEFT_METHOD_MATRIX_FREE;
    step->scheme = WEFT_SCHEME_PLAIN;
}
static void matrix_free_jaj(WeftStepDef* step) {
    step->method = WEFT_METHOD_MATRIX_FREE;
    step->scheme = WEFT_SCHEME_JAJ;
}

typedef struct Model {
    const char* name;
    void (*set)(Swing*);
    void (*exact)(Swing*);    // the same cloth with conventional energy
    bool linear, unfactored;  // takes one solve only; takes no factor
    double bound;             // mm at the shorter step
} Model;

static const Model models[] = {
    {"springs", springs, springs, false, false, 1.5},
    {"crossed", crossed, crossed, false, false, 1.5},
    {"lumped", lumped, lumped, false, false, 1.5},
    {"triangles", triangles, triangles, false, false, 1.5},
    {"shear product", product, product, false, true, 1.5},
    {"damped", damped, damped, false, false, 1.5},
    {"damped triangles", damped_triangles, damped_triangles, false, false, 1.5},
    {"rotation", rotation, springs, true, false, 3},
    {"vertex", vertex, springs, true, false, 3},
    {"vertex, order 1", vertex_first, springs, true, false, 5},
    {"vertex triangles", vertex_triangles, triangles, true, false, 3},
};
enum { MODEL_COUNT = sizeof models / sizeof *models };

typedef struct Way {
    const char* name;
    void (*set)(WeftStepDef*);
    bool factored, linear;  // takes a factor; takes linear models
} Way;

static const Way ways[] = {
    {"symplectic", symplectic, false, false},
    {"implicit", implicit, false, true},
    {"textbook", textbook, false, true},
    {"converged", converged, false, true},
    {"implicit, A", implicit_a, true, true},
    {"repeat 4", repeat_4, true, false},
    {"relaxation", relaxation, false, true},
    {"scalable", scalable, false, true},
    {"Jacobi", jacobi, false, true},
    {"matrix-free", matrix_free, false, true},
    {"matrix-free, plain", matrix_free_plain, false, true},
    {"matrix-free, JAJ", matrix_free_jaj, true, true},
};
enum { WAY_COUNT = sizeof ways / sizeof *ways };

enum { N = 6 };
static const double DURATION = 0.125;

static Track record(Swing s, int steps) {
    s.step.dt = DURATION / steps;
    swing_open(&s);
    Track track = swing_record(&s, steps);
    CHECK(track.count == steps);
    swing_close(&s);
    return track;
}

static double distance(Swing s, int steps, const Track* exact) {
    Track track = record(s, steps);
    double error = track_distance(&track, exact);
    track_free(&track);
    return error;
}

// Closer with steps of half the length, and close.
static void check_way(const Swing* s, const Track* exact, double bound, const char* model,
                      const char* way) {
    double longer = distance(*s, 60, exact), shorter = distance(*s, 120, exact);
    int before = test_failures;
    CHECK_BELOW(shorter, bound);
    // explicit steps may have been cut to the same length in both
    if (s->step.method != WEFT_METHOD_SYMPLECTIC) CHECK(shorter < longer / 1.4 || shorter < 0.1);
    if (test_failures != before)
        printf("... %s, %s, order %d: %.3f, %.3f mm\n", model, way, s->step.order, longer, shorter);
}

static void all_methods_agree(void) {
    for (int m = 0; m < MODEL_COUNT; m++) {
        const Model* model = &models[m];
        Swing s = swing_def(N, 30);
        model->exact(&s);
        converged(&s.step);
        s.step.order = 2;
        Track exact = record(s, 960);
        for (int order = 1; order <= 2; order++) {
            for (int w = 0; w < WAY_COUNT; w++) {
                if (ways[w].factored && model->unfactored) continue;
                if (!ways[w].linear && model->linear) continue;
                s = swing_def(N, 30);
                model->set(&s);
                ways[w].set(&s.step);
                s.step.order = order;
                check_way(&s, &exact, model->bound, model->name, ways[w].name);
            }
            for (int quality = 1; quality <= WEFT_MAX_QUALITY && !model->unfactored; quality++) {
                s = swing_def(N, 30);
                model->set(&s);
                s.step.quality = quality;
                s.step.order = order;
                check_way(&s, &exact, quality < 3 ? 3 * model->bound : model->bound, model->name,
                          weft_quality_text(quality));
            }
        }
        track_free(&exact);
    }
}

// Without damping, short steps keep the energy: a part of what moves between its forms.
static void energy_is_kept(void) {
    for (int m = 0; m < 5; m++)
        for (int w = 0; w < WAY_COUNT; w++) {
            if (ways[w].factored && models[m].unfactored) continue;
            Swing s = swing_def(N, 30);
            models[m].set(&s);
            ways[w].set(&s.step);
            s.step.order = 2;
            s.step.dt = DURATION / 240;
            swing_open(&s);
            double start = swing_energy(&s);
            for (int k = 0; k < 240; k++) CHECK(swing_step(&s));
            WeftMeasure measure;
            CHECK(weft_measure(s.state, s.step.gravity, &measure) == WEFT_OK);
            CHECK_BELOW(0.05, measure.kinetic);
            CHECK_NEAR(measure.total, start, 0.02 * measure.kinetic);
            swing_close(&s);
        }
}

// Hang a cloth up by the converged step, with long steps until nothing moves.
static void settle(void (*model)(Swing*), double* x) {
    Swing s = swing_def(N, 30);
    model(&s);
    converged(&s.step);
    s.step.newton_tolerance = 1e-12;
    s.step.tolerance = 1e-8;
    s.step.order = 1;
    s.step.dt = 0.5;
    s.cloth.fabric.mass_damping = 4;
    swing_open(&s);
    WeftMeasure measure = {.max_speed = 1};
    for (int k = 0; k < 2000 && measure.max_speed > 1e-10; k++) {
        CHECK(swing_step(&s));
        CHECK(weft_measure(s.state, s.step.gravity, &measure) == WEFT_OK);
    }
    CHECK_BELOW(measure.max_speed, 1e-9);
    memcpy(x, weft_positions(s.state), 3 * N * N * sizeof *x);
    swing_close(&s);
}

// Where the converged step comes to rest, every other one rests: not a micrometre in a second.
static void same_rest(void) {
    for (int m = 0; m < MODEL_COUNT; m++) {
        if (models[m].set == damped || models[m].set == damped_triangles) continue;  // wind
        double rest[3 * N * N];
        settle(models[m].exact, rest);
        for (int w = 0; w < WAY_COUNT + WEFT_MAX_QUALITY; w++)
            for (int order = 1; order <= 2; order++) {
                const Way* way = w < WAY_COUNT ? &ways[w] : NULL;
                if (models[m].unfactored && (!way || way->factored)) continue;
                if (models[m].linear && way && !way->linear) continue;
                Swing s = swing_def(N, 30);
                models[m].set(&s);
                if (way)
                    way->set(&s.step);
                else
                    s.step.quality = w - WAY_COUNT + 1;
                s.step.order = order;
                swing_open(&s);
                weft_set_positions(s.state, rest);
                for (int k = 0; k < 60; k++) CHECK(swing_step(&s));
                double worst = 0;
                for (int i = 0; i < 3 * N * N; i++)
                    worst = fmax(worst, fabs(weft_positions(s.state)[i] - rest[i]));
                if (!CHECK_BELOW(worst, 1e-6))
                    printf("... %s, %s, order %d\n", models[m].name,
                           way ? way->name : weft_quality_text(s.step.quality), order);
                swing_close(&s);
            }
    }
}

// ---------------------------------------------------------------------------------------------
// Quality

// On cloth of real stiffness, 2000 N/m, each level is at least as close to the fine motion as the
// one before.
static void quality_is_worth_its_cost(void) {
    Swing s = swing_def(25, 1);
    s.cloth.fabric.stretch_warp = s.cloth.fabric.stretch_weft = 2000;
    Swing fine = s;
    fine.step.method = WEFT_METHOD_IMPLICIT;
    fine.step.scheme = WEFT_SCHEME_JAJ;
    fine.step.newton_steps = 2;
    fine.step.order = 2;
    fine.step.substeps = 32;
    swing_open(&fine);
    Track exact = swing_record(&fine, 60);
    swing_close(&fine);
    double last = INFINITY;
    for (int quality = 1; quality <= WEFT_MAX_QUALITY; quality++) {
        Swing run = s;
        run.step.quality = quality;
        swing_open(&run);
        Track track = swing_record(&run, 60);
        double error = track_distance(&track, &exact);
        CHECK(error <= last);
        last = error;
        track_free(&track);
        swing_close(&run);
    }
    CHECK_BELOW(last, 20);
    track_free(&exact);
}

// The report says what the step did.
static void reports(void) {
    Swing s = swing_def(N, 30);
    s.step.quality = 4;
    swing_open(&s);
    CHECK(swing_step(&s));
    CHECK(swing_step(&s));  // the first may do more, to find the acceleration it starts with
    const WeftStepReport* r = weft_report(s.state);
    CHECK(r->order == 2 && r->substeps == 2 && r->scheme == WEFT_SCHEME_A);
    CHECK(r->iterations[0] == 4 && r->iterations[1] == 0);
    CHECK(r->newton_steps == 2);
    CHECK(r->solve_count >= 8);
    CHECK(r->cg_iterations == 8);
    CHECK(r->converged && r->factor_count == 0 && r->guard_count == 0);
    CHECK(r->stiffness_scale == 1);
    CHECK_NEAR(r->stiffness_number, 30.0 / 4, 1e-9);
    CHECK(r->times.total == 0);  // no clock

    s.step.quality = 1;
    s.step.substeps = 3;
    CHECK(swing_step(&s));
    CHECK(r->substeps == 3 && r->scheme == WEFT_SCHEME_REPEAT && r->solve_count == 3);

    s.step.method = WEFT_METHOD_IMPLICIT;
    s.step.substeps = 0;
    s.step.newton_steps = 3;
    CHECK(swing_step(&s));
    CHECK(r->substeps == 1 && r->newton_steps == 3 && r->solve_count == 0);
    CHECK(r->cg_iterations > 3 && r->residual <= s.step.tolerance && r->converged);

    s.step.max_iterations = 2;
    s.step.tolerance = 1e-12;
    CHECK(swing_step(&s));
    CHECK(!r->converged && r->residual > 1e-12);

    s.step.method = WEFT_METHOD_SYMPLECTIC;
    CHECK(swing_step(&s));
    CHECK(r->order == 1 && r->substeps > 1 && r->solve_count == 0 && r->newton_steps == 0);
    swing_close(&s);
}

static double ticks(void* user) { return *(double*)user += 1; }

static void clocks(void) {
    Swing s = swing_def(N, 30);
    swing_make_mesh(&s);
    double now = 0;
    WeftModelDef def = swing_model_def(&s);
    def.clock = (WeftClock){ticks, &now};
    CHECK(weft_create_model(&def, &s.model, NULL) == WEFT_OK);
    CHECK(weft_create_state(s.model, &s.state, NULL) == WEFT_OK);
    for (int w = 0; w < WAY_COUNT; w++) {
        s.step = weft_default_step_def();
        ways[w].set(&s.step);
        CHECK(swing_step(&s));
        const WeftTimes* t = &weft_report(s.state)->times;
        double parts = t->predict + t->force + t->build + t->factor + t->solve + t->update;
        CHECK(t->total > 0 && parts > 0 && parts <= t->total);
    }
    swing_close(&s);
}

// ---------------------------------------------------------------------------------------------
// What is refused

static void check_refused(Swing* s, const WeftStepDef* step, WeftResult result, const char* words) {
    WeftError error = {0};
    uint64_t before = weft_hash_state(s->state);
    CHECK(weft_prepare_model(s->model, step, &error) == result);
    CHECK(error.result == result);
    CHECK_TEXT(error.message, words);
    CHECK(weft_step(s->state, step) == result);
    CHECK(weft_state_error(s->state)->result == result);
    CHECK_TEXT(weft_state_error(s->state)->message, words);
    CHECK(weft_hash_state(s->state) == before);
}

static void refused_combinations(void) {
    Swing s = swing_def(N, 30);
    product(&s);
    s.step.method = WEFT_METHOD_IMPLICIT;
    swing_open(&s);
    WeftStepDef step = s.step;
    step.method = WEFT_METHOD_PREFACTORED;
    check_refused(&s, &step, WEFT_ERROR_COMBINATION, "use the shear of diagonals");
    check_refused(&s, &step, WEFT_ERROR_COMBINATION, "cloth 0");
    step.method = WEFT_METHOD_IMPLICIT;
    step.scheme = WEFT_SCHEME_JAJ;
    check_refused(&s, &step, WEFT_ERROR_COMBINATION, "nothing to factor once");
    CHECK(swing_step(&s));
    swing_close(&s);

    s = swing_def(N, 30);
    vertex(&s);
    swing_open(&s);
    step = s.step;
    step.scheme = WEFT_SCHEME_A;
    check_refused(&s, &step, WEFT_ERROR_COMBINATION, "one solve is the exact step");
    step.scheme = WEFT_SCHEME_REPEAT;
    step.iterations[0] = 2;
    check_refused(&s, &step, WEFT_ERROR_COMBINATION, "estimator none");
    step.iterations[0] = 1;
    CHECK(weft_step(s.state, &step) == WEFT_OK);
    swing_close(&s);

    s = swing_def(N, 30);
    swing_open(&s);
    step = s.step;
    step.scheme = WEFT_SCHEME_JAJ;
    for (int k = 1; k <= 2; k++) {
        step.iterations[0] = k;
        check_refused(&s, &step, WEFT_ERROR_COMBINATION, "take at least 3");
        step.iterations[0] = 4;
        step.iterations[1] = k;
        check_refused(&s, &step, WEFT_ERROR_COMBINATION, "take at least 3");
        step.iterations[1] = 0;
    }
    CHECK(weft_step(s.state, &step) == WEFT_OK);
    swing_close(&s);

    // schemes and Jacobians that a method has no use for
    s = swing_def(N, 30);
    swing_open(&s);
    for (int scheme = WEFT_SCHEME_J; scheme <= WEFT_SCHEME_PLAIN; scheme++) {
        step = s.step;
        step.scheme = (WeftScheme)scheme;
        check_refused(&s, &step, WEFT_ERROR_COMBINATION, "make no use of the factor");
    }
    for (int j = WEFT_JACOBIAN_EXACT; j <= WEFT_JACOBIAN_SCALAR; j++) {
        step = s.step;
        step.jacobian = (WeftJacobian)j;
        check_refused(&s, &step, WEFT_ERROR_COMBINATION, "has its own Jacobian");
        step.method = WEFT_METHOD_RELAXATION;
        CHECK(weft_step(s.state, &step) == WEFT_OK);
    }
    for (int scheme = WEFT_SCHEME_REPEAT; scheme <= WEFT_SCHEME_PLAIN; scheme++) {
        step = s.step;
        step.method = WEFT_METHOD_RELAXATION;
        step.scheme = (WeftScheme)scheme;
        check_refused(&s, &step, WEFT_ERROR_COMBINATION, "no scheme applies");
    }
    step = s.step;
    step.scheme = WEFT_SCHEME_REPEAT;
    step.method = WEFT_METHOD_IMPLICIT;
    check_refused(&s, &step, WEFT_ERROR_COMBINATION, "repeat belongs to the prefactored method");
    step.method = WEFT_METHOD_MATRIX_FREE;
    check_refused(&s, &step, WEFT_ERROR_COMBINATION, "repeat belongs to the prefactored method");
    step = s.step;
    step.budget_ms = 1;
    check_refused(&s, &step, WEFT_ERROR_COMBINATION, "a budget needs a clock");
    CHECK(swing_step(&s));
    swing_close(&s);

    // explicit steps know where the cloth is: a prediction would only push it on
    void (*const linear_models[])(Swing*) = {rotation, vertex, vertex_triangles};
    for (int i = 0; i < 3; i++) {
        s = swing_def(N, 30);
        linear_models[i](&s);
        swing_open(&s);
        step = s.step;
        step.method = WEFT_METHOD_SYMPLECTIC;
        check_refused(&s, &step, WEFT_ERROR_COMBINATION, "estimator none");
        swing_close(&s);
    }

    // a linear triangle model has no shear product: the model itself is refused
    s = swing_def(N, 30);
    vertex_triangles(&s);
    s.cloth.shear = WEFT_SHEAR_PRODUCT;
    swing_make_mesh(&s);
    WeftModelDef def = swing_model_def(&s);
    WeftError error = {0};
    CHECK(weft_create_model(&def, &s.model, &error) == WEFT_ERROR_COMBINATION);
    CHECK_TEXT(error.message, "cloth 0: the shear product is not linear");
    swing_close(&s);
}

// Every field that can be wrong, by name.
static void refused_values(void) {
    Swing s = swing_def(N, 30);
    swing_open(&s);
    const WeftStepDef good = s.step;
#define REFUSED(field, value, words)                       \
    do {                                                   \
        WeftStepDef step = good;                           \
        step.field = value;                                \
        check_refused(&s, &step, WEFT_ERROR_INPUT, words); \
    } while (0)
    const double nan = (double)NAN, inf = (double)INFINITY;
    const double dts[] = {0, -0.01, 1.5, nan, inf};
    for (int i = 0; i < 5; i++) REFUSED(dt, dts[i], "dt is");
    for (int i = 0; i < 3; i++) {
        REFUSED(gravity[i], nan, "gravity");
        REFUSED(gravity[i], -inf, "gravity");
        REFUSED(wind[i], nan, "wind");
        REFUSED(wind[i], inf, "wind");
    }
    REFUSED(air_density, -1, "air_density is");
    REFUSED(air_density, nan, "air_density is");
    REFUSED(air_density, inf, "air_density is");
    REFUSED(stretch_tolerance, -0.01, "stretch_tolerance is");
    REFUSED(stretch_tolerance, 1, "stretch_tolerance is");
    REFUSED(stretch_tolerance, nan, "stretch_tolerance is");
    REFUSED(tolerance, 0, "tolerance is");
    REFUSED(tolerance, 1, "tolerance is");
    REFUSED(tolerance, nan, "tolerance is");
    REFUSED(solve_tolerance, 0, "solve_tolerance is");
    REFUSED(solve_tolerance, 1, "solve_tolerance is");
    REFUSED(solve_tolerance, nan, "solve_tolerance is");
    REFUSED(newton_tolerance, -1, "newton_tolerance is");
    REFUSED(newton_tolerance, nan, "newton_tolerance is");
    REFUSED(method, (WeftMethod)6, "method is 6");
    REFUSED(method, (WeftMethod)-1, "method is");
    REFUSED(scheme, 6, "scheme is 6");
    REFUSED(scheme, -1, "scheme is");
    REFUSED(sweep, 2, "sweep is 2");
    REFUSED(sweep, -1, "sweep is");
    REFUSED(jacobian, 6, "jacobian is 6");
    REFUSED(jacobian, -1, "jacobian is");
    REFUSED(budget_ms, -1, "budget_ms is");
    REFUSED(budget_ms, nan, "budget_ms is");
    REFUSED(budget_ms, inf, "budget_ms is");
    REFUSED(start, 3, "start is 3");
    REFUSED(start, -1, "start is");
    REFUSED(quality, 0, "quality is 0");
    REFUSED(quality, WEFT_MAX_QUALITY + 1, "quality is 9");
    REFUSED(order, 3, "order is 3");
    REFUSED(order, -1, "order is -1");
    REFUSED(substeps, -1, "substeps is -1");
    REFUSED(substeps, 1000000, "substeps is 1000000");
    REFUSED(newton_steps, 0, "newton_steps is 0");
    REFUSED(max_iterations, 0, "max_iterations is 0");
    for (int i = 0; i < WEFT_MAX_NEWTON; i++) {
        char words[32];
        snprintf(words, sizeof words, "iterations[%d] is -1", i);
        REFUSED(iterations[i], -1, words);
    }
    for (int i = 0; i < WEFT_MAX_LIMITS; i++) {
        char words[32];
        snprintf(words, sizeof words, "limits[%d] is -1", i);
        REFUSED(limits[i], -1, words);
    }
#undef REFUSED
    // still good for a step, and the error is gone
    CHECK(swing_step(&s));
    CHECK(weft_state_error(s.state)->result == WEFT_OK);
    swing_close(&s);
}

// ---------------------------------------------------------------------------------------------
// From method to method

static double fastest(const Swing* s) {
    double most = 0;
    for (int i = 0; i < N * N; i++) {
        const double* v = weft_velocities(s->state) + 3 * i;
        most = fmax(most, v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    return sqrt(most);
}

// The state is kept: what moves moves on, and no energy comes from nowhere.
static void check_switch(const Way* a, const Way* b) {
    int before = test_failures;
    Swing s = swing_def(N, 30);
    s.step.dt = 1.0 / 480;  // where every method is good
    swing_open(&s);
    const WeftStepDef start = s.step;
    for (int k = 0; k < 120; k++) {
        double old[3 * N * N], moved = 0, speed = fastest(&s);
        memcpy(old, weft_positions(s.state), sizeof old);
        s.step = start;
        (k / 10 % 2 ? b : a)->set(&s.step);
        CHECK(swing_step(&s));
        for (int i = 0; i < N * N; i++) {
            const double* x = weft_positions(s.state) + 3 * i;
            double dx = x[0] - old[3 * i], dy = x[1] - old[3 * i + 1], dz = x[2] - old[3 * i + 2];
            moved = fmax(moved, sqrt(dx * dx + dy * dy + dz * dz));
        }
        // as fast as before, and what gravity and springs add within a step
        CHECK_BELOW(moved, 1.05 * speed * s.step.dt + 2e-4);
        CHECK_BELOW(swing_energy(&s), 0.002);
    }
    CHECK_BELOW(swing_height(&s), -0.2);
    if (test_failures != before) printf("... %s, %s\n", a->name, b->name);
    swing_close(&s);
}

static void by_default(WeftStepDef* step) { (void)step; }

static void switching_methods(void) {
    static const Way ladder = {"default", by_default, true, true};
    for (int a = 0; a < WAY_COUNT; a++) {
        check_switch(&ladder, &ways[a]);
        check_switch(&ways[a], &ladder);
        for (int b = 0; b < WAY_COUNT; b++)
            if (a != b) check_switch(&ways[a], &ways[b]);
    }
}

// ---------------------------------------------------------------------------------------------
// Steps that fail

// An explicit step far too long leaves the numbers after some substeps: an error that says so, and
// the state as before the first of them.
static void explosions_are_undone(void) {
    Swing s = swing_def(N, 1e6);
    s.step.method = WEFT_METHOD_SYMPLECTIC;
    s.step.substeps = 100;
    s.step.dt = 0.5;
    swing_open(&s);
    uint64_t before = weft_hash_state(s.state);
    CHECK(weft_step(s.state, &s.step) == WEFT_ERROR_INPUT);
    CHECK_TEXT(weft_state_error(s.state)->message, "too long a step");
    CHECK(weft_hash_state(s.state) == before);
    CHECK(weft_time(s.state) == 0);
    s.step = weft_default_step_def();
    CHECK(swing_step(&s));
    swing_close(&s);
}

// More substeps than anyone waits for are refused, with what asks for them.
static void too_many_substeps(void) {
    Swing s = swing_def(N, 1e4);
    s.cloth.fabric.stretch_damping = 1;
    swing_open(&s);
    s.step.method = WEFT_METHOD_SYMPLECTIC;
    CHECK(weft_step(s.state, &s.step) == WEFT_ERROR_COMBINATION);
    CHECK_TEXT(weft_state_error(s.state)->message, "stretch_damping");
    s.step.method = WEFT_METHOD_IMPLICIT;
    CHECK(swing_step(&s));
    swing_close(&s);
}

// Substeps chosen by the library are stable, whatever the fabric: soft, stiff, damped.
static void chosen_substeps_are_stable(void) {
    static const double stretch_damping[] = {0, 1e-4, 1e-3, 1e-2};
    for (int kind = 0; kind < 2; kind++)
        for (int d = 0; d < 4; d++)
            for (int beta = 1; beta <= (d < 3 ? 1000 : 10); beta *= 10) {
                int before = test_failures;
                Swing s = swing_def(N, beta);
                if (kind) swing_triangles(&s);
                s.cloth.fabric.stretch_damping = stretch_damping[d];
                s.cloth.fabric.mass_damping = d;
                s.step.method = WEFT_METHOD_SYMPLECTIC;
                swing_open(&s);
                double top = -INFINITY;
                for (int k = 0; k < test_rounds(30) && test_failures == before; k++) {
                    CHECK(swing_step(&s));
                    top = fmax(top, swing_energy(&s));
                }
                CHECK_BELOW(top, 0.02);
                if (test_failures != before)
                    printf("... %s, beta %d, damping %g s\n", kind ? "triangles" : "springs", beta,
                           stretch_damping[d]);
                swing_close(&s);
            }
}

TEST_MAIN(SLOW_CASE(all_methods_agree), SLOW_CASE(energy_is_kept), LONG_CASE(same_rest),
          LONG_CASE(quality_is_worth_its_cost), CASE(reports), CASE(clocks),
          CASE(refused_combinations), CASE(refused_values), CASE(switching_methods),
          CASE(explosions_are_undone), CASE(too_many_substeps), CASE(chosen_substeps_are_stable))

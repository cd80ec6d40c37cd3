// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the linear models on the reference scene: how far and how soon the cloth falls, how
// smoothly, with how much energy, against the conventional step; and their constant matrix.
//
// The numbers were measured with an independent prototype: SWING(25, beta), 120 steps. `low` is the
// minimum of the mean height, `steps` the number of steps before it falls below -0.25 m, `energy`
// that of the end, `jerk` the rms change of accelerations from step 20 on.

#include "sim/model.h"
#include "swing.h"
#include "test.h"
#include "weft/weft_study.h"

enum { STEPS = 120, VERTICES = 625 };

typedef struct Run {
    double low, energy, jerk;
    double height[STEPS];
    int steps;
} Run;

static Run run(Swing s) {
    Run r = {.steps = -1};
    swing_open(&s);
    Track t = swing_record(&s, STEPS);
    CHECK(t.count == STEPS);
    r.energy = swing_energy(&s);
    for (int k = 0; k < STEPS; k++) {
        double sum = 0;
        for (int i = 0; i < VERTICES; i++) sum += t.x[k * t.size + 3 * i + 1] / VERTICES;
        r.height[k] = sum;
        r.low = fmin(r.low, sum);
        if (sum < -0.25 && r.steps < 0) r.steps = k;
    }
    // a(k+1) - a(k), with a = (x(k+1) - 2 x(k) + x(k-1))/h^2
    double sum = 0, h = s.step.dt;
    for (int k = 21; k < STEPS; k++)
        for (int i = 0; i < t.size; i++) {
            const double* x = t.x + i;
            double jump = x[k * t.size] - 3 * x[(k - 1) * t.size] + 3 * x[(k - 2) * t.size] -
                          x[(k - 3) * t.size];
            sum += jump / (h * h) * jump / (h * h);
        }
    r.jerk = sqrt(sum / ((STEPS - 21.0) * t.size));
    track_free(&t);
    swing_close(&s);
    return r;
}

static Swing cloth(double beta, bool triangles) {
    Swing s = swing_def(25, beta);
    if (triangles) swing_triangles(&s);
    s.step.order = 1;
    return s;
}

// one Newton step at the last positions, solved to the end
static Run conventional(double beta, bool triangles) {
    Swing s = cloth(beta, triangles);
    s.step.method = WEFT_METHOD_IMPLICIT;
    s.step.scheme = WEFT_SCHEME_JAJ;
    s.step.start = WEFT_START_PREVIOUS;
    s.step.tolerance = 1e-10;
    return run(s);
}

static Swing linear_cloth(double beta, bool triangles, WeftEstimator estimator, int order) {
    Swing s = cloth(beta, triangles);
    weft_set_estimator(&s.cloth, estimator, order);
    s.step.quality = 1;
    return s;
}

static Run linear(double beta, bool triangles, WeftEstimator estimator, int order) {
    return run(linear_cloth(beta, triangles, estimator, order));
}

static double height_difference(const Run* a, const Run* b) {
    double sum = 0;
    for (int k = 0; k < STEPS; k++)
        sum += (a->height[k] - b->height[k]) * (a->height[k] - b->height[k]);
    return sqrt(sum / STEPS);
}

// ---------------------------------------------------------------------------------------------
// Soft cloth: beta 10

// What a linear model does, against the conventional one.
typedef struct Expected {
    const char* name;
    WeftEstimator estimator;
    int order;
    double low[2], energy[2], jerk[2], height[2];  // of springs and triangles
} Expected;

static void check_soft(bool triangles) {
    static const double low[2] = {-0.7975, -0.8227}, energy[2] = {-0.6006, -0.6162};
    static const Expected models[] = {
        {"previous",
         WEFT_ESTIMATOR_PREVIOUS,
         1,
         {-.6586, -.6723},
         {-.8522, -.8670},
         {.13, .12},
         {.1626, .1678}},
        {"rotation 1",
         WEFT_ESTIMATOR_ROTATION,
         1,
         {-.7770, -.7998},
         {-.5673, -.5773},
         {.55, .54},
         {.0360, .0365}},
        {"vertex 1",
         WEFT_ESTIMATOR_VERTEX,
         1,
         {-.7757, -.7984},
         {-.5818, -.6000},
         {.50, .49},
         {.0348, .0355}},
        {"vertex 2",
         WEFT_ESTIMATOR_VERTEX,
         2,
         {-.7827, -.8060},
         {-.5488, -.5666},
         {.73, .72},
         {.0237, .0249}},
    };
    int t = triangles;
    Run reference = conventional(10, triangles);
    CHECK_NEAR(reference.low, low[t], 0.02 * fabs(low[t]));
    CHECK_NEAR(reference.steps, 13, 1);
    CHECK_NEAR(reference.energy, energy[t], 0.02);
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        const Expected* m = &models[i];
        int before = test_failures;
        Run r = linear(10, triangles, m->estimator, m->order);
        CHECK_NEAR(r.low, m->low[t], 0.02 * fabs(m->low[t]));
        CHECK_NEAR(r.steps, m->estimator == WEFT_ESTIMATOR_PREVIOUS ? 14 : 13, 1);
        CHECK_NEAR(r.energy, m->energy[t], 0.02);
        CHECK_NEAR(r.jerk / reference.jerk, m->jerk[t], 0.05);
        CHECK_BELOW(r.jerk / reference.jerk, 1);
        CHECK_NEAR(height_difference(&r, &reference), m->height[t], 0.005);
        if (test_failures != before) printf("... %s\n", m->name);
    }
}

static void soft_springs(void) { check_soft(false); }
static void soft_triangles(void) { check_soft(true); }

// Full extrapolation of rotations gains energy without bound; half of it does not.
static void check_full_extrapolation(bool triangles) {
    Run reference = conventional(10, triangles);
    Swing s = linear_cloth(10, triangles, WEFT_ESTIMATOR_ROTATION, 2);
    Run half = run(s);
    CHECK_BELOW(half.jerk / reference.jerk, 1);
    CHECK_NEAR(half.energy, -0.55, 0.05);
    s.cloth.estimator_weights[0] = 2;
    s.cloth.estimator_weights[1] = -1;
    Run full = run(s);
    CHECK_BELOW(20, full.jerk / reference.jerk);  // measured 93, triangles 78
    CHECK_BELOW(0, full.energy);                  // measured +4.9, triangles +5.4
    // vertices extrapolated in full, too
    s = linear_cloth(10, triangles, WEFT_ESTIMATOR_VERTEX, 2);
    s.cloth.estimator_weights[0] = 3;
    s.cloth.estimator_weights[1] = -3;
    s.cloth.estimator_weights[2] = 1;
    full = run(s);
    CHECK_BELOW(20, full.jerk / reference.jerk);  // measured 45, triangles 47
    CHECK_BELOW(0, full.energy);                  // measured +1.2, triangles +1.5
}
static void full_extrapolation_springs(void) { check_full_extrapolation(false); }
static void full_extrapolation_triangles(void) { check_full_extrapolation(true); }

// ---------------------------------------------------------------------------------------------
// Cloth-like stiffness: beta 100. `previous` brakes all motion out of the plane.

static void check_stiff(bool triangles) {
    static const double low[2] = {-0.5442, -0.5510}, energy[2] = {-0.5483, -0.5725};
    int t = triangles;
    Run reference = conventional(100, triangles);
    CHECK_NEAR(reference.low, low[t], 0.02 * fabs(low[t]));
    CHECK_NEAR(reference.steps, 14, 1);
    CHECK_NEAR(reference.energy, energy[t], 0.03);
    Run previous = linear(100, triangles, WEFT_ESTIMATOR_PREVIOUS, 1);
    CHECK(previous.steps >= 50);  // measured 63, triangles 74
    CHECK_BELOW(previous.jerk / reference.jerk, 0.05);
    static const struct {
        WeftEstimator estimator;
        int order;
        double jerk[2];
    } models[] = {
        {WEFT_ESTIMATOR_ROTATION, 1, {.24, .19}},
        {WEFT_ESTIMATOR_VERTEX, 1, {.23, .17}},
        {WEFT_ESTIMATOR_VERTEX, 2, {.44, .36}},
    };
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        Run r = linear(100, triangles, models[i].estimator, models[i].order);
        CHECK(r.steps >= 14 && r.steps <= 20);
        CHECK_NEAR(r.jerk / reference.jerk, models[i].jerk[t], 0.1);
    }
}
static void stiff_springs(void) { check_stiff(false); }
static void stiff_triangles(void) { check_stiff(true); }

// ---------------------------------------------------------------------------------------------
// Energy: 10 s without damping

static void check_energy(bool triangles) {
    static const struct {
        WeftEstimator estimator;
        int order;
    } models[] = {{WEFT_ESTIMATOR_VERTEX, 1},
                  {WEFT_ESTIMATOR_VERTEX, 2},
                  {WEFT_ESTIMATOR_ROTATION, 1},
                  {WEFT_ESTIMATOR_ROTATION, 2}};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        Swing s = linear_cloth(10, triangles, models[i].estimator, models[i].order);
        swing_open(&s);
        double start = swing_energy(&s), top = -INFINITY;
        for (int k = 0; k < 600; k++) {
            CHECK(swing_step(&s));
            top = fmax(top, swing_energy(&s));
        }
        CHECK_BELOW(top, start);
        CHECK_BELOW(swing_energy(&s), start - 0.5);
        swing_close(&s);
    }
}
static void energy_springs(void) { check_energy(false); }
static void energy_triangles(void) { check_energy(true); }

// ---------------------------------------------------------------------------------------------
// The constant matrix

// |A x - b| / |b| over the free vertices, in the largest of three directions
static double solve_residual(const Swing* s, double tolerance) {
    WeftStepDef step = s->step;
    step.solve_tolerance = tolerance;
    const int *start, *index;
    size_t n = 3 * VERTICES, count = (size_t)weft_factor_info(s->model).matrix_count;
    double *b = calloc(n, 8), *x = calloc(n, 8), *values = calloc(count, 8);
    unsigned seed = 7;
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        b[i] = weft_is_pinned(s->state, (int)i / 3) ? 0 : (seed >> 8) / 8388608.0 - 1;
        if (i % 3 == 1 && b[i] != 0) b[i] = weft_masses(s->model)[i / 3];  // as gravity is
    }
    CHECK(weft_get_matrix(s->model, &step, &start, &index, values, NULL) == WEFT_OK);
    CHECK(weft_solve(s->state, &step, b, x) == WEFT_OK);
    double largest = 0;
    for (size_t d = 0; d < 3; d++) {
        double error = 0, size = 0;
        for (size_t i = 0; i < VERTICES; i++) {
            double r = b[3 * i + d];
            if (weft_is_pinned(s->state, (int)i)) continue;
            for (int e = start[i]; e < start[i + 1]; e++)
                r -= values[e] * x[3 * (size_t)index[e] + d];
            error += r * r;
            size += b[3 * i + d] * b[3 * i + d];
        }
        largest = fmax(largest, sqrt(error / size));
    }
    free(b), free(x), free(values);
    return largest;
}

// At every stiffness, that of real cloth among them.
static void constant_solves_are_exact(void) {
    static const double betas[] = {0.1, 10, 100, 1000, 16000};
    for (int b = 0; b < 5; b++)
        for (int kind = 0; kind < 3; kind++) {
            Swing s = linear_cloth(betas[b], kind == 1, WEFT_ESTIMATOR_VERTEX, 2);
            if (kind == 2) s.cloth.estimator = WEFT_ESTIMATOR_NONE;
            swing_open(&s);
            CHECK(s.model->factor_count == 1);
            CHECK_BELOW(solve_residual(&s, 1e-14), 1e-12);
            CHECK_BELOW(solve_residual(&s, s.step.solve_tolerance), 1e-3);
            // once per model: no step makes another
            for (int k = 0; k < 3; k++) {
                CHECK(swing_step(&s));
                CHECK(weft_report(s.state)->factor_count == 0);
                CHECK(weft_report(s.state)->refinements == 0);
                CHECK(weft_report(s.state)->solve_count == 1);
            }
            s.step.solve_tolerance = 1e-14;
            CHECK(swing_step(&s));
            CHECK(weft_report(s.state)->refinements > 0);
            CHECK(weft_report(s.state)->solve_count == 1 + weft_report(s.state)->refinements);
            swing_close(&s);
        }
}

// Eigenvalues of a symmetric matrix by Jacobi's rotations; the matrix is lost, they are left on its
// diagonal.
static void diagonalise(int n, double* a) {
    for (int sweep = 0; sweep < 30; sweep++) {
        double off = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++) off += a[i * n + j] * a[i * n + j];
        if (off < 1e-24) return;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) {
                double apq = a[p * n + q];
                if (fabs(apq) < 1e-16) continue;
                double theta = (a[q * n + q] - a[p * n + p]) / (2 * apq);
                double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
                double c = 1 / sqrt(t * t + 1), d = t * c;
                for (int k = 0; k < n; k++) {
                    double kp = a[k * n + p], kq = a[k * n + q];
                    a[k * n + p] = c * kp - d * kq;
                    a[k * n + q] = d * kp + c * kq;
                }
                for (int k = 0; k < n; k++) {
                    double pk = a[p * n + k], qk = a[q * n + k];
                    a[p * n + k] = c * pk - d * qk;
                    a[q * n + k] = d * pk + c * qk;
                }
            }
    }
}

// I + h^2 M^-1 K of a free sheet: no eigenvalue below 1, and 1 itself for moving as a whole.
static void check_spectrum(double beta, bool triangles, double largest) {
    enum { N = 13 * 13 };
    Swing s = swing_def(13, beta);
    if (triangles) swing_triangles(&s);
    weft_set_estimator(&s.cloth, WEFT_ESTIMATOR_VERTEX, 2);
    s.step.quality = s.step.order = 1;
    static const int none;
    s.cloth.pins = &none;
    s.cloth.pin_count = 0;
    swing_open(&s);
    const WfPattern* p = &s.model->system.pattern;
    double* a = calloc(N * N, sizeof *a);
    double mass = weft_masses(s.model)[0];
    for (int i = 0; i < N; i++) {
        CHECK(weft_masses(s.model)[i] == mass);
        for (int e = p->start[i]; e < p->start[i + 1]; e++)
            a[i * N + p->index[e]] = s.model->factors[0].matrix[e] / mass;
    }
    diagonalise(N, a);
    double low = INFINITY, high = 0;
    for (int i = 0; i < N; i++) {
        low = fmin(low, a[i * N + i]);
        high = fmax(high, a[i * N + i]);
    }
    CHECK_NEAR(low, 1, 1e-10);
    if (largest > 0) CHECK_NEAR(high, largest, 0.02);
    // what symplectic steps rely on: a bound of the spectrum that is one, and not a loose one
    double h = s.step.dt, bound = 1 + h * h * s.model->system.stiffness_bound;
    CHECK(high <= bound * (1 + 1e-12) && bound - 1 < 2.5 * (high - 1));
    free(a);
    swing_close(&s);
}

static void spectrum_of_a_free_sheet(void) {
    check_spectrum(0.1, false, 2.18);
    check_spectrum(0.1, true, 3.01);
    check_spectrum(10, false, 0);
    check_spectrum(10, true, 0);
    check_spectrum(16000, false, 0);
}

TEST_MAIN(SLOW_CASE(soft_springs), SLOW_CASE(soft_triangles), SLOW_CASE(full_extrapolation_springs),
          SLOW_CASE(full_extrapolation_triangles), SLOW_CASE(stiff_springs),
          SLOW_CASE(stiff_triangles), SLOW_CASE(energy_springs), SLOW_CASE(energy_triangles),
          CASE(constant_solves_are_exact), SLOW_CASE(spectrum_of_a_free_sheet))

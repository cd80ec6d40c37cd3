// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards fitting: that simulated strips are those of mechanics, that tables come back from tests of
// them, and that a fit says what it does not know.

#include "counting.h"
#include "base/band.h"
#include "fit/overhang.h"
#include "fit/strip.h"
#include "fit/table.h"
#include "test.h"
#include "weft/weft_fit.h"

enum { STRETCH = 24, BEND = 15 };

// A fabric to begin with: a soft one whose rows are alike.
static const WeftMeasured soft = {
    .stretch = {{30, 8, 45, 25},
                {60, 20, 110, 30},
                {65, 22, 100, 36},
                {80, 25, 120, 42},
                {90, 22, 150, 36},
                {100, 24, 170, 33}},
    .reference_strain = 0.15,
    .bend = {{23.2e-6, 30.0e-6, 34.4e-6, 39.0e-6, 41.0e-6},
             {20e-6, 26e-6, 31e-6, 33e-6, 36e-6},
             {15e-6, 22e-6, 27e-6, 32e-6, 34e-6}},
};

// Three that are not: a knit that gives across and bends by a falling table; a weave that is stiff
// along its threads and slack on the bias; and one that hardly contracts, or swells a little.
static const WeftMeasured three[] = {
    {
        .stretch = {{25, 9, 12, 16},
                    {110, 34, 40, 28},
                    {95, 36, 38, 33},
                    {80, 30, 45, 38},
                    {85, 24, 55, 34},
                    {90, 22, 60, 26}},
        .reference_strain = 1.0 / 6,
        .bend = {{9e-6, 7e-6, 6e-6, 5.5e-6, 5e-6},
                 {6e-6, 5e-6, 4.6e-6, 4.4e-6, 4.2e-6},
                 {4e-6, 3.1e-6, 2.9e-6, 2.8e-6, 2.7e-6}},
    },
    {
        .stretch = {{900, 60, 1500, 45},
                    {1100, 150, 1700, 60},
                    {1000, 220, 1650, 75},
                    {950, 260, 1600, 90},
                    {970, 200, 1750, 80},
                    {1050, 160, 1900, 65}},
        .reference_strain = 0.1,
        .bend = {{40e-6, 44e-6, 45e-6, 47e-6, 50e-6},
                 {25e-6, 27e-6, 29e-6, 30e-6, 30e-6},
                 {60e-6, 62e-6, 58e-6, 55e-6, 57e-6}},
    },
    {
        .stretch = {{220, -15, 180, 150},
                    {300, 5, 200, 180},
                    {280, 12, 210, 200},
                    {260, 10, 230, 230},
                    {250, 4, 270, 210},
                    {240, -8, 310, 190}},
        .reference_strain = 0.12,
        .bend = {{2e-4, 2e-4, 2.1e-4, 2.1e-4, 2.2e-4},
                 {1.6e-4, 1.6e-4, 1.5e-4, 1.4e-4, 1.4e-4},
                 {1.2e-4, 1.3e-4, 1.4e-4, 1.5e-4, 1.6e-4}},
    },
};
enum { THREE = sizeof three / sizeof *three };

static double value_of(const WeftMeasured* m, int k) {
    return k < STRETCH ? m->stretch[k / 4][k % 4] : m->bend[(k - STRETCH) / 5][(k - STRETCH) % 5];
}

// How much of a value is much: c12 may be near zero.
static double scale_of(const WeftMeasured* m, int k) {
    if (k >= STRETCH || k % 4 != 1) return fabs(value_of(m, k));
    return sqrt(m->stretch[k / 4][0] * m->stretch[k / 4][2]);
}

static double error_of(const WeftFit* fit, const WeftMeasured* truth, int k) {
    return fabs(fit->parameters[k].value - value_of(truth, k)) / scale_of(truth, k);
}

// ---------------------------------------------------------------------------------------------
// Solvers

static void bands_solve(void) {
    enum { N = 9, B = 3 };
    double full[N][N] = {{0}}, symmetric[N * (B + 1)] = {0}, wide[N * (3 * B + 1)] = {0};
    double b[N], x[N], y[N];
    for (int i = 0; i < N; i++)
        for (int j = i > B ? i - B : 0; j <= i; j++) {
            full[i][j] = full[j][i] = i == j ? 4 + i : 1.0 / (1 + i + 2 * j);
            symmetric[wf_band_at(B, i, j)] = full[i][j];
        }
    for (int i = 0; i < N; i++) b[i] = x[i] = y[i] = 1 + i % 4;
    CHECK(wf_band_factor(N, B, symmetric));
    wf_band_solve(N, B, symmetric, x);
    for (int i = 0; i < N; i++) {
        double sum = -b[i];
        for (int j = 0; j < N; j++) sum += full[i][j] * x[j];
        CHECK_NEAR(sum, 0, 1e-13);
    }
    // not symmetric, and with zeros on the diagonal
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            full[i][j] = i == j ? 0 : abs(i - j) <= B ? 1.0 / (1 + i + 3 * j) : 0;
            if (abs(i - j) <= B) wide[wf_wide_band_at(B, i, j)] = full[i][j];
        }
    CHECK(wf_wide_band_solve(N, B, wide, 1, y));
    for (int i = 0; i < N; i++) {
        double sum = -b[i];
        for (int j = 0; j < N; j++) sum += full[i][j] * y[j];
        CHECK_NEAR(sum, 0, 1e-11);
    }
    double negative[1] = {-1}, nothing[1] = {0};
    CHECK(!wf_band_factor(1, 0, negative));
    CHECK(!wf_wide_band_solve(1, 0, nothing, 1, x));
}

// ---------------------------------------------------------------------------------------------
// Strips

// A cantilever that hardly bends: its tip sinks by weight l^4/(8 B).
static void tip_of_a_stiff_strip(void) {
    WeftMeasured stiff = {.reference_strain = 0.1};
    for (int i = 0; i < BEND; i++) stiff.bend[i / 5][i % 5] = 1e-3;
    for (int i = 1; i < 4; i++) {
        WfOverhang overhang;
        double l = 0.02 * i, angles[WF_OVERHANG_SEGMENTS] = {0}, tip[2];
        wf_overhang_init(&overhang, l, 0.187, 30 * i);
        CHECK(wf_overhang_drop(&overhang, &stiff, angles));
        wf_overhang_point(&overhang, angles, l, tip);
        CHECK_NEAR(-tip[1] / (0.187 * 9.81 * l * l * l * l / 8e-3), 1, 2e-3);
        CHECK_NEAR(wf_overhang_curvature(&overhang, angles) / (0.187 * 9.81 * l * l / 2e-3), 1,
                   1e-3);
    }
}

// However soft, no strip is longer than it is, and a long one hangs straight down.
static void limp_strips_hang(void) {
    for (double b = 1e-4; b > 5e-8; b /= 10) {
        WeftMeasured limp = {.reference_strain = 0.1};
        WfOverhang overhang;
        double angles[WF_OVERHANG_SEGMENTS] = {0}, tip[2];
        for (int i = 0; i < BEND; i++) limp.bend[i / 5][i % 5] = b;
        wf_overhang_init(&overhang, 0.2, 0.2, 0);
        CHECK(wf_overhang_drop(&overhang, &limp, angles));
        wf_overhang_point(&overhang, angles, 0.2, tip);
        CHECK_BELOW(tip[0] * tip[0] + tip[1] * tip[1], 0.2 * 0.2);
        if (b < 2e-7) CHECK_BELOW(tip[1], -0.19);
    }
}

static double stretch_of(const WeftMeasured* m, double degrees, double weight) {
    static WfStrip strip;
    static double x[2 * WF_STRIP_MAX_VERTICES];
    wf_strip_init(&strip, 0.06, 0.12, degrees);
    wf_strip_rest(&strip, x);
    for (int i = 1; i < 5; i++) CHECK(wf_strip_pull(&strip, m, weight * i / 4, x));
    return x[2 * (strip.vertex_count - 1)] / 0.12;
}

// By an independent program with the same formulas, and another way to solve them.
static void strips_stretch(void) {
    CHECK_NEAR(stretch_of(&soft, 90, 0.8), 1.096, 6e-4);
    CHECK_NEAR(stretch_of(&soft, 45, 0.8), 1.163, 6e-4);
    CHECK_NEAR(stretch_of(&soft, 0, 0.8), 1.181, 6e-4);
}

// A stiff warp that runs down to the right turns into the pull, and takes the lower end to the
// left.
static void strips_lean(void) {
    WeftMeasured stiff = {.reference_strain = 0.1};
    static WfStrip strip;
    static double x[2 * WF_STRIP_MAX_VERTICES];
    for (int i = 0; i < 6; i++) {
        double row[4] = {2000, 5, 50, 20};
        memcpy(stiff.stretch[i], row, sizeof row);
    }
    for (double degrees = 0; degrees <= 90; degrees += 30) {
        wf_strip_init(&strip, 0.06, 0.12, degrees);
        wf_strip_rest(&strip, x);
        CHECK(wf_strip_pull(&strip, &stiff, 0.1, x));
        double lean = x[2 * (strip.vertex_count - 5) + 1];
        if (degrees == 0 || degrees == 90)
            CHECK_NEAR(lean, 0, 1e-5);
        else
            CHECK_BELOW(lean, -1e-3);
    }
}

// A table with warp and weft exchanged is the same fabric turned by 90 degrees.
static void turned_fabrics_turn(void) {
    WeftMeasured turned = soft;
    for (int i = 0; i < 6; i++) {
        const double* row = soft.stretch[i == 0 ? 0 : 6 - i];
        double swapped[4] = {row[2], row[1], row[0], row[3]};
        memcpy(turned.stretch[i], swapped, sizeof swapped);
    }
    for (double degrees = 0; degrees <= 90; degrees += 22.5)
        CHECK_NEAR(stretch_of(&soft, degrees, 0.5), stretch_of(&turned, 90 - degrees, 0.5), 2e-4);
}

// In a fabric that is the same everywhere, far from the clamps, a strip is as stiff as Young says.
static void long_strips_obey_young(void) {
    WeftMeasured sheet = {.reference_strain = 0.1};
    static WfStrip strip;
    static double x[2 * WF_STRIP_MAX_VERTICES];
    for (int i = 0; i < 6; i++) {
        double row[4] = {100 / 0.91, 30 / 0.91, 100 / 0.91, 70 / 0.91};
        memcpy(sheet.stretch[i], row, sizeof row);
    }
    for (double degrees = 0; degrees <= 90; degrees += 15) {
        wf_strip_init(&strip, 0.02, 0.12, degrees);
        wf_strip_rest(&strip, x);
        CHECK(wf_strip_pull(&strip, &sheet, 1e-3 * 100 * 0.02, x));
        int a = 5 * (strip.row_count / 4), b = 5 * (strip.row_count - 1 - strip.row_count / 4);
        double along = (x[2 * b] - x[2 * a]) / (0.12 * (b - a) / 5 / (strip.row_count - 1));
        double across = (x[2 * a + 9] - x[2 * a + 1]) / 0.02;
        CHECK_NEAR(along - 1, 1e-3, 1e-5);
        CHECK_NEAR(across - 1, -0.3e-3, 1e-5);
    }
}

static void marks_are_found(void) {
    static WfStrip strip;
    double x[2 * WF_STRIP_MAX_VERTICES];
    wf_strip_init(&strip, 0.06, 0.12, 20);
    wf_strip_rest(&strip, x);
    for (int i = 0; i <= 20; i++)
        for (int k = 0; k <= 20; k++) {
            double along = 0.12 * i / 20, across = 0.06 * k / 20, place[2] = {0, 0}, least = 1;
            WfStripPlace p = wf_strip_find(&strip, along, across);
            for (int c = 0; c < 3; c++) {
                place[0] += p.weights[c] * x[2 * p.vertices[c]];
                place[1] += p.weights[c] * x[2 * p.vertices[c] + 1];
                least = fmin(least, p.weights[c]);
            }
            CHECK_NEAR(place[0], along, 1e-12);
            CHECK_NEAR(place[1], across, 1e-12);
            CHECK(least > -1e-9);
        }
}

// ---------------------------------------------------------------------------------------------
// Fits

// Tests with marks at all vertices of a strip, and along overhangs. Free with
// weft_destroy_measurements.
static WeftMeasurements* make_tests(const double* weights, int weight_count,
                                    const double* overhangs, int overhang_count) {
    WeftMeasurements* m = NULL;
    WeftFabric fabric = {.density = 0.187, .measured = soft};
    WeftError error;
    CHECK(!weft_plan_measurements(&fabric, NULL, &m, &error));
    for (int i = 0; i < m->test_count; i++) {
        WeftTest* test = &m->tests[i];
        bool stretch = test->kind == WEFT_TEST_STRETCH;
        free(test->marks);
        test->mark_count = stretch ? 45 : 20;
        test->marks = calloc((size_t)test->mark_count, sizeof *test->marks);
        if (stretch) test->weight = weights[i % weight_count];
        if (!stretch) test->overhang = overhangs[i % overhang_count];
        for (int k = 0; k < test->mark_count; k++)
            test->marks[k] = stretch ? (WeftMark){0.015 * (k / 5), 0.015 * (k % 5), 0, 0}
                                     : (WeftMark){test->overhang * (k + 1) / 20, 0, 0, 0};
    }
    return m;
}

static WeftMeasurements* plan(const WeftMeasured* truth, double noise, int seed) {
    WeftFabric fabric = {.density = 0.2, .measured = *truth};
    WeftMeasurements* m = NULL;
    WeftError error = {0};
    if (weft_plan_measurements(&fabric, NULL, &m, &error) ||
        weft_simulate_measurements(truth, noise, (unsigned long long)seed, m, &error))
        puts(error.message);
    CHECK(!error.result);
    return m;
}

static WeftFit* fit_to(const WeftMeasurements* m, const WeftFitDef* def) {
    WeftFit* fit = NULL;
    WeftError error = {0};
    if (weft_fit_fabric(m, def, &fit, &error)) puts(error.message);
    CHECK(fit != NULL);
    return fit;
}

typedef struct Count {
    int stretch, bend, until;  // iterations
} Count;

static bool count_iterations(void* user, int iteration, double residual) {
    Count* count = user;
    CHECK(residual >= 0);
    count->bend = iteration - count->stretch;
    return count->until == 0 || iteration < count->until;
}

// 24 and 15 numbers, each from a start that is wrong by up to a factor of two: five angles with
// five weights, three with five overhangs.
static void tables_come_back(void) {
    static const double weights[] = {0.05, 0.15, 0.3, 0.5, 0.8};
    static const double overhangs[] = {0.02, 0.026, 0.03, 0.034, 0.037};
    WeftMeasurements* m = make_tests(weights, 5, overhangs, 5);
    WeftFitDef def = weft_default_fit_def();
    WeftMeasured start = {.reference_strain = 0.15};
    for (int i = 0; i < 6; i++)
        memcpy(start.stretch[i], (double[]){60, 20, 100, 30}, sizeof start.stretch[i]);
    for (int i = 0; i < BEND; i++) start.bend[i / 5][i % 5] = 2e-5;
    CHECK(!weft_simulate_measurements(&soft, 0, 1, m, NULL));
    Count count = {0};
    def.start = &start;
    def.progress = count_iterations;
    def.progress_user = &count;
    // stretch alone, to count its iterations
    int all = m->test_count;
    m->test_count = 25;
    WeftFit* fit = fit_to(m, &def);
    for (int k = 0; k < STRETCH; k++) CHECK_BELOW(error_of(fit, &soft, k), 1e-4);
    CHECK(fit->converged && fit->parameter_count == STRETCH);
    CHECK(fit->iterations <= 10);
    count.stretch = fit->iterations;
    weft_destroy_fit(fit);
    m->test_count = all;
    fit = fit_to(m, &def);
    for (int k = 0; k < STRETCH + BEND; k++) CHECK_BELOW(error_of(fit, &soft, k), 1e-4);
    CHECK(fit->converged && fit->parameter_count == STRETCH + BEND);
    CHECK(count.bend <= 12);
    CHECK_BELOW(fit->residual, 1e-8);
    weft_destroy_fit(fit);
    weft_destroy_measurements(m);
}

// Nothing to start from but the tests.
static void three_fabrics_come_back(void) {
    for (int i = 0; i < THREE; i++) {
        WeftMeasurements* m = plan(&three[i], 0, 1);
        WeftFitDef def = weft_default_fit_def();
        WeftFit* fit = fit_to(m, &def);
        int known = 0;
        for (int k = 0; k < fit->parameter_count; k++) {
            if (!fit->parameters[k].known) continue;
            CHECK_BELOW(error_of(fit, &three[i], k), 0.01);
            known++;
        }
        CHECK(fit->converged && fit->parameter_count == STRETCH + BEND);
        CHECK(known >= 36);
        CHECK_BELOW(fit->residual, 1e-6);
        weft_destroy_fit(fit);
        weft_destroy_measurements(m);
    }
}

static bool is_known(const WeftFit* fit, const char* name) {
    for (int k = 0; k < fit->parameter_count; k++)
        if (strcmp(fit->parameters[k].name, name) == 0) return fit->parameters[k].known;
    printf("there is no parameter %s\n", name);
    CHECK(false);
    return false;
}

// Half a millimetre: what a pull along one thread cannot see is named, and deviations are about as
// large as errors are.
static void noise_is_admitted(void) {
    static const char* const unseen[] = {"stretch[0 degrees].c12",  "stretch[0 degrees].c22",
                                         "stretch[0 degrees].c33",  "stretch[90 degrees].c11",
                                         "stretch[90 degrees].c12", "stretch[90 degrees].c33"};
    double square = 0;
    int count = 0;
    for (int i = 0; i < THREE + 1; i++) {
        const WeftMeasured* truth = i < THREE ? &three[i] : &soft;
        WeftMeasurements* m = plan(truth, 5e-4, 7 + i);
        WeftFitDef def = weft_default_fit_def();
        WeftFit* fit = fit_to(m, &def);
        CHECK(fit->converged);
        CHECK_BELOW(fit->residual, 3e-3);
        CHECK_NEAR(fit->residual, 7e-4, 1e-4);
        for (int k = 0; k < 6; k++) CHECK(!is_known(fit, unseen[k]));
        CHECK(is_known(fit, "stretch[0 degrees].c11"));
        CHECK(is_known(fit, "stretch[90 degrees].c22"));
        for (int k = 0; k < fit->parameter_count; k++) {
            const WeftFitParameter* p = &fit->parameters[k];
            double off = (p->value - value_of(truth, k)) / p->deviation;
            CHECK(p->share > -1e-9 && p->share < 1 + 1e-9);
            CHECK_BELOW(fabs(off), 5);
            square += off * off;
            count++;
        }
        weft_destroy_fit(fit);
        weft_destroy_measurements(m);
    }
    CHECK_BELOW(0.3, square / count);
    CHECK_BELOW(square / count, 1.5);
}

// Where the file does not state the noise, what is left after the fit tells.
static void noise_is_found(void) {
    WeftMeasurements* m = plan(&soft, 2e-4, 3);
    WeftFitDef def = weft_default_fit_def();
    m->noise = -1;
    WeftFit* fit = fit_to(m, &def);
    CHECK(fit->converged);
    CHECK_NEAR(fit->noise, 2e-4, 4e-5);
    CHECK_BELOW(error_of(fit, &soft, 4), 0.1);
    weft_destroy_fit(fit);
    weft_destroy_measurements(m);
}

static void check_tables(const WeftMeasured* m) {
    for (int i = 0; i < 6; i++) {
        const double* c = m->stretch[i];
        CHECK(c[0] > 0 && c[2] > 0 && c[3] > 0);
        CHECK_BELOW(c[1] * c[1], c[0] * c[2]);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            CHECK(m->bend[i][j + 1] * (j + 2) >= m->bend[i][j] * (j + 1) * (1 - 1e-12));
}

// Fabrics come out of any steps: stiffness above zero, moments that do not fall.
static void values_stay_those_of_a_fabric(void) {
    static const double sizes[] = {-100, -0.5, -0.1, 0.1, 0.5, 100};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 4; k++) {
            WeftMeasured from = soft, to = soft;
            double step[WF_MAX_VALUES];
            // all alike; one kind against the others; by turns
            for (int v = 0; v < WF_MAX_VALUES; v++)
                step[v] = sizes[i] * (k == 0 || v % (k + 3) ? 1 : -1);
            for (int n = 0; n < 20; n++, from = to) {
                wf_stretch_values.move(&from.stretch[0][0], step, &to.stretch[0][0]);
                wf_bend_values.move(&from.bend[0][0], step, &to.bend[0][0]);
                check_tables(&to);
            }
        }
}

// And out of any data.
static void noise_makes_fabrics(void) {
    WeftMeasurements* m = plan(&three[0], 4e-3, 5);
    WeftFitDef def = weft_default_fit_def();
    def.variation = 10;  // next to no ties
    WeftFit* fit = fit_to(m, &def);
    if (fit) check_tables(&fit->measured);
    weft_destroy_fit(fit);
    weft_destroy_measurements(m);
}

// The same marks give the same bits.
static void fits_repeat(void) {
    WeftMeasurements *m = plan(&soft, 1e-4, 9), *other = plan(&soft, 1e-4, 10);
    WeftFitDef def = weft_default_fit_def();
    def.max_iterations = 3;
    WeftFit *a = fit_to(m, &def), *b = fit_to(m, &def), *c = fit_to(other, &def);
    CHECK(memcmp(&a->measured, &b->measured, sizeof a->measured) == 0);
    CHECK(memcmp(&a->measured, &c->measured, sizeof a->measured) != 0);
    CHECK(!a->converged);
    weft_destroy_fit(a);
    weft_destroy_fit(b);
    weft_destroy_fit(c);
    weft_destroy_measurements(m);
    weft_destroy_measurements(other);
}

static void progress_may_stop(void) {
    WeftMeasurements* m = plan(&soft, 1e-4, 9);
    WeftFitDef def = weft_default_fit_def();
    Count count = {.until = 2};
    def.progress = count_iterations;
    def.progress_user = &count;
    m->test_count = 5;
    WeftFit* fit = fit_to(m, &def);
    CHECK(!fit->converged && fit->iterations == 2);
    weft_destroy_fit(fit);
    m->test_count = 40;
    weft_destroy_measurements(m);
}

// One kind of test alone: the other table stays empty.
static void one_table_alone(void) {
    WeftMeasured no_stretch = {.reference_strain = 0.15};
    memcpy(no_stretch.bend, soft.bend, sizeof soft.bend);
    WeftMeasurements* m = plan(&no_stretch, 0, 1);
    WeftFitDef def = weft_default_fit_def();
    CHECK(m->test_count == 15);
    WeftFit* fit = fit_to(m, &def);
    CHECK(fit->parameter_count == BEND && fit->measured.stretch[0][0] == 0);
    CHECK_NEAR(fit->measured.bend[1][2] / soft.bend[1][2], 1, 1e-4);
    CHECK_TEXT(fit->parameters[7].name, "bend[45 degrees][20 /m]");
    weft_destroy_fit(fit);
    weft_destroy_measurements(m);
    WeftFabric nothing = {.density = 0.2};
    WeftError error;
    CHECK(weft_plan_measurements(&nothing, NULL, &m, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "no measured tables");
}

// ---------------------------------------------------------------------------------------------
// Refusals, memory

static void refuse(const WeftMeasurements* m, const char* words) {
    WeftFitDef def = weft_default_fit_def();
    WeftFit* fit = NULL;
    WeftError error = {0};
    CHECK(weft_fit_fabric(m, &def, &fit, &error) == WEFT_ERROR_INPUT);
    CHECK(fit == NULL);
    CHECK_TEXT(error.message, words);
}

static void senseless_measurements(void) {
    WeftMark marks[] = {{0.1, 0.05, 0.11, 0.05}};
    WeftTest test = {.kind = WEFT_TEST_STRETCH, .weight = 1, .mark_count = 1, .marks = marks};
    WeftMeasurements good = {.density = 0.2,
                             .width = 0.06,
                             .length = 0.12,
                             .reference_strain = 0.1,
                             .test_count = 1,
                             .tests = &test};
    WeftMeasurements m = good;
    m.density = 0;
    refuse(&m, "density must be 1e-06 to 1000, not 0");
    m = good;
    m.width = HUGE_VAL;
    refuse(&m, "width");
    m = good;
    m.reference_strain = (double)NAN;
    refuse(&m, "reference_strain");
    m = good;
    m.test_count = 0;
    refuse(&m, "there are no tests");
    test.angle = 91;
    refuse(&good, "test 0: angle must be 0 to 90 degrees, not 91");
    test.angle = 0;
    test.weight = 0;
    refuse(&good, "test 0: weight");
    test.weight = 1;
    test.mark_count = 0;
    refuse(&good, "test 0: there are no marks");
    test.mark_count = 1;
    marks[0].along = 0.13;
    refuse(&good, "test 0: mark 0 is at 0.13 m along a strip of 0.12 m");
    marks[0].along = 0.1;
    marks[0].across = -0.01;
    refuse(&good, "test 0: mark 0 is at -0.01 m across");
    marks[0].across = 0.01;
    marks[0].y = (double)NAN;
    refuse(&good, "test 0: mark 0 was seen at");
    test.kind = WEFT_TEST_BEND;
    refuse(&good, "test 0: overhang");
    test.kind = (WeftTestKind)2;
    refuse(&good, "test 0: kind is 2");
}

// Fail the nth allocation, for every n; by bending alone, which is fast.
static void out_of_memory(void) {
    WeftFabric fabric = {.density = 0.2, .measured = soft};
    WeftFitDef def = weft_default_fit_def();
    WeftResult result = WEFT_ERROR_MEMORY;
    WeftError error;
    memset(fabric.measured.stretch, 0, sizeof fabric.measured.stretch);
    for (int n = 1; result && n < 200; n++) {
        Counting counting = {.fail_at = n};
        WeftMeasurements* m = NULL;
        WeftFit* fit = NULL;
        def.allocator = counting_allocator(&counting);
        def.max_iterations = 1;
        result = weft_plan_measurements(&fabric, &def.allocator, &m, &error);
        if (!result) result = weft_simulate_measurements(&soft, 0, 1, m, &error);
        if (!result) result = weft_fit_fabric(m, &def, &fit, &error);
        CHECK(!result == (fit != NULL));
        CHECK(!result || result == WEFT_ERROR_MEMORY);
        weft_destroy_fit(fit);
        weft_destroy_measurements(m);
        CHECK(counting.live == 0);
    }
    CHECK(!result);
    weft_destroy_fit(NULL);
    weft_destroy_measurements(NULL);
}

TEST_MAIN(CASE(bands_solve), CASE(tip_of_a_stiff_strip), CASE(limp_strips_hang),
          CASE(strips_stretch), CASE(strips_lean), CASE(turned_fabrics_turn),
          CASE(long_strips_obey_young), CASE(marks_are_found), SLOW_CASE(tables_come_back),
          LONG_CASE(three_fabrics_come_back), LONG_CASE(noise_is_admitted),
          SLOW_CASE(noise_is_found), CASE(values_stay_those_of_a_fabric),
          LONG_CASE(noise_makes_fabrics), SLOW_CASE(fits_repeat), SLOW_CASE(progress_may_stop),
          CASE(one_table_alone), CASE(senseless_measurements), CASE(out_of_memory))

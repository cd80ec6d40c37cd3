// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Stretch and bending share no values and no tests, so each is a fit of its own:
//
//     start      tables that are the same everywhere; the best stiffness of them     problem.c
//     solve      Levenberg-Marquardt on marks and ties, in rounds of less noise      levenberg.c
//     judge      deviation of each value, and the share that the tests have in it
//
// Marks are known up to their noise, and neighbours in a table are alike up to a variation: that
// alone says how strong ties are.

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "fit/problem.h"

// m: where nothing is known to start from, marks are trusted a little at first, then more and more,
// so that tables take shape before they follow the marks in detail.
static const double first_noise = 1e-3;
enum { FIRST_ITERATIONS = 8 };  // in each of the rounds before the last
static const double least_share = 0.2, most_deviation = 0.3;

WeftFitDef weft_default_fit_def(void) {
    return (WeftFitDef){.max_iterations = 100, .variation = 0.5};
}

void weft_destroy_fit(WeftFit* fit) {
    if (!fit) return;
    WeftAllocator allocator = fit->allocator;
    for (int i = 0; fit->fitted && i < fit->test_count; i++) wf_free(&allocator, fit->fitted[i]);
    wf_free(&allocator, fit->fitted);
    wf_free(&allocator, fit->residuals);
    wf_free(&allocator, fit);
}

static WeftFit* create_fit(const WeftMeasurements* m, const WeftAllocator* allocator) {
    WeftFit* fit = wf_alloc(allocator, 1, sizeof *fit);
    if (!fit) return NULL;
    fit->allocator = *allocator;
    fit->test_count = m->test_count;
    fit->measured.reference_strain = m->reference_strain;
    fit->converged = true;
    fit->residuals = wf_alloc(allocator, (size_t)m->test_count, sizeof *fit->residuals);
    fit->fitted = wf_alloc(allocator, (size_t)m->test_count, sizeof *fit->fitted);
    bool good = fit->residuals && fit->fitted;
    for (int i = 0; i < m->test_count && good; i++) {
        size_t count = (size_t)m->tests[i].mark_count;
        fit->fitted[i] = wf_alloc(allocator, count, sizeof **fit->fitted);
        good = fit->fitted[i] != NULL;
    }
    if (good) return fit;
    weft_destroy_fit(fit);
    return NULL;
}

static int min(int a, int b) { return a < b ? a : b; }

// The noise that would leave what is left.
static double found_noise(const WfProblem* p) {
    double numbers = 2.0 * p->mark_count;
    return sqrt(wf_problem_residual(p) * p->mark_count / fmax(numbers - p->table->count, 1));
}

// Round after round, until noise is as stated; where it is not stated, until a round finds what it
// assumed.
static bool solve(WfProblem* p, const WeftMeasurements* m, const WeftFitDef* def, int* iterations) {
    bool stated = m->noise >= 0;
    double noise = def->start && stated ? m->noise : fmax(first_noise, m->noise);
    WeftFitDef first = *def;
    first.max_iterations = min(def->max_iterations, FIRST_ITERATIONS);
    wf_problem_set_noise(p, noise);
    while (p->noise > fmax(m->noise, wf_least_noise)) {
        wf_problem_solve(p, &first, iterations);
        if (p->stopped) return false;
        double found = found_noise(p);
        if (!stated && found > 0.9 * p->noise) break;
        wf_problem_set_noise(p, fmax(p->noise / 10, stated ? m->noise : found));
    }
    return wf_problem_solve(p, def, iterations);
}

static void report_values(WfProblem* p, const WfPosterior* posterior, WeftFit* fit) {
    const double* values = p->table->values(&p->measured);
    memcpy(p->table->values(&fit->measured), values, (size_t)p->table->count * sizeof *values);
    for (int k = 0; k < p->table->count; k++) {
        WeftFitParameter* parameter = &fit->parameters[fit->parameter_count++];
        p->table->name(k, parameter->name);
        parameter->value = values[k];
        parameter->deviation = posterior->deviation[k] * p->table->scale(values, k);
        parameter->share = posterior->share[k];
        double enough = most_deviation * fmax(fabs(values[k]), p->table->scale(values, k) / 10);
        parameter->known = parameter->share >= least_share && parameter->deviation <= enough;
    }
}

static void report_trial(const WfTrial* trial, int test, WeftFit* fit) {
    double sum = 0;
    for (int k = 0; k < trial->test->mark_count; k++) {
        const WeftMark* seen = &trial->test->marks[k];
        WeftMark* fitted = &fit->fitted[test][k];
        double place[2];
        wf_trial_see(trial, trial->shape, k, place);
        *fitted = (WeftMark){seen->along, seen->across, place[0], place[1]};
        double x = place[0] - seen->x, y = place[1] - seen->y;
        sum += x * x + y * y;
    }
    fit->residuals[test] = sqrt(sum / trial->test->mark_count);
}

static WeftResult fit_table(const WfTable* table, WeftTestKind kind, const WeftMeasurements* m,
                            const WeftFitDef* def, WeftFit* fit, WeftError* error) {
    WfProblem problem;
    WfPosterior posterior;
    WeftResult result = wf_problem_create(&problem, table, kind, m, &fit->allocator, error);
    if (result || problem.trial_count == 0) goto done;
    problem.variation = def->variation;
    wf_problem_set_noise(&problem, first_noise);
    if (!wf_problem_start(&problem, def->start)) {
        result = wf_fail(error, WEFT_ERROR_INPUT, "no fabric answers the tests of %s as measured",
                         kind == WEFT_TEST_BEND ? "bending" : "stretch");
        goto done;
    }
    if (!solve(&problem, m, def, &fit->iterations)) fit->converged = false;
    // deviations are honest: by what is left, where that is more than was stated
    fit->noise = fmax(fit->noise, fmax(m->noise, found_noise(&problem)));
    wf_problem_set_noise(&problem, fmax(problem.noise, found_noise(&problem)));
    if (!wf_problem_judge(&problem, &posterior)) {
        result = wf_fail(error, WEFT_ERROR_INPUT, "the tests do not tell how well they are met");
        goto done;
    }
    report_values(&problem, &posterior, fit);
    for (int i = 0; i < problem.trial_count; i++)
        report_trial(&problem.trials[i], (int)(problem.trials[i].test - m->tests), fit);
done:
    wf_problem_destroy(&problem, &fit->allocator);
    return result;
}

static double total_residual(const WeftMeasurements* m, const WeftFit* fit) {
    double sum = 0, count = 0;
    for (int i = 0; i < m->test_count; i++) {
        sum += fit->residuals[i] * fit->residuals[i] * m->tests[i].mark_count;
        count += m->tests[i].mark_count;
    }
    return sqrt(sum / count);
}

WeftResult weft_fit_fabric(const WeftMeasurements* m, const WeftFitDef* def, WeftFit** fit,
                           WeftError* error) {
    WeftError unheard;
    WeftAllocator allocator = wf_allocator(&def->allocator);
    if (!error) error = &unheard;
    WeftResult result = wf_check_measurements(m, error);
    if (result) return result;
    WeftFit* made = create_fit(m, &allocator);
    if (!made) return wf_fail_memory(error);
    result = fit_table(&wf_stretch_values, WEFT_TEST_STRETCH, m, def, made, error);
    if (!result) result = fit_table(&wf_bend_values, WEFT_TEST_BEND, m, def, made, error);
    if (!result) {
        made->residual = total_residual(m, made);
        *fit = made;
        made = NULL;
    }
    weft_destroy_fit(made);
    return result;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Levenberg's and Marquardt's method: (J^T J + lambda diag J^T J) step = -J^T rows, with a lambda
// that falls by ten after each step that helped, and grows by ten until one does.

#include <math.h>
#include <string.h>

#include "base/band.h"
#include "fit/problem.h"

static const double longest_step = 0.5;
static const double least_lambda = 1e-12, most_lambda = 1e8;
static const double least_step = 1e-7, least_gain = 1e-9, least_slope = 1e-9;

enum { MATRIX = WF_MAX_VALUES * WF_MAX_VALUES };

// Lower half of J^T J over some rows, each by a weight, added to `matrix`.
static void add_square(const WfProblem* p, int first, int end, double weight, double* matrix) {
    int n = p->table->count;
    for (int r = first; r < end; r++) {
        const double* row = p->jacobian + (size_t)r * (size_t)n;
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= i; j++)
                matrix[wf_band_at(n - 1, i, j)] += weight * row[i] * row[j];
    }
}

static void find_gradient(const WfProblem* p, double* gradient) {
    int n = p->table->count;
    memset(gradient, 0, (size_t)n * sizeof *gradient);
    for (int r = 0; r < p->row_count; r++)
        for (int i = 0; i < n; i++) gradient[i] += p->jacobian[r * n + i] * p->rows[r];
}

// The largest cosine between the rows and how a value changes them.
static double find_slope(const WfProblem* p, const double* matrix, const double* gradient,
                         double cost) {
    int n = p->table->count;
    double slope = 0;
    for (int i = 0; i < n; i++) {
        double square = matrix[wf_band_at(n - 1, i, i)] * cost;
        if (square > 0) slope = fmax(slope, fabs(gradient[i]) / sqrt(square));
    }
    return slope;
}

// The largest part of the step, which is cut to what derivatives are good for.
static double find_step(int n, const double* matrix, const double* gradient, double lambda,
                        double* step) {
    double damped[MATRIX], largest = 0;
    memcpy(damped, matrix, sizeof damped);
    for (int i = 0; i < n; i++) damped[wf_band_at(n - 1, i, i)] *= 1 + lambda;
    if (!wf_band_factor(n, n - 1, damped)) return HUGE_VAL;
    for (int i = 0; i < n; i++) step[i] = -gradient[i];
    wf_band_solve(n, n - 1, damped, step);
    for (int i = 0; i < n; i++) {
        step[i] = fmin(fmax(step[i], -longest_step), longest_step);
        largest = fmax(largest, fabs(step[i]));
    }
    return largest;
}

// One step that helps. Returns whether it is worth to go on.
static bool take_step(WfProblem* p, const double* matrix, const double* gradient, double cost,
                      double* lambda) {
    double step[WF_MAX_VALUES];
    for (; *lambda < most_lambda; *lambda *= 10) {
        WeftMeasured moved = p->measured;
        double largest = find_step(p->table->count, matrix, gradient, *lambda, step);
        if (largest == HUGE_VAL) continue;
        p->table->move(p->table->values(&p->measured), step, p->table->values(&moved));
        if (!wf_problem_try(p, &moved)) continue;
        double now = wf_problem_cost(p, p->next);
        if (now < cost) {
            wf_problem_accept(p, &moved);
            *lambda = fmax(*lambda / 10, least_lambda);
            return largest > least_step && cost - now > least_gain * cost;
        }
        if (largest < least_step) return false;
    }
    return false;
}

bool wf_problem_solve(WfProblem* p, const WeftFitDef* def, int* iterations) {
    double lambda = 1e-3;
    for (int i = 0; i < def->max_iterations; i++) {
        double matrix[MATRIX] = {0}, gradient[WF_MAX_VALUES];
        if (!wf_problem_differentiate(p, wf_move_properly)) return false;
        add_square(p, 0, p->row_count, 1, matrix);
        find_gradient(p, gradient);
        double cost = wf_problem_cost(p, p->rows);
        if (find_slope(p, matrix, gradient, cost) < least_slope) return true;
        bool worth = take_step(p, matrix, gradient, cost, &lambda);
        ++*iterations;
        p->stopped = def->progress &&
                     !def->progress(def->progress_user, *iterations, sqrt(wf_problem_residual(p)));
        if (p->stopped) return false;
        if (!worth) return true;
    }
    return false;
}

// ---------------------------------------------------------------------------------------------
// What is known. H = J^T J is a sum of that over the rows of marks and that over ties; with x =
// H^-1 e_k the variance x_k = x^T H x of a value is such a sum, too, and the part of marks is their
// share. But noise gives rows of marks a variance of w, their weight, instead of 1, so the variance
// is rather x^T (J^T W J) x.

static double square_by(int n, const double* matrix, const double* x) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            sum += (i == j ? 1 : 2) * matrix[wf_band_at(n - 1, i, j)] * x[i] * x[j];
    return sum;
}

bool wf_problem_judge(WfProblem* p, WfPosterior* posterior) {
    double all[MATRIX] = {0}, marks[MATRIX] = {0}, spread[MATRIX] = {0};
    int n = p->table->count, first = 0;
    if (!wf_problem_differentiate(p, wf_move_freely)) return false;
    for (int i = 0; i < p->trial_count; i++) {
        int end = first + 2 * p->trials[i].test->mark_count;
        add_square(p, first, end, 1, marks);
        add_square(p, first, end, p->weights[i], spread);
        first = end;
    }
    memcpy(all, marks, sizeof all);
    add_square(p, first, p->row_count, 1, all);
    add_square(p, first, p->row_count, 1, spread);
    if (!wf_band_factor(n, n - 1, all)) return false;
    for (int k = 0; k < n; k++) {
        double x[WF_MAX_VALUES] = {0};
        x[k] = 1;
        wf_band_solve(n, n - 1, all, x);
        posterior->deviation[k] = sqrt(square_by(n, spread, x));
        posterior->share[k] = square_by(n, marks, x) / x[k];
    }
    return true;
}

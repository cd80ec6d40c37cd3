// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Lanczos on M^-1/2 A M^-1/2, which has the eigenvalues of M^-1 A and is symmetric. From a start q0
//
//     A~ q_k = beta_(k-1) q_(k-1) + alpha_k q_k + beta_k q_(k+1)
//
// makes a tridiagonal matrix whose outer eigenvalues soon are those of A~. Every q is made
// orthogonal to all before it, twice, so that none comes again. The tridiagonal ones by Sturm's
// count and bisection.

#include "thesis_spectrum.h"

#include <math.h>
#include <stdlib.h>

#include "bench.h"
#include "weft/weft_study.h"

enum { MAX_LANCZOS = 120 };

typedef struct Matrix {
    WeftModel* model;
    const int *start, *index;
    double *values, *scale;  // scale: 1/sqrt(m)
    int n;
} Matrix;

static void destroy_matrix(Matrix* matrix) {
    weft_destroy_model(matrix->model);
    free(matrix->values);
    free(matrix->scale);
}

static int create_matrix(const WeftClothDef* cloth, const WeftStepDef* step, Matrix* matrix) {
    WeftModelDef def = weft_default_model_def();
    WeftError error;
    def.cloths = cloth;
    def.cloth_count = 1;
    def.step.method = WEFT_METHOD_SYMPLECTIC;  // no factor is needed
    def.ordering = WEFT_ORDERING_REVERSE_CUTHILL_MCKEE;
    *matrix = (Matrix){.n = cloth->vertex_count};
    WeftResult result = weft_create_model(&def, &matrix->model, &error);
    if (!result) {
        size_t count = (size_t)weft_factor_info(matrix->model).matrix_count;
        matrix->values = need(count, sizeof(double));
        matrix->scale = need((size_t)matrix->n, sizeof(double));
        result = weft_get_matrix(matrix->model, step, &matrix->start, &matrix->index,
                                 matrix->values, &error);
    }
    if (result) {
        destroy_matrix(matrix);
        return complain(EXIT_FAILED, "%s", error.message);
    }
    const double* masses = weft_masses(matrix->model);
    for (int i = 0; i < matrix->n; i++) matrix->scale[i] = 1 / sqrt(masses[i]);
    return EXIT_GOOD;
}

// ---------------------------------------------------------------------------------------------
// Lanczos

static double dot(int n, const double* a, const double* b) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static void multiply(const Matrix* matrix, const double* x, double* y) {
    for (int i = 0; i < matrix->n; i++) {
        double sum = 0;
        for (int p = matrix->start[i]; p < matrix->start[i + 1]; p++)
            sum += matrix->values[p] * matrix->scale[matrix->index[p]] * x[matrix->index[p]];
        y[i] = matrix->scale[i] * sum;
    }
}

static void make_orthogonal(int n, int count, const double* q, double* r) {
    for (int k = 0; k < 2 * count; k++) {
        const double* old = q + (long)n * (k % count);
        double part = dot(n, old, r);
        for (int i = 0; i < n; i++) r[i] -= part * old[i];
    }
}

// How many eigenvalues of the tridiagonal matrix are below x.
static int count_below(int count, const double* alpha, const double* beta, double x) {
    int below = 0;
    double pivot = 1;
    for (int k = 0; k < count; k++) {
        double square = k > 0 ? beta[k - 1] * beta[k - 1] : 0;
        pivot = alpha[k] - x - square / (pivot == 0 ? 1e-300 : pivot);
        below += pivot < 0;
    }
    return below;
}

// Eigenvalue number `number`, from 0, between 0 and `most`.
static double bisect(int count, const double* alpha, const double* beta, int number, double most) {
    double low = 0, high = most;
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        if (count_below(count, alpha, beta, middle) > number)
            high = middle;
        else
            low = middle;
    }
    return (low + high) / 2;
}

static Spectrum lanczos(const Matrix* matrix) {
    int n = matrix->n, most = n < MAX_LANCZOS ? n : MAX_LANCZOS, count = 0;
    double alpha[MAX_LANCZOS], beta[MAX_LANCZOS], largest[2] = {0, 0};
    double* q = need((size_t)n * (size_t)(most + 1), sizeof *q);
    unsigned noise = 1;
    for (int i = 0; i < n; i++) {
        noise = noise * 1664525u + 1013904223u;
        q[i] = (double)(noise >> 8) / (1 << 23) - 0.9;
    }
    double length = sqrt(dot(n, q, q));
    for (int i = 0; i < n; i++) q[i] /= length;
    while (count < most) {
        double *now = q + (long)n * count, *next = now + n;
        multiply(matrix, now, next);
        alpha[count] = dot(n, now, next);
        make_orthogonal(n, count + 1, q, next);
        beta[count] = sqrt(dot(n, next, next));
        largest[0] = fmax(largest[0], alpha[count]);
        largest[1] = fmax(largest[1], beta[count]);
        length = beta[count++];
        if (length < 1e-12 * largest[0]) break;
        for (int i = 0; i < n; i++) next[i] /= length;
    }
    free(q);
    double bound = largest[0] + 2 * largest[1];  // Gershgorin
    return (Spectrum){bisect(count, alpha, beta, 0, bound),
                      bisect(count, alpha, beta, count - 1, bound)};
}

// ---------------------------------------------------------------------------------------------

void set_stiffness(WeftClothDef* cloth, double stiffness) {
    cloth->fabric.stretch_warp = cloth->fabric.stretch_weft = stiffness;
    cloth->fabric.shear = stiffness / 4;
}

int find_spectrum(const WeftClothDef* cloth, const WeftStepDef* step, Spectrum* spectrum) {
    Matrix matrix;
    int code = create_matrix(cloth, step, &matrix);
    if (code) return code;
    *spectrum = lanczos(&matrix);
    destroy_matrix(&matrix);
    return EXIT_GOOD;
}

// The matrix is linear in the stiffness k, and all of its eigenvalue over 1 but bending's small
// part is in proportion to k: a few guesses do.
int find_stiffness(const WeftClothDef* cloth, const WeftStepDef* step, double most,
                   double* stiffness) {
    WeftClothDef trial = *cloth;
    Spectrum spectrum = {0};
    int code = EXIT_GOOD;
    *stiffness = 1;
    for (int i = 0; i < 20 && !code && fabs(spectrum.most - most) > 1e-5; i++) {
        if (i > 0) *stiffness *= (most - 1) / (spectrum.most - 1);
        set_stiffness(&trial, *stiffness);
        code = find_spectrum(&trial, step, &spectrum);
    }
    if (!code && fabs(spectrum.most - most) > 1e-3)
        code = complain(EXIT_FAILED, "no stiffness has the eigenvalue %g: bending alone has more",
                        most);
    return code;
}

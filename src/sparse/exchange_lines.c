// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A tie with a stiffness k along n only is a force mu n, with one unknown mu. Beside the small
// system M of the others, one for each component, with the column g that its weights have there,
//
//     [ M       g n ] [ lambda ]   [ b   ]
//     [ n^T g^T  S  ] [   mu   ] = [ n.b ]        S = n.n' g' - delta/k, between two lines
//
// is solved by way of z = M^-1 g, one per line, and a system as large as there are lines. Where a
// tie has both stiffnesses, g is its own column without the -1/K.

#include "sparse/exchange_lines.h"

#include "sparse/small.h"

static const double* gram_of(const WfExchange* ex, const WfSolve* solve, int d) {
    return d == 0 && wf_exchange_has_two(ex, solve) ? ex->normal_gram : ex->gram;
}

// z of a line
static double* line_column(const WfExchange* ex, const WfSolve* solve, int line, int d) {
    int side = d == 0 && wf_exchange_has_two(ex, solve);
    return ex->line_columns + (size_t)(2 * line + side) * (size_t)ex->stride;
}

// g of a line at column i
static double line_entry(const WfExchange* ex, const double* gram, int line, int i) {
    int own = ex->count + ex->lines[line];
    return i >= own ? gram[ex->stride * i + own] : gram[ex->stride * own + i];
}

static const double* direction_of(const WfExchange* ex, int line) {
    return ex->stiffness[ex->lines[line]].direction;
}

static void make_line_column(const WfExchange* ex, const WfSolve* solve, int line, int d) {
    double* z = line_column(ex, solve, line, d);
    const double* gram = gram_of(ex, solve, d);
    for (int i = 0; i < wf_exchange_columns(ex); i++) z[i] = line_entry(ex, gram, line, i);
    wf_small_solve(wf_exchange_columns(ex), ex->stride, wf_exchange_matrix(ex, solve, d), 1, z);
}

// What stands between two lines when all others have answered.
static double between_lines(const WfExchange* ex, const WfSolve* solve, int a, int b) {
    const double *na = direction_of(ex, a), *nb = direction_of(ex, b);
    double sum = 0, sides[3];
    for (int d = wf_exchange_has_two(ex, solve) ? 0 : 1; d < 2; d++) {
        const double *gram = gram_of(ex, solve, d), *z = line_column(ex, solve, b, d);
        sides[d] = line_entry(ex, gram, a, ex->count + ex->lines[b]);
        for (int i = 0; i < wf_exchange_columns(ex); i++)
            sides[d] -= line_entry(ex, gram, a, i) * z[i];
    }
    if (!wf_exchange_has_two(ex, solve)) sides[0] = sides[1];
    sides[2] = sides[1];
    for (int d = 0; d < 3; d++) sum += na[d] * nb[d] * sides[d];
    return sum;
}

void wf_lines_factor(WfExchange* ex, const WfSolve* solve) {
    int n = ex->tie_room, count = 0;
    for (int t = 0; t < ex->tie_count; t++)
        if (ex->stiffness[t].along > 0) ex->lines[count++] = t;
    ex->line_count = count;
    for (int a = 0; a < count; a++)
        for (int d = wf_exchange_has_two(ex, solve) ? 0 : 1; d < 2; d++)
            make_line_column(ex, solve, a, d);
    for (int a = 0; a < count; a++)
        for (int b = 0; b <= a; b++)
            ex->line_matrix[n * a + b] = between_lines(ex, solve, a, b) -
                                         (a == b ? 1 / ex->stiffness[ex->lines[a]].along : 0);
    wf_small_factor(count, n, ex->line_matrix);
}

// mu, by the right-hand sides of all columns
void wf_lines_solve(const WfExchange* ex, const WfSolve* solve, double s[][3], double* pulls) {
    for (int a = 0; a < ex->line_count; a++) {
        const double *n = direction_of(ex, a), *own = s[ex->count + ex->lines[a]];
        pulls[a] = 0;
        for (int d = 0; d < 3; d++) {
            const double* z = line_column(ex, solve, a, d);
            double left = own[d];
            for (int i = 0; i < wf_exchange_columns(ex); i++) left -= z[i] * s[i][d];
            pulls[a] += n[d] * left;
        }
    }
    wf_small_solve(ex->line_count, ex->tie_room, ex->line_matrix, 1, pulls);
}

// What the others answer to mu, and mu itself.
void wf_lines_add(const WfExchange* ex, const WfSolve* solve, const double* pulls, double s[][3]) {
    for (int a = 0; a < ex->line_count; a++) {
        const double* n = direction_of(ex, a);
        for (int d = 0; d < 3; d++) {
            const double* z = line_column(ex, solve, a, d);
            for (int i = 0; i < wf_exchange_columns(ex); i++) s[i][d] -= n[d] * pulls[a] * z[i];
            s[ex->count + ex->lines[a]][d] += n[d] * pulls[a];
        }
    }
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards sim/study.c: what is told about the constant matrix and its factor fits together, for
// every ordering, and weft_solve solves with that matrix.

#include "swing.h"
#include "test.h"
#include "weft/weft_study.h"

enum { N = 17, VERTICES = N * N };

static Swing open_ordering(WeftOrdering ordering) {
    Swing s = swing_def(N, 100);
    s.ordering = ordering;
    swing_open(&s);
    return s;
}

static void counts(void) {
    for (int o = WEFT_ORDERING_AUTO; o <= WEFT_ORDERING_NESTED_DISSECTION; o++) {
        Swing s = open_ordering((WeftOrdering)o);
        WeftFactorInfo info = weft_factor_info(s.model);
        if (o == WEFT_ORDERING_AUTO)
            CHECK(info.ordering != WEFT_ORDERING_AUTO);
        else
            CHECK((int)info.ordering == o);
        long long lower = (info.matrix_count + VERTICES) / 2;
        CHECK(info.matrix_count > 5 * VERTICES && info.factor_count >= lower);
        CHECK(info.stored_count >= info.factor_count && info.flops > 0);
        CHECK(info.order_time == 0 && info.factor_time == 0);  // there is no clock
        swing_close(&s);
    }
}

// Every vertex is eliminated once.
static void order_is_a_permutation(void) {
    for (int o = WEFT_ORDERING_AUTO; o <= WEFT_ORDERING_NESTED_DISSECTION; o++) {
        Swing s = open_ordering((WeftOrdering)o);
        const int* order = weft_elimination_order(s.model);
        int seen[VERTICES] = {0};
        for (int k = 0; k < VERTICES; k++) {
            CHECK(order[k] >= 0 && order[k] < VERTICES);
            seen[order[k]]++;
        }
        for (int i = 0; i < VERTICES; i++) CHECK(seen[i] == 1);
        swing_close(&s);
    }
}

// The columns of L: from the diagonal down, rising, with a place for every entry of A below it.
static void columns(void) {
    Swing s = open_ordering(WEFT_ORDERING_AUTO);
    const int *start, *index, *order = weft_elimination_order(s.model);
    CHECK(weft_get_matrix(s.model, &s.step, &start, &index, NULL, NULL) == WEFT_OK);
    int place[VERTICES], rows[VERTICES];
    long long count = 0;
    for (int k = 0; k < VERTICES; k++) place[order[k]] = k;
    for (int j = 0; j < VERTICES; j++) {
        bool there[VERTICES] = {false};
        int length = weft_factor_column(s.model, j, rows);
        CHECK(length > 0 && rows[0] == j);
        for (int i = 0; i < length; i++) {
            CHECK(rows[i] < VERTICES && (i == 0 || rows[i] > rows[i - 1]));
            there[rows[i]] = true;
        }
        for (int e = start[order[j]]; e < start[order[j] + 1]; e++)
            CHECK(place[index[e]] < j || there[place[index[e]]]);
        count += length;
    }
    WeftFactorInfo info = weft_factor_info(s.model);
    CHECK(count >= info.factor_count && count <= info.stored_count);
    swing_close(&s);
}

// A is symmetric; with the mass taken from it nothing is left for a translation.
static void matrix(void) {
    Swing s = open_ordering(WEFT_ORDERING_AUTO);
    const int *start, *index;
    double* values = calloc((size_t)weft_factor_info(s.model).matrix_count, sizeof *values);
    CHECK(weft_get_matrix(s.model, &s.step, &start, &index, values, NULL) == WEFT_OK);
    for (int i = 0; i < VERTICES; i++) {
        double sum = -weft_masses(s.model)[i], largest = 0;
        for (int e = start[i]; e < start[i + 1]; e++) {
            int j = index[e], back = start[j];
            while (index[back] != i) back++;
            CHECK(values[back] == values[e]);
            sum += values[e];
            largest = fmax(largest, fabs(values[e]));
        }
        CHECK_BELOW(fabs(sum), 1e-12 * largest);
    }
    free(values);
    swing_close(&s);
}

// The same solution by every ordering, and pinned vertices stay.
static void solutions(void) {
    double b[3 * VERTICES], first[3 * VERTICES], x[3 * VERTICES];
    for (int i = 0; i < 3 * VERTICES; i++) b[i] = 1e-3 * ((i * 37) % 101 - 50);
    for (int o = WEFT_ORDERING_AUTO; o <= WEFT_ORDERING_NESTED_DISSECTION; o++) {
        Swing s = open_ordering((WeftOrdering)o);
        s.step.solve_tolerance = 1e-12;
        double* to = o == WEFT_ORDERING_AUTO ? first : x;
        CHECK(weft_solve(s.state, &s.step, b, to) == WEFT_OK);
        double size = 0, apart = 0;
        for (int i = 0; i < 3 * VERTICES; i++) {
            size = fmax(size, fabs(first[i]));
            apart = fmax(apart, fabs(to[i] - first[i]));
            if (weft_is_pinned(s.state, i / 3)) CHECK(to[i] == 0);
        }
        CHECK(size > 0);
        CHECK_BELOW(apart, 1e-10 * size);
        swing_close(&s);
    }
}

static void no_factor_to_solve_with(void) {
    Swing s = open_ordering(WEFT_ORDERING_AUTO);
    double b[3 * VERTICES] = {0}, x[3 * VERTICES];
    s.step.method = WEFT_METHOD_SYMPLECTIC;
    CHECK(weft_solve(s.state, &s.step, b, x) == WEFT_ERROR_COMBINATION);
    CHECK(strstr(weft_state_error(s.state)->message, "no constant matrix"));
    s.step.dt = -1;
    const int *start, *index;
    WeftError error;
    CHECK(weft_get_matrix(s.model, &s.step, &start, &index, NULL, &error) == WEFT_ERROR_INPUT);
    CHECK(strstr(error.message, "dt"));
    swing_close(&s);
}

TEST_MAIN(CASE(counts), CASE(order_is_a_permutation), CASE(columns), CASE(matrix), CASE(solutions),
          CASE(no_factor_to_solve_with))

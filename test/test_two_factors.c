// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the normal matrix (sparse/cholesky.h, solve.h, exchange.h): two matrices that differ in a
// few rows are factored and solved together as each would be alone, bit by bit.

#include "order_test.h"
#include "sparse/exchange.h"

// Rows on the plane are fixed in the normal matrix; they, and what they have entries with, differ.
typedef struct Twins {
    WfPattern pattern;
    double *values, *normal_values;
    unsigned char *plane, *differs, *fixed;
    TestSystem s;
} Twins;

// Further springs among rows that differ.
static void stiffen(Twins* t) {
    const WfPattern* p = &t->pattern;
    memcpy(t->normal_values, t->values, (size_t)p->start[p->n] * sizeof(double));
    for (int i = 0; i < p->n; i++)
        for (int e = p->start[i]; e < p->start[i + 1]; e++) {
            int j = p->index[e];
            if (j >= i || !t->differs[i] || !t->differs[j]) continue;
            double k = 2 + random_unit();
            t->normal_values[e] -= k;
            t->normal_values[wf_pattern_find(p, j, i)] -= k;
            t->normal_values[wf_pattern_find(p, i, i)] += k;
            t->normal_values[wf_pattern_find(p, j, j)] += k;
        }
}

// Takes over the pattern and the plane; nothing else is fixed. order: NULL, nested dissection.
static void open_in_order(Twins* t, WfPattern pattern, unsigned char* plane, const int* order) {
    WeftAllocator allocator = wf_allocator(NULL);
    size_t n = (size_t)pattern.n;
    int* nested = malloc((n + 1) * sizeof(int));
    t->pattern = pattern;
    t->plane = plane;
    t->fixed = calloc(n + 1, 1);
    t->differs = calloc(n + 1, 1);
    for (int i = 0; i < pattern.n; i++)
        for (int e = pattern.start[i]; e < pattern.start[i + 1]; e++)
            t->differs[i] |= plane[pattern.index[e]];
    t->values = cloth_values(&t->pattern, 4);
    t->normal_values = malloc(((size_t)pattern.start[n] + 1) * sizeof(double));
    stiffen(t);
    CHECK(wf_order_nested(&allocator, &t->pattern, NULL, t->differs, nested) == WEFT_OK);
    t->s = system_with(&t->pattern, order ? order : nested, t->differs);
    free(nested);
}

static void open_twins(Twins* t, WfPattern pattern, unsigned char* plane) {
    open_in_order(t, pattern, plane, NULL);
}

static void close_twins(Twins* t) {
    WeftAllocator allocator = wf_allocator(NULL);
    release_system(&t->s);
    free(t->values);
    free(t->normal_values);
    free(t->plane);
    free(t->differs);
    free(t->fixed);
    wf_pattern_destroy(&allocator, &t->pattern);
}

// Every so manieth vertex of a grid's first column, from the first on.
static unsigned char* first_column(int w, int h, int step) {
    unsigned char* plane = calloc((size_t)(w * h) + 1, 1);
    for (int j = 0; j < h; j += step) plane[j * w] = 1;
    return plane;
}

static WfCholeskyInput input_of(const Twins* t, const unsigned char* fixed) {
    return (WfCholeskyInput){t->values, fixed, t->normal_values, t->plane};
}

static int factor_twins(const Twins* t) {
    WfCholeskyInput input = input_of(t, t->fixed);
    return wf_cholesky_factor(&t->s.cholesky, &t->s.jobs, &input, &t->s.work, t->s.factor);
}

// Three orthonormal rows; the first one is oblique.
static const double oblique[9] = {2.0 / 3,  1.0 / 3, 2.0 / 3,  1.0 / 3, 2.0 / 3,
                                  -2.0 / 3, 2.0 / 3, -2.0 / 3, -1.0 / 3};

static WfSolve solve_twins(const Twins* t, const double* frame) {
    WfSolve solve = solve_of(&t->s);
    solve.has_normal = true;
    solve.frame = frame;
    memset(solve.slots, 0xff, wf_solve_scratch_count(solve.cholesky) * sizeof(float));  // NaN
    return solve;
}

// to = frame v of every vertex, or back
static void turn_all(int n, const double* frame, bool back, const double* v, double* to) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 3; i++) {
            to[3 * k + i] = 0;
            for (int j = 0; j < 3; j++)
                to[3 * k + i] += frame[back ? 3 * j + i : 3 * i + j] * v[3 * k + j];
        }
}

// ---------------------------------------------------------------------------------------------
// Alone: the one matrix, and the other one

// Fixed in the normal matrix; free it.
static unsigned char* fixed_along_normal(const Twins* t, const unsigned char* fixed) {
    unsigned char* both = calloc((size_t)t->pattern.n + 1, 1);
    for (int i = 0; i < t->pattern.n; i++) both[i] = fixed[i] || t->plane[i];
    return both;
}

// What two solves say that know nothing of each other: x of one, y and z of the other.
static void solve_alone(const Twins* t, const WfSolveKernel* kernel, const double* b, double* x) {
    int n = t->pattern.n;
    unsigned char* both = fixed_along_normal(t, t->fixed);
    TestSystem alone = system_with(&t->pattern, t->s.order, t->differs);
    double* other = random_sides(n);
    alone.kernel = kernel;
    CHECK(factor_system(&alone, t->values, t->fixed) == -1);
    solve_system(&alone, b, x);
    CHECK(factor_system(&alone, t->normal_values, both) == -1);
    solve_system(&alone, b, other);
    for (int i = 0; i < n; i++) x[3 * i] = other[3 * i];
    free(other);
    free(both);
    release_system(&alone);
}

static void dense_twins(const Twins* t, const unsigned char* fixed, const double* b, double* x) {
    int n = t->pattern.n;
    unsigned char* both = fixed_along_normal(t, fixed);
    double* other = random_sides(n);
    dense_solve(&t->pattern, t->values, fixed, b, x);
    dense_solve(&t->pattern, t->normal_values, both, b, other);
    for (int i = 0; i < n; i++) x[3 * i] = other[3 * i];
    free(other);
    free(both);
}

static bool are_same(int n, const double* x, const double* y) {
    for (int i = 0; i < 3 * n; i++)
        if (!(x[i] == y[i])) return false;
    return true;
}

// On the plane, along the normal.
static bool is_held(const Twins* t, int i) { return t->plane[i / 3] && i % 3 == 0; }

static void check_frame(const Twins* t, const double* b, const double* expected) {
    int n = t->pattern.n;
    double *turned = random_sides(n), *x = random_sides(n), *back = random_sides(n);
    WfSolve solve = solve_twins(t, oblique);
    turn_all(n, oblique, true, b, turned);
    wf_solve(&solve, turned, x);
    turn_all(n, oblique, false, x, back);
    CHECK_BELOW(difference_of(n, back, expected), 1e-5);
    for (int i = 0; i < 3 * n; i += 3)
        if (t->plane[i / 3]) CHECK_BELOW(fabs(back[i]), 1e-15);
    double scale = wf_solve_load(&solve, turned);
    wf_solve_forward(&solve);
    wf_solve_backward(&solve);
    wf_solve_store(&solve, scale, turned);
    CHECK(are_same(n, x, turned));
    free(turned);
    free(x);
    free(back);
}

// By one kernel: together as alone.
static void check_kernel(Twins* t, const WfSolveKernel* kernel, const double* b) {
    int n = t->pattern.n;
    double *x = random_sides(n), *y = random_sides(n), *expected = random_sides(n);
    t->s.kernel = kernel;
    solve_alone(t, kernel, b, expected);
    WfSolve solve = solve_twins(t, NULL);
    wf_solve(&solve, b, x);
    CHECK(are_same(n, x, expected));
    double scale = wf_solve_load(&solve, b);
    wf_solve_forward(&solve);
    wf_solve_backward(&solve);
    wf_solve_store(&solve, scale, y);
    CHECK(are_same(n, x, y));
    check_frame(t, b, expected);
    free(x);
    free(y);
    free(expected);
}

enum { KERNELS = 5 };
static const WfSolveKernel* kernel_of(int k) {
    const WfSolveKernel* kernels[KERNELS] = {&wf_solve_plain, &wf_solve_plain_narrow,
                                             wf_solve_plain_wide(), wf_solve_fused_narrow(),
                                             wf_solve_fused_wide()};
    return kernels[k];
}

// Factored with the rows that are fixed now. `dense`: against elimination by hand too.
static void check_twins(Twins* t, bool dense) {
    int n = t->pattern.n, before = test_failures;
    double *b = random_sides(n), *x = random_sides(n), *expected = random_sides(n);
    for (int i = 0; i < 3 * n; i++) b[i] = is_held(t, i) ? 0 : b[i];
    CHECK(factor_twins(t) == -1);
    for (int k = 0; k < KERNELS; k++)
        if (kernel_of(k)) check_kernel(t, kernel_of(k), b);
    WfSolve solve = solve_twins(t, NULL);
    wf_solve(&solve, b, x);
    if (dense) dense_twins(t, t->fixed, b, expected);
    if (dense) CHECK_BELOW(difference_of(n, x, expected), 1e-5);
    // what pulls at the plane goes nowhere
    for (int i = 0; i < 3 * n; i++) b[i] = is_held(t, i) ? random_unit() : b[i];
    wf_solve(&solve, b, expected);
    CHECK(are_same(n, x, expected));
    for (int i = 0; i < 3 * n; i++)
        if (is_held(t, i)) CHECK(x[i] == 0);
    if (test_failures != before) printf("... of %d rows\n", n);
    free(b);
    free(x);
    free(expected);
}

// What is apart, and what is not.
static void check_closed(const Twins* t) {
    const WfSupernodes* s = &t->s.cholesky.nodes;
    int count = 0;
    for (int k = 0; k < s->count; k++) {
        count += s->is_apart[k];
        if (s->is_apart[k] && s->parent[k] >= 0) CHECK(s->is_apart[s->parent[k]]);
        // and no more than it takes
        bool needed = t->differs[s->order[s->first[k]]];
        for (int c = s->child[k]; c >= 0; c = s->sibling[c]) needed |= s->is_apart[c];
        if (s->is_apart[k]) CHECK(needed);
        for (int j = s->first[k]; j < s->first[k + 1]; j++)
            if (t->differs[s->order[j]]) CHECK(s->is_apart[k]);
    }
    CHECK(count == s->apart_count);
    for (int k = 0; k < s->subtree_count; k++)
        for (int i = s->subtrees[k].begin; i < s->subtrees[k].end; i++) CHECK(!s->is_apart[i]);
    for (int k = 0; k < s->stage_start[s->stage_count]; k++)
        CHECK(!s->is_apart[s->staged[k].begin]);
}

// Pins nowhere, on the plane, where the matrices differ, elsewhere, everywhere.
static void check_pins(Twins* t, bool dense) {
    check_closed(t);
    for (int pins = 0; pins < 5; pins++) {
        for (int i = 0; i < t->pattern.n; i++) {
            const bool where[5] = {false, t->plane[i], t->differs[i], !t->differs[i], true};
            t->fixed[i] = where[pins] && (i % 3 == 1 || pins == 4);
        }
        check_twins(t, dense);
    }
}

// ---------------------------------------------------------------------------------------------
// Meshes

static void grids(void) {
    static const int size[][2] = {{9, 8}, {4, 30}, {30, 4}, {2, 2}, {1, 5}, {13, 13}};
    for (int k = 0; k < 6; k++)
        for (int step = 1; step < 4; step += 2) {
            int w = size[k][0], h = size[k][1];
            Twins t;
            open_twins(&t, grid_pattern(w, h, GRID_TWELVE, NULL), first_column(w, h, step));
            check_pins(&t, true);
            close_twins(&t);
        }
}

static void irregular_meshes(void) {
    for (int hinges = 0; hinges < 2; hinges++) {
        Sheet sheet = jittered_sheet(14, 20);
        Twins t;
        open_twins(&t, sheet_pattern(&sheet, hinges), first_column(14, 20, 1));
        CHECK(t.s.cholesky.nodes.apart_count > 0);
        CHECK(t.s.cholesky.nodes.apart_count < t.s.cholesky.nodes.count);
        check_pins(&t, true);
        close_twins(&t);
        free_sheet(&sheet);
    }
}

// One of them does not touch the plane.
static void several_components(void) {
    Sheet sheet =
        both_sheets(jittered_sheet(9, 9), both_sheets(grid_sheet(8, 8), grid_sheet(5, 7)));
    unsigned char* plane = calloc((size_t)sheet.n + 1, 1);
    for (int i = 0; i < sheet.n; i++) plane[i] = sheet.x[3 * i] == 0 && (i < 81 || i >= 81 + 64);
    Twins t;
    open_twins(&t, sheet_pattern(&sheet, true), plane);
    check_pins(&t, true);
    close_twins(&t);
    free_sheet(&sheet);
}

static void nothing_differs(void) {
    Twins t;
    open_twins(&t, grid_pattern(9, 8, GRID_TWELVE, NULL), calloc(73, 1));
    CHECK(t.s.cholesky.nodes.apart_count == 0);
    TestSystem one = system_in_order(&t.pattern, t.s.order);
    CHECK(wf_cholesky_value_count(&t.s.cholesky) == wf_cholesky_value_count(&one.cholesky));
    CHECK(wf_solve_scratch_count(&t.s.cholesky) == wf_solve_scratch_count(&one.cholesky));
    release_system(&one);
    check_pins(&t, true);
    close_twins(&t);
}

// A strip so narrow that all rows do.
static void everything_differs(void) {
    Twins t;
    open_twins(&t, grid_pattern(3, 40, GRID_TWELVE, NULL), first_column(3, 40, 1));
    CHECK(t.s.cholesky.nodes.apart_count == t.s.cholesky.nodes.count);
    check_pins(&t, true);
    close_twins(&t);
}

static void no_rows_at_all(void) {
    Twins t;
    open_twins(&t, pattern_of(0, 0, NULL), calloc(1, 1));
    check_twins(&t, true);
    close_twins(&t);
}

// Rows that differ need not come last: what is above them is apart too.
static void any_order(void) {
    for (int k = 0; k < 8; k++) {
        int* order = random_names(12 * 11);
        for (int i = 0; i < 12 * 11 && k == 0; i++) order[i] = i;
        Twins t;
        open_in_order(&t, grid_pattern(12, 11, GRID_TWELVE, NULL), first_column(12, 11, 1), order);
        check_pins(&t, true);
        close_twins(&t);
        free(order);
    }
}

static void graphs_at_random(void) {
    for (int k = 0; k < 20; k++) {
        int n = 1 + random_below(120);
        unsigned char* plane = calloc((size_t)n + 1, 1);
        for (int i = 0; i < n; i++) plane[i] = random_below(12) == 0;
        Twins t;
        open_twins(&t, scattered_pattern(n, random_below(2 * n)), plane);
        check_pins(&t, true);
        close_twins(&t);
    }
}

// ---------------------------------------------------------------------------------------------
// Nodes and panels

// All columns have the same rows, but only the last ones are apart.
static void parts_of_a_clique(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    static const unsigned char differs[9] = {0, 0, 0, 0, 0, 0, 1, 0, 1};
    const int order[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    WfPattern pattern = blocks_pattern(0, 9);
    WfSupernodes s;
    CHECK(wf_supernodes_create(&allocator, &pattern, order, differs, &s) == WEFT_OK);
    CHECK(s.count == 2 && s.first[1] == 6);
    CHECK(!s.is_apart[0] && s.is_apart[1] && s.apart_count == 1 && s.apart[0] == 1);
    wf_supernodes_destroy(&allocator, &s);
    wf_pattern_destroy(&allocator, &pattern);
}

static size_t panel_bytes(const WfSupernodes* s, int k) {
    return (s->panel[k + 1] - s->panel[k]) * sizeof(float);
}

// Both factors, against those of each matrix alone.
static void panels(void) {
    Twins t;
    open_twins(&t, grid_pattern(30, 31, GRID_TWELVE, NULL), first_column(30, 31, 1));
    for (int i = 0; i < 30 * 31; i++) t.fixed[i] = i % 37 == 0;
    const WfSupernodes* s = &t.s.cholesky.nodes;
    unsigned char* both = fixed_along_normal(&t, t.fixed);
    TestSystem along = system_with(&t.pattern, t.s.order, t.differs);
    TestSystem normal = system_with(&t.pattern, t.s.order, t.differs);
    CHECK(factor_twins(&t) == -1);
    CHECK(factor_system(&along, t.values, t.fixed) == -1);
    CHECK(factor_system(&normal, t.normal_values, both) == -1);
    CHECK(memcmp(t.s.factor, along.factor, s->panel[s->count] * sizeof(float)) == 0);
    for (int k = 0; k < s->count; k++) {
        const float* own = t.s.factor + (s->is_apart[k] ? s->normal_panel[k] : s->panel[k]);
        bool held = false;  // where its diagonal is zero
        for (int j = s->first[k]; j < s->first[k + 1]; j++) held |= t.plane[s->order[j]];
        if (!held) CHECK(memcmp(own, normal.factor + s->panel[k], panel_bytes(s, k)) == 0);
    }
    free(both);
    release_system(&along);
    release_system(&normal);
    close_twins(&t);
}

static void factored_in_pieces(void) {
    Twins t;
    open_twins(&t, grid_pattern(20, 21, GRID_TWELVE, NULL), first_column(20, 21, 1));
    size_t bytes = t.s.cholesky.nodes.value_count * sizeof(float);
    float* whole = malloc(bytes + 1);
    WfCholeskyInput input = input_of(&t, NULL);
    CHECK(factor_twins(&t) == -1);
    memcpy(whole, t.s.factor, bytes);
    memset(t.s.factor, 0xff, bytes);
    int pieces = 0;
    for (int end = 0; end < t.s.cholesky.nodes.count; pieces++)
        CHECK(wf_cholesky_factor_some(&t.s.cholesky, &input, end, t.s.cholesky.flops / 7, &t.s.work,
                                      t.s.factor, &end) == -1);
    CHECK(pieces > 3 && pieces < 9);
    CHECK(memcmp(whole, t.s.factor, bytes) == 0);
    free(whole);
    close_twins(&t);
}

// The row that fails is named, whichever matrix it is.
static void not_positive(void) {
    Twins t;
    open_twins(&t, grid_pattern(9, 8, GRID_TWELVE, NULL), first_column(9, 8, 1));
    CHECK(factor_twins(&t) == -1);
    int e = wf_pattern_find(&t.pattern, 10, 10);
    t.normal_values[e] = -1;
    CHECK(factor_twins(&t) >= 0);
    t.plane[10] = 1;  // what is fixed is not looked at; but now more rows differ
    for (int i = 0; i < 72; i++) t.differs[i] = 1;
    release_system(&t.s);
    t.s = system_with(&t.pattern, NULL, t.differs);
    CHECK(factor_twins(&t) == -1);
    t.values[e] = NAN;
    CHECK(factor_twins(&t) == 10);
    close_twins(&t);
}

// Without a normal matrix nothing is looked at but the one.
static void one_matrix_alone(void) {
    Twins t;
    open_twins(&t, grid_pattern(12, 12, GRID_TWELVE, NULL), first_column(12, 12, 1));
    size_t bytes = wf_cholesky_value_count(&t.s.cholesky) * sizeof(float);
    double *b = random_sides(144), *x = random_sides(144), *expected = random_sides(144);
    memset(t.s.factor, 0xff, bytes);
    CHECK(factor_system(&t.s, t.values, NULL) == -1);
    solve_system(&t.s, b, x);
    dense_solve(&t.pattern, t.values, NULL, b, expected);
    CHECK_BELOW(difference_of(144, x, expected), 1e-5);
    free(b);
    free(x);
    free(expected);
    close_twins(&t);
}

// Numbers that floats do not hold, in a frame too.
static void sizes_out_of_range(void) {
    static const double sizes[] = {1e-300, 1e-60, 1e60, 1e300};
    Twins t;
    open_twins(&t, grid_pattern(9, 8, GRID_TWELVE, NULL), first_column(9, 8, 1));
    double *b = random_sides(72), *x = random_sides(72), *expected = random_sides(72);
    CHECK(factor_twins(&t) == -1);
    for (int frame = 0; frame < 2; frame++) {
        WfSolve solve = solve_twins(&t, frame ? oblique : NULL);
        wf_solve(&solve, b, expected);
        for (int k = 0; k < 4; k++) {
            for (int i = 0; i < 3 * 72; i++) x[i] = sizes[k] * b[i];
            wf_solve(&solve, x, x);
            for (int i = 0; i < 3 * 72; i++) x[i] /= sizes[k];
            CHECK_BELOW(difference_of(72, x, expected), 1e-5);
        }
    }
    free(b);
    free(x);
    free(expected);
    close_twins(&t);
}

// ---------------------------------------------------------------------------------------------
// Threads

static void run_backwards(void* user, int block_count, void (*block)(void* context, int index),
                          void* context) {
    ++*(int*)user;
    for (int i = block_count - 1; i >= 0; i--) block(context, i);
}

static void any_number_of_threads(void) {
    enum { N = LARGE_N };
    int used = 0;
    const WeftJobs runners[] = {{.thread_count = 1},
                                {.thread_count = 2},
                                {.thread_count = 8},
                                {.run = run_backwards, .user = &used}};
    Twins t;
    open_twins(&t, grid_pattern(LARGE_W, LARGE_H, GRID_TWELVE, NULL),
               first_column(LARGE_W, LARGE_H, 1));
    size_t bytes = t.s.cholesky.nodes.value_count * sizeof(float);
    double *b = random_sides(N), *alone = random_sides(N), *x = random_sides(N);
    float* factor = malloc(bytes + 1);
    CHECK(t.s.cholesky.nodes.subtree_count >= 12);
    check_closed(&t);
    CHECK(factor_twins(&t) == -1);
    memcpy(factor, t.s.factor, bytes);
    check_twins(&t, false);
    for (int k = 0; k < 2; k++) {
        t.s.kernel = k ? wf_solve_fused() : &wf_solve_plain;
        for (int r = 0; r < 4; r++) {
            t.s.jobs = runners[r];
            memset(t.s.factor, 0xff, bytes);
            CHECK(factor_twins(&t) == -1);
            CHECK(memcmp(factor, t.s.factor, bytes) == 0);
            WfSolve solve = solve_twins(&t, k ? oblique : NULL);
            wf_solve(&solve, b, r == 0 ? alone : x);
            if (r > 0) CHECK(memcmp(x, alone, 3 * N * sizeof *x) == 0);
        }
    }
    CHECK(used > 0);
    free(factor);
    free(b);
    free(alone);
    free(x);
    close_twins(&t);
}

// ---------------------------------------------------------------------------------------------
// Rows exchanged

static void solve_exchanged(const Twins* t, const WfExchange* exchange, const double* frame,
                            const double* b, double* x) {
    WfSolve solve = solve_twins(t, frame);
    double solution[WF_MAX_COLUMNS][3], scale = wf_solve_load(&solve, b);
    wf_solve_forward(&solve);
    wf_exchange_apply(exchange, &solve, solution);
    wf_solve_backward(&solve);
    wf_exchange_finish(exchange, &solve, solution);
    wf_solve_store(&solve, scale, x);
}

static bool set_exchange(const Twins* t, WfExchange* exchange, const unsigned char* now,
                         bool forget) {
    WfSolve solve = solve_twins(t, NULL);
    WfCholeskyInput input = input_of(t, t->fixed);
    return wf_exchange_set(exchange, &solve, &input, now, forget);
}

// The rows of `now` are fixed through the exchange; against elimination by hand.
static void check_exchange(const Twins* t, const WfExchange* exchange, const unsigned char* now) {
    int n = t->pattern.n, before = test_failures;
    double *b = random_sides(n), *x = random_sides(n), *y = random_sides(n);
    double *turned = random_sides(n), *expected = random_sides(n);
    for (int i = 0; i < 3 * n; i++)
        if (now[i / 3] || is_held(t, i)) b[i] = 0;
    dense_twins(t, now, b, expected);
    solve_exchanged(t, exchange, NULL, b, x);
    CHECK_BELOW(difference_of(n, x, expected), 2e-5);
    for (int i = 0; i < 3 * n; i++)
        if (now[i / 3] || is_held(t, i)) CHECK(x[i] == 0);
    turn_all(n, oblique, true, b, turned);
    solve_exchanged(t, exchange, oblique, turned, turned);
    turn_all(n, oblique, false, turned, y);
    CHECK_BELOW(difference_of(n, y, expected), 2e-5);
    if (test_failures != before) printf("... %d rows exchanged\n", exchange->count);
    free(b);
    free(x);
    free(y);
    free(turned);
    free(expected);
}

// Set anew it gives the same bits.
static void check_kept(const Twins* t, const WfExchange* exchange, const unsigned char* now) {
    WeftAllocator allocator = wf_allocator(NULL);
    int n = t->pattern.n;
    double *b = random_sides(n), *x = random_sides(n), *y = random_sides(n);
    WfExchange fresh;
    CHECK(wf_exchange_create(&allocator, &t->s.cholesky, &fresh) == WEFT_OK);
    CHECK(set_exchange(t, &fresh, now, true));
    solve_exchanged(t, exchange, NULL, b, x);
    solve_exchanged(t, &fresh, NULL, b, y);
    CHECK(memcmp(x, y, 3 * (size_t)n * sizeof *x) == 0);
    wf_exchange_destroy(&allocator, &fresh);
    free(b);
    free(x);
    free(y);
}

// Each row in turn, fixed and freed; others are pinned on the plane, beside it and away from it.
static void one_row_exchanged(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    unsigned char now[72];
    WfExchange exchange;
    Twins t;
    open_twins(&t, grid_pattern(9, 8, GRID_TWELVE, NULL), first_column(9, 8, 1));
    CHECK(wf_exchange_create(&allocator, &t.s.cholesky, &exchange) == WEFT_OK);
    for (int freed = 0; freed < 2; freed++)
        for (int i = 0; i < 72; i++) {
            for (int k = 0; k < 72; k++) t.fixed[k] = k % 7 == 3 || (freed && k == i);
            memcpy(now, t.fixed, sizeof now);
            now[i] = !t.fixed[i];
            CHECK(factor_twins(&t) == -1);
            CHECK(set_exchange(&t, &exchange, now, true) && exchange.count == 1);
            check_exchange(&t, &exchange, now);
        }
    wf_exchange_destroy(&allocator, &exchange);
    close_twins(&t);
}

// Rows come and go, on meshes of all kinds.
static void exchange_at_random(Twins* t) {
    WeftAllocator allocator = wf_allocator(NULL);
    int n = t->pattern.n;
    unsigned char* now = calloc((size_t)n + 1, 1);
    WfExchange exchange;
    CHECK(wf_exchange_create(&allocator, &t->s.cholesky, &exchange) == WEFT_OK);
    for (int i = 0; i < n; i++) t->fixed[i] = random_below(10) == 0;
    memcpy(now, t->fixed, (size_t)n);
    CHECK(factor_twins(t) == -1);
    for (int k = 0; k < 12; k++) {
        int row = random_below(n), count = 1 + random_below(6);
        for (int i = row; i < n && i < row + count; i++) now[i] = !now[i];
        CHECK(set_exchange(t, &exchange, now, k == 0));
        check_exchange(t, &exchange, now);
        check_kept(t, &exchange, now);
    }
    wf_exchange_destroy(&allocator, &exchange);
    free(now);
    close_twins(t);
}

static void many_rows_exchanged(void) {
    Twins t;
    open_twins(&t, grid_pattern(9, 8, GRID_TWELVE, NULL), first_column(9, 8, 1));
    exchange_at_random(&t);
    open_twins(&t, grid_pattern(3, 30, GRID_TWELVE, NULL), first_column(3, 30, 1));
    exchange_at_random(&t);
    open_twins(&t, grid_pattern(9, 8, GRID_TWELVE, NULL), calloc(73, 1));
    exchange_at_random(&t);
    Sheet sheet = both_sheets(jittered_sheet(9, 10), grid_sheet(5, 5));
    unsigned char* plane = calloc((size_t)sheet.n + 1, 1);
    for (int i = 0; i < sheet.n; i++) plane[i] = sheet.x[3 * i] == 0;
    open_twins(&t, sheet_pattern(&sheet, true), plane);
    exchange_at_random(&t);
    free_sheet(&sheet);
}

// Without a normal matrix, though some nodes are apart.
static void exchange_of_one_matrix(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    unsigned char now[72] = {0};
    double solution[WF_MAX_COLUMNS][3];
    double *b = random_sides(72), *x = random_sides(72), *expected = random_sides(72);
    WfExchange exchange;
    Twins t;
    open_twins(&t, grid_pattern(9, 8, GRID_TWELVE, NULL), first_column(9, 8, 1));
    CHECK(wf_exchange_create(&allocator, &t.s.cholesky, &exchange) == WEFT_OK);
    CHECK(factor_system(&t.s, t.values, NULL) == -1);
    for (int i = 0; i < 72; i += 7) now[i] = 1;
    for (int i = 0; i < 3 * 72; i++) b[i] = now[i / 3] ? 0 : b[i];
    WfSolve solve = solve_of(&t.s);
    WfCholeskyInput input = {.values = t.values};
    CHECK(wf_exchange_set(&exchange, &solve, &input, now, true));
    double scale = wf_solve_load(&solve, b);
    wf_solve_forward(&solve);
    wf_exchange_apply(&exchange, &solve, solution);
    wf_solve_backward(&solve);
    wf_exchange_finish(&exchange, &solve, solution);
    wf_solve_store(&solve, scale, x);
    dense_solve(&t.pattern, t.values, now, b, expected);
    CHECK_BELOW(difference_of(72, x, expected), 1e-5);
    wf_exchange_destroy(&allocator, &exchange);
    free(b);
    free(x);
    free(expected);
    close_twins(&t);
}

// ---------------------------------------------------------------------------------------------

static void nth_allocation_fails(void) {
    Twins t;
    open_twins(&t, grid_pattern(4, 5, GRID_SIX, NULL), first_column(4, 5, 1));
    WeftResult result = WEFT_ERROR_MEMORY;
    int n = 0;
    for (; result && n < 100; n++) {
        TestMemory memory = {.left = n};
        WeftAllocator allocator = test_allocator(&memory);
        WfCholesky cholesky;
        WfExchange exchange = {0};
        result = wf_cholesky_create(&allocator, &t.pattern, t.s.order, t.differs, &cholesky);
        if (!result) result = wf_exchange_create(&allocator, &cholesky, &exchange);
        CHECK(result == WEFT_OK || result == WEFT_ERROR_MEMORY);
        wf_exchange_destroy(&allocator, &exchange);
        wf_cholesky_destroy(&allocator, &cholesky);
        CHECK(memory.out == 0);
    }
    CHECK(result == WEFT_OK && n > 10);
    close_twins(&t);
}

TEST_MAIN(CASE(grids), CASE(irregular_meshes), CASE(several_components), CASE(nothing_differs),
          CASE(everything_differs), CASE(no_rows_at_all), CASE(any_order), CASE(graphs_at_random),
          CASE(parts_of_a_clique), CASE(panels), CASE(factored_in_pieces), CASE(not_positive),
          CASE(one_matrix_alone), CASE(sizes_out_of_range), CASE(any_number_of_threads),
          CASE(one_row_exchanged), CASE(many_rows_exchanged), CASE(exchange_of_one_matrix),
          CASE(nth_allocation_fails))

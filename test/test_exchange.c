// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards sparse/exchange.c: rows fixed and freed through the exchange are as in a factor that was
// made with them, whatever rows they are, and whatever was exchanged before.

#include "sparse/exchange.h"

#include "sparse_test.h"

// A factor with some rows fixed, and the exchange over it.
typedef struct Exchanged {
    WfPattern pattern;
    double* values;
    unsigned char* was;  // fixed when it was factored
    unsigned char* now;
    TestSystem s;
    WfExchange exchange;
} Exchanged;

static void factor_exchanged(Exchanged* t) { CHECK(factor_system(&t->s, t->values, t->was) == -1); }

// Takes over the pattern; nothing is fixed.
static void open_exchanged(Exchanged* t, WfPattern pattern, double beta) {
    WeftAllocator allocator = wf_allocator(NULL);
    t->pattern = pattern;
    t->values = cloth_values(&t->pattern, beta);
    t->was = calloc((size_t)pattern.n + 1, 1);
    t->now = calloc((size_t)pattern.n + 1, 1);
    t->s = system_of(&t->pattern);
    CHECK(wf_exchange_create(&allocator, &t->s.cholesky, &t->exchange) == WEFT_OK);
    factor_exchanged(t);
}

static void close_exchanged(Exchanged* t) {
    WeftAllocator allocator = wf_allocator(NULL);
    wf_exchange_destroy(&allocator, &t->exchange);
    CHECK(t->exchange.values == NULL && t->exchange.count == 0);
    release_system(&t->s);
    free(t->values);
    free(t->was);
    free(t->now);
    wf_pattern_destroy(&allocator, &t->pattern);
}

static bool set_exchange(Exchanged* t, bool forget) {
    WfSolve solve = solve_of(&t->s);
    WfCholeskyInput input = {.values = t->values, .fixed = t->was};
    return wf_exchange_set(&t->exchange, &solve, &input, t->now, forget);
}

static void solve_exchanged(const Exchanged* t, const WfExchange* exchange, const double* b,
                            double* x) {
    WfSolve solve = solve_of(&t->s);
    double solution[WF_MAX_COLUMNS][3], scale = wf_solve_load(&solve, b);
    wf_solve_forward(&solve);
    wf_exchange_apply(exchange, &solve, solution);
    wf_solve_backward(&solve);
    wf_exchange_finish(exchange, &solve, solution);
    wf_solve_store(&solve, scale, x);
}

// x <- x + A^-1 (b - A x) through the exchange; returns the residual left.
static double refine_exchanged(const Exchanged* t, int times, const double* b, double* x) {
    int n = t->pattern.n;
    double *r = random_sides(n), left = residual_of(&t->pattern, t->values, t->now, b, x, r);
    for (int k = 0; k < times; k++) {
        solve_exchanged(t, &t->exchange, r, r);
        for (int i = 0; i < 3 * n; i++) x[i] += r[i];
        left = residual_of(&t->pattern, t->values, t->now, b, x, r);
    }
    free(r);
    return left;
}

// What the exchange solves, against a factor of the rows as they are now.
static void check_exchange(Exchanged* t) {
    int n = t->pattern.n, before = test_failures, count = 0;
    TestSystem fresh = system_of(&t->pattern);
    double *b = random_sides(n), *x = random_sides(n), *expected = random_sides(n);
    for (int i = 0; i < 3 * n; i++) b[i] = t->now[i / 3] ? 0 : b[i];
    for (int i = 0; i < n; i++) count += t->was[i] != t->now[i];
    CHECK(t->exchange.count == count);
    CHECK(factor_system(&fresh, t->values, t->now) == -1);
    solve_system(&fresh, b, expected);
    solve_exchanged(t, &t->exchange, b, x);
    CHECK_BELOW(difference_of(n, x, expected), 1e-5);
    refine(&fresh, t->values, t->now, 4, b, expected);
    CHECK_BELOW(refine_exchanged(t, 4, b, x), 1e-11);
    CHECK_BELOW(difference_of(n, x, expected), 1e-11);
    for (int i = 0; i < 3 * n; i++)
        if (t->now[i / 3]) CHECK(x[i] == 0);
    // what pulls at a row that was fixed since goes nowhere
    for (int i = 0; i < 3 * n; i++)
        if (t->now[i / 3] && !t->was[i / 3]) b[i] = random_unit();
    solve_exchanged(t, &t->exchange, b, x);
    CHECK_BELOW(difference_of(n, x, expected), 1e-5);
    for (int i = 0; i < n; i++)
        if (t->now[i] && !t->was[i]) CHECK(x[3 * i] == 0 && x[3 * i + 1] == 0 && x[3 * i + 2] == 0);
    if (test_failures != before) printf("... %d of %d rows exchanged\n", count, n);
    free(b);
    free(x);
    free(expected);
    release_system(&fresh);
}

static void copy_rows(const Exchanged* t, unsigned char* to, const unsigned char* from) {
    memcpy(to, from, (size_t)t->pattern.n);
}

// ---------------------------------------------------------------------------------------------
// Ties

// r = b - (A + ties) x on free rows; its size over that of b
static double tied_residual(const Exchanged* t, const WfExchangeTie* ties,
                            const WfTieStiffness* stiffness, int count, const double* b,
                            const double* x, double* r) {
    int n = t->pattern.n;
    double left = 0, size = 0;
    residual_of(&t->pattern, t->values, t->now, b, x, r);
    for (int k = 0; k < count; k++) {
        const double* along_n = stiffness[k].direction;
        double point[3] = {0}, along = 0;
        for (int v = 0; v < ties[k].count; v++)
            for (int d = 0; d < 3; d++) point[d] += ties[k].weights[v] * x[3 * ties[k].rows[v] + d];
        for (int d = 0; d < 3; d++) along += along_n[d] * point[d];
        for (int v = 0; v < ties[k].count; v++)
            for (int d = 0; d < 3; d++)
                r[3 * ties[k].rows[v] + d] -=
                    ties[k].weights[v] *
                    (stiffness[k].all * point[d] + stiffness[k].along * along * along_n[d]);
    }
    for (int i = 0; i < 3 * n; i++) {
        if (t->now[i / 3]) r[i] = 0;
        left += r[i] * r[i];
        size += b[i] * b[i];
    }
    return sqrt(left / size);
}

// Ties of one to six rows, two of three with a direction, beside rows that were fixed and freed:
// the exchange solves A + K w w^T, so well that four corrections of its result leave nothing.
static void ties_beside_rows(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    enum { N = 12 * 11, TIES = 20 };
    Exchanged t;
    open_exchanged(&t, grid_pattern(12, 11, GRID_TWELVE, NULL), 10);
    for (int i = 0; i < N; i++) {
        t.was[i] = i % 17 == 3;
        t.now[i] = t.was[i] ? i % 2 : i % 23 == 7;
    }
    factor_exchanged(&t);
    CHECK(set_exchange(&t, true) && t.exchange.count > 4);
    WfExchangeTie ties[TIES] = {0};
    WfTieStiffness stiffness[TIES] = {0};
    for (int k = 0; k < TIES; k++) {
        ties[k].count = 1 + k % WF_TIED_ROWS;
        for (int v = 0; v < ties[k].count; v++) {
            ties[k].rows[v] = (13 * k + 29 * v) % N;
            ties[k].weights[v] = random_unit();
        }
        stiffness[k].all = k % 3 == 2 ? 1e-30 : pow(10, k % 7 - 2);
        if (k % 3 == 0) continue;
        double size = 0;
        for (int d = 0; d < 3; d++) stiffness[k].direction[d] = random_unit();
        for (int d = 0; d < 3; d++) size += pow(stiffness[k].direction[d], 2);
        for (int d = 0; d < 3; d++) stiffness[k].direction[d] /= sqrt(size);
        stiffness[k].along = pow(10, k % 5 - 1);
    }
    WfSolve solve = solve_of(&t.s);
    WfCholeskyInput input = {.values = t.values, .fixed = t.was};
    double *b = random_sides(N), *x = random_sides(N), *r = random_sides(N), *c = random_sides(N);
    for (int i = 0; i < 3 * N; i++) b[i] = t.now[i / 3] ? 0 : b[i];
    // few, all, fewer, none; the memory grows and is used again
    static const int counts[] = {3, TIES, 5, 0};
    for (int round = 0; round < 4; round++) {
        int count = counts[round];
        CHECK(wf_exchange_tie(&t.exchange, &allocator, &solve, &input, count, ties) == WEFT_OK);
        wf_exchange_stiffen(&t.exchange, &solve, stiffness);
        solve_exchanged(&t, &t.exchange, b, x);
        CHECK_BELOW(tied_residual(&t, ties, stiffness, count, b, x, r), 1e-2);
        for (int pass = 0; pass < 5; pass++) {
            solve_exchanged(&t, &t.exchange, r, c);
            for (int i = 0; i < 3 * N; i++) x[i] += c[i];
            tied_residual(&t, ties, stiffness, count, b, x, r);
        }
        CHECK_BELOW(tied_residual(&t, ties, stiffness, count, b, x, r), 1e-11);
    }
    // without ties it is as if there had never been any
    solve_exchanged(&t, &t.exchange, b, x);
    CHECK(set_exchange(&t, true));
    solve_exchanged(&t, &t.exchange, b, c);
    CHECK(memcmp(x, c, 3 * N * sizeof *x) == 0);
    free(b);
    free(x);
    free(r);
    free(c);
    close_exchanged(&t);
}

// ---------------------------------------------------------------------------------------------
// Which rows

static void nothing_changed(void) {
    Exchanged t;
    open_exchanged(&t, grid_pattern(9, 8, GRID_TWELVE, NULL), 10);
    double *b = random_sides(72), *x = random_sides(72), *y = random_sides(72);
    for (int fixes = 0; fixes < 2; fixes++) {
        for (int i = 0; i < 72; i++) t.was[i] = t.now[i] = fixes && i % 5 == 0;
        factor_exchanged(&t);
        CHECK(set_exchange(&t, true) && t.exchange.count == 0);
        solve_system(&t.s, b, x);
        solve_exchanged(&t, &t.exchange, b, y);
        CHECK(memcmp(x, y, 3 * 72 * sizeof *x) == 0);
    }
    free(b);
    free(x);
    free(y);
    close_exchanged(&t);
}

// Each row in turn, fixed and freed.
static void one_row(void) {
    Exchanged t;
    open_exchanged(&t, grid_pattern(9, 8, GRID_TWELVE, NULL), 10);
    for (int freed = 0; freed < 2; freed++)
        for (int i = 0; i < 72; i++) {
            for (int k = 0; k < 72; k++) t.was[k] = k % 7 == 3 || (freed && k == i);
            copy_rows(&t, t.now, t.was);
            t.now[i] = !t.was[i];
            factor_exchanged(&t);
            CHECK(set_exchange(&t, true));
            check_exchange(&t);
        }
    close_exchanged(&t);
}

// As if `fixed` had been NULL when it was factored.
static void fixed_where_none_was(void) {
    Exchanged t;
    open_exchanged(&t, grid_pattern(9, 8, GRID_TWELVE, NULL), 10);
    WfSolve solve = solve_of(&t.s);
    WfCholeskyInput input = {.values = t.values};
    for (int i = 0; i < 72; i++) t.now[i] = i % 3 == 0;
    CHECK(factor_system(&t.s, t.values, NULL) == -1);
    CHECK(wf_exchange_set(&t.exchange, &solve, &input, t.now, true));
    check_exchange(&t);
    close_exchanged(&t);
}

// Any byte but zero means fixed.
static void any_byte_is_fixed(void) {
    Exchanged t;
    open_exchanged(&t, grid_pattern(9, 8, GRID_TWELVE, NULL), 10);
    for (int i = 0; i < 72; i += 3) t.was[i] = 1;
    factor_exchanged(&t);
    for (int i = 0; i < 72; i++) t.now[i] = t.was[i] ? 0x80 : 0;
    CHECK(set_exchange(&t, true) && t.exchange.count == 0);
    close_exchanged(&t);
}

static void many_rows_at_random(void) {
    Exchanged t;
    open_exchanged(&t, grid_pattern(20, 18, GRID_TWELVE, NULL), 10);
    for (int count = 2; count <= WF_MAX_EXCHANGED; count += count < 10 ? 1 : 9)
        for (int kind = 0; kind < 3; kind++) {  // fixed, freed, both
            for (int i = 0; i < t.pattern.n; i++) t.was[i] = random_below(3) == 0;
            copy_rows(&t, t.now, t.was);
            for (int left = count; left > 0;) {
                int i = random_below(t.pattern.n);
                if (t.now[i] != t.was[i] || (kind < 2 && t.was[i] != kind)) continue;
                t.now[i] = !t.was[i];
                left--;
            }
            factor_exchanged(&t);
            CHECK(set_exchange(&t, true));
            check_exchange(&t);
        }
    close_exchanged(&t);
}

// Patches of neighbours: fixed, freed, and a board of both.
static void neighbours(void) {
    enum { W = 24, H = 20 };
    Exchanged t;
    open_exchanged(&t, grid_pattern(W, H, GRID_TWELVE, NULL), 10);
    for (int side = 2; side <= 8; side++)
        for (int kind = 0; kind < 3; kind++) {
            memset(t.was, 0, W * H);
            for (int i = 0; i < W; i++) t.was[i] = 1;
            int corner = (2 + side) * W + 7 - side / 2;
            for (int k = 0; k < side * side; k++) {
                int i = corner + k / side * W + k % side;
                t.was[i] = kind == 1 || (kind == 2 && (k / side + k % side) % 2);
            }
            copy_rows(&t, t.now, t.was);
            for (int k = 0; k < side * side; k++) {
                int i = corner + k / side * W + k % side;
                t.now[i] = !t.was[i];
            }
            factor_exchanged(&t);
            CHECK(set_exchange(&t, true));
            check_exchange(&t);
        }
    close_exchanged(&t);
}

// A few rows of every subtree, and of the top.
static void rows_of_different_subtrees(void) {
    Exchanged t;
    open_exchanged(&t, grid_pattern(LARGE_W, LARGE_H, GRID_TWELVE, NULL), 10);
    const WfSupernodes* nodes = &t.s.cholesky.nodes;
    CHECK(nodes->subtree_count > 3);
    for (int freed = 0; freed < 2; freed++) {
        for (int i = 0; i < t.pattern.n; i++) t.was[i] = i % LARGE_W == 0;
        int changed = 0, rows[WF_MAX_EXCHANGED];
        for (int k = 0; k < nodes->subtree_count && changed < WF_MAX_EXCHANGED / 4; k++)
            rows[changed++] = nodes->order[nodes->first[nodes->subtrees[k].begin]];
        rows[changed++] = nodes->order[nodes->n - 1];
        for (int k = 0; k < changed; k++) t.was[rows[k]] = (unsigned char)freed;
        copy_rows(&t, t.now, t.was);
        for (int k = 0; k < changed; k++) t.now[rows[k]] = !freed;
        factor_exchanged(&t);
        CHECK(set_exchange(&t, true));
        check_exchange(&t);
    }
    close_exchanged(&t);
}

// All rows of one of several pieces of cloth, fixed and freed.
static void whole_components(void) {
    static const int pairs[] = {0, 5, 5, 3, 3, 8, 1, 2, 2, 6, 6, 1, 9, 10, 9, 11, 9, 12, 9, 13};
    static const int components[][4] = {{0, 5, 3, 8}, {1, 2, 6, 6}, {4, 4, 4, 4}, {9, 10, 11, 12}};
    Exchanged t;
    open_exchanged(&t, pattern_of(15, 10, pairs), 10);
    for (int c = 0; c < 4; c++)
        for (int freed = 0; freed < 2; freed++) {
            memset(t.was, 0, 15);
            for (int k = 0; k < 4; k++) t.was[components[c][k]] = (unsigned char)freed;
            copy_rows(&t, t.now, t.was);
            for (int k = 0; k < 4; k++) t.now[components[c][k]] = !freed;
            factor_exchanged(&t);
            CHECK(set_exchange(&t, true));
            check_exchange(&t);
        }
    // everything there is
    for (int freed = 0; freed < 2; freed++) {
        memset(t.was, freed, 15);
        memset(t.now, !freed, 15);
        factor_exchanged(&t);
        CHECK(set_exchange(&t, true));
        check_exchange(&t);
    }
    close_exchanged(&t);
}

static void graphs_at_random(void) {
    for (int trial = 0; trial < 60; trial++) {
        int n = 1 + random_below(60);
        Exchanged t;
        open_exchanged(&t, scattered_pattern(n, random_below(2 * n + 1)), 10);
        for (int i = 0; i < n; i++) {
            t.was[i] = random_below(2) == 0;
            t.now[i] = random_below(2) == 0;
        }
        factor_exchanged(&t);
        CHECK(set_exchange(&t, true));
        check_exchange(&t);
        close_exchanged(&t);
    }
}

// As stiff as cloth is: floats leave more, refinement takes it away.
static void stiff(void) {
    Exchanged t;
    open_exchanged(&t, grid_pattern(30, 25, GRID_TWELVE, NULL), 16000);
    int n = t.pattern.n;
    double *b = random_sides(n), *x = random_sides(n);
    for (int trial = 0; trial < 10; trial++) {
        for (int i = 0; i < n; i++) t.was[i] = i < 2 || random_below(30) == 0;
        copy_rows(&t, t.now, t.was);
        for (int k = 0; k < 20; k++) {
            int i = random_below(n);
            t.now[i] = !t.now[i];
        }
        for (int i = 0; i < 3 * n; i++) b[i] = t.now[i / 3] ? 0 : random_unit();
        factor_exchanged(&t);
        CHECK(set_exchange(&t, true));
        solve_exchanged(&t, &t.exchange, b, x);
        CHECK_BELOW(refine_exchanged(&t, 0, b, x), 0.1);
        CHECK_BELOW(refine_exchanged(&t, 4, b, x), 1e-11);
    }
    free(b);
    free(x);
    close_exchanged(&t);
}

// ---------------------------------------------------------------------------------------------
// Again and again

// Rows come and go; columns that stay are kept, and it is as if none had been. So many
// rows of eight are fixed at first.
static void check_kept_columns(int fixed_of_eight) {
    enum { N = 20 * 18 };
    WeftAllocator allocator = wf_allocator(NULL);
    Exchanged t;
    open_exchanged(&t, grid_pattern(20, 18, GRID_TWELVE, NULL), 10);
    for (int i = 0; i < N; i++) t.was[i] = random_below(8) < fixed_of_eight;
    copy_rows(&t, t.now, t.was);
    factor_exchanged(&t);
    WfExchange kept = t.exchange, fresh;
    CHECK(wf_exchange_create(&allocator, &t.s.cholesky, &fresh) == WEFT_OK);
    double *b = random_sides(N), *x = random_sides(N), *y = random_sides(N);
    int differing = 0, different = 0, most = 0;
    for (int round = 0; round < 300; round++) {
        // now and then many go at once, or nothing changes
        for (int k = round % 10 == 9 ? 0 : random_below(8); k > 0; k--) {
            int i = random_below(N);
            if (t.now[i] == t.was[i] && differing == WF_MAX_EXCHANGED) continue;
            differing += t.now[i] == t.was[i] ? 1 : -1;
            t.now[i] = !t.now[i];
        }
        for (int i = 0; i < N && round % 50 == 49; i++)
            if (t.now[i] != t.was[i] && random_below(4)) t.now[i] = t.was[i], differing--;
        t.exchange = kept;
        CHECK(set_exchange(&t, false));
        kept = t.exchange;
        CHECK(kept.count == differing);
        most = differing > most ? differing : most;
        t.exchange = fresh;
        CHECK(set_exchange(&t, true));
        fresh = t.exchange;
        solve_exchanged(&t, &kept, b, x);
        solve_exchanged(&t, &fresh, b, y);
        different += memcmp(x, y, 3 * N * sizeof *x) != 0;
    }
    CHECK(different == 0);
    CHECK(most > WF_MAX_EXCHANGED / 2);  // there was something to keep
    t.exchange = kept;
    wf_exchange_destroy(&allocator, &fresh);
    free(b);
    free(x);
    free(y);
    close_exchanged(&t);
}

static void kept_columns_are_as_new(void) {
    check_kept_columns(0);
    check_kept_columns(2);
    check_kept_columns(7);  // freed rows without a free neighbour: columns of nothing
}

// The shortest way to lose a kept column: one comes before one that is there, then both stay.
static void a_row_before_one_that_is_kept(void) {
    Exchanged t;
    open_exchanged(&t, grid_pattern(9, 8, GRID_TWELVE, NULL), 10);
    t.now[50] = 1;
    CHECK(set_exchange(&t, true));
    t.now[20] = 1;
    CHECK(set_exchange(&t, false));
    check_exchange(&t);
    CHECK(set_exchange(&t, false));
    check_exchange(&t);
    t.now[60] = 1;
    CHECK(set_exchange(&t, false));
    check_exchange(&t);
    close_exchanged(&t);
}

// A new factor: nothing of the columns for the old one may stay.
static void forgets(void) {
    Exchanged t;
    open_exchanged(&t, grid_pattern(9, 8, GRID_TWELVE, NULL), 10);
    for (int i = 0; i < 72; i += 5) t.now[i] = 1;
    CHECK(set_exchange(&t, true));
    check_exchange(&t);
    for (int e = 0; e < t.pattern.start[72]; e++) t.values[e] *= 3;
    factor_exchanged(&t);
    CHECK(set_exchange(&t, true));
    check_exchange(&t);
    for (int i = 0; i < 72; i += 5) t.was[i] = 1, t.now[i] = 0;  // from fixed to freed
    factor_exchanged(&t);
    CHECK(set_exchange(&t, true));
    check_exchange(&t);
    close_exchanged(&t);
}

static void too_many_rows(void) {
    enum { N = 20 * 18 };
    Exchanged t;
    open_exchanged(&t, grid_pattern(20, 18, GRID_TWELVE, NULL), 10);
    for (int i = 0; i < WF_MAX_EXCHANGED; i++) t.now[5 * i] = 1;
    CHECK(set_exchange(&t, true));
    check_exchange(&t);
    for (int extra = 1; extra < 10; extra += 4) {
        for (int i = 0; i < extra; i++) t.now[5 * i + 1] = 1;
        CHECK(!set_exchange(&t, false));
        CHECK(!set_exchange(&t, true));
        for (int i = 0; i < extra; i++) t.now[5 * i + 1] = 0;
        CHECK(set_exchange(&t, false));  // as before
        check_exchange(&t);
    }
    memset(t.now, 1, N);
    CHECK(!set_exchange(&t, false));
    close_exchanged(&t);
}

// Freed rows whose neighbours stand all over the tree have long ways: there may be no room for the
// largest number of them. It says so, and is of use again with fewer.
static void no_room_for_long_ways(void) {
    enum { N = 600 };
    Exchanged t;
    // hubs that are joined to rows far apart, in many small pieces
    int pairs[2 * (WF_MAX_EXCHANGED * 40 + N)], count = 0;
    for (int i = WF_MAX_EXCHANGED; i + 1 < N; i++)
        if (i % 8) pairs[2 * count] = i, pairs[2 * count++ + 1] = i + 1;
    for (int h = 0; h < WF_MAX_EXCHANGED; h++)
        for (int k = 0; k < 40; k++) {
            pairs[2 * count] = h;
            pairs[2 * count++ + 1] = WF_MAX_EXCHANGED + random_below(N - WF_MAX_EXCHANGED);
        }
    open_exchanged(&t, pattern_of(N, count, pairs), 10);
    for (int h = 0; h < WF_MAX_EXCHANGED; h++) t.was[h] = 1;
    copy_rows(&t, t.now, t.was);
    factor_exchanged(&t);
    int refused = 0;
    for (int h = 0; h < WF_MAX_EXCHANGED; h++) {
        t.now[h] = 0;
        if (set_exchange(&t, h % 2))
            check_exchange(&t);
        else
            refused++;
    }
    for (int h = 1; h < WF_MAX_EXCHANGED; h++) t.now[h] = 1;
    CHECK(set_exchange(&t, false));
    check_exchange(&t);
    // fixed ones have the longest way at most, and there is always room for them
    memset(t.was, 0, N);
    memset(t.now, 0, N);
    for (int h = 0; h < WF_MAX_EXCHANGED; h++) t.now[h * 9] = 1;
    factor_exchanged(&t);
    CHECK(set_exchange(&t, true));
    check_exchange(&t);
    CHECK(refused < WF_MAX_EXCHANGED);
    close_exchanged(&t);
}

static void no_rows_at_all(void) {
    Exchanged t;
    open_exchanged(&t, pattern_of(0, 0, NULL), 1);
    CHECK(set_exchange(&t, true) && t.exchange.count == 0);
    solve_exchanged(&t, &t.exchange, t.values, t.values);
    close_exchanged(&t);
}

static void nth_allocation_fails(void) {
    WfPattern pattern = grid_pattern(4, 5, GRID_SIX, NULL);
    TestSystem s = system_of(&pattern);
    WeftResult result = WEFT_ERROR_MEMORY;
    int n = 0;
    for (; result && n < 100; n++) {
        TestMemory memory = {.left = n};
        WeftAllocator allocator = test_allocator(&memory);
        WfExchange exchange;
        result = wf_exchange_create(&allocator, &s.cholesky, &exchange);
        CHECK(result == WEFT_OK || (result == WEFT_ERROR_MEMORY && memory.out == 0));
        CHECK(!result || (exchange.values == NULL && exchange.matrix == NULL));
        wf_exchange_destroy(&allocator, &exchange);
        CHECK(memory.out == 0);
    }
    CHECK(result == WEFT_OK && n > 4);
    WeftAllocator allocator = wf_allocator(NULL);
    release_system(&s);
    wf_pattern_destroy(&allocator, &pattern);
}

TEST_MAIN(CASE(ties_beside_rows), CASE(nothing_changed), CASE(one_row), CASE(fixed_where_none_was),
          CASE(any_byte_is_fixed), CASE(many_rows_at_random), CASE(neighbours),
          CASE(rows_of_different_subtrees), CASE(whole_components), CASE(graphs_at_random),
          CASE(stiff), CASE(kept_columns_are_as_new), CASE(a_row_before_one_that_is_kept),
          CASE(forgets), CASE(too_many_rows), CASE(no_room_for_long_ways), CASE(no_rows_at_all),
          CASE(nth_allocation_fails))

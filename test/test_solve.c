// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards sparse/solve.c and its kernels: solutions are those of a dense matrix up to floats, and up
// to doubles once refined, at any scale, by any number of threads; the forward pass over marked
// nodes is that over all.

#include "sparse/solve.h"

#include "sparse_test.h"

// Both kernels, or the same twice where the machine has one.
static const WfSolveKernel* kernel_of(int k) { return k == 0 ? &wf_solve_plain : wf_solve_fused(); }

// ---------------------------------------------------------------------------------------------
// Against a dense matrix

// Four lanes and eight give the same bits, where the machine has both.
static void check_lanes(TestSystem* s, const double* b) {
    const WfSolveKernel* kernels[2][2] = {{&wf_solve_plain_narrow, wf_solve_plain_wide()},
                                          {wf_solve_fused_narrow(), wf_solve_fused_wide()}};
    int n = s->pattern->n;
    double *x = random_sides(n), *y = random_sides(n);
    for (int k = 0; k < 2; k++) {
        if (!kernels[k][0] || !kernels[k][1]) continue;
        s->kernel = kernels[k][0];
        solve_system(s, b, x);
        s->kernel = kernels[k][1];
        solve_system(s, b, y);
        CHECK(memcmp(x, y, 3 * (size_t)n * sizeof *x) == 0);
    }
    free(x);
    free(y);
}

// A soft system, by both kernels; destroys the pattern.
static void check_solve(WfPattern pattern, const unsigned char* fixed) {
    WeftAllocator allocator = wf_allocator(NULL);
    int n = pattern.n;
    TestSystem s = system_of(&pattern);
    double *values = cloth_values(&pattern, 4), *b = random_sides(n), *x = random_sides(n);
    double *expected = random_sides(n), *r = random_sides(n);
    dense_solve(&pattern, values, fixed, b, expected);
    CHECK(factor_system(&s, values, fixed) == -1);
    for (int k = 0; k < 2; k++) {
        s.kernel = kernel_of(k);
        memset(s.slots, 0xff, wf_solve_scratch_count(&s.cholesky) * sizeof(float));  // NaN
        solve_system(&s, b, x);
        CHECK_BELOW(residual_of(&pattern, values, fixed, b, x, r), 1e-5);
        CHECK_BELOW(difference_of(n, x, expected), 1e-5);
        CHECK_BELOW(refine(&s, values, fixed, 3, b, x), 1e-12);
        CHECK_BELOW(difference_of(n, x, expected), 1e-12);
    }
    check_lanes(&s, b);
    free(values);
    free(b);
    free(x);
    free(expected);
    free(r);
    release_system(&s);
    wf_pattern_destroy(&allocator, &pattern);
}

static void no_row(void) { check_solve(pattern_of(0, 0, NULL), NULL); }

static void one_row(void) { check_solve(pattern_of(1, 0, NULL), NULL); }

static void no_pair(void) { check_solve(pattern_of(9, 0, NULL), NULL); }

static void two_rows(void) { check_solve(pattern_of(2, 1, (int[]){0, 1}), NULL); }

static void several_components(void) {
    check_solve(pattern_of(11, 4, (int[]){0, 7, 3, 4, 9, 10, 4, 8}), NULL);
}

static void all_widths(void) {
    for (int width = 1; width <= 40; width++)
        for (int height = 0; height <= 40; height += height < 9 ? 1 : 7)
            check_solve(blocks_pattern(width, height), NULL);
}

static void graphs_at_random(void) {
    for (int n = 1; n <= 60; n++)
        for (int trial = 0; trial < 3; trial++)
            check_solve(scattered_pattern(n, random_below(3 * n + 1)), NULL);
}

static void grids(void) {
    check_solve(grid_pattern(3, 3, GRID_FOUR, NULL), NULL);
    check_solve(grid_pattern(13, 9, GRID_SIX, NULL), NULL);
    check_solve(grid_pattern(15, 14, GRID_TWELVE, NULL), NULL);
}

static void fixed_rows(void) {
    unsigned char fixed[150];
    for (int trial = 0; trial <= 12; trial++) {
        for (int i = 0; i < 150; i++) fixed[i] = random_below(12) < trial;
        check_solve(grid_pattern(15, 10, GRID_TWELVE, NULL), fixed);
    }
}

// Each pass for itself: y = L^-1 b, then x = L^-T y, in the order of elimination.
static void the_two_passes(void) {
    enum { N = 13 * 11 };
    WeftAllocator allocator = wf_allocator(NULL);
    WfPattern pattern = grid_pattern(13, 11, GRID_TWELVE, NULL);
    TestSystem s = system_of(&pattern);
    const WfSupernodes* nodes = &s.cholesky.nodes;
    double *values = cloth_values(&pattern, 4), *b = random_sides(N), x[3 * N], y[3 * N];
    CHECK(factor_system(&s, values, NULL) == -1);
    // L L^T by rows, in the order of elimination
    double* L = calloc(N * N, sizeof *L);
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) {
            int e = wf_pattern_find(&pattern, nodes->order[i], nodes->order[j]);
            double sum = e < 0 ? 0 : values[e];
            for (int k = 0; k < j; k++) sum -= L[i * N + k] * L[j * N + k];
            L[i * N + j] = i == j ? sqrt(sum) : sum / L[j * N + j];
        }
    WfSolve solve = solve_of(&s);
    double scale = wf_solve_load(&solve, b);
    wf_solve_forward(&solve);
    wf_solve_store(&solve, scale, y);
    wf_solve_backward(&solve);
    wf_solve_store(&solve, scale, x);
    for (int d = 0; d < 3; d++)
        for (int i = 0; i < N; i++) {
            double forward = 0, backward = 0;
            for (int k = 0; k <= i; k++) forward += L[i * N + k] * y[3 * nodes->order[k] + d];
            for (int k = i; k < N; k++) backward += L[k * N + i] * x[3 * nodes->order[k] + d];
            CHECK_NEAR(forward, b[3 * nodes->order[i] + d], 2e-5);
            CHECK_NEAR(backward, y[3 * nodes->order[i] + d], 2e-5);
        }
    free(L);
    free(values);
    free(b);
    release_system(&s);
    wf_pattern_destroy(&allocator, &pattern);
}

// ---------------------------------------------------------------------------------------------
// Stiff, large

// Rounding x alone leaves a residual of 1e-16 |A| |x|, and |x| is about |b| where masses are 1:
// that is 1e-16 beta times the number of neighbours in double, 1e-7 beta of them in float.
static void check_stiff(int w, int h, int steps, double beta) {
    WeftAllocator allocator = wf_allocator(NULL);
    int* names = random_names(w * h);
    WfPattern pattern = grid_pattern(w, h, steps, names);
    TestSystem s = system_of(&pattern);
    double* values = cloth_values(&pattern, beta);
    double *b = random_sides(w * h), *x = random_sides(w * h), *r = random_sides(w * h);
    CHECK(factor_system(&s, values, NULL) == -1);
    for (int k = 0; k < 2; k++) {
        s.kernel = kernel_of(k);
        solve_system(&s, b, x);
        CHECK_BELOW(residual_of(&pattern, values, NULL, b, x, r), 1e-6 + 1e-6 * beta);
        CHECK_BELOW(refine(&s, values, NULL, 4, b, x), beta <= 1e3 ? 1e-12 : 1e-15 * beta);
    }
    free(names);
    free(values);
    free(b);
    free(x);
    free(r);
    release_system(&s);
    wf_pattern_destroy(&allocator, &pattern);
}

static void grids_from_soft_to_stiff(void) {
    static const int size[][2] = {{3, 3}, {13, 13}, {33, 33}, {50, 21}};
    for (int k = 0; k < 4; k++)
        for (double beta = 1; beta <= 1e5; beta *= 10) {
            check_stiff(size[k][0], size[k][1], GRID_SIX, beta);
            check_stiff(size[k][0], size[k][1], GRID_TWELVE, beta);
        }
}

static void large_grids(void) {
    check_stiff(120, 110, GRID_TWELVE, 1e4);
    check_stiff(110, 120, GRID_FOUR, 10);
}

// ---------------------------------------------------------------------------------------------
// Right-hand sides

enum { SIDES_W = 19, SIDES_N = SIDES_W * SIDES_W };

// A factored grid with its values; free_sides frees it.
typedef struct Sides {
    WfPattern pattern;
    double *values, *b, *x, *y;
    TestSystem s;
} Sides;

static void make_sides(Sides* t) {
    t->pattern = grid_pattern(SIDES_W, SIDES_W, GRID_TWELVE, NULL);
    t->values = cloth_values(&t->pattern, 10);
    t->b = random_sides(SIDES_N);
    t->x = random_sides(SIDES_N);
    t->y = random_sides(SIDES_N);
    t->s = system_of(&t->pattern);
    CHECK(factor_system(&t->s, t->values, NULL) == -1);
}

static void free_sides(Sides* t) {
    WeftAllocator allocator = wf_allocator(NULL);
    free(t->values);
    free(t->b);
    free(t->x);
    free(t->y);
    release_system(&t->s);
    wf_pattern_destroy(&allocator, &t->pattern);
}

static bool same_solutions(const double* a, const double* b) {
    return memcmp(a, b, 3 * SIDES_N * sizeof *a) == 0;
}

static void b_may_be_x(void) {
    Sides t;
    make_sides(&t);
    solve_system(&t.s, t.b, t.x);
    memcpy(t.y, t.b, 3 * SIDES_N * sizeof *t.y);
    solve_system(&t.s, t.y, t.y);
    CHECK(same_solutions(t.x, t.y));
    free_sides(&t);
}

// The identity gives back what it is given, to the bit where that has no more digits than a float.
static void identity(void) {
    Sides t;
    make_sides(&t);
    for (int i = 0; i < SIDES_N; i++)
        for (int e = t.pattern.start[i]; e < t.pattern.start[i + 1]; e++)
            t.values[e] = t.pattern.index[e] == i;
    for (int i = 0; i < 3 * SIDES_N; i++) t.b[i] = (double)(float)t.b[i];
    CHECK(factor_system(&t.s, t.values, NULL) == -1);
    for (int k = 0; k < 2; k++) {
        t.s.kernel = kernel_of(k);
        solve_system(&t.s, t.b, t.x);
        CHECK(same_solutions(t.x, t.b));
    }
    // all rows fixed is the identity, too
    unsigned char fixed[SIDES_N];
    memset(fixed, 1, sizeof fixed);
    for (int e = 0; e < t.pattern.start[SIDES_N]; e++) t.values[e] = NAN;
    CHECK(factor_system(&t.s, t.values, fixed) == -1);
    solve_system(&t.s, t.b, t.x);
    CHECK(same_solutions(t.x, t.b));
    free_sides(&t);
}

// A power of two in b is one in x, and nothing else: as far as doubles reach.
static void any_scale(void) {
    Sides t;
    make_sides(&t);
    double *r = random_sides(SIDES_N), *b = random_sides(SIDES_N);
    solve_system(&t.s, t.b, t.x);
    for (int power = -900; power <= 900; power += 60) {
        for (int i = 0; i < 3 * SIDES_N; i++) b[i] = ldexp(t.b[i], power);
        solve_system(&t.s, b, t.y);
        for (int i = 0; i < 3 * SIDES_N; i++) t.y[i] = ldexp(t.y[i], -power);
        CHECK(same_solutions(t.x, t.y));
    }
    static const double scales[] = {1e-200, 1e200};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 3 * SIDES_N; i++) b[i] = scales[k] * t.b[i];
        solve_system(&t.s, b, t.y);
        for (int i = 0; i < 3 * SIDES_N; i++) t.y[i] /= scales[k];
        CHECK_BELOW(residual_of(&t.pattern, t.values, NULL, t.b, t.y, r), 1e-5);
    }
    free(r);
    free(b);
    free_sides(&t);
}

// The smallest and the largest doubles there are: a little is lost, nothing overflows on the way.
static void the_ends_of_the_scale(void) {
    static const double ends[] = {5e-324, 1e-310, 2e-308, 1e308, 1.7e308};
    Sides t;
    make_sides(&t);
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        for (int i = 0; i < 3 * SIDES_N; i++) t.b[i] = 0;
        t.b[100] = ends[k];
        solve_system(&t.s, t.b, t.x);
        bool good = true;
        for (int i = 0; i < 3 * SIDES_N; i++) good = good && isfinite(t.x[i]);
        double largest = 0;
        for (int i = 0; i < 3 * SIDES_N; i++) largest = fmax(largest, fabs(t.x[i]));
        good = good && largest <= ends[k];
        if (!CHECK(good && (largest > 0 || ends[k] < 1e-308))) printf("... %g\n", ends[k]);
    }
    free_sides(&t);
}

// Numbers of all sizes in one right-hand side: the small ones drown in the large ones' rounding, as
// floats have it, and none becomes anything else.
static void mixed_scales(void) {
    Sides t;
    make_sides(&t);
    double* r = random_sides(SIDES_N);
    for (int i = 0; i < 3 * SIDES_N; i++) t.b[i] *= pow(10, random_below(120) - 60);
    solve_system(&t.s, t.b, t.x);
    CHECK_BELOW(residual_of(&t.pattern, t.values, NULL, t.b, t.x, r), 1e-5);
    free(r);
    free_sides(&t);
}

static void all_zero(void) {
    Sides t;
    make_sides(&t);
    memset(t.b, 0, 3 * SIDES_N * sizeof *t.b);
    solve_system(&t.s, t.b, t.x);
    for (int i = 0; i < 3 * SIDES_N; i++) CHECK(t.x[i] == 0);
    free_sides(&t);
}

// Its own component shows it; the others are as they were.
static void not_a_number(void) {
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    Sides t;
    make_sides(&t);
    solve_system(&t.s, t.b, t.y);
    for (int k = 0; k < 3; k++)
        for (int trial = 0; trial < 20; trial++) {
            int place = random_below(3 * SIDES_N);
            double good = t.b[place];
            t.b[place] = bad[k];
            solve_system(&t.s, t.b, t.x);
            CHECK(!isfinite(t.x[place]));
            for (int i = 0; i < 3 * SIDES_N; i++)
                if (i % 3 != place % 3) CHECK_NEAR(t.x[i], t.y[i], 1e-5);
            t.b[place] = good;
        }
    solve_system(&t.s, t.b, t.x);  // and nothing of it is left
    CHECK(same_solutions(t.x, t.y));
    free_sides(&t);
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
    WeftAllocator allocator = wf_allocator(NULL);
    WfPattern pattern = grid_pattern(LARGE_W, LARGE_H, GRID_TWELVE, NULL);
    TestSystem s = system_of(&pattern);
    double *values = cloth_values(&pattern, 100), *b = random_sides(N);
    double *alone = random_sides(N), *x = random_sides(N);
    int used = 0;
    const WeftJobs runners[] = {{.thread_count = 1},
                                {.thread_count = 2},
                                {.thread_count = 8},
                                {.thread_count = WEFT_ALL_THREADS},
                                {.run = run_backwards, .user = &used}};
    CHECK(s.cholesky.nodes.subtree_count >= 16);  // fewer are not worth threads
    CHECK(factor_system(&s, values, NULL) == -1);
    for (int k = 0; k < 2; k++) {
        s.kernel = kernel_of(k);
        s.jobs = runners[0];
        solve_system(&s, b, alone);
        CHECK_BELOW(residual_of(&pattern, values, NULL, b, alone, x), 1e-4);
        for (size_t r = 0; r < sizeof runners / sizeof *runners; r++) {
            s.jobs = runners[r];
            memset(s.slots, 0xff, wf_solve_scratch_count(&s.cholesky) * sizeof(float));
            solve_system(&s, b, x);
            CHECK(memcmp(x, alone, 3 * N * sizeof *x) == 0);
        }
    }
    CHECK(used == 4);  // forward and backward, by two kernels
    free(values);
    free(b);
    free(alone);
    free(x);
    release_system(&s);
    wf_pattern_destroy(&allocator, &pattern);
}

// ---------------------------------------------------------------------------------------------
// Marked nodes

// A few rows of b are not zero: the nodes on their ways to the roots hold all of L^-1 b.
static void check_marked(const TestSystem* s, int row_count) {
    const WfSupernodes* nodes = &s->cholesky.nodes;
    size_t bytes = wf_solve_scratch_count(&s->cholesky) * sizeof(float);
    WfSolve all = solve_of(s), some = solve_of(s);
    unsigned char* marked = calloc((size_t)nodes->count + 1, 1);
    double* b = calloc(3 * (size_t)nodes->n + 1, sizeof(double));
    some.slots = malloc(bytes + 1);
    memset(some.slots, 0xff, bytes);  // what is not marked is neither read nor cleared
    for (int k = 0; k < row_count; k++) {
        int row = random_below(nodes->n);
        for (int d = 0; d < 3; d++) b[3 * row + d] = random_unit();
        for (int t = nodes->node[nodes->place[row]]; t >= 0; t = nodes->parent[t]) marked[t] = 1;
    }
    b[3 * random_below(nodes->n)] *= 2;
    double scale = wf_solve_load(&all, b);
    wf_solve_clear_marked(&some, marked);
    for (int i = 0; i < nodes->n; i++)
        if (marked[nodes->node[i]])
            for (int d = 0; d < 3; d++)
                some.slots[4 * nodes->slot[i] + d] = (float)(b[3 * nodes->order[i] + d] / scale);
    wf_solve_forward(&all);
    wf_solve_forward_marked(&some, marked);
    for (int i = 0; i < nodes->n; i++)
        for (int d = 0; d < 3; d++) {
            float full = all.slots[4 * nodes->slot[i] + d];
            CHECK(marked[nodes->node[i]] ? some.slots[4 * nodes->slot[i] + d] == full : full == 0);
        }
    free(some.slots);
    free(b);
    free(marked);
}

static void marked_nodes_alone(void) {
    static const int sizes[][2] = {
        {5, 4}, {20, 17}, {LARGE_W, LARGE_H}};  // the last one with subtrees
    WeftAllocator allocator = wf_allocator(NULL);
    for (int k = 0; k < 3; k++) {
        WfPattern pattern = grid_pattern(sizes[k][0], sizes[k][1], GRID_TWELVE, NULL);
        TestSystem s = system_of(&pattern);
        double* values = cloth_values(&pattern, 10);
        CHECK((s.cholesky.nodes.subtree_count > 1) == (k == 2));
        CHECK(factor_system(&s, values, NULL) == -1);
        for (int trial = 0; trial < 20; trial++) {
            s.kernel = kernel_of(trial % 2);
            check_marked(&s, trial);
        }
        free(values);
        release_system(&s);
        wf_pattern_destroy(&allocator, &pattern);
    }
}

TEST_MAIN(CASE(no_row), CASE(one_row), CASE(no_pair), CASE(two_rows), CASE(several_components),
          CASE(all_widths), CASE(graphs_at_random), CASE(grids), CASE(fixed_rows),
          CASE(the_two_passes), CASE(grids_from_soft_to_stiff), SLOW_CASE(large_grids),
          CASE(b_may_be_x), CASE(identity), CASE(any_scale), CASE(the_ends_of_the_scale),
          CASE(mixed_scales), CASE(all_zero), CASE(not_a_number), CASE(any_number_of_threads),
          CASE(marked_nodes_alone))

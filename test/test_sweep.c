// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards sparse/sweep.c: Gauss-Seidel in the order of the colours and Jacobi against the same
// sweeps in double, colours that keep joined chunks apart, and the same bits whoever runs them.

#include "sparse/sweep.h"

#include "energy_test.h"
#include "runners.h"

enum { CHUNK = 256 };  // rows that are swept by one thread, one after the other

// A d = b with all that sweeps take; `rows` has every entry once more, in double, row by row.
typedef struct Entry {
    int column;
    double block[9];
} Entry;

typedef struct Sample {
    int n;
    WfBlockPattern blocks;
    WfPattern linear;
    WfRowsPattern pattern;
    WfSweepOrder order;
    WfBlockMatrix matrix;
    double *scalars, *inverses;
    WfSweep sweep;
    WfArena arena;
    int* start;
    Entry* entries;  // off the diagonal
    double* b;
} Sample;

// Off-diagonal blocks of about 1, symmetric or not; scalars of about 1; a diagonal that outweighs
// them by `weight`.
typedef struct Kind {
    bool symmetric;
    double weight;
} Kind;

static void random_block(double* block, bool symmetric) {
    for (int k = 0; k < 9; k++) block[k] += random_unit();
    if (!symmetric) return;
    block[3] = block[1];
    block[6] = block[2];
    block[7] = block[5];
}

// Blocks that hold the scalars, then something of the nonlinear terms.
static void fill_matrix(Sample* s, Kind kind) {
    static const WeftJobs jobs = {.thread_count = 1};
    int n = s->n;
    for (int i = 0; i < n; i++)
        for (int e = s->linear.start[i]; e < s->linear.start[i + 1]; e++)
            s->scalars[e] = s->scalars[wf_pattern_find(&s->linear, s->linear.index[e], i)] =
                random_unit();
    wf_rows_start(&s->pattern, &jobs, s->scalars, &s->matrix);
    for (int e = 0; e < s->blocks.start[n]; e++)
        random_block(s->matrix.upper + 9 * (long)e, kind.symmetric);
    for (int i = 0; i < n; i++) {
        int count = s->pattern.block_start[i + 1] - s->pattern.block_start[i] +
                    s->pattern.scalar_start[i + 1] - s->pattern.scalar_start[i];
        const double d = 4 + kind.weight * 4 * count;
        const double block[6] = {d, random_unit(), random_unit(), d * 1.5, random_unit(), d * 2};
        for (int k = 0; k < 6; k++) s->matrix.diagonal[6 * i + k] += block[k];
        CHECK(wf_sym_invert(s->matrix.diagonal + 6 * (long)i, s->inverses + 6 * (long)i));
    }
}

static void add_entry(Sample* s, int* next, int row, int column, const double* block,
                      bool transposed) {
    Entry* entry = &s->entries[next[row]++];
    entry->column = column;
    for (int a = 0; a < 3; a++)
        for (int c = 0; c < 3; c++)
            entry->block[3 * a + c] = transposed ? block[3 * c + a] : block[3 * a + c];
}

// The entries by their definition: not from the rows pattern, which is under test, too.
static void list_entries(Sample* s) {
    int n = s->n, count = 2 * s->blocks.start[n] + s->linear.start[n];
    s->start = calloc((size_t)n + 2, sizeof(int));
    s->entries = malloc(((size_t)count + 1) * sizeof *s->entries);
    int* next = calloc((size_t)n + 1, sizeof(int));
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < n; i++) {
            for (int e = s->blocks.start[i]; e < s->blocks.start[i + 1]; e++) {
                int j = s->blocks.index[e];
                const double* block = s->matrix.upper + 9 * (long)e;
                if (pass) add_entry(s, next, i, j, block, false);
                if (pass) add_entry(s, next, j, i, block, true);
                if (!pass) s->start[i + 1]++, s->start[j + 1]++;
            }
            for (int e = s->linear.start[i]; e < s->linear.start[i + 1]; e++) {
                int j = s->linear.index[e];
                if (i == j || wf_block_find(&s->blocks, i < j ? i : j, i < j ? j : i) >= 0)
                    continue;
                double v = s->scalars[e];
                if (pass) add_entry(s, next, i, j, (double[9]){v, 0, 0, 0, v, 0, 0, 0, v}, false);
                if (!pass) s->start[i + 1]++;
            }
        }
        for (int i = 0; i < n && !pass; i++) s->start[i + 1] += s->start[i];
        for (int i = 0; i < n && !pass; i++) next[i] = s->start[i];
    }
    free(next);
}

static void open_sample(Sample* s, int n, int block_pairs, int linear_pairs, const int* pairs,
                        Kind kind) {
    static const WeftJobs alone = {.thread_count = 1};
    WeftAllocator allocator = wf_allocator(NULL);
    *s = (Sample){.n = n};
    CHECK(!wf_block_pattern_create(&allocator, n, block_pairs, pairs, &s->blocks));
    CHECK(!wf_pattern_create(&allocator, n, linear_pairs, pairs + 2 * block_pairs, &s->linear));
    CHECK(!wf_rows_create(&allocator, &s->blocks, &s->linear, &s->pattern));
    CHECK(!wf_sweep_create(&allocator, &s->pattern, &s->order));
    s->matrix =
        (WfBlockMatrix){&s->blocks, new_doubles(6L * n), new_doubles(9L * s->blocks.start[n])};
    s->scalars = new_doubles(s->linear.start[n]);
    s->inverses = new_doubles(6L * n);
    WfArena measure = {0};
    wf_sweep_layout(&s->pattern, &measure, &s->sweep);
    CHECK(wf_arena_create(&s->arena, &allocator, measure.used));
    wf_sweep_layout(&s->pattern, &s->arena, &s->sweep);
    s->sweep.order = &s->order;
    s->sweep.jobs = &alone;
    fill_matrix(s, kind);
    list_entries(s);
    s->b = random_sides(n);
}

static void fill(const Sample* s) {
    float* inverses = malloc(6 * (size_t)s->n * sizeof *inverses + 1);
    for (int i = 0; i < 6 * s->n; i++) inverses[i] = (float)s->inverses[i];
    wf_sweep_fill(&s->sweep, &s->matrix, s->scalars, inverses);
    free(inverses);
}

static void close_sample(Sample* s) {
    WeftAllocator allocator = wf_allocator(NULL);
    void* buffers[] = {s->matrix.diagonal, s->matrix.upper, s->scalars, s->inverses,
                       s->start,           s->entries,      s->b};
    for (int i = 0; i < 7; i++) free(buffers[i]);
    wf_arena_destroy(&s->arena, &allocator);
    wf_block_pattern_destroy(&allocator, &s->blocks);
    wf_pattern_destroy(&allocator, &s->linear);
    wf_rows_destroy(&allocator, &s->pattern);
    wf_sweep_destroy(&allocator, &s->order);
    CHECK(s->order.chunks == NULL && s->order.colour_start == NULL);
}

// ---------------------------------------------------------------------------------------------
// The same in double

// sum = b_i - sum_j A_ij d_j over all j but i
static WfVec row_sum(const Sample* s, int i, const double* d) {
    WfVec sum = wf_load(s->b, i);
    for (int e = s->start[i]; e < s->start[i + 1]; e++) {
        const double* B = s->entries[e].block;
        WfVec w = wf_load(d, s->entries[e].column);
        sum.x -= B[0] * w.x + B[1] * w.y + B[2] * w.z;
        sum.y -= B[3] * w.x + B[4] * w.y + B[5] * w.z;
        sum.z -= B[6] * w.x + B[7] * w.y + B[8] * w.z;
    }
    return sum;
}

static void sweep_in_place(const Sample* s, double* d) {
    for (int k = 0; k < s->order.colour_start[s->order.colour_count]; k++) {
        int first = s->order.chunks[k] * CHUNK;
        for (int i = first; i < first + CHUNK && i < s->n; i++)
            wf_store(d, i, wf_sym_mul(s->inverses + 6 * (long)i, row_sum(s, i, d)));
    }
}

static void sweep_at_once(const Sample* s, double* d) {
    double* old = new_doubles(3L * s->n);
    copy_doubles(old, d, 3L * s->n);
    for (int i = 0; i < s->n; i++)
        wf_store(d, i, wf_sym_mul(s->inverses + 6 * (long)i, row_sum(s, i, old)));
    free(old);
}

// largest |b - A d| on rows that are not held, over the largest b
static double residual(const Sample* s, const double* d) {
    double most = 0;
    for (int i = 0; i < s->n; i++) {
        if (s->inverses[6 * i] == 0) continue;
        WfVec r =
            wf_sub(row_sum(s, i, d), wf_sym_mul(s->matrix.diagonal + 6 * (long)i, wf_load(d, i)));
        most = fmax(most, wf_length(r));
    }
    return s->n > 0 ? most / largest(s->b, 3L * s->n) : 0;
}

// Hold every seventh row where it is: at zero.
static void hold_rows(Sample* s) {
    for (int i = 3; i < s->n; i += 7) memset(s->inverses + 6 * (long)i, 0, 6 * sizeof(double));
}

static void check_held(const Sample* s, const double* d) {
    for (int i = 0; i < s->n; i++)
        if (s->inverses[6 * i] == 0) CHECK(d[3 * i] == 0 && d[3 * i + 1] == 0 && d[3 * i + 2] == 0);
}

// Single sweeps from any start, both kinds, with and without rows held.
static void check_sweeps(int n, int block_pairs, int linear_pairs, const int* pairs, Kind kind) {
    Sample s;
    open_sample(&s, n, block_pairs, linear_pairs, pairs, kind);
    double *exact = new_doubles(3L * n), *d = new_doubles(3L * n);
    for (int held = 0; held < 2; held++) {
        if (held) hold_rows(&s);
        fill(&s);
        for (int jacobi = 0; jacobi < 2; jacobi++)
            for (int from = 0; from < 2; from++) {
                for (int i = 0; i < 3 * n; i++)
                    exact[i] = from && s.inverses[6 * (i / 3)] != 0 ? random_unit() : 0;
                wf_sweep_begin(&s.sweep, 1, s.b, from ? exact : NULL);
                for (int k = 0; k < 3; k++) {
                    if (jacobi)
                        wf_sweep_jacobi(&s.sweep), sweep_at_once(&s, exact);
                    else
                        wf_sweep_gauss_seidel(&s.sweep), sweep_in_place(&s, exact);
                    wf_sweep_end(&s.sweep, d);
                    CHECK_BELOW(largest_difference(d, exact, 3L * n),
                                2e-6 * (1 + largest(exact, 3L * n)));
                    check_held(&s, d);
                }
            }
    }
    free(exact), free(d);
    close_sample(&s);
}

static const Kind loose = {false, 0.1}, firm = {false, 1}, symmetric = {true, 1};

static void no_row(void) { check_sweeps(0, 0, 0, NULL, firm); }
static void one_row(void) { check_sweeps(1, 0, 0, NULL, firm); }
static void two_rows(void) { check_sweeps(2, 1, 0, (int[]){0, 1}, firm); }
static void scalars_only(void) { check_sweeps(4, 0, 3, (int[]){0, 1, 1, 2, 3, 0}, firm); }
static void blocks_only(void) { check_sweeps(4, 3, 0, (int[]){0, 1, 1, 2, 3, 0}, firm); }

static void random_matrices(void) {
    int pairs[600];
    for (int round = 0; round < 60; round++) {
        int n = 1 + random_below(40), blocks = random_below(150), linear = random_below(150);
        for (int i = 0; i < 2 * (blocks + linear); i++) pairs[i] = random_below(n);
        check_sweeps(n, blocks, linear, pairs,
                     round % 3 == 0   ? symmetric
                     : round % 3 == 1 ? firm
                                      : loose);
    }
}

// A grid: blocks between neighbours, scalars between those and the next. names: NULL, or vertex ->
// row. Free it.
static int* grid_pairs(int w, int h, const int* names, int* block_pairs, int* linear_pairs) {
    static const int steps[][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}, {2, 0}, {0, 2}};
    int* pairs = malloc((size_t)(w * h) * 20 * sizeof(int) + 1);
    int count = 0;
    for (int part = 0; part < 2; part++) {
        for (int v = 0; v < w * h; v++)
            for (int k = part ? 1 : 0; k < (part ? 6 : 4); k++) {
                int i = v % w + steps[k][0], j = v / w + steps[k][1], u = j * w + i;
                if (i < 0 || i >= w || j >= h) continue;
                pairs[2 * count] = names ? names[v] : v;
                pairs[2 * count++ + 1] = names ? names[u] : u;
            }
        if (!part) *block_pairs = count;
    }
    *linear_pairs = count - *block_pairs;
    return pairs;
}

static void check_grid(int w, int h, const int* names, Kind kind) {
    int blocks = 0, linear = 0, *pairs = grid_pairs(w, h, names, &blocks, &linear);
    check_sweeps(w * h, blocks, linear, pairs, kind);
    free(pairs);
}

// Several chunks, by rows and at random: the order is that of the colours.
static void grids(void) {
    check_grid(16, 16, NULL, firm);  // one chunk to the last row
    check_grid(257, 1, NULL, firm);  // one row more
    check_grid(40, 30, NULL, symmetric);
    int* names = random_names(40 * 30);
    check_grid(40, 30, names, loose);
    free(names);
}

// ---------------------------------------------------------------------------------------------

static void check_colours(const Sample* s, int least, int most) {
    int chunks = (s->n + CHUNK - 1) / CHUNK, *colour = malloc((size_t)chunks * sizeof(int) + 1);
    const WfSweepOrder* order = &s->order;
    for (int c = 0; c < chunks; c++) colour[c] = -1;
    CHECK(order->colour_count >= least && order->colour_count <= most);
    CHECK(order->colour_start[0] == 0 && order->colour_start[order->colour_count] == chunks);
    for (int k = 0; k < order->colour_count; k++) {
        CHECK(order->colour_start[k] < order->colour_start[k + 1]);
        for (int i = order->colour_start[k]; i < order->colour_start[k + 1]; i++) {
            int c = order->chunks[i];
            CHECK(c >= 0 && c < chunks && colour[c] == -1);
            if (i > order->colour_start[k]) CHECK(c > order->chunks[i - 1]);
            colour[c] = k;
        }
    }
    for (int i = 0; i < s->n; i++)
        for (int e = s->start[i]; e < s->start[i + 1]; e++) {
            int a = i / CHUNK, b = s->entries[e].column / CHUNK;
            CHECK(a == b || colour[a] != colour[b]);
        }
    free(colour);
}

// By rows a grid takes two colours or three; by chance a chunk meets all others.
static void colours(void) {
    const struct {
        int w, h, least, most;
        bool shuffled;
    } grids_of[] = {{16, 16, 1, 1, false},   {100, 60, 2, 3, false},  {60, 100, 2, 3, false},
                    {300, 20, 2, 12, false}, {100, 60, 20, 24, true}, {40, 30, 5, 5, true}};
    for (int g = 0; g < 6; g++) {
        int w = grids_of[g].w, h = grids_of[g].h, blocks = 0, linear = 0;
        int* names = grids_of[g].shuffled ? random_names(w * h) : NULL;
        int* pairs = grid_pairs(w, h, names, &blocks, &linear);
        Sample s;
        open_sample(&s, w * h, blocks, linear, pairs, firm);
        check_colours(&s, grids_of[g].least, grids_of[g].most);
        close_sample(&s);
        free(names), free(pairs);
    }
}

// Only scalars join far rows: they count for colours, too.
static void scalars_have_colours(void) {
    enum { ROWS = 1024 };
    int pairs[2 * ROWS];
    for (int i = 0; i < ROWS; i++) pairs[2 * i] = i, pairs[2 * i + 1] = (i + 512) % ROWS;
    Sample s;
    open_sample(&s, ROWS, 0, ROWS, pairs, firm);
    check_colours(&s, 2, 2);
    close_sample(&s);
}

// Many sweeps solve the system, as well as floats can; Gauss-Seidel in fewer of them.
static void convergence(void) {
    for (int shuffled = 0; shuffled < 2; shuffled++) {
        int w = 50, h = 40, n = w * h, blocks = 0, linear = 0;
        int* names = shuffled ? random_names(n) : NULL;
        int* pairs = grid_pairs(w, h, names, &blocks, &linear);
        Sample s;
        open_sample(&s, n, blocks, linear, pairs, firm);
        hold_rows(&s);
        fill(&s);
        double* d = new_doubles(3L * n);
        double left[2][12];
        for (int jacobi = 0; jacobi < 2; jacobi++) {
            wf_sweep_begin(&s.sweep, 1, s.b, NULL);
            for (int k = 0; k < 12; k++) {
                if (jacobi)
                    wf_sweep_jacobi(&s.sweep);
                else
                    wf_sweep_gauss_seidel(&s.sweep);
                wf_sweep_end(&s.sweep, d);
                left[jacobi][k] = residual(&s, d);
            }
            CHECK_BELOW(left[jacobi][11], 3e-6);
            check_held(&s, d);
        }
        CHECK_BELOW(left[0][3], left[1][3]);
        free(d), free(names), free(pairs);
        close_sample(&s);
    }
}

// The right-hand side may come with the other sign, and d from where the last sweeps ended.
static void signs_and_starts(void) {
    Sample s;
    int blocks = 0, linear = 0, *pairs = grid_pairs(20, 20, NULL, &blocks, &linear), n = 400;
    open_sample(&s, n, blocks, linear, pairs, firm);
    fill(&s);
    double *plus = new_doubles(3L * n), *minus = new_doubles(3L * n), *again = new_doubles(3L * n);
    wf_sweep_begin(&s.sweep, 1, s.b, NULL);
    for (int k = 0; k < 3; k++) wf_sweep_gauss_seidel(&s.sweep);
    wf_sweep_end(&s.sweep, plus);
    wf_sweep_begin(&s.sweep, -1, s.b, NULL);
    for (int k = 0; k < 2; k++) wf_sweep_gauss_seidel(&s.sweep);
    wf_sweep_end(&s.sweep, minus);
    wf_sweep_begin(&s.sweep, -1, s.b, minus);
    wf_sweep_end(&s.sweep, again);
    CHECK(memcmp(again, minus, 3 * (size_t)n * sizeof *again) == 0);
    wf_sweep_gauss_seidel(&s.sweep);
    wf_sweep_end(&s.sweep, minus);
    for (int i = 0; i < 3 * n; i++) CHECK(plus[i] == -minus[i]);
    free(plus), free(minus), free(again), free(pairs);
    close_sample(&s);
}

// 40 chunks and more of each colour: the same bits for any number of threads and any runner.
static void any_runner(void) {
    int w = 120, h = 200, n = w * h, used = 0, blocks = 0, linear = 0;
    const WeftJobs jobs[] = {{0, 0, 1},
                             {0, 0, 2},
                             {0, 0, 4},
                             {0, 0, 8},
                             {run_backwards, &used, 0},
                             {run_on_threads, &used, 0}};
    int* pairs = grid_pairs(w, h, NULL, &blocks, &linear);
    Sample s;
    open_sample(&s, n, blocks, linear, pairs, loose);
    hold_rows(&s);
    CHECK(s.order.colour_count <= 3 && s.order.colour_start[1] >= 16);
    double *first = new_doubles(6L * n), *d = new_doubles(6L * n);
    for (int j = 0; j < 6; j++) {
        s.sweep.jobs = &jobs[j];
        int before = used;
        fill(&s);
        wf_sweep_begin(&s.sweep, 1, s.b, NULL);
        for (int k = 0; k < 4; k++) wf_sweep_gauss_seidel(&s.sweep);
        wf_sweep_end(&s.sweep, d);
        for (int k = 0; k < 3; k++) wf_sweep_jacobi(&s.sweep);
        wf_sweep_end(&s.sweep, d + 3L * n);
        if (j == 0) copy_doubles(first, d, 6L * n);
        CHECK(memcmp(d, first, 6 * (size_t)n * sizeof *d) == 0);
        CHECK((used > before + 8) == (j >= 4));
    }
    free(first), free(d), free(pairs);
    close_sample(&s);
}

static void nth_allocation_fails(void) {
    Sample s;
    int blocks = 0, linear = 0, *pairs = grid_pairs(40, 40, NULL, &blocks, &linear), n = 0;
    open_sample(&s, 1600, blocks, linear, pairs, firm);
    WeftResult result = WEFT_ERROR_MEMORY;
    for (; result && n < 100; n++) {
        TestMemory memory = {.left = n};
        WeftAllocator allocator = test_allocator(&memory);
        WfSweepOrder order;
        result = wf_sweep_create(&allocator, &s.pattern, &order);
        CHECK(result == WEFT_OK || (result == WEFT_ERROR_MEMORY && memory.out == 0));
        CHECK(!result || (order.chunks == NULL && order.colour_start == NULL));
        wf_sweep_destroy(&allocator, &order);
        CHECK(memory.out == 0);
    }
    CHECK(result == WEFT_OK && n > 3);
    free(pairs);
    close_sample(&s);
}

TEST_MAIN(CASE(no_row), CASE(one_row), CASE(two_rows), CASE(scalars_only), CASE(blocks_only),
          CASE(random_matrices), CASE(grids), CASE(colours), CASE(scalars_have_colours),
          CASE(convergence), CASE(signs_and_starts), CASE(any_runner), CASE(nth_allocation_fails))

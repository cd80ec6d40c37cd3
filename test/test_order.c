// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards sparse/order*.c: an order is a permutation, narrow or with little fill, and the same every
// time. test_oracle_order.cpp holds the fill against others.

#include "counting.h"
#include "order_test.h"
#include "sparse/etree.h"

static const WfOrdering every_kind[] = {WF_ORDER_NATURAL, WF_ORDER_CUTHILL_MCKEE,
                                        WF_ORDER_REVERSE_CUTHILL_MCKEE, WF_ORDER_MINIMUM_DEGREE,
                                        WF_ORDER_NESTED_DISSECTION};
enum { KIND_COUNT = 5 };

// `copies` grids of w x h, not connected with each other, each vertex joined to its four nearest,
// with all vertices renamed at random.
static WfPattern shuffled_grids(int w, int h, int copies) {
    int n = w * h * copies, count = 0;
    int* name = random_names(n);
    int* pairs = malloc((size_t)n * 4 * sizeof(int) + 1);
    for (int v = 0; v < n; v++) {
        int i = v % w, j = v / w % h;
        if (i + 1 < w) pairs[2 * count] = name[v], pairs[2 * count++ + 1] = name[v + 1];
        if (j + 1 < h) pairs[2 * count] = name[v], pairs[2 * count++ + 1] = name[v + w];
    }
    WfPattern pattern = pattern_of(n, count, pairs);
    free(pairs);
    free(name);
    return pattern;
}

// The largest |i - j| of an entry in the new numbering, or -1 where the order is no permutation.
static int bandwidth(const WfPattern* pattern, const int* order) {
    int n = pattern->n, widest = 0;
    int* place = malloc(((size_t)n + 1) * sizeof(int));
    for (int i = 0; i < n; i++) place[i] = -1;
    for (int i = 0; i < n; i++)
        if (order[i] >= 0 && order[i] < n) place[order[i]] = i;
    for (int i = 0; i < n; i++) {
        if (place[i] < 0) widest = -1;
        for (int e = pattern->start[i]; widest >= 0 && e < pattern->start[i + 1]; e++) {
            int width = abs(place[i] - place[pattern->index[e]]);
            if (width > widest) widest = width;
        }
    }
    free(place);
    return widest;
}

// The bandwidth after reverse Cuthill-McKee; destroys the pattern.
static int ordered_bandwidth(WfPattern pattern) {
    WeftAllocator allocator = wf_allocator(NULL);
    int* order = malloc(((size_t)pattern.n + 1) * sizeof(int));
    CHECK(wf_order_rcm(&allocator, &pattern, order) == WEFT_OK);
    int width = bandwidth(&pattern, order);
    free(order);
    wf_pattern_destroy(&allocator, &pattern);
    return width;
}

static void no_row(void) { CHECK(ordered_bandwidth(pattern_of(0, 0, NULL)) == 0); }

static void one_row(void) { CHECK(ordered_bandwidth(pattern_of(1, 0, NULL)) == 0); }

static void isolated_vertices(void) {
    CHECK(ordered_bandwidth(pattern_of(9, 0, NULL)) == 0);
    CHECK(ordered_bandwidth(pattern_of(9, 2, (int[]){0, 8, 3, 5})) == 1);
}

// The best possible: a path has bandwidth 1 and a w x h grid min(w, h).
static void path_is_tridiagonal(void) { CHECK(ordered_bandwidth(shuffled_grids(500, 1, 1)) == 1); }

static void grids_shrink_to_the_optimum(void) {
    static const int size[][2] = {{20, 20}, {40, 10}, {7, 90}, {33, 32}};
    for (int k = 0; k < 4; k++) {
        int w = size[k][0], h = size[k][1], best = w < h ? w : h;
        int width = ordered_bandwidth(shuffled_grids(w, h, 1));
        CHECK(width >= best);
        CHECK_BELOW(width, best + 2);
    }
}

static void components_stay_apart(void) {
    WfPattern pattern = shuffled_grids(12, 9, 5);
    int width = ordered_bandwidth(pattern);
    CHECK(width >= 9);
    CHECK_BELOW(width, 11);
}

// A hub with 20,000 spokes: sorting neighbours pair by pair would take minutes.
static void star(void) {
    int n = 20001;
    int* pairs = malloc(2 * (size_t)n * sizeof(int));
    for (int i = 1; i < n; i++) pairs[2 * i - 2] = 0, pairs[2 * i - 1] = i;
    CHECK(ordered_bandwidth(pattern_of(n, n - 1, pairs)) == n - 2);
    free(pairs);
}

// Ties go to the smaller index: the walk starts at 2, the far end of 0, and is reversed.
static void ties_are_decided(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    WfPattern pattern = pattern_of(4, 3, (int[]){0, 1, 1, 2, 1, 3});
    int order[4];
    CHECK(wf_order_rcm(&allocator, &pattern, order) == WEFT_OK);
    CHECK(order[3] == 2 && order[2] == 1 && order[1] == 0 && order[0] == 3);
    wf_pattern_destroy(&allocator, &pattern);
}

// -- all orderings

// Permutations that fill in no less than the pattern has; destroys the pattern.
static void check_all(WfPattern pattern, const double* x) {
    WeftAllocator allocator = wf_allocator(NULL);
    int least = (pattern.start[pattern.n] + pattern.n) / 2;
    for (int k = 0; k < KIND_COUNT; k++)
        CHECK(fill_by(every_kind[k], &pattern, x).entries >= least);
    CHECK(fill_by(WF_ORDER_NESTED_DISSECTION, &pattern, NULL).entries >= least);
    wf_pattern_destroy(&allocator, &pattern);
}

static void check_sheet(Sheet sheet) {
    check_all(sheet_pattern(&sheet, true), sheet.x);
    check_all(sheet_pattern(&sheet, false), sheet.x);
    free_sheet(&sheet);
}

static void all_of_nothing(void) {
    check_all(pattern_of(0, 0, NULL), NULL);
    check_all(pattern_of(1, 0, NULL), (double[]){1, 2, 3});
    check_all(pattern_of(2, 1, (int[]){0, 1}), (double[]){0, 0, 0, 0, 0, 0});
    check_all(pattern_of(5000, 0, NULL), NULL);
}

static void all_of_sheets(void) {
    check_sheet(grid_sheet(60, 55));
    check_sheet(jittered_sheet(60, 55));
    check_sheet(rolled_up(jittered_sheet(70, 50), 70));
    check_sheet(both_sheets(jittered_sheet(50, 60), jittered_sheet(50, 60)));
    check_sheet(jittered_sheet(12, 400));
}

static void all_of_many_components(void) { check_all(shuffled_grids(9, 8, 100), NULL); }

static void all_of_any_graph(void) {
    for (int k = 0; k < 20; k++) check_all(scattered_pattern(600, 100 * k), NULL);
}

static WfPattern complete_pattern(int n) {
    int *pairs = malloc((size_t)n * (size_t)n * sizeof(int) + 1), count = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) pairs[2 * count] = i, pairs[2 * count++ + 1] = j;
    WfPattern pattern = pattern_of(n, count, pairs);
    free(pairs);
    return pattern;
}

// 15 rows are few enough to be eliminated, 600 have so many neighbours that they are set aside.
static void all_of_complete_graphs(void) {
    check_all(complete_pattern(15), NULL);
    check_all(complete_pattern(600), NULL);
}

// -- little fill

// A leaf is always free to go, so trees need not fill in; a hub comes last.
static void trees_do_not_fill(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    enum { N = 20001 };
    int* pairs = malloc(2 * N * sizeof(int));
    for (int kind = 0; kind < 3; kind++) {
        for (int i = 1; i < N; i++) {
            pairs[2 * i - 2] = kind == 0 ? 0 : kind == 1 ? i - 1 : random_below(i);
            pairs[2 * i - 1] = i;
        }
        WfPattern pattern = pattern_of(N, N - 1, pairs);
        CHECK(fill_by(WF_ORDER_MINIMUM_DEGREE, &pattern, NULL).entries == 2 * N - 1);
        CHECK(kind == 1 ||
              fill_by(WF_ORDER_NESTED_DISSECTION, &pattern, NULL).entries == 2 * N - 1);
        wf_pattern_destroy(&allocator, &pattern);
    }
    free(pairs);
}

// A jittered square of 74 x 74 vertices with hinge pairs; Cuthill-McKee fills in 7.5e5 entries.
static void fill_of_the_reference(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    Sheet sheet = jittered_sheet(74, 74);
    WfPattern pattern = sheet_pattern(&sheet, true);
    CHECK(sheet.triangle_count == 10658);
    double cm = fill_by(WF_ORDER_CUTHILL_MCKEE, &pattern, NULL).entries;
    double rcm = fill_by(WF_ORDER_REVERSE_CUTHILL_MCKEE, &pattern, NULL).entries;
    CHECK(cm > 6.7e5 && cm < 8.2e5);
    CHECK(rcm <= cm);
    Fill degree = fill_by(WF_ORDER_MINIMUM_DEGREE, &pattern, NULL);
    Fill nested = fill_by(WF_ORDER_NESTED_DISSECTION, &pattern, sheet.x);
    Fill by_graph = fill_by(WF_ORDER_NESTED_DISSECTION, &pattern, NULL);
    CHECK_BELOW(degree.entries, 0.43 * rcm);
    CHECK_BELOW(nested.entries, 0.40 * rcm);
    CHECK_BELOW(by_graph.entries, 0.40 * rcm);
    // columns with the same rows stand together
    CHECK_BELOW(degree.supernodes, 0.56 * sheet.n);
    CHECK_BELOW(nested.supernodes, 0.56 * sheet.n);
    wf_pattern_destroy(&allocator, &pattern);
    free_sheet(&sheet);
}

// The numbers of vertices do not matter much.
static void shuffled_sheet(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    Sheet sheet = jittered_sheet(80, 80);
    WfPattern pattern = sheet_pattern(&sheet, true);
    double degree = fill_by(WF_ORDER_MINIMUM_DEGREE, &pattern, NULL).entries;
    double nested = fill_by(WF_ORDER_NESTED_DISSECTION, &pattern, sheet.x).entries;
    wf_pattern_destroy(&allocator, &pattern);
    shuffle_sheet(&sheet);
    pattern = sheet_pattern(&sheet, true);
    CHECK_NEAR(fill_by(WF_ORDER_MINIMUM_DEGREE, &pattern, NULL).entries / degree, 1, 0.03);
    CHECK_NEAR(fill_by(WF_ORDER_NESTED_DISSECTION, &pattern, sheet.x).entries / nested, 1, 0.03);
    wf_pattern_destroy(&allocator, &pattern);
    free_sheet(&sheet);
}

// Rows that meet all others go last, and the rest is ordered as if they were not there.
static void hubs_come_last(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    enum { HUBS = 3, W = 60, N = W * W + HUBS };
    WfPattern grid = grid_pattern(W, W, GRID_TWELVE, NULL);
    int *pairs = malloc(sizeof(int) * 2 * ((size_t)grid.start[W * W] + HUBS * N)), count = 0;
    for (int i = 0; i < W * W; i++)
        for (int e = grid.start[i]; e < grid.start[i + 1]; e++)
            pairs[2 * count] = i + HUBS, pairs[2 * count++ + 1] = grid.index[e] + HUBS;
    for (int hub = 0; hub < HUBS; hub++)
        for (int i = 0; i < N; i++) pairs[2 * count] = hub, pairs[2 * count++ + 1] = i;
    WfPattern pattern = pattern_of(N, count, pairs);
    double alone = fill_by(WF_ORDER_MINIMUM_DEGREE, &grid, NULL).entries, hubs = HUBS * (N - 1.0);
    CHECK_BELOW(fill_by(WF_ORDER_MINIMUM_DEGREE, &pattern, NULL).entries, 1.03 * alone + hubs);
    CHECK_BELOW(fill_by(WF_ORDER_NESTED_DISSECTION, &pattern, NULL).entries, 1.03 * alone + hubs);
    wf_pattern_destroy(&allocator, &pattern);
    wf_pattern_destroy(&allocator, &grid);
    free(pairs);
}

// -- nested dissection

static void order_nested(const WfPattern* pattern, const double* x, int* order) {
    WeftAllocator allocator = wf_allocator(NULL);
    CHECK(wf_order_nested(&allocator, pattern, x, NULL, order) == WEFT_OK);
}

// Coordinates that show nothing are as good as none.
static void useless_coordinates(void) {
    enum { W = 90, N = W * W };
    static const double useless[] = {0, 7, 1e200, 1e-200, NAN, INFINITY};
    WeftAllocator allocator = wf_allocator(NULL);
    WfPattern pattern = grid_pattern(W, W, GRID_TWELVE, NULL);
    static int with[N], without[N];
    static double x[3 * N];
    order_nested(&pattern, NULL, without);
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < 3 * N; i++) x[i] = useless[k];
        order_nested(&pattern, x, with);
        CHECK(memcmp(with, without, sizeof with) == 0);
    }
    // and so are misleading ones, nearly
    for (int i = 0; i < 3 * N; i++) x[i] = random_unit();
    order_nested(&pattern, x, with);
    CHECK_BELOW(fill_of(&pattern, with).entries, 1.05 * fill_of(&pattern, without).entries);
    wf_pattern_destroy(&allocator, &pattern);
}

// Size and place of the cloth do not matter: powers of two change no bit.
static void coordinates_of_any_size(void) {
    enum { W = 90, N = W * W };
    WeftAllocator allocator = wf_allocator(NULL);
    Sheet sheet = jittered_sheet(W, W);
    WfPattern pattern = sheet_pattern(&sheet, true);
    static int first[N], second[N];
    order_nested(&pattern, sheet.x, first);
    for (int i = 0; i < 3 * N; i++) sheet.x[i] *= 1.0 / (1 << 20);
    order_nested(&pattern, sheet.x, second);
    CHECK(memcmp(first, second, sizeof first) == 0);
    for (int i = 0; i < 3 * N; i++) sheet.x[i] += 1000;
    order_nested(&pattern, sheet.x, second);
    CHECK_NEAR(fill_of(&pattern, second).entries / fill_of(&pattern, first).entries, 1, 0.03);
    wf_pattern_destroy(&allocator, &pattern);
    free_sheet(&sheet);
}

// Two columns of a grid wait for what is beside them: to move them to the end changes next to
// nothing (11 % where they do not wait).
static void stages_in_turn(void) {
    enum { W = 60, H = 50 };
    WeftAllocator allocator = wf_allocator(NULL);
    WfPattern pattern = grid_pattern(W, H, GRID_SIX, NULL);
    static int stage[W * H], order[W * H], sorted[W * H];
    int count = 0;
    for (int i = 0; i < W * H; i++) stage[i] = i % W == 20 ? 1 : i % W == 41 ? 2 : 0;
    CHECK(wf_order_staged(&allocator, &pattern, stage, order) == WEFT_OK);
    for (int s = 0; s < 3; s++)
        for (int k = 0; k < W * H; k++)
            if (stage[order[k]] == s) sorted[count++] = order[k];
    CHECK_NEAR(fill_of(&pattern, sorted).entries / fill_of(&pattern, order).entries, 1, 0.01);
    wf_pattern_destroy(&allocator, &pattern);
}

// -- rows that come last

// Entries of L, those of columns that depend on rows of `last` twice.
static double entries_with_twins(const WfPattern* pattern, const unsigned char* last,
                                 const int* order) {
    WeftAllocator allocator = wf_allocator(NULL);
    unsigned char* apart = calloc((size_t)pattern->n + 1, 1);
    double entries = 0;
    WfEtree tree;
    CHECK(wf_etree_create(&allocator, pattern, order, &tree) == WEFT_OK);
    for (int j = 0; j < tree.n; j++) {
        apart[j] |= last[tree.order[j]];
        if (apart[j] && tree.parent[j] >= 0) apart[tree.parent[j]] = 1;
        entries += tree.count[j] * (apart[j] ? 2 : 1);
    }
    wf_etree_destroy(&allocator, &tree);
    free(apart);
    return entries;
}

// The first column of a sheet (and its last one), with all it meets.
static unsigned char* beside_columns(const WfPattern* pattern, int w, bool both) {
    unsigned char* last = calloc((size_t)pattern->n + 1, 1);
    for (int i = 0; i < pattern->n; i++)
        for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++) {
            int column = pattern->index[e] % w;
            last[i] |= column == 0 || (both && column == w - 1);
        }
    return last;
}

// The table of order_nested.c, and a little more.
static void halves_of_cloth(void) {
    static const struct {
        int w, h;
        bool both;
        double bound;
    } halves[] = {{50, 100, false, 1.35}, {71, 71, false, 1.23}, {25, 200, false, 1.62},
                  {50, 100, true, 1.61},  {100, 50, false, 1.1}, {5, 60, true, 2.5}};
    for (int k = 0; k < 6; k++) {
        WeftAllocator allocator = wf_allocator(NULL);
        Sheet sheet = jittered_sheet(halves[k].w, halves[k].h);
        WfPattern pattern = sheet_pattern(&sheet, true);
        unsigned char* last = beside_columns(&pattern, halves[k].w, halves[k].both);
        int* order = malloc((size_t)sheet.n * sizeof(int));
        order_nested(&pattern, sheet.x, order);
        double least = fill_of(&pattern, order).entries;
        CHECK(wf_order_nested(&allocator, &pattern, sheet.x, last, order) == WEFT_OK);
        CHECK_BELOW(entries_with_twins(&pattern, last, order), halves[k].bound * least);
        CHECK(wf_order_nested(&allocator, &pattern, NULL, last, order) == WEFT_OK);
        CHECK_BELOW(entries_with_twins(&pattern, last, order), 1.1 * halves[k].bound * least);
        free(order);
        free(last);
        wf_pattern_destroy(&allocator, &pattern);
        free_sheet(&sheet);
    }
}

// Other orders stay as they are, but for the rows that move.
static void rows_move_to_the_end(void) {
    enum { N = 400 };
    static const WfOrdering others[] = {WF_ORDER_NATURAL, WF_ORDER_CUTHILL_MCKEE,
                                        WF_ORDER_REVERSE_CUTHILL_MCKEE, WF_ORDER_MINIMUM_DEGREE};
    WeftAllocator allocator = wf_allocator(NULL);
    WfPattern pattern = grid_pattern(20, 20, GRID_TWELVE, NULL);
    unsigned char* last = beside_columns(&pattern, 20, false);
    static int order[N], moved[N], expected[N];
    for (int k = 0; k < 4; k++) {
        int count = 0;
        CHECK(wf_order(&allocator, others[k], &pattern, NULL, NULL, order) == WEFT_OK);
        CHECK(wf_order(&allocator, others[k], &pattern, NULL, last, moved) == WEFT_OK);
        for (int pass = 0; pass < 2; pass++)
            for (int i = 0; i < N; i++)
                if (last[order[i]] == pass) expected[count++] = order[i];
        CHECK(memcmp(moved, expected, sizeof moved) == 0);
    }
    free(last);
    wf_pattern_destroy(&allocator, &pattern);
}

// -- twice, and without memory

static void same_every_time(void) {
    WeftAllocator allocator = wf_allocator(NULL);
    Sheet sheet = jittered_sheet(90, 90);
    WfPattern pattern = sheet_pattern(&sheet, true);
    size_t bytes = (size_t)sheet.n * sizeof(int);
    int *first = malloc(bytes), *second = malloc(bytes);
    for (int k = 0; k < KIND_COUNT; k++) {
        memset(second, 0x55, bytes);
        CHECK(wf_order(&allocator, every_kind[k], &pattern, sheet.x, NULL, first) == WEFT_OK);
        CHECK(wf_order(&allocator, every_kind[k], &pattern, sheet.x, NULL, second) == WEFT_OK);
        CHECK(memcmp(first, second, bytes) == 0);
    }
    free(first);
    free(second);
    wf_pattern_destroy(&allocator, &pattern);
    free_sheet(&sheet);
}

static void nth_allocation_fails(void) {
    static const long calls[KIND_COUNT] = {0, 3, 3, 1, 2};
    Sheet sheet = jittered_sheet(30, 30);
    WfPattern pattern = sheet_pattern(&sheet, true);
    static int order[900];
    unsigned char* last = beside_columns(&pattern, 30, false);
    for (int k = 0; k < 2 * KIND_COUNT; k++) {
        int kind = k / 2;
        bool moves = k % 2 == 1 && every_kind[kind] != WF_ORDER_NESTED_DISSECTION;
        long most = calls[kind] + moves;
        for (long n = 1; n <= most + 1; n++) {
            Counting counting = {.fail_at = n};
            WeftAllocator allocator = counting_allocator(&counting);
            WeftResult result = wf_order(&allocator, every_kind[kind], &pattern, sheet.x,
                                         k % 2 ? last : NULL, order);
            CHECK(result == (n > most ? WEFT_OK : WEFT_ERROR_MEMORY));
            CHECK(counting.live == 0);
        }
    }
    free(last);
    WeftAllocator allocator = wf_allocator(NULL);
    CHECK(wf_order(&allocator, (WfOrdering)99, &pattern, NULL, NULL, order) == WEFT_ERROR_INPUT);
    wf_pattern_destroy(&allocator, &pattern);
    free_sheet(&sheet);
}

TEST_MAIN(CASE(no_row), CASE(one_row), CASE(isolated_vertices), CASE(path_is_tridiagonal),
          CASE(grids_shrink_to_the_optimum), CASE(components_stay_apart), CASE(star),
          CASE(ties_are_decided), CASE(all_of_nothing), CASE(all_of_sheets),
          CASE(all_of_many_components), CASE(all_of_any_graph), CASE(all_of_complete_graphs),
          CASE(trees_do_not_fill), CASE(fill_of_the_reference), CASE(shuffled_sheet),
          CASE(hubs_come_last), SLOW_CASE(useless_coordinates), CASE(coordinates_of_any_size),
          CASE(stages_in_turn), SLOW_CASE(halves_of_cloth), CASE(rows_move_to_the_end),
          CASE(same_every_time), CASE(nth_allocation_fails))

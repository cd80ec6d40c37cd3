// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards base/scatter.c: every element once, chunks of one colour share no row, sums come in one
// order.

#include "base/scatter.h"

#include "sparse_test.h"

typedef struct Elements {
    int row_count, count, arity;
    int* rows;
} Elements;

// the edges of a w x h grid, in the order of its rows
static Elements grid_edges(int w, int h) {
    Elements e = {w * h, 0, 2, malloc(((size_t)(w * h) * 4 + 1) * sizeof(int))};
    for (int v = 0; v < w * h; v++)
        for (int down = 0; down < 2; down++) {
            if (down ? v / w + 1 == h : v % w + 1 == w) continue;
            e.rows[2 * e.count] = v;
            e.rows[2 * e.count++ + 1] = v + (down ? w : 1);
        }
    return e;
}

static Elements random_elements(int row_count, int count, int arity) {
    Elements e = {row_count, count, arity, malloc(((size_t)(count * arity) + 1) * sizeof(int))};
    for (int i = 0; i < count * arity; i++) e.rows[i] = random_below(row_count);
    return e;
}

static WfScatter scatter_of(const Elements* e, int chunk_size) {
    WeftAllocator allocator = wf_allocator(NULL);
    WfScatter s;
    CHECK(wf_scatter_create(&allocator, e->row_count, e->count, e->arity, e->rows, chunk_size,
                            &s) == WEFT_OK);
    return s;
}

static void destroy(WfScatter* s) {
    WeftAllocator allocator = wf_allocator(NULL);
    wf_scatter_destroy(&allocator, s);
    CHECK(s->chunks == NULL && s->colour_start == NULL && s->colour_count == 0);
}

// Colours hold every chunk once, and no two chunks of a colour have a row in common.
static void check_colours(const Elements* e, const WfScatter* s) {
    CHECK(s->chunk_count == (e->count + s->chunk_size - 1) / s->chunk_size);
    CHECK(s->colour_start[0] == 0 && s->colour_start[s->colour_count] == s->chunk_count);
    int* owner = malloc(((size_t)e->row_count + 1) * sizeof(int));
    char* seen = calloc((size_t)s->chunk_count + 1, 1);
    int shared = 0;
    for (int colour = 0; colour < s->colour_count; colour++) {
        CHECK(s->colour_start[colour] < s->colour_start[colour + 1]);
        for (int r = 0; r < e->row_count; r++) owner[r] = -1;
        for (int i = s->colour_start[colour]; i < s->colour_start[colour + 1]; i++) {
            int chunk = s->chunks[i], first = chunk * s->chunk_size, end = first + s->chunk_size;
            seen[chunk]++;
            if (i > s->colour_start[colour]) CHECK(chunk > s->chunks[i - 1]);
            for (int k = first * e->arity; k < end * e->arity && k < e->count * e->arity; k++) {
                shared += owner[e->rows[k]] >= 0 && owner[e->rows[k]] != chunk;
                owner[e->rows[k]] = chunk;
            }
        }
    }
    CHECK(shared == 0);
    for (int c = 0; c < s->chunk_count; c++) CHECK(seen[c] == 1);
    free(owner);
    free(seen);
}

typedef struct Sum {
    const Elements* e;
    double* rows;
    int* seen;
} Sum;

static void add_range(void* context, int chunk, int first, int end) {
    Sum* sum = context;
    (void)chunk;
    for (int i = first; i < end; i++) {
        sum->seen[i]++;
        for (int a = 0; a < sum->e->arity; a++)
            sum->rows[sum->e->rows[i * sum->e->arity + a]] += 1.0 / (i + 3);
    }
}

static void backwards(void* user, int count, void (*block)(void*, int), void* context) {
    (void)user;
    for (int i = count - 1; i >= 0; i--) block(context, i);
}

// The same bits by one thread, by many, and by a hook that goes backwards.
static void check_sums(const Elements* e, const WfScatter* s) {
    static const WeftJobs jobs[] = {{0, 0, 1}, {0, 0, 4}, {backwards, 0, 0}};
    double* expected = calloc((size_t)e->row_count + 1, sizeof(double));
    for (int j = 0; j < 3; j++) {
        double* rows = calloc((size_t)e->row_count + 1, sizeof(double));
        Sum sum = {e, rows, calloc((size_t)e->count + 1, sizeof(int))};
        wf_scatter_run(s, &jobs[j], add_range, &sum);
        for (int i = 0; i < e->count; i++) CHECK(sum.seen[i] == 1);
        if (j == 0) memcpy(expected, rows, (size_t)e->row_count * sizeof(double));
        CHECK(memcmp(expected, rows, (size_t)e->row_count * sizeof(double)) == 0);
        free(rows);
        free(sum.seen);
    }
    free(expected);
}

static void check_all(Elements e, int chunk_size, int most_colours) {
    WfScatter s = scatter_of(&e, chunk_size);
    check_colours(&e, &s);
    check_sums(&e, &s);
    CHECK(s.colour_count <= most_colours);
    destroy(&s);
    free(e.rows);
}

static void no_element(void) { check_all(random_elements(5, 0, 2), 16, 0); }
static void one_element(void) { check_all(random_elements(5, 1, 3), 16, 1); }

// An element may name a row twice: it is the same chunk.
static void repeated_row(void) {
    Elements e = {2, 3, 2, malloc(6 * sizeof(int))};
    static const int rows[6] = {0, 0, 1, 1, 0, 1};
    memcpy(e.rows, rows, sizeof rows);
    check_all(e, 1, 2);
}

static void ordered_elements_take_few_colours(void) {
    check_all(grid_edges(40, 100), 64, 4);
    check_all(grid_edges(16, 400), 256, 4);
    check_all(grid_edges(3, 3), 256, 1);
}

static void random_elements_are_safe(void) {
    for (int round = 0; round < 60; round++)
        check_all(random_elements(1 + random_below(400), random_below(600), 1 + random_below(4)),
                  1 + random_below(20), 1000);
}

// More chunks on one row than there are colours: the rest goes one after the other.
static void more_than_64_colours(void) {
    Elements e = {300, 300, 2, malloc(600 * sizeof(int))};
    for (int i = 0; i < 300; i++) {
        e.rows[2 * i] = i % 7 ? 0 : i;  // all but every seventh meet in row 0
        e.rows[2 * i + 1] = i;
    }
    WfScatter s = scatter_of(&e, 1);
    CHECK(s.colour_count > 64);
    check_colours(&e, &s);
    check_sums(&e, &s);
    destroy(&s);
    free(e.rows);
}

static void exactly_64_colours(void) {
    for (int count = 63; count <= 66; count++) {
        Elements e = {1, count, 1, calloc((size_t)count, sizeof(int))};
        WfScatter s = scatter_of(&e, 1);
        CHECK(s.colour_count == count);
        check_colours(&e, &s);
        check_sums(&e, &s);
        destroy(&s);
        free(e.rows);
    }
}

static void nth_allocation_fails(void) {
    Elements e = grid_edges(10, 10);
    WeftResult result = WEFT_ERROR_MEMORY;
    int n = 0;
    for (; result && n < 20; n++) {
        TestMemory memory = {.left = n};
        WeftAllocator allocator = test_allocator(&memory);
        WfScatter s;
        result = wf_scatter_create(&allocator, e.row_count, e.count, e.arity, e.rows, 8, &s);
        CHECK(result == WEFT_OK || (result == WEFT_ERROR_MEMORY && s.chunks == NULL));
        wf_scatter_destroy(&allocator, &s);
        CHECK(memory.out == 0);
    }
    CHECK(result == WEFT_OK && n == 5);
    free(e.rows);
}

TEST_MAIN(CASE(no_element), CASE(one_element), CASE(repeated_row),
          CASE(ordered_elements_take_few_colours), CASE(random_elements_are_safe),
          CASE(more_than_64_colours), CASE(exactly_64_colours), CASE(nth_allocation_fails))

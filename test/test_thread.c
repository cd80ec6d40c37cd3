// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards energy/thread.c: the product along threads is that of any springs, of the assembled
// blocks and of differences of forces, however springs are cut into chunks.

#include "energy_test.h"

static TestCloth woven_cloth(int columns, int rows) {
    WeftGridDef grid = {1, 0.6, columns, rows, WEFT_GRID_WOVEN};
    TestCloth cloth = {.def = weft_default_cloth_def()};
    CHECK(weft_make_grid(&grid, NULL, &cloth.mesh, NULL) == WEFT_OK);
    weft_use_mesh(&cloth.def, &cloth.mesh);
    cloth.def.stretch = WEFT_STRETCH_THREADS;
    cloth.def.fabric.stretch_warp = 30;
    cloth.def.fabric.stretch_weft = 20;
    open_cloth(&cloth);
    return cloth;
}

// Ropes of many lengths on a few vertices: one that is closed, and others that share them.
static TestCloth tangle(void) {
    enum { VERTICES = 12, NAMES = 40 };
    static const int counts[] = {13, 2, 3, 3, 3, 3, 3, 7, 3};
    TestCloth cloth = {.def = weft_default_cloth_def()};
    WeftRopeDef def = {.length = 1, .segments = VERTICES - 1};
    CHECK(weft_make_rope(&def, NULL, &cloth.mesh, NULL) == WEFT_OK);
    free(cloth.mesh.threads);
    free(cloth.mesh.thread_vertices);
    cloth.mesh.threads = calloc(9, sizeof *cloth.mesh.threads);
    cloth.mesh.thread_vertices = calloc(NAMES, sizeof(int));
    cloth.mesh.thread_count = 9;
    cloth.mesh.thread_vertex_count = NAMES;
    for (int t = 0, first = 0; t < 9; first += counts[t++]) {
        cloth.mesh.threads[t] =
            (WeftThread){.kind = WEFT_THREAD_ROPE, .first = first, .count = counts[t]};
        for (int i = 0; i < counts[t]; i++)
            cloth.mesh.thread_vertices[first + i] = (i + 5 * t) % VERTICES;
    }
    for (int i = 0; i < 3 * VERTICES; i++) cloth.mesh.positions[i] += 0.3 * random_unit();
    weft_use_mesh(&cloth.def, &cloth.mesh);
    open_cloth(&cloth);
    return cloth;
}

static TestTerm* make_term(const TestCloth* cloth, double damping) {
    WeftAllocator allocator = plain_allocator();
    WeftClothDef def = cloth->def;
    def.fabric.stretch_damping = damping;
    WfClothParts parts = cloth_parts(cloth, &def);
    bool woven = def.stretch == WEFT_STRETCH_THREADS;
    WfTerm* term =
        woven ? wf_thread_create(&allocator, &parts) : wf_rope_create(&allocator, &parts);
    TestTerm* t = open_term(term, cloth->rows);
    for (int i = 0; i < 3 * def.vertex_count; i++)
        t->x[3 * ROWS_BEFORE + i] =
            1.1 * def.positions[i] + 0.1 * cloth->rest.segments[0] * random_unit();
    for (int i = 0; i < t->n; i++) t->x1[i] = t->x[i] + 0.001 * random_unit();
    begin_term(t, 0.01, 2);
    return t;
}

static void linearise(const TestTerm* t, bool exact) {
    unsigned want = WF_WANT_LINEARISE | (exact ? WF_WANT_EXACT : 0);
    t->term->type->evaluate(t->term, &t->space, t->x, want, 1, NULL);
}

static double* random_vector(int n) {
    double* p = new_doubles(n);
    for (int i = 0; i < n; i++) p[i] = random_unit();
    return p;
}

// q by the product of threads and by that of any springs, both added to the same start
static void compare_products(const TestTerm* t) {
    double *p = random_vector(t->n), *q = random_vector(t->n), *other = new_doubles(t->n);
    copy_doubles(other, q, t->n);
    t->term->type->product(t->term, &t->space, 0.7, p, q);
    wf_fibre_product(t->term, &t->space, 0.7, p, other);
    CHECK_BELOW(largest_difference(q, other, t->n), 1e-12 * largest(other, t->n));
    free(p), free(q), free(other);
}

static void compare_blocks(const TestTerm* t) {
    WfBlockMatrix matrix = {&t->blocks, new_doubles(6L * t->rows),
                            new_doubles(9L * t->blocks.start[t->rows])};
    double *p = random_vector(t->n), *q = new_doubles(t->n), *other = new_doubles(t->n);
    t->term->type->blocks(t->term, &t->space, 1, &matrix);
    double* K = dense_blocks(&matrix);
    for (int i = 0; i < t->n; i++)
        for (int j = 0; j < t->n; j++) other[i] += K[(long)i * t->n + j] * p[j];
    t->term->type->product(t->term, &t->space, 1, p, q);
    CHECK_BELOW(largest_difference(q, other, t->n), 1e-12 * largest(other, t->n));
    double* buffers[] = {matrix.diagonal, matrix.upper, p, q, other, K};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) free(buffers[i]);
}

// (F(x + s p) - F(x - s p))/2s = -K p
static void compare_differences(const TestTerm* t) {
    const double step = 1e-6;
    double *p = random_vector(t->n), *q = new_doubles(t->n), *x = new_doubles(t->n);
    double *up = new_doubles(t->n), *down = new_doubles(t->n);
    t->term->type->product(t->term, &t->space, 1, p, q);
    for (int i = 0; i < t->n; i++) x[i] = t->x[i] + step * p[i];
    force_at(t, x, up);
    for (int i = 0; i < t->n; i++) x[i] = t->x[i] - step * p[i];
    force_at(t, x, down);
    for (int i = 0; i < t->n; i++) up[i] = (down[i] - up[i]) / (2 * step);
    CHECK_BELOW(largest_difference(q, up, t->n), 1e-6 * largest(q, t->n));
    double* buffers[] = {p, q, x, up, down};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) free(buffers[i]);
}

static void check_products(TestCloth cloth, bool dense) {
    for (int way = 0; way < 4; way++) {
        TestTerm* t = make_term(&cloth, way & 1 ? 0.02 : 0);
        linearise(t, way & 2);
        compare_products(t);
        if (dense) compare_blocks(t);
        if (way & 2) compare_differences(t);
        close_term(t);
    }
    close_cloth(&cloth);
}

static void products(void) {
    check_products(woven_cloth(7, 5), true);  // bundles of 4 and of what is left
    check_products(woven_cloth(1, 1), true);
    check_products(woven_cloth(13, 2), true);
    check_products(woven_cloth(61, 43), false);  // several chunks
    check_products(tangle(), true);
}

// Wherever chunks begin, and whoever runs them.
static void any_chunks(void) {
    static const int sizes[] = {1, 2, 3, 5, 7, 16, 61, 100, 1000};
    WeftAllocator allocator = plain_allocator();
    for (int tangled = 0; tangled < 2; tangled++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            TestCloth cloth = tangled ? tangle() : woven_cloth(9, 6);
            TestTerm* t = make_term(&cloth, 0);
            WfFibreTerm* fibres = (WfFibreTerm*)t->term;
            linearise(t, false);
            wf_scatter_destroy(&allocator, &fibres->scatter);
            CHECK(!wf_scatter_create(&allocator, cloth.rows, fibres->element_count, 2,
                                     fibres->vertices, sizes[i], &fibres->scatter));
            compare_products(t);
            double *p = random_vector(t->n), *one = new_doubles(t->n), *two = new_doubles(t->n);
            t->term->type->product(t->term, &t->space, 1, p, one);
            t->jobs.thread_count = 2;
            t->term->type->product(t->term, &t->space, 1, p, two);
            CHECK(memcmp(one, two, (size_t)t->n * sizeof *one) == 0);
            free(p), free(one), free(two);
            close_term(t);
            close_cloth(&cloth);
        }
}

// Springs across the bundle first, then along: a column of a grid is read in rows.
static void bundles(void) {
    TestCloth cloth = woven_cloth(6, 2);
    TestTerm* t = make_term(&cloth, 0);
    const WfFibreTerm* f = (const WfFibreTerm*)t->term;
    CHECK(f->bundle_count == 3);  // three rows; seven columns as four and three
    static const int firsts[] = {0, 18, 26, 32}, widths[] = {3, 4, 3};
    for (int b = 0; b < 4; b++) CHECK(f->bundles[b].first == firsts[b]);
    for (int b = 0; b < 3; b++) CHECK(f->bundles[b].width == widths[b]);
    for (int b = 0; b < 4; b++) {
        CHECK(f->vertices[2 * (18 + b)] == ROWS_BEFORE + b);
        CHECK(f->vertices[2 * (18 + b) + 1] == ROWS_BEFORE + 7 + b);
        CHECK(f->vertices[2 * (22 + b) + 1] == ROWS_BEFORE + 14 + b);
    }
    // every spring of the grid, as stiff as the cloth it stands for
    CHECK(f->element_count == 6 * 3 + 2 * 7);
    for (int e = 0; e < f->element_count; e++) {
        bool warp = e < 18;
        CHECK_NEAR(f->length[e], warp ? 1.0 / 6 : 0.3, 1e-15);
        CHECK_NEAR(f->stiffness[e], warp ? 30 * 0.3 * 6 : 20 / 6.0 / 0.3, 1e-12);
    }
    CHECK(t->term->softens);
    close_term(t);
    close_cloth(&cloth);
    cloth = tangle();
    t = make_term(&cloth, 0);
    CHECK(!t->term->softens);
    close_term(t);
    close_cloth(&cloth);
}

// The stiffness of a cloth is that of its rows and that of its columns; moving all moves nothing.
static void rows_and_columns(void) {
    TestCloth cloth = woven_cloth(8, 5);
    WeftClothDef whole = cloth.def;
    TestTerm* all = make_term(&cloth, 0);
    linearise(all, true);
    double *p = random_vector(all->n), *q = new_doubles(all->n), *sum = new_doubles(all->n);
    all->term->type->product(all->term, &all->space, 1, p, q);
    for (int part = 0; part < 2; part++) {
        cloth.def.threads = whole.threads + (part ? 6 : 0);
        cloth.def.thread_count = part ? 9 : 6;
        WeftAllocator allocator = plain_allocator();
        WfRest rest;
        CHECK(!wf_rest_create(&allocator, &cloth.def, &cloth.topology, &rest));
        WfRest kept = cloth.rest;
        cloth.rest = rest;
        TestTerm* t = make_term(&cloth, 0);
        copy_doubles(t->x, all->x, all->n);
        linearise(t, true);
        t->term->type->product(t->term, &t->space, 1, p, sum);
        close_term(t);
        cloth.rest = kept;
        wf_rest_destroy(&allocator, &rest);
    }
    CHECK_BELOW(largest_difference(q, sum, all->n), 1e-13 * largest(q, all->n));
    for (int i = 0; i < all->n; i++) p[i] = i % 3 + 1, q[i] = 0;
    all->term->type->product(all->term, &all->space, 1, p, q);
    CHECK(largest(q, all->n) == 0);
    free(p), free(q), free(sum);
    close_term(all);
    close_cloth(&cloth);
}

TEST_MAIN(CASE(products), CASE(any_chunks), CASE(bundles), CASE(rows_and_columns))

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the tests of energy terms share: a small cloth among the rows of others, one term on it with
// the motion it is begun with, and dense matrices to hold it against.

#ifndef WEFT_ENERGY_TEST_H
#define WEFT_ENERGY_TEST_H

#include "base/vec.h"
#include "energy/fibre.h"
#include "energy/terms.h"
#include "sparse_test.h"
#include "weft/weft_mesh.h"

// Rows of the model that belong to other cloths, before and after: no term may touch them.
enum { ROWS_BEFORE = 3, ROWS_AFTER = 2 };

static inline WeftAllocator plain_allocator(void) { return wf_allocator(NULL); }
static inline double* new_doubles(long count) { return calloc((size_t)count + 1, sizeof(double)); }
static inline void copy_doubles(double* to, const double* from, long count) {
    memcpy(to, from, (size_t)count * sizeof *to);
}

static inline double largest(const double* a, long count) {
    double most = 0;
    for (long i = 0; i < count; i++) most = fmax(most, fabs(a[i]));
    return most;
}

// largest |a - b|; NaN counts as infinite
static inline double largest_difference(const double* a, const double* b, long count) {
    double most = 0;
    for (long i = 0; i < count; i++) {
        double d = fabs(a[i] - b[i]);
        if (isnan(d)) return (double)INFINITY;
        most = fmax(most, d);
    }
    return most;
}

// A symmetric matrix is positive semidefinite, up to `slack` of its largest diagonal entry: then
// Cholesky goes through with that much added. Overwrites the matrix.
static inline bool is_positive(double* a, int n, double slack) {
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, a[i * n + i]);
    for (int j = 0; j < n; j++) {
        double pivot = a[j * n + j] + slack * most;
        for (int k = 0; k < j; k++) pivot -= a[j * n + k] * a[j * n + k];
        if (!(pivot >= 0)) return false;
        double root = sqrt(pivot);
        a[j * n + j] = root;
        for (int i = j + 1; i < n; i++) {
            double s = a[i * n + j];
            for (int k = 0; k < j; k++) s -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = root > 0 ? s / root : 0;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// A cloth with what its terms are made from

typedef struct TestCloth {
    WeftMesh mesh;
    WeftClothDef def;
    WfTopology topology;
    WfRest rest;
    double* masses;
    int rows;  // of the model
} TestCloth;

// From cloth->mesh and cloth->def (its arrays set by weft_use_mesh or by hand).
static inline void open_cloth(TestCloth* cloth) {
    WeftAllocator allocator = plain_allocator();
    const WeftClothDef* def = &cloth->def;
    WeftError error = {0};
    if (wf_topology_create(&allocator, def->vertex_count, def->triangle_count, def->triangles,
                           &cloth->topology, &error))
        printf("cloth: %s\n", error.message);
    CHECK(wf_rest_create(&allocator, def, &cloth->topology, &cloth->rest) == WEFT_OK);
    cloth->masses = new_doubles(def->vertex_count);
    wf_rest_masses(&cloth->rest, def, cloth->masses);
    cloth->rows = ROWS_BEFORE + def->vertex_count + ROWS_AFTER;
}

static inline void close_cloth(TestCloth* cloth) {
    WeftAllocator allocator = plain_allocator();
    wf_topology_destroy(&allocator, &cloth->topology);
    wf_rest_destroy(&allocator, &cloth->rest);
    free(cloth->masses);
    weft_destroy_mesh(&cloth->mesh);
}

static inline WfClothParts cloth_parts(const TestCloth* cloth, const WeftClothDef* def) {
    return (WfClothParts){.def = def,
                          .cloth = 0,
                          .first_vertex = ROWS_BEFORE,
                          .row_count = cloth->rows,
                          .topology = &cloth->topology,
                          .rest = &cloth->rest,
                          .masses = cloth->masses};
}

// ---------------------------------------------------------------------------------------------
// A term and its motion

typedef struct TestTerm {
    WfTerm* term;
    int rows, n;  // n = 3 rows
    WeftJobs jobs;
    WfTermSpace space;
    double *x, *x1, *x2, *v, *base, *goal;
    unsigned char* pinned;
    WfMotion motion;
    WfPattern pattern;
    WfBlockPattern blocks;
} TestTerm;

typedef struct TestPairs {
    int count;
    int* pairs;
} TestPairs;

static inline void test_visit(void* context, int a, int b) {
    TestPairs* list = context;
    if (list->pairs) {
        list->pairs[2 * list->count] = a;
        list->pairs[2 * list->count + 1] = b;
    }
    list->count++;
}

static inline void open_patterns(TestTerm* t) {
    WeftAllocator allocator = plain_allocator();
    TestPairs list = {0};
    const WfTermClass* type = t->term->type;
    if (type->pairs) type->pairs(t->term, test_visit, &list);
    list.pairs = malloc(((size_t)list.count * 2 + 1) * sizeof(int));
    list.count = 0;
    if (type->pairs) type->pairs(t->term, test_visit, &list);
    CHECK(!wf_pattern_create(&allocator, t->rows, list.count, list.pairs, &t->pattern));
    CHECK(!wf_block_pattern_create(&allocator, t->rows, list.count, list.pairs, &t->blocks));
    if (type->bind) CHECK(!type->bind(&allocator, t->term, &t->blocks));
    free(list.pairs);
}

// Takes over the term.
static inline TestTerm* open_term(WfTerm* term, int rows) {
    TestTerm* t = calloc(1, sizeof *t);
    t->term = term;
    t->rows = rows;
    t->n = 3 * rows;
    t->jobs.thread_count = 1;
    size_t memory, scratch, partial;
    term->type->count(term, &memory, &scratch, &partial);
    t->space = (WfTermSpace){new_doubles((long)memory),
                             new_doubles((long)scratch),
                             new_doubles((long)partial),
                             &t->jobs,
                             1,
                             0,
                             NULL};
    double** arrays[] = {&t->x, &t->x1, &t->x2, &t->v, &t->base, &t->goal};
    for (int i = 0; i < 6; i++) *arrays[i] = new_doubles(t->n);
    t->pinned = calloc((size_t)rows, 1);
    open_patterns(t);
    return t;
}

static inline void close_term(TestTerm* t) {
    WeftAllocator allocator = plain_allocator();
    t->term->type->destroy(&allocator, t->term);
    wf_pattern_destroy(&allocator, &t->pattern);
    wf_block_pattern_destroy(&allocator, &t->blocks);
    double* arrays[] = {
        t->space.memory, t->space.scratch, t->space.partial, t->x, t->x1, t->x2, t->v,
        t->base,         t->goal};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
    free(t->pinned);
    free(t);
}

// Begin a step of h by implicit Euler (order 1) or BDF2 (order 2) from the arrays as they are.
static inline void begin_term(TestTerm* t, double h, int order) {
    bool second = order == 2;
    t->motion = (WfMotion){.vertex_count = t->rows,
                           .h = h,
                           .gamma = second ? 2 * h / 3 : h,
                           .base_weights = {second ? 4.0 / 3 : 1, second ? -1.0 / 3 : 0},
                           .x = t->x,
                           .x1 = t->x1,
                           .x2 = t->x2,
                           .v = t->v,
                           .v1 = t->v,
                           .base = t->base,
                           .drift = t->v,
                           .pinned = t->pinned,
                           .goal = t->goal};
    const double* w = t->motion.base_weights;
    for (int i = 0; i < t->n; i++) t->base[i] = w[0] * t->x[i] + w[1] * t->x1[i];
    if (t->term->type->begin) t->term->type->begin(t->term, &t->space, &t->motion);
}

static inline void reset_term(TestTerm* t) {
    if (t->term->type->reset) t->term->type->reset(t->term, &t->space, t->x);
}

static inline double energy_at(const TestTerm* t, const double* x) {
    return t->term->type->evaluate(t->term, &t->space, x, 0, 1, NULL);
}

// f = force at x; returns the energy
static inline double force_at(const TestTerm* t, const double* x, double* f) {
    memset(f, 0, (size_t)t->n * sizeof *f);
    return t->term->type->evaluate(t->term, &t->space, x, WF_WANT_FORCE, 1, f);
}

// ---------------------------------------------------------------------------------------------
// Dense matrices, n x n; free them

static inline double* dense_product(const TestTerm* t) {
    int n = t->n;
    double *K = new_doubles((long)n * n), *p = new_doubles(n);
    for (int j = 0; j < n; j++) {
        p[j] = 1;
        t->term->type->product(t->term, &t->space, 1, p, K + (long)j * n);
        p[j] = 0;
    }
    free(p);
    return K;  // columns as rows: K is symmetric, which the blocks confirm
}

static inline void sym_to_dense(const double* s, double* m, int n) {
    static const int at[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) m[a * n + b] = s[at[3 * a + b]];
}

static inline double* dense_blocks(const WfBlockMatrix* matrix) {
    const WfBlockPattern* p = matrix->pattern;
    int n = 3 * p->n;
    double* K = new_doubles((long)n * n);
    for (int i = 0; i < p->n; i++) {
        sym_to_dense(matrix->diagonal + 6 * i, K + 3 * i * n + 3 * i, n);
        for (int e = p->start[i]; e < p->start[i + 1]; e++)
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++) {
                    int row = 3 * i + a, column = 3 * p->index[e] + b;
                    K[row * n + column] = K[column * n + row] = matrix->upper[9 * e + 3 * a + b];
                }
    }
    return K;
}

// a scalar matrix, the same for x, y and z
static inline double* dense_scalar(const WfPattern* p, const double* values) {
    int n = 3 * p->n;
    double* K = new_doubles((long)n * n);
    for (int i = 0; i < p->n; i++)
        for (int e = p->start[i]; e < p->start[i + 1]; e++)
            for (int a = 0; a < 3; a++) K[(3 * i + a) * n + 3 * p->index[e] + a] = values[e];
    return K;
}

static inline double* dense_majorant(const TestTerm* t) {
    double* values = new_doubles(t->pattern.start[t->rows]);
    t->term->type->majorant(t->term, t->motion.gamma, 1, &t->pattern, values);
    double* K = dense_scalar(&t->pattern, values);
    free(values);
    return K;
}

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards kernels that are compiled twice: those with longer vectors give the same bits as those for
// every machine, and touch no more memory. Where the machine has no others, both are the same.

#include "energy/fibre_job.h"
#include "energy_test.h"
#include "sparse/product.h"

// ---------------------------------------------------------------------------------------------
// Products

static void scalar_rows(void) {
    enum { N = 61, PAIRS = 300 };
    WeftAllocator allocator = plain_allocator();
    for (int trial = 0; trial < 50; trial++) {
        int pairs[2 * PAIRS], n = 1 + random_below(N);
        for (int i = 0; i < 2 * PAIRS; i++) pairs[i] = random_below(n);
        WfPattern pattern;
        CHECK(wf_pattern_create(&allocator, n, PAIRS, pairs, &pattern) == WEFT_OK);
        // exactly as long as they must be, for sanitizers to see what is read beyond
        size_t bytes = 3 * (size_t)n * sizeof(double);
        double *p = malloc(bytes), *q[2] = {malloc(bytes), malloc(bytes)};
        double* values = new_doubles(pattern.start[n]);
        for (int i = 0; i < 3 * n; i++) p[i] = random_unit();
        for (int e = 0; e < pattern.start[n]; e++) values[e] = random_unit();
        for (int k = 0; k < 2; k++) {
            WfScalarJob job = {&pattern, values, p, q[k]};
            (k ? wf_product_wide() : &wf_product_plain)->scalar_rows(&job, 0, n);
        }
        CHECK(memcmp(q[0], q[1], bytes) == 0);
        free(p), free(q[0]), free(q[1]), free(values);
        wf_pattern_destroy(&allocator, &pattern);
    }
}

// ---------------------------------------------------------------------------------------------
// Fibres

enum { VERTICES = 40, ELEMENTS = 203 };

// Vertices at random, all different within an element; springs often go on from the same one.
static void fill_vertices(WfFibreTerm* t) {
    for (int e = 0; e < t->element_count; e++) {
        int *v = t->vertices + e * t->arity, shift = 1 + random_below(7);
        v[0] = e > 0 && random_below(3) ? v[-t->arity] : random_below(VERTICES);
        for (int a = 1; a < t->arity; a++) v[a] = (v[0] + a * shift) % VERTICES;
    }
}

static WfFibreTerm* open_fibres(WfFibreShape shape) {
    static const WfTermClass type = {.name = "any"};
    WeftAllocator allocator = plain_allocator();
    WeftClothDef def = {.vertex_count = VERTICES};
    WfClothParts parts = {.def = &def, .row_count = VERTICES};
    WfFibreTerm* t = wf_fibre_create(&allocator, &type, &parts, shape, ELEMENTS, 0);
    CHECK(t != NULL);
    fill_vertices(t);
    int fibres = t->element_count * t->fibres;
    for (int i = 0; i < fibres; i++) {
        t->stiffness[i] = 2 + random_unit();
        t->length[i] = 0.5 + 0.4 * random_unit();
    }
    for (int i = 0; t->coefficients && i < fibres * t->arity; i++)
        t->coefficients[i] = random_unit();
    return t;
}

// What a kernel made of it.
typedef struct Made {
    double energy, f[3 * VERTICES], q[3 * VERTICES], kept[WF_FIBRE_KEPT * 4 * ELEMENTS];
} Made;

static void run_kernel(const WfFibreKernel* kernel, const WfFibreTerm* t, const double* x,
                       const double* firming, unsigned want, Made* made) {
    *made = (Made){0};
    WfTermSpace space = {.partial = &made->energy, .give = 0.01, .firming = firming};
    WfFibreJob job = {.t = t,
                      .space = &space,
                      .x = x,
                      .f = made->f,
                      .scale = -0.3,
                      .want = want,
                      .keep = {1.1, t->length, made->kept}};
    kernel->evaluate(&job, 0, 0, t->element_count);
    job.f = made->q;
    kernel->product(&job, 0, 0, t->element_count);
}

static void check_fibres(const WfFibreTerm* t) {
    static const unsigned wants[] = {0,
                                     WF_WANT_FORCE,
                                     WF_WANT_LINEARISE,
                                     WF_WANT_FORCE | WF_WANT_LINEARISE,
                                     WF_WANT_LINEARISE | WF_WANT_EXACT,
                                     WF_WANT_LINEARISE | WF_WANT_SMOOTHED};
    static Made plain, wide;
    double *x = malloc(3 * VERTICES * sizeof *x), firming[VERTICES];
    for (int i = 0; i < 3 * VERTICES; i++) x[i] = random_unit();
    for (int i = 0; i < VERTICES; i++) firming[i] = 1.5 + random_unit();
    for (int i = 0; i < 3; i++) x[3 + i] = x[i];  // of no length
    for (size_t w = 0; w < sizeof wants / sizeof *wants; w++) {
        run_kernel(&wf_fibre_plain, t, x, firming, wants[w], &plain);
        run_kernel(wf_fibre_wide(), t, x, firming, wants[w], &wide);
        CHECK(memcmp(&plain, &wide, sizeof plain) == 0);
        CHECK((largest(plain.f, 3 * VERTICES) > 0) == !!(wants[w] & WF_WANT_FORCE));
        CHECK((largest(plain.q, 3 * VERTICES) > 0) == !!(wants[w] & WF_WANT_LINEARISE));
    }
    free(x);
}

static void fibres(void) {
    WeftAllocator allocator = plain_allocator();
    for (int shape = WF_FIBRE_SPRING; shape <= WF_FIBRE_ROPE_HINGE; shape++)
        for (int kind = 0; kind < 3; kind++) {
            WfFibreTerm* t = open_fibres((WfFibreShape)shape);
            t->one_sided = kind == 1;
            t->gives = kind == 2;
            check_fibres(t);
            wf_fibre_destroy(&allocator, &t->term);
        }
}

TEST_MAIN(CASE(scalar_rows), CASE(fibres))

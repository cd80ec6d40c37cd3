// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "energy/element.h"

#include <math.h>

#include "base/memory.h"

enum { CHUNK = 512 };

WeftResult wf_element_finish(const WeftAllocator* allocator, const WfClothParts* parts,
                             WfElementTerm* t) {
    return wf_scatter_create(allocator, parts->row_count, t->element_count, t->arity, t->vertices,
                             CHUNK, &t->scatter);
}

void wf_element_destroy(const WeftAllocator* allocator, WfElementTerm* t) {
    wf_free(allocator, t->vertices);
    wf_free(allocator, t->places);
    wf_scatter_destroy(allocator, &t->scatter);
    wf_free(allocator, t);
}

static void run(WfScatterBody* body, WfElementJob job) {
    const WfElementTerm* t = (const WfElementTerm*)job.term;
    wf_scatter_run(&t->scatter, job.space->jobs, body, &job);
}

static const WfElementBodies* bodies(const WfTerm* term) {
    return ((const WfElementTerm*)term)->bodies;
}

double wf_element_evaluate(const WfTerm* term, const WfTermSpace* space, const double* x,
                           unsigned want, double scale, double* f) {
    run(bodies(term)->evaluate,
        (WfElementJob){.term = term, .space = space, .x = x, .f = f, .scale = scale, .want = want});
    double energy = 0;
    int count = ((const WfElementTerm*)term)->scatter.chunk_count;
    for (int c = 0; c < count; c++) energy += space->partial[c];
    return energy;
}

void wf_element_product(const WfTerm* term, const WfTermSpace* space, double scale, const double* p,
                        double* q) {
    run(bodies(term)->product,
        (WfElementJob){.term = term, .space = space, .x = p, .f = q, .scale = scale});
}

void wf_element_diagonal(const WfTerm* term, const WfTermSpace* space, double scale, double* D) {
    run(bodies(term)->blocks, (WfElementJob){.term = term, .space = space, .f = D, .scale = scale});
}

void wf_element_blocks(const WfTerm* term, const WfTermSpace* space, double scale,
                       const WfBlockMatrix* matrix) {
    run(bodies(term)->blocks,
        (WfElementJob){
            .term = term, .space = space, .f = matrix->diagonal, .scale = scale, .matrix = matrix});
}

WeftResult wf_element_bind(const WeftAllocator* allocator, WfTerm* term,
                           const WfBlockPattern* pattern) {
    WfElementTerm* t = (WfElementTerm*)term;
    size_t pairs = (size_t)(t->arity * (t->arity - 1) / 2);
    t->places = wf_alloc(allocator, pairs * (size_t)t->element_count, sizeof(int));
    if (!t->places) return WEFT_ERROR_MEMORY;
    wf_block_places(pattern, t->element_count, t->arity, t->vertices, t->places);
    return WEFT_OK;
}

void wf_element_pairs(const WfTerm* term, void (*visit)(void* context, int a, int b),
                      void* context) {
    const WfElementTerm* t = (const WfElementTerm*)term;
    for (int e = 0; e < t->element_count; e++) {
        const int* v = t->vertices + (long)e * t->arity;
        for (int a = 0; a < t->arity; a++)
            for (int b = a + 1; b < t->arity; b++) visit(context, v[a], v[b]);
    }
}

void wf_element_damp(const WfTerm* term, const WfTermSpace* space, const double* x, const double* v,
                     double scale, double* f) {
    if (((const WfElementTerm*)term)->zeta <= 0) return;
    run(bodies(term)->damp,
        (WfElementJob){.term = term, .space = space, .x = x, .v = v, .f = f, .scale = scale});
}

// ---------------------------------------------------------------------------------------------
// Local forms

static const double NO_COMPLIANCE = 1e20;  // 1/k of what has none
static const double LEAST_SHEAR = 1e-6;    // of the other stiffness: what there is at least

float wf_compliance(double stiffness) {
    return (float)(stiffness > 1 / NO_COMPLIANCE ? 1 / stiffness : NO_COMPLIANCE);
}

void wf_write_axes(const double c[6], float* numbers) {
    numbers[0] = (float)c[1], numbers[1] = (float)c[2];
    numbers[2] = (float)c[4], numbers[3] = (float)c[5];
}

void wf_write_elastic(const WfElastic* c, double area, double load, float* numbers) {
    double det = area * (c->c11 * c->c22 - c->c12 * c->c12);
    double shear = fmax(c->c33, LEAST_SHEAR * (c->c11 + c->c22));
    numbers[0] = (float)(c->c22 / det), numbers[1] = (float)(-c->c12 / det);
    numbers[2] = (float)(c->c11 / det), numbers[3] = (float)(2 / (shear * area));
    numbers[4] = (float)(load * area);
}

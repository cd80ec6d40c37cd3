// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Terms over elements of a few vertices each: what membranes, bars, shear, area and curvature have
// in common. Such a term begins with a WfElementTerm and brings the bodies of the loops; who calls
// them, in which order sums are taken, and where blocks stand is the same for all. (Fibres have
// kernels of their own, fibre.h.)

#ifndef WF_ENERGY_ELEMENT_H
#define WF_ENERGY_ELEMENT_H

#include "energy/parts.h"
#include "material/elastic.h"

// What a body works on.
typedef struct WfElementJob {
    const WfTerm* term;
    const WfTermSpace* space;
    const double *x, *v;
    double *f, scale;
    unsigned want;
    const WfBlockMatrix* matrix;
} WfElementJob;

// context is a WfElementJob.
typedef struct WfElementBodies {
    WfScatterBody* evaluate;  // energy of the chunk into space->partial[chunk], and what is wanted
    WfScatterBody* product;   // of the vector x, added to f
    WfScatterBody* blocks;    // diagonal blocks into f; the others, where matrix is not NULL
    WfScatterBody* damp;      // of terms that have wf_element_damp
} WfElementBodies;

typedef struct WfElementTerm {
    WfTerm term;
    const WfElementBodies* bodies;
    int arity, element_count;
    int* vertices;  // arity per element
    double zeta;    // s: damping over stiffness
    WfScatter scatter;
    int* places;  // arity (arity - 1)/2 per element, in the block pattern
} WfElementTerm;

// Colours the elements, once their vertices are known.
WeftResult wf_element_finish(const WeftAllocator*, const WfClothParts*, WfElementTerm*);
// Frees what is above, and the term itself.
void wf_element_destroy(const WeftAllocator*, WfElementTerm*);

// Numbers of local forms. 1/k, of what has no stiffness 1e20; of a triangle the coefficients of Su
// and Sv; and what its Green's strain has for a step, by its area: compliance (uu, uv, vv, and that
// of 2 e_uv) and the load it carries where it is pressed.
float wf_compliance(double stiffness);
void wf_write_axes(const double coefficients[6], float* numbers);
void wf_write_elastic(const WfElastic*, double area, double load, float* numbers);

#define WF_ELEMENT_CLASS                                                                       \
    .kind = WF_TERM_NONLINEAR, .evaluate = wf_element_evaluate, .product = wf_element_product, \
    .diagonal = wf_element_diagonal, .blocks = wf_element_blocks, .bind = wf_element_bind,     \
    .pairs = wf_element_pairs

double wf_element_evaluate(const WfTerm*, const WfTermSpace*, const double* x, unsigned want,
                           double scale, double* f);
void wf_element_product(const WfTerm*, const WfTermSpace*, double scale, const double* p,
                        double* q);
void wf_element_diagonal(const WfTerm*, const WfTermSpace*, double scale, double* D);
void wf_element_blocks(const WfTerm*, const WfTermSpace*, double scale, const WfBlockMatrix*);
WeftResult wf_element_bind(const WeftAllocator*, WfTerm*, const WfBlockPattern*);
void wf_element_pairs(const WfTerm*, void (*visit)(void* context, int a, int b), void* context);
void wf_element_damp(const WfTerm*, const WfTermSpace*, const double* x, const double* v,
                     double scale, double* f);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Fibres: what springs, triangles and hinges have in common. An element joins A vertices and holds
// F fibres, each a vector w = sum c_a x_a with a rest length L and a stiffness k:
//
//     spring      A = 2, F = 1    w = x_j - x_i
//     triangle    A = 3, F = 2    w = Su, Sv                     L = 1, k = area * stiffness
//                 A = 3, F = 4    w = Su, Sv, (Su +- Sv)/sqrt 2
//     hinge       A = 4, F = 1    w = the bending vector         L = 0
//     rope hinge  A = 3, F = 1    w = the change of direction    L = 0
//
// conventional (fibre.c):         E = k/2 (|w| - L)^2
// ... that gives way, pressed:    E = k s^2/(1 + r), s = |w| - L < 0, r = sqrt(1 + (s/(give L))^2)
// linear (fibre_linear.c):        E = k/2 |w - T|^2, T a target held during the step
//
// Stiffness-proportional damping (zeta seconds) acts on the length, not on the vector, so that it
// never brakes a turning cloth: E += (zeta/gamma) k/2 (|w| - l~)^2, where l~ is the length that x~
// stands for, (4 l(n) - l(n-1))/3 or l(n). With r = zeta/gamma that is, up to a constant, one fibre
// of stiffness k (1 + r) and rest length (L + r l~)/(1 + r): nothing else changes, in any method.
//
// Softened, an element has its stiffest fibre scaled down, and others only where they would be
// stiffer than that: the shear of cloth, soft as it is, shapes its folds.

#ifndef WF_ENERGY_FIBRE_H
#define WF_ENERGY_FIBRE_H

#include "base/simd.h"
#include "base/vec.h"
#include "energy/parts.h"
#include "weft/weft_study.h"

typedef enum WfFibreShape {
    WF_FIBRE_SPRING,
    WF_FIBRE_AXES,
    WF_FIBRE_TRIANGLE,
    WF_FIBRE_HINGE,
    WF_FIBRE_ROPE_HINGE
} WfFibreShape;

// Springs of threads that are walked side by side (thread.c).
typedef struct WfBundle {
    int first;  // spring; then `width` springs per step along the threads
    int width;
} WfBundle;

typedef struct WfFibreTerm {
    WfTerm term;
    WfFibreShape shape;
    int arity, fibres;  // A, F
    int element_count;
    int first_vertex, vertex_count;
    int* vertices;         // A per element
    double* coefficients;  // A F per element, fibre by fibre; NULL for springs: (-1, 1)
    double* stiffness;     // F per element
    double* length;        // F per element
    double zeta;           // s
    bool one_sided;        // conventional: pulls and never pushes
    bool gives;            // gives way where it is pressed, by the strain of the space
    int chunk;             // elements per chunk; thread.c has its own
    WfScatter scatter;
    int* places;              // A (A - 1)/2 per element in the block pattern (conventional)
    WeftEstimator estimator;  // linear
    double weights[3];
    bool unnormalised;
    int bundle_count;   // threads
    WfBundle* bundles;  // and one more, where the springs end
} WfFibreTerm;

// Room for `element_count` elements; the caller fills the arrays, then calls finish.
WfFibreTerm* wf_fibre_create(const WeftAllocator*, const WfTermClass*, const WfClothParts*,
                             WfFibreShape, int element_count, double zeta);
// Colours the elements. Returns the term, or NULL (and frees it) for lack of memory.
WfTerm* wf_fibre_finish(const WeftAllocator*, const WfClothParts*, WfFibreTerm*);
// The estimator of the cloth, for linear terms.
void wf_fibre_use_estimator(WfFibreTerm*, const WeftClothDef*);
// How many of a cloth's springs are for bending, or are not.
int wf_spring_count(const WfRest*, bool bend);
// Springs of a cloth as fibres, without those for bending; triangles as fibres (warp and weft, and
// the diagonals unless the shear is a product).
WfTerm* wf_fibre_springs(const WeftAllocator*, const WfTermClass*, const WfClothParts*);
WfTerm* wf_fibre_triangles(const WeftAllocator*, const WfTermClass*, const WfClothParts*);
// The linearisation of a conventional term, WF_FIBRE_KEPT doubles per fibre: u, a, b (fibre.c).
enum { WF_FIBRE_KEPT = 5 };
const double* wf_fibre_kept(const WfFibreTerm*, const WfTermSpace*);
// Coefficients of Su and Sv of a triangle with flat corners u0 v0 u1 v1 u2 v2.
void wf_triangle_axes(const double corners[6], double cu[3], double cv[3]);

// Class functions that both kinds share.
void wf_fibre_destroy(const WeftAllocator*, WfTerm*);
void wf_fibre_pairs(const WfTerm*, void (*visit)(void* context, int a, int b), void* context);
void wf_fibre_majorant(const WfTerm*, double gamma, double scale, const WfPattern*, double* values);
void wf_fibre_softened_majorant(const WfTerm*, double gamma, double firm, double scale,
                                const WfPattern*, double* values);
void wf_fibre_damp(const WfTerm*, const WfTermSpace*, const double* x, const double* v,
                   double scale, double* f);

// The functions of a conventional term, and of a linear one.
#define WF_FIBRE_CONVENTIONAL_BUT_PRODUCT                                                  \
    .kind = WF_TERM_NONLINEAR, .local = WF_LOCAL_FIBRES, .destroy = wf_fibre_destroy,      \
    .count = wf_fibre_count,                                                               \
    .begin = wf_fibre_begin, .evaluate = wf_fibre_evaluate, .diagonal = wf_fibre_diagonal, \
    .blocks = wf_fibre_blocks, .bind = wf_fibre_bind, .pairs = wf_fibre_pairs,             \
    .majorant = wf_fibre_majorant, .softened_majorant = wf_fibre_softened_majorant,        \
    .damp = wf_fibre_damp
#define WF_FIBRE_CONVENTIONAL WF_FIBRE_CONVENTIONAL_BUT_PRODUCT, .product = wf_fibre_product
#define WF_FIBRE_LINEAR                                                                     \
    .kind = WF_TERM_LINEAR, .destroy = wf_fibre_destroy, .count = wf_linear_count,          \
    .reset = wf_linear_reset, .turn = wf_linear_turn, .begin = wf_linear_begin,             \
    .evaluate = wf_linear_evaluate, .pairs = wf_fibre_pairs, .majorant = wf_fibre_majorant, \
    .softened_majorant = wf_fibre_softened_majorant, .load = wf_linear_load, .damp = wf_fibre_damp

void wf_fibre_count(const WfTerm*, size_t* memory, size_t* scratch, size_t* partial);
void wf_fibre_begin(const WfTerm*, const WfTermSpace*, const WfMotion*);
double wf_fibre_evaluate(const WfTerm*, const WfTermSpace*, const double* x, unsigned want,
                         double scale, double* f);
void wf_fibre_product(const WfTerm*, const WfTermSpace*, double scale, const double* p, double* q);
void wf_fibre_diagonal(const WfTerm*, const WfTermSpace*, double scale, double* D);
void wf_fibre_blocks(const WfTerm*, const WfTermSpace*, double scale, const WfBlockMatrix*);
WeftResult wf_fibre_bind(const WeftAllocator*, WfTerm*, const WfBlockPattern*);

void wf_linear_count(const WfTerm*, size_t* memory, size_t* scratch, size_t* partial);
void wf_linear_reset(const WfTerm*, const WfTermSpace*, const double* x);
void wf_linear_turn(const WfTerm*, const WfTermSpace*, const double axes[9]);
void wf_linear_begin(const WfTerm*, const WfTermSpace*, const WfMotion*);
double wf_linear_evaluate(const WfTerm*, const WfTermSpace*, const double* x, unsigned want,
                          double scale, double* f);
void wf_linear_load(const WfTerm*, const WfTermSpace*, double scale, double* b);

// ---------------------------------------------------------------------------------------------
// Inside the kernels. They are written once for any A and F and called with constants, so that the
// compiler unrolls them.

#define WF_KERNEL static WF_INLINE

// Whether pressed fibres give way in this step.
static inline bool wf_fibre_gives(const WfFibreTerm* t, const WfTermSpace* space) {
    return t->gives && space->give > 0;
}

// Of the smoothed Jacobian, L/l (l/L - 0.8)/0.2 by q = L/l: below 0.8 of the rest length, as in the
// paper, it is negative, and nothing is left.
WF_KERNEL double wf_fibre_fading(double q) { return (1 - 0.8 * q) / (1 - 0.8); }

#define WF_FIBRE_CALL(kernel, t, ...)      \
    do {                                   \
        switch ((t)->shape) {              \
            case WF_FIBRE_SPRING:          \
                kernel(__VA_ARGS__, 2, 1); \
                break;                     \
            case WF_FIBRE_AXES:            \
                kernel(__VA_ARGS__, 3, 2); \
                break;                     \
            case WF_FIBRE_TRIANGLE:        \
                kernel(__VA_ARGS__, 3, 4); \
                break;                     \
            case WF_FIBRE_HINGE:           \
                kernel(__VA_ARGS__, 4, 1); \
                break;                     \
            case WF_FIBRE_ROPE_HINGE:      \
                kernel(__VA_ARGS__, 3, 1); \
                break;                     \
        }                                  \
    } while (0)

// coefficient of vertex a in fibre f of element e
WF_KERNEL double wf_fibre_c(const WfFibreTerm* t, int e, int f, int a, int A, int F) {
    return A == 2 ? (a ? 1.0 : -1.0) : t->coefficients[((long)e * F + f) * A + a];
}

// Stiffness of the fibres of an element, to be multiplied with the scale of the caller; firm is one
// over what is in it of softening, or not above 1.
WF_KERNEL void wf_fibre_stiffness(const WfFibreTerm* t, double firm, int e, double* k, int F) {
    const double* all = t->stiffness + (long)e * F;
    for (int f = 0; f < F; f++) k[f] = all[f];
    if (F == 1 || !(firm > 1)) return;
    double most = all[0];
    for (int f = 1; f < F; f++) most = all[f] > most ? all[f] : most;
    for (int f = 0; f < F; f++) k[f] = firm * k[f] < most ? firm * k[f] : most;
}

// w = sum c_a x_a
WF_KERNEL WfVec wf_fibre_w(const WfFibreTerm* t, const WfVec* xs, int e, int f, int A, int F) {
    if (A == 2) return wf_sub(xs[1], xs[0]);
    WfVec w = {0, 0, 0};
    for (int a = 0; a < A; a++) w = wf_madd(w, wf_fibre_c(t, e, f, a, A, F), xs[a]);
    return w;
}

WF_KERNEL void wf_fibre_load(const WfFibreTerm* t, const double* x, int e, WfVec* xs, int A) {
    for (int a = 0; a < A; a++) xs[a] = wf_load(x, t->vertices[(long)e * A + a]);
}

#endif

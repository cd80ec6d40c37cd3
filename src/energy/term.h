// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The one contract of energy terms. A method sees cloth only through it: terms never know their
// method, methods never name a term. A new term is one file, one row in the table of terms.c and
// one row in the finite-difference test.
//
// A term belongs to one of three kinds:
//
//   nonlinear  has an energy E(x), force F = -dE/dx and stiffness K = -dF/dx that change with x.
//              Most have a constant scalar matrix that majorises every K ("majorant").
//   linear     E = 1/2 x.Kx - b.x + const with a constant scalar K; b (the load) is set once per
//              step from the motion so far. Its majorant is K itself.
//   external   a force from positions and velocities at the start of the step; no stiffness.
//
// Nonlinear and linear terms count as external, too, where the user wants them explicit.
//
// Inside a step of length h the velocity at the end is v' = (x' - x~)/gamma (gamma = h and x~ =
// x(n) for implicit Euler; 2h/3 and (4 x(n) - x(n-1))/3 for BDF2). Damping terms are energies in x'
// by it.

#ifndef WF_ENERGY_TERM_H
#define WF_ENERGY_TERM_H

#include "base/scatter.h"
#include "sparse/blocks.h"
#include "weft/weft.h"

// What is known about the motion before a step is solved.
typedef struct WfMotion {
    int vertex_count;
    double h, gamma;
    double base_weights[2];       // x~ = base_weights[0] x + base_weights[1] x1
    double drift_weights[2];      // v~ = drift_weights[0] v + drift_weights[1] v1
    const double *x, *x1, *x2;    // positions at n, n-1, n-2
    const double *v, *v1;         // velocities at n, n-1
    const double *base, *drift;   // x~, v~
    const unsigned char* pinned;  // per vertex
    const double* goal;           // where pinned vertices will be at the end of the step
    double gravity[3], wind[3], air_density;
    const double* pushes;  // m/s^2, per vertex, beside gravity; NULL: none
    // What cloth is driven towards, per vertex: where it is at the end, and its velocity; and how
    // hard, per cloth, 0 to 1. NULL: where the cloth is, and with all force.
    const double *skin, *skin_velocity, *drives;
    const double* airflow;  // m/s, per vertex: instead of `wind`, where it is not NULL
    const double* axes;     // of the world, 3 vectors; NULL: x, y, z
    double still[3];        // m/s: the velocity of what does not move at the origin,
    double spin[3];         // rad/s, and by which it turns (sim/space.h)
} WfMotion;

typedef enum WfTermKind { WF_TERM_NONLINEAR, WF_TERM_LINEAR, WF_TERM_EXTERNAL } WfTermKind;

// What the energy is called when it is measured.
typedef enum WfTermRole {
    WF_ROLE_STRETCH,
    WF_ROLE_BEND,
    WF_ROLE_GRAVITY,
    WF_ROLE_OTHER
} WfTermRole;

// What methods make of a term that bring it to rest element by element (src/small_steps/).
typedef enum WfLocalForm {
    WF_LOCAL_NONE,    // nothing
    WF_LOCAL_FIBRES,  // it is made of fibres (fibre.h)
    // Elements (element.h), whose numbers come from `local_numbers` and `local_begin`:
    WF_LOCAL_STRAIN,   // triangles of Green's strain
    WF_LOCAL_PRODUCT,  // triangles, Su . Sv
    WF_LOCAL_ANGLE,    // hinges by their angle
    WF_LOCAL_ACROSS,   // fibres that reach across a mirror (across.h)
    WF_LOCAL_HOLD,     // it holds vertices, each by itself, throughout the step (`hold`)
    WF_LOCAL_FOLLOW,   // the same, to what moves in each substep
    WF_LOCAL_FORCE,    // a force that lasts for the step, and its `brake`
    WF_LOCAL_PUSH,     // a force that is found anew in each substep
} WfLocalForm;

// What holds a vertex at the end of a step, the force pull - stiffness x' - damping v'.
typedef struct WfRestraint {
    double stiffness, damping;  // N/m, N s/m
    double pull[3];             // N
} WfRestraint;

// What evaluate shall do besides returning the energy.
enum {
    WF_WANT_FORCE = 1,      // f += scale * F
    WF_WANT_LINEARISE = 2,  // keep what product, diagonal and blocks need, clamped to K >= 0
    WF_WANT_EXACT = 4,      // ... not clamped (with WF_WANT_LINEARISE)
    // ... or another Jacobian of the literature, of terms made of fibres; others keep their own
    WF_WANT_ONE_SIDED = 8,
    WF_WANT_SMOOTHED = 16,
    WF_WANT_AXIAL = 32,
    WF_WANT_SCALAR = 64,
    WF_WANT_OTHER = WF_WANT_ONE_SIDED | WF_WANT_SMOOTHED | WF_WANT_AXIAL | WF_WANT_SCALAR,
};

typedef struct WfTerm WfTerm;

// Memory a term has per state: `memory` is part of the state (kept between steps, saved, hashed),
// `scratch` is not.
typedef struct WfTermSpace {
    double *memory, *scratch;
    double* partial;  // one double per chunk of elements, for sums in a fixed order
    const WeftJobs* jobs;
    // Where the term is softened: one over the factor in every `scale`. 0 or 1: it is not.
    double firm;
    // The strain by which it gives way where it is pressed, of its softened stiffness. 0: never.
    double give;
    const double* firming;  // per vertex: times that. NULL: 1
} WfTermSpace;

// The strain by which an element gives way: `give`, and as much more as its vertices say.
static inline double wf_give_at(const WfTermSpace* space, const int* vertices, int count) {
    double sum = 0;
    if (!space->firming) return space->give;
    for (int i = 0; i < count; i++) sum += space->firming[vertices[i]];
    return space->give * sum / count;
}

typedef struct WfTermClass {
    const char* name;
    WfTermKind kind;
    WfTermRole role;
    WfLocalForm local;
    bool unbounded;  // no constant matrix majorises K; `majorant` is then that of the rest shape
    const char* instead;  // of unbounded ones: what the prefactored method takes in its place
    void (*destroy)(const WeftAllocator*, WfTerm*);
    void (*count)(const WfTerm*, size_t* memory, size_t* scratch, size_t* partial);  // doubles

    // Start of a state's life: what `memory` holds at positions x.
    void (*reset)(const WfTerm*, const WfTermSpace*, const double* x);
    // Turn vectors in `memory`: x, y and z become these axes.
    void (*turn)(const WfTerm*, const WfTermSpace*, const double axes[9]);
    // Start of a step: targets, rest lengths and loads from the motion.
    void (*begin)(const WfTerm*, const WfTermSpace*, const WfMotion*);

    // Energy at x; with WF_WANT_..., what else.
    double (*evaluate)(const WfTerm*, const WfTermSpace*, const double* x, unsigned want,
                       double scale, double* f);
    // With the last linearisation: q += scale K p; D += scale (diagonal blocks of K, 6 numbers per
    // vertex); blocks += scale K.
    void (*product)(const WfTerm*, const WfTermSpace*, double scale, const double* p, double* q);
    void (*diagonal)(const WfTerm*, const WfTermSpace*, double scale, double* D);
    void (*blocks)(const WfTerm*, const WfTermSpace*, double scale, const WfBlockMatrix*);
    // Find the term's places in the block pattern; once, when the system is made.
    WeftResult (*bind)(const WeftAllocator*, WfTerm*, const WfBlockPattern*);

    // The constant scalar matrix: pairs of vertices it joins (visited in a fixed order), and
    // values[...] += scale * (majorant of K) in the pattern's order. Damping depends on gamma.
    void (*pairs)(const WfTerm*, void (*visit)(void* context, int a, int b), void* context);
    void (*majorant)(const WfTerm*, double gamma, double scale, const WfPattern*, double* values);
    // The same of a softened term, where that is more than another scale: `firm` as in the space.
    void (*softened_majorant)(const WfTerm*, double gamma, double firm, double scale,
                              const WfPattern*, double* values);
    // Of terms across a mirror: the majorant for motion along its normal (across.h). NULL: the
    // same.
    void (*normal_majorant)(const WfTerm*, double gamma, double scale, const WfPattern*,
                            double* values);
    // Linear terms: b += scale * load.
    void (*load)(const WfTerm*, const WfTermSpace*, double scale, double* b);

    // f += scale * force by velocities v at positions x (explicit damping).
    void (*damp)(const WfTerm*, const WfTermSpace*, const double* x, const double* v, double scale,
                 double* f);
    // Local forms of elements: numbers of one, and those that it has for a step from x on; as many
    // and in the order that its sweep has them (small_steps/*_sweep.h).
    void (*local_numbers)(const WfTerm*, int element, float* numbers);
    void (*local_begin)(const WfTerm*, const WfTermSpace*, const double* x, int element,
                        float* numbers);
    // Local forms of vertices: holds += what holds each of the term's. It may leave its scratch.
    void (*hold)(const WfTerm*, const WfTermSpace*, const WfMotion*, WfRestraint* holds);
    // External terms: f += force at the start of the step.
    void (*external)(const WfTerm*, const WfTermSpace*, const WfMotion*, double* f);
    // External terms: R += by how much the force on each vertex falls as its velocity grows, if all
    // around it moved with it: positive diagonal blocks, 6 numbers per vertex, N s/m.
    void (*brake)(const WfTerm*, const WfTermSpace*, const WfMotion*, double* R);
} WfTermClass;

// A class may leave out (NULL) what it has no use for: reset, begin, damp; everything of the solve
// for external terms.
struct WfTerm {
    const WfTermClass* type;
    bool is_explicit;  // used as an external force only
    bool softens;      // stretch: may be simulated softer than it is
    bool predicts;     // linear: its load anticipates the end of the step
    bool is_linear;    // nonlinear by its kind, but K is constant and the majorant (across.h)
    int cloth;
    int portion;  // what it is made of, among the portions of all cloths (portion.h)
};

// The rows of the table: how a model makes its terms. Each returns NULL for lack of memory.
typedef struct WfClothParts WfClothParts;
WfTerm* wf_spring_create(const WeftAllocator*, const WfClothParts*);
WfTerm* wf_one_sided_spring_create(const WeftAllocator*, const WfClothParts*);
WfTerm* wf_linear_spring_create(const WeftAllocator*, const WfClothParts*);
WfTerm* wf_thread_create(const WeftAllocator*, const WfClothParts*);
WfTerm* wf_rope_create(const WeftAllocator*, const WfClothParts*);
WfTerm* wf_band_create(const WeftAllocator*, const WfClothParts*);
WfTerm* wf_triangle_create(const WeftAllocator*, const WfClothParts*);
WfTerm* wf_linear_triangle_create(const WeftAllocator*, const WfClothParts*);
WfTerm* wf_bar_create(const WeftAllocator*, const WfClothParts*);
WfTerm* wf_membrane_create(const WeftAllocator*, const WfClothParts*);
WfTerm* wf_measured_create(const WeftAllocator*, const WfClothParts*);
WfTerm* wf_hinge_create(const WeftAllocator*, const WfClothParts*);
WfTerm* wf_shear_create(const WeftAllocator*, const WfClothParts*);
WfTerm* wf_area_create(const WeftAllocator*, const WfClothParts*);
WfTerm* wf_bend_create(const WeftAllocator*, const WfClothParts*);
WfTerm* wf_rope_bend_create(const WeftAllocator*, const WfClothParts*);
WfTerm* wf_bend_spring_create(const WeftAllocator*, const WfClothParts*);
WfTerm* wf_curvature_create(const WeftAllocator*, const WfClothParts*);
WfTerm* wf_damping_create(const WeftAllocator*, const WfClothParts*);
WfTerm* wf_drive_create(const WeftAllocator*, const WfClothParts*);
WfTerm* wf_gravity_create(const WeftAllocator*, const WfClothParts*);
WfTerm* wf_air_create(const WeftAllocator*, const WfClothParts*);
WfTerm* wf_pressure_create(const WeftAllocator*, const WfClothParts*);

#endif

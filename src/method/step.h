// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// One (sub)step as a minimum. Implicit Euler and BDF2 both look for the x' that minimises
//
//     Phi(x) = 1/2 |x - y|_M^2 + gamma^2 E(x),    y = x~ + gamma v~ + gamma^2 M^-1 f_external
//
// with gamma = h, x~ = x(n), v~ = v(n) for implicit Euler, and gamma = 2h/3, x~ = (4 x(n) -
// x(n-1))/3, v~ alike for BDF2; then v' = (x' - x~)/gamma. With the linear terms in a constant
// matrix A (masses included) and a load b,
//
//     Phi(x)      = 1/2 x.A x - x.(M y + gamma^2 b) + gamma^2 E_nonlinear(x) + const
//     gradient(x) = A x - (M y + gamma^2 b) - gamma^2 F_nonlinear(x)
//
// Pinned vertices stand where they shall end; their rows of gradients and directions are zero.

#ifndef WF_METHOD_STEP_H
#define WF_METHOD_STEP_H

#include "base/memory.h"
#include "base/pace.h"
#include "base/parallel.h"
#include "energy/tie.h"
#include "method/factor.h"
#include "respond/respond.h"
#include "weft/weft_study.h"

// Scratch of steps (sim/scratch.h), laid out once. Vectors hold 3 numbers per vertex.
typedef struct WfWork {
    double* x;                             // the iterate; at the end, the result
    bool refused;                          // it is not the iterate, which gained energy
    double* trial;                         // other positions, to compare with
    double *base, *drift, *right;          // x~, v~; M y + gamma^2 b
    double *gradient, *direction;          // of the Newton step
    double *r, *z, *p, *q, *t;             // conjugate gradients and preconditioner; q behind p
    double *kept, *residual, *correction;  // of a refined solve
    float* slots;                          // of the triangular solve
    float* inverses;                       // 6 per vertex: inverse diagonal blocks
    double* linear;                        // A, on the linear pattern
    double linear_gamma, *linear_scales;   // what it was made for; gamma 0: nothing yet
    double* partial;                       // of sums; the caller's,
    WfTermSpace* spaces;                   // and those of terms
    WfBlockMatrix blocks;                  // where a method asked for them
    WfRows rows;                           // likewise
    WfSweep sweep;                         // likewise
} WfWork;

void wf_work_layout(const WfSystem* system, WfArena* arena, WfWork* work);
void wf_blocks_layout(const WfSystem* system, WfArena* arena, WfWork* work);
void wf_rows_layout(const WfSystem* system, WfArena* arena, WfWork* work);
void wf_sweeps_layout(const WfSystem* system, WfArena* arena, WfWork* work);

typedef struct WfWorld WfWorld;

typedef struct WfStep {
    const WfSystem* system;
    const WeftStepDef* def;  // resolved: nothing is left to `quality`
    WfMotion motion;
    const double* scales;    // stiffness scale per portion
    const WfFactor* factor;  // or NULL
    WfExchange* exchange;    // pins that differ from the factor's, and ties; or NULL
    const WfTies* ties;      // or NULL
    bool refines;            // solves need more than the float factor gives
    bool grows;              // far longer than the step before, which predicts little of it
    int pin_count;
    const int* pins;  // the vertices that are pinned
    WfPace* pace;     // of the iterations of this substep
    double stray;     // m, half of a mean edge: a linearisation is not good for further
    WfWork* work;
    WeftStepReport* report;
    WfWorld* world;           // of contact; NULL: nothing is near, or nobody asked
    WfTouchWork* touch_work;  // scratch to respond to it
    double* loads;            // 4 per vertex: forces of contact in the last step (sim/state.h)
} WfStep;

// Forces at the start, y, loads. Leaves the terms begun.
void wf_step_begin(const WfStep* step);
// x = 2.5 x(n) - 2 x(n-1) + 0.5 x(n-2), or x(n); pinned vertices at their goals.
void wf_step_start(const WfStep* step, WeftStart start, double* x);
// Phi at x up to a constant; the gradient, where g is not NULL. want: WF_WANT_LINEARISE, EXACT.
double wf_step_evaluate(const WfStep* step, const double* x, unsigned want, double* g);
// The gradient at x, pins and all.
void wf_step_whole_gradient(const WfStep* step, const double* x, double* g);
// What a good iterate stays below: Phi(x(n)) + 0.05 |h v|_M^2, pins at their goals. Leaves x(n),
// outside of what touches it, in work->trial.
typedef struct WfPhiLimit {
    double start;  // Phi(x(n))
    double most;
} WfPhiLimit;

WfPhiLimit wf_step_limit(const WfStep* step);
// What a step from x(n) to x gains of energy. Phi holds what is needed to know it: with v' = (x' -
// x~)/gamma and any external force,
//
//     change of (E + |v|_M^2/2), less the work of the force
//         = (Phi(x') - Phi(x(n)) - (x' - x(n)).M ((x' + x(n))/2 - x~ - gamma v~))/gamma^2
//           + (|v'|_M^2 - |v|_M^2)/2
//
// which an exact step never raises, less the work of contacts: bodies that move, and what pulls
// apart what is crossed.
typedef struct WfGained {
    double energy;   // J, less the work of forces and contacts
    double kinetic;  // J, before and after, together
    double mass;     // kg, of all that is not pinned
} WfGained;

WfGained wf_step_gain(const WfStep* step, const double* x, double phi_change);
// q += what ties have of H p that is neither in work->blocks nor in work->rows.
void wf_step_add_outside(const WfStep* step, const double* p, double* q);
// Whether there is any such thing.
bool wf_step_has_outside(const WfStep* step);
// q = H p, matrix-free, by the last linearisation.
void wf_step_product(const WfStep* step, const double* p, double* q);
// The WF_WANT_ flag of the Jacobian that the def asks for; 0: clamped.
unsigned wf_step_jacobian(const WfStep* step);
// The diagonal blocks of H, matrix-free: 6 numbers per vertex.
void wf_step_diagonal(const WfStep* step, double* blocks);
// work->blocks = H but for the scalars that stand alone; work->rows = H, packed for products.
void wf_step_blocks(const WfStep* step);
void wf_step_assemble(const WfStep* step);
// work->inverses = inverse diagonal blocks of H; zero where a vertex is pinned.
void wf_step_invert_diagonal(const WfStep* step, const double* blocks);
// q = A p, with the ties.
void wf_step_constant_product(const WfStep* step, const double* p, double* q);
// z = A^-1 r with the constant factor, to def->solve_tolerance; r may be z. Counts solves.
void wf_step_solve(const WfStep* step, const double* r, double* z);
// Zero at pinned vertices.
void wf_step_filter(const WfStep* step, double* vector);
WfVectors wf_step_vectors(const WfStep* step);

// Contact (touch.c). The step as a response sees it, where step->world is not NULL.
WfTouch wf_step_touch(const WfStep* step);
// Respond by a plan; the report gets what was done.
WfResponse wf_step_respond(const WfStep* step, WfPlanKind plan, const WfQuadratic* model,
                           const WfRequest* request);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Contact inside a solve. A method has a quadratic model of Phi around x,
//
//     Q(u) = 1/2 u.H u - b.u,    u = x' - x(n),    b = H (x - x(n)) - gradient(x)
//
// and wants its least subject to contacts (contact/contact.h) and friction. It brings the model, a
// plan (plan.h) says how much is spent, and one call responds and tells what it did.

#ifndef WF_RESPOND_RESPOND_H
#define WF_RESPOND_RESPOND_H

#include "respond/plan.h"
#include "respond/touch.h"
#include "sparse/rows.h"

typedef struct WfQuadratic {
    void* context;
    void (*product)(void* context, const double* p, double* q);         // pinned rows: whatever
    double (*precondition)(void* context, const double* r, double* z);  // returns r.z, unused
    bool weak;  // the preconditioner knows the small only: corrections are judged by the masses
    // The diagonal of H, isotropic, 1 per vertex. Asked for once, when it is known what layers add
    // to it: preconditioners that smooth take that in here.
    void (*fill_diagonal)(void* context, const double* layers, double* diagonal);

    // for sweeps: one of them, else they take all vertices at once
    const WfPattern* pattern;  // a scalar matrix
    const double* values;
    const WfRows* rows;     // 3x3 blocks,
    const float* inverses;  // and those of the diagonal inverted, 6 per vertex; NULL: vertices that
                            // nothing touches are left to conjugate gradients
    // q += what `product` has that `pattern` or `rows` have not, where `diagonal` is above it;
    // NULL: nothing
    void (*beyond)(void* context, const double* p, double* q);

    const double* x;         // where it was made
    const double* gradient;  // of Phi there, zero at pins; NULL: zero
} WfQuadratic;

// What a step asks for.
typedef struct WfRequest {
    const double* ahead;  // u begins at x - x(n) + ahead; NULL: without
    int iterations;       // of a round, where the plan is scheduled
    int sweeps;           // where the plan has own sweeps
    double tolerance;     // of the residual; 0: none, a fixed schedule
    double* result;       // x(n) + u; may be `ahead`
} WfRequest;

typedef struct WfResponse {
    int iterations;  // of conjugate gradients
    int active;      // contacts with a force
    // What neither the cloth nor the contacts carry, over the gradient at x: of a vertex that
    // touches, how far one more sweep would move it, times its diagonal.
    double residual;
    bool converged;  // the residual is within the tolerance; without one, always
    double time;     // s, without
    double solve;    // s in the preconditioner
} WfResponse;

// Forces go to the contacts and to the loads.
WfResponse wf_respond(const WfTouch* touch, const WfQuadratic* model, const WfPlan* plan,
                      const WfRequest* request);

// The work of all contacts in the last response, J.
double wf_response_work(const WfTouch* touch);

#endif

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Contact inside a solve. A method has a quadratic model of Phi,
//
//     Q(u) = 1/2 u.H u - b.u,    u = x' - x(n),
//
// and wants its minimum subject to contacts (contact/contact.h) and friction. It brings products
// with H, a preconditioner, and the rows of H for sweeps where it has them.

#ifndef WF_METHOD_RESPOND_H
#define WF_METHOD_RESPOND_H

#include "contact/world.h"
#include "method/step.h"

// Scratch, 3 numbers per vertex unless said otherwise.
struct WfTouch {
    double* u;  // the displacement, in and out
    double* b;
    double *q, *d, *r, *z, *p, *s;  // of products, directions and residuals
    double* held;                   // what layers add in a sweep
    double* diagonal;               // 1 per vertex: of H, isotropic, with the layers
    int *swept, swept_count;        // the vertices that sweeps go over
    unsigned char* sweeps;          // 1 per vertex: whether it is one of them
    double* layers;                 // 1 per vertex: what layers add to it
};

void wf_touch_layout(const WfSystem* system, WfArena* arena, WfTouch* touch);

typedef struct WfRespond {
    const WfStep* step;
    void* context;
    void (*product)(void* context, const double* p, double* q);         // pinned rows: whatever
    double (*precondition)(void* context, const double* r, double* z);  // returns r.z, unused

    // for sweeps: one of them, else the diagonal alone
    const WfPattern* pattern;  // a scalar matrix
    const double* values;
    const WfRows* rows;  // 3x3 blocks; work->inverses has those of the diagonal

    bool local;    // sweeps go over the vertices of contacts only
    int rounds;    // of sweeps and conjugate gradients
    int inner;     // iterations of a round
    bool weak;     // the preconditioner knows the small only: corrections are judged by the masses
    int closings;  // how often a round may close contacts that its direction would violate
    double drop;   // a round ends at this part of its first correction
    int sweeps, last_sweeps;
    bool paced;         // the last sweeps ask the pace, one by one
    double speed_left;  // m/s: corrections below it end the iteration
} WfRespond;

// Sweeps as the stiffness of the cloth asks for, and when to end.
void wf_respond_sweeps(WfRespond* respond);

// From touch->u and touch->b to touch->u. `other`, where not NULL, is another u to begin with: the
// better one is taken. The diagonal of H stands in touch->diagonal. Forces go to the contacts and
// to the loads of step->loads.
void wf_respond(const WfRespond* respond, const double* other);

// Move positions out of the half-spaces of contacts of one vertex.
void wf_respond_admit(const WfStep* step, double* x);
// f += gamma^2 (forces of contact in the last step), where there are contacts now.
void wf_respond_loads(const WfStep* step, double* f);
// The work of all contacts in the last response, J.
double wf_respond_work(const WfStep* step);

#endif

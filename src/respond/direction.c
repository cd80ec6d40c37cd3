// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Conjugate gradients on what the contacts leave, S H S d = S r: S takes out vertices that stick,
// and the normal part of those that slip; their friction is a force in r. The preconditioner is the
// method's own, filtered alike.

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "respond/layers.h"
#include "respond/run.h"
#include "respond/singles.h"

// Take out what pins and contacts hold.
static void filter(const WfTouch* touch, double* v) {
    wf_touch_hold_pins(touch, v);
    wf_singles_filter(touch->contacts, v);
}

static void product(const WfRun* run, const double* p, double* q) {
    run->model->product(run->model->context, p, q);
    wf_layers_add(run->touch, p, q);
    wf_touch_hold_pins(run->touch, q);
}

static void precondition(const WfRun* run, const double* r, double* z) {
    wf_run_precondition(run, r, z);
    filter(run->touch, z);
}

// The largest correction to expect. What all vertices do together, a weak preconditioner makes far
// too small: as if nothing held them, it is r/m.
static double largest(const WfRun* run) {
    const WfTouch* touch = run->touch;
    bool weak = run->model->weak;
    double most = 0;
    for (int i = 0; i < touch->vertex_count; i++) {
        WfVec v = wf_load(weak ? touch->work->r : touch->work->z, i);
        double size = fmax(fmax(fabs(v.x), fabs(v.y)), fabs(v.z));
        most = fmax(most, weak ? size / touch->masses[i] : size);
    }
    return most;
}

// d: some steps of conjugate gradients for H d = r, filtered.
static bool correct(const WfRun* run) {
    const WfTouch* touch = run->touch;
    const WfVectors* vectors = &touch->vectors;
    WfTouchWork* work = touch->work;
    double least = run->plan->speed_left * touch->h;
    memset(work->direction, 0, (size_t)vectors->n * sizeof(double));
    if (!wf_pace_go_on(touch->pace)) return false;
    filter(touch, work->r);
    precondition(run, work->r, work->z);
    double start = largest(run), rz = wf_vector_dot(vectors, work->r, work->z);
    if (start < least || !(rz > 0)) return false;
    memcpy(work->p, work->z, (size_t)vectors->n * sizeof(double));
    for (int k = 0; k < run->iterations && (k == 0 || wf_pace_go_on(touch->pace)); k++) {
        product(run, work->p, work->q);
        filter(touch, work->q);
        double curvature = wf_vector_dot(vectors, work->p, work->q);
        if (!(curvature > 0)) break;
        wf_vector_axpy(vectors, rz / curvature, work->p, work->direction);
        wf_vector_axpy(vectors, -rz / curvature, work->q, work->r);
        run->response->iterations++;
        if (k + 1 == run->iterations) break;
        precondition(run, work->r, work->z);
        if (largest(run) < fmax(least, run->plan->drop * start)) break;
        double next = wf_vector_dot(vectors, work->r, work->z);
        if (!(next > 0)) break;
        wf_vector_xpay(vectors, work->z, next / rz, work->p);
        rz = next;
    }
    return true;
}

bool wf_run_find_direction(const WfRun* run) {
    const WfTouch* touch = run->touch;
    WfTouchWork* work = touch->work;
    wf_run_residual(run);
    wf_singles_add_slip(touch->contacts, work->u, work->r);
    memcpy(work->slope, work->r, (size_t)touch->vectors.n * sizeof(double));
    return correct(run);
}

bool wf_run_find_closed_direction(const WfRun* run) {
    const WfTouch* touch = run->touch;
    WfTouchWork* work = touch->work;
    bool moves = wf_run_find_direction(run);
    for (int k = 0; k < run->plan->closings && moves; k++) {
        if (!wf_singles_close(touch->contacts, work->direction, work->u)) break;
        moves = wf_run_find_direction(run);
    }
    return moves;
}

// u + d, admissible: clipped, and at rest where slip has turned back.
static void admit(const WfTouch* touch) {
    WfTouchWork* work = touch->work;
    wf_vector_axpy(&touch->vectors, 1, work->u, work->direction);
    wf_singles_clip(touch->contacts, work->direction);
    wf_singles_stop(touch->contacts, work->direction);
    wf_vector_axpy(&touch->vectors, -1, work->u, work->direction);
}

// u += t d, t from 0 to 1 where Q, with the friction of what slips, is least.
void wf_run_advance(const WfRun* run) {
    const WfVectors* vectors = &run->touch->vectors;
    WfTouchWork* work = run->touch->work;
    admit(run->touch);
    product(run, work->direction, work->q);
    double falls = wf_vector_dot(vectors, work->direction, work->slope);
    double curvature = wf_vector_dot(vectors, work->direction, work->q);
    double t = curvature > 0 ? fmax(0, fmin(1, falls / curvature)) : 0;
    wf_vector_axpy(vectors, t, work->direction, work->u);
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The linear fibre, E = k/2 |w - T|^2 with a target T that is set once per step and constant while
// differentiating:
//
//     F_a = -k c_a (w - T),   K_ab = k c_a c_b I
//
// The stiffness is constant: the system matrix is factored once per model.
//
//   i o-----------o j      T  the fibre as we expect it after the step, at rest length
//        w = x_j - x_i        (estimator.h has the ways to expect)
//
// A hinge has T = 0, or with damping r R~/(1 + r): its rate of bending is the change of the vector.
//
// A hinge without damping needs no T at all. Else T is part of the state: where a fibre has shrunk
// to a point and no estimator has a direction to offer, the last target is kept.

#include <string.h>

#include "base/memory.h"
#include "energy/estimator.h"
#include "energy/fibre.h"

static const double SHORT = 1e-4;  // of the rest length: no direction to be had from less

void wf_fibre_use_estimator(WfFibreTerm* t, const WeftClothDef* def) {
    t->estimator = def->estimator;
    memcpy(t->weights, def->estimator_weights, sizeof t->weights);
    t->unnormalised = def->unnormalised_targets;
    t->term.predicts = t->estimator != WEFT_ESTIMATOR_PREVIOUS;
}

static bool has_target(const WfFibreTerm* t) { return t->shape != WF_FIBRE_HINGE || t->zeta > 0; }

// scratch: [0] is 1 + r; then the predicted positions of the cloth's vertices.
void wf_linear_count(const WfTerm* term, size_t* memory, size_t* scratch, size_t* partial) {
    const WfFibreTerm* t = (const WfFibreTerm*)term;
    *memory = has_target(t) ? 3 * (size_t)t->element_count * (size_t)t->fibres : 0;
    *scratch = 8 + (t->estimator == WEFT_ESTIMATOR_VERTEX ? 3 * (size_t)t->vertex_count : 0);
    *partial = (size_t)t->scatter.chunk_count;
}

typedef struct Job {
    const WfFibreTerm* t;
    const WfTermSpace* space;
    const WfMotion* motion;
    const double* x;
    const double* predicted;  // of the cloth's first vertex, minus its offset
    double *f, scale, damped;
    unsigned want;
} Job;

static double rest_factor(const WfTermSpace* space) {
    return space->scratch ? space->scratch[0] : 1;
}

// ---------------------------------------------------------------------------------------------
// Targets

void wf_linear_reset(const WfTerm* term, const WfTermSpace* space, const double* x) {
    const WfFibreTerm* t = (const WfFibreTerm*)term;
    int A = t->arity, F = t->fibres;
    for (int e = 0; e < t->element_count && has_target(t); e++) {
        WfVec xs[4];
        wf_fibre_load(t, x, e, xs, A);
        for (int f = 0; f < F; f++) {
            int i = e * F + f;
            WfVec w = wf_fibre_w(t, xs, e, f, A, F);
            double l = wf_length(w);
            // a fibre that starts as a point gets some direction
            WfVec u = l > SHORT * t->length[i] ? wf_mul(1 / l, w) : (WfVec){1, 0, 0};
            wf_store(space->memory, i, wf_mul(t->length[i], u));
        }
    }
}

static void predict_vertices(const WfFibreTerm* t, const WfMotion* motion, double* predicted) {
    const double* c = t->weights;
    for (int i = 0; i < t->vertex_count; i++) {
        int g = t->first_vertex + i;
        WfVec p = wf_mul(c[0], wf_load(motion->x, g));
        p = wf_madd(wf_madd(p, c[1], wf_load(motion->x1, g)), c[2], wf_load(motion->x2, g));
        wf_store(predicted, i, motion->pinned[g] ? wf_load(motion->goal, g) : p);
    }
}

// the estimate, of any length
WF_KERNEL WfVec estimate(const Job* job, int e, int f, WfVec w, WfVec w1, const int A,
                         const int F) {
    const WfFibreTerm* t = job->t;
    WfVec xs[4];
    switch (t->estimator) {
        case WEFT_ESTIMATOR_VERTEX:
            wf_fibre_load(t, job->predicted, e, xs, A);
            return wf_fibre_w(t, xs, e, f, A, F);
        case WEFT_ESTIMATOR_ROTATION: {
            WfVec turn = wf_mul(t->weights[0], wf_rotation_between(w1, w));
            if (t->weights[1] != 0) {
                wf_fibre_load(t, job->motion->x2, e, xs, A);
                WfVec w2 = wf_fibre_w(t, xs, e, f, A, F);
                turn = wf_madd(turn, t->weights[1], wf_rotation_between(w2, w1));
            }
            return wf_rotate(turn, w);
        }
        default:
            return w;
    }
}

WF_KERNEL void begin_range(const Job* job, int first, int end, const int A, const int F) {
    const WfFibreTerm* t = job->t;
    const double* base = job->motion->base_weights;
    double r = job->damped - 1;
    bool history = r > 0 || t->estimator == WEFT_ESTIMATOR_ROTATION;
    bool present = r > 0 || t->estimator != WEFT_ESTIMATOR_VERTEX;
    for (int e = first; e < end; e++) {
        WfVec xs[4] = {{0, 0, 0}}, x1s[4] = {{0, 0, 0}};
        if (present) wf_fibre_load(t, job->motion->x, e, xs, A);
        if (history) wf_fibre_load(t, job->motion->x1, e, x1s, A);
        for (int f = 0; f < F; f++) {
            int i = e * F + f;
            double L = t->length[i];
            WfVec w = wf_fibre_w(t, xs, e, f, A, F), w1 = wf_fibre_w(t, x1s, e, f, A, F);
            if (L <= 0) {  // a hinge: only damping has a target
                WfVec rate = wf_madd(wf_mul(base[0], w), base[1], w1);
                wf_store(job->space->memory, i, wf_mul(r / (1 + r), rate));
                continue;
            }
            WfVec target = estimate(job, e, f, w, w1, A, F);
            double l = wf_length(target), short_length = SHORT * L;
            if (l < short_length) {
                wf_fibre_load(t, job->motion->x, e, xs, A);
                target = wf_fibre_w(t, xs, e, f, A, F);
                l = wf_length(target);
            }
            if (l < short_length) {
                target = wf_load(job->space->memory, i);
                l = wf_length(target);
            }
            // never shorter than that: the target is a direction to fall back to
            if (r > 0)
                L = fmax(short_length,
                         (L + r * (base[0] * wf_length(w) + base[1] * wf_length(w1))) / (1 + r));
            wf_store(job->space->memory, i, t->unnormalised ? target : wf_mul(L / l, target));
        }
    }
}

static void begin_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    (void)chunk;
    WF_FIBRE_CALL(begin_range, job->t, job, first, end);
}

void wf_linear_begin(const WfTerm* term, const WfTermSpace* space, const WfMotion* motion) {
    const WfFibreTerm* t = (const WfFibreTerm*)term;
    space->scratch[0] = 1 + t->zeta / motion->gamma;
    if (!has_target(t)) return;
    Job job = {.t = t, .space = space, .motion = motion, .damped = space->scratch[0]};
    if (t->estimator == WEFT_ESTIMATOR_VERTEX) {
        predict_vertices(t, motion, space->scratch + 8);
        job.predicted = space->scratch + 8 - 3 * (long)t->first_vertex;
    }
    wf_scatter_run(&t->scatter, space->jobs, begin_chunk, &job);
}

// ---------------------------------------------------------------------------------------------
// Energy, force, load

WF_KERNEL double evaluate_range(const Job* job, int first, int end, const int A, const int F) {
    const WfFibreTerm* t = job->t;
    const double* held = has_target(t) ? job->space->memory : NULL;  // none when measured, either
    double energy = 0;
    for (int e = first; e < end; e++) {
        WfVec xs[4];
        wf_fibre_load(t, job->x, e, xs, A);
        for (int f = 0; f < F; f++) {
            int i = e * F + f;
            double k = job->damped * t->stiffness[i];
            WfVec d = wf_fibre_w(t, xs, e, f, A, F);
            if (held) d = wf_sub(d, wf_load(held, i));
            energy += k / 2 * wf_dot(d, d);
            if (!(job->want & WF_WANT_FORCE)) continue;
            for (int a = 0; a < A; a++)
                wf_accumulate(job->f, t->vertices[(long)e * A + a],
                              -job->scale * k * wf_fibre_c(t, e, f, a, A, F), d);
        }
    }
    return energy;
}

static void evaluate_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    double* out = &job->space->partial[chunk];
    WF_FIBRE_CALL(*out = evaluate_range, job->t, job, first, end);
}

double wf_linear_evaluate(const WfTerm* term, const WfTermSpace* space, const double* x,
                          unsigned want, double scale, double* f) {
    const WfFibreTerm* t = (const WfFibreTerm*)term;
    Job job = {.t = t, .space = space, .x = x, .f = f, .scale = scale, .want = want};
    job.damped = rest_factor(space);
    wf_scatter_run(&t->scatter, space->jobs, evaluate_chunk, &job);
    double energy = 0;
    for (int c = 0; c < t->scatter.chunk_count; c++) energy += space->partial[c];
    return energy;
}

WF_KERNEL void load_range(const Job* job, int first, int end, const int A, const int F) {
    const WfFibreTerm* t = job->t;
    for (int e = first; e < end; e++) {
        WfVec g[4] = {{0, 0, 0}};
        for (int f = 0; f < F; f++) {
            int i = e * F + f;
            WfVec target = wf_load(job->space->memory, i);
            for (int a = 0; a < A; a++)
                g[a] = wf_madd(g[a], t->stiffness[i] * wf_fibre_c(t, e, f, a, A, F), target);
        }
        for (int a = 0; a < A; a++)
            wf_accumulate(job->f, t->vertices[(long)e * A + a], job->scale * job->damped, g[a]);
    }
}

static void load_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    (void)chunk;
    WF_FIBRE_CALL(load_range, job->t, job, first, end);
}

void wf_linear_load(const WfTerm* term, const WfTermSpace* space, double scale, double* b) {
    const WfFibreTerm* t = (const WfFibreTerm*)term;
    if (!has_target(t)) return;
    Job job = {.t = t, .space = space, .f = b, .scale = scale, .damped = rest_factor(space)};
    wf_scatter_run(&t->scatter, space->jobs, load_chunk, &job);
}

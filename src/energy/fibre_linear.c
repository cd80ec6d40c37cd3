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
// Where the fibre gives way under compression (fibre.h), T shrinks with it: if the estimate, of the
// length l, is shorter than L, |T| = l - s/r with s = l - L, so that at that length it carries what
// the conventional fibre does, k s/r.
//
// A hinge has T = 0, or with damping r R~/(1 + r): its rate of bending is the change of the vector.
//
// A hinge without damping needs no T at all. Else T is part of the state: where a fibre has shrunk
// to a point and no estimator has a direction to offer, the last target is kept.

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "energy/estimator.h"
#include "energy/fibre.h"
#include "weft/weft_study.h"

static const double SHORT = 1e-4;  // of the rest length: no direction to be had from less

void wf_fibre_use_estimator(WfFibreTerm* t, const WeftClothDef* def) {
    t->estimator = def->estimator;
    memcpy(t->weights, def->estimator_weights, sizeof t->weights);
    t->unnormalised = def->unnormalised_targets;
    t->term.predicts = t->estimator != WEFT_ESTIMATOR_PREVIOUS;
}

static bool is_hinge(const WfFibreTerm* t) {
    return t->shape == WF_FIBRE_HINGE || t->shape == WF_FIBRE_ROPE_HINGE;
}

static bool has_target(const WfFibreTerm* t) { return !is_hinge(t) || t->zeta > 0; }

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

void wf_linear_turn(const WfTerm* term, const WfTermSpace* space, const double axes[9]) {
    const WfFibreTerm* t = (const WfFibreTerm*)term;
    for (int i = 0; i < t->element_count * t->fibres && has_target(t); i++) {
        WfVec w = wf_load(space->memory, i), turned = wf_mul(w.x, wf_load(axes, 0));
        turned = wf_madd(wf_madd(turned, w.y, wf_load(axes, 1)), w.z, wf_load(axes, 2));
        wf_store(space->memory, i, turned);
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

// How long a fibre is expected to be after the step. A rotation has weights for that, too.
WF_KERNEL double length_after(const Job* job, int e, int f, const int A, const int F) {
    const WfFibreTerm* t = job->t;
    const double* all[3] = {job->motion->x, job->motion->x1, job->motion->x2};
    bool vertex = t->estimator == WEFT_ESTIMATOR_VERTEX;
    double l[3];
    for (int k = 0; k < 3; k++) {
        WfVec xs[4];
        wf_fibre_load(t, vertex ? job->predicted : all[k], e, xs, A);
        l[k] = wf_length(wf_fibre_w(t, xs, e, f, A, F));
        if (t->estimator != WEFT_ESTIMATOR_ROTATION) return l[0];
    }
    return l[0] + t->weights[0] * (l[0] - l[1]) + t->weights[1] * (l[1] - l[2]);
}

// Length of the target of a fibre that gives way, and would be L long at rest, with its damping.
WF_KERNEL double given_length(const Job* job, int e, int f, double L, const int A, const int F) {
    long i = (long)e * F + f;
    double give = wf_give_at(job->space, job->t->vertices + (long)e * A, A);
    double c = give * job->t->length[i], l = length_after(job, e, f, A, F);
    double s = l - L, q = job->damped * s / c;
    return s < 0 && c > 0 ? fmax(SHORT * job->t->length[i], l - s / sqrt(1 + q * q)) : L;
}

// The target of one fibre. w and w1 are zero where the estimator has no use for them.
WF_KERNEL void set_target(const Job* job, int e, int f, WfVec w, WfVec w1, const int A,
                          const int F) {
    const WfFibreTerm* t = job->t;
    const double* base = job->motion->base_weights;
    int i = e * F + f;
    double L = t->length[i], r = job->damped - 1;
    if (L <= 0) {  // a hinge: only damping has a target
        WfVec rate = wf_madd(wf_mul(base[0], w), base[1], w1);
        wf_store(job->space->memory, i, wf_mul(r / (1 + r), rate));
        return;
    }
    WfVec target = estimate(job, e, f, w, w1, A, F);
    double l = wf_length(target), short_length = SHORT * L;
    if (l < short_length) {
        WfVec xs[4];
        wf_fibre_load(t, job->motion->x, e, xs, A);
        target = wf_fibre_w(t, xs, e, f, A, F);
        l = wf_length(target);
    }
    if (l < short_length) {
        target = wf_load(job->space->memory, i);
        l = wf_length(target);
    }
    if (r > 0) L = (L + r * (base[0] * wf_length(w) + base[1] * wf_length(w1))) / (1 + r);
    if (wf_fibre_gives(t, job->space)) L = given_length(job, e, f, L, A, F);
    // never shorter than that: the target is a direction to fall back to
    L = fmax(short_length, L);
    wf_store(job->space->memory, i, t->unnormalised ? target : wf_mul(L / l, target));
}

WF_KERNEL void begin_range(const Job* job, int first, int end, const int A, const int F) {
    const WfFibreTerm* t = job->t;
    bool damped = job->damped > 1;
    bool history = damped || t->estimator == WEFT_ESTIMATOR_ROTATION;
    bool present = damped || t->estimator != WEFT_ESTIMATOR_VERTEX;
    for (int e = first; e < end; e++) {
        WfVec xs[4] = {{0, 0, 0}}, x1s[4] = {{0, 0, 0}};
        if (present) wf_fibre_load(t, job->motion->x, e, xs, A);
        if (history) wf_fibre_load(t, job->motion->x1, e, x1s, A);
        for (int f = 0; f < F; f++)
            set_target(job, e, f, wf_fibre_w(t, xs, e, f, A, F), wf_fibre_w(t, x1s, e, f, A, F), A,
                       F);
    }
}

// ---------------------------------------------------------------------------------------------
// Rotations in batches: the same arithmetic for every lane and no branch, so that compilers take
// several lanes at a time, 1.6 times as fast. What the series are not for is done again, alone.

enum { BATCH = 16 };

typedef double Lanes[BATCH];

typedef struct Batch {
    Lanes w[3], w1[3], w2[3], target[3], length;
    Lanes margin;  // positive where all angles are small and no fibre is short
    int element[BATCH], fibre[BATCH], count;
} Batch;

static inline double least(double a, double b) { return a < b ? a : b; }

// target = w turned on by a0 omega(n) + a1 omega(n-1), at rest length
static void turn_batch(Batch* b, double a0, double a1) {
    for (int i = 0; i < BATCH; i++) {
        WfVec w = {b->w[0][i], b->w[1][i], b->w[2][i]};
        WfVec w1 = {b->w1[0][i], b->w1[1][i], b->w1[2][i]};
        WfVec w2 = {b->w2[0][i], b->w2[1][i], b->w2[2][i]};
        WfVec c0 = wf_cross(w1, w), c1 = wf_cross(w2, w1);
        double ww = wf_dot(w, w), ww1 = wf_dot(w1, w1), ww2 = wf_dot(w2, w2), L = b->length[i];
        double i0 = 1 / sqrt(ww), i1 = 1 / sqrt(ww1), i2 = 1 / sqrt(ww2);
        double j0 = i0 * i1, j1 = i1 * i2;
        double s0 = wf_dot(c0, c0) * j0 * j0, s1 = wf_dot(c1, c1) * j1 * j1;  // sines, squared
        WfVec turn = wf_mul(a0 * j0 * wf_arc_over_sine(s0), c0);
        turn = wf_madd(turn, a1 * j1 * wf_arc_over_sine(s1), c1);
        double aa = wf_dot(turn, turn), sine, versine;
        wf_small_angle(aa, &sine, &versine);
        WfVec turned = wf_madd(wf_mul(1 - versine * aa, w), sine, wf_cross(turn, w));
        turned = wf_madd(turned, versine * wf_dot(turn, w), turn);
        double scale = L * i0;  // turning keeps the length
        b->target[0][i] = scale * turned.x;
        b->target[1][i] = scale * turned.y;
        b->target[2][i] = scale * turned.z;
        double small = least(least(WF_SMALL_SINE - s0, WF_SMALL_SINE - s1), WF_SMALL_ANGLE - aa);
        double ahead = least(wf_dot(w, w1), wf_dot(w1, w2));
        double shortest = least(least(ww, ww1), ww2) - SHORT * SHORT * L * L;
        b->margin[i] = least(least(small, ahead), shortest);
    }
}

static void put(Lanes* v, int i, WfVec w) { v[0][i] = w.x, v[1][i] = w.y, v[2][i] = w.z; }
static WfVec get(Lanes* v, int i) { return (WfVec){v[0][i], v[1][i], v[2][i]}; }

WF_KERNEL void finish_batch(const Job* job, Batch* b, const int A, const int F) {
    const double* a = job->t->weights;
    for (int i = b->count; i < BATCH; i++) {  // lanes that nobody reads, but free of exceptions
        WfVec one = {1, 0, 0};
        put(b->w, i, one), put(b->w1, i, one), put(b->w2, i, one);
        b->length[i] = 1;
    }
    turn_batch(b, a[0], a[1]);
    for (int i = 0; i < b->count; i++) {
        int e = b->element[i], f = b->fibre[i];
        if (b->margin[i] > 0)
            wf_store(job->space->memory, e * F + f, get(b->target, i));
        else
            set_target(job, e, f, get(b->w, i), get(b->w1, i), A, F);
    }
    b->count = 0;
}

WF_KERNEL void turn_range(const Job* job, int first, int end, const int A, const int F) {
    const WfFibreTerm* t = job->t;
    const double* before = t->weights[1] != 0 ? job->motion->x2 : job->motion->x1;
    bool gives = wf_fibre_gives(t, job->space);
    Batch b = {.count = 0};
    for (int e = first; e < end; e++) {
        WfVec xs[4], x1s[4], x2s[4];
        wf_fibre_load(t, job->motion->x, e, xs, A);
        wf_fibre_load(t, job->motion->x1, e, x1s, A);
        wf_fibre_load(t, before, e, x2s, A);
        for (int f = 0; f < F; f++) {
            int i = b.count++;
            put(b.w, i, wf_fibre_w(t, xs, e, f, A, F));
            put(b.w1, i, wf_fibre_w(t, x1s, e, f, A, F));
            put(b.w2, i, wf_fibre_w(t, x2s, e, f, A, F));
            b.element[i] = e;
            b.fibre[i] = f;
            b.length[i] = t->length[e * F + f];
            if (gives) b.length[i] = given_length(job, e, f, b.length[i], A, F);
            if (b.count == BATCH) finish_batch(job, &b, A, F);
        }
    }
    if (b.count > 0) finish_batch(job, &b, A, F);
}

static void begin_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    const WfFibreTerm* t = job->t;
    (void)chunk;
    bool plain = job->damped == 1 && !t->unnormalised && !is_hinge(t);
    if (plain && t->estimator == WEFT_ESTIMATOR_ROTATION)
        WF_FIBRE_CALL(turn_range, t, job, first, end);
    else
        WF_FIBRE_CALL(begin_range, t, job, first, end);
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
    double energy = 0, firm = job->space->firm;
    for (int e = first; e < end; e++) {
        WfVec xs[4];
        double ks[4];
        wf_fibre_load(t, job->x, e, xs, A);
        wf_fibre_stiffness(t, firm, e, ks, F);
        for (int f = 0; f < F; f++) {
            int i = e * F + f;
            double k = job->damped * ks[f];
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
        double k[4];
        wf_fibre_stiffness(t, job->space->firm, e, k, F);
        for (int f = 0; f < F; f++) {
            int i = e * F + f;
            WfVec target = wf_load(job->space->memory, i);
            for (int a = 0; a < A; a++)
                g[a] = wf_madd(g[a], k[f] * wf_fibre_c(t, e, f, a, A, F), target);
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

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Energy, force, linearisation and product of conventional fibres (fibre.c has the formulas).
// Included by fibre_plain.c and fibre_wide.c, which say how functions are declared:
//
//     KERNEL    inlined
//     BODY      not inlined; the compiler does the loops over a batch two or four at once
//
// Springs come sorted by their first vertex, three to a vertex in a mesh of triangles. What they
// add to it stays in registers until the next one: through memory, each would wait for the one
// before. (On one Neoverse V1 core, 16,121 springs: a product in 91 us instead of 160.)

#include <stdint.h>
#include <string.h>

#include "base/three.h"
#include "energy/fibre_job.h"

typedef WfFibreJob Job;

enum { KEPT = WF_FIBRE_KEPT };
static const double TINY_LENGTH = 1e-12;  // m; shorter fibres have no direction

// ---------------------------------------------------------------------------------------------
// Energy, force, linearisation

// Some fibres at a time: square roots and divisions are most of the work. At the end some are
// computed again, to no use.
enum { BATCH = 16 };

typedef struct Batch {
    double x[BATCH], y[BATCH], z[BATCH];  // w
    double k[BATCH], L[BATCH];
    double give[BATCH];   // (1 + r)/c: with its damping it carries k c
    double given[BATCH];  // sqrt(1 + s^2/c^2) where it is pressed, else 1
    double l[BATCH], inverse[BATCH], stretch[BATCH];  // l - L; 0 of slack fibres
    double pull[BATCH], energy[BATCH];                // F_a = pull c_a w
    double a[BATCH], b[BATCH];
} Batch;

KERNEL void gather_batch(const Job* job, int first, int end, Batch* batch, const int A,
                         const int F) {
    const WfFibreTerm* t = job->t;
    double firm = job->space->firm, damped = job->keep.damped;
    for (int e = first; e < end; e++) {
        WfVec xs[4];
        double k[4];
        wf_fibre_load(t, job->x, e, xs, A);
        wf_fibre_stiffness(t, firm, e, k, F);
        for (int f = 0; f < F; f++) {
            int i = (e - first) * F + f;
            WfVec w = wf_fibre_w(t, xs, e, f, A, F);
            batch->x[i] = w.x, batch->y[i] = w.y, batch->z[i] = w.z;
            batch->k[i] = damped * k[f];
            batch->L[i] = job->keep.length[(long)e * F + f];
        }
    }
}

KERNEL void gather_give(const Job* job, int first, int end, Batch* batch, const int A,
                        const int F) {
    for (int e = first; e < end; e++) {
        double give = wf_give_at(job->space, job->t->vertices + (long)e * A, A);
        const double* length = job->t->length + (long)e * F;
        for (int f = 0; f < F; f++) batch->give[(e - first) * F + f] = give * length[f];
    }
    for (int i = 0; i < BATCH; i++) batch->give[i] = job->keep.damped / batch->give[i];
}

// c ? a : b, of both: what has branches is done one by one.
KERNEL double choose(bool c, double a, double b) {
    uint64_t mask = -(uint64_t)c, from, other;
    memcpy(&from, &a, sizeof from);
    memcpy(&other, &b, sizeof other);
    from = (from & mask) | (other & ~mask);
    memcpy(&a, &from, sizeof a);
    return a;
}

BODY void measure_batch(const Job* job, Batch* p) {
    double least = job->t->one_sided ? 0 : -HUGE_VAL;
    for (int i = 0; i < BATCH; i++) {
        p->l[i] = sqrt(p->x[i] * p->x[i] + p->y[i] * p->y[i] + p->z[i] * p->z[i]);
        double stretch = p->l[i] - p->L[i];
        p->stretch[i] = stretch < least ? least : stretch;
        p->energy[i] = p->k[i] / 2 * p->stretch[i] * p->stretch[i];
    }
}

// What is pressed gives way.
BODY void give_way(Batch* p) {
    for (int i = 0; i < BATCH; i++) {
        double s = p->stretch[i], q = choose(s < 0, s * p->give[i], 0), r = sqrt(1 + q * q);
        p->given[i] = r;
        p->energy[i] = p->k[i] * s * s / (1 + r);
    }
}

BODY void pull_batch(Batch* p, bool gives) {
    for (int i = 0; i < BATCH; i++) p->inverse[i] = choose(p->l[i] > TINY_LENGTH, 1 / p->l[i], 0);
    if (gives)
        for (int i = 0; i < BATCH; i++)
            p->pull[i] = -p->k[i] * p->stretch[i] / p->given[i] * p->inverse[i];
    else
        for (int i = 0; i < BATCH; i++) p->pull[i] = -p->k[i] * p->stretch[i] * p->inverse[i];
}

KERNEL double fading_of(const Batch* p, int i) { return wf_fibre_fading(p->L[i] * p->inverse[i]); }

// Over linearise_batch, for those that are pressed.
BODY void linearise_given_way(const Job* job, Batch* p) {
    bool exact = job->want & WF_WANT_EXACT;
    if (exact)
        for (int i = 0; i < BATCH; i++) {
            double r = p->given[i], across = -p->pull[i];
            bool pressed = p->stretch[i] < 0;
            p->a[i] = choose(pressed, across, p->a[i]);
            p->b[i] = choose(pressed, p->k[i] / (r * r * r) - across, p->b[i]);
        }
    else
        for (int i = 0; i < BATCH; i++) {
            double r = p->given[i], b = p->k[i] / (r * r * r);
            double fading = choose(p->inverse[i] > 0, p->k[i] * fading_of(p, i), 0);
            bool pressed = p->stretch[i] < 0;
            p->a[i] = choose(pressed, 0, p->a[i]);
            p->b[i] = choose(pressed, choose(fading > b, fading, b), p->b[i]);
        }
}

BODY void linearise_batch(const Job* job, Batch* p) {
    double least = job->want & WF_WANT_EXACT ? -HUGE_VAL : 0;
    double slack = job->t->one_sided ? 1 : 0;  // of L
    for (int i = 0; i < BATCH; i++) {
        double s = 1 - p->L[i] * p->inverse[i];
        double k = choose(p->l[i] < slack * p->L[i], 0, p->k[i]);
        s = choose(s < least, least, s);
        p->a[i] = k * s;
        p->b[i] = k * (1 - s);
    }
}

// The other Jacobians, and that of one-sided fibres. Of the smoothed one, L/l (l/L - 0.8)/0.2 = 5
// (1 - 0.8 L/l).
BODY void linearise_otherwise(const Job* job, Batch* p) {
    bool smoothed = !(job->want & WF_WANT_ONE_SIDED);
    double scalar = job->want & WF_WANT_SCALAR ? 1 : 0;
    if (job->want & (WF_WANT_SCALAR | WF_WANT_AXIAL)) {
        for (int i = 0; i < BATCH; i++) {
            p->a[i] = scalar * p->k[i];
            p->b[i] = p->k[i] - p->a[i];
        }
        return;
    }
    for (int i = 0; i < BATCH; i++) {
        double q = p->L[i] * p->inverse[i], fading = fading_of(p, i);
        bool taut = p->l[i] > p->L[i], fades = smoothed && fading > 0 && p->inverse[i] > 0;
        p->a[i] = taut ? p->k[i] * (1 - q) : 0;
        p->b[i] = taut ? p->k[i] * q : fades ? p->k[i] * fading : 0;
    }
}

KERNEL void keep_batch(const Batch* p, int count, double* kept_fibre) {
    for (int i = 0; i < count; i++, kept_fibre += KEPT) {
        kept_fibre[0] = p->x[i] * p->inverse[i];
        kept_fibre[1] = p->y[i] * p->inverse[i];
        kept_fibre[2] = p->z[i] * p->inverse[i];
        kept_fibre[3] = p->a[i];
        kept_fibre[4] = p->b[i];
    }
}

KERNEL void scatter_batch(const Job* job, int first, int end, const Batch* p, const int A,
                          const int F) {
    const WfFibreTerm* t = job->t;
    for (int e = first; e < end; e++) {
        WfVec g[4] = {{0, 0, 0}};
        for (int f = 0; f < F; f++) {
            int i = (e - first) * F + f;
            WfVec w = {p->x[i], p->y[i], p->z[i]};
            for (int a = 0; a < A; a++)
                g[a] = wf_madd(g[a], p->pull[i] * wf_fibre_c(t, e, f, a, A, F), w);
        }
        for (int a = 0; a < A; a++)
            wf_accumulate(job->f, t->vertices[(long)e * A + a], job->scale, g[a]);
    }
}

// The same for springs, vertex by vertex.
KERNEL void scatter_springs(const Job* job, int first, int end, const Batch* p) {
    const int* v = job->t->vertices;
    double scale = job->scale, x[BATCH], y[BATCH], z[BATCH];
    for (int i = 0; i < BATCH; i++) {
        x[i] = scale * (p->pull[i] * p->x[i]);
        y[i] = scale * (p->pull[i] * p->y[i]);
        z[i] = scale * (p->pull[i] * p->z[i]);
    }
    for (int e = first; e < end;) {
        int from = v[2 * (long)e];
        WfVec sum = wf_load(job->f, from);
        do {
            WfVec g = {x[e - first], y[e - first], z[e - first]};
            int to = v[2 * (long)e + 1];
            sum = wf_sub(sum, g);
            wf_store(job->f, to, wf_add(wf_load(job->f, to), g));
        } while (++e < end && v[2 * (long)e] == from);
        wf_store(job->f, from, sum);
    }
}

KERNEL void linearise(const Job* job, Batch* p, bool gives) {
    bool fades = job->t->one_sided && !(job->want & WF_WANT_EXACT);
    if (job->want & WF_WANT_OTHER || fades)
        linearise_otherwise(job, p);
    else
        linearise_batch(job, p);
    if (gives && !(job->want & WF_WANT_OTHER)) linearise_given_way(job, p);
}

KERNEL double evaluate_range(const Job* job, int first, int end, const int A, const int F) {
    double energy = 0;
    Batch batch = {0};
    bool gives = wf_fibre_gives(job->t, job->space);
    for (int e = first; e < end; e += BATCH / F) {
        int last = e + BATCH / F < end ? e + BATCH / F : end, count = (last - e) * F;
        gather_batch(job, e, last, &batch, A, F);
        measure_batch(job, &batch);
        if (gives) {
            gather_give(job, e, last, &batch, A, F);
            give_way(&batch);
        }
        for (int i = 0; i < count; i++) energy += batch.energy[i];
        if (!(job->want & (WF_WANT_FORCE | WF_WANT_LINEARISE))) continue;
        pull_batch(&batch, gives);
        if (job->want & WF_WANT_FORCE && A == 2) scatter_springs(job, e, last, &batch);
        if (job->want & WF_WANT_FORCE && A != 2) scatter_batch(job, e, last, &batch, A, F);
        if (!(job->want & WF_WANT_LINEARISE)) continue;
        linearise(job, &batch, gives);
        keep_batch(&batch, count, job->keep.fibres + KEPT * (long)e * F);
    }
    return energy;
}

BODY void evaluate_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    double* out = &job->space->partial[chunk];
    WF_FIBRE_CALL(*out = evaluate_range, job->t, job, first, end);
}

// ---------------------------------------------------------------------------------------------
// The product, by the last linearisation

KERNEL void product_range(const Job* job, int first, int end, const int A, const int F) {
    const WfFibreTerm* t = job->t;
    for (int e = first; e < end; e++) {
        WfVec ps[4], q[4] = {{0, 0, 0}};
        wf_fibre_load(t, job->x, e, ps, A);
        for (int f = 0; f < F; f++) {
            const double* kept = job->keep.fibres + KEPT * ((long)e * F + f);
            WfVec s = wf_fibre_w(t, ps, e, f, A, F), u = {kept[0], kept[1], kept[2]};
            s = wf_madd(wf_mul(kept[3], s), kept[4] * wf_dot(u, s), u);
            for (int a = 0; a < A; a++) q[a] = wf_madd(q[a], wf_fibre_c(t, e, f, a, A, F), s);
        }
        for (int a = 0; a < A; a++)
            wf_accumulate(job->f, t->vertices[(long)e * A + a], job->scale, q[a]);
    }
}

// scale (a w + b (u.w) u)
KERNEL WfThree pull_of(const double* kept, double scale, WfThree w) {
    WfThree u = wf_three_load_inner(kept);
    double along = kept[4] * wf_three_dot(u, w);
    return wf_three_mul(scale, wf_three_add(wf_three_mul(kept[3], w), wf_three_mul(along, u)));
}

// Springs, vertex by vertex.
KERNEL void product_springs(const Job* job, int first, int end) {
    const int* v = job->t->vertices;
    const double *p = job->x, *kept = job->keep.fibres;
    double *q = job->f, scale = job->scale;
    for (int e = first; e < end;) {
        int from = v[2 * (long)e];
        WfThree at = wf_three_load(p + 3 * (long)from);
        WfThree sum = wf_three_load_stored(q + 3 * (long)from);
        do {
            long to = 3 * (long)v[2 * (long)e + 1];
            WfThree g =
                pull_of(kept + KEPT * (long)e, scale, wf_three_sub(wf_three_load(p + to), at));
            sum = wf_three_sub(sum, g);
            wf_three_accumulate(q + to, g);
        } while (++e < end && v[2 * (long)e] == from);
        wf_three_store(q + 3 * (long)from, sum);
    }
}

BODY void product_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    (void)chunk;
    if (job->t->shape == WF_FIBRE_SPRING)
        product_springs(job, first, end);
    else
        WF_FIBRE_CALL(product_range, job->t, job, first, end);
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Segments of rope as bars of another strain than l/L - 1, which is a spring (thread.c). With q the
// strain, d = x_j - x_i, and rope_stretch as the force per strain,
//
//     E = K/2 q^2, K = rope_stretch L              dq/dd = p d      d2q/dd2 = p I + m d d^T
//
//     Green         q = (l^2/L^2 - 1)/2            p = 1/L^2        m = 0
//     logarithmic   q = ln((l^2 + c)/(L^2 + c))/2  p = 1/(l^2 + c)  m = -2 p^2
//
// All agree where the strain is small. c is so small beside L^2 that it only keeps a bar that is
// pressed to a point from an infinite energy.
//
//     F_i = K q p d = -F_j,   d2E/dd2 = a I + b d d^T,   a = K q p,  b = K (p^2 + q m)
//
// The clamp takes the eigenvalues a (across) and a + b l^2 (along) >= 0: pressed bars buckle, and
// logarithmic bars weaken from l = 2.7 L on. Both grow without bound, under tension or pressure.
// Damping as in membrane.c: K (1 + r) and q - q0 instead of q, q0 = r q~/(1 + r).
//
// A bar that gives way by the strain c carries no more than K c p l where it is pressed, as fibres
// do (fibre.c), together with its damping: with R = sqrt(1 + q^2/c^2)
//
//     E = K q^2/(1 + R),   dE/dq = K q/R,   d2E/dq2 = K/R^3
//
// and the clamp leaves it the fading stiffness of fibres along its direction.

#include <math.h>

#include "base/logarithm.h"
#include "base/memory.h"
#include "base/vec.h"
#include "energy/element.h"
#include "energy/fibre.h"
#include "energy/joint.h"
#include "material/fabric.h"
#include "weft/weft_study.h"

// per element and state: d, a, b
enum { KEPT = 5 };
static const double LEAST_SQUARE = 1e-8;  // c over L^2

typedef struct BarTerm {
    WfElementTerm head;
    WeftStrain strain;
    double* stiffness;  // K
    double* squares;    // L^2
    bool gives;         // gives way where it is pressed, by the strain of the space
} BarTerm;

static void bar_destroy(const WeftAllocator* allocator, WfTerm* term) {
    BarTerm* t = (BarTerm*)term;
    wf_free(allocator, t->stiffness);
    wf_free(allocator, t->squares);
    wf_element_destroy(allocator, &t->head);
}

static void bar_count(const WfTerm* term, size_t* memory, size_t* scratch, size_t* partial) {
    const BarTerm* t = (const BarTerm*)term;
    *memory = 0;
    *scratch = 8 + (1 + KEPT) * (size_t)t->head.element_count;
    *partial = (size_t)t->head.scatter.chunk_count;
}

static double give_of(const BarTerm* t, const WfTermSpace* space) {
    return t->gives ? space->give : 0;
}

// scratch: [0] is 1 + r, then q0, then what is kept
static double* rest_strains(const WfTermSpace* space) { return space->scratch + 8; }
static double* kept_element(const BarTerm* t, const WfTermSpace* space, int e) {
    return space->scratch + 8 + t->head.element_count + KEPT * (long)e;
}

static WF_INLINE WfVec bar_of(const BarTerm* t, const double* x, int e) {
    const int* v = t->head.vertices + 2 * (long)e;
    return wf_sub(wf_load(x, v[1]), wf_load(x, v[0]));
}

typedef struct Measure {
    double q, p, m;
} Measure;

static WF_INLINE Measure measure(const BarTerm* t, int e, WfVec d) {
    double ll = wf_dot(d, d), LL = t->squares[e];
    if (t->strain == WEFT_STRAIN_GREEN) return (Measure){(ll / LL - 1) / 2, 1 / LL, 0};
    double c = LEAST_SQUARE * LL, p = 1 / (ll + c);
    return (Measure){wf_logarithm((ll + c) / (LL + c)) / 2, p, -2 * p * p};
}

static void bar_begin(const WfTerm* term, const WfTermSpace* space, const WfMotion* motion) {
    const BarTerm* t = (const BarTerm*)term;
    double r = t->head.zeta / motion->gamma, *q0 = rest_strains(space);
    const double* w = motion->base_weights;
    space->scratch[0] = 1 + r;
    for (int e = 0; e < t->head.element_count; e++) {
        double q = measure(t, e, bar_of(t, motion->x, e)).q;
        double q1 = measure(t, e, bar_of(t, motion->x1, e)).q;
        q0[e] = r / (1 + r) * (w[0] * q + w[1] * q1);
    }
}

// ---------------------------------------------------------------------------------------------
// Energy, force, stiffness

typedef WfElementJob Job;

// E and its derivatives by q, over K.
typedef struct Answer {
    double energy, slope, curvature;
} Answer;

static WF_INLINE Answer answer_to(double q, double give) {
    if (!(q < 0 && give > 0)) return (Answer){q * q / 2, q, 1};
    double R = sqrt(1 + q / give * (q / give));
    return (Answer){q * q / (1 + R), q / R, 1 / (R * R * R)};
}

// Of a pressed bar that gives way: what fibres keep of their stiffness along them.
static double fading(const BarTerm* t, int e, double ll) {
    return ll > 0 ? fmax(wf_fibre_fading(sqrt(t->squares[e] / ll)), 0) : 0;
}

static void keep_element(const Job* job, int e, WfVec d, Measure m, double K, Answer y) {
    const BarTerm* t = (const BarTerm*)job->term;
    double* kept = kept_element(t, job->space, e);
    double a = K * y.slope * m.p, b = K * (y.curvature * m.p * m.p + y.slope * m.m);
    double ll = wf_dot(d, d);
    if (!(job->want & WF_WANT_EXACT)) {
        bool gives = m.q < 0 && give_of(t, job->space) > 0;
        double along = fmax(a + b * ll, gives ? K * m.p * m.p * ll * fading(t, e, ll) : 0);
        a = fmax(a, 0);
        b = ll > 0 ? (along - a) / ll : 0;
    }
    wf_store(kept, 0, d);
    kept[3] = a;
    kept[4] = b;
}

static void evaluate_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    const BarTerm* t = (const BarTerm*)job->term;
    bool begun = job->space->scratch != NULL;
    double damped = begun ? job->space->scratch[0] : 1, energy = 0;
    double give = give_of(t, job->space) / damped;  // with its damping it carries the same
    for (int e = first; e < end; e++) {
        const int* v = t->head.vertices + 2 * (long)e;
        WfVec d = bar_of(t, job->x, e);
        Measure m = measure(t, e, d);
        double K = damped * t->stiffness[e];
        if (begun) m.q -= rest_strains(job->space)[e];
        Answer y = answer_to(m.q, give);
        energy += K * y.energy;
        if (job->want & WF_WANT_FORCE) {
            wf_accumulate(job->f, v[0], job->scale * K * y.slope * m.p, d);
            wf_accumulate(job->f, v[1], -job->scale * K * y.slope * m.p, d);
        }
        if (job->want & WF_WANT_LINEARISE) keep_element(job, e, d, m, K, y);
    }
    job->space->partial[chunk] = energy;
}

static void product_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    const BarTerm* t = (const BarTerm*)job->term;
    (void)chunk;
    for (int e = first; e < end; e++) {
        const double* kept = kept_element(t, job->space, e);
        const int* v = t->head.vertices + 2 * (long)e;
        WfVec d = wf_load(kept, 0), p = bar_of(t, job->x, e);
        WfVec q = wf_madd(wf_mul(kept[3], p), kept[4] * wf_dot(d, p), d);
        wf_accumulate(job->f, v[0], -job->scale, q);
        wf_accumulate(job->f, v[1], job->scale, q);
    }
}

static void blocks_chunk(void* context, int chunk, int first, int end) {
    static const int full[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    const Job* job = context;
    const BarTerm* t = (const BarTerm*)job->term;
    (void)chunk;
    for (int e = first; e < end; e++) {
        const double* kept = kept_element(t, job->space, e);
        const int* v = t->head.vertices + 2 * (long)e;
        double block[6] = {0};
        wf_sym_add(block, job->scale * kept[3], job->scale * kept[4], wf_load(kept, 0));
        for (int i = 0; i < 6; i++) {
            job->f[6 * (long)v[0] + i] += block[i];
            job->f[6 * (long)v[1] + i] += block[i];
        }
        if (!job->matrix) continue;
        double* upper = job->matrix->upper + 9 * (long)t->head.places[e];
        for (int i = 0; i < 9; i++) upper[i] -= block[full[i]];
    }
}

// At rest d2E/dd2 <= rope_stretch/L. Twice that is enough for Green's strain up to l = 1.29 L, and
// for the logarithmic one from l = 0.79 L on: the explicit method goes by it.
static void bar_majorant(const WfTerm* term, double gamma, double scale, const WfPattern* pattern,
                         double* values) {
    const BarTerm* t = (const BarTerm*)term;
    double damped = scale * (1 + t->head.zeta / gamma);
    for (int e = 0; e < t->head.element_count; e++) {
        const int* v = t->head.vertices + 2 * (long)e;
        double k = 2 * damped * t->stiffness[e] / t->squares[e];
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2; b++)
                values[wf_pattern_find(pattern, v[a], v[b])] += a == b ? k : -k;
    }
}

static void damp_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    const BarTerm* t = (const BarTerm*)job->term;
    double give = give_of(t, job->space), zeta = t->head.zeta;
    (void)chunk;
    for (int e = first; e < end; e++) {
        const int* v = t->head.vertices + 2 * (long)e;
        WfVec d = bar_of(t, job->x, e);
        Measure m = measure(t, e, d);
        double rate = m.p * wf_dot(d, bar_of(t, job->v, e)), pull = zeta * rate;
        // with the bar or not at all
        if (give > 0) pull = answer_to(m.q + pull, give).slope - answer_to(m.q, give).slope;
        pull *= job->scale * t->stiffness[e] * m.p;
        wf_accumulate(job->f, v[0], pull, d);
        wf_accumulate(job->f, v[1], -pull, d);
    }
}

// ---------------------------------------------------------------------------------------------
// Making

static const WfElementBodies bar_bodies = {evaluate_chunk, product_chunk, blocks_chunk, damp_chunk};

static const WfTermClass bar_class = {
    .name = "bar",
    .role = WF_ROLE_STRETCH,
    .unbounded = true,
    .instead = "ropes of engineering strain",
    .destroy = bar_destroy,
    .count = bar_count,
    .begin = bar_begin,
    .majorant = bar_majorant,
    .damp = wf_element_damp,
    WF_ELEMENT_CLASS,
};

static void fill_thread(const WfClothParts* parts, int thread, BarTerm* t) {
    const WeftClothDef* def = parts->def;
    const int* v = def->thread_vertices + def->threads[thread].first;
    const double* lengths = parts->rest->segments + parts->rest->segment_start[thread];
    for (int i = 0; i + 1 < def->threads[thread].count; i++) {
        int e = t->head.element_count++;
        double scale = wf_share_scale(parts, def->stretch_scale, v + i, 2);
        t->head.vertices[2 * (long)e] = parts->first_vertex + v[i];
        t->head.vertices[2 * (long)e + 1] = parts->first_vertex + v[i + 1];
        t->stiffness[e] = scale * def->fabric.rope_stretch * lengths[i];
        t->squares[e] = lengths[i] * lengths[i];
    }
}

WfTerm* wf_bar_create(const WeftAllocator* allocator, const WfClothParts* parts) {
    const WeftClothDef* def = parts->def;
    size_t count = (size_t)wf_segment_count(parts, WF_ROPES);
    BarTerm* t = wf_alloc(allocator, 1, sizeof *t);
    if (!t) return NULL;
    t->head.bodies = &bar_bodies;
    t->head.arity = 2;
    t->head.term = (WfTerm){.type = &bar_class, .cloth = parts->cloth};
    t->head.zeta = def->fabric.stretch_damping;
    t->head.vertices = wf_alloc(allocator, 2 * count, sizeof(int));
    t->strain = def->rope_strain;
    t->gives = wf_ropes_give(&def->fabric);
    t->stiffness = wf_alloc(allocator, count, sizeof(double));
    t->squares = wf_alloc(allocator, count, sizeof(double));
    if (!t->head.vertices || !t->stiffness || !t->squares) goto failed;
    for (int thread = 0; thread < def->thread_count; thread++)
        if (wf_has_segments(parts, &def->threads[thread], WF_ROPES)) fill_thread(parts, thread, t);
    if (!wf_element_finish(allocator, parts, &t->head)) return &t->head.term;
failed:
    bar_destroy(allocator, &t->head.term);
    return NULL;
}

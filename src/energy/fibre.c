// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The conventional fibre, E = k/2 (l - L)^2 with l = |w|, u = w/l:
//
//     F_a  = -k (l - L) c_a u
//     K_ab = c_a c_b (a I + b u u^T),   a = k t,  b = k (1 - t),  t = 1 - L/l
//
// A compressed fibre has t < 0, which makes the system matrix indefinite once 2 beta (L/l - 1) > 1;
// the clamp t = max(t, 0) keeps it positive. k c_a c_b I majorises every K_ab, since 0 <= t <= 1.
// One-sided fibres have neither energy nor stiffness below L; the matrix of a method that takes one
// Newton step would then miss what holds as soon as it moves, so that theirs is the smoothed one.
// (Draping cloth of beta 62, 40 x 40: the mean height of A 4 is off by 0.3 % of the drop instead of
// 8 %, of A 2 by 0.9 % instead of 38 %.) Other Jacobians of the literature are other choices of a
// and b:
//
//     one-sided   as above where l > L, else 0                           (Choi and Ko 2002)
//     smoothed    and a = 0, b = k L/l (l/L - 0.8)/0.2 for 0.8 L < l < L (Kim 2006, with l^3 where
//                 eq. 9 has l^2: only that is continuous at L)
//     axial       a = 0, b = k                                           (Kang and Cho 2002)
//     scalar      a = k, b = 0                                           (Desbrun and others 1999)
//
// A fibre that gives way carries no more than k c, with c = give L, where it is pressed: below the
// size of the mesh there always is a strip that buckles. With s = l - L < 0 and r = sqrt(1 +
// s^2/c^2)
//
//     E = k s^2/(1 + r),   F = -k s/r,   E'' = k/r^3
//
// which joins the stretched side smoothly, up to the third derivative. (An exponential, k c (1 -
// exp(s/c)), moves cloth the same to a tenth of a millimetre, but has other bits on every machine.)
// Its matrix has a = 0 and b = k max(1/r^3, the smoothed one): with 1/r^3 alone, few iterations
// lose the balance of energy.
//
// Per state: 1 + r (see fibre.h), damped rest lengths, and (u, a, b) of the last linearisation.

#include "energy/fibre.h"

#include <string.h>

#include "base/memory.h"
#include "energy/fibre_job.h"

enum { CHUNK = 512, KEPT = WF_FIBRE_KEPT };

WfFibreTerm* wf_fibre_create(const WeftAllocator* allocator, const WfTermClass* type,
                             const WfClothParts* parts, WfFibreShape shape, int element_count,
                             double zeta) {
    static const int arities[] = {2, 3, 3, 4, 3}, fibre_counts[] = {1, 2, 4, 1, 1};
    WfFibreTerm* t = wf_alloc(allocator, 1, sizeof *t);
    if (!t) return NULL;
    t->term.type = type;
    t->term.cloth = parts->cloth;
    t->shape = shape;
    t->arity = arities[shape];
    t->fibres = fibre_counts[shape];
    t->element_count = element_count;
    t->first_vertex = parts->first_vertex;
    t->vertex_count = parts->def->vertex_count;
    t->zeta = zeta;
    t->chunk = CHUNK;
    size_t elements = (size_t)element_count, fibres = elements * (size_t)t->fibres;
    t->vertices = wf_alloc(allocator, elements * (size_t)t->arity, sizeof(int));
    t->stiffness = wf_alloc(allocator, fibres, sizeof(double));
    t->length = wf_alloc(allocator, fibres, sizeof(double));
    bool good = t->vertices && t->stiffness && t->length;
    if (shape != WF_FIBRE_SPRING) {
        t->coefficients = wf_alloc(allocator, fibres * (size_t)t->arity, sizeof(double));
        good = good && t->coefficients;
    }
    if (good) return t;
    wf_fibre_destroy(allocator, &t->term);
    return NULL;
}

WfTerm* wf_fibre_finish(const WeftAllocator* allocator, const WfClothParts* parts, WfFibreTerm* t) {
    if (!wf_scatter_create(allocator, parts->row_count, t->element_count, t->arity, t->vertices,
                           t->chunk, &t->scatter))
        return &t->term;
    wf_fibre_destroy(allocator, &t->term);
    return NULL;
}

void wf_fibre_destroy(const WeftAllocator* allocator, WfTerm* term) {
    WfFibreTerm* t = (WfFibreTerm*)term;
    wf_free(allocator, t->vertices);
    wf_free(allocator, t->coefficients);
    wf_free(allocator, t->stiffness);
    wf_free(allocator, t->length);
    wf_free(allocator, t->places);
    wf_free(allocator, t->bundles);
    wf_scatter_destroy(allocator, &t->scatter);
    wf_free(allocator, t);
}

void wf_fibre_pairs(const WfTerm* term, void (*visit)(void* context, int a, int b), void* context) {
    const WfFibreTerm* t = (const WfFibreTerm*)term;
    for (int e = 0; e < t->element_count; e++) {
        const int* v = t->vertices + (long)e * t->arity;
        for (int a = 0; a < t->arity; a++)
            for (int b = a + 1; b < t->arity; b++) visit(context, v[a], v[b]);
    }
}

void wf_fibre_softened_majorant(const WfTerm* term, double gamma, double firm, double scale,
                                const WfPattern* pattern, double* values) {
    const WfFibreTerm* t = (const WfFibreTerm*)term;
    int A = t->arity, F = t->fibres;
    double damped = scale * (1 + t->zeta / gamma);
    for (int e = 0; e < t->element_count; e++) {
        double k[4];
        wf_fibre_stiffness(t, firm, e, k, F);
        for (int a = 0; a < A; a++)
            for (int b = 0; b < A; b++) {
                double sum = 0;
                for (int f = 0; f < F; f++)
                    sum += k[f] * wf_fibre_c(t, e, f, a, A, F) * wf_fibre_c(t, e, f, b, A, F);
                const int* v = t->vertices + (long)e * A;
                values[wf_pattern_find(pattern, v[a], v[b])] += damped * sum;
            }
    }
}

void wf_fibre_majorant(const WfTerm* term, double gamma, double scale, const WfPattern* pattern,
                       double* values) {
    wf_fibre_softened_majorant(term, gamma, 1, scale, pattern, values);
}

// ---------------------------------------------------------------------------------------------
// What a state keeps for a term: [0] is 1 + r, then rest lengths where there is damping, then the
// linearisation.

static WfFibreKept kept(const WfFibreTerm* t, const WfTermSpace* space) {
    long count = (long)t->element_count * t->fibres;
    if (!space->scratch) return (WfFibreKept){1, t->length, NULL};  // undamped, for measuring
    bool damping = t->zeta > 0;
    return (WfFibreKept){damping ? space->scratch[0] : 1, damping ? space->scratch + 8 : t->length,
                         space->scratch + 8 + (damping ? count : 0)};
}

void wf_fibre_count(const WfTerm* term, size_t* memory, size_t* scratch, size_t* partial) {
    const WfFibreTerm* t = (const WfFibreTerm*)term;
    size_t count = (size_t)t->element_count * (size_t)t->fibres;
    *memory = 0;
    *scratch = 8 + (t->zeta > 0 ? count : 0) + KEPT * count;
    *partial = (size_t)t->scatter.chunk_count;
}

const double* wf_fibre_kept(const WfFibreTerm* t, const WfTermSpace* space) {
    return kept(t, space).fibres;
}

typedef WfFibreJob Job;

WF_KERNEL void begin_range(const Job* job, int first, int end, const int A, const int F) {
    const WfFibreTerm* t = job->t;
    double* length = job->space->scratch + 8;
    const double* w = job->motion->base_weights;
    double r = job->space->scratch[0] - 1;
    for (int e = first; e < end; e++) {
        WfVec xs[4], x1s[4];
        wf_fibre_load(t, job->motion->x, e, xs, A);
        wf_fibre_load(t, job->motion->x1, e, x1s, A);
        for (int f = 0; f < F; f++) {
            double l = wf_length(wf_fibre_w(t, xs, e, f, A, F));
            double l1 = wf_length(wf_fibre_w(t, x1s, e, f, A, F));
            long i = (long)e * F + f;
            // (4 l - l1)/3 is negative where a fibre shrank to a quarter within a step
            length[i] = fmax(0, (t->length[i] + r * (w[0] * l + w[1] * l1)) / (1 + r));
        }
    }
}

static void begin_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    (void)chunk;
    WF_FIBRE_CALL(begin_range, job->t, job, first, end);
}

void wf_fibre_begin(const WfTerm* term, const WfTermSpace* space, const WfMotion* motion) {
    const WfFibreTerm* t = (const WfFibreTerm*)term;
    space->scratch[0] = 1 + t->zeta / motion->gamma;
    if (t->zeta <= 0) return;
    Job job = {.t = t, .space = space, .motion = motion};
    wf_scatter_run(&t->scatter, space->jobs, begin_chunk, &job);
}

double wf_fibre_evaluate(const WfTerm* term, const WfTermSpace* space, const double* x,
                         unsigned want, double scale, double* f) {
    const WfFibreTerm* t = (const WfFibreTerm*)term;
    Job job = {.t = t, .space = space, .x = x, .f = f, .scale = scale, .want = want};
    job.keep = kept(t, space);
    wf_scatter_run(&t->scatter, space->jobs, wf_fibre_wide()->evaluate, &job);
    double energy = 0;
    for (int c = 0; c < t->scatter.chunk_count; c++) energy += space->partial[c];
    return energy;
}

// ---------------------------------------------------------------------------------------------
// The stiffness, by the last linearisation

static WfVec kept_direction(const double* kept_fibre) {
    return (WfVec){kept_fibre[0], kept_fibre[1], kept_fibre[2]};
}

void wf_fibre_product(const WfTerm* term, const WfTermSpace* space, double scale, const double* p,
                      double* q) {
    const WfFibreTerm* t = (const WfFibreTerm*)term;
    Job job = {.t = t, .x = p, .f = q, .scale = scale, .keep = kept(t, space)};
    wf_scatter_run(&t->scatter, space->jobs, wf_fibre_wide()->product, &job);
}

WF_KERNEL void diagonal_range(const Job* job, int first, int end, const int A, const int F) {
    const WfFibreTerm* t = job->t;
    for (int e = first; e < end; e++)
        for (int f = 0; f < F; f++) {
            const double* kept_fibre = job->keep.fibres + KEPT * ((long)e * F + f);
            WfVec u = kept_direction(kept_fibre);
            for (int a = 0; a < A; a++) {
                double c = wf_fibre_c(t, e, f, a, A, F), s = job->scale * c * c;
                wf_sym_add(job->f + 6 * (long)t->vertices[(long)e * A + a], s * kept_fibre[3],
                           s * kept_fibre[4], u);
            }
        }
}

static void diagonal_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    (void)chunk;
    WF_FIBRE_CALL(diagonal_range, job->t, job, first, end);
}

void wf_fibre_diagonal(const WfTerm* term, const WfTermSpace* space, double scale, double* D) {
    const WfFibreTerm* t = (const WfFibreTerm*)term;
    Job job = {.t = t, .f = D, .scale = scale, .keep = kept(t, space)};
    wf_scatter_run(&t->scatter, space->jobs, diagonal_chunk, &job);
}

WeftResult wf_fibre_bind(const WeftAllocator* allocator, WfTerm* term,
                         const WfBlockPattern* pattern) {
    WfFibreTerm* t = (WfFibreTerm*)term;
    int A = t->arity, pairs = A * (A - 1) / 2;
    t->places = wf_alloc(allocator, (size_t)t->element_count * (size_t)pairs, sizeof(int));
    if (!t->places) return WEFT_ERROR_MEMORY;
    wf_block_places(pattern, t->element_count, A, t->vertices, t->places);
    return WEFT_OK;
}

// D += s G, and an upper block likewise: G is symmetric, no matter which way the pair goes
static WF_INLINE void add_diagonal(double* D, double s, const double* G) {
    for (int k = 0; k < 6; k++) D[k] += s * G[k];
}

static WF_INLINE void add_block(double* block, double s, const double* G) {
    const double g[6] = {s * G[0], s * G[1], s * G[2], s * G[3], s * G[4], s * G[5]};
    block[0] += g[0], block[1] += g[1], block[2] += g[2];
    block[3] += g[1], block[4] += g[3], block[5] += g[4];
    block[6] += g[2], block[7] += g[4], block[8] += g[5];
}

WF_KERNEL void blocks_range(const Job* job, int first, int end, const int A, const int F) {
    const WfFibreTerm* t = job->t;
    const int pairs = A * (A - 1) / 2;
    for (int e = first; e < end; e++) {
        const int *place = t->places + (long)e * pairs, *v = t->vertices + (long)e * A;
        for (int f = 0; f < F; f++) {
            const double* kept_fibre = job->keep.fibres + KEPT * ((long)e * F + f);
            double G[6] = {0};
            wf_sym_add(G, job->scale * kept_fibre[3], job->scale * kept_fibre[4],
                       kept_direction(kept_fibre));
            for (int a = 0, p = 0; a < A; a++) {
                double c = wf_fibre_c(t, e, f, a, A, F);
                add_diagonal(job->f + 6 * (long)v[a], c * c, G);
                for (int b = a + 1; b < A; b++, p++)
                    add_block(job->matrix->upper + 9 * (long)place[p],
                              c * wf_fibre_c(t, e, f, b, A, F), G);
            }
        }
    }
}

static void blocks_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    (void)chunk;
    WF_FIBRE_CALL(blocks_range, job->t, job, first, end);
}

void wf_fibre_blocks(const WfTerm* term, const WfTermSpace* space, double scale,
                     const WfBlockMatrix* matrix) {
    const WfFibreTerm* t = (const WfFibreTerm*)term;
    Job job = {.t = t, .f = matrix->diagonal, .scale = scale, .keep = kept(t, space)};
    job.matrix = matrix;
    wf_scatter_run(&t->scatter, space->jobs, blocks_chunk, &job);
}

// ---------------------------------------------------------------------------------------------
// Explicit damping: along the fibre; a hinge, whose rest length is zero, in every direction. One-
// sided fibres pull together with their damping or not at all, as with the implicit one, and those
// that give way do so together with it.

// What a fibre carries over its stiffness, stretched by s; c = give L, 0: it never gives way.
static double carried(const WfFibreTerm* t, double c, double s) {
    if (s >= 0) return s;
    double q = c > 0 ? s / c : 0;
    return t->one_sided ? 0 : s / sqrt(1 + q * q);
}

// rate over length that leaves such a fibre of length l and its damping carrying no more than that
static double carried_rate(const WfFibreTerm* t, double give, double rate, double l, double L) {
    double both = carried(t, give * L, l - L + t->zeta * rate * l);
    return (both - carried(t, give * L, l - L)) / (t->zeta * l);
}

WF_KERNEL void damp_range(const Job* job, int first, int end, const int A, const int F) {
    const WfFibreTerm* t = job->t;
    for (int e = first; e < end; e++) {
        WfVec xs[4], vs[4];
        double k[4], give = t->gives ? wf_give_at(job->space, t->vertices + (long)e * A, A) : 0;
        wf_fibre_load(t, job->x, e, xs, A);
        wf_fibre_load(t, job->v, e, vs, A);
        wf_fibre_stiffness(t, job->space->firm, e, k, F);
        for (int f = 0; f < F; f++) {
            long i = (long)e * F + f;
            WfVec rate = wf_fibre_w(t, vs, e, f, A, F);
            if (t->length[i] > 0) {
                WfVec w = wf_fibre_w(t, xs, e, f, A, F);
                double square = wf_dot(w, w), s = square > 0 ? wf_dot(w, rate) / square : 0;
                if ((t->one_sided || give > 0) && square > 0)
                    s = carried_rate(t, give, s, sqrt(square), t->length[i]);
                rate = wf_mul(s, w);
            }
            double s = -job->scale * t->zeta * k[f];
            for (int a = 0; a < A; a++)
                wf_accumulate(job->f, t->vertices[(long)e * A + a],
                              s * wf_fibre_c(t, e, f, a, A, F), rate);
        }
    }
}

static void damp_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    (void)chunk;
    WF_FIBRE_CALL(damp_range, job->t, job, first, end);
}

void wf_fibre_damp(const WfTerm* term, const WfTermSpace* space, const double* x, const double* v,
                   double scale, double* f) {
    const WfFibreTerm* t = (const WfFibreTerm*)term;
    if (t->zeta <= 0) return;
    Job job = {.t = t, .space = space, .x = x, .v = v, .f = f, .scale = scale};
    wf_scatter_run(&t->scatter, space->jobs, damp_chunk, &job);
}

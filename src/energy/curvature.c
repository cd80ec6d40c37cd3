// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Bending of threads by their curvature. At an inner vertex, between segments of rest lengths L1
// and L2,
//
//     x-  L1   x   L2  x+       c = (x+ - x)/L2 - (x - x-)/L1      change of direction
//     o--------o-------o        e = x+ - x-                        D = (L1 + L2)/2
//
//     kappa = 2 |c|/|e|,   E = k_b kappa^2 D/2 = K |c|^2/|e|^2,   K = 2 k_b D
//
// with k_b = bend * width for the cloth that a thread stands for, rope_bend for a rope. Linear
// bending of ropes (bend.c) is the same with |e| held at 2 D; here a thread that is stretched is
// curved less, and one that folds up resists without bound.
//
//     dE/dc = 2K/S c,   dE/de = -2K |c|^2/S^2 e,   S = |e|^2
//     H_cc  = alpha I,  H_ce = beta c e^T,  H_ee = zeta I + eta e e^T
//
//                alpha    beta        zeta           eta
//     exact      2K/S    -4K/S^2    -2K|c|^2/S^2    8K|c|^2/S^3
//     clamped    2K/S    -2K/S^2     0              2K|c|^2/S^3    (Gauss-Newton of r = c/sqrt S)
//
// (The source has these forces with the opposite sign, and divides by |c|, which is not needed.)
// There is no damping of its own: bend_damping acts on linear bending only.

#include "base/memory.h"
#include "base/vec.h"
#include "energy/element.h"
#include "energy/fibre.h"
#include "energy/joint.h"

// per element and state: c, e, alpha, beta, zeta, eta
enum { KEPT = 10 };
// S never falls below this part of its value at rest: no division by zero in a thread folded flat
static const double LEAST_SQUARE = 1e-6;

typedef struct CurvatureTerm {
    WfElementTerm head;
    double* coefficients;  // of c: 3 per element
    double* stiffness;     // K
    double* floors;        // added to S
} CurvatureTerm;

// coefficients of e
static const double ends[3] = {-1, 0, 1};

static void curvature_destroy(const WeftAllocator* allocator, WfTerm* term) {
    CurvatureTerm* t = (CurvatureTerm*)term;
    wf_free(allocator, t->coefficients);
    wf_free(allocator, t->stiffness);
    wf_free(allocator, t->floors);
    wf_element_destroy(allocator, &t->head);
}

static void curvature_count(const WfTerm* term, size_t* memory, size_t* scratch, size_t* partial) {
    const CurvatureTerm* t = (const CurvatureTerm*)term;
    *memory = 0;
    *scratch = KEPT * (size_t)t->head.element_count;
    *partial = (size_t)t->head.scatter.chunk_count;
}

typedef WfElementJob Job;

// c and e of any vectors at the vertices
static WF_INLINE void bend_of(const CurvatureTerm* t, const double* x, int e, WfVec* c,
                              WfVec* chord) {
    const int* v = t->head.vertices + 3 * (long)e;
    const double* a = t->coefficients + 3 * (long)e;
    WfVec before = wf_load(x, v[0]), after = wf_load(x, v[2]);
    *c = wf_madd(wf_madd(wf_mul(a[0], before), a[1], wf_load(x, v[1])), a[2], after);
    *chord = wf_sub(after, before);
}

// ---------------------------------------------------------------------------------------------
// Energy, force, linearisation

static void keep_element(const Job* job, int i, WfVec c, WfVec e, double K, double S) {
    double* kept = job->space->scratch + KEPT * (long)i;
    bool exact = job->want & WF_WANT_EXACT;
    double cc = wf_dot(c, c);
    wf_store(kept, 0, c);
    wf_store(kept, 1, e);
    kept[6] = 2 * K / S;
    kept[7] = (exact ? -4 : -2) * K / (S * S);
    kept[8] = exact ? -2 * K * cc / (S * S) : 0;
    kept[9] = (exact ? 8 : 2) * K * cc / (S * S * S);
}

static void evaluate_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    const CurvatureTerm* t = (const CurvatureTerm*)job->term;
    double energy = 0;
    for (int i = first; i < end; i++) {
        WfVec c, e;
        bend_of(t, job->x, i, &c, &e);
        double K = t->stiffness[i], S = wf_dot(e, e) + t->floors[i], cc = wf_dot(c, c);
        energy += K * cc / S;
        if (job->want & WF_WANT_FORCE) {
            WfVec by_c = wf_mul(2 * K / S, c), by_e = wf_mul(-2 * K * cc / (S * S), e);
            for (int a = 0; a < 3; a++) {
                WfVec g = wf_mul(t->coefficients[3 * (long)i + a], by_c);
                wf_accumulate(job->f, t->head.vertices[3 * (long)i + a], -job->scale,
                              wf_madd(g, ends[a], by_e));
            }
        }
        if (job->want & WF_WANT_LINEARISE) keep_element(job, i, c, e, K, S);
    }
    job->space->partial[chunk] = energy;
}

// ---------------------------------------------------------------------------------------------
// The stiffness, by the last linearisation

static void product_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    const CurvatureTerm* t = (const CurvatureTerm*)job->term;
    (void)chunk;
    for (int i = first; i < end; i++) {
        const double* kept = job->space->scratch + KEPT * (long)i;
        WfVec c = wf_load(kept, 0), e = wf_load(kept, 1), pc, pe;
        bend_of(t, job->x, i, &pc, &pe);
        WfVec by_c = wf_madd(wf_mul(kept[6], pc), kept[7] * wf_dot(e, pe), c);
        WfVec by_e =
            wf_madd(wf_mul(kept[8], pe), kept[7] * wf_dot(c, pc) + kept[9] * wf_dot(e, pe), e);
        for (int a = 0; a < 3; a++) {
            WfVec g = wf_mul(t->coefficients[3 * (long)i + a], by_c);
            wf_accumulate(job->f, t->head.vertices[3 * (long)i + a], job->scale,
                          wf_madd(g, ends[a], by_e));
        }
    }
}

// block of vertices a and b, rows of a
static void element_block(const CurvatureTerm* t, const double* kept, int i, int a, int b,
                          double block[9]) {
    const double* k = t->coefficients + 3 * (long)i;
    double scalar = k[a] * k[b] * kept[6] + ends[a] * ends[b] * kept[8];
    double ce = kept[7] * k[a] * ends[b], ec = kept[7] * ends[a] * k[b];
    double ee = kept[9] * ends[a] * ends[b];
    for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++)
            block[3 * r + s] = (r == s ? scalar : 0) + ce * kept[r] * kept[3 + s] +
                               ec * kept[3 + r] * kept[s] + ee * kept[3 + r] * kept[3 + s];
}

static void blocks_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    const CurvatureTerm* t = (const CurvatureTerm*)job->term;
    (void)chunk;
    for (int i = first; i < end; i++) {
        const double* kept = job->space->scratch + KEPT * (long)i;
        const int* v = t->head.vertices + 3 * (long)i;
        double block[9];
        for (int a = 0; a < 3; a++) {
            static const int at[6] = {0, 1, 2, 4, 5, 8};
            element_block(t, kept, i, a, a, block);
            for (int k = 0; k < 6; k++) job->f[6 * (long)v[a] + k] += job->scale * block[at[k]];
        }
        if (!job->matrix) continue;
        for (int a = 0, p = 0; a < 3; a++)
            for (int b = a + 1; b < 3; b++, p++) {
                bool up = v[a] < v[b];  // rows of the stored block belong to the smaller vertex
                element_block(t, kept, i, up ? a : b, up ? b : a, block);
                double* to = job->matrix->upper + 9 * (long)t->head.places[3 * (long)i + p];
                for (int k = 0; k < 9; k++) to[k] += job->scale * block[k];
            }
    }
}

// At rest c is zero and K_ab = alpha c_a c_b I, as of linear bending.
static void curvature_majorant(const WfTerm* term, double gamma, double scale,
                               const WfPattern* pattern, double* values) {
    const CurvatureTerm* t = (const CurvatureTerm*)term;
    (void)gamma;
    for (int i = 0; i < t->head.element_count; i++) {
        const int* v = t->head.vertices + 3 * (long)i;
        const double* c = t->coefficients + 3 * (long)i;
        double alpha = 2 * t->stiffness[i] * LEAST_SQUARE / t->floors[i];
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                values[wf_pattern_find(pattern, v[a], v[b])] += scale * alpha * c[a] * c[b];
    }
}

static const WfElementBodies curvature_bodies = {evaluate_chunk, product_chunk, blocks_chunk, NULL};

static const WfTermClass curvature_class = {
    .name = "curvature",
    .role = WF_ROLE_BEND,
    .unbounded = true,
    .instead = "bending by hinges",
    .destroy = curvature_destroy,
    .count = curvature_count,
    .majorant = curvature_majorant,
    WF_ELEMENT_CLASS,
};

// ---------------------------------------------------------------------------------------------
// Making

static void fill_element(const WfClothParts* parts, CurvatureTerm* t, long i,
                         const WfJoint* joint) {
    const WeftThread* thread = &parts->def->threads[joint->thread];
    const WeftFabric* fabric = &parts->def->fabric;
    bool rope = thread->kind == WEFT_THREAD_ROPE;
    double k = rope ? fabric->rope_bend : fabric->bend * thread->width;
    double length = joint->before + joint->after;
    double* c = t->coefficients + 3 * i;
    c[0] = 1 / joint->before;
    c[2] = 1 / joint->after;
    c[1] = -c[0] - c[2];
    for (int a = 0; a < 3; a++)
        t->head.vertices[3 * i + a] = parts->first_vertex + joint->vertices[a];
    t->stiffness[i] = k * length * wf_share_scale(parts, parts->def->bend_scale, joint->vertices, 3);
    t->floors[i] = LEAST_SQUARE * length * length;
}

// Elements in the order of their vertices, not thread by thread: the columns of a grid would jump
// through memory otherwise.
static bool fill_elements(const WeftAllocator* allocator, const WfClothParts* parts, unsigned kinds,
                          CurvatureTerm* t) {
    int* next = wf_alloc(allocator, (size_t)parts->def->vertex_count + 1, sizeof *next);
    if (!next) return false;
    WfJoint joint = {0};
    while (wf_joint_next(parts, kinds, &joint)) next[joint.vertices[1] + 1]++;
    for (int i = 0; i < parts->def->vertex_count; i++) next[i + 1] += next[i];
    joint = (WfJoint){0};
    while (wf_joint_next(parts, kinds, &joint))
        fill_element(parts, t, next[joint.vertices[1]]++, &joint);
    wf_free(allocator, next);
    return true;
}

WfTerm* wf_curvature_create(const WeftAllocator* allocator, const WfClothParts* parts) {
    const unsigned kinds = WF_WARPS | WF_WEFTS | WF_ROPES;
    CurvatureTerm* t = wf_alloc(allocator, 1, sizeof *t);
    if (!t) return NULL;
    t->head.bodies = &curvature_bodies;
    t->head.arity = 3;
    t->head.term = (WfTerm){.type = &curvature_class, .cloth = parts->cloth};
    t->head.term.is_explicit = parts->def->bend == WEFT_BEND_EXPLICIT;
    t->head.element_count = wf_joint_count(parts, kinds);
    size_t count = (size_t)t->head.element_count;
    t->head.vertices = wf_alloc(allocator, 3 * count, sizeof(int));
    t->coefficients = wf_alloc(allocator, 3 * count, sizeof(double));
    t->stiffness = wf_alloc(allocator, count, sizeof(double));
    t->floors = wf_alloc(allocator, count, sizeof(double));
    if (!t->head.vertices || !t->coefficients || !t->stiffness || !t->floors) goto failed;
    if (!fill_elements(allocator, parts, kinds, t)) goto failed;
    if (!wf_element_finish(allocator, parts, &t->head)) return &t->head.term;
failed:
    curvature_destroy(allocator, &t->head.term);
    return NULL;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The shear of a triangle as a product: E = A k/2 (s - s0)^2, s = Su . Sv, s0 = 0 (with damping,
// see fibre.h: stiffness k (1 + r) and s0 = r s~/(1 + r)).
//
//     ds/dx_a = g_a = cu_a Sv + cv_a Su
//     F_a  = -A k (s - s0) g_a
//     K_ab =  A k [ g_a g_b^T + (s - s0)(cu_a cv_b + cv_a cu_b) I ]
//
// The second part has the eigenvalues (s - s0)(cu.cv +- |cu||cv|) with vectors q = cu/|cu| +-
// cv/|cv|; the clamp keeps the one that is not negative, lambda q q^T. E grows with the fourth
// power of the stretch, so no constant matrix majorises K, and the prefactored method refuses the
// term.

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "energy/element.h"
#include "energy/fibre.h"

// per element and state: Su, Sv, and the geometric part, either (d; s - s0 exact) or lambda and q
enum { KEPT = 10 };

typedef struct ShearTerm {
    WfElementTerm head;
    double* coefficients;  // cu, cv: 6 per element
    double* stiffness;     // A k
} ShearTerm;

static void shear_destroy(const WeftAllocator* allocator, WfTerm* term) {
    ShearTerm* t = (ShearTerm*)term;
    wf_free(allocator, t->coefficients);
    wf_free(allocator, t->stiffness);
    wf_element_destroy(allocator, &t->head);
}

static void shear_count(const WfTerm* term, size_t* memory, size_t* scratch, size_t* partial) {
    const ShearTerm* t = (const ShearTerm*)term;
    *memory = 0;
    *scratch = 8 + (1 + KEPT) * (size_t)t->head.element_count;
    *partial = (size_t)t->head.scatter.chunk_count;
}

// scratch: [0] is 1 + r, then s0, then what is kept
static double* rest_products(const WfTermSpace* space) { return space->scratch + 8; }
static double* kept_element(const ShearTerm* t, const WfTermSpace* space, int e) {
    return space->scratch + 8 + t->head.element_count + KEPT * (long)e;
}

static void axes_at(const ShearTerm* t, const double* x, int e, WfVec* su, WfVec* sv) {
    const double* c = t->coefficients + 6 * (long)e;
    *su = *sv = (WfVec){0, 0, 0};
    for (int a = 0; a < 3; a++) {
        WfVec p = wf_load(x, t->head.vertices[3 * (long)e + a]);
        *su = wf_madd(*su, c[a], p);
        *sv = wf_madd(*sv, c[3 + a], p);
    }
}

static void shear_begin(const WfTerm* term, const WfTermSpace* space, const WfMotion* motion) {
    const ShearTerm* t = (const ShearTerm*)term;
    double r = t->head.zeta / motion->gamma, *s0 = rest_products(space);
    space->scratch[0] = 1 + r;
    for (int e = 0; e < t->head.element_count; e++) {
        WfVec su, sv, su1, sv1;
        axes_at(t, motion->x, e, &su, &sv);
        axes_at(t, motion->x1, e, &su1, &sv1);
        double s =
            motion->base_weights[0] * wf_dot(su, sv) + motion->base_weights[1] * wf_dot(su1, sv1);
        s0[e] = r / (1 + r) * s;
    }
}

typedef WfElementJob Job;

// the geometric part at excess d = s - s0: 3 numbers q and lambda, so that it is lambda q q^T
static void clamp_geometry(const double* c, double d, double* lambda, double q[3]) {
    double uu = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    double vv = c[3] * c[3] + c[4] * c[4] + c[5] * c[5];
    double uv = c[0] * c[3] + c[1] * c[4] + c[2] * c[5];
    double sign = d >= 0 ? 1 : -1, square = 0;
    *lambda = d * (uv + sign * sqrt(uu * vv));
    for (int a = 0; a < 3; a++) {
        q[a] = c[a] / sqrt(uu) + sign * c[3 + a] / sqrt(vv);
        square += q[a] * q[a];
    }
    for (int a = 0; a < 3; a++) q[a] = square > 0 ? q[a] / sqrt(square) : 0;
}

static void keep_element(const Job* job, int e, WfVec su, WfVec sv, double k, double d) {
    const ShearTerm* t = (const ShearTerm*)job->term;
    const double* c = t->coefficients + 6 * (long)e;
    double* kept = kept_element(t, job->space, e);
    wf_store(kept, 0, wf_mul(sqrt(k), su));
    wf_store(kept, 1, wf_mul(sqrt(k), sv));
    if (job->want & WF_WANT_EXACT) {
        kept[6] = k * d;
        kept[7] = kept[8] = kept[9] = 0;
        return;
    }
    double lambda;
    clamp_geometry(c, d, &lambda, kept + 7);
    kept[6] = 0;
    for (int a = 0; a < 3; a++) kept[7 + a] *= sqrt(k * lambda);
}

static void evaluate_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    const ShearTerm* t = (const ShearTerm*)job->term;
    bool begun = job->space->scratch != NULL;
    double damped = begun ? job->space->scratch[0] : 1, energy = 0;
    for (int e = first; e < end; e++) {
        WfVec su, sv;
        axes_at(t, job->x, e, &su, &sv);
        double k = damped * t->stiffness[e];
        double d = wf_dot(su, sv) - (begun ? rest_products(job->space)[e] : 0);
        const double* c = t->coefficients + 6 * (long)e;
        energy += k / 2 * d * d;
        if (job->want & WF_WANT_FORCE)
            for (int a = 0; a < 3; a++) {
                WfVec g = wf_madd(wf_mul(c[a], sv), c[3 + a], su);
                wf_accumulate(job->f, t->head.vertices[3 * (long)e + a], -job->scale * k * d, g);
            }
        if (job->want & WF_WANT_LINEARISE) keep_element(job, e, su, sv, k, d);
    }
    job->space->partial[chunk] = energy;
}

// K_ab = g_a g_b^T + m_ab I, with sqrt(k) inside g
static WfVec gradient(const ShearTerm* t, const double* kept, int e, int a) {
    const double* c = t->coefficients + 6 * (long)e;
    return wf_madd(wf_mul(c[a], wf_load(kept, 1)), c[3 + a], wf_load(kept, 0));
}

static double geometry(const ShearTerm* t, const double* kept, int e, int a, int b) {
    const double* c = t->coefficients + 6 * (long)e;
    return kept[6] * (c[a] * c[3 + b] + c[3 + a] * c[b]) + kept[7 + a] * kept[7 + b];
}

static void product_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    const ShearTerm* t = (const ShearTerm*)job->term;
    (void)chunk;
    for (int e = first; e < end; e++) {
        const double* kept = kept_element(t, job->space, e);
        WfVec g[3], p[3];
        double s = 0;
        for (int a = 0; a < 3; a++) {
            p[a] = wf_load(job->x, t->head.vertices[3 * (long)e + a]);
            g[a] = gradient(t, kept, e, a);
            s += wf_dot(g[a], p[a]);
        }
        for (int a = 0; a < 3; a++) {
            WfVec q = wf_mul(s, g[a]);
            for (int b = 0; b < 3; b++) q = wf_madd(q, geometry(t, kept, e, a, b), p[b]);
            wf_accumulate(job->f, t->head.vertices[3 * (long)e + a], job->scale, q);
        }
    }
}

static void add_outer(double* block, double s, WfVec a, WfVec b, double diagonal) {
    const double av[3] = {a.x, a.y, a.z}, bv[3] = {b.x, b.y, b.z};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            block[3 * i + j] += s * (av[i] * bv[j] + (i == j ? diagonal : 0));
}

static void blocks_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    const ShearTerm* t = (const ShearTerm*)job->term;
    (void)chunk;
    for (int e = first; e < end; e++) {
        const double* kept = kept_element(t, job->space, e);
        const int* v = t->head.vertices + 3 * (long)e;
        const int* place = t->head.places + 3 * (long)e;
        WfVec g[3];
        for (int a = 0; a < 3; a++) {
            g[a] = gradient(t, kept, e, a);
            wf_sym_add(job->f + 6 * (long)v[a], job->scale * geometry(t, kept, e, a, a), job->scale,
                       g[a]);
        }
        if (!job->matrix) continue;
        for (int a = 0, p = 0; a < 3; a++)
            for (int b = a + 1; b < 3; b++, p++) {
                bool up = v[a] < v[b];  // rows of the stored block belong to the smaller vertex
                add_outer(job->matrix->upper + 9 * (long)place[p], job->scale, up ? g[a] : g[b],
                          up ? g[b] : g[a], geometry(t, kept, e, a, b));
            }
    }
}

// At rest Su and Sv are unit vectors at right angles: |g_a|^2 = cu_a^2 + cv_a^2, K_ab <= A k
// |g_a||g_b|.
static void shear_majorant(const WfTerm* term, double gamma, double scale, const WfPattern* pattern,
                           double* values) {
    const ShearTerm* t = (const ShearTerm*)term;
    double damped = scale * (1 + t->head.zeta / gamma);
    for (int e = 0; e < t->head.element_count; e++) {
        const double* c = t->coefficients + 6 * (long)e;
        const int* v = t->head.vertices + 3 * (long)e;
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                values[wf_pattern_find(pattern, v[a], v[b])] += damped * t->stiffness[e] *
                                                                wf_flat_length(c[a], c[3 + a]) *
                                                                wf_flat_length(c[b], c[3 + b]);
    }
}

static void damp_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    const ShearTerm* t = (const ShearTerm*)job->term;
    (void)chunk;
    for (int e = first; e < end; e++) {
        WfVec su, sv, vu, vv;
        axes_at(t, job->x, e, &su, &sv);
        axes_at(t, job->v, e, &vu, &vv);
        double rate = wf_dot(su, vv) + wf_dot(vu, sv);
        const double* c = t->coefficients + 6 * (long)e;
        for (int a = 0; a < 3; a++) {
            WfVec g = wf_madd(wf_mul(c[a], sv), c[3 + a], su);
            wf_accumulate(job->f, t->head.vertices[3 * (long)e + a],
                          -job->scale * t->head.zeta * t->stiffness[e] * rate, g);
        }
    }
}

static const WfElementBodies shear_bodies = {evaluate_chunk, product_chunk, blocks_chunk,
                                             damp_chunk};

static void shear_numbers(const WfTerm* term, int e, float* numbers) {
    const ShearTerm* t = (const ShearTerm*)term;
    wf_write_axes(t->coefficients + 6 * (long)e, numbers);
    numbers[4] = wf_compliance(t->stiffness[e]);
}

static const WfTermClass shear_class = {
    .name = "shear product",
    .local = WF_LOCAL_PRODUCT,
    .local_numbers = shear_numbers,
    .role = WF_ROLE_STRETCH,
    .unbounded = true,
    .instead = "the shear of diagonals",
    .destroy = shear_destroy,
    .count = shear_count,
    .begin = shear_begin,
    .majorant = shear_majorant,
    .damp = wf_element_damp,
    WF_ELEMENT_CLASS,
};

WfTerm* wf_shear_create(const WeftAllocator* allocator, const WfClothParts* parts) {
    const WeftClothDef* def = parts->def;
    size_t count = (size_t)def->triangle_count;
    ShearTerm* t = wf_alloc(allocator, 1, sizeof *t);
    if (!t) return NULL;
    t->head.bodies = &shear_bodies;
    t->head.arity = 3;
    t->head.term = (WfTerm){.type = &shear_class, .cloth = parts->cloth, .softens = true};
    t->head.element_count = def->triangle_count;
    t->head.zeta = def->fabric.stretch_damping;
    t->head.vertices = wf_alloc(allocator, 3 * count, sizeof(int));
    t->coefficients = wf_alloc(allocator, 6 * count, sizeof(double));
    t->stiffness = wf_alloc(allocator, count, sizeof(double));
    if (!t->head.vertices || !t->coefficients || !t->stiffness) goto failed;
    for (long e = 0; e < t->head.element_count; e++) {
        double* c = t->coefficients + 6 * e;
        wf_triangle_axes(parts->rest->corners + 6 * e, c, c + 3);
        for (int a = 0; a < 3; a++)
            t->head.vertices[3 * e + a] = parts->first_vertex + def->triangles[3 * e + a];
        t->stiffness[e] = parts->rest->areas[e] * def->fabric.shear *
                          wf_mean_scale(def->stretch_scale, def->triangles + 3 * e, 3);
    }
    if (!wf_element_finish(allocator, parts, &t->head)) return &t->head.term;
failed:
    shear_destroy(allocator, &t->head.term);
    return NULL;
}

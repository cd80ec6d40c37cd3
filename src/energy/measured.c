// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Stretch and shear of a triangle by a fabric's measured tables (after Wang, O'Brien and
// Ramamoorthi, "Data-Driven Elastic Models for Cloth", 2011). Green's strain in the axes of warp
// and weft, and stress by the stiffness C that the tables have at that strain (elastic.h):
//
//     e_uu = (Su.Su - 1)/2    e_vv = (Sv.Sv - 1)/2    e_uv = Su.Sv/2        s = C(e) e
//
//     F_a  = -A (cu_a Tu + cv_a Tv),    Tu = s_uu Su + s_uv Sv,   Tv = s_vv Sv + s_uv Su
//
// The stiffness takes C as it is at x for constant. With B the rows d(e_uu, e_vv, 2 e_uv)/dx and
// D = [c11 c12 0; c12 c22 0; 0 0 c33/2]
//
//     K_ab = A (B_a^T D B_b + P_ab I),    P_ab = s_uu cu_a cu_b + s_vv cv_a cv_b
//                                                + s_uv (cu_a cv_b + cv_a cu_b)
//
// The clamp leaves out the principal stresses that press. C is positive, so K is, then.
//
// C(e) e is the gradient of no energy: a cycle of strains gives or takes some work, with tables of
// real fabrics a few per cent of what goes to and fro. What is returned as the energy, A/2 e.C(e)
// e, is what the strain would cost if C had been the same all the way. It is good for measuring,
// but a line search by it may stop short of equilibrium. With six equal rows it is the energy.
//
// Damping, with r = zeta/gamma (see fibre.h): e + r (e - e~) instead of e under C(e), which is
// (1 + r) C(e) and e - e0 with e0 = r e~/(1 + r).
//
// Where the fabric gives way under compression (wrinkle.h), s is that of the wrinkled cloth,
// pressed together with its damping, and D its stiffness. Its load goes by the tables' row without
// strain.

#include <math.h>

#include "base/memory.h"
#include "base/vec.h"
#include "energy/element.h"
#include "energy/fibre.h"
#include "energy/wrinkle.h"

// per element and state: Su, Sv, A D (wrinkle.h), A s as uu vv uv (clamped or not)
enum { KEPT = 15, D_AT = 6, S_AT = 12 };

typedef struct MeasuredTerm {
    WfElementTerm head;
    WeftMeasured table;
    double* coefficients;  // cu, cv: 6 per element
    double* areas;         // times the scale of its stiffness
    double stretch;        // N/m: what a strip carries over a small strain
} MeasuredTerm;

typedef WfElementJob Job;

static void measured_destroy(const WeftAllocator* allocator, WfTerm* term) {
    MeasuredTerm* t = (MeasuredTerm*)term;
    wf_free(allocator, t->coefficients);
    wf_free(allocator, t->areas);
    wf_element_destroy(allocator, &t->head);
}

static void measured_count(const WfTerm* term, size_t* memory, size_t* scratch, size_t* partial) {
    const MeasuredTerm* t = (const MeasuredTerm*)term;
    *memory = 0;
    *scratch = 8 + (3 + KEPT) * (size_t)t->head.element_count;
    *partial = (size_t)t->head.scatter.chunk_count;
}

// scratch: [0] is 1 + r, then e0, then what is kept
static double* rest_strain(const WfTermSpace* space, int e) {
    return space->scratch + 8 + 3 * (long)e;
}
static double* kept_element(const MeasuredTerm* t, const WfTermSpace* space, int e) {
    return space->scratch + 8 + 3 * (long)t->head.element_count + KEPT * (long)e;
}

static void axes_at(const MeasuredTerm* t, const double* x, int e, WfVec* su, WfVec* sv) {
    const double* c = t->coefficients + 6 * (long)e;
    *su = *sv = (WfVec){0, 0, 0};
    for (int a = 0; a < 3; a++) {
        WfVec p = wf_load(x, t->head.vertices[3 * (long)e + a]);
        *su = wf_madd(*su, c[a], p);
        *sv = wf_madd(*sv, c[3 + a], p);
    }
}

static void strain_of(WfVec su, WfVec sv, double strain[3]) {
    strain[0] = (wf_dot(su, su) - 1) / 2;
    strain[1] = (wf_dot(sv, sv) - 1) / 2;
    strain[2] = wf_dot(su, sv) / 2;
}

static void measured_begin(const WfTerm* term, const WfTermSpace* space, const WfMotion* motion) {
    const MeasuredTerm* t = (const MeasuredTerm*)term;
    double r = t->head.zeta / motion->gamma;
    const double* w = motion->base_weights;
    space->scratch[0] = 1 + r;
    for (int e = 0; e < t->head.element_count; e++) {
        WfVec su, sv;
        double now[3], before[3], *e0 = rest_strain(space, e);
        axes_at(t, motion->x, e, &su, &sv);
        strain_of(su, sv, now);
        axes_at(t, motion->x1, e, &su, &sv);
        strain_of(su, sv, before);
        for (int k = 0; k < 3; k++) e0[k] = r / (1 + r) * (w[0] * now[k] + w[1] * before[k]);
    }
}

// The part of a stress with the principal stresses that pull.
static void clamp_stress(double s[3]) {
    double middle = (s[0] + s[1]) / 2, half = (s[0] - s[1]) / 2;
    double radius = sqrt(half * half + s[2] * s[2]);
    if (middle >= radius) return;
    // one pulls at most: its part is (middle + radius) t t^T, t t^T = (I + (s - middle I)/radius)/2
    double pull = fmax(middle + radius, 0) / 2, turn = radius > 0 ? pull / radius : 0;
    s[0] = pull + turn * half;
    s[1] = pull - turn * half;
    s[2] = turn * s[2];
}

static void keep_element(const Job* job, int e, WfVec su, WfVec sv, const WfElastic* c,
                         const WfWrinkle* w) {
    double* kept = kept_element((const MeasuredTerm*)job->term, job->space, e);
    bool exact = job->want & WF_WANT_EXACT;
    wf_store(kept, 0, su);
    wf_store(kept, 1, sv);
    wf_wrinkle_stiffness(c, w, exact, kept + D_AT);
    for (int k = 0; k < 3; k++) kept[S_AT + k] = w->stress[k];
    if (!exact) clamp_stress(kept + S_AT);
}

// f_a += scale (cu_a Tu + cv_a Tv)
static void add_forces(const Job* job, int e, double scale, WfVec tu, WfVec tv) {
    const MeasuredTerm* t = (const MeasuredTerm*)job->term;
    const double* c = t->coefficients + 6 * (long)e;
    for (int a = 0; a < 3; a++)
        wf_accumulate(job->f, t->head.vertices[3 * (long)e + a], scale,
                      wf_madd(wf_mul(c[a], tu), c[3 + a], tv));
}

// Tu and Tv of a stress
static void pull_of(const double s[3], WfVec su, WfVec sv, WfVec* tu, WfVec* tv) {
    *tu = wf_madd(wf_mul(s[0], su), s[2], sv);
    *tv = wf_madd(wf_mul(s[1], sv), s[2], su);
}

// What the element carries where it is pressed, N/m.
static double load_of(const Job* job, int e) {
    const MeasuredTerm* t = (const MeasuredTerm*)job->term;
    return t->stretch * wf_give_at(job->space, t->head.vertices + 3 * (long)e, 3);
}

static void evaluate_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    const MeasuredTerm* t = (const MeasuredTerm*)job->term;
    bool begun = job->space->scratch != NULL;
    double damped = begun ? job->space->scratch[0] : 1, energy = 0;
    for (int e = first; e < end; e++) {
        WfVec su, sv, tu, tv;
        double strain[3];
        axes_at(t, job->x, e, &su, &sv);
        strain_of(su, sv, strain);
        WfElastic c = wf_measured_elastic(&t->table, strain);
        c = wf_scaled_elastic(c, damped * t->areas[e]);
        for (int k = 0; k < 3; k++) strain[k] -= begun ? rest_strain(job->space, e)[k] : 0;
        WfWrinkle w = wf_wrinkle(&c, load_of(job, e) * t->areas[e], strain);
        energy += w.energy;
        pull_of(w.stress, su, sv, &tu, &tv);
        if (job->want & WF_WANT_FORCE) add_forces(job, e, -job->scale, tu, tv);
        if (job->want & WF_WANT_LINEARISE) keep_element(job, e, su, sv, &c, &w);
    }
    job->space->partial[chunk] = energy;
}

// The change of Tu and Tv, where Su and Sv change by Gu and Gv.
static void product_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    const MeasuredTerm* t = (const MeasuredTerm*)job->term;
    (void)chunk;
    for (int e = first; e < end; e++) {
        const double* kept = kept_element(t, job->space, e);
        const double* s = kept + S_AT;
        WfVec su = wf_load(kept, 0), sv = wf_load(kept, 1), gu, gv, tu, tv;
        axes_at(t, job->x, e, &gu, &gv);
        WfVec strain = {wf_dot(su, gu), wf_dot(sv, gv), wf_dot(su, gv) + wf_dot(sv, gu)};
        WfVec stress = wf_sym_mul(kept + D_AT, strain);
        pull_of((const double[3]){stress.x, stress.y, stress.z}, su, sv, &tu, &tv);
        tu = wf_madd(wf_madd(tu, s[0], gu), s[2], gv);
        tv = wf_madd(wf_madd(tv, s[1], gv), s[2], gu);
        add_forces(job, e, job->scale, tu, tv);
    }
}

// block = K_ab, 3x3
static void block_of(const MeasuredTerm* t, const double* kept, int e, int a, int b,
                     double block[9]) {
    const double* k = t->coefficients + 6 * (long)e;
    const double *s = kept + S_AT, *D = kept + D_AT, *su = kept, *sv = kept + 3;
    double geometry = s[0] * k[a] * k[b] + s[1] * k[3 + a] * k[3 + b] +
                      s[2] * (k[a] * k[3 + b] + k[3 + a] * k[b]);
    WfVec rows[3];  // D B_b, column by column
    for (int j = 0; j < 3; j++)
        rows[j] =
            wf_sym_mul(D, (WfVec){k[b] * su[j], k[3 + b] * sv[j], k[b] * sv[j] + k[3 + b] * su[j]});
    for (int i = 0; i < 3; i++) {
        WfVec B = {k[a] * su[i], k[3 + a] * sv[i], k[a] * sv[i] + k[3 + a] * su[i]};
        for (int j = 0; j < 3; j++) block[3 * i + j] = wf_dot(B, rows[j]) + (i == j ? geometry : 0);
    }
}

static void add_diagonal(double* diagonal, double scale, const double m[9]) {
    static const int upper[6] = {0, 1, 2, 4, 5, 8};
    for (int i = 0; i < 6; i++) diagonal[i] += scale * m[upper[i]];
}

static void blocks_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    const MeasuredTerm* t = (const MeasuredTerm*)job->term;
    (void)chunk;
    for (int e = first; e < end; e++) {
        const double* kept = kept_element(t, job->space, e);
        const int* v = t->head.vertices + 3 * (long)e;
        double m[9];
        for (int a = 0; a < 3; a++) {
            block_of(t, kept, e, a, a, m);
            add_diagonal(job->f + 6 * (long)v[a], job->scale, m);
        }
        if (!job->matrix) continue;
        const int* place = t->head.places + 3 * (long)e;
        for (int a = 0, p = 0; a < 3; a++)
            for (int b = a + 1; b < 3; b++, p++) {
                bool up = v[a] < v[b];  // rows of the stored block belong to the smaller vertex
                block_of(t, kept, e, up ? a : b, up ? b : a, m);
                double* block = job->matrix->upper + 9 * (long)place[p];
                for (int i = 0; i < 9; i++) block[i] += job->scale * m[i];
            }
    }
}

// The largest eigenvalue of D, of any row, in the measure |Gu|^2 + |Gv|^2.
static double stiffest(const WeftMeasured* m) {
    double most = 0;
    for (int i = 0; i < 6; i++) {
        const double* c = m->stretch[i];
        most = fmax(most, fmax(fmax(c[0], c[2]) + fabs(c[1]), c[3]));
    }
    return most;
}

static void measured_majorant(const WfTerm* term, double gamma, double scale,
                              const WfPattern* pattern, double* values) {
    const MeasuredTerm* t = (const MeasuredTerm*)term;
    double damped = scale * (1 + t->head.zeta / gamma) * stiffest(&t->table);
    for (int e = 0; e < t->head.element_count; e++) {
        const double* c = t->coefficients + 6 * (long)e;
        const int* v = t->head.vertices + 3 * (long)e;
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                values[wf_pattern_find(pattern, v[a], v[b])] +=
                    damped * t->areas[e] * (c[a] * c[b] + c[3 + a] * c[3 + b]);
    }
}

// The stress of the damping alone: where cloth gives way, with it, less without it.
static void damped_stress(const WfElastic* c, double load, double zeta, const double strain[3],
                          const double rate[3], double stress[3]) {
    const double by[3] = {zeta * rate[0], zeta * rate[1], zeta * rate[2]};
    const double both[3] = {strain[0] + by[0], strain[1] + by[1], strain[2] + by[2]};
    WfWrinkle w = wf_wrinkle(c, load, load > 0 ? both : by), without = {0};
    if (load > 0) without = wf_wrinkle(c, load, strain);
    for (int k = 0; k < 3; k++) stress[k] = w.stress[k] - without.stress[k];
}

static void damp_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    const MeasuredTerm* t = (const MeasuredTerm*)job->term;
    (void)chunk;
    for (int e = first; e < end; e++) {
        WfVec su, sv, gu, gv, tu, tv;
        double strain[3], stress[3];
        axes_at(t, job->x, e, &su, &sv);
        axes_at(t, job->v, e, &gu, &gv);
        strain_of(su, sv, strain);
        WfElastic c = wf_measured_elastic(&t->table, strain);
        const double rate[3] = {wf_dot(su, gu), wf_dot(sv, gv),
                                (wf_dot(su, gv) + wf_dot(sv, gu)) / 2};
        damped_stress(&c, load_of(job, e), t->head.zeta, strain, rate, stress);
        pull_of(stress, su, sv, &tu, &tv);
        add_forces(job, e, -job->scale * t->areas[e], tu, tv);
    }
}

static const WfElementBodies measured_bodies = {evaluate_chunk, product_chunk, blocks_chunk,
                                                damp_chunk};

static void measured_numbers(const WfTerm* term, int e, float* numbers) {
    wf_write_axes(((const MeasuredTerm*)term)->coefficients + 6 * (long)e, numbers);
}

// The table as it is at the start of a step.
static void measured_local_begin(const WfTerm* term, const WfTermSpace* space, const double* x,
                                 int e, float* numbers) {
    const MeasuredTerm* t = (const MeasuredTerm*)term;
    const Job job = {.term = term, .space = space};
    WfVec su, sv;
    double strain[3];
    axes_at(t, x, e, &su, &sv);
    strain_of(su, sv, strain);
    WfElastic c = wf_measured_elastic(&t->table, strain);
    wf_write_elastic(&c, t->areas[e], load_of(&job, e), numbers);
}

static const WfTermClass measured_class = {
    .name = "measured stretch",
    .role = WF_ROLE_STRETCH,
    .local = WF_LOCAL_STRAIN,
    .local_numbers = measured_numbers,
    .local_begin = measured_local_begin,
    .unbounded = true,
    .instead = "triangles (weft_fit_constants has their stiffness)",
    .destroy = measured_destroy,
    .count = measured_count,
    .begin = measured_begin,
    .majorant = measured_majorant,
    .damp = wf_element_damp,
    WF_ELEMENT_CLASS,
};

static void fill_element(const WfClothParts* parts, MeasuredTerm* t, long e) {
    const WeftClothDef* def = parts->def;
    const int* v = def->triangles + 3 * e;
    double* c = t->coefficients + 6 * e;
    wf_triangle_axes(parts->rest->corners + 6 * e, c, c + 3);
    for (int a = 0; a < 3; a++) t->head.vertices[3 * e + a] = parts->first_vertex + v[a];
    t->areas[e] = parts->rest->areas[e] * wf_mean_scale(def->stretch_scale, v, 3);
}

WfTerm* wf_measured_create(const WeftAllocator* allocator, const WfClothParts* parts) {
    const WeftClothDef* def = parts->def;
    size_t count = (size_t)def->triangle_count;
    MeasuredTerm* t = wf_alloc(allocator, 1, sizeof *t);
    if (!t) return NULL;
    t->head.bodies = &measured_bodies;
    t->head.arity = 3;
    t->head.term = (WfTerm){.type = &measured_class, .cloth = parts->cloth, .softens = true};
    t->head.element_count = def->triangle_count;
    t->head.zeta = def->fabric.stretch_damping;
    t->head.vertices = wf_alloc(allocator, 3 * count, sizeof(int));
    t->table = def->fabric.measured;
    WfElastic c = wf_measured_elastic(&t->table, (const double[3]){0, 0, 0});
    t->stretch = (wf_strip_stiffness(c, (const double[2]){1, 0}) +
                  wf_strip_stiffness(c, (const double[2]){0, 1})) /
                 2;
    t->coefficients = wf_alloc(allocator, 6 * count, sizeof(double));
    t->areas = wf_alloc(allocator, count, sizeof(double));
    if (!t->head.vertices || !t->coefficients || !t->areas) goto failed;
    for (long e = 0; e < t->head.element_count; e++) fill_element(parts, t, e);
    if (!wf_element_finish(allocator, parts, &t->head)) return &t->head.term;
failed:
    measured_destroy(allocator, &t->head.term);
    return NULL;
}

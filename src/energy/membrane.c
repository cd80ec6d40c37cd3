// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Membranes: triangles of a continuum, written as springs along their edges and between them (after
// Delingette, "Triangular Springs for Modeling Nonlinear Membranes", 2008).
//
//          2         Edge e lies across from corner e: d_e = x_(e+1) - x_(e+2), at rest D_e, of
//      1  / \  0      lengths l and L; A is the area at rest. How much longer an edge is:
//        /   \           biquadratic   q_e = l^2 - L^2       g_e = dq/dd = 2 d
//       0-----1          quadratic     q_e = 2L (l - L)                    2L d/l
//          2             Cauchy        q_e = 2 D.(d - D)                   2 D
//
// Green's strain eps is linear in the three of the first kind, D_e . eps D_e = q_e/2. With T_e, D_e
// turned by 90 degrees, and f and g the two other edges (D_f . T_f = 0, D_e . T_f = +-2A),
//
//     eps = sum q_e B_e,   B_e = -(T_f T_g^T + T_g T_f^T)/(16 A^2)
//     E = A/2 eps : C : eps = 1/4 q.Hq,   H_ef = 2A B_e : C : B_f
//
// for any constant stiffness C. For an isotropic one H has Delingette's stiffnesses, k_e on the
// diagonal and c_e beside it. The second kind is the same to first order of the strain, but goes by
// the length itself: it does not harden where it is stretched far, nor give way where it is
// pressed. The third is linear in x: D_e is then the edge at rest as the triangle lies in space at
// the start, and where the cloth turns away from there, q takes the turn for a strain.
//
//     s = dE/dq = Hq/2
//     F_e+1 = -s_e g_e,   F_e+2 = s_e g_e
//     K = sum g_e (H_ef/2) g_f^T + sum s_e d2q/dd2
//     d2q/dd2 = 2 I;   2L/l (I - u u^T), u = d/l;   0
//
// The clamp takes s_e >= 0 in the last sum. E grows with the fourth power of the stretch, and the
// second kind has s_e 2L/l for edges that shrink to nothing: no constant matrix majorises K.
//
// Damping (see fibre.h) holds q against q~. With r = zeta/gamma that is H (1 + r) and q - q0
// instead of q, q0 = r q~/(1 + r); a cloth that only turns has q~ = q and is not braked. In the
// force it is q + zeta dq/dt instead of q. (The lecture "Soft-Body Simulation: Cloth II" adds zeta'
// (v_f - v_g).d to l^2 - L^2: the same with zeta' = 2 zeta.)
//
// Where the fabric gives way under compression (wrinkle.h), s_e = A B_e : stress and H = 2A B_e : D
// : B_f of the wrinkled cloth, pressed together with its damping.

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "energy/element.h"
#include "energy/fibre.h"
#include "energy/wrinkle.h"

// per element and state: g_e, H/2 (less what the clamp takes off its diagonal), s_e d2q/dd2
enum { KEPT = 18, G_AT = 0, H_AT = 9, S_AT = 15 };
static const double TINY_LENGTH = 1e-12;  // m; shorter edges have no direction
static const double SHORTEST = 1e-3;      // of L, in s_e 2L/l: no stiffness without bound
static const int others[3][2] = {{1, 2}, {2, 0}, {0, 1}};       // ends of edge e, plus and minus
static const int at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};  // of a symmetric matrix

typedef struct MembraneTerm {
    WfElementTerm head;
    WeftStretch kind;
    double* stiffness;  // H: 6 per element
    double* lengths;    // L: 3 per element
    double* edges;      // Cauchy: D in space, 9 per element
    double* majorants;  // cotangents: 6 per element
    double* strains;    // B: uu, vv, uv of the three, 9 per element
    double* areas;      // times the scale of its stiffness
    double* axes;       // coefficients of Su and Sv, 6 per element
    WfElastic elastic;  // C
    double stretch;     // N/m: what a strip carries over its strain
} MembraneTerm;

static void membrane_destroy(const WeftAllocator* allocator, WfTerm* term) {
    MembraneTerm* t = (MembraneTerm*)term;
    wf_free(allocator, t->stiffness);
    wf_free(allocator, t->lengths);
    wf_free(allocator, t->edges);
    wf_free(allocator, t->majorants);
    wf_free(allocator, t->strains);
    wf_free(allocator, t->areas);
    wf_free(allocator, t->axes);
    wf_element_destroy(allocator, &t->head);
}

static void membrane_count(const WfTerm* term, size_t* memory, size_t* scratch, size_t* partial) {
    const MembraneTerm* t = (const MembraneTerm*)term;
    *memory = 0;
    *scratch = 8 + (3 + KEPT) * (size_t)t->head.element_count;
    *partial = (size_t)t->head.scatter.chunk_count;
}

// scratch: [0] is 1 + r, then q0, then what is kept
static double* rest_measures(const WfTermSpace* space, int e) {
    return space->scratch + 8 + 3 * (long)e;
}
static double* kept_element(const MembraneTerm* t, const WfTermSpace* space, int e) {
    return space->scratch + 8 + 3 * (long)t->head.element_count + KEPT * (long)e;
}

// ---------------------------------------------------------------------------------------------
// Edges and what is measured of them

static WF_INLINE void load_edges(const MembraneTerm* t, const double* x, int e, WfVec d[3]) {
    const int* v = t->head.vertices + 3 * (long)e;
    WfVec a = wf_load(x, v[0]), b = wf_load(x, v[1]), c = wf_load(x, v[2]);
    d[0] = wf_sub(b, c);
    d[1] = wf_sub(c, a);
    d[2] = wf_sub(a, b);
}

// q and g of the three edges; bend is d2q/dd2 as a factor of I (quadratic: of I - u u^T)
typedef struct Measure {
    double q[3], bend[3];
    WfVec g[3];
} Measure;

static WF_INLINE Measure measure(const MembraneTerm* t, const double* x, int e) {
    const double* L = t->lengths + 3 * (long)e;
    Measure m;
    WfVec d[3];
    load_edges(t, x, e, d);
    for (int i = 0; i < 3; i++) {
        double ll = wf_dot(d[i], d[i]);
        if (t->kind == WEFT_STRETCH_BIQUADRATIC) {
            m.q[i] = ll - L[i] * L[i];
            m.bend[i] = 2;
            m.g[i] = wf_mul(2, d[i]);
        } else if (t->kind == WEFT_STRETCH_QUADRATIC) {
            double l = sqrt(ll), slope = l > TINY_LENGTH ? 2 * L[i] / l : 0;
            m.q[i] = 2 * L[i] * (l - L[i]);
            m.bend[i] = slope;
            m.g[i] = wf_mul(slope, d[i]);
        } else {
            WfVec D = wf_load(t->edges, 3 * e + i);
            m.q[i] = 2 * wf_dot(D, wf_sub(d[i], D));
            m.bend[i] = 0;
            m.g[i] = wf_mul(2, D);
        }
    }
    return m;
}

// s = k H q/2
static WF_INLINE void stresses(const double* H, double k, const double q[3], double s[3]) {
    WfVec p = wf_sym_mul(H, (WfVec){q[0], q[1], q[2]});
    s[0] = k / 2 * p.x;
    s[1] = k / 2 * p.y;
    s[2] = k / 2 * p.z;
}

// The cloth of an element with the measures q, k times as stiff, that carries at most the load P.
static WfWrinkle wrinkle_at(const MembraneTerm* t, int e, double k, double load,
                            const double q[3]) {
    const double* B = t->strains + 9 * (long)e;
    WfElastic C = wf_scaled_elastic(t->elastic, k * t->areas[e]);
    double strain[3];
    for (int i = 0; i < 3; i++) strain[i] = q[0] * B[i] + q[1] * B[3 + i] + q[2] * B[6 + i];
    return wf_wrinkle(&C, load * t->areas[e], strain);
}

// s of a wrinkled element
static void wrinkled_stresses(const MembraneTerm* t, int e, const WfWrinkle* w, double s[3]) {
    const double* B = t->strains + 9 * (long)e;
    for (int i = 0; i < 3; i++, B += 3)
        s[i] = B[0] * w->stress[0] + B[1] * w->stress[1] + 2 * B[2] * w->stress[2];
}

// half H of a wrinkled element
static void wrinkled_stiffness(const MembraneTerm* t, int e, double k, const WfWrinkle* w,
                               bool exact, double* half) {
    const double* B = t->strains + 9 * (long)e;
    WfElastic C = wf_scaled_elastic(t->elastic, k * t->areas[e]);
    WfVec b[3];
    double D[6];
    wf_wrinkle_stiffness(&C, w, exact, D);
    for (int i = 0; i < 3; i++) b[i] = (WfVec){B[3 * i], B[3 * i + 1], 2 * B[3 * i + 2]};
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) half[at[i][j]] = wf_dot(b[i], wf_sym_mul(D, b[j]));
}

// F of an element by the pull s_e along each edge
static WF_INLINE void add_forces(const MembraneTerm* t, int e, double scale, const double s[3],
                                 const WfVec g[3], double* f) {
    const int* v = t->head.vertices + 3 * (long)e;
    for (int a = 0; a < 3; a++) {
        int in = others[a][0], out = others[a][1];  // edges that have vertex a as minus, as plus
        WfVec pull = wf_madd(wf_mul(s[in], g[in]), -s[out], g[out]);
        wf_accumulate(f, v[a], scale, pull);
    }
}

static void membrane_begin(const WfTerm* term, const WfTermSpace* space, const WfMotion* motion) {
    const MembraneTerm* t = (const MembraneTerm*)term;
    double r = t->head.zeta / motion->gamma, part = r / (1 + r);
    const double* w = motion->base_weights;
    space->scratch[0] = 1 + r;
    if (t->head.zeta <= 0) return;
    for (int e = 0; e < t->head.element_count; e++) {
        Measure m = measure(t, motion->x, e), m1 = measure(t, motion->x1, e);
        double* q0 = rest_measures(space, e);
        for (int i = 0; i < 3; i++) q0[i] = part * (w[0] * m.q[i] + w[1] * m1.q[i]);
    }
}

// ---------------------------------------------------------------------------------------------
// Energy, force, linearisation

typedef WfElementJob Job;

// half: half H
static WF_INLINE void keep_element(const Job* job, int e, const Measure* m, const double half[6],
                                   const double s[3]) {
    const MembraneTerm* t = (const MembraneTerm*)job->term;
    const double* L = t->lengths + 3 * (long)e;
    double* kept = kept_element(t, job->space, e);
    bool exact = job->want & WF_WANT_EXACT;
    for (int i = 0; i < 6; i++) kept[H_AT + i] = half[i];
    for (int i = 0; i < 3; i++) {
        double bend = exact ? m->bend[i] : fmin(m->bend[i], 2 / SHORTEST);
        double sharp = s[i] * bend;
        if (!exact && sharp < 0) sharp = 0;
        kept[S_AT + i] = sharp;
        wf_store(kept + G_AT, i, m->g[i]);
        // u u^T = g g^T/(4 L^2)
        if (t->kind == WEFT_STRETCH_QUADRATIC) kept[H_AT + at[i][i]] -= sharp / (4 * L[i] * L[i]);
    }
}

// Energy, s, and half H if wanted, of an element that is k times as stiff.
static WF_INLINE double answer_of(const Job* job, int e, const double q[3], double k, double load,
                                  double s[3], double half[6]) {
    const MembraneTerm* t = (const MembraneTerm*)job->term;
    const double* H = t->stiffness + 6 * (long)e;
    WfWrinkle w = {0};
    if (load > 0) w = wrinkle_at(t, e, k, load, q);
    if (w.count > 0) {
        wrinkled_stresses(t, e, &w, s);
        if (job->want & WF_WANT_LINEARISE)
            wrinkled_stiffness(t, e, k, &w, job->want & WF_WANT_EXACT, half);
        return w.energy;
    }
    stresses(H, k, q, s);
    for (int i = 0; i < 6; i++) half[i] = k / 2 * H[i];
    return (s[0] * q[0] + s[1] * q[1] + s[2] * q[2]) / 2;
}

// What the element carries where it is pressed, N/m.
static double load_of(const Job* job, int e) {
    const MembraneTerm* t = (const MembraneTerm*)job->term;
    return t->stretch * wf_give_at(job->space, t->head.vertices + 3 * (long)e, 3);
}

static void evaluate_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    const MembraneTerm* t = (const MembraneTerm*)job->term;
    bool begun = job->space->scratch != NULL, damping = begun && t->head.zeta > 0;
    double k = begun ? job->space->scratch[0] : 1, energy = 0;
    for (int e = first; e < end; e++) {
        Measure m = measure(t, job->x, e);
        double s[3], half[6];
        for (int i = 0; i < 3 && damping; i++) m.q[i] -= rest_measures(job->space, e)[i];
        energy += answer_of(job, e, m.q, k, load_of(job, e), s, half);
        if (job->want & WF_WANT_FORCE) add_forces(t, e, job->scale, s, m.g, job->f);
        if (job->want & WF_WANT_LINEARISE) keep_element(job, e, &m, half, s);
    }
    job->space->partial[chunk] = energy;
}

// ---------------------------------------------------------------------------------------------
// The stiffness, by the last linearisation: K = sum g_e h_ef g_f^T + sum s_e I over edges

static void product_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    const MembraneTerm* t = (const MembraneTerm*)job->term;
    (void)chunk;
    for (int e = first; e < end; e++) {
        const double *kept = kept_element(t, job->space, e), *s = kept + S_AT;
        const int* v = t->head.vertices + 3 * (long)e;
        WfVec d[3], g[3], y[3];
        load_edges(t, job->x, e, d);
        for (int i = 0; i < 3; i++) g[i] = wf_load(kept + G_AT, i);
        WfVec rates = {wf_dot(g[0], d[0]), wf_dot(g[1], d[1]), wf_dot(g[2], d[2])};
        WfVec pulls = wf_sym_mul(kept + H_AT, rates);
        y[0] = wf_madd(wf_mul(s[0], d[0]), pulls.x, g[0]);
        y[1] = wf_madd(wf_mul(s[1], d[1]), pulls.y, g[1]);
        y[2] = wf_madd(wf_mul(s[2], d[2]), pulls.z, g[2]);
        for (int a = 0; a < 3; a++)
            wf_accumulate(job->f, v[a], job->scale, wf_sub(y[others[a][1]], y[others[a][0]]));
    }
}

// The block of vertices a and b: of the edges at a with sign sa and at b with sign sb,
// sa sb (g_e h_ef g_f^T + [e = f] s_e I).
static void block_of(const double* kept, int a, int b, double* block) {
    memset(block, 0, 9 * sizeof *block);
    for (int i = 0; i < 2; i++) {
        int e = others[a][i];
        WfVec w = {0, 0, 0};
        double sharp = 0;
        for (int j = 0; j < 2; j++) {
            int f = others[b][j];
            double sign = i == j ? 1 : -1;
            w = wf_madd(w, sign * kept[H_AT + at[e][f]], wf_load(kept + G_AT, f));
            if (e == f) sharp = sign * kept[S_AT + e];
        }
        WfVec g = wf_load(kept + G_AT, e);
        const double gv[3] = {g.x, g.y, g.z}, wv[3] = {w.x, w.y, w.z};
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) block[3 * r + c] += gv[r] * wv[c] + (r == c ? sharp : 0);
    }
}

static void blocks_chunk(void* context, int chunk, int first, int end) {
    static const int symmetric[6] = {0, 1, 2, 4, 5, 8};
    const Job* job = context;
    const MembraneTerm* t = (const MembraneTerm*)job->term;
    (void)chunk;
    for (int e = first; e < end; e++) {
        const double* kept = kept_element(t, job->space, e);
        const int* v = t->head.vertices + 3 * (long)e;
        double block[9];
        for (int a = 0; a < 3; a++) {
            block_of(kept, a, a, block);
            double* to = job->f + 6 * (long)v[a];
            for (int i = 0; i < 6; i++) to[i] += job->scale * block[symmetric[i]];
        }
        if (!job->matrix) continue;
        const int* place = t->head.places + 3 * (long)e;
        for (int a = 0, p = 0; a < 3; a++)
            for (int b = a + 1; b < 3; b++, p++) {
                bool up = v[a] < v[b];  // rows of the stored block belong to the smaller vertex
                block_of(kept, up ? a : b, up ? b : a, block);
                double* to = job->matrix->upper + 9 * (long)place[p];
                for (int i = 0; i < 9; i++) to[i] += job->scale * block[i];
            }
    }
}

static void membrane_majorant(const WfTerm* term, double gamma, double scale,
                              const WfPattern* pattern, double* values) {
    const MembraneTerm* t = (const MembraneTerm*)term;
    double damped = scale * (1 + t->head.zeta / gamma);
    for (int e = 0; e < t->head.element_count; e++) {
        const int* v = t->head.vertices + 3 * (long)e;
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                values[wf_pattern_find(pattern, v[a], v[b])] +=
                    damped * t->majorants[6 * (long)e + at[a][b]];
    }
}

// s by the damping alone: what the element carries with it, less what it carries without.
static void damped_stresses(const MembraneTerm* t, int e, double load, const double q[3],
                            const double rates[3], double s[3]) {
    double without[3], both[3];
    for (int i = 0; i < 3; i++) both[i] = q[i] + t->head.zeta * rates[i];
    WfWrinkle w = wrinkle_at(t, e, 1, load, both), w0 = wrinkle_at(t, e, 1, load, q);
    wrinkled_stresses(t, e, &w, s);
    wrinkled_stresses(t, e, &w0, without);
    for (int i = 0; i < 3; i++) s[i] -= without[i];
}

static void damp_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    const MembraneTerm* t = (const MembraneTerm*)job->term;
    (void)chunk;
    for (int e = first; e < end; e++) {
        Measure m = measure(t, job->x, e);
        WfVec d[3];
        double rates[3], s[3], load = load_of(job, e);
        load_edges(t, job->v, e, d);
        for (int i = 0; i < 3; i++) rates[i] = wf_dot(m.g[i], d[i]);
        if (load > 0)
            damped_stresses(t, e, load, m.q, rates, s);
        else
            stresses(t->stiffness + 6 * (long)e, t->head.zeta, rates, s);
        add_forces(t, e, job->scale, s, m.g, job->f);
    }
}

// ---------------------------------------------------------------------------------------------
// Making

static const WfElementBodies membrane_bodies = {evaluate_chunk, product_chunk, blocks_chunk,
                                                damp_chunk};

static void membrane_numbers(const WfTerm* term, int e, float* numbers) {
    wf_write_axes(((const MembraneTerm*)term)->axes + 6 * (long)e, numbers);
}

static void membrane_local_begin(const WfTerm* term, const WfTermSpace* space, const double* x,
                                 int e, float* numbers) {
    const MembraneTerm* t = (const MembraneTerm*)term;
    const Job job = {.term = term, .space = space};
    (void)x;
    wf_write_elastic(&t->elastic, t->areas[e], load_of(&job, e), numbers);
}

#define MEMBRANE_CLASS                                                                 \
    .role = WF_ROLE_STRETCH, .unbounded = true, .instead = "the stretch of triangles", \
    .destroy = membrane_destroy, .count = membrane_count, .begin = membrane_begin,     \
    .majorant = membrane_majorant, .damp = wf_element_damp, WF_ELEMENT_CLASS

// The other two measure edges in ways of their own, and have no local form.
static const WfTermClass biquadratic_class = {.name = "membrane",
                                              .local = WF_LOCAL_STRAIN,
                                              .local_numbers = membrane_numbers,
                                              .local_begin = membrane_local_begin,
                                              MEMBRANE_CLASS};
static const WfTermClass quadratic_class = {.name = "membrane of quadratic springs",
                                            MEMBRANE_CLASS};
static const WfTermClass cauchy_class = {.name = "membrane of Cauchy's strain", MEMBRANE_CLASS};

static const WfTermClass* class_of(WeftStretch kind) {
    if (kind == WEFT_STRETCH_BIQUADRATIC) return &biquadratic_class;
    return kind == WEFT_STRETCH_QUADRATIC ? &quadratic_class : &cauchy_class;
}

// B of a triangle with flat edges D: uu, vv and uv, edge by edge
static void fill_strains(double D[3][2], double area, double* B) {
    for (int e = 0; e < 3; e++, B += 3) {
        const double *f = D[others[e][0]], *g = D[others[e][1]], s = -1 / (8 * area * area);
        B[0] = s * f[1] * g[1];
        B[1] = s * f[0] * g[0];
        B[2] = -s * (f[0] * g[1] + f[1] * g[0]) / 2;
    }
}

// H, by B
static void fill_stiffness(const WfElastic* C, const double* B, double area, double* H) {
    for (int e = 0; e < 3; e++)
        for (int f = e; f < 3; f++) {
            const double *b = B + 3 * e, *c = B + 3 * f;
            H[at[e][f]] = 2 * area *
                          (C->c11 * b[0] * c[0] + C->c22 * b[1] * c[1] +
                           C->c12 * (b[0] * c[1] + b[1] * c[0]) + 2 * C->c33 * b[2] * c[2]);
        }
}

// eps : C : eps <= c |eps|^2 with the largest eigenvalue c of C, and the strain is no larger than
// the gradient: at rest, K_ab <= A c (cu_a cu_b + cv_a cv_b) I. Stretched by f, K has up to (3 f^2
// - 1)/2 times as much, so that twice that is enough up to f = 1.29: the explicit method goes by
// it.
static void fill_majorant(const WfElastic* C, const double corners[6], double area,
                          double* majorant) {
    double half = (C->c11 - C->c22) / 2;
    double c = (C->c11 + C->c22) / 2 + wf_flat_length(half, C->c12), cu[3], cv[3];
    if (c < C->c33) c = C->c33;
    wf_triangle_axes(corners, cu, cv);
    for (int a = 0; a < 3; a++)
        for (int b = a; b < 3; b++)
            majorant[at[a][b]] = 2 * area * c * (cu[a] * cu[b] + cv[a] * cv[b]);
}

// The flat edges as the triangle lies in space at the start: by the axes at right angles that are
// next to those of warp and weft.
static void place_edges(const WeftClothDef* def, int e, const double corners[6], double D[3][2],
                        double* edges) {
    double cu[3], cv[3];
    WfVec u = {0, 0, 0}, v = {0, 0, 0};
    wf_triangle_axes(corners, cu, cv);
    for (int a = 0; a < 3; a++) {
        WfVec x = wf_load(def->positions, def->triangles[3 * (long)e + a]);
        u = wf_madd(u, cu[a], x);
        v = wf_madd(v, cv[a], x);
    }
    WfVec sum = wf_unit(wf_add(wf_unit(u), wf_unit(v)));
    WfVec difference = wf_unit(wf_sub(wf_unit(u), wf_unit(v)));
    u = wf_mul(sqrt(0.5), wf_add(sum, difference));
    v = wf_mul(sqrt(0.5), wf_sub(sum, difference));
    for (int i = 0; i < 3; i++) wf_store(edges, 3 * e + i, wf_madd(wf_mul(D[i][0], u), D[i][1], v));
}

static void fill_element(const WfClothParts* parts, MembraneTerm* t, int e) {
    const WeftClothDef* def = parts->def;
    const double* corners = parts->rest->corners + 6 * (long)e;
    double *H = t->stiffness + 6 * (long)e, *majorant = t->majorants + 6 * (long)e, D[3][2];
    for (int i = 0; i < 3; i++) {
        const double *f = corners + 2 * others[i][0], *g = corners + 2 * others[i][1];
        D[i][0] = f[0] - g[0];
        D[i][1] = f[1] - g[1];
        t->lengths[3 * (long)e + i] = wf_flat_length(D[i][0], D[i][1]);
        t->head.vertices[3 * (long)e + i] = parts->first_vertex + def->triangles[3 * (long)e + i];
    }
    double area = parts->rest->areas[e];
    wf_triangle_axes(corners, t->axes + 6 * (long)e, t->axes + 6 * (long)e + 3);
    fill_strains(D, area, t->strains + 9 * (long)e);
    fill_stiffness(&t->elastic, t->strains + 9 * (long)e, area, H);
    fill_majorant(&t->elastic, corners, area, majorant);
    double scale = wf_mean_scale(def->stretch_scale, def->triangles + 3 * (long)e, 3);
    t->areas[e] = scale * area;
    for (int i = 0; i < 6; i++) {
        H[i] *= scale;
        majorant[i] *= scale;
    }
    if (t->edges) place_edges(def, e, corners, D, t->edges);
}

WfTerm* wf_membrane_create(const WeftAllocator* allocator, const WfClothParts* parts) {
    const WeftClothDef* def = parts->def;
    size_t count = (size_t)def->triangle_count;
    bool cauchy = def->stretch == WEFT_STRETCH_CAUCHY;
    MembraneTerm* t = wf_alloc(allocator, 1, sizeof *t);
    if (!t) return NULL;
    t->head.bodies = &membrane_bodies;
    t->head.arity = 3;
    t->head.term = (WfTerm){.type = class_of(def->stretch), .cloth = parts->cloth, .softens = true};
    t->head.element_count = def->triangle_count;
    t->head.zeta = def->fabric.stretch_damping;
    t->head.vertices = wf_alloc(allocator, 3 * count, sizeof(int));
    t->kind = def->stretch;
    t->stiffness = wf_alloc(allocator, 6 * count, sizeof(double));
    t->lengths = wf_alloc(allocator, 3 * count, sizeof(double));
    t->majorants = wf_alloc(allocator, 6 * count, sizeof(double));
    t->strains = wf_alloc(allocator, 9 * count, sizeof(double));
    t->areas = wf_alloc(allocator, count, sizeof(double));
    t->axes = wf_alloc(allocator, 6 * count, sizeof(double));
    if (cauchy) t->edges = wf_alloc(allocator, 9 * count, sizeof(double));
    bool good = t->head.vertices && t->stiffness && t->lengths && t->majorants && t->strains;
    if (!good || !t->areas || !t->axes || (cauchy && !t->edges)) goto failed;
    t->elastic = wf_fabric_elastic(&def->fabric);
    t->stretch = (def->fabric.stretch_warp + def->fabric.stretch_weft) / 2;
    for (int e = 0; e < t->head.element_count; e++) fill_element(parts, t, e);
    if (!wf_element_finish(allocator, parts, &t->head)) return &t->head.term;
failed:
    membrane_destroy(allocator, &t->head.term);
    return NULL;
}

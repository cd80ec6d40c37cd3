// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Shear of woven cloth as change of area: threads that slide over each other keep the area between
// them. Where a warp and a weft thread cross and both go on to both sides,
//
//            y+                x_u = (x+ - x-)/d_u,  x_v = (y+ - y-)/d_v,  d the distances at rest
//            |                 g   = |x_u|^2 |x_v|^2 - (x_u . x_v)^2,      1 at rest
//     x- ----o---- x+
//            |                 E   = k A/4 (g - g0)^2,   A = d_u/2 d_v/2,   g0 = 1
//            y-
//
// (with damping, see fibre.h: stiffness k (1 + r) and g0 = (1 + r g~)/(1 + r)). With
//
//     g_u = dg/dx_u = 2 (|x_v|^2 x_u - (x_u . x_v) x_v),   g_v alike,   W = k A/2
//
//     dE/dx_u = W (g - g0) g_u
//     H = W [g_u; g_v] [g_u; g_v]^T + W (g - g0) d^2g,     clamped: the first part only
//
//     d^2g/du du = 2 (|x_v|^2 I - x_v x_v^T)
//     d^2g/du dv = 2 (2 x_u x_v^T - x_v x_u^T - (x_u . x_v) I)
//
// (The source has the forces with the opposite sign.) E grows with the eighth power of the stretch:
// no constant matrix majorises its stiffness.

#include "base/memory.h"
#include "base/vec.h"
#include "energy/element.h"
#include "energy/fibre.h"
#include "energy/joint.h"

// per element and state: x_u, x_v, W, and W (g - g0) where exact
enum { KEPT = 8 };

typedef struct AreaTerm {
    WfElementTerm head;
    double* inverses;   // 1/d_u, 1/d_v
    double* stiffness;  // W
} AreaTerm;

static void area_destroy(const WeftAllocator* allocator, WfTerm* term) {
    AreaTerm* t = (AreaTerm*)term;
    wf_free(allocator, t->inverses);
    wf_free(allocator, t->stiffness);
    wf_element_destroy(allocator, &t->head);
}

// scratch: [0] is 1 + r, then g0, then what is kept
static void area_count(const WfTerm* term, size_t* memory, size_t* scratch, size_t* partial) {
    const AreaTerm* t = (const AreaTerm*)term;
    *memory = 0;
    *scratch = 8 + (1 + KEPT) * (size_t)t->head.element_count;
    *partial = (size_t)t->head.scatter.chunk_count;
}

static double* rest_areas(const WfTermSpace* space) { return space->scratch + 8; }
static double* kept_element(const AreaTerm* t, const WfTermSpace* space, int e) {
    return space->scratch + 8 + t->head.element_count + KEPT * (long)e;
}

// x_u and x_v, or the same of any vectors at the vertices
static WF_INLINE void axes_of(const AreaTerm* t, const double* x, int e, WfVec* u, WfVec* v) {
    const int* i = t->head.vertices + 4 * (long)e;
    const double* d = t->inverses + 2 * (long)e;
    *u = wf_mul(d[0], wf_sub(wf_load(x, i[1]), wf_load(x, i[0])));
    *v = wf_mul(d[1], wf_sub(wf_load(x, i[3]), wf_load(x, i[2])));
}

static double square_of_area(WfVec u, WfVec v) {
    WfVec n = wf_cross(u, v);  // |u|^2 |v|^2 - (u . v)^2, without cancellation
    return wf_dot(n, n);
}

// g_u; with u and v exchanged, g_v
static WfVec slope_of_area(WfVec u, WfVec v) {
    return wf_mul(2, wf_madd(wf_mul(wf_dot(v, v), u), -wf_dot(u, v), v));
}

static void area_begin(const WfTerm* term, const WfTermSpace* space, const WfMotion* motion) {
    const AreaTerm* t = (const AreaTerm*)term;
    double r = t->head.zeta / motion->gamma;
    const double* w = motion->base_weights;
    space->scratch[0] = 1 + r;
    for (int e = 0; e < t->head.element_count; e++) {
        WfVec u, v, u1, v1;
        axes_of(t, motion->x, e, &u, &v);
        axes_of(t, motion->x1, e, &u1, &v1);
        double g = w[0] * square_of_area(u, v) + w[1] * square_of_area(u1, v1);
        rest_areas(space)[e] = (1 + r * g) / (1 + r);
    }
}

typedef WfElementJob Job;

// coefficient of vertex a in x_u (a = 0, 1) or x_v (2, 3)
static WF_INLINE double coefficient(const AreaTerm* t, int e, int a) {
    double c = t->inverses[2 * (long)e + a / 2];
    return a & 1 ? c : -c;
}

// f += scale (u at the ends of the warp, v at the ends of the weft), as forces by dE/dx_u, dE/dx_v
static WF_INLINE void scatter(const Job* job, int e, double scale, WfVec u, WfVec v) {
    const AreaTerm* t = (const AreaTerm*)job->term;
    for (int a = 0; a < 4; a++)
        wf_accumulate(job->f, t->head.vertices[4 * (long)e + a], scale * coefficient(t, e, a),
                      a < 2 ? u : v);
}

static void evaluate_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    const AreaTerm* t = (const AreaTerm*)job->term;
    bool begun = job->space->scratch != NULL;
    double damped = begun ? job->space->scratch[0] : 1, energy = 0;
    for (int e = first; e < end; e++) {
        WfVec u, v;
        axes_of(t, job->x, e, &u, &v);
        double W = damped * t->stiffness[e];
        double d = square_of_area(u, v) - (begun ? rest_areas(job->space)[e] : 1);
        energy += W / 2 * d * d;
        if (job->want & WF_WANT_FORCE)
            scatter(job, e, -job->scale * W * d, slope_of_area(u, v), slope_of_area(v, u));
        if (job->want & WF_WANT_LINEARISE) {
            double* kept = kept_element(t, job->space, e);
            wf_store(kept, 0, u);
            wf_store(kept, 1, v);
            kept[6] = W;
            kept[7] = job->want & WF_WANT_EXACT ? W * d : 0;
        }
    }
    job->space->partial[chunk] = energy;
}

// ---------------------------------------------------------------------------------------------
// The stiffness, by the last linearisation

// (d^2g)_uu p + (d^2g)_uv q; with u, v and p, q exchanged the second row
static WfVec turn_of_slope(WfVec u, WfVec v, WfVec p, WfVec q) {
    WfVec y = wf_madd(wf_mul(wf_dot(v, v), p), -wf_dot(v, p), v);
    y = wf_madd(wf_madd(y, 2 * wf_dot(v, q), u), -wf_dot(u, q), v);
    return wf_mul(2, wf_madd(y, -wf_dot(u, v), q));
}

static void product_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    const AreaTerm* t = (const AreaTerm*)job->term;
    (void)chunk;
    for (int e = first; e < end; e++) {
        const double* kept = kept_element(t, job->space, e);
        WfVec u = wf_load(kept, 0), v = wf_load(kept, 1), p, q;
        axes_of(t, job->x, e, &p, &q);
        WfVec gu = slope_of_area(u, v), gv = slope_of_area(v, u);
        double s = kept[6] * (wf_dot(gu, p) + wf_dot(gv, q));
        WfVec yu = wf_mul(s, gu), yv = wf_mul(s, gv);
        if (kept[7] != 0) {  // exact
            yu = wf_madd(yu, kept[7], turn_of_slope(u, v, p, q));
            yv = wf_madd(yv, kept[7], turn_of_slope(v, u, q, p));
        }
        scatter(job, e, job->scale, yu, yv);
    }
}

// H of the axes i and j (0: u, 1: v), rows of i
static void axis_block(const double* kept, int i, int j, double block[9]) {
    WfVec u = wf_load(kept, i), v = wf_load(kept, 1 - i);
    WfVec g = slope_of_area(u, v), h = i == j ? g : slope_of_area(v, u);
    const double gs[3] = {g.x, g.y, g.z}, hs[3] = {h.x, h.y, h.z};
    for (int s = 0; s < 3; s++) {
        // column s of d^2g: what it makes of a unit vector
        WfVec unit = {s == 0, s == 1, s == 2}, none = {0, 0, 0};
        WfVec y = turn_of_slope(u, v, i == j ? unit : none, i == j ? none : unit);
        const double ys[3] = {y.x, y.y, y.z};
        for (int r = 0; r < 3; r++) block[3 * r + s] = kept[6] * gs[r] * hs[s] + kept[7] * ys[r];
    }
}

static void blocks_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    const AreaTerm* t = (const AreaTerm*)job->term;
    (void)chunk;
    for (int e = first; e < end; e++) {
        const int* v = t->head.vertices + 4 * (long)e;
        double axes[4][9];  // uu, uv, vu, vv
        for (int k = 0; k < 4; k++)
            axis_block(kept_element(t, job->space, e), k / 2, k % 2, axes[k]);
        for (int a = 0; a < 4; a++) {
            static const int at[6] = {0, 1, 2, 4, 5, 8};
            double c = coefficient(t, e, a), s = job->scale * c * c;
            for (int k = 0; k < 6; k++) job->f[6 * (long)v[a] + k] += s * axes[3 * (a / 2)][at[k]];
        }
        if (!job->matrix) continue;
        for (int a = 0, p = 0; a < 4; a++)
            for (int b = a + 1; b < 4; b++, p++) {
                double s = job->scale * coefficient(t, e, a) * coefficient(t, e, b);
                // rows of the stored block belong to the smaller vertex
                int row = v[a] < v[b] ? a / 2 : b / 2, column = v[a] < v[b] ? b / 2 : a / 2;
                double* to = job->matrix->upper + 9 * (long)t->head.places[6 * (long)e + p];
                for (int k = 0; k < 9; k++) to[k] += s * axes[2 * row + column][k];
            }
    }
}

// At rest |g_u| = |g_v| = 2, and (g_u . p + g_v . q)^2 <= 2 (4 |p|^2 + 4 |q|^2).
static void area_majorant(const WfTerm* term, double gamma, double scale, const WfPattern* pattern,
                          double* values) {
    const AreaTerm* t = (const AreaTerm*)term;
    double damped = scale * (1 + t->head.zeta / gamma);
    for (int e = 0; e < t->head.element_count; e++)
        for (int a = 0; a < 4; a++)
            for (int b = a & 2; b < (a & 2) + 2; b++) {
                const int* v = t->head.vertices + 4 * (long)e;
                values[wf_pattern_find(pattern, v[a], v[b])] +=
                    8 * damped * t->stiffness[e] * coefficient(t, e, a) * coefficient(t, e, b);
            }
}

static void damp_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    const AreaTerm* t = (const AreaTerm*)job->term;
    (void)chunk;
    for (int e = first; e < end; e++) {
        WfVec u, v, p, q;
        axes_of(t, job->x, e, &u, &v);
        axes_of(t, job->v, e, &p, &q);
        WfVec gu = slope_of_area(u, v), gv = slope_of_area(v, u);
        double rate = wf_dot(gu, p) + wf_dot(gv, q);
        scatter(job, e, -job->scale * t->head.zeta * t->stiffness[e] * rate, gu, gv);
    }
}

static const WfElementBodies area_bodies = {evaluate_chunk, product_chunk, blocks_chunk,
                                            damp_chunk};

static const WfTermClass area_class = {
    .name = "area",
    .role = WF_ROLE_STRETCH,
    .unbounded = true,
    .instead = "the shear of diagonals",
    .destroy = area_destroy,
    .count = area_count,
    .begin = area_begin,
    .majorant = area_majorant,
    .damp = wf_element_damp,
    WF_ELEMENT_CLASS,
};

// ---------------------------------------------------------------------------------------------
// Making

// An element for every joint of a warp that is the joint of a weft, too. `wefts` holds 1 + joint of
// weft per vertex.
static void fill_elements(const WfClothParts* parts, const WfJoint* joints, const int* wefts,
                          AreaTerm* t) {
    WfJoint warp = {0};
    while (wf_any_joint_next(parts, WF_WARPS, &warp)) {
        if (!wefts[warp.vertices[1]]) continue;
        const WfJoint* weft = &joints[wefts[warp.vertices[1]] - 1];
        const int v[4] = {warp.vertices[0], warp.vertices[2], weft->vertices[0], weft->vertices[2]};
        if (!wf_takes(parts, v, 4)) continue;
        long e = t->head.element_count++;
        for (int a = 0; a < 4; a++) t->head.vertices[4 * e + a] = parts->first_vertex + v[a];
        double du = warp.before + warp.after, dv = weft->before + weft->after;
        t->inverses[2 * e] = 1 / du;
        t->inverses[2 * e + 1] = 1 / dv;
        t->stiffness[e] = parts->def->fabric.shear * (du / 2) * (dv / 2) / 2 *
                          wf_mean_scale(parts->def->stretch_scale, v, 4);
    }
}

WfTerm* wf_area_create(const WeftAllocator* allocator, const WfClothParts* parts) {
    const WeftClothDef* def = parts->def;
    size_t most = (size_t)wf_any_joint_count(parts, WF_WARPS);
    size_t weft_count = (size_t)wf_any_joint_count(parts, WF_WEFTS);
    AreaTerm* t = wf_alloc(allocator, 1, sizeof *t);
    WfJoint* joints = wf_alloc(allocator, weft_count, sizeof *joints);
    int* wefts = wf_alloc(allocator, (size_t)def->vertex_count, sizeof *wefts);
    WeftResult result = WEFT_ERROR_MEMORY;
    if (!t || !joints || !wefts) goto done;
    t->head.bodies = &area_bodies;
    t->head.arity = 4;
    t->head.term = (WfTerm){.type = &area_class, .cloth = parts->cloth, .softens = true};
    t->head.term.is_explicit = def->explicit_shear;
    t->head.zeta = def->fabric.stretch_damping;
    t->head.vertices = wf_alloc(allocator, 4 * most, sizeof(int));
    t->inverses = wf_alloc(allocator, 2 * most, sizeof(double));
    t->stiffness = wf_alloc(allocator, most, sizeof(double));
    if (!t->head.vertices || !t->inverses || !t->stiffness) goto done;
    WfJoint joint = {0};
    for (int i = 0; wf_any_joint_next(parts, WF_WEFTS, &joint); i++) {
        joints[i] = joint;
        wefts[joint.vertices[1]] = 1 + i;
    }
    fill_elements(parts, joints, wefts, t);
    result = wf_element_finish(allocator, parts, &t->head);
done:
    wf_free(allocator, joints);
    wf_free(allocator, wefts);
    if (!result) return &t->head.term;
    if (t) area_destroy(allocator, &t->head.term);
    return NULL;
}

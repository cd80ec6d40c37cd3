// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A drive towards the skin s of a vertex: the force m (k (s - x') + d (u - v')) with the velocity u
// of the skin and v' = (x' - x~)/gamma at the end of the step. As an energy in x':
//
//     E = a/2 sum m (k |x' - s|^2 + d/gamma |x' - t|^2),    t = x~ + gamma u
//
// with a diagonal and constant stiffness a m (k + d/gamma). a, 0 to 1, may change from step to step
// while the factor stays: the matrix has a = 1, which majorises all of them. That is why the term
// is nonlinear by its kind: the matrix of linear terms is their K itself.

#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "energy/parts.h"

typedef struct DriveTerm {
    WfTerm term;
    int first_vertex, vertex_count;
    double *stiffness, *damping;  // m k and m d per vertex
} DriveTerm;

// scratch: a, a/gamma, then s, t and u of the cloth's vertices
enum { SCALE, RATE, VECTORS = 8 };

static void drive_destroy(const WeftAllocator* allocator, WfTerm* term) {
    wf_free(allocator, ((DriveTerm*)term)->stiffness);
    wf_free(allocator, ((DriveTerm*)term)->damping);
    wf_free(allocator, term);
}

static void drive_count(const WfTerm* term, size_t* memory, size_t* scratch, size_t* partial) {
    *memory = *partial = 0;
    *scratch = VECTORS + 9 * (size_t)((const DriveTerm*)term)->vertex_count;
}

static double* targets_of(const WfTermSpace* space) { return space->scratch + VECTORS; }
static double* brakes_of(const DriveTerm* t, const WfTermSpace* space) {
    return targets_of(space) + 3 * (long)t->vertex_count;
}

static double* velocities_of(const DriveTerm* t, const WfTermSpace* space) {
    return targets_of(space) + 6 * (long)t->vertex_count;
}

// Without an end to gamma there is no t: damping is explicit then.
static void drive_begin(const WfTerm* term, const WfTermSpace* space, const WfMotion* m) {
    const DriveTerm* t = (const DriveTerm*)term;
    double *targets = targets_of(space), *brakes = brakes_of(t, space);
    double gamma = isinf(m->gamma) ? 0 : m->gamma;
    space->scratch[SCALE] = m->drives ? m->drives[term->cloth] : 1;
    space->scratch[RATE] = space->scratch[SCALE] / m->gamma;
    for (int i = 0; i < t->vertex_count; i++) {
        int g = t->first_vertex + i;
        WfVec velocity = m->skin_velocity ? wf_load(m->skin_velocity, g) : (WfVec){0, 0, 0};
        wf_store(targets, i, wf_load(m->skin ? m->skin : m->x, g));
        wf_store(brakes, i, wf_madd(wf_load(m->base, g), gamma, velocity));
        wf_store(velocities_of(t, space), i, velocity);
    }
}

static double drive_evaluate(const WfTerm* term, const WfTermSpace* space, const double* x,
                             unsigned want, double scale, double* f) {
    const DriveTerm* t = (const DriveTerm*)term;
    double energy = 0;
    if (!space->scratch) return 0;  // measured alone it stores nothing
    const double *targets = targets_of(space), *brakes = brakes_of(t, space);
    double part = space->scratch[SCALE], rate = space->scratch[RATE];
    for (int i = 0; i < t->vertex_count; i++) {
        int g = t->first_vertex + i;
        WfVec at = wf_load(x, g), pull = wf_sub(at, wf_load(targets, i));
        double k = part * t->stiffness[i], d = rate * t->damping[i];
        WfVec slip = d > 0 ? wf_sub(at, wf_load(brakes, i)) : (WfVec){0, 0, 0};
        energy += k / 2 * wf_dot(pull, pull) + d / 2 * wf_dot(slip, slip);
        if (want & WF_WANT_FORCE) wf_accumulate(f, g, -scale, wf_madd(wf_mul(k, pull), d, slip));
    }
    return energy;
}

static double stiffness_of(const DriveTerm* t, const WfTermSpace* space, int i) {
    return space->scratch[SCALE] * t->stiffness[i] + space->scratch[RATE] * t->damping[i];
}

static void drive_product(const WfTerm* term, const WfTermSpace* space, double scale,
                          const double* p, double* q) {
    const DriveTerm* t = (const DriveTerm*)term;
    for (int i = 0; i < t->vertex_count; i++) {
        int g = t->first_vertex + i;
        wf_accumulate(q, g, scale * stiffness_of(t, space, i), wf_load(p, g));
    }
}

static void drive_diagonal(const WfTerm* term, const WfTermSpace* space, double scale, double* D) {
    const DriveTerm* t = (const DriveTerm*)term;
    for (int i = 0; i < t->vertex_count; i++)
        wf_sym_add(D + 6 * (long)(t->first_vertex + i), scale * stiffness_of(t, space, i), 0,
                   (WfVec){0, 0, 0});
}

static void drive_blocks(const WfTerm* term, const WfTermSpace* space, double scale,
                         const WfBlockMatrix* blocks) {
    drive_diagonal(term, space, scale, blocks->diagonal);
}

static WeftResult drive_bind(const WeftAllocator* allocator, WfTerm* term,
                             const WfBlockPattern* pattern) {
    (void)allocator, (void)term, (void)pattern;  // the diagonal is always there
    return WEFT_OK;
}

static void drive_pairs(const WfTerm* term, void (*visit)(void*, int, int), void* context) {
    (void)term, (void)visit, (void)context;
}

static void drive_majorant(const WfTerm* term, double gamma, double scale, const WfPattern* pattern,
                           double* values) {
    const DriveTerm* t = (const DriveTerm*)term;
    for (int i = 0; i < t->vertex_count; i++) {
        int g = t->first_vertex + i;
        values[wf_pattern_find(pattern, g, g)] += scale * (t->stiffness[i] + t->damping[i] / gamma);
    }
}

static void drive_damp(const WfTerm* term, const WfTermSpace* space, const double* x,
                       const double* v, double scale, double* f) {
    const DriveTerm* t = (const DriveTerm*)term;
    const double* velocities = velocities_of(t, space);
    (void)x;
    for (int i = 0; i < t->vertex_count; i++) {
        int g = t->first_vertex + i;
        WfVec slip = wf_sub(wf_load(v, g), wf_load(velocities, i));
        wf_accumulate(f, g, -scale * space->scratch[SCALE] * t->damping[i], slip);
    }
}

static void drive_hold(const WfTerm* term, const WfTermSpace* space, const WfMotion* m,
                       WfRestraint* holds) {
    const DriveTerm* t = (const DriveTerm*)term;
    double part = m->drives ? m->drives[term->cloth] : 1;
    (void)space;
    for (int i = 0; i < t->vertex_count; i++) {
        int g = t->first_vertex + i;
        double k = part * t->stiffness[i], d = part * t->damping[i];
        holds[g].stiffness += k;
        holds[g].damping += d;
        wf_accumulate(holds[g].pull, 0, k, wf_load(m->skin ? m->skin : m->x, g));
        if (m->skin_velocity) wf_accumulate(holds[g].pull, 0, d, wf_load(m->skin_velocity, g));
    }
}

static const WfTermClass drive_class = {
    .name = "drive",
    .local = WF_LOCAL_FOLLOW,
    .hold = drive_hold,
    .kind = WF_TERM_NONLINEAR,
    .role = WF_ROLE_OTHER,
    .destroy = drive_destroy,
    .count = drive_count,
    .begin = drive_begin,
    .evaluate = drive_evaluate,
    .product = drive_product,
    .diagonal = drive_diagonal,
    .blocks = drive_blocks,
    .bind = drive_bind,
    .pairs = drive_pairs,
    .majorant = drive_majorant,
    .damp = drive_damp,
};

WfTerm* wf_drive_create(const WeftAllocator* allocator, const WfClothParts* parts) {
    const WeftClothDef* def = parts->def;
    DriveTerm* t = wf_alloc(allocator, 1, sizeof *t);
    if (!t) return NULL;
    t->term = (WfTerm){.type = &drive_class, .is_linear = true, .cloth = parts->cloth};
    t->first_vertex = parts->first_vertex;
    t->vertex_count = def->vertex_count;
    t->stiffness = wf_alloc(allocator, (size_t)t->vertex_count, sizeof(double));
    t->damping = wf_alloc(allocator, (size_t)t->vertex_count, sizeof(double));
    if (!t->stiffness || !t->damping) {
        drive_destroy(allocator, &t->term);
        return NULL;
    }
    for (int i = 0; i < t->vertex_count; i++) {
        if (def->drive_stiffness) t->stiffness[i] = def->drive_stiffness[i] * parts->masses[i];
        if (def->drive_damping) t->damping[i] = def->drive_damping[i] * parts->masses[i];
    }
    return &t->term;
}

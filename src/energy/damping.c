// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Mass-proportional damping: a force -alpha m v' by the velocity at the end of the step,
// v' = (x' - x~)/gamma. As an energy in x': E = alpha/(2 gamma) sum m |x' - x~|^2, linear with the
// diagonal stiffness alpha m/gamma and the load alpha m x~/gamma. In a space that moves, motion is
// that against what stands: x~ goes along with it. (Damping by stiffness belongs to
// the terms that have one: fibre.h.)

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "energy/parts.h"

typedef struct DampingTerm {
    WfTerm term;
    int first_vertex, vertex_count;
    double* stiffness;  // alpha m per vertex
} DampingTerm;

static void damping_destroy(const WeftAllocator* allocator, WfTerm* term) {
    wf_free(allocator, ((DampingTerm*)term)->stiffness);
    wf_free(allocator, term);
}

// scratch: [0] is 1/gamma, [1] the velocity of what stands, [4] its spin; x~ of the cloth's
// vertices
static void damping_count(const WfTerm* term, size_t* memory, size_t* scratch, size_t* partial) {
    *memory = *partial = 0;
    *scratch = 8 + 3 * (size_t)((const DampingTerm*)term)->vertex_count;
}

static bool is_moved(const WfTermSpace* space) {
    double sum = 0;
    for (int k = 1; k < 7; k++) sum += fabs(space->scratch[k]);
    return sum > 0;
}

// The velocity of what stands there.
static WfVec still_at(const WfTermSpace* space, WfVec x) {
    return wf_add(wf_load(space->scratch + 1, 0), wf_cross(wf_load(space->scratch + 4, 0), x));
}

// The same at the end of the step, of what stands at a vertex now.
static WfVec still_at_end(const WfTermSpace* space, const WfMotion* motion, int i) {
    WfVec x = wf_load(motion->x, i);
    return still_at(space, wf_madd(x, motion->h, still_at(space, x)));
}

static void damping_begin(const WfTerm* term, const WfTermSpace* space, const WfMotion* motion) {
    const DampingTerm* t = (const DampingTerm*)term;
    space->scratch[0] = 1 / motion->gamma;
    memcpy(space->scratch + 1, motion->still, sizeof motion->still);
    memcpy(space->scratch + 4, motion->spin, sizeof motion->spin);
    memcpy(space->scratch + 8, motion->base + 3 * (long)t->first_vertex,
           3 * (size_t)t->vertex_count * sizeof(double));
    for (int i = 0; i < t->vertex_count && is_moved(space) && isfinite(motion->gamma); i++)
        wf_accumulate(space->scratch + 8, i, motion->gamma,
                      still_at_end(space, motion, t->first_vertex + i));
}

static double damping_evaluate(const WfTerm* term, const WfTermSpace* space, const double* x,
                               unsigned want, double scale, double* f) {
    const DampingTerm* t = (const DampingTerm*)term;
    double energy = 0;
    if (!space->scratch) return 0;  // measured alone it stores nothing
    for (int i = 0; i < t->vertex_count; i++) {
        int g = t->first_vertex + i;
        WfVec d = wf_sub(wf_load(x, g), wf_load(space->scratch + 8, i));
        double k = t->stiffness[i] * space->scratch[0];
        energy += k / 2 * wf_dot(d, d);
        if (want & WF_WANT_FORCE) wf_accumulate(f, g, -scale * k, d);
    }
    return energy;
}

static void damping_pairs(const WfTerm* term, void (*visit)(void*, int, int), void* context) {
    (void)term, (void)visit, (void)context;  // the diagonal is always there
}

static void damping_majorant(const WfTerm* term, double gamma, double scale,
                             const WfPattern* pattern, double* values) {
    const DampingTerm* t = (const DampingTerm*)term;
    for (int i = 0; i < t->vertex_count; i++) {
        int g = t->first_vertex + i;
        values[wf_pattern_find(pattern, g, g)] += scale * t->stiffness[i] / gamma;
    }
}

static void damping_load(const WfTerm* term, const WfTermSpace* space, double scale, double* b) {
    const DampingTerm* t = (const DampingTerm*)term;
    for (int i = 0; i < t->vertex_count; i++)
        wf_accumulate(b, t->first_vertex + i, scale * t->stiffness[i] * space->scratch[0],
                      wf_load(space->scratch + 8, i));
}

static void damping_damp(const WfTerm* term, const WfTermSpace* space, const double* x,
                         const double* v, double scale, double* f) {
    const DampingTerm* t = (const DampingTerm*)term;
    for (int i = 0; i < t->vertex_count; i++) {
        int g = t->first_vertex + i;
        WfVec still = still_at(space, wf_load(x, g));
        wf_accumulate(f, g, -scale * t->stiffness[i], wf_sub(wf_load(v, g), still));
    }
}

static void damping_hold(const WfTerm* term, const WfTermSpace* space, const WfMotion* motion,
                         WfRestraint* holds) {
    const DampingTerm* t = (const DampingTerm*)term;
    memcpy(space->scratch + 1, motion->still, sizeof motion->still);
    memcpy(space->scratch + 4, motion->spin, sizeof motion->spin);
    for (int i = 0; i < t->vertex_count; i++) {
        int g = t->first_vertex + i;
        holds[g].damping += t->stiffness[i];
        wf_accumulate(holds[g].pull, 0, t->stiffness[i], still_at(space, wf_load(motion->x, g)));
    }
}

static const WfTermClass damping_class = {
    .name = "mass damping",
    .local = WF_LOCAL_HOLD,
    .hold = damping_hold,
    .kind = WF_TERM_LINEAR,
    .role = WF_ROLE_OTHER,
    .destroy = damping_destroy,
    .count = damping_count,
    .begin = damping_begin,
    .evaluate = damping_evaluate,
    .pairs = damping_pairs,
    .majorant = damping_majorant,
    .load = damping_load,
    .damp = damping_damp,
};

// alpha
static double rate_at(const WfClothParts* parts, int vertex) {
    if (!parts->whole) return parts->def->fabric.mass_damping;
    return wf_fabric_at_vertex(parts->whole, parts->topology, vertex,
                               offsetof(WeftFabric, mass_damping));
}

WfTerm* wf_damping_create(const WeftAllocator* allocator, const WfClothParts* parts) {
    DampingTerm* t = wf_alloc(allocator, 1, sizeof *t);
    if (!t) return NULL;
    t->term = (WfTerm){.type = &damping_class, .cloth = parts->cloth};
    t->first_vertex = parts->first_vertex;
    t->vertex_count = parts->def->vertex_count;
    t->stiffness = wf_alloc(allocator, (size_t)t->vertex_count, sizeof(double));
    if (!t->stiffness) {
        wf_free(allocator, t);
        return NULL;
    }
    for (int i = 0; i < t->vertex_count; i++)
        t->stiffness[i] = rate_at(parts, i) * parts->masses[i];
    return &t->term;
}

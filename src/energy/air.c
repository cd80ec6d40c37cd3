// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Air: drag and wind, per triangle. The air passes the triangle with w = wind - (mean velocity),
// split into w_n along its normal and w_t along its face:
//
//     F = rho_air/2 area ( c_drag |w_n| w_n + c_friction |w_t| w_t )
//
// a third to each corner, by v~ (what the velocity at the end would be without forces). A strong
// wind or a light cloth would overshoot; so neither part may do more than bring the triangle to the
// speed of the air within the step (0.187 kg/m^2 at 1/60 s: below 15 m/s nothing is cut).

#include "base/memory.h"
#include "base/vec.h"
#include "energy/parts.h"

enum { CHUNK = 512 };

typedef struct AirTerm {
    WfTerm term;
    int triangle_count;
    int* triangles;
    double* masses;  // per triangle
    double drag, friction;
    WfScatter scatter;
} AirTerm;

static void air_destroy(const WeftAllocator* allocator, WfTerm* term) {
    AirTerm* t = (AirTerm*)term;
    wf_free(allocator, t->triangles);
    wf_free(allocator, t->masses);
    wf_scatter_destroy(allocator, &t->scatter);
    wf_free(allocator, t);
}

static void air_count(const WfTerm* term, size_t* memory, size_t* scratch, size_t* partial) {
    (void)term;
    *memory = *scratch = *partial = 0;
}

typedef struct Job {
    const AirTerm* t;
    const WfMotion* motion;
    double* f;
} Job;

// force of air at relative velocity w on an area, by coefficient c
static WfVec air_force(double rho, double c, double area, double most, WfVec w) {
    double rate = rho / 2 * c * area * wf_length(w);
    return wf_mul(rate < most ? rate : most, w);
}

static void air_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    const AirTerm* t = job->t;
    const WfMotion* m = job->motion;
    (void)chunk;
    for (int e = first; e < end; e++) {
        const int* v = t->triangles + 3 * (long)e;
        WfVec a = wf_load(m->x, v[0]);
        WfVec n = wf_cross(wf_sub(wf_load(m->x, v[1]), a), wf_sub(wf_load(m->x, v[2]), a));
        double twice = wf_length(n);
        if (!(twice > 0)) continue;
        WfVec w = wf_load(m->wind, 0);
        for (int i = 0; i < 3; i++) {
            w = wf_madd(w, -m->base_weights[0] / 3, wf_load(m->v, v[i]));
            w = wf_madd(w, -m->base_weights[1] / 3, wf_load(m->v1, v[i]));
        }
        WfVec wn = wf_mul(wf_dot(w, n) / (twice * twice), n), wt = wf_sub(w, wn);
        double area = twice / 2, most = t->masses[e] / fmin(m->h, m->gamma);
        WfVec f = wf_add(air_force(m->air_density, t->drag, area, most, wn),
                         air_force(m->air_density, t->friction, area, most, wt));
        for (int i = 0; i < 3; i++) wf_accumulate(job->f, v[i], 1.0 / 3, f);
    }
}

static void air_external(const WfTerm* term, const WfTermSpace* space, const WfMotion* motion,
                         double* f) {
    const AirTerm* t = (const AirTerm*)term;
    if (!(motion->air_density > 0)) return;
    Job job = {t, motion, f};
    wf_scatter_run(&t->scatter, space->jobs, air_chunk, &job);
}

static const WfTermClass air_class = {
    .name = "air",
    .kind = WF_TERM_EXTERNAL,
    .role = WF_ROLE_OTHER,
    .destroy = air_destroy,
    .count = air_count,
    .external = air_external,
};

WfTerm* wf_air_create(const WeftAllocator* allocator, const WfClothParts* parts) {
    const WeftClothDef* def = parts->def;
    AirTerm* t = wf_alloc(allocator, 1, sizeof *t);
    if (!t) return NULL;
    t->term = (WfTerm){.type = &air_class, .cloth = parts->cloth};
    t->triangle_count = def->triangle_count;
    t->drag = def->fabric.air_drag;
    t->friction = def->fabric.air_friction;
    t->triangles = wf_alloc(allocator, 3 * (size_t)t->triangle_count, sizeof(int));
    t->masses = wf_alloc(allocator, (size_t)t->triangle_count, sizeof(double));
    if (!t->triangles || !t->masses) goto failed;
    for (long i = 0; i < 3L * t->triangle_count; i++)
        t->triangles[i] = parts->first_vertex + def->triangles[i];
    for (int e = 0; e < t->triangle_count; e++)
        t->masses[e] = def->fabric.density * parts->rest->areas[e];
    if (!wf_scatter_create(allocator, parts->row_count, t->triangle_count, 3, t->triangles, CHUNK,
                           &t->scatter))
        return &t->term;
failed:
    air_destroy(allocator, &t->term);
    return NULL;
}

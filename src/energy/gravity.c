// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Weight: F = m (g + |g| lean + a), where a is what users push with, and lean is a flaw of a
// thousandth. Cloth that gives way under pressure folds out of its plane from flaws, and what is
// drawn by a formula has none: a sheet in a plane would sink within it for good, and a cone of
// 20,000 vertices stands for a second until rounding has grown into folds. The flaws belong to
// places, not to vertices, so that meshes of all sizes have the same; over the whole cloth they
// cancel.

#include <math.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/vec.h"
#include "energy/parts.h"
#include "material/fabric.h"

static const double FLAW = 1e-3;
static const double FLAW_SIZE = 0.02;  // m

typedef struct GravityTerm {
    WfTerm term;
    int first_vertex, vertex_count;
    double* masses;
    double* leans;  // 3 per vertex; NULL: none
} GravityTerm;

static void gravity_destroy(const WeftAllocator* allocator, WfTerm* term) {
    wf_free(allocator, ((GravityTerm*)term)->masses);
    wf_free(allocator, ((GravityTerm*)term)->leans);
    wf_free(allocator, term);
}

static void gravity_count(const WfTerm* term, size_t* memory, size_t* scratch, size_t* partial) {
    (void)term;
    *memory = *scratch = *partial = 0;
}

typedef struct Weigh {
    const GravityTerm* term;
    WfVec gravity;
    const double *pushes, *axes;
    double* f;
} Weigh;

// Flaws are of the world: cloth in a space that turns leans as it would there.
static WfVec lean_of(const Weigh* w, int i) {
    WfVec lean = wf_load(w->term->leans, i);
    if (!w->axes) return lean;
    WfVec sum = wf_mul(lean.x, wf_load(w->axes, 0));
    sum = wf_madd(sum, lean.y, wf_load(w->axes, 1));
    return wf_madd(sum, lean.z, wf_load(w->axes, 2));
}

static void weigh_vertices(void* context, int first, int end) {
    const Weigh* w = context;
    const GravityTerm* t = w->term;
    double size = wf_length(w->gravity);
    for (int i = first; i < end; i++) {
        WfVec own = t->leans ? wf_madd(w->gravity, size, lean_of(w, i)) : w->gravity;
        if (w->pushes) own = wf_add(own, wf_load(w->pushes, t->first_vertex + i));
        wf_accumulate(w->f, t->first_vertex + i, t->masses[i], own);
    }
}

static void gravity_external(const WfTerm* term, const WfTermSpace* space, const WfMotion* motion,
                             double* f) {
    Weigh weigh = {(const GravityTerm*)term, wf_load(motion->gravity, 0), motion->pushes,
                   motion->axes, f};
    wf_parallel_items(space->jobs, weigh.term->vertex_count, weigh_vertices, &weigh);
}

static const WfTermClass gravity_class = {
    .name = "gravity",
    .kind = WF_TERM_EXTERNAL,
    .role = WF_ROLE_GRAVITY,
    .local = WF_LOCAL_FORCE,
    .destroy = gravity_destroy,
    .count = gravity_count,
    .external = gravity_external,
};

// -1 to 1 at a corner of the lattice
static double corner(const double at[3], int axis) {
    uint64_t hash = wf_hash(WF_HASH_START, at, 3 * sizeof *at);
    hash = wf_hash_word(hash, (uint64_t)axis + 1);
    return (double)(hash >> 40) / (double)(1 << 23) - 1;
}

// The flaw at a place: noise between the corners of a lattice.
static double flaw(const double* place, int axis) {
    double low[3], part[3], sum = 0;
    for (int d = 0; d < 3; d++) {
        low[d] = floor(place[d] / FLAW_SIZE);
        part[d] = place[d] / FLAW_SIZE - low[d];
    }
    for (int c = 0; c < 8; c++) {
        double at[3], share = 1;
        for (int d = 0; d < 3; d++) {
            bool high = c >> d & 1;
            at[d] = low[d] + high + 0.0;  // and no -0
            share *= high ? part[d] : 1 - part[d];
        }
        sum += share * corner(at, axis);
    }
    return FLAW * sum;
}

// What of a vertex belongs to the half whose flaws are taken.
static double share_of(const WfHalf* halved, int i) {
    return !halved || halved->sides[i] > 0 ? 1 : halved->sides[i] == 0 ? 0.5 : 0;
}

static void fill_leans(GravityTerm* t, const WfClothParts* parts) {
    for (int d = 0; d < 3; d++) {
        double moment = 0, mass = 0;
        for (int i = 0; i < t->vertex_count; i++) {
            double lean = flaw(parts->def->positions + 3 * (long)i, d);
            double own = share_of(parts->halved, i) * t->masses[i];
            t->leans[3 * (long)i + d] = lean;
            moment += own * lean;
            mass += own;
        }
        for (int i = 0; i < t->vertex_count; i++) t->leans[3 * (long)i + d] -= moment / mass;
    }
}

// The flaws of the other half are the mirror images of those of this one.
static void mirror_leans(GravityTerm* t, const WfHalf* halved, const WfPlane* mirror) {
    for (int i = 0; i < t->vertex_count; i++) {
        WfVec lean = wf_load(t->leans, halved->vertices[halved->rows[i]]);
        if (halved->sides[i] == 0) lean = wf_plane_flatten(mirror, lean);
        if (halved->sides[i] < 0) lean = wf_plane_reflect(mirror, lean);
        wf_store(t->leans, i, lean);
    }
}

static bool gives_way(const WeftClothDef* cloth) {
    if (cloth->triangle_count == 0) return wf_ropes_give(&cloth->fabric);
    bool gives = false;
    for (int t = 0; t < cloth->triangle_count && !gives; t++)
        gives = wf_give_strain(wf_fabric_of_triangle(cloth, t), false) > 0;
    return gives;
}

WfTerm* wf_gravity_create(const WeftAllocator* allocator, const WfClothParts* parts) {
    GravityTerm* t = wf_alloc(allocator, 1, sizeof *t);
    if (!t) return NULL;
    t->term = (WfTerm){.type = &gravity_class, .cloth = parts->cloth};
    t->first_vertex = parts->first_vertex;
    t->vertex_count = parts->def->vertex_count;
    t->masses = wf_alloc(allocator, (size_t)t->vertex_count, sizeof(double));
    bool gives = gives_way(parts->whole ? parts->whole : parts->def);
    if (gives) t->leans = wf_alloc(allocator, 3 * (size_t)t->vertex_count, sizeof(double));
    if (!t->masses || (gives && !t->leans)) {
        gravity_destroy(allocator, &t->term);
        return NULL;
    }
    for (int i = 0; i < t->vertex_count; i++) t->masses[i] = parts->masses[i];
    if (gives) fill_leans(t, parts);
    if (gives && parts->halved) mirror_leans(t, parts->halved, parts->mirror);
    return &t->term;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sim/model.h"
#include "sim/attach.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "base/assert.h"
#include "base/cookie.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "contact/body.h"
#include "energy/terms.h"
#include "mesh/weld.h"
#include "sim/builder.h"
#include "sim/origin.h"
#include "sim/refuse.h"
#include "sim/scratch.h"
#include "sim/skin.h"
#include "weft/weft_study.h"

// ---------------------------------------------------------------------------------------------
// What is refused, and what users see

// Check everything, before anything is allocated by what it says.
static WeftResult refuse_cloths(const WeftModelDef* def, WeftModel* model, WeftError* error) {
    if (def->cloth_count < 1 || !def->cloths)
        return wf_fail(error, WEFT_ERROR_INPUT, "a model needs at least one cloth");
    long long vertices = 0, triangles = 0;
    for (int c = 0; c < def->cloth_count; c++) {
        const WeftClothDef* cloth = &def->cloths[c];
        WeftResult result = wf_check_cookie(WEFT_DEF_CLOTH, cloth->cookie, error);
        if (!result) result = wf_refuse_cloth(&model->system.allocator, cloth, error);
        if (result) return wf_fail_prefix(error, result, "cloth %d: ", c);
        vertices += def->cloths[c].vertex_count;
        triangles += def->cloths[c].triangle_count;
    }
    if (vertices > INT_MAX / 16 || triangles > INT_MAX / 64)
        return wf_fail(error, WEFT_ERROR_INPUT, "%lld vertices are more than a model can hold",
                       vertices);
    model->cloth_count = def->cloth_count;
    return WEFT_OK;
}

// Without a mirror.
static void show_all(WeftModel* m) {
    m->shown = (WfShown){.vertex_count = m->system.vertex_count,
                         .triangle_count = m->triangle_count,
                         .edge_count = m->edge_count,
                         .first_vertex = m->first_vertex,
                         .triangles = m->triangles,
                         .edges = m->edges,
                         .edge_lengths = m->edge_lengths,
                         .masses = m->system.masses,
                         .layer = m->layer};
    m->share = 1;
}

// Behind all else: they name vertices as users have them.
static WeftResult add_attachments(WeftModel* m, const WeftModelDef* def, WeftError* error) {
    int count = def->attachment_count;
    if (count > WEFT_MAX_ATTACHMENTS)
        return wf_fail(error, WEFT_ERROR_INPUT, "%d attachments; at most %d", count,
                       WEFT_MAX_ATTACHMENTS);
    for (int i = 0; i < count; i++) {
        WeftResult result = wf_check_attachment(m, &def->attachments[i], error);
        if (result) return wf_fail_prefix(error, result, "attachment %d: ", i);
    }
    if (count == 0) return WEFT_OK;
    m->attachments = wf_alloc(&m->system.allocator, (size_t)count, sizeof *m->attachments);
    if (!m->attachments) return WEFT_ERROR_MEMORY;
    memcpy(m->attachments, def->attachments, (size_t)count * sizeof *m->attachments);
    m->attachment_count = count;
    return WEFT_OK;
}

int wf_touched_bodies(const WeftModel* m) {
    return m->contact == WEFT_CONTACT_NONE ? 0 : m->body_count;
}

bool wf_model_touches(const WeftModel* m) {
    return m->contact == WEFT_CONTACT_ALL || wf_touched_bodies(m) > 0 || m->skinned.count > 0;
}

static bool is_halved(const WeftMirror* mirror) {
    return mirror->kind == WEFT_MIRROR_EXACT || mirror->kind == WEFT_MIRROR_RECIPE;
}

// ---------------------------------------------------------------------------------------------
// Stages

// From here on the system owns terms and masses.
static WeftResult build_system(WfBuilder* b) {
    WeftModel* m = b->model;
    WfTerm** terms = b->terms;
    double* masses = b->masses;
    b->terms = NULL;
    b->masses = NULL;
    return wf_system_create(&m->system, m->system.vertex_count, m->portion_count, masses, terms,
                            b->term_count, b->def->matrices);
}

static WeftResult build_analysis(WfBuilder* b) {
    return wf_system_analyse(&b->model->system, b->def->ordering, b->model->positions, b->order);
}

static WeftResult build_stiffness(WfBuilder* b) {
    return wf_system_split_stiffness(&b->model->system);
}

static WeftResult build_pattern(WfBuilder* b) { return wf_system_join(&b->model->system); }

static WeftResult build_damping(WfBuilder* b) {
    wf_system_split_damping(&b->model->system);
    return WEFT_OK;
}

static WeftResult build_blocks(WfBuilder* b) { return wf_system_block(&b->model->system); }

static WeftResult build_stiffness_bound(WfBuilder* b) {
    return wf_system_bound_stiffness(&b->model->system);
}

static WeftResult build_damping_bound(WfBuilder* b) {
    WeftModel* m = b->model;
    WeftResult result = wf_system_bound_damping(&m->system);
    if (result) return result;
    m->system.touches = wf_model_touches(m);
    if (b->halves)
        wf_show_whole(m, &b->def->mirror);
    else
        show_all(m);
    return WEFT_OK;
}

WeftResult wf_build_stage(WfBuilder* b, WfBuildStage stage) {
    static WeftResult (*const stages[WF_BUILD_STAGES])(WfBuilder*) = {
        [WF_BUILD_MESHES] = wf_build_meshes,
        [WF_BUILD_CLOTHS] = wf_build_cloths,
        [WF_BUILD_TERMS] = wf_build_terms,
        [WF_BUILD_SURFACE] = wf_build_surface,
        [WF_BUILD_CHART] = wf_build_chart,
        [WF_BUILD_SYSTEM] = build_system,
        [WF_BUILD_STIFFNESS] = build_stiffness,
        [WF_BUILD_DAMPING] = build_damping,
        [WF_BUILD_BLOCKS] = build_blocks,
        [WF_BUILD_PATTERN] = build_pattern,
        [WF_BUILD_ANALYSIS] = build_analysis,
        [WF_BUILD_STIFFNESS_BOUND] = build_stiffness_bound,
        [WF_BUILD_DAMPING_BOUND] = build_damping_bound,
    };
    wf_assert((int)stage >= 0 && stage < WF_BUILD_STAGES);
    return stages[stage](b);
}

void wf_drop_build(WfBuilder* b) {
    wf_drop_meshes(b);
    for (int t = 0; t < b->term_count && b->terms; t++)
        b->terms[t]->type->destroy(b->allocator, b->terms[t]);
    wf_free(b->allocator, b->terms);
    wf_free(b->allocator, b->masses);
    b->terms = NULL;
    b->masses = NULL;
}

WeftModel* wf_empty_model(const WeftModelDef* def, const WeftAllocator* allocator) {
    WeftModel* m = wf_alloc(allocator, 1, sizeof *m);
    if (!m) return NULL;
    m->scratches = wf_scratch_pool_create(allocator);
    if (!m->scratches) {
        wf_free(allocator, m);
        return NULL;
    }
    m->system.allocator = *allocator;
    m->system.jobs = def->jobs;
    m->system.clock = def->clock;
    m->system.kernel = def->same_bits ? &wf_solve_plain : wf_solve_fused();
    return m;
}

WeftResult weft_create_model(const WeftModelDef* def, WeftModel** model, WeftError* error) {
    wf_assert(def && model);
    *model = NULL;
    WeftError ignored;
    if (!error) error = &ignored;
    *error = (WeftError){0};
    WeftAllocator allocator = wf_allocator(&def->allocator);
    WeftModel* m = wf_empty_model(def, &allocator);
    if (!m) return wf_fail_memory(error);
    WfBuilder b = {.model = m, .allocator = &allocator, .def = def, .error = error};

    WeftResult result = wf_check_cookie(WEFT_DEF_MODEL, def->cookie, error);
    if (!result) result = wf_refuse_model(def, error);
    if (!result) result = refuse_cloths(def, m, error);
    if (!result) result = wf_refuse_tearing(def, error);
    WfHalves halves = {0};
    b.cloths = def->cloths;
    if (!result && def->mirror.kind != WEFT_MIRROR_NONE) {
        result = wf_halves_create(&allocator, def, &halves, error);
        b.plane = wf_mirror_plane(&def->mirror);
        b.symmetry = halves.all;
    }
    if (!result && is_halved(&def->mirror)) {
        b.symmetry = NULL;
        wf_start_half(&b, &halves);
    }
    for (int stage = 0; stage < WF_BUILD_STAGES && !result; stage++)
        result = wf_build_stage(&b, stage);
    wf_drop_build(&b);
    wf_halves_destroy(&allocator, m->cloth_count, &halves);
    if (!result) result = add_attachments(m, def, error);
    if (!result && wf_is_tearable(def)) result = wf_origin_create(&allocator, def, &m->origin);
    if (!result) result = weft_prepare_model(m, &def->step, error);
    if (result == WEFT_ERROR_MEMORY) wf_fail_memory(error);
    if (result)
        weft_destroy_model(m);
    else
        *model = m;
    return result;
}

void weft_destroy_model(WeftModel* m) {
    if (!m) return;
    WeftAllocator allocator = m->system.allocator;
    wf_scratch_pool_destroy(m);
    for (int f = 0; f < m->factor_count; f++) wf_factor_destroy(&m->system, &m->factors[f]);
    for (int t = 0; t < m->owned_count; t++)
        m->measured[t]->type->destroy(&allocator, m->measured[t]);
    wf_system_destroy(&m->system);
    for (int i = 0; i < m->body_count && !m->borrows_bodies; i++)
        wf_body_destroy(&allocator, &m->bodies[i]);
    if (!m->borrows_bodies) wf_free(&allocator, m->bodies);
    wf_free(&allocator, m->attachments);
    wf_origin_destroy(&allocator, m->origin);
    wf_chart_destroy(&allocator, &m->chart);
    wf_surface_destroy(&allocator, &m->surface);
    wf_free(&allocator, m->thickness);
    wf_free(&allocator, m->layer);
    wf_free(&allocator, m->friction);
    wf_free(&allocator, m->frictions);
    wf_free(&allocator, m->cloth_layers);
    wf_free(&allocator, m->cloth_masks);
    wf_free(&allocator, m->order);
    wf_free(&allocator, m->flat);
    wf_small_form_destroy(&allocator, &m->small);
    wf_limit_destroy(&allocator, &m->limit);
    wf_free(&allocator, m->first_vertex);
    wf_free(&allocator, m->first_portion);
    wf_free(&allocator, m->vertex_portion);
    wf_free(&allocator, m->sizes);
    wf_free(&allocator, m->gives);
    wf_free(&allocator, m->velocities);
    wf_free(&allocator, m->nets);
    wf_free(&allocator, m->scales);
    wf_free(&allocator, m->ratings);
    wf_free(&allocator, m->unwelded);
    wf_free(&allocator, m->positions);
    wf_free(&allocator, m->pinned);
    wf_free(&allocator, m->triangles);
    wf_free(&allocator, m->edges);
    wf_free(&allocator, m->edge_lengths);
    wf_free(&allocator, m->star_start);
    wf_free(&allocator, m->star);
    wf_free(&allocator, m->measured);
    wf_free(&allocator, m->whole_first);
    wf_free(&allocator, m->whole_triangles);
    wf_free(&allocator, m->whole_edges);
    wf_free(&allocator, m->whole_lengths);
    wf_free(&allocator, m->whole_masses);
    wf_free(&allocator, m->whole_layer);
    wf_free(&allocator, m->folds);
    wf_destroy_skinned(&allocator, m->cloth_count, &m->skinned);
    wf_free(&allocator, m->shown.rows);
    wf_free(&allocator, m->shown.sides);
    wf_free(&allocator, m->shown.of_rows);
    wf_free(&allocator, m);
}

// ---------------------------------------------------------------------------------------------
// Read-back

const char* weft_version(void) { return "0.1.0"; }
int weft_vertex_count(const WeftModel* m) { return m->shown.vertex_count; }
int weft_simulated_count(const WeftModel* m) { return m->system.vertex_count; }
int weft_triangle_count(const WeftModel* m) { return m->shown.triangle_count; }
const int* weft_triangles(const WeftModel* m) { return m->shown.triangles; }
int weft_edge_count(const WeftModel* m) { return m->shown.edge_count; }
const int* weft_edges(const WeftModel* m) { return m->shown.edges; }
int weft_cloth_count(const WeftModel* m) { return m->cloth_count; }
const double* weft_masses(const WeftModel* m) { return m->shown.masses; }

const double* weft_layer_thickness(const WeftModel* m) {
    return wf_model_touches(m) ? m->shown.layer : NULL;
}

int weft_first_vertex(const WeftModel* m, int cloth) {
    wf_assert(cloth >= 0 && cloth <= m->cloth_count);
    return m->shown.first_vertex[cloth];
}

int weft_unwelded_count(const WeftModel* m, int cloth) {
    wf_assert(cloth >= 0 && cloth < m->cloth_count);
    return m->unwelded[cloth];
}

uint64_t weft_model_fingerprint(const WeftModel* m) {
    int counts[] = {m->system.vertex_count, m->triangle_count, m->edge_count,   m->cloth_count,
                    m->body_count,          m->contact,        m->skinned.count};
    uint64_t hash = wf_hash(WF_HASH_START, counts, sizeof counts);
    hash = wf_hash(hash, m->triangles, 3 * (size_t)m->triangle_count * sizeof(int));
    hash = wf_hash(hash, m->edges, 2 * (size_t)m->edge_count * sizeof(int));
    hash = wf_hash(hash, m->edge_lengths, (size_t)m->edge_count * sizeof(double));
    hash = wf_hash(hash, m->first_vertex, (size_t)m->cloth_count * sizeof(int));
    for (int t = 0; t < m->system.term_count; t++) {
        const char* name = m->system.terms[t]->type->name;
        hash = wf_hash(hash, name, strlen(name));
    }
    for (int i = 0; i < m->body_count; i++) {
        int body[] = {m->bodies[i].kind, m->bodies[i].vertex_count};
        hash = wf_hash(hash, body, sizeof body);
    }
    return hash;
}

size_t weft_model_bytes(const WeftModel* m) {
    const WfSystem* s = &m->system;
    size_t n = (size_t)s->vertex_count;
    size_t bytes = n * (3 * sizeof(double) + sizeof(double) + 1 + 6 * sizeof(int));
    bytes += wf_scratch_bytes(m) + wf_small_form_bytes(&m->small);
    bytes += (size_t)m->limit.edge_count * (2 * sizeof(int) + sizeof(double)) +
             (size_t)m->limit.tether_count * sizeof(WfTether);
    bytes += (size_t)m->edge_count * (4 * sizeof(int) + sizeof(double));
    bytes += (size_t)s->linear_pattern.start[n] * (3 * sizeof(int) + 2 * sizeof(double));
    bytes += (size_t)m->triangle_count * (9 * sizeof(int) + 3 * sizeof(double));
    for (int i = 0; i < m->body_count; i++) bytes += wf_body_bytes(&m->bodies[i]);
    if (s->matrices != WEFT_MATRICES_NONE)
        bytes +=
            (2 * (size_t)s->blocks.start[n] + 3 * (size_t)s->rows.block_start[n]) * sizeof(int);
    if (s->matrices != WEFT_MATRICES_ALL) return bytes;
    bytes +=
        (size_t)m->factor_count * wf_factor_bytes(s) + (size_t)s->pattern.start[n] * sizeof(int);
    bytes += s->cholesky.nodes.slot_start[s->cholesky.nodes.count] * 2 * sizeof(int);
    return bytes;
}

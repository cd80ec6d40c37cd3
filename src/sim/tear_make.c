// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Models of torn cloth, made in stages: how, and how many of them a step bears.

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "sim/contact.h"
#include "sim/small.h"
#include "sim/tear.h"
#include "weft/weft_study.h"

// ---------------------------------------------------------------------------------------------
// Life

void wf_torn_destroy(const WeftAllocator* allocator, WfTorn* torn) {
    wf_free(allocator, torn->first);
    wf_free(allocator, torn->from);
    wf_free(allocator, torn->triangles);
    wf_free(allocator, torn->pinned);
    *torn = (WfTorn){0};
}

bool wf_torn_allocate(const WeftAllocator* allocator, int cloth_count, int triangle_count,
                      int vertex_count, WfTorn* torn) {
    torn->vertex_count = vertex_count;
    torn->first = wf_alloc(allocator, (size_t)cloth_count + 1, sizeof(int));
    torn->from = wf_alloc(allocator, (size_t)vertex_count, sizeof(int));
    torn->triangles = wf_alloc(allocator, 3 * (size_t)triangle_count, sizeof(int));
    torn->pinned = wf_alloc(allocator, (size_t)vertex_count, 1);
    return torn->first && torn->from && torn->triangles && torn->pinned;
}

WeftResult wf_torn_copy(const WeftAllocator* allocator, int cloth_count, int triangle_count,
                        const WfTorn* from, WfTorn* to) {
    *to = (WfTorn){0};
    if (!wf_torn_allocate(allocator, cloth_count, triangle_count, from->vertex_count, to)) {
        wf_torn_destroy(allocator, to);
        return WEFT_ERROR_MEMORY;
    }
    memcpy(to->first, from->first, ((size_t)cloth_count + 1) * sizeof(int));
    memcpy(to->from, from->from, (size_t)from->vertex_count * sizeof(int));
    memcpy(to->triangles, from->triangles, 3 * (size_t)triangle_count * sizeof(int));
    memcpy(to->pinned, from->pinned, (size_t)from->vertex_count);
    return WEFT_OK;
}

void wf_tearing_destroy(const WeftAllocator* allocator, WfTearing* t) {
    if (!t) return;
    weft_destroy_state(t->state);
    wf_drop_build(&t->builder);
    if (t->model) wf_factor_destroy_work(&t->model->system, &t->work);
    weft_destroy_model(t->model);
    wf_origin_destroy(allocator, t->def);
    wf_torn_destroy(allocator, &t->torn);
    wf_free(allocator, t->source);
    wf_free(allocator, t->order);
    wf_free(allocator, t);
}

// ---------------------------------------------------------------------------------------------
// Stages

// The order of elimination of the whole model, with what was split from a vertex behind it.
static WeftResult order_torn(const WeftModel* whole, WfTearing* t) {
    const WfTorn* torn = &t->torn;
    if (whole->system.matrices != WEFT_MATRICES_ALL) return WEFT_OK;
    int n = whole->system.vertex_count, count = torn->vertex_count, next = 0;
    int* links = wf_alloc(&t->allocator, (size_t)n + (size_t)count, sizeof(int));
    t->order = wf_alloc(&t->allocator, (size_t)count, sizeof(int));
    if (!links || !t->order) {
        wf_free(&t->allocator, links);
        return WEFT_ERROR_MEMORY;
    }
    int *first = links, *after = links + n;  // of each whole vertex, and the next of the same
    for (int i = 0; i < n; i++) first[i] = -1;
    for (int i = count - 1; i >= 0; i--) {
        after[i] = first[torn->from[i]];
        first[torn->from[i]] = i;
    }
    const int* order = whole->system.cholesky.nodes.order;
    for (int k = 0; k < n; k++)
        for (int i = first[order[k]]; i >= 0; i = after[i]) t->order[next++] = i;
    wf_assert(next == count);
    wf_free(&t->allocator, links);
    return WEFT_OK;
}

// What the model is made from.
static WeftResult begin_model(const WeftModel* whole, WfTearing* t) {
    t->allocator = whole->system.allocator;
    WeftResult result = wf_origin_tear(&t->allocator, whole->origin, t->torn.first, t->torn.from,
                                       t->torn.triangles, &t->def);
    if (!result) result = order_torn(whole, t);
    if (result) return result;
    t->model = wf_empty_model(&t->def->def, &t->allocator);
    if (!t->model) return WEFT_ERROR_MEMORY;
    t->builder = (WfBuilder){.model = t->model,
                             .allocator = &t->allocator,
                             .def = &t->def->def,
                             .cloths = t->def->cloths,
                             .root = whole,
                             .order = t->order,
                             .let_go = t->def->let_go,
                             .error = &t->error};
    return WEFT_OK;
}

// Room for the model's first factor, with the pins of the state when it was cut.
static WeftResult create_factor(double gamma, WfTearing* t) {
    WeftModel* m = t->model;
    memcpy(m->pinned, t->torn.pinned, (size_t)m->system.vertex_count);
    if (gamma == 0 || m->system.matrices != WEFT_MATRICES_ALL) return WEFT_OK;
    WeftResult result = wf_factor_create_work(&m->system, &t->work);
    if (!result) result = wf_factor_create(&m->system, &m->factors[0]);
    if (!result) m->factor_count = 1;
    return result;
}

// And what small steps have in its place, where the whole model has that.
static WeftResult fill_matrix(const WeftModel* whole, double gamma, const double* scales,
                              WfTearing* t) {
    WeftModel* m = t->model;
    if (m->factor_count > 0)
        wf_factor_begin(&m->system, gamma, scales, m->pinned, NULL, &m->factors[0]);
    return whole->small.vertex_count > 0 ? wf_model_small(m, &m->small) : WEFT_OK;
}

static void begin_factor(WfTearing* t) {
    WeftModel* m = t->model;
    if (m->factor_count > 0) wf_factor_advance(&m->system, 2, &t->work, &m->factors[0]);
}

static void finish_factor(WfTearing* t) {
    WeftModel* m = t->model;
    if (m->factor_count == 0) return;
    while (!m->factors[0].made) wf_factor_advance(&m->system, 1, &t->work, &m->factors[0]);
    wf_factor_destroy_work(&m->system, &t->work);
}

static bool has_factor(const WeftModel* m, const WfFactor* like) {
    for (int f = 0; f < m->factor_count; f++)
        if (wf_factor_fits(&m->system, &m->factors[f], like->gamma, like->scales)) return true;
    return false;
}

// A factor of the whole model that the torn one has not got yet; NULL: none.
static const WfFactor* find_missing(const WeftModel* whole, const WeftModel* own) {
    for (int f = 0; f < whole->factor_count; f++)
        if (!has_factor(own, &whole->factors[f])) return &whole->factors[f];
    return NULL;
}

static WeftResult add_factor(WeftModel* own, const WfFactor* like) {
    WfFactorWork work;
    if (own->factor_count == WF_MAX_FACTORS) return WEFT_OK;
    if (wf_factor_create_work(&own->system, &work)) return WEFT_ERROR_MEMORY;
    WfFactor* factor = &own->factors[own->factor_count];
    WeftResult result = wf_factor_create(&own->system, factor);
    if (!result) {
        wf_factor_make(&own->system, like->gamma, like->scales, own->pinned, NULL, &work, factor);
        own->factor_count++;
    }
    wf_factor_destroy_work(&own->system, &work);
    return result;
}

WeftResult wf_add_missing_factor(const WeftModel* whole, WeftModel* own) {
    const WfFactor* missing = find_missing(whole, own);
    return missing ? add_factor(own, missing) : WEFT_OK;
}

enum {
    STAGE_MODEL,
    STAGE_BUILD,
    STAGE_ROOM = STAGE_BUILD + WF_BUILD_STAGES,
    STAGE_MATRIX,
    STAGE_FACTOR,
    STAGE_FACTOR_END,
    STAGE_STATE,
    STAGE_MOVE,  // at the end of the step
    STAGE_COUNT,
};
_Static_assert((int)STAGE_COUNT == (int)WF_TORN_STAGES, "stages are counted in tear.h");

static WeftResult create_state(WfTearing* t) {
    WeftResult result = weft_create_state(t->model, &t->state, &t->error);
    if (!result) result = wf_prepare_scratch(t->model, &t->def->def.step);
    bool solves = t->model->small.vertex_count == 0;  // small steps have all of it by then
    if (result || !solves || !wf_model_touches(t->model)) return result;
    return wf_ready_contact(t->state);
}

static WeftResult take_stage(const WeftModel* whole, double gamma, const double* scales,
                             WfTearing* t) {
    int stage = t->stage;
    if (stage == STAGE_MODEL) return begin_model(whole, t);
    if (stage < STAGE_ROOM) return wf_build_stage(&t->builder, (WfBuildStage)(stage - STAGE_BUILD));
    if (stage == STAGE_ROOM) return create_factor(gamma, t);
    if (stage == STAGE_MATRIX) return fill_matrix(whole, gamma, scales, t);
    if (stage == STAGE_FACTOR) begin_factor(t);
    if (stage == STAGE_FACTOR_END) finish_factor(t);
    return stage == STAGE_STATE ? create_state(t) : WEFT_OK;
}

WeftResult wf_take_stages(const WeftModel* whole, double gamma, const double* scales, int until,
                          WfTearing* t) {
    WeftResult result = WEFT_OK;
    for (; t->stage < until && !result; t->stage++) result = take_stage(whole, gamma, scales, t);
    return result;
}

// ---------------------------------------------------------------------------------------------
// How many stages a step bears, so that none takes longer than three usual ones. All of it in ms,
// of 5,329 vertices; others take more or less, and so do their steps.

static const struct {
    double alone, touching;  // the latter where cloth is kept from itself
} COSTS[STAGE_COUNT] = {
    [STAGE_MODEL] = {0.5, 0.5},  // and what is split
    [STAGE_BUILD + WF_BUILD_MESHES] = {2.4, 2.6},
    [STAGE_BUILD + WF_BUILD_CLOTHS] = {0.3, 0.3},
    [STAGE_BUILD + WF_BUILD_TERMS] = {1.8, 1.8},
    [STAGE_BUILD + WF_BUILD_SURFACE] = {0.1, 1.2},
    [STAGE_BUILD + WF_BUILD_CHART] = {0, 9.4},
    [STAGE_BUILD + WF_BUILD_SYSTEM] = {1, 1},
    [STAGE_BUILD + WF_BUILD_STIFFNESS] = {1.9, 1.9},
    [STAGE_BUILD + WF_BUILD_DAMPING] = {1.8, 1.8},
    [STAGE_BUILD + WF_BUILD_BLOCKS] = {0.9, 0.9},
    [STAGE_BUILD + WF_BUILD_PATTERN] = {2.1, 2.1},
    [STAGE_BUILD + WF_BUILD_ANALYSIS] = {1.6, 1.6},
    [STAGE_BUILD + WF_BUILD_STIFFNESS_BOUND] = {2.4, 2.4},
    [STAGE_BUILD + WF_BUILD_DAMPING_BOUND] = {2.4, 2.4},
    [STAGE_ROOM] = {0.4, 0.4},
    [STAGE_MATRIX] = {2.3, 2.3},
    [STAGE_FACTOR] = {1.8, 1.8},
    [STAGE_FACTOR_END] = {1.9, 1.9},
    [STAGE_STATE] = {2.4, 7},
    [STAGE_MOVE] = {0.7, 2},
};

// What a step takes: of the prefactored method, as measured at all qualities. Others take longer,
// and a budget chooses by itself: as at the default quality.
static double cost_of(const WfSystem* s, const WeftStepDef* asked) {
    static const double usual = 6.2;
    WeftError ignored;
    if (wf_check_step(s, asked, &ignored)) return usual;
    WeftStepDef def = wf_resolve_step(s, asked);
    if (def.method != WEFT_METHOD_PREFACTORED || def.budget_ms > 0) return usual;
    double substep = 0;
    for (int i = 0; i < WEFT_MAX_NEWTON && def.iterations[i] > 0; i++)
        substep += 0.7 + 0.6 * def.iterations[i];
    return def.substeps * substep;
}

static const double TOUCHING = 2;  // with contact, over one without

// What is made beside one: at the default quality and above in four steps, with contact in five (in
// three and four the longest would be 2.8 times as long as a usual one, and more where memory is
// slow to come), below it in more.
static double quota_of(const WeftModel* whole, const WeftStepDef* asked) {
    bool touching = whole->contact == WEFT_CONTACT_ALL;
    double usual = cost_of(&whole->system, asked) * (touching ? TOUCHING : 1);
    return fmin(touching ? 11.9 : 8.1, 1.75 * usual);
}

int wf_stages_after(const WeftModel* whole, const WeftStepDef* def, int stage) {
    double quota = quota_of(whole, def), sum = 0;
    bool touching = whole->contact == WEFT_CONTACT_ALL;
    if (whole->origin->def.tear_at_once) return STAGE_COUNT;
    for (int first = stage; stage < STAGE_COUNT; stage++) {
        sum += touching ? COSTS[stage].touching : COSTS[stage].alone;
        if (sum > quota && stage > first) break;
    }
    return stage;
}

// ---------------------------------------------------------------------------------------------
// All at once

WeftResult wf_make_torn_model(const WeftModel* whole, const WfTorn* torn, double gamma,
                              const double* scales, int factor_count, WeftModel** model,
                              WeftError* error) {
    *model = NULL;
    WfTearing* t = wf_alloc(&whole->system.allocator, 1, sizeof *t);
    if (!t) return wf_fail_memory(error);
    WeftResult result = wf_torn_copy(&whole->system.allocator, whole->cloth_count,
                                     whole->triangle_count, torn, &t->torn);
    if (!result) result = wf_take_stages(whole, gamma, scales, STAGE_STATE, t);
    for (const WfFactor* like; !result && t->model->factor_count < factor_count;
         result = add_factor(t->model, like))
        if (!(like = find_missing(whole, t->model))) break;
    if (!result) {
        *model = t->model;
        t->model = NULL;
    }
    wf_tearing_destroy(&whole->system.allocator, t);
    return result ? wf_fail_memory(error) : WEFT_OK;
}

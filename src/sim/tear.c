// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sim/tear.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "mesh/tear.h"
#include "sim/contact.h"
#include "sim/masks.h"
#include "sim/rest.h"

// ---------------------------------------------------------------------------------------------
// Life

static const WeftAllocator* allocator_of(const WfTear* tear) {
    return &tear->whole->system.allocator;
}

WeftResult wf_tear_create(const WeftModel* model, WfTear** out) {
    const WeftAllocator* allocator = &model->system.allocator;
    *out = NULL;
    if (!model->origin) return WEFT_OK;
    WfTear* tear = wf_alloc(allocator, 1, sizeof *tear);
    if (!tear) return WEFT_ERROR_MEMORY;
    tear->whole = model;
    tear->sides = wf_alloc(allocator, 3 * (size_t)model->triangle_count, 1);
    tear->scales = wf_alloc(allocator, (size_t)model->portion_count, sizeof(double));
    if (!tear->sides || !tear->scales) {
        wf_tear_destroy(tear);
        return WEFT_ERROR_MEMORY;
    }
    *out = tear;
    return WEFT_OK;
}

void wf_torn_destroy(const WeftAllocator* allocator, WfTorn* torn) {
    wf_free(allocator, torn->first);
    wf_free(allocator, torn->from);
    wf_free(allocator, torn->triangles);
    wf_free(allocator, torn->pinned);
    *torn = (WfTorn){0};
}

static void destroy_tearing(const WeftAllocator* allocator, WfTearing* t) {
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

void wf_drop_tearing(WfTear* tear) {
    destroy_tearing(allocator_of(tear), tear->making);
    tear->making = NULL;
}

void wf_tear_destroy(WfTear* tear) {
    if (!tear) return;
    const WeftAllocator* allocator = allocator_of(tear);
    wf_drop_tearing(tear);
    weft_destroy_model(tear->own);
    wf_torn_destroy(allocator, &tear->torn);
    wf_free(allocator, tear->sides);
    wf_free(allocator, tear->scales);
    wf_free(allocator, tear->due_pins);
    wf_free(allocator, tear->twins);
    wf_free(allocator, tear->stresses);
    wf_free(allocator, tear);
}

// ---------------------------------------------------------------------------------------------
// The cloth of the next model

static bool allocate_torn(const WeftAllocator* allocator, int cloth_count, int triangle_count,
                          int vertex_count, WfTorn* torn) {
    torn->vertex_count = vertex_count;
    torn->first = wf_alloc(allocator, (size_t)cloth_count + 1, sizeof(int));
    torn->from = wf_alloc(allocator, (size_t)vertex_count, sizeof(int));
    torn->triangles = wf_alloc(allocator, 3 * (size_t)triangle_count, sizeof(int));
    torn->pinned = wf_alloc(allocator, (size_t)vertex_count, 1);
    return torn->first && torn->from && torn->triangles && torn->pinned;
}

// The mesh in use, taken apart: new vertices behind all others.
typedef struct Split {
    int* triangles;
    int count, *from;
} Split;

// Marks of the whole model's held vertices, for the vertices of the model in use.
static unsigned char* held_now(const WeftState* state) {
    const WfTear* tear = state->tear;
    int n = state->model->system.vertex_count;
    unsigned char* held = wf_alloc(allocator_of(tear), (size_t)n, 1);
    for (int i = 0; i < n && held; i++)
        held[i] = tear->whole->origin->held[tear->torn.from ? tear->torn.from[i] : i];
    return held;
}

static WeftResult split_mesh(const WeftState* state, Split* split) {
    const WfTear* tear = state->tear;
    const WeftModel* m = state->model;
    const WeftAllocator* allocator = allocator_of(tear);
    WfStars stars = {0};
    unsigned char* held = held_now(state);
    split->triangles = wf_alloc(allocator, 3 * (size_t)m->triangle_count, sizeof(int));
    WeftResult result = WEFT_ERROR_MEMORY;
    if (held && split->triangles &&
        wf_stars_create(allocator, m->system.vertex_count, m->triangle_count, m->triangles, &stars))
        result = wf_split_sides(allocator, &stars, m->system.vertex_count, m->triangle_count,
                                tear->sides, WF_SIDE_CUT, held, split->triangles, &split->count,
                                &split->from);
    wf_stars_destroy(allocator, &stars);
    wf_free(allocator, held);
    return result;
}

static int cloth_of(const WeftModel* m, int vertex) {
    int c = 0;
    while (vertex >= m->first_vertex[c + 1]) c++;
    return c;
}

// New vertices go to the end of their cloth: `number` of the split mesh to that of the torn one.
static void number_vertices(const WeftModel* m, const Split* split, int* first, int* number) {
    int old_count = m->system.vertex_count;
    memcpy(first, m->first_vertex, ((size_t)m->cloth_count + 1) * sizeof(int));
    for (int k = 0; k < split->count; k++)
        for (int c = cloth_of(m, split->from[k]) + 1; c <= m->cloth_count; c++) first[c]++;
    for (int c = 0; c < m->cloth_count; c++)
        for (int i = m->first_vertex[c]; i < m->first_vertex[c + 1]; i++)
            number[i] = i - m->first_vertex[c] + first[c];
    for (int c = 0; c < m->cloth_count; c++) {
        int next = first[c] + m->first_vertex[c + 1] - m->first_vertex[c];
        for (int k = 0; k < split->count; k++)
            if (cloth_of(m, split->from[k]) == c) number[old_count + k] = next++;
    }
}

// pinned: per vertex of the model in use.
static WeftResult number_torn(const WeftState* state, const Split* split,
                              const unsigned char* pinned, WfTearing* t) {
    const WfTear* tear = state->tear;
    const WeftModel* m = state->model;
    const WeftAllocator* allocator = allocator_of(tear);
    int old_count = m->system.vertex_count, count = old_count + split->count;
    int* number = wf_alloc(allocator, (size_t)count, sizeof(int));
    t->source = wf_alloc(allocator, (size_t)count, sizeof(int));
    bool good = allocate_torn(allocator, m->cloth_count, m->triangle_count, count, &t->torn) &&
                number && t->source;
    if (good) {
        number_vertices(m, split, t->torn.first, number);
        for (int i = 0; i < count; i++) {
            int old = i < old_count ? i : split->from[i - old_count];
            t->source[number[i]] = old;
            t->torn.from[number[i]] = tear->torn.from ? tear->torn.from[old] : old;
            t->torn.pinned[number[i]] = pinned[old];
        }
        for (long k = 0; k < 3L * m->triangle_count; k++)
            t->torn.triangles[k] = number[split->triangles[k]];
    }
    wf_free(allocator, number);
    return good ? WEFT_OK : WEFT_ERROR_MEMORY;
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
                             .error = &t->error};
    return WEFT_OK;
}

enum {
    STAGE_MODEL,
    STAGE_BUILD,
    STAGE_MATRIX = STAGE_BUILD + WF_BUILD_STAGES,
    STAGE_FACTOR,
    STAGE_STATE,
    STAGE_COUNT,
};

// The model's first factor, with the pins of the state when it was cut.
static WeftResult begin_factor(double gamma, const double* scales, WfTearing* t) {
    WeftModel* m = t->model;
    memcpy(m->pinned, t->torn.pinned, (size_t)m->system.vertex_count);
    if (gamma == 0 || m->system.matrices != WEFT_MATRICES_ALL) return WEFT_OK;
    WeftResult result = wf_factor_create_work(&m->system, &t->work);
    if (!result) result = wf_factor_create(&m->system, &m->factors[0]);
    if (result) return result;
    m->factor_count = 1;
    wf_factor_begin(&m->system, gamma, scales, m->pinned, NULL, &m->factors[0]);
    return WEFT_OK;
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

static WeftResult take_stage(const WeftModel* whole, double gamma, const double* scales,
                             WfTearing* t) {
    int stage = t->stage;
    if (stage == STAGE_MODEL) return begin_model(whole, t);
    if (stage < STAGE_MATRIX) return wf_build_stage(&t->builder, stage - STAGE_BUILD);
    if (stage == STAGE_MATRIX) return begin_factor(gamma, scales, t);
    if (stage == STAGE_FACTOR) {
        finish_factor(t);
        return WEFT_OK;
    }
    WeftResult result = weft_create_state(t->model, &t->state, &t->error);
    return result || !wf_model_touches(t->model) ? result : wf_ready_contact(t->state);
}

// How far each step gets, so that none takes much longer than the others; the second row for cloth
// that is kept from itself. ms, of 5,329 vertices, beside steps of 6.5 and 13 ms.
static const int STAGES_UNTIL[2][5] = {
    {
        STAGE_BUILD + 2,  // 6.2  split, cloths, surface
        STAGE_BUILD + 4,  // 5.6  blocks
        STAGE_MATRIX,     // 7.2  analysis, bounds
        STAGE_STATE,      // 6.2  the factor
        STAGE_COUNT,      // 3.3  the state
    },
    {
        STAGE_BUILD + 2,  // 7.6
        STAGE_BUILD + 3,  // 9.4  chart
        STAGE_BUILD + 5,  // 8.9  blocks, analysis
        STAGE_FACTOR,     // 7.3  bounds, the matrix
        STAGE_COUNT,      // 13   its factor, the state
    },
};

static int stages_after(const WeftModel* whole, int stage) {
    const int* until = STAGES_UNTIL[whole->contact == WEFT_CONTACT_ALL];
    while (*until <= stage && *until < STAGE_COUNT) until++;
    return *until;
}

WeftResult wf_make_torn_model(const WeftModel* whole, const WfTorn* torn, double gamma,
                              const double* scales, int factor_count, WeftModel** model,
                              WeftError* error) {
    *model = NULL;
    WfTearing* t = wf_alloc(&whole->system.allocator, 1, sizeof *t);
    if (!t) return wf_fail_memory(error);
    WeftResult result = wf_torn_copy(&whole->system.allocator, whole->cloth_count,
                                     whole->triangle_count, torn, &t->torn);
    for (; t->stage < STAGE_STATE && !result; t->stage++)
        result = take_stage(whole, gamma, scales, t);
    for (const WfFactor* like; !result && t->model->factor_count < factor_count;
         result = add_factor(t->model, like))
        if (!(like = find_missing(whole, t->model))) break;
    if (!result) {
        *model = t->model;
        t->model = NULL;
    }
    destroy_tearing(&whole->system.allocator, t);
    return result ? wf_fail_memory(error) : WEFT_OK;
}

WeftResult wf_torn_copy(const WeftAllocator* allocator, int cloth_count, int triangle_count,
                        const WfTorn* from, WfTorn* to) {
    *to = (WfTorn){0};
    if (!allocate_torn(allocator, cloth_count, triangle_count, from->vertex_count, to)) {
        wf_torn_destroy(allocator, to);
        return WEFT_ERROR_MEMORY;
    }
    memcpy(to->first, from->first, ((size_t)cloth_count + 1) * sizeof(int));
    memcpy(to->from, from->from, (size_t)from->vertex_count * sizeof(int));
    memcpy(to->triangles, from->triangles, 3 * (size_t)triangle_count * sizeof(int));
    memcpy(to->pinned, from->pinned, (size_t)from->vertex_count);
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// Steps

// What was asked for counts from now on. Returns whether vertices are split by it; where not,
// nothing is to be made.
static WeftResult begin_tearing(WeftState* state, const unsigned char* pinned) {
    WfTear* tear = state->tear;
    const WeftAllocator* allocator = allocator_of(tear);
    Split split = {0};
    WfTearing* t = wf_alloc(allocator, 1, sizeof *t);
    WeftResult result = t ? split_mesh(state, &split) : WEFT_ERROR_MEMORY;
    if (!result && split.count > 0) result = number_torn(state, &split, pinned, t);
    if (!result && split.count > 0)
        tear->making = t;
    else
        destroy_tearing(allocator, t);
    wf_free(allocator, split.triangles);
    wf_free(allocator, split.from);
    return result;
}

static void set_marks(WfTear* tear, unsigned char of, unsigned char to) {
    for (long k = 0; k < 3L * tear->whole->triangle_count; k++)
        if (tear->sides[k] & of) tear->sides[k] = to;  // and no count
}

// With the pins of now, or those of then where it was begun before the state was restored.
static WeftResult begin_due(WeftState* state) {
    WfTear* tear = state->tear;
    if (tear->making) return WEFT_OK;
    if (tear->due > 0) return begin_tearing(state, tear->due_pins);
    if (!tear->asked) return WEFT_OK;
    set_marks(tear, WF_SIDE_ASKED, WF_SIDE_CUT);
    WeftResult result = begin_tearing(state, state->pinned);
    // for want of memory: the next step tries again
    if (!result) tear->asked = false;
    return result;
}

WeftResult wf_tear_begin_step(WeftState* state) {
    WfTear* tear = state->tear;
    WeftResult result = begin_due(state);
    WfTearing* t = tear->making;
    if (result || !t) {
        tear->due = 0;
        // those of other steps follow one by one
        const WfFactor* missing = tear->own ? find_missing(tear->whole, tear->own) : NULL;
        return result || !missing ? result : add_factor(tear->own, missing);
    }
    int until = stages_after(tear->whole, tear->due > t->stage ? tear->due : t->stage);
    for (; t->stage < until && !result; t->stage++)
        result = take_stage(tear->whole, tear->gamma, tear->scales, t);
    if (!result) {
        tear->due = 0;
        return WEFT_OK;
    }
    // a stage that failed cannot be taken again: the next step begins anew
    tear->due = 0;
    destroy_tearing(allocator_of(tear), t);
    tear->making = NULL;
    tear->asked = true;
    return result;
}

// ---------------------------------------------------------------------------------------------
// The state moves over

// Pointers from what contact has to itself.
static void rehouse(WeftState* state) {
    WfWorld* w = &state->world;
    if (!state->contact_arena.base) return;
    w->tree.origin = w->origin;
    for (int i = 0; i < w->mover_count; i++) w->movers[i].tree.origin = w->origin;
}

void wf_exchange_states(WeftState* a, WeftState* b) {
    WeftState of_a = *a;
    WfTear *tear_a = a->tear, *tear_b = b->tear;
    *a = *b;
    *b = of_a;
    a->tear = tear_a;
    b->tear = tear_b;
    rehouse(a);
    rehouse(b);
}

static void take_row(WeftState* to, const WeftState* from, int row, int source) {
    double* vectors[] = {to->x, to->x1, to->x2, to->v, to->v1, to->goal};
    const double* old[] = {from->x, from->x1, from->x2, from->v, from->v1, from->goal};
    for (int k = 0; k < 6; k++) wf_store(vectors[k], row, wf_load(old[k], source));
    to->ages[row] = from->ages[source];
    to->pulls[row] = from->pulls[source];
    to->pinned[row] = from->pinned[source];
    to->carried[row] = from->carried[source];
}

// Each part of a vertex carries its share of what pressed on it, by mass.
static void take_loads(WeftState* to, const WeftState* from, const int* source) {
    if (!to->loads) return;
    for (int i = 0; i < to->model->system.vertex_count; i++) {
        double share = to->model->system.masses[i] / from->model->system.masses[source[i]];
        for (int k = 0; k < 4; k++)
            to->loads[4L * i + k] = fmin(share, 1) * from->loads[4L * source[i] + k];
    }
    to->tangle[0] = WF_LOOK_ANEW;
    to->tangle[1] = from->tangle[1];
    to->tangle[2] = from->tangle[2];
    memcpy(to->rest, from->rest, WF_REST_COUNT * sizeof(double));
}

// Points stay with the vertex that keeps its number.
static void take_attachments(WeftState* to, const WeftState* from, const int* source) {
    memcpy(to->attachments, from->attachments, WEFT_MAX_ATTACHMENTS * sizeof *to->attachments);
    for (int i = to->model->system.vertex_count - 1; i >= 0; i--) to->jumping[source[i]] = i;
    for (int a = 0; a < WEFT_MAX_ATTACHMENTS; a++) {
        WfAttachment* attachment = &to->attachments[a];
        for (int k = 0; k < (int)attachment->count; k++)
            attachment->rows[k] = to->jumping[(int)attachment->rows[k]];
    }
}

static void take_all(WeftState* to, const WeftState* from, const int* source) {
    const WeftModel* m = to->model;
    for (int i = 0; i < m->system.vertex_count; i++) take_row(to, from, i, source[i]);
    memcpy(to->clock, from->clock, 2 * sizeof(double));
    memcpy(to->poses, from->poses, 14 * (size_t)m->body_count * sizeof(double));
    memcpy(to->shapes, from->shapes, wf_shape_count(m) * sizeof(double));
    memcpy(to->lasting, from->lasting, (size_t)m->cloth_count * sizeof(double));
    take_loads(to, from, source);
    take_attachments(to, from, source);
    memcpy(to->masks, from->masks, wf_mask_count(m) * sizeof *to->masks);
    to->space = from->space;
    to->first_dt = from->first_dt;
    to->soft_dt = from->soft_dt;
    to->budget = from->budget;
    to->refused = from->refused;
    to->report = from->report;
    to->error = from->error;
    wf_reset_terms(to);
    wf_wake(to);
    wf_show(to);
}

static void move_over(WeftState* state) {
    WfTear* tear = state->tear;
    WfTearing* t = tear->making;
    WeftModel* old = tear->own;
    take_all(t->state, state, t->source);
    wf_exchange_states(state, t->state);
    weft_destroy_state(t->state);
    weft_destroy_model(old);
    wf_torn_destroy(allocator_of(tear), &tear->torn);
    state->report.torn = true;
    tear->own = t->model;
    tear->twins_of = NULL;
    tear->torn = t->torn;
    t->state = NULL;
    t->model = NULL;
    t->torn = (WfTorn){0};
    destroy_tearing(allocator_of(tear), t);
    tear->making = NULL;
}

void wf_tear_end_step(WeftState* state, const WfFactor* factor) {
    WfTear* tear = state->tear;
    if (factor) {
        tear->gamma = factor->gamma;
        memcpy(tear->scales, factor->scales,
               (size_t)state->model->portion_count * sizeof *tear->scales);
    }
    wf_tear_by_load(state);
    if (tear->making && tear->making->stage == STAGE_COUNT) move_over(state);
    state->report.tearing = tear->making || tear->asked;
}

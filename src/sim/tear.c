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

void wf_drop_tearing(WfTear* tear) {
    wf_tearing_destroy(allocator_of(tear), tear->making);
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
    wf_free(allocator, tear->lengths);
    wf_free(allocator, tear->stresses);
    wf_free(allocator, tear);
}

// ---------------------------------------------------------------------------------------------
// The cloth of the next model

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
    bool good = wf_torn_allocate(allocator, m->cloth_count, m->triangle_count, count, &t->torn) &&
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
        wf_tearing_destroy(allocator, t);
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

// A stage that failed cannot be taken again: the next step begins anew.
static WeftResult take_stages(WfTear* tear, int until) {
    WeftResult result = wf_take_stages(tear->whole, tear->gamma, tear->scales, until, tear->making);
    if (!result) return WEFT_OK;
    wf_drop_tearing(tear);
    tear->asked = true;
    return result;
}

WeftResult wf_tear_begin_step(WeftState* state, const WeftStepDef* def) {
    WfTear* tear = state->tear;
    WeftResult result = begin_due(state);
    WfTearing* t = tear->making;
    if (result || !t) {
        tear->due = 0;
        // those of other steps follow one by one
        return result || !tear->own ? result : wf_add_missing_factor(tear->whole, tear->own);
    }
    int stage = tear->due > t->stage ? tear->due : t->stage;
    tear->due = 0;
    return take_stages(tear, wf_stages_after(tear->whole, def, stage));
}

// ---------------------------------------------------------------------------------------------
// The state moves over

// Pointers from what contact has to itself.
static void rehouse(WeftState* state) {
    WfWorld* w = &state->world;
    if (state->small.form && state->own_small.vertex_count > 0)
        state->small.form = &state->own_small;
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

// A vertex that was split has its skin twice. Maps that were set at run time go on, but for what is
// let go.
static void take_skins(WeftState* to, const WeftState* from, const int* source) {
    const WfSkinned *s = &to->model->skinned, *old = &from->model->skinned;
    if (!to->skins) return;
    for (int k = 0; k < s->count; k++) {
        to->skins[k] = from->skins[old->of_rows[source[s->rows[k]]]];
        if (!wf_is_let_go(s, k)) continue;
        to->skins[k].distance = -1;
        to->skins[k].radius = to->skins[k].behind = 0;
    }
    memcpy(to->skin_scales, from->skin_scales,
           (size_t)to->model->cloth_count * sizeof *to->skin_scales);
}

static void take_all(WeftState* to, const WeftState* from, const int* source) {
    const WeftModel* m = to->model;
    for (int i = 0; i < m->system.vertex_count; i++) take_row(to, from, i, source[i]);
    memcpy(to->clock, from->clock, 2 * sizeof(double));
    memcpy(to->poses, from->poses, 14 * (size_t)m->body_count * sizeof(double));
    memcpy(to->shapes, from->shapes, wf_shape_count(m) * sizeof(double));
    memcpy(to->lasting, from->lasting, wf_lasting_bytes(from));
    take_loads(to, from, source);
    take_attachments(to, from, source);
    take_skins(to, from, source);
    memcpy(to->masks, from->masks, wf_mask_count(m) * sizeof *to->masks);
    to->space = from->space;
    to->first_dt = from->first_dt;
    to->soft_dt = from->soft_dt;
    to->budget = from->budget;
    to->refused = from->refused;
    to->report = from->report;
    to->error = from->error;
    wf_reset_terms(to);
    wf_continue_inflation(to, from);
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
    wf_tearing_destroy(allocator_of(tear), t);
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
    // without memory, the next step says so
    if (tear->whole->origin->def.tear_at_once && tear->asked && !tear->making &&
        !begin_due(state) && tear->making)
        take_stages(tear, WF_TORN_STAGES);
    if (tear->making && tear->making->stage == WF_TORN_STAGES) move_over(state);
    state->report.tearing = tear->making || tear->asked;
}

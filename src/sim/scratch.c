// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sim/scratch.h"

#include "base/assert.h"
#include "base/atomic.h"
#include "sim/opening.h"
#include "sim/small.h"

// ---------------------------------------------------------------------------------------------
// Life

static void layout(const WeftModel* m, WfArena* arena, WfScratch* c) {
    const WfSystem* s = &m->system;
    size_t vertices = (size_t)s->vertex_count, n = 3 * vertices, terms = (size_t)s->term_count;
    size_t bodies = (size_t)m->body_count, cloths = (size_t)m->cloth_count;
    c->backup = wf_arena_push(arena, wf_moving_count(m), sizeof(double));
    c->firming = wf_arena_push(arena, vertices, sizeof(double));
    c->pins = wf_arena_push(arena, vertices, sizeof(int));
    double** vectors[] = {&c->pushes,   &c->airflow, &c->places,
                          &c->pin_from, &c->pin_to,  &c->pin_goal};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = wf_arena_push(arena, n, sizeof(double));
    c->ties = wf_arena_push(arena, WEFT_MAX_ATTACHMENTS, sizeof *c->ties);
    c->tied = wf_arena_push(arena, WEFT_MAX_ATTACHMENTS, sizeof *c->tied);
    c->small_meets = wf_arena_push(arena, (bodies + cloths) * cloths, 1);
    c->partial = wf_arena_push(arena, s->partial_count, sizeof(double));
    c->terms = wf_arena_push(arena, terms, sizeof *c->terms);
    for (size_t t = 0; t < terms; t++) {
        size_t memory, scratch, partial;
        s->terms[t]->type->count(s->terms[t], &memory, &scratch, &partial);
        double* space = wf_arena_push(arena, scratch, sizeof(double));
        if (c->terms) c->terms[t] = space;
    }
}

static void destroy_scratch(const WfSystem* s, WfScratch* c) {
    WfArena* arenas[] = {&c->arena, &c->work_arena, &c->block_arena, &c->row_arena,
                         &c->sweep_arena};
    for (size_t i = 0; i < sizeof arenas / sizeof *arenas; i++)
        wf_arena_destroy(arenas[i], &s->allocator);
    wf_destroy_small(&s->allocator, c);
    wf_free(&s->allocator, c);
}

static WfScratch* create_scratch(const WeftModel* m) {
    const WfSystem* s = &m->system;
    WfArena measure = {0};
    WfScratch* c = wf_alloc(&s->allocator, 1, sizeof *c);
    if (!c) return NULL;
    layout(m, &measure, c);
    if (!wf_arena_create(&c->arena, &s->allocator, measure.used)) {
        wf_free(&s->allocator, c);
        return NULL;
    }
    layout(m, &c->arena, c);
    return c;
}

// ---------------------------------------------------------------------------------------------
// Those of a model

// So many are kept; where more steps are taken at once, the rest make their own each time.
enum { MOST_KEPT = 64 };

struct WfScratchPool {
    WfAtomicPointer kept[MOST_KEPT];
};

struct WfScratchPool* wf_scratch_pool_create(const WeftAllocator* allocator) {
    return wf_alloc(allocator, 1, sizeof(struct WfScratchPool));
}

static WfScratch* take(const WeftModel* m) {
    WfScratch* found = NULL;
    for (int i = 0; i < MOST_KEPT && !found; i++) found = wf_atomic_take(&m->scratches->kept[i]);
    return found ? found : create_scratch(m);
}

static void give(const WeftModel* m, WfScratch* scratch) {
    bool kept = false;
    for (int i = 0; i < MOST_KEPT && !kept; i++)
        kept = wf_atomic_put(&m->scratches->kept[i], scratch);
    if (!kept) destroy_scratch(&m->system, scratch);
}

void wf_scratch_pool_destroy(const WeftModel* m) {
    for (int i = 0; i < MOST_KEPT && m->scratches; i++) {
        WfScratch* scratch = wf_atomic_take(&m->scratches->kept[i]);
        if (scratch) destroy_scratch(&m->system, scratch);
    }
    wf_free(&m->system.allocator, m->scratches);
}

static size_t bytes_of(const WfScratch* c) {
    size_t form = c->own_small.vertex_count > 0 ? wf_small_form_bytes(&c->own_small) : 0;
    return sizeof *c + c->arena.size + c->work_arena.size + c->block_arena.size +
           c->row_arena.size + c->sweep_arena.size + form + wf_small_cloth_bytes(&c->small);
}

size_t wf_scratch_bytes(const WeftModel* m) {
    size_t bytes = sizeof *m->scratches;
    for (int i = 0; i < MOST_KEPT; i++) {
        WfScratch* scratch = wf_atomic_take(&m->scratches->kept[i]);
        if (!scratch) continue;
        bytes += bytes_of(scratch);
        give(m, scratch);
    }
    return bytes;
}

// ---------------------------------------------------------------------------------------------
// In a step

WeftResult wf_take_scratch(WeftState* state) {
    const WeftModel* m = state->model;
    wf_assert(!state->scratch);
    WfScratch* c = take(m);
    if (!c) return WEFT_ERROR_MEMORY;
    state->scratch = c;
    state->ties.all = c->ties;
    c->work.spaces = state->spaces;
    for (int t = 0; t < m->system.term_count; t++) {
        state->spaces[t].scratch = c->terms[t];
        state->spaces[t].partial = c->partial;
    }
    return WEFT_OK;
}

void wf_give_scratch(WeftState* state) {
    const WeftModel* m = state->model;
    for (int t = 0; t < m->system.term_count; t++) {
        state->spaces[t].scratch = NULL;
        state->spaces[t].firming = NULL;
        state->spaces[t].partial = state->partial;
    }
    state->ties.all = NULL;
    give(m, state->scratch);
    state->scratch = NULL;
}

// ---------------------------------------------------------------------------------------------
// Methods

static void layout_vectors(const WeftModel* m, WfArena* arena, WfScratch* c) {
    wf_work_layout(&m->system, arena, &c->work);
    wf_limit_layout(&m->limit, m->system.vertex_count, arena, &c->limit);
    c->spokes = wf_opening_layout(m, arena);
    c->work.partial = c->partial;
}

static void layout_blocks(const WeftModel* m, WfArena* arena, WfScratch* c) {
    wf_blocks_layout(&m->system, arena, &c->work);
}

static void layout_rows(const WeftModel* m, WfArena* arena, WfScratch* c) {
    wf_rows_layout(&m->system, arena, &c->work);
}

static void layout_sweeps(const WeftModel* m, WfArena* arena, WfScratch* c) {
    wf_sweeps_layout(&m->system, arena, &c->work);
}

typedef void Layout(const WeftModel*, WfArena*, WfScratch*);

static WeftResult ready_arena(const WeftModel* m, Layout* lay_out, WfArena* arena, WfScratch* c) {
    if (arena->base) return WEFT_OK;
    WfArena measure = {0};
    lay_out(m, &measure, c);
    if (!wf_arena_create(arena, &m->system.allocator, measure.used)) return WEFT_ERROR_MEMORY;
    lay_out(m, arena, c);
    return WEFT_OK;
}

WeftResult wf_ready_work(const WeftModel* m, unsigned needs, WfScratch* c) {
    WeftResult result = ready_arena(m, layout_vectors, &c->work_arena, c);
    if (!result && needs & WF_NEED_BLOCKS)
        result = ready_arena(m, layout_blocks, &c->block_arena, c);
    if (!result && needs & WF_NEED_ROWS) result = ready_arena(m, layout_rows, &c->row_arena, c);
    if (!result && needs & WF_NEED_SWEEPS)
        result = ready_arena(m, layout_sweeps, &c->sweep_arena, c);
    return result;
}

WeftResult wf_prepare_scratch(const WeftModel* m, const WeftStepDef* def) {
    WfScratch* c = take(m);
    if (!c) return WEFT_ERROR_MEMORY;
    const WfMethod* method = wf_method(def);
    WeftResult result = method->is_local
                            ? wf_ready_small(m, c)
                            : wf_ready_work(m, method->needs(def, wf_model_touches(m)), c);
    give(m, c);
    return result;
}

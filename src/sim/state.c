// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/vec.h"
#include "sim/attach.h"
#include "sim/carry.h"
#include "sim/contact.h"
#include "sim/forces.h"
#include "sim/input.h"
#include "sim/masks.h"
#include "sim/overlap.h"
#include "sim/rest.h"
#include "sim/skin.h"
#include "sim/space.h"
#include "sim/tear.h"
#include "weft/weft_study.h"

// ---------------------------------------------------------------------------------------------
// Life

static size_t memory_count(const WfSystem* s) {
    size_t sum = 0;
    for (int t = 0; t < s->term_count; t++) {
        size_t memory, scratch, partial;
        s->terms[t]->type->count(s->terms[t], &memory, &scratch, &partial);
        sum += memory;
    }
    return sum;
}

size_t wf_shape_count(const WeftModel* m) {
    size_t sum = 0;
    for (int i = 0; i < m->body_count; i++)
        if (m->bodies[i].kind == WEFT_BODY_MESH) sum += 6 * (size_t)m->bodies[i].vertex_count;
    return sum;
}

static size_t skin_numbers(const WeftModel* m) {
    size_t skins = (size_t)m->skinned.count * WF_SKIN_NUMBERS;
    return skins > 0 ? skins + 2 * (size_t)m->cloth_count : 0;
}

static size_t load_numbers(const WeftModel* m) {
    return wf_model_touches(m) ? 4 * (size_t)m->system.vertex_count + 3 + WF_REST_COUNT : 0;
}

size_t wf_moving_count(const WeftModel* m) {
    return 20 * (size_t)m->system.vertex_count + memory_count(&m->system) +
           14 * (size_t)m->body_count + wf_shape_count(m) + skin_numbers(m) + load_numbers(m) + 2;
}

// what steps leave behind, in one arena; the moving part in one run of doubles
static void layout(const WfSystem* s, WfArena* arena, WeftState* state) {
    const WeftModel* m = state->model;
    size_t vertices = (size_t)s->vertex_count, n = 3 * vertices, cloths = (size_t)m->cloth_count;
    size_t poses = 14 * (size_t)m->body_count, shapes = wf_shape_count(m);
    size_t skins = skin_numbers(m), loads = load_numbers(m);
    state->memory_count = memory_count(s);
    state->moving_count = wf_moving_count(m);
    state->moving = wf_arena_push(arena, state->moving_count, sizeof(double));
    state->pinned = wf_arena_push(arena, vertices, 1);
    state->base = wf_arena_push(arena, vertices, 1);
    state->next = wf_arena_push(arena, vertices, 1);
    state->lasting = wf_arena_push(arena, cloths, sizeof *state->lasting);
    state->ratings = wf_arena_push(arena, cloths, sizeof *state->ratings);
    state->masks = wf_arena_push(arena, wf_mask_count(m), sizeof(double));
    state->strains = wf_arena_push(arena, cloths, sizeof(double));
    state->scales = wf_arena_push(arena, (size_t)s->portion_count, sizeof(double));
    state->factor_scales = wf_arena_push(arena, (size_t)s->portion_count, sizeof(double));
    state->carried = wf_arena_push(arena, vertices, sizeof *state->carried);
    state->jumping = wf_arena_push(arena, 2 * vertices, sizeof(int));
    state->spaces = wf_arena_push(arena, (size_t)s->term_count, sizeof *state->spaces);
    if (m->shown.rows) {
        state->shown_x = wf_arena_push(arena, 3 * (size_t)m->shown.vertex_count, sizeof(double));
        state->shown_v = wf_arena_push(arena, 3 * (size_t)m->shown.vertex_count, sizeof(double));
        state->partial = wf_arena_push(arena, s->partial_count, sizeof(double));
    }
    if (skins > 0) wf_skins_layout(arena, state);
    wf_overlap_layout(arena, state);
    if (!state->moving) return;
    double** parts[] = {&state->x, &state->x1, &state->x2, &state->v, &state->v1, &state->goal};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) *parts[i] = state->moving + i * n;
    if (!m->shown.rows) {
        state->shown_x = state->x;
        state->shown_v = state->v;
    }
    state->ages = state->moving + 6 * n;
    state->pulls = state->ages + vertices;
    state->memory = state->pulls + vertices;
    state->poses = state->memory + state->memory_count;
    state->shapes = state->poses + poses;
    double* skin = state->shapes + shapes;
    state->skins = skins > 0 ? (WfSkinPoint*)skin : NULL;
    state->skin_scales = skins > 0 ? (WfSkinScale*)(state->skins + m->skinned.count) : NULL;
    state->loads = loads ? skin + skins : NULL;
    state->tangle = loads ? state->loads + loads - 3 - WF_REST_COUNT : NULL;
    state->rest = loads ? state->tangle + 3 : NULL;
    state->clock = state->moving + state->moving_count - 2;
    double* memory = state->memory;
    for (int t = 0; t < s->term_count; t++) {
        size_t count, scratch, partial;
        s->terms[t]->type->count(s->terms[t], &count, &scratch, &partial);
        state->spaces[t] =
            (WfTermSpace){.memory = memory, .partial = state->partial, .jobs = &s->jobs};
        memory += count;
    }
}

void wf_reset_terms(WeftState* state) {
    const WfSystem* s = &state->model->system;
    for (int t = 0; t < s->term_count; t++)
        if (s->terms[t]->type->reset)
            s->terms[t]->type->reset(s->terms[t], &state->spaces[t], state->x);
}

static void reset_loads(WeftState* state) {
    if (!state->loads) return;
    memset(state->loads, 0, 4 * (size_t)state->model->system.vertex_count * sizeof(double));
    state->tangle[0] = WF_LOOK_ANEW;
    state->tangle[1] = state->tangle[2] = 0;
    memset(state->rest, 0, WF_REST_COUNT * sizeof(double));
}

static void reset_velocities(WeftState* state) {
    const WeftModel* m = state->model;
    for (int c = 0; c < m->cloth_count; c++) {
        WfVec v = wf_load(m->velocities, c);
        for (int i = m->first_vertex[c]; i < m->first_vertex[c + 1]; i++) {
            wf_store(state->v, i, m->pinned[i] ? (WfVec){0, 0, 0} : v);
            wf_store(state->v1, i, m->pinned[i] ? (WfVec){0, 0, 0} : v);
        }
    }
}

static void reset_lasting(WeftState* state) {
    const double* ratings = state->model->ratings;
    for (int c = 0; c < state->model->cloth_count; c++) {
        state->lasting[c] = (WfLasting){.rating = ratings[c]};
        state->ratings[c] = ratings[c];
    }
}

static void reset(WeftState* state) {
    const WeftModel* m = state->model;
    const WfSystem* s = &m->system;
    size_t bytes = 3 * (size_t)s->vertex_count * sizeof(double);
    double* places[] = {state->x, state->x1, state->x2, state->goal};
    for (int i = 0; i < 4; i++) memcpy(places[i], m->positions, bytes);
    reset_velocities(state);
    memset(state->ages, 0, 2 * bytes / 3);  // and pulls
    state->clock[0] = state->clock[1] = 0;
    memcpy(state->pinned, m->pinned, (size_t)s->vertex_count);
    memcpy(state->base, m->pinned, (size_t)s->vertex_count);
    memcpy(state->next, m->pinned, (size_t)s->vertex_count);
    memset(state->carried, 0, (size_t)s->vertex_count * sizeof *state->carried);
    state->pieces = state->making = -1;
    state->next_length = state->first_dt = state->soft_dt = 0;
    state->space = WF_NO_SPACE;
    reset_lasting(state);
    wf_reset_terms(state);
    wf_reset_bodies(state);
    wf_reset_skins(state);
    wf_reset_masks(state);
    reset_loads(state);
    wf_reset_attachments(state);
}

WeftResult wf_ready_exchange(WeftState* state) {
    const WfSystem* s = &state->model->system;
    if (state->exchange.cholesky) return WEFT_OK;
    return wf_exchange_create(&s->allocator, &s->cholesky, &state->exchange);
}

// From the start, or when it is torn.
static bool may_be_attached(const WeftModel* m) {
    return m->attachment_count > 0 || m->origin || m->borrows_bodies;
}

WeftResult weft_create_state(const WeftModel* model, WeftState** out, WeftError* error) {
    wf_assert(model && out);
    *out = NULL;
    const WfSystem* s = &model->system;
    WeftState* state = wf_alloc(&s->allocator, 1, sizeof *state);
    if (!state) return wf_fail_memory(error);
    state->model = model;
    WfArena measure = {0};
    layout(s, &measure, state);
    if (wf_tear_create(model, &state->tear) ||
        !wf_arena_create(&state->arena, &s->allocator, measure.used) ||
        (model->factor_count > 0 && wf_ready_exchange(state)) ||
        (may_be_attached(model) && wf_own_attachments(state))) {
        weft_destroy_state(state);
        return wf_fail_memory(error);
    }
    layout(s, &state->arena, state);
    reset(state);
    wf_show(state);
    *out = state;
    return WEFT_OK;
}

void weft_destroy_state(WeftState* state) {
    if (!state) return;
    const WfSystem* s = &state->model->system;
    for (int i = 0; i < WF_OWN_FACTORS; i++) wf_factor_destroy(s, &state->own[i]);
    wf_factor_destroy_work(s, &state->factor_work);
    wf_exchange_destroy(&s->allocator, &state->exchange);
    wf_destroy_contact(state);
    wf_forces_destroy(state);
    wf_arena_destroy(&state->arena, &s->allocator);
    wf_free(&s->allocator, state->attachments);
    WfTear* tear = state->tear;
    wf_free(&s->allocator, state);
    wf_tear_destroy(tear);  // and with it a model of its own
}

const WeftModel* weft_state_model(const WeftState* state) { return state->model; }

size_t weft_state_bytes(const WeftState* state) {
    const WfSystem* s = &state->model->system;
    size_t bytes = sizeof *state + state->arena.size + state->forces.arena.size +
                   wf_contact_bytes(state) + wf_exchange_bytes(&state->exchange);
    for (int i = 0; i < WF_OWN_FACTORS; i++) bytes += state->own[i].values ? wf_factor_bytes(s) : 0;
    bytes += (size_t)wf_attachment_room(state) * sizeof *state->attachments;
    if (state->tear && state->tear->own) bytes += weft_model_bytes(state->tear->own);
    return bytes;
}

// ---------------------------------------------------------------------------------------------
// Copies

void wf_forget_found(WeftState* state) {
    wf_forget_lists(&state->world);
    state->exchanged = NULL;
    state->ties_changed = true;
    if (state->making >= 0) state->own[state->making].gamma = 0;
    state->making = -1;
}

void weft_reset_state(WeftState* state) {
    if (state->tear) wf_make_whole(state);
    wf_forget_found(state);
    reset(state);
    if (state->refused.kind != WF_INPUT_COPY) state->refused = (WfRefused){0};
    state->report = (WeftStepReport){0};
    state->error = (WeftError){0};
    state->budget = (WfBudget){0};
    wf_show(state);
}

size_t wf_lasting_bytes(const WeftState* state) {
    return (size_t)state->model->cloth_count * sizeof *state->lasting;
}

size_t wf_mask_bytes(const WeftState* state) {
    return wf_mask_count(state->model) * sizeof *state->masks;
}

void weft_copy_state(WeftState* to, const WeftState* from) {
    if (wf_torn_bytes(to) + wf_torn_bytes(from) > 0) {
        wf_copy_torn(to, from);
        return;
    }
    wf_assert(to->model == from->model);
    bool attached = wf_count_attachments(from) > 0;
    if (attached && wf_own_attachments(to)) {
        to->refused = (WfRefused){.kind = WF_INPUT_COPY};
        return;
    }
    size_t n = (size_t)from->model->system.vertex_count;
    memcpy(to->moving, from->moving, from->moving_count * sizeof(double));
    memcpy(to->pinned, from->pinned, n);
    memcpy(to->base, from->base, n);
    memcpy(to->next, from->next, n);
    memcpy(to->carried, from->carried, n * sizeof *to->carried);
    wf_clear_attachments(to);
    if (attached)
        memcpy(to->attachments, from->attachments, WEFT_MAX_ATTACHMENTS * sizeof *to->attachments);
    to->pieces = from->pieces;
    to->refused = from->refused;
    to->next_length = from->next_length;
    to->first_dt = from->first_dt;
    to->soft_dt = from->soft_dt;
    to->space = from->space;
    memcpy(to->lasting, from->lasting, wf_lasting_bytes(from));
    memcpy(to->masks, from->masks, wf_mask_bytes(from));
    wf_forget_found(to);
    wf_show(to);
}

// Where users have the same vertex: the row of another model, seen in its mirror or not.
typedef struct Source {
    const WeftState* from;
    int row;
    bool image;
} Source;

static Source source_of(const WeftState* to, const WeftState* from, int row) {
    const WfShown* shown = &from->model->shown;
    int vertex = wf_vertex_of(&to->model->shown, row);
    return (Source){from, wf_row_of(shown, vertex), wf_is_image(shown, vertex)};
}

static WfVec source_place(const Source* s, const double* places) {
    WfVec x = wf_load(places, s->row);
    return s->image ? wf_plane_image(&s->from->model->system.mirror, x) : x;
}

static WfVec source_vector(const Source* s, const double* vectors) {
    WfVec v = wf_load(vectors, s->row);
    return s->image ? wf_plane_reflect(&s->from->model->system.mirror, v) : v;
}

static void continue_row(WeftState* to, const WeftState* from, int row) {
    Source source = source_of(to, from, row);
    double* places[] = {to->x, to->x1, to->x2, to->goal};
    const double* old_places[] = {from->x, from->x1, from->x2, from->goal};
    for (int k = 0; k < 4; k++) wf_store(places[k], row, source_place(&source, old_places[k]));
    wf_store(to->v, row, source_vector(&source, from->v));
    wf_store(to->v1, row, source_vector(&source, from->v1));
    to->ages[row] = from->ages[source.row];
    to->pulls[row] = from->pulls[source.row];
    to->pinned[row] = from->pinned[source.row];
    to->carried[row] = wf_carry_of(from, source.row, source.image);
}

void wf_settle_in_plane(WeftState* state) {
    const WfPlane* mirror = &state->model->system.mirror;
    double* places[] = {state->x, state->x1, state->x2, state->goal};
    for (int k = 0; k < 4; k++) wf_plane_settle(mirror, places[k]);
    wf_plane_filter(mirror, state->v);
    wf_plane_filter(mirror, state->v1);
}

// What a row carries of the loads of its vertex.
static double share_of(const WeftState* state, int row) {
    return wf_plane_holds(&state->model->system.mirror, row) ? 0.5 : 1;
}

static void continue_loads(WeftState* to, const WeftState* from) {
    for (int i = 0; i < to->model->system.vertex_count; i++) {
        Source source = source_of(to, from, i);
        double share = share_of(to, i) / share_of(from, source.row);
        const double* old = from->loads + 4 * (long)source.row;
        WfVec force = source_vector(&(Source){from, 0, source.image}, old);
        wf_store(to->loads + 4 * (long)i, 0, wf_mul(share, force));
        to->loads[4 * (long)i + 3] = share * old[3];
    }
}

// Bodies stay where they are, where both models have the same.
static void continue_bodies(WeftState* to, const WeftState* from) {
    const WeftModel *m = to->model, *of = from->model;
    bool same = m->shown_body_count == of->shown_body_count;
    for (int i = 0; i < m->shown_body_count && same; i++)
        same = m->bodies[i].kind == of->bodies[i].kind &&
               m->bodies[i].vertex_count == of->bodies[i].vertex_count;
    wf_reset_bodies(to);
    if (same) {
        memcpy(to->poses, from->poses, 14 * (size_t)m->shown_body_count * sizeof(double));
        memcpy(to->shapes, from->shapes, wf_shape_count(m) * sizeof(double));
    }
    wf_continue_masks(to, from, same);
    for (int i = 0; i < m->system.vertex_count && !same; i++)
        if (to->carried[i].by > 0) to->carried[i] = (WfCarry){0};
    reset_loads(to);
    if (same && to->loads && from->loads) continue_loads(to, from);
}

// Skins go on where both models have one; others start where the cloth is.
static void continue_skins(WeftState* to, const WeftState* from) {
    wf_reset_skins(to);
    for (int k = 0; k < to->model->skinned.count; k++) {
        int row = to->model->skinned.rows[k];
        Source source = source_of(to, from, row);
        WfSkinPoint* skin = &to->skins[k];
        int other = from->skins ? from->model->skinned.of_rows[source.row] : -1;
        if (other >= 0) {
            const WfSkinPoint* old = &from->skins[other];
            Source of = {from, 0, source.image};
            wf_store(skin->from, 0, source_place(&of, old->from));
            wf_store(skin->to, 0, source_place(&of, old->to));
            wf_store(skin->normal_from, 0, source_vector(&of, old->normal_from));
            wf_store(skin->normal_to, 0, source_vector(&of, old->normal_to));
        } else {
            wf_store(skin->from, 0, wf_load(to->x, row));
            wf_store(skin->to, 0, wf_load(to->x, row));
        }
    }
    for (int i = 0; i < to->model->system.vertex_count && !to->skins; i++)
        if (to->carried[i].by == WF_CARRIED_BY_SKIN) to->carried[i] = (WfCarry){0};
}

static bool is_torn(const WeftState* state) { return state->tear && state->tear->own; }

void weft_continue_state(WeftState* to, const WeftState* from) {
    int count = from->model->shown.vertex_count;
    wf_tear_alike(to, from);
    size_t n = (size_t)to->model->system.vertex_count;
    if (to->model->shown.vertex_count != count && (is_torn(to) || is_torn(from))) {
        to->refused = (WfRefused){.kind = WF_INPUT_TORN, .index = count};
        return;
    }
    wf_assert(to->model->shown.vertex_count == count);
    for (int i = 0; i < (int)n; i++) continue_row(to, from, i);
    if (!from->model->shown.rows) wf_settle_in_plane(to);
    memcpy(to->clock, from->clock, 2 * sizeof(double));
    memcpy(to->base, to->model->pinned, n);
    memcpy(to->next, to->model->pinned, n);
    to->pieces = -1;
    to->refused = (WfRefused){0};
    to->next_length = to->first_dt = 0;
    to->soft_dt = from->soft_dt;
    to->space = from->space;
    reset_lasting(to);
    wf_reset_terms(to);
    wf_continue_inflation(to, from);
    continue_bodies(to, from);
    continue_skins(to, from);
    wf_continue_attachments(to, from);
    wf_forget_found(to);
    wf_show(to);
}

// ---------------------------------------------------------------------------------------------
// Both halves, where there is a mirror

static WfVec simulated_place(const WeftState* state, int vertex) {
    const WeftModel* m = state->model;
    WfVec x = wf_load(state->x, wf_row_of(&m->shown, vertex));
    return wf_is_image(&m->shown, vertex) ? wf_plane_image(&m->system.mirror, x) : x;
}

void wf_show(WeftState* state) {
    const WfShown* shown = &state->model->shown;
    const WfPlane* mirror = &state->model->system.mirror;
    for (int i = 0; i < shown->vertex_count && shown->rows; i++) {
        WfVec v = wf_load(state->v, shown->rows[i]);
        wf_store(state->shown_x, i, simulated_place(state, i));
        wf_store(state->shown_v, i, shown->sides[i] < 0 ? wf_plane_reflect(mirror, v) : v);
    }
    if (shown->rows) wf_show_overlap(state);
}

double wf_edge_length(const WeftState* state, int edge) {
    const int* v = state->model->shown.edges + 2 * (long)edge;
    return wf_length(wf_sub(simulated_place(state, v[1]), simulated_place(state, v[0])));
}

// Where a row is when a vertex is at a place.
static WfVec row_place(const WeftModel* m, int vertex, WfVec place) {
    const WfPlane* mirror = &m->system.mirror;
    if (wf_is_image(&m->shown, vertex)) place = wf_plane_image(mirror, place);
    return wf_plane_place(mirror, wf_row_of(&m->shown, vertex), place);
}

// ---------------------------------------------------------------------------------------------
// Pins and edits

static int row_of(const WeftState* state, int vertex) {
    wf_assert(vertex >= 0 && vertex < state->model->shown.vertex_count);
    return wf_row_of(&state->model->shown, vertex);
}

void wf_pin_row(WeftState* state, int row) {
    if (state->pinned[row]) return;
    wf_wake(state);
    state->pinned[row] = 1;
    WfVec x = wf_load(state->x, row), still = {0, 0, 0};
    wf_store(state->goal, row, x);
    wf_store(state->x1, row, x);
    wf_store(state->x2, row, x);
    wf_store(state->v, row, still);
    wf_store(state->v1, row, still);
    state->pins_changed = true;
}

void wf_show_velocity(WeftState* state, int row) {
    const WfShown* shown = &state->model->shown;
    WfVec v = wf_load(state->v, row);
    for (int i = 0; shown->rows && i < shown->vertex_count; i++) {
        if (shown->rows[i] != row) continue;
        bool image = shown->sides[i] < 0;
        wf_store(state->shown_v, i, image ? wf_plane_reflect(&state->model->system.mirror, v) : v);
    }
}

void weft_pin(WeftState* state, int vertex) {
    int row = row_of(state, vertex);
    wf_pin_row(state, row);
    wf_show_velocity(state, row);
}

void weft_move_pin(WeftState* state, int vertex, const double position[3]) {
    int row = row_of(state, vertex);
    wf_assert(state->pinned[row]);
    if (!wf_take_input(state, WF_INPUT_PIN, vertex, position, 3)) return;
    state->carried[row] = (WfCarry){0};
    wf_store(state->goal, row, row_place(state->model, vertex, wf_load(position, 0)));
}

void wf_set_velocity(WeftState* state, int vertex, WfVec v) {
    double h = state->clock[1];
    WfVec x = wf_load(state->x, vertex);
    wf_store(state->v, vertex, v);
    wf_store(state->v1, vertex, v);
    wf_store(state->x1, vertex, wf_madd(x, -h, v));
    wf_store(state->x2, vertex, wf_madd(x, -2 * h, v));
}

// A pin that was moved has no past that says something of its future: what it did in the last step
// alone would be an acceleration.
void weft_unpin(WeftState* state, int vertex) {
    int row = row_of(state, vertex);
    if (!state->pinned[row]) return;
    wf_wake(state);
    if (state->clock[1] > 0) wf_set_velocity(state, row, wf_load(state->v, row));
    state->pinned[row] = 0;
    state->carried[row] = (WfCarry){0};
    state->pins_changed = true;
}

bool weft_is_pinned(const WeftState* state, int vertex) {
    return state->pinned[row_of(state, vertex)] != 0;
}

static bool are_equal(const double* a, const double* b, long count) {
    for (long i = 0; i < count; i++)
        if (a[i] != b[i]) return false;
    return true;
}

static void set_place(WeftState* state, int row, WfVec place) {
    WfVec moved = wf_sub(place, wf_load(state->x, row));
    wf_store(state->x, row, place);
    wf_accumulate(state->x1, row, 1, moved);
    wf_accumulate(state->x2, row, 1, moved);
    wf_accumulate(state->goal, row, 1, moved);
}

void weft_set_positions(WeftState* state, const double* positions) {
    const WeftModel* m = state->model;
    if (!wf_take_inputs(state, WF_INPUT_POSITION, positions)) return;
    if (are_equal(positions, state->shown_x, 3L * m->shown.vertex_count)) return;
    for (int i = 0; i < m->system.vertex_count; i++) {
        int vertex = wf_vertex_of(&m->shown, i);
        set_place(state, i, row_place(m, vertex, wf_load(positions, vertex)));
    }
    wf_carry_from_here(state);
    if (state->tangle) state->tangle[0] = WF_LOOK_ANEW;
    wf_wake(state);
    wf_show(state);
}

void weft_set_velocities(WeftState* state, const double* velocities) {
    const WeftModel* m = state->model;
    if (!wf_take_inputs(state, WF_INPUT_VELOCITY, velocities)) return;
    if (are_equal(velocities, state->shown_v, 3L * m->shown.vertex_count)) return;
    for (int i = 0; i < m->system.vertex_count; i++) {
        WfVec told = wf_load(velocities, wf_vertex_of(&m->shown, i));
        WfVec v = wf_plane_let(&m->system.mirror, i, told);
        wf_store(state->v, i, v);
        wf_store(state->v1, i, v);
    }
    state->clock[1] = 0;  // the next step makes a history to fit
    wf_wake(state);
    wf_show(state);
}

// Faster by as much, now and ever before.
static void add_velocity(WeftState* state, int row, WfVec v) {
    double h = state->clock[1];
    wf_accumulate(state->v, row, 1, v);
    wf_accumulate(state->v1, row, 1, v);
    wf_accumulate(state->x1, row, -h, v);
    wf_accumulate(state->x2, row, -2 * h, v);
}

// Without history the next step finds the acceleration by itself; else it goes on as it was.
void weft_add_impulses(WeftState* state, int first, int count, const double* impulses) {
    const WeftModel* m = state->model;
    wf_assert(first >= 0 && count >= 0 && first + count <= m->shown.vertex_count);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < count; i++) {
            int row = wf_row_of(&m->shown, first + i);
            if (state->pinned[row] || wf_is_image(&m->shown, first + i)) continue;
            WfVec by = wf_mul(1 / m->shown.masses[first + i], wf_load(impulses, i));
            double v[3];
            by = wf_plane_let(&m->system.mirror, row, by);
            wf_store(v, 0, wf_add(wf_load(state->v, row), by));
            if (pass == 1)
                add_velocity(state, row, by);
            else if (!wf_take_input(state, WF_INPUT_IMPULSE, first + i, v, 3))
                return;
        }
    }
    wf_wake(state);
    wf_show(state);
}

// ---------------------------------------------------------------------------------------------
// Read-back

double weft_time(const WeftState* state) { return state->clock[0]; }
const double* weft_positions(const WeftState* state) { return state->shown_x; }
const double* weft_velocities(const WeftState* state) { return state->shown_v; }
const WeftStepReport* weft_report(const WeftState* state) { return &state->report; }
const WeftError* weft_state_error(const WeftState* state) { return &state->error; }

void weft_copy_floats(const WeftState* state, float* positions, float* normals) {
    const WeftModel* m = state->model;
    long n = 3L * m->shown.vertex_count;
    for (long i = 0; i < n; i++) positions[i] = (float)state->shown_x[i];
    if (!normals) return;
    memset(normals, 0, (size_t)n * sizeof *normals);
    for (long t = 0; t < m->shown.triangle_count; t++) {
        const int* v = m->shown.triangles + 3 * t;
        WfVec a = wf_load(state->shown_x, v[0]);
        WfVec ab = wf_sub(wf_load(state->shown_x, v[1]), a),
              ac = wf_sub(wf_load(state->shown_x, v[2]), a);
        WfVec area = wf_cross(ab, ac);
        for (int i = 0; i < 3; i++) {
            float* to = normals + 3 * (long)v[i];
            to[0] += (float)area.x;
            to[1] += (float)area.y;
            to[2] += (float)area.z;
        }
    }
    for (float* to = normals; to < normals + n; to += 3) {
        float length = sqrtf(to[0] * to[0] + to[1] * to[1] + to[2] * to[2]);
        bool flat = !(length > 0);
        for (int i = 0; i < 3; i++) to[i] = flat ? (i == 1 ? 1.0f : 0.0f) : to[i] / length;
    }
}

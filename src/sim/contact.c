// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sim/contact.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "contact/apart.h"
#include "contact/defend.h"
#include "contact/feature.h"
#include "contact/untangle.h"
#include "sim/masks.h"
#include "sim/skin.h"
#include "sim/space.h"

static const double MARGIN = 2e-3;          // m, seen beyond thickness and motion,
static const double MARGIN_OF_EDGE = 0.15;  // and at most this part of a mean edge;
static const double LAYER_MARGIN = 0.08;    // of cloth with cloth
static const double PATIENCE = 3;           // s, after which crossed cloth is pulled less,
static const double LEAST_PULL = 0.05;      // and at least
enum { MANY_CONTACTS = 1024 };              // that there is room for at first, at most

// ---------------------------------------------------------------------------------------------
// Memory

static void layout(WeftState* state, WfArena* arena) {
    const WeftModel* m = state->model;
    WfWorld* w = &state->world;
    size_t n = (size_t)m->system.vertex_count, most = n;
    w->movers = wf_arena_push(arena, (size_t)m->body_count, sizeof *w->movers);
    size_t cloths = (size_t)m->cloth_count;
    w->cloth_of = wf_arena_push(arena, n, sizeof(int));
    w->meets = wf_arena_push(arena, ((size_t)m->body_count + cloths) * cloths, 1);
    w->ahead = wf_arena_push(arena, 3 * n, sizeof(double));
    w->sought = wf_arena_push(arena, 3 * n, sizeof(double));
    w->spans = wf_arena_push(arena, n, sizeof(double));
    w->end_spans = wf_arena_push(arena, n, sizeof(double));
    for (int p = 0; p < WF_PURPOSES; p++) {
        w->lists[p].seen = wf_arena_push(arena, 3 * n, sizeof(double));
        w->lists[p].covered = wf_arena_push(arena, 3 * n, sizeof(double));
    }
    w->strayed = wf_arena_push(arena, n, 1);
    size_t triangles = (size_t)m->surface.triangle_count;
    w->flags = wf_arena_push(arena, n > triangles ? n : triangles, 1);
    w->sides = wf_arena_push(arena, triangles, sizeof(double));
    wf_runs_layout(m->system.vertex_count, m->surface.triangle_count, arena, &w->runs);
    w->tangled = wf_arena_push(arena, n, 1);
    w->crossed_with = wf_arena_push(arena, n, sizeof(uint64_t));
    w->stretch = wf_arena_push(arena, n, sizeof(double));
    w->touched = wf_arena_push(arena, n, 1);
    w->contacts.first = wf_arena_push(arena, n, sizeof(int));
    w->contacts.slot_start = wf_arena_push(arena, n + 1, sizeof(int));
    w->contacts.layered = wf_arena_push(arena, n, sizeof(int));
    w->moved = wf_arena_push(arena, n, 1);
    w->moved_by = wf_arena_push(arena, n, sizeof(int));
    w->dirty = wf_arena_push(arena, n, sizeof(int));
    wf_zones_layout(&m->surface, m->body_count, arena, &w->zones);
    wf_tangles_layout(&m->surface, m->bodies, m->body_count, arena, &w->tangles);
    wf_tree_layout(&m->surface, arena, &w->tree);
    if (m->chart.columns > 0) wf_flat_layout(&m->chart, arena, &w->flat);
    for (int i = 0; i < m->body_count; i++) {
        const WfBody* body = &m->bodies[i];
        size_t count = (size_t)body->vertex_count;
        if (count > most) most = count;
        if (body->exact) continue;
        double* x0 = wf_arena_push(arena, 3 * count, sizeof(double));
        double* x1 = wf_arena_push(arena, 3 * count, sizeof(double));
        WfTree tree;
        wf_tree_layout(&body->surface, arena, &tree);
        if (!arena->base) continue;
        w->movers[i].x0 = x0;
        w->movers[i].x1 = x1;
        w->movers[i].tree = tree;
    }
    w->nearest = wf_arena_push(arena, most, sizeof(double));
    w->nearest_triangle = wf_arena_push(arena, most, sizeof(int));
    wf_touch_layout(m->system.vertex_count, arena, &state->touch_work);
    state->gains = wf_arena_push(arena, n, sizeof *state->gains);
    state->gain_group = wf_arena_push(arena, n, sizeof(int));
}

// Pairs that a search finds at most. Cloth that lies in ten layers, the thickness as large as its
// edges, has half as many.
static void ready_pairs(WfPairs* pairs, const WfSystem* s) {
    pairs->allocator = s->allocator;
    pairs->jobs = &s->jobs;
    pairs->most_points = 64 * s->vertex_count + 4096;
    pairs->most_edges = 160 * s->vertex_count + 10240;
}

static void measure_thickness(WfWorld* w) {
    w->most_thickness = w->most_layer = 0;
    w->least_layer = HUGE_VAL;
    for (int i = 0; i < w->vertex_count; i++) {
        w->most_thickness = fmax(w->most_thickness, w->thickness[i]);
        w->most_layer = fmax(w->most_layer, w->layer[i]);
        w->least_layer = fmin(w->least_layer, w->layer[i]);
    }
}

WeftResult wf_ready_contact(WeftState* state) {
    const WeftModel* m = state->model;
    const WfSystem* s = &m->system;
    WfWorld* w = &state->world;
    if (!wf_model_touches(m) || state->contact_arena.base) return WEFT_OK;
    WfArena measure = {0};
    layout(state, &measure);
    if (!wf_arena_create(&state->contact_arena, &s->allocator, measure.used))
        return WEFT_ERROR_MEMORY;
    // movers and trees are laid out into zeros
    memset(state->contact_arena.base, 0, measure.used);
    layout(state, &state->contact_arena);
    w->vertex_count = s->vertex_count;
    w->cloth = &m->surface;
    w->jobs = w->tree.jobs = &s->jobs;
    w->masses = s->masses;
    w->thickness = m->thickness;
    w->layer = m->is_thinned ? m->layer : m->thickness;
    measure_thickness(w);
    w->friction = m->friction;
    w->frictions = m->frictions;
    w->cloth_count = m->cloth_count;
    for (int c = 0; c < m->cloth_count; c++)
        for (int i = m->first_vertex[c]; i < m->first_vertex[c + 1]; i++) w->cloth_of[i] = c;
    w->order = m->order;
    w->pinned = state->pinned;
    w->mirror = w->impulses.mirror = s->mirror;
    w->folds = m->folds;
    w->stray = m->stray;
    w->margin = fmin(MARGIN, MARGIN_OF_EDGE * m->mean_edge);
    w->layer_margin = fmin(MARGIN, LAYER_MARGIN * m->mean_edge);
    w->mover_count = wf_touched_bodies(m);
    w->tree.thickness = w->thickness;
    w->tree.origin = w->origin;
    w->tree.chart = w->flat.chart;
    w->contacts.allocator = w->impulses.allocator = w->tangles.allocator = s->allocator;
    ready_pairs(&w->tangles.pairs, s);
    for (int p = 0; p < WF_PURPOSES; p++) ready_pairs(&w->lists[p].pairs, s);
    for (int i = 0; i < m->body_count; i++) {
        w->movers[i].body = &m->bodies[i];
        w->movers[i].tree.jobs = &s->jobs;
        w->movers[i].tree.origin = w->origin;
        for (int p = 0; p < WF_PURPOSES; p++) ready_pairs(&w->movers[i].pairs[p], s);
    }
    wf_apply_masks(state);
    // every vertex may be at the end of its leash and before its backstop
    int few = s->vertex_count < MANY_CONTACTS ? s->vertex_count : MANY_CONTACTS;
    int room = m->skinned.count > 0 ? 2 * m->skinned.count : few;
    return wf_reserve_contacts(&w->contacts, room) ? WEFT_OK : WEFT_ERROR_MEMORY;
}

void wf_destroy_contact(WeftState* state) {
    WfWorld* w = &state->world;
    if (!state->contact_arena.base) return;
    for (int p = 0; p < WF_PURPOSES; p++) {
        for (int i = 0; i < w->mover_count; i++) wf_pairs_destroy(&w->movers[i].pairs[p]);
        wf_pairs_destroy(&w->lists[p].pairs);
    }
    wf_free(&w->contacts.allocator, w->sights);
    wf_contacts_destroy(&w->contacts);
    wf_impulses_destroy(&w->impulses);
    wf_tangles_destroy(&w->tangles);
    wf_arena_destroy(&state->contact_arena, &state->model->system.allocator);
}

size_t wf_contact_bytes(const WeftState* state) {
    const WfWorld* w = &state->world;
    const WfContacts* c = &w->contacts;
    size_t bytes =
        state->contact_arena.size + wf_pairs_bytes(&w->tangles.pairs) +
        (size_t)w->tangles.capacity * (sizeof(WfCrossing) + 4 * sizeof(WfKey) + sizeof(int));
    for (int p = 0; p < WF_PURPOSES; p++) {
        bytes += wf_pairs_bytes(&w->lists[p].pairs);
        for (int i = 0; i < w->mover_count; i++) bytes += wf_pairs_bytes(&w->movers[i].pairs[p]);
    }
    return bytes + (size_t)(c->capacity + c->found_capacity) * sizeof(WfContact) +
           (size_t)c->slot_capacity * sizeof(WfSlot) + (size_t)c->pull_capacity * sizeof(WfVec) +
           (size_t)w->sight_capacity * sizeof(struct WfSight) +
           (size_t)w->impulses.capacity * sizeof(WfImpulse);
}

// ---------------------------------------------------------------------------------------------
// Bodies on their way

static void place_vertices(const WeftState* state, int body, const WfPose* pose, double part,
                           double* x) {
    const WfBody* of = &state->model->bodies[body];
    const double* from = wf_state_shape(state, body, false);
    const double* to = wf_state_shape(state, body, true);
    for (int i = 0; i < of->vertex_count; i++) {
        WfVec local = wf_load(from ? from : of->positions, i);
        if (from) local = wf_madd(local, part, wf_sub(wf_load(to, i), local));
        wf_store(x, i, wf_pose_point(pose, local));
    }
}

static void move_bodies(WeftState* state, int index, int count) {
    double before = (double)index / count, after = (double)(index + 1) / count;
    for (int i = 0; i < state->world.mover_count; i++) {
        WfMover* mover = &state->world.movers[i];
        const WfPose* from = wf_state_pose(state, i, false);
        const WfPose* to = wf_state_pose(state, i, true);
        mover->from = index == 0 ? *from : wf_body_between(state, i, before);
        mover->to = index + 1 == count ? *to : wf_body_between(state, i, after);
        mover->deforms = wf_body_deforms(state, i);
        mover->fitted = false;
        if (!wf_is_surface(mover)) continue;
        place_vertices(state, i, &mover->from, before, mover->x0);
        place_vertices(state, i, &mover->to, after, mover->x1);
        size_t bytes = 3 * (size_t)mover->body->vertex_count * sizeof(double);
        mover->moves = memcmp(mover->x0, mover->x1, bytes) != 0;
    }
}

void wf_end_body(WeftState* state, int body) {
    *wf_state_pose(state, body, false) = *wf_state_pose(state, body, true);
    double* shape = wf_state_shape(state, body, false);
    size_t bytes = 3 * (size_t)state->model->bodies[body].vertex_count * sizeof(double);
    if (shape) memcpy(shape, wf_state_shape(state, body, true), bytes);
}

void wf_end_bodies(WeftState* state) {
    for (int i = 0; i < state->model->body_count; i++) wf_end_body(state, i);
}

// ---------------------------------------------------------------------------------------------

static bool has_failed(const WfWorld* w) {
    return w->contacts.failed || w->tangles.failed || w->tangles.pairs.failed ||
           wf_search_failed(w);
}

// What touches at the start gets sides. It is moved together with its past. Returns what still
// touches.
static int tell_apart(WeftState* state) {
    double* before = state->scratch->work.direction;
    long n = 3L * state->model->system.vertex_count;
    memcpy(before, state->x, (size_t)n * sizeof *before);
    int count = wf_tell_apart(&state->world, state->x, state->tangle[0] == WF_LOOK_ANEW);
    if (count < 0) state->world.contacts.failed = true;
    for (long i = 0; i < n; i++) {
        double moved = state->x[i] - before[i];
        state->x1[i] += moved;
        state->x2[i] += moved;
        state->world.ahead[i] += moved;
    }
    return count;
}

void wf_look_again(WeftState* state) {
    if (state->tangle[0] != WF_LOOK_ANEW) state->tangle[0] = WF_LOOK_AGAIN;
}

// Nothing crosses that did not at the start: it is looked for as long as there is something. What
// cannot be brought apart is pulled less and less, and comes to rest.
static void untangle(WeftState* state, double h) {
    WfWorld* w = &state->world;
    double* tangle = state->tangle;
    bool crossed = tangle[0] != 0;
    memset(w->tangled, 0, (size_t)w->vertex_count);
    memset(w->crossed_with, 0, (size_t)w->vertex_count * sizeof *w->crossed_with);
    if (!crossed && tangle[1] == 0) return;
    double tried = tangle[0] < 0 && tangle[2] == 0 ? 0 : tangle[2] + h;
    w->pull = fmax(LEAST_PULL, 1 / (1 + tried * tried / (PATIENCE * PATIENCE)));
    int touching = tangle[0] < 0 ? tell_apart(state) : 0;
    WfTangleCount count = wf_untangle(w, crossed);
    if (w->tangles.failed || w->tangles.pairs.failed) return;
    tangle[0] = touching > 0 ? WF_LOOK_AGAIN : count.crossings;
    tangle[1] = count.inside;
    tangle[2] = tried;
    state->report.tangles = count.crossings + count.inside + touching;
}

void wf_count_pins_inside(WeftState* state) {
    const WfWorld* w = &state->world;
    int count = 0;
    for (int m = 0; m < w->mover_count; m++) {
        const WfBody* body = w->movers[m].body;
        const WfPose* pose =
            state->report.asleep ? wf_state_pose(state, m, false) : &w->movers[m].from;
        for (int i = 0; i < state->pin_count && body->exact; i++) {
            WfVec p = wf_load(state->x, state->scratch->pins[i]), n;
            bool meets = wf_meets(w, &w->movers[m], state->scratch->pins[i]);
            count += meets && wf_body_distance(body, pose, p, &n) < -WF_TOUCHES;
        }
    }
    int* tangles = &state->report.tangles;
    if (count > 0) *tangles = (*tangles > 0 ? *tangles : 0) + count;
}

// Of what may hook at a sharp edge of a body.
static void measure_stretch(WeftState* state) {
    const WeftModel* m = state->model;
    WfWorld* w = &state->world;
    bool sharp = false;
    for (int i = 0; i < w->mover_count; i++)
        sharp = sharp || (w->movers[i].body->sharp_count > 0 && !w->movers[i].off);
    if (!sharp) return;
    memset(w->stretch, 0, (size_t)w->vertex_count * sizeof *w->stretch);
    for (int e = 0; e < m->edge_count; e++) {
        int a = m->edges[2L * e], b = m->edges[2L * e + 1];
        WfVec between = wf_sub(wf_load(state->x, a), wf_load(state->x, b));
        double stretch = wf_dot(between, between) / (m->edge_lengths[e] * m->edge_lengths[e]);
        w->stretch[a] = fmax(w->stretch[a], stretch);
        w->stretch[b] = fmax(w->stretch[b], stretch);
    }
}

WeftResult wf_find_contacts(WeftState* state, WfStep* step, int index, int count) {
    const WfSystem* s = step->system;
    WfWorld* w = &state->world;
    WeftStepReport* report = &state->report;
    step->world = NULL;
    if (!wf_model_touches(state->model)) return WEFT_OK;
    double start = wf_now(s);
    wf_apply_masks(state);
    move_bodies(state, index, count);
    for (int i = 0; i < s->vertex_count; i++)
        w->touched[i] = wf_is_loaded(state->loads + 4 * (long)i);
    wf_world_begin(w, state->x, state->v, step->motion.h);
    for (int i = 0; i < state->pin_count; i++) {
        WfVec goal = wf_load(state->goal, state->scratch->pins[i]);
        wf_store(w->ahead, state->scratch->pins[i], goal);
    }
    int before = report->tangles;  // of the last substep that looked
    report->tangles = -1;
    untangle(state, step->motion.h);
    wf_count_pins_inside(state);
    if (report->tangles < 0) report->tangles = before;
    wf_find_leashes(state, (double)index / count, (double)(index + 1) / count);
    int others = w->contacts.count;
    double begun = wf_now(s);
    wf_search(w);
    double searched = wf_now(s);
    measure_stretch(state);
    wf_find_body_contacts(w);
    // the plane of a mirror stands for cloth
    report->body_contacts = w->contacts.count - others - w->mirror_contacts;
    double middle = wf_now(s);
    wf_find_self_contacts(w);
    report->self_contacts = w->contacts.count - report->body_contacts - others;
    wf_sort_contacts(w);
    report->penetration = fmax(report->penetration, w->depth);
    *(w->self ? &report->times.self : &report->times.body) += searched - begun;
    report->times.body += middle - searched + begun - start;
    report->times.self += wf_now(s) - middle;
    if (has_failed(w)) {
        wf_forget_lists(w);
        return WEFT_ERROR_MEMORY;
    }
    if (w->contacts.count == 0) {
        memset(state->loads, 0, 4 * (size_t)s->vertex_count * sizeof(double));
        return WEFT_OK;
    }
    step->world = w;
    step->touch_work = &state->touch_work;
    step->loads = state->loads;
    return WEFT_OK;
}

WeftResult wf_defend_step(WeftState* state, const WfStep* step) {
    WeftStepReport* report = &state->report;
    if (!wf_model_touches(state->model)) return WEFT_OK;
    double start = wf_now(step->system);
    WfDefence defence = wf_defend(&state->world, step->work->x);
    report->pairs_found += state->world.pairs_found;
    report->pairs_kept += state->world.pairs_kept;
    report->pairs_near += state->world.pairs_near;
    report->impacts += defence.impacts;
    report->zones += defence.zones;
    report->unstopped += defence.left;
    report->slowed = report->slowed || defence.slowed;
    if (defence.left > 0 && state->tangle[0] == 0) wf_look_again(state);
    report->times.defend += wf_now(step->system) - start;
    return has_failed(&state->world) ? WEFT_ERROR_MEMORY : WEFT_OK;
}

// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What pins and contacts did, by momentum. A step of BDF2 (or of Euler, where a = 0 and h = gamma)
// gives a vertex the impulse
//
//     h F = m (P' - P),    P = (h/gamma) (v - a v(n-1)),    a = 1/3 at steps of one length
//
// and in sums over steps what is given is what is kept: P telescopes. So whatever happens to a
// vertex in a substep, in the solve, by the stretch limit, by the last defence or because a hit
// ends its past, it got
//
//     J = m (P' - P) - h (forces that are known: of the cloth, of ties, weight, air)
//
// beside these. Forces are those at the end of the solve, before others move vertices: what an edge
// would answer to being pushed by the last defence is no part of it. With g = gradient(x') of the
// solve, m (P' - P) - h F is h g/gamma^2 there, and
//
//     J = h g/gamma^2 + m (P'(as it ends) - P'(as solved))
//
// At a pin J is what holds it. Where something touches, it is what the contacts gave: each gets
// what the solve says of it, and of the rest a part as large as its force. Elsewhere it is what the
// solve left over. The cloth has moved by that, too, so that it is counted to whatever pins and
// contacts did to the same pieces, in parts as large as their impulses: no momentum comes from
// nowhere. (Without, a sheet on a ball that the last defence keeps busy weighed 8 % too much.)

#include "sim/forces.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/links.h"

// ---------------------------------------------------------------------------------------------
// Memory

static void layout(const WeftModel* m, WfArena* arena, WfForces* forces) {
    size_t n = 3 * (size_t)m->system.vertex_count;
    forces->impulse = wf_arena_push(arena, n, sizeof(double));
    forces->pins = wf_arena_push(arena, n, sizeof(double));
    forces->contacts = wf_arena_push(arena, n, sizeof(double));
    forces->bodies = wf_arena_push(arena, 6 * (size_t)m->body_count, sizeof(double));
    forces->claimed = wf_arena_push(arena, n / 3, 1);
    forces->group = wf_arena_push(arena, n / 3, sizeof(int));
    forces->given = wf_arena_push(arena, n, sizeof(double));
    forces->marked = wf_arena_push(arena, n, sizeof(double));
}

WeftResult wf_forces_begin(WeftState* state, const WeftStepDef* def) {
    const WeftModel* m = state->model;
    WfForces* forces = &state->forces;
    size_t bytes = 3 * (size_t)m->system.vertex_count * sizeof(double);
    forces->dt = 0;
    bool is_local = wf_method(def)->is_local;  // forces of its ties are told by these, too
    if (!def->forces && !(is_local && state->ties.count > 0)) return WEFT_OK;
    if (is_local && wf_ready_work(m, 0, state->scratch)) return WEFT_ERROR_MEMORY;
    if (!forces->arena.base) {
        WfArena measure = {0};
        layout(m, &measure, forces);
        if (!wf_arena_create(&forces->arena, &m->system.allocator, measure.used))
            return WEFT_ERROR_MEMORY;
        layout(m, &forces->arena, forces);
    }
    if (!def->forces) return WEFT_OK;
    memset(forces->pins, 0, bytes);
    memset(forces->contacts, 0, bytes);
    memset(forces->bodies, 0, 6 * (size_t)m->body_count * sizeof(double));
    forces->dt = def->dt;
    return WEFT_OK;
}

void wf_forces_destroy(WeftState* state) {
    wf_arena_destroy(&state->forces.arena, &state->model->system.allocator);
}

// ---------------------------------------------------------------------------------------------
// Impulses of a substep

// m P: what telescopes. v1: of the substep before
static WfVec momentum(const WfStep* step, int i, WfVec v, WfVec v1) {
    const WfMotion* m = &step->motion;
    bool is_explicit = isinf(m->gamma);
    double part = is_explicit ? 1 : m->h / m->gamma, a = is_explicit ? 0 : -m->drift_weights[1];
    return wf_mul(step->system->masses[i] * part, wf_madd(v, -a, v1));
}

static void start_explicit(const WfStep* step, double* impulse) {
    const WfMotion* m = &step->motion;
    const double* f = step->work->gradient;  // where the method leaves its forces
    for (int i = 0; i < m->vertex_count; i++) {
        WfVec before = wf_mul(step->system->masses[i], wf_load(m->v, i));
        wf_store(impulse, i, wf_mul(-1, wf_madd(before, m->h, wf_load(f, i))));
    }
}

static void start_implicit(const WfStep* step, double* impulse) {
    const WfMotion* m = &step->motion;
    double *g = step->work->gradient, scale = m->h / (m->gamma * m->gamma);
    wf_step_whole_gradient(step, step->work->x, g);
    for (int i = 0; i < m->vertex_count; i++) {
        WfVec moved = wf_sub(wf_load(step->work->x, i), wf_load(m->base, i));
        WfVec solved = momentum(step, i, wf_mul(1 / m->gamma, moved), wf_load(m->v, i));
        wf_store(impulse, i, wf_madd(wf_mul(-1, solved), scale, wf_load(g, i)));
    }
}

void wf_forces_solved(WeftState* state, const WfStep* step) {
    if (state->forces.dt == 0) return;
    double* impulse = state->forces.impulse;
    (isinf(step->motion.gamma) ? start_explicit : start_implicit)(step, impulse);
}

// ---------------------------------------------------------------------------------------------
// What is left over

// Pieces, and what they touch and are tied to; without contact, cloths.
static void find_groups(const WeftState* state, const WfStep* step) {
    const WeftModel* m = state->model;
    int cloth = 0, *group = state->forces.group;
    for (int i = 0; i < m->system.vertex_count; i++) {
        while (i >= m->first_vertex[cloth + 1]) cloth++;
        group[i] = step->world        ? wf_first_linked(step->touch_work->links, i)
                   : m->surface.piece ? m->surface.piece_first[m->surface.piece[i]]
                                      : m->first_vertex[cloth];
    }
}

void wf_share_leftover(const WeftState* state, const WfStep* step) {
    const WfForces* forces = &state->forces;
    int n = step->system->vertex_count;
    double *left = state->scratch->work.direction,
           *size = state->scratch->work.z;  // per group, at its first vertex
    find_groups(state, step);
    memset(left, 0, 3 * (size_t)n * sizeof *left);
    memset(size, 0, (size_t)n * sizeof *size);
    for (int i = 0; i < n; i++) {
        WfVec impulse = wf_load(forces->impulse, i);
        if (forces->claimed[i])
            size[forces->group[i]] += wf_length(impulse);
        else
            wf_accumulate(left, forces->group[i], 1, impulse);
    }
    for (int i = 0; i < n; i++) {
        int g = forces->group[i];
        if (!forces->claimed[i] || !(size[g] > 0)) continue;
        double part = wf_length(wf_load(forces->impulse, i)) / size[g];
        wf_accumulate(forces->impulse, i, part, wf_load(left, g));
    }
}

// ---------------------------------------------------------------------------------------------
// Whose they are

// What the solve says of the contacts of every vertex.
typedef struct Known {
    double* size;   // per vertex: the sum of their sizes, N
    double* force;  // 3 per vertex: the sum of their forces, N
} Known;

static void find_known(const WfContacts* contacts, Known* known) {
    for (int k = 0; k < contacts->count; k++) {
        const WfContact* c = &contacts->all[k];
        for (int v = 0; v < c->count; v++) {
            known->size[c->vertices[v]] += fabs(c->weights[v]) * wf_length(c->force);
            wf_accumulate(known->force, c->vertices[v], c->weights[v], c->force);
        }
    }
}

// A body gets the opposite of what the cloth got.
static void give_body(WeftState* state, int body, int i, WfVec impulse) {
    if (state->model->bodies[body].is_mirror) return;
    double* to = state->forces.bodies + 6 * (long)body;
    WfVec arm = wf_sub(wf_load(state->x, i), wf_load(state->world.movers[body].to.position, 0));
    wf_accumulate(to, 0, -1, impulse);
    wf_accumulate(to, 1, -1, wf_cross(arm, impulse));
}

static void give_contact(WeftState* state, const Known* known, const WfContact* c, double h) {
    double size = wf_length(c->force);
    for (int v = 0; v < c->count; v++) {
        int i = c->vertices[v];
        if (state->pinned[i] || !(known->size[i] > 0)) continue;
        double part = fabs(c->weights[v]) * size / known->size[i];
        WfVec all = wf_load(state->forces.impulse, i);
        WfVec rest = wf_madd(all, -h, wf_load(known->force, i));
        WfVec own = wf_madd(wf_mul(h * c->weights[v], c->force), part, rest);
        give_body(state, c->by - 1, i, own);
    }
}

static void give_contacts(WeftState* state, const WfStep* step, const Known* known) {
    const WfWorld* w = &state->world;
    for (int k = 0; step->world && k < w->contacts.count; k++)
        if (w->contacts.all[k].by > 0)
            give_contact(state, known, &w->contacts.all[k], step->motion.h);
    for (int i = 0; i < w->vertex_count; i++) {
        WfVec all = wf_load(state->forces.impulse, i);
        if (state->pinned[i] || !state->forces.claimed[i]) continue;
        wf_accumulate(state->forces.contacts, i, 1, all);
        if (!(known->size[i] > 0) && w->moved_by[i] > 0)
            give_body(state, w->moved_by[i] - 1, i, all);
    }
}

static void claim(WeftState* state, const WfStep* step, Known* known) {
    bool touches = wf_model_touches(state->model);
    size_t n = (size_t)step->system->vertex_count;
    memset(known->size, 0, n * sizeof(double));
    memset(known->force, 0, 3 * n * sizeof(double));
    if (step->world) find_known(&state->world.contacts, known);
    for (size_t i = 0; i < n; i++)
        state->forces.claimed[i] =
            state->pinned[i] || known->size[i] > 0 || (touches && state->world.moved[i]);
}

void wf_forces_end(WeftState* state, const WfStep* step) {
    WfForces* forces = &state->forces;
    if (forces->dt == 0) return;
    for (int i = 0; i < step->system->vertex_count; i++) {
        WfVec p = momentum(step, i, wf_load(state->v, i), wf_load(state->v1, i));
        wf_accumulate(forces->impulse, i, 1, p);
    }
    Known known = {state->scratch->work.r, state->scratch->work.t};
    claim(state, step, &known);
    wf_share_leftover(state, step);
    for (int i = 0; i < state->pin_count; i++)
        wf_accumulate(forces->pins, state->scratch->pins[i], 1,
                      wf_load(forces->impulse, state->scratch->pins[i]));
    if (wf_model_touches(state->model)) give_contacts(state, step, &known);
}

// ---------------------------------------------------------------------------------------------
// Read-back

// Of a vertex, where `impulses` are those of rows: in the plane of a mirror, of both halves.
static WfVec force_at(const WeftState* state, const double* impulses, int vertex) {
    const WfShown* shown = &state->model->shown;
    const WfPlane* mirror = &state->model->system.mirror;
    if (!(state->forces.dt > 0)) return (WfVec){0, 0, 0};
    int row = wf_row_of(shown, vertex);
    WfVec f = wf_mul(1 / state->forces.dt, wf_load(impulses, row));
    if (wf_plane_holds(mirror, row)) return wf_add(f, wf_plane_reflect(mirror, f));
    return wf_is_image(shown, vertex) ? wf_plane_reflect(mirror, f) : f;
}

void weft_pin_force(const WeftState* state, int vertex, double force[3]) {
    wf_assert(vertex >= 0 && vertex < state->model->shown.vertex_count);
    wf_store(force, 0, force_at(state, state->forces.pins, vertex));
}

void weft_copy_contact_forces(const WeftState* state, double* forces) {
    for (int i = 0; i < state->model->shown.vertex_count; i++)
        wf_store(forces, i, force_at(state, state->forces.contacts, i));
}

// A moment is a vector that turns: in a mirror, the other way round.
static void add_image(const WeftState* state, const double* of, double force[3], double torque[3]) {
    const WfPlane* mirror = &state->model->system.mirror;
    wf_accumulate(force, 0, 1, wf_plane_reflect(mirror, wf_load(of, 0)));
    wf_accumulate(torque, 0, -1, wf_plane_reflect(mirror, wf_load(of, 1)));
}

void weft_contact_force(const WeftState* state, int body, double force[3], double torque[3]) {
    const WeftModel* m = state->model;
    double sum[2][3] = {{0}};
    wf_assert(body >= 0 && body < m->shown_body_count);
    for (int i = 0; i < m->shown_body_count && state->forces.dt > 0; i++) {
        const double* of = state->forces.bodies + 6 * (long)i;
        if (i == body) {
            wf_accumulate(sum[0], 0, 1, wf_load(of, 0));
            wf_accumulate(sum[1], 0, 1, wf_load(of, 1));
        }
        if (m->shown.rows && wf_body_image(m, i) == body) add_image(state, of, sum[0], sum[1]);
    }
    double scale = state->forces.dt > 0 ? 1 / state->forces.dt : 0;
    for (int k = 0; k < 3; k++) {
        force[k] = scale * sum[0][k];
        if (torque) torque[k] = scale * sum[1][k];
    }
}

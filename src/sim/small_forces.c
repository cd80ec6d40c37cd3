// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What pins and contacts did in small steps, by momentum, as in forces.c. A vertex of mass m gets
//
//     m (v' - v) = given + inside      in a step
//
// where `given` is what acts on it from outside: weight, air and what holds it (how the prediction
// changes its velocity), contacts, max distances, ties. Each is the change of m (x - before)/h by
// what did it. `inside` is what the cloth does to itself, elements, levels and the limit, and is
// zero in the sum over all that is joined. So what holds all pins together is known as it was:
//
//     J = sum over pins of m (v' - v) - given  +  sum over the others of inside
//
// How it is divided among them says the tension of the cloth there at the end of the step; the
// rest, in parts as large as those.

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "sim/forces.h"
#include "sim/small.h"

static bool keeps_reactions(const WeftState* state) {
    bool keeps = state->forces.dt > 0;
    for (int t = 0; t < state->ties.count && !keeps; t++) keeps = state->scratch->tied[t].is_held;
    return keeps;
}

void wf_begin_reactions(WeftState* state) {
    WfForces* forces = &state->forces;
    size_t n = (size_t)state->model->system.vertex_count;
    forces->balances = keeps_reactions(state);
    if (forces->balances) memset(forces->given, 0, 3 * n * sizeof *forces->given);
}

// ---------------------------------------------------------------------------------------------
// What is given

static WfVec between(const WfPoint4* a, const WfPoint4* b) {
    return (WfVec){(double)a->x - (double)b->x, (double)a->y - (double)b->y,
                   (double)a->z - (double)b->z};
}

static WfVec vector_of(const WfPoint4* p) {
    return (WfVec){(double)p->x, (double)p->y, (double)p->z};
}

// What acts on a pinned vertex, N: no part of the prediction.
static WfVec outside_force(const WfSmallCloth* cloth, int i) {
    WfVec f = wf_load(cloth->form->follows ? cloth->total : cloth->forces, i);
    if (cloth->holds) f = wf_sub(f, wf_load(cloth->holds[i].pull, 0));
    if (!cloth->brake) return f;
    return wf_sub(f, wf_sym_mul(cloth->brake + 6 * (size_t)i, vector_of(&cloth->v[i])));
}

void wf_give_outside(WeftState* state, double h) {
    const WfSmallCloth* cloth = &state->scratch->small;
    WfForces* forces = &state->forces;
    for (int i = 0; i < cloth->form->vertex_count && forces->balances; i++) {
        WfVec change = wf_sub(vector_of(&cloth->v[i]), wf_load(forces->marked, i));
        double mass = state->model->system.masses[i];
        if (cloth->x[i].w > 0)
            wf_accumulate(forces->given, i, mass, change);
        else
            wf_accumulate(forces->given, i, h, outside_force(cloth, i));
    }
}

void wf_give_push(WeftState* state, int i, WfVec impulse) {
    if (state->scratch->small.x[i].w > 0) wf_accumulate(state->forces.given, i, 1, impulse);
}

// How a vertex moves in the substep, as it is now.
static WfVec motion_of(const WfSmallCloth* cloth, int i, bool solved) {
    return solved ? vector_of(&cloth->v[i]) : between(&cloth->x[i], &cloth->before[i]);
}

void wf_mark_motion(WeftState* state, bool solved) {
    for (int i = 0; i < state->scratch->small.form->vertex_count && state->forces.balances; i++)
        wf_store(state->forces.marked, i, motion_of(&state->scratch->small, i, solved));
}

void wf_give_motion(WeftState* state, double h, bool solved, bool by_contact) {
    WfForces* forces = &state->forces;
    for (int i = 0; i < state->scratch->small.form->vertex_count && forces->balances; i++) {
        WfVec change =
            wf_sub(motion_of(&state->scratch->small, i, solved), wf_load(forces->marked, i));
        double scale = state->model->system.masses[i] / (solved ? 1 : h);
        if (!(state->scratch->small.x[i].w > 0)) continue;
        wf_accumulate(forces->given, i, scale, change);
        if (by_contact && forces->dt > 0) wf_accumulate(forces->contacts, i, scale, change);
    }
}

// ---------------------------------------------------------------------------------------------
// The step ends

// impulse -= dt (forces of the cloth at x)
static void add_tension(WeftState* state, double dt, double* impulse) {
    const WeftModel* m = state->model;
    WfTermSpace plain = {.partial = state->scratch->partial, .jobs = &m->system.jobs};
    for (int t = 0; t < m->measured_count; t++) {
        const WfTerm* term = m->measured[t];
        plain.give = m->gives[term->portion];
        term->type->evaluate(term, &plain, state->x, WF_WANT_FORCE, -dt, impulse);
    }
}

// How far a vertex is from the plane of the triangle nearest to it, or an exact body; endless where
// none is near.
static double distance_to(const WeftState* state, int b, int i) {
    const WfSmallContact* c = &state->scratch->small.contact;
    const WfSmallBody* body = &c->bodies[b];
    WfVec normal;
    if (body->off) return HUGE_VAL;
    if (body->body->exact)
        return fabs(wf_body_distance(body->body, wf_state_pose(state, b, true),
                                     wf_load(state->x, i), &normal));
    if (body->nearest[i] < 0) return HUGE_VAL;
    const int* v = body->body->surface.triangles + 3 * (long)body->nearest[i];
    const WfPoint4 *p = &c->x[body->first + v[0]], *q = &c->x[body->first + v[1]];
    normal = wf_unit(wf_cross(between(q, p), between(&c->x[body->first + v[2]], p)));
    return fabs(wf_dot(normal, between(&c->x[i], p)));
}

static int nearest_body(const WeftState* state, int i) {
    int best = 0, count = state->scratch->small.contact.def.body_count;
    double least = HUGE_VAL;
    for (int b = 0; b < count && count > 1; b++) {
        double distance = distance_to(state, b, i);
        if (distance < least) least = distance, best = b;
    }
    return best;
}

// Bodies get the opposite of what the cloth in front of them got. Layers give each other nothing in
// the sum.
static void give_bodies(WeftState* state) {
    const WfForces* forces = &state->forces;
    for (int i = 0; i < state->model->system.vertex_count; i++) {
        WfVec impulse = wf_load(forces->contacts, i);
        if (!(wf_dot(impulse, impulse) > 0)) continue;
        int body = nearest_body(state, i);
        if (state->model->bodies[body].is_mirror) continue;
        WfVec middle = wf_load(wf_state_pose(state, body, true)->position, 0);
        double* to = forces->bodies + 6 * (long)body;
        wf_accumulate(to, 0, -1, impulse);
        wf_accumulate(to, 1, -1, wf_cross(wf_sub(wf_load(state->x, i), middle), impulse));
    }
}

// v: velocities when the step began, 3 per vertex.
void wf_end_reactions(WeftState* state, const WfStep* step, const double* v) {
    WfForces* forces = &state->forces;
    if (!forces->balances) return;
    for (int i = 0; i < step->system->vertex_count; i++) {
        WfVec change = wf_sub(wf_load(state->v, i), wf_load(v, i));
        WfVec all = wf_mul(step->system->masses[i], change);
        wf_store(forces->impulse, i, wf_sub(all, wf_load(forces->given, i)));
        forces->claimed[i] = !(state->scratch->small.x[i].w > 0);
    }
    add_tension(state, step->def->dt, forces->impulse);
    wf_share_leftover(state, step);
    for (int t = 0; t < state->ties.count; t++)
        if (state->scratch->tied[t].is_held)
            state->scratch->tied[t].impulse =
                wf_load(forces->impulse, state->ties.all[t].vertices[0]);
    if (forces->dt == 0) return;
    for (int i = 0; i < state->pin_count; i++)
        wf_store(forces->pins, state->scratch->pins[i],
                 wf_load(forces->impulse, state->scratch->pins[i]));
    if (state->scratch->small.form->touches && state->scratch->small.form->body_count > 0)
        give_bodies(state);
}

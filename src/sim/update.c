// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Velocities and history behind a substep.

#include <math.h>

#include "base/parallel.h"
#include "base/vec.h"
#include "respond/singles.h"
#include "sim/contact.h"
#include "sim/history.h"
#include "sim/rest.h"

// How much of a vertex's past still says something about its future. A hit ends all of it, be it by
// a contact that was just made, by one that sticks or by the last defence: with it, BDF2 would
// throw the vertex back by half of its speed. One that slides on ends what was along its normal.
// Where a contact only carries, the past stays: without, BDF2 takes 4/9 of all forces against the
// whole of inertia, so that cloth stuck to a ceiling that went down with g/2, and slid with 4/9 of
// its acceleration. Methods of first order do not look back.
typedef struct Past {
    bool ends;
    WfVec normal;  // along it the velocity is `onto`; and all past ends, where not all does anyhow
    WfVec onto;    // m/s
    bool keeps;    // that velocity is all that changes
} Past;

// A contact that changes a velocity faster than this, or by more in a substep, hits, and does not
// only carry.
static const double HIT = 20;          // m/s^2
static const double HIT_SPEED = 0.35;  // m/s

// By how much more a vertex moves than in the last substep.
static WfVec change_of_motion(const WeftState* state, const WfStep* step, int i) {
    WfVec to = wf_load(step->work->x, i), x = wf_load(state->x, i), x1 = wf_load(state->x1, i);
    return wf_sub(wf_sub(to, x), wf_sub(x, x1));
}

// The change of motion from which on it is a hit, m.
static double least_hit(double h) { return fmin(HIT * h, HIT_SPEED) * h; }

// The past of a vertex that a contact c of its own carries.
static Past past_on_body(const WfStep* step, const WfContact* c, WfVec change, WfVec mean) {
    double most = least_hit(step->motion.h);
    if (c->state != WF_CONTACT_SLIP) return (Past){.ends = wf_length(change) > most};
    return (Past){.normal = fabs(wf_dot(c->normal, change)) > most ? c->normal : (WfVec){0, 0, 0},
                  .onto = mean};
}

// The same where it was just made, and has stopped the vertex against the body: what is left of its
// way there is no velocity. (While crossed cloth is pulled apart it stays one, or relaxation, which
// moves slowly, takes 151 steps instead of 118 for the tangled scene.)
static Past past_of_landing(const WeftState* state, const WfStep* step, const WfContact* c) {
    if (c->state == WF_CONTACT_OPEN || state->tangle[0] != 0) return (Past){.ends = true};
    return (Past){.ends = true, .normal = c->normal, .onto = wf_mul(1 / step->motion.h, c->carry)};
}

// The past of a vertex at the end of its leash. There it moves along the ball, as seen from its
// skin: that is its velocity, whatever the method has. The past stays, but along the normal where
// it has just got there. (Were all of it to end, as where bodies are hit, a pendulum would be a
// fifth too slow: it lifts off and lands in every other step.) What is brought back into its ball
// (leash.c) was too far away, which is no velocity.
static const double ROUNDING = 1e-6;  // m, of distances
static Past past_on_leash(const WeftState* state, const WfStep* step, const WfContact* c, int i) {
    bool back = wf_length(c->middle) > c->ball + ROUNDING;
    double along = fabs(wf_dot(c->normal, change_of_motion(state, step, i)));
    bool landed = !state->world.touched[i] || along > least_hit(step->motion.h);
    return (Past){.ends = back,
                  .normal = c->normal,
                  .onto = wf_mul(1 / step->motion.h, c->carry),
                  .keeps = !landed};
}

// The contact that says what of its past a loaded vertex keeps: the first, but none of its skin
// that carries nothing.
static const WfContact* own_contact(const WfContacts* contacts, int i) {
    int first, end = wf_singles_of(contacts, i, &first);
    for (int k = first; first >= 0 && k < end; k++) {
        const WfContact* c = &contacts->all[k];
        if (!c->of_skin || wf_dot(c->force, c->normal) > 0) return c;
    }
    return NULL;
}

static Past past_of(const WeftState* state, const WfStep* step, int i, WfVec mean) {
    const WfWorld* w = &state->world;
    bool moved = w->moved && w->moved[i];
    bool loaded = step->world && wf_is_loaded(step->loads + 4 * (long)i);
    const WfContact* own = loaded ? own_contact(&w->contacts, i) : NULL;
    if (own && own->ball > 0) return past_on_leash(state, step, own, i);
    if (step->motion.base_weights[1] == 0 || !(moved || loaded)) return (Past){0};
    WfVec change = change_of_motion(state, step, i);
    if (moved && wf_length(change) > least_hit(step->motion.h)) return (Past){.ends = true};
    if (!loaded) return (Past){0};
    if (!own) return (Past){.ends = !w->touched[i]};
    return w->touched[i] ? past_on_body(step, own, change, mean)
                         : past_of_landing(state, step, own);
}

// a, but b along the normal
static WfVec mix(WfVec a, WfVec b, WfVec normal) {
    return wf_madd(a, wf_dot(normal, wf_sub(b, a)), normal);
}

// m/s^2: what slows cloth that is about to rest. Cloth on a slope that is hardly too steep stays,
// and so would a skirt in a shape that is not yet its own. Explicit steps ring, and take more.
static const double INNER_FRICTION = 0.1;

typedef struct Update {
    WeftState* state;
    const WfStep* step;
    bool is_explicit, calms;
    double rest, loss;  // m/s
} Update;

static void update_vertex(const Update* u, int i) {
    WeftState* state = u->state;
    const WfMotion* m = &u->step->motion;
    WfVec to = wf_load(u->step->work->x, i), from = wf_load(state->x, i);
    WfVec mean = wf_mul(1 / m->h, wf_sub(to, from));
    Past past = past_of(state, u->step, i, mean);
    bool simple = u->is_explicit || m->pinned[i];
    WfVec v = simple || past.ends ? mean : wf_mul(1 / m->gamma, wf_sub(to, wf_load(m->base, i)));
    if (!simple) v = mix(v, past.onto, past.normal);
    double speed = u->calms ? wf_length(v) : 0;
    if (speed < u->rest && !m->pinned[i]) {
        v = mix(mean, past.onto, past.normal);
        v = wf_mul(speed > u->loss ? 1 - u->loss / speed : 0, v);
        past.ends = true;
    }
    // as if it had always moved like this
    WfVec x1 = wf_madd(to, -m->h, v), x2 = wf_madd(to, -2 * m->h, v);
    if (!past.ends) {
        WfVec ended = past.keeps ? (WfVec){0, 0, 0} : past.normal;
        wf_store(state->v1, i, mix(wf_load(state->v, i), v, ended));
        x2 = mix(wf_load(state->x1, i), x2, ended);
        x1 = from;
    } else {
        wf_store(state->v1, i, v);
    }
    wf_store(state->v, i, v);
    wf_store(state->x2, i, x2);
    wf_store(state->x1, i, x1);
    wf_store(state->x, i, to);
}

static void update_block(void* context, int block) {
    const Update* u = context;
    int end = wf_item_end(u->step->motion.vertex_count, block);
    for (int i = block * WF_ITEM_BLOCK; i < end; i++) update_vertex(u, i);
}

// Velocities by the formula of the method, then x' becomes x(n). Where nothing around the cloth
// moves, motion below the speed of rest dies away: its past ends, and with it goes what is known of
// its acceleration, so that its velocity is the mean of the step. (With the one at its end, half of
// the acceleration's part came on top in every step, and the corner of a tablecloth that was slow
// where it turned swung for ever.)
void wf_update_motion(WeftState* state, const WfStep* step) {
    const WfMotion* m = &step->motion;
    Update u = {.state = state, .step = step, .is_explicit = isinf(m->gamma)};
    u.calms = step->world && wf_rest_calms(state) && wf_method(step->def)->damps_to_rest;
    u.rest = u.calms ? step->def->rest_speed : 0;
    u.loss = m->h * (u.is_explicit ? WF_EXPLICIT_FRICTION : INNER_FRICTION);
    wf_parallel(&step->system->jobs, wf_item_blocks(m->vertex_count), update_block, &u);
}

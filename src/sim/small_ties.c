// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Attachments in small steps: ties (ties.c has the picture), each brought to its own implicit step
// while all else stands still. With K and t of ties.c, p = W x, and the impulse h F that it gave in
// the substep so far,
//
//     h^2 F += -(p - t + alpha h^2 F)/(w + alpha),  alpha = 1/(K h^2),  w = sum weights^2 w_a
//
// as often as others have moved its vertices: behind the prediction, each sweep with its levels,
// and the limit. A rigid one has alpha = 0. A line does so along its direction, and never pushes; a
// bound holds for the sum.
//
// One that holds a single vertex to a place, whatever it takes, is a pin of the step: levels know
// those, and a vertex that others move first and that is brought back alone stretches its edges (a
// swing of 65 x 65 vertices by 1.85 at worst, by pins 1.09). What these pull is found as at pins
// (small_forces.c).

#include <math.h>

#include "base/vec.h"
#include "sim/attach.h"
#include "sim/small.h"

static const double RIGID = 100;  // K h^2/m, from where on a spring is as good as a pin

static WfVec point_of(const WfSmallCloth* cloth, const WfTie* tie, const WfPoint4* x) {
    WfVec sum = {0, 0, 0}, origin = wf_load(cloth->origin, 0);
    for (int k = 0; k < tie->count; k++) {
        const WfPoint4* p = &x[tie->vertices[k]];
        WfVec at = {(double)p->x, (double)p->y, (double)p->z};
        sum = wf_madd(sum, tie->weights[k], wf_add(origin, at));
    }
    return sum;
}

static void push_point(WfSmallCloth* cloth, const WfTie* tie, WfVec push) {
    for (int k = 0; k < tie->count; k++) {
        WfPoint4* p = &cloth->x[tie->vertices[k]];
        WfVec by = wf_mul(tie->weights[k] * (double)p->w, push);
        p->x += (float)by.x, p->y += (float)by.y, p->z += (float)by.z;
    }
}

// 1/kg, of its point
static double give_of(const WfSmallCloth* cloth, const WfTie* tie) {
    double sum = 0;
    for (int k = 0; k < tie->count; k++)
        sum += tie->weights[k] * tie->weights[k] * (double)cloth->x[tie->vertices[k]].w;
    return sum;
}

// Spring and damper of a substep: K, and which part of it the spring is. K is 0 where it is rigid.
typedef struct Spring {
    double stiffness, part;
} Spring;

static Spring spring_of(const WfAttachment* a, double h) {
    double k = a->stiffness * a->share, c = a->damping * a->share / h;
    return a->stiffness > 0 ? (Spring){k + c, k / (k + c)} : (Spring){0, 1};
}

// Where a spring and its damper pull to.
static WfVec target_of(const WeftState* state, const WfTied* tied, const WfTie* tie, double part) {
    WfVec along =
        wf_add(point_of(&state->scratch->small, tie, state->scratch->small.before), tied->moves);
    return wf_madd(wf_mul(part, tied->end), 1 - part, along);
}

static bool is_pin(const WeftState* state, int t, double h) {
    const WfTie* tie = &state->ties.all[t];
    const WfAttachment* a = &state->attachments[state->scratch->tied[t].attachment];
    double w = (double)state->scratch->small.x[tie->vertices[0]].w, K = spring_of(a, h).stiffness;
    if (tie->count > 1 || !tie->holds || tie->is_line || a->most > 0) return false;
    return w > 0 && (K == 0 || K * h * h * w > RIGID);
}

void wf_hold_ties(WeftState* state, double h) {
    for (int t = 0; t < state->ties.count; t++) {
        state->scratch->tied[t].is_held = is_pin(state, t, h);
        if (!state->scratch->tied[t].is_held) continue;
        state->ties.all[t].is_rigid = true;
        state->scratch->small.x[state->ties.all[t].vertices[0]].w = 0;
    }
}

// The push of a tie becomes another one, within its bound.
static void push_on(WeftState* state, WfTied* tied, const WfTie* tie, WfVec push, double h) {
    double size = wf_length(push), most = tie->most * h * h;
    if (most > 0 && size > most) push = wf_mul(most / size, push);
    push_point(&state->scratch->small, tie, wf_sub(push, tied->push));
    tied->push = push;
}

static void pull_line(WeftState* state, WfTied* tied, const WfTie* tie, double w, double h) {
    const WfAttachment* a = &state->attachments[tied->attachment];
    const WfSmallCloth* cloth = &state->scratch->small;
    WfVec point = wf_sub(point_of(cloth, tie, cloth->x), tied->end);
    double distance = wf_length(point), length = a->length;
    if (!(distance > 0) || (distance <= length && wf_dot(tied->push, tied->push) == 0)) return;
    WfVec n = wf_mul(1 / distance, point);
    Spring spring = spring_of(a, h);
    double alpha = spring.stiffness > 0 ? 1 / (spring.stiffness * h * h) : 0;
    if (distance > length) {  // a damper pulls at no slack
        WfVec along = wf_sub(target_of(state, tied, tie, 0), tied->end);
        length += (1 - spring.part) * (wf_dot(n, along) - length);
    }
    double pull = -wf_dot(tied->push, n);
    pull += (distance - length - alpha * pull) / (w + alpha);
    push_on(state, tied, tie, wf_mul(-fmax(pull, 0), n), h);
}

static void pull_tie(WeftState* state, WfTied* tied, const WfTie* tie, double w, double h) {
    Spring spring = spring_of(&state->attachments[tied->attachment], h);
    double alpha = spring.stiffness > 0 ? 1 / (spring.stiffness * h * h) : 0;
    WfVec d = wf_sub(point_of(&state->scratch->small, tie, state->scratch->small.x),
                     target_of(state, tied, tie, spring.part));
    WfVec push = wf_madd(d, alpha, tied->push);
    push_on(state, tied, tie, wf_madd(tied->push, -1 / (w + alpha), push), h);
}

void wf_pull_ties(WeftState* state, double h) {
    for (int t = 0; t < state->ties.count; t++) {
        WfTied* tied = &state->scratch->tied[t];
        const WfTie* tie = &state->ties.all[t];
        double w = give_of(&state->scratch->small, tie);
        if (tied->broken || tied->is_held || !(w > 0)) continue;
        (tie->is_line ? pull_line : pull_tie)(state, tied, tie, w, h);
    }
}

// ---------------------------------------------------------------------------------------------
// A substep

void wf_begin_small_ties(WeftState* state, int index, int count, double h) {
    wf_place_ends(state, index, count);
    for (int t = 0; t < state->ties.count; t++) {
        WfTied* tied = &state->scratch->tied[t];
        double end[3];
        wf_store(end, 0, tied->end);
        tied->push = (WfVec){0, 0, 0};
        if (tied->is_held)
            wf_small_put(&state->scratch->small, state->ties.all[t].vertices[0], end);
    }
    wf_pull_ties(state, h);
}

void wf_end_small_ties(WeftState* state, double h) {
    wf_pull_ties(state, h);
    for (int t = 0; t < state->ties.count; t++) {
        const WfTie* tie = &state->ties.all[t];
        WfVec push = state->scratch->tied[t].push;
        for (int k = 0; k < tie->count && state->forces.balances; k++)
            wf_give_push(state, tie->vertices[k], wf_mul(tie->weights[k] / h, push));
        wf_read_tie(state, t, wf_mul(1 / (h * h), push), h);
    }
}
